/* text.c  Growing text, and sanitised names. */
#include "text.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCREEN_COLUMNS = 100 };

bool ksiIsNamed(const char *pattern, const char *name)
{
    return !pattern || strcmp(pattern, name) == 0 || fnmatch(pattern, name, 0) == 0;
}

bool ksiIsAmong(const ksiPatterns *patterns, const char *name)
{
    bool is = patterns->count == 0;
    for (size_t i = 0; i < patterns->count; i++)
        is |= ksiIsNamed(patterns->at[i], name);
    return is;
}

bool ksiPatternsAdd(ksiPatterns *patterns, const char *pattern)
{
    if (patterns->count == KSI_PATTERNS)
        return false;
    patterns->at[patterns->count++] = pattern;
    return true;
}

void ksiTextAdd(ksiText *text, const char *format, ...)
{
    const size_t room = text->capacity - text->length;
    va_list value, again;
    va_start(value, format);
    va_copy(again, value);
    const int length = vsnprintf(text->at ? text->at + text->length : NULL, room, format, value);
    va_end(value);
    const bool isRoom =
        length >= 0 && !ksiReserve(text->allocator, &text->at, &text->capacity, text->length + (size_t)length + 1, 1);
    if (isRoom && (size_t)length >= room)
        vsnprintf(text->at + text->length, (size_t)length + 1, format, again);
    else if (!isRoom && text->at)
        text->at[text->length] = 0;
    text->length += isRoom ? (size_t)length : 0;
    text->isShort |= !isRoom;
    va_end(again);
}

void ksiTextAddBytes(ksiText *text, const void *bytes, size_t count)
{
    if (ksiReserve(text->allocator, &text->at, &text->capacity, text->length + count + 1, 1)) {
        text->isShort = true;
        return;
    }
    memcpy(text->at + text->length, bytes, count);
    text->length += count;
    text->at[text->length] = 0;
}

void ksiTextAddXml(ksiText *text, const char *clean)
{
    static const char marked[] = "&<>\"'";
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (size_t plain; *clean; clean += plain) {
        const char *mark = strchr(marked, *clean);
        plain = mark ? 1 : strcspn(clean, marked);
        ksiTextAddBytes(text, mark ? entity[mark - marked] : clean, mark ? strlen(entity[mark - marked]) : plain);
    }
}

/* Is all of it a number? -1.5e3 is one; -1+2 is not. */
static bool isNumber(const char *text, size_t length)
{
    char *end;
    return length > 0 && strspn(text, "+-.0123456789eE") >= length && (strtod(text, &end), end == text + length);
}

void ksiTextAddCsv(ksiText *text, const char *clean)
{
    const bool isQuoted = clean[strcspn(clean, ",;\"")];
    ksiTextAddBytes(text, "\"", isQuoted);
    for (const char *c = clean; *c; c++) {
        const bool isBegin = c == clean || c[-1] == ';';
        const size_t length = c == clean ? strlen(c) : strcspn(c, ";");
        ksiTextAddBytes(text, "'", isBegin && strchr("=+-@", *c) && !isNumber(c, length));
        ksiTextAddBytes(text, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    }
    ksiTextAddBytes(text, "\"", isQuoted);
}

static bool isContinued(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

void ksiTextAddColumn(ksiText *text, const char *clean, size_t columns)
{
    size_t width = 0, taken = 0;
    for (const char *c = clean; *c; c++)
        width += !isContinued(*c);
    const bool isLong = width > columns;
    size_t room = isLong ? columns - 1 : width;
    while (clean[taken] && (room > 0 || isContinued(clean[taken])))
        room -= !isContinued(clean[taken++]);
    ksiTextAdd(text, "%.*s%s%*s", (int)taken, clean, isLong ? "\xe2\x80\xa6" : "", isLong ? 0 : (int)(columns - width),
               "");
}

/* Counts UTF-8 characters and bytes up to the next space. */
static size_t wordAt(const char *text, size_t length, size_t *bytes)
{
    size_t columns = 0;
    for (*bytes = 0; *bytes < length && text[*bytes] != ' '; ++*bytes)
        columns += !isContinued(text[*bytes]);
    return columns;
}

void ksiTextAddSentence(ksiText *out, const char *first, const char *later, const char *text, size_t length)
{
    size_t column = strlen(first), bytes;
    for (size_t begin = 0; begin < length; begin += bytes + 1) {
        const size_t columns = wordAt(text + begin, length - begin, &bytes);
        const bool isBroken = begin > 0 && column + 1 + columns > SCREEN_COLUMNS;
        if (isBroken)
            ksiTextAdd(out, "\n%s", later);
        else
            ksiTextAdd(out, "%s", begin == 0 ? first : " ");
        ksiTextAdd(out, "%.*s", (int)bytes, text + begin);
        column = (isBroken ? strlen(later) : column + (begin > 0)) + columns;
    }
    ksiTextAdd(out, "\n");
}

void ksiTextFree(ksiText *text)
{
    ksiFree(text->allocator, text->at);
    text->at = NULL;
    text->length = text->capacity = 0;
}

void ksiTextDrop(ksiText *out, ksiText *words)
{
    out->isShort |= words->isShort;
    ksiTextFree(words);
}

void ksiTextAddParagraph(ksiText *out, ksiText *words)
{
    if (words->at)
        ksiTextAddSentence(out, "  ", "  ", words->at, words->length);
    ksiTextDrop(out, words);
}

/* The length of a permitted character; 0: there is none. Source: RFC 3629; XML 1.0, 2.2 */
static size_t characterAt(const unsigned char *s)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t length = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    if (length == 0)
        return 0;
    unsigned code = length == 1 ? s[0] : s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    const bool isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    // characters that would change the display order of the text after them
    const bool isReordering = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    const bool isCharacter = code >= least[length] && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) &&
                             code != 0xfffe && code != 0xffff;
    return isCharacter && !isControl && !isReordering ? length : 0;
}

char *ksiClean(const ksAllocator *allocator, const char *raw)
{
    char *clean = ksiRoomMake(allocator, 3 * strlen(raw) + 1), *to = clean;
    while (clean && *raw) {
        const size_t length = characterAt((const unsigned char *)raw);
        memcpy(to, length ? raw : "\xef\xbf\xbd", length ? length : 3);
        to += length ? length : 3;
        raw += length ? length : 1;
    }
    if (clean)
        *to = '\0';
    return clean;
}

bool ksiCleanInPlace(const ksAllocator *allocator, char *text, size_t size)
{
    text[size - 1] = 0;
    char *clean = ksiClean(allocator, text);
    if (!clean)
        return false;
    size_t length = strlen(clean);
    if (length >= size)
        for (length = size - 1; length > 0 && isContinued(clean[length]); length--)
            continue;
    memcpy(text, clean, length);
    text[length] = 0;
    ksiFree(allocator, clean);
    return true;
}

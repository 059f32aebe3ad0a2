/* text.h  Growing text, and sanitised names. */
#ifndef KSI_REPORT_FILES_TEXT_H
#define KSI_REPORT_FILES_TEXT_H

#include "maps.h"

#include <string.h>

/* Zero-initialised apart from the allocator: empty. */
typedef struct ksiText {
    const ksAllocator *allocator;
    char *at; /* null-terminated; NULL while empty */
    size_t length, capacity;
    bool isShort; /* memory ran out: the text is incomplete */
} ksiText;

void ksiTextAdd(ksiText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ksiTextAddBytes(ksiText *text, const void *bytes, size_t count);
void ksiTextAddXml(ksiText *text, const char *clean); /* escapes & < > " ' */
/* Adds a field of CSV (RFC 4180). Spreadsheets read a leading sign as a formula, and in some
 * countries a semicolon as a separator. An apostrophe marks such a field as text unless it is a
 * number. */
void ksiTextAddCsv(ksiText *text, const char *clean);
/* Does the name equal the pattern, or match it? NULL matches every name. */
bool ksiIsNamed(const char *pattern, const char *name);
/* Does the name match one of the patterns? Without patterns, every name does. */
enum { KSI_PATTERNS = 64 };
typedef struct ksiPatterns {
    size_t count;
    const char *at[KSI_PATTERNS];
} ksiPatterns;
bool ksiIsAmong(const ksiPatterns *patterns, const char *name);
bool ksiPatternsAdd(ksiPatterns *patterns, const char *pattern); /* false: there are too many */
/* Adds a left-aligned text in this many columns; a longer text is cut and ends with an ellipsis. */
void ksiTextAddColumn(ksiText *text, const char *clean, size_t columns);
/* Wraps lines for a screen: `first` precedes the first line, `later` the others. */
void ksiTextAddSentence(ksiText *out, const char *first, const char *later, const char *text, size_t length);
void ksiTextFree(ksiText *text);
/* Drop frees `words` after they were added to `out`. If memory ran out for `words`, `out` is
 * incomplete too. AddParagraph adds `words` as an indented paragraph, and then drops them. */
void ksiTextDrop(ksiText *out, ksiText *words);
void ksiTextAddParagraph(ksiText *out, ksiText *words);

/* Makes valid UTF-8: puts U+FFFD in place of invalid bytes, control characters, characters that
 * reorder text, and characters that XML 1.0 forbids. The result is from this allocator; NULL: out
 * of memory. */
char *ksiClean(const ksAllocator *allocator, const char *raw);

/* Cleans a null-terminated text in its buffer of this size; cuts a longer result between
 * characters. false: out of memory. */
bool ksiCleanInPlace(const ksAllocator *allocator, char *text, size_t size);

/* The plural ending of an English noun. */
static inline const char *ksiPlural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

/* The next line of a text from `rest` on, without its line end; NULL: no more lines. The text may
 * be NULL. */
static inline const char *ksiTextLine(const char **rest, size_t *length)
{
    const char *line = *rest;
    if (!line || !*line)
        return NULL;
    *length = strcspn(line, "\n");
    *rest = line + *length + (line[*length] == '\n');
    return line;
}

#endif

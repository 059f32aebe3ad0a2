/* documents.h  Requirements of each document format; ends the process if one is not met. */
#ifndef TESTS_FUZZ_DOCUMENTS_H
#define TESTS_FUZZ_DOCUMENTS_H

#include "input.h"

#include <kinetostat/report.h>

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A fuzzer should explore the library, not these functions. */
#ifdef __clang__
#define UNTRACED __attribute__((no_sanitize("coverage")))
#else
#define UNTRACED
#endif

/* UTF-8 without control characters except line ends. jansson checks the UTF-8. */
UNTRACED static inline void requirePlain(const char *text)
{
    json_t *string = json_string(text);
    require(string != NULL);
    json_decref(string);
    for (const unsigned char *c = (const void *)text; *c; c++)
        require((*c >= 0x20 || *c == '\n') && *c != 0x7f && !(c[0] == 0xc2 && c[1] < 0xa0));
}

UNTRACED static inline void requireJson(const char *text)
{
    json_t *document = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    require(json_is_object(document));
    json_decref(document);
    requirePlain(text);
}

/* `&` begins one of the five entities, before `end`. */
UNTRACED static inline void requireEscaped(const char *text, const char *end)
{
    static const char *const entity[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};
    for (; text < end; text++) {
        bool isKnown = *text != '&';
        for (size_t i = 0; i < sizeof entity / sizeof *entity; i++)
            isKnown = isKnown || strncmp(text, entity[i], strlen(entity[i])) == 0;
        require(isKnown && *text != '<' && *text != '>');
    }
}

/* After the name of an element: its attributes are name="value". Returns the end of the tag. */
UNTRACED static inline const char *passAttributes(const char *at)
{
    while (*at == ' ') {
        at += 1 + strcspn(at + 1, "=<>\"' ");
        require(at[0] == '=' && at[1] == '"');
        const char *value = at + 2;
        at = value + strcspn(value, "\"");
        require(*at == '"');
        requireEscaped(value, at++);
    }
    return at;
}

/* Elements end in the reverse order in which they begin; text and attributes are escaped. */
UNTRACED static inline void requireXml(const char *text)
{
    enum { DEEPEST = 8 };
    const char *open[DEEPEST];
    size_t length[DEEPEST], depth = 0, elements = 0;
    requirePlain(text);
    require(strncmp(text, "<?xml ", 6) == 0);
    for (const char *at = strchr(text, '\n'); *at;) {
        const char *tag = at + strcspn(at, "<");
        requireEscaped(at, tag);
        if (!*tag)
            break;
        const bool isEnd = tag[1] == '/';
        const char *name = tag + 1 + isEnd;
        const size_t size = strcspn(name, " />");
        at = passAttributes(name + size);
        const bool isEmpty = *at == '/';
        at += isEmpty;
        require(*at++ == '>');
        if (isEnd) {
            require(depth > 0 && length[--depth] == size && memcmp(open[depth], name, size) == 0);
        } else {
            require(depth > 0 || elements == 0);
            require(depth < DEEPEST);
            elements++;
            open[depth] = name;
            length[depth] = size;
            depth += !isEmpty;
        }
    }
    require(depth == 0 && elements > 0);
}

/* The text from `begin` to the next tag, which has to be `end`. The caller frees this copy. */
UNTRACED static inline char *between(const char *text, const char *begin, const char *end)
{
    const char *first = strstr(text, begin);
    require(first != NULL);
    first += strlen(begin);
    const size_t length = strcspn(first, "<");
    require(strncmp(first + length, end, strlen(end)) == 0);
    return strndup(first, length);
}

/* The report's own parts of a page: its title, the plain text and the JSON. No tag or comment
 * begins in them. */
UNTRACED static inline void requirePage(const char *text)
{
    char *title = between(text, "<title>", "</title>\n<style>");
    char *plain = between(text, "<noscript><pre>\n", "</pre></noscript>\n");
    char *json = between(text, "<script id=\"report\" type=\"application/json\">\n", "</script>\n<script");
    requirePlain(title);
    requireEscaped(title, title + strlen(title));
    requirePlain(plain);
    requireEscaped(plain, plain + strlen(plain));
    requireJson(json);
    free(title);
    free(plain);
    free(json);
}

/* Takes one field of RFC 4180 from `at`, and returns the character after it. The field is a number,
 * or a text that no spreadsheet treats as a formula. */
UNTRACED static inline char takeField(const char **at)
{
    const char *from = *at + (**at == '"');
    const size_t length = strcspn(from, ",\n\"");
    char *end;
    if (strchr("=+-@\t\r", *from) && *from) {
        strtod(from, &end);
        require(end == from + length && **at != '"');
    }
    if (**at != '"') {
        *at = from + length + 1;
        return from[length];
    }
    for (; *from != '"' || *++from == '"'; from++)
        require(*from != 0);
    *at = from + 1;
    return *from;
}

UNTRACED static inline void requireAny(const char *text)
{
    (void)text;
}

typedef struct Bytes {
    char *at;
    size_t count;
} Bytes;

static inline Bytes documentOf(const ksReport *report, ksReportFormat format)
{
    Bytes made = {NULL, 0};
    FILE *stream = open_memstream(&made.at, &made.count);
    const ksStatus status = ksReportPrint(report, format, stream);
    fclose(stream);
    require(status == KS_OK || (status == KS_ERROR_UNAVAILABLE && format == KS_REPORT_HTML));
    return made;
}

/* Checks one document, chosen by the input, because the page contains its scripts and takes longer
 * than all others; or all documents. */
static inline void checkDocuments(const ksReport *report, size_t choice)
{
    static const struct {
        ksReportFormat format;
        void (*check)(const char *text);
    } kind[] = {{KS_REPORT_HTML, requirePage},          {KS_REPORT_TEXT, requirePlain},
                {KS_REPORT_JSON, requireJson},          {KS_REPORT_JUNIT, requireXml},
                {KS_REPORT_TEXT_ALL, requirePlain},     {KS_REPORT_RUNS, requireAny},
                {KS_REPORT_SUPPRESSIONS, requirePlain}, {KS_REPORT_DATA, requireAny}};
    enum { KINDS = sizeof kind / sizeof *kind };
    const size_t chosen = choice % 16 == 0 ? 0 : 1 + choice % (KINDS - 1);
    for (size_t i = fuzzIsWhole ? 0 : chosen; i < (fuzzIsWhole ? KINDS : chosen + 1); i++) {
        const Bytes text = documentOf(report, kind[i].format);
        require(kind[i].format == KS_REPORT_DATA || !text.at || strlen(text.at) == text.count);
        if (text.count > 0)
            kind[i].check(text.at);
        free(text.at);
    }
}

UNTRACED static inline void requireCsv(const char *path, size_t wantedLines)
{
    static char text[1 << 18];
    size_t lines = 0, fields = 0, first = 0;
    FILE *file = fopen(path, "rb");
    require(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    requirePlain(text);
    for (const char *at = text; *at;) {
        const char end = takeField(&at);
        require(end == ',' || end == '\n');
        fields++;
        if (end == ',')
            continue;
        first = lines++ == 0 ? fields : first;
        require(fields == first);
        fields = 0;
    }
    require(fields == 0 && lines == wantedLines);
}

#endif

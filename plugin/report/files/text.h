/* text.h  Growing text, and sanitised names. */
#ifndef KSI_REPORT_FILES_TEXT_H
#define KSI_REPORT_FILES_TEXT_H

#include "maps.h"

#include <string.h>

/* All zero but the allocator: empty. */
typedef struct ksiText {
    const ksAllocator *allocator;
    char *at; /* ends with a 0; NULL while empty */
    size_t length, capacity;
    bool isShort; /* memory ran out: something is missing */
} ksiText;

void ksiTextAdd(ksiText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ksiTextAddBytes(ksiText *text, const void *bytes, size_t count);
void ksiTextAddXml(ksiText *text, const char *clean); /* & < > " ' escaped */
/* A field of CSV (RFC 4180). A spreadsheet takes what begins with a sign for a formula, and in some countries a field ends at a semicolon: what is no number
 * there is marked as text. */
void ksiTextAddCsv(ksiText *text, const char *clean);
/* Left-aligned in so many columns; longer ones end with an ellipsis. */
void ksiTextAddColumn(ksiText *text, const char *clean, size_t columns);
/* A line or more of a screen, broken between words: with this before the first one, and before the others. */
void ksiTextAddSentence(ksiText *out, const char *first, const char *later, const char *text, size_t length);
void ksiTextFree(ksiText *text);
/* Frees words that have been added to a text, which is short if they are; or adds them as an indented paragraph, if there are any. */
void ksiTextDrop(ksiText *out, ksiText *words);
void ksiTextAddParagraph(ksiText *out, ksiText *words);

/* Valid UTF-8 without control characters, those that turn the order of others, or characters that XML 1.0 forbids: each byte or character that is not becomes
 * U+FFFD. Of this allocator; NULL: out of memory. */
char *ksiClean(const ksAllocator *allocator, const char *raw);

/* The same of a text in so many bytes, whose last one is taken for its end; cut between characters where it has grown. false: out of memory. */
bool ksiCleanInPlace(const ksAllocator *allocator, char *text, size_t size);

/* The next line of a text, which begins at `rest`, without its end; NULL: there is none. A text may be NULL. */
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

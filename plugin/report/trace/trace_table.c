/* trace_table.c  Buffered lines of a trace. Memory grows to the high-water mark. */
#include "trace_table.h"

#include <stdlib.h>
#include <string.h>

const char *ksiNextWord(const ksiColumn *column, int64_t value, int *bit)
{
    if (!column->isSet)
        return (*bit)++ == 0 ? column->word(value) : NULL;
    for (; *bit < 64; (*bit)++)
        if ((uint64_t)value >> *bit & 1)
            return column->word((int64_t)(UINT64_C(1) << (*bit)++));
    return NULL;
}

void *ksiAddLine(ksiLines *lines)
{
    const size_t size = lines->table->lineSize;
    if (lines->count == lines->capacity) {
        const size_t capacity = lines->capacity ? 2 * lines->capacity : 64;
        char *grown = capacity > SIZE_MAX / size ? NULL : realloc(lines->line, capacity * size);
        if (!grown)
            return NULL;
        lines->line = grown;
        lines->capacity = capacity;
    }
    return memset(lines->line + size * lines->count++, 0, size);
}

uint64_t ksiNextLine(const ksiLines *lines)
{
    return lines->kept ? lines->count : lines->written + lines->count;
}

const char *ksiWaitingLines(const ksiLines *lines, size_t *count)
{
    const size_t first = lines->kept ? (size_t)lines->written : 0;
    *count = lines->count - first;
    return *count ? lines->line + lines->table->lineSize * first : NULL;
}

void ksiLinesWritten(ksiLines *lines)
{
    if (lines->kept) {
        lines->written = lines->count;
    } else {
        lines->written += lines->count;
        lines->count = 0;
    }
}

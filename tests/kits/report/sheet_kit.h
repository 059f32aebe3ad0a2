/* sheet_kit.h  Reads traces as CSV (RFC 4180). */
#ifndef TESTS_KITS_REPORT_SHEET_KIT_H
#define TESTS_KITS_REPORT_SHEET_KIT_H

#include "tests/kits/support.h"

typedef struct Sheet {
    char *text, **field; /* [lines * fields] */
    int lines, fields;   /* the heading is line 0 */
} Sheet;

static inline char *readAll(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    ck_assert_uint_eq(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

/* Ends the field in place, and removes its quotes; returns the character after it. */
static inline char takeField(char **at, char **field)
{
    char *from = *at, *to = *at;
    *field = to;
    const bool isQuoted = *from == '"';
    from += isQuoted;
    while (*from && (isQuoted || (*from != ',' && *from != '\n'))) {
        if (*from == '"' && *++from != '"')
            break;
        *to++ = *from++;
    }
    const char end = *from;
    ck_assert(end == ',' || end == '\n');
    *to = 0;
    *at = from + 1;
    return end;
}

static inline Sheet readSheet(const char *path)
{
    Sheet sheet = {.text = readAll(path)};
    size_t count = 0, capacity = 0;
    for (char *at = sheet.text; *at;) {
        if (count == capacity)
            sheet.field = realloc(sheet.field, (capacity = 2 * capacity + 64) * sizeof *sheet.field);
        if (takeField(&at, &sheet.field[count++]) == '\n') {
            sheet.lines++;
            if (!sheet.fields)
                sheet.fields = (int)count;
            ck_assert_uint_eq(count, (size_t)sheet.lines * (size_t)sheet.fields);
        }
    }
    return sheet;
}

static inline void freeSheet(Sheet *sheet)
{
    free(sheet->field);
    free(sheet->text);
}

static const char *cell(const Sheet *sheet, int line, const char *heading)
{
    for (int i = 0; i < sheet->fields; i++)
        if (!strcmp(sheet->field[i], heading))
            return sheet->field[(size_t)line * (size_t)sheet->fields + (size_t)i];
    ck_abort_msg("no column %s", heading);
    return NULL;
}

static inline int lineCount(const char *path)
{
    Sheet sheet = readSheet(path);
    const int count = sheet.lines - 1;
    freeSheet(&sheet);
    return count;
}

#endif

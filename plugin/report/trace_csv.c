/* trace_csv.c  A trace as text: a file for each table, one line a line. Names are quoted as in RFC 4180; the decimal point is a
 * point in any locale, 17 digits give each number back to the bit, and an unknown number is an empty field. */
#define _GNU_SOURCE
#include "trace_file.h"
#include "trace_space.h"
#include "trace_tables.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FIELD = 32, WRITE = 1 << 16 };

/* One file, and the text that waits for it. */
typedef struct Text {
    int file;
    char *path, *at;
    size_t length, capacity;
    bool isOut; /* of memory */
} Text;

typedef struct Csv {
    ksiTraceFile base;
    locale_t locale;
    int tableCount;
    Text text[KSI_TRACE_TABLES]; /* path NULL: the table is in no file */
} Csv;

static ksStatus failWrite(const Csv *csv, const Text *text, int error)
{
    snprintf(csv->base.words, KSI_TRACE_WORDS, "%s cannot be written: %s", text->path, strerror(error));
    return KS_ERROR_FILE;
}

static ksStatus failMemory(const Csv *csv)
{
    snprintf(csv->base.words, KSI_TRACE_WORDS, "out of memory");
    return KS_ERROR_NO_MEMORY;
}

/* --- fields */

static void append(Text *text, const char *bytes, size_t length)
{
    if (text->length + length > text->capacity) {
        const size_t capacity = 2 * text->capacity + length + WRITE;
        char *grown = text->isOut ? NULL : realloc(text->at, capacity);
        if (!grown) {
            text->isOut = true;
            return;
        }
        text->at = grown;
        text->capacity = capacity;
    }
    memcpy(text->at + text->length, bytes, length);
    text->length += length;
}

/* What a spreadsheet would take for a formula is marked as text; names are clean, so that no tab or end of a line begins one. */
static void appendText(Text *text, const char *value)
{
    const bool isFormula = *value && strchr("=+-@", *value), isQuoted = value[strcspn(value, ",\"\r\n")];
    append(text, "\"", isQuoted);
    append(text, "'", isFormula);
    for (const char *c = value; *c; c++)
        append(text, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    append(text, "\"", isQuoted);
}

static void appendInteger(Text *text, int64_t value)
{
    char field[FIELD];
    append(text, field, (size_t)snprintf(field, sizeof field, "%" PRId64, value));
}

static void appendReal(Text *text, double value)
{
    char field[FIELD];
    if (isnan(value))
        return;
    if (value == 0 && !signbit(value))
        append(text, "0", 1);
    else
        append(text, field, (size_t)snprintf(field, sizeof field, "%.17g", value));
}

/* --- lines */

static void appendCell(Text *text, const ksiColumn *column, const char *cell, const ksiLines *joints)
{
    double real;
    int64_t integer;
    switch (column->cell) {
    case KSI_CELL_REAL:
        memcpy(&real, cell, sizeof real);
        appendReal(text, real);
        break;
    case KSI_CELL_INTEGER:
        memcpy(&integer, cell, sizeof integer);
        if (column->word)
            appendText(text, column->word(integer));
        else
            appendInteger(text, integer);
        break;
    case KSI_CELL_JOINT:
        memcpy(&integer, cell, sizeof integer);
        appendInteger(text, integer);
        append(text, ",", 1);
        if (integer >= 0)
            appendText(text, ((const ksiJointLine *)(void *)joints->line)[integer].name);
        break;
    case KSI_CELL_TEXT:
        appendText(text, cell);
        break;
    }
}

static void appendLine(Text *text, const ksiTraceWorld *world, const ksiTable *table, const char *line, uint64_t number)
{
    appendText(text, world->name);
    if (table == &ksiJointTable) {
        append(text, ",", 1);
        appendInteger(text, (int64_t)number);
    }
    for (int i = 0; i < table->columnCount; i++) {
        const ksiColumn *column = &table->column[i];
        const int count = column->cell == KSI_CELL_TEXT ? 1 : column->width;
        for (int k = 0; k < count; k++) {
            append(text, ",", 1);
            appendCell(text, column, line + column->offset + sizeof(double) * (size_t)k, &world->lines[0]);
        }
    }
    append(text, "\n", 1);
}

/* name[unit]; a joint's number has its name beside it */
static void appendHeading(Text *text, const ksiColumn *column)
{
    const char *part = column->parts ? column->parts : column->name;
    while (*part) {
        const size_t length = strcspn(part, " ");
        append(text, ",", 1);
        append(text, part, length);
        if (*column->unit) {
            append(text, "[", 1);
            append(text, column->unit, strlen(column->unit));
            append(text, "]", 1);
        }
        if (column->cell == KSI_CELL_JOINT) {
            append(text, ",", 1);
            append(text, part, length);
            append(text, "_name", 5);
        }
        part += length;
        part += strspn(part, " ");
    }
}

static void appendHeadings(Text *text, const ksiTable *table)
{
    append(text, "world", 5);
    if (table == &ksiJointTable)
        append(text, ",joint", 6);
    for (int i = 0; i < table->columnCount; i++)
        appendHeading(text, &table->column[i]);
    append(text, "\n", 1);
}

/* --- the files */

/* Whole lines, so that the file ends with one whenever the process does. */
static ksStatus writeText(const Csv *csv, Text *text)
{
    if (text->isOut)
        return failMemory(csv);
    const int error = ksiWriteIfSpace(text->file, text->at, text->length);
    text->length = 0;
    return error ? failWrite(csv, text, error) : KS_OK;
}

static ksStatus addWorld(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    (void)file;
    (void)index;
    (void)world;
    return KS_OK;
}

static ksStatus writeLines(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Csv *csv = (Csv *)file;
    ksStatus status = KS_OK;
    (void)index;
    const locale_t host = uselocale(csv->locale);
    for (int t = 0; t < world->tableCount && status == KS_OK; t++) {
        const ksiLines *lines = &world->lines[t];
        Text *text = &csv->text[t];
        size_t count;
        const char *line = ksiWaitingLines(lines, &count);
        if (!text->path)
            continue;
        for (size_t i = 0; i < count && status == KS_OK; i++) {
            appendLine(text, world, lines->table, line + lines->table->lineSize * i, lines->written + i);
            if (text->length >= WRITE || text->isOut)
                status = writeText(csv, text);
        }
    }
    uselocale(host);
    return status;
}

static ksStatus flush(ksiTraceFile *file)
{
    Csv *csv = (Csv *)file;
    ksStatus status = KS_OK;
    for (int t = 0; t < csv->tableCount && status == KS_OK; t++)
        if (csv->text[t].path)
            status = writeText(csv, &csv->text[t]);
    return status;
}

static ksStatus closeAll(ksiTraceFile *file)
{
    Csv *csv = (Csv *)file;
    ksStatus status = KS_OK;
    for (int t = 0; t < csv->tableCount; t++) {
        Text *text = &csv->text[t];
        if (text->file >= 0 && close(text->file) && status == KS_OK)
            status = failWrite(csv, text, errno);
        free(text->path);
        free(text->at);
    }
    if (csv->locale)
        freelocale(csv->locale);
    free(csv);
    return status;
}

static void abandon(ksiTraceFile *file)
{
    (void)file;
}

/* "arm.csv", ".steps": "arm.steps.csv" */
static char *pathOf(const char *path, const char *part)
{
    size_t stem = strlen(path);
    char *made = malloc(stem + strlen(part) + 5);
    if (!made)
        return NULL;
    if (!*part)
        return strcpy(made, path);
    if (stem > 4 && !strcasecmp(path + stem - 4, ".csv"))
        stem -= 4;
    memcpy(made, path, stem);
    strcpy(made + stem, part);
    return strcat(made, ".csv");
}

static ksStatus openText(const Csv *csv, Text *text, const char *path, const ksiTable *table)
{
    text->path = pathOf(path, table->csv);
    if (!text->path)
        return failMemory(csv);
    text->file = open(text->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (text->file < 0)
        return failWrite(csv, text, errno);
    appendHeadings(text, table);
    return text->isOut ? failMemory(csv) : KS_OK;
}

ksStatus ksiTraceOpenCsv(const char *path, int tableCount, const ksiTable *const *tables, char *words,
                         ksiTraceFile **file)
{
    Csv *csv = calloc(1, sizeof *csv);
    if (!csv) {
        snprintf(words, KSI_TRACE_WORDS, "out of memory");
        return KS_ERROR_NO_MEMORY;
    }
    csv->base = (ksiTraceFile){addWorld, writeLines, flush, closeAll, abandon, words};
    csv->tableCount = tableCount;
    for (int t = 0; t < tableCount; t++)
        csv->text[t].file = -1;
    csv->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    ksStatus status = csv->locale ? KS_OK : failMemory(csv);
    for (int t = 0; t < tableCount && status == KS_OK; t++)
        if (tables[t]->csv)
            status = openText(csv, &csv->text[t], path, tables[t]);
    if (status != KS_OK)
        closeAll(&csv->base);
    else
        *file = &csv->base;
    return status;
}

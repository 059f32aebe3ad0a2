/* trace_csv.c  A trace as CSV: a file for each table. Names are quoted as in RFC 4180. The decimal
 * point is a point in any locale, 17 digits preserve each number bit by bit, and an unknown number
 * is an empty field. */
#define _GNU_SOURCE
#include "trace_tables.h"
#include "trace_text.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { FIELD = 32 };

typedef struct Csv {
    ksiTraceFile base;
    locale_t locale;
    int tableCount;
    ksiTraceText text[KSI_TRACE_TABLES]; /* path NULL: the table has no file */
} Csv;

/* --- fields */

static void appendInteger(ksiText *text, int64_t value)
{
    char field[FIELD];
    ksiTextAddBytes(text, field, (size_t)snprintf(field, sizeof field, "%" PRId64, value));
}

static void appendReal(ksiText *text, double value)
{
    char field[FIELD];
    if (isnan(value))
        return;
    if (value == 0 && !signbit(value))
        ksiTextAddBytes(text, "0", 1);
    else
        ksiTextAddBytes(text, field, (size_t)snprintf(field, sizeof field, "%.17g", value));
}

static void appendWords(ksiText *text, const ksiColumn *column, int64_t value)
{
    int bit = 0;
    const char *word, *before = "";
    while ((word = ksiNextWord(column, value, &bit))) {
        ksiTextAdd(text, "%s%s", before, word);
        before = "|";
    }
}

/* --- lines */

static void appendCell(ksiText *text, const ksiColumn *column, const char *cell, const ksiLines *joints)
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
            appendWords(text, column, integer);
        else
            appendInteger(text, integer);
        break;
    case KSI_CELL_JOINT:
        memcpy(&integer, cell, sizeof integer);
        appendInteger(text, integer);
        ksiTextAddBytes(text, ",", 1);
        if (integer >= 0)
            ksiTextAddCsv(text, ((const ksiJointLine *)(void *)joints->line)[integer].name);
        break;
    case KSI_CELL_TEXT:
        ksiTextAddCsv(text, cell);
        break;
    }
}

static void appendLine(ksiText *text, const ksiTraceWorld *world, const ksiTable *table, const char *line,
                       uint64_t number)
{
    ksiTextAddCsv(text, world->name);
    if (table == &ksiJointTable) {
        ksiTextAddBytes(text, ",", 1);
        appendInteger(text, (int64_t)number);
    }
    for (int i = 0; i < table->columnCount; i++) {
        const ksiColumn *column = &table->column[i];
        const int count = column->cell == KSI_CELL_TEXT ? 1 : column->width;
        for (int k = 0; k < count; k++) {
            ksiTextAddBytes(text, ",", 1);
            appendCell(text, column, line + column->offset + sizeof(double) * (size_t)k, &world->lines[0]);
        }
    }
    ksiTextAddBytes(text, "\n", 1);
}

/* Appends name[unit]; a joint's name follows its number. */
static void appendHeading(ksiText *text, const ksiColumn *column)
{
    const char *part = column->parts ? column->parts : column->name;
    while (*part) {
        const size_t length = strcspn(part, " ");
        ksiTextAddBytes(text, ",", 1);
        ksiTextAddBytes(text, part, length);
        if (*column->unit) {
            ksiTextAddBytes(text, "[", 1);
            ksiTextAddBytes(text, column->unit, strlen(column->unit));
            ksiTextAddBytes(text, "]", 1);
        }
        if (column->cell == KSI_CELL_JOINT) {
            ksiTextAddBytes(text, ",", 1);
            ksiTextAddBytes(text, part, length);
            ksiTextAddBytes(text, "_name", 5);
        }
        part += length;
        part += strspn(part, " ");
    }
}

static void appendHeadings(ksiText *text, const ksiTable *table)
{
    ksiTextAddBytes(text, "world", 5);
    if (table == &ksiJointTable)
        ksiTextAddBytes(text, ",joint", 6);
    for (int i = 0; i < table->columnCount; i++)
        appendHeading(text, &table->column[i]);
    ksiTextAddBytes(text, "\n", 1);
}

/* --- the files */

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
        ksiTraceText *text = &csv->text[t];
        size_t count;
        const char *line = ksiWaitingLines(lines, &count);
        if (!text->path)
            continue;
        // writes whole lines, so that the file ends with one even if the process is killed
        for (size_t i = 0; i < count && status == KS_OK; i++) {
            appendLine(&text->text, world, lines->table, line + lines->table->lineSize * i, lines->written + i);
            status = ksiTraceTextWriteSome(text);
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
            status = ksiTraceTextWrite(&csv->text[t]);
    return status;
}

static ksStatus closeAll(ksiTraceFile *file)
{
    Csv *csv = (Csv *)file;
    ksStatus status = KS_OK;
    for (int t = 0; t < csv->tableCount; t++)
        if (csv->text[t].path) {
            const ksStatus closed = ksiTraceTextClose(&csv->text[t]);
            status = status == KS_OK ? closed : status;
        }
    freelocale(csv->locale);
    free(csv);
    return status;
}

/* Makes "arm.steps.csv" of "arm.csv" and ".steps". */
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

static ksStatus openText(ksiTraceText *text, const char *path, const ksiTable *table)
{
    char *own = pathOf(path, table->csv);
    const ksStatus status =
        own ? ksiTraceTextOpen(text, own) : ksiTraceTextFail(text, KS_ERROR_NO_MEMORY, "out of memory");
    free(own);
    if (status == KS_OK)
        appendHeadings(&text->text, table);
    return status;
}

ksStatus ksiTraceOpenCsv(const char *path, int tableCount, const ksiTable *const *tables, char *words,
                         ksiTraceFile **file)
{
    Csv *csv = calloc(1, sizeof *csv);
    if (csv) {
        csv->base = (ksiTraceFile){addWorld, writeLines, flush, closeAll, ksiTraceTextAbandon, words};
        csv->tableCount = tableCount;
        csv->locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    }
    if (!csv || !csv->locale) {
        free(csv);
        snprintf(words, KSI_TRACE_WORDS, "out of memory");
        return KS_ERROR_NO_MEMORY;
    }
    ksStatus status = KS_OK;
    for (int t = 0; t < tableCount && status == KS_OK; t++) {
        csv->text[t].base.words = words;
        if (tables[t]->csv)
            status = openText(&csv->text[t], path, tables[t]);
    }
    if (status != KS_OK) {
        for (int t = 0; t < tableCount; t++)
            csv->text[t].text.length = 0;
        closeAll(&csv->base);
    } else {
        *file = &csv->base;
    }
    return status;
}

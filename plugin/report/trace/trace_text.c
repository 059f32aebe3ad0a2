/* trace_text.c  Writers whose file is one text, and lines of a trace as JSON. */
#define _GNU_SOURCE
#include "trace_text.h"

#include "../files/file_lock.h"
#include "../files/trace_space.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MUCH = 1 << 16 };

ksStatus ksiTraceTextFail(const ksiTraceText *trace, ksStatus status, const char *words)
{
    snprintf(trace->base.words, KSI_TRACE_WORDS, "%s: %s", trace->path ? trace->path : "a trace", words);
    return status;
}

ksStatus ksiTraceTextOpen(ksiTraceText *made, const char *path)
{
    made->text.allocator = &ksiLibraryAllocator;
    made->path = strdup(path);
    if (!made->path)
        return ksiTraceTextFail(made, KS_ERROR_NO_MEMORY, "out of memory");
    int refused = ksiLockFile(path, O_WRONLY, &made->file);
    // only a regular file can be truncated
    if (!refused && ftruncate(made->file, 0) && errno != EINVAL) {
        refused = errno;
        ksiUnlockFile(made->file);
    }
    if (!refused)
        return KS_OK;
    const ksStatus status = ksiTraceTextFail(made, KS_ERROR_FILE, ksiLockWords(refused));
    free(made->path);
    made->path = NULL;
    return status;
}

ksStatus ksiTraceTextCreate(size_t size, const ksiTraceFile *base, const char *path, ksiTraceText **made)
{
    ksiTraceText *trace = calloc(1, size);
    if (!trace) {
        snprintf(base->words, KSI_TRACE_WORDS, "%s: out of memory", path);
        return KS_ERROR_NO_MEMORY;
    }
    trace->base = *base;
    const ksStatus status = ksiTraceTextOpen(trace, path);
    if (status == KS_OK)
        *made = trace;
    else
        free(trace);
    return status;
}

ksStatus ksiTraceTextWrite(ksiTraceText *trace)
{
    ksiText *text = &trace->text;
    if (text->isShort)
        return ksiTraceTextFail(trace, KS_ERROR_NO_MEMORY, "out of memory");
    const int error = ksiWriteIfSpace(trace->file, text->at, text->length);
    text->length = 0;
    return error ? ksiTraceTextFail(trace, KS_ERROR_FILE, strerror(error)) : KS_OK;
}

ksStatus ksiTraceTextWriteSome(ksiTraceText *trace)
{
    return trace->text.length >= MUCH || trace->text.isShort ? ksiTraceTextWrite(trace) : KS_OK;
}

ksStatus ksiTraceTextClose(ksiTraceText *trace)
{
    ksStatus status = ksiTraceTextWrite(trace);
    const int error = ksiUnlockFile(trace->file);
    if (error && status == KS_OK)
        status = ksiTraceTextFail(trace, KS_ERROR_FILE, strerror(error));
    ksiTextFree(&trace->text);
    free(trace->path);
    return status;
}

ksStatus ksiTraceTextFlush(ksiTraceFile *file)
{
    return ksiTraceTextWrite((ksiTraceText *)file);
}

void ksiTraceTextAbandon(ksiTraceFile *file)
{
    (void)file;
}

/* --- Lines as JSON */

/* A number of a line. */
typedef struct Part {
    const ksiColumn *column;
    const char *heading;
    int index; /* index of the number in the column */
    char key[64];
} Part;

/* Moves to the next number of a line, in the order of columns; at the start, to the first. */
static bool nextPart(const ksiTable *table, Part *part)
{
    const bool isFirst = !part->column;
    if (isFirst || part->index + 1 == part->column->width) {
        part->column = isFirst ? table->column : part->column + 1;
        if (part->column == table->column + table->columnCount)
            return false;
        part->heading = part->column->parts ? part->column->parts : part->column->name;
        part->index = 0;
    } else {
        part->heading += strcspn(part->heading, " ") + 1;
        part->index++;
    }
    // CSV tells counts from quantities of the same name by units; here the column's name tells them
    // apart
    const bool isCount = part->column->parts && part->column->cell == KSI_CELL_INTEGER;
    snprintf(part->key, sizeof part->key, "%s%s%.*s", isCount ? part->column->name : "", isCount ? "_" : "",
             (int)strcspn(part->heading, " "), part->heading);
    return true;
}

const ksiJointLine *ksiJointAt(const ksiLines *joints, int64_t line)
{
    return (const ksiJointLine *)(const void *)joints->line + line;
}

/* A word, or the list of a set's words. */
static json_t *integerToJson(const ksiColumn *column, int64_t value)
{
    int bit = 0;
    if (!column->word || !column->isSet)
        return column->word ? json_string(column->word(value)) : json_integer(value);
    json_t *words = json_array();
    for (const char *word; (word = ksiNextWord(column, value, &bit));)
        (void)!json_array_append_new(words, json_string(word));
    return words;
}

json_t *ksiLineToJson(const ksiTable *table, const char *line, const ksiLines *joints)
{
    json_t *object = json_object();
    for (Part part = {.column = NULL}; nextPart(table, &part);) {
        const ksiColumn *column = part.column;
        const char *cell = line + column->offset + sizeof(double) * (size_t)part.index;
        double real;
        int64_t integer;
        memcpy(&real, cell, sizeof real);
        memcpy(&integer, cell, sizeof integer);
        if (column->cell == KSI_CELL_REAL)  // JSON has no NaN: omit it
            (void)!json_object_set_new(object, part.key, json_real(real));
        else
            (void)!json_object_set_new(object, part.key, integerToJson(column, integer));
        if (column->cell == KSI_CELL_JOINT && integer >= 0)
            (void)!json_object_set_new(object, strcat(part.key, "_name"),
                                       json_string(ksiJointAt(joints, integer)->name));
    }
    return object;
}

json_t *ksiTableSchema(const ksiTable *table)
{
    json_t *properties = json_object();
    for (Part part = {.column = NULL}; nextPart(table, &part);) {
        const ksiColumn *column = part.column;
        const char *type = column->cell == KSI_CELL_REAL ? "number"
                           : column->isSet               ? "array"
                           : column->word                ? "string"
                                                         : "integer";
        (void)!json_object_set_new(
            properties, part.key,
            json_pack("{s:s, s:s, s:s}", "type", type, "unit", column->unit, "description", column->description));
        if (column->cell == KSI_CELL_JOINT)
            (void)!json_object_set_new(properties, strcat(part.key, "_name"), json_pack("{s:s}", "type", "string"));
    }
    return json_pack("{s:s, s:o}", "type", "object", "properties", properties);
}

/* trace_text.h  A trace that is one text, which only grows: its file, and its lines as JSON. */
#ifndef KSI_REPORT_TRACE_TRACE_TEXT_H
#define KSI_REPORT_TRACE_TRACE_TEXT_H

#include "../files/text.h"
#include "trace_file.h"
#include "trace_tables.h"

#include <jansson.h>

typedef struct ksiTraceText {
    ksiTraceFile base;
    int file;
    char *path;
    ksiText text; /* that waits for the file */
} ksiTraceText;

/* `made` is all zero but base. Where it fails nothing is left open, path is NULL, and words say why. */
ksStatus ksiTraceTextOpen(ksiTraceText *made, const char *path);

/* The same in new memory of so many bytes, which begin with a ksiTraceText; to be freed after it is closed. */
ksStatus ksiTraceTextCreate(size_t size, const ksiTraceFile *base, const char *path, ksiTraceText **made);

/* What waits goes into the file, if there is room for all of it. */
ksStatus ksiTraceTextWrite(ksiTraceText *trace);

/* Writes likewise only when much waits. */
ksStatus ksiTraceTextWriteSome(ksiTraceText *trace);

/* What waits goes into the file, and that is closed. */
ksStatus ksiTraceTextClose(ksiTraceText *trace);

/* Returns `status`, with words. */
ksStatus ksiTraceTextFail(const ksiTraceText *trace, ksStatus status, const char *words);

/* Of ksiTraceFile: these do no more than write, and nothing. */
ksStatus ksiTraceTextFlush(ksiTraceFile *file);
void ksiTraceTextAbandon(ksiTraceFile *file);

/* --- Lines as JSON: keys are the headings of CSV without units, and joints have a name, too; what is unknown is left out; 17 digits give each
 * number back to the bit. NULL: out of memory. */

enum { KSI_TRACE_JSON = JSON_COMPACT | JSON_REAL_PRECISION(17) };

json_t *ksiLineToJson(const ksiTable *table, const char *line, const ksiLines *joints);
json_t *ksiTableSchema(const ksiTable *table);

/* Of the table of joints. */
const ksiJointLine *ksiJointAt(const ksiLines *joints, int64_t line);

#endif

/* trace_text.h  Writers whose file is one growing text, and lines of a trace as JSON. */
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
    ksiText text; /* text that waits to be written */
} ksiTraceText;

/* `made` must be zero apart from base. On failure nothing stays open, path is NULL, and words say
 * why. */
ksStatus ksiTraceTextOpen(ksiTraceText *made, const char *path);

/* Allocates `size` bytes, which begin with a ksiTraceText, and opens its file. Free the memory
 * after closing. */
ksStatus ksiTraceTextCreate(size_t size, const ksiTraceFile *base, const char *path, ksiTraceText **made);

/* Writes the waiting text if all of it fits. */
ksStatus ksiTraceTextWrite(ksiTraceText *trace);

/* Writes the waiting text only if there is much of it. */
ksStatus ksiTraceTextWriteSome(ksiTraceText *trace);

/* Writes the waiting text, and closes the file. */
ksStatus ksiTraceTextClose(ksiTraceText *trace);

/* Sets words and returns `status`. */
ksStatus ksiTraceTextFail(const ksiTraceText *trace, ksStatus status, const char *words);

/* Members of ksiTraceFile: flush only writes the text; abandon does nothing. */
ksStatus ksiTraceTextFlush(ksiTraceFile *file);
void ksiTraceTextAbandon(ksiTraceFile *file);

/* --- Lines as JSON: keys are the headings of CSV without units, and joints have a name, too;
 * unknown numbers are left out; 17 digits preserve each number bit by bit. NULL: out of memory. */

enum { KSI_TRACE_JSON = JSON_COMPACT | JSON_REAL_PRECISION(17) };

json_t *ksiLineToJson(const ksiTable *table, const char *line, const ksiLines *joints);
json_t *ksiTableSchema(const ksiTable *table);

/* A line of the table of joints. */
const ksiJointLine *ksiJointAt(const ksiLines *joints, int64_t line);

#endif

/* trace_read.h  Reads a trace from HDF5 (docs/traces.md) line by line, in constant memory. The file
 * is untrusted. */
#ifndef KSI_REPORT_TRACE_TRACE_READ_H
#define KSI_REPORT_TRACE_TRACE_READ_H

#include "trace_tables.h"

#include <kinetostat/status.h>

enum { KSI_READ_WORDS = 400, KSI_READ_LINES = 4096 };

typedef struct ksiTraceReader ksiTraceReader;
typedef struct ksiReadTable ksiReadTable;

/* Do these words say that the file is a recording? If so, judging the recording can write a
 * trace. */
bool ksiIsAboutRecording(const char *words);

/* Opens a trace. NULL or false, here and below: the caller's words [KSI_READ_WORDS] say why. The
 * reader keeps the pointer to them. */
ksiTraceReader *ksiTraceReaderOpen(const char *path, char *words);
void ksiTraceReaderClose(ksiTraceReader *reader); /* NULL is fine */

/* The number of worlds, and the name of a world as it is in the file. Worlds are in the order of
 * their numbers. */
size_t ksiTraceReaderWorlds(const ksiTraceReader *reader);
const char *ksiTraceReaderName(const ksiTraceReader *reader, size_t world);

/* Opens columns of a world's table. names: ends with NULL; names NULL: all columns. A missing
 * column is a failure. */
ksiReadTable *ksiReadTableOpen(ksiTraceReader *reader, size_t world, const ksiTable *table, const char *const *names);
void ksiReadTableClose(ksiReadTable *table);           /* NULL is fine */
uint64_t ksiReadTableLines(const ksiReadTable *table); /* number of lines in each of these
                                                          columns */

/* Reads `count` lines, at most KSI_READ_LINES, as structs of the table. Columns that were not
 * requested are zero; texts end with 0. */
bool ksiReadTableRead(ksiReadTable *table, uint64_t first, size_t count, void *lines);

#endif

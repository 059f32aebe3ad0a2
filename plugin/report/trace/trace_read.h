/* trace_read.h  A trace as HDF5 (docs/traces.md) read back, line by line, in constant memory. Anyone may have made the file. */
#ifndef KSI_REPORT_TRACE_TRACE_READ_H
#define KSI_REPORT_TRACE_TRACE_READ_H

#include "trace_tables.h"

#include <kinetostat/status.h>

enum { KSI_READ_WORDS = 400, KSI_READ_LINES = 4096 };

typedef struct ksiTraceReader ksiTraceReader;
typedef struct ksiReadTable ksiReadTable;

/* Are these words about a recording, of which a trace can be made? */
bool ksiIsAboutRecording(const char *words);

/* NULL or false: words [KSI_READ_WORDS], the caller's, say why. They stay there as long as the reader does. */
ksiTraceReader *ksiTraceReaderOpen(const char *path, char *words);
void ksiTraceReaderClose(ksiTraceReader *reader); /* NULL is fine */

/* Worlds in the order of their numbers, and their names, as they are in the file. */
size_t ksiTraceReaderWorlds(const ksiTraceReader *reader);
const char *ksiTraceReaderName(const ksiTraceReader *reader, size_t world);

/* Some columns of a table of a world: names, NULL behind the last one; NULL: all of them. A column that the file does not have is a
 * failure. */
ksiReadTable *ksiReadTableOpen(ksiTraceReader *reader, size_t world, const ksiTable *table, const char *const *names);
void ksiReadTableClose(ksiReadTable *table);           /* NULL is fine */
uint64_t ksiReadTableLines(const ksiReadTable *table); /* that all of these columns have */

/* So many lines, at most KSI_READ_LINES, as the struct of the table: columns that were not asked for are zero. Texts end. */
bool ksiReadTableRead(ksiReadTable *table, uint64_t first, size_t count, void *lines);

#endif

/* trace_table.h  Tables of a trace: their columns, and buffered lines. */
#ifndef KSI_REPORT_TRACE_TRACE_TABLE_H
#define KSI_REPORT_TRACE_TRACE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ksiCell {
    KSI_CELL_REAL,    /* double */
    KSI_CELL_INTEGER, /* int64_t */
    KSI_CELL_JOINT,   /* int64_t: the number of a line of the table of joints, or -1 */
    KSI_CELL_TEXT     /* char[], ends with a zero */
} ksiCell;

/* A column is a member of the line's struct. */
typedef struct ksiColumn {
    const char *name, *unit, *description; /* unit "": a number without a unit */
    const char *parts;                     /* `width` names for CSV, with blanks between them; NULL:
                                              only the name */
    ksiCell cell;
    int width;                       /* numbers in a line; for a text: bytes */
    size_t offset;                   /* offset in the line */
    const char *(*word)(int64_t at); /* the word for an integer, in text formats; NULL: they have
                                        the number */
    bool isSet;                      /* the integer is a set, with a word for each bit */
} ksiColumn;

typedef struct ksiTable {
    const char *name, *description;
    const char *csv; /* stands before ".csv" in the file's name; NULL: the table is not in CSV */
    size_t lineSize;
    int columnCount;
    const ksiColumn *column;
} ksiTable;

/* Lines of a table in memory: the last `count` of `written + count` lines, which wait to be
 * written. If `kept` (joints), lines stay after they are written, and `count` is the number of all
 * lines. */
typedef struct ksiLines {
    const ksiTable *table;
    bool kept;
    char *line;
    size_t count, capacity;
    uint64_t written; /* number of written lines; if kept, they are among these `count` */
} ksiLines;

/* The next word of an integer. The search begins at *bit, which the caller first sets to 0. NULL:
 * there are no more words. */
const char *ksiNextWord(const ksiColumn *column, int64_t value, int *bit);

/* Adds a line, all zero; NULL: out of memory. */
void *ksiAddLine(ksiLines *lines);

/* The number of the next line. */
uint64_t ksiNextLine(const ksiLines *lines);

/* The waiting lines, and their number. */
const char *ksiWaitingLines(const ksiLines *lines, size_t *count);

void ksiLinesWritten(ksiLines *lines);

#endif

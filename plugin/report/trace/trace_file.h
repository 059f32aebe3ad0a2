/* trace_file.h  Writers of the lines of a trace: CSV, HDF5, MCAP or events. */
#ifndef KSI_REPORT_TRACE_TRACE_FILE_H
#define KSI_REPORT_TRACE_TRACE_FILE_H

#include "../files/maps.h"
#include "trace_table.h"

#include <kinetostat/status.h>

enum { KSI_TRACE_TABLES = 8, KSI_TRACE_WORDS = 400 };
#define KSI_NOT_TRACED UINT64_MAX

/* One world of a trace. Table 0 has the joints. A table that contains line numbers of another table
 * comes after that table. */
typedef struct ksiTraceWorld {
    char *name;
    int tableCount;
    ksiLines lines[KSI_TRACE_TABLES];
    bool isInFile;
    ksiMap joints; /* by a joint's name, type and number: its line in the table of joints, or
                      KSI_NOT_TRACED */
    ksiMap bodies; /* by a body's number: its last line in the table of poses */
} ksiTraceWorld;

typedef struct ksiTraceFile ksiTraceFile;
struct ksiTraceFile {
    /* addWorld: adds a world with its number, from 0. write: writes all waiting lines of the world.
       On failure both leave the file unchanged or cut short, and words say why. */
    ksStatus (*addWorld)(ksiTraceFile *file, int index, const ksiTraceWorld *world);
    ksStatus (*write)(ksiTraceFile *file, int index, const ksiTraceWorld *world);
    ksStatus (*flush)(ksiTraceFile *file);
    ksStatus (*close)(ksiTraceFile *file); /* also frees the file; words stay */
    void (*abandon)(ksiTraceFile *file);   /* call it in a child of fork(), so that HDF5 does not
                                              change the parent's file at exit */
    char *words;                           /* [KSI_TRACE_WORDS], the words of the trace */
};

/* Opens the files. `tables` [tableCount]: the tables of each world. */
ksStatus ksiTraceOpenCsv(const char *path, int tableCount, const ksiTable *const *tables, char *words,
                         ksiTraceFile **file);
ksStatus ksiTraceOpenHdf5(const char *path, int compression, char *words, ksiTraceFile **file);
ksStatus ksiTraceOpenMcap(const char *path, char *words, ksiTraceFile **file);
ksStatus ksiTraceOpenEvents(const char *path, char *words, ksiTraceFile **file);

#endif

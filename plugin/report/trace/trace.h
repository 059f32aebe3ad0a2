/* trace.h  The inside of a trace: its worlds, and the path of a step into the file. */
#ifndef KSI_REPORT_TRACE_TRACE_H
#define KSI_REPORT_TRACE_TRACE_H

#include "../collect/naming.h"
#include "../files/used_names.h"
#include "../files/writers.h"
#include "trace_file.h"

#include <kinetostat/trace.h>

struct ksTrace {
    ksTraceOptions options; /* the trace owns `joints` */
    int tableCount;
    const ksiTable *table[KSI_TRACE_TABLES];
    int rows, reactions, motors, pairs, poses, steps; /* indices of these tables; rows, poses: -1 if
                                                         there are none */
    int worldCount;
    ksiTraceWorld **world; /* [worldCount] */
    ksiUsedNames names;    /* names of worlds; CSV identifies worlds by them */
    ksiTraceFile *file;
    double lastFlush;
    ksStatus failure; /* the first failure; nothing is written after it */
    char words[KSI_TRACE_WORDS];
    uint64_t exactSteps; /* number of chosen steps that cannot be recorded */
    ksAllocator allocator;
    ksiWriter writer;
};

/* trace_write.c. Clock: seconds of wall clock. Write: writes all waiting lines. */
double ksiTraceClock(void);
ksStatus ksiTraceWrite(ksTrace *trace);

/* A step's number and time, for inspectors of copies of the world. */
typedef struct ksiTraceStep {
    unsigned long step;
    double time; /* s */
} ksiTraceStep;

/* trace_step.c: collects the last step of an inspector, and writes waiting lines when it is
 * time. */
ksStatus ksiTraceCollect(ksTrace *trace, int world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiTraceStep *which);

/* trace.c; call both while holding the lock of all traces. Adds a world without an inspector; name
 * NULL: "world 1", by number. */
ksStatus ksiTraceAddWorld(ksTrace *trace, const char *name, int *world);

/* Adds the last step of an inspector, if it was chosen; the naming must be up to date. which NULL:
 * the inspector's own number and time. Remembers a failure. */
ksStatus ksiTraceAddStep(ksTrace *trace, int world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiTraceStep *which);

#endif

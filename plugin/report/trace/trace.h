/* trace.h  The inside of a trace: its worlds, and the path of a step into the file. */
#ifndef KSI_REPORT_TRACE_TRACE_H
#define KSI_REPORT_TRACE_TRACE_H

#include "../collect/naming.h"
#include "../files/writers.h"
#include "trace_file.h"

#include <kinetostat/trace.h>

struct ksTrace {
    ksTraceOptions options; /* joints: ours */
    int tableCount;
    const ksiTable *table[KSI_TRACE_TABLES];
    int rows, reactions, motors, pairs, poses, steps; /* indices of these tables; rows, poses -1: there is none */
    int worldCount;
    ksiTraceWorld **world; /* [worldCount] */
    ksiTraceFile *file;
    double lastFlush;
    ksStatus failure; /* the first; then nothing is written any more */
    char words[KSI_TRACE_WORDS];
    uint64_t exactSteps; /* that were to be recorded, and cannot be */
    ksAllocator allocator;
    ksiWriter writer;
};

/* trace_write.c: seconds of wall clock; all that waits, into the file. */
double ksiTraceClock(void);
ksStatus ksiTraceWrite(ksTrace *trace);

/* Which step it is, where the inspector is one of a copy of the world. */
typedef struct ksiTraceStep {
    unsigned long step;
    double time; /* s */
} ksiTraceStep;

/* trace_step.c: the last step of an inspector, and all that waits if it is time to. */
ksStatus ksiTraceCollect(ksTrace *trace, int world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiTraceStep *which);

/* trace.c, both behind the lock of all traces. A world without an inspector, name NULL: "world 1", by number. */
ksStatus ksiTraceAddWorld(ksTrace *trace, const char *name, int *world);

/* The last step of an inspector, if it is one of those that were chosen; naming is up to date. which NULL: the inspector's own
 * number and time. A failure is remembered, too. */
ksStatus ksiTraceAddStep(ksTrace *trace, int world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiTraceStep *which);

#endif

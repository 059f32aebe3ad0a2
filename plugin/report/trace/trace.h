/* trace.h  The inside of a trace: its worlds, and the path of a step into the file. */
#ifndef KSI_REPORT_TRACE_TRACE_H
#define KSI_REPORT_TRACE_TRACE_H

#include "../collect/naming.h"
#include "../files/used_names.h"
#include "../files/writers.h"
#include "trace_file.h"

#include <kinetostat/trace.h>

struct ksTrace {
    ksTraceOptions options; /* joints: ours */
    int tableCount;
    const ksiTable *table[KSI_TRACE_TABLES];
    int rows, reactions, motors, pairs, poses, steps; /* indices of these tables; rows, poses: -1
                                                         without them */
    int worldCount;
    ksiTraceWorld **world; /* [worldCount] */
    ksiUsedNames names;    /* of worlds: CSV tells them by these */
    ksiTraceFile *file;
    double lastFlush;
    ksStatus failure; /* the first failure; after it nothing is written */
    char words[KSI_TRACE_WORDS];
    uint64_t exactSteps; /* chosen steps that cannot be recorded */
    ksAllocator allocator;
    ksiWriter writer;
};

/* trace_write.c: seconds of wall clock; writes all waiting lines. */
double ksiTraceClock(void);
ksStatus ksiTraceWrite(ksTrace *trace);

/* The number and time of a step, if the inspector belongs to a copy of the world. */
typedef struct ksiTraceStep {
    unsigned long step;
    double time; /* s */
} ksiTraceStep;

/* trace_step.c: collects the last step of an inspector, and writes waiting lines when it is
 * time. */
ksStatus ksiTraceCollect(ksTrace *trace, int world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiTraceStep *which);

/* trace.c, both behind the lock of all traces. Adds a world without an inspector; name NULL: "world
 * 1", by number. */
ksStatus ksiTraceAddWorld(ksTrace *trace, const char *name, int *world);

/* Adds the last step of an inspector, if it was chosen; naming is up to date. which NULL: the
 * inspector's own number and time. A failure is remembered, too. */
ksStatus ksiTraceAddStep(ksTrace *trace, int world, const ksInspector *inspector, const ksiNaming *naming,
                         const ksiTraceStep *which);

#endif

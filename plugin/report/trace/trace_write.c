/* trace_write.c  Writes buffered lines to the file. */
#include "trace.h"

#include <time.h>

double ksiTraceClock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ksStatus writeWorld(ksTrace *trace, int index)
{
    ksiTraceWorld *world = trace->world[index];
    size_t waiting;
    ksiWaitingLines(&world->lines[trace->steps], &waiting);
    if (waiting == 0)
        return KS_OK;
    if (!world->isInFile) {
        const ksStatus status = trace->file->addWorld(trace->file, index, world);
        if (status != KS_OK)
            return status;
        world->isInFile = true;
    }
    const ksStatus status = trace->file->write(trace->file, index, world);
    if (status == KS_OK)
        for (int t = 0; t < world->tableCount; t++)
            ksiLinesWritten(&world->lines[t]);
    return status;
}

ksStatus ksiTraceWrite(ksTrace *trace)
{
    for (int i = 0; i < trace->worldCount && trace->failure == KS_OK; i++)
        trace->failure = writeWorld(trace, i);
    if (trace->failure == KS_OK)
        trace->failure = trace->file->flush(trace->file);
    trace->lastFlush = ksiTraceClock();
    return trace->failure;
}

/* host.c  Writes one run as a trace of each kind into a folder, for other programs' readers:
 *
 *     host FOLDER STEPS
 *
 * It makes STEPS steps, all flushed, says so, and waits for a character; then it makes as many
 * again, and closes the files. Names contain characters that the formats quote. */
#include "tests/preload/chain.h"

#include <kinetostat/trace.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINKS = 3, TRACES = 4 };

int main(int argc, char **argv)
{
    static const char *const file[TRACES] = {"run.h5", "run.mcap", "run.csv", "run.json"};
    static const char *const name[LINKS] = {"=shoulder", "elbow; \"left\", 2", "Handgelenk \xc3\xbc"};
    const int steps = argc > 2 ? atoi(argv[2]) : 0;
    ksInspector *inspector = NULL;
    ksTrace *trace[TRACES];
    dBodyID link[LINKS];
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    int failed = ksInspectorCreate(world, NULL, &inspector) != KS_OK;
    for (int i = 0; i < LINKS && !failed; i++)
        failed |= ksInspectorSetName(inspector, addLink(world, link, i), name[i]) != KS_OK;
    for (int i = 0; i < TRACES && !failed; i++) {
        char path[1000];
        snprintf(path, sizeof path, "%s/%s", argv[1], file[i]);
        failed |= ksTraceCreate(path, NULL, &trace[i]) || ksTraceWatch(trace[i], inspector, "arm, \"one\"");
    }
    for (int i = 1; i <= 2 * steps && !failed; i++) {
        failed |= ksInspectorQuickStep(inspector, 0.005) != KS_OK;
        if (i != steps)
            continue;
        for (int k = 0; k < TRACES; k++)
            failed |= ksTraceFlush(trace[k]) != KS_OK;
        puts("flushed");
        fflush(stdout);
        failed |= getchar() == EOF;
    }
    for (int i = 0; i < TRACES && !failed; i++)
        failed |= ksTraceClose(trace[i]) != KS_OK;
    if (failed)
        fprintf(stderr, "%s\n", ksErrorMessage());
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dCloseODE();
    return failed;
}

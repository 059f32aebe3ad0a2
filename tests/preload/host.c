/* host.c  A chain that contacts push about; they are created and destroyed in each step. With a
 * file it inspects itself: it records into the file, and prints its own report as JSON, with
 * advice. Otherwise it knows nothing of Kinetostat.
 *
 *     host [FILE.h5] */
#include "chain.h"

#include <kinetostat/report.h>
#include <kinetostat/trace.h>
#include <stdio.h>

enum { LINKS = 6, STEPS = 600, ADVISE_EVERY = 20 };

static dWorldID world;
static dBodyID link[LINKS];

static void makeChain(void)
{
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    for (int i = 0; i < LINKS; i++)
        addLink(world, link, i);
}

/* A floor under every second link. */
static void makeContacts(dJointGroupID group)
{
    dJointGroupEmpty(group);
    for (int i = 1; i < LINKS; i += 2) {
        const dReal *at = dBodyGetPosition(link[i]);
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = 0.5}};
        contact.geom.depth = -0.5 - at[2];
        if (contact.geom.depth < 0)
            continue;
        for (int k = 0; k < 2; k++)
            contact.geom.pos[k] = at[k];
        contact.geom.pos[2] = -0.5;
        contact.geom.normal[2] = 1;
        dJointAttach(dJointCreateContact(world, group, &contact), link[i], NULL);
    }
}

static ksReport *report;
static ksTrace *trace;
static ksInspector *inspector;

/* With the options of the command's judge. */
static int inspect(const char *file)
{
    ksInspectorOptions options;
    ksTraceOptions traced;
    ksReportOptions reported;
    ksInspectorOptionsInit(&options);
    options.estimateSweeps = 40;
    ksTraceOptionsInit(&traced);
    traced.level = KS_TRACE_RAW;
    ksReportOptionsInit(&reported);
    reported.adviseEvery = ADVISE_EVERY;
    return ksInspectorCreate(world, &options, &inspector) || ksReportCreate(&reported, &report) ||
           ksReportWatch(report, inspector, NULL) || ksTraceCreate(file, &traced, &trace) ||
           ksTraceWatch(trace, inspector, NULL);
}

int main(int count, char *argument[])
{
    dInitODE2(0);
    makeChain();
    if (count > 1 && inspect(argument[1])) {
        fprintf(stderr, "host: %s\n", ksErrorMessage());
        return 1;
    }
    const dJointGroupID group = dJointGroupCreate(0);
    dRandSetSeed(3);
    for (int i = 0; i < STEPS; i++) {
        makeContacts(group);
        if (inspector)
            ksInspectorQuickStep(inspector, 0.005);
        else
            dWorldQuickStep(world, 0.005);
    }
    if (inspector && (ksTraceClose(trace) || ksReportPrint(report, KS_REPORT_JSON, stdout))) {
        fprintf(stderr, "host: %s\n", ksErrorMessage());
        return 1;
    }
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

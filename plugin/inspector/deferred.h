/* deferred.h  Takes steps, and has them inspected on another thread. While that has one, the inspector is its own but for what is here
 * and who has subscribed. */
#ifndef KSI_INSPECTOR_DEFERRED_H
#define KSI_INSPECTOR_DEFERRED_H

#include "inspector.h"

#include "../base/worker.h"
#include "../engine/snapshot.h"

#include <fenv.h>

/* A step that was taken. */
typedef struct ksiDeferredStep {
    const ksiSnapshot *snapshot;
    ksStatus missing; /* why there is nothing in it, or KS_OK */
    ksStepper stepper;
    double h;
    fenv_t environment; /* the host's, of floating-point numbers */
} ksiDeferredStep;

struct ksiDeferred {
    ksiWorker *worker;
    ksiEngine seen;
    ksiImages images;
    ksiTaker taker;
    ksiSnapshot snapshot[2];
    ksiDeferredStep next; /* is being taken */
    dBodyID culprit;      /* of it */
    int taking;           /* into this snapshot */
    ksiDeferredStep job;
    bool isDue;          /* the last step's callbacks have not been called */
    ksSubscription last; /* made before it ended */
};

/* Waits for the step that another thread inspects. false: it will never be inspected, and nothing may be read. */
bool ksiSettle(const ksInspector *inspector);

/* The host has its feedback back. false: this is a child of a process whose worker is in the midst of it, so nothing else can be
 * freed. */
bool ksiEndDeferred(ksInspector *inspector);

/* By the options. KS_OK or KS_ERROR_NO_MEMORY */
KS_MUST_USE ksStatus ksiDefer(ksInspector *inspector);

/* Around the engine's step; no callback is called. As ksInspectorBeginStep and ksInspectorEndStep; Begin: also
 * KS_ERROR_UNAVAILABLE, and nothing is to be ended then. */
KS_MUST_USE ksStatus ksiDeferBegin(ksInspector *inspector, ksStepper stepper, double h);
ksStatus ksiDeferEnd(ksInspector *inspector);
bool ksiDeferIsCovered(const ksInspector *inspector);

/* In place of End: nothing has moved. The step is open now as one in place, of which nothing was read. */
void ksiDeferNothing(ksInspector *inspector);

/* The next step is inspected in place. */
void ksiDeferNot(ksInspector *inspector);

/* Is there somebody to call? */
bool ksiDeferIsAwaited(const ksInspector *inspector);

#endif

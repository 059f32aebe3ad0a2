/* deferred_wait.h  Steps that are inspected later, on another thread. While that thread has one, the inspector is its own but for what is
 * here and who has subscribed. */
#ifndef KSI_INSPECTOR_HOST_DEFERRED_WAIT_H
#define KSI_INSPECTOR_HOST_DEFERRED_WAIT_H

#include "../inspector.h"

#include "../../base/worker.h"
#include "../../engine/snapshot.h"

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
bool ksiDeferredWait(const ksInspector *inspector);

/* The host has its feedback back. false: this is a child of a process whose worker is in the midst of it, so nothing else can be
 * freed. */
bool ksiEndDeferred(ksInspector *inspector);

#endif

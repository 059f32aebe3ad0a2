/* deferred_wait.h  Steps that another thread inspects later. Meanwhile the inspector belongs to
 * that thread, except these structs and the subscriptions. */
#ifndef KSI_INSPECTOR_HOST_DEFERRED_WAIT_H
#define KSI_INSPECTOR_HOST_DEFERRED_WAIT_H

#include "../inspector.h"

#include "../../base/worker.h"
#include "../../engine/snapshot.h"

#include <fenv.h>

/* A recorded step. */
typedef struct ksiDeferredStep {
    const ksiSnapshot *snapshot;
    ksStatus missing; /* KS_OK, or why the snapshot is empty */
    ksStepper stepper;
    double h;
    fenv_t environment; /* the host's floating-point environment */
} ksiDeferredStep;

struct ksiDeferred {
    ksiWorker *worker;
    ksiEngine seen;
    ksiImages images;
    ksiTaker taker;
    ksiSnapshot snapshot[2];
    ksiDeferredStep next; /* being recorded */
    dBodyID culprit;      /* a body of `next` that is not finite, or NULL */
    int taking;           /* index of the snapshot of `next` */
    ksiDeferredStep job;
    bool isDue;          /* the last step's callbacks are pending */
    ksSubscription last; /* the newest subscription at the end of that step */
};

/* Waits for the step that another thread inspects. false: it will never be inspected, and no result
 * may be read. */
bool ksiDeferredWait(const ksInspector *inspector);

/* Restores the host's feedback, and frees the worker and the images. false: this is a forked child
 * of a process whose worker is busy, so they cannot be freed. */
bool ksiEndDeferred(ksInspector *inspector);

#endif

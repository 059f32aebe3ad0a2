/* deferred.h  Copies steps for inspection on another thread. */
#ifndef KSI_INSPECTOR_HOST_DEFERRED_H
#define KSI_INSPECTOR_HOST_DEFERRED_H

#include "deferred_wait.h"

/* Makes later steps deferred ones: creates the worker and the images. KS_OK or
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiDefer(ksInspector *inspector);

/* Called around the engine's step, like ksInspectorBeginStep and ksInspectorEndStep, but without
 * callbacks. ksiDeferBegin may also return KS_ERROR_UNAVAILABLE: no step was begun. */
KS_MUST_USE ksStatus ksiDeferBegin(ksInspector *inspector, ksStepper stepper, double h);
ksStatus ksiDeferEnd(ksInspector *inspector);
bool ksiDeferIsCovered(const ksInspector *inspector);

/* Called in place of ksiDeferEnd if nothing has moved. Afterwards the open step is like a step that
 * is inspected in place but was not read. */
void ksiDeferNothing(ksInspector *inspector);

/* The next step is inspected in place. */
void ksiDeferNot(ksInspector *inspector);

/* Does a subscription wait for callbacks of the last step? */
bool ksiDeferIsAwaited(const ksInspector *inspector);

#endif

/* deferred.h  Copies steps for inspection on another thread. */
#ifndef KSI_INSPECTOR_HOST_DEFERRED_H
#define KSI_INSPECTOR_HOST_DEFERRED_H

#include "deferred_wait.h"

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

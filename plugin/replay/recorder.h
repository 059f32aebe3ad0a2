/* recorder.h  Records the steps of one world, around the engine's own. */
#ifndef KSI_RECORDER_H
#define KSI_RECORDER_H

#include "record.h"

#include <stdbool.h>

typedef struct ksiRecorder ksiRecorder;

/* number: of the world, for its records. KS_OK, or as ksiEngineOpen. */
KS_MUST_USE ksStatus ksiRecorderCreate(dWorldID world, unsigned number, ksiRecorder **recorder);
void ksiRecorderDestroy(ksiRecorder *recorder);

/* Right before and after a step of the engine. In between, joints have feedback of our own; the host's own is filled at the end.
 * isExtra: recorded for the sake of the next one. Begin fails with KS_ERROR_NO_MEMORY, and nothing is to be ended then. End gives the
 * record, which is valid until the next step. seconds: that the engine took. */
KS_MUST_USE ksStatus ksiRecorderBegin(ksiRecorder *recorder, ksStepper stepper, double h, bool isExtra);
const ksiStepRecord *ksiRecorderEnd(ksiRecorder *recorder, bool isStepped, double seconds);

/* Counts a step that is not recorded. */
void ksiRecorderSkip(ksiRecorder *recorder, double h);

const ksiEngine *ksiRecorderEngine(const ksiRecorder *recorder);

#endif

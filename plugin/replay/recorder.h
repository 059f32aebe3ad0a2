/* recorder.h  Records the steps of one world, around the engine's own. */
#ifndef KSI_RECORDER_H
#define KSI_RECORDER_H

#include "record.h"

#include <stdbool.h>

typedef struct ksiRecorder ksiRecorder;

/* Where it reads what the engine reports. */
typedef enum ksiFeedbackOwner {
    KSI_FEEDBACK_OURS,      /* it puts feedback of its own in place of the host's */
    KSI_FEEDBACK_INSPECTORS /* steps are in an inspector's bracket, whose feedback is read. The world is not written */
} ksiFeedbackOwner;

/* number: of the world, for its records. KS_OK, or as ksiEngineOpen. */
KS_MUST_USE ksStatus ksiRecorderCreate(dWorldID world, unsigned number, ksiFeedbackOwner owner, ksiRecorder **recorder);
void ksiRecorderDestroy(ksiRecorder *recorder);

/* From now on records have the geoms of bodies, and those that stand still in the same spaces. These are found in a space that has a
 * list of them: not in a quadtree, and not where a body has no geom. */
void ksiRecorderTakeGeoms(ksiRecorder *recorder);

/* Right before and after a step of the engine. In between, joints have feedback of our own, if it is ours; the host's own is filled at
 * the end. isExtra: recorded for the sake of the next one. Begin fails with KS_ERROR_NO_MEMORY, and nothing is to be ended then. End
 * gives the record, which is valid until the next step. seconds: that the engine took. With an inspector's feedback a step that was
 * begun need not be ended. */
KS_MUST_USE ksStatus ksiRecorderBegin(ksiRecorder *recorder, ksStepper stepper, double h, bool isExtra);
const ksiStepRecord *ksiRecorderEnd(ksiRecorder *recorder, bool isStepped, double seconds);

/* Counts a step that is not recorded. Seek: the next one has this number, from 0, and begins at this time, s. */
void ksiRecorderSkip(ksiRecorder *recorder, double h);
void ksiRecorderSeek(ksiRecorder *recorder, uint64_t step, double time);

const ksiEngine *ksiRecorderEngine(const ksiRecorder *recorder);

#endif

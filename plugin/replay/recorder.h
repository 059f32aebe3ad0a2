/* recorder.h  Records the steps of one world, around the engine's own. */
#ifndef KSI_REPLAY_RECORDER_H
#define KSI_REPLAY_RECORDER_H

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

/* In what the engine of this thread's last KS_ERROR_UNSUPPORTED_ENGINE differs. */
const char *ksiRecorderDifference(void);
void ksiRecorderDestroy(ksiRecorder *recorder);

/* From the next step on. Not in a step that was begun, unless that is not to be ended. */
void ksiRecorderSetOwner(ksiRecorder *recorder, ksiFeedbackOwner owner);

/* From now on records have the geoms of bodies, and those that stand still in the same spaces. These are found in a space that has a
 * list of them: not in a quadtree, and not where a body has no geom. Triangles of meshes are left out where a record would have more than `most`
 * bytes. */
void ksiRecorderTakeGeoms(ksiRecorder *recorder, size_t most);

/* Right before and after a step of the engine. In between, joints have feedback of our own, if it is ours; the host's own is filled at
 * the end. isExtra: recorded for the sake of the next one. Begin fails with KS_ERROR_NO_MEMORY, and nothing is to be ended then. End
 * gives the record, which is valid until the next step. seconds: that the engine took. With an inspector's feedback a step that was
 * begun need not be ended. */
KS_MUST_USE ksStatus ksiRecorderBegin(ksiRecorder *recorder, ksStepper stepper, double h, bool isExtra);
const ksiStepRecord *ksiRecorderEnd(ksiRecorder *recorder, bool isStepped, double seconds);

/* What the host calls a joint of this world, from now on; NULL: nothing any longer. The name is copied, and cut if it is long. A name
 * goes with its joint. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiRecorderName(ksiRecorder *recorder, dJointID joint, const char *name);

/* In place of these names: what `ask` answers for each joint at the begin of a step, NULL: it has none. It is valid until the next
 * call. */
typedef const char *ksiAskName(const void *user, dJointID joint);
void ksiRecorderAskNames(ksiRecorder *recorder, ksiAskName *ask, const void *user);

/* The number of a body in records: in a step that was begun, or in the last one that has ended. 0: it was not seen there. */
unsigned ksiRecorderBodyNumber(const ksiRecorder *recorder, dBodyID body, bool isBegun);

/* Counts a step that is not recorded. Seek: the next one has this number, from 0, and begins at this time, s. */
void ksiRecorderSkip(ksiRecorder *recorder, double h);
void ksiRecorderSeek(ksiRecorder *recorder, uint64_t step, double time);

const ksiEngine *ksiRecorderEngine(const ksiRecorder *recorder);

#endif

/* recorder.h  Records the steps of one world, around the engine's own. */
#ifndef KSI_REPLAY_RECORDER_H
#define KSI_REPLAY_RECORDER_H

#include "record.h"

#include <stdbool.h>

typedef struct ksiRecorder ksiRecorder;

/* Source of the engine's reports. */
typedef enum ksiFeedbackOwner {
    KSI_FEEDBACK_OURS,      /* the recorder's feedback, in place of the host's */
    KSI_FEEDBACK_INSPECTORS /* an inspector's feedback: it brackets each step, and the recorder
                               writes nothing into the world */
} ksiFeedbackOwner;

/* number: the world's number in its records. KS_OK, or as ksiEngineOpen. */
KS_MUST_USE ksStatus ksiRecorderCreate(dWorldID world, unsigned number, ksiFeedbackOwner owner, ksiRecorder **recorder);

/* The engine's difference at this thread's last KS_ERROR_UNSUPPORTED_ENGINE. */
const char *ksiRecorderDifference(void);
void ksiRecorderDestroy(ksiRecorder *recorder);

/* Later records include the geoms of bodies, and fixed geoms in the same spaces. Fixed geoms are
 * found only in spaces that have a body's geom, and not in a quadtree. Triangles that would enlarge
 * a record beyond `most` bytes are left out. */
void ksiRecorderTakeGeoms(ksiRecorder *recorder, size_t most);

/* Right before and after a step of the engine. In between, joints have the recorder's feedback, if
 * it owns the feedback; End fills the host's own. isExtra: the step is recorded only as the
 * predecessor of the next one. If Begin fails (KS_ERROR_NO_MEMORY), do not call End. End returns
 * the record, valid until the next step. seconds: the engine's time. With an inspector's feedback
 * End may be omitted. */
KS_MUST_USE ksStatus ksiRecorderBegin(ksiRecorder *recorder, ksStepper stepper, double h, bool isExtra);
const ksiStepRecord *ksiRecorderEnd(ksiRecorder *recorder, bool isStepped, double seconds);

/* Sets the host's name of a joint of this world; NULL removes it. The name is copied, cut if too
 * long, and removed with its joint. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiRecorderName(ksiRecorder *recorder, dJointID joint, const char *name);

/* Replaces these names: `ask` is called for each joint at the start of a step and returns its name,
 * valid until the next call, or NULL. */
typedef const char *ksiAskName(const void *user, dJointID joint);
void ksiRecorderAskNames(ksiRecorder *recorder, ksiAskName *ask, const void *user);

/* The number of a body in the record of the current step (isBegun), or of the last step that ended.
 * 0: that record does not have the body. */
unsigned ksiRecorderBodyNumber(const ksiRecorder *recorder, dBodyID body, bool isBegun);

/* Counts a step without recording it. Seek: the next step has this number, from 0, and time, s. */
void ksiRecorderSkip(ksiRecorder *recorder, double h);
void ksiRecorderSeek(ksiRecorder *recorder, uint64_t step, double time);

const ksiEngine *ksiRecorderEngine(const ksiRecorder *recorder);

#endif

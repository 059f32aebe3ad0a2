/* recorder.h  Records the steps of one world. Its functions are called before and after each step
 * of the engine. */
#ifndef KSI_REPLAY_RECORDER_H
#define KSI_REPLAY_RECORDER_H

#include "record.h"

#include <stdbool.h>

typedef struct ksiRecorder ksiRecorder;

/* The feedback from which the recorder takes the engine's reports. */
typedef enum ksiFeedbackOwner {
    KSI_FEEDBACK_OURS,      /* the recorder's feedback, in place of the host's */
    KSI_FEEDBACK_INSPECTORS /* an inspector's feedback: it brackets each step, and the recorder
                               writes nothing into the world */
} ksiFeedbackOwner;

/* number: the world's number in its records. Returns KS_OK, or an error of ksiEngineOpen. */
KS_MUST_USE ksStatus ksiRecorderCreate(dWorldID world, unsigned number, ksiFeedbackOwner owner, ksiRecorder **recorder);

/* After this thread's last KS_ERROR_UNSUPPORTED_ENGINE: the part of the engine that differs from
 * the supported engine. */
const char *ksiRecorderDifference(void);
void ksiRecorderDestroy(ksiRecorder *recorder);

/* Later records include the geoms of bodies, and fixed geoms in the same spaces. Fixed geoms are
 * found only in spaces that have a body's geom, and not in a quadtree. Triangles that would enlarge
 * a record beyond `most` bytes are left out. */
void ksiRecorderTakeGeoms(ksiRecorder *recorder, size_t most);

/* Call ksiRecorderBegin right before a step of the engine, and ksiRecorderEnd right after it. With
 * KSI_FEEDBACK_OURS, joints have the recorder's feedback during the step; ksiRecorderEnd then fills
 * the host's own feedback. isExtra: the step is recorded only as the predecessor of the next step.
 * If ksiRecorderBegin fails (KS_ERROR_NO_MEMORY), do not call ksiRecorderEnd. seconds: the time
 * that the engine took for the step. ksiRecorderEnd returns the record, which is valid until the
 * next step. With KSI_FEEDBACK_INSPECTORS, the call of ksiRecorderEnd may be omitted. */
KS_MUST_USE ksStatus ksiRecorderBegin(ksiRecorder *recorder, ksStepper stepper, double h, bool isExtra);
const ksiStepRecord *ksiRecorderEnd(ksiRecorder *recorder, bool isStepped, double seconds);

/* Sets the host's name of a joint of this world; NULL removes the name. The name is copied, cut if
 * it is too long, and removed when its joint is destroyed. KS_OK or KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiRecorderName(ksiRecorder *recorder, dJointID joint, const char *name);

/* Replaces the names of ksiRecorderName: `ask` is called for each joint at the start of a step, and
 * returns the joint's name, valid until the next call, or NULL. */
typedef const char *ksiAskName(const void *user, dJointID joint);
void ksiRecorderAskNames(ksiRecorder *recorder, ksiAskName *ask, const void *user);

/* The number of a body in the record of the current step (isBegun), or of the last step that ended.
 * 0: the body is not in this record. */
unsigned ksiRecorderBodyNumber(const ksiRecorder *recorder, dBodyID body, bool isBegun);

/* ksiRecorderSkip counts a step without recording it. ksiRecorderSeek sets the number, from 0, and
 * the time, s, of the next step. */
void ksiRecorderSkip(ksiRecorder *recorder, double h);
void ksiRecorderSeek(ksiRecorder *recorder, uint64_t step, double time);

const ksiEngine *ksiRecorderEngine(const ksiRecorder *recorder);

#endif

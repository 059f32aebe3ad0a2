/* memory.h  State of the last step, for phase 1 and bias accelerations. */
#ifndef KSI_INSPECTOR_READ_MEMORY_H
#define KSI_INSPECTOR_READ_MEMORY_H

#include "../step_view.h"

/* Data of a joint in this step, for the next step. */
typedef struct ksiJointPast {
    dJointType type;
    dBodyID body[2];
    int bodyIndex[2];
    ksVerdict verdict;
    int mark;
    int history; /* into ksiMemory::history, or -1 */
    double fudgeWork;
} ksiJointPast;

/* Rows whose accelerations may have to be found from two readings. */
typedef struct ksiHistory {
    int count;
    ksRowKind kind[KSI_MAX_ROWS];
    int axis[KSI_MAX_ROWS];
    double target[KSI_MAX_ROWS]; /* as in ksiJointInput */
    ksiSetting setting[KSI_MAX_ROWS];
    double differenced[KSI_MAX_ROWS]; /* acceleration by two readings, or NaN */
    double jacobian[KSI_MAX_ROWS][2][6];
} ksiHistory;

typedef struct ksiMemory {
    ksiBodyEnd *body; /* set if the world's list of bodies has changed */
    ksiJointPast *joint;
    ksiHistory *history;
    size_t jointCount, historyCount, bodyCapacity, historyCapacity;
} ksiMemory;

/* Does this state of a body equal its state after the step? */
bool ksiIsLeftAt(const ksiBodyEnd *end, const double centre[3], const double rotation[9], const double velocity[6]);

/* Has the body jumped since the end of the last step, or is it driven? last: NULL if there is
 * none. */
void ksiCompareBody(const ksiStep *step, const ksiBodyEnd *last, ksiBodyInput *body);

/* Keep the data of the last step that this step needs, before the arrays are overwritten.
 * ksiRememberBodies: of all bodies. ksiReserveHistory: reserves memory for joints.
 * ksiRememberJoint: of a joint; called for each joint in order. */
KS_MUST_USE ksStatus ksiRememberBodies(const ksiStep *step, ksiMemory *memory);
KS_MUST_USE ksStatus ksiReserveHistory(const ksiStep *step, ksiMemory *memory);
ksiJointPast ksiRememberJoint(const ksiStep *step, size_t joint, ksiMemory *memory);

/* Does the joint continue a joint of the last step, and has the host not moved its bodies since? */
bool ksiIsAsLeft(const ksiStep *step, const ksiJointInput *joint);

/* ksiHistoryOf: the joint's rows in the last step, if they were remembered; or NULL.
 * ksiPredecessor: these rows, but also NULL if the host has moved the joint's bodies since. */
const ksiHistory *ksiHistoryOf(const ksiStep *step, const ksiJointInput *joint);
const ksiHistory *ksiPredecessor(const ksiStep *step, const ksiJointInput *joint);

/* The row of the last step that row l continues, or -1. Stops and motors come and go; their axes
 * identify them. */
int ksiRowBefore(const ksiJointInput *joint, const ksiHistory *last, int l);

#endif

/* forces.h  Joints as marks, their forces as arrows. */
#ifndef KSI_VIEW_FORCES_H
#define KSI_VIEW_FORCES_H

#include "camera.h"
#include "picture.h"

#include <kinetostat/kinetostat.h>

/* What is shown; each has a key. */
typedef struct ksiShown {
    bool value[KS_PHYSICAL + 1], torques, contacts, selfStress, figures, help;
} ksiShown;

/* A force (torque) of this size has the arrow (arc) of full length; N, N.m. 0: not known yet. */
typedef struct ksiScale {
    double force, torque;
    int forceOdd, torqueOdd; /* frames for which another one would have been better */
} ksiScale;

/* How large things are drawn; m. */
typedef struct ksiSizes {
    double mark;   /* radius of a joint */
    double arrow;  /* radius of a shaft */
    double length; /* of a force of full length */
    double ring;   /* radius of a torque's arc */
} ksiSizes;

/* joints: how many there are, contacts aside */
ksiSizes ksiSizesOf(const ksiCamera *camera, double typical, size_t joints);

/* A round number that nine of ten forces do not exceed; it changes seldom. `scratch` grows, freed by the caller; false: out of
 * memory. arm: m, that makes a torque of a force. */
typedef struct ksiNumbers {
    double *number;
    size_t capacity;
} ksiNumbers;
bool ksiScaleUpdate(ksiScale *scale, const ksInspector *inspector, const ksiShown *shown, double arm,
                    ksiNumbers *scratch);

/* Where a joint is now: its anchor, moved with its first body, else between its bodies. */
void ksiJointPlace(const ksReaction *reaction, double place[3]);

/* The force on body[0], and the torque about the joint's place as it was in the step. false: not known. */
bool ksiJointWrench(const ksReaction *reaction, ksValue value, ksWrench *out);

/* Whether mechanics determines the force, and the torque about the joint's place. */
void ksiJointIsUnique(const ksReaction *reaction, bool *force, bool *torque);

/* The undetermined part of what the engine left in a redundant joint, on body[0], about its place: the part of converged - physical in
 * the span of the free directions. false: there is none. */
bool ksiJointSelfStress(const ksInspector *inspector, const ksReaction *reaction, ksWrench *out);

/* The joint of the largest error whose force or torque is to be seen; a contact only where there is no other. NULL: none. */
const ksReaction *ksiWorst(const ksInspector *inspector, const ksiScale *scale);

typedef struct ksiForces {
    const ksInspector *inspector;
    const ksiShown *shown;
    const ksiScale *scale;
    const ksiCamera *camera;
    ksiSizes sizes;
    dJointID chosen; /* gets a ring */
} ksiForces;

/* Marks and arrows of all joints, contacts included. */
void ksiForcesDraw(const ksiForces *forces, ksiPicture *picture);

/* The least of 1, 2, 5, 10, ... that is not below x > 0. */
double ksiRound125(double x);

#endif

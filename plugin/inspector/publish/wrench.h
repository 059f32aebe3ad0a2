/* wrench.h  A joint's wrench on one side, in given axes and about a given point, and its determined
 * part. */
#ifndef KSI_INSPECTOR_PUBLISH_WRENCH_H
#define KSI_INSPECTOR_PUBLISH_WRENCH_H

#include "../../base/vectorise.h"

#include <kinetostat/kinetostat.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Side, axes and point of a wrench. */
typedef struct ksiWrenchFrame {
    int body;        /* the wrench acts on body 0 or body 1 */
    double point[3]; /* world */
    double axes[9];  /* row i: axis i in world axes */
} ksiWrenchFrame;

/* Is it a value of the continuous mechanism, in which contacts are known loads? */
static inline bool ksiIsPhysical(ksValue value)
{
    return value == KS_PHYSICAL || value == KS_SHARED;
}

/* The reaction's wrenches of one value; NULL: unknown. */
const ksWrench *ksiWrenchesOf(const ksReaction *reaction, ksValue value);

/* Explains that the reaction has no such value; returns KS_ERROR_UNAVAILABLE. */
ksStatus ksiExplainNoValue(const ksReaction *reaction, ksValue value);

/* The axes of a frame for the wrench on a body. */
void ksiFrameAxes(const ksReaction *reaction, int body, ksFrame frame, double axes[9]);

/* Finds side, axes and point of a view. Uses the mass centre if the joint has no anchor. *point: on
 * entry the requested point, on return the point in use. Returns KS_OK, or KS_ERROR_UNAVAILABLE:
 * the world has no mass centre. */
KS_MUST_USE ksStatus ksiViewAnyhow(const ksReaction *reaction, int body, ksFrame frame, ksPoint *point,
                                   ksiWrenchFrame *view);

/* both: the wrenches on both bodies, in world axes, about their mass centres. A view of the wrench
 * on the world reads both[0] only. */
void ksiViewWrench(const ksReaction *reaction, const ksiWrenchFrame *view, const ksWrench both[2], ksWrench *out);

/* t' = t - (to - from) x f */
void ksiMoveWrench(ksWrench *wrench, const double from[3], const double to[3]);
void ksiTurnWrench(ksWrench *wrench, const double axes[9]);

/* |x|, element by element */
KSI_INLINE void ksiMakeAbsolute(ksiFour *x)
{
    const ksiFourBits all = {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX};
    *x = (ksiFour)((ksiFourBits)*x & all);
}

/* Directions with less force per torque, in N per N.m, are scaled to a unit torque. */
static const double ksiLeastForce = 1e-3;

/* The factor that scales a direction to a unit force or a unit torque, from the squares of its
 * force and its torque. */
KSI_INLINE double ksiPerUnit(double force2, double torque2)
{
    const double unit2 = force2 > ksiLeastForce * ksiLeastForce * torque2 ? force2 : torque2;
    return unit2 > 0 ? 1 / sqrt(unit2) : 1;
}

void ksiNormaliseWrench(ksWrench *wrench); /* by ksiPerUnit */

/* In a direction that ksiPerUnit has scaled, smaller components count as zero: drifted constraints
 * leave errors of 1e-4. */
static const double ksiFreeTolerance = 1e-3;

/* determined.c, for a direction that ksiPerUnit has scaled, in any axes. ksiWholeTorque: the scale
 * of its torques, from its force and from `length`, the largest distance of its point from a mass
 * centre of the joint. ksiOpenComponents: its nonzero components, as bits 1u << KS_LIMIT_... */
double ksiWholeTorque(const ksWrench *direction, double length, bool isSingle);
unsigned ksiOpenComponents(const ksWrench *direction, double whole);

/* The unique part of the wrench in a view. */
typedef struct ksiUnique {
    unsigned components;              /* bits 1u << KS_LIMIT_... */
    int count;                        /* number of free directions */
    double force[6][3], torque[6][3]; /* the free directions in the view; torques are divided by
                                         ksiWholeTorque */
} ksiUnique;

void ksiFindUnique(const ksReaction *reaction, const ksiWrenchFrame *view, bool isSingle, ksiUnique *unique);

/* The size of the unique part of a force (torque) with these free directions; false: they span
 * space. */
bool ksiUniqueSize(const double direction[6][3], int count, const double v[3], double *size);

#endif

/* step_view.h  The step for phases and queries: const structs of all phases, and their getters. */
#ifndef KSI_INSPECTOR_STEP_VIEW_H
#define KSI_INSPECTOR_STEP_VIEW_H

#include "../base/vectorise.h"
#include "arrays.h"
#include "publish/mean.h"
#include "state.h"

#include <math.h>

typedef struct ksiStep {
    ksiEngine engine;      /* the world */
    const ksiEngine *seen; /* what phases read: the world, or its images */
    ksInspectorOptions options;
    ksAllocator allocator;
    ksStepper stepper;
    bool isExact;   /* the library solves it, as dWorldStep would, before the engine makes it */
    bool isForeign; /* another engine made it */
    bool isSingle;  /* numbers of its bodies have single precision */
    double h, previousH;
    int sweeps;           /* of QuickStep */
    bool isPool;          /* ... on more than one thread */
    double compliance[2]; /* of joints without their own: ksInspectorSetCompliance */
    unsigned long number;
    double time;
    size_t bodyCount, jointCount;
    bool anyReset; /* ksiMotion::anyReset */
    const ksiInput *input;
    const ksiIslands *islands;
    const struct ksiLane *lane;
    const struct ksiMemory *memory; /* of the last step */
    const ksiMeans *means;
#define KSI_SEE(type, place, name) const type *name;
#define KSI_DO_NOT_SEE(place)
    KSI_BODY_ARRAYS(KSI_SEE, KSI_DO_NOT_SEE)
    KSI_JOINT_ARRAYS(KSI_SEE, KSI_DO_NOT_SEE, KSI_SEE)
#undef KSI_SEE
#undef KSI_DO_NOT_SEE
} ksiStep;

/* The index of a body or joint, or -1. Lists are mostly walked in the order of the array, so the
 * expected place is tried first. */
static inline int ksiBodyAt(const ksiInput *input, dBodyID id, size_t expected)
{
    if (expected < input->bodyCount && input->body[expected].begin.id == id)
        return (int)expected;
    return ksiPointersFind(&input->bodyIndex, id);
}

static inline int ksiJointAt(const ksiInput *input, dJointID id, size_t expected)
{
    if (expected < input->jointCount && input->joint[expected].id == id)
        return (int)expected;
    return ksiPointersFind(&input->jointIndex, id);
}

/* at the start of the step; NULL for the world */
static inline const ksiBody *ksiBodyOfJoint(const ksiStep *step, int joint, int side)
{
    const int body = step->joint[joint].bodyIndex[side];
    return body < 0 ? NULL : &step->body[body].begin;
}

/* A key of two bodies, in either order, for ksiPointers. */
static inline const void *ksiPairKey(const ksiStep *step, const int body[2])
{
    const int a = body[0], b = body[1];
    const uintptr_t low = (uintptr_t)((a < b ? a : b) + 1), high = (uintptr_t)((a < b ? b : a) + 1);
    return (const void *)(high * (step->bodyCount + 1) + low);
}

/* Rounding of a joint's rows that are differences of points in the world; relative to their sizes
 * in the mass metric. */
static inline double ksiRowRounding(const ksiStep *step, int joint)
{
    const ksiRows *rows = &step->joint[joint].rows;
    double most = 0;
    if (rows->leverRounding == 0 && rows->turnRounding == 0)
        return 0;
    for (int side = 0; side < 2; side++) {
        const ksiBody *body = ksiBodyOfJoint(step, joint, side);
        if (body && !body->kinematic)
            most = fmax(most, body->mass * (body->inverse[0] + body->inverse[4] + body->inverse[8]));
    }
    return rows->turnRounding + rows->leverRounding * sqrt(most);
}

/* Rounding of the part of a joint's report outside its rows, relative to the load: a rounded torque
 * has a part about the axis of least inertia. The engine of a recording may have rounded its rows
 * in another way than this engine. If rows are dependent to single precision, the engine's
 * treatment of their difference is unknown. */
static inline double ksiRestTolerance(const ksiStep *step, int joint)
{
    static const double units = 4; /* of rounding: a torque is a sum of few terms */
    const double rounded = KSI_IS_SINGLE ? 0 : ksiRowRounding(step, joint);
    double condition = 0;
    if (step->isSingle && step->report[joint].rank < step->joint[joint].rows.count)
        return INFINITY;
    for (int side = 0; side < 2; side++) {
        const ksiBody *body = ksiBodyOfJoint(step, joint, side);
        if (body && !body->kinematic)
            condition = fmax(condition, body->condition);
    }
    return step->options.momentumTolerance + rounded + units * ksiEpsilon(step->isSingle) * sqrt(condition);
}

/* A body's velocity in the mechanism. */
static inline const double *ksiVelocityOf(const ksiBodyInput *body)
{
    return body->isSlowed || body->driven ? body->moving : body->begin.velocity;
}

/* Indices of a joint's bodies in the system of its island; -1: none with a mass. */
static inline void ksiBlocksOf(const ksiStep *step, int joint, int block[2])
{
    for (int side = 0; side < 2; side++) {
        const int link = step->member[joint].link[side];
        block[side] = link < 0 ? -1 : step->bodyMember[link].block;
    }
}

static inline int ksiIslandJoint(const ksiStep *step, const ksiIsland *island, int i)
{
    return step->islands->jointOf[island->firstJoint + i];
}

static inline int ksiIslandBody(const ksiStep *step, const ksiIsland *island, int i)
{
    return step->islands->bodyOf[island->firstBody + i];
}

/* KSI_EACH_JOINT: loops over the joints of an island; i: index of the joint in the island.
 * KSI_EACH_ROW: over the rows of these joints. KSI_EACH_SOLVED_ROW: over the rows of these joints
 * that are in the island's system; at: index of the row in the system. */
#define KSI_EACH_JOINT(step, island, i, index)                                                                         \
    for (int i = 0, index = -1; i < (island)->jointCount && ((index) = ksiIslandJoint(step, island, i), true); i++)

#define KSI_EACH_ROW(step, island, i, index, l)                                                                        \
    KSI_EACH_JOINT (step, island, i, index)                                                                            \
        for (int l = 0; l < (step)->joint[index].rows.count; l++)

#define KSI_EACH_SOLVED_ROW(step, island, index, l, at)                                                                \
    KSI_EACH_ROW (step, island, index##Place, index, l)                                                                \
        for (int at = (step)->layout[index].row[l], at##Once = at >= 0; at##Once; at##Once = 0)

/* Loops over the bodies of an island. */
#define KSI_EACH_ISLAND_BODY(step, island, i, index)                                                                   \
    for (int i = 0, index = -1; i < (island)->bodyCount && ((index) = ksiIslandBody(step, island, i), true); i++)

/* Loops over the sides of a joint with a body, given the indices of the bodies; -1: none. */
#define KSI_EACH_BODY(index, side, body)                                                                               \
    for (int side = 0; side < 2; side++)                                                                               \
        for (int body = (index)[side], body##Once = body >= 0; body##Once; body##Once = 0)

/* The elements of a vector of the system for these rows; 0 for rows that are not in the system. */
static inline void ksiTakeRows(int count, const int *row, const double *vector, double *out)
{
    for (int l = 0; l < count; l++)
        out[l] = row[l] < 0 ? 0 : vector[row[l]];
}

/* Was a body of the joint stopped before the step? */
static inline bool ksiWasReset(const ksiStep *step, int joint)
{
    bool any = false;
    for (int side = 0; step->anyReset && side < 2; side++) {
        const int body = step->joint[joint].bodyIndex[side];
        any |= body >= 0 && step->motion[body].reasons & KS_REASON_RESET;
    }
    return any;
}

/* Was a body of the joint stopped before the step, from more than a negligible speed? Then its
 * motion differs from the motion that was read, and from the motion after the last step. */
static inline bool ksiWasHalted(const ksiStep *step, int joint)
{
    bool any = false;
    for (int side = 0; step->anyReset && side < 2; side++) {
        const int body = step->joint[joint].bodyIndex[side];
        any |= body >= 0 && step->motion[body].reasons & KS_REASON_RESET && step->motion[body].wasMoving;
    }
    return any;
}

static inline bool ksiRowHasBounds(const ksiRow *row)
{
    return row->findex >= 0 || row->lo != -INFINITY || row->hi != INFINITY;
}

/* The acceleration that brings the row to its target in this step. */
static inline double ksiToTarget(const ksiStep *step, const ksiJointInput *joint, int l)
{
    return (joint->target[l] - joint->moving[l]) / step->h;
}

/* Largest size of those forces on a body that do not depend on multipliers. */
static inline double ksiLargestForce(const ksiStep *step, int body)
{
    return ksiLarger(step->bodyMember[body].largestContact, step->motion[body].applied);
}

/* Are the multipliers of the joint unique in any case? They are if one side of the joint has no
 * other connection that could balance a self-stress. */
static inline bool ksiIsAlwaysUnique(const ksiStep *step, int joint)
{
    return step->member[joint].isBridge && step->report[joint].rank == step->joint[joint].rows.count;
}

/* The free wrenches of a joint: in physical values if these have more free wrenches than converged
 * values. */
static inline const ksiJointFree *ksiFreeOf(const ksiStep *step, int joint)
{
    const int island = step->member[joint].island;
    return island >= 0 && step->islandPhysicalFree[island].isKnown ? &step->physicalFree[joint] : &step->free[joint];
}

static inline const ksiIslandFree *ksiIslandFreeOf(const ksiStep *step, size_t island)
{
    return step->islandPhysicalFree[island].isKnown ? &step->islandPhysicalFree[island] : &step->islandFree[island];
}

static inline bool ksiHasConverged(const ksiStep *step, int joint)
{
    return step->joint[joint].isLoad ? step->contact[joint].isJudged : step->converged[joint].isKnown;
}

static inline bool ksiHasPhysical(const ksiStep *step, int joint)
{
    if (step->joint[joint].isLoad)
        return step->report[joint].isFinite && step->options.values & KS_COMPUTE_PHYSICAL;
    return step->physical[joint].isKnown;
}

/* f of the step equations: the engine's applied forces, and known loads */
static inline void ksiForceOnBody(const ksiStep *step, int body, double force[6])
{
    for (int k = 0; k < 6; k++)
        force[k] = step->body[body].begin.force[k] + step->bodyReport[body].loads[k];
}

/* beta = (c - J v)/h of the discrete rows, rate = J v */
static inline void ksiRightHandSides(const ksiStep *step, int index, const double rate[KSI_MAX_ROWS],
                                     double beta[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    const double perStep = 1 / step->h;
    for (int l = 0; l < joint->rows.count; l++)
        beta[l] = (joint->rows.row[l].c - rate[l]) * perStep;
}

/* Do physical values need the bias acceleration of a row? */
static inline bool ksiNeedsBias(const ksiStep *step, int joint, int l, const ksiPlaces *places)
{
    return places->place[l] == KS_INSIDE && step->joint[joint].rows.row[l].cfm <= step->options.rigidCfm;
}

/* The rows of a joint for which physical values need the bias acceleration: bits. */
static inline unsigned ksiBiasedRows(const ksiStep *step, int joint, const ksiPlaces *places)
{
    const ksiRows *rows = &step->joint[joint].rows;
    // all rows of a plain joint are inside
    if (rows->plain && rows->mostCompliant <= step->options.rigidCfm)
        return (1u << rows->count) - 1;
    unsigned biased = 0;
    for (int l = 0; l < rows->count; l++)
        biased |= (unsigned)ksiNeedsBias(step, joint, l, places) << l;
    return biased;
}

static inline bool ksiIsAlarming(const ksiStep *step, ksVerdict verdict)
{
    return step->options.alertMask >> verdict & 1u;
}

/* Why an island with valid equations was not factorised. */
#define KSI_NOT_FACTORISED (KS_REASON_BUDGET | KS_REASON_BOUND | KS_REASON_FRICTION)

/* --- Longer functions, in the files named --- */

ksReasons ksiObstacles(const ksiStep *step, int joint); /* island.c: reasons against solving its
                                                           island */

/* bias.c: the stepper's gyroscopic torque minus the mechanism's, -w x I w, of a body in gyroscopic
 * mode; false: the difference is 0 or rounding */
bool ksiGyroscopicChange(const ksiStep *step, int body, const double w[3], double change[3]);
/* bias.c: f with -w x I w in place of the stepper's gyroscopic torque */
void ksiMechanismForce(const ksiStep *step, int body, const double inertia[9], const double w[3], double force[6]);

/* contacts.c. ksiLoadAround: the largest force on a contact and on its bodies, which is the scale
 * of the contact's own force. ksiListContacts: lists the contacts whose forces enter a value of an
 * island, and returns their number. */
double ksiLoadAround(const ksiStep *step, int joint);
size_t ksiListContacts(const ksiStep *step, int island, ksValue value, dJointID *list);

/* The effect of rounded poses on c in single precision, as an error of the forces in the mass
 * metric, for an ERP of 1: gaps are differences of positions in the world. 0 in double
 * precision. */
static inline double ksiGapRounding(const ksiStep *step, const ksiIsland *island)
{
    double square = 0;
    if (!step->isSingle)
        return 0;
    KSI_EACH_ISLAND_BODY (step, island, i, body)
        square += step->motion[body].poseRounding * step->motion[body].poseRounding;
    return sqrt(square);
}

/* The effect of rounded poses on physical values, which contain the gaps of soft rows only. A
 * spring or a stop has an ERP of its own, up to 1. */
static inline double ksiSoftError(const ksiStep *step, const ksiIsland *island)
{
    bool isSoft = false;
    if (!step->isSingle)
        return 0;
    KSI_EACH_JOINT (step, island, i, joint)
        isSoft |= step->joint[joint].soft != KSI_NOT_SOFT;
    return isSoft ? ksiGapRounding(step, island) : 0;
}

#endif

/* phases.h  The phases of step.c that need no solver, and what all phases share. A phase reads ksiStep and writes its own structs. */
#ifndef KSI_PHASES_H
#define KSI_PHASES_H

#include "../base/vectorise.h"
#include "state.h"

#include <math.h>

/* --- Reading the step --- */

/* The index of a body or joint, or -1. Lists are mostly walked in the order of the array: then it is where it is expected. */
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

static inline int ksiIslandJoint(const ksiStep *step, const ksiIsland *island, int i)
{
    return step->islands->jointOf[island->firstJoint + i];
}

static inline int ksiIslandBody(const ksiStep *step, const ksiIsland *island, int i)
{
    return step->islands->bodyOf[island->firstBody + i];
}

/* while islands are those of the last step */
static inline bool ksiIsInTree(const ksiStep *step, int joint)
{
    const int island = step->islands->isKnown ? step->member[joint].island : -1;
    return island >= 0 && step->island[island].isTree;
}

/* One of its bodies was stopped before the step. */
static inline bool ksiWasReset(const ksiStep *step, int joint)
{
    bool any = false;
    for (int side = 0; step->anyReset && side < 2; side++) {
        const int body = step->joint[joint].bodyIndex[side];
        any |= body >= 0 && step->motion[body].reasons & KS_REASON_RESET;
    }
    return any;
}

static inline bool ksiRowHasBounds(const ksiRow *row)
{
    return row->findex >= 0 || row->lo != -INFINITY || row->hi != INFINITY;
}

/* The velocity that a row is to follow, where that is not an error to be corrected. */
static inline double ksiRowTarget(const ksiJointInput *joint, int l)
{
    return joint->rows.row[l].kind == KS_ROW_MOTOR ? joint->rows.row[l].c : 0;
}

/* Largest size of a force that acts on a body and does not depend on multipliers. */
static inline double ksiLargestForce(const ksiStep *step, int body)
{
    return ksiLarger(step->bodyMember[body].largestContact, step->motion[body].applied);
}

/* What is free of a joint: in physical values where these have found more than converged ones. */
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

/* f of the step equations: what the engine applies, and known loads */
static inline void ksiForceOnBody(const ksiStep *step, int body, double force[6])
{
    for (int k = 0; k < 6; k++)
        force[k] = step->body[body].begin.force[k] + step->bodyReport[body].loads[k];
}

/* beta = (c - J v)/h of the discrete rows */
static inline void ksiRightHandSides(const ksiStep *step, int index, double beta[KSI_MAX_ROWS])
{
    const ksiJointInput *joint = &step->joint[index];
    const double perStep = 1 / step->h;
    for (int l = 0; l < joint->rows.count; l++)
        beta[l] = (joint->rows.row[l].c - joint->rate[l]) * perStep;
}

/* Do physical values need the bias acceleration of a row? */
static inline bool ksiNeedsBias(const ksiStep *step, int joint, int l, const ksiPlaces *places)
{
    return places->place[l] == KS_INSIDE && step->joint[joint].rows.row[l].cfm <= step->options.rigidCfm;
}

static inline bool ksiIsAlarming(const ksiStep *step, ksVerdict verdict)
{
    return step->options.alertMask >> verdict & 1u;
}

/* Why an island whose rows make equations was not factorised. */
#define KSI_NOT_FACTORISED (KS_REASON_BUDGET | KS_REASON_BOUND | KS_REASON_FRICTION)

/* --- size.c: wrenches and rows in the mass metric; a body that no force moves has zeros there --- */

extern const ksiRigidRoot ksiFixedRoot;
static inline const ksiRigidRoot *ksiMassRoot(const ksiBodyInput *body)
{
    return body->dynamic ? &body->begin.root : &ksiFixedRoot;
}

void ksiScaleWrench(const ksiBodyInput *body, const double wrench[6], double scaled[6]);
void ksiScaleRows(const ksiBodyInput *bodies, ksiJointInput *joint); /* and J v at the start */
double ksiSize(const double *x, int n);
/* the engine's reaction against the one of these multipliers: whole, and without its free part */
void ksiFindDeviation(const ksiStep *step, int joint, const ksiJointFree *free, const double *multiplier,
                      ksiDeviation *whole, ksiDeviation *determined);
/* size of a wrench without its free part */
double ksiDeterminedSize(const ksiStep *step, int joint, const ksiJointFree *free, const double *multiplier);
void ksiScaledReaction(const ksiJointInput *joint, const double *multiplier, double scaled[12]);

/* --- places.c: where rows lie between their bounds --- */

/* A multiplier this close to a bound is at it; N or N.m. multiplier: [count] of a joint */
double ksiBoundMargin(int count, const double *multiplier, double bound);
ksRowPlace ksiPlaceBetween(int count, const double *multiplier, int l, double low, double high);
/* mu times a normal force; the bounds of any row, friction by the reported normal force */
void ksiSetFrictionBound(const ksiStep *step, const ksiRow *row, double normal, double *low, double *high);
void ksiSetReportedBounds(const ksiStep *step, size_t joint, int l, ksiPlaces *places);
double ksiBoundInForce(const ksiPlaces *places, int l, ksRowPlace place);
unsigned ksiRowsInside(const ksiPlaces *places, int count); /* bits */

/* --- 1. read.c --- */

/* The engine stops an idle body before the step if its island stays awake; the motion shows it. Then the body and the rows on it
 * are as they were when the step began in earnest. */
void ksiReviseInput(const ksiStep *step, ksiInput *input);

/* --- memory.c, for phase 1 --- */

/* Has the body jumped since the end of the last step, or is it driven? last: NULL if there is none. */
void ksiCompareBody(const ksiStep *step, const ksiBodyEnd *last, ksiBodyInput *body);

/* Keeps what this step needs of the last one, before the arrays are written over: bodies; then room for joints, and each of
 * these in order. */
KS_MUST_USE ksStatus ksiRememberBodies(const ksiStep *step, ksiMemory *memory);
KS_MUST_USE ksStatus ksiReserveHistory(const ksiStep *step, ksiMemory *memory);
ksiJointPast ksiRememberJoint(const ksiStep *step, size_t joint, ksiMemory *memory);

/* The joint's rows in the last step, if they go on; or NULL. */
const ksiHistory *ksiPredecessor(const ksiStep *step, const ksiJointInput *joint);

/* --- 2. report.c, once the host has its feedback back --- */

void ksiReadReport(const ksiStep *step, ksiReport *out);

/* --- feedback.c --- */

/* Gives the host its feedback pointer back, of one joint or of all, with the numbers that the engine wrote. Finds whether the
 * joint is still the same. */
void ksiTakeFeedbackOff(const ksiStep *step, size_t joint, dJointID id, ksiJointReport *report);
void ksiGiveFeedbackBack(const ksiStep *step, ksiReport *out);

/* The bracket of another inspector, begun within this one, is still open. */
bool ksiIsCovered(const ksiStep *step);

/* Which joints of the step are still in the world: [joints] */
void ksiFindAlive(const ksiStep *step, bool *isAlive);

/* --- 3. motion.c --- */

void ksiReadMotion(const ksiStep *step, ksiMotion *out);
void ksiStopBody(ksiBody *begin); /* as the engine does with an idle one */

/* --- 4. island.c --- */

void ksiFindIslands(const ksiStep *step, int *parent, ksiIslands *out);
unsigned ksiObstacles(const ksiStep *step, int joint); /* to solving it: reasons */

/* --- bias.c, before 5. to 8., which are in solver.h --- */

/* -(dJ/dt) v of the rows of an island, with the acceleration of targets and kinematic bodies */
void ksiFindBias(const ksiStep *step, int island, ksiJointAcceleration *out);

/* f with -w x I w in place of the stepper's gyroscopic torque */
void ksiMechanismForce(const ksiStep *step, int body, const double inertia[9], const double w[3], double force[6]);

/* Nothing is known yet. */
void ksiClearConverged(const ksiStep *step, ksiConverged *out);
void ksiClearPhysical(const ksiStep *step, ksiPhysical *out);

/* --- contacts.c, contact_redundancy.c: contacts that are known loads --- */

void ksiJudgeContacts(const ksiStep *step, ksiContacts *out);

/* Sets KS_REASON_REDUNDANT of contacts that were not factorised. */
KS_MUST_USE ksStatus ksiFindContactRedundancy(const ksiStep *step, ksiContacts *out);

/* Contacts whose forces enter a value of an island; returns their number. */
size_t ksiListContacts(const ksiStep *step, int island, ksValue value, dJointID *list);

/* The largest force on a contact and on its bodies: its own force is compared with that. */
double ksiLoadAround(const ksiStep *step, int joint);

/* --- 9. verdict.c --- */

void ksiJudge(const ksiStep *step, ksiVerdicts *out);

#endif

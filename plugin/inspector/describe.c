/* describe.c  What is published of a joint and its rows, written out where somebody asks for it: most hosts want to hear of
 * what goes wrong, and of few joints beside.
 *
 * A row's work on the bodies that move freely, h lambda J (v + v*) / 2, has four causes, since J v* = c - cfm lambda + r:
 *
 *     h lambda c  -  h cfm lambda^2  +  h lambda r  -  h lambda J (v* - v) / 2
 *
 * The motion of a kinematic partner belongs to the target c. In the continuum an ideal row at rest does no work (Banach X,
 * section 5); a discrete one does, by the last term. */
#include "inspector_private.h"

#include "../base/vectorise.h"
#include "wrench.h"

#include <math.h>
#include <string.h>

/* Velocities of both bodies, as a row has its numbers: of those that move freely, or of any others. */
typedef struct Motion {
    ksiFour after[3], driven[3];
    bool anyDriven;
} Motion;

KSI_INLINE double rowDot(const ksiJointState *joint, int l, const ksiFour both[3])
{
    return ksiDotTwelve(joint->rows.row[l].jacobian[0], (const double *)both);
}

/* v* of the bodies that move freely, and v at the start of the others. */
KSI_INLINE void findMotion(const ksInspector *inspector, const ksiJointState *joint, Motion *motion)
{
    static const double rest[6];
    const double *after[2] = {rest, rest}, *driven[2] = {rest, rest};
    motion->anyDriven = false;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        if (body->moved && body->dynamic) {
            after[side] = body->solved;
        } else {
            driven[side] = body->begin.velocity;
            motion->anyDriven = true;
        }
    }
    ksiJoinSixes(after, motion->after);
    ksiJoinSixes(driven, motion->driven);
}

/* h lambda times the mean of J v before and after, of the bodies that move freely */
KSI_INLINE double workOf(const ksiJointState *joint, int l, double h, double after, double driven)
{
    return 0.5 * (h * joint->multiplier[l]) * (joint->rate[l] - driven + after);
}

KSI_CLONES
double ksiFindWork(const ksInspector *inspector, const ksiJointState *joint)
{
    Motion motion;
    double work = 0;
    if (!joint->solved)
        return 0;
    findMotion(inspector, joint, &motion);
    for (int l = 0; l < joint->rows.count; l++) {
        const double after = rowDot(joint, l, motion.after);
        const double driven = motion.anyDriven ? rowDot(joint, l, motion.driven) : 0;
        work += workOf(joint, l, inspector->h, after, driven);
    }
    return work;
}

/* Its work, by causes too. */
KSI_INLINE void describeMotion(const ksiJointState *joint, int l, double h, double after, double driven, ksRow *row)
{
    const double lambda = joint->multiplier[l], impulse = h * lambda, yielding = row->cfm * lambda;
    const double before = joint->rate[l] - driven, residual = after + driven + yielding - row->c;
    row->residual = residual;
    row->work = workOf(joint, l, h, after, driven);
    *(ksiFour *)row->workPart = impulse * (ksiFour){row->c - driven, -yielding, residual, 0.5 * (before - after)};
}

_Static_assert(KS_WORK_TARGET == 0 && KS_WORK_COMPLIANCE == 1 && KS_WORK_RESIDUAL == 2 && KS_WORK_DISCRETISATION == 3 &&
                   KS_WORK_COUNT == 4,
               "causes in this order");

/* What is not known has no number. */
KSI_INLINE void describeValues(const ksInspector *inspector, ksiJointState *joint)
{
    static const double none[KSI_MAX_ROWS] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const bool determined = joint->island >= 0 && inspector->island[joint->island].determined;
    const double *engine = joint->rank == joint->rows.count ? joint->multiplier : none;
    const double *gauss = !joint->hasConverged ? none : joint->isLoad ? engine : joint->gauss;
    const double *paulus = !joint->hasConverged ? none : joint->isLoad ? engine : joint->converged;
    const double *bar = !joint->hasConverged || joint->isLoad ? none : joint->bar;
    const double *physicalBar = !joint->hasPhysical || joint->isLoad ? none : joint->physicalBar;
    const double *physical = !joint->hasPhysical ? none : joint->isLoad ? engine : joint->physical;
    for (int l = 0; l < joint->rows.count; l++) {
        ksRow *row = &joint->rows.row[l];
        row->engine = engine[l];
        row->gauss = gauss[l];
        row->paulus = paulus[l];
        row->physical = physical[l];
        row->errorBar = bar[l];
        row->physicalBar = physicalBar[l];
    }
    unsigned determinate = ~joint->undetermined;
    for (int l = 0; determined && l < joint->rows.count; l++, determinate >>= 1)
        joint->rows.row[l].determinate = determinate & 1u;
}

/* Returns their work. */
KSI_INLINE double describeRows(const ksInspector *inspector, ksiJointState *joint)
{
    Motion motion;
    double work = 0;
    findMotion(inspector, joint, &motion);
    for (int l = 0; l < joint->rows.count; l++) {
        ksRow *row = &joint->rows.row[l];
        const double driven = motion.anyDriven ? rowDot(joint, l, motion.driven) : 0;
        describeMotion(joint, l, inspector->h, rowDot(joint, l, motion.after), driven, row);
        work += row->work;
    }
    describeValues(inspector, joint);
    return work;
}

static const ksWrench unknown = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

/* J^T lambda on both bodies; the world has no mass centre */
KSI_CLONES
static void reactionOf(const ksiJointState *joint, const double *multiplier, ksWrench wrench[2])
{
    enum { STRIDE = sizeof(ksRow) / sizeof(double) };
    ksiSumTwelve(joint->rows.count, multiplier, joint->rows.row[0].jacobian[0], STRIDE, (ksiFour *)wrench);
    if (!joint->body[1])
        wrench[1] = unknown;
}

KSI_INLINE void describeSide(const ksInspector *inspector, const ksiJointState *joint, int side, ksReaction *reaction)
{
    reaction->body[side] = joint->body[side];
    reaction->netError[side] = NAN;
    if (joint->bodyIndex[side] < 0) {
        memset(reaction->centre[side], 0, sizeof reaction->centre[side]);
        memset(reaction->rotation[side], 0, sizeof reaction->rotation[side]);
        return;
    }
    const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
    if (body->netError >= 0)
        reaction->netError[side] = body->netEstimate;
    memcpy(reaction->centre[side], body->begin.centre, sizeof body->begin.centre);
    memcpy(reaction->rotation[side], body->begin.rotation, sizeof body->begin.rotation);
}

KSI_INLINE void fillValue(const ksiJointState *joint, bool known, const double *multiplier, const ksWrench engine[2],
                          ksWrench wrench[2])
{
    if (!known)
        wrench[0] = wrench[1] = unknown;
    else if (joint->isLoad)
        memcpy(wrench, engine, 2 * sizeof *wrench);
    else
        reactionOf(joint, multiplier, wrench);
}

KSI_INLINE void fillWrenches(const ksiJointState *joint, ksReaction *reaction)
{
    for (int side = 0; side < 2; side++) {
        if (joint->solved && joint->bodyIndex[side] >= 0) {
            const dJointFeedback *from = &joint->feedback;
            memcpy(reaction->engine[side].force, side ? from->f2 : from->f1, 3 * sizeof(dReal));
            memcpy(reaction->engine[side].torque, side ? from->t2 : from->t1, 3 * sizeof(dReal));
        } else {
            reaction->engine[side] = unknown;
        }
    }
    fillValue(joint, joint->hasConverged, joint->converged, reaction->engine, reaction->converged);
    fillValue(joint, joint->hasPhysical, joint->physical, reaction->engine, reaction->physical);
    for (int side = 0; joint->hasPhysical && joint->isPlaced && side < 2; side++)
        reaction->physical[side] = joint->body[side] ? joint->placed[side] : unknown;
}

/* J^T n on the first body. */
KSI_INLINE void freeDirection(const ksiJointState *joint, const double *n, ksWrench *direction)
{
    ksiFour four = {0};
    ksiTwo two = {0};
    for (int l = 0; l < joint->rows.count; l++) {
        const double *row = joint->rows.row[l].jacobian[0];
        four += n[l] * *(const ksiFour *)row;
        two += n[l] * *(const ksiTwo *)(row + 4);
    }
    const ksiFour four2 = four * four;
    const ksiTwo two2 = two * two;
    const double perUnit = ksiPerUnit(four2[0] + four2[1] + four2[2], four2[3] + two2[0] + two2[1]);
    *(ksiFour *)direction->force = perUnit * four;
    *(ksiTwo *)(direction->torque + 1) = perUnit * two;
}

/* Those that the last reaction in this place leaves free are cleared. */
KSI_CLONES
static void fillFree(const ksInspector *inspector, const ksiJointState *joint, ksReaction *reaction)
{
    for (int f = 0; f < joint->freeCount; f++)
        freeDirection(joint, inspector->freeWrench[joint->firstFree + f].multiplier, &reaction->freeDirection[f]);
    for (int f = joint->freeCount; f < reaction->freeCount; f++)
        reaction->freeDirection[f] = (ksWrench){{0}, {0}};
    reaction->freeCount = joint->freeCount;
}

/* Where the joint need not be asked, which may be gone, and is not before the step. */
static void describeFrame(const ksInspector *inspector, const ksiJointState *joint, ksReaction *reaction)
{
    if (!joint->read) {
        memset(reaction->axes, 0, sizeof reaction->axes);
        memset(reaction->anchor, 0, sizeof reaction->anchor);
    } else if (!joint->framed) {
        ksiJointFrame(NULL, ksiBodyOfJoint(inspector, joint, 0), ksiBodyOfJoint(inspector, joint, 1), &joint->rows,
                      reaction->axes, reaction->anchor);
    }
}

/* Writes every field but the frame and those that are zero from the start. */
KSI_CLONES
static void describe(const ksInspector *inspector, ksiJointState *joint, ksReaction *reaction)
{
    const double work = joint->read ? describeRows(inspector, joint) : 0;
    reaction->joint = joint->id;
    reaction->type = joint->type;
    reaction->reversed = joint->reversed;
    reaction->step = inspector->report.step;
    reaction->time = inspector->report.time;
    reaction->verdict = joint->verdict;
    reaction->reasons = joint->reasons;
    reaction->rowCount = joint->rows.count;
    reaction->row = joint->read ? joint->rows.row : NULL;
    reaction->work = joint->solved ? work : 0;
    reaction->error = joint->error;
    reaction->errorBar = joint->errorBar;
    reaction->physicalSource = joint->hasPhysical ? joint->physicalSource : KS_FROM_NOWHERE;
    reaction->physicalError = joint->physicalError;
    reaction->physicalErrorBar = joint->physicalErrorBar;
    fillWrenches(joint, reaction);
    if (joint->freeCount || reaction->freeCount)
        fillFree(inspector, joint, reaction);
    for (int side = 0; side < 2; side++)
        describeSide(inspector, joint, side, reaction);
}

const ksReaction *ksiReactionOf(const ksInspector *inspector, size_t index)
{
    ksiJointState *joint = &inspector->joint[index];
    if (!joint->described) {
        describe(inspector, joint, &inspector->reaction[index]);
        describeFrame(inspector, joint, &inspector->reaction[index]);
    }
    joint->described = true;
    return &inspector->reaction[index];
}

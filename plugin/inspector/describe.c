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

#include "../vectorise.h"
#include "wrench.h"

#include <math.h>
#include <string.h>

/* The velocities of both bodies: of those that move freely, or of any others. */
typedef struct Motion {
    const double *before[2], *after[2], *driven[2];
    bool anyDriven;
} Motion;

KSI_INLINE Motion motionOf(const ksInspector *inspector, const ksiJointState *joint)
{
    static const double rest[6];
    Motion motion = {{rest, rest}, {rest, rest}, {rest, rest}, false};
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        if (body->moved && body->dynamic) {
            motion.before[side] = body->begin.velocity;
            motion.after[side] = body->solved;
        } else {
            motion.driven[side] = body->begin.velocity;
            motion.anyDriven = true;
        }
    }
    return motion;
}

KSI_CLONES
void ksiFindRates(const ksInspector *inspector, ksiJointState *joint)
{
    const Motion motion = motionOf(inspector, joint);
    for (int l = 0; l < joint->rows.count; l++) {
        const double(*jacobian)[6] = joint->rows.row[l].jacobian;
        joint->rate[l] = ksiDotSixes(jacobian, motion.before);
        joint->rate[l] += motion.anyDriven ? ksiDotSixes(jacobian, motion.driven) : 0;
    }
}

/* J v* of the bodies that move freely, and J v at the start of the others. */
KSI_CLONES
static void findMotion(const ksInspector *inspector, const ksiJointState *joint, double after[KSI_MAX_ROWS],
                       double driven[KSI_MAX_ROWS])
{
    const Motion motion = motionOf(inspector, joint);
    for (int l = 0; l < joint->rows.count; l++) {
        const double(*jacobian)[6] = joint->rows.row[l].jacobian;
        after[l] = ksiDotSixes(jacobian, motion.after);
        driven[l] = motion.anyDriven ? ksiDotSixes(jacobian, motion.driven) : 0;
    }
}

double ksiFindWork(const ksInspector *inspector, const ksiJointState *joint)
{
    double after[KSI_MAX_ROWS], driven[KSI_MAX_ROWS], work = 0;
    if (!joint->solved)
        return 0;
    findMotion(inspector, joint, after, driven);
    for (int l = 0; l < joint->rows.count; l++)
        work += 0.5 * (inspector->h * joint->multiplier[l]) * (joint->rate[l] - driven[l] + after[l]);
    return work;
}

static void describeRow(const ksiJointState *joint, int l, double h, double after, double driven, ksRow *row)
{
    const double c = row->c, cfm = row->cfm, lambda = joint->multiplier[l], impulse = h * lambda;
    const double before = joint->rate[l] - driven, residual = after + driven + cfm * lambda - c;
    row->engine = joint->rank == joint->rows.count ? lambda : NAN;
    row->residual = residual;
    row->work = 0.5 * impulse * (before + after);
    row->workPart[KS_WORK_TARGET] = impulse * (c - driven);
    row->workPart[KS_WORK_COMPLIANCE] = -impulse * cfm * lambda;
    row->workPart[KS_WORK_RESIDUAL] = impulse * residual;
    row->workPart[KS_WORK_DISCRETISATION] = -0.5 * impulse * (after - before);
    if (joint->rows.plain) {
        row->place = KS_INSIDE;
        row->bound = INFINITY;
    }
}

/* What is not known has no number. Returns their work. */
static double describeRows(const ksInspector *inspector, ksiJointState *joint)
{
    static const double none[KSI_MAX_ROWS] = {NAN, NAN, NAN, NAN, NAN, NAN};
    const bool determined = joint->island >= 0 && inspector->island[joint->island].determined;
    const unsigned determinate = determined ? ~joint->undetermined : 0;
    const double *gauss = joint->hasConverged ? joint->gauss : none;
    const double *paulus = joint->hasConverged ? joint->converged : none;
    const double *bar = joint->hasConverged ? joint->bar : none;
    const double *physical = joint->hasPhysical ? joint->physical : none;
    double after[KSI_MAX_ROWS], driven[KSI_MAX_ROWS], work = 0;
    findMotion(inspector, joint, after, driven);
    for (int l = 0; l < joint->rows.count; l++) {
        ksRow *row = &joint->rows.row[l];
        describeRow(joint, l, inspector->h, after[l], driven[l], row);
        row->determinate = determinate >> l & 1u;
        row->gauss = gauss[l];
        row->paulus = paulus[l];
        row->errorBar = bar[l];
        row->physical = physical[l];
        work += row->work;
    }
    return work;
}

static const ksWrench unknown = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

/* J^T lambda on both bodies; the world has no mass centre */
KSI_CLONES
static void reactionOf(const ksiJointState *joint, const double *multiplier, ksWrench wrench[2])
{
    ksiFour sum[3] = {{0}, {0}, {0}};
    for (int l = 0; l < joint->rows.count; l++)
        ksiAddTwelve(sum, multiplier[l], joint->rows.row[l].jacobian[0]);
    memcpy(wrench, sum, sizeof sum);
    if (!joint->body[1])
        wrench[1] = unknown;
}

static void describeSide(const ksInspector *inspector, const ksiJointState *joint, int side, ksReaction *reaction)
{
    reaction->body[side] = joint->body[side];
    reaction->netErrorEstimate[side] = NAN;
    if (joint->bodyIndex[side] < 0) {
        memset(reaction->centre[side], 0, sizeof reaction->centre[side]);
        memset(reaction->rotation[side], 0, sizeof reaction->rotation[side]);
        return;
    }
    const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
    if (body->island >= 0 && inspector->island[body->island].estimated)
        reaction->netErrorEstimate[side] = ksiNetErrorEstimate(inspector, body);
    memcpy(reaction->centre[side], body->begin.centre, sizeof body->begin.centre);
    memcpy(reaction->rotation[side], body->begin.rotation, sizeof body->begin.rotation);
}

static void fillWrenches(const ksiJointState *joint, ksReaction *reaction)
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
    if (joint->hasConverged)
        reactionOf(joint, joint->converged, reaction->converged);
    else
        reaction->converged[0] = reaction->converged[1] = unknown;
    if (joint->hasPhysical)
        reactionOf(joint, joint->physical, reaction->physical);
    else
        reaction->physical[0] = reaction->physical[1] = unknown;
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

/* Writes every field but those that are zero from the start. */
static void describe(const ksInspector *inspector, ksiJointState *joint, ksReaction *reaction)
{
    static const ksiFrame none;
    const ksiFrame *frame = joint->read ? &joint->frame : &none;
    if (joint->read && !joint->framed)
        ksiJointFrame(NULL, ksiBodyOfJoint(inspector, joint, 0), ksiBodyOfJoint(inspector, joint, 1), &joint->rows,
                      &joint->frame);
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
    fillWrenches(joint, reaction);
    fillFree(inspector, joint, reaction);
    for (int side = 0; side < 2; side++)
        describeSide(inspector, joint, side, reaction);
    memcpy(reaction->axes, frame->axes, sizeof reaction->axes);
    memcpy(reaction->anchor, frame->anchor, sizeof reaction->anchor);
}

const ksReaction *ksiReactionOf(const ksInspector *inspector, size_t index)
{
    ksiJointState *joint = &inspector->joint[index];
    if (!joint->described)
        describe(inspector, joint, &inspector->reaction[index]);
    joint->described = true;
    return &inspector->reaction[index];
}

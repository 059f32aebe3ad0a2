/* wrench_norm.c  Scales wrenches and rows by the masses, and computes norms of wrenches and of their
 * determined parts. Phase 1 uses it to scale each joint's rows.
 *
 * The size of a joint's wrench is
 *
 *     (sum over both bodies f^T f / m + t^T I^-1 t)^(1/2)
 *
 * This is the length of a vector with the 12 numbers of both wrenches, scaled by M^-1/2. The terms
 * of the world and of kinematic bodies are 0. */
#include "wrench_norm.h"
#include "../lanes.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <string.h>

const ksWrench ksiUnknownWrench = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

const ksiRigidRoot ksiFixedRoot;

KSI_CLONES
void ksiReactionWrenches(const ksiJointInput *joint, const double *multiplier, ksWrench wrench[2])
{
    enum { STRIDE = sizeof(ksiRow) / sizeof(double) };
    ksiSumTwelve(joint->rows.count, multiplier, joint->rows.row[0].jacobian[0], STRIDE, (ksiFour *)wrench);
    if (!joint->body[1])
        wrench[1] = ksiUnknownWrench;
}

KSI_CLONES
void ksiScaleWrench(const ksiBodyInput *body, const double wrench[6], double scaled[6])
{
    ksiScaleByRoot(ksiMassRoot(body), wrench, wrench + 3, scaled);
}

/* The velocities of both bodies in the mechanism; false: they equal the engine's velocities. */
static bool joinMoving(const ksiBodyInput *bodies, const ksiJointInput *joint, ksiFour both[3])
{
    static const double rest[6];
    const double *velocity[2] = {rest, rest};
    bool isOther = false;
    KSI_EACH_BODY (joint->bodyIndex, side, at) {
        velocity[side] = ksiVelocityOf(&bodies[at]);
        isOther |= velocity[side] != bodies[at].begin.velocity;
    }
    if (isOther)
        ksiJoinSixes(velocity, both);
    return isOther;
}

KSI_CLONES
void ksiScaleRows(const ksiBodyInput *bodies, ksiJointInput *joint)
{
    static const double rest[6];
    const ksiRigidRoot *root[2] = {&ksiFixedRoot, &ksiFixedRoot};
    const double *velocity[2] = {rest, rest};
    ksiFour both[3], moving[3];
    KSI_EACH_BODY (joint->bodyIndex, side, at) {
        const ksiBodyInput *body = &bodies[at];
        velocity[side] = body->begin.velocity;
        root[side] = ksiMassRoot(body);
    }
    ksiJoinSixes(velocity, both);
    const bool isOther = joinMoving(bodies, joint, moving);
    for (int l = 0; l < joint->rows.count; l++) {
        const double(*row)[6] = joint->rows.row[l].jacobian;
        ksiScaleByRoot(root[0], row[0], row[0] + 3, joint->scaled[l]);
        ksiScaleByRoot(root[1], row[1], row[1] + 3, joint->scaled[l] + 6);
        joint->rate[l] = ksiDotTwelve(row[0], (const double *)both);
        joint->moving[l] = isOther ? ksiDotTwelve(row[0], (const double *)moving) : joint->rate[l];
    }
}

KSI_CLONES
void ksiScaledReaction(const ksiJointInput *joint, const double *multiplier, double scaled[12])
{
    ksiSumTwelve(joint->rows.count, multiplier, joint->scaled[0], 12, (ksiFour *)scaled);
}

KSI_INLINE void keepDetermined(const ksiStep *step, const ksiJointFree *free, ksiFour scaled[3])
{
    const ksiStressShare *share = ksiSharesOf(step, free);
    for (int f = 0; f < free->count; f++, share++)
        ksiAddTwelve(scaled, -ksiDotTwelve(share->scaled, (const double *)scaled), share->scaled);
}

KSI_INLINE double squareOf(const ksiFour x[3])
{
    return ksiDotTwelve((const double *)x, (const double *)x);
}

/* The part of the engine's report outside the joint's rows is perpendicular to them. */
KSI_CLONES
void ksiFindDeviation(const ksiStep *step, int index, const ksiJointFree *free, const double *multiplier,
                      ksiDeviation *whole, ksiDeviation *determined)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointReport *report = &step->report[index];
    const double residue2 = report->residue * report->residue;
    ksiFour sum[3] = {{0}, {0}, {0}}, difference[3] = {{0}, {0}, {0}};
    for (int l = 0; l < joint->rows.count; l++) {
        ksiAddTwelve(sum, multiplier[l], joint->scaled[l]);
        ksiAddTwelve(difference, report->multiplier[l] - multiplier[l], joint->scaled[l]);
    }
    *whole = (ksiDeviation){.size = sqrt(squareOf(sum)), .difference = sqrt(squareOf(difference) + residue2)};
    if (free->count == 0)
        return;
    keepDetermined(step, free, sum);
    keepDetermined(step, free, difference);
    const ksiFour engine[3] = {sum[0] + difference[0], sum[1] + difference[1], sum[2] + difference[2]};
    *determined = (ksiDeviation){.size = sqrt(ksiLarger(squareOf(sum), squareOf(engine) + residue2)),
                                 .difference = sqrt(squareOf(difference) + residue2)};
}

KSI_CLONES
void ksiDeterminedReaction(const ksiStep *step, int index, const ksiJointFree *free, const double *multiplier,
                           double scaled[12])
{
    const ksiJointInput *joint = &step->joint[index];
    ksiFour sum[3] = {{0}, {0}, {0}};
    for (int l = 0; l < joint->rows.count; l++)
        ksiAddTwelve(sum, multiplier[l], joint->scaled[l]);
    keepDetermined(step, free, sum);
    memcpy(scaled, sum, sizeof sum);
}

double ksiDeterminedSize(const ksiStep *step, int index, const ksiJointFree *free, const double *multiplier)
{
    double scaled[12];
    ksiDeterminedReaction(step, index, free, multiplier, scaled);
    return ksiSize(scaled, 12);
}

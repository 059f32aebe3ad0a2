/* measure.c  The size of wrenches, and of what is determined of them.
 *
 * The size of a joint's wrench is (sum over both bodies f^T f / m + t^T I^-1 t)^(1/2): the length of 12 numbers, the
 * wrenches scaled by M^-1/2. The world and kinematic bodies weigh nothing. */
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

const ksiRigidRoot ksiFixedRoot;

KSI_CLONES
void ksiScaleWrench(const ksiBodyState *body, const double wrench[6], double scaled[6])
{
    ksiScaleByRoot(ksiMassRoot(body), wrench, wrench + 3, scaled);
}

KSI_CLONES
void ksiScaleRows(const ksInspector *inspector, ksiJointState *joint)
{
    static const double rest[6];
    const ksiRigidRoot *root[2] = {&ksiFixedRoot, &ksiFixedRoot};
    const double *velocity[2] = {rest, rest};
    ksiFour both[3];
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        velocity[side] = body->begin.velocity;
        root[side] = ksiMassRoot(body);
    }
    ksiJoinSixes(velocity, both);
    for (int l = 0; l < joint->rows.count; l++) {
        const double(*row)[6] = joint->rows.row[l].jacobian;
        ksiScaleByRoot(root[0], row[0], row[0] + 3, joint->scaled[l]);
        ksiScaleByRoot(root[1], row[1], row[1] + 3, joint->scaled[l] + 6);
        joint->rate[l] = ksiDotTwelve(row[0], (const double *)both);
    }
}

double ksiSize(const double *x, int n)
{
    if (n == 12)
        return sqrt(ksiDotTwelve(x, x));
    if (n == 6)
        return sqrt(ksiDotSix(x, x));
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

KSI_CLONES
void ksiScaledReaction(const ksiJointState *joint, const double *multiplier, double scaled[12])
{
    ksiSumTwelve(joint->rows.count, multiplier, joint->scaled[0], 12, (ksiFour *)scaled);
}

KSI_INLINE void keepDetermined(const ksInspector *inspector, const ksiJointState *joint, ksiFour scaled[3])
{
    const ksiStressShare *free = inspector->freeWrench + joint->firstFree;
    for (int f = 0; f < joint->freeCount; f++, free++)
        ksiAddTwelve(scaled, -ksiDotTwelve(free->scaled, (const double *)scaled), free->scaled);
}

KSI_INLINE double squareOf(const ksiFour x[3])
{
    return ksiDotTwelve((const double *)x, (const double *)x);
}

/* What the engine's report has beside the joint's rows is perpendicular to them. */
KSI_CLONES
void ksiFindDeviation(const ksInspector *inspector, const ksiJointState *joint, const double *multiplier,
                      ksiDeviation *whole, ksiDeviation *determined)
{
    const double residue2 = joint->residue * joint->residue;
    ksiFour sum[3] = {{0}, {0}, {0}}, apart[3] = {{0}, {0}, {0}};
    for (int l = 0; l < joint->rows.count; l++) {
        ksiAddTwelve(sum, multiplier[l], joint->scaled[l]);
        ksiAddTwelve(apart, joint->multiplier[l] - multiplier[l], joint->scaled[l]);
    }
    *whole = (ksiDeviation){.size = sqrt(squareOf(sum)), .apart = sqrt(squareOf(apart) + residue2)};
    if (joint->freeCount == 0)
        return;
    keepDetermined(inspector, joint, sum);
    keepDetermined(inspector, joint, apart);
    const ksiFour engine[3] = {sum[0] + apart[0], sum[1] + apart[1], sum[2] + apart[2]};
    *determined = (ksiDeviation){.size = sqrt(ksiLarger(squareOf(sum), squareOf(engine) + residue2)),
                                 .apart = sqrt(squareOf(apart) + residue2)};
}

KSI_CLONES
double ksiDeterminedSize(const ksInspector *inspector, const ksiJointState *joint, const double *multiplier)
{
    ksiFour sum[3] = {{0}, {0}, {0}};
    for (int l = 0; l < joint->rows.count; l++)
        ksiAddTwelve(sum, multiplier[l], joint->scaled[l]);
    keepDetermined(inspector, joint, sum);
    return sqrt(squareOf(sum));
}

/* measure.c  The size of wrenches, and what is undetermined of them.
 *
 * The size of a joint's wrench is (sum over both bodies f^T f / m + t^T I^-1 t)^(1/2): the length of 12 numbers, the
 * wrenches scaled by M^-1/2. The world and kinematic bodies weigh nothing. */
#include "inspector_private.h"

#include "../vectorise.h"

#include <math.h>
#include <string.h>

static const ksiRigidRoot nothing;

KSI_CLONES
void ksiScaleWrench(const ksiBodyState *body, const double wrench[6], double scaled[6])
{
    ksiScaleByRoot(body->dynamic ? &body->begin.root : &nothing, wrench, wrench + 3, scaled);
}

KSI_CLONES
void ksiScaleRows(const ksInspector *inspector, ksiJointState *joint)
{
    static const double rest[6];
    const ksiRigidRoot *root[2] = {&nothing, &nothing};
    const double *velocity[2] = {rest, rest};
    ksiFour both[3];
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &inspector->body[joint->bodyIndex[side]];
        velocity[side] = body->begin.velocity;
        if (body->dynamic)
            root[side] = &body->begin.root;
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
    ksiSumTwelve(joint->rows.count, multiplier, joint->scaled[0], (ksiFour *)scaled);
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

/* What the self-stresses put on one joint, and how many do. Whether a wrench is free has nothing to do with masses: *unit is
 * what one of the mass metric is in the one in which the rank is decided, where each body has mass 1 and its radii of
 * gyration. */
static ksStatus findShares(ksInspector *inspector, const ksiJointState *joint, ksSystem *system, int *count,
                           double *unit)
{
    double kinematic = 0, scaled = 0;
    *count = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        if (joint->systemRow[l] < 0)
            continue;
        int width;
        const double *share = ksiSystemStressShares(system, joint->systemRow[l], &width);
        const double size = ksiSystemRowSize(system, joint->systemRow[l]);
        kinematic += joint->rowSize[l] > 0 ? size : 0;
        scaled += joint->rowSize[l];
        if (width > *count) {
            if (ksiReserve(&inspector->allocator, &inspector->share, &inspector->shareCapacity, (size_t)width,
                           sizeof *inspector->share))
                return KS_ERROR_NO_MEMORY;
            for (int s = 0; s < width; s++)
                memset(inspector->share[s].multiplier, 0, sizeof inspector->share[s].multiplier);
            *count = width;
        }
        const double inverse = 1 / size;
        // of one joint all rows that take part have as many
        for (int s = 0; s < width; s++)
            inspector->share[s].multiplier[l] = inverse * share[s];
    }
    for (int s = 0; s < *count; s++)
        ksiScaledReaction(joint, inspector->share[s].multiplier, inspector->share[s].scaled);
    *unit = scaled > 0 ? kinematic / scaled : 0;
    return KS_OK;
}

KSI_INLINE int largestShare(const ksiStressShare *share, int count, double *square)
{
    int largest = 0;
    *square = 0;
    for (int s = 0; s < count; s++) {
        const double own = ksiDotTwelve(share[s].scaled, share[s].scaled);
        largest = own > *square ? s : largest;
        *square = ksiLarger(*square, own);
    }
    return largest;
}

KSI_INLINE void addShare(ksiStressShare *to, double times, const ksiStressShare *share)
{
    ksiAddTwelve((ksiFour *)to->scaled, times, share->scaled);
    ksiAddSix(to->multiplier, times, share->multiplier);
}

/* The shares made orthonormal, the largest first; what is noise of them is left. Lengths come last: a root and a quotient
 * for each would wait for the one before. */
KSI_CLONES
static void spanFree(ksiJointState *joint, ksiStressShare *share, int count, double noise, ksiStressShare *basis)
{
    double square[KSI_MAX_ROWS];
    while (joint->freeCount < joint->rows.count) {
        double *own = &square[joint->freeCount];
        const int largest = largestShare(share, count, own);
        if (!(*own > noise * noise))
            break;
        ksiStressShare *free = &basis[joint->freeCount++];
        *free = share[largest];
        share[largest] = share[--count];
        const double inverse = 1 / *own;
        for (int s = 0; s < count; s++)
            addShare(&share[s], -inverse * ksiDotTwelve(free->scaled, share[s].scaled), free);
    }
    for (int f = 0; f < joint->freeCount; f++) {
        const double times = 1 / sqrt(square[f]);
        for (int k = 0; k < 12; k++)
            basis[f].scaled[k] *= times;
        for (int l = 0; l < KSI_MAX_ROWS; l++)
            basis[f].multiplier[l] *= times;
    }
}

static unsigned undetermined(const ksiJointState *joint, const int *determinate)
{
    unsigned rows = 0;
    for (int l = 0; l < joint->rows.count; l++)
        rows |= joint->systemRow[l] >= 0 && !determinate[joint->systemRow[l]] ? 1u << l : 0;
    return rows;
}

ksStatus ksiFindFreeDirections(ksInspector *inspector, int index, const int *determinate)
{
    const ksiIsland *island = &inspector->island[index];
    ksSystem *system = inspector->system[index];
    const double noise = ksiSystemStressNoise(system);
    ksStatus status = KS_OK;
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        int count;
        double unit;
        joint->freeCount = 0;
        joint->undetermined = determinate ? undetermined(joint, determinate) : 0;
        if (!determinate)
            continue;
        status = ksiReserve(&inspector->allocator, &inspector->freeWrench, &inspector->freeCapacity,
                            inspector->freeCount + KSI_MAX_ROWS, sizeof *inspector->freeWrench);
        if (!status)
            status = findShares(inspector, joint, system, &count, &unit);
        if (status)
            break;
        joint->firstFree = (int)inspector->freeCount;
        spanFree(joint, inspector->share, count, noise / unit, inspector->freeWrench + joint->firstFree);
        inspector->freeCount += (size_t)joint->freeCount;
        if (joint->freeCount)
            joint->reasons |= KS_REASON_REDUNDANT;
    }
    return status;
}

/* free.c  What of an island's multipliers nothing determines, and what wrenches of its joints that leaves free: by its system, or
 * by the projection of a loop that has drifted. */
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

/* Shares of a joint's rows in the self-stresses: none where at[l] is NULL. Of one joint all rows that take part have as
 * many. */
typedef struct Shares {
    const double *at[KSI_MAX_ROWS];
    double inverse[KSI_MAX_ROWS]; /* one over the size of the row, whose unit they have */
    int count;
    double unit;
} Shares;

/* Whether a wrench is free has nothing to do with masses: `unit` is what one of the mass metric is in the one in which the
 * rank is decided, where each body has mass 1 and its radii of gyration. */
static void findShares(const ksiJointState *joint, ksSystem *system, Shares *found)
{
    double kinematic = 0, scaled = 0;
    found->count = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        found->at[l] = NULL;
        if (joint->systemRow[l] < 0)
            continue;
        int width;
        found->at[l] = ksiSystemStressShares(system, joint->systemRow[l], &width);
        const double size = ksiSystemKinematicSize(system, joint->systemRow[l]);
        found->count = width > found->count ? width : found->count;
        found->inverse[l] = 1 / size;
        kinematic += joint->rowSize[l] > 0 ? size : 0;
        scaled += joint->rowSize[l];
    }
    found->unit = scaled > 0 ? kinematic / scaled : 0;
}

/* What one of the self-stresses puts on the joint; returns the square of its size. */
KSI_INLINE double takeShare(const ksiJointState *joint, const Shares *from, int s, ksiStressShare *to)
{
    memset(to->multiplier, 0, sizeof to->multiplier);
    for (int l = 0; l < joint->rows.count; l++)
        if (from->at[l])
            to->multiplier[l] = from->inverse[l] * from->at[l][s];
    ksiSumTwelve(joint->rows.count, to->multiplier, joint->scaled[0], 12, (ksiFour *)to->scaled);
    return ksiDotTwelve(to->scaled, to->scaled);
}

KSI_INLINE void addShare(ksiStressShare *to, double times, const ksiStressShare *share)
{
    ksiAddTwelve((ksiFour *)to->scaled, times, share->scaled);
    ksiAddSix(to->multiplier, times, share->multiplier);
}

KSI_INLINE void scaleShare(ksiStressShare *share, double times)
{
    for (int i = 0; i < 12; i += 4)
        *(ksiFour *)(share->scaled + i) *= times;
    *(ksiFour *)share->multiplier *= times;
    *(ksiTwo *)(share->multiplier + 4) *= times;
}

/* The shares made orthonormal in the room for them, the largest first; what is noise of them is left. Lengths come last: a
 * root and a quotient for each would wait for the one before. */
KSI_CLONES
static void spanFree(ksiJointState *joint, const Shares *from, double noise, ksiStressShare *share)
{
    double square[KSI_MAX_ROWS];
    int largest = 0, count = 0;
    for (; count < from->count; count++) {
        const double own = takeShare(joint, from, count, &share[count]);
        largest = count == 0 || own > square[0] ? count : largest;
        square[0] = count == 0 ? own : ksiLarger(square[0], own);
    }
    int found = 0;
    while (found < joint->rows.count && found < count && square[found] > noise * noise) {
        const ksiStressShare free = share[largest];
        share[largest] = share[found];
        share[found] = free;
        const double inverse = 1 / square[found++];
        double next = 0;
        for (int s = found; s < count; s++) {
            addShare(&share[s], -inverse * ksiDotTwelve(free.scaled, share[s].scaled), &free);
            const double own = ksiDotTwelve(share[s].scaled, share[s].scaled);
            largest = own > next || s == found ? s : largest;
            next = ksiLarger(next, own);
        }
        if (found < KSI_MAX_ROWS)
            square[found] = next;
    }
    for (int f = 0; f < found; f++)
        scaleShare(&share[f], 1 / sqrt(square[f]));
    joint->freeCount = found;
}

/* Likewise, of the projection's. */
static void findProjected(const ksiJointState *joint, const ksiNearest *n, const double *share, Shares *found)
{
    double kinematic = 0, scaled = 0;
    found->count = n->stressCount;
    for (int l = 0; l < joint->rows.count; l++) {
        const int row = joint->dense[l];
        found->at[l] = NULL;
        if (row < 0 || row >= n->rigid)
            continue;
        found->at[l] = share + row * n->stressCount;
        found->inverse[l] = 1 / n->length[row];
        kinematic += n->length[row];
        scaled += ksiSize(joint->scaled[l], 12);
    }
    found->unit = scaled > 0 ? kinematic / scaled : 0;
    found->count = scaled > 0 ? found->count : 0;
}

static unsigned undetermined(const ksiJointState *joint, const int *determinate)
{
    unsigned rows = 0;
    for (int l = 0; l < joint->rows.count; l++)
        rows |= joint->systemRow[l] >= 0 && !determinate[joint->systemRow[l]] ? 1u << l : 0;
    return rows;
}

static ksStatus addFree(ksInspector *inspector, ksiJointState *joint, const Shares *shares, double noise)
{
    const ksStatus status = ksiReserve(&inspector->allocator, &inspector->freeWrench, &inspector->freeCapacity,
                                       inspector->freeCount + (size_t)shares->count, sizeof *inspector->freeWrench);
    if (status)
        return status;
    joint->firstFree = (int)inspector->freeCount;
    spanFree(joint, shares, noise / shares->unit, inspector->freeWrench + joint->firstFree);
    inspector->freeCount += (size_t)joint->freeCount;
    if (joint->freeCount)
        joint->reasons |= KS_REASON_REDUNDANT;
    return KS_OK;
}

unsigned ksiProjectedRows(const ksInspector *inspector, const ksiJointState *joint)
{
    const ksiNearest *n = &inspector->projection.nearest;
    unsigned rows = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        const int row = joint->dense[l];
        double square = 0;
        for (int k = 0; row >= 0 && row < n->rigid && k < n->stressCount; k++) {
            const double share = n->stress[(size_t)k * (size_t)n->rows + (size_t)row];
            square += share * share;
        }
        rows |= square >= KSI_PROJECTED_NOISE * KSI_PROJECTED_NOISE ? 1u << l : 0;
    }
    return rows;
}

ksStatus ksiFindProjectedDirections(ksInspector *inspector, int index)
{
    const ksiIsland *island = &inspector->island[index];
    ksiNearest *n = &inspector->projection.nearest;
    const double *share = ksiNearestShares(n);
    ksStatus status = KS_OK;
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        Shares shares;
        joint->freeCount = 0;
        joint->undetermined = ksiProjectedRows(inspector, joint);
        if (!n->stressCount)
            continue;
        findProjected(joint, n, share, &shares);
        if (shares.count)
            status = addFree(inspector, joint, &shares, KSI_PROJECTED_NOISE);
    }
    return status;
}

ksStatus ksiFindFreeDirections(ksInspector *inspector, int index, const int *determinate)
{
    const ksiIsland *island = &inspector->island[index];
    ksSystem *system = ksiIslandSystem(inspector, index);
    const double noise = ksiSystemStressNoise(system);
    ksStatus status = KS_OK;
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        Shares shares;
        joint->freeCount = 0;
        joint->undetermined = determinate ? undetermined(joint, determinate) : 0;
        if (!determinate)
            continue;
        findShares(joint, system, &shares);
        if (shares.count == 0)
            continue;
        status = addFree(inspector, joint, &shares, noise);
    }
    return status;
}

bool ksiIsProjected(const ksInspector *inspector, const ksiIsland *island)
{
    bool same = island->drifted;
    for (int i = 0; same && i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++)
            same &= (joint->dense[l] >= 0) == (joint->place[l] == KS_INSIDE);
    }
    return same;
}

void ksiProjectedCombinations(const ksInspector *inspector, const ksiIsland *island, double *combination)
{
    const ksiNearest *n = &inspector->projection.nearest;
    const size_t rows = (size_t)island->rowCount;
    memset(combination, 0, (size_t)n->stressCount * rows * sizeof *combination);
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++) {
            const int r = joint->dense[l];
            for (int k = 0; r >= 0 && r < n->rigid && k < n->stressCount; k++)
                combination[(size_t)k * rows + (size_t)joint->systemRow[l]] =
                    n->stress[(size_t)k * (size_t)n->rows + (size_t)r] * n->length[r];
        }
    }
}

ksStatus ksiFindDeterminacy(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    ksSystem *system = ksiIslandSystem(inspector, index);
    const bool wasRedundant = island->selfStressCount > 0;
    island->determined = false;
    if (ksiIsProjected(inspector, island)) {
        const ksiNearest *n = &inspector->projection.nearest;
        island->selfStressCount = n->stressCount;
        island->rank = (size_t)(n->rows - n->stressCount);
        const ksStatus found = ksiFindProjectedDirections(inspector, index);
        island->determined = !found;
        return found;
    }
    ksStatus status = ksiSystemCountSelfStresses(system, &island->selfStressCount);
    int *determinate = island->selfStressCount ? inspector->flag : NULL;
    if (!status)
        status = ksiSystemGetDeterminacy(system, determinate, &island->rank);
    if (!status && (wasRedundant || determinate))
        status = ksiFindFreeDirections(inspector, index, determinate);
    island->determined = !status;
    return status;
}

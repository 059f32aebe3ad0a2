/* undetermined.c  Finds the undetermined multipliers of an island, and the free wrenches of its
 * joints. They come from the island's system or, if a loop has drifted, from its fitted pose. */
#include "../publish/wrench_norm.h"
#include "../solver.h"

#include "../../base/vectorise.h"
#include "../../linear/cholesky.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Shares of a joint's rows in the self-stresses; none if at[l] is NULL. All rows of one joint that
 * take part have the same number of shares. */
typedef struct Shares {
    const double *at[KSI_MAX_ROWS];
    double inverse[KSI_MAX_ROWS]; /* one over the size of the row; the shares have the unit of this
                                     size */
    int count;
    double unit;
} Shares;

/* A free wrench does not depend on masses. So `unit` converts from the mass metric to the
 * metric of the rank decision. There each body has mass 1, and keeps its radii of gyration. */
static void findShares(const ksiJointInput *joint, const ksiJointLayout *layout, ksSystem *system, Shares *found)
{
    double kinematic = 0, scaled = 0;
    found->count = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        found->at[l] = NULL;
        if (layout->row[l] < 0)
            continue;
        int width;
        found->at[l] = ksiSystemStressShares(system, layout->row[l], &width);
        const double size = ksiSystemKinematicSize(system, layout->row[l]);
        found->count = width > found->count ? width : found->count;
        found->inverse[l] = 1 / size;
        kinematic += layout->size[l] > 0 ? size : 0;
        scaled += layout->size[l];
    }
    found->unit = scaled > 0 ? kinematic / scaled : 0;
}

/* The load of one self-stress on the joint; returns its squared size. */
KSI_INLINE double takeShare(const ksiJointInput *joint, const Shares *from, int s, ksiStressShare *to)
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

/* Makes the shares orthonormal in place, the largest first, and drops noise. Returns their number
 * and the smallest length. Lengths are computed last: in the loop each root and quotient would wait
 * for the one before. */
KSI_CLONES
static int spanFree(const ksiJointInput *joint, const Shares *from, double noise, ksiStressShare *share, double *least)
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
    *least = found ? sqrt(square[found - 1]) : INFINITY;
    return found;
}

/* As findShares, for self-stresses of the pose. product: by ksiCoreShares; share: memory for the
 * shares of the rows. */
static void findPosed(const ksiStep *step, const ksiPose *pose, int joint, const ksiPosedJoint *posed,
                      const ksiEight product[KSI_CORE_ROWS], double share[KSI_MAX_ROWS][KSI_CORE_ROWS], Shares *found)
{
    const ksiConstraint *c = ksiPosedConstraint(pose, posed);
    ksiEight root[KSI_CORE_ROWS];
    double kinematic = 0, scaled = 0;
    int pivot[KSI_CORE_ROWS];
    // P = S S^T of the joint's rows; a part of rounding size is zero
    const int rank = ksiRootSemidefinite(c->rows, product[0].at, 8, DBL_EPSILON, root[0].at, pivot);
    for (int l = 0; l < step->joint[joint].rows.count; l++) {
        const int r = posed->row[l] - posed->first;
        found->at[l] = NULL;
        if (posed->row[l] < 0 || pose->island.joint[posed->constraint].soft >> r & 1u)
            continue;
        for (int k = 0; k < rank; k++)
            share[l][k] = root[k].at[r];
        found->at[l] = share[l];
        found->inverse[l] = 1 / c->unit[r];
        kinematic += c->unit[r];
        scaled += ksiSize(step->joint[joint].scaled[l], 12);
    }
    found->unit = scaled > 0 ? kinematic / scaled : 0;
    found->count = scaled > 0 ? rank : 0;
}

/* tilt: the uncertainty of the self-stresses */
static ksStatus addFree(const ksiStep *step, int joint, const Shares *shares, double noise, double tilt,
                        const ksiFreeResult *out)
{
    ksiFreeWrenches *wrenches = out->wrenches;
    ksiJointFree *free = &out->joint[joint];
    KSI_TRY(ksiReserve(&step->allocator, &wrenches->at, &wrenches->capacity, wrenches->count + (size_t)shares->count,
                       sizeof *wrenches->at));
    free->first = (int)wrenches->count;
    free->lane = wrenches->lane;
    double least;
    free->count = spanFree(&step->joint[joint], shares, noise / shares->unit, wrenches->at + free->first, &least);
    free->tilt = tilt / shares->unit / least;
    wrenches->count += (size_t)free->count;
    return KS_OK;
}

/* Does a row of the joint take part in a self-stress of the pose? */
static bool mayShare(const ksiStep *step, const ksiPose *pose, int joint, const ksiPosedJoint *posed)
{
    return posed->constraint >= 0 && pose->island.core.stresses > 0 && !ksiIsAlwaysUnique(step, joint);
}

static unsigned undeterminedOf(const ksiPose *pose, const ksiPosedJoint *posed, int count, const ksiEight *product)
{
    const double noise = pose->island.rank.noise;
    unsigned rows = 0;
    for (int l = 0; l < count; l++) {
        const int r = posed->row[l] - posed->first;
        rows |= (unsigned)(posed->row[l] >= 0 && product[r].at[r] > noise * noise) << l;
    }
    return rows;
}

unsigned ksiPosedRows(const ksiStep *step, const ksiPose *pose, int joint, int at)
{
    const ksiPosedJoint *posed = &pose->joint[at];
    ksiEight product[KSI_CORE_ROWS];
    if (!mayShare(step, pose, joint, posed))
        return 0;
    ksiCoreShares(&pose->island.core, posed->constraint, product);
    return undeterminedOf(pose, posed, step->joint[joint].rows.count, product);
}

ksStatus ksiFindPosedDirections(const ksiStep *step, ksiSolver *solver, int index, const ksiFreeResult *out)
{
    const ksiPose *pose = &solver->pose;
    const ksiCoreRankFound *rank = &pose->island.rank;
    KSI_EACH_JOINT (step, &step->island[index], i, joint) {
        const ksiPosedJoint *posed = &pose->joint[i];
        ksiEight product[KSI_CORE_ROWS];
        double share[KSI_MAX_ROWS][KSI_CORE_ROWS];
        Shares shares;
        out->joint[joint] = (ksiJointFree){0};
        if (!mayShare(step, pose, joint, posed))
            continue;
        ksiCoreShares(&pose->island.core, posed->constraint, product);
        out->joint[joint].undetermined = undeterminedOf(pose, posed, step->joint[joint].rows.count, product);
        findPosed(step, pose, joint, posed, product, share, &shares);
        if (shares.count)
            KSI_TRY(addFree(step, joint, &shares, rank->noise, rank->tilt, out));
    }
    return KS_OK;
}

unsigned ksiUndeterminedRows(const ksiStep *step, int joint, const int *determinate)
{
    const int *row = step->layout[joint].row;
    unsigned rows = 0;
    for (int l = 0; l < step->joint[joint].rows.count; l++)
        rows |= row[l] >= 0 && !determinate[row[l]] ? 1u << l : 0;
    return rows;
}

ksStatus ksiFindFreeDirections(const ksiStep *step, ksiSolver *solver, int index, const int *determinate,
                               const ksiFreeResult *out)
{
    const ksiIsland *island = &step->island[index];
    ksSystem *system = solver->system;
    const double noise = determinate ? ksiSystemStressNoise(system) : 0;
    KSI_EACH_JOINT (step, island, i, joint) {
        const ksiJointLayout *layout = &solver->layout[joint];
        Shares shares;
        out->joint[joint] = (ksiJointFree){0};
        if (!determinate || ksiIsAlwaysUnique(step, joint))
            continue;
        out->joint[joint].undetermined = ksiUndeterminedRows(step, joint, determinate);
        findShares(&step->joint[joint], layout, system, &shares);
        if (shares.count > 0)
            KSI_TRY(addFree(step, joint, &shares, noise, 0, out));
    }
    return KS_OK;
}

ksStatus ksiFindUniqueRows(const ksiStep *step, const ksiSolver *solver, int index, int *unique, size_t *rank)
{
    KSI_TRY(ksiSystemGetDeterminacy(solver->system, unique, rank));
    if (!unique)
        return KS_OK;
    KSI_EACH_SOLVED_ROW (step, &step->island[index], joint, l, row)
        unique[row] |= ksiIsAlwaysUnique(step, joint);
    return KS_OK;
}

ksStatus ksiCountOwnStresses(const ksiStep *step, ksSystem *system, int index, int *count)
{
    const double drift = step->islandPhysical[index].drift;
    KSI_TRY(ksiSystemCountSelfStresses(system, count));
    if (drift > 0)
        ksiSystemAdmitMisfit(system, drift);
    return KS_OK;
}

ksStatus ksiFindDeterminacy(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces *places,
                            const ksiFreeResult *out)
{
    ksSystem *system = solver->system;
    ksiIslandFree found = {.isKnown = true};
    KSI_TRY(ksiChoosePosed(step, solver, index, places, &found.rank, &found.isPosed));
    if (found.isPosed) {
        found.selfStressCount = solver->pose.island.core.stresses;
        KSI_TRY(ksiFindPosedDirections(step, solver, index, out));
    } else {
        KSI_TRY(ksiCountOwnStresses(step, system, index, &found.selfStressCount));
        int *determinate = found.selfStressCount ? solver->flag : NULL;
        KSI_TRY(ksiFindUniqueRows(step, solver, index, determinate, &found.rank));
        // a joint has no free directions until one is found
        if (determinate || out->island->isKnown)
            KSI_TRY(ksiFindFreeDirections(step, solver, index, determinate, out));
    }
    *out->island = found;
    return KS_OK;
}

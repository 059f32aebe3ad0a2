/* drift.c  Phases 6 and 10 of loops whose joints have drifted apart. Phase 6 copies the multipliers
 * of core/drift.c, and phase 10 finds their bars and their uniqueness. Drift leaves a part of their
 * physical values undetermined; the engine provides this part. Some components are unique in the
 * nearest pose in which the joints fit. They are unique in physical and in converged values, too,
 * if the same rows are inside their bounds. */
#include "../lanes.h"
#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "../read/bound_state.h"
#include "physical.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <string.h>

/* The pose belongs to this island only until the pose of another island is requested. */
static void scatter(const ksiStep *step, const ksiPose *pose, int island, ksiPhysical *out)
{
    KSI_EACH_JOINT (step, &step->island[island], i, index) {
        const ksiPosedJoint *at = &pose->joint[i];
        const ksiPlaces *places = &out->places[index];
        ksiJointPhysical *joint = &out->joint[index];
        for (int l = 0; l < step->joint[index].rows.count; l++)
            joint->multiplier[l] = places->place[l] == KS_INACTIVE ? 0
                                   : places->place[l] == KS_INSIDE
                                       ? pose->island.joint[at->constraint].multiplier[at->row[l] - at->first]
                                       : ksiBoundInForce(places, l, places->place[l]);
    }
}

ksStatus ksiSolveDrifted(const ksiStep *step, ksiSolver *solver, int index, ksiPhysical *out)
{
    ksiIslandPhysical *island = &out->island[index];
    if (step->island[index].isTree || step->island[index].obstacles || ksiIsOverBudget(step, index))
        return KS_OK;
    ksiPlaceKnownForces(step, index, out);
    const ksStatus status = ksiSolvePosed(step, solver, index, out);
    island->isDrifted = !status;
    if (status)
        island->isLoaded = false;
    else if (!solver->pose.lacking)
        scatter(step, &solver->pose, index, out);
    if (status != KS_ERROR_NO_MEMORY)
        return KS_OK;
    island->reasons |= KS_REASON_MEMORY;
    return status;
}

/* Returns by how much the distance from the solution without the engine's share exceeds the present
 * bar; at most the possible error of the engine. */
static double beyond(double distance, double has, double most)
{
    return fmin(fmax(distance - has, 0), most);
}

/* undetermined: rows that share their force; their bars include a part of the bar of the joint's
 * determined wrench. */
static void lengthenRows(const ksiCoreIsland *island, const ksiCoreLoop *own, const ksiJointInput *input,
                         const int *row, unsigned undetermined, double most, ksiJointPhysical *joint)
{
    const int shared = __builtin_popcount(undetermined);
    for (int l = 0; l < input->rows.count; l++) {
        const int r = row[l];
        if (r < 0)
            continue;
        const double size = ksiSize(input->scaled[l], 12), shift = fabs(own->shift[r]);
        const bool isShared = undetermined >> l & 1u;
        if (isShared)
            joint->bar[l] =
                shift + fabs(own->uncertain[r]) + island->common / size + fabs(joint->multiplier[l]) * own->turned[r];
        joint->bar[l] +=
            fmax(fmin(fabs(own->fields[r]), most / size), beyond(fabs(own->distance[r]), shift, most / size));
        if (isShared)
            joint->bar[l] = fmax(joint->bar[l], joint->barSize / (shared * size));
    }
}

/* The bars of a joint's rows, and the change of the rows on the way to the pose. */
KSI_CLONES
static void findBars(const ksiStep *step, const ksiPose *pose, int i, int index, ksiJointPhysical *joint)
{
    const ksiCoreIsland *island = &pose->island;
    const ksiPosedJoint *at = &pose->joint[i];
    const bool isLoad = at->constraint < 0;
    const ksiCoreLoop *own = isLoad ? NULL : &island->joint[at->constraint];
    const int count = step->joint[index].rows.count;
    const ksiJointFree *free = ksiFreeOf(step, index);
    const ksiStressShare *share = ksiSharesOf(step, free);
    enum { PARTS = 5 };
    ksiFour part[PARTS][3] = {{{0}}}, *const moved = part[0], *const more = part[1], *const uncertain = part[2],
            *const slack = part[3], *const fields = part[4];
    double left[KSI_MAX_ROWS][12], spread = 0;
    int row[KSI_MAX_ROWS];
    for (int l = 0; l < count; l++) {
        const double *scaled = step->joint[index].scaled[l];
        const bool isSolved = at->row[l] >= 0 && step->physicalPlaces[index].place[l] == KS_INSIDE;
        const int r = row[l] = isSolved ? at->row[l] - at->first : -1;
        joint->bar[l] = r < 0 ? 0 : own->bar[r];
        joint->adopted[l] = r < 0 ? 0 : own->adopted[r];
        joint->taken[l] = r < 0 ? 0 : own->taken[r];
        joint->forbidden[l] = r < 0 ? 0 : own->left[r];
        joint->excess[l] = r < 0 ? 0 : own->excess[r];
        joint->reasons |= joint->adopted[l] > step->options.tolerance ? KS_REASON_ADOPTED : 0;
        memset(left[l], 0, sizeof left[l]);
        if (r < 0)
            continue;
        ksiAddTwelve(uncertain, own->uncertain[r], scaled);
        ksiAddTwelve(more, own->distance[r] - own->shift[r], scaled);
        ksiAddTwelve(fields, own->fields[r], scaled);
        ksiAddTwelve(slack, own->slack[r], scaled);
        ksiAddTwelve(moved, own->shift[r], scaled);
        ksiAddTwelve(moved, joint->multiplier[l], island->row[at->constraint][r]);
        memcpy(left[l], scaled, sizeof left[l]);
    }
    for (int f = 0; f < free->count; f++) {
        const double *scaled = share[f].scaled;
        for (int p = 0; p < PARTS; p++)
            ksiAddTwelve(part[p], -ksiDotTwelve(scaled, (const double *)part[p]), scaled);
        for (int l = 0; l < count; l++)
            ksiAddTwelve((ksiFour *)left[l], -ksiDotTwelve(scaled, left[l]), scaled);
    }
    for (int l = 0; l < count; l++)
        for (int k = 0; k < count; k++)
            if (row[l] >= 0 && row[k] >= 0)
                spread += own->inverse[row[l]].at[row[k]] * ksiDotTwelve(left[l], left[k]);
    joint->slack = ksiSize((const double *)slack, 12);
    const double most = island->knowsUsual ? ksiSlackForce(step, index, joint->slack) : INFINITY;
    const double near = ksiSize((const double *)moved, 12), apart = fmin(ksiSize((const double *)fields, 12), most);
    ksiAddTwelve(moved, 1, (const double *)more);
    joint->barSize = near + fmax(apart, beyond(ksiSize((const double *)moved, 12), near, most)) +
                     ksiSize((const double *)uncertain, 12) + island->common * sqrt(fmax(spread, 0));
    lengthenRows(island, own, &step->joint[index], row, free->undetermined, most, joint);
}

/* Rows that are inside their bounds in one solution and at a bound in the other may share forces in
 * only one of them. The published free directions of a joint come from the solution in which it has
 * more of them. If each solution has a direction that the other lacks, joints that share more in
 * this solution have no value: `withheld`. */
static ksStatus findShared(const ksiStep *step, ksiSolver *solver, int index, const ksiFreeResult *out, bool *withheld)
{
    const ksiIsland *island = &step->island[index];
    ksiIslandFree found = {.isKnown = true};
    *withheld = false;
    if (step->islandFree[index].isPosed && !island->isBounded)
        return KS_OK;  // both solutions have the same rows
    const ksStatus chosen = ksiChoosePosed(step, solver, index, step->physicalPlaces, &found.rank, &found.isPosed);
    found.selfStressCount = solver->pose.island.core.stresses;
    const bool isKnown = step->islandFree[index].isKnown;
    bool more = false, less = false;
    for (int i = 0; isKnown && i < island->jointCount; i++) {
        const int joint = ksiIslandJoint(step, island, i);
        const unsigned here = ksiPosedRows(step, &solver->pose, joint, i), before = step->free[joint].undetermined;
        more |= (here & ~before) != 0;
        less |= (before & ~here) != 0;
    }
    *withheld = more && less;
    if (chosen || (isKnown && (!more || less)))
        return chosen;
    KSI_TRY(ksiFindPosedDirections(step, solver, index, out));
    *out->island = isKnown ? step->islandFree[index] : found;
    return KS_OK;
}

static int countHeld(const ksiStep *step, const ksiIsland *island, const ksiPlaces *places)
{
    int count = 0;
    KSI_EACH_ROW (step, island, i, joint, l)
        count += ksiNeedsBias(step, joint, l, &places[joint]);
    return count;
}

ksStatus ksiPublishDrifted(const ksiStep *step, ksiSolver *solver, int index, ksiPhysical *out,
                           ksiFreeWrenches *wrenches)
{
    const ksiIsland *island = &step->island[index];
    const ksiFreeResult free = {&out->free.island[index], out->free.joint, wrenches};
    bool withheld = false;
    const ksStatus status = findShared(step, solver, index, &free, &withheld);
    if (status)
        out->island[index].reasons |= KS_REASON_MEMORY;
    out->island[index].reasons |= solver->pose.lacking;
    if (status || solver->pose.lacking)
        return status;
    out->island[index].heldRows = countHeld(step, island, out->places);
    KSI_EACH_JOINT (step, island, i, at) {
        ksiJointPhysical *joint = &out->joint[at];
        if (withheld && ksiPosedRows(step, &solver->pose, at, i) & ~step->free[at].undetermined) {
            joint->reasons |= KS_REASON_REDUNDANT | KS_REASON_PHYSICAL;
            continue;
        }
        memset(joint->split, 0, sizeof joint->split);
        findBars(step, &solver->pose, i, at, joint);
        ksiFinishPhysical(step, at, out);
    }
    return ksiShareOut(step, solver, index, out);
}

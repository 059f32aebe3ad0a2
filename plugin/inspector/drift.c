/* drift.c  Physical values of loops whose joints have drifted apart: those of the nearest pose in which the joints fit. What is
 * unique there is unique of converged values too, where the same rows are inside their bounds. */
#include "inspector_private.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

static bool isInside(const ksiJointState *joint, int l)
{
    return joint->dense[l] >= 0;
}

/* As the rows are placed now; letting go of stops places them anew. */
static ksStatus solve(ksInspector *inspector, ksiIsland *island)
{
    ksiProjection *p = &inspector->projection;
    ksStatus status;
    do {
        status = ksiFindNearest(inspector, island);
        p->known = !status && ksiKnowsAccelerations(inspector, island);
        if (p->known)
            status = ksiSolveNearest(inspector, island);
    } while (!status && p->known && ksiLetStopsGo(inspector, island, true, p->nearest.multiplier));
    return status;
}

/* J^T lambda in the pose found, of all rows. */
static void place(const ksInspector *inspector, ksiJointState *joint, int at)
{
    joint->isPlaced = inspector->projection.isMoved && joint->type != dJointTypeContact;
    for (int side = 0; joint->isPlaced && side < 2; side++) {
        ksWrench *w = &joint->placed[side];
        *w = (ksWrench){{0}, {0}};
        for (int l = 0; l < joint->rows.count; l++) {
            const double *row = ksiMovedRow(&inspector->projection.joint[at], joint, l) + 6 * side;
            for (int k = 0; k < 3; k++) {
                w->force[k] += joint->physical[l] * row[k];
                w->torque[k] += joint->physical[l] * row[3 + k];
            }
        }
    }
}

/* Before rows get the places of the converged solution again. */
static void keep(ksInspector *inspector, const ksiIsland *island)
{
    const ksiNearest *n = &inspector->projection.nearest;
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++)
            joint->physical[l] = isInside(joint, l)               ? n->multiplier[joint->dense[l]]
                                 : joint->place[l] == KS_INACTIVE ? 0
                                                                  : ksiBoundInForce(joint, l, joint->place[l]);
        place(inspector, joint, i);
    }
}

bool ksiSolveDrifted(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    if (island->isTree || island->obstacles || ksiIsOverBudget(inspector, island))
        return false;
    const bool wasLoaded = island->loaded;
    ksiTakeLoads(inspector, index);
    const ksStatus status = solve(inspector, island);
    if (status == KS_ERROR_NO_MEMORY) {
        inspector->status = status;
        island->obstacles |= KS_REASON_MEMORY;
    }
    island->drifted = !status;
    for (int i = 0; island->drifted && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        joint->insidePhysical = ksiInside(joint);
    }
    if (status)
        island->loaded = wasLoaded;
    else if (inspector->projection.known)
        keep(inspector, island);
    ksiTakeReportedPlaces(inspector, index);
    return island->drifted;
}

/* Its rows in the pose found, and what they have been moved by. */
static void findBars(const ksInspector *inspector, ksiJointState *joint)
{
    const ksiNearest *n = &inspector->projection.nearest;
    double spread = 0;
    ksiFour moved[3] = {{0}, {0}, {0}}, late[3] = {{0}, {0}, {0}};
    const ksiStressShare *free = inspector->freeWrench + joint->firstFree;
    double own[KSI_MAX_ROWS][12];
    int shared = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        const int r = joint->dense[l];
        joint->physicalBar[l] = r < 0 ? 0 : n->bar[r];
        memset(own[l], 0, sizeof own[l]);
        if (r < 0)
            continue;
        shared += (int)(joint->undetermined >> l & 1u);
        ksiAddTwelve(late, n->late[r], n->here + 12 * r);
        ksiAddTwelve(moved, n->shift[r], n->here + 12 * r);
        ksiAddTwelve(moved, n->multiplier[r], n->there + 12 * r);
        ksiAddTwelve(moved, -n->multiplier[r], n->here + 12 * r);
        memcpy(own[l], n->here + 12 * r, sizeof own[l]);
    }
    for (int f = 0; f < joint->freeCount; f++) {
        ksiAddTwelve(moved, -ksiDotTwelve(free[f].scaled, (const double *)moved), free[f].scaled);
        ksiAddTwelve(late, -ksiDotTwelve(free[f].scaled, (const double *)late), free[f].scaled);
        for (int l = 0; l < joint->rows.count; l++)
            ksiAddTwelve((ksiFour *)own[l], -ksiDotTwelve(free[f].scaled, own[l]), free[f].scaled);
    }
    for (int l = 0; l < joint->rows.count; l++)
        for (int k = 0; k < joint->rows.count; k++)
            if (isInside(joint, l) && isInside(joint, k))
                spread += ksiNearestInverse(n, joint->dense[l], joint->dense[k]) * ksiDotTwelve(own[l], own[k]);
    joint->physicalBarSize =
        ksiSize((const double *)moved, 12) + ksiSize((const double *)late, 12) + n->common * sqrt(fmax(spread, 0));
    // of what is not determinate, a share in what is determined of the wrench
    for (int l = 0; l < joint->rows.count; l++)
        if (joint->undetermined >> l & 1u && isInside(joint, l))
            joint->physicalBar[l] = joint->physicalBarSize / (shared * ksiSize(joint->scaled[l], 12));
}

/* Rows that are inside their bounds in one solution and at one in the other may share forces in one alone. What is published of
 * a joint as free is what is so in either; where each has something that the other has not, there is no value of the joints that
 * share more here: `withheld`. */
static ksStatus findShared(ksInspector *inspector, int index, bool *withheld)
{
    ksiIsland *island = &inspector->island[index];
    const bool wasDetermined = island->determined;
    bool more = false, less = false;
    *withheld = false;
    for (int i = 0; wasDetermined && i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        const unsigned here = ksiProjectedRows(inspector, joint);
        more |= (here & ~joint->undetermined) != 0;
        less |= (joint->undetermined & ~here) != 0;
    }
    *withheld = more && less;
    if (wasDetermined && (!more || less))
        return KS_OK;
    const ksStatus status = ksiFindProjectedDirections(inspector, index);
    for (int i = 0; !status && i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        if (joint->hasConverged)
            ksiFindDeviation(inspector, joint, joint->converged, &joint->deviation, &joint->determined);
    }
    island->determined = !status;
    return status;
}

void ksiPublishDrifted(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    bool withheld = false;
    const ksStatus status = findShared(inspector, index, &withheld);
    if (status) {
        inspector->status = status;
        island->reasons |= KS_REASON_MEMORY;
    }
    if (!inspector->projection.known)
        island->reasons |= KS_REASON_NO_HISTORY;
    if (status || !inspector->projection.known)
        return;
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        if (withheld && ksiProjectedRows(inspector, joint) & ~joint->undetermined) {
            joint->reasons |= KS_REASON_REDUNDANT;
            continue;
        }
        findBars(inspector, joint);
        ksiFindDeviation(inspector, joint, joint->physical, &joint->physicalDeviation, &joint->physicalDetermined);
        joint->hasPhysical = true;
    }
}

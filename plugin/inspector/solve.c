/* solve.c  Converged values: the engine's own step equations, solved exactly by both routes once it is known which rows
 * lie at a bound; what is determined of them, and how far the engine's motion is from theirs. */
#include "inspector_private.h"

#include <math.h>
#include <string.h>

/* of bodies and joints: there are no equations to solve */
enum { unfitReasons = KS_REASON_NOT_FINITE | KS_REASON_MASS | KS_REASON_UNREADABLE };

static ksStatus reserveScratch(ksInspector *inspector, const ksiIsland *island)
{
    size_t rows = (size_t)island->rowCount, coordinates = 6 * (size_t)island->bodyCount;
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->flag, &inspector->flagCapacity, rows, sizeof(int));
    if (status)
        return status;
    return ksiReserve(&inspector->allocator, &inspector->scratch, &inspector->scratchCapacity,
                      4 * rows + 2 * coordinates, sizeof(double));
}

static void gather(const ksInspector *inspector, const ksiIsland *island, double *multiplier)
{
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        for (int l = 0; l < joint->rows.count; l++) {
            if (joint->systemRow[l] >= 0)
                multiplier[joint->systemRow[l]] = joint->multiplier[l];
        }
    }
}

static void scatter(ksInspector *inspector, const ksiIsland *island, const double *gauss, const double *paulus,
                    const double *bar)
{
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        for (int l = 0; l < joint->rows.count; l++) {
            ksRow *row = &inspector->row[joint->firstRow + (size_t)l];
            int at = joint->systemRow[l];
            row->gauss = at < 0 ? 0 : gauss[at];
            row->paulus = at < 0 ? 0 : paulus[at];
            row->errorBar = at < 0 ? 0 : bar[at];
            joint->converged[l] = row->paulus;
        }
        joint->hasConverged = true;
    }
}

static void setDeterminate(ksInspector *inspector, const ksiIsland *island, const int *determinate)
{
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        for (int l = 0; l < joint->rows.count; l++)
            inspector->row[joint->firstRow + (size_t)l].determinate =
                joint->systemRow[l] < 0 || determinate[joint->systemRow[l]];
    }
}

static ksStatus measure(ksInspector *inspector, int index, double *acceleration, double *multiplier)
{
    ksiIsland *island = &inspector->island[index];
    ksGaussMeasure measured;
    ksiEngineAcceleration(inspector, index, acceleration);
    gather(inspector, island, multiplier);
    ksStatus status = ksiSystemMeasure(inspector->system[index], acceleration, multiplier, &measured);
    if (!status) {
        inspector->report.gaussConstraint += measured.constraint;
        inspector->report.unexplained += measured.unexplained;
        inspector->report.solverError += measured.solverError;
    }
    return status;
}

static ksStatus determinacy(ksInspector *inspector, int index, const double *reference, double *gauss, double *paulus)
{
    ksiIsland *island = &inspector->island[index];
    ksSystem *system = inspector->system[index];
    const double *selfStress;
    ksStatus status = ksSystemGetDeterminacy(system, inspector->flag, &island->rank);
    if (!status)
        status = ksiSystemGetSelfStress(system, &selfStress, &island->selfStressCount);
    if (status)
        return status;
    setDeterminate(inspector, island, inspector->flag);
    ksiFindFreeDirections(inspector, index, selfStress, island->selfStressCount);
    if (island->selfStressCount) {
        status = ksiSystemAdoptSelfStress(system, reference, gauss);
        if (!status)
            status = ksiSystemAdoptSelfStress(system, reference, paulus);
    }
    return status;
}

static ksStatus converge(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    ksSystem *system = inspector->system[index];
    size_t rows = (size_t)island->rowCount;
    double *gauss = inspector->scratch, *paulus = gauss + rows, *reference = paulus + rows, *bar = reference + rows;
    double *acceleration = bar + rows, *observed = acceleration + 6 * (size_t)island->bodyCount;

    double t = ksiNow();
    ksStatus status = ksiSettleBounds(inspector, index, gauss, acceleration);
    t = ksiLap(inspector, KS_PHASE_GAUSS, t);
    if (!status)
        status = ksSystemSolvePaulus(system, paulus, acceleration);
    if (status)
        return status;
    gather(inspector, island, reference);
    status = determinacy(inspector, index, reference, gauss, paulus);
    if (!status)
        status = ksiSystemErrorBars(system, gauss, paulus, bar);
    if (!status)
        status = measure(inspector, index, observed, reference);
    if (!status) {
        scatter(inspector, island, gauss, paulus, bar);
        island->solved = true;
    }
    ksiLap(inspector, KS_PHASE_PAULUS, t);
    return status;
}

static unsigned reasonOf(const ksInspector *inspector, int index, ksStatus status)
{
    switch (status) {
    case KS_ERROR_BOUND:
        return ksiIslandHasFriction(inspector, index) ? KS_REASON_FRICTION : KS_REASON_BOUND;
    case KS_ERROR_NO_MEMORY:
        return KS_REASON_MEMORY;
    case KS_ERROR_NOT_FINITE:
        return KS_REASON_NOT_FINITE;
    case KS_ERROR_NOT_POSITIVE_DEFINITE:
        return KS_REASON_MASS;
    default:
        return KS_REASON_REDUNDANT;  // singular or contradicting rows
    }
}

/* What must hold before an island is worth solving. */
static unsigned obstacles(const ksInspector *inspector, const ksiIsland *island)
{
    unsigned reasons = 0;
    for (int i = 0; i < island->bodyCount; i++)
        reasons |= inspector->body[inspector->islandBody[island->firstBody + i]].reasons & unfitReasons;
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[inspector->islandJoint[island->firstJoint + i]];
        if (!joint->finite)
            reasons |= KS_REASON_NOT_FINITE;
        for (int side = 0; side < 2; side++) {
            if (joint->bodyIndex[side] >= 0)
                reasons |= inspector->body[joint->bodyIndex[side]].reasons & unfitReasons;
        }
    }
    if ((size_t)island->rowCount > inspector->options.islandRowBudget)
        reasons |= KS_REASON_BUDGET;
    return reasons;
}

void ksiSolveIsland(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    island->reasons |= obstacles(inspector, island);
    if (island->reasons)
        return;
    if (!(inspector->options.values & KS_COMPUTE_CONVERGED)) {
        island->reasons |= KS_REASON_NOT_ASKED;
        return;
    }
    ksStatus status = reserveScratch(inspector, island);
    if (!status)
        status = converge(inspector, index);
    if (status)
        island->reasons |= reasonOf(inspector, index, status);
    if (status == KS_ERROR_NO_MEMORY)
        inspector->status = status;
}

ksStatus ksInspectorRelaxJoint(ksInspector *inspector, dJointID id, int capacity, ksRelaxation *out, int *count)
{
    if (!inspector || !out || !count || inspector->open || !inspector->reactionCount)
        return KS_ERROR_BAD_ARGUMENT;
    int at = ksiPointersFind(&inspector->jointIndex, id);
    if (at < 0 || inspector->joint[at].rows.count > capacity)
        return KS_ERROR_BAD_ARGUMENT;
    ksiJointState *joint = &inspector->joint[at];
    if (joint->island < 0)
        return KS_ERROR_UNAVAILABLE;
    ksiIsland *island = &inspector->island[joint->island];
    if (island->reasons & unfitReasons)
        return KS_ERROR_UNAVAILABLE;
    ksStatus status = island->built ? KS_OK : ksiBuildSystem(inspector, joint->island);

    ksRelaxation found[KSI_MAX_ROWS];
    for (int l = 0; !status && l < joint->rows.count; l++) {
        ksRowPlace place = inspector->row[joint->firstRow + (size_t)l].place;
        if (place == KS_INSIDE)
            status = ksSystemRelaxRow(inspector->system[joint->island], joint->systemRow[l], NULL, NULL, &found[l]);
        else
            found[l] = (ksRelaxation){.rho = NAN, .derivative = NAN, .multiplier = joint->multiplier[l]};
    }
    if (status)
        return status;
    memcpy(out, found, (size_t)joint->rows.count * sizeof *out);
    *count = joint->rows.count;
    return KS_OK;
}

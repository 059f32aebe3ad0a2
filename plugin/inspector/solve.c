/* solve.c  Converged values: the engine's own step equations, solved exactly by both routes once it is known which rows
 * lie at a bound; what is determined of them, and how far the engine's motion is from theirs. */
#include "inspector_private.h"

#include "../base/quietly.h"
#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

/* of an island: converged values can be had all the same */
enum { harmlessReasons = KS_REASON_NOT_ASKED | KS_REASON_NO_HISTORY };

/* Of an error bar. A range-space solution that is farther from the other one is refined: it would make nearly all of the bar,
 * ten times what that one's rounding does. */
static const double mostApart = 10.0 / 11;

static void gatherReported(const ksInspector *inspector, const ksiIsland *island, double *multiplier)
{
    for (int i = 0; i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++) {
            if (joint->systemRow[l] >= 0)
                multiplier[joint->systemRow[l]] = joint->multiplier[l];
        }
    }
}

/* A solution is complete. */
static void scatter(ksInspector *inspector, ksiIsland *island, const double *gauss, const double *paulus,
                    const double *bar, const double *acceleration)
{
    for (int i = 0; i < island->bodyCount; i++) {
        ksiBodyState *body = ksiIslandBody(inspector, island, i);
        memcpy(body->converged, acceleration + 6 * (size_t)body->block, sizeof body->converged);
        body->lightest = INFINITY;
    }
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; l < joint->rows.count; l++) {
            const int at = joint->systemRow[l];
            joint->gauss[l] = at < 0 ? 0 : gauss[at];
            joint->converged[l] = at < 0 ? 0 : paulus[at];
            joint->bar[l] = at < 0 ? 0 : bar[at];
        }
        ksiFindDeviation(inspector, joint, joint->converged, &joint->deviation, &joint->determined);
        joint->hasConverged = true;
        ksiWeigh(inspector, joint, joint->deviation.size);
    }
    island->solved = true;
}

/* The engine's motion and multipliers. */
static void observe(ksInspector *inspector, int index, double *acceleration, double *multiplier)
{
    ksiEngineAcceleration(inspector, index, acceleration);
    gatherReported(inspector, &inspector->island[index], multiplier);
    ksiSystemObserve(ksiIslandSystem(inspector, index), acceleration, multiplier);
}

static void addMeasure(ksStepReport *report, const ksGaussMeasure *measured)
{
    report->gaussConstraint += measured->constraint;
    report->unexplained += measured->unexplained;
    report->solverError += measured->solverError;
}

/* Multipliers by the range-space route, refined where the rows are searched for those at bounds. */
static ksStatus solveGauss(ksInspector *inspector, int index, double *gauss, double *acceleration)
{
    if (inspector->island[index].bounded)
        return ksiSettleBounds(inspector, index, gauss, acceleration);
    const ksStatus status = ksiBuildSystem(inspector, index);
    return status ? status : ksiSystemSolveRoughly(ksiIslandSystem(inspector, index), gauss);
}

/* The multipliers of both routes and their bars, [rows] each. */
typedef struct Routes {
    double *gauss, *paulus, *bar;
} Routes;

KSI_CLONES
static bool isRough(size_t rows, const Routes *found)
{
    const double *gauss = found->gauss, *paulus = found->paulus, *bar = found->bar;
    ksiFourBits rough = {0};
    bool any = false;
    size_t l = 0;
    for (; l + 4 <= rows; l += 4) {
        const ksiFour apart = *(const ksiFour *)(gauss + l) - *(const ksiFour *)(paulus + l);
        const ksiFour most = mostApart * *(const ksiFour *)(bar + l);
        rough |= (ksiFourBits)(apart > most) | (ksiFourBits)(-apart > most);
    }
    for (; l < rows; l++)
        any |= fabs(gauss[l] - paulus[l]) > mostApart * bar[l];
    return any || (rough[0] | rough[1] | rough[2] | rough[3]);
}

/* What nobody can know of the split is the engine's. A wrench without free directions is not shared: where contradicting rows
 * are held by large opposing multipliers, it is what these leave that makes its own part of them, and it stays the
 * solution's, `exact`. own: the system has self-stresses where the bodies are. */
static ksStatus adopt(const ksInspector *inspector, int index, bool own, const double *reference, double *multiplier,
                      double *exact)
{
    const ksiIsland *island = &inspector->island[index];
    memcpy(exact, multiplier, (size_t)island->rowCount * sizeof *exact);
    ksStatus status = KS_OK;
    if (own)
        status = ksiSystemAdoptSelfStress(ksiIslandSystem(inspector, index), reference, multiplier);
    for (int i = 0; !status && i < island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; joint->freeCount == 0 && l < joint->rows.count; l++)
            if (joint->systemRow[l] >= 0)
                multiplier[joint->systemRow[l]] = exact[joint->systemRow[l]];
    }
    return status;
}

/* Bars have what was taken out or put in of determinate rows, and of the determined part of what the others carry: in equal
 * parts, for each of these by itself is not determined. */
static void addMoved(const ksInspector *inspector, const ksiJointState *joint, const double *exact,
                     const double *adopted, double *bar)
{
    double moved[KSI_MAX_ROWS] = {0};
    int count = 0;
    for (int l = 0; l < joint->rows.count; l++) {
        const int at = joint->systemRow[l], isFree = joint->undetermined >> l & 1 && joint->rowSize[l] > 0;
        count += isFree;
        if (isFree)
            moved[l] = adopted[at] - exact[at];
        else if (at >= 0)
            bar[at] += fabs(adopted[at] - exact[at]);
    }
    const double size = count > 0 ? ksiDeterminedSize(inspector, joint, moved) / count : 0;
    for (int l = 0; l < joint->rows.count; l++)
        if (joint->undetermined >> l & 1 && joint->rowSize[l] > 0)
            bar[joint->systemRow[l]] += size / joint->rowSize[l];
}

static void copyJoint(const ksiJointState *joint, const Routes *from, const Routes *to)
{
    for (int l = 0; l < joint->rows.count; l++) {
        const int at = joint->systemRow[l];
        if (at < 0)
            continue;
        to->gauss[at] = from->gauss[at];
        to->paulus[at] = from->paulus[at];
        to->bar[at] = from->bar[at];
    }
}

/* Where joints have drifted apart their self-stresses move the bodies, and with the engine's in place of the solution's the
 * determined parts of the joints that share them would be off by what that moves. What nobody can know is given up as an
 * equation for these: see given.c. Joints without free directions keep the solution's. */
static ksStatus giveSelfStress(ksInspector *inspector, int index, const double *reference, const Routes *found)
{
    const ksiIsland *island = &inspector->island[index];
    ksSystem *system = ksiIslandSystem(inspector, index);
    const size_t rows = (size_t)island->rowCount, count = (size_t)island->selfStressCount;
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->given, &inspector->givenCapacity,
                                 (count + 3) * rows + count, sizeof *inspector->given);
    if (status)
        return status;
    double *combination = inspector->given, *value = combination + count * rows;
    const Routes given = {value + count, value + count + rows, value + count + 2 * rows};
    ksiProjectedCombinations(inspector, island, combination);
    memset(value, 0, count * sizeof *value);
    for (size_t k = 0; k < count; k++)
        for (size_t l = 0; l < rows; l++)
            value[k] += combination[k * rows + l] * reference[l];
    memcpy(given.gauss, found->gauss, rows * sizeof *given.gauss);
    memcpy(given.paulus, found->paulus, rows * sizeof *given.paulus);
    status = ksiSystemGive(system, 0, (int)count, combination, value, given.gauss);
    if (!status)
        status = ksiSystemGive(system, 1, (int)count, combination, value, given.paulus);
    if (!status)
        status = ksiSystemGivenErrorBars(system, given.gauss, given.paulus, given.bar);
    for (int i = 0; !status && i < island->jointCount; i++)
        if (ksiIslandJoint(inspector, island, i)->freeCount > 0)
            copyJoint(ksiIslandJoint(inspector, island, i), &given, found);
    return status;
}

/* The engine's self-stress in place of both routes' own. */
static ksStatus adoptSelfStress(ksInspector *inspector, int index, const double *reference, const Routes *found)
{
    const ksiIsland *island = &inspector->island[index];
    ksSystem *system = ksiIslandSystem(inspector, index);
    double *exact = inspector->exact;
    int own = island->selfStressCount;
    ksStatus status = island->drifted ? ksiSystemCountSelfStresses(system, &own) : KS_OK;
    if (!status)
        status = adopt(inspector, index, own > 0, reference, found->gauss, exact);
    if (!status)
        status = adopt(inspector, index, own > 0, reference, found->paulus, exact);
    if (!status)
        status = own > 0 ? ksiSystemAdoptedErrorBars(system, found->gauss, found->paulus, found->bar)
                         : ksiSystemErrorBars(system, found->gauss, found->paulus, found->bar);
    for (int i = 0; !status && i < island->jointCount; i++)
        if (ksiIslandJoint(inspector, island, i)->freeCount > 0)
            addMoved(inspector, ksiIslandJoint(inspector, island, i), exact, found->paulus, found->bar);
    return status;
}

/* Error bars of both routes. */
static ksStatus compareRoutes(ksInspector *inspector, int index, const double *reference, const Routes *found)
{
    const ksiIsland *island = &inspector->island[index];
    ksSystem *system = ksiIslandSystem(inspector, index);
    const bool given = ksiIsProjected(inspector, island), shared = island->selfStressCount > 0;
    ksStatus status = shared ? ksiSystemRefine(system, found->gauss) : KS_OK;
    if (!status && shared && !given)
        status = adoptSelfStress(inspector, index, reference, found);
    else if (!status)
        status = ksiSystemErrorBars(system, found->gauss, found->paulus, found->bar);
    if (!status && !shared && !ksiSystemIsRefined(system) && isRough((size_t)island->rowCount, found)) {
        status = ksiSystemRefine(system, found->gauss);
        if (!status)
            status = ksiSystemErrorBars(system, found->gauss, found->paulus, found->bar);
    }
    if (!status)
        status = ksiCheckRelaxed(inspector, index, found->paulus, found->bar);
    if (!status && shared && given) {
        status = giveSelfStress(inspector, index, reference, found);
        if (status == KS_ERROR_SINGULAR)
            status = adoptSelfStress(inspector, index, reference, found);
    }
    return status;
}

static ksStatus converge(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    size_t rows = (size_t)island->rowCount;
    double *gauss = inspector->scratch, *paulus = gauss + rows, *reference = paulus + rows, *bar = reference + rows;
    double *acceleration = bar + rows, *observed = acceleration + 6 * (size_t)island->bodyCount;

    ksGaussMeasure measured;
    ksStatus status = solveGauss(inspector, index, gauss, acceleration);
    ksiLap(inspector, KS_PHASE_GAUSS);
    if (status)
        return status;
    ksSystem *system = ksiIslandSystem(inspector, index);
    observe(inspector, index, observed, reference);
    status = ksiSystemSolvePaulus(system, paulus, acceleration);
    // how far the engine is from the solution
    if (!status)
        status = ksiSystemMeasure(system, observed, reference, &measured);
    // it lies in scratch that serves other islands too
    ksiSystemObserve(system, NULL, NULL);
    if (!status)
        status = ksiFreeWeakRows(inspector, index, paulus, acceleration);
    if (!status)
        status = ksiFindDeterminacy(inspector, index);
    if (!status)
        status = compareRoutes(inspector, index, reference, &(Routes){gauss, paulus, bar});
    if (!status) {
        scatter(inspector, island, gauss, paulus, bar, acceleration);
        addMeasure(&inspector->report, &measured);
    }
    ksiLap(inspector, KS_PHASE_PAULUS);
    return status;
}

static unsigned reasonOf(const ksInspector *inspector, int index, ksStatus status)
{
    switch (status) {
    case KS_ERROR_BOUND:
        return ksiIslandHasBounds(inspector, index, true) ? KS_REASON_FRICTION : KS_REASON_BOUND;
    case KS_ERROR_UNAVAILABLE:
        return KS_REASON_BUDGET;
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

void ksiSolveIsland(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    if (ksiIsOverBudget(inspector, island))
        island->obstacles |= KS_REASON_BUDGET;
    island->reasons |= island->obstacles;
    if (!(inspector->options.values & KS_COMPUTE_CONVERGED))
        island->reasons |= KS_REASON_NOT_ASKED;
    if (island->reasons)
        return;
    ksStatus status = ksiReserveScratch(inspector, index);
    if (!status)
        status = converge(inspector, index);
    if (status)
        island->reasons |= reasonOf(inspector, index, status);
    if (status == KS_ERROR_NO_MEMORY)
        inspector->status = status;
}

ksStatus ksiRestoreSystem(ksInspector *inspector, int index)
{
    ksiIsland *island = &inspector->island[index];
    if (island->reasons & ~(unsigned)harmlessReasons)
        return KS_ERROR_UNAVAILABLE;
    if (ksiStands(inspector, index))
        return KS_OK;
    if (!ksiIslandHasBounds(inspector, index, false))
        return ksiBuildSystem(inspector, index);
    ksStatus status = ksiReserveScratch(inspector, index);
    if (status)
        return status;
    ksiTakeReportedPlaces(inspector, index);
    status = ksiSettleAndFree(inspector, index, inspector->scratch, inspector->scratch + island->rowCount);
    return status == KS_ERROR_BOUND ? KS_ERROR_UNAVAILABLE : status;
}

static ksStatus relaxJoint(ksInspector *inspector, ksiJointState *joint, ksRelaxation *found)
{
    ksStatus status = ksiRestoreSystem(inspector, joint->island);
    if (!status)
        status = ksiReserveScratch(inspector, joint->island);
    if (status)
        return status;
    ksSystem *system = ksiIslandSystem(inspector, joint->island);
    status = ksiSystemGetDeterminacy(system, inspector->flag, NULL);
    for (int l = 0; !status && l < joint->rows.count; l++) {
        int row = joint->systemRow[l];
        if (joint->place[l] != KS_INSIDE) {
            double bound = joint->place[l] == KS_AT_LOW    ? joint->low[l]
                           : joint->place[l] == KS_AT_HIGH ? joint->high[l]
                                                           : 0;
            found[l] = (ksRelaxation){.rho = NAN, .derivative = NAN, .multiplier = bound, .effectiveMass = NAN};
        } else if (!inspector->flag[row]) {
            status = KS_ERROR_REDUNDANT;
        } else {
            status = ksiSystemRelaxRow(system, row, NULL, NULL, &found[l]);
        }
    }
    return status;
}

static ksStatus relaxFound(ksInspector *inspector, dJointID id, int capacity, ksRelaxation *out, int *count)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(out);
    KSI_REQUIRE_POINTER(count);
    KSI_REQUIRE(!inspector->open, "inspector is between ksInspectorBeginStep and ksInspectorEndStep");
    KSI_REQUIRE(inspector->reactionCount, "inspector has inspected no joint");
    const int at = ksiPointersFind(&inspector->jointIndex, id);
    KSI_REQUIRE(at >= 0, "joint is not a joint of the last step");
    ksiJointState *joint = &inspector->joint[at];
    KSI_REQUIRE(joint->rows.count <= capacity, "capacity is %d, of %d rows", capacity, joint->rows.count);
    if (joint->island < 0)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the engine did not solve this joint");
    ksRelaxation found[KSI_MAX_ROWS];
    const ksStatus status = relaxJoint(inspector, joint, found);
    if (status)
        return status;
    memcpy(out, found, (size_t)joint->rows.count * sizeof *out);
    *count = joint->rows.count;
    return KS_OK;
}

ksStatus ksInspectorRelaxJoint(ksInspector *inspector, dJointID joint, int capacity, ksRelaxation *out, int *count)
{
    KSI_RETURN_QUIETLY(relaxFound(inspector, joint, capacity, out, count));
}

/* step.c  The phases of a step, in their order:
 *
 *     before the engine steps      1 read
 *     after it                     (in another engine's step, forces that explain its motion
 *                                  replace the report)
 *                                  2 report, 3 motion, 4 islands,
 *       island by island           5 bias accelerations, 6 nearest pose, 7 active set,
 *                                  8 converged values, 9 momentum, 10 physical values,
 *     then                         11 contacts, 12 estimate, 13 verdict
 *     with the report complete     14 publish
 *
 * The order island by island keeps the results of a phase in the cache for the next phase. */
#include "host/feedback.h"
#include "inspector.h"
#include "phases.h"
#include "read/energy.h"

#include "../base/fpguard.h"

#include <string.h>

static void lap(ksInspector *inspector, int phase)
{
    ksiClockLap(&inspector->clock, &inspector->published.report.seconds[phase]);
}

static void note(ksInspector *inspector, ksStatus status)
{
    if (!inspector->status)
        inspector->status = status;
}

static ksStatus read(ksInspector *inspector)
{
    ksiInput *input = &inspector->input;
    ksStatus status = inspector->missing ? inspector->missing : ksiReadBodies(inspector);
    lap(inspector, KS_PHASE_SNAPSHOT);
    if (!status)
        status = ksiReadJoints(inspector);
    if (!status && inspector->step.options.values & KS_COMPUTE_PHYSICAL)
        ksiReadCompliances(inspector);
    lap(inspector, KS_PHASE_ROWS);
    inspector->step.bodyCount = input->bodyCount;
    inspector->step.jointCount = input->jointCount;
    if (!status && input->copying) {
        ksiGiveFeedbackBack(&inspector->step, &inspector->report);
        status = input->copying;
    }
    input->isKnown = !status;
    if (status)
        input->bodyCount = input->jointCount = inspector->step.bodyCount = inspector->step.jointCount = 0;
    return !status && input->culprit ? KS_ERROR_NOT_FINITE : status;
}

void ksiStepOpen(ksInspector *inspector, ksStepper stepper, double h)
{
    ksiStep *step = &inspector->step;
    step->isExact = stepper == KS_EXACT_STEP;
    step->isForeign = stepper == KS_FOREIGN_STEP;
    step->stepper = step->isExact ? KS_QUICK_STEP : step->isForeign ? KS_WORLD_STEP : stepper;
    step->previousH = step->h;
    step->h = h;
    step->sweeps = stepper == KS_QUICK_STEP ? dWorldGetQuickStepNumIterations(step->seen->world) : 0;
    step->isPool = stepper == KS_QUICK_STEP && ksiThreadCount(step->seen) > 1;
    step->number = inspector->stepsDone;
    step->time = inspector->timeDone;
    inspector->published.count = 0;
    inspector->touches.isFound = false;
    inspector->published.isReported = inspector->published.isKnown = false;
    inspector->published.report = (ksStepReport){.step = step->number, .time = step->time, .stepper = stepper};
}

void ksiStepBegin(ksInspector *inspector, ksStepper stepper, double h)
{
    ksiStepOpen(inspector, stepper, h);
    ksiClockStart(&inspector->clock);
    inspector->status = read(inspector);
}

static void lapLane(ksiLane *lane, int phase)
{
    ksiClockLap(&lane->clock, &lane->seconds[phase]);
}

static void noteLane(ksiLane *lane, ksStatus status)
{
    if (!lane->status)
        lane->status = status;
}

/* A weak loop is solved as a drifted one, if there is a pose. */
static void publishPhysical(ksInspector *inspector, ksiLane *lane, int island)
{
    const ksiStep *step = &inspector->step;
    const ksiIslandPhysical *found = &step->islandPhysical[island];
    ksiPhysical *out = &inspector->physical;
    ksiSolver *solver = &lane->solver;
    if (!found->isDrifted)
        noteLane(lane, ksiSolvePhysical(step, solver, island, out, &lane->freeWrenches));
    if (found->isWeak) {
        noteLane(lane, ksiSolveDrifted(step, solver, island, out));
        if (!found->isDrifted)
            noteLane(lane, ksiSolvePhysical(step, solver, island, out, &lane->freeWrenches));
    }
    if (found->isDrifted)
        noteLane(lane, ksiPublishDrifted(step, solver, island, out, &lane->freeWrenches));
}

/* The nearest pose of a drifted loop also determines the uniqueness of converged values, so it is
 * found before these values. */
static void solveIsland(ksInspector *inspector, ksiLane *lane, int island)
{
    const ksiStep *step = &inspector->step;
    ksiSolver *solver = &lane->solver;
    const bool isPhysical = step->options.values & KS_COMPUTE_PHYSICAL;
    if (isPhysical) {
        ksiFindBias(step, island, inspector->physical.acceleration);
        noteLane(lane, ksiSolveDrifted(step, solver, island, &inspector->physical));
        lapLane(lane, KS_PHASE_PHYSICAL);
    }
    noteLane(lane, ksiSolveRangeSpace(step, solver, island, &inspector->converged));
    if (step->options.values)
        lapLane(lane, KS_PHASE_GAUSS);
    noteLane(lane, ksiSolveConverged(step, solver, island, &inspector->converged, &lane->freeWrenches));
    if (step->options.values)
        lapLane(lane, KS_PHASE_PAULUS);
    lane->momentumResidual =
        ksiLarger(lane->momentumResidual, ksiCheckMomentum(step, solver, island, &inspector->verdicts));
    ksiTakeObserved(step, island, &inspector->verdicts);
    if (step->options.values)
        lapLane(lane, KS_PHASE_VERDICT);
    if (!isPhysical)
        return;
    publishPhysical(inspector, lane, island);
    lapLane(lane, KS_PHASE_PHYSICAL);
}

/* Solves the islands of a lane, on any thread. */
static void solveLane(ksInspector *inspector, ksiLane *lane)
{
    lane->freeWrenches.count = 0;
    lane->momentumResidual = 0;
    lane->status = KS_OK;
    memset(lane->seconds, 0, sizeof lane->seconds);
    for (int i = lane->first; i < lane->end; i++)
        solveIsland(inspector, lane, i);
}

/* Adds up the results of the lanes in the order of the islands, as if one thread had solved the
 * islands one after the other. */
static void collectLanes(ksInspector *inspector)
{
    double *seconds = inspector->published.report.seconds, *residual = &inspector->verdicts.momentumResidual;
    for (int k = 0; k < inspector->lanes.count; k++) {
        const ksiLane *lane = &inspector->lanes.at[k];
        note(inspector, lane->status);
        *residual = ksiLarger(*residual, lane->momentumResidual);
        for (int phase = 0; phase < KSI_PHASES; phase++)
            seconds[phase] += lane->seconds[phase];
    }
    // these sums include the seconds of this thread
    ksiClockStart(&inspector->clock);
}

static void solve(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    if (step->isForeign)
        note(inspector, ksiExplainMotion(inspector));
    ksiReadReport(step, inspector->input.feedback, &inspector->report);
    ksiReadMotion(step, &inspector->motion);
    inspector->step.anyReset = inspector->motion.anyReset;
    if (step->anyReset)
        ksiReviseInput(step, &inspector->input);
    inspector->adjacency.isKnown = false;
    ksiFindIslands(step, inspector->parent, &inspector->islands);
    const ksStatus status = ksiDivideIslands(inspector);
    note(inspector, status);
    ksiClearConverged(step, &inspector->converged);
    ksiClearPhysical(step, &inspector->physical);
    ksiClearVerdicts(step, &inspector->verdicts);
    lap(inspector, KS_PHASE_SNAPSHOT);

    if (!status) {
        ksiWorkOnLanes(inspector, solveLane);
        collectLanes(inspector);
    }
    inspector->verdicts.momentumResidual =
        ksiLarger(inspector->verdicts.momentumResidual, ksiCheckLooseBodies(step, &inspector->verdicts));
    if (!step->isForeign)
        ksiNameFalseReports(step, &inspector->verdicts);

    ksiJudgeContacts(step, &inspector->contacts);
    note(inspector, ksiFindContactRedundancy(step, &inspector->contacts));
    ksiFindFlicker(step, &inspector->flicker, &inspector->contacts);
    lap(inspector, KS_PHASE_VERDICT);
    note(inspector, ksiEstimate(step, &inspector->means.clock, &inspector->estimates));
    lap(inspector, KS_PHASE_ESTIMATE);
    ksiJudge(step, &inspector->verdicts);
    ksiTakeMeans(step, &inspector->means);
    note(inspector, ksiFindTouches(inspector));
    inspector->published.isKnown = !status;
}

static void noteUnsolved(const ksiStep *step, size_t index, ksStepReport *report)
{
    const double unsolved = ksiFindUnsolved(step, (int)index);
    if (unsolved > report->worstUnsolved) {
        report->worstUnsolved = unsolved;
        report->worstUnsolvedJoint = step->joint[index].id;
    }
}

/* Computes a joint's work once: together with its reaction, if the reaction is needed. */
static void sumUp(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiPublished *out = &inspector->published;
    ksStepReport *report = &out->report;
    memset(out->isFilled, 0, step->jointCount * sizeof *out->isFilled);
    const unsigned listeners = ksiFindListeners(inspector);
    for (size_t i = 0; i < step->jointCount; i++) {
        const ksiJointVerdict *verdict = &step->verdict[i];
        report->verdictCount[verdict->verdict]++;
        if (verdict->error > report->worstError) {
            report->worstError = verdict->error;
            report->worstJoint = step->joint[i].id;
        }
        const bool isLoad = step->joint[i].isLoad && step->report[i].isWritten;
        report->rowCount += isLoad ? (size_t)step->joint[i].rows.count : 0;
        const ksReaction *heard = ksiIsHeard(inspector, i, listeners) ? ksiReactionOf(step, out, i) : NULL;
        ksiBookJoint(step, i, heard, &inspector->report.joint[i], report);
        if (step->isExact)
            noteUnsolved(step, i, report);
    }
    report->fallbackRowCount = step->isExact ? inspector->exact.fallbackRows : 0;
    report->fallbackReasons = step->isExact ? inspector->exact.fallback : 0;
    report->reactionCount = out->count = step->jointCount;
}

static void sumUpBodies(const ksiStep *step, ksStepReport *report)
{
    report->islandCount = step->islands->count;
    for (size_t i = 0; i < step->islands->count; i++) {
        report->rowCount += (size_t)step->island[i].rowCount;
        report->rank += ksiIslandFreeOf(step, i)->rank;
        const ksGaussMeasure *measure = &step->islandConverged[i].measure;
        report->gaussConstraint += measure->constraint;
        report->unexplained += measure->unexplained;
        report->solverError += measure->solverError;
        report->gap += step->islandConverged[i].gap;
    }
    for (size_t i = 0; i < step->bodyCount; i++) {
        if (!step->estimate[i].isKnown)
            continue;
        report->estimatedBodyCount++;
        if (step->estimate[i].relative > report->worstEstimate) {
            report->worstEstimate = step->estimate[i].relative;
            report->worstBody = step->body[i].begin.id;
        }
    }
}

static void fillReport(ksInspector *inspector)
{
    const ksiEnergy *energy = &inspector->motion.energy;
    ksStepReport *report = &inspector->published.report;
    report->momentumResidual = inspector->verdicts.momentumResidual;
    report->kineticEnergy[0] = energy->kinetic[0];
    report->kineticEnergy[1] = energy->kinetic[1];
    report->potentialChange = energy->potentialChange;
    report->forceWork = energy->forceWork;
    report->gravityDiscretisation = energy->gravityDiscretisation;
    report->dampingWork = energy->dampingWork;
    sumUpBodies(&inspector->step, report);
    if (inspector->step.isForeign)
        report->gaussConstraint = report->solverError = NAN;
    sumUp(inspector);
    ksiBookWorld(energy, inspector->worldEnergy, report);
    inspector->worldEnergy = report->worldEnergy[1];
}

static void finish(ksInspector *inspector)
{
    ksStepReport *report = &inspector->published.report;
    ksiClockStart(&inspector->clock);
    report->culprit = inspector->input.culprit;
    report->stepped = 1;
    if (inspector->input.isKnown)
        solve(inspector);
    if (inspector->published.isKnown) {
        fillReport(inspector);
        ksiTakeOwnMeans(inspector);
        ksiTakePairs(inspector);
    }
    lap(inspector, KS_PHASE_VERDICT);
    report->inspected = !inspector->status;
    inspector->published.isReported = true;
    inspector->stepsDone++;
    inspector->timeDone += inspector->step.h;
}

void ksiStepEnd(ksInspector *inspector)
{
    KSI_GUARD_FP(finish(inspector));
}

/* converged.c  Phases 7 and 8: once the rows at a bound are known, both routes solve the engine's
 * own step equations exactly. In drifted loops, posed_solution.c solves them. Also
 * finds the determined part of the solution, and the distance of the engine's motion from it. */
#include "converged.h"
#include "../phases.h"
#include "../publish/wrench_norm.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <string.h>

/* Parts of an error bar: the distance of both solutions, and the rounding of one. If the distance
 * exceeds ten times the rounding, the range-space solution is refined; another factor only changes
 * the cost. */
static const double mostApart = 10.0 / 11;

void ksiEngineAcceleration(const ksiStep *step, int index, double *acceleration)
{
    const ksiIsland *island = &step->island[index];
    const double perStep = 1 / step->h;
    KSI_EACH_ISLAND_BODY (step, island, i, body)
        for (int k = 0; k < 6; k++)
            acceleration[6 * step->bodyMember[body].block + k] =
                (step->motion[body].undamped[k] - step->body[body].begin.velocity[k]) * perStep;
}

/* Sets the engine's motion and multipliers. */
static void takeReference(const ksiConvergedSolution *s)
{
    ksiEngineAcceleration(s->step, s->index, s->observed);
    KSI_EACH_SOLVED_ROW (s->step, s->island, joint, l, row)
        s->reference[row] = s->step->report[joint].multiplier[l];
}

static void takeLoad(const ksiStep *step, int index, double load, ksiConverged *out)
{
    ksiIslandConverged *island = &out->island[step->member[index].island];
    load = ksiLarger(load, step->report[index].load);
    island->load = ksiLarger(island->load, load);
    KSI_EACH_BODY (step->member[index].link, side, body)
        out->body[body].leastJoint = ksiSmaller(out->body[body].leastJoint, load);
}

/* The largest ERP of the island's rows: stops, balls and fixed joints have an ERP of their own. */
static double largestErp(const ksiConvergedSolution *s)
{
    double largest = 0;
    KSI_EACH_JOINT (s->step, s->island, i, joint)
        largest = ksiLarger(largest, s->step->joint[joint].erp);
    return largest;
}

/* Writes the complete solution by body and joint. */
static void scatter(const ksiConvergedSolution *s, ksiConverged *out)
{
    const ksiStep *step = s->step;
    KSI_EACH_ISLAND_BODY (step, s->island, i, index) {
        ksiBodyConverged *body = &out->body[index];
        memcpy(body->acceleration, s->acceleration + 6 * (size_t)step->bodyMember[index].block,
               sizeof body->acceleration);
        body->leastJoint = INFINITY;
    }
    KSI_EACH_JOINT (step, s->island, i, index) {
        const int *row = s->solver->layout[index].row, rows = step->joint[index].rows.count;
        ksiJointConverged *joint = &out->joint[index];
        for (int l = 0; l < rows; l++) {
            const int at = row[l];
            joint->gauss[l] = at < 0 ? 0 : s->gauss[at];
            joint->paulus[l] = at < 0 ? 0 : s->paulus[at];
            joint->bar[l] = at < 0 ? 0 : s->bar[at];
            joint->relaxed[l] = at < 0 ? NAN : s->relaxed[at];
        }
        ksiFindDeviation(step, index, &out->free.joint[index], joint->paulus, &joint->deviation, &joint->determined);
        joint->isKnown = true;
        takeLoad(step, index, joint->deviation.size, out);
    }
    out->island[s->index].isSolved = true;
    // engine and solution have the same c
    out->island[s->index].poseRounding = largestErp(s) * ksiGapRounding(s->step, s->island);
}

/* Is it a drifted loop? Then the core of its nearest pose solves its equations. This core has no
 * rows of contacts. */
static bool hasCore(const ksiConvergedSolution *s)
{
    bool has = s->step->islandPhysical[s->index].isDrifted;
    for (int i = 0; has && i < s->island->jointCount; i++)
        has = s->step->joint[ksiIslandJoint(s->step, s->island, i)].type != dJointTypeContact;
    return has;
}

static ksStatus solveRoughly(const ksiConvergedSolution *s)
{
    KSI_TRY(ksiSystemCheckRefused(s->solver->system));
    const ksStatus status =
        s->island->isTree ? ksiSystemSolveTree(s->solver->system, s->gauss, NULL) : KS_ERROR_UNAVAILABLE;
    return status == KS_ERROR_UNAVAILABLE ? ksiSystemSolveRoughly(s->solver->system, s->gauss) : status;
}

/* Multipliers `gauss`, by the range-space route; of trees without bounds, by their own
 * factorisation. The search for rows at bounds refines them; without bounds they are not refined.
 * isByCore: the core will solve the island, so this function only sets up the equations, and
 * finds the rows at bounds. */
static ksStatus solveRangeSpace(const ksiConvergedSolution *s, ksiConverged *out, bool isByCore)
{
    ksiFoundSet found = {.places = out->places, .multiplier = s->gauss, .acceleration = s->acceleration};
    if (s->island->isBounded) {
        const ksStatus status = ksiFindActiveSet(s->step, s->solver, s->index, &found);
        out->island[s->index].boundNoise = found.boundNoise;
        return status;
    }
    ksiTakeReportedPlaces(s->step, s->index, out->places);
    KSI_TRY(ksiBuildSystem(s->step, s->solver, s->index, out->places));
    return isByCore ? KS_OK : solveRoughly(s);
}

KSI_CLONES
static bool isRough(const ksiConvergedSolution *s)
{
    const double *gauss = s->gauss, *paulus = s->paulus, *bar = s->bar;
    ksiFourBits rough = {0};
    bool any = false;
    size_t l = 0;
    for (; l + 4 <= s->rows; l += 4) {
        const ksiFour difference = *(const ksiFour *)(gauss + l) - *(const ksiFour *)(paulus + l);
        const ksiFour most = mostApart * *(const ksiFour *)(bar + l);
        rough |= (ksiFourBits)(difference > most) | (ksiFourBits)(-difference > most);
    }
    for (; l < s->rows; l++)
        any |= fabs(gauss[l] - paulus[l]) > mostApart * bar[l];
    return any || (rough[0] | rough[1] | rough[2] | rough[3]);
}

/* Runs after the engine's motion was measured: the memory of `observed` serves as scratch. */
static void certify(const ksiConvergedSolution *s, ksiIslandConverged *island)
{
    if (!ksiCertify(s, s->observed, &island->gap))
        island->reasons |= KS_REASON_GAP;
}

/* Error bars of both routes. */
static ksStatus compareRoutes(const ksiConvergedSolution *s, ksiConverged *out)
{
    ksSystem *system = s->solver->system;
    const bool shared = s->free.island->selfStressCount > 0;
    const bool given = s->free.island->isPosed;
    bool differs = false;
    if (shared)
        KSI_TRY(ksiSystemRefine(system, s->gauss));
    certify(s, &out->island[s->index]);
    if (shared && !given)
        KSI_TRY(ksiProjectEngineSelfStress(s));
    else
        KSI_TRY(ksiSystemErrorBars(system, KSI_STRESS_NONE, s->gauss, s->paulus, s->bar));
    if (!shared && !ksiSystemIsRefined(system) && isRough(s)) {
        KSI_TRY(ksiSystemRefine(system, s->gauss));
        KSI_TRY(ksiSystemErrorBars(system, KSI_STRESS_NONE, s->gauss, s->paulus, s->bar));
    }
    KSI_TRY(ksiCheckRelaxed(s->step, s->solver, s->index, false, s->paulus, s->bar, &differs));
    if (differs)
        out->island[s->index].reasons |= KS_REASON_RELAXED;
    const double *size2 = NULL;
    if (shared && given) {
        const ksStatus status = ksiGiveEngineSelfStress(s, false, &size2);
        KSI_TRY(status == KS_ERROR_SINGULAR ? ksiProjectEngineSelfStress(s) : status);
    }
    return ksiSystemRelaxedSizes(system, shared ? KSI_STRESS_PROJECTED : KSI_STRESS_NONE, size2, s->relaxed);
}

/* After the first route: the null-space route and the bars. */
static ksStatus convergeByRoutes(const ksiConvergedSolution *s, ksiConverged *out)
{
    ksGaussMeasure measured;
    ksSystem *system = s->solver->system;
    ksiFoundSet found = {.places = out->places,
                         .multiplier = s->paulus,
                         .acceleration = s->acceleration,
                         .boundNoise = out->island[s->index].boundNoise};
    ksiSystemObserve(system, s->observed, s->reference);
    ksStatus status = ksiSystemSolvePaulus(system, s->paulus, s->acceleration);
    // the distance of the engine's motion from the solution
    if (!status)
        status = ksiSystemMeasure(system, s->observed, s->reference, &measured);
    // the observed vectors are in scratch memory, which other islands overwrite
    ksiSystemObserve(system, NULL, NULL);
    KSI_TRY(status);
    // a tree whose solution has lost digits
    if (s->island->isTree && !s->island->isBounded && !ksiSystemIsWalked(system) && ksiSystemIsRefined(system))
        KSI_TRY(ksiSystemSolveRoughly(system, s->gauss));
    KSI_TRY(ksiFreeDegenerateRows(s->step, s->solver, s->index, false, &found));
    KSI_TRY(ksiFindDeterminacy(s->step, s->solver, s->index, out->places, &s->free));
    KSI_TRY(ksiVerifyActiveSet(s->step, s->solver, s->index, s->free.joint, &found));
    KSI_TRY(compareRoutes(s, out));
    out->island[s->index].measure = measured;
    return KS_OK;
}

static ksStatus converge(const ksiConvergedSolution *s, ksiConverged *out)
{
    bool isSolved = false;
    takeReference(s);
    if (hasCore(s)) {
        KSI_TRY(ksiSolvePosedStep(s, out, &isSolved));
        KSI_TRY(isSolved ? KS_OK : solveRangeSpace(s, out, false));
    }
    KSI_TRY(isSolved ? KS_OK : convergeByRoutes(s, out));
    scatter(s, out);
    return KS_OK;
}

ksReasons ksiReasonOf(const ksiStep *step, int index, ksStatus status)
{
    switch (status) {
    case KS_ERROR_BOUND:
        return ksiIslandHasFriction(step, index) ? KS_REASON_FRICTION : KS_REASON_BOUND;
    case KS_ERROR_UNAVAILABLE:
        return KS_REASON_BUDGET;
    case KS_ERROR_NO_MEMORY:
        return KS_REASON_MEMORY;
    case KS_ERROR_NOT_FINITE:
        return KS_REASON_NOT_FINITE;
    case KS_ERROR_NOT_POSITIVE_DEFINITE:
        return KS_REASON_MASS;
    case KS_ERROR_BAD_ARGUMENT:  // a negative CFM
        return KS_REASON_UNREADABLE;
    default:
        return KS_REASON_REDUNDANT;  // singular or contradicting rows
    }
}

/* Divides the solver's scratch memory among the vectors of an island. */
static ksiConvergedSolution beginSolution(const ksiStep *step, ksiSolver *solver, int index, ksiConverged *out,
                                          ksiFreeWrenches *wrenches)
{
    ksiConvergedSolution s = {.step = step, .solver = solver, .index = index, .island = &step->island[index]};
    s.rows = (size_t)s.island->rowCount;
    s.free = (ksiFreeResult){&out->free.island[index], out->free.joint, wrenches};
    s.gauss = solver->scratch;
    s.paulus = s.gauss + s.rows;
    s.reference = s.paulus + s.rows;
    s.bar = s.reference + s.rows;
    s.relaxed = s.bar + s.rows;
    s.acceleration = s.relaxed + s.rows;
    s.observed = s.acceleration + 6 * (size_t)s.island->bodyCount;
    return s;
}

static ksStatus finish(const ksiStep *step, int index, ksStatus status, ksiConverged *out)
{
    if (status)
        out->island[index].reasons |= ksiReasonOf(step, index, status);
    return status == KS_ERROR_NO_MEMORY ? status : KS_OK;
}

ksStatus ksiSolveRangeSpace(const ksiStep *step, ksiSolver *solver, int index, ksiConverged *out)
{
    ksiIslandConverged *island = &out->island[index];
    island->reasons = step->island[index].obstacles | step->islandPhysical[index].reasons;
    if (ksiIsOverBudget(step, index))
        island->reasons |= KS_REASON_BUDGET;
    if (!(step->options.values & KS_COMPUTE_CONVERGED))
        island->reasons |= KS_REASON_NOT_ASKED;
    if (island->reasons)
        return KS_OK;
    ksStatus status = ksiReserveScratch(step, solver, index);
    if (!status) {
        const ksiConvergedSolution s = beginSolution(step, solver, index, out, NULL);
        status = solveRangeSpace(&s, out, hasCore(&s));
    }
    return finish(step, index, status, out);
}

ksStatus ksiSolveConverged(const ksiStep *step, ksiSolver *solver, int index, ksiConverged *out,
                           ksiFreeWrenches *wrenches)
{
    if (out->island[index].reasons)
        return KS_OK;
    const ksiConvergedSolution s = beginSolution(step, solver, index, out, wrenches);
    return finish(step, index, converge(&s, out), out);
}

void ksiClearConverged(const ksiStep *step, ksiConverged *out)
{
    for (size_t i = 0; i < step->islands->count; i++) {
        out->island[i] = (ksiIslandConverged){.load = step->island[i].load};
        out->free.island[i] = (ksiIslandFree){0};
    }
    for (size_t i = 0; i < step->jointCount; i++) {
        out->joint[i].isKnown = false;
        out->free.joint[i] = (ksiJointFree){0};
    }
}

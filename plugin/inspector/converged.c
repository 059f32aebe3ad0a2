/* converged.c  Phases 5 and 6: the engine's own step equations, solved exactly by both routes once it is known which rows lie at a
 * bound; what is determined of them, and how far the engine's motion is from theirs. */
#include "solver.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

/* Of an error bar. A range-space solution that is farther from the other one is refined: it would make nearly all of the bar,
 * ten times what that one's rounding does. */
static const double mostApart = 10.0 / 11;

/* One island's solution on the way. */
typedef struct Solution {
    const ksiStep *step;
    ksiSolver *solver;
    int index;
    const ksiIsland *island;
    size_t rows;
    ksiFreeResult free;              /* where it goes */
    double *gauss, *paulus, *bar;    /* [rows] multipliers of both routes, and bars */
    double *reference;               /* [rows] those of the engine */
    double *acceleration, *observed; /* [coordinates] of the solution, and of the engine */
} Solution;

void ksiEngineAcceleration(const ksiStep *step, int index, double *acceleration)
{
    const ksiIsland *island = &step->island[index];
    const double perStep = 1 / step->h;
    for (int i = 0; i < island->bodyCount; i++) {
        const int body = ksiIslandBody(step, island, i);
        for (int k = 0; k < 6; k++)
            acceleration[6 * step->bodyMember[body].block + k] =
                (step->motion[body].undamped[k] - step->body[body].begin.velocity[k]) * perStep;
    }
}

/* The engine's motion and multipliers. */
static void observe(const Solution *s)
{
    ksiEngineAcceleration(s->step, s->index, s->observed);
    for (int i = 0; i < s->island->jointCount; i++) {
        const int joint = ksiIslandJoint(s->step, s->island, i), *row = s->solver->layout[joint].row;
        for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
            if (row[l] >= 0)
                s->reference[row[l]] = s->step->report[joint].multiplier[l];
        }
    }
    ksiSystemObserve(s->solver->system, s->observed, s->reference);
}

static void takeLoad(const ksiStep *step, int index, double load, ksiConverged *out)
{
    ksiIslandConverged *island = &out->island[step->member[index].island];
    load = ksiLarger(load, step->report[index].load);
    island->load = ksiLarger(island->load, load);
    for (int side = 0; side < 2; side++) {
        const int body = step->member[index].link[side];
        if (body >= 0)
            out->body[body].leastJoint = ksiSmaller(out->body[body].leastJoint, load);
    }
}

/* A solution is complete. */
static void scatter(const Solution *s, ksiConverged *out)
{
    const ksiStep *step = s->step;
    for (int i = 0; i < s->island->bodyCount; i++) {
        const int index = ksiIslandBody(step, s->island, i);
        ksiBodyConverged *body = &out->body[index];
        memcpy(body->acceleration, s->acceleration + 6 * (size_t)step->bodyMember[index].block,
               sizeof body->acceleration);
        body->leastJoint = INFINITY;
    }
    for (int i = 0; i < s->island->jointCount; i++) {
        const int index = ksiIslandJoint(step, s->island, i), *row = s->solver->layout[index].row;
        ksiJointConverged *joint = &out->joint[index];
        for (int l = 0; l < step->joint[index].rows.count; l++) {
            const int at = row[l];
            joint->gauss[l] = at < 0 ? 0 : s->gauss[at];
            joint->paulus[l] = at < 0 ? 0 : s->paulus[at];
            joint->bar[l] = at < 0 ? 0 : s->bar[at];
        }
        ksiFindDeviation(step, index, &out->free.joint[index], joint->paulus, &joint->deviation, &joint->determined);
        joint->isKnown = true;
        takeLoad(step, index, joint->deviation.size, out);
    }
    out->island[s->index].isSolved = true;
}

static void addMeasure(ksGaussMeasure *sum, const ksGaussMeasure *measured)
{
    sum->constraint += measured->constraint;
    sum->unexplained += measured->unexplained;
    sum->solverError += measured->solverError;
}

/* Multipliers by the range-space route. The search for rows at bounds refines them; without bounds they stay rough. */
static ksStatus solveRangeSpace(const Solution *s, ksiConverged *out)
{
    ksiSearch search = {.places = out->places, .multiplier = s->gauss, .acceleration = s->acceleration};
    if (s->island->isBounded) {
        const ksStatus status = ksiFindActiveSet(s->step, s->solver, s->index, &search);
        out->island[s->index].boundNoise = search.boundNoise;
        return status;
    }
    ksiTakeReportedPlaces(s->step, s->index, out->places);
    const ksStatus status = ksiBuildSystem(s->step, s->solver, s->index, out->places);
    return status ? status : ksiSystemSolveRoughly(s->solver->system, s->gauss);
}

KSI_CLONES
static bool isRough(const Solution *s)
{
    const double *gauss = s->gauss, *paulus = s->paulus, *bar = s->bar;
    ksiFourBits rough = {0};
    bool any = false;
    size_t l = 0;
    for (; l + 4 <= s->rows; l += 4) {
        const ksiFour apart = *(const ksiFour *)(gauss + l) - *(const ksiFour *)(paulus + l);
        const ksiFour most = mostApart * *(const ksiFour *)(bar + l);
        rough |= (ksiFourBits)(apart > most) | (ksiFourBits)(-apart > most);
    }
    for (; l < s->rows; l++)
        any |= fabs(gauss[l] - paulus[l]) > mostApart * bar[l];
    return any || (rough[0] | rough[1] | rough[2] | rough[3]);
}

/* --- Self-stresses: what nobody can know of the split is the engine's --- */

/* A wrench without free directions is not shared: where contradicting rows are held by large opposing multipliers, it is what
 * these leave that makes its own part of them, and it stays the solution's, `exact`. own: the system has self-stresses where
 * the bodies are. */
static ksStatus project(const Solution *s, bool own, double *multiplier)
{
    double *exact = s->solver->exact;
    memcpy(exact, multiplier, s->rows * sizeof *exact);
    ksStatus status = KS_OK;
    if (own)
        status = ksiSystemProjectSelfStress(s->solver->system, s->reference, multiplier);
    for (int i = 0; !status && i < s->island->jointCount; i++) {
        const int joint = ksiIslandJoint(s->step, s->island, i), *row = s->solver->layout[joint].row;
        for (int l = 0; s->free.joint[joint].count == 0 && l < s->step->joint[joint].rows.count; l++)
            if (row[l] >= 0)
                multiplier[row[l]] = exact[row[l]];
    }
    return status;
}

/* Bars have what was taken out or put in of determinate rows, and of the determined part of what the others carry: in equal
 * parts, for each of these by itself is not determined. */
static void addMoved(const Solution *s, int joint)
{
    const ksiJointLayout *layout = &s->solver->layout[joint];
    const ksiJointFree *free = &s->free.joint[joint];
    const int rows = s->step->joint[joint].rows.count;
    double moved[KSI_MAX_ROWS] = {0};
    int count = 0;
    for (int l = 0; l < rows; l++) {
        const int at = layout->row[l], isFree = free->undetermined >> l & 1 && layout->size[l] > 0;
        count += isFree;
        if (isFree)
            moved[l] = s->paulus[at] - s->solver->exact[at];
        else if (at >= 0)
            s->bar[at] += fabs(s->paulus[at] - s->solver->exact[at]);
    }
    const double size = count > 0 ? ksiDeterminedSize(s->step, joint, free, moved) / count : 0;
    for (int l = 0; l < rows; l++)
        if (free->undetermined >> l & 1 && layout->size[l] > 0)
            s->bar[layout->row[l]] += size / layout->size[l];
}

/* The engine's self-stress in place of both routes' own. */
static ksStatus projectBoth(const Solution *s)
{
    ksSystem *system = s->solver->system;
    int own = s->free.island->selfStressCount;
    ksStatus status = s->step->islandPhysical[s->index].isDrifted ? ksiSystemCountSelfStresses(system, &own) : KS_OK;
    if (!status)
        status = project(s, own > 0, s->gauss);
    if (!status)
        status = project(s, own > 0, s->paulus);
    if (!status)
        status = own > 0 ? ksiSystemProjectedErrorBars(system, s->gauss, s->paulus, s->bar)
                         : ksiSystemErrorBars(system, s->gauss, s->paulus, s->bar);
    for (int i = 0; !status && i < s->island->jointCount; i++) {
        const int joint = ksiIslandJoint(s->step, s->island, i);
        if (s->free.joint[joint].count > 0)
            addMoved(s, joint);
    }
    return status;
}

static void copyRows(const Solution *s, int joint, const Solution *from)
{
    for (int l = 0; l < s->step->joint[joint].rows.count; l++) {
        const int at = s->solver->layout[joint].row[l];
        if (at < 0)
            continue;
        s->gauss[at] = from->gauss[at];
        s->paulus[at] = from->paulus[at];
        s->bar[at] = from->bar[at];
    }
}

/* Where joints have drifted apart their self-stresses move the bodies, and with the engine's in place of the solution's the
 * determined parts of the joints that share them would be off by what that moves. What nobody can know is given up as an
 * equation for these: see given.c. Joints without free directions keep the solution's. */
static ksStatus giveSelfStress(const Solution *s)
{
    ksiSolver *solver = s->solver;
    ksSystem *system = solver->system;
    const size_t rows = s->rows, count = (size_t)s->free.island->selfStressCount;
    ksStatus status = ksiReserve(&s->step->allocator, &solver->given, &solver->givenCapacity,
                                 (count + 3) * rows + count, sizeof *solver->given);
    if (status)
        return status;
    double *combination = solver->given, *value = combination + count * rows;
    Solution given = *s;
    given.gauss = value + count;
    given.paulus = given.gauss + rows;
    given.bar = given.paulus + rows;
    ksiPosedCombinations(s->step, solver, s->index, combination);
    memset(value, 0, count * sizeof *value);
    for (size_t k = 0; k < count; k++)
        for (size_t l = 0; l < rows; l++)
            value[k] += combination[k * rows + l] * s->reference[l];
    memcpy(given.gauss, s->gauss, rows * sizeof *given.gauss);
    memcpy(given.paulus, s->paulus, rows * sizeof *given.paulus);
    status = ksiSystemGive(system, 0, (int)count, combination, value, given.gauss);
    if (!status)
        status = ksiSystemGive(system, 1, (int)count, combination, value, given.paulus);
    if (!status)
        status = ksiSystemGivenErrorBars(system, given.gauss, given.paulus, given.bar);
    for (int i = 0; !status && i < s->island->jointCount; i++) {
        const int joint = ksiIslandJoint(s->step, s->island, i);
        if (s->free.joint[joint].count > 0)
            copyRows(s, joint, &given);
    }
    return status;
}

/* Error bars of both routes. */
static ksStatus compareRoutes(const Solution *s, ksiConverged *out)
{
    ksSystem *system = s->solver->system;
    const bool shared = s->free.island->selfStressCount > 0;
    const bool given = ksiIsPosed(s->step, &s->solver->pose, s->index, out->places);
    bool differs = false;
    ksStatus status = shared ? ksiSystemRefine(system, s->gauss) : KS_OK;
    if (!status && shared && !given)
        status = projectBoth(s);
    else if (!status)
        status = ksiSystemErrorBars(system, s->gauss, s->paulus, s->bar);
    if (!status && !shared && !ksiSystemIsRefined(system) && isRough(s)) {
        status = ksiSystemRefine(system, s->gauss);
        if (!status)
            status = ksiSystemErrorBars(system, s->gauss, s->paulus, s->bar);
    }
    if (!status)
        status = ksiCheckRelaxed(s->step, s->solver, s->index, s->paulus, s->bar, &differs);
    if (differs)
        out->island[s->index].reasons |= KS_REASON_RELAXED;
    if (!status && shared && given) {
        status = giveSelfStress(s);
        if (status == KS_ERROR_SINGULAR)
            status = projectBoth(s);
    }
    return status;
}

static ksStatus converge(const Solution *s, ksiConverged *out)
{
    ksGaussMeasure measured;
    ksSystem *system = s->solver->system;
    ksiSearch search = {.places = out->places,
                        .multiplier = s->paulus,
                        .acceleration = s->acceleration,
                        .boundNoise = out->island[s->index].boundNoise};
    observe(s);
    ksStatus status = ksiSystemSolvePaulus(system, s->paulus, s->acceleration);
    // how far the engine is from the solution
    if (!status)
        status = ksiSystemMeasure(system, s->observed, s->reference, &measured);
    // it lies in scratch that serves other islands too
    ksiSystemObserve(system, NULL, NULL);
    if (!status)
        status = ksiFreeDegenerateRows(s->step, s->solver, s->index, &search);
    if (!status)
        status = ksiFindDeterminacy(s->step, s->solver, s->index, out->places, &s->free);
    if (!status)
        status = compareRoutes(s, out);
    if (status)
        return status;
    scatter(s, out);
    addMeasure(&out->measure, &measured);
    return KS_OK;
}

static unsigned reasonOf(const ksiStep *step, int index, ksStatus status)
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
    default:
        return KS_REASON_REDUNDANT;  // singular or contradicting rows
    }
}

/* The room for an island's vectors, shared out. */
static Solution begin(const ksiStep *step, ksiSolver *solver, int index, ksiConverged *out, ksiFreeWrenches *wrenches)
{
    Solution s = {.step = step, .solver = solver, .index = index, .island = &step->island[index]};
    s.rows = (size_t)s.island->rowCount;
    s.free = (ksiFreeResult){&out->free.island[index], out->free.joint, wrenches};
    s.gauss = solver->scratch;
    s.paulus = s.gauss + s.rows;
    s.reference = s.paulus + s.rows;
    s.bar = s.reference + s.rows;
    s.acceleration = s.bar + s.rows;
    s.observed = s.acceleration + 6 * (size_t)s.island->bodyCount;
    return s;
}

static ksStatus finish(const ksiStep *step, int index, ksStatus status, ksiConverged *out)
{
    if (status)
        out->island[index].reasons |= reasonOf(step, index, status);
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
        const Solution s = begin(step, solver, index, out, NULL);
        status = solveRangeSpace(&s, out);
    }
    return finish(step, index, status, out);
}

ksStatus ksiSolveConverged(const ksiStep *step, ksiSolver *solver, int index, ksiConverged *out,
                           ksiFreeWrenches *wrenches)
{
    if (out->island[index].reasons)
        return KS_OK;
    const Solution s = begin(step, solver, index, out, wrenches);
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
    out->measure = (ksGaussMeasure){0};
}

/* --- The step's equations again, for queries --- */

/* Of an island that was not solved: with the rows at bounds that are found now. */
static ksStatus setUpQueried(const ksiStep *step, ksiSolver *solver, int index)
{
    ksStatus status = ksiReserveScratch(step, solver, index);
    if (status)
        return status;
    ksiSearch search = {.places = solver->queried,
                        .multiplier = solver->scratch,
                        .acceleration = solver->scratch + step->island[index].rowCount};
    if (step->island[index].isBounded) {
        status = ksiFindActiveSet(step, solver, index, &search);
        if (!status)
            status = ksiFreeDegenerateRows(step, solver, index, &search);
    } else {
        ksiTakeReportedPlaces(step, index, solver->queried);
        status = ksiBuildSystem(step, solver, index, solver->queried);
    }
    if (!status)
        solver->standing = KSI_QUERIED_EQUATIONS;
    return status == KS_ERROR_BOUND || status == KS_ERROR_INCONSISTENT ? KS_ERROR_UNAVAILABLE : status;
}

ksStatus ksiRestoreSystem(const ksiStep *step, ksiSolver *solver, int index, const ksiPlaces **places)
{
    const ksiIslandConverged *island = &step->islandConverged[index];
    const ksiStanding standing = ksiStandingOf(solver, index);
    *places = island->isSolved ? step->convergedPlaces : solver->queried;
    // converged values that were not asked for can be had all the same
    if (island->reasons & ~(unsigned)KS_REASON_NOT_ASKED)
        return KS_ERROR_UNAVAILABLE;
    if (standing == (island->isSolved ? KSI_CONVERGED_EQUATIONS : KSI_QUERIED_EQUATIONS))
        return KS_OK;
    return island->isSolved ? ksiBuildSystem(step, solver, index, *places) : setUpQueried(step, solver, index);
}

/* bounds.c  Phase 7: finds the rows at a bound in the exact solution of the step's equations.
 *
 * Friction of solved contacts: dWorldStep first solves without the rows whose bounds depend on a
 * normal force. Then it freezes these bounds at mu times the normal forces that it has found. In
 * dWorldQuickStep, bounds follow the normal forces of the same solution, and such a solution need
 * not exist or be unique. So for dWorldQuickStep the bounds are mu times the reported normal
 * forces.
 *
 * In the first stage, only the compliance `s`, however small, determines how redundant contacts
 * share their load: a residual of size `w` shifts a share by w/s. So rounding leaves it uncertain
 * whether such a row is at a bound. If the engine's friction equals a frozen bound to within
 * rounding, the friction replaces this bound. The search begins with the engine's own active
 * set. */
#include "../../mechanics/bounds/friction.h"
#include "../read/bound_state.h"
#include "../solver.h"

#include <math.h>

/* If rounding may change a bound by more than this share of the island's load, the engine's
 * friction does not replace computed bounds. This limit is a thousand times the effect of rounding
 * at the engine's default CFM of 1e-10. */
static const double mostNoise = 1e-4;

/* The search for the active set of an island. */
typedef struct Search {
    const ksiStep *step;
    const ksiIsland *island;
    ksiSolver *solver;
    ksiFoundSet *found;
    ksiActiveSet set;
} Search;

/* A bounded row: its data in the joint, and its data in the active set. */
typedef struct Bounded {
    int joint, l;
    const ksiRow *row;
    ksiPlaces *places;
    ksiBoundedRow *at;
    double *noise; /* effect of rounding on the engine's friction bound */
} Bounded;

/* Iterates over all bounded rows; {0} at the start. */
typedef struct Visit {
    int joint, l, count;
} Visit;

static bool next(const Search *s, Visit *visit, Bounded *bounded)
{
    for (; visit->joint < s->island->jointCount; visit->joint++, visit->l = 0) {
        const int joint = ksiIslandJoint(s->step, s->island, visit->joint);
        const ksiRows *rows = &s->step->joint[joint].rows;
        while (s->step->joint[joint].isBounded && visit->l < rows->count) {
            const int l = visit->l++;
            if (s->step->reportPlaces[joint].place[l] == KS_INACTIVE || !ksiRowHasBounds(&rows->row[l]))
                continue;
            *bounded = (Bounded){.joint = joint,
                                 .l = l,
                                 .row = &rows->row[l],
                                 .places = &s->found->places[joint],
                                 .at = &s->solver->boundedRow[visit->count],
                                 .noise = &s->solver->boundNoise[visit->count]};
            visit->count++;
            return true;
        }
    }
    return false;
}

/* Iterates over the rows whose bounds depend on a normal force. */
static bool nextFriction(const Search *s, Visit *visit, Bounded *bounded)
{
    while (next(s, visit, bounded)) {
        if (bounded->row->findex >= 0)
            return true;
    }
    return false;
}

/* The sum of the sizes of the terms of beta = (c - J v)/h */
static double sizeOfTerms(const ksiStep *step, const ksiJointInput *joint, int l)
{
    const ksiRow *row = &joint->rows.row[l];
    double terms = fabs(row->c);
    for (int side = 0; side < 2; side++)
        for (int k = 0; joint->bodyIndex[side] >= 0 && k < 6; k++)
            terms += fabs(row->jacobian[side][k] * step->body[joint->bodyIndex[side]].begin.velocity[k]);
    return terms / step->h;
}

static ksiBoundedRow boundedRow(const Search *s, int joint, int l)
{
    const ksiPlaces *places = &s->found->places[joint];
    return (ksiBoundedRow){.row = s->solver->layout[joint].row[l],
                           .low = places->low[l],
                           .high = places->high[l],
                           .place = places->place[l],
                           .terms = sizeOfTerms(s->step, &s->step->joint[joint], l)};
}

static Search beginSearch(const ksiStep *step, ksiSolver *solver, int index, ksiFoundSet *found)
{
    Search s = {.step = step, .solver = solver, .island = &step->island[index], .found = found};
    s.set = (ksiActiveSet){.system = solver->system,
                           .bounded = solver->boundedRow,
                           .multiplier = found->multiplier,
                           .acceleration = found->acceleration,
                           .allowed = (double)step->options.searchRounds + 2.0 * s.island->rowCount};
    Visit visit = {0};
    for (Bounded bounded; next(&s, &visit, &bounded); s.set.count++)
        *bounded.at = boundedRow(&s, bounded.joint, bounded.l);
    KSI_EACH_ISLAND_BODY (step, s.island, i, body)
        s.set.outerLoad = fmax(s.set.outerLoad, ksiLargestForce(step, body));
    return s;
}

/* Writes the places of the set to the joints. */
static void writePlaces(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; next(s, &visit, &bounded);) {
        bounded.places->place[bounded.l] = bounded.at->place;
        bounded.places->degenerate[bounded.l] = bounded.at->degenerate;
        bounded.places->low[bounded.l] = bounded.at->low;
        bounded.places->high[bounded.l] = bounded.at->high;
    }
}

/* Writes the resulting places to the joints; without a result, the reported places. */
static ksStatus end(const Search *s, int index, ksStatus status)
{
    writePlaces(s);
    if (status) {
        ksiTakeReportedPlaces(s->step, index, s->found->places);
        s->solver->systemState = KSI_OTHER_EQUATIONS;
    }
    return status;
}

/* Places each row where the engine's multiplier is: inside or at the present bounds. */
static void startFromReport(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; next(s, &visit, &bounded);) {
        ksiBoundedRow *at = bounded.at;
        const ksiRows *rows = &s->step->joint[bounded.joint].rows;
        const double *multiplier = s->step->report[bounded.joint].multiplier;
        at->place = ksiPlaceBetween(rows->count, rows->isSingle, multiplier, bounded.l, at->low, at->high);
        at->feasible = multiplier[bounded.l];
    }
}

static void leaveOut(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; nextFriction(s, &visit, &bounded);) {
        bounded.at->low = bounded.at->high = 0;
        bounded.at->place = KS_AT_LOW;
    }
}

/* The largest difference that rounding can make between the engine's normal force and the computed
 * one, N. Uses the determinacy of rows. */
static double normalNoise(const Search *s, int joint, int normal)
{
    const double compliance = s->step->joint[joint].rows.row[normal].cfm / s->step->h;
    const int at = s->solver->layout[joint].row[normal];
    double terms;
    if (at < 0 || s->solver->flag[at])
        return 0;
    const ksiBoundedRow row = boundedRow(s, joint, normal);
    ksiActiveSetResidual(&s->set, &row, &terms);
    return compliance > 0 ? KSI_RESIDUAL_ROUNDING * terms / compliance : INFINITY;
}

static void freeze(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; nextFriction(s, &visit, &bounded);) {
        const ksiJointLayout *layout = &s->solver->layout[bounded.joint];
        const int normal = bounded.row->findex, at = layout->row[normal];
        const double coefficient = fabs(bounded.row->hi);
        ksiSetFrictionBound(s->step, bounded.row, at < 0 ? 0 : s->set.multiplier[at], &bounded.at->low,
                            &bounded.at->high);
        *bounded.noise = 0;
        if (coefficient > 0 && !isinf(coefficient))
            *bounded.noise = coefficient * normalNoise(s, bounded.joint, normal);
        s->found->boundNoise = fmax(s->found->boundNoise, *bounded.noise * layout->size[bounded.l]);
    }
}

/* Solves the stage of dWorldStep without friction, and finds the bounds from its normal forces. */
static ksStatus freezeFriction(Search *s)
{
    s->found->boundNoise = 0;
    leaveOut(s);
    KSI_TRY(ksiActiveSetSearch(&s->set));
    KSI_TRY(ksiActiveSetFreeDegenerate(&s->set, &(ksiUniqueness){s->solver->flag, NULL, NULL}));
    KSI_TRY(ksiSystemGetDeterminacy(s->set.system, s->solver->flag, NULL));
    freeze(s);
    return KS_OK;
}

/* Replaces frozen bounds by the engine's friction where both are equal to within rounding; true: a
 * bound was replaced. */
static bool takeFrozenBounds(const Search *s)
{
    Visit visit = {0};
    Bounded bounded;
    bool taken = false;
    while (s->found->boundNoise <= mostNoise * s->set.load && next(s, &visit, &bounded)) {
        ksiBoundedRow *at = bounded.at;
        const double theirs = fabs(s->step->report[bounded.joint].multiplier[bounded.l]);
        if (bounded.row->findex < 0 || at->place == KS_INSIDE || theirs == at->high ||
            !(fabs(theirs - at->high) <= *bounded.noise))
            continue;
        at->high = theirs;
        at->low = -theirs;
        taken = true;
    }
    return taken;
}

static ksStatus search(Search *s)
{
    const bool frozen = s->step->stepper == KS_WORLD_STEP && ksiIslandHasFriction(s->step, s->solver->island);
    startFromReport(s);
    KSI_TRY(frozen ? freezeFriction(s) : KS_OK);
    startFromReport(s);
    KSI_TRY(ksiActiveSetSearch(&s->set));
    return frozen && takeFrozenBounds(s) ? ksiActiveSetSearch(&s->set) : KS_OK;
}

void ksiTakeReportedPlaces(const ksiStep *step, int index, ksiPlaces *places)
{
    const ksiIsland *island = &step->island[index];
    KSI_EACH_JOINT (step, island, i, joint)
        places[joint] = step->reportPlaces[joint];
}

ksStatus ksiFindActiveSet(const ksiStep *step, ksiSolver *solver, int index, ksiFoundSet *found)
{
    ksiTakeReportedPlaces(step, index, found->places);
    KSI_TRY(ksiBuildSystem(step, solver, index, found->places));
    Search s = beginSearch(step, solver, index, found);
    return end(&s, index, search(&s));
}

static void letFrictionFollow(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; next(s, &visit, &bounded);) {
        const double coefficient = fabs(bounded.row->hi);
        const int normal = bounded.row->findex < 0 ? -1 : s->solver->layout[bounded.joint].row[bounded.row->findex];
        bounded.at->target = bounded.at->feasible;
        if (normal < 0 || isinf(coefficient))
            continue;
        bounded.at->normal = normal;
        bounded.at->friction = coefficient;
    }
}

/* Largest residual of the equations, relative to the largest force. */
static const double settled = 1e-8;

ksStatus ksiFindWithFriction(const ksiStep *step, ksiSolver *solver, int index, ksiFoundSet *found, double *open)
{
    ksiTakeReportedPlaces(step, index, found->places);
    KSI_TRY(ksiBuildSystem(step, solver, index, found->places));
    Search s = beginSearch(step, solver, index, found);
    startFromReport(&s);
    letFrictionFollow(&s);
    const ksStatus status = ksiFrictionSearch(&s.set, settled, step->options.frictionRounds, open);
    KSI_TRY(end(&s, index, status));
    solver->systemState = KSI_NOTHING;
    return KS_OK;
}

/* Finds the rows with unique multipliers by the self-stresses of the pose. */
static ksStatus findPosedUnique(void *of, int *determinate)
{
    const Search *s = of;
    const ksiStep *step = s->step;
    const int index = (int)(s->island - step->island);
    size_t rank;
    bool isPosed;
    writePlaces(s);
    KSI_TRY(ksiChoosePosed(step, s->solver, index, s->found->places, &rank, &isPosed));
    if (!isPosed)
        return KS_ERROR_UNAVAILABLE;
    KSI_EACH_JOINT (step, s->island, i, joint) {
        const unsigned shared = ksiPosedRows(step, &s->solver->pose, joint, i);
        for (int l = 0; l < step->joint[joint].rows.count; l++) {
            const int row = s->solver->layout[joint].row[l];
            if (row >= 0)
                determinate[row] = !(shared >> l & 1u);
        }
    }
    return KS_OK;
}

ksStatus ksiFreeDegenerateRows(const ksiStep *step, ksiSolver *solver, int index, bool isPosed, ksiFoundSet *found)
{
    if (!step->island[index].isBounded)
        return KS_OK;
    Search s = beginSearch(step, solver, index, found);
    const ksiUniqueness unique = {solver->flag, isPosed ? findPosedUnique : NULL, &s};
    return end(&s, index, ksiActiveSetFreeDegenerate(&s.set, &unique));
}

/* Largest violation, as in ksBoundedSolution: a row at a bound that counts as inside may move by
 * the root of its compliance times its force. */
static const double mostViolation = 1e-6;

ksStatus ksiVerifyActiveSet(const ksiStep *step, ksiSolver *solver, int index, const ksiJointFree *free,
                            ksiFoundSet *found)
{
    if (!step->island[index].isBounded)
        return KS_OK;
    double violation, margin;
    Search s = beginSearch(step, solver, index, found);
    Visit visit = {0};
    for (Bounded bounded; next(&s, &visit, &bounded);)
        bounded.at->isShared = free[bounded.joint].undetermined >> bounded.l & 1u;
    const ksStatus status = ksiActiveSetCertify(&s.set, &violation, &margin);
    return !status && !(violation <= mostViolation) ? KS_ERROR_BOUND : status;
}

bool ksiIslandHasFriction(const ksiStep *step, int index)
{
    const ksiIsland *island = &step->island[index];
    if (!island->isBounded)
        return false;
    KSI_EACH_ROW (step, island, i, joint, l)
        if (step->joint[joint].rows.row[l].findex >= 0 && step->reportPlaces[joint].place[l] != KS_INACTIVE)
            return true;
    return false;
}

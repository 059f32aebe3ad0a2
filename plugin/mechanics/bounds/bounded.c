/* bounded.c  Solves systems with unilateral constraints (ksSystemSolveBounded), and answers all
 * other queries to a system with bounds. During the search (active_set.c) and the query, rows at a
 * bound are known rows of the system. At the end they have their bounds again. */
#include "../system_private.h"

#include "../../base/fpguard.h"

#include <math.h>
#include <string.h>

/* Limits of a search, as documented: `fewest` and `perRow` for solutions, `dense` for dense
 * factorisations. Searches end by themselves; the limits bound their time. */
enum { fewest = 64, perRow = 2, dense = 8 };

/* Largest violation of a published solution, as documented: far above rounding. Beyond it, masses
 * or rows are too unequal for both routes. */
static const double mostViolation = 1e-9;

/* Results before they are published, and the rows' own bounds. */
typedef struct Work {
    double *gauss, *multiplier, *bar, *lo, *hi, *acceleration;
    ksRowPlace *place;
    int *determinate;
} Work;

static ksStatus reserve(ksSystem *system, Work *work)
{
    const size_t rows = (size_t)system->model.rowCount, coordinates = (size_t)system->model.coordinateCount;
    ksiBounded *kept = &system->bounded;
    KSI_TRY(ksiReserve(&system->allocator, &kept->row, &kept->capacity, rows + 1, sizeof *kept->row));
    KSI_TRY(ksiReserve(&system->allocator, &kept->place, &kept->placeCapacity, rows + 1, sizeof *kept->place));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &kept->work, 5 * rows + coordinates));
    KSI_TRY(ksiIntsReserve(&system->allocator, &kept->determinate, rows));
    double *at = kept->work;
    *work = (Work){.gauss = at,
                   .multiplier = at + rows,
                   .bar = at + 2 * rows,
                   .lo = at + 3 * rows,
                   .hi = at + 4 * rows,
                   .acceleration = at + 5 * rows,
                   .place = kept->place,
                   .determinate = kept->determinate};
    return KS_OK;
}

/* Any multiplier satisfies a row without entries if beta = 0; otherwise w = -beta, which a bound
 * may allow. */
static ksStatus holdEmptyRow(ksSystem *system, int row)
{
    double *lo = &system->model.lo[row], *hi = &system->model.hi[row];
    const double beta = system->model.beta[row], any = fmin(fmax(0, *lo), *hi);
    const double bound = beta < 0 ? *lo : beta > 0 ? *hi : any;
    if (!isfinite(bound)) {
        system->culprit = row;
        return KS_ERROR_INCONSISTENT;
    }
    *lo = *hi = bound;
    system->model.rowKnown[row] = 1;
    system->model.knownCount++;
    return KS_OK;
}

/* Moves the bounds to the search: the routes solve systems without bounds. */
static ksStatus takeBounds(ksSystem *system, ksiActiveSet *set)
{
    ksStatus status = KS_OK;
    system->model.boundedCount = 0;
    for (int l = 0; !status && l < system->model.rowCount; l++) {
        const double lo = system->model.lo[l], hi = system->model.hi[l];
        if (system->model.rowKnown[l] || (lo == -INFINITY && hi == INFINITY))
            continue;
        if (ksiRowIsEmpty(&system->model, l))
            status = holdEmptyRow(system, l);
        else
            set->bounded[set->count++] = (ksiBoundedRow){.row = l,
                                                         .low = lo,
                                                         .high = hi,
                                                         .feasible = fmin(fmax(0, lo), hi),
                                                         .terms = fabs(system->model.beta[l])};
    }
    ksiForget(system);
    return status;
}

void ksiSetBounds(ksSystem *system, const double *from, const double *to)
{
    system->model.knownCount = system->model.boundedCount = 0;
    for (int l = 0; l < system->model.rowCount; l++) {
        const double lo = from[l], hi = to[l];
        system->model.lo[l] = lo;
        system->model.hi[l] = hi;
        system->model.rowKnown[l] = lo == hi;
        system->model.knownCount += lo == hi;
        system->model.boundedCount += lo != hi && (isfinite(lo) || isfinite(hi));
    }
    ksiForget(system);
}

static void readPlaces(const ksiActiveSet *set, const Work *work)
{
    const ksSystem *system = set->system;
    for (int l = 0; l < system->model.rowCount; l++)
        work->place[l] = ksiRowIsEmpty(&system->model, l) ? KS_INACTIVE
                         : system->model.rowKnown[l]      ? KS_AT_LOW
                                                          : KS_INSIDE;
    for (int k = 0; k < set->count; k++)
        work->place[set->bounded[k].row] = set->bounded[k].place;
}

static ksStatus findUnique(ksiActiveSet *set, const Work *work)
{
    const ksSystem *system = set->system;
    KSI_TRY(ksiActiveSetFreeDegenerate(set, &(ksiUniqueness){work->determinate, NULL, NULL}));
    KSI_TRY(ksiSystemGetDeterminacy(set->system, work->determinate, NULL));
    for (int l = 0; l < system->model.rowCount; l++)
        if (ksiRowIsEmpty(&system->model, l) && work->lo[l] < work->hi[l] && system->model.beta[l] == 0)
            work->determinate[l] = 0;
    return KS_OK;
}

/* Finds the places by the range-space route, and certifies them with motion and multipliers of the
 * null-space route alone. */
static ksStatus search(ksiActiveSet *set, const Work *work, ksBoundedSolution *found)
{
    set->multiplier = work->gauss;
    set->acceleration = work->acceleration;
    const ksStatus status = ksiActiveSetSearch(set);
    found->solutions = set->spent;
    KSI_TRY(status);
    set->multiplier = work->multiplier;
    KSI_TRY(ksiActiveSetSolveWithin(set));
    KSI_TRY(ksiActiveSetCertify(set, &found->violation, &found->margin));
    return found->violation <= mostViolation ? KS_OK : KS_ERROR_SINGULAR;
}

static void copy(size_t count, size_t size, const void *from, void *to)
{
    if (to && count > 0)
        memcpy(to, from, count * size);
}

static void publish(const ksSystem *system, const Work *work, const ksBoundedSolution *found,
                    ksBoundedSolution *solution)
{
    const size_t rows = (size_t)system->model.rowCount;
    copy(rows, sizeof(double), work->multiplier, solution->multiplier);
    copy(rows, sizeof(double), work->bar, solution->bar);
    copy((size_t)system->model.coordinateCount, sizeof(double), work->acceleration, solution->acceleration);
    copy(rows, sizeof(ksRowPlace), work->place, solution->place);
    copy(rows, sizeof(int), work->determinate, solution->determinate);
    solution->violation = found->violation;
    solution->margin = found->margin;
    solution->solutions = found->solutions;
}

/* The query that runs while the rows at bounds are known. */
typedef struct Question {
    ksBoundedSolution *solution; /* or NULL: */
    ksiCall *call;
    void *context;
} Question;

static ksStatus answer(ksiActiveSet *set, const Work *work, ksBoundedSolution *found, const Question *question)
{
    ksSystem *system = set->system;
    if (!question->solution)
        return question->call(system, question->context);
    KSI_TRY(ksiSystemSolveGauss(system, work->gauss, NULL));
    KSI_TRY(ksiSystemErrorBars(system, KSI_STRESS_NONE, work->gauss, work->multiplier, work->bar));
    readPlaces(set, work);
    KSI_TRY(findUnique(set, work));
    publish(system, work, found, question->solution);
    return KS_OK;
}

static ksStatus ask(ksSystem *system, double allowed, const Question *question)
{
    Work work;
    KSI_TRY(reserve(system, &work));
    ksBoundedSolution found = {0};
    ksiActiveSet set = {.system = system, .bounded = system->bounded.row, .allowed = allowed};
    copy((size_t)system->model.rowCount, sizeof(double), system->model.lo, work.lo);
    copy((size_t)system->model.rowCount, sizeof(double), system->model.hi, work.hi);
    ksStatus status = takeBounds(system, &set);
    if (!status)
        status = search(&set, &work, &found);
    if (!status)
        status = answer(&set, &work, &found, question);
    const int culprit = system->culprit;
    ksiSetBounds(system, work.lo, work.hi);
    system->culprit = culprit;
    return status;
}

ksStatus ksiSystemSolveBounded(ksSystem *system, double allowed, ksBoundedSolution *solution)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE_POINTER(solution);
    return ask(system, allowed, &(Question){.solution = solution});
}

static double mostSolutions(const ksSystem *system)
{
    const double rows = ksSystemRowCount(system);
    return fewest + perRow * rows + dense * rows * rows / KSI_ROUND_WORK;
}

/* A bilateral solution within the bounds is the bounded solution. */
ksStatus ksiWithinBounds(ksSystem *system, ksiCall *call, void *context)
{
    if (system->model.boundedCount == 0)
        return call(system, context);
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->routes, 3 * (size_t)system->model.rowCount));
    const ksStatus status = ksiSystemSolvePaulus(system, system->routes, NULL);
    if (!status)
        return call(system, context);
    if (status != KS_ERROR_BOUND && status != KS_ERROR_INCONSISTENT)
        return status;
    system->culprit = -1;
    return ask(system, mostSolutions(system), &(Question){.call = call, .context = context});
}

ksStatus ksSystemSolveBounded(ksSystem *system, ksBoundedSolution *solution)
{
    KSI_RETURN_OF_SYSTEM(system, ksiSystemSolveBounded(system, mostSolutions(system), solution));
}

static ksStatus solveMotion(ksSystem *system, double *acceleration)
{
    KSI_REQUIRE_SYSTEM(system);
    KSI_REQUIRE(acceleration || system->model.coordinateCount == 0, "acceleration is NULL");
    return ksiWithinBounds(system, ksiSolveMotion, acceleration);
}

ksStatus ksSystemSolveMotion(ksSystem *system, double *acceleration)
{
    KSI_RETURN_OF_SYSTEM(system, solveMotion(system, acceleration));
}

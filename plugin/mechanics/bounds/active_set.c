/* active_set.c  Finds which rows lie at their bounds. This is a box-constrained complementarity
 * problem, see active_set.h.
 *
 * All rows that fail are exchanged at once (block principal pivoting, Judice and Pires 1994). From
 * a good set this takes a few rounds. If the number of failures stops falling, the equivalent
 * quadratic program is solved,
 *
 *     min 1/2 lambda^T (A + S) lambda - lambda^T (beta - J M^-1 f)     over low <= lambda <= high,
 *
 * which is the dual of Gauss's principle under inequalities. The method is active sets (Stark and
 * Parker 1995). The search goes from feasible multipliers towards the minimum of the free rows, up
 * to the first bound. At the minimum, it frees the row whose residual has the wrong sign and the
 * largest size. The minimum falls with every step, so this ends, even if only compliance keeps rows
 * from being redundant. On such rows, single exchanges would wander for thousands of rounds. Free
 * rows that contradict each other have no minimum: the search then moves along the self-stress that
 * their contradiction loads. If no bound stops it, no motion satisfies all rows. */
#include "active_set_solution.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* If a free row would move by less than this share of its terms, it may count as inside even at its
 * bound. The share is far above rounding and the compliance of redundant rows, and far below any
 * motion that matters. */
static const double degenerateTolerance = 1e-8;

/* Rows that hold contradict each other if a residual exceeds this share of its terms: four digits
 * above rounding. Walls that differ by less under loads of these sizes are one wall. */
static const double heldTolerance = 1e-12;

/* Rounds without fewer failures before exchanges give way to active sets. Fewer rounds waste good
 * starts, since active sets free one row at a time; more rounds waste solutions when exchanges
 * cycle. */
enum { patience = 2 };

/* How far the residual is on the wrong side of zero; 0: within its tolerance. */
static double wrongResidual(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    double terms, w = ksiActiveSetResidual(set, at, &terms);
    double wrong = at->place == KS_AT_LOW ? -w : w;
    return wrong > fmax(KSI_RESIDUAL_ROUNDING, set->noise) * terms ? wrong : 0;
}

/* The row's place according to this solution. */
static ksRowPlace wantedPlace(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    if (at->low == at->high)
        return KS_AT_LOW;
    if (at->place == KS_INSIDE) {
        const double lambda = set->multiplier[at->row], slack = ksiMultiplierSlack(set, at->row);
        return lambda < at->low - slack ? KS_AT_LOW : lambda > at->high + slack ? KS_AT_HIGH : KS_INSIDE;
    }
    return wrongResidual(set, at) > 0 ? KS_INSIDE : at->place;
}

/* New place of a row that contradicts others: a row that moves away from a bound goes to that
 * bound, and becomes inactive. */
static ksRowPlace placeOfContradicted(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    double terms;
    const double w = ksiActiveSetResidual(set, at, &terms);
    if (fabs(w) <= heldTolerance * terms)
        return KS_INSIDE;
    return w > 0 && isfinite(at->low) ? KS_AT_LOW : w < 0 && isfinite(at->high) ? KS_AT_HIGH : KS_INSIDE;
}

/* Exchanges the rows that fail; returns their number. */
static int exchange(ksiActiveSet *set, bool isContradicted)
{
    int failures = 0;
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        ksRowPlace wanted = wantedPlace(set, at);
        if (isContradicted && at->place == KS_INSIDE && wanted == KS_INSIDE)
            wanted = placeOfContradicted(set, at);
        failures += wanted != at->place;
        at->place = wanted;
    }
    return failures;
}

static void moveWithinBounds(ksiActiveSet *set)
{
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        const double slack = ksiMultiplierSlack(set, at->row);
        at->place = at->feasible <= at->low + slack    ? KS_AT_LOW
                    : at->feasible >= at->high - slack ? KS_AT_HIGH
                                                       : KS_INSIDE;
        at->feasible = fmin(fmax(at->feasible, at->low), at->high);
    }
}

/* *first: the row that meets its bound first on the way to this solution. Returns the fraction of
 * the way; 1: no row does. */
static double firstBound(const ksiActiveSet *set, ksiBoundedRow **first)
{
    double part = 1;
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        const ksRowPlace wanted = wantedPlace(set, at);
        if (at->place != KS_INSIDE || wanted == KS_INSIDE)
            continue;
        const double bound = wanted == KS_AT_LOW ? at->low : at->high;
        const double until = fmax(0, (bound - at->feasible) / (set->multiplier[at->row] - at->feasible));
        if (until < part) {
            part = until;
            *first = at;
        }
    }
    return part;
}

/* Frees the row with the most wrong residual; false: there is none. */
static bool freeMostWrong(ksiActiveSet *set)
{
    ksiBoundedRow *worst = NULL;
    double most = 0;
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        if (at->place == KS_INSIDE || at->low == at->high)
            continue;
        const double wrong = wrongResidual(set, at) / ksiRowLength(&set->system->model, at->row);
        if (wrong > most) {
            most = wrong;
            worst = at;
        }
    }
    set->freed = worst;
    if (!worst)
        return false;
    double terms;
    set->doubt = 2 * fabs(ksiActiveSetResidual(set, worst, &terms)) / terms;
    set->leaving = worst->place;
    worst->place = KS_INSIDE;
    return true;
}

/* Moves towards the last solution, the minimum of the free rows. False: it is reached, and no row
 * leaves its bound. */
static bool descend(ksiActiveSet *set)
{
    ksiBoundedRow *row = NULL;
    // a row that was freed moves away from its bound, unless its residual was rounding
    if (set->freed && wantedPlace(set, set->freed) == set->leaving)
        set->noise = set->doubt;
    set->freed = NULL;
    const double part = firstBound(set, &row);
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++)
        at->feasible += part * (set->multiplier[at->row] - at->feasible);
    if (part == 1)
        return freeMostWrong(set);
    row->place = wantedPlace(set, row);
    return true;
}

/* A row this soft contradicts no other: relative to its diagonal of A, far above rounding. */
static const double softest = 1e-5;

static bool isSoft(const ksiModel *model, int row)
{
    const double size = ksiRowLength(model, row);
    return model->compliance[row] > softest * size * size;
}

/* The row that holds with the residual farthest beyond tolerance, or -1. */
static int worstHeld(const ksiActiveSet *set)
{
    const ksSystem *system = set->system;
    double terms, most = heldTolerance;
    int row = -1;
    for (int l = 0; l < system->model.rowCount; l++) {
        if (system->model.rowKnown[l] || isSoft(&system->model, l) || ksiRowIsEmpty(&system->model, l))
            continue;
        const double w = fabs(ksiHeldResidual(set, l, fabs(system->model.beta[l]), &terms));
        if (w > most * terms) {
            most = w / terms;
            row = l;
        }
    }
    return row;
}

/* Part of a free row in the self-stress that a contradiction loads. */
static double contradicted(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    double terms;
    const double size = ksiRowLength(&set->system->model, at->row), w = ksiActiveSetResidual(set, at, &terms);
    return at->place == KS_INSIDE && fabs(w) > heldTolerance * terms ? w / (size * size) : 0;
}

/* Distance along the self-stress to the first bound; *first: its row. */
static double wayToBound(const ksiActiveSet *set, ksiBoundedRow **first)
{
    double way = INFINITY;
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        const double part = contradicted(set, at);
        const double until = part == 0 ? INFINITY : ((part > 0 ? at->low : at->high) - at->feasible) / -part;
        if (until < way) {
            way = until;
            *first = at;
        }
    }
    return way;
}

static bool anyContradicted(const ksiActiveSet *set)
{
    for (const ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++)
        if (contradicted(set, at) != 0)
            return true;
    return false;
}

/* For free rows that contradict each other: their least-squares residuals are a self-stress,
 * n_l = w_l / d_l^2, along which the objective falls until a bound is met. If there is none, one of
 * these rows is the culprit. *moved false: the residuals are rounding, or no row with bounds takes
 * part. */
static ksStatus moveAlongSelfStress(ksiActiveSet *set, bool *moved)
{
    *moved = false;
    KSI_TRY(ksiSolveBy(ksiSystemSolveLeastNorm, set));
    const int culprit = worstHeld(set);
    if (culprit < 0 || !anyContradicted(set))
        return KS_OK;
    ksiBoundedRow *first = NULL;
    const double way = wayToBound(set, &first);
    set->system->culprit = first ? -1 : culprit;
    if (!first)
        return KS_ERROR_INCONSISTENT;
    const ksRowPlace met = contradicted(set, first) > 0 ? KS_AT_LOW : KS_AT_HIGH;
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++)
        at->feasible -= way * contradicted(set, at);
    first->place = met;
    set->freed = NULL;
    *moved = true;
    return KS_OK;
}

/* Solves with the rows at their places. *isContradicted: the rows that hold contradict each
 * other. */
static ksStatus tryPlaces(ksiActiveSet *set, bool *isContradicted)
{
    *isContradicted = false;
    if (!(set->spent < set->allowed))
        return KS_ERROR_BOUND;
    ksiApplyActiveSet(set);
    ksStatus status = ksiSolveBy(ksiSystemSolveGauss, set);
    *isContradicted = status == KS_ERROR_INCONSISTENT;
    if (!status)
        *isContradicted = worstHeld(set) >= 0;
    return *isContradicted ? KS_OK : status;
}

static ksStatus byActiveSets(ksiActiveSet *set)
{
    moveWithinBounds(set);
    for (;;) {
        bool isContradicted;
        KSI_TRY(tryPlaces(set, &isContradicted));
        const int culprit = set->system->culprit;
        if (isContradicted) {
            bool moved;
            KSI_TRY(moveAlongSelfStress(set, &moved));
            if (moved)
                continue;
            // bilateral rows contradict each other
            if (culprit >= 0) {
                set->system->culprit = culprit;
                return KS_ERROR_INCONSISTENT;
            }
        }
        if (!descend(set))
            return KS_OK;
    }
}

ksStatus ksiActiveSetExchange(ksiActiveSet *set, ksiFollow *follow, void *context, bool *isFound)
{
    int least = INT_MAX, waited = 0;
    *isFound = false;
    while (waited <= patience) {
        bool isContradicted;
        KSI_TRY(tryPlaces(set, &isContradicted));
        if (isContradicted)
            KSI_TRY(ksiSolveBy(ksiSystemSolveLeastNorm, set));
        else if (follow)
            KSI_TRY(follow(context));
        const int failures = exchange(set, isContradicted);
        *isFound = !failures && !isContradicted;
        if (!failures)
            break;
        waited = failures < least ? 0 : waited + 1;
        least = failures < least ? failures : least;
    }
    return KS_OK;
}

ksStatus ksiActiveSetSearch(ksiActiveSet *set)
{
    bool isFound;
    KSI_TRY(ksiActiveSetExchange(set, NULL, NULL, &isFound));
    return isFound ? KS_OK : byActiveSets(set);
}

/* A row at its bound that would not move if it were free. */
static bool isDegenerate(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    if (at->place == KS_INSIDE || at->low == at->high)
        return false;
    double terms, w = ksiActiveSetResidual(set, at, &terms);
    return fabs(w) <= degenerateTolerance * terms;
}

/* Returns degenerate rows with a unique multiplier to their bounds, and counts them. */
static ksStatus bindDeterminate(ksiActiveSet *set, const ksiUniqueness *unique, int *bound)
{
    int *determinate = unique->determinate;
    *bound = 0;
    ksiApplyActiveSet(set);
    KSI_TRY(unique->find ? unique->find(unique->of, determinate)
                         : ksiSystemGetDeterminacy(set->system, determinate, NULL));
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        if (at->degenerate == KS_INSIDE || !determinate[at->row])
            continue;
        at->place = at->degenerate;
        at->degenerate = KS_INSIDE;
        ++*bound;
    }
    return KS_OK;
}

ksStatus ksiActiveSetFreeDegenerate(ksiActiveSet *set, const ksiUniqueness *unique)
{
    int freed = 0;
    KSI_TRY(ksiTakeSolution(set));
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        const bool degenerate = isDegenerate(set, at);
        at->degenerate = degenerate ? at->place : KS_INSIDE;
        if (degenerate)
            at->place = KS_INSIDE;
        freed += degenerate;
    }
    for (int bound = freed; bound > 0;)
        KSI_TRY(bindDeterminate(set, unique, &bound));
    return KS_OK;
}

/* active_set.c  The rows that lie at their bounds: a box-constrained complementarity problem, active_set.h.
 *
 * All rows that fail are exchanged at once (block principal pivoting, Judice and Pires 1994), which takes a few rounds
 * from a good set. Where their number does not fall, the problem is solved as what it also is,
 *
 *     min 1/2 lambda^T (A + S) lambda - lambda^T (beta - J M^-1 f)     over low <= lambda <= high,
 *
 * the dual of Gauss's principle under inequalities, by active sets (Stark and Parker 1995): from multipliers within their
 * bounds towards the minimum of the free rows, up to the first bound that is met; at the minimum the row that wants most to
 * leave its bound is freed. The minimum falls with every step, so this ends, also where rows are redundant but for their
 * compliance and exchanges one at a time would wander for thousands of rounds. Where free rows contradict each other they
 * have no minimum: the way is along the self-stress that their contradiction loads. If no bound ends it, no motion keeps
 * all rows. */
#include "active_set.h"

#include "system_private.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* of the loads near a row */
static const double multiplierRounding = 1e-11;

/* of a residual that is none but for the compliance of redundant rows, relative to its terms */
static const double weakTolerance = 1e-8;

/* of the largest part in a self-stress: rounding */
static const double stressNoise = 1e-6;

/* A dense factorisation of n of the rows takes as long as n^3 / (this * rows) rounds without one. */
static const double roundWork = 200;

enum { patience = 2 }; /* rounds without fewer failures before exchanges give way to active sets */

/* In the room of `placed`: y of the last solution, and the largest force on each block. */
static double *motionOf(const ksiActiveSet *set)
{
    return set->system->placed.at;
}

static double *heaviestOf(const ksiActiveSet *set)
{
    return set->system->placed.at + set->system->coordinateCount;
}

static double sizeOf(const ksSystem *system, int row)
{
    return sqrt(system->diagonal.at[row] + system->compliance.at[row]);
}

static void weigh(const ksiActiveSet *set, int row, double load)
{
    const ksSystem *system = set->system;
    for (int p = system->rowPiece.at[row]; p < system->rowPiece.at[row + 1]; p++) {
        double *heaviest = &heaviestOf(set)[system->pieceBlock.at[p]];
        *heaviest = fmax(*heaviest, load);
    }
}

/* What residuals and roundings need of the solution that is there. */
static ksStatus takeSolution(ksiActiveSet *set)
{
    ksSystem *system = set->system;
    const size_t coordinates = (size_t)system->coordinateCount;
    if (ksiDoublesReserve(system, &system->placed, coordinates + (size_t)system->blockCount + 1))
        return KS_ERROR_NO_MEMORY;
    if (coordinates > 0)
        memcpy(motionOf(set), set->acceleration, coordinates * sizeof(double));
    ksiScaleMotion(system, motionOf(set));
    set->load = set->outerLoad;
    for (int b = 0; b < system->blockCount; b++) {
        const double *force = system->scaledForce.at + system->blockOffset.at[b];
        const double load = sqrt(ksiDot((size_t)system->blockSize.at[b], force, force));
        heaviestOf(set)[b] = load;
        set->load = fmax(set->load, load);
    }
    for (int l = 0; l < system->rowCount; l++) {
        const double load = fabs(set->multiplier[l]) * sizeOf(system, l);
        weigh(set, l, load);
        set->load = fmax(set->load, load);
    }
    return KS_OK;
}

/* Rows at their bounds are known, the others are not. */
static void applyPlaces(const ksiActiveSet *set)
{
    ksSystem *system = set->system;
    bool changed = false;
    for (int k = 0; k < set->count; k++) {
        const ksiBoundedRow *at = &set->bounded[k];
        const int isKnown = at->place != KS_INSIDE;
        const double value = at->place == KS_AT_LOW ? at->low : at->high;
        int *known = &system->rowKnown.at[at->row];
        if (*known == isKnown && (!isKnown || system->lo.at[at->row] == value))
            continue;
        system->knownCount += isKnown - *known;
        *known = isKnown;
        system->lo.at[at->row] = isKnown ? value : at->low;
        system->hi.at[at->row] = isKnown ? value : at->high;
        changed = true;
    }
    if (changed)
        ksiForget(system);
}

/* Counts the solution that a route has found, and takes it. */
static ksStatus solveBy(ksStatus route(ksSystem *, double *, double *), ksiActiveSet *set)
{
    const double before = set->system->denseWork;
    const ksStatus status = route(set->system, set->multiplier, set->acceleration);
    set->spent += 1 + (set->system->denseWork - before) / (roundWork * fmax(1, set->system->rowCount));
    return status ? status : takeSolution(set);
}

ksStatus ksiActiveSetSolve(ksiActiveSet *set)
{
    applyPlaces(set);
    return solveBy(ksiSystemSolveGauss, set);
}

/* w of a row whose beta is a sum of terms of that size. */
static double residualOf(const ksiActiveSet *set, int row, double betaTerms, double *terms)
{
    const ksSystem *system = set->system;
    const double slack = system->compliance.at[row] * set->multiplier[row];
    double w = slack - system->beta.at[row];
    *terms = fabs(slack) + betaTerms + set->load * sizeOf(system, row);
    for (int p = system->rowPiece.at[row]; p < system->rowPiece.at[row + 1]; p++) {
        const int b = system->pieceBlock.at[p];
        const double *entry = system->entry.at + system->pieceEntry.at[p];
        const double *y = motionOf(set) + system->blockOffset.at[b];
        for (int i = 0; i < system->blockSize.at[b]; i++) {
            w += entry[i] * y[i];
            *terms += fabs(entry[i] * y[i]);
        }
    }
    return w;
}

double ksiActiveSetResidual(const ksiActiveSet *set, const ksiBoundedRow *at, double *terms)
{
    return residualOf(set, at->row, at->terms, terms);
}

/* How far the residual is on the wrong side of zero; 0: within its tolerance. */
static double wrongResidual(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    double terms, w = ksiActiveSetResidual(set, at, &terms);
    double wrong = at->place == KS_AT_LOW ? -w : w;
    return wrong > fmax(KSI_RESIDUAL_ROUNDING, set->noise) * terms ? wrong : 0;
}

/* What is near rounds more than what is elsewhere in the system. */
static double multiplierSlack(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    const ksSystem *system = set->system;
    double near = 0;
    for (int p = system->rowPiece.at[at->row]; p < system->rowPiece.at[at->row + 1]; p++)
        near = fmax(near, heaviestOf(set)[system->pieceBlock.at[p]]);
    return (multiplierRounding * near + KSI_RESIDUAL_ROUNDING * set->load) / sizeOf(system, at->row);
}

/* Where the row should be, seen from this solution. */
static ksRowPlace wantedPlace(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    if (at->low == at->high)
        return KS_AT_LOW;
    if (at->place == KS_INSIDE) {
        const double lambda = set->multiplier[at->row], slack = multiplierSlack(set, at);
        return lambda < at->low - slack ? KS_AT_LOW : lambda > at->high + slack ? KS_AT_HIGH : KS_INSIDE;
    }
    return wrongResidual(set, at) > 0 ? KS_INSIDE : at->place;
}

/* Exchanges the rows that fail; returns their number. */
static int exchange(ksiActiveSet *set)
{
    int failures = 0;
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        const ksRowPlace wanted = wantedPlace(set, at);
        failures += wanted != at->place;
        at->place = wanted;
    }
    return failures;
}

static void moveWithinBounds(ksiActiveSet *set)
{
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        const double slack = multiplierSlack(set, at);
        at->place = at->feasible <= at->low + slack    ? KS_AT_LOW
                    : at->feasible >= at->high - slack ? KS_AT_HIGH
                                                       : KS_INSIDE;
        at->feasible = fmin(fmax(at->feasible, at->low), at->high);
    }
}

/* The row that meets its bound first on the way to this solution, and the part of the way up to there; 1: none. */
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

/* Frees the row that wants most to leave its bound; false: none does. */
static bool freeMostWrong(ksiActiveSet *set)
{
    ksiBoundedRow *worst = NULL;
    double most = 0;
    for (ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        if (at->place == KS_INSIDE || at->low == at->high)
            continue;
        const double wrong = wrongResidual(set, at) / sizeOf(set->system, at->row);
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
    set->left = worst->place;
    worst->place = KS_INSIDE;
    return true;
}

/* Towards the minimum of the free rows, which is the last solution; false: it is there, and no row is to leave its bound. */
static bool descend(ksiActiveSet *set)
{
    ksiBoundedRow *row = NULL;
    // a row that was freed moves away from its bound, unless its residual was rounding
    if (set->freed && wantedPlace(set, set->freed) == set->left)
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

/* Parts below this in the self-stress that a contradiction loads are rounding. */
static double leastContradicted(const ksiActiveSet *set)
{
    const ksSystem *system = set->system;
    double most = 0, terms;
    for (int l = 0; l < system->rowCount; l++)
        if (!system->rowKnown.at[l] && !ksiRowIsEmpty(system, l))
            most = fmax(most, fabs(residualOf(set, l, 0, &terms)) / sizeOf(system, l));
    return stressNoise * most;
}

/* What a free row has of it. */
static double contradicted(const ksiActiveSet *set, const ksiBoundedRow *at, double least)
{
    double terms;
    const double size = sizeOf(set->system, at->row), part = ksiActiveSetResidual(set, at, &terms) / size;
    return at->place == KS_INSIDE && fabs(part) > least ? part / size : 0;
}

/* Free rows contradict each other: their least-squares residuals are a self-stress, n_l = w_l / d_l^2, along which the
 * objective falls without end, but for a bound. The system's culprit is one of them. */
static ksStatus followSelfStress(ksiActiveSet *set)
{
    const int culprit = set->system->culprit;
    const ksStatus status = solveBy(ksiSystemSolveLeastNorm, set);
    if (status)
        return status;
    ksiBoundedRow *first = NULL, *end = set->bounded + set->count;
    double way = INFINITY;
    const double least = leastContradicted(set);
    for (ksiBoundedRow *at = set->bounded; at < end; at++) {
        const double part = contradicted(set, at, least);
        const double until = part == 0 ? INFINITY : ((part > 0 ? at->low : at->high) - at->feasible) / -part;
        if (until < way) {
            way = until;
            first = at;
        }
    }
    set->system->culprit = first ? -1 : culprit;
    if (!first)
        return KS_ERROR_INCONSISTENT;
    const ksRowPlace met = contradicted(set, first, least) > 0 ? KS_AT_LOW : KS_AT_HIGH;
    for (ksiBoundedRow *at = set->bounded; at < end; at++)
        at->feasible -= way * contradicted(set, at, least);
    first->place = met;
    return KS_OK;
}

static ksStatus solveAgain(ksiActiveSet *set)
{
    return set->spent < set->allowed ? ksiActiveSetSolve(set) : KS_ERROR_BOUND;
}

static ksStatus byActiveSets(ksiActiveSet *set)
{
    moveWithinBounds(set);
    for (;;) {
        ksStatus status = solveAgain(set);
        if (status == KS_ERROR_INCONSISTENT)
            status = followSelfStress(set);
        else if (!status && !descend(set))
            return KS_OK;
        if (status)
            return status;
    }
}

/* There is no solution with these places. */
static ksStatus fromNothing(ksiActiveSet *set)
{
    const ksStatus status = solveBy(ksiSystemSolveLeastNorm, set);
    return status ? status : byActiveSets(set);
}

ksStatus ksiActiveSetSearch(ksiActiveSet *set)
{
    int least = INT_MAX, waited = 0;
    while (waited <= patience) {
        const ksStatus status = solveAgain(set);
        if (status == KS_ERROR_INCONSISTENT && set->count > 0)
            return fromNothing(set);
        if (status)
            return status;
        const int failures = exchange(set);
        if (!failures)
            return KS_OK;
        waited = failures < least ? 0 : waited + 1;
        least = failures < least ? failures : least;
    }
    return byActiveSets(set);
}

static double share(double part, double whole)
{
    return part > 0 ? part / whole : 0;
}

ksStatus ksiActiveSetCertify(ksiActiveSet *set, double *violation, double *margin)
{
    const ksSystem *system = set->system;
    double terms;
    const ksStatus status = takeSolution(set);
    if (status)
        return status;
    *violation = 0;
    *margin = INFINITY;
    for (int l = 0; l < system->rowCount; l++)
        if (!system->rowKnown.at[l]) {
            const double w = residualOf(set, l, fabs(system->beta.at[l]), &terms);
            *violation = fmax(*violation, share(fabs(w), terms));
        }
    for (const ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        const double lambda = set->multiplier[at->row], size = sizeOf(system, at->row);
        const double w = ksiActiveSetResidual(set, at, &terms), wrong = at->place == KS_AT_LOW ? -w : w;
        const double within = fmin(lambda - at->low, at->high - lambda) * size;
        const bool isInside = at->place == KS_INSIDE;
        *violation = fmax(*violation, isInside ? share(-within, set->load) : share(wrong, terms));
        *margin = fmin(*margin, isInside ? share(within, set->load) : share(-wrong, terms));
    }
    return KS_OK;
}

/* A row at its bound that would not move if it were free. */
static bool isWeak(const ksiActiveSet *set, const ksiBoundedRow *at)
{
    if (at->place == KS_INSIDE || at->low == at->high)
        return false;
    double terms, w = ksiActiveSetResidual(set, at, &terms);
    return fabs(w) <= weakTolerance * terms;
}

/* Puts the weak rows back that have a multiplier of their own, and counts them. */
static ksStatus bindDeterminate(ksiActiveSet *set, int *determinate, int *bound)
{
    *bound = 0;
    applyPlaces(set);
    const ksStatus status = ksiSystemGetDeterminacy(set->system, determinate, NULL);
    for (ksiBoundedRow *at = set->bounded; !status && at < set->bounded + set->count; at++) {
        if (at->weak == KS_INSIDE || !determinate[at->row])
            continue;
        at->place = at->weak;
        at->weak = KS_INSIDE;
        ++*bound;
    }
    return status;
}

ksStatus ksiActiveSetFreeWeak(ksiActiveSet *set, int *determinate)
{
    int freed = 0;
    ksStatus status = takeSolution(set);
    for (ksiBoundedRow *at = set->bounded; !status && at < set->bounded + set->count; at++) {
        const bool weak = isWeak(set, at);
        at->weak = weak ? at->place : KS_INSIDE;
        if (weak)
            at->place = KS_INSIDE;
        freed += weak;
    }
    for (int bound = freed; !status && bound > 0;)
        status = bindDeterminate(set, determinate, &bound);
    return status;
}

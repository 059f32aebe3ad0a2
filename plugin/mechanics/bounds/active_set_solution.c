/* active_set_solution.c  Solves a system with some rows at their bounds. Finds the residuals, their
 * rounding, and a certificate of the solution. */
#include "active_set_solution.h"

#include "../../base/union_find.h"

#include <math.h>
#include <stdbool.h>

/* activeWork holds y of the last solution, the largest force on each block, and the largest force
 * on all blocks connected with it. */
static double *motionOf(const ksiActiveSet *set)
{
    return set->system->activeWork;
}

static double *heaviestOf(const ksiActiveSet *set)
{
    return set->system->activeWork + set->system->model.coordinateCount;
}

static double *loadOf(const ksiActiveSet *set)
{
    return heaviestOf(set) + set->system->model.blockCount;
}

/* Largest force on all blocks connected with the row's blocks: its rounding reaches the row. */
static double heaviestAround(const ksiActiveSet *set, int row)
{
    double most = 0;
    for (int p = set->system->model.rowPiece[row]; p < set->system->model.rowPiece[row + 1]; p++)
        most = ksiLarger(most, loadOf(set)[set->system->model.pieceBlock[p]]);
    return most;
}

double ksiMultiplierSlack(const ksiActiveSet *set, int row)
{
    return KSI_RESIDUAL_ROUNDING * heaviestAround(set, row) / ksiRowLength(&set->system->model, row);
}

/* Blocks that rows connect, known rows too. These blocks are the same for all solutions of a
 * search. */
static void connect(ksiActiveSet *set)
{
    const ksSystem *system = set->system;
    int *parent = system->activeParent;
    ksiSetsReset(parent, (size_t)system->model.blockCount);
    for (int l = 0; l < system->model.rowCount; l++)
        for (int p = system->model.rowPiece[l] + 1; p < system->model.rowPiece[l + 1]; p++)
            ksiSetsUnite(parent, system->model.pieceBlock[p], system->model.pieceBlock[p - 1]);
    set->isConnected = true;
}

/* Largest force on each set of connected blocks. */
static void spreadLoads(ksiActiveSet *set)
{
    const ksSystem *system = set->system;
    int *parent = system->activeParent;
    double *load = loadOf(set);
    if (!set->isConnected)
        connect(set);
    for (int b = 0; b < system->model.blockCount; b++)
        load[b] = set->outerLoad;
    for (int b = 0; b < system->model.blockCount; b++) {
        double *whole = &load[ksiSetOf(parent, b)];
        *whole = ksiLarger(*whole, heaviestOf(set)[b]);
    }
    for (int b = 0; b < system->model.blockCount; b++)
        load[b] = load[ksiSetOf(parent, b)];
}

ksStatus ksiTakeSolution(ksiActiveSet *set)
{
    ksSystem *system = set->system;
    const size_t coordinates = (size_t)system->model.coordinateCount, blocks = (size_t)system->model.blockCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->activeWork, coordinates + 2 * blocks));
    KSI_TRY(ksiIntsReserve(&system->allocator, &system->activeParent, blocks));
    ksiScaleMotion(&system->model, set->acceleration, motionOf(set));
    for (int b = 0; b < system->model.blockCount; b++) {
        const double *force = system->model.scaledForce + system->model.blockOffset[b];
        heaviestOf(set)[b] = sqrt(ksiDot((size_t)system->model.blockSize[b], force, force));
    }
    for (int l = 0; l < system->model.rowCount; l++) {
        // the row's load, and the force that its right-hand side asks for
        const double size = ksiRowLength(&system->model, l), own = size > 0 ? fabs(system->model.beta[l]) / size : 0;
        const double most = ksiLarger(fabs(set->multiplier[l]) * size, own);
        for (int p = system->model.rowPiece[l]; p < system->model.rowPiece[l + 1]; p++) {
            double *heaviest = &heaviestOf(set)[system->model.pieceBlock[p]];
            *heaviest = ksiLarger(*heaviest, most);
        }
    }
    spreadLoads(set);
    set->load = set->outerLoad;
    for (int b = 0; b < system->model.blockCount; b++)
        set->load = fmax(set->load, loadOf(set)[b]);
    return KS_OK;
}

void ksiApplyActiveSet(const ksiActiveSet *set)
{
    ksSystem *system = set->system;
    bool isChanged = false, isMoved = false;
    for (int k = 0; k < set->count; k++) {
        const ksiBoundedRow *at = &set->bounded[k];
        const bool isKnown = at->place != KS_INSIDE;
        const double value = at->place == KS_AT_LOW ? at->low : at->high;
        int *known = &system->model.rowKnown[at->row];
        if (*known == isKnown && (!isKnown || system->model.lo[at->row] == value))
            continue;
        isMoved = true;
        isChanged |= *known != isKnown;
        system->model.knownCount += isKnown - *known;
        *known = isKnown;
        system->model.lo[at->row] = isKnown ? value : at->low;
        system->model.hi[at->row] = isKnown ? value : at->high;
    }
    if (isMoved)
        ksiForgetKnown(system, isChanged);
}

/* Cost of a solution with the factor of the last one, in solutions. */
static const double again = 0.25;

ksStatus ksiSolveBy(ksiRoute *route, ksiActiveSet *set)
{
    const double before = set->system->denseWork, own = set->system->gauss.numericKnown ? again : 1;
    set->factors += !set->system->gauss.numericKnown;
    const ksStatus status = route(set->system, set->multiplier, set->acceleration);
    set->spent += own + (set->system->denseWork - before) / (KSI_ROUND_WORK * fmax(1, set->system->model.rowCount));
    return status ? status : ksiTakeSolution(set);
}

/* Adds J a of one body's part of a row, and the sum of the sizes of its terms. */
KSI_INLINE void addPart(const int SIZE, const double *entry, const double *y, double *w, double *terms)
{
    double sum = 0, sizes = 0;
#pragma GCC unroll 6
    for (int i = 0; i < SIZE; i++) {
        const double term = entry[i] * y[i];
        sum += term;
        sizes += fabs(term);
    }
    *w += sum;
    *terms += sizes;
}

double ksiHeldResidual(const ksiActiveSet *set, int row, double betaTerms, double *terms)
{
    const ksiModel *model = &set->system->model;
    const double slack = model->compliance[row] * set->multiplier[row];
    double w = slack - model->beta[row];
    *terms = fabs(slack) + betaTerms + heaviestAround(set, row) * ksiRowLength(model, row);
    for (int p = model->rowPiece[row]; p < model->rowPiece[row + 1]; p++) {
        const int b = model->pieceBlock[p];
        const double *entry = model->entry + model->pieceEntry[p], *y = motionOf(set) + model->blockOffset[b];
        if (model->blockSize[b] == 6)
            addPart(6, entry, y, &w, terms);
        else
            addPart(model->blockSize[b], entry, y, &w, terms);
    }
    return w;
}

double ksiActiveSetResidual(const ksiActiveSet *set, const ksiBoundedRow *at, double *terms)
{
    return ksiHeldResidual(set, at->row, at->terms, terms);
}

static double share(double part, double whole)
{
    return part > 0 ? part / whole : 0;
}

/* The share of `part` that is beyond rounding, for a row of this size. A route that has all blocks
 * in one matrix rounds by a share of the largest load of any block. */
static double beyondRounding(const ksiActiveSet *set, double part, double size, double whole)
{
    return share(part - KSI_RESIDUAL_ROUNDING * set->load * size, whole);
}

/* Largest M a - f - J^T lambda of any block, relative to the largest force on it. */
static ksStatus imbalance(const ksiActiveSet *set, double *most)
{
    ksSystem *system = set->system;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], (size_t)system->model.coordinateCount));
    double *rest = system->vector[0];
    for (int i = 0; i < system->model.coordinateCount; i++)
        rest[i] = motionOf(set)[i] - system->model.scaledForce[i];
    for (int l = 0; l < system->model.rowCount; l++)
        ksiRowAdd(&system->model, l, -set->multiplier[l], rest);
    *most = 0;
    for (int b = 0; b < system->model.blockCount; b++) {
        const double *part = rest + system->model.blockOffset[b];
        const double size = sqrt(ksiDot((size_t)system->model.blockSize[b], part, part));
        *most = fmax(*most, beyondRounding(set, size, 1, heaviestOf(set)[b]));
    }
    return KS_OK;
}

ksStatus ksiActiveSetCertify(ksiActiveSet *set, double *violation, double *margin)
{
    const ksSystem *system = set->system;
    double terms;
    KSI_TRY(ksiTakeSolution(set));
    KSI_TRY(imbalance(set, violation));
    *margin = INFINITY;
    for (int l = 0; l < system->model.rowCount; l++)
        if (!system->model.rowKnown[l]) {
            const double w = ksiHeldResidual(set, l, fabs(system->model.beta[l]), &terms);
            *violation = fmax(*violation, beyondRounding(set, fabs(w), ksiRowLength(&system->model, l), terms));
        }
    for (const ksiBoundedRow *at = set->bounded; at < set->bounded + set->count; at++) {
        const double lambda = set->multiplier[at->row], size = ksiRowLength(&system->model, at->row);
        // friction without a normal force is at both of its bounds
        if (at->low == at->high)
            continue;
        const double w = ksiActiveSetResidual(set, at, &terms), wrong = at->place == KS_AT_LOW ? -w : w;
        const double within = fmin(lambda - at->low, at->high - lambda) * size, around = heaviestAround(set, at->row);
        const bool isInside = at->place == KS_INSIDE;
        const double beyond = at->isShared ? 0 : beyondRounding(set, -within, 1, around);
        *violation = fmax(*violation, isInside ? beyond : beyondRounding(set, wrong, size, terms));
        *margin = fmin(*margin, isInside ? share(within, around) : share(-wrong, terms));
    }
    return KS_OK;
}

ksStatus ksiActiveSetSolveWithin(ksiActiveSet *set)
{
    ksStatus status = ksiSystemSolvePaulus(set->system, set->multiplier, set->acceleration);
    // this ends, since each round leaves fewer rows inside
    for (bool any = true; !status && any;) {
        any = false;
        status = ksiTakeSolution(set);
        for (ksiBoundedRow *at = set->bounded; !status && at < set->bounded + set->count; at++) {
            const double lambda = set->multiplier[at->row], slack = ksiMultiplierSlack(set, at->row);
            if (at->place != KS_INSIDE || (lambda >= at->low - slack && lambda <= at->high + slack))
                continue;
            at->place = lambda < at->low ? KS_AT_LOW : KS_AT_HIGH;
            any = true;
        }
        if (status || !any)
            break;
        ksiApplyActiveSet(set);
        status = ksiSystemSolvePaulus(set->system, set->multiplier, set->acceleration);
    }
    // remaining violations are rounding
    for (ksiBoundedRow *at = set->bounded; !status && at < set->bounded + set->count; at++)
        set->multiplier[at->row] = fmin(fmax(set->multiplier[at->row], at->low), at->high);
    return status;
}

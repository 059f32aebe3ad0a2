/* articulated_routes.c  Does the work of motion.c, gauss_measure.c, errorbar.c and determinacy.c
 * for trees. The range-space route has no code of its own for trees.
 */
#include "../../base/vectorise.h"
#include "../system_private.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The same number as in errorbar.c, because semi-normal solutions round like the substitutions
 * there. Joints that are nearly singular without their parents may lose more digits. The other
 * route does not go from body to body, so the difference of the routes then shows this loss. */
#define ROUNDINGS 2.0

/* If reactions explain a motion, the remainder is below this share of the motion and the applied
 * motion. An acceleration is a difference of rounded velocities, divided by the step. The rounding
 * 2e-16 of 10 m/s, divided by 1 ms, is 2e-13 of 10 m/s^2; the share is fifty times as much. */
#define ROUNDED 1e-11

/* The general files take over if a multiplier's rounding may exceed this share of the largest
 * multiplier. This happens if a body is held by its branch, or very heavy: a joint's pivot is then
 * little more than its compliance, and half of the digits may be lost. */
#define MOST_ROUNDING 1e-12

/* Multipliers below this share of all applied forces count as no load: their rounding may then be
 * some epsilons of the applied forces. */
#define NO_LOAD 1e-3

/* Is the rounding of the last solution small enough for loads of the size of `load`? */
static int keepsDigits(const ksiTree *tree, double load)
{
    return tree->rounding <= MOST_ROUNDING * load;
}

/* Finds y_f plus the forces of known rows, then the multipliers and, if `moves`, the motion of a
 * view. */
static ksStatus solve(ksSystem *system, ksiViewIndex view, bool moves)
{
    ksiTree *tree = &system->tree;
    KSI_TRY(ksiTreeFind(system, view));
    const size_t rows = (size_t)system->model.rowCount, coordinates = (size_t)system->model.coordinateCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->applied, coordinates));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->y, coordinates));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->multiplier, rows));
    ksiAppliedForce(&system->model, tree->applied);
    KSI_TRY(ksiTreeReduce(system, view, system->model.beta, tree->applied));
    for (size_t l = 0; tree->rowCount < system->model.rowCount && l < rows; l++)
        tree->multiplier[l] = system->model.rowKnown[l] ? system->model.lo[l] : 0;
    ksiTreeSolve(system, tree->multiplier, moves ? tree->y : NULL);
    if (!ksiAllFinite(rows, tree->multiplier) || (moves && !ksiAllFinite(coordinates, tree->y)))
        return KS_ERROR_NOT_FINITE;
    // in free fall multipliers are nearly zero
    tree->fits = keepsDigits(tree, tree->load) ||
                 keepsDigits(tree, NO_LOAD * sqrt(ksiDot(coordinates, tree->applied, tree->applied)));
    return tree->fits ? KS_OK : KS_ERROR_UNAVAILABLE;
}

ksStatus ksiTreeTrueMotion(ksSystem *system)
{
    ksiTree *tree = &system->tree;
    if (tree->hasTrueMotion)
        return KS_OK;
    KSI_TRY(solve(system, KSI_VIEW_EXACT, true));
    if (tree->rowCount + system->model.knownCount < system->model.rowCount)
        KSI_TRY(ksiCheckEmptyRows(system));
    tree->hasTrueMotion = 1;
    tree->isWalked = false;
    tree->motionRounding = tree->rounding;
    return KS_OK;
}

ksStatus ksiTreeSolveSystem(ksSystem *system, ksiViewIndex view, double *multiplier, double *acceleration)
{
    ksiTree *tree = &system->tree;
    tree->hasTrueMotion &= view == KSI_VIEW_EXACT;
    KSI_TRY(view == KSI_VIEW_EXACT ? ksiTreeTrueMotion(system) : solve(system, view, acceleration != NULL));
    if (view == KSI_VIEW_EXACT && multiplier)
        KSI_TRY(ksiCheckBounds(system, tree->multiplier));
    const size_t coordinates = acceleration ? (size_t)system->model.coordinateCount : 0;
    if (coordinates > 0) {
        KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], coordinates));
        ksiUnscaleMotion(&system->model, tree->y, system->vector[0]);
        if (!ksiAllFinite(coordinates, system->vector[0]))
            return KS_ERROR_NOT_FINITE;
        ksiCopy(coordinates, system->vector[0], acceleration);
    }
    ksiCopy((size_t)system->model.rowCount, tree->multiplier, multiplier);
    return KS_OK;
}

ksStatus ksiTreeSolvePaulus(ksSystem *system, double *multiplier)
{
    const ksiTree *tree = &system->tree;
    KSI_TRY(ksiTreeTrueMotion(system));
    KSI_TRY(ksiTreeGet(system, KSI_VIEW_EXACT));
    KSI_TRY(tree->isWalked ? KS_OK : ksiTreeWalk(system));
    ksiCopy((size_t)system->model.rowCount, tree->walked, multiplier);
    return KS_OK;
}

ksStatus ksiTreeIsDeterminate(ksSystem *system)
{
    const ksiTree *tree = &system->tree;
    KSI_TRY(ksiTreeGet(system, KSI_VIEW_EXACT));
    const bool hasAll = tree->rowCount + system->model.knownCount == system->model.rowCount;
    return tree->isCertain && hasAll ? KS_OK : KS_ERROR_UNAVAILABLE;
}

/* The deviation of an observed motion from the true motion, scaled. */
typedef struct Deviation {
    double *change, *residual; /* [coordinates] y, then y - y*; its part that reactions do not
                                  explain */
    double *difference;        /* [rows] reported multipliers minus the true ones */
    const double *multiplier;  /* [rows] reported, or NULL: the true ones */
    double constraint, scale2; /* Z; square of the size to which rounding is relative */
    double slack2;             /* square of the difference in slacks */
} Deviation;

/* sqrt(s) times reported minus true: a slack's deviation. */
static double slackOf(const ksSystem *system, const ksiTree *tree, const Deviation *d, int row)
{
    const double s = system->model.compliance[row];
    return d->multiplier && s > 0 ? sqrt(s) * (d->multiplier[row] - tree->multiplier[row]) : 0;
}

/* Deviations of coordinates, and Z. A known row's force is in y_f; its slack comes from the
 * difference between reported and known multiplier. */
KSI_CLONES
static void deviate(const ksSystem *system, const ksiTree *tree, Deviation *d)
{
    const double *applied = tree->applied, *exact = tree->y, *found = tree->multiplier;
    const double *reported = d->multiplier ? d->multiplier : found;
    double *change = d->change, *residual = d->residual, square = 0, size2 = 0;
    ksiTwo two = {0}, sizes = {0};
    int i = 0;
    for (; i + 2 <= system->model.coordinateCount; i += 2) {
        const ksiTwo at = *(const ksiTwo *)(change + i), force = *(const ksiTwo *)(applied + i), moved = at - force;
        *(ksiTwo *)(change + i) = *(ksiTwo *)(residual + i) = at - *(const ksiTwo *)(exact + i);
        two += moved * moved;
        sizes += at * at + force * force;
    }
    for (; i < system->model.coordinateCount; i++) {
        const double at = change[i];
        change[i] = residual[i] = at - exact[i];
        square += (at - applied[i]) * (at - applied[i]);
        size2 += at * at + applied[i] * applied[i];
    }
    ksiFour slacks = {0}, aparts = {0};
    int l = 0;
    for (; system->model.knownCount == 0 && l + 4 <= system->model.rowCount; l += 4) {
        const ksiFour slack = *(const ksiFour *)(reported + l), difference = slack - *(const ksiFour *)(found + l);
        const ksiFour compliance = *(const ksiFour *)(system->model.compliance + l);
        slacks += compliance * slack * slack;
        aparts += compliance * difference * difference;
        *(ksiFour *)(d->difference + l) = difference;
    }
    d->slack2 = (aparts[0] + aparts[1]) + (aparts[2] + aparts[3]);
    for (; l < system->model.rowCount; l++) {
        const double compliance = system->model.compliance[l], difference = reported[l] - found[l];
        const double slack = system->model.rowKnown[l] ? difference : reported[l];
        square += compliance * slack * slack;
        d->slack2 += compliance * difference * difference;
        d->difference[l] = difference;
    }
    square += (slacks[0] + slacks[1]) + (slacks[2] + slacks[3]);
    d->constraint = (square + two[0] + two[1]) / 2;
    d->scale2 = size2 + sizes[0] + sizes[1];
}

/* y -= sum of difference_l b_l over both bodies of a joint */
KSI_INLINE void takeJoint(int rows, const double *difference, const double *entry, double *first, double *second)
{
    ksiFour sum[3];
    ksiSumTwelve(rows, difference, entry, 12, sum);
    *(ksiFour *)first -= sum[0];
    *(ksiTwo *)(first + 4) -= (ksiTwo){sum[1][0], sum[1][1]};
    *(ksiTwo *)second -= (ksiTwo){sum[1][2], sum[1][3]};
    *(ksiFour *)(second + 2) -= sum[2];
}

/* Does the work of takeJoint for a group of rows, whose entries are contiguous. */
KSI_INLINE void takeGroup(const ksSystem *system, int group, const double *difference, double *y)
{
    const int first = system->pattern->fronts.groupRow[group],
              rows = system->pattern->fronts.groupRow[group + 1] - first;
    const int begin = system->model.rowPiece[first], end = system->model.rowPiece[first + 1];
    const int *block = system->model.pieceBlock + begin, *size = system->model.blockSize,
              *offset = system->model.blockOffset;
    const double *entry = system->model.entry + system->model.pieceEntry[begin];
    const bool isJoint = end - begin == 2 && size[block[0]] == KSI_SIX && size[block[1]] == KSI_SIX;
    if (isJoint)
        takeJoint(rows, difference, entry, y + offset[block[0]], y + offset[block[1]]);
    for (int l = 0; !isJoint && l < rows; l++)
        ksiRowAdd(&system->model, first + l, -difference[l], y);
}

/* y - y* = B (lambda - lambda*) + residual: if |residual| is rounding, the reports explain the
 * motion, and no equations are needed to separate the two parts. */
KSI_CLONES
static bool isExplained(const ksSystem *system, Deviation *d, ksGaussMeasure *out)
{
    if (!d->multiplier)
        return 0;
    double solver = d->slack2, *residual = d->residual;
    for (int g = 0; g < system->pattern->fronts.groupCount; g++)
        takeGroup(system, g, d->difference + system->pattern->fronts.groupRow[g], residual);
    for (int i = 0; i < system->model.coordinateCount; i++)
        solver += (d->change[i] - residual[i]) * (d->change[i] - residual[i]);
    const double left2 = ksiDot((size_t)system->model.coordinateCount, residual, residual);
    if (!(left2 <= ROUNDED * ROUNDED * d->scale2))
        return 0;
    *out = (ksGaussMeasure){.constraint = d->constraint, .unexplained = 0.5 * left2, .solverError = 0.5 * solver};
    return 1;
}

/* The solver error is the smallest motion that violates the rows as much as the deviation does; the
 * remainder of the deviation is unexplained. */
static ksStatus splitDeviation(ksSystem *system, Deviation *d, ksGaussMeasure *out)
{
    ksiTree *tree = &system->tree;
    const size_t coordinates = (size_t)system->model.coordinateCount, rows = (size_t)system->model.rowCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[1], 2 * rows));
    double *side = system->vector[1], *lambda = side + rows;
    double square = ksiDot(coordinates, d->change, d->change);
    for (size_t l = 0; l < rows; l++) {
        const double slack = slackOf(system, tree, d, (int)l);
        side[l] = ksiRowDot(&system->model, (int)l, d->change) + sqrt(system->model.compliance[l]) * slack;
        square += slack * slack;
        lambda[l] = 0;
    }
    const ksiViewIndex view = system->model.knownCount > 0 ? KSI_VIEW_ALL : KSI_VIEW_EXACT;
    KSI_TRY(ksiTreeReduce(system, view, side, NULL));
    ksiTreeSolve(system, lambda, d->residual);
    if (!keepsDigits(tree, sqrt(square)))
        return KS_ERROR_UNAVAILABLE;
    *out = (ksGaussMeasure){.constraint = d->constraint};
    for (size_t i = 0; i < coordinates; i++) {
        const double residual = d->change[i] - d->residual[i];
        out->solverError += 0.5 * d->residual[i] * d->residual[i];
        out->unexplained += 0.5 * residual * residual;
    }
    for (size_t l = 0; l < rows; l++) {
        const double seen = sqrt(system->model.compliance[l]) * lambda[l];
        const double residual = slackOf(system, tree, d, (int)l) - seen;
        out->solverError += 0.5 * seen * seen;
        out->unexplained += 0.5 * residual * residual;
    }
    return KS_OK;
}

ksStatus ksiTreeMeasure(ksSystem *system, const double *acceleration, const double *multiplier, ksGaussMeasure *out)
{
    KSI_TRY(ksiTreeTrueMotion(system));
    const size_t coordinates = (size_t)system->model.coordinateCount;
    KSI_TRY(ksiReserveVectors(system, 2 * coordinates, (size_t)system->model.rowCount, 0));
    Deviation d = {.change = system->vector[0], .difference = system->vector[1], .multiplier = multiplier};
    d.residual = d.change + coordinates;
    ksiScaleMotion(&system->model, acceleration, d.change);
    deviate(system, &system->tree, &d);
    ksGaussMeasure found;
    if (!isExplained(system, &d, &found))
        KSI_TRY(splitDeviation(system, &d, &found));
    if (!isfinite(found.constraint) || !isfinite(found.unexplained) || !isfinite(found.solverError))
        return KS_ERROR_NOT_FINITE;
    *out = found;
    return KS_OK;
}

ksStatus ksiTreeExplain(ksSystem *system, const double *acceleration, double *unexplained)
{
    KSI_TRY(ksiTreeFind(system, KSI_VIEW_REACH));
    const size_t coordinates = (size_t)system->model.coordinateCount, rows = (size_t)system->model.rowCount;
    KSI_TRY(ksiReserveVectors(system, 2 * coordinates, 2 * rows, 0));
    double *z = system->vector[0], *free = z + coordinates, *none = system->vector[1];
    memset(none, 0, rows * sizeof *none);
    ksiScaleMotion(&system->model, acceleration, z);
    for (size_t i = 0; i < coordinates; i++)
        z[i] -= system->model.scaledForce[i];
    // the motion nearest to z that the rows permit
    KSI_TRY(ksiTreeReduce(system, KSI_VIEW_REACH, none, z));
    ksiTreeSolve(system, none + rows, free);
    if (!keepsDigits(&system->tree, sqrt(ksiDot(coordinates, z, z))))
        return KS_ERROR_UNAVAILABLE;
    *unexplained = sqrt(ksiDot(coordinates, free, free));
    return KS_OK;
}

/* |w_l| = [(A + S)^-1]_ll^1/2, once for a factorisation. */
static ksStatus relaxedSizes(ksSystem *system)
{
    ksiTree *tree = &system->tree;
    const size_t rows = (size_t)system->model.rowCount;
    if (tree->relaxedKnown)
        return KS_OK;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &tree->relaxed, rows));
    double *relaxed = tree->relaxed;
    if (tree->rowCount < system->model.rowCount)
        memset(relaxed, 0, rows * sizeof *relaxed);
    KSI_TRY(ksiTreeInverseDiagonal(system, relaxed));
    for (size_t l = 0; l < rows; l++)
        relaxed[l] = sqrt(relaxed[l]);
    tree->relaxedKnown = 1;
    return KS_OK;
}

ksStatus ksiTreeRelaxedSizes(ksSystem *system, ksiViewIndex view, double *size)
{
    KSI_TRY(ksiTreeGet(system, view));
    KSI_TRY(relaxedSizes(system));
    memcpy(size, system->tree.relaxed, (size_t)system->model.rowCount * sizeof *size);
    return KS_OK;
}

/* |y|^2 + |y_f|^2 over a block */
KSI_INLINE double squareOf(const ksSystem *system, const ksiTree *tree, int block)
{
    const int at = system->model.blockOffset[block], size = system->model.blockSize[block];
    const double *y = tree->y + at, *applied = tree->applied + at;
    if (size == KSI_SIX)
        return ksiDotSix(y, y) + ksiDotSix(applied, applied);
    double square = 0;
    for (int i = 0; i < size; i++)
        square += y[i] * y[i] + applied[i] * applied[i];
    return square;
}

/* The sum of errorbar.c, with the motion of all bodies. none: compliance up to this counts as zero.
 * *size2: sum of |w_l|^2 over rows of unit length. square: scratch [blocks]. */
KSI_CLONES
static double roundedShift(const ksSystem *system, const ksiTree *tree, double none, const double *paulus,
                           double *square, double *size2)
{
    const int *groupRow = system->pattern->fronts.groupRow, *piece = system->model.rowPiece;
    const double *relaxed = tree->relaxed;
    const double *compliance = system->model.compliance, *diagonal = system->model.diagonal;
    double moved = 0, load = 0, shares = 0;
    for (int b = 0; b < system->model.blockCount; b++) {
        square[b] = squareOf(system, tree, b);
        moved += square[b];
    }
    for (int g = 0; g < system->pattern->fronts.groupCount; g++) {
        double both = 0, share = 0, slack = 0;
        for (int p = piece[groupRow[g]]; p < piece[groupRow[g] + 1]; p++)
            both += square[system->model.pieceBlock[p]];
        for (int l = groupRow[g]; l < groupRow[g + 1]; l++) {
            const double soft = compliance[l] > none ? compliance[l] : 0, mu = paulus[l];
            const double length2 = diagonal[l] + soft, kept = relaxed[l] * relaxed[l] * length2;
            share += kept;
            slack += kept * soft * mu * mu;
            load += relaxed[l] > 0 ? length2 * mu * mu : 0;
        }
        moved += share * both + slack;
        shares += share;
    }
    *size2 = shares;
    return sqrt(moved) + sqrt(load);
}

/* The residuals of the rows, each weighted by its |w_l|, plus the unexplained part of the motion's
 * remainder: no multiplier is wrong by more than this times its |w_l|. Roundings of different
 * joints are independent, but an error of one joint shows in all of its rows. */
KSI_CLONES
static double weighMissed(const ksSystem *system, const ksiTree *tree)
{
    const int *groupRow = system->pattern->fronts.groupRow;
    double square = 0;
    for (int g = 0; g < system->pattern->fronts.groupCount; g++) {
        double sum = 0;
        for (int l = groupRow[g]; l < groupRow[g + 1]; l++)
            sum += tree->relaxed[l] * fabs(tree->missed[l]);
        square += sum * sum;
    }
    return sqrt(square) + tree->rest;
}

/* |gauss - paulus| + shift |w_l| + solved / |b_l|; omitted rows have no rounding. */
KSI_CLONES
static void addRoundings(const ksSystem *system, const ksiTree *tree, double shift, double solved, const double *gauss,
                         const double *paulus, double *bar)
{
    const ksiFourBits magnitude = (ksiFourBits){0} + INT64_MAX;
    const double *relaxed = tree->relaxed;
    const double *compliance = system->model.compliance, *diagonal = system->model.diagonal;
    int l = 0;
    for (; tree->rowCount == system->model.rowCount && l + 4 <= system->model.rowCount; l += 4) {
        const ksiFour difference = *(const ksiFour *)(gauss + l) - *(const ksiFour *)(paulus + l);
        ksiFour length = *(const ksiFour *)(diagonal + l) + *(const ksiFour *)(compliance + l);
        for (int k = 0; k < 4; k++)
            length[k] = sqrt(length[k]);
        *(ksiFour *)(bar + l) =
            (ksiFour)((ksiFourBits)difference & magnitude) + shift * *(const ksiFour *)(relaxed + l) + solved / length;
    }
    for (; l < system->model.rowCount; l++) {
        bar[l] = fabs(gauss[l] - paulus[l]);
        if (relaxed[l] > 0)
            bar[l] += shift * relaxed[l] + solved / sqrt(diagonal[l] + compliance[l]);
    }
}

/* Writes the motion of a view into tree->y; *solved: its rounding. */
static ksStatus findMotion(ksSystem *system, ksiViewIndex view, double *solved)
{
    ksiTree *tree = &system->tree;
    if (view != KSI_VIEW_EXACT) {
        tree->hasTrueMotion = 0;
        KSI_TRY(solve(system, view, true));
        *solved = tree->rounding;
        return KS_OK;
    }
    KSI_TRY(ksiTreeSolvePaulus(system, NULL));
    *solved = tree->motionRounding;
    return KS_OK;
}

ksStatus ksiTreeErrorBars(ksSystem *system, ksiViewIndex view, const double *gauss, const double *paulus, double *bar)
{
    const ksiTree *tree = &system->tree;
    const double none = ksiNoComplianceUpTo(ksiViewAt(view), system->model.rigidCompliance);
    double solved, size2;
    KSI_TRY(findMotion(system, view, &solved));
    KSI_TRY(relaxedSizes(system));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[0], (size_t)system->model.blockCount));
    double shift =
        system->inputRounding * ROUNDINGS * roundedShift(system, tree, none, paulus, system->vector[0], &size2);
    // without a fault in the factorisation, all of this is rounding
    if (view == KSI_VIEW_EXACT)
        shift = ksiLarger(shift, weighMissed(system, tree));
    addRoundings(system, tree, shift, solved, gauss, paulus, bar);
    // a row's residual is the rounding of the terms whose difference is its multiplier
    system->rounding = shift + ROUNDINGS * sqrt(size2) * solved;
    return KS_OK;
}

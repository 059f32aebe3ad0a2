/* errorbar.c  Finds error bars of the multipliers of both routes, against the exact multipliers of
 * the same rows.
 *
 * Householder factorisation is exact for B~ + E with columns |E_r| <= c eps (unit columns). To
 * first order, `E` moves the equilibrated multipliers mu = d lambda by A^-1 E^T y + B~^+ E mu. With
 * the relaxed coordinates W = B~^+T, A^-1 is W^T W. If roundings are independent of each other, the
 * bar of row `l` is
 *
 *     c eps |w_l| ( (sum_r |w_r|^2 |y|_r^2)^1/2 + |mu| ),   |w_l|^2 = [(A + S)^-1]_ll d_l^2
 *
 * where |y|_r is the motion of the bodies of row `r` only, true and applied: a heavy body elsewhere
 * causes no rounding here. The reflections also round `y` itself. This adds |y|^2, over the bodies
 * of all rows, to the sum. If the rank is deficient, `E` also rotates the self-stresses, and with
 * them the multipliers without self-stress. This adds
 *
 *     c eps |V2^T e_l| |B~^+T mu|,      V2 the unit self-stresses
 *
 * If compliance alone keeps dependent rows apart, `W` is large along their self-stress only. If a
 * projection has replaced the self-stress in the multipliers, the rows count as rigid, and bars
 * leave out this large part of `W`.
 *
 * The distance between both routes covers the errors of the range-space route. Neither route
 * detects a wrong `J`, `beta` or `f`.
 */
#include "../system_private.h"

#include "../../base/fpguard.h"
#include "../../base/vectorise.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* c: scaled rows, factorisation and substitutions. Not the worst case: on random systems of
 * 25 rows, nearly dependent down to 1e-6, mass ratios up to 1e4, the bar is never below the error
 * against a binary128 reference, and the median of bar / error is 20 to 60. */
#define ROUNDINGS 2.0

/* The singular value decomposition rounds once more, on either side of R. Of 20000 random redundant
 * systems, three have an error above a tenth of its bar, none above an eighth. */
#define DECOMPOSED_ROUNDINGS 16.0

/* Above this share of compliance in the rows, a separate factorisation computes the sizes without
 * compliance. */
#define MOST_SOFT 0.5

/* Below this share, the sizes with compliance give the sizes without it, which are longer by at
 * most about half of this share. */
#define NOT_SOFT 1e-3

/* Sizes of rows left out as dependent: projection on their self-stress n passes on the errors of
 * the other rows, in the kinematic metric
 *     |q_l| sum_m |q_m| |w_m|,      q = n / |n| */
static void sizesOfDependents(ksSystem *system, const ksiFactor *f, double *size)
{
    const ksiDependents *d = &f->dependents;
    const ksiFronts *p = &system->pattern->fronts;
    ksiFindKinematicSizes(&system->model);
    for (int i = 0; i < f->symbolic->closureCount; i++) {
        const ksiClosure *closure = &f->symbolic->closure[i];
        const ksiFour *times = (const ksiFour *)(const void *)(d->stress + closure->stress);
        ksiFour square = {0}, sum = {0};
        for (int at = closure->support; at < closure->supportEnd; at++)
            for (int l = p->groupRow[f->symbolic->list[at]]; l < p->groupRow[f->symbolic->list[at] + 1]; l++, times++) {
                const int c = f->column[l];
                if (c < 0)
                    continue;  // takes no part
                const double unit = f->unit[c] * system->model.kinematicSize[l];
                const ksiFour part = unit * *times, weighted = unit * part * size[c];
                square += part * part;
                for (int lane = 0; lane < KSI_STRESS_LANES; lane++)
                    sum[lane] += fabs(weighted[lane]);
            }
        for (int l = closure->row, lane = 0; l < closure->rowEnd; l++)
            if (f->kind[l] == KSI_ROW_DEPENDENT) {
                size[f->column[l]] = sum[lane] / square[lane];
                lane++;
            }
    }
}

/* [columns] |w_l|^2 of a sparse factorisation, without rows that are left out. */
static ksStatus sparseSquares(ksSystem *system, ksiFactor *f, double *square)
{
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->copy, (size_t)f->symbolic->memberCount));
    KSI_TRY(ksiSparseInverseDiagonal(f, f->copy));
    for (int i = 0; i < f->symbolic->memberCount; i++)
        square[f->symbolic->member[i]] = f->copy[i];
    return KS_OK;
}

/* [columns] |w_l| in equilibrated scale. */
static ksStatus relaxedSizes(ksSystem *system, ksiFactor *f, double *size)
{
    const size_t wide = (size_t)f->columns;
    memset(size, 0, wide * sizeof *size);
    if (f->isSparse) {
        KSI_TRY(sparseSquares(system, f, size));
    } else {
        KSI_TRY(ksiDoublesReserve(&system->allocator, &f->copy, 2 * wide));
        double *unit = f->copy, *w = unit + wide;
        for (size_t c = 0; c < wide; c++) {
            memset(unit, 0, wide * sizeof *unit);
            unit[c] = 1;
            ksiDenseSolveRTransposed(f, unit, w);
            size[c] = ksiDot((size_t)f->rank, w, w);
        }
    }
    for (size_t c = 0; c < wide; c++)
        size[c] = sqrt(size[c]);
    if (f->stressCount > 0)
        sizesOfDependents(system, f, size);
    return KS_OK;
}

/* With K = (A + S)^-1/2 S (A + S)^-1/2, A^-1 = (A + S)^-1/2 (1 - K)^-1 (A + S)^-1/2 <= (A + S)^-1 /
 * (1 - t), as long as t = trace K = sum s_l [(A + S)^-1]_ll is below 1. Returns the root of the
 * last factor. */
static double withoutCompliance(double soft)
{
    return 1 / sqrt(1 - soft);
}

/* Takes the sizes of rigid rows from the exact view, which counts their small compliances. false:
 * the sizes would become too large, or not all of these rows are independent. */
static bool takeExactSizes(const ksSystem *system, ksiFactor *f)
{
    const ksiFactor *exact = &system->factor[KSI_VIEW_EXACT];
    double soft = 0;
    if (f->index != KSI_VIEW_RIGID || f->rank < f->columns || !exact->known || !exact->sizesKnown ||
        exact->columns != f->columns)
        return false;
    for (int c = 0; c < f->columns; c++) {
        const double size = exact->size[c] * exact->unit[c];
        soft += f->slack[c] < 0 ? system->model.compliance[f->row[c]] * size * size : 0;
    }
    if (!(soft < NOT_SOFT))
        return false;
    for (int c = 0; c < f->columns; c++)
        f->size[c] = withoutCompliance(soft) * exact->size[c] * exact->unit[c] * f->scale[c];
    return true;
}

/* [columns] |w_l| into f->size, once for a factorisation. */
static ksStatus findSizes(ksSystem *system, ksiFactor *f)
{
    if (f->sizesKnown)
        return KS_OK;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->size, (size_t)f->columns));
    const ksStatus status = takeExactSizes(system, f) ? KS_OK : relaxedSizes(system, f, f->size);
    f->sizesKnown = !status;
    return status;
}

/* (sum over rows of |w_r|^2 (|y|^2 at r), of the true and of the applied motion)^1/2 + |mu|.
 * square: scratch [blocks]. */
static double roundedShift(ksSystem *system, const ksiFactor *f, const double *paulus, const double *size,
                           double *square)
{
    const ksiSystemMotion *m = &system->motion;
    double moved = 0, load = 0;
    for (int b = 0; b < system->model.blockCount; b++) {
        const size_t n = (size_t)system->model.blockSize[b], at = (size_t)system->model.blockOffset[b];
        square[b] = ksiDot(n, m->applied + at, m->applied + at) + ksiDot(n, m->y + at, m->y + at);
    }
    const int stamp = ksiNextStamp(&system->model);
    for (int c = 0; c < f->columns; c++) {
        const int l = f->row[c];
        double at = system->model.compliance[l] * paulus[l] * paulus[l];
        for (int p = system->model.rowPiece[l]; p < system->model.rowPiece[l + 1]; p++) {
            const int b = system->model.pieceBlock[p];
            at += square[b];
            if (system->model.blockStamp[b] != stamp)
                moved += square[b];
            system->model.blockStamp[b] = stamp;
        }
        moved += size[c] * size[c] * at;
        load += f->scale[c] * paulus[l] * f->scale[c] * paulus[l];
    }
    return sqrt(moved) + sqrt(load);
}

/* |Sigma^-1 V1^T mu| = |B~^+T mu|, and by column |V2^T e_c| into `stressed`: 0 for a full rank. */
static double turnedLoad(const ksiFactor *f, const double *paulus, double *stressed)
{
    const size_t wide = (size_t)f->columns;
    double turned = 0;
    for (size_t c = 0; c < wide; c++)
        stressed[c] = 0;
    if (!f->decomposed)
        return 0;
    for (size_t i = 0; i < (size_t)f->rank; i++) {
        double part = 0;
        for (size_t p = 0; p < wide; p++) {
            const int c = f->pivot[p] - 1;
            part += f->vt[p * wide + i] * f->scale[c] * paulus[f->row[c]];
        }
        turned += part / f->sigma[i] * (part / f->sigma[i]);
    }
    for (size_t p = 0; p < wide; p++) {
        const double *v = f->vt + p * wide + f->rank;
        stressed[f->pivot[p] - 1] = sqrt(ksiDot(wide - (size_t)f->rank, v, v));
    }
    return sqrt(turned);
}

static ksiViewIndex viewOf(ksiStressWay way)
{
    return way == KSI_STRESS_PROJECTED ? KSI_VIEW_RIGID : KSI_VIEW_EXACT;
}

ksStatus ksiSystemErrorBars(ksSystem *system, ksiStressWay way, const double *gauss, const double *paulus, double *bar)
{
    if (!ksiBeginCall(system))
        return KS_ERROR_BAD_ARGUMENT;
    const size_t rows = (size_t)system->model.rowCount, coordinates = (size_t)system->model.coordinateCount;
    if (rows == 0)
        return KS_OK;
    if (!gauss || !paulus || !bar)
        return KS_ERROR_BAD_ARGUMENT;
    if (!ksiAllFinite(rows, gauss) || !ksiAllFinite(rows, paulus))
        return KS_ERROR_NOT_FINITE;
    const ksiViewIndex view = viewOf(way);
    ksStatus status = ksiTreeErrorBars(system, view, gauss, paulus, bar);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    ksiFactor *f;
    if (view == KSI_VIEW_EXACT)
        status = ksiTrueMotion(system, &f);
    else if (!(status = ksiFactorGet(system, view, &f)) && system->motion.known != KSI_MOTION_TRUE)
        // the size of the motion does not depend on compliance that counts as rigid
        status = ksiFindMotion(system, f);
    if (status)
        return status;
    KSI_TRY(ksiReserveVectors(system, coordinates, rows, 0));
    double *square = system->vector[0], *stressed = system->vector[1];
    KSI_TRY(f->columns > 0 ? findSizes(system, f) : KS_OK);

    if (view == KSI_VIEW_RIGID)
        ksiFindKinematicSizes(&system->model);
    const double *size = f->size;
    const double shift = roundedShift(system, f, paulus, size, square), turned = turnedLoad(f, paulus, stressed);
    const double unit =
        fmax(system->inputRounding * ROUNDINGS, DBL_EPSILON * (f->decomposed ? DECOMPOSED_ROUNDINGS : ROUNDINGS));
    system->rounding = unit * shift;
    for (int l = 0; l < system->model.rowCount; l++) {
        const int c = f->column[l];
        const double rounding = c < 0 ? 0 : unit * (size[c] * shift + stressed[c] * turned) * f->unit[c];
        const double remainder =
            c < 0 || view == KSI_VIEW_EXACT ? 0 : system->stresses.splitError / system->model.kinematicSize[l];
        bar[l] = fabs(gauss[l] - paulus[l]) + rounding + remainder;
    }
    return KS_OK;
}

/* [rows] |w_l| of a view; 0 for rows that it leaves out. NaN if rows depend on each other without
 * compliance: no coordinate moves one of these rows alone, and the rows are not identified. */
static ksStatus sizesOf(ksSystem *system, ksiViewIndex view, double *size)
{
    const ksStatus status = ksiTreeRelaxedSizes(system, view, size);
    if (status != KS_ERROR_UNAVAILABLE)
        return status;
    ksiFactor *f;
    KSI_TRY(view == KSI_VIEW_REACH ? ksiIndependentFactor(system, view, &f) : ksiFactorGet(system, view, &f));
    for (int l = 0; !f && l < system->model.rowCount; l++)
        size[l] = NAN;
    if (!f)
        return KS_OK;
    if (f->columns > 0)
        KSI_TRY(findSizes(system, f));
    for (int l = 0; l < system->model.rowCount; l++) {
        const int c = f->column[l];
        size[l] = c < 0 ? 0 : f->size[c] * f->unit[c];
    }
    return KS_OK;
}

ksStatus ksiSystemExactSizes(ksSystem *system, double *size)
{
    return sizesOf(system, KSI_VIEW_EXACT, size);
}

ksStatus ksiSystemAddForceError(ksSystem *system, double force, double *bar)
{
    // the error bars reserve the same memory
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->vector[1], (size_t)system->model.rowCount));
    double *size = system->vector[1];
    KSI_TRY(sizesOf(system, KSI_VIEW_RIGID, size));
    for (int l = 0; l < system->model.rowCount; l++)
        bar[l] += size[l] * force;
    return KS_OK;
}

ksStatus ksiSystemRelaxedSizes(ksSystem *system, ksiStressWay way, const double *size2, double *size)
{
    const double *compliance = system->model.compliance;
    double soft = 0;
    if (system->model.rowCount == 0)
        return KS_OK;
    for (int l = 0; size2 && l < system->model.rowCount; l++)
        size[l] = sqrt(size2[l]);
    KSI_TRY(size2 ? KS_OK : sizesOf(system, viewOf(way), size));
    for (int l = 0; l < system->model.rowCount; l++)
        if (way != KSI_STRESS_PROJECTED || compliance[l] > system->model.rigidCompliance)
            soft += compliance[l] * size[l] * size[l];
    if (!(soft < MOST_SOFT))
        KSI_TRY(sizesOf(system, KSI_VIEW_REACH, size));
    const double longer = soft < MOST_SOFT ? withoutCompliance(soft) : 1;
    for (int l = 0; l < system->model.rowCount; l++)
        size[l] *= longer;
    for (int l = 0; system->model.knownCount > 0 && l < system->model.rowCount; l++)
        if (system->model.rowKnown[l])
            size[l] = NAN;
    return KS_OK;
}

static ksStatus getErrorBars(ksSystem *system, double *bar)
{
    KSI_REQUIRE_SYSTEM(system);
    const size_t rows = (size_t)system->model.rowCount;
    if (rows == 0)
        return KS_OK;
    KSI_REQUIRE_POINTER(bar);
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->routes, 3 * rows));
    double *gauss = system->routes, *paulus = gauss + rows, *found = paulus + rows;
    KSI_TRY(ksiSystemSolveGauss(system, gauss, NULL));
    KSI_TRY(ksiSystemSolvePaulus(system, paulus, NULL));
    KSI_TRY(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, paulus, found));
    // the parts of a bar may overflow, and their sum is then NaN
    for (size_t l = 0; l < rows; l++)
        bar[l] = isnan(found[l]) ? INFINITY : found[l];
    return KS_OK;
}

ksStatus ksSystemGetErrorBars(ksSystem *system, double *bar)
{
    KSI_RETURN_OF_SYSTEM(system, getErrorBars(system, bar));
}

/* followstress.c  The self-stresses of a step from those of the one before, without a factorisation of the rigid rows.
 *
 *  With R of the exact factorisation, over unit columns, and S the compliance that counts as rigid,
 *
 *      R^T R = B^T B + S,      (R^T R)^-1 S n = n  where  B n = 0,
 *
 *  and what is no self-stress is left with a share of s / (sigma^2 + s): two rounds lead from the self-stresses of one step to
 *  those of the next. That they do is seen from the rows, |B n|. That there are no others is taken from the least singular
 *  value that was found with the last factorisation of the rigid rows, while the pivots of the exact one stay.
 *  For rows that depend to rounding only, and closures that have no rows in common.
 */
#include "system_private.h"

#include "../vectorise.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LANES = KSI_STRESS_LANES, ROUNDS = 2 };

/* x := R^-T x and R^-1 x of ROWS rows, four vectors at a time; r, pivot: of the first of them. */
KSI_INLINE void forwardRows(const int ROWS, const double *r, int stride, int first, int width, const double *pivot,
                            ksiFour *x)
{
    ksiFour t[6];
    EACH (i, 0, ROWS) {
        t[i] = x[first + i];
        EACH (m, 0, i)
            t[i] -= r[m * stride + first + i] * t[m];
        x[first + i] = t[i] *= pivot[i];
    }
    for (int j = first + ROWS; j < width; j++) {
        ksiFour left = x[j];
        EACH (m, 0, ROWS)
            left -= r[m * stride + j] * t[m];
        x[j] = left;
    }
}

KSI_INLINE void backwardRows(const int ROWS, const double *r, int stride, int first, int width, const double *pivot,
                             ksiFour *x)
{
    ksiFour t[6];
    EACH (i, 0, ROWS)
        t[i] = x[first + i];
    for (int j = first + ROWS; j < width; j++)
        EACH (m, 0, ROWS)
            t[m] -= r[m * stride + j] * x[j];
    EACH_DOWN (i, 0, ROWS) {
        x[first + i] = t[i] *= pivot[i];
        EACH (m, 0, i)
            t[m] -= r[m * stride + first + i] * t[i];
    }
}

/* n := (R^T R)^-1 n by columns. x: as wide as the widest front. */
KSI_INLINE void solve(const ksiSparse *s, ksiFour *n, ksiFour *x)
{
    const int fronts = s->pattern->groupCount;
    for (int k = 0; k < fronts; k++) {
        const ksiFront *front = &s->front[k];
        const int *column = ksiFrontColumn(s, front), stride = front->stride, width = front->width;
        const double *r = s->matrix.at + front->matrix, *pivot = s->pivot.at + front->pivot;
        for (int j = 0; j < width; j++)
            x[j] = n[column[j]];
        for (int first = 0, rows; first < front->pivots; first += rows, r += rows * stride) {
            rows = front->pivots - first < 6 ? front->pivots - first : 6;
#define FORWARD(ROWS) forwardRows(ROWS, r, stride, first, width, pivot + first, x)
            KSI_BY_ROWS(rows, FORWARD)
        }
        for (int j = 0; j < width; j++)
            n[column[j]] = x[j];
    }
    for (int k = fronts - 1; k >= 0; k--) {
        const ksiFront *front = &s->front[k];
        const int *column = ksiFrontColumn(s, front), stride = front->stride, width = front->width;
        const double *r = s->matrix.at + front->matrix, *pivot = s->pivot.at + front->pivot;
        for (int j = 0; j < width; j++)
            x[j] = n[column[j]];
        for (int end = front->pivots, rows; end > 0; end -= rows) {
            rows = end < 6 ? end : 6;
            const int first = end - rows;
#define BACKWARD(ROWS) backwardRows(ROWS, r + first * stride, stride, first, width, pivot + first, x)
            KSI_BY_ROWS(rows, BACKWARD)
        }
        for (int j = 0; j < front->pivots; j++)
            n[column[j]] = x[j];
    }
}

/* Does the rigid view take in what it did? The exact one does. */
static int sameKinds(const ksSystem *system, const ksiFactor *rigid)
{
    int same = 1;
    for (int l = 0; l < system->rowCount; l++) {
        const int isSoft = system->compliance.at[l] > system->rigidCompliance;
        same &= isSoft == (rigid->kind.at[l] == KSI_ROW_COMPLIANT) || system->rowKnown.at[l];
        same &= isSoft || system->diagonal.at[l] > 0;
    }
    return same;
}

/* The basis, from values over rows of unit size to multiples of unit columns and, after the rounds, back. soft: S. */
KSI_CLONES
static void turn(const ksSystem *system, const ksiFactor *exact, const ksiStressBasis *basis, const double *soft,
                 ksiFour *n, ksiFour *x)
{
    ksiFour *value = (ksiFour *)(void *)basis->value.at;
    const int rows = basis->start.at[basis->closureCount];
    memset(n, 0, (size_t)exact->columns * sizeof *n);
    for (int at = 0; at < rows; at++) {
        const int l = basis->row.at[at], c = exact->column.at[l];
        if (c >= 0)
            n[c] = exact->scale.at[c] / system->rowSize.at[l] * value[at];
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int c = 0; c < exact->columns; c++)
            n[c] *= soft[c];
        solve(&exact->sparse, n, x);
    }
    for (int at = 0; at < rows; at++) {
        const int l = basis->row.at[at], c = exact->column.at[l];
        if (c >= 0)
            value[at] = exact->unit.at[c] * system->rowSize.at[l] * n[c];
    }
}

/* S of unit columns. */
static void findSoftness(const ksSystem *system, const ksiFactor *exact, double *soft)
{
    for (int c = 0; c < exact->columns; c++) {
        const double part = exact->slackPart.at[c];
        soft[c] = system->compliance.at[exact->row.at[c]] <= system->rigidCompliance ? part * part : 0;
    }
}

static int mayFollow(const ksSystem *system)
{
    const ksiFactor *exact = &system->factor[KSI_VIEW_EXACT], *rigid = &system->factor[KSI_VIEW_RIGID];
    return system->isFollowed && exact->known && exact->servedBy == KSI_VIEW_EXACT && exact->isSparse &&
           !rigid->known && exact->stressSteps > 0 && ksiPivotsStay(exact, system->followed.pivot.at) &&
           sameKinds(system, rigid);
}

ksStatus ksiFollowStresses(ksSystem *system)
{
    ksiFactor *exact = &system->factor[KSI_VIEW_EXACT];
    ksiFollowedStress *kept = &system->followed;
    kept->isTaken = 0;
    if (!mayFollow(system)) {
        exact->stressSteps = exact->stressSteps < 0 ? exact->stressSteps : 0;
        return KS_OK;
    }
    size_t widest = 0;
    for (int k = 0; k < system->fronts.groupCount; k++)
        widest = (size_t)exact->sparse.front[k].width > widest ? (size_t)exact->sparse.front[k].width : widest;
    const size_t columns = (size_t)exact->columns;
    if (ksiDoublesReserve(system, &kept->lane, LANES * (columns + widest) + columns))
        return KS_ERROR_NO_MEMORY;
    ksiFour *n = (ksiFour *)(void *)kept->lane.at;
    double *soft = kept->lane.at + LANES * (columns + widest);
    ksiSizeRows(system);
    const ksiStressBasis *basis = &system->stressBasis[KSI_METRIC_KINEMATIC];
    findSoftness(system, exact, soft);
    turn(system, exact, basis, soft, n, n + columns);
    ksiStressNormalise(basis);
    kept->lifted = ksiStressError(system, basis);
    kept->isTaken = KSI_NOISE_OVER_TILT * kept->lifted <= KSI_LEAST_NOISE * kept->least;
    exact->stressSteps = kept->isTaken ? exact->stressSteps - 1 : 0;
    return KS_OK;
}

ksStatus ksiKeepStresses(ksSystem *system, const ksiFactor *rigid)
{
    ksiFactor *exact = &system->factor[KSI_VIEW_EXACT];
    ksiFollowedStress *kept = &system->followed;
    if (exact->stressSteps < 0) {
        exact->stressSteps++;
        return KS_OK;
    }
    exact->stressSteps = 0;
    const ksiStressBasis *basis = &system->stressBasis[KSI_METRIC_KINEMATIC];
    if (!system->isFollowed || rigid != &system->factor[KSI_VIEW_RIGID] || rigid->stressCount == 0 ||
        rigid->stressCount != system->selfStressCount || rigid->stressNoise > KSI_LEAST_NOISE || !basis->isApart ||
        !exact->known || exact->servedBy != KSI_VIEW_EXACT || !exact->isSparse)
        return KS_OK;
    const size_t columns = (size_t)exact->columns;
    if (ksiDoublesReserve(system, &kept->pivot, columns) || ksiDoublesReserve(system, &kept->size, columns))
        return KS_ERROR_NO_MEMORY;
    memcpy(kept->pivot.at, exact->sparse.pivot.at, columns * sizeof(double));
    kept->sizesKnown = 0;
    kept->least = rigid->least * ksiFactorSpread(system, rigid) / KSI_FOLLOWED_FACTOR;
    exact->stressSteps = KSI_FOLLOWED_STEPS;
    return KS_OK;
}

void ksiKeepSizes(ksSystem *system, const ksiFactor *rigid, const double *size)
{
    const ksiFactor *exact = &system->factor[KSI_VIEW_EXACT];
    ksiFollowedStress *kept = &system->followed;
    if (exact->stressSteps <= 0 || kept->isTaken || rigid != &system->factor[KSI_VIEW_RIGID])
        return;
    memset(kept->size.at, 0, (size_t)exact->columns * sizeof(double));
    for (int c = 0; c < rigid->columns; c++)
        kept->size.at[exact->column.at[rigid->row.at[c]]] = size[c];
    kept->sizesKnown = 1;
}

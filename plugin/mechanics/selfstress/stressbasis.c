/* stressbasis.c  Finds an orthonormal basis `Q` of the self-stresses, with the rows of the system
 * in unit size.
 *
 * If no two closures share a row, each closure has a basis of its own, with a few numbers for each
 * of its rows. The vectors n_c = (z_c, -1) of a closure have their -1 in different rows, so they
 * are well independent, and one round of Gram-Schmidt is enough. Otherwise Q is the basis of a
 * sparse factorisation, see stressfactor.c.
 */
#include "../system_private.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { LANES = KSI_STRESS_LANES };

/* Lists the rows of each closure. Returns 0 if two closures share a row. */
static int listRows(const ksSystem *system, const ksiFactor *f, ksiStressBasis *basis)
{
    const ksiFronts *p = &system->pattern->fronts;
    const ksiDependents *d = &f->dependents;
    int fill = 0, isDisjoint = 1;
    basis->closureCount = f->symbolic->closureCount;
    for (int i = 0; isDisjoint && i < f->symbolic->closureCount; i++) {
        const ksiClosure *closure = &f->symbolic->closure[i];
        basis->start[i] = fill;
        for (int at = closure->support; isDisjoint && at < closure->supportEnd; at++) {
            const int g = f->symbolic->list[at];
            isDisjoint = !d->mark[g];
            d->mark[g] = 1;
            for (int l = p->groupRow[g]; isDisjoint && l < p->groupRow[g + 1]; l++)
                basis->row[fill++] = l;
        }
        basis->width[i] = 0;
        for (int l = closure->row; l < closure->rowEnd; l++)
            basis->width[i] += f->kind[l] == KSI_ROW_DEPENDENT;
    }
    basis->start[f->symbolic->closureCount] = fill;
    memset(d->mark, 0, (size_t)p->groupCount * sizeof(int));
    return isDisjoint;
}

/* Makes `count` vectors orthonormal, one in each lane. */
KSI_CLONES
static void orthonormalise(int rows, int count, ksiFour *value)
{
    for (int k = 0; k < count; k++) {
        ksiFour even = {0}, odd = {0}, keep = {1, 1, 1, 1};
        for (int i = 0; i < rows; i++) {
            even += value[i][k] * value[i];
            if (++i == rows)
                break;
            odd += value[i][k] * value[i];
        }
        even += odd;
        // removes the component along vector k from the later vectors, and normalises vector k
        ksiFour add = -1 / even[k] * even;
        for (int lane = 0; lane < k; lane++)
            add[lane] = 0;
        keep[k] = 0;
        add[k] = 1 / sqrt(even[k]);
        for (int i = 0; i < rows; i++)
            value[i] = keep * value[i] + value[i][k] * add;
    }
}

static ksStatus takeClosures(ksSystem *system, const ksiFactor *f, ksiMetric metric, ksiStressBasis *basis)
{
    const ksiDependents *d = &f->dependents;
    const size_t rows = (size_t)system->model.rowCount, closures = (size_t)f->symbolic->closureCount;
    KSI_TRY(ksiIntsReserve(&system->allocator, &basis->row, rows));
    KSI_TRY(ksiIntsReserve(&system->allocator, &basis->start, closures + 1));
    KSI_TRY(ksiIntsReserve(&system->allocator, &basis->width, closures));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &basis->value, LANES * rows));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &basis->part, rows));
    basis->isApart = listRows(system, f, basis);
    for (int i = 0; basis->isApart && i < f->symbolic->closureCount; i++) {
        const int first = basis->start[i], count = basis->start[i + 1] - first;
        const ksiFour *from = (const ksiFour *)(const void *)(d->stress + f->symbolic->closure[i].stress);
        ksiFour *value = (ksiFour *)(void *)basis->value + first;
        for (int at = 0; at < count; at++)
            ksiStressParts(system, f, metric, basis->row[first + at], LANES, (const double *)&from[at], LANES,
                           (double *)&value[at]);
        orthonormalise(count, basis->width[i], value);
    }
    return KS_OK;
}

ksStatus ksiFindStressBasis(ksSystem *system, ksiFactor *f, ksiMetric metric)
{
    ksiStressBasis *basis = &system->stresses.orthonormal[metric];
    ksiFindKinematicSizes(&system->model);
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->workspace, 2 * (size_t)f->rows));
    // a row without entries is a self-stress by itself
    const bool anyEmpty =
        metric == KSI_METRIC_KINEMATIC && f->columns + system->model.knownCount < system->model.rowCount;
    basis->isApart = 0;
    if (f->stressCount > 0 && !anyEmpty && takeClosures(system, f, metric, basis))
        return KS_ERROR_NO_MEMORY;
    return basis->isApart ? KS_OK : ksiFindStressFactor(system, f, metric, anyEmpty);
}

/* Writes Q Q^T h into basis->part, in the order of the listed rows. */
KSI_CLONES
static void project(const ksiStressBasis *basis, const double *h)
{
    for (int i = 0; i < basis->closureCount; i++) {
        const int first = basis->start[i], end = basis->start[i + 1], *row = basis->row;
        const ksiFour *value = (const ksiFour *)(const void *)basis->value;
        ksiFour even = {0}, odd = {0};
        for (int at = first; at < end; at++) {
            even += h[row[at]] * value[at];
            if (++at == end)
                break;
            odd += h[row[at]] * value[at];
        }
        even += odd;
        for (int at = first; at < end; at++) {
            const ksiFour product = even * value[at];
            const ksiTwo sum = ksiFold(&product);
            basis->part[at] = sum[0] + sum[1];
        }
    }
}

void ksiStressPart(ksSystem *system, const ksiStressBasis *basis, double *h)
{
    if (!basis->isApart) {
        ksiFactorProject(basis->factor, 1, h);
        return;
    }
    project(basis, h);
    memset(h, 0, (size_t)system->model.rowCount * sizeof *h);
    for (int at = 0; at < basis->start[basis->closureCount]; at++)
        h[basis->row[at]] = basis->part[at];
}

void ksiStresslessPart(const ksiStressBasis *basis, double *h)
{
    if (!basis->isApart) {
        ksiFactorProject(basis->factor, 0, h);
        return;
    }
    project(basis, h);
    for (int at = 0; at < basis->start[basis->closureCount]; at++)
        h[basis->row[at]] -= basis->part[at];
}

void ksiStressVector(const ksSystem *system, const ksiStressBasis *basis, int k, double *h)
{
    if (!basis->isApart) {
        ksiFactorStressVector(basis->factor, k, h);
        return;
    }
    memset(h, 0, (size_t)system->model.rowCount * sizeof *h);
    int i = 0;
    for (; k >= basis->width[i]; i++)
        k -= basis->width[i];
    for (int at = basis->start[i]; at < basis->start[i + 1]; at++)
        h[basis->row[at]] = basis->value[LANES * at + k];
}

ksStatus ksiStressShares(ksSystem *system, const ksiStressBasis *basis)
{
    const size_t rows = (size_t)system->model.rowCount;
    if (!basis->isApart)
        return ksiFactorShares(system, basis->factor);
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->stresses.share, LANES * rows));
    KSI_TRY(ksiIntsReserve(&system->allocator, &system->stresses.shareCount, rows));
    system->stresses.shareWidth = LANES;
    memset(system->stresses.shareCount, 0, rows * sizeof *system->stresses.shareCount);
    for (int i = 0; i < basis->closureCount; i++)
        for (int at = basis->start[i]; at < basis->start[i + 1]; at++) {
            const int l = basis->row[at];
            system->stresses.shareCount[l] = basis->width[i];
            memcpy(system->stresses.share + LANES * l, basis->value + LANES * at, LANES * sizeof(double));
        }
    return KS_OK;
}

void ksiDependentSolveRTransposed(ksiFactor *f, const double *side, double *frame)
{
    double *h = f->workspace, *members = h + f->rows;
    memset(h, 0, (size_t)f->rows * sizeof *h);
    for (int c = 0; c < f->columns; c++)
        h[f->row[c]] = side[c];
    ksiStresslessPart(f->stressBasis, h);
    for (int i = 0; i < f->symbolic->memberCount; i++)
        members[i] = h[f->row[f->symbolic->member[i]]];
    ksiSparseSolveRTransposed(f, members, frame);
}

void ksiDependentSolveR(ksiFactor *f, const double *frame, double *multiple)
{
    double *h = f->workspace, *members = h + f->rows;
    ksiSparseSolveR(f, frame, members);
    memset(h, 0, (size_t)f->rows * sizeof *h);
    for (int i = 0; i < f->symbolic->memberCount; i++)
        h[f->row[f->symbolic->member[i]]] = members[i];
    ksiStresslessPart(f->stressBasis, h);
    for (int c = 0; c < f->columns; c++)
        multiple[c] = h[f->row[c]];
}

/* stressfactor.c  Finds an orthonormal, sparse basis `Q` of self-stresses `N` that share rows.
 *
 *     N = Q R,      columns = self-stresses, rows = rows of the system in unit size
 *
 * This sparse factorisation is like the factorisation of the rows (fronts.h). Its columns are
 * self-stresses, and its blocks are groups of rows. Each loop touches few groups, however many
 * loops there are. For the self-stresses that touch a group, let Z = (R^T R)^-1 = W W^T
 * (fronts_inverse.c). At the rows of the group, Q Q^T = N Z N^T = (N W)(N W)^T.
 */
#include "../system_private.h"

#include "../../base/vectorise.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static ksStatus makeFactor(ksSystem *system, ksiMetric metric)
{
    if (system->stresses.orthonormal[metric].factor)
        return KS_OK;
    ksiStressFactor *made = system->allocator.resize(system->allocator.user, NULL, sizeof *made);
    if (!made)
        return KS_ERROR_NO_MEMORY;
    memset(made, 0, sizeof *made);
    made->model.allocator = &system->allocator;
    system->stresses.orthonormal[metric].factor = made;
    return KS_OK;
}

/* Makes the groups of the system's rows the blocks of the basis. Reserves memory for `most`
 * self-stresses. */
static ksStatus beginBasis(ksSystem *system, ksiMetric metric, int most)
{
    const ksiFronts *p = &system->pattern->fronts;
    KSI_TRY(makeFactor(system, metric));
    ksiModel *model = &system->stresses.orthonormal[metric].factor->model;
    ksiModelClear(model);
    KSI_TRY(ksiIntsReserve(&system->allocator, &model->blockSize, (size_t)p->groupCount));
    KSI_TRY(ksiIntsReserve(&system->allocator, &model->blockOffset, (size_t)p->groupCount));
    KSI_TRY(ksiRowsReserve(model, (size_t)most, 0, 0));
    for (int g = 0; g < p->groupCount; g++) {
        model->blockSize[g] = p->groupRow[g + 1] - p->groupRow[g];
        model->blockOffset[g] = p->groupRow[g];
    }
    model->blockCount = p->groupCount;
    model->coordinateCount = p->rowCount;
    return KS_OK;
}

/* Reserves memory for the pieces of one more self-stress, which has this number of groups and
 * rows. */
static ksStatus beginStress(ksiModel *basis, int groups, int rows)
{
    const size_t pieces = (size_t)basis->pieceCount + (size_t)groups;
    if (rows > INT_MAX - basis->entryCount)
        return KS_ERROR_NO_MEMORY;
    KSI_TRY(ksiIntsReserve(basis->allocator, &basis->pieceBlock, pieces));
    KSI_TRY(ksiIntsReserve(basis->allocator, &basis->pieceEntry, pieces));
    return ksiDoublesReserve(basis->allocator, &basis->entry, (size_t)(basis->entryCount + rows));
}

/* Adds the piece of a self-stress at a group. The entries begin at `value`, `stride` apart. */
static void addPiece(const ksSystem *system, const ksiFactor *f, ksiMetric metric, ksiModel *basis, int group,
                     const double *value, int stride)
{
    const ksiFronts *p = &system->pattern->fronts;
    basis->pieceBlock[basis->pieceCount] = group;
    basis->pieceEntry[basis->pieceCount++] = basis->entryCount;
    for (int l = p->groupRow[group]; l < p->groupRow[group + 1]; l++, value += stride)
        ksiStressParts(system, f, metric, l, 1, value, stride, &basis->entry[basis->entryCount++]);
}

/* Makes the last pieces a row of unit length. */
static void endStress(ksiModel *basis)
{
    const int k = basis->rowCount++, first = basis->pieceEntry[basis->rowPiece[k]];
    double *entry = basis->entry + first;
    const size_t count = (size_t)(basis->entryCount - first);
    const double size = 1 / sqrt(ksiDot(count, entry, entry));
    for (size_t i = 0; i < count; i++)
        entry[i] *= size;
    basis->rowPiece[k + 1] = basis->pieceCount;
    basis->beta[k] = basis->compliance[k] = basis->lo[k] = basis->hi[k] = 0;
    basis->rowKnown[k] = 0;
    basis->diagonal[k] = basis->kinematicSize[k] = 1;
}

static ksStatus takeClosures(ksSystem *system, ksiFactor *f, ksiMetric metric, ksiModel *basis)
{
    const int *groupRow = system->pattern->fronts.groupRow;
    for (int i = 0; i < f->symbolic->closureCount; i++) {
        const ksiClosure *closure = &f->symbolic->closure[i];
        const double *lane = f->dependents.stress + closure->stress;
        for (int l = closure->row; l < closure->rowEnd; l++) {
            if (f->kind[l] != KSI_ROW_DEPENDENT)
                continue;
            const double *value = lane++;
            KSI_TRY(beginStress(basis, closure->supportEnd - closure->support, closure->length));
            for (int at = closure->support; at < closure->supportEnd; at++) {
                const int g = f->symbolic->list[at];
                addPiece(system, f, metric, basis, g, value, KSI_STRESS_LANES);
                value += KSI_STRESS_LANES * (groupRow[g + 1] - groupRow[g]);
            }
            endStress(basis);
        }
    }
    return KS_OK;
}

/* Takes the self-stresses V2 of a decomposition. */
static ksStatus takeDecomposed(ksSystem *system, ksiFactor *f, ksiMetric metric, ksiModel *basis)
{
    const ksiFronts *p = &system->pattern->fronts;
    const size_t rows = (size_t)system->model.rowCount, wide = (size_t)f->columns;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->work, rows));
    memset(f->work, 0, rows * sizeof *f->work);
    for (size_t k = (size_t)f->rank; k < wide; k++) {
        for (size_t i = 0; i < wide; i++)
            f->work[f->row[f->pivot[i] - 1]] = f->vt[i * wide + k];
        KSI_TRY(beginStress(basis, p->groupCount, p->rowCount));
        for (int g = 0; g < p->groupCount; g++)
            addPiece(system, f, metric, basis, g, f->work + p->groupRow[g], 1);
        endStress(basis);
    }
    return KS_OK;
}

/* A row without entries is a self-stress by itself. */
static ksStatus takeEmpty(const ksSystem *system, const ksiFactor *f, ksiModel *basis)
{
    const ksiFronts *p = &system->pattern->fronts;
    for (int g = 0; g < p->groupCount; g++)
        for (int l = p->groupRow[g]; l < p->groupRow[g + 1]; l++) {
            if (f->column[l] >= 0 || system->model.rowKnown[l])
                continue;
            KSI_TRY(beginStress(basis, 1, p->groupRow[g + 1] - p->groupRow[g]));
            basis->pieceBlock[basis->pieceCount] = g;
            basis->pieceEntry[basis->pieceCount++] = basis->entryCount;
            for (int i = p->groupRow[g]; i < p->groupRow[g + 1]; i++)
                basis->entry[basis->entryCount++] = i == l;
            endStress(basis);
        }
    return KS_OK;
}

ksStatus ksiFindStressFactor(ksSystem *system, ksiFactor *f, ksiMetric metric, int anyEmpty)
{
    KSI_TRY(beginBasis(system, metric, system->model.rowCount - f->rank));
    ksiStressFactor *basis = system->stresses.orthonormal[metric].factor;
    ksiFactor *factor = &basis->factor;
    KSI_TRY((f->stressCount > 0 ? takeClosures : takeDecomposed)(system, f, metric, &basis->model));
    KSI_TRY(anyEmpty ? takeEmpty(system, f, &basis->model) : KS_OK);
    KSI_TRY(ksiFindPattern(&system->patterns, &basis->model, &basis->pattern));
    factor->model = &basis->model;
    factor->pattern = basis->pattern;
    factor->index = KSI_VIEW_ALL;
    KSI_TRY(ksiGatherColumns(&system->patterns, factor, NULL));
    KSI_TRY(ksiFactoriseSparse(factor));
    // well independent: each n_c has a row that no other has, and the vectors of V2 are orthonormal
    return factor->smallest > KSI_CLEARS_ROUNDING ? KS_OK : KS_ERROR_SINGULAR;
}

void ksiFactorProject(ksiStressFactor *basis, int stressed, double *h)
{
    ksiFactor *f = &basis->factor;
    const size_t count = (size_t)f->columns, height = (size_t)f->height;
    if (count == 0)
        return;
    ksiSparseApplyQTransposed(f, h);
    if (stressed)
        memset(h + count, 0, (height - count) * sizeof *h);
    else
        memset(h, 0, count * sizeof *h);
    ksiSparseApplyQ(f, h);
}

void ksiFactorStressVector(ksiStressFactor *basis, int k, double *h)
{
    memset(h, 0, (size_t)basis->model.coordinateCount * sizeof *h);
    h[k] = 1;
    ksiSparseApplyQ(&basis->factor, h);
}

/* One self-stress's part of N W: its entries times its row of W. */
KSI_INLINE void addShares(const double *entry, int size, const double *from, size_t stride, double *to, size_t width)
{
    for (int i = 0; i < size; i++, to += width)
        for (size_t j = 0; j < stride; j += 4)
            *(ksiFour *)(void *)(to + j) += entry[i] * *(const ksiFour *)(const void *)(from + j);
}

/* N W of the groups that are led by one front. */
KSI_CLONES
static void shareFront(const ksiModel *basis, const ksiSparse *s, int k, double *share, size_t width, int *count)
{
    const ksiFront *front = &s->symbolic->front[k];
    const size_t stride = (size_t)front->stride;
    for (int t = front->take; t < front[1].take; t++) {
        const ksiTake *take = &s->symbolic->take[t];
        const double *entry = basis->entry + take->entry;
        const double *from = s->inverse + front->inverse + (take->at - front->matrix) % stride * stride;
        const int first = basis->blockOffset[take->block];
        for (int i = 0; i < take->size; i++)
            count[first + i] = front->width;
        for (int c = 0; c < take->count; c++, entry += take->step, from += stride)
            addShares(entry, take->size, from, stride, share + (size_t)first * width, width);
    }
}

ksStatus ksiFactorShares(ksSystem *system, ksiStressFactor *basis)
{
    ksiFactor *f = &basis->factor;
    const ksiSparse *s = &f->sparse;
    const size_t rows = (size_t)system->model.rowCount;
    int width = 0;
    for (int k = 0; k < basis->pattern->fronts.groupCount; k++)
        width = s->symbolic->front[k].stride > width ? s->symbolic->front[k].stride : width;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->stresses.share, rows * (size_t)width));
    KSI_TRY(ksiIntsReserve(&system->allocator, &system->stresses.shareCount, rows));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->copy, (size_t)f->columns));
    KSI_TRY(ksiSparseInverseDiagonal(f, f->copy));
    memset(system->stresses.share, 0, rows * (size_t)width * sizeof *system->stresses.share);
    memset(system->stresses.shareCount, 0, rows * sizeof *system->stresses.shareCount);
    for (int k = 0; k < basis->pattern->fronts.groupCount; k++)
        shareFront(&basis->model, s, k, system->stresses.share, (size_t)width, system->stresses.shareCount);
    system->stresses.shareWidth = width;
    return KS_OK;
}

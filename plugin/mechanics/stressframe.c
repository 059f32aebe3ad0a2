/* stressframe.c  An orthonormal basis of the self-stresses where they have rows in common, sparse where they are.
 *
 *      N = Q R,      columns = self-stresses, rows = rows of the system in their unit
 *
 *  is again the factorisation of a system, whose rows are the self-stresses and whose blocks the groups of our rows: each
 *  loop touches few, however many loops there are. With Z = (R^T R)^-1 = W W^T at the self-stresses that touch a group, see
 *  fronts_inverse.c, Q Q^T = N Z N^T is (N W)(N W)^T at its rows.
 */
#include "system_private.h"

#include "../base/vectorise.h"

#include <math.h>
#include <string.h>

typedef struct Sizes {
    size_t stresses, pieces, entries;
} Sizes;

static void addSizes(Sizes *sizes, int pieces, int entries)
{
    sizes->stresses++;
    sizes->pieces += (size_t)pieces;
    sizes->entries += (size_t)entries;
}

/* Groups of our rows as blocks, without rows yet. */
static ksStatus begin(ksSystem *system, ksiMetric metric, const Sizes *sizes)
{
    const ksiFronts *p = &system->fronts;
    const size_t blocks = (size_t)p->groupCount;
    ksSystem **kept = &system->stressBasis[metric].frame;
    if (!*kept && ksiSystemCreate(&system->allocator, kept))
        return KS_ERROR_NO_MEMORY;
    ksSystem *frame = *kept;
    ksSystemClear(frame);
    if (ksiIntsReserve(&frame->allocator, &frame->model.blockSize, blocks) ||
        ksiIntsReserve(&frame->allocator, &frame->model.blockOffset, blocks) ||
        ksiRowsReserve(&frame->model, sizes->stresses, sizes->pieces, sizes->entries))
        return KS_ERROR_NO_MEMORY;
    for (int g = 0; g < p->groupCount; g++) {
        frame->model.blockSize.at[g] = p->groupRow.at[g + 1] - p->groupRow.at[g];
        frame->model.blockOffset.at[g] = p->groupRow.at[g];
    }
    frame->model.blockCount = p->groupCount;
    frame->model.coordinateCount = p->rowCount;
    return KS_OK;
}

/* The values of one self-stress at a group: entries from `value` on, `stride` apart. */
static void addPiece(const ksSystem *system, const ksiFactor *f, ksiMetric metric, ksSystem *frame, int group,
                     const double *value, int stride)
{
    const ksiFronts *p = &system->fronts;
    frame->model.pieceBlock.at[frame->model.pieceCount] = group;
    frame->model.pieceEntry.at[frame->model.pieceCount++] = frame->model.entryCount;
    for (int l = p->groupRow.at[group]; l < p->groupRow.at[group + 1]; l++, value += stride) {
        const int c = f->column.at[l];
        const double scale = c < 0 ? 0 : metric == KSI_METRIC_MASS ? 1 : f->unit.at[c] * system->model.rowSize.at[l];
        frame->model.entry.at[frame->model.entryCount++] = scale * *value;
    }
}

/* Makes the last pieces a row of unit length. */
static void endStress(ksSystem *frame)
{
    const int k = frame->model.rowCount++, first = frame->model.pieceEntry.at[frame->model.rowPiece.at[k]];
    double *entry = frame->model.entry.at + first;
    const size_t count = (size_t)(frame->model.entryCount - first);
    const double size = 1 / sqrt(ksiDot(count, entry, entry));
    for (size_t i = 0; i < count; i++)
        entry[i] *= size;
    frame->model.rowPiece.at[k + 1] = frame->model.pieceCount;
    frame->model.beta.at[k] = frame->model.compliance.at[k] = frame->model.lo.at[k] = frame->model.hi.at[k] = 0;
    frame->model.rowKnown.at[k] = 0;
    frame->model.diagonal.at[k] = frame->model.rowSize.at[k] = 1;
}

static ksStatus takeClosures(ksSystem *system, const ksiFactor *f, ksiMetric metric, const Sizes *empty)
{
    const ksiDependents *d = &f->dependents;
    Sizes sizes = *empty;
    for (int i = 0; i < d->closureCount; i++) {
        const ksiClosure *closure = &d->closure[i];
        for (int l = closure->row; l < closure->rowEnd; l++)
            if (f->kind.at[l] == KSI_ROW_DEPENDENT)
                addSizes(&sizes, closure->supportEnd - closure->support, closure->length);
    }
    const ksStatus status = begin(system, metric, &sizes);
    for (int i = 0; !status && i < d->closureCount; i++) {
        const ksiClosure *closure = &d->closure[i];
        const double *lane = d->stress.at + closure->stress;
        for (int l = closure->row; l < closure->rowEnd; l++) {
            if (f->kind.at[l] != KSI_ROW_DEPENDENT)
                continue;
            const double *value = lane++;
            for (int at = closure->support; at < closure->supportEnd; at++) {
                const int g = d->list.at[at];
                addPiece(system, f, metric, system->stressBasis[metric].frame, g, value, KSI_STRESS_LANES);
                value += KSI_STRESS_LANES * (system->fronts.groupRow.at[g + 1] - system->fronts.groupRow.at[g]);
            }
            endStress(system->stressBasis[metric].frame);
        }
    }
    return status;
}

/* V2 of a decomposition. */
static ksStatus takeDecomposed(ksSystem *system, ksiFactor *f, ksiMetric metric, const Sizes *empty)
{
    const ksiFronts *p = &system->fronts;
    const size_t rows = (size_t)system->model.rowCount, wide = (size_t)f->columns, rank = (size_t)f->rank;
    Sizes sizes = *empty;
    for (size_t k = rank; k < wide; k++)
        addSizes(&sizes, p->groupCount, p->rowCount);
    if (ksiDoublesReserve(&system->allocator, &f->work, rows) || begin(system, metric, &sizes))
        return KS_ERROR_NO_MEMORY;
    memset(f->work.at, 0, rows * sizeof *f->work.at);
    for (size_t k = rank; k < wide; k++) {
        for (size_t i = 0; i < wide; i++)
            f->work.at[f->row.at[f->pivot.at[i] - 1]] = f->vt.at[i * wide + k];
        for (int g = 0; g < p->groupCount; g++)
            addPiece(system, f, metric, system->stressBasis[metric].frame, g, f->work.at + p->groupRow.at[g], 1);
        endStress(system->stressBasis[metric].frame);
    }
    return KS_OK;
}

/* A row without entries is free by itself. frame: NULL only counts. */
static void takeEmpty(const ksSystem *system, const ksiFactor *f, ksSystem *frame, Sizes *sizes)
{
    const ksiFronts *p = &system->fronts;
    for (int g = 0; g < p->groupCount; g++)
        for (int l = p->groupRow.at[g]; l < p->groupRow.at[g + 1]; l++) {
            if (f->column.at[l] >= 0 || system->model.rowKnown.at[l])
                continue;
            addSizes(sizes, 1, p->groupRow.at[g + 1] - p->groupRow.at[g]);
            if (!frame)
                continue;
            frame->model.pieceBlock.at[frame->model.pieceCount] = g;
            frame->model.pieceEntry.at[frame->model.pieceCount++] = frame->model.entryCount;
            for (int i = p->groupRow.at[g]; i < p->groupRow.at[g + 1]; i++)
                frame->model.entry.at[frame->model.entryCount++] = i == l;
            endStress(frame);
        }
}

ksStatus ksiFindStressFrame(ksSystem *system, ksiFactor *f, ksiMetric metric, int anyEmpty)
{
    Sizes empty = {0};
    if (anyEmpty)
        takeEmpty(system, f, NULL, &empty);
    ksStatus status =
        f->stressCount > 0 ? takeClosures(system, f, metric, &empty) : takeDecomposed(system, f, metric, &empty);
    if (status)
        return status;
    ksSystem *frame = system->stressBasis[metric].frame;
    if (anyEmpty)
        takeEmpty(system, f, frame, &empty);
    ksiFactor *factor = &frame->factor[KSI_VIEW_ALL];
    status = ksiGatherColumns(frame, ksiViewAt(KSI_VIEW_ALL), factor);
    if (!status)
        status = ksiFactoriseSparse(frame, factor);
    // unit vectors that hold what no other has: far from depending on each other
    if (!status && !(factor->smallest > KSI_SAFE_MARGIN * KSI_ROUNDING_RANK))
        status = KS_ERROR_SINGULAR;
    return status;
}

/* h less its stressed part, or that. */
static void project(ksSystem *frame, int stressed, double *h)
{
    ksiFactor *f = &frame->factor[KSI_VIEW_ALL];
    const size_t count = (size_t)f->columns, height = (size_t)f->height;
    if (count == 0)
        return;
    ksiSparseEnter(f, h);
    if (stressed)
        memset(h + count, 0, (height - count) * sizeof *h);
    else
        memset(h, 0, count * sizeof *h);
    ksiSparseLeave(f, h);
}

void ksiFrameStressPart(ksSystem *frame, double *h)
{
    project(frame, 1, h);
}

void ksiFrameStresslessPart(ksSystem *frame, double *h)
{
    project(frame, 0, h);
}

void ksiFrameStressVector(ksSystem *frame, int k, double *h)
{
    memset(h, 0, (size_t)frame->model.coordinateCount * sizeof *h);
    h[k] = 1;
    ksiSparseLeave(&frame->factor[KSI_VIEW_ALL], h);
}

/* One column's part of N W: its numbers times its row of W. */
KSI_INLINE void addShares(const double *entry, int size, const double *from, size_t stride, double *to, size_t width)
{
    for (int i = 0; i < size; i++, to += width)
        for (size_t j = 0; j < stride; j += 4)
            *(ksiFour *)(void *)(to + j) += entry[i] * *(const ksiFour *)(const void *)(from + j);
}

/* N W of the groups that are led by one front. */
KSI_CLONES
static void shareFront(const ksSystem *frame, const ksiSparse *s, int k, double *share, size_t width, int *count)
{
    const ksiFront *front = &s->front[k];
    const size_t stride = (size_t)front->stride;
    for (int t = front->take; t < front[1].take; t++) {
        const ksiTake *take = &s->take[t];
        const double *entry = frame->model.entry.at + take->entry;
        const double *from = s->inverse.at + front->inverse + (take->at - front->matrix) % stride * stride;
        const int first = frame->model.blockOffset.at[take->block];
        for (int i = 0; i < take->size; i++)
            count[first + i] = front->width;
        for (int c = 0; c < take->count; c++, entry += take->step, from += stride)
            addShares(entry, take->size, from, stride, share + (size_t)first * width, width);
    }
}

ksStatus ksiFrameShares(ksSystem *system, ksSystem *frame)
{
    ksiFactor *f = &frame->factor[KSI_VIEW_ALL];
    const ksiSparse *s = &f->sparse;
    const size_t rows = (size_t)system->model.rowCount;
    int width = 0;
    for (int k = 0; k < frame->fronts.groupCount; k++)
        width = s->front[k].stride > width ? s->front[k].stride : width;
    if (ksiDoublesReserve(&system->allocator, &system->share, rows * (size_t)width) ||
        ksiIntsReserve(&system->allocator, &system->shareCount, rows) ||
        ksiDoublesReserve(&frame->allocator, &f->copy, (size_t)f->columns))
        return KS_ERROR_NO_MEMORY;
    const ksStatus status = ksiSparseInverseDiagonal(frame, f, f->copy.at);
    if (status)
        return status;
    memset(system->share.at, 0, rows * (size_t)width * sizeof *system->share.at);
    memset(system->shareCount.at, 0, rows * sizeof *system->shareCount.at);
    for (int k = 0; k < frame->fronts.groupCount; k++)
        shareFront(frame, s, k, system->share.at, (size_t)width, system->shareCount.at);
    system->shareWidth = width;
    return KS_OK;
}

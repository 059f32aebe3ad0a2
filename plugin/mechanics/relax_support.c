/* relax_support.c  One reaction along a relaxed coordinate and a motion that are both given: Paulus's single reaction,
 * without the other ones.
 *
 *      rho = w^T (M a - f),    lambda_l = rho / (J_l w)                Paulus 1910 (17), (18)
 *
 *  Only blocks that w moves count, and the rows over them: no factorisation, no true motion. What belongs to the other
 *  motions of the system, its mass behind the row and whether w has a product with them, is not known then.
 */
#include "system_private.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* w = c M^-1 J_l^T to this share of |w|, as in relax.c. */
static const double alongNormal = 1e-12;

/* Rows by block, in the order of the rows. */
static ksStatus findRows(ksSystem *system)
{
    const ksiModel *model = &system->model;
    ksiTouching *t = &system->touching;
    const size_t blocks = (size_t)model->blockCount;
    if (t->known)
        return KS_OK;
    if (ksiIntsReserve(&system->allocator, &t->first, blocks + 2) ||
        ksiIntsReserve(&system->allocator, &t->row, (size_t)model->pieceCount + 1) ||
        ksiIntsReserve(&system->allocator, &t->isMoved, blocks + 1) ||
        ksiIntsReserve(&system->allocator, &t->moved, blocks + 1))
        return KS_ERROR_NO_MEMORY;
    int *first = t->first.at;
    memset(first, 0, (blocks + 2) * sizeof *first);
    memset(t->isMoved.at, 0, (blocks + 1) * sizeof *t->isMoved.at);
    // first[b + 1] is where the rows of b begin, and in the end where they end
    for (int p = 0; p < model->pieceCount; p++)
        first[model->pieceBlock.at[p] + 2]++;
    for (size_t b = 0; b < blocks; b++)
        first[b + 2] += first[b + 1];
    for (int l = 0; l < model->rowCount; l++)
        for (int p = model->rowPiece.at[l]; p < model->rowPiece.at[l + 1]; p++)
            t->row.at[first[model->pieceBlock.at[p] + 1]++] = l;
    t->known = 1;
    return KS_OK;
}

/* Is any coordinate of blocks `from` to `to` not 0? The first one is, and each is as the one before, in most. */
static bool anyMoves(const ksiModel *model, int from, int to, const double *direction)
{
    const int begin = model->blockOffset.at[from], end = model->blockOffset.at[to] + model->blockSize.at[to];
    const double *part = direction + begin;
    return end > begin && (part[0] != 0 || memcmp(part, part + 1, (size_t)(end - begin - 1) * sizeof *part) != 0);
}

/* Blocks with a part of the direction; returns their number. Most have none. */
static int findMoved(ksSystem *system, const double *direction)
{
    enum { TOGETHER = 32 };
    const ksiModel *model = &system->model;
    ksiTouching *t = &system->touching;
    int count = 0;
    for (int from = 0; from < model->blockCount; from += TOGETHER) {
        const int to = from + TOGETHER < model->blockCount ? from + TOGETHER - 1 : model->blockCount - 1;
        const int any = anyMoves(model, from, to, direction);
        for (int b = from; any && b <= to; b++) {
            if (anyMoves(model, b, b, direction)) {
                t->isMoved.at[b] = 1;
                t->moved.at[count++] = b;
            }
        }
    }
    return count;
}

/* Sums over the blocks that move, and what is asked of. */
typedef struct Along {
    ksSystem *system;
    int row, count;
    double *w, *e;       /* [coordinates] scaled, of moved blocks: the direction, and M a - f */
    double square, load; /* |w|^2, |f|^2 */
    double rho;
} Along;

static ksStatus sumBlocks(Along *along, const double *direction, const double *acceleration)
{
    const ksiModel *model = &along->system->model;
    for (int k = 0; k < along->count; k++) {
        const int b = along->system->touching.moved.at[k], offset = model->blockOffset.at[b];
        const size_t size = (size_t)model->blockSize.at[b];
        const double *force = model->scaledForce.at + offset;
        double *w = along->w + offset, *e = along->e + offset;
        if (!ksiAllFinite(size, direction + offset))
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "direction has a NaN or an infinity");
        if (!ksiAllFinite(size, acceleration + offset))
            return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "acceleration has a NaN or an infinity");
        memcpy(w, direction + offset, size * sizeof *w);
        memcpy(e, acceleration + offset, size * sizeof *e);
        ksiScaleBlockMotion(model, b, w);
        ksiScaleBlockMotion(model, b, e);
        for (size_t i = 0; i < size; i++)
            e[i] -= force[i];
        along->square += ksiDot(size, w, w);
        along->load += ksiDot(size, force, force);
        along->rho += ksiDot(size, w, e);
    }
    return KS_OK;
}

/* J_r w; *first: the row's first block that moves, or -1. */
static double rowAlong(const Along *along, int row, int *first)
{
    const ksiModel *model = &along->system->model;
    double sum = 0;
    *first = -1;
    for (int p = model->rowPiece.at[row]; p < model->rowPiece.at[row + 1]; p++) {
        const int b = model->pieceBlock.at[p];
        if (!along->system->touching.isMoved.at[b])
            continue;
        *first = *first < 0 ? b : *first;
        sum += ksiDot((size_t)model->blockSize.at[b], model->entry.at + model->pieceEntry.at[p],
                      along->w + model->blockOffset.at[b]);
    }
    return sum;
}

/* Known rows are applied forces; a rigid one has to stay; *done 0: a compliant one moves. */
static ksStatus passRow(Along *along, int row, double moved, int *done)
{
    const ksiModel *model = &along->system->model;
    const double terms = sqrt(along->square * model->diagonal.at[row]);
    if (model->rowKnown.at[row]) {
        along->rho -= model->lo.at[row] * moved;
    } else if (model->compliance.at[row] > 0) {
        if (fabs(moved) > KSI_RESIDUAL_ROUNDING * terms)
            *done = 0;
    } else if (fabs(moved) > KSI_ADMISSIBLE * terms) {
        along->system->culprit = row;
        return KS_ERROR_NOT_ADMISSIBLE;
    }
    return KS_OK;
}

static ksStatus passRows(Along *along, int *done)
{
    const ksiTouching *t = &along->system->touching;
    ksStatus status = KS_OK;
    for (int k = 0; !status && k < along->count; k++) {
        const int b = t->moved.at[k];
        for (int i = t->first.at[b]; !status && i < t->first.at[b + 1]; i++) {
            int first;
            const int row = t->row.at[i];
            const double moved = rowAlong(along, row, &first);
            // each once
            if (row != along->row && first == b)
                status = passRow(along, row, moved, done);
        }
    }
    return status;
}

static int touches(const ksiModel *model, int row, int block)
{
    int any = 0;
    for (int p = model->rowPiece.at[row]; p < model->rowPiece.at[row + 1]; p++)
        any |= model->pieceBlock.at[p] == block;
    return any;
}

/* Is w = c M^-1 J_l^T? */
static bool isAlongNormal(const Along *along, double derivative)
{
    const ksiModel *model = &along->system->model;
    const ksiTouching *t = &along->system->touching;
    const double part = derivative / model->diagonal.at[along->row];
    double beside = 0;
    for (int k = 0; k < along->count; k++) {
        const double *w = along->w + model->blockOffset.at[t->moved.at[k]];
        if (!touches(model, along->row, t->moved.at[k]))
            beside += ksiDot((size_t)model->blockSize.at[t->moved.at[k]], w, w);
    }
    for (int p = model->rowPiece.at[along->row]; p < model->rowPiece.at[along->row + 1]; p++) {
        const int b = model->pieceBlock.at[p];
        for (int i = 0; i < model->blockSize.at[b]; i++) {
            const double w = t->isMoved.at[b] ? along->w[model->blockOffset.at[b] + i] : 0;
            const double rest = w - part * model->entry.at[model->pieceEntry.at[p] + i];
            beside += rest * rest;
        }
    }
    return beside <= alongNormal * alongNormal * along->square;
}

static ksStatus relaxMoved(Along *along, const double *direction, const double *acceleration, ksRelaxation *out,
                           int *done)
{
    const ksiModel *model = &along->system->model;
    int first;
    ksStatus status = sumBlocks(along, direction, acceleration);
    if (!status)
        status = passRows(along, done);
    if (status || !*done)
        return status;
    const double derivative = rowAlong(along, along->row, &first);
    if (!(fabs(derivative) > KSI_ADMISSIBLE * sqrt(along->square * model->diagonal.at[along->row]))) {
        along->system->culprit = along->row;
        return KS_ERROR_NOT_RELAXING;
    }
    const ksRelaxation found = {.rho = along->rho,
                                .derivative = derivative,
                                .multiplier = along->rho / derivative,
                                .effectiveMass = NAN,
                                .orthogonal = isAlongNormal(along, derivative)};
    if (!isfinite(found.multiplier))
        return KS_ERROR_NOT_FINITE;
    *out = found;
    return KS_OK;
}

ksStatus ksiRelaxAlong(ksSystem *system, int row, const double *direction, const double *acceleration,
                       ksRelaxation *out, double *load, int *done)
{
    const size_t coordinates = (size_t)system->model.coordinateCount;
    *done = 1;
    if (findRows(system) || ksiDoublesReserve(&system->allocator, &system->vector[0], coordinates + 1) ||
        ksiDoublesReserve(&system->allocator, &system->vector[1], coordinates + 1))
        return KS_ERROR_NO_MEMORY;
    Along along = {.system = system, .row = row, .w = system->vector[0].at, .e = system->vector[1].at};
    along.count = findMoved(system, direction);
    const ksStatus status = relaxMoved(&along, direction, acceleration, out, done);
    for (int k = 0; k < along.count; k++)
        system->touching.isMoved.at[system->touching.moved.at[k]] = 0;
    *load = sqrt(along.load);
    return status;
}

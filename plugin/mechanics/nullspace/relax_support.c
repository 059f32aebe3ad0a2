/* relax_support.c  Finds one reaction from a given relaxed coordinate `w` and a given motion `a`.
 * This is Paulus's single reaction, without the other reactions.
 *
 *      rho = w^T (M a - f),    lambda_l = rho / (J_l w)                Paulus 1910 (17), (18)
 *
 * It uses only the blocks that `w` moves, and the rows over them: no factorisation, no true motion.
 * So two facts about other motions of the system stay unknown: the mass behind the row, and whether
 * `w` is M-orthogonal to the admissible motions.
 */
#include "../system_private.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* w = c M^-1 J_l^T to this share of |w|, as in relax.c. */
static const double alongNormal = 1e-12;

/* Is any coordinate of blocks `from` to `to` not 0? They are all 0 if the first is 0 and each other
 * one equals its predecessor. */
static bool anyMoves(const ksiModel *model, int from, int to, const double *direction)
{
    const int begin = model->blockOffset[from], end = model->blockOffset[to] + model->blockSize[to];
    const double *part = direction + begin;
    return end > begin && (part[0] != 0 || memcmp(part, part + 1, (size_t)(end - begin - 1) * sizeof *part) != 0);
}

/* Lists the blocks with a part of the direction, and stamps them; returns their number. Most have
 * none. */
static int findMoved(const ksiModel *model, const double *direction, int *moved)
{
    enum { TOGETHER = 32 };
    int count = 0;
    for (int from = 0; from < model->blockCount; from += TOGETHER) {
        const int to = from + TOGETHER < model->blockCount ? from + TOGETHER - 1 : model->blockCount - 1;
        const int any = anyMoves(model, from, to, direction);
        for (int b = from; any && b <= to; b++) {
            if (anyMoves(model, b, b, direction)) {
                model->blockStamp[b] = model->stamp;
                moved[count++] = b;
            }
        }
    }
    return count;
}

/* The request, and sums over the blocks that move. */
typedef struct Along {
    ksSystem *system;
    int row, count;
    const int *moved;    /* [count] blocks that move; these have the model's stamp */
    double *w, *e;       /* [coordinates] scaled, of moved blocks: the direction, and M a - f */
    double square, load; /* |w|^2, |f|^2 */
    double rho;
} Along;

static ksStatus sumBlocks(Along *along, const double *direction, const double *acceleration)
{
    const ksiModel *model = &along->system->model;
    for (int k = 0; k < along->count; k++) {
        const int b = along->moved[k], offset = model->blockOffset[b];
        const size_t size = (size_t)model->blockSize[b];
        const double *force = model->scaledForce + offset;
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

static bool moves(const ksiModel *model, int block)
{
    return model->blockStamp[block] == model->stamp;
}

/* J_r w */
static double rowAlong(const Along *along, int row)
{
    const ksiModel *model = &along->system->model;
    double sum = 0;
    for (int p = model->rowPiece[row]; p < model->rowPiece[row + 1]; p++) {
        const int b = model->pieceBlock[p];
        if (moves(model, b))
            sum += ksiDot((size_t)model->blockSize[b], model->entry + model->pieceEntry[p],
                          along->w + model->blockOffset[b]);
    }
    return sum;
}

/* A known row is an applied force; a rigid row must not move; *done 0: a compliant row moves. */
static ksStatus passRow(Along *along, int row, int *done)
{
    const ksiModel *model = &along->system->model;
    const double moved = rowAlong(along, row), terms = sqrt(along->square * model->diagonal[row]);
    if (model->rowKnown[row]) {
        along->rho -= model->lo[row] * moved;
    } else if (model->compliance[row] > 0) {
        if (fabs(moved) > KSI_RESIDUAL_ROUNDING * terms)
            *done = 0;
    } else if (fabs(moved) > KSI_ADMISSIBLE * terms) {
        along->system->culprit = row;
        return KS_ERROR_NOT_ADMISSIBLE;
    }
    return KS_OK;
}

/* The first block of a group of rows that moves. */
static int firstMoved(const ksiModel *model, int row)
{
    const int *block = model->pieceBlock + model->rowPiece[row];
    while (!moves(model, *block))
        block++;
    return *block;
}

/* The other rows over moved blocks, each once. */
static ksStatus passRows(Along *along, int *done)
{
    const ksiModel *model = &along->system->model;
    const ksiFronts *fronts = &along->system->pattern->fronts;
    ksStatus status = KS_OK;
    for (int k = 0; k < along->count; k++) {
        const int b = along->moved[k];
        for (int q = fronts->blockStart[b]; q < fronts->blockStart[b + 1]; q++) {
            const int *row = fronts->groupRow + fronts->blockGroup[q];
            if (firstMoved(model, row[0]) != b)
                continue;
            for (int l = row[0]; !status && l < row[1]; l++)
                if (l != along->row)
                    status = passRow(along, l, done);
        }
    }
    return status;
}

static int touches(const ksiModel *model, int row, int block)
{
    int any = 0;
    for (int p = model->rowPiece[row]; p < model->rowPiece[row + 1]; p++)
        any |= model->pieceBlock[p] == block;
    return any;
}

/* Is w = c M^-1 J_l^T? */
static bool isAlongNormal(const Along *along, double derivative)
{
    const ksiModel *model = &along->system->model;
    const double part = derivative / model->diagonal[along->row];
    double beside = 0;
    for (int k = 0; k < along->count; k++) {
        const int b = along->moved[k];
        const double *w = along->w + model->blockOffset[b];
        if (!touches(model, along->row, b))
            beside += ksiDot((size_t)model->blockSize[b], w, w);
    }
    for (int p = model->rowPiece[along->row]; p < model->rowPiece[along->row + 1]; p++) {
        const int b = model->pieceBlock[p];
        for (int i = 0; i < model->blockSize[b]; i++) {
            const double w = moves(model, b) ? along->w[model->blockOffset[b] + i] : 0;
            const double rest = w - part * model->entry[model->pieceEntry[p] + i];
            beside += rest * rest;
        }
    }
    return beside <= alongNormal * alongNormal * along->square;
}

static ksStatus relaxMoved(Along *along, const double *direction, const double *acceleration, ksRelaxation *out,
                           int *done)
{
    const ksiModel *model = &along->system->model;
    KSI_TRY(sumBlocks(along, direction, acceleration));
    KSI_TRY(passRows(along, done));
    if (!*done)
        return KS_OK;
    const double derivative = rowAlong(along, along->row);
    if (!(fabs(derivative) > KSI_ADMISSIBLE * sqrt(along->square * model->diagonal[along->row]))) {
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
    KSI_TRY(ksiSystemPattern(system));
    KSI_TRY(ksiIntsReserve(&system->allocator, &system->moved, (size_t)system->model.blockCount));
    KSI_TRY(ksiReserveVectors(system, coordinates, coordinates, 0));
    ksiNextStamp(&system->model);
    Along along = {.system = system,
                   .row = row,
                   .moved = system->moved,
                   .count = findMoved(&system->model, direction, system->moved),
                   .w = system->vector[0],
                   .e = system->vector[1]};
    const ksStatus status = relaxMoved(&along, direction, acceleration, out, done);
    *load = sqrt(along.load);
    return status;
}

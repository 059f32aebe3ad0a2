/* dense.c  The dense orthogonal factorisation, for a rank in doubt.
 *
 *      B~ P = Q R          column-pivoted Householder (LAPACK dgeqp3)
 *      R = U Sigma V^T     if R leaves the rank in doubt; Q U then replaces Q
 */
#include "../linear/lapack.h"
#include "system_private.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const int one = 1;

static void fillColumns(const ksSystem *system, ksiFactor *f)
{
    const size_t height = (size_t)f->height;
    memset(f->qr.at, 0, height * (size_t)f->columns * sizeof *f->qr.at);
    for (int c = 0; c < f->columns; c++) {
        double *column = f->qr.at + (size_t)c * height;
        const int l = f->row[c];
        ksiRowAdd(&system->model, l, 1 / f->scale.at[c], column);
        for (int p = system->model.rowPiece.at[l]; ksiIsKinematic(f) && p < system->model.rowPiece.at[l + 1]; p++) {
            const int b = system->model.pieceBlock.at[p];
            for (int i = 0; i < system->model.blockSize.at[b]; i++)
                column[system->model.blockOffset.at[b] + i] *= ksiBlockWeight(&system->model, b);
        }
        if (f->slack[c] >= 0)
            column[f->slack[c]] = f->slackPart.at[c];
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Rank from `count` descending singular values. Rounding is always cut. The tolerance cuts only at a gap, the uppermost
 * one: a smooth spectrum that passes the tolerance is not cut. */
static int rankOf(const double *sigma, int count, double tolerance)
{
    int rank = 0;
    while (rank < count && sigma[rank] > KSI_ROUNDING_RANK * sigma[0])
        rank++;
    for (int r = 1; r < rank; r++)
        if (sigma[r] <= tolerance * sigma[0] && sigma[r - 1] >= KSI_RANK_GAP * sigma[r])
            return r;
    return rank;
}

/* R = U Sigma V^T. */
static ksStatus decompose(ksSystem *system, ksiFactor *f, double tolerance, int rank)
{
    const int k = least(f->height, f->columns), m = f->columns;
    const size_t height = (size_t)f->height, small = (size_t)k, wide = (size_t)m;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->copy, small * wide));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->u, small * small));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->sigma, small));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &f->vt, wide * wide));
    KSI_TRY(ksiIntsReserve(&system->allocator, &f->iwork, 8 * small));
    int info, query = -1;
    double best;
    dgesdd_("A", &k, &m, f->copy.at, &k, f->sigma.at, f->u.at, &k, f->vt.at, &m, &best, &query, f->iwork.at, &info, 1);
    if (info || ksiDoublesReserve(&system->allocator, &f->work, (size_t)best))
        return KS_ERROR_NO_MEMORY;
    memset(f->copy.at, 0, small * wide * sizeof *f->copy.at);
    for (size_t c = 0; c < wide; c++)
        memcpy(f->copy.at + c * small, f->qr.at + c * height, (c < small ? c + 1 : small) * sizeof *f->copy.at);
    const int size = (int)best;
    dgesdd_("A", &k, &m, f->copy.at, &k, f->sigma.at, f->u.at, &k, f->vt.at, &m, f->work.at, &size, f->iwork.at, &info,
            1);
    if (info)
        return KS_ERROR_SINGULAR;
    f->decomposed = 1;
    f->rank = rank < 0 ? rankOf(f->sigma.at, k, tolerance) : rank;
    // rounding of the decomposition: its digits are none
    while (f->rank > 0 && !(f->sigma.at[f->rank - 1] > DBL_EPSILON * f->sigma.at[0]))
        f->rank--;
    return KS_OK;
}

ksStatus ksiSpendDense(ksSystem *system, int rows, double work)
{
    if (system->denseBudget > 0 && rows > system->denseBudget)
        return KS_ERROR_UNAVAILABLE;
    system->denseWork += work;
    return KS_OK;
}

ksStatus ksiDenseFactorise(ksSystem *system, ksiFactor *f, double tolerance, int rank)
{
    const size_t height = (size_t)f->height, wide = (size_t)f->columns;
    const int k = least(f->height, f->columns);
    f->rank = f->decomposed = f->isSparse = 0;
    f->smallest = 1;
    if (f->columns == 0)
        return KS_OK;
    KSI_TRY(ksiSpendDense(system, f->columns, pow(f->columns, 3)));
    if (ksiDoublesReserve(&system->allocator, &f->qr, height * wide) ||
        ksiDoublesReserve(&system->allocator, &f->tau, wide) || ksiIntsReserve(&system->allocator, &f->pivot, wide) ||
        ksiDoublesReserve(&system->allocator, &f->workspace, wide))
        return KS_ERROR_NO_MEMORY;
    int info, query = -1;
    double best;
    dgeqp3_(&f->height, &f->columns, f->qr.at, &f->height, f->pivot.at, f->tau.at, &best, &query, &info);
    if (info || ksiDoublesReserve(&system->allocator, &f->work, (size_t)best))
        return KS_ERROR_NO_MEMORY;
    fillColumns(system, f);
    memset(f->pivot.at, 0, wide * sizeof *f->pivot.at);
    const int size = (int)best;
    dgeqp3_(&f->height, &f->columns, f->qr.at, &f->height, f->pivot.at, f->tau.at, f->work.at, &size, &info);

    const double first = fabs(f->qr.at[0]);
    for (size_t i = 1; i < (size_t)k; i++)
        f->smallest = fmin(f->smallest, fabs(f->qr.at[i * height + i]) / first);
    // with a full rank in the other metric, R is as small as masses are unequal, to all digits
    const bool isFull = rank < 0 ? f->smallest > KSI_SAFE_MARGIN * tolerance : rank == f->columns && f->smallest > 0;
    if (f->columns > f->height || !isFull)
        return decompose(system, f, tolerance, rank);
    f->rank = f->columns;
    return KS_OK;
}

/* h := U^T h or U h in the first min(height, columns) coordinates. */
static void rotate(ksiFactor *f, int transposed, double *h)
{
    const size_t k = (size_t)least(f->height, f->columns);
    double *work = f->workspace.at;
    memcpy(work, h, k * sizeof *h);
    if (transposed) {
        for (size_t i = 0; i < k; i++)
            h[i] = ksiDot(k, f->u.at + i * k, work);
        return;
    }
    memset(h, 0, k * sizeof *h);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            h[j] += f->u.at[i * k + j] * work[i];
}

static void reflect(ksiFactor *f, const char *trans, double *h)
{
    int info;
    double work;
    const int k = least(f->height, f->columns);
    if (k > 0)
        dorm2r_("L", trans, &f->height, &one, &k, f->qr.at, &f->height, f->tau.at, h, &f->height, &work, &info, 1, 1);
}

void ksiDenseApplyQTransposed(ksiFactor *f, double *h)
{
    reflect(f, "T", h);
    if (f->decomposed)
        rotate(f, 1, h);
}

void ksiDenseApplyQ(ksiFactor *f, double *h)
{
    if (f->decomposed)
        rotate(f, 0, h);
    reflect(f, "N", h);
}

void ksiDenseSolveRTransposed(ksiFactor *f, const double *side, double *frame)
{
    if (f->rank == 0)
        return;
    const size_t wide = (size_t)f->columns;
    double *work = f->workspace.at;
    for (size_t p = 0; p < wide; p++)
        work[p] = side[f->pivot.at[p] - 1];
    if (!f->decomposed) {
        int info;
        dtrtrs_("U", "T", "N", &f->rank, &one, f->qr.at, &f->height, work, &f->rank, &info, 1, 1, 1);
        memcpy(frame, work, wide * sizeof *frame);
        return;
    }
    // Sigma^-1 V^T
    for (int i = 0; i < f->rank; i++) {
        double sum = 0;
        for (size_t p = 0; p < wide; p++)
            sum += f->vt.at[p * wide + (size_t)i] * work[p];
        frame[i] = sum / f->sigma.at[i];
    }
}

void ksiDenseSolveR(ksiFactor *f, const double *frame, double *multiple)
{
    if (f->columns == 0)
        return;
    const size_t wide = (size_t)f->columns;
    double *work = f->workspace.at;
    for (int i = 0; i < f->rank; i++)
        work[i] = f->decomposed ? frame[i] / f->sigma.at[i] : frame[i];
    if (!f->decomposed) {
        int info;
        dtrtrs_("U", "N", "N", &f->rank, &one, f->qr.at, &f->height, work, &f->rank, &info, 1, 1, 1);
    }
    for (size_t p = 0; p < wide; p++)
        multiple[f->pivot.at[p] - 1] = f->decomposed ? ksiDot((size_t)f->rank, f->vt.at + p * wide, work) : work[p];
}

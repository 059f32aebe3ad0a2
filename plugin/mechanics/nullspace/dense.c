/* dense.c  The dense orthogonal factorisation. It is used if the rank is in doubt.
 *
 *     B~ P = Q R          column-pivoted Householder (LAPACK dgeqp3)
 *     R = U Sigma V^T     if R leaves the rank in doubt; Q U then replaces Q
 */
#include "../../linear/lapack.h"
#include "../system_private.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static const int one = 1;

static void fillColumns(const ksSystem *system, ksiFactor *f)
{
    const size_t height = (size_t)f->height;
    memset(f->qr, 0, height * (size_t)f->columns * sizeof *f->qr);
    for (int c = 0; c < f->columns; c++) {
        double *column = f->qr + (size_t)c * height;
        const int l = f->row[c];
        ksiRowAdd(&system->model, l, 1 / f->scale[c], column);
        for (int p = system->model.rowPiece[l]; ksiIsKinematic(f) && p < system->model.rowPiece[l + 1]; p++) {
            const int b = system->model.pieceBlock[p];
            for (int i = 0; i < system->model.blockSize[b]; i++)
                column[system->model.blockOffset[b] + i] *= ksiBlockWeight(&system->model, b);
        }
        if (f->slack[c] >= 0)
            column[f->slack[c]] = f->slackPart[c];
    }
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Rank from `count` descending singular values. Rounding is always cut. The tolerance cuts only at
 * a gap, the uppermost one: a smooth spectrum that passes the tolerance is not cut. */
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
    dgesdd_("A", &k, &m, f->copy, &k, f->sigma, f->u, &k, f->vt, &m, &best, &query, f->iwork, &info, 1);
    if (info || ksiDoublesReserve(&system->allocator, &f->work, (size_t)best))
        return KS_ERROR_NO_MEMORY;
    memset(f->copy, 0, small * wide * sizeof *f->copy);
    for (size_t c = 0; c < wide; c++)
        memcpy(f->copy + c * small, f->qr + c * height, (c < small ? c + 1 : small) * sizeof *f->copy);
    const int size = (int)best;
    dgesdd_("A", &k, &m, f->copy, &k, f->sigma, f->u, &k, f->vt, &m, f->work, &size, f->iwork, &info, 1);
    if (info)
        return KS_ERROR_SINGULAR;
    f->decomposed = 1;
    f->rank = rank < 0 ? rankOf(f->sigma, k, tolerance) : rank;
    // singular values at the rounding of the decomposition have no right digit
    while (f->rank > 0 && !(f->sigma[f->rank - 1] > DBL_EPSILON * f->sigma[0]))
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
    dgeqp3_(&f->height, &f->columns, f->qr, &f->height, f->pivot, f->tau, &best, &query, &info);
    if (info || ksiDoublesReserve(&system->allocator, &f->work, (size_t)best))
        return KS_ERROR_NO_MEMORY;
    fillColumns(system, f);
    memset(f->pivot, 0, wide * sizeof *f->pivot);
    const int size = (int)best;
    dgeqp3_(&f->height, &f->columns, f->qr, &f->height, f->pivot, f->tau, f->work, &size, &info);

    const double first = fabs(f->qr[0]);
    for (size_t i = 1; i < (size_t)k; i++)
        f->smallest = fmin(f->smallest, fabs(f->qr[i * height + i]) / first);
    // with full rank in the other metric, unequal masses make R small, but its digits are right
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
    double *work = f->workspace;
    memcpy(work, h, k * sizeof *h);
    if (transposed) {
        for (size_t i = 0; i < k; i++)
            h[i] = ksiDot(k, f->u + i * k, work);
        return;
    }
    memset(h, 0, k * sizeof *h);
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j < k; j++)
            h[j] += f->u[i * k + j] * work[i];
}

static void reflect(ksiFactor *f, const char *trans, double *h)
{
    int info;
    double work;
    const int k = least(f->height, f->columns);
    if (k > 0)
        dorm2r_("L", trans, &f->height, &one, &k, f->qr, &f->height, f->tau, h, &f->height, &work, &info, 1, 1);
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
    double *work = f->workspace;
    for (size_t p = 0; p < wide; p++)
        work[p] = side[f->pivot[p] - 1];
    if (!f->decomposed) {
        int info;
        dtrtrs_("U", "T", "N", &f->rank, &one, f->qr, &f->height, work, &f->rank, &info, 1, 1, 1);
        memcpy(frame, work, wide * sizeof *frame);
        return;
    }
    // Sigma^-1 V^T
    for (int i = 0; i < f->rank; i++) {
        double sum = 0;
        for (size_t p = 0; p < wide; p++)
            sum += f->vt[p * wide + (size_t)i] * work[p];
        frame[i] = sum / f->sigma[i];
    }
}

void ksiDenseSolveR(ksiFactor *f, const double *frame, double *multiple)
{
    if (f->columns == 0)
        return;
    const size_t wide = (size_t)f->columns;
    double *work = f->workspace;
    for (int i = 0; i < f->rank; i++)
        work[i] = f->decomposed ? frame[i] / f->sigma[i] : frame[i];
    if (!f->decomposed) {
        int info;
        dtrtrs_("U", "N", "N", &f->rank, &one, f->qr, &f->height, work, &f->rank, &info, 1, 1, 1);
    }
    for (size_t p = 0; p < wide; p++)
        multiple[f->pivot[p] - 1] = f->decomposed ? ksiDot((size_t)f->rank, f->vt + p * wide, work) : work[p];
}

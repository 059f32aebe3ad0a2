/* nearest.c  The move to the pose in which joints fit, and sums over rows and bodies.
 *
 * Rows that depend on each other where joints fit have a singular value of the size of the drift where they do not. No
 * tolerance tells it from a singular value that is small by geometry: see nearest_rank.c. So bodies are moved to where
 * the joints fit. */
#include "nearest_private.h"

#include "../base/memory.h"
#include "../base/vectorise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* a_i . a_j over the bodies that both rows have */
double ksiNearestDot(const ksiNearest *n, const double *a, int i, int j)
{
    const int *p = n->body[i], *q = n->body[j];
    const double *x = a + 12 * i, *y = a + 12 * j;
    double sum = 0;
    if (p[0] >= 0 && p[0] == q[0])
        sum += ksiDotSix(x, y);
    if (p[0] >= 0 && p[0] == q[1])
        sum += ksiDotSix(x, y + 6);
    if (p[1] >= 0 && p[1] == q[0])
        sum += ksiDotSix(x + 6, y);
    if (p[1] >= 0 && p[1] == q[1])
        sum += ksiDotSix(x + 6, y + 6);
    return sum;
}

void ksiNearestSum(const ksiNearest *n, int rows, const double *row, const double *times, double *out)
{
    memset(out, 0, 6 * (size_t)n->bodies * sizeof *out);
    for (int l = 0; l < rows; l++)
        for (int p = 0; p < 2; p++)
            if (n->body[l][p] >= 0)
                ksiAddSix(out + 6 * n->body[l][p], times[l], row + 12 * l + 6 * p);
}

double ksiNearestApply(const ksiNearest *n, const double *row, int l, const double *motion)
{
    double sum = 0;
    for (int p = 0; p < 2; p++)
        if (n->body[l][p] >= 0)
            sum += ksiDotSix(row + 12 * l + 6 * p, motion + 6 * n->body[l][p]);
    return sum;
}

void ksiNearestScale(const ksiNearest *n, const double *row, bool isKinematic, double *unit)
{
    for (int l = 0; l < n->rows; l++) {
        const double perLength = 1 / n->length[l];
        for (int p = 0; p < 2; p++) {
            double *to = unit + 12 * l + 6 * p;
            const int b = n->body[l][p];
            memset(to, 0, 6 * sizeof *to);
            if (b >= 0)
                ksiAddSix(to, perLength * (isKinematic ? n->weight[b] : 1), row + 12 * l + 6 * p);
        }
    }
}

void ksiNearestFill(ksiNearest *n, int rows, double shift)
{
    const ksiProfile *profile = &n->profile;
    double *a = n->matrix;
    for (int i = 0; i < n->rows; i++) {
        const int l = profile->order[i];
        for (int j = profile->first[i]; j <= i; j++, a++) {
            const int k = profile->order[j];
            *a = l < rows && k < rows ? ksiNearestDot(n, n->unit, l, k) : 0;
        }
        a[-1] = l < rows ? a[-1] + shift : 1;
    }
}

static double *take(double **from, size_t count)
{
    double *taken = *from;
    *from += count;
    return taken;
}

static int *takeWhole(int **from, size_t count)
{
    int *taken = *from;
    *from += count;
    return taken;
}

ksStatus ksiNearestBegin(ksiNearest *n, int bodies, const ksiNearestRows *count)
{
    n->bodies = bodies, n->positions = count->positions, n->soft = count->soft;
    n->active = n->positions + count->targets, n->rigid = n->active + count->idle, n->rows = n->rigid + n->soft;
    n->stressCount = n->all.count = n->smallCount = n->areChosen = 0;
    n->hasShares = false;
    const size_t rows = (size_t)n->rows, blocks = (size_t)bodies;
    ksStatus status = n->active ? KS_OK : KS_ERROR_UNAVAILABLE;
    if (!status)
        status = ksiReserve(&n->allocator, &n->numbers, &n->numberCapacity, 25 * blocks + (64 + KSI_SHARES) * rows,
                            sizeof *n->numbers);
    if (!status)
        status = ksiReserve(&n->allocator, &n->whole, &n->wholeCapacity, 9 * rows + 3 * blocks + 2, sizeof *n->whole);
    if (status)
        return status;
    double *from = n->numbers;
    double **const byTwelve[] = {&n->there, &n->here, &n->unit, &n->change};
    for (size_t i = 0; i < sizeof byTwelve / sizeof *byTwelve; i++)
        *byTwelve[i] = take(&from, 12 * rows);
    double **const byBody[] = {&n->motion, &n->force, &n->acceleration, &n->before};
    for (size_t i = 0; i < sizeof byBody / sizeof *byBody; i++)
        *byBody[i] = take(&from, 6 * blocks);
    n->weight = take(&from, blocks);
    double **const byRow[] = {&n->gap,       &n->length,     &n->beta,  &n->rate,  &n->reported,
                              &n->betaError, &n->compliance, &n->bar,   &n->shift, &n->multiplier,
                              &n->right,     &n->adopted,    &n->taken, &n->usual};
    for (size_t i = 0; i < sizeof byRow / sizeof *byRow; i++)
        *byRow[i] = take(&from, rows);
    n->work = take(&from, 2 * rows);
    n->share = take(&from, KSI_SHARES * rows);
    int *whole = n->whole;
    n->body = (int(*)[2])takeWhole(&whole, 2 * rows);
    int **const places[] = {&n->profile.order, &n->profile.place, &n->profile.first, &n->profile.end,
                            &n->profile.start};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        *places[i] = takeWhole(&whole, rows);
    n->integers = whole;
    n->profile.rows = n->rows;
    return KS_OK;
}

static ksStatus measure(ksiNearest *n, const double *row)
{
    for (int l = 0; l < n->rows; l++) {
        double square = 0;
        for (int p = 0; p < 2; p++) {
            const double *x = row + 12 * l + 6 * p, weight = n->body[l][p] < 0 ? 0 : n->weight[n->body[l][p]];
            square += weight * weight * ksiDotSix(x, x);
        }
        n->length[l] = sqrt(square);
        if (!(n->length[l] > 0))
            return KS_ERROR_UNAVAILABLE;
    }
    return KS_OK;
}

static double largestGap(const ksiNearest *n)
{
    double largest = 0;
    for (int l = 0; l < n->positions; l++) {
        const double gap = fabs(n->gap[l]) / n->length[l];
        largest = gap > largest || isnan(gap) ? gap : largest;
    }
    return largest / n->radius;
}

ksStatus ksiNearestMeasure(ksiNearest *n)
{
    const ksStatus status = measure(n, n->there);
    n->drift = n->residual = status ? 0 : largestGap(n);
    n->way = 0;
    return status;
}

ksStatus ksiNearestOrder(ksiNearest *n, int most)
{
    ksiProfileFind(&n->profile, n->bodies, n->body, n->integers);
    const int size = n->profile.size;
    if (size < 0 || size > most)
        return KS_ERROR_UNAVAILABLE;
    const ksStatus status =
        ksiReserve(&n->allocator, &n->matrix, &n->matrixCapacity, 2 * (size_t)size, sizeof *n->matrix);
    n->inverse = status ? NULL : n->matrix + size;
    return status;
}

ksStatus ksiNearestFactor(ksiNearest *n, const double *rows, double damping)
{
    ksiNearestScale(n, rows, 1, n->unit);
    ksiNearestFill(n, n->positions, fmax(damping, ksiNearestRounding(n)));
    return ksiProfileFactor(&n->profile, -INFINITY, n->matrix) ? KS_ERROR_UNAVAILABLE : KS_OK;
}

void ksiNearestMove(ksiNearest *n)
{
    for (int l = 0; l < n->rows; l++)
        n->right[l] = l < n->positions ? n->gap[l] / n->length[l] : 0;
    ksiProfileSolve(&n->profile, n->matrix, n->right, n->work);
    ksiNearestSum(n, n->positions, n->unit, n->right, n->motion);
    double most = 0;
    for (int b = 0; b < n->bodies; b++) {
        most = fmax(most, ksiNearestNorm(n->motion + 6 * b, 6));
        for (int k = 0; k < 6; k++)
            n->motion[6 * b + k] *= n->weight[b];
    }
    n->way += most;
}

ksStatus ksiNearestArrive(ksiNearest *n, bool isMoved)
{
    const ksStatus status = measure(n, n->here);
    n->isMoved = isMoved;
    n->residual = !status && isMoved ? largestGap(n) : n->drift;
    return status || isfinite(n->residual) ? status : KS_ERROR_UNAVAILABLE;
}

void ksiNearestStay(ksiNearest *n)
{
    n->isMoved = 0;
}

ksStatus ksiNearestReturn(ksiNearest *n)
{
    const ksStatus status = measure(n, n->there);
    memcpy(n->here, n->there, 12 * (size_t)n->rows * sizeof *n->here);
    for (int l = 0; !status && n->isMoved && l < n->rigid; l++)
        for (int p = 0; p < 2; p++)
            if (n->body[l][p] >= 0)
                ksiAddSix(n->here + 12 * l + 6 * p, n->length[l] / n->weight[n->body[l][p]],
                          n->change + 12 * l + 6 * p);
    return status;
}

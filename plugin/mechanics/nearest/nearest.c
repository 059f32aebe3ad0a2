/* nearest.c  The move to the pose in which joints fit, and sums over rows and bodies.
 *
 * Rows that depend on each other where joints fit have a singular value of the size of the drift where they do not. No
 * tolerance tells it from a singular value that is small by geometry: see nearest_rank.c. So bodies are moved to where
 * the joints fit. */
#include "nearest_private.h"

#include "../../base/memory.h"
#include "../../base/vectorise.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

KSI_CLONES
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

KSI_CLONES
void ksiNearestScale(const ksiNearest *n, const double *row, bool isKinematic, int rows, double *unit)
{
    for (int l = 0; l < n->rows; l++)
        for (int p = 0; p < 2; p++, row += 6, unit += 6) {
            const int b = n->body[l][p];
            const bool isIn = l < rows && b >= 0;
            const double perLength = (isIn && isKinematic ? n->weight[b] : 1) / n->length[l];
            EACH (k, 0, 6)
                unit[k] = isIn ? perLength * row[k] : 0;
        }
}

/* A node's rows by coordinate, times a row: a column of the node. */
KSI_INLINE void fillColumn(const int WIDE, const ksiNearest *n, int l, ksiFour *column)
{
    ksiFour sum[2] = {{0}, {0}};
    for (int p = 0; p < 2; p++) {
        const ksiFour *turned = (const ksiFour *)(const void *)n->turned + 12 * n->body[l][p];
        if (n->body[l][p] < 0)
            continue;
        EACH (k, 0, 6)
            EACH (v, 0, WIDE)
                sum[v] += n->unit[12 * l + 6 * p + k] * turned[2 * k + v];
    }
    EACH (v, 0, WIDE)
        column[v] = sum[v];
}

/* By coordinate; isIn = 0: cleared. */
KSI_INLINE void turnNode(const ksiNearest *n, int node, bool isIn)
{
    for (int i = node; i < n->profile.next[node]; i++) {
        const int l = n->profile.order[i];
        for (int p = 0; p < 2; p++)
            for (int k = 0; n->body[l][p] >= 0 && k < 6; k++)
                n->turned[8 * (6 * n->body[l][p] + k) + i - node] = isIn ? n->unit[12 * l + 6 * p + k] : 0;
    }
}

KSI_CLONES
void ksiNearestFill(ksiNearest *n)
{
    const ksiProfile *profile = &n->profile;
    ksiFour *column = (ksiFour *)(void *)n->matrix;
    for (int node = 0; node < n->rows; node = profile->next[node]) {
        turnNode(n, node, 1);
        for (int j = profile->first[node]; j < profile->next[node]; j++)
            if (ksiProfileStride(profile, node) > 4)
                fillColumn(2, n, profile->order[j], column), column += 2;
            else
                fillColumn(1, n, profile->order[j], column), column += 1;
        turnNode(n, node, 0);
    }
}

static double *take(double **from, size_t count)
{
    double *taken = *from;
    *from += count;
    return taken;
}

ksStatus ksiNearestBegin(ksiNearest *n, int bodies, const ksiNearestRows *count)
{
    n->bodies = bodies, n->positions = count->positions, n->soft = count->soft;
    n->active = n->positions + count->targets, n->rigid = n->active + count->idle, n->rows = n->rigid + n->soft;
    n->stressCount = n->all.count = n->areChosen = 0;
    n->hasShares = false;
    const size_t rows = (size_t)n->rows, blocks = (size_t)bodies;
    if (!n->active)
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(ksiReserve(&n->allocator, &n->numbers, &n->numberCapacity, 73 * blocks + (80 + KSI_SHARES) * rows,
                       sizeof *n->numbers));
    KSI_TRY(ksiReserve(&n->allocator, &n->whole, &n->wholeCapacity, (4 + KSI_PROFILE_ARRAYS) * rows + 3 * blocks + 2,
                       sizeof *n->whole));
    double *from = n->numbers;
    double **const byTwelve[] = {&n->initial, &n->fitted, &n->unit, &n->change};
    for (size_t i = 0; i < sizeof byTwelve / sizeof *byTwelve; i++)
        *byTwelve[i] = take(&from, 12 * rows);
    double **const byBody[] = {&n->motion, &n->force, &n->acceleration, &n->before};
    for (size_t i = 0; i < sizeof byBody / sizeof *byBody; i++)
        *byBody[i] = take(&from, 6 * blocks);
    n->weight = take(&from, blocks);
    n->turned = memset(take(&from, 48 * blocks), 0, 48 * blocks * sizeof *from);
    double **const byRow[] = {&n->gap,        &n->length, &n->beta,  &n->rate,       &n->reported, &n->betaError,
                              &n->compliance, &n->bar,    &n->shift, &n->multiplier, &n->right,    &n->adopted,
                              &n->taken,      &n->usual,  &n->slack, &n->distance};
    for (size_t i = 0; i < sizeof byRow / sizeof *byRow; i++)
        *byRow[i] = take(&from, rows);
    n->work = take(&from, 16 * rows);
    n->share = take(&from, KSI_SHARES * rows);
    n->body = (int(*)[2])n->whole;
    n->profile = ksiProfileIn(n->rows, n->whole + 2 * rows);
    n->integers = n->whole + (2 + KSI_PROFILE_ARRAYS) * rows;
    return KS_OK;
}

KSI_CLONES
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
    const ksStatus status = measure(n, n->initial);
    n->drift = n->residual = status ? 0 : largestGap(n);
    n->way = 0;
    return status;
}

ksStatus ksiNearestOrder(ksiNearest *n, int most)
{
    ksiProfileFind(&n->profile, n->bodies, n->body, n->integers);
    if (n->profile.size < 0 || n->profile.size > most)
        return KS_ERROR_UNAVAILABLE;
    const size_t room = (size_t)n->profile.room;
    const ksStatus status = ksiReserve(&n->allocator, &n->matrix, &n->matrixCapacity, 2 * room, sizeof *n->matrix);
    n->inverse = status ? NULL : n->matrix + room;
    return status;
}

ksStatus ksiNearestFactor(ksiNearest *n, const double *rows, double damping)
{
    ksiNearestScale(n, rows, 1, n->positions, n->unit);
    ksiNearestFill(n);
    for (int l = 0; l < n->rows; l++)
        ksiNearestAdd(n, n->matrix, l, l < n->positions ? fmax(damping, ksiNearestRounding(n)) : 1);
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

double ksiNearestUnseen(const ksiNearest *n)
{
    return sqrt(ksiNearestRounding(n));
}

ksStatus ksiNearestArrive(ksiNearest *n, bool isMoved)
{
    const ksStatus status = measure(n, n->fitted);
    n->isMoved = isMoved;
    n->residual = !status && isMoved ? largestGap(n) : n->drift;
    return status || isfinite(n->residual) ? status : KS_ERROR_UNAVAILABLE;
}

KSI_CLONES
ksStatus ksiNearestReturn(ksiNearest *n)
{
    const ksStatus status = measure(n, n->initial);
    memcpy(n->fitted, n->initial, 12 * (size_t)n->rows * sizeof *n->fitted);
    for (int l = 0; !status && n->isMoved && l < n->rigid; l++)
        for (int p = 0; p < 2; p++)
            if (n->body[l][p] >= 0)
                ksiAddSix(n->fitted + 12 * l + 6 * p, n->length[l] / n->weight[n->body[l][p]],
                          n->change + 12 * l + 6 * p);
    return status;
}

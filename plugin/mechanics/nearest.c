/* nearest.c  What simulated joints that have drifted apart still say.
 *
 * Rows that depend on each other where joints fit are apart by a singular value of the size of the drift where they do not.
 * No tolerance tells these from ones that are small in earnest. So bodies are moved to where the joints fit, and there
 *
 *     a unit u of the rows, with singular value sigma, is a self-stress  iff
 *     sigma <= max(tolerance, 3 left, |dJ^T u| / 2),      dJ = J(here) - J(there):
 *
 * on the way it fell from |dJ^T u|, of the order of the drift, to the order of its square. One that is small in earnest stays
 * as it was. With the projection P on all other directions, N on these, and compliance S of soft rows, multipliers come from
 *
 *     (P A P + N + S) mu = P (beta - J M^-1 f),      A = J M^-1 J^T.
 */
#include "nearest.h"

#include "../memory.h"
#include "../vectorise.h"
#include "cholesky.h"
#include "lapack.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the square of the drift: ten times more or less is as good. */
static const double damping = 0.1;
static const double leastDamping = 1e-14;
/* Of what is left of the drift, and of what the way has moved of a direction, that a self-stress may keep. Half: a taut V,
 * whose singular value is the drift, is kept. */
static const double leftFactor = 3, movedFactor = 0.5;
/* A direction that was moved this much of itself and carries so many times the largest load is none. Three times delete
 * forces of real machines at their dead centres. */
static const double doubtFactor = 2, doubtLoad = 10;
/* of a bar: sums of products, their factor and its use */
static const double roundings = 4;

/* What a few rounds of the power method may miss. */
static const double powerMargin = 1.5;

enum { MOST_ROUNDS = 3, POWERS = 6 };

/* a_i . a_j over the bodies that both rows have */
static double rowDot(const ksiNearest *n, const double *a, int i, int j)
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

/* Rows of unit length in the kinematic metric, or (isKinematic = 0) of the same factor in that of the masses. */
static void scaleRows(ksiNearest *n, const double *row, int isKinematic)
{
    for (int l = 0; l < n->rows; l++) {
        const double perLength = 1 / n->length[l];
        for (int p = 0; p < 2; p++) {
            double *to = n->unit + 12 * l + 6 * p;
            const int b = n->body[l][p];
            memset(to, 0, 6 * sizeof *to);
            if (b >= 0)
                ksiAddSix(to, perLength * (isKinematic ? n->weight[b] : 1), row + 12 * l + 6 * p);
        }
    }
}

/* out [bodies][6] = sum of rows times their multipliers over their lengths */
static void combine(const ksiNearest *n, int rows, const double *row, const double *times, double *out)
{
    memset(out, 0, 6 * (size_t)n->bodies * sizeof *out);
    for (int l = 0; l < rows; l++)
        for (int p = 0; p < 2; p++)
            if (n->body[l][p] >= 0)
                ksiAddSix(out + 6 * n->body[l][p], times[l] / n->length[l], row + 12 * l + 6 * p);
}

/* row l, of unit length, on a scaled motion [bodies][6] */
static double apply(const ksiNearest *n, const double *row, int l, const double *motion)
{
    double sum = 0;
    for (int p = 0; p < 2; p++)
        if (n->body[l][p] >= 0)
            sum += ksiDotSix(row + 12 * l + 6 * p, motion + 6 * n->body[l][p]);
    return sum / n->length[l];
}

static double norm(const double *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

void ksiNearestFree(ksiNearest *n)
{
    ksiFree(&n->allocator, n->numbers);
    ksiFree(&n->allocator, n->whole);
}

static double *take(double **from, size_t count)
{
    double *taken = *from;
    *from += count;
    return taken;
}

static ksStatus sizeWork(const ksiNearest *n, int *size)
{
    const int ask = -1, count = n->rigid;
    int found, info, support[2], integer = 0;
    double dummy = 0, limit = 1, best;
    dsyevr_("V", "V", "L", &count, &dummy, &count, &dummy, &limit, &integer, &integer, &dummy, &found, &dummy, &dummy,
            &count, support, &best, &ask, &integer, &ask, &info, 1, 1, 1);
    *size = (int)best;
    return info ? KS_ERROR_UNAVAILABLE : KS_OK;
}

ksStatus ksiNearestBegin(ksiNearest *n, int bodies, int positions, int rigid, int soft)
{
    const size_t rows = (size_t)rigid + (size_t)soft, blocks = (size_t)bodies, square = rows * rows;
    n->bodies = bodies, n->positions = positions, n->rigid = rigid, n->soft = soft, n->rows = (int)rows;
    int size = 0;
    ksStatus status = rigid ? sizeWork(n, &size) : KS_ERROR_UNAVAILABLE;
    n->workSize = size;
    const size_t numbers = 31 * blocks + 49 * rows + 5 * square + (size_t)size;
    if (!status)
        status = ksiReserve(&n->allocator, &n->numbers, &n->numberCapacity, numbers, sizeof *n->numbers);
    if (!status)
        status = ksiReserve(&n->allocator, &n->whole, &n->wholeCapacity, 14 * rows + 2, sizeof *n->whole);
    if (status)
        return status;
    double *from = n->numbers;
    n->there = take(&from, 12 * rows), n->here = take(&from, 12 * rows), n->unit = take(&from, 12 * rows);
    n->weight = take(&from, blocks), n->motion = take(&from, 6 * blocks), n->force = take(&from, 6 * blocks);
    n->forceMoved = take(&from, 6 * blocks), n->acceleration = take(&from, 6 * blocks);
    double **const byRow[] = {&n->gap,   &n->length,     &n->beta,  &n->betaMoved, &n->rate,  &n->compliance, &n->bar,
                              &n->shift, &n->multiplier, &n->sigma, &n->torn,      &n->right, &n->late};
    for (size_t i = 0; i < sizeof byRow / sizeof *byRow; i++)
        *byRow[i] = take(&from, rows);
    n->gram = take(&from, square), n->small = take(&from, square), n->matrix = take(&from, square);
    n->inverse = take(&from, square), n->stress = take(&from, square), n->work = from;
    n->body = (int(*)[2])n->whole;
    n->support = n->whole + 2 * rows;
    n->integers = n->support + 2 * rows;
    n->stressCount = 0;
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
    for (int l = 0; l < n->positions; l++)
        largest = fmax(largest, fabs(n->gap[l]) / n->length[l]);
    return largest / n->radius;
}

ksStatus ksiNearestMeasure(ksiNearest *n)
{
    const ksStatus status = measure(n, n->there);
    n->drift = n->left = status ? 0 : largestGap(n);
    return status;
}

/* [count][count], its lower triangle */
static void fillGram(ksiNearest *n, int count, const double *row, double *gram)
{
    scaleRows(n, row, 1);
    for (int j = 0; j < count; j++)
        for (int i = j; i < count; i++)
            gram[(size_t)i + (size_t)j * (size_t)count] = rowDot(n, n->unit, i, j);
}

ksStatus ksiNearestFactor(ksiNearest *n)
{
    const int count = n->positions;
    fillGram(n, count, n->there, n->gram);
    for (int l = 0; l < count; l++)
        n->gram[(size_t)l * ((size_t)count + 1)] += fmax(damping * n->drift * n->drift, leastDamping);
    return ksiFactorPositive(count, n->gram) ? KS_OK : KS_ERROR_UNAVAILABLE;
}

void ksiNearestMove(ksiNearest *n)
{
    const int count = n->positions;
    for (int l = 0; l < count; l++)
        n->right[l] = n->gap[l] / n->length[l];
    ksiSolveTriangles(count, count, n->gram, n->right);
    combine(n, count, n->there, n->right, n->motion);
    for (int b = 0; b < n->bodies; b++)
        for (int k = 0; k < 6; k++)
            n->motion[6 * b + k] *= n->weight[b] * n->weight[b];
}

/* here - there, so scaled that its kinematic size is that of a unit row's change */
static double tornBy(ksiNearest *n, const double *u)
{
    double square = 0;
    combine(n, n->rigid, n->here, u, n->motion);
    combine(n, n->rigid, n->there, u, n->acceleration);
    for (int b = 0; b < n->bodies; b++)
        for (int k = 0; k < 6; k++) {
            const double moved = n->weight[b] * (n->motion[6 * b + k] - n->acceleration[6 * b + k]);
            square += moved * moved;
        }
    return sqrt(square);
}

/* No direction is moved by more: norm of the change of all unit rows, by the power method and with what that may miss of it. */
static double mostTorn(ksiNearest *n)
{
    double *u = n->right, torn = 0;
    for (int l = 0; l < n->rigid; l++)
        u[l] = 1 + 0.5 * sin(1.7 * l);
    for (int round = 0; round < POWERS; round++) {
        const double size = norm(u, (size_t)n->rigid);
        if (!(size > 0))
            return 0;
        for (int l = 0; l < n->rigid; l++)
            u[l] /= size;
        torn = tornBy(n, u);
        for (int b = 0; b < n->bodies; b++)
            for (int k = 6 * b; k < 6 * b + 6; k++)
                n->motion[k] = n->weight[b] * n->weight[b] * (n->motion[k] - n->acceleration[k]);
        for (int l = 0; l < n->rigid; l++)
            u[l] = apply(n, n->here, l, n->motion) - apply(n, n->there, l, n->motion);
    }
    return powerMargin * torn;
}

static void addStress(ksiNearest *n, int k)
{
    const size_t rigid = (size_t)n->rigid;
    memcpy(n->stress + rigid * (size_t)n->stressCount++, n->small + rigid * (size_t)k, rigid * sizeof *n->stress);
    n->torn[k] = INFINITY;
}

ksStatus ksiNearestDecide(ksiNearest *n, int isMoved)
{
    ksStatus status = measure(n, n->here);
    n->stressCount = n->smallCount = 0;
    if (status)
        return status;
    n->left = isMoved ? largestGap(n) : n->drift;
    const double floor = fmax(n->tolerance, isMoved ? leftFactor * n->left : n->drift);
    const double most = fmax(floor, isMoved ? doubtFactor * mostTorn(n) : 0), upper = most * most;
    const int count = n->rigid, all = n->workSize, integers = 10 * n->rigid;
    const double lower = -1, exact = 0;
    int info, unused = 0;
    fillGram(n, count, n->here, n->gram);
    dsyevr_("V", "V", "L", &count, n->gram, &count, &lower, &upper, &unused, &unused, &exact, &n->smallCount, n->sigma,
            n->small, &count, n->support, n->work, &all, n->integers, &integers, &info, 1, 1, 1);
    if (info)
        return KS_ERROR_UNAVAILABLE;
    for (int k = 0; k < n->smallCount; k++) {
        n->sigma[k] = sqrt(fmax(n->sigma[k], 0));
        n->torn[k] = isMoved ? tornBy(n, n->small + (size_t)count * (size_t)k) : 0;
        if (n->sigma[k] <= fmax(floor, movedFactor * n->torn[k]))
            addStress(n, k);
    }
    return KS_OK;
}

/* x := P x */
static void takeStressOut(const ksiNearest *n, double *x)
{
    for (int k = 0; k < n->stressCount; k++) {
        const double *u = n->stress + (size_t)n->rigid * (size_t)k;
        double part = 0;
        for (int l = 0; l < n->rigid; l++)
            part += u[l] * x[l];
        for (int l = 0; l < n->rigid; l++)
            x[l] -= part * u[l];
    }
}

/* A := (1 - u u^T) A (1 - u u^T) = A - u w^T - w u^T, w = A u - (u^T A u / 2) u; its lower triangle. */
KSI_CLONES
static void deflate(const ksiNearest *n, const double *u)
{
    const int rows = n->rows, rigid = n->rigid;
    double *w = n->right, half = 0;
    memset(w, 0, (size_t)rows * sizeof *w);
    for (int j = 0; j < rows; j++) {
        const double *column = n->matrix + (size_t)j * (size_t)rows, uj = j < rigid ? u[j] : 0;
        double sum = uj * column[j];
        for (int i = j + 1; i < rows; i++) {
            w[i] += uj * column[i];
            sum += i < rigid ? u[i] * column[i] : 0;
        }
        w[j] += sum;
    }
    for (int i = 0; i < rigid; i++)
        half += 0.5 * u[i] * w[i];
    for (int i = 0; i < rigid; i++)
        w[i] -= half * u[i];
    for (int j = 0; j < rows; j++) {
        double *column = n->matrix + (size_t)j * (size_t)rows;
        const double uj = j < rigid ? u[j] : 0;
        for (int i = j; i < rows; i++)
            column[i] -= (i < rigid ? u[i] : 0) * w[j] + w[i] * uj;
    }
}

/* P A P + N + S, factorised. */
static ksStatus factorise(ksiNearest *n)
{
    const size_t rows = (size_t)n->rows;
    double *A = n->matrix;
    scaleRows(n, n->here, 0);
    for (int j = 0; j < n->rows; j++)
        for (int i = j; i < n->rows; i++)
            A[(size_t)i + rows * (size_t)j] = rowDot(n, n->unit, i, j);
    for (int k = 0; k < n->stressCount; k++)
        deflate(n, n->stress + (size_t)n->rigid * (size_t)k);
    n->stressed = 0;
    for (int l = 0; l < n->rigid; l++)
        n->stressed += A[(size_t)l * (rows + 1)] / n->rigid;
    for (int k = 0; k < n->stressCount; k++) {
        const double *u = n->stress + (size_t)n->rigid * (size_t)k;
        for (int j = 0; j < n->rigid; j++)
            for (int i = j; i < n->rigid; i++)
                A[(size_t)i + rows * (size_t)j] += n->stressed * u[i] * u[j];
    }
    for (int l = n->rigid; l < n->rows; l++)
        A[(size_t)l * (rows + 1)] += n->compliance[l] / (n->length[l] * n->length[l]);
    return ksiFactorPositive(n->rows, A) ? KS_OK : KS_ERROR_UNAVAILABLE;
}

/* The first `count` rows alone: rigid ones come first in the factor. */
static void solve(const ksiNearest *n, int count, double *x)
{
    takeStressOut(n, x);
    ksiSolveTriangles(count, n->rows, n->matrix, x);
    takeStressOut(n, x);
}

ksStatus ksiNearestCorrect(ksiNearest *n)
{
    const ksStatus status = factorise(n);
    if (status)
        return status;
    for (int l = 0; l < n->rigid; l++)
        n->right[l] = -n->rate[l] / n->length[l];
    solve(n, n->rigid, n->right);
    combine(n, n->rigid, n->here, n->right, n->motion);
    return KS_OK;
}

/* mu, the multipliers times the lengths; and the scaled acceleration */
static void solveForces(ksiNearest *n)
{
    for (int l = 0; l < n->rows; l++)
        n->multiplier[l] = n->beta[l] / n->length[l] - apply(n, n->here, l, n->force);
    solve(n, n->rows, n->multiplier);
    combine(n, n->rows, n->here, n->multiplier, n->acceleration);
    for (int i = 0; i < 6 * n->bodies; i++)
        n->acceleration[i] += n->force[i];
}

/* Of what was kept. */
static int dropDoubtful(ksiNearest *n, double largest)
{
    int dropped = 0;
    for (int k = 0; k < n->smallCount; k++) {
        const double *u = n->small + (size_t)n->rigid * (size_t)k;
        double part = 0;
        for (int l = 0; l < n->rigid; l++)
            part += u[l] * n->multiplier[l];
        if (isinf(n->torn[k]) || n->sigma[k] > doubtFactor * n->torn[k] || fabs(part) <= doubtLoad * largest)
            continue;
        addStress(n, k);
        dropped = 1;
    }
    return dropped;
}

ksStatus ksiNearestSolve(ksiNearest *n, double largest)
{
    ksStatus status = KS_OK;
    solveForces(n);
    for (int round = 0; !status && round < MOST_ROUNDS && dropDoubtful(n, largest); round++) {
        status = factorise(n);
        if (!status)
            solveForces(n);
    }
    return status;
}

/* The way's own part: what is not satisfied by these multipliers and accelerations where the bodies are. */
static void findShift(ksiNearest *n)
{
    double *const before = n->work, *const moved = n->motion;
    combine(n, n->rows, n->there, n->multiplier, before);
    combine(n, n->rows, n->here, n->multiplier, moved);
    for (int i = 0; i < 6 * n->bodies; i++)
        moved[i] = before[i] - moved[i] + n->forceMoved[i];
    for (int l = 0; l < n->rows; l++)
        n->shift[l] = n->betaMoved[l] / n->length[l] -
                      (apply(n, n->there, l, n->acceleration) - apply(n, n->here, l, n->acceleration)) -
                      apply(n, n->here, l, moved);
    solve(n, n->rows, n->shift);
    for (int l = 0; l < n->rows; l++)
        n->late[l] /= n->length[l];
    solve(n, n->rows, n->late);
}

/* Entry of (P A P + N + S)^-1 without the part of N: that of what is kept. */
static double inverseOf(const ksiNearest *n, int row, int column)
{
    const double *x = n->inverse + (size_t)row * (size_t)n->rows, *y = n->inverse + (size_t)column * (size_t)n->rows;
    double sum = 0;
    for (int i = row > column ? row : column; i < n->rows; i++)
        sum += x[i] * y[i];
    for (int k = 0; row < n->rigid && column < n->rigid && k < n->stressCount; k++) {
        const double *u = n->stress + (size_t)n->rigid * (size_t)k;
        sum -= u[row] * u[column] / n->stressed;
    }
    return sum;
}

double ksiNearestInverse(const ksiNearest *n, int row, int column)
{
    return inverseOf(n, row, column) / (n->length[row] * n->length[column]);
}

/* How far the row is from what it was, of its size. */
static double turned(const ksiNearest *n, int l)
{
    double apart[12];
    for (int k = 0; k < 12; k++)
        apart[k] = n->there[12 * l + k] - n->here[12 * l + k];
    return norm(apart, 12) / norm(n->here + 12 * l, 12);
}

/* Of the backward error of a factorisation, |E_ij| <= c eps (A_ii A_jj)^1/2:
 *     |d mu_l| <= (A^-1_ll tr A^-1)^1/2 c eps (sum A_ii mu_i^2 ...)^1/2
 * and of what is left of the drift, as an error of the rows of that size: (A^-1_ll)^1/2 left |load|. */
void ksiNearestBars(ksiNearest *n)
{
    findShift(n);
    ksiInvertTriangle(n->rows, n->matrix, n->inverse);
    double trace = 0, sum = 0;
    for (int l = 0; l < n->rows; l++) {
        const double own = rowDot(n, n->unit, l, l);
        n->right[l] = fmax(inverseOf(n, l, l), 0);
        trace += own * n->right[l];
        sum += own * n->multiplier[l] * n->multiplier[l];
    }
    const size_t coordinates = 6 * (size_t)n->bodies;
    const double load = norm(n->force, coordinates) + norm(n->acceleration, coordinates);
    n->common = n->left * load + roundings * DBL_EPSILON * (sqrt(n->rows * trace * sum) + sqrt(trace) * load);
    for (int l = 0; l < n->rows; l++) {
        const double size = sqrt(n->right[l]);
        n->bar[l] = (fabs(n->shift[l]) + fabs(n->late[l]) + n->common * size + fabs(n->multiplier[l]) * turned(n, l)) /
                    n->length[l];
        n->shift[l] /= n->length[l];
        n->late[l] /= n->length[l];
    }
    for (int l = 0; l < n->rows; l++)
        n->multiplier[l] /= n->length[l];
}

const double *ksiNearestShares(const ksiNearest *n)
{
    for (int k = 0; k < n->stressCount; k++)
        for (int l = 0; l < n->rigid; l++)
            n->gram[l * n->stressCount + k] = n->stress[(size_t)k * (size_t)n->rigid + (size_t)l];
    return n->gram;
}

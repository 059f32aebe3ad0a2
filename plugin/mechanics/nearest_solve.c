/* nearest_solve.c  The multipliers in the pose in which joints fit, and their bars.
 *
 * With the projection P on all directions but the self-stresses U, and compliance S of soft rows,
 *
 *     mu = (P (A + S) P)^+ (beta - J M^-1 f),      A = J M^-1 J^T.
 *
 * A is sparse, P is not: with E a few rows in which the self-stresses differ most, and C = (U E), G = A + S + E E^T is
 * positive definite and as sparse, and (Woodbury 1950)
 *
 *     (P (A + S) P)^+ = G^-1 - Z (C^T Z - N)^-1 Z^T,      Z = G^-1 C,  N = (0 0; 0 1).
 *
 * Where the joints do not fit, what their drift leaves open is the engine's own. Its multipliers mu_e weigh by the drift delta,
 *
 *     (A + S + delta diag A) mu = beta - J M^-1 f + delta diag A mu_e:
 *
 * along a direction of singular value sigma that is mu_e where sigma^2 << delta, and the solution where sigma^2 >> delta. A
 * Newton step from gaps of this size ends in a pose nearby if sigma^2 > 2 delta (Kantorovich 1948): only there is the sigma of the
 * mechanism what is seen.
 */
#include "nearest_private.h"

#include "../base/vectorise.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A direction becomes a self-stress after all if sigma <= doubtFactor |dJ^T u| and it carries more than doubtLoad times
 * the largest load. A doubtFactor of three would delete forces of real machines at their dead centres. */
static const double doubtFactor = 2, doubtLoad = 10;
/* Roundings in a bar: of sums of products, their factor and its use. Of 500 random pairs of rows the largest error is
 * a quarter of its bar, the median one a twentieth. */
static const double roundings = 4;

/* x := P x */
KSI_CLONES
static void takeStressOut(const ksiNearest *n, double *x)
{
    const size_t rows = (size_t)n->rows;
    for (int k = 0; k < n->stressCount; k++) {
        const double *u = n->stress + rows * (size_t)k;
        ksiAddMany(n->rows, -ksiDotMany(n->rows, u, x), u, x);
    }
}

/* Eliminates the self-stresses, in the memory of `spread`, with the largest elements as pivots: `pinned` are their
 * rows. */
KSI_CLONES
static void choosePinned(ksiNearest *n)
{
    const size_t rows = (size_t)n->rows;
    double *left = n->spread;
    memcpy(left, n->stress, rows * (size_t)n->stressCount * sizeof *left);
    for (int k = 0; k < n->stressCount; k++) {
        const double *u = left + rows * (size_t)k;
        size_t most = 0;
        for (size_t l = 1; l < rows; l++)
            most = fabs(u[l]) > fabs(u[most]) ? l : most;
        n->pinned[k] = (int)most;
        for (int j = k + 1; j < n->stressCount; j++) {
            double *other = left + rows * (size_t)j;
            ksiAddMany(n->rows, -other[most] / u[most], u, other);
            other[most] = 0;
        }
    }
}

/* Column a of C times x. */
static double onColumn(const ksiNearest *n, int a, const double *x)
{
    const int k = a - n->stressCount;
    return k < 0 ? ksiDot((size_t)n->rows, n->stress + (size_t)n->rows * (size_t)a, x) : n->pin[k] * x[n->pinned[k]];
}

/* C^T Z - N = L D L^T, and Z L^-T in place of Z. */
KSI_CLONES
static ksStatus coupleStress(ksiNearest *n)
{
    const size_t rows = (size_t)n->rows, all = 2 * (size_t)n->stressCount;
    for (size_t a = 0; a < all; a++) {
        double *z = n->spread + rows * a;
        const size_t k = a - (size_t)n->stressCount;
        if (a < (size_t)n->stressCount) {
            memcpy(z, n->stress + rows * a, rows * sizeof *z);
        } else {
            memset(z, 0, rows * sizeof *z);
            z[n->pinned[k]] = n->pin[k];
        }
        ksiProfileSolve(&n->profile, n->matrix, z, n->work);
    }
    n->core.rows = (int)all;
    ksiProfileFull(&n->core);
    for (int a = 0; a < n->core.rows; a++)
        for (int b = 0; b <= a; b++)
            n->coupling[ksiProfileAt(&n->core, a, b)] =
                onColumn(n, a, n->spread + rows * (size_t)b) - (a == b && a >= n->stressCount ? 1 : 0);
    if (ksiProfileFactor(&n->core, n->coupling) < 0)
        return KS_ERROR_UNAVAILABLE;
    for (int a = 0; a < n->core.rows; a++)
        for (int b = 0; b < a; b++) {
            const double part = n->coupling[ksiProfileAt(&n->core, a, b)];
            ksiAddMany(n->rows, -part, n->spread + rows * (size_t)b, n->spread + rows * (size_t)a);
        }
    return KS_OK;
}

/* G := A + S + open diag A, which needs no rank: there are no self-stresses to be coupled. */
static ksStatus factoriseOpen(ksiNearest *n)
{
    const ksiProfile *profile = &n->profile;
    for (int l = 0; l < n->rigid; l++)
        n->matrix[profile->end[profile->place[l]] - 1] += n->open * ksiNearestDot(n, n->unit, l, l);
    n->core.rows = 0;
    return ksiProfileFactor(profile, n->matrix) ? KS_ERROR_UNAVAILABLE : KS_OK;
}

/* G = L D L^T of the first `rows` rows, then the coupling by self-stresses. */
static ksStatus factorise(ksiNearest *n, int rows)
{
    const ksiProfile *profile = &n->profile;
    ksiNearestScale(n, n->here, 0, n->unit);
    ksiNearestFill(n, rows, 0);
    for (int l = n->rigid; l < rows; l++)
        n->matrix[profile->end[profile->place[l]] - 1] += n->compliance[l] / (n->length[l] * n->length[l]);
    if (n->open > 0)
        return factoriseOpen(n);
    if (n->stressCount)
        choosePinned(n);
    for (int k = 0; k < n->stressCount; k++) {
        const double own = ksiNearestDot(n, n->unit, n->pinned[k], n->pinned[k]);
        n->pin[k] = sqrt(own);
        n->matrix[profile->end[profile->place[n->pinned[k]]] - 1] += own;
    }
    if (ksiProfileFactor(profile, n->matrix))
        return KS_ERROR_UNAVAILABLE;
    return coupleStress(n);
}

/* Element of D in C^T Z - N = L D L^T. */
static double couplingOf(const ksiNearest *n, int a)
{
    return n->coupling[ksiProfileAt(&n->core, a, a)];
}

/* x := (P (A + S) P)^+ x */
KSI_CLONES
static void solve(const ksiNearest *n, double *x)
{
    const size_t rows = (size_t)n->rows;
    if (!(n->open > 0))
        takeStressOut(n, x);
    for (int a = 0; a < n->core.rows; a++)
        n->part[a] = ksiDot(rows, n->spread + rows * (size_t)a, x) / couplingOf(n, a);
    ksiProfileSolve(&n->profile, n->matrix, x, n->work);
    for (int a = 0; a < n->core.rows; a++)
        ksiAddMany(n->rows, -n->part[a], n->spread + rows * (size_t)a, x);
    if (!(n->open > 0))
        takeStressOut(n, x);
}

ksStatus ksiNearestCorrect(ksiNearest *n)
{
    const double open = n->open;
    if (getenv("DAMPV"))
        n->open = atof(getenv("DAMPV")) * n->drift;
    ksStatus status = factorise(n, n->rigid);
    if (status)
        return status;
    for (int l = 0; l < n->rows; l++)
        n->right[l] = l < n->rigid ? -n->rate[l] / n->length[l] : 0;
    solve(n, n->right);
    ksiNearestSum(n, n->rigid, n->unit, n->right, n->motion);
    n->open = open;
    if (getenv("DAMPV") && !(open > 0))
        status = factorise(n, n->rows);
    return status;
}

/* The scaled acceleration by the forces and these multipliers, times the lengths */
static void accelerate(ksiNearest *n, const double *multiplier)
{
    ksiNearestSum(n, n->rows, n->unit, multiplier, n->acceleration);
    for (int i = 0; i < 6 * n->bodies; i++)
        n->acceleration[i] += n->force[i];
}

/* mu, the multipliers times the lengths, as a change of the engine's own where these weigh; and the scaled acceleration */
static void solveForces(ksiNearest *n)
{
    double *adopted = n->shift;
    for (int l = 0; l < n->rows; l++)
        adopted[l] = l < n->rigid ? n->reported[l] * n->length[l] : 0;
    if (!(n->open > 0)) {
        memset(n->right, 0, (size_t)n->rows * sizeof *n->right);
        for (int k = 0; k < n->stressCount; k++) {
            const double *u = n->stress + (size_t)n->rows * (size_t)k;
            ksiAddMany(n->rows, ksiDotMany(n->rows, u, adopted), u, n->right);
        }
        memcpy(adopted, n->right, (size_t)n->rows * sizeof *adopted);
    }
    accelerate(n, adopted);
    for (int l = 0; l < n->rows; l++)
        n->multiplier[l] = n->beta[l] / n->length[l] - ksiNearestApply(n, n->unit, l, n->acceleration);
    solve(n, n->multiplier);
    if (n->open > 0) for (int it = 0; getenv("ITER") && it < atoi(getenv("ITER")); it++) {
        for (int l = 0; l < n->rows; l++)
            n->work[n->rows+l]= n->right[l] = l < n->rigid ? n->open * ksiNearestDot(n, n->unit, l, l) * n->multiplier[l] : 0;
        double *first = n->work + n->rows; (void)first;
        solve(n, n->right);
        for (int l = 0; l < n->rows; l++)
            n->multiplier[l] += n->right[l];
    }
    for (int l = 0; l < n->rows; l++)
        n->multiplier[l] += adopted[l];
    accelerate(n, n->multiplier);
}

/* Turns doubtful directions into self-stresses, each at most once. Returns whether there are any. */
static int dropDoubtful(ksiNearest *n, double largest)
{
    int dropped = 0;
    for (int k = 0; k < n->smallCount; k++) {
        const double part = ksiDot((size_t)n->rigid, n->small + (size_t)n->rows * (size_t)k, n->multiplier);
        if (isinf(n->rowChange[k]) || n->sigma[k] > doubtFactor * n->rowChange[k] || fabs(part) <= doubtLoad * largest)
            continue;
        ksiNearestAddStress(n, k);
        dropped = 1;
    }
    return dropped;
}

static ksStatus solveAgain(ksiNearest *n)
{
    const ksStatus status = factorise(n, n->rows);
    if (!status)
        solveForces(n);
    return status;
}

ksStatus ksiNearestSolve(ksiNearest *n, double largest)
{
    ksStatus status = KS_OK;
    if (n->soft)
        status = factorise(n, n->rows);
    if (!status)
        solveForces(n);
    if (status || n->open > 0 || ksiNearestNorm(n->multiplier, (size_t)n->rigid) <= doubtLoad * largest)
        return status;
    status = ksiNearestLookFurther(n, doubtFactor);
    if (!status)
        status = solveAgain(n);
    while (!status && dropDoubtful(n, largest))
        status = solveAgain(n);
    return status ? status : ksiAllFinite((size_t)n->rows, n->multiplier) ? KS_OK : KS_ERROR_NOT_FINITE;
}

/* Change by the move: multipliers for the residual that this solution has where the bodies are. */
static void findShift(ksiNearest *n)
{
    double *const before = n->before, *const moved = n->motion;
    for (int l = 0; l < n->rows; l++)
        n->right[l] = n->multiplier[l] / n->length[l];
    ksiNearestSum(n, n->rows, n->there, n->right, before);
    ksiNearestSum(n, n->rows, n->here, n->right, moved);
    for (int i = 0; i < 6 * n->bodies; i++)
        moved[i] = before[i] - moved[i] + n->forceMoved[i];
    for (int l = 0; l < n->rows; l++)
        n->shift[l] = (n->betaMoved[l] - ksiNearestApply(n, n->there, l, n->acceleration) +
                       ksiNearestApply(n, n->here, l, n->acceleration) - ksiNearestApply(n, n->here, l, moved)) /
                      n->length[l];
    // where the engine's multipliers weigh: what twice their weight would change, to first order
    for (int l = 0; l < n->rigid && n->open > 0; l++)
        n->shift[l] += n->open * ksiNearestDot(n, n->unit, l, l) * (n->reported[l] * n->length[l] - n->multiplier[l]);
    if (n->fits && n->open > 0) {
        double *moved = n->motion;
        memset(moved, 0, 6 * (size_t)n->bodies * sizeof *moved);
        for (int l = 0; l < n->rigid; l++)
            for (int q = 0; q < 2; q++)
                if (n->body[l][q] >= 0)
                    ksiAddSix(moved + 6 * n->body[l][q], n->multiplier[l] / n->weight[n->body[l][q]],
                              n->change + 12 * l + 6 * q);
        for (int l = 0; l < n->rigid; l++) {
            double sum = -ksiNearestApply(n, n->unit, l, moved);
            for (int q = 0; q < 2; q++)
                if (n->body[l][q] >= 0)
                    sum -= ksiDotSix(n->change + 12 * l + 6 * q, n->acceleration + 6 * n->body[l][q]) / n->weight[n->body[l][q]];
            n->shift[l] += sum;
        }
    }
    if (n->fits && n->open > 0 && getenv("SQ")) {
        const double open = n->open;
        n->open = getenv("LIN") ? atof(getenv("SQ")) * open : atof(getenv("SQ")) * open * open;
        if (getenv("OUT"))
            takeStressOut(n, n->shift);
        if (factorise(n, n->rows) == KS_OK)
            solve(n, n->shift);
        if (getenv("OUT"))
            takeStressOut(n, n->shift);
        n->open = open;
        if (factorise(n, n->rows) != KS_OK)
            return;
    } else
    solve(n, n->shift);
    for (int l = 0; l < n->rows; l++)
        n->betaError[l] /= n->length[l];
    solve(n, n->betaError);
}

/* Element of (P (A + S) P)^+, of rows that share a body. */
static double inverseOf(const ksiNearest *n, int row, int column)
{
    const int i = n->profile.place[row], j = n->profile.place[column];
    double sum = n->inverse[ksiProfileAt(&n->profile, i > j ? i : j, i > j ? j : i)];
    for (int a = 0; a < n->core.rows; a++) {
        const double *z = n->spread + (size_t)n->rows * (size_t)a;
        sum -= z[row] * z[column] / couplingOf(n, a);
    }
    return sum;
}

double ksiNearestInverse(const ksiNearest *n, int row, int column)
{
    return inverseOf(n, row, column) / (n->length[row] * n->length[column]);
}

/* Relative change of a row by the move. */
static double turned(const ksiNearest *n, int l)
{
    double apart[12];
    for (int k = 0; k < 12; k++)
        apart[k] = n->there[12 * l + k] - n->here[12 * l + k];
    return ksiNearestNorm(apart, 12) / ksiNearestNorm(n->here + 12 * l, 12);
}

/* From the backward error of a factorisation, |E_ij| <= c eps (A_ii A_jj)^1/2:
 *     |d mu_l| <= (A^-1_ll tr A^-1)^1/2 c eps (sum A_ii mu_i^2 ...)^1/2
 * and from the remaining drift, as an error of the rows of that size: (A^-1_ll)^1/2 left |load|. */
void ksiNearestBars(ksiNearest *n)
{
    findShift(n);
    ksiProfileInvert(&n->profile, n->matrix, n->inverse, n->work);
    double trace = 0, sum = 0;
    for (int l = 0; l < n->rows; l++) {
        const double own = ksiNearestDot(n, n->unit, l, l);
        n->right[l] = fmax(inverseOf(n, l, l), 0);
        trace += own * n->right[l];
        sum += own * n->multiplier[l] * n->multiplier[l];
    }
    const size_t coordinates = 6 * (size_t)n->bodies;
    const double load = ksiNearestNorm(n->force, coordinates) + ksiNearestNorm(n->acceleration, coordinates);
    n->common = (n->fits && n->open > 0 ? fmax(n->leftFit, atof(getenv("CM")) * n->drift) : n->left) * load + roundings * DBL_EPSILON * (sqrt(n->rows * trace * sum) + sqrt(trace) * load);
    for (int l = 0; l < n->rows; l++) {
        const double size = sqrt(n->right[l]);
        n->bar[l] =
            (fabs(n->shift[l]) + fabs(n->betaError[l]) + n->common * size + fabs(n->multiplier[l]) * turned(n, l)) /
            n->length[l];
        n->shift[l] /= n->length[l];
        n->betaError[l] /= n->length[l];
    }
    for (int l = 0; l < n->rows; l++)
        n->multiplier[l] /= n->length[l];
}

const double *ksiNearestShares(ksiNearest *n)
{
    for (int k = 0; k < n->stressCount; k++)
        for (int l = 0; l < n->rows; l++)
            n->small[l * n->stressCount + k] = n->stress[(size_t)k * (size_t)n->rows + (size_t)l];
    return n->small;
}

/* nearest_solve.c  The multipliers where the bodies are, though their joints do not fit, and their bars.
 *
 * With D = diag A, the engine's multipliers mu_e, and e the largest gap times what a unit row changes by per metre on the way to the
 * pose in which the joints fit,
 *
 *     (A + S + e D) mu = beta - J M^-1 f + e D mu_e,      A = J M^-1 J^T:
 *
 * along a direction of singular value sigma that is mu_e where sigma^2 << e, and the solution where sigma^2 >> e. A Newton step from
 * gaps of this size ends in a pose nearby if sigma^2 > 2 e (Kantorovich 1948): only there is the sigma of the mechanism what is
 * seen. What drift leaves open is so the engine's own, which explains the motion in the mean, and no rank is decided.
 */
#include "nearest_private.h"

#include "../../base/vectorise.h"

#include <math.h>
#include <string.h>

/* Roundings in a bar: of sums of products, their factor and its use. Of 500 random pairs of rows the largest error is
 * a quarter of its bar, the median one a twentieth. */
static const double roundings = 4;
/* Share of the drift that is an error of the rows beside the change of first order to the pose in which the joints fit. With a
 * third, two of a hundred values are beside their bars; with one, bars are twice as long. */
static const double secondOrder = 0.5;
/* The rows' own solution may be this much farther away than to first order. */
static const double farther = 1.5;
/* Weight of the engine's own in the rows' own solution, beside that in what is published: with less, contradictions of self-stresses grow. */
static const double ownOpen = 1e-5;

/* |a_l|^2 of a unit row. */
KSI_INLINE double ownOf(const ksiNearest *n, int l)
{
    return ksiDotTwelve(n->unit + 12 * l, n->unit + 12 * l);
}

/* On the diagonal beside A: idle rows are apart from all others. */
static double shiftOf(const ksiNearest *n, int l, int rows, double open)
{
    if (l >= n->rigid && l < rows)
        return n->compliance[l] / (n->length[l] * n->length[l]);
    return l < n->active ? open * ownOf(n, l) : 1;
}

/* `matrix` := A of the first `rows` rows, initial or fitted. */
static void fill(ksiNearest *n, const double *row, int rows)
{
    ksiNearestScale(n, row, 0, rows, n->unit);
    memset(n->unit + 12 * n->active, 0, 12 * (size_t)(n->rigid - n->active) * sizeof *n->unit);
    ksiNearestFill(n);
}

/* `matrix`, which is A, becomes a factor of A + S + e D, e at least rounding: rows may depend. */
static ksStatus shiftAndFactor(const ksiNearest *n, int rows, double open, double *matrix)
{
    for (int l = 0; l < n->rows; l++)
        ksiNearestAdd(n, matrix, l, shiftOf(n, l, rows, open));
    return ksiProfileFactor(&n->profile, -INFINITY, matrix) ? KS_ERROR_UNAVAILABLE : KS_OK;
}

/* Of the first `rows` initial rows: into `matrix`, and into `inverse` that of the rows' own solution. */
static ksStatus factorise(ksiNearest *n, int rows)
{
    fill(n, n->initial, rows);
    memcpy(n->inverse, n->matrix, (size_t)n->profile.room * sizeof *n->matrix);
    KSI_TRY(shiftAndFactor(n, rows, n->open, n->matrix));
    return shiftAndFactor(n, rows, fmax(ownOpen * n->open, ksiNearestRounding(n)), n->inverse);
}

static void solve(const ksiNearest *n, double *x)
{
    ksiProfileSolve(&n->profile, n->matrix, x, n->work);
}

static void solveOwn(const ksiNearest *n, double *x)
{
    ksiProfileSolve(&n->profile, n->inverse, x, n->work);
}

double ksiNearestTurned(const ksiNearest *n, int l)
{
    double difference[12];
    for (int k = 0; k < 12; k++)
        difference[k] = n->initial[12 * l + k] - n->fitted[12 * l + k];
    return ksiNearestNorm(difference, 12) / ksiNearestNorm(n->initial + 12 * l, 12);
}

/* The gaps, times what a unit row changes by per metre of the way. */
static double shareOpen(const ksiNearest *n)
{
    double most = 0;
    for (int l = 0; l < n->active; l++)
        most = fmax(most, ksiNearestTurned(n, l));
    return n->isMoved ? fmin(1, most * n->radius / n->way) * n->drift : n->drift;
}

ksStatus ksiNearestCorrect(ksiNearest *n)
{
    n->open = fmax(shareOpen(n), ksiNearestRounding(n));
    KSI_TRY(factorise(n, n->rigid));
    for (int l = 0; l < n->rows; l++)
        n->right[l] = n->slack[l] = l < n->active ? -n->rate[l] / n->length[l] : 0;
    solve(n, n->right);
    solveOwn(n, n->slack);
    ksiNearestSum(n, n->rigid, n->unit, n->right, n->motion);
    ksiNearestSum(n, n->rigid, n->unit, n->slack, n->before);
    return KS_OK;
}

/* The scaled acceleration by the forces and these multipliers, times the lengths */
static void accelerate(ksiNearest *n, const double *multiplier)
{
    ksiNearestSum(n, n->rows, n->unit, multiplier, n->acceleration);
    for (int i = 0; i < 6 * n->bodies; i++)
        n->acceleration[i] += n->force[i];
}

/* As a change of the engine's own; in units of the rows' lengths. */
KSI_CLONES
ksStatus ksiNearestSolve(ksiNearest *n)
{
    KSI_TRY(n->soft ? factorise(n, n->rows) : KS_OK);
    double *adopted = n->right;
    for (int l = 0; l < n->rows; l++)
        adopted[l] = l < n->active ? n->reported[l] * n->length[l] : 0;
    accelerate(n, adopted);
    for (int l = 0; l < n->rows; l++)
        n->multiplier[l] = n->beta[l] / n->length[l] - ksiNearestApply(n, n->unit, l, n->acceleration);
    solve(n, n->multiplier);
    for (int l = 0; l < n->rows; l++)
        n->multiplier[l] += adopted[l];
    accelerate(n, n->multiplier);
    return ksiAllFinite((size_t)n->rows, n->multiplier) ? KS_OK : KS_ERROR_NOT_FINITE;
}

const double *ksiNearestAlone(ksiNearest *n, bool isAny)
{
    if (!isAny)
        return NULL;
    for (int l = 0; l < n->rows; l++)
        n->right[l] /= n->length[l];
    solve(n, n->right);
    for (int l = 0; l < n->rows; l++)
        n->right[l] /= n->length[l];
    return n->right;
}

/* What the rows' own solution, in the pose in which the joints fit and with the velocities that they permit, is beside the multipliers, to
 * first order: with G = A + S + e D, and G_0 of a small e,
 *
 *     G_0^-1 ( d beta - dJ a - J M^-1 dJ^T lambda - e D (lambda_e - lambda) )      into `distance`, by G^-1 into `shift`;
 *
 * changes by `betaError`; and what the engine's own beside the usual ones have brought. */
KSI_CLONES
static void findShift(ksiNearest *n)
{
    double *const initial = n->before, *const moved = n->motion;
    n->knowsUsual = true;
    for (int l = 0; l < n->rows; l++)
        n->right[l] = n->multiplier[l] / n->length[l];
    ksiNearestSum(n, n->rows, n->initial, n->right, initial);
    ksiNearestSum(n, n->rows, n->fitted, n->right, moved);
    for (int i = 0; i < 6 * n->bodies; i++)
        moved[i] -= initial[i];
    for (int l = 0; l < n->rows; l++) {
        n->shift[l] = (n->shift[l] + ksiNearestApply(n, n->initial, l, n->acceleration) -
                       ksiNearestApply(n, n->fitted, l, n->acceleration) - ksiNearestApply(n, n->initial, l, moved)) /
                      n->length[l];
        n->taken[l] = 0;
        if (l < n->active) {
            const double weight = n->open * ownOf(n, l), reported = n->reported[l] * n->length[l];
            const bool isUsual = !isnan(n->usual[l]);
            n->shift[l] -= weight * (reported - n->multiplier[l]);
            n->taken[l] = weight * (reported - (isUsual ? n->usual[l] * n->length[l] : n->multiplier[l]));
            n->knowsUsual &= isUsual;
        }
        n->betaError[l] /= n->length[l];
        n->distance[l] = n->shift[l];
    }
    solve(n, n->taken);
    solve(n, n->shift);
    solveOwn(n, n->distance);
    solve(n, n->betaError);
}

/* A self-stress in which no row at a bound has a part is the engine's own: the gaps alone would decide it, by large forces if the mechanism
 * is nearly straight. In exchange its equations are given up. The others hold to the order of the drift: what that changes is as uncertain. What
 * errors are beside a self-stress is that of each sum which is unique, however joints share it. */
static ksStatus giveStress(ksiNearest *n)
{
    double *const change = n->right, *const motion = n->motion;
    double *const error[] = {n->taken, n->shift, n->distance, n->betaError};
    const int idle = n->rigid - n->active;
    for (int l = 0; l < idle; l++)
        n->integers[l] = n->active + l;
    const ksStatus status = ksiNearestChoose(n, idle, n->integers);
    if (!n->stressCount)
        return status == KS_ERROR_NO_MEMORY ? status : KS_OK;
    for (int l = 0; l < n->rows; l++)
        change[l] = l < n->active ? n->multiplier[l] - n->reported[l] * n->length[l] : 0;
    ksiNearestDetermine(n, NULL, change);
    for (int l = 0; l < n->active; l++) {
        change[l] += n->reported[l] * n->length[l] - n->multiplier[l];
        n->multiplier[l] += change[l];
    }
    ksiNearestSum(n, n->rows, n->unit, change, motion);
    for (int l = 0; l < n->rows; l++)
        change[l] = -ksiNearestApply(n, n->unit, l, motion);
    solve(n, change);
    for (size_t i = 0; i < sizeof error / sizeof *error; i++)
        ksiNearestDetermine(n, NULL, error[i]);
    ksiNearestDetermine(n, NULL, change);
    for (int l = 0; l < n->rows; l++) {
        n->multiplier[l] += change[l];
        n->betaError[l] += change[l];
    }
    accelerate(n, n->multiplier);
    return KS_OK;
}

/* Element of (A + S + e D)^-1, of rows that share a body. */
KSI_INLINE double inverseOf(const ksiNearest *n, int row, int column)
{
    const int i = n->profile.place[row], j = n->profile.place[column];
    return n->inverse[ksiProfileAt(&n->profile, i > j ? i : j, i > j ? j : i)];
}

double ksiNearestInverse(const ksiNearest *n, int row, int column)
{
    return inverseOf(n, row, column) / (n->length[row] * n->length[column]);
}

/* From the backward error of a factorisation, |E_ij| <= c eps (A_ii A_jj)^1/2:
 *     |d mu_l| <= (A^-1_ll tr A^-1)^1/2 c eps (sum A_ii mu_i^2 ...)^1/2
 * and from the drift, as an error of the rows of that size: (A^-1_ll)^1/2 drift |load|. */
KSI_CLONES
ksStatus ksiNearestBars(ksiNearest *n)
{
    findShift(n);
    KSI_TRY(giveStress(n));
    ksiProfileInvert(&n->profile, n->matrix, n->inverse, n->work, n->integers);
    double trace = 0, sum = 0;
    for (int l = 0; l < n->rows; l++) {
        const double own = ownOf(n, l);
        n->right[l] = fmax(inverseOf(n, l, l), 0);
        n->adopted[l] = l < n->active ? n->open * own * n->right[l] : 0;
        trace += own * n->right[l];
        sum += own * n->multiplier[l] * n->multiplier[l];
    }
    const size_t coordinates = 6 * (size_t)n->bodies;
    const double load = ksiNearestNorm(n->force, coordinates) + ksiNearestNorm(n->acceleration, coordinates);
    n->common = (n->isMoved ? secondOrder : 1) * n->drift * load +
                roundings * n->inputRounding * (sqrt(n->rows * trace * sum) + sqrt(trace) * load);
    for (int l = 0; l < n->rows; l++) {
        const double size = sqrt(n->right[l]);
        n->bar[l] = (fabs(n->shift[l]) + fabs(n->betaError[l]) + n->common * size +
                     fabs(n->multiplier[l]) * ksiNearestTurned(n, l)) /
                    n->length[l];
        n->shift[l] /= n->length[l];
        n->distance[l] *= farther / n->length[l];
        n->slack[l] /= n->length[l];
        n->taken[l] /= n->length[l];
        n->betaError[l] /= n->length[l];
    }
    for (int l = 0; l < n->rows; l++)
        n->multiplier[l] /= n->length[l];
    return KS_OK;
}

/* Row l on a twist of one body. */
static double applyOne(const ksiNearest *n, int l, const ksiNearestProbe *probe)
{
    double sum = 0;
    for (int p = 0; p < 2; p++)
        if (n->body[l][p] == probe->body)
            sum += ksiDotSix(n->unit + 12 * l + 6 * p, probe->direction);
    return sum;
}

/* Self-stresses have singular values of up to a few times what is left of the gaps, and hold nothing. */
ksStatus ksiNearestMobility(ksiNearest *n, const ksiNearestProbe *at, const ksiNearestProbe *from, double *mobility)
{
    const double zero = 3 * n->residual;
    n->open = fmax(zero * zero, ksiNearestRounding(n));
    fill(n, n->fitted, n->rows);
    KSI_TRY(shiftAndFactor(n, n->rows, n->open, n->matrix));
    for (int l = 0; l < n->rows; l++)
        n->right[l] = applyOne(n, l, from);
    solve(n, n->right);
    double sum = at->body == from->body ? ksiDotSix(at->direction, from->direction) : 0;
    for (int l = 0; l < n->rows; l++)
        sum -= applyOne(n, l, at) * n->right[l];
    *mobility = sum;
    return isfinite(sum) ? KS_OK : KS_ERROR_NOT_FINITE;
}

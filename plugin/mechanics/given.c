/* given.c  Multipliers for which the values of some combinations are given:
 *
 *     (A + S) lambda = beta - J M^-1 f + C t,        C^T lambda = value
 *
 * The equations C^T times the rows are given up in exchange: C t is the residual of the rows. The solution without t
 * and x_k = (A + S)^-1 C_k, both by the same route, give a system as small as C for t. The solution is then found anew
 * with t, and remaining errors of the values are corrected along x: near self-stresses the solution without t may be so
 * large that its rounding would show.
 */
#include "system_private.h"

#include "../base/vectorise.h"
#include "../linear/cholesky.h"

#include <math.h>
#include <string.h>

/* A pivot below this share of its diagonal is rounding. x amplifies rounding by 1 over the rows' least singular value,
 * which is 1e-4 if compliance of 1e-8 alone keeps them apart. */
#define LOST 1e-11

typedef ksStatus Route(ksSystem *system, double *multiplier, double *acceleration);

/* x: the solution with sum times_k C_k added to the right-hand sides */
KSI_CLONES
static ksStatus solveWith(ksSystem *system, Route *route, const double *beta, int count, const double *combination,
                          const double *times, double *x)
{
    const size_t rows = (size_t)system->model.rowCount;
    memcpy(system->model.beta.at, beta, rows * sizeof *beta);
    for (size_t k = 0; k < (size_t)count; k++)
        ksiAddMany(system->model.rowCount, times[k], combination + k * rows, system->model.beta.at);
    system->tree.hasTrueMotion = 0;
    system->motion.known = KSI_MOTION_UNKNOWN;
    return route(system, x, NULL);
}

/* L L^T = C^T x, symmetric and positive definite up to rounding. Returns 0 if it is singular. */
static int factorSmall(int count, size_t rows, const double *combination, const double *x, double *matrix)
{
    const size_t n = (size_t)count;
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < n; k++)
            matrix[k * n + j] = ksiDot(rows, combination + j * rows, x + k * rows);
    if (!ksiFactorPositive(count, matrix))
        return 0;
    for (size_t j = 0; j < n; j++) {
        double whole = 0;
        for (size_t k = 0; k <= j; k++)
            whole += matrix[k * n + j] * matrix[k * n + j];
        if (!(matrix[j * (n + 1)] * matrix[j * (n + 1)] > LOST * whole))
            return 0;
    }
    return 1;
}

/* Solves C^T x t = value - C^T lambda; t into `left`. */
static void solveSmall(int count, size_t rows, const double *combination, const double *factor,
                       const double *multiplier, const double *value, double *left)
{
    for (size_t k = 0; k < (size_t)count; k++)
        left[k] = value[k] - ksiDot(rows, combination + k * rows, multiplier);
    ksiSolveTriangles(count, factor, left);
}

/* taken [rows]: reduction of the diagonal of (A + S)^-1 by the given values, X G^-1 X^T, with x = step X and L L^T =
 * step G; x := x L^-T. */
KSI_CLONES
static void takeFromDiagonal(int count, int rows, double *x, double step, const double *factor, double *taken)
{
    memset(taken, 0, (size_t)rows * sizeof *taken);
    for (int k = 0; k < count; k++) {
        double *own = x + (size_t)k * (size_t)rows;
        const double pivot = factor[(size_t)k * (size_t)(count + 1)];
        for (int j = 0; j < k; j++)
            ksiAddMany(rows, -factor[(size_t)j * (size_t)count + (size_t)k], x + (size_t)j * (size_t)rows, own);
        for (int l = 0; l < rows; l++) {
            own[l] /= pivot;
            taken[l] += own[l] * own[l] / step;
        }
    }
}

ksStatus ksiSystemGive(ksSystem *system, int byMotion, int count, const double *combination, const double *value,
                       double *multiplier)
{
    const size_t rows = (size_t)system->model.rowCount, n = (size_t)count;
    if (ksiDoublesReserve(&system->allocator, &system->given, rows * (n + 3) + n * (n + 1)))
        return KS_ERROR_NO_MEMORY;
    double *taken = system->given.at, *beta = taken + rows, *found = beta + rows, *x = found + rows,
           *matrix = x + n * rows, *left = matrix + n * n;
    Route *route = byMotion ? ksiSystemSolvePaulus : ksiSystemSolveGauss;
    memcpy(beta, system->model.beta.at, rows * sizeof *beta);
    // of the size of beta: near self-stresses its effect far exceeds the solution itself, and no digits are lost
    const double step = fmax(sqrt(ksiDot(rows, beta, beta)), 1);
    ksStatus status = KS_OK;
    for (size_t k = 0; !status && k < n; k++) {
        status = solveWith(system, route, beta, 1, combination + k * rows, &step, x + k * rows);
        for (size_t l = 0; !status && l < rows; l++)
            x[k * rows + l] -= multiplier[l];
    }
    if (!status && !factorSmall(count, rows, combination, x, matrix))
        status = KS_ERROR_SINGULAR;
    if (!status) {
        solveSmall(count, rows, combination, matrix, multiplier, value, left);
        for (size_t k = 0; k < n; k++)
            left[k] *= step;
        status = solveWith(system, route, beta, count, combination, left, found);
    }
    ksiSystemSetBeta(system, beta);
    if (status)
        return status;
    solveSmall(count, rows, combination, matrix, found, value, left);
    if (!ksiAllFinite(n, left))
        return KS_ERROR_SINGULAR;
    for (size_t k = 0; k < n; k++)
        ksiAddMany(system->model.rowCount, left[k], x + k * rows, found);
    memcpy(multiplier, found, rows * sizeof *found);
    takeFromDiagonal(count, system->model.rowCount, x, step, matrix, taken);
    return KS_OK;
}

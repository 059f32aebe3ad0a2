/* given.c  Multipliers of which some combinations are given:
 *
 *     (A + S) lambda = beta - J M^-1 f + C t,        C^T lambda = value
 *
 * The combinations' own equations, C^T times the rows, are given up for their values: t is by how much the rows are missed. From
 * the solution without t, and the x_k = (A + S)^-1 C_k that the same route finds, t solves a system as small as C. */
#include "system_private.h"

#include "cholesky.h"

#include <math.h>
#include <string.h>

typedef ksStatus Route(ksSystem *system, double *multiplier, double *acceleration);

/* x := what one combination more on the right-hand sides changes of the solution */
static ksStatus respond(ksSystem *system, Route *route, const double *beta, const double *combination, double step,
                        const double *solution, double *x)
{
    const size_t rows = (size_t)system->rowCount;
    for (size_t l = 0; l < rows; l++)
        system->beta.at[l] = beta[l] + step * combination[l];
    system->tree.solved = system->motion.isTrue = 0;
    const ksStatus status = route(system, x, NULL);
    for (size_t l = 0; !status && l < rows; l++)
        x[l] -= solution[l];
    return status;
}

/* t of C^T x t = value - C^T lambda, into left; 0: singular. C^T x is symmetric and positive definite, but for rounding. */
static int solveSmall(int count, size_t rows, const double *combination, const double *x, const double *multiplier,
                      const double *value, double *matrix, double *left)
{
    const size_t n = (size_t)count;
    for (size_t j = 0; j < n; j++) {
        left[j] = value[j] - ksiDot(rows, combination + j * rows, multiplier);
        for (size_t k = 0; k < n; k++)
            matrix[k * n + j] = ksiDot(rows, combination + j * rows, x + k * rows);
    }
    if (!ksiFactorPositive(count, matrix))
        return 0;
    ksiSolveTriangles(count, count, matrix, left);
    return ksiAllFinite(n, left);
}

/* [rows] by how much the values take from the diagonal of (A + S)^-1: X G^-1 X^T, with x = step X and L L^T = step G. */
static void takeFromDiagonal(int count, size_t rows, const double *x, double step, const double *factor, double *left,
                             double *taken)
{
    const size_t n = (size_t)count;
    for (size_t l = 0; l < rows; l++) {
        double square = 0;
        for (size_t k = 0; k < n; k++) {
            left[k] = x[k * rows + l];
            for (size_t j = 0; j < k; j++)
                left[k] -= factor[j * n + k] * left[j];
            left[k] /= factor[k * (n + 1)];
            square += left[k] * left[k];
        }
        taken[l] = square / step;
    }
}

ksStatus ksiSystemGive(ksSystem *system, int byMotion, int count, const double *combination, const double *value,
                       double *multiplier)
{
    const size_t rows = (size_t)system->rowCount, n = (size_t)count;
    if (ksiDoublesReserve(system, &system->given, rows * (n + 2) + n * (n + 1)))
        return KS_ERROR_NO_MEMORY;
    double *taken = system->given.at, *beta = taken + rows, *x = beta + rows, *matrix = x + n * rows,
           *left = matrix + n * n;
    memcpy(beta, system->beta.at, rows * sizeof *beta);
    // as large as what the rows ask for: near self-stresses it makes far more than the solution itself, and no digits are lost
    const double step = fmax(sqrt(ksiDot(rows, beta, beta)), 1);
    ksStatus status = KS_OK;
    for (size_t k = 0; !status && k < n; k++)
        status = respond(system, byMotion ? ksiSystemSolvePaulus : ksiSystemSolveGauss, beta, combination + k * rows,
                         step, multiplier, x + k * rows);
    ksiSystemSetBeta(system, beta);
    if (!status && !solveSmall(count, rows, combination, x, multiplier, value, matrix, left))
        status = KS_ERROR_SINGULAR;
    for (size_t k = 0; !status && k < n; k++)
        for (size_t l = 0; l < rows; l++)
            multiplier[l] += left[k] * x[k * rows + l];
    if (!status)
        takeFromDiagonal(count, rows, x, step, matrix, left, taken);
    return status;
}

/* simplex.c  Solves linear programs by the primal simplex method for bounded variables, in two
 * phases: G. Dantzig, Linear Programming and Extensions (1963), chapters 5 and 18. The columns are
 * chosen by the largest-gain rule. When this rule may be cycling, they are chosen by R. Bland's
 * rule (New finite pivoting rules for the simplex method, 1977). */
#include "simplex.h"

#include "../base/error.h"
#include "../base/memory.h"

#include <math.h>
#include <string.h>

/* Gains and pivots are of the order of 1. Smaller values than these count as rounding. */
static const double noGain = 1e-7, noPivot = 1e-7;

ksStatus ksiSimplexBegin(const ksAllocator *allocator, int rows, int columns, int most, ksiSimplex *s)
{
    const size_t stride = ((size_t)columns + 4) / 4 * 4, numbers = ((size_t)rows + 1) * stride;
    const ksiArray array[] = {
        KSI_ARRAY(s->tableau, numbers),
        KSI_ARRAY(s->span, stride),
        KSI_ARRAY(s->isTurned, stride),
        KSI_ARRAY(s->basis, (size_t)rows),
    };
    KSI_TRY(ksiReserveArrays(allocator, array, sizeof array / sizeof *array, s->capacity));
    s->rows = rows;
    s->columns = columns;
    s->stride = (int)stride;
    s->pivots = 0;
    s->isStarted = false;
    s->most = most;
    memset(s->tableau, 0, numbers * sizeof *s->tableau);
    for (int j = 0; j < columns; j++) {
        s->span[j] = INFINITY;
        s->isTurned[j] = false;
    }
    return KS_OK;
}

static double *rowOf(const ksiSimplex *s, int row)
{
    return ksiSimplexAt(s, row, 0);
}

static double *gainsOf(const ksiSimplex *s)
{
    return rowOf(s, s->rows);
}

static bool isAdded(const ksiSimplex *s, int row)
{
    return s->basis[row] >= s->columns;
}

static double spanOf(const ksiSimplex *s, int row)
{
    return isAdded(s, row) ? (double)INFINITY : s->span[s->basis[row]];
}

/* Replaces a nonbasic variable x by span - x. */
static void turnColumn(ksiSimplex *s, int column)
{
    for (int i = 0; i <= s->rows; i++) {
        double *row = rowOf(s, i);
        row[s->columns] -= row[column] * s->span[column];
        row[column] = -row[column];
    }
    s->isTurned[column] = !s->isTurned[column];
}

/* Replaces a basic variable x by span - x. */
static void turnBasis(ksiSimplex *s, int at)
{
    double *row = rowOf(s, at);
    const int own = s->basis[at];
    for (int j = 0; j <= s->columns; j++)
        row[j] = -row[j];
    row[own] = 1;
    row[s->columns] += s->span[own];
    s->isTurned[own] = !s->isTurned[own];
}

KSI_CLONES
static void pivot(ksiSimplex *s, int at, int column)
{
    double *row = rowOf(s, at);
    const double scale = 1 / row[column];
    for (int j = 0; j < s->stride; j += 4)
        *(ksiFour *)(row + j) *= scale;
    row[column] = 1;
    for (int i = 0; i <= s->rows; i++)
        if (i != at)
            ksiSubtractRow(s->stride, rowOf(s, i)[column], row, rowOf(s, i));
    s->basis[at] = column;
}

/* A column that increases the objective, or -1. */
static int entering(const ksiSimplex *s, bool isFirst)
{
    const double *gain = gainsOf(s);
    double most = noGain;
    int best = -1;
    for (int j = 0; j < s->columns && !(isFirst && best >= 0); j++) {
        if (!(gain[j] > most))
            continue;
        best = j;
        most = gain[j];
    }
    return best;
}

/* How far the column's variable can move before this row's variable meets a bound. Artificial
 * variables have no upper bound until ksiSimplexStart() has minimised them, and then must not
 * grow. */
static double wayOf(const ksiSimplex *s, int row, int column)
{
    const double part = rowOf(s, row)[column], value = rowOf(s, row)[s->columns];
    if (part > noPivot)
        return ksiLarger(value, 0) / part;
    if (part < -noPivot)
        return isAdded(s, row) && s->isStarted ? 0 : ksiLarger(spanOf(s, row) - value, 0) / -part;
    return INFINITY;
}

/* The row whose variable stops the column. Of several such rows, the row with the largest pivot;
 * isFirst: the row whose basic variable has the lowest number. -1: the column's own span stops it.
 * *way: the length of the step. */
static int leaving(const ksiSimplex *s, int column, bool isFirst, double *way)
{
    int best = -1;
    *way = s->span[column];
    for (int i = 0; i < s->rows; i++) {
        const double own = wayOf(s, i, column);
        if (own > *way || (own == *way && best < 0))
            continue;
        const bool isBetter = best < 0 || (isFirst ? s->basis[i] < s->basis[best]
                                                   : fabs(rowOf(s, i)[column]) > fabs(rowOf(s, best)[column]));
        if (own == *way && !isBetter)
            continue;
        *way = own;
        best = i;
    }
    return best;
}

/* Climbs to the maximum. *isBounded: the maximum exists. */
static ksStatus climb(ksiSimplex *s, bool *isBounded)
{
    const int patience = s->pivots + s->rows + s->columns;
    *isBounded = true;
    for (int column; (column = entering(s, s->pivots > patience)) >= 0; s->pivots++) {
        double way;
        const int row = leaving(s, column, s->pivots > patience, &way);
        *isBounded = isfinite(way);
        if (!*isBounded)
            return KS_OK;
        if (s->pivots >= s->most)
            return KS_ERROR_BOUND;
        if (row < 0) {
            turnColumn(s, column);
            continue;
        }
        if (!isAdded(s, row) && rowOf(s, row)[column] < 0)
            turnBasis(s, row);
        pivot(s, row, column);
    }
    return KS_OK;
}

/* Gives each row an artificial variable, whose value is the row's residual. */
static void addVariables(ksiSimplex *s, const double *x)
{
    for (int i = 0; i < s->rows; i++) {
        double *row = rowOf(s, i), b = 0;
        for (int j = 0; j < s->columns; j++)
            b += row[j] * x[j];
        for (int j = 0; j < s->columns && b < 0; j++)
            row[j] = -row[j];
        row[s->columns] = fabs(b);
        s->basis[i] = s->columns + i;
    }
}

ksStatus ksiSimplexStart(ksiSimplex *s, const double *x)
{
    bool isBounded;
    addVariables(s, x);
    // minimise the artificial variables
    for (int i = 0; i < s->rows; i++)
        ksiSubtractRow(s->stride, -1, rowOf(s, i), gainsOf(s));
    KSI_TRY(climb(s, &isBounded));
    s->isStarted = true;
    return KS_OK;
}

/* The objective coefficient of a column, with its sign reversed if the column is turned. */
static double turned(const ksiSimplex *s, const double *objective, int column)
{
    return s->isTurned[column] ? -objective[column] : objective[column];
}

/* Sets the reduced cost of each column. */
static void price(ksiSimplex *s, const double *objective)
{
    double *gain = gainsOf(s);
    memset(gain, 0, (size_t)s->stride * sizeof *gain);
    for (int j = 0; j < s->columns; j++)
        gain[j] = turned(s, objective, j);
    for (int i = 0; i < s->rows; i++)
        ksiSubtractRow(s->stride, isAdded(s, i) ? 0 : turned(s, objective, s->basis[i]), rowOf(s, i), gain);
}

ksStatus ksiSimplexMaximise(ksiSimplex *s, const double *objective, double *most)
{
    bool isBounded;
    price(s, objective);
    KSI_TRY(climb(s, &isBounded));
    *most = isBounded ? 0 : INFINITY;
    for (int j = 0; j < s->columns && isBounded; j++)
        *most += s->isTurned[j] ? objective[j] * s->span[j] : 0;
    for (int i = 0; i < s->rows && isBounded; i++)
        *most += isAdded(s, i) ? 0 : turned(s, objective, s->basis[i]) * rowOf(s, i)[s->columns];
    return KS_OK;
}

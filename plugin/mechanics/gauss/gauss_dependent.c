/* gauss_dependent.c  The range-space route for rows that depend on each other.
 *
 * Rows without a pivot (the set `D`) are set aside. Only the other rows (the set `K`) are
 * factorised. Let G = (A + S)_KK^-1, zero elsewhere. The multipliers lambda = G (beta - J M^-1 f)
 * satisfy the rows of K. If they also satisfy the rows of D, these depend on K. Then the columns of
 *
 *     N = E - G A E,      J^T N = 0,      E: the columns of D of the unit matrix
 *
 * are self-stresses. They are removed in the metric d^2 = diag(A + S):
 *
 *     lambda := lambda - N c,      (N^T d^2 N) c = N^T d^2 lambda
 *
 * Conjugate gradients find `c` (Hestenes and Stiefel 1952). N and N^T cost a sweep each, and no
 * eigenvalue is below 1.
 *
 * Otherwise rows of D depend only nearly, or contradict the others. Then d N = Q T with Q^T Q = 1,
 * and Jacobi rotations of the columns of Q make the columns of B d^-1 Q orthogonal (Hestenes 1958).
 * Their lengths `sigma_k` keep the digits that `A` has lost. To correct the residual `r`, column
 * `q_k` takes the coefficient q_k^T d^-1 r / sigma_k^2. A column that causes no motion is a
 * self-stress.
 */
#include "../system_private.h"

#include "../../base/vectorise.h"
#include "../../linear/lapack.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* If the multipliers of unit rows are below this share of |y| + |y_f|, they may be pure rounding,
 * which no refinement settles: the share is the rounding of residuals divided by the least pivot of
 * rigid rows. */
#define NOTHING (KSI_RESIDUAL_ROUNDING / KSI_NEAR_PIVOT)

/* If (A + S)_KK^-1 of unit rows exceeds this, rows of K are dependent too: the rounding of
 * residuals alone keeps refinement from settling. */
#define MOST_INVERSE (KSI_SETTLED / KSI_RESIDUAL_ROUNDING)

/* Sweeps and columns correct each other for at most ROUNDS rounds, until columns change multipliers
 * by less than STILL; a last sweep then gains the remaining digits. More rounds and a smaller
 * change only cost time. */
#define ROUNDS 12
#define STILL 1e-5

/* A unit column with |B d^-1 q| below this is a self-stress. The limit is above the limit of the
 * orthogonal factorisation, since sweeps also round; below it, that factorisation would be in
 * doubt, too. */
#define MOVES_NOTHING KSI_CLEARS_ROUNDING

/* Least size of the workspace of dgesvj. */
#define LEAST_WORK 6

/* The cost of columns of this length, in units of n^3 for a dense factorisation: pairs, times
 * rounds, times products and a rotation. The constant only serves to budget costs: results are
 * right whatever its value. */
#define COLUMN_WORK 4.0

/* All rows except known and empty rows; the rows of D are last. Multipliers are for unit rows, mu =
 * d lambda. */
typedef struct Work {
    ksSystem *system;
    ksiGauss *g;
    size_t count, kept, coordinates, rows;
    const int *row, *lane;
    double *d;              /* [count] */
    double *mu, *n, *p, *r; /* [count] */
    double *y, *applied;    /* [coordinates] */
    double *side;           /* [rows] */
} Work;

static size_t listRows(const ksSystem *system, int lost, int *row, int *lane)
{
    const ksiGauss *g = &system->gauss;
    size_t count = 0;
    for (const ksiStrip *s = g->strips->strip; s < g->strips->strip + g->strips->stripCount; s++)
        for (int j = 0; s->row >= 0 && j < s->rows; j++) {
            const int l = s->row + j;
            if ((g->lost[s - g->strips->strip] >> j & 1) != lost || system->model.rowKnown[l] ||
                ksiRowIsEmpty(&system->model, l))
                continue;
            row[count] = l;
            lane[count++] = s->lane + j;
        }
    return count;
}

static ksStatus beginProjection(ksSystem *system, Work *w)
{
    ksiGauss *g = &system->gauss;
    const size_t rows = (size_t)system->model.rowCount, coordinates = (size_t)system->model.coordinateCount;
    KSI_TRY(ksiDoublesReserve(&system->allocator, &g->work, 6 * rows + 2 * coordinates));
    KSI_TRY(ksiIntsReserve(&system->allocator, &g->member, 2 * rows));
    int *row = g->member, *lane = row + rows;
    double *x = g->work;
    *w = (Work){.system = system, .g = g, .rows = rows, .coordinates = coordinates, .row = row, .lane = lane};
    w->kept = listRows(system, 0, row, lane);
    w->count = w->kept + listRows(system, 1, row + w->kept, lane + w->kept);
    double **const part[] = {&w->d, &w->mu, &w->n, &w->p, &w->r, &w->side};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++, x += rows)
        *part[i] = x;
    w->y = x;
    w->applied = x + coordinates;
    ksiAppliedForce(&system->model, w->applied);
    for (size_t i = 0; i < w->count; i++)
        w->d[i] = sqrt(g->square[lane[i]]);
    return KS_OK;
}

static void clear(size_t count, double *x)
{
    if (count > 0)
        memset(x, 0, count * sizeof *x);
}

/* Copies the sweeps' solution to mu and y; restore copies it back. */
static void store(const Work *w)
{
    for (size_t i = 0; i < w->count; i++)
        w->mu[i] = w->d[i] * w->g->multiplier[w->lane[i]];
    ksiCopy(w->coordinates, w->g->load, w->y);
}

static void restore(const Work *w)
{
    for (size_t i = 0; i < w->count; i++)
        w->g->multiplier[w->lane[i]] = w->mu[i] / w->d[i];
    ksiCopy(w->coordinates, w->y, w->g->load);
}

/* lambda of K for the right-hand side `side` and the load y. Returns 0 if it has not settled. */
static int sweep(const Work *w)
{
    w->g->side = w->side;
    ksiGaussForward(w->system, 1);
    return ksiGaussRefine(w->system);
}

/* n := d N c, load := B N c with d c = p on the rows of D. Returns 0 if the sweep has not
 * settled. */
static int stress(const Work *w, const double *p, double *n)
{
    clear(w->coordinates, w->g->load);
    clear(w->rows, w->side);
    for (size_t i = w->kept; i < w->count; i++)
        ksiRowAdd(&w->system->model, w->row[i], p[i] / w->d[i], w->g->load);
    const bool isDone = sweep(w);
    for (size_t i = 0; i < w->count; i++)
        n[i] = i < w->kept ? w->d[i] * w->g->multiplier[w->lane[i]] : p[i];
    return isDone;
}

/* r -= times d^-1 N^T d x on the rows of D. Returns 0 as stress does. */
static int takeStress(const Work *w, double times, const double *x, double *r)
{
    clear(w->rows, w->side);
    for (size_t i = 0; i < w->kept; i++)
        w->side[w->row[i]] = w->d[i] * x[i];
    clear(w->coordinates, w->g->load);
    const bool isDone = sweep(w);
    for (size_t i = w->kept; i < w->count; i++)
        r[i] -= times * (x[i] - ksiRowDot(&w->system->model, w->row[i], w->g->load) / w->d[i]);
    return isDone;
}

/* z^T (A + S) z' with d z = a, d z' = b; the vectors y and z are B z and B z'. */
static double product(const Work *w, const double *a, const double *y, const double *b, const double *z)
{
    double sum = ksiDot(w->coordinates, y, z);
    for (size_t i = 0; i < w->count; i++)
        sum += w->system->model.compliance[w->row[i]] / (w->d[i] * w->d[i]) * a[i] * b[i];
    return sum;
}

/* lambda -= N c. Returns 0 if N c causes motion or the iteration does not converge: the iteration
 * takes a step per unknown, and up to as many again because of rounding. */
static int takeOutStress(const Work *w)
{
    const double enough = DBL_EPSILON * DBL_EPSILON * ksiDot(w->count, w->mu, w->mu);
    const size_t most = 2 * (w->count - w->kept);
    double size, before = INFINITY;
    clear(w->count, w->p);
    clear(w->count, w->r);
    int isDone = takeStress(w, -1, w->mu, w->r);
    size = ksiDot(w->count, w->r, w->r);
    for (size_t i = 0; isDone && size > enough && i < most; i++) {
        for (size_t k = w->kept; k < w->count; k++)
            w->p[k] = w->r[k] + size / before * w->p[k];
        isDone = stress(w, w->p, w->n);
        const double square = ksiDot(w->count, w->n, w->n), step = size / square;
        if (!(product(w, w->n, w->g->load, w->n, w->g->load) <= MOVES_NOTHING * MOVES_NOTHING * square))
            return 0;
        ksiAddMany((int)w->count, -step, w->n, w->mu);
        isDone &= takeStress(w, step, w->n, w->r);
        before = size;
        size = ksiDot(w->count, w->r, w->r);
    }
    return isDone && size <= enough;
}

/* Residual of row i, with lambda and y of the sweeps. */
static double residualOf(const Work *w, size_t i)
{
    const int l = w->row[i];
    return w->g->side[l] - w->system->model.compliance[l] * w->g->multiplier[w->lane[i]] -
           ksiRowDot(&w->system->model, l, w->g->load);
}

/* |y| + |y_f| */
static double motionSize(const Work *w)
{
    const double *y = w->g->load;
    return sqrt(ksiDot(w->coordinates, y, y)) + sqrt(ksiDot(w->coordinates, w->applied, w->applied));
}

/* Largest ratio of a residual to its terms |beta| + d (|y| + |y_f|) among rows from..end; *worst:
 * the row. */
static double worstResidual(const Work *w, size_t from, size_t end, int *worst)
{
    const double size = motionSize(w);
    double most = 0;
    w->g->side = w->system->model.beta;
    for (size_t i = from; i < end; i++) {
        const double missed = fabs(residualOf(w, i)), terms = fabs(w->g->side[w->row[i]]) + w->d[i] * size;
        if (!(missed <= most * terms)) {
            most = missed / terms;
            *worst = w->row[i];
        }
    }
    return most;
}

static size_t columnLength(const Work *w)
{
    return 2 * w->count + w->coordinates;
}

/* Column q of Q, [count], followed by its motion: B d^-1 q, [coordinates], and S^1/2 d^-1 q,
 * [count]. */
static double *columnOf(const Work *w, size_t k)
{
    return w->g->column + k * columnLength(w);
}

/* Inner product of the motions of two columns. */
static double moved(const Work *w, const double *a, const double *b)
{
    return ksiDot(w->coordinates + w->count, a + w->count, b + w->count);
}

static bool isStress(const Work *w, const double *q)
{
    return moved(w, q, q) <= MOVES_NOTHING * MOVES_NOTHING;
}

/* Finds the motion of column k, whose length becomes 1. */
static void findMotion(const Work *w, size_t k)
{
    double *q = columnOf(w, k), *y = q + w->count, *soft = y + w->coordinates;
    const double unit = 1 / sqrt(ksiDot(w->count, q, q));
    clear(w->coordinates, y);
    for (size_t i = 0; i < w->count; i++) {
        q[i] *= unit;
        soft[i] = sqrt(w->system->model.compliance[w->row[i]]) / w->d[i] * q[i];
        ksiRowAdd(&w->system->model, w->row[i], q[i] / w->d[i], y);
    }
}

/* Column k of Q: the column of N, orthogonalised twice against the earlier columns, which is
 * enough. Returns 0 in the same case as stress(). */
static int addColumn(const Work *w, size_t k)
{
    double *q = columnOf(w, k);
    clear(w->count, w->p);
    w->p[w->kept + k] = 1;
    const bool isDone = stress(w, w->p, q);
    for (size_t i = 0; i < 2 * k; i++)
        ksiAddMany((int)w->count, -ksiDot(w->count, q, columnOf(w, i % k)), columnOf(w, i % k), q);
    findMotion(w, k);
    // LAPACK would report an infinity by itself
    return isDone && ksiAllFinite(columnLength(w), q);
}

/* Rotates the columns until their motions are orthogonal. */
static ksStatus rotateColumns(const Work *w)
{
    const int columns = (int)(w->count - w->kept), rows = (int)w->count, length = (int)columnLength(w),
              height = length - rows, size = columns + height + LEAST_WORK;
    double *q = columnOf(w, 0), *sva = columnOf(w, (size_t)columns), *work = sva + columns;
    int info;
    dgesvj_("G", "N", "A", &height, &columns, q + rows, &length, sva, &rows, q, &length, work, &size, &info, 1, 1, 1);
    // LAPACK leaves the motions in another scale
    for (int k = 0; k < columns; k++)
        findMotion(w, (size_t)k);
    return info < 0 ? KS_ERROR_SINGULAR : KS_OK;
}

static ksStatus findColumns(const Work *w)
{
    ksSystem *system = w->system;
    const size_t columns = w->count - w->kept, length = columnLength(w);
    KSI_TRY(ksiSpendDense(system, (int)columns, COLUMN_WORK * (double)columns * (double)columns * (double)length));
    KSI_TRY(ksiDoublesReserve(&system->allocator, &w->g->column, columns * (length + 2) + length + LEAST_WORK));
    for (size_t k = 0; k < columns; k++)
        if (!addColumn(w, k))
            return KS_ERROR_SINGULAR;
    return rotateColumns(w);
}

/* side := beta without its part along self-stresses: the least-squares compromise between
 * contradictory unit rows. */
static void reconcile(const Work *w)
{
    const double *beta = w->system->model.beta;
    ksiCopy(w->rows, beta, w->side);
    for (size_t k = 0; k < w->count - w->kept; k++) {
        const double *q = columnOf(w, k);
        double part = 0;
        for (size_t i = 0; isStress(w, q) && i < w->count; i++)
            part += q[i] * beta[w->row[i]] / w->d[i];
        for (size_t i = 0; part != 0 && i < w->count; i++)
            w->side[w->row[i]] -= part * q[i] * w->d[i];
    }
}

/* Corrects the residual along each column that causes motion. Returns |change of mu|^2, without
 * changes due to rounding. */
static double correctByColumns(const Work *w)
{
    double sum = 0;
    restore(w);
    const double rounded = KSI_RESIDUAL_ROUNDING * motionSize(w);
    for (size_t i = 0; i < w->count; i++)
        w->r[i] = residualOf(w, i) / w->d[i];
    for (size_t k = 0; k < w->count - w->kept; k++) {
        const double *q = columnOf(w, k);
        if (isStress(w, q))
            continue;
        const double asked = ksiDot(w->count, q, w->r), part = asked / moved(w, q, q);
        sum += fabs(asked) > rounded ? part * part : 0;
        ksiAddMany((int)w->count, part, q, w->mu);
        ksiAddMany((int)w->coordinates, part, q + w->count, w->y);
    }
    return sum;
}

/* Starts from any lambda with its y. */
static ksStatus solveByColumns(const Work *w)
{
    ksiFactorStep step;
    double change = INFINITY;
    reconcile(w);
    w->g->side = w->side;
    for (int i = 0; i < ROUNDS && change > STILL * STILL * ksiDot(w->count, w->mu, w->mu); i++) {
        change = correctByColumns(w);
        restore(w);
        ksiGaussForward(w->system, 0);
        ksiGaussBackward(w->system, 0, 1, &step);
        store(w);
    }
    if (!(change <= STILL * STILL * ksiDot(w->count, w->mu, w->mu)))
        return KS_ERROR_SINGULAR;
    for (size_t k = 0; k < w->count - w->kept; k++)
        if (isStress(w, columnOf(w, k)))
            ksiAddMany((int)w->count, -ksiDot(w->count, columnOf(w, k), w->mu), columnOf(w, k), w->mu);
    return KS_OK;
}

/* Are the multipliers of K, which have not settled, pure rounding? */
static bool isNothing(const Work *w)
{
    const double most = NOTHING * motionSize(w);
    int row, is = worstResidual(w, 0, w->kept, &row) <= KSI_RESIDUAL_ROUNDING;
    for (size_t i = 0; is && i < w->kept; i++)
        is = fabs(w->mu[i]) <= most;
    return is;
}

/* Does K contain dependent rows? Then the solution for right-hand sides of mixed signs is large. */
static int hidesDependent(const Work *w)
{
    clear(w->coordinates, w->g->load);
    clear(w->rows, w->side);
    for (size_t i = 0; i < w->kept; i++)
        w->side[w->row[i]] = cos((double)i) < 0 ? -w->d[i] : w->d[i];
    int hides = !sweep(w);
    for (size_t i = 0; i < w->kept; i++)
        hides |= !(w->d[i] * fabs(w->g->multiplier[w->lane[i]]) <= MOST_INVERSE);
    return hides;
}

ksStatus ksiGaussDependent(ksSystem *system, bool hasConverged)
{
    Work w;
    int row = -1;
    KSI_TRY(beginProjection(system, &w));
    store(&w);
    if (!hasConverged && !isNothing(&w))
        return KS_ERROR_SINGULAR;
    if (w.kept == w.count)
        return KS_OK;
    const int areMet = worstResidual(&w, w.kept, w.count, &row) <= KSI_RESIDUAL_ROUNDING;
    if (hidesDependent(&w))
        return KS_ERROR_SINGULAR;
    if (!areMet || !takeOutStress(&w)) {
        KSI_TRY(findColumns(&w));
        KSI_TRY(solveByColumns(&w));
    }
    restore(&w);
    if (worstResidual(&w, 0, w.count, &row) <= KSI_INCONSISTENT)
        return KS_OK;
    system->culprit = row;
    return KS_ERROR_INCONSISTENT;
}

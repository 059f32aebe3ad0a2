/* gauss_dependent.c  The range-space route through rows that depend on each other.
 *
 *  Rows without a pivot, D, are set aside: L D L^T is that of the others, K, and G = (A + S)_KK^-1 with zeros elsewhere. The
 *  multipliers lambda = G (beta - J M^-1 f) satisfy the rows of K. Where those of D come out right as well, they depend on the
 *  others, and
 *
 *      N = E_D - G A E_D        (J^T N = 0, E_D: columns of the unit matrix)
 *
 *  are self-stresses. They are taken out in the metric d^2 = diag(A + S): lambda - N c, (N^T d^2 N) c = N^T d^2 lambda, by
 *  conjugate gradients (Hestenes and Stiefel 1952), for N and its transpose are a sweep each, and no eigenvalue is below 1.
 *
 *  Where they do not, rows of D depend only nearly, or contradict the others. Then d N = Q T with Q^T Q = 1, and rotations
 *  of its columns make those of B d^-1 Q orthogonal (Hestenes 1958): of lengths sigma_k, to rounding of B itself, as A does
 *  not have them. Of the residual r each takes q_k^T d^-1 r / sigma_k^2; one that moves nothing is a self-stress.
 */
#include "system_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Residuals of rows below this share of |beta| + d (|y| + |y_f|) are what rounding leaves of a row over a dozen
 * coordinates. */
#define ROUNDED (16 * DBL_EPSILON)

/* Steps of conjugate gradients beyond two for each unknown, which are enough but for rounding. */
#define SPARE_STEPS 20

/* Sweeps and columns of N correct each other, so often at most; in the end by less than this share of the multipliers. */
#define ROUNDS 12
#define STILL 1e-5

/* A column of unit size that moves less is a self-stress: ten times what counts as one in the orthogonal factorisation, for
 * the sweeps round, too. */
#define MOVES_NOTHING (10 * KSI_ROUNDING_RANK)

/* Columns of unit size are orthogonal to this, after so many rounds of rotations at most. */
#define ORTHOGONAL 1e-15
#define ROTATIONS 30

/* Vectors by lanes; of coordinates: y, applied; of rows: side. */
typedef struct Work {
    ksSystem *system;
    ksiGauss *g;
    size_t lanes, coordinates, rows;
    double *lambda, *n, *p, *r;
    double *y, *applied;
    double *side;
} Work;

static ksStatus begin(ksSystem *system, Work *w)
{
    ksiGauss *g = &system->gauss;
    *w = (Work){.system = system,
                .g = g,
                .lanes = (size_t)g->laneCount,
                .coordinates = (size_t)system->coordinateCount,
                .rows = (size_t)system->rowCount};
    if (ksiDoublesReserve(system, &g->work, 4 * w->lanes + 2 * w->coordinates + w->rows))
        return KS_ERROR_NO_MEMORY;
    w->lambda = g->work.at;
    w->n = w->lambda + w->lanes;
    w->p = w->n + w->lanes;
    w->r = w->p + w->lanes;
    w->y = w->r + w->lanes;
    w->applied = w->y + w->coordinates;
    w->side = w->applied + w->coordinates;
    ksiAppliedForce(system, w->applied);
    return KS_OK;
}

static void copy(size_t count, const double *from, double *to)
{
    if (count > 0)
        memcpy(to, from, count * sizeof *to);
}

static void clear(size_t count, double *x)
{
    if (count > 0)
        memset(x, 0, count * sizeof *x);
}

/* The solution that the sweeps have: lambda and y. */
static void store(const Work *w)
{
    copy(w->lanes, w->g->multiplier.at, w->lambda);
    copy(w->coordinates, w->g->load.at, w->y);
}

static void restore(const Work *w)
{
    copy(w->lanes, w->lambda, w->g->multiplier.at);
    copy(w->coordinates, w->y, w->g->load.at);
}

/* Each row of the strips with its lane; lost ones only; rows that are neither known nor empty are all that counts. */
#define EACH_STRIP(w, s) for (const ksiStrip *s = (w)->g->strip; s < (w)->g->strip + (w)->g->stripCount; s++)
#define EACH_ROW(s, j) for (int j = 0; j < ((s)->row < 0 ? 0 : (s)->rows); j++)
#define EACH_LOST(s, j) EACH_ROW(s, j) if ((s)->lost >> j & 1)

/* a^T d^2 b over rows */
static double weighted(const Work *w, const double *a, const double *b)
{
    double sum = 0;
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    sum += w->g->square.at[s->lane + j] * a[s->lane + j] * b[s->lane + j];
    return sum;
}

/* multiplier := N p, load := B N p; p: on rows of D */
static void stress(const Work *w, const double *p)
{
    ksiGauss *g = w->g;
    clear(w->coordinates, g->load.at);
    clear(w->rows, w->side);
    EACH_STRIP(w, s)
    EACH_LOST(s, j)
    ksiRowAdd(w->system, s->row + j, p[s->lane + j], g->load.at);
    g->side = w->side;
    ksiGaussForward(w->system, 1);
    ksiGaussSettle(w->system);
    EACH_STRIP(w, s)
    EACH_LOST(s, j)
    g->multiplier.at[s->lane + j] = p[s->lane + j];
}

/* r -= times (d^-2 N^T d^2 x) on rows of D */
static void takeStressed(const Work *w, double times, const double *x, double *r)
{
    ksiGauss *g = w->g;
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    w->side[s->row + j] = g->square.at[s->lane + j] * x[s->lane + j];
    EACH_STRIP(w, s)
    EACH_LOST(s, j)
    r[s->lane + j] -= times * x[s->lane + j];
    clear(w->coordinates, g->load.at);
    g->side = w->side;
    ksiGaussForward(w->system, 1);
    ksiGaussSettle(w->system);
    EACH_STRIP(w, s)
    EACH_LOST(s, j)
    r[s->lane + j] += times * ksiRowDot(w->system, s->row + j, g->load.at) / g->square.at[s->lane + j];
}

/* lambda -= N c; by the way y, which moves where rows depend only nearly. */
static ksStatus takeOutStress(const Work *w)
{
    ksiGauss *g = w->g;
    const double enough = DBL_EPSILON * DBL_EPSILON * weighted(w, w->lambda, w->lambda);
    double *p = w->p, *r = w->r, *n = w->n;
    clear(w->lanes, p);
    clear(w->lanes, r);
    takeStressed(w, -1, w->lambda, r);
    double size = weighted(w, r, r), before = INFINITY;
    for (int i = 0; size > enough; i++) {
        if (i > 2 * g->lostCount + SPARE_STEPS)
            return KS_ERROR_SINGULAR;
        for (size_t lane = 0; lane < w->lanes; lane++)
            p[lane] = r[lane] + size / before * p[lane];
        stress(w, p);
        copy(w->lanes, g->multiplier.at, n);
        const double step = size / weighted(w, n, n);
        for (size_t lane = 0; lane < w->lanes; lane++)
            w->lambda[lane] -= step * n[lane];
        for (size_t k = 0; k < w->coordinates; k++)
            w->y[k] -= step * g->load.at[k];
        takeStressed(w, step, n, r);
        before = size;
        size = weighted(w, r, r);
    }
    return KS_OK;
}

static double residualOf(const Work *w, const ksiStrip *s, int j)
{
    const ksSystem *system = w->system;
    const int l = s->row + j;
    return w->g->side[l] - system->compliance.at[l] * w->g->multiplier.at[s->lane + j] -
           ksiRowDot(system, l, w->g->load.at);
}

static int takesPart(const Work *w, const ksiStrip *s, int j)
{
    return !w->system->rowKnown.at[s->row + j] && !ksiRowIsEmpty(w->system, s->row + j);
}

typedef enum Rows { KEPT = 1, LOST = 2, BOTH = KEPT | LOST } Rows; /* of K, of D */

/* The largest share that a residual is of its terms |beta| + d (|y| + |y_f|), over these rows; names the worst. */
static double worstResidual(const Work *w, Rows rows, int *worst)
{
    const ksiGauss *g = w->g;
    const double *y = g->load.at;
    const double size = sqrt(ksiDot(w->coordinates, y, y)) + sqrt(ksiDot(w->coordinates, w->applied, w->applied));
    double most = 0;
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    {
        if (!takesPart(w, s, j) || !(rows & (s->lost >> j & 1 ? LOST : KEPT)))
            continue;
        const double missed = fabs(residualOf(w, s, j));
        const double terms = fabs(w->system->beta.at[s->row + j]) + sqrt(g->square.at[s->lane + j]) * size;
        if (!(missed <= most * terms)) {
            most = missed / terms;
            *worst = s->row + j;
        }
    }
    return most;
}

/* lambda += times d^-1 q;   q^T d lambda */
static void addUnit(const Work *w, double times, const double *q, double *lambda)
{
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    lambda[s->lane + j] += times * q[s->lane + j] / sqrt(w->g->square.at[s->lane + j]);
}

static double stressOf(const Work *w, const double *q)
{
    double sum = 0;
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    sum += sqrt(w->g->square.at[s->lane + j]) * q[s->lane + j] * w->lambda[s->lane + j];
    return sum;
}

/* A column of Q, and B d^-1 q behind it. */
static double *columnOf(const Work *w, int k)
{
    return w->g->column.at + (size_t)k * (w->lanes + w->coordinates);
}

/* Products of columns of Q; of B~ d^-1 Q, slacks included. */
static double product(const Work *w, const double *a, const double *b)
{
    return ksiDot(w->lanes, a, b);
}

static double movedProduct(const Work *w, const double *a, const double *b)
{
    const ksiGauss *g = w->g;
    double sum = ksiDot(w->coordinates, a + w->lanes, b + w->lanes);
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    sum += g->slack.at[s->lane + j] / g->square.at[s->lane + j] * a[s->lane + j] * b[s->lane + j];
    return sum;
}

/* a += times b */
static void addTo(size_t count, double times, const double *b, double *a)
{
    for (size_t i = 0; i < count; i++)
        a[i] += times * b[i];
}

/* The column of N of one row of D, orthogonal to the `count` columns before: twice is enough. */
static void addColumn(const Work *w, const ksiStrip *lost, int row, int count)
{
    const ksiGauss *g = w->g;
    double *q = columnOf(w, count), *y = q + w->lanes;
    clear(w->lanes, w->p);
    w->p[lost->lane + row] = 1;
    stress(w, w->p);
    clear(w->lanes + w->coordinates, q);
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    q[s->lane + j] = sqrt(g->square.at[s->lane + j]) * g->multiplier.at[s->lane + j];
    for (int k = 0; k < 2 * count; k++)
        addTo(w->lanes, -product(w, q, columnOf(w, k % count)), columnOf(w, k % count), q);
    const double unit = 1 / sqrt(product(w, q, q));
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    {
        q[s->lane + j] *= unit;
        ksiRowAdd(w->system, s->row + j, q[s->lane + j] / sqrt(g->square.at[s->lane + j]), y);
    }
}

/* (a, b) := (a, b) turned so that b takes s of a. */
static void turn(size_t count, double c, double s, double *a, double *b)
{
    for (size_t i = 0; i < count; i++) {
        const double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/* 1: the columns were orthogonal. */
static int rotate(const Work *w)
{
    int were = 1;
    for (int a = 0; a < w->g->lostCount; a++)
        for (int b = a + 1; b < w->g->lostCount; b++) {
            double *x = columnOf(w, a), *y = columnOf(w, b);
            const double xy = movedProduct(w, x, y);
            if (xy == 0)
                continue;
            const double xx = movedProduct(w, x, x), yy = movedProduct(w, y, y);
            if (fabs(xy) <= ORTHOGONAL * (sqrt(xx * yy) + DBL_EPSILON * DBL_EPSILON))
                continue;
            const double tau = (yy - xx) / (2 * xy), t = copysign(1, tau) / (fabs(tau) + sqrt(1 + tau * tau));
            const double c = 1 / sqrt(1 + t * t);
            turn(w->lanes + w->coordinates, c, c * t, x, y);
            were = 0;
        }
    return were;
}

static ksStatus findColumns(const Work *w)
{
    ksSystem *system = w->system;
    ksiGauss *g = w->g;
    const size_t count = (size_t)g->lostCount;
    if (system->denseBudget > 0 && g->lostCount > system->denseBudget)
        return KS_ERROR_UNAVAILABLE;
    system->denseWork += pow(g->lostCount, 3);
    if (ksiDoublesReserve(system, &g->column, count * (w->lanes + w->coordinates + 1)))
        return KS_ERROR_NO_MEMORY;
    int found = 0;
    EACH_STRIP(w, s)
    EACH_LOST(s, j)
    addColumn(w, s, j, found++);
    for (int i = 0; i < ROTATIONS && !rotate(w); i++)
        ;
    return KS_OK;
}

static int isStress(const Work *w, int k)
{
    return movedProduct(w, columnOf(w, k), columnOf(w, k)) <= MOVES_NOTHING * MOVES_NOTHING;
}

/* Right-hand sides without what contradicts, in the least-squares sense over unit rows: side := beta - d Q Q^T d^-1 beta, of the
 * columns that are self-stresses. */
static void reconcile(const Work *w)
{
    const ksiGauss *g = w->g;
    copy(w->rows, w->system->beta.at, w->side);
    for (int k = 0; k < g->lostCount; k++) {
        const double *q = columnOf(w, k);
        double part = 0;
        if (!isStress(w, k))
            continue;
        EACH_STRIP(w, s)
        EACH_ROW(s, j)
        if (q[s->lane + j] != 0)
            part += q[s->lane + j] / sqrt(g->square.at[s->lane + j]) * w->system->beta.at[s->row + j];
        EACH_STRIP(w, s)
        EACH_ROW(s, j)
        w->side[s->row + j] -= part * q[s->lane + j] * sqrt(g->square.at[s->lane + j]);
    }
}

/* Of each column what the residual asks of it; returns the square of d times what that adds to the multipliers. */
static double correctColumns(const Work *w)
{
    const ksiGauss *g = w->g;
    double moved = 0;
    restore(w);
    clear(w->lanes, w->r);
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    if (takesPart(w, s, j))
        w->r[s->lane + j] = residualOf(w, s, j) / sqrt(g->square.at[s->lane + j]);
    for (int k = 0; k < g->lostCount; k++) {
        const double *q = columnOf(w, k);
        if (isStress(w, k))
            continue;
        const double part = product(w, q, w->r) / movedProduct(w, q, q);
        moved += part * part;
        addUnit(w, part, q, w->lambda);
        addTo(w->coordinates, part, q + w->lanes, w->y);
    }
    return moved;
}

/* From lambda and y, which nearly satisfy the rows of K. */
static ksStatus solveColumns(const Work *w)
{
    ksiStep step;
    double moved, load;
    int i = 0;
    reconcile(w);
    w->g->side = w->side;
    do {
        moved = correctColumns(w);
        restore(w);
        ksiGaussForward(w->system, 0);
        ksiGaussBackward(w->system, 0, 1, &step);
        store(w);
        load = weighted(w, w->lambda, w->lambda);
    } while (moved > STILL * STILL * load && ++i < ROUNDS);
    if (i == ROUNDS)
        return KS_ERROR_SINGULAR;
    for (int k = 0; k < w->g->lostCount; k++)
        if (isStress(w, k))
            addUnit(w, -stressOf(w, columnOf(w, k)), columnOf(w, k), w->lambda);
    return KS_OK;
}

ksStatus ksiGaussDependent(ksSystem *system, int hasSettled)
{
    Work w;
    int row = -1;
    ksStatus status = begin(system, &w);
    if (status)
        return status;
    // multipliers that are nothing but rounding do not settle
    if (!hasSettled && !(worstResidual(&w, KEPT, &row) <= ROUNDED))
        return KS_ERROR_SINGULAR;
    if (system->gauss.lostCount == 0)
        return KS_OK;
    store(&w);
    if (worstResidual(&w, LOST, &row) <= ROUNDED) {
        status = takeOutStress(&w);
        restore(&w);
        return status;
    }
    status = findColumns(&w);
    if (!status)
        status = solveColumns(&w);
    restore(&w);
    w.g->side = system->beta.at;
    if (!status && !(worstResidual(&w, BOTH, &row) <= KSI_INCONSISTENT)) {
        system->culprit = row;
        status = KS_ERROR_INCONSISTENT;
    }
    return status;
}

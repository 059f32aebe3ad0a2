/* gauss_dependent.c  The range-space route through rows that depend on each other.
 *
 *  Rows without a pivot, D, are set aside: L D L^T is that of the others, K, and G = (A + S)_KK^-1 with zeros elsewhere. The
 *  multipliers lambda = G (beta - J M^-1 f) satisfy the rows of K. Where those of D come out right as well, they depend on the
 *  others, and
 *
 *      N = E_D - G A E_D        (J^T N = 0, E_D: columns of the unit matrix)
 *
 *  are self-stresses. Taken out in the metric d^2 = diag(A + S), lambda - N c with (N^T d^2 N) c = N^T d^2 lambda, by
 *  conjugate gradients (Hestenes and Stiefel 1952): N and its transpose are a sweep each, and eigenvalues are 1 and more.
 *
 *  Where rows of D do not come out right, they depend only nearly, or contradict the others; then, and where refinement does not
 *  settle, steps of refinement become conjugate (Concus, Golub and O'Leary 1976). Each of them is measured by what it
 *  moves, |B z|^2 + z^T S z, not through A: that keeps what forming A has rounded away.
 */
#include "system_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Residuals of rows below this share of |beta| + d (|y| + |y_f|) are what rounding leaves of a row over a dozen
 * coordinates. */
#define ROUNDED (16 * DBL_EPSILON)

/* Large opposing multipliers round more. Refinement then ends where it no longer moves them by more than this share. */
#define STILL 1e-8

/* Steps of conjugate directions at most: nearly dependent rows take one for each of their singular values. */
#define DIRECTIONS 60

/* Vectors by lanes, but for those of coordinates: y, z and a previous one; of rows: side. */
typedef struct Work {
    ksSystem *system;
    ksiGauss *g;
    size_t lanes, coordinates, rows;
    double *lambda, *before, *c, *r;
    double *y, *yBefore, *applied;
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
    if (ksiDoublesReserve(system, &g->work, 4 * w->lanes + 3 * w->coordinates + w->rows))
        return KS_ERROR_NO_MEMORY;
    w->lambda = g->work.at;
    w->before = w->lambda + w->lanes;
    w->c = w->before + w->lanes;
    w->r = w->c + w->lanes;
    w->y = w->r + w->lanes;
    w->yBefore = w->y + w->coordinates;
    w->applied = w->yBefore + w->coordinates;
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
    double *p = w->c, *r = w->r, *n = w->before;
    clear(w->lanes, p);
    clear(w->lanes, r);
    takeStressed(w, -1, w->lambda, r);
    double size = weighted(w, r, r), before = INFINITY;
    for (int i = 0; size > enough; i++) {
        if (i > 2 * g->lostCount + DIRECTIONS)
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

/* |B z|^2 + z^T S z with B z on load */
static double moved(const Work *w, const double *z)
{
    const ksiGauss *g = w->g;
    double sum = ksiDot(w->coordinates, g->load.at, g->load.at);
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    sum += g->slack.at[s->lane + j] * z[s->lane + j] * z[s->lane + j];
    return sum;
}

static double residualOf(const Work *w, const ksiStrip *s, int j)
{
    const ksSystem *system = w->system;
    const int l = s->row + j;
    return system->beta.at[l] - system->compliance.at[l] * w->g->multiplier.at[s->lane + j] -
           ksiRowDot(system, l, w->g->load.at);
}

/* |y| + |y_f| */
static double motionSize(const Work *w)
{
    const double *y = w->g->load.at;
    return sqrt(ksiDot(w->coordinates, y, y)) + sqrt(ksiDot(w->coordinates, w->applied, w->applied));
}

/* The largest share that a row's residual is of its terms, over all rows or over those of D; names the row. */
static double worstResidual(const Work *w, int lostOnly, int *worst)
{
    const ksiGauss *g = w->g;
    const ksSystem *system = w->system;
    const double size = motionSize(w);
    double most = 0;
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    {
        const int l = s->row + j;
        if ((lostOnly && !(s->lost >> j & 1)) || system->rowKnown.at[l] || ksiRowIsEmpty(system, l))
            continue;
        const double beta = system->beta.at[l];
        const double missed =
            beta - system->compliance.at[l] * g->multiplier.at[s->lane + j] - ksiRowDot(system, l, g->load.at);
        const double terms = fabs(beta) + sqrt(g->square.at[s->lane + j]) * size;
        const double share = missed == 0 ? 0 : fabs(missed) / terms;
        if (!(share <= most)) {
            most = share;
            *worst = l;
        }
    }
    return most;
}

/* 1 / D of the rows without a pivot. */
static void setPivots(const Work *w, int areUsed)
{
    ksiGauss *g = w->g;
    EACH_STRIP(w, s)
    EACH_LOST(s, j)
    g->inverse.at[s->lane + j] = areUsed ? 1 / (KSI_NEAR_PIVOT * g->square.at[s->lane + j]) : 0;
}

/* A direction z of conjugate refinement, with B z on g->load. */
typedef struct Direction {
    double residual; /* z^T (beta - J a - S lambda) */
    double square;   /* z^T (A + S) z */
    double size;     /* z^T d^2 z */
} Direction;

/* From lambda and y, which stay. */
static void findDirection(const Work *w, Direction *d)
{
    ksiGauss *g = w->g;
    ksiStep step;
    restore(w);
    ksiGaussForward(w->system, 0);
    *d = (Direction){0};
    EACH_STRIP(w, s)
    for (int lane = s->lane; lane < s->lane + s->rows; lane++)
        d->residual += g->correction.at[lane] * g->correction.at[lane] * g->inverse.at[lane];
    clear(w->coordinates, g->load.at);
    ksiGaussBackward(w->system, 0, 1, &step);
    d->square = ksiDot(w->coordinates, g->load.at, g->load.at);
    EACH_STRIP(w, s)
    EACH_ROW(s, j)
    {
        const double z = g->correction.at[s->lane + j];
        d->square += g->slack.at[s->lane + j] * z * z;
    }
    d->size = weighted(w, g->correction.at, g->correction.at);
}

/* next := before + omega (gamma z + x - before) */
static void advance(size_t count, double gamma, double omega, const double *z, double *x, double *before)
{
    for (size_t i = 0; i < count; i++) {
        const double next = before[i] + omega * (gamma * z[i] + x[i] - before[i]);
        before[i] = x[i];
        x[i] = next;
    }
}

/* Do rows of D contradict the others? Multipliers that would take the difference away move nothing. */
static int contradicts(const Work *w)
{
    ksiGauss *g = w->g;
    clear(w->lanes, w->c);
    EACH_STRIP(w, s)
    EACH_LOST(s, j)
    w->c[s->lane + j] = residualOf(w, s, j) / g->square.at[s->lane + j];
    stress(w, w->c);
    return !(moved(w, g->multiplier.at) >
             KSI_ROUNDING_RANK * KSI_ROUNDING_RANK * weighted(w, g->multiplier.at, g->multiplier.at));
}

static ksStatus conjugate(const Work *w)
{
    ksiGauss *g = w->g;
    double gamma = 0, omega = 1, residual = 0;
    int row;
    clear(w->lanes, w->lambda);
    clear(w->lanes, w->before);
    copy(w->coordinates, w->applied, w->y);
    copy(w->coordinates, w->applied, w->yBefore);
    for (int i = 0; i < DIRECTIONS; i++) {
        Direction d;
        findDirection(w, &d);
        if (!(d.square > KSI_ROUNDING_RANK * KSI_ROUNDING_RANK * d.size))
            return KS_ERROR_SINGULAR;
        const double step = d.residual / d.square;
        if (i > 0)
            omega = 1 / (1 - step / gamma * d.residual / residual / omega);
        gamma = step;
        residual = d.residual;
        advance(w->lanes, gamma, omega, g->correction.at, w->lambda, w->before);
        advance(w->coordinates, gamma, omega, g->load.at, w->y, w->yBefore);
        restore(w);
        const double load = weighted(w, w->lambda, w->lambda), worst = worstResidual(w, 0, &row);
        const int isStill = gamma * gamma * d.size <= STILL * STILL * load;
        if (worst <= ROUNDED || (isStill && worst * motionSize(w) <= ROUNDED * sqrt(load)))
            return KS_OK;
    }
    return KS_ERROR_SINGULAR;
}

ksStatus ksiGaussConjugate(ksSystem *system)
{
    Work w;
    ksStatus status = begin(system, &w);
    if (status)
        return status;
    setPivots(&w, 1);
    status = conjugate(&w);
    setPivots(&w, 0);
    return status;
}

ksStatus ksiGaussDependent(ksSystem *system)
{
    Work w;
    int row = -1;
    ksStatus status = begin(system, &w);
    if (status)
        return status;
    store(&w);
    const double missed = worstResidual(&w, 1, &row);
    if (missed > ROUNDED) {
        if (!contradicts(&w)) {
            system->gauss.side = system->beta.at;
            return ksiGaussConjugate(system);
        }
        if (missed > KSI_INCONSISTENT) {
            system->culprit = row;
            return KS_ERROR_INCONSISTENT;
        }
    }
    status = takeOutStress(&w);
    restore(&w);
    return status;
}

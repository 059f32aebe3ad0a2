/* prescribed_stress.c  Finds multipliers whose part along the self-stresses is prescribed: see
 * loop.h, and (19a) of docs/mechanics.md. The prescribed values replace the equations along the
 * self-stresses. The columns of `C` are the self-stresses, for rows of their own length:
 *
 *     (A + S) lambda = beta - B^T y_f + C t,    C^T lambda = C^T lambda_e,
 *     H = C^T X,                                X = (A + S)^-1 C                                (9)
 *
 * If a solution for some `t` misses the prescribed values by `c`, X H^-1 c corrects it, and `t`
 * changes by H^-1 c. Near self-stresses, rounding along `X` changes the values. So X H^-1 c is
 * added at the end. If there are many self-stresses, prescribed_search.c usually takes fewer
 * solutions; (9) follows if it does not converge. */
#include "prescribed_stress.h"
#include "kernel.h"
#include "plan.h"

#include "../base/error.h"
#include "../linear/cholesky.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A pivot below this share of its first value is rounding. (A + S)^-1 amplifies rounding by 1 over
 * the square of the rows' least singular value. That value is 1e-4 if only a compliance of 1e-8
 * makes the rows independent. */
static const double lost = 1e-11;

/* Largest number of solutions. No solution follows a change of at most `enough`, as a share of the
 * multipliers. Each solution reduces the error of the values by some digits, down to rounding. */
enum { MOST_SOLUTIONS = 4 };
static const double enough = 1e-7;

/* A bar contains this many rounding errors: of sums of products, of their factor, and of its
 * use. */
static const double roundings = 4;

/* Largest number of rows x self-stresses^2: the work of a full matrix of 1000 rows. */
static const double mostWork = 1000. * 1000 * 1000;

typedef struct Direct {
    ksiCore *core;
    int count, fours;             /* self-stresses; groups of four rows */
    double *h, *diagonal, *lacks; /* h: H, then its factor, [count][count]; diagonal: of H, [count];
                                     lacks: c, then H^-1 c, [count] */
    ksiFour *c, *x, *change;      /* c, x: C and X, [count][fours]; change: a combination of their
                                     columns, [fours] */
    double *beta, *known, *force; /* beta: right-hand sides; known: multipliers; force:
                                     [links][6] */
} Direct;

/* The number of groups of four rows, rounded up to an even number. */
static int countFours(const ksiCore *core)
{
    int rows = 0;
    for (int i = 0; i < core->links + core->closings; i++)
        rows += ksiCoreAt(core, i)->rows;
    return (rows + 7) / 8 * 2;
}

/* The size of the workspace in numbers. */
static size_t roomOf(const ksiCore *core)
{
    const size_t rows = 4 * (size_t)countFours(core), count = (size_t)core->stresses;
    return (2 * count + 3) * rows + count * (count + 2) + 6 * (size_t)core->links;
}

static ksStatus reserve(ksiCore *core, Direct *d)
{
    const size_t fours = (size_t)countFours(core), count = (size_t)core->stresses;
    if (4. * (double)fours * (double)count * (double)count > mostWork)
        return KS_ERROR_SINGULAR;
    KSI_TRY(ksiReserve(&core->allocator, &core->weak, &core->weakCapacity, roomOf(core), sizeof *core->weak));
    *d = (Direct){.core = core, .count = (int)count, .fours = (int)fours};
    d->c = (ksiFour *)(void *)core->weak;
    d->x = d->c + count * fours;
    d->change = d->x + count * fours;
    d->beta = (double *)(void *)(d->change + fours);
    d->known = d->beta + 4 * fours;
    d->h = d->known + 4 * fours;
    d->diagonal = d->h + count * count;
    d->lacks = d->diagonal + count;
    d->force = d->lacks + count;
    return KS_OK;
}

/* A vector of fours, as numbers. */
static double *numbers(const ksiFour *fours)
{
    return (double *)(void *)fours;
}

KSI_INLINE double dot(int fours, const ksiFour *x, const ksiFour *y)
{
    ksiFour sum = {0}, more = {0};
    for (int f = 0; f < fours; f += 2) {
        sum += x[f] * y[f];
        more += x[f + 1] * y[f + 1];
    }
    sum += more;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

KSI_INLINE void add(int fours, double times, const ksiFour *x, ksiFour *y)
{
    for (int f = 0; f < fours; f += 2) {
        y[f] += times * x[f];
        y[f + 1] += times * x[f + 1];
    }
}

#define EACH_ROW_OF(d, i, c, l)                                                                                        \
    for (int i = 0, at_ = 0; at_ < (d)->core->links + (d)->core->closings; at_++)                                      \
        for (ksiConstraint *c = ksiCoreAt((d)->core, at_); c; c = NULL)                                                \
            for (int l = 0; l < c->rows; l++, i++)

static void combine(const Direct *d)
{
    const ksiCore *core = d->core;
    memset(d->c, 0, 2 * (size_t)d->count * (size_t)d->fours * sizeof *d->c);
    for (int g = 0, first = 0; g < core->groups; first += core->group[g++].count)
        core->group[g].x.at[0] = first;
    EACH_ROW_OF (d, i, c, l)
        for (int p = c->part; p < c->partEnd; p++) {
            const ksiCoreGroup *group = &core->group[core->part[p].group];
            for (int s = 0; s < group->count; s++)
                numbers(d->c + ((int)group->x.at[0] + s) * d->fours)[i] = c->unit[l] * core->part[p].n[l].at[s];
        }
}

static void keepSides(const Direct *d)
{
    EACH_ROW_OF (d, i, c, l) {
        d->beta[i] = c->beta[l][0];
        d->known[i] = c->lambda[l][0];
    }
    for (int i = 0; i < d->core->links; i++)
        for (int k = 0; k < 6; k++)
            d->force[6 * i + k] = d->core->link[i].force[k][0];
}

/* Solves for four columns of X. */
static void solveFour(const Direct *d, int from)
{
    const int most = d->count - from < 4 ? d->count - from : 4;
    ksiCoreClearForces(d->core);
    EACH_ROW_OF (d, i, c, l) {
        c->beta[l] = c->lambda[l] = (ksiFour){0};
        for (int k = 0; k < most; k++)
            c->beta[l][k] = numbers(d->c + (from + k) * d->fours)[i];
    }
    ksiCoreSweep(d->core);
    EACH_ROW_OF (d, i, c, l)
        for (int k = 0; k < most; k++)
            numbers(d->x + (from + k) * d->fours)[i] = c->lambda[l][k];
}

/* Finds H and its factor. False: the prescribed value of one self-stress follows from the other
 * values. */
KSI_CLONES
static bool findMatrix(const Direct *d)
{
    bool isLost = false;
    for (int j = 0; j < d->count; j++) {
        for (int i = j; i < d->count; i++)
            d->h[j * d->count + i] = dot(d->fours, d->c + i * d->fours, d->x + j * d->fours);
        d->diagonal[j] = d->h[j * d->count + j];
    }
    if (!ksiFactorPositive(d->count, d->h))
        return false;
    for (int j = 0; j < d->count; j++)
        isLost |= !(d->h[j * d->count + j] * d->h[j * d->count + j] > lost * d->diagonal[j]);
    return !isLost;
}

/* change := the columns of x, times `lacks`. */
KSI_CLONES
static void findChange(const Direct *d, const ksiFour *x)
{
    memset(d->change, 0, (size_t)d->fours * sizeof *d->change);
    for (int s = 0; s < d->count; s++)
        add(d->fours, d->lacks[s], x + s * d->fours, d->change);
}

/* lacks := H^-1 c of column 0, change := X lacks. Returns the size of the change, relative to
 * the largest multiplier. */
KSI_CLONES
static double compare(const ksiCoreIsland *island, const Direct *d)
{
    double most = 0, change = 0;
    memset(d->change, 0, (size_t)d->fours * sizeof *d->change);
    EACH_ROW_OF (d, i, c, l)
        numbers(d->change)[i] = island->joint[c->joint].reported[l] - c->lambda[l][0];
    for (int i = 0; i < d->count; i++)
        d->lacks[i] = dot(d->fours, d->c + i * d->fours, d->change);
    ksiSolveTriangles(d->count, d->h, d->lacks);
    findChange(d, d->x);
    EACH_ROW_OF (d, i, c, l) {
        most = ksiLarger(most, fabs(c->unit[l] * c->lambda[l][0]));
        change = ksiLarger(change, fabs(c->unit[l] * numbers(d->change)[i]));
    }
    return change > 0 ? change / most : 0;
}

/* lambda of column 0 += change */
static void changeRows(const Direct *d)
{
    EACH_ROW_OF (d, i, c, l)
        c->lambda[l][0] += numbers(d->change)[i];
}

/* Changes t by `lacks`: beta of column 0 += C lacks. */
static void giveUp(const Direct *d)
{
    findChange(d, d->c);
    EACH_ROW_OF (d, i, c, l)
        d->beta[i] += numbers(d->change)[i];
}

/* Sets right-hand sides, known multipliers and forces of column 0. */
static void enter(const Direct *d)
{
    EACH_ROW_OF (d, i, c, l) {
        c->beta[l] = (ksiFour){d->beta[i]};
        c->lambda[l] = (ksiFour){d->known[i]};
    }
    for (int i = 0; i < d->core->links; i++)
        for (int k = 0; k < 6; k++)
            d->core->link[i].force[k] = (ksiFour){d->force[6 * i + k]};
}

static ksStatus give(ksiCoreIsland *island, bool isFactored, double *missed)
{
    ksiCore *core = &island->core;
    ksiCertificate found;
    Direct d;
    KSI_TRY(reserve(core, &d));
    KSI_TRY(isFactored ? KS_OK : ksiCoreFactorStep(core, false));
    keepSides(&d);
    combine(&d);
    for (int from = 0; from < d.count; from += 4)
        solveFour(&d, from);
    if (!findMatrix(&d))
        return KS_ERROR_SINGULAR;
    enter(&d);
    double share = compare(island, &d);
    for (int i = 0; share > enough && i < MOST_SOLUTIONS; i++) {
        giveUp(&d);
        enter(&d);
        ksiCoreSweep(core);
        share = compare(island, &d);
    }
    if (!isfinite(share))
        return KS_ERROR_SINGULAR;
    changeRows(&d);
    giveUp(&d);
    EACH_ROW_OF (&d, i, c, l)
        c->beta[l][0] = d.beta[i];
    KSI_TRY(ksiCoreLeaveOut(core, roomOf(core)));
    ksiCoreCertify(core, &found);
    *missed = sqrt(found.missed2[0]) + roundings * sqrt(found.rounding2[0]);
    return KS_OK;
}

ksStatus ksiCoreGive(ksiCoreIsland *island, bool isFactored, double *missed)
{
    if (!island->rank.byRows || island->core.stresses <= KSI_CORE_MOST_DIRECT)
        return give(island, isFactored, missed);
    const ksStatus status = ksiCoreSearchGiven(island, missed);
    return status == KS_ERROR_SINGULAR ? give(island, false, missed) : status;
}

void ksiCoreCorrectGiven(ksiCore *core)
{
    ksiCoreSweepResidual(core);
    ksiCoreTakeOut(core, 0);
}

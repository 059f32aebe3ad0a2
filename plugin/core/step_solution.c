/* step_solution.c  Solves all equations of a step in the present pose, from two starts: see loop.h.
 *
 * The starts are zero and the engine's multipliers. A start `lambda` has the motion y_f + B lambda,
 * and the residual `r` of (4). One factor of A + S corrects it:
 *
 *     (A + S) Delta = r,     lambda := lambda + Delta,     y := y_f + B lambda + B Delta     (11)
 *
 * The result is corrected once more. A + S is nearly singular if only compliance and drift make
 * redundant rows independent. Then the first correction leaves more than rounding.
 */
#include "kernel.h"
#include "loop.h"

#include "../base/error.h"
#include "../base/pseudorandom.h"

#include <float.h>
#include <math.h>

/* The column of the multipliers that start from the engine's. Column 0 has those that start from
 * zero, and column 2 has the solution for the residual of the engine's motion. */
enum { FROM_ENGINE = 1 };

/* Corrections of each start. */
enum { CORRECTIONS = 2 };

/* A bar contains this many rounding errors. In machines with loops, 99.9 % of the errors are below
 * 0.13 of their bars. */
static const double roundings = 2;

/* x: multipliers, beta: right-hand sides, of the rows of each constraint. force: of each link. */
typedef struct Solving {
    ksiCore *core;
    ksiFour (*x)[KSI_CORE_ROWS], (*beta)[KSI_CORE_ROWS], (*force)[6];
} Solving;

#define EACH_ROW_OF(core, i, c, l)                                                                                     \
    for (int i = 0; i < (core)->links + (core)->closings; i++)                                                         \
        for (ksiConstraint *c = ksiCoreAt(core, i); c; c = NULL)                                                       \
            for (int l = 0; l < c->rows; l++)

static ksStatus reserve(ksiCore *core, Solving *s)
{
    const size_t links = (size_t)core->links, count = links + (size_t)core->closings;
    const size_t room = 4 * (2 * KSI_CORE_ROWS * count + 6 * links);
    KSI_TRY(ksiReserve(&core->allocator, &core->weak, &core->weakCapacity, room, sizeof *core->weak));
    *s = (Solving){.core = core, .x = (ksiFour(*)[KSI_CORE_ROWS])(void *)core->weak};
    s->beta = s->x + count;
    s->force = s->beta + count;
    return KS_OK;
}

ksStatus ksiCoreFactorStep(ksiCore *core, bool withKnown)
{
    bool isWhole = true;
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        c->known = withKnown ? 0 : c->atLow | c->atHigh;
    }
    KSI_TRY(ksiCoreFactored(ksiCoreFactorWhole(core)));
    for (int i = 0; i < core->links + core->closings; i++)
        isWhole &= ksiCoreAt(core, i)->dependent == 0;
    return isWhole ? KS_OK : KS_ERROR_SINGULAR;
}

/* Takes the equations of column 0, and both starts. */
KSI_CLONES
static void begin(const ksiCoreIsland *island, const Solving *s)
{
    for (int i = 0; i < s->core->links; i++)
        for (int k = 0; k < 6; k++) {
            const double force = s->core->link[i].force[k][0];
            s->force[i][k] = (ksiFour){force, force};
        }
    EACH_ROW_OF (s->core, i, c, l) {
        const double known = c->lambda[l][0], beta = c->beta[l][0];
        s->beta[i][l] = (ksiFour){beta, beta, island->joint[c->joint].residual[l]};
        s->x[i][l] = c->known >> l & 1u ? (ksiFour){known, known} : (ksiFour){0, island->joint[c->joint].reported[l]};
    }
}

/* Sets the equations, with the multipliers x. */
KSI_CLONES
static void enter(const Solving *s)
{
    for (int i = 0; i < s->core->links; i++)
        EACH (k, 0, 6)
            s->core->link[i].force[k] = s->force[i][k];
    EACH_ROW_OF (s->core, i, c, l) {
        c->lambda[l] = s->x[i][l];
        c->beta[l] = s->beta[i][l];
    }
}

/* Corrects x by its residual. `moved` of links, column 0, becomes y of FROM_ENGINE. */
KSI_CLONES
static void correct(const Solving *s)
{
    ksiCore *core = s->core;
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++)
            core->link[i].moved[k][0] = core->link[i].g[k][FROM_ENGINE];
    ksiCoreSweepResidual(core);
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++)
            core->link[i].moved[k][0] += core->link[i].y[k][FROM_ENGINE];
    EACH_ROW_OF (core, i, c, l)
        s->x[i][l] += c->lambda[l];
}

ksStatus ksiCoreSolveStep(ksiCoreIsland *island, bool withKnown)
{
    ksiCore *core = &island->core;
    ksiCertificate found;
    Solving s;
    bool areFinite = true;
    KSI_TRY(reserve(core, &s));
    KSI_TRY(ksiCoreFactorStep(core, withKnown));
    begin(island, &s);
    for (int n = 0; n < CORRECTIONS; n++) {
        enter(&s);
        ksiCoreCertify(core, &found);
        correct(&s);
    }
    enter(&s);
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++) {
            const double y = core->link[i].moved[k][0];
            core->link[i].y[k] = (ksiFour){y};
            core->link[i].moved[k][0] = y - core->link[i].force[k][0];
            areFinite &= isfinite(y);
        }
    EACH_ROW_OF (core, i, c, l)
        island->joint[c->joint].solved[l] = c->lambda[l][FROM_ENGINE];
    return areFinite ? KS_OK : KS_ERROR_SINGULAR;
}

/* The squares of the rounding of r, after ksiCoreCertify. The rounding `e` of y_f + B lambda adds
 * B^T e to the residuals of all rows together: it changes a multiplier by at most |w_l| |e|. The
 * other terms of r are rounded row by row. */
KSI_CLONES
static void findRounding(ksiCore *core, ksiFour *square)
{
    ksiFour sum = {0};
    for (int i = 0; i < core->links; i++)
        addSquares(core->link[i].force, 1, &sum);
    EACH_ROW_OF (core, i, c, l) {
        const ksiFour soft = c->compliance[l] * c->lambda[l];
        ksiFour terms2 = c->beta[l] * c->beta[l] + soft * soft;
        EACH (k, 0, 6) {
            const ksiFour term = c->own[k].at[l] * core->link[c->body].g[k];
            terms2 += term * term;
        }
        if (c->partner >= 0)
            EACH (k, 0, 6) {
                const ksiFour term = c->other[l].at[k] * core->link[c->partner].g[k];
                terms2 += term * term;
            }
        sum += c->length2[l] * c->lambda[l] * c->lambda[l] + c->size2[l] * terms2;
    }
    *square = sum;
}

double ksiCoreStepError(ksiCore *core, double rounding)
{
    ksiCertificate found;
    ksiFour square = {0}, rounded2;
    double most = 0;
    bool areFinite = true;
    ksiCoreInverse(core);
    ksiCoreCertify(core, &found);
    findRounding(core, &rounded2);
    ksiCoreSweepResidual(core);
    EACH_ROW_OF (core, i, c, l) {
        areFinite &= c->size2[l] >= 0;
        square += c->beta[l] * c->lambda[l];
    }
    for (int k = 0; k <= FROM_ENGINE; k++)
        most = ksiLarger(most, sqrt(ksiLarger(square[k], 0)) + roundings * rounding * sqrt(rounded2[k]));
    areFinite &= isfinite(square[0] + square[1] + rounded2[0] + rounded2[1]) != 0;
    return areFinite ? most : INFINITY;
}

/* Solves for `w` in column 0, and for a permitted motion in column 1. Returns |w| divided by the
 * size of this motion. */
KSI_CLONES
static double relax(ksiCore *core, ksiConstraint *of, int row)
{
    double size2 = 0;
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++)
            core->link[i].force[k] = (ksiFour){0, ksiPseudoRandom(6 * i + k)};
    EACH_ROW_OF (core, i, c, l)
        c->beta[l] = c->lambda[l] = (ksiFour){0};
    of->beta[row][0] = 1;
    ksiCoreSweep(core);
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++)
            size2 += core->link[i].y[k][1] * core->link[i].y[k][1];
    EACH_ROW_OF (core, i, c, l)
        size2 += c->compliance[l] * c->lambda[l][1] * c->lambda[l][1];
    return size2 > 0 ? sqrt(of->lambda[row][0] / size2) : 0;
}

KSI_CLONES
double ksiCoreRelaxRow(ksiCoreIsland *island, int joint, int row, double *allowance)
{
    ksiCore *core = &island->core;
    ksiConstraint *of = ksiCoreConstraint(core, joint);
    const double ratio = relax(core, of, row), size = sqrt(of->lambda[row][0]);
    double rho = 0, derivative = 0, leak = 0, terms2 = 0;
    for (int i = 0; i < core->links; i++) {
        ksiCoreLink *link = &core->link[i];
        terms2 += link->terms2[FROM_ENGINE];
        for (int k = 0; k < 6; k++) {
            link->g[k][0] = link->y[k][0] + ratio * link->y[k][1];
            rho += link->g[k][0] * link->moved[k][0];
        }
    }
    EACH_ROW_OF (core, i, c, l) {
        const double solved = island->joint[c->joint].solved[l];
        const double slack = c->compliance[l] * (c->lambda[l][0] + ratio * c->lambda[l][1]);
        double along = slack;
        for (int k = 0; k < 6; k++)
            along += c->own[k].at[l] * core->link[c->body].g[k][0];
        for (int k = 0; c->partner >= 0 && k < 6; k++)
            along += c->other[l].at[k] * core->link[c->partner].g[k][0];
        rho += slack * solved;
        if (c->known >> l & 1u)
            rho -= solved * along;
        else if (c == of && l == row)
            derivative = along;
        else
            leak += fabs(solved * along);
    }
    *allowance = (leak + 2 * size * roundings * DBL_EPSILON * sqrt(terms2)) / fabs(derivative);
    return rho / derivative;
}

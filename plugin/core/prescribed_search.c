/* prescribed_search.c  Finds multipliers with a prescribed part along many self-stresses: see
 * prescribed_stress.c.
 *
 * In unit rows, multipliers are u_l lambda_l and residuals are r_l / u_l, with the length `u_l` of
 * row `l`. The projector `Q` removes the part along the self-stresses of the pose. The solution has
 * the prescribed part, and a residual `r` with Q r = 0. Conjugate gradients find it among the
 * multipliers that have this part (Gould, Hribar, Nocedal 2001). In place of the inverse they use
 *
 *     Q (A + S)_ii^-1 Q                                                                        (10)
 *
 * where `i` stands for the rows that do not depend on others in the pose. If self-stresses move no
 * body, (10) is the inverse. In the present pose, the drift makes them move bodies. So each solution
 * divides the error by a ratio: the least singular value of other directions, divided by the drift.
 */
#include "kernel.h"
#include "plan.h"
#include "prescribed_stress.h"

#include "../base/error.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Largest number of iterations. Each direction with a singular value up to the drift takes one
 * iteration, and a few more follow. */
enum { MOST_SOLUTIONS = 64 };

/* A bar contains this many rounding errors: of sums of products, of their factor, and of its
 * use. */
static const double roundings = 4;

/* x: multipliers; beta: right-hand sides; left: residuals; p: a direction; image: -(A + S) p;
 * given: the multipliers at the start. Each [count], by constraint. */
typedef struct Search {
    ksiCore *core;
    int count;
    ksiEight *x, *beta, *left, *p, *image, *given;
} Search;

#define EACH_SEARCHED(s, i, c)                                                                                         \
    for (int i = 0; i < (s)->count; i++)                                                                               \
        for (ksiConstraint *c = ksiCoreAt((s)->core, i); c; c = NULL)

/* Rows that have an equation: bits. */
static unsigned equationsOf(const ksiConstraint *c)
{
    return ((1u << c->rows) - 1) & ~(c->atLow | c->atHigh);
}

/* The size of the workspace in numbers. */
static size_t roomOf(const ksiCore *core)
{
    return 6 * 8 * ((size_t)core->links + (size_t)core->closings);
}

static ksStatus reserve(ksiCore *core, Search *s)
{
    const size_t count = (size_t)core->links + (size_t)core->closings;
    KSI_TRY(ksiReserve(&core->allocator, &core->weak, &core->weakCapacity, roomOf(core), sizeof *core->weak));
    ksiEight *room = (ksiEight *)(void *)core->weak;
    memset(room, 0, roomOf(core) * sizeof *core->weak);
    *s = (Search){.core = core, .count = (int)count, .x = room, .beta = room + count, .left = room + 2 * count};
    s->p = s->left + count;
    s->image = s->p + count;
    s->given = s->image + count;
    return KS_OK;
}

/* x := lambda with the engine's part along the self-stresses. */
static void takeEngines(const ksiCoreIsland *island, const Search *s)
{
    EACH_SEARCHED (s, i, c)
        for (int l = 0; l < c->rows; l++)
            c->lambda[l][0] -= island->joint[c->joint].reported[l];
    ksiCoreProject(s->core, 0, NULL);
    EACH_SEARCHED (s, i, c)
        for (int l = 0; l < c->rows; l++)
            s->x[i].at[l] = c->lambda[l][0] + island->joint[c->joint].reported[l];
}

/* left := beta - B^T (y_f + B x) - S x, with y_f the forces of column 0 and x in place of lambda.
 * Returns the size of its rounding in the mass metric. */
static double leave(const Search *s, const ksiEight *x, const ksiEight *beta, ksiEight *left)
{
    ksiCertificate found;
    EACH_SEARCHED (s, i, c)
        for (int l = 0; l < c->rows; l++) {
            c->lambda[l] = (ksiFour){x[i].at[l]};
            c->beta[l] = (ksiFour){beta ? beta[i].at[l] : 0};
        }
    ksiCoreCertify(s->core, &found);
    EACH_SEARCHED (s, i, c)
        for (int l = 0; l < c->rows; l++)
            left[i].at[l] = equationsOf(c) >> l & 1u ? c->t[l][0] : 0;
    return sqrt(found.rounding2[0]);
}

/* beta of column 0 := Q left. */
static void takeOut(const Search *s)
{
    EACH_SEARCHED (s, i, c)
        for (int l = 0; l < c->rows; l++)
            c->lambda[l] = (ksiFour){s->left[i].at[l] / c->unit2[l]};
    ksiCoreTakeOut(s->core, 0);
    EACH_SEARCHED (s, i, c)
        for (int l = 0; l < c->rows; l++) {
            c->beta[l] = (ksiFour){c->lambda[l][0] * c->unit2[l]};
            c->lambda[l] = (ksiFour){0};
        }
}

/* lambda of column 0 := (10) left. Returns its product with the residual `left`: the square of the
 * error in the mass metric. */
static double solve(const Search *s)
{
    double square = 0;
    takeOut(s);
    ksiCoreSweep(s->core);
    ksiCoreTakeOut(s->core, 0);
    EACH_SEARCHED (s, i, c)
        for (int l = 0; l < c->rows; l++)
            square += c->lambda[l][0] * c->beta[l][0];
    return square;
}

/* Moves x along p := lambda + times p, to the least error. False: no minimum. */
static bool advance(const Search *s, double times, double square)
{
    EACH_SEARCHED (s, i, c) {
        const unsigned equations = equationsOf(c);
        for (int l = 0; l < c->rows; l++)
            s->p[i].at[l] = equations >> l & 1u ? c->lambda[l][0] + times * s->p[i].at[l] : 0;
    }
    leave(s, s->p, NULL, s->image);
    double along = 0;
    for (int i = 0; i < s->count; i++)
        along -= dotEight(&s->p[i], &s->image[i]);
    if (!(along > 0))
        return false;
    for (int i = 0; i < s->count; i++) {
        addEight(8, &s->x[i], square / along, &s->p[i]);
        addEight(8, &s->left[i], square / along, &s->image[i]);
    }
    return true;
}

/* Moves the forces of one column to another, and clears the other columns. */
static void keepForces(const ksiCore *core, int from, int to)
{
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++) {
            const double force = core->link[i].force[k][from];
            core->link[i].force[k] = (ksiFour){0};
            core->link[i].force[k][to] = force;
        }
}

/* Iterates until the error is at most `error`. */
static ksStatus search(const Search *s, double error)
{
    double square = solve(s), before = INFINITY;
    for (int n = 0; square > error * error; n++) {
        if (n == MOST_SOLUTIONS || !advance(s, square / before, square))
            return KS_ERROR_SINGULAR;
        before = square;
        square = solve(s);
    }
    return square <= error * error ? KS_OK : KS_ERROR_SINGULAR;
}

ksStatus ksiCoreSearchGiven(ksiCoreIsland *island, double *missed)
{
    ksiCore *core = &island->core;
    ksiCertificate found;
    Search s;
    KSI_TRY(reserve(core, &s));
    EACH_SEARCHED (&s, i, c) {
        for (int l = 0; l < c->rows; l++) {
            s.x[i].at[l] = s.given[i].at[l] = c->lambda[l][0];
            s.beta[i].at[l] = c->beta[l][0];
        }
    }
    KSI_TRY(ksiCoreLeaveOut(core, roomOf(core)));
    takeEngines(island, &s);
    const double error = leave(&s, s.x, s.beta, s.left);
    keepForces(core, 0, 1);
    const ksStatus status = search(&s, error);
    keepForces(core, 1, 0);
    EACH_SEARCHED (&s, i, c)
        for (int l = 0; l < c->rows; l++) {
            c->beta[l][0] = status ? s.beta[i].at[l] : c->beta[l][0] + (s.beta[i].at[l] - s.left[i].at[l]);
            c->lambda[l] = (ksiFour){status ? s.given[i].at[l] : s.x[i].at[l]};
        }
    KSI_TRY(status);
    ksiCoreCertify(core, &found);
    *missed = sqrt(found.missed2[0]) + roundings * sqrt(found.rounding2[0]);
    return KS_OK;
}

/* check_core_rows.c  Loops that have drifted apart, by plugin/core/loop.h, with rows in two poses:
 * dependence in the pose where the joints fit, and multipliers and bars in closed form. */
#include "core/loop.h"
#include "tests/kits/support.h"

#include <float.h>

enum { MOST_JOINTS = 1001, MOST_ROWS = 3 };
static const double kRounding = 1e-14; /* of sums of a few products of 1 */

typedef struct GivenJoint {
    int body[2], rows; /* of unit mass, and radius; -1: the ground */
    double initial[MOST_ROWS][12], fitted[MOST_ROWS][12], gap[MOST_ROWS], left[MOST_ROWS];
    double beta, rate, missed, before, reported[MOST_ROWS], compliance; /* 0: rigid */
    bool isIdle;                                                        /* its last row is at a
                                                                           bound of 0 */
} GivenJoint;

typedef struct Given {
    ksiCoreIsland island;
    ksiCoreHost host;
    int bodies, joints, moves;
    bool stays; /* there is no other pose */
    ksiCoreJoint plan[MOST_JOINTS];
    GivenJoint joint[MOST_JOINTS];
    double force[MOST_JOINTS + 1][6];
    double step, permitted, own; /* of body 0 along x: the first step towards the fitting pose, and
                                    changes of velocity */
} Given;

static ksStatus plan(Given *g)
{
    static double mass[MOST_JOINTS + 1];
    for (int b = 0; b < g->bodies; b++)
        mass[b] = 1;
    return ksiCorePlan(&g->island.core, g->bodies, mass, g->joints, g->plan);
}

static ksStatus carry(void *of, ksiCoreIsland *island, int joint)
{
    Given *g = of;
    (void)island;
    g->plan[joint].isCarried = true;
    return plan(g);
}

static ksStatus place(void *of, ksiCoreIsland *island, bool isFirst)
{
    const Given *g = of;
    for (int b = 0; b < g->bodies; b++)
        island->core.link[b].weight2 = 1;
    for (int j = 0; j < g->joints; j++) {
        const GivenJoint *joint = &g->joint[j];
        ksiConstraint *c = ksiCoreConstraint(&island->core, j);
        ksiCoreLoop *own = &island->joint[j];
        ksiCoreBeginRows(c, joint->rows);
        own->targets = 0;
        own->soft = joint->compliance > 0;
        for (int l = 0; l < joint->rows; l++) {
            ksiCoreSetRow(c, l, joint->initial[l]);
            c->compliance[l] = joint->compliance;
            c->lambda[l] = (ksiFour){0};
            if (isFirst)
                c->beta[l] = (ksiFour){joint->gap[l]};
            own->reported[l] = joint->reported[l];
            own->usual[l] = NAN;
            own->rate[l] = joint->rate;
            own->missed[l] = joint->missed;
            own->before[l] = joint->before;
            own->betaError[l] = 0;
        }
        c->atLow = joint->isIdle ? 1u << (joint->rows - 1) : 0;
    }
    return KS_OK;
}

static double speedOf(const ksiCoreIsland *island)
{
    return island->core.link[island->core.linkOf.at[0]].y[0][0];
}

static ksStatus move(void *of, ksiCoreIsland *island, bool asTheyAre)
{
    Given *g = of;
    (void)asTheyAre;
    if (g->moves++ == 0)
        g->step = speedOf(island);
    for (int j = 0; !g->stays && j < g->joints; j++)
        for (int l = 0; l < g->joint[j].rows; l++) {
            ksiConstraint *c = ksiCoreConstraint(&island->core, j);
            ksiCoreSetRow(c, l, g->joint[j].fitted[l]);
            memcpy(island->row[j][l], g->joint[j].initial[l], sizeof island->row[j][l]);
            c->beta[l] = (ksiFour){g->joint[j].left[l]};
        }
    return g->stays ? KS_ERROR_UNAVAILABLE : KS_OK;
}

static ksStatus drive(void *of, ksiCoreIsland *island, bool isOwn)
{
    Given *g = of;
    *(isOwn ? &g->own : &g->permitted) = speedOf(island);
    for (int b = 0; b < g->bodies; b++)
        for (int k = 0; k < 6; k++)
            island->core.link[island->core.linkOf.at[b]].force[k] = (ksiFour){g->force[b][k]};
    for (int j = 0; !isOwn && j < g->joints; j++)
        for (int l = 0; l < g->joint[j].rows; l++)
            ksiCoreConstraint(&island->core, j)->beta[l] = (ksiFour){g->joint[j].beta};
    return KS_OK;
}

static bool letGo(void *of, ksiCoreIsland *island, bool isBlow)
{
    (void)of;
    (void)island;
    (void)isBlow;
    return false;
}

static Given *given(int bodies, int joints)
{
    Given *g = calloc(1, sizeof *g);
    ck_assert_ptr_nonnull(g);
    ksiCoreIslandInit(&g->island, NULL);
    g->island.radius = 1;
    g->island.rounding = DBL_EPSILON;
    g->island.tolerance = 1e-4;
    g->host = (ksiCoreHost){g, carry, place, move, drive, NULL, NULL, letGo};
    g->bodies = bodies;
    g->joints = joints;
    return g;
}

static void join(Given *g, int j, int first, int second, int rows)
{
    g->joint[j].body[0] = g->plan[j].body[0] = first;
    g->joint[j].body[1] = g->plan[j].body[1] = second;
    g->joint[j].rows = g->plan[j].rows = rows;
}

static void stay(Given *g)
{
    g->stays = true;
}

static ksStatus find(Given *g)
{
    CHECK_OK(plan(g));
    return ksiCoreFindPose(&g->island, &g->host);
}

static ksStatus solve(Given *g)
{
    CHECK_OK(plan(g));
    return ksiCoreSolveDrifted(&g->island, &g->host);
}

static void drop(Given *g)
{
    ksiCoreIslandFree(&g->island);
    free(g);
}

/* x v_x + ... = 0 twice, the second row turned towards y by an angle: one angle in the actual pose,
 * one in the fitting pose. */
static Given *twoRows(double initial, double fitted, double drift)
{
    Given *g = given(1, 2);
    for (int j = 0; j < 2; j++) {
        join(g, j, 0, -1, 1);
        g->joint[j].initial[0][0] = j ? cos(initial) : 1, g->joint[j].initial[0][1] = j ? sin(initial) : 0;
        g->joint[j].fitted[0][0] = j ? cos(fitted) : 1, g->joint[j].fitted[0][1] = j ? sin(fitted) : 0;
    }
    g->joint[0].gap[0] = drift;
    return g;
}

/* Two unit rows at a small angle have the singular value angle / sqrt(2). An angle that decreased
 * from 1e-2 to 2e-3 in proportion to the gaps means dependence. One that was 2e-3 before does not,
 * nor does one that was 3e-3, nor any angle if the gaps are closed. */
START_TEST(whatComesTogetherDepends)
{
    static const struct {
        double initial, fitted, left;
        int count;
    } cases[] = {{1e-2, 2e-3, 2e-4, 1}, {2e-3, 2e-3, 2e-4, 0},   {3e-3, 2e-3, 2e-4, 0},
                 {1e-4, 1e-4, 0, 1},    {-1e-2, -2e-3, 2e-4, 1}, {1e-2, 2e-3, 0, 0}};
    Given *g = twoRows(cases[_i].initial, cases[_i].fitted, 1e-3);
    ksiEight share[KSI_CORE_ROWS];
    g->joint[1].left[0] = cases[_i].left;
    CHECK_OK(find(g));
    ck_assert_int_eq(g->island.core.stresses, cases[_i].count);
    for (int j = 0; cases[_i].count && j < 2; j++) {
        ksiCoreShares(&g->island.core, j, share);
        ck_assert_double_eq_tol(share[0].at[0], 0.5, 1e-9);
    }
    drop(g);
}
END_TEST

/* Within three times the remaining errors, a singular value does not decide against dependence. */
START_TEST(whatIsLeftDepends)
{
    Given *g = twoRows(2e-3, 2e-3, 0.1);
    g->joint[1].left[0] = _i ? 6e-4 : 4e-4;  // the singular value is 1.4e-3
    CHECK_OK(find(g));
    ck_assert_int_eq(g->island.core.stresses, _i);
    drop(g);
}
END_TEST

/* Where the joints do not come together, the actual pose decides, however large the drift; the
 * direction of a dependence is known no better than the tolerance. */
START_TEST(toleranceDecidesWhereItStays)
{
    const double angle = _i ? 1e-4 : 0.05, drift = 0.1;
    Given *g = twoRows(angle, angle, drift);
    stay(g);
    CHECK_OK(find(g));
    ck_assert_int_eq(g->island.core.stresses, _i);
    ck_assert(!_i || g->island.rank.tilt >= drift);
    drop(g);
}
END_TEST

/* Two equal rows demand 0.1 and 0: each gets half, (K K^T + m) y = e, with m = 0.1 drift^2. */
START_TEST(stepIsDamped)
{
    Given *g = twoRows(0, 0, 0.1);
    CHECK_OK(find(g));
    ck_assert_double_eq_tol(g->step, 0.1 / (2 + 0.1 * 0.1 * 0.1), 1e-12);
    drop(g);
}
END_TEST

/* Rows that contradict each other keep a gap of 0.05 after each move of the body. The way to the
 * nearest pose ends after the third move, and no other way moves the body. */
START_TEST(contradictionEndsTheWay)
{
    Given *g = twoRows(0.05, 0.05, 0.1);
    g->joint[1].left[0] = 0.05;
    CHECK_OK(find(g));
    ck_assert_int_eq(g->moves, 3);
    ck_assert_int_eq(g->island.core.stresses, 0);
    drop(g);
}
END_TEST

/* Rows that hold a body twice against a force of -8; the engine has reported 5 and 2. Their
 * difference is the engine's. Their sum s follows from (2 + delta) s = 2 * 8 + delta * 7, and the
 * velocity of 3 that breaks them is reduced by 2 / (2 + delta) of it. */
START_TEST(whatIsOpenIsTheEngines)
{
    static const double drifts[] = {1e-5, 1e-3, 0.1};
    const double drift = drifts[_i], sum = (2 * 8 + drift * 7) / (2 + drift);
    // the rows' own solution has almost nothing of the engine's, and is half as far again away
    const double own = 1e-5 * drift, distance = -1.5 * drift * (7 - sum) / (2 * (2 + own));
    const double rounding = 10 * kRounding / drift;  // of rows that depend on each other up to the drift
    Given *g = twoRows(0, 0, drift);
    stay(g);
    g->force[0][0] = -8;
    for (int j = 0; j < 2; j++) {
        g->joint[j].rate = 3;
        g->joint[j].missed = 1;
        g->joint[j].before = 0.5;
        g->joint[j].reported[0] = j ? 2 : 5;
    }
    g->island.lastStep = 0.25;
    CHECK_OK(solve(g));
    ck_assert_double_eq_tol(g->permitted, -3 * 2 / (2 + drift), 3 * kRounding);
    ck_assert_double_eq_tol(g->own, -3 * 2 / (2 + own), 3 * kRounding);
    for (int j = 0; j < 2; j++) {
        const ksiCoreLoop *row = &g->island.joint[j];
        const double expected = sum / 2 + (j ? -1.5 : 1.5);
        ck_assert_double_eq_tol(row->multiplier[0], expected, rounding);
        ck_assert_double_ge(row->bar[0], fabs(4 + (j ? -1.5 : 1.5) - row->multiplier[0]));
        ck_assert_double_eq_tol(row->distance[0], distance, 1e5 * rounding);
        ck_assert_double_eq_tol(row->slack[0], -3 / (2 + own), 1e5 * rounding);
        // the remaining error has changed by the last step's error; the engine's share of it, by
        // that step's length
        const double left = -(3 + 1) / (2 + own);
        ck_assert_double_eq_tol(row->left[0], left, 1e5 * rounding);
        ck_assert_double_eq_tol(row->excess[0], drift * (left - 0.5) / 0.25 / (2 + drift), 1e5 * rounding);
        ck_assert_double_eq_tol(ksiCoreRowsInverse(&g->island.core, j)[0].at[0], (1 + drift) / (drift * (2 + drift)),
                                rounding / drift);
    }
    drop(g);
}
END_TEST

/* A row is turned by an angle in the fitting pose: the bar contains the effect on the load across
 * it. */
START_TEST(barsContainTheMove)
{
    const double angle = 1e-2;
    Given *g = twoRows(0, 0, 1e-9);
    g->joint[1].initial[0][0] = 0, g->joint[1].initial[0][1] = 1;  // along y
    g->joint[1].fitted[0][0] = sin(angle), g->joint[1].fitted[0][1] = cos(angle);
    g->force[0][1] = -1;
    CHECK_OK(solve(g));
    ck_assert_double_eq_tol(g->island.joint[0].multiplier[0], 0, 1e-8);
    ck_assert_double_eq_tol(g->island.joint[1].multiplier[0], 1, 1e-8);
    ck_assert_double_ge(g->island.joint[0].bar[0], tan(angle) * (1 - angle));
    ck_assert_double_lt(g->island.joint[0].bar[0], 2 * angle);
    drop(g);
}
END_TEST

/* Uniform in [-1, 1], the same on every machine. */
static double draw(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* Two rows of any numbers, almost parallel or less so, under any force, against long double: no
 * error is above its bar, and the median bar is at most 100 times the error. */
START_TEST(barsOfRounding)
{
    enum { DRAWN = 500 };
    double idle[2 * DRAWN];
    unsigned long long state = 4101842887655102017ULL;
    int count = 0;
    for (int i = 0; i < DRAWN; i++) {
        const double angle = 1e-3 * pow(300, 0.5 * (draw(&state) + 1)), size = exp(2 * draw(&state));
        long double right[2] = {0}, a[2][2] = {{0}};
        Given *g = twoRows(0, 0, DBL_MIN);
        double *const row[] = {g->joint[0].initial[0], g->joint[1].initial[0]};
        for (int k = 0; k < 6; k++) {
            row[0][k] = draw(&state), row[1][k] = size * (row[0][k] + angle * draw(&state));
            g->force[0][k] = draw(&state);
        }
        for (int l = 0; l < 2; l++) {
            memcpy(g->joint[l].fitted[0], row[l], sizeof g->joint[l].fitted[0]);
            g->joint[l].beta = draw(&state);
            right[l] = g->joint[l].beta;
            for (int k = 0; k < 6; k++) {
                right[l] -= (long double)row[l][k] * g->force[0][k];
                for (int m = 0; m < 2; m++)
                    a[l][m] += (long double)row[l][k] * row[m][k];
            }
        }
        CHECK_OK(solve(g));
        ck_assert_int_eq(g->island.core.stresses, 0);
        for (int l = 0; l < 2; l++) {
            const int m = 1 - l;
            const long double exact =
                (a[m][m] * right[l] - a[l][m] * right[m]) / (a[0][0] * a[1][1] - a[0][1] * a[1][0]);
            const double error = (double)fabsl(g->island.joint[l].multiplier[0] - exact);
            ck_assert_double_le(error, g->island.joint[l].bar[0]);
            if (error > 0)
                idle[count++] = g->island.joint[l].bar[0] / error;
        }
        drop(g);
    }
    qsort(idle, (size_t)count, sizeof *idle, ascending);
    ck_assert_double_le(idle[count / 2], 100);
}
END_TEST

/* Bodies on a line, each connected to the one before by two equivalent rows, the second twice as
 * long; soft: a spring from the last body to the ground. */
static Given *doubledChain(int bodies, int soft)
{
    Given *g = given(bodies, 2 * bodies + soft);
    for (int j = 0; j < g->joints; j++) {
        const bool isSpring = j == 2 * bodies;
        const double size = isSpring ? 1 : 1 + j % 2;
        const int body = isSpring ? bodies - 1 : j / 2, before = isSpring ? -1 : body - 1;
        join(g, j, body, before, 1);
        g->joint[j].initial[0][0] = size, g->joint[j].initial[0][6] = before < 0 ? 0 : -size;
        memcpy(g->joint[j].fitted, g->joint[j].initial, sizeof g->joint[j].fitted);
    }
    g->joint[0].gap[0] = 1e-3;
    return g;
}

/* A force of 6 pulls at the end: each pair carries it, in parts whose difference is the engine's. A
 * spring that demands 4 = J a + S lambda has 2 with S = 2, since nothing moves. The engine's report
 * explains all of this. */
START_TEST(manySelfStresses)
{
    enum { BODIES = 30 };
    const double pull = _i ? 4 : 6, own = 0.25;
    Given *g = doubledChain(BODIES, _i);
    ksiEight share[KSI_CORE_ROWS];
    for (int j = 0; j < 2 * BODIES; j++)
        g->joint[j].reported[0] = j % 2 ? pull / 4 - own / 2 : pull / 2 + own;
    g->force[BODIES - 1][0] = -6;
    g->joint[2 * BODIES].compliance = _i ? 2 : 0;
    g->joint[2 * BODIES].beta = 4;
    CHECK_OK(solve(g));
    ck_assert_int_eq(g->island.core.stresses, BODIES);
    for (int j = 0; j < 2 * BODIES; j++) {
        ck_assert_double_eq_tol(g->island.joint[j].multiplier[0], j % 2 ? pull / 4 - own / 2 : pull / 2 + own, 1e-11);
        // over its own two rows, (1, -1) / sqrt(2) of unit ones
        ksiCoreShares(&g->island.core, j, share);
        ck_assert_double_eq_tol(share[0].at[0], 0.5, kRounding);
    }
    if (_i)
        ck_assert_double_eq_tol(g->island.joint[2 * BODIES].multiplier[0], 2, 1e-11);
    drop(g);
}
END_TEST

/* Three equal rows on each of two bodies that a fourth row connects: two self-stresses each. The
 * part of a body's rows in them is the projector 1 - (1, 1, 1)^T (1, 1, 1) / 3. */
START_TEST(sharesOfOverlapping)
{
    Given *g = given(2, 3);
    ksiEight share[KSI_CORE_ROWS];
    for (int j = 0; j < 3; j++) {
        const bool isTie = j == 2;
        join(g, j, isTie ? 0 : j, isTie ? 1 : -1, isTie ? 1 : 3);
        for (int l = 0; l < g->joint[j].rows; l++)
            g->joint[j].initial[l][isTie] = 1, g->joint[j].initial[l][7] = isTie ? -1 : 0;
        memcpy(g->joint[j].fitted, g->joint[j].initial, sizeof g->joint[j].fitted);
    }
    for (int l = 0; l < 3; l++)
        g->joint[0].gap[l] = 1e-3;
    CHECK_OK(find(g));
    ck_assert_int_eq(g->island.core.stresses, 4);
    for (int j = 0; j < 2; j++) {
        ksiCoreShares(&g->island.core, j, share);
        for (int l = 0; l < 3; l++)
            for (int k = 0; k < 3; k++)
                ck_assert_double_eq_tol(share[l].at[k], (l == k ? 1 : 0) - 1. / 3, 10 * kRounding);
    }
    drop(g);
}
END_TEST

/* Three equal rows hold a body, the last one at a bound: the self-stresses are those of the first
 * two alone, and their multipliers against a force of -8 are independent of the last one. Once it
 * is inside its bounds, another row is decided in the same pose. */
START_TEST(rowsAtBoundsHaveNoPart)
{
    const double drift = 1e-4;
    Given *g = given(1, 1);
    ksiEight share[KSI_CORE_ROWS];
    join(g, 0, 0, -1, 3);
    for (int l = 0; l < 3; l++)
        g->joint[0].initial[l][0] = 1;
    g->joint[0].gap[0] = drift;
    g->joint[0].isIdle = true;
    g->force[0][0] = -8;
    stay(g);
    CHECK_OK(solve(g));
    ck_assert_int_eq(g->island.core.stresses, 1);
    ksiCoreShares(&g->island.core, 0, share);
    for (int l = 0; l < 3; l++) {
        ck_assert_double_eq_tol(share[0].at[l], l == 2 ? 0 : l ? -0.5 : 0.5, kRounding);
        // of rows that depend on each other up to the drift
        ck_assert_double_eq_tol(g->island.joint[0].multiplier[l], l == 2 ? 0 : 8 / (2 + drift), 10 * kRounding / drift);
    }
    g->joint[0].isIdle = false;
    CHECK_OK(place(g, &g->island, true));
    memcpy(g->island.row[0], g->joint[0].initial, sizeof g->joint[0].initial);
    CHECK_OK(ksiCoreDecideAnew(&g->island, &g->host));
    ck_assert_int_eq(g->island.core.stresses, 2);
    drop(g);
}
END_TEST

/* Bodies on a line, each connected to the next: K K^T has 1 on its diagonal and -1/2 beside it, and
 * the singular values sqrt(2) sin(k pi / (2 rows + 2)) leave no gap. */
static Given *tiedChain(int rows, double tolerance)
{
    Given *g = given(rows + 1, rows);
    g->island.tolerance = tolerance;
    stay(g);
    for (int j = 0; j < rows; j++) {
        join(g, j, j, j + 1, 1);
        g->joint[j].initial[0][0] = sqrt(0.5), g->joint[j].initial[0][6] = -sqrt(0.5);
        g->joint[j].gap[0] = 0.1;
    }
    return g;
}

/* All rows below the tolerance are dependent, and are separated from their neighbours above it. */
START_TEST(continuum)
{
    enum { ROWS = 300 };
    static const double tolerances[] = {1e-3, 1e-2, 5e-2, 0.3, 0.5};
    const int below = (int)((2 * ROWS + 2) / acos(-1) * asin(tolerances[_i] / sqrt(2)));
    Given *g = tiedChain(ROWS, tolerances[_i]);
    CHECK_OK(find(g));
    ck_assert_int_eq(g->island.core.stresses, below);
    drop(g);
}
END_TEST

/* Directions that only a block of all of them finds, and more directions than can be examined. */
START_TEST(tooMany)
{
    Given *g = tiedChain(1000, 0.7);
    ck_assert_int_eq(find(g), KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(g->island.core.stresses, 0);
    drop(g);
}
END_TEST

/* A force that is not finite gives no value. */
START_TEST(forceThatIsNone)
{
    Given *g = doubledChain(3, 0);
    g->force[1][1] = NAN;
    g->force[1][0] = NAN;
    ck_assert_int_eq(solve(g), KS_ERROR_BOUND);
    drop(g);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("rows");
    tcase_add_loop_test(tcase, whatComesTogetherDepends, 0, 6);
    tcase_add_loop_test(tcase, whatIsLeftDepends, 0, 2);
    tcase_add_loop_test(tcase, toleranceDecidesWhereItStays, 0, 2);
    tcase_add_test(tcase, stepIsDamped);
    tcase_add_test(tcase, contradictionEndsTheWay);
    tcase_add_loop_test(tcase, whatIsOpenIsTheEngines, 0, 3);
    tcase_add_test(tcase, barsContainTheMove);
    tcase_add_test(tcase, barsOfRounding);
    tcase_add_loop_test(tcase, manySelfStresses, 0, 2);
    tcase_add_test(tcase, sharesOfOverlapping);
    tcase_add_test(tcase, rowsAtBoundsHaveNoPart);
    tcase_add_loop_test(tcase, continuum, 0, 5);
    tcase_add_test(tcase, tooMany);
    tcase_add_test(tcase, forceThatIsNone);
    return runCase("core rows", tcase);
}

/* check_nearest.c  Dependent rows after the joints have been brought together, on two rows of one body. */
#include "mechanics/nearest/nearest.h"

#include "base/arena.h"
#include "tests/kits/support.h"

#include <float.h>

static ksiArena arena;                 /* of the one at hand */
static const double kRounding = 1e-14; /* of sums of a few products of 1 */

/* x v_x + ... = 0 twice, the second row turned by an angle towards y: where the bodies are, and in the pose found. */
static ksiNearest twoRows(double initial, double fitted)
{
    ksiNearest n = {0};
    ksiArenaOpen(&arena, NULL, &n.allocator);
    CHECK_OK(ksiNearestBegin(&n, 1, &(const ksiNearestRows){.positions = 2}));
    n.weight[0] = 1;
    n.radius = 1;
    n.inputRounding = DBL_EPSILON;
    n.tolerance = 1e-4;
    for (int l = 0; l < 2; l++) {
        n.body[l][0] = 0, n.body[l][1] = -1;
        n.gap[l] = 0;
        memset(n.initial + 12 * l, 0, 12 * sizeof(double));
        memset(n.fitted + 12 * l, 0, 12 * sizeof(double));
        n.initial[12 * l] = l ? cos(initial) : 1, n.initial[12 * l + 1] = l ? sin(initial) : 0;
        n.fitted[12 * l] = l ? cos(fitted) : 1, n.fitted[12 * l + 1] = l ? sin(fitted) : 0;
    }
    n.gap[0] = 0.1;
    CHECK_OK(ksiNearestMeasure(&n));
    CHECK_OK(ksiNearestOrder(&n, 3));
    n.gap[0] = 0;
    return n;
}

/* Part of a row in a self-stress. */
static double partOf(const ksiNearest *n, int stress, int row)
{
    return ksiStressAt(ksiNearestStresses(n), stress, n->profile.place[row]);
}

/* Singular values of two unit rows at a small angle: angle / sqrt(2), and so is the change of their difference. An
 * angle that went from 1e-2 to 2e-3 as the gaps did means dependence; one that was 2e-3 before does not, nor does one that was
 * 3e-3, nor any where the gaps are closed. */
START_TEST(whatComesTogetherDepends)
{
    static const struct {
        double initial, fitted, left;
        int count;
    } cases[] = {{1e-2, 2e-3, 2e-4, 1}, {2e-3, 2e-3, 2e-4, 0},   {3e-3, 2e-3, 2e-4, 0},
                 {1e-4, 1e-4, 0, 1},    {-1e-2, -2e-3, 2e-4, 1}, {1e-2, 2e-3, 0, 0}};
    ksiNearest n = twoRows(cases[_i].initial, cases[_i].fitted);
    n.drift = 1e-3;
    n.gap[1] = cases[_i].left;
    CHECK_OK(ksiNearestArrive(&n, 1));
    CHECK_OK(ksiNearestDecide(&n));
    ck_assert_int_eq(n.stressCount, cases[_i].count);
    for (int l = 0; n.stressCount && l < 2; l++)
        ck_assert_double_eq_tol(fabs(partOf(&n, 0, l)), sqrt(0.5), 1e-9);
    ksiArenaClose(&arena);
}
END_TEST

/* Up to three times the remaining errors decide nothing. */
START_TEST(whatIsLeftDepends)
{
    for (int left = 0; left < 2; left++) {
        ksiNearest n = twoRows(2e-3, 2e-3);
        n.gap[1] = left ? 6e-4 : 4e-4;  // the singular value is 1.4e-3
        CHECK_OK(ksiNearestArrive(&n, 1));
        CHECK_OK(ksiNearestDecide(&n));
        ck_assert_int_eq(n.stressCount, left);
        ksiArenaClose(&arena);
    }
}
END_TEST

/* Where the joints do not come together, what depends where they are, however large the drift. */
START_TEST(toleranceDecidesWhereItStays)
{
    const int depends = _i;
    ksiNearest n = twoRows(depends ? 1e-4 : 0.05, depends ? 1e-4 : 0.05);
    CHECK_OK(ksiNearestArrive(&n, 0));
    CHECK_OK(ksiNearestDecide(&n));
    ck_assert_int_eq(n.stressCount, depends);
    ksiArenaClose(&arena);
}
END_TEST

/* Two equal rows that demand 0.1 and 0: half of it each, (K K^T + m) y = e, with m = 0.1 drift^2. */
START_TEST(stepIsDamped)
{
    ksiNearest n = twoRows(0, 0);
    n.gap[0] = 0.1;
    CHECK_OK(ksiNearestFactor(&n, n.initial, 0.1 * n.drift * n.drift));
    ksiNearestMove(&n);
    ck_assert_double_eq_tol(n.motion[0], 0.1 / (2 + 0.1 * 0.1 * 0.1), 1e-12);
    ksiArenaClose(&arena);
}
END_TEST

/* Rows that hold a body twice against a force of -8, of which the engine has reported 5 and 2. Their difference is the engine's own;
 * their sum s is that of (2 + delta) s = 2 * 8 + delta * 7, and the velocity of 3 that breaks them goes by 2 / (2 + delta) of it. */
START_TEST(whatIsOpenIsTheEngines)
{
    static const double drifts[] = {1e-5, 1e-3, 0.1};
    const double drift = drifts[_i], sum = (2 * 8 + drift * 7) / (2 + drift);
    // the rows' own solution has next to nothing of the engine's, and is half as much again as far away
    const double own = 1e-5 * drift, distance = -1.5 * drift * (7 - sum) / (2 * (2 + own));
    ksiNearest n = twoRows(0, 0);
    CHECK_OK(ksiNearestArrive(&n, 1));
    CHECK_OK(ksiNearestDecide(&n));
    n.drift = drift;
    for (int k = 0; k < 6; k++)
        n.force[k] = k == 0 ? -8 : 0;
    for (int l = 0; l < 2; l++) {
        n.rate[l] = 3, n.beta[l] = n.betaError[l] = n.shift[l] = n.compliance[l] = 0;
        n.reported[l] = l ? 2 : 5;
        n.usual[l] = NAN;
    }
    CHECK_OK(ksiNearestReturn(&n));
    CHECK_OK(ksiNearestCorrect(&n));
    ck_assert_double_eq_tol(n.motion[0], -3 * 2 / (2 + drift), 3 * kRounding);
    ck_assert_double_eq_tol(n.before[0], -3 * 2 / (2 + own), 3 * kRounding);
    CHECK_OK(ksiNearestSolve(&n));
    CHECK_OK(ksiNearestBars(&n));
    // of rows that depend on each other up to the drift
    const double rounding = 10 * kRounding / drift;
    for (int l = 0; l < 2; l++) {
        const double expected = sum / 2 + (l ? -1.5 : 1.5);
        ck_assert_double_eq_tol(n.multiplier[l], expected, rounding);
        ck_assert_double_ge(n.bar[l], fabs(4 + (l ? -1.5 : 1.5) - n.multiplier[l]));
        ck_assert_double_eq_tol(n.distance[l], distance, 1e5 * rounding);
        ck_assert_double_eq_tol(n.slack[l], -3 / (2 + own), 1e5 * rounding);
        ck_assert_double_eq_tol(ksiNearestInverse(&n, l, l), (1 + drift) / (drift * (2 + drift)), rounding / drift);
    }
    ck_assert_double_eq_tol(ksiNearestInverse(&n, 0, 1), -1 / (drift * (2 + drift)), rounding / drift);
    ksiArenaClose(&arena);
}
END_TEST

/* A row in the pose found is turned by an angle: the bar contains what the load across it becomes. */
START_TEST(barsContainTheMove)
{
    const double angle = 1e-2;
    ksiNearest n = twoRows(angle, 0);
    n.initial[12] = 0, n.initial[13] = 1;  // along y
    n.fitted[12] = sin(angle), n.fitted[13] = cos(angle);
    CHECK_OK(ksiNearestMeasure(&n));
    n.drift = 1e-9;
    CHECK_OK(ksiNearestArrive(&n, 1));
    CHECK_OK(ksiNearestDecide(&n));
    for (int k = 0; k < 6; k++)
        n.force[k] = k == 1 ? -1 : 0;
    for (int l = 0; l < 2; l++)
        n.rate[l] = n.reported[l] = n.beta[l] = n.betaError[l] = n.shift[l] = n.compliance[l] = 0, n.usual[l] = NAN;
    CHECK_OK(ksiNearestReturn(&n));
    CHECK_OK(ksiNearestCorrect(&n));
    CHECK_OK(ksiNearestSolve(&n));
    CHECK_OK(ksiNearestBars(&n));
    ck_assert_double_eq_tol(n.multiplier[0], 0, 1e-8);
    ck_assert_double_eq_tol(n.multiplier[1], 1, 1e-8);
    ck_assert_double_ge(n.bar[0], tan(angle) * (1 - angle));
    ck_assert_double_lt(n.bar[0], 2 * angle);
    ksiArenaClose(&arena);
}
END_TEST

/* Uniform in [-1, 1], the same on every machine. */
static double draw(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Two rows of any numbers, nearly parallel or less so, under any force, against long double: no error is above its
 * bar, and the median bar is at most 100 times the error. */
START_TEST(barsOfRounding)
{
    enum { DRAWN = 500 };
    double idle[2 * DRAWN];
    unsigned long long state = 4101842887655102017ULL;
    int count = 0;
    for (int i = 0; i < DRAWN; i++) {
        const double angle = 1e-3 * pow(300, 0.5 * (draw(&state) + 1)), size = exp(2 * draw(&state));
        long double right[2] = {0}, a[2][2] = {{0}};
        ksiNearest n = twoRows(0, 0);
        for (int k = 0; k < 6; k++) {
            n.initial[k] = draw(&state), n.initial[12 + k] = size * (n.initial[k] + angle * draw(&state));
            n.force[k] = draw(&state);
        }
        memcpy(n.fitted, n.initial, 24 * sizeof *n.fitted);
        for (int l = 0; l < 2; l++) {
            n.rate[l] = n.reported[l] = n.betaError[l] = n.shift[l] = n.compliance[l] = 0;
            n.usual[l] = NAN;
            n.beta[l] = draw(&state);
            right[l] = n.beta[l];
            for (int k = 0; k < 6; k++) {
                right[l] -= (long double)n.fitted[12 * l + k] * n.force[k];
                for (int m = 0; m < 2; m++)
                    a[l][m] += (long double)n.fitted[12 * l + k] * n.fitted[12 * m + k];
            }
        }
        CHECK_OK(ksiNearestMeasure(&n));
        CHECK_OK(ksiNearestArrive(&n, 1));
        CHECK_OK(ksiNearestDecide(&n));
        ck_assert_int_eq(n.stressCount, 0);
        n.drift = 0;
        CHECK_OK(ksiNearestReturn(&n));
        CHECK_OK(ksiNearestCorrect(&n));
        CHECK_OK(ksiNearestSolve(&n));
        CHECK_OK(ksiNearestBars(&n));
        for (int l = 0; l < 2; l++) {
            const int m = 1 - l;
            const long double exact =
                (a[m][m] * right[l] - a[l][m] * right[m]) / (a[0][0] * a[1][1] - a[0][1] * a[1][0]);
            const double error = (double)fabsl(n.multiplier[l] - exact);
            ck_assert_double_le(error, n.bar[l]);
            if (error > 0)
                idle[count++] = n.bar[l] / error;
        }
        ksiArenaClose(&arena);
    }
    qsort(idle, (size_t)count, sizeof *idle, ascending);
    ck_assert_double_le(idle[count / 2], 100);
}
END_TEST

/* Bodies of mass 1 on a line, each held to the one before by two rows that say the same, the second twice as long; soft: a spring
 * from the last to the ground. */
static ksiNearest doubledChain(int bodies, int soft, ksStatus decided)
{
    ksiNearest n = {0};
    const int rows = 2 * bodies + soft;
    ksiArenaOpen(&arena, NULL, &n.allocator);
    CHECK_OK(ksiNearestBegin(&n, bodies, &(const ksiNearestRows){.positions = 2 * bodies, .soft = soft}));
    n.radius = 1;
    n.inputRounding = DBL_EPSILON;
    n.tolerance = 1e-4;
    for (int b = 0; b < bodies; b++)
        n.weight[b] = 1;
    for (int i = 0; i < 6 * bodies; i++)
        n.force[i] = 0;
    for (int l = 0; l < rows; l++) {
        const double size = l < 2 * bodies ? 1 + l % 2 : 1;
        n.body[l][0] = l < 2 * bodies ? l / 2 : bodies - 1, n.body[l][1] = l < 2 * bodies ? l / 2 - 1 : -1;
        memset(n.initial + 12 * l, 0, 12 * sizeof(double));
        n.initial[12 * l] = size, n.initial[12 * l + 6] = n.body[l][1] < 0 ? 0 : -size;
        n.gap[l] = n.rate[l] = n.reported[l] = n.beta[l] = n.betaError[l] = n.shift[l] = n.compliance[l] = 0;
        n.usual[l] = NAN;
    }
    memcpy(n.fitted, n.initial, (size_t)rows * 12 * sizeof(double));
    n.gap[0] = 1e-3;
    CHECK_OK(ksiNearestMeasure(&n));
    CHECK_OK(ksiNearestOrder(&n, rows * (rows + 1) / 2));
    n.gap[0] = 0;
    CHECK_OK(ksiNearestArrive(&n, 1));
    ck_assert_int_eq(ksiNearestDecide(&n), decided);
    return n;
}

/* Pulled at its end by 6: each pair carries it, in parts that differ by the engine's own. A spring that asks for 4 = J a + S
 * lambda has 2 with S = 2, for nothing moves. What the engine has reported explains all that. */
START_TEST(manySelfStresses)
{
    enum { BODIES = 30 };
    const int soft = _i;
    const double pull = soft ? 4 : 6, own = 0.25;
    ksiNearest n = doubledChain(BODIES, soft, KS_OK);
    ck_assert_int_eq(n.stressCount, BODIES);
    for (int l = 0; l < 2 * BODIES; l++)
        n.reported[l] = l % 2 ? pull / 4 - own / 2 : pull / 2 + own;
    CHECK_OK(ksiNearestReturn(&n));
    CHECK_OK(ksiNearestCorrect(&n));
    n.force[6 * (BODIES - 1)] = -6;
    if (soft)
        n.compliance[2 * BODIES] = 2, n.beta[2 * BODIES] = 4;
    CHECK_OK(ksiNearestSolve(&n));
    CHECK_OK(ksiNearestBars(&n));
    for (int l = 0; l < 2 * BODIES; l++)
        ck_assert_double_eq_tol(n.multiplier[l], l % 2 ? pull / 4 - own / 2 : pull / 2 + own, 1e-11);
    if (soft)
        ck_assert_double_eq_tol(n.multiplier[2 * BODIES], 2, 1e-11);
    ksiArenaClose(&arena);
}
END_TEST

/* Three rows that hold a body alike, the last one idle: of their two self-stresses that of the first two is chosen without it, none
 * without the second, too; and what the first two carry against a force of -8 does not know of it. */
START_TEST(idleRowsHaveAPartInSelfStressesAlone)
{
    static const int without[] = {2, 1};
    const double drift = 1e-4;
    ksiNearest n = {0};
    ksiArenaOpen(&arena, NULL, &n.allocator);
    CHECK_OK(ksiNearestBegin(&n, 1, &(const ksiNearestRows){.positions = 2, .idle = 1}));
    n.weight[0] = n.radius = 1;
    n.inputRounding = DBL_EPSILON;
    n.tolerance = 1e-4;
    for (int l = 0; l < 3; l++) {
        n.body[l][0] = 0, n.body[l][1] = -1;
        n.gap[l] = 0;
        memset(n.initial + 12 * l, 0, 12 * sizeof(double));
        n.initial[12 * l] = 1;
    }
    memcpy(n.fitted, n.initial, 36 * sizeof(double));
    CHECK_OK(ksiNearestMeasure(&n));
    CHECK_OK(ksiNearestOrder(&n, 6));
    CHECK_OK(ksiNearestArrive(&n, 1));
    CHECK_OK(ksiNearestDecide(&n));
    ck_assert_int_eq(n.stressCount, 2);
    CHECK_OK(ksiNearestChoose(&n, 1, without));
    ck_assert_int_eq(n.stressCount, 1);
    for (int l = 0; l < 3; l++)
        ck_assert_double_eq_tol(partOf(&n, 0, l) * partOf(&n, 0, 0), l == 2 ? 0 : l ? -0.5 : 0.5, kRounding);
    CHECK_OK(ksiNearestChoose(&n, 2, without));
    ck_assert_int_eq(n.stressCount, 0);
    n.drift = drift;
    for (int l = 0; l < 3; l++)
        n.rate[l] = n.reported[l] = n.beta[l] = n.betaError[l] = n.shift[l] = n.compliance[l] = 0, n.usual[l] = NAN;
    for (int k = 0; k < 6; k++)
        n.force[k] = k == 0 ? -8 : 0;
    CHECK_OK(ksiNearestReturn(&n));
    CHECK_OK(ksiNearestCorrect(&n));
    CHECK_OK(ksiNearestSolve(&n));
    CHECK_OK(ksiNearestBars(&n));
    // of rows that depend on each other up to the drift
    for (int l = 0; l < 2; l++)
        ck_assert_double_eq_tol(n.multiplier[l], 8 / (2 + drift), 10 * kRounding / drift);
    ck_assert_double_eq(n.multiplier[2], 0);
    ksiArenaClose(&arena);
}
END_TEST

enum { ROWS = 300 };

/* |K^T s|, of a self-stress of rows sqrt(1/2) (1, -1) over neighbours: its singular value, if |s| is 1. */
static double leftOver(const ksiNearest *n, int stress)
{
    double square = 0;
    for (int b = 0; b <= ROWS; b++) {
        const double left = (b < ROWS ? partOf(n, stress, b) : 0) - (b > 0 ? partOf(n, stress, b - 1) : 0);
        square += 0.5 * left * left;
    }
    return sqrt(square);
}

/* Bodies of mass 1 on a line, each tied to the next: K K^T has 1 on its diagonal and -1/2 beside it, and the singular
 * values sqrt(2) sin(k pi / (2 rows + 2)) leave no gap. */
static ksiNearest tiedChain(int rows, double tolerance, ksStatus decided)
{
    ksiNearest n = {0};
    ksiArenaOpen(&arena, NULL, &n.allocator);
    CHECK_OK(ksiNearestBegin(&n, rows + 1, &(const ksiNearestRows){.positions = rows}));
    n.radius = 1;
    n.tolerance = tolerance;
    for (int b = 0; b <= rows; b++)
        n.weight[b] = 1;
    for (int l = 0; l < rows; l++) {
        n.body[l][0] = l, n.body[l][1] = l + 1;
        memset(n.initial + 12 * l, 0, 12 * sizeof(double));
        n.initial[12 * l] = sqrt(0.5), n.initial[12 * l + 6] = -sqrt(0.5);
        n.gap[l] = 0.1;
    }
    memcpy(n.fitted, n.initial, (size_t)rows * 12 * sizeof(double));
    CHECK_OK(ksiNearestMeasure(&n));
    CHECK_OK(ksiNearestOrder(&n, 2 * rows));
    CHECK_OK(ksiNearestArrive(&n, 0));
    ck_assert_int_eq(ksiNearestDecide(&n), decided);
    return n;
}

/* All below the tolerance depend, the vector of the least first, and are told from their neighbours above it. */
START_TEST(continuum)
{
    static const double tolerances[] = {1e-3, 1e-2, 5e-2, 0.3, 0.5};
    const int below = (int)((2 * ROWS + 2) / acos(-1) * asin(tolerances[_i] / sqrt(2)));
    ksiNearest n = tiedChain(ROWS, tolerances[_i], KS_OK);
    ck_assert_int_eq(n.stressCount, below);
    for (int k = 0; k < below; k++)
        ck_assert_double_eq_tol(leftOver(&n, k), sqrt(2) * sin((k + 1) * acos(-1) / (2 * ROWS + 2)),
                                1e-5 * tolerances[_i]);
    ksiArenaClose(&arena);
}
END_TEST

/* Directions that only a block of all of them tells, and more of them than can be looked into. */
START_TEST(tooMany)
{
    ksiNearest n = tiedChain(1000, 0.7, KS_ERROR_UNAVAILABLE);
    ck_assert_int_eq(n.stressCount, 0);
    ksiArenaClose(&arena);
}
END_TEST

/* Of any number of pairs that say the same each is a self-stress over its own two rows, (1, -1) / sqrt(2) of unit ones, and all
 * that these share. */
START_TEST(closuresAreLocal)
{
    enum { BODIES = 400 };
    ksiNearest n = doubledChain(BODIES, 0, KS_OK);
    ck_assert_int_eq(n.stressCount, BODIES);
    for (int b = 0; b < BODIES; b++) {
        const int pair[] = {2 * b, 2 * b + 1};
        ck_assert_int_eq(ksiNearestStresses(&n)->from[b], 2 * b);
        ck_assert_int_eq(ksiNearestStresses(&n)->end[b], 2 * b + 2);
        ksiNearestShare(&n, 2, pair);
        for (int l = 0; l < 2; l++)
            for (int k = 0; k < 2; k++) {
                double sum = 0;
                for (int i = 0; i < KSI_SHARES; i++)
                    sum += n.share[KSI_SHARES * pair[l] + i] * n.share[KSI_SHARES * pair[k] + i];
                ck_assert_double_eq_tol(sum, l == k ? 0.5 : -0.5, kRounding);
            }
    }
    ksiArenaClose(&arena);
}
END_TEST

/* Three rows alike on each of two bodies that a fourth ties: two self-stresses each, which overlap; what a body's rows have of them is the
 * projector 1 - (1, 1, 1)^T (1, 1, 1) / 3. */
START_TEST(sharesOfOverlapping)
{
    enum { BODIES = 2, EACH_OF = 3, TIED = BODIES * EACH_OF + 1 };
    ksiNearest n = {0};
    ksiArenaOpen(&arena, NULL, &n.allocator);
    CHECK_OK(ksiNearestBegin(&n, BODIES, &(const ksiNearestRows){.positions = TIED}));
    n.radius = n.weight[0] = n.weight[1] = 1;
    n.inputRounding = DBL_EPSILON;
    n.tolerance = 1e-4;
    for (int l = 0; l < TIED; l++) {
        const int isTie = l == TIED - 1;
        n.body[l][0] = isTie ? 0 : l / EACH_OF, n.body[l][1] = isTie ? 1 : -1;
        memset(n.initial + 12 * l, 0, 12 * sizeof(double));
        n.initial[12 * l + isTie] = 1, n.initial[12 * l + 7] = isTie ? -1 : 0;
        n.gap[l] = 0;
    }
    memcpy(n.fitted, n.initial, TIED * 12 * sizeof(double));
    CHECK_OK(ksiNearestMeasure(&n));
    CHECK_OK(ksiNearestOrder(&n, TIED * TIED));
    CHECK_OK(ksiNearestArrive(&n, 1));
    CHECK_OK(ksiNearestDecide(&n));
    ck_assert_int_eq(n.stressCount, BODIES * (EACH_OF - 1));
    for (int b = 0; b < BODIES; b++) {
        const int row[] = {EACH_OF * b, EACH_OF * b + 1, EACH_OF * b + 2};
        ksiNearestShare(&n, EACH_OF, row);
        for (int l = 0; l < EACH_OF; l++)
            for (int k = 0; k < EACH_OF; k++) {
                double sum = 0;
                for (int i = 0; i < KSI_SHARES; i++)
                    sum += n.share[KSI_SHARES * row[l] + i] * n.share[KSI_SHARES * row[k] + i];
                ck_assert_double_eq_tol(sum, (l == k ? 1 : 0) - 1. / 3, 10 * kRounding);
            }
    }
    ksiArenaClose(&arena);
}
END_TEST

/* A force that is not finite gives no number. */
START_TEST(forceThatIsNone)
{
    ksiNearest n = doubledChain(3, 0, KS_OK);
    CHECK_OK(ksiNearestReturn(&n));
    CHECK_OK(ksiNearestCorrect(&n));
    n.force[7] = NAN;
    ck_assert_int_ne(ksiNearestSolve(&n), KS_OK);
    ksiArenaClose(&arena);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("nearest");
    TCase *tests = tcase_create("nearest");
    tcase_add_loop_test(tests, whatComesTogetherDepends, 0, 6);
    tcase_add_test(tests, idleRowsHaveAPartInSelfStressesAlone);
    tcase_add_test(tests, whatIsLeftDepends);
    tcase_add_loop_test(tests, toleranceDecidesWhereItStays, 0, 2);
    tcase_add_test(tests, stepIsDamped);
    tcase_add_loop_test(tests, whatIsOpenIsTheEngines, 0, 3);
    tcase_add_test(tests, barsContainTheMove);
    tcase_add_loop_test(tests, manySelfStresses, 0, 2);
    tcase_add_loop_test(tests, continuum, 0, 5);
    tcase_add_test(tests, barsOfRounding);
    tcase_add_test(tests, tooMany);
    tcase_add_test(tests, closuresAreLocal);
    tcase_add_test(tests, sharesOfOverlapping);
    tcase_add_test(tests, forceThatIsNone);
    suite_add_tcase(suite, tests);
    return runSuite(suite);
}

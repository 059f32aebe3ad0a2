/* check_bars.c  Error bars of a system that is refilled step after step belong to the present step:
 * they contain the true error, from binary128, even after a rotation of the mechanism or a change
 * of its masses. */
#include "tests/kits/system_kit.h"

enum { STEPS = 300 };

/* Size of small entries of masses and rows beside the larger ones, so that no entry is an exact
 * zero without rounding. */
static const double beside = 0.05;

static void build(ksSystem *system, const Dense *d)
{
    ksSystemClear(system);
    for (int b = 0; 6 * b < d->coordinates; b++) {
        double mass[36];
        int block;
        for (int i = 0; i < 36; i++)
            mass[i] = d->mass[6 * b + i / 6][6 * b + i % 6];
        ck_assert_ok(ksSystemAddBlock(system, 6, mass, d->force + 6 * b, NULL, &block));
    }
    for (int l = 0; l < d->rows; l++) {
        const int a = d->block[l][0], b = d->block[l][1];
        addRow(system, a, d->jacobian[l] + 6 * a, b, b < 0 ? NULL : d->jacobian[l] + 6 * b, d->beta[l],
               d->compliance[l]);
    }
}

static void drawBody(Dense *d, int b, double mass, unsigned long long *state)
{
    for (int i = 6 * b; i < 6 * b + 6; i++) {
        d->force[i] = mass * draw(state);
        d->mass[i][i] = mass * (1 + beside * draw(state));
    }
}

/* A row with about a_b[own] - a_parent[other] = beta; parent -1: the ground. */
static void addDenseRow(Dense *d, int b, int own, int parent, int other, unsigned long long *state)
{
    const int l = d->rows++;
    d->block[l][0] = b;
    d->block[l][1] = parent;
    for (int i = 0; i < 6; i++) {
        d->jacobian[l][6 * b + i] = (i == own) + beside * draw(state);
        if (parent >= 0)
            d->jacobian[l][6 * parent + i] = beside * draw(state) - (i == other);
    }
    d->beta[l] = draw(state);
    d->compliance[l] = 1e-8;
}

/* The ground holds a light bracket along one axis, and a heavy body sits on it. The axis decides
 * which of the body's rows act on the heavy body and which on the bracket alone; as seen from the
 * body, all axes are alike. loop: another bracket also holds the body on the ground. */
static void drawBracket(Dense *d, int held, int loop, double heavy, unsigned seed)
{
    unsigned long long state = seed;
    memset(d, 0, sizeof *d);
    d->coordinates = loop ? 18 : 12;
    drawBody(d, 0, 1, &state);
    drawBody(d, 1, heavy, &state);
    addDenseRow(d, 0, held, -1, 0, &state);
    for (int k = 0; k < 3; k++)
        addDenseRow(d, 1, k, 0, k, &state);
    if (!loop)
        return;
    drawBody(d, 2, 1, &state);
    addDenseRow(d, 2, held + 3, -1, 0, &state);
    for (int k = 3; k < 6; k++)
        addDenseRow(d, 1, k, 2, k, &state);
}

/* Multipliers by both routes and their bars. */
static void findBars(ksSystem *system, const Dense *d, double *gauss, double *paulus, double *bar)
{
    build(system, d);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, paulus, bar));
}

/* The part of the bars that remains if both routes have the same error. */
static void roundingBars(ksSystem *system, const Dense *d, double *paulus, double *bar)
{
    build(system, d);
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, paulus, paulus, bar));
}

/* Rotated by a right angle from step to step: earlier steps have no effect. */
START_TEST(turnedBracket)
{
    static const double heavy[] = {1, 1e2, 1e3, 3e3};
    static Dense d;
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    for (int step = 0; step < STEPS; step++) {
        drawBracket(&d, step % 3, _i % 2, heavy[_i / 2], 7 + (unsigned)(step / 3));
        ksSystem *fresh = newSystem();
        double exact[KIT_ROWS], motion[KIT_COORDINATES], found[KIT_ROWS], bar[KIT_ROWS], again[KIT_ROWS],
            wanted[KIT_ROWS];
        solveWide(&d, exact, motion);
        roundingBars(warm, &d, found, bar);
        roundingBars(fresh, &d, again, wanted);
        for (int l = 0; l < d.rows; l++) {
            ck_assert_double_le(fabs(found[l] - exact[l]), bar[l]);
            ck_assert_double_eq(bar[l], wanted[l]);
        }
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* A chain of random rows, closed to a loop in every other case, gets other masses: first slowly,
 * then at once. */
START_TEST(otherMasses)
{
    static Dense d;
    double exact[KIT_ROWS], motion[KIT_COORDINATES], gauss[KIT_ROWS], paulus[KIT_ROWS], bar[KIT_ROWS];
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    for (int step = 0; step < 40; step++) {
        drawDense(&d, (unsigned)_i, _i % 2 ? 25 : KIT_ROWS, 1e-8, step < 35 ? pow(1.1, step) : pow(1e6, step % 2), 0);
        solveWide(&d, exact, motion);
        findBars(warm, &d, gauss, paulus, bar);
        for (int l = 0; l < d.rows; l++) {
            ck_assert_double_le(fabs(gauss[l] - exact[l]), bar[l]);
            ck_assert_double_le(fabs(paulus[l] - exact[l]), bar[l]);
        }
    }
    ksSystemDestroy(warm);
}
END_TEST

/* Both values of an inspected tree come from one factorisation. Each joint has a row that nearly
 * depends on two others, as seen from one of its bodies. */
START_TEST(oneFactorisation)
{
    static const double ratio[] = {1, 1e3, 1e-3}, compliance[] = {0, 1e-8, 1e-2};
    static Dense d;
    double exact[KIT_ROWS], motion[KIT_COORDINATES], gauss[KIT_ROWS], paulus[KIT_ROWS], bar[KIT_ROWS];
    int trees = 0;
    for (double near = 1; near > 1e-3; near /= 1.5) {
        ksSystem *system = newSystem();
        drawDense(&d, (unsigned)_i, 25, compliance[_i % 3], ratio[_i / 3 % 3], 0);
        for (int l = 4; l < d.rows; l += 5)
            for (int i = 6 * d.block[l][_i % 2], k = 0; k < 6; k++)
                d.jacobian[l][i + k] =
                    d.jacobian[l - 1][i + k] + d.jacobian[l - 2][i + k] + near * d.jacobian[l][i + k];
        solveWide(&d, exact, motion);
        buildDense(system, &d);
        if (!ksiSystemSolveTree(system, gauss, NULL)) {
            trees++;
            ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
            ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, paulus, bar));
            for (int l = 0; l < d.rows; l++) {
                ck_assert_double_le(fabs(gauss[l] - exact[l]), bar[l]);
                ck_assert_double_le(fabs(paulus[l] - exact[l]), bar[l]);
            }
        }
        ksSystemDestroy(system);
    }
    // with unequal masses, some are solved as general systems
    ck_assert(trees > 0 || ratio[_i / 3 % 3] != 1);
}
END_TEST

int main(void)
{
    TCase *follow = tcase_create("warm");
    tcase_add_loop_test(follow, turnedBracket, 0, 8);
    tcase_add_loop_test(follow, otherMasses, 0, 10);
    tcase_add_loop_test(follow, oneFactorisation, 0, 72);
    return runCase("bars", follow);
}

/* check_warmstart.c  A system that is refilled step after step makes the same decisions as a new
 * one: rank, determinacy, self-stresses and the multipliers without them, in every step and through
 * singular poses. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/warmstart_kit.h"

/* Through the upright position, where more entries vanish than elsewhere, and with a jump. */
START_TEST(rowOfLoops)
{
    enum { LOOPS = 8 };
    static const struct {
        double compliance, heavier, drift, near;
    } kind[] = {{0, 1, 0, 1e-9}, {1e-7, 1, 0, 1e-9}, {1e-7, 9, 0, 1e-9}, {1e-7, 1, 1e-8, 1e-3}};
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    hingeCompliance = kind[_i].compliance;
    // no singular values; without compliance the rank to rounding needs some
    ksiSystemSetDenseBudget(warm, hingeCompliance > 0);
    heavier = kind[_i].heavier;
    for (int i = 0; i <= STEPS / 4; i++) {
        ksSystem *fresh = newSystem();
        const double angle = i == STEPS / 8 ? -0.9 : 0.02 * (i - STEPS / 16);
        ksSystemClear(warm);
        linkages(warm, LOOPS, angle, kind[_i].drift);
        linkages(fresh, LOOPS, angle, kind[_i].drift);
        expectSame(warm, fresh, kind[_i].near);
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* Loops without a common row have separate self-stresses; the ten rows of a door are in two
 * closures. */
START_TEST(loopsApart)
{
    const int hasDoor = _i % 2;
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    hingeCompliance = 1e-7;
    heavier = _i / 2 ? 9 : 1;
    for (int i = 0; i <= STEPS / 4; i++) {
        ksSystem *fresh = newSystem(), *both[2] = {warm, fresh};
        ksSystemClear(warm);
        for (int s = 0; s < 2; s++) {
            banach(both[s], 0.02 * i, 1.1, 0.8, 0);
            banach(both[s], 0.3 - 0.02 * i, 0.7, 0.2, 0);
            if (hasDoor)
                door(both[s], hingeCompliance, 0);
        }
        expectSame(warm, fresh, 1e-9);
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* Removes self-stresses from multipliers, with error bars. The rows of a loop contradict each
 * other. */
static void takeSelfStressOut(ksSystem *system, double *multiplier, double *bar)
{
    static const double none[MOST];
    double beta[MOST];
    unsigned long long state = 12345;
    for (int l = 0; l < ksSystemRowCount(system); l++)
        beta[l] = draw(&state);
    ksiSystemSetBeta(system, beta);
    ck_assert_ok(ksSystemSetRankTolerance(system, tolerance));
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, NULL));
    ck_assert_ok(ksiSystemProjectSelfStress(system, none, multiplier));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_PROJECTED, multiplier, multiplier, bar));
}

/* Self-stresses of many thousand times the loads act in drifted loops: the remaining multipliers
 * agree with those by singular vectors within the bars, whichever rows were omitted before. */
START_TEST(driftedLoops)
{
    enum { LOOPS = 4 };
    static const struct {
        double heavier, drift;
    } kind[] = {{1, 1e-5}, {9, 1e-5}, {1, 1e-4}, {9, 1e-4}};
    static double found[MOST], wanted[MOST], bar[2][MOST];
    double dense = 0;
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    hingeCompliance = 1e-7;
    heavier = kind[_i].heavier;
    for (int i = 0; i <= STEPS / 4; i++) {
        ksSystem *fresh = newSystem();
        const double angle = 0.05 * (i - STEPS / 8);
        double largest = 0;
        dense = insideDenseWork(warm);
        ksSystemClear(warm);
        linkages(warm, LOOPS, angle, kind[_i].drift);
        linkages(fresh, LOOPS, angle, kind[_i].drift);
        takeSelfStressOut(warm, found, bar[0]);
        takeSelfStressOut(fresh, wanted, bar[1]);
        for (int l = 0; l < ksSystemRowCount(fresh); l++)
            largest = fmax(largest, fabs(wanted[l]));
        for (int l = 0; l < ksSystemRowCount(fresh); l++) {
            ck_assert_near(found[l], wanted[l], bar[0][l] + bar[1][l]);
            ck_assert_double_le(bar[0][l], 1e-5 * largest);
        }
        ksSystemDestroy(fresh);
    }
    // without singular values, in the last step
    ck_assert_double_eq(insideDenseWork(warm), dense);
    ksSystemDestroy(warm);
}
END_TEST

/* J_2 = (cos, sin) of the angle between the other two: rows that took no part in a self-stress
 * begin to take part. */
START_TEST(partsGrow)
{
    static const double angle[] = {0, 1e-7, 1e-5, 1e-3, 0.1, 0};
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    for (size_t i = 0; i < sizeof angle / sizeof *angle; i++) {
        ksSystem *fresh = newSystem(), *both[2] = {warm, fresh};
        const double one[1] = {1}, c[1] = {cos(angle[i])}, s[1] = {sin(angle[i])};
        ksSystemClear(warm);
        for (int k = 0; k < 2; k++) {
            addParticle(both[k], 1, 1, one);
            addParticle(both[k], 1, 1, one);
            addRow(both[k], 0, one, -1, NULL, 0, 0);
            addRow(both[k], 1, one, -1, NULL, 0, 0);
            addRow(both[k], 0, c, 1, s, 0, 1e-7);
        }
        expectSame(warm, fresh, 1e-9);
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* Rows a, b and c of a particle. At first all are far apart, and c is omitted. Then b comes close
 * to a. It is off the plane of the others by 0.3 of the tolerance: c, in terms of a and b, by 20
 * times as much, which proves nothing; b by no more than that. So b has to be omitted instead of c:
 * singular values are not available. */
START_TEST(choiceIsExchanged)
{
    static const double apart[] = {1, 1, 0.05, 0.05, 0.1, 1};
    const double off = 0.3 * tolerance, c[3] = {0, 1, 0}, force[3] = {-1, -2, 0};
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    ksiSystemSetDenseBudget(warm, 1);
    for (size_t i = 0; i < COUNT_OF(apart); i++) {
        ksSystem *fresh = newSystem(), *both[2] = {warm, fresh};
        const double a[3] = {1, 0, 0}, b[3] = {sqrt(1 - apart[i] * apart[i]), apart[i], off};
        ksSystemClear(warm);
        for (int k = 0; k < 2; k++) {
            addParticle(both[k], 3, 1, force);
            addRow(both[k], 0, a, -1, NULL, 0, 1e-7);
            addRow(both[k], 0, b, -1, NULL, 0, 1e-7);
            addRow(both[k], 0, c, -1, NULL, 0, 1e-7);
        }
        expectSame(warm, fresh, 1e-3);
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* Without compliance the rank of linkages needs singular values, which are refused. While the
 * refusal is remembered, such rows are not tried again, even if compliance would decide them,
 * unless their number changes. Each consecutive refusal is remembered for four times as many calls
 * as the one before. */
START_TEST(refusalIsRemembered)
{
    enum { LOOPS = 6, MOST_CALLS = 2000 };
    static const struct {
        double compliance;
        int loops, calls; /* number of calls until it is forgotten; 0: not tested */
        ksStatus wasRefused, decided;
    } kinds[] = {{0, LOOPS, 0, KS_OK, KS_ERROR_UNAVAILABLE},
                 {1e-7, LOOPS, 0, KS_ERROR_UNAVAILABLE, KS_ERROR_UNAVAILABLE},
                 {1e-7, LOOPS + 1, 0, KS_OK, KS_OK},
                 {0, LOOPS, 0, KS_OK, KS_ERROR_UNAVAILABLE},
                 {0, LOOPS, 16, KS_OK, KS_ERROR_UNAVAILABLE},
                 {0, LOOPS, 64, KS_OK, KS_ERROR_UNAVAILABLE},
                 {0, LOOPS, 256, KS_OK, KS_ERROR_UNAVAILABLE},
                 {0, LOOPS, 1024, KS_OK, KS_ERROR_UNAVAILABLE},
                 {1e-7, LOOPS, 1024, KS_OK, KS_OK},
                 {0, LOOPS, 0, KS_OK, KS_ERROR_UNAVAILABLE},
                 {1e-7, LOOPS, 16, KS_OK, KS_OK}};
    ksSystem *warm = newSystem();
    size_t rank;
    heavier = 1;
    ksiSystemSetWarmStart(warm, NULL);
    ksiSystemSetDenseBudget(warm, 1);
    for (size_t i = 0; i < COUNT_OF(kinds); i++) {
        int calls = 0;
        hingeCompliance = kinds[i].compliance;
        ksSystemClear(warm);
        linkages(warm, kinds[i].loops, 0.7, 0);
        while (kinds[i].calls > 0 && ksiSystemCheckRefused(warm) && calls < MOST_CALLS)
            calls++;
        ck_assert_int_eq(calls, kinds[i].calls);
        ck_assert_int_eq(ksiSystemCheckRefused(warm), kinds[i].wasRefused);
        ck_assert_int_eq(ksSystemGetDeterminacy(warm, NULL, &rank), kinds[i].decided);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* Long rows have the same rank and determinacy as short ones, loop by loop; determined multipliers
 * equal the result of the range-space route. */
START_TEST(longRowOfLoops)
{
    enum { SHORT = 12, LONG = 1000, EACH = 15, ENDS = 5 };
    // effect of the compliance, 1e-9, summed over the row
    static const double compliant = 1e-5;
    ksSystem *few = newSystem(), *many = newSystem();
    static int determinate[EACH * LONG + ENDS];
    static double multiplier[EACH * LONG + ENDS], gauss[EACH * LONG + ENDS];
    static Decision wanted;
    size_t rank;
    double largest = 0;
    hingeCompliance = 1e-9;
    heavier = 1;
    ksiSystemSetWarmStart(many, NULL);
    ksiSystemSetDenseBudget(many, 1);
    linkages(few, SHORT, 0.7, 0);
    linkages(many, LONG, 0.7, 0);
    decide(few, &wanted);
    ck_assert_int_eq(wanted.count, 3 * SHORT);
    ck_assert_ok(ksSystemSetRankTolerance(many, tolerance));
    ck_assert_ok(ksSystemSetRigidCompliance(many, 1e-6));
    ck_assert_ok(ksSystemGetDeterminacy(many, determinate, &rank));
    ck_assert_uint_eq(rank, (EACH - 3) * LONG + ENDS);
    ck_assert_ok(ksSystemSolveLeastNorm(many, multiplier, NULL));
    ck_assert_ok(ksSystemSolveGauss(many, gauss, NULL));
    for (int l = 0; l < EACH * LONG + ENDS; l++)
        largest = fmax(largest, fabs(gauss[l]));
    for (int l = 0; l < EACH * LONG + ENDS; l++) {
        const int loop = l / EACH, fromEnd = LONG - loop;
        const int like = loop < SHORT / 2 ? loop : fromEnd < SHORT / 2 ? SHORT - fromEnd : SHORT / 2;
        const int row = EACH * like + l % EACH;
        ck_assert_int_eq(determinate[l], wanted.determinate[row]);
        if (determinate[l])
            ck_assert_near(multiplier[l], gauss[l], compliant * largest);
    }
    ksSystemDestroy(few);
    ksSystemDestroy(many);
}
END_TEST

/* Remembered bars are no shorter than new ones, and not much longer, also when the linkage passes
 * its dead point, and when it jumps. */
START_TEST(errorBars)
{
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    hingeCompliance = 1e-7;
    for (int i = 0; i <= 4 * STEPS; i++) {
        ksSystem *fresh = newSystem(), *both[2] = {warm, fresh};
        const double angle = 0.5 * M_PI + 1e-3 * (i - 3 * STEPS) - (i % 100 == 99);
        double paulus[20], bar[2][20];
        ksSystemClear(warm);
        for (int s = 0; s < 2; s++) {
            banach(both[s], angle, 1.1, 0.8, 0);
            ck_assert_ok(ksSystemSolvePaulus(both[s], paulus, NULL));
            ck_assert_ok(ksiSystemErrorBars(both[s], KSI_STRESS_NONE, paulus, paulus, bar[s]));
        }
        for (int l = 0; l < 20; l++) {
            ck_assert_double_ge(bar[0][l], bar[1][l]);
            // a factor of two for growth; most of the rest for values that have shrunk beyond the
            // dead point
            ck_assert_double_le(bar[0][l], 10 * bar[1][l]);
        }
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* A ring of three levers whose exact equations are solved first. Their solution decides alone if it
 * is clear without compliance, but not if only compliance separates the last row from the
 * others. */
START_TEST(solvedFirst)
{
    static const struct {
        double last, compliance;
        size_t rank;
        int decides;
    } ring[] = {{1, 0, 3, 1}, {1, 1e-3, 3, 1}, {-1, 0.01, 2, 0}, {-0.9, 1e-5, 3, 1}, {-0.999, 0.01, 3, 0}};
    const double one[1] = {1}, minus[1] = {-1}, last[1] = {ring[_i].last}, force[1] = {1};
    ksSystem *system = newSystem();
    size_t rank;
    double multiplier[3];
    ksiSystemSetWarmStart(system, NULL);
    ck_assert_ok(ksSystemSetRankTolerance(system, tolerance));
    ck_assert_ok(ksSystemSetRigidCompliance(system, 0.01));
    for (int l = 0; l < 3; l++)
        addParticle(system, 1, 1, force);
    addRow(system, 0, one, 1, minus, 0, ring[_i].compliance);
    addRow(system, 1, one, 2, minus, 0, ring[_i].compliance);
    addRow(system, 2, one, 0, last, 0, ring[_i].compliance);
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    const unsigned before = insideLayouts(system);
    ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
    ck_assert_uint_eq(rank, ring[_i].rank);
    // rows without their compliance have a pattern of their own
    ck_assert_int_eq(insideLayouts(system) == before, ring[_i].decides);
    ksSystemDestroy(system);
}
END_TEST

/* Rows that only their compliance separates, however large heavy bodies make its effect: no step
 * treats them as independent. There are more rows than a joint has. */
START_TEST(keptApartByCompliance)
{
    const double one[1] = {1}, force[1] = {1}, compliance[] = {1e-6, 1e-4, 1e-2, 1};
    ksSystem *system = newSystem();
    ksiSystemSetWarmStart(system, NULL);
    ck_assert_ok(ksSystemSetRankTolerance(system, tolerance));
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1));
    for (int step = 0; step < 4; step++) {
        size_t rank;
        double multiplier[8];
        ksSystemClear(system);
        addParticle(system, 1, 1, force);
        for (int l = 0; l < 8; l++)
            addRow(system, 0, one, -1, NULL, 0, compliance[_i]);
        ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
        ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
        ck_assert_uint_eq(rank, 1);
    }
    ksSystemDestroy(system);
}
END_TEST

static void fullRows(ksSystem *system, int rows, double own)
{
    const double force[6] = {1, 1, 1, 1, 1, 1};
    ksSystemClear(system);
    addParticle(system, 4, 1, force);
    addParticle(system, rows - 4, 1, force);
    for (int l = 0; l < rows; l++) {
        double j[10] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
        j[l] = own;
        addRow(system, 0, j, 1, j + 4, 0, 0);
    }
}

/* Old contents of memory or of scratch, even NaN, do not affect results. Fronts of all widths up to
 * a vector. */
START_TEST(scratchIsWritten)
{
    const int rows = 7 + _i;
    double multiplier[3][16];
    for (int pass = 0; pass < 3; pass++) {
        int byte = pass == 1 ? 0xff : 0;
        ksSystem *system = newFilledSystem(&byte);
        ksiSystemSetWarmStart(system, NULL);
        if (pass == 2) {
            double none[10];
            for (int i = 0; i < rows; i++)
                none[i] = NAN;
            fullRows(system, rows, 5);
            ksiSystemSetForce(system, none);
            ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier[pass], NULL), KS_ERROR_NOT_FINITE);
        }
        fullRows(system, rows, 3);
        ck_assert_ok(ksSystemSolvePaulus(system, multiplier[pass], NULL));
        ksSystemDestroy(system);
    }
    for (int pass = 1; pass < 3; pass++)
        for (int l = 0; l < rows; l++)
            ck_assert_double_eq(multiplier[0][l], multiplier[pass][l]);
}
END_TEST

/* The estimate of the least singular value starts again if the rows differ from the last step's. */
START_TEST(otherRows)
{
    int byte = 0xff;
    ksSystem *warm = newFilledSystem(&byte);
    static Decision decision;
    hingeCompliance = 1e-7;
    heavier = 1;
    ksiSystemSetWarmStart(warm, NULL);
    for (int step = 0; step < 6; step++) {
        const int loops = (step + _i) % 2 ? 2 : 6;
        const double angle = 0.3 + 0.01 * step;
        ksSystem *first = newSystem();
        ksiSystemSetWarmStart(first, NULL);
        ksSystemClear(warm);
        linkages(warm, loops, angle, 0);
        linkages(first, loops, angle, 0);
        decide(warm, &decision);
        decide(first, &decision);
        ck_assert_near(insideLeastSingular(warm) / insideLeastSingular(first), 1, 0.1);
        ksSystemDestroy(first);
    }
    ksSystemDestroy(warm);
}
END_TEST

int main(void)
{
    TCase *steps = tcase_create("steps");
    tcase_add_test(steps, errorBars);
    tcase_add_loop_test(steps, solvedFirst, 0, 5);
    tcase_add_loop_test(steps, keptApartByCompliance, 0, 4);
    tcase_add_loop_test(steps, scratchIsWritten, 0, 4);
    tcase_add_loop_test(steps, otherRows, 0, 2);
    tcase_add_loop_test(steps, loopsApart, 0, 4);
    tcase_add_loop_test(steps, rowOfLoops, 0, 4);
    tcase_add_loop_test(steps, driftedLoops, 0, 4);
    tcase_add_test(steps, partsGrow);
    tcase_add_test(steps, choiceIsExchanged);
    tcase_add_test(steps, refusalIsRemembered);
    tcase_add_test(steps, longRowOfLoops);
    return runCase("warmstart", steps);
}

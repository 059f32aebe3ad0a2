/* check_gauss.c  Both routes against each other and a reference in binary128. Closed forms:
 * check_examples.c. */
#include "tests/kits/system_kit.h"

static const double xAxis[3] = {1, 0, 0};

/* Random systems, rigid and compliant, light and heavy, against binary128.
 * Tolerance: the rows have a condition of up to 1e3 (equilibrated), and the routes lose at most its
 * square. */
START_TEST(againstReference)
{
    static Dense d;
    static const double compliance[] = {0, 1e-12, 1e-6, 1e-2, 10};
    static const double ratio[] = {1, 1e3, 1e6};
    double multiplier[KIT_ROWS], a[KIT_COORDINATES], found[2][KIT_ROWS], size[KIT_ROWS];
    ksSystem *system = newSystem();
    const double s = compliance[_i % 5], heavy = ratio[(_i / 5) % 3];
    drawDense(&d, (unsigned)_i, 4 + _i % 27, s, heavy, 0);
    buildDense(system, &d);
    solveWide(&d, multiplier, a);
    ck_assert_ok(ksSystemSolveGauss(system, found[0], NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, found[1], NULL));
    double largest = 0;
    for (int l = 0; l < d.rows; l++) {
        // rows of heavy bodies carry large multipliers: compare in the scale of the row's mass
        ksRelaxation relaxation;
        ck_assert_ok(ksSystemRelaxRow(system, l, NULL, NULL, &relaxation));
        size[l] = sqrt(relaxation.effectiveMass);
        largest = fmax(largest, fabs(multiplier[l]) / size[l]);
    }
    for (int l = 0; l < d.rows; l++)
        for (int route = 0; route < 2; route++)
            ck_assert_near(found[route][l] / size[l], multiplier[l] / size[l], 1e-10 * largest);
    ksSystemDestroy(system);
}
END_TEST

/* The error bars cover the true error, and are useful: the median of bar over error is below
 * 100. */
static void checkBars(double nearness, double compliance, double ratio)
{
    static Dense d;
    static double idle[40 * KIT_ROWS];
    int count = 0;
    for (unsigned seed = 0; seed < 40; seed++) {
        double multiplier[KIT_ROWS], a[KIT_COORDINATES], gauss[KIT_ROWS], paulus[KIT_ROWS], bar[KIT_ROWS];
        ksSystem *system = newSystem();
        drawDense(&d, 1000 + seed, 25, compliance, ratio, nearness);
        buildDense(system, &d);
        solveWide(&d, multiplier, a);
        ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
        ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
        double asked[KIT_ROWS];
        ck_assert_ok(ksSystemGetErrorBars(system, asked));
        ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, paulus, bar));
        ck_assert_mem_eq(asked, bar, (size_t)d.rows * sizeof *bar);
        for (int l = 0; l < d.rows; l++) {
            const double error = fmax(fabs(gauss[l] - multiplier[l]), fabs(paulus[l] - multiplier[l]));
            ck_assert_double_le(error, bar[l]);
            // an error of zero says nothing about the length of the bar
            if (error > 0)
                idle[count++] = bar[l] / error;
        }
        ksSystemDestroy(system);
    }
    qsort(idle, (size_t)count, sizeof *idle, ascending);
    ck_assert_double_le(idle[count / 2], 100);
}

START_TEST(errorBars)
{
    static const double nearness[] = {0, 1e-2, 1e-4, 1e-6}, compliance[] = {0, 1e-10, 1e-3}, ratio[] = {1, 1e4};
    checkBars(nearness[_i % 4], compliance[(_i / 4) % 3], ratio[_i / 12]);
}
END_TEST

/* Rows that are dependent except for 1e-6: either route keeps ten digits, the range-space route
 * because it sets them aside. */
START_TEST(nearlyDependent)
{
    static Dense d;
    double multiplier[KIT_ROWS], a[KIT_COORDINATES], gauss[KIT_ROWS], paulus[KIT_ROWS], largest = 0;
    ksSystem *system = newSystem();
    drawDense(&d, (unsigned)_i, 20, 0, 10, 1e-6);
    buildDense(system, &d);
    solveWide(&d, multiplier, a);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    for (int l = 0; l < d.rows; l++)
        largest = fmax(largest, fabs(multiplier[l]));
    for (int l = 0; l < d.rows; l++) {
        ck_assert_near(paulus[l], multiplier[l], 1e-8 * largest);
        ck_assert_near(gauss[l], multiplier[l], 1e-8 * largest);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Without refinement, almost dependent rows lose digits by the square of their condition number.
 * Refined later, and in all later calls, the multipliers equal the result of ksSystemSolveGauss. */
START_TEST(roughAndRefined)
{
    static Dense d;
    double exact[KIT_ROWS], found[KIT_ROWS], largest = 0, apart = 0;
    ksSystem *system = newSystem(), *other = newSystem();
    drawDense(&d, (unsigned)_i, 20, 0, 10, 1e-4);
    buildDense(other, &d);
    ck_assert_ok(ksSystemSolveGauss(other, exact, NULL));
    ck_assert(ksiSystemIsRefined(other));
    buildDense(system, &d);
    ck_assert_ok(ksiSystemSolveRoughly(system, found));
    ck_assert(!ksiSystemIsRefined(system));
    for (int l = 0; l < d.rows; l++) {
        largest = fmax(largest, fabs(exact[l]));
        apart = fmax(apart, fabs(found[l] - exact[l]));
    }
    ck_assert_double_gt(apart, 1e-12 * largest);
    ck_assert_double_le(apart, 1e-4 * largest);
    for (int again = 0; again < 2; again++) {
        if (again) {
            ksSystemClear(system);
            buildDense(system, &d);
            ck_assert_ok(ksiSystemSolveRoughly(system, found));
        } else {
            ck_assert_ok(ksiSystemRefine(system, found));
        }
        ck_assert(ksiSystemIsRefined(system));
        ck_assert_mem_eq(found, exact, (size_t)d.rows * sizeof *found);
    }
    ksSystemDestroy(system);
    ksSystemDestroy(other);
}
END_TEST

/* Rows that are dependent to rounding have meaningless pivots of either sign. Both routes give the
 * answer without self-stress. */
START_TEST(dependentToRounding)
{
    static Dense d;
    double gauss[KIT_ROWS], paulus[KIT_ROWS];
    ksSystem *system = newSystem();
    drawDense(&d, (unsigned)_i, 5 + _i, 0, 10, 1e-300);
    buildDense(system, &d);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    for (int l = 0; l < d.rows; l++)
        ck_assert_near(gauss[l], paulus[l], 1e-9);
    ksSystemDestroy(system);
}
END_TEST

/* Kahan's triangles: every pivot of A is above rounding, but A is singular to rounding. More rows
 * are set aside there, and the routes agree. If the least singular value is within a decade of
 * rounding, which makes multipliers of this size, a route may count it as zero, and then has no
 * such multipliers. */
#define KAHAN_BORDER 1e11

START_TEST(singularWithoutLostPivot)
{
    enum { most = 21 };
    ksSystem *system = newSystem();
    const int rows = 10 + _i % 12, block = 0;
    const double s = 0.4 + 0.05 * (_i / 12), c = sqrt(1 - s * s);
    double mass[most * most] = {0}, force[most], gauss[most], paulus[most], largest = 0;
    int added;
    for (int i = 0; i < rows; i++) {
        mass[i * rows + i] = 1;
        force[i] = cos(i);
    }
    ck_assert_ok(ksSystemAddBlock(system, rows, mass, force, NULL, &added));
    for (int l = 0; l < rows; l++) {
        double row[most] = {0};
        const double *const piece = row;
        ksRowSpec spec;
        for (int i = 0; i <= l; i++)
            row[i] = pow(s, i) * (i < l ? -c : 1);
        ksRowSpecInit(&spec);
        spec.blockCount = 1;
        spec.block = &block;
        spec.jacobian = &piece;
        ck_assert_ok(ksSystemAddRow(system, &spec, &added));
    }
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    for (int l = 0; l < rows; l++)
        largest = fmax(largest, fabs(paulus[l]));
    for (int l = 0; l < rows; l++) {
        const int isNone = largest > KAHAN_BORDER && fabs(gauss[l]) < 1e-6 * largest;
        ck_assert(isNone || fabs(gauss[l] - paulus[l]) <= 1e-2 * largest);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Three equal rows that agree share the load in the metric diag(A); rows without entries carry
 * none. */
START_TEST(redundantShare)
{
    ksSystem *system = newSystem();
    const double weight[3] = {-6, 0, 4}, twice[3] = {2, 0, 0}, zero[3] = {0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    const int b = addParticle(system, 3, 2, weight);
    addRow(system, b, xAxis, -1, NULL, 0, 0);
    addRow(system, b, twice, -1, NULL, 0, 0);
    addRow(system, b, zero, -1, NULL, 0, 0);
    addRow(system, b, y, -1, NULL, 3, 0);
    addRow(system, b, xAxis, -1, NULL, 0, 0);
    addRow(system, b, z, -1, NULL, 0, 0.5);
    // d lambda equal along (1, 1, 1) / d: 3 loads of 6/3 on unit columns; (1/2 + 1/2) lambda = -4/2
    // on the spring
    const double multiplier[6] = {2, 1, 0, 6, 2, -2}, motion[3] = {0, 3, 1};
    expectBoth(system, multiplier, motion, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* A contradiction of any size down to the documented tolerance is reported, with its row. */
START_TEST(contradiction)
{
    ksSystem *system = newSystem();
    double multiplier[3], zero[3] = {0};
    const double y[3] = {0, 1, 0};
    const int b = addParticle(system, 3, 2, xAxis);
    addRow(system, b, y, -1, NULL, 5, 0);
    addRow(system, b, xAxis, -1, NULL, 1, 0);
    const int last = addRow(system, b, _i ? xAxis : zero, -1, NULL, _i ? 1 + 1e-7 : 1e-7, 0);
    ck_assert_int_eq(ksSystemSolveGauss(system, multiplier, NULL), KS_ERROR_INCONSISTENT);
    ck_assert(ksSystemCulprit(system) == last || (_i && ksSystemCulprit(system) == 1));
    ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier, NULL), KS_ERROR_INCONSISTENT);
    ck_assert_int_eq(ksSystemSolveMotion(system, zero), KS_ERROR_INCONSISTENT);
    // compliance resolves it: opposing loads of delta / s
    ksSystemClear(system);
    addParticle(system, 3, 2, zero);
    addRow(system, 0, xAxis, -1, NULL, 1, 1e-8);
    addRow(system, 0, xAxis, -1, NULL, 1 + 1e-3, 1e-8);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, NULL));
    ck_assert_near((multiplier[1] - multiplier[0]) / 1e5, 1, 1e-6);
    ksSystemDestroy(system);
}
END_TEST

/* A known row is an applied force, and keeps its index. */
START_TEST(knownRow)
{
    ksSystem *system = newSystem();
    const double weight[3] = {-4, 0, 1}, skew[3] = {0.5, 2, 0}, x2[3] = {0, 1, 0};
    const int b = addParticle(system, 3, 2, weight);
    addBounded(system, b, skew, -1, NULL, 99, 0.3, 1.5, 1.5);
    addRow(system, b, xAxis, -1, NULL, 1, 0);
    addBounded(system, b, x2, -1, NULL, 0, 0, -5, 5);
    // x: 2 = -4 + 0.75 + lambda_1;  y: 0 = 3 + lambda_2
    const double multiplier[3] = {1.5, 5.25, -3}, motion[3] = {1, 0, 0.5};
    expectBoth(system, multiplier, motion, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

START_TEST(boundIsLeft)
{
    ksSystem *system = newSystem();
    const double weight[3] = {-4, 0, 0};
    double multiplier[2] = {8, 9};
    const double y[3] = {0, 1, 0};
    const int b = addParticle(system, 3, 2, weight);
    addBounded(system, b, y, -1, NULL, 0, 0, -INFINITY, INFINITY);
    addBounded(system, b, xAxis, -1, NULL, 0, 0, _i ? -INFINITY : 4.1, _i ? 3.9 : INFINITY);
    ck_assert_int_eq(ksSystemSolveGauss(system, multiplier, NULL), KS_ERROR_BOUND);
    ck_assert_int_eq(ksSystemCulprit(system), 1);
    ck_assert_int_eq(ksSystemSolvePaulus(system, multiplier, NULL), KS_ERROR_BOUND);
    ck_assert_int_eq(ksSystemCulprit(system), 1);
    ck_assert_double_eq(multiplier[0], 8);
    // a load at its bound, to rounding, is inside
    const double force[3] = {_i ? -3.9 : -4.1, 0, 0};
    ksiSystemSetForce(system, force);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ksSystemDestroy(system);
}
END_TEST

/* New forces and right-hand sides on the same factorisations give the results of a system built
 * with them. */
START_TEST(newLoads)
{
    static Dense d, e;
    double multiplier[KIT_ROWS];
    ksSystem *system = newSystem();
    drawDense(&d, 5, 20, 1e-5, 10, 0);
    drawDense(&e, 6, 20, 1e-5, 10, 0);
    buildDense(system, &d);
    expectBoth(system, NULL, NULL, 1e-11);
    memcpy(d.force, e.force, sizeof d.force);
    memcpy(d.beta, e.beta, sizeof d.beta);
    ksiSystemSetForce(system, d.force);
    ksiSystemSetBeta(system, d.beta);
    double a[KIT_COORDINATES];
    solveWide(&d, multiplier, a);
    expectBoth(system, multiplier, a, 1e-11);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gauss");
    TCase *numbers = tcase_create("numbers");
    tcase_add_loop_test(numbers, againstReference, 0, 150);
    tcase_add_loop_test(numbers, errorBars, 0, 24);
    tcase_add_loop_test(numbers, roughAndRefined, 0, 10);
    tcase_add_loop_test(numbers, nearlyDependent, 0, 20);
    suite_add_tcase(suite, numbers);
    TCase *rows = tcase_create("rows");
    tcase_add_loop_test(rows, dependentToRounding, 0, 25);
    tcase_add_loop_test(rows, singularWithoutLostPivot, 0, 60);
    tcase_add_test(rows, redundantShare);
    tcase_add_loop_test(rows, contradiction, 0, 2);
    tcase_add_test(rows, knownRow);
    tcase_add_loop_test(rows, boundIsLeft, 0, 2);
    tcase_add_test(rows, newLoads);
    suite_add_tcase(suite, rows);
    return runSuite(suite);
}

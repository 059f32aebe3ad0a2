/* check_relaxed_rows.c  Multipliers one by one, from relaxed coordinates that include an admissible
 * motion: exact within bar and allowance if the motion is the true one, and different otherwise. */
#include "mechanics/mechanics.h"
#include "tests/kits/inside_kit.h"
#include "tests/kits/redundant_kit.h"

/* The bars of both routes, and each row alone. */
static void relaxAll(ksSystem *system, int rows, const double *acceleration, double *bar, ksiRelaxed *found)
{
    double gauss[KIT_ROWS], paulus[KIT_ROWS];
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, paulus, bar));
    for (int l = 0; l < rows; l++)
        ck_assert_ok(ksiSystemRelaxLiterally(system, l, acceleration, &found[l]));
}

/* Odd i: a chain of joints, else a loop. Rigid or compliant, light and heavy; loops also have
 * almost dependent rows. */
static void drawCase(Dense *d, int i, double compliance)
{
    static const double ratio[] = {1, 1e3, 1e-3};
    const int tree = i % 2, near = !tree && i % 8 == 0;
    drawDense(d, 1000 + (unsigned)i, tree ? 25 : KIT_ROWS, compliance, ratio[i / 2 % 3], near ? 1e-4 : 0);
}

START_TEST(exactAlongTheTrueMotion)
{
    static Dense d;
    static const double compliance[] = {0, 1e-8, 1e-2};
    double exact[KIT_ROWS], motion[KIT_COORDINATES], bar[KIT_ROWS], size = 0;
    ksiRelaxed found[KIT_ROWS];
    ksSystem *system = newSystem();
    drawCase(&d, _i, compliance[_i / 6 % 3]);
    buildDense(system, &d);
    relaxAll(system, d.rows, NULL, bar, found);
    solveWide(&d, exact, motion);
    for (int l = 0; l < d.rows; l++)
        size = fmax(size, fabs(exact[l]));
    for (int l = 0; l < d.rows; l++) {
        ck_assert_double_le(fabs(found[l].multiplier - exact[l]), bar[l] + found[l].allowance);
        // six digits below the tolerance of verdicts, with almost dependent rows; more without
        ck_assert_double_le(found[l].allowance, 1e-8 * size);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Another force changes the motion along admissible directions, J t = 0: multipliers that are
 * solved together do not see it, nor does a relaxed coordinate that is M-orthogonal to it. */
START_TEST(admissibleErrorIsSeen)
{
    static const double share = 1e-6; /* of the motion; bars are some 1e-12 */
    static Dense d;
    double force[KIT_COORDINATES], motion[KIT_COORDINATES], other[KIT_COORDINATES];
    double bar[KIT_ROWS], multiplier[KIT_ROWS];
    ksiRelaxed found[KIT_ROWS];
    ksSystem *system = newSystem();
    unsigned long long state = 17;
    drawCase(&d, _i, 0);
    buildDense(system, &d);
    for (int i = 0; i < d.coordinates; i++)
        force[i] = d.force[i] * (1 + draw(&state));
    ksiSystemSetForce(system, force);
    ck_assert_ok(ksSystemSolveMotion(system, other));
    ksiSystemSetForce(system, d.force);
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, motion));
    for (int i = 0; i < d.coordinates; i++)
        other[i] = motion[i] + share * (other[i] - motion[i]);
    relaxAll(system, d.rows, other, bar, found);
    for (int l = 0; l < d.rows; l++) {
        ksRelaxation plain;
        ck_assert_double_gt(fabs(found[l].multiplier - multiplier[l]), 10 * (bar[l] + found[l].allowance));
        ck_assert_ok(ksSystemRelaxRow(system, l, NULL, other, &plain));
        ck_assert_double_le(fabs(plain.multiplier - multiplier[l]), 10 * (bar[l] + found[l].allowance));
    }
    ksSystemDestroy(system);
}
END_TEST

/* A row that other rows also hold has no relaxed coordinate: rows that share the door's weight, or
 * its hinges' mutual load. */
START_TEST(heldRow)
{
    ksSystem *system = newSystem();
    double multiplier[10], bar[10];
    int determinate[10];
    door(system, 0, 0);
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, multiplier, multiplier, bar));
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, NULL));
    for (int l = 0; l < 10; l++) {
        ksiRelaxed found;
        ck_assert_ok(ksiSystemRelaxLiterally(system, l, NULL, &found));
        ck_assert_int_eq(!isnan(found.multiplier), determinate[l]);
        if (determinate[l])
            ck_assert_near(found.multiplier, multiplier[l], bar[l] + found.allowance);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Masses on a line, each connected to the one before except along one coordinate; rows with a known
 * load are applied forces. Blocks of three coordinates, joints of two rows. */
START_TEST(knownRow)
{
    enum { LINKS = 4 };
    const int loop = _i;
    const double x[3] = {1, 0.2, 0}, y[3] = {0, 1, 0.1}, back[3] = {-1, 0, 0.1}, down[3] = {0.3, -1, 0};
    ksSystem *system = newSystem();
    double multiplier[2 * LINKS + 1], gauss[2 * LINKS + 1], bar[2 * LINKS + 1];
    for (int b = 0; b < LINKS; b++) {
        const double force[3] = {1, 2 + b, -3};
        addParticle(system, 3, 1 + b, force);
        addRow(system, b, x, b - 1, back, 0.3, 1e-7);
        addBounded(system, b, y, b - 1, down, 0, 1e-7, b == 2 ? 5 : -INFINITY, b == 2 ? 5 : INFINITY);
    }
    if (loop)
        addRow(system, LINKS - 1, x, 0, down, 0.1, 1e-7);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, multiplier, bar));
    for (int l = 0; l < ksSystemRowCount(system); l++) {
        ksiRelaxed found;
        if (l == 5)
            continue;
        ck_assert_ok(ksiSystemRelaxLiterally(system, l, NULL, &found));
        ck_assert_near(found.multiplier, multiplier[l], bar[l] + found.allowance);
        ck_assert_double_le(found.allowance, 1e-11);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Two rows at an angle on a particle of mass 1, A = [1 cos; cos 1]: without compliance the sizes
 * are 1 / sin of the angle. They need no singular values, whether the rank tolerance decides about
 * the angle or not; nor does the result that equal rows have no sizes. */
START_TEST(sizesWithoutCompliance)
{
    static const double angle[] = {0, 5e-4, 5e-3}, compliance[] = {1e-2, 1e-6, 1e-4}, rounding = 1e-11;
    const double tolerance = 1e-4, first[2] = {1, 0}, second[2] = {cos(angle[_i]), sin(angle[_i])};
    double size[2];
    ksSystem *system = newSystem();
    const int block = addParticle(system, 2, 1, first);
    addRow(system, block, first, -1, NULL, 0, compliance[_i]);
    addRow(system, block, second, -1, NULL, 0, compliance[_i]);
    ck_assert_ok(ksSystemSetRankTolerance(system, tolerance));
    ck_assert_ok(ksSystemSetRigidCompliance(system, compliance[1]));
    ksiSystemSetDenseBudget(system, 1);
    ck_assert_ok(ksiSystemRelaxedSizes(system, KSI_STRESS_NONE, NULL, size));
    for (int l = 0; l < 2; l++) {
        ck_assert_int_eq(isnan(size[l]), angle[_i] == 0);
        if (angle[_i] > 0)
            ck_assert_near(size[l] * sin(angle[_i]), 1, rounding);
    }
    ck_assert_double_eq(insideDenseWork(system), 0);
    ksSystemDestroy(system);
}
END_TEST

/* Sizes of rigid rows in a loop of two particles, after the sizes with their compliance: never
 * shorter than [A^-1]_ll^1/2, and longer by the share of the compliance at most, unless that is
 * large. */
START_TEST(sizesOfRigidRows)
{
    static const double compliance[] = {1e-4, 1e-2}, most[] = {5e-4, 1e-12}, rounding = 1e-12;
    const double along[2] = {1, 0}, first[2] = {0.6, 0.8}, second[2] = {-0.6, -0.8};
    const double square[3] = {1.64 / 1.28, 1.64 / 1.28, 1 / 1.28};
    double size[3], multiplier[3], bar[3] = {0};
    ksSystem *system = newSystem();
    const int block[2] = {addParticle(system, 2, 1, along), addParticle(system, 2, 1, along)};
    addRow(system, block[0], along, -1, NULL, 0, compliance[_i]);
    addRow(system, block[1], along, -1, NULL, 0, compliance[_i]);
    addRow(system, block[0], first, block[1], second, 0, compliance[_i]);
    ck_assert_ok(ksSystemSetRigidCompliance(system, 0.1));
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_ok(ksiSystemExactSizes(system, size));
    ck_assert_ok(ksiSystemAddForceError(system, 1, bar));
    for (int l = 0; l < 3; l++) {
        ck_assert_double_lt(size[l], sqrt(square[l]) * (1 - 0.2 * compliance[_i]));
        ck_assert_double_ge(bar[l], sqrt(square[l]) * (1 - rounding));
        ck_assert_double_le(bar[l], sqrt(square[l]) * (1 + most[_i]));
    }
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    TCase *rows = tcase_create("rows");
    tcase_add_loop_test(rows, exactAlongTheTrueMotion, 0, 180);
    tcase_add_loop_test(rows, admissibleErrorIsSeen, 0, 60);
    tcase_add_test(rows, heldRow);
    tcase_add_loop_test(rows, knownRow, 0, 2);
    tcase_add_loop_test(rows, sizesWithoutCompliance, 0, 3);
    tcase_add_loop_test(rows, sizesOfRigidRows, 0, 2);
    return runCase("relaxed_rows", rows);
}

/* check_combination.c  A readable basis of self-stresses, and the uniqueness of combinations of
 * multipliers. */
#include "tests/kits/redundant_kit.h"

/* J^T n = 0: rods under the load n alone stay at rest. */
static void noForce(const double *n, double tilt)
{
    const double none[18] = {0};
    double a[18];
    ksSystem *loaded = newSystem();
    load = n;
    banach(loaded, 0.4, 0, tilt, 0);
    load = NULL;
    ksiSystemSetForce(loaded, none);
    ck_assert_ok(ksSystemSolveMotion(loaded, a));
    for (int k = 0; k < 18; k++)
        ck_assert_near(a[k], 0, ROUNDING * 10);
    ksSystemDestroy(loaded);
}

/* The readable basis: no force on any body, and each vector has a row of its own. */
START_TEST(echelon)
{
    ksSystem *system = newSystem();
    const double tilt = _i ? 0.8 : 0;
    double basis[3 * 20];
    int count = 7;
    banach(system, 0.4, 0, tilt, 0);
    ck_assert_int_eq(ksSystemGetSelfStresses(system, basis, 2, &count), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemGetSelfStresses(system, basis, 3, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(count, 7);
    ck_assert_ok(ksSystemGetSelfStresses(system, NULL, 0, &count));
    ck_assert_int_eq(count, 3);
    ck_assert_ok(ksSystemGetSelfStresses(system, basis, 3, &count));
    for (int k = 0; k < 3; k++) {
        int own = 0;
        for (int l = 0; l < 20; l++) {
            const double *n = basis + l;
            own += n[20 * k] == 1 && n[20 * ((k + 1) % 3)] == 0 && n[20 * ((k + 2) % 3)] == 0;
            // in the plane of motion everything is determinate
            if (!_i && (l % 5 == 0 || l % 5 == 2))
                ck_assert_double_eq(n[20 * k], 0);
        }
        ck_assert_int_ge(own, 1);
        noForce(basis + 20 * k, tilt);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Two redundant pairs that share nothing appear separately, even if the orthonormal basis mixes
 * them; a row without entries appears alone; with other units of its rows, n2 is twice as large as
 * n1. */
START_TEST(whoShares)
{
    ksSystem *system = newSystem();
    const double x[3] = {1, 0, 0}, y2[3] = {0, 2, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, zero[3] = {0};
    double basis[3 * 7];
    int count;
    const int a = addParticle(system, 3, 2, NULL), b = addParticle(system, 3, 5, NULL);
    addRow(system, a, x, -1, NULL, 0, 0);
    addRow(system, b, y2, -1, NULL, 0, 0);
    addRow(system, a, zero, -1, NULL, 0, 0);
    addRow(system, a, x, -1, NULL, 0, 0);
    addRow(system, b, y, -1, NULL, 0, 0);
    addRow(system, b, z, -1, NULL, 0, 0);
    addBounded(system, b, z, -1, NULL, 0, 0, 4, 4);
    ck_assert_ok(ksSystemGetSelfStresses(system, basis, 3, &count));
    ck_assert_int_eq(count, 3);
    int seen = 0;
    for (int k = 0; k < 3; k++) {
        const double *n = basis + 7 * k;
        ck_assert_double_eq(n[5], 0);
        ck_assert_double_eq(n[6], 0);
        ck_assert_int_eq((n[0] != 0) + (n[1] != 0) + (n[2] != 0), 1);
        if (n[0] != 0)
            ck_assert_near(n[3], -n[0], ROUNDING);
        if (n[1] != 0)
            ck_assert_near(n[4], -2 * n[1], ROUNDING);
        if (n[2] != 0)
            ck_assert_double_eq(n[2], 1);
        ck_assert_int_eq((n[3] != 0) + (n[4] != 0), n[2] == 0);
        seen |= n[0] != 0 ? 1 : n[1] != 0 ? 2 : 4;
    }
    ck_assert_int_eq(seen, 7);
    ksSystemDestroy(system);
}
END_TEST

/* The door: the vertical loads of the hinges add up to the weight, and their difference is
 * undetermined, even together with determinate rows in the same combination. Across, the lever
 * decides how the hinges share the couple of the weight. */
START_TEST(combinations)
{
    ksSystem *system = newSystem();
    double c[10] = {0}, value = 5;
    int unique = 5;
    door(system, 0, 0);
    c[2] = c[7] = 1;
    ck_assert_ok(ksSystemGetCombination(system, c, &unique, &value));
    ck_assert_int_eq(unique, 1);
    ck_assert_near(value, 20 * g, ROUNDING * 200);
    c[7] = -1;
    ck_assert_ok(ksSystemGetCombination(system, c, &unique, &value));
    ck_assert_int_eq(unique, 0);
    ck_assert_double_nan(value);
    c[7] = 1.01;
    ck_assert_ok(ksSystemGetCombination(system, c, &unique, NULL));
    ck_assert_int_eq(unique, 0);
    ck_assert_ok(ksSystemGetCombination(system, c, NULL, NULL));
    // a particle beside it: row 10 is determinate, and 1e6 times as important
    const double x[3] = {1, 0, 0}, force[3] = {3, 0, 0};
    const int p = addParticle(system, 3, 1, force);
    addRow(system, p, x, -1, NULL, 0, 0);
    double wide[11] = {0};
    wide[10] = 1e6;
    ck_assert_ok(ksSystemGetCombination(system, wide, &unique, &value));
    ck_assert_int_eq(unique, 1);
    ck_assert_near(value, -3e6, ROUNDING * 3e6);
    wide[2] = 1;
    ck_assert_ok(ksSystemGetCombination(system, wide, &unique, &value));
    ck_assert_int_eq(unique, 0);
    wide[4] = NAN;
    unique = 5;
    ck_assert_int_eq(ksSystemGetCombination(system, wide, &unique, &value), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemCulprit(system), 4);
    ck_assert_int_eq(ksSystemGetCombination(system, NULL, &unique, &value), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(unique, 5);
    ksSystemDestroy(system);
}
END_TEST

/* A single row is a combination; of the tilted rods' hinges, two directions are determinate and the
 * third is not. */
START_TEST(rowsAndDirections)
{
    ksSystem *system = newSystem();
    const double tilt = _i ? 0.8 : 0, angle = 0.6, rate = 1.1;
    int determinate[20], unique;
    const Vector axis[3] = {{1, 0, 0}, {0, 0, 1}, {0, 1, 0}};
    double least[20], value;
    banach(system, angle, rate, tilt, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, NULL));
    ck_assert_ok(ksSystemSolveLeastNorm(system, least, NULL));
    for (int l = 0; l < 20; l++) {
        double c[20] = {0};
        c[l] = -3;
        ck_assert_ok(ksSystemGetCombination(system, c, &unique, &value));
        ck_assert_int_eq(unique, determinate[l]);
        if (unique)
            ck_assert_near(value, -3 * least[l], ROUNDING * 100);
    }
    for (int hinge = 0; hinge < 4; hinge++)
        for (int k = 0; k < 3; k++) {
            double c[20] = {0};
            rotate(tilt, axis[k], c + 5 * hinge);
            ck_assert_ok(ksSystemGetCombination(system, c, &unique, NULL));
            ck_assert_int_eq(unique, k < 2);
        }
    ksSystemDestroy(system);
}
END_TEST

/* The combination along a motion d, c = J d, is determinate for any dependent rows: c^T lambda = d
 * . (M a - f). */
START_TEST(rowsAlongAMotion)
{
    enum { COORDINATES = 9, ROWS = 12 };
    unsigned long long state = 7919ULL * (unsigned long long)_i + 13;
    double row[ROWS][COORDINATES], d[COORDINATES], force[3], c[ROWS], a[COORDINATES], value;
    int unique, block[3];
    ksSystem *system = newSystem();
    for (int b = 0; b < 3; b++) {
        for (int i = 0; i < 3; i++)
            force[i] = draw(&state);
        block[b] = addParticle(system, 3, pow(10, 3 * draw(&state)), force);
    }
    for (int l = 0; l < ROWS; l++) {
        // the rows of one half repeat combinations of the other half, which makes many
        // self-stresses
        for (int i = 0; i < COORDINATES; i++)
            row[l][i] = l < ROWS / 2 ? draw(&state) : 0;
        for (int r = 0; l >= ROWS / 2 && r < 2; r++)
            for (int i = 0; i < COORDINATES; i++)
                row[l][i] += (r + 1) * row[(l + r) % (ROWS / 2)][i];
        const double *const piece[3] = {row[l], row[l] + 3, row[l] + 6};
        ksRowSpec spec;
        ksRowSpecInit(&spec);
        spec.blockCount = 3;
        spec.block = block;
        spec.jacobian = piece;
        int index;
        ck_assert_ok(ksSystemAddRow(system, &spec, &index));
    }
    double size = 0;
    for (int i = 0; i < COORDINATES; i++)
        d[i] = draw(&state);
    for (int l = 0; l < ROWS; l++) {
        c[l] = 0;
        for (int i = 0; i < COORDINATES; i++)
            c[l] += row[l][i] * d[i];
    }
    ck_assert_ok(ksSystemGetCombination(system, c, &unique, &value));
    ck_assert_int_eq(unique, 1);
    // right-hand sides are zero: only the forces that the rows resist count
    double lambda[ROWS], along = 0;
    ck_assert_ok(ksSystemSolvePaulus(system, lambda, a));
    for (int l = 0; l < ROWS; l++) {
        along += c[l] * lambda[l];
        size += fabs(c[l] * lambda[l]);
    }
    ck_assert_near(value, along, ROUNDING * 1e3 * size);  // mass ratios of up to 1e6
    ksSystemDestroy(system);
}
END_TEST

/* A weak share in a self-stress counts: (1, -1, e) for rows (1, 0), (1, e), (0, 1), and for
 * coordinates of unequal mass in one block. */
START_TEST(weakShares)
{
    static const double share[] = {1e-2, 1e-3, 1e-4, 1e-5};
    const double e = share[_i], force[2] = {1, 2}, mass[2] = {1, _i ? 1 / e : 1};
    const double x[2] = {1, 0}, lean[2] = {1, e}, y[2] = {0, 1}, along[3] = {0, e, 1}, across[3] = {1, 1, 1e6};
    double value;
    int unique, determinate[3];
    ksSystem *system = newSystem();
    const int block = addDiagonal(system, 2, mass, force);
    addRow(system, block, x, -1, NULL, 0, 0);
    addRow(system, block, lean, -1, NULL, 0, 0);
    addRow(system, block, y, -1, NULL, 0, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, NULL));
    for (int l = 0; l < 3; l++) {
        ksRelaxation out;
        ck_assert_int_eq(determinate[l], 0);
        ck_assert_int_eq(ksSystemRelaxRow(system, l, NULL, NULL, &out), KS_ERROR_REDUNDANT);
    }
    ck_assert_ok(ksSystemGetCombination(system, along, &unique, &value));
    ck_assert_int_eq(unique, 1);
    ck_assert_near(value, -2, 1e-6);
    ck_assert_ok(ksSystemGetCombination(system, across, &unique, NULL));
    ck_assert_int_eq(unique, 0);
    ksSystemDestroy(system);
}
END_TEST

/* A share of a few times the noise of 1e-9: a multiplier is equally determinate as a sum and as a
 * row. */
START_TEST(weakestShare)
{
    const double share = 4e-9, force[2] = {1, 2}, x[2] = {1, 0}, lean[2] = {1, share}, y[2] = {0, 1};
    ksSystem *system = newSystem();
    int unique, determinate[3];
    const int block = addParticle(system, 2, 1, force);
    addRow(system, block, x, -1, NULL, 0, 0);
    addRow(system, block, lean, -1, NULL, 0, 0);
    addRow(system, block, y, -1, NULL, 0, 0);
    ck_assert_ok(ksSystemGetDeterminacy(system, determinate, NULL));
    for (int l = 0; l < 3; l++) {
        const double single[3] = {l == 0, l == 1, l == 2};
        ck_assert_ok(ksSystemGetCombination(system, single, &unique, NULL));
        ck_assert_int_eq(determinate[l], 0);
        ck_assert_int_eq(unique, 0);
    }
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    TCase *combined = tcase_create("combined");
    tcase_add_loop_test(combined, echelon, 0, 2);
    tcase_add_test(combined, whoShares);
    tcase_add_test(combined, combinations);
    tcase_add_loop_test(combined, rowsAndDirections, 0, 2);
    tcase_add_loop_test(combined, rowsAlongAMotion, 0, 200);
    tcase_add_loop_test(combined, weakShares, 0, 4);
    tcase_add_test(combined, weakestShare);
    return runCase("combination", combined);
}

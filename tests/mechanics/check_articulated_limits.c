/* check_articulated_limits.c  Trees at their limits, against closed forms: very different masses,
 * almost dependent rows, tolerances from both sides. Where digits would be lost, the general route
 * replaces the tree algorithm. */
#include "tests/kits/articulated_kit.h"
#include "tests/kits/inside_kit.h"

/* A light particle on one that hardly moves: for the tree, little but the compliance holds it, so
 * the general route replaces it. lambda (1 + 1/m + s) = beta - f + g in units of the light one. */
START_TEST(heavyBody)
{
    const double heavy = _i < 2 ? 1e12 : 1e3, soft = 1e-7, unit[3] = {1, 0, 0}, back[3] = {-1, 0, 0};
    const double gravity = _i == 1 ? 10 : 0, light[3] = {3}, weight[3] = {gravity * heavy};
    ksSystem *system = newSystem();
    addParticle(system, 3, 1, light);
    addParticle(system, 3, heavy, weight);
    addRow(system, 0, unit, 1, back, 0.5, soft);
    double multiplier[1], acceleration[6];
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, acceleration));
    ck_assert_int_eq(insideIsTree(system), heavy < 1e6);
    const double expected = (0.5 - 3 + gravity) / (1 + 1 / heavy + soft);
    ck_assert_near(multiplier[0], expected, ROUNDING * fabs(expected));
    ck_assert_near(acceleration[0], 3 + expected, ROUNDING * fabs(expected));
    ksSystemDestroy(system);
}
END_TEST

/* The diagonal of (A + S)^-1 is at least 1/(A_ll + s_l), even if a light body must follow a heavy
 * one, where the difference of two unit matrices is only rounding. */
START_TEST(inverseIsPositive)
{
    static Record r;
    ksSystem *system = newSystem();
    unsigned long long state = 1 + (unsigned)_i;
    recordInto(&r);
    addParticle(system, 6, 1, NULL);
    addParticle(system, 6, 1e16, NULL);
    addJoint(system, 0, -1, 1, 0, &state);
    addJoint(system, 1, 0, 5, 0, &state);
    double diagonal[ROWS];
    ck_assert_ok(ksiTreeGet(system, KSI_VIEW_EXACT));
    ck_assert_ok(ksiTreeInverseDiagonal(system, diagonal));
    for (int l = 0; l < 6; l++) {
        long double row[12] = {0};
        recordAddRow(&r, l, 1, row);
        ck_assert_double_ge(diagonal[l] * (double)dotWide(12, row, row), 1 - ROUNDING);
    }
    ksSystemDestroy(system);
}
END_TEST

/* Each row is close to the next: one after the other they keep a tenth of their length, but beside
 * all others almost nothing. The tree algorithm is then not used, except for few rows. Unit masses:
 * J J^T lambda = beta, and J = upper triangle, J^T lambda = a. */
START_TEST(rowsLeanOneByOne)
{
    ksSystem *system = newSystem();
    double gauss[MOST], paulus[MOST], bar[MOST], motion[MOST], expected[MOST];
    const int last = _i - 1;
    addParticle(system, MOST, 1, NULL);
    for (int l = 0; l <= last; l++) {
        double x[MOST] = {0};
        x[l] = l < last ? 0.1 : 1;
        if (l < last)
            x[l + 1] = 1;
        addRow(system, 0, x, -1, NULL, 1, 0);
    }
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, paulus, bar));
    ck_assert_int_eq(insideIsTree(system), _i < 3);
    for (int l = last; l >= 0; l--)
        motion[l] = l < last ? (1 - motion[l + 1]) / 0.1 : 1;
    for (int l = 0; l <= last; l++)
        expected[l] = (motion[l] - (l > 0 ? expected[l - 1] : 0)) / (l < last ? 0.1 : 1);
    for (int l = 0; l <= last; l++)
        ck_assert_double_le(fabs(paulus[l] - expected[l]), bar[l] + ROUNDING * fabs(expected[l]));
    ksSystemDestroy(system);
}
END_TEST

/* A tolerance from both sides: a factor of 3 inside, a factor of 3 outside. */
static const double side[2] = {1. / 3, 3};

/* A motion that misses its row, with the true multiplier reported: by almost nothing, which is the
 * rounding of a motion that the report explains, or by more, which is the solver's error. */
START_TEST(nextToExplained)
{
    const double force[1] = {3}, x[1] = {1}, held = 0.5, lambda = held - force[0];
    const double miss = 1e-11 * side[_i] * sqrt(held * held + force[0] * force[0]), motion = held + miss;
    ksSystem *system = newSystem();
    ksGaussMeasure measure;
    addParticle(system, 1, 1, force);
    addRow(system, 0, x, -1, NULL, held, 0);
    ck_assert_ok(ksiSystemMeasure(system, &motion, &lambda, &measure));
    ck_assert_int_eq(insideIsTree(system), 1);
    ck_assert_near(measure.unexplained / (0.5 * miss * miss), _i == 0, 1e-4);
    ck_assert_near(measure.solverError / (0.5 * miss * miss), _i == 1, 1e-4);
    ksSystemDestroy(system);
}
END_TEST

/* Two rows along one direction, the second shorter. Compliance that counts as zero keeps the pivots
 * of both, up to four hundred times itself, but not their determinacy. Rows along two directions
 * are determinate, even if compliance makes up most of their pivots; the tree finds this without a
 * factorisation of its own. */
START_TEST(softRows)
{
    const double soft = 1e-7, shorter[] = {0.02, 0.05, 0.1, 0.3};
    for (int across = 0; across < 2; across++)
        for (double length = 1e-3; length < 4; length *= 3) {
            ksSystem *system = newSystem();
            const double x[6] = {length}, y[6] = {across ? 0 : shorter[_i] * length, across ? shorter[_i] * length : 0};
            int determinate[2];
            size_t rank;
            addParticle(system, 6, 1, NULL);
            addRow(system, 0, x, -1, NULL, 1, soft);
            addRow(system, 0, y, -1, NULL, 1, soft);
            ck_assert_ok(ksSystemSetRigidCompliance(system, 10 * soft));
            ck_assert_ok(ksSystemGetDeterminacy(system, determinate, &rank));
            ck_assert_uint_eq(rank, across ? 2 : 1);
            ck_assert_int_eq(determinate[0], across);
            ck_assert_int_eq(determinate[1], across);
            ck_assert_int_eq(insideIsAnalysed(system), !across);
            ksSystemDestroy(system);
        }
}
END_TEST

/* A line of levers, each of which doubles the motion before it: the first row's part in the last
 * lever halves with each. If this is almost nothing, the tree algorithm is not used, and the small
 * singular value counts. */
START_TEST(halvingLevers)
{
    const int levers = _i == 0 ? 28 : 33;
    const double one[1] = {1}, two[1] = {-2};
    ksSystem *system = newSystem();
    size_t rank;
    for (int i = 0; i < levers; i++)
        addParticle(system, 1, 1, NULL);
    for (int l = 0; l < levers; l++)
        addRow(system, l, one, l - 1, two, 0, 0);
    ck_assert_ok(ksSystemSetRankTolerance(system, _i == 0 ? 1e-10 : 1e-8));
    ck_assert_ok(ksSystemGetDeterminacy(system, NULL, &rank));
    ck_assert_int_eq(insideIsTree(system), _i == 0);
    ck_assert_uint_eq(rank, (size_t)(_i == 0 ? levers : levers - 1));
    ksSystemDestroy(system);
}
END_TEST

/* A loop, two joints to the ground, a joint with dependent rows: no trees, or trees that the
 * general route replaces. */
START_TEST(notATree)
{
    ksSystem *system = newSystem();
    unsigned long long state = 99;
    double multiplier[ROWS];
    for (int b = 0; b < 3; b++)
        addRandomBlock(system, 6, &state);
    addJoint(system, 0, -1, 2, 0, &state);
    addJoint(system, 1, 0, 2, 0, &state);
    addJoint(system, 2, 1, 2, 0, &state);
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_int_eq(insideIsTree(system), 1);
    if (_i == 0)
        addJoint(system, 2, 0, 1, 0, &state);
    else if (_i == 1)
        addJoint(system, 2, -1, 1, 0, &state);
    else {
        const double x[6] = {1, 0, 0, 0, 0, 0}, nearly[6] = {1, 1e-3, 0, 0, 0, 0};
        ksSystemClear(system);
        addRandomBlock(system, 6, &state);
        addRow(system, 0, x, -1, NULL, 1, 0);
        addRow(system, 0, nearly, -1, NULL, 1, 0);
    }
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_int_eq(insideIsTree(system), 0);
    ksSystemDestroy(system);
}
END_TEST

/* The numbers of a link's factor, its motion and its multipliers. */
enum { TABLE = KSI_SIX * KSI_FILLED, FACTOR = 4 * TABLE, FAULTS = FACTOR + KSI_SIX + ROWS };

static double *numberOf(ksiTree *tree, int link, int n)
{
    double *const table[] = {tree->link[link].root[0], tree->link[link].own[0], tree->link[link].r[0],
                             tree->link[link].cross[0]};
    return n < FACTOR ? &table[n / TABLE][n % TABLE] : NULL;
}

typedef struct Found {
    double gauss[ROWS], paulus[ROWS], bar[ROWS];
} Found;

/* The multipliers after a fault in one number, from an unchanged factorisation. */
static void solveWithFault(ksSystem *system, int link, int n, double fault, Found *found)
{
    double beta[ROWS];
    memcpy(beta, system->model.beta, (size_t)ksSystemRowCount(system) * sizeof *beta);
    ck_assert_ok(ksSystemSolvePaulus(system, found->paulus, NULL));
    if (n < FACTOR)
        *numberOf(&system->tree, link, n) *= 1 + fault;
    ksiSystemSetBeta(system, beta);
    if (ksiSystemSolveTree(system, found->gauss, NULL))
        ck_assert_ok(ksSystemSolveGauss(system, found->gauss, NULL));
    const int block = system->tree.link[link].block, i = n - FACTOR, l = i - KSI_SIX;
    if (i >= 0 && i < system->model.blockSize[block])
        system->tree.y[system->model.blockOffset[block] + i] *= 1 + fault;
    if (l >= 0 && l < ksSystemRowCount(system) && !system->model.rowKnown[l])
        found->gauss[l] = system->tree.multiplier[l] *= 1 + fault;
    ck_assert_ok(ksSystemSolvePaulus(system, found->paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, found->gauss, found->paulus, found->bar));
}

/* A fault in any number of the factorisation, of the motion or of the multipliers makes no
 * multiplier wrong by more than its bar: both methods take their motion from one factorisation. */
START_TEST(faultsAreWithinBars)
{
    static const double softness[] = {0, 1e-7, 1e-2}, fault[] = {1e-12, 1e-10, 1e-6, 1e-2, -2};
    static Found clean, found;
    const Shape shape = (Shape)(_i % SHAPES);
    int wrong = 0;
    for (int k = -1; k < BLOCKS * FAULTS; k++) {
        ksSystem *system = newSystem();
        drawTree(system, shape, _i / SHAPES, softness[_i % 3]);
        if (k < 0) {
            ck_assert_ok(ksSystemSolveGauss(system, clean.gauss, NULL));
            ck_assert_ok(ksSystemGetErrorBars(system, clean.bar));
        } else {
            solveWithFault(system, k / FAULTS, k % FAULTS, fault[_i / SHAPES % 5], &found);
        }
        for (int l = 0; k >= 0 && l < ksSystemRowCount(system); l++) {
            const double error = fmax(fabs(found.gauss[l] - clean.gauss[l]), fabs(found.paulus[l] - clean.gauss[l]));
            ck_assert_double_le(error, found.bar[l] + clean.bar[l]);
            wrong += error > 10 * clean.bar[l];
        }
        ksSystemDestroy(system);
    }
    ck_assert_int_gt(wrong, 0);
}
END_TEST

int main(void)
{
    TCase *trees = tcase_create("trees");
    tcase_add_loop_test(trees, heavyBody, 0, 3);
    tcase_add_loop_test(trees, inverseIsPositive, 0, 10);
    tcase_add_loop_test(trees, rowsLeanOneByOne, 1, MOST + 1);
    tcase_add_loop_test(trees, nextToExplained, 0, 2);
    tcase_add_loop_test(trees, softRows, 0, 4);
    tcase_add_loop_test(trees, halvingLevers, 0, 2);
    tcase_add_loop_test(trees, notATree, 0, 3);
    tcase_add_loop_test(trees, faultsAreWithinBars, 0, 20);
    return runCase("articulated_limits", trees);
}

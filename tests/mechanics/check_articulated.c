/* check_articulated.c  The null-space route on trees against the general route, which does not use
 * trees. */
#include "tests/kits/articulated_kit.h"
#include "tests/kits/inside_kit.h"

/* |w_l|^2 of a relaxed coordinate is the largest effect of a force error on its multiplier. */
START_TEST(effectiveMasses)
{
    const double softness[] = {0, 1e-7, 1e-2};
    ksSystem *tree = newSystem(), *general = newSystem();
    double gauss[ROWS], paulus[ROWS], bar[ROWS], size[ROWS] = {0};
    int compared = 0;
    drawTree(tree, (Shape)(_i % SHAPES), _i / SHAPES, softness[_i % 3]);
    drawTree(general, (Shape)(_i % SHAPES), _i / SHAPES, softness[_i % 3]);
    makeGeneral(general, BLOCKS);
    const int rows = ksSystemRowCount(tree);
    ck_assert_int_lt(rows, ROWS);
    ck_assert_ok(ksiSystemExactSizes(tree, size));
    ck_assert_int_eq(insideIsTree(tree), 1);
    ck_assert_ok(ksSystemSolveGauss(tree, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(tree, paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(tree, KSI_STRESS_NONE, gauss, paulus, bar));
    for (int l = 0; l < rows; l++) {
        ksRelaxation relaxation;
        if (bar[l] == 0 && size[l] == 0)
            continue;  // a known or an empty row
        ck_assert_ok(ksSystemRelaxRow(general, l, NULL, NULL, &relaxation));
        ck_assert_near(size[l] * size[l] / relaxation.effectiveMass, 1, 1e-8);
        compared++;
    }
    ck_assert_int_ge(compared, rows - 2);
    ksSystemDestroy(tree);
    ksSystemDestroy(general);
}
END_TEST

/* All queries that have an algorithm of their own on trees. */
typedef struct Answers {
    double multiplier[ROWS], acceleration[COORDINATES], motion[COORDINATES];
    double rigid[ROWS], rigidAcceleration[COORDINATES], unexplained;
    ksGaussMeasure measure, reported, pressed;
    int determinate[ROWS];
    size_t rank;
} Answers;

/* A motion, multipliers, and the motion under these. */
typedef struct Report {
    double observed[COORDINATES], multiplier[ROWS], pressed[COORDINATES];
} Report;

static void drawReport(Report *r, Shape shape, int seed, double softness)
{
    unsigned long long state = 5;
    ksSystem *loaded = newSystem();
    for (int i = 0; i < COORDINATES; i++)
        r->observed[i] = draw(&state);
    for (int l = 0; l < ROWS; l++)
        r->multiplier[l] = draw(&state);
    load = r->multiplier;
    drawTree(loaded, shape, seed, softness);
    load = NULL;
    ck_assert_ok(ksSystemSolveMotion(loaded, r->pressed));
    ksSystemDestroy(loaded);
}

static void ask(ksSystem *system, const Report *r, Answers *a)
{
    memset(a, 0, sizeof *a);
    ck_assert_ok(ksiSystemMeasure(system, r->pressed, r->multiplier, &a->pressed));
    ck_assert_ok(ksSystemSolvePaulus(system, a->multiplier, a->acceleration));
    ck_assert_ok(ksSystemSolveMotion(system, a->motion));
    ck_assert_ok(ksSystemGetDeterminacy(system, a->determinate, &a->rank));
    ck_assert_ok(ksiSystemMeasure(system, r->observed, r->multiplier, &a->reported));
    ck_assert_ok(ksSystemMeasure(system, r->observed, &a->measure));
    ck_assert_ok(ksiSystemExplain(system, r->observed, &a->unexplained));
    ck_assert_ok(ksSystemSolveLeastNorm(system, a->rigid, a->rigidAcceleration));
}

static void expectMeasure(const ksGaussMeasure *a, const ksGaussMeasure *b)
{
    expectNear(&a->constraint, &b->constraint, 1);
    expectNear(&a->unexplained, &b->unexplained, 1);
    expectNear(&a->solverError, &b->solverError, 1);
}

START_TEST(sameAnswers)
{
    static const double softness[] = {0, 1e-7, 1e-2};
    static Report report;
    static Answers byTree, byGeneral;
    const Shape shape = (Shape)(_i % SHAPES);
    const double soft = softness[_i % 3];
    ksSystem *tree = newSystem(), *general = newSystem();
    hasKnown = _i / 12 % 2;
    drawTree(tree, shape, _i / SHAPES, soft);
    drawTree(general, shape, _i / SHAPES, soft);
    makeGeneral(general, BLOCKS);
    drawReport(&report, shape, _i / SHAPES, soft);
    hasKnown = 1;
    ck_assert_ok(ksSystemSetRigidCompliance(tree, 1e-6));
    ck_assert_ok(ksSystemSetRigidCompliance(general, 1e-6));
    const int rows = ksSystemRowCount(tree), coordinates = ksSystemCoordinateCount(tree);
    ck_assert_int_lt(rows, ROWS);
    ask(tree, &report, &byTree);
    ck_assert_int_eq(insideIsTree(tree), 1);
    ask(general, &report, &byGeneral);
    ck_assert_int_eq(insideIsTree(general), 0);
    expectNear(byGeneral.multiplier, byTree.multiplier, rows);
    expectNear(byGeneral.acceleration, byTree.acceleration, coordinates);
    expectNear(byGeneral.motion, byTree.motion, coordinates);
    expectNear(byGeneral.rigid, byTree.rigid, rows);
    expectNear(byGeneral.rigidAcceleration, byTree.rigidAcceleration, coordinates);
    expectNear(&byGeneral.unexplained, &byTree.unexplained, 1);
    expectMeasure(&byGeneral.measure, &byTree.measure);
    expectMeasure(&byGeneral.reported, &byTree.reported);
    expectMeasure(&byGeneral.pressed, &byTree.pressed);
    ck_assert_uint_eq(byGeneral.rank, byTree.rank);
    ck_assert_mem_eq(byGeneral.determinate, byTree.determinate, (size_t)rows * sizeof(int));
    ksSystemDestroy(tree);
    ksSystemDestroy(general);
}
END_TEST

/* Other right-hand sides of the same rows, twice by the same factorisation. */
START_TEST(otherSides)
{
    const double softness[] = {0, 1e-7, 1e-2};
    double beta[ROWS] = {0}, force[COORDINATES], own[ROWS], of[2][ROWS], motion[2][COORDINATES];
    unsigned long long state = 7;
    ksSystem *system[2] = {newSystem(), newSystem()};
    for (int i = 0; i < 2; i++)
        drawTree(system[i], (Shape)(_i % SHAPES), _i / SHAPES, softness[_i % 3]);
    makeGeneral(system[1], BLOCKS);
    const int rows = ksSystemRowCount(system[0]), coordinates = ksSystemCoordinateCount(system[0]);
    ck_assert_int_lt(rows, ROWS);
    ck_assert_ok(ksSystemSolvePaulus(system[0], own, NULL));
    for (int pass = 0; pass < 6; pass++) {
        for (int l = 0; l < rows; l++)
            beta[l] = own[l] == 0 ? 0 : draw(&state);  // empty rows have no right-hand side
        for (int i = 0; i < COORDINATES; i++)
            force[i] = draw(&state);
        for (int i = 0; i < 2; i++) {
            ksiSystemSetBeta(system[i], beta);
            ksiSystemSetForce(system[i], force);
            ck_assert_ok((pass < 3 ? ksSystemSolvePaulus : ksSystemSolveLeastNorm)(system[i], of[i], motion[i]));
            // the motion of a few trees loses digits: the code for general systems solves them
            ck_assert(insideIsTree(system[i]) == !i || (i == 0 && pass < 3));
        }
        expectNear(of[1], of[0], rows);
        expectNear(motion[1], motion[0], coordinates);
    }
    for (int i = 0; i < 2; i++)
        ksSystemDestroy(system[i]);
}
END_TEST

/* A free chain has its root at the heavy body, wherever that is, so that its place costs no digits.
 * The general route gives the same values. */
START_TEST(rootOfFreeChain)
{
    enum { LINKS = 9 };
    const int heavy[] = {-1, 0, LINKS - 1, 2};
    ksSystem *both[2] = {newSystem(), newSystem()};
    double multiplier[2][ROWS];
    for (int s = 0; s < 2; s++) {
        unsigned long long state = 1 + (unsigned)_i;
        for (int b = 0; b < LINKS; b++)
            addParticle(both[s], 6, b == heavy[_i] ? 1e8 : 1, NULL);
        for (int b = 1; b < LINKS; b++)
            for (int l = 0; l < 5; l++) {
                double own[6] = {0}, other[6] = {0};
                for (int i = 0; i < 6; i++) {
                    own[i] = (i == l) + 0.2 * draw(&state);
                    other[i] = 0.2 * draw(&state) - (i == l);
                }
                addRow(both[s], b, own, b - 1, other, draw(&state), 1e-8);
            }
    }
    const int rows = ksSystemRowCount(both[0]);
    makeGeneral(both[1], LINKS);
    for (int s = 0; s < 2; s++) {
        ck_assert_ok(ksSystemSolvePaulus(both[s], multiplier[s], NULL));
        ck_assert_int_eq(insideIsTree(both[s]), s == 0);
    }
    expectNear(multiplier[1], multiplier[0], rows);
    for (int s = 0; s < 2; s++)
        ksSystemDestroy(both[s]);
}
END_TEST

/* Rows without entries, but with compliance: lambda = beta / s, and no bar is infinite. */
START_TEST(rowOfNothing)
{
    const double force[6] = {1, 2, 3, 4, 5, 6}, x[6] = {1}, nothing[6] = {0};
    ksSystem *system = newSystem();
    addParticle(system, 6, 1, force);
    addRow(system, 0, x, -1, NULL, 0.1, 1e-7);
    addRow(system, 0, nothing, -1, NULL, 0.3, 1e-3);
    double gauss[2], paulus[2], bar[2];
    ck_assert_ok(ksSystemSolveGauss(system, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, gauss, paulus, bar));
    ck_assert_near(paulus[1], 300, ROUNDING * 300);
    ck_assert_double_le(bar[1], 1e-10 * 300);
    ck_assert_double_le(bar[0], 1e-10);
    ksSystemDestroy(system);
}
END_TEST

/* Masses from 1e-9 to 1e9: if they cost digits, the tree algorithm is not used, in any query. */
START_TEST(unequalMasses)
{
    ksSystem *both[2] = {newSystem(), newSystem()};
    double mass[4], observed[COORDINATES], motion[COORDINATES], size = 0, unexplained[2];
    ksGaussMeasure measure[2];
    for (int s = 0; s < 2; s++) {
        unsigned long long state = 1 + (unsigned)_i;
        for (int b = 0; b < 4; b++) {
            mass[b] = pow(10, 9 * draw(&state));
            addParticle(both[s], 6, mass[b], NULL);
            for (int i = 6 * b; i < 6 * b + 6; i++)
                observed[i] = draw(&state);
            if (b > 0)
                addJoint(both[s], b, b - 1, 3, 0, &state);
        }
    }
    makeGeneral(both[1], 4);
    for (int s = 0; s < 2; s++) {
        ck_assert_ok(ksiSystemExplain(both[s], observed, &unexplained[s]));
        ck_assert_ok(ksSystemMeasure(both[s], observed, &measure[s]));
    }
    ck_assert_int_eq(insideIsTree(both[1]), 0);
    ck_assert_ok(ksSystemSolveMotion(both[1], motion));
    for (int i = 0; i < 24; i++)
        size += mass[i / 6] * (observed[i] * observed[i] + motion[i] * motion[i]);
    ck_assert_near(unexplained[0], unexplained[1], TREE_ROUNDING * sqrt(size));
    ck_assert_near(sqrt(measure[0].unexplained), sqrt(measure[1].unexplained), TREE_ROUNDING * sqrt(size));
    ck_assert_near(sqrt(measure[0].solverError), sqrt(measure[1].solverError), TREE_ROUNDING * sqrt(size));
    for (int s = 0; s < 2; s++)
        ksSystemDestroy(both[s]);
}
END_TEST

/* Three bodies fall freely: their joints carry only rounding, which does not count as lost
 * digits. */
START_TEST(freeFall)
{
    const double weight[6] = {0, 0, -9.81};
    ksSystem *system = newSystem();
    double multiplier[10];
    for (int b = 0; b < 3; b++)
        addParticle(system, 6, 1, weight);
    for (int l = 0; l < 10; l++) {
        double own[6] = {0}, other[6] = {0};
        own[l % 5] = 1;
        other[l % 5] = -1;
        addRow(system, 1 + l / 5, own, l / 5, other, 0, 0);
    }
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_int_eq(insideIsTree(system), 1);
    for (int l = 0; l < 10; l++)
        ck_assert_near(multiplier[l], 0, 9.81 * ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

static void chainOf(ksSystem *system, int rows, unsigned long long state)
{
    ksSystemClear(system);
    for (int b = 0; b < 5; b++)
        addParticle(system, 6, 1, NULL);
    for (int b = 1; b < 5; b++)
        addJoint(system, b, b - 1, rows, 0, &state);
}

static void solveWithBars(ksSystem *system, double *multiplier, double *bar)
{
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, KSI_STRESS_NONE, multiplier, multiplier, bar));
    ck_assert_int_eq(insideIsTree(system), 1);
}

/* Old contents of memory, NaN or numbers of another chain, do not affect results, for joints with
 * any number of rows. */
START_TEST(memoryIsWritten)
{
    double multiplier[3][ROWS], bar[3][ROWS];
    for (int pass = 0; pass < 3; pass++) {
        int byte = pass == 1 ? 0xff : 0;
        ksSystem *system = newFilledSystem(&byte);
        if (pass == 2) {
            chainOf(system, _i, 2);
            solveWithBars(system, multiplier[pass], bar[pass]);
        }
        chainOf(system, _i, 1);
        solveWithBars(system, multiplier[pass], bar[pass]);
        ksSystemDestroy(system);
    }
    for (int pass = 1; pass < 3; pass++)
        for (int l = 0; l < 4 * _i; l++) {
            ck_assert_double_eq(multiplier[0][l], multiplier[pass][l]);
            ck_assert_double_eq(bar[0][l], bar[pass][l]);
        }
}
END_TEST

/* The scaled motion is finite, the motion overflows. */
START_TEST(overflow)
{
    ksSystem *system = newSystem();
    const double force[1] = {1e150};
    double acceleration[1] = {7};
    addParticle(system, 1, 1e-200, force);
    ck_assert_int_eq(ksSystemSolveMotion(system, acceleration), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemSolvePaulus(system, NULL, acceleration), KS_ERROR_NOT_FINITE);
    ck_assert_double_eq(acceleration[0], 7);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    TCase *trees = tcase_create("trees");
    tcase_add_loop_test(trees, effectiveMasses, 0, 240);
    tcase_add_loop_test(trees, sameAnswers, 0, 240);
    tcase_add_loop_test(trees, otherSides, 0, 240);
    tcase_add_loop_test(trees, rootOfFreeChain, 0, 4);
    tcase_add_test(trees, rowOfNothing);
    tcase_add_loop_test(trees, unequalMasses, 0, 100);
    tcase_add_test(trees, freeFall);
    tcase_add_loop_test(trees, memoryIsWritten, 1, MOST);
    tcase_add_test(trees, overflow);
    return runCase("articulated", trees);
}

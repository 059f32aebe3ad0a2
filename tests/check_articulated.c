/* check_articulated.c  The null-space route on trees against the general one, which does not know trees. */
#include "mechanics/system_private.h"
#include "tests/system_kit.h"

enum { BLOCKS = 12, ROWS = 5 * BLOCKS, COORDINATES = 6 * BLOCKS };

/* Rows of random trees are far from dependent: digits are lost to the length of the tree alone. */
#define TREE_ROUNDING 1e-11

typedef enum Shape { CHAIN, STAR, BRANCHES, FOREST, SHAPES } Shape;

static int parentOf(Shape shape, int b, unsigned long long *state)
{
    switch (shape) {
    case CHAIN:
        return b - 1;
    case STAR:
        return 0;
    case FOREST:
        return b % 4 ? b - 1 : -1;
    default:
        return (int)((draw(state) + 1) / 2 * b);
    }
}

static void addBlock(ksSystem *system, int size, unsigned long long *state)
{
    double mass[36], force[6];
    for (int i = 0; i < size; i++) {
        force[i] = draw(state);
        for (int j = 0; j <= i; j++)
            mass[i * size + j] = mass[j * size + i] = i == j ? 2 + draw(state) : 0.2 * draw(state);
    }
    int block;
    ck_assert_ok(ksSystemAddBlock(system, size, mass, force, NULL, &block));
}

static int hasKnown = 1;

/* A joint of up to five rows; softness: of rows that are soft. One joint may have a known row, another has an empty one. */
static void addJoint(ksSystem *system, int b, int parent, int count, double softness, unsigned long long *state)
{
    for (int l = 0; l < count; l++) {
        double own[6], other[6];
        for (int i = 0; i < 6; i++) {
            own[i] = draw(state);
            other[i] = draw(state);
        }
        const double known = hasKnown && b == 3 && l == 0 ? 0.5 : INFINITY;
        if (b == 5 && l == 1)
            memset(own, 0, sizeof own), memset(other, 0, sizeof other);
        const double beta = b == 5 && l == 1 ? 0 : draw(state), s = b == 5 && l == 1 ? 0 : softness * (l % 2 + 1);
        if (b % 2)
            addBounded(system, b, own, parent, other, beta, s, isinf(known) ? -known : known, known);
        else if (parent >= 0)
            addBounded(system, parent, other, b, own, beta, s, isinf(known) ? -known : known, known);
        else
            addBounded(system, b, own, -1, NULL, beta, s, isinf(known) ? -known : known, known);
    }
}

static void drawTree(ksSystem *system, Shape shape, int seed, double softness)
{
    unsigned long long state = 4711 + 65537ULL * (unsigned)seed;
    const int grounded = seed % 2;
    int size[BLOCKS];
    for (int b = 0; b < BLOCKS; b++) {
        size[b] = seed % 3 ? 6 : 2 + (int)((draw(&state) + 1) * 2.49);
        addBlock(system, size[b], &state);
    }
    for (int b = grounded ? 0 : 1; b < BLOCKS; b++) {
        const int parent = b == 0 ? -1 : parentOf(shape, b, &state);
        const int count = 1 + (int)((draw(&state) + 1) / 2 * (size[b] < 5 ? size[b] - 1 : 5));
        if (parent >= 0 || grounded || b == 4)
            addJoint(system, b, parent, count, softness, &state);
    }
}

static void expectNear(const double *a, const double *b, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(a[i]));
    for (int i = 0; i < count; i++)
        ck_assert_near(a[i], b[i], TREE_ROUNDING * (1 + size));
}

START_TEST(againstGeneral)
{
    const double softness[] = {0, 1e-7, 1e-2};
    const Shape shape = (Shape)(_i % SHAPES);
    ksSystem *system = newSystem();
    drawTree(system, shape, _i / SHAPES, softness[_i % 3]);
    const int rows = ksSystemRowCount(system), coordinates = ksSystemCoordinateCount(system);
    ck_assert_int_le(rows, ROWS);
    double general[ROWS] = {0}, found[ROWS], acceleration[COORDINATES], y[COORDINATES], applied[COORDINATES];
    ksiFactor *exact;
    ck_assert_ok(ksiTrueMotion(system, &exact));
    ksiFindMultipliers(system, exact);
    memcpy(general, system->motion.multiplier.at, (size_t)rows * sizeof *general);
    memcpy(acceleration, system->motion.acceleration.at, (size_t)coordinates * sizeof *acceleration);

    ksiTree *tree;
    ksiAppliedForce(&system->model, applied);
    ck_assert_ok(ksiTreeReduce(system, KSI_VIEW_EXACT, system->model.beta.at, applied, &tree));
    ck_assert_ptr_nonnull(tree);
    memcpy(found, general, sizeof found);
    for (int i = 0; i < tree->limbCount; i++)
        for (int l = 0; l < tree->link[i].count; l++)
            found[tree->link[i].row[l]] = NAN;
    ksiTreeSolve(system, tree, found, y);
    ksiUnscaleMotion(&system->model, y);
    expectNear(general, found, rows);
    expectNear(acceleration, y, coordinates);

    // effective masses of the general route are the same diagonal
    double diagonal[ROWS];
    ck_assert_ok(ksiTreeInverseDiagonal(system, tree, diagonal));
    for (int i = 0; i < tree->limbCount; i++)
        for (int l = 0; l < tree->link[i].count; l++) {
            ksRelaxation relaxation;
            const int row = tree->link[i].row[l];
            ck_assert_ok(ksSystemRelaxRow(system, row, NULL, NULL, &relaxation));
            ck_assert_near(diagonal[row] / relaxation.effectiveMass, 1, 1e-8);
        }
    ksSystemDestroy(system);
}
END_TEST

/* The same system once more, as one that is no tree. */
static void solveGenerally(ksSystem *system)
{
    ck_assert_ok(ksiTreePattern(system));
    system->tree.isTree = 0;
}

/* Every query that trees answer by themselves. */
typedef struct Answers {
    double multiplier[ROWS], acceleration[COORDINATES], motion[COORDINATES];
    double rigid[ROWS], rigidAcceleration[COORDINATES], unexplained;
    ksGaussMeasure measure, reported, pressed;
    int determinate[ROWS];
    size_t rank;
} Answers;

/* The motion under the reported loads. */
static void press(ksSystem *system, const double *reported, double *acceleration)
{
    memcpy(acceleration, system->model.scaledForce.at, (size_t)system->model.coordinateCount * sizeof *acceleration);
    for (int l = 0; l < system->model.rowCount; l++)
        ksiRowAdd(&system->model, l, reported[l], acceleration);
    ksiUnscaleMotion(&system->model, acceleration);
}

static void ask(ksSystem *system, const double *observed, const double *reported, Answers *a)
{
    double pressed[COORDINATES];
    memset(a, 0, sizeof *a);
    press(system, reported, pressed);
    ck_assert_ok(ksiSystemMeasure(system, pressed, reported, &a->pressed));
    ck_assert_ok(ksSystemSolvePaulus(system, a->multiplier, a->acceleration));
    ck_assert_ok(ksSystemSolveMotion(system, a->motion));
    ck_assert_ok(ksSystemGetDeterminacy(system, a->determinate, &a->rank));
    ck_assert_ok(ksiSystemMeasure(system, observed, reported, &a->reported));
    ck_assert_ok(ksSystemMeasure(system, observed, &a->measure));
    ck_assert_ok(ksiSystemExplain(system, observed, &a->unexplained));
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
    const double softness[] = {0, 1e-7, 1e-2};
    ksSystem *system = newSystem();
    unsigned long long state = 5;
    hasKnown = _i / 12 % 2;
    drawTree(system, (Shape)(_i % SHAPES), _i / SHAPES, softness[_i % 3]);
    hasKnown = 1;
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
    const int rows = ksSystemRowCount(system), coordinates = ksSystemCoordinateCount(system);
    double observed[COORDINATES], reported[ROWS];
    for (int i = 0; i < coordinates; i++)
        observed[i] = draw(&state);
    for (int l = 0; l < rows; l++)
        reported[l] = draw(&state);
    Answers tree, general;
    ask(system, observed, reported, &tree);
    ck_assert_int_eq(ksiSystemIsTree(system), 1);
    solveGenerally(system);
    ask(system, observed, reported, &general);
    expectNear(general.multiplier, tree.multiplier, rows);
    expectNear(general.acceleration, tree.acceleration, coordinates);
    expectNear(general.motion, tree.motion, coordinates);
    expectNear(general.rigid, tree.rigid, rows);
    expectNear(general.rigidAcceleration, tree.rigidAcceleration, coordinates);
    expectNear(&general.unexplained, &tree.unexplained, 1);
    expectMeasure(&general.measure, &tree.measure);
    expectMeasure(&general.reported, &tree.reported);
    expectMeasure(&general.pressed, &tree.pressed);
    ck_assert_uint_eq(general.rank, tree.rank);
    ck_assert_mem_eq(general.determinate, tree.determinate, (size_t)rows * sizeof(int));
    ksSystemDestroy(system);
}
END_TEST

/* A light particle on one that hardly moves: the tree has it hang on little but the compliance, and gives way.
 * lambda (1 + 1/m + s) = beta - f + g in units of the light one. */
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
    ck_assert_int_eq(ksiSystemIsTree(system), heavy < 1e6);
    const double expected = (0.5 - 3 + gravity) / (1 + 1 / heavy + soft);
    ck_assert_near(multiplier[0], expected, ROUNDING * fabs(expected));
    ck_assert_near(acceleration[0], 3 + expected, ROUNDING * fabs(expected));
    ksSystemDestroy(system);
}
END_TEST

/* The root of a free chain is in the middle, or at the heavy body, wherever the chain begins: no digits are lost to its
 * place. The numbers are those of the general route. */
START_TEST(rootOfFreeChain)
{
    enum { LINKS = 9 };
    const int heavy[] = {-1, 0, LINKS - 1, 2};
    ksSystem *system = newSystem();
    unsigned long long state = 1 + (unsigned)_i;
    for (int b = 0; b < LINKS; b++)
        addParticle(system, 6, b == heavy[_i] ? 1e8 : 1, NULL);
    for (int b = 1; b < LINKS; b++)
        for (int l = 0; l < 5; l++) {
            double own[6] = {0}, other[6] = {0};
            for (int i = 0; i < 6; i++) {
                own[i] = (i == l) + 0.2 * draw(&state);
                other[i] = 0.2 * draw(&state) - (i == l);
            }
            addRow(system, b, own, b - 1, other, draw(&state), 1e-8);
        }
    const int rows = ksSystemRowCount(system);
    double tree[ROWS], general[ROWS];
    ck_assert_ok(ksSystemSolvePaulus(system, tree, NULL));
    ck_assert_int_eq(ksiSystemIsTree(system), 1);
    ck_assert_int_eq(system->tree.link[0].block, heavy[_i] < 0 ? LINKS / 2 : heavy[_i]);
    // the two branches take turns
    for (int i = 2; i < LINKS && heavy[_i] < 0; i++)
        ck_assert_int_eq(system->tree.link[i].parent, i == 2 ? 0 : i - 2);
    solveGenerally(system);
    ck_assert_ok(ksSystemSolvePaulus(system, general, NULL));
    expectNear(general, tree, rows);
    ksSystemDestroy(system);
}
END_TEST

/* Rows that act on no block but have compliance: lambda = beta / s, and no bar is infinite. */
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
    ck_assert_ok(ksiSystemErrorBars(system, gauss, paulus, bar));
    ck_assert_near(paulus[1], 300, ROUNDING * 300);
    ck_assert_double_le(bar[1], 1e-10 * 300);
    ck_assert_double_le(bar[0], 1e-10);
    ksSystemDestroy(system);
}
END_TEST

/* Masses from 1e-9 to 1e9: if they cost digits, the tree gives way, for any query. */
START_TEST(unequalMasses)
{
    ksSystem *system = newSystem();
    unsigned long long state = 1 + (unsigned)_i;
    double mass[4], observed[COORDINATES], motion[COORDINATES], size = 0, tree, general;
    for (int b = 0; b < 4; b++) {
        mass[b] = pow(10, 9 * draw(&state));
        addParticle(system, 6, mass[b], NULL);
        for (int i = 6 * b; i < 6 * b + 6; i++)
            observed[i] = draw(&state);
        if (b > 0)
            addJoint(system, b, b - 1, 3, 0, &state);
    }
    ksGaussMeasure byTree, byGeneral;
    ck_assert_ok(ksiSystemExplain(system, observed, &tree));
    ck_assert_ok(ksSystemMeasure(system, observed, &byTree));
    solveGenerally(system);
    ck_assert_ok(ksiSystemExplain(system, observed, &general));
    ck_assert_ok(ksSystemMeasure(system, observed, &byGeneral));
    ck_assert_ok(ksSystemSolveMotion(system, motion));
    for (int i = 0; i < 24; i++)
        size += mass[i / 6] * (observed[i] * observed[i] + motion[i] * motion[i]);
    ck_assert_near(tree, general, TREE_ROUNDING * sqrt(size));
    ck_assert_near(sqrt(byTree.unexplained), sqrt(byGeneral.unexplained), TREE_ROUNDING * sqrt(size));
    ck_assert_near(sqrt(byTree.solverError), sqrt(byGeneral.solverError), TREE_ROUNDING * sqrt(size));
    ksSystemDestroy(system);
}
END_TEST

/* (A + S)^-1 has no less on its diagonal than 1/(A_ll + s_l): nor where a light body has to follow a heavy one, and the
 * difference of two unit matrices is all rounding. */
START_TEST(inverseIsPositive)
{
    ksSystem *system = newSystem();
    unsigned long long state = 1 + (unsigned)_i;
    addParticle(system, 6, 1, NULL);
    addParticle(system, 6, 1e16, NULL);
    addJoint(system, 1, 0, 5, 0, &state);
    ksiTree *tree;
    double diagonal[ROWS];
    ck_assert_ok(ksiTreeGet(system, KSI_VIEW_EXACT, &tree));
    ck_assert_ptr_nonnull(tree);
    ck_assert_ok(ksiTreeInverseDiagonal(system, tree, diagonal));
    for (int l = 0; l < 5; l++)
        ck_assert_double_ge(diagonal[l], 1 / system->model.diagonal.at[l]);
    ksSystemDestroy(system);
}
END_TEST

/* Each row is close to its neighbour: perpendicular to the rows before, each keeps a tenth of its length; perpendicular
 * to all others, hardly any. The tree gives way then, except for few rows. Unit masses: J J^T lambda = beta, and J =
 * upper triangle, J^T lambda = a. */
START_TEST(rowsLeanOneByOne)
{
    enum { MOST = KSI_SIX };
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
    ck_assert_ok(ksiSystemErrorBars(system, gauss, paulus, bar));
    ck_assert_int_eq(ksiSystemIsTree(system), _i < 3);
    for (int l = last; l >= 0; l--)
        motion[l] = l < last ? (1 - motion[l + 1]) / 0.1 : 1;
    for (int l = 0; l <= last; l++)
        expected[l] = (motion[l] - (l > 0 ? expected[l - 1] : 0)) / (l < last ? 0.1 : 1);
    for (int l = 0; l <= last; l++)
        ck_assert_double_le(fabs(paulus[l] - expected[l]), bar[l] + ROUNDING * fabs(expected[l]));
    ksSystemDestroy(system);
}
END_TEST

/* Old contents of the memory of a factorisation, even a NaN, reach no result. Joints of any number of rows. */
START_TEST(limbsAreWritten)
{
    ksSystem *system = newSystem();
    unsigned long long state = 1;
    double diagonal[2][ROWS] = {{0}};
    for (int b = 0; b < 5; b++)
        addParticle(system, 6, 1, NULL);
    for (int b = 1; b < 5; b++)
        addJoint(system, b, b - 1, _i, 0, &state);
    for (int pass = 0; pass < 2; pass++) {
        ksiTree *tree;
        ck_assert_ok(ksiTreeGet(system, KSI_VIEW_EXACT, &tree));
        ck_assert_ptr_nonnull(tree);
        ck_assert_ok(ksiTreeInverseDiagonal(system, tree, diagonal[pass]));
        for (int i = 0; i < tree->limbCount; i++) {
            ksiLink *link = &tree->link[i];
            double *const matrix[] = {link->root[0], link->own[0], link->r[0], link->cross[0]};
            for (int k = 0; k < 4 * KSI_SIX * KSI_FILLED; k++)
                matrix[k % 4][k / 4] = NAN;
        }
        tree->known = 0;
    }
    for (int l = 0; l < 4 * _i; l++)
        ck_assert_double_eq(diagonal[0][l], diagonal[1][l]);
    ksSystemDestroy(system);
}
END_TEST

/* The scaled motion is a number, the motion is none. */
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

/* A loop, two joints to the ground, a joint whose rows depend on each other: no trees, or trees that give way. */
START_TEST(notATree)
{
    ksSystem *system = newSystem();
    unsigned long long state = 99;
    for (int b = 0; b < 3; b++)
        addBlock(system, 6, &state);
    addJoint(system, 0, -1, 2, 0, &state);
    addJoint(system, 1, 0, 2, 0, &state);
    addJoint(system, 2, 1, 2, 0, &state);
    ksiTree *tree;
    ck_assert_ok(ksiTreeGet(system, KSI_VIEW_EXACT, &tree));
    ck_assert_ptr_nonnull(tree);
    if (_i == 0)
        addJoint(system, 2, 0, 1, 0, &state);
    else if (_i == 1)
        addJoint(system, 2, -1, 1, 0, &state);
    else {
        const double x[6] = {1, 0, 0, 0, 0, 0}, nearly[6] = {1, 1e-3, 0, 0, 0, 0};
        ksSystemClear(system);
        addBlock(system, 6, &state);
        addRow(system, 0, x, -1, NULL, 1, 0);
        addRow(system, 0, nearly, -1, NULL, 1, 0);
    }
    ck_assert_ok(ksiTreeGet(system, KSI_VIEW_EXACT, &tree));
    ck_assert_ptr_null(tree);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("articulated");
    TCase *trees = tcase_create("trees");
    tcase_add_loop_test(trees, againstGeneral, 0, 240);
    tcase_add_loop_test(trees, sameAnswers, 0, 240);
    tcase_add_loop_test(trees, heavyBody, 0, 3);
    tcase_add_loop_test(trees, rootOfFreeChain, 0, 4);
    tcase_add_test(trees, rowOfNothing);
    tcase_add_loop_test(trees, unequalMasses, 0, 100);
    tcase_add_loop_test(trees, inverseIsPositive, 0, 10);
    tcase_add_loop_test(trees, rowsLeanOneByOne, 1, KSI_SIX + 1);
    tcase_add_loop_test(trees, limbsAreWritten, 1, KSI_SIX);
    tcase_add_test(trees, overflow);
    tcase_add_loop_test(trees, notATree, 0, 3);
    suite_add_tcase(suite, trees);
    return runSuite(suite);
}

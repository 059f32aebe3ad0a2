/* check_articulated.c  The null-space route on trees against the general one, which does not know trees. */
#include "mechanics/articulated.h"
#include "tests/system_kit.h"

enum { BLOCKS = 12, ROWS = 5 * BLOCKS + 1, COORDINATES = 6 * BLOCKS };

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

static void addRandomBlock(ksSystem *system, int size, unsigned long long *state)
{
    double mass[36], force[6];
    for (int i = 0; i < size; i++) {
        force[i] = draw(state);
        for (int j = 0; j <= i; j++)
            mass[i * size + j] = mass[j * size + i] = i == j ? 2 + draw(state) : 0.2 * draw(state);
    }
    putBlock(system, size, mass, force, NULL);
}

static int hasKnown = 1;

/* Where set, the loads of all rows are known, and these. */
static const double *load;

/* A joint of up to five rows; softness: of rows that are soft. One joint may have a known row, another has an empty one. */
static void addJoint(ksSystem *system, int b, int parent, int count, double softness, unsigned long long *state)
{
    for (int l = 0; l < count; l++) {
        double own[6], other[6];
        for (int i = 0; i < 6; i++) {
            own[i] = draw(state);
            other[i] = draw(state);
        }
        const double known = load ? *load++ : hasKnown && b == 3 && l == 0 ? 0.5 : INFINITY;
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
        addRandomBlock(system, size[b], &state);
    }
    for (int b = grounded ? 0 : 1; b < BLOCKS; b++) {
        const int parent = b == 0 ? -1 : parentOf(shape, b, &state);
        const int count = 1 + (int)((draw(&state) + 1) / 2 * (size[b] < 5 ? size[b] - 1 : 5));
        if (parent >= 0 || grounded || b == 4)
            addJoint(system, b, parent, count, softness, &state);
    }
}

/* The same mechanics, and no tree: a row without entries over all blocks. It is the last one. */
static void makeGeneral(ksSystem *system, int blocks)
{
    static const double nothing[6];
    int block[BLOCKS], row;
    const double *jacobian[BLOCKS];
    ksRowSpec spec;
    for (int b = 0; b < blocks; b++) {
        block[b] = b;
        jacobian[b] = nothing;
    }
    ksRowSpecInit(&spec);
    spec.blockCount = blocks;
    spec.block = block;
    spec.jacobian = jacobian;
    ck_assert_ok(ksSystemAddRow(system, &spec, &row));
}

static void expectNear(const double *a, const double *b, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(a[i]));
    for (int i = 0; i < count; i++)
        ck_assert_near(a[i], b[i], TREE_ROUNDING * (1 + size));
}

/* |w_l|^2 of relaxed coordinates is what an error of the force may do to a multiplier. */
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
    ck_assert_ok(ksSystemSolveGauss(tree, gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(tree, paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(tree, gauss, paulus, bar));
    ck_assert_ok(ksiSystemAddForceError(tree, 0, 1, size));
    ck_assert_int_eq(ksiSystemIsTree(tree), 1);
    for (int l = 0; l < rows; l++) {
        ksRelaxation relaxation;
        if (bar[l] == 0 && size[l] == 0)
            continue;  // known, or empty
        ck_assert_ok(ksSystemRelaxRow(general, l, NULL, NULL, &relaxation));
        ck_assert_near(size[l] * size[l] / relaxation.effectiveMass, 1, 1e-8);
        compared++;
    }
    ck_assert_int_ge(compared, rows - 2);
    ksSystemDestroy(tree);
    ksSystemDestroy(general);
}
END_TEST

/* Every query that trees answer by themselves. */
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
    ck_assert_int_eq(ksiSystemIsTree(tree), 1);
    ask(general, &report, &byGeneral);
    ck_assert_int_eq(ksiSystemIsTree(general), 0);
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

/* A free chain has its root at the heavy body, wherever that is: no digits are lost to its place. The numbers are those of the
 * general route. */
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
        ck_assert_int_eq(ksiSystemIsTree(both[s]), s == 0);
    }
    expectNear(multiplier[1], multiplier[0], rows);
    for (int s = 0; s < 2; s++)
        ksSystemDestroy(both[s]);
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
    ck_assert_int_eq(ksiSystemIsTree(both[1]), 0);
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

/* (A + S)^-1 has no less on its diagonal than 1/(A_ll + s_l): nor where a light body has to follow a heavy one, and the
 * difference of two unit matrices is all rounding. */
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
    ksiTree *tree;
    double diagonal[ROWS];
    ck_assert_ok(ksiTreeGet(system, KSI_VIEW_EXACT, &tree));
    ck_assert_ptr_nonnull(tree);
    ck_assert_ok(ksiTreeInverseDiagonal(system, tree, diagonal));
    for (int l = 0; l < 6; l++) {
        long double row[12] = {0};
        recordAddRow(&r, l, 1, row);
        ck_assert_double_ge(diagonal[l] * (double)dotWide(12, row, row), 1 - ROUNDING);
    }
    ksSystemDestroy(system);
}
END_TEST

enum { MOST = 6 }; /* coordinates of a rigid body, rows of a joint */

/* A row is near to the next, and this one to its next: one after the other they keep a tenth of their length, and beside all the
 * others hardly any. The tree gives way then, but for few rows.
 * Unit masses: J J^T lambda = beta, and J = upper triangle, J^T lambda = a. */
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

/* Three bodies fall freely: their joints carry nothing but rounding, which is no lost digit. */
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
    ck_assert_int_eq(ksiSystemIsTree(system), 1);
    for (int l = 0; l < 10; l++)
        ck_assert_near(multiplier[l], 0, 9.81 * ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* A tolerance from both sides: a factor of 3 within, a factor of 3 beyond. */
static const double side[2] = {1. / 3, 3};

/* A motion that misses its row, reported with the true multiplier: by next to nothing, which is rounding of a motion that
 * the report explains, or by more, which is an error of the solver. */
START_TEST(nextToExplained)
{
    const double force[1] = {3}, x[1] = {1}, held = 0.5, lambda = held - force[0];
    const double miss = 1e-11 * side[_i] * sqrt(held * held + force[0] * force[0]), motion = held + miss;
    ksSystem *system = newSystem();
    ksGaussMeasure measure;
    addParticle(system, 1, 1, force);
    addRow(system, 0, x, -1, NULL, held, 0);
    ck_assert_ok(ksiSystemMeasure(system, &motion, &lambda, &measure));
    ck_assert_int_eq(ksiSystemIsTree(system), 1);
    ck_assert_near(measure.unexplained / (0.5 * miss * miss), _i == 0, 1e-4);
    ck_assert_near(measure.solverError / (0.5 * miss * miss), _i == 1, 1e-4);
    ksSystemDestroy(system);
}
END_TEST

/* A row that only its compliance s allows to move: the admissible motion is by sqrt(s) smaller than the arbitrary motion
 * that it is found from. If it is one, the multiplier sees errors of the acceleration along it as well. */
START_TEST(nextToNoMotion)
{
    const double arbitrary = 2 * 0.61803398874989485 - 1, root = 1e-6 * side[_i] / arbitrary, error = 0.7;
    const double force[1] = {3}, x[1] = {1}, s = root * root, truth = (0.5 + s * force[0]) / (1 + s);
    const double lambda = truth - force[0], motion = truth + error;
    const int row = 0;
    ksSystem *system = newSystem();
    double gauss, paulus, bar;
    ksiRelaxed found;
    addParticle(system, 1, 1, force);
    addRow(system, 0, x, -1, NULL, 0.5, s);
    ck_assert_ok(ksSystemSolveGauss(system, &gauss, NULL));
    ck_assert_ok(ksSystemSolvePaulus(system, &paulus, NULL));
    ck_assert_ok(ksiSystemErrorBars(system, &gauss, &paulus, &bar));
    ck_assert_ok(ksiSystemRelaxRows(system, 1, &row, 0, &motion, &found));
    ck_assert_int_eq(ksiSystemIsTree(system), 1);
    ck_assert_near(fabs(found.multiplier - (lambda + error)), _i == 0 ? 0 : root * error, 0.01 * root * error);
    ksSystemDestroy(system);
}
END_TEST

/* Two rows along one direction, the second shorter: compliance that counts as none keeps a pivot of either, up to four
 * hundred times itself, and no determinacy. Rows along two directions are determinate, even if compliance is most of
 * their pivots; the tree knows without a factorisation of its own. */
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
            if (across)
                ck_assert_uint_eq(ksiSystemLayouts(system), 0);
            ksSystemDestroy(system);
        }
}
END_TEST

/* A line of levers, each of which doubles the motion before: what the first row leaves to the last lever halves with
 * each. The tree gives way where this is next to nothing, and the small singular value counts. */
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
    ck_assert_int_eq(ksiSystemIsTree(system), _i == 0);
    ck_assert_uint_eq(rank, (size_t)(_i == 0 ? levers : levers - 1));
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
    ck_assert_ok(ksiSystemErrorBars(system, multiplier, multiplier, bar));
    ck_assert_int_eq(ksiSystemIsTree(system), 1);
}

/* Old contents of memory, be they no numbers or those of another chain, reach no result. Joints of any number of rows. */
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
    double multiplier[ROWS];
    for (int b = 0; b < 3; b++)
        addRandomBlock(system, 6, &state);
    addJoint(system, 0, -1, 2, 0, &state);
    addJoint(system, 1, 0, 2, 0, &state);
    addJoint(system, 2, 1, 2, 0, &state);
    ck_assert_ok(ksSystemSolvePaulus(system, multiplier, NULL));
    ck_assert_int_eq(ksiSystemIsTree(system), 1);
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
    ck_assert_int_eq(ksiSystemIsTree(system), 0);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("articulated");
    TCase *trees = tcase_create("trees");
    tcase_add_loop_test(trees, effectiveMasses, 0, 240);
    tcase_add_loop_test(trees, sameAnswers, 0, 240);
    tcase_add_loop_test(trees, heavyBody, 0, 3);
    tcase_add_loop_test(trees, rootOfFreeChain, 0, 4);
    tcase_add_test(trees, rowOfNothing);
    tcase_add_loop_test(trees, unequalMasses, 0, 100);
    tcase_add_loop_test(trees, inverseIsPositive, 0, 10);
    tcase_add_loop_test(trees, rowsLeanOneByOne, 1, MOST + 1);
    tcase_add_test(trees, freeFall);
    tcase_add_loop_test(trees, nextToExplained, 0, 2);
    tcase_add_loop_test(trees, nextToNoMotion, 0, 2);
    tcase_add_loop_test(trees, softRows, 0, 4);
    tcase_add_loop_test(trees, halvingLevers, 0, 2);
    tcase_add_loop_test(trees, memoryIsWritten, 1, MOST);
    tcase_add_test(trees, overflow);
    tcase_add_loop_test(trees, notATree, 0, 3);
    suite_add_tcase(suite, trees);
    return runSuite(suite);
}

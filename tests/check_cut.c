/* check_cut.c  Multipliers by cuts: bridges against a search by hand, multipliers against the relaxed coordinates. */
#include "tests/system_kit.h"

/* Loads of order 1 through trees a dozen blocks deep, whose bridges have condition numbers of some 100. */
#define TREE_ROUNDING 1e-11

#define MOST 64

static const double g = 9.81;

/* Another problem: what it leaves behind is of no use to the next one. */
static void solveAnother(ksSystem *system)
{
    ck_assert_ok(ksSystemSolveImpulse(system, NULL, NULL, NULL, NULL, NULL));
}

static void cutAgrees(ksSystem *system, const int *wanted)
{
    double paulus[MOST], found[MOST], a[6 * MOST], size = 1;
    int cut[MOST];
    const int rows = ksSystemRowCount(system);
    ck_assert_int_le(rows, MOST);
    ck_assert_int_le(ksSystemCoordinateCount(system), 6 * MOST);
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, a));
    for (int l = 0; l < rows; l++)
        size = fmax(size, fabs(paulus[l]));
    for (int given = 0; given < 2; given++) {
        memset(found, 0x7f, sizeof found);
        solveAnother(system);
        ck_assert_ok(ksSystemSolveCut(system, given ? a : NULL, found, cut));
        for (int l = 0; l < rows; l++) {
            ck_assert_near(found[l], paulus[l], TREE_ROUNDING * size);
            if (wanted)
                ck_assert_int_eq(cut[l], wanted[l]);
        }
    }
}

static int addBlock(ksSystem *system, unsigned long long *state, int size)
{
    double mass[20 * 20], force[20];
    int block;
    for (int i = 0; i < size; i++) {
        force[i] = draw(state);
        for (int j = 0; j < size; j++)
            mass[i * size + j] = (i == j ? 2 : 0) + (1 + draw(state)) / (2 * size);
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < i; j++)
            mass[j * size + i] = mass[i * size + j];
    ck_assert_ok(ksSystemAddBlock(system, size, mass, force, NULL, &block));
    return block;
}

/* A row over the blocks, -1 among them: the ground. Pieces are random, or zero where `empty` says so. */
static int addRandom(ksSystem *system, unsigned long long *state, int count, const int *block, int empty, double s)
{
    static double piece[4][20];
    const double *jacobian[4];
    int named[4], row;
    ksRowSpec spec;
    ksRowSpecInit(&spec);
    for (int k = 0; k < count; k++) {
        if (block[k] < 0)
            continue;
        for (int i = 0; i < 20; i++)
            piece[spec.blockCount][i] = k == empty ? 0 : draw(state);
        named[spec.blockCount] = block[k];
        jacobian[spec.blockCount] = piece[spec.blockCount];
        spec.blockCount++;
    }
    spec.block = named;
    spec.jacobian = jacobian;
    spec.beta = draw(state);
    spec.compliance = s;
    ck_assert_ok(ksSystemAddRow(system, &spec, &row));
    return row;
}

/* Trees of blocks of many sizes, on the ground or free, rigid or compliant: every row is cut. */
START_TEST(trees)
{
    static const int size[] = {6, 3, 20, 1, 6, 2, 13, 6};
    unsigned long long state = 7 + (unsigned long long)_i;
    int all[MOST];
    ksSystem *system = newSystem();
    for (int b = 0; b < COUNT_OF(size); b++)
        addBlock(system, &state, size[b]);
    for (int b = 0; b < COUNT_OF(size); b++) {
        // the parent among those before, the ground for the first in half of the cases
        const int pair[2] = {b, b > 0 ? (int)((draw(&state) + 1) / 2 * b) : -1};
        int rows = 1 + (int)((draw(&state) + 1) * 2);
        if (b == 0 && _i % 2)
            continue;
        if (rows > size[b])
            rows = size[b];
        for (int k = 0; k < rows; k++)
            addRandom(system, &state, 2, pair, -1, _i % 3 ? 0 : 1e-3);
    }
    for (int l = 0; l < MOST; l++)
        all[l] = 1;
    cutAgrees(system, all);
    ksSystemDestroy(system);
}
END_TEST

#define NODES 9 /* eight blocks and the ground */

typedef struct Link {
    int count, end[3]; /* nodes; 0 is the ground */
    int dropped;       /* known, or not there: it ties nothing */
} Link;

static int find(const int *up, int node)
{
    while (up[node] != node)
        node = up[node];
    return node;
}

static int samePair(const Link *a, const Link *b)
{
    return a->count == 2 && b->count == 2 && a->end[0] + a->end[1] == b->end[0] + b->end[1] &&
           (a->end[0] == b->end[0] || a->end[0] == b->end[1]);
}

/* Without it, and those beside it, its ends are apart. */
static int isBridge(const Link *link, int count, int l)
{
    int up[NODES];
    if (link[l].count != 2 || link[l].dropped)
        return 0;
    for (int node = 0; node < NODES; node++)
        up[node] = node;
    for (int other = 0; other < count; other++)
        for (int k = 1; k < link[other].count && !link[other].dropped && !samePair(&link[l], &link[other]); k++)
            up[find(up, link[other].end[k])] = find(up, link[other].end[0]);
    return find(up, link[l].end[0]) != find(up, link[l].end[1]);
}

/* Random graphs with parallel edges, rows over three blocks, known rows and zero pieces: who is cut is found by taking
 * each edge away, and all multipliers are those of the relaxed coordinates. */
START_TEST(graphs)
{
    for (int seed = 40 * _i; seed < 40 * (_i + 1); seed++) {
        unsigned long long state = 1000 + (unsigned long long)seed;
        Link link[MOST];
        int wanted[MOST], count = 0;
        ksSystem *system = newSystem();
        for (int b = 1; b < NODES; b++)
            addBlock(system, &state, 6);
        for (int e = 0; e < 4 + seed % 7; e++) {
            int end[3], block[3];
            const double kind = draw(&state);
            const int several = kind > 0.8 ? 3 : 2, times = 1 + (draw(&state) > 0.5);
            for (int k = 0; k < several; k++) {
                do
                    end[k] = (int)((draw(&state) + 1) / 2 * NODES);
                while ((k > 0 && end[k] == end[0]) || (k > 1 && end[k] == end[1]) || (several == 3 && end[k] == 0));
                block[k] = end[k] - 1;
            }
            for (int k = 0; k < times; k++) {
                Link *made = &link[count++];
                *made = (Link){several, {end[0], end[1], several == 3 ? end[2] : 0}, 0};
                // a zero piece in place of the third block: an edge over the two
                const int empty = kind > 0.95 ? 2 : -1;
                if (empty == 2)
                    made->count = 2;
                if (kind < -0.9 && block[0] >= 0 && block[1] >= 0) {
                    const double j[6] = {1, 2, 3, 4, 5, 6};
                    addBounded(system, block[0], j, block[1], j, 0, 0, 0.3, 0.3);
                    made->dropped = 1;
                } else {
                    addRandom(system, &state, several, block, empty, seed % 2 ? 1e-2 : 0);
                }
            }
        }
        for (int l = 0; l < count; l++)
            wanted[l] = isBridge(link, count, l);
        cutAgrees(system, wanted);
        ksSystemDestroy(system);
    }
}
END_TEST

/* A bridge with dependent rows, or with more than its block has coordinates, is not for the cut to share out; what hangs
 * on it is cut all the same. */
START_TEST(dependentBridge)
{
    unsigned long long state = 3;
    const double j[6] = {1, 0.5, 0, 0, 2, 0}, j2[3] = {0, 1, 1}, x[1] = {1}, y[1] = {0.4};
    ksSystem *system = newSystem();
    const int a = addBlock(system, &state, 6), b = addBlock(system, &state, 3), c = addBlock(system, &state, 1);
    addRow(system, a, j, -1, NULL, 1, 0);
    addRow(system, a, j, -1, NULL, 1, 0);
    addRow(system, b, j2, a, j, 0.5, 0);
    addRow(system, b, j2, c, x, 0.5, 0);
    addRow(system, b, j, c, y, 0, 0);
    const int wanted[5] = {0, 0, 1, 0, 0};
    cutAgrees(system, wanted);
    ksSystemDestroy(system);
}
END_TEST

/* A chain of a hundred thousand weights at rest: each link carries what hangs below. Known motion: no elimination. */
START_TEST(longChain)
{
    enum { length = 100000 };
    const double mass = 0.5, weight = mass * g, up[1] = {1}, down[1] = {-1};
    double *multiplier = malloc(length * sizeof *multiplier), *rest = calloc(length, sizeof *rest);
    int *cut = malloc(length * sizeof *cut);
    ck_assert(multiplier && rest && cut);
    ksSystem *system = newSystem();
    for (int b = 0; b < length; b++) {
        const double force[1] = {-weight};
        int block;
        ck_assert_ok(ksSystemAddBlock(system, 1, &mass, force, NULL, &block));
        addRow(system, b, up, b - 1, down, 0, 0);
    }
    ck_assert_ok(ksSystemSolveCut(system, rest, multiplier, cut));
    for (int l = 0; l < length; l++) {
        ck_assert_int_eq(cut[l], 1);
        // a hundred thousand sums
        ck_assert_near(multiplier[l] / ((length - l) * weight), 1, 1e-10);
    }
    ksSystemDestroy(system);
    free(multiplier);
    free(rest);
    free(cut);
}
END_TEST

/* Two links in the plane, the second pinned to the first where its own anchor is off by a gap, the first driven. The
 * driving torque from the balance of the first link is the right one; turning both as one rigid body about the pivot
 * violates the open pin and is wrong by the pin's force times the gap. */
START_TEST(anchorGap)
{
    const double m = 1, inertia = 1 / 12.0, gap[2] = {1e-3, -2e-3}, turn[3] = {0, 0, 1};
    const double weight[3] = {0, -m * g, 0}, mass[3] = {m, m, inertia};
    // link 1 from the pivot at the origin along x, link 2 from its end at 45 degrees
    const double h = 0.5 * sqrt(0.5), x1[2] = {0.5, 0}, x2[2] = {1 + gap[0] + h, gap[1] + h};
    const double pinX1[3] = {1, 0, 0}, pinY1[3] = {0, 1, 0.5};
    const double pinX2[3] = {-1, 0, -h}, pinY2[3] = {0, -1, h};
    const double pivotX[3] = {1, 0, 0}, pivotY[3] = {0, 1, -0.5};
    ksSystem *system = newSystem();
    const int a = addDiagonal(system, 3, mass, weight), b = addDiagonal(system, 3, mass, weight);
    addRow(system, a, pivotX, -1, NULL, 0, 0);
    addRow(system, a, pivotY, -1, NULL, 0, 0);
    const int drive = addRow(system, a, turn, -1, NULL, 0.7, 0);
    const int pin = addRow(system, a, pinX1, b, pinX2, 0.3, 0);
    addRow(system, a, pinY1, b, pinY2, -0.2, 0);
    const int all[5] = {1, 1, 1, 1, 1};
    cutAgrees(system, all);

    double multiplier[5], acceleration[6], rigid = 0;
    ksRelaxation relaxation;
    ck_assert_ok(ksSystemSolveCut(system, NULL, multiplier, NULL));
    ck_assert_ok(ksSystemSolveMotion(system, acceleration));
    const double both[6] = {-x1[1], x1[0], 1, -x2[1], x2[0], 1};
    ck_assert_int_eq(ksSystemRelaxRow(system, drive, both, NULL, &relaxation), KS_ERROR_NOT_ADMISSIBLE);
    for (int i = 0; i < 6; i++)
        rigid += both[i] * (mass[i % 3] * acceleration[i] - weight[i % 3]);
    // J w of the pin's rows is the gap turned by 90 degrees
    const double open = multiplier[pin] * gap[1] - multiplier[pin + 1] * gap[0];
    ck_assert_double_gt(fabs(open), 1e-3);
    ck_assert_near(rigid - multiplier[drive], open, 1e-12);
    ksSystemDestroy(system);
}
END_TEST

/* A motion that is not the true one: what the rows of a leaf do not explain is left out in the mass metric. */
START_TEST(givenMotion)
{
    const double mass[4] = {2, 1, 1, 3}, force[2] = {1, 4}, j[2] = {1, 0}, a[2] = {0.5, 0.25};
    double multiplier[1];
    int block, cut[1];
    ksSystem *system = newSystem();
    ck_assert_ok(ksSystemAddBlock(system, 2, mass, force, NULL, &block));
    addRow(system, block, j, -1, NULL, 77, 0);
    ck_assert_ok(ksSystemSolveCut(system, a, multiplier, cut));
    // lambda = J M^-1 (M a - f) / J M^-1 J^T = (a - M^-1 f)_0 / (M^-1)_00, M^-1 = [3 -1; -1 2] / 5
    ck_assert_near(multiplier[0], (0.5 + 0.2) / 0.6, ROUNDING);
    ck_assert_int_eq(cut[0], 1);
    ksRelaxation relaxation;
    ck_assert_ok(ksSystemRelaxRow(system, 0, NULL, a, &relaxation));
    ck_assert_near(multiplier[0], relaxation.multiplier, ROUNDING);
    ksSystemDestroy(system);
}
END_TEST

/* Gears of ratio 3 in a row: each balance trebles the error of what lies beyond, 1e28 times in all. Where that is too much
 * the relaxed coordinates take over, and the cuts go on from there. */
START_TEST(growingError)
{
    enum { length = 60 };
    unsigned long long state = 8;
    const double own[1] = {1}, next[1] = {3};
    double multiplier[length], wanted[length], a[length];
    int cut[length], count = 0;
    ksSystem *system = newSystem();
    for (int b = 0; b < length; b++) {
        const double mass = 2 + draw(&state), force[1] = {draw(&state)};
        int block;
        ck_assert_ok(ksSystemAddBlock(system, 1, &mass, force, NULL, &block));
        // compliant, for there are as many rows as coordinates
        addRow(system, b, own, b - 1, next, draw(&state), 0.1);
    }
    ck_assert_ok(ksSystemSolvePaulus(system, wanted, a));
    for (int given = 0; given < 2; given++) {
        ck_assert_ok(ksSystemSolveCut(system, given ? a : NULL, multiplier, cut));
        for (int l = 0; l < length; l++) {
            // a hundred times the noise that is allowed
            ck_assert_near(multiplier[l], wanted[l], 1e-9);
            count += cut[l];
        }
    }
    ck_assert_int_gt(count, length);
    ck_assert_int_lt(count, 2 * length);
    ksSystemDestroy(system);
}
END_TEST

/* Around a loop too: each multiplier is that of the relaxed coordinate along the given motion. */
START_TEST(givenMotionInLoop)
{
    unsigned long long state = 11;
    const double a[5] = {0.4, -0.3, 0.8, 0.1, -0.6};
    const int pair[3][2] = {{0, -1}, {0, 1}, {1, -1}};
    double multiplier[4];
    int cut[4];
    ksSystem *system = newSystem();
    addBlock(system, &state, 2);
    addBlock(system, &state, 2);
    const int leaf[2] = {addBlock(system, &state, 1), 1};
    for (int l = 0; l < 3; l++)
        addRandom(system, &state, 2, pair[l], -1, l == 1 ? 0.2 : 0);
    addRandom(system, &state, 2, leaf, -1, 0);
    ck_assert_ok(ksSystemSolveCut(system, a, multiplier, cut));
    for (int l = 0; l < 3; l++) {
        ksRelaxation relaxation;
        ck_assert_ok(ksSystemRelaxRow(system, l, NULL, a, &relaxation));
        ck_assert_near(multiplier[l], relaxation.multiplier, ROUNDING * 100);
        ck_assert_int_eq(cut[l], 0);
    }
    ck_assert_int_eq(cut[3], 1);
    ksSystemDestroy(system);
}
END_TEST

/* Rows that move nothing, known ones, and none at all. */
START_TEST(simpleRows)
{
    const double force[2] = {1, 4}, zero[2] = {0}, x[2] = {1, 0}, a[2] = {3, 2}, nan[2] = {0, NAN};
    double multiplier[4] = {9, 9, 9, 9};
    int cut[4];
    ksSystem *system = newSystem();
    ck_assert_ok(ksSystemSolveCut(system, NULL, NULL, NULL));
    const int b = addParticle(system, 2, 2, force);
    ck_assert_ok(ksSystemSolveCut(system, a, NULL, NULL));
    addRow(system, b, zero, -1, NULL, 0.6, 0.2);
    addBounded(system, b, x, -1, NULL, 0, 0, 5, 5);
    addRow(system, b, zero, -1, NULL, 0, 0);
    addRow(system, b, x, -1, NULL, 3, 0);
    for (int given = 0; given < 2; given++) {
        solveAnother(system);
        ck_assert_ok(ksSystemSolveCut(system, given ? a : NULL, multiplier, cut));
        ck_assert_near(multiplier[0], 3, ROUNDING);
        ck_assert_near(multiplier[1], 5, ROUNDING);
        ck_assert_near(multiplier[2], 0, ROUNDING);
        ck_assert_near(multiplier[3], 0, ROUNDING);
        for (int l = 0; l < 4; l++)
            ck_assert_int_eq(cut[l], l == 3);
    }
    multiplier[0] = 9;
    ck_assert_int_eq(ksSystemSolveCut(system, nan, multiplier, cut), KS_ERROR_NOT_FINITE);
    ck_assert_int_eq(ksSystemSolveCut(system, a, NULL, cut), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(ksSystemSolveCut(NULL, a, multiplier, cut), KS_ERROR_BAD_ARGUMENT);
    const int bad = addRow(system, b, zero, -1, NULL, 1, 0);
    for (int given = 0; given < 2; given++) {
        ck_assert_int_eq(ksSystemSolveCut(system, given ? a : NULL, multiplier, cut), KS_ERROR_INCONSISTENT);
        ck_assert_int_eq(ksSystemCulprit(system), bad);
    }
    ck_assert_double_eq(multiplier[0], 9);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cut");
    TCase *graph = tcase_create("graph");
    tcase_add_loop_test(graph, trees, 0, 24);
    tcase_add_loop_test(graph, graphs, 0, 10);
    tcase_add_test(graph, longChain);
    suite_add_tcase(suite, graph);
    TCase *balance = tcase_create("balance");
    tcase_add_test(balance, dependentBridge);
    tcase_add_test(balance, anchorGap);
    tcase_add_test(balance, growingError);
    tcase_add_test(balance, givenMotion);
    tcase_add_test(balance, givenMotionInLoop);
    tcase_add_test(balance, simpleRows);
    suite_add_tcase(suite, balance);
    return runSuite(suite);
}

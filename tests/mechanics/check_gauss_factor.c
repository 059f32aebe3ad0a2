/* check_gauss_factor.c  The block factorisation of the range-space route against a scalar one of
 * the same matrix, LDL (Davis 2005), on systems of all shapes: trees, loops, contacts, hubs, rows
 * over three blocks, groups of many rows, omitted rows. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/system_kit.h"

#include <amd.h>
#include <ldl.h>

#define g 9.81

enum { MOST_ROWS = 400, MOST_COORDINATES = 400, MOST_SIZE = 40, MOST_PIECES = 3 };

/* Hubs have more joints than GROUPS. Their joints are not coupled with each other, so this many
 * entries of L per row are enough; trees without this treatment of hubs would need twice as
 * many. */
enum { GROUPS = 16, FILLED = 15 };

typedef enum Shape {
    TREE,
    LOOPS,
    CONTACTS,
    THREE_BLOCKS,
    WIDE_GROUPS,
    NEAR,
    MIXED_SIZES,
    HUB,
    TWO_HUBS,
    WIDE_HUB,   /* more coordinates than a strip has rows */
    HIDDEN_HUB, /* rows that are dependent except for their parts on the hub */
    SHAPES
} Shape;

/* Rows and blocks in the order of the system; masses are diagonal. */
typedef struct Plain {
    unsigned long long state;
    int blocks, coordinates, rows;
    int knownFrom; /* the first known row */
    int offset[MOST_COORDINATES], size[MOST_COORDINATES];
    double mass[MOST_COORDINATES], force[MOST_COORDINATES];
    double jacobian[MOST_ROWS][MOST_COORDINATES], beta[MOST_ROWS], compliance[MOST_ROWS], known[MOST_ROWS];
    int isKnown[MOST_ROWS];
} Plain;

static int pick(Plain *p, int count)
{
    return (int)((draw(&p->state) + 1) / 2 * count) % count;
}

static int addBlock(ksSystem *system, Plain *p, int size)
{
    double mass[MOST_SIZE * MOST_SIZE] = {0};
    int block;
    for (int i = 0; i < size; i++) {
        p->mass[p->coordinates + i] = mass[i * size + i] = 1.5 + draw(&p->state);
        p->force[p->coordinates + i] = g * draw(&p->state);
    }
    ck_assert_ok(ksSystemAddBlock(system, size, mass, p->force + p->coordinates, NULL, &block));
    p->offset[block] = p->coordinates;
    p->size[block] = size;
    p->coordinates += size;
    p->blocks = block + 1;
    return block;
}

/* `near`: the row repeats the one before except for this share. One row in thirteen is known, one
 * in 29 is empty. */
static void addRandomRow(ksSystem *system, Plain *p, int pieces, const int *block, double compliance, double near)
{
    const int l = p->rows++, isEmpty = l % 29 == 28;
    double *row = p->jacobian[l];
    const double *jacobian[MOST_PIECES];
    ksRowSpec spec;
    ck_assert_int_lt(l, MOST_ROWS);
    for (int i = 0; i < pieces; i++) {
        jacobian[i] = row + p->offset[block[i]];
        for (int c = p->offset[block[i]]; !isEmpty && c < p->offset[block[i]] + p->size[block[i]]; c++)
            row[c] = near > 0 ? p->jacobian[l - 1][c] + near * draw(&p->state) : draw(&p->state);
    }
    ksRowSpecInit(&spec);
    spec.blockCount = pieces;
    spec.block = block;
    spec.jacobian = jacobian;
    spec.beta = p->beta[l] = isEmpty ? 0 : near > 0 ? p->beta[l - 1] + near * draw(&p->state) : draw(&p->state);
    spec.compliance = p->compliance[l] = isEmpty ? 0 : compliance;
    p->isKnown[l] = l % 13 == p->knownFrom;
    if (p->isKnown[l])
        spec.lo = spec.hi = p->known[l] = 3 * draw(&p->state);
    ck_assert_ok(ksSystemAddRow(system, &spec, &(int){0}));
}

static void addGroup(ksSystem *system, Plain *p, int rows, int pieces, const int *block, double compliance)
{
    for (int l = 0; l < rows; l++)
        addRandomRow(system, p, pieces, block, compliance, 0);
}

static void addJoint(ksSystem *system, Plain *p, int rows, int a, int b, double compliance)
{
    addGroup(system, p, rows, b < 0 ? 1 : 2, (const int[]){a, b}, compliance);
}

static int sizeOf(Plain *p, Shape shape, int body)
{
    switch (shape) {
    case MIXED_SIZES:
        return 3 + pick(p, 7);
    case WIDE_GROUPS:
        return body == 3 ? MOST_SIZE : 6;
    case WIDE_HUB:
        return body == 0 ? 9 : 6;
    case HIDDEN_HUB:
        return body == 5 ? 1 : 6;
    default:
        return 6;
    }
}

/* The earlier body that this one hangs from: a hub; without hubs, or at the end of the list, any
 * body. */
static int parentOf(Plain *p, Shape shape, int body)
{
    if (shape < HUB || body > 2 * GROUPS + 4)
        return pick(p, body);
    return shape == TWO_HUBS && body > 1 ? body % 2 : 0;
}

/* Connects each body by a joint to an earlier one, the first to the ground. */
static void addTree(ksSystem *system, Plain *p, Shape shape, int bodies)
{
    addJoint(system, p, 3, 0, -1, 0);
    for (int b = 1; b < bodies; b++) {
        const int rows = shape == MIXED_SIZES ? 1 + pick(p, 3) : p->size[b] == 1 ? 3 : 1 + pick(p, 5);
        addJoint(system, p, rows, b, parentOf(p, shape, b), 0);
    }
}

static void buildShape(ksSystem *system, Plain *p, Shape shape)
{
    const int bodies = shape >= HUB ? 3 * GROUPS : 12 + pick(p, 20);
    for (int b = 0; b < bodies; b++)
        addBlock(system, p, sizeOf(p, shape, b));
    addTree(system, p, shape, bodies);
    switch (shape) {
    case LOOPS:
        for (int b = 4; b < bodies; b += 2)
            addJoint(system, p, 3, b, b - 3, 1e-3);
        break;
    case CONTACTS:
        for (int i = 0; i < 2 * bodies; i++)
            addJoint(system, p, 3, i % bodies, (i % bodies + 1 + pick(p, bodies - 1)) % bodies, 1e-2);
        break;
    case THREE_BLOCKS:
        for (int b = 2; b < bodies; b += 2)
            addGroup(system, p, 2, 3, (const int[]){b, b - 2, b - 1}, 1e-3);
        break;
    case WIDE_GROUPS:
        addJoint(system, p, 25, 3, -1, 1e-3);
        addJoint(system, p, 13, 3, 2, 1e-3);
        break;
    case NEAR:
        for (int b = 1; b < bodies; b += 3) {
            addJoint(system, p, 2, b, -1, 1e-3);
            addRandomRow(system, p, 1, &b, 0, 1e-4);
        }
        break;
    default:
        break;
    }
}

/* y = M^-1 (f + J^T lambda) in long double. */
static void motionOf(const Plain *p, const long double *lambda, long double *y)
{
    for (int c = 0; c < p->coordinates; c++) {
        long double sum = p->force[c];
        for (int l = 0; l < p->rows; l++)
            sum += p->jacobian[l][c] * lambda[l];
        y[c] = sum / p->mass[c];
    }
}

/* A + S of the rows that are neither known nor empty, by columns; returns their number. */
static int assembleScalar(const Plain *p, int *row, int *start, int *index, double *value)
{
    int n = 0, fill = 0;
    for (int l = 0; l < p->rows; l++)
        if (!p->isKnown[l] && l % 29 != 28)
            row[n++] = l;
    for (int k = 0; k < n; k++) {
        start[k] = fill;
        for (int i = 0; i < n; i++) {
            double sum = i == k ? p->compliance[row[k]] : 0;
            for (int c = 0; c < p->coordinates; c++)
                sum += p->jacobian[row[i]][c] * p->jacobian[row[k]][c] / p->mass[c];
            if (sum != 0) {
                index[fill] = i;
                value[fill++] = sum;
            }
        }
    }
    start[n] = fill;
    return n;
}

/* The multipliers by scalar LDL^T and refinement in long double until they no longer change. */
static void solveScalar(const Plain *p, double *multiplier)
{
    static int row[MOST_ROWS], start[MOST_ROWS + 1], index[MOST_ROWS * MOST_ROWS], lIndex[MOST_ROWS * MOST_ROWS];
    static double value[MOST_ROWS * MOST_ROWS], lValue[MOST_ROWS * MOST_ROWS];
    int order[MOST_ROWS], place[MOST_ROWS], lStart[MOST_ROWS + 1], parent[MOST_ROWS], count[MOST_ROWS];
    int pattern[MOST_ROWS], flag[MOST_ROWS];
    double pivot[MOST_ROWS], dense[MOST_ROWS], right[MOST_ROWS], x[MOST_ROWS];
    long double lambda[MOST_ROWS], y[MOST_COORDINATES];
    const int n = assembleScalar(p, row, start, index, value);
    ck_assert_int_eq(amd_order(n, start, index, order, NULL, NULL), AMD_OK);
    ldl_symbolic(n, start, index, lStart, parent, count, flag, order, place);
    ck_assert_int_eq(ldl_numeric(n, start, index, value, lStart, parent, count, lIndex, lValue, pivot, dense, pattern,
                                 flag, order, place),
                     n);
    for (int l = 0; l < p->rows; l++)
        lambda[l] = p->isKnown[l] ? p->known[l] : 0;
    for (int step = 0; step < 8; step++) {
        motionOf(p, lambda, y);
        for (int k = 0; k < n; k++) {
            long double rest = p->beta[row[k]] - p->compliance[row[k]] * lambda[row[k]];
            for (int c = 0; c < p->coordinates; c++)
                rest -= p->jacobian[row[k]][c] * y[c];
            right[k] = (double)rest;
        }
        ldl_perm(n, x, right, order);
        ldl_lsolve(n, x, lStart, lIndex, lValue);
        ldl_dsolve(n, x, pivot);
        ldl_ltsolve(n, x, lStart, lIndex, lValue);
        ldl_permt(n, right, x, order);
        for (int k = 0; k < n; k++)
            lambda[row[k]] += right[k];
    }
    for (int l = 0; l < p->rows; l++)
        multiplier[l] = (double)lambda[l];
}

/* Rows have a condition of up to 1e4, near ones up to 1e6, and the motion that refinement uses has
 * rounding of its own. */
#define DRAWN 1e-11
#define DRAWN_NEAR 1e-9

START_TEST(againstScalar)
{
    static Plain p;
    double multiplier[MOST_ROWS], truth[MOST_ROWS], acceleration[MOST_COORDINATES], largest = 0;
    ksSystem *system = newSystem();
    const Shape shape = (Shape)(_i % SHAPES);
    memset(&p, 0, sizeof p);
    p.state = 88172645463325252ULL + 1000003ULL * (unsigned long long)_i;
    p.knownFrom = 12;
    buildShape(system, &p, shape);
    solveScalar(&p, truth);
    ck_assert_ok(ksSystemSolveGauss(system, multiplier, acceleration));
    // not the answer of the other route
    ck_assert(!insideIsOrthogonalised(system));
    if (shape == HUB || shape == TWO_HUBS || shape == WIDE_HUB)
        ck_assert_uint_le(insideFactorEntries(system->warm), FILLED * (size_t)p.rows);
    for (int l = 0; l < p.rows; l++)
        largest = fmax(largest, fabs(truth[l]));
    for (int l = 0; l < p.rows; l++)
        ck_assert_near(multiplier[l], truth[l], (shape == NEAR ? DRAWN_NEAR : DRAWN) * largest);
    ksSystemDestroy(system);
}
END_TEST

/* A system that is built again with other known rows, or with another pattern, in the memory of the
 * last one. */
START_TEST(inUsedMemory)
{
    static Plain p;
    double multiplier[MOST_ROWS], truth[MOST_ROWS], acceleration[MOST_COORDINATES];
    ksSystem *system = newSystem();
    for (int round = 0; round < 3 * SHAPES; round++) {
        double largest = 0;
        ksSystemClear(system);
        memset(&p, 0, sizeof p);
        p.state = 4101842887655102017ULL + 97ULL * (unsigned long long)(round / 2);
        p.knownFrom = 3 + 4 * (round % 2);
        buildShape(system, &p, (Shape)(4 * (round / 2) % SHAPES));
        solveScalar(&p, truth);
        ck_assert_ok(ksSystemSolveGauss(system, multiplier, acceleration));
        ck_assert(!insideIsOrthogonalised(system));
        for (int l = 0; l < p.rows; l++)
            largest = fmax(largest, fabs(truth[l]));
        for (int l = 0; l < p.rows; l++)
            ck_assert_near(multiplier[l], truth[l], DRAWN_NEAR * largest);
    }
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    TCase *numbers = tcase_create("numbers");
    tcase_add_loop_test(numbers, againstScalar, 0, 10 * SHAPES);
    tcase_add_test(numbers, inUsedMemory);
    return runCase("gauss_factor", numbers);
}

/* articulated_kit.h  Shared by the tests of trees: random trees, and the same mechanics for the
 * general route. */
#ifndef TESTS_KITS_ARTICULATED_KIT_H
#define TESTS_KITS_ARTICULATED_KIT_H

#include "mechanics/tree/articulated.h"
#include "tests/kits/system_kit.h"

enum { BLOCKS = 12, ROWS = 5 * BLOCKS + 1, COORDINATES = 6 * BLOCKS };

enum { MOST = 6 }; /* coordinates of a rigid body, rows of a joint */

/* Rows of random trees are far from dependent: only the depth of the tree costs digits. */
#define TREE_ROUNDING 1e-11

typedef enum Shape { CHAIN, STAR, BRANCHES, FOREST, SHAPES } Shape;

static inline int parentOf(Shape shape, int b, unsigned long long *state)
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

static inline void addRandomBlock(ksSystem *system, int size, unsigned long long *state)
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

/* If set, the loads of all rows are known, and have these values. */
static const double *load;

/* A joint of up to five rows; softness: of rows that are soft. One joint can have a known row,
 * another one an empty row. */
static inline void addJoint(ksSystem *system, int b, int parent, int count, double softness, unsigned long long *state)
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

static inline void drawTree(ksSystem *system, Shape shape, int seed, double softness)
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

/* The same mechanics, but not a tree: its last row is over all blocks, and zero. */
static inline void makeGeneral(ksSystem *system, int blocks)
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

static inline void expectNear(const double *a, const double *b, int count)
{
    double size = 0;
    for (int i = 0; i < count; i++)
        size = fmax(size, fabs(a[i]));
    for (int i = 0; i < count; i++)
        ck_assert_near(a[i], b[i], TREE_ROUNDING * (1 + size));
}

#endif

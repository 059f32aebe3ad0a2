/* system_kit.h  Shared by the tests of plugin/mechanics/: short ways to build systems, random ones
 * with a binary128 reference, and an allocator that fills new memory. */
#ifndef TESTS_KITS_SYSTEM_KIT_H
#define TESTS_KITS_SYSTEM_KIT_H

#include "mechanics/mechanics.h"
#include "tests/kits/memory_kit.h"
#include "tests/kits/numbers.h"
#include "tests/kits/report/record_kit.h"
#include "tests/kits/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

/* Closed forms have a few roundings, and so have the routes on a few well-conditioned rows. */
#define ROUNDING 1e-12

#define ck_assert_ok(call) ck_assert_int_eq((call), KS_OK)
#define ck_assert_near(a, b, tolerance) ck_assert_double_eq_tol((a), (b), (tolerance))

static inline ksSystem *newSystem(void)
{
    ksSystem *system = NULL;
    recordInto(NULL);
    ck_assert_ok(ksSystemCreate(&system));
    ck_assert_ptr_nonnull(system);
    return system;
}

static inline int putBlock(ksSystem *system, int size, const double *mass, const double *force, const double *velocity)
{
    int block = -1;
    ck_assert_ok(ksSystemAddBlock(system, size, mass, force, velocity, &block));
    recordBlock(size, mass, force);
    return block;
}

/* A block with a diagonal mass. */
static inline int addDiagonal(ksSystem *system, int size, const double *diagonal, const double *force)
{
    double mass[36] = {0};
    for (int i = 0; i < size; i++)
        mass[i * size + i] = diagonal[i];
    return putBlock(system, size, mass, force, NULL);
}

static inline int addParticle(ksSystem *system, int size, double mass, const double *force)
{
    const double diagonal[6] = {mass, mass, mass, mass, mass, mass};
    return addDiagonal(system, size, diagonal, force);
}

static inline int addBounded(ksSystem *system, int a, const double *ja, int b, const double *jb, double beta, double s,
                             double lo, double hi)
{
    const int block[2] = {a, b};
    const double *const jacobian[2] = {ja, jb};
    ksRowSpec spec;
    int row = -1;
    ksRowSpecInit(&spec);
    spec.blockCount = b < 0 ? 1 : 2;
    spec.block = block;
    spec.jacobian = jacobian;
    spec.beta = beta;
    spec.compliance = s;
    spec.lo = lo;
    spec.hi = hi;
    ck_assert_ok(ksSystemAddRow(system, &spec, &row));
    recordRow(a, ja, b, jb, beta, s, lo, hi);
    return row;
}

/* A row over one block, or over two. */
static inline int addRow(ksSystem *system, int a, const double *ja, int b, const double *jb, double beta, double s)
{
    return addBounded(system, a, ja, b, jb, beta, s, -INFINITY, INFINITY);
}

/* Multipliers and motion by both routes, which must agree with each other and with the expected
 * ones; NULL: not compared. Differences are relative to 1 + the largest number. */
static inline void expectBoth(ksSystem *system, const double *multiplier, const double *acceleration, double tolerance)
{
    double gauss[64], paulus[64], ga[64], pa[64], ma[64], size = 1;
    const int rows = ksSystemRowCount(system), coordinates = ksSystemCoordinateCount(system);
    ck_assert_int_le(rows, 64);
    ck_assert_int_le(coordinates, 64);
    ck_assert_ok(ksSystemSolveGauss(system, gauss, ga));
    ck_assert_ok(ksSystemSolvePaulus(system, paulus, pa));
    ck_assert_ok(ksSystemSolveMotion(system, ma));
    for (int l = 0; l < rows; l++)
        size = fmax(size, 1 + fabs(paulus[l]));
    for (int l = 0; l < rows; l++) {
        ck_assert_near(gauss[l], paulus[l], tolerance * size);
        if (multiplier)
            ck_assert_near(paulus[l], multiplier[l], tolerance * size);
    }
    for (int i = 0; i < coordinates; i++) {
        ck_assert_near(ga[i], pa[i], tolerance * size);
        ck_assert_double_eq(ma[i], pa[i]);
        if (acceleration)
            ck_assert_near(pa[i], acceleration[i], tolerance * size);
    }
}

/* Uniform in [-1, 1], the same on every machine. */
static inline double draw(unsigned long long *state)
{
    *state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

#define KIT_BODIES 6
#define KIT_COORDINATES (6 * KIT_BODIES)
#define KIT_ROWS 30

/* A random system as plain matrices, for comparison. */
typedef struct Dense {
    int coordinates, rows;
    double mass[KIT_COORDINATES][KIT_COORDINATES], force[KIT_COORDINATES], velocity[KIT_COORDINATES];
    double jacobian[KIT_ROWS][KIT_COORDINATES], beta[KIT_ROWS], compliance[KIT_ROWS];
    int block[KIT_ROWS][2];
} Dense;

/* Bodies of 6 coordinates in a chain with `rows` rows; every compliance is s times a random factor.
 * `nearness` > 0 makes each fifth row the sum of the two before it, up to that share. */
static inline void drawDense(Dense *d, unsigned seed, int rows, double s, double massRatio, double nearness)
{
    unsigned long long state = 88172645463325252ULL + 1000003ULL * seed;
    memset(d, 0, sizeof *d);
    d->coordinates = KIT_COORDINATES;
    d->rows = rows;
    for (int b = 0; b < KIT_BODIES; b++) {
        const double m = pow(massRatio, (double)b / (KIT_BODIES - 1));
        double root[6][6];
        for (int i = 0; i < 36; i++)
            root[i / 6][i % 6] = draw(&state);
        for (int i = 0; i < 6; i++) {
            d->force[6 * b + i] = m * draw(&state);
            for (int j = 0; j < 6; j++) {
                double sum = i == j ? 0.5 : 0;
                for (int k = 0; k < 6; k++)
                    sum += root[i][k] * root[j][k];
                d->mass[6 * b + i][6 * b + j] = m * sum;
            }
        }
    }
    for (int l = 0; l < rows; l++) {
        const int a = (l / 5) % KIT_BODIES, b = (a + 1) % KIT_BODIES;
        d->block[l][0] = a;
        d->block[l][1] = b;
        for (int i = 0; i < 6; i++) {
            d->jacobian[l][6 * a + i] = draw(&state);
            d->jacobian[l][6 * b + i] = draw(&state);
        }
        d->beta[l] = draw(&state);
        d->compliance[l] = s * (1.5 + draw(&state));
        if (nearness > 0 && l % 5 == 4) {
            for (int i = 0; i < KIT_COORDINATES; i++)
                d->jacobian[l][i] = d->jacobian[l - 1][i] + d->jacobian[l - 2][i] + nearness * d->jacobian[l][i];
            d->beta[l] = d->beta[l - 1] + d->beta[l - 2] + nearness * d->beta[l];
        }
    }
    for (int i = 0; i < KIT_COORDINATES; i++)
        d->velocity[i] = draw(&state);
}

static inline void buildDense(ksSystem *system, const Dense *d)
{
    for (int b = 0; 6 * b < d->coordinates; b++) {
        double mass[36];
        for (int i = 0; i < 36; i++)
            mass[i] = d->mass[6 * b + i / 6][6 * b + i % 6];
        putBlock(system, 6, mass, d->force + 6 * b, d->velocity + 6 * b);
    }
    for (int l = 0; l < d->rows; l++)
        addRow(system, d->block[l][0], &d->jacobian[l][6 * d->block[l][0]], d->block[l][1],
               &d->jacobian[l][6 * d->block[l][1]], d->beta[l], d->compliance[l]);
}

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Wide;
#else
typedef long double Wide;
#endif

static inline Wide wideSize(Wide x)
{
    return x < 0 ? -x : x;
}

/* [M -J^T; J S] (a, lambda) = (f, beta) by elimination with row pivoting in binary128. */
static inline void solveWide(const Dense *d, double *multiplier, double *acceleration)
{
    static Wide k[KIT_COORDINATES + KIT_ROWS][KIT_COORDINATES + KIT_ROWS + 1];
    const int n = d->coordinates, size = n + d->rows;
    memset(k, 0, sizeof k);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            k[i][j] = d->mass[i][j];
        k[i][size] = d->force[i];
        for (int l = 0; l < d->rows; l++) {
            k[i][n + l] = -(Wide)d->jacobian[l][i];
            k[n + l][i] = d->jacobian[l][i];
        }
    }
    for (int l = 0; l < d->rows; l++) {
        k[n + l][n + l] = d->compliance[l];
        k[n + l][size] = d->beta[l];
    }
    for (int c = 0; c < size; c++) {
        int best = c;
        for (int i = c + 1; i < size; i++)
            if (wideSize(k[i][c]) > wideSize(k[best][c]))
                best = i;
        for (int j = c; j <= size; j++) {
            const Wide kept = k[c][j];
            k[c][j] = k[best][j];
            k[best][j] = kept;
        }
        for (int i = 0; i < size; i++) {
            const Wide times = i == c ? 0 : k[i][c] / k[c][c];
            for (int j = c; times != 0 && j <= size; j++)
                k[i][j] -= times * k[c][j];
        }
    }
    for (int i = 0; i < n; i++)
        acceleration[i] = (double)(k[i][size] / k[i][i]);
    for (int l = 0; l < d->rows; l++)
        multiplier[l] = (double)(k[n + l][size] / k[n + l][n + l]);
}

/* Fills new memory with a byte: 0xff makes NaNs of numbers. A value that is read before it is
 * written then shows. */
static inline void *fillingResize(void *user, void *memory, size_t size)
{
    enum { BEFORE = 64 }; /* room for the size, which keeps any alignment */
    char *block = memory ? (char *)memory - BEFORE : NULL;
    size_t old = 0;
    if (block)
        memcpy(&old, block, sizeof old);
    if (size == 0) {
        free(block);
        return NULL;
    }
    block = realloc(block, size + BEFORE);
    ck_assert_ptr_nonnull(block);
    memcpy(block, &size, sizeof size);
    if (size > old)
        memset(block + BEFORE + old, *(const int *)user, size - old);
    return block + BEFORE;
}

static inline ksSystem *newFilledSystem(int *byte)
{
    const ksAllocator allocator = {fillingResize, byte};
    ksSystem *system = NULL;
    ck_assert_ok(ksiSystemCreate(&allocator, &system));
    return system;
}

#endif

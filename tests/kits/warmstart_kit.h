/* warmstart_kit.h  Decisions on a system that is refilled step after step, compared with those on a
 * new system; and a row of loops. */
#ifndef TESTS_KITS_WARMSTART_KIT_H
#define TESTS_KITS_WARMSTART_KIT_H

#include "tests/kits/redundant_kit.h"

enum { MOST = 202, STEPS = 120 };

/* the inspector's tolerance */
static const double tolerance = 1e-4;

/* Cranks 1 m apart hang from the world, and couplers join the tips of neighbours: three
 * self-stresses a loop, each of which shares the hinge of a crank with the next loop. Rows: the
 * cranks' hinges, each followed by the hinges of its coupler. */
static inline void linkages(ksSystem *system, int loops, double angle, double drift)
{
    const Vector up = {0, 0, 1}, along = {sin(angle), 0, -cos(angle)}, across = {1, 0, 0};
    unsigned long long state = 54321;
    int before = -1;
    for (int i = 0; i <= loops; i++) {
        const double mass = i % 2 ? heavier : 1;
        const Vector y = {drift * draw(&state), 1, drift * draw(&state)};
        Vector arm[4];
        for (int k = 0; k < 3; k++) {
            arm[0][k] = -0.5 * along[k] + drift * draw(&state);
            arm[1][k] = 0.5 * along[k] + drift * draw(&state);
            arm[2][k] = -0.5 * across[k] + drift * draw(&state);
            arm[3][k] = 0.5 * across[k] + drift * draw(&state);
        }
        const int crank = addRod(system, mass, 1, along, up);
        hingeRows(system, crank, arm[0], 0.5, -1, NULL, 0, y);
        if (i > 0) {
            const int coupler = addRod(system, 1, 1, across, up);
            hingeRows(system, coupler, arm[2], 0, before, arm[1], 0.5, y);
            hingeRows(system, coupler, arm[3], 0, crank, arm[1], 0.5, y);
        }
        before = crank;
    }
}

typedef struct Decision {
    int determinate[MOST], count;
    size_t rank;
    double multiplier[MOST];
    const double *basis;
} Decision;

static inline void decide(ksSystem *system, Decision *d)
{
    ck_assert_int_le(ksSystemRowCount(system), MOST);
    ck_assert_ok(ksSystemSetRankTolerance(system, tolerance));
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-6));
    ck_assert_ok(ksSystemGetDeterminacy(system, d->determinate, &d->rank));
    ck_assert_ok(ksiSystemGetSelfStress(system, &d->basis, &d->count));
    ck_assert_ok(ksSystemSolveLeastNorm(system, d->multiplier, NULL));
}

/* The part of a unit self-stress outside the span of the others, both orthonormal over rows of unit
 * size. */
static inline double outside(ksSystem *system, const double *n, const Decision *span)
{
    const int rows = ksSystemRowCount(system);
    double square = 0, rest[MOST];
    for (int l = 0; l < rows; l++)
        rest[l] = ksiSystemKinematicSize(system, l) * n[l];
    for (int k = 0; k < span->count; k++) {
        const double *other = span->basis + (size_t)k * (size_t)rows;
        double part = 0;
        for (int l = 0; l < rows; l++)
            part += rest[l] * ksiSystemKinematicSize(system, l) * other[l];
        for (int l = 0; l < rows; l++)
            rest[l] -= part * ksiSystemKinematicSize(system, l) * other[l];
    }
    for (int l = 0; l < rows; l++)
        square += rest[l] * rest[l];
    return sqrt(square);
}

/* The shares of each row come from the same self-stresses in another basis. */
static inline void expectShares(ksSystem *system, const Decision *d)
{
    const int rows = ksSystemRowCount(system);
    for (int l = 0; l < rows; l++) {
        int count;
        const double *share = ksiSystemStressShares(system, l, &count), size = ksiSystemKinematicSize(system, l);
        double rest = 0;
        for (int i = 0; i < count; i++)
            rest += share[i] * share[i];
        for (int k = 0; k < d->count; k++)
            rest -= size * d->basis[k * rows + l] * size * d->basis[k * rows + l];
        ck_assert_near(rest, 0, 1e-12);
    }
}

/* near: relative tolerance, for unit self-stresses and for the largest multiplier. */
static inline void expectSame(ksSystem *warm, ksSystem *fresh, double near)
{
    static Decision found, wanted;
    const int rows = ksSystemRowCount(fresh);
    double largest = 0;
    decide(warm, &found);
    decide(fresh, &wanted);
    expectShares(warm, &found);
    expectShares(fresh, &wanted);
    ck_assert_uint_eq(found.rank, wanted.rank);
    ck_assert_int_eq(found.count, wanted.count);
    for (int l = 0; l < rows; l++) {
        ck_assert_int_eq(found.determinate[l], wanted.determinate[l]);
        largest = fmax(largest, fabs(wanted.multiplier[l]));
    }
    for (int k = 0; k < found.count; k++)
        ck_assert_double_le(outside(fresh, found.basis + (size_t)k * (size_t)rows, &wanted), near);
    for (int l = 0; l < rows; l++)
        ck_assert_near(found.multiplier[l], wanted.multiplier[l], near * largest);
}

#endif

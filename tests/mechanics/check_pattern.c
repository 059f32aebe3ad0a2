/* check_pattern.c  Mechanisms fill one system in turn, each with its warm start. Those with the
 * same blocks and rows share one pattern, whose memory is requested once; each solution is that of
 * a system of its own. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/warmstart_kit.h"

enum { ALIKE = 4, LINKS = 5, HINGE = 5, CHAIN_ROWS = HINGE * LINKS };

/* One system, and the mechanisms that take turns in it. */
typedef struct Shared {
    Counter counter;
    ksSystem *system;
    ksiWarmStart *warm[ALIKE];
} Shared;

static void makeShared(Shared *shared)
{
    memset(shared, 0, sizeof *shared);
    const ksAllocator allocator = {countingResize, &shared->counter};
    ck_assert_ok(ksiSystemCreate(&allocator, &shared->system));
    for (int i = 0; i < ALIKE; i++)
        ck_assert_ok(ksiSystemCreateWarmStart(shared->system, &shared->warm[i]));
}

static void freeShared(Shared *shared)
{
    ksSystemDestroy(shared->system);
    ck_assert_int_eq(shared->counter.held, 0);
}

/* Clears the system for this mechanism. */
static ksSystem *turnOf(Shared *shared, int mechanism)
{
    ksiSystemSetWarmStart(shared->system, shared->warm[mechanism]);
    ksSystemClear(shared->system);
    return shared->system;
}

/* Rods on hinges, from the ground or free; one of them is heavy. */
static void chain(ksSystem *system, int isFree, int heavy, double mass)
{
    const Vector along = {1, 0, 0}, up = {0, 0, 1}, axis = {0, 1, 0.2}, arm[2] = {{-0.5, 0, 0}, {0.5, 0, 0}};
    for (int i = 0; i < LINKS; i++) {
        const int rod = addRod(system, i == heavy ? mass : 1 + 0.1 * i, 1, along, up);
        if (i > 0 || !isFree)
            hingeRows(system, rod, arm[0], 1 + i, rod - 1, arm[1], i, axis);
    }
}

/* Free chains with the heavy body at either end: each tree has its root there, or it loses digits
 * and is not used. */
START_TEST(heavyBodiesAreRoots)
{
    Shared shared;
    makeShared(&shared);
    for (int i = 0; i < ALIKE; i++) {
        double found[CHAIN_ROWS], alone[CHAIN_ROWS];
        const int heavy = i % 2 ? LINKS - 1 : 0;
        const long before = shared.counter.requests;
        ksSystem *own = newSystem(), *system = turnOf(&shared, i);
        chain(own, 1, heavy, 1e5);
        chain(system, 1, heavy, 1e5);
        ck_assert_ok(ksSystemSolvePaulus(own, alone, NULL));
        ck_assert_ok(ksSystemSolvePaulus(system, found, NULL));
        ck_assert_int_eq(insideIsTree(system), 1);
        for (int l = 0; l < ksSystemRowCount(own); l++)
            ck_assert_double_eq(found[l], alone[l]);
        ck_assert_int_eq(shared.counter.requests > before, i < 2);
        ksSystemDestroy(own);
    }
    freeShared(&shared);
}
END_TEST

/* Weights in the pattern are coarse mass ratios. A body of three times the others' mass does not
 * change the root, a body of thirty times does: then the chain with the heavy body at the other end
 * has another pattern. */
START_TEST(heavierOrMuchHeavier)
{
    Shared shared;
    makeShared(&shared);
    for (int i = 0; i < 2; i++) {
        double found[CHAIN_ROWS];
        const long before = shared.counter.requests;
        ksSystem *system = turnOf(&shared, i);
        chain(system, 1, i ? LINKS - 1 : 0, _i ? 1100 : 9);
        ck_assert_ok(ksSystemSolvePaulus(system, found, NULL));
        ck_assert_int_eq(shared.counter.requests > before, i == 0 || _i == 1);
    }
    freeShared(&shared);
}
END_TEST

/* A mechanism that returns to a structure after one other mechanism finds its old pattern; after a
 * dozen others, which would fill memory, it does not. */
START_TEST(sparePatterns)
{
    const int structures = _i ? 13 : 2;
    ksSystem *system = newSystem();
    unsigned before = 0;
    for (int round = 0; round < 2; round++) {
        before = insideLayouts(system);
        for (int i = 0; i < structures; i++) {
            ksSystemClear(system);
            linkages(system, 1 + i, 0.3, 0);
            ck_assert_ok(ksSystemGetDeterminacy(system, NULL, NULL));
        }
    }
    ck_assert_int_eq(insideLayouts(system) > before, _i);
    ksSystemDestroy(system);
}
END_TEST

/* A mechanism whose range-space solution has lost digits is refined from then on, and no other
 * one. */
START_TEST(oneIsRefined)
{
    Shared shared;
    double multiplier[CHAIN_ROWS];
    makeShared(&shared);
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < ALIKE; i++) {
            const long before = shared.counter.requests;
            ksSystem *system = turnOf(&shared, i);
            chain(system, 0, -1, 0);
            ck_assert_ok(ksiSystemSolveRoughly(system, multiplier));
            ck_assert_int_eq(ksiSystemIsRefined(system), round > 1 && i == 1);
            if (round == 1 && i == 1)
                ck_assert_ok(ksiSystemRefine(system, multiplier));
            ck_assert_int_eq(shared.counter.requests > before, round == 0 && i == 0);
        }
    freeShared(&shared);
}
END_TEST

/* A row of loops becomes as long as another one; its kept data belong to a shorter row. The same
 * happens twice the next time, after the other row has gone. */
START_TEST(whatIsKeptEndsWithThePattern)
{
    enum { LONG = 6, SHORT = 2, STEPS_EACH = 4 };
    Shared shared;
    makeShared(&shared);
    hingeCompliance = 1e-7;
    for (int step = 0; step < 4 * STEPS_EACH; step++)
        for (int i = 0; i < 2; i++) {
            // short, long, short again, long
            const int loops = i == 0 || step / STEPS_EACH % 2 ? LONG : SHORT;
            const double angle = 0.3 + 0.2 * i + 0.01 * step;
            ksSystem *fresh = newSystem(), *system = turnOf(&shared, i);
            const unsigned before = insideLayouts(system);
            linkages(system, loops, angle, 0);
            linkages(fresh, loops, angle, 0);
            expectSame(system, fresh, 1e-9);
            // long loops have their pattern from the first step
            if (loops == LONG && step > 0)
                ck_assert_uint_eq(insideLayouts(system), before);
            ksSystemDestroy(fresh);
        }
    freeShared(&shared);
}
END_TEST

int main(void)
{
    TCase *turns = tcase_create("turns");
    tcase_add_test(turns, heavyBodiesAreRoots);
    tcase_add_loop_test(turns, heavierOrMuchHeavier, 0, 2);
    tcase_add_loop_test(turns, sparePatterns, 0, 2);
    tcase_add_test(turns, oneIsRefined);
    tcase_add_test(turns, whatIsKeptEndsWithThePattern);
    return runCase("pattern", turns);
}

/* check_warmstart_bounds.c  A system that is refilled step after step through singular poses, and
 * whose spectrum has no gap, makes the decisions of a new one. */
#include "tests/kits/inside_kit.h"
#include "tests/kits/warmstart_kit.h"

/* Through the dead point in steps of a milliradian, where the rank falls from 17 to 16 and rises
 * again. Near it, 1 / cos(angle), up to 2000, multiplies every rounding, and drift in the cases
 * that have some. */
START_TEST(deadPoint)
{
    static const struct {
        double compliance, heavier, drift, near;
    } kind[] = {{0, 1, 0, 1e-9}, {1e-7, 1, 0, 1e-9}, {1e-7, 30, 0, 1e-9}, {1e-7, 1, 1e-8, 1e-3}};
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    hingeCompliance = kind[_i].compliance;
    heavier = kind[_i].heavier;
    for (int i = 0; i <= STEPS; i++) {
        ksSystem *fresh = newSystem();
        const double angle = 0.5 * M_PI + 1e-3 * (i - STEPS / 2);
        ksSystemClear(warm);
        banach(warm, angle, 1.1, 0.8, kind[_i].drift);
        banach(fresh, angle, 1.1, 0.8, kind[_i].drift);
        expectSame(warm, fresh, kind[_i].near);
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* Levers x_l = c x_(l-1), in either order of rows: with c from 1/2 to 2 the least singular value
 * falls to 2^-40, and in one of the orders no pivot does. */
START_TEST(levers)
{
    enum { LEVERS = 41 };
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    for (int i = 0; i <= STEPS; i++) {
        ksSystem *fresh = newSystem(), *both[2] = {warm, fresh};
        const double one[1] = {1}, ratio[1] = {-0.5 - 1.5 * i / STEPS}, force[1] = {1};
        size_t rank[2];
        ksSystemClear(warm);
        for (int s = 0; s < 2; s++) {
            for (int l = 0; l < LEVERS; l++)
                addParticle(both[s], 1, 1, force);
            for (int row = 0; row < LEVERS; row++) {
                const int l = _i ? LEVERS - 1 - row : row;
                addRow(both[s], l, one, l - 1, ratio, 0, 0);
            }
            ck_assert_ok(ksSystemSetRankTolerance(both[s], tolerance));
            ck_assert_ok(ksSystemGetDeterminacy(both[s], NULL, &rank[s]));
        }
        ck_assert_uint_eq(rank[0], rank[1]);
        if (i == 0 || i == STEPS)
            ck_assert_uint_eq(rank[1], i ? LEVERS - 1 : LEVERS);
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* Links each bent by `angle` against the last. The end is held in the plane, so it is no tree. */
static void bentChain(ksSystem *system, double angle)
{
    enum { LINKS = 40 };
    const Vector y = {0, 1, 0}, up = {0, 0, 1};
    int previous = -1;
    Vector end = {0};
    ksSystemClear(system);
    for (int link = 1; link <= LINKS; link++) {
        const Vector along = {sin(link * angle), 0, -cos(link * angle)}, top = {-0.5 * along[0], 0, -0.5 * along[2]};
        const int b = addRod(system, 1, 1, along, up);
        hingeRows(system, b, top, 0.1, previous, end, 0.1, y);
        for (int k = 0; k < 3; k++)
            end[k] = -top[k];
        previous = b;
    }
    for (int k = 0; k < 3; k += 2) {
        double row[6] = {0};
        row[k] = 1;
        cross(end, row, row + 3);
        addRow(system, previous, row, -1, NULL, 0, hingeCompliance);
    }
}

/* A chain that bends while its spectrum passes the tolerance without a gap. */
START_TEST(bendingChain)
{
    ksSystem *warm = newSystem();
    ksiSystemSetWarmStart(warm, NULL);
    hingeCompliance = 1e-7;
    for (int i = 0; i < STEPS / 4; i++) {
        ksSystem *fresh = newSystem();
        bentChain(warm, 1e-3 * (i + 20));
        bentChain(fresh, 1e-3 * (i + 20));
        // 1e-14 over a least singular value of some 1e-4
        expectSame(warm, fresh, 1e-9);
        ksSystemDestroy(fresh);
    }
    ksSystemDestroy(warm);
}
END_TEST

/* A spectrum without a gap needs a decomposition only without a warm start. */
START_TEST(smoothFromTheFirst)
{
    static Decision decision;
    ksSystem *system = newSystem();
    hingeCompliance = 1e-7;
    bentChain(system, 0.04);
    decide(system, &decision);
    const double dense = insideDenseWork(system);
    ck_assert_double_gt(dense, 0);
    ksiSystemSetWarmStart(system, NULL);
    bentChain(system, 0.04);
    decide(system, &decision);
    ck_assert_double_eq(insideDenseWork(system), dense);
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    TCase *places = tcase_create("places");
    tcase_add_loop_test(places, deadPoint, 0, 4);
    tcase_add_loop_test(places, levers, 0, 2);
    tcase_add_test(places, bendingChain);
    tcase_add_test(places, smoothFromTheFirst);
    return runCase("warmstart_bounds", places);
}

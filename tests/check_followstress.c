/* check_followstress.c  Self-stresses that are led from step to step are those that are found anew. */
#include "tests/redundant_kit.h"

#include "mechanics/system_private.h"

enum { MOST = 40, STEPS = 480 };

typedef struct Split {
    int determinate[MOST], count;
    size_t rank;
    double adopted[MOST], bar[MOST];
} Split;

/* One loop or two, that have no row in common. */
static void loops(ksSystem *system, int count, double angle, double other)
{
    ksSystemClear(system);
    banach(system, angle, 1.1, 0.8, 0);
    if (count > 1)
        banach(system, other, 0.7, 0.2, 0);
}

/* As the inspector asks for it. */
static void split(ksSystem *system, Split *s)
{
    double reference[MOST];
    for (int l = 0; l < MOST; l++)
        reference[l] = 10 * sin(l + 1);
    ck_assert_ok(ksSystemSetRankTolerance(system, 1e-4));
    ck_assert_ok(ksSystemSetRigidCompliance(system, 1e-3));
    ck_assert_ok(ksSystemSolvePaulus(system, s->adopted, NULL));
    ck_assert_ok(ksSystemGetDeterminacy(system, s->determinate, &s->rank));
    ck_assert_ok(ksiSystemCountSelfStresses(system, &s->count));
    ck_assert_ok(ksiSystemAdoptSelfStress(system, reference, s->adopted));
    ck_assert_ok(ksiSystemAdoptedErrorBars(system, s->adopted, s->adopted, s->bar));
}

/* J^T n = 0 for orthonormal n, rows in their unit. */
static void expectSelfStresses(ksSystem *system)
{
    const double *basis;
    int count;
    ck_assert_ok(ksiSystemGetSelfStress(system, &basis, &count));
    for (int k = 0; k < count; k++, basis += system->rowCount) {
        double y[36] = {0};
        for (int l = 0; l < system->rowCount; l++)
            ksiRowAdd(system, l, basis[l], y);
        for (int i = 0; i < system->coordinateCount; i++)
            ck_assert_near(y[i], 0, 1e-12);
        for (int j = 0; j <= k; j++) {
            double product = 0;
            for (int l = 0; l < system->rowCount; l++)
                product += ksiSystemRowSize(system, l) * basis[l] * ksiSystemRowSize(system, l) *
                           basis[(j - k) * system->rowCount + l];
            ck_assert_near(product, j == k, 1e-12);
        }
    }
}

/* Through the dead point, with jumps there: what is adopted differs by no more than the bars. Most steps go without a
 * factorisation of the rigid rows. */
START_TEST(steps)
{
    static Split found, wanted;
    const int count = 1 + _i / 2;
    int led = 0;
    ksSystem *followed = newSystem();
    ksiSystemFollow(followed, 1);
    hingeCompliance = 1e-7;
    heavier = _i % 2 ? 9 : 1;
    for (int i = 0; i <= STEPS; i++) {
        ksSystem *fresh = newSystem();
        const double angle = 0.5 * M_PI + (i % 50 == 49 ? 0 : 1e-3 * (i - 360)), other = 0.3 - 1e-3 * i;
        loops(followed, count, angle, other);
        loops(fresh, count, angle, other);
        split(followed, &found);
        split(fresh, &wanted);
        led += !followed->factor[KSI_VIEW_RIGID].known;
        ck_assert_uint_eq(found.rank, wanted.rank);
        ck_assert_int_eq(found.count, wanted.count);
        for (int l = 0; l < ksSystemRowCount(fresh); l++) {
            ck_assert_int_eq(found.determinate[l], wanted.determinate[l]);
            ck_assert_double_le(fabs(found.adopted[l] - wanted.adopted[l]), found.bar[l] + wanted.bar[l]);
        }
        expectSelfStresses(followed);
        ksSystemDestroy(fresh);
    }
    ck_assert_int_ge(led, STEPS / 2);
    ksSystemDestroy(followed);
}
END_TEST

/* Compliance that comes to count as rigid gives another loop its self-stresses. */
START_TEST(otherRows)
{
    static Split found;
    ksSystem *system = newSystem();
    ksiSystemFollow(system, 1);
    heavier = 1;
    for (int i = 0; i < 12; i++) {
        const int isRigid = i % 6 > 3;
        ksSystemClear(system);
        hingeCompliance = 1e-7;
        banach(system, 0.001 * i, 1.1, 0.8, 0);
        hingeCompliance = isRigid ? 0.9e-3 : 1.1e-3;
        banach(system, 0.3, 0.7, 0.2, 0);
        split(system, &found);
        ck_assert_int_eq(found.count, isRigid ? 6 : 3);
    }
    ksSystemDestroy(system);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("followstress");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, steps, 0, 4);
    tcase_add_test(all, otherRows);
    tcase_set_timeout(all, 60);
    suite_add_tcase(suite, all);
    return runSuite(suite);
}

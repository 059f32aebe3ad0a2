/* check_walker.c  The demo `walker`: loads of feet and hips, against weight and motion; steps as
 * the knees feel them. */
#include "tests/kits/story_kit.h"

enum { ITERATIONS = 50 };
static const double coarsest = 0.01, duration = 4; /* s: two periods of the gait */
static const double settled = 1;                   /* s: it has come to rest on its feet */

/* of the steps from then on: three feet stand or swing, except for moments in between */
static const double mostlyThree = 0.9, mostlySwings = 0.8;

/* of the load: momentum balances to rounding, because contact forces are the engine's */
static const double rounding = 1e-11;
/* Of the weight, or of the load if that is larger: when a foot comes down, motors are at their
 * bounds, and single accelerations of the engine are not quite the mechanism's; their mean is. */
static const double hipsInAStep = 0.1, hipsMean = 2e-3;
static const double atRest = 1e-3;

START_TEST(walks)
{
    Kit kit = silentKit();
    const KitWay way = storyWay(_i, ITERATIONS, coarsest, duration);
    KitRun run = walkerBegin(&kit, 1, way);
    WalkerFigures f;
    double hips = 0, trunk = 0, worst = 0;
    int steps = 0, onThree = 0, swinging = 0;
    while (walkerStep(&run, &f)) {
        ck_assert_double_eq_tol(f.loads, f.needed, rounding * fmax(walkerWeight, f.loads));
        ck_assert_int_eq(f.isUnique, 1);
        hips += f.hips;
        trunk += f.trunk;
        worst = fmax(worst, fabs(f.hips - f.trunk) / fmax(walkerWeight, f.trunk));
        if (f.time < settled)
            continue;
        steps++;
        onThree += f.standing >= WALKER_LEGS / 2;
        swinging += f.standing < WALKER_LEGS;
    }
    ck_assert_double_le(worst, hipsInAStep);
    ck_assert_double_eq_tol(hips, trunk, hipsMean * trunk);
    // it walks, and its feet come and go
    ck_assert_double_ge(onThree, mostlyThree * steps);
    ck_assert_double_ge(swinging, mostlySwings * steps);
    ck_assert_double_gt(f.place, 0.03);
    for (int i = 0; i < WALKER_LEGS; i++)
        ck_assert_int_ge(f.steps[i], 2);
    kitEnd(&run);
}
END_TEST

START_TEST(stands)
{
    Kit kit = silentKit();
    const KitWay way = storyWay(_i, ITERATIONS, coarsest, duration);
    KitRun run = walkerBegin(&kit, 0, way);
    WalkerFigures f;
    double mean = 0, hips = 0;
    int count = 0;
    while (walkerStep(&run, &f)) {
        ck_assert_double_eq_tol(f.loads, f.needed, rounding * fmax(walkerWeight, f.loads));
        if (f.time < settled)
            continue;
        mean += f.loads;
        hips += f.hips;
        count++;
    }
    ck_assert_double_eq_tol(mean / count, walkerWeight, atRest * walkerWeight);
    ck_assert_double_eq_tol(hips / count, 20 * SCENE_GRAVITY, atRest * walkerWeight);
    if (way.stepper == KS_WORLD_STEP) {
        ck_assert_int_eq(f.standing, WALKER_LEGS);
        for (int i = 0; i < WALKER_LEGS; i++)
            ck_assert_int_eq(f.steps[i], 1);
    }
    kitEnd(&run);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("walker");
    tcase_add_loop_test(tcase, walks, 0, WAYS);
    tcase_add_loop_test(tcase, stands, 0, WAYS);
    return runCase("walker", tcase);
}

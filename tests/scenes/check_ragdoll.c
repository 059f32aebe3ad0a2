/* check_ragdoll.c  The demo `ragdoll`: impacts against momentum, and the joints that would
 * break. */
#include "tests/kits/story_kit.h"

enum { ITERATIONS = 50 };
static const double coarsest = 0.01, duration = 2; /* s */

/* of the load: momentum balances to rounding, because contact forces are the engine's */
static const double rounding = 1e-11;
/* N, mean over the fall, in which the neck carries thousands: given the contacts, the neck's
 * physical force belongs to the simulated motion, except for ERP and, under QuickStep, for the
 * solver's error. */
static const double neckOff[] = {[KS_WORLD_STEP] = 4, [KS_QUICK_STEP] = 10};

static void checkJoint(const FallJoint *joint)
{
    ck_assert_int_eq(joint->unknown, 0);
    ck_assert_int_eq(!isnan(joint->broken), joint->physical > joint->limit);
    if (isnan(joint->broken))
        return;
    ck_assert_double_gt(joint->brokenLoad, joint->limit);
    // the unique part, which here is the whole load
    ck_assert_double_le(joint->brokenLoad, (1 + rounding) * joint->physical);
    ck_assert_double_le(joint->broken, joint->time);
}

START_TEST(fall)
{
    Kit kit = silentKit();
    const KitWay way = storyWay(_i, ITERATIONS, coarsest, duration);
    KitRun run = fallBegin(&kit, way);
    FallFigures f;
    double off = 0, hardest = 0;
    int broken = 0, stops = 0;
    while (fallStep(&run, &f)) {
        const double load = fmax(length3(f.loads), fallWeight);
        ck_assert_double_le(distance3(f.loads, f.needed), rounding * load);
        hardest = fmax(hardest, load);
        off += f.neckOff;
    }
    // impulse and momentum, from rest
    const double taken = f.momentum + fallWeight * way.steps * way.step;
    ck_assert_double_eq_tol(f.impulse, taken, 100 * rounding * taken);
    ck_assert_double_le(off / way.steps, neckOff[way.stepper]);
    ck_assert_double_gt(hardest, 3 * fallWeight);
    for (int i = 0; i < FALL_JOINTS; i++) {
        checkJoint(&f.joint[i]);
        broken += !isnan(f.joint[i].broken);
        stops += f.joint[i].atStop > 0;
    }
    ck_assert_int_gt(broken, 0);
    ck_assert_int_gt(stops, 0);
    // every joint has a verdict in every step
    ck_assert_int_eq(f.verdicts[KS_NOT_SOLVED] + f.verdicts[KS_UNCHECKED] + f.verdicts[KS_UNEXPLAINED], 0);
    if (way.stepper == KS_WORLD_STEP)
        ck_assert_int_eq(f.verdicts[KS_VALID], FALL_JOINTS * way.steps);
    kitEnd(&run);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ragdoll");
    tcase_add_loop_test(tcase, fall, 0, WAYS);
    return runCase("ragdoll", tcase);
}

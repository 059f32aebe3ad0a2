/* check_pile_story.c  The demo `pile`: the sum of contacts, friction within its bounds, and a
 * smaller error with more iterations. */
#include "tests/kits/story_kit.h"

enum { ITERATIONS = 20, FEW = 8, BOXES = 30 };
static const double coarsest = 0.01, duration = 0.8, rest = 1.5; /* s */

/* of the load: momentum balances to rounding, because contact forces are the engine's */
static const double rounding = 1e-11;
/* the two directions of friction have separate bounds; after 5000 iterations these are mu times a
 * settled normal force */
static const double squareCone = 1.4142136, settling = 0.05;
/* of the weight: a row of dWorldStep is solved to rounding; friction does not count, since its
 * bound is unknown */
static const double direct = 1e-12;

static double weightOf(const Scene *scene)
{
    double weight = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        weight += SCENE_GRAVITY * mass.mass;
    }
    return weight;
}

START_TEST(falls)
{
    Kit kit = silentKit();
    const KitWay way = storyWay(_i, ITERATIONS, coarsest, duration);
    KitRun run = pileBegin(&kit, FEW, way);
    PileFigures f;
    const double weight = weightOf(run.scene);
    double impulse = 0, momentum = 0;
    while (pileStep(&run, &f)) {
        const double load = fmax(length3(f.loads), weight);
        ck_assert_double_le(distance3(f.loads, f.needed), rounding * load);
        if (way.stepper == KS_WORLD_STEP)
            ck_assert_double_le(f.unsolved, direct * load);
        impulse += way.step * f.loads[2];
    }
    for (int i = 0; i < run.scene->bodyCount; i++) {
        dMass mass;
        dBodyGetMass(run.scene->body[i], &mass);
        momentum += mass.mass * dBodyGetLinearVel(run.scene->body[i])[2];
    }
    const double taken = momentum + weight * duration;
    ck_assert_double_eq_tol(impulse, taken, 100 * rounding * taken);
    ck_assert_int_gt(f.contacts, 2 * FEW);
    ck_assert_double_gt(f.friction, 0);
    kitEnd(&run);
}
END_TEST

/* One step from the same state, with three step sizes. */
START_TEST(iterations)
{
    static const int trial[] = {5, 50, 5000};
    enum { TRIALS = sizeof trial / sizeof *trial };
    Kit kit = silentKit();
    const KitWay way = storyWay(WAYS / 2 + _i, ITERATIONS, coarsest, rest);
    KitRun run = pileBegin(&kit, BOXES, way);
    PileFigures f, at[TRIALS];
    while (pileStep(&run, &f))
        ;
    for (int i = 0; i < TRIALS; i++) {
        KitRun next = pileBeginAs(&kit, BOXES, run.scene, (KitWay){KS_QUICK_STEP, trial[i], way.step, 1});
        pileStep(&next, &at[i]);
        kitEnd(&next);
        if (i)
            ck_assert_double_lt(at[i].netError, at[i - 1].netError);
    }
    ck_assert_double_gt(at[0].netError, 0.5);
    ck_assert_double_lt(at[TRIALS - 1].netError, 0.2 * at[0].netError);
    ck_assert_double_lt(at[TRIALS - 1].unsolved, 0.1 * at[0].unsolved);
    ck_assert_double_le(at[TRIALS - 1].mostFriction, squareCone + settling);
    kitEnd(&run);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("pile");
    tcase_add_loop_test(tcase, falls, 0, WAYS);
    tcase_add_loop_test(tcase, iterations, 0, WAYS / 2);
    return runCase("pile story", tcase);
}

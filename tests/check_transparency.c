/* check_transparency.c  With and without the inspector, the host sees the same bits. */
#define _GNU_SOURCE  // feenableexcept

#include "support.h"

#include <fenv.h>

enum { steps = 1000 };
static const double h = 0.002;

static int engineStep(Scene *scene, ksStepper stepper)
{
    return stepper == KS_WORLD_STEP ? dWorldStep(scene->world, h) : dWorldQuickStep(scene->world, h);
}

static dJointFeedback *listen(Scene *scene)
{
    dJointFeedback *feedback = calloc((size_t)scene->jointCount, sizeof *feedback);
    ck_assert_ptr_nonnull(feedback);
    memset(feedback, 0x5a, (size_t)scene->jointCount * sizeof *feedback);
    for (int i = 0; i < scene->jointCount; i += 2)  // some joints have no feedback of the host's
        dJointSetFeedback(scene->joint[i], &feedback[i]);
    return feedback;
}

static void checkFeedback(const Scene *plain, const dJointFeedback *expected, const Scene *inspected,
                          const dJointFeedback *found)
{
    ck_assert_mem_eq(expected, found, (size_t)plain->jointCount * sizeof *expected);
    for (int i = 0; i < plain->jointCount; i++)
        ck_assert_ptr_eq(dJointGetFeedback(inspected->joint[i]), i % 2 ? NULL : &found[i]);
}

/* Both scenes step from the same seed; flags and seed must come out the same. */
static void pairOfSteps(Scene *plain, Scene *watched, ksInspector *inspector, ksStepper stepper, bool bracket)
{
    unsigned long before = dRandGetSeed();
    sceneBeforeStep(plain);
    feclearexcept(FE_ALL_EXCEPT);
    ck_assert(engineStep(plain, stepper));
    int flags = fetestexcept(FE_ALL_EXCEPT);
    sceneAfterStep(plain);
    unsigned long after = dRandGetSeed();

    dRandSetSeed(before);
    sceneBeforeStep(watched);
    feclearexcept(FE_ALL_EXCEPT);
    if (bracket) {
        CHECK_OK(ksInspectorBeginStep(inspector, stepper, h));
        ck_assert(engineStep(watched, stepper));
        CHECK_OK(ksInspectorEndStep(inspector));
    } else {
        CHECK_OK(inspectedStep(inspector, stepper, h));
    }
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), flags);
    sceneAfterStep(watched);
    ck_assert_uint_eq(dRandGetSeed(), after);
}

START_TEST(trajectories_are_the_same)
{
    ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    bool bracket = _i / 2;
    Scene *plain = sceneZoo(), *watched = sceneZoo();
    dJointFeedback *expected = listen(plain), *found = listen(watched);
    dRandSetSeed(42);
    ksInspector *inspector = inspect(watched->world);
    ck_assert_uint_eq(dRandGetSeed(), 42);
    int contacts = 0;
    size_t judged = 0;
    for (int i = 0; i < steps; i++) {
        pairOfSteps(plain, watched, inspector, stepper, bracket);
        ck_assert_msg(sceneSameState(plain, watched), "step %d", i);
        checkFeedback(plain, expected, watched, found);
        contacts += watched->contactCount;
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_int_eq(report->inspected, 1);
        judged += report->reactionCount - report->verdictCount[KS_NOT_SOLVED];
    }
    // the scene must have exercised what it is for
    ck_assert_int_gt(contacts, steps);
    ck_assert_uint_gt(judged, 10 * steps);
    ksInspectorDestroy(inspector);
    sceneDestroy(plain);
    sceneDestroy(watched);
    free(expected);
    free(found);
}
END_TEST

/* The order in which the world lists its bodies and joints decides the order of sums: creating must not change it. */
START_TEST(creating_changes_nothing)
{
    Scene *plain = sceneZoo(), *watched = sceneZoo();
    for (int i = 0; i < 3; i++)
        ksInspectorDestroy(inspect(watched->world));
    for (int i = 0; i < 50; i++) {
        unsigned long seed = dRandGetSeed();
        sceneStep(plain, dWorldQuickStep, h);
        dRandSetSeed(seed);
        sceneStep(watched, dWorldQuickStep, h);
        ck_assert(sceneSameState(plain, watched));
    }
    sceneDestroy(plain);
    sceneDestroy(watched);
}
END_TEST

static void expectNoFlags(const ksReaction *reaction, void *user)
{
    (void)reaction;
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
    ++*(int *)user;
}

/* Reactions are completed when they are heard or asked for. */
START_TEST(asking_raises_no_flags)
{
    Scene *scene = sceneHeldTwice(SCENE_TWIN_FIXED, sceneLinkage.axes);
    ksInspector *inspector = inspect(scene->world);
    int heard = 0;
    if (_i == 0)
        CHECK_OK(ksInspectorOnReaction(inspector, NULL, expectNoFlags, &heard));
    if (_i == 1)
        CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[1], expectNoFlags, &heard));
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    ck_assert(engineStep(scene, KS_WORLD_STEP));
    feclearexcept(FE_ALL_EXCEPT);
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert_int_eq(heard, _i == 0 ? scene->jointCount : _i == 1);
    feclearexcept(FE_ALL_EXCEPT);
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
    ck_assert_ptr_nonnull(ksInspectorGetReactions(inspector, NULL));
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
    ck_assert(isfinite(reaction->row[0].work));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A host that traps on invalid operations: undetermined joints have an error of NaN, which is compared. */
START_TEST(traps_stay_asleep)
{
    Scene *scene = sceneHeldTwice(SCENE_TWIN_FIXED, sceneLinkage.axes);
    ksInspector *inspector = inspect(scene->world);
    const int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
    for (int i = 0; i < 3; i++) {
        feenableexcept(traps);
        ksStatus begun = ksInspectorBeginStep(inspector, KS_WORLD_STEP, h);
        int left = fegetexcept();
        fedisableexcept(traps);
        ck_assert_int_eq(left, traps);
        ck_assert(engineStep(scene, KS_WORLD_STEP));
        feenableexcept(traps);
        ksStatus ended = ksInspectorEndStep(inspector);
        left = fegetexcept();
        fedisableexcept(traps);
        ck_assert_int_eq(left, traps);
        CHECK_OK(begun);
        CHECK_OK(ended);
        ck_assert(isnan(ksInspectorGetReaction(inspector, scene->joint[0])->error));
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("transparency");
    TCase *test = tcase_create("transparency");
    tcase_set_timeout(test, 120);
    tcase_add_loop_test(test, trajectories_are_the_same, 0, 4);
    tcase_add_test(test, creating_changes_nothing);
    tcase_add_loop_test(test, asking_raises_no_flags, 0, 3);
    tcase_add_test(test, traps_stay_asleep);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

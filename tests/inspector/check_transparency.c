/* check_transparency.c  With and without the inspector, the host sees the same bits. */
#define _GNU_SOURCE  // feenableexcept

#include "tests/kits/support.h"

#include <fenv.h>

enum { steps = 500 };
static const double h = 0.002;

/* as set by a host that looks for its own mistakes */
static const int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;

static int engineStep(Scene *scene, ksStepper stepper)
{
    return stepper == KS_WORLD_STEP ? dWorldStep(scene->world, h) : dWorldQuickStep(scene->world, h);
}

static dJointFeedback *listen(Scene *scene)
{
    dJointFeedback *feedback = calloc((size_t)scene->jointCount, sizeof *feedback);
    ck_assert_ptr_nonnull(feedback);
    memset(feedback, 0x5a, (size_t)scene->jointCount * sizeof *feedback);
    for (int i = 0; i < scene->jointCount; i += 2)  // some joints have no feedback from the host
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

/* Both scenes step from the same seed; the floating-point flags and the seed must agree
 * afterwards. */
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
    bool bracket = _i / 2 % 2, solved = _i / 4;
    Scene *plain = sceneZoo(), *watched = sceneZoo();
    dJointFeedback *expected = listen(plain), *found = listen(watched);
    dRandSetSeed(42);
    ksInspector *inspector = solved ? inspectSolved(watched->world) : inspect(watched->world);
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
    // the scene must have exercised its purpose
    ck_assert_int_gt(contacts, steps);
    ck_assert_uint_gt(judged, 10 * steps);
    ksInspectorDestroy(inspector);
    sceneDestroy(plain);
    sceneDestroy(watched);
    free(expected);
    free(found);
}
END_TEST

/* The order in which the world lists its bodies and joints decides the order of sums: creating an
 * inspector must not change it. */
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

static void expectNoFlagsOfEvent(const ksThresholdEvent *event, void *user)
{
    expectNoFlags(event->reaction, user);
}

/* Reactions are completed when they are published or requested; thresholds compare only the values
 * that they need. */
START_TEST(asking_raises_no_flags)
{
    Scene *scene = _i == 2 ? sceneChain(3, SCENE_FALLING) : sceneHeldTwice(SCENE_TWIN_FIXED, sceneLinkage.axes);
    ksInspector *inspector = inspect(scene->world);
    int heard = 0;
    if (_i == 0)
        CHECK_OK(ksInspectorOnReaction(inspector, NULL, expectNoFlags, &heard));
    if (_i == 1)
        CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[1], expectNoFlags, &heard));
    if (_i == 2) {
        ksThreshold limits;
        ksThresholdInit(&limits);
        limits.force[0] = limits.force[1] = limits.force[2] = limits.forceMagnitude = 1e-9;
        CHECK_OK(ksInspectorOnThreshold(inspector, scene->joint[1], &limits, expectNoFlagsOfEvent, &heard));
    }
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    ck_assert(engineStep(scene, KS_WORLD_STEP));
    feclearexcept(FE_ALL_EXCEPT);
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert(_i == 2 ? heard > 0 : heard == (_i == 0 ? scene->jointCount : _i == 1));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
    ck_assert_ptr_nonnull(ksInspectorGetReactions(inspector, NULL));
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
    ck_assert(isfinite(reaction->row[0].work));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* For a host that traps, and that reads its flags, an exact step is like the engine's. */
START_TEST(exact_steps_raise_nothing)
{
    Scene *scene = sceneZoo();
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 100; i++) {
        sceneBeforeStep(scene);
        feclearexcept(FE_ALL_EXCEPT);
        feenableexcept(traps);
        const ksStatus status = ksInspectorExactStep(inspector, h);
        const int left = fegetexcept();
        fedisableexcept(traps);
        CHECK_OK(status);
        ck_assert_int_eq(left, traps);
        ck_assert_int_eq(fetestexcept(traps | FE_UNDERFLOW), 0);
        sceneAfterStep(scene);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A host that traps on invalid operations: undetermined joints have an error of NaN, which is
 * compared. */
START_TEST(traps_stay_asleep)
{
    Scene *scene = sceneHeldTwice(SCENE_TWIN_FIXED, sceneLinkage.axes);
    ksInspector *inspector = inspect(scene->world);
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

static void countEvent(const ksThresholdEvent *event, void *user)
{
    (void)event;
    ck_assert_int_eq(fegetexcept(), traps);
    ++*(int *)user;
}

/* Queries all undetermined or infinite results of a step in a host that traps; returns the number
 * of answers. */
static int askForAll(ksInspector *inspector, dJointID joint)
{
    dBodyID body = dJointGetBody(joint, 0);
    ksWrench wrench;
    ksWrenchSum sum;
    int count;
    double number, other;
    ksImpact impact;
    ksRelaxation relaxation[6];
    const ksBodyProbe probe = {.body = body, .axis = {0, 0, 1}};
    ksNetWrench net = {.a = body};
    ksSensor sensor;
    ksSensorInit(&sensor);
    int answers = 0;
    for (ksValue value = KS_ENGINE; value <= KS_PHYSICAL; value++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
        sensor.value = value;
        answers += !sumContacts(inspector, body, NULL, value, NULL, &sum);
        answers += !ksReactionGetWrench(reaction, value, 0, KS_FRAME_JOINT, KS_POINT_ANCHOR, &wrench);
        answers += !ksReactionGetFrictionUse(reaction, value, &number, &other);
        answers += !ksSensorRead(&sensor, reaction, &wrench);
    }
    answers += !ksInspectorRelaxJoint(inspector, joint, 6, relaxation, &count);
    answers += !ksInspectorGetMobility(inspector, &probe, &probe, &number);
    answers += !ksInspectorSolveImpulse(inspector, &(ksBlow){.at = probe, .impulse = 1}, 1, &impact);
    answers += !ksInspectorRecompute(inspector, &net, 1, 1e-3, 100);
    return answers;
}

static dJointID watchedJoint(Scene *scene, ksInspector *inspector, int *events)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.value = KS_ENGINE;
    limits.flags = KS_THRESHOLD_UNCHECKED;
    limits.forceMagnitude = limits.force[0] = limits.force[1] = limits.force[2] = 1e-9;
    CHECK_OK(ksInspectorOnThreshold(inspector, scene->joint[0], &limits, countEvent, events));
    return scene->joint[0];
}

/* On a chain whose feedback contains a NaN, with which no threshold can be compared; on joints
 * whose split is undetermined; on contacts. */
START_TEST(queries_are_not_noticed)
{
    Scene *scene = _i == 0   ? sceneChain(3, SCENE_FALLING)
                   : _i == 1 ? sceneHeldTwice(SCENE_TWIN_FIXED, sceneLinkage.axes)
                             : scenePile(20);
    for (int i = 0; _i == 2 && i < 100; i++)  // until they lie on each other
        sceneStep(scene, dWorldQuickStep, 0.01);
    ksInspector *inspector = inspect(scene->world);
    int events = 0;
    dJointID joint = _i < 2 ? watchedJoint(scene, inspector, &events) : NULL;
    for (int i = 0; i < 30; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
        ck_assert(engineStep(scene, KS_QUICK_STEP));
        if (_i == 0 && i % 2)
            dJointGetFeedback(joint)->f1[0] = NAN;
        feclearexcept(FE_ALL_EXCEPT);
        feenableexcept(traps);
        const ksStatus ended = ksInspectorEndStep(inspector);
        const ksReaction *first = ksInspectorGetReactions(inspector, NULL);
        const int answers = first ? askForAll(inspector, first->joint) : 0;
        const int left = fegetexcept(), flags = fetestexcept(FE_ALL_EXCEPT);
        fedisableexcept(traps);
        ck_assert_int_eq(flags, 0);
        CHECK_OK(ended);
        ck_assert_int_eq(left, traps);
        ck_assert_int_gt(answers, 4);
        sceneAfterStep(scene);
    }
    ck_assert_int_eq(events > 0, _i == 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("transparency");
    tcase_add_loop_test(test, trajectories_are_the_same, 0, 8);
    tcase_add_test(test, creating_changes_nothing);
    tcase_add_loop_test(test, asking_raises_no_flags, 0, 4);
    tcase_add_test(test, traps_stay_asleep);
    tcase_add_test(test, exact_steps_raise_nothing);
    tcase_add_loop_test(test, queries_are_not_noticed, 0, 3);
    return runCase("transparency", test);
}

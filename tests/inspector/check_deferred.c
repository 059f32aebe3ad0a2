/* check_deferred.c  Deferred inspection on another thread: the same results as in place, to the
 * bit, whatever the timing. */
#include "tests/kits/deferred_kit.h"

#include <fenv.h>

static const double h = 0.005;
enum { steps = 60 };

/* One world with two inspectors, one of them deferred. */
typedef struct Twin {
    Scene *scene;
    ksInspector *now, *later;
    Executor executor;
    size_t judged; /* number of compared reactions with rows */
} Twin;

static void openTwin(Twin *twin, Scene *scene, const ksInspectorOptions *options, Timing timing)
{
    ksInspectorOptions own = options ? *options : defaultOptions();
    ck_assert_ptr_nonnull(scene);
    *twin = (Twin){.scene = scene, .executor = {.timing = timing, .random = 1}};
    twin->now = inspectWith(scene->world, options);
    twin->later = inspectLater(scene->world, &own, &twin->executor);
}

static void closeTwin(Twin *twin)
{
    ksInspectorDestroy(twin->now);
    ksInspectorDestroy(twin->later);
    sceneDestroy(twin->scene);
}

static int engineStep(dWorldID world, ksStepper stepper)
{
    return stepper == KS_WORLD_STEP ? dWorldStep(world, h) : dWorldQuickStep(world, h);
}

static void stepTwin(Twin *twin, ksStepper stepper)
{
    CHECK_OK(ksInspectorBeginStep(twin->now, stepper, h));
    CHECK_OK(ksInspectorBeginStep(twin->later, stepper, h));
    ck_assert(engineStep(twin->scene->world, stepper));
    CHECK_OK(ksInspectorEndStep(twin->later));
    CHECK_OK(ksInspectorEndStep(twin->now));
}

static void compareTwin(Twin *twin)
{
    size_t count, second;
    const ksReaction *b = ksInspectorGetReactions(twin->later, &second);
    const ksReaction *a = ksInspectorGetReactions(twin->now, &count);
    ck_assert_uint_eq(count, second);
    for (size_t i = 0; i < count; i++) {
        compareReaction(&a[i], &b[i]);
        SAME(&a[i], &b[i], joint);
        SAME(&a[i], &b[i], body);
        SAME(&a[i], &b[i], step);
        SAME(&a[i], &b[i], time);
        twin->judged += a[i].rowCount > 0;
    }
    const ksStepReport *p = ksInspectorGetStepReport(twin->now), *q = ksInspectorGetStepReport(twin->later);
    compareReports(p, q);
    SAME(p, q, worstJoint);
    SAME(p, q, worstBody);
    SAME(p, q, worstError);
    SAME(p, q, step);
    SAME(p, q, inspected);
    SAME(p, q, culprit);
    SAME(p, q, culpritJoint);
    SAME(p, q, rank);
}

/* Without queries, the next step begins before the last one is inspected. */
static void judge(Scene *scene, const ksInspectorOptions *options, ksStepper stepper, Timing timing)
{
    Twin twin;
    openTwin(&twin, scene, options, timing);
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        stepTwin(&twin, stepper);
        if (i % 3 == 0)
            compareTwin(&twin);
        sceneAfterStep(scene);
    }
    compareTwin(&twin);
    ck_assert_uint_gt(twin.judged, steps / 3);
    closeTwin(&twin);
}

START_TEST(machines)
{
    judge(makeKind(_i / 2, h), NULL, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, (Timing)(_i / 2 % TIMINGS));
}
END_TEST

START_TEST(zoo)
{
    judge(sceneZoo(), NULL, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, (Timing)(_i / 2));
}
END_TEST

/* Joints come and go, some at the addresses of others; bodies as well. */
START_TEST(comings_and_goings)
{
    Twin twin;
    openTwin(&twin, sceneChain(8, SCENE_FALLING), NULL, (Timing)_i);
    Scene *scene = twin.scene;
    for (int i = 0; i < steps; i++) {
        (void)comeAndGo(scene, i);
        stepTwin(&twin, KS_QUICK_STEP);
        if (i % 2)
            compareTwin(&twin);
    }
    closeTwin(&twin);
}
END_TEST

/* --- Queries, and steps in between --- */

START_TEST(queries)
{
    Twin twin;
    openTwin(&twin, sceneChain(6, SCENE_FALLING), NULL, (Timing)_i);
    Scene *scene = twin.scene;
    for (int i = 0; i < 10; i++) {
        ksWrenchSum sum[2];
        ksRelaxation relaxed[2][6];
        double mobility[2], mass[2];
        int count[2];
        stepTwin(&twin, KS_QUICK_STEP);
        for (int k = 0; k < 2; k++) {
            ksInspector *inspector = k ? twin.later : twin.now;
            const ksWrenchTerm term = {.joint = scene->joint[2], .body = scene->body[2]};
            const ksBodyProbe probe = {.body = scene->body[3], .axis = {0, 0, 1}};
            memset(relaxed[k], 0, sizeof relaxed[k]);
            ck_assert_double_eq(ksInspectorGetStepSize(inspector), h);
            ck_assert_ptr_eq(ksInspectorGetBody(inspector, 1), scene->body[4]);
            ck_assert(ksInspectorGetMass(inspector, scene->body[2], &mass[k], NULL));
            CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_CONVERGED, NULL, &sum[k]));
            CHECK_OK(ksInspectorGetMobility(inspector, &probe, &probe, &mobility[k]));
            CHECK_OK(ksInspectorRelaxJoint(inspector, scene->joint[1], 6, relaxed[k], &count[k]));
            ksNetWrench net = {.a = scene->body[1], .joint = scene->joint[1]};
            CHECK_OK(ksInspectorRecompute(inspector, &net, 1, 1e-3, 10));
        }
        ck_assert_mem_eq(&sum[0].wrench, &sum[1].wrench, sizeof sum[0].wrench);
        ck_assert_mem_eq(&mobility[0], &mobility[1], sizeof mobility[0]);
        ck_assert_mem_eq(&mass[0], &mass[1], sizeof mass[0]);
        ck_assert_int_eq(count[0], count[1]);
        for (int l = 0; l < count[0]; l++)
            SAME(&relaxed[0][l], &relaxed[1][l], multiplier);
    }
    closeTwin(&twin);
}
END_TEST

/* The host's rounding mode is used for the results, on any thread. */
START_TEST(rounding)
{
    Twin twin;
    openTwin(&twin, sceneChain(6, SCENE_FALLING), NULL, (Timing)_i);
    for (int i = 0; i < steps; i++) {
        // the rounding mode at the creation of a thread does not matter
        ck_assert_int_eq(fesetround(i % 2 ? FE_UPWARD : FE_TONEAREST), 0);
        stepTwin(&twin, KS_WORLD_STEP);
        ck_assert_int_eq(fesetround(FE_TONEAREST), 0);
        compareTwin(&twin);
    }
    closeTwin(&twin);
}
END_TEST

static void changeBodies(Scene *scene, int i)
{
    if (i % 5 == 0)
        dBodyAddForce(scene->body[i % scene->bodyCount], 3, 2, 1);
    if (i % 7 == 0)
        dBodySetLinearDamping(scene->body[2], i % 2 ? 0.01 : 0);
    if (i == 20)
        dBodySetKinematic(scene->body[4]);
    if (i == 40)
        dBodySetDynamic(scene->body[4]);
    if (i == 25)
        dBodySetMaxAngularSpeed(scene->body[1], 0.5);
    if (i == 30)
        dBodySetFiniteRotationMode(scene->body[3], 1);
    if (i == 32)
        dBodySetFiniteRotationAxis(scene->body[3], 0, 1, 0);
    if (i == 35)
        dWorldSetGravity(scene->world, 1, 2, -3);
    if (i == 45)
        dWorldSetCFM(scene->world, 1e-6);
    if (i == 50)
        dWorldSetERP(scene->world, 0.4);
    if (i == 52)
        dWorldSetAutoDisableFlag(scene->world, 1);
    if (i == 55)
        dBodyDisable(scene->body[5]);
}

/* The inspector sees everything that the host changes. */
START_TEST(changes)
{
    Twin twin;
    openTwin(&twin, sceneChain(8, SCENE_FALLING), NULL, (Timing)(_i / 2));
    for (int i = 0; i < steps; i++) {
        changeBodies(twin.scene, i);
        stepTwin(&twin, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP);
        if (i % 2)
            compareTwin(&twin);
    }
    closeTwin(&twin);
}
END_TEST

/* Changes by the host after a step do not affect that step: here the gap, from a row's c, in
 * drifting loops. */
START_TEST(changes_afterwards)
{
    Twin twin;
    openTwin(&twin, sceneLoops(2, 1, COUPLER_HINGED), NULL, (Timing)_i);
    for (int i = 0; i < steps; i++) {
        stepTwin(&twin, KS_QUICK_STEP);
        dWorldSetERP(twin.scene->world, i % 2 ? 0.2 : 0.02);
        compareTwin(&twin);
    }
    closeTwin(&twin);
}
END_TEST

/* Two worlds with equal motions, one of them with deferred inspection. */
typedef struct Pair {
    Scene *scene[2];
    ksInspector *inspector[2];
    Executor executor;
} Pair;

static void openPair(Pair *pair, int links, Timing timing)
{
    ksInspectorOptions options = defaultOptions();
    *pair = (Pair){.executor = {.timing = timing, .random = 3}};
    for (int k = 0; k < 2; k++)
        pair->scene[k] = sceneChain(links, SCENE_FALLING);
    pair->inspector[0] = inspect(pair->scene[0]->world);
    pair->inspector[1] = inspectLater(pair->scene[1]->world, &options, &pair->executor);
}

static void closePair(const Pair *pair)
{
    for (int k = 0; k < 2; k++) {
        ksInspectorDestroy(pair->inspector[k]);
        sceneDestroy(pair->scene[k]);
    }
}

static void comparePair(const Pair *pair)
{
    size_t count[2];
    const ksReaction *a = ksInspectorGetReactions(pair->inspector[0], &count[0]),
                     *b = ksInspectorGetReactions(pair->inspector[1], &count[1]);
    ck_assert(sceneSameState(pair->scene[0], pair->scene[1]));
    ck_assert_uint_gt(count[0], 0);
    ck_assert_uint_eq(count[0], count[1]);
    for (size_t n = 0; n < count[0]; n++)
        compareReaction(&a[n], &b[n]);
    compareReports(ksInspectorGetStepReport(pair->inspector[0]), ksInspectorGetStepReport(pair->inspector[1]));
}

static void changeJoint(Scene *scene, int i)
{
    dJointDestroy(scene->joint[i + 1]);
    scene->joint[i + 1] = i % 2 ? dJointCreateBall(scene->world, NULL) : dJointCreateHinge(scene->world, NULL);
    dJointAttach(scene->joint[i + 1], scene->body[i + 1], i % 3 ? scene->body[i] : NULL);
}

/* Within a bracket, too, joints and bodies are destroyed, and others are created at their
 * addresses. */
START_TEST(changes_in_a_bracket)
{
    Pair pair;
    openPair(&pair, 9, (Timing)_i);
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 2; k++) {
            Scene *scene = pair.scene[k];
            CHECK_OK(ksInspectorBeginStep(pair.inspector[k], KS_WORLD_STEP, h));
            ck_assert(engineStep(scene->world, KS_WORLD_STEP));
            changeJoint(scene, i);
            // its joints remain without it
            if (i == 3)
                dBodyDestroy(scene->body[8]);
            CHECK_OK(ksInspectorEndStep(pair.inspector[k]));
            scene->bodyCount -= i == 3;
        }
        comparePair(&pair);
    }
    closePair(&pair);
}
END_TEST

/* Exact steps are inspected at once, between others. */
START_TEST(exact_steps)
{
    Pair pair;
    openPair(&pair, 6, (Timing)_i);
    for (int i = 0; i < 30; i++) {
        for (int k = 0; k < 2; k++)
            CHECK_OK(inspectedStep(pair.inspector[k], i % 3 == 0 ? KS_EXACT_STEP : KS_WORLD_STEP, h));
        if (i % 4 != 1)
            comparePair(&pair);
    }
    closePair(&pair);
}
END_TEST

/* A body that is not finite is found before the step. */
START_TEST(not_finite)
{
    Executor executor = {.timing = (Timing)_i};
    ksInspectorOptions options = defaultOptions();
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspector *inspector = inspectLater(scene->world, &options, &executor);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    dBodySetLinearVel(scene->body[2], NAN, 0, 0);
    CHECK_STATUS(ksInspectorQuickStep(inspector, h), KS_ERROR_NOT_FINITE);
    ck_assert_ptr_eq(ksInspectorGetStepReport(inspector)->culprit, scene->body[2]);
    ck_assert_int_eq(ksInspectorGetStepReport(inspector)->stepped, 0);
    ck_assert_ptr_null(dJointGetFeedback(scene->joint[0]));
    CHECK_STATUS(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h), KS_ERROR_NOT_FINITE);
    CHECK_STATUS(ksInspectorEndStep(inspector), KS_ERROR_NOT_FINITE);
    CHECK_STATUS(ksInspectorFlush(inspector), KS_ERROR_NOT_FINITE);
    ck_assert_ptr_eq(ksInspectorGetStepReport(inspector)->culprit, scene->body[2]);
    dBodySetLinearVel(scene->body[2], 1e40, 0, 0);  // large, but finite
    CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
    CHECK_OK(ksInspectorEndStep(inspector));
    dBodySetLinearVel(scene->body[2], 0, 0, 0);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    ck_assert_int_eq(ksInspectorGetStepReport(inspector)->inspected, 1);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The world does not change, and the host's feedback is filled. */
START_TEST(transparency)
{
    Scene *plain = sceneZoo(), *inspected = sceneZoo();
    Executor executor = {.timing = ON_ITS_THREAD};
    ksInspectorOptions options = defaultOptions();
    dJointFeedback expected[2], found[2];
    memset(expected, 0x5a, sizeof expected);
    memset(found, 0x5a, sizeof found);
    ksInspector *inspector = inspectLater(inspected->world, &options, &executor);
    for (int i = 0; i < 2; i++) {
        dJointSetFeedback(plain->joint[i], &expected[i]);
        dJointSetFeedback(inspected->joint[i], &found[i]);
    }
    for (int i = 0; i < 200; i++) {
        const unsigned long seed = dRandGetSeed();
        sceneBeforeStep(plain);
        ck_assert(dWorldQuickStep(plain->world, h));
        sceneAfterStep(plain);
        dRandSetSeed(seed);
        sceneBeforeStep(inspected);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        sceneAfterStep(inspected);
        ck_assert(sceneSameState(plain, inspected));
        ck_assert_mem_eq(expected, found, sizeof found);
        ck_assert_ptr_eq(dJointGetFeedback(inspected->joint[0]), &found[0]);
        ck_assert_ptr_null(dJointGetFeedback(inspected->joint[2]));
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(plain);
    sceneDestroy(inspected);
}
END_TEST

/* --- Threads --- */

static void *stepAlone(void *user)
{
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    Twin *twin = user;
    for (int i = 0; i < steps; i++) {
        stepTwin(twin, KS_WORLD_STEP);
        if (i % 4 == 0)
            compareTwin(twin);
    }
    dCleanupODEAllDataForThread();
    return NULL;
}

/* Each world runs on a thread of its own, each with a worker. */
START_TEST(worlds_in_threads)
{
    enum { WORLDS = 3 };
    Twin twin[WORLDS];
    pthread_t thread[WORLDS];
    dThreadingImplementationID own[WORLDS];
    for (int i = 0; i < WORLDS; i++) {
        openTwin(&twin[i], sceneChain(4 + i, SCENE_FALLING), NULL, (Timing)_i);
        own[i] = giveThreading(twin[i].scene->world);
        ck_assert(!pthread_create(&thread[i], NULL, stepAlone, &twin[i]));
    }
    for (int i = 0; i < WORLDS; i++)
        ck_assert(!pthread_join(thread[i], NULL));
    for (int i = 0; i < WORLDS; i++) {
        compareTwin(&twin[i]);
        closeTwin(&twin[i]);
        dThreadingFreeImplementation(own[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deferred");
    TCase *same = tcase_create("same");
    tcase_add_loop_test(same, machines, 0, 2 * kindCount());
    tcase_add_loop_test(same, zoo, 0, 2 * TIMINGS);
    tcase_add_loop_test(same, comings_and_goings, 0, TIMINGS);
    suite_add_tcase(suite, same);
    TCase *other = tcase_create("other");
    tcase_add_loop_test(other, queries, 0, TIMINGS);
    tcase_add_loop_test(other, rounding, 0, TIMINGS);
    tcase_add_loop_test(other, changes, 0, 2 * TIMINGS);
    tcase_add_loop_test(other, changes_afterwards, 0, TIMINGS);
    tcase_add_loop_test(other, changes_in_a_bracket, 0, TIMINGS);
    tcase_add_loop_test(other, exact_steps, 0, TIMINGS);
    tcase_add_loop_test(other, not_finite, 0, TIMINGS);
    tcase_add_test(other, transparency);
    tcase_add_loop_test(other, worlds_in_threads, 0, TIMINGS);
    suite_add_tcase(suite, other);
    return runSuite(suite);
}

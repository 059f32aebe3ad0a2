/* check_exact_step.c  Guarantees of ksInspectorExactStep: the world is as after a step of the
 * engine, and no step is lost where an island cannot be solved. */
#include "tests/kits/support.h"

#include <pthread.h>
#include <stdint.h>

static const double h = 0.005;

/* m, distance from dWorldStep's chain of ten after 300 steps: rounding of both */
static const double kChain = 1e-11;
/* of the applied wrench: solved to rounding */
static const double kSolved = 1e-9;

static void exactStep(Scene *scene, ksInspector *inspector)
{
    sceneBeforeStep(scene);
    CHECK_OK(ksInspectorExactStep(inspector, h));
    sceneAfterStep(scene);
}

START_TEST(falling_chain_is_that_of_dWorldStep)
{
    Scene *engine = sceneChain(10, SCENE_FALLING), *exact = sceneChain(10, SCENE_FALLING);
    ksInspector *inspector = inspect(exact->world);
    double apart = 0;
    for (int i = 0; i < 300; i++) {
        sceneStep(engine, dWorldStep, h);
        exactStep(exact, inspector);
    }
    for (int i = 0; i < exact->bodyCount; i++)
        apart = fmax(apart, distance3(dBodyGetPosition(engine->body[i]), dBodyGetPosition(exact->body[i])));
    ck_assert_double_le(apart, kChain);
    ksInspectorDestroy(inspector);
    sceneDestroy(engine);
    sceneDestroy(exact);
}
END_TEST

/* Joints are judged as after any step, and both routes agree. The feedback stays the host's. */
START_TEST(reactions_are_published_and_valid)
{
    Scene *scene = sceneRagdolls(2);
    ksInspector *inspector = inspect(scene->world);
    dJointFeedback feedback;
    dJointSetFeedback(scene->joint[0], &feedback);
    for (int i = 0; i < 100; i++) {
        exactStep(scene, inspector);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_int_eq(report->stepper, KS_EXACT_STEP);
        ck_assert_uint_eq(report->fallbackRowCount, 0);
        ck_assert_uint_eq(report->verdictCount[KS_VALID], (size_t)scene->jointCount);
        ck_assert_double_le(report->worstError, kSolved);
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        ck_assert_double_le(report->worstUnsolved, kSolved * length3(reaction->engine[0].force));
        ck_assert_ptr_eq(dJointGetFeedback(scene->joint[0]), &feedback);
        ck_assert_mem_eq(feedback.f1, reaction->engine[0].force, 3 * sizeof(dReal));
        ck_assert_mem_eq(feedback.t1, reaction->engine[0].torque, 3 * sizeof(dReal));
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The random seed, and the joints' tables of functions (their first word), are unchanged. */
START_TEST(leaves_no_traces)
{
    Scene *scene = sceneZoo();
    ksInspector *inspector = inspect(scene->world);
    dRandSetSeed(42);
    for (int i = 0; i < 50; i++) {
        void *table[64], *now;
        ck_assert_int_le(scene->jointCount, 64);
        for (int j = 0; j < scene->jointCount; j++)
            memcpy(&table[j], scene->joint[j], sizeof *table);
        exactStep(scene, inspector);
        for (int j = 0; j < scene->jointCount; j++) {
            memcpy(&now, scene->joint[j], sizeof now);
            ck_assert_ptr_eq(now, table[j]);
        }
        ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->fallbackRowCount, 0);
        ck_assert_uint_eq(dRandGetSeed(), 42);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Unsolved islands have the forces of dWorldQuickStep, to the bit. */
START_TEST(islands_over_budget_are_left_to_QuickStep)
{
    const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    Scene *engine = sceneFallingRagdolls(2, BALLS_WITH_STOPS, surface);
    Scene *exact = sceneFallingRagdolls(2, BALLS_WITH_STOPS, surface);
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 1;
    options.values = 0;
    ksInspector *inspector = inspectWith(exact->world, &options);
    for (int i = 0; i < 200; i++) {
        const unsigned long seed = dRandGetSeed();
        sceneStep(engine, dWorldQuickStep, h);
        dRandSetSeed(seed);
        exactStep(exact, inspector);
        ck_assert_msg(sceneSameState(engine, exact), "step %d", i);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_eq(report->fallbackReasons, KS_REASON_BUDGET);
        ck_assert_uint_eq(report->fallbackRowCount, report->rowCount);
        ck_assert(ksInspectorGetReaction(inspector, exact->joint[0])->reasons & KS_REASON_FALLBACK);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(engine);
    sceneDestroy(exact);
}
END_TEST

/* The joint and the body that a moved callback changes. */
static struct {
    dJointID doomed, made;
    dBodyID first, second;
    dWorldID world;
} hook;

static void destroyAndMake(dBodyID body)
{
    (void)body;
    if (!hook.doomed)
        return;
    dJointDestroy(hook.doomed);
    hook.doomed = NULL;
    hook.made = dJointCreateBall(hook.world, 0);
    dJointAttach(hook.made, hook.first, hook.second);
    dJointSetBallAnchor(hook.made, 0, 0, 0);
}

START_TEST(moved_callbacks_change_joints)
{
    Scene *scene = sceneChain(10, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    exactStep(scene, inspector);
    hook.doomed = scene->joint[9];
    hook.first = scene->body[9];
    hook.second = scene->body[8];
    hook.world = scene->world;
    dBodySetMovedCallback(scene->body[9], destroyAndMake);
    exactStep(scene, inspector);
    ck_assert_ptr_null(hook.doomed);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->fallbackRowCount, 0);
    ck_assert_int_eq(dJointGetType(hook.made), dJointTypeBall);
    for (int i = 0; i < 20; i++)
        exactStep(scene, inspector);
    ck_assert_ptr_nonnull(ksInspectorGetReaction(inspector, hook.made));
    ck_assert_int_eq(ksInspectorGetReaction(inspector, hook.made)->verdict, KS_VALID);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static dBodyID victim;

static void destroyBody(dBodyID body)
{
    (void)body;
    if (victim)
        dBodyDestroy(victim);
    victim = NULL;
}

/* A bullet without joints is stepped before the engine asks joints for their rows, and its callback
 * destroys a sleeping body. */
START_TEST(moved_callbacks_destroy_bodies)
{
    Scene *scene = sceneChain(5, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    victim = addBall(scene->world, 1, 0.1, 5, 5);
    dBodyDisable(victim);
    dBodyID bullet = addBall(scene->world, 1, 0.1, 6, 5);
    exactStep(scene, inspector);
    dBodySetMovedCallback(bullet, destroyBody);
    exactStep(scene, inspector);
    ck_assert_ptr_null(victim);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->verdictCount[KS_VALID], 5);
    exactStep(scene, inspector);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static ksInspector *destroyed;

static void destroyInspector(dBodyID body)
{
    (void)body;
    ksInspectorDestroy(destroyed);
}

/* By any stepper: the inspector is gone when the call returns, and the host has its feedback
 * back. */
START_TEST(moved_callbacks_destroy_the_inspector)
{
    Scene *scene = sceneChain(10, SCENE_FALLING);
    dJointFeedback feedback;
    destroyed = inspect(scene->world);
    dJointSetFeedback(scene->joint[3], &feedback);
    CHECK_OK(inspectedStep(destroyed, (ksStepper)_i, h));
    dBodySetMovedCallback(scene->body[4], destroyInspector);
    CHECK_OK(inspectedStep(destroyed, (ksStepper)_i, h));
    dBodySetMovedCallback(scene->body[4], NULL);
    ck_assert_ptr_eq(dJointGetFeedback(scene->joint[3]), &feedback);
    sceneStep(scene, dWorldStep, h);
    sceneDestroy(scene);
}
END_TEST

static ksStatus refused;

static void stepAgain(dBodyID body)
{
    (void)body;
    refused = ksInspectorExactStep(destroyed, h);
}

START_TEST(moved_callbacks_do_not_step)
{
    Scene *scene = sceneChain(3, SCENE_FALLING);
    destroyed = inspect(scene->world);
    dBodySetMovedCallback(scene->body[0], stepAgain);
    CHECK_OK(inspectedStep(destroyed, (ksStepper)_i, h));
    CHECK_STATUS(refused, KS_ERROR_REENTRY);
    ksInspectorDestroy(destroyed);
    sceneDestroy(scene);
}
END_TEST

START_TEST(misuse_is_refused)
{
    Scene *scene = sceneChain(3, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    CHECK_STATUS(ksInspectorExactStep(NULL, h), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorExactStep(inspector, 0), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorExactStep(inspector, NAN), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorBeginStep(inspector, KS_EXACT_STEP, h), KS_ERROR_BAD_ARGUMENT);
    ksInspectorOptions options = defaultOptions();
    ksInspector *none;
    options.contactSweeps = SIZE_MAX;
    CHECK_STATUS(ksInspectorCreate(scene->world, &options, &none), KS_ERROR_BAD_ARGUMENT);
    options = defaultOptions();
    options.exactContacts = (ksExactContacts)2;
    CHECK_STATUS(ksInspectorCreate(scene->world, &options, &none), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_STATUS(ksInspectorExactStep(inspector, h), KS_ERROR_BRACKET);
    ck_assert(dWorldStep(scene->world, h));
    CHECK_OK(ksInspectorEndStep(inspector));
    double at[3];
    memcpy(at, dBodyGetPosition(scene->body[0]), sizeof at);
    dBodySetLinearVel(scene->body[1], NAN, 0, 0);
    CHECK_STATUS(ksInspectorExactStep(inspector, h), KS_ERROR_NOT_FINITE);
    ck_assert_ptr_eq(ksInspectorGetStepReport(inspector)->culprit, scene->body[1]);
    ck_assert_mem_eq(at, dBodyGetPosition(scene->body[0]), sizeof at);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The engine would abort here. */
START_TEST(rows_that_are_no_numbers_are_refused)
{
    const double bad[] = {NAN, INFINITY};
    Scene *scene = sceneChain(3, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    dJointSetHingeParam(scene->joint[1], dParamLoStop, -0.02);
    dJointSetHingeParam(scene->joint[1], dParamHiStop, -0.01);
    for (int i = 0; i < 2; i++) {
        double at[3];
        memcpy(at, dBodyGetPosition(scene->body[0]), sizeof at);
        dJointSetHingeParam(scene->joint[1], dParamStopCFM, bad[i]);
        CHECK_STATUS(ksInspectorExactStep(inspector, h), KS_ERROR_NOT_FINITE);
        ck_assert_ptr_eq(ksInspectorGetStepReport(inspector)->culpritJoint, scene->joint[1]);
        ck_assert_ptr_null(ksInspectorGetStepReport(inspector)->culprit);
        ck_assert_mem_eq(at, dBodyGetPosition(scene->body[0]), sizeof at);
        dJointSetHingeParam(scene->joint[1], dParamStopCFM, 1e-5);
        CHECK_OK(ksInspectorExactStep(inspector, h));
        ck_assert_ptr_null(ksInspectorGetStepReport(inspector)->culpritJoint);
        ck_assert_mem_ne(at, dBodyGetPosition(scene->body[0]), sizeof at);
    }
    dWorldSetCFM(scene->world, NAN);
    CHECK_STATUS(ksInspectorExactStep(inspector, h), KS_ERROR_NOT_FINITE);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static pthread_t stepping;

static void noteThread(dBodyID body)
{
    (void)body;
    stepping = pthread_self();
}

/* The step runs on this thread; afterwards the world has its thread pool again. */
START_TEST(pools_are_put_aside)
{
    Scene *alone = sceneRagdolls(4), *pooled = sceneRagdolls(4);
    ksInspector *inspector[2] = {inspect(alone->world), inspect(pooled->world)};
    dThreadingImplementationID threading = dThreadingAllocateMultiThreadedImplementation();
    dThreadingThreadPoolID threads = dThreadingAllocateThreadPool(4, 0, dAllocateFlagBasicData, NULL);
    ck_assert(threading && threads);
    dThreadingThreadPoolServeMultiThreadedImplementation(threads, threading);
    dWorldSetStepThreadingImplementation(pooled->world, dThreadingImplementationGetFunctions(threading), threading);
    dBodySetMovedCallback(pooled->body[20], noteThread);
    for (int i = 0; i < 50; i++) {
        exactStep(alone, inspector[0]);
        exactStep(pooled, inspector[1]);
        ck_assert(pthread_equal(stepping, pthread_self()));
        ck_assert(sceneSameState(alone, pooled));
    }
    CHECK_OK(ksInspectorQuickStep(inspector[1], h));
    ck_assert(ksInspectorGetReaction(inspector[1], pooled->joint[0])->reasons & KS_REASON_THREADS);
    dThreadingImplementationShutdownProcessing(threading);
    dThreadingFreeThreadPool(threads);
    dWorldSetStepThreadingImplementation(pooled->world, NULL, NULL);
    dThreadingFreeImplementation(threading);
    for (int i = 0; i < 2; i++)
        ksInspectorDestroy(inspector[i]);
    sceneDestroy(alone);
    sceneDestroy(pooled);
}
END_TEST

/* Bodies that were created since the last exact step have no memory of it, even if a step of
 * another kind came between. */
START_TEST(memory_is_of_the_step_before)
{
    Scene *scene = sceneFallingRagdolls(1, BALLS_WITH_STOPS, &sceneSurface[SURFACE_APPROX1]);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 80; i++)
        exactStep(scene, inspector);
    for (int i = 0; i < 1000; i++) {
        dBodyID ball = addBall(scene->world, 1, 0.1, 10 + i, 1);
        dGeomSetBody(dCreateSphere(scene->space, 0.1), ball);
    }
    sceneStep(scene, dWorldQuickStep, h);
    sceneBeforeStep(scene);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    sceneAfterStep(scene);
    exactStep(scene, inspector);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->fallbackRowCount, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Refuses the nth request. */
typedef struct Refusal {
    long requests, refuse;
} Refusal;

static void *resize(void *user, void *memory, size_t size)
{
    Refusal *refusal = user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return ++refusal->requests == refusal->refuse ? NULL : realloc(memory, size);
}

/* m: if a joint of the ragdoll has no force in one step of the impact, it is farther apart later */
static const double kTorn = 0.03;

static double gapOf(dJointID joint)
{
    const dJointType type = dJointGetType(joint);
    return type == dJointTypeBall || type == dJointTypeHinge ? jointGap(joint) : 0;
}

/* Returns the number of requests. */
static long dropRefusing(long refuse)
{
    Refusal refusal = {.refuse = refuse};
    Scene *scene = sceneFallingRagdolls(1, BALLS_WITH_STOPS, &sceneSurface[SURFACE_APPROX1]);
    ksInspectorOptions options = defaultOptions();
    ksInspector *inspector;
    options.allocator = (ksAllocator){resize, &refusal};
    options.values = 0;
    if (ksInspectorCreate(scene->world, &options, &inspector))
        CHECK_OK(ksInspectorCreate(scene->world, &options, &inspector));
    for (int i = 0; i < 70; i++) {
        sceneBeforeStep(scene);
        const ksStatus status = ksInspectorExactStep(inspector, h);
        sceneAfterStep(scene);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert(status == KS_OK || status == KS_ERROR_NO_MEMORY);
        ck_assert_int_eq(report->stepped, 1);
        ck_assert(!report->fallbackRowCount || report->fallbackReasons & KS_REASON_MEMORY);
        for (int k = 0; k < scene->bodyCount; k++)
            ck_assert(isfinite(dBodyGetPosition(scene->body[k])[2]));
        // the joints hold, because no step was without forces
        for (int k = 0; k < scene->jointCount; k++)
            ck_assert_double_lt(gapOf(scene->joint[k]), kTorn);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return refusal.requests;
}

/* Memory runs out while the world is read: the step is dWorldQuickStep's. */
START_TEST(step_is_not_lost)
{
    const double size[3] = {1, 1, 1};
    int seen = 0;
    for (long refuse = 1; refuse < 60; refuse++) {
        Refusal refusal = {0};
        dWorldID world = heavyWorld();
        dBodyID box = addBox(world, 1, size, 0);
        dJointID weld = dJointCreateFixed(world, 0);
        ksInspectorOptions options = defaultOptions();
        ksInspector *inspector;
        options.allocator = (ksAllocator){resize, &refusal};
        dJointAttach(weld, box, NULL);
        dJointSetFixed(weld);
        CHECK_OK(ksInspectorCreate(world, &options, &inspector));
        for (int i = 0; i < 3; i++)
            CHECK_OK(ksInspectorExactStep(inspector, h));
        // more bodies and joints need memory
        for (int i = 0; i < 30; i++)
            dJointAttach(dJointCreateBall(world, 0), addBox(world, 1, size, 0), NULL);
        refusal.refuse = refusal.requests + refuse;
        const ksStatus status = ksInspectorExactStep(inspector, h);
        seen += status == KS_ERROR_NO_MEMORY;
        ck_assert_double_le(fabs(dBodyGetLinearVel(box)[2]), 1e-6);
        ksInspectorDestroy(inspector);
        dWorldDestroy(world);
    }
    ck_assert_int_gt(seen, 10);
}
END_TEST

START_TEST(memory_may_run_out)
{
    const long requests = dropRefusing(0);
    ck_assert_int_gt(requests, 50);
    // new blocks are requested early in a step; later requests only grow them
    for (long refuse = 1; refuse <= requests; refuse += refuse < 60 ? 1 : 7)
        dropRefusing(refuse);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("exact_step");
    tcase_add_test(test, falling_chain_is_that_of_dWorldStep);
    tcase_add_test(test, reactions_are_published_and_valid);
    tcase_add_test(test, leaves_no_traces);
    tcase_add_test(test, islands_over_budget_are_left_to_QuickStep);
    tcase_add_test(test, moved_callbacks_change_joints);
    tcase_add_test(test, moved_callbacks_destroy_bodies);
    tcase_add_loop_test(test, moved_callbacks_destroy_the_inspector, 0, KS_EXACT_STEP + 1);
    tcase_add_loop_test(test, moved_callbacks_do_not_step, 0, KS_EXACT_STEP + 1);
    tcase_add_test(test, misuse_is_refused);
    tcase_add_test(test, rows_that_are_no_numbers_are_refused);
    tcase_add_test(test, pools_are_put_aside);
    tcase_add_test(test, memory_is_of_the_step_before);
    tcase_add_test(test, step_is_not_lost);
    tcase_add_test(test, memory_may_run_out);
    return runCase("exact_step", test);
}

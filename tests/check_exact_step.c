/* check_exact_step.c  What a host can rely on in ksInspectorExactStep: the world as a step of the engine leaves it, nothing lost
 * where an island cannot be solved, and how far contacts are from solved. */
#include "support.h"

#include <stdint.h>

static const double h = 0.005;

/* m, of dWorldStep's chain of ten after 300 steps: rounding of both */
static const double kChain = 1e-11;
/* of the applied wrench: solved to rounding */
static const double kSolved = 1e-9;

static ksInspectorOptions contactsSolved(void)
{
    ksInspectorOptions options = defaultOptions();
    options.contacts = KS_CONTACTS_SOLVED;
    return options;
}

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

/* Joints are judged as after any step, and each agrees with what is found by the other route. Feedback is the host's. */
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
        ck_assert_uint_eq(report->leftRowCount, 0);
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

/* Random seed, and the joints' tables of functions (their first word). */
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
        ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->leftRowCount, 0);
        ck_assert_uint_eq(dRandGetSeed(), 42);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* What is not solved is dWorldQuickStep's, bit by bit. */
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
        ck_assert_uint_eq(report->leftReasons, KS_REASON_BUDGET);
        ck_assert_uint_eq(report->leftRowCount, report->rowCount);
        ck_assert(ksInspectorGetReaction(inspector, exact->joint[0])->reasons & KS_REASON_LEFT);
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
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->leftRowCount, 0);
    ck_assert_int_eq(dJointGetType(hook.made), dJointTypeBall);
    for (int i = 0; i < 20; i++)
        exactStep(scene, inspector);
    ck_assert_ptr_nonnull(ksInspectorGetReaction(inspector, hook.made));
    ck_assert_int_eq(ksInspectorGetReaction(inspector, hook.made)->verdict, KS_VALID);
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

/* By any stepper: it is gone when the call returns, and the host has its feedback. */
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

/* The world's pool is there again, and the step is that without one. */
START_TEST(pools_are_put_aside)
{
    Scene *alone = sceneRagdolls(4), *pooled = sceneRagdolls(4);
    ksInspector *inspector[2] = {inspect(alone->world), inspect(pooled->world)};
    dThreadingImplementationID threading = dThreadingAllocateMultiThreadedImplementation();
    dThreadingThreadPoolID threads = dThreadingAllocateThreadPool(4, 0, dAllocateFlagBasicData, NULL);
    ck_assert(threading && threads);
    dThreadingThreadPoolServeMultiThreadedImplementation(threads, threading);
    dWorldSetStepThreadingImplementation(pooled->world, dThreadingImplementationGetFunctions(threading), threading);
    for (int i = 0; i < 50; i++) {
        exactStep(alone, inspector[0]);
        exactStep(pooled, inspector[1]);
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

/* --- Contacts --- */

/* Sum of ksRow::unsolved of contacts, and the largest of joints, over the largest force around, over a fall onto the ground. */
typedef struct Unsolved {
    double contacts, joints;
    long steps;
} Unsolved;

/* At most mu times the normal force of the same step. */
static void expectFriction(const ksReaction *reaction, double load)
{
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        if (row->findex >= 0)
            ck_assert_double_le(fabs(row->engine), row->hi * reaction->row[row->findex].engine + kSolved * load);
    }
}

static Unsolved dropRagdoll(const ksInspectorOptions *options)
{
    Scene *scene = sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    ksInspector *inspector = inspectWith(scene->world, options);
    Unsolved unsolved = {0};
    for (int i = 0; i < 200; i++) {
        exactStep(scene, inspector);
        size_t count;
        double contacts = 0, joints = 0, load = 0;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->leftRowCount, 0);
        for (size_t k = 0; k < count; k++) {
            const bool isContact = reaction[k].type == dJointTypeContact;
            double *most = isContact ? &contacts : &joints;
            // a known load, as after any step
            if (isContact && options->contacts == KS_CONTACTS_REPORTED && !isnan(reaction[k].row[0].gauss))
                ck_assert(reaction[k].row[0].gauss == reaction[k].row[0].engine);
            load = fmax(load, length3(reaction[k].engine[0].force));
            for (int l = 0; l < reaction[k].rowCount; l++)
                *most = fmax(*most, reaction[k].row[l].unsolved);
        }
        for (size_t k = 0; k < count; k++)
            expectFriction(&reaction[k], load);
        if (!scene->contactCount)
            continue;
        unsolved.steps++;
        unsolved.contacts += contacts / load;
        unsolved.joints = fmax(unsolved.joints, joints / load);
    }
    ck_assert_int_gt(unsolved.steps, 100);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return unsolved;
}

/* Given the contacts, joints are exact; more sweeps bring the contacts nearer, and rounds nearer still. */
START_TEST(more_work_comes_nearer)
{
    static const size_t sweeps[] = {5, 20, 80, 320};
    double before = INFINITY;
    for (int i = 0; i < 4; i++) {
        ksInspectorOptions options = defaultOptions();
        options.contactSweeps = sweeps[i];
        const Unsolved unsolved = dropRagdoll(&options);
        ck_assert_double_le(unsolved.joints, kSolved);
        ck_assert_double_lt(unsolved.contacts, before);
        before = unsolved.contacts;
    }
}
END_TEST

START_TEST(more_rounds_come_nearer)
{
    double before = INFINITY;
    for (size_t rounds = 1; rounds <= 4; rounds *= 2) {
        ksInspectorOptions options = contactsSolved();
        options.contactSweeps = 10;
        options.frictionRounds = rounds;
        const Unsolved unsolved = dropRagdoll(&options);
        ck_assert_double_le(unsolved.joints, kSolved);
        ck_assert_double_lt(unsolved.contacts, before);
        before = unsolved.contacts;
    }
}
END_TEST

/* A box that lies on the ground has all of its weight on its contacts from the first sweep on: they go on where they were. */
START_TEST(contacts_go_on)
{
    static const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    Scene *scene = sceneWalker(&(const Walker){.legs = 4, .stepSize = h}, surface);
    ksInspectorOptions options = defaultOptions();
    options.contactSweeps = 100;
    options.values = 0;
    ksInspector *inspector = inspectWith(scene->world, &options);
    for (int i = 0; i < 100; i++)
        exactStep(scene, inspector);
    const double settled = ksInspectorGetStepReport(inspector)->worstUnsolved;
    ksInspectorDestroy(inspector);
    // one that remembers nothing
    inspector = inspectWith(scene->world, &options);
    exactStep(scene, inspector);
    const double fresh = ksInspectorGetStepReport(inspector)->worstUnsolved;
    ck_assert_msg(settled < 0.1 * fresh, "%g N, without memory %g N", settled, fresh);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Bodies that have come since the last exact step have no memory, also where a step of another kind was between. */
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
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->leftRowCount, 0);
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

/* Returns the number of requests. */
static long dropRefusing(long refuse)
{
    Refusal refusal = {.refuse = refuse};
    Scene *scene = sceneFallingRagdolls(1, BALLS_WITH_STOPS, &sceneSurface[SURFACE_APPROX1]);
    ksInspectorOptions options = contactsSolved();
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
        ck_assert(!report->leftRowCount || report->leftReasons & KS_REASON_MEMORY);
        for (int k = 0; k < scene->bodyCount; k++)
            ck_assert(isfinite(dBodyGetPosition(scene->body[k])[2]));
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return refusal.requests;
}

START_TEST(memory_may_run_out)
{
    const long requests = dropRefusing(0);
    ck_assert_int_gt(requests, 50);
    // what is made anew in a step comes early; later ones only grow
    for (long refuse = 1; refuse <= requests; refuse += refuse < 60 ? 1 : 7)
        dropRefusing(refuse);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("exact_step");
    TCase *test = tcase_create("exact_step");
    tcase_set_timeout(test, 60);
    tcase_add_test(test, falling_chain_is_that_of_dWorldStep);
    tcase_add_test(test, reactions_are_published_and_valid);
    tcase_add_test(test, leaves_no_traces);
    tcase_add_test(test, islands_over_budget_are_left_to_QuickStep);
    tcase_add_test(test, moved_callbacks_change_joints);
    tcase_add_loop_test(test, moved_callbacks_destroy_the_inspector, 0, KS_EXACT_STEP + 1);
    tcase_add_loop_test(test, moved_callbacks_do_not_step, 0, KS_EXACT_STEP + 1);
    tcase_add_test(test, misuse_is_refused);
    tcase_add_test(test, pools_are_put_aside);
    tcase_add_test(test, more_work_comes_nearer);
    tcase_add_test(test, more_rounds_come_nearer);
    tcase_add_test(test, contacts_go_on);
    tcase_add_test(test, memory_is_of_the_step_before);
    tcase_add_test(test, memory_may_run_out);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

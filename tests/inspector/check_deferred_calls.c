/* check_deferred_calls.c  Deferred inspection: the time of callbacks, objects that no longer exist
 * by then, and the end of subscriptions. */
#include "tests/kits/deferred_kit.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static const double h = 0.005;

/* The calls, in order. */
enum { MOST_CALLS = 4096 };
typedef struct Call {
    char kind; /* reaction, contact, alert, touch, step: r, c, a, t, s */
    dJointID joint;
    unsigned long step;
    ksVerdict verdict;
    ksReasons reasons;
} Call;

typedef struct Log {
    ksInspector *inspector;
    size_t count;
    Call call[MOST_CALLS];
} Log;

static void note(Log *log, char kind, const ksReaction *reaction)
{
    ck_assert_uint_lt(log->count, MOST_CALLS);
    log->call[log->count++] = (Call){kind, reaction->joint, reaction->step, reaction->verdict, reaction->reasons};
}

static void onReaction(const ksReaction *reaction, void *user)
{
    note(user, 'r', reaction);
}

static void onContact(const ksReaction *reaction, void *user)
{
    note(user, 'c', reaction);
}

static void onAlert(const ksReaction *reaction, void *user)
{
    note(user, 'a', reaction);
}

static void onStep(const ksStepReport *report, void *user)
{
    note(user, 's', &(ksReaction){.step = report->step});
}

static void onThreshold(const ksThresholdEvent *event, void *user)
{
    note(user, 't', event->reaction);
}

static void subscribe(ksInspector *inspector, Scene *scene, Log *log)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = 5;
    log->inspector = inspector;
    log->count = 0;
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[1], onReaction, log));
    CHECK_OK(ksInspectorOnReaction(inspector, NULL, onReaction, log));
    CHECK_OK(ksInspectorOnContact(inspector, scene->body[0], NULL, onContact, log));
    CHECK_OK(ksInspectorOnAlert(inspector, onAlert, log));
    CHECK_OK(ksInspectorOnThreshold(inspector, scene->joint[2], &limits, onThreshold, log));
    CHECK_OK(ksInspectorOnStep(inspector, onStep, log));
}

static ksInspector *makeLater(Scene *scene, Executor *executor, Timing timing)
{
    ksInspectorOptions options = defaultOptions();
    *executor = (Executor){.timing = timing, .random = 7};
    return inspectLater(scene->world, &options, executor);
}

static void stepInspected(ksInspector *inspector)
{
    CHECK_OK(ksInspectorQuickStep(inspector, h));
}

/* The same calls in the same order; none during the step itself, all of them at the start of the
 * next one, or by a flush. */
START_TEST(order)
{
    static Log now, later;
    Executor executor;
    Scene *scene = sceneChain(12, SCENE_FALLING);
    ksInspector *first = inspect(scene->world), *second = makeLater(scene, &executor, (Timing)_i);
    subscribe(first, scene, &now);
    subscribe(second, scene, &later);
    for (int i = 0; i < 60; i++) {
        CHECK_OK(ksInspectorBeginStep(first, KS_QUICK_STEP, h));
        CHECK_OK(ksInspectorBeginStep(second, KS_QUICK_STEP, h));
        ck_assert_uint_eq(later.count, now.count);
        ck_assert(dWorldQuickStep(scene->world, h));
        CHECK_OK(ksInspectorEndStep(second));
        ck_assert_uint_eq(later.count, now.count);
        CHECK_OK(ksInspectorEndStep(first));
        ck_assert_uint_gt(now.count, later.count);
        if (i % 2 == 0) {
            CHECK_OK(ksInspectorFlush(second));
            ck_assert_uint_eq(later.count, now.count);
            CHECK_OK(ksInspectorFlush(second));
        }
    }
    CHECK_OK(ksInspectorFlush(second));
    CHECK_OK(ksInspectorFlush(first));
    ck_assert_uint_eq(later.count, now.count);
    bool isOver = false;
    for (size_t i = 0; i < now.count; i++) {
        SAME(&now.call[i], &later.call[i], kind);
        SAME(&now.call[i], &later.call[i], joint);
        SAME(&now.call[i], &later.call[i], step);
        SAME(&now.call[i], &later.call[i], verdict);
        SAME(&now.call[i], &later.call[i], reasons);
        isOver |= now.call[i].kind == 't';
    }
    ck_assert(isOver);
    ksInspectorDestroy(first);
    ksInspectorDestroy(second);
    sceneDestroy(scene);
}
END_TEST

static size_t countCalls(const Log *log, char kind, dJointID joint, unsigned reason)
{
    size_t count = 0;
    for (size_t i = 0; i < log->count; i++)
        count += log->call[i].kind == kind && log->call[i].joint == joint &&
                 (log->call[i].reasons & KS_REASON_JOINT_GONE) == reason;
    return count;
}

/* An object that is gone at the time of the callbacks gets only its last one; others get all of
 * theirs. */
START_TEST(gone)
{
    static Log log;
    Executor executor;
    Scene *scene = sceneChain(6, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, (Timing)_i);
    subscribe(inspector, scene, &log);
    stepInspected(inspector);
    const dJointID dead = scene->joint[1], alive = scene->joint[3];
    dJointDestroy(dead);
    dBodyDestroy(scene->body[5]);
    CHECK_OK(ksInspectorFlush(inspector));
    ck_assert_uint_eq(countCalls(&log, 'r', dead, 0), 0);
    ck_assert_uint_eq(countCalls(&log, 'r', dead, KS_REASON_JOINT_GONE), 1);
    ck_assert_uint_eq(countCalls(&log, 'r', alive, 0), 1);
    // its reaction exists all the same
    const ksReaction *reaction = ksInspectorGetReaction(inspector, dead);
    ck_assert_ptr_nonnull(reaction);
    ck_assert_ptr_eq(reaction->joint, dead);
    stepInspected(inspector);
    CHECK_OK(ksInspectorFlush(inspector));
    ck_assert_uint_eq(countCalls(&log, 'r', dead, KS_REASON_JOINT_GONE), 1);
    ck_assert_uint_eq(countCalls(&log, 'r', alive, 0), 2);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The allocator may give the old joint's address to the new one, between the same bodies: it is
 * another joint. */
START_TEST(remade)
{
    static Log log;
    Executor executor;
    Scene *scene = sceneChain(6, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, (Timing)_i);
    const dJointID dead = scene->joint[1];
    const dBodyID body[2] = {dJointGetBody(dead, 0), dJointGetBody(dead, 1)};
    subscribe(inspector, scene, &log);
    stepInspected(inspector);
    dJointDestroy(dead);
    scene->joint[1] = dJointCreateHinge(scene->world, NULL);
    dJointAttach(scene->joint[1], body[0], body[1]);
    CHECK_OK(ksInspectorFlush(inspector));
    ck_assert_uint_eq(countCalls(&log, 'r', dead, 0), 0);
    ck_assert_uint_eq(countCalls(&log, 'r', dead, KS_REASON_JOINT_GONE), 1);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A joint that was attached to other bodies before the step ended is another joint, even after it
 * was attached back. */
START_TEST(attached_elsewhere)
{
    static Log log;
    Executor executor;
    Scene *scene = sceneChain(6, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, (Timing)_i);
    const dJointID joint = scene->joint[1];
    subscribe(inspector, scene, &log);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
    ck_assert(dWorldQuickStep(scene->world, h));
    const dBodyID body[2] = {dJointGetBody(joint, 0), dJointGetBody(joint, 1)};
    dJointAttach(joint, body[0], scene->body[4]);
    CHECK_OK(ksInspectorEndStep(inspector));
    dJointAttach(joint, body[0], body[1]);
    CHECK_OK(ksInspectorFlush(inspector));
    ck_assert_uint_eq(countCalls(&log, 'r', joint, 0), 0);
    ck_assert_uint_eq(countCalls(&log, 'r', joint, KS_REASON_JOINT_GONE), 1);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Steps without inspection remove the marks, but no joint counts as gone. */
START_TEST(steps_in_between)
{
    static Log log;
    Executor executor;
    Scene *scene = sceneChain(6, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, ON_ITS_THREAD);
    subscribe(inspector, scene, &log);
    for (int i = 0; i < 5; i++) {
        stepInspected(inspector);
        ck_assert(dWorldStep(scene->world, h));
        ck_assert(dWorldStep(scene->world, h));
    }
    CHECK_OK(ksInspectorFlush(inspector));
    ck_assert_uint_eq(countCalls(&log, 'r', scene->joint[1], 0), 10);
    ck_assert_uint_eq(countCalls(&log, 'r', scene->joint[0], 0), 5);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A subscription gets no call of a step that ended before the subscription was made, and none after
 * its own end. */
START_TEST(subscriptions)
{
    static Log log;
    Executor executor;
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, (Timing)_i);
    stepInspected(inspector);
    subscribe(inspector, scene, &log);
    CHECK_OK(ksInspectorFlush(inspector));
    ck_assert_uint_eq(log.count, 0);
    stepInspected(inspector);
    CHECK_OK(ksInspectorOff(inspector, &log));
    CHECK_OK(ksInspectorFlush(inspector));
    ck_assert_uint_eq(log.count, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static void onEngineStep(const ksEngineStep *step, void *user)
{
    Log *log = user;
    // the engine's report goes through the inspector's feedback
    ck_assert_ptr_null(ksInspectorGetReactions(log->inspector, NULL));
    ck_assert_int_eq(step->stepper, KS_QUICK_STEP);
    ck_assert_double_eq(step->stepSize, h);
    note(log, step->isDone ? 'd' : 'e', &(ksReaction){.step = step->step});
}

/* A callback around the engine's own step is called when the step is made, with its number. */
START_TEST(engine_steps)
{
    static Log log;
    Executor executor;
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, (Timing)_i);
    log = (Log){.inspector = inspector};
    stepInspected(inspector);
    CHECK_OK(ksInspectorOnEngineStep(inspector, onEngineStep, &log));
    for (size_t i = 0; i < 5; i++) {
        CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
        ck_assert_uint_eq(log.count, 2 * i + 1);
        ck_assert_int_eq(log.call[2 * i].kind, 'e');
        ck_assert_uint_eq(log.call[2 * i].step, i + 1);
        ck_assert(dWorldQuickStep(scene->world, h));
        CHECK_OK(ksInspectorEndStep(inspector));
        ck_assert_int_eq(log.call[2 * i + 1].kind, 'd');
        ck_assert_uint_eq(log.call[2 * i + 1].step, i + 1);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static void flushAgain(const ksStepReport *report, void *user)
{
    ksInspector *inspector = user;
    (void)report;
    CHECK_STATUS(ksInspectorFlush(inspector), KS_ERROR_REENTRY);
    CHECK_STATUS(ksInspectorQuickStep(inspector, h), KS_ERROR_REENTRY);
}

START_TEST(reentry)
{
    Executor executor;
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, (Timing)_i);
    CHECK_STATUS(ksInspectorFlush(NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorFlush(inspector));
    CHECK_OK(ksInspectorOnStep(inspector, flushAgain, inspector));
    stepInspected(inspector);
    stepInspected(inspector);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_STATUS(ksInspectorFlush(inspector), KS_ERROR_BRACKET);
    ck_assert_ptr_null(ksInspectorGetReactions(inspector, NULL));
    ck_assert_ptr_null(ksInspectorGetStepReport(inspector));
    ck_assert(dWorldStep(scene->world, h));
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->step, 2);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static void destroyAll(const ksReaction *reaction, void *user)
{
    Scene **scene = user;
    ksInspector *inspector = *(ksInspector **)(scene + 1);
    (void)reaction;
    ksInspectorDestroy(inspector);
    sceneDestroy(*scene);
    *scene = NULL;
}

/* A callback destroys the inspector and its world: the step that was about to begin is not made. */
START_TEST(destroyed_by_a_callback)
{
    struct {
        Scene *scene;
        ksInspector *inspector;
    } both;
    Executor executor;
    both.scene = sceneChain(4, SCENE_FALLING);
    both.inspector = makeLater(both.scene, &executor, (Timing)(_i / 2));
    CHECK_OK(ksInspectorOnReaction(both.inspector, both.scene->joint[1], destroyAll, &both));
    stepInspected(both.inspector);
    if (_i % 2)
        CHECK_OK(ksInspectorFlush(both.inspector));
    else
        CHECK_STATUS(ksInspectorQuickStep(both.inspector, h), KS_ERROR_ENDED);
    ck_assert_ptr_null(both.scene);
}
END_TEST

/* At any moment: before the first step, while a step is inspected, in a bracket, after the
 * world. */
START_TEST(destroyed)
{
    static Log log;
    Executor executor;
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, (Timing)(_i / 4));
    dJointFeedback feedback;
    dJointSetFeedback(scene->joint[0], &feedback);
    subscribe(inspector, scene, &log);
    for (int i = 0; i < _i % 4; i++)
        stepInspected(inspector);
    if (_i % 2) {
        CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
        ck_assert_ptr_ne(dJointGetFeedback(scene->joint[0]), &feedback);
        ksInspectorDestroy(inspector);
        ck_assert_ptr_eq(dJointGetFeedback(scene->joint[0]), &feedback);
        ck_assert_ptr_null(dJointGetFeedback(scene->joint[1]));
        ck_assert(dWorldQuickStep(scene->world, h));
        sceneDestroy(scene);
        return;
    }
    sceneDestroy(scene);
    ksInspectorDestroy(inspector);
}
END_TEST

/* --- fork() --- */

static bool childIsFine(pid_t child)
{
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The child steps on after the step, without a worker. */
START_TEST(forked_between)
{
    Executor executor;
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, ON_ITS_THREAD);
    stepInspected(inspector);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->step, 0);
    const pid_t child = fork();
    if (child == 0) {
        bool fine = true;
        for (int i = 1; i < 5; i++) {
            fine &= ksInspectorQuickStep(inspector, h) == KS_OK;
            fine &= ksInspectorGetStepReport(inspector)->step == (unsigned long)i;
        }
        ksInspectorDestroy(inspector);
        _exit(!fine);
    }
    ck_assert(childIsFine(child));
    stepInspected(inspector);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->step, 1);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Holds a job back until it is released. */
typedef struct Gate {
    Executor executor;
    atomic_bool isOpen;
} Gate;

static void *passGate(void *of)
{
    Gate *gate = of;
    while (!atomic_load(&gate->isOpen))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    gate->executor.fn(gate->executor.job);
    return NULL;
}

static void postAtGate(ksJobFn *fn, void *job, void *user)
{
    Gate *gate = user;
    gate->executor.fn = fn;
    gate->executor.job = job;
    ck_assert(!pthread_create(&gate->executor.thread, NULL, passGate, gate));
}

static void awaitGate(void *job, void *user)
{
    Gate *gate = user;
    (void)job;
    ck_assert(!pthread_join(gate->executor.thread, NULL));
}

/* Within an inspection: the child's inspector refuses all calls. */
START_TEST(forked_within)
{
    Gate gate = {.isOpen = false};
    const ksExecutor callbacks = {postAtGate, awaitGate, &gate};
    ksInspectorOptions options = defaultOptions();
    Scene *scene = sceneChain(4, SCENE_FALLING);
    options.latency = KS_NEXT_STEP;
    options.executor = &callbacks;
    ksInspector *inspector = inspectWith(scene->world, &options);
    stepInspected(inspector);
    const pid_t child = fork();
    if (child == 0) {
        bool fine = !ksInspectorGetReactions(inspector, NULL) && !ksInspectorGetStepReport(inspector);
        fine &= ksInspectorFlush(inspector) == KS_ERROR_UNAVAILABLE;
        fine &= ksInspectorQuickStep(inspector, h) == KS_ERROR_UNAVAILABLE;
        const ksWrenchTerm term = {.joint = scene->joint[0]};
        ksWrenchSum sum;
        fine &= ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum) == KS_ERROR_UNAVAILABLE;
        ksInspectorDestroy(inspector);
        _exit(!fine);
    }
    ck_assert(childIsFine(child));
    atomic_store(&gate.isOpen, true);
    ck_assert_ptr_nonnull(ksInspectorGetReactions(inspector, NULL));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* --- Options, reports --- */

START_TEST(options_are_checked)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    ksInspector *inspector = NULL;
    ck_assert_int_eq(options.latency, KS_SAME_STEP);
    ck_assert_ptr_null(options.executor);
    options.latency = (ksLatency)(KS_NEXT_STEP + 1);
    CHECK_STATUS(ksInspectorCreate(scene->world, &options, &inspector), KS_ERROR_BAD_ARGUMENT);
    options.latency = KS_NEXT_STEP;
    options.executor = &(ksExecutor){.post = postJob};
    CHECK_STATUS(ksInspectorCreate(scene->world, &options, &inspector), KS_ERROR_BAD_ARGUMENT);
    options.executor = &(ksExecutor){.wait = awaitJob};
    CHECK_STATUS(ksInspectorCreate(scene->world, &options, &inspector), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(inspector);
    sceneDestroy(scene);
}
END_TEST

/* post and wait take turns. */
START_TEST(executors)
{
    Executor executor;
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspector *inspector = makeLater(scene, &executor, (Timing)_i);
    for (int i = 0; i < 10; i++) {
        stepInspected(inspector);
        ck_assert_int_eq(executor.posts, i + 1);
        ck_assert_int_eq(executor.waits, i);
    }
    ksInspectorDestroy(inspector);
    ck_assert_int_eq(executor.waits, 10);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("deferred_calls");
    TCase *calls = tcase_create("calls");
    tcase_add_loop_test(calls, order, 0, TIMINGS);
    tcase_add_loop_test(calls, gone, 0, TIMINGS);
    tcase_add_loop_test(calls, remade, 0, TIMINGS);
    tcase_add_loop_test(calls, attached_elsewhere, 0, TIMINGS);
    tcase_add_test(calls, steps_in_between);
    tcase_add_loop_test(calls, subscriptions, 0, TIMINGS);
    tcase_add_loop_test(calls, engine_steps, 0, TIMINGS);
    tcase_add_loop_test(calls, reentry, 0, TIMINGS);
    tcase_add_loop_test(calls, destroyed_by_a_callback, 0, 2 * TIMINGS);
    tcase_add_loop_test(calls, destroyed, 0, 4 * TIMINGS);
    tcase_add_test(calls, options_are_checked);
    tcase_add_loop_test(calls, executors, WHEN_POSTED, TIMINGS);
    suite_add_tcase(suite, calls);
    TCase *forks = tcase_create("forks");
    tcase_set_tags(forks, "fork");
    tcase_add_test(forks, forked_between);
    tcase_add_test(forks, forked_within);
    suite_add_tcase(suite, forks);
    return runSuite(suite);
}

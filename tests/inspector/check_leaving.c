/* check_leaving.c  Functions of the host that do not return: they jump out of a callback, or unwind
 * the stack as an exception does. The inspector abandons the step, and stays usable. */
#include "tests/kits/support.h"

#include <pthread.h>
#include <setjmp.h>

/* The engine's memory of an abandoned step belongs to the engine, and leaks. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:PreallocateJobInfos\n";
}

static const double h = 0.001;

/* The function that does not return. */
typedef enum From { FROM_REACTION, FROM_REPORT, FROM_BEFORE, FROM_AFTER, FROM_ENGINE, PLACES } From;
typedef enum How { BY_JUMP, BY_UNWINDING, WAYS } How;
typedef enum Kind { WORLD, QUICK, EXACT, LATER, KINDS } Kind; /* LATER: KS_NEXT_STEP */

typedef struct Host {
    ksInspector *inspector;
    Scene *scene;
    Kind kind;
    From from;
    How how;
    bool isLeaving, destroys;
    int calls;
    jmp_buf back;
} Host;

static Host host;

static void leave(From from)
{
    host.calls++;
    if (!host.isLeaving || host.from != from)
        return;
    // within the call, the inspector knows that the step still runs
    CHECK_STATUS(ksInspectorStep(host.inspector, h), KS_ERROR_REENTRY);
    if (host.destroys)
        ksInspectorDestroy(host.inspector);
    if (host.how == BY_JUMP)
        longjmp(host.back, 1);
    pthread_exit(NULL);
}

static void onReaction(const ksReaction *reaction, void *user)
{
    (void)reaction, (void)user;
    leave(FROM_REACTION);
}

static void onReport(const ksStepReport *report, void *user)
{
    (void)report, (void)user;
    leave(FROM_REPORT);
}

static void onEngineStep(const ksEngineStep *step, void *user)
{
    (void)user;
    leave(step->isDone ? FROM_AFTER : FROM_BEFORE);
}

static void onMoved(dBodyID body)
{
    (void)body;
    leave(FROM_ENGINE);
}

static ksStatus step(void)
{
    return host.kind == WORLD   ? ksInspectorStep(host.inspector, h)
           : host.kind == EXACT ? ksInspectorExactStep(host.inspector, h)
                                : ksInspectorQuickStep(host.inspector, h);
}

/* A step later, the callbacks of KS_NEXT_STEP come. */
static void *stepTwice(void *unused)
{
    for (int i = 0; i < 2; i++)
        CHECK_OK(step());
    return unused;
}

static void stepUntilItLeaves(void)
{
    host.isLeaving = true;
    if (host.how == BY_JUMP) {
        if (!setjmp(host.back)) {
            stepTwice(NULL);
            ck_abort_msg("it has not left");
        }
    } else {
        pthread_t thread;
        dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
        ck_assert_int_eq(pthread_create(&thread, NULL, stepTwice, NULL), 0);
        pthread_join(thread, NULL);
    }
    host.isLeaving = false;
}

static dJointFeedback own;

static void setUpHost(int number)
{
    ksInspectorOptions options = defaultOptions();
    host = (Host){.from = (From)(number % PLACES),
                  .how = (How)(number / PLACES % WAYS),
                  .kind = (Kind)(number / PLACES / WAYS),
                  .scene = sceneChain(3, SCENE_FALLING)};
    options.latency = host.kind == LATER ? KS_NEXT_STEP : KS_SAME_STEP;
    host.inspector = inspectWith(host.scene->world, &options);
    dJointSetFeedback(host.scene->joint[1], &own);
    dBodySetMovedCallback(host.scene->body[1], onMoved);
    CHECK_OK(ksInspectorOnReaction(host.inspector, host.scene->joint[0], onReaction, NULL));
    CHECK_OK(ksInspectorOnStep(host.inspector, onReport, NULL));
    CHECK_OK(ksInspectorOnEngineStep(host.inspector, onEngineStep, NULL));
}

START_TEST(goes_on)
{
    setUpHost(_i);
    CHECK_OK(step());
    stepUntilItLeaves();
    const int before = host.calls;
    for (int i = 0; i < 3; i++) {
        CHECK_OK(step());
        CHECK_OK(ksInspectorFlush(host.inspector));
    }
    ck_assert_int_eq(host.calls - before, 15);
    ck_assert_uint_eq(ksInspectorGetStepReport(host.inspector)->verdictCount[KS_VALID], 3);
    ck_assert_ptr_eq(dJointGetFeedback(host.scene->joint[1]), &own);
    ck_assert_ptr_null(dJointGetFeedback(host.scene->joint[0]));
    ksInspectorDestroy(host.inspector);
    sceneDestroy(host.scene);
}
END_TEST

/* The inspector is freed, which a sanitizer or valgrind checks; without unwinding, it cannot know
 * in time that the step was left. */
START_TEST(destroyed_on_the_way)
{
    setUpHost(_i);
    host.destroys = true;
    CHECK_OK(step());
    stepUntilItLeaves();
    ck_assert_ptr_null(dJointGetFeedback(host.scene->joint[0]));
    sceneDestroy(host.scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("leaving");
    tcase_add_loop_test(test, goes_on, 0, PLACES * WAYS * KINDS);
    for (int i = 0; i < PLACES * WAYS * KINDS; i++)
        if (i / PLACES % WAYS == BY_UNWINDING && i % PLACES != FROM_ENGINE)
            tcase_add_loop_test(test, destroyed_on_the_way, i, i + 1);
    return runCase("leaving", test);
}

/* check_allocation.c  No allocation in the steady state, and the library survives every failed
 * allocation. */
#include "base/sanitizer.h"
#include "tests/kits/memory_kit.h"
#include "tests/kits/support.h"

static const double h = 0.001;

enum { STEPPERS = KS_FOREIGN_STEP + 1 };

static ksStatus createFor(unsigned values, dWorldID world, Counter *counter, ksInspector **inspector)
{
    ksInspectorOptions options = defaultOptions();
    options.values = values;
    options.allocator = (ksAllocator){countingResize, counter};
    return ksInspectorCreate(world, &options, inspector);
}

static ksStatus create(dWorldID world, Counter *counter, ksInspector **inspector)
{
    return createFor(KS_COMPUTE_CONVERGED | KS_COMPUTE_PHYSICAL, world, counter, inspector);
}

static long engineRequests;

static void *engineAlloc(dsizeint size)
{
    engineRequests++;
    return malloc(size);
}

static void *engineRealloc(void *memory, dsizeint old, dsizeint size)
{
    (void)old;
    engineRequests++;
    return realloc(memory, size);
}

static void engineFree(void *memory, dsizeint size)
{
    (void)size;
    free(memory);
}

static Scene *sceneOf(int which)
{
    switch (which) {
    case 0:
        return sceneChain(10, SCENE_FALLING);
    case 1:
        return sceneFourbar(&sceneLinkage);
    default:
        return sceneHeldTwice(SCENE_TWIN_FIXED, sceneLinkage.axes);
    }
}

/* All rows of joints that are duplicated are undetermined, wherever memory ran out. */
static void expectNoneDeterminate(const ksInspector *inspector)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++) {
        for (int l = 0; l < reaction[i].rowCount; l++)
            ck_assert_int_eq(reaction[i].row[l].determinate, 0);
    }
}

static void countCalls(const ksReaction *reaction, void *user)
{
    (void)reaction;
    ++*(long *)user;
}

START_TEST(steady_state_allocates_nothing)
{
    const ksStepper stepper = (ksStepper)(_i % STEPPERS);
    Scene *scene = sceneOf(_i / STEPPERS);
    Counter counter = {0};
    ksInspector *inspector;
    long calls = 0;
    CHECK_OK(create(scene->world, &counter, &inspector));
    CHECK_OK(ksInspectorOnReaction(inspector, NULL, countCalls, &calls));
    for (int i = 0; i < 10; i++)
        CHECK_OK(inspectedStep(inspector, stepper, h));
    long requests = counter.requests, engine = engineRequests;
    ck_assert_int_gt(requests, 0);
    ck_assert_int_gt(engine, 0);
    for (int i = 0; i < 200; i++)
        CHECK_OK(inspectedStep(inspector, stepper, h));
    ck_assert_int_eq(counter.requests, requests);
    ck_assert_int_eq(engineRequests, engine);
    ck_assert_int_eq(calls, 210 * scene->jointCount);
    ksInspectorDestroy(inspector);
    ck_assert_int_eq(counter.held, 0);
    sceneDestroy(scene);
}
END_TEST

#if defined __GLIBC__ && !defined KSI_SANITIZED
static long systemRequests;
static bool isCounting;

/* Replaces the C library's malloc, also within the C library. */
void *__libc_malloc(size_t size);
__attribute__((visibility("default"))) void *malloc(size_t size)
{
    systemRequests += isCounting;
    return __libc_malloc(size);
}

/* Functions of the C library may allocate, too, without the host's allocator. */
START_TEST(nothing_is_asked_past_the_host)
{
    enum { BOXES = 30, FALL = 100, FEWEST = 40 };
    Scene *scene = scenePile(BOXES);
    Counter counter = {0};
    ksInspector *inspector;
    CHECK_OK(create(scene->world, &counter, &inspector));
    for (int i = 0; i < 2 * FALL; i++) {
        sceneBeforeStep(scene);
        isCounting = i > FALL;
        const ksStatus begun = ksInspectorBeginStep(inspector, KS_QUICK_STEP, 0.01);
        isCounting = false;
        dWorldQuickStep(scene->world, 0.01);
        isCounting = i > FALL;
        const ksStatus ended = ksInspectorEndStep(inspector);
        isCounting = false;
        CHECK_OK(begun);
        CHECK_OK(ended);
        sceneAfterStep(scene);
    }
    ck_assert_int_gt(scene->contactCount, FEWEST);
    ck_assert_int_eq(systemRequests, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST
#endif

enum { shortRun = 4 };

/* Inspects a short run and returns the number of requests; *lost counts the steps and joints lost
 * to failures. */
static long runRefusing(int which, ksStepper stepper, long refuse, const Scene *reference, int *lost)
{
    Scene *scene = sceneOf(which);
    Counter counter = {.refuse = refuse};
    // physical values may request refused memory once more
    const unsigned values = which == 3 ? KS_COMPUTE_CONVERGED : KS_COMPUTE_CONVERGED | KS_COMPUTE_PHYSICAL;
    ksInspector *inspector = NULL;
    long calls = 0;
    dRandSetSeed(7);
    ksStatus status = createFor(values, scene->world, &counter, &inspector);
    if (status) {
        CHECK_STATUS(status, KS_ERROR_NO_MEMORY);
        ck_assert_ptr_null(inspector);
        ++*lost;
        CHECK_OK(createFor(values, scene->world, &counter, &inspector));
    }
    status = ksInspectorOnReaction(inspector, scene->joint[0], countCalls, &calls);
    if (status) {
        CHECK_STATUS(status, KS_ERROR_NO_MEMORY);
        ++*lost;
        CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[0], countCalls, &calls));
    }
    for (int i = 0; i < shortRun; i++) {
        status = inspectedStep(inspector, stepper, h);
        if (status) {
            CHECK_STATUS(status, KS_ERROR_NO_MEMORY);
            ++*lost;
        }
        if (which >= 2)
            expectNoneDeterminate(inspector);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        *lost += (report->fallbackReasons & KS_REASON_MEMORY) != 0;
        // a query gets more memory, or is refused if nothing is known
        const ksBodyProbe probe = {.body = scene->body[0], .couple = 1, .axis = {1, 0, 0}};
        double mobility;
        ksStatus asked = ksInspectorGetMobility(inspector, &probe, &probe, &mobility);
        *lost += asked == KS_ERROR_NO_MEMORY;
        ksImpact impact;
        const ksStatus struck = ksInspectorSolveImpulse(inspector, &(ksBlow){.at = probe, .impulse = 1}, 1, &impact);
        *lost += struck == KS_ERROR_NO_MEMORY;
        ck_assert_msg(status || !struck || struck == KS_ERROR_NO_MEMORY || struck == KS_ERROR_UNAVAILABLE, "%s",
                      ksStatusName(struck));
        ck_assert_msg(status || !asked || asked == KS_ERROR_NO_MEMORY, "%s", ksStatusName(asked));
        ck_assert_int_eq(report->stepped, 1);
        ck_assert_int_eq(report->inspected, status == KS_OK);
        // an unchecked joint is never called checked
        ck_assert(status == KS_OK || report->verdictCount[KS_VALID] + report->verdictCount[KS_INDETERMINATE] == 0);
    }
    // the last step is complete again, and the host's world has stepped on
    ck_assert_int_eq(ksInspectorGetStepReport(inspector)->inspected, 1);
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->verdictCount[KS_UNCHECKED], 0);
    if (reference)
        ck_assert(sceneSameState(scene, reference));
    for (int i = 0; i < scene->jointCount; i++)
        ck_assert_ptr_null(dJointGetFeedback(scene->joint[i]));
    ksInspectorDestroy(inspector);
    ck_assert_int_eq(counter.held, 0);
    sceneDestroy(scene);
    return counter.requests;
}

START_TEST(every_failure_is_survived)
{
    int which = _i / STEPPERS, lost = 0;
    const ksStepper stepper = (ksStepper)(_i % STEPPERS);
    const bool isExact = stepper == KS_EXACT_STEP;
    Scene *reference = isExact ? NULL : sceneOf(which);
    dRandSetSeed(7);
    for (int i = 0; !isExact && i < shortRun; i++)
        sceneStep(reference, stepper == KS_QUICK_STEP ? dWorldQuickStep : dWorldStep, h);
    long requests = runRefusing(which, stepper, 0, reference, &lost);
    ck_assert_int_eq(lost, 0);
    for (long refuse = 1; refuse <= requests; refuse++) {
        lost = 0;
        runRefusing(which, stepper, refuse, reference, &lost);
        // an exact step may lose no more than its start
        ck_assert_msg(lost == 1 || (isExact && lost == 0), "request %ld of %ld: %d failures", refuse, requests, lost);
    }
    sceneDestroy(reference);
}
END_TEST

/* If the engine's report has a motor at its bound, the motor is a known force in a physical value,
 * even if memory runs out while the search for rows at bounds has it elsewhere. One sweep leaves
 * both motors on one axis saturated, although together they could hold the body. Returns the number
 * of requests. */
static long runSaturated(long refuse)
{
    const double most = 1, torque = 1.9 * most;
    Counter counter = {.refuse = refuse};
    ksInspector *inspector;
    dWorldID world = dWorldCreate();
    dWorldSetCFM(world, 0);
    dWorldSetQuickStepNumIterations(world, 1);
    dBodyID body = dBodyCreate(world);
    dJointID motor[2] = {dJointCreateHinge(world, NULL), dJointCreateAMotor(world, NULL)};
    for (int i = 0; i < 2; i++)
        dJointAttach(motor[i], body, NULL);
    dJointSetHingeAxis(motor[0], 0, 0, 1);
    dJointSetHingeParam(motor[0], dParamFMax, most);
    dJointSetAMotorNumAxes(motor[1], 1);
    dJointSetAMotorAxis(motor[1], 0, 0, 0, 0, 1);
    dJointSetAMotorParam(motor[1], dParamFMax, most);
    if (create(world, &counter, &inspector) == KS_OK) {
        dBodyAddTorque(body, 0, 0, torque);
        ksStatus status = ksInspectorQuickStep(inspector, h);
        for (int i = 0; i < 2; i++) {
            const ksReaction *r = ksInspectorGetReaction(inspector, motor[i]);
            ck_assert(r || status == KS_ERROR_NO_MEMORY);
            const ksRow *last = r ? &r->row[r->rowCount - 1] : NULL;
            ck_assert(!r || last->engine == -most);
            ck_assert(!r || isnan(last->physical) || last->physical == -most);
            ck_assert(status || r->verdict == KS_SOLVER_ERROR);
        }
        ksInspectorDestroy(inspector);
    }
    dWorldDestroy(world);
    return counter.requests;
}

START_TEST(saturated_motors_are_forces)
{
    const long requests = runSaturated(0);
    for (long refuse = 1; refuse <= requests; refuse++)
        runSaturated(refuse);
}
END_TEST

int main(void)
{
    dSetAllocHandler(engineAlloc);
    dSetReallocHandler(engineRealloc);
    dSetFreeHandler(engineFree);
    TCase *test = tcase_create("allocation");
    tcase_add_loop_test(test, steady_state_allocates_nothing, 0, 3 * STEPPERS);
#if defined __GLIBC__ && !defined KSI_SANITIZED
    tcase_add_test(test, nothing_is_asked_past_the_host);
#endif
    tcase_add_loop_test(test, every_failure_is_survived, 0, 4 * STEPPERS);
    tcase_add_test(test, saturated_motors_are_forces);
    return runCase("allocation", test);
}

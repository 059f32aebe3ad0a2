/* check_advice.c  The number of iterations that is enough, measured in a host: sampled steps of its
 * world, repeated in copies. */
#include "tests/kits/report/report_kit.h"

#include "plugin/base/sanitizer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINKS = 6, EVERY = 10, STEPS = 100, TRIED = 7 };

static Scene *scene;
static ksInspector *inspector;

static void setUp(void)
{
    scene = sceneChain(LINKS, SCENE_FALLING);
    inspector = inspect(scene->world);
    dRandSetSeed(1);
}

static void tearDown(void)
{
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

/* Judges by the error of the engine's equations. */
static ksReportOptions ofSolver(void)
{
    ksReportOptions options = reportOptions();
    options.limit.value = KS_CONVERGED;
    return options;
}

static ksReportOptions advising(void)
{
    ksReportOptions options = ofSolver();
    options.adviseEvery = EVERY;
    return options;
}

static ksReport *watched(const ksReportOptions *options)
{
    return watching(inspector, options);
}

static void run(int steps, ksStepper stepper)
{
    for (int i = 0; i < steps; i++)
        CHECK_OK(inspectedStep(inspector, stepper, h));
}

static json_t *tableOf(json_t *document)
{
    return json_object_get(json_object_get(worldOf(document, 0), "iterations"), "table");
}

static double worstOf(json_t *line)
{
    return numberAt(line, "worstJointError", "p95");
}

/* More iterations are never much worse, and the text calls a number enough only if it is. */
START_TEST(a_table_and_advice)
{
    const ksReportOptions options = advising();
    ksReport *report = watched(&options);
    run(STEPS, KS_QUICK_STEP);
    json_t *document = jsonOf(report), *table = tableOf(document);
    ck_assert_uint_eq(json_array_size(table), TRIED);
    const double first = worstOf(json_array_get(table, 0)), last = worstOf(json_array_get(table, TRIED - 1));
    ck_assert_double_gt(first, 0.05);
    ck_assert_double_lt(last, 0.05);
    for (size_t i = 0; i < TRIED; i++)
        ck_assert_int_eq(countAt(json_array_get(table, i), "steps"), STEPS / EVERY);
    const int enough = (int)countAt(json_object_get(worldOf(document, 0), "iterations"), "enough");
    char line[80], *text = textOf(report, KS_REPORT_TEXT);
    snprintf(line, sizeof line, "Give dWorldQuickStep %d iterations instead of 20", enough);
    ck_assert_msg(strstr(text, line) != NULL, "%s", text);
    ck_assert_msg(strstr(text, "and confirmed in") != NULL, "%s", text);
    ck_assert(json_is_true(json_object_get(json_object_get(worldOf(document, 0), "iterations"), "isChecked")));
    free(text);
    json_decref(document);
    ksReportDestroy(report);
}
END_TEST

/* A copy that runs on makes the same steps as a world with that number of iterations. */
START_TEST(copies_run_on_as_the_world_would)
{
    enum { TRIED_STEP = EVERY / 2, IN_A_ROW = 6, COUNTED = 3, MORE = 50 };
    const ksReportOptions options = advising();
    unsigned long seed[TRIED_STEP + IN_A_ROW + 1];
    ksReport *report = watched(&options);
    for (int i = 0; i <= TRIED_STEP + IN_A_ROW; i++) {
        seed[i] = dRandGetSeed();
        run(1, KS_QUICK_STEP);
    }
    Scene *other = sceneChain(LINKS, SCENE_FALLING);
    ksInspector *own = inspect(other->world);
    double largest = 0;
    for (int i = 0; i <= TRIED_STEP + IN_A_ROW; i++) {
        dRandSetSeed(seed[i]);
        dWorldSetQuickStepNumIterations(other->world, i < TRIED_STEP ? 20 : MORE);
        CHECK_OK(ksInspectorQuickStep(own, h));
        if (i > TRIED_STEP + IN_A_ROW - COUNTED)
            largest = fmax(largest, ksInspectorGetStepReport(own)->worstError);
    }
    json_t *document = jsonOf(report), *tried = json_array_get(tableOf(document), 2);
    ck_assert_int_eq(countAt(tried, "iterations"), MORE);
    ck_assert_int_eq(countAt(json_object_get(tried, "inARow"), "count"), COUNTED);
    ck_assert_double_gt(largest, 1e-4);
    ck_assert_double_eq_tol(numberAt(tried, "inARow", "largest"), largest, 1e-8 * largest);
    json_decref(document);
    ksReportDestroy(report);
    ksInspectorDestroy(own);
    sceneDestroy(other);
}
END_TEST

/* With the host's own number of iterations, the copies have the errors that the inspector found. */
START_TEST(copies_err_as_the_world_does)
{
    ksReportOptions options = advising();
    options.adviseEvery = 1;
    ksReport *report = watched(&options);
    dWorldSetQuickStepNumIterations(scene->world, 50);
    run(40, KS_QUICK_STEP);
    json_t *document = jsonOf(report), *tried = json_array_get(tableOf(document), 2);
    ck_assert_int_eq(countAt(tried, "iterations"), 50);
    ck_assert_int_eq(countAt(tried, "steps"), 40);
    double largest = 0;
    for (size_t i = 0; i < LINKS; i++)
        largest = fmax(largest, numberAt(jointOf(document, i), "error", "largest"));
    ck_assert_double_gt(largest, 0);
    ck_assert_double_eq(numberAt(tried, "worstJointError", "largest"), largest);
    json_decref(document);
    ksReportDestroy(report);
}
END_TEST

/* More iterations help only one of two worlds: the report does not call them alike. */
START_TEST(worlds_of_which_the_same_is_said)
{
    enum { LONG = 50, HEAVY = 1000 };
    const ksReportOptions options = advising();
    Scene *other = sceneChain(_i == 0 ? LONG : LINKS, SCENE_FALLING);
    ksInspector *own = inspect(other->world);
    if (_i == 0) {
        dMass mass;
        dBodyGetMass(other->body[LONG - 1], &mass);
        dMassAdjust(&mass, HEAVY * mass.mass);
        dBodySetMass(other->body[LONG - 1], &mass);
    }
    ksReport *report = watched(&options);
    CHECK_OK(ksReportWatch(report, own, "other"));
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        CHECK_OK(ksInspectorQuickStep(own, h));
    }
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, ": Give dWorldQuickStep") != NULL, "%s", text);
    ck_assert_msg((strstr(text, " (and 1 similar world): Give") != NULL) == (_i == 1), "%s", text);
    free(text);
    ksReportDestroy(report);
    ksInspectorDestroy(own);
    sceneDestroy(other);
}
END_TEST

/* A mass ratio is blamed if its own joint fails, but not if that joint is solved and others
 * fail. */
START_TEST(masses_that_do_harm)
{
    enum { RATIO = 40 };
    const ksReportOptions options = ofSolver();
    dMass mass;
    dBodyGetMass(scene->body[0], &mass);
    dMassAdjust(&mass, RATIO * mass.mass);
    ksReport *report = watched(&options);
    if (_i == 0) {
        // it falls beside the chain, and its hinge bears nothing
        dBodyID heavy = dBodyCreate(scene->world), light = dBodyCreate(scene->world);
        dJointID hinge = dJointCreateHinge(scene->world, NULL);
        dBodySetPosition(heavy, 5, 0, 0);
        dBodySetPosition(light, 6, 0, 0);
        dBodySetMass(heavy, &mass);
        dMassAdjust(&mass, mass.mass / RATIO);
        dBodySetMass(light, &mass);
        dJointAttach(hinge, heavy, light);
    } else {
        dBodySetMass(scene->body[LINKS - 1], &mass);
    }
    run(STEPS, KS_QUICK_STEP);
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, "\n  ! ") != NULL, "%s", text);
    ck_assert_msg(strstr(text, "Largest mass ratio across a joint: 40") != NULL, "%s", text);
    ck_assert_msg((strstr(text, "is 1 : 40, where") != NULL) == (_i == 1), "%s", text);
    free(text);
    ksReportDestroy(report);
}
END_TEST

/* A door on two hinges, which share everything: with enough iterations neither has an error of its
 * own, and their sums agree. So this number is enough, and a run with it does not fail because of
 * the few steps that miss it. */
START_TEST(joints_that_share_all)
{
    static const int iterations[] = {20, 120};
    for (int k = 0; k < 2; k++) {
        const dWorldID world = heavyWorld();
        const dBodyID door = addBox(world, 25, (double[]){0.2, 0.2, 0.2}, 1);
        for (int i = 0; i < 2; i++) {
            const dJointID hinge = dJointCreateHinge(world, NULL);
            dJointAttach(hinge, door, NULL);
            dJointSetHingeAnchor(hinge, 0.5, 0, i);
            dJointSetHingeAxis(hinge, 0, 0, 1);
        }
        dBodyAddForce(door, 0, 100, 0);
        dWorldSetQuickStepNumIterations(world, iterations[k]);
        ksInspector *own = inspect(world);
        ksReportOptions options = advising();
        options.limit.above = 0.02;
        ksReport *report = newReport(&options);
        CHECK_OK(ksReportWatch(report, own, "door"));
        for (int i = 0; i < 2 * STEPS; i++)
            CHECK_OK(ksInspectorQuickStep(own, h));
        json_t *document = jsonOf(report), *first = jointOf(document, 0), *steps = json_object_get(first, "verdicts");
        ck_assert_int_eq(json_is_true(json_object_get(first, "failed")), k == 0);
        if (k == 0)
            ck_assert_int_gt(countAt(json_object_get(worldOf(document, 0), "iterations"), "enough"), iterations[0]);
        else
            ck_assert_int_gt(countAt(steps, "KS_SOLVER_ERROR"), 0);
        json_decref(document);
        ksReportDestroy(report);
        ksInspectorDestroy(own);
        dWorldDestroy(world);
    }
}
END_TEST

/* The motion, random numbers and feedback are the same with and without advice. */
START_TEST(the_host_is_not_disturbed)
{
    ksReportOptions options = advising();
    options.adviseEvery = 3;
    ksReport *report = watched(&options);
    Scene *plain = sceneChain(LINKS, SCENE_FALLING);
    for (int i = 0; i < STEPS; i++) {
        const unsigned long seed = dRandGetSeed();
        ck_assert(dWorldQuickStep(plain->world, h));
        const unsigned long after = dRandGetSeed();
        dRandSetSeed(seed);
        run(1, KS_QUICK_STEP);
        ck_assert_uint_eq(dRandGetSeed(), after);
        ck_assert(sceneSameState(plain, scene));
        ck_assert_int_eq(dWorldGetQuickStepNumIterations(scene->world), 20);
        ck_assert_ptr_null(dJointGetFeedback(scene->joint[0]));
    }
    sceneDestroy(plain);
    ksReportDestroy(report);
}
END_TEST

/* Selection by the host's names, by types and by times. */
START_TEST(what_is_selected)
{
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[0], "elbow"));
    ksReportOptions options = advising();
    options.joints = "elbow";
    ksReport *named = watched(&options);
    options.joints = "knee";
    ksReport *none = watched(&options);
    options.joints = "hinge 2:*";
    ksReport *numbered = watched(&options);
    options = advising();
    options.types = 1u << dJointTypeBall;
    ksReport *typed = watched(&options);
    options = advising();
    options.from = (STEPS - EVERY - 0.5) * h;
    ksReport *late = watched(&options);
    run(STEPS, KS_QUICK_STEP);
    const struct {
        ksReport *report;
        json_int_t errors, steps;
    } expected[] = {{named, STEPS / EVERY, STEPS / EVERY},
                    {none, 0, STEPS / EVERY},
                    {numbered, STEPS / EVERY, STEPS / EVERY},
                    {typed, 0, STEPS / EVERY},
                    {late, LINKS, 1}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        json_t *document = jsonOf(expected[i].report), *line = json_array_get(tableOf(document), 0);
        ck_assert_int_eq(countAt(line, "steps"), expected[i].steps);
        ck_assert_int_eq(countAt(json_object_get(line, "error"), "count"), expected[i].errors);
        json_decref(document);
        ksReportDestroy(expected[i].report);
    }
}
END_TEST

/* dWorldStep has no iterations, but its world can be tried with some; an exact step is not
 * recorded, and the report says so. */
START_TEST(other_steppers)
{
    const ksReportOptions options = advising();
    ksReport *report = watched(&options);
    run(STEPS / 2, KS_WORLD_STEP);
    json_t *document = jsonOf(report);
    ck_assert_int_eq(countAt(json_array_get(tableOf(document), 0), "steps"), STEPS / EVERY / 2);
    json_decref(document);
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_ptr_null(strstr(text, "ksInspectorExactStep have no iteration count"));
    free(text);
    run(STEPS, KS_EXACT_STEP);
    document = jsonOf(report);
    ck_assert_int_eq(countAt(json_array_get(tableOf(document), 0), "steps"), STEPS / EVERY / 2);
    json_decref(document);
    text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, "ksInspectorExactStep have no iteration count") != NULL, "%s", text);
    free(text);
    ksReportDestroy(report);
}
END_TEST

/* World, inspector and report are destroyed in any order; a bracket without an end does no harm. */
START_TEST(either_may_go_first)
{
    ksReportOptions options = advising();
    options.adviseEvery = 1;
    ksReport *first = watched(&options), *last = watched(&options);
    run(3, KS_QUICK_STEP);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
    ksReportDestroy(first);
    ck_assert(dWorldQuickStep(scene->world, h));
    CHECK_OK(ksInspectorEndStep(inspector));
    CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, h));
    ksInspectorDestroy(inspector);
    inspector = NULL;
    sceneDestroy(scene);
    scene = NULL;
    json_t *document = jsonOf(last);
    ck_assert_int_eq(countAt(json_array_get(tableOf(document), 0), "steps"), 4);
    json_decref(document);
    ksReportDestroy(last);
}
END_TEST

static void destroyAll(const ksStepReport *step, void *user)
{
    ksInspector **mine = user;
    if (step->step == 2) {
        ksInspectorDestroy(*mine);
        *mine = NULL;
        sceneDestroy(scene);
        scene = NULL;
    }
}

/* Another callback, before ours, destroys everything: nothing is tried in a world that may be
 * gone. */
START_TEST(all_may_go_in_a_callback)
{
    CHECK_OK(ksInspectorOnStep(inspector, destroyAll, &inspector));
    ksReportOptions options = advising();
    options.adviseEvery = 1;
    ksReport *report = watched(&options);
    ksInspector *mine = inspector;
    for (int i = 0; i < 3; i++)
        CHECK_OK(ksInspectorQuickStep(mine, h));
    json_t *document = jsonOf(report);
    ck_assert_int_eq(countAt(json_array_get(tableOf(document), 0), "steps"), 2);
    json_decref(document);
    ksReportDestroy(report);
}
END_TEST

/* Without an error, no number is called too small. */
START_TEST(nothing_found_is_no_advice)
{
    ksReportOptions options = advising();
    options.joints = "nosuch*";
    ksReport *report = watched(&options);
    run(STEPS, KS_QUICK_STEP);
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_ptr_null(strstr(text, "No iteration count"));
    free(text);
    ksReportDestroy(report);
}
END_TEST

static atomic_int isOver;

static void *stepOn(void *unused)
{
    (void)unused;
    while (!isOver)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    return NULL;
}

/* The other thread's world uses the engine's own threading, which the trials must not touch. */
START_TEST(another_thread_steps)
{
    ksReportOptions options = advising();
    options.adviseEvery = 1;
    ksReport *report = newReport(&options);
    Scene *own = sceneChain(LINKS, SCENE_FALLING);
    const dThreadingImplementationID threading = giveThreading(own->world);
    ksInspector *mine = inspect(own->world);
    CHECK_OK(ksReportWatch(report, mine, NULL));
    pthread_t thread;
    isOver = 0;
    ck_assert(!pthread_create(&thread, NULL, stepOn, NULL));
    for (int i = 0; i < 10 * STEPS; i++)
        CHECK_OK(ksInspectorQuickStep(mine, h));
    isOver = 1;
    pthread_join(thread, NULL);
    ksReportDestroy(report);
    ksInspectorDestroy(mine);
    sceneDestroy(own);
    dThreadingFreeImplementation(threading);
}
END_TEST

#ifndef KSI_ADDRESS_SANITIZER

/* In the child no lock of a parent's thread is held: the child's own world gets advice. */
START_TEST(a_child_of_fork_goes_on)
{
    enum { FORKS = 20, PATIENCE = 1200 /* PATIENCE: s, until a hanging child fails the test */ };
    ksReportOptions options = advising();
    options.adviseEvery = 1;
    ksReport *report = watched(&options), *other = newReport(&options);
    Scene *own = sceneChain(LINKS, SCENE_FALLING);
    ksInspector *mine = inspect(own->world);
    CHECK_OK(ksReportWatch(other, mine, NULL));
    const dThreadingImplementationID threading = giveThreading(own->world);
    CHECK_OK(ksInspectorQuickStep(mine, h));
    pthread_t thread;
    isOver = 0;
    ck_assert(!pthread_create(&thread, NULL, stepOn, NULL));
    for (int i = 0; i < FORKS; i++) {
        const pid_t child = fork();
        if (child == 0) {
            alarm(PATIENCE);
            _exit(ksInspectorQuickStep(mine, h) != KS_OK);
        }
        int status;
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert_int_eq(status, 0);
    }
    isOver = 1;
    pthread_join(thread, NULL);
    ksReportDestroy(report);
    ksReportDestroy(other);
    ksInspectorDestroy(mine);
    sceneDestroy(own);
    dThreadingFreeImplementation(threading);
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("advice");
    TCase *tcase = tcase_create("advice");
    tcase_add_checked_fixture(tcase, setUp, tearDown);
    tcase_add_test(tcase, a_table_and_advice);
    tcase_add_test(tcase, copies_run_on_as_the_world_would);
    tcase_add_test(tcase, copies_err_as_the_world_does);
    tcase_add_loop_test(tcase, worlds_of_which_the_same_is_said, 0, 2);
    tcase_add_loop_test(tcase, masses_that_do_harm, 0, 2);
    tcase_add_test(tcase, joints_that_share_all);
    tcase_add_test(tcase, the_host_is_not_disturbed);
    tcase_add_test(tcase, what_is_selected);
    tcase_add_test(tcase, other_steppers);
    tcase_add_test(tcase, either_may_go_first);
    tcase_add_test(tcase, all_may_go_in_a_callback);
    tcase_add_test(tcase, nothing_found_is_no_advice);
    tcase_add_test(tcase, another_thread_steps);
#ifndef KSI_ADDRESS_SANITIZER
    // a sanitizer's own locks do not survive a fork beside a thread
    TCase *forks = tcase_create("forks");
    tcase_add_checked_fixture(forks, setUp, tearDown);
    tcase_set_tags(forks, "fork");
    tcase_add_test(forks, a_child_of_fork_goes_on);
    suite_add_tcase(suite, forks);
#endif
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

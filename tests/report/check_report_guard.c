/* check_report_guard.c  A motion that is unexplained, not judged or never stepped passes no check;
 * other faults fail no check that does not concern them. */
#include "tests/kits/report/runs_kit.h"

#include "plugin/report/findings/compare.h"
#include "plugin/report/findings/loads.h"
#include "plugin/report/findings/suppress.h"

enum { STEPS = 40 };

static int moves, movedSteps;

/* The host stops the body, as no joint could, in the last steps. */
static void stop(dBodyID body)
{
    if (++moves <= STEPS - movedSteps)
        return;
    dBodySetLinearVel(body, 0, 0, 0);
    dBodySetAngularVel(body, 0, 0, 0);
}

/* A pendulum, released level, that the host stops in this many steps. */
static ksReport *reportOnStopped(int steps, ksInspector **inspector)
{
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    const dBodyID body = dBodyCreate(world);
    const dJointID hinge = dJointCreateHinge(world, NULL);
    dBodySetPosition(body, 0.5, 0, 0);
    dBodySetMovedCallback(body, stop);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    *inspector = inspect(world);
    ksReport *report = watching(*inspector, NULL);
    moves = 0;
    movedSteps = steps;
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(*inspector, h));
    return report;
}

static void end(ksReport *report, ksInspector *inspector)
{
    const dWorldID world = ksInspectorGetWorld(inspector);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

static void has(ksReport *report, ksReportFormat format, const char *words, bool isThere)
{
    char *text = textOf(report, format);
    ck_assert_msg((strstr(text, words) != NULL) == isThere, "%s\"%s\" in\n%s", isThere ? "no " : "", words, text);
    free(text);
}

/* The motion is unexplained in none, one or all of the steps. The engine's force is exact in each of
 * them, so its error does not show this. */
START_TEST(an_unexplained_motion_passes_nothing)
{
    const int steps[] = {0, 1, STEPS}, stopped = steps[_i];
    char words[80];
    size_t failures = 7;
    ksInspector *inspector;
    ksReport *report = reportOnStopped(stopped, &inspector);
    snprintf(words, sizeof words, "the motion is not explained in %d of %d steps", stopped, STEPS);
    CHECK_STATUS(ksReportCheck(report, NULL, &failures), stopped ? KS_ERROR_UNAVAILABLE : KS_OK);
    if (stopped)
        ck_assert_ptr_nonnull(strstr(ksErrorMessage(), words));
    ck_assert_uint_eq(failures, 0);
    json_t *document = jsonOf(report), *joint = jointOf(document, 0), *untold = json_object_get(joint, "untold");
    ck_assert_int_eq(countAt(json_object_get(document, "summary"), "untold"), stopped > 0);
    ck_assert_int_eq(countAt(worldOf(document, 0), "untold"), stopped > 0);
    ck_assert(stopped ? strcmp(json_string_value(untold), words) == 0 : json_is_null(untold));
    json_decref(document);
    has(report, KS_REPORT_JUNIT, "tests=\"1\" failures=\"0\" skipped=\"0\" errors=\"0\"", !stopped);
    has(report, KS_REPORT_JUNIT, "tests=\"1\" failures=\"0\" skipped=\"0\" errors=\"1\"", stopped);
    has(report, KS_REPORT_JUNIT, "<error type=\"not known\" message=\"the motion is not explained in ", stopped);
    has(report, KS_REPORT_TEXT, "Nothing: no joint fails.", !stopped);
    has(report, KS_REPORT_TEXT, "  ? hinge 1", stopped);
    // it does not pass a limit of its load, or a comparison with itself
    const ksiMostLoad load = {NULL, 1e6, KSI_FORCE};
    size_t count[KSI_OUTCOMES];
    ksiReportLimitLoads(report, &load, 1, 0);
    countCases(report, count);
    ck_assert_uint_eq(count[KSI_UNTOLD], stopped > 0);
    ck_assert_uint_eq(count[KSI_PASSES], stopped == 0);
    ksiReportLimitLoads(report, NULL, 0, 0);
    ksiReportCompare(report, report, 0.05, false);
    countCases(report, count);
    ck_assert_uint_eq(count[KSI_UNTOLD], stopped > 0);
    ck_assert_uint_eq(count[KSI_FAILS], 0);
    ksiReportCompare(report, NULL, 0, false);
    end(report, inspector);
}
END_TEST

/* 100 steps: `good` of them have an error of 1 %, `bad` of 10 %, and the others an unknown one.
 * Whether the joint passes a limit of 5 % in 95 % of its steps whatever these are, or fails by the
 * known ones. */
START_TEST(unknown_errors_may_be_any)
{
    static const struct {
        int good, bad, unknown;
        ksiCaseOutcome outcome;
    } mixed[] = {{100, 0, 0, KSI_PASSES}, {96, 4, 0, KSI_PASSES}, {95, 0, 5, KSI_PASSES}, {94, 0, 6, KSI_UNTOLD},
                 {93, 3, 4, KSI_UNTOLD},  {95, 3, 2, KSI_PASSES}, {90, 10, 0, KSI_FAILS}, {10, 1, 89, KSI_FAILS},
                 {0, 0, 100, KSI_UNTOLD}, {10, 0, 90, KSI_UNTOLD}};
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++) {
        ksReport *report = newReport(NULL);
        ksiJointStats *joint = addRun(report, runOf("a.h5"), 0.01, 1000);
        const ksAllocator *allocator = &report->allocator;
        ksiHistogramFree(allocator, &joint->error[KSI_MODEL].size);
        for (int k = 0; k < mixed[i].good + mixed[i].bad; k++)
            ck_assert(ksiHistogramAdd(allocator, &joint->error[KSI_MODEL].size, k < mixed[i].good ? 0.01 : 0.1));
        joint->verdict[KS_UNCHECKED] = joint->unknown[KSI_MODEL] = (uint64_t)mixed[i].unknown;
        size_t failures;
        const ksStatus status = ksReportCheck(report, NULL, &failures);
        ck_assert_msg((status == KS_ERROR_UNAVAILABLE) == (mixed[i].outcome == KSI_UNTOLD) &&
                          failures == (mixed[i].outcome == KSI_FAILS),
                      "%d good, %d bad, %d unknown: %d, %zu fail", mixed[i].good, mixed[i].bad, mixed[i].unknown,
                      status, failures);
        has(report, KS_REPORT_JUNIT, "<error type=\"not known\"", mixed[i].outcome == KSI_UNTOLD);
        has(report, KS_REPORT_JUNIT, "<failure", mixed[i].outcome == KSI_FAILS);
        ksReportDestroy(report);
    }
}
END_TEST

/* One of two inspectors never made a step. */
START_TEST(a_world_that_was_never_stepped)
{
    Scene *scene = sceneChain(2, SCENE_FALLING), *other = sceneChain(2, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world), *idle = inspect(other->world);
    ksReport *report = watching(inspector, NULL);
    size_t failures;
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksReportCheck(report, NULL, &failures));
    CHECK_OK(ksReportWatch(report, idle, "idle"));
    CHECK_STATUS(ksReportCheck(report, NULL, &failures), KS_ERROR_UNAVAILABLE);
    ck_assert_str_eq(ksErrorMessage(), "ksReportCheck: idle: the world was never stepped");
    has(report, KS_REPORT_JUNIT,
        "name=\"all joints\" time=\"0\">\n      <error type=\"not known\" message=\"the world was never stepped\"/>",
        true);
    // it does not pass a limit of loads; a limit of errors does not apply here
    const ksiMostLoad load = {NULL, 1e6, KSI_FORCE};
    size_t count[KSI_OUTCOMES];
    ksiReportGuard(report, false);
    ksiReportLimitLoads(report, &load, 1, 0);
    countCases(report, count);
    ck_assert_uint_eq(count[KSI_UNTOLD], 1);
    has(report, KS_REPORT_JUNIT,
        "<testcase classname=\"loads: idle\" name=\"all joints\" time=\"0\"><error type=\"load\" "
        "message=\"the world was never stepped\"/>",
        true);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    ksInspectorDestroy(idle);
    sceneDestroy(scene);
    sceneDestroy(other);
}
END_TEST

/* Bodies without joints, and a limit of joints' errors: the check has seen nothing. */
START_TEST(a_world_without_joints)
{
    const dWorldID world = dWorldCreate();
    size_t failures;
    dBodySetPosition(dBodyCreate(world), 0, 0, 1);
    ksInspector *inspector = inspect(world);
    ksReport *report = watching(inspector, NULL);
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_STATUS(ksReportCheck(report, NULL, &failures), KS_ERROR_UNAVAILABLE);
    has(report, KS_REPORT_JUNIT,
        "<testsuites name=\"kinetostat\" tests=\"1\" failures=\"0\" skipped=\"0\" errors=\"1\"", true);
    has(report, KS_REPORT_JUNIT, "<error type=\"not known\" message=\"no joint was judged\"/>", true);
    // without a request that limit is no test
    ksiReportGuard(report, false);
    has(report, KS_REPORT_JUNIT, "<error", false);
    end(report, inspector);
}
END_TEST

/* One of several runs has no step: it is an error, and not good. */
START_TEST(a_run_that_was_never_stepped)
{
    ksReport *report = newReport(NULL);
    size_t index;
    ksiRun idle = runOf("idle.h5");
    (void)addRun(report, runOf("a.h5"), 0.01, 1000);
    idle.identity = 9;
    CHECK_OK(ksiReportAddRun(report, &idle, &index));
    has(report, KS_REPORT_JUNIT, "<error type=\"not inspected\" message=\"no step was inspected\"/>", true);
    has(report, KS_REPORT_JUNIT,
        "<testsuites name=\"kinetostat\" tests=\"4\" failures=\"0\" skipped=\"0\" errors=\"1\"", true);
    json_t *document = jsonOf(report), *runs = json_object_get(document, "runs");
    ck_assert(json_is_false(json_object_get(json_array_get(runs, 0), "good")));
    ck_assert(json_is_true(json_object_get(json_array_get(runs, 1), "good")));
    json_decref(document);
    // a run whose motion is not explained is not good, either
    report->world[0]->joint[0]->unexplained = 1;
    document = jsonOf(report);
    ck_assert(json_is_false(json_object_get(json_array_get(json_object_get(document, "runs"), 1), "good")));
    json_decref(document);
    ksReportDestroy(report);
}
END_TEST

/* Only requested tests count: a limit that decides nothing fails none. */
START_TEST(tests_are_those_that_are_asked_for)
{
    const ksiMostLoad load = {NULL, 1e6, KSI_FORCE};
    ksReport *report = newReport(NULL);
    (void)addRun(report, runOf("a.h5"), 0.5, 1000);
    has(report, KS_REPORT_JUNIT, "<testsuites name=\"kinetostat\" tests=\"2\" failures=\"1\"", true);
    ksiReportGuard(report, false);
    has(report, KS_REPORT_JUNIT,
        "<testsuites name=\"kinetostat\" tests=\"1\" failures=\"0\" skipped=\"0\" errors=\"0\"", true);
    ksiReportLimitLoads(report, &load, 1, 0);
    has(report, KS_REPORT_JUNIT,
        "<testsuites name=\"kinetostat\" tests=\"2\" failures=\"0\" skipped=\"0\" errors=\"0\"", true);
    has(report, KS_REPORT_JUNIT, "<failure", false);
    // the text still marks the joints that would fail
    has(report, KS_REPORT_TEXT, "! hinge 1", true);
    ksReportDestroy(report);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("report_guard");
    tcase_add_loop_test(tcase, an_unexplained_motion_passes_nothing, 0, 3);
    tcase_add_test(tcase, unknown_errors_may_be_any);
    tcase_add_test(tcase, a_world_that_was_never_stepped);
    tcase_add_test(tcase, a_world_without_joints);
    tcase_add_test(tcase, a_run_that_was_never_stepped);
    tcase_add_test(tcase, tests_are_those_that_are_asked_for);
    return runCase("report_guard", tcase);
}

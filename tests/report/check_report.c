/* check_report.c  A report agrees with the run. */
#define _GNU_SOURCE /* feenableexcept */
#include "tests/kits/memory_kit.h"
#include "tests/kits/report/chain_report_kit.h"

#include <fenv.h>

enum { STEPS = 600 };

/* a bin is 1 % wide, and the quantile is its middle */
static const double kBin = 0.00501;

START_TEST(quantiles_are_those_of_the_errors)
{
    static double error[LINKS][STEPS];
    CHECK_OK(ksReportWatch(report, inspector, "arm"));
    for (int i = 0; i < STEPS; i++) {
        run(1);
        for (int j = 0; j < LINKS; j++)
            error[j][i] = ksInspectorGetReaction(inspector, scene->joint[j])->error;
    }
    json_t *document = jsonOf(report);
    for (int j = 0; j < LINKS; j++) {
        json_t *joint = jointOf(document, (size_t)j);
        qsort(error[j], STEPS, sizeof *error[j], ascending);
        ck_assert_double_eq_tol(numberAt(joint, "error", "median") / error[j][STEPS / 2 - 1], 1, kBin);
        ck_assert_double_eq_tol(numberAt(joint, "error", "p95") / error[j][STEPS * 95 / 100 - 1], 1, kBin);
        ck_assert_double_eq_tol(numberAt(joint, "error", "largest") / error[j][STEPS - 1], 1, 1e-8);
        ck_assert_int_eq(countAt(joint, "steps"), STEPS);
        ck_assert_int_eq(countAt(joint, "number"), j + 1);
    }
    ck_assert_double_gt(error[0][STEPS / 2], 1e-3);  // the errors are not negligible
    json_decref(document);
}
END_TEST

START_TEST(the_worst_moment_has_its_wrenches)
{
    ksReaction worst;
    double most = -1;
    CHECK_OK(ksReportWatch(report, inspector, "arm"));
    for (int i = 0; i < 100; i++) {
        run(1);
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
        // weighted by the load, so that an error of a tiny load is not the worst
        const double load = fmax(length3(reaction->engine[0].force), length3(reaction->converged[0].force));
        if (reaction->error * load > most) {
            most = reaction->error * load;
            worst = *reaction;
        }
    }
    json_t *document = jsonOf(report);
    json_t *moment = json_object_get(json_object_get(jointOf(document, 1), "error"), "worst");
    ck_assert_int_eq(countAt(moment, "step"), (json_int_t)worst.step);
    ck_assert_double_eq_tol(json_number_value(json_object_get(moment, "value")) *
                                json_number_value(json_object_get(moment, "load")),
                            most, 1e-8 * most);
    static const char *const name[] = {"engine", "converged", "physical"};
    for (int v = 0; v < 3; v++) {
        ksWrench wrench;
        CHECK_OK(ksReactionGetWrench(&worst, (ksValue)v, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &wrench));
        json_t *object = json_object_get(moment, name[v]);
        for (size_t i = 0; i < 3; i++) {
            const double force = json_number_value(json_array_get(json_object_get(object, "force"), i));
            const double torque = json_number_value(json_array_get(json_object_get(object, "torque"), i));
            ck_assert_double_eq_tol(force, wrench.force[i], 1e-8 * length3(wrench.force));
            ck_assert_double_eq_tol(torque, wrench.torque[i], 1e-8 * length3(wrench.force));
        }
    }
    json_decref(document);
}
END_TEST

START_TEST(a_limit_decides)
{
    size_t failures = 7;
    ksReportLimit limit;
    ksReportLimitInit(&limit);
    CHECK_OK(ksReportWatch(report, inspector, "arm"));
    CHECK_STATUS(ksReportCheck(report, NULL, &failures), KS_ERROR_UNAVAILABLE);
    ck_assert_uint_eq(failures, 0);
    run(200);
    json_t *document = jsonOf(report);
    const char *key = _i ? "error" : "physicalError";
    const double p95 = numberAt(jointOf(document, 2), key, "p95");
    const double largest = numberAt(jointOf(document, 2), key, "largest");
    json_decref(document);
    ck_assert_int_eq(limit.value, KS_PHYSICAL);
    limit.value = _i ? KS_CONVERGED : KS_PHYSICAL;
    limit.joints = "hinge 3:*";
    limit.above = 0.999 * p95;
    CHECK_OK(ksReportCheck(report, &limit, &failures));
    ck_assert_uint_eq(failures, 1);
    limit.above = 1.001 * p95;
    CHECK_OK(ksReportCheck(report, &limit, &failures));
    ck_assert_uint_eq(failures, 0);
    limit.percentile = 100;
    CHECK_OK(ksReportCheck(report, &limit, &failures));
    ck_assert_uint_eq(failures, 1.001 * p95 < largest);
    limit.above = 1.001 * largest;
    CHECK_OK(ksReportCheck(report, &limit, &failures));
    ck_assert_uint_eq(failures, 0);
    limit.above = 0;
    limit.joints = NULL;
    CHECK_OK(ksReportCheck(report, &limit, &failures));
    ck_assert_uint_eq(failures, LINKS);
    limit.floor = 1e6;
    CHECK_STATUS(ksReportCheck(report, &limit, &failures), KS_ERROR_UNAVAILABLE);
    limit.floor = 0;
    limit.value = KS_PHYSICAL;
    CHECK_OK(ksReportCheck(report, &limit, &failures));
    ck_assert_uint_eq(failures, LINKS);
    limit.joints = "nobody";
    CHECK_STATUS(ksReportCheck(report, &limit, &failures), KS_ERROR_UNAVAILABLE);
}
END_TEST

/* A chain that hangs at rest: its hinges bear the weight below them. With few iterations the
 * solution of a step's own equations would also close the gaps that earlier steps have left, so the
 * engine is far from it but near the weight. The error that people mean is the distance from the
 * weight. */
START_TEST(the_headline_is_the_error_that_people_mean)
{
    enum { LINKS_BELOW = 10, SETTLED = 200, JUDGED = 400 };
    static double error[LINKS_BELOW][JUDGED];
    Scene *chain = sceneChain(LINKS_BELOW, SCENE_HANGING);
    ksInspector *own = inspect(chain->world);
    ksReport *hanging = newReport(NULL);
    for (int i = 0; i < SETTLED + JUDGED; i++) {
        if (i == SETTLED)
            CHECK_OK(ksReportWatch(hanging, own, NULL));
        CHECK_OK(ksInspectorQuickStep(own, 0.005));
        for (int j = 0; j < LINKS_BELOW && i >= SETTLED; j++) {
            const double *force = ksInspectorGetReaction(own, chain->joint[j])->engine[0].force;
            const double weight = (LINKS_BELOW - j) * SCENE_GRAVITY;
            const double off[3] = {force[0], force[1], force[2] - weight};
            error[j][i - SETTLED] = length3(off) / fmax(weight, length3(force));
        }
    }
    json_t *document = jsonOf(hanging);
    size_t failures;
    double largest = 0, least = INFINITY;
    for (int j = 0; j < LINKS_BELOW; j++) {
        json_t *joint = jointOf(document, (size_t)j);
        qsort(error[j], JUDGED, sizeof *error[j], ascending);
        const double truth = error[j][JUDGED * 95 / 100 - 1];
        // beyond its bar the error is no larger
        ck_assert_double_le(numberAt(joint, "physicalError", "p95"), (1 + kBin) * truth);
        ck_assert_double_eq(json_number_value(json_object_get(joint, "judgedError")),
                            numberAt(joint, "physicalError", "p95"));
        largest = fmax(largest, truth);
        least = fmin(least, numberAt(joint, "error", "p95"));
    }
    json_decref(document);
    ck_assert_double_gt(least, 2 * largest);  // the converged errors are not negligible
    ksReportLimit limit;
    ksReportLimitInit(&limit);
    limit.above = (1 + kBin) * largest;
    CHECK_OK(ksReportCheck(hanging, &limit, &failures));
    ck_assert_uint_eq(failures, 0);
    limit.value = KS_CONVERGED;
    CHECK_OK(ksReportCheck(hanging, &limit, &failures));
    ck_assert_uint_eq(failures, LINKS_BELOW);
    ksReportDestroy(hanging);
    ksInspectorDestroy(own);
    sceneDestroy(chain);
}
END_TEST

START_TEST(wrong_arguments_are_refused)
{
    ksReportOptions options = reportOptions();
    ksReport *none = NULL;
    size_t failures;
    CHECK_STATUS(ksReportCreate(NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    options.size = 1;
    CHECK_STATUS(ksReportCreate(&options, &none), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "ksReportCreate: options->size is 1, must be "));
    options = reportOptions();
    options.limit.percentile = 0;
    CHECK_STATUS(ksReportCreate(&options, &none), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksReportCreate: limit.percentile is 0, must be in (0, 100]");
    options = reportOptions();
    options.limit.value = KS_ENGINE;
    CHECK_STATUS(ksReportCreate(&options, &none), KS_ERROR_BAD_ARGUMENT);
    options = reportOptions();
    options.to = NAN;
    CHECK_STATUS(ksReportCreate(&options, &none), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(none);
    CHECK_STATUS(ksReportWatch(NULL, inspector, ""), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReportWatch(report, NULL, ""), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReportCheck(NULL, NULL, &failures), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReportCheck(report, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReportWrite(report, (ksReportFormat)9, "x"), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReportWrite(report, KS_REPORT_TEXT, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReportPrint(report, KS_REPORT_TEXT, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReportPrint(NULL, KS_REPORT_TEXT, stdout), KS_ERROR_BAD_ARGUMENT);
    ksReportDestroy(NULL);
    ksReportOptionsInit(NULL);
    ksReportLimitInit(NULL);
}
END_TEST

START_TEST(joints_types_and_times_are_selected)
{
    ksReportOptions options = reportOptions();
    options.joints = "hinge [12]:*";
    options.from = 0.0105;
    options.to = 0.0205;
    ksReport *some = newReport(&options);
    options = reportOptions();
    options.types = 1u << dJointTypeBall;
    ksReport *balls = newReport(&options);
    CHECK_OK(ksReportWatch(some, inspector, NULL));
    CHECK_OK(ksReportWatch(balls, inspector, NULL));
    run(40);
    json_t *document = jsonOf(some), *steps = json_object_get(worldOf(document, 0), "steps");
    ck_assert_uint_eq(json_array_size(json_object_get(worldOf(document, 0), "joints")), 2);
    ck_assert_str_eq(json_string_value(json_object_get(worldOf(document, 0), "name")), "world 1");
    ck_assert_int_eq(countAt(steps, "seen"), 40);
    ck_assert_int_eq(countAt(steps, "inspected"), 10);
    ck_assert_int_eq(countAt(steps, "leftOut"), 30);
    ck_assert_int_eq(countAt(steps, "first"), 11);
    ck_assert_int_eq(countAt(steps, "last"), 20);
    json_decref(document);
    document = jsonOf(balls);
    ck_assert_uint_eq(json_array_size(json_object_get(worldOf(document, 0), "joints")), 0);
    json_decref(document);
    ksReportDestroy(some);
    ksReportDestroy(balls);
}
END_TEST

/* Two hinges on one axis share everything: ten rows for five directions. They carry no torque about
 * the axis. */
START_TEST(a_door_is_redundant)
{
    dWorldID world = heavyWorld();
    dBodyID door = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 10, 1, 0.05, 2);
    dBodySetMass(door, &mass);
    for (int i = 0; i < 2; i++) {
        dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, door, NULL);
        dJointSetHingeAnchor(hinge, -0.5, 0, i ? 0.8 : -0.8);
        dJointSetHingeAxis(hinge, 0, 0, 1);
    }
    ksInspector *own = inspect(world);
    CHECK_OK(ksReportWatch(report, own, "door"));
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorStep(own, h));
    json_t *document = jsonOf(report);
    for (size_t i = 0; i < 2; i++) {
        json_t *undetermined = json_object_get(jointOf(document, i), "undetermined");
        json_t *component = json_object_get(undetermined, "components");
        ck_assert_int_eq(countAt(component, "force along axis 1"), 20);
        ck_assert_int_eq(countAt(component, "torque about axis 2"), 20);
        ck_assert_int_eq(countAt(component, "torque about axis 3"), 20);
        ck_assert_ptr_null(json_object_get(component, "torque about axis 1"));
        ck_assert_int_eq(countAt(json_object_get(jointOf(document, i), "reasons"), "KS_REASON_REDUNDANT"), 20);
    }
    json_decref(document);
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_ptr_nonnull(strstr(text, "force along axes 1 2 3, torque about axes 2 3"));
    ck_assert_ptr_nonnull(strstr(text, "Redundant, so mechanics does not determine"));
    free(text);
    ksInspectorDestroy(own);
    dWorldDestroy(world);
}
END_TEST

static size_t *all; /* the newest block, linked to the others, so that none is leaked */

/* Freed memory is overwritten and kept until the process ends, which reveals later uses. */
static void *spoil(void *user, void *memory, size_t size)
{
    size_t *block = memory ? (size_t *)memory - 2 : NULL, *grown = NULL;
    if (size > 0) {
        grown = calloc(1, size + 2 * sizeof *grown);
        grown[0] = size;
    }
    if (grown) {
        grown[1] = (size_t)(uintptr_t)all;
        all = grown;
    }
    if (grown && block)
        memcpy(grown + 2, block + 2, size < block[0] ? size : block[0]);
    if (block)
        memset(block + 2, 0xa5, block[0]);
    (void)user;
    return grown ? grown + 2 : NULL;
}

START_TEST(either_may_go_first)
{
    ksReport *first = newReport(NULL), *last = newReport(NULL);
    ksInspectorOptions spoiling = defaultOptions();
    spoiling.allocator.resize = spoil;
    ksInspector *own = inspectWith(scene->world, &spoiling);
    CHECK_OK(ksReportWatch(first, own, NULL));
    CHECK_OK(ksReportWatch(last, own, NULL));
    CHECK_OK(ksReportWatch(last, inspector, NULL));
    CHECK_OK(ksInspectorQuickStep(own, h));
    ksReportDestroy(first);
    CHECK_OK(ksInspectorQuickStep(own, h));
    ksInspectorDestroy(own);
    run(3);
    json_t *document = jsonOf(last);
    ck_assert_int_eq(countAt(json_object_get(worldOf(document, 0), "steps"), "inspected"), 2);
    ck_assert_int_eq(countAt(json_object_get(worldOf(document, 1), "steps"), "inspected"), 3);
    json_decref(document);
    ksReportDestroy(last);
    run(1);
}
END_TEST

START_TEST(traps_and_locales_of_the_host_do_not_matter)
{
    CHECK_OK(ksReportWatch(report, inspector, NULL));
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
    run(5);
    char *text = textOf(report, KS_REPORT_JSON);
    fedisableexcept(FE_ALL_EXCEPT);
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "inf"));
    free(text);
}
END_TEST

START_TEST(out_of_memory)
{
    ksReportOptions options = reportOptions();
    Counter counter;
    options.allocator = (ksAllocator){countingResize, &counter};
    options.joints = options.limit.joints = "*";
    long most = 0, told = 0;
    for (bool isEnough = false; !isEnough; most++) {
        ck_assert_int_lt(most, 2000);
        counter = (Counter){.refuse = most + 1, .all = 1};
        ksReport *mine = NULL;
        size_t failures;
        ksStatus status = ksReportCreate(&options, &mine);
        if (!status)
            status = ksReportWatch(mine, inspector, "arm");
        if (!status)
            run(2);
        FILE *sink = fopen("/dev/null", "w");
        if (!status)
            status = ksReportPrint(mine, KS_REPORT_TEXT, sink);
        if (!status)
            status = ksReportPrint(mine, KS_REPORT_JSON, sink);
        if (!status)
            status = ksReportPrint(mine, KS_REPORT_JUNIT, sink);
#ifdef KS_HAVE_DYGRAPHS
        if (!status)
            status = ksReportPrint(mine, KS_REPORT_HTML, sink);
#endif
        if (!status)
            status = ksReportCheck(mine, NULL, &failures);
        fclose(sink);
        ck_assert_msg(!status || status == KS_ERROR_NO_MEMORY, "%s", ksStatusName(status));
        told += status == KS_ERROR_NO_MEMORY;
        isEnough = counter.requests < counter.refuse && !status;
        ksReportDestroy(mine);
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_gt(most, 50);
    ck_assert_int_gt(told, 3);  // if a step was left out, no call fails
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("report");
    tcase_add_checked_fixture(tcase, setUp, tearDown);
    tcase_add_test(tcase, quantiles_are_those_of_the_errors);
    tcase_add_test(tcase, the_worst_moment_has_its_wrenches);
    tcase_add_loop_test(tcase, a_limit_decides, 0, 2);
    tcase_add_test(tcase, the_headline_is_the_error_that_people_mean);
    tcase_add_test(tcase, wrong_arguments_are_refused);
    tcase_add_test(tcase, joints_types_and_times_are_selected);
    tcase_add_test(tcase, a_door_is_redundant);
    tcase_add_test(tcase, either_may_go_first);
    tcase_add_test(tcase, traps_and_locales_of_the_host_do_not_matter);
    tcase_add_test(tcase, out_of_memory);
    return runCase("report", tcase);
}

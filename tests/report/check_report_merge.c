/* check_report_merge.c  Parts of a run add up to the whole, to the bit; so do histograms and
 * timelines by themselves. */
#include "tests/kits/report/report_kit.h"

#include "plugin/report/collect/stats.h"

enum { WHOLE, FIRST_PART, PARTS = 3, REPORTS = FIRST_PART + PARTS };

static const ksAllocator *library(void)
{
    static ksAllocator allocator;
    ksiAllocatorInit(&allocator, NULL);
    return &allocator;
}

/* Joints come and go: one of them when buckets have reached their full width. */
static void change(Scene *scene, int step, dJointID *extra)
{
    if (step == 1100) {
        *extra = dJointCreateBall(scene->world, NULL);
        dJointAttach(*extra, scene->body[0], scene->body[2]);
        dJointSetBallAnchor(*extra, 0.3, 0, 0);
    }
    if (step == 1400)
        dJointDestroy(*extra);
}

/* The part of each step: the parts have unequal sizes, so that their buckets have other widths than
 * the whole's. */
static int partOf(int step)
{
    return step < 300 ? 0 : step < 1301 ? 1 : 2;
}

/* A chain; or a ragdoll that falls on the ground, of which the last part has seen nothing. */
START_TEST(parts_add_up)
{
    const bool isChain = _i == 0;
    const int steps = isChain ? 1500 : 400;
    const double size = isChain ? h : 2 * h;
    Scene *scene =
        isChain ? sceneChain(3, SCENE_FALLING) : sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    ksInspectorOptions options = defaultOptions();
    options.estimateSweeps = 10;
    ksInspector *inspector = inspectWith(scene->world, &options);
    ksiNaming *naming = ksiNamingCreate(NULL);
    ksReport *report[REPORTS];
    dJointID extra = NULL;
    size_t world;
    for (int i = 0; i < REPORTS; i++) {
        report[i] = newReport(NULL);
        CHECK_OK(ksiReportAddWorld(report[i], "arm", &world));
        ck_assert_uint_eq(world, 0);
    }
    dRandSetSeed(1);
    for (int i = 0; i < steps; i++) {
        if (isChain)
            change(scene, i, &extra);
        sceneBeforeStep(scene);
        CHECK_OK(i % 7 ? ksInspectorQuickStep(inspector, size) : ksInspectorStep(inspector, 2 * size));
        sceneAfterStep(scene);
        if (i == 700)
            CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], "elbow"));
        CHECK_OK(ksiNamingUpdate(naming, inspector));
        for (int k = 0; k < 2; k++) {
            ksReport *to = report[k ? FIRST_PART + partOf(i) : WHOLE];
            CHECK_OK(ksiReportAddStep(to, 0, inspector, naming, NULL));
            if (i % 10 == 0)
                CHECK_OK(
                    ksiReportAdvise(to, 0, 10 + 10 * (i % 3), i % 4 ? KSI_ALONE : KSI_IN_A_ROW, inspector, naming));
            if (i % 10 == 0)
                ksiReportSkipSteps(to, 0, 3);
        }
    }
    for (int i = 1; i < PARTS; i++)
        CHECK_OK(ksiReportMerge(report[FIRST_PART], report[FIRST_PART + i]));
    ksReport *empty = newReport(NULL);
    CHECK_OK(ksiReportMerge(empty, report[FIRST_PART]));
    char *whole = textOf(report[WHOLE], KS_REPORT_JSON);
    char *merged = textOf(report[FIRST_PART], KS_REPORT_JSON), *copied = textOf(empty, KS_REPORT_JSON);
    ck_assert(strcmp(whole, merged) == 0);
    ck_assert(strcmp(whole, copied) == 0);
    ck_assert(!isChain || strstr(whole, "\"stepsPerBucket\":4"));
    ck_assert(!isChain || strstr(whole, "\"elbow\""));
    ck_assert(isChain == (strstr(whole, "\"contacts\":{\"reactions\":0,") != NULL));
    free(whole);
    free(merged);
    free(copied);
    ksReportDestroy(empty);
    for (int i = 0; i < REPORTS; i++)
        ksReportDestroy(report[i]);
    ksiNamingDestroy(naming);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(a_replay_says_which_step_it_was)
{
    Scene *scene = sceneChain(3, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    ksiNaming *naming = ksiNamingCreate(NULL);
    ksReport *report = newReport(NULL);
    size_t world;
    CHECK_OK(ksiReportAddWorld(report, NULL, &world));
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    CHECK_OK(ksiNamingUpdate(naming, inspector));
    ksiStepInfo info;
    ksiStepInfoRead(inspector, &info);
    ck_assert_uint_eq(info.step, 0);
    ck_assert_double_eq(info.stepSize, h);
    info.step = 5000000000u;
    info.time = 12.5;
    info.iterations = 77;
    CHECK_OK(ksiReportAddStep(report, world, inspector, naming, &info));
    json_t *document = jsonOf(report), *steps = json_object_get(worldOf(document, 0), "steps");
    ck_assert_int_eq(countAt(steps, "first"), 5000000000);
    ck_assert_double_eq(json_number_value(json_object_get(steps, "begin")), 12.5);
    ck_assert_int_eq(countAt(json_array_get(json_object_get(steps, "iterations"), 0), "iterations"), 77);
    ck_assert_int_eq(countAt(json_object_get(json_object_get(jointOf(document, 0), "error"), "worst"), "step"),
                     5000000000);
    json_decref(document);
    ksReportDestroy(report);
    ksiNamingDestroy(naming);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static json_t *iterationsOf(json_t *document)
{
    return json_object_get(worldOf(document, 0), "iterations");
}

/* The numbers of iterations with which no joint fails by the report's criterion, whichever process
 * finds and checks them. */
START_TEST(iterations_that_are_enough)
{
    Scene *scene = sceneChain(6, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    ksiNaming *naming = ksiNamingCreate(NULL);
    ksReportOptions options = reportOptions();
    options.limit.above = 0.02;
    ksReport *report = newReport(&options);
    size_t world;
    CHECK_OK(ksiReportAddWorld(report, NULL, &world));
    dRandSetSeed(1);
    static const int tried[] = {1000, 5};
    double worst[2] = {0, 0};
    for (int i = 0; i < 40; i++) {
        const int which = i % 2;
        dWorldSetQuickStepNumIterations(scene->world, tried[which]);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        CHECK_OK(ksiNamingUpdate(naming, inspector));
        // the run had 5 iterations, so its own steps tell more about this number than copies do
        if (i == 1)
            CHECK_OK(ksiReportAddStep(report, world, inspector, naming, NULL));
        if (i < 2)
            continue;
        worst[which] = fmax(worst[which], ksInspectorGetStepReport(inspector)->worstError);
        CHECK_OK(ksiReportAdvise(report, world, tried[which], KSI_ALONE, inspector, naming));
    }
    ck_assert_double_lt(worst[0], options.limit.above);
    ck_assert_double_gt(worst[1], options.limit.above);
    json_t *document = jsonOf(report);
    ck_assert_int_eq(countAt(iterationsOf(document), "enough"), 1000);
    ck_assert(json_is_false(json_object_get(iterationsOf(document), "isChecked")));
    json_t *few = json_array_get(json_object_get(iterationsOf(document), "table"), 0);
    ck_assert_int_eq(countAt(few, "iterations"), 5);
    ck_assert_int_eq(countAt(few, "steps"), 19);
    ck_assert_double_eq_tol(numberAt(few, "worstJointError", "largest"), worst[1], 1e-8 * worst[1]);
    json_decref(document);
    // consecutive steps that do not confirm it: these have 5 iterations
    CHECK_OK(ksiReportAdvise(report, world, 1000, KSI_IN_A_ROW, inspector, naming));
    document = jsonOf(report);
    ck_assert(json_is_null(json_object_get(iterationsOf(document), "enough")));
    json_decref(document);
    ksReportDestroy(report);
    ksiNamingDestroy(naming);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(histograms_cover_all_sizes)
{
    ksiHistogram histogram = {0};
    ck_assert_double_nan(ksiQuantile(&histogram, 50));
    static const double x[] = {0, 1e-300, 1e-16, 0.02, 0.02, 1, 999, 9e12, 1e300};
    enum { COUNT = sizeof x / sizeof *x };
    for (int i = 0; i < COUNT; i++)
        ck_assert(ksiHistogramAdd(library(), &histogram, x[i]));
    ck_assert_uint_eq(histogram.total, COUNT);
    for (int i = 0; i < COUNT; i++) {
        const double quantile = ksiQuantile(&histogram, 100.0 * (i + 1) / COUNT);
        ck_assert_double_eq_tol(quantile, x[i] < 1e-16 ? 0 : x[i], 0.00501 * x[i] + 1e-300);
    }
    ck_assert_double_eq(ksiQuantile(&histogram, 100), 1e300);
    ksiHistogramFree(library(), &histogram);
}
END_TEST

static void addNumber(void *into, const void *from)
{
    *(long *)into += *(const long *)from;
}

START_TEST(timelines_keep_their_sums)
{
    ksiTimeline timeline = {.size = sizeof(long), .add = addNumber};
    ck_assert_uint_eq(ksiTimelineExponent(5, 5, 1), 0);
    ck_assert_uint_eq(ksiTimelineExponent(0, 15, 4), 2);
    // buckets are aligned: 3 and 4 are in separate buckets until these are 8 wide
    ck_assert_uint_eq(ksiTimelineExponent(3, 4, 1), 3);
    static const uint64_t step[] = {13, 9, 30, 13};
    for (int i = 0; i < 4; i++)
        *(long *)ksiTimelineAt(library(), &timeline, step[i]) += 1;
    ck_assert_uint_eq(timeline.count, 22);
    ksiTimelineCoarsen(&timeline, 2);
    ck_assert_uint_eq(timeline.first, 2);
    ck_assert_uint_eq(timeline.count, 6);
    static const long sum[] = {1, 2, 0, 0, 0, 1};
    for (size_t i = 0; i < 6; i++)
        ck_assert_int_eq(((const long *)(const void *)timeline.bucket)[i], sum[i]);
    ksiTimelineFree(library(), &timeline);
}
END_TEST

/* Two parts of a run, each with a note and a lost record; the first found the records damaged, the
 * second did not read them. */
static ksReport *mergedParts(int first)
{
    static const char *const note[2] = {"record 9 was left out", "record 10 was left out"};
    ksReport *report;
    CHECK_OK(ksReportCreate(NULL, &report));
    for (int i = 0; i < 2; i++) {
        const int part = i ^ first;
        size_t index;
        ksiRun run = {.file = "run.h5", .identity = 1, .lost = 1, .shards = 2, .unseen = part == 0};
        run.shard[0] = UINT64_C(1) << part;
        ksiRunAddNote(&run, note[part]);
        CHECK_OK(ksiReportAddRun(report, &run, &index));
    }
    CHECK_OK(ksiReportSort(report));
    return report;
}

START_TEST(parts_of_a_run_have_no_order)
{
    for (int first = 0; first < 2; first++) {
        ksReport *report = mergedParts(first);
        const ksiRun *run = &report->run[0];
        ck_assert_uint_eq(report->runCount, 1);
        ck_assert_str_eq(run->notes, "record 9 was left out\nrecord 10 was left out\n");
        ck_assert_uint_eq(run->lost, 2);
        ck_assert_uint_eq(run->unseen, 1);
        ck_assert_uint_eq(ksiRunMissing(run), 0);
        ksReportDestroy(report);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("report_merge");
    tcase_add_loop_test(tcase, parts_add_up, 0, 2);
    tcase_add_test(tcase, a_replay_says_which_step_it_was);
    tcase_add_test(tcase, iterations_that_are_enough);
    tcase_add_test(tcase, histograms_cover_all_sizes);
    tcase_add_test(tcase, timelines_keep_their_sums);
    tcase_add_test(tcase, parts_of_a_run_have_no_order);
    return runCase("report_merge", tcase);
}

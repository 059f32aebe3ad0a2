/* check_lead.c  A judge starts each window of records with a new inspector: its means and net
 * errors equal the results of an inspector of the whole run. */
#include "tests/kits/same_kit.h"

#include "plugin/replay/recorder.h"
#include "plugin/report/recording/judge.h"

/* of sums of the same numbers in another order, relative to the load */
static const double roundingOfSums = 1e-12;

/* Windows have 1024 steps, or as many as sixteen windows of means if that is longer: each run has
 * at least two ends of windows. */
typedef struct Run {
    const char *name;
    int steps;
    double h, meanWindow;
    bool isUneven, comesAndGoes, isPile;
} Run;
static const Run run[] = {{"even", 2300, 0.005, 0.15, false, false, false},
                          {"blocks that do not fit", 2300, 0.007, 0.15, false, false, false},
                          {"short steps", 5000, 0.001, 0.15, false, false, false},
                          {"long window", 4100, 0.004, 0.5, false, false, false},
                          {"short window", 2300, 0.005, 0.011, false, false, false},
                          {"one step", 2300, 0.005, 0.004, false, false, false},
                          {"uneven", 2300, 0, 0.15, true, false, false},
                          {"joints come and go", 2300, 0.005, 0.15, false, true, false},
                          {"boxes", 2300, 0.01, 0.15, false, false, true},
                          {"boxes, uneven", 2300, 0, 0.15, true, false, true}};
enum { RUNS = sizeof run / sizeof *run, LINKS = 5, BOXES = 4 };

/* Two equal scenes: one is inspected, the other one recorded. */
typedef struct Twin {
    Scene *scene;
    ksInspector *inspector;
    ksiRecorder *recorder;
} Twin;

static double sizeOfStep(const Run *of, int i)
{
    return of->isUneven ? 0.001 * (1 + (i * 7 + i / 5) % 9) : of->h;
}

static void change(const Run *of, Scene *scene, int i)
{
    dRandSetSeed((unsigned long)i + 1);
    if (!of->comesAndGoes || i % 300 != 299)
        return;
    dJointDestroy(scene->joint[2]);
    scene->joint[2] = dJointCreateBall(scene->world, NULL);
    dJointAttach(scene->joint[2], scene->body[2], scene->body[1]);
    const dReal *at = dBodyGetPosition(scene->body[2]);
    dJointSetBallAnchor(scene->joint[2], at[0], at[1], at[2]);
}

/* Compares to the bit; returns the number of compared errors. */
static int compareNetErrors(const ksReaction *a, const ksReaction *b)
{
    int known = 0;
    SAME(a, b, netError);
    for (int side = 0; side < 2; side++)
        known += isfinite(a->netError[side]);
    return known;
}

static int compare(const Run *of, int i, const ksInspector *whole, const ksInspector *judged)
{
    int known = 0;
    size_t count, other;
    const ksReaction *a = ksInspectorGetReactions(whole, &count), *b = ksInspectorGetReactions(judged, &other);
    ck_assert_uint_eq(count, other);
    for (size_t k = 0; k < count; k++) {
        known += compareNetErrors(&a[k], &b[k]);
        const double *x = (const double *)a[k].mean, *y = (const double *)b[k].mean;
        const double load = hypot(hypot(x[0], x[1]), x[2]) + SCENE_GRAVITY;
        ck_assert_msg(fabs(a[k].meanTime - b[k].meanTime) <= roundingOfSums, "%s, step %d: %.17g s, judged %.17g s",
                      of->name, i, a[k].meanTime, b[k].meanTime);
        for (int c = 0; c < 6; c++)
            ck_assert_msg(fabs(x[c] - y[c]) <= roundingOfSums * load, "%s, step %d: %.17g, judged %.17g", of->name, i,
                          x[c], y[c]);
    }
    return known;
}

START_TEST(means_are_of_the_whole_run)
{
    const Run *of = &run[_i];
    Twin twin[2];
    ksiJudge *judge;
    ksReport *report;
    size_t world, ends = 0;
    int known = 0;
    ksiFill fill = {0, 0, 0};
    ksiJudgeOptions options;
    ksiJudgeOptionsInit(&options);
    options.adviseEvery = 0;
    options.inspector.meanWindow = of->meanWindow;
    for (int k = 0; k < 2; k++)
        twin[k].scene = of->isPile ? scenePile(BOXES) : sceneChain(LINKS, SCENE_FALLING);
    CHECK_OK(ksInspectorCreate(twin[0].scene->world, &options.inspector, &twin[0].inspector));
    CHECK_OK(ksiRecorderCreate(twin[1].scene->world, 1, KSI_FEEDBACK_OURS, &twin[1].recorder));
    CHECK_OK(ksReportCreate(NULL, &report));
    CHECK_OK(ksiReportAddWorld(report, NULL, &world));
    CHECK_OK(ksiJudgeCreate(&options, report, world, &judge));
    for (int i = 0; i < of->steps; i++) {
        const double h = sizeOfStep(of, i);
        change(of, twin[0].scene, i);
        sceneBeforeStep(twin[0].scene);
        CHECK_OK(ksInspectorQuickStep(twin[0].inspector, h));
        change(of, twin[1].scene, i);
        sceneBeforeStep(twin[1].scene);
        CHECK_OK(ksiRecorderBegin(twin[1].recorder, KS_QUICK_STEP, h, false));
        ck_assert(dWorldQuickStep(twin[1].scene->world, h));
        const ksiStepRecord *record = ksiRecorderEnd(twin[1].recorder, true, 0);
        CHECK_OK(ksiJudgeStep(judge, record));
        ends += ksiFillWindow(&fill, of->meanWindow, h, record->bytes);
        known += compare(of, i, twin[0].inspector, ksiJudgeInspector(judge));
        for (int k = 0; k < 2; k++)
            sceneAfterStep(twin[k].scene);
    }
    ck_assert_uint_ge(ends, 1 + (of->steps > 2048));
    ck_assert(of->isPile == (known > of->steps));
    ksiJudgeDestroy(judge);
    ksReportDestroy(report);
    ksInspectorDestroy(twin[0].inspector);
    ksiRecorderDestroy(twin[1].recorder);
    for (int k = 0; k < 2; k++)
        sceneDestroy(twin[k].scene);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("lead");
    tcase_add_loop_test(test, means_are_of_the_whole_run, 0, RUNS);
    return runCase("lead", test);
}

/* check_trace.c  Traces: selection, order of destruction, errors, forks. */
#define _GNU_SOURCE
#include "tests/kits/report/sheet_kit.h"
#include "tests/kits/report/trace_kit.h"

#include <errno.h>
#include <fenv.h>
#include <signal.h>

/* --- selection */

/* Number of lines for 40 steps of the car. */
static int chosen(const ksTraceOptions *options, int *steps)
{
    traceSteps(car(), "car.csv", options, "car", 40);
    *steps = lineCount(in("car.steps.csv"));
    return lineCount(in("car.csv"));
}

START_TEST(jointsAndStepsAreChosen)
{
    int steps;
    ksTraceOptions options = traceOptions();
    ck_assert_int_gt(chosen(&options, &steps), 160);
    ck_assert_int_eq(steps, 40);
    options.jointTypes = 1u << dJointTypeHinge2;
    ck_assert_int_eq(chosen(&options, &steps), 160);
    options.joints = "*2 [12]*";
    ck_assert_int_eq(chosen(&options, &steps), 80);
    ck_assert_int_eq(steps, 40);
    options.every = 4;
    ck_assert_int_eq(chosen(&options, &steps), 20);
    ck_assert_int_eq(steps, 10);
    options.every = 1;
    options.begin = 9.5 * stepSize;
    options.end = 19.5 * stepSize;
    ck_assert_int_eq(chosen(&options, &steps), 20);
    ck_assert_int_eq(steps, 10);
    options.joints = "nobody";
    ck_assert_int_eq(chosen(&options, &steps), 0);
}
END_TEST

START_TEST(worldsAreApart)
{
    Scene *a = sceneChain(2, SCENE_FALLING), *b = sceneChain(3, SCENE_HANGING);
    ksInspector *one = inspect(a->world), *two = inspect(b->world);
    ksTrace *trace = traceInto(in("two.csv"), NULL);
    CHECK_OK(ksTraceWatch(trace, one, "one"));
    CHECK_OK(ksTraceWatch(trace, two, NULL));
    runScene(a, one, 3);
    runScene(b, two, 4);
    CHECK_OK(ksTraceClose(trace));
    Sheet sheet = readSheet(in("two.csv"));
    ck_assert_int_eq(sheet.lines, 1 + 2 * 3 + 3 * 4);
    for (int line = 1; line < sheet.lines; line++)
        ck_assert_str_eq(cell(&sheet, line, "world"), line <= 6 ? "one" : "world 2");
    freeSheet(&sheet);
    ksInspectorDestroy(one);
    ksInspectorDestroy(two);
    sceneDestroy(a);
    sceneDestroy(b);
}
END_TEST

/* CSV distinguishes worlds only by their names: two equal names, and two worlds without a name. */
START_TEST(worldsOfOneNameAreApart)
{
    static const char *const given[] = {"arm", "arm", "", NULL, "arm (2)"}, *const name[] = {"arm", "arm (2)",
                                                                                             "world 3", "world 4",
                                                                                             "arm (2) (2)"};
    ksTrace *trace = traceInto(in("arms.csv"), NULL);
    for (int i = 0; i < 5; i++) {
        Scene *scene = sceneChain(1, SCENE_HANGING);
        ksInspector *inspector = inspect(scene->world);
        CHECK_OK(ksTraceWatch(trace, inspector, given[i]));
        runScene(scene, inspector, 1);
        CHECK_OK(ksTraceFlush(trace));
        ksInspectorDestroy(inspector);
        sceneDestroy(scene);
    }
    CHECK_OK(ksTraceClose(trace));
    Sheet sheet = readSheet(in("arms.csv"));
    for (int i = 0; i < 5; i++)
        ck_assert_str_eq(cell(&sheet, 1 + i, "world"), name[i]);
    freeSheet(&sheet);
}
END_TEST

START_TEST(badArgumentsAreRefused)
{
    ksTrace *trace = NULL;
    ksTraceOptions options = traceOptions();
    CHECK_STATUS(ksTraceCreate(NULL, NULL, &trace), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksTraceCreate(in("a.csv"), NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksTraceCreate(in("a.txt"), NULL, &trace), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), ".csv, .h5, .hdf5, .mcap or .json"));
    options.every = 0;
    CHECK_STATUS(ksTraceCreate(in("a.csv"), &options, &trace), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "every"));
    options = traceOptions();
    options.end = NAN;
    CHECK_STATUS(ksTraceCreate(in("a.csv"), &options, &trace), KS_ERROR_BAD_ARGUMENT);
    options = traceOptions();
    options.size--;
    CHECK_STATUS(ksTraceCreate(in("a.csv"), &options, &trace), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksTraceWatch(NULL, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksTraceFlush(NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksTraceClose(NULL));
    ck_assert_int_eq(access(in("a.csv"), F_OK), -1);
    options = traceOptions();
    options.format = KS_TRACE_CSV;
    CHECK_OK(ksTraceCreate(in("a.txt"), &options, &trace));
    CHECK_OK(ksTraceClose(trace));
    ck_assert_int_eq(access(in("a.txt.steps.csv"), F_OK), 0);
}
END_TEST

/* --- other writers */

/* Two writers of one file would mix their lines. */
START_TEST(aFileIsWrittenByOne)
{
    static const char *const name[] = {"one.csv", "one.mcap", "one.json"};
    const char *path = name[_i];
    ksTrace *second;
    Traced t = traceScene(sceneChain(2, SCENE_FALLING), path, NULL, NULL);
    runTraced(&t, 3);
    CHECK_OK(ksTraceFlush(t.trace));
    CHECK_STATUS(ksTraceCreate(in(path), NULL, &second), KS_ERROR_FILE);
    ck_assert_msg(strstr(ksErrorMessage(), "another program has it open") != NULL, "%s", ksErrorMessage());
    runTraced(&t, 3);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
    if (_i == 0)
        ck_assert_int_eq(lineCount(in(path)), 12);
    CHECK_OK(ksTraceCreate(in(path), NULL, &second));
    CHECK_OK(ksTraceClose(second));
}
END_TEST

/* --- order of destruction */

START_TEST(traceMayGoFirst)
{
    Traced t = traceScene(sceneChain(2, SCENE_FALLING), "chain.csv", NULL, NULL);
    runTraced(&t, 3);
    CHECK_OK(ksTraceClose(t.trace));
    ck_assert_int_eq(lineCount(in("chain.csv")), 6);
    runTraced(&t, 3);
    // a second trace of the same inspector
    ksTrace *again = traceInto(in("again.csv"), NULL);
    CHECK_OK(ksTraceWatch(again, t.inspector, NULL));
    runTraced(&t, 2);
    CHECK_OK(ksTraceClose(again));
    dropScene(&t);
    ck_assert_int_eq(lineCount(in("chain.csv")), 6);
    ck_assert_int_eq(lineCount(in("again.csv")), 4);
}
END_TEST

START_TEST(inspectorMayGoFirst)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ksTrace *trace = traceInto(in("chain.csv"), NULL);
    for (int i = 0; i < 2; i++) {
        ksInspector *inspector = inspect(scene->world);
        CHECK_OK(ksTraceWatch(trace, inspector, "chain"));
        runScene(scene, inspector, 3);
        ksInspectorDestroy(inspector);
    }
    sceneDestroy(scene);
    CHECK_OK(ksTraceFlush(trace));
    ck_assert_int_eq(lineCount(in("chain.csv")), 12);
    CHECK_OK(ksTraceClose(trace));
    ck_assert_int_eq(lineCount(in("chain.csv")), 12);
}
END_TEST

static void closeTrace(const ksStepReport *report, void *user)
{
    ksTrace **trace = user;
    (void)report;
    CHECK_OK(ksTraceClose(*trace));
    *trace = NULL;
}

START_TEST(traceMayGoInACallback)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    ksTrace *trace = traceInto(in("chain.csv"), NULL);
    CHECK_OK(ksInspectorOnStep(inspector, closeTrace, &trace));
    CHECK_OK(ksTraceWatch(trace, inspector, NULL));
    runScene(scene, inspector, 3);
    ck_assert_int_eq(lineCount(in("chain.csv")), 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* --- errors */

/* A trace into a full device: the host continues, and Flush and Close return the error. */
START_TEST(fullDiskIsTold)
{
    ck_assert_int_eq(symlink("/dev/full", in("chain.csv")), 0);
    ksTraceOptions options = traceOptions();
    options.flushSteps = 2;
    Traced t = traceScene(sceneChain(2, SCENE_FALLING), "chain.csv", &options, NULL);
    errno = 0;
    runTraced(&t, 5);
    ck_assert_int_eq(errno, 0);
    CHECK_STATUS(ksTraceFlush(t.trace), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "ksTraceFlush: "));
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), strerror(ENOSPC)));
    CHECK_STATUS(ksTraceClose(t.trace), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "ksTraceClose: "));
    dropScene(&t);
}
END_TEST

START_TEST(missingFolderIsTold)
{
    ksTrace *trace = NULL;
    CHECK_STATUS(ksTraceCreate(in("nowhere/chain.csv"), NULL, &trace), KS_ERROR_FILE);
    ck_assert_ptr_null(trace);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), strerror(ENOENT)));
}
END_TEST

START_TEST(limitOfFilesDoesNotEndTheHost)
{
    ksTraceOptions options = traceOptions();
    options.flushSteps = 5;
    Traced t = traceScene(sceneChain(5, SCENE_FALLING), "chain.csv", &options, NULL);
    limitFiles(40000);
    for (int i = 0; i < 100; i++)
        (void)ksInspectorQuickStep(t.inspector, stepSize);
    const ksStatus status = ksTraceClose(t.trace);
    limitFiles(INFINITY);
    CHECK_STATUS(status, KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), strerror(EFBIG)));
    // the written lines are complete
    const int lines = lineCount(in("chain.csv"));
    ck_assert_int_gt(lines, 0);
    ck_assert_int_eq(lines % 25, 0);
    dropScene(&t);
}
END_TEST

/* A child has a copy of the trace, and neither writes nor waits. */
START_TEST(childWritesNothing)
{
    ksTraceOptions options = traceOptions();
    options.flushSteps = 1;
    Traced t = traceScene(sceneChain(2, SCENE_FALLING), "chain.csv", &options, NULL);
    runTraced(&t, 3);
    const pid_t child = fork();
    if (child == 0) {
        runTraced(&t, 3);
        _exit(ksTraceFlush(t.trace) || ksTraceClose(t.trace));
    }
    waitForChild(child);
    runTraced(&t, 1);
    CHECK_OK(ksTraceClose(t.trace));
    ck_assert_int_eq(lineCount(in("chain.csv")), 8);
    dropScene(&t);
}
END_TEST

START_TEST(hostStaysAsItIs)
{
    ksTraceOptions options = traceOptions();
    options.flushSteps = 1;
    Traced t = traceScene(car(), "car.csv", &options, NULL);
    feclearexcept(FE_ALL_EXCEPT);
    sceneBeforeStep(t.scene);
    const int before = fetestexcept(FE_ALL_EXCEPT);
    CHECK_OK(ksTraceFlush(t.trace));
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), before);
    sceneAfterStep(t.scene);
    dropScene(&t);

    Scene *traced = car();
    t = (Traced){traced, inspect(traced->world), t.trace};
    CHECK_OK(ksTraceWatch(t.trace, t.inspector, NULL));
    runTraced(&t, 100);
    Scene *plain = car();
    for (int i = 0; i < 100; i++)
        sceneStep(plain, dWorldQuickStep, stepSize);
    ck_assert(sceneSameState(traced, plain));
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
    sceneDestroy(plain);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("trace");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_test(tcase, jointsAndStepsAreChosen);
    tcase_add_test(tcase, worldsAreApart);
    tcase_add_test(tcase, worldsOfOneNameAreApart);
    tcase_add_test(tcase, badArgumentsAreRefused);
    tcase_add_test(tcase, traceMayGoFirst);
    tcase_add_loop_test(tcase, aFileIsWrittenByOne, 0, 3);
    tcase_add_test(tcase, inspectorMayGoFirst);
    tcase_add_test(tcase, traceMayGoInACallback);
    tcase_add_test(tcase, fullDiskIsTold);
    tcase_add_test(tcase, missingFolderIsTold);
    tcase_add_test(tcase, limitOfFilesDoesNotEndTheHost);
    tcase_add_test(tcase, childWritesNothing);
    tcase_add_test(tcase, hostStaysAsItIs);
    return runCase("trace", tcase);
}

/* check_trace_raw.c  A host's recording, judged later, gives the host's report to the bit. Steps
 * that cannot be recorded are reported. A writer that is killed or forks leaves a readable file. */
#define _GNU_SOURCE
#include "tests/kits/report/trace_kit.h"

#include "plugin/report/recording/archive.h"
#include "plugin/report/recording/judge.h"

#include <errno.h>
#include <hdf5.h>
#include <kinetostat/report.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { EVERY = 7 };

/* The options of the command's judge, with advice. */
static ksInspectorOptions judgesOptions(void)
{
    ksiJudgeOptions options;
    ksiJudgeOptionsInit(&options);
    return options.inspector;
}

static ksReport *reportOn(ksInspector *inspector)
{
    ksReportOptions options;
    ksReportOptionsInit(&options);
    options.adviseEvery = EVERY;
    ksReport *report;
    CHECK_OK(ksReportCreate(&options, &report));
    if (inspector)
        CHECK_OK(ksReportWatch(report, inspector, NULL));
    return report;
}

static char *jsonOf(const ksReport *report)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    CHECK_OK(ksReportPrint(report, KS_REPORT_JSON, stream));
    fclose(stream);
    return text;
}

static ksTraceOptions rawOptions(void)
{
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_RAW;
    return options;
}

static ksTrace *watchRaw(const char *path, const ksTraceOptions *options, ksInspector *inspector)
{
    const ksTraceOptions usual = rawOptions();
    ksTrace *trace = traceInto(path, options ? options : &usual);
    CHECK_OK(ksTraceWatch(trace, inspector, NULL));
    return trace;
}

/* The contents of a file. */
typedef struct Found {
    size_t records, judged, extra, ends;
    uint64_t first, last, total; /* judged steps; the total by the end record */
    ksReport *report;
} Found;

static void judgeRecord(Found *found, ksiJudge *judge, const ksiStepRecord *record, uint64_t *seen)
{
    if (record->step > *seen && (!record->isExtra || ksiIsEnd(record)))
        ksiReportSkipSteps(found->report, 0, record->step - *seen);
    *seen = record->step + !record->isExtra;
    found->ends += ksiIsEnd(record);
    if (ksiIsEnd(record)) {
        found->total = record->step;
        return;
    }
    found->extra += record->isExtra != 0;
    if (!record->isExtra) {
        found->first = found->judged == 0 ? record->step : found->first;
        found->last = record->step;
        found->judged++;
    }
    CHECK_OK(ksiJudgeStep(judge, record));
}

/* Judges one world as `kinetostat judge` does. The caller destroys the report. */
static Found judgeFile(const char *path)
{
    char words[KSI_ARCHIVE_WORDS];
    ksiArchive *archive = ksiArchiveOpen(path, words);
    ck_assert_msg(archive != NULL, "%s", words);
    ksiJudgeOptions options;
    ksiJudgeOptionsInit(&options);
    options.adviseEvery = EVERY;
    Found found = {.records = ksiArchiveCount(archive), .report = reportOn(NULL)};
    size_t world;
    CHECK_OK(ksiReportAddWorld(found.report, NULL, &world));
    ksiJudge *judge;
    CHECK_OK(ksiJudgeCreate(&options, found.report, world, &judge));
    uint64_t seen = 0;
    for (size_t i = 0; i < found.records; i++) {
        unsigned process;
        const ksiStepRecord *record;
        CHECK_OK(ksiArchiveRead(archive, i, &record, &process));
        ck_assert_ptr_nonnull(record);
        ck_assert_uint_eq(process, 0);
        judgeRecord(&found, judge, record, &seen);
    }
    ksiJudgeDestroy(judge);
    ck_assert(ksiArchiveClose(archive));
    return found;
}

static void step(Scene *scene, ksInspector *inspector, ksStepper stepper)
{
    sceneBeforeStep(scene);
    CHECK_OK(inspectedStep(inspector, stepper, stepSize));
    sceneAfterStep(scene);
}

static Scene *makeScene(int which)
{
    dRandSetSeed(1);
    return which == 0 ? sceneChain(6, SCENE_FALLING) : which == 1 ? car() : sceneZoo();
}

/* Scenes by both steppers. The report includes the table of iterations. */
START_TEST(judgedAsTheHostWas)
{
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    const int steps = 120;
    Scene *scene = makeScene(_i / 2);
    const ksInspectorOptions options = judgesOptions();
    ksInspector *inspector = inspectWith(scene->world, &options);
    ksReport *report = reportOn(inspector);
    ksTrace *trace = watchRaw(in("a.h5"), NULL, inspector);
    for (int i = 0; i < steps; i++)
        step(scene, inspector, stepper);
    CHECK_OK(ksTraceClose(trace));
    const Found found = judgeFile(in("a.h5"));
    ck_assert_uint_eq(found.records, steps + 1);
    ck_assert_uint_eq(found.judged, steps);
    ck_assert_uint_eq(found.ends, 1);
    char *expected = jsonOf(report), *judged = jsonOf(found.report);
    ck_assert_str_eq(judged, expected);
    ck_assert_ptr_nonnull(strstr(expected, "\"iterations\":1000"));
    free(expected);
    free(judged);
    ksReportDestroy(found.report);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The recording has the names, as they are in each step. */
START_TEST(namesAreRecorded)
{
    Scene *scene = makeScene(0);
    const ksInspectorOptions options = judgesOptions();
    ksInspector *inspector = inspectWith(scene->world, &options);
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[0], "shoulder"));
    ksReport *report = reportOn(inspector);
    ksTrace *trace = watchRaw(in("a.h5"), NULL, inspector);
    runScene(scene, inspector, 20);
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[2], "wrist"));
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[3], "hand"));
    runScene(scene, inspector, 20);
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[3], NULL));
    runScene(scene, inspector, 20);
    CHECK_OK(ksTraceClose(trace));
    const Found found = judgeFile(in("a.h5"));
    char *expected = jsonOf(report), *judged = jsonOf(found.report);
    ck_assert_str_eq(judged, expected);
    ck_assert_ptr_nonnull(strstr(judged, "\"shoulder\""));
    ck_assert_ptr_nonnull(strstr(judged, "\"wrist\""));
    free(expected);
    free(judged);
    ksReportDestroy(found.report);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Parameters by name, from the environment and from the host, which takes precedence: before and
 * after the head is written. */
START_TEST(parametersAreRecorded)
{
    static const char *const expected[] = {"gain=", "large=1", "mass=2.5", "massive=yes", "seed=-1e3"};
    enum { COUNT = sizeof expected / sizeof *expected };
    char words[KSI_ARCHIVE_WORDS], large[3000];
    Scene *scene = makeScene(0);
    ksInspector *inspector = inspect(scene->world);
    ck_assert(!setenv("KINETOSTAT_PARAM_seed", "-1e3", 1) && !setenv("KINETOSTAT_PARAM_mass", "1", 1) &&
              !setenv("KINETOSTAT_PARAM_", "nameless", 1) && !setenv("KINETOSTAT", "other", 1));
    const ksTraceOptions options = rawOptions();
    ksTrace *trace = traceInto(in("a.h5"), &options);
    CHECK_OK(ksTraceSetParameter(trace, "massive", "yes"));
    CHECK_OK(ksTraceSetParameter(trace, "gain", "3"));
    CHECK_OK(ksTraceWatch(trace, inspector, NULL));
    CHECK_OK(ksTraceSetParameter(trace, "mass", "2.5"));
    CHECK_OK(ksTraceSetParameter(trace, "gain", ""));
    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = 0;
    const char *const refused[][2] = {{"", "1"},    {"a=b", "1"}, {"large", large},
                                      {large, "1"}, {NULL, "1"},  {"a", NULL}};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        CHECK_STATUS(ksTraceSetParameter(trace, refused[i][0], refused[i][1]), KS_ERROR_BAD_ARGUMENT);
    large[1500] = 0;
    CHECK_OK(ksTraceSetParameter(trace, "large", large));
    CHECK_STATUS(ksTraceSetParameter(trace, "larger", large), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksTraceSetParameter(trace, "large", "1"));
    CHECK_STATUS(ksTraceSetParameter(NULL, "a", "1"), KS_ERROR_BAD_ARGUMENT);
    runScene(scene, inspector, 5);
    CHECK_OK(ksTraceClose(trace));
    ksiArchive *archive = ksiArchiveOpen(in("a.h5"), words);
    ck_assert_msg(archive != NULL, "%s", words);
    const ksiRun *run = ksiArchiveRun(archive);
    const char *at = ksiRunNextParameter(run, NULL);
    for (int i = 0; i < COUNT; i++, at = ksiRunNextParameter(run, at)) {
        ck_assert_ptr_nonnull(at);
        ck_assert_str_eq(at, expected[i]);
    }
    ck_assert_ptr_null(at);
    ck_assert(ksiArchiveClose(archive));
    trace = traceInto(in("a.csv"), NULL);
    CHECK_STATUS(ksTraceSetParameter(trace, "mass", "2.5"), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksTraceClose(trace));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Nested brackets of inspectors, each with a recording: both recordings are equal. */
START_TEST(bracketsMayNest)
{
    Scene *scene = makeScene(0);
    const ksInspectorOptions options = judgesOptions();
    ksInspector *inspector[2];
    ksTrace *trace[2];
    const char *path[2] = {in("a.h5"), in("b.h5")};
    for (int i = 0; i < 2; i++) {
        inspector[i] = inspectWith(scene->world, &options);
        trace[i] = watchRaw(path[i], NULL, inspector[i]);
    }
    for (int i = 0; i < 20; i++) {
        CHECK_OK(ksInspectorBeginStep(inspector[0], KS_QUICK_STEP, stepSize));
        CHECK_OK(ksInspectorBeginStep(inspector[1], KS_QUICK_STEP, stepSize));
        ck_assert(dWorldQuickStep(scene->world, stepSize));
        CHECK_STATUS(ksInspectorEndStep(inspector[0]), KS_ERROR_BRACKET);
        CHECK_OK(ksInspectorEndStep(inspector[1]));
        CHECK_OK(ksInspectorEndStep(inspector[0]));
    }
    char *json[2];
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ksTraceClose(trace[i]));
        const Found found = judgeFile(path[i]);
        ck_assert_uint_eq(found.judged, 20);
        json[i] = jsonOf(found.report);
        ksReportDestroy(found.report);
        ksInspectorDestroy(inspector[i]);
    }
    ck_assert_str_eq(json[0], json[1]);
    ck_assert_ptr_nonnull(strstr(json[0], "\"iterations\":1000"));
    free(json[0]);
    free(json[1]);
    sceneDestroy(scene);
}
END_TEST

/* Chosen steps: each comes with the step before it, unless that was chosen as well. */
START_TEST(stepsAreChosen)
{
    Scene *scene = makeScene(0);
    ksInspector *inspector = inspect(scene->world);
    ksTraceOptions options = rawOptions();
    options.every = 10;
    ksTrace *tenth = watchRaw(in("tenth.h5"), &options, inspector);
    options.every = 1;
    options.begin = 20.5 * stepSize;
    options.end = 30.5 * stepSize;
    ksTrace *window = watchRaw(in("window.h5"), &options, inspector);
    runScene(scene, inspector, 50);
    ksTrace *late = watchRaw(in("late.h5"), NULL, inspector);
    runScene(scene, inspector, 50);
    ksInspectorDestroy(inspector);
    CHECK_OK(ksTraceClose(tenth));
    CHECK_OK(ksTraceClose(window));
    CHECK_OK(ksTraceClose(late));
    const Found a = judgeFile(in("tenth.h5")), b = judgeFile(in("window.h5")), c = judgeFile(in("late.h5"));
    ck_assert_uint_eq(a.judged, 10);
    ck_assert_uint_eq(a.extra, 10);  // the last one precedes a step that did not come
    ck_assert_uint_eq(a.last, 90);
    ck_assert_uint_eq(a.total, 100);
    ck_assert_uint_eq(b.judged, 10);
    ck_assert_uint_eq(b.extra, 1);
    ck_assert_uint_eq(b.first, 21);
    ck_assert_uint_eq(c.judged, 49);
    ck_assert_uint_eq(c.extra, 1);
    ck_assert_uint_eq(c.first, 51);
    ck_assert_uint_eq(c.total, 100);
    ksReportDestroy(a.report);
    ksReportDestroy(b.report);
    ksReportDestroy(c.report);
    sceneDestroy(scene);
}
END_TEST

/* The other steps are recorded, and after the gap one more step before the next chosen one. */
START_TEST(exactStepsAreTold)
{
    Scene *scene = makeScene(0);
    ksInspector *inspector = inspect(scene->world);
    ksTrace *trace = watchRaw(in("a.h5"), NULL, inspector);
    for (int i = 0; i < 20; i++)
        step(scene, inspector, i == 8 || i == 9 ? KS_EXACT_STEP : KS_QUICK_STEP);
    CHECK_STATUS(ksTraceFlush(trace), KS_ERROR_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "2 steps of ksInspectorExactStep are not in the file"));
    CHECK_STATUS(ksTraceClose(trace), KS_ERROR_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "2 steps of ksInspectorExactStep are not in the file"));
    const Found found = judgeFile(in("a.h5"));
    ck_assert_uint_eq(found.judged, 17);
    ck_assert_uint_eq(found.extra, 1);
    ck_assert_uint_eq(found.total, 20);
    ksReportDestroy(found.report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(badArgumentsAreRefused)
{
    ksTrace *trace = NULL;
    ksTraceOptions options = rawOptions();
    CHECK_STATUS(ksTraceCreate(in("a.csv"), &options, &trace), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "needs HDF5"));
    options.joints = "elbow";
    CHECK_STATUS(ksTraceCreate(in("a.h5"), &options, &trace), KS_ERROR_BAD_ARGUMENT);
    options = rawOptions();
    options.jointTypes = 1u << dJointTypeHinge;
    CHECK_STATUS(ksTraceCreate(in("a.h5"), &options, &trace), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "all joints"));
    options = rawOptions();
    options.level = (ksTraceLevel)(KS_TRACE_RAW + 1);
    CHECK_STATUS(ksTraceCreate(in("a.h5"), &options, &trace), KS_ERROR_BAD_ARGUMENT);
    options = rawOptions();
    CHECK_STATUS(ksTraceCreate(in("nowhere/a.h5"), &options, &trace), KS_ERROR_FILE);
    ck_assert_ptr_null(trace);
    // without a world the file is empty
    trace = traceInto(in("a.h5"), &options);
    CHECK_OK(ksTraceFlush(trace));
    CHECK_OK(ksTraceClose(trace));
}
END_TEST

static herr_t countErrors(hid_t stack, void *count)
{
    (void)stack;
    ++*(int *)count;
    return 0;
}

/* The host's motion, feedback, random numbers, and handler of HDF5 errors do not change. */
START_TEST(hostStaysAsItIs)
{
    int errors = 0;
    H5Eset_auto2(H5E_DEFAULT, countErrors, &errors);
    Scene *plain = sceneZoo(), *recorded = sceneZoo();
    ksInspector *inspector = inspect(recorded->world);
    ksReport *report = reportOn(inspector);
    ksTrace *trace = watchRaw(in("a.h5"), NULL, inspector);
    dJointFeedback expected[2], found[2];
    memset(expected, 0x5a, sizeof expected);
    memset(found, 0x5a, sizeof found);
    for (int i = 0; i < 2; i++) {
        dJointSetFeedback(plain->joint[i], &expected[i]);
        dJointSetFeedback(recorded->joint[i], &found[i]);
    }
    for (int i = 0; i < 60; i++) {
        const unsigned long seed = dRandGetSeed();
        sceneBeforeStep(plain);
        ck_assert(dWorldQuickStep(plain->world, stepSize));
        sceneAfterStep(plain);
        const unsigned long after = dRandGetSeed();
        dRandSetSeed(seed);
        step(recorded, inspector, KS_QUICK_STEP);
        ck_assert_uint_eq(dRandGetSeed(), after);
        ck_assert(sceneSameState(plain, recorded));
        ck_assert_mem_eq(expected, found, sizeof found);
        ck_assert_ptr_eq(dJointGetFeedback(recorded->joint[1]), &found[1]);
        ck_assert_ptr_null(dJointGetFeedback(recorded->joint[2]));
    }
    CHECK_OK(ksTraceClose(trace));
    char *json = jsonOf(report);
    ck_assert_ptr_nonnull(strstr(json, "\"iterations\":1000"));
    free(json);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(plain);
    sceneDestroy(recorded);
    H5E_auto2_t handler;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &handler, &data);
    ck_assert(handler == countErrors);
    ck_assert_ptr_eq(data, &errors);
    ck_assert_int_eq(errors, 0);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}
END_TEST

/* Also within a bracket: the host has its feedback, and the file all complete steps. */
START_TEST(eitherMayGoFirst)
{
    Scene *scene = makeScene(0);
    dJointFeedback mine;
    dJointSetFeedback(scene->joint[0], &mine);
    ksInspector *inspector = inspect(scene->world);
    ksTrace *first = watchRaw(in("first.h5"), NULL, inspector), *last = watchRaw(in("last.h5"), NULL, inspector);
    runScene(scene, inspector, 10);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, stepSize));
    CHECK_OK(ksTraceClose(first));
    ck_assert(dWorldQuickStep(scene->world, stepSize));
    CHECK_OK(ksInspectorEndStep(inspector));
    runScene(scene, inspector, 4);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_QUICK_STEP, stepSize));
    ksInspectorDestroy(inspector);
    ck_assert_ptr_eq(dJointGetFeedback(scene->joint[0]), &mine);
    sceneDestroy(scene);
    CHECK_OK(ksTraceClose(last));
    const Found a = judgeFile(in("first.h5")), b = judgeFile(in("last.h5"));
    ck_assert_uint_eq(a.judged, 10);
    ck_assert_uint_eq(a.total, 10);
    ck_assert_uint_eq(b.judged, 15);
    ck_assert_uint_eq(b.total, 15);
    ksReportDestroy(a.report);
    ksReportDestroy(b.report);
}
END_TEST

START_TEST(fullDiskIsTold)
{
    enum { STEPS = 600 };
    const rlim_t room[] = {6000000, 2000000, 8000000,
                           1400000, 1500000, 2000000};  // the last ones are for chunks that wait to be packed
    struct rlimit limit = {room[_i], RLIM_INFINITY}, none = {RLIM_INFINITY, RLIM_INFINITY};
    Scene *scene = makeScene(2);
    ksInspector *inspector = inspect(scene->world);
    ksTraceOptions options = rawOptions();
    options.flushSteps = _i / 3 ? 0 : 10;
    options.compression = _i / 3 ? 1 : 0;
    ksTrace *trace = watchRaw(in("a.h5"), &options, inspector);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    runScene(scene, inspector, STEPS);
    const ksStatus status = ksTraceClose(trace);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &none), 0);
    CHECK_STATUS(status, KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), strerror(EFBIG)));
    const Found found = judgeFile(in("a.h5"));
    ck_assert_uint_gt(found.judged, 10);
    ck_assert_uint_lt(found.judged, STEPS);
    ksReportDestroy(found.report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* FNV-1a of all bytes of a file. */
static uint64_t hashOf(const char *path)
{
    uint64_t hash = 0xcbf29ce484222325u;
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    for (int c; (c = getc(file)) != EOF;)
        hash = (hash ^ (unsigned)c) * 0x100000001b3u;
    fclose(file);
    return hash;
}

/* A child that steps the world, and ends by exit, where HDF5 closes open files. */
START_TEST(childLeavesTheFileAlone)
{
    Scene *scene = makeScene(0);
    ksInspector *inspector = inspect(scene->world);
    ksTraceOptions options = rawOptions();
    options.flushSteps = 10;
    ksTrace *trace = watchRaw(in("a.h5"), &options, inspector);
    runScene(scene, inspector, 25);
    const uint64_t before = hashOf(in("a.h5"));
    const pid_t child = fork();
    if (child == 0) {
        runScene(scene, inspector, 15);
        CHECK_OK(ksTraceClose(trace));
        ksInspectorDestroy(inspector);
        sceneDestroy(scene);
        exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    ck_assert_uint_eq(hashOf(in("a.h5")), before);
    runScene(scene, inspector, 25);
    CHECK_OK(ksTraceClose(trace));
    const Found found = judgeFile(in("a.h5"));
    ck_assert_uint_eq(found.judged, 50);
    ck_assert_uint_eq(found.total, 50);
    ksReportDestroy(found.report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static void writeForever(const char *path, int pipe)
{
    Scene *scene = makeScene(1);
    ksInspector *inspector = inspect(scene->world);
    ksTraceOptions options = rawOptions();
    options.flushSteps = 5;
    watchRaw(path, &options, inspector);
    for (int steps = 1;; steps++) {
        runScene(scene, inspector, 1);
        if (steps % 5 == 0 && write(pipe, &steps, sizeof steps) < 0)
            _exit(1);
    }
}

START_TEST(killedWriterLeavesAllThatWasFlushed)
{
    int pipes[2], told = 0, now, status;
    ck_assert_int_eq(pipe(pipes), 0);
    const pid_t writer = fork();
    if (writer == 0)
        writeForever(in("a.h5"), pipes[1]);
    close(pipes[1]);
    while (told < 40 + 10 * _i)
        ck_assert_int_eq(read(pipes[0], &told, sizeof told), sizeof told);
    usleep((useconds_t)(1000 * (_i * 13 % 10)));
    ck_assert_int_eq(kill(writer, SIGKILL), 0);
    ck_assert_int_eq(waitpid(writer, &status, 0), writer);
    ck_assert_int_eq(WTERMSIG(status), SIGKILL);
    while (read(pipes[0], &now, sizeof now) == sizeof now)
        told = now;
    close(pipes[0]);
    const Found found = judgeFile(in("a.h5"));
    ck_assert_uint_ge(found.judged, (size_t)told);
    ck_assert_uint_eq(found.ends, 0);
    ksReportDestroy(found.report);
}
END_TEST

/* A record's words are flushed before the column with its end. */
START_TEST(recordsWithoutAnEndAreLeftOut)
{
    const hsize_t told = 12;
    Scene *scene = makeScene(1);
    ksInspector *inspector = inspect(scene->world);
    ksTrace *trace = watchRaw(in("a.h5"), NULL, inspector);
    runScene(scene, inspector, 15);
    CHECK_OK(ksTraceClose(trace));
    const hid_t file = H5Fopen(in("a.h5"), H5F_ACC_RDWR, H5P_DEFAULT), ends = H5Dopen2(file, "end", H5P_DEFAULT);
    ck_assert_int_ge(H5Dset_extent(ends, &told), 0);
    H5Dclose(ends);
    H5Fclose(file);
    const Found found = judgeFile(in("a.h5"));
    ck_assert_uint_eq(found.judged, told);
    ksReportDestroy(found.report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace_raw");
    TCase *tcase = tcase_create("trace_raw");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_loop_test(tcase, judgedAsTheHostWas, 0, 1);
    tcase_add_test(tcase, namesAreRecorded);
    tcase_add_test(tcase, parametersAreRecorded);
    tcase_add_test(tcase, bracketsMayNest);
    tcase_add_test(tcase, stepsAreChosen);
    tcase_add_test(tcase, exactStepsAreTold);
    tcase_add_test(tcase, badArgumentsAreRefused);
    tcase_add_test(tcase, hostStaysAsItIs);
    tcase_add_test(tcase, eitherMayGoFirst);
    tcase_add_test(tcase, childLeavesTheFileAlone);
    tcase_add_test(tcase, recordsWithoutAnEndAreLeftOut);
    suite_add_tcase(suite, tcase);
    TCase *many = tcase_create("many steps");
    tcase_set_tags(many, "each");
    tcase_add_checked_fixture(many, makeFolder, removeFolder);
    tcase_add_loop_test(many, judgedAsTheHostWas, 1, 6);
    tcase_add_loop_test(many, fullDiskIsTold, 0, 6);
    tcase_add_loop_test(many, killedWriterLeavesAllThatWasFlushed, 0, 4);
    suite_add_tcase(suite, many);
    return runSuite(suite);
}

/* check_report_data.c  Reports as data: what is read is what was written, to the bit; parts in any order and grouping add up to the whole; what
 * does not go together, or is damaged, is refused in words; tables of many runs. */
#define _GNU_SOURCE
#include "report_kit.h"

#include "plugin/report/checksum.h"
#include "plugin/report/compare.h"
#include "plugin/report/data.h"
#include "plugin/report/loads.h"
#include "plugin/report/stats.h"

enum { PARTS = 5, STEPS = 280, MAGIC_BYTES = 20 };

typedef struct Bytes {
    char *at;
    size_t count;
} Bytes;

static Bytes dataOf(const ksReport *report)
{
    Bytes made = {NULL, 0};
    FILE *stream = open_memstream(&made.at, &made.count);
    CHECK_OK(ksReportPrint(report, KS_REPORT_DATA, stream));
    fclose(stream);
    return made;
}

static ksReport *readFrom(const char *path, Bytes bytes)
{
    ksReport *report = NULL;
    const ksStatus status = ksiReadData(path, bytes.at, bytes.count, &report);
    ck_assert_msg(status == KS_OK, "%s", ksErrorMessage());
    return report;
}

static bool isSame(Bytes a, Bytes b)
{
    return a.count == b.count && memcmp(a.at, b.at, a.count) == 0;
}

/* A run by its file; shard < 0: whole. */
static ksiRun runOf(const char *file, int shard)
{
    ksiRun run = {.isOver = 1, .identity = 7};
    snprintf(run.program, sizeof run.program, "walker");
    snprintf(run.begun, sizeof run.begun, "2026-11-26T07:00:00Z");
    snprintf(run.file, sizeof run.file, "%s", file);
    if (shard >= 0) {
        run.shards = PARTS;
        run.shard[0] = UINT64_C(1) << shard;
    }
    return run;
}

static ksReport *reportOn(const ksiRun *run)
{
    size_t world;
    ksReport *report = newReport(NULL);
    CHECK_OK(ksiReportAddWorld(report, "world 1", &world));
    if (run) {
        CHECK_OK(ksiReportSetRun(report, 0, run));
        ksiReportPlaceWorld(report, world, 0, 0);
    }
    return report;
}

/* A ragdoll that falls on the ground, by turns in the whole and in one of the parts. */
static void judge(ksReport *const report[1 + PARTS], int steps)
{
    Scene *scene = sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    ksInspectorOptions options = defaultOptions();
    options.estimateSweeps = 10;
    ksInspector *inspector = inspectWith(scene->world, &options);
    ksiNaming *naming = ksiNamingCreate(NULL);
    dRandSetSeed(1);
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(i % 7 ? ksInspectorQuickStep(inspector, 2 * h) : ksInspectorStep(inspector, h));
        sceneAfterStep(scene);
        if (i == 100)
            CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], "elbow"));
        CHECK_OK(ksiNamingUpdate(naming, inspector));
        for (int k = 0; k < 2; k++) {
            ksReport *to = report[k ? 1 + i / 16 % PARTS : 0];
            CHECK_OK(ksiReportAddStep(to, 0, inspector, naming, NULL));
            if (i % 10 == 0)
                CHECK_OK(
                    ksiReportAdvise(to, 0, 10 + 10 * (i % 3), i % 4 ? KSI_ALONE : KSI_IN_A_ROW, inspector, naming));
        }
    }
    ksiNamingDestroy(naming);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

static void sameMoment(const ksiMoment *a, const ksiMoment *b)
{
    ck_assert(a->isKnown == b->isKnown && a->step == b->step && a->isAtAnchor == b->isAtAnchor);
    ck_assert(memcmp(&a->time, &b->time, sizeof a->time) == 0 && memcmp(&a->value, &b->value, sizeof a->value) == 0 &&
              memcmp(&a->bar, &b->bar, sizeof a->bar) == 0 && memcmp(a->wrench, b->wrench, sizeof a->wrench) == 0);
}

/* Each bit of it, where documents have nine digits. */
static void sameNumbers(const ksReport *a, const ksReport *b)
{
    const ksiWorldStats *x = a->world[0], *y = b->world[0];
    ck_assert(x->firstTime == y->firstTime && x->lastTime == y->lastTime && x->leastStepSize == y->leastStepSize &&
              x->erp == y->erp && x->cfm == y->cfm && x->stepSize.largest == y->stepSize.largest);
    ck_assert_uint_eq(x->jointCount, y->jointCount);
    for (size_t i = 0; i < x->jointCount; i++) {
        const ksiJointStats *p = x->joint[i], *q = y->joint[i];
        ck_assert(p->massRatio == q->massRatio && p->complianceShare == q->complianceShare && p->cfm == q->cfm);
        for (int k = 0; k < KSI_ERRORS; k++)
            sameMoment(&p->worst[k], &q->worst[k]);
        for (int k = 0; k < KSI_SIZES; k++)
            sameMoment(&p->peak[k], &q->peak[k]);
        const ksiJointBucket *m = (const void *)p->timeline.bucket, *n = (const void *)q->timeline.bucket;
        ck_assert_uint_eq(p->timeline.count, q->timeline.count);
        for (size_t k = 0; k < p->timeline.count; k++)
            for (int v = 0; v < KSI_VALUES; v++)
                ck_assert(m[k].force[v].least == n[k].force[v].least &&
                          m[k].force[v].largest == n[k].force[v].largest &&
                          m[k].torqueBar[v].largest == n[k].torqueBar[v].largest);
    }
}

/* By any tree of merges, each of whose results is written and read again. */
START_TEST(parts_add_up_in_any_order)
{
    const ksiRun whole = runOf("run.h5", -1);
    ksReport *report[1 + PARTS] = {reportOn(&whole)};
    Bytes part[PARTS];
    for (int i = 0; i < PARTS; i++) {
        const ksiRun run = runOf("run.h5", i);
        report[1 + i] = reportOn(&run);
    }
    judge(report, STEPS);
    for (int i = 0; i < PARTS; i++)
        part[i] = dataOf(report[1 + i]);
    const Bytes expected = dataOf(report[0]);
    char *json = textOf(report[0], KS_REPORT_JSON);
    ksReport *copy = readFrom("whole", expected);
    sameNumbers(copy, report[0]);
    ksReportDestroy(copy);
    srand(1);
    for (int tree = 0; tree < 4; tree++) {
        Bytes left[PARTS];
        for (int i = 0; i < PARTS; i++)
            left[i] = (Bytes){memcpy(malloc(part[i].count), part[i].at, part[i].count), part[i].count};
        for (int count = PARTS; count > 1; count--) {
            const int a = rand() % count, b = (a + 1 + rand() % (count - 1)) % count;
            ksReport *into = readFrom("a", left[a]), *from = readFrom("b", left[b]), *empty = newReport(NULL);
            CHECK_OK(ksiReportMerge(empty, into));
            CHECK_OK(ksiReportMerge(empty, from));
            CHECK_OK(ksiReportSort(empty));
            free(left[a].at);
            left[a] = dataOf(empty);
            free(left[b].at);
            left[b] = left[count - 1];
            if (a == count - 1)
                left[b] = left[a];
            ksReportDestroy(into);
            ksReportDestroy(from);
            ksReportDestroy(empty);
        }
        ck_assert_msg(isSame(left[0], expected), "tree %d: not the same", tree);
        ksReport *merged = readFrom("c", left[0]);
        char *text = textOf(merged, KS_REPORT_JSON);
        ck_assert_str_eq(text, json);
        free(text);
        free(left[0].at);
        ksReportDestroy(merged);
    }
    ck_assert_ptr_nonnull(strstr(json, "\"elbow\""));
    for (int i = 0; i < PARTS; i++)
        free(part[i].at);
    for (int i = 0; i <= PARTS; i++)
        ksReportDestroy(report[i]);
    free(json);
    free(expected.at);
}
END_TEST

static void refuse(const ksiRun *a, const ksiRun *b, const char *words)
{
    ksReport *into = newReport(NULL), *first = reportOn(a), *second = reportOn(b);
    CHECK_OK(ksiReportMerge(into, first));
    CHECK_STATUS(ksiReportMerge(into, second), KS_ERROR_BAD_ARGUMENT);
    ck_assert_msg(strstr(ksErrorMessage(), words) != NULL, "%s: nothing like %s", ksErrorMessage(), words);
    ksReportDestroy(into);
    ksReportDestroy(first);
    ksReportDestroy(second);
}

/* Nothing is counted twice, and nothing that was counted otherwise. */
START_TEST(what_does_not_go_together_is_refused)
{
    const ksiRun whole = runOf("run.h5", -1), first = runOf("run.h5", 0), second = runOf("run.h5", 1);
    ksiRun other = second;
    refuse(&whole, &whole, "run.h5: is in more than one of the reports");
    refuse(&first, &first, "run.h5: part 1 of 5 is in more than one");
    refuse(&whole, &first, "in parts of 0 and in parts of 5");
    other.shards = PARTS + 1;
    refuse(&first, &other, "in parts of 5 and in parts of 6");
    other = second;
    other.turn = 3;
    refuse(&first, &other, "different lists of files");
    ksReportOptions options = reportOptions();
    options.limit.above = 0.01;
    ksReport *into = newReport(&options), *from = reportOn(&second);
    CHECK_STATUS(ksiReportMerge(into, from), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "made with other options"));
    ksReportDestroy(into);
    // a part alone says what is not there; the same file with another content is another run
    into = newReport(NULL);
    CHECK_OK(ksiReportMerge(into, from));
    char *text = textOf(into, KS_REPORT_TEXT);
    ck_assert_ptr_nonnull(strstr(text, "4 of the 5 parts in which it was judged are not here"));
    free(text);
    other = second;
    other.identity = 8;
    ksReport *another = reportOn(&other);
    CHECK_OK(ksiReportMerge(into, another));
    ck_assert_uint_eq(ksiReportRuns(into), 2);
    ksReportDestroy(into);
    ksReportDestroy(from);
    ksReportDestroy(another);
}
END_TEST

static void sealAnew(Bytes bytes)
{
    const uint32_t sum = ksiChecksumText(0, bytes.at, bytes.count - 4);
    for (int i = 0; i < 4; i++)
        bytes.at[bytes.count - 4 + (size_t)i] = (char)(sum >> 8 * i);
}

/* Each part of a file, and each with a byte changed. With a checksum that is right, it is a report or it is refused; and documents of it can be
 * written. */
START_TEST(damaged_data_is_refused)
{
    const ksiRun run = runOf("run.h5", 2);
    ksReport *report[1 + PARTS], *found = NULL;
    for (int i = 0; i <= PARTS; i++)
        report[i] = reportOn(&run);
    judge(report, 16);
    const Bytes all = dataOf(report[PARTS]);
    for (size_t count = 0; count < all.count; count += count < 1000 ? 1 : 997)
        CHECK_STATUS(ksiReadData("a", all.at, count, &found), KS_ERROR_FILE);
    for (size_t i = 0; i < all.count; i += i < 500 ? 1 : 997) {
        all.at[i] ^= 0x55;
        CHECK_STATUS(ksiReadData("a", all.at, all.count, &found), KS_ERROR_FILE);
        sealAnew(all);
        if (ksiReadData("a", all.at, all.count, &found) == KS_OK) {
            char *text = textOf(found, KS_REPORT_JSON);
            free(text);
            ksReportDestroy(found);
        }
        found = NULL;
        all.at[i] ^= 0x55;
    }
    sealAnew(all);
    ksReportDestroy(readFrom("a", all));
    all.at[MAGIC_BYTES - 2] = '9';
    CHECK_STATUS(ksiReadData("a", all.at, all.count, &found), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "a: is a report of another version"));
    CHECK_STATUS(ksiReadData("a", "{\"schema\":\"kinetostat-report\"}", 30, &found), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "a: is no report of --save"));
    for (int i = 0; i <= PARTS; i++)
        ksReportDestroy(report[i]);
    free(all.at);
}
END_TEST

/* Its report is a run when it is read: by its file, and by what its environment says. */
START_TEST(a_host_is_a_run)
{
    ksReport *report = reportOn(NULL);
    ck_assert(!setenv("KINETOSTAT_PARAM_mass", "2.5", 1));
    const Bytes bytes = dataOf(report);
    ksReport *found = readFrom("host.data", bytes);
    const ksiRun *run = ksiReportRun(found, 0);
    ck_assert_ptr_nonnull(run);
    ck_assert_str_eq(run->file, "host.data");
    ck_assert_str_eq(run->parameters, "mass=2.5");
    ck_assert_uint_ne(run->identity, 0);
    ck_assert(ksiRunIsGood(run) && ksiRunIsOfHost(run));
    // then it stays what it is, wherever it goes
    const Bytes again = dataOf(found);
    ksReport *moved = readFrom("elsewhere", again);
    ck_assert_str_eq(ksiReportRun(moved, 0)->file, "host.data");
    free(bytes.at);
    free(again.at);
    ksReportDestroy(moved);
    ksReportDestroy(found);
    ksReportDestroy(report);
}
END_TEST

/* One run with a joint whose error is always this, and with a force of each size in newtons. */
static void addRun(ksReport *report, ksiRun run, double error, double force)
{
    static const int body[2] = {1, 0};
    size_t index, world;
    run.identity = ksiReportRuns(report) + 1;
    CHECK_OK(ksiReportAddRun(report, &run, &index));
    CHECK_OK(ksiReportAddWorld(report, "world 1", &world));
    ksiReportPlaceWorld(report, world, index, 0);
    const ksAllocator *allocator = &report->allocator;
    ksiJointStats *joint = ksiJointMake(allocator, report->world[world], dJointTypeHinge, 1, body);
    ck_assert(joint && ksiHistogramAdd(allocator, &joint->error[KSI_SOLVER], error));
    for (int i = 0; i < KSI_LOADS - 1; i++)
        ck_assert(ksiHistogramAdd(allocator, &joint->force[i], force + i) &&
                  ksiHistogramAdd(allocator, &joint->torque[i], 0));
    joint->peak[KSI_FORCE] = (ksiMoment){.isKnown = true, .value = force + 2, .bar = 0.001 * force};
    joint->peak[KSI_TORQUE] = (ksiMoment){.isKnown = true, .value = 1e-14 * error, .bar = 0};
    joint->steps = 100;
    report->world[world]->verdict[KS_VALID] = 3;
    report->world[world]->verdict[KS_UNCHECKED] = 1;
}

/* In a list by worst runs: crashed ones, then by error; in order of files, in which 2 comes before 10. Percentiles over runs are those of
 * 20 peaks. */
START_TEST(runs_are_told)
{
    enum { COUNT = 20 };
    ksReport *report = newReport(NULL);
    for (int i = COUNT; i > 0; i--) {
        char file[32], parameter[32];
        snprintf(file, sizeof file, "run %d.h5", i);
        snprintf(parameter, sizeof parameter, "mass=%d", i);
        ksiRun run = runOf(file, -1);
        run.signal = i == 4 ? 6 : 0;
        ck_assert(ksiRunSetParameter(&run, i == 5 ? "note==1+2,\"x\"" : parameter));
        addRun(report, run, 0.01 * i, i);
    }
    CHECK_OK(ksiReportSort(report));
    for (size_t i = 0; i < COUNT; i++) {
        char file[32];
        snprintf(file, sizeof file, "run %d.h5", (int)i + 1);
        ck_assert_str_eq(ksiReportRun(report, i)->file, file);
        ck_assert_uint_eq(report->world[i]->run, i);
    }
    char *csv = textOf(report, KS_REPORT_RUNS);
    static const char *const expected[] = {"file,program,end,mass,note,worlds,steps,joints,judged,failed,share_checked,"
                                           "worst_world,worst_joint,worst_error",
                                           "run 4.h5,walker,killed by SIGABRT,4,,1,0,1,1,0,0.75,world 1,hinge 1: body "
                                           "1 \xe2\x80\x93 world,0.04,4,0,5,0,6,0,,\r\n",
                                           "run 20.h5,walker,exit status 0,20,,1,0,1,1,1,0.75,",
                                           "run 5.h5,walker,exit status 0,,\"'=1+2,\"\"x\"\"\",1,0,1,1,0,"};
    const char *at = csv;
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        at = strstr(at, expected[i]);
        ck_assert_msg(at != NULL, "no %s in\n%s", expected[i], csv);
    }
    free(csv);
    json_t *document = jsonOf(report), *pool = json_array_get(json_object_get(document, "pooled"), 0);
    json_t *force = json_object_get(json_object_get(pool, "force"), "physical");
    ck_assert_int_eq(countAt(pool, "worlds"), COUNT);
    // physical forces are 3 to 22
    ck_assert_double_eq(json_number_value(json_object_get(force, "median")), 12);
    ck_assert_double_eq(json_number_value(json_object_get(force, "p95")), 21);
    ck_assert_double_eq(json_number_value(json_object_get(force, "largest")), 22);
    ck_assert_int_eq(countAt(json_object_get(pool, "error"), "count"), COUNT);
    ck_assert_str_eq(json_string_value(json_object_get(worldOf(document, 1), "name")), "run 2.h5: world 1");
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(json_object_get(document, "runs"), 0), "file")),
                     "run 4.h5");
    json_decref(document);
    ksReportDestroy(report);
}
END_TEST

/* One of two runs, as it was and as it is: an error, a force of 1000 N, and steps of 100 that the engine has not solved. */
static ksReport *another(double error, double force, unsigned unsolved, bool isWhole)
{
    ksReport *report = newReport(NULL);
    addRun(report, runOf("a.h5", -1), 0.02, 1000);
    if (!isWhole)
        return report;
    addRun(report, runOf("b.h5", -1), error, force);
    report->world[1]->joint[0]->verdict[KS_SOLVER_ERROR] = unsolved;
    return report;
}

/* By more than 5 %, in what is not rounding: a tenth more is, the same is not, nor is what is less, or within the bars. */
START_TEST(what_got_worse_is_told)
{
    static const struct {
        double error, force;
        unsigned unsolved;
        bool isWhole;
        const char *words; /* NULL: nothing is worse */
    } now[] = {{0.02, 1000, 10, true, NULL},
               {0.0205, 1001, 14, true, NULL},
               {0.015, 500, 0, true, NULL},
               {0.022, 1000, 10, true, "b.h5: world 1, hinge 1: body 1 \xe2\x80\x93 world: error 2.2 %, was 2 %\n"},
               {0.02, 1100, 10, true,
                "largest physical force 1102 N +- 1.1, was 1002 +- 1; largest force 1100 N of the engine, was 1000"},
               {0.02, 1000, 20, true, "world: KS_SOLVER_ERROR in 20 % of the steps, was in 10 %"},
               {0.02, 1000, 10, false, "world: is gone"}};
    ksReport *older = another(0.02, 1000, 10, true);
    for (size_t i = 0; i < sizeof now / sizeof *now; i++) {
        ksReport *report = another(now[i].error, now[i].force, now[i].unsolved, now[i].isWhole);
        size_t worse = 99;
        ksiReportCompare(report, older, 0.05, true);
        CHECK_OK(ksiReportCountWorse(report, &worse));
        char *text = textOf(report, KS_REPORT_TEXT), *junit = textOf(report, KS_REPORT_JUNIT);
        if (now[i].words)
            ck_assert_msg(strstr(text, now[i].words) != NULL, "no \"%s\" in %s", now[i].words, text);
        ck_assert_msg(worse == (now[i].words != NULL), "%zu are worse: %s", worse, text);
        ck_assert_ptr_nonnull(strstr(junit, worse ? "<testsuite name=\"baseline\" tests=\"2\" failures=\"1\""
                                                  : "<testsuite name=\"baseline\" tests=\"2\" failures=\"0\""));
        free(text);
        free(junit);
        ksiReportCompare(report, older, 0.3, true);
        CHECK_OK(ksiReportCountWorse(report, &worse));
        ck_assert_uint_eq(worse, !now[i].isWhole);
        ksReportDestroy(report);
    }
    ksReportDestroy(older);
}
END_TEST

/* Of a force of 1002 +- 1 N: surely beyond a limit, within it, or nobody knows. */
START_TEST(loads_have_limits)
{
    static const ksiMostLoad load[] = {{"hinge 1*", 990, KSI_FORCE},
                                       {NULL, 1010, KSI_FORCE},
                                       {"hinge*", 1001.5, KSI_FORCE},
                                       {"elbow", 1, KSI_FORCE},
                                       {NULL, 1, KSI_TORQUE}};
    static const size_t expected[][2] = {{1, 0}, {0, 0}, {0, 1}, {0, 1}, {0, 0}};
    static const char *const words[] = {
        "hinge 1: body 1 \xe2\x80\x93 world: 1002 N +- 1 in step 0, at 0 s: more than --max-force hinge 1*=990\n",
        "0 are beyond their limits, and 0 perhaps, of 1.", "perhaps more than --max-force hinge*=1001.5",
        "no joint with a physical force: --max-force elbow=1", "0 are beyond their limits, and 0 perhaps, of 1."};
    ksReport *report = another(0, 0, 0, false);
    for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
        size_t exceeded, untold;
        ksiReportLimitLoads(report, &load[i], 1);
        CHECK_OK(ksiReportCountLoads(report, &exceeded, &untold));
        ck_assert_uint_eq(exceeded, expected[i][0]);
        ck_assert_uint_eq(untold, expected[i][1]);
        char *text = textOf(report, KS_REPORT_TEXT), *junit = textOf(report, KS_REPORT_JUNIT);
        ck_assert_msg(strstr(text, words[i]) != NULL, "no %s in %s", words[i], text);
        ck_assert_ptr_nonnull(strstr(junit, "<testsuite name=\"loads\" tests=\"1\""));
        free(text);
        free(junit);
    }
    ksReportDestroy(report);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report_data");
    TCase *tcase = tcase_create("report_data");
    tcase_add_test(tcase, parts_add_up_in_any_order);
    tcase_add_test(tcase, what_does_not_go_together_is_refused);
    tcase_add_test(tcase, damaged_data_is_refused);
    tcase_add_test(tcase, a_host_is_a_run);
    tcase_add_test(tcase, runs_are_told);
    tcase_add_test(tcase, what_got_worse_is_told);
    tcase_add_test(tcase, loads_have_limits);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

/* check_report_data.c  Saved reports: reading restores the written report to the bit; parts in any
 * order and grouping add up to the whole; mismatched or damaged reports are refused with a message;
 * tables of many runs. */
#define _GNU_SOURCE
#include "tests/kits/report/runs_kit.h"

#include "plugin/report/files/checksum.h"
#include "plugin/report/runs/data.h"

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

/* A part of the run of this file. */
static ksiRun shardOf(const char *file, int shard)
{
    ksiRun run = runOf(file);
    run.shards = PARTS;
    run.shard[0] = UINT64_C(1) << shard;
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

/* A ragdoll falls on the ground; each step goes to the whole and to one of the parts. */
static void judge(ksReport *const report[1 + PARTS], int steps)
{
    Scene *scene = sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    ksInspectorOptions options = defaultOptions();
    options.estimateSweeps = 10;
    options.contactPhysical = 1;
    ksInspector *inspector = inspectWith(scene->world, &options);
    ksiNaming *naming = ksiNamingCreate(NULL);
    ksSubscription pair;
    for (int i = 0; i < 3; i++)
        CHECK_OK(ksInspectorPair(inspector, scene->body[2 - i], NULL, 0.05, &pair));
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
              memcmp(&a->bar, &b->bar, sizeof a->bar) == 0 && a->load == b->load &&
              memcmp(a->wrench, b->wrench, sizeof a->wrench) == 0);
}

/* Compares each bit, since documents have only nine digits. */
static void sameNumbers(const ksReport *a, const ksReport *b)
{
    const ksiWorldStats *x = a->world[0], *y = b->world[0];
    ck_assert(x->firstTime == y->firstTime && x->lastTime == y->lastTime && x->leastStepSize == y->leastStepSize &&
              x->erp == y->erp && x->cfm == y->cfm && x->stepSize.largest == y->stepSize.largest);
    ck_assert_uint_eq(x->jointCount, y->jointCount);
    for (size_t i = 0; i < x->jointCount; i++) {
        const ksiJointStats *p = x->joint[i], *q = y->joint[i];
        ck_assert(p->massRatio == q->massRatio && memcmp(&p->compliance, &q->compliance, sizeof p->compliance) == 0 &&
                  p->unexplained == q->unexplained && memcmp(p->unknown, q->unknown, sizeof p->unknown) == 0);
        for (int k = 0; k < KSI_ERRORS; k++)
            sameMoment(&p->error[k].worst, &q->error[k].worst);
        for (int k = 0; k < KSI_SIZES; k++)
            sameMoment(&p->peak[k], &q->peak[k]);
        const ksiJointBucket *m = (const void *)p->timeline.bucket, *n = (const void *)q->timeline.bucket;
        ck_assert_uint_eq(p->timeline.count, q->timeline.count);
        for (size_t k = 0; k < p->timeline.count; k++)
            for (int v = 0; v < KSI_RANGES; v++)
                ck_assert(m[k].range[v].least == n[k].range[v].least && m[k].range[v].largest == n[k].range[v].largest);
    }
}

/* Any tree of merges gives the same; each result is written and read again. */
START_TEST(parts_add_up_in_any_order)
{
    const ksiRun whole = runOf("run.h5");
    ksReport *report[1 + PARTS] = {reportOn(&whole)};
    Bytes part[PARTS];
    for (int i = 0; i < PARTS; i++) {
        const ksiRun run = shardOf("run.h5", i);
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

/* Reports that contain the same steps, or that were counted differently, are not merged. */
START_TEST(what_does_not_go_together_is_refused)
{
    const ksiRun whole = runOf("run.h5"), first = shardOf("run.h5", 0), second = shardOf("run.h5", 1);
    ksiRun other = second;
    refuse(&whole, &whole, "run.h5: is in more than one of the reports");
    refuse(&first, &first, "run.h5: part 1 of 5 is in more than one");
    refuse(&whole, &first, "in 0 parts and in 5 parts");
    other.shards = PARTS + 1;
    refuse(&first, &other, "in 5 parts and in 6 parts");
    other = second;
    other.turn = 3;
    refuse(&first, &other, "different lists of files");
    ksReportOptions options = reportOptions();
    options.limit.above = 0.01;
    ksReport *into = newReport(&options), *from = reportOn(&second);
    CHECK_STATUS(ksiReportMerge(into, from), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "differs from the first report in "));
    ksReportDestroy(into);
    // a part alone says what it lacks; the same file with other contents is another run
    into = newReport(NULL);
    CHECK_OK(ksiReportMerge(into, from));
    char *text = textOf(into, KS_REPORT_TEXT);
    ck_assert_ptr_nonnull(strstr(text, "4 of the 5 parts in which it was judged are missing"));
    free(text);
    other = second;
    other.identity = 8;
    ksReport *another = reportOn(&other);
    CHECK_OK(ksiReportMerge(into, another));
    ck_assert_uint_eq(into->runCount, 2);
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

/* Each truncation of a file, and each file with one byte changed. With a valid checksum it is a
 * report or is refused, and its documents can be written. */
START_TEST(damaged_data_is_refused)
{
    const ksiRun run = shardOf("run.h5", 2);
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
    all.at[MAGIC_BYTES - 2] = '8';
    CHECK_STATUS(ksiReadData("a", all.at, all.count, &found), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "a: is a report of another version"));
    CHECK_STATUS(ksiReadData("a", "{\"schema\":\"kinetostat-report\"}", 30, &found), KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "a: is not a report of --save"));
    for (int i = 0; i <= PARTS; i++)
        ksReportDestroy(report[i]);
    free(all.at);
}
END_TEST

/* Lists by numbers of iterations are ascending, or they are refused. */
START_TEST(lists_are_in_order)
{
    for (int which = 0; which < 4; which++) {
        ksReport *report = newReport(NULL), *found = NULL;
        ksiJointStats *joint = addRun(report, runOf("a.h5"), 0.01, 1);
        ksiWorldStats *world = report->world[0];
        const ksAllocator *allocator = &report->allocator;
        world->inspected = 1;
        for (int i = 1; i < 3; i++)
            ck_assert(ksiEntryMake(allocator, &ksiTriedMetrics, &joint->tried, 10 * i) &&
                      ksiEntryMake(allocator, &ksiAdviceMetrics, &world->advice, 10 * i) &&
                      ksiEntryMake(allocator, &ksiUsedMetrics, &world->used, 10 * i));
        if (which > 0)
            *(int *)(which == 1   ? ksiEntryAt(&ksiTriedMetrics, &joint->tried, 1)
                     : which == 2 ? ksiEntryAt(&ksiAdviceMetrics, &world->advice, 1)
                                  : ksiEntryAt(&ksiUsedMetrics, &world->used, 1)) = 10;
        const Bytes bytes = dataOf(report);
        CHECK_STATUS(ksiReadData("a", bytes.at, bytes.count, &found), which ? KS_ERROR_FILE : KS_OK);
        free(bytes.at);
        ksReportDestroy(found);
        ksReportDestroy(report);
    }
}
END_TEST

/* A host's report becomes a run when it is read, with its file name and the parameters of its
 * environment. */
START_TEST(a_host_is_a_run)
{
    ksReport *report = reportOn(NULL);
    ck_assert(!setenv("KINETOSTAT_PARAM_mass", "2.5", 1));
    const Bytes bytes = dataOf(report);
    ksReport *found = readFrom("host.data", bytes);
    const ksiRun *run = &found->run[0];
    ck_assert_ptr_nonnull(run);
    ck_assert_str_eq(run->file, "host.data");
    ck_assert_str_eq(run->parameters, "mass=2.5");
    ck_assert_uint_ne(run->identity, 0);
    ck_assert(ksiRunIsGood(run) && ksiRunIsOfHost(run));
    // its own table has these, too
    char *own = textOf(report, KS_REPORT_RUNS), *read = textOf(found, KS_REPORT_RUNS);
    const char *mine = strstr(own, "\r\n"), *theirs = strstr(read, "\r\nhost.data,");
    ck_assert_msg(mine && theirs, "%s", read);
    ck_assert_str_eq(mine + strlen("\r\n"), theirs + strlen("\r\nhost.data"));
    free(own);
    free(read);
    // from then on it stays the same, wherever it goes
    const Bytes again = dataOf(found);
    ksReport *moved = readFrom("elsewhere", again);
    ck_assert_str_eq(moved->run[0].file, "host.data");
    free(bytes.at);
    free(again.at);
    ksReportDestroy(moved);
    ksReportDestroy(found);
    ksReportDestroy(report);
}
END_TEST

/* The list begins with the worst runs: crashed ones, then by error. Or it is in order of files, in
 * which 2 comes before 10. Percentiles over runs are taken from 20 peaks. */
START_TEST(runs_are_told)
{
    enum { COUNT = 20 };
    ksReport *report = newReport(NULL);
    for (int i = COUNT; i > 0; i--) {
        char file[32], parameter[32];
        snprintf(file, sizeof file, "run %d.h5", i);
        snprintf(parameter, sizeof parameter, "mass=%d", i);
        ksiRun run = runOf(file);
        run.signal = i == 4 ? 6 : 0;
        ck_assert(ksiRunSetParameter(&run, i == 5 ? "note==1+2;-3;@4,\"x\"" : parameter));
        addRun(report, run, 0.01 * i, i);
    }
    CHECK_OK(ksiReportSort(report));
    for (size_t i = 0; i < COUNT; i++) {
        char file[32];
        snprintf(file, sizeof file, "run %d.h5", (int)i + 1);
        ck_assert_str_eq(report->run[i].file, file);
        ck_assert_uint_eq(report->world[i]->run, i);
    }
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, "20 runs; 1 of them failed, or was not recorded completely.") != NULL, "%s", text);
    free(text);
    char *csv = textOf(report, KS_REPORT_RUNS);
    static const char *const expected[] = {
        "file,program,end,mass,note,worlds,steps,joints,judged,failed,untold,share_checked,"
        "worst_world,worst_joint,worst_error",
        "run 4.h5,walker,killed by SIGABRT,4,,1,100,1,1,0,0,0.75,world 1,hinge 1: body "
        "1 \xe2\x80\x93 world,0.04,4,0,5,0,6,0,,,,,,,,\r\n",
        "run 20.h5,walker,exit status 0,20,,1,100,1,1,1,0,0.75,",
        "run 5.h5,walker,exit status 0,,\"'=1+2;-3;'@4,\"\"x\"\"\",1,100,1,1,0,"};
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

/* Each parameter has a column, even if all names together need more room than one run has. */
START_TEST(all_parameters_are_told)
{
    enum { COUNT = 40 };
    char expected[128 * COUNT] = "file,program,end,";
    size_t used = strlen(expected);
    ksReport *report = newReport(NULL);
    for (int i = 0; i < COUNT; i++) {
        char parameter[120];
        snprintf(parameter, sizeof parameter, "%02d%090d=%d", i, 0, i);
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%.92s,", parameter);
        ksiRun run = runOf("a.h5");
        ck_assert(ksiRunSetParameter(&run, parameter) && ksiRunSetParameter(&run, "both=1"));
        addRun(report, run, 0.01, 1);
    }
    snprintf(expected + used, sizeof expected - used, "both,worlds,");
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, "40 runs, all successful and recorded completely.") != NULL, "%s", text);
    free(text);
    char *csv = textOf(report, KS_REPORT_RUNS);
    ck_assert_msg(strncmp(csv, expected, strlen(expected)) == 0, "%s", csv);
    ck_assert_ptr_nonnull(strstr(csv, ",39,1,1,100,1,"));
    free(csv);
    ksReportDestroy(report);
}
END_TEST

/* A reader by names loses no column, even if a parameter has the name of one of our columns, or a
 * name that avoids such a clash. */
START_TEST(no_two_columns_have_one_name)
{
    ksReport *report = newReport(NULL);
    ksiRun run = runOf("a.h5");
    ck_assert(ksiRunSetParameter(&run, "steps=5") && ksiRunSetParameter(&run, "file=abc") &&
              ksiRunSetParameter(&run, "param_steps=6") && ksiRunSetParameter(&run, "param_mass=7") &&
              ksiRunSetParameter(&run, "peak_force_engine=8") && ksiRunSetParameter(&run, "step=9"));
    addRun(report, run, 0.01, 1);
    char *csv = textOf(report, KS_REPORT_RUNS);
    static const char expected[] = "file,program,end,param_file,param_mass,param_param_steps,param_peak_force_engine,"
                                   "step,param_steps,worlds,steps,";
    ck_assert_msg(strncmp(csv, expected, strlen(expected)) == 0, "%s", csv);
    ck_assert_ptr_nonnull(strstr(csv, ",abc,7,6,8,9,5,1,"));
    free(csv);
    ksReportDestroy(report);
}
END_TEST

/* A run counts once, whatever its file's name, if its identity is a random number; otherwise two
 * files are two runs. */
START_TEST(a_run_is_counted_once)
{
    ksReport *report = newReport(NULL);
    size_t index;
    for (int isDrawn = 0; isDrawn < 2; isDrawn++) {
        ksiRun run = runOf("a.h5"), copy = runOf("b.h5");
        run.identity = copy.identity = isDrawn ? KSI_DRAWN | 5 : 5;
        CHECK_OK(ksiReportAddRun(report, &run, &index));
        CHECK_STATUS(ksiReportAddRun(report, &copy, &index), isDrawn ? KS_ERROR_BAD_ARGUMENT : KS_OK);
    }
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "b.h5: is in more than one of the reports"));
    ksReportDestroy(report);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("report_data");
    tcase_add_test(tcase, parts_add_up_in_any_order);
    tcase_add_test(tcase, what_does_not_go_together_is_refused);
    tcase_add_test(tcase, damaged_data_is_refused);
    tcase_add_test(tcase, lists_are_in_order);
    tcase_add_test(tcase, a_host_is_a_run);
    tcase_add_test(tcase, runs_are_told);
    tcase_add_test(tcase, all_parameters_are_told);
    tcase_add_test(tcase, no_two_columns_have_one_name);
    tcase_add_test(tcase, a_run_is_counted_once);
    return runCase("report_data", tcase);
}

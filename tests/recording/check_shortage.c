/* check_shortage.c  Traces and recordings when memory, disk space or a call of HDF5 fails once, at
 * each place in turn. Either a call returns an error with a message, or the file is complete.
 * Nothing else happens, and the host steps on.
 *
 * The linker redirects this library's calls to the functions below (-Wl,--wrap), but not HDF5's own
 * calls. */
#include "tests/kits/divergence_kit.h"
#include "tests/kits/memory_kit.h"
#include "tests/kits/report/judge_kit.h"

#include "plugin/report/collect/run.h"
#include "plugin/report/files/name_list.h"
#include "plugin/report/findings/suppress.h"
#include "plugin/report/runs/data.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <kinetostat/recording.h>

enum { STEPS = 3, MOST_FAULTS = 4000 };

/* --- Failures --- */

/* Number of requests until one fails; 0: one has failed, or none should. */
static long left;

static const char *refused = "nothing"; /* the last function that failed */

static bool isRefused(const char *name)
{
    const bool is = left > 0 && --left == 0;
    refused = is ? name : refused;
    return is;
}

#define WRAP(type, name, parameters, arguments, failure)                                                               \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        return isRefused(#name) ? failure : __real_##name arguments;                                                   \
    }

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAP(void *, realloc, (void *old, size_t size), (old, size), NULL)
WRAP(char *, strdup, (const char *text), (text), NULL)
WRAP(int, fallocate, (int file, int mode, off_t at, off_t size), (file, mode, at, size), (errno = ENOSPC, -1))
WRAP(hid_t, H5Fcreate, (const char *name, unsigned flags, hid_t create, hid_t access), (name, flags, create, access),
     -1)
WRAP(hid_t, H5Fopen, (const char *name, unsigned flags, hid_t access), (name, flags, access), -1)
WRAP(herr_t, H5Fclose, (hid_t file), (file), -1)
WRAP(herr_t, H5Fflush, (hid_t file, H5F_scope_t scope), (file, scope), -1)
WRAP(herr_t, H5Fstart_swmr_write, (hid_t file), (file), -1)
WRAP(hid_t, H5Gcreate2, (hid_t file, const char *name, hid_t link, hid_t create, hid_t access),
     (file, name, link, create, access), -1)
WRAP(hid_t, H5Gcreate_anon, (hid_t file, hid_t create, hid_t access), (file, create, access), -1)
WRAP(herr_t, H5Olink, (hid_t object, hid_t file, const char *name, hid_t link, hid_t access),
     (object, file, name, link, access), -1)
WRAP(hid_t, H5Dcreate2, (hid_t file, const char *name, hid_t type, hid_t space, hid_t link, hid_t create, hid_t access),
     (file, name, type, space, link, create, access), -1)
WRAP(hid_t, H5Dopen2, (hid_t file, const char *name, hid_t access), (file, name, access), -1)
WRAP(herr_t, H5Dclose, (hid_t set), (set), -1)
WRAP(herr_t, H5Dset_extent, (hid_t set, const hsize_t *size), (set, size), -1)
WRAP(herr_t, H5Dwrite, (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t how, const void *data),
     (set, type, memory, space, how, data), -1)
WRAP(herr_t, H5Dwrite_chunk, (hid_t set, hid_t how, uint32_t filters, const hsize_t *at, size_t size, const void *data),
     (set, how, filters, at, size, data), -1)
WRAP(herr_t, H5Dread, (hid_t set, hid_t type, hid_t memory, hid_t space, hid_t how, void *data),
     (set, type, memory, space, how, data), -1)
WRAP(herr_t, H5Dflush, (hid_t set), (set), -1)
WRAP(hid_t, H5Acreate2, (hid_t at, const char *name, hid_t type, hid_t space, hid_t create, hid_t access),
     (at, name, type, space, create, access), -1)
WRAP(hid_t, H5Aopen, (hid_t at, const char *name, hid_t access), (at, name, access), -1)
WRAP(herr_t, H5Awrite, (hid_t attribute, hid_t type, const void *data), (attribute, type, data), -1)
WRAP(herr_t, H5Aread, (hid_t attribute, hid_t type, void *data), (attribute, type, data), -1)
WRAP(herr_t, H5Pset_chunk, (hid_t plan, int rank, const hsize_t *size), (plan, rank, size), -1)
WRAP(herr_t, H5Pset_shuffle, (hid_t plan), (plan), -1)
WRAP(herr_t, H5Pset_deflate, (hid_t plan, unsigned level), (plan, level), -1)
WRAP(herr_t, H5Sselect_hyperslab,
     (hid_t space, H5S_seloper_t how, const hsize_t *start, const hsize_t *stride, const hsize_t *count,
      const hsize_t *block),
     (space, how, start, stride, count, block), -1)

/* --- Attempts --- */

typedef struct Attempt {
    Scene *scene;
    ksInspector *inspector;
    char path[PATH_SIZE];
} Attempt;

/* Returns the first error. It must not use Check's assertions, which allocate. */
typedef ksStatus Try(const Attempt *attempt);

/* The number of steps in a file that was written without an error. */
typedef size_t Count(const Attempt *attempt);

static ksStatus first(ksStatus status, ksStatus next)
{
    return status ? status : next;
}

static ksStatus trace(const Attempt *attempt, const ksTraceOptions *options)
{
    ksTrace *made = NULL;
    ksStatus status = ksTraceCreate(attempt->path, options, &made);
    if (status)
        return status;
    status = ksTraceWatch(made, attempt->inspector, options->level == KS_TRACE_RAW ? NULL : "chain");
    for (int i = 0; i < STEPS && !status; i++)
        if (ksInspectorQuickStep(attempt->inspector, stepSize))
            abort();  // this error must not reach the host's handler
    status = first(status, ksTraceFlush(made));
    const ksStatus closed = ksTraceClose(made);
    return first(status, closed);
}

static ksStatus traceForces(const Attempt *attempt)
{
    const ksTraceOptions options = traceOptions();
    return trace(attempt, &options);
}

static ksStatus traceRaw(const Attempt *attempt)
{
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_RAW;
    return trace(attempt, &options);
}

static ksStatus traceRawPlainly(const Attempt *attempt)
{
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_RAW;
    options.compression = 0;
    return trace(attempt, &options);
}

static ksStatus recordBodies(ksRecording *recording)
{
    const ksRecordedBody body = {
        .state = {.quaternion = {1, 0, 0, 0}}, .mass = 1, .inertia = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const ksRecordedJoint joint = {.type = KS_JOINT_HINGE, .body = {0, -1}, .axis = {{0, 1, 0}}, .name = "door"};
    const ksRecordedState state = body.state;
    ksStatus status = ksRecordingAddBody(recording, &body, NULL);
    status = first(status, status ? status : ksRecordingAddJoint(recording, &joint, NULL));
    for (int i = 0; i < STEPS && !status; i++) {
        status = ksRecordingBeginStep(recording, 0.01, NULL, NULL);
        status = first(status, status ? status : ksRecordingEndStep(recording, &state, NULL));
    }
    return first(status, status ? status : ksRecordingFlush(recording));
}

static ksStatus recordIn(const Attempt *attempt, bool isObserved)
{
    ksRecording *recording = NULL;
    ksInspector *inspector;
    ksStatus status = ksRecordingCreate(attempt->path, NULL, &recording);
    if (status)
        return status;
    if (isObserved)
        status = ksRecordingInspect(recording, NULL, &inspector);
    status = first(status, status ? status : recordBodies(recording));
    const ksStatus closed = ksRecordingClose(recording);
    return first(status, closed);
}

static ksStatus recordOwn(const Attempt *attempt)
{
    return recordIn(attempt, false);
}

static ksStatus recordObserved(const Attempt *attempt)
{
    return recordIn(attempt, true);
}

static size_t countLines(const Attempt *attempt)
{
    char path[PATH_SIZE + 8];
    size_t lines = 0;
    snprintf(path, sizeof path, "%.*s.steps.csv", (int)strlen(attempt->path) - 4, attempt->path);
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    for (int c; (c = getc(file)) != EOF;)
        lines += c == '\n';
    fclose(file);
    return lines - 1;
}

static size_t countTraced(const Attempt *attempt)
{
    hsize_t size = 0;
    const hid_t file = H5Fopen(attempt->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "/world1/steps/step", H5P_DEFAULT), space = H5Dget_space(set);
    ck_assert_int_eq(H5Sget_simple_extent_dims(space, &size, NULL), 1);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return size;
}

/* Reads the sound records of a file; an unsound one gives an error. */
static ksStatus readRecords(const char *path, size_t *steps)
{
    char words[KSI_ARCHIVE_WORDS] = "";
    ksiArchive *archive = ksiArchiveOpen(path, words);
    ksStatus status = KS_OK;
    *steps = 0;
    if (!archive)
        return words[0] ? KS_ERROR_FILE : KS_OK;
    for (size_t i = 0, count = ksiArchiveCount(archive); i < count && !status; i++) {
        unsigned process;
        const ksiStepRecord *record;
        status = ksiArchiveRead(archive, i, &record, &process);
        *steps += !status && record && !ksiIsEnd(record);
    }
    if (ksiArchiveDamaged(archive) > 0)
        status = KS_ERROR_FILE;
    const bool isClosed = ksiArchiveClose(archive);
    return first(status, isClosed ? KS_OK : KS_ERROR_FILE);
}

static size_t countRecords(const Attempt *attempt)
{
    size_t steps;
    return readRecords(attempt->path, &steps) ? 0 : steps;
}

/* --- Each place in turn --- */

static const struct {
    const char *file;
    Try *make;
    Count *count;
    long least; /* least number of places of failure */
} way[] = {{"%ld.csv", traceForces, countLines, 15}, {"%ld.h5", traceForces, countTraced, 500},
           {"%ld.h5", traceRaw, countRecords, 80},   {"%ld.h5", traceRawPlainly, countRecords, 80},
           {"%ld.h5", recordOwn, countRecords, 80},  {"%ld.h5", recordObserved, countRecords, 120}};
enum { WAYS = sizeof way / sizeof *way };

START_TEST(a_file_holds_all_or_that_is_told)
{
    Attempt attempt = {.scene = sceneChain(3, SCENE_FALLING)};
    attempt.inspector = inspect(attempt.scene->world);
    long place = 0, told = 0;
    makeFolder();
    // from now on the inspector has all its memory
    runScene(attempt.scene, attempt.inspector, 2);
    for (bool isReached = true; isReached; place++) {
        char name[32];
        ck_assert_int_lt(place, MOST_FAULTS);
        snprintf(name, sizeof name, way[_i].file, place);
        snprintf(attempt.path, sizeof attempt.path, "%s", in(name));
        left = place + 1;
        const ksStatus status = way[_i].make(&attempt);
        isReached = left == 0;
        left = 0;
        told += status != KS_OK;
        if (status)
            ck_assert_msg(strchr(ksErrorMessage(), ':') != NULL, "place %ld: %s", place, ksErrorMessage());
        else
            ck_assert_msg(way[_i].count(&attempt) == STEPS, "place %ld, %s: steps are missing", place, refused);
    }
    ck_assert_int_gt(place, way[_i].least);
    // some failures do no harm: in names for messages, in the thread that compresses
    ck_assert_int_gt(told, place / 2);
    ksInspectorDestroy(attempt.inspector);
    sceneDestroy(attempt.scene);
    removeFolder();
}
END_TEST

START_TEST(a_recording_is_read_or_that_is_told)
{
    Attempt attempt = {.path = ""};
    long place = 0, told = 0;
    makeFolder();
    snprintf(attempt.path, sizeof attempt.path, "%s", in("a.h5"));
    CHECK_OK(recordOwn(&attempt));
    for (bool isReached = true; isReached; place++) {
        size_t steps;
        left = place + 1;
        const ksStatus status = readRecords(attempt.path, &steps);
        isReached = left == 0;
        left = 0;
        told += status != KS_OK;
        ck_assert(status || steps == STEPS);
    }
    ck_assert_int_gt(place, 40);
    ck_assert_int_gt(told, 30);
    removeFolder();
}
END_TEST

/* Documents are complete, or do not exist. */
static bool isToldInFull(const ksiRecordingPair *pair)
{
    ksiText text = {.allocator = &ksiLibraryAllocator};
    ksiWritePair(pair, &text);
    json_t *json = ksiPairToJson(pair);
    const bool isWhole = !text.isShort && json_array_size(json_object_get(json, "worlds")) == pair->count;
    json_decref(json);
    ksiTextFree(&text);
    return isWhole;
}

START_TEST(recordings_are_compared_or_that_is_told)
{
    Attempt own = {.path = ""}, other = {.scene = sceneChain(3, SCENE_FALLING)};
    const ksiCompareOptions options = {.tolerance = 1e-9};
    long place = 0, told = 0;
    other.inspector = inspect(other.scene->world);
    makeFolder();
    snprintf(own.path, sizeof own.path, "%s", in("a.h5"));
    snprintf(other.path, sizeof other.path, "%s", in("b.h5"));
    CHECK_OK(recordOwn(&own));
    CHECK_OK(traceRaw(&other));
    const char *path[2] = {own.path, other.path};
    for (bool isReached = true; isReached; place++) {
        char words[KSI_ARCHIVE_WORDS] = "";
        ksiRecordingPair pair;
        left = place + 1;
        const ksStatus status = ksiCompareRecordings(path, &options, &pair, words);
        const bool isTold = status || isToldInFull(&pair);
        isReached = left == 0;
        left = 0;
        told += status != KS_OK;
        ck_assert(!status || words[0]);
        ck_assert(isTold || isReached);
        // data that could not be read counts as damaged
        ck_assert(status || ksiPairStatus(&pair) == 2 || pair.world[0].first.isThere);
        freePair(&pair);
    }
    ck_assert_int_gt(place, 100);
    ck_assert_int_gt(told, 80);
    ksInspectorDestroy(other.inspector);
    sceneDestroy(other.scene);
    removeFolder();
}
END_TEST

static int openDescriptors(void)
{
    int count = 0;
    for (int i = 0; i < 256; i++)
        count += fcntl(i, F_GETFD) >= 0;
    return count;
}

START_TEST(names_are_read_or_that_is_told)
{
    char words[KSI_NAME_LIST_WORDS];
    const int open = openDescriptors();
    long place = 0;
    makeFolder();
    FILE *file = fopen(in("names"), "w");
    fputs("# a chain\n1 hip\nhinge 2: left knee\n3\tankle\n", file);
    fclose(file);
    for (bool isReached = true; isReached; place++) {
        words[0] = 0;
        left = place + 1;
        ksiNameList *list = ksiNameListRead(in("names"), words);
        char *text = list ? ksiNameListText(list) : NULL;
        isReached = left == 0;
        left = 0;
        ck_assert(list || words[0]);
        ck_assert(isReached || text);
        if (list) {
            ck_assert_str_eq(ksiNameListFind(list, dJointTypeHinge, 2, 9), "left knee");
            ck_assert_str_eq(ksiNameListFind(list, dJointTypeBall, 1, 3), "ankle");
        }
        free(text);
        ksiNameListDestroy(list);
    }
    ck_assert_int_gt(place, 3);
    ck_assert_int_eq(openDescriptors(), open);
    removeFolder();
}
END_TEST

START_TEST(suppressions_are_read_or_that_is_told)
{
    const int open = openDescriptors();
    long place = 0;
    makeFolder();
    FILE *file = fopen(in("known"), "w");
    fputs("# a hip\n{\n hip\n compliant\n joint: hip*\n}\n", file);
    fclose(file);
    for (bool isReached = true; isReached; place++) {
        char words[KSI_SUPPRESSIONS_WORDS] = "";
        left = place + 1;
        ksiSuppressions *list = ksiSuppressionsRead(in("known"), fopen(in("known"), "r"), words);
        isReached = left == 0;
        left = 0;
        ck_assert(list ? !isReached : strstr(words, "out of memory") != NULL);
        ksiSuppressionsDestroy(list);
    }
    ck_assert_int_gt(place, 3);
    ck_assert_int_eq(openDescriptors(), open);
    removeFolder();
}
END_TEST

/* --- Parts of a report --- */

static ksReport *partOfReport(const ksReportOptions *options)
{
    ksReport *report = NULL;
    Scene *scene = sceneChain(3, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksReportCreate(options, &report));
    CHECK_OK(ksReportWatch(report, inspector, "chain"));
    for (int i = 0; i < 40; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, stepSize));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
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

START_TEST(parts_add_up_or_that_is_told)
{
    Counter counter = {0};
    ksReportOptions options;
    ksReportOptionsInit(&options);
    options.adviseEvery = 3;
    ksReport *part = partOfReport(&options);
    char *expected = jsonOf(part);
    options.allocator = (ksAllocator){countingResize, &counter};
    long place = 0;
    for (bool isReached = true; isReached; place++) {
        counter = (Counter){.refuse = place + 1};
        ksReport *whole = NULL;
        ksStatus status = ksReportCreate(&options, &whole);
        status = first(status, status ? status : ksiReportMerge(whole, part));
        isReached = counter.requests >= counter.refuse;
        counter.refuse = 0;
        ck_assert_int_eq(status != KS_OK, isReached);
        if (!status) {
            char *found = jsonOf(whole);
            ck_assert_str_eq(found, expected);
            free(found);
        }
        ksReportDestroy(whole);
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_gt(place, 40);
    free(expected);
    ksReportDestroy(part);
}
END_TEST

START_TEST(data_is_read_or_that_is_told)
{
    char *data = NULL;
    size_t count = 0;
    long place = 0, told = 0;
    ksReport *part = partOfReport(NULL);
    FILE *stream = open_memstream(&data, &count);
    CHECK_OK(ksReportPrint(part, KS_REPORT_DATA, stream));
    fclose(stream);
    for (bool isReached = true; isReached; place++) {
        ksReport *found = NULL;
        left = place + 1;
        const ksStatus status = ksiReadData("a", data, count, &found);
        isReached = left == 0;
        left = 0;
        told += status != KS_OK;
        ck_assert_msg(status == KS_OK || status == KS_ERROR_NO_MEMORY, "place %ld: %s", place, ksErrorMessage());
        ck_assert_int_eq(status == KS_OK, found != NULL);
        ck_assert(!found || found->runCount == 1);
        ksReportDestroy(found);
    }
    ck_assert_int_gt(place, 40);
    ck_assert_int_eq(told, place - 1);
    free(data);
    ksReportDestroy(part);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("shortage");
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    tcase_add_loop_test(tcase, a_file_holds_all_or_that_is_told, 0, WAYS);
    tcase_add_test(tcase, a_recording_is_read_or_that_is_told);
    tcase_add_test(tcase, recordings_are_compared_or_that_is_told);
    tcase_add_test(tcase, names_are_read_or_that_is_told);
    tcase_add_test(tcase, suppressions_are_read_or_that_is_told);
    tcase_add_test(tcase, parts_add_up_or_that_is_told);
    tcase_add_test(tcase, data_is_read_or_that_is_told);
    return runCase("shortage", tcase);
}

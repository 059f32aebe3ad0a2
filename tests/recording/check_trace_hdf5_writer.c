/* check_trace_hdf5_writer.c  The writer of an HDF5 trace: with readers, a second writer, or a
 * child; on a full disk, and killed. */
#define _GNU_SOURCE
#include "tests/kits/report/trace_hdf5_kit.h"

#include <errno.h>
#include <signal.h>
#include <sys/file.h>

static bool canOpen(const char *path)
{
    hid_t file;
    H5E_BEGIN_TRY
    {
        file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    }
    H5E_END_TRY
    if (file >= 0)
        H5Fclose(file);
    return file >= 0;
}

/* Another program writes the trace or the recording: one sentence says so, without HDF5's own
 * messages. */
START_TEST(busyFileIsTold)
{
    char words[1200];
    ksTrace *trace;
    ksTraceOptions options = traceOptions();
    options.level = _i ? KS_TRACE_RAW : options.level;
    FILE *other = fopen(in("busy.h5"), "w");
    ck_assert_int_eq(flock(fileno(other), LOCK_EX), 0);
    CHECK_STATUS(ksTraceCreate(in("busy.h5"), &options, &trace), KS_ERROR_FILE);
    fclose(other);
    snprintf(words, sizeof words, "%s%s another program has it open", in("busy.h5"), _i ? ":" : " cannot be written:");
    ck_assert_msg(strstr(ksErrorMessage(), words) != NULL, "%s", ksErrorMessage());
}
END_TEST

/* Even while others may read it. */
START_TEST(aFileIsWrittenByOne)
{
    static const char path[] = "one.h5";
    ksTraceOptions options = traceOptions();
    options.level = _i ? KS_TRACE_RAW : options.level;
    ksTrace *second;
    Traced t = traceScene(sceneChain(2, SCENE_FALLING), path, &options, NULL);
    runTraced(&t, 3);
    CHECK_OK(ksTraceFlush(t.trace));
    CHECK_STATUS(ksTraceCreate(in(path), &options, &second), KS_ERROR_FILE);
    ck_assert_msg(strstr(ksErrorMessage(), "another program has it open") != NULL, "%s", ksErrorMessage());
    runTraced(&t, 3);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
    const hid_t file = H5Fopen(in(path), H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    H5Fclose(file);
    CHECK_OK(ksTraceCreate(in(path), &options, &second));
    CHECK_OK(ksTraceClose(second));
}
END_TEST

/* A full disk: HDF5 itself would crash at exit. The file stays as it was at the last flush. */
START_TEST(fullDiskIsTold)
{
    Record *wanted;
    ksTraceOptions options = traceOptions();
    options.flushSteps = 10;
    options.compression = 0;
    Traced t = tracedCar("car.h5", &options, NULL, &wanted);
    // more than the file's initial structure needs
    limitFiles(8000000);
    for (int i = 0; i < 1200; i++) {
        sceneBeforeStep(t.scene);
        (void)ksInspectorQuickStep(t.inspector, stepSize);
        sceneAfterStep(t.scene);
    }
    const ksStatus flushed = ksTraceFlush(t.trace), status = ksTraceClose(t.trace);
    limitFiles(INFINITY);
    CHECK_STATUS(flushed, KS_ERROR_FILE);
    CHECK_STATUS(status, KS_ERROR_FILE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), strerror(EFBIG)));
    dropScene(&t);

    const hid_t file = openTrace(in("car.h5"), false);
    const size_t steps = lineCount(file, "/world1/steps/count");
    ck_assert_uint_gt(steps, 0);
    ck_assert_uint_lt(steps, 1200);
    ck_assert_uint_eq(steps % 10, 0);
    checkLines(file, wanted, wanted->first[steps]);
    checkSteps(file, wanted, steps);
    H5Fclose(file);
    freeRecord(wanted);
}
END_TEST

/* The child ends by exit, where HDF5 closes open files. */
START_TEST(childLeavesTheFileAlone)
{
    Record *wanted;
    ksTraceOptions options = traceOptions();
    options.flushSteps = 10;
    Traced t = tracedCar("car.h5", &options, NULL, &wanted);
    runTraced(&t, 25);
    const pid_t child = fork();
    if (child == 0) {
        Traced own = traceScene(sceneChain(2, SCENE_FALLING), "own.h5", NULL, NULL);
        runTraced(&own, 5);
        runTraced(&t, 15);
        CHECK_OK(ksTraceClose(own.trace));
        if (_i)
            CHECK_OK(ksTraceClose(t.trace));
        dropScene(&own);
        exit(0);
    }
    waitForChild(child);
    // other programs still find that the file is being written
    char command[PATH_SIZE + 32];
    snprintf(command, sizeof command, "h5dump -H %s >/dev/null 2>&1", in("car.h5"));
    ck_assert_int_ne(system(command), 0);
    hid_t file = openTrace(in("own.h5"), false);
    ck_assert_uint_eq(lineCount(file, "/world1/steps/step"), 5);
    H5Fclose(file);
    runTraced(&t, 25);
    CHECK_OK(ksTraceClose(t.trace));
    file = openTrace(in("car.h5"), false);
    checkLines(file, wanted, wanted->count);
    H5Fclose(file);
    dropScene(&t);
    freeRecord(wanted);
}
END_TEST

/* --- readers, and a killed writer */

/* Steps the car, and reports after each flush the number of steps in the file. */
static void writeForever(const char *name, unsigned long flushSteps, int pipe)
{
    ksTraceOptions options = traceOptions();
    options.flushSteps = flushSteps;
    const Traced t = traceScene(car(), name, &options, NULL);
    for (int steps = 1;; steps++) {
        runTraced(&t, 1);
        if (steps % (int)flushSteps == 0 && write(pipe, &steps, sizeof steps) < 0)
            _exit(1);
    }
}

/* The number of steps that the writer has reported. */
static int readTold(int pipe, int least)
{
    int steps = 0;
    while (steps < least)
        ck_assert_int_eq(read(pipe, &steps, sizeof steps), sizeof steps);
    return steps;
}

static void checkFile(const Record *wanted, int least)
{
    const hid_t file = openTrace(in("car.h5"), true);
    const size_t steps = lineCount(file, "/world1/steps/count");
    ck_assert_uint_ge(steps, (size_t)least);
    ck_assert_uint_lt(steps, wanted->steps);
    checkLines(file, wanted, wanted->first[steps]);
    checkSteps(file, wanted, steps);
    H5Fclose(file);
}

/* Killed at a different moment each time: a file that can be read while it is written can also be
 * read after SIGKILL. */
START_TEST(killedWriterLeavesAllThatWasFlushed)
{
    int pipes[2];
    ck_assert_int_eq(pipe(pipes), 0);
    const pid_t writer = fork();
    if (writer == 0)
        writeForever("car.h5", _i % 2 ? 1 : 20, pipes[1]);
    close(pipes[1]);
    int told = readTold(pipes[0], 40 + 7 * _i), now;
    usleep((useconds_t)(1000 * (_i * 13 % 10)));
    ck_assert_int_eq(kill(writer, SIGKILL), 0);
    int status;
    ck_assert_int_eq(waitpid(writer, &status, 0), writer);
    ck_assert_int_eq(WTERMSIG(status), SIGKILL);
    while (read(pipes[0], &now, sizeof now) == sizeof now)
        told = now;
    close(pipes[0]);

    // the same run, without a kill
    Scene *scene = car();
    ksInspector *inspector = inspect(scene->world);
    Record *wanted = record(inspector);
    runScene(scene, inspector, told + 100);
    checkFile(wanted, told);
    // other readers need a mark that the file is no longer being written
    ck_assert(!canOpen(in("car.h5")));
    char command[PATH_SIZE + 16];
    snprintf(command, sizeof command, "h5clear -s %s", in("car.h5"));
    if (system("command -v h5clear >/dev/null") == 0) {
        ck_assert_int_eq(system(command), 0);
        ck_assert(canOpen(in("car.h5")));
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    freeRecord(wanted);
}
END_TEST

/* Reads the number on the next line. */
static int readLine(int pipe)
{
    char line[32] = "";
    for (size_t n = 0; n < sizeof line - 1; n++) {
        ck_assert_int_eq(read(pipe, line + n, 1), 1);
        if (line[n] == '\n')
            break;
    }
    return atoi(line);
}

/* A reader that has the file open sees it grow, and does not stop the writer from adding a
 * world. */
START_TEST(readersDoNotHinder)
{
    Record *wanted;
    ksTraceOptions options = traceOptions();
    options.flushSteps = 1000;
    Traced t = tracedCar("car.h5", &options, NULL, &wanted);
    runTraced(&t, 10);
    CHECK_OK(ksTraceFlush(t.trace));
    int go[2], done[2];
    ck_assert_int_eq(pipe(go), 0);
    ck_assert_int_eq(pipe(done), 0);
    const char *python = "import h5py, sys\n"
                         "f = h5py.File(sys.argv[1], swmr=True)\n"
                         "e = f['world1/steps/step']\n"
                         "print(e.shape[0], flush=True)\n"
                         "sys.stdin.readline()\n"
                         "e.refresh()\n"
                         "print(e.shape[0], flush=True)\n";
    if (system("/usr/bin/python3 -c 'import h5py' 2>/dev/null") == 0) {
        const pid_t reader = fork();
        if (reader == 0) {
            dup2(go[0], 0);
            dup2(done[1], 1);
            execl("/usr/bin/python3", "python3", "-c", python, in("car.h5"), (char *)NULL);
            _exit(127);
        }
        close(done[1]);
        ck_assert_int_eq(readLine(done[0]), 10);
        Scene *other = sceneChain(2, SCENE_FALLING);
        ksInspector *second = inspect(other->world);
        CHECK_OK(ksTraceWatch(t.trace, second, NULL));
        runScene(other, second, 5);
        runTraced(&t, 15);
        CHECK_OK(ksTraceFlush(t.trace));
        ck_assert_int_eq(write(go[1], "\n", 1), 1);
        ck_assert_int_eq(readLine(done[0]), 25);
        waitForChild(reader);
        ksInspectorDestroy(second);
        sceneDestroy(other);
    }
    CHECK_OK(ksTraceClose(t.trace));
    const hid_t file = openTrace(in("car.h5"), false);
    checkLines(file, wanted, wanted->count);
    H5Fclose(file);
    dropScene(&t);
    freeRecord(wanted);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace hdf5 writer");
    TCase *tcase = tcase_create("trace hdf5 writer");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_loop_test(tcase, busyFileIsTold, 0, 2);
    tcase_add_loop_test(tcase, aFileIsWrittenByOne, 0, 2);
    tcase_add_loop_test(tcase, childLeavesTheFileAlone, 0, 2);
    suite_add_tcase(suite, tcase);
    TCase *many = tcase_create("many steps");
    tcase_set_tags(many, "each");
    tcase_add_checked_fixture(many, makeFolder, removeFolder);
    tcase_add_test(many, fullDiskIsTold);
    tcase_add_loop_test(many, killedWriterLeavesAllThatWasFlushed, 0, 6);
    tcase_add_test(many, readersDoNotHinder);
    suite_add_tcase(suite, many);
    return runSuite(suite);
}

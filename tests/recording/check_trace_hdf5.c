/* check_trace_hdf5.c  Traces as HDF5, read back by HDF5's own calls: values, worlds, joints that come and go; while they are
 * written, and after the writer was killed. */
#define _GNU_SOURCE
#include "tests/kits/trace_kit.h"

#include <errno.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/file.h>

/* --- reading */

static hid_t openTrace(const char *path, bool isWritten)
{
    const hid_t file = H5Fopen(path, isWritten ? H5F_ACC_RDONLY | H5F_ACC_SWMR_READ : H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_msg(file >= 0, "%s cannot be opened", path);
    return file;
}

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

static size_t lineCount(hid_t file, const char *column)
{
    const hid_t set = H5Dopen2(file, column, H5P_DEFAULT), space = H5Dget_space(set);
    hsize_t extent[2] = {0, 0};
    H5Sget_simple_extent_dims(space, extent, NULL);
    H5Sclose(space);
    H5Dclose(set);
    return (size_t)extent[0];
}

/* All of a column as doubles or as whole numbers; freed by the caller. */
static void *readColumn(hid_t file, const char *column, hid_t type)
{
    const hid_t set = H5Dopen2(file, column, H5P_DEFAULT), space = H5Dget_space(set);
    ck_assert_msg(set >= 0, "no %s", column);
    void *data = calloc((size_t)H5Sget_simple_extent_npoints(space) + 1, H5Tget_size(type));
    ck_assert_int_ge(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), 0);
    H5Sclose(space);
    H5Dclose(set);
    return data;
}

static double *reals(hid_t file, const char *column)
{
    return readColumn(file, column, H5T_NATIVE_DOUBLE);
}

static int64_t *integers(hid_t file, const char *column)
{
    return readColumn(file, column, H5T_NATIVE_INT64);
}

enum { NAME = 128 };

static char *names(hid_t file, const char *column)
{
    const hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, NAME);
    H5Tset_cset(type, H5T_CSET_UTF8);
    char *data = readColumn(file, column, type);
    H5Tclose(type);
    return data;
}

static void checkColumn(hid_t file, const char *name, const Record *wanted, size_t lines, size_t offset, size_t width)
{
    char column[64];
    snprintf(column, sizeof column, "/world1/reactions/%s", name);
    ck_assert_uint_ge(lineCount(file, column), lines);
    double *found = reals(file, column);
    for (size_t i = 0; i < lines; i++)
        for (size_t k = 0; k < width; k++) {
            double value;
            memcpy(&value, (const char *)&wanted->reaction[i] + offset + k * sizeof value, sizeof value);
            ck_assert_msg(memcmp(&found[width * i + k], &value, sizeof value) == 0, "%s, line %zu: %.17g is not %.17g",
                          name, i, found[width * i + k], value);
        }
    free(found);
}

/* The first lines of the record, as they are in the file. */
static void checkLines(hid_t file, const Record *wanted, size_t lines)
{
#define CHECK_COLUMN(name, member, width) checkColumn(file, name, wanted, lines, offsetof(ksReaction, member), width)
    CHECK_COLUMN("time", time, 1);
    CHECK_COLUMN("error", error, 1);
    CHECK_COLUMN("error_bar", errorBar, 1);
    CHECK_COLUMN("physical_error", physicalError, 1);
    CHECK_COLUMN("physical_error_bar", physicalErrorBar, 1);
    CHECK_COLUMN("net_error", netError, 2);
    CHECK_COLUMN("engine_force", engine[0].force, 3);
    CHECK_COLUMN("engine_torque", engine[0].torque, 3);
    CHECK_COLUMN("converged_force", converged[0].force, 3);
    CHECK_COLUMN("converged_torque", converged[0].torque, 3);
    CHECK_COLUMN("physical_force", physical[0].force, 3);
    CHECK_COLUMN("physical_torque", physical[0].torque, 3);
    CHECK_COLUMN("mean_force", mean[0].force, 3);
    CHECK_COLUMN("mean_torque", mean[0].torque, 3);
    CHECK_COLUMN("mean_time", meanTime, 1);
    CHECK_COLUMN("load_noise", loadNoise, 1);
    CHECK_COLUMN("joint_mean_force", meanInJoint[0].force, 3);
    CHECK_COLUMN("joint_mean_torque", meanInJoint[0].torque, 3);
    CHECK_COLUMN("anchor", anchor, 6);
    int64_t *verdict = integers(file, "/world1/reactions/verdict"),
            *reasons = integers(file, "/world1/reactions/reasons"), *joint = integers(file, "/world1/reactions/joint"),
            *step = integers(file, "/world1/reactions/step");
    char *name = names(file, "/world1/joints/name");
    const size_t joints = lineCount(file, "/world1/joints/name");
    for (size_t i = 0; i < lines; i++) {
        ck_assert_int_eq(verdict[i], (int)wanted->reaction[i].verdict);
        ck_assert_uint_eq((ksReasons)reasons[i], wanted->reaction[i].reasons);
        ck_assert_uint_eq((unsigned long)step[i], wanted->reaction[i].step);
        ck_assert_uint_lt((size_t)joint[i], joints);
        ck_assert_str_eq(name + NAME * joint[i], wanted->name[i]);
    }
    free(verdict);
    free(reasons);
    free(joint);
    free(step);
    free(name);
}

/* of a matrix and its quaternion */
static const double turnRounding = 1e-14;

/* A quaternion turns as a matrix does, whose elements are `across` apart in a row. */
static void checkTurn(const double *q, const double *matrix, int along, int across)
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double turned[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                                 {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                                 {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq_tol(turned[i][k], matrix[along * i + across * k], turnRounding);
}

/* Of a load that nobody shares with the joint nothing is told. */
static void checkShared(hid_t file, const Record *wanted)
{
    double *force = reals(file, "/world1/reactions/shared_force"),
           *torque = reals(file, "/world1/reactions/shared_torque"),
           *bar = reals(file, "/world1/reactions/shared_bar_force");
    for (size_t i = 0; i < wanted->count; i++) {
        const ksReaction *r = &wanted->reaction[i];
        const bool isShared = r->reasons & KS_REASON_SHARED;
        for (size_t k = 0; k < 3; k++) {
            ck_assert(sameReal(force[3 * i + k], isShared ? r->shared[0].force[k] : (double)NAN));
            ck_assert(sameReal(torque[3 * i + k], isShared ? r->shared[0].torque[k] : (double)NAN));
        }
        ck_assert(isShared || isnan(bar[i]));
    }
    free(force);
    free(torque);
    free(bar);
}

static void checkPoses(hid_t file, const Record *wanted)
{
    static const double unturned[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double *centre = reals(file, "/world1/reactions/centre"), *turn = reals(file, "/world1/reactions/orientation"),
           *axes = reals(file, "/world1/reactions/joint_orientation");
    for (size_t i = 0; i < wanted->count; i++) {
        const ksReaction *r = &wanted->reaction[i];
        checkTurn(axes + 4 * i, r->axes, 1, 3);
        for (size_t side = 0; side < 2; side++) {
            checkTurn(turn + 8 * i + 4 * side, r->body[side] ? r->rotation[side] : unturned, 3, 1);
            for (size_t k = 0; k < 3; k++)
                ck_assert(sameReal(centre[6 * i + 3 * side + k], r->body[side] ? r->centre[side][k] : (double)NAN));
        }
    }
    free(centre);
    free(turn);
    free(axes);
}

/* Each motor of a step has its line. */
static void checkMotors(hid_t file, const Record *wanted)
{
    static const char *const column[] = {"force",    "speed",        "target", "power",
                                         "physical", "physical_bar", "mean",   "mean_bar"};
    enum { COLUMNS = sizeof column / sizeof *column };
    double *found[COLUMNS];
    int64_t *reaction = integers(file, "/world1/motors/reaction"), *axis = integers(file, "/world1/motors/axis"),
            *saturated = integers(file, "/world1/motors/saturated");
    size_t line = 0;
    for (int k = 0; k < COLUMNS; k++) {
        char name[64];
        snprintf(name, sizeof name, "/world1/motors/%s", column[k]);
        found[k] = reals(file, name);
    }
    for (size_t i = 0; i < wanted->count; i++)
        for (int a = 0; a < 3; a++) {
            const ksMotor *m = &wanted->reaction[i].motor[a];
            const double values[COLUMNS] = {m->force,    m->speed,       m->target, m->power,
                                            m->physical, m->physicalBar, m->mean,   m->meanBar};
            if (isnan(m->target))
                continue;
            ck_assert_int_eq(reaction[line], (int64_t)i);
            ck_assert_int_eq(axis[line], a);
            ck_assert_int_eq(saturated[line], m->saturated);
            for (int k = 0; k < COLUMNS; k++)
                ck_assert(sameReal(found[k][line], values[k]));
            line++;
        }
    ck_assert_uint_eq(lineCount(file, "/world1/motors/force"), line);
    ck_assert_uint_gt(line, 0);
    for (int k = 0; k < COLUMNS; k++)
        free(found[k]);
    free(reaction);
    free(axis);
    free(saturated);
}

/* The pair, a line for each step. */
static void checkPairs(hid_t file, const Record *wanted)
{
    for (int k = 0; k < PAIR_COLUMNS; k++) {
        const PairColumn *column = &pairColumn[k];
        char name[64];
        snprintf(name, sizeof name, "/world1/pairs/%s", column->name);
        ck_assert_uint_eq(lineCount(file, name), wanted->steps);
        double *found = reals(file, name);
        for (size_t i = 0; i < wanted->steps; i++)
            for (int axis = 0; axis < column->width; axis++)
                ck_assert_msg(sameReal(found[i * (size_t)column->width + (size_t)axis],
                                       pairValue(&wanted->mean[i], column, axis)),
                              "%s, line %zu", name, i);
        free(found);
    }
    int64_t *first = integers(file, "/world1/steps/first_pair"), *lines = integers(file, "/world1/steps/pair_lines"),
            *verdict = integers(file, "/world1/pairs/physical_verdict");
    for (size_t i = 0; i < wanted->steps; i++) {
        ck_assert_uint_eq((size_t)first[i], i);
        ck_assert_int_eq(lines[i], 1);
        ck_assert_int_eq(verdict[i], (int)wanted->mean[i].physicalVerdict);
    }
    free(first);
    free(lines);
    free(verdict);
}

static void checkSteps(hid_t file, const Record *wanted, size_t steps)
{
    double *energy = reals(file, "/world1/steps/kinetic_energy"),
           *residual = reals(file, "/world1/steps/momentum_residual");
    int64_t *first = integers(file, "/world1/steps/first"), *count = integers(file, "/world1/steps/count"),
            *verdicts = integers(file, "/world1/steps/verdict_count");
    double *size = reals(file, "/world1/steps/step_size");
    for (size_t i = 0; i < steps; i++) {
        ck_assert(sameReal(size[i], stepSize));
        ck_assert(sameReal(energy[2 * i + 1], wanted->report[i].kineticEnergy[1]));
        ck_assert(sameReal(residual[i], wanted->report[i].momentumResidual));
        ck_assert_uint_eq((size_t)first[i], wanted->first[i]);
        ck_assert_uint_eq((size_t)count[i], wanted->report[i].reactionCount);
        ck_assert_uint_eq((size_t)verdicts[6 * i + KS_VALID], wanted->report[i].verdictCount[KS_VALID]);
    }
    free(size);
    free(energy);
    free(residual);
    free(first);
    free(count);
    free(verdicts);
}

/* --- values */

START_TEST(holdsEachReactionToTheBit)
{
    const int steps = 150;
    Record *wanted;
    ksTraceOptions options = traceOptions();
    options.flushSteps = (unsigned long)(1 + 12 * _i);
    options.compression = _i;
    Traced t = tracedCar("car.h5", &options, "car \"1\"", &wanted);
    runTraced(&t, steps);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);

    const hid_t file = openTrace(in("car.h5"), false);
    ck_assert_uint_eq(lineCount(file, "/world1/reactions/error"), wanted->count);
    ck_assert_uint_gt(lineCount(file, "/world1/joints/name"), 4);  // contacts, too
    ck_assert_uint_eq(lineCount(file, "/world1/steps/step"), (size_t)steps);
    checkLines(file, wanted, wanted->count);
    checkSteps(file, wanted, (size_t)steps);
    checkShared(file, wanted);
    checkPoses(file, wanted);
    checkMotors(file, wanted);
    checkPairs(file, wanted);
    H5Fclose(file);
    freeRecord(wanted);
}
END_TEST

#if H5_VERSION_GE(1, 12, 0)
typedef H5O_info1_t Info;
#else
typedef H5O_info_t Info;
#endif

static herr_t hasUnits(hid_t root, const char *name, const Info *info, void *sets)
{
    if (info->type == H5O_TYPE_DATASET) {
        ck_assert_msg(H5Aexists_by_name(root, name, "units", H5P_DEFAULT) > 0, "%s has no units", name);
        ck_assert_msg(H5Aexists_by_name(root, name, "description", H5P_DEFAULT) > 0, "%s has no description", name);
        ++*(int *)sets;
    }
    return 0;
}

static void checkAttribute(hid_t file, const char *object, const char *name, const char *wanted)
{
    const hid_t attribute = H5Aopen_by_name(file, object, name, H5P_DEFAULT, H5P_DEFAULT),
                type = H5Aget_type(attribute);
    char *text = NULL;
    ck_assert_int_ge(H5Aread(attribute, type, &text), 0);
    ck_assert_str_eq(text, wanted);
    H5free_memory(text);
    H5Tclose(type);
    H5Aclose(attribute);
}

/* A second world is added to a file that has been written; a third one, which is never stepped, is not in it. */
START_TEST(worldsMayComeLater)
{
    Scene *scene[3];
    ksInspector *inspector[3];
    ksTraceOptions options = traceOptions();
    options.flushSteps = 3;
    options.level = KS_TRACE_ROWS;
    ksTrace *trace = traceInto(in("worlds.hdf5"), &options);
    for (int i = 0; i < 3; i++) {
        char name[32];
        snprintf(name, sizeof name, "chain, \"%d\"", i);
        scene[i] = sceneChain(2 + i, SCENE_FALLING);
        inspector[i] = inspect(scene[i]->world);
        CHECK_OK(ksTraceWatch(trace, inspector[i], name));
    }
    // the last one first
    runScene(scene[2], inspector[2], 10);
    runScene(scene[0], inspector[0], 7);
    runScene(scene[2], inspector[2], 1);
    double wanted[4];
    for (size_t i = 0; i < 4; i++)
        wanted[i] = ksInspectorGetReactions(inspector[2], NULL)[i].row[2].engine;
    CHECK_OK(ksTraceClose(trace));
    for (int i = 0; i < 3; i++) {
        ksInspectorDestroy(inspector[i]);
        sceneDestroy(scene[i]);
    }

    const hid_t file = openTrace(in("worlds.hdf5"), false);
    checkAttribute(file, "/world1", "name", "chain, \"0\"");
    checkAttribute(file, "/world3", "name", "chain, \"2\"");
    ck_assert_int_eq(H5Lexists(file, "/world2", H5P_DEFAULT), 0);
    ck_assert_uint_eq(lineCount(file, "/world1/reactions/error"), 2 * 7);
    ck_assert_uint_eq(lineCount(file, "/world3/reactions/error"), 4 * 11);
    ck_assert_uint_eq(lineCount(file, "/world3/rows/engine"), 5 * 4 * 11);
    double *engine = reals(file, "/world3/rows/engine");
    for (size_t i = 0; i < 4; i++)
        ck_assert(sameReal(engine[5 * (40 + i) + 2], wanted[i]));
    free(engine);
    int sets = 0;
#if H5_VERSION_GE(1, 12, 0)
    H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_NATIVE, hasUnits, &sets);
#else
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, hasUnits, &sets);
#endif
    ck_assert_int_gt(sets, 2 * 70);
    checkAttribute(file, "/world1/reactions/engine_torque", "units", "N.m");
    H5Fclose(file);
}
END_TEST

/* --- the host's own HDF5, and errors */

static herr_t countErrors(hid_t stack, void *count)
{
    (void)stack;
    ++*(int *)count;
    return 0;
}

START_TEST(hostKeepsItsErrorHandler)
{
    int errors = 0;
    ksTrace *trace = NULL;
    H5Eset_auto2(H5E_DEFAULT, countErrors, &errors);
    CHECK_STATUS(ksTraceCreate(in("nowhere/a.h5"), NULL, &trace), KS_ERROR_FILE);
    ck_assert_msg(strstr(ksErrorMessage(), "No such file") != NULL, "%s", ksErrorMessage());
    ck_assert_int_eq(errors, 0);
    Traced t = traceScene(sceneChain(2, SCENE_FALLING), "a.h5", NULL, NULL);
    runTraced(&t, 2);
    CHECK_OK(ksTraceFlush(t.trace));
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
    H5E_auto2_t handler;
    void *data;
    H5Eget_auto2(H5E_DEFAULT, &handler, &data);
    ck_assert(handler == countErrors);
    ck_assert_ptr_eq(data, &errors);
    ck_assert_int_eq(errors, 0);
    H5Fopen(in("nowhere/a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_eq(errors, 1);
}
END_TEST

/* A trace or a recording, that another program writes: in a sentence, and none of HDF5's own. */
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

/* Also while others may read it. */
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
    // beyond what is asked for before the first lines
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

/* A child that ends by exit, where HDF5 closes what is open. */
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
    // others still find that it is being written
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

/* --- readers, and a writer that is killed */

/* Steps the car, and tells after each flush how many steps are in the file. */
static void writeForever(const char *name, unsigned long flushSteps, int pipe)
{
    ksTraceOptions options = traceOptions();
    options.flushSteps = flushSteps;
    options.flushSeconds = INFINITY;
    const Traced t = traceScene(car(), name, &options, NULL);
    for (int steps = 1;; steps++) {
        runTraced(&t, 1);
        if (steps % (int)flushSteps == 0 && write(pipe, &steps, sizeof steps) < 0)
            _exit(1);
    }
}

/* The number of steps that the writer has told of. */
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

/* Each time somewhere else: a file that others can read while it is written can be read after SIGKILL. */
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

    // the same run, not killed
    Scene *scene = car();
    ksInspector *inspector = inspect(scene->world);
    Record *wanted = record(inspector);
    runScene(scene, inspector, told + 100);
    checkFile(wanted, told);
    // another reader wants to be told that nobody writes any more
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

/* The number on the next line. */
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

/* A reader that has the file open sees it grow, and does not hinder the writer when it adds a world. */
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
    Suite *suite = suite_create("trace_hdf5");
    TCase *tcase = tcase_create("trace_hdf5");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_loop_test(tcase, holdsEachReactionToTheBit, 0, 3);
    tcase_add_test(tcase, worldsMayComeLater);
    tcase_add_test(tcase, hostKeepsItsErrorHandler);
    tcase_add_loop_test(tcase, busyFileIsTold, 0, 2);
    tcase_add_loop_test(tcase, aFileIsWrittenByOne, 0, 2);
    tcase_add_test(tcase, fullDiskIsTold);
    tcase_add_loop_test(tcase, childLeavesTheFileAlone, 0, 2);
    tcase_add_loop_test(tcase, killedWriterLeavesAllThatWasFlushed, 0, 6);
    tcase_add_test(tcase, readersDoNotHinder);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

/* check_trace_hdf5.c  Traces as HDF5: values, worlds that are added later, the host's own HDF5. */
#define _GNU_SOURCE
#include "tests/kits/report/trace_hdf5_kit.h"

/* of a matrix and its quaternion */
static const double turnRounding = 1e-14;

/* Compares the rotation of a quaternion with a matrix, whose elements are `along` apart in a column
 * and `across` in a row. */
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

/* A joint that shares no load has no shared values. */
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

/* Each motor has a line for each step. */
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

/* The pair has a line for each step. */
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
    ck_assert_uint_gt(lineCount(file, "/world1/joints/name"), 4);  // contacts have names, too
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

/* A second world is added to a file that has been written already; a third one, which never steps,
 * does not appear in it. */
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

int main(void)
{
    TCase *tcase = tcase_create("trace_hdf5");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_loop_test(tcase, holdsEachReactionToTheBit, 0, 3);
    tcase_add_test(tcase, worldsMayComeLater);
    tcase_add_test(tcase, hostKeepsItsErrorHandler);
    return runCase("trace_hdf5", tcase);
}

/* check_trace.c  Traces: selection, order of destruction, errors, forks; and traces as CSV. */
#define _GNU_SOURCE
#include "tests/kits/trace_kit.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <locale.h>
#include <signal.h>

/* --- reading CSV, RFC 4180 */

enum { MOST_FIELDS = 64 };

typedef struct Sheet {
    char *text, **field; /* [lines * fields] */
    int lines, fields;   /* the heading is line 0 */
} Sheet;

static char *readAll(const char *path)
{
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    const long size = ftell(file);
    rewind(file);
    char *text = calloc((size_t)size + 1, 1);
    ck_assert_uint_eq(fread(text, 1, (size_t)size, file), (size_t)size);
    fclose(file);
    return text;
}

/* Ends the field in place, with its quotes taken off; the character behind it. */
static char takeField(char **at, char **field)
{
    char *from = *at, *to = *at;
    *field = to;
    const bool isQuoted = *from == '"';
    from += isQuoted;
    while (*from && (isQuoted || (*from != ',' && *from != '\n'))) {
        if (*from == '"' && *++from != '"')
            break;
        *to++ = *from++;
    }
    const char end = *from;
    ck_assert(end == ',' || end == '\n');
    *to = 0;
    *at = from + 1;
    return end;
}

static Sheet readSheet(const char *path)
{
    Sheet sheet = {.text = readAll(path)};
    size_t count = 0, capacity = 0;
    for (char *at = sheet.text; *at;) {
        if (count == capacity)
            sheet.field = realloc(sheet.field, (capacity = 2 * capacity + 64) * sizeof *sheet.field);
        if (takeField(&at, &sheet.field[count++]) == '\n') {
            sheet.lines++;
            if (!sheet.fields)
                sheet.fields = (int)count;
            ck_assert_uint_eq(count, (size_t)sheet.lines * (size_t)sheet.fields);
        }
    }
    return sheet;
}

static void freeSheet(Sheet *sheet)
{
    free(sheet->field);
    free(sheet->text);
}

static const char *cell(const Sheet *sheet, int line, const char *heading)
{
    for (int i = 0; i < sheet->fields; i++)
        if (!strcmp(sheet->field[i], heading))
            return sheet->field[(size_t)line * (size_t)sheet->fields + (size_t)i];
    ck_abort_msg("no column %s", heading);
    return NULL;
}

static void checkReal(const Sheet *sheet, int line, const char *heading, double wanted)
{
    const char *text = cell(sheet, line, heading);
    const double found = *text ? strtod(text, NULL) : NAN;
    ck_assert_msg(sameReal(found, wanted), "line %d, %s: %s is not %.17g", line, heading, text, wanted);
}

static void checkWrench(const Sheet *sheet, int line, const char *value, const ksWrench *wanted)
{
    for (int i = 0; i < 3; i++) {
        char heading[64];
        snprintf(heading, sizeof heading, "%s_f%c[N]", value, 'x' + i);
        checkReal(sheet, line, heading, wanted->force[i]);
        snprintf(heading, sizeof heading, "%s_t%c[N.m]", value, 'x' + i);
        checkReal(sheet, line, heading, wanted->torque[i]);
    }
}

/* of a root of a sum of squares */
static const double sizeRounding = 4 * DBL_EPSILON;

/* Of three components; not known where one is not. */
static void checkSize(const Sheet *sheet, int line, const char *heading, const double wanted[3])
{
    const double size = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1] + wanted[2] * wanted[2]);
    const char *text = cell(sheet, line, heading);
    const bool isRight = isnan(size) ? !*text : *text && fabs(strtod(text, NULL) - size) <= sizeRounding * size;
    ck_assert_msg(isRight, "line %d, %s: %s is not %.17g", line, heading, text, size);
}

/* Names of its bits, in their order, with | between. */
static void checkReasons(const char *text, ksReasons wanted)
{
    for (; wanted; wanted &= wanted - 1) {
        const char *name = ksReasonName(wanted & ~(wanted - 1));
        ck_assert_msg(strncmp(text, name, strlen(name)) == 0, "\"%s\" does not begin with %s", text, name);
        text += strlen(name);
        text += *text == '|';
    }
    ck_assert_str_eq(text, "");
}

static void checkLine(const Sheet *sheet, int line, const ksReaction *wanted, const char *name)
{
    ck_assert_uint_eq(strtoul(cell(sheet, line, "step"), NULL, 10), wanted->step);
    ck_assert_str_eq(cell(sheet, line, "joint_name"), name);
    ck_assert_str_eq(cell(sheet, line, "verdict"), ksVerdictName(wanted->verdict));
    checkReasons(cell(sheet, line, "reasons"), wanted->reasons);
    ck_assert_int_eq(atoi(cell(sheet, line, "free_count")), wanted->freeCount);
    checkReal(sheet, line, "time[s]", wanted->time);
    checkReal(sheet, line, "error", wanted->error);
    checkReal(sheet, line, "error_bar", wanted->errorBar);
    checkReal(sheet, line, "physical_error", wanted->physicalError);
    checkReal(sheet, line, "physical_error_bar", wanted->physicalErrorBar);
    checkReal(sheet, line, "net_error_0", wanted->netError[0]);
    checkReal(sheet, line, "net_error_1", wanted->netError[1]);
    checkWrench(sheet, line, "engine", &wanted->engine[0]);
    checkWrench(sheet, line, "converged", &wanted->converged[0]);
    checkWrench(sheet, line, "physical", &wanted->physical[0]);
    checkWrench(sheet, line, "mean", &wanted->mean[0]);
    checkReal(sheet, line, "mean_time[s]", wanted->meanTime);
    checkReal(sheet, line, "load_noise", wanted->loadNoise);
    checkSize(sheet, line, "mean_bar_force[N]", wanted->meanBar.force);
    checkSize(sheet, line, "mean_bar_torque[N.m]", wanted->meanBar.torque);
    checkSize(sheet, line, "departure_force[N]", wanted->departure.force);
    checkSize(sheet, line, "departure_torque[N.m]", wanted->departure.torque);
}

static int lineCount(const char *path)
{
    Sheet sheet = readSheet(path);
    const int count = sheet.lines - 1;
    freeSheet(&sheet);
    return count;
}

/* A wheel and the ground, a line for each step. */
static void checkPairs(const Record *wanted, int steps)
{
    Sheet sheet = readSheet(in("car.pairs.csv"));
    int touching = 0, physical = 0;
    ck_assert_int_eq(sheet.lines, steps + 1);
    for (int i = 0; i < steps; i++) {
        const ksMean *mean = &wanted->mean[i];
        ck_assert_uint_eq(strtoul(cell(&sheet, i + 1, "step"), NULL, 10), wanted->report[i].step);
        checkReal(&sheet, i + 1, "window[s]", 0.15);
        ck_assert_ptr_nonnull(strstr(cell(&sheet, i + 1, "joint_name"), "contact: body "));
        ck_assert_ptr_nonnull(strstr(cell(&sheet, i + 1, "joint_name"), cell(&sheet, i + 1, "body")));
        for (int k = 0; k < PAIR_COLUMNS; k++)
            for (int axis = 0; axis < pairColumn[k].width; axis++)
                checkReal(&sheet, i + 1, pairHeading(&pairColumn[k], axis, true),
                          pairValue(mean, &pairColumn[k], axis));
        ck_assert_str_eq(cell(&sheet, i + 1, "physical_verdict"), ksVerdictName(mean->physicalVerdict));
        checkReasons(cell(&sheet, i + 1, "physical_reasons"), mean->physicalReasons);
        touching += mean->contactShare > 0;
        physical += isfinite(mean->physical.force[2]);
    }
    ck_assert(touching > 0 && touching < steps && physical > 0);
    freeSheet(&sheet);
}

/* --- values */

START_TEST(csvHoldsEachReactionToTheBit)
{
    const int steps = 150;
    Record *wanted;
    ksTraceOptions options = traceOptions();
    options.flushSteps = 7;
    Traced t = tracedCar("car.csv", &options, "car", &wanted);
    runTraced(&t, steps);
    CHECK_OK(ksTraceClose(t.trace));

    Sheet sheet = readSheet(in("car.csv"));
    ck_assert_int_eq(sheet.lines, (int)wanted->count + 1);
    ck_assert_uint_gt(wanted->count, 4 * (size_t)steps);  // contacts, too
    for (int i = 0; i < (int)wanted->count; i++)
        checkLine(&sheet, i + 1, &wanted->reaction[i], wanted->name[i]);
    freeSheet(&sheet);

    sheet = readSheet(in("car.motors.csv"));
    for (int line = 1; line < sheet.lines; line++) {
        const ksReaction *r = &wanted->reaction[atoi(cell(&sheet, line, "reaction"))];
        checkReal(&sheet, line, "force[N or N.m]", r->motor[atoi(cell(&sheet, line, "axis"))].force);
    }
    ck_assert_int_gt(sheet.lines, 1);
    freeSheet(&sheet);

    checkPairs(wanted, steps);
    sheet = readSheet(in("car.steps.csv"));
    ck_assert_int_eq(sheet.lines, steps + 1);
    for (int i = 0; i < steps; i++) {
        checkReal(&sheet, i + 1, "kinetic_energy_after[J]", wanted->report[i].kineticEnergy[1]);
        checkReal(&sheet, i + 1, "momentum_residual", wanted->report[i].momentumResidual);
        checkReasons(cell(&sheet, i + 1, "fallback_reasons"), wanted->report[i].fallbackReasons);
        ck_assert_int_eq(atoi(cell(&sheet, i + 1, "first")), (int)wanted->first[i]);
        ck_assert_int_eq(atoi(cell(&sheet, i + 1, "valid")), (int)wanted->report[i].verdictCount[KS_VALID]);
    }
    freeSheet(&sheet);
    freeRecord(wanted);
    dropScene(&t);
}
END_TEST

/* A box rests on one that is held: whichever of them a contact names first, the lower one is body
 * 0, and bears the weight. */
START_TEST(contactsActOnTheFirstBody)
{
    const double side = 0.1, weight = 9.81, settled = 1e-6;
    for (int lower = 0; lower < 2; lower++) {
        dWorldID world = dWorldCreate();
        dJointGroupID group = dJointGroupCreate(0);
        dBodyID box[2];
        dMass mass;
        dWorldSetGravity(world, 0, 0, -weight);
        dMassSetBoxTotal(&mass, 1, side, side, side);
        for (int i = 0; i < 2; i++) {
            box[i] = dBodyCreate(world);
            dBodySetMass(box[i], &mass);
            dBodySetPosition(box[i], 0, 0, side * (0.5 + i));
        }
        dJointID fixed = dJointCreateFixed(world, NULL);
        dJointAttach(fixed, box[0], NULL);
        dJointSetFixed(fixed);
        ksInspector *inspector = inspect(world);
        ksTrace *trace = traceInto(in("boxes.csv"), NULL);
        CHECK_OK(ksTraceWatch(trace, inspector, NULL));
        for (int i = 0; i < 20; i++) {
            dContact contact = {.surface.mode = dContactSoftERP | dContactSoftCFM, .surface.soft_erp = 0.2};
            contact.surface.soft_cfm = 1e-6;
            contact.geom.normal[2] = lower ? -1 : 1;
            contact.geom.pos[2] = side;
            dJointAttach(dJointCreateContact(world, group, &contact), box[!lower], box[lower]);
            CHECK_OK(ksInspectorQuickStep(inspector, stepSize));
            dJointGroupEmpty(group);
        }
        CHECK_OK(ksTraceClose(trace));
        Sheet sheet = readSheet(in("boxes.csv"));
        int found = 0;
        for (int line = sheet.lines - 2; line < sheet.lines; line++)
            if (strncmp(cell(&sheet, line, "joint_name"), "contact: body 1", 15) == 0) {
                ck_assert_double_eq_tol(strtod(cell(&sheet, line, "engine_fz[N]"), NULL), -weight, settled);
                ck_assert_double_eq_tol(strtod(cell(&sheet, line, "centre_0_z[m]"), NULL), side / 2, settled);
                ck_assert_double_eq_tol(strtod(cell(&sheet, line, "centre_1_z[m]"), NULL), 1.5 * side, 1e-3 * side);
                found++;
            }
        ck_assert_int_eq(found, 1);
        freeSheet(&sheet);
        ksInspectorDestroy(inspector);
        dJointGroupDestroy(group);
        dWorldDestroy(world);
    }
}
END_TEST

/* Under a locale with a decimal comma, where there is one. */
START_TEST(csvHasAPointInAnyLocale)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8"))
        setlocale(LC_ALL, "");
    traceSteps(sceneChain(2, SCENE_FALLING), "chain.csv", NULL, NULL, 5);
    setlocale(LC_ALL, "C");
    Sheet sheet = readSheet(in("chain.csv"));
    ck_assert_int_eq(sheet.lines, 11);
    checkReal(&sheet, 3, "time[s]", stepSize);
    ck_assert_str_eq(cell(&sheet, 1, "world"), "world 1");
    freeSheet(&sheet);
}
END_TEST

/* And what a terminal or a spreadsheet would obey, which may take semicolons for the ends of
 * fields, is not left as it is. */
START_TEST(csvQuotesNames)
{
    static const char strange[] = "=left, \"upper\"\narm;-lower;-1;@", world[] = "two\nlines\033\377";
    static const char written[] = "'=left, \"upper\"\xef\xbf\xbd"
                                  "arm;'-lower;-1;'@";
    Traced t = traceScene(sceneChain(2, SCENE_FALLING), "chain.csv", NULL, world);
    CHECK_OK(ksInspectorSetName(t.inspector, t.scene->joint[1], strange));
    runTraced(&t, 1);
    CHECK_OK(ksTraceClose(t.trace));
    Sheet sheet = readSheet(in("chain.csv"));
    ck_assert_int_eq(sheet.lines, 3);
    int found = 0;
    for (int line = 1; line < sheet.lines; line++) {
        found += !strcmp(cell(&sheet, line, "joint_name"), written);
        ck_assert_str_eq(cell(&sheet, line, "world"), "two\xef\xbf\xbdlines\xef\xbf\xbd\xef\xbf\xbd");
    }
    ck_assert_int_eq(found, 1);
    freeSheet(&sheet);
    sheet = readSheet(in("chain.joints.csv"));
    ck_assert_int_eq(sheet.lines, 3);
    ck_assert_str_eq(cell(&sheet, 1, "type"), "hinge");
    freeSheet(&sheet);
    dropScene(&t);
}
END_TEST

START_TEST(csvHoldsRows)
{
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_ROWS;
    Traced t = traceScene(sceneChain(3, SCENE_FALLING), "chain.csv", &options, NULL);
    runTraced(&t, 2);
    CHECK_OK(ksTraceFlush(t.trace));
    Sheet sheet = readSheet(in("chain.rows.csv"));
    ck_assert_int_eq(sheet.lines, 1 + 2 * 3 * 5);
    size_t count;
    const ksReaction *last = ksInspectorGetReactions(t.inspector, &count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 5; k++) {
            const int line = 1 + 15 + 5 * (int)i + k;
            checkReal(&sheet, line, "engine[N or N.m]", last[i].row[k].engine);
            checkReal(&sheet, line, "paulus[N or N.m]", last[i].row[k].paulus);
            checkReal(&sheet, line, "lo[N or N.m]", last[i].row[k].lo);
            ck_assert_str_eq(cell(&sheet, line, "kind"), "KS_ROW_BILATERAL");
        }
    freeSheet(&sheet);
    CHECK_OK(ksTraceClose(t.trace));
    dropScene(&t);
}
END_TEST

/* --- what is chosen */

/* Lines of 40 steps of the car. */
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

/* CSV tells worlds by their names alone: two of one name, and two without one. */
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

/* A recording needs HDF5, and says so. */
START_TEST(recordingsNeedHdf5)
{
    ksTraceOptions options = traceOptions();
    options.level = KS_TRACE_RAW;
    ksTrace *trace = NULL;
#ifdef KS_HAVE_HDF5
    CHECK_OK(ksTraceCreate(in("a.h5"), &options, &trace));
    CHECK_OK(ksTraceClose(trace));
#else
    CHECK_STATUS(ksTraceCreate(in("a.h5"), &options, &trace), KS_ERROR_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(ksErrorMessage(), "without HDF5"));
    ck_assert_ptr_null(trace);
#endif
}
END_TEST

/* --- others */

/* Two that write into one file would leave lines of both. */
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

/* --- who goes first */

START_TEST(traceMayGoFirst)
{
    Traced t = traceScene(sceneChain(2, SCENE_FALLING), "chain.csv", NULL, NULL);
    runTraced(&t, 3);
    CHECK_OK(ksTraceClose(t.trace));
    ck_assert_int_eq(lineCount(in("chain.csv")), 6);
    runTraced(&t, 3);
    // another one on the same inspector
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

/* --- what goes wrong */

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
    // what there is is whole
    const int lines = lineCount(in("chain.csv"));
    ck_assert_int_gt(lines, 0);
    ck_assert_int_eq(lines % 25, 0);
    dropScene(&t);
}
END_TEST

/* A child has the trace in its memory, and neither writes nor waits. */
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
    Suite *suite = suite_create("trace");
    TCase *tcase = tcase_create("trace");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_test(tcase, recordingsNeedHdf5);
    tcase_add_test(tcase, csvHoldsEachReactionToTheBit);
    tcase_add_test(tcase, csvHasAPointInAnyLocale);
    tcase_add_test(tcase, contactsActOnTheFirstBody);
    tcase_add_test(tcase, csvQuotesNames);
    tcase_add_test(tcase, csvHoldsRows);
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
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

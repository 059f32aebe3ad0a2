/* check_trace_csv.c  Traces as CSV: their values, names and rows. */
#define _GNU_SOURCE
#include "tests/kits/report/sheet_kit.h"
#include "tests/kits/report/trace_kit.h"

#include <float.h>
#include <locale.h>

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

/* of the root of a sum of squares */
static const double sizeRounding = 4 * DBL_EPSILON;

/* The size of three components; unknown if one is unknown. */
static void checkSize(const Sheet *sheet, int line, const char *heading, const double wanted[3])
{
    const double size = sqrt(wanted[0] * wanted[0] + wanted[1] * wanted[1] + wanted[2] * wanted[2]);
    const char *text = cell(sheet, line, heading);
    const bool isRight = isnan(size) ? !*text : *text && fabs(strtod(text, NULL) - size) <= sizeRounding * size;
    ck_assert_msg(isRight, "line %d, %s: %s is not %.17g", line, heading, text, size);
}

/* Names of the bits, in order, joined by |. */
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

/* A wheel and the ground, with a line for each step. */
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
    ck_assert_uint_gt(wanted->count, 4 * (size_t)steps);  // contacts have lines, too
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

/* A box rests on a fixed one: whichever of them the contact names first, the lower one is body 0,
 * and bears the weight. */
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

/* Under a locale with a decimal comma, if the system has one. */
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

/* Names are also defused where a terminal or a spreadsheet, which may split fields at semicolons,
 * would execute them. */
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

int main(void)
{
    TCase *tcase = tcase_create("trace csv");
    tcase_add_checked_fixture(tcase, makeFolder, removeFolder);
    tcase_add_test(tcase, csvHoldsEachReactionToTheBit);
    tcase_add_test(tcase, csvHasAPointInAnyLocale);
    tcase_add_test(tcase, contactsActOnTheFirstBody);
    tcase_add_test(tcase, csvQuotesNames);
    tcase_add_test(tcase, csvHoldsRows);
    return runCase("trace csv", tcase);
}

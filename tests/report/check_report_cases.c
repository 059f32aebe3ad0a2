/* check_report_cases.c  Checks of a report: against an older one, and by limits of loads. An
 * unknown result does not pass. */
#include "tests/kits/report/runs_kit.h"

#include "plugin/report/findings/compare.h"
#include "plugin/report/findings/loads.h"

static size_t countOf(const ksReport *report, ksiCaseOutcome outcome)
{
    size_t count[KSI_OUTCOMES];
    countCases(report, count);
    return count[outcome];
}

/* Checks that the text contains these words. */
static void says(const ksReport *report, const char *words)
{
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, words) != NULL, "no \"%s\" in %s", words, text);
    free(text);
}

/* A report of a run with an error of 0.02 and a force of 1000 N; if it is whole, also of a second
 * run with the given values. */
static ksReport *another(double error, double force, unsigned unsolved, bool isWhole)
{
    ksReport *report = newReport(NULL);
    addRun(report, runOf("a.h5"), 0.02, 1000);
    if (!isWhole)
        return report;
    addRun(report, runOf("b.h5"), error, force);
    report->world[1]->joint[0]->verdict[KS_SOLVER_ERROR] = unsolved;
    return report;
}

/* A result is worse if it grows by more than 5 %, and beyond rounding: a tenth more is worse;
 * equal, smaller, or within the bars is not. */
START_TEST(what_got_worse_is_told)
{
    static const struct {
        double error, force;
        unsigned unsolved;
        bool isWhole;
        const char *words; /* NULL: nothing got worse */
    } now[] = {{0.02, 1000, 10, true, NULL},
               {0.0205, 1001, 14, true, NULL},
               {0.015, 500, 0, true, NULL},
               {0.022, 1000, 10, true, "b.h5: world 1, hinge 1: body 1 \xe2\x80\x93 world: error 2.2 %, was 2 %\n"},
               {0.02, 1100, 10, true,
                "largest physical force 1102 N +- 1.1, was 1002 +- 1; largest force 1100 N of the engine, was 1000"},
               {0.02, 1000, 20, true, "world: KS_SOLVER_ERROR in 20 % of the steps, was in 10 %"},
               {0.02, 1000, 10, false, "world: is gone"}};
    const ksValue of = _i ? KS_CONVERGED : KS_PHYSICAL;
    ksReport *older = another(0.02, 1000, 10, true);
    for (size_t i = 0; i < sizeof now / sizeof *now; i++) {
        ksReport *report = another(now[i].error, now[i].force, now[i].unsolved, now[i].isWhole);
        ksiReportCompare(report, older, 0.05, true);
        // unsolved equations matter only under KS_CONVERGED
        report->options.limit.value = of;
        const bool isWorse = now[i].words && (of == KS_CONVERGED || !strstr(now[i].words, "KS_SOLVER_ERROR"));
        const size_t worse = countOf(report, KSI_FAILS);
        char *text = textOf(report, KS_REPORT_TEXT), *junit = textOf(report, KS_REPORT_JUNIT);
        if (isWorse)
            ck_assert_msg(strstr(text, now[i].words) != NULL, "no \"%s\" in %s", now[i].words, text);
        ck_assert_msg(worse == isWorse, "%zu are worse: %s", worse, text);
        ck_assert_ptr_nonnull(strstr(junit, worse ? "<testsuite name=\"baseline\" tests=\"2\" failures=\"1\""
                                                  : "<testsuite name=\"baseline\" tests=\"2\" failures=\"0\""));
        free(text);
        free(junit);
        ksiReportCompare(report, older, 0.3, true);
        ck_assert_uint_eq(countOf(report, KSI_FAILS), !now[i].isWhole);
        ksReportDestroy(report);
    }
    ksReportDestroy(older);
}
END_TEST

/* A force of 1002 +- 1 N: certainly above a limit, within it, or undecided. */
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
        ksiReportLimitLoads(report, &load[i], 1, 0);
        ck_assert_uint_eq(countOf(report, KSI_FAILS), expected[i][0]);
        ck_assert_uint_eq(countOf(report, KSI_UNTOLD), expected[i][1]);
        char *text = textOf(report, KS_REPORT_TEXT), *junit = textOf(report, KS_REPORT_JUNIT);
        ck_assert_msg(strstr(text, words[i]) != NULL, "no %s in %s", words[i], text);
        ck_assert_ptr_nonnull(strstr(junit, "<testsuite name=\"loads\" tests=\"1\""));
        free(text);
        free(junit);
    }
    ksReportDestroy(report);
}
END_TEST

/* A force without a bar is unknown: a force that became unknown is worse, and a force unknown
 * before cannot be compared. */
START_TEST(bars_that_nobody_knows)
{
    static const double bars[] = {NAN, INFINITY};
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        ksReport *older = another(0.02, 1000, 0, true), *report = another(0.02, 1000, 0, true);
        report->world[1]->joint[0]->peak[KSI_FORCE].bar = bars[i];
        ksiReportCompare(report, older, 0.05, true);
        says(report, "b.h5: world 1, hinge 1: body 1 \xe2\x80\x93 world: largest physical force is no longer known, "
                     "was 1002 +- 1\n");
        ck_assert_uint_eq(countOf(report, KSI_FAILS), 1);
        ksiReportCompare(older, report, 0.05, true);
        ck_assert_uint_eq(countOf(older, KSI_FAILS), 0);
        ksReportDestroy(report);
        ksReportDestroy(older);
    }
}
END_TEST

/* A baseline that holds nothing to be compared with does not pass. */
START_TEST(nothing_to_compare)
{
    ksReport *older = newReport(NULL), *report = another(0.02, 1000, 0, true);
    ksiReportCompare(report, older, 0.05, false);
    ck_assert_uint_eq(countOf(report, KSI_FAILS), 0);
    ck_assert_uint_eq(countOf(report, KSI_UNTOLD), 1);
    says(report, "Against the baseline: 0 of 0 joints are worse, by more than 5 %.\n"
                 "  ! all worlds, *: the baseline has no joint to compare with\n");
    char *junit = textOf(report, KS_REPORT_JUNIT);
    ck_assert_ptr_nonnull(strstr(
        junit, "<testsuite name=\"baseline\" tests=\"1\" failures=\"0\" skipped=\"0\" errors=\"1\" time=\"0\">"));
    free(junit);
    ksReportDestroy(report);
    ksReportDestroy(older);
}
END_TEST

/* A smaller force can exceed a limit by its bar, or exceed it with more certainty; a step with an
 * unknown force counts, too. Parts add all of this up. */
START_TEST(each_step_counts)
{
    static const ksiReach reach[] = {{true, 7, 0.7, 900, 300}, {true, 3, 0.3, 1000, 0.1}};
    static const struct {
        double most;
        ksiCaseOutcome outcome;
        const char *words;
    } expected[] = {{1001.5, KSI_UNTOLD, "900 N +- 3e+02 in step 7, at 0.7 s: perhaps more than"},
                    {1199, KSI_UNTOLD, "900 N +- 3e+02 in step 7, at 0.7 s: perhaps more than"},
                    {1201, KSI_UNTOLD, "not known, or not unique, in 5 of 90 steps: --max-force 1201"},
                    {1000.5, KSI_FAILS, "1002 N +- 1 in step 0, at 0 s: more than"}};
    ksReport *report = newReport(NULL), *part = newReport(NULL), *none = newReport(NULL);
    ksiJointStats *joint = addRun(report, runOf("a.h5"), 0, 1000), *other = addRun(part, runOf("b.h5"), 0, 1);
    // the lower end of the largest force is 1000.998
    ksiBorne *borne = &joint->borne[KSI_IN_STEPS][KSI_FORCE];
    ksiBorneNote(borne, &reach[0]);
    ksiBorneNote(borne, &reach[1]);
    joint->verdict[KS_NOT_SOLVED] = 10;
    borne->untold = 5;
    // a joint that never bore a force does not count
    other->verdict[KS_NOT_SOLVED] = other->steps;
    other->borne[KSI_IN_STEPS][KSI_FORCE] = (ksiBorne){.untold = 0};
    CHECK_OK(ksiReportMerge(none, report));
    CHECK_OK(ksiReportMerge(none, part));
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ksiMostLoad load = {NULL, expected[i].most, KSI_FORCE};
        ksiReportLimitLoads(none, &load, 1, 0);
        ck_assert_uint_eq(countOf(none, expected[i].outcome), 1);
        ck_assert_uint_eq(countOf(none, KSI_PASSES), 0);
        says(none, expected[i].words);
    }
    ksReportDestroy(none);
    ksReportDestroy(part);
    ksReportDestroy(report);
}
END_TEST

/* The builder decides how a door's two hinges share its weight: no limit on a hinge certainly
 * holds, but a limit on a pendulum does. */
START_TEST(what_is_not_unique_is_told)
{
    for (int hinges = 1; hinges <= 2; hinges++) {
        const dWorldID world = dWorldCreate();
        dWorldSetGravity(world, 0, 0, -9.81);
        const dBodyID door = dBodyCreate(world);
        dBodySetPosition(door, 0.5, 0, 0);
        for (int i = 0; i < hinges; i++) {
            const dJointID hinge = dJointCreateHinge(world, NULL);
            dJointAttach(hinge, door, NULL);
            dJointSetHingeAnchor(hinge, 0, 0, 1 - 2 * i);
            dJointSetHingeAxis(hinge, 0, 0, 1);
        }
        ksInspector *inspector = inspect(world);
        ksReport *report = watching(inspector, NULL);
        for (int i = 0; i < 20; i++)
            CHECK_OK(ksInspectorStep(inspector, h));
        const ksiMostLoad load[] = {{NULL, 1e6, KSI_FORCE}, {NULL, 1e6, KSI_TORQUE}};
        ksiReportLimitLoads(report, load, 2, 0);
        ck_assert_uint_eq(countOf(report, hinges == 1 ? KSI_PASSES : KSI_UNTOLD), 2 * (size_t)hinges);
        if (hinges == 2)
            says(
                report,
                "hinge 1: body 1 \xe2\x80\x93 world: not known, or not unique, in 20 of 20 steps: --max-force 1e+06\n");
        ksReportDestroy(report);
        ksInspectorDestroy(inspector);
        dWorldDestroy(world);
    }
}
END_TEST

/* JSON and JUnit contain the cases, too, with patterns of arbitrary text. */
START_TEST(programs_are_told)
{
    const ksiMostLoad load[] = {{"a\x01\xff<b", 1, KSI_FORCE}, {"hinge*", 1, KSI_FORCE}};
    ksReport *older = another(0.02, 500, 0, true), *report = another(0.02, 1000, 0, true);
    ksiReportCompare(report, older, 0.05, false);
    ksiReportLimitLoads(report, load, 2, 0);
    json_t *document = jsonOf(report), *baseline = json_object_get(document, "baseline");
    json_t *loads = json_object_get(document, "loads"), *first = json_array_get(json_object_get(loads, "cases"), 0);
    ck_assert_double_eq(json_number_value(json_object_get(baseline, "tolerance")), 0.05);
    ck_assert_int_eq(countAt(baseline, "tests"), 2);
    ck_assert_int_eq(countAt(baseline, "failures"), 1);
    ck_assert_int_eq(countAt(baseline, "errors"), 0);
    ck_assert_uint_eq(json_array_size(json_object_get(baseline, "cases")), 1);
    ck_assert_int_eq(countAt(loads, "tests"), 3);
    ck_assert_int_eq(countAt(loads, "failures"), 2);
    ck_assert_int_eq(countAt(loads, "errors"), 1);
    ck_assert_str_eq(json_string_value(json_object_get(first, "joint")), "a\xef\xbf\xbd\xef\xbf\xbd<b");
    ck_assert_str_eq(json_string_value(json_object_get(first, "outcome")), "error");
    ck_assert_str_eq(json_string_value(json_object_get(first, "words")),
                     "no joint with a physical force: --max-force a\xef\xbf\xbd\xef\xbf\xbd<b=1");
    json_decref(document);
    char *junit = textOf(report, KS_REPORT_JUNIT);
    ck_assert(!strchr(junit, 1) && !strchr(junit, '\xff'));
    free(junit);
    ksReportDestroy(report);
    ksReportDestroy(older);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("report_cases");
    tcase_add_loop_test(tcase, what_got_worse_is_told, 0, 2);
    tcase_add_test(tcase, loads_have_limits);
    tcase_add_test(tcase, bars_that_nobody_knows);
    tcase_add_test(tcase, nothing_to_compare);
    tcase_add_test(tcase, each_step_counts);
    tcase_add_test(tcase, what_is_not_unique_is_told);
    tcase_add_test(tcase, programs_are_told);
    return runCase("report_cases", tcase);
}

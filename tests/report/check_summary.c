/* check_summary.c  The first lines of a report: one screen, the worst world and joint first, in
 * words that can be acted on. */
#include "tests/kits/report/report_kit.h"

#include "plugin/report/collect/run.h"
#include "plugin/report/document/document.h"
#include "plugin/report/findings/advice.h"

enum { LINKS = 4, WORLDS = 30, SCREEN = 40 };

static Scene *scene;
static ksInspector *inspector;

static void setUp(void)
{
    scene = sceneChain(LINKS, SCENE_FALLING);
    inspector = inspect(scene->world);
    dRandSetSeed(1);
    dWorldSetQuickStepNumIterations(scene->world, 10);
}

static void tearDown(void)
{
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}

static void run(int steps)
{
    for (int i = 0; i < steps; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
}

static int linesOf(const char *text)
{
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* Watches the world many times; half of the reports' worlds have only its first steps. */
static ksReport *manyWorlds(int worlds, int steps)
{
    ksReport *report = newReport(NULL);
    char name[32];
    for (int i = 0; i < worlds; i++) {
        if (i == worlds / 2)
            run(steps);
        snprintf(name, sizeof name, "arm %d", i + 1);
        CHECK_OK(ksReportWatch(report, inspector, name));
    }
    run(steps);
    return report;
}

START_TEST(many_worlds_are_a_screen)
{
    ksReport *report = manyWorlds(WORLDS, 100);
    char *screen = textOf(report, KS_REPORT_TEXT), *whole = textOf(report, KS_REPORT_TEXT_ALL);
    ck_assert_int_eq(strncmp(screen, "30 worlds: 4500 steps, 4500 of them inspected", 45), 0);
    ck_assert_msg(linesOf(screen) <= SCREEN, "%d lines", linesOf(screen));
    ck_assert_ptr_nonnull(strstr(screen, "KS_REPORT_TEXT_ALL"));
    ck_assert_ptr_null(strstr(screen, "World \"arm 30\""));
    for (int i = 0; i < WORLDS; i++) {
        char name[32];
        snprintf(name, sizeof name, "World \"arm %d\"\n", i + 1);
        ck_assert_msg(strstr(whole, name) != NULL, "%s", name);
    }
    // the worst first, in document and page
    json_t *document = jsonOf(report), *order = json_object_get(json_object_get(document, "summary"), "worstFirst");
    ck_assert_uint_eq(json_array_size(order), WORLDS);
    double before = INFINITY;
    for (size_t i = 0; i < WORLDS; i++) {
        const char *name = json_string_value(json_array_get(order, i));
        const double error = json_number_value(
            json_object_get(worldOf(document, (size_t)strtoul(name + strlen("arm "), NULL, 10) - 1), "worstError"));
        ck_assert_double_le(error, before);
        before = error;
    }
    char first[64];
    snprintf(first, sizeof first, "The worst: World \"%s\"", json_string_value(json_array_get(order, 0)));
    ck_assert_msg(strstr(screen, first) != NULL, "%s", screen);
    json_decref(document);
    free(screen);
    free(whole);
    ksReportDestroy(report);
}
END_TEST

#ifdef KS_HAVE_DYGRAPHS
/* Also for 200 worlds. */
START_TEST(a_page_of_many_worlds_is_small)
{
    static char page[1 << 23];
    ksReport *report = manyWorlds(200, 600);
    FILE *stream = fmemopen(page, sizeof page, "w");
    CHECK_OK(ksReportPrint(report, KS_REPORT_HTML, stream));
    fclose(stream);
    // without the motion, which may be as large again
    const char *motion = strstr(page, "<script id=\"motion-"), *charts = strstr(page, "<script>/* dygraphs");
    ck_assert_uint_lt(strlen(page) - (motion ? (size_t)(charts - motion) : 0), 2000000);
    const char *from = strstr(page, "type=\"application/json\">");
    ck_assert_ptr_nonnull(from);
    from = strchr(from, '{');
    json_t *document = json_loadb(from, (size_t)(strstr(from, "</script>") - from), 0, NULL);
    ck_assert_ptr_nonnull(document);
    json_t *summary = json_object_get(document, "summary"), *worlds = json_object_get(document, "worlds");
    const char *worst = json_string_value(json_array_get(json_object_get(summary, "worstFirst"), 0));
    ck_assert_uint_eq(json_array_size(worlds), 200);
    size_t whole = 0, i;
    json_t *world;
    json_array_foreach(worlds, i, world)
    {
        json_t *joint = json_array_get(json_object_get(world, "joints"), 0);
        whole += json_object_get(joint, "timeline") != NULL;
        if (strcmp(json_string_value(json_object_get(world, "name")), worst) == 0) {
            ck_assert_ptr_nonnull(json_object_get(joint, "timeline"));
            ck_assert_ptr_nonnull(json_object_get(world, "timeline"));
        }
    }
    ck_assert_uint_gt(whole, 0);
    ck_assert_uint_lt(whole, 200);
    json_decref(document);
    ksReportDestroy(report);
}
END_TEST
#endif

/* A joint with a name is shown among many worse ones. */
START_TEST(a_joint_that_is_named_is_shown)
{
    enum { MANY = 60 };
    Scene *chain = sceneChain(MANY, SCENE_FALLING);
    dBodyID door = dBodyCreate(chain->world);
    dMass mass;
    dMassSetBoxTotal(&mass, 10, 1, 0.05, 2);
    dBodySetMass(door, &mass);
    for (int i = 0; i < 2; i++) {
        dJointID hinge = dJointCreateHinge(chain->world, NULL);
        dJointAttach(hinge, door, NULL);
        dJointSetHingeAnchor(hinge, -0.5, 0, i ? 0.8 : -0.8);
        dJointSetHingeAxis(hinge, 0, 0, 1);
    }
    ksInspector *own = inspect(chain->world);
    CHECK_OK(ksInspectorSetName(own, dBodyGetJoint(door, 0), "upper"));
    CHECK_OK(ksInspectorSetName(own, dBodyGetJoint(door, 1), "lower"));
    ksReport *report = watching(own, NULL);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorQuickStep(own, h));
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, "Redundant") != NULL, "%s", text);
    static const char *const name[] = {"upper", "lower"};
    for (int i = 0; i < 2; i++) {
        char line[64];
        snprintf(line, sizeof line, " %-30s |", name[i]);
        ck_assert_msg(strstr(text, line) != NULL, "%s", text);
    }
    ck_assert_msg(linesOf(text) <= SCREEN, "%d lines", linesOf(text));
    ck_assert_ptr_nonnull(strstr(text, "more, none of them worse"));
    free(text);
    ksReportDestroy(report);
    ksInspectorDestroy(own);
    sceneDestroy(chain);
}
END_TEST

/* The engine's and the mechanism's, about the anchor. */
START_TEST(sizes_of_forces)
{
    enum { STEPS = 400 };
    static const double kBin = 0.00501;
    static const ksValue value[] = {KS_ENGINE, KS_PHYSICAL};
    static const char *const name[] = {"engine", "physical"};
    static double force[2][STEPS], torque[2][STEPS];
    ksReport *report = watching(inspector, NULL);
    for (int i = 0; i < STEPS; i++) {
        run(1);
        for (int v = 0; v < 2; v++) {
            ksWrench wrench;
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
            CHECK_OK(ksReactionGetWrench(reaction, value[v], 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &wrench));
            force[v][i] = length3(wrench.force);
            torque[v][i] = length3(wrench.torque);
        }
    }
    json_t *document = jsonOf(report);
    for (int v = 0; v < 2; v++) {
        qsort(force[v], STEPS, sizeof(double), ascending);
        qsort(torque[v], STEPS, sizeof(double), ascending);
        json_t *found = json_object_get(jointOf(document, 1), "force");
        ck_assert_double_eq_tol(numberAt(found, name[v], "median") / force[v][STEPS / 2 - 1], 1, kBin);
        ck_assert_double_eq_tol(numberAt(found, name[v], "p95") / force[v][STEPS * 95 / 100 - 1], 1, kBin);
        ck_assert_double_eq_tol(numberAt(found, name[v], "largest") / force[v][STEPS - 1], 1, 1e-8);
        found = json_object_get(jointOf(document, 1), "torque");
        ck_assert_double_eq_tol(numberAt(found, name[v], "largest"), torque[v][STEPS - 1], 1e-8 * force[v][STEPS - 1]);
    }
    ck_assert_double_gt(fabs(force[0][STEPS - 1] - force[1][STEPS - 1]), 1e-3);  // the two differ
    json_decref(document);
    ksReportDestroy(report);
}
END_TEST

/* Boxes on each other: no joint is wrong, but a body is. */
START_TEST(contacts_are_told)
{
    Scene *pile = scenePile(12);
    ksInspectorOptions options = defaultOptions();
    ksReport *report[2];
    ksInspector *own[2];
    dRandSetSeed(1);
    for (int i = 0; i < 2; i++) {
        options.estimateSweeps = i ? 40 : 0;
        own[i] = inspectWith(pile->world, &options);
        report[i] = newReport(NULL);
        CHECK_OK(ksReportWatch(report[i], own[i], NULL));
        for (int k = 0; k < 60; k++) {
            sceneBeforeStep(pile);
            CHECK_OK(ksInspectorQuickStep(own[i], 0.01));
            sceneAfterStep(pile);
        }
    }
    char *unknown = textOf(report[0], KS_REPORT_TEXT), *known = textOf(report[1], KS_REPORT_TEXT);
    ck_assert_msg(strstr(unknown, "set ksInspectorOptions::estimateSweeps") != NULL, "%s", unknown);
    ck_assert_msg(strstr(known, "the net force on a body") != NULL, "%s", known);
    ck_assert_ptr_null(strstr(known, "Nothing"));
    json_t *document = jsonOf(report[1]), *contacts = json_object_get(worldOf(document, 0), "contacts");
    ck_assert_double_gt(numberAt(contacts, "netError", "largest"), 0.05);
    ck_assert_int_gt(countAt(contacts, "steps"), 0);
    ck_assert_int_le(countAt(contacts, "steps"), 60);
    json_decref(document);
    free(unknown);
    free(known);
    for (int i = 0; i < 2; i++) {
        ksReportDestroy(report[i]);
        ksInspectorDestroy(own[i]);
    }
    sceneDestroy(pile);
}
END_TEST

START_TEST(percentages_are_as_people_write_them)
{
    static const struct {
        double x;
        const char *words;
    } expected[] = {{1.2, "120 %"},    {0.034, "3.4 %"},    {0.99, "99 %"},     {0, "0 %"},
                    {2e-5, "0.002 %"}, {9e-14, "<0.001 %"}, {12.345, "1234 %"}, {1e200, ">1000000 %"}};
    char words[KSI_PERCENT_SIZE];
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        ck_assert_str_eq(ksiPercent(words, expected[i].x), expected[i].words);
    ck_assert_str_eq(ksiPercent(words, NAN), "-");
}
END_TEST

/* For the command the advice names its options, for the library its functions. */
START_TEST(advice_is_for_its_reader)
{
    ksReportOptions options = reportOptions();
    options.limit.value = KS_CONVERGED;
    ksReport *host = newReport(&options), *command = newReport(&options);
    ksiReportForCommand(command);
    CHECK_OK(ksReportWatch(host, inspector, NULL));
    CHECK_OK(ksReportWatch(command, inspector, NULL));
    run(50);
    char *toHost = textOf(host, KS_REPORT_TEXT), *toUser = textOf(command, KS_REPORT_TEXT);
    ck_assert_ptr_nonnull(strstr(toHost, "ksInspectorExactStep"));
    ck_assert_ptr_nonnull(strstr(toHost, "ksReportOptions::adviseEvery"));
    ck_assert_ptr_null(strstr(toHost, "--advise-every"));
    ck_assert_ptr_nonnull(strstr(toUser, "--advise-every"));
    ck_assert_ptr_null(strstr(toUser, "ksInspector"));
    ck_assert_ptr_null(strstr(toUser, "ksReport"));
    free(toHost);
    free(toUser);
    ksReportDestroy(host);
    ksReportDestroy(command);
}
END_TEST

/* If no joint fails by the limit, no number of iterations is called too small; and the same limit
 * finds the number. */
START_TEST(one_criterion)
{
    ksReportOptions options = reportOptions();
    options.adviseEvery = 10;
    options.limit.above = 10;  // no joint fails
    ksReport *easy = newReport(&options);
    options.limit.above = 0.3;
    ksReport *loose = newReport(&options);
    options.limit.above = 1e-6;
    ksReport *strict = newReport(&options);
    CHECK_OK(ksReportWatch(easy, inspector, NULL));
    CHECK_OK(ksReportWatch(loose, inspector, NULL));
    CHECK_OK(ksReportWatch(strict, inspector, NULL));
    run(200);
    char *text = textOf(easy, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, "Nothing: no joint fails.") != NULL, "%s", text);
    ck_assert_ptr_null(strstr(text, "Give dWorldQuickStep"));
    free(text);
    json_t *few = jsonOf(loose), *many = jsonOf(strict);
    json_t *enough = json_object_get(json_object_get(worldOf(many, 0), "iterations"), "enough");
    ck_assert(json_is_null(enough) ||
              json_integer_value(enough) > countAt(json_object_get(worldOf(few, 0), "iterations"), "enough"));
    json_decref(few);
    json_decref(many);
    ksReportDestroy(easy);
    ksReportDestroy(loose);
    ksReportDestroy(strict);
}
END_TEST

/* If the engine has solved its equations, more iterations are no remedy. */
START_TEST(a_limit_of_physical_forces)
{
    ksReportOptions options = reportOptions();
    options.adviseEvery = 10;
    options.limit.value = KS_PHYSICAL;
    options.limit.above = 0.0005;
    ksReport *report = watching(inspector, &options);
    dWorldSetQuickStepNumIterations(scene->world, 500);
    run(200);
    char *text = textOf(report, KS_REPORT_JSON);  // with each sentence on one line
    ck_assert_ptr_nonnull(strstr(text, "differs by more than 0.05 % from the physical force"));
    ck_assert_ptr_nonnull(strstr(text, "Use smaller steps"));
    ck_assert_ptr_null(strstr(text, "No number"));
    ck_assert_ptr_null(strstr(text, "Nothing"));
    free(text);
    ksReportDestroy(report);
}
END_TEST

static void writeCommonly(const ksiView *view, char *out, size_t size)
{
    ksiText text = {.allocator = &view->report->allocator};
    ksiWriteCommonAdvice(view, &text);
    snprintf(out, size, "%s", text.length ? text.at : "");
    ksiTextFree(&text);
}

/* If no advice applies, the text ends with the last sentence; a run that ended badly does not end
 * with "nothing". */
START_TEST(no_advice_beside_a_bad_end)
{
    ksReport *report = newReport(NULL);
    CHECK_OK(ksReportWatch(report, inspector, "a"));
    CHECK_OK(ksReportWatch(report, inspector, "b"));
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ksReportLimit limit;
    ksReportLimitInit(&limit);
    ksiView view;
    char words[1000];
    ck_assert(ksiViewMake(report, &limit, &view));
    writeCommonly(&view, words, sizeof words);
    ck_assert_str_eq(words, "Nothing: no joint fails.\n");
    const ksiRun run = {.program = "arm", .isOver = 1, .signal = 6};
    CHECK_OK(ksiReportSetRun(report, 0, &run));
    writeCommonly(&view, words, sizeof words);
    ck_assert_ptr_nonnull(strstr(words, "First find out how"));
    ck_assert_ptr_null(strstr(words, "Nothing"));
    view.world[0].failedCount = view.world[1].failedCount = 1;
    writeCommonly(&view, words, sizeof words);
    ck_assert_ptr_nonnull(strstr(words, "First find out how"));
    ck_assert_ptr_nonnull(strstr(words, "No remedy is known"));
    ksiViewFree(&view);
    ksReportDestroy(report);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("summary");
    tcase_add_checked_fixture(tcase, setUp, tearDown);
    tcase_add_test(tcase, many_worlds_are_a_screen);
#ifdef KS_HAVE_DYGRAPHS
    tcase_add_test(tcase, a_page_of_many_worlds_is_small);
#endif
    tcase_add_test(tcase, a_joint_that_is_named_is_shown);
    tcase_add_test(tcase, sizes_of_forces);
    tcase_add_test(tcase, contacts_are_told);
    tcase_add_test(tcase, percentages_are_as_people_write_them);
    tcase_add_test(tcase, advice_is_for_its_reader);
    tcase_add_test(tcase, one_criterion);
    tcase_add_test(tcase, a_limit_of_physical_forces);
    tcase_add_test(tcase, no_advice_beside_a_bad_end);
    return runCase("summary", tcase);
}

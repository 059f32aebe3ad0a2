/* check_findings.c  The texts of findings: for several worlds, reasons, and unseen engines; and
 * suppressions. */
#include "tests/kits/report/runs_kit.h"

#include "plugin/report/findings/findings.h"
#include "plugin/report/findings/suppress.h"
#include "plugin/report/runs/data.h"

#include <sys/wait.h>
#include <unistd.h>

/* Adds a world in which hinge `number` has this reason in this many steps. */
static ksiJointStats *addWorld(ksReport *report, int number, int bit, uint64_t steps)
{
    const int body[2] = {number, 0};
    size_t index;
    CHECK_OK(ksiReportAddWorld(report, NULL, &index));
    ksiWorldStats *world = report->world[index];
    world->inspected = world->seen = 100;
    ksiJointStats *joint = ksiJointMake(&report->allocator, world, dJointTypeHinge, number, body);
    for (int i = 0; i < KSI_ERRORS; i++)
        ck_assert(joint && ksiHistogramAdd(&report->allocator, &joint->error[i].size, 0.001));
    joint->steps = joint->verdict[KS_VALID] = world->verdict[KS_VALID] = 100;
    joint->reason[bit] = steps;
    return joint;
}

static int bitOf(ksReasons reason)
{
    int bit = 0;
    while (reason >> bit != 1)
        bit++;
    return bit;
}

/* The same fault in the same joints is reported once, however often it occurs; another fault, or
 * another joint, is another finding. */
START_TEST(worlds_with_the_same_finding)
{
    const int error = bitOf(KS_REASON_FALSE_ERROR), lever = bitOf(KS_REASON_FALSE_LEVER);
    static const struct {
        int number[2];
        bool isOther, isTogether;
    } pair[] = {{{1, 1}, false, true}, {{1, 2}, false, false}, {{1, 1}, true, false}};
    for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
        ksReport *report = newReport(NULL);
        (void)addWorld(report, pair[i].number[0], error, 50);
        (void)addWorld(report, pair[i].number[1], pair[i].isOther ? lever : error, 7);
        reportHas(report, KS_REPORT_TEXT, " (and 1 similar world): An engine bug", pair[i].isTogether);
        reportHas(report, KS_REPORT_TEXT, "World \"world 1\": An engine bug", !pair[i].isTogether);
        reportHas(report, KS_REPORT_TEXT, "World \"world 2\": An engine bug", !pair[i].isTogether);
        ksReportDestroy(report);
    }
}
END_TEST

/* The worst joint of each world differs, and names come in any order: the finding is the same. */
START_TEST(joints_in_any_order)
{
    const int bit = bitOf(KS_REASON_REDUNDANT);
    ksReport *report = newReport(NULL);
    for (int i = 0; i < 2; i++) {
        static const int body[2] = {2, 0};
        ksiJointStats *first = addWorld(report, 1, bit, 100);
        ksiJointStats *second = ksiJointMake(&report->allocator, report->world[i], dJointTypeHinge, 2, body);
        second->reason[bit] = 100;
        ck_assert(ksiHistogramAdd(&report->allocator, &(i ? first : second)->error[KSI_MODEL].size, 0.002));
    }
    reportHas(report, KS_REPORT_TEXT, " (and 1 similar world): Redundant", true);
    ksReportDestroy(report);
}
END_TEST

/* Each reason has the sentence of the manual, so that readers need not look it up. */
START_TEST(reasons_have_sentences)
{
    ksReport *report = newReport(NULL);
    ksiJointStats *joint = addWorld(report, 1, bitOf(KS_REASON_PRECISION), 3);
    joint->verdict[KS_UNCHECKED] = joint->unknown[KSI_MODEL] = 3;
    joint->reason[bitOf(KS_REASON_STALE_LIMIT)] = 5;
    reportHas(report, KS_REPORT_TEXT, "3 reactions of joints were not checked: hinge 1", true);
    reportHas(report, KS_REPORT_TEXT,
              "The error bar of the converged value is above options.tolerance, and the engine may be right within it. "
              "In recordings of other engines the bar of the observed value counts. Use less extreme ratios, or raise "
              "options.tolerance. In recordings of double precision take shorter steps, in recordings of single "
              "precision neither very short nor long ones. (KS_REASON_PRECISION, in up to 3 steps of a joint.)",
              true);
    reportHas(report, KS_REPORT_TEXT, "A hinge limit that was removed still acts.", true);
    reportHas(report, KS_REPORT_TEXT, "man ksReason", false);
    for (int bit = 0; bit < KSI_REASONS; bit++)
        ck_assert_msg(strcmp(ksReasonName(UINT64_C(1) << bit), "KS_REASON_UNKNOWN") == 0 || ksiReasonMeaning(bit),
                      "%s has no sentence", ksReasonName(UINT64_C(1) << bit));
    ksReportDestroy(report);
}
END_TEST

/* The report explains the motion, but is not the mechanism's force. This engine is known to have
 * solved its equations; of another engine nothing is known, not even what it reported. */
START_TEST(a_solver_that_nobody_saw)
{
    ksReport *report = newReport(NULL);
    ksiJointStats *joint = addWorld(report, 1, 0, 0);
    if (_i == 2)
        ksiHistogramFree(&report->allocator, &joint->error[KSI_SOLVER].size);
    report->world[0]->stepper[_i ? KS_FOREIGN_STEP : KS_WORLD_STEP] = 100;
    ck_assert(ksiHistogramAdd(&report->allocator, &joint->error[KSI_MODEL].size, 0.5));
    reportHas(report, KS_REPORT_TEXT, "The engine solves its equations", _i == 0);
    reportHas(report, KS_REPORT_TEXT, "Use smaller steps (untested)", _i == 0);
    reportHas(report, KS_REPORT_TEXT, "The engine's equations are unknown: too few iterations,", _i > 0);
    ksReportDestroy(report);
}
END_TEST

/* A chain of links on two hinges each, with a heavy link at its end. */
static Scene *redundantChain(double cfm)
{
    enum { LINKS = 8 };
    Scene *scene = sceneChain(LINKS, SCENE_FALLING);
    dMass mass;
    dWorldSetCFM(scene->world, cfm);
    dBodyGetMass(scene->body[LINKS - 1], &mass);
    dMassAdjust(&mass, 1000 * mass.mass);
    dBodySetMass(scene->body[LINKS - 1], &mass);
    for (int i = 0; i < LINKS; i++) {
        dVector3 anchor, axis;
        dJointGetHingeAnchor(scene->joint[i], anchor);
        dJointGetHingeAxis(scene->joint[i], axis);
        const dJointID other = dJointCreateHinge(scene->world, NULL);
        dJointAttach(other, dJointGetBody(scene->joint[i], 0), dJointGetBody(scene->joint[i], 1));
        dJointSetHingeAnchor(other, anchor[0] + 0.1 * axis[0], anchor[1] + 0.1 * axis[1], anchor[2] + 0.1 * axis[2]);
        dJointSetHingeAxis(other, axis[0], axis[1], axis[2]);
    }
    return scene;
}

/* Whether a program that steps it by dWorldStep aborts. */
static bool isAborted(double cfm)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        close(STDERR_FILENO);
        Scene *scene = redundantChain(cfm);
        for (int i = 0; i < 100; i++)
            dWorldStep(scene->world, h);
        _exit(0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status);
}

/* Without CFM dWorldStep aborts the program, with 1e-10 it does not: the advice takes this into
 * account. */
START_TEST(a_step_that_aborts_is_no_advice)
{
    const double cfm = _i ? 1e-10 : 0;
    ck_assert_int_eq(isAborted(cfm), _i == 0);
    Scene *scene = redundantChain(cfm);
    ksInspector *inspector = inspect(scene->world);
    ksReportOptions options = reportOptions();
    options.limit.value = KS_CONVERGED;
    ksReport *report = watching(inspector, &options);
    ksiReportForCommand(report);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    reportHas(report, KS_REPORT_TEXT, "call dWorldStep instead (untested).", _i == 1);
    reportHas(
        report, KS_REPORT_TEXT,
        "step by ksInspectorExactStep, or by dWorldStep with CFM 1e-10 (dWorldSetCFM): with CFM 0 it may abort, since "
        "these joints "
        "are redundant: hinge",
        _i == 0);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A wheel on its suspension, a spring by dParamSuspensionCFM; and a hinge that the world's CFM
 * turns into a spring. */
START_TEST(a_suspension_is_no_complaint)
{
    const dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    dWorldSetCFM(world, _i ? 1e-2 : 1e-10);
    const dBodyID car = dBodyCreate(world), wheel = dBodyCreate(world);
    const dJointID axle = dJointCreateHinge2(world, NULL), hold = dJointCreateHinge(world, NULL);
    dBodySetPosition(car, 0, 0, 1);
    dJointAttach(axle, car, wheel);
    dJointSetHinge2Anchor(axle, 0, 0, 0);
    const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    dJointSetHinge2Axes(axle, up, across);
    dJointSetHinge2Param(axle, dParamSuspensionERP, 0.4);
    dJointSetHinge2Param(axle, dParamSuspensionCFM, 0.1);
    dJointAttach(hold, car, NULL);
    dJointSetHingeAnchor(hold, 0, 0, 2);
    dJointSetHingeAxis(hold, 0, 1, 0);
    ksInspector *inspector = inspect(world);
    ksReport *report = watching(inspector, NULL);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    json_t *document = jsonOf(report);
    for (size_t i = 0; i < 2; i++) {
        json_t *joint = jointOf(document, i);
        // the figures include the spring
        if (strcmp(json_string_value(json_object_get(joint, "type")), "hinge2") == 0)
            ck_assert_double_gt(numberAt(joint, "compliance", "share"), 0.5);
    }
    json_decref(document);
    reportHas(report, KS_REPORT_TEXT, "lower CFM if they should be rigid", _i == 1);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Seven hinges and a slider; the options select none of them, or one. */
START_TEST(options_that_choose_nothing)
{
    enum { HINGES = 7 };
    static const struct {
        const char *joints;
        unsigned types;
        const char *words; /* NULL: something is selected */
    } chosen[] = {
        {"knee *", 0, "no joint has a name as ksReportOptions::joints \"knee *\". There are \"hinge 1: "},
        {NULL, 1u << dJointTypeBall, "no joint has one of the types of ksReportOptions::types. There are \"hinge 1: "},
        {"a\x1b[1m", 1u << dJointTypeBall,
         "ksReportOptions::types and a name as ksReportOptions::joints \"a\xef\xbf\xbd[1m\". There are \"hinge 1: "},
        {"slider *", 0, NULL}};
    const dWorldID world = dWorldCreate();
    for (int i = 0; i <= HINGES; i++) {
        const dBodyID body = dBodyCreate(world);
        const dJointID joint = i < HINGES ? dJointCreateHinge(world, NULL) : dJointCreateSlider(world, NULL);
        dBodySetPosition(body, 3 * i, 0, 0);
        dJointAttach(joint, body, NULL);
    }
    ksReportOptions options = reportOptions();
    options.joints = chosen[_i].joints;
    options.types = chosen[_i].types;
    ksInspector *inspector = inspect(world);
    ksReport *report = watching(inspector, &options), *read = NULL;
    for (int i = 0; i < 3; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ksiText data = {.allocator = &report->allocator};
    ksiWriteData(report, &data);
    CHECK_OK(ksiReadData("a file", data.at, data.length, &read));
    ksiTextFree(&data);
    for (int i = 0; i < 3; i++) {
        ksReport *each = i == 0 ? report : read;
        reportHas(each, KS_REPORT_TEXT, chosen[_i].words ? chosen[_i].words : "No result", chosen[_i].words != NULL);
        reportHas(each, KS_REPORT_TEXT, "body 6 \xe2\x80\x93 world\", ....", chosen[_i].words != NULL);
        if (i == 1)
            CHECK_OK(ksiReportMerge(read, report));
    }
    ksReportDestroy(read);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

static ksiSuppressions *readText(const char *text, char words[KSI_SUPPRESSIONS_WORDS])
{
    return ksiSuppressionsRead("file", fmemopen((char *)text, strlen(text), "r"), words);
}

static ksiSuppressions *parse(const char *text)
{
    char words[KSI_SUPPRESSIONS_WORDS] = "";
    ksiSuppressions *list = readText(text, words);
    ck_assert_msg(list != NULL, "%s", words);
    return list;
}

/* A pair that touches again in more than 1 % of the steps, and in at least twenty, is reported, but
 * not for exact steps. */
START_TEST(contacts_that_flicker)
{
    static const int often[2] = {5, 0}, more[2] = {5, 7}, seldom[2] = {6, 7};
    ksReport *report = newReport(NULL);
    (void)addWorld(report, 1, bitOf(KS_REASON_PRECISION), 0);
    ksiWorldStats *world = report->world[0];
    world->contacts.count = world->contacts.steps = 100;
    world->stepper[_i ? KS_EXACT_STEP : KS_WORLD_STEP] = 100;
    for (uint64_t step = 0; step < 32; step++) {
        // a pair can have many contacts in one step
        for (int i = 0; i < 2 && step < 21; i++)
            ck_assert(ksiFlickersAdd(&report->allocator, &world->flickers, often, step));
        ck_assert(ksiFlickersAdd(&report->allocator, &world->flickers, more, step));
        ck_assert(step >= 19 || ksiFlickersAdd(&report->allocator, &world->flickers, seldom, step));
    }
    const char told[] =
        "Contacts flicker: body 5 \xe2\x80\x93 body 7 in 32 % of the steps, body 5 \xe2\x80\x93 world in 21 %. Points";
    reportHas(report, KS_REPORT_TEXT, told, !_i);
    reportHas(report, KS_REPORT_JUNIT, told, !_i);
    json_t *document = jsonOf(report), *one = json_array_get(json_object_get(document, "worlds"), 0),
           *pairs = json_object_get(json_object_get(one, "contacts"), "flicker");
    ck_assert_uint_eq(json_array_size(pairs), 2);
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(pairs, 1), "steps")), 32);
    json_decref(document);
    ksReportDestroy(report);
}
END_TEST

/* Suppressions that a report writes silence all of its findings, and no others. */
START_TEST(suppressions_that_are_written_are_read)
{
    size_t failures = 7;
    ksReport *report = newReport(NULL);
    ksiJointStats *joint = addWorld(report, 1, bitOf(KS_REASON_FALSE_ERROR), 5), *other = addWorld(report, 2, 0, 0);
    joint->unexplained = 3;
    other->compliance.softened = 0.5;
    ck_assert(ksiRename(&report->allocator, other, "wheel [left] *\\", 0));
    for (int i = 0; i < KSI_ERRORS; i++)
        ck_assert(ksiHistogramAdd(&report->allocator, &other->error[i].size, 0.5));
    CHECK_STATUS(ksReportCheck(report, NULL, &failures), KS_ERROR_UNAVAILABLE);
    ck_assert_uint_eq(failures, 1);
    char *text = textOf(report, KS_REPORT_SUPPRESSIONS);
    ksiSuppressions *list = parse(text);
    free(text);
    ksiReportSuppress(report, list);
    ck_assert_uint_eq(ksiSuppressionCount(report), 4);
    reportHas(report, KS_REPORT_SUPPRESSIONS, "{", false);
    reportHas(report, KS_REPORT_TEXT, "Nothing: no joint fails, except suppressed findings.", true);
    reportHas(report, KS_REPORT_TEXT, " 4 findings suppressed: \"unexplained, hinge 1: body 1 \xe2\x80\x93 world\" 1,",
              true);
    reportHas(report, KS_REPORT_TEXT, "match nothing", false);
    CHECK_OK(ksReportCheck(report, NULL, &failures));
    ck_assert_uint_eq(failures, 0);
    json_t *document = jsonOf(report), *told = json_object_get(document, "suppressed");
    ck_assert_uint_eq(json_array_size(told), 4);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(countAt(json_array_get(told, i), "findings"), 1);
    json_decref(document);
    ksReportDestroy(report);
    ksiSuppressionsDestroy(list);
}
END_TEST

/* Suppression by patterns of joints and worlds: other findings are reported, and entries that match
 * nothing are listed. */
START_TEST(suppressions_are_counted)
{
    ksiSuppressions *list = parse("# wheels\n{\n  the wheels are sprung\n  compliant\n  joint: wheel*\n}\n"
                                  "{\n\tanother world\n\tcompliant\n\tworld: nowhere\n}\n");
    ksReport *report = newReport(NULL);
    for (int i = 1; i <= 3; i++) {
        ksiJointStats *joint = addWorld(report, i, 0, 0);
        joint->compliance.softened = 0.5;
        ck_assert(i == 3 || ksiRename(&report->allocator, joint, "wheel", 0));
    }
    reportHas(report, KS_REPORT_TEXT, "World \"world 1\" (and 1 similar world): The world's CFM exceeds", true);
    ksiReportSuppress(report, list);
    reportHas(report, KS_REPORT_TEXT, "World \"world 1\": The", false);
    reportHas(report, KS_REPORT_TEXT,
              "World \"world 3\": The world's CFM exceeds 1 % of the inverse effective mass at these joints: hinge 3",
              true);
    reportHas(report, KS_REPORT_TEXT,
              "2 findings suppressed: \"the wheels are sprung\" 2. Entries of --suppress that match nothing: \"another "
              "world\".",
              true);
    ksReportDestroy(report);
    ksiSuppressionsDestroy(list);
}
END_TEST

START_TEST(wrong_suppressions_are_refused)
{
    static const char *const wrong[][2] = {
        {"compliant", "file:1: an entry begins with {"},
        {"{\n a\n}\n", "file:3: the entry needs a name and a finding"},
        {"{\n a\n nonsense\n}\n", "file:3: is not a finding: kinetostat(1) lists them"},
        {"{\n a\n KS_REASON_BOUND\n}\n", "file:3: is not a finding: kinetostat(1) lists them"},
        {"{\n a\n compliant\n joint: b\n joint: c\n}\n", "file:5: the entry already has such a line"},
        {"{\n a\n compliant\n joint:\n}\n", "file:4: there is no pattern after the colon"},
        {"{\n a\n compliant\n body: 3\n}\n", "file:4: is neither joint: PATTERN nor world: PATTERN nor }"},
        {"{\n a\n compliant\n", "file:4: the last entry does not end with }"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char words[KSI_SUPPRESSIONS_WORDS];
        ck_assert_ptr_null(readText(wrong[i][0], words));
        ck_assert_str_eq(words, wrong[i][1]);
    }
    char words[KSI_SUPPRESSIONS_WORDS], line[3000];
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = 0;
    ck_assert_ptr_null(readText(line, words));
    ck_assert_str_eq(words, "file:1: the line is too long");
    ck_assert_ptr_null(ksiSuppressionsRead("/dev/zero", fopen("/dev/zero", "r"), words));
    ck_assert_str_eq(words, "/dev/zero:1: a zero byte, which no text has");
    ksiSuppressionsDestroy(NULL);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("findings");
    tcase_add_test(tcase, worlds_with_the_same_finding);
    tcase_add_test(tcase, joints_in_any_order);
    tcase_add_test(tcase, reasons_have_sentences);
    tcase_add_loop_test(tcase, a_solver_that_nobody_saw, 0, 3);
    tcase_add_loop_test(tcase, a_step_that_aborts_is_no_advice, 0, 2);
    tcase_add_loop_test(tcase, a_suspension_is_no_complaint, 0, 2);
    tcase_add_loop_test(tcase, contacts_that_flicker, 0, 2);
    tcase_add_loop_test(tcase, options_that_choose_nothing, 0, 4);
    tcase_add_test(tcase, suppressions_that_are_written_are_read);
    tcase_add_test(tcase, suppressions_are_counted);
    tcase_add_test(tcase, wrong_suppressions_are_refused);
    return runCase("findings", tcase);
}

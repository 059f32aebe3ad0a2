/* check_report_causes.c  Joints that come apart, their causes, and the sources of energy in a
 * report. */
#include "tests/kits/report/report_kit.h"

#include "plugin/report/collect/exact_sum.h"
#include "plugin/report/findings/suppress.h"

/* JSON has numbers of nine digits. */
static const double digits = 1e-8;

typedef struct Case {
    dWorldID world;
    dBodyID body;
    dJointID joint;
    ksInspector *inspector;
    ksReport *report;
    int steps;
    double h;
    double largest; /* m: distance of its anchors, by the engine's getters, while it is enabled */
    int apart;      /* the first step at whose start the anchors are half the lever apart; -1: none */
} Case;

static const double lever = 0.3;

static Case caseOf(double gravity)
{
    Case c = {.world = dWorldCreate(), .steps = 0, .h = 0.01, .apart = -1};
    dMass mass;
    dWorldSetGravity(c.world, 0, 0, gravity);
    dMassSetBoxTotal(&mass, 1, 0.2, 0.2, 0.2);
    c.body = dBodyCreate(c.world);
    dBodySetMass(c.body, &mass);
    dBodySetPosition(c.body, lever, 0, 0);
    c.joint = dJointCreateHinge(c.world, 0);
    dJointAttach(c.joint, c.body, 0);
    dJointSetHingeAnchor(c.joint, 0, 0, 0);
    dJointSetHingeAxis(c.joint, 0, 0, 1);
    c.inspector = inspect(c.world);
    c.report = watching(c.inspector, NULL);
    return c;
}

static void go(Case *c)
{
    dVector3 a, b;
    dJointGetHingeAnchor(c->joint, a);
    dJointGetHingeAnchor2(c->joint, b);
    const double apart = dJointIsEnabled(c->joint) ? dCalcPointsDistance3(a, b) : 0;
    c->largest = fmax(c->largest, apart);
    c->apart = c->apart < 0 && apart > lever / 2 ? c->steps : c->apart;
    CHECK_OK(ksInspectorStep(c->inspector, c->h));
    c->steps++;
}

/* A check of forces fails for a joint that has come apart, unless that is suppressed. */
static void guard(ksReport *report, const char *cause)
{
    size_t failures;
    char words[80], why[400];
    snprintf(words, sizeof words, "\">cause: %s</failure>", cause);
    char *junit = textOf(report, KS_REPORT_JUNIT);
    const ksStatus status = ksReportCheck(report, NULL, &failures);
    ck_assert_msg(status == KS_OK || status == KS_ERROR_UNAVAILABLE, "%d", status);
    ck_assert_uint_eq(failures, 1);
    ck_assert_msg(strstr(junit, "<failure type=\"torn\" message=\"comes apart at ") && strstr(junit, words), "%s",
                  junit);
    free(junit);
    char text[] = "{\nall\ntorn\n}\n{\nerrors\nerror\n}\n";
    ksiSuppressions *list = ksiSuppressionsRead("file", fmemopen(text, strlen(text), "r"), why);
    ck_assert_msg(list != NULL, "%s", why);
    ksiReportSuppress(report, list);
    (void)!ksReportCheck(report, NULL, &failures);
    ck_assert_uint_eq(failures, 0);
    ksiReportSuppress(report, NULL);
    ksiSuppressionsDestroy(list);
}

/* One joint that has come apart when the getters say so, with this cause. NULL: it holds. */
static void expect(Case *c, const char *cause, const char *words)
{
    json_t *document = jsonOf(c->report), *tears = json_object_get(worldOf(document, 0), "tears");
    char *text = textOf(c->report, KS_REPORT_TEXT_ALL);
    ck_assert_uint_eq(json_array_size(tears), cause ? 1 : 0);
    ck_assert_double_eq_tol(numberAt(json_object_get(jointOf(document, 0), "gap"), "linear", "value"), c->largest,
                            digits * c->largest);
    ck_assert_int_eq(c->apart >= 0, cause != NULL);
    ck_assert_msg(strstr(text, "\n\n  Largest gaps of joints:\n    hinge 1") != NULL, "%s", text);
    if (cause) {
        json_t *tear = json_array_get(tears, 0);
        ck_assert_str_eq(json_string_value(json_object_get(tear, "cause")), cause);
        ck_assert_int_eq(countAt(tear, "step"), c->apart);
        ck_assert_msg(strstr(text, ": hinge 1: body 1 comes apart") || strstr(text, "comes apart: at "), "%s", text);
        ck_assert_msg(strstr(text, words) != NULL, "%s", text);
        guard(c->report, cause);
    } else {
        ck_assert_msg(!strstr(text, "comes apart: at "), "%s", text);
    }
    json_decref(document);
    free(text);
    ksReportDestroy(c->report);
    ksInspectorDestroy(c->inspector);
    dWorldDestroy(c->world);
}

START_TEST(a_motor_at_a_stop)
{
    Case c = caseOf(0);
    c.h = 0.02;
    dJointSetHingeParam(c.joint, dParamLoStop, -1.5);
    dJointSetHingeParam(c.joint, dParamHiStop, 0);
    dJointSetHingeParam(c.joint, dParamFMax, 1000);
    dJointSetHingeParam(c.joint, dParamFudgeFactor, _i ? 0 : 1);
    for (int i = 0; i < 30; i++) {
        dJointSetHingeParam(c.joint, dParamVel, i < 10 ? 6.5 : -6.5);
        go(&c);
    }
    expect(&c, _i ? NULL : "motor at a stop", "dParamFudgeFactor");
}
END_TEST

START_TEST(a_loop_of_the_host)
{
    Case c = caseOf(0);
    dBodySetAngularVel(c.body, 0, 0, 1);
    dBodySetLinearVel(c.body, 0, lever, 0);
    for (int i = 0; i < 100; i++) {
        dBodyAddTorque(c.body, 0, 0, (_i ? -3 : 3) * dJointGetHingeAngleRate(c.joint));
        go(&c);
    }
    expect(&c, _i ? NULL : "host forces", "along the velocity");
}
END_TEST

START_TEST(moved_after_it_was_joined)
{
    Case c = caseOf(-9.81);
    dBodySetPosition(c.body, lever, 0, _i ? 0.01 : 0.2);
    for (int i = 0; i < 50; i++)
        go(&c);
    expect(&c, _i ? NULL : "from the start", "first step");
}
END_TEST

/* While disabled, the body falls freely, which is no fault of the joint; when the joint is enabled
 * again, it is apart. */
START_TEST(enabled_again)
{
    Case c = caseOf(-9.81);
    enum { FREE = 40 };
    for (int i = 0; i < FREE; i++) {
        if (i == 5)
            dJointDisable(c.joint);
        go(&c);
    }
    if (_i == 0) {
        dJointEnable(c.joint);
        go(&c);
    }
    expect(&c, _i ? NULL : "disabled", "dJointDisable");
}
END_TEST

/* The energy that a pendulum of the report's world has gained, from the engine's own velocities. */
START_TEST(the_balance_is_told)
{
    Case c = caseOf(0);
    dWorldSetGravity(c.world, 0, -9.81, 0);
    dMass mass;
    dBodyGetMass(c.body, &mass);
    for (int i = 0; i < 40; i++) {
        // it is braked for half of the run
        if (i >= 20)
            dBodyAddTorque(c.body, 0, 0, 2);
        go(&c);
    }
    const dReal *v = dBodyGetLinearVel(c.body), *w = dBodyGetAngularVel(c.body), *x = dBodyGetPosition(c.body);
    const double end = 0.5 * (dCalcVectorDot3(v, v) + mass.I[10] * w[2] * w[2]), fallen = -9.81 * x[1];
    json_t *document = jsonOf(c.report), *energy = json_object_get(worldOf(document, 0), "energy");
    json_t *by = json_object_get(energy, "by"), *value;
    double sum = 0;
    const char *key;
    json_object_foreach(by, key, value) sum += json_number_value(value);
    ck_assert_double_eq_tol(json_number_value(json_object_get(energy, "begin")), 0, 1e-12);
    ck_assert_double_eq_tol(json_number_value(json_object_get(energy, "end")), end, digits * end);
    ck_assert_double_eq_tol(numberAt(energy, "by", "weight"), fallen, digits * fallen);
    ck_assert_double_eq_tol(sum, end, 10 * digits * fallen);
    ck_assert_double_lt(numberAt(energy, "by", "host"), -0.1);
    json_decref(document);
    expect(&c, NULL, NULL);
}
END_TEST

static size_t columnsOf(const char *line, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)line[i] & 0xC0) != 0x80;
    return columns;
}

/* Energy by weight, a motor, a stop, the host, damping, and velocities that the host sets: no line
 * is wider than a screen. A light body's force is not shown as none. */
START_TEST(what_moves_it_and_what_it_bears_are_readable)
{
    enum { SCREEN = 100, STEPS = 60 };
    Case c = caseOf(-9.81);
    dMass light;
    dMassSetBoxTotal(&light, 1e-6, 0.2, 0.2, 0.2);
    dBodySetMass(c.body, &light);
    dJointSetHingeAxis(c.joint, 0, 1, 0);
    dJointSetHingeParam(c.joint, dParamLoStop, -0.5);
    dJointSetHingeParam(c.joint, dParamHiStop, 0.5);
    dJointSetHingeParam(c.joint, dParamFMax, 1e-5);
    dBodySetLinearDamping(c.body, 0.02);
    for (int i = 0; i < STEPS; i++) {
        dJointSetHingeParam(c.joint, dParamVel, i < STEPS / 2 ? 5 : -5);
        dBodyAddTorque(c.body, 0, 1e-7, 0);
        if (i == STEPS / 2 + 5)
            dBodySetAngularVel(c.body, 0, 1, 0);
        CHECK_OK(ksInspectorStep(c.inspector, c.h));
    }
    char *text = textOf(c.report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, "set by") && strstr(text, "damping") && strstr(text, "stops"), "%s", text);
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
        ck_assert_msg(columnsOf(line, strcspn(line, "\n")) <= SCREEN, "%s", text);
    ck_assert_msg(strstr(text, " <0.001   <0.001  <0.001\n"), "%s", text);
    free(text);
    ksReportDestroy(c.report);
    ksInspectorDestroy(c.inspector);
    dWorldDestroy(c.world);
}
END_TEST

/* Two worlds in one report. In each, one hinge was moved before the first step, and another one
 * later: each sentence names its world. */
START_TEST(each_cause_has_its_world)
{
    enum { WORLDS = 2, STEPS = 20 };
    dBodyID late[WORLDS];
    ksInspector *inspector[WORLDS];
    ksReport *report = newReport(NULL);
    for (int k = 0; k < WORLDS; k++) {
        const dWorldID world = dWorldCreate();
        for (int i = 0; i < 2; i++) {
            const dBodyID body = late[k] = dBodyCreate(world);
            const dJointID joint = dJointCreateHinge(world, 0);
            dBodySetPosition(body, lever, 2 * i, 0);
            dJointAttach(joint, body, 0);
            dJointSetHingeAnchor(joint, 0, 2 * i, 0);
            dBodySetPosition(body, lever, 2 * i, i == 0 ? 3 : 0);
        }
        inspector[k] = inspect(world);
        CHECK_OK(ksReportWatch(report, inspector[k], k == 0 ? "left" : "right"));
        for (int i = 0; i < STEPS; i++) {
            if (i == STEPS / 2)
                dBodySetPosition(late[k], lever, 2, 3);
            CHECK_OK(ksInspectorStep(inspector[k], 0.01));
        }
    }
    char *text = textOf(report, KS_REPORT_TEXT);
    size_t told = 0;
    for (const char *at = text; (at = strstr(at, "\n  - ")) != NULL; at++, told++)
        ck_assert_msg(strncmp(at, "\n  - World \"", 12) == 0, "%s", text);
    ck_assert_msg(told >= 2 && strstr(text, "first step") && strstr(text, "the host moved"), "%s", text);
    free(text);
    ksReportDestroy(report);
    for (int k = 0; k < WORLDS; k++) {
        const dWorldID world = ksInspectorGetWorld(inspector[k]);
        ksInspectorDestroy(inspector[k]);
        dWorldDestroy(world);
    }
}
END_TEST

/* Any order gives the same number, and no term is lost: against integers in the smallest unit. */
START_TEST(sums_are_exact)
{
    static const double unit = 0x1p-40;
    ksiExactSum part[3] = {{{0}}, {{0}}, {{0}}};
    uint64_t random = 7;
    __int128 whole = 0;
    for (int i = 0; i < 3000; i++) {
        random = random * 6364136223846793005ULL + 1442695040888963407ULL;
        const int64_t x = (int64_t)random >> (12 + random % 40);
        whole += x;
        ksiExactAdd(&part[i % 3], (double)x * unit);
    }
    ksiExactSum forth = part[0], back = part[2];
    ksiExactMerge(&forth, &part[1]);
    ksiExactMerge(&forth, &part[2]);
    ksiExactMerge(&back, &part[1]);
    ksiExactMerge(&back, &part[0]);
    ck_assert(memcmp(&forth, &back, sizeof forth) == 0);
    ck_assert(fabs(ksiExactValue(&forth) - (double)whole * unit) <= 0x1p-52 * fabs((double)whole * unit));
    ksiExactAdd(&forth, -ksiExactValue(&forth));
    // the remainder is below its rounding
    ck_assert(fabs(ksiExactValue(&forth)) <= 0x1p-52 * fabs((double)whole * unit));
    ksiExactSum wide = {{0}};
    ksiExactAdd(&wide, 1e308);
    ksiExactAdd(&wide, -5e-324);
    ksiExactAdd(&wide, -1e308);
    ksiExactAdd(&wide, NAN);
    ck_assert(ksiExactValue(&wide) == -5e-324);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("causes");
    tcase_add_loop_test(test, a_motor_at_a_stop, 0, 2);
    tcase_add_loop_test(test, a_loop_of_the_host, 0, 2);
    tcase_add_loop_test(test, moved_after_it_was_joined, 0, 2);
    tcase_add_loop_test(test, enabled_again, 0, 2);
    tcase_add_test(test, the_balance_is_told);
    tcase_add_test(test, what_moves_it_and_what_it_bears_are_readable);
    tcase_add_test(test, each_cause_has_its_world);
    tcase_add_test(test, sums_are_exact);
    return runCase("report causes", test);
}

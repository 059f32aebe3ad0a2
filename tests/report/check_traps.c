/* check_traps.c  Traps of the engine that make no force wrong: the engine behaves as documented,
 * and a report names the joint, the trap and the remedy exactly where the trap matters. */
#include "tests/kits/attached.h"
#include "tests/kits/report/report_kit.h"

#include <math.h>

static const double kVel = 0.5;

/* Makes steps under a report, and returns the reasons of the last one. Checks that the report has
 * the joint's name, the reason's name, and a remedy. */
static ksReasons reasonsOf(const Joint *joint, int steps, ksReasons bit, const char *remedy)
{
    ksReport *report = newReport(NULL);
    ksInspector *inspector = inspect(joint->world);
    CHECK_OK(ksInspectorSetName(inspector, joint->joint, "elbow"));
    CHECK_OK(ksReportWatch(report, inspector, NULL));
    for (int i = 0; i < steps; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const ksReasons reasons = ksInspectorGetReaction(inspector, joint->joint)->reasons;
    char *text = textOf(report, KS_REPORT_TEXT);
    for (char *at = text; *at; at++)
        if (*at == '\n' && at[1] == ' ') {
            *at = ' ';
            memmove(at + 1, at + 1 + strspn(at + 1, " "), strlen(at + 1 + strspn(at + 1, " ")) + 1);
        }
    const bool isTold = strstr(text, "step of a joint: elbow. ") || strstr(text, "steps of a joint: elbow. ");
    ck_assert_msg((strstr(text, ksReasonName(bit)) != NULL) == ((reasons & bit) != 0), "%s", text);
    ck_assert_msg(!(reasons & bit) || (isTold && strstr(text, remedy)), "%s", text);
    free(text);
    ksInspectorDestroy(inspector);
    ksReportDestroy(report);
    return reasons;
}

/* --- Attached (0, b) */

typedef dReal Rate(dJointID joint);
typedef void Set(dJointID joint, int parameter, dReal value);

/* An axis of a joint, and the effect of a motor on it instead of the requested one: the opposite
 * sign, or the other axis. */
static const struct {
    int type, group;
    Set *set;
    Rate *rate, *other;
    bool isFlipped, isSwapped;
} axes[] = {
    {dJointTypeHinge, 0, dJointSetHingeParam, dJointGetHingeAngleRate, NULL, true, false},
    {dJointTypeSlider, 0, dJointSetSliderParam, dJointGetSliderPositionRate, NULL, false, false},
    {dJointTypeUniversal, 0, dJointSetUniversalParam, dJointGetUniversalAngle1Rate, dJointGetUniversalAngle2Rate, false,
     true},
    {dJointTypeUniversal, dParamGroup2, dJointSetUniversalParam, dJointGetUniversalAngle2Rate,
     dJointGetUniversalAngle1Rate, false, true},
    {dJointTypePR, 0, dJointSetPRParam, dJointGetPRPositionRate, NULL, false, false},
    {dJointTypePR, dParamGroup2, dJointSetPRParam, dJointGetPRAngleRate, NULL, true, false},
    {dJointTypePU, 0, dJointSetPUParam, dJointGetPUAngle1Rate, dJointGetPUAngle2Rate, false, true},
    {dJointTypePU, dParamGroup2, dJointSetPUParam, dJointGetPUAngle2Rate, dJointGetPUAngle1Rate, false, true},
    {dJointTypePU, dParamGroup3, dJointSetPUParam, dJointGetPUPositionRate, NULL, false, false},
    {dJointTypePiston, 0, dJointSetPistonParam, dJointGetPistonPositionRate, NULL, false, false},
    {dJointTypePiston, dParamGroup2, dJointSetPistonParam, dJointGetPistonAngleRate, NULL, true, false},
};
enum { AXES = sizeof axes / sizeof *axes };

/* of compliance, and of poses that are one step old */
static const double kRate = 1e-3;

START_TEST(motors_of_reversed_joints)
{
    for (int isReversed = 0; isReversed < 2; isReversed++) {
        const Joint made = attached(axes[_i].type, isReversed);
        const bool isFlipped = isReversed && axes[_i].isFlipped, isSwapped = isReversed && axes[_i].isSwapped;
        axes[_i].set(made.joint, axes[_i].group + dParamVel, kVel);
        axes[_i].set(made.joint, axes[_i].group + dParamFMax, 1e4);
        const ksReasons reasons =
            reasonsOf(&made, 3, KS_REASON_REVERSED_MOTOR, "Attach it as dJointAttach(joint, body, 0)");
        ck_assert_double_eq_tol(axes[_i].rate(made.joint), isSwapped ? 0 : isFlipped ? -kVel : kVel, kRate);
        if (axes[_i].other)
            ck_assert_double_eq_tol(axes[_i].other(made.joint), isSwapped ? kVel : 0, kRate);
        ck_assert_int_eq((reasons & KS_REASON_REVERSED_MOTOR) != 0, isFlipped || isSwapped);
        drop(&made);
    }
}
END_TEST

/* The joint leans on a stop in either direction, given in terms of the engine's angle. */
START_TEST(stops_of_reversed_joints)
{
    static const double stop[2][2] = {{-0.2, 0.1}, {-0.1, 0.1}};
    for (int i = 0; i < 4; i++) {
        const bool isReversed = i & 1;
        const double push = i & 2 ? 1 : -1;
        const Joint made = attached(dJointTypeHinge, isReversed);
        dJointSetHingeParam(made.joint, dParamLoStop, stop[_i][0]);
        dJointSetHingeParam(made.joint, dParamHiStop, stop[_i][1]);
        for (int k = 0; k < 2000; k++) {
            dBodyAddTorque(made.body, 0, 0, push);
            dWorldStep(made.world, h);
        }
        dBodyAddTorque(made.body, 0, 0, push);
        const double angle = dJointGetHingeAngle(made.joint);
        const int high = (angle > 0) != isReversed;
        ck_assert_double_eq_tol(angle, isReversed ? -stop[_i][high] : stop[_i][high], kRate);
        const ksReasons reasons =
            reasonsOf(&made, 1, KS_REASON_REVERSED_MOTOR, "Attach it as dJointAttach(joint, body, 0)");
        ck_assert_int_eq((reasons & KS_REASON_REVERSED_MOTOR) != 0, isReversed && stop[_i][0] != -stop[_i][1]);
        drop(&made);
    }
}
END_TEST

/* The order of bodies does not matter for a brake, and for two axes with equal parameters. */
START_TEST(reversed_joints_that_are_set_alike)
{
    const Joint brake = attached(dJointTypeHinge, true), cross = attached(dJointTypeUniversal, true);
    dJointSetHingeParam(brake.joint, dParamFMax, 1);
    dBodySetAngularVel(brake.body, 0, 0, 1);
    ck_assert(!(reasonsOf(&brake, 1, KS_REASON_REVERSED_MOTOR, "") & KS_REASON_REVERSED_MOTOR));
    for (int group = 0; group <= dParamGroup2; group += dParamGroup2) {
        dJointSetUniversalParam(cross.joint, group + dParamFMax, 1);
        dJointSetUniversalParam(cross.joint, group + dParamVel, kVel);
    }
    ck_assert(!(reasonsOf(&cross, 1, KS_REASON_REVERSED_MOTOR, "") & KS_REASON_REVERSED_MOTOR));
    drop(&brake);
    drop(&cross);
}
END_TEST

/* --- Motors in Euler mode */

/* The first angle turns faster than its target by this factor. */
START_TEST(euler_motors)
{
    static const double middle[] = {0, 0.1, 0.8, 1.2};
    const int driven = _i % 3;
    const double angle = middle[_i / 3];
    const Joint made = attached(dJointTypeAMotor, false);
    dQuaternion q;
    dJointSetAMotorMode(made.joint, dAMotorEuler);
    dJointSetAMotorAxis(made.joint, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(made.joint, 2, 2, 0, 0, 1);
    dQFromAxisAndAngle(q, 0, 1, 0, angle);
    dBodySetQuaternion(made.body, q);
    for (int axis = 0; axis < 3; axis++)
        dJointSetAMotorParam(made.joint, axis * dParamGroup2 + dParamFMax, 1e6);
    for (int i = 0; i < 2; i++)
        dWorldStep(made.world, h);
    dJointSetAMotorParam(made.joint, driven * dParamGroup2 + dParamVel, kVel);
    for (int i = 0; i < 2; i++)
        dWorldStep(made.world, h);
    const double before = dJointGetAMotorAngle(made.joint, driven);
    const ksReasons reasons = reasonsOf(&made, 1, KS_REASON_FALSE_RATE, "Multiply dParamVel by the cosine");
    const double rate = (dJointGetAMotorAngle(made.joint, driven) - before) / h;
    ck_assert_double_eq_tol(rate, driven == 1 ? kVel : kVel / cos(angle), kRate);
    ck_assert_int_eq((reasons & KS_REASON_FALSE_RATE) != 0, driven != 1 && angle > 0.5);
    drop(&made);
}
END_TEST

/* The second angle ends at 90 degrees: there the speed of a free body changes its sign in each
 * step. */
START_TEST(euler_motor_that_turns_back)
{
    enum { BEFORE = 20, ON_THE_WAY = 3200 };
    const double rate = _i ? -kVel : kVel;
    const Joint made = attached(dJointTypeAMotor, false);
    dJointSetAMotorMode(made.joint, dAMotorEuler);
    dJointSetAMotorAxis(made.joint, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(made.joint, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(made.joint, dParamFMax2, 1e6);
    dJointSetAMotorParam(made.joint, dParamVel2, rate);
    ck_assert(
        !(reasonsOf(&made, BEFORE, KS_REASON_FALSE_RATE, "keep that angle within 90 degrees") & KS_REASON_FALSE_RATE));
    ck_assert_double_eq_tol(dBodyGetAngularVel(made.body)[1], rate, kRate);
    for (int i = 0; i < ON_THE_WAY; i++)
        dWorldStep(made.world, h);
    const double before = dBodyGetAngularVel(made.body)[1];
    ck_assert(reasonsOf(&made, 1, KS_REASON_FALSE_RATE, "keep that angle within 90 degrees") & KS_REASON_FALSE_RATE);
    ck_assert_double_eq_tol(dBodyGetAngularVel(made.body)[1], -before, kRate);
    drop(&made);
}
END_TEST

/* A target out of reach stands for a torque, about any axis: nothing is reported, at any second
 * angle. */
START_TEST(euler_motor_that_is_a_torque)
{
    enum { STEPS = 20 };
    static const double middle[] = {0, 0.8, -1.2};
    const double unreachable = 1e3, torque = 0.1;
    const int driven = _i % 3;
    const Joint made = attached(dJointTypeAMotor, false);
    dQuaternion q;
    dJointSetAMotorMode(made.joint, dAMotorEuler);
    dJointSetAMotorAxis(made.joint, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(made.joint, 2, 2, 0, 0, 1);
    dQFromAxisAndAngle(q, 0, 1, 0, middle[_i / 3]);
    dBodySetQuaternion(made.body, q);
    dWorldStep(made.world, h);
    dJointSetAMotorParam(made.joint, driven * dParamGroup2 + dParamFMax, torque);
    dJointSetAMotorParam(made.joint, driven * dParamGroup2 + dParamVel, unreachable);
    ck_assert(!(reasonsOf(&made, STEPS, KS_REASON_FALSE_RATE, "") & KS_REASON_FALSE_RATE));
    const dReal *spin = dBodyGetAngularVel(made.body);
    ck_assert_double_gt(dCalcVectorLength3(spin), 0);
    drop(&made);
}
END_TEST

/* --- Compliance below zero */

/* The joint is not redundant: with negative compliance its equations have no solution. */
START_TEST(negative_compliance)
{
    const Joint made = attached(dJointTypeHinge, false);
    dWorldSetCFM(made.world, -1e-6);
    ksReport *report = newReport(NULL);
    ksInspector *inspector = inspect(made.world);
    CHECK_OK(ksReportWatch(report, inspector, NULL));
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReasons reasons = ksInspectorGetReaction(inspector, made.joint)->reasons;
    ck_assert(reasons & KS_REASON_UNREADABLE);
    ck_assert(!(reasons & KS_REASON_REDUNDANT));
    char *text = textOf(report, KS_REPORT_TEXT);
    ck_assert_msg(strstr(text, "negative CFM") && !strstr(text, "Redundant"), "%s", text);
    free(text);
    ksInspectorDestroy(inspector);
    ksReportDestroy(report);
    drop(&made);
}
END_TEST

/* --- Softness of some rows */

/* A weight and a torque on a joint of CFM c: the displacement is h c times the force in a soft
 * direction, and zero in others. */
START_TEST(softness_of_some_rows)
{
    static const struct {
        int type, rows, soft;
        Set *set;
    } cases[] = {{dJointTypeFixed, 6, 3, dJointSetFixedParam}, {dJointTypeDHinge, 4, 1, dJointSetDHingeParam}};
    for (int isSoft = 0; isSoft < 3; isSoft++) {
        Joint made = attached(cases[_i].type, false);
        if (isSoft == 1)
            cases[_i].set(made.joint, dParamCFM, 1e-3);
        if (isSoft == 2) { /* all rows are soft */
            dWorldSetCFM(made.world, 1e-3);
            cases[_i].set(made.joint, dParamCFM, 1e-3);
        }
        ksInspector *inspector = inspect(made.world);
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, made.joint);
        int soft = 0;
        for (int l = 0; l < reaction->rowCount; l++)
            soft += reaction->row[l].cfm > 1e-4;
        ck_assert_int_eq(reaction->rowCount, cases[_i].rows);
        ck_assert_int_eq(soft, isSoft == 0 ? 0 : isSoft == 1 ? cases[_i].soft : cases[_i].rows);
        ksInspectorDestroy(inspector);
        const ksReasons reasons = reasonsOf(&made, 1, KS_REASON_PART_SOFT, "dWorldSetCFM");
        ck_assert_int_eq((reasons & KS_REASON_PART_SOFT) != 0, isSoft == 1);
        drop(&made);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("traps");
    tcase_add_loop_test(tcase, motors_of_reversed_joints, 0, AXES);
    tcase_add_loop_test(tcase, stops_of_reversed_joints, 0, 2);
    tcase_add_test(tcase, reversed_joints_that_are_set_alike);
    tcase_add_loop_test(tcase, euler_motors, 0, 12);
    tcase_add_loop_test(tcase, euler_motor_that_turns_back, 0, 2);
    tcase_add_loop_test(tcase, euler_motor_that_is_a_torque, 0, 9);
    tcase_add_test(tcase, negative_compliance);
    tcase_add_loop_test(tcase, softness_of_some_rows, 0, 2);
    return runCase("traps", tcase);
}

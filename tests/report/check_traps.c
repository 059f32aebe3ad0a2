/* check_traps.c  Traps of the engine that make no force wrong: that it does as is told of it, and that a report names the joint, the trap and the way
 * out where it matters, and nothing where it does not. */
#include "tests/kits/report_kit.h"

#include <math.h>

static const double kVel = 0.5;

typedef struct Joint {
    dWorldID world;
    dBodyID body;
    dJointID joint;
} Joint;

static dWorldID newWorld(void)
{
    dRandSetSeed(1);
    return dWorldCreate();
}

/* A body of 1 kg that a joint of this type holds to the world, without gravity; axis 1, or the slide, along z. */
static Joint attached(int type, bool isReversed)
{
    typedef dJointID Create(dWorldID, dJointGroupID);
    static Create *const create[] = {[dJointTypeHinge] = dJointCreateHinge,
                                     [dJointTypeSlider] = dJointCreateSlider,
                                     [dJointTypeUniversal] = dJointCreateUniversal,
                                     [dJointTypePR] = dJointCreatePR,
                                     [dJointTypePU] = dJointCreatePU,
                                     [dJointTypePiston] = dJointCreatePiston,
                                     [dJointTypeAMotor] = dJointCreateAMotor,
                                     [dJointTypeFixed] = dJointCreateFixed,
                                     [dJointTypeDHinge] = dJointCreateDHinge};
    Joint made = {.world = newWorld()};
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 0.3);
    made.body = dBodyCreate(made.world);
    dBodySetMass(made.body, &mass);
    made.joint = create[type](made.world, NULL);
    dJointAttach(made.joint, isReversed ? NULL : made.body, isReversed ? made.body : NULL);
    switch (type) {
    case dJointTypeHinge:
        dJointSetHingeAnchor(made.joint, 0, 0, 0);
        dJointSetHingeAxis(made.joint, 0, 0, 1);
        break;
    case dJointTypeSlider:
        dJointSetSliderAxis(made.joint, 0, 0, 1);
        break;
    case dJointTypeUniversal:
        dJointSetUniversalAnchor(made.joint, 0, 0, 0);
        dJointSetUniversalAxis1(made.joint, 0, 0, 1);
        dJointSetUniversalAxis2(made.joint, 0, 1, 0);
        break;
    case dJointTypePR:
        dJointSetPRAnchor(made.joint, 0, 0, 0);
        dJointSetPRAxis1(made.joint, 1, 0, 0);
        dJointSetPRAxis2(made.joint, 0, 0, 1);
        break;
    case dJointTypePU:
        dJointSetPUAnchor(made.joint, 0, 0, 0);
        dJointSetPUAxis1(made.joint, 0, 0, 1);
        dJointSetPUAxis2(made.joint, 0, 1, 0);
        dJointSetPUAxis3(made.joint, 1, 0, 0);
        break;
    case dJointTypePiston:
        dJointSetPistonAnchor(made.joint, 0, 0, 0);
        dJointSetPistonAxis(made.joint, 0, 0, 1);
        break;
    case dJointTypeDHinge:
        dJointSetDHingeAxis(made.joint, 0, 0, 1);
        dJointSetDHingeAnchor1(made.joint, 0, 0, 0);
        dJointSetDHingeAnchor2(made.joint, 1, 0, 0);
        break;
    case dJointTypeFixed:
        dJointSetFixed(made.joint);
        break;
    default:
        break;
    }
    return made;
}

/* Steps of a reporter that is told of all of them; returns the reasons of the last one. What the report says is checked: the name of the
 * joint, of the reason, and a way out. */
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

static void drop(const Joint *joint)
{
    dWorldDestroy(joint->world);
}

/* --- Attached (0, b) */

typedef dReal Rate(dJointID joint);
typedef void Set(dJointID joint, int parameter, dReal value);

/* An axis of a joint; what it does with a motor in place of what is asked for: the sign, or the other axis. */
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

/* Of compliance, and of poses that are a step old */
static const double kRate = 1e-3;

START_TEST(motors_of_reversed_joints)
{
    for (int isReversed = 0; isReversed < 2; isReversed++) {
        const Joint made = attached(axes[_i].type, isReversed);
        const bool isFlipped = isReversed && axes[_i].isFlipped, isSwapped = isReversed && axes[_i].isSwapped;
        axes[_i].set(made.joint, axes[_i].group + dParamVel, kVel);
        axes[_i].set(made.joint, axes[_i].group + dParamFMax, 1e4);
        const ksReasons reasons = reasonsOf(&made, 3, KS_REASON_REVERSED_MOTOR, "Attach it (b, 0)");
        ck_assert_double_eq_tol(axes[_i].rate(made.joint), isSwapped ? 0 : isFlipped ? -kVel : kVel, kRate);
        if (axes[_i].other)
            ck_assert_double_eq_tol(axes[_i].other(made.joint), isSwapped ? kVel : 0, kRate);
        ck_assert_int_eq((reasons & KS_REASON_REVERSED_MOTOR) != 0, isFlipped || isSwapped);
        drop(&made);
    }
}
END_TEST

/* Leaning on a stop either way, where it is in terms of the angle that the engine tells. */
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
        const ksReasons reasons = reasonsOf(&made, 1, KS_REASON_REVERSED_MOTOR, "Attach it (b, 0)");
        ck_assert_int_eq((reasons & KS_REASON_REVERSED_MOTOR) != 0, isReversed && stop[_i][0] != -stop[_i][1]);
        drop(&made);
    }
}
END_TEST

/* Where it does not matter which way round: a brake, and two axes that are set alike. */
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

/* The first angle turns so many times as fast as it is told to. */
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

/* --- Softness that some rows have */

/* A weight and a torque at a joint of CFM c: displacement is h c times the force in a soft direction, and none in others. */
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
        if (isSoft == 2) { /* all of them */
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

/* --- What no row and no motion tells: the engine does so */

/* A force along a piston: none at (0, b); a couple between two bodies that stand beside the axis. */
START_TEST(piston_force)
{
    const Joint first = attached(dJointTypePiston, false), second = attached(dJointTypePiston, true);
    dJointAddPistonForce(first.joint, 10);
    dJointAddPistonForce(second.joint, 10);
    ck_assert_double_eq(dBodyGetForce(first.body)[2], 10);
    ck_assert_double_eq(dBodyGetForce(second.body)[2], 0);
    drop(&second);
    drop(&first);
    const Joint pair = attached(dJointTypePiston, false);
    dBodyID other = dBodyCreate(pair.world);
    dBodySetPosition(other, 0, 1, 0);
    dJointAttach(pair.joint, pair.body, other);
    dJointSetPistonAxis(pair.joint, 0, 0, 1);
    dJointAddPistonForce(pair.joint, 10);
    const double moment = dBodyGetTorque(pair.body)[0] + dBodyGetTorque(other)[0] + dBodyGetForce(other)[2];
    ck_assert_double_eq(dBodyGetForce(pair.body)[2] + dBodyGetForce(other)[2], 0);
    ck_assert_double_gt(fabs(moment), 9);
    drop(&pair);
}
END_TEST

/* Two bodies turn as one about x, 1 m apart: their slider does not slide. */
START_TEST(rate_of_a_slide)
{
    const Joint pair = attached(dJointTypeSlider, false);
    dBodyID other = dBodyCreate(pair.world);
    dBodySetPosition(other, 0, 1, 0);
    dJointAttach(pair.joint, pair.body, other);
    dJointSetSliderAxis(pair.joint, 0, 0, 1);
    dBodySetAngularVel(pair.body, 1, 0, 0);
    dBodySetAngularVel(other, 1, 0, 0);
    dBodySetLinearVel(other, 0, 0, 1);
    ck_assert_double_eq(dJointGetSliderPositionRate(pair.joint), -1);
    drop(&pair);
}
END_TEST

/* The angle after a step is the one before it. */
START_TEST(angle_of_an_euler_motor)
{
    const Joint made = attached(dJointTypeAMotor, false);
    dJointSetAMotorMode(made.joint, dAMotorEuler);
    dJointSetAMotorAxis(made.joint, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(made.joint, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(made.joint, dParamFMax, 1e6);
    dJointSetAMotorParam(made.joint, dParamVel, kVel);
    for (int i = 0; i < 10; i++) {
        ck_assert_double_eq_tol(dJointGetAMotorAngle(made.joint, 0), kVel * h * (i > 0 ? i - 1 : 0), kRate * h);
        dWorldStep(made.world, h);
    }
    drop(&made);
}
END_TEST

/* A cube of 1 m, with its centre or a corner at the origin. */
static dGeomID cubeMesh(bool isCentred, double vertex[24])
{
    static dTriIndex corner[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                   1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    for (int i = 0; i < 8; i++) {
        vertex[3 * i] = (i % 4 == 1 || i % 4 == 2) - (isCentred ? 0.5 : 0);
        vertex[3 * i + 1] = (i % 4 >= 2) - (isCentred ? 0.5 : 0);
        vertex[3 * i + 2] = (i >= 4) - (isCentred ? 0.5 : 0);
    }
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertex, 3 * sizeof(double), 8, corner, 36, 3 * sizeof(dTriIndex));
    return dCreateTriMesh(NULL, data, NULL, NULL, NULL);
}

static void dropMesh(dGeomID mesh)
{
    dTriMeshDataID data = dGeomTriMeshGetData(mesh);
    dGeomDestroy(mesh);
    dGeomTriMeshDataDestroy(data);
}

/* m/6 about its centre, whether it is measured there, or at a corner and then moved. */
START_TEST(inertia_of_a_mesh)
{
    double vertex[24];
    dMass mass;
    dGeomID mesh = cubeMesh(_i, vertex);
    dMassSetTrimeshTotal(&mass, 1, mesh);
    dMassTranslate(&mass, -mass.c[0], -mass.c[1], -mass.c[2]);
    ck_assert_double_eq_tol(mass.I[0], _i ? 1.0 / 6 : 2.0 / 3, 1e-9);
    ck_assert_double_eq_tol(mass.I[1], _i ? 0 : -0.25, 1e-9);
    dropMesh(mesh);
}
END_TEST

/* Two cubes, of which one stands on the other, turned and beside its centre, and is 1 mm too low. */
START_TEST(depth_of_two_meshes)
{
    double vertex[2][24], deepest = 0;
    dGeomID lower = cubeMesh(true, vertex[0]), upper = cubeMesh(true, vertex[1]);
    for (int k = 0; k < 20; k++) {
        dContactGeom contact[64];
        dMatrix3 rotation;
        dRFromAxisAndAngle(rotation, 0, 0, 1, 0.1 * k);
        dGeomSetRotation(upper, rotation);
        dGeomSetPosition(upper, 0.1 * (k % 5), 0.05 * (k % 7), 0.999);
        const int count = dCollide(lower, upper, 64, contact, sizeof *contact);
        for (int i = 0; i < count; i++)
            deepest = contact[i].depth > deepest ? contact[i].depth : deepest;
    }
    ck_assert_double_gt(deepest, 0.5);
    dropMesh(lower);
    dropMesh(upper);
}
END_TEST

/* Turning to and fro, at most at 1 rad/s: of twenty samples the mean is zero, though none of them is. */
START_TEST(sleep_by_a_mean)
{
    const Joint made = attached(dJointTypeHinge, false);
    int enabled = 0;
    double speed = 0;
    dBodySetAutoDisableFlag(made.body, 1);
    dBodySetAutoDisableAverageSamplesCount(made.body, _i ? 20 : 1);
    for (int i = 0; i < 400 && dBodyIsEnabled(made.body); i++) {
        dBodyAddTorque(made.body, 0, 0, (i % 20 < 5) || (i % 20 >= 15) ? 1 : -1);
        speed = fabs(dBodyGetAngularVel(made.body)[2]);
        dWorldStep(made.world, 0.01);
        enabled = dBodyIsEnabled(made.body);
    }
    ck_assert_int_eq(enabled, !_i);
    if (_i)
        ck_assert_double_gt(speed, 20 * dBodyGetAutoDisableAngularThreshold(made.body));
    drop(&made);
}
END_TEST

static dContact contactWith(int mode)
{
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = mode;
    contact.surface.mu = 1e3;
    contact.surface.motion1 = contact.surface.motion2 = contact.surface.motionN = 2;
    contact.fdir1[0] = contact.geom.normal[2] = 1;
    return contact;
}

/* A body on a kinematic one, whose surface moves: with the bodies the other way round motion1 turns, and motion2 does not. */
START_TEST(surface_motion_and_order)
{
    for (int isTurned = 0; isTurned < 2; isTurned++) {
        Joint made = attached(dJointTypeHinge, false);
        dJointDestroy(made.joint);
        dWorldSetGravity(made.world, 0, 0, -9.81);
        dBodyID floor = dBodyCreate(made.world);
        dBodySetKinematic(floor);
        dBodySetPosition(made.body, 0, 0, 0.3);
        dContact contact = contactWith((_i ? dContactMotion2 : dContactMotion1) | dContactFDir1 | dContactApprox1);
        contact.geom.normal[2] = isTurned ? -1 : 1;
        for (int i = 0; i < 2000; i++) {
            dBodySetAngularVel(made.body, 0, 0, 0);
            for (int k = 0; k < 2; k++)
                contact.geom.pos[k] = dBodyGetPosition(made.body)[k];
            dJointID joint = dJointCreateContact(made.world, NULL, &contact);
            dJointAttach(joint, isTurned ? floor : made.body, isTurned ? made.body : floor);
            dWorldStep(made.world, h);
            dJointDestroy(joint);
        }
        ck_assert_double_eq_tol(dBodyGetLinearVel(made.body)[_i], isTurned && !_i ? -2 : 2, kRate);
        drop(&made);
    }
}
END_TEST

/* The greatest correcting velocity limits the surface's own, too. */
START_TEST(surface_motion_along_the_normal)
{
    Joint made = attached(dJointTypeHinge, false);
    dJointDestroy(made.joint);
    if (_i)
        dWorldSetContactMaxCorrectingVel(made.world, 0.5);
    const dContact contact = contactWith(dContactMotionN);
    dJointAttach(dJointCreateContact(made.world, NULL, &contact), made.body, NULL);
    dWorldStep(made.world, h);
    ck_assert_double_eq_tol(dBodyGetLinearVel(made.body)[2], _i ? 0.5 : 2, kRate);
    drop(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("traps");
    TCase *tcase = tcase_create("traps");
    tcase_add_loop_test(tcase, motors_of_reversed_joints, 0, AXES);
    tcase_add_loop_test(tcase, stops_of_reversed_joints, 0, 2);
    tcase_add_test(tcase, reversed_joints_that_are_set_alike);
    tcase_add_loop_test(tcase, euler_motors, 0, 12);
    tcase_add_loop_test(tcase, softness_of_some_rows, 0, 2);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("unseen");
    tcase_add_test(tcase, piston_force);
    tcase_add_test(tcase, rate_of_a_slide);
    tcase_add_test(tcase, angle_of_an_euler_motor);
    tcase_add_loop_test(tcase, inertia_of_a_mesh, 0, 2);
    tcase_add_test(tcase, depth_of_two_meshes);
    tcase_add_loop_test(tcase, sleep_by_a_mean, 0, 2);
    tcase_add_loop_test(tcase, surface_motion_and_order, 0, 2);
    tcase_add_loop_test(tcase, surface_motion_along_the_normal, 0, 2);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

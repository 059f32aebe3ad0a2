/* check_trap_calls.c  Traps of the engine that show in a call, not in a step: the engine behaves as
 * documented. tests/preload/traps.sh tests the command's messages about them. */
#include "tests/kits/attached.h"
#include "tests/kits/mesh_kit.h"
#include "tests/kits/support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void Set(dJointID joint, int parameter, dReal value);

/* s, rad/s */
static const double h = 0.001, kVel = 0.5;

/* of compliance, and of poses that are one step old; of differences over so short a time, s */
static const double kRate = 1e-3, kSmall = 1e-6;

/* A force along a piston: none at (0, b); between two bodies, a couple of twice the force times the
 * distance of the second one's mass centre from the axis, wherever the first one stands. */
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
    dJointAttach(pair.joint, pair.body, other);
    for (int i = 0; i < 4; i++) {
        dBodyID body[2] = {pair.body, other};
        const double beside[2] = {i & 1 ? 1 : 0, i & 2 ? 0.5 : 0};
        double moment = 0;
        for (int k = 0; k < 2; k++) {
            dBodySetPosition(body[k], 0, beside[k], k);
            dBodySetForce(body[k], 0, 0, 0);
            dBodySetTorque(body[k], 0, 0, 0);
        }
        dJointSetPistonAnchor(pair.joint, 0, 0, 0);
        dJointSetPistonAxis(pair.joint, 0, 0, 1);
        dJointAddPistonForce(pair.joint, 10);
        for (int k = 0; k < 2; k++)
            moment += dBodyGetTorque(body[k])[0] + beside[k] * dBodyGetForce(body[k])[2];
        ck_assert_double_eq(dBodyGetForce(pair.body)[2] + dBodyGetForce(other)[2], 0);
        ck_assert_double_eq(fabs(moment), 2 * 10 * beside[1]);
    }
    drop(&pair);
}
END_TEST

/* Two bodies turn as one about x, 1 m apart: the slider between them does not slide. */
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

/* A body turns about a pivot of the world, 0.5 m beside its slide: it does not slide, since its
 * mass centre keeps its place along the slide. */
START_TEST(rate_of_a_pr_to_the_world)
{
    const Joint made = attached(dJointTypePR, false);
    dBodySetPosition(made.body, 0, 0.5, 1);
    dJointSetPRAnchor(made.joint, 0, 0, 0);
    dJointSetPRAxis1(made.joint, 0, 0, 1);
    dJointSetPRAxis2(made.joint, 1, 0, 0);
    dBodySetAngularVel(made.body, 1, 0, 0);
    dBodySetLinearVel(made.body, 0, -1, 0.5);
    const double told = dJointGetPRPositionRate(made.joint), before = dJointGetPRPosition(made.joint);
    dQuaternion turned;
    dQFromAxisAndAngle(turned, 1, 0, 0, kSmall);
    dBodySetQuaternion(made.body, turned);
    dBodySetPosition(made.body, 0, 0.5 - kSmall, 1 + 0.5 * kSmall);
    ck_assert_double_eq(told, 0.5);
    ck_assert_double_eq_tol((dJointGetPRPosition(made.joint) - before) / kSmall, 0, kRate);
    drop(&made);
}
END_TEST

/* The angle after a step is the angle before it. */
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

static void dropMesh(dGeomID mesh)
{
    dTriMeshDataID data = dGeomTriMeshGetData(mesh);
    dGeomDestroy(mesh);
    dGeomTriMeshDataDestroy(data);
}

/* m/6 about its centre, whether measured there, or at a corner and then moved. */
START_TEST(inertia_of_a_mesh)
{
    double vertex[24];
    dMass mass;
    dGeomID mesh = makeCubeMesh(_i, vertex);
    dMassSetTrimeshTotal(&mass, 1, mesh);
    dMassTranslate(&mass, -mass.c[0], -mass.c[1], -mass.c[2]);
    ck_assert_double_eq_tol(mass.I[0], _i ? 1.0 / 6 : 2.0 / 3, 1e-9);
    ck_assert_double_eq_tol(mass.I[1], _i ? 0 : -0.25, 1e-9);
    dropMesh(mesh);
}
END_TEST

/* Two cubes, one on the other, turned and off centre, and 1 mm too low. */
START_TEST(depth_of_two_meshes)
{
    double vertex[2][24], deepest = 0;
    dGeomID lower = makeCubeMesh(true, vertex[0]), upper = makeCubeMesh(true, vertex[1]);
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

/* Turning to and fro at up to 1 rad/s: twenty samples have a mean of zero, although none of them is
 * zero. */
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

/* A body on a kinematic one with a moving surface: exchanging the bodies reverses motion1, but not
 * motion2. */
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

/* The largest correcting velocity also limits the surface's own. */
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

/* --- Signs */

enum { PUSHES = 100 };

/* The change of angle 1 or 2 of a universal joint by a torque about this axis, and the sign of its
 * rate's getter. */
START_TEST(torques_of_a_universal)
{
    const bool isReversed = _i & 1, isSecond = _i & 2;
    const Joint made = attached(dJointTypeUniversal, isReversed);
    for (int i = 0; i < PUSHES; i++) {
        dJointAddUniversalTorques(made.joint, !isSecond, isSecond);
        dWorldStep(made.world, h);
    }
    const double angle = (isSecond ? dJointGetUniversalAngle2 : dJointGetUniversalAngle1)(made.joint);
    const double rate = (isSecond ? dJointGetUniversalAngle2Rate : dJointGetUniversalAngle1Rate)(made.joint);
    ck_assert(isReversed && !isSecond ? angle < -0.1 : angle > 0.1);
    ck_assert(isReversed ? rate < -1 : rate > 1);
    drop(&made);
}
END_TEST

/* A motor turns a wheel: the getters of angle and rate. */
START_TEST(angle_of_a_hinge2)
{
    static const dVector3 up = {0, 0, 1}, across = {0, 1, 0};
    const Joint made = attached(dJointTypeHinge, false);
    dBodyID wheel = dBodyCreate(made.world);
    dJointID joint = dJointCreateHinge2(made.world, NULL);
    dBodySetPosition(wheel, 1, 0, 0);
    dJointAttach(joint, made.body, wheel);
    dJointSetHinge2Anchor(joint, 1, 0, 0);
    dJointSetHinge2Axes(joint, up, across);
    dBodySetKinematic(made.body);
    dJointSetHinge2Param(joint, (_i ? dParamVel2 : dParamVel1), kVel);
    dJointSetHinge2Param(joint, (_i ? dParamFMax2 : dParamFMax1), 1e3);
    for (int i = 0; i < PUSHES; i++)
        dWorldStep(made.world, h);
    const double angle = (_i ? dJointGetHinge2Angle2 : dJointGetHinge2Angle1)(joint);
    const double rate = (_i ? dJointGetHinge2Angle2Rate : dJointGetHinge2Angle1Rate)(joint);
    ck_assert_double_eq_tol(rate, kVel, kRate);
    ck_assert_double_eq_tol(angle, (_i ? -1 : 1) * kVel * h * PUSHES, kRate);
    drop(&made);
}
END_TEST

/* Two wheels on hinges turn at 1 and -1 rad/s: the gears' getters are one step late, and have the
 * opposite sign. */
START_TEST(angle_of_gears)
{
    dWorldID world = newWorld();
    dBodyID wheel[2];
    dJointID hinge[2];
    for (int i = 0; i < 2; i++) {
        wheel[i] = dBodyCreate(world);
        dBodySetPosition(wheel[i], 0, i, 0);
        dBodySetAngularVel(wheel[i], 0, 0, i ? -1 : 1);
        hinge[i] = dJointCreateHinge(world, NULL);
        dJointAttach(hinge[i], wheel[i], NULL);
        dJointSetHingeAnchor(hinge[i], 0, i, 0);
        dJointSetHingeAxis(hinge[i], 0, 0, 1);
    }
    dJointID gears = dJointCreateTransmission(world, NULL);
    dJointAttach(gears, wheel[0], wheel[1]);
    dJointSetTransmissionMode(gears, dTransmissionParallelAxes);
    dJointSetTransmissionAxis(gears, 0, 0, 1);
    dJointSetTransmissionAnchor1(gears, 0, 0, 0);
    dJointSetTransmissionAnchor2(gears, 0, 1, 0);
    dJointSetTransmissionRatio(gears, 1);
    for (int i = 0; i <= PUSHES; i++)
        dWorldStep(world, h);
    ck_assert_double_eq_tol(dJointGetHingeAngle(hinge[0]), (PUSHES + 1) * h, kRate * h);
    ck_assert_double_eq_tol(dJointGetTransmissionAngle1(gears), -PUSHES * h, kRate * h);
    ck_assert_double_eq_tol(dJointGetTransmissionAngle2(gears), PUSHES * h, kRate * h);
    dWorldDestroy(world);
}
END_TEST

/* Body 1 slides along x at 1 m/s, through the anchor, which is fixed to body 2, 2 m before its mass
 * centre; body 2 turns at 1 rad/s about its mass centre. */
START_TEST(rate_of_a_pu)
{
    const Joint made = attached(dJointTypePU, false);
    dBodyID other = dBodyCreate(made.world);
    dBodySetPosition(other, 0.2, 1, 0);
    dJointAttach(made.joint, made.body, other);
    dJointSetPUAnchor(made.joint, 1, 0, 0);
    dJointSetPUAxis1(made.joint, 0, 0, 1);
    dJointSetPUAxis2(made.joint, 0, 1, 0);
    dJointSetPUAxis3(made.joint, 1, 0, 0);
    dBodySetLinearVel(made.body, 1, 0, 0);
    dBodySetAngularVel(other, 0, 0, 1);
    // the point of body 2 at the anchor moves at z x (0.8, -1) = (1, 0.8)
    const double told = dJointGetPUPositionRate(made.joint), before = dJointGetPUPosition(made.joint);
    for (int i = 0; i < 2; i++) {
        dBodyID body = i ? other : made.body;
        const dReal *at = dBodyGetPosition(body), *v = dBodyGetLinearVel(body), *spin = dBodyGetAngularVel(body);
        dQuaternion turned;
        dBodySetPosition(body, at[0] + kSmall * v[0], at[1] + kSmall * v[1], at[2] + kSmall * v[2]);
        dQFromAxisAndAngle(turned, 0, 0, 1, kSmall * spin[2]);
        dBodySetQuaternion(body, turned);
    }
    ck_assert_double_eq_tol((dJointGetPUPosition(made.joint) - before) / kSmall, 0, kRate);
    ck_assert_double_gt(fabs(told), 0.5);
    drop(&made);
}
END_TEST

/* --- Parameters */

/* An lmotor and a plane2d drive a body by 1 m, past a stop at 0.1 m. */
START_TEST(stops_that_are_none)
{
    const Joint made = attached(dJointTypeHinge, false);
    dJointDestroy(made.joint);
    dJointID motor = (_i ? dJointCreatePlane2D : dJointCreateLMotor)(made.world, NULL);
    Set *set = _i ? dJointSetPlane2DXParam : dJointSetLMotorParam;
    dJointAttach(motor, made.body, NULL);
    if (_i == 0) {
        dJointSetLMotorNumAxes(motor, 1);
        dJointSetLMotorAxis(motor, 0, 0, 1, 0, 0);
    }
    set(motor, dParamLoStop, -0.1);
    set(motor, dParamHiStop, 0.1);
    set(motor, dParamVel, 1);
    set(motor, dParamFMax, 1e3);
    for (int i = 0; i < 1000; i++)
        dWorldStep(made.world, h);
    ck_assert_double_eq_tol(dBodyGetPosition(made.body)[0], 1, kRate);
    drop(&made);
}
END_TEST

/* The axis of an lmotor on a body that is turned by 90 degrees about z. */
START_TEST(axis_of_an_lmotor)
{
    const Joint made = attached(dJointTypeHinge, false);
    dQuaternion quarter;
    dVector3 axis;
    dQFromAxisAndAngle(quarter, 0, 0, 1, M_PI / 2);
    dBodySetQuaternion(made.body, quarter);
    dJointID motor = dJointCreateLMotor(made.world, NULL);
    dJointAttach(motor, made.body, NULL);
    dJointSetLMotorNumAxes(motor, 1);
    dJointSetLMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointGetLMotorAxis(motor, 0, axis);
    ck_assert_double_eq_tol(axis[0], 0, kRate);
    ck_assert_double_eq_tol(axis[1], -1, kRate);
    drop(&made);
}
END_TEST

/* A joint that should read .2, or a universal joint that should read .2 and .3. */
START_TEST(offsets)
{
    const bool isReversed = _i;
    const Joint hinge = attached(dJointTypeHinge, isReversed), slider = attached(dJointTypeSlider, isReversed),
                universal = attached(dJointTypeUniversal, isReversed);
    dJointSetHingeAxisOffset(hinge.joint, 0, 0, 1, 0.2);
    ck_assert_double_eq_tol(dJointGetHingeAngle(hinge.joint), -0.2, kRate);
    dJointSetSliderAxisDelta(slider.joint, 0, 0, 1, 0, 0, 0.2);
    ck_assert_double_eq_tol(dJointGetSliderPosition(slider.joint), isReversed ? 0.2 : -0.2, kRate);
    dJointSetUniversalAxis1Offset(universal.joint, 0, 0, 1, 0.2, 0.3);
    if (isReversed)
        ck_assert_double_gt(fabs(dJointGetUniversalAngle1(universal.joint) - 0.2), 1);
    else
        ck_assert_double_eq_tol(dJointGetUniversalAngle1(universal.joint), 0.2, kRate);
    ck_assert_double_gt(fabs(dJointGetUniversalAngle2(universal.joint) - 0.3), 0.2);
    drop(&universal);
    drop(&slider);
    drop(&hinge);
}
END_TEST

/* Between two bodies: a universal joint gets its offsets, and a slider does not. */
START_TEST(offsets_between_bodies)
{
    const Joint slider = attached(dJointTypeSlider, false), universal = attached(dJointTypeUniversal, false);
    dJointAttach(slider.joint, slider.body, dBodyCreate(slider.world));
    dJointSetSliderAxisDelta(slider.joint, 0, 0, 1, 0, 0, 0.2);
    ck_assert_double_eq(dJointGetSliderPosition(slider.joint), 0);
    dJointAttach(universal.joint, universal.body, dBodyCreate(universal.world));
    dJointSetUniversalAxis1(universal.joint, 0, 0, 1);
    dJointSetUniversalAxis2(universal.joint, 0, 1, 0);
    dJointSetUniversalAxis1Offset(universal.joint, 0, 0, 1, 0.2, 0.3);
    ck_assert_double_eq_tol(dJointGetUniversalAngle1(universal.joint), 0.2, kRate);
    ck_assert_double_eq_tol(dJointGetUniversalAngle2(universal.joint), 0.3, kRate);
    drop(&universal);
    drop(&slider);
}
END_TEST

/* A plane2d between two bodies that are pushed out of the plane: the first one stays in it, the
 * other one does not. */
START_TEST(plane2d_between_bodies)
{
    const Joint made = attached(dJointTypeHinge, false);
    dJointDestroy(made.joint);
    dBodyID other = dBodyCreate(made.world);
    dBodySetPosition(other, 1, 0, 0);
    dJointAttach(dJointCreatePlane2D(made.world, NULL), made.body, other);
    for (int i = 0; i < PUSHES; i++) {
        dBodyAddForce(made.body, 0, 0, 1);
        dBodyAddForce(other, 0, 0, 1);
        dWorldStep(made.world, h);
    }
    ck_assert_double_eq_tol(dBodyGetPosition(made.body)[2], 0, kRate);
    ck_assert_double_gt(dBodyGetPosition(other)[2], kRate);
    drop(&made);
}
END_TEST

/* --- Geoms */

/* Tilted boxes, 5 mm deep in a floor of two triangles, away from its edges, have normals tilted by
 * more than 11 degrees; balls do not. */
START_TEST(normals_of_a_flat_mesh)
{
    static double vertex[12] = {-5, -5, 0, 5, -5, 0, 5, 5, 0, -5, 5, 0};
    static dTriIndex corner[6] = {0, 1, 2, 0, 2, 3};
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertex, 3 * sizeof(double), 4, corner, 6, 3 * sizeof(dTriIndex));
    dGeomID floor = dCreateTriMesh(NULL, data, NULL, NULL, NULL);
    dGeomID geom = _i ? dCreateSphere(NULL, 0.2) : dCreateBox(NULL, 0.4, 0.3, 0.2);
    double upright = 1;
    for (int k = 0; k < 4000; k++) {
        dContactGeom contact[32];
        dMatrix3 rotation;
        dReal box[6];
        dRFromEulerAngles(rotation, 0.1 * k, 0.37 * k, 0.73 * k);
        dGeomSetRotation(geom, rotation);
        dGeomSetPosition(geom, 0, 0, 0);
        dGeomGetAABB(geom, box);
        dGeomSetPosition(geom, 0.001 * (k % 997), 0.0007 * (k % 983), -box[4] - 0.005);
        const int count = dCollide(floor, geom, 32, contact, sizeof *contact);
        for (int i = 0; i < count; i++)
            upright = fabs(contact[i].normal[2]) < upright ? fabs(contact[i].normal[2]) : upright;
    }
    ck_assert(_i ? upright > 0.9999 : upright < 0.98);
    dGeomDestroy(geom);
    dropMesh(floor);
}
END_TEST

static void countPair(void *user, dGeomID a, dGeomID b)
{
    (void)a;
    (void)b;
    ++*(int *)user;
}

/* A box 100 m above a level plane: only sweep and prune calls them a pair. */
START_TEST(planes_as_pairs)
{
    dSpaceID space = _i ? dSweepAndPruneSpaceCreate(NULL, dSAP_AXES_XYZ) : dSimpleSpaceCreate(NULL);
    int pairs = 0;
    dGeomSetPosition(dCreateBox(space, 1, 1, 1), 0, 0, 100);
    (void)dCreatePlane(space, 0, 0, 1, 0);
    dSpaceCollide(space, &pairs, countPair);
    ck_assert_int_eq(pairs, _i);
    dSpaceDestroy(space);
}
END_TEST

/* --- Files */

/* The exported threshold is 0.3, and a force has a component of zero. */
START_TEST(export_of_a_world)
{
    const Joint made = attached(dJointTypeHinge, false);
    char text[20000];
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    dWorldSetAutoDisableLinearThreshold(made.world, 0.3);
    dBodyAddForce(made.body, _i, 0, 5);
    dBodyAddTorque(made.body, 1, 1, 5);
    dWorldExportDIF(made.world, file, "");
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    ck_assert_ptr_nonnull(strstr(text, "linear_threshold = 0.09"));
    ck_assert_ptr_nonnull(strstr(text, "tacc = {1,1,5}"));
    ck_assert_ptr_null(strstr(text, "facc"));
    drop(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trap calls");
    TCase *tcase = tcase_create("trap calls");
    tcase_add_test(tcase, piston_force);
    tcase_add_test(tcase, rate_of_a_slide);
    tcase_add_test(tcase, rate_of_a_pr_to_the_world);
    tcase_add_test(tcase, rate_of_a_pu);
    tcase_add_test(tcase, angle_of_an_euler_motor);
    tcase_add_loop_test(tcase, torques_of_a_universal, 0, 4);
    tcase_add_loop_test(tcase, angle_of_a_hinge2, 0, 2);
    tcase_add_test(tcase, angle_of_gears);
    tcase_add_loop_test(tcase, stops_that_are_none, 0, 2);
    tcase_add_test(tcase, axis_of_an_lmotor);
    tcase_add_loop_test(tcase, offsets, 0, 2);
    tcase_add_test(tcase, offsets_between_bodies);
    tcase_add_test(tcase, plane2d_between_bodies);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("shapes");
    tcase_add_loop_test(tcase, inertia_of_a_mesh, 0, 2);
    tcase_add_test(tcase, depth_of_two_meshes);
    tcase_add_loop_test(tcase, normals_of_a_flat_mesh, 0, 2);
    tcase_add_loop_test(tcase, planes_as_pairs, 0, 2);
    tcase_add_loop_test(tcase, sleep_by_a_mean, 0, 2);
    tcase_add_loop_test(tcase, surface_motion_and_order, 0, 2);
    tcase_add_loop_test(tcase, surface_motion_along_the_normal, 0, 2);
    tcase_add_loop_test(tcase, export_of_a_world, 0, 2);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

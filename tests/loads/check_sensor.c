/* check_sensor.c  Six-axis sensors against statics. */
#include "tests/kits/box_kit.h"

static const double arm = 1.5;             /* the point of action is this far out */
static const double exactTolerance = 1e-9; /* a few bodies at rest, of 2 kg and 10 to 100 N */

static dJointID fix(dBodyID body, dBodyID to)
{
    dJointID joint = dJointCreateFixed(world, 0);
    dJointAttach(joint, body, to);
    dJointSetFixed(joint);
    return joint;
}

static ksSensor sensors(void)
{
    ksSensor sensor;
    ksSensorInit(&sensor);
    return sensor;
}

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void checkWrench(const ksWrench *w, const double force[3], const double torque[3])
{
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(w->force[k], force[k], exactTolerance * 100);
        ck_assert_double_eq_tol(w->torque[k], torque[k], exactTolerance * 100);
    }
}

static const double zero[3] = {0, 0, 0};

/* A kinematic arm holds a box in any pose, with a force on a point of the box. The sensor in the
 * box reads minus the force, with its moment about the sensor's point, without the box's weight;
 * the sensor in the arm reads the opposite. */
START_TEST(weight_taken_out_in_any_pose)
{
    dMatrix3 rotation;
    dRFromEulerAngles(rotation, 0.4 * _i, 1.1 * _i, -0.7 * _i);
    dBodyID holder = dBodyCreate(world);
    dBodySetKinematic(holder);
    dBodySetRotation(holder, rotation);
    dBodySetPosition(holder, 0.3, -0.2, 1);
    dBodySetRotation(box, rotation);
    dJointID joint = fix(box, holder);
    const double push[3] = {3, -8, 5}, at[3] = {0.1, 0.2, arm}; /* in the box */
    const double place[3] = {-0.1, 0.05, -0.4};
    ksSensor sensor = sensors();
    sensor.atPosition = 1;
    memcpy(sensor.position, place, sizeof place);
    sensor.toolMass = mass;

    ksWrench reading;
    CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksSensorRead(&sensor, ksInspectorGetReaction(inspector, joint), &reading));
    checkWrench(&reading, zero, zero);

    dBodyAddRelForceAtRelPos(box, push[0], push[1], push[2], at[0], at[1], at[2]);
    CHECK_OK(ksInspectorStep(inspector, h));
    ksReaction copy = *ksInspectorGetReaction(inspector, joint);
    double r[3], moment[3], minus[3], minusMoment[3];
    for (int k = 0; k < 3; k++)
        r[k] = at[k] - place[k];
    cross(r, push, moment);
    for (int k = 0; k < 3; k++) {
        minus[k] = -push[k];
        minusMoment[k] = -moment[k];
    }
    dJointDestroy(joint);
    CHECK_OK(ksSensorRead(&sensor, &copy, &reading));
    checkWrench(&reading, minus, minusMoment);

    // the other side: the same point as seen from the arm, whose axes are parallel; without a tool,
    // the reading includes the weight
    const dReal *R = dBodyGetRotation(box);
    double weight[3], lever[3], weightMoment[3], centre[3];
    for (int k = 0; k < 3; k++) {
        weight[k] = -mass * SCENE_GRAVITY * R[8 + k];
        lever[k] = -place[k];
        centre[k] = copy.centre[0][k] - copy.centre[1][k];
    }
    cross(lever, weight, weightMoment);
    sensor.body = 1;
    sensor.toolMass = 0;
    for (int k = 0; k < 3; k++) {
        sensor.position[k] = place[k];
        for (int i = 0; i < 3; i++)
            sensor.position[k] += R[4 * i + k] * centre[i];
        minus[k] = push[k] + weight[k];
        minusMoment[k] = moment[k] + weightMoment[k];
    }
    CHECK_OK(ksSensorRead(&sensor, &copy, &reading));
    checkWrench(&reading, minus, minusMoment);
}
END_TEST

/* A part of the box is the tool: its weight acts at its own centre. */
START_TEST(tool_off_the_mass_centre)
{
    dJointID joint = fix(box, NULL);
    ksSensor sensor = sensors();
    sensor.toolMass = 0.5;
    sensor.toolCentre[0] = 0.3;
    CHECK_OK(ksInspectorStep(inspector, h));
    ksWrench reading;
    CHECK_OK(ksSensorRead(&sensor, ksInspectorGetReaction(inspector, joint), &reading));
    // the rest, 1.5 kg: 2 kg at the origin less 0.5 kg at 0.3 m has its centre at -0.1 m
    const double force[3] = {0, 0, 1.5 * SCENE_GRAVITY}, torque[3] = {0, 0.1 * 1.5 * SCENE_GRAVITY, 0};
    checkWrench(&reading, force, torque);
}
END_TEST

/* By default gravity is the step's, even if the world changes it later, and zero for a body
 * without gravity. A host can pass its own gravity from dWorldGetGravity, a dVector3. */
START_TEST(gravity_of_the_step)
{
    dJointID joint = fix(box, NULL);
    ksSensor sensor = sensors(), given = sensors();
    ksWrench reading;
    sensor.toolMass = given.toolMass = mass;
    const double weight[3] = {mass, -2 * mass, 3 * mass}, minus[3] = {-mass, 2 * mass, -3 * mass};
    dWorldSetGravity(world, 1, -2, 3);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    dWorldSetGravity(world, 0, 0, 0);
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    checkWrench(&reading, zero, zero);
    dWorldGetGravity(world, given.gravity);
    CHECK_OK(ksSensorRead(&given, reaction, &reading));
    checkWrench(&reading, minus, zero);

    dWorldSetGravity(world, 1, -2, 3);
    dBodySetGravityMode(box, 0);
    CHECK_OK(ksInspectorStep(inspector, h));
    reaction = ksInspectorGetReaction(inspector, joint);
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    checkWrench(&reading, zero, zero);
    dWorldGetGravity(world, given.gravity);
    CHECK_OK(ksSensorRead(&given, reaction, &reading));
    checkWrench(&reading, weight, zero);
}
END_TEST

START_TEST(tare)
{
    dWorldSetCFM(world, 0);
    dJointID joint = fix(box, NULL);
    ksSensor sensor = sensors(), before;
    sensor.value = KS_CONVERGED;
    sensor.frame = KS_FRAME_WORLD;
    sensor.atPosition = 1;
    sensor.position[0] = 0.1;
    ksWrench reading;
    CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksSensorTare(&sensor, ksInspectorGetReaction(inspector, joint)));
    ck_assert_double_eq_tol(sensor.bias.force[2], mass * SCENE_GRAVITY, exactTolerance * 100);
    CHECK_OK(ksSensorTare(&sensor,
                          ksInspectorGetReaction(inspector, joint)));  // the new reading does not contain the old bias
    for (int i = 0; i < 3; i++) {
        const double force[3] = {-1.0 * i, 0, 2.0 * i}, torque[3] = {0, 0.2 * i - arm * i, 0};
        dBodyAddForceAtPos(box, i, 0, -2.0 * i, 0, 0, arm);
        CHECK_OK(ksInspectorStep(inspector, h));
        CHECK_OK(ksSensorRead(&sensor, ksInspectorGetReaction(inspector, joint), &reading));
        checkWrench(&reading, force, torque);
    }
    // a failed call leaves all as it was
    before = sensor;
    ksReaction copy = *ksInspectorGetReaction(inspector, joint);
    copy.converged[0].torque[1] = NAN;
    ksWrench untouched = reading;
    CHECK_STATUS(ksSensorTare(&sensor, &copy), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksSensorRead(&sensor, &copy, &reading), KS_ERROR_UNAVAILABLE);
    ck_assert_mem_eq(&before.bias, &sensor.bias, sizeof before.bias);
    ck_assert_mem_eq(&untouched, &reading, sizeof reading);
}
END_TEST

START_TEST(points_and_sides)
{
    Scene *scene = scenePendulum(&scenePlate);
    ksInspector *own = inspect(scene->world);
    for (int i = 0; i < 50; i++)
        CHECK_OK(ksInspectorStep(own, h));
    const ksReaction *reaction = ksInspectorGetReaction(own, scene->joint[0]);
    ksWrench expected, reading;
    ksSensor sensor = sensors();
    for (int body = 0; body < 2; body++) {
        sensor.body = body;
        CHECK_OK(ksReactionGetWrench(reaction, KS_PHYSICAL, body, KS_FRAME_BODY, KS_POINT_ANCHOR, &expected));
        CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
        checkWrench(&reading, expected.force, expected.torque);
    }
    // a sensor on the world has its position in world coordinates
    sensor.atPosition = 1;
    memcpy(sensor.position, reaction->anchor[0], sizeof sensor.position);
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    checkWrench(&reading, expected.force, expected.torque);
    sensor.atPosition = 0;
    sensor.point = KS_POINT_MASS_CENTRE;
    CHECK_STATUS(ksSensorRead(&sensor, reaction, &reading), KS_ERROR_UNAVAILABLE);
    sensor.body = 0;
    CHECK_OK(ksReactionGetWrench(reaction, KS_PHYSICAL, 0, KS_FRAME_BODY, KS_POINT_MASS_CENTRE, &expected));
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    checkWrench(&reading, expected.force, expected.torque);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

START_TEST(side_of_the_world)
{
    dWorldSetCFM(world, 0);
    dJointID joint = fix(box, NULL);
    ksSensor sensor = sensors();
    sensor.body = 1;
    sensor.atPosition = 1;
    dBodyAddForceAtPos(box, 1, 0, 0, 0, 0, arm);
    CHECK_OK(ksInspectorStep(inspector, h));
    ksWrench reading;
    CHECK_OK(ksSensorRead(&sensor, ksInspectorGetReaction(inspector, joint), &reading));
    const double force[3] = {1, 0, -mass * SCENE_GRAVITY}, torque[3] = {0, arm, 0};
    checkWrench(&reading, force, torque);
}
END_TEST

/* A ball joint that has come apart: the force on each body acts at the body's own anchor, without a
 * torque about it. */
START_TEST(two_anchors)
{
    dBodyID other = makeBox(1);
    dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, box, other);
    dJointSetBallAnchor(joint, 0, 0, 0.5);
    dBodySetPosition(other, 0, 0.1, 1);
    dBodyAddForce(other, 3, 0, 7);
    CHECK_OK(ksInspectorStep(inspector, h));
    for (int body = 0; body < 2; body++) {
        ksWrench reading;
        ksSensor sensor = sensors();
        sensor.value = KS_CONVERGED;
        sensor.body = body;
        CHECK_OK(ksSensorRead(&sensor, ksInspectorGetReaction(inspector, joint), &reading));
        ck_assert_double_gt(length3(reading.force), 1);
        checkWrench(&reading, reading.force, zero);
    }
}
END_TEST

START_TEST(bad_sensors)
{
    dJointID joint = fix(box, NULL);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    ksSensor good = sensors(), bad[9];
    ksWrench reading;
    for (int i = 0; i < 9; i++)
        bad[i] = good;
    bad[0].size = 0;
    bad[1].value = (ksValue)3;
    bad[2].body = -1;
    bad[3].frame = (ksFrame)3;
    bad[4].point = (ksPoint)2;
    bad[5].atPosition = 1;
    bad[5].position[0] = NAN;
    bad[6].toolMass = -1;
    bad[7].gravity[1] = INFINITY;
    bad[8].body = 1;  // a tool on the world
    bad[8].toolMass = 1;
    for (int i = 0; i < 9; i++) {
        CHECK_STATUS(ksSensorRead(&bad[i], reaction, &reading), KS_ERROR_BAD_ARGUMENT);
        CHECK_STATUS(ksSensorTare(&bad[i], reaction), KS_ERROR_BAD_ARGUMENT);
    }
    CHECK_STATUS(ksSensorRead(NULL, reaction, &reading), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksSensorRead(&good, NULL, &reading), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksSensorRead(&good, reaction, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksSensorTare(NULL, reaction), KS_ERROR_BAD_ARGUMENT);
    ksSensorInit(NULL);
}
END_TEST

/* A beam on two ball joints along its x, in any pose: the force along the line between them is not
 * unique. */
START_TEST(undetermined_reads_nan)
{
    dMatrix3 rotation;
    dRFromEulerAngles(rotation, 0.4 * _i, 1.1 * _i, -0.7 * _i);
    dBodySetRotation(box, rotation);
    dJointID ball[2];
    for (int j = 0; j < 2; j++) {
        dVector3 at;
        dBodyGetRelPointPos(box, j ? 0.9 : -0.3, 0, 0, at);
        ball[j] = dJointCreateBall(world, 0);
        dJointAttach(ball[j], box, NULL);
        dJointSetBallAnchor(ball[j], at[0], at[1], at[2]);
    }
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, ball[0]);
    ksSensor sensor = sensors();
    ksWrench reading;
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    ck_assert(isnan(reading.force[0]));
    for (int k = 0; k < 3; k++) {
        if (k > 0)
            ck_assert_double_eq_tol(reading.force[k], 0.75 * mass * SCENE_GRAVITY * rotation[8 + k],
                                    exactTolerance * 100);
        ck_assert_double_eq_tol(reading.torque[k], 0, exactTolerance * 100);
    }
    // beside the line, the free force has a moment
    sensor.atPosition = 1;
    sensor.position[1] = 0.5;
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    ck_assert(isnan(reading.torque[2]) && isfinite(reading.torque[0]) && isfinite(reading.torque[1]));
    sensor.position[1] = 5e-4;
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    ck_assert(isnan(reading.torque[2]) && isfinite(reading.torque[0]) && isfinite(reading.torque[1]));
    sensor.undetermined = 1;
    CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
    ck_assert(isfinite(reading.torque[2]) && isfinite(reading.force[0]));
}
END_TEST

/* Two pairs of bevel gears between the same shafts, along x and y, mesh at the origin: the force of
 * a tooth, along z, is not unique, nor are its torques on either shaft about the shaft's mass
 * centre. */
START_TEST(undetermined_gears)
{
    dBodyID shaft[2];
    for (int i = 0; i < 2; i++) {
        shaft[i] = makeBox(0);
        dBodySetPosition(shaft[i], i ? 0 : -1, i ? -1 : 0, 0);
        dJointID axle = dJointCreateHinge(world, 0);
        dJointAttach(axle, shaft[i], NULL);
        dJointSetHingeAnchor(axle, i ? 0 : -1, i ? -1 : 0, 0);
        dJointSetHingeAxis(axle, !i, i, 0);
    }
    dJointID gears = NULL;
    for (int i = 0; i < 2; i++) {
        gears = dJointCreateTransmission(world, 0);
        dJointAttach(gears, shaft[0], shaft[1]);
        dJointSetTransmissionMode(gears, dTransmissionIntersectingAxes);
        dJointSetTransmissionAxis1(gears, 1, 0, 0);
        dJointSetTransmissionAxis2(gears, 0, 1, 0);
        dJointSetTransmissionAnchor1(gears, -1, 0, 0);
        dJointSetTransmissionAnchor2(gears, 0, -1, 0);
        dJointSetTransmissionBacklash(gears, 0);
    }
    for (int i = 0; i < 3; i++) {
        dBodyAddTorque(shaft[0], 1, 0, 0);
        CHECK_OK(ksInspectorStep(inspector, h));
    }
    const ksReaction *reaction = ksInspectorGetReaction(inspector, gears);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_INDETERMINATE");
    ck_assert_double_gt(fabs(reaction->converged[1].torque[1]), 0.1);
    ksSensor sensor = sensors();
    ksWrench reading;
    sensor.value = KS_CONVERGED;
    sensor.frame = KS_FRAME_WORLD;
    for (int body = 0; body < 2; body++) {
        sensor.body = body;
        CHECK_OK(ksSensorRead(&sensor, reaction, &reading));
        ck_assert(isnan(reading.force[2]) && isnan(reading.torque[body]));
        for (int k = 0; k < 2; k++)
            ck_assert_double_eq_tol(reading.force[k], 0, exactTolerance);
        ck_assert_double_eq_tol(reading.torque[!body], 0, exactTolerance);
        ck_assert_double_eq_tol(reading.torque[2], 0, exactTolerance);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("sensor");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, weight_taken_out_in_any_pose, 0, 5);
    tcase_add_test(test, tool_off_the_mass_centre);
    tcase_add_test(test, gravity_of_the_step);
    tcase_add_test(test, tare);
    tcase_add_test(test, points_and_sides);
    tcase_add_test(test, side_of_the_world);
    tcase_add_test(test, two_anchors);
    tcase_add_test(test, bad_sensors);
    tcase_add_loop_test(test, undetermined_reads_nan, 0, 4);
    tcase_add_test(test, undetermined_gears);
    return runCase("sensor", test);
}

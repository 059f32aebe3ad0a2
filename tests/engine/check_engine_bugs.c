/* check_engine_bugs.c  Bugs of the engine in a joint's rows: each happens as described, and the rows
 * reveal it. */
#include "tests/kits/engine_kit.h"

static const double h = 0.01;

/* The part of the second body's torque that rows 0 to 2 do not explain, along the hinge's axis, on
 * which no other row acts. These rows are along the world's axes, so the force on the first body
 * gives their multipliers. */
static double unexplainedTorque(const ksiRows *rows, const dJointFeedback *feedback)
{
    double rest[3], axis[3];
    ksiCopy(rest, feedback->t2);
    for (int i = 0; i < 3; i++)
        ksiAddScaled(rest, -feedback->f1[i], rows->row[i].jacobian[1] + 3);
    ksiCross(axis, rows->row[3].jacobian[0] + 3, rows->row[4].jacobian[0] + 3);
    return fabs(ksiDot(rest, axis)) / sqrt(ksiDot(feedback->t2, feedback->t2));
}

/* The rows give the anchors unless one is overwritten; the published anchors are the joint's in
 * either case. */
static void expectAnchors(const Pair *pair, const ksiRows *rows)
{
    ksiBody body[2];
    double axes[9], found[2][3];
    dVector3 anchor[2];
    dJointGetHingeAnchor(pair->joint, anchor[0]);
    dJointGetHingeAnchor2(pair->joint, anchor[1]);
    for (int side = 0; side < 2; side++)
        ck_assert_int_eq(ksiReadBody(&pair->engine, pair->body[side], h, &body[side]), KS_OK);
    ksiJointFrame(pair->joint, &body[0], &body[1], rows, axes, found);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < 3; i++)
            ck_assert_double_eq_tol(found[side][i], anchor[side][i], 1e-13);
}

/* The engine does not clear a hinge's limit once both stops are removed. */
START_TEST(flagsStaleHingeLimit)
{
    Pair pair = newPair(dJointTypeHinge, BOTH, 3);
    dJointSetHingeParam(pair.joint, dParamFMax, 0);
    dJointSetHingeParam(pair.joint, dParamLoStop, -0.3);
    dJointSetHingeParam(pair.joint, dParamHiStop, -0.1);
    dWorldStep(pair.world, h);
    ksiRows rows, read[2];
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_int_eq(rows.staleLimit, 0);
    dJointSetHingeParam(pair.joint, dParamLoStop, -dInfinity);
    dJointSetHingeParam(pair.joint, dParamHiStop, dInfinity);
    for (int stepper = KS_WORLD_STEP; stepper <= KS_QUICK_STEP; stepper++) {
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, (ksStepper)stepper, h, &read[stepper]), KS_OK);
        ck_assert_int_eq(read[stepper].count, 5);
        ck_assert_int_eq(read[stepper].staleLimit, 1);
        expectAnchors(&pair, &read[stepper]);
    }
    // under dWorldStep the extra row lies over the second body's part of row 0, and the step uses
    // it
    dJointFeedback feedback;
    dJointSetFeedback(pair.joint, &feedback);
    dWorldStep(pair.world, h);
    ck_assert_double_lt(unexplainedTorque(&read[KS_WORLD_STEP], &feedback), 1e-12);
    ck_assert_double_gt(unexplainedTorque(&read[KS_QUICK_STEP], &feedback), 1e-3);
    // with a motor it is still a stop, with the motor's force beside it
    dWorldCleanupWorkingMemory(pair.world);
    dJointSetHingeParam(pair.joint, dParamFMax, 2);
    dJointSetHingeParam(pair.joint, dParamVel, 1);
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_int_eq(rows.count, 6);
    ck_assert_int_eq(rows.staleLimit, 1);
    ck_assert_int_eq(rows.row[5].kind, KS_ROW_STOP);
    ck_assert_uint_eq(rows.powered, 1u << 5);
    ck_assert_double_eq(fabs(rows.motor[5].force), 2);
    endWorld(pair.world);
}
END_TEST

/* PR and piston attached (0, b), in an exact pose: the engine sees an error that does not exist. */
START_TEST(flagsFalseError)
{
    static const int type[2] = {dJointTypePR, dJointTypePiston};
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++) {
        Pair pair = newPair(type[_i], attachment, 4);
        ksiRows rows;
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
        const double seen = fabs(rows.row[2].c) + fabs(rows.row[3].c);
        ck_assert_int_eq(seen > 1, attachment == SECOND_ONLY);
        ck_assert_uint_eq(rows.bug & KS_REASON_FALSE_ERROR, attachment == SECOND_ONLY ? KS_REASON_FALSE_ERROR : 0u);
        endWorld(pair.world);
    }
}
END_TEST

/* Past its stop, the body is driven further. */
START_TEST(eulerStopsPushOutward)
{
    for (int attachment = FIRST_ONLY; attachment <= SECOND_ONLY; attachment++) {
        dWorldID world = newWorld();
        ksiEngine engine = openEngine(world);
        dBodyID body = dBodyCreate(world);
        dJointID motor = dJointCreateAMotor(world, NULL);
        dJointAttach(motor, attachment == FIRST_ONLY ? body : NULL, attachment == FIRST_ONLY ? NULL : body);
        dJointSetAMotorMode(motor, dAMotorEuler);
        dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
        dJointSetAMotorAxis(motor, 2, 2, 0, 1, 0);
        ksiRows rows;
        ck_assert_int_eq(ksiReadRows(&engine, motor, KS_WORLD_STEP, h, &rows), KS_OK);
        ck_assert_uint_eq(rows.bug, 0);
        dJointSetAMotorParam(motor, dParamHiStop2, 0.1);
        dJointSetAMotorParam(motor, dParamLoStop2, -0.1);
        dBodySetAngularVel(body, 0, 0, 1);
        for (int i = 0; i < 15; i++)
            dWorldStep(world, h);
        const int outward = fabs(dJointGetAMotorAngle(motor, 1)) > 0.11;
        ck_assert_int_eq(outward, attachment == SECOND_ONLY);
        if (outward) {
            ck_assert_int_eq(ksiReadRows(&engine, motor, KS_WORLD_STEP, h, &rows), KS_OK);
            ck_assert_uint_eq(rows.bug, KS_REASON_FALSE_ERROR);
        }
        endWorld(world);
    }
}
END_TEST

/* A PU attached (0, b) keeps its sliding axis in the body's axes and reads it in the world's: right
 * where they agree. */
START_TEST(reversedPUSlidesElsewhere)
{
    for (int turned = 0; turned < 2; turned++) {
        dWorldID world = newWorld();
        Random random = {12};
        dBodyID body = randomBody(world, &random);
        const ksiJointPose pose = randomPose(&random);
        const dQuaternion none = {1, 0, 0, 0};
        if (!turned)
            dBodySetQuaternion(body, none);
        const ksiEngine engine = openEngine(world);
        dJointID joint = ksiCreateJoint(world, dJointTypePU, NULL, body, &pose);
        ksiRows rows;
        double slide[3];
        ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, h, &rows), KS_OK);
        ksiCross(slide, rows.row[1].jacobian[0], rows.row[2].jacobian[0]);
        ck_assert_int_eq(fabs(ksiDot(slide, pose.z)) > 1 - 1e-12, !turned);
        ck_assert_uint_eq(rows.bug, KS_REASON_FALSE_AXIS);
        endWorld(world);
    }
}
END_TEST

/* A PU's forces across the slide act at each body's own anchor: extended by s, they make a couple
 * of s per unit of force. */
START_TEST(extendedPUMakesACouple)
{
    static const double extension = 0.5;
    dWorldID world = newWorld();
    Random random = {13};
    dBodyID first = randomBody(world, &random), second = randomBody(world, &random);
    const ksiJointPose pose = randomPose(&random);
    const ksiEngine engine = openEngine(world);
    dJointID joint = ksiCreateJoint(world, dJointTypePU, first, second, &pose);
    double x0[3], x[3], couple[3];
    ksiCopy(x0, dBodyGetPosition(first));
    ksiCopy(x, x0);
    ksiAddScaled(x, extension, pose.z);
    dBodySetPosition(first, x[0], x[1], x[2]);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_double_lt(fabs(rows.row[1].c) + fabs(rows.row[2].c), 1e-12);  // the pose is exact
    ksiSubtract(x, x, dBodyGetPosition(second));
    ksiCross(couple, x, rows.row[1].jacobian[0]);
    ksiAddScaled(couple, 1, rows.row[1].jacobian[0] + 3);
    ksiAddScaled(couple, 1, rows.row[1].jacobian[1] + 3);
    ck_assert_double_eq_tol(sqrt(ksiDot(couple, couple)), extension, 1e-12);
    ck_assert_uint_eq(rows.bug, KS_REASON_FALSE_LEVER);
    dBodySetPosition(first, x0[0], x0[1], x0[2]);
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_uint_eq(rows.bug, 0);
    endWorld(world);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("engine_bugs");
    tcase_add_test(tests, flagsStaleHingeLimit);
    tcase_add_loop_test(tests, flagsFalseError, 0, 2);
    tcase_add_test(tests, eulerStopsPushOutward);
    tcase_add_test(tests, reversedPUSlidesElsewhere);
    tcase_add_test(tests, extendedPUMakesACouple);
    return runCase("engine_bugs", tests);
}

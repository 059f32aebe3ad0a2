/* check_rows.c  Reading constraint rows: as both steppers do, no side effects, no crash, kinds, the engine's bugs. */
#include "tests/engine_kit.h"

enum { SEEDS = 40, STEPS = 300 };
static const double h = 0.01;

/* A joint between two bodies of which the second may be missing, or both kinematic; seeded. */
typedef struct Pair {
    dWorldID world;
    ksiEngine engine;
    dBodyID body[2];
    dJointID joint;
} Pair;

static Pair newPair(int type, int attachment, uint64_t seed)
{
    Pair pair = {.world = newWorld()};
    Random random = {seed * 1000 + (uint64_t)type};
    pair.body[0] = randomBody(pair.world, &random);
    pair.body[1] = randomBody(pair.world, &random);
    if (oneIn(&random, 6))
        dBodySetKinematic(pair.body[1]);
    pair.joint = randomJoint(pair.world, type, attachment, pair.body[0], pair.body[1], &random);
    pair.engine = openEngine(pair.world);
    return pair;
}

static void *allocateZeroed(dsizeint size)
{
    return calloc(1, size);
}

/* What the steppers hand to getInfo2, in numbers. dWorldStep: J1 and J2 are separate blocks of rows of six, right-hand
 * sides and bounds separate arrays of pairs. dWorldQuickStep: one block of 16 numbers a row. */
typedef struct Layout {
    int rowskip, pairskip, J2, rhs, lo;
} Layout;

static void readRaw(const Pair *pair, const Layout *layout, int count, double *numbers, int *findex)
{
    char saved[KSI_JOINT_BYTES];
    memcpy(saved, pair->joint, ksiSlotSize(pair->joint));
    for (int i = 0; i < count; i++) {
        numbers[layout->rhs + i * layout->pairskip + 1] = dWorldGetCFM(pair->world);
        numbers[layout->lo + i * layout->pairskip] = -dInfinity;
        numbers[layout->lo + i * layout->pairskip + 1] = dInfinity;
        findex[i] = -1;
    }
    ck_assert_int_eq(ksiRowCount(pair->joint), count);
    ((ksiGetInfo2 *)ksiSlot(pair->joint, KSI_SLOT_GET_INFO2))(
        pair->joint, 1 / h, dWorldGetERP(pair->world), layout->rowskip, numbers, numbers + layout->J2, layout->pairskip,
        numbers + layout->rhs, numbers + layout->lo, findex);
    memcpy(pair->joint, saved, ksiSlotSize(pair->joint));
}

/* The rows are those that either stepper is given, to the bit. Without motors: at a stop they would crash here. */
START_TEST(readsWhatTheSteppersAreGiven)
{
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            Pair pair = newPair(_i, attachment, seed);
            for (int axis = 0; pair.joint && axis < ksiAxisCount(pair.joint); axis++)
                ksiSetAxis(pair.joint, axis, dParamFMax, 0);
            ksiRows rows = {.count = 0};
            if (pair.joint)
                ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
            const Layout layouts[2] = {{6, 2, 6 * rows.count, 12 * rows.count, 14 * rows.count}, {16, 16, 8, 6, 14}};
            for (int l = 0; l < 2 && rows.count; l++) {
                const Layout *layout = &layouts[l];
                double numbers[16 * KSI_MAX_ROWS] = {0};
                int findex[KSI_MAX_ROWS];
                readRaw(&pair, layout, rows.count, numbers, findex);
                for (int i = 0; i < rows.count; i++) {
                    const double *row = numbers + i * layout->rowskip,
                                 *rhs = numbers + layout->rhs + i * layout->pairskip;
                    const double *lo = numbers + layout->lo + i * layout->pairskip;
                    ck_assert_mem_eq(rows.jacobian[i][0], row, 6 * sizeof(double));
                    ck_assert_mem_eq(rows.jacobian[i][1], row + layout->J2, 6 * sizeof(double));
                    ck_assert(rows.c[i] == rhs[0] && rows.cfm[i] == rhs[1] && rows.lo[i] == lo[0] &&
                              rows.hi[i] == lo[1]);
                    ck_assert_int_eq(rows.findex[i], findex[i]);
                }
            }
            endWorld(pair.world);
        }
}
END_TEST

/* In a world that was never stepped: neither joint nor bodies are changed, and either stepper's rows are the same. Powered
 * axes at stops are among them; the engine's own way of reading them would crash here. */
START_TEST(readsWithoutSideEffects)
{
    dSetAllocHandler(allocateZeroed);  // all bytes of a joint are compared, those that the engine never sets too
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            Pair pair = newPair(_i, attachment, seed);
            if (pair.joint) {
                char before[KSI_JOINT_BYTES];
                const size_t size = ksiSlotSize(pair.joint);
                memcpy(before, pair.joint, size);
                dBodyAddForce(pair.body[0], 1, 2, 3);
                ksiRows world, quick;
                memset(&world, 0, sizeof world);
                memset(&quick, 0, sizeof quick);
                ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &world), KS_OK);
                ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_QUICK_STEP, h, &quick), KS_OK);
                ck_assert_mem_eq(&world, &quick, sizeof world);
                ck_assert_mem_eq(before, pair.joint, size);
                const double force[3] = {1, 2, 3}, none[3] = {0, 0, 0};
                ck_assert_mem_eq(dBodyGetForce(pair.body[0]), force, sizeof force);
                ck_assert_mem_eq(dBodyGetTorque(pair.body[0]), none, sizeof none);
                ck_assert_mem_eq(dBodyGetForce(pair.body[1]), none, sizeof none);
                ck_assert_mem_eq(dBodyGetTorque(pair.body[1]), none, sizeof none);
                ck_assert_int_eq(world.staleLimit, 0);
            }
            endWorld(pair.world);
        }
}
END_TEST

/* Two more ways to a world without a stepping context. */
START_TEST(readsStoppedMotorWithoutContext)
{
    Pair pair = newPair(dJointTypeHinge, BOTH, 1);
    dJointSetHingeParam(pair.joint, dParamFMax, 3);
    dJointSetHingeParam(pair.joint, dParamVel, -1);
    dJointSetHingeParam(pair.joint, dParamLoStop, 0.1);
    dJointSetHingeParam(pair.joint, dParamHiStop, 0.2);
    dJointSetHingeParam(pair.joint, dParamFudgeFactor, 0.5);
    dWorldStep(pair.world, h);
    for (int round = 0; round < 2; round++) {
        if (round == 0)
            dWorldCleanupWorkingMemory(pair.world);
        else
            dWorldSetStepThreadingImplementation(pair.world, NULL, NULL);
        ksiRows rows;
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
        ck_assert_int_eq(rows.count, 6);
        ck_assert_int_eq(rows.kind[5], KS_ROW_STOP);
        ck_assert_int_eq(rows.axis[5], 0);
        for (int i = 0; i < 3; i++)  // powered into the stop: all of FMax, along the row
            ck_assert_double_eq(rows.fudge[0].torque[i], -3 * rows.jacobian[5][0][3 + i]);
    }
    endWorld(pair.world);
}
END_TEST

/* Bounds tell stop from motor, except where both are infinite. */
START_TEST(kindsMatchBounds)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Pair pair = newPair(_i, BOTH, seed);
        ksiRows rows;
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
        const int permanent = ksiPermanentRows(_i);
        ck_assert_int_ge(rows.count, permanent);
        for (int i = 0; i < rows.count; i++) {
            const double lo = rows.lo[i], hi = rows.hi[i];
            const ksRowKind kind = rows.kind[i];
            if (_i == dJointTypeContact)
                ck_assert_int_eq(kind == KS_ROW_NORMAL, i == 0);
            else if (i < permanent && _i != dJointTypeTransmission)
                ck_assert_int_eq(kind, KS_ROW_BILATERAL);
            else if (lo == -dInfinity && hi == dInfinity)
                ck_assert(kind == KS_ROW_BILATERAL || _i == dJointTypeTransmission);
            else
                ck_assert_int_eq(kind, lo == 0 || hi == 0 ? KS_ROW_STOP : KS_ROW_MOTOR);
            if (kind == KS_ROW_ROLLING)
                ck_assert_double_eq(ksiDot(rows.jacobian[i][0], rows.jacobian[i][0]), 0);
        }
        endWorld(pair.world);
    }
}
END_TEST

/* A motor without a bound is a motor, a stop that is low and high holds both ways. */
START_TEST(kindsOfInfiniteBounds)
{
    Pair pair = newPair(dJointTypeUniversal, BOTH, 2);
    for (int axis = 0; axis < 2; axis++) {
        ksiSetAxis(pair.joint, axis, dParamLoStop, axis ? 0 : -dInfinity);
        ksiSetAxis(pair.joint, axis, dParamHiStop, axis ? 0 : dInfinity);
        ksiSetAxis(pair.joint, axis, dParamFMax, dInfinity);
    }
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_int_eq(rows.count, 6);
    ck_assert_int_eq(rows.kind[4], KS_ROW_MOTOR);
    ck_assert_int_eq(rows.axis[4], 0);
    ck_assert_int_eq(rows.kind[5], KS_ROW_BILATERAL);
    ck_assert_int_eq(rows.axis[5], 1);
    const ksWrench none[2] = {{{0}, {0}}, {{0}, {0}}};
    ck_assert_mem_eq(rows.fudge, none, sizeof none);
    endWorld(pair.world);
}
END_TEST

/* A zoo of everything in one world, read several times before and after each step or not at all. */
static void runZoo(int reading, int quick, double state[STEPS][13])
{
    dWorldID world = newWorld();
    Random random = {77};
    dBodyID body[KSI_JOINT_TYPES + 1];
    for (int i = 0; i <= KSI_JOINT_TYPES; i++)
        body[i] = randomBody(world, &random);
    for (int type = 1; type < KSI_JOINT_TYPES; type++)
        randomJoint(world, type, BOTH, body[type], body[type + 1], &random);
    dContact contact;  // getInfo1 clamps a negative coefficient, and counts its row the next time only
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactRolling | dContactAxisDep;
    contact.surface.mu = contact.surface.mu2 = 1;
    contact.surface.rho = contact.surface.rho2 = contact.surface.rhoN = -1;
    contact.geom.normal[2] = 1;
    dJointGroupID group = dJointGroupCreate(0);
    const ksiEngine engine = openEngine(world);
    for (int i = 0; i < STEPS; i++) {
        dJointAttach(dJointCreateContact(world, group, &contact), body[0], NULL);
        for (int pass = 0; pass < (reading ? 3 : 0); pass++)
            for (dJointID joint = ksiFirstJoint(&engine); joint; joint = ksiNextJoint(joint)) {
                ksiRows rows;
                ksiBody snapshot;
                ck_assert_int_eq(ksiReadRows(&engine, joint, pass & 1 ? KS_WORLD_STEP : KS_QUICK_STEP, h, &rows),
                                 KS_OK);
                ck_assert_int_eq(ksiReadBody(&engine, dJointGetBody(joint, 0), h, &snapshot), KS_OK);
            }
        if (quick)
            dWorldQuickStep(world, h);
        else
            dWorldStep(world, h);
        dJointGroupEmpty(group);
        for (int j = 0; j <= KSI_JOINT_TYPES; j++)
            for (int k = 0; k < 3; k++) {
                state[i][k] += dBodyGetPosition(body[j])[k];
                state[i][3 + k] += dBodyGetLinearVel(body[j])[k];
                state[i][6 + k] += dBodyGetAngularVel(body[j])[k];
                state[i][9 + k] += dBodyGetQuaternion(body[j])[k];
            }
    }
    dJointGroupDestroy(group);
    endWorld(world);
}

START_TEST(readingLeavesTrajectoryAsItWas)
{
    static double plain[STEPS][13], read[STEPS][13];
    memset(plain, 0, sizeof plain);
    memset(read, 0, sizeof read);
    dRandSetSeed(1);
    runZoo(0, _i, plain);
    dRandSetSeed(1);
    runZoo(1, _i, read);
    ck_assert(isfinite(plain[STEPS - 1][0]));
    ck_assert_mem_eq(plain, read, sizeof plain);
}
END_TEST

/* A negative rolling coefficient: what is read is what the coming step has, as often as it is read. */
START_TEST(readsNegativeRollingAsTheStepDoes)
{
    dWorldID world = newWorld();
    Random random = {6};
    dBodyID body = randomBody(world, &random);
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = dContactRolling;
    contact.surface.mu = 1;
    contact.surface.rho = -1;
    contact.geom.normal[2] = 1;
    dJointID joint = dJointCreateContact(world, NULL, &contact);
    dJointAttach(joint, body, NULL);
    const ksiEngine engine = openEngine(world);
    ksiRows rows;
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, h, &rows), KS_OK);
        ck_assert_int_eq(rows.count, 3);
    }
    ck_assert_int_eq(ksiRowCount(joint), 3);  // the engine itself counts three at first,
    ck_assert_int_eq(ksiRowCount(joint), 6);  // then three that are zero
    endWorld(world);
}
END_TEST

/* What of the second body's torque the rows 0 to 2 leave along the hinge's axis, on which no other row acts. Those rows
 * are along the world's axes, so the force on the first body holds their multipliers. */
static double unexplainedTorque(const ksiRows *rows, const dJointFeedback *feedback)
{
    double rest[3], axis[3];
    ksiCopy(rest, feedback->t2);
    for (int i = 0; i < 3; i++)
        ksiAddScaled(rest, -feedback->f1[i], rows->jacobian[i][1] + 3);
    ksiCross(axis, rows->jacobian[3][0] + 3, rows->jacobian[4][0] + 3);
    return fabs(ksiDot(rest, axis)) / sqrt(ksiDot(feedback->t2, feedback->t2));
}

/* The engine does not clear a hinge's limit once both stops are taken away. */
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
    }
    // under dWorldStep the row too many lies over the second body's part of row 0, and that is what the step uses
    dJointFeedback feedback;
    dJointSetFeedback(pair.joint, &feedback);
    dWorldStep(pair.world, h);
    ck_assert_double_lt(unexplainedTorque(&read[KS_WORLD_STEP], &feedback), 1e-12);
    ck_assert_double_gt(unexplainedTorque(&read[KS_QUICK_STEP], &feedback), 1e-3);
    // powered it is a stop still, with the motor's force beside it
    dWorldCleanupWorkingMemory(pair.world);
    dJointSetHingeParam(pair.joint, dParamFMax, 2);
    dJointSetHingeParam(pair.joint, dParamVel, 1);
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_int_eq(rows.count, 6);
    ck_assert_int_eq(rows.staleLimit, 1);
    ck_assert_int_eq(rows.kind[5], KS_ROW_STOP);
    ck_assert_double_eq_tol(ksiDot(rows.fudge[0].torque, rows.fudge[0].torque), 4, 1e-12);
    endWorld(pair.world);
}
END_TEST

/* PR and piston attached (0, b), in an exact pose: the engine sees an error that is not there. */
START_TEST(flagsFalseError)
{
    static const int type[2] = {dJointTypePR, dJointTypePiston};
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++) {
        Pair pair = newPair(type[_i], attachment, 4);
        ksiRows rows;
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
        const double seen = fabs(rows.c[2]) + fabs(rows.c[3]);
        ck_assert_int_eq(seen > 1, attachment == SECOND_ONLY);
        ck_assert_uint_eq(ksiKnownBug(pair.joint, &rows), attachment == SECOND_ONLY ? KS_REASON_FALSE_ERROR : 0u);
        endWorld(pair.world);
    }
}
END_TEST

/* Past its stop, the body is driven on. */
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
        ck_assert_uint_eq(ksiKnownBug(motor, &rows), 0);
        dJointSetAMotorParam(motor, dParamHiStop2, 0.1);
        dJointSetAMotorParam(motor, dParamLoStop2, -0.1);
        dBodySetAngularVel(body, 0, 0, 1);
        for (int i = 0; i < 15; i++)
            dWorldStep(world, h);
        const int outward = fabs(dJointGetAMotorAngle(motor, 1)) > 0.11;
        ck_assert_int_eq(outward, attachment == SECOND_ONLY);
        if (outward) {
            ck_assert_int_eq(ksiReadRows(&engine, motor, KS_WORLD_STEP, h, &rows), KS_OK);
            ck_assert_uint_eq(ksiKnownBug(motor, &rows), KS_REASON_FALSE_ERROR);
        }
        endWorld(world);
    }
}
END_TEST

/* PU attached (0, b) keeps its sliding axis in the body's axes and reads it in the world's: right where they agree. */
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
        ksiCross(slide, rows.jacobian[1][0], rows.jacobian[2][0]);
        ck_assert_int_eq(fabs(ksiDot(slide, pose.z)) > 1 - 1e-12, !turned);
        ck_assert_uint_eq(ksiKnownBug(joint, &rows), KS_REASON_FALSE_AXIS);
        endWorld(world);
    }
}
END_TEST

/* PU's forces across the slide, each at its own body's anchor: extended by s, a couple of s per unit of force. */
START_TEST(extendedPUMakesACouple)
{
    static const double extension = 0.5;
    dWorldID world = newWorld();
    Random random = {13};
    dBodyID first = randomBody(world, &random), second = randomBody(world, &random);
    const ksiJointPose pose = randomPose(&random);
    const ksiEngine engine = openEngine(world);
    dJointID joint = ksiCreateJoint(world, dJointTypePU, first, second, &pose);
    double x[3], couple[3];
    ksiCopy(x, dBodyGetPosition(first));
    ksiAddScaled(x, extension, pose.z);
    dBodySetPosition(first, x[0], x[1], x[2]);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_double_lt(fabs(rows.c[1]) + fabs(rows.c[2]), 1e-12);  // the pose is exact
    ksiSubtract(x, x, dBodyGetPosition(second));
    ksiCross(couple, x, rows.jacobian[1][0]);
    ksiAddScaled(couple, 1, rows.jacobian[1][0] + 3);
    ksiAddScaled(couple, 1, rows.jacobian[1][1] + 3);
    ck_assert_double_eq_tol(sqrt(ksiDot(couple, couple)), extension, 1e-12);
    endWorld(world);
}
END_TEST

START_TEST(refusesUnattached)
{
    Pair pair = newPair(dJointTypeUniversal, BOTH, 5);
    ksiRows rows;
    dJointAttach(pair.joint, NULL, NULL);
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_ERROR_BAD_ARGUMENT);
    endWorld(pair.world);
}
END_TEST

/* Exactly parallel: each body at the identity, both axes x. */
START_TEST(refusesParallelAxes)
{
    Pair pair = newPair(_i, BOTH, 6);
    for (int i = 0; i < 2; i++) {
        const dQuaternion none = {1, 0, 0, 0};
        dBodySetQuaternion(pair.body[i], none);
    }
    const dReal x[4] = {1, 0, 0, 0}, y[4] = {0, 1, 0, 0};
    if (_i == dJointTypeUniversal)
        dJointSetUniversalAxis1(pair.joint, 1, 0, 0), dJointSetUniversalAxis2(pair.joint, 0, 1, 0);
    else if (_i == dJointTypePU)
        dJointSetPUAxis1(pair.joint, 1, 0, 0), dJointSetPUAxis2(pair.joint, 0, 1, 0);
    else
        dJointSetHinge2Axes(pair.joint, x, y);
    const dQuaternion quarter = {0.70710678118654752440, 0, 0, 0.70710678118654752440};
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    dBodySetQuaternion(pair.body[1], quarter);
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_ERROR_SINGULAR);
    endWorld(pair.world);
}
END_TEST

/* The engine asserts on both. */
START_TEST(refusesDegenerateMesh)
{
    static const int mode[2] = {dTransmissionIntersectingAxes, dTransmissionChainDrive};
    Pair pair = newPair(dJointTypeTransmission, BOTH, 6);
    dJointSetTransmissionMode(pair.joint, mode[_i]);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_ERROR_SINGULAR);
    if (_i == 0) {
        dJointSetTransmissionAxis1(pair.joint, 1, 0, 0);
        dJointSetTransmissionAxis2(pair.joint, 0, 1, 0);
    } else {
        dJointSetTransmissionRadius1(pair.joint, 0.2);
        dJointSetTransmissionRadius2(pair.joint, 0.1);
    }
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    endWorld(pair.world);
}
END_TEST

START_TEST(knowsWrittenFeedback)
{
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++) {
        Pair pair = newPair(dJointTypeBall, attachment, 7);
        dJointFeedback feedback;
        ksiFillFeedback(&feedback);
        dJointSetFeedback(pair.joint, &feedback);
        ck_assert_int_eq(ksiFeedbackWritten(&feedback, 0), 0);
        ck_assert_int_eq(ksiFeedbackWritten(&feedback, 1), 0);
        dWorldStep(pair.world, h);
        ck_assert_int_eq(ksiFeedbackWritten(&feedback, 0), 1);
        ck_assert_int_eq(ksiFeedbackWritten(&feedback, 1), attachment == BOTH);
        // a NaN of the engine's own is written
        feedback.f1[0] = feedback.f1[1] = feedback.f1[2] = NAN;
        ck_assert_int_eq(ksiFeedbackWritten(&feedback, 0), 1);
        dBodyID body[2];
        int reversed;
        ksiJointBodies(pair.joint, body, &reversed);
        ck_assert_ptr_eq(body[0], pair.body[0]);
        ck_assert_ptr_eq(body[1], attachment == BOTH ? pair.body[1] : NULL);
        ck_assert_int_eq(reversed, attachment == SECOND_ONLY);
        endWorld(pair.world);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rows");
    TCase *tests = tcase_create("rows");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, readsWhatTheSteppersAreGiven, 1, KSI_JOINT_TYPES);
    tcase_add_loop_test(tests, readsWithoutSideEffects, 1, KSI_JOINT_TYPES);
    tcase_add_test(tests, readsStoppedMotorWithoutContext);
    tcase_add_loop_test(tests, kindsMatchBounds, 1, KSI_JOINT_TYPES);
    tcase_add_test(tests, kindsOfInfiniteBounds);
    tcase_add_loop_test(tests, readingLeavesTrajectoryAsItWas, 0, 2);
    tcase_add_test(tests, readsNegativeRollingAsTheStepDoes);
    tcase_add_test(tests, flagsStaleHingeLimit);
    tcase_add_loop_test(tests, flagsFalseError, 0, 2);
    tcase_add_test(tests, eulerStopsPushOutward);
    tcase_add_test(tests, reversedPUSlidesElsewhere);
    tcase_add_test(tests, extendedPUMakesACouple);
    tcase_add_test(tests, refusesUnattached);
    tcase_add_loop_test(tests, refusesParallelAxes, dJointTypeUniversal, dJointTypeHinge2 + 1);
    tcase_add_loop_test(tests, refusesParallelAxes, dJointTypePU, dJointTypePU + 1);
    tcase_add_loop_test(tests, refusesDegenerateMesh, 0, 2);
    tcase_add_test(tests, knowsWrittenFeedback);
    suite_add_tcase(suite, tests);
    return runSuite(suite);
}

/* check_rows.c  Reading constraint rows as both steppers do: no side effects, no crash, kinds of
 * rows. */
#include "tests/kits/engine_kit.h"

enum { SEEDS = 40, STEPS = 300 };
static const double h = 0.01;

static void *allocateZeroed(dsizeint size)
{
    return calloc(1, size);
}

/* The arguments that the steppers pass to getInfo2, as numbers. dWorldStep: J1 and J2 are separate
 * blocks of rows of six, right-hand sides and bounds separate arrays of pairs. dWorldQuickStep: one
 * block of 16 numbers a row. */
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

/* The rows are the same as either stepper's, to the bit. Without motors, which would crash here at
 * a stop. */
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
                    ck_assert_mem_eq(rows.row[i].jacobian[0], row, 6 * sizeof(double));
                    ck_assert_mem_eq(rows.row[i].jacobian[1], row + layout->J2, 6 * sizeof(double));
                    ck_assert(rows.row[i].c == rhs[0] && rows.row[i].cfm == rhs[1] && rows.row[i].lo == lo[0] &&
                              rows.row[i].hi == lo[1]);
                    ck_assert_int_eq(rows.row[i].findex, findex[i]);
                }
            }
            endWorld(pair.world);
        }
}
END_TEST

/* In a world that was never stepped: neither joint nor bodies change, and either stepper's rows are
 * the same. Axes with motors at stops are among them; the engine's own way of reading them would
 * crash here. */
START_TEST(readsWithoutSideEffects)
{
    dSetAllocHandler(allocateZeroed);  // all bytes of a joint are compared, including those that
                                       // the engine never sets
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

/* Two further kinds of world without a stepping context. */
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
        ck_assert_int_eq(rows.row[5].kind, KS_ROW_STOP);
        ck_assert_int_eq(rows.axis[5], 0);
        // the motor drives into the low stop: all of FMax, along the row that it is a part of
        ck_assert_uint_eq(rows.powered, 1u << 5);
        ck_assert_double_eq(rows.motor[5].force, -3);
        ck_assert_double_eq(rows.motor[5].velocity, -1);
        ck_assert_double_eq(rows.row[5].lo, -3);
        ck_assert_double_eq(rows.row[5].hi, dInfinity);
    }
    endWorld(pair.world);
}
END_TEST

/* Bounds distinguish a stop from a motor, except where both are infinite. */
START_TEST(kindsMatchBounds)
{
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        Pair pair = newPair(_i, BOTH, seed);
        ksiRows rows;
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
        const int permanent = ksiKinds[_i].permanent;
        ck_assert_int_ge(rows.count, permanent);
        for (int i = 0; i < rows.count; i++) {
            const double lo = rows.row[i].lo, hi = rows.row[i].hi;
            const ksRowKind kind = rows.row[i].kind;
            if (_i == dJointTypeContact)
                ck_assert_int_eq(kind == KS_ROW_NORMAL, i == 0);
            else if (i < permanent && _i != dJointTypeTransmission)
                ck_assert_int_eq(kind, KS_ROW_BILATERAL);
            else if (lo == -dInfinity && hi == dInfinity)
                ck_assert(kind == KS_ROW_BILATERAL || _i == dJointTypeTransmission);
            else
                ck_assert_int_eq(kind, isinf(lo) || isinf(hi) ? KS_ROW_STOP : KS_ROW_MOTOR);
            if (kind == KS_ROW_ROLLING)
                ck_assert_double_eq(ksiDot(rows.row[i].jacobian[0], rows.row[i].jacobian[0]), 0);
        }
        endWorld(pair.world);
    }
}
END_TEST

/* A motor without a bound is a motor; a stop that is both low and high holds both ways. */
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
    ck_assert_int_eq(rows.row[4].kind, KS_ROW_MOTOR);
    ck_assert_int_eq(rows.axis[4], 0);
    ck_assert_int_eq(rows.row[5].kind, KS_ROW_BILATERAL);
    ck_assert_int_eq(rows.axis[5], 1);
    ck_assert_uint_eq(rows.powered, 0);
    endWorld(pair.world);
}
END_TEST

/* A zoo of everything in one world, read several times before and after each step, or not at
 * all. */
static void runZoo(int reading, int quick, double state[STEPS][13])
{
    dWorldID world = newWorld();
    Random random = {77};
    dBodyID body[KSI_JOINT_TYPES + 1];
    for (int i = 0; i <= KSI_JOINT_TYPES; i++)
        body[i] = randomBody(world, &random);
    for (int type = 1; type < KSI_JOINT_TYPES; type++)
        randomJoint(world, type, BOTH, body[type], body[type + 1], &random);
    dContact contact;  // getInfo1 clamps a negative coefficient, and counts its row only in the
                       // next call
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

/* A negative rolling coefficient: each reading gives the rows of the coming step, however often it
 * is repeated. */
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

/* Motor parameters that a host may set. */
START_TEST(refusesWhatIsNoNumber)
{
    static const int given[] = {dParamVel, dParamCFM};
    for (int i = 0; i < 2; i++) {
        Pair pair = newPair(dJointTypeHinge, BOTH, 1);
        ksiRows rows;
        dJointSetHingeParam(pair.joint, dParamFMax, 3);
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
        dJointSetHingeParam(pair.joint, given[i], NAN);
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_ERROR_NOT_FINITE);
        endWorld(pair.world);
    }
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

/* Loops over the rows of axes begin at `permanent`. The memory of the rows is dirty. */
START_TEST(countsPermanentRows)
{
    static const struct {
        int type, permanent;
    } given[] = {{dJointTypeAMotor, 0}, {dJointTypeLMotor, 0}, {dJointTypeSlider, 5}, {dJointTypeBall, 3}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        Pair pair = newPair(given[i].type, BOTH, 5);
        ksiRows rows;
        memset(&rows, 0xff, sizeof rows);
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
        ck_assert_int_eq(rows.permanent, given[i].permanent);
        dJointAttach(pair.joint, NULL, NULL);
        memset(&rows, 0xff, sizeof rows);
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_ERROR_BAD_ARGUMENT);
        ck_assert_int_eq(rows.permanent, 0);
        endWorld(pair.world);
    }
}
END_TEST

/* Both bodies are unrotated, and both axes are x: exactly parallel. */
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

/* The engine asserts on both meshes. */
START_TEST(refusesDegenerateMesh)
{
    static const int mode[2] = {dTransmissionIntersectingAxes, dTransmissionChainDrive};
    Pair pair = newPair(dJointTypeTransmission, BOTH, 6);
    dJointSetTransmissionMode(pair.joint, mode[_i]);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_ERROR_SINGULAR);
    if (_i == 0) {
        // the cosine rounds to 1
        dJointSetTransmissionAxis1(pair.joint, 1, 0, 0);
        dJointSetTransmissionAxis2(pair.joint, 1, 0.5 * sqrt((double)KSI_BY_PRECISION(DBL_EPSILON, FLT_EPSILON)), 0);
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_ERROR_SINGULAR);
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

/* Chains along x, y and z, with axes along x, y and z: the engine aborts on some. */
START_TEST(refusesDegenerateChains)
{
    const int at = _i % 3, axis = _i / 3;
    const dQuaternion none = {1, 0, 0, 0};
    const dReal unit[3] = {axis == 0, axis == 1, axis == 2};
    Pair pair = newPair(dJointTypeTransmission, BOTH, 6);
    for (int i = 0; i < 2; i++) {
        dBodySetQuaternion(pair.body[i], none);
        dBodySetPosition(pair.body[i], i && at == 0, i && at == 1, i && at == 2);
    }
    dJointSetTransmissionMode(pair.joint, dTransmissionChainDrive);
    dJointSetTransmissionRadius1(pair.joint, (dReal)0.2);
    dJointSetTransmissionRadius2(pair.joint, (dReal)0.2);
    dJointSetTransmissionAnchor1(pair.joint, 0, 0, 0);
    dJointSetTransmissionAnchor2(pair.joint, at == 0, at == 1, at == 2);
    dJointSetTransmissionAxis(pair.joint, unit[0], unit[1], unit[2]);
    ksiRows rows;
    const bool isRefused = at == axis || (at == 2 && axis == 0);
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows),
                     isRefused ? KS_ERROR_SINGULAR : KS_OK);
    endWorld(pair.world);
}
END_TEST

/* The centre of the second bevel wheel is where both planes meet: its radius is 0. */
START_TEST(refusesBevelsWithoutRadius)
{
    const dQuaternion none = {1, 0, 0, 0};
    Pair pair = newPair(dJointTypeTransmission, BOTH, 6);
    for (int i = 0; i < 2; i++)
        dBodySetQuaternion(pair.body[i], none);
    dJointSetTransmissionMode(pair.joint, dTransmissionIntersectingAxes);
    for (int i = 0; i < 2; i++)
        dBodySetPosition(pair.body[i], 0, 0, 0);
    dJointSetTransmissionAnchor1(pair.joint, 0, 0, 0);
    dJointSetTransmissionAxis1(pair.joint, 1, 0, 0);
    dJointSetTransmissionAxis2(pair.joint, 0, 1, 0);
    ksiRows rows;
    for (int i = 0; i < 2; i++) {
        dJointSetTransmissionAnchor2(pair.joint, (dReal)(i * 0.5), 1, 0);
        ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), i ? KS_OK : KS_ERROR_SINGULAR);
    }
    endWorld(pair.world);
}
END_TEST

/* Bevel wheels at one angle in random poses: rounding decides whether the product of their axes is 1,
 * at which the engine asserts. */
START_TEST(bevelsNearlyParallel)
{
    enum { POSES = 40000 };
    static const dReal along = KSI_BY_PRECISION(7.6e-8, 1.79e-3);
    Pair pair = newPair(dJointTypeTransmission, BOTH, 6);
    const dQuaternion none = {1, 0, 0, 0};
    Random random = {1};
    ksiRows rows;
    dJointSetTransmissionMode(pair.joint, dTransmissionIntersectingAxes);
    for (int n = 0, refused = 0; n < POSES; n++) {
        for (int i = 0; i < 2; i++)
            dBodySetQuaternion(pair.body[i], none);
        dJointSetTransmissionAxis1(pair.joint, (dReal)0.48, (dReal)0.64, (dReal)0.6);
        dJointSetTransmissionAxis2(pair.joint, (dReal)0.48, (dReal)0.64, (dReal)0.6 + along);
        dQuaternion turn;
        for (int k = 0; k < 4; k++)
            turn[k] = (dReal)uniform(&random, -1, 1);
        for (int i = 0; i < 2; i++)
            dBodySetQuaternion(pair.body[i], turn);
        const ksStatus status = ksiReadRows(&pair.engine, pair.joint, KS_QUICK_STEP, h, &rows);
        ck_assert(status == KS_OK || status == KS_ERROR_SINGULAR);
        refused += status == KS_ERROR_SINGULAR;
        ck_assert(n + 1 < POSES || (refused > 0 && refused < POSES));
    }
    endWorld(pair.world);
}
END_TEST

/* Without axes, which the engine would normalise. */
START_TEST(refusesMotorsWithoutAxes)
{
    Pair pair = newPair(dJointTypeBall, _i, 6);
    dJointID motor = dJointCreateAMotor(pair.world, NULL);
    dJointAttach(motor, dJointGetBody(pair.joint, 0), dJointGetBody(pair.joint, 1));
    dJointSetAMotorMode(motor, dAMotorEuler);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, motor, KS_WORLD_STEP, h, &rows), KS_ERROR_SINGULAR);
    endWorld(pair.world);
}
END_TEST

/* Each way round: a motor with an Euler angle of 90 degrees has parallel axes. */
START_TEST(refusesGimbalLock)
{
    Pair pair = newPair(dJointTypeAMotor, _i, 6);
    const dQuaternion none = {1, 0, 0, 0}, quarter = {0.70710678118654752440, 0, 0.70710678118654752440, 0};
    for (int i = 0; i < 2; i++)
        dBodySetQuaternion(pair.body[i], none);
    dJointSetAMotorAxis(pair.joint, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(pair.joint, 2, 2, 0, 0, 1);
    dJointSetAMotorMode(pair.joint, dAMotorEuler);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    dBodySetQuaternion(dJointGetBody(pair.joint, _i == SECOND_ONLY), quarter);
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_ERROR_SINGULAR);
    endWorld(pair.world);
}
END_TEST

/* Gears within their backlash have a row without coefficients: without CFM, both steppers divide by
 * zero. */
START_TEST(gap_without_compliance)
{
    Pair pair = newPair(dJointTypeTransmission, BOTH, 6);
    dJointSetTransmissionMode(pair.joint, dTransmissionParallelAxes);
    dJointSetTransmissionAxis(pair.joint, 0, 0, 1);
    dJointSetTransmissionRatio(pair.joint, 1);
    dJointSetTransmissionBacklash(pair.joint, 1);
    dJointSetTransmissionParam(pair.joint, dParamCFM, _i ? 1e-3 : 0);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_int_eq(rows.count, 1);
    for (int i = 0; i < 6; i++)
        for (int side = 0; side < 2; side++)
            ck_assert_double_eq(rows.row[0].jacobian[side][i], 0);
    ck_assert_double_eq_tol(rows.row[0].cfm, _i ? 1e-3 : 0, 1e-15);
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
        // a NaN that the engine writes counts as written
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
    TCase *tests = tcase_create("rows");
    tcase_add_loop_test(tests, readsWhatTheSteppersAreGiven, 1, KSI_JOINT_TYPES);
    tcase_add_loop_test(tests, readsWithoutSideEffects, 1, KSI_JOINT_TYPES);
    tcase_add_test(tests, readsStoppedMotorWithoutContext);
    tcase_add_loop_test(tests, kindsMatchBounds, 1, KSI_JOINT_TYPES);
    tcase_add_test(tests, kindsOfInfiniteBounds);
    tcase_add_loop_test(tests, readingLeavesTrajectoryAsItWas, 0, 2);
    tcase_add_test(tests, readsNegativeRollingAsTheStepDoes);
    tcase_add_test(tests, refusesWhatIsNoNumber);
    tcase_add_test(tests, refusesUnattached);
    tcase_add_test(tests, countsPermanentRows);
    tcase_add_loop_test(tests, refusesParallelAxes, dJointTypeUniversal, dJointTypeHinge2 + 1);
    tcase_add_loop_test(tests, refusesParallelAxes, dJointTypePU, dJointTypePU + 1);
    tcase_add_loop_test(tests, refusesDegenerateMesh, 0, 2);
    tcase_add_loop_test(tests, refusesDegenerateChains, 0, 9);
    tcase_add_test(tests, refusesBevelsWithoutRadius);
    tcase_add_test(tests, bevelsNearlyParallel);
    tcase_add_loop_test(tests, refusesGimbalLock, 0, ATTACHMENTS);
    tcase_add_loop_test(tests, refusesMotorsWithoutAxes, 0, ATTACHMENTS);
    tcase_add_loop_test(tests, gap_without_compliance, 0, 2);
    tcase_add_test(tests, knowsWrittenFeedback);
    return runCase("rows", tests);
}

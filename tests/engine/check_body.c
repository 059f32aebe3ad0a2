/* check_body.c  The snapshot of a body. */
#include "tests/kits/engine_kit.h"

enum { BODIES = 6 };
static const double h = 0.01;

/* of a few products of numbers near one */
static const double kRoot = 1e-14;

/* Members of a kinematic body that are set to zero, and members that are kept. */
START_TEST(kinematicBodyHasNoForce)
{
    dWorldID world = newWorld();
    Random random = {8};
    const ksiEngine engine = openEngine(world);
    dBodyID body = randomBody(world, &random);
    dBodySetKinematic(body);
    dBodyAddForce(body, 1, 2, 3);
    ksiBody snapshot;
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert_int_eq(snapshot.kinematic, 1);
    const double none[9] = {0};
    ck_assert_mem_eq(snapshot.force, none, sizeof snapshot.force);
    ck_assert_mem_eq(snapshot.inverse, none, sizeof snapshot.inverse);
    ck_assert_double_gt(snapshot.mass, 0);
    endWorld(world);
}
END_TEST

/* The engine's setters would abort on these values, so they are written into the body, as a bug of
 * the host's would do. */
static void spoilMass(dBodyID body, double mass, double inertia)
{
    dMass now;
    dBodyGetMass(body, &now);
    char *bytes = (char *)body;
    for (size_t i = 0; i < 400; i += sizeof(double))  // the body has one dMass, which is found by
                                                      // its contents
        if (memcmp(bytes + i, &now, sizeof now) == 0) {
            now.mass = mass;
            now.I[0] = inertia;
            memcpy(bytes + i, &now, sizeof now);
            return;
        }
    ck_abort_msg("no mass found in the body");
}

START_TEST(refusesBadBodies)
{
    dWorldID world = newWorld();
    Random random = {9};
    const ksiEngine engine = openEngine(world);
    ksiBody snapshot;
    for (int i = 0; i < 8; i++) {
        const ksStatus expected = i == 7 ? KS_ERROR_NOT_POSITIVE_DEFINITE : KS_ERROR_NOT_FINITE;
        dBodyID body = randomBody(world, &random);
        ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
        switch (i) {
        case 0:
            dBodySetPosition(body, NAN, 0, 0);
            break;
        case 1:
            dBodySetLinearVel(body, 0, dInfinity, 0);
            break;
        case 2:
            dBodySetAngularVel(body, 0, 0, NAN);
            break;
        case 3:
            dBodyAddTorque(body, 0, NAN, 0);
            break;
        case 4:
            spoilMass(body, NAN, 1);
            break;
        case 5:
            spoilMass(body, 1, NAN);
            break;
        case 6:  // the engine's joints read the quaternion beside the rotation
            ((dReal *)dBodyGetQuaternion(body))[1] = NAN;
            break;
        default:
            spoilMass(body, 1, -1);
            break;
        }
        ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), expected);
    }
    endWorld(world);
}
END_TEST

static void setInertia(dBodyID body, double mass, const double I[6])
{
    dMass now;
    dMassSetParameters(&now, mass, 0, 0, 0, I[0], I[1], I[2], I[3], I[4], I[5]);
    dBodySetMass(body, &now);
}

static void expectProduct(const double A[9], const double B[9], int transposed, const double expected[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double sum = -expected[3 * i + j];
            for (int k = 0; k < 3; k++)
                sum += A[3 * i + k] * (transposed ? B[3 * j + k] : B[3 * k + j]);
            ck_assert_double_eq_tol(sum, 0, kRoot);
        }
}

/* I = L L^T and L L^-1 = 1, about principal and other axes. */
START_TEST(rootOfTheMass)
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const double skew[6] = {0.9, 0.7, 0.8, 0.1, -0.2, 0.15};
    dWorldID world = newWorld();
    Random random = {12};
    const ksiEngine engine = openEngine(world);
    for (int i = 0; i < BODIES; i++) {
        dBodyID body = randomBody(world, &random);
        if (i % 2)
            setInertia(body, 2, skew);
        ksiBody snapshot;
        ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
        const ksiRigidRoot *root = &snapshot.root;
        ck_assert(snapshot.dynamic);
        ck_assert_double_eq_tol(root->mass * root->mass, snapshot.mass, kRoot);
        ck_assert_double_eq_tol(root->mass * root->massInverse, 1, kRoot);
        expectProduct(root->inertia, root->inertia, 1, snapshot.inertia);
        double inverse[9];
        for (int j = 0; j < 9; j++)
            inverse[j] = root->column[j % 3][1 + j / 3];
        expectProduct(root->inertia, inverse, 0, one);
    }
    endWorld(world);
}
END_TEST

/* The engine steps a rod of zero thickness as long as its inertia about the rod is positive. */
START_TEST(noRootOfRounding)
{
    static const double rod[6] = {1, 1, 1e-12}, thread[6] = {1, 1, 1e-16};
    static const double skewThread[6] = {1, 0.5, 0.5, 0, 0, 0.5 - 1e-16};
    dWorldID world = newWorld();
    Random random = {13};
    const ksiEngine engine = openEngine(world);
    dBodyID body = randomBody(world, &random);
    ksiBody snapshot;
    setInertia(body, 1, rod);
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert(snapshot.dynamic);
    setInertia(body, 1, thread);
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert(!snapshot.dynamic);
    setInertia(body, 1, skewThread);
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert(!snapshot.dynamic);
    dBodySetKinematic(body);
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert(!snapshot.dynamic);
    endWorld(world);
}
END_TEST

/* The stepper's gyroscopic torque is implicit: to first order in h it is the rigid body's -w x I
 * w. */
START_TEST(gyroscopicTorqueIsGivenApart)
{
    static const double tiny = 1e-6, firstOrder = 1e-4;
    dWorldID world = newWorld();
    Random random = {11};
    const ksiEngine engine = openEngine(world);
    dBodyID body = randomBody(world, &random);
    dBodyAddTorque(body, 0.1, 0.2, 0.3);
    for (int mode = 0; mode < 2; mode++) {
        ksiBody snapshot;
        double L[3], torque[3];
        dBodySetGyroscopicMode(body, mode);
        ck_assert_int_eq(ksiReadBody(&engine, body, tiny, &snapshot), KS_OK);
        ksiTransform(L, snapshot.inertia, snapshot.velocity + 3);
        ksiCross(torque, L, snapshot.velocity + 3);
        ck_assert_int_eq(snapshot.gyroscopicMode, mode);
        for (int i = 0; i < 3; i++) {
            ck_assert_double_eq_tol(snapshot.gyroscopic[i], mode * torque[i], firstOrder);
            ck_assert_double_eq_tol(snapshot.force[3 + i], 0.1 * (i + 1) + snapshot.gyroscopic[i], 1e-15);
        }
    }
    endWorld(world);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("body");
    tcase_add_test(tests, kinematicBodyHasNoForce);
    tcase_add_test(tests, refusesBadBodies);
    tcase_add_test(tests, rootOfTheMass);
    tcase_add_test(tests, noRootOfRounding);
    tcase_add_test(tests, gyroscopicTorqueIsGivenApart);
    return runCase("body", tests);
}

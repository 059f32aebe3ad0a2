/* engine_kit.h  Random bodies and joints of every kind for the tests of plugin/engine/. */
#ifndef TESTS_KITS_ENGINE_KIT_H
#define TESTS_KITS_ENGINE_KIT_H

#include "engine/layout.h"
#include "engine/rows.h"
#include "engine/vector.h"
#include "tests/kits/suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Random {
    uint64_t state;
} Random;

/* The attached bodies of a joint; the world takes the place of a missing one. */
enum { BOTH, FIRST_ONLY, SECOND_ONLY, ATTACHMENTS };

/* splitmix64 */
static inline uint64_t randomBits(Random *random)
{
    uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static inline double uniform(Random *random, double low, double high)
{
    return low + (high - low) * (double)(randomBits(random) >> 11) * 0x1p-53;
}

/* true in 1 of so many cases */
static inline int oneIn(Random *random, unsigned cases)
{
    return randomBits(random) % cases == 0;
}

static inline void randomVector(Random *random, double size, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = uniform(random, -size, size);
}

static inline void randomTurn(Random *random, dBodyID body)
{
    dQuaternion q;
    double norm = 0;
    while (norm < 0.1) {
        norm = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = uniform(random, -1, 1);
            norm += q[i] * q[i];
        }
    }
    dBodySetQuaternion(body, q);
}

/* A box of any shape within a metre or two of the origin, rotated and moving. */
static inline dBodyID randomBody(dWorldID world, Random *random)
{
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, uniform(random, 0.5, 3), uniform(random, 0.2, 1), uniform(random, 0.2, 1),
                     uniform(random, 0.2, 1));
    dBodySetMass(body, &mass);
    double v[3];
    randomVector(random, 1.5, v);
    dBodySetPosition(body, v[0], v[1], v[2]);
    randomTurn(random, body);
    randomVector(random, 1, v);
    dBodySetLinearVel(body, v[0], v[1], v[2]);
    randomVector(random, 2, v);
    dBodySetAngularVel(body, v[0], v[1], v[2]);
    return body;
}

/* Orthonormal axes; the second point is across x from the first, as a double hinge requires. */
static inline ksiJointPose randomPose(Random *random)
{
    ksiJointPose pose;
    randomVector(random, 1, pose.point);
    do {
        randomVector(random, 1, pose.x);
    } while (ksiNormalize(pose.x) < 0.1);
    do {
        randomVector(random, 1, pose.y);
        ksiCross(pose.z, pose.x, pose.y);
    } while (ksiNormalize(pose.z) < 0.1);
    ksiCross(pose.y, pose.z, pose.x);
    ksiCopy(pose.second, pose.point);
    ksiAddScaled(pose.second, uniform(random, 0.4, 1), pose.y);
    ksiAddScaled(pose.second, uniform(random, -0.5, 0.5), pose.z);
    return pose;
}

/* Sets stops (with the axis at one of them in most cases), a motor, bounce, compliance. */
static inline void randomiseAxis(dJointID joint, int axis, Random *random)
{
    if (oneIn(random, 2)) {
        const int where = (int)(randomBits(random) % 4);
        ksiSetAxis(joint, axis, dParamLoStop, where == 1 ? 0.01 : where == 3 ? -0.01 : -0.5);
        ksiSetAxis(joint, axis, dParamHiStop, where == 2 ? -0.01 : where == 3 ? -0.01 : 0.5);
        if (where == 1)
            ksiSetAxis(joint, axis, dParamHiStop, 0.6);
    }
    if (oneIn(random, 2)) {
        ksiSetAxis(joint, axis, dParamFMax, uniform(random, 0.1, 5));
        ksiSetAxis(joint, axis, dParamVel, oneIn(random, 4) ? 0 : uniform(random, -2, 2));
        ksiSetAxis(joint, axis, dParamFudgeFactor, uniform(random, 0, 1));
        ksiSetAxis(joint, axis, dParamCFM, uniform(random, 1e-6, 1e-3));
    }
    ksiSetAxis(joint, axis, dParamStopERP, uniform(random, 0.1, 0.8));
    ksiSetAxis(joint, axis, dParamStopCFM, uniform(random, 1e-6, 1e-3));
    if (oneIn(random, 3))
        ksiSetAxis(joint, axis, dParamBounce, uniform(random, 0, 1));
}

/* Sets motors of the types that have no stops. */
static inline void randomiseMotors(dJointID joint, Random *random)
{
    for (int axis = 0; axis < 3; axis++) {
        const double force = oneIn(random, 2) ? uniform(random, 0.1, 5) : 0, velocity = uniform(random, -2, 2);
        if (dJointGetType(joint) == dJointTypeLMotor) {
            dJointSetLMotorParam(joint, dParamFMax + axis * dParamGroup2, force);
            dJointSetLMotorParam(joint, dParamVel + axis * dParamGroup2, velocity);
        } else if (dJointGetType(joint) == dJointTypePlane2D) {
            void (*setter[3])(dJointID, int, dReal) = {dJointSetPlane2DXParam, dJointSetPlane2DYParam,
                                                       dJointSetPlane2DAngleParam};
            setter[axis](joint, dParamFMax, force);
            setter[axis](joint, dParamVel, velocity);
        }
    }
}

static inline dJointID randomContact(dWorldID world, dBodyID first, dBodyID second, Random *random)
{
    const ksiJointPose pose = randomPose(random);
    dContact contact;
    memset(&contact, 0, sizeof contact);
    contact.surface.mode = (oneIn(random, 2) ? dContactFDir1 : 0) | (oneIn(random, 2) ? dContactApprox1 : 0) |
                           (oneIn(random, 2) ? dContactMu2 : 0) | (oneIn(random, 3) ? dContactRolling : 0) |
                           (oneIn(random, 3) ? dContactBounce : 0) | (oneIn(random, 3) ? dContactSlip1 : 0) |
                           (oneIn(random, 3) ? dContactMotion1 : 0);
    contact.surface.mu = uniform(random, 0.1, 2);
    contact.surface.mu2 = uniform(random, 0.1, 2);
    contact.surface.rho = contact.surface.rho2 = contact.surface.rhoN = uniform(random, 0.01, 0.2);
    contact.surface.bounce = 0.5;
    contact.surface.slip1 = 1e-3;
    contact.surface.motion1 = 0.3;
    contact.geom.depth = uniform(random, -0.01, 0.05);
    ksiPutNumbers(pose.point, contact.geom.pos, 3);
    ksiPutNumbers(pose.x, contact.geom.normal, 3);
    ksiPutNumbers(pose.y, contact.fdir1, 3);
    dJointID joint = dJointCreateContact(world, NULL, &contact);
    dJointAttach(joint, first, second);
    return joint;
}

/* A joint with random axes, stops and motors; NULL if the type does not permit this attachment. */
static inline dJointID randomJoint(dWorldID world, int type, int attachment, dBodyID first, dBodyID second,
                                   Random *random)
{
    dBodyID one = attachment == SECOND_ONLY ? NULL : first;
    dBodyID two = attachment == FIRST_ONLY ? NULL : attachment == SECOND_ONLY ? first : second;
    if (type == dJointTypeContact)
        return randomContact(world, one, two, random);
    const ksiJointPose pose = randomPose(random);
    dJointID joint = ksiCreateJoint(world, type, one, two, &pose);
    if (!joint)
        return NULL;
    for (int axis = 0; axis < ksiAxisCount(joint); axis++)
        randomiseAxis(joint, axis, random);
    randomiseMotors(joint, random);
    if (type == dJointTypeTransmission && oneIn(random, 2))
        dJointSetTransmissionBacklash(joint, 0.01);
    if (type == dJointTypeAMotor && attachment == BOTH && oneIn(random, 2)) {
        dJointSetAMotorAxis(joint, 0, 1, pose.x[0], pose.x[1], pose.x[2]);
        dJointSetAMotorAxis(joint, 2, 2, pose.y[0], pose.y[1], pose.y[2]);
        dJointSetAMotorMode(joint, dAMotorEuler);
    }
    return joint;
}

/* Solves A x = b (symmetric, n <= 6) by elimination; b in column n. */
static inline void solveSmall(int n, double A[KSI_MAX_ROWS][KSI_MAX_ROWS + 1], double x[KSI_MAX_ROWS])
{
    for (int i = 0; i < n; i++)
        for (int r = 0; r < n; r++) {
            const double factor = A[r][i] / A[i][i];
            for (int c = i; r != i && c <= n; c++)
                A[r][c] -= factor * A[i][c];
        }
    for (int i = 0; i < n; i++)
        x[i] = A[i][n] / A[i][i];
}

/* J v of one row. */
static inline double rowTimes(const ksiRows *rows, int row, double v[2][6])
{
    double sum = 0;
    for (int k = 0; k < 12; k++)
        sum += rows->row[row].jacobian[k / 6][k % 6] * v[k / 6][k % 6];
    return sum;
}

static inline ksiEngine openEngine(dWorldID world)
{
    ksiEngine engine;
    ck_assert_int_eq(ksiEngineOpen(world, &engine), KS_OK);
    return engine;
}

static inline dWorldID newWorld(void)
{
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0.3, -0.2, -9.81);
    dWorldSetERP(world, 0.3);
    dWorldSetCFM(world, 1e-6);
    return world;
}

/* A joint between two bodies; the second may be missing, or one may be kinematic; from a seed. */
typedef struct Pair {
    dWorldID world;
    ksiEngine engine;
    dBodyID body[2];
    dJointID joint;
} Pair;

static inline Pair newPair(int type, int attachment, uint64_t seed)
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

static inline void endWorld(dWorldID world)
{
    dWorldDestroy(world);
    dCloseODE();
}

#endif

/* check_tolerances.c  Tolerances of reading the engine, each from both sides: a factor of 3 inside,
 * a factor of 3 outside. */
#include "inspector/publish/wrench.h"
#include "tests/kits/engine_kit.h"

#include <float.h>

static const double h = 0.01;
static const double side[2] = {1. / 3, 3};

static void level(const Pair *pair)
{
    const dQuaternion none = {1, 0, 0, 0};
    for (int i = 0; i < 2; i++) {
        dBodySetPosition(pair->body[i], 0, 0, 0);
        dBodySetQuaternion(pair->body[i], none);
    }
}

/* Two dynamic bodies at the origin, unrotated. */
static Pair levelPair(int type)
{
    Pair pair = newPair(type, BOTH, 3);
    level(&pair);
    for (int i = 0; i < 2; i++)
        dBodySetDynamic(pair.body[i]);
    return pair;
}

/* Bits of the rows with a known acceleration. */
static unsigned knownOf(const Pair *pair)
{
    ksiBody body[2];
    ksiRows rows;
    ksiGeometry geometry;
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(ksiReadBody(&pair->engine, pair->body[i], h, &body[i]), KS_OK);
    ck_assert_int_eq(ksiReadRows(&pair->engine, pair->joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ksiReadGeometry(pair->joint, &body[0], &body[1], &rows, &geometry);
    return geometry.known;
}

/* PR: the cosine between hinge and slide. */
START_TEST(perpendicularAxes)
{
    const double cosine = 1e-9 * side[_i];
    Pair pair = levelPair(dJointTypePR);
    dJointSetPRAxis1(pair.joint, 1, 0, 0);
    dJointSetPRAxis2(pair.joint, cosine, 1, 0);
    ck_assert_int_eq(knownOf(&pair) & 1u, _i == 0);
    endWorld(pair.world);
}
END_TEST

START_TEST(shortestDistance)
{
    Pair pair = levelPair(dJointTypeDBall);
    dJointSetDBallAnchor1(pair.joint, 1e-9 * side[_i], 0, 0);
    dJointSetDBallAnchor2(pair.joint, 0, 0, 0);
    ck_assert_int_eq(knownOf(&pair) & 1u, _i == 1);
    endWorld(pair.world);
}
END_TEST

/* A universal joint whose second axis almost coincides with its first. */
START_TEST(parallelAxes)
{
    const double angle = 1e-14 * side[_i], half = 0.25 * acos(-1) - 0.5 * angle;
    const dQuaternion turn = {cos(half), 0, 0, -sin(half)};
    Pair pair = levelPair(dJointTypeUniversal);
    dJointSetUniversalAxis1(pair.joint, 1, 0, 0);
    dJointSetUniversalAxis2(pair.joint, 0, 1, 0);
    dBodySetQuaternion(pair.body[1], turn);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows),
                     _i == 0 ? KS_ERROR_SINGULAR : KS_OK);
    endWorld(pair.world);
}
END_TEST

/* The slide of a PU with an anchor two metres from the origin. */
START_TEST(extendedSlide)
{
    const double slide = 64 * DBL_EPSILON * 2 * side[_i];
    Pair pair = levelPair(dJointTypePU);
    dJointSetPUAxis1(pair.joint, 1, 0, 0);
    dJointSetPUAxis2(pair.joint, 0, 1, 0);
    dJointSetPUAxis3(pair.joint, 0, 0, 1);
    dJointSetPUAnchor(pair.joint, 0, 2, 0);
    dBodySetPosition(pair.body[0], 0, 0, slide);
    ck_assert_double_eq_tol(fabs(dJointGetPUPosition(pair.joint)), slide, 4 * DBL_EPSILON);
    ksiRows rows;
    ck_assert_int_eq(ksiReadRows(&pair.engine, pair.joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ck_assert_uint_eq(rows.bug, _i == 1 ? KS_REASON_FALSE_LEVER : 0);
    endWorld(pair.world);
}
END_TEST

/* A friction direction almost along the normal: y of the frame is across x along that direction, or
 * an axis of the body. */
START_TEST(parallelFriction)
{
    dWorldID world = newWorld();
    const ksiEngine engine = openEngine(world);
    dBodyID body = dBodyCreate(world);
    const double sine = 1e-8 * side[_i];
    dContact contact = {.surface.mode = dContactFDir1, .surface.mu = 1};
    contact.geom.normal[2] = 1;
    ksiCopy(contact.fdir1, (const double[3]){0.6 * sine, 0.8 * sine, 1});
    dJointID joint = dJointCreateContact(world, NULL, &contact);
    dJointAttach(joint, body, NULL);
    ksiBody snapshot;
    ksiRows rows;
    double axes[9], anchor[2][3];
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert_int_eq(ksiReadRows(&engine, joint, KS_WORLD_STEP, h, &rows), KS_OK);
    ksiJointFrame(NULL, &snapshot, NULL, &rows, axes, anchor);
    ck_assert_int_eq(fabs(axes[3] - 0.6) < 1e-6 && fabs(axes[4] - 0.8) < 1e-6, _i == 1);
    ck_assert_double_eq_tol(ksiDot(axes + 3, axes + 3), 1, 1e-14);
    endWorld(world);
}
END_TEST

/* Inertia about one axis, for a trace of 2 + x. */
START_TEST(thinnestRod)
{
    dWorldID world = newWorld();
    const ksiEngine engine = openEngine(world);
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, 1, 0, 0, 0, 1, 1, 8 * DBL_EPSILON * side[_i], 0, 0, 0);
    dBodySetMass(body, &mass);
    ksiBody snapshot;
    ck_assert_int_eq(ksiReadBody(&engine, body, h, &snapshot), KS_OK);
    ck_assert_int_eq(snapshot.dynamic, _i == 1);
    endWorld(world);
}
END_TEST

/* Finished speeds near the threshold of damping, and near this threshold after damping. */
START_TEST(dampingThreshold)
{
    const double apart = 1e-14 * side[_i];
    ksiBody body = {.damped = 1, .linearDamping = 0.5, .linearThreshold2 = 1, .maxAngularSpeed = INFINITY};
    const double same[6] = {1}, damped[6] = {0.5}, guess[2][6] = {{1}, {0.75}};
    double finished[6] = {0}, solved[6];
    finished[0] = sqrt(1 + apart);  // before damping it was 1 or 2; above the threshold only 2 is
                                    // possible
    ck_assert_int_eq(ksiUndoDamping(&body, finished, guess[0], solved), 0);
    ck_assert_double_eq_tol(solved[0], _i == 0 ? same[0] : 2, 1e-12);
    finished[0] = 0.5 * sqrt(1 - apart);  // before damping it was 1/2 or 1; below the threshold it
                                          // would still be 1
    ck_assert_int_eq(ksiUndoDamping(&body, finished, (const double[6]){1}, solved), 0);
    ck_assert_double_eq_tol(solved[0], _i == 0 ? 1 : damped[0], 1e-12);
}
END_TEST

START_TEST(cappedSpeed)
{
    const ksiBody body = {.damped = 1, .maxAngularSpeed = 8};
    const double finished[6] = {0, 0, 0, 8 * (1 + 1e-14 * side[_i])}, guess[6] = {0, 0, 0, 9};
    double solved[6];
    ck_assert_int_eq(ksiUndoDamping(&body, finished, guess, solved), _i == 0);
    ck_assert_double_eq_tol(solved[3], _i == 0 ? 9 : 8, 1e-12);
}
END_TEST

/* Newtons per newton metre below which a direction is scaled to unit torque. */
START_TEST(leastForceOfADirection)
{
    const double force = 1e-3 * side[_i];
    ck_assert_double_eq_tol(ksiPerUnit(force * force, 1), _i == 0 ? 1 : 1 / force, 1e-9);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("tolerances");
    tcase_add_loop_test(tests, perpendicularAxes, 0, 2);
    tcase_add_loop_test(tests, shortestDistance, 0, 2);
    tcase_add_loop_test(tests, parallelAxes, 0, 2);
    tcase_add_loop_test(tests, extendedSlide, 0, 2);
    tcase_add_loop_test(tests, parallelFriction, 0, 2);
    tcase_add_loop_test(tests, thinnestRod, 0, 2);
    tcase_add_loop_test(tests, dampingThreshold, 0, 2);
    tcase_add_loop_test(tests, cappedSpeed, 0, 2);
    tcase_add_loop_test(tests, leastForceOfADirection, 0, 2);
    return runCase("tolerances", tests);
}

/* check_margins.c  Tolerances of the inspector, each from both sides: a factor of 3 inside, a
 * factor of 3 outside. */
#include "tests/kits/support.h"

#include "inspector/publish/wrench.h"
#include "inspector/read/bound_state.h"

#include <float.h>

static const double h = 0.01;
static const double side[2] = {1. / 3, 3};

/* --- Multipliers and directions --- */

/* A multiplier near a larger one of its joint, and one near a large bound. */
START_TEST(near_a_bound)
{
    const ksRowPlace place = _i == 0 ? KS_AT_LOW : KS_INSIDE;
    const double beside[2] = {1, 1e-9 * side[_i]}, alone = 1e-6 * side[_i] - 1e3;
    ck_assert_int_eq(ksiPlaceBetween(2, false, beside, 1, 0, INFINITY), place);
    ck_assert_int_eq(ksiPlaceBetween(1, false, &alone, 0, -1e3, 1e3), place);
}
END_TEST

/* As seen from the joint's only mass centre, where the direction acts. */
static ksiUnique uniqueBeside(ksWrench direction)
{
    static ksReaction reaction;
    const ksiWrenchFrame view = {.axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    ksiUnique unique;
    reaction.freeCount = 1;
    reaction.freeDirection[0] = direction;
    ksiFindUnique(&reaction, &view, false, &unique);
    return unique;
}

static bool isUnique(const ksiUnique *unique, ksLimit limit)
{
    return unique->components >> limit & 1u;
}

/* The effect of drift on a component of a free direction. */
START_TEST(drift_of_a_direction)
{
    const double drift = 1e-3 * side[_i], load[3] = {3, 4, 0};
    double size;
    ksiUnique unique = uniqueBeside((ksWrench){{1, drift, 0}, {0}});
    ck_assert_int_eq(isUnique(&unique, KS_LIMIT_FORCE_Y), _i == 0);
    unique = uniqueBeside((ksWrench){{0}, {1, drift, 0}});
    ck_assert_int_eq(isUnique(&unique, KS_LIMIT_TORQUE_Y), _i == 0);
    unique = uniqueBeside((ksWrench){{drift, 0, 0}, {1, 0, 0}});
    ck_assert(ksiUniqueSize(unique.force, unique.count, load, &size));
    ck_assert_double_eq_tol(size, _i == 0 ? 5 : 4, 1e-9);
}
END_TEST

/* A direction has unit force, unless its lever is more than a kilometre. */
START_TEST(direction_of_a_long_lever)
{
    ksWrench w = {{0, 1e-3 * side[_i], 0}, {1, 0, 0}};
    ksiNormaliseWrench(&w);
    ck_assert_double_eq_tol(_i ? w.force[1] : w.torque[0], 1, 1e-12);
}
END_TEST

/* The rounding of the torque of a free force, in N.m per N. */
START_TEST(rounding_of_a_torque)
{
    const ksiUnique unique = uniqueBeside((ksWrench){{1, 0, 0}, {0, 1e-12 * side[_i], 0}});
    ck_assert_int_eq(isUnique(&unique, KS_LIMIT_TORQUE_Y), _i == 0);
}
END_TEST

/* --- Momentum and report --- */

/* A body without forces gains a multiple of the rounding of its velocity: whether this counts as
 * more than rounding. */
START_TEST(rounding_of_a_velocity)
{
    dWorldID world = dWorldCreate();
    dBodyID ball = addBall(world, 2, 0.1, 0, 0);
    const double speed = 8;
    dBodySetLinearVel(ball, speed, 0, 0);
    const ksInspectorOptions options = defaultOptions();
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    ck_assert(dWorldStep(world, h));
    dBodySetLinearVel(ball, speed * (1 + 64 * DBL_EPSILON * side[_i]), 0, 0);
    CHECK_OK(ksInspectorEndStep(inspector));
    const double residual = ksInspectorGetStepReport(inspector)->momentumResidual;
    ck_assert_int_eq(residual > options.momentumTolerance, _i == 1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A force holds up a ball at rest at its centre; dWorldStep or QuickStep with this many sweeps;
 * then the host sets a velocity. */
static ksReasons reasonsOfPush(int sweeps, double velocity)
{
    dWorldID world = dWorldCreate();
    dBodyID ball = addBall(world, 1, 1, 0, 0);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, ball, NULL);
    dJointSetBallAnchor(joint, 0, 0, 0);
    dBodyAddForce(ball, 0, 0, 1);
    dWorldSetQuickStepNumIterations(world, sweeps);
    ksInspectorOptions options = defaultOptions();
    options.momentumTolerance = 1e-30;
    ksInspector *inspector = inspectWith(world, &options);
    CHECK_OK(ksInspectorBeginStep(inspector, sweeps ? KS_QUICK_STEP : KS_WORLD_STEP, h));
    ck_assert(sweeps ? dWorldQuickStep(world, h) : dWorldStep(world, h));
    const dReal *v = dBodyGetLinearVel(ball);
    dBodySetLinearVel(ball, v[0] + velocity, v[1], v[2]);
    CHECK_OK(ksInspectorEndStep(inspector));
    const ksReasons reasons = ksInspectorGetReaction(inspector, joint)->reasons;
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    return reasons & (KS_REASON_REPORT | KS_REASON_MOTION);
}

/* The force and its reaction, 2 N, times the condition of the inertia, 9; and the larger of both
 * times the sweeps. */
START_TEST(rounding_of_forces)
{
    const double inverted = 4 * 9 * DBL_EPSILON * 2, swept = 16 * 1e4 * DBL_EPSILON * 2;
    ck_assert_int_eq(reasonsOfPush(0, h * inverted * side[_i]) != 0, _i == 1);
    ck_assert_int_eq(reasonsOfPush(10000, h * swept * side[_i]) != 0, _i == 1);
}
END_TEST

/* A torque that is added within the step, which no row explains, and a false force in the report: 1
 * and `force` in the mass metric. If the force is far larger, the motion is near the solution
 * compared with its distance from the report: then the report is wrong. Otherwise the rows decide
 * that the motion is. */
START_TEST(motion_near_the_solution)
{
    const double force = _i ? 1.1 : 6;
    dWorldID world = heavyWorld();
    dBodyID ball = addBall(world, 1, 1, 0, 0);
    dMass mass;
    dBodyGetMass(ball, &mass);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, ball, NULL);
    dJointSetBallAnchor(joint, 0, 0, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    dBodyAddTorque(ball, sqrt(mass.I[0]), 0, 0);
    ck_assert(dWorldStep(world, h));
    dJointGetFeedback(joint)->f1[0] += force;
    CHECK_OK(ksInspectorEndStep(inspector));
    const ksReasons reasons = ksInspectorGetReaction(inspector, joint)->reasons;
    ck_assert_uint_eq(reasons & (KS_REASON_REPORT | KS_REASON_MOTION), _i ? KS_REASON_MOTION : KS_REASON_REPORT);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A force of a joint that carries nothing, as large as the engine's rounding in a pose: for a ball
 * a metre from the origin, 4 units of sqrt(m x^2 + tr I) / h^2, which may be the tolerance's share
 * of the load. */
START_TEST(rounding_of_a_pose)
{
    dWorldID world = dWorldCreate();
    dBodyID ball = addBall(world, 1, 1, 1, 0);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, ball, NULL);
    dJointSetBallAnchor(joint, 1, 0, 0);
    const double grain = 4 * DBL_EPSILON / (h * h) * sqrt(1 + 3 * 0.4);
    const ksInspectorOptions options = defaultOptions();
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    ck_assert(dWorldStep(world, h));
    dJointGetFeedback(joint)->f1[2] += 2 * grain * side[_i];
    CHECK_OK(ksInspectorEndStep(inspector));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    ck_assert_int_eq(reaction->error > options.tolerance, _i == 1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A ball hangs on a kinematic body with a false reported force: off by a share of all three
 * multipliers, each of which may have the load's rounding, and of the force itself. */
START_TEST(report_of_a_kinematic_body)
{
    dWorldID world = heavyWorld();
    dBodyID ball = addBall(world, 1, 0.1, 0, 0), lift = addBall(world, 1, 0.1, 0, 0);
    dBodySetKinematic(lift);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, ball, lift);
    dJointSetBallAnchor(joint, 0, 0, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    ck_assert(dWorldStep(world, h));
    dJointGetFeedback(joint)->f2[2] *= 1 + 1e-6 * (3 + 1) * side[_i];
    CHECK_OK(ksInspectorEndStep(inspector));
    const ksReasons reasons = ksInspectorGetReaction(inspector, joint)->reasons;
    ck_assert_int_eq((reasons & KS_REASON_REPORT) != 0, _i == 1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* --- Contacts as reported --- */

static dJointID touch(dWorldID world, dBodyID body, double x, double y, double z, const double normal[3])
{
    dContact contact = {.geom = {.pos = {x, y, z}, .normal = {normal[0], normal[1], normal[2]}}};
    return addContact(world, NULL, &contact, body, NULL);
}

/* A box on the ground leaves a wall, which carries nothing, so slowly that its contact would be
 * equally solved inside its bounds: the speed over h is compared with g. */
START_TEST(weak_residual)
{
    static const double up[3] = {0, 0, 1}, right[3] = {1, 0, 0};
    dWorldID world = heavyWorld();
    dBodyID box = addBox(world, 1, (const double[]){1, 1, 1}, 0.5);
    dBodySetLinearVel(box, 1e-8 * SCENE_GRAVITY * h * side[_i], 0, 0);
    touch(world, box, 0, 0, 0, up);
    const dJointID wall = touch(world, box, -0.5, 0, 0.5, right);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksRow *row = &ksInspectorGetReaction(inspector, wall)->row[0];
    ck_assert_double_eq(row->engine, 0);
    ck_assert_int_eq(row->place, _i == 0 ? KS_INSIDE : KS_AT_LOW);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Three of four contacts are in a line except for e: in unit rows the self-stress is (1/2, 1/2,
 * -1/sqrt 2, e). */
START_TEST(share_of_a_contact)
{
    static const double up[3] = {0, 0, 1};
    const double e = sqrt(1e-6 * side[_i]);
    dWorldID world = heavyWorld();
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetParameters(&mass, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodyAddTorque(body, -0.3 * SCENE_GRAVITY, 0, 0);
    touch(world, body, -1, 0, 0, up);
    touch(world, body, 1, 0, 0, up);
    touch(world, body, 0, e, 0, up);
    const dJointID aside = touch(world, body, 0, 1, 0, up);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, aside);
    ck_assert_int_eq(reaction->row[0].place, KS_INSIDE);
    ck_assert_int_eq((reaction->reasons & KS_REASON_REDUNDANT) != 0, _i == 1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* --- Poses of drifted loops --- */

/* The share of a load on two balls. */
typedef struct Shared {
    double adopted; /* share of the engine's difference between the two that the physical values
                       contain */
    double slope;   /* slope of the line along which they press against each other */
} Shared;

/* A body of 1 kg and 1 kg.m^2 hangs by a metre on two balls, a metre to either side, whose anchors
 * in the world are `stretch` farther apart than its own; it is turned by `turn` about the middle.
 * In the fitting pose of the balls it is level. */
static Shared sharedOf(double turn, double stretch, double rankTolerance)
{
    dWorldID world = heavyWorld();
    dBodyID body = dBodyCreate(world);
    dJointID ball[2];
    for (int i = 0; i < 2; i++) {
        const int aside = i ? 1 : -1;
        dBodySetPosition(body, aside * stretch / 2, 0, 0);
        ball[i] = dJointCreateBall(world, NULL);
        dJointAttach(ball[i], body, NULL);
        dJointSetBallAnchor(ball[i], aside * (1 + stretch / 2), 0, 1);
    }
    dMatrix3 turned;
    dRFromAxisAndAngle(turned, 0, 1, 0, turn);
    dBodySetRotation(body, turned);
    dBodySetPosition(body, -sin(turn), 0, 1 - cos(turn));
    ksInspectorOptions options = defaultOptions();
    options.rankTolerance = rankTolerance;
    ksInspector *inspector = inspectWith(world, &options);
    CHECK_OK(ksInspectorStep(inspector, h));
    double difference[2] = {0};
    for (int i = 0; i < 2; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, ball[i]);
        difference[0] += (i ? 1 : -1) * reaction->physical[0].force[0];
        difference[1] += (i ? 1 : -1) * reaction->engine[0].force[0];
    }
    const ksReaction *reaction = ksInspectorGetReaction(inspector, ball[0]);
    ck_assert_int_eq(reaction->freeCount, 1);
    const double *line = reaction->freeDirection[0].force;
    const Shared shared = {difference[0] / difference[1], fabs(line[2] / line[0])};
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    return shared;
}

/* A vertical gap of turn * 1 m is turn / sqrt 2 in a unit row, relative to a mean radius of
 * gyration of sqrt(3/2) m. */
START_TEST(least_drift)
{
    const double rankTolerance = 0.1, drift = 0.1 * rankTolerance * side[_i], turn = drift * sqrt(2) * sqrt(1.5);
    const Shared shared = sharedOf(turn, 0, rankTolerance);
    ck_assert_double_eq_tol(shared.adopted, _i, 0.01);
    ck_assert_double_eq_tol(shared.slope, _i ? 0 : turn, 0.1 * turn);
}
END_TEST

/* The gap that no pose closes, relative to the largest gap; beyond the tolerance the bodies keep
 * their own pose. */
START_TEST(most_drift_left)
{
    const double turn = 0.01, stretch = 0.25 * side[_i] * 2 * turn;
    const Shared shared = sharedOf(turn, stretch, 1e-4);
    ck_assert_double_eq_tol(shared.adopted, 1, 0.01);
    ck_assert_double_eq_tol(shared.slope, _i ? turn : 0, 0.1 * turn);
}
END_TEST

/* A door of 1 kg and 1 kg.m^2 on two hinges, turned by drift across the border where the engine
 * changes the directions of a hinge's angular rows by a third of a radian. The rows of the fitting
 * pose are in the frame of the published ones. */
START_TEST(frame_that_jumps)
{
    const double drift = 1e-3, y = 0.15, z = sqrt(0.5) - drift / 4, axis[3] = {-sqrt(1 - y * y - z * z), y, z};
    dWorldID world = heavyWorld();
    dBodyID door = dBodyCreate(world);
    dJointID hinge[2];
    for (int i = 0; i < 2; i++) {
        const double s = i ? 0.5 : -0.5;
        hinge[i] = dJointCreateHinge(world, NULL);
        dJointAttach(hinge[i], door, NULL);
        dJointSetHingeAnchor(hinge[i], s * axis[0] + axis[1], s * axis[1] - axis[0], s * axis[2]);
        dJointSetHingeAxis(hinge[i], axis[0], axis[1], axis[2]);
    }
    dMatrix3 turned;
    dRFromAxisAndAngle(turned, -axis[1], axis[0], 0, -drift);  // raises the axis
    dBodySetRotation(door, turned);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    for (int i = 0; i < 2; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, hinge[i]);
        const double *torque = reaction->physical[0].torque;
        double sum[3] = {0}, own = 0;
        for (int l = 0; l < 5; l++) {
            const ksRow *row = &reaction->row[l];
            for (int k = 0; k < 3; k++)
                sum[k] += row->physical * row->jacobian[0][3 + k];
            own += l < 3 ? 0 : row->physical * row->physical;
        }
        ck_assert_double_gt(sqrt(own), 0.1);
        ck_assert_double_le(distance3(sum, torque), 0.03 * sqrt(own));
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* --- Sums --- */

/* The torque of a force about a point a metre back along it, and off that line by so little that it
 * may be rounding. */
START_TEST(rounding_of_a_sum)
{
    dWorldID world = heavyWorld();
    dBodyID ball = addBall(world, 1, 0.1, 0, 0);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, ball, NULL);
    dJointSetBallAnchor(joint, 0, 0, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const double beside = 1e-13 * side[_i], about[3] = {beside, 0, -1};
    const ksWrenchTerm term = {.joint = joint, .body = ball};
    ksWrenchSum sum;
    CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_CONVERGED, about, &sum));
    const double torque = _i == 0 ? 0 : beside * SCENE_GRAVITY;
    ck_assert_double_le(fabs(sum.wrench.torque[1] - torque), 0.1 * torque);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("margins");
    tcase_add_loop_test(tests, near_a_bound, 0, 2);
    tcase_add_loop_test(tests, drift_of_a_direction, 0, 2);
    tcase_add_loop_test(tests, direction_of_a_long_lever, 0, 2);
    tcase_add_loop_test(tests, rounding_of_a_torque, 0, 2);
    tcase_add_loop_test(tests, rounding_of_a_velocity, 0, 2);
    tcase_add_loop_test(tests, rounding_of_forces, 0, 2);
    tcase_add_loop_test(tests, motion_near_the_solution, 0, 2);
    tcase_add_loop_test(tests, rounding_of_a_pose, 0, 2);
    tcase_add_loop_test(tests, report_of_a_kinematic_body, 0, 2);
    tcase_add_loop_test(tests, weak_residual, 0, 2);
    tcase_add_loop_test(tests, share_of_a_contact, 0, 2);
    tcase_add_loop_test(tests, least_drift, 0, 2);
    tcase_add_loop_test(tests, most_drift_left, 0, 2);
    tcase_add_test(tests, frame_that_jumps);
    tcase_add_loop_test(tests, rounding_of_a_sum, 0, 2);
    return runCase("margins", tests);
}

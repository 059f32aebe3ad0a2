/* check_drift_motors.c  Motors beside balls, in joints that have drifted apart. */
#include "tests/support.h"

static const double h = 0.01;
enum { LINKS = 6 };
static const double weak = 1e-9; /* N m */

typedef struct Rope {
    dWorldID world;
    dBodyID link[LINKS];
    dJointID ball[LINKS];
    ksInspector *inspector;
} Rope;

/* Of balls, each of which may have an angular motor that is too weak to do anything. */
static Rope makeRope(bool hasMotors)
{
    Rope rope = {.world = heavyWorld()};
    dWorldSetQuickStepNumIterations(rope.world, 3);
    for (int i = 0; i < LINKS; i++) {
        dBodyID last = i > 0 ? rope.link[i - 1] : NULL;
        rope.link[i] = addBall(rope.world, 1 + i, 0.5 + i, 0, 0);
        rope.ball[i] = dJointCreateBall(rope.world, NULL);
        dJointAttach(rope.ball[i], rope.link[i], last);
        dJointSetBallAnchor(rope.ball[i], i, 0, 0);
        if (!hasMotors)
            continue;
        dJointID motor = dJointCreateAMotor(rope.world, NULL);
        dJointAttach(motor, i % 2 ? rope.link[i] : last, i % 2 ? last : rope.link[i]);
        dJointSetAMotorNumAxes(motor, 1);
        dJointSetAMotorAxis(motor, 0, 0, 0, 1, 0);
        dJointSetAMotorParam(motor, dParamFMax, weak);
    }
    rope.inspector = inspect(rope.world);
    return rope;
}

static void copyState(dBodyID from, dBodyID to)
{
    const dReal *at = dBodyGetPosition(from), *v = dBodyGetLinearVel(from), *w = dBodyGetAngularVel(from);
    dBodySetPosition(to, at[0], at[1], at[2]);
    dBodySetQuaternion(to, dBodyGetQuaternion(from));
    dBodySetLinearVel(to, v[0], v[1], v[2]);
    dBodySetAngularVel(to, w[0], w[1], w[2]);
}

/* How far apart its ends are. */
static double gapOf(dJointID ball)
{
    dVector3 a, b;
    dJointGetBallAnchor(ball, a);
    dJointGetBallAnchor2(ball, b);
    return hypot(a[0] - b[0], a[2] - b[2]);
}

/* A motor beside a ball makes no loop: in one state a rope with motors has the forces of the rope without them, however it has
 * drifted; the nearest pose would have others. */
START_TEST(motors_beside_balls_are_no_loops)
{
    const double same = 1e-8; /* relative: rounding, and weak motors */
    Rope plain = makeRope(false), motored = makeRope(true);
    double gap = 0;
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < LINKS; k++) {
            copyState(plain.link[k], motored.link[k]);
            gap = fmax(gap, gapOf(plain.ball[k]));
        }
        CHECK_OK(ksInspectorQuickStep(plain.inspector, h));
        CHECK_OK(ksInspectorQuickStep(motored.inspector, h));
        for (int k = 0; k < LINKS; k++) {
            const ksReaction *wanted = ksInspectorGetReaction(plain.inspector, plain.ball[k]);
            const ksReaction *reaction = ksInspectorGetReaction(motored.inspector, motored.ball[k]);
            const double size = dCalcVectorLength3(wanted->physical[0].force);
            for (int n = 0; n < 3; n++)
                ck_assert_double_eq_tol(reaction->physical[0].force[n], wanted->physical[0].force[n], same * size);
        }
    }
    ck_assert_double_gt(gap, 1e-3);
    ksInspectorDestroy(plain.inspector);
    ksInspectorDestroy(motored.inspector);
    dWorldDestroy(plain.world);
    dWorldDestroy(motored.world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drift_motors");
    TCase *tests = tcase_create("drift_motors");
    tcase_add_test(tests, motors_beside_balls_are_no_loops);
    suite_add_tcase(suite, tests);
    return runSuite(suite);
}

/* check_physical_driven.c  Physical values beside kinematic bodies whose velocity the host changes: its gain is an
 * acceleration, and the joints accelerate the bodies that it carries. */
#include "support.h"

static const double step = 0.005, total = 2, radius = 0.3;

/* of velocities of up to 10 m/s over a step, as shares of the load */
static const double exactTolerance = 1e-10;
/* of a joint whose bodies follow the host's motion a step behind it, per step and rad/s */
static const double lagging = 3;

static dWorldID world;
static dBodyID lift, load;
static dJointID joint;
static ksInspector *inspector;

static void setup(void)
{
    world = heavyWorld();
    dWorldSetQuickStepNumIterations(world, 200);
    lift = dBodyCreate(world);
    dBodySetKinematic(lift);
    load = addBall(world, total, 0.1, radius, 0);
    joint = dJointCreateFixed(world, 0);
    dJointAttach(joint, load, lift);
    dJointSetFixed(joint);
    inspector = inspect(world);
}

static void teardown(void)
{
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

static void takeStep(int i)
{
    if (i % 2)
        CHECK_OK(ksInspectorQuickStep(inspector, step));
    else
        CHECK_OK(ksInspectorStep(inspector, step));
}

static double offBy(double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    return distance3(ksInspectorGetReaction(inspector, joint)->physical[0].force, expected);
}

/* Up, and to the side: m (a - g). */
START_TEST(lift_speeds_up)
{
    const double a = 4, b = 3, weight = total * SCENE_GRAVITY;
    for (int i = 0; i < 40; i++) {
        const double t = step * (i + 1);
        dBodySetLinearVel(lift, b * t, 0, i < 20 ? a * t : 20 * a * step);
        takeStep(_i);
        // in the first step its past is not known
        if (i > 0)
            ck_assert_double_le(offBy(total * b, 0, weight + (i < 20 ? total * a : 0)), exactTolerance * weight);
    }
}
END_TEST

/* One that is placed as well, on the curve that it follows. */
START_TEST(lift_is_placed)
{
    const double a = 4, weight = total * SCENE_GRAVITY;
    for (int i = 0; i < 40; i++) {
        const double t = step * i;
        dBodySetPosition(lift, 0, 0, a * t * t / 2);
        dBodySetLinearVel(lift, 0, 0, a * t);
        takeStep(_i);
        if (i > 0)
            ck_assert_double_le(offBy(0, 0, weight + total * a), exactTolerance * weight);
    }
}
END_TEST

/* If the host has made a step in between, or moved the body, the time of the gain is unknown. */
START_TEST(steps_in_between)
{
    const double a = 4, weight = total * SCENE_GRAVITY;
    for (int i = 0; i < 40; i++) {
        dBodySetLinearVel(lift, 0, 0, a * step * (i + 1));
        if (i % 4) {
            ck_assert(dWorldStep(world, step));
            continue;
        }
        takeStep(_i);
        ck_assert_double_le(offBy(0, 0, weight), exactTolerance * weight);
    }
}
END_TEST

/* About an axis, faster and faster: m (-w^2 r, alpha r) in its own axes. */
START_TEST(turntable_speeds_up)
{
    const double alpha = 5, weight = total * SCENE_GRAVITY;
    for (int i = 0; i < 60; i++) {
        const double spin = alpha * step * (i + 1);
        const dReal *x = dBodyGetPosition(load), *o = dBodyGetPosition(lift);
        const double r[2] = {x[0] - o[0], x[1] - o[1]};
        dBodySetAngularVel(lift, 0, 0, spin);
        takeStep(_i);
        const double off =
            offBy(total * (-spin * spin * r[0] - alpha * r[1]), total * (-spin * spin * r[1] + alpha * r[0]), weight);
        if (i > 0)
            ck_assert_double_le(off, lagging * step * spin * total * radius * alpha);
    }
}
END_TEST

/* Turned as far as its gain takes it in a step: the gain is an acceleration, alpha r to the side. Farther: it was placed. */
START_TEST(turntable_is_placed)
{
    const double alpha = 4, spin = alpha * step, force = total * alpha * radius, weight = total * SCENE_GRAVITY;
    dMatrix3 turn;
    dRFromAxisAndAngle(turn, 0, 0, 1, (_i ? 1.1 : 0.9) * spin * step);
    takeStep(0);
    dBodySetRotation(lift, turn);
    dBodySetAngularVel(lift, 0, 0, spin);
    takeStep(0);
    ck_assert_double_le(offBy(0, _i ? 0 : force, weight), 0.01 * force);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("physical values beside driven bodies");
    TCase *test = tcase_create("driven");
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_loop_test(test, lift_speeds_up, 0, 2);
    tcase_add_loop_test(test, lift_is_placed, 0, 2);
    tcase_add_loop_test(test, steps_in_between, 0, 2);
    tcase_add_loop_test(test, turntable_speeds_up, 0, 2);
    tcase_add_loop_test(test, turntable_is_placed, 0, 2);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

/* check_physical_driven.c  Physical values beside kinematic bodies whose velocity the host changes:
 * the change is an acceleration, and the joints accelerate the bodies on them. The same holds for
 * motors that start. */
#include "tests/kits/support.h"

static const double step = 0.005, total = 2, radius = 0.3;

/* of velocities of up to 10 m/s over a step, relative to the load */
static const double exactTolerance = 1e-10;
/* relative to the load: accuracy of the engine's iterations, whose history decides here */
static const double followingTolerance = 1e-6;
/* relative to the load: of second order in the angle turned in a step, which is up to 0.015 */
static const double turned = 1e-3;

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

enum { EXACT = 2 }; /* a stepper; the others alternate */

static void takeStep(int i)
{
    if (i == EXACT)
        CHECK_OK(ksInspectorExactStep(inspector, step));
    else if (i % 2)
        CHECK_OK(ksInspectorQuickStep(inspector, step));
    else
        CHECK_OK(ksInspectorStep(inspector, step));
}

static double offBy(double x, double y, double z)
{
    const double expected[3] = {x, y, z};
    return distance3(ksInspectorGetReaction(inspector, joint)->physical[0].force, expected);
}

/* Upwards, and to the side: m (a - g). */
START_TEST(lift_speeds_up)
{
    const double a = 4, b = 3, weight = total * SCENE_GRAVITY;
    for (int i = 0; i < 40; i++) {
        const double t = step * (i + 1);
        dBodySetLinearVel(lift, b * t, 0, i < 20 ? a * t : 20 * a * step);
        takeStep(_i);
        // in the first step the body's past is unknown
        if (i > 0)
            ck_assert_double_le(offBy(total * b, 0, weight + (i < 20 ? total * a : 0)), exactTolerance * weight);
    }
}
END_TEST

/* A body that the host also moves along its path. */
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

/* After a step of the host's own, or if the host has moved the body, the duration of the change is
 * unknown. */
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

/* About an axis at a growing rate: m (-w^2 r, alpha r) in the body's axes. */
START_TEST(turntable_speeds_up)
{
    const double alpha = 5, weight = total * SCENE_GRAVITY;
    for (int i = 0; i < 60; i++) {
        const double last = alpha * step * i, spin = last + alpha * step;
        const dReal *x = dBodyGetPosition(load), *o = dBodyGetPosition(lift);
        const double r[2] = {x[0] - o[0], x[1] - o[1]};
        dBodySetAngularVel(lift, 0, 0, spin);
        takeStep(_i);
        const double off =
            offBy(total * (-last * last * r[0] - alpha * r[1]), total * (-last * last * r[1] + alpha * r[0]), weight);
        if (i > 0)
            ck_assert_double_le(off, turned * weight);
    }
}
END_TEST

static void hangOnStrut(void)
{
    dBodySetPosition(load, 0.6, 0, -0.8);
    dJointDestroy(joint);
    joint = dJointCreateDBall(world, 0);
    dJointAttach(joint, load, lift);
    dJointSetDBallAnchor1(joint, 0.6, 0, -0.8);
    dJointSetDBallAnchor2(joint, 0, 0, 0);
}

/* What the host adds to the velocity is an acceleration of this step, so the velocity itself is the
 * one before. For a strut from the lift to a load, with the unit vector q to the lift:
 * m (q.(a - g) + |u|^2/L), where u is the load's velocity across q, seen from the lift. _i: the
 * stepper. */
START_TEST(strut_from_a_shaken_lift)
{
    const double amplitude[3] = {0.02, 0.01, 0.03}, rate[3] = {30, 37, 25}, weight = total * SCENE_GRAVITY;
    double last[3] = {0};
    hangOnStrut();
    for (int i = 0; i < 200; i++) {
        const dReal *x = dBodyGetPosition(load), *o = dBodyGetPosition(lift), *v = dBodyGetLinearVel(load);
        double now[3], q[3], u[3], along = 0, force = 0;
        for (int k = 0; k < 3; k++) {
            now[k] = amplitude[k] * rate[k] * cos(rate[k] * step * i);
            q[k] = o[k] - x[k];
            u[k] = v[k] - last[k];
        }
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        for (int k = 0; k < 3; k++)
            along += u[k] * q[k] / length;
        for (int k = 0; k < 3; k++) {
            const double across = u[k] - along * q[k] / length, a = (now[k] - last[k]) / step;
            force += total * (across * across + (a + (k == 2 ? SCENE_GRAVITY : 0)) * q[k]) / length;
        }
        dBodySetLinearVel(lift, now[0], now[1], now[2]);
        takeStep(_i);
        if (i > 0)
            ck_assert_double_le(offBy(force * q[0] / length, force * q[1] / length, force * q[2] / length),
                                exactTolerance * weight);
        memcpy(last, now, sizeof last);
    }
}
END_TEST

/* A strut that is a spring carries its own force, which depends on the lift's new velocity. */
START_TEST(spring_from_a_shaken_lift)
{
    hangOnStrut();
    dJointSetDBallParam(joint, dParamCFM, 1e-3);
    for (int i = 0; i < 100; i++) {
        dBodySetLinearVel(lift, 0, 0, 0.5 * sin(30 * step * i));
        takeStep(0);
        const double *own = ksInspectorGetReaction(inspector, joint)->engine[0].force;
        if (i > 0)
            ck_assert_double_le(offBy(own[0], own[1], own[2]), exactTolerance * total * SCENE_GRAVITY);
    }
}
END_TEST

/* The load's mass centre is between two balls. The sum of their forces is m (w x (w x r) + w' x r -
 * g) with w before the change. Odd `_i`: the balls do not fit. */
START_TEST(two_balls_on_a_turntable)
{
    const double weight = total * SCENE_GRAVITY, apart = 0.2, misfit = _i % 2 ? 1e-3 : 0;
    dJointID ball[2];
    double last = 0;
    dJointDestroy(joint);
    for (int k = 0; k < 2; k++) {
        ball[k] = dJointCreateBall(world, 0);
        dJointAttach(ball[k], load, lift);
        dJointSetBallAnchor(ball[k], radius, k ? apart : -apart, 0);
    }
    dJointSetBallAnchor2(ball[1], radius, apart + misfit, 0);
    for (int i = 0; i < 200; i++) {
        const double spin = 3 * sin(20 * step * i), alpha = (spin - last) / step;
        const dReal *x = dBodyGetPosition(load);
        const double expected[3] = {total * (-last * last * x[0] - alpha * x[1]),
                                    total * (-last * last * x[1] + alpha * x[0]), weight};
        double sum[3] = {0};
        dBodySetAngularVel(lift, 0, 0, spin);
        takeStep(_i / 2 ? EXACT : 0);
        for (int k = 0; k < 6; k++)
            sum[k % 3] += ksInspectorGetReaction(inspector, ball[k / 3])->physical[0].force[k % 3];
        if (i > 10)  // by then the balls have shared the misfit
            ck_assert_double_le(distance3(sum, expected), turned * weight);
        last = spin;
    }
}
END_TEST

/* Turned as far as its velocity takes it in a step: the change is an acceleration, alpha r to the
 * side. Turned farther: the host has placed it. */
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

/* In the first step it is unknown whether the body has just been set in motion together with its
 * load, which adds m v/h, or whether the load lags behind. `_i`: the stepper. */
START_TEST(set_in_motion)
{
    const double speed = 0.5, weight = total * SCENE_GRAVITY, impact = total * speed / step;
    dBodySetLinearVel(lift, 0, 0, speed);
    takeStep(_i);
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    double bar = 0;
    for (int l = 0; l < reaction->rowCount; l++)
        bar += fabs(reaction->row[l].jacobian[0][2]) * reaction->row[l].physicalBar;
    ck_assert_double_le(offBy(0, 0, weight), exactTolerance * weight);
    ck_assert_double_ge(bar, (1 - exactTolerance) * impact);
    // the bar contains this difference, and is no more than twice that
    ck_assert_double_le(bar, 2 * impact);
}
END_TEST

/* A body that moves along with its load has not accelerated, as the load shows. */
START_TEST(moves_along)
{
    const double speed = 0.5, weight = total * SCENE_GRAVITY;
    dBodySetLinearVel(lift, 0, 0, speed);
    dBodySetLinearVel(load, 0, 0, speed);
    takeStep(_i);
    ck_assert_double_le(offBy(0, 0, weight), exactTolerance * weight);
    ck_assert_double_le(ksInspectorGetReaction(inspector, joint)->physicalErrorBar, followingTolerance);
}
END_TEST

/* An upright wheel on its motor, whose torque is I w'. */
typedef struct Wheel {
    dBodyID body;
    dJointID motor;
    double inertia;
} Wheel;

static Wheel addWheel(double speed)
{
    Wheel wheel = {.body = addBall(world, total, 0.1, 0, 5)};
    dMass mass;
    dBodyGetMass(wheel.body, &mass);
    wheel.inertia = mass.I[10];
    wheel.motor = dJointCreateHinge(world, 0);
    dJointAttach(wheel.motor, wheel.body, 0);
    dJointSetHingeAnchor(wheel.motor, 0, 0, 5);
    dJointSetHingeAxis(wheel.motor, 0, 0, 1);
    dJointSetHingeParam(wheel.motor, dParamFMax, dInfinity);
    dJointSetHingeParam(wheel.motor, dParamVel, speed);
    return wheel;
}

static double motorBar(const Wheel *wheel)
{
    const ksReaction *reaction = ksInspectorGetReaction(inspector, wheel->motor);
    double bar = 0;
    for (int l = 0; l < reaction->rowCount; l++)
        bar += fabs(reaction->row[l].jacobian[0][5]) * reaction->row[l].physicalBar;
    return bar;
}

static double motorTorque(const Wheel *wheel)
{
    return ksInspectorGetReaction(inspector, wheel->motor)->physical[0].torque[2];
}

static double speedOf(const Wheel *wheel)
{
    return dBodyGetAngularVel(wheel->body)[2];
}

/* Its target is below the speed at which it falls asleep. In the step that wakes it, it gains the
 * whole speed; in the very first step it is unknown whether it does. */
START_TEST(motor_wakes)
{
    const double slow = 0.004;
    int woken = 0;
    const Wheel wheel = addWheel(slow);
    dBodySetAutoDisableFlag(wheel.body, 1);
    dBodySetAutoDisableSteps(wheel.body, 5);
    dBodySetAutoDisableTime(wheel.body, 0);
    for (int i = 0; i < 60; i++) {
        if (i % 20 == 19)
            dBodyEnable(wheel.body);
        dJointSetHingeParam(wheel.motor, dParamVel, slow * (1 + 0.01 * i));
        const double before = speedOf(&wheel);
        takeStep(_i);
        if (!dBodyIsEnabled(wheel.body))
            continue;
        const double torque = wheel.inertia * (speedOf(&wheel) - before) / step,
                     off = fabs(motorTorque(&wheel) - torque);
        ck_assert_double_le(off, motorBar(&wheel) + followingTolerance * torque);
        woken += i && before == 0;
        if (i && before == 0)
            ck_assert_double_le(off, followingTolerance * torque);
    }
    ck_assert_int_gt(woken, 1);
}
END_TEST

/* The same for a motor that is switched on. */
START_TEST(motor_is_switched_on)
{
    const double speed = 2;
    const Wheel wheel = addWheel(speed);
    dJointSetHingeParam(wheel.motor, dParamFMax, 0);
    dBodySetAngularVel(wheel.body, 0, 0, -0.5);
    for (int i = 0; i < 10; i++) {
        const double before = speedOf(&wheel);
        if (i == 4)
            dJointSetHingeParam(wheel.motor, dParamFMax, dInfinity);
        takeStep(_i);
        const double torque = wheel.inertia * (speedOf(&wheel) - before) / step;
        ck_assert_double_le(fabs(motorTorque(&wheel) - torque), followingTolerance * wheel.inertia * speed / step);
    }
}
END_TEST

/* A motor between a wheel and a turntable that speeds up. */
START_TEST(motor_on_a_turntable)
{
    const double speed = 2;
    const Wheel wheel = addWheel(speed);
    dJointAttach(wheel.motor, wheel.body, lift);
    dJointSetHingeParam(wheel.motor, dParamFMax, 0);
    for (int i = 0; i < 40; i++) {
        const double before = speedOf(&wheel);
        if (i == 4)
            dJointSetHingeParam(wheel.motor, dParamFMax, dInfinity);
        dBodySetAngularVel(lift, 0, 0, sin(30 * step * i));
        takeStep(_i);
        const double torque = wheel.inertia * (speedOf(&wheel) - before) / step;
        ck_assert_double_le(fabs(motorTorque(&wheel) - torque), followingTolerance * wheel.inertia * speed / step);
    }
}
END_TEST

/* Turning the axis of a fast rotor takes the torque I3 w W. The engine's own gyroscopic torque is
 * implicit in the step: its error is no error of the physical value, nor is it in the bar. */
START_TEST(rotor_on_a_turntable)
{
    const double spin = 80, turn = 2, h = _i ? 0.005 : 0.001;
    const double ofTurn = 1.5 * turn * h * turn * h;  // of second order in the rotation of the axis in a step
    const double ofEngine = _i ? 0.2 : 0.01, mostBar = ofEngine / 10;  // of the torque, once it is steady
    enum { STEADY = 250 };
    dBodyID rotor = dBodyCreate(world);
    dMass mass;
    dMassSetCylinderTotal(&mass, 1, 1, 0.1, 0.02);
    dBodySetMass(rotor, &mass);
    dBodySetPosition(rotor, 0, 0, 1);
    dBodySetAngularVel(rotor, spin, 0, turn);
    dBodySetAngularVel(lift, 0, 0, turn);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, rotor, lift);
    dJointSetHingeAnchor(hinge, 0, 0, 1);
    dJointSetHingeAxis(hinge, 1, 0, 0);
    for (int i = 0; i < 300; i++) {
        const dReal *at = dBodyGetRotation(lift), *w = dBodyGetAngularVel(rotor);
        const double x[3] = {at[0], at[4], at[8]}, y[3] = {at[1], at[5], at[9]};
        const double truth = mass.I[0] * (w[0] * x[0] + w[1] * x[1] + w[2] * x[2]) * turn;
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, hinge);
        double torque[2] = {0};
        for (int k = 0; k < 3; k++) {
            torque[0] += reaction->physical[0].torque[k] * y[k];
            torque[1] += reaction->engine[0].torque[k] * y[k];
        }
        ck_assert_double_eq_tol(torque[0], truth, ofTurn * truth);
        if (i > STEADY) {
            ck_assert_double_ge(fabs(torque[1] - truth), ofEngine * truth);
            ck_assert_double_le(reaction->physicalErrorBar, mostBar);
        }
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("driven");
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_loop_test(test, lift_speeds_up, 0, 2);
    tcase_add_loop_test(test, lift_is_placed, 0, 2);
    tcase_add_loop_test(test, steps_in_between, 0, 2);
    tcase_add_loop_test(test, set_in_motion, 0, 2);
    tcase_add_loop_test(test, moves_along, 0, 2);
    tcase_add_loop_test(test, turntable_speeds_up, 0, 2);
    tcase_add_loop_test(test, turntable_is_placed, 0, 2);
    tcase_add_loop_test(test, strut_from_a_shaken_lift, 0, EXACT + 1);
    tcase_add_loop_test(test, two_balls_on_a_turntable, 0, 4);
    tcase_add_test(test, spring_from_a_shaken_lift);
    tcase_add_loop_test(test, motor_wakes, 0, 2);
    tcase_add_loop_test(test, motor_is_switched_on, 0, 2);
    tcase_add_loop_test(test, motor_on_a_turntable, 0, 2);
    tcase_add_loop_test(test, rotor_on_a_turntable, 0, 2);
    return runCase("physical values beside driven bodies", test);
}

/* check_physical.c  Physical values against closed forms, as the step shrinks: Paulus's plate on a
 * pivot, and a motor whose rows need history for their acceleration. */
#include "tests/kits/support.h"

#include <float.h>

/* a single body and its closed form */
static const double exactTolerance = STATE_ROUNDING;

/* one row, one body: differences of target velocities of up to 5 rad/s, which change by a hundredth
 * in a step */
static const double rampTolerance = 100 * STATE_ROUNDING;

/* of a row at rest: a smaller change is rounding */
static const double restTolerance = BY_PRECISION(1e-9, 1e-5);

/* s, duration of the compared swing */
static const double duration = 0.8;

/* largest error of the physical force over the swing, relative to the weight */
static double physicalError(double h)
{
    Scene *scene = scenePendulum(&scenePlate);
    ksInspector *inspector = inspect(scene->world);
    double worst = 0, weight = scenePlate.mass * SCENE_GRAVITY;
    for (int i = 0; i * h < duration; i++) {
        double angle, rate, expected[3];
        plateState(scene, &scenePlate, &angle, &rate);
        // the closed form on the path from rest: the angle alone gives the rate
        rate = copysign(sqrt(fmax(plateRateSquared(&scenePlate, angle), 0)), rate);
        plateReaction(&scenePlate, angle, rate, expected);
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        worst = fmax(worst, distance3(reaction->physical[0].force, expected) / weight);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return worst;
}

START_TEST(error_falls_with_the_step)
{
    static const double size[3] = {0.004, 0.002, 0.001};
    double error[3];
    for (int i = 0; i < 3; i++) {
        error[i] = physicalError(size[i]);
        printf("pendulum, h = %g s: physical off Paulus's formula by %.2e of the weight\n", size[i], error[i]);
    }
    /* proportional to h; 5 % for the terms of higher order */
    for (int i = 1; i < 3; i++)
        ck_assert_double_le(error[i], 1.05 * error[i - 1] * size[i] / size[i - 1]);
    ck_assert_double_gt(error[2], 0);
}
END_TEST

/* For the state that the engine has, whatever its drift: the step size does not matter. */
START_TEST(exact_in_its_own_state)
{
    Scene *scene = scenePendulum(&scenePlate);
    ksInspector *inspector = inspect(scene->world);
    double worst = 0, weight = scenePlate.mass * SCENE_GRAVITY;
    for (int i = 0; i < 800; i++) {
        double angle, rate, expected[3];
        plateState(scene, &scenePlate, &angle, &rate);
        plateReaction(&scenePlate, angle, rate, expected);
        CHECK_OK(ksInspectorStep(inspector, 0.001));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        ck_assert_int_eq(reaction->physicalSource, KS_FROM_GEOMETRY);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        worst = fmax(worst, distance3(reaction->physical[0].force, expected) / weight);
    }
    printf("pendulum, own state: physical off the closed form by %.1e of the weight\n", worst);
    /* the gap at the anchor, 1e-6 of the arm under dWorldStep, shifts the mass centre of the closed
     * form */
    ck_assert_double_le(worst, 1e-5);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static const double circlingSpin = 3; /* rad/s */

/* A motor keeps a spinning body from moving along its own x axis, so that it moves in a circle:
 * lambda = -m v w. */
static double circlingError(double h)
{
    const double speed = 2, spin = circlingSpin, total = 1.5;
    dWorldID world = dWorldCreate();
    dBodyID body = addBall(world, total, 0.1, 0, 0);
    dBodySetLinearVel(body, 0, speed, 0);
    dBodySetAngularVel(body, 0, 0, spin);
    dJointID motor = dJointCreateLMotor(world, 0);
    dJointAttach(motor, body, NULL);
    dJointSetLMotorNumAxes(motor, 1);
    dJointSetLMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetLMotorParam(motor, dParamFMax, 1e3);
    ksInspector *inspector = inspect(world);
    double worst = 0;
    for (int i = 0; i * h < 0.2; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, motor);
        ck_assert_int_eq(reaction->rowCount, 1);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        // a single reading of the rows is not enough
        ck_assert_int_eq(reaction->physicalSource, i == 0 ? KS_FROM_NOWHERE : KS_FROM_HISTORY);
        ck_assert_int_eq(!!(reaction->reasons & KS_REASON_NO_HISTORY), i == 0);
        ck_assert_int_eq(isnan(reaction->row[0].physical), i == 0);
        const dReal *v = dBodyGetLinearVel(body);
        double force = total * sqrt(v[0] * v[0] + v[1] * v[1]) * spin;
        if (i > 0) {
            const double error = fabs(reaction->row[0].physical + force);
            ck_assert_double_le(error, reaction->row[0].physicalBar);
            worst = fmax(worst, error / force);
        }
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    return worst;
}

static dJointID addMotor(dWorldID world, dBodyID body, int axis)
{
    dJointID motor = dJointCreateLMotor(world, 0);
    dJointAttach(motor, body, NULL);
    dJointSetLMotorNumAxes(motor, 1);
    dJointSetLMotorAxis(motor, 0, 1, axis == 0, axis == 1, axis == 2);
    dJointSetLMotorParam(motor, dParamFMax, 1e3);
    return motor;
}

/* A motor that replaces an old one at the same address, with the same type and bodies, has no
 * history; the joints beside it keep theirs. It lacks the old one's mark; and if dWorldStep left
 * the old one without a mark, as the last of its island, the new one is before a newer joint in the
 * world's list. */
START_TEST(joint_made_anew)
{
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world), other = dBodyCreate(world);
    dBodySetAngularVel(body, 0, 0, 3);
    dBodySetAngularVel(other, 0, 0, 3);
    dJointID motor[3];
    for (int i = 0; i < 3; i++)
        motor[i] = addMotor(world, body, i);
    const dJointID newest = addMotor(world, other, 0);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorStep(inspector, 0.001));
    ck_assert_int_eq(ksInspectorGetReaction(inspector, motor[0])->physicalSource, KS_FROM_HISTORY);
    dJointDestroy(motor[_i]);
    const dJointID anew = addMotor(world, body, _i);
    CHECK_OK(ksInspectorStep(inspector, 0.001));
    ck_assert_int_eq(ksInspectorGetReaction(inspector, newest)->physicalSource, KS_FROM_HISTORY);
    if (anew == motor[_i])  // usually, unless a sanitizer withholds the memory
        ck_assert(ksInspectorGetReaction(inspector, anew)->reasons & KS_REASON_NO_HISTORY);
    CHECK_OK(ksInspectorStep(inspector, 0.001));
    ck_assert_int_eq(ksInspectorGetReaction(inspector, anew)->physicalSource, KS_FROM_HISTORY);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A motor's row, along the axis x of a body, in two steps; before the second one the host also
 * turns the axis, so that the row changes by `change` in total. Returns whether it counts as the
 * same row. */
static ksPhysicalSource sourceOfTurned(double spin, double step, double change)
{
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dBodySetAngularVel(body, 0, 0, spin);
    const dJointID motor = addMotor(world, body, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, step));
    dJointSetLMotorAxis(motor, 0, 1, cos(change), sin(change), 0);
    CHECK_OK(ksInspectorStep(inspector, step));
    const ksPhysicalSource source = ksInspectorGetReaction(inspector, motor)->physicalSource;
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    return source;
}

/* A row that changes otherwise than by its bodies' motion got another axis: beyond a margin of 4, or
 * for bodies at rest beyond rounding. A factor of 3 inside, and outside. */
START_TEST(axis_is_turned)
{
    const double step = 0.001, spin = 0.5, side = _i ? 3 : 1. / 3;
    const ksPhysicalSource source = _i ? KS_FROM_NOWHERE : KS_FROM_HISTORY;
    ck_assert_int_eq(sourceOfTurned(spin, step, 4 * side * spin * step), source);
    ck_assert_int_eq(sourceOfTurned(0, step, restTolerance * side), source);
}
END_TEST

START_TEST(history_is_of_first_order)
{
    static const double size[3] = {0.004, 0.002, 0.001};
    double error[3];
    for (int i = 0; i < 3; i++) {
        error[i] = circlingError(size[i]);
        printf("circling body, h = %g s: physical from history off by %.2e\n", size[i], error[i]);
    }
    /* also the rounding of two readings, whose difference is the rotation in a step */
    for (int i = 1; i < 3; i++)
        ck_assert_double_le(error[i], 1.05 * error[i - 1] * size[i] / size[i - 1] +
                                          BY_PRECISION(0, FLT_EPSILON) / (circlingSpin * size[i]));
    ck_assert_double_gt(error[2], 0);
}
END_TEST

/* A bar on a vertical hinge, whose motor's target velocity is a ramp: the motor's torque is I
 * alpha. */
START_TEST(motor_follows_its_target)
{
    const double step = 0.005, ramp = 10, total = 2, length = 1;
    dWorldID world = heavyWorld();
    dBodyID bar = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, total, length, 0.05, 0.05);
    dBodySetMass(bar, &mass);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, bar, NULL);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetHingeParam(hinge, dParamFMax, 1e3);
    ksInspector *inspector = inspect(world);
    const double torque = mass.I[10] * ramp;
    /* in the first step the target's past is unknown, but the motor is off it: its reported force
     * counts, with the engine's compliance */
    const double compliant = torque / (1 + dWorldGetCFM(world) / step * mass.I[10]);
    for (int i = 0; i < 100; i++) {
        dJointSetHingeParam(hinge, dParamVel, ramp * step * (i + 1));
        CHECK_OK(ksInspectorStep(inspector, step));
        const ksRow *motor = &ksInspectorGetReaction(inspector, hinge)->row[5];
        ck_assert_int_eq(motor->kind, KS_ROW_MOTOR);
        ck_assert_double_eq_tol(fabs(motor->physical), i ? torque : compliant, rampTolerance * torque);
        if (i)
            ck_assert_double_le(fabs(fabs(motor->physical) - torque), motor->physicalBar);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A tilted box that spins about a hinge through its mass centre: the hinge turns the angular
 * momentum, w x I w. */
START_TEST(spin_about_no_principal_axis)
{
    const double spin = 12;
    dWorldID world = dWorldCreate();
    dBodyID box = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 1, 0.4, 0.1);
    dBodySetMass(box, &mass);
    dMatrix3 tilt;
    dRFromAxisAndAngle(tilt, 0, 1, 0, 0.5);
    dBodySetRotation(box, tilt);
    dBodySetAngularVel(box, 0, 0, spin);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, box, NULL);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, 0.01));
    const ksWrench *physical = &ksInspectorGetReaction(inspector, hinge)->physical[0];
    // I in world axes: R I R^T, of which only the z column counts
    double column[3] = {0};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            column[i] += tilt[4 * i + k] * mass.I[5 * k] * tilt[8 + k];
    }
    double expected[3] = {-spin * spin * column[1], spin * spin * column[0], 0};
    ck_assert_double_gt(length3(expected), 1);
    ck_assert_double_le(distance3(physical->torque, expected), exactTolerance * length3(expected));
    ck_assert_double_le(length3(physical->force), exactTolerance * length3(expected));
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A motor that cannot hold its load has its full force, in either direction. */
START_TEST(saturated_motor)
{
    const double most = (dReal)0.3, turn = _i ? 1 : -1;
    Scene *scene = sceneChain(1, SCENE_FALLING);
    dJointSetHingeParam(scene->joint[0], dParamFMax, most);
    dJointSetHingeParam(scene->joint[0], dParamVel, turn * 50);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 5; i++) {
        CHECK_OK(ksInspectorStep(inspector, 0.001));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        const ksRow *motor = &reaction->row[5];
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        ck_assert_int_eq(motor->kind, KS_ROW_MOTOR);
        ck_assert_int_eq(motor->place, _i ? KS_AT_HIGH : KS_AT_LOW);
        ck_assert_double_eq_tol(motor->bound, turn * most, exactTolerance);
        ck_assert_double_eq_tol(motor->physical, turn * most, exactTolerance);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* With a load of a million tons on its hinge, which leaves an error of rounding in its
 * multiplier. */
START_TEST(weak_motor_at_its_bound)
{
    const double most = (dReal)0.3, turn = _i ? 1 : -1;
    dWorldID world = dWorldCreate();
    dBodyID bar = addBall(world, 1, 0.1, 0, 0);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, bar, NULL);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamFMax, most);
    dJointSetHingeParam(hinge, dParamVel, turn * 1e4);
    dBodyAddForce(bar, 1e10, 0, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, 0.001));
    ck_assert_double_eq(ksInspectorGetReaction(inspector, hinge)->row[5].physical, turn * most);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Beams welded in a row, with a weak motor parallel to each weld: mechanics does not determine how
 * weld and motor share the load, but no motor has more than its largest moment. Shares beyond it
 * have bars that reach back to it. */
START_TEST(share_beyond_its_bound)
{
    enum { BEAMS = 3 };
    const double most = 1, length = 0.3;
    dWorldID world = heavyWorld();
    dWorldSetCFM(world, 1e-10); /* rigid in single precision, too, or the compliance would decide */
    dBodyID last = NULL;
    dJointID motor[BEAMS];
    for (int i = 0; i < BEAMS; i++) {
        dBodyID beam = addBox(world, 1, (const double[]){length, 0.1, 0.1}, 0);
        dBodySetPosition(beam, length * (i + 0.5), 0, 0);
        dJointID weld = dJointCreateFixed(world, NULL);
        dJointAttach(weld, beam, last);
        dJointSetFixed(weld);
        motor[i] = dJointCreateHinge(world, NULL);
        dJointAttach(motor[i], beam, last);
        dJointSetHingeAnchor(motor[i], length * i, 0, 0);
        dJointSetHingeAxis(motor[i], 0, 1, 0);
        dJointSetHingeParam(motor[i], dParamFMax, most);
        last = beam;
    }
    dRandSetSeed(1);
    ksInspector *inspector = inspect(world);
    int beyond = 0;
    for (int k = 0; k < 100; k++) {
        CHECK_OK(ksInspectorQuickStep(inspector, 0.01));
        for (int i = 0; i < BEAMS; i++) {
            const ksRow *row = &ksInspectorGetReaction(inspector, motor[i])->row[5];
            ck_assert_int_eq(row->kind, KS_ROW_MOTOR);
            beyond += fabs(row->paulus) > (1 + exactTolerance) * most;
            ck_assert(isnan(row->paulus) || fabs(row->paulus) - row->errorBar <= (1 + exactTolerance) * most);
        }
    }
    ck_assert_int_gt(beyond, 0);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A motor about an axis that a slider locks: strong enough to be inside its bound in the report of
 * a few sweeps, and at its bound in the converged solution. Only the sum of both torques balances
 * the applied one, and both joints say so. */
START_TEST(motor_that_shares_a_load)
{
    const double torque = 3, none[3] = {0};
    dWorldID world = heavyWorld();
    dBodyID bar = addBall(world, 1, 0.4, 1, 0);
    dJointID slider = dJointCreateSlider(world, 0), motor = dJointCreateAMotor(world, 0);
    dJointAttach(slider, bar, NULL);
    dJointSetSliderAxis(slider, 0, 1, 0);
    dJointAttach(motor, bar, NULL);
    dJointSetAMotorNumAxes(motor, 1);
    dJointSetAMotorAxis(motor, 0, 0, 1, 0, 0);
    dJointSetAMotorParam(motor, dParamVel, 1);
    dJointSetAMotorParam(motor, dParamFMax, 500);
    dBodyAddTorque(bar, torque, 0, 0);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorQuickStep(inspector, 0.01));
    const ksReaction *held = ksInspectorGetReaction(inspector, slider),
                     *driven = ksInspectorGetReaction(inspector, motor);
    ck_assert_int_eq(driven->row[0].place, KS_AT_HIGH);
    ck_assert_double_eq_tol(held->physical[0].torque[0] + driven->physical[0].torque[0], -torque,
                            exactTolerance * torque);
    ck_assert_double_eq_tol(held->physical[0].force[2], SCENE_GRAVITY, exactTolerance * SCENE_GRAVITY);
    for (int i = 0; i < 2; i++) {
        const ksReaction *reaction = i ? driven : held;
        ck_assert_int_eq(reaction->freeCount, 1);
        ck_assert_double_eq_tol(fabs(reaction->freeDirection[0].torque[0]), 1, exactTolerance);
        ck_assert_double_le(distance3(reaction->freeDirection[0].force, none), exactTolerance);
        ck_assert_int_eq(reaction->row[0].determinate, 0);
        ck_assert_uint_eq(reaction->reasons & KS_REASON_REDUNDANT, KS_REASON_REDUNDANT);
        // the converged value is far from the report nevertheless
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_SOLVER_ERROR");
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A body on a slide that moves with it, through a universal joint in the ground at a distance s
 * from its mass centre. A real joint lets it turn about that point: N = m g / (1 + m s^2 / I) at
 * rest. The engine's joint acts at the mass centre, where the anchor was made, and holds the whole
 * weight there; so does the physical value, which says so. */
START_TEST(extended_slide)
{
    const double h = 0.001, s = 0.3 * _i, mass = 2;
    dWorldID world = heavyWorld();
    dWorldSetCFM(world, 0);
    dBodyID body = addBox(world, mass, (const double[]){0.6, 0.1, 0.1}, 0), hung = addBall(world, 1, 0.1, 2, 0);
    dMass inertia;
    dBodyGetMass(body, &inertia);
    dJointID slide = dJointCreatePU(world, 0), free = dJointCreateBall(world, 0);
    dJointAttach(slide, body, NULL);
    dJointSetPUAnchor(slide, 0, 0, 0);
    dJointSetPUAxis1(slide, 0, 1, 0);
    dJointSetPUAxis2(slide, 0, 0, 1);
    dJointSetPUAxisP(slide, 1, 0, 0);
    dBodySetPosition(body, s, 0, 0);
    dJointAttach(free, hung, NULL);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, slide);
    const double weight = mass * SCENE_GRAVITY, real = weight / (1 + mass * s * s / inertia.I[5]);
    ck_assert_double_eq_tol(reaction->physical[0].force[2], weight, exactTolerance * weight);
    ck_assert_double_le(length3(reaction->physical[0].torque), exactTolerance * weight);
    ck_assert_double_le(fabs(reaction->engine[0].force[2] - weight), exactTolerance * weight);
    printf("PU extended by %.1f m: the engine's rows carry %.2f N, a real slide %.2f N\n", s, weight, real);
    ck_assert_uint_eq(reaction->reasons, s > 0 ? KS_REASON_FALSE_LEVER : 0);
    ck_assert_int_eq(fabs(real - weight) > exactTolerance * weight, s > 0);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ck_assert_uint_eq(ksInspectorGetReaction(inspector, free)->reasons, 0);
    /* with a further body on it, the ball belongs to its mechanism */
    dJointAttach(free, hung, body);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq((ksInspectorGetReaction(inspector, free)->reasons & KS_REASON_FALSE_LEVER) != 0, s > 0);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A PR with a level, locked slide, and a mass 1.5 m beside its anchor: the motor of its rotation
 * bears m g times that, less the engine's error of half the distance of both mass centres. If the
 * joint's slide has no row, its force is right. */
START_TEST(held_slide)
{
    const double h = 0.01, mass = 1, lever = 1.5, real = mass * SCENE_GRAVITY * lever;
    dWorldID world = heavyWorld();
    dBodyID frame = addBox(world, 1, (const double[]){0.3, 0.5, 0.7}, 0),
            load = addBox(world, mass, (const double[]){0.3, 0.5, 0.7}, 0);
    dBodySetPosition(load, 0, 2, 0);
    dJointID foot = dJointCreateFixed(world, 0), joint = dJointCreatePR(world, 0);
    dJointAttach(foot, frame, NULL);
    dJointSetFixed(foot);
    dJointAttach(joint, frame, load);
    dJointSetPRAnchor(joint, 0, 0.5, 0);
    dJointSetPRAxis1(joint, 0, 0, 1);
    dJointSetPRAxis2(joint, 1, 0, 0);
    dJointSetPRParam(joint, dParamFMax2, 100);
    if (_i)
        dJointSetPRParam(joint, dParamFMax, 1e3);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    const ksReasons reasons = ksInspectorGetReaction(inspector, foot)->reasons;
    const double torque = fabs(reaction->motor[1].force);
    if (_i)
        ck_assert_double_eq_tol(torque, mass * SCENE_GRAVITY * (lever - 0.5), 1e-3 * real);
    ck_assert_int_eq((reaction->reasons & KS_REASON_FALSE_LEVER) != 0, _i);
    ck_assert_int_eq((reasons & KS_REASON_FALSE_LEVER) != 0, _i);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Hangs a body on a hinge about y. */
static dJointID hang(dWorldID world, dBodyID body, dBodyID from, double x, double z)
{
    const dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, body, from);
    dJointSetHingeAnchor(hinge, x, 0, z);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return hinge;
}

/* A swing at rest on two hangers, whose joints have all come apart by the same little way under the
 * weight: on the way to the pose in which they fit, no row turns. */
START_TEST(joints_that_sag_alike)
{
    enum { STEPS = 120, HANGERS = 2 };
    const double mass = 1, hung = 2, step = 1. / 256, mostBar = 0.1;
    const dWorldID world = heavyWorld();
    const dBodyID board = addBox(world, hung, (const double[]){1, 0.05, 0.05}, -1);
    dJointID pivot[HANGERS];
    dWorldSetCFM(world, 1e-5);
    for (int i = 0; i < HANGERS; i++) {
        const double x = i - 0.5;
        const dBodyID hanger = addBox(world, mass, (const double[]){0.05, 0.05, 1}, -0.5);
        dBodySetPosition(hanger, x, 0, -0.5);
        pivot[i] = hang(world, hanger, NULL, x, 0);
        hang(world, board, hanger, x, -1);
    }
    ksInspectorOptions options = defaultOptions();
    options.rigidCfm = 1e-4;
    ksInspector *inspector = inspectWith(world, &options);
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(inspector, step));
    for (int i = 0; i < HANGERS; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, pivot[i]);
        ck_assert_double_gt(reaction->gap[0], 1e-6);
        ck_assert_double_le(reaction->physicalErrorBar, mostBar);
        ck_assert_double_eq_tol(reaction->physical[0].force[2], (mass + hung / HANGERS) * SCENE_GRAVITY, restTolerance);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("physical");
    tcase_add_test(test, error_falls_with_the_step);
    tcase_add_test(test, exact_in_its_own_state);
    tcase_add_loop_test(test, joint_made_anew, 0, 3);
    tcase_add_loop_test(test, axis_is_turned, 0, 2);
    tcase_add_test(test, history_is_of_first_order);
    tcase_add_test(test, motor_follows_its_target);
    tcase_add_test(test, spin_about_no_principal_axis);
    tcase_add_loop_test(test, saturated_motor, 0, 2);
    tcase_add_loop_test(test, weak_motor_at_its_bound, 0, 2);
    tcase_add_test(test, motor_that_shares_a_load);
    tcase_add_test(test, share_beyond_its_bound);
    tcase_add_loop_test(test, held_slide, 0, 2);
    tcase_add_loop_test(test, extended_slide, 0, 3);
    tcase_add_test(test, joints_that_sag_alike);
    return runCase("physical", test);
}

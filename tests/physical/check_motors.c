/* check_motors.c  Motors are a part of their joints, even at a stop: by momentum, by statics, and
 * by ksMotor. */
#include "tests/kits/engine_kit.h"

#include <math.h>
#include <stdbool.h>

#define CHECK_OK(call) ck_assert_str_eq(ksStatusName(call), "KS_OK")

static const double h = 0.002;

static ksInspector *inspect(dWorldID world)
{
    ksInspector *inspector = NULL;
    CHECK_OK(ksInspectorCreate(world, NULL, &inspector));
    return inspector;
}

static ksStatus stepBy(ksInspector *inspector, ksStepper stepper)
{
    return stepper == KS_WORLD_STEP   ? ksInspectorStep(inspector, h)
           : stepper == KS_QUICK_STEP ? ksInspectorQuickStep(inspector, h)
                                      : ksInspectorExactStep(inspector, h);
}

/* --- The mechanism's motor force --- */

/* A level body of 2 kg with its mass centre half a metre from a hinge: holding it takes 9.81 N.m. A
 * strong enough motor has this torque, a weaker one its limit. */
static const double kHeld = 2 * 9.81 * 0.5, kWeak = 5, kHeldError = 1e-9;

START_TEST(physical_force_of_a_motor_holds_the_load)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 0.3, 0.4, 0.5);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 0.5, 0, 0);
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    dJointSetHingeParam(hinge, dParamVel, 0);
    dJointSetHingeParam(hinge, dParamFMax, _i ? kWeak : 100);
    ksInspector *inspector = inspect(world);
    CHECK_OK(stepBy(inspector, KS_WORLD_STEP));
    const ksMotor *motor = ksInspectorGetReaction(inspector, hinge)->motor;
    ck_assert_int_eq(motor->saturated, _i);
    ck_assert_double_eq_tol(fabs(motor->physical), _i ? kWeak : kHeld, kHeldError);
    ck_assert_double_gt(motor->physical * motor->force, 0);
    ck_assert_double_le(motor->physicalBar, kHeldError);
    ck_assert(isnan(motor[1].physical) && isnan(motor[1].physicalBar));
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* --- By momentum --- */

enum { SEEDS = 40, STEPS = 3 };

/* N and N.m: rounding of velocities of up to 10 m/s, for 3 kg, over a step */
static const double kRounding = 1e-9;
/* error of the engine's direct solver, for loads of up to 1e5 N */
static const double kSolver = 1e-6;

/* M (v* - v)/h - f: the joint's effect on a body with no other joint. */
static void wrenchByMomentum(const ksiBody *before, double wrench[6])
{
    double after[6], change[3];
    ksiCopy(after, dBodyGetLinearVel(before->id));
    ksiCopy(after + 3, dBodyGetAngularVel(before->id));
    for (int k = 0; k < 3; k++) {
        wrench[k] = before->mass * (after[k] - before->velocity[k]) / h - before->force[k];
        change[k] = (after[3 + k] - before->velocity[3 + k]) / h;
    }
    ksiTransform(wrench + 3, before->inertia, change);
    for (int k = 3; k < 6; k++)
        wrench[k] -= before->force[k];
}

static double distance(const ksWrench *value, const double wrench[6])
{
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fmax(fabs(value->force[k] - wrench[k]), fabs(value->torque[k] - wrench[3 + k])));
    return isnan(value->force[0]) ? NAN : most;
}

/* Joints of each type with any motors and stops, attached (a, b), (a, 0), (0, a): engine, observed
 * and converged values are the whole force of the joint, including the motors of axes at their
 * stops. */
START_TEST(values_are_all_that_the_joint_does)
{
    int atStop = 0;
    for (int attachment = 0; attachment < ATTACHMENTS; attachment++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            Pair pair = newPair(_i, attachment, seed);
            ksInspector *inspector = pair.joint ? inspect(pair.world) : NULL;
            for (int step = 0; pair.joint && step < STEPS; step++) {
                ksiBody before;
                double wrench[6], size = 1;
                ck_assert_int_eq(ksiReadBody(&pair.engine, pair.body[0], h, &before), KS_OK);
                const bool isDirect = step % 2 == 0;
                CHECK_OK(stepBy(inspector, isDirect ? KS_WORLD_STEP : KS_QUICK_STEP));
                const ksReaction *reaction = ksInspectorGetReaction(inspector, pair.joint);
                if (reaction->verdict == KS_NOT_SOLVED || reaction->reasons & KS_REASON_SPEED_CAP)
                    break;
                const int side = reaction->body[0] == pair.body[0] ? 0 : 1;
                wrenchByMomentum(&before, wrench);
                for (int k = 0; k < 6; k++)
                    size = fmax(size, fabs(wrench[k]));
                ck_assert_double_le(distance(&reaction->engine[side], wrench), kRounding * size);
                if (!isnan(reaction->observed[side].force[0]))
                    ck_assert_double_le(distance(&reaction->observed[side], wrench), kRounding * size);
                if (isDirect && !isnan(reaction->converged[side].force[0]))
                    ck_assert_double_le(distance(&reaction->converged[side], wrench), kSolver * size);
                for (int axis = 0; axis < 3; axis++)
                    atStop += reaction->motor[axis].atStop;
            }
            ksInspectorDestroy(inspector);
            endWorld(pair.world);
        }
    Pair any = newPair(_i, BOTH, 0);
    ck_assert_int_eq(atStop > 0, ksiAxisCount(any.joint) > 0);
    endWorld(any.world);
}
END_TEST

/* --- By statics --- */

/* A load of 2 kg in a frame of 20 kg on the ground, or on the world. One axis of its joint rests at
 * a stop, into which its motor drives; the others are between equal stops. */
typedef struct Held {
    dWorldID world;
    dBodyID load, frame;
    dJointID joint;
} Held;

static const double kMass = 2, kGravity = 9.81, kMotor = 60, kPast = 1e-7;
/* rad/s: for an angle that the host must set, the speed that keeps it past its stop, although each
 * step corrects .2 of it */
static const double kCreep = 2e-5;
/* of the weight, after 200 steps: the stop was passed by 1e-7, of which .8^200 remains; CFM 1e-10
 * over h */
static const double kStatic = 1e-6;

static dBodyID addBody(dWorldID world, double mass, double x, double y, double z)
{
    dBodyID body = dBodyCreate(world);
    dMass m;
    dMassSetBoxTotal(&m, mass, 0.3, 0.4, 0.5);
    dBodySetMass(body, &m);
    dBodySetPosition(body, x, y, z);
    return body;
}

static void holdAxis(const Held *held, int axis, bool isPowered, bool isHigh)
{
    // a hinge2 has no stops about its second axis
    if (dJointGetType(held->joint) == dJointTypeHinge2 && axis == 1) {
        ksiSetAxis(held->joint, axis, dParamFMax, 1e6);
        return;
    }
    ksiSetAxis(held->joint, axis, dParamLoStop, !isPowered ? 0 : isHigh ? -0.5 : kPast);
    ksiSetAxis(held->joint, axis, dParamHiStop, !isPowered ? 0 : isHigh ? -kPast : 0.5);
    // once more, since the engine ignores a stop that would pass the other one
    ksiSetAxis(held->joint, axis, dParamLoStop, !isPowered ? 0 : isHigh ? -0.5 : kPast);
    if (!isPowered)
        return;
    ksiSetAxis(held->joint, axis, dParamFMax, kMotor);
    ksiSetAxis(held->joint, axis, dParamVel, isHigh ? 0.3 : -0.3);
}

/* attachment: ATTACHMENTS stands for (frame, load) */
static Held holdLoad(int type, int attachment, int axis, bool isHigh)
{
    static const ksiJointPose pose = {
        .point = {0.2, 0.1, 1.3}, .second = {0.2, 0.5, 1.3}, .x = {0, 0, 1}, .y = {0, 1, 0}, .z = {-1, 0, 0}};
    Held held = {.world = dWorldCreate()};
    dWorldSetGravity(held.world, 0, 0, -kGravity);
    dWorldSetQuickStepNumIterations(held.world, 3000);
    held.load = addBody(held.world, kMass, 0.2, 0.1, 1);
    held.frame = addBody(held.world, 10 * kMass, 0, 0, 0);
    dJointID foot = dJointCreateFixed(held.world, NULL);
    dJointAttach(foot, held.frame, NULL);
    dJointSetFixed(foot);
    dBodyID first = attachment == SECOND_ONLY ? NULL : attachment == ATTACHMENTS ? held.frame : held.load;
    dBodyID second = attachment == FIRST_ONLY ? NULL : attachment == BOTH ? held.frame : held.load;
    held.joint = ksiCreateJoint(held.world, type, first, second, &pose);
    for (int i = 0; held.joint && i < ksiAxisCount(held.joint); i++)
        holdAxis(&held, i, i == axis, isHigh);
    if (type == dJointTypeAMotor) {  // an amotor carries no force
        dJointID ball = dJointCreateBall(held.world, NULL);
        dJointAttach(ball, held.load, NULL);
        dJointSetBallAnchor(ball, 0.2, 0.1, 1);
    }
    return held;
}

static void expectStatic(const ksReaction *reaction, const Held *held, bool isForceless)
{
    const ksWrench *const value[5] = {reaction->engine, reaction->converged, reaction->physical, reaction->observed,
                                      reaction->shared};
    const double weight[6] = {0, 0, isForceless ? 0 : kMass * kGravity};
    const int side = reaction->body[0] == held->load ? 0 : 1;
    for (int v = 0; v < 5; v++) {
        const double off = distance(&value[v][side], weight);
        ck_assert_msg(off <= kStatic * kMass * kGravity, "value %d is off by %g", v, off);
    }
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
}

/* Each axis that may have stops, at either stop, in each attachment: the joint's force is the
 * weight of the load at rest, whatever presses it onto the stop; and the motor's part is
 * separate. */
START_TEST(load_against_its_stop)
{
    static const ksStepper stepper[3] = {KS_WORLD_STEP, KS_QUICK_STEP, KS_EXACT_STEP};
    int tried = 0;
    for (int attachment = 0; attachment <= ATTACHMENTS; attachment++)
        for (int axis = 0; axis < 3; axis++)
            for (int high = 0; high < 2; high++) {
                Held held = holdLoad(_i, attachment, axis, high);
                const bool isThrown = attachment == SECOND_ONLY && (_i == dJointTypePR || _i == dJointTypePiston);
                const bool hasStop = held.joint && axis < ksiAxisCount(held.joint) &&
                                     !(_i == dJointTypeHinge2 && axis == 1) && !isThrown;
                if (hasStop) {
                    ksInspector *inspector = inspect(held.world);
                    for (int i = 0; i < 200; i++)
                        CHECK_OK(stepBy(inspector, stepper[tried % 3]));
                    const ksReaction *reaction = ksInspectorGetReaction(inspector, held.joint);
                    const ksMotor *motor = reaction->motor;
                    expectStatic(reaction, &held, _i == dJointTypeAMotor);
                    for (int other = 0; other < 3; other++)
                        ck_assert_int_eq(motor[other].atStop, other == axis);
                    ck_assert_double_eq(motor[axis].force, high ? kMotor : -kMotor);
                    ck_assert_double_eq(motor[axis].target, high ? 0.3 : -0.3);
                    ck_assert_double_le(fabs(motor[axis].speed), kCreep);
                    ck_assert_int_eq(motor[axis].saturated, 1);
                    ksInspectorDestroy(inspector);
                    tried++;
                }
                dWorldDestroy(held.world);
            }
    ck_assert_int_gt(tried, 0);
}
END_TEST

/* --- The motor's share --- */

/* A motor that drives a load away from the stop on which it rests lifts a share of the weight,
 * dParamFudgeFactor of its force. */
START_TEST(motor_away_from_its_stop)
{
    Held held = holdLoad(dJointTypeSlider, FIRST_ONLY, 0, false);
    const double share = 0.25, given = 16;
    dJointSetSliderParam(held.joint, dParamFMax, given);
    dJointSetSliderParam(held.joint, dParamVel, 0.3);
    dJointSetSliderParam(held.joint, dParamFudgeFactor, share);
    ksInspector *inspector = inspect(held.world);
    for (int i = 0; i < 200; i++)
        CHECK_OK(stepBy(inspector, (ksStepper)_i));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, held.joint);
    expectStatic(reaction, &held, false);
    ck_assert_double_eq(reaction->motor[0].force, share * given);
    ksInspectorDestroy(inspector);
    dWorldDestroy(held.world);
}
END_TEST

/* The host's own feedback has the engine's values: without the motor, also after an exact step. */
START_TEST(feedback_of_the_host_is_the_engines)
{
    Held held = holdLoad(dJointTypeSlider, BOTH, 0, true);
    dJointFeedback feedback;
    dJointSetFeedback(held.joint, &feedback);
    ksInspector *inspector = inspect(held.world);
    for (int i = 0; i < 200; i++)
        CHECK_OK(stepBy(inspector, (ksStepper)_i));
    ck_assert_double_eq_tol(feedback.f1[2], kMass * kGravity - kMotor, kStatic * kMotor);
    ck_assert_double_eq_tol(feedback.f2[2], kMotor - kMass * kGravity, kStatic * kMotor);
    ksInspectorDestroy(inspector);
    dWorldDestroy(held.world);
}
END_TEST

/* The energy of a step is the sum of the works of rows and of applied forces; rows at stops include
 * their motors. */
START_TEST(energy_is_accounted_for)
{
    Held held = holdLoad(dJointTypeSlider, BOTH, 0, true);
    dBodySetLinearVel(held.load, 0, 0, 0.5);
    ksInspector *inspector = inspect(held.world);
    for (int i = 0; i < 5; i++) {
        CHECK_OK(stepBy(inspector, (ksStepper)_i));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        const double gained = report->kineticEnergy[1] - report->kineticEnergy[0] + report->potentialChange;
        ck_assert_double_eq_tol(gained, report->rowWork + report->gravityDiscretisation, kRounding);
        ck_assert_double_eq_tol(report->forceWork, 0, kRounding);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(held.world);
}
END_TEST

/* A flywheel on a hinge: torque, saturation, power with T' = power; then it reaches its speed. */
START_TEST(motor_of_a_flywheel)
{
    dWorldID world = dWorldCreate();
    dBodyID wheel = addBody(world, kMass, 0, 0, 0);
    dMass mass;
    dBodyGetMass(wheel, &mass);
    const double inertia = mass.I[10], torque = 0.5, target = 2.05 * torque * h / inertia;
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, wheel, NULL);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dJointSetHingeParam(hinge, dParamFMax, torque);
    dJointSetHingeParam(hinge, dParamVel, target);
    ksInspector *inspector = inspect(world);
    const double share[4] = {1, 1, 0.05, 0};
    double speed = 0;
    for (int i = 0; i < 4; i++) {
        CHECK_OK(stepBy(inspector, (ksStepper)_i));
        const ksMotor *motor = ksInspectorGetReaction(inspector, hinge)->motor;
        const double before = speed;
        speed += share[i] * torque * h / inertia;
        ck_assert_double_eq_tol(motor->force, share[i] * torque, 1e-6 * torque);
        ck_assert_double_eq_tol(motor->speed, speed, 1e-6 * target);
        ck_assert_double_eq_tol(motor->power, inertia * (speed * speed - before * before) / (2 * h), 1e-6);
        ck_assert_double_eq(motor->target, target);
        ck_assert_int_eq(motor->saturated, i < 2);
        ck_assert_int_eq(motor->atStop, 0);
        ck_assert(isnan(motor[1].force) && isnan(motor[2].power));
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Types with motors and no stops: each motor is found at its axis, whichever other axes have
 * one. */
START_TEST(motors_by_axis)
{
    for (unsigned powered = 1; powered < 8; powered++) {
        dWorldID world = dWorldCreate();
        dBodyID body = addBody(world, kMass, 0, 0, 0);
        const ksiJointPose pose = {.x = {1, 0, 0}, .y = {0, 1, 0}, .z = {0, 0, 1}};
        dJointID joint = ksiCreateJoint(world, _i ? dJointTypePlane2D : dJointTypeLMotor, body, NULL, &pose);
        void (*const set[3])(dJointID, int, dReal) = {dJointSetPlane2DXParam, dJointSetPlane2DYParam,
                                                      dJointSetPlane2DAngleParam};
        for (int axis = 0; axis < 3; axis++) {
            const double force = powered >> axis & 1u ? 1e3 : 0;
            if (_i)
                set[axis](joint, dParamFMax, force);
            else
                dJointSetLMotorParam(joint, dParamFMax + axis * dParamGroup2, force);
        }
        dBodyAddForce(body, -1, -2, _i ? 0 : -3);
        dBodyAddTorque(body, 0, 0, _i ? -3 : 0);
        ksInspector *inspector = inspect(world);
        CHECK_OK(stepBy(inspector, KS_WORLD_STEP));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
        for (int axis = 0; axis < 3; axis++) {
            if (powered >> axis & 1u)
                ck_assert_double_eq_tol(reaction->motor[axis].force, axis + 1, kStatic);
            else
                ck_assert(isnan(reaction->motor[axis].force) && isnan(reaction->motor[axis].target));
        }
        ksInspectorDestroy(inspector);
        dWorldDestroy(world);
    }
}
END_TEST

/* --- On a turntable --- */

/* A table turns at `spin` under its motor. Another motor moves a slide of 1 kg on it outwards at
 * `speed`, or holds it. At the distance d from the axis the slide's joint gives the slide the
 * acceleration (-spin^2 d, 2 spin speed), radially and across; the table's motor supplies the
 * torque 2 spin speed d. In each step the engine moves the slide along the tangent, so the slide
 * starts the next step with a speed of h spin^2 d more than its motor allows. */
static const double spin = 10, startDistance = 0.5;

/* Of the radial force: the couple between the bodies by the same excess of speed, and the residual
 * of twenty iterations. An excess of the slide's speed would be a transverse error of 0.04. */
static const double kTurntable = 2e-3;

START_TEST(slide_on_a_turntable)
{
    const double speed = _i % 2 ? 0.5 : 0;
    dWorldID world = dWorldCreate();
    dBodyID table = addBody(world, 50, 0, 0, 0), slide = addBody(world, 1, startDistance, 0, 0);
    dJointID axle = dJointCreateHinge(world, NULL), rail = dJointCreateSlider(world, NULL);
    dJointAttach(axle, table, NULL);
    dJointSetHingeAxis(axle, 0, 0, 1);
    dJointSetHingeParam(axle, dParamFMax, 1e5);
    dJointSetHingeParam(axle, dParamVel, spin);
    dJointAttach(rail, slide, table);
    dJointSetSliderAxis(rail, 1, 0, 0);
    dJointSetSliderParam(rail, dParamFMax, 1e5);
    dJointSetSliderParam(rail, dParamVel, speed);
    ksInspector *inspector = inspect(world);
    for (int step = 0; step < 100; step++) {
        const dReal *at = dBodyGetPosition(slide);
        const double x = at[0], y = at[1], d = hypot(x, y), radial = spin * spin, across = 2 * spin * speed / d;
        CHECK_OK(stepBy(inspector, (ksStepper)(_i / 2)));
        if (step < 10)  // the bodies start at rest
            continue;
        const ksReaction *reaction = ksInspectorGetReaction(inspector, rail),
                         *turning = ksInspectorGetReaction(inspector, axle);
        const double *force = reaction->physical[0].force, load = radial * d;
        ck_assert_double_eq_tol(force[0], -radial * x - across * y, kTurntable * load);
        ck_assert_double_eq_tol(force[1], -radial * y + across * x, kTurntable * load);
        ck_assert_double_eq_tol(turning->motor->physical, across * d * d, kTurntable * load * d);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* --- A run that begins with a blow --- */

/* A motor turns an arm; the outer arm on a hinge has a velocity that the hinge forbids. In the
 * first step the motor is not on its target; from the second step on it is. The blow of the first
 * step, thousands of newtons, is in no bar of the next steps. */
static const double kAfterBlow = 0.1;

START_TEST(blow_of_the_first_step)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    dBodyID arm[2];
    dJointID hinge[2];
    for (int i = 0; i < 2; i++) {
        arm[i] = addBody(world, 2, 0.5 + i, 0, 0);
        hinge[i] = dJointCreateHinge(world, NULL);
        dJointAttach(hinge[i], arm[i], i ? arm[0] : NULL);
        dJointSetHingeAnchor(hinge[i], i, 0, 0);
        dJointSetHingeAxis(hinge[i], 0, 1, 0);
    }
    dJointSetHingeParam(hinge[0], dParamVel, 0.5);
    dJointSetHingeParam(hinge[0], dParamFMax, 1e5);
    dBodySetLinearVel(arm[1], 3, 1, 2);
    ksInspector *inspector = inspect(world);
    for (int step = 0; step < 50; step++) {
        CHECK_OK(stepBy(inspector, _i ? KS_EXACT_STEP : KS_WORLD_STEP));
        for (int i = 0; i < 2 && step >= 3; i++)
            ck_assert_double_le(ksInspectorGetReaction(inspector, hinge[i])->physicalErrorBar, kAfterBlow);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("motors");
    tcase_add_loop_test(test, physical_force_of_a_motor_holds_the_load, 0, 2);
    tcase_add_loop_test(test, values_are_all_that_the_joint_does, dJointTypeBall, KSI_JOINT_TYPES);
    static const int limited[] = {dJointTypeHinge,  dJointTypeSlider, dJointTypeUniversal, dJointTypeHinge2,
                                  dJointTypeAMotor, dJointTypePR,     dJointTypePU,        dJointTypePiston};
    for (size_t i = 0; i < sizeof limited / sizeof *limited; i++)
        tcase_add_loop_test(test, load_against_its_stop, limited[i], limited[i] + 1);
    tcase_add_loop_test(test, motor_away_from_its_stop, KS_WORLD_STEP, KS_FOREIGN_STEP);
    tcase_add_loop_test(test, feedback_of_the_host_is_the_engines, KS_WORLD_STEP, KS_FOREIGN_STEP);
    tcase_add_loop_test(test, energy_is_accounted_for, KS_WORLD_STEP, KS_FOREIGN_STEP);
    tcase_add_loop_test(test, motor_of_a_flywheel, KS_WORLD_STEP, KS_FOREIGN_STEP);
    tcase_add_loop_test(test, motors_by_axis, 0, 2);
    tcase_add_loop_test(test, blow_of_the_first_step, 0, 2);
    tcase_add_loop_test(test, slide_on_a_turntable, 2 * KS_WORLD_STEP, 2 * KS_FOREIGN_STEP);
    return runCase("motors", test);
}

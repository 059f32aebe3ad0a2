/* check_shifted.c  Physical values of joints whose position the host shifts step by step: equal
 * stops as a servo, the distance of a double ball as a winch. The engine follows such a shift by
 * its ERP, and so does the mechanism. */
#include "plugin/engine/vector.h"
#include "tests/kits/support.h"

static const double step = 0.005, total = 2;

/* of the largest force: QuickStep has almost converged; and it turns bodies by 2 atan(w h/2) in a
 * step instead of w h */
static const double exactTolerance = 1e-8, turningTolerance = 1e-6;

static dWorldID world;
static ksInspector *inspector;

typedef enum Kind { HINGE, SLIDER, UNIVERSAL, HINGE2, EULER, WINCH, KINDS } Kind;

/* A joint along or about z. */
typedef struct Servo {
    Kind kind;
    dJointID joint, other;
    dBodyID body[2]; /* of the joint; NULL: the world */
    double start;    /* initial position */
} Servo;

static void setup(void)
{
    world = heavyWorld();
    dWorldSetQuickStepNumIterations(world, 200);
    dWorldSetCFM(world, 0);
    inspector = inspect(world);
}

static void teardown(void)
{
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}

static dJointID makeJoint(Kind kind, dBodyID first, dBodyID second)
{
    static dJointID (*const make[KINDS])(dWorldID, dJointGroupID) = {dJointCreateHinge,     dJointCreateSlider,
                                                                     dJointCreateUniversal, dJointCreateHinge2,
                                                                     dJointCreateAMotor,    dJointCreateDBall};
    const dJointID joint = make[kind](world, 0);
    dJointAttach(joint, first, second);
    return joint;
}

static void shiftTo(const Servo *servo, double position)
{
    static void (*const set[])(dJointID, int, dReal) = {
        dJointSetHingeParam, dJointSetSliderParam, dJointSetUniversalParam, dJointSetHinge2Param, dJointSetAMotorParam};
    if (servo->kind == WINCH) {
        dJointSetDBallDistance(servo->joint, servo->start - position);
        return;
    }
    // the engine ignores a stop that would cross the other one
    for (int i = 0; i < 2; i++) {
        set[servo->kind](servo->joint, dParamLoStop, position);
        set[servo->kind](servo->joint, dParamHiStop, position);
    }
}

static Servo addServo(Kind kind, dBodyID first, dBodyID second)
{
    Servo servo = {.kind = kind, .joint = makeJoint(kind, first, second), .body = {first, second}};
    switch (kind) {
    case HINGE:
        dJointSetHingeAnchor(servo.joint, 0, 0, 5);
        dJointSetHingeAxis(servo.joint, 0, 0, 1);
        break;
    case SLIDER:
        dJointSetSliderAxis(servo.joint, 0, 0, 1);
        break;
    case UNIVERSAL:
        dJointSetUniversalAnchor(servo.joint, 0, 0, 5);
        dJointSetUniversalAxis1(servo.joint, 0, 0, 1);
        dJointSetUniversalAxis2(servo.joint, 1, 0, 0);
        dJointSetUniversalParam(servo.joint, dParamLoStop2, 0);
        dJointSetUniversalParam(servo.joint, dParamHiStop2, 0);
        break;
    case HINGE2: {
        const dVector3 up = {0, 0, 1}, side = {1, 0, 0};
        dJointSetHinge2Anchor(servo.joint, 0, 0, 5);
        dJointSetHinge2Axes(servo.joint, up, side);
        break;
    }
    case EULER:
        dJointSetAMotorMode(servo.joint, dAMotorEuler);
        dJointSetAMotorAxis(servo.joint, 0, 1, 0, 0, 1);
        dJointSetAMotorAxis(servo.joint, 2, 2, 1, 0, 0);
        servo.other = dJointCreateBall(world, 0);
        dJointAttach(servo.other, first, second);
        dJointSetBallAnchor(servo.other, 0, 0, 5);
        break;
    default:
        servo.start = 3;
        dJointSetDBallAnchor1(servo.joint, 0, 0, first ? 5 : 5 + servo.start);
        dJointSetDBallAnchor2(servo.joint, 0, 0, first ? 5 + servo.start : 5);
    }
    shiftTo(&servo, 0);
    return servo;
}

typedef enum Way { FROM_WORLD, TO_WORLD, BETWEEN, WAYS } Way;

static dBodyID wheel;

static Servo addScene(Kind kind, Way way)
{
    wheel = addBall(world, total, 0.3, 0, 5);
    const dBodyID other = way == BETWEEN ? addBall(world, total / 2, 0.2, 0, kind == WINCH ? 8 : 5) : NULL;
    return way == TO_WORLD ? addServo(kind, NULL, wheel) : addServo(kind, wheel, other);
}

typedef ksStatus Stepper(ksInspector *, double);
static Stepper *const steppers[] = {ksInspectorStep, ksInspectorQuickStep, ksInspectorExactStep};
enum { STEPPERS = sizeof steppers / sizeof *steppers };

static bool isLinear(Kind kind)
{
    return kind == SLIDER || kind == WINCH;
}

static double rateOf(Kind kind)
{
    return isLinear(kind) ? dBodyGetLinearVel(wheel)[2] : dBodyGetAngularVel(wheel)[2];
}

/* The joint's force or torque on the wheel along or about z. */
static double reactionOf(const Servo *servo)
{
    const ksReaction *reaction = ksInspectorGetReaction(inspector, servo->joint);
    const ksWrench *on = &reaction->physical[reaction->body[0] == wheel ? 0 : 1];
    return isLinear(servo->kind) ? on->force[2] : on->torque[2];
}

static double barOf(const Servo *servo)
{
    const ksReaction *reaction = ksInspectorGetReaction(inspector, servo->joint);
    const int side = reaction->body[0] == wheel ? 0 : 1;
    double bar = 0;
    for (int l = 0; l < reaction->rowCount; l++)
        bar += fabs(reaction->row[l].jacobian[side][isLinear(servo->kind) ? 2 : 5]) * reaction->row[l].physicalBar;
    return bar;
}

/* m (dv/h + g) or I dw/h */
static double momentumOf(Kind kind, double before)
{
    dMass mass;
    dBodyGetMass(wheel, &mass);
    const double gained = (rateOf(kind) - before) / step;
    return isLinear(kind) ? mass.mass * (gained + SCENE_GRAVITY) : mass.I[10] * gained;
}

/* To and fro, with a jump, and then at rest. `_i`: the kind, the attachment, the stepper. */
START_TEST(reaction_is_that_of_the_motion)
{
    const Kind kind = (Kind)(_i / STEPPERS / WAYS);
    const Way way = (Way)(_i / STEPPERS % WAYS);
    // a hinge2 cannot be attached to one body, and Euler stops attached (0, b) drive it away
    // (KS_REASON_FALSE_ERROR)
    if ((kind == HINGE2 && way != BETWEEN) || (kind == EULER && way == TO_WORLD))
        return;
    const Servo servo = addScene(kind, way);
    const double tolerance = isLinear(kind) ? exactTolerance : turningTolerance;
    double largest = total * SCENE_GRAVITY;
    for (int i = 0; i < 120; i++) {
        shiftTo(&servo, 0.1 * sin(8 * step * (i < 80 ? i : 80)) + (i > 40 ? 0.02 : 0));
        const double before = rateOf(kind);
        CHECK_OK(steppers[_i % STEPPERS](inspector, step));
        const double expected = momentumOf(kind, before);
        largest = fmax(largest, fabs(expected));
        // the frame of Euler angles is unknown at first
        if (i == 0 && kind == EULER)
            continue;
        ck_assert_double_le(fabs(reactionOf(&servo) - expected), tolerance * largest);
        ck_assert_double_le(barOf(&servo), 10 * tolerance * largest);
    }
}
END_TEST

/* After uninspected steps, or if the host moves a body, the shift is unknown, and the bar includes
 * it. */
START_TEST(shifted_unseen)
{
    const Servo servo = addScene((Kind)_i, FROM_WORLD);
    int seen = 0;
    for (int i = 0; i < 60; i++) {
        shiftTo(&servo, 0.1 * sin(8 * step * (i < 30 ? i : 30)));
        const double before = rateOf(servo.kind);
        if (i % 3) {
            ck_assert(dWorldStep(world, step));
            continue;
        }
        CHECK_OK(ksInspectorStep(inspector, step));
        const double expected = momentumOf(servo.kind, before);
        ck_assert_double_le(fabs(reactionOf(&servo) - expected), barOf(&servo) + exactTolerance * fabs(expected));
        seen++;
    }
    ck_assert_int_eq(seen, 20);
}
END_TEST

/* --- A row that turns --- */

/* The velocity of a shifted position, and its change by the host in this step: (11b) of
 * mechanics.md. */
typedef struct Shift {
    double position, left;
} Shift;

static const double erp = 0.8;

/* rate: before this step. Returns the acceleration. */
static double shift(Shift *last, double position, double *rate)
{
    const double left = (1 - erp) * last->left + position - last->position;
    const double acceleration = erp * (left - last->left) / (step * step);
    *rate = erp * last->left / step;
    *last = (Shift){position, left};
    return acceleration;
}

/* A load of 3 kg swings by up to 35 degrees on a rope of 2 m, which the host shortens and pays out.
 * Near the points of return the shifts of single steps are less than the way of the swing in the
 * direction of the rope. Of the largest force; rounding of poses, and QuickStep's last residual. */
static const double ropeTolerance = 1e-7;

START_TEST(winch_of_a_swinging_load)
{
    const double mass = 3, length = 2, angle = 0.6;
    dBodyID load = addBall(world, mass, 0.1, length * sin(angle), -length * cos(angle));
    dJointID rope = makeJoint(WINCH, load, NULL);
    dJointSetDBallAnchor1(rope, length * sin(angle), 0, -length * cos(angle));
    dJointSetDBallAnchor2(rope, 0, 0, 0);
    dJointSetDBallParam(rope, dParamERP, erp);
    Shift last = {.position = length};
    for (int i = 0; i * step < total; i++) {
        const double position = length + 0.4 * sin(3 * i * step);
        double x[3], v[3];
        ksiCopy(x, dBodyGetPosition(load));
        ksiCopy(v, dBodyGetLinearVel(load));
        const double distance = ksiLength(x), along = ksiDot(x, v) / distance, across2 = ksiDot(v, v) - along * along;
        double rate;
        dJointSetDBallDistance(rope, position);
        const double acceleration = shift(&last, position, &rate),
                     pull = mass * (across2 / distance - acceleration - SCENE_GRAVITY * x[2] / distance);
        CHECK_OK(steppers[_i](inspector, step));
        const double *force = ksInspectorGetReaction(inspector, rope)->physical[0].force;
        ck_assert_double_eq_tol(-ksiDot(force, x) / distance, pull, ropeTolerance * 50);
    }
}
END_TEST

/* A table turns at `spin`. The host shifts a slide of 1 kg on it by the stops of its rail, which
 * thus gives it the accelerations r'' - spin^2 r and 2 spin r'. In each step the engine moves the
 * slide along the tangent, and closes a share of the gap that this leaves: neither is a speed of
 * the mechanism. Of the largest force; of second order in the angle per step, (spin step)^2 / 4. */
static const double spin = 10, tableTolerance = 6e-4;

START_TEST(servo_on_a_turntable)
{
    const double start = 0.5;
    dBodyID table = addBall(world, 1, 0.1, 0, 0), load = addBall(world, 1, 0.1, start, 0);
    dWorldSetGravity(world, 0, 0, 0);
    dBodySetKinematic(table);
    dBodySetAngularVel(table, 0, 0, spin);
    dBodySetAngularVel(load, 0, 0, spin);
    dBodySetLinearVel(load, 0, spin * start, 0);
    Servo servo = {.kind = SLIDER, .joint = makeJoint(SLIDER, load, table)};
    dJointSetSliderAxis(servo.joint, 1, 0, 0);
    dJointSetSliderParam(servo.joint, dParamStopERP, erp);
    Shift last = {0};
    for (int i = 0; i * step < total; i++) {
        const double position = 0.2 * sin(3 * i * step);
        const dReal *at = dBodyGetPosition(load);
        const double x = at[0], y = at[1], r = hypot(x, y);
        double rate;
        shiftTo(&servo, position);
        const double radial = shift(&last, position, &rate) - spin * spin * r, across = 2 * spin * rate;
        CHECK_OK(steppers[_i](inspector, step));
        if (i < 10)  // the first steps, in which the gap grows
            continue;
        const double *force = ksInspectorGetReaction(inspector, servo.joint)->physical[0].force;
        const double largest = spin * spin * (start + 0.2);
        ck_assert_double_eq_tol((force[0] * x + force[1] * y) / r, radial, tableTolerance * largest);
        ck_assert_double_eq_tol((force[1] * x - force[0] * y) / r, across, tableTolerance * largest);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("shifted");
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_loop_test(test, reaction_is_that_of_the_motion, 0, STEPPERS * KINDS * WAYS);
    tcase_add_loop_test(test, shifted_unseen, HINGE, UNIVERSAL);
    tcase_add_loop_test(test, winch_of_a_swinging_load, 0, STEPPERS);
    tcase_add_loop_test(test, servo_on_a_turntable, 0, STEPPERS);
    return runCase("physical values of positions that the host shifts", test);
}

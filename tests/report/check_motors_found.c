/* check_motors_found.c  Findings of motors: overcome, too slow, driven against a stop, or against
 * another motor. */
#include "tests/kits/report/report_kit.h"

/* of closed forms of dWorldStep, whose rows have the world's CFM */
static const double solved = 1e-6;

static json_t *motorOf(json_t *document, size_t joint)
{
    return json_array_get(json_object_get(jointOf(document, joint), "motors"), 0);
}

static void isNear(json_t *motor, const char *key, double value)
{
    ck_assert_double_eq_tol(json_number_value(json_object_get(motor, key)), value, solved * value);
}

static void needIs(json_t *motor, const char *which, double value)
{
    isNear(json_object_get(motor, "need"), which, value);
}

typedef struct Machine {
    dWorldID world;
    ksInspector *inspector;
    ksReport *report;
} Machine;

static Machine begin(double gravity)
{
    Machine m = {.world = dWorldCreate()};
    dWorldSetGravity(m.world, 0, gravity, 0);
    m.inspector = inspect(m.world);
    m.report = watching(m.inspector, NULL);
    return m;
}

static void finish(Machine *m)
{
    ksReportDestroy(m->report);
    ksInspectorDestroy(m->inspector);
    dWorldDestroy(m->world);
}

/* A rod from (x, y) to (toX, toY). */
static dBodyID rod(const Machine *m, double mass, double x, double y, double toX, double toY)
{
    dMass of;
    const double length = hypot(toX - x, toY - y);
    const dBodyID body = dBodyCreate(m->world);
    dMatrix3 turn;
    dMassSetBoxTotal(&of, mass, length, 0.1, 0.1);
    dBodySetMass(body, &of);
    dRFromAxisAndAngle(turn, 0, 0, 1, atan2(toY - y, toX - x));
    dBodySetRotation(body, turn);
    dBodySetPosition(body, (x + toX) / 2, (y + toY) / 2, 0);
    return body;
}

static dJointID hinge(const Machine *m, dBodyID a, dBodyID b, double x, double y)
{
    const dJointID joint = dJointCreateHinge(m->world, NULL);
    dJointAttach(joint, a, b);
    dJointSetHingeAnchor(joint, x, y, 0);
    dJointSetHingeAxis(joint, 0, 0, 1);
    return joint;
}

static void drive(dJointID joint, double target, double most)
{
    dJointSetHingeParam(joint, dParamVel, target);
    dJointSetHingeParam(joint, dParamFMax, most);
}

/* A load of 30 kg on a vertical slider, and a level arm of 10 kg with its mass centre 0.4 m from a
 * hinge: with motors that hold them, and with motors of 200 N and 20 N.m that do not. */
START_TEST(motors_that_sink)
{
    const bool isWeak = _i % 2 == 0, isHinge = _i / 2 == 1;
    const double limit = isHinge ? 20 : 200, need = isHinge ? 10 * 9.81 * 0.4 : 30 * 9.81;
    const dWorldID world = dWorldCreate();
    dMass mass;
    dWorldSetGravity(world, 0, 0, -9.81);
    const dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&mass, isHinge ? 10 : 30, 0.3, 0.2, 0.1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 0.4, 0, 0);
    const dJointID joint = isHinge ? dJointCreateHinge(world, NULL) : dJointCreateSlider(world, NULL);
    dJointAttach(joint, body, NULL);
    if (isHinge) {
        dJointSetHingeAnchor(joint, 0, 0, 0);
        dJointSetHingeAxis(joint, 0, 1, 0);
        dJointSetHingeParam(joint, dParamFMax, isWeak ? limit : 2 * need);
    } else {
        dJointSetSliderAxis(joint, 0, 0, 1);
        dJointSetSliderParam(joint, dParamFMax, isWeak ? limit : 2 * need);
    }
    ksInspector *inspector = inspect(world);
    ksReport *report = watching(inspector, NULL);
    for (int i = 0; i < 20; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    json_t *document = jsonOf(report), *motor = json_array_get(json_object_get(jointOf(document, 0), "motors"), 0);
    ck_assert_int_eq(countAt(motor, "steps"), 20);
    ck_assert_int_eq(countAt(motor, "saturated"), isWeak ? 20 : 0);
    ck_assert_str_eq(json_string_value(json_object_get(motor, "unit")), isHinge ? "N.m" : "N");
    // the need is largest when the arm is level, in the first step
    if (isWeak)
        needIs(motor, "largest", need);
    json_decref(document);
    reportHas(
        report, KS_REPORT_TEXT,
        isHinge
            ? "its motor of 20 N.m is at its limit in 100 % of its steps; to hold, it takes up to 39.24 N.m (96.2 % "
              "more)"
            : "its motor of 200 N is at its limit in 100 % of its steps; to hold, it takes up to 294.3 N (47.2 % more)",
        isWeak);
    reportHas(report, KS_REPORT_TEXT, "Nothing: no joint fails", !isWeak);
    reportHas(report, KS_REPORT_SUPPRESSIONS, "{ motor, ", isWeak);
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A weight of 30 kg on a motor of 200 N, of 100 N in each second step, as a driver that brakes and
 * accelerates sets it. */
START_TEST(limits_that_the_host_changes)
{
    Machine m = begin(-9.81);
    const dBodyID body = rod(&m, 30, -0.5, 0, 0.5, 0);
    const dJointID joint = dJointCreateSlider(m.world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetSliderAxis(joint, 0, 1, 0);
    for (int i = 0; i < 20; i++) {
        dJointSetSliderParam(joint, dParamFMax, i % 2 == 0 ? 200 : 100);
        CHECK_OK(ksInspectorStep(m.inspector, h));
    }
    json_t *document = jsonOf(m.report), *motor = motorOf(document, 0);
    ck_assert_double_eq_tol(json_number_value(json_object_get(motor, "leastLimit")), 100, 1e-9);
    ck_assert_double_eq_tol(json_number_value(json_object_get(motor, "limit")), 200, 1e-9);
    json_decref(document);
    reportHas(m.report, KS_REPORT_TEXT, "its motor of 100 to 200 N is at its limit in 100 % of its steps", true);
    finish(&m);
}
END_TEST

/* A weight of 30 kg on a motor of 200 N. In four of 100 steps it bears an additional 200 N or 2000
 * N: the motor should be chosen by the first, but not by the second. */
START_TEST(needs_of_most_steps)
{
    enum { STEPS = 100, LOADED = 4 };
    static const double bin = 0.006; /* half the width of a histogram's class, and its rounding */
    const double weight = 30 * 9.81, more = _i == 0 ? 200 : 2000;
    Machine m = begin(-9.81);
    const dBodyID body = rod(&m, 30, -0.5, 0, 0.5, 0);
    const dJointID joint = dJointCreateSlider(m.world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetSliderAxis(joint, 0, 1, 0);
    dJointSetSliderParam(joint, dParamFMax, 200);
    for (int i = 0; i < STEPS; i++) {
        if (i % (STEPS / LOADED) == 0)
            dBodyAddForce(body, 0, -more, 0);
        CHECK_OK(ksInspectorStep(m.inspector, h));
    }
    json_t *document = jsonOf(m.report), *need = json_object_get(motorOf(document, 0), "need");
    ck_assert_int_eq(countAt(need, "count"), STEPS);
    needIs(motorOf(document, 0), "largest", weight + more);
    ck_assert_double_eq_tol(json_number_value(json_object_get(need, "p95")), weight, bin * weight);
    json_decref(document);
    reportHas(m.report, KS_REPORT_TEXT, "to hold in 95 % of the steps that overcome it, it takes 293 N (47 % more)",
              true);
    reportHas(m.report, KS_REPORT_TEXT, "(47 % more), in all of them 494 N. If it is to hold", _i == 0);
    reportHas(m.report, KS_REPORT_TEXT, "(47 % more). If it is to hold", _i == 1);
    finish(&m);
}
END_TEST

static const double crank = 0.1, length = 0.35; /* m, of the crank and its rod */

/* The first two derivatives of the block's position on the line through the crank's bearing, by the
 * angle, m. */
static void blockOf(double angle, double *place, double *slope, double *curve)
{
    const double s = crank * sin(angle), c = crank * cos(angle), root = sqrt(length * length - s * s);
    *place = c + root;
    *slope = -s - s * c / root;
    *curve = -c - (c * c - s * s) / root - s * s * c * c / (root * root * root);
}

/* A flywheel of 6 kg drives a block of 1 kg by a crank and a rod at `rate`. @return the hinge of
 * the flywheel */
static dJointID slidingBlock(const Machine *m, double angle, double rate, double brake)
{
    static const double light = 1e-3;
    double end, slope, curve;
    blockOf(angle, &end, &slope, &curve);
    const double x = crank * cos(angle), y = crank * sin(angle);
    const dBodyID wheel = rod(m, 6, -0.5, 0, 0.5, 0), link = rod(m, light, x, y, end, 0);
    const dBodyID block = rod(m, 1, end - 0.05, 0, end + 0.05, 0);
    const dJointID turning = hinge(m, wheel, NULL, 0, 0), pin = dJointCreateBall(m->world, NULL),
                   slider = dJointCreateSlider(m->world, NULL);
    (void)hinge(m, link, wheel, x, y);
    dJointAttach(pin, link, block);
    dJointSetBallAnchor(pin, end, 0, 0);
    dJointAttach(slider, block, NULL);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dJointSetSliderParam(slider, dParamFMax, brake);
    dBodySetAngularVel(wheel, 0, 0, rate);
    dBodySetLinearVel(block, slope * rate, 0, 0);
    dBodySetLinearVel(link, (slope * rate - rate * y) / 2, rate * x / 2, 0);
    dBodySetAngularVel(link, 0, 0, -rate * x / (end - x));
    return turning;
}

/* The flywheel against a weak brake on the block. Holding the block takes its acceleration by the
 * crank, times the flywheel's mass as seen by the block, which has no bound at dead centre. */
START_TEST(needs_at_a_dead_centre)
{
    enum { STEPS = 1200 };
    static const double weak = 1, inertia = 6 * (1 + 0.01) / 12;
    static const double left = 0.02; /* share of steps so near to dead centre that the block's mobility is rounding */
    static const double tail =
        20; /* needs are proportional to 1 / angle^2: of hundreds, the largest exceeds the 95 % by
               more than this factor */
    Machine m = begin(0);
    const double tilt = 0.3;
    const dJointID turning = slidingBlock(&m, tilt, 5, weak);
    double needs[STEPS], place, slope, curve;
    size_t count = 0;
    for (int i = 0; i < STEPS; i++) {
        const double rate = dJointGetHingeAngleRate(turning);
        blockOf(tilt + dJointGetHingeAngle(turning), &place, &slope, &curve);
        if (slope * rate * curve > 0)
            needs[count++] = weak + inertia / (slope * slope) * fabs(curve) * rate * rate;
        CHECK_OK(ksInspectorStep(m.inspector, h));
    }
    qsort(needs, count, sizeof *needs, ascending);
    json_t *document = jsonOf(m.report), *need = json_object_get(motorOf(document, 3), "need");
    const double usual = json_number_value(json_object_get(need, "p95"));
    size_t below = 0;
    while (below < count && needs[below] <= usual)
        below++;
    ck_assert_double_eq_tol((double)below / (double)count, 0.95, left);
    ck_assert_double_gt(json_number_value(json_object_get(need, "largest")), tail * usual);
    json_decref(document);
    reportHas(m.report, KS_REPORT_TEXT, "to hold in half of the steps that overcome it, it takes 155 N", true);
    reportHas(m.report, KS_REPORT_TEXT, "in all of them", false);
    finish(&m);
}
END_TEST

/* A rotor with a brake of this many N.m.s/rad, which takes all of 20 N.m at 20 / brake rad/s: below
 * the target of 10 rad/s, or above it. An unbraked rotor of 1000 kg is still accelerating; a rotor
 * that a stiff brake almost stops, and one whose target only stands for a force, work as
 * intended. */
START_TEST(motors_that_are_slow)
{
    static const struct {
        double mass, brake, target, reached; /* reached 0: no finding */
    } rotor[] = {{1, 5, 10, 4}, {1, 5, -10, 4}, {1, 1, 10, 0}, {1000, 0, 10, 0}, {1000, 1000, 10, 0}, {1, 5, 1e4, 0}};
    enum { STEPS = 200 };
    const double most = 20, longer = 0.01, target = 10;
    const double almost = 0.99; /* of the force: from here on the load takes all of it */
    Machine m = begin(0);
    const dBodyID body = rod(&m, rotor[_i].mass, -0.5, 0, 0.5, 0);
    const dJointID joint = hinge(&m, body, NULL, 0, 0);
    drive(joint, rotor[_i].target, most);
    for (int i = 0; i < STEPS; i++) {
        dBodyAddTorque(body, 0, 0, -rotor[_i].brake * dJointGetHingeAngleRate(joint));
        CHECK_OK(ksInspectorStep(m.inspector, longer));
    }
    json_t *document = jsonOf(m.report), *motor = motorOf(document, 0);
    ck_assert_int_eq(countAt(motor, "steps"), STEPS);
    if (rotor[_i].reached > 0) {
        const double behind = json_number_value(json_object_get(motor, "behind"));
        ck_assert_double_ge(behind, (target - rotor[_i].reached) * (1 - solved));
        ck_assert_double_le(behind, target - almost * rotor[_i].reached);
        isNear(motor, "target", target);
        ck_assert_int_gt(countAt(motor, "lagging"), STEPS / 2);
    }
    json_decref(document);
    reportHas(m.report, KS_REPORT_TEXT,
              "A motor does not reach its target. hinge 1: body 1 \xe2\x80\x93 world: its motor falls up to 6.0",
              rotor[_i].reached > 0);
    reportHas(m.report, KS_REPORT_TEXT, "Nothing: no joint fails", rotor[_i].reached == 0);
    reportHas(m.report, KS_REPORT_SUPPRESSIONS, "{ motor-target, ", rotor[_i].reached > 0);
    finish(&m);
}
END_TEST

static void setSpeed(dBodyID body, dJointID slider, double speed, double target)
{
    dBodySetLinearVel(body, speed, 0, 0);
    dJointSetSliderParam(slider, dParamVel, target);
}

/* A cylinder of 100 N pushes 50 kg at 0.1 m/s, and 147 N push it back, for a tenth of the run or
 * for a blow; or a load slightly above its force slows it by a fifth. In four of these steps the
 * cylinder hardly moves, or is still within 1 % of its target. Before and after, it is at its
 * target, or reaches it. Last, it starts at 8 m/s with a target of 10 and a load of all its force:
 * the difference is larger, but the share of the target smaller. */
START_TEST(a_cylinder_that_is_pushed_back)
{
    enum { STEPS = 1000, FIRST = 500, OTHERS = 4 };
    static const struct {
        double push;
        int steps, fast;
    } load[] = {{147, 100, 0}, {147, 30, 0}, {102.1, 100, 0}, {147, 100, 3}};
    const double longer = 0.005, mass = 50, most = 100, push = load[_i].push, target = 0.1;
    const int fast = load[_i].fast;
    Machine m = begin(0);
    const dBodyID body = rod(&m, mass, 0, 0, 1, 0);
    const dJointID joint = dJointCreateSlider(m.world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetSliderAxis(joint, 1, 0, 0);
    dJointSetSliderParam(joint, dParamFMax, most);
    dJointSetSliderParam(joint, dParamVel, target);
    for (int i = -fast; i < STEPS; i++) {
        if (i == -fast && fast)
            setSpeed(body, joint, 8, 10);
        if (i == 0 && fast)
            setSpeed(body, joint, target, target);
        if (i < 0)
            dBodyAddForce(body, -most, 0, 0);
        if (i >= FIRST && i < FIRST + load[_i].steps)
            dBodyAddForce(body, -push, 0, 0);
        CHECK_OK(ksInspectorStep(m.inspector, longer));
    }
    json_t *document = jsonOf(m.report), *motor = motorOf(document, 0);
    ck_assert_int_eq(countAt(motor, "lagging"), load[_i].steps - OTHERS + fast);
    isNear(motor, "behind", (push - most) / mass * longer * load[_i].steps);
    isNear(motor, "target", target);
    json_decref(document);
    reportHas(m.report, KS_REPORT_TEXT,
              "its motor falls up to 0.47 m/s behind its target of 0.1: in 9.6 % of its steps the load takes all of "
              "its force. Give it more force",
              _i == 0);
    reportHas(m.report, KS_REPORT_TEXT, "Nothing: no joint fails", _i == 1 || _i == 2);
    finish(&m);
}
END_TEST

/* A door on two brakes. The weak one slips. The strong one holds the door, which then has no
 * acceleration but the solver's error; or it slips as well, and holding the door takes the rest of
 * the load. */
START_TEST(brakes_of_a_door)
{
    enum { STEPS = 100 };
    const double weak = 0.2, strong = _i / 2 ? 10 : 100, load = 20;
    Machine m = begin(0);
    const dBodyID door = rod(&m, 5, 0, 0, 1, 0.3), post = rod(&m, 50, 0, 0, -0.7, 0.4);
    drive(hinge(&m, door, post, 0, 0), 0, weak);
    drive(hinge(&m, door, post, 0, 0), 0, strong);
    for (int i = 0; i < STEPS; i++) {
        dBodyAddTorque(door, 0, 0, load);
        dBodyAddTorque(post, 0, 0, -load);
        CHECK_OK(_i % 2 ? ksInspectorQuickStep(m.inspector, h) : ksInspectorStep(m.inspector, h));
    }
    json_t *document = jsonOf(m.report), *motor = motorOf(document, 0);
    ck_assert_int_gt(countAt(motor, "saturated"), 0);
    ck_assert_int_eq(countAt(motor, "overcome"), strong < load ? STEPS : 0);
    if (strong < load && _i % 2 == 0)
        needIs(motor, "largest", load - strong);
    json_decref(document);
    finish(&m);
}
END_TEST

/* At the high or the low stop: driven beyond it, driven away from it against a weight that is too
 * large, or only braked. */
START_TEST(motors_at_stops)
{
    static const struct {
        double target, weight; /* N.m: weight that holds it at the stop */
        bool isHigh, isPressing;
    } at[] = {
        {2, 0, true, true}, {-2, 0, false, true}, {-2, 30, true, false}, {2, -30, false, false}, {0, 30, true, false}};
    enum { STEPS = 50 };
    const double most = 12;
    Machine m = begin(0);
    const dBodyID body = rod(&m, 1, 0, 0, 1, 0);
    const dJointID joint = hinge(&m, body, NULL, 0, 0);
    dJointSetHingeParam(joint, dParamLoStop, at[_i].isHigh ? -1 : 0);
    dJointSetHingeParam(joint, dParamHiStop, at[_i].isHigh ? 0 : 1);
    drive(joint, at[_i].target, most);
    for (int i = 0; i < STEPS; i++) {
        dBodyAddTorque(body, 0, 0, at[_i].weight);
        CHECK_OK(ksInspectorStep(m.inspector, h));
    }
    json_t *document = jsonOf(m.report), *motor = motorOf(document, 0);
    ck_assert_int_eq(countAt(motor, "stopped"), STEPS);
    ck_assert_int_eq(countAt(motor, "pressing"), at[_i].isPressing ? STEPS : 0);
    if (at[_i].isPressing)
        isNear(motor, "pressed", most);
    json_decref(document);
    reportHas(m.report, KS_REPORT_TEXT, "pushes against its stop in 100 % of its steps, with up to 12 N.m",
              at[_i].isPressing);
    reportHas(m.report, KS_REPORT_SUPPRESSIONS, "{ motor-stop, ", at[_i].isPressing);
    finish(&m);
}
END_TEST

/* A hinge of 10 N.m, and an angular motor of 6 N.m about the same axis: against the hinge, with it,
 * or as friction; or a stronger one, which holds the hinge still. */
START_TEST(motors_on_one_axis)
{
    static const struct {
        double target, most, cancelled;
    } other[] = {{-1, 6, 6}, {-1, 15, 10}, {0, 15, 10}, {1, 6, 0}, {0, 6, 0}};
    enum { STEPS = 50 };
    Machine m = begin(0);
    const dBodyID body = rod(&m, 0.1, -0.5, 0, 0.5, 0);
    const dJointID joint = hinge(&m, body, NULL, 0, 0), beside = dJointCreateAMotor(m.world, NULL);
    drive(joint, 1, 10);
    dJointAttach(beside, body, NULL);
    dJointSetAMotorNumAxes(beside, 1);
    dJointSetAMotorAxis(beside, 0, 0, 0, 0, 1);
    dJointSetAMotorParam(beside, dParamVel, other[_i].target);
    dJointSetAMotorParam(beside, dParamFMax, other[_i].most);
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(m.inspector, h));
    json_t *document = jsonOf(m.report);
    double cancelled = 0;
    for (size_t i = 0; i < 2; i++)
        cancelled = fmax(cancelled, json_number_value(json_object_get(motorOf(document, i), "cancelled")));
    ck_assert_double_eq_tol(cancelled, other[_i].cancelled, solved * fmax(1, cancelled));
    json_decref(document);
    reportHas(m.report, KS_REPORT_TEXT, "Two motors work against each other. ", cancelled > 0);
    reportHas(m.report, KS_REPORT_SUPPRESSIONS, "{ motors-opposed, ", cancelled > 0);
    finish(&m);
}
END_TEST

/* A parallelogram whose cranks turn together: 20 N.m act on each of the two cranks. Also by
 * QuickStep, whose sums are noisy. */
START_TEST(motors_in_one_loop)
{
    static const struct {
        double target, most, cancelled;
    } other[] = {{-2, 3, 3}, {2, 3, 0}, {0, 3, 0}};
    static const double noisy = 0.02;
    enum { STEPS = 100, PAIRS = 3 };
    const bool isQuick = _i >= PAIRS;
    const int pair = _i % PAIRS;
    Machine m = begin(0);
    const dBodyID left = rod(&m, 1, 0, 0, 0, 1), right = rod(&m, 1, 2, 0, 2, 1), bar = rod(&m, 1, 0, 1, 2, 1);
    const dJointID first = hinge(&m, left, NULL, 0, 0), second = hinge(&m, right, NULL, 2, 0);
    (void)hinge(&m, bar, left, 0, 1);
    (void)hinge(&m, bar, right, 2, 1);
    drive(first, 2, 20);
    drive(second, other[pair].target, other[pair].most);
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(isQuick ? ksInspectorQuickStep(m.inspector, h) : ksInspectorStep(m.inspector, h));
    json_t *document = jsonOf(m.report);
    double cancelled = 0;
    json_int_t steps = 0;
    for (size_t i = 0; i < 4; i++) {
        json_t *motor = motorOf(document, i);
        cancelled = fmax(cancelled, json_number_value(json_object_get(motor, "cancelled")));
        steps += json_integer_value(json_object_get(motor, "opposed"));
    }
    ck_assert_double_eq_tol(cancelled, other[pair].cancelled,
                            isQuick ? noisy * other[pair].cancelled + solved : solved * fmax(1, cancelled));
    ck_assert_int_ge(steps, other[pair].cancelled > 0 ? STEPS / 2 : 0);
    json_decref(document);
    reportHas(m.report, KS_REPORT_TEXT,
              "hinge 2: body 2 \xe2\x80\x93 world: its motor works against the motor of hinge 1: body 1 \xe2\x80\x93 "
              "world in ",
              cancelled > 0);
    finish(&m);
}
END_TEST

/* A motor raises the upper arm, and a weak motor lets the lower arm sink: powers of opposite signs,
 * and two freedoms. */
START_TEST(motors_of_an_arm)
{
    enum { STEPS = 100 };
    Machine m = begin(-9.81);
    const dBodyID upper = rod(&m, 1, 0, 0, 1, 0), lower = rod(&m, 1, 1, 0, 2, 0);
    drive(hinge(&m, upper, NULL, 0, 0), 5, 40);
    drive(hinge(&m, lower, upper, 1, 0), 1, 3);
    for (int i = 0; i < STEPS; i++)
        CHECK_OK(ksInspectorStep(m.inspector, h));
    json_t *document = jsonOf(m.report);
    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_gt(countAt(motorOf(document, i), "saturated"), STEPS / 2);
        ck_assert_int_eq(countAt(motorOf(document, i), "opposed"), 0);
    }
    json_decref(document);
    finish(&m);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("motors");
    tcase_add_loop_test(test, motors_that_sink, 0, 4);
    tcase_add_test(test, limits_that_the_host_changes);
    tcase_add_loop_test(test, needs_of_most_steps, 0, 2);
    tcase_add_test(test, needs_at_a_dead_centre);
    tcase_add_loop_test(test, motors_that_are_slow, 0, 6);
    tcase_add_loop_test(test, a_cylinder_that_is_pushed_back, 0, 4);
    tcase_add_loop_test(test, brakes_of_a_door, 0, 4);
    tcase_add_loop_test(test, motors_at_stops, 0, 5);
    tcase_add_loop_test(test, motors_on_one_axis, 0, 5);
    tcase_add_loop_test(test, motors_in_one_loop, 0, 6);
    tcase_add_test(test, motors_of_an_arm);
    return runCase("motors found", test);
}

/* check_threshold_mean.c  Limits of means: of sums, of joints without rows, and over interrupted
 * windows; against the momentum of bodies. */
#include "tests/kits/report/threshold_kit.h"

static const double meanTolerance = 1e-11; /* rounding of a step's force, relative to the load */
static const double softTolerance = 1e-6;  /* balls of this softness yield, and the box comes to
                                              rest on them */
static const double stepSize = 0.005, duration = 0.15;

static ksThreshold meanOver(double time, double limit)
{
    ksThreshold limits = thresholds();
    limits.value = KS_MEAN;
    limits.frame = KS_FRAME_WORLD;
    limits.force[2] = limit;
    limits.duration = time;
    return limits;
}

/* A door on two hinges, which a few iterations do not solve: the sum follows from the door's
 * momentum, and has a bar. */
START_TEST(sum_of_two_hinges)
{
    dMatrix3 rotation;
    dRSetIdentity(rotation);
    Scene *scene = sceneHeldTwice(SCENE_DOOR, rotation);
    const dBodyID door = scene->body[0];
    dMass m;
    dBodyGetMass(door, &m);
    const double load = m.mass * SCENE_GRAVITY;
    const ksWrenchTerm term[2] = {{.joint = scene->joint[0], .body = door}, {.joint = scene->joint[1], .body = door}};
    const ksThreshold limits = meanOver(duration, load / 100);
    ksInspectorOptions options = defaultOptions();
    options.values = _i ? 0 : options.values;  // momentum needs no values
    ksInspector *own = inspectWith(scene->world, &options);
    Log log = {0};
    double taken = 0;
    dWorldSetQuickStepNumIterations(scene->world, 5);
    CHECK_OK(ksInspectorOnSumThreshold(own, term, 2, &limits, note, &log));
    for (int n = 0; n < 30; n++) {
        const double before = dBodyGetLinearVel(door)[2];
        ck_assert_int_eq(log.count, 0);
        CHECK_OK(ksInspectorQuickStep(own, stepSize));
        taken += m.mass * (dBodyGetLinearVel(door)[2] - before + stepSize * SCENE_GRAVITY);
    }
    ck_assert_int_eq(log.count, 1);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Z, 29, duration);
    ck_assert_double_le(fabs(log.event[0].load - fabs(taken) / duration), log.event[0].errorBar);
    ck_assert_double_le(log.event[0].errorBar, meanTolerance * load);
    ck_assert_double_gt(log.event[0].errorBar, 0);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

static double momentumOf(const Scene *scene)
{
    double sum = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass m;
        dBodyGetMass(scene->body[i], &m);
        sum += m.mass * dBodyGetLinearVel(scene->body[i])[2];
    }
    return sum;
}

enum { NO_VALUES, PHYSICAL_ALONE, NO_BUDGET, EQUATIONS, BREAKING, LACKS };

/* The top joint of a chain without equations: momentum determines its force. */
START_TEST(without_equations)
{
    enum { LINKS = 4 };
    Scene *scene = sceneChain(LINKS, SCENE_FALLING);
    const dJointID top = scene->joint[0];
    const double load = LINKS * SCENE_GRAVITY;
    ksThreshold limits = meanOver(duration, load / 100);
    ksInspectorOptions options = defaultOptions();
    Log log = {0};
    double taken = 0;
    if (_i == NO_VALUES || _i == BREAKING)
        options.values = 0;
    if (_i == PHYSICAL_ALONE)
        options.values = KS_COMPUTE_PHYSICAL;
    if (_i == NO_BUDGET)
        options.islandRowBudget = 1;
    if (_i == BREAKING)
        limits.flags = KS_THRESHOLD_BREAKS;
    ksInspector *own = inspectWith(scene->world, &options);
    dWorldSetQuickStepNumIterations(scene->world, 5);
    CHECK_OK(ksInspectorOnThreshold(own, top, &limits, note, &log));
    for (int n = 0; n < 30; n++) {
        const double before = momentumOf(scene);
        ck_assert_int_eq(log.count, 0);
        CHECK_OK(ksInspectorQuickStep(own, stepSize));
        taken += momentumOf(scene) - before + stepSize * load;
    }
    ck_assert_int_eq(log.count, 1);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Z, 29, duration);
    ck_assert_double_le(fabs(log.event[0].load - fabs(taken) / duration), log.event[0].errorBar);
    ck_assert_double_le(log.event[0].errorBar, meanTolerance * load);
    ck_assert_double_gt(log.event[0].errorBar, 0);
    const ksReaction *r = ksInspectorGetReaction(own, top);
    const int side = r->body[0] != scene->body[0];
    ck_assert_double_le(fabs(r->mean[side].force[2] - taken / duration), r->meanBar.force[2]);
    ck_assert_double_le(r->meanBar.force[2], meanTolerance * load);
    ck_assert_double_le(r->meanBar.torque[1], meanTolerance * load);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

/* Momentum does not determine how two hinges share the weight. */
START_TEST(without_equations_in_a_loop)
{
    dMatrix3 rotation;
    dRSetIdentity(rotation);
    Scene *scene = sceneHeldTwice(SCENE_DOOR, rotation);
    const ksThreshold limits = meanOver(duration, 1e-3);
    ksInspectorOptions options = defaultOptions();
    Log log = {0};
    options.values = 0;
    ksInspector *own = inspectWith(scene->world, &options);
    CHECK_OK(ksInspectorOnThreshold(own, scene->joint[0], &limits, note, &log));
    for (int n = 0; n < 40; n++)
        CHECK_OK(ksInspectorQuickStep(own, stepSize));
    ck_assert_int_eq(log.count, 0);
    ck_assert_double_nan(ksInspectorGetReaction(own, scene->joint[0])->meanBar.force[2]);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

/* Every third report is false, and the motion shows the true force: these steps belong to the mean,
 * too. */
START_TEST(false_reports)
{
    enum { LINKS = 4 };
    Scene *scene = sceneChain(LINKS, SCENE_FALLING);
    const dBodyID last = scene->body[LINKS - 1];
    const dJointID joint = scene->joint[LINKS - 1];
    const ksWrenchTerm term = {.joint = joint, .body = last};
    const ksThreshold limits = meanOver(duration, 1e-3);
    ksInspector *own = inspect(scene->world);
    Log log = {0};
    dMass m;
    double taken = 0;
    dBodyGetMass(last, &m);
    CHECK_OK(ksInspectorOnSumThreshold(own, &term, 1, &limits, note, &log));
    for (int n = 0; n < 30; n++) {
        const double before = dBodyGetLinearVel(last)[2];
        CHECK_OK(ksInspectorBeginStep(own, KS_QUICK_STEP, stepSize));
        dJointFeedback *report = dJointGetFeedback(joint);
        dWorldQuickStep(scene->world, stepSize);
        for (int k = 0; n % 3 == 0 && k < 3; k++) {
            report->f1[k] *= 1.5;
            report->f2[k] *= 1.5;
            report->t1[k] *= 1.5;
            report->t2[k] *= 1.5;
        }
        CHECK_OK(ksInspectorEndStep(own));
        taken += m.mass * (dBodyGetLinearVel(last)[2] - before + stepSize * SCENE_GRAVITY);
    }
    ck_assert_int_eq(log.count, 1);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Z, 29, duration);
    // observed values are a fit of rows to the motion
    ck_assert_double_eq_tol(log.event[0].load, fabs(taken) / duration, 1e-9 * LINKS * SCENE_GRAVITY);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

/* A plank on two balls, whose shares of the force along the plank are undetermined: the magnitude
 * counts the other components, for each ball and for the sum. */
START_TEST(known_part)
{
    dJointID end[2];
    Log log = {0}, all = {0};
    const double load = 0.5 * mass * SCENE_GRAVITY;
    ksThreshold limits = thresholds();
    dJointDestroy(holder);
    dWorldSetCFM(world, 1e-10);  // without CFM the engine's own equations have no solution
    for (int i = 0; i < 2; i++) {
        end[i] = dJointCreateBall(world, 0);
        dJointAttach(end[i], box, NULL);
        dJointSetBallAnchor(end[i], i ? 0.1 : -0.1, 0, 0);
    }
    const ksWrenchTerm term[2] = {{.joint = end[0], .body = box}, {.joint = end[1], .body = box}};
    limits.value = KS_MEAN;
    limits.frame = KS_FRAME_WORLD;
    limits.duration = 5 * h;
    limits.forceMagnitude = 0.9 * load;
    CHECK_OK(ksInspectorOnThreshold(inspector, end[0], &limits, note, &log));
    limits.forceMagnitude = 1.9 * load;
    CHECK_OK(ksInspectorOnSumThreshold(inspector, term, 2, &limits, note, &all));
    for (int n = 0; n < 6; n++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.count, 1);
    ck_assert(!(log.event[0].determined >> KS_LIMIT_FORCE_X & 1u));
    ck_assert_double_eq_tol(log.event[0].load, load, softTolerance * load);
    ck_assert_double_le(log.event[0].errorBar, exactTolerance * load);
    ck_assert_int_eq(all.count, 1);
    ck_assert_double_eq_tol(all.event[0].load, 2 * load, softTolerance * load);
}
END_TEST

/* The balls of a plank that is tilted by 45 degrees: each row of x and z has a share of the
 * undetermined force along the plank, but the force across the plank is determined, and has a bar. */
START_TEST(known_across_rows)
{
    const double lever = 0.1 / sqrt(2), load = 0.5 * mass * SCENE_GRAVITY / sqrt(2);
    ksThreshold limits = thresholds();
    dMatrix3 tilt;
    Log log = {0};
    dJointDestroy(holder);
    dWorldSetCFM(world, 1e-10);  // without CFM the engine's own equations have no solution
    dRFromAxisAndAngle(tilt, 0, 1, 0, M_PI / 4);
    dBodySetRotation(box, tilt);
    dJointID end = NULL;
    for (int i = 0; i < 2; i++) {
        end = dJointCreateBall(world, 0);
        dJointAttach(end, box, NULL);
        dJointSetBallAnchor(end, i ? lever : -lever, 0, i ? -lever : lever);
    }
    limits.value = KS_MEAN;
    limits.frame = KS_FRAME_BODY;
    limits.duration = 5 * h;
    limits.force[2] = 0.9 * load;
    CHECK_OK(ksInspectorOnThreshold(inspector, end, &limits, note, &log));
    for (int n = 0; n < 6; n++)
        CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *r = ksInspectorGetReaction(inspector, end);
    ck_assert(!r->row[0].determinate && !r->row[2].determinate);
    ck_assert_int_eq(log.count, 1);
    ck_assert(log.event[0].determined >> KS_LIMIT_FORCE_Z & 1u);
    ck_assert_double_eq_tol(log.event[0].load, load, softTolerance * load);
    ck_assert_double_gt(log.event[0].errorBar, 0);
    ck_assert_double_le(log.event[0].errorBar, exactTolerance * load);
}
END_TEST

static void holdByMotor(void)
{
    dJointDestroy(holder);
    holder = dJointCreateLMotor(world, 0);
    dJointAttach(holder, box, NULL);
    dJointSetLMotorNumAxes(holder, 1);
    dJointSetLMotorAxis(holder, 0, 0, 0, 0, 1);
}

/* A motor that is on in every other step has no rows in the others, and then carries nothing. */
START_TEST(steps_without_rows)
{
    enum { STEPS = 20 };
    holdByMotor();
    const double weight = mass * SCENE_GRAVITY, time = STEPS * h;
    const ksWrenchTerm term = {.joint = holder, .body = box};
    const ksThreshold low = meanOver(time, 0.5 * weight), high = meanOver(time, 1.5 * weight);
    Log below = {0}, above = {0};
    double taken = 0;
    if (_i) {
        CHECK_OK(ksInspectorOnSumThreshold(inspector, &term, 1, &low, note, &below));
        CHECK_OK(ksInspectorOnSumThreshold(inspector, &term, 1, &high, note, &above));
    } else {
        CHECK_OK(ksInspectorOnThreshold(inspector, holder, &low, note, &below));
        CHECK_OK(ksInspectorOnThreshold(inspector, holder, &high, note, &above));
    }
    for (int n = 0; n < STEPS; n++) {
        const double before = dBodyGetLinearVel(box)[2];
        dJointSetLMotorParam(holder, dParamFMax, n % 2 ? 1e4 : 0);
        CHECK_OK(ksInspectorStep(inspector, h));
        taken += mass * (dBodyGetLinearVel(box)[2] - before + h * SCENE_GRAVITY);
    }
    // the motor stops the fall of two steps: twice the weight while it is on, the weight in the
    // mean
    ck_assert_double_eq_tol(taken / time, weight, meanTolerance * weight);
    ck_assert_int_eq(below.count, 1);
    ck_assert_double_eq_tol(below.event[0].load, weight, exactTolerance * weight);
    ck_assert_int_eq(above.count, 0);
}
END_TEST

/* An event ends when the motor that bore the load is switched off. */
START_TEST(motor_that_is_off)
{
    holdByMotor();
    ksThreshold limits = thresholds();
    Log log = {0};
    limits.forceMagnitude = 0.5 * mass * SCENE_GRAVITY;
    limits.value = KS_CONVERGED;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    for (int n = 0; n < 6; n++) {
        dJointSetLMotorParam(holder, dParamFMax, n < 3 ? 1e4 : 0);
        CHECK_OK(ksInspectorStep(inspector, h));
    }
    ck_assert_int_eq(log.count, 2);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 0, h);
    checkEvent(&log, 1, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE, 3, 3 * h);
    ck_assert_double_eq(log.event[1].load, 0);
}
END_TEST

enum { SLEEP, DISABLE, TELEPORT, NOTHING, BREAKS };

/* One step of sleep, or without the joint; or no interruption. */
static void breakOff(int kind)
{
    if (kind == SLEEP) {
        dBodyDisable(box);
        CHECK_OK(ksInspectorStep(inspector, h));
        dBodyEnable(box);
    } else if (kind == DISABLE) {
        dJointDisable(holder);
        dBodySetGravityMode(box, 0);
        CHECK_OK(ksInspectorStep(inspector, h));
        dBodySetGravityMode(box, 1);
        dJointEnable(holder);
    } else if (kind == TELEPORT) {
        dBodySetPosition(box, 1, 0, 0);
        dJointSetFixed(holder);
    }
}

/* Steps with a load, then an interruption, then steps with a load: a mean over four steps is always
 * over four consecutive ones. */
START_TEST(broken_windows)
{
    const int kind = _i % BREAKS;
    const bool isSum = _i >= BREAKS;
    const ksThreshold limits = meanOver(4 * h, 30);
    const ksWrenchTerm term = {.joint = holder, .body = box};
    Log log = {0};
    CHECK_OK(isSum ? ksInspectorOnSumThreshold(inspector, &term, 1, &limits, note, &log)
                   : ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    stepsWithLoad(40, 3);
    breakOff(kind);
    stepsWithLoad(40, 3);
    const unsigned long step = kind == NOTHING ? 3 : kind == TELEPORT ? 6 : 7;
    ck_assert_int_eq(log.count, kind == NOTHING);
    stepWithLoad(40);
    ck_assert_int_eq(log.count, 1);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Z, step, 4 * h);
}
END_TEST

/* A load that returns after an interruption has not left the limit in between. A smaller load has
 * left it at once. */
START_TEST(broken_events)
{
    const int kind = _i / 2;
    const bool isThere = _i % 2;
    const ksThreshold limits = meanOver(4 * h, 30);
    Log log = {0};
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    stepsWithLoad(40, 4);
    ck_assert_int_eq(log.count, 1);
    breakOff(kind);
    stepsWithLoad(isThere ? 40 : 10, 1);
    ck_assert_int_eq(log.count, isThere || kind == NOTHING ? 1 : 2);
    stepsWithLoad(isThere ? 40 : 10, 4);
    ck_assert_int_eq(log.count, isThere ? 1 : 2);
    if (!isThere)
        ck_assert_int_eq(log.event[1].phase, KS_THRESHOLD_LEFT);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("threshold_mean");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, sum_of_two_hinges, 0, 2);
    tcase_add_loop_test(test, without_equations, 0, LACKS);
    tcase_add_test(test, without_equations_in_a_loop);
    tcase_add_test(test, false_reports);
    tcase_add_test(test, known_part);
    tcase_add_test(test, known_across_rows);
    tcase_add_loop_test(test, steps_without_rows, 0, 2);
    tcase_add_test(test, motor_that_is_off);
    tcase_add_loop_test(test, broken_windows, 0, 2 * BREAKS);
    tcase_add_loop_test(test, broken_events, 0, 2 * BREAKS);
    return runCase("threshold_mean", test);
}

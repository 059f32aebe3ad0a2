/* check_threshold_load.c  The load of a threshold: closed forms, error bars, and its determined
 * part. */
#include "tests/kits/report/threshold_kit.h"

static const double driftTolerance = 1e-4; /* the engine's drift is the error at the joint of a
                                              swinging body */

/* The bar of the engine's value contains its solver's error. */
START_TEST(bar_of_an_unconverged_solver)
{
    Scene *scene = sceneChain(10, SCENE_FALLING);
    ksInspector *own = inspect(scene->world);
    Log engine = {0}, converged = {0};
    for (int i = 0; i < 100; i++)
        CHECK_OK(ksInspectorQuickStep(own, h));
    ksThreshold limits = thresholds();
    limits.force[2] = limits.forceMagnitude = limits.torque[1] = 1e-3;
    limits.value = KS_ENGINE;
    CHECK_OK(ksInspectorOnThreshold(own, scene->joint[4], &limits, note, &engine));
    limits.value = KS_CONVERGED;
    CHECK_OK(ksInspectorOnThreshold(own, scene->joint[4], &limits, note, &converged));
    CHECK_OK(ksInspectorQuickStep(own, h));
    ck_assert_str_eq(ksVerdictName(engine.reaction[0].verdict), "KS_SOLVER_ERROR");
    ck_assert_int_eq(engine.count, converged.count);
    ck_assert_int_ge(engine.count, 2);
    for (int i = 0; i < engine.count; i++) {
        double missed = fabs(engine.event[i].load - converged.event[i].load);
        ck_assert_double_ge(engine.event[i].errorBar, missed);
        ck_assert_double_le(engine.event[i].errorBar, 10 * engine.event[i].load);
        ck_assert_double_le(converged.event[i].errorBar, exactTolerance * converged.event[i].load);
        ck_assert_double_gt(converged.event[i].errorBar, 0);
    }
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

/* A box on a ball joint starts swinging. The physical value includes the centripetal force, the
 * step's equations do not yet, so the physical value is larger. The difference is a lag of the
 * motion, not an error of the value. */
START_TEST(bar_of_the_physical_value)
{
    const double rate = 5;
    dJointDestroy(holder);
    holder = dJointCreateBall(world, 0);
    dJointAttach(holder, box, NULL);
    dJointSetBallAnchor(holder, 0, 0, 1);
    dBodySetAngularVel(box, 0, rate, 0);
    dBodySetLinearVel(box, -rate, 0, 0);
    Log physical = {0}, converged = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 1;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &physical));
    limits.value = KS_CONVERGED;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &converged));
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksThresholdEvent *large = &physical.event[0], *small = &converged.event[0];
    double exact = mass * (SCENE_GRAVITY + rate * rate);
    ck_assert_int_eq(physical.count + converged.count, 2);
    ck_assert_double_eq_tol(large->load, exact, exactTolerance * exact);
    ck_assert_double_eq_tol(small->load, mass * SCENE_GRAVITY, exactTolerance * exact);
    ck_assert_double_le(fabs(large->load - exact), large->errorBar);
    ck_assert_double_le(large->errorBar, exactTolerance * exact);
}
END_TEST

/* A heavy load on light links under few iterations. The mean force by the motion is known to
 * rounding, while physical values are too uncertain for the limit. */
START_TEST(mean_under_few_iterations)
{
    const double step = 0.005, load = 500, time = 0.15;
    Scene *scene = sceneChain(10, SCENE_FALLING);
    dMass heavy;
    dMassSetSphereTotal(&heavy, load, 0.1);
    dBodySetMass(scene->body[9], &heavy);
    ksInspector *own = inspect(scene->world);
    Log mean = {0}, plain = {0}, breaks = {0};
    double taken = 0, last = 0;
    for (int i = 0; i < 200; i++)
        CHECK_OK(ksInspectorQuickStep(own, step));
    ksThreshold limits = thresholds();
    limits.frame = KS_FRAME_WORLD;
    limits.force[2] = 1;
    limits.value = KS_MEAN;
    CHECK_OK(ksInspectorOnThreshold(own, scene->joint[9], &limits, note, &plain));
    limits.duration = time;
    CHECK_OK(ksInspectorOnThreshold(own, scene->joint[9], &limits, note, &mean));
    limits.flags = KS_THRESHOLD_BREAKS;
    CHECK_OK(ksInspectorOnThreshold(own, scene->joint[9], &limits, note, &breaks));
    for (int i = 0; i < 30; i++) {
        const double before = dBodyGetLinearVel(scene->body[9])[2];
        CHECK_OK(ksInspectorQuickStep(own, step));
        last = dBodyGetLinearVel(scene->body[9])[2] - before;
        taken += load * (last + step * SCENE_GRAVITY);
    }
    ck_assert_int_eq(mean.count, 1);
    ck_assert_int_eq(breaks.count, 1);
    ck_assert_double_eq_tol(mean.event[0].lasted, time, clockTolerance);
    ck_assert_double_eq_tol(mean.event[0].load, fabs(taken) / time, exactTolerance * load * SCENE_GRAVITY);
    ck_assert_double_le(mean.event[0].errorBar, exactTolerance * load * SCENE_GRAVITY);
    ck_assert_double_eq(breaks.event[0].load, mean.event[0].load);
    // without a duration the mean is over the inspector's window, as far as it is filled
    ck_assert_int_ge(plain.count, 1);
    ck_assert_uint_lt(plain.step[0], mean.step[0]);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

/* A value from history assumes constant accelerations. This value is exact, because the rows of an
 * lmotor are constant. */
START_TEST(bar_of_history)
{
    dJointDestroy(holder);
    holder = dJointCreateLMotor(world, 0);
    dJointAttach(holder, box, NULL);
    dJointSetLMotorNumAxes(holder, 1);
    dJointSetLMotorAxis(holder, 0, 0, 0, 0, 1);
    dJointSetLMotorParam(holder, dParamFMax, 1e4);
    Log log = {0}, late = {0};
    ksThreshold limits = thresholds();
    limits.force[0] = 30;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    limits.duration = 2 * h;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &late));
    stepsWithLoad(40, 3);
    stepsWithLoad(20, 3);
    ck_assert_int_eq((int)ksInspectorGetReaction(inspector, holder)->physicalSource, (int)KS_FROM_HISTORY);
    ck_assert_int_eq(log.count, 2);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_X, 1, h);  // there is no history in
                                                                        // the first step
    ck_assert_double_le(log.event[0].errorBar, exactTolerance * 40);
    ck_assert_double_le(log.event[1].errorBar, exactTolerance * 40);
    checkEvent(&late, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_X, 2, 2 * h);
    ck_assert_double_le(late.event[0].errorBar, exactTolerance * 40);
    // after a sleep there is no previous step
    stepsWithLoad(40, 1);
    dBodyDisable(box);
    CHECK_OK(ksInspectorStep(inspector, h));
    dBodyEnable(box);
    stepsWithLoad(20, 2);
    ck_assert_int_eq(log.count, 4);
    checkEvent(&log, 3, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE_X, 9, h);
    ck_assert_double_le(log.event[3].errorBar, exactTolerance * 40);
}
END_TEST

/* A motor lowers a weight: released at -2 m/s^2, lowered evenly, braked at 4 m/s^2: m (g + a). */
START_TEST(lowered_by_a_motor)
{
    dJointDestroy(holder);
    holder = dJointCreateSlider(world, 0);
    dJointAttach(holder, box, NULL);
    dJointSetSliderAxis(holder, 0, 0, 1);
    dJointSetSliderParam(holder, dParamFMax, 1e4);
    Log converged = {0}, engine = {0}, physical = {0};
    ksThreshold limits = thresholds();
    limits.force[0] = 1.2 * mass * SCENE_GRAVITY;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &physical));
    limits.value = KS_CONVERGED;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &converged));
    limits.value = KS_ENGINE;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &engine));
    double speed = 0;
    for (int i = 0; i < 200; i++) {
        speed += h * (i < 50 ? -2 : i >= 100 && i < 125 ? 4 : 0);
        dJointSetSliderParam(holder, dParamVel, speed);
        CHECK_OK(ksInspectorStep(inspector, h));
        ck_assert_double_eq_tol(dBodyGetLinearVel(box)[2], speed, exactTolerance);
    }
    const Log *log[] = {&engine, &converged, &physical};
    for (int value = 0; value < 3; value++) {
        ck_assert_int_eq(log[value]->count, 2);
        checkEvent(log[value], 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_X, 100, h);
        checkEvent(log[value], 1, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE_X, 125, 25 * h);
        ck_assert_double_eq_tol(log[value]->event[0].load, mass * (SCENE_GRAVITY + 4), exactTolerance * 100);
        ck_assert_double_le(log[value]->event[0].errorBar, exactTolerance * 100);
    }
}
END_TEST

/* A plate that is released on one side pulls most at its pivot when it passes below: the load
 * enters the limit at the angle of the closed form, and leaves it on the other side. */
START_TEST(swinging_plate)
{
    Scene *scene = scenePendulum(&scenePlate);
    ksInspector *own = inspect(scene->world);
    double angle, rate, force[3], peak, limit;
    plateReaction(&scenePlate, 0, sqrt(plateRateSquared(&scenePlate, 0)), force);
    peak = length3(force);
    plateReaction(&scenePlate, scenePlate.angle, 0, force);
    limit = (peak + length3(force)) / 2;
    Log log = {0}, onWorld = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = limit;
    CHECK_OK(ksInspectorOnThreshold(own, scene->joint[0], &limits, note, &log));
    limits.body = 1;
    CHECK_OK(ksInspectorOnThreshold(own, scene->joint[0], &limits, note, &onWorld));
    const double behind = 0.02;  // of the limit: the engine's forces are one step late
    bool over = false;
    int changes = 0;
    double before = 0, load = 0;
    for (int i = 0; i < 2000 && changes < 2; i++) {
        plateState(scene, &scenePlate, &angle, &rate);
        plateReaction(&scenePlate, angle, rate, force);
        before = load;
        load = length3(force);
        CHECK_OK(ksInspectorStep(own, h));
        if ((load > limit) == over)
            continue;
        over = !over;
        changes++;
        // drift can shift the event to the next or the previous step
        double slope = fabs(load - before) + driftTolerance * limit;
        if (log.count < changes)
            CHECK_OK(ksInspectorStep(own, h));
        ck_assert_int_eq(log.count, changes);
        ck_assert_int_eq(onWorld.count, changes);
        const ksThresholdEvent *event = &log.event[changes - 1];
        ck_assert_int_eq((int)event->phase, (int)(over ? KS_THRESHOLD_ENTERED : KS_THRESHOLD_LEFT));
        ck_assert_int_eq((int)event->point, (int)KS_POINT_ANCHOR);
        ck_assert_double_eq_tol(event->load, limit, slope);
        ck_assert_double_le(event->errorBar, behind * limit);
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq_tol(onWorld.event[changes - 1].wrench.force[k], -event->wrench.force[k],
                                    exactTolerance * limit);
    }
    ck_assert_int_eq(changes, 2);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

/* A door on two hinges: neither share is unique, so no threshold on unique values fires, though
 * both hinges together carry the load. */
START_TEST(door_on_two_hinges)
{
    dMatrix3 upright;
    dRSetIdentity(upright);
    Scene *scene = sceneHeldTwice(SCENE_DOOR, upright);
    ksInspector *own = inspect(scene->world);
    Log log = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = limits.torqueMagnitude = 1e-3;
    for (int k = 0; k < 3; k++)
        limits.force[k] = limits.torque[k] = 1e-3;
    for (int value = 0; value < 3; value++) {
        limits.value = (ksValue)value;
        for (int j = 0; j < 2; j++)
            CHECK_OK(ksInspectorOnThreshold(own, scene->joint[j], &limits, note, &log));
    }
    for (int i = 0; i < 5; i++)
        CHECK_OK(ksInspectorStep(own, h));
    double expected[3], sum[3] = {0};
    sceneHeldTwiceForce(scene, SCENE_DOOR, expected);
    for (int j = 0; j < 2; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(own, scene->joint[j]);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_INDETERMINATE");
        for (int k = 0; k < 3; k++)
            sum[k] += reaction->physical[0].force[k];
    }
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(sum[k], expected[k], 1e-6 * length3(expected));
    ck_assert_int_eq(log.count, 0);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

/* By default the shares of elastic hinges count; the softer hinge has the smaller share. */
START_TEST(door_on_two_elastic_hinges)
{
    dMatrix3 upright;
    dRSetIdentity(upright);
    Scene *scene = sceneHeldTwice(SCENE_DOOR, upright);
    ksInspector *own = inspect(scene->world);
    double expected[3];
    sceneHeldTwiceForce(scene, SCENE_DOOR, expected);
    Log log[2] = {0};
    ksThreshold limits = thresholds();
    limits.frame = KS_FRAME_WORLD;
    limits.force[2] = fabs(expected[2]) / 3;
    CHECK_OK(ksInspectorSetCompliance(own, scene->joint[0], 3, 0));
    for (int j = 0; j < 2; j++)
        CHECK_OK(ksInspectorOnThreshold(own, scene->joint[j], &limits, note, &log[j]));
    CHECK_OK(ksInspectorStep(own, h));
    ck_assert_int_eq(log[0].count, 0);
    ck_assert_int_eq(log[1].count, 1);
    const ksThresholdEvent *event = &log[1].event[0];
    checkEvent(&log[1], 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Z, 0, h);
    ck_assert_double_eq_tol(event->load, 0.75 * fabs(expected[2]), 1e-6 * fabs(expected[2]));
    ck_assert_double_lt(event->errorBar, 1e-6 * fabs(expected[2]));
    ck_assert_uint_eq(event->determined & 1u << KS_LIMIT_FORCE_Z, 0);
    ksInspectorDestroy(own);
    sceneDestroy(scene);
}
END_TEST

/* With a twin joint the split of the load is arbitrary, and the unique part is unknown. Without the
 * twin the event continues. */
START_TEST(undetermined_for_a_while)
{
    Log log = {0};
    ksThreshold limits = thresholds();
    limits.value = KS_PHYSICAL;
    limits.forceMagnitude = limits.force[2] = 30;
    dWorldSetCFM(world, 1e-10);  // without CFM the engine cannot solve redundant joints
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    stepsWithLoad(40, 3);
    dJointID twin = dJointCreateFixed(world, 0);
    dJointAttach(twin, box, NULL);
    dJointSetFixed(twin);
    stepsWithLoad(20, 5);
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, holder)->verdict), "KS_INDETERMINATE");
    dJointDestroy(twin);
    stepsWithLoad(40, 2);
    ck_assert_int_eq(log.count, 2);
    stepsWithLoad(20, 1);
    ck_assert_int_eq(log.count, 4);
    checkEvent(&log, 2, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE_Z, 10, 5 * h);
    checkEvent(&log, 3, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE, 10, 5 * h);
}
END_TEST

/* A beam on two ball joints at a distance d along x, pulled across and along: the force along the
 * line between the balls is not unique, and the lever rule determines the shares of the force
 * across. The magnitude counts the force across only. */
START_TEST(beam_on_two_balls)
{
    const double place[] = {-0.3, 0.9}, along = 50, across = 12;
    dJointDestroy(holder);
    dWorldSetCFM(world, 1e-10);  // without CFM the engine cannot solve redundant joints
    dJointID ball[2];
    for (int j = 0; j < 2; j++) {
        ball[j] = dJointCreateBall(world, 0);
        dJointAttach(ball[j], box, NULL);
        dJointSetBallAnchor(ball[j], place[j], 0, 0);
    }
    Log log[2] = {0}, coarse = {0};
    ksThreshold limits = thresholds();
    limits.value = KS_PHYSICAL;
    limits.frame = KS_FRAME_WORLD;
    limits.forceMagnitude = 1;
    limits.torqueMagnitude = 1e-3;
    for (int k = 0; k < 3; k++)
        limits.force[k] = 1;
    for (int j = 0; j < 2; j++)
        CHECK_OK(ksInspectorOnThreshold(inspector, ball[j], &limits, note, &log[j]));
    // |f| with the solver's split exceeds this limit, the unique part does not
    limits = thresholds();
    limits.value = KS_PHYSICAL;
    limits.forceMagnitude = 20;
    CHECK_OK(ksInspectorOnThreshold(inspector, ball[0], &limits, note, &coarse));
    dBodyAddForce(box, along, across, 0);
    CHECK_OK(ksInspectorStep(inspector, h));
    const double weight = mass * SCENE_GRAVITY, share[] = {0.75, 0.25};
    for (int j = 0; j < 2; j++) {
        ck_assert_int_eq(log[j].count, 3);
        const ksThresholdEvent *event = log[j].event;
        checkEvent(&log[j], 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Y, 0, h);
        checkEvent(&log[j], 1, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Z, 0, h);
        checkEvent(&log[j], 2, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 0, h);
        ck_assert_double_eq_tol(event[0].load, share[j] * across, exactTolerance * along);
        ck_assert_double_eq_tol(event[1].load, share[j] * weight, exactTolerance * along);
        ck_assert_double_eq_tol(event[2].load, share[j] * hypot(weight, across), exactTolerance * along);
        ck_assert_double_gt(length3(event[2].wrench.force), event[2].load + 5);
        ck_assert_uint_eq(event[2].determined & (1u << KS_LIMIT_FORCE_X | 1u << KS_LIMIT_FORCE), 0);
        ck_assert_uint_ne(event[2].determined & 1u << KS_LIMIT_FORCE_Z, 0);
        // the free force passes through the anchor
        ck_assert_uint_ne(event[2].determined & 1u << KS_LIMIT_TORQUE, 0);
    }
    ck_assert_double_gt(length3(ksInspectorGetReaction(inspector, ball[0])->physical[0].force), 20);
    ck_assert_int_eq(coarse.count, 0);
}
END_TEST

/* A plank lies on two balls at each end, off its middle. The sum of the two balls of an end is
 * unique; the share of each ball requires elastic joints. */
START_TEST(of_a_sum)
{
    const double weight = mass * SCENE_GRAVITY, at = 0.1, half = 1;
    dJointDestroy(holder);
    dJointID ball[4];
    dWorldSetCFM(world, 1e-10);
    for (int i = 0; i < 4; i++) {
        ball[i] = dJointCreateBall(world, 0);
        dJointAttach(ball[i], box, NULL);
        dJointSetBallAnchor(ball[i], i < 2 ? half - at : -half - at, i % 2 ? 0.3 : -0.3, 0);
    }
    const ksWrenchTerm end[] = {{.joint = ball[0], .body = box}, {.joint = ball[1], .body = box}};
    const double load = weight * (half + at) / (2 * half);
    Log sum = {0}, parted = {0}, bad = {0};
    ksThreshold limits = thresholds();
    limits.frame = KS_FRAME_WORLD;
    limits.value = _i ? KS_SHARED : KS_PHYSICAL;
    limits.force[2] = 0.9 * load;
    CHECK_OK(ksInspectorOnSumThreshold(inspector, end, 2, &limits, note, &sum));
    CHECK_OK(ksInspectorOnThreshold(inspector, ball[0], &limits, note, &parted));
    limits.window = 2 * h;
    CHECK_OK(ksInspectorOnSumThreshold(inspector, end, 2, &limits, note, &parted));
    CHECK_STATUS(ksInspectorOnSumThreshold(inspector, end, 0, &limits, note, &bad), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnSumThreshold(inspector, NULL, 1, &limits, note, &bad), KS_ERROR_BAD_ARGUMENT);
    const ksWrenchTerm twice[] = {end[0], end[0]}, foreign = {.joint = ball[0], .body = (dBodyID)&bad},
                       none = {.body = box};
    CHECK_STATUS(ksInspectorOnSumThreshold(inspector, twice, 2, &limits, note, &bad), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnSumThreshold(inspector, &foreign, 1, &limits, note, &bad), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnSumThreshold(inspector, &none, 1, &limits, note, &bad), KS_ERROR_BAD_ARGUMENT);
    const ksWrenchTerm onWorld = {.joint = ball[0]};
    limits.point = KS_POINT_MASS_CENTRE;
    CHECK_STATUS(ksInspectorOnSumThreshold(inspector, &onWorld, 1, &limits, note, &bad), KS_ERROR_NO_ANCHOR);
    limits.value = KS_SHARED;
    limits.flags = KS_THRESHOLD_BREAKS;
    CHECK_STATUS(ksInspectorOnSumThreshold(inspector, end, 2, &limits, note, &bad), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(sum.count, 1);
    ck_assert_double_eq_tol(sum.event[0].load, load, 1e-8 * load);
    ck_assert_double_le(fabs(sum.event[0].load - load), sum.event[0].errorBar);
    ck_assert_double_lt(sum.event[0].errorBar, 1e-6 * load);
    ck_assert_ptr_eq(sum.reaction[0].joint, ball[0]);
    ck_assert_int_eq(parted.count, 0);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(parted.count, 1);  // the mean of the two steps
    dJointDestroy(ball[1]);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(sum.count, 1);  // of three balls, the first one carries everything
    dJointDestroy(ball[0]);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(sum.count, 2);
    ck_assert_int_eq((int)sum.event[1].phase, (int)KS_THRESHOLD_ENDED);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("threshold_load");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_test(test, bar_of_an_unconverged_solver);
    tcase_add_test(test, bar_of_the_physical_value);
    tcase_add_test(test, mean_under_few_iterations);
    tcase_add_test(test, bar_of_history);
    tcase_add_test(test, lowered_by_a_motor);
    tcase_add_test(test, swinging_plate);
    tcase_add_test(test, door_on_two_hinges);
    tcase_add_test(test, door_on_two_elastic_hinges);
    tcase_add_test(test, undetermined_for_a_while);
    tcase_add_test(test, beam_on_two_balls);
    tcase_add_loop_test(test, of_a_sum, 0, 2);
    return runCase("threshold_load", test);
}

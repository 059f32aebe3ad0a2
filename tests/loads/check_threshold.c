/* check_threshold.c  Threshold events of a joint: their times, durations, callbacks, and cases
 * without an event. */
#include "tests/kits/memory_kit.h"
#include "tests/kits/report/threshold_kit.h"

#include <fenv.h>
#include <float.h>

START_TEST(bad_arguments)
{
    Log log = {0};
    ksThreshold limits = thresholds(), bad[17];
    for (int i = 0; i < 17; i++)
        bad[i] = limits;
    bad[0].size = 1;
    bad[1].force[1] = NAN;
    bad[2].torque[2] = -1;
    bad[3].forceMagnitude = 0;
    bad[4].torqueMagnitude = -INFINITY;
    bad[5].value = (ksValue)3;
    bad[6].body = 2;
    bad[7].frame = (ksFrame)3;
    bad[8].duration = INFINITY;
    bad[9].hysteresis = 1;
    bad[10].hysteresis = NAN;
    bad[11].flags = 4;
    bad[12].window = -1;
    bad[13].window = NAN;
    bad[14].flags = KS_THRESHOLD_BREAKS;
    bad[14].value = KS_PHYSICAL;
    bad[15].flags = KS_THRESHOLD_BREAKS;
    bad[15].value = KS_MEAN;
    bad[16].value = KS_OBSERVED;
    feclearexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < 17; i++)
        CHECK_STATUS(ksInspectorOnThreshold(inspector, holder, &bad[i], note, &log), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
    CHECK_STATUS(ksInspectorOnThreshold(NULL, holder, &limits, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnThreshold(inspector, NULL, &limits, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnThreshold(inspector, holder, NULL, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnThreshold(inspector, holder, &limits, NULL, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnThreshold(inspector, (dJointID)&log, &limits, note, &log), KS_ERROR_BAD_ARGUMENT);
    limits.body = 1;
    CHECK_STATUS(ksInspectorOnThreshold(inspector, holder, &limits, note, &log), KS_ERROR_NO_ANCHOR);
    ksThresholdInit(NULL);
    stepsWithLoad(1e6, 2);
    ck_assert_int_eq(log.count, 0);
}
END_TEST

/* Each limit is checked by itself, also on components in the requested axes. */
START_TEST(enters_and_leaves)
{
    Log log = {0};
    ksThreshold limits = thresholds();
    limits.force[2] = 30;
    limits.forceMagnitude = 50;
    limits.force[0] = limits.force[1] = limits.torqueMagnitude = 1e-6;  // these loads are zero
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    stepsWithLoad(20, 3);
    stepsWithLoad(-40, 2);
    stepsWithLoad(60, 4);
    stepsWithLoad(20, 2);
    ck_assert_int_eq(log.count, 4);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Z, 3, h);
    checkEvent(&log, 1, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 5, h);
    checkEvent(&log, 2, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE_Z, 9, 6 * h);
    checkEvent(&log, 3, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE, 9, 4 * h);
    const ksThresholdEvent *event = log.event;
    ck_assert_double_eq_tol(event[0].load, 40, exactTolerance * 40);
    ck_assert_double_eq_tol(event[0].wrench.force[2], -40, exactTolerance * 40);
    ck_assert_double_eq(event[0].limitValue, 30);
    ck_assert_double_eq(event[1].limitValue, 50);
    ck_assert_int_eq((int)event[0].point, (int)KS_POINT_MASS_CENTRE);  // a fixed joint has no
                                                                       // anchor
    ck_assert_uint_eq(event[0].determined, (1u << KS_LIMIT_COUNT) - 1);
    ck_assert_ptr_eq(log.reaction[0].joint, holder);
    for (int i = 0; i < 4; i++) {
        double exact = i == 0 ? 40 : i == 1 ? 60 : 20;
        ck_assert_double_le(event[i].errorBar, exactTolerance * exact);
        ck_assert_double_le(fabs(event[i].load - exact), event[i].errorBar);
    }
}
END_TEST

/* The load is the mean over the duration, from the first step on that completes a duration. */
START_TEST(minimum_duration)
{
    Log log = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 30;
    limits.duration = 20 * h;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    for (int i = 0; i < 20; i++) {
        stepsWithLoad(40, 1);
        stepsWithLoad(15, 1);
    }
    ck_assert_int_eq(log.count, 0);  // the mean is 27.5 N
    for (int i = 0; i < 20; i++) {
        stepsWithLoad(40, 1);
        stepsWithLoad(26, 1);
    }
    stepsWithLoad(10, 10);
    ck_assert_int_eq(log.count, 2);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 49, 20 * h);
    ck_assert_double_eq_tol(log.event[0].load, (5 * 33 + 5 * 27.5) / 10, exactTolerance * 30);
    checkEvent(&log, 1, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE, 82, 52 * h);
    ck_assert_double_eq_tol(log.event[1].load, (17 * 33. + 26 - 33 + 3 * 10) / 20, exactTolerance * 30);
    ck_assert_double_eq_tol(log.event[1].peak, 33, exactTolerance * 30);
}
END_TEST

/* With a separate window, the mean over that window has to stay above the limit for the
 * duration. */
START_TEST(duration_of_a_window)
{
    Log log = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 30;
    limits.window = 4 * h;
    limits.duration = 3 * h;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    stepsWithLoad(20, 4);
    stepsWithLoad(80, 1);  // the mean stays 35 N while the load is in the window
    stepsWithLoad(20, 6);
    ck_assert_int_eq(log.count, 2);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 6, 3 * h);
    checkEvent(&log, 1, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE, 8, 4 * h);
}
END_TEST

/* A duration that exceeds the sum of the steps: by single-precision rounding, and by more. */
START_TEST(duration_to_rounding)
{
    const double longer[] = {0.005 / 0.005f, 1 + 3 * (double)FLT_EPSILON};
    Log log = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 30;
    limits.duration = 20 * h * longer[_i];
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    stepsWithLoad(40, 20);
    ck_assert_int_eq(log.count, _i == 0);
}
END_TEST

START_TEST(hysteresis)
{
    const double load[] = {27, 33, 29, 31, 28.5, 33, 26.9, 29, 31, 20};
    Log with = {0}, without = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 30;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &without));
    limits.hysteresis = 0.1;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &with));
    for (int i = 0; i < 10; i++)
        stepWithLoad(load[i]);
    ck_assert_int_eq(without.count, 8);
    ck_assert_int_eq(with.count, 4);
    checkEvent(&with, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 1, h);
    checkEvent(&with, 1, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE, 6, 5 * h);
    checkEvent(&with, 2, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 8, h);
    checkEvent(&with, 3, KS_THRESHOLD_LEFT, KS_LIMIT_FORCE, 9, h);
}
END_TEST

/* The load breaks the joint: the box falls, and one last call says that the joint is gone. */
START_TEST(breakable)
{
    Log log = {.destroyJoint = true}, watcher = {0};
    ksThreshold limits = thresholds();
    limits.force[2] = 30;
    limits.forceMagnitude = 31;  // entered as well, but the joint is gone before its call
    limits.duration = 3 * h;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &watcher));
    stepsWithLoad(20, 5);
    stepsWithLoad(40, 10);
    ck_assert_int_eq(log.count, 2);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE_Z, 6, 3 * h);  // the mean is 33.3 N
    const ksThresholdEvent *last = &log.event[1];
    ck_assert_int_eq((int)last->phase, (int)KS_THRESHOLD_ENDED);
    ck_assert_int_eq((int)last->limit, (int)KS_LIMIT_COUNT);
    ck_assert(isnan(last->load) && isnan(last->errorBar) && isnan(last->lasted) && isnan(last->wrench.force[0]));
    ck_assert_uint_eq(log.step[1], 7);
    ck_assert(log.reaction[1].reasons & KS_REASON_JOINT_GONE);
    ck_assert_ptr_eq(log.reaction[1].joint, holder);
    ck_assert_int_eq(watcher.count, 1);
    ck_assert_int_eq((int)watcher.event[0].phase, (int)KS_THRESHOLD_ENDED);
    // 8 steps of free fall under 40 N
    ck_assert_double_eq_tol(dBodyGetLinearVel(box)[2], -40 / mass * 8 * h, exactTolerance);
}
END_TEST

START_TEST(ended_by_its_user)
{
    Log log = {.unsubscribe = true, .inspector = inspector}, off = {0};
    ksThreshold limits = thresholds();
    limits.force[2] = limits.forceMagnitude = 30;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &off));
    CHECK_OK(ksInspectorOff(inspector, &off));
    stepsWithLoad(40, 3);
    dJointDestroy(holder);
    stepsWithLoad(40, 2);
    ck_assert_int_eq(log.count, 1);
    ck_assert_int_eq(off.count, 0);
}
END_TEST

/* A callback destroys another joint: that joint gets its last call in the next step. The world
 * lists the newest joint first. */
START_TEST(destroys_another)
{
    dBodyID other = makeBox(world, 3);
    dJointID second = dJointCreateFixed(world, 0);
    dJointAttach(second, other, NULL);
    dJointSetFixed(second);
    Log killer = {.victim = holder}, victim = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 10;
    CHECK_OK(ksInspectorOnThreshold(inspector, second, &limits, note, &killer));
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &victim));
    stepsWithLoad(20, 1);
    ck_assert_int_eq(killer.count, 1);
    ck_assert_int_eq(victim.count, 0);
    stepsWithLoad(20, 2);
    ck_assert_int_eq(victim.count, 1);
    ck_assert_int_eq((int)victim.event[0].phase, (int)KS_THRESHOLD_ENDED);
    ck_assert_int_eq(killer.count, 1);
}
END_TEST

static void shove(dBodyID body)
{
    const dReal *v = dBodyGetLinearVel(body);
    dBodySetLinearVel(body, v[0], v[1], v[2] + 1e-4);
}

/* An unexplained step, an unsolved joint and a missing value cause no event and end none. */
START_TEST(what_is_not_checked)
{
    Log log = {0}, eager = {0};
    ksThreshold limits = thresholds();
    limits.value = KS_ENGINE;
    limits.forceMagnitude = 30;
    limits.duration = 4 * h;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    limits.flags = KS_THRESHOLD_UNCHECKED;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &eager));
    stepsWithLoad(40, 2);
    dBodySetMovedCallback(box, shove);
    stepsWithLoad(40, 10);
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, holder)->verdict), "KS_UNEXPLAINED");
    ck_assert_int_eq(log.count, 0);
    ck_assert_int_eq(eager.count, 1);
    checkEvent(&eager, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 3, 4 * h);
    // a step in which the body sleeps does not, either
    dBodySetMovedCallback(box, NULL);
    dBodySetLinearVel(box, 0, 0, 0);
    dBodyDisable(box);
    CHECK_OK(ksInspectorStep(inspector, h));
    dBodyEnable(box);
    dBodySetForce(box, 0, 0, 0);
    stepsWithLoad(40, 2);
    ck_assert_int_eq(log.count, 1);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, 14, 4 * h);
}
END_TEST

START_TEST(values_that_are_not_there)
{
    const unsigned values[] = {0, KS_COMPUTE_CONVERGED};
    Log log[2][2][3] = {0};
    for (int i = 0; i < 2; i++) {
        ksInspectorOptions options = defaultOptions();
        options.values = values[i];
        ksInspector *own = inspectWith(world, &options);
        for (int flag = 0; flag < 2; flag++) {
            for (int value = 0; value < 3; value++) {
                ksThreshold limits = thresholds();
                limits.value = (ksValue)value;
                limits.forceMagnitude = 10;
                limits.flags = flag ? KS_THRESHOLD_UNCHECKED : 0;
                CHECK_OK(ksInspectorOnThreshold(own, holder, &limits, note, &log[i][flag][value]));
            }
        }
        CHECK_OK(ksInspectorStep(own, h));
        ksInspectorDestroy(own);
    }
    const int expected[2][2][3] = {{{0, 0, 0}, {1, 0, 0}}, {{1, 1, 0}, {1, 1, 0}}};
    for (int i = 0; i < 12; i++)
        ck_assert_int_eq((&log[0][0][0])[i].count, (&expected[0][0][0])[i]);
    ck_assert(isnan(log[0][1][KS_ENGINE].event[0].errorBar));
    ck_assert_double_le(log[1][0][KS_ENGINE].event[0].errorBar, exactTolerance * mass * SCENE_GRAVITY);
}
END_TEST

START_TEST(memory)
{
    Counter counter = {.all = 1};
    Log log = {0};
    ksInspectorOptions options = defaultOptions();
    options.allocator = (ksAllocator){countingResize, &counter};
    ksInspector *own = inspectWith(world, &options);
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 10;
    counter.refuse = 1;
    CHECK_STATUS(ksInspectorOnThreshold(own, holder, &limits, note, &log), KS_ERROR_NO_MEMORY);
    counter.refuse = 0;
    CHECK_OK(ksInspectorOnThreshold(own, holder, &limits, note, &log));
    for (int i = 0; i < 3; i++)
        CHECK_OK(ksInspectorStep(own, h));
    long requests = counter.requests;
    for (int i = 0; i < 20; i++) {
        dBodyAddForce(box, 0, 0, i / 4 % 2 ? mass * SCENE_GRAVITY : 0);
        CHECK_OK(ksInspectorStep(own, h));
    }
    ck_assert_int_eq(counter.requests, requests);
    ck_assert_int_eq(log.count, 5);
    ksInspectorDestroy(own);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("threshold");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_test(test, bad_arguments);
    tcase_add_test(test, enters_and_leaves);
    tcase_add_test(test, minimum_duration);
    tcase_add_test(test, duration_of_a_window);
    tcase_add_loop_test(test, duration_to_rounding, 0, 2);
    tcase_add_test(test, hysteresis);
    tcase_add_test(test, breakable);
    tcase_add_test(test, ended_by_its_user);
    tcase_add_test(test, destroys_another);
    tcase_add_test(test, what_is_not_checked);
    tcase_add_test(test, values_that_are_not_there);
    tcase_add_test(test, memory);
    return runCase("threshold", test);
}

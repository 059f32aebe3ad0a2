/* check_touch.c  Touches that begin, last with another blow, and end, against closed forms. */
#include "tests/kits/contacts/touch_kit.h"

enum { STEPPERS = KS_FOREIGN_STEP + 1 };

/* The normal row of a contact requires J v* = e v, and free fall adds -g h to v in the step: lambda
 * h = m ((1 + e) v + g h). In steps of each kind, with contacts as reported and solved. */
START_TEST(ball_lands)
{
    /* rounding; and the error of one row after 20 sweeps: 0.3^20 */
    static const double rounding = 1e-12, sweeps = 1e-9;
    const ksStepper stepper = (ksStepper)(_i % STEPPERS);
    const double bounce = _i / STEPPERS % 2 ? 0.5 : 0, tolerance = stepper == KS_QUICK_STEP ? sweeps : rounding;
    dBodyID ball = addBall(world, mass, radius, 1, radius);
    Log log = {.count = 0};
    if (_i / STEPPERS / 2) {
        ksInspectorDestroy(inspector);
        inspector = inspectSolved(world);
    }
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, INFINITY, note, &log));
    dBodySetLinearVel(ball, 0, 0, -speed);
    land(ball, bounce);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    dJointGroupEmpty(group);
    ck_assert_int_eq(log.count, 1);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    ck_assert_int_eq(log.count, 2);
    const ksTouch *began = &log.at[0], *ended = &log.at[1];
    expect(&log, 0, KS_TOUCH_BEGAN, 0, 0);
    ck_assert_ptr_eq(began->body[0], ball);
    ck_assert_ptr_null(began->body[1]);
    ck_assert_double_eq_tol(began->impulse, mass * ((1 + bounce) * speed + SCENE_GRAVITY * h),
                            tolerance * mass * speed);
    ck_assert_double_eq_tol(began->closing, speed, rounding);
    ck_assert_double_eq(began->sliding, 0);
    ck_assert_double_le(distance3(began->normal, up), rounding);
    ck_assert_double_le(distance3(began->point, (double[]){1, 0, 0}), rounding);
    ck_assert_uint_eq(began->contactCount, 1);
    expect(&log, 1, KS_TOUCH_ENDED, 1, h);
    ck_assert_double_eq(ended->impulse, 0);
    ck_assert_uint_eq(ended->contactCount, 0);
    ck_assert(isnan(ended->closing) && isnan(ended->sliding) && isnan(ended->point[0]) && isnan(ended->normal[2]));
}
END_TEST

/* The four corners of a box that slides, or spins about the vertical; the centre of pressure
 * balances the moment of friction. */
START_TEST(box_slides)
{
    static const double compliance =
        1e-9; /* of the pressure: a CFM of 1e-10 / h in the share that four corners leave undetermined */
    const double size[3] = {0.6, 0.8, 0.5}, spin = 4;
    dBodyID box = addBox(world, mass, size, size[2] / 2);
    Log log = {.count = 0};
    dWorldSetCFM(world, 1e-10);
    if (_i)
        dBodySetAngularVel(box, 0, 0, spin);
    else
        dBodySetLinearVel(box, speed, 0, 0);
    CHECK_OK(ksInspectorOnTouch(inspector, box, NULL, 0, note, &log));
    for (int i = 0; i < 4; i++) {
        const double at[3] = {(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], 0};
        touch(box, NULL, at, up, 0, friction);
    }
    step();
    const double ahead[3] = {_i ? 0 : friction * size[2] / 2, 0, 0};
    ck_assert_int_eq(log.count, 1);
    expect(&log, 0, KS_TOUCH_BEGAN, 0, 0);
    ck_assert_uint_eq(log.at[0].contactCount, 4);
    ck_assert_double_eq_tol(log.at[0].impulse, mass * SCENE_GRAVITY * h, compliance);
    ck_assert_double_eq_tol(log.at[0].sliding, _i ? spin * hypot(size[0], size[1]) / 2 : speed, compliance);
    ck_assert_double_eq_tol(log.at[0].closing, 0, compliance);
    if (!_i)
        ck_assert_double_le(distance3(log.at[0].point, ahead), compliance);
    ck_assert_double_le(distance3(log.at[0].normal, up), compliance);
}
END_TEST

/* A ball in a groove of two planes at 45 degrees: m (v + g h) / sqrt(2) on each; the sum over the
 * ball includes both. */
START_TEST(groove)
{
    static const double rounding = 1e-12;
    const double s = sqrt(0.5), momentum = mass * (speed + SCENE_GRAVITY * h);
    dBodyID ball = addBall(world, mass, radius, 0, 0);
    Log log = {.count = 0};
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, note, &log));
    dBodySetLinearVel(ball, 0, 0, -speed);
    touch(ball, NULL, (double[]){-s * radius, 0, -s * radius}, (double[]){s, 0, s}, 0, 0);
    touch(ball, NULL, (double[]){s * radius, 0, -s * radius}, (double[]){-s, 0, s}, 0, 0);
    step();
    ck_assert_int_eq(log.count, 1);
    ck_assert_double_eq_tol(log.at[0].impulse, 2 * s * momentum, rounding * momentum);
    ck_assert_double_eq_tol(log.at[0].impulse * log.at[0].normal[2], momentum, rounding * momentum);
    ck_assert_double_eq_tol(log.at[0].closing, s * speed, rounding);
    ck_assert_double_eq_tol(log.at[0].sliding, s * speed, rounding);
    ck_assert_uint_eq(log.at[0].contactCount, 2);
}
END_TEST

/* Two balls meet: both sides of one blow, and a subscription to one partner. */
START_TEST(both_sides)
{
    static const double rounding = 1e-12;
    dBodyID left = addBall(world, mass, radius, -radius, 5), right = addBall(world, mass, radius, radius, 5);
    dBodyID other = addBall(world, mass, radius, 7, 5);
    const double along[3] = {1, 0, 0}, against[3] = {-1, 0, 0};
    Log any = {.count = 0}, pair = {.count = 0}, none = {.count = 0};
    CHECK_OK(ksInspectorOnTouch(inspector, left, NULL, 0, note, &any));
    CHECK_OK(ksInspectorOnTouch(inspector, right, left, 0, note, &pair));
    CHECK_OK(ksInspectorOnTouch(inspector, right, other, 0, note, &none));
    dBodySetLinearVel(left, speed, 0, 0);
    dBodySetLinearVel(right, -speed, 1, 0);
    touch(left, right, (double[]){0, 0, 5}, against, 0, 0);
    step();
    step();
    const Log *log[2] = {&any, &pair};
    for (int i = 0; i < 2; i++) {
        const ksTouch *began = &log[i]->at[0];
        ck_assert_int_eq(log[i]->count, 2);
        expect(log[i], 0, KS_TOUCH_BEGAN, 0, 0);
        expect(log[i], 1, KS_TOUCH_ENDED, 1, h);
        ck_assert_ptr_eq(began->body[0], i ? right : left);
        ck_assert_ptr_eq(began->body[1], i ? left : right);
        ck_assert_double_eq_tol(began->impulse, mass * speed, rounding);
        ck_assert_double_eq_tol(began->closing, 2 * speed, rounding);
        ck_assert_double_eq_tol(began->sliding, 1, rounding);
        ck_assert_double_le(distance3(began->normal, i ? along : against), rounding);
    }
    ck_assert_int_eq(none.count, 0);
}
END_TEST

/* A ball rests, is struck from above in one step, rests, and parts. */
START_TEST(strikes_again)
{
    static const double rounding = 1e-12;
    const double weight = mass * SCENE_GRAVITY, blow = 1000;
    dBodyID ball = addBall(world, mass, radius, 0, radius);
    Log all = {.count = 0}, blows = {.count = 0}, ends = {.count = 0}, late = {.count = 0};
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, note, &all));
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 2 * weight * h, note, &blows));
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, INFINITY, note, &ends));
    for (unsigned i = 0; i < 10; i++) {
        if (i == 4)
            dBodyAddForce(ball, 0, 0, -blow);
        if (i == 6)
            CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, note, &late));
        if (i < 8)
            land(ball, 0);
        step();
    }
    ck_assert_int_eq(all.count, 9);
    for (int i = 0; i < 9; i++) {
        expect(&all, i, i == 0 ? KS_TOUCH_BEGAN : i == 8 ? KS_TOUCH_ENDED : KS_TOUCH_LASTS, (unsigned)i, h * i);
        ck_assert_double_eq_tol(all.at[i].impulse, i == 8 ? 0 : (weight + (i == 4 ? blow : 0)) * h,
                                rounding * blow * h);
    }
    ck_assert_int_eq(blows.count, 3);
    expect(&blows, 0, KS_TOUCH_BEGAN, 0, 0);
    expect(&blows, 1, KS_TOUCH_LASTS, 4, 4 * h);
    expect(&blows, 2, KS_TOUCH_ENDED, 8, 8 * h);
    ck_assert_int_eq(ends.count, 2);
    // a touch that is older than the subscription begins in its first step
    ck_assert_int_eq(late.count, 3);
    expect(&late, 0, KS_TOUCH_BEGAN, 6, 0);
    expect(&late, 2, KS_TOUCH_ENDED, 8, 2 * h);
}
END_TEST

/* A contact that does not press is no touch; contact in every other step begins and ends as
 * often. */
START_TEST(chatters)
{
    dBodyID ball = addBall(world, mass, radius, 0, radius);
    Log log = {.count = 0};
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, note, &log));
    for (unsigned i = 0; i < 6; i++) {
        dBodySetLinearVel(ball, 0, 0, i & 1 ? speed : -speed);
        land(ball, 0);
        step();
    }
    ck_assert_int_eq(log.count, 6);
    for (int i = 0; i < 6; i++)
        expect(&log, i, i & 1 ? KS_TOUCH_ENDED : KS_TOUCH_BEGAN, (unsigned)i, i & 1 ? h : 0);
}
END_TEST

/* A resting ball falls asleep; its host either continues to create contacts, or creates none for
 * sleepers. Then it is lifted off. */
START_TEST(sleeps)
{
    dBodyID ball = addBall(world, mass, radius, 0, radius);
    Log log = {.count = 0};
    dBodySetAutoDisableFlag(ball, 1);
    dBodySetAutoDisableSteps(ball, 3);
    dBodySetAutoDisableTime(ball, 0);
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, INFINITY, note, &log));
    for (unsigned i = 0; i < 15; i++) {
        if (_i || dBodyIsEnabled(ball))
            land(ball, 0);
        step();
    }
    ck_assert(!dBodyIsEnabled(ball));
    ck_assert_int_eq(log.count, 1);
    dBodyEnable(ball);
    land(ball, 0);
    step();
    ck_assert_int_eq(log.count, 1);
    dBodySetLinearVel(ball, 0, 0, speed);
    step();
    ck_assert_int_eq(log.count, 2);
    expect(&log, 1, KS_TOUCH_ENDED, 16, 16 * h);
}
END_TEST

/* A box on a sleeping one is lifted off: they have parted, although one of them sleeps. */
START_TEST(leaves_a_sleeper)
{
    dBodyID lower = addBall(world, mass, radius, 0, radius), upper = addBall(world, mass, radius, 0, 3 * radius);
    Log log = {.count = 0};
    CHECK_OK(ksInspectorOnTouch(inspector, lower, upper, INFINITY, note, &log));
    dBodySetLinearVel(upper, 0, 0, -speed);  // if all forces of the step balanced, the engine's solver would stop here
    for (unsigned i = 0; i < 2; i++) {
        land(lower, 0);
        touch(upper, lower, (double[]){0, 0, 2 * radius}, up, 0, friction);
        step();
    }
    dBodyDisable(lower);
    dBodyDisable(upper);
    step();
    ck_assert_int_eq(log.count, 1);
    dBodyEnable(upper);
    dBodySetLinearVel(upper, 0, 0, speed);
    step();
    ck_assert_int_eq(log.count, 2);
    expect(&log, 1, KS_TOUCH_ENDED, 3, 3 * h);
    ck_assert(!dBodyIsEnabled(lower));
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("touch");
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_loop_test(test, ball_lands, 0, 4 * STEPPERS);
    tcase_add_loop_test(test, box_slides, 0, 2);
    tcase_add_test(test, groove);
    tcase_add_test(test, both_sides);
    tcase_add_test(test, strikes_again);
    tcase_add_test(test, chatters);
    tcase_add_loop_test(test, sleeps, 0, 2);
    tcase_add_test(test, leaves_a_sleeper);
    return runCase("touch", test);
}

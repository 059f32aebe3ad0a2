/* check_breaks.c  Joints that break one after the other within a step, and loads as means over a
 * window. */
#include "tests/kits/report/threshold_kit.h"

/* of a load: rounding of places a metre from the origin, through erp/h^2 */
static const double barTolerance = BY_PRECISION(1e-6, 2e-2);

/* with less, the engine's own equations would be singular where joints are redundant */
static const double leastCfm = BY_PRECISION(1e-10, 1e-5);

/* --- Windows --- */

/* A force of 2 N.s within 20 ms has a mean of 200 N over 10 ms or more, whatever the step size. */
START_TEST(a_blow_is_the_same_for_each_step_size)
{
    const double window = 0.04, impulse = 2, weight = mass * SCENE_GRAVITY;
    const double sizes[] = {0.02, 0.01, 0.005, 0.001}, step = sizes[_i];
    Log log = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 0.99 * impulse / window;
    limits.window = window;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    const int steps = (int)lround(0.02 / step);
    for (int i = 0; i < 10 + steps + 2 * (int)lround(window / step); i++) {
        const double pull = i >= 10 && i < 10 + steps ? impulse / (steps * step) : 0;
        dBodyAddForce(box, 0, 0, weight - pull);
        CHECK_OK(ksInspectorStep(inspector, step));
    }
    ck_assert_int_eq(log.count, 2);
    checkEvent(&log, 0, KS_THRESHOLD_ENTERED, KS_LIMIT_FORCE, (unsigned long)(9 + steps), step);
    ck_assert_double_eq_tol(log.event[0].load, impulse / window, exactTolerance * impulse / window);
    ck_assert_double_eq_tol(log.event[0].wrench.force[2], impulse / window, exactTolerance * impulse / window);
    ck_assert_double_lt(log.event[0].errorBar, barTolerance * impulse / window);
    ck_assert_int_eq((int)log.event[1].phase, (int)KS_THRESHOLD_LEFT);
    ck_assert_double_eq_tol(log.event[1].lasted, window - 0.02 + step, clockTolerance);
}
END_TEST

/* A constant load has its full mean, whether or not whole steps fill the window, and also after a
 * step of another size. */
START_TEST(a_window_that_steps_do_not_fill)
{
    const double load = 40, sizes[] = {0.006, 0.009, 0.0065};
    Log log = {0}, brief = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = load * (1 - exactTolerance);
    limits.window = 0.01;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    limits.forceMagnitude = 1;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &brief));
    for (int i = 0; i < 3; i++) {
        dBodyAddForce(box, 0, 0, mass * SCENE_GRAVITY - load);
        CHECK_OK(ksInspectorStep(inspector, sizes[i]));
        ck_assert_int_eq(log.count, i > 0);
    }
    for (int i = 0; i < 2; i++) {
        dBodyAddForce(box, 0, 0, mass * SCENE_GRAVITY);
        CHECK_OK(ksInspectorStep(inspector, 0.004));
    }
    ck_assert_int_eq(log.count, 2);
    ck_assert_double_eq_tol(log.event[1].load, load * 0.6, load * exactTolerance);
    ck_assert_double_eq_tol(log.event[0].load, load, load * exactTolerance);
    ck_assert_int_eq(brief.count, 1);
}
END_TEST

/* Before the window is full, the missing part counts as no load; a step longer than the window is
 * its own mean. */
START_TEST(a_window_fills)
{
    Log log = {0}, brief = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = 35;
    limits.window = 4 * h;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    limits.window = h / 3;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &brief));
    stepsWithLoad(40, 3);
    ck_assert_int_eq(log.count, 0);
    stepWithLoad(50);
    ck_assert_int_eq(log.count, 1);
    ck_assert_double_eq_tol(log.event[0].load, (3 * 40 + 50) / 4.0, exactTolerance * 40);
    stepsWithLoad(90, 2);
    stepsWithLoad(20, 5);
    ck_assert_int_eq(log.count, 2);
    ck_assert_double_eq_tol(log.event[1].peak, (40 + 50 + 2 * 90) / 4.0, 40 * exactTolerance);
    ck_assert_int_eq(brief.count, 2);
    ck_assert_double_eq_tol(brief.event[0].load, 40, 40 * exactTolerance);
    ck_assert_double_eq_tol(brief.event[1].peak, 90, 90 * exactTolerance);
}
END_TEST

/* A bar of rounding can exceed a tiny limit; a load far above both exceeds the limit for
 * certain. */
START_TEST(a_load_far_above_its_bar_and_the_limit)
{
    const double load = 40, limit = 1e-30;
    Log log = {0};
    ksThreshold limits = thresholds();
    limits.forceMagnitude = limit;
    CHECK_OK(ksInspectorOnThreshold(inspector, holder, &limits, note, &log));
    stepWithLoad(load);
    ck_assert_int_eq(log.count, 1);
    ck_assert_double_gt(log.event[0].errorBar, limit);
    ck_assert_double_eq_tol(log.event[0].load, load, load * exactTolerance);
}
END_TEST

/* --- Breaks --- */

enum { PARTS = 3 };

typedef struct Breaks {
    dJointID joint[PARTS];
    int count, order[PARTS];
    double load[PARTS];
    unsigned long step[PARTS];
    bool keep;      /* the joint stays */
    dJointID alike; /* breaks together with the first one */
} Breaks;

static void snap(const ksThresholdEvent *event, void *user)
{
    Breaks *breaks = user;
    if (event->phase != KS_THRESHOLD_ENTERED)
        return;
    for (int i = 0; i < PARTS; i++)
        if (breaks->joint[i] == event->reaction->joint)
            breaks->order[breaks->count] = i;
    breaks->step[breaks->count] = event->reaction->step;
    breaks->load[breaks->count++] = event->load;
    ck_assert_double_lt(event->errorBar, barTolerance * event->load);
    if (!breaks->keep)
        dJointDestroy(event->reaction->joint);
    if (breaks->alike)
        dJointDestroy(breaks->alike);
    breaks->alike = NULL;
}

static void watchJoints(Breaks *breaks, const ksThreshold *limits)
{
    for (int i = 0; i < PARTS; i++)
        CHECK_OK(ksInspectorOnThreshold(inspector, breaks->joint[i], limits, snap, breaks));
}

static void watchAll(Breaks *breaks, double limit, unsigned flags)
{
    ksThreshold limits = thresholds();
    limits.forceMagnitude = limit;
    limits.flags = flags;
    watchJoints(breaks, &limits);
}

static dJointID hang(dBodyID upper, dBodyID lower, double z)
{
    const dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, lower, upper);
    dJointSetBallAnchor(joint, 0, 0, z);
    return joint;
}

/* Hangs boxes below each other. */
static void hangChain(Breaks *breaks)
{
    dJointDestroy(holder);
    dBodyID above = box;
    breaks->joint[0] = hang(NULL, box, 0.5);
    for (int i = 1; i < PARTS; i++) {
        const dBodyID below = makeBox(world, -i);
        breaks->joint[i] = hang(above, below, 0.5 - i);
        above = below;
    }
}

/* Three boxes hang below each other, and each joint is too weak for one box. The top joint breaks;
 * the others then carry no load, and stay. Without the flag all break. */
START_TEST(a_chain_breaks_once)
{
    Breaks breaks = {.keep = false};
    hangChain(&breaks);
    watchAll(&breaks, 0.9 * mass * SCENE_GRAVITY, _i ? KS_THRESHOLD_BREAKS : 0);
    for (int i = 0; i < 4; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    ck_assert_int_eq(breaks.count, _i ? 1 : PARTS);
    if (!_i)
        return;
    ck_assert_int_eq(breaks.order[0], 0);
    ck_assert_double_eq_tol(breaks.load[0], PARTS * mass * SCENE_GRAVITY, barTolerance);
}
END_TEST

/* A box on three pins at one place. The first pin is twice as stiff as the others, and carries half
 * of the weight. After it breaks, the load is too large for the others, which break one after the
 * other. */
START_TEST(a_load_moves_on)
{
    const double weight = mass * SCENE_GRAVITY;
    Breaks breaks = {.keep = _i == 1};
    dJointDestroy(holder);
    dWorldSetCFM(world, leastCfm);
    for (int i = 0; i < PARTS; i++)
        breaks.joint[i] = hang(NULL, box, 0.5);
    CHECK_OK(ksInspectorSetCompliance(inspector, NULL, 2, 0));
    CHECK_OK(ksInspectorSetCompliance(inspector, breaks.joint[0], 1, 0));
    watchAll(&breaks, 0.4 * weight, KS_THRESHOLD_BREAKS);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(breaks.count, PARTS);
    const double expected[PARTS] = {weight / 2, weight / 2, weight};
    ck_assert_int_eq(breaks.order[0], 0);
    for (int i = 0; i < PARTS; i++)
        ck_assert_double_eq_tol(breaks.load[i], expected[i], exactTolerance * weight);
    // joints that stay are above their limits, and are not called again
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(breaks.count, PARTS);
}
END_TEST

/* A box on four balls, one of which breaks. If the second one at the same end breaks too, the box
 * turns about the other end, which then carries a quarter of its former load. Otherwise the second
 * ball would carry half of the weight alone. */
START_TEST(who_breaks_may_take_others_along)
{
    const double weight = mass * SCENE_GRAVITY;
    Breaks breaks = {.count = 0};
    dJointDestroy(holder);
    dWorldSetCFM(world, leastCfm);
    dJointID ball[4];
    for (int i = 0; i < 4; i++) {
        ball[i] = dJointCreateBall(world, 0);
        dJointAttach(ball[i], box, NULL);
        dJointSetBallAnchor(ball[i], i < 2 ? -1 : 1, i % 2 ? 1 : -1, 0);
    }
    ksThreshold limits = thresholds();
    limits.frame = KS_FRAME_WORLD;
    limits.flags = KS_THRESHOLD_BREAKS;
    for (int i = 0; i < 4; i++) {
        limits.force[2] = i == 0 ? 0.2 * weight : 0.4 * weight;
        CHECK_OK(ksInspectorOnThreshold(inspector, ball[i], &limits, snap, &breaks));
    }
    breaks.alike = _i ? ball[_i] : NULL;
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(breaks.count, _i ? 1 : 2);
    if (!_i)
        ck_assert_double_eq_tol(breaks.load[1], weight / 2, exactTolerance * weight);
}
END_TEST

/* --- Breaks by the mean of a window --- */

enum { WINDOW = 4 }; /* steps */

/* Limits on the mean, by value and by the member that sets the time. */
static ksThreshold meanLimits(double limit, int i)
{
    ksThreshold limits = thresholds();
    limits.forceMagnitude = limit;
    limits.flags = KS_THRESHOLD_BREAKS;
    limits.value = i % 2 ? KS_MEAN : KS_SHARED;
    *(i < 2 ? &limits.window : &limits.duration) = WINDOW * h;
    return limits;
}

/* The chain as above: the other joints have carried up to two boxes within the window, but have
 * fallen freely since. With the higher limit only the top joint is overloaded. */
START_TEST(a_chain_breaks_once_in_the_mean)
{
    const double weight = mass * SCENE_GRAVITY;
    Breaks breaks = {.keep = false};
    hangChain(&breaks);
    const ksThreshold limits = meanLimits((_i < 4 ? 0.9 : 2.5) * weight, _i % 4);
    watchJoints(&breaks, &limits);
    for (int i = 0; i < 4 * WINDOW; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    ck_assert_int_eq(breaks.count, 1);
    ck_assert_int_eq(breaks.order[0], 0);
}
END_TEST

/* Two planks between two walls sag to a slope of 1 in 10, s = L/10. Each has the weight w, so the
 * middle carries the tension H = w L / 2 s = 5 w, and the ends carry (H^2 + w^2)^(1/2). All three
 * are above their limit. One end breaks, and the bridge begins to fall: from there no joint carries
 * much more than w until the planks hang. */
START_TEST(a_taut_bridge_breaks_once)
{
    const double weight = mass * SCENE_GRAVITY, half = 1, sag = 0.1, tension = weight * half / (2 * sag);
    Breaks breaks = {.keep = false};
    dJointDestroy(holder);
    dBodyID plank[2] = {box, makeBox(world, 0)};
    const double x[PARTS] = {-half, half, 0}, z[PARTS] = {0, 0, -sag};
    for (int i = 0; i < 2; i++)
        dBodySetPosition(plank[i], x[i] / 2, 0, -sag / 2);
    for (int i = 0; i < PARTS; i++) {
        breaks.joint[i] = dJointCreateBall(world, 0);
        dJointAttach(breaks.joint[i], plank[i % 2], i < 2 ? NULL : plank[1]);
        dJointSetBallAnchor(breaks.joint[i], x[i], 0, z[i]);
    }
    const ksThreshold limits = meanLimits(3 * weight, _i);
    watchJoints(&breaks, &limits);
    for (int i = 0; i < 4 * WINDOW; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(breaks.count, 1);
    if (_i < 2)  // the window's missing part counts as no load
        ck_assert_double_gt(breaks.load[0], 3 * weight);
    else
        ck_assert_double_eq_tol(breaks.load[0], hypot(tension, weight), barTolerance * tension);
}
END_TEST

/* The box on three pins: each carries more after the one before it has broken, and breaks after
 * carrying that for the duration. */
START_TEST(a_load_moves_on_in_the_mean)
{
    const double weight = mass * SCENE_GRAVITY, expected[PARTS] = {weight / 2, weight / 2, weight};
    Breaks breaks = {.keep = false};
    dJointDestroy(holder);
    dWorldSetCFM(world, leastCfm);
    for (int i = 0; i < PARTS; i++)
        breaks.joint[i] = hang(NULL, box, 0.5);
    CHECK_OK(ksInspectorSetCompliance(inspector, NULL, 2, 0));
    CHECK_OK(ksInspectorSetCompliance(inspector, breaks.joint[0], 1, 0));
    const ksThreshold limits = meanLimits(0.4 * weight, 2);
    watchJoints(&breaks, &limits);
    for (int i = 0; i < 4 * WINDOW; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(breaks.count, PARTS);
    for (int i = 0; i < PARTS; i++) {
        // the step of a break is the first one with the new load
        ck_assert_uint_eq(breaks.step[i] - breaks.step[0], (unsigned long)i * (WINDOW - 1));
        ck_assert_double_eq_tol(breaks.load[i], expected[i], exactTolerance * weight);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("breaks");
    tcase_add_checked_fixture(tcase, setUp, tearDown);
    tcase_add_loop_test(tcase, a_blow_is_the_same_for_each_step_size, 0, 4);
    tcase_add_test(tcase, a_window_fills);
    tcase_add_test(tcase, a_window_that_steps_do_not_fill);
    tcase_add_test(tcase, a_load_far_above_its_bar_and_the_limit);
    tcase_add_loop_test(tcase, a_chain_breaks_once, 0, 2);
    tcase_add_loop_test(tcase, a_load_moves_on, 0, 2);
    tcase_add_loop_test(tcase, who_breaks_may_take_others_along, 0, 3);
    tcase_add_loop_test(tcase, a_chain_breaks_once_in_the_mean, 0, 8);
    tcase_add_loop_test(tcase, a_taut_bridge_breaks_once, 0, 4);
    tcase_add_test(tcase, a_load_moves_on_in_the_mean);
    return runCase("breaks", tcase);
}

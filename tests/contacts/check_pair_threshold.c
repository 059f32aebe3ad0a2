/* check_pair_threshold.c  Limits on the mean net force of contacts: of a foot, of a finger. */
#include "tests/kits/contacts/pair_kit.h"

enum { MOST_EVENTS = 16 };

typedef struct Log {
    ksThresholdEvent event[MOST_EVENTS];
    int count;
} Log;

static void note(const ksThresholdEvent *event, void *user)
{
    Log *log = user;
    ck_assert_int_lt(log->count, MOST_EVENTS);
    ck_assert_ptr_null(event->reaction);
    log->event[log->count++] = *event;
}

static ksThreshold above(double force)
{
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.value = KS_MEAN;
    limits.window = 0.1;
    limits.frame = KS_FRAME_WORLD;
    limits.point = KS_POINT_MASS_CENTRE;
    limits.forceMagnitude = force;
    return limits;
}

/* A box falls, and is lifted again: it enters and leaves the limit where the mean by its momentum
 * crosses it. */
START_TEST(crosses)
{
    const dBodyID box = makeBox(2, boxSize, 0.3);
    const ksWrenchTerm term = {.body = box};
    const ksThreshold limits = above(0.8 * weight);
    Truth truth = follow(box);
    Log log = {.count = 0};
    ksMean mean;
    bool isOver = false;
    int crossed = 0;
    CHECK_OK(ksInspectorOnSumThreshold(inspector, &term, 1, &limits, note, &log));
    for (int n = 0; n < 100; n++) {
        if (n == 60)
            dBodySetLinearVel(box, 0, 0, 2);
        stepOf(_i ? KS_QUICK_STEP : KS_WORLD_STEP, &truth, NULL);
        meanOf(&truth, 0.1, &mean);
        // the time before the first step counts as no force
        const double load = length3(mean.wrench.force) * mean.time / 0.1;
        const bool is = load > 0.8 * weight;
        crossed += is != isOver;
        ck_assert_int_eq(log.count, crossed);
        if (is != isOver) {
            const ksThresholdEvent *event = &log.event[crossed - 1];
            ck_assert_int_eq(event->phase, is ? KS_THRESHOLD_ENTERED : KS_THRESHOLD_LEFT);
            ck_assert_int_eq(event->limit, KS_LIMIT_FORCE);
            ck_assert_double_eq_tol(event->load, load, exactTolerance * blow * weight);
            ck_assert_double_le(event->errorBar, is ? 100 * exactTolerance * blow * weight : weight);
        }
        isOver = is;
    }
    ck_assert_int_ge(crossed, 2);
}
END_TEST

/* One of two feet: momentum determines only the sum, but a threshold with KS_THRESHOLD_UNCHECKED
 * gets the reported force. */
START_TEST(one_foot)
{
    static const double foot[3] = {0.2, 0.2, 0.1}, trunk[3] = {1, 0.2, 0.2};
    const dBodyID left = makeBox(1, foot, 0.05), right = makeBox(1, foot, 0.05), top = makeBox(2, trunk, 0.5);
    const ksWrenchTerm one = {.body = left}, both[2] = {{.body = left}, {.body = right}};
    ksThreshold limits = above(0.5 * weight);
    Log log[3] = {{.count = 0}};
    dBodySetPosition(left, -0.3, 0, 0.05);
    dBodySetPosition(right, 0.3, 0, 0.05);
    weld(top, left);
    weld(top, right);
    CHECK_OK(ksInspectorOnSumThreshold(inspector, &one, 1, &limits, note, &log[0]));
    CHECK_OK(ksInspectorOnSumThreshold(inspector, both, 2, &limits, note, &log[1]));
    limits.flags = KS_THRESHOLD_UNCHECKED;
    CHECK_OK(ksInspectorOnSumThreshold(inspector, &one, 1, &limits, note, &log[2]));
    for (int n = 0; n < 60; n++)
        step(KS_WORLD_STEP);
    ck_assert_int_eq(log[0].count, 0);
    ck_assert_int_eq(log[1].count, 1);
    ck_assert_int_eq(log[2].count, 1);
    ck_assert(isfinite(log[1].event[0].errorBar) && isnan(log[2].event[0].errorBar));
    ck_assert_double_eq(log[1].event[0].limitValue, 0.5 * weight);
}
END_TEST

static void destroyBody(dBodyID body)
{
    dGeomDestroy(dBodyGetFirstGeom(body));
    dBodyDestroy(body);
}

/* The threshold ends with the first term's body, by one last call. */
START_TEST(ends)
{
    const dBodyID box = makeBox(2, boxSize, 0.1), other = makeBox(2, boxSize, 5);
    const ksWrenchTerm term[2] = {{.body = box}, {.body = other}};
    const ksThreshold limits = above(0.5 * weight);
    Log log = {.count = 0};
    CHECK_OK(ksInspectorOnSumThreshold(inspector, term, 2, &limits, note, &log));
    for (int n = 0; n < 20; n++)
        step(KS_WORLD_STEP);
    ck_assert_int_eq(log.count, 1);
    // without it the sum is another one, and its window begins anew; its load is above the limit
    // from the first step on
    destroyBody(other);
    for (int n = 0; n < 20; n++)
        step(KS_WORLD_STEP);
    ck_assert_int_eq(log.count, 1);
    destroyBody(box);
    for (int n = 0; n < 3; n++)
        step(KS_WORLD_STEP);
    ck_assert_int_eq(log.count, 2);
    ck_assert_int_eq(log.event[1].phase, KS_THRESHOLD_ENDED);
}
END_TEST

/* --- Limits of a pair --- */

static void inspectPhysically(void)
{
    ksInspectorOptions options = defaultOptions();
    options.contactPhysical = 1;
    ksInspectorDestroy(inspector);
    inspector = inspectWith(world, &options);
}

/* The physical force of a box at rest is its weight in each step: it enters the limit once, when a
 * bar exists, and leaves it with the ground. A threshold that accepts forces without a bar is
 * entered earlier. */
START_TEST(physical_force)
{
    static const double exact = 2e-3;
    const dBodyID box = makeBox(2, boxSize, 0.1);
    ksThreshold limits = above(0.9 * weight);
    Log log[2] = {{.count = 0}};
    limits.value = KS_PHYSICAL;
    limits.window = 0;
    inspectPhysically();
    const ksSubscription pair = pairOf(box, NULL, 0.15);
    CHECK_OK(ksInspectorOnPairThreshold(inspector, pair, &limits, note, &log[0]));
    limits.flags = KS_THRESHOLD_UNCHECKED;
    CHECK_OK(ksInspectorOnPairThreshold(inspector, pair, &limits, note, &log[1]));
    int entered[2] = {0};
    for (int n = 0; n < 100; n++) {
        step(KS_QUICK_STEP);
        for (int i = 0; i < 2; i++)
            entered[i] = entered[i] || !log[i].count ? entered[i] : n;
    }
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(log[i].count, 1);
        const ksThresholdEvent *event = &log[i].event[0];
        ck_assert_int_eq(event->phase, KS_THRESHOLD_ENTERED);
        ck_assert_double_eq_tol(event->load, weight, (i ? 1 : exact) * weight);
    }
    ck_assert_double_ge(entered[0] * h, 0.1);
    ck_assert_int_lt(entered[1], entered[0]);
    ck_assert_double_le(fabs(log[0].event[0].load - weight), log[0].event[0].errorBar + 1e-9 * weight);
    ck_assert_uint_eq(log[0].event[0].determined, (1u << KS_LIMIT_COUNT) - 1);
    dBodySetLinearVel(box, 0, 0, 2);
    step(KS_QUICK_STEP);
    step(KS_QUICK_STEP);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(log[i].count, 2);
        ck_assert_int_eq(log[i].event[1].phase, KS_THRESHOLD_LEFT);
    }
    CHECK_OK(ksInspectorUnsubscribe(inspector, pair));
    step(KS_QUICK_STEP);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(log[i].count, 3);
        ck_assert_int_eq(log[i].event[2].phase, KS_THRESHOLD_ENDED);
    }
}
END_TEST

/* The share of each of a plank's two supports is open between almost nothing and everything: a
 * limit within that range decides nothing, a limit beyond it does. In the axes of a body turned
 * about x by a right angle, the vertical force is along y. */
START_TEST(open_force)
{
    static const double plank[3] = {1, 0.2, 0.1}, block[3] = {0.3, 0.3, 0.3};
    const dBodyID under[2] = {makeBox(50, block, 0.15), makeBox(50, block, 0.15)}, top = makeBox(2, plank, 0.35);
    const double load = weight;
    ksThreshold limits = above(0.1 * load), beyond = above(0.05 * load);
    Log log[2] = {{.count = 0}};
    dMatrix3 turn;
    for (int i = 0; i < 2; i++)
        dBodySetPosition(under[i], i ? 0.3 : -0.3, 0, 0.15);
    dRFromAxisAndAngle(turn, 1, 0, 0, 0.5 * M_PI);
    dBodySetRotation(under[0], turn);
    // without flicker the bar is little longer than the range
    surface.mode |= dContactSoftERP | dContactSoftCFM;
    surface.soft_erp = 0.2;
    surface.soft_cfm = 1e-5;
    dWorldSetContactSurfaceLayer(world, 1e-3);
    limits.value = beyond.value = KS_PHYSICAL;
    limits.window = beyond.window = 0;
    inspectPhysically();
    ksSubscription pair = pairOf(top, under[0], 0.15);
    CHECK_OK(ksInspectorOnPairThreshold(inspector, pair, &limits, note, &log[0]));
    // their shares of the torque, which the arms of their points bound, are open as well
    pair = pairOf(under[0], top, 0.15);
    beyond.forceMagnitude = INFINITY;
    beyond.force[1] = 0.45 * load;
    beyond.frame = KS_FRAME_BODY;
    CHECK_OK(ksInspectorOnPairThreshold(inspector, pair, &beyond, note, &log[1]));
    for (int n = 0; n < 200; n++)
        step(KS_QUICK_STEP);
    ksMean mean;
    CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
    ck_assert_int_eq(mean.physicalVerdict, KS_INDETERMINATE);
    ck_assert_double_gt(mean.physicalBar.force[2], 0.1 * load);
    ck_assert_double_lt(mean.physicalBar.force[2], 0.45 * load);
    ck_assert_int_eq(log[0].count, 0);
    ck_assert_int_eq(log[1].count, 1);
    const ksThresholdEvent *event = &log[1].event[0];
    ck_assert_double_eq_tol(event->load, 0.5 * load, mean.physicalBar.force[2]);
    ck_assert_double_ge(event->errorBar, mean.physicalOpen.force[2]);
    ck_assert_double_lt(event->wrench.force[1] * event->load, 0);
    ck_assert(!(event->determined >> KS_LIMIT_FORCE_Y & 1u));
}
END_TEST

/* The mean of a pair has the pair's window, and equals the mean of the sum over the same window. */
START_TEST(mean_force)
{
    const dBodyID box = makeBox(2, boxSize, 0.3), other = makeBox(1, boxSize, 0.9);
    const ksWrenchTerm term = {.body = other, .other = box};
    ksThreshold limits = above(0.5 * SCENE_GRAVITY);
    Log log[2] = {{.count = 0}};
    limits.window = 0.07;
    CHECK_OK(ksInspectorOnSumThreshold(inspector, &term, 1, &limits, note, &log[0]));
    limits.window = 0;
    CHECK_OK(ksInspectorOnPairThreshold(inspector, pairOf(other, box, 0.07), &limits, note, &log[1]));
    for (int n = 0; n < 200; n++) {
        if (n == 150)
            dBodySetLinearVel(other, 0, 0, 2);
        step(KS_QUICK_STEP);
        ck_assert_int_eq(log[0].count, log[1].count);
    }
    ck_assert_int_ge(log[0].count, 2);
    for (int i = 0; i < log[0].count; i++) {
        ck_assert_int_eq(log[0].event[i].phase, log[1].event[i].phase);
        ck_assert_double_eq(log[0].event[i].load, log[1].event[i].load);
    }
}
END_TEST

START_TEST(bad_pairs)
{
    const dBodyID box = makeBox(2, boxSize, 0.1);
    const ksWrenchTerm term = {.body = box};
    const ksThreshold good = above(1);
    ksThreshold value = good, physical = good, frame = good, point = good, breaks = good;
    ksSubscription mean;
    Log log = {.count = 0};
    value.value = KS_ENGINE;
    physical.value = KS_PHYSICAL; /* this inspector has no physical contact forces */
    frame.frame = KS_FRAME_JOINT;
    point.point = KS_POINT_ANCHOR;
    breaks.flags = KS_THRESHOLD_BREAKS;
    const ksSubscription pair = pairOf(box, NULL, 0.1);
    const ksThreshold *bad[] = {&value, &physical, &frame, &point, &breaks, NULL};
    for (int i = 0; i < 6; i++)
        CHECK_STATUS(ksInspectorOnPairThreshold(inspector, pair, bad[i], note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorMean(inspector, &term, 1, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &mean));
    CHECK_STATUS(ksInspectorOnPairThreshold(inspector, mean, &good, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnPairThreshold(inspector, mean + 1, &good, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnPairThreshold(inspector, 0, &good, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnPairThreshold(inspector, pair, &good, NULL, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnPairThreshold(NULL, pair, &good, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorUnsubscribe(inspector, pair));
    CHECK_STATUS(ksInspectorOnPairThreshold(inspector, pair, &good, note, &log), KS_ERROR_ENDED);
}
END_TEST

/* Lists the pairs that have not ended, in order, and no other subscription. */
START_TEST(listed)
{
    const dBodyID box = makeBox(2, boxSize, 0.1), other = makeBox(1, boxSize, 0.5);
    const ksWrenchTerm term = {.body = box};
    ksSubscription mean;
    ksPair pair = {.window = 7};
    ck_assert_int_eq(ksInspectorGetNextPair(inspector, 0, &pair), 0);
    ck_assert_double_eq(pair.window, 7);
    const ksSubscription first = pairOf(box, NULL, 0.1), second = pairOf(other, box, 0.2);
    CHECK_OK(ksInspectorMean(inspector, &term, 1, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &mean));
    const ksSubscription third = pairOf(box, NULL, 0.3);
    const struct Listed {
        ksSubscription subscription;
        dBodyID a, b;
        double window;
    } expected[] = {{first, box, NULL, 0.1}, {second, other, box, 0.2}, {third, box, NULL, 0.3}};
    pair = (ksPair){.subscription = 0};
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(ksInspectorGetNextPair(inspector, pair.subscription, &pair), 1);
        ck_assert(pair.subscription == expected[i].subscription && pair.a == expected[i].a && pair.b == expected[i].b &&
                  pair.window == expected[i].window);
    }
    ck_assert_int_eq(ksInspectorGetNextPair(inspector, pair.subscription, &pair), 0);
    CHECK_OK(ksInspectorUnsubscribe(inspector, first));
    destroyBody(other);
    step(KS_QUICK_STEP);
    ck_assert_int_eq(ksInspectorGetNextPair(inspector, 0, &pair), 1);
    ck_assert(pair.subscription == third);
    ck_assert_int_eq(ksInspectorGetNextPair(NULL, 0, &pair), 0);
    ck_assert_int_eq(ksInspectorGetNextPair(inspector, 0, NULL), 0);
}
END_TEST

START_TEST(bad_arguments)
{
    const dBodyID box = makeBox(2, boxSize, 0.1);
    const ksWrenchTerm term = {.body = box}, self = {.body = box, .other = box};
    const ksThreshold good = above(1);
    ksThreshold value = good, frame = good, point = good, breaks = good;
    Log log = {.count = 0};
    value.value = KS_PHYSICAL;
    frame.frame = KS_FRAME_JOINT;
    point.point = KS_POINT_ANCHOR;
    breaks.flags = KS_THRESHOLD_BREAKS;
    const ksThreshold *bad[] = {&value, &frame, &point, &breaks};
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(ksInspectorOnSumThreshold(inspector, &term, 1, bad[i], note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnSumThreshold(inspector, &self, 1, &good, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnSumThreshold(NULL, &term, 1, &good, note, &log), KS_ERROR_BAD_ARGUMENT);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("pair_threshold");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, crosses, 0, 2);
    tcase_add_test(test, one_foot);
    tcase_add_test(test, ends);
    tcase_add_test(test, bad_arguments);
    tcase_add_test(test, physical_force);
    tcase_add_test(test, open_force);
    tcase_add_test(test, mean_force);
    tcase_add_test(test, bad_pairs);
    tcase_add_test(test, listed);
    return runCase("pair_threshold", test);
}

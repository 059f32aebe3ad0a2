/* check_pair_threshold.c  Limits of what contacts do: the mean net force of a foot, a finger. */
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

/* A box falls, and is lifted again: entered and left where the mean of what its momentum tells crosses the limit. */
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
        // what was before the first step counts as no force
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

/* One of two feet: momentum tells both alone, and who takes what was reported nevertheless gets it. */
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

/* With the first term's body, by one last call. */
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
    // the sum without it is another one, whose window begins anew
    destroyBody(other);
    for (int n = 0; n < 20; n++)
        step(KS_WORLD_STEP);
    ck_assert_int_eq(log.count, 3);
    destroyBody(box);
    for (int n = 0; n < 3; n++)
        step(KS_WORLD_STEP);
    ck_assert_int_eq(log.count, 4);
    ck_assert_int_eq(log.event[3].phase, KS_THRESHOLD_ENDED);
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
    Suite *suite = suite_create("pair_threshold");
    TCase *test = tcase_create("pair_threshold");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, crosses, 0, 2);
    tcase_add_test(test, one_foot);
    tcase_add_test(test, ends);
    tcase_add_test(test, bad_arguments);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

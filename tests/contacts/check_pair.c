/* check_pair.c  Mean net forces of two bodies through their contacts over a window, against the
 * momentum of the bodies. */
#include "tests/kits/contacts/pair_kit.h"
#include "tests/kits/memory_kit.h"

#include <limits.h>

/* --- Hops and rests --- */

static const struct Way {
    ksStepper stepper;
    int iterations;
    bool isUneven;
} way[] = {{KS_QUICK_STEP, 5, false},  {KS_QUICK_STEP, 20, false}, {KS_QUICK_STEP, 100, false},
           {KS_WORLD_STEP, 20, false}, {KS_EXACT_STEP, 20, false}, {KS_QUICK_STEP, 20, true},
           {KS_WORLD_STEP, 20, true},  {KS_EXACT_STEP, 20, true},  {KS_FOREIGN_STEP, 20, false}};

enum { WAYS = sizeof way / sizeof *way };

START_TEST(by_momentum)
{
    static const double window[] = {0.15, 0.004, 0.5, 0.05};
    const dBodyID box = dropBox();
    ksSubscription pair[4];
    Truth truth = follow(box);
    bool hasHopped = false, hasRested = false;
    dWorldSetQuickStepNumIterations(world, way[_i].iterations);
    for (int w = 0; w < 4; w++)
        pair[w] = pairOf(box, NULL, window[w]);
    for (int n = 0; n < 400; n++) {
        h = way[_i].isUneven ? 0.001 * (1 + n * 7 % 9) : 0.005;
        stepOf(way[_i].stepper, &truth, NULL);
        for (int w = 0; w < 4; w++) {
            checkMean(pair[w], &truth, window[w], blow * weight);
        }
        const double share = meanNow(pair[0]).contactShare;
        hasHopped |= share > 0 && share < 0.5;
        hasRested |= share == 1;
    }
    ck_assert(hasHopped && hasRested);
}
END_TEST

/* A step that is longer than the window is its own mean. */
START_TEST(tiny_windows)
{
    static const double window[] = {1e-3, 1e-12, 1e-300, 1e-310, 5e-324};
    enum { COUNT = sizeof window / sizeof *window };
    const dBodyID box = dropBox();
    ksSubscription pair[COUNT];
    Truth truth = follow(box);
    h = 0.005;
    for (int w = 0; w < COUNT; w++)
        pair[w] = pairOf(box, NULL, window[w]);
    for (int n = 0; n < 100; n++) {
        ksMean last;
        stepOf(KS_QUICK_STEP, &truth, NULL);
        meanOf(&truth, h, &last);
        for (int w = 0; w < COUNT; w++) {
            const ksMean mean = meanNow(pair[w]);
            compare(&mean, &last, blow * weight, 1);
            ck_assert_double_eq(mean.time, window[w]);
            ck_assert_double_eq(mean.contactShare, last.contactShare);
        }
    }
}
END_TEST

/* Deferred inspection and inspection on several threads give the same as inspection in place; the
 * sum of each step agrees with momentum. */
START_TEST(modes)
{
    ksInspectorOptions options = defaultOptions();
    options.latency = _i == 1 ? KS_NEXT_STEP : KS_SAME_STEP;
    options.workers = _i == 2 ? 3 : 0;
    options.contacts = _i == 3 ? KS_CONTACTS_SOLVED : KS_CONTACTS_REPORTED;
    options.values = _i == 4 ? 0 : options.values;
    ksInspectorDestroy(inspector);
    inspector = inspectWith(world, &options);
    const dBodyID box = dropBox();
    const ksSubscription pair = pairOf(box, NULL, 0.15);
    Truth truth = follow(box);
    ksMean last;
    for (int n = 0; n < 200; n++) {
        ksWrenchSum sum;
        stepOf(KS_QUICK_STEP, &truth, NULL);
        checkMean(pair, &truth, 0.15, blow * weight);
        CHECK_OK(sumContacts(inspector, box, NULL, KS_OBSERVED, NULL, &sum));
        meanOf(&truth, h, &last);
        const ksMean now = {.wrench = sum.wrench, .bar = sum.bar};
        compare(&now, &last, blow * weight, 1);
        ck_assert_uint_eq(sum.unique, 63);
    }
}
END_TEST

/* --- Memory --- */

static void useMemory(Counter *counter)
{
    ksInspectorOptions options = defaultOptions();
    options.allocator = (ksAllocator){countingResize, counter};
    ksInspectorDestroy(inspector);
    inspector = NULL;
    if (ksInspectorCreate(world, &options, &inspector))
        inspector = NULL;
}

/* A pair, and the sum of this pair and a joint: nothing is allocated in the steady state, whatever
 * comes and goes. */
START_TEST(steady)
{
    Counter counter = {0};
    const dBodyID box = dropBox(), hung = makeBox(2, boxSize, 3);
    const ksWrenchTerm term[2] = {{.body = box}, {.joint = weld(hung, NULL), .body = hung}};
    ksSubscription mean;
    long requests = 0;
    useMemory(&counter);
    const ksSubscription pair = pairOf(box, NULL, 0.15);
    CHECK_OK(ksInspectorMean(inspector, term, 2, 0.1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &mean));
    for (int n = 0; n < 300; n++) {
        step(KS_QUICK_STEP);
        ck_assert_double_gt(meanNow(pair).time, 0);
        ck_assert_double_gt(meanNow(mean).time, 0);
        if (n == 150)
            requests = counter.requests;
    }
    ck_assert_int_eq(counter.requests, requests);
    CHECK_OK(ksInspectorUnsubscribe(inspector, pair));
    ksInspectorDestroy(inspector);
    inspector = NULL;
    ck_assert_int_eq(counter.held, 0);
}
END_TEST

/* The k-th allocation fails, for all k: a mean is right, or missing. */
START_TEST(short_of_memory)
{
    const dBodyID box = makeBox(2, boxSize, 0.1);
    long requests = INT_MAX;
    for (long k = 1; k <= requests; k++) {
        Counter counter = {.refuse = k};
        ksSubscription pair = 7;
        useMemory(&counter);
        const ksStatus status = inspector ? ksInspectorPair(inspector, box, NULL, 0.05, &pair) : KS_ERROR_NO_MEMORY;
        ck_assert((status == KS_OK) == (pair != 7));
        for (int n = 0; n < 8; n++) {
            ksMean mean;
            dSpaceCollide(space, NULL, touch);
            if (inspector)
                ksInspectorStep(inspector, h);
            else
                dWorldStep(world, h);
            dJointGroupEmpty(contacts);
            if (status == KS_OK && ksInspectorGetMean(inspector, pair, &mean) == KS_OK && mean.time > 0)
                ck_assert_double_eq_tol(mean.wrench.force[2], weight, 0.2 * weight);
        }
        ksInspectorDestroy(inspector);
        inspector = NULL;
        ck_assert_int_eq(counter.held, 0);
        requests = counter.requests < k ? 0 : INT_MAX;
    }
}
END_TEST

/* --- Ends --- */

enum { SLEEP, NO_STEP, TELEPORT, OTHER_BODY, NOTHING, ENDINGS };

static void bracketWithoutStep(void)
{
    dSpaceCollide(space, NULL, touch);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    CHECK_OK(ksInspectorEndStep(inspector));
    dJointGroupEmpty(contacts);
}

/* The next window has no part of the last one. */
START_TEST(ends_of_the_window)
{
    const dBodyID box = makeBox(2, boxSize, 0.1), other = makeBox(2, boxSize, 5);
    const ksSubscription pair = pairOf(box, NULL, 0.1);
    Truth truth = follow(box);
    settle(KS_WORLD_STEP, &truth, NULL, 20);
    ck_assert_double_eq_tol(meanNow(pair).time, 0.1, clockTolerance);
    if (_i == SLEEP)
        dBodyDisable(box);
    if (_i == TELEPORT)
        dBodySetPosition(box, 1, 0, 0.5);
    if (_i == OTHER_BODY)
        dBodySetPosition(other, 1, 0, 5);
    if (_i == SLEEP || _i == NO_STEP) {
        if (_i == SLEEP)
            settle(KS_WORLD_STEP, &truth, NULL, 1);
        else
            bracketWithoutStep();
        const ksMean asleep = meanNow(pair);
        ck_assert(asleep.time == 0 && asleep.stepCount == 0 && isnan(asleep.wrench.force[2]));
        dBodyEnable(box);
    }
    settle(KS_WORLD_STEP, &truth, NULL, 3);
    const bool isKept = _i == OTHER_BODY || _i == NOTHING;
    ck_assert_double_eq_tol(meanNow(pair).time, isKept ? 0.1 : 3 * h, clockTolerance);
    checkMean(pair, &truth, isKept ? 0.1 : 3 * h, blow * weight);
    if (_i == TELEPORT)
        ck_assert_double_eq_tol(meanNow(pair).wrench.force[2], 0, exactTolerance * weight);
}
END_TEST

static void gone(ksSubscription mean)
{
    ksMean out;
    CHECK_STATUS(ksInspectorGetMean(inspector, mean, &out), KS_ERROR_ENDED);
    CHECK_STATUS(ksInspectorUnsubscribe(inspector, mean), KS_ERROR_ENDED);
}

/* A pair ends with either body, and by the host; the last mean stays until the next step. */
START_TEST(ends_of_a_pair)
{
    ksInspectorOptions options = defaultOptions();
    options.latency = _i ? KS_NEXT_STEP : KS_SAME_STEP;
    ksInspectorDestroy(inspector);
    inspector = inspectWith(world, &options);
    const dBodyID a = makeBox(2, boxSize, 0.1), b = makeBox(2, boxSize, 0.3), c = makeBox(2, boxSize, 0.5);
    const ksSubscription first = pairOf(b, a, 0.1), second = pairOf(c, b, 0.1), third = pairOf(a, NULL, 0.1);
    Truth truth = follow(a);
    ksMean out;
    settle(KS_WORLD_STEP, &truth, NULL, 5);
    dGeomDestroy(dBodyGetFirstGeom(c));
    dBodyDestroy(c);
    ck_assert_double_eq_tol(meanNow(second).wrench.force[2], weight, 0.1 * weight);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    gone(second);
    dGeomDestroy(dBodyGetFirstGeom(b));
    dBodyDestroy(b);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    gone(first);
    // NULL does not match this pair's user pointer
    CHECK_OK(ksInspectorOff(inspector, NULL));
    ck_assert_double_gt(meanNow(third).time, 0);
    CHECK_OK(ksInspectorUnsubscribe(inspector, third));
    gone(third);
    CHECK_STATUS(ksInspectorGetMean(inspector, third + 1, &out), KS_ERROR_BAD_ARGUMENT);
}
END_TEST

/* A sum continues without a joint that is gone, from then on; it ends with its first term. */
START_TEST(ends_of_terms)
{
    ksInspectorOptions options = defaultOptions();
    options.latency = _i ? KS_NEXT_STEP : KS_SAME_STEP;
    ksInspectorDestroy(inspector);
    inspector = inspectWith(world, &options);
    const dBodyID box = makeBox(2, boxSize, 1);
    const dJointID hold[2] = {weld(box, NULL), weld(box, NULL)};
    const ksWrenchTerm term[2] = {{.joint = hold[0], .body = box}, {.joint = hold[1], .body = box}};
    ksSubscription mean, onWorld;
    const ksWrenchTerm inWorld = {.joint = hold[0]};
    CHECK_OK(ksInspectorMean(inspector, term, 2, 0.05, KS_FRAME_WORLD, KS_POINT_ANCHOR, &mean));
    CHECK_STATUS(ksInspectorMean(inspector, &inWorld, 1, 0.05, KS_FRAME_WORLD, KS_POINT_ANCHOR, &onWorld),
                 KS_ERROR_NO_ANCHOR);
    Truth truth = follow(box);
    settle(KS_WORLD_STEP, &truth, NULL, 10);
    ksMean expected;
    const ksMean held = meanNow(mean);
    meanOf(&truth, 0.05, &expected);
    compare(&held, &expected, weight, 1);
    dJointDestroy(hold[1]);
    settle(KS_WORLD_STEP, &truth, NULL, 2);
    ck_assert_double_eq_tol(meanNow(mean).time, 2 * h, clockTolerance);
    dJointDisable(hold[0]);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    ck_assert_double_eq(meanNow(mean).time, 0);
    dJointEnable(hold[0]);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    ck_assert_double_eq_tol(meanNow(mean).time, h, clockTolerance);
    dJointDestroy(hold[0]);
    settle(KS_WORLD_STEP, &truth, NULL, 1);
    gone(mean);
}
END_TEST

/* --- Calls --- */

START_TEST(bad_arguments)
{
    const dBodyID a = makeBox(2, boxSize, 0.1), b = makeBox(2, boxSize, 0.5);
    const ksWrenchTerm once = {.body = a}, twice[2] = {{.body = a}, {.body = a, .other = b}},
                       self = {.body = a, .other = a}, none = {.body = NULL},
                       opposite[2] = {{.body = a, .other = b}, {.body = b, .other = a}};
    const double window[] = {0, -1, NAN, INFINITY};
    const ksFrame inWorld = KS_FRAME_WORLD;
    const ksPoint centre = KS_POINT_MASS_CENTRE;
    ksSubscription pair = 7;
    ksMean out = {.time = 7};
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(ksInspectorPair(inspector, a, b, window[i], &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorPair(NULL, a, b, 0.1, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorPair(inspector, NULL, b, 0.1, &pair), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksInspectorPair: a is NULL");
    CHECK_STATUS(ksInspectorPair(inspector, a, a, 0.1, &pair), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksInspectorPair: a and b are the same body");
    CHECK_STATUS(ksInspectorPair(inspector, a, b, 0.1, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, NULL, 1, 0.1, inWorld, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &once, 0, 0.1, inWorld, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &once, SIZE_MAX, 0.1, inWorld, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, twice, 2, 0.1, inWorld, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &self, 1, 0.1, inWorld, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &none, 1, 0.1, inWorld, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &once, 1, 0.1, KS_FRAME_JOINT, centre, &pair), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorMean(inspector, &once, 1, 0.1, inWorld, KS_POINT_ANCHOR, &pair), KS_ERROR_BAD_ARGUMENT);
    ck_assert_uint_eq(pair, 7);
    CHECK_OK(ksInspectorMean(inspector, opposite, 2, 0.1, inWorld, centre, &pair));
    CHECK_STATUS(ksInspectorGetMean(inspector, pair, &out), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksInspectorGetMean(inspector, 0, &out), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorGetMean(NULL, pair, &out), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorGetMean(inspector, pair, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_double_eq(out.time, 7);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("pair");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, by_momentum, 0, WAYS);
    tcase_add_test(test, tiny_windows);
    tcase_add_loop_test(test, modes, 0, 5);
    tcase_add_test(test, steady);
    tcase_add_test(test, short_of_memory);
    tcase_add_loop_test(test, ends_of_the_window, 0, ENDINGS);
    tcase_add_loop_test(test, ends_of_a_pair, 0, 2);
    tcase_add_loop_test(test, ends_of_terms, 0, 2);
    tcase_add_test(test, bad_arguments);
    return runCase("pair", test);
}

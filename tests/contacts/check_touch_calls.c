/* check_touch_calls.c  Callbacks of touches: their order, objects that they destroy, other threads,
 * and lack of memory. */
#include "tests/kits/contacts/touch_kit.h"
#include "tests/kits/memory_kit.h"

static char order[MOST];

static void say(char what)
{
    const size_t length = strlen(order);
    ck_assert_uint_lt(length, MOST - 1);
    order[length] = what;
    order[length + 1] = '\0';
}

static void sayReaction(const ksReaction *reaction, void *user)
{
    (void)reaction;
    say(*(const char *)user);
}

static void sayStep(const ksStepReport *report, void *user)
{
    (void)report;
    say(*(const char *)user);
}

static void sayTouch(const ksTouch *event, void *user)
{
    (void)event;
    say(*(const char *)user);
}

START_TEST(in_their_order)
{
    dBodyID ball = addBall(world, mass, radius, 0, radius), other = addBall(world, mass, radius, 0, 3 * radius);
    order[0] = '\0';
    CHECK_OK(ksInspectorOnStep(inspector, sayStep, "s"));
    CHECK_OK(ksInspectorOnTouch(inspector, other, NULL, 0, sayTouch, "1"));
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, sayTouch, "2"));
    CHECK_OK(ksInspectorOnReaction(inspector, NULL, sayReaction, "r"));
    dBodySetLinearVel(other, 0, 0, -speed);
    land(ball, 0);
    touch(other, ball, (double[]){0, 0, 2 * radius}, up, 0, friction);
    step();
    ck_assert_str_eq(order, "rr122s");
}
END_TEST

/* The action of a callback. */
typedef struct Deed {
    Log log;
    dBodyID destroy;
    bool replace, end, close, closeWorld;
} Deed;

static void act(const ksTouch *event, void *user)
{
    Deed *deed = user;
    note(event, &deed->log);
    // as many bodies as before, at another address
    if (deed->destroy && deed->replace)
        (void)addBall(world, mass, radius, 0, 9);
    if (deed->destroy)
        dBodyDestroy(deed->destroy);
    deed->destroy = NULL;
    if (deed->end)
        CHECK_OK(ksInspectorOff(inspector, deed));
    CHECK_STATUS(ksInspectorStep(inspector, h), KS_ERROR_REENTRY);
    if (!deed->close)
        return;
    dJointGroupEmpty(group);
    ksInspectorDestroy(inspector);
    inspector = NULL;
    if (!deed->closeWorld)
        return;
    dWorldDestroy(world);
    world = NULL;
}

/* The partner is destroyed in the first of two calls, and another body is made or not: the second
 * call is not made, and the pair makes no further calls. */
START_TEST(destroys_in_calls)
{
    dBodyID ball = addBall(world, mass, radius, 0, radius), other = addBall(world, mass, radius, 0, 3 * radius);
    Deed first = {.destroy = other, .replace = _i}, second = {.destroy = NULL};
    Log pair = {.count = 0};
    CHECK_OK(ksInspectorOnTouch(inspector, other, NULL, 0, act, &first));
    const ksSubscription ending = ksInspectorGetLastSubscription(inspector);
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, act, &second));
    CHECK_OK(ksInspectorOnTouch(inspector, ball, other, 0, note, &pair));
    touch(other, ball, (double[]){0, 0, 2 * radius}, up, 0, 0);
    dBodySetLinearVel(other, 0, 0, -speed);
    step();
    ck_assert_int_eq(first.log.count, 1);
    ck_assert_int_eq(second.log.count, 0);
    step();
    ck_assert_int_eq(first.log.count, 1);
    ck_assert_int_eq(second.log.count, 0);
    ck_assert_int_eq(pair.count, 0);
    CHECK_STATUS(ksInspectorUnsubscribe(inspector, ending), KS_ERROR_ENDED);
    CHECK_STATUS(ksInspectorUnsubscribe(inspector, ending + 2), KS_ERROR_ENDED);
    CHECK_OK(ksInspectorUnsubscribe(inspector, ending + 1));
}
END_TEST

START_TEST(ends_in_calls)
{
    dBodyID ball = addBall(world, mass, radius, 0, radius);
    Deed deed = {.end = true};
    Log other = {.count = 0};
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, act, &deed));
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, note, &other));
    for (int i = 0; i < 3; i++) {
        land(ball, 0);
        step();
    }
    ck_assert_int_eq(deed.log.count, 1);
    ck_assert_int_eq(other.count, 3);
    expect(&other, 2, KS_TOUCH_LASTS, 2, 2 * h);
}
END_TEST

START_TEST(destroyed_in_a_call)
{
    dBodyID ball = addBall(world, mass, radius, 0, radius);
    Deed deed = {.close = true, .closeWorld = _i};
    Log other = {.count = 0};
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, act, &deed));
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, note, &other));
    land(ball, 0);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(deed.log.count, 1);
    ck_assert_int_eq(other.count, 0);
}
END_TEST

static bool isSame(const Log *a, const Log *b)
{
    bool same = a->count == b->count;
    for (int i = 0; same && i < a->count; i++)
        same = !memcmp(&a->at[i], &b->at[i], sizeof a->at[i]);
    return same;
}

/* Two inspectors of one world, one of which inspects on another thread and calls back when contacts
 * are gone: the same results, to the bit. */
START_TEST(two_inspectors)
{
    dBodyID ball = addBall(world, mass, radius, 0, radius);
    ksInspectorOptions options = defaultOptions();
    Log near = {.count = 0}, far = {.count = 0};
    options.latency = KS_NEXT_STEP;
    ksInspector *other = inspectWith(world, &options);
    CHECK_OK(ksInspectorOnTouch(inspector, ball, NULL, 0, note, &near));
    CHECK_OK(ksInspectorOnTouch(other, ball, NULL, 0, note, &far));
    for (int i = 0; i < 12; i++) {
        if (i % 4)
            land(ball, 0.3);
        CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
        CHECK_OK(ksInspectorStep(other, h));
        CHECK_OK(ksInspectorEndStep(inspector));
        dJointGroupEmpty(group);
    }
    CHECK_OK(ksInspectorFlush(other));
    ck_assert_int_gt(near.count, 6);
    ck_assert(isSame(&near, &far));
    ksInspectorDestroy(other);
}
END_TEST

START_TEST(arguments)
{
    dWorldID elsewhere = dWorldCreate();
    dBodyID ball = addBall(world, mass, radius, 0, 0), stranger = addBall(elsewhere, mass, radius, 0, 0);
    Log log;
    CHECK_STATUS(ksInspectorOnTouch(NULL, ball, NULL, 0, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnTouch(inspector, NULL, ball, 0, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnTouch(inspector, ball, ball, 0, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnTouch(inspector, stranger, NULL, 0, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnTouch(inspector, ball, stranger, 0, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnTouch(inspector, ball, NULL, -1e-300, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnTouch(inspector, ball, NULL, NAN, note, &log), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnTouch(inspector, ball, NULL, 0, NULL, &log), KS_ERROR_BAD_ARGUMENT);
    ck_assert_uint_eq(ksInspectorGetLastSubscription(inspector), 0);
    dWorldDestroy(elsewhere);
}
END_TEST

/* --- Memory --- */

enum { BALLS = 12 };

/* Steps with resting balls until all touches are known. Returns the number of requests; *lost:
 * steps without memory. */
static long restOn(long refuse, int steps, long *early, int *lost, Log *log)
{
    Counter counter = {.refuse = refuse};
    ksInspectorOptions options = defaultOptions();
    options.allocator = (ksAllocator){countingResize, &counter};
    ksInspector *own;
    *log = (Log){.count = 0};
    if (ksInspectorCreate(world, &options, &own)) {
        ++*lost;
        return counter.requests;
    }
    dBodyID floor = ksInspectorGetBody(inspector, BALLS);
    if (ksInspectorOnTouch(own, floor, NULL, INFINITY, note, log)) {
        ++*lost;
        CHECK_OK(ksInspectorOnTouch(own, floor, NULL, INFINITY, note, log));
    }
    for (int i = 0; i < steps; i++) {
        for (size_t k = 0; k < BALLS; k++) {
            dBodyID ball = ksInspectorGetBody(inspector, k);
            touch(ball, floor, dBodyGetPosition(ball), up, 0, 0);
        }
        const ksStatus status = ksInspectorStep(own, h);
        ck_assert(!status || status == KS_ERROR_NO_MEMORY);
        *lost += status != KS_OK;
        dJointGroupEmpty(group);
        if (i == 4)
            *early = counter.requests;
    }
    ksInspectorDestroy(own);
    ck_assert_int_eq(counter.held, 0);
    return counter.requests;
}

/* No request in the steady state. If a request fails, a step is lost, but each touch still begins
 * once. */
START_TEST(memory)
{
    Log log;
    long early = 0;
    int lost = 0;
    dBodyID floor = addBall(world, 1, 1, 0, 0);
    dBodySetKinematic(floor);
    for (int i = 0; i < BALLS; i++)
        addBall(world, mass, radius, i, radius);
    step();
    const long requests = restOn(0, 50, &early, &lost, &log);
    ck_assert_int_eq(requests, early);
    ck_assert_int_eq(lost, 0);
    ck_assert_int_eq(log.count, BALLS);
    for (long refuse = 1; refuse <= requests; refuse++) {
        lost = 0;
        restOn(refuse, 4, &early, &lost, &log);
        ck_assert_int_eq(lost, 1);
        ck_assert_msg(log.count == BALLS || log.count == 0, "request %ld: %d", refuse, log.count);
        for (int i = 0; i < log.count; i++)
            ck_assert_int_eq(log.at[i].phase, KS_TOUCH_BEGAN);
    }
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("touch calls");
    tcase_add_checked_fixture(test, setup, teardown);
    tcase_add_test(test, in_their_order);
    tcase_add_loop_test(test, destroys_in_calls, 0, 2);
    tcase_add_test(test, ends_in_calls);
    tcase_add_loop_test(test, destroyed_in_a_call, 0, 2);
    tcase_add_test(test, two_inspectors);
    tcase_add_test(test, arguments);
    tcase_add_test(test, memory);
    return runCase("touch calls", test);
}

/* check_subscription.c  Subscriptions end one by one, from outside and in callbacks. */
#include "tests/kits/chain_kit.h"

enum { MANY = 1000 };

/* The action of a call, and the number of calls. */
typedef struct Log {
    int calls;
    ksSubscription end; /* subscription to end in the next call; 0: none */
    ksStatus status;    /* the result */
} Log;

static void endOne(Log *log)
{
    log->calls++;
    if (log->end)
        log->status = ksInspectorUnsubscribe(inspector, log->end);
    log->end = 0;
}

static void note(const ksReaction *reaction, void *user)
{
    (void)reaction;
    endOne(user);
}

static void noteStep(const ksStepReport *report, void *user)
{
    (void)report;
    endOne(user);
}

static void noteLoad(const ksThresholdEvent *event, void *user)
{
    (void)event;
    endOne(user);
}

static ksSubscription subscribe(dJointID joint, Log *log)
{
    CHECK_OK(ksInspectorOnReaction(inspector, joint, note, log));
    return ksInspectorGetLastSubscription(inspector);
}

START_TEST(each_has_its_own_number)
{
    Log log = {0};
    ksThreshold limits;
    ksSubscription id[5];
    ksThresholdInit(&limits);
    ck_assert_uint_eq(ksInspectorGetLastSubscription(NULL), 0);
    ck_assert_uint_eq(ksInspectorGetLastSubscription(inspector), 0);
    id[0] = subscribe(scene->joint[0], &log);
    CHECK_OK(ksInspectorOnContact(inspector, scene->body[0], NULL, note, &log));
    id[1] = ksInspectorGetLastSubscription(inspector);
    CHECK_OK(ksInspectorOnStep(inspector, noteStep, &log));
    id[2] = ksInspectorGetLastSubscription(inspector);
    CHECK_OK(ksInspectorOnAlert(inspector, note, &log));
    id[3] = ksInspectorGetLastSubscription(inspector);
    CHECK_OK(ksInspectorOnThreshold(inspector, scene->joint[0], &limits, noteLoad, &log));
    id[4] = ksInspectorGetLastSubscription(inspector);
    // a failed call makes no subscription
    CHECK_STATUS(ksInspectorOnStep(inspector, NULL, &log), KS_ERROR_BAD_ARGUMENT);
    ck_assert_uint_eq(ksInspectorGetLastSubscription(inspector), id[4]);
    for (int i = 0; i < 5; i++) {
        ck_assert_uint_ne(id[i], 0);
        for (int k = 0; k < i; k++)
            ck_assert_uint_ne(id[i], id[k]);
        CHECK_OK(ksInspectorUnsubscribe(inspector, id[i]));
        CHECK_STATUS(ksInspectorUnsubscribe(inspector, id[i]), KS_ERROR_ENDED);
    }
    // numbers are not reused
    ck_assert_uint_gt(subscribe(NULL, &log), id[4]);
    CHECK_STATUS(ksInspectorUnsubscribe(inspector, id[4]), KS_ERROR_ENDED);
}
END_TEST

START_TEST(two_of_one_user)
{
    Log log = {0};
    const ksSubscription first = subscribe(scene->joint[0], &log);
    subscribe(scene->joint[0], &log);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, 2);
    CHECK_OK(ksInspectorUnsubscribe(inspector, first));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, 3);
    CHECK_OK(ksInspectorOff(inspector, &log));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, 3);
    CHECK_STATUS(ksInspectorUnsubscribe(inspector, first + 1), KS_ERROR_ENDED);
}
END_TEST

START_TEST(within_its_own_call)
{
    Log every = {0}, step = {0};
    // a subscription of all joints gets only the first of three calls
    every.end = subscribe(NULL, &every);
    CHECK_OK(ksInspectorOnStep(inspector, noteStep, &step));
    step.end = ksInspectorGetLastSubscription(inspector);
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(every.calls, 1);
    ck_assert_int_eq(step.calls, 1);
    CHECK_OK(every.status);
    CHECK_OK(step.status);
}
END_TEST

/* A joint that bears a weight is above two limits at once, and calls twice. */
START_TEST(threshold_within_its_own_call)
{
    Log log = {0}, both = {0};
    ksThreshold limits;
    ksThresholdInit(&limits);
    limits.forceMagnitude = limits.force[2] = 1e-9;
    limits.frame = KS_FRAME_WORLD;
    CHECK_OK(ksInspectorOnThreshold(inspector, scene->joint[0], &limits, noteLoad, &both));
    CHECK_OK(ksInspectorOnThreshold(inspector, scene->joint[0], &limits, noteLoad, &log));
    log.end = ksInspectorGetLastSubscription(inspector);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(both.calls, 2);
    ck_assert_int_eq(log.calls, 1);
    CHECK_OK(log.status);
}
END_TEST

START_TEST(another_one_in_a_call)
{
    Log first = {0}, second = {0}, again = {0};
    subscribe(scene->joint[0], &first);
    first.end = subscribe(scene->joint[0], &second);
    again.end = first.end;
    subscribe(scene->joint[0], &again);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(first.calls, 1);
    ck_assert_int_eq(second.calls, 0);
    CHECK_OK(first.status);
    CHECK_STATUS(again.status, KS_ERROR_ENDED);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(second.calls, 0);
    ck_assert_int_eq(again.calls, 2);
}
END_TEST

static ksSubscription last;

/* Ends all subscriptions but the last one. */
static void endOthers(const ksReaction *reaction, void *user)
{
    (void)reaction;
    for (ksSubscription id = *(ksSubscription *)user; id < last; id++)
        CHECK_OK(ksInspectorUnsubscribe(inspector, id));
}

/* During the calls of a step, the first of five subscriptions ends itself and two others, and the
 * fourth ends the fifth. */
START_TEST(most_in_a_call)
{
    ksSubscription first;
    Log log[4] = {{0}};
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[0], endOthers, &first));
    first = ksInspectorGetLastSubscription(inspector);
    for (int i = 0; i < 3; i++)
        last = subscribe(scene->joint[0], &log[i]);
    log[2].end = subscribe(scene->joint[0], &log[3]);
    CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksInspectorStep(inspector, h));
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(log[i].calls, i == 2 ? 2 : 0);
}
END_TEST

START_TEST(ended_with_its_joint)
{
    Log log = {0};
    const ksSubscription id = subscribe(scene->joint[2], &log);
    dJointDestroy(scene->joint[2]);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, 1);
    CHECK_STATUS(ksInspectorUnsubscribe(inspector, id), KS_ERROR_ENDED);
    // it exists until the last call
    const ksSubscription other = subscribe(scene->joint[1], &log);
    dJointDestroy(scene->joint[1]);
    CHECK_OK(ksInspectorUnsubscribe(inspector, other));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, 1);
}
END_TEST

/* Subscriptions end in an order of their own, with steps and new subscriptions in between. */
START_TEST(many)
{
    static Log log[MANY];
    static ksSubscription id[MANY];
    int left = MANY;
    for (int i = 0; i < MANY; i++)
        id[i] = subscribe(scene->joint[0], &log[i]);
    for (int i = 0, at = 0; i < MANY - 1; i++) {
        at = (at + 389) % MANY;
        CHECK_OK(ksInspectorUnsubscribe(inspector, id[at]));
        CHECK_STATUS(ksInspectorUnsubscribe(inspector, id[at]), KS_ERROR_ENDED);
        left--;
        if (i % 200 != 0)
            continue;
        for (int k = 0; k < MANY; k++)
            log[k].calls = 0;
        CHECK_OK(ksInspectorStep(inspector, h));
        int calls = 0;
        for (int k = 0; k < MANY; k++)
            calls += log[k].calls;
        ck_assert_int_eq(calls, left);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("subscription");
    tcase_add_checked_fixture(tcase, setUp, tearDown);
    tcase_add_test(tcase, each_has_its_own_number);
    tcase_add_test(tcase, two_of_one_user);
    tcase_add_test(tcase, within_its_own_call);
    tcase_add_test(tcase, threshold_within_its_own_call);
    tcase_add_test(tcase, another_one_in_a_call);
    tcase_add_test(tcase, most_in_a_call);
    tcase_add_test(tcase, ended_with_its_joint);
    tcase_add_test(tcase, many);
    return runCase("subscription", tcase);
}

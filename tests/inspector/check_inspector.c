/* check_inspector.c  Life cycle, subscriptions, and the host's actions in callbacks. */
#include "tests/kits/chain_kit.h"

START_TEST(bad_arguments)
{
    ksInspector *none = NULL;
    ksInspectorOptions options;
    CHECK_STATUS(ksInspectorCreate(NULL, NULL, &none), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorCreate(scene->world, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    memset(&options, 0, sizeof options);
    CHECK_STATUS(ksInspectorCreate(scene->world, &options, &none), KS_ERROR_BAD_ARGUMENT);
    ksInspectorOptionsInit(&options);
    options.tolerance = NAN;
    CHECK_STATUS(ksInspectorCreate(scene->world, &options, &none), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(none);

    CHECK_STATUS(ksInspectorStep(NULL, h), KS_ERROR_BAD_ARGUMENT);
    const double bad[] = {0, -h, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        CHECK_STATUS(ksInspectorStep(inspector, bad[i]), KS_ERROR_BAD_ARGUMENT);
        CHECK_STATUS(ksInspectorQuickStep(inspector, bad[i]), KS_ERROR_BAD_ARGUMENT);
        CHECK_STATUS(ksInspectorBeginStep(inspector, KS_QUICK_STEP, bad[i]), KS_ERROR_BAD_ARGUMENT);
    }
    CHECK_STATUS(ksInspectorOnReaction(inspector, NULL, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnReaction(inspector, (dJointID)&options, (ksReactionFn *)abort, NULL),
                 KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnContact(inspector, NULL, NULL, (ksReactionFn *)abort, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnStep(inspector, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOnAlert(inspector, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorOff(NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_ptr_null(ksInspectorGetReaction(inspector, scene->joint[0]));
    ck_assert_ptr_null(ksInspectorGetStepReport(inspector));
    ck_assert_ptr_null(ksInspectorGetStepReport(NULL));
    ksInspectorDestroy(NULL);
    ksInspectorOptionsInit(NULL);
}
END_TEST

typedef struct Log {
    int calls, gone;
    ksStatus status[6];
    dJointID destroy; /* joint to destroy in the next call */
    bool unsubscribe, destroyInspector;
    ksReaction last;
} Log;

static void note(const ksReaction *reaction, void *user)
{
    Log *log = user;
    log->calls++;
    log->last = *reaction;
    if (reaction->reasons & KS_REASON_JOINT_GONE)
        log->gone++;
    if (log->destroy)
        dJointDestroy(log->destroy);
    log->destroy = NULL;
    if (log->unsubscribe)
        CHECK_OK(ksInspectorOff(inspector, user));
    if (log->destroyInspector)
        ksInspectorDestroy(inspector);
}

static void misuse(const ksReaction *reaction, void *user)
{
    Log *log = user;
    (void)reaction;
    log->calls++;
    log->status[0] = ksInspectorStep(inspector, h);
    log->status[1] = ksInspectorQuickStep(inspector, h);
    log->status[2] = ksInspectorBeginStep(inspector, KS_WORLD_STEP, h);
    log->status[3] = ksInspectorEndStep(inspector);
}

START_TEST(reentry_is_refused)
{
    Log log = {0};
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[0], misuse, &log));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, 1);
    for (int i = 0; i < 4; i++)
        CHECK_STATUS(log.status[i], KS_ERROR_REENTRY);
    CHECK_OK(ksInspectorStep(inspector, h));
}
END_TEST

START_TEST(several_subscribers)
{
    Log one = {0}, all = {0}, off = {.unsubscribe = true};
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[1], note, &one));
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[1], note, &one));
    CHECK_OK(ksInspectorOnReaction(inspector, NULL, note, &all));
    CHECK_OK(ksInspectorOnReaction(inspector, NULL, note, &off));
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(one.calls, 4);
    ck_assert_int_eq(all.calls, 6);
    ck_assert_int_eq(off.calls, 1);
    CHECK_OK(ksInspectorOff(inspector, &all));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(all.calls, 6);
    ck_assert_int_eq(one.calls, 6);
    ck_assert_ptr_eq(one.last.joint, scene->joint[1]);
}
END_TEST

/* The first call destroys another joint: that joint gets no call in this step, and one last call in
 * the next. */
START_TEST(joint_destroyed_in_a_callback)
{
    Log killer = {.destroy = scene->joint[0]}, victim = {0};
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[2], note, &killer));
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[0], note, &victim));
    // the world lists the newest joint first
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(killer.calls, 1);
    ck_assert_int_eq(victim.calls, 0);
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(victim.calls, 1);
    ck_assert_int_eq(victim.gone, 1);
    ck_assert_ptr_eq(victim.last.joint, scene->joint[0]);
    ck_assert_str_eq(ksVerdictName(victim.last.verdict), "KS_NOT_SOLVED");
    ck_assert_int_eq(killer.calls, 3);
}
END_TEST

/* Destroys the joint of the call and the next one, and creates two others, the last at the address
 * of the first. */
static void replace(const ksReaction *reaction, void *user)
{
    Log *log = user;
    if (log->calls++)
        return;
    dJointDestroy(reaction->joint);
    dJointDestroy(log->destroy);
    for (int i = 0; i < 2; i++)
        dJointAttach(dJointCreateHinge(scene->world, NULL), scene->body[i], scene->body[i + 1]);
}

START_TEST(joints_replaced_in_a_callback)
{
    Log killer = {.destroy = scene->joint[0]}, victim = {0};
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[2], replace, &killer));
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[0], note, &victim));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(killer.calls, 1);
    ck_assert_int_eq(victim.calls, 0);
}
END_TEST

/* Creates the two newest joints again, equal to the old ones; false if the allocator does not
 * return their addresses. */
static bool remakeAlike(void)
{
    dBodyID body[2][2];
    for (int i = 2; i >= 1; i--) {
        for (int side = 0; side < 2; side++)
            body[i - 1][side] = dJointGetBody(scene->joint[i], side);
        dJointDestroy(scene->joint[i]);
    }
    bool alike = true;
    for (int i = 1; i <= 2; i++) {
        dJointID made = dJointCreateHinge(scene->world, NULL);
        dJointAttach(made, body[i - 1][0], body[i - 1][1]);
        alike = alike && made == scene->joint[i];
    }
    return alike;
}

static bool remade;

static void remakeOnce(const ksReaction *reaction, void *user)
{
    (void)reaction;
    if (!(*(int *)user)++)
        remade = remakeAlike();
}

/* The new joint has the old one's address, type and bodies, but not the engine's mark. */
START_TEST(joints_remade_alike_in_a_callback)
{
    int calls = 0;
    Log victim = {0};
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[2], remakeOnce, &calls));
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[1], note, &victim));
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    ck_assert_int_eq(calls, 1);
    if (remade)
        ck_assert_int_eq(victim.calls, 0);
}
END_TEST

START_TEST(joints_remade_alike_between_steps)
{
    Log log = {0};
    CHECK_OK(ksInspectorOnAlert(inspector, note, &log));
    dWorldSetQuickStepNumIterations(scene->world, 2);
    for (int i = 0; i < 100; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    const int before = log.calls;
    const bool alike = remakeAlike();
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, scene->joint[0])->verdict), "KS_SOLVER_ERROR");
    // two joints whose end has not been announced yet
    if (alike)
        ck_assert_int_eq(log.calls, before + 2);
}
END_TEST

/* A step of the host has marked the new joint, too. Only its place before an older joint in the
 * world's list shows that it is new. */
START_TEST(joint_remade_alike_before_a_step_of_the_hosts_own)
{
    Log log = {0};
    dBodyID body[2];
    CHECK_OK(ksInspectorOnAlert(inspector, note, &log));
    dWorldSetQuickStepNumIterations(scene->world, 2);
    for (int i = 0; i < 100; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    const int before = log.calls;
    for (int side = 0; side < 2; side++)
        body[side] = dJointGetBody(scene->joint[1], side);
    dJointDestroy(scene->joint[1]);
    dJointID made = dJointCreateHinge(scene->world, NULL);
    dJointAttach(made, body[0], body[1]);
    ck_assert(dWorldQuickStep(scene->world, h));
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    for (int i = 0; i < scene->jointCount; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, i == 1 ? made : scene->joint[i]);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_SOLVER_ERROR");
    }
    if (made == scene->joint[1])
        ck_assert_int_eq(log.calls, before + 1);
}
END_TEST

/* A step of the host's own by dWorldStep leaves a single joint without a mark: it is the same
 * joint, even if physical values need no history of bodies. */
START_TEST(steps_of_the_hosts_own_between)
{
    static const unsigned values[] = {KS_COMPUTE_CONVERGED, KS_COMPUTE_CONVERGED | KS_COMPUTE_PHYSICAL};
    Log log = {0};
    Scene *pendulum = sceneChain(1, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    options.values = values[_i];
    ksInspector *own = inspectWith(pendulum->world, &options);
    CHECK_OK(ksInspectorOnAlert(own, note, &log));
    dWorldSetQuickStepNumIterations(pendulum->world, 1);
    for (int i = 0; i < 10; i++) {
        CHECK_OK(ksInspectorQuickStep(own, h));
        ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(own, pendulum->joint[0])->verdict), "KS_SOLVER_ERROR");
        ck_assert(dWorldStep(pendulum->world, h));
    }
    ck_assert_int_eq(log.calls, 1);
    ksInspectorDestroy(own);
    sceneDestroy(pendulum);
}
END_TEST

/* The allocator gives the old joint's address to the new one, on the same bodies: a joint of
 * another type is another joint. */
START_TEST(address_taken_by_another_joint)
{
    Log log = {0};
    dJointID old = dJointCreateBall(scene->world, 0);
    dJointAttach(old, scene->body[0], scene->body[1]);
    CHECK_OK(ksInspectorOnReaction(inspector, old, note, &log));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, 1);
    dJointDestroy(old);
    // both types have the same size: unless a sanitizer withholds the old memory, the address is
    // the same
    dJointID made = dJointCreateFixed(scene->world, 0);
    dJointAttach(made, scene->body[0], scene->body[1]);
    dJointSetFixed(made);
    for (int i = 0; i < 2; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, 2);
    ck_assert_int_eq(log.gone, 1);
    ck_assert(isnan(log.last.physicalErrorBar) && isnan(log.last.anchor[0][0]) && isnan(log.last.anchor[1][2]));
}
END_TEST

static void burnDown(const ksReaction *reaction, void *user)
{
    Log *log = user;
    (void)reaction;
    log->calls++;
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    scene = NULL;
}

/* The host destroys everything in a callback: the library does not read the world again, and makes
 * no further calls. */
START_TEST(world_and_inspector_destroyed_in_a_callback)
{
    Log log = {0};
    for (int i = 0; i < 3; i++)
        CHECK_OK(ksInspectorOnReaction(inspector, NULL, burnDown, &log));
    CHECK_OK(ksInspectorStep(inspector, h));
    inspector = NULL;
    ck_assert_int_eq(log.calls, 1);
}
END_TEST

static int sequence;

static void inTurn(const ksReaction *reaction, void *user)
{
    (void)reaction;
    *(int *)user = ++sequence;
}

START_TEST(subscribers_are_called_in_their_order)
{
    int turn[4] = {0};
    dJointID joint = scene->joint[2];  // the first in the world's list
    CHECK_OK(ksInspectorOnReaction(inspector, joint, inTurn, &turn[0]));
    CHECK_OK(ksInspectorOnReaction(inspector, NULL, inTurn, &turn[1]));
    CHECK_OK(ksInspectorOnReaction(inspector, joint, inTurn, &turn[2]));
    CHECK_OK(ksInspectorOnContact(inspector, scene->body[0], NULL, inTurn, &turn[3]));
    sequence = 0;
    CHECK_OK(ksInspectorOff(inspector, &turn[1]));
    CHECK_OK(ksInspectorOnReaction(inspector, joint, inTurn, &turn[1]));
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(turn[0], 1);
    ck_assert_int_eq(turn[2], 2);
    ck_assert_int_eq(turn[1], 3);
    ck_assert_int_eq(turn[3], 0);
}
END_TEST

START_TEST(inspector_destroyed_in_a_callback)
{
    Log log = {.destroyInspector = true};
    CHECK_OK(ksInspectorOnReaction(inspector, scene->joint[0], note, &log));
    CHECK_OK(ksInspectorStep(inspector, h));
    inspector = NULL;
    ck_assert_int_eq(log.calls, 1);
    ck_assert(dWorldStep(scene->world, h));
}
END_TEST

static void countSteps(const ksStepReport *report, void *user)
{
    ck_assert_uint_eq(report->step, *(unsigned long *)user);
    ++*(unsigned long *)user;
}

START_TEST(step_reports)
{
    unsigned long calls = 0;
    CHECK_OK(ksInspectorOnStep(inspector, countSteps, &calls));
    for (int i = 0; i < 5; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_uint_eq(calls, 5);
}
END_TEST

START_TEST(alerts_on_entering_and_leaving)
{
    Log log = {0};
    CHECK_OK(ksInspectorOnAlert(inspector, note, &log));
    dWorldSetQuickStepNumIterations(scene->world, 2);
    for (int i = 0; i < 100; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, scene->joint[0])->verdict), "KS_SOLVER_ERROR");
    int entered = log.calls;
    ck_assert_int_ge(entered, 3);
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, entered + 3);
    ck_assert_str_eq(ksVerdictName(log.last.verdict), "KS_VALID");
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_int_eq(log.calls, entered + 3);
}
END_TEST

/* Two balls, one on the ground and one on the other: the pairs are distinguished. */
START_TEST(contacts_by_pair)
{
    dWorldID world = heavyWorld();
    dBodyID ball[2];
    for (int i = 0; i < 2; i++)
        ball[i] = addBall(world, 1, 0.5, 0, 0.5 + i);
    dWorldSetQuickStepNumIterations(world, 200);  // so that both contacts converge
    ksInspector *own = inspect(world);
    Log ground = {0}, between = {0}, any = {0};
    CHECK_OK(ksInspectorOnContact(own, ball[1], ball[0], note, &between));
    CHECK_OK(ksInspectorOnContact(own, ball[0], NULL, note, &any));
    CHECK_OK(ksInspectorOnContact(own, ball[1], NULL, note, &ground));
    dJointGroupID group = dJointGroupCreate(0);
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 2; i++) {
            dContact contact = {.surface = {.mode = 0, .mu = 0},
                                .geom = {.pos = {0, 0, (double)i}, .normal = {0, 0, 1}, .depth = 0}};
            addContact(world, group, &contact, ball[i], i ? ball[0] : NULL);
        }
        CHECK_OK(ksInspectorQuickStep(own, h));
        dJointGroupEmpty(group);
    }
    ck_assert_int_eq(between.calls, 3);
    ck_assert_int_eq(any.calls, 6);
    ck_assert_int_eq(ground.calls, 3);
    ck_assert_double_eq_tol(between.last.converged[0].force[2], SCENE_GRAVITY, 1e-9);
    // the end of a body ends the subscription without a call
    dBodyDestroy(ball[1]);
    CHECK_OK(ksInspectorStep(own, h));
    ck_assert_int_eq(between.calls, 3);
    dJointGroupDestroy(group);
    ksInspectorDestroy(own);
    dWorldDestroy(world);
}
END_TEST

/* States are overwritten in place while the lists stay the same: a disabled joint shows nothing of
 * the step in which it was enabled. */
START_TEST(nothing_is_left_of_the_step_before)
{
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
    ck_assert_double_eq(fabs(reaction->axes[1]), 1);
    dJointDisable(scene->joint[1]);
    CHECK_OK(ksInspectorStep(inspector, h));
    reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
    ck_assert_int_eq(reaction->verdict, KS_NOT_SOLVED);
    ck_assert_int_eq(reaction->rowCount, 0);
    ck_assert_ptr_null(reaction->row);
    ck_assert(isnan(reaction->engine[0].force[0]) && isnan(reaction->converged[0].force[0]) && isnan(reaction->error));
    ck_assert_double_eq(reaction->work, 0);
    for (int i = 0; i < 9; i++)
        ck_assert_double_eq(reaction->axes[i], 0);
}
END_TEST

static void expectIslands(size_t count)
{
    size_t reactions;
    CHECK_OK(ksInspectorStep(inspector, h));
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->islandCount, count);
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &reactions);
    for (size_t i = 0; i < reactions; i++) {
        const ksVerdict verdict = reaction[i].verdict;
        ck_assert(dJointIsEnabled(reaction[i].joint) ? verdict == KS_VALID || verdict == KS_INDETERMINATE
                                                     : verdict == KS_NOT_SOLVED);
    }
}

/* Attachments change between steps, although the world's lists stay the same. The chain is held at
 * both ends. */
START_TEST(islands_follow_what_is_joined)
{
    const dJointID joint = scene->joint[1];
    const dBodyID first = dJointGetBody(joint, 0), second = dJointGetBody(joint, 1);
    expectIslands(1);
    dJointDisable(joint);
    expectIslands(2);
    expectIslands(2);
    dJointEnable(joint);
    expectIslands(1);
    dBodySetKinematic(first);
    expectIslands(2);
    dBodySetDynamic(first);
    expectIslands(1);
    dJointAttach(joint, NULL, second);
    expectIslands(2);
    dJointAttach(joint, first, second);
    expectIslands(1);
}
END_TEST

/* The oldest joints are last in the world's lists, so the data of the others keep their places. */
START_TEST(the_oldest_goes)
{
    ksNetWrench net = {.a = dJointGetBody(scene->joint[0], 0)};
    expectIslands(1);
    dJointDestroy(scene->joint[0]);
    expectIslands(1);
    dBodyDestroy(net.a);
    CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, 1e-2, 1), KS_ERROR_BAD_ARGUMENT);
}
END_TEST

START_TEST(names)
{
    ck_assert_str_eq(ksStatusName(KS_ERROR_REENTRY), "KS_ERROR_REENTRY");
    ck_assert_str_eq(ksStatusName((ksStatus)999), "KS_STATUS_UNKNOWN");
    ck_assert_str_eq(ksVerdictName(KS_VALID), "KS_VALID");
    ck_assert_str_eq(ksVerdictName((ksVerdict)99), "KS_VERDICT_UNKNOWN");
    ck_assert_str_eq(ksReasonName(KS_REASON_BOUND), "KS_REASON_BOUND");
    ck_assert_str_eq(ksReasonName(KS_REASON_BOUND | KS_REASON_REPORT), "KS_REASON_UNKNOWN");
    for (ksReasons bit = 1; bit <= KS_REASON_REMEMBERED; bit <<= 1)
        ck_assert_str_ne(ksReasonName(bit), "KS_REASON_UNKNOWN");
    // fails when a reason is added, so that the loop above will contain it
    ck_assert_str_eq(ksReasonName(KS_REASON_REMEMBERED << 1), "KS_REASON_UNKNOWN");
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("inspector");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_test(test, bad_arguments);
    tcase_add_test(test, reentry_is_refused);
    tcase_add_test(test, several_subscribers);
    tcase_add_test(test, joint_destroyed_in_a_callback);
    tcase_add_test(test, joints_replaced_in_a_callback);
    tcase_add_test(test, joints_remade_alike_in_a_callback);
    tcase_add_test(test, joints_remade_alike_between_steps);
    tcase_add_test(test, joint_remade_alike_before_a_step_of_the_hosts_own);
    tcase_add_loop_test(test, steps_of_the_hosts_own_between, 0, 2);
    tcase_add_test(test, address_taken_by_another_joint);
    tcase_add_test(test, inspector_destroyed_in_a_callback);
    tcase_add_test(test, world_and_inspector_destroyed_in_a_callback);
    tcase_add_test(test, subscribers_are_called_in_their_order);
    tcase_add_test(test, step_reports);
    tcase_add_test(test, alerts_on_entering_and_leaving);
    tcase_add_test(test, contacts_by_pair);
    tcase_add_test(test, nothing_is_left_of_the_step_before);
    tcase_add_test(test, islands_follow_what_is_joined);
    tcase_add_test(test, the_oldest_goes);
    tcase_add_test(test, names);
    return runCase("inspector", test);
}

/* check_naming.c  Joints and bodies have the same numbers and names in each run. */
#include "tests/kits/chain_kit.h"
#include "tests/kits/memory_kit.h"

#include "plugin/report/collect/naming.h"

#define DASH " \xe2\x80\x93 "

static ksiNaming *naming;

static void begin(void)
{
    setUp();
    naming = ksiNamingCreate(NULL);
    ck_assert_ptr_nonnull(naming);
}

static void end(void)
{
    ksiNamingDestroy(naming);
    tearDown();
}

static void step(void)
{
    CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksiNamingUpdate(naming, inspector));
}

static const char *nameOf(dJointID joint)
{
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    const ksiIdentity *identity = reaction ? ksiIdentify(naming, reaction) : NULL;
    return identity ? identity->name : "";
}

START_TEST(numbers_follow_creation)
{
    step();
    // each joint's first body is the lower link
    ck_assert_str_eq(nameOf(scene->joint[0]), "hinge 1: body 1" DASH "world");
    ck_assert_str_eq(nameOf(scene->joint[1]), "hinge 2: body 2" DASH "body 1");
    ck_assert_str_eq(nameOf(scene->joint[2]), "hinge 3: body 3" DASH "body 2");
    // new joints get the next numbers, even at an old address
    dJointDestroy(scene->joint[1]);
    dJointID ball = dJointCreateBall(scene->world, NULL), hinge = dJointCreateHinge(scene->world, NULL);
    dBodyID body = addBall(scene->world, 1, 0.1, 3, 3);
    dJointAttach(ball, body, scene->body[0]);
    dJointAttach(hinge, scene->body[1], scene->body[0]);
    step();
    ck_assert_str_eq(nameOf(scene->joint[2]), "hinge 3: body 3" DASH "body 2");
    ck_assert_str_eq(nameOf(ball), "ball 1: body 4" DASH "body 1");
    ck_assert_str_eq(nameOf(hinge), "hinge 4: body 2" DASH "body 1");
    // attached to other bodies, it is another joint
    dJointAttach(ball, body, NULL);
    step();
    ck_assert_str_eq(nameOf(ball), "ball 2: body 4" DASH "world");
    ck_assert_int_eq(ksiBodyNumber(naming, body), 4);
    scene->joint[1] = hinge;
}
END_TEST

START_TEST(a_body_that_is_gone_loses_its_number)
{
    dBodyID body = addBall(scene->world, 1, 0.1, 3, 3);
    step();
    ck_assert_int_eq(ksiBodyNumber(naming, body), 4);
    dBodyDestroy(body);
    step();
    ck_assert_int_eq(ksiBodyNumber(naming, body), 0);
    ck_assert_int_eq(ksiBodyNumber(naming, NULL), 0);
    body = addBall(scene->world, 1, 0.1, 3, 3);
    step();
    ck_assert_int_eq(ksiBodyNumber(naming, body), 5);
    // a new joint between two steps, at any address: the others keep their names
    addBall(scene->world, 1, 0.1, 5, 5);
    step();
    dBodyDestroy(body);
    body = addBall(scene->world, 1, 0.1, 3, 3);
    step();
    ck_assert_int_eq(ksiBodyNumber(naming, body), 7);
    ck_assert_int_eq(ksiBodyNumber(naming, scene->body[2]), 3);
}
END_TEST

static const char *nameOfContact(dBodyID a, dBodyID b, const ksiIdentity **identity)
{
    dContact contact = {.geom = {.normal = {0, 0, 1}, .depth = 0.001}};
    dJointGroupID group = dJointGroupCreate(0);
    dJointID joint = addContact(scene->world, group, &contact, a, b);
    step();
    *identity = ksiIdentify(naming, ksInspectorGetReaction(inspector, joint));
    ck_assert_ptr_nonnull(*identity);
    dJointGroupDestroy(group);
    return (*identity)->name;
}

START_TEST(contacts_of_a_pair_are_one)
{
    const ksiIdentity *first, *second;
    ck_assert_str_eq(nameOfContact(scene->body[0], scene->body[2], &first), "contact: body 1" DASH "body 3");
    ck_assert_str_eq(nameOfContact(scene->body[2], scene->body[0], &second), "contact: body 1" DASH "body 3");
    ck_assert_ptr_eq(first, second);
    ck_assert_str_eq(nameOfContact(scene->body[2], NULL, &second), "contact: body 3" DASH "world");
    ck_assert_str_eq(nameOfContact(NULL, scene->body[2], &first), "contact: body 3" DASH "world");
    ck_assert_ptr_eq(first, second);
    ck_assert_int_eq(first->number, 0);
}
END_TEST

START_TEST(equal_names_are_told_apart)
{
    for (int i = 2; i >= 0; i--)
        CHECK_OK(ksInspectorSetName(inspector, scene->joint[i], "elbow"));
    step();
    ck_assert_str_eq(nameOf(scene->joint[0]), "elbow");
    ck_assert_str_eq(nameOf(scene->joint[1]), "elbow (2)");
    ck_assert_str_eq(nameOf(scene->joint[2]), "elbow (3)");
    // an existing name, of another joint that has it by default
    dJointID ball = dJointCreateBall(scene->world, NULL);
    dJointAttach(ball, scene->body[1], NULL);
    step();
    ck_assert_str_eq(nameOf(ball), "ball 1: body 2" DASH "world");
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[0], "ball 1: body 2" DASH "world"));
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], "elbow (3)"));
    step();
    ck_assert_str_eq(nameOf(scene->joint[0]), "ball 1: body 2" DASH "world (2)");
    ck_assert_str_eq(nameOf(scene->joint[1]), "elbow (3) (2)");
}
END_TEST

START_TEST(a_replay_gives_the_numbers)
{
    CHECK_OK(ksiNamingSetJoint(naming, scene->joint[1], 7));
    CHECK_OK(ksiNamingSetBody(naming, scene->body[1], 9));
    step();
    ck_assert_str_eq(nameOf(scene->joint[1]), "hinge 7: body 9" DASH "body 10");
    ck_assert_str_eq(nameOf(scene->joint[0]), "hinge 8: body 10" DASH "world");
    step();
    ck_assert_str_eq(nameOf(scene->joint[1]), "hinge 7: body 9" DASH "body 10");
    // at the same address, but another joint to the recorder
    CHECK_OK(ksiNamingSetJoint(naming, scene->joint[1], 12));
    step();
    ck_assert_str_eq(nameOf(scene->joint[1]), "hinge 12: body 9" DASH "body 10");
    ck_assert_str_eq(nameOf(scene->joint[0]), "hinge 8: body 10" DASH "world");
}
END_TEST

START_TEST(out_of_memory)
{
    Counter counter = {.all = 1};
    const ksAllocator allocator = {countingResize, &counter};
    CHECK_OK(ksInspectorSetName(inspector, scene->joint[1], "elbow"));
    CHECK_OK(ksInspectorStep(inspector, h));
    ksStatus status = KS_ERROR_NO_MEMORY;
    long most = 0;
    for (; status; most++) {
        ck_assert_int_lt(most, 100);
        counter.requests = 0;
        counter.refuse = most + 1;
        ksiNaming *mine = ksiNamingCreate(&allocator);
        status = mine ? ksiNamingUpdate(mine, inspector) : KS_ERROR_NO_MEMORY;
        ck_assert(!status || status == KS_ERROR_NO_MEMORY);
        // later there is memory again, and no joint is counted twice
        counter.refuse = 0;
        if (mine)
            CHECK_OK(ksiNamingUpdate(mine, inspector));
        const ksReaction *last = ksInspectorGetReaction(inspector, scene->joint[2]);
        if (mine)
            ck_assert_str_eq(ksiIdentify(mine, last)->name, "hinge 3: body 3" DASH "body 2");
        ksiNamingDestroy(mine);
        ck_assert_int_eq(counter.held, 0);
    }
    ck_assert_int_gt(most, 3);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("naming");
    tcase_add_checked_fixture(tcase, begin, end);
    tcase_add_test(tcase, numbers_follow_creation);
    tcase_add_test(tcase, a_body_that_is_gone_loses_its_number);
    tcase_add_test(tcase, contacts_of_a_pair_are_one);
    tcase_add_test(tcase, equal_names_are_told_apart);
    tcase_add_test(tcase, a_replay_gives_the_numbers);
    tcase_add_test(tcase, out_of_memory);
    return runCase("naming", tcase);
}

/* check_flicker.c  Contacts that return after a gap: KS_REASON_FLICKER of balls for which the test
 * creates or omits contacts. */
#include "tests/kits/contacts/ground_kit.h"

static const double radius = 0.1;

/* On the ground, without collision detection. */
static void putContact(dBodyID ball)
{
    const dReal *at = dBodyGetPosition(ball);
    dContact contact = {.surface = surface, .geom = {.pos = {at[0], at[1], at[2] - radius}, .normal = {0, 0, 1}}};
    contact.geom.depth = 1e-4;
    contact.fdir1[0] = 1;
    addContact(world, contacts, &contact, ball, NULL);
}

static void stepWith(dBodyID first, dBodyID second, int count)
{
    for (int n = 0; n < count; n++) {
        if (first)
            putContact(first);
        if (second)
            putContact(second);
        CHECK_OK(inspectedStep(inspector, KS_WORLD_STEP, h));
        dJointGroupEmpty(contacts);
    }
}

/* Contacts of this ball that returned in the last step. */
static int returnedOf(dBodyID ball)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    int returned = 0;
    for (size_t i = 0; i < count; i++)
        returned +=
            (reaction[i].body[0] == ball || reaction[i].body[1] == ball) && reaction[i].reasons & KS_REASON_FLICKER;
    return returned;
}

/* A ball without a contact for some steps, beside one that keeps its contact. */
START_TEST(gaps)
{
    const dBodyID ball = makeBall(1, radius, 0, radius), other = makeBall(1, radius, 1, radius);
    stepWith(ball, other, 10);
    ck_assert_int_eq(returnedOf(ball), 0);
    stepWith(NULL, other, _i);
    stepWith(ball, other, 1);
    ck_assert_int_eq(returnedOf(ball), _i >= 1 && _i <= 3);
    ck_assert_int_eq(returnedOf(other), 0);
    stepWith(ball, other, 1);
    ck_assert_int_eq(returnedOf(ball), 0);
}
END_TEST

/* Neither a ball that strikes the ground again nor one that the host has moved elsewhere
 * flickers. */
START_TEST(others)
{
    const dBodyID ball = makeBall(1, radius, 0, radius);
    stepWith(ball, NULL, 10);
    stepWith(NULL, NULL, 2);
    if (_i == 0)
        dBodySetLinearVel(ball, 0, 0, -10 * SCENE_GRAVITY * h);
    if (_i == 1)
        dBodySetPosition(ball, 3, 0, radius);
    stepWith(ball, NULL, 1);
    ck_assert_int_eq(returnedOf(ball), _i == 2);
}
END_TEST

/* A contact that does not press does not count. */
START_TEST(lifted)
{
    const dBodyID ball = makeBall(1, radius, 0, radius);
    stepWith(ball, NULL, 10);
    for (int n = 0; n < 2; n++) {
        dBodyAddForce(ball, 0, 0, 1.5 * SCENE_GRAVITY);
        dBodySetLinearVel(ball, 0, 0, 0.01);
        stepWith(ball, NULL, 1);
        ck_assert_int_eq(returnedOf(ball), 0);
    }
    dBodySetLinearVel(ball, 0, 0, 0);
    stepWith(ball, NULL, 1);
    ck_assert_int_eq(returnedOf(ball), 1);
}
END_TEST

/* A box on another one: with a surface layer of zero its corners flicker, with a layer of 1 mm they
 * do not. */
START_TEST(layer)
{
    static const double size[3] = {0.3, 0.2, 0.2};
    const dBodyID low = makeBox(2, size, 0.1), high = makeBox(2, size, 0.3);
    int returned = 0;
    h = 0.005;
    surface.mu = INFINITY;
    dWorldSetQuickStepNumIterations(world, 20);
    dWorldSetContactSurfaceLayer(world, _i ? 1e-3 : 0);
    for (int n = 0; n < 500; n++) {
        step(KS_QUICK_STEP);
        returned += n > 100 && returnedOf(high) + returnedOf(low) > 0;
    }
    ck_assert_int_eq(returned > 8, _i == 0);
    ck_assert(_i == 0 || returned == 0);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("flicker");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_loop_test(test, gaps, 0, 6);
    tcase_add_loop_test(test, others, 0, 3);
    tcase_add_test(test, lifted);
    tcase_add_loop_test(test, layer, 0, 2);
    return runCase("flicker", test);
}

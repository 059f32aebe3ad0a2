/* check_whirl.c  Bars of bodies that whirl about a joint. The joint's force is constant in axes that turn
 * with the body, and turns by up to 1.6 rad in a window of 0.15 s: this is no noise. */
#include "tests/kits/support.h"

/* Windows have 16 steps of 10 ms, and 32 of 5 ms. The first window of a run has one impulse less
 * than steps, and counts until the second is complete. */
enum { FIRST = 3 * 32, STEPS = 300, MOST_OUTSIDE = STEPS / 100 };

/* For a rotation hw in a step, a radius r of the circle and an error reduction e, the gap is r
 * (hw)^2 / 2e: each step moves the body along the tangent. The velocities that the joint permits
 * disagree by this share of the radius, and their forces by twice that. */
static double doubtOf(dWorldID world, double step, double rate)
{
    return step * step * rate * rate / dWorldGetERP(world);
}

/* A bar relative to that disagreement, with room for noise and for the means of windows, both of
 * which are less than a quarter of it. */
static const double mostBar = 1.5;

static dBodyID addWhirling(dWorldID world, double width, double radius, double z, double rate)
{
    dBodyID body = addBox(world, 2, (const double[3]){width, width, width}, z);
    dBodySetPosition(body, radius, 0, z);
    dBodySetLinearVel(body, 0, rate * radius, 0);
    dBodySetAngularVel(body, 0, 0, rate);
    return body;
}

static dJointID hold(dWorldID world, dBodyID body, dBodyID base, double z, bool isBall)
{
    dJointID joint = isBall ? dJointCreateBall(world, NULL) : dJointCreateHinge(world, NULL);
    dJointAttach(joint, body, base);
    if (isBall) {
        dJointSetBallAnchor(joint, 0, 0, z);
    } else {
        dJointSetHingeAnchor(joint, 0, 0, z);
        dJointSetHingeAxis(joint, 0, 0, 1);
    }
    return joint;
}

/* Whether the value is within its bar of the force across the axis that the circle needs at the
 * start of this step. */
static bool isWithin(const ksReaction *r, double needed, double *bar)
{
    *bar = hypot(r->row[0].physicalBar, r->row[1].physicalBar);
    return fabs(hypot(r->physical[0].force[0], r->physical[0].force[1]) - needed) <= *bar;
}

static double neededBy(dBodyID body, double *rate)
{
    const dReal *at = dBodyGetPosition(body);
    dMass own;
    dBodyGetMass(body, &own);
    *rate = length3(dBodyGetAngularVel(body));
    return own.mass * *rate * *rate * hypot(at[0], at[1]);
}

/* dWorldStep solves its equations, so the forces have no noise. */
START_TEST(a_load_that_turns_has_no_noise)
{
    static const double step = 0.01, rates[] = {3, 7, 10};
    int within = 0;
    dWorldID world = dWorldCreate();
    dBodyID body = addWhirling(world, 0.1, 0.7, 0, rates[_i / 2]);
    dJointID joint = hold(world, body, NULL, 0, _i % 2);
    ksInspector *inspector = inspect(world);
    for (int n = 0; n < FIRST + STEPS; n++) {
        double rate, bar;
        const double needed = neededBy(body, &rate);
        CHECK_OK(ksInspectorStep(inspector, step));
        within += isWithin(ksInspectorGetReaction(inspector, joint), needed, &bar) && n >= FIRST;
        if (n >= FIRST / 2)
            ck_assert_double_le(bar, mostBar * doubtOf(world, step, rate) * needed);
    }
    ck_assert_int_ge(within, STEPS - MOST_OUTSIDE);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

static void touch(dWorldID world, dJointGroupID group, const dGeomID geom[2])
{
    dContactGeom found[4];
    const int count = dCollide(geom[0], geom[1], 4, found, sizeof *found);
    for (int i = 0; i < count; i++) {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = 1}, .geom = found[i]};
        addContact(world, group, &contact, dGeomGetBody(geom[0]), dGeomGetBody(geom[1]));
    }
}

/* An arm on a heavy base that stands: contacts of dWorldQuickStep are noisy, and the arm's forces
 * only as far as the base moves. */
START_TEST(an_arm_on_a_standing_base_has_little_noise)
{
    static const struct {
        double step, rate;
    } cases[] = {{0.005, 5}, {0.01, 7}, {0.005, 10}};
    const double step = cases[_i].step;
    int within = 0;
    dRandSetSeed(7);
    dWorldID world = heavyWorld();
    dBodyID base = addBox(world, 5000, (const double[3]){1, 1, 0.2}, 0.1);
    dBodyID arm = addWhirling(world, 0.3, 0.5, 0.5, cases[_i].rate);
    dJointID joint = hold(world, arm, base, 0.5, false);
    const dGeomID geom[2] = {dCreatePlane(NULL, 0, 0, 1, 0), dCreateBox(NULL, 1, 1, 0.2)};
    dJointGroupID group = dJointGroupCreate(0);
    dGeomSetBody(geom[1], base);
    ksInspector *inspector = inspect(world);
    for (int n = 0; n < FIRST + STEPS; n++) {
        double rate, bar;
        const double needed = neededBy(arm, &rate);
        touch(world, group, geom);
        CHECK_OK(ksInspectorQuickStep(inspector, step));
        within += isWithin(ksInspectorGetReaction(inspector, joint), needed, &bar) && n >= FIRST;
        if (n >= FIRST)
            ck_assert_double_le(bar, mostBar * doubtOf(world, step, rate) * needed);
        dJointGroupEmpty(group);
    }
    ck_assert_int_ge(within, STEPS - MOST_OUTSIDE);
    ksInspectorDestroy(inspector);
    dGeomDestroy(geom[0]);
    dGeomDestroy(geom[1]);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("whirl");
    tcase_add_loop_test(test, a_load_that_turns_has_no_noise, 0, 6);
    tcase_add_loop_test(test, an_arm_on_a_standing_base_has_little_noise, 0, 3);
    return runCase("whirl", test);
}

/* check_limited_motors.c  Motors at their limits: rows with a known force, against explicit forces
 * and right-hand sides. */
#include "tests/kits/structure_kit.h"

static const double fast = 100; /* 1/s or m/s: no motor here reaches it */

/* --- In a loop --- */

typedef struct Carts {
    Structure s;
    dJointID rod, motor;
} Carts;

/* Two carts of 1 kg on rails, connected by a rod; the motor of the first one pushes. */
static void makeCarts(Carts *c, double push)
{
    enum { BOTH = 2 };
    *c = (Carts){.s = {.world = heavyWorld()}};
    for (int i = 0; i < BOTH; i++) {
        const dBodyID cart = box(&c->s, 1, (double[3]){1, 1, 1}, -2 * i, 0, 2);
        dBodySetDamping(cart, 0, 0);
        const dJointID rail = join(&c->s, dJointCreateSlider(c->s.world, 0), cart, NULL);
        dJointSetSliderAxis(rail, 1, 0, 0);
    }
    c->motor = c->s.joint[0];
    dJointSetSliderParam(c->motor, dParamVel, fast);
    dJointSetSliderParam(c->motor, dParamFMax, push);
    c->rod = join(&c->s, dJointCreateDBall(c->s.world, 0), c->s.body[1], c->s.body[0]);
    dJointSetDBallAnchor1(c->rod, -1.5, 0, 2);
    dJointSetDBallAnchor2(c->rod, -0.5, 0, 2);
}

static void count(const ksThresholdEvent *event, void *user)
{
    *(int *)user += event->phase == KS_THRESHOLD_ENTERED;
}

/* F m2 / (m1 + m2), to rounding: the motor leaves its limit in the step in which its largest force
 * grows. */
START_TEST(half_of_the_push)
{
    enum { STEPS = 20 };
    const double rounding = 1e-6, push[2] = {0.5, 5}; /* N */
    Carts c;
    makeCarts(&c, push[0]);
    ksInspector *inspector = inspect(c.s.world);
    ksThreshold limit;
    int passed = 0;
    ksThresholdInit(&limit);
    limit.forceMagnitude = 1;
    CHECK_OK(ksInspectorOnThreshold(inspector, c.rod, &limit, count, &passed));
    for (int stage = 0; stage < 2; stage++) {
        dJointSetSliderParam(c.motor, dParamFMax, push[stage]);
        for (int i = 0; i < STEPS; i++) {
            stepBy(inspector, _i);
            const ksReaction *reaction = ksInspectorGetReaction(inspector, c.rod);
            ck_assert_double_eq_tol(length3(reaction->physical[0].force), push[stage] / 2, rounding);
            ck_assert_double_le(reaction->row[0].physicalBar, rounding);
            ck_assert_int_eq(passed, stage);
        }
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(c.s.world);
}
END_TEST

/* A motor that has been at its limit reaches its target within a step, against a load that it then
 * holds. Its mean force in that step is between the limit and the load, and is the value: the rod
 * carries half of the excess, and the load of the second cart. */
START_TEST(last_step_before_the_target)
{
    enum { LIMITED = 3, STEPS = 20 };
    const double rounding = 1e-6, limit = 10, load = 8, mass = 2, left = 0.5; /* N, kg; of a step's speed */
    const double gain = (limit - load) / mass * h, speed = (LIMITED + left) * gain;
    Carts c;
    makeCarts(&c, limit);
    dJointSetSliderParam(c.motor, dParamVel, 0);
    for (int i = 0; i < 2; i++)
        dBodySetLinearVel(c.s.body[i], -speed, 0, 0);
    ksInspector *inspector = inspect(c.s.world);
    for (int i = 0; i < STEPS; i++) {
        const double excess = (i < LIMITED ? 1 : i == LIMITED ? left : 0) * (limit - load);
        dBodyAddForce(c.s.body[1], -load, 0, 0);
        CHECK_OK(_i ? ksInspectorExactStep(inspector, h) : ksInspectorStep(inspector, h));
        const ksRow *rod = ksInspectorGetReaction(inspector, c.rod)->row;
        const ksMotor *motor = ksInspectorGetReaction(inspector, c.motor)->motor;
        ck_assert_double_eq_tol(motor->physical, load + excess, rounding);
        ck_assert_double_eq_tol(fabs(rod->physical), load + excess / 2, rounding);
        ck_assert_double_le(rod->physicalBar, excess / 2 + rounding);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(c.s.world);
}
END_TEST

/* The hinges of a closing door: their sum along the axis is the weight, and its bar is a small part
 * of that. Under dWorldQuickStep the bar also includes the engine's split of the load. */
START_TEST(weight_of_a_driven_door)
{
    enum { STEPS = 100 };
    const double slanted = 1e-4, small = 0.1; /* of the weight */
    Structure s;
    dMass mass;
    make(&s, DOOR, 1e-10);
    dBodyGetMass(s.body[0], &mass);
    const double weight = mass.mass * SCENE_GRAVITY;
    dJointSetHingeParam(s.joint[0], dParamVel, fast);
    dJointSetHingeParam(s.joint[0], dParamFMax, 5);
    ksInspector *inspector = inspect(s.world);
    const ksWrenchTerm both[2] = {{.joint = s.joint[0], .body = s.body[0]}, {.joint = s.joint[1], .body = s.body[0]}};
    for (int i = 0; i < STEPS; i++) {
        ksWrenchSum sum;
        stepBy(inspector, _i);
        CHECK_OK(ksInspectorSumWrenches(inspector, both, 2, KS_PHYSICAL, NULL, &sum));
        ck_assert_double_eq_tol(sum.wrench.force[2], weight, slanted * weight);
        if (_i != 1)
            ck_assert_double_le(sum.bar.force[2], small * weight);
        for (int k = 0; k < 2; k++)
            ck_assert(isfinite(ksInspectorGetReaction(inspector, s.joint[k])->shared[0].force[2]));
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

/* --- In a tree that is solved with compliance --- */

enum { LINKS = 12 };
static const double torque = 60; /* N.m */

/* Light links released from the horizontal, with a load at the end; the second joint has a motor,
 * or not. */
static void makeChain(Structure *s, bool hasMotor)
{
    *s = (Structure){.world = heavyWorld()};
    dWorldSetQuickStepNumIterations(s->world, 20);
    for (int i = 0; i < LINKS; i++) {
        const bool isLoad = i == LINKS - 1;
        const double slender[3] = {1, 0.1, 0.1}, cube[3] = {0.5, 0.5, 0.5};
        const dBodyID link = box(s, isLoad ? 100 : 1, isLoad ? cube : slender, i + 0.5, 0, 0);
        dBodySetDamping(link, 0, 0);
        const dJointID hinge = join(s, dJointCreateHinge(s->world, 0), link, i ? s->body[i - 1] : NULL);
        dJointSetHingeAnchor(hinge, i, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
    }
    if (hasMotor) {
        dJointSetHingeParam(s->joint[1], dParamVel, 1e3 * fast);
        dJointSetHingeParam(s->joint[1], dParamFMax, torque);
    }
}

static void copyBodies(const Structure *from, const Structure *to)
{
    for (int i = 0; i < from->bodies; i++) {
        const dReal *place = dBodyGetPosition(from->body[i]), *linear = dBodyGetLinearVel(from->body[i]),
                    *angular = dBodyGetAngularVel(from->body[i]);
        dBodySetPosition(to->body[i], place[0], place[1], place[2]);
        dBodySetQuaternion(to->body[i], dBodyGetQuaternion(from->body[i]));
        dBodySetLinearVel(to->body[i], linear[0], linear[1], linear[2]);
        dBodySetAngularVel(to->body[i], angular[0], angular[1], angular[2]);
    }
}

/* A motor at its limit is a torque. From the same state, the same torque by the host gives the same
 * forces, except for the engine's share: they agree better than the engine's reports. */
START_TEST(as_an_applied_torque)
{
    enum { STEPS = 800, FEWEST = 100 };
    Structure pair[2];
    ksInspector *inspector[2];
    double physical = 0, engine = 0;
    int softened = 0;
    for (int k = 0; k < 2; k++) {
        makeChain(&pair[k], k == 0);
        inspector[k] = inspect(pair[k].world);
    }
    for (int i = 0; i < STEPS; i++) {
        copyBodies(&pair[0], &pair[1]);
        dJointAddHingeTorque(pair[1].joint[1], torque);
        for (int k = 0; k < 2; k++)
            CHECK_OK(ksInspectorQuickStep(inspector[k], h));
        for (int j = 0; j < LINKS; j++) {
            const ksReaction *r[2];
            for (int k = 0; k < 2; k++)
                r[k] = ksInspectorGetReaction(inspector[k], pair[k].joint[j]);
            if (!(r[0]->reasons & r[1]->reasons & KS_REASON_ADOPTED))
                continue;
            softened++;
            physical += distance3(r[0]->physical[0].force, r[1]->physical[0].force);
            engine += distance3(r[0]->engine[0].force, r[1]->engine[0].force);
        }
    }
    ck_assert_int_gt(softened, FEWEST * LINKS);
    ck_assert_double_lt(physical, engine);
    for (int k = 0; k < 2; k++) {
        ksInspectorDestroy(inspector[k]);
        dWorldDestroy(pair[k].world);
    }
}
END_TEST

/* --- Beyond its limit --- */

/* An arm of six welded parts, 2 kg and 1 m, stretches out from a hinge; its weight needs 9.81 N.m.
 * The motor has nine tenths of it. In its first steps dWorldQuickStep reports 9 to 50 % of the
 * motor's largest force: the welds give way. */
static const double spentTolerance = 1e-9; /* N.m */

START_TEST(load_that_the_motor_cannot_hold)
{
    enum { PARTS = 6, STEPS = 8 };
    const double length = 1. / PARTS, most = 0.9 * 2 * SCENE_GRAVITY * 0.5;
    Structure s = {.world = heavyWorld()};
    dJointID motor = NULL;
    for (int i = 0; i < PARTS; i++) {
        const dBodyID part = box(&s, 2. / PARTS, (double[3]){length, 0.1, 0.1}, (i + 0.5) * length, 0, 0);
        dBodySetDamping(part, 0, 0);
        if (i) {
            dJointSetFixed(join(&s, dJointCreateFixed(s.world, 0), part, s.body[i - 1]));
            continue;
        }
        motor = join(&s, dJointCreateHinge(s.world, 0), part, NULL);
        dJointSetHingeAnchor(motor, 0, 0, 0);
        dJointSetHingeAxis(motor, 0, 1, 0);
        dJointSetHingeParam(motor, dParamFMax, most);
    }
    ksInspector *inspector = inspect(s.world);
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
        const ksMotor *found = ksInspectorGetReaction(inspector, motor)->motor;
        ck_assert_double_le(fabs(found->force), 0.5 * most);  // the scene: not at its limit
        ck_assert_double_eq_tol(fabs(found->physical), most, spentTolerance);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(s.world);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("limited_motors");
    tcase_add_loop_test(tcase, half_of_the_push, 0, WAYS);
    tcase_add_loop_test(tcase, last_step_before_the_target, 0, 2);
    tcase_add_loop_test(tcase, weight_of_a_driven_door, 0, WAYS);
    tcase_add_test(tcase, as_an_applied_torque);
    tcase_add_test(tcase, load_that_the_motor_cannot_hold);
    return runCase("limited_motors", tcase);
}

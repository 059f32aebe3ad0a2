/* check_blows.c  Blows that QuickStep spreads over several steps: the sum of the physical impulses
 * is the momentum that the mechanism loses, whatever the forces of single steps are. */
#include "tests/kits/support.h"

static const double h = 0.01;
enum { PARTS = 3 };

/* share of the momentum: the engine corrects the share ERP of the penetration v h of the first
 * step, and so throws the body back at up to ERP v */
static const double thrownBack = 0.2;
/* of the momentum of an arm that a motor stops; the arm is at rest afterwards */
static const double brakeTolerance = 0.02;

/* Boxes of 2, 2 and 5 kg, welded in a row, that turn about a hinge at the origin at `speed`.
 * Returns the moment of inertia about it. */
static double makeArm(dWorldID world, double speed, dJointID *hinge, dBodyID body[PARTS])
{
    static const double length = 0.3, thick = 0.1, masses[PARTS] = {2, 2, 5};
    double inertia = 0;
    for (int i = 0; i < PARTS; i++) {
        const double x = (i + 0.5) * length;
        body[i] = addBox(world, masses[i], (const double[]){length, thick, thick}, 0);
        dBodySetPosition(body[i], x, 0, 0);
        dBodySetLinearVel(body[i], 0, 0, -speed * x);
        dBodySetAngularVel(body[i], 0, speed, 0);
        inertia += masses[i] * ((length * length + thick * thick) / 12 + x * x);
        if (i > 0) {
            const dJointID weld = dJointCreateFixed(world, NULL);
            dJointAttach(weld, body[i - 1], body[i]);
            dJointSetFixed(weld);
        }
    }
    *hinge = dJointCreateHinge(world, NULL);
    dJointAttach(*hinge, body[0], NULL);
    dJointSetHingeAnchor(*hinge, 0, 0, 0);
    dJointSetHingeAxis(*hinge, 0, 1, 0);
    return inertia;
}

/* The physical impulse of the hinge's motor or stop over `steps` steps, N.m.s about its axis. */
static double run(ksInspector *inspector, dJointID hinge, int steps)
{
    double sum = 0;
    for (int i = 0; i < steps; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksReaction *r = ksInspectorGetReaction(inspector, hinge);
        if (r->rowCount > 5)
            sum += h * r->row[5].physical * r->row[5].jacobian[0][4];
    }
    return sum;
}

static dWorldID makeWorld(void)
{
    const dWorldID world = dWorldCreate();
    dRandSetSeed(1);
    dWorldSetQuickStepNumIterations(world, 20);
    return world;
}

/* A motor of 300 N.m is at its bound for several steps; an unlimited motor acts only in the step in
 * which it is switched on. The impulse of both is I w. */
START_TEST(motor_stops_an_arm)
{
    const double speed = 5;
    const dWorldID world = makeWorld();
    dJointID hinge;
    dBodyID body[PARTS];
    const double momentum = makeArm(world, speed, &hinge, body) * speed;
    ksInspector *inspector = inspect(world);
    double sum = run(inspector, hinge, 2);
    dJointSetHingeParam(hinge, dParamFMax, _i ? 1e6 : 300);
    sum += run(inspector, hinge, 48);
    ck_assert_double_eq_tol(sum, -momentum, brakeTolerance * momentum);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

static void count(const ksThresholdEvent *event, void *user)
{
    (void)event;
    ++*(int *)user;
}

/* The arm runs into its stop, and the physical impulse exceeds the limit of a breakable joint. */
START_TEST(arm_runs_into_its_stop)
{
    const double speed = 5;
    const dWorldID world = makeWorld();
    dJointID hinge;
    dBodyID body[PARTS];
    const double momentum = makeArm(world, speed, &hinge, body) * speed;
    dJointSetHingeParam(hinge, dParamLoStop, -0.3);
    dJointSetHingeParam(hinge, dParamHiStop, 0.3);
    ksInspector *inspector = inspect(world);
    int called = 0;
    ksThreshold threshold;
    ksThresholdInit(&threshold);
    threshold.torqueMagnitude = momentum / 0.2;
    threshold.window = 0.2;
    CHECK_OK(ksInspectorOnThreshold(inspector, hinge, &threshold, count, &called));
    const double sum = run(inspector, hinge, 40);
    // the arm is thrown back, so the impulse exceeds I w
    ck_assert_double_lt(sum, -momentum);
    ck_assert_int_gt(called, 0);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Two wagons of 100 kg with a coupler between them: a slider with some play, whose link of 4 kg,
 * and balls, hang on the wagon that runs into the other. The impulse of the slider's stop on the
 * other wagon is its change of momentum to the common speed. */
START_TEST(wagons_couple)
{
    enum { MOST_LINKS = 5 };
    const double wagon = 100, own = 4, small = 0.5, speed = 1;
    const int links = _i;
    const dWorldID world = makeWorld();
    const dBodyID first = addBox(world, wagon, (const double[]){2, 1, 1}, 0),
                  second = addBox(world, wagon, (const double[]){2, 1, 1}, 0);
    dBodyID chain[MOST_LINKS + 1];
    chain[0] = addBox(world, own, (const double[]){0.2, 0.1, 0.1}, 0);
    dBodySetPosition(chain[0], 1.2, 0, 0);
    for (int i = 1; i <= links; i++) {
        chain[i] = addBox(world, small, (const double[]){0.2, 0.05, 0.05}, 0);
        dBodySetPosition(chain[i], 1.2 + 0.2 * i, 0, 0);
    }
    dBodySetPosition(second, 2.3 + 0.2 * links, 0, 0);
    const dJointID slider = dJointCreateSlider(world, NULL);
    dJointAttach(slider, chain[0], first);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dJointSetSliderParam(slider, dParamLoStop, -0.05);
    dJointSetSliderParam(slider, dParamHiStop, 0.05);
    for (int i = 0; i <= links; i++) {
        const dJointID ball = dJointCreateBall(world, NULL);
        dJointAttach(ball, chain[i], i < links ? chain[i + 1] : second);
        dJointSetBallAnchor(ball, 1.3 + 0.2 * i, 0, 0);
        dBodySetLinearVel(chain[i], speed, 0, 0);
    }
    dBodySetLinearVel(second, speed, 0, 0);
    ksInspector *inspector = inspect(world);
    const double running = wagon + own + small * links, impulse = wagon * running / (wagon + running) * speed;
    double sum = 0;
    bool isHit = false, isOver = false;
    for (int i = 0; i < 60 && !isOver; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksReaction *r = ksInspectorGetReaction(inspector, slider);
        const int side = r->body[0] == first ? 0 : 1;
        sum += h * r->physical[side].force[0];
        isHit |= fabs(r->engine[side].force[0]) > 1;
        isOver = isHit && r->rowCount == 5;
    }
    ck_assert(isHit);
    ck_assert_double_eq_tol(fabs(sum), impulse, thrownBack * impulse);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A limp arm rests on the stops of its hinges, some of which lift off and come back from step to
 * step. The force of such a stop may be a blow or the solver's noise, and the bars contain both.
 * Except in a few steps, the moment about the root is the static one within its bar. */
START_TEST(stops_that_bounce)
{
    enum { STEPS = 600, SETTLED = 300, MOST_LINKS = 6 };
    static const double length = 0.3, play = 0.02, mostBeyond = 0.08, drift = 1e-3;
    const int links = _i;
    const dWorldID world = makeWorld();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    dBodyID link[MOST_LINKS];
    dJointID root = NULL;
    double mass[MOST_LINKS];
    for (int i = 0; i < links; i++) {
        mass[i] = i == links - 1 ? 5 : 1;
        link[i] = addBox(world, mass[i], (const double[]){length, 0.1, 0.1}, 0);
        dBodySetPosition(link[i], (i + 0.5) * length, 0, 0);
        const dJointID hinge = dJointCreateHinge(world, NULL);
        dJointAttach(hinge, link[i], i > 0 ? link[i - 1] : NULL);
        dJointSetHingeAnchor(hinge, i * length, 0, 0);
        dJointSetHingeAxis(hinge, 0, 1, 0);
        dJointSetHingeParam(hinge, dParamLoStop, -play);
        dJointSetHingeParam(hinge, dParamHiStop, play);
        root = i == 0 ? hinge : root;
    }
    ksInspector *inspector = inspect(world);
    int beyond = 0;
    for (int i = 0; i < STEPS; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksReaction *r = ksInspectorGetReaction(inspector, root);
        double moment = 0;
        for (int k = 0; k < links; k++)
            moment += mass[k] * SCENE_GRAVITY * dBodyGetPosition(link[k])[0];
        if (i >= SETTLED && r->rowCount > 5)
            beyond += fabs(fabs(r->row[5].physical) - moment) > r->row[5].physicalBar + drift * moment;
    }
    ck_assert_double_le(beyond, mostBeyond * (STEPS - SETTLED));
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("blows");
    tcase_add_loop_test(test, motor_stops_an_arm, 0, 2);
    tcase_add_test(test, arm_runs_into_its_stop);
    tcase_add_loop_test(test, wagons_couple, 0, 6);
    tcase_add_loop_test(test, stops_that_bounce, 2, 7);
    return runCase("blows that are spread", test);
}

/* check_idle.c  Idle bodies that the engine stops (auto-disable) in a mechanism that stays
 * awake. */
#include "tests/kits/support.h"

static const double h = 0.001;

/* contacts yield by their compliance, CFM 1e-10 over h: 1e-7 of the load of a unit mass */
static const double softTolerance = 1e-6;

/* of a body's weight: after a second the motor has its speed to this accuracy, and the load
 * contains the square of the speed */
static const double steadyTolerance = 1e-5;

/* a new body is awake for ten steps, the last of which stops it */
static const int stepsAwake = 9;

static bool has(const ksReaction *reaction, unsigned reason)
{
    return reaction->reasons & reason;
}

static const ksStepper steppers[] = {KS_WORLD_STEP, KS_QUICK_STEP, KS_EXACT_STEP};

/* The engine stops an idle body, which its island keeps awake, before the step: the step does not
 * begin at the velocity that was read. */
START_TEST(idle_body_is_reset)
{
    const ksStepper stepper = steppers[_i];
    Scene *scene = sceneChain(2, SCENE_FALLING);
    fallIdle(scene->body[0]);
    dWorldSetQuickStepNumIterations(scene->world, 200);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 20; i++) {
        CHECK_OK(inspectedStep(inspector, stepper, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        if (stepper != KS_QUICK_STEP)
            ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        ck_assert(!has(reaction, KS_REASON_MOTION | KS_REASON_REPORT));
        ck_assert_int_eq(has(reaction, KS_REASON_RESET), i >= stepsAwake);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A rotor on a hinge that is no principal axis: the hinge carries its gyroscopic torque, (w x I w)
 * = w^2 (-I_yz, I_xz, 0), until the engine stops it. */
START_TEST(stopped_body_has_no_gyroscopic_torque)
{
    const double spin = 3;
    const double slowed = 1e-4;  // the engine's implicit gyroscopic torque removes some of the spin
    dWorldID world = dWorldCreate();
    dBodyID frame = dBodyCreate(world), rotor = dBodyCreate(world);
    dBodySetKinematic(frame);
    dMass mass;
    dMatrix3 tilt;
    dMassSetBoxTotal(&mass, 1, 1, 0.2, 0.2);
    dRFromAxisAndAngle(tilt, 0, 1, 0, 0.7);
    dMassRotate(&mass, tilt);
    dBodySetMass(rotor, &mass);
    dBodySetAngularVel(rotor, 0, 0, spin);
    fallIdle(rotor);
    dJointID hinge = dJointCreateHinge(world, 0);
    dJointAttach(hinge, rotor, frame);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    ksInspector *inspector = inspect(world);
    const double torque = spin * spin * fabs(mass.I[2]);
    int reset = 0;
    for (int i = 0; i < 10; i++) {
        CHECK_OK(ksInspectorStep(inspector, 0.001));

        const ksReaction *reaction = ksInspectorGetReaction(inspector, hinge);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        reset += has(reaction, KS_REASON_RESET);
        ck_assert_double_eq_tol(length3(reaction->physical[0].torque), reset ? 0 : torque, slowed * torque);
    }
    ck_assert_int_eq(reset, 1);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* The engine stops an idle kinematic body, too; the bodies that hang on it are solved with the
 * platform at rest. */
START_TEST(idle_kinematic_body_is_reset)
{
    dWorldID world = heavyWorld();
    dBodyID lift = dBodyCreate(world), load = addBall(world, 1, 0.1, 0, 0);
    dBodySetKinematic(lift);
    dBodySetLinearVel(lift, 0, 0, 0.2);
    fallIdle(lift);
    dBodySetLinearVel(load, 0, 0, 0.2);
    dJointID ball = dJointCreateBall(world, 0);
    dJointAttach(ball, load, lift);
    dJointSetBallAnchor(ball, 0, 0, 0);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 15; i++) {
        CHECK_OK(inspectedStep(inspector, steppers[_i], 0.01));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, ball);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        ck_assert_double_le(reaction->error, softTolerance);
        ck_assert_int_eq(has(reaction, KS_REASON_RESET), i == stepsAwake);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A motor turns an arm on a base that is fixed to the ground. By the engine's CFM the base moves at
 * less than 1e-8 m/s, and the engine stops it before each step. */
typedef struct Turntable {
    dWorldID world;
    dBodyID base, arm;
    dJointID fixed, hinge;
    ksInspector *inspector;
} Turntable;

static const double baseMass = 20, armMass = 1, armLength = 0.2, armSpeed = 3, tableStep = 0.005;

static void createTurntable(Turntable *t, ksLatency latency)
{
    const double baseSize[3] = {0.6, 0.6, 0.1}, armSize[3] = {0.4, 0.05, 0.05};
    ksInspectorOptions options = defaultOptions();
    options.latency = latency;
    t->world = heavyWorld();
    dWorldSetAutoDisableFlag(t->world, 1);
    t->base = addBox(t->world, baseMass, baseSize, 1);
    t->arm = addBox(t->world, armMass, armSize, 1.1);
    dBodySetPosition(t->arm, armLength, 0, 1.1);
    t->fixed = dJointCreateFixed(t->world, 0);
    dJointAttach(t->fixed, t->base, NULL);
    dJointSetFixed(t->fixed);
    t->hinge = dJointCreateHinge(t->world, 0);
    dJointAttach(t->hinge, t->arm, t->base);
    dJointSetHingeAnchor(t->hinge, 0, 0, 1.1);
    dJointSetHingeAxis(t->hinge, 0, 0, 1);
    dJointSetHingeParam(t->hinge, dParamFMax, 10);
    dJointSetHingeParam(t->hinge, dParamVel, armSpeed);
    t->inspector = inspectWith(t->world, &options);
}

static void destroyTurntable(Turntable *t)
{
    ksInspectorDestroy(t->inspector);
    dWorldDestroy(t->world);
}

static void countEvent(const ksThresholdEvent *event, void *count)
{
    (void)event;
    ++*(int *)count;
}

/* However slowly the stopped body moved, the step is explained, and a threshold sees its load: both
 * weights, and the centripetal force m r w^2. */
START_TEST(body_that_hardly_moved_is_reset)
{
    const ksStepper stepper = steppers[_i % 3];
    const double weight = (baseMass + armMass) * SCENE_GRAVITY, turn = armMass * armLength * armSpeed * armSpeed;
    Turntable t;
    ksThreshold limit;
    int events = 0;
    createTurntable(&t, _i < 3 ? KS_SAME_STEP : KS_NEXT_STEP);
    ksThresholdInit(&limit);
    limit.forceMagnitude = 0.9 * weight;
    limit.duration = 1;
    CHECK_OK(ksInspectorOnThreshold(t.inspector, t.fixed, &limit, countEvent, &events));
    for (int i = 0; i < 400; i++) {
        CHECK_OK(inspectedStep(t.inspector, stepper, tableStep));
        const ksReaction *reaction = ksInspectorGetReaction(t.inspector, t.fixed);
        if (!reaction)
            continue;
        ck_assert_str_ne(ksVerdictName(reaction->verdict), "KS_UNEXPLAINED");
        ck_assert_str_ne(ksVerdictName(reaction->verdict), "KS_UNCHECKED");
        if (stepper == KS_QUICK_STEP)
            continue;
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        if (i * tableStep < 1)
            continue;
        const double *force = reaction->physical[0].force;
        ck_assert_double_eq_tol(force[2], weight, steadyTolerance * weight);
        ck_assert_double_eq_tol(hypot(force[0], force[1]), turn, steadyTolerance * weight);
    }
    ck_assert_int_eq(events, 1);
    destroyTurntable(&t);
}
END_TEST

/* A velocity too small to change a target leaves the rows of a stop as they were read. */
START_TEST(stop_beside_a_body_that_hardly_moved)
{
    Turntable t;
    int reset = 0;
    createTurntable(&t, KS_SAME_STEP);
    dJointSetHingeParam(t.hinge, dParamHiStop, 0.5);
    dBodySetAutoDisableFlag(t.arm, 0);
    for (int i = 0; i < 400; i++) {
        CHECK_OK(ksInspectorStep(t.inspector, tableStep));
        const ksReaction *reaction = ksInspectorGetReaction(t.inspector, t.hinge);
        ck_assert_str_ne(ksVerdictName(reaction->verdict), "KS_UNEXPLAINED");
        if (i < 200)
            continue;
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        reset += has(reaction, KS_REASON_RESET);
    }
    ck_assert_int_gt(reset, 0);
    destroyTurntable(&t);
}
END_TEST

/* A false report does not count as a stopped body, even if its error is as small as the force that
 * would stop the body. */
START_TEST(false_report_is_no_reset)
{
    Turntable t;
    createTurntable(&t, KS_SAME_STEP);
    dBodySetAutoDisableFlag(t.base, 0);
    for (int i = 0; i < 50; i++)
        CHECK_OK(ksInspectorStep(t.inspector, tableStep));
    dBodySetAutoDisableFlag(t.base, 1);
    CHECK_OK(ksInspectorBeginStep(t.inspector, KS_WORLD_STEP, tableStep));
    dJointFeedback *feedback = dJointGetFeedback(t.fixed);
    ck_assert(dWorldStep(t.world, tableStep));
    feedback->f1[0] += 1e-4;
    CHECK_OK(ksInspectorEndStep(t.inspector));
    const ksReaction *reaction = ksInspectorGetReaction(t.inspector, t.fixed);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_UNEXPLAINED");
    ck_assert(!has(reaction, KS_REASON_RESET));
    destroyTurntable(&t);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("idle");
    tcase_add_loop_test(test, idle_body_is_reset, 0, 3);
    tcase_add_test(test, stopped_body_has_no_gyroscopic_torque);
    tcase_add_loop_test(test, idle_kinematic_body_is_reset, 0, 3);
    tcase_add_loop_test(test, body_that_hardly_moved_is_reset, 0, 6);
    tcase_add_test(test, stop_beside_a_body_that_hardly_moved);
    tcase_add_test(test, false_report_is_no_reset);
    return runCase("idle", test);
}

/* check_stops.c  Stops and motors in physical values. A stop that has just been reached, or a motor
 * off its target, is a known load; a stop at rest is a constraint. */
#include "tests/kits/support.h"

static const double h = 0.002, halfLength = 0.5;
/* of the load: compliance, CFM 1e-10 over h */
static const double softTolerance = 1e-6;
/* QuickStep leaves a resting rod some speed; its weight is m g */
static const double restTolerance = 1e-3;
/* of a blow: the correction of the joint's drift, and weights that rotate within the step */
static const double blowTolerance = 2e-3;

/* A rod of 1 kg and 1 m on a hinge about y at the origin, starting from the horizontal; it can turn
 * down by `stop`. */
static dWorldID makeRod(double stop, double bounce, dBodyID *rod, dJointID *hinge)
{
    dWorldID world = heavyWorld();
    *rod = addBox(world, 1, (const double[]){2 * halfLength, 0.1, 0.1}, 0);
    dBodySetPosition(*rod, halfLength, 0, 0);
    *hinge = dJointCreateHinge(world, NULL);
    dJointAttach(*hinge, *rod, NULL);
    dJointSetHingeAnchor(*hinge, 0, 0, 0);
    dJointSetHingeAxis(*hinge, 0, -1, 0);
    dJointSetHingeParam(*hinge, dParamLoStop, -stop);
    dJointSetHingeParam(*hinge, dParamHiStop, 1);
    dJointSetHingeParam(*hinge, dParamBounce, bounce);
    return world;
}

static double apart(const ksWrench *a, const ksWrench *b)
{
    return fmax(distance3(a->force, b->force), distance3(a->torque, b->torque));
}

/* In the step in which the rod hits the stop, the hinge carries the blow as well: dWorldStep's own
 * report is hundreds of newtons, and the weight ten. Before that, and when the rod lies still, no
 * reported force is used, and at rest the stop carries the moment m g L / 2 cos(stop). */
START_TEST(stop_is_hit)
{
    const double stop = 0.5, bounce = _i ? 0.6 : 0;
    dBodyID rod;
    dJointID hinge;
    dWorldID world = makeRod(stop, bounce, &rod, &hinge);
    ksInspector *inspector = inspect(world);
    double blow = 0;
    const ksReaction *r = NULL;
    for (int i = 0; i < 3000; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        r = ksInspectorGetReaction(inspector, hinge);
        ck_assert_str_eq(ksVerdictName(r->verdict), "KS_VALID");
        ck_assert(isfinite(r->physical[0].force[0]));
        const double load = length3(r->engine[0].force) + length3(r->engine[0].torque);
        if (r->reasons & KS_REASON_REPORTED_LOADS) {
            ck_assert_int_eq(r->rowCount, 6);
            // except for the correction of the joint's drift, which is no part of the physical
            // value
            if (load > 10 * SCENE_GRAVITY)
                ck_assert_double_le(apart(&r->physical[0], &r->engine[0]), 0.02 * load);
            blow = fmax(blow, load);
        }
        if (i < 100)
            ck_assert(!(r->reasons & KS_REASON_REPORTED_LOADS) || r->rowCount == 6);
    }
    ck_assert_double_gt(blow, 20 * SCENE_GRAVITY);
    ck_assert(!(r->reasons & KS_REASON_REPORTED_LOADS));
    ck_assert_double_eq_tol(r->row[5].physical, SCENE_GRAVITY * halfLength * cos(stop), softTolerance * SCENE_GRAVITY);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A rod on its stop under QuickStep with few iterations: the report has the solver's error, the
 * mechanism carries the moment. */
START_TEST(stop_that_holds)
{
    const double stop = 0.3;
    dBodyID rod;
    dJointID hinge;
    dWorldID world = makeRod(stop, 0, &rod, &hinge);
    dWorldSetQuickStepNumIterations(world, 20);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 3000; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksReaction *r = ksInspectorGetReaction(inspector, hinge);
    ck_assert_int_eq(r->row[5].kind, KS_ROW_STOP);
    ck_assert_double_eq_tol(r->row[5].physical, SCENE_GRAVITY * halfLength * cos(stop), restTolerance * SCENE_GRAVITY);
    ck_assert_double_eq_tol(r->physical[0].force[2], SCENE_GRAVITY, restTolerance * SCENE_GRAVITY);
    ck_assert(!(r->reasons & KS_REASON_REPORTED_LOADS));
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* The host pulls the rod away from its stop, while the engine still corrects a rod that is past it:
 * a stop does not pull. */
START_TEST(stop_lets_go)
{
    dBodyID rod;
    dJointID hinge;
    dWorldID world = makeRod(0, 0, &rod, &hinge);
    dMatrix3 turned;
    dRFromAxisAndAngle(turned, 0, 1, 0, 0.01);  // slightly past the stop
    dBodySetRotation(rod, turned);
    dBodySetPosition(rod, halfLength * cos(0.01), 0, -halfLength * sin(0.01));
    dBodyAddForce(rod, 0, 0, 2 * SCENE_GRAVITY);
    ksInspector *inspector = inspect(world);
    CHECK_OK(inspectedStep(inspector, _i ? KS_QUICK_STEP : KS_WORLD_STEP, h));
    const ksReaction *r = ksInspectorGetReaction(inspector, hinge);
    ck_assert_int_eq(r->rowCount, 6);
    ck_assert_int_eq(r->row[5].kind, KS_ROW_STOP);
    ck_assert_double_gt(r->row[5].engine, 0);  // the engine's correction
    ck_assert_double_eq(r->row[5].physical, r->row[5].engine);
    ck_assert(r->reasons & KS_REASON_REPORTED_LOADS);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Motors in Euler mode with stops have no closed form of the change of their rows. Stops come and
 * go, and each step has a physical value except the first one in which a powered axis is read. */
START_TEST(euler_stops)
{
    dWorldID world = heavyWorld();
    dBodyID arm = addBox(world, 1, (const double[]){2 * halfLength, 0.1, 0.2}, 0);
    dBodySetPosition(arm, halfLength, 0, 0);
    dJointID ball = dJointCreateBall(world, NULL), motor = dJointCreateAMotor(world, NULL);
    dBodyID frame = dBodyCreate(world);
    dBodySetKinematic(frame);
    dJointAttach(ball, arm, frame);
    dJointSetBallAnchor(ball, 0, 0, 0);
    dJointAttach(motor, arm, frame);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    const int low[3] = {dParamLoStop1, dParamLoStop2, dParamLoStop3};
    const int high[3] = {dParamHiStop1, dParamHiStop2, dParamHiStop3};
    for (int k = 0; k < 3; k++) {
        dJointSetAMotorParam(motor, low[k], -0.4);
        dJointSetAMotorParam(motor, high[k], 0.4);
    }
    if (_i) {
        dJointSetAMotorParam(motor, dParamFMax1, 5);
        dJointSetAMotorParam(motor, dParamVel1, 0.5);
    }
    dBodySetAngularVel(arm, 1, 0, 2);
    ksInspector *inspector = inspect(world);
    int reached = 0, held = 0;
    for (int i = 0; i < 1500; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksReaction *r = ksInspectorGetReaction(inspector, motor), *b = ksInspectorGetReaction(inspector, ball);
        ck_assert_int_eq(isfinite(b->physical[0].force[2]), i > 0 || !_i);
        ck_assert_int_eq((r->reasons & KS_REASON_NO_HISTORY) != 0, i == 0 && _i);
        reached += r->rowCount > _i && r->reasons & KS_REASON_REPORTED_LOADS;
        held += r->rowCount > _i && !(r->reasons & KS_REASON_REPORTED_LOADS);
    }
    ck_assert_int_gt(reached, 0);
    ck_assert_int_gt(held, 0);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* The host has thrown a motor off its target. It brakes the rod within the step: I w / h about the
 * hinge, whose axis carries no weight. A step later it is at its target, with no force. */
START_TEST(motor_brakes)
{
    const double speed = 1, inertia = (1 + 0.01) / 12.0 + halfLength * halfLength;
    dBodyID rod;
    dJointID hinge;
    dWorldID world = makeRod(0.5, 0, &rod, &hinge);
    dWorldSetGravity(world, 0, 0, 0);
    dJointSetHingeParam(hinge, dParamFMax, 1e4);
    ksInspector *inspector = inspect(world);
    CHECK_OK(inspectedStep(inspector, _i ? KS_QUICK_STEP : KS_WORLD_STEP, h));
    ck_assert_double_eq_tol(ksInspectorGetReaction(inspector, hinge)->row[5].physical, 0, softTolerance);
    dBodySetAngularVel(rod, 0, -speed, 0);
    dBodySetLinearVel(rod, 0, 0, speed * halfLength);
    CHECK_OK(inspectedStep(inspector, KS_WORLD_STEP, h));
    const ksReaction *r = ksInspectorGetReaction(inspector, hinge);
    ck_assert_double_eq_tol(fabs(r->row[5].physical), inertia * speed / h, 1e-4 * inertia * speed / h);
    ck_assert(r->reasons & KS_REASON_REPORTED_LOADS);
    CHECK_OK(inspectedStep(inspector, KS_WORLD_STEP, h));
    r = ksInspectorGetReaction(inspector, hinge);
    ck_assert_double_le(fabs(r->row[5].physical), 1e-4 * inertia * speed / h);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A motor holds a rod against its weight, m g L / 2, and brakes it within the step. If braking is
 * less than half of the reported moment, the motor is a constraint and carries the weight; if it is
 * more, only the report is known. */
START_TEST(motor_brakes_and_holds)
{
    const double share = _i ? 0.75 : 0.3, weight = SCENE_GRAVITY * halfLength, blow = weight * share / (1 - share);
    const double speed = blow * h / ((1 + 0.01) / 12.0 + halfLength * halfLength);
    dBodyID rod;
    dJointID hinge;
    dWorldID world = makeRod(0.5, 0, &rod, &hinge);
    dJointSetHingeParam(hinge, dParamFMax, 1e4);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    dBodySetAngularVel(rod, 0, speed, 0);
    dBodySetLinearVel(rod, 0, 0, -speed * halfLength);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *r = ksInspectorGetReaction(inspector, hinge);
    ck_assert_double_eq_tol(fabs(r->row[5].engine), weight + blow, 1e-3 * weight);
    ck_assert_double_eq_tol(fabs(r->row[5].physical), _i ? weight + blow : weight, 1e-3 * weight);
    ck_assert_int_eq((r->reasons & KS_REASON_REPORTED_LOADS) != 0, _i);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* --- Blows: the bodies' loss of momentum is the mean force over the step --- */

/* The stop's row, or NULL. */
static const ksRow *stopOf(const ksReaction *r)
{
    for (int l = 0; l < r->rowCount; l++)
        if (r->row[l].kind == KS_ROW_STOP)
            return &r->row[l];
    return NULL;
}

/* A carriage of 1 kg, with a load welded to it, runs into the stop of its slider: everything stops,
 * and the engine's report has the blow, whatever the carriage is joined to. last: the load has a
 * slider of its own, slightly misplaced. */
START_TEST(load_runs_into_a_stop)
{
    static const double loads[] = {1, 10, 30, 1000, 30};
    enum { LOADS = sizeof loads / sizeof *loads };
    const ksStepper stepper = _i % 2 ? KS_WORLD_STEP : KS_QUICK_STEP;
    const double speed = 1, load = loads[_i / 2];
    dWorldID world = dWorldCreate();
    dWorldSetQuickStepNumIterations(world, 20);
    dBodyID body[] = {addBox(world, 1, (const double[]){0.2, 0.2, 0.2}, 0),
                      addBox(world, load, (const double[]){0.2, 0.2, 0.2}, 0)};
    dBodySetPosition(body[1], 0, 0, 0.2);
    dJointID slider = dJointCreateSlider(world, NULL), weld = dJointCreateFixed(world, NULL);
    dJointAttach(slider, body[0], NULL);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dJointSetSliderParam(slider, dParamLoStop, -0.1);
    dJointSetSliderParam(slider, dParamHiStop, 0.1);
    dJointAttach(weld, body[1], body[0]);
    dJointSetFixed(weld);
    if (_i / 2 == LOADS - 1) {
        dJointID second = dJointCreateSlider(world, NULL);
        dJointAttach(second, body[1], NULL);
        dJointSetSliderAxis(second, 1, 0, 0);
        dBodySetPosition(body[1], 0, 0.001, 0.2);
    }
    for (int b = 0; b < 2; b++)
        dBodySetLinearVel(body[b], speed, 0, 0);
    ksInspector *inspector = inspect(world);
    const ksRow *stop = NULL;
    double lost = 0;
    for (int i = 0; i < 200 && !stop; i++) {
        lost = dBodyGetLinearVel(body[0])[0] + load * dBodyGetLinearVel(body[1])[0];
        CHECK_OK(inspectedStep(inspector, stepper, h));
        lost -= dBodyGetLinearVel(body[0])[0] + load * dBodyGetLinearVel(body[1])[0];
        stop = stopOf(ksInspectorGetReaction(inspector, slider));
    }
    ck_assert_ptr_nonnull(stop);
    ck_assert_double_gt(lost, 0.01 * (1 + load) * speed);
    ck_assert_double_eq_tol(fabs(stop->physical), lost / h, blowTolerance * lost / h);
    ck_assert_double_le(stop->physicalBar, blowTolerance * lost / h);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A motor presses a rod onto its stop with more than the blow. Motor and stop both belong to the
 * joint: together they are the blow, m L w / (2 h) by momentum. */
START_TEST(motor_drives_onto_its_stop)
{
    static const double speeds[] = {0.05, 0.2, 1};
    const double speed = speeds[_i], most = 80;
    dBodyID rod;
    dJointID hinge;
    dWorldID world = makeRod(0.01, 0, &rod, &hinge);
    dWorldSetGravity(world, 0, 0, 0);
    dJointSetHingeParam(hinge, dParamFMax, most);
    dJointSetHingeParam(hinge, dParamVel, -speed);
    ksInspector *inspector = inspect(world);
    const ksReaction *r = NULL;
    double lost = 0;
    do {
        lost = -dBodyGetLinearVel(rod)[2];
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        r = ksInspectorGetReaction(inspector, hinge);
        lost += dBodyGetLinearVel(rod)[2];
    } while (r->row[5].kind == KS_ROW_MOTOR);
    const double blow = lost / h, moment = blow * ((1 + 0.01) / 12.0 + halfLength * halfLength) / halfLength;
    ck_assert_double_gt(lost, 0.4 * speed * halfLength);
    ck_assert_double_eq_tol(r->row[5].physical, moment, blowTolerance * moment);
    ck_assert_double_eq(r->motor[0].force, -most);
    ck_assert_double_eq_tol(r->physical[0].force[2], blow, blowTolerance * blow);
    ck_assert(r->reasons & KS_REASON_REPORTED_LOADS);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A row of cubes on hinges about z, one metre below them. The first hinge connects a cube to the
 * world, to a kinematic cube, or to a free one. */
static dWorldID makeRow(int tie, int count, double most, dJointID *hinge)
{
    dWorldID world = dWorldCreate();
    dBodyID before = NULL;
    dWorldSetQuickStepNumIterations(world, 500);
    for (int i = tie ? 0 : 1; i <= count; i++) {
        dBodyID cube = addBox(world, 1, (const double[]){1, 1, 1}, 0);
        dBodySetPosition(cube, i, 0, 0);
        if (tie == 1 && i == 0)
            dBodySetKinematic(cube);
        if (i > 0) {
            hinge[i - 1] = dJointCreateHinge(world, NULL);
            dJointAttach(hinge[i - 1], cube, before);
            dJointSetHingeAnchor(hinge[i - 1], i - 0.5, 0, -1);
            dJointSetHingeAxis(hinge[i - 1], 0, 0, 1);
        }
        before = cube;
    }
    dJointSetHingeParam(hinge[0], dParamHiStop, 0.5);
    dJointSetHingeParam(hinge[0], dParamFMax, most);
    dJointSetHingeParam(hinge[0], dParamVel, 1);
    return world;
}

/* A motor presses a cube onto its stop, and nothing else acts: the stop cancels the motor up to
 * rounding, which no verdict mistakes for a force, neither here nor in hinges beside it.
 * QuickStep's own errors are detected, and so is a report that is false by more than rounding. */
START_TEST(stop_cancels_its_motor)
{
    static const double mosts[] = {1, 1e3, 1e6}, wrong = 1e-8, step = 0.05;
    enum { HINGES = 3 };
    const double most = mosts[_i / 6 % 3];
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    const int count = _i / 18 ? HINGES : 1;
    dJointID hinge[HINGES];
    dWorldID world = makeRow(_i / 2 % 3, count, most, hinge);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 300; i++) {
        CHECK_OK(inspectedStep(inspector, stepper, step));
        for (int k = 0; k < count; k++) {
            const ksVerdict verdict = ksInspectorGetReaction(inspector, hinge[k])->verdict;
            ck_assert(verdict == KS_VALID || (stepper == KS_QUICK_STEP && verdict == KS_SOLVER_ERROR));
        }
    }
    ck_assert_double_ge(fabs(ksInspectorGetReaction(inspector, hinge[0])->motor[0].force), most);
    CHECK_OK(ksInspectorBeginStep(inspector, stepper, step));
    ck_assert(stepper == KS_QUICK_STEP ? dWorldQuickStep(world, step) : dWorldStep(world, step));
    dJointGetFeedback(hinge[0])->t1[0] += wrong * most;
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert(ksInspectorGetReaction(inspector, hinge[0])->reasons & KS_REASON_REPORT);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A chain of links flails, with stops in each hinge. Whenever a stop is hit fast, the physical
 * value includes the blow and equals the engine's, with a short bar, except for hits that are no
 * faster than the solver's errors in the other rows. */
START_TEST(chain_with_stops)
{
    enum { LINKS = 5, STEPS = 1000 };
    static const double fast = 0.5, share = 0.3, mostDoubtful = 0.2;
    dWorldID world = heavyWorld();
    dWorldSetQuickStepNumIterations(world, 20);
    dRandSetSeed(1);
    dJointID hinge[LINKS];
    dBodyID last = NULL;
    for (int i = 0; i < LINKS; i++) {
        dBodyID link = addBox(world, 1, (const double[]){share, 0.1, 0.1}, 0);
        dBodySetPosition(link, share * (i + 0.5), 0, 0);
        hinge[i] = dJointCreateHinge(world, NULL);
        dJointAttach(hinge[i], link, last);
        dJointSetHingeAnchor(hinge[i], share * i, 0, 0);
        dJointSetHingeAxis(hinge[i], 0, 1, 0);
        dJointSetHingeParam(hinge[i], dParamLoStop, -0.3 - 0.05 * _i);
        dJointSetHingeParam(hinge[i], dParamHiStop, 0.4 + 0.03 * _i);
        last = link;
    }
    ksInspector *inspector = inspect(world);
    bool wasAt[LINKS] = {false};
    int hits = 0, longer = 0;
    for (int i = 0; i < STEPS; i++) {
        double rate[LINKS];
        for (int k = 0; k < LINKS; k++)
            rate[k] = dJointGetHingeAngleRate(hinge[k]);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        for (int k = 0; k < LINKS; k++) {
            const ksRow *stop = stopOf(ksInspectorGetReaction(inspector, hinge[k]));
            if (stop && !wasAt[k] && fabs(rate[k]) > fast && fabs(stop->engine) > 1 && isfinite(stop->physical)) {
                ck_assert_double_eq_tol(stop->physical, stop->engine, 0.2 * fabs(stop->engine) + stop->physicalBar);
                longer += !(stop->physicalBar < 0.5 * fabs(stop->engine));
                hits++;
            }
            wasAt[k] = stop != NULL;
        }
    }
    ck_assert_int_gt(hits, 10);
    ck_assert_double_le(longer, mostDoubtful * hits);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("stops");
    tcase_add_loop_test(test, stop_is_hit, 0, 2);
    tcase_add_test(test, stop_that_holds);
    tcase_add_loop_test(test, stop_lets_go, 0, 2);
    tcase_add_loop_test(test, euler_stops, 0, 2);
    tcase_add_loop_test(test, motor_brakes, 0, 2);
    tcase_add_loop_test(test, motor_brakes_and_holds, 0, 2);
    tcase_add_loop_test(test, load_runs_into_a_stop, 0, 10);
    tcase_add_loop_test(test, motor_drives_onto_its_stop, 0, 3);
    tcase_add_loop_test(test, stop_cancels_its_motor, 0, 36);
    tcase_add_loop_test(test, chain_with_stops, 0, 4);
    return runCase("stops in physical values", test);
}

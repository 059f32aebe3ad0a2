/* check_causes.c  Gaps of joints, and the causes of a world's change in kinetic energy, against the
 * engine's own getters and closed forms. */
#include "tests/kits/support.h"

/* sums of a few hundred products, each of the size of the energies */
static const double roundingTolerance = 1e-12;
/* lengths near a metre, and angles: differences of a few sums of products */
static const double placeTolerance = 1e-12;

/* 1/2 m v^2 + 1/2 w . R I R^T w, from the body's own getters. */
static double kineticOf(dBodyID body)
{
    const dReal *v = dBodyGetLinearVel(body), *w = dBodyGetAngularVel(body), *r = dBodyGetRotation(body);
    dMass mass;
    dBodyGetMass(body, &mass);
    double twice = mass.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double a = r[i] * w[0] + r[4 + i] * w[1] + r[8 + i] * w[2];
            const double b = r[j] * w[0] + r[4 + j] * w[1] + r[8 + j] * w[2];
            twice += a * mass.I[4 * i + j] * b;
        }
    return 0.5 * twice;
}

static double kineticOfAll(const Scene *scene)
{
    double sum = 0;
    for (int i = 0; i < scene->bodyCount; i++)
        sum += dBodyIsKinematic(scene->body[i]) ? 0 : kineticOf(scene->body[i]);
    return sum;
}

static double sumOf(const ksStepReport *report)
{
    double sum = 0;
    for (int i = 0; i < KS_ENERGY_SET; i++)
        sum += report->energyOf[i];
    return sum;
}

/* The balance closes over steps between which the host sets velocities: these are a cause of their
 * own. */
START_TEST(the_balance_closes)
{
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    Scene *scene = _i / 2 ? sceneZoo() : sceneChain(10, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    const double begin = kineticOfAll(scene);
    double sum = 0, size = 0, set = 0;
    for (int i = 0; i < 200; i++) {
        sceneBeforeStep(scene);
        const double left = kineticOfAll(scene);
        if (i == 100)
            dBodySetAngularVel(scene->body[0], 1, 2, 3);
        set += kineticOfAll(scene) - left;
        const double before = kineticOfAll(scene);
        CHECK_OK(inspectedStep(inspector, stepper, 0.002));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        const double after = kineticOfAll(scene), scale = before + after + 1e-6;
        ck_assert_double_eq_tol(report->worldEnergy[0], before, roundingTolerance * scale);
        ck_assert_double_eq_tol(report->worldEnergy[1], after, roundingTolerance * scale);
        ck_assert_double_eq_tol(sumOf(report), after - before, roundingTolerance * scale);
        ck_assert(i > 0 || report->energyOf[KS_ENERGY_SET] == 0);
        sum += sumOf(report) + report->energyOf[KS_ENERGY_SET];
        set -= report->energyOf[KS_ENERGY_SET];
        size += scale;
        sceneAfterStep(scene);
    }
    ck_assert_double_eq_tol(kineticOfAll(scene) - begin, sum, roundingTolerance * size);
    ck_assert_double_eq_tol(set, 0, roundingTolerance * size);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The engine stops a body that it considers idle: the step loses this energy, and the host has set
 * no velocity. */
START_TEST(an_idle_body_is_stopped)
{
    static const ksStepper steppers[] = {KS_WORLD_STEP, KS_QUICK_STEP, KS_EXACT_STEP};
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    fallIdle(scene->body[0]);
    for (int i = 0; i < 20; i++) {
        const double before = kineticOfAll(scene);
        CHECK_OK(inspectedStep(inspector, steppers[_i], 0.001));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        const double after = kineticOfAll(scene), scale = before + after + 1e-6;
        ck_assert_double_eq_tol(report->worldEnergy[0], before, roundingTolerance * scale);
        ck_assert_double_eq_tol(sumOf(report), after - before, roundingTolerance * scale);
        ck_assert_double_eq_tol(report->energyOf[KS_ENERGY_SET], 0, roundingTolerance * scale);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Nothing acts on a tumbling brick: its energy changes only by the gyroscopic torque in finite
 * steps; and, with a finite rotation about one axis only, because it then does not turn about its
 * angular velocity. */
START_TEST(a_rotor_in_finite_steps)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 0.1, 0.2, 0.4);
    dBodySetMass(body, &mass);
    dBodySetAngularVel(body, 3, 2, 1);
    dBodySetFiniteRotationMode(body, _i);
    dBodySetFiniteRotationAxis(body, 0, 0, _i);
    ksInspector *inspector = inspect(world);
    const double begin = kineticOf(body);
    double rest = 0, most = 0;
    for (int i = 0; i < 100; i++) {
        CHECK_OK(ksInspectorStep(inspector, 0.01));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        const double end = kineticOf(body);
        ck_assert_double_eq_tol(report->worldEnergy[1], end, roundingTolerance * begin);
        rest += report->energyOf[KS_ENERGY_REST];
        most = fmax(most, fabs(end - begin));
        ck_assert_double_eq_tol(rest, end - begin, 100 * roundingTolerance * begin);
        ck_assert_double_eq_tol(report->energyOf[KS_ENERGY_HOST], 0, roundingTolerance * begin);
        ck_assert_double_eq_tol(report->energyOf[KS_ENERGY_SET], 0, roundingTolerance * begin);
    }
    ck_assert_double_gt(most, 1e-4 * begin);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A plane pendulum turns about a principal axis: finite steps lose energy only by the weight,
 * which works at (v + v*) / 2 while bodies fall at v*. Over the run it is -h/2 m g (v_n - v_0). */
START_TEST(weight_in_finite_steps)
{
    static const double h = 0.005;
    Plate plate = scenePlate;
    Scene *scene = scenePendulum(&plate);
    ksInspector *inspector = inspect(scene->world);
    dVector3 gravity;
    dWorldGetGravity(scene->world, gravity);
    dMass mass;
    dBodyGetMass(scene->body[0], &mass);
    const double height = dBodyGetPosition(scene->body[0])[2], begin = dBodyGetLinearVel(scene->body[0])[2];
    double of[KS_ENERGY_COUNT] = {0};
    for (int i = 0; i < 300; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        for (int k = 0; k < KS_ENERGY_COUNT; k++)
            of[k] += ksInspectorGetStepReport(inspector)->energyOf[k];
    }
    const double weight = mass.mass * gravity[2], size = kineticOf(scene->body[0]) + fabs(weight);
    const double fallen = dBodyGetPosition(scene->body[0])[2] - height;
    const double gained = dBodyGetLinearVel(scene->body[0])[2] - begin;
    ck_assert_double_gt(fabs(gained), 0.1);
    ck_assert_double_eq_tol(of[KS_ENERGY_WEIGHT], weight * fallen, 300 * roundingTolerance * size);
    ck_assert_double_eq_tol(of[KS_ENERGY_REST], -0.5 * h * weight * gained, 300 * roundingTolerance * size);
    for (int k = 0; k < KS_ENERGY_COUNT; k++)
        if (k != KS_ENERGY_WEIGHT && k != KS_ENERGY_REST && k != KS_ENERGY_JOINTS)
            ck_assert_double_eq_tol(of[k], 0, 300 * roundingTolerance * size);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

typedef struct Rotor {
    dWorldID world;
    dBodyID body;
    dJointID hinge;
    ksInspector *inspector;
    double inertia; /* about the hinge */
} Rotor;

/* A weightless box on a hinge along z, at `lever` from the axis. */
static Rotor makeRotor(double lever)
{
    Rotor r = {.world = dWorldCreate()};
    dMass mass;
    dMassSetBoxTotal(&mass, 0.05, 0.06, 0.02, 0.02);
    r.body = dBodyCreate(r.world);
    dBodySetMass(r.body, &mass);
    dBodySetPosition(r.body, lever, 0, 0);
    r.hinge = dJointCreateHinge(r.world, 0);
    dJointAttach(r.hinge, r.body, 0);
    dJointSetHingeAnchor(r.hinge, 0, 0, 0);
    dJointSetHingeAxis(r.hinge, 0, 0, 1);
    r.inspector = inspect(r.world);
    r.inertia = mass.I[10] + mass.mass * lever * lever;
    return r;
}

static void freeRotor(Rotor *r)
{
    ksInspectorDestroy(r->inspector);
    dWorldDestroy(r->world);
}

/* A host's control loop with the wrong sign, torque = k w, feeds the rotor: I (w* - w) = h k w, and
 * all energy comes from the host. */
START_TEST(a_loop_that_feeds)
{
    static const double h = 0.01, k = 1e-5;
    Rotor r = makeRotor(0);
    dBodySetAngularVel(r.body, 0, 0, 1);
    double host = 0, rest = 0;
    for (int i = 0; i < 100; i++) {
        dBodyAddTorque(r.body, 0, 0, k * dBodyGetAngularVel(r.body)[2]);
        CHECK_OK(ksInspectorStep(r.inspector, h));
        const double *of = ksInspectorGetStepReport(r.inspector)->energyOf;
        host += of[KS_ENERGY_HOST];
        for (int c = 0; c < KS_ENERGY_COUNT; c++)
            rest += c == KS_ENERGY_HOST ? 0 : fabs(of[c]);
    }
    const double grown = pow(1 + h * k / r.inertia, 200), fed = 0.5 * r.inertia * (grown - 1);
    ck_assert_double_gt(grown, 2);
    ck_assert_double_eq_tol(host, fed, 1e-9 * fed);  // the effect of a CFM of 1e-10, and a hundred
                                                     // roundings
    ck_assert_double_le(rest, 1e-9 * fed);
    freeRotor(&r);
}
END_TEST

/* At its stop, a motor gets a target away from it: the engine adds a force of its own, which tears
 * the hinge open in one step. */
START_TEST(a_motor_at_a_stop_tears_its_hinge)
{
    static const double h = 0.02;
    Rotor r = makeRotor(0.03);
    dJointSetHingeParam(r.hinge, dParamLoStop, -1.5);
    dJointSetHingeParam(r.hinge, dParamHiStop, 0);
    dJointSetHingeParam(r.hinge, dParamFMax, 0.73);
    dJointSetHingeParam(r.hinge, dParamFudgeFactor, 1);
    double torn = 0;
    for (int i = 0; i < 13; i++) {
        dVector3 a, b;
        const double before = kineticOf(r.body);
        dJointGetHingeAnchor(r.hinge, a);
        dJointGetHingeAnchor2(r.hinge, b);
        const double apart = dCalcPointsDistance3(a, b);
        dJointSetHingeParam(r.hinge, dParamVel, i < 10 ? 6.5 : -6.5);
        CHECK_OK(ksInspectorStep(r.inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(r.inspector, r.hinge);
        const ksStepReport *report = ksInspectorGetStepReport(r.inspector);
        ck_assert_double_eq_tol(reaction->gap[0], apart, placeTolerance);
        ck_assert_double_eq_tol(reaction->gap[1], 0, placeTolerance);
        if (apart > 0.1 && torn == 0) {
            torn = before;
            // this force supplied all of its energy
            ck_assert_double_eq_tol(reaction->fudgeWork, torn, 1e-9 * torn);
        } else if (torn == 0 && i == 10) {
            ck_assert_double_eq_tol(report->energyOf[KS_ENERGY_MOTORS], report->worldEnergy[1],
                                    1e-9 * report->worldEnergy[1]);
            ck_assert_double_eq_tol(report->energyOf[KS_ENERGY_HOST], 0, 1e-9 * report->worldEnergy[1]);
        }
    }
    ck_assert_double_gt(torn, 1);
    freeRotor(&r);
}
END_TEST

/* Two bodies that are moved apart after they have been joined. */
static ksReaction reactionApart(dJointID (*make)(dWorldID world, dBodyID a, dBodyID b), dWorldID *world,
                                dBodyID body[2])
{
    *world = dWorldCreate();
    for (int i = 0; i < 2; i++) {
        body[i] = dBodyCreate(*world);
        dBodySetPosition(body[i], i, 0, 0);
    }
    const dJointID joint = make(*world, body[0], body[1]);
    dBodySetPosition(body[1], 1.03, 0.04, 0.12);
    ksInspector *inspector = inspect(*world);
    CHECK_OK(ksInspectorStep(inspector, 0.01));
    const ksReaction reaction = *ksInspectorGetReaction(inspector, joint);
    ksInspectorDestroy(inspector);
    dWorldDestroy(*world);
    return reaction;
}

static dJointID makeBall(dWorldID world, dBodyID a, dBodyID b)
{
    const dJointID joint = dJointCreateBall(world, 0);
    dJointAttach(joint, a, b);
    dJointSetBallAnchor(joint, 0.5, 0, 0);
    return joint;
}

static dJointID makeFixed(dWorldID world, dBodyID a, dBodyID b)
{
    const dJointID joint = dJointCreateFixed(world, 0);
    dJointAttach(joint, a, b);
    dJointSetFixed(joint);
    return joint;
}

/* it can slide along x */
static dJointID makeSlider(dWorldID world, dBodyID a, dBodyID b)
{
    const dJointID joint = dJointCreateSlider(world, 0);
    dJointAttach(joint, a, b);
    dJointSetSliderAxis(joint, 1, 0, 0);
    return joint;
}

static dJointID makePiston(dWorldID world, dBodyID a, dBodyID b)
{
    const dJointID joint = dJointCreatePiston(world, 0);
    dJointAttach(joint, a, b);
    dJointSetPistonAnchor(joint, 0.5, 0, 0);
    dJointSetPistonAxis(joint, 1, 0, 0);
    return joint;
}

/* it can slide along x, too; when extended, the engine applies its forces at a wrong place, but
 * measures its errors correctly */
static dJointID makePU(dWorldID world, dBodyID a, dBodyID b)
{
    const dJointID joint = dJointCreatePU(world, 0);
    dJointAttach(joint, a, b);
    dJointSetPUAnchor(joint, 0.5, 0, 0);
    dJointSetPUAxis1(joint, 0, 1, 0);
    dJointSetPUAxis2(joint, 0, 0, 1);
    dJointSetPUAxisP(joint, 1, 0, 0);
    return joint;
}

START_TEST(gaps_are_distances)
{
    static dJointID (*const make[])(dWorldID, dBodyID, dBodyID) = {makeBall, makeFixed, makeSlider, makePiston, makePU};
    static const double across = 0.12649110640673517; /* |(.04, .12)| */
    dWorldID world;
    dBodyID body[2];
    const ksReaction reaction = reactionApart(make[_i], &world, body);
    ck_assert_double_eq_tol(reaction.gap[0], _i < 2 ? 0.13 : across, placeTolerance);
    ck_assert_double_eq_tol(reaction.gap[1], 0, placeTolerance);
}
END_TEST

/* The second body of a hinge is turned by an angle about an axis across it: the gap of an axis is
 * the sine. The gap of a fixed joint is twice the sine of half the angle. */
START_TEST(gaps_are_angles)
{
    static const double angle = 0.3;
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const dJointID joint = _i ? dJointCreateFixed(world, 0) : dJointCreateHinge(world, 0);
    dQuaternion turn;
    dJointAttach(joint, body, 0);
    if (_i) {
        dJointSetFixed(joint);
    } else {
        dJointSetHingeAnchor(joint, 0, 0, 0);
        dJointSetHingeAxis(joint, 0, 0, 1);
    }
    dQFromAxisAndAngle(turn, 1, 0, 0, angle);
    dBodySetQuaternion(body, turn);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorQuickStep(inspector, 0.01));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    ck_assert_double_eq_tol(reaction->gap[1], _i ? 2 * sin(angle / 2) : sin(angle), placeTolerance);
    ck_assert_double_eq_tol(reaction->gap[0], 0, placeTolerance);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A piston attached (0, b) corrects false errors, so its gap is unknown. */
START_TEST(false_errors_tell_no_gap)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const dJointID joint = makePiston(world, NULL, body);
    dBodySetPosition(body, 0, 0.04, 0.12);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, 0.01));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    ck_assert(reaction->reasons & KS_REASON_FALSE_ERROR);
    ck_assert_double_nan(reaction->gap[0]);
    ck_assert_double_nan(reaction->gap[1]);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("causes");
    tcase_add_loop_test(test, an_idle_body_is_stopped, 0, 3);
    tcase_add_loop_test(test, the_balance_closes, 0, 4);
    tcase_add_loop_test(test, a_rotor_in_finite_steps, 0, 2);
    tcase_add_test(test, weight_in_finite_steps);
    tcase_add_test(test, a_loop_that_feeds);
    tcase_add_test(test, a_motor_at_a_stop_tears_its_hinge);
    tcase_add_loop_test(test, gaps_are_distances, 0, 5);
    tcase_add_loop_test(test, gaps_are_angles, 0, 2);
    tcase_add_test(test, false_errors_tell_no_gap);
    return runCase("causes", test);
}

/* check_linkage.c  Loops and joints that share a load: the determined and the undetermined parts of
 * their forces. */
#include "tests/kits/support.h"

/* of the determined part: under 3000 QuickSteps the drift is 1e-4 of a rod, and so is the error of
 * the configuration */
static const double driftTolerance = 2e-3;
/* in an exact pose: the rows' difference quotient leaves this error */
static const double poseTolerance = 1e-6;
/* free directions: components of unit wrenches, accurate to the drift of the pose */
static const double directionTolerance = 1e-3;

static const double h = 0.001;

typedef struct Orientation {
    const char *name;
    double axis[3], angle;
} Orientation;

static const Orientation orientations[] = {
    {"in the plane", {0, 0, 1}, 0},
    {"rotated", {0.36, -0.48, 0.8}, 1.1},
};

static void rotation(const Orientation *o, dMatrix3 r)
{
    dRFromAxisAndAngle(r, o->axis[0], o->axis[1], o->axis[2], o->angle);
}

static Linkage linkageAt(const Orientation *o, double outOfPlane)
{
    Linkage linkage = sceneLinkage;
    linkage.gravity[1] = outOfPlane;
    rotation(o, linkage.axes);
    return linkage;
}

/* the plane's normal, the hinges' direction: column 1 of the linkage axes */
static void normalOf(const Linkage *linkage, double normal[3])
{
    for (int k = 0; k < 3; k++)
        normal[k] = linkage->axes[4 * k + 1];
}

static void inPlane(const Linkage *linkage, const double force[3], double part[3])
{
    double normal[3], across = 0;
    normalOf(linkage, normal);
    for (int k = 0; k < 3; k++)
        across += normal[k] * force[k];
    for (int k = 0; k < 3; k++)
        part[k] = force[k] - across * normal[k];
}

static double forceScale(const Scene *scene)
{
    return scene->bodyCount * SCENE_GRAVITY;
}

/* The free wrenches of a pin carry no force in the plane and no torque about the hinges' axis
 * through the pin. */
static void checkFreeDirections(const Linkage *linkage, const ksReaction *pin)
{
    double normal[3], part[3];
    normalOf(linkage, normal);
    ck_assert_int_gt(pin->freeCount, 0);
    for (int f = 0; f < pin->freeCount; f++) {
        const ksWrench *w = &pin->freeDirection[f];
        double scale = fmax(length3(w->force), length3(w->torque)), about = 0;
        inPlane(linkage, w->force, part);
        for (int k = 0; k < 3; k++) {
            int p = (k + 1) % 3, q = (k + 2) % 3;
            double rp = pin->anchor[0][p] - pin->centre[0][p], rq = pin->anchor[0][q] - pin->centre[0][q];
            about += normal[k] * (w->torque[k] - (rp * w->force[q] - rq * w->force[p]));
        }
        ck_assert_double_le(length3(part), directionTolerance * scale);
        ck_assert_double_le(fabs(about), directionTolerance * scale);
    }
}

static double pinError(const ksInspector *inspector, const Scene *scene, const Linkage *linkage, ksValue value,
                       double angle, double rate)
{
    double worst = 0;
    for (int pin = 0; pin < PIN_COUNT; pin++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[pin]);
        double expected[3], found[3];
        linkagePinForce(linkage, angle, rate, pin, expected);
        inPlane(linkage, value == KS_PHYSICAL ? reaction->physical[0].force : reaction->converged[0].force, found);
        worst = fmax(worst, distance3(found, expected));
        checkFreeDirections(linkage, reaction);
    }
    return worst / forceScale(scene);
}

START_TEST(fourbar_from_an_exact_pose)
{
    const Orientation *o = &orientations[_i];
    Linkage linkage = linkageAt(o, 0);
    linkage.rate = 1.5;
    Scene *scene = sceneFourbar(&linkage);
    ksInspector *inspector = inspect(scene->world);
    double angle, rate;
    linkageState(scene, &linkage, &angle, &rate);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    ck_assert_uint_eq(report->rowCount, 20);
    ck_assert_uint_eq(report->rank, 17);
    ck_assert_uint_eq(report->verdictCount[KS_INDETERMINATE], PIN_COUNT);
    ck_assert_double_le(pinError(inspector, scene, &linkage, KS_PHYSICAL, angle, rate), poseTolerance);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static void checkPublished(const ksInspector *inspector, const Scene *scene)
{
    for (int pin = 0; pin < PIN_COUNT; pin++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[pin]);
        ck_assert(reaction->reasons & KS_REASON_REDUNDANT);
        for (int side = 0; side < 2 && reaction->body[side]; side++) {
            ck_assert_double_le(length3(reaction->converged[side].force), 100 * forceScale(scene));
            ck_assert_double_le(length3(reaction->physical[side].force), 100 * forceScale(scene));
            ck_assert(isfinite(length3(reaction->converged[side].torque)));
            ck_assert(isfinite(length3(reaction->physical[side].torque)));
        }
    }
}

/* Gravity out of the plane bends the mechanism against its hinges; QuickStep lets it drift. */
START_TEST(fourbar_drifts)
{
    const Orientation *o = &orientations[_i];
    Linkage linkage = linkageAt(o, 3);
    Scene *scene = sceneFourbar(&linkage);
    ksInspector *inspector = inspect(scene->world);
    double worst = 0;
    for (int i = 0; i < 3000; i++) {
        double angle, rate;
        linkageState(scene, &linkage, &angle, &rate);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        ck_assert_uint_eq(report->rowCount, 20);
        ck_assert_uint_eq(report->rank, 17);
        checkPublished(inspector, scene);
        if (i > 0)
            worst = fmax(worst, pinError(inspector, scene, &linkage, KS_PHYSICAL, angle, rate));
    }
    printf("four bar %s, 3000 QuickSteps: physical in the plane off by %.1e of the weight\n", o->name, worst);
    ck_assert_double_le(worst, driftTolerance);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* One body held by two joints: the sum is determined, the split is not. */
START_TEST(held_twice)
{
    SceneHeldTwice kind = _i / 4 ? SCENE_TWIN_FIXED : SCENE_DOOR;
    const Orientation *o = &orientations[_i / 2 % 2];
    ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    dMatrix3 r;
    rotation(o, r);
    Scene *scene = sceneHeldTwice(kind, r);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 200; i++) {
        double expected[3], physical[3] = {0}, converged[3] = {0};
        sceneHeldTwiceForce(scene, kind, expected);
        CHECK_OK(inspectedStep(inspector, stepper, h));
        for (int j = 0; j < 2; j++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
            ck_assert(reaction->reasons & KS_REASON_REDUNDANT);
            ck_assert_int_ge(reaction->freeCount, 1);
            ck_assert_int_ne(reaction->verdict, KS_VALID);
            if (stepper == KS_WORLD_STEP)
                ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_INDETERMINATE");
            for (int k = 0; k < 3; k++) {
                physical[k] += reaction->physical[0].force[k];
                converged[k] += reaction->converged[0].force[k];
            }
        }
        if (i > 0)
            ck_assert_double_le(distance3(physical, expected), driftTolerance * SCENE_GRAVITY);
        if (stepper == KS_WORLD_STEP && i > 0)
            ck_assert_double_le(distance3(converged, expected), driftTolerance * SCENE_GRAVITY);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A string over a pulley: with a pulley of 1e-9 kg both halves are the same constraint within the
 * rank tolerance of 1e-4, and neither tension is known; with 1e-6 kg both are known. Rows and
 * wrenches agree on this. */
START_TEST(string_over_a_light_pulley)
{
    Planes planes = scenePlanes;
    planes.inertia = (_i ? 1e-9 : 1e-6) * planes.radius * planes.radius;
    Scene *scene = sceneIncline(&planes);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    for (int side = 0; side < STRING_COUNT; side++) {
        const ksReaction *string = ksInspectorGetReaction(inspector, scene->joint[side]);
        ck_assert_int_eq(string->rowCount, 1);
        ck_assert_int_eq(string->row[0].determinate, !_i);
        ck_assert_int_eq(string->freeCount, _i);
        ck_assert_str_eq(ksVerdictName(string->verdict), _i ? "KS_INDETERMINATE" : "KS_VALID");
        ck_assert_int_eq(isnan(string->error) != 0, _i);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A row of linkages with shared cranks, on hinges alone: the rank is decided for any number of
 * them. Their forces in the plane equal the forces of the same linkages without redundant rows. */
START_TEST(row_of_loops)
{
    enum { KINDS = 2 };
    static const int loops[] = {1, 10, 100, 1000};
    // effect of the compliance by the default CFM, over a row of a thousand cranks
    static const double planeTolerance = 1e-5;
    const int n = loops[_i];
    Scene *scene[KINDS];
    ksInspector *inspector[KINDS];
    double largest = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        ksInspectorOptions options = defaultOptions();
        options.islandRowBudget = SIZE_MAX;
        scene[kind] = sceneLoops(1, n, kind ? COUPLER_BALL_UNIVERSAL : COUPLER_HINGED);
        inspector[kind] = inspectWith(scene[kind]->world, &options);
        CHECK_OK(ksInspectorQuickStep(inspector[kind], h));
        const ksStepReport *report = ksInspectorGetStepReport(inspector[kind]);
        ck_assert_uint_eq(report->rowCount - report->rank, kind ? 0 : 3 * (size_t)n);
    }
    // hinges of cranks on the world: the first, then the first of three joints for each crank
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i <= n; i++) {
            const int joint = i ? 3 * i - 2 : 0;
            const ksReaction *hinged = ksInspectorGetReaction(inspector[0], scene[0]->joint[joint]);
            const ksReaction *other = ksInspectorGetReaction(inspector[1], scene[1]->joint[joint]);
            ck_assert(hinged->reasons & KS_REASON_REDUNDANT);
            ck_assert_int_eq(hinged->freeCount, 3);
            ck_assert(!other->reasons);
            for (int k = 0; k < 3; k += 2) {
                const double found = hinged->converged[0].force[k], expected = other->converged[0].force[k];
                largest = fmax(largest, fabs(expected));
                if (pass)
                    ck_assert_double_le(fabs(found - expected), planeTolerance * largest);
            }
        }
    for (int kind = 0; kind < KINDS; kind++) {
        ksInspectorDestroy(inspector[kind]);
        sceneDestroy(scene[kind]);
    }
}
END_TEST

/* A door whose two hinges contradict each other by `drift`, and a box that hangs from it. */
typedef struct LooseDoor {
    dWorldID world;
    dJointID hinge[2], ball;
} LooseDoor;

static void turn(dBodyID body, double angle)
{
    dQuaternion q;
    dQFromAxisAndAngle(q, 0.3, 1, 0.2, angle);
    dBodySetQuaternion(body, q);
}

static LooseDoor looseDoor(double drift)
{
    const double size[3] = {1, 0.2, 0.3};
    LooseDoor scene = {.world = heavyWorld()};
    dWorldSetCFM(scene.world, 1e-8);
    dBodyID door = addBox(scene.world, 1, size, 0), box = addBox(scene.world, 1, size, -1);
    dBodySetPosition(box, 0.5, 0, -1);
    dBodySetAngularVel(box, 1, 2, 3);
    for (int i = 0; i < 2; i++) {
        turn(door, i * drift);
        scene.hinge[i] = dJointCreateHinge(scene.world, NULL);
        dJointAttach(scene.hinge[i], door, NULL);
        dJointSetHingeAnchor(scene.hinge[i], -0.4, i, 0.1 + 0.1 * i);
        dJointSetHingeAxis(scene.hinge[i], 0, 1, 0.1);
    }
    turn(door, 0.5 * drift);
    scene.ball = dJointCreateBall(scene.world, NULL);
    dJointAttach(scene.ball, door, box);
    dJointSetBallAnchor(scene.ball, 0.5, 0, 0);
    return scene;
}

/* Opposing forces of 1e2 to 1e6 N hold the hinges apart; the solver does not reach them. They act
 * along the undetermined direction, except for the drift: the ball carries their remainder. Against
 * dWorldStep from the same state. */
START_TEST(contradicting_hinges_load_the_ball)
{
    const double drift = pow(10, -2 - _i);
    /* the direct stepper's error is 1e-12 of the opposing forces */
    const double directTolerance = 1e-5;
    LooseDoor scene = looseDoor(drift), twin = looseDoor(drift);
    ksInspectorOptions options = defaultOptions();
    options.rigidCfm = 1e-6;
    ksInspector *inspector = inspectWith(scene.world, &options);
    dJointFeedback exact;
    dJointSetFeedback(twin.ball, &exact);
    ck_assert(dWorldStep(twin.world, 0.01));
    CHECK_OK(ksInspectorQuickStep(inspector, 0.01));
    const ksReaction *ball = ksInspectorGetReaction(inspector, scene.ball);
    ck_assert_int_gt(ksInspectorGetReaction(inspector, scene.hinge[0])->freeCount, 0);
    ck_assert_int_eq(ball->freeCount, 0);
    double bar = directTolerance;
    for (int l = 0; l < ball->rowCount; l++)
        bar += ball->row[l].errorBar;
    ck_assert_double_le(distance3(ball->converged[0].force, exact.f1), bar);
    /* relative to the converged force, which is the larger one here; torques by the lever to the
     * mass centres */
    const double missed = distance3(ball->engine[0].force, exact.f1) / length3(exact.f1);
    ck_assert_int_eq(ball->verdict, missed > options.tolerance ? KS_SOLVER_ERROR : KS_VALID);
    ksInspectorDestroy(inspector);
    dWorldDestroy(scene.world);
    dWorldDestroy(twin.world);
}
END_TEST

/* A four-bar whose bodies have unit masses and inertias, rotated so that no axis of the world is
 * special, with a gap. */
static dWorldID openedFourbar(double drift, dJointID hinge[4])
{
    static const double node[4][3] = {{0, 0, 0}, {-0.3, 1.1, 0}, {1, 1.4, 0}, {1.3, 0, 0}}, axis[3] = {0, 0, 1};
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    dWorldSetCFM(world, 1e-8);
    dMatrix3 turn;
    dMass mass;
    dBodyID bar[3];
    dVector3 at, along;
    dRFromAxisAndAngle(turn, 1, 2, 3, 0.8);
    dMassSetParameters(&mass, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        const double middle[3] = {(node[i][0] + node[i + 1][0]) / 2, (node[i][1] + node[i + 1][1]) / 2, 0};
        bar[i] = dBodyCreate(world);
        dBodySetMass(bar[i], &mass);
        dMultiply0(at, turn, middle, 3, 3, 1);
        dBodySetPosition(bar[i], at[0], at[1], at[2]);
    }
    dMultiply0(along, turn, axis, 3, 3, 1);
    for (int i = 0; i < 4; i++) {
        hinge[i] = dJointCreateHinge(world, NULL);
        dJointAttach(hinge[i], bar[i < 3 ? i : 2], i > 0 && i < 3 ? bar[i - 1] : NULL);
        dMultiply0(at, turn, node[i], 3, 3, 1);
        dJointSetHingeAnchor(hinge[i], at[0], at[1], at[2]);
        dJointSetHingeAxis(hinge[i], along[0], along[1], along[2]);
    }
    for (int i = 0; i < 3; i++) {
        const dReal *x = dBodyGetPosition(bar[i]);
        dMatrix3 bend;
        dRFromAxisAndAngle(bend, i + 1, 1, -i, drift);
        dBodySetRotation(bar[i], bend);
        dBodySetPosition(bar[i], x[0] + drift, x[1] - i * drift, x[2] + drift);
    }
    return world;
}

/* The part of a wrench across its free directions. */
static double determinedPart(const ksReaction *reaction, double wrench[6])
{
    double basis[6][6];
    for (int f = 0; f <= reaction->freeCount; f++) {
        double *x = f < reaction->freeCount ? basis[f] : wrench, size = 0;
        for (int i = 0; f < reaction->freeCount && i < 3; i++) {
            x[i] = reaction->freeDirection[f].force[i];
            x[i + 3] = reaction->freeDirection[f].torque[i];
        }
        for (int g = 0; g < f; g++) {
            double part = 0;
            for (int i = 0; i < 6; i++)
                part += basis[g][i] * x[i];
            for (int i = 0; i < 6; i++)
                x[i] -= part * basis[g][i];
        }
        for (int i = 0; i < 6; i++)
            size += x[i] * x[i];
        if (f == reaction->freeCount)
            return sqrt(size);
        for (int i = 0; i < 6; i++)
            x[i] /= sqrt(size);
    }
    return NAN;
}

/* No single row is determinate, but parts of all wrenches are: they agree with dWorldStep from the
 * same state within their bars. (With physical values, the drifted mechanism is solved with the
 * engine's self-stress.) */
START_TEST(bars_of_a_turned_fourbar)
{
    const double drift = pow(10, -2 - _i);
    const double directTolerance = 1e-12; /* the direct stepper's error, relative to the opposing forces */
    dJointID hinge[4], twin[4];
    dJointFeedback exact[4];
    dWorldID world = openedFourbar(drift, hinge), other = openedFourbar(drift, twin);
    ksInspectorOptions options = defaultOptions();
    options.rigidCfm = 1e-6;
    options.values = KS_COMPUTE_CONVERGED;
    ksInspector *inspector = inspectWith(world, &options);
    for (int i = 0; i < 4; i++)
        dJointSetFeedback(twin[i], &exact[i]);
    ck_assert(dWorldStep(other, 0.01));
    CHECK_OK(ksInspectorQuickStep(inspector, 0.01));
    for (int i = 0; i < 4; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, hinge[i]);
        const ksWrench *converged = &reaction->converged[0];
        ck_assert(reaction->freeCount > 0 && reaction->freeCount < reaction->rowCount);
        double apart[6], bar = directTolerance * (length3(exact[i].f1) + length3(exact[i].t1));
        for (int k = 0; k < 3; k++) {
            apart[k] = converged->force[k] - exact[i].f1[k];
            apart[k + 3] = converged->torque[k] - exact[i].t1[k];
        }
        for (int l = 0; l < reaction->rowCount; l++) {
            const ksRow *row = &reaction->row[l];
            ck_assert(!row->determinate);
            for (int side = 0; side < 2; side++)
                bar += row->errorBar * (length3(row->jacobian[side]) + length3(row->jacobian[side] + 3));
        }
        ck_assert_double_le(determinedPart(reaction, apart), bar);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dWorldDestroy(other);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("linkage");
    tcase_add_loop_test(test, fourbar_from_an_exact_pose, 0, 2);
    tcase_add_loop_test(test, fourbar_drifts, 0, 2);
    tcase_add_loop_test(test, held_twice, 0, 8);
    tcase_add_loop_test(test, string_over_a_light_pulley, 0, 2);
    tcase_add_loop_test(test, bars_of_a_turned_fourbar, 0, 3);
    tcase_add_loop_test(test, row_of_loops, 0, 4);
    tcase_add_loop_test(test, contradicting_hinges_load_the_ball, 0, 4);
    return runCase("linkage", test);
}

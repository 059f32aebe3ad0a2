/* check_drift.c  Physical values of mechanisms whose joints have drifted apart, against those in
 * the nearest pose in which they fit, if that is close: sigma^2 > 2 drift (Kantorovich). Elsewhere
 * the two poses have different forces. */
#include "tests/kits/drift_kit.h"

static const double h = 0.01;
static const double yAxis[3] = {0, 1, 0}, xAxis[3] = {1, 0, 0};

/* Two boxes that both a weld and a rod connect: one row too many. They swing on a ball. */
static Mechanism weldAndRod(void)
{
    Mechanism m = kitMechanism("weld and rod");
    const int a = kitAddBody(&m, 0.4, 0, 0), b = kitAddBody(&m, 0.8, 0.1, 0.1);
    kitAddJoint(&m, KIT_BALL, a, -1, (double[3]){0, 0, 0}, NULL);
    kitAddJoint(&m, KIT_WELD, a, b, (double[3]){0.6, 0, 0}, NULL);
    kitAddJoint(&m, KIT_ROD, a, b, (double[3]){0.4, 0, 0.2}, (double[3]){0.9, 0.2, 0});
    return m;
}

static Mechanism door(void)
{
    Mechanism m = kitMechanism("door");
    const double axis[3] = {0, 0.3, 1};
    kitAddBody(&m, 0.5, 0, 0.2);
    kitAddJoint(&m, KIT_HINGE, 0, -1, (double[3]){0, 0, 0}, axis);
    kitAddJoint(&m, KIT_HINGE, 0, -1, (double[3]){0, 0.24, 0.8}, axis);
    return m;
}

/* A coupler on three parallel cranks. */
static Mechanism threeCranks(void)
{
    Mechanism m = kitMechanism("three cranks");
    const int coupler = kitAddBody(&m, 1.3, 0, 0.5);
    for (int i = 0; i < 3; i++) {
        const int crank = kitAddBody(&m, 0.15 + i, 0, 0.25);
        kitAddJoint(&m, KIT_HINGE, crank, -1, (double[3]){i, 0, 0}, yAxis);
        kitAddJoint(&m, KIT_HINGE, crank, coupler, (double[3]){i + 0.3, 0, 0.5}, yAxis);
    }
    return m;
}

/* A platform on two folding legs, in planes across each other, which leave it one translation. */
static Mechanism sarrus(void)
{
    Mechanism m = kitMechanism("Sarrus");
    const int top = kitAddBody(&m, 0, 0, 1);
    for (int leg = 0; leg < 2; leg++) {
        const double *axis = leg ? yAxis : xAxis;
        double at[3][3] = {{0}}, middle[2][3];
        for (int i = 0; i < 3; i++) {
            at[i][leg ? 0 : 1] = 0.4 + (i == 1 ? 0.5 : 0);
            at[i][2] = 0.5 * i;
        }
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 3; k++)
                middle[i][k] = 0.5 * (at[i][k] + at[i + 1][k]);
        const int low = kitAddBody(&m, middle[0][0], middle[0][1], middle[0][2]);
        const int high = kitAddBody(&m, middle[1][0], middle[1][1], middle[1][2]);
        kitAddJoint(&m, KIT_HINGE, low, -1, at[0], axis);
        kitAddJoint(&m, KIT_HINGE, low, high, at[1], axis);
        kitAddJoint(&m, KIT_HINGE, high, top, at[2], axis);
    }
    return m;
}

/* Four hinges in space, links a, b, a, b with twists of sin alpha / a = sin beta / b: it moves,
 * although counting declares it rigid (Bennett 1903). Denavit's and Hartenberg's angles, with
 * tan(t1/2) tan(t2/2) = sin((beta + alpha)/2) / sin((beta - alpha)/2). */
static Mechanism bennett(void)
{
    Mechanism m = kitMechanism("Bennett");
    const double alpha = 0.5, beta = 1.1, a = 1, b = a * sin(beta) / sin(alpha), first = 1.3;
    const double second = 2 * atan(sin(0.5 * (beta + alpha)) / sin(0.5 * (beta - alpha)) / tan(0.5 * first));
    const double angle[4] = {first, second, -first, -second}, length[4] = {a, b, a, b},
                 twist[4] = {alpha, beta, alpha, beta};
    double R[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, x[5][3] = {{0}}, z[5][3] = {{0, 0, 1}};
    for (int i = 0; i < 4; i++) {
        const double c = cos(angle[i]), s = sin(angle[i]), ct = cos(twist[i]), st = sin(twist[i]);
        const double step[3][3] = {{c, -s * ct, s * st}, {s, c * ct, -c * st}, {0, st, ct}};
        double next[3][3];
        for (int k = 0; k < 3; k++) {
            x[i + 1][k] = x[i][k] + length[i] * (R[k][0] * c + R[k][1] * s);
            for (int l = 0; l < 3; l++)
                next[k][l] = R[k][0] * step[0][l] + R[k][1] * step[1][l] + R[k][2] * step[2][l];
        }
        memcpy(R, next, sizeof R);
        for (int k = 0; k < 3; k++)
            z[i + 1][k] = R[k][2];
    }
    ck_assert_double_lt(distance3(x[4], x[0]) + distance3(z[4], z[0]), 1e-12);
    for (int i = 0; i < 3; i++)
        kitAddBody(&m, 0.5 * (x[i][0] + x[i + 1][0]), 0.5 * (x[i][1] + x[i + 1][1]), 0.5 * (x[i][2] + x[i + 1][2]));
    kitAddJoint(&m, KIT_HINGE, 0, -1, x[0], z[0]);
    kitAddJoint(&m, KIT_HINGE, 0, 1, x[1], z[1]);
    kitAddJoint(&m, KIT_HINGE, 1, 2, x[2], z[2]);
    kitAddJoint(&m, KIT_HINGE, 2, -1, x[3], z[3]);
    return m;
}

/* A box on two rods that are almost in line: their directions are close to dependent, but
 * independent. */
static Mechanism tautV(void)
{
    Mechanism m = kitMechanism("taut V");
    kitAddBody(&m, 0, 0, -0.05);
    for (int i = 0; i < 2; i++)
        kitAddJoint(&m, KIT_ROD, 0, -1, (double[3]){0, 0, -0.05}, (double[3]){i ? 1 : -1, 0, 0});
    return m;
}

static Mechanism chain(void)
{
    Mechanism m = kitMechanism("chain");
    m.isTree = true;
    for (int i = 0; i < 4; i++) {
        kitAddBody(&m, 0.5 + i, 0, 0);
        kitAddJoint(&m, i % 2 ? KIT_HINGE : KIT_BALL, i, i - 1, (double[3]){i, 0, 0}, yAxis);
    }
    return m;
}

/* A slider-crank, from one dead point to the other and back. */
static Mechanism sliderCrank(void)
{
    Mechanism m = kitMechanism("slider-crank");
    kitAddBody(&m, 0.25, 0, 0);
    kitAddBody(&m, 1.1, 0, 0);
    kitAddBody(&m, 1.7, 0, 0);
    kitAddJoint(&m, KIT_HINGE, 0, -1, (double[3]){0, 0, 0}, yAxis);
    kitAddJoint(&m, KIT_BALL, 0, 1, (double[3]){0.5, 0, 0}, NULL);
    kitAddJoint(&m, KIT_BALL, 1, 2, (double[3]){1.7, 0, 0}, NULL);
    kitAddJoint(&m, KIT_SLIDER, 2, -1, (double[3]){0, 0, 0}, xAxis);
    return m;
}

typedef Mechanism Make(void);

/* Results of a run. Errors are relative to the larger of the weight and the largest true
 * reaction. */
typedef struct Seen {
    int steps, regular, judged, rightFree, values, covered;
    double worstForce, trueForce, drift;
    double error[40000], bar[40000];
} Seen;
static Seen seen;

static double median(double *x, int count, double share)
{
    qsort(x, (size_t)count, sizeof *x, ascending);
    return count ? x[(int)(share * (count - 1))] : NAN;
}

static double sizeAcross(const KitTruth *truth, int j, const double w[12])
{
    double rest[12];
    memcpy(rest, w, sizeof rest);
    for (int f = 0; f < truth->freeCount[j]; f++) {
        double part = 0;
        for (int k = 0; k < 12; k++)
            part += truth->free[j][f][k] * rest[k];
        for (int k = 0; k < 12; k++)
            rest[k] -= part * truth->free[j][f][k];
    }
    double square = 0;
    for (int k = 0; k < 12; k++)
        square += rest[k] * rest[k];
    return sqrt(square);
}

static void scaleBoth(const Mechanism *m, const KitState *state, int j, const ksWrench w[2], double out[12])
{
    for (int side = 0; side < 2; side++)
        kitScale(m, state, j, side, &w[side], out + 6 * side);
}

static void compareJoint(const Mechanism *m, const KitState *state, const KitTruth *truth, int j, double load,
                         const ksReaction *reaction)
{
    double physical[12], engine[12], apart[12];
    scaleBoth(m, state, j, reaction->physical, physical);
    scaleBoth(m, state, j, reaction->engine, engine);
    for (int k = 0; k < 12; k++)
        apart[k] = physical[k] - truth->reaction[j][k];
    const double error = sizeAcross(truth, j, apart) / load;
    const double own = fmax(sizeAcross(truth, j, physical), sizeAcross(truth, j, engine)) / load;
    const double bar = reaction->physicalErrorBar * own;
    if (isnan(bar))
        return;  // no part of the wrench is determined
    seen.error[seen.values] = error;
    seen.bar[seen.values++] = bar;
    seen.covered += error <= bar + 1e-9;
}

static void compareStep(const Mechanism *m, const KitState *state, ksInspector *inspector, bool wanted)
{
    const double weight = m->bodies * SCENE_GRAVITY;
    for (int j = 0; j < m->joints; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, m->joint[j].id);
        ck_assert_int_ne(reaction->physicalSource, KS_FROM_NOWHERE);
        seen.worstForce = fmax(seen.worstForce, length3(reaction->physical[0].force) / weight);
    }
    if (!wanted)
        return;
    const KitTruth truth = kitFindTruth(m, state);
    if (!truth.fits || !(truth.leastSigma > 5 * truth.drift))
        return;
    bool right = true;
    seen.regular++;
    seen.drift = fmax(seen.drift, truth.drift);
    for (int j = 0; j < m->joints; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, m->joint[j].id);
        seen.trueForce = fmax(seen.trueForce, length3(truth.force[j]) / weight);
        right &= reaction->freeCount == truth.freeCount[j];
        if (truth.leastSigma * truth.leastSigma > 2 * truth.drift)
            compareJoint(m, state, &truth, j, fmax(weight, truth.largest), reaction);
    }
    seen.rightFree += right;
}

/* Limits for a run; forces in weights, errors relative to the load. All are a few times the largest
 * value found, and far below the results of singular values in the bodies' own pose: forces of 1e3 to
 * 1e5 weights, wrong free directions in a fifth of the steps, errors of 1e-2. */
typedef struct Limits {
    Make *make;
    double force, error; /* largest force; median error */
    bool isRough;        /* 10 iterations in steps of 20 ms */
} Limits;

/* Of a million values a few may be outside a bar that contains the first order only. */
static const double kCovered = 0.995;

static const Limits limits[] = {
    {weldAndRod, 4, 1e-2, false},  {door, 1.5, 0, false},      {threeCranks, 12, 1e-3, false},
    {sarrus, 30, 1e-3, false},     {bennett, 12, 1e-3, false}, {tautV, 12, 1e-3, false},
    {sliderCrank, 2, 5e-3, false}, {chain, 10, 0.1, false},    {weldAndRod, 4, 5e-2, true},
    {threeCranks, 12, 1e-3, true},
};
enum { MECHANISMS = sizeof limits / sizeof *limits };

static void run(const Limits *of, int steps, int every)
{
    memset(&seen, 0, sizeof seen);
    Mechanism m = of->make();
    KitState state[KIT_BODIES];
    ksInspector *inspector = inspect(m.world);
    dRandSetSeed(7);
    dWorldSetQuickStepNumIterations(m.world, of->isRough ? 10 : 20);
    for (int i = 0; i < steps; i++) {
        kitReadState(&m, state);
        CHECK_OK(ksInspectorQuickStep(inspector, of->isRough ? 2 * h : h));
        compareStep(&m, state, inspector, i % every == 0);
        seen.judged += i % every == 0;
    }
    const double free = (double)seen.rightFree / seen.regular;
    const double covered = seen.values ? (double)seen.covered / seen.values : 1;
    const double error = median(seen.error, seen.values, 0.5), most = median(seen.error, seen.values, 0.99);
    const double bar = median(seen.bar, seen.values, 0.5);
    printf("%-13s | %3d %% %.1e | %6.2f %6.2f | %.4f | %.1e %.1e | %.4f %.1e\n", m.name,
           100 * seen.regular / seen.judged, seen.drift, seen.worstForce, seen.trueForce, free, error, most, covered,
           bar);
    ck_assert_double_lt(seen.worstForce, of->force);
    ck_assert_double_eq(free, 1);
    if (seen.values)
        ck_assert_double_lt(error, of->error);
    // a tree is solved in its own pose, and its bars do not contain its drift
    if (!m.isTree)
        ck_assert_double_gt(covered, kCovered);
    ksInspectorDestroy(inspector);
    dWorldDestroy(m.world);
}

/* mechanism | regular steps, their largest drift in radii of gyration | largest force found, true |
 * right free directions | error: median, 99 % | values within their bars, median bar */
START_TEST(drifted_mechanisms)
{
    run(&limits[_i], 1000, 12);
}
END_TEST

START_TEST(drifted_mechanisms_often)
{
    run(&limits[_i], 1000, 5);
}
END_TEST

/* The host's bodies are the same, to the bit. */
START_TEST(trajectory_is_as_it_was)
{
    enum { STEPS = 1000, MOST = 2 };
    static KitState state[2][STEPS][MOST];
    for (int inspected = 0; inspected < 2; inspected++) {
        Mechanism m = weldAndRod();
        ksInspector *inspector = inspect(m.world);
        dRandSetSeed(7);
        for (int i = 0; i < STEPS; i++) {
            if (inspected)
                CHECK_OK(ksInspectorQuickStep(inspector, h));
            else
                dWorldQuickStep(m.world, h);
            kitReadState(&m, state[inspected][i]);
        }
        if (inspected)  // the joints fit in this pose
            ck_assert_int_eq(ksInspectorGetReaction(inspector, m.joint[2].id)->freeCount, 1);
        ksInspectorDestroy(inspector);
        dWorldDestroy(m.world);
    }
    ck_assert_mem_eq(state[0], state[1], sizeof state[0]);
}
END_TEST

/* A driver holds the cranks against their weight and the coupler's: a motor that turns them evenly,
 * or a rigid or soft stop on which they rest, on the world or on an evenly moving body. By virtual
 * work, lambda J = m g dz/dangle. */
START_TEST(cranks_are_held)
{
    enum { MOTOR, MOTOR_ON_KINEMATIC, STOP, SOFT_STOP };
    // of the torque: dWorldStep leaves gaps of 1e-5 m, and the coupler's pose is read there
    const double driftTolerance = BY_PRECISION(1e-4, 2e-4);
    // in single precision the gaps grow as the cranks come into line, and a rigid stop lets go
    const int steps = BY_PRECISION(300, 140);
    const double velocity[3] = {1, 0, 0.5};
    Mechanism m = threeCranks();
    dBodyID base = dBodyCreate(m.world);
    dBodySetKinematic(base);
    if (_i == MOTOR_ON_KINEMATIC) {
        dBodySetLinearVel(base, velocity[0], velocity[1], velocity[2]);
        for (int b = 0; b < m.bodies; b++)
            dBodySetLinearVel(m.body[b], velocity[0], velocity[1], velocity[2]);
    }
    for (int j = 0; j < m.joints; j += 2) {
        dJointAttach(m.joint[j].id, m.body[m.joint[j].a], base);
        dJointSetHingeAnchor(m.joint[j].id, 0.5 * j, 0, 0);
        dJointSetHingeAxis(m.joint[j].id, 0, 1, 0);
    }
    const dJointID held = m.joint[0].id;
    if (_i <= MOTOR_ON_KINEMATIC) {
        dJointSetHingeParam(held, dParamFMax, 1e4);
        dJointSetHingeParam(held, dParamVel, 0.3);  // away from the pose in which all are in line
    } else {
        dJointSetHingeParam(held, dParamLoStop, 0);
        dJointSetHingeParam(held, dParamHiStop, 0.01);
        dJointSetHingeParam(held, dParamStopERP, 0.2);
        dJointSetHingeParam(held, dParamStopCFM, _i == SOFT_STOP ? 1e-4 : 1e-12);
    }
    ksInspector *inspector = inspect(m.world);
    for (int i = 0; i < steps; i++) {
        const double x = dBodyGetPosition(m.body[0])[0] - dBodyGetPosition(base)[0] - 1;
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, held);
        if (i < 100)
            continue;  // the crank has not begun to turn, or does not rest on its stop yet
        ck_assert_int_eq(reaction->rowCount, 6);
        const ksRow *row = &reaction->row[5];
        const double most = 2.5 * SCENE_GRAVITY * 0.6, exact = -2.5 * SCENE_GRAVITY * x / row->jacobian[0][4];
        ck_assert_double_eq_tol(row->physical, exact, driftTolerance * most);
        ck_assert_int_eq(reaction->freeCount, 4);  // three across the plane; the third crank adds one in the plane
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(m.world);
}
END_TEST

/* At this small drift only compliance keeps the rows of the loop independent. Both routes still
 * have converged values, without which a step is not judged. */
START_TEST(drifted_loops_are_judged)
{
    Mechanism m = bennett();
    double gap = 0;
    ksInspector *inspector = inspect(m.world);
    for (int i = 0; i < 200; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        for (int j = 0; j < m.joints; j++) {
            ck_assert_int_ne(ksInspectorGetReaction(inspector, m.joint[j].id)->verdict, KS_UNCHECKED);
            gap = fmax(gap, jointGap(m.joint[j].id));
        }
    }
    ck_assert_double_gt(gap, 1e-4);
    ksInspectorDestroy(inspector);
    dWorldDestroy(m.world);
}
END_TEST

/* Solved contacts belong to the island, but are neither copied nor read in its fitting pose: they
 * have their reported forces. */
START_TEST(contact_on_a_drifted_loop)
{
    static const double reportTolerance = 1e-9; /* of a multiplier, which is fitted to the reported force */
    Mechanism m = threeCranks();
    ksInspectorOptions options = defaultOptions();
    options.contacts = KS_CONTACTS_SOLVED;
    ksInspector *inspector = inspectWith(m.world, &options);
    int pushing = 0;
    for (int i = 0; i < 100; i++) {
        const dReal *x = dBodyGetPosition(m.body[0]);
        dContact contact = {.geom = {.pos = {x[0], x[1], x[2]}, .normal = {0, 0, 1}}};
        const dJointID floor = dJointCreateContact(m.world, NULL, &contact);
        dJointAttach(floor, m.body[0], NULL);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, floor);
        const double pushed = reaction->engine[0].force[2];
        if (reaction->physicalSource != KS_FROM_NOWHERE) {
            pushing += pushed > 1;
            ck_assert_double_eq_tol(reaction->physical[0].force[2], pushed, reportTolerance * (1 + fabs(pushed)));
        }
        dJointDestroy(floor);
    }
    ck_assert_int_gt(pushing, 10);
    ksInspectorDestroy(inspector);
    dWorldDestroy(m.world);
}
END_TEST

/* A spinning ball, held along a body-fixed axis. The engine does not report the rotation of this
 * axis; two readings show it, to first order. J v = n.v with n' = w x n, so lambda = m (-n'.v -
 * n.g). */
START_TEST(bar_of_history)
{
    const double spin = 2;
    dWorldID world = heavyWorld();
    dBodyID ball = addBall(world, 1, 0.5, 0, 0);
    dJointID motor = dJointCreateLMotor(world, NULL);
    dJointAttach(motor, ball, NULL);
    dJointSetLMotorNumAxes(motor, 1);
    dJointSetLMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetLMotorParam(motor, dParamFMax, 1e6);
    dBodySetAngularVel(ball, 0, spin, 0);
    dBodySetLinearVel(ball, 0, 0, 5);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 100; i++) {
        const dReal *R = dBodyGetRotation(ball);
        const double n[3] = {R[0], R[4], R[8]}, rate[3] = {spin * n[2], 0, -spin * n[0]};
        const dReal *v = dBodyGetLinearVel(ball);
        const double exact = -(rate[0] * v[0] + rate[2] * v[2]) + n[2] * SCENE_GRAVITY;
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, motor);
        if (i == 0)
            continue;
        ck_assert_int_eq(reaction->physicalSource, KS_FROM_HISTORY);
        const ksRow *row = &reaction->row[0];
        const double error = fabs(row->physical - exact * row->jacobian[0][0] / n[0]);
        ck_assert_double_le(error, row->physicalBar);
        // the first difference has the whole of it, later ones twice the error of half a step
        if (i > 1)
            ck_assert_double_lt(row->physicalBar, 4 * error + h * SCENE_GRAVITY * spin);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

static void count(const ksThresholdEvent *event, void *user)
{
    int *calls = user;
    if (event->phase == KS_THRESHOLD_ENDED)
        return;
    ck_assert_double_le(event->errorBar, fmax(event->limitValue, event->load - event->limitValue));
    ++*calls;
}

/* A bar above the limit decides nothing, unless the load exceeds the limit by more. */
START_TEST(thresholds_believe_the_bar)
{
    Mechanism m = tautV();
    ksInspector *inspector = inspect(m.world);
    int calls[2] = {0};
    for (int i = 0; i < 100; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    for (int i = 0; i < 2; i++) {
        ksThreshold limit;
        ksThresholdInit(&limit);
        limit.forceMagnitude = i ? 50 : 1;
        limit.flags = KS_THRESHOLD_UNCHECKED;
        CHECK_OK(ksInspectorOnThreshold(inspector, m.joint[0].id, &limit, count, &calls[i]));
    }
    for (int i = 0; i < 100; i++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    ck_assert_int_gt(calls[0], 0);
    ck_assert_int_gt(calls[1], 0);
    ksInspectorDestroy(inspector);
    dWorldDestroy(m.world);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("drift");
    TCase *tests = tcase_create("drift");
    tcase_add_loop_test(tests, drifted_mechanisms, 0, MECHANISMS);
    tcase_add_test(tests, trajectory_is_as_it_was);
    tcase_add_loop_test(tests, cranks_are_held, 0, 4);
    tcase_add_test(tests, drifted_loops_are_judged);
    tcase_add_test(tests, contact_on_a_drifted_loop);
    tcase_add_test(tests, bar_of_history);
    tcase_add_test(tests, thresholds_believe_the_bar);
    suite_add_tcase(suite, tests);
    TCase *more = tcase_create("more");
    tcase_set_tags(more, "long");
    tcase_add_loop_test(more, drifted_mechanisms_often, 0, MECHANISMS);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}

/* check_mean.c  Means of joint forces over a window, against the momentum of bodies, which the test
 * sums from their velocities. */
#include "tests/kits/memory_kit.h"
#include "tests/kits/support.h"

/* of a step's force, relative to the load: rounding of a difference of velocities over h */
static const double exactTolerance = 1e-12;
static const double barTolerance = 1e-10;   /* likewise, including the motions of the other bodies
                                               of the chain */
static const double clockTolerance = 1e-12; /* sums of steps */

enum { LINKS = 10, MOST_STEPS = 512 };

/* Joint forces from the motion of a chain, step by step, on the lower links; for the last joint
 * also the torque about its anchor, and both in its axes. */
typedef struct History {
    Scene *scene;
    ksInspector *inspector;
    int count;
    double h[MOST_STEPS], force[MOST_STEPS][LINKS][3];
    ksWrench last[MOST_STEPS], turned[MOST_STEPS];
} History;

static History begin(ScenePose pose, const ksInspectorOptions *options)
{
    History history = {.scene = sceneChain(LINKS, pose)};
    ck_assert_ptr_nonnull(history.scene);
    history.inspector = inspectWith(history.scene->world, options);
    return history;
}

static void end(History *history)
{
    ksInspectorDestroy(history->inspector);
    sceneDestroy(history->scene);
}

/* m dv/h - m g, and I_yy dw_y/h about the mass centre: the chain moves in the plane y = 0, so there
 * is no gyroscopic torque. */
static void findForces(History *history, double velocity[LINKS][3], const double *spin, const double *anchor,
                       const double *centre)
{
    const int n = history->count;
    double sum[3] = {0}, arm[3], moment[3];
    for (int i = LINKS; i-- > 0;) {
        dMass mass;
        const dBodyID body = history->scene->body[i];
        dBodyGetMass(body, &mass);
        for (int k = 0; k < 3; k++) {
            sum[k] += mass.mass *
                      ((dBodyGetLinearVel(body)[k] - velocity[i][k]) / history->h[n] + (k == 2 ? SCENE_GRAVITY : 0));
            history->force[n][i][k] = sum[k];
        }
        if (i < LINKS - 1)
            continue;
        for (int k = 0; k < 3; k++) {
            history->last[n].force[k] = sum[k];
            arm[k] = centre[k] - anchor[k];
        }
        cross3(arm, sum, moment);
        moment[1] += mass.I[5] * (dBodyGetAngularVel(body)[1] - spin[1]) / history->h[n];
        memcpy(history->last[n].torque, moment, sizeof moment);
    }
}

static void turn(const double axes[9], const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = axes[3 * i] * v[0] + axes[3 * i + 1] * v[1] + axes[3 * i + 2] * v[2];
}

static void stepOf(History *history, ksStepper stepper, double h)
{
    const Scene *scene = history->scene;
    const dBodyID leaf = scene->body[LINKS - 1];
    double velocity[LINKS][3], spin[3], centre[3];
    dVector3 anchor, other;
    ck_assert_int_lt(history->count, MOST_STEPS);
    history->h[history->count] = h;
    for (int i = 0; i < LINKS; i++)
        memcpy(velocity[i], dBodyGetLinearVel(scene->body[i]), sizeof velocity[i]);
    memcpy(spin, dBodyGetAngularVel(leaf), sizeof spin);
    memcpy(centre, dBodyGetPosition(leaf), sizeof centre);
    dJointGetHingeAnchor(scene->joint[LINKS - 1], anchor);
    dJointGetHingeAnchor2(scene->joint[LINKS - 1], other);
    CHECK_OK(inspectedStep(history->inspector, stepper, h));
    findForces(history, velocity, spin, dJointGetBody(scene->joint[LINKS - 1], 0) == leaf ? anchor : other, centre);
    const ksReaction *reaction = ksInspectorGetReaction(history->inspector, scene->joint[LINKS - 1]);
    const ksWrench *last = &history->last[history->count];
    turn(reaction->axes, last->force, history->turned[history->count].force);
    turn(reaction->axes, last->torque, history->turned[history->count].torque);
    history->count++;
}

/* The first step of a window of this length. */
static int firstStep(const History *history, double time)
{
    int first = history->count;
    double sum = 0;
    while (first > 0 && sum < time * (1 - clockTolerance))
        sum += history->h[--first];
    ck_assert_double_eq_tol(sum, time, clockTolerance);
    return first;
}

/* The mean of three numbers of each step, `stride` numbers apart. */
static void meanOf(const History *history, int first, const double *numbers, size_t stride, double out[3])
{
    double time = 0;
    out[0] = out[1] = out[2] = 0;
    for (int n = first; n < history->count; n++) {
        time += history->h[n];
        for (int k = 0; k < 3; k++)
            out[k] += history->h[n] * numbers[(size_t)n * stride + (size_t)k];
    }
    for (int k = 0; k < 3; k++)
        out[k] /= time;
}

static void checkSame(const double a[3], const double b[3], double load)
{
    ck_assert_double_le(distance3(a, b), exactTolerance * load);
}

static void checkLast(const History *history, const ksReaction *reaction, int side, int first, double load)
{
    enum { WRENCH = sizeof(ksWrench) / sizeof(double) };
    double expected[3];
    meanOf(history, first, history->last->force, WRENCH, expected);
    checkSame(reaction->mean[side].force, expected, load);
    meanOf(history, first, history->last->torque, WRENCH, expected);
    checkSame(reaction->mean[side].torque, expected, load);
    meanOf(history, first, history->turned->force, WRENCH, expected);
    checkSame(reaction->meanInJoint[side].force, expected, load);
    meanOf(history, first, history->turned->torque, WRENCH, expected);
    checkSame(reaction->meanInJoint[side].torque, expected, load);
}

/* The mean of each joint is the force of its motion, and its bar is rounding. */
static void checkMeans(const History *history)
{
    const double load = LINKS * SCENE_GRAVITY;
    for (int i = 0; i < LINKS; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(history->inspector, history->scene->joint[i]);
        const int side = reaction->body[0] == history->scene->body[i] ? 0 : 1;
        const int first = firstStep(history, reaction->meanTime);
        double expected[3];
        meanOf(history, first, history->force[0][i], sizeof history->force[0] / sizeof(double), expected);
        checkSame(reaction->mean[side].force, expected, load);
        for (int k = 0; k < 3; k++) {
            ck_assert_double_le(reaction->meanBar.force[k], barTolerance * load);
            ck_assert_double_le(reaction->meanBar.torque[k], barTolerance * load);
            ck_assert_double_ge(reaction->meanBar.force[k], 0);
        }
        if (i == LINKS - 1)
            checkLast(history, reaction, side, first, load);
    }
}

typedef struct Way {
    ksStepper stepper;
    int iterations;
    double h;
} Way;

static const Way way[] = {{KS_QUICK_STEP, 5, 0.005},  {KS_QUICK_STEP, 20, 0.005}, {KS_QUICK_STEP, 20, 0.0011},
                          {KS_WORLD_STEP, 20, 0.005}, {KS_EXACT_STEP, 20, 0.005}, {KS_QUICK_STEP, 20, 0.02}};
enum { WAYS = sizeof way / sizeof *way };

START_TEST(by_momentum)
{
    History history = begin(SCENE_FALLING, NULL);
    dWorldSetQuickStepNumIterations(history.scene->world, way[_i].iterations);
    while (history.count < 300) {
        stepOf(&history, way[_i].stepper, way[_i].h);
        checkMeans(&history);
    }
    end(&history);
}
END_TEST

/* Steps of different sizes, which are the weights. */
START_TEST(steps_that_vary)
{
    History history = begin(SCENE_FALLING, NULL);
    while (history.count < 300) {
        stepOf(&history, KS_QUICK_STEP, 0.001 * (1 + history.count * 7 % 9));
        checkMeans(&history);
    }
    end(&history);
}
END_TEST

/* A motor's torque is a part of its joint's torque: the motor's mean is the mean torque about the
 * axis. */
START_TEST(torque_of_a_motor)
{
    History history = begin(SCENE_FALLING, NULL);
    const dJointID joint = history.scene->joint[LINKS - 1];
    dJointSetHingeParam(joint, dParamFMax, 0.5);
    while (history.count < 120) {
        dJointSetHingeParam(joint, dParamVel, sin(history.count));
        stepOf(&history, KS_QUICK_STEP, 0.005);
        checkMeans(&history);
        const ksReaction *reaction = ksInspectorGetReaction(history.inspector, joint);
        const double sign = reaction->body[0] == dJointGetBody(joint, 0) ? 1 : -1;
        ck_assert_double_eq_tol(reaction->motor[0].mean, sign * reaction->meanInJoint[0].torque[0],
                                exactTolerance * LINKS * SCENE_GRAVITY);
        ck_assert_double_le(reaction->motor[0].meanBar, barTolerance * LINKS * SCENE_GRAVITY);
        ck_assert(isnan(reaction->motor[1].mean));
    }
    ck_assert(isnan(ksInspectorGetReaction(history.inspector, history.scene->joint[0])->motor[0].mean));
    end(&history);
}
END_TEST

/* At rest the ideal mechanism carries the weight below the joint. The mean is this weight, within
 * its departure. */
START_TEST(at_rest)
{
    const double weightTolerance = 1e-9;
    History history = begin(SCENE_HANGING, NULL);
    while (history.count < 100)
        stepOf(&history, KS_WORLD_STEP, 0.005);
    for (int i = 0; i < LINKS; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(history.inspector, history.scene->joint[i]);
        const int side = reaction->body[0] == history.scene->body[i] ? 0 : 1;
        const double expected[3] = {0, 0, (LINKS - i) * SCENE_GRAVITY};
        ck_assert_double_le(distance3(reaction->mean[side].force, expected), weightTolerance * expected[2]);
        ck_assert_double_le(reaction->departure.force[2], weightTolerance * expected[2]);
        ck_assert_double_le(fabs(reaction->mean[side].force[2] - expected[2]),
                            reaction->departure.force[2] + exactTolerance * expected[2]);
    }
    end(&history);
}
END_TEST

/* A chain released almost at rest, under an iterative solver: the mean differs from the weight by
 * no more than its departure. */
START_TEST(departure)
{
    const double most = 0.02; /* of the weight */
    History history = begin(SCENE_HANGING, NULL);
    double largest = 0;
    while (history.count < 400) {
        stepOf(&history, KS_QUICK_STEP, 0.005);
        if (history.count < 100)
            continue;
        const ksReaction *reaction = ksInspectorGetReaction(history.inspector, history.scene->joint[0]);
        const int side = reaction->body[0] == history.scene->body[0] ? 0 : 1;
        const double weight = LINKS * SCENE_GRAVITY, off = fabs(reaction->mean[side].force[2] - weight);
        ck_assert_double_le(off, reaction->departure.force[2] + exactTolerance * weight);
        largest = fmax(largest, reaction->departure.force[2]);
    }
    ck_assert_double_gt(largest, 0);
    ck_assert_double_le(largest, most * LINKS * SCENE_GRAVITY);
    end(&history);
}
END_TEST

static double meanTimeOf(ksInspector *inspector, dJointID joint)
{
    return ksInspectorGetReaction(inspector, joint)->meanTime;
}

/* --- Parts that mechanics leaves undetermined --- */

/* Three rods on four hinges move in a plane. Their shares of the force across the plane are
 * undetermined. The sum of the forces from the world follows from the motion. */
START_TEST(loop)
{
    const double h = 0.005;
    double taken[3] = {0};
    Scene *scene = sceneFourbar(&sceneLinkage);
    ksInspector *inspector = inspect(scene->world);
    enum { STEPS = 30 };
    for (int n = 0; n < STEPS; n++)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    for (int i = 0; i < ROD_COUNT; i++)
        for (int k = 0; k < 3; k++)
            taken[k] += dBodyGetLinearVel(scene->body[i])[k] / (STEPS * h) + (k == 2 ? SCENE_GRAVITY : 0);
    for (int i = 0; i < PIN_COUNT; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[i]);
        ck_assert_double_eq_tol(reaction->meanTime, STEPS * h, clockTolerance);
        for (int k = 0; k < 3; k++) {
            ck_assert_int_eq(isnan(reaction->meanBar.force[k]), k == 1);
            ck_assert_int_eq(isnan(reaction->departure.force[k]), k == 1);
            taken[k] -= i == PIN_O || i == PIN_C ? reaction->mean[0].force[k] : 0;
        }
    }
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(taken[k], 0, exactTolerance * ROD_COUNT * SCENE_GRAVITY);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Without equations the ideal mechanism's force is unknown. The mean exists, and momentum
 * determines its bar. */
START_TEST(certificate)
{
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    History history = begin(SCENE_FALLING, &options);
    for (int i = 0; i < 40; i++)
        stepOf(&history, KS_QUICK_STEP, 0.005);
    const ksReaction *reaction = ksInspectorGetReaction(history.inspector, history.scene->joint[LINKS - 1]);
    const int side = reaction->body[0] == history.scene->body[LINKS - 1] ? 0 : 1;
    checkLast(&history, reaction, side, firstStep(&history, reaction->meanTime), LINKS * SCENE_GRAVITY);
    ck_assert_double_le(reaction->meanBar.force[0], exactTolerance * LINKS * SCENE_GRAVITY);
    ck_assert_double_nan(reaction->departure.force[0]);
    end(&history);
}
END_TEST

/* A report is false, and the motion shows the true force: the mean is the mean of the true
 * force. */
START_TEST(false_report)
{
    History history = begin(SCENE_FALLING, NULL);
    const dJointID joint = history.scene->joint[LINKS / 2];
    for (int n = 0; n < 60; n++) {
        const double h = 0.005;
        double velocity[LINKS][3];
        history.h[n] = h;
        for (int i = 0; i < LINKS; i++)
            memcpy(velocity[i], dBodyGetLinearVel(history.scene->body[i]), sizeof velocity[i]);
        CHECK_OK(ksInspectorBeginStep(history.inspector, KS_QUICK_STEP, h));
        dJointFeedback *report = dJointGetFeedback(joint);
        dWorldQuickStep(history.scene->world, h);
        for (int k = 0; n % 3 == 0 && k < 3; k++) {
            report->f1[k] *= 1.5;
            report->f2[k] *= 1.5;
            report->t1[k] *= 1.5;
            report->t2[k] *= 1.5;
        }
        CHECK_OK(ksInspectorEndStep(history.inspector));
        const ksReaction *reaction = ksInspectorGetReaction(history.inspector, joint);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), n % 3 ? "KS_SOLVER_ERROR" : "KS_UNEXPLAINED");
        const double zero[3] = {0};
        findForces(&history, velocity, zero, zero, zero);
        history.count++;
    }
    const ksReaction *reaction = ksInspectorGetReaction(history.inspector, joint);
    const int side = reaction->body[0] == history.scene->body[LINKS / 2] ? 0 : 1;
    double expected[3];
    meanOf(&history, firstStep(&history, reaction->meanTime), history.force[0][LINKS / 2],
           sizeof history.force[0] / sizeof(double), expected);
    ck_assert_double_le(distance3(reaction->mean[side].force, expected), 1e-9 * LINKS * SCENE_GRAVITY);
    end(&history);
}
END_TEST

/* --- Wrenches --- */

START_TEST(wrench)
{
    History history = begin(SCENE_FALLING, NULL);
    for (int i = 0; i < 40; i++)
        stepOf(&history, KS_QUICK_STEP, 0.005);
    for (int i = 0; i < LINKS; i += LINKS - 1) {
        const ksReaction *reaction = ksInspectorGetReaction(history.inspector, history.scene->joint[i]);
        ksWrench out;
        for (int body = 0; body < 2; body++) {
            const bool isWorld = !reaction->body[body];
            const double sign = isWorld ? -1 : 1;
            const ksWrench *mean = &reaction->mean[isWorld ? 0 : body],
                           *turned = &reaction->meanInJoint[isWorld ? 0 : body];
            CHECK_OK(ksReactionGetWrench(reaction, KS_MEAN, body, KS_FRAME_WORLD, KS_POINT_ANCHOR, &out));
            for (int k = 0; k < 3; k++) {
                ck_assert_double_eq(out.force[k], sign * mean->force[k]);
                ck_assert_double_eq(out.torque[k], sign * mean->torque[k]);
            }
            CHECK_OK(ksReactionGetWrench(reaction, KS_MEAN, body, KS_FRAME_JOINT, KS_POINT_ANCHOR, &out));
            for (int k = 0; k < 3; k++) {
                ck_assert_double_eq(out.force[k], sign * turned->force[k]);
                ck_assert_double_eq(out.torque[k], sign * turned->torque[k]);
            }
            CHECK_STATUS(ksReactionGetWrench(reaction, KS_MEAN, body, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &out),
                         KS_ERROR_UNAVAILABLE);
        }
        CHECK_STATUS(ksReactionGetWrench(reaction, KS_MEAN, i == 0 && !reaction->body[1] ? 0 : 1, KS_FRAME_BODY,
                                         KS_POINT_ANCHOR, &out),
                     KS_ERROR_UNAVAILABLE);
    }
    end(&history);
}
END_TEST

/* Contacts and other joints come and go at the head of the world's list: windows stay with their
 * joints. */
START_TEST(joints_come_and_go)
{
    Counter counter = {.all = 1};
    ksInspectorOptions options = defaultOptions();
    options.allocator = (ksAllocator){countingResize, &counter};
    History history = begin(SCENE_FALLING, &options);
    Scene *scene = history.scene;
    dJointGroupID group = dJointGroupCreate(0);
    dBodyID other = addBall(scene->world, 1, 0.1, 5, 0);
    dContact contact = {.geom = {.normal = {0, 0, 1}}};
    dJointID extra[3] = {0};
    long requests = 0;
    for (int n = 0; n < 200; n++) {
        for (int c = 0; c < n % 5; c++)
            (void)addContact(scene->world, group, &contact, other, NULL);
        dJointID *at = &extra[n % 3];
        if (*at)
            dJointDestroy(*at);
        *at = dJointCreateBall(scene->world, 0);
        dJointAttach(*at, other, NULL);
        stepOf(&history, KS_QUICK_STEP, 0.005);
        checkMeans(&history);
        ck_assert_double_eq_tol(meanTimeOf(history.inspector, *at), 0.005, clockTolerance);
        dJointGroupEmpty(group);
        if (n == 100)
            requests = counter.requests;
    }
    ck_assert_int_eq(counter.requests, requests);
    dJointGroupDestroy(group);
    end(&history);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("mean");
    tcase_add_loop_test(test, by_momentum, 0, WAYS);
    tcase_add_test(test, steps_that_vary);
    tcase_add_test(test, torque_of_a_motor);
    tcase_add_test(test, at_rest);
    tcase_add_test(test, departure);
    tcase_add_test(test, loop);
    tcase_add_test(test, certificate);
    tcase_add_test(test, false_report);
    tcase_add_test(test, wrench);
    tcase_add_test(test, joints_come_and_go);
    return runCase("mean", test);
}

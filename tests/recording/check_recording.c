/* check_recording.c  Steps of other engines, recorded by the public writer and judged later: of ODE
 * by its public getters alone, and of motions in closed form. */
#include "tests/kits/report/judge_kit.h"

#include "demos/scenes/scenes_private.h"

#include <kinetostat/recording.h>

/* --- A host with ODE as its engine --- */

static ksRecordedState stateOf(dBodyID body)
{
    ksRecordedState state;
    memcpy(state.position, dBodyGetPosition(body), sizeof state.position);
    memcpy(state.quaternion, dBodyGetQuaternion(body), sizeof state.quaternion);
    memcpy(state.velocity, dBodyGetLinearVel(body), sizeof state.velocity);
    memcpy(state.angularVelocity, dBodyGetAngularVel(body), sizeof state.angularVelocity);
    return state;
}

static void addBody(ksRecording *recording, dBodyID body)
{
    ksRecordedBody made = {.state = stateOf(body)};
    dMass mass;
    dBodyGetMass(body, &mass);
    made.mass = mass.mass;
    for (int i = 0; i < 9; i++)
        made.inertia[i] = mass.I[4 * (i / 3) + i % 3];
    made.lacksGyroscopic = !dBodyGetGyroscopicMode(body);
    CHECK_OK(ksRecordingAddBody(recording, &made, NULL));
}

static int indexOf(const Scene *scene, dBodyID body)
{
    for (int i = 0; i < scene->bodyCount; i++)
        if (scene->body[i] == body)
            return i;
    return -1;
}

/* Getters write four numbers. */
typedef void Get(dJointID joint, dVector3 out);
static void get(Get *from, dJointID joint, double out[3])
{
    dVector3 v;
    from(joint, v);
    memcpy(out, v, 3 * sizeof *out);
}

static void describe(dJointID joint, ksRecordedJoint *out)
{
    switch ((int)out->type) {
    case KS_JOINT_BALL:
        get(dJointGetBallAnchor, joint, out->anchor[0]);
        break;
    case KS_JOINT_HINGE:
        get(dJointGetHingeAnchor, joint, out->anchor[0]);
        get(dJointGetHingeAxis, joint, out->axis[0]);
        break;
    case KS_JOINT_SLIDER:
        get(dJointGetSliderAxis, joint, out->axis[0]);
        break;
    case KS_JOINT_UNIVERSAL:
        get(dJointGetUniversalAnchor, joint, out->anchor[0]);
        get(dJointGetUniversalAxis1, joint, out->axis[0]);
        get(dJointGetUniversalAxis2, joint, out->axis[1]);
        break;
    default:
        ck_assert_int_eq(out->type, KS_JOINT_FIXED);
    }
}

static void addJoint(ksRecording *recording, const Scene *scene, dJointID joint)
{
    ksRecordedJoint made = {.type = (ksJointType)dJointGetType(joint)};
    for (int side = 0; side < 2; side++)
        made.body[side] = indexOf(scene, dJointGetBody(joint, side));
    describe(joint, &made);
    CHECK_OK(ksRecordingAddJoint(recording, &made, NULL));
}

enum { MOST_BODIES = 64, MOST_JOINTS = 64, STEPS = 100 };

/* Results of a live inspector. */
typedef struct Live {
    double engine[KSI_MAX_ROWS], physical[KSI_MAX_ROWS], physicalBar[KSI_MAX_ROWS], jacobian[KSI_MAX_ROWS][2][6];
    int determinate[KSI_MAX_ROWS], rowCount;
    double size; /* size of the engine's force and torque */
} Live;

typedef struct Run {
    Scene *scene;
    int steps;
    Live *live; /* [steps][joints] */
} Run;

static Live liveOf(const ksReaction *reaction)
{
    Live live = {.rowCount = reaction->rowCount};
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        live.engine[l] = row->engine;
        live.physical[l] = row->physical;
        live.physicalBar[l] = row->physicalBar;
        live.determinate[l] = row->determinate;
        live.size = fmax(live.size, fabs(row->engine));
        memcpy(live.jacobian[l], row->jacobian, sizeof row->jacobian);
    }
    return live;
}

static void takeStates(const Scene *scene, ksRecordedState *state, ksWrench *load)
{
    for (int i = 0; i < scene->bodyCount; i++) {
        state[i] = stateOf(scene->body[i]);
        memcpy(load[i].force, dBodyGetForce(scene->body[i]), sizeof load->force);
        memcpy(load[i].torque, dBodyGetTorque(scene->body[i]), sizeof load->torque);
    }
}

/* reports: whether the host records the joints' reports. */
static void recordRun(Run *run, const char *path, ksStepper stepper, double h, bool reports)
{
    Scene *scene = run->scene;
    ksRecording *recording;
    ksRecordingOptions options;
    ksRecordedState state[MOST_BODIES];
    ksWrench load[MOST_BODIES], told[MOST_JOINTS][2];
    dVector3 gravity;
    ck_assert_int_le(scene->bodyCount, MOST_BODIES);
    ck_assert_int_le(scene->jointCount, MOST_JOINTS);
    ksRecordingOptionsInit(&options);
    dWorldGetGravity(scene->world, gravity);
    memcpy(options.gravity, gravity, sizeof options.gravity);
    CHECK_OK(ksRecordingCreate(path, &options, &recording));
    for (int i = 0; i < scene->bodyCount; i++)
        addBody(recording, scene->body[i]);
    for (int i = 0; i < scene->jointCount; i++)
        addJoint(recording, scene, scene->joint[i]);
    ksInspector *inspector = inspect(scene->world);
    run->live = calloc((size_t)(run->steps * scene->jointCount), sizeof *run->live);
    for (int i = 0; i < run->steps; i++) {
        push(scene, i);
        takeStates(scene, state, load);
        CHECK_OK(ksRecordingBeginStep(recording, h, state, load));
        CHECK_OK(inspectedStep(inspector, stepper, h));
        for (int k = 0; k < scene->jointCount; k++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[k]);
            run->live[i * scene->jointCount + k] = liveOf(reaction);
            memcpy(told[k], reaction->engine, sizeof told[k]);
        }
        takeStates(scene, state, load);
        CHECK_OK(ksRecordingEndStep(recording, state, reports ? told : NULL));
    }
    ksInspectorDestroy(inspector);
    CHECK_OK(ksRecordingClose(recording));
}

/* --- Results of the judge --- */

typedef struct Compared {
    const Run *run;
    bool isTold;                                       /* true: the reports were recorded */
    size_t joints, rows, tight, verdict[KS_VALID + 1]; /* tight: rows whose bar is below 1 % of the
                                                          joint's load */
    double worstObserved, worstPhysical;               /* largest errors, in bars */
} Compared;

static void compareRow(const ksRow *row, const Live *live, int l, Compared *found)
{
    const double size = live->size;
    for (int k = 0; k < 12; k++)
        ck_assert_double_eq_tol(row->jacobian[k / 6][k % 6], live->jacobian[l][k / 6][k % 6], 1e-9);
    if (!row->determinate || !live->determinate[l])
        return;
    const double observed = fabs(row->observed - live->engine[l]);
    const double physical = fabs(row->physical - live->physical[l]);
    const double physicalBar = row->physicalBar + live->physicalBar[l];
    found->rows++;
    found->tight += row->observedBar < 0.01 * size;
    found->worstObserved = fmax(found->worstObserved, observed / row->observedBar);
    found->worstPhysical = fmax(found->worstPhysical, physical / physicalBar);
    ck_assert_msg(isnan(row->gauss) && isnan(row->paulus) && isnan(row->engine), "only the motion is known");
}

static void compareStep(ksInspector *inspector, int step, void *user)
{
    Compared *found = user;
    const Run *run = found->run;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, (size_t)run->scene->jointCount);
    for (size_t i = 0; i < count; i++) {
        // reactions list the newest joint first
        const Live *live = &run->live[step * run->scene->jointCount + run->scene->jointCount - 1 - (int)i];
        found->verdict[reaction[i].verdict]++;
        ck_assert_int_eq(reaction[i].rowCount, live->rowCount);
        ck_assert(isnan(reaction[i].converged[0].force[0]));
        ck_assert_int_eq(isnan(reaction[i].engine[0].force[0]), !found->isTold);
        ck_assert_int_eq(isnan(reaction[i].error), !found->isTold);
        for (int l = 0; l < live->rowCount; l++)
            compareRow(&reaction[i].row[l], live, l, found);
    }
}

/* A crank, a rod, and a block on a rail: hinge, ball, universal joint and slider in a loop. */
static Scene *sliderCrank(void)
{
    Scene *scene = sceneCreate(3, 4);
    const double y[3] = {0, 1, 0}, pivot[3] = {0, 0, 0};
    const dBodyID crank = sceneAddBox(scene, 1, 0.1, 0, 0.1, (const double[3]){0.3, 0.05, 0.05});
    const dBodyID rod = sceneAddBox(scene, 2, 0.5, 0, 0.1, (const double[3]){0.6, 0.05, 0.05});
    const dBodyID block = sceneAddBox(scene, 3, 0.8, 0, 0, (const double[3]){0.1, 0.1, 0.1});
    dWorldSetGravity(scene->world, 0, 0, -9.81);
    sceneAddHinge(scene, crank, NULL, pivot, y);
    const dJointID pin = sceneAddJoint(scene, dJointCreateBall(scene->world, NULL), rod, crank);
    dJointSetBallAnchor(pin, 0.2, 0, 0.2);
    sceneAddUniversal(scene, block, rod, (const double[3]){0.8, 0, 0}, (const double[3]){0, 0, 1}, y);
    const dJointID rail = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), block, NULL);
    dJointSetSliderAxis(rail, 1, 0, 0);
    return scene;
}

/* Without stops: limbs move freely. */
static Scene *ragdoll(void)
{
    Scene *scene = sceneRagdolls(1);
    for (int i = 0; i < scene->jointCount; i++) {
        const dJointID joint = scene->joint[i];
        if (dJointGetType(joint) == dJointTypeHinge) {
            dJointSetHingeParam(joint, dParamLoStop, -dInfinity);
            dJointSetHingeParam(joint, dParamHiStop, dInfinity);
        }
        if (dJointGetType(joint) == dJointTypeUniversal) {
            dJointSetUniversalParam(joint, dParamLoStop, -dInfinity);
            dJointSetUniversalParam(joint, dParamHiStop, dInfinity);
            dJointSetUniversalParam(joint, dParamLoStop2, -dInfinity);
            dJointSetUniversalParam(joint, dParamHiStop2, dInfinity);
        }
    }
    return scene;
}

enum { CHAIN, FOURBAR, RAGDOLL, SLIDER, MACHINES };

static Scene *machine(int which)
{
    switch (which) {
    case CHAIN:
        return sceneChain(6, SCENE_FALLING);
    case FOURBAR:
        return sceneFourbar(&sceneLinkage);
    case RAGDOLL:
        return ragdoll();
    default:
        return sliderCrank();
    }
}

static Compared tryMachine(int which, ksStepper stepper, bool reports)
{
    Run run = {.scene = machine(which), .steps = STEPS};
    Compared found = {.joints = (size_t)run.scene->jointCount, .run = &run, .isTold = reports};
    makeFolder();
    recordRun(&run, in("foreign.h5"), stepper, stepSize, reports);
    judgeFile(in("foreign.h5"), compareStep, &found);
    free(run.live);
    sceneDestroy(run.scene);
    removeFolder();
    return found;
}

/* In steps of ODE the reports explain the motion, except for ODE's gyroscopic torque, which the
 * bars include: errors are within the bars, most of which are narrow enough to be useful. The
 * four-bar's hinges share a load. */
START_TEST(machines)
{
    const int which = _i / 2;
    const Compared found = tryMachine(which, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, false);
    ck_assert_uint_gt(found.rows, STEPS * found.joints);
    ck_assert_double_le(found.worstObserved, 1);
    ck_assert_double_le(found.worstPhysical, 1);
    ck_assert_uint_gt(2 * found.tight, found.rows);
    ck_assert_uint_eq(found.verdict[which == FOURBAR ? KS_INDETERMINATE : KS_VALID], STEPS * found.joints);
}
END_TEST

/* ODE's reports agree with its own steps; where the gyroscopic torque exceeds the tolerance, the
 * judge leaves the verdict open. */
START_TEST(reports_of_the_engine)
{
    const Compared found = tryMachine(_i, KS_QUICK_STEP, true);
    const size_t good = found.verdict[_i == FOURBAR ? KS_INDETERMINATE : KS_VALID];
    ck_assert_uint_gt(10 * good, 8 * STEPS * found.joints);
    ck_assert_uint_eq(good + found.verdict[KS_UNCHECKED], STEPS * found.joints);
}
END_TEST

/* --- Motions in closed form, without an engine --- */

static const ksWrench unknown = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

/* A bar of mass m on a hinge along z, with the pivot at the origin and its centre at radius r. */
static const double m = 2, r = 0.5, about = 0.1, g = 9.81;

static ksRecordedState barAt(double angle, double rate)
{
    return (ksRecordedState){.position = {r * cos(angle), r * sin(angle), 0},
                             .quaternion = {cos(angle / 2), 0, 0, sin(angle / 2)},
                             .velocity = {-r * rate * sin(angle), r * rate * cos(angle), 0},
                             .angularVelocity = {0, 0, rate}};
}

static ksRecording *recordBar(const ksRecordedState *first)
{
    const ksRecordedBody bar = {.state = *first, .mass = m, .inertia = {0.02, 0, 0, 0, about, 0, 0, 0, about}};
    const ksRecordedJoint hinge = {.type = KS_JOINT_HINGE, .body = {0, -1}, .axis = {{0, 0, 2}}, .name = "pivot"};
    ksRecording *recording;
    ksRecordingOptions options;
    ksRecordingOptionsInit(&options);
    options.gravity[2] = -g;
    CHECK_OK(ksRecordingCreate(in("bar.h5"), &options, &recording));
    CHECK_OK(ksRecordingAddBody(recording, &bar, NULL));
    CHECK_OK(ksRecordingAddJoint(recording, &hinge, NULL));
    return recording;
}

/* The bar turns at `rate` + acceleration t, by a torque about the pivot, which is recorded or not;
 * the report is `factor` times the pivot's force, or for 0 is not recorded. */
typedef struct Turning {
    double rate, acceleration, factor;
    bool isTold;
    ksVerdict expected;
    ksReasons reasons;
    int judged;
} Turning;

static double angleAt(const Turning *t, double time)
{
    return 0.3 + t->rate * time + t->acceleration * time * time / 2;
}

/* m (v' - v)/h - m g, exact over the step */
static void meanForce(const Turning *t, int step, double h, double force[3])
{
    ksRecordedState state[2];
    for (int i = 0; i < 2; i++) {
        const double time = (step + i) * h;
        state[i] = barAt(angleAt(t, time), t->rate + t->acceleration * time);
    }
    for (int k = 0; k < 3; k++)
        force[k] = m * (state[1].velocity[k] - state[0].velocity[k]) / h + (k == 2 ? m * g : 0);
}

enum { TURNS = 20 };
static const double turnStep = 1e-3;

/* The hinge's wrench about the mass centre: the force at the pivot, and no torque across the axis,
 * since the bar is balanced. */
static ksWrench toldOf(const Turning *t, int step, const double x[3])
{
    ksWrench told = {{0}, {0}};
    meanForce(t, step, turnStep, told.force);
    for (int k = 0; k < 3; k++)
        told.force[k] *= t->factor;
    told.torque[2] = x[1] * told.force[0] - x[0] * told.force[1];
    return t->factor == 0 ? unknown : told;
}

static void recordTurning(const Turning *t)
{
    ksRecordedState state = barAt(angleAt(t, 0), t->rate);
    ksRecording *recording = recordBar(&state);
    for (int i = 0; i < TURNS; i++) {
        const double time = (i + 1) * turnStep;
        // a pure couple: I + m r^2 about the pivot
        const ksWrench drive = {{0}, {0, 0, (about + m * r * r) * t->acceleration}};
        const ksWrench told[1][2] = {{toldOf(t, i, state.position), unknown}};
        CHECK_OK(ksRecordingBeginStep(recording, turnStep, NULL, t->isTold ? &drive : NULL));
        state = barAt(angleAt(t, time), t->rate + t->acceleration * time);
        CHECK_OK(ksRecordingEndStep(recording, &state, told));
    }
    CHECK_OK(ksRecordingClose(recording));
}

static void checkForce(const ksReaction *reaction, ksValue value, const double expected[3], double tolerance)
{
    ksWrench found;
    CHECK_OK(ksReactionGetWrench(reaction, value, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &found));
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(found.force[k], expected[k], tolerance);
}

static void checkTurning(ksInspector *inspector, int step, void *user)
{
    Turning *t = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    const double time = step * turnStep, angle = angleAt(t, time), rate = t->rate + t->acceleration * time;
    const double inward = m * r * rate * rate, along = m * r * t->acceleration, weight = m * g;
    const double physical[3] = {-inward * cos(angle) - along * sin(angle), -inward * sin(angle) + along * cos(angle),
                                weight};
    double mean[3], bar = 0;
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), ksVerdictName(t->expected));
    ck_assert_uint_eq(reaction->reasons & (KS_REASON_MOTION | KS_REASON_REPORT), t->reasons);
    t->judged++;
    // an unrecorded load is missing in both
    if (t->reasons & KS_REASON_MOTION)
        return;
    for (int l = 0; l < reaction->rowCount; l++)
        bar += reaction->row[l].observedBar;
    meanForce(t, step, turnStep, mean);
    checkForce(reaction, KS_OBSERVED, mean, bar);
    ck_assert_double_lt(bar, 0.05 * (weight + inward));
    // a velocity of size 1 has its rounding, and so does its square
    checkForce(reaction, KS_PHYSICAL, physical, 1e-12 * (weight + inward + fabs(along)));
}

START_TEST(turning_bar)
{
    const Turning turning[] = {
        {2, 0, 0, false, KS_VALID, 0, 0},
        {2, 3, 0, true, KS_VALID, 0, 0},
        {2, 3, 0, false, KS_UNEXPLAINED, KS_REASON_MOTION, 0},
        {2, 3, 1, true, KS_VALID, 0, 0},
        {2, 3, 1.1, true, KS_UNEXPLAINED, KS_REASON_REPORT, 0},
    };
    Turning t = turning[_i];
    makeFolder();
    recordTurning(&t);
    judgeFile(in("bar.h5"), checkTurning, &t);
    ck_assert_int_eq(t.judged, TURNS);
    removeFolder();
}
END_TEST

/* --- In place, without a file --- */

/* A body hangs at rest from a ball at its centre: the ball's report is compared, and calls that
 * need an engine are refused. */
START_TEST(bracket_of_another_engine)
{
    const dWorldID world = dWorldCreate();
    const dBodyID body = dBodyCreate(world);
    const dJointID ball = dJointCreateBall(world, NULL);
    dJointFeedback feedback = {.f1 = {0}};
    ksInspector *inspector = inspect(world);
    ksRelaxation relaxation[KSI_MAX_ROWS];
    ksWrenchSum sum;
    ksNetWrench net = {.a = body};
    int count;
    dWorldSetGravity(world, 0, 0, -g);
    dJointAttach(ball, body, NULL);
    dJointSetBallAnchor(ball, 0, 0, 0);
    dJointSetFeedback(ball, &feedback);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(ksInspectorBeginStep(inspector, KS_FOREIGN_STEP, turnStep));
        // the body does not move; the other engine reports the ball's force rightly, or as half of
        // it
        dJointFeedback *told = dJointGetFeedback(ball);
        memset(told->f1, 0, sizeof told->f1);
        memset(told->t1, 0, sizeof told->t1);
        told->f1[2] = i ? g / 2 : g;
        CHECK_OK(ksInspectorEndStep(inspector));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, ball);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), i ? "KS_UNEXPLAINED" : "KS_VALID");
        ck_assert_double_eq(reaction->engine[0].force[2], i ? g / 2 : g);
        ck_assert_double_eq_tol(reaction->error, i ? 0.5 : 0, 1e-12);
        ck_assert_double_eq_tol(reaction->observed[0].force[2], g, 1e-12);
        // the host's own feedback has the force that explains the motion
        ck_assert_double_eq_tol(feedback.f1[2], g, 1e-12);
    }
    ck_assert(isnan(ksInspectorGetStepReport(inspector)->solverError));
    CHECK_STATUS(ksInspectorRelaxJoint(inspector, ball, KSI_MAX_ROWS, relaxation, &count), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksInspectorRecompute(inspector, &net, 1, 0.01, 10), KS_ERROR_UNAVAILABLE);
    const ksWrenchTerm term = {.joint = ball, .body = body};
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksInspectorSumWrenches(inspector, &term, 1, KS_CONVERGED, NULL, &sum), KS_ERROR_UNAVAILABLE);
    CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_PHYSICAL, NULL, &sum));
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("recording");
    tcase_add_loop_test(tcase, machines, 0, 2 * MACHINES);
    tcase_add_loop_test(tcase, reports_of_the_engine, 0, MACHINES);
    tcase_add_loop_test(tcase, turning_bar, 0, 5);
    tcase_add_test(tcase, bracket_of_another_engine);
    return runCase("recording", tcase);
}

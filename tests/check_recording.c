/* check_recording.c  Steps of other engines, recorded through the public writer and judged later: of ODE as a stranger who knows its
 * public getters alone, and of motions in closed form. */
#include "tests/trace_kit.h"

#include "demos/scenes_drift.h"
#include "plugin/report/archive.h"
#include "plugin/report/judge.h"

#include <kinetostat/recording.h>

#include <float.h>

/* --- A host that has ODE for its engine --- */

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

/* Getters give four numbers. */
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

enum { MOST_BODIES = 64, MOST_JOINTS = 64, MOST_STEPS = 200 };

/* What a live inspector has found. */
typedef struct Live {
    double engine[KSI_MAX_ROWS], physical[KSI_MAX_ROWS], physicalBar[KSI_MAX_ROWS], jacobian[KSI_MAX_ROWS][2][6];
    int determinate[KSI_MAX_ROWS], rowCount;
    double size; /* of the engine's force and torque */
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

/* Of the joints' reports, as the host may tell them; false: none. */
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

/* --- The judge --- */

typedef void EachStep(ksInspector *inspector, int step, void *user);

static void judgeFile(const char *path, EachStep *each, void *user)
{
    char words[KSI_ARCHIVE_WORDS];
    ksiArchive *archive = ksiArchiveOpen(path, words);
    ck_assert_msg(archive != NULL, "%s", words);
    ksReportOptions reportOptions;
    ksReport *report;
    ksiJudge *judge;
    ksiJudgeOptions options;
    size_t world;
    int step = 0;
    ksReportOptionsInit(&reportOptions);
    CHECK_OK(ksReportCreate(&reportOptions, &report));
    CHECK_OK(ksiReportAddWorld(report, NULL, &world));
    ksiJudgeOptionsInit(&options);
    CHECK_OK(ksiJudgeCreate(&options, report, world, &judge));
    for (size_t i = 0; i < ksiArchiveCount(archive); i++) {
        unsigned process;
        const ksiStepRecord *record;
        CHECK_OK(ksiArchiveRead(archive, i, &record, &process));
        ck_assert_ptr_nonnull(record);
        if (ksiIsEnd(record))
            continue;
        CHECK_OK(ksiJudgeStep(judge, record));
        each(ksiJudgeInspector(judge), step++, user);
    }
    ksiJudgeDestroy(judge);
    ksReportDestroy(report);
    ck_assert(ksiArchiveClose(archive));
}

typedef struct Compared {
    const Run *run;
    size_t rows, tight, verdict[KS_VALID + 1]; /* tight: the bar is below 1 % of the joint's load */
    double worstObserved, worstPhysical;       /* in bars */
    double mostObserved; /* difference of loads */
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
    found->mostObserved = fmax(found->mostObserved, observed / size);
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
        // the newest is first
        const Live *live = &run->live[step * run->scene->jointCount + run->scene->jointCount - 1 - (int)i];
        found->verdict[reaction[i].verdict]++;
        ck_assert_int_eq(reaction[i].rowCount, live->rowCount);
        ck_assert(isnan(reaction[i].converged[0].force[0]));
        for (int l = 0; l < live->rowCount; l++)
            compareRow(&reaction[i].row[l], live, l, found);
    }
}

static Scene *machine(int which)
{
    switch (which) {
    case 0:
        return sceneChain(6, SCENE_FALLING);
    case 1:
        return sceneFourbar(&sceneLinkage);
    case 2:
        return sceneRagdolls(1);
    default:
        return sceneTree(15);
    }
}

static void tryMachine(int which, ksStepper stepper, double h)
{
    Run run = {.scene = machine(which), .steps = 100};
    Compared found = {.run = &run};
    recordRun(&run, in("foreign.h5"), stepper, h, false);
    judgeFile(in("foreign.h5"), compareStep, &found);
    printf("machine %d stepper %d: rows %zu tight %zu observed %g bars (%g of load), physical %g bars; verdicts %zu %zu %zu %zu %zu %zu\n", which,
           (int)stepper, found.rows, found.tight, found.worstObserved, found.mostObserved, found.worstPhysical, found.verdict[0],
           found.verdict[1], found.verdict[2], found.verdict[3], found.verdict[4], found.verdict[5]);
    free(run.live);
    sceneDestroy(run.scene);
}

START_TEST(machines)
{
    makeFolder();
    tryMachine(_i / 2, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, stepSize);
    removeFolder();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recording");
    TCase *tcase = tcase_create("recording");
    tcase_add_loop_test(tcase, machines, 0, 8);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

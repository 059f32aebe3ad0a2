/* check_ode_stops.c  Motors at stops in recordings of ODE from outside: the engine does not report
 * their forces. */
#include "tests/kits/report/judge_kit.h"

#include "adapters/ode.h"
#include "demos/scenes/scenes_private.h"
#include "tests/kits/stopped_kit.h"

static const double h = 0.002;

enum { BOTH_BODIES, FIRST_BODY, SECOND_BODY, ATTACHMENTS };
enum { KINDS_WITH_STOPS = 8 /* the first ones of stoppedKinds */, DRIVES = 4, DRIVEN_STEPS = 100 };

/* With 20 iterations some joints drift so far apart that the bar of a step exceeds the tolerance. */
enum { ITERATIONS = 100 };

/* A link with a tip, on a joint with a motor on each axis; speed: its target, rad/s or m/s. The base
 * stands still. */
static Scene *drivenLink(const StoppedKind *kind, int attachment, double speed)
{
    static const double side[3] = {0.2, 0.14, 0.1}, at[3] = {0.2, 0, 0};
    Scene *scene = sceneCreate(3, 4);
    const dBodyID base = sceneAddBox(scene, 1, 0, 0, 0, side), link = sceneAddBox(scene, 1, 0.4, 0.1, 0, side);
    const dBodyID first = attachment == SECOND_BODY ? NULL : link;
    const dBodyID second = attachment == BOTH_BODIES ? base : attachment == SECOND_BODY ? link : NULL;
    sceneAddFixed(scene, base, NULL);
    sceneAddFixed(scene, sceneAddBox(scene, 0.5, 0.6, 0.1, 0.1, side), link);
    if (kind->create == dJointCreateAMotor)
        sceneAddBall(scene, link, attachment == BOTH_BODIES ? base : NULL, at);
    const dJointID joint = sceneAddJoint(scene, kind->create(scene->world, NULL), first, second);
    placeStopped(joint, at);
    for (int axis = 0; axis < kind->axes; axis++) {
        const int group = axis * dParamGroup2;
        kind->set(joint, dParamLoStop + group, -stopAt);
        kind->set(joint, dParamHiStop + group, stopAt);
        kind->set(joint, dParamVel + group, axis % 2 ? -speed : speed);
        kind->set(joint, dParamFMax + group, 3);
        kind->set(joint, dParamFudgeFactor + group, 0.5);
    }
    return scene;
}

static void explained(ksInspector *inspector, int step, void *user)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++)
        ck_assert_msg(reaction[i].verdict >= KS_INDETERMINATE, "%s, step %d: %s", (const char *)user, step,
                      ksVerdictName(reaction[i].verdict));
}

/* With the world as the first body, stops of PR, piston and AMotor joints correct a false error, and a
 * PU joint slides along a wrong axis (docs/engine.md). */
static int isFalseReversed(const StoppedKind *kind)
{
    return kind->create == dJointCreatePR || kind->create == dJointCreatePU || kind->create == dJointCreatePiston ||
           kind->create == dJointCreateAMotor;
}

START_TEST(motors_at_stops)
{
    static const double speed[DRIVES] = {0, 1, -1, 1};
    const StoppedKind *kind = &stoppedKinds[_i / (DRIVES * ATTACHMENTS)];
    const int attachment = _i / DRIVES % ATTACHMENTS;
    const int isUnlisted = _i % DRIVES == DRIVES - 1; /* the joint is not in the list of the recording */
    ksOde *adapter;
    // a hinge2 needs both bodies
    if ((attachment != BOTH_BODIES && kind->create == dJointCreateHinge2) ||
        (attachment == SECOND_BODY && isFalseReversed(kind)))
        return;
    Scene *scene = drivenLink(kind, attachment, speed[_i % DRIVES]);
    dWorldSetQuickStepNumIterations(scene->world, ITERATIONS);
    makeFolder();
    CHECK_OK(ksOdeCreate(scene->world, scene->body, scene->bodyCount, scene->joint, scene->jointCount - isUnlisted,
                         in("ode.h5"), &adapter));
    for (int i = 0; i < DRIVEN_STEPS; i++) {
        dBodyAddForce(scene->body[1], 40 * sin(0.05 * i), 30 * cos(0.07 * i), 40 * cos(0.03 * i));
        CHECK_OK(ksOdeBegin(adapter, h));
        ck_assert((i % 2 ? dWorldStep : dWorldQuickStep)(scene->world, h));
        CHECK_OK(ksOdeEnd(adapter));
    }
    CHECK_OK(ksOdeClose(adapter));
    judgeFile(in("ode.h5"), explained, (void *)kind->name);
    removeFolder();
    sceneDestroy(scene);
}
END_TEST

/* of the load: the loads explain the motion but for rows and torques that turn within the step, up
 * to .024 of it on each kind of joint */
static const double loadTolerance = 0.05;

static void loadsExplain(ksInspector *inspector, int step, void *user)
{
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    ck_assert_msg(report->momentumResidual <= loadTolerance, "%s, step %d: %g of the load is missing",
                  (const char *)user, step, report->momentumResidual);
}

/* Records a link on the joint of drivenLink alone, and checks that reports and motors explain its
 * motion. set: changes the joint first */
static void recordLoads(const StoppedKind *kind, int attachment, int iterations, void (*set)(dJointID joint))
{
    ksOde *adapter;
    Scene *scene = drivenLink(kind, attachment, 1);
    const dJointID joint = scene->joint[scene->jointCount - 1];
    set(joint);
    dWorldSetQuickStepNumIterations(scene->world, iterations);
    makeFolder();
    CHECK_OK(ksOdeCreate(scene->world, scene->body, scene->bodyCount, &joint, 1, in("ode.h5"), &adapter));
    for (int i = 0; i < DRIVEN_STEPS; i++) {
        dBodyAddForce(scene->body[1], 400 * sin(0.05 * i), 300 * cos(0.07 * i), 400 * cos(0.03 * i));
        CHECK_OK(ksOdeBegin(adapter, h));
        ck_assert(dWorldQuickStep(scene->world, h));
        CHECK_OK(ksOdeEnd(adapter));
    }
    CHECK_OK(ksOdeClose(adapter));
    judgeFile(in("ode.h5"), loadsExplain, (void *)kind->name);
    removeFolder();
    sceneDestroy(scene);
}

static const StoppedKind *kindNamed(const char *name)
{
    const StoppedKind *kind = stoppedKinds;
    while (strcmp(kind->name, name) != 0)
        kind++;
    return kind;
}

static void strengthen(dJointID joint)
{
    dJointSetPUParam(joint, dParamFMax3, 300);
}

/* With few iterations the anchors of a PU joint drift off its slide. */
START_TEST(drifted_slide)
{
    recordLoads(kindNamed("pu"), _i ? FIRST_BODY : BOTH_BODIES, 3, strengthen);
}
END_TEST

static void crossStops(dJointID joint)
{
    for (int axis = 0; axis < 3; axis++) {
        dJointSetAMotorParam(joint, dParamLoStop + axis * dParamGroup2, stopAt);
        dJointSetAMotorParam(joint, dParamHiStop + axis * dParamGroup2, axis < 2 ? -stopAt : stopAt);
    }
}

/* An AMotor whose low stop is above the high one is always at one of them; other joints ignore such
 * stops. With equal stops its motor rests. */
START_TEST(crossed_stops)
{
    recordLoads(kindNamed("amotor"), _i ? FIRST_BODY : BOTH_BODIES, 100, crossStops);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ode_stops");
    tcase_add_loop_test(tcase, motors_at_stops, 0, KINDS_WITH_STOPS * DRIVES * ATTACHMENTS);
    tcase_add_loop_test(tcase, drifted_slide, 0, 2);
    tcase_add_loop_test(tcase, crossed_stops, 0, 2);
    return runCase("ode_stops", tcase);
}

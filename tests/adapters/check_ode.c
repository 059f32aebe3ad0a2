/* check_ode.c  Verdicts on steps of ODE from outside, by its public functions alone, without its
 * rows. Physical values are then the same as with an inspector that reads the rows. */
#include "tests/kits/report/judge_kit.h"

#include "adapters/ode.h"
#include "demos/scenes/scenes_private.h"

enum { STEPS = 200, MOST_JOINTS = 24, MOST_ROWS = 6, FIRST_SEED = 1000 };

static const double h = 0.002;

/* of an entry of a row: the pose is the same to rounding */
static const double sameRow = 1e-9;

/* --- Machines --- */

/* Without stops: a live inspector has them as rows, the recording as loads. */
static Scene *freeRagdoll(void)
{
    Scene *scene = sceneFallingRagdolls(1, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    for (int i = 0; i < scene->jointCount; i++) {
        const dJointID joint = scene->joint[i];
        for (int side = 0; side < 2; side++) {
            const double stop = side ? dInfinity : -dInfinity;
            if (dJointGetType(joint) == dJointTypeHinge)
                dJointSetHingeParam(joint, side ? dParamHiStop : dParamLoStop, stop);
            if (dJointGetType(joint) == dJointTypeUniversal)
                dJointSetUniversalParam(joint, side ? dParamHiStop : dParamLoStop, stop);
            if (dJointGetType(joint) == dJointTypeUniversal)
                dJointSetUniversalParam(joint, side ? dParamHiStop2 : dParamLoStop2, stop);
        }
    }
    return scene;
}

/* Four wheels on hinges. A torque drives the rear wheels: a motor that never reaches its velocity.
 * An aerial on a universal joint with such motors, and a seat on a slider. hasLoad: also a load on
 * a soft hinge2 and an amotor, which a recording does not have as joints. An inspector solves them
 * as springs and motors; in the recording they are reported loads, so values differ. */
static Scene *rig(bool hasLoad)
{
    const double never = 1e4, y[3] = {0, 1, 0}, x[3] = {1, 0, 0}, cabin[3] = {1.2, 0.5, 0.2},
                 rod[3] = {0.05, 0.05, 0.6};
    Scene *scene = sceneCreateOnGround(9, 9, 0, &sceneSurface[SURFACE_APPROX1]);
    const dBodyID chassis = sceneAddSolidBox(scene, 40, 0, 0, 0.35, cabin);
    for (int i = 0; i < 4; i++) {
        const double at[3] = {i < 2 ? 0.5 : -0.5, i % 2 ? 0.4 : -0.4, 0.2};
        const dBodyID wheel = sceneAddSolidBall(scene, 4, 0.2, at[0], at[1], at[2]);
        const dJointID axle = sceneAddHinge(scene, i % 2 ? wheel : chassis, i % 2 ? chassis : wheel, at, y);
        dJointSetHingeParam(axle, dParamVel, i % 2 ? never : -never);
        dJointSetHingeParam(axle, dParamFMax, i < 2 ? 0 : 15);
    }
    const dBodyID aerial = sceneAddBox(scene, 2, 0, 0, 0.8, rod), seat = sceneAddBox(scene, 10, 0.3, 0, 0.6, rod);
    const dJointID foot = sceneAddUniversal(scene, aerial, chassis, (const double[3]){0, 0, 0.5}, x, y);
    dJointSetUniversalParam(foot, dParamVel, never);
    dJointSetUniversalParam(foot, dParamFMax, 2);
    dJointSetUniversalParam(foot, dParamVel2, -never);
    dJointSetUniversalParam(foot, dParamFMax2, 3);
    const dJointID rail = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), seat, chassis);
    dJointSetSliderAxis(rail, 0.6, 0, 0.8);
    dJointSetSliderParam(rail, dParamVel, never);
    dJointSetSliderParam(rail, dParamFMax, 80);
    if (!hasLoad)
        return scene;
    const dBodyID load = sceneAddBox(scene, 5, -0.3, 0, 0.6, rod);
    const dJointID soft = sceneAddJoint(scene, dJointCreateHinge2(scene->world, NULL), chassis, load);
    dJointSetHinge2Anchor(soft, -0.3, 0, 0.5);
    dJointSetHinge2Axes(soft, (const double[3]){0, 0, 1}, y);
    dJointSetHinge2Param(soft, dParamSuspensionCFM, 1e-4);
    dJointSetHinge2Param(soft, dParamSuspensionERP, 0.2);
    const dJointID turn = sceneAddJoint(scene, dJointCreateAMotor(scene->world, NULL), load, chassis);
    dJointSetAMotorNumAxes(turn, 1);
    dJointSetAMotorAxis(turn, 0, 0, 1, 0, 0);
    dJointSetAMotorParam(turn, dParamFMax, 4);
    return scene;
}

enum { CHAIN, FOURBAR, RAGDOLL, RIG, MACHINES };

static Scene *machine(int which)
{
    dRandSetSeed(FIRST_SEED);
    switch (which) {
    case CHAIN:
        return sceneChain(8, SCENE_FALLING);
    case FOURBAR:
        return sceneFourbar(&sceneLinkage);
    case RAGDOLL:
        return freeRagdoll();
    default:
        return rig(false);
    }
}

/* --- Values of a live inspector --- */

/* Of the permanent rows. */
typedef struct Live {
    double engine[MOST_ROWS], physical[MOST_ROWS], physicalBar[MOST_ROWS], jacobian[MOST_ROWS][2][6];
    int determinate[MOST_ROWS], rows;
} Live;

typedef struct Run {
    Scene *scene;
    Live live[STEPS][MOST_JOINTS];
    int told;                  /* joints of the recording, which come first */
    int rows, tight, contacts; /* tight: number of rows whose bar is below 1 % of the joint's largest multiplier */
    double observed, physical; /* largest error, in bars */
} Run;

static void keep(const ksReaction *reaction, Live *live)
{
    for (int l = 0; l < reaction->rowCount; l++) {
        const ksRow *row = &reaction->row[l];
        if (row->kind != KS_ROW_BILATERAL) {
            // the live inspector would not treat a motor that reaches its target as a load
            ck_assert(row->kind == KS_ROW_MOTOR && fabs(fabs(row->engine) - row->hi) < 1e-9 * row->hi);
            continue;
        }
        const int at = live->rows++;
        ck_assert_int_lt(at, MOST_ROWS);
        live->engine[at] = row->engine;
        live->physical[at] = row->physical;
        live->physicalBar[at] = row->physicalBar;
        live->determinate[at] = row->determinate;
        memcpy(live->jacobian[at], row->jacobian, sizeof row->jacobian);
    }
}

static void step(Scene *scene, ksStepper stepper)
{
    dRandSetSeed(FIRST_SEED + scene->step);
    ck_assert((stepper == KS_QUICK_STEP ? dWorldQuickStep : dWorldStep)(scene->world, h));
}

/* Two equal machines: one is inspected, the other one is recorded. */
static void recordBoth(Run *run, int which, ksStepper stepper)
{
    Scene *own = run->scene, *other = machine(which);
    ksInspector *inspector = inspect(own->world);
    ksOde *adapter;
    CHECK_OK(ksOdeCreate(other->world, other->body, other->bodyCount, other->joint, other->jointCount, in("ode.h5"),
                         &adapter));
    run->told = other->jointCount - ksOdeCountOthers(adapter);
    for (int i = 0; i < STEPS; i++) {
        dRandSetSeed(FIRST_SEED + own->step);
        push(own, i);
        sceneBeforeStep(own);
        CHECK_OK(inspectedStep(inspector, stepper, h));
        for (int k = 0; k < run->told; k++)
            keep(ksInspectorGetReaction(inspector, own->joint[k]), &run->live[i][k]);
        sceneAfterStep(own);
        push(other, i);
        sceneBeforeStep(other);
        CHECK_OK(ksOdeBegin(adapter, h));
        step(other, stepper);
        CHECK_OK(ksOdeEnd(adapter));
        run->contacts += other->contactCount;
        sceneAfterStep(other);
        ck_assert(sceneSameState(own, other));
    }
    CHECK_OK(ksOdeClose(adapter));
    ksInspectorDestroy(inspector);
    sceneDestroy(other);
}

/* --- Values without rows --- */

static void compareRow(const ksRow *row, const Live *live, int l, Run *run)
{
    double size = 0;
    for (int k = 0; k < 12; k++)
        ck_assert_double_eq_tol(row->jacobian[k / 6][k % 6], live->jacobian[l][k / 6][k % 6], sameRow);
    for (int k = 0; k < live->rows; k++)
        size = fmax(size, fabs(live->engine[k]));
    if (!row->determinate || !live->determinate[l])
        return;
    run->rows++;
    run->tight += row->observedBar < 0.01 * size;
    run->observed = fmax(run->observed, fabs(row->observed - live->engine[l]) / row->observedBar);
    run->physical =
        fmax(run->physical, fabs(row->physical - live->physical[l]) / (row->physicalBar + live->physicalBar[l]));
}

static void compareStep(ksInspector *inspector, int step, void *user)
{
    Run *run = user;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, (size_t)run->told);
    for (int i = 0; i < run->told; i++) {
        // reactions list the newest joint first
        const Live *live = &run->live[step][run->told - 1 - i];
        ck_assert_int_eq(reaction[i].rowCount, live->rows);
        ck_assert(reaction[i].verdict >= KS_INDETERMINATE || reaction[i].verdict == KS_UNCHECKED);
        for (int l = 0; l < live->rows; l++)
            compareRow(&reaction[i].row[l], live, l, run);
    }
}

/* Errors are within the bars, most of which are narrow enough to be useful. */
START_TEST(machines)
{
    const int which = _i % MACHINES;
    Run *run = calloc(1, sizeof *run);
    run->scene = machine(which);
    makeFolder();
    recordBoth(run, which, _i < MACHINES ? KS_WORLD_STEP : KS_QUICK_STEP);
    judgeFile(in("ode.h5"), compareStep, run);
    ck_assert_int_eq(run->told, run->scene->jointCount);
    ck_assert_int_ge(run->rows, STEPS * run->told);
    ck_assert_int_eq(run->contacts > 0, which >= RAGDOLL);
    ck_assert_double_le(run->observed, 1);
    ck_assert_double_le(run->physical, 1);
    ck_assert_int_gt(2 * run->tight, run->rows);
    removeFolder();
    sceneDestroy(run->scene);
    free(run);
}
END_TEST

/* --- Sleep, the host's feedback, and wrong calls --- */

static void atRest(ksInspector *inspector, int step, void *user)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_int_eq(step, 0);
    *(size_t *)user = count;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            ck_assert_double_eq_tol(reaction[i].observed[0].force[k], 0, sameRow);
            ck_assert(isnan(reaction[i].engine[0].force[k]));
        }
}

/* Of sleeping bodies a recording only shows that they do not move. */
START_TEST(sleepers)
{
    Scene *scene = sceneRagdolls(1);
    size_t count = 0;
    ksOde *adapter;
    for (int i = 0; i < scene->bodyCount; i++)
        dBodyDisable(scene->body[i]);
    makeFolder();
    CHECK_OK(ksOdeCreate(scene->world, scene->body, scene->bodyCount, scene->joint, scene->jointCount, in("ode.h5"),
                         &adapter));
    CHECK_OK(ksOdeBegin(adapter, h));
    step(scene, KS_WORLD_STEP);
    CHECK_OK(ksOdeEnd(adapter));
    CHECK_OK(ksOdeClose(adapter));
    judgeFile(in("ode.h5"), atRest, &count);
    ck_assert_uint_eq(count, (size_t)scene->jointCount);
    removeFolder();
    sceneDestroy(scene);
}
END_TEST

/* The host finds the same feedback as after a plain step. */
START_TEST(feedback)
{
    Scene *scene = rig(true), *plain = rig(true);
    dJointFeedback own[MOST_JOINTS], expected[MOST_JOINTS];
    ksOde *adapter;
    memset(own, 7, sizeof own);
    memset(expected, 7, sizeof expected);
    for (int i = 0; i < scene->jointCount; i++) {
        dJointSetFeedback(scene->joint[i], &own[i]);
        dJointSetFeedback(plain->joint[i], &expected[i]);
    }
    makeFolder();
    CHECK_OK(ksOdeCreate(scene->world, scene->body, scene->bodyCount, scene->joint, scene->jointCount, in("ode.h5"),
                         &adapter));
    ck_assert_int_eq(ksOdeCountOthers(adapter), 2);
    for (int i = 0; i < 2; i++) {
        step(plain, KS_WORLD_STEP);
        CHECK_OK(ksOdeBegin(adapter, h));
        step(scene, KS_WORLD_STEP);
        CHECK_OK(ksOdeEnd(adapter));
        ck_assert_mem_eq(own, expected, (size_t)scene->jointCount * sizeof *own);
    }
    // a step that is abandoned
    CHECK_OK(ksOdeBegin(adapter, h));
    CHECK_OK(ksOdeClose(adapter));
    for (int i = 0; i < scene->jointCount; i++)
        ck_assert_ptr_eq(dJointGetFeedback(scene->joint[i]), &own[i]);
    removeFolder();
    sceneDestroy(plain);
    sceneDestroy(scene);
}
END_TEST

/* --- Contacts that a host makes after the step has begun --- */

enum { POINTS = 24 };

/* A contact with the ground below a rod. */
static void touch(dWorldID world, dJointGroupID group, dBodyID body, ksOde *adapter)
{
    for (int i = 0; i < POINTS; i++) {
        dContact contact = {.surface = {.mode = dContactApprox1, .mu = 0.5},
                            .geom = {.pos = {0.4 + 0.02 * i, 0.05 * (i % 2), 0}, .normal = {0, 0, 1}, .depth = 1e-4}};
        const dJointID joint = dJointCreateContact(world, group, &contact);
        dJointAttach(joint, body, NULL);
        if (adapter)
            CHECK_OK(ksOdeAddContact(adapter, joint));
    }
}

/* The observed force in the hinge of a rod that lies on the ground. */
static void lieDown(bool isLate, double observed[3])
{
    const dWorldID world = dWorldCreate();
    const dJointGroupID group = dJointGroupCreate(0);
    dBodyID body = dBodyCreate(world);
    dJointID hinge = dJointCreateHinge(world, NULL);
    ksInspector *inspector;
    ksOde *adapter;
    dMass mass;
    dWorldSetGravity(world, 0, 0, -9.81);
    dMassSetBoxTotal(&mass, 3, 1, 0.1, 0.1);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 0.5, 0, 0.05);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAnchor(hinge, 0, 0, 0.05);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    CHECK_OK(ksOdeCreate(world, &body, 1, &hinge, 1, NULL, &adapter));
    CHECK_OK(ksRecordingInspect(ksOdeGetRecording(adapter), NULL, &inspector));
    for (int i = 0; i < 5; i++) {
        if (!isLate)
            touch(world, group, body, NULL);
        CHECK_OK(ksOdeBegin(adapter, h));
        if (isLate)
            touch(world, group, body, adapter);
        dWorldStep(world, h);
        CHECK_OK(ksOdeEnd(adapter));
        ck_assert_ptr_null(dJointGetFeedback(hinge));
        dJointGroupEmpty(group);
        const ksReaction *reaction =
            ksInspectorGetReaction(inspector, ksRecordingGetJoint(ksOdeGetRecording(adapter), 0));
        ck_assert_int_ne(reaction->verdict, KS_UNEXPLAINED);
        memcpy(observed, reaction->observed[0].force, 3 * sizeof *observed);
    }
    CHECK_OK(ksOdeClose(adapter));
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}

START_TEST(late_contacts)
{
    double early[3], late[3];
    lieDown(false, early);
    lieDown(true, late);
    ck_assert_mem_eq(early, late, sizeof early);
    // the ground bears a part of the weight, 29.43 N
    ck_assert_double_lt(fabs(late[2]), 29);
    ck_assert_double_gt(fabs(late[2]), 1);
}
END_TEST

static ksStatus create(const Scene *scene, int bodies, int joints, ksOde **adapter)
{
    return ksOdeCreate(scene->world, scene->body, bodies, scene->joint, joints, in("a.h5"), adapter);
}

START_TEST(calls)
{
    Scene *scene = sceneChain(2, SCENE_FALLING), *other = sceneChain(1, SCENE_FALLING);
    ksOde *adapter;
    makeFolder();
    CHECK_OK(ksOdeClose(NULL));
    CHECK_STATUS(ksOdeBegin(NULL, h), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksOdeEnd(NULL), KS_ERROR_BRACKET);
    ck_assert_int_eq(ksOdeCountOthers(NULL), 0);
    CHECK_STATUS(ksOdeCreate(NULL, scene->body, 2, scene->joint, 2, in("a.h5"), &adapter), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksOdeCreate(scene->world, scene->body, 2, NULL, 2, in("a.h5"), &adapter), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksOdeCreate(other->world, scene->body, 2, NULL, 0, in("a.h5"), &adapter), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksOdeCreate(scene->world, scene->body, 2, NULL, 0, in("none/a.h5"), &adapter), KS_ERROR_FILE);
    CHECK_STATUS(create(scene, 0, 0, &adapter), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(create(scene, 1, 2, &adapter), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksOdeCreate: a joint has a body that is not in the list");
    const dBodyID twice[] = {scene->body[0], scene->body[0]};
    CHECK_STATUS(ksOdeCreate(scene->world, twice, 2, NULL, 0, in("a.h5"), &adapter), KS_ERROR_BAD_ARGUMENT);
    dBodySetLinearDamping(scene->body[1], 0.1);
    CHECK_STATUS(create(scene, 2, 2, &adapter), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksOdeCreate: body 1 has damping");
    dBodySetLinearDamping(scene->body[1], 0);
    CHECK_OK(create(scene, 2, 2, &adapter));
    CHECK_STATUS(ksOdeEnd(adapter), KS_ERROR_BRACKET);
    CHECK_STATUS(ksOdeBegin(adapter, NAN), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksOdeAddContact(NULL, scene->joint[0]), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksOdeAddContact(adapter, NULL), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksOdeAddContact(adapter, scene->joint[0]), KS_ERROR_BRACKET);
    CHECK_OK(ksOdeBegin(adapter, h));
    CHECK_STATUS(ksOdeBegin(adapter, h), KS_ERROR_BRACKET);
    step(scene, KS_WORLD_STEP);
    CHECK_OK(ksOdeEnd(adapter));
    dJointDisable(scene->joint[1]);
    CHECK_STATUS(ksOdeBegin(adapter, h), KS_ERROR_BAD_ARGUMENT);
    dJointEnable(scene->joint[1]);
    dJointAttach(scene->joint[1], scene->body[1], NULL);
    CHECK_STATUS(ksOdeBegin(adapter, h), KS_ERROR_BAD_ARGUMENT);
    ck_assert_str_eq(ksErrorMessage(), "ksOdeBegin: joint 1 is disabled or holds other bodies");
    dJointAttach(scene->joint[1], scene->body[1], scene->body[0]);
    dBodySetMaxAngularSpeed(scene->body[1], 1e-6);
    CHECK_OK(ksOdeBegin(adapter, h));
    step(scene, KS_WORLD_STEP);
    CHECK_STATUS(ksOdeEnd(adapter), KS_ERROR_ENGINE);
    CHECK_OK(ksOdeClose(adapter));
    removeFolder();
    sceneDestroy(other);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("ode");
    tcase_add_loop_test(tcase, machines, 0, 2 * MACHINES);
    tcase_add_test(tcase, sleepers);
    tcase_add_test(tcase, feedback);
    tcase_add_test(tcase, late_contacts);
    tcase_add_test(tcase, calls);
    return runCase("ode", tcase);
}

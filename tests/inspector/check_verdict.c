/* check_verdict.c  A joint's verdict, its reasons, and the wrench that a host reads. */
#include "tests/kits/support.h"

static const double h = 0.001;
static const double exactTolerance = 1e-9; /* a few bodies, well conditioned */

/* contacts yield by their compliance, CFM 1e-10 over h: 1e-7 of the load of a unit mass */
static const double softTolerance = 1e-6;

static bool has(const ksReaction *reaction, unsigned reason)
{
    return reaction->reasons & reason;
}

/* Adds a force that is not in the step's equations, at a moment when the engine calls the host. */
static void shove(dBodyID body)
{
    const dReal *v = dBodyGetLinearVel(body);
    dBodySetLinearVel(body, v[0], v[1] + 0.01, v[2]);
}

START_TEST(velocity_changed_after_the_solve)
{
    Scene *scene = sceneChain(4, SCENE_FALLING);
    dBodySetMovedCallback(scene->body[3], shove);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *tip = ksInspectorGetReaction(inspector, scene->joint[3]);
    ck_assert_str_eq(ksVerdictName(tip->verdict), "KS_UNEXPLAINED");
    ck_assert(has(tip, KS_REASON_MOTION) && !has(tip, KS_REASON_REPORT));
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, scene->joint[0])->verdict), "KS_VALID");
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Scales one force of the report: the motion is right, the report is not. */
static dJointFeedback *spoiled;

static void spoil(dBodyID body)
{
    (void)body;
    for (int k = 0; k < 3; k++) {
        spoiled->f1[k] *= 1 + 1e-5;
        spoiled->t1[k] *= 1 + 1e-5;
        spoiled->f2[k] *= 1 + 1e-5;
        spoiled->t2[k] *= 1 + 1e-5;
    }
}

START_TEST(corrupted_report)
{
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 50; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    spoiled = dJointGetFeedback(scene->joint[2]);
    ck_assert(dWorldStep(scene->world, h));
    spoil(NULL);
    CHECK_OK(ksInspectorEndStep(inspector));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[2]);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_UNEXPLAINED");
    ck_assert(has(reaction, KS_REASON_REPORT) && !has(reaction, KS_REASON_MOTION));
    ck_assert_double_gt(ksInspectorGetStepReport(inspector)->momentumResidual,
                        1e-7);  // the effect of 1e-5 of one force
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, scene->joint[0])->verdict), "KS_VALID");
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Without converged values only the pose can decide between a velocity that was changed afterwards
 * and a false reported force. */
START_TEST(report_or_motion_without_values)
{
    Scene *scene = sceneChain(4, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    ksInspector *inspector = inspectWith(scene->world, &options);
    for (int changed = 0; changed < 2; changed++) {
        CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
        spoiled = dJointGetFeedback(scene->joint[3]);
        ck_assert(dWorldStep(scene->world, h));
        if (changed)
            shove(scene->body[3]);
        else
            spoil(NULL);
        CHECK_OK(ksInspectorEndStep(inspector));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[3]);
        ck_assert(has(reaction, KS_REASON_MOTION));
        ck_assert_int_eq(has(reaction, KS_REASON_REPORT), !changed);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

static void checkNotSolved(const ksInspector *inspector, dJointID joint, ksReasons reasons)
{
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_NOT_SOLVED");
    ck_assert_uint_eq(reaction->reasons, reasons);
}

START_TEST(asleep_disabled_and_empty)
{
    Scene *scene = sceneChain(3, SCENE_FALLING);
    dJointID empty = dJointCreateNull(scene->world, 0), loose = dJointCreateBall(scene->world, 0);
    dJointID idle = dJointCreateAMotor(scene->world, 0), driven = dJointCreateBall(scene->world, 0);
    dBodyID platform = dBodyCreate(scene->world);
    dBodySetKinematic(platform);
    dJointAttach(empty, scene->body[0], NULL);
    dJointAttach(idle, scene->body[2], NULL);
    dJointAttach(driven, platform, NULL);
    dJointDisable(scene->joint[1]);
    dBodyDisable(scene->body[0]);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    checkNotSolved(inspector, scene->joint[0], KS_REASON_ASLEEP);
    checkNotSolved(inspector, empty, KS_REASON_ASLEEP);
    checkNotSolved(inspector, scene->joint[1], KS_REASON_DISABLED);
    checkNotSolved(inspector, loose, KS_REASON_NO_ROWS);
    checkNotSolved(inspector, driven, KS_REASON_NO_ROWS);
    checkNotSolved(inspector, idle, KS_REASON_NO_ROWS);
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, scene->joint[2])->verdict), "KS_VALID");
    dJointDisable(scene->joint[0]);
    CHECK_OK(ksInspectorStep(inspector, h));
    checkNotSolved(inspector, scene->joint[0], KS_REASON_ASLEEP | KS_REASON_DISABLED);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The engine puts an idle body to sleep within a step, which then has no force of that body. */
START_TEST(falls_asleep_within_the_step)
{
    Scene *scene = sceneChain(1, SCENE_HANGING);
    ksInspectorOptions options = defaultOptions();
    options.latency = _i % 2 ? KS_NEXT_STEP : KS_SAME_STEP;
    ksInspector *inspector = inspectWith(scene->world, &options);
    dBodySetAutoDisableFlag(scene->body[0], 1);
    dBodySetAutoDisableSteps(scene->body[0], 3);
    dBodySetAutoDisableTime(scene->body[0], 0);
    for (int i = 0; i < 50 && dBodyIsEnabled(scene->body[0]); i++)
        CHECK_OK(_i / 2 ? ksInspectorExactStep(inspector, h) : ksInspectorStep(inspector, h));
    ck_assert(!dBodyIsEnabled(scene->body[0]));
    checkNotSolved(inspector, scene->joint[0], KS_REASON_ASLEEP);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The engine may abort on a body with a NaN: the body is named, and nothing moves. */
START_TEST(not_finite)
{
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    Scene *scene = sceneChain(2, SCENE_FALLING), *same = sceneChain(2, SCENE_FALLING);
    dBodyID sick = _i / 2 ? scene->body[1] : dBodyCreate(scene->world);
    dBodySetLinearVel(sick, NAN, 0, 0);
    dJointFeedback mine;
    memset(&mine, 0x5a, sizeof mine);
    const dJointFeedback before = mine;
    dJointSetFeedback(scene->joint[0], &mine);
    ksInspector *inspector = inspect(scene->world);
    CHECK_STATUS(inspectedStep(inspector, stepper, h), KS_ERROR_NOT_FINITE);
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    ck_assert_ptr_eq(report->culprit, sick);
    ck_assert_int_eq(report->stepped, 0);
    ck_assert_int_eq(report->inspected, 0);
    ck_assert_uint_eq(report->reactionCount, 0);
    ck_assert_ptr_null(ksInspectorGetReaction(inspector, scene->joint[0]));
    ck_assert_ptr_eq(dJointGetFeedback(scene->joint[0]), &mine);
    ck_assert_ptr_null(dJointGetFeedback(scene->joint[1]));
    ck_assert_mem_eq(&mine, &before, sizeof mine);
    dBodySetLinearVel(sick, 0, 0, 0);
    ck_assert(sceneSameState(scene, same));
    CHECK_OK(inspectedStep(inspector, stepper, h));
    report = ksInspectorGetStepReport(inspector);
    ck_assert_uint_eq(report->step, 0);  // no step came before
    ck_assert_ptr_null(report->culprit);
    ck_assert_uint_eq(report->verdictCount[KS_NOT_SOLVED] + report->verdictCount[KS_UNCHECKED], 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    sceneDestroy(same);
}
END_TEST

/* The engine forgets to clear a hinge's limit. With a motor, the stop is a row like any other, and
 * only this joint is affected. Without a motor, it is written behind the joint's rows: here
 * QuickStep produces a NaN for the whole island. */
START_TEST(stale_limit)
{
    for (int powered = 0; powered < 2; powered++) {
        Scene *scene = sceneChain(4, SCENE_FALLING);
        dJointDestroy(scene->joint[2]);  // which makes two islands
        dJointSetHingeParam(scene->joint[0], dParamHiStop, -0.1);
        dJointSetHingeParam(scene->joint[0], dParamLoStop, -0.3);
        ck_assert(dWorldStep(scene->world, h));
        dJointSetHingeParam(scene->joint[0], dParamHiStop, dInfinity);
        dJointSetHingeParam(scene->joint[0], dParamLoStop, -dInfinity);
        dJointSetHingeParam(scene->joint[0], dParamFMax, powered);
        ksInspector *inspector = inspect(scene->world);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        for (int i = 0; i < 4; i++) {
            if (i == 2)
                continue;
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[i]);
            ck_assert_int_eq(has(reaction, KS_REASON_STALE_LIMIT), i == 0 || (i == 1 && !powered));
        }
        ksInspectorDestroy(inspector);
        scene->jointCount = 0;
        sceneDestroy(scene);
    }
}
END_TEST

/* A motor with the same axis twice: the engine chooses how they share the torque; the sum is
 * determined. */
START_TEST(own_rows_depend)
{
    Scene *scene = sceneChain(1, SCENE_FALLING);
    dJointID motor = dJointCreateAMotor(scene->world, 0);
    dJointAttach(motor, scene->body[0], NULL);
    dJointSetAMotorNumAxes(motor, 2);
    for (int axis = 0; axis < 2; axis++) {
        dJointSetAMotorAxis(motor, axis, 0, 0, 1, 0);
        dJointSetAMotorParam(motor, dParamFMax + axis * dParamGroup2, 100);
    }
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, motor);
    ck_assert(has(reaction, KS_REASON_OWN_RANK));
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ck_assert_int_eq(reaction->freeCount, 0);
    ck_assert(isnan(reaction->row[0].engine) && !reaction->row[0].determinate);
    ck_assert_double_gt(fabs(reaction->engine[0].torque[1]), 0.1);  // the motor holds the bar up
    ck_assert_double_le(reaction->error, softTolerance);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Compliance above rigidCfm is a spring: its physical value is no rigid reaction, and the reasons
 * say so. */
START_TEST(soft_rows_are_named)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    dWorldSetCFM(scene->world, 1e-5);  // hinges read the world's CFM at each step
    ksInspectorOptions options = defaultOptions();
    options.rigidCfm = 1e-4;
    ksInspector *strict = inspect(scene->world), *lenient = inspectWith(scene->world, &options);
    CHECK_OK(ksInspectorStep(strict, h));
    CHECK_OK(ksInspectorStep(lenient, h));
    ck_assert(has(ksInspectorGetReaction(strict, scene->joint[0]), KS_REASON_SOFT));
    ck_assert(!has(ksInspectorGetReaction(lenient, scene->joint[0]), KS_REASON_SOFT));
    ksInspectorDestroy(strict);
    ksInspectorDestroy(lenient);
    sceneDestroy(scene);
}
END_TEST

/* Torques about a hinge's axis, moved from one joint of a body to another: momentum does not show
 * it, but a hinge has no such torque. */
START_TEST(report_outside_of_what_the_joint_can_do)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
    dJointFeedback *upper = dJointGetFeedback(scene->joint[0]), *lower = dJointGetFeedback(scene->joint[1]);
    ck_assert(dWorldStep(scene->world, h));
    const double moved = 0.1;
    upper->t1[1] += moved;
    if (dJointGetBody(scene->joint[1], 0) == scene->body[0])
        lower->t1[1] -= moved;
    else
        lower->t2[1] -= moved;
    CHECK_OK(ksInspectorEndStep(inspector));
    ck_assert_double_lt(ksInspectorGetStepReport(inspector)->momentumResidual, exactTolerance);
    for (int i = 0; i < 2; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[i]);
        ck_assert(has(reaction, KS_REASON_REPORT));
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_UNEXPLAINED");
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A joint of a body that is not finite is not read: the engine's own code for its rows could
 * abort. */
START_TEST(joint_of_a_body_that_is_not_finite)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    dBodySetPosition(scene->body[1], NAN, 0, 0);
    ksInspector *inspector = inspect(scene->world);
    CHECK_STATUS(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h), KS_ERROR_NOT_FINITE);
    CHECK_STATUS(ksInspectorEndStep(inspector), KS_ERROR_NOT_FINITE);
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
    ck_assert(has(reaction, KS_REASON_NOT_FINITE));
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_UNCHECKED");
    ck_assert_ptr_eq(ksInspectorGetStepReport(inspector)->culprit, scene->body[1]);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Two bodies drift without gravity: forces of rounding size are no solver error, and momentum
 * balances to rounding. */
START_TEST(nothing_but_rounding)
{
    ksStepper stepper = _i ? KS_QUICK_STEP : KS_WORLD_STEP;
    Scene *scene = sceneChain(2, SCENE_FALLING);
    dWorldSetGravity(scene->world, 0, 0, 0);
    dJointDestroy(scene->joint[0]);
    for (int i = 0; i < 2; i++)
        dBodySetLinearVel(scene->body[i], 1.1, 0.7, 0.3);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 200; i++) {
        CHECK_OK(inspectedStep(inspector, stepper, 0.01));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        ck_assert_double_le(ksInspectorGetStepReport(inspector)->momentumResidual, exactTolerance);
    }
    ksInspectorDestroy(inspector);
    scene->jointCount = 0;
    sceneDestroy(scene);
}
END_TEST

static void hang(dBodyID one, dBodyID two, double x)
{
    dJointID ball = dJointCreateBall(dBodyGetWorld(one), 0);
    dJointAttach(ball, one, two);
    dJointSetBallAnchor(ball, x, 0, 0);
}

/* A ball beside one that the gap of a joint pulls away: their contact carries thousands of newtons
 * in the first sweeps, and nothing at the end. The rounding of these forces must not count as
 * unexplained motion. */
START_TEST(carried_in_the_sweeps_alone)
{
    dWorldID world = heavyWorld();
    dBodyID near = addBall(world, 1, 0.1, 0, 0), far = addBall(world, 1, 0.1, -1, 0);
    dBodyID touched = addBall(world, 1, 0.1, 0.2, 0.05);
    hang(near, far, -0.5);
    hang(far, NULL, -2);
    dBodySetPosition(near, 0.3, 0, 0);
    dBodySetPosition(far, -0.7, 0, 0);
    dContact contact = {.geom = {.pos = {0.1}, .normal = {1}, .depth = 0.1}};
    dJointID joint = dJointCreateContact(world, 0, &contact);
    dJointAttach(joint, touched, near);
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorQuickStep(inspector, 0.001));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, joint);
    ck_assert_double_eq(reaction->row[0].engine, 0);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

START_TEST(first_step_without_history)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    dJointID cord = dJointCreateTransmission(scene->world, 0);
    (void)cord;  // an unattached joint is not solved, and does not disturb the others
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    // hinges have closed forms of their accelerations
    ck_assert(isfinite(reaction->physical[0].force[2]));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(one_joint_alone)
{
    Scene *scene = sceneChain(6, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    options.values = 0;
    ksInspector *full = inspect(scene->world), *inspector = inspectWith(scene->world, &options);
    for (int i = 0; i < 20; i++) {
        // both inspect the same step: brackets nest
        CHECK_OK(ksInspectorBeginStep(full, KS_WORLD_STEP, h));
        CHECK_OK(ksInspectorBeginStep(inspector, KS_WORLD_STEP, h));
        ck_assert(dWorldStep(scene->world, h));
        CHECK_OK(ksInspectorEndStep(inspector));
        CHECK_OK(ksInspectorEndStep(full));
    }
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[2]);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_UNCHECKED");
    ck_assert(has(reaction, KS_REASON_NOT_ASKED));
    ksRelaxation relaxation[6];
    int count;
    CHECK_STATUS(ksInspectorRelaxJoint(inspector, scene->joint[2], 4, relaxation, &count), KS_ERROR_BAD_ARGUMENT);
    CHECK_OK(ksInspectorRelaxJoint(inspector, scene->joint[2], 6, relaxation, &count));
    ck_assert_int_eq(count, 5);
    const ksReaction *same = ksInspectorGetReaction(full, scene->joint[2]);
    for (int l = 0; l < count; l++) {
        ck_assert_double_eq_tol(relaxation[l].multiplier, same->row[l].paulus, exactTolerance * SCENE_GRAVITY);
        ck_assert_double_eq_tol(relaxation[l].rho / relaxation[l].derivative, relaxation[l].multiplier,
                                exactTolerance * SCENE_GRAVITY);
    }
    // meanwhile the other inspector has replaced the system's equations by the physical ones
    CHECK_OK(ksInspectorRelaxJoint(full, scene->joint[2], 6, relaxation, &count));
    ck_assert_double_eq_tol(relaxation[0].multiplier, same->row[0].paulus, exactTolerance * SCENE_GRAVITY);
    ksInspectorDestroy(inspector);
    ksInspectorDestroy(full);
    sceneDestroy(scene);
}
END_TEST

/* A swinging plate: frames and points of its wrench, also for a copy whose joint is gone. */
START_TEST(wrench_frames)
{
    Scene *scene = scenePendulum(&scenePlate);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 0; i < 100; i++)
        CHECK_OK(ksInspectorStep(inspector, h));
    ksReaction copy = *ksInspectorGetReaction(inspector, scene->joint[0]);
    dJointDestroy(scene->joint[0]);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);

    ksWrench world, body, joint, anchor, other;
    CHECK_OK(ksReactionGetWrench(&copy, KS_ENGINE, 0, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &world));
    ck_assert_mem_eq(&world, &copy.engine[0], sizeof world);
    CHECK_OK(ksReactionGetWrench(&copy, KS_CONVERGED, 0, KS_FRAME_BODY, KS_POINT_MASS_CENTRE, &body));
    ck_assert_double_eq_tol(length3(body.force), length3(world.force), exactTolerance * length3(world.force));
    for (int i = 0; i < 3; i++) {
        double turned = 0;
        for (int k = 0; k < 3; k++)
            turned += copy.rotation[0][3 * i + k] * body.force[k];
        ck_assert_double_eq_tol(turned, copy.converged[0].force[i], exactTolerance * length3(world.force));
    }
    // a free hinge has no torque about its axis, x of its frame
    CHECK_OK(ksReactionGetWrench(&copy, KS_PHYSICAL, 0, KS_FRAME_JOINT, KS_POINT_ANCHOR, &joint));
    ck_assert_double_eq_tol(joint.torque[0], 0, exactTolerance * length3(world.force));
    CHECK_OK(ksReactionGetWrench(&copy, KS_PHYSICAL, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &anchor));
    CHECK_OK(ksReactionGetWrench(&copy, KS_PHYSICAL, 1, KS_FRAME_WORLD, KS_POINT_ANCHOR, &other));
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(other.force[k], -anchor.force[k], exactTolerance * length3(world.force));
        ck_assert_double_eq_tol(other.torque[k], -anchor.torque[k], exactTolerance * length3(world.force));
    }

    ksWrench untouched = other;
    CHECK_STATUS(ksReactionGetWrench(&copy, KS_PHYSICAL, 1, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &other),
                 KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksReactionGetWrench(&copy, KS_PHYSICAL, 2, KS_FRAME_WORLD, KS_POINT_ANCHOR, &other),
                 KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReactionGetWrench(NULL, KS_PHYSICAL, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &other),
                 KS_ERROR_BAD_ARGUMENT);
    copy.anchor[0][0] = NAN;
    CHECK_STATUS(ksReactionGetWrench(&copy, KS_PHYSICAL, 0, KS_FRAME_WORLD, KS_POINT_ANCHOR, &other),
                 KS_ERROR_NO_ANCHOR);
    copy.physical[0].force[0] = NAN;
    CHECK_STATUS(ksReactionGetWrench(&copy, KS_PHYSICAL, 0, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &other),
                 KS_ERROR_UNAVAILABLE);
    ck_assert_mem_eq(&untouched, &other, sizeof other);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("verdict");
    tcase_add_test(test, velocity_changed_after_the_solve);
    tcase_add_test(test, corrupted_report);
    tcase_add_test(test, report_or_motion_without_values);
    tcase_add_test(test, asleep_disabled_and_empty);
    tcase_add_loop_test(test, falls_asleep_within_the_step, 0, 4);
    tcase_add_loop_test(test, not_finite, 0, 4);
    tcase_add_test(test, report_outside_of_what_the_joint_can_do);
    tcase_add_test(test, joint_of_a_body_that_is_not_finite);
    tcase_add_loop_test(test, nothing_but_rounding, 0, 2);
    tcase_add_test(test, own_rows_depend);
    tcase_add_test(test, stale_limit);
    tcase_add_test(test, soft_rows_are_named);
    tcase_add_test(test, carried_in_the_sweeps_alone);
    tcase_add_test(test, first_step_without_history);
    tcase_add_test(test, one_joint_alone);
    tcase_add_test(test, wrench_frames);
    return runCase("verdict", test);
}

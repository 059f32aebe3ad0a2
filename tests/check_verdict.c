/* check_verdict.c  What is believed of a joint, why not, and the wrench that a host reads. */
#include "support.h"

#include <stdarg.h>

static const double h = 0.001;
static const double exactTolerance = 1e-9; /* a few bodies, well conditioned */

/* contacts give way by their compliance, CFM 1e-10 over h: 1e-7 of what a unit mass carries */
static const double softTolerance = 1e-6;

static void quiet(int number, const char *format, va_list arguments)
{
    (void)number;
    (void)format;
    (void)arguments;
}

static bool has(const ksReaction *reaction, unsigned reason)
{
    return reaction->reasons & reason;
}

/* A force that the equations of the step do not hold, put in where the engine lets a host do so unseen. */
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

/* Somebody scales one force of the report: the motion is fine, the report is not. */
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
    ck_assert_double_gt(ksInspectorGetStepReport(inspector)->momentumResidual, 1e-7);  // of 1e-5 of one force
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, scene->joint[0])->verdict), "KS_VALID");
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(asleep_disabled_and_empty)
{
    Scene *scene = sceneChain(3, SCENE_FALLING);
    dJointID empty = dJointCreateNull(scene->world, 0), loose = dJointCreateBall(scene->world, 0);
    dJointAttach(empty, scene->body[0], NULL);
    dJointDisable(scene->joint[1]);
    dBodyDisable(scene->body[0]);
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const dJointID unsolved[] = {empty, loose, scene->joint[1], scene->joint[0]};
    for (int i = 0; i < 4; i++)
        ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, unsolved[i])->verdict), "KS_NOT_SOLVED");
    ck_assert_str_eq(ksVerdictName(ksInspectorGetReaction(inspector, scene->joint[2])->verdict), "KS_VALID");
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(over_the_budget)
{
    Scene *scene = sceneChain(3, SCENE_FALLING);
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.islandRowBudget = 14;
    ksInspector *inspector;
    CHECK_OK(ksInspectorCreate(scene->world, &options, &inspector));
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_UNCHECKED");
    ck_assert(has(reaction, KS_REASON_BUDGET));
    ck_assert(isnan(reaction->converged[0].force[0]) && isnan(reaction->error));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A NaN in a body is named and stays where it is. */
START_TEST(not_finite)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    dBodyID free = dBodyCreate(scene->world);
    dBodySetLinearVel(free, NAN, 0, 0);
    ksInspector *inspector = inspect(scene->world);
    CHECK_STATUS(ksInspectorStep(inspector, h), KS_ERROR_NOT_FINITE);
    const ksStepReport *report = ksInspectorGetStepReport(inspector);
    ck_assert_ptr_eq(report->culprit, free);
    ck_assert_int_eq(report->stepped, 1);
    ck_assert_int_eq(report->inspected, 0);
    ck_assert_uint_eq(report->verdictCount[KS_VALID], 2);
    dBodySetLinearVel(free, 0, 0, 0);
    dBodySetPosition(free, 9, 9, 9);
    CHECK_OK(ksInspectorStep(inspector, h));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A hinge held at its stop by gravity: one row at a bound or inside, certified by complementarity. */
START_TEST(stop_is_certified)
{
    ksStepper stepper = _i ? KS_QUICK_STEP : KS_WORLD_STEP;
    Scene *scene = sceneChain(1, SCENE_FALLING);
    dJointSetHingeParam(scene->joint[0], dParamHiStop, 0);
    dJointSetHingeParam(scene->joint[0], dParamLoStop, 0 - 1e-3);
    dJointSetHingeParam(scene->joint[0], dParamHiStop, 1e-3);
    ksInspector *inspector = inspect(scene->world);
    dWorldSetQuickStepNumIterations(scene->world, 2000);
    int inside = 0;
    for (int i = 0; i < 200; i++) {
        CHECK_OK(inspectedStep(inspector, stepper, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        for (int l = 0; l < reaction->rowCount; l++)
            inside += reaction->row[l].kind == KS_ROW_STOP && reaction->row[l].place == KS_INSIDE;
    }
    ck_assert_int_gt(inside, 100);
    // the stop carries the weight's moment about the hinge: m g l/2 with half of 0.2 m
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    double moment = 1 * SCENE_GRAVITY * 0.1;
    ck_assert_double_eq_tol(fabs(reaction->row[5].physical), moment, 1e-3 * moment);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Compliance above rigidCfm is a spring: its physical value is no rigid reaction, and says so. */
START_TEST(soft_rows_are_named)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    dWorldSetCFM(scene->world, 1e-5);  // hinges take it from the world at each step
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    ksInspector *strict = inspect(scene->world), *lenient;
    options.rigidCfm = 1e-4;
    CHECK_OK(ksInspectorCreate(scene->world, &options, &lenient));
    CHECK_OK(ksInspectorStep(strict, h));
    CHECK_OK(ksInspectorStep(lenient, h));
    ck_assert(has(ksInspectorGetReaction(strict, scene->joint[0]), KS_REASON_SOFT));
    ck_assert(!has(ksInspectorGetReaction(lenient, scene->joint[0]), KS_REASON_SOFT));
    ksInspectorDestroy(strict);
    ksInspectorDestroy(lenient);
    sceneDestroy(scene);
}
END_TEST

/* A ball on a ball on the ground. In the first step dWorldStep's own solver gives up ("LCP internal error") and reports
 * nothing; the inspector knows what the contacts should carry. */
START_TEST(engine_gives_up)
{
    dSetMessageHandler(quiet);
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 0.5);
    dBodyID ball[2];
    dJointID contact[2];
    for (int i = 0; i < 2; i++) {
        ball[i] = dBodyCreate(world);
        dBodySetMass(ball[i], &mass);
        dBodySetPosition(ball[i], 0, 0, 0.5 + i);
        dContact at = {.geom = {.pos = {0, 0, i}, .normal = {0, 0, 1}}};
        contact[i] = dJointCreateContact(world, 0, &at);
        dJointAttach(contact[i], ball[i], i ? ball[0] : NULL);
    }
    ksInspector *inspector = inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    for (int i = 0; i < 2; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, contact[i]);
        ck_assert(reaction->engine[0].force[2] == 0);  // the case that this is about
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_SOLVER_ERROR");
        double carried = (2 - i) * SCENE_GRAVITY;
        ck_assert_double_eq_tol(reaction->converged[0].force[2], carried, softTolerance * carried);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dSetMessageHandler(0);
}
END_TEST

/* A box pushed along a plane by more than friction holds, and by less: the bound is mu times the weight. */
START_TEST(friction_is_certified)
{
    ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    const double mu = 0.5, push = (_i / 2 ? 0.8 : 0.2) * SCENE_GRAVITY;
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    dWorldSetQuickStepNumIterations(world, 3000);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 1, 1, 0.2);
    dBodyID box = dBodyCreate(world);
    dBodySetMass(box, &mass);
    dBodySetPosition(box, 0, 0, 0.1);
    dJointGroupID group = dJointGroupCreate(0);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 20; i++) {
        const dReal *x = dBodyGetPosition(box);
        for (int corner = 0; corner < 4; corner++) {
            dContact at = {
                .surface = {.mode = dContactApprox1, .mu = mu},
                .geom = {.pos = {x[0] + (corner % 2 - 0.5), x[1] + (corner / 2 - 0.5), 0}, .normal = {0, 0, 1}}};
            dJointAttach(dJointCreateContact(world, group, &at), box, NULL);
        }
        dBodyAddForceAtPos(box, push, 0, 0, x[0], x[1], 0);  // at the ground: it does not tip
        CHECK_OK(inspectedStep(inspector, stepper, h));
        size_t count;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        double sum[3] = {0};
        for (size_t j = 0; j < count; j++) {
            ck_assert_int_ne(reaction[j].verdict, KS_VALID);  // four contacts share the load
            ck_assert_int_ne(reaction[j].verdict, KS_UNCHECKED);
            for (int k = 0; k < 3; k++)
                sum[k] += reaction[j].converged[0].force[k];
        }
        double friction = fmin(push, mu * SCENE_GRAVITY);
        ck_assert_double_eq_tol(sum[0], -friction, softTolerance * SCENE_GRAVITY);
        ck_assert_double_eq_tol(sum[2], SCENE_GRAVITY, softTolerance * SCENE_GRAVITY);
        dJointGroupEmpty(group);
    }
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}
END_TEST

/* The force that the engine adds by itself where a motor drives against its stop is in no report. */
START_TEST(fudge_is_known)
{
    Scene *scene = sceneChain(1, SCENE_FALLING);
    dJointSetHingeParam(scene->joint[0], dParamHiStop, 0.5);
    dJointSetHingeParam(scene->joint[0], dParamLoStop, 1e-6);  // just past it: at the stop from the first step on
    dJointSetHingeParam(scene->joint[0], dParamFMax, 3);
    dJointSetHingeParam(scene->joint[0], dParamVel, -1);  // into it
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    ck_assert_int_eq(reaction->row[5].kind, KS_ROW_STOP);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ck_assert_double_le(reaction->error, 1e-6);  // the stop's CFM over h
    // against the motor's 3 N.m and without the weight's 0.981 N.m, or with it, by the sense of the axis
    ck_assert_double_gt(fabs(reaction->row[5].paulus), 1.5);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* An idle body that its island keeps awake is stopped before the step: its velocity is not the one that was read. */
START_TEST(idle_body_is_reset)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    dBodySetAutoDisableLinearThreshold(scene->body[0], 10);
    dBodySetAutoDisableAngularThreshold(scene->body[0], 100);
    dBodySetAutoDisableSteps(scene->body[0], 3);
    dBodySetAutoDisableTime(scene->body[0], 0);
    dBodySetAutoDisableAverageSamplesCount(scene->body[0], 1);
    dBodySetAutoDisableFlag(scene->body[0], 1);
    ksInspector *inspector = inspect(scene->world);
    int reset = 0;
    for (int i = 0; i < 20; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        ck_assert(!has(reaction, KS_REASON_MOTION | KS_REASON_REPORT));
        reset += has(reaction, KS_REASON_RESET);
    }
    ck_assert_int_gt(reset, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Torques about a hinge's axis, moved from one joint of a body to another: momentum cannot see it, but no hinge does it. */
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

/* A rod that slides on its foot: friction changes the normal force, but not dWorldStep's bound. */
START_TEST(friction_bound_of_the_first_stage)
{
    ksStepper stepper = _i ? KS_QUICK_STEP : KS_WORLD_STEP;
    const double mu = 0.4;
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    dWorldSetQuickStepNumIterations(world, 3000);
    dBodyID rod = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 0.05, 0.05, 1);
    dBodySetMass(rod, &mass);
    dMatrix3 lean;
    dRFromAxisAndAngle(lean, 0, 1, 0, 0.6);
    dBodySetRotation(rod, lean);
    dBodySetPosition(rod, 0.5 * sin(0.6), 0, 0.5 * cos(0.6));
    dBodySetLinearVel(rod, -3, 0, 0);
    dContact foot = {.surface = {.mode = dContactApprox1, .mu = mu}, .geom = {.normal = {0, 0, 1}}};
    dJointID contact = dJointCreateContact(world, 0, &foot);
    dJointAttach(contact, rod, NULL);
    ksInspector *inspector = inspect(world);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, contact);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ck_assert_double_le(reaction->error, softTolerance);
    // the sliding row, and how far its bound is from mu times the final normal force
    double slide = 0;
    for (int l = 1; l < reaction->rowCount; l++)
        slide = fmax(slide, fabs(reaction->row[l].paulus));
    double ratio = slide / (mu * reaction->row[0].paulus);
    if (stepper == KS_WORLD_STEP)
        ck_assert_double_gt(fabs(ratio - 1), 0.1);
    else
        ck_assert_double_eq_tol(ratio, 1, softTolerance);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A joint of a body that is not finite is not even read: the engine's own row code may abort on it. */
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

/* Friction without a bound, beside friction with one: the engine solves neither with the frictionless first stage. */
START_TEST(infinite_friction)
{
    ksStepper stepper = _i ? KS_QUICK_STEP : KS_WORLD_STEP;
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    dWorldSetQuickStepNumIterations(world, 3000);
    dMass mass;
    dMassSetBoxTotal(&mass, 1, 1, 1, 0.5);
    dBodyID box = dBodyCreate(world);
    dBodySetMass(box, &mass);
    dBodySetPosition(box, 0, 0, 0.25);
    dBodySetLinearVel(box, 1, 0, 0);
    dJointID contact[2];
    for (int i = 0; i < 2; i++) {
        dContact at = {.surface = {.mode = dContactApprox1, .mu = i ? dInfinity : 0.1},
                       .geom = {.pos = {i - 0.5, 0, 0}, .normal = {0, 0, 1}}};
        contact[i] = dJointCreateContact(world, 0, &at);
        dJointAttach(contact[i], box, NULL);
    }
    ksInspector *inspector = inspect(world);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    for (int i = 0; i < 2; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, contact[i]);
        ck_assert_int_ge(reaction->verdict, KS_INDETERMINATE);
        ck_assert(!(reaction->error > softTolerance));
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* A weak motor beside a huge load: at its bound, however small that is beside the load. */
START_TEST(small_bound_beside_a_large_load)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    const double most = 1e-7;
    dJointSetHingeParam(scene->joint[1], dParamFMax, most);
    dJointSetHingeParam(scene->joint[1], dParamVel, 1e-9);
    dBodyAddForce(scene->body[0], 0, 1e6, 0);  // along the axis: it moves nothing
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[1]);
    const ksRow *motor = &reaction->row[5];
    ck_assert_int_eq(motor->kind, KS_ROW_MOTOR);
    ck_assert_double_le(fabs(motor->paulus), most);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The engine stops an idle kinematic body too; what hangs on it is solved with the lift at rest. */
START_TEST(idle_kinematic_body_is_reset)
{
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -SCENE_GRAVITY);
    dMass mass;
    dMassSetSphereTotal(&mass, 1, 0.1);
    dBodyID lift = dBodyCreate(world), load = dBodyCreate(world);
    dBodySetKinematic(lift);
    dBodySetLinearVel(lift, 0, 0, 0.2);
    dBodySetAutoDisableLinearThreshold(lift, 1);
    dBodySetAutoDisableAngularThreshold(lift, 1);
    dBodySetAutoDisableSteps(lift, 3);
    dBodySetAutoDisableTime(lift, 0);
    dBodySetAutoDisableAverageSamplesCount(lift, 1);
    dBodySetAutoDisableFlag(lift, 1);
    dBodySetMass(load, &mass);
    dBodySetLinearVel(load, 0, 0, 0.2);
    dJointID ball = dJointCreateBall(world, 0);
    dJointAttach(ball, load, lift);
    dJointSetBallAnchor(ball, 0, 0, 0);
    ksInspector *inspector = inspect(world);
    unsigned reasons = 0;
    for (int i = 0; i < 15; i++) {
        CHECK_OK(ksInspectorStep(inspector, 0.01));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, ball);
        ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
        ck_assert_double_le(reaction->error, softTolerance);
        reasons |= reaction->reasons;
    }
    ck_assert(reasons & KS_REASON_RESET);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Two bodies drifting without gravity: forces of rounding size are no solver error, and momentum is no worse than it is. */
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

START_TEST(first_step_without_history)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    dJointID cord = dJointCreateTransmission(scene->world, 0);
    (void)cord;  // unattached: not solved, and it spoils nothing
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    // hinges have their accelerations in closed form
    ck_assert(isfinite(reaction->physical[0].force[2]));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(one_joint_alone)
{
    Scene *scene = sceneChain(6, SCENE_FALLING);
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    ksInspector *full = inspect(scene->world), *inspector;
    options.values = 0;
    CHECK_OK(ksInspectorCreate(scene->world, &options, &inspector));
    for (int i = 0; i < 20; i++) {
        // both look at the same step: brackets nest
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
    // the other inspector has replaced the system's equations by the physical ones meanwhile
    CHECK_OK(ksInspectorRelaxJoint(full, scene->joint[2], 6, relaxation, &count));
    ck_assert_double_eq_tol(relaxation[0].multiplier, same->row[0].paulus, exactTolerance * SCENE_GRAVITY);
    ksInspectorDestroy(inspector);
    ksInspectorDestroy(full);
    sceneDestroy(scene);
}
END_TEST

/* A swinging plate: frames and points of its wrench, also of a copy whose joint is dead. */
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
    // a free hinge passes no torque about its axis, x of its frame
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
    Suite *suite = suite_create("verdict");
    TCase *test = tcase_create("verdict");
    tcase_add_test(test, velocity_changed_after_the_solve);
    tcase_add_test(test, corrupted_report);
    tcase_add_test(test, asleep_disabled_and_empty);
    tcase_add_test(test, over_the_budget);
    tcase_add_test(test, not_finite);
    tcase_add_loop_test(test, stop_is_certified, 0, 2);
    tcase_add_test(test, engine_gives_up);
    tcase_add_loop_test(test, friction_is_certified, 0, 4);
    tcase_add_test(test, fudge_is_known);
    tcase_add_test(test, idle_body_is_reset);
    tcase_add_test(test, report_outside_of_what_the_joint_can_do);
    tcase_add_loop_test(test, friction_bound_of_the_first_stage, 0, 2);
    tcase_add_test(test, joint_of_a_body_that_is_not_finite);
    tcase_add_loop_test(test, infinite_friction, 0, 2);
    tcase_add_test(test, small_bound_beside_a_large_load);
    tcase_add_test(test, idle_kinematic_body_is_reset);
    tcase_add_loop_test(test, nothing_but_rounding, 0, 2);
    tcase_add_test(test, soft_rows_are_named);
    tcase_add_test(test, first_step_without_history);
    tcase_add_test(test, one_joint_alone);
    tcase_add_test(test, wrench_frames);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

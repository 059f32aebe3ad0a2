/* check_bounds.c  Rows at bounds: stops, motors, contacts and friction, in steps of either
 * stepper. */
#include "tests/kits/support.h"

#include <stdarg.h>

static const double h = 0.001;
/* contacts yield by their compliance, CFM 1e-10 over h: 1e-7 of the load of a unit mass */
static const double softTolerance = 1e-6;

static void quiet(int number, const char *format, va_list arguments)
{
    (void)number;
    (void)format;
    (void)arguments;
}

/* A hinge held at its stop by gravity: one row at a bound or inside, certified by
 * complementarity. */
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
    // the stop carries the weight's moment about the hinge: m g l/2 with l/2 = 0.1 m
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    double moment = 1 * SCENE_GRAVITY * 0.1;
    ck_assert_double_eq_tol(fabs(reaction->row[5].physical), moment, 1e-3 * moment);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A ball on a ball on the ground. In the first step dWorldStep's own solver gives up ("LCP internal
 * error") and reports nothing. With contacts solved, the inspector finds their forces. With
 * contacts as reported, the upper ball's report is right for two balls that fall together, and the
 * estimates of both balls are not zero. */
START_TEST(engine_gives_up)
{
    const bool isSolved = _i;
    dSetMessageHandler(quiet);
    dWorldID world = heavyWorld();
    dBodyID ball[2];
    dJointID contact[2];
    for (int i = 0; i < 2; i++) {
        ball[i] = addBall(world, 1, 0.5, 0, 0.5 + i);
        dContact at = {.geom = {.pos = {0, 0, (dReal)i}, .normal = {0, 0, 1}}};
        contact[i] = addContact(world, 0, &at, ball[i], i ? ball[0] : NULL);
    }
    ksInspectorOptions options = defaultOptions();
    options.contacts = isSolved ? KS_CONTACTS_SOLVED : KS_CONTACTS_REPORTED;
    options.estimateSweeps = 40;
    ksInspector *inspector = inspectWith(world, &options);
    CHECK_OK(ksInspectorStep(inspector, h));
    for (int i = 0; i < 2; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, contact[i]);
        ck_assert(reaction->engine[0].force[2] == 0);  // the case under test
        const bool isWrong = isSolved || i == 0;
        ck_assert_str_eq(ksVerdictName(reaction->verdict), isWrong ? "KS_SOLVER_ERROR" : "KS_VALID");
        ck_assert_double_eq_tol(reaction->error, isWrong, softTolerance);
        if (!isSolved)
            ck_assert_double_eq_tol(reaction->netError[0], 1, 1e-2);
        const double carried = isSolved ? (2 - i) * SCENE_GRAVITY : 0;
        ck_assert_double_eq_tol(reaction->converged[0].force[2], carried, softTolerance * 2 * SCENE_GRAVITY);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dSetMessageHandler(0);
}
END_TEST

/* A box on a box, on their corners: dWorldStep reports nothing there, and zero may be right for any
 * single corner. For all four together zero is wrong. */
START_TEST(engine_gives_up_a_sum)
{
    const bool isSolved = _i;
    dSetMessageHandler(quiet);
    dWorldID world = heavyWorld();
    dBodyID box[2];
    for (int i = 0; i < 2; i++) {
        box[i] = addBox(world, 1, (const double[]){1, 1, 1}, 0.5 + i);
        for (int corner = 0; corner < 4; corner++) {
            dContact at = {.geom = {.pos = {corner % 2 - 0.5, corner / 2 - 0.5, (dReal)i}, .normal = {0, 0, 1}}};
            addContact(world, 0, &at, box[i], i ? box[0] : NULL);
        }
    }
    ksInspector *inspector = isSolved ? inspectSolved(world) : inspect(world);
    CHECK_OK(ksInspectorStep(inspector, h));
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    double carried = 0;
    ck_assert_uint_eq(count, 8);
    for (size_t k = 0; k < count; k++) {
        ck_assert(reaction[k].engine[0].force[2] == 0);  // the case under test
        ck_assert_int_eq(reaction[k].freeCount, isSolved);
        const bool isWrong = isSolved || !reaction[k].body[1];
        ck_assert_str_eq(ksVerdictName(reaction[k].verdict), isWrong ? "KS_SOLVER_ERROR" : "KS_INDETERMINATE");
        ck_assert_double_eq_tol(reaction[k].error, isWrong, softTolerance);
        if (!reaction[k].body[1])
            carried += reaction[k].converged[0].force[2];
    }
    ck_assert_double_eq_tol(carried, isSolved ? 2 * SCENE_GRAVITY : 0, softTolerance * 2 * SCENE_GRAVITY);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dSetMessageHandler(0);
}
END_TEST

/* An arm of three small links, in which the second motor reaches its limit. dWorldStep's solver
 * then loses all digits of the pivots after this motor's row. So it leaves the first motor far
 * inside its limit, at a wrong rate (findings/ode_motor_limit_units.sh). The arm moves like an arm
 * of twenty times its size, for which the solver loses no digit. */
START_TEST(engine_loses_a_motor)
{
    const double rate[3] = {2, -4, -10}, limit[3] = {0.3, 0.12, 0.26};  // rad/s, N.m
    const double large = 0.1, small = 0.005, mass = 1e-6;  // m, m, kg; the links of the large arm have 0.1 kg
    const double alikeTolerance = 1e-9;                    // the arms differ by rounding
    double held[2][3];
    for (int isSmall = 0; isSmall < 2; isSmall++) {
        const double length = isSmall ? small : large, slow = sqrt(length / large);
        const double unit = (isSmall ? mass : large) * length / (large * large);
        dWorldID world = heavyWorld();
        dWorldSetCFM(world, 0);
        dBodyID link[3];
        dJointID hinge[3];
        for (int i = 0; i < 3; i++) {
            dMass m;
            link[i] = dBodyCreate(world);
            dMassSetBoxTotal(&m, isSmall ? mass : large, length, length / 10, length / 10);
            dBodySetMass(link[i], &m);
            dBodySetPosition(link[i], (i + 0.5) * length, 0, 0);
            hinge[i] = dJointCreateHinge(world, 0);
            dJointAttach(hinge[i], link[i], i ? link[i - 1] : NULL);
            dJointSetHingeAnchor(hinge[i], i * length, 0, 0);
            dJointSetHingeAxis(hinge[i], 0, 1, 0);
            dJointSetHingeParam(hinge[i], dParamVel, rate[i] / slow);
            dJointSetHingeParam(hinge[i], dParamFMax, limit[i] * unit);
        }
        ksInspector *inspector = inspect(world);
        CHECK_OK(ksInspectorStep(inspector, 0.005 * slow));
        const double reached = dJointGetHingeAngleRate(hinge[0]) * slow;
        ck_assert_double_eq_tol(reached, isSmall ? 0.2 : rate[0],
                                isSmall ? 0.2 : alikeTolerance);  // the case under test
        for (int i = 0; i < 3; i++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, hinge[i]);
            ck_assert_str_eq(ksVerdictName(reaction->verdict), isSmall ? "KS_SOLVER_ERROR" : "KS_VALID");
            ksWrench wrench;
            CHECK_OK(ksReactionGetWrench(reaction, KS_CONVERGED, 0, KS_FRAME_JOINT, KS_POINT_ANCHOR, &wrench));
            held[isSmall][i] = wrench.torque[0] / unit;
        }
        ksInspectorDestroy(inspector);
        dWorldDestroy(world);
    }
    for (int i = 0; i < 3; i++)
        ck_assert_double_eq_tol(held[1][i], held[0][i], alikeTolerance * limit[i]);
}
END_TEST

/* A box slides on its corners, each with its own friction. Their compliance decides how they share
 * the weight, and so does their friction: rounding of the normal forces, 1e-16 of a few hundred
 * m/s^2 over a compliance of CFM 1e-10 / h, leaves dWorldStep's bounds uncertain by some 1e-10 of
 * the weight. The engine's own friction shows the bounds. With less compliance the uncertainty
 * grows: up to 3e-5 of the weight the engine's friction still shows them, at 3e-4 it is not
 * used. */
START_TEST(frozen_bounds_are_the_engines)
{
    static const double compliance[3] = {1e-10, 2.3e-13, 2.5e-14};
    const double exact = 1e-13;  // of the weight: rounding
    double worst = 0;
    dWorldID world = heavyWorld();
    dWorldSetCFM(world, compliance[_i]);
    dBodyID box = addBox(world, 1, (const double[]){1, 1, 0.2}, 0.1);
    dBodySetLinearVel(box, 3, 0.1, 0);
    dJointGroupID group = dJointGroupCreate(0);
    ksInspector *inspector = inspectSolved(world);
    for (int i = 0; i < 20; i++) {
        const dReal *x = dBodyGetPosition(box);
        for (int corner = 0; corner < 4; corner++) {
            dContact at = {
                .surface = {.mode = dContactApprox1, .mu = 0.1 + 0.1 * corner},
                .geom = {.pos = {x[0] + (corner % 2 - 0.5), x[1] + (corner / 2 - 0.5), 0}, .normal = {0, 0, 1}}};
            addContact(world, group, &at, box, NULL);
        }
        CHECK_OK(ksInspectorStep(inspector, h));
        size_t count;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        for (size_t j = 0; j < count; j++) {
            const double off = distance3(reaction[j].converged[0].force, reaction[j].engine[0].force) / SCENE_GRAVITY;
            worst = fmax(worst, off);
        }
        dJointGroupEmpty(group);
    }
    ck_assert_int_eq(worst > exact, _i == 2);
    ksInspectorDestroy(inspector);
    dJointGroupDestroy(group);
    dWorldDestroy(world);
}
END_TEST

/* A box on a plane, pushed by more than friction can hold, and by less: the bound is mu times the
 * weight. */
START_TEST(friction_is_certified)
{
    ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    const double mu = 0.5, push = (_i / 2 ? 0.8 : 0.2) * SCENE_GRAVITY;
    dWorldID world = heavyWorld();
    dWorldSetQuickStepNumIterations(world, 3000);
    dBodyID box = addBox(world, 1, (const double[]){1, 1, 0.2}, 0.1);
    dJointGroupID group = dJointGroupCreate(0);
    ksInspector *inspector = inspectSolved(world);
    for (int i = 0; i < 20; i++) {
        const dReal *x = dBodyGetPosition(box);
        for (int corner = 0; corner < 4; corner++) {
            dContact at = {
                .surface = {.mode = dContactApprox1, .mu = mu},
                .geom = {.pos = {x[0] + (corner % 2 - 0.5), x[1] + (corner / 2 - 0.5), 0}, .normal = {0, 0, 1}}};
            addContact(world, group, &at, box, NULL);
        }
        dBodyAddForceAtPos(box, push, 0, 0, x[0], x[1], 0);  // at ground level, so that the box does not tip
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

/* dJointFeedback does not contain the force of a motor that drives against its stop. */
START_TEST(motor_at_its_stop_is_known)
{
    Scene *scene = sceneChain(1, SCENE_FALLING);
    dJointSetHingeParam(scene->joint[0], dParamHiStop, 0.5);
    dJointSetHingeParam(scene->joint[0], dParamLoStop,
                        1e-9);  // slightly past it, so that it is at the stop from the first step on
    dJointSetHingeParam(scene->joint[0], dParamFMax, 3);
    dJointSetHingeParam(scene->joint[0], dParamVel, -1);  // towards the stop
    ksInspector *inspector = inspect(scene->world);
    CHECK_OK(ksInspectorStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
    ck_assert_int_eq(reaction->row[5].kind, KS_ROW_STOP);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ck_assert_double_le(reaction->error, 1e-6);  // effect of the stop's CFM over h
    // the weight's moment about the hinge, whatever force presses the link onto its stop
    ck_assert_double_eq_tol(fabs(reaction->row[5].paulus), 0.981, 1e-5);
    ck_assert_double_eq(reaction->motor[0].force, -3);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* A rod slides on its foot: friction changes the normal force, but not dWorldStep's bound. */
START_TEST(friction_bound_of_the_first_stage)
{
    ksStepper stepper = _i ? KS_QUICK_STEP : KS_WORLD_STEP;
    const double mu = 0.4;
    dWorldID world = heavyWorld();
    dWorldSetQuickStepNumIterations(world, 3000);
    dBodyID rod = addBox(world, 1, (const double[]){0.05, 0.05, 1}, 0);
    dMatrix3 lean;
    dRFromAxisAndAngle(lean, 0, 1, 0, 0.6);
    dBodySetRotation(rod, lean);
    dBodySetPosition(rod, 0.5 * sin(0.6), 0, 0.5 * cos(0.6));
    dBodySetLinearVel(rod, -3, 0, 0);
    dContact foot = {.surface = {.mode = dContactApprox1, .mu = mu}, .geom = {.normal = {0, 0, 1}}};
    dJointID contact = addContact(world, 0, &foot, rod, NULL);
    ksInspector *inspector = inspectSolved(world);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, contact);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ck_assert_double_le(reaction->error, softTolerance);
    // slide: multiplier of the sliding row, and the distance of its bound from mu times the final
    // normal force
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

/* Unbounded friction beside bounded friction: the engine's frictionless first stage solves
 * neither. */
START_TEST(infinite_friction)
{
    ksStepper stepper = _i ? KS_QUICK_STEP : KS_WORLD_STEP;
    dWorldID world = heavyWorld();
    dWorldSetQuickStepNumIterations(world, 3000);
    dBodyID box = addBox(world, 1, (const double[]){1, 1, 0.5}, 0.25);
    dBodySetLinearVel(box, 1, 0, 0);
    dJointID contact[2];
    for (int i = 0; i < 2; i++) {
        dContact at = {.surface = {.mode = dContactApprox1, .mu = i ? dInfinity : 0.1},
                       .geom = {.pos = {i - 0.5, 0, 0}, .normal = {0, 0, 1}}};
        contact[i] = addContact(world, 0, &at, box, NULL);
    }
    ksInspector *inspector = inspectSolved(world);
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

/* A weak motor beside a huge load: it is at its bound, although the bound is small compared with
 * the load. */
START_TEST(small_bound_beside_a_large_load)
{
    Scene *scene = sceneChain(2, SCENE_FALLING);
    const double most = 1e-7;
    dJointSetHingeParam(scene->joint[1], dParamFMax, most);
    dJointSetHingeParam(scene->joint[1], dParamVel, 1e-9);
    dBodyAddForce(scene->body[0], 0, 1e6, 0);  // along the axis, where it moves nothing
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

/* The hinge almost holds a contact close to its axis, and a huge force acts across the axis. The
 * contact's residual is small compared with the island's load, and yet a thousand newtons are
 * needed to balance the moment. The engine's one sweep misses them. lambda x = M. */
START_TEST(residual_small_beside_the_load)
{
    const double x = 0.01, moment = 10, across = 1e8;
    dWorldID world = dWorldCreate();
    dWorldSetCFM(world, 0);
    dWorldSetQuickStepNumIterations(world, 1);
    dBodyID body = addBall(world, 1, 0.5, 0, 0);
    dMass mass;
    dMassSetParameters(&mass, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0);
    dBodySetMass(body, &mass);
    dJointID hinge = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, body, NULL);
    dJointSetHingeAxis(hinge, 0, 0, 1);
    dContact at = {.surface = {.mode = dContactApprox1, .mu = 0.1}, .geom = {.pos = {x, 0, 0}, .normal = {0, 1, 0}}};
    dJointID contact = addContact(world, 0, &at, body, NULL);
    dBodyAddForce(body, 0, across, 0);
    dBodyAddTorque(body, 0, 0, -moment);
    ksInspector *inspector = inspectSolved(world);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    const ksReaction *reaction = ksInspectorGetReaction(inspector, contact);
    ck_assert_double_eq_tol(reaction->row[0].gauss, moment / x, softTolerance * moment / x + reaction->row[0].errorBar);
    ck_assert_int_eq(reaction->verdict, KS_SOLVER_ERROR);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("bounds");
    tcase_add_loop_test(test, stop_is_certified, 0, 2);
    tcase_add_loop_test(test, engine_gives_up, 0, 2);
    tcase_add_loop_test(test, engine_gives_up_a_sum, 0, 2);
    tcase_add_test(test, engine_loses_a_motor);
    tcase_add_loop_test(test, frozen_bounds_are_the_engines, 0, 3);
    tcase_add_loop_test(test, friction_is_certified, 0, 4);
    tcase_add_test(test, motor_at_its_stop_is_known);
    tcase_add_loop_test(test, friction_bound_of_the_first_stage, 0, 2);
    tcase_add_loop_test(test, infinite_friction, 0, 2);
    tcase_add_test(test, small_bound_beside_a_large_load);
    tcase_add_test(test, residual_small_beside_the_load);
    return runCase("bounds", test);
}

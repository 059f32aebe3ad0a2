/* check_damping.c  Damping and the cap of angular speed: the engine slows bodies after it has
 * solved, and the joints carry the effect. So both are forces of the mechanism, and the remaining
 * joint rates are permitted velocities. */
#include "tests/kits/support.h"

#include "demos/scenes/drift.h"

static const ksStepper steppers[] = {KS_WORLD_STEP, KS_QUICK_STEP, KS_EXACT_STEP};
enum { STEPPERS = sizeof steppers / sizeof *steppers };

/* An arm of 1 kg on a hinge about z, 0.5 m from its mass centre, with a motor. */
typedef struct Crank {
    dWorldID world;
    dBodyID body;
    dJointID hinge;
    ksInspector *inspector;
    double inertia; /* about z through the mass centre */
} Crank;

static const double armMass = 1, armRadius = 0.5;

static Crank createCrank(double speed, double torque)
{
    Crank arm = {.world = dWorldCreate()};
    dMass mass;
    dMassSetBoxTotal(&mass, armMass, 1, 0.05, 0.05);
    arm.inertia = mass.I[10];
    arm.body = dBodyCreate(arm.world);
    dBodySetMass(arm.body, &mass);
    dBodySetPosition(arm.body, armRadius, 0, 0);
    arm.hinge = dJointCreateHinge(arm.world, 0);
    dJointAttach(arm.hinge, arm.body, NULL);
    dJointSetHingeAnchor(arm.hinge, 0, 0, 0);
    dJointSetHingeAxis(arm.hinge, 0, 0, 1);
    dJointSetHingeParam(arm.hinge, dParamVel, speed);
    dJointSetHingeParam(arm.hinge, dParamFMax, torque);
    arm.inspector = inspect(arm.world);
    return arm;
}

static void destroyCrank(Crank *arm)
{
    ksInspectorDestroy(arm->inspector);
    dWorldDestroy(arm->world);
}

/* The physical force on the arm, outwards and along its motion, and the torque about the hinge's
 * axis. */
static void forceOnCrank(const Crank *arm, const double pose[12], double out[3])
{
    const ksReaction *reaction = ksInspectorGetReaction(arm->inspector, arm->hinge);
    const double *f = reaction->physical[0].force, *t = reaction->physical[0].torque;
    out[0] = f[0] * pose[0] + f[1] * pose[4];
    out[1] = f[0] * pose[1] + f[1] * pose[5];
    out[2] = t[2] - armRadius * out[1];
}

/* At constant rate w, damping removes the share s of a velocity in each step: s m w r / h across
 * the arm, and s I w / h about its mass centre, beside m w^2 r along it. The motor works against
 * both. */
START_TEST(arm_against_damping)
{
    const double h = 0.001, speed = 10, linear = 0.005, angular = 0.02;
    const double ofStep = 0.5 * speed * h;  // the change of a direction by the rotation of half a
                                            // step, for all forces
    Crank arm = createCrank(speed, 1e5);
    dBodySetLinearDamping(arm.body, linear);
    dBodySetAngularDamping(arm.body, angular);
    dBodySetLinearDampingThreshold(arm.body, 0);
    dBodySetAngularDampingThreshold(arm.body, 0);
    const double across = linear * armMass * speed * armRadius / h, along = -armMass * speed * speed * armRadius;
    const double torque = angular * arm.inertia * speed / h;
    for (int i = 0; i < 500; i++) {
        double force[3], pose[12];
        memcpy(pose, dBodyGetRotation(arm.body), sizeof pose);
        CHECK_OK(inspectedStep(arm.inspector, steppers[_i], h));
        if (i < 100)
            continue;
        forceOnCrank(&arm, pose, force);
        ck_assert_double_eq_tol(force[0], along, ofStep * hypot(across, along));
        ck_assert_double_eq_tol(force[1], across, ofStep * hypot(across, along));
        ck_assert_double_eq_tol(force[2] + armRadius * force[1], torque, ofStep * (torque + armRadius * across));
        // bars are for this force, and do not treat damping as unexplained
        ck_assert_double_lt(ksInspectorGetReaction(arm.inspector, arm.hinge)->physicalErrorBar, 0.05);
    }
    destroyCrank(&arm);
}
END_TEST

/* The cap removes the rate that the motor's torque adds. This takes a couple, so the hinge bears
 * only m w^2 r. */
START_TEST(arm_at_the_cap)
{
    const double h = 0.001, cap = 10, torque = 5;
    const double ofStep = 0.5 * cap * h;
    Crank arm = createCrank(10 * cap, torque);
    dBodySetMaxAngularSpeed(arm.body, cap);
    const double along = -armMass * cap * cap * armRadius;
    for (int i = 0; i < 1500; i++) {
        double force[3], pose[12];
        memcpy(pose, dBodyGetRotation(arm.body), sizeof pose);
        CHECK_OK(inspectedStep(arm.inspector, steppers[_i], h));
        if (i < 1000)
            continue;
        forceOnCrank(&arm, pose, force);
        ck_assert_double_eq_tol(force[0], along, ofStep * fabs(along));
        ck_assert_double_eq_tol(force[1], 0, ofStep * fabs(along));
        ck_assert_double_eq_tol(force[2], torque, ofStep * torque);
        ck_assert_double_lt(ksInspectorGetReaction(arm.inspector, arm.hinge)->physicalErrorBar, ofStep);
    }
    destroyCrank(&arm);
}
END_TEST

/* Adds the forces by which the world holds a scene. */
static void addHolding(const ksInspector *inspector, const Scene *scene, double times, double sum[3])
{
    for (int j = 0; j < scene->jointCount; j++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[j]);
        for (int k = 0; k < 3 && !reaction->body[1]; k++)
            sum[k] += times * reaction->physical[0].force[k];
    }
}

/* A chain, and a seat on two ropes, swing with damped bodies. In the mean over a window the world
 * carries their weight, the change of their momentum, and the momentum that damping removed: the
 * share s of v* = v / (1 - s). */
START_TEST(swings_with_damping)
{
    enum { WINDOW = 40, WINDOWS = 10 };
    const double h = 0.005, linear = 0.01, mostBias = 0.01;
    Scene *scene = (_i / 2 ? driftSwing : driftSwingingChain)(NULL, h);
    double truth[3] = {0}, physical[3] = {0}, before[3] = {0}, load = 0;
    dWorldSetLinearDamping(scene->world, linear);
    dWorldSetAngularDamping(scene->world, _i % 2 ? 0.02 : 0);
    dWorldSetLinearDampingThreshold(scene->world, 0);
    dWorldSetAngularDampingThreshold(scene->world, 0);
    for (int b = 0; b < scene->bodyCount; b++)
        dBodySetDampingDefaults(scene->body[b]);
    ksInspector *inspector = inspect(scene->world);
    for (int i = 1; i <= WINDOW * WINDOWS; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        addHolding(inspector, scene, h, physical);
        double momentum[3] = {0};
        for (int b = 0; b < scene->bodyCount; b++) {
            dMass mass;
            dBodyGetMass(scene->body[b], &mass);
            const dReal *v = dBodyGetLinearVel(scene->body[b]);
            for (int k = 0; k < 3; k++)
                momentum[k] += mass.mass * v[k];
            truth[2] += h * mass.mass * SCENE_GRAVITY;
        }
        for (int k = 0; k < 3; k++) {
            truth[k] += momentum[k] / (1 - linear) - before[k];
            before[k] = momentum[k];
        }
        if (i % WINDOW)
            continue;
        double apart[3];
        for (int k = 0; k < 3; k++)
            apart[k] = physical[k] - truth[k];
        load = fmax(load, length3(truth));
        if (i > WINDOW)
            ck_assert_double_le(length3(apart), mostBias * load);
        memset(truth, 0, sizeof truth);
        memset(physical, 0, sizeof physical);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* Damping also slows a kinematic body. If the host sets its velocity in each step, it moves evenly;
 * otherwise it slows down together with its load. */
START_TEST(platform_with_damping)
{
    const double h = 0.005, speed = 1, linear = 0.01, rounding = 1e-6;
    dWorldID world = heavyWorld();
    dBodyID platform = dBodyCreate(world), load = addBall(world, 1, 0.1, 0, 0);
    dBodySetKinematic(platform);
    dBodySetLinearVel(platform, speed, 0, 0);
    dBodySetLinearVel(load, speed, 0, 0);
    dBodySetLinearDamping(platform, linear);
    dBodySetLinearDampingThreshold(platform, 0);
    dJointID weld = dJointCreateFixed(world, 0);
    dJointAttach(weld, load, platform);
    dJointSetFixed(weld);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 100; i++) {
        const double v = dBodyGetLinearVel(platform)[0];
        if (!_i)
            dBodySetLinearVel(platform, speed, 0, 0);
        CHECK_OK(ksInspectorStep(inspector, h));
        const double slowed = _i ? -linear * v / (1 - linear) / h : 0;
        const ksReaction *reaction = ksInspectorGetReaction(inspector, weld);
        if (i > 0)
            ck_assert_double_eq_tol(reaction->physical[0].force[0], slowed, rounding);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("damping");
    tcase_add_loop_test(test, arm_against_damping, 0, STEPPERS);
    tcase_add_loop_test(test, arm_at_the_cap, 0, STEPPERS);
    tcase_add_loop_test(test, swings_with_damping, 0, 4);
    tcase_add_loop_test(test, platform_with_damping, 0, 2);
    return runCase("damping", test);
}

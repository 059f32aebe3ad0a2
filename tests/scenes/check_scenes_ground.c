/* check_scenes_ground.c  Machines on the ground and redundant ones, by themselves: they behave as
 * designed. */
#include "demos/scenes/scenes.h"
#include "tests/kits/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static SceneStepper *const steppers[] = {dWorldStep, dWorldQuickStep};
static const double rounding = 1e-9;   /* of the sums of some 1e5 forces, relative to the largest */
static const double closedForm = 1e-3; /* of first order, in steps of 0.1 ms */
enum { MAX_CONTACTS = 1000 };

/* The engine's LCP solver sometimes gives up, and prints a message. */
static void quiet(int number, const char *text, va_list arguments)
{
    (void)number, (void)text, (void)arguments;
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double massOf(dBodyID body)
{
    dMass mass;
    dBodyGetMass(body, &mass);
    return mass.mass;
}

static double weightOf(const Scene *scene)
{
    double weight = 0;
    for (int i = 0; i < scene->bodyCount; i++)
        weight += massOf(scene->body[i]) * SCENE_GRAVITY;
    return weight;
}

static void momentumOf(const Scene *scene, double sum[3])
{
    memset(sum, 0, 3 * sizeof *sum);
    for (int i = 0; i < scene->bodyCount; i++)
        for (int k = 0; k < 3; k++)
            sum[k] += massOf(scene->body[i]) * dBodyGetLinearVel(scene->body[i])[k];
}

/* Kinetic and potential energy. */
static double energyOf(const Scene *scene)
{
    double energy = 0;
    for (int i = 0; i < scene->bodyCount; i++) {
        dMass mass;
        dVector3 spin, momentum;
        const dReal *w = dBodyGetAngularVel(scene->body[i]), *v = dBodyGetLinearVel(scene->body[i]);
        dBodyGetMass(scene->body[i], &mass);
        dBodyVectorFromWorld(scene->body[i], w[0], w[1], w[2], spin);
        dMultiply0_331(momentum, mass.I, spin);
        energy += 0.5 * (mass.mass * dCalcVectorDot3(v, v) + dCalcVectorDot3(spin, momentum)) +
                  mass.mass * SCENE_GRAVITY * dBodyGetPosition(scene->body[i])[2];
    }
    return energy;
}

/* Makes one step, and sums the forces on the bodies by contacts with the ground, and by other
 * joints to the world. */
static void stepAndFeel(Scene *scene, SceneStepper *stepper, double h, double ground[3], double world[3])
{
    static dJointFeedback contact[MAX_CONTACTS], held[MAX_CONTACTS];
    int contacts = 0;
    memset(ground, 0, 3 * sizeof *ground);
    memset(world, 0, 3 * sizeof *world);
    sceneBeforeStep(scene);
    for (int i = 0; i < scene->bodyCount; i++) {
        for (int k = 0; k < dBodyGetNumJoints(scene->body[i]); k++) {
            dJointID joint = dBodyGetJoint(scene->body[i], k);
            int alone = !dJointGetBody(joint, 0) || !dJointGetBody(joint, 1);
            if (dJointGetType(joint) == dJointTypeContact && alone) {
                ck_assert_int_lt(contacts, MAX_CONTACTS);
                dJointSetFeedback(joint, &contact[contacts++]);
            }
        }
    }
    for (int i = 0; i < scene->jointCount; i++)
        dJointSetFeedback(scene->joint[i], &held[i]);
    stepper(scene->world, h);
    for (int i = 0; i < contacts; i++)
        for (int k = 0; k < 3; k++)
            ground[k] += contact[i].f1[k];
    for (int i = 0; i < scene->jointCount; i++)
        if (!dJointGetBody(scene->joint[i], 0) || !dJointGetBody(scene->joint[i], 1))
            for (int k = 0; k < 3; k++)
                world[k] += held[i].f1[k];
    sceneAfterStep(scene);
    for (int i = 0; i < scene->jointCount; i++)
        dJointSetFeedback(scene->joint[i], NULL);
}

/* --- all of them */

static int kindCount(void)
{
    int count = 0;
    while (sceneKind[count].name)
        count++;
    return count;
}

static int isLarge(const SceneKind *kind)
{
    return !strcmp(kind->name, "heap") || !strcmp(kind->name, "bridge-60");
}

/* Bodies stay within reach of a fall of a few metres, or of 5 m/s over the run; none sinks into the
 * ground. */
static void run(const SceneKind *kind, const SceneSurface *surface, SceneStepper *stepper, int steps)
{
    const double h = 5e-3, sunk = 0.05, farthest = 40, fastest = 30;
    Scene *scene = kind->make(surface, h);
    ck_assert_ptr_nonnull(scene);
    int most = 0;
    dRandSetSeed(1);
    for (int i = 0; i < steps; i++) {
        sceneStep(scene, stepper, h);
        most = scene->contactCount > most ? scene->contactCount : most;
        for (int k = 0; k < scene->bodyCount; k++) {
            const dReal *x = dBodyGetPosition(scene->body[k]), *v = dBodyGetLinearVel(scene->body[k]);
            ck_assert_msg(length(v) < fastest || !kind->touches, "%s, %s, step %d, body %d: %g m/s", kind->name,
                          surface->name, i, k, length(v));
            ck_assert_msg(length(x) < farthest * (kind->touches ? 1 : 10), "%s, %s: body %d is far away", kind->name,
                          surface->name, k);
            ck_assert_msg(!kind->touches || x[2] > -sunk, "%s, %s, step %d: body %d at z = %g", kind->name,
                          surface->name, i, k, x[2]);
        }
    }
    ck_assert_int_eq(most > 0, kind->touches);
    sceneDestroy(scene);
}

START_TEST(scenes_stay_sane)
{
    const SceneKind *kind = &sceneKind[_i / 2];
    if (!isLarge(kind))
        run(kind, &sceneSurface[SURFACE_APPROX1], steppers[_i % 2], 400);
}
END_TEST

START_TEST(scenes_stay_sane_on_all_surfaces)
{
    const SceneKind *kind = &sceneKind[_i / 2];
    const int steps = isLarge(kind) && _i % 2 == 0 ? 120 : 1000;  // dWorldStep's time grows with the cube of the rows
    for (int s = 0; s < (kind->touches ? SURFACE_COUNT : 1); s++)
        run(kind, &sceneSurface[s], steppers[_i % 2], steps);
}
END_TEST

START_TEST(same_scene_twice)
{
    const SceneKind *kind = &sceneKind[_i / 2];
    const int steps = isLarge(kind) ? 30 : 150;
    Scene *twin[2];
    for (int t = 0; t < 2; t++) {
        twin[t] = kind->make(&sceneSurface[SURFACE_APPROX1], 5e-3);
        dRandSetSeed(7);
        for (int i = 0; i < steps; i++)
            sceneStep(twin[t], steppers[_i % 2], 5e-3);
    }
    ck_assert(sceneSameState(twin[0], twin[1]));
    sceneDestroy(twin[0]);
    sceneDestroy(twin[1]);
}
END_TEST

/* The forces of the ground and of the world's joints, and the weight, equal the change of momentum,
 * converged or not. */
START_TEST(momentum_is_of_the_world)
{
    const SceneKind *kind = &sceneKind[_i / 2];
    const int steps = isLarge(kind) ? 30 : 150;
    const double h = 5e-3;
    double before[3], after[3], impulse[3] = {0, 0, 0}, largest = 0;
    Scene *scene = kind->make(&sceneSurface[SURFACE_APPROX1], h);
    momentumOf(scene, before);
    for (int i = 0; i < steps; i++) {
        double ground[3], world[3];
        stepAndFeel(scene, steppers[_i % 2], h, ground, world);
        for (int k = 0; k < 3; k++) {
            double force = ground[k] + world[k] - (k == 2 ? weightOf(scene) : 0);
            impulse[k] += h * force;
            largest = fmax(largest, fabs(h * force));
        }
    }
    momentumOf(scene, after);
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(after[k] - before[k], impulse[k], rounding * largest * steps);
    sceneDestroy(scene);
}
END_TEST

/* --- on the ground */

/* Ragdolls finally lie still: under dWorldStep up to the effect of ERP; under QuickStep they
 * tremble. */
START_TEST(ragdoll_comes_to_rest)
{
    const SceneBalls balls = _i / 2 ? BALLS_WITH_STOPS : BALLS_FREE;
    const int quick = _i % 2, window = 100;
    const double h = 5e-3, still = quick ? 0.1 : 1e-4, trembling = quick ? 0.03 : 1e-4;
    double ground[3], world[3], mean = 0;
    Scene *scene = sceneFallingRagdolls(1, balls, &sceneSurface[SURFACE_APPROX1]);
    dRandSetSeed(1);
    ck_assert_int_eq(scene->bodyCount, RAGDOLL_BODIES);
    ck_assert_int_eq(scene->jointCount, balls == BALLS_FREE ? 10 : 13);
    for (int i = 0; i < 600; i++)
        sceneStep(scene, steppers[quick], h);
    for (int i = 0; i < window; i++) {
        stepAndFeel(scene, steppers[quick], h, ground, world);
        mean += ground[2] / window;
    }
    for (int i = 0; i < scene->bodyCount; i++)
        ck_assert_double_lt(length(dBodyGetLinearVel(scene->body[i])), still);
    ck_assert_double_eq_tol(mean, weightOf(scene), trembling * weightOf(scene));
    sceneDestroy(scene);
}
END_TEST

START_TEST(ragdoll_meets_its_stops)
{
    const double low = -0.8, slack = 0.05;  // rad: a stop yields by h times the speed of the impact
    double most = 0;
    Scene *scene = sceneFallingRagdolls(1, BALLS_WITH_STOPS, &sceneSurface[SURFACE_APPROX1]);
    for (int i = 0; i < 600; i++) {
        sceneStep(scene, dWorldStep, 5e-3);
        for (int k = 0; k < scene->jointCount; k++)
            if (dJointGetType(scene->joint[k]) == dJointTypeAMotor)
                most = fmax(most, fabs(dJointGetAMotorAngle(scene->joint[k], 0)));
    }
    ck_assert_double_gt(most, -low - slack);
    ck_assert_double_lt(most, -low + slack);
    sceneDestroy(scene);
}
END_TEST

START_TEST(heap_comes_to_lie)
{
    Scene *scene = sceneFallingRagdolls(10, BALLS_FREE, &sceneSurface[SURFACE_APPROX1]);
    double highest = 0, most = 0;
    dRandSetSeed(1);
    for (int i = 0; i < 300; i++) {
        sceneStep(scene, dWorldQuickStep, 0.01);
        most = fmax(most, scene->contactCount);
    }
    for (int i = 0; i < scene->bodyCount; i++)
        highest = fmax(highest, dBodyGetPosition(scene->body[i])[2]);
    ck_assert_double_lt(highest, 2);    // of 6 m
    ck_assert_double_gt(highest, 0.4);  // some lie on others
    ck_assert_double_gt(most, 100);
    sceneDestroy(scene);
}
END_TEST

START_TEST(car_drives_over_the_bump)
{
    double highest = 0;
    Scene *scene = sceneDrivingCar(&sceneCar, &sceneSurface[SURFACE_APPROX1]);
    const dReal *x = dBodyGetPosition(scene->body[CAR_CHASSIS]);
    double start = x[2];
    for (int i = 0; i < 400; i++) {
        sceneStep(scene, steppers[_i], 5e-3);
        highest = fmax(highest, x[2]);
    }
    ck_assert_double_eq_tol(x[0], 2 * sceneCar.speed, 1);
    ck_assert_double_lt(fabs(x[1]), 0.5);
    ck_assert_double_gt(highest, start + 0.5 * sceneCar.bump);
    ck_assert_double_gt(dBodyGetRotation(scene->body[CAR_CHASSIS])[10], 0.99);  // upright
    sceneDestroy(scene);
}
END_TEST

/* On level ground it accelerates as its wheels push, and turns right. */
START_TEST(car_is_steered_and_driven)
{
    const double h = 5e-3, radius = 0.35;
    const Car car = {.torque = 150, .steer = 0.2, .suspensionErp = 0.4, .suspensionCfm = 5e-4, .bump = -1};
    Car fast = car;
    fast.speed = 5;
    Scene *turning = sceneDrivingCar(&fast, &sceneSurface[SURFACE_APPROX1]);
    for (int i = 0; i < 200; i++)
        sceneStep(turning, dWorldStep, h);
    ck_assert_double_lt(dBodyGetPosition(turning->body[CAR_CHASSIS])[1], -0.5);
    ck_assert_double_eq_tol(dJointGetHinge2Angle1(turning->joint[0]), fast.steer, 0.05);
    sceneDestroy(turning);

    // from rest, with a distant target speed: 2 T = (m + 4 I / r^2) a r
    Car slow = car;
    slow.steer = 0;
    Scene *scene = sceneDrivingCar(&slow, &sceneSurface[SURFACE_APPROX1]);
    for (int i = 0; i < 4; i++)
        dJointSetHinge2Param(scene->joint[i], dParamVel2, -100);
    for (int i = 0; i < 200; i++)
        sceneStep(scene, dWorldStep, h);
    double wheel = 0.4 * massOf(scene->body[CAR_FIRST_WHEEL]);
    double a = 2 * car.torque / radius / (weightOf(scene) / SCENE_GRAVITY + 4 * wheel);
    ck_assert_double_eq_tol(dBodyGetLinearVel(scene->body[CAR_CHASSIS])[0], a * 200 * h, 0.02 * a);
    sceneDestroy(scene);
}
END_TEST

START_TEST(walkers_stay_on_their_legs)
{
    static const Walker walker[] = {{2, 0.05, 1, 5e-3}, {4, 0.1, 1, 5e-3}, {6, 0.2, 1, 5e-3}};
    const double foot = _i / 2 ? 0.58 : 0.64;  // height of the box's lower side
    Scene *scene = sceneWalker(&walker[_i / 2], &sceneSurface[SURFACE_APPROX1]);
    dRandSetSeed(1);
    double lift = 0;
    for (int i = 0; i < 600; i++) {
        sceneStep(scene, steppers[_i % 2], 5e-3);
        ck_assert_double_gt(dBodyGetPosition(scene->body[0])[2], foot);
        lift = fmax(lift, fabs(dJointGetHingeAngle(scene->joint[0])));
    }
    ck_assert_double_gt(lift, 0.8 * walker[_i / 2].stride);  // a motor lags slightly behind its target
    sceneDestroy(scene);
}
END_TEST

START_TEST(standing_feet_carry_the_weight)
{
    const double h = 5e-3, sag = 1e-3;  // N: remaining effect of ERP and CFM
    double ground[3], world[3];
    Scene *scene = sceneWalker(&(const Walker){.legs = 4, .stepSize = h}, &sceneSurface[SURFACE_APPROX1]);
    for (int i = 0; i < 400; i++)
        sceneStep(scene, dWorldStep, h);
    dJointFeedback hip[4];
    for (int i = 0; i < 4; i++)
        dJointSetFeedback(scene->joint[2 * i], &hip[i]);
    sceneStep(scene, dWorldStep, h);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(hip[i].f1[2], -0.25 * massOf(scene->body[0]) * SCENE_GRAVITY, sag);
    stepAndFeel(scene, dWorldStep, h, ground, world);
    ck_assert_double_eq_tol(ground[2], weightOf(scene), sag);
    sceneDestroy(scene);
}
END_TEST

START_TEST(arm_presses_on_the_table)
{
    const double h = 5e-3, sag = 1e-3;
    double ground[3], world[3];
    Scene *scene = sceneReachingArm(&sceneArm, &sceneSurface[SURFACE_APPROX1]);
    const dReal *hand = dBodyGetPosition(scene->body[ARM_HAND]);
    double start = hand[2];
    for (int i = 0; i < 400; i++)
        stepAndFeel(scene, dWorldStep, h, ground, world);
    ck_assert_double_gt(ground[2], 100);  // N: the shoulder's 200 N m at 0.8 m also hold the arm
    ck_assert_double_eq_tol(ground[2] + world[2], weightOf(scene), sag);
    ck_assert_double_eq_tol(hand[2], start, 2e-3);  // it starts 1 mm above the table
    sceneDestroy(scene);
}
END_TEST

START_TEST(arm_holds_its_load)
{
    const double h = 5e-3, sag = 1e-3;
    double ground[3], world[3];
    Arm arm = sceneArm;
    arm.task = ARM_HOLDS;
    Scene *scene = sceneReachingArm(&arm, &sceneSurface[SURFACE_APPROX1]);
    const dReal *load = dBodyGetPosition(scene->body[ARM_LOAD]);
    double start = load[2];
    for (int i = 0; i < 400; i++)
        stepAndFeel(scene, dWorldStep, h, ground, world);
    ck_assert_double_eq(ground[2], 0);
    ck_assert_double_eq_tol(world[2], weightOf(scene), sag);
    ck_assert_double_eq_tol(load[2], start, 2e-3);  // the load falls until the fingers have closed

    // 2 mu grip < m g: the load slips
    Arm weak = arm;
    weak.grip = 4;
    Scene *slipping = sceneReachingArm(&weak, &sceneSurface[SURFACE_APPROX1]);
    for (int i = 0; i < 400; i++)
        sceneStep(slipping, dWorldStep, h);
    ck_assert_double_lt(dBodyGetPosition(slipping->body[ARM_LOAD])[2], start - 0.2);
    sceneDestroy(slipping);
    sceneDestroy(scene);
}
END_TEST

/* The weld takes the momentum that the ball loses. */
START_TEST(plank_feels_the_impact)
{
    static const double stepSize[] = {1e-3, 5e-3, 10e-3, 20e-3};
    const double h = stepSize[_i % 4], mass = 0.5, speed = 20,
                 give = 1e-6;  // N s: the plank's own momentum, at CFM 1e-10
    Scene *scene = sceneStruckPlank(mass, speed, &sceneSurface[SURFACE_APPROX1]);
    double impulse = 0, peak = 0;
    for (int i = 0; i * h < 0.06; i++) {
        double ground[3], world[3];
        stepAndFeel(scene, steppers[_i / 4], h, ground, world);
        impulse += h * world[0];
        peak = fmax(peak, fabs(world[0]));
    }
    double after = dBodyGetLinearVel(scene->body[1])[0], plank = dBodyGetLinearVel(scene->body[0])[0];
    ck_assert_double_le(after, 0);
    ck_assert_double_eq_tol(impulse, mass * (after - speed) + massOf(scene->body[0]) * plank, give);
    ck_assert_double_gt(peak, 0.9 * mass * speed / h);
    sceneDestroy(scene);
}
END_TEST

START_TEST(bridge_hangs)
{
    static const int planks[] = {20, 60};
    const int count = planks[_i];
    Scene *scene = sceneBridge(count, 4, &sceneSurface[SURFACE_APPROX1]);
    ck_assert_int_eq(scene->bodyCount, count + 4);
    ck_assert_int_eq(scene->jointCount, count + 1);
    dVector3 near, far;
    dJointGetHingeAnchor(scene->joint[0], near);
    dJointGetHingeAnchor(scene->joint[1], far);
    const double plank[3] = {far[0] - near[0], far[1] - near[1], far[2] - near[2]};
    ck_assert_double_eq_tol(length(plank), 0.3, 1e-12);
    const dReal *middle = dBodyGetPosition(scene->body[count / 2]);
    double lowest = 1e3;
    for (int i = 0; i < 100; i++) {
        sceneStep(scene, dWorldStep, 5e-3);
        for (int k = 0; k <= count; k++) {
            dVector3 first, second;
            dJointGetHingeAnchor(scene->joint[k], first);
            dJointGetHingeAnchor2(scene->joint[k], second);
            double gap[3] = {first[0] - second[0], first[1] - second[1], first[2] - second[2]};
            ck_assert_double_lt(length(gap), 2e-3);
            lowest = fmin(lowest, first[2]);
        }
        ck_assert_double_lt(fabs(middle[1]), 1e-6);  // the motion is in its plane
    }
    ck_assert_double_gt(lowest, 0.8);
    ck_assert_int_gt(scene->contactCount, 0);
    sceneDestroy(scene);
}
END_TEST

/* --- redundant */

/* Weld and rod together: w^2 r for a body that turns about the middle; both fall. */
START_TEST(falling_pair_whirls)
{
    const double h = 1e-4, spin = 3, radius = 0.5;
    Scene *scene = sceneBracedPair(SCENE_FALLING);
    dJointFeedback feedback[2];
    for (int i = 0; i < 2; i++)
        dJointSetFeedback(scene->joint[i], &feedback[i]);
    for (int i = 0; i < 3000; i++)
        sceneStep(scene, dWorldStep, h);
    const dReal *first = dBodyGetPosition(scene->body[0]), *second = dBodyGetPosition(scene->body[1]);
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(feedback[0].f1[k] + feedback[1].f1[k], spin * spin * radius * (first[k] - second[k]),
                                closedForm * spin * spin * radius);
    sceneDestroy(scene);
}
END_TEST

/* From rest, potential energy becomes kinetic energy, at any time. A slightly misshapen linkage
 * would not move at all. */
START_TEST(linkages_move_and_keep_their_energy)
{
    const double h = 1e-4;
    Scene *scene[] = {sceneBracedPair(SCENE_HANGING), sceneBennett(1),          sceneBennett(2), sceneSarrus(1),
                      sceneParallelCranks(2, 1),      sceneParallelCranks(3, 1)};
    const double start = energyOf(scene[_i]);
    double height = 0, lower = 0;
    for (int i = 0; i < scene[_i]->bodyCount; i++)
        height += massOf(scene[_i]->body[i]) * SCENE_GRAVITY * dBodyGetPosition(scene[_i]->body[i])[2];
    for (int i = 0; i < 2000; i++)
        sceneStep(scene[_i], dWorldStep, h);
    for (int i = 0; i < scene[_i]->bodyCount; i++)
        lower += massOf(scene[_i]->body[i]) * SCENE_GRAVITY * dBodyGetPosition(scene[_i]->body[i])[2];
    ck_assert_double_gt(height - lower, 0.01);  // J
    ck_assert_double_eq_tol(energyOf(scene[_i]), start, 0.01 * (height - lower));
    for (int i = 0; i < (int)(sizeof scene / sizeof *scene); i++)
        sceneDestroy(scene[i]);
}
END_TEST

START_TEST(sarrus_goes_straight)
{
    Scene *scene = sceneSarrus(1);
    dBodyID platform = scene->body[4];
    for (int i = 0; i < 200; i++)
        sceneStep(scene, dWorldStep, 1e-3);
    const dReal *x = dBodyGetPosition(platform), *r = dBodyGetRotation(platform);
    ck_assert_double_lt(hypot(x[0], x[1]), 1e-4);  // m, of 0.3
    ck_assert_double_gt(r[0] + r[5] + r[10], 3 - 1e-6);
    ck_assert_double_lt(x[2], 2 * 0.5 * sin(1) - 0.05);
    sceneDestroy(scene);
}
END_TEST

START_TEST(wall_stands)
{
    double ground[3], world[3];
    Scene *scene = sceneWeldedWall(5, 4);
    ck_assert_int_eq(scene->jointCount, 5 * 4 + 4 * 4);
    for (int i = 0; i < 100; i++)
        stepAndFeel(scene, dWorldStep, 5e-3, ground, world);
    ck_assert_double_eq_tol(world[2], weightOf(scene), 1e-3);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    const int kinds = kindCount();
    Suite *suite = suite_create("scenes on the ground");
    TCase *all = tcase_create("all"), *surfaces = tcase_create("all surfaces"), *ground = tcase_create("ground"),
          *redundant = tcase_create("redundant");
    tcase_set_tags(surfaces, "long");
    tcase_add_loop_test(all, scenes_stay_sane, 0, 2 * kinds);
    tcase_add_loop_test(all, same_scene_twice, 0, 2 * kinds);
    tcase_add_loop_test(all, momentum_is_of_the_world, 0, 2 * kinds);
    tcase_add_loop_test(surfaces, scenes_stay_sane_on_all_surfaces, 0, 2 * kinds);
    tcase_add_loop_test(ground, ragdoll_comes_to_rest, 0, 4);
    tcase_add_test(ground, ragdoll_meets_its_stops);
    tcase_add_test(ground, heap_comes_to_lie);
    tcase_add_loop_test(ground, car_drives_over_the_bump, 0, 2);
    tcase_add_test(ground, car_is_steered_and_driven);
    tcase_add_loop_test(ground, walkers_stay_on_their_legs, 0, 6);
    tcase_add_test(ground, standing_feet_carry_the_weight);
    tcase_add_test(ground, arm_presses_on_the_table);
    tcase_add_test(ground, arm_holds_its_load);
    tcase_add_loop_test(ground, plank_feels_the_impact, 0, 8);
    tcase_add_loop_test(ground, bridge_hangs, 0, 2);
    tcase_add_test(redundant, falling_pair_whirls);
    tcase_add_loop_test(redundant, linkages_move_and_keep_their_energy, 0, 6);
    tcase_add_test(redundant, sarrus_goes_straight);
    tcase_add_test(redundant, wall_stands);
    suite_add_tcase(suite, all);
    suite_add_tcase(suite, surfaces);
    suite_add_tcase(suite, ground);
    suite_add_tcase(suite, redundant);
    dSetMessageHandler(quiet);
    return runSuite(suite);
}

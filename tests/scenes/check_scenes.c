/* check_scenes.c  The scenes themselves: closed forms against the plain engine, exact copies,
 * repeatability.
 *
 * The engine's reaction in a step of dWorldStep approaches the mechanism's as the step shrinks,
 * after ERP's transients have died (a tenth of a second); so errors must fall with h, and be small
 * at the smallest one. */
#include "tests/kits/support.h"

static SceneStepper *const steppers[] = {dWorldStep, dWorldQuickStep};
static const double settled = 0.1, duration = 0.5;

/* Removes the component along a unit vector. */
static void flatten(double v[3], const double normal[3])
{
    double along = v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2];
    for (int i = 0; i < 3; i++)
        v[i] -= along * normal[i];
}

/* Steps a scene, and returns the largest distance of the joints' reports from a closed form. */
typedef double ErrorFn(const Scene *scene, const dJointFeedback *feedback, const void *shape, int before);

static double worstError(Scene *scene, ErrorFn *error, const void *shape, double stepSize)
{
    dJointFeedback feedback[8] = {0};
    double worst = 0;
    ck_assert_ptr_nonnull(scene);
    for (int i = 0; i < scene->jointCount; i++)
        dJointSetFeedback(scene->joint[i], &feedback[i]);
    for (int i = 0; i * stepSize < duration; i++) {
        error(scene, feedback, shape, 1);
        sceneStep(scene, dWorldStep, stepSize);
        if (i * stepSize > settled)
            worst = fmax(worst, error(scene, feedback, shape, 0));
    }
    sceneDestroy(scene);
    return worst;
}

/* A closed form is a function of the state before the step: it is computed there and compared
 * afterwards. */
static double pendulumError(const Scene *scene, const dJointFeedback *feedback, const void *shape, int before)
{
    static double expected[3];
    if (before) {
        double angle, rate;
        plateState(scene, shape, &angle, &rate);
        plateReaction(shape, angle, rate, expected);
    }
    return distance3(feedback->f1, expected);
}

static double linkageError(const Scene *scene, const dJointFeedback *feedback, const void *shape, int before)
{
    static double expected[PIN_COUNT][3];
    const Linkage *linkage = shape;
    double angle, rate, worst = 0, normal[3] = {linkage->axes[1], linkage->axes[5], linkage->axes[9]};
    linkageState(scene, linkage, &angle, &rate);
    for (int pin = 0; pin < PIN_COUNT; pin++) {
        if (before)
            linkagePinForce(linkage, angle, rate, pin, expected[pin]);
        double inPlane[3] = {feedback[pin].f1[0], feedback[pin].f1[1], feedback[pin].f1[2]};
        flatten(inPlane, normal);
        worst = fmax(worst, distance3(inPlane, expected[pin]));
    }
    return worst;
}

static double heldTwiceError(const Scene *scene, const dJointFeedback *feedback, const void *shape, int before)
{
    static double expected[3];
    if (before)
        sceneHeldTwiceForce(scene, *(const SceneHeldTwice *)shape, expected);
    double sum[3];
    for (int i = 0; i < 3; i++)
        sum[i] = feedback[0].f1[i] + feedback[1].f1[i];
    return distance3(sum, expected);
}

START_TEST(pendulum_follows_paulus)
{
    double coarse = worstError(scenePendulum(&scenePlate), pendulumError, &scenePlate, 1e-3);
    double fine = worstError(scenePendulum(&scenePlate), pendulumError, &scenePlate, 1e-4);
    ck_assert_double_lt(fine, 0.01);  // of about 20 N
    ck_assert_double_lt(fine, coarse / 8);
}
END_TEST

START_TEST(pendulum_keeps_its_energy)
{
    Scene *scene = scenePendulum(&scenePlate);
    double angle, rate;
    for (int i = 0; i < 5000; i++)
        sceneStep(scene, dWorldStep, 1e-4);
    plateState(scene, &scenePlate, &angle, &rate);
    ck_assert_double_gt(rate * rate, 1);
    ck_assert_double_eq_tol(rate * rate, plateRateSquared(&scenePlate, angle), 0.01);
    sceneDestroy(scene);
}
END_TEST

START_TEST(linkage_follows_banach)
{
    Linkage linkage = sceneLinkage;
    linkage.rate = 0.5;
    if (_i) {
        dRFromAxisAndAngle(linkage.axes, 1, 2, 3, 1.1);
        linkage.gravity[0] = 2;
        linkage.gravity[1] = 3;
    }
    double coarse = worstError(sceneFourbar(&linkage), linkageError, &linkage, 1e-3);
    double fine = worstError(sceneFourbar(&linkage), linkageError, &linkage, 1e-4);
    ck_assert_double_lt(fine, 0.005);  // of about 20 N
    ck_assert_double_lt(fine, coarse / 8);
}
END_TEST

START_TEST(held_twice_has_the_right_sum)
{
    SceneHeldTwice kind = _i % 2 ? SCENE_TWIN_FIXED : SCENE_DOOR;
    dMatrix3 rotation;
    dRFromAxisAndAngle(rotation, 1, 2, 3, _i / 2 ? 1.1 : 0);
    double coarse = worstError(sceneHeldTwice(kind, rotation), heldTwiceError, &kind, 1e-3);
    double fine = worstError(sceneHeldTwice(kind, rotation), heldTwiceError, &kind, 1e-4);
    ck_assert_double_lt(fine, 0.002);  // of about 10 N
    ck_assert_double_le(fine, fmax(coarse / 8, 1e-6));
}
END_TEST

START_TEST(hanging_chain_weighs_what_it_weighs)
{
    Scene *scene = sceneChain(10, SCENE_HANGING);
    dJointFeedback feedback;
    dJointSetFeedback(scene->joint[0], &feedback);
    for (int i = 0; i < 10; i++)
        sceneStep(scene, dWorldStep, 1e-3);
    ck_assert_double_eq_tol(feedback.f1[2], 98.1, 1e-3);  // the default CFM yields a little
    ck_assert_double_eq_tol(feedback.f1[0], 0, 1e-9);
    sceneDestroy(scene);
}
END_TEST

/* Two runs of the same scene, and a copy that gets the state of the original before every step. */
static Scene *build(int which)
{
    switch (which) {
    case 0:
        return sceneChain(10, SCENE_FALLING);
    case 1:
        return sceneChain(10, SCENE_HANGING);
    case 2:
        return scenePendulum(&scenePlate);
    case 3:
        return sceneFourbar(&sceneLinkage);
    case 4:
        return sceneIncline(&scenePlanes);
    case 5:
        return sceneAtwood(&sceneDoublePulley);
    case 6:
        return sceneRotatingLine(&sceneDrivenLine);
    case 7:
        return sceneLinks(&(const Links){.count = 3, .support = LINKS_END_HELD, .bend = 0.3});
    case 8:
        return sceneTree(10);
    case 9:
        return sceneLoops(2, 3, COUPLER_HINGED);
    case 10:
        return sceneLoops(1, 3, COUPLER_BALL_UNIVERSAL);
    case 11:
        return sceneStar(6);
    case 12:
        return sceneRagdolls(2);
    default:
        return sceneZoo();
    }
}

enum { FIRST_GROWING = 8, ZOO = 13, SCENE_KINDS };

static void run(Scene *scene, SceneStepper *stepper, int steps)
{
    dRandSetSeed(7);
    for (int i = 0; i < steps; i++)
        sceneStep(scene, stepper, 2e-3);
}

START_TEST(same_scene_twice)
{
    SceneStepper *stepper = steppers[_i % 2];
    Scene *a = build(_i / 2), *b = build(_i / 2);
    run(a, stepper, 200);
    run(b, stepper, 200);
    ck_assert(sceneSameState(a, b));
    sceneDestroy(a);
    sceneDestroy(b);
}
END_TEST

/* The original makes a step of its own before each copy, so that there is a state to copy. */
START_TEST(copied_state_is_exact)
{
    SceneStepper *stepper = steppers[_i % 2];
    Scene *a = build(_i / 2), *b = build(_i / 2);
    for (int i = 0; i < 500; i++) {
        sceneStep(a, stepper, 2e-3);
        sceneCopyState(b, a);
        ck_assert(sceneSameState(a, b));
        dRandSetSeed((unsigned long)i);
        sceneStep(a, stepper, 1e-3);
        dRandSetSeed((unsigned long)i);
        sceneStep(b, stepper, 1e-3);
        ck_assert(sceneSameState(a, b));
    }
    sceneDestroy(a);
    sceneDestroy(b);
}
END_TEST

START_TEST(growing_scenes_fall_in_one_piece)
{
    // numbers of bodies and joints by the formulas of scenes.h
    static const int bodies[] = {10, 14, 7, 7, 22}, joints[] = {10, 20, 10, 7, 22};
    Scene *scene = build(FIRST_GROWING + _i);
    ck_assert_int_eq(scene->bodyCount, bodies[_i]);
    ck_assert_int_eq(scene->jointCount, joints[_i]);
    double fastest = 0;
    for (int i = 0; i < 300; i++) {
        sceneStep(scene, dWorldStep, 1e-3);
        for (int k = 0; k < scene->jointCount; k++)
            ck_assert_double_lt(jointGap(scene->joint[k]), 1e-3);  // some h^2 g, at speeds of some m/s
        for (int k = 0; k < scene->bodyCount; k++)
            fastest = fmax(fastest, distance3(dBodyGetLinearVel(scene->body[k]), (const double[3]){0, 0, 0}));
    }
    ck_assert_double_gt(fastest, 0.5);
    ck_assert_double_lt(fastest, 10);
    sceneDestroy(scene);
}
END_TEST

START_TEST(zoo_is_lively_and_stays_sane)
{
    SceneStepper *stepper = steppers[_i];
    Scene *scene = sceneZoo();
    int contacts = 0, asleep = 0;
    for (int i = 0; i < 2000; i++) {
        sceneBeforeStep(scene);
        contacts = scene->contactCount > contacts ? scene->contactCount : contacts;
        stepper(scene->world, 2e-3);
        sceneAfterStep(scene);
        for (int k = 0; k < scene->bodyCount; k++) {
            const dReal *v = dBodyGetLinearVel(scene->body[k]);
            ck_assert_double_lt(distance3(v, (const double[3]){0, 0, 0}), 20);
            asleep += !dBodyIsEnabled(scene->body[k]);
        }
    }
    ck_assert_int_gt(contacts, 20);
    ck_assert_int_gt(asleep, 0);
    unsigned types = 0;
    for (int i = 0; i < scene->jointCount; i++)
        types |= 1u << dJointGetType(scene->joint[i]);
    for (int type = dJointTypeBall; type <= dJointTypeTransmission; type++)
        ck_assert_msg(type == dJointTypeContact || type == dJointTypeNull || (types >> type & 1), "no joint of type %d",
                      type);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("scenes");
    TCase *forms = tcase_create("closed forms"), *copies = tcase_create("copies");
    tcase_add_test(forms, pendulum_follows_paulus);
    tcase_add_test(forms, pendulum_keeps_its_energy);
    tcase_add_loop_test(forms, linkage_follows_banach, 0, 2);
    tcase_add_loop_test(forms, held_twice_has_the_right_sum, 0, 4);
    tcase_add_test(forms, hanging_chain_weighs_what_it_weighs);
    tcase_add_loop_test(copies, same_scene_twice, 0, 2 * SCENE_KINDS);
    tcase_add_loop_test(copies, copied_state_is_exact, 0, 2 * ZOO);  // joints of the zoo have a memory
    tcase_add_loop_test(copies, growing_scenes_fall_in_one_piece, 0, ZOO - FIRST_GROWING);
    tcase_add_loop_test(copies, zoo_is_lively_and_stays_sane, 0, 2);
    suite_add_tcase(suite, forms);
    suite_add_tcase(suite, copies);
    return runSuite(suite);
}

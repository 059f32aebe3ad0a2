/* check_mean_window.c  The window of mean forces: its length, and the events that begin a new
 * one. */
#include "tests/kits/support.h"

#include <fenv.h>

static const double exactTolerance = 1e-12; /* rounding of a force over its size */
static const double clockTolerance = 1e-12; /* sums of steps */
static const double window = 0.15;          /* s: the default */

enum { LINKS = 10 };

/* A falling chain under an inspector. */
typedef struct Run {
    Scene *scene;
    ksInspector *inspector;
} Run;

static Run begin(const ksInspectorOptions *options)
{
    Run run = {.scene = sceneChain(LINKS, SCENE_FALLING)};
    ck_assert_ptr_nonnull(run.scene);
    run.inspector = inspectWith(run.scene->world, options);
    return run;
}

static void end(Run *run)
{
    ksInspectorDestroy(run->inspector);
    sceneDestroy(run->scene);
}

static double meanTimeOf(ksInspector *inspector, dJointID joint)
{
    return ksInspectorGetReaction(inspector, joint)->meanTime;
}

/* The window grows from the first step on; then it has its length, or up to a block more. */
START_TEST(length_of_the_window)
{
    const double size[] = {1e-4, 7e-4, 1. / 600, 0.005, 1. / 60, 0.04, 0.2}, h = size[_i];
    ksInspectorOptions options = defaultOptions();
    options.meanWindow = _i % 2 ? window : 0.04;
    const double block = fmax(options.meanWindow / 16, h);
    Run run = begin(&options);
    dWorldSetGravity(run.scene->world, 0, 0, -0.1);
    double last = 0, longest = 0;
    for (int i = 1; i * h < 3 * options.meanWindow + 3 * h; i++) {
        CHECK_OK(ksInspectorStep(run.inspector, h));
        const double time = meanTimeOf(run.inspector, run.scene->joint[3]);
        if (i * h < options.meanWindow * (1 + clockTolerance))
            ck_assert_double_eq_tol(time, i * h, clockTolerance);
        else
            ck_assert_double_ge(time, options.meanWindow * (1 - clockTolerance));
        ck_assert_double_ge(time, last - block - h);
        longest = fmax(longest, time);
        last = time;
    }
    ck_assert_double_le(longest, fmax(options.meanWindow, h) + block + h + clockTolerance);
    end(&run);
}
END_TEST

START_TEST(bad_options)
{
    const double bad[] = {0, -1, NAN, INFINITY};
    dWorldID world = dWorldCreate();
    ksInspectorOptions options = defaultOptions();
    ck_assert_double_eq(options.meanWindow, window);
    options.meanWindow = bad[_i];
    ksInspector *inspector = NULL;
    feclearexcept(FE_ALL_EXCEPT);
    CHECK_STATUS(ksInspectorCreate(world, &options, &inspector), KS_ERROR_BAD_ARGUMENT);
    ck_assert_int_eq(fetestexcept(FE_ALL_EXCEPT), 0);
    dWorldDestroy(world);
}
END_TEST

static void steps(Run *run, int count)
{
    for (int i = 0; i < count; i++)
        CHECK_OK(ksInspectorQuickStep(run->inspector, 0.005));
}

/* Events that end a window, and events that do not. */
START_TEST(ends)
{
    enum { SLEEPS, IS_DISABLED, IS_PUT, IS_REPLACED, IS_PUSHED, IS_KEPT_IN_PLANE, IS_KEPT };
    Run run = begin(NULL);
    Scene *scene = run.scene;
    const dBodyID leaf = scene->body[LINKS - 1];
    dJointID joint = scene->joint[LINKS - 1];
    steps(&run, 10);
    const dReal *at = dBodyGetPosition(leaf), *v = dBodyGetLinearVel(leaf);
    switch (_i) {
    case SLEEPS:
        for (int i = 0; i < LINKS; i++)
            dBodyDisable(scene->body[i]);
        steps(&run, 1);
        ck_assert_double_eq(meanTimeOf(run.inspector, joint), 0);
        ck_assert(isnan(ksInspectorGetReaction(run.inspector, joint)->mean[0].force[0]));
        dBodyEnable(leaf);
        break;
    case IS_DISABLED:
        dJointDisable(joint);
        steps(&run, 1);
        ck_assert_double_eq(meanTimeOf(run.inspector, joint), 0);
        dJointEnable(joint);
        break;
    case IS_PUT:
        dBodySetPosition(leaf, at[0], at[1], at[2] - 0.01);
        break;
    case IS_REPLACED:
        dJointDestroy(joint);
        joint = dJointCreateHinge(scene->world, 0);
        dJointAttach(joint, leaf, scene->body[LINKS - 2]);
        break;
    case IS_PUSHED:
        dBodySetLinearVel(leaf, v[0], v[1], v[2] + 1);
        break;
    case IS_KEPT_IN_PLANE:
        dBodySetPosition(leaf, at[0], at[1] + 1e-6, at[2]);
        break;
    default:;
    }
    steps(&run, 1);
    ck_assert_double_eq_tol(meanTimeOf(run.inspector, joint), _i < IS_PUSHED ? 0.005 : 0.055, clockTolerance);
    steps(&run, 1);
    ck_assert_double_eq_tol(meanTimeOf(run.inspector, joint), _i < IS_PUSHED ? 0.01 : 0.06, clockTolerance);
    // other joints have other bodies
    ck_assert_double_eq_tol(meanTimeOf(run.inspector, scene->joint[0]),
                            _i == SLEEPS        ? 0.01
                            : _i == IS_DISABLED ? 0.065
                                                : 0.06,
                            clockTolerance);
    end(&run);
}
END_TEST

/* A motor whose largest force is zero has no rows: these steps count as zero force, and do not
 * interrupt the window. */
START_TEST(steps_without_rows)
{
    dWorldID world = dWorldCreate();
    dBodyID body = addBall(world, 2, 0.1, 0, 0);
    dJointID motor = dJointCreateLMotor(world, 0);
    dJointAttach(motor, body, NULL);
    dJointSetLMotorNumAxes(motor, 1);
    dJointSetLMotorAxis(motor, 0, 0, 1, 0, 0);
    dJointSetLMotorParam(motor, dParamVel, 100);
    ksInspector *inspector = inspect(world);
    for (int i = 0; i < 20; i++) {
        dJointSetLMotorParam(motor, dParamFMax, i % 2 ? 3 : 0);
        CHECK_OK(ksInspectorStep(inspector, 0.005));
    }
    const ksReaction *reaction = ksInspectorGetReaction(inspector, motor);
    ck_assert_double_eq_tol(reaction->meanTime, 0.1, clockTolerance);
    ck_assert_double_eq_tol(reaction->mean[0].force[0], 1.5, exactTolerance);
    ck_assert_double_eq_tol(reaction->motor[0].mean, 1.5, exactTolerance);
    ck_assert_double_eq_tol(2 * dBodyGetLinearVel(body)[0], 1.5 * reaction->meanTime, exactTolerance);
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
}
END_TEST

/* Memory for one joint of any type. */
static _Alignas(max_align_t) unsigned char place[1000];

static void *allocatePlace(size_t size)
{
    return size <= sizeof place ? place : NULL;
}

static void freeOther(void *block, size_t size)
{
    (void)size;
    if (block != place)
        free(block);
}

/* A joint at the address of a contact has a window, and a contact at the address of a joint has
 * none. */
START_TEST(contact_at_the_address_of_a_joint)
{
    dSetFreeHandler(freeOther);
    dWorldID world = dWorldCreate();
    const dBodyID body = addBall(world, 1, 0.1, 5, 0);
    const dContact contact = {.geom = {.normal = {0, 0, 1}}};
    ksInspector *inspector = inspectWith(world, NULL);
    dJointID last = NULL;
    for (int n = 0; n < 12; n++) {
        const bool isContact = n % 6 < 3;
        if (n % 3 == 0) {
            if (last)
                dJointDestroy(last);
            dSetAllocHandler(allocatePlace);
            const dJointID made =
                isContact ? dJointCreateContact(world, NULL, &contact) : dJointCreateBall(world, NULL);
            dSetAllocHandler(NULL);
            ck_assert_ptr_eq(made, place);
            dJointAttach(made, body, NULL);
            last = made;
        }
        CHECK_OK(ksInspectorStep(inspector, 0.005));
        ck_assert_double_eq_tol(meanTimeOf(inspector, last), 0.005 * (isContact ? 1 : n % 3 + 1), clockTolerance);
    }
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    dSetFreeHandler(NULL);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("mean window");
    tcase_add_loop_test(test, length_of_the_window, 0, 7);
    tcase_add_loop_test(test, bad_options, 0, 4);
    tcase_add_loop_test(test, ends, 0, 7);
    tcase_add_test(test, steps_without_rows);
    tcase_add_test(test, contact_at_the_address_of_a_joint);
    return runCase("mean window", test);
}

/* check_contact.c  Net contact wrenches and friction use, against statics. */
#include "box_kit.h"

static const double contactTolerance = 1e-5; /* QuickStep's last digits, and compliance of 1e-10 / h */
static const double zero[3] = {0, 0, 0};

static void checkWrench(const ksWrench *w, const double force[3], const double torque[3])
{
    for (int k = 0; k < 3; k++) {
        ck_assert_double_eq_tol(w->force[k], force[k], contactTolerance);
        ck_assert_double_eq_tol(w->torque[k], torque[k], contactTolerance);
    }
}

static void touch(dJointGroupID group, dBodyID a, dBodyID b, const double at[3], const dSurfaceParameters *surface)
{
    dContact contact = {
        .surface = *surface, .geom = {.pos = {at[0], at[1], at[2]}, .normal = {0, 0, 1}}, .fdir1 = {1, 0, 0}};
    dJointAttach(dJointCreateContact(world, group, &contact), a, b);
}

static void fourCorners(dJointGroupID group, dBodyID a, dBodyID b, double z, const dSurfaceParameters *surface)
{
    for (int i = 0; i < 4; i++) {
        const double at[3] = {(i & 1 ? 0.5 : -0.5) * size[0], (i & 2 ? 0.5 : -0.5) * size[1], z};
        touch(group, a, b, at, surface);
    }
}

/* Two boxes on the ground, the lower one pushed: what each pair passes on is unique, how the corners share it is not. */
START_TEST(net_contact_wrenches)
{
    const dSurfaceParameters rough = {.mode = dContactApprox1, .mu = 1};
    const double push = 5, weight = mass * SCENE_GRAVITY, half = size[2] / 2;
    dJointGroupID group = dJointGroupCreate(0);
    dBodyID top = makeBox(size[2]);
    ksWrench w;
    CHECK_STATUS(ksInspectorGetContactWrench(inspector, box, NULL, KS_ENGINE, NULL, &w), KS_ERROR_UNAVAILABLE);
    fourCorners(group, box, NULL, -half, &rough);
    fourCorners(group, top, box, half, &rough);
    dBodyAddForce(box, push, 0, 0);
    dWorldSetQuickStepNumIterations(world, 2000);
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    dJointGroupEmpty(group);
    const ksValue values[] = {KS_ENGINE, KS_CONVERGED};
    for (int i = 0; i < 2; i++) {
        const double carried[3] = {0, 0, weight}, passed[3] = {0, 0, -weight}, all[3] = {-push, 0, weight};
        CHECK_OK(ksInspectorGetContactWrench(inspector, top, box, values[i], NULL, &w));
        checkWrench(&w, carried, zero);
        CHECK_OK(ksInspectorGetContactWrench(inspector, box, top, values[i], NULL, &w));
        checkWrench(&w, passed, zero);
        CHECK_OK(ksInspectorGetContactWrench(inspector, box, NULL, values[i], NULL, &w));
        checkWrench(&w, all, zero);
        // about a corner: the moment of what acts at the mass centre
        const double corner[3] = {0.1, 0, -half}, torque[3] = {0, -push * half + weight * 0.1, 0};
        CHECK_OK(ksInspectorGetContactWrench(inspector, box, NULL, values[i], corner, &w));
        checkWrench(&w, all, torque);
    }
    ksWrench untouched = w;
    CHECK_STATUS(ksInspectorGetContactWrench(inspector, box, NULL, KS_PHYSICAL, NULL, &w), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksInspectorGetContactWrench(NULL, box, NULL, KS_ENGINE, NULL, &w), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorGetContactWrench(inspector, NULL, NULL, KS_ENGINE, NULL, &w), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorGetContactWrench(inspector, box, box, KS_ENGINE, NULL, &w), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorGetContactWrench(inspector, (dBodyID)&w, NULL, KS_ENGINE, NULL, &w), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksInspectorGetContactWrench(inspector, box, NULL, KS_ENGINE, NULL, NULL), KS_ERROR_BAD_ARGUMENT);
    ck_assert_mem_eq(&untouched, &w, sizeof w);
    CHECK_OK(ksInspectorStep(inspector, h));  // no contacts left
    CHECK_OK(ksInspectorGetContactWrench(inspector, box, NULL, KS_PHYSICAL, NULL, &w));
    checkWrench(&w, zero, zero);
    dJointGroupDestroy(group);
}
END_TEST

/* One contact below the mass centre, pushed there: it rests or slides, and does not roll. */
static const ksReaction *pushed(const dSurfaceParameters *surface, ksStepper stepper, double fx, double fy, double fz)
{
    const double at[3] = {0, 0, -size[2] / 2};
    dJointGroupID group = dJointGroupCreate(0);
    touch(group, box, NULL, at, surface);
    dBodyAddForceAtPos(box, fx, fy, fz, at[0], at[1], at[2]);
    CHECK_OK(inspectedStep(inspector, stepper, h));
    dJointGroupDestroy(group);
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, 1);
    return reaction;
}

START_TEST(friction_use)
{
    const double weight = mass * SCENE_GRAVITY;
    const ksStepper stepper = _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
    dWorldSetQuickStepNumIterations(world, 500);
    const struct {
        dSurfaceParameters surface;
        double push[2], use;
    } cases[] = {
        {{.mode = dContactApprox1, .mu = 0.5}, {3, 4}, 5 / (0.5 * weight)},
        {{.mode = dContactApprox1 | dContactMu2 | dContactFDir1, .mu = 0.5, .mu2 = 0.25},
         {2, 3},
         5 / weight * hypot(2 * 2, 4 * 3) / 5},
        {{.mode = 0, .mu = 10}, {3, 4}, 0.5},
        {{.mode = dContactApprox1, .mu = 0}, {3, 4}, 0},
        {{.mode = dContactApprox1, .mu = dInfinity}, {3, 4}, 0},
    };
    const ksReaction *reaction =
        pushed(&cases[_i / 2].surface, stepper, cases[_i / 2].push[0], cases[_i / 2].push[1], 0);
    const ksValue values[] = {KS_ENGINE, KS_CONVERGED};
    for (int i = 0; i < 2; i++) {
        double bound, normal;
        CHECK_OK(ksReactionGetFrictionUse(reaction, values[i], &bound, NULL));
        CHECK_OK(ksReactionGetFrictionUse(reaction, values[i], NULL, &normal));
        ck_assert_double_eq_tol(bound, cases[_i / 2].use, 1e-6);
        ck_assert_double_eq_tol(normal, cases[_i / 2].use, 1e-6);
    }
}
END_TEST

/* Sliding uses all of it, and in a corner of the pyramid more than the cone has. */
START_TEST(friction_use_sliding)
{
    const dSurfaceParameters rough = {.mode = dContactApprox1, .mu = 0.5};
    double bound, normal;
    dWorldSetQuickStepNumIterations(world, 500);
    const ksReaction *reaction = pushed(&rough, KS_QUICK_STEP, 30, 0, 0);
    CHECK_OK(ksReactionGetFrictionUse(reaction, KS_ENGINE, &bound, &normal));
    ck_assert_double_eq_tol(bound, 1, 1e-9);
    ck_assert_double_eq_tol(normal, 1, 1e-9);
    ksReaction copy = *reaction;
    CHECK_STATUS(ksReactionGetFrictionUse(&copy, KS_PHYSICAL, &bound, &normal), KS_ERROR_UNAVAILABLE);
    CHECK_STATUS(ksReactionGetFrictionUse(NULL, KS_ENGINE, &bound, &normal), KS_ERROR_BAD_ARGUMENT);
    CHECK_STATUS(ksReactionGetFrictionUse(&copy, (ksValue)3, &bound, &normal), KS_ERROR_BAD_ARGUMENT);
    copy.row = NULL;
    CHECK_STATUS(ksReactionGetFrictionUse(&copy, KS_ENGINE, &bound, &normal), KS_ERROR_UNAVAILABLE);
    copy.type = dJointTypeBall;
    CHECK_STATUS(ksReactionGetFrictionUse(&copy, KS_ENGINE, &bound, &normal), KS_ERROR_BAD_ARGUMENT);
    reaction = pushed(&rough, KS_QUICK_STEP, 30, 30, 0);
    CHECK_OK(ksReactionGetFrictionUse(reaction, KS_ENGINE, &bound, &normal));
    ck_assert_double_eq_tol(bound, sqrt(2), 1e-9);
    reaction = pushed(&rough, KS_WORLD_STEP, 0, 0, 30);  // lifted: no force, no bound
    CHECK_OK(ksReactionGetFrictionUse(reaction, KS_ENGINE, &bound, &normal));
    ck_assert(bound == 0 && normal == 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact");
    TCase *test = tcase_create("contact");
    tcase_add_checked_fixture(test, setUp, tearDown);
    tcase_add_test(test, net_contact_wrenches);
    tcase_add_loop_test(test, friction_use, 0, 10);
    tcase_add_test(test, friction_use_sliding);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

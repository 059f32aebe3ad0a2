/* check_format.c  Recordings of format 1 in tests/data, written once and for all: reading them
 * gives the original results. If this test fails, do not write them again: other people have such
 * files.
 *
 *     hanging-1.h5  ten steps of ODE, 0.01 s each, the last one dWorldQuickStep: bodies of 1, 2 and 3 kg hang at rest below each other, from
 *                   a ball that is called "top", by a hinge and by a fixed joint
 *     turning-1.h5  ten steps of no engine, 0.001 s each: a bar of 2 kg turns about the z axis at 2 rad/s, its centre 0.5 m from the hinge,
 *                   whose mean force over each step is recorded. Its words are differences from the expected ones; in the other
 *                   file, from those of the step before */
#include "tests/kits/report/judge_kit.h"

static const double g = 9.81;

/* The gaps that CFM causes: 1e-10, over a step of 0.01 s, for a mass of some kg. */
static const double softness = 1e-6;

static const ksReaction *reactionOf(ksInspector *inspector, dJointType type)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++)
        if (reaction[i].type == type)
            return &reaction[i];
    return NULL;
}

static void checkForce(const ksReaction *reaction, ksValue value, const double expected[3], double tolerance)
{
    ksWrench found;
    ck_assert_ptr_nonnull(reaction);
    CHECK_OK(ksReactionGetWrench(reaction, value, 0, KS_FRAME_WORLD, KS_POINT_MASS_CENTRE, &found));
    for (int k = 0; k < 3; k++)
        ck_assert_double_eq_tol(found.force[k], expected[k], tolerance);
}

static void checkWeights(ksInspector *inspector, int step, void *user)
{
    static const struct {
        dJointType type;
        double mass;
    } hung[] = {{dJointTypeBall, 6}, {dJointTypeHinge, 5}, {dJointTypeFixed, 3}};
    int *steps = user;
    for (int i = 0; i < 3; i++) {
        const ksReaction *reaction = reactionOf(inspector, hung[i].type);
        const double weight[3] = {0, 0, hung[i].mass * g};
        checkForce(reaction, KS_PHYSICAL, weight, softness * weight[2]);
        if (step < 9)
            checkForce(reaction, KS_ENGINE, weight, softness * weight[2]);
        checkForce(reaction, KS_CONVERGED, weight, softness * weight[2]);
    }
    const char *name = ksInspectorGetName(inspector, reactionOf(inspector, dJointTypeBall)->joint);
    ck_assert_str_eq(name ? name : "none", "top");
    ck_assert_int_eq(ksInspectorGetStepReport(inspector)->stepper, step < 9 ? KS_WORLD_STEP : KS_QUICK_STEP);
    *steps += 1;
}

static void checkTurning(ksInspector *inspector, int step, void *user)
{
    static const double inward = 2 * 0.5 * 2 * 2;
    const double angle = 0.3 + 0.002 * step, expected[3] = {-inward * cos(angle), -inward * sin(angle), 2 * g};
    int *steps = user;
    const ksReaction *reaction = reactionOf(inspector, dJointTypeHinge);
    checkForce(reaction, KS_PHYSICAL, expected, 1e-11);
    // the mean over the step: half a step on, by 0.001 rad, and smaller by its square
    const double mean[3] = {-inward * cos(angle + 0.001), -inward * sin(angle + 0.001), 2 * g};
    checkForce(reaction, KS_ENGINE, mean, 1e-6 * inward);
    checkForce(reaction, KS_OBSERVED, mean, 0.001 * inward);
    ck_assert_str_eq(ksVerdictName(reaction->verdict), "KS_VALID");
    ck_assert_int_eq(ksInspectorGetStepReport(inspector)->stepper, KS_FOREIGN_STEP);
    *steps += 1;
}

START_TEST(format_1)
{
    int hanging = 0, turning = 0;
    judgeFile(TEST_DATA "hanging-1.h5", checkWeights, &hanging);
    judgeFile(TEST_DATA "turning-1.h5", checkTurning, &turning);
    ck_assert_int_eq(hanging, 10);
    ck_assert_int_eq(turning, 10);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("format");
    tcase_add_test(tcase, format_1);
    return runCase("format", tcase);
}

/* check_torn.c  Statements about uncertain physical values: the engine's share of a value, a bar
 * above the tolerance, the motion's effect on bars, and no value where a loop is torn. */
#include "tests/kits/support.h"

#include "demos/scenes/scenes_private.h"

#include <kinetostat/loads.h>

#include <math.h>

static const double h = 0.005, linkLength = 0.5;
enum { LINKS = 6 };

/* A rope of six links that hangs between two points, and falls into a V; its middle joint has the
 * gap `gap`. */
static Scene *rope(double gap)
{
    Scene *scene = sceneCreate(LINKS, LINKS + 1);
    const double slope = 0.6, step[2] = {linkLength * cos(slope), linkLength * sin(slope)};
    for (int i = 0; i < LINKS; i++) {
        const double down = i < LINKS / 2 ? i + 0.5 : LINKS - i - 0.5;
        sceneAddSphere(scene, 1, 0.1, (i + 0.5) * step[0], 0, -down * step[1]);
    }
    for (int i = 0; i <= LINKS; i++) {
        const int down = i < LINKS / 2 ? i : LINKS - i;
        sceneAddBall(scene, i < LINKS ? scene->body[i] : scene->body[LINKS - 1],
                     i > 0 && i < LINKS ? scene->body[i - 1] : NULL,
                     (const double[3]){i * step[0], 0, -down * step[1]});
    }
    for (int i = LINKS / 2; i < LINKS; i++) {
        const dReal *at = dBodyGetPosition(scene->body[i]);
        dBodySetPosition(scene->body[i], at[0], at[1], at[2] - gap);
    }
    return scene;
}

static void count(const ksThresholdEvent *event, void *user)
{
    *(int *)user += event->phase == KS_THRESHOLD_ENTERED;
}

START_TEST(torn_ropes_have_no_physical_value)
{
    Scene *scene = rope(0.4);
    ksInspector *inspector = inspect(scene->world);
    ksThreshold limits;
    int calls = 0;
    ksThresholdInit(&limits);
    limits.forceMagnitude = 1e-6;
    CHECK_OK(ksInspectorOnThreshold(inspector, scene->joint[0], &limits, count, &calls));
    CHECK_OK(ksInspectorQuickStep(inspector, h));
    for (int i = 0; i <= LINKS; i++) {
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[i]);
        ck_assert_uint_ne(reaction->reasons & KS_REASON_PHYSICAL, 0);
        ck_assert_int_eq(reaction->physicalSource, KS_FROM_NOWHERE);
        ck_assert_double_nan(reaction->physical[0].force[0]);
        ck_assert_double_nan(reaction->physicalErrorBar);
        ck_assert_double_nan(reaction->row[0].adopted);
        // its own equations still have a solution
        ck_assert_double_finite(reaction->converged[0].force[0]);
        ck_assert_int_ne(reaction->verdict, KS_UNCHECKED);
    }
    ck_assert_int_eq(calls, 0);
    ksWrenchSum sum;
    const ksWrenchTerm term[] = {{.joint = scene->joint[0], .body = scene->body[0]},
                                 {.joint = scene->joint[LINKS], .body = scene->body[LINKS - 1]}};
    CHECK_STATUS(ksInspectorSumWrenches(inspector, term, 2, KS_PHYSICAL, NULL, &sum), KS_ERROR_UNAVAILABLE);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* The less the rows hold a direction, the larger is the engine's share in it: all of a rope's slow
 * modes, little of a single row. */
START_TEST(what_is_adopted_grows_with_the_gap)
{
    static const double gap[] = {1e-7, 1e-4, 1e-3, 1e-2};
    double before = 0;
    for (size_t i = 0; i < sizeof gap / sizeof *gap; i++) {
        Scene *scene = rope(gap[i]);
        ksInspector *inspector = inspect(scene->world);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        double most = 0;
        for (int k = 0; k <= LINKS; k++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[k]);
            for (int l = 0; l < reaction->rowCount; l++)
                most = fmax(most, reaction->row[l].adopted);
        }
        ck_assert_double_le(most, 1);
        if (i == 0)
            ck_assert_double_eq(most, 0);
        else
            ck_assert_double_gt(most, 2 * before);
        before = most;
        ksInspectorDestroy(inspector);
        sceneDestroy(scene);
    }
}
END_TEST

/* Under dWorldStep the bars are short at rest. */
START_TEST(long_bars_are_marked)
{
    static const ksStepper stepper[] = {KS_QUICK_STEP, KS_WORLD_STEP};
    Scene *scene = _i ? sceneTree(LINKS) : rope(0);
    dWorldSetQuickStepNumIterations(scene->world, 5);
    ksInspector *inspector = inspect(scene->world);
    int marked = 0, unmarked = 0;
    for (int i = 0; i < 100; i++) {
        CHECK_OK(inspectedStep(inspector, stepper[_i], h));
        for (int k = 0; k < scene->jointCount; k++) {
            const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[k]);
            const bool isLong = !(reaction->physicalErrorBar <= defaultOptions().tolerance);
            ck_assert_int_eq((reaction->reasons & KS_REASON_PHYSICAL) != 0, isLong);
            marked += isLong;
            unmarked += !isLong;
        }
    }
    ck_assert_int_gt(_i ? unmarked : marked, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

/* One window after the other: the mean error of a joint's values over a window is in its bar from
 * then on, whatever the bar would be otherwise. */
START_TEST(the_motion_lengthens_bars)
{
    const int window = 32;  // steps: 0.15 s and more
    Scene *scene = sceneTree(LINKS);
    dWorldSetQuickStepNumIterations(scene->world, 3);
    ksInspector *inspector = inspect(scene->world);
    double sum[3] = {0}, mean = 0;
    for (int i = 0; i < 3 * window; i++) {
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        const ksReaction *reaction = ksInspectorGetReaction(inspector, scene->joint[0]);
        for (int k = 0; k < 3; k++)
            sum[k] = (i % window ? sum[k] : 0) + reaction->engine[0].force[k] - reaction->physical[0].force[k];
        if (mean > 0) {
            double bar = 0;
            for (int l = 0; l < reaction->rowCount; l++)
                bar = hypot(bar, reaction->row[l].physicalBar);
            ck_assert_double_ge(bar, (1 - 1e-9) * mean);
        }
        if ((i + 1) % window == 0)
            mean = length3(sum) / window;
    }
    ck_assert_double_gt(mean, 0);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("torn");
    tcase_add_test(tests, torn_ropes_have_no_physical_value);
    tcase_add_test(tests, what_is_adopted_grows_with_the_gap);
    tcase_add_loop_test(tests, long_bars_are_marked, 0, 2);
    tcase_add_test(tests, the_motion_lengthens_bars);
    return runCase("torn", tests);
}

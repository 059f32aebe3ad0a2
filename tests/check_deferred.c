/* check_deferred.c  Steps that are inspected later, on another thread: the same is found as in place, bit by bit, whatever the
 * timing. */
#include "deferred_kit.h"

#include <fenv.h>

static const double h = 0.005;
enum { steps = 60 };

/* One world that is seen at once and later. */
typedef struct Twin {
    Scene *scene;
    ksInspector *now, *later;
    Executor executor;
    size_t judged; /* reactions with rows that were compared */
} Twin;

static void openTwin(Twin *twin, Scene *scene, const ksInspectorOptions *options, Timing timing)
{
    ksInspectorOptions own = options ? *options : defaultOptions();
    ck_assert_ptr_nonnull(scene);
    *twin = (Twin){.scene = scene, .executor = {.timing = timing, .random = 1}};
    twin->now = inspectWith(scene->world, options);
    twin->later = inspectLater(scene->world, &own, &twin->executor);
}

static void closeTwin(Twin *twin)
{
    ksInspectorDestroy(twin->now);
    ksInspectorDestroy(twin->later);
    sceneDestroy(twin->scene);
}

static int engineStep(dWorldID world, ksStepper stepper)
{
    return stepper == KS_WORLD_STEP ? dWorldStep(world, h) : dWorldQuickStep(world, h);
}

static void stepTwin(Twin *twin, ksStepper stepper)
{
    CHECK_OK(ksInspectorBeginStep(twin->now, stepper, h));
    CHECK_OK(ksInspectorBeginStep(twin->later, stepper, h));
    ck_assert(engineStep(twin->scene->world, stepper));
    CHECK_OK(ksInspectorEndStep(twin->later));
    CHECK_OK(ksInspectorEndStep(twin->now));
}

static void compareTwin(Twin *twin)
{
    size_t count, second;
    const ksReaction *b = ksInspectorGetReactions(twin->later, &second);
    const ksReaction *a = ksInspectorGetReactions(twin->now, &count);
    ck_assert_uint_eq(count, second);
    for (size_t i = 0; i < count; i++) {
        compareReaction(&a[i], &b[i]);
        SAME(&a[i], &b[i], joint);
        SAME(&a[i], &b[i], body);
        SAME(&a[i], &b[i], step);
        SAME(&a[i], &b[i], time);
        twin->judged += a[i].rowCount > 0;
    }
    const ksStepReport *p = ksInspectorGetStepReport(twin->now), *q = ksInspectorGetStepReport(twin->later);
    compareReports(p, q);
    SAME(p, q, worstJoint);
    SAME(p, q, worstBody);
    SAME(p, q, worstError);
    SAME(p, q, step);
    SAME(p, q, inspected);
    SAME(p, q, culprit);
    SAME(p, q, rank);
}

/* Where nobody asks, the next step begins before the last one is inspected. */
static void judge(Scene *scene, const ksInspectorOptions *options, ksStepper stepper, Timing timing)
{
    Twin twin;
    openTwin(&twin, scene, options, timing);
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        stepTwin(&twin, stepper);
        if (i % 3 == 0)
            compareTwin(&twin);
        sceneAfterStep(scene);
    }
    compareTwin(&twin);
    ck_assert_uint_gt(twin.judged, steps / 3);
    closeTwin(&twin);
}

static Scene *makeKind(int kind)
{
    const SceneKind *machine = &sceneKind[kind];
    return machine->make(&sceneSurface[SURFACE_APPROX1], h);
}

static int kindCount(void)
{
    int count = 0;
    while (sceneKind[count].name)
        count++;
    return count;
}

START_TEST(machines)
{
    judge(makeKind(_i / 2), NULL, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, (Timing)(_i / 2 % TIMINGS));
}
END_TEST

START_TEST(zoo)
{
    judge(sceneZoo(), NULL, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, (Timing)(_i / 2));
}
END_TEST

/* Joints come and go, at the addresses of others too; bodies as well. */
START_TEST(comings_and_goings)
{
    Twin twin;
    openTwin(&twin, sceneChain(8, SCENE_FALLING), NULL, (Timing)_i);
    Scene *scene = twin.scene;
    for (int i = 0; i < steps; i++) {
        const int at = i % 7 + 1;
        dJointDestroy(scene->joint[at]);
        if (i % 3) {
            scene->joint[at] = dJointCreateBall(scene->world, NULL);
            dJointAttach(scene->joint[at], scene->body[at], scene->body[at - 1]);
            const dReal *middle = dBodyGetPosition(scene->body[at]);
            dJointSetBallAnchor(scene->joint[at], middle[0], middle[1], middle[2]);
        } else {
            scene->joint[at] = dJointCreateFixed(scene->world, NULL);
            dJointAttach(scene->joint[at], NULL, scene->body[at]);
            dJointSetFixed(scene->joint[at]);
        }
        if (i == 30) {
            dBodyDestroy(scene->body[7]);
            scene->body[7] = addBall(scene->world, 1, 0.1, 5, 5);
        }
        stepTwin(&twin, KS_QUICK_STEP);
        if (i % 2)
            compareTwin(&twin);
    }
    closeTwin(&twin);
}
END_TEST

int main(void)
{
    dInitODE2(0);
    Suite *suite = suite_create("deferred");
    TCase *same = tcase_create("same");
    tcase_set_timeout(same, 60);
    tcase_add_loop_test(same, machines, 0, 2 * kindCount());
    tcase_add_loop_test(same, zoo, 0, 2 * TIMINGS);
    tcase_add_loop_test(same, comings_and_goings, 0, TIMINGS);
    suite_add_tcase(suite, same);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    dCloseODE();
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* check_scenes_drift.c  The machines that drift, against the plain engine: each can be stepped, and
 * its closed forms are the forces that dWorldStep reports in small steps. */
#include "demos/scenes/drift.h"
#include "tests/kits/suite.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>

static void setup(void)
{
    dRandSetSeed(1);
}

START_TEST(every_machine_holds_together)
{
    const double stepSize = 1e-3, away = 0.05;
    enum { STEPS = 20 };
    const DriftScene *kind = &driftScenes[_i];
    Scene *scene = kind->make(&sceneSurface[SURFACE_APPROX1], stepSize);
    ck_assert_ptr_nonnull(scene);
    for (int i = 0; i < STEPS; i++)
        sceneStep(scene, dWorldStep, stepSize);
    for (int j = 0; j < scene->jointCount; j++) {
        dVector3 a, b;
        if (dJointGetType(scene->joint[j]) != dJointTypeBall)
            continue;
        dJointGetBallAnchor(scene->joint[j], a);
        dJointGetBallAnchor2(scene->joint[j], b);
        ck_assert_double_lt(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]), away);
    }
    sceneDestroy(scene);
}
END_TEST

START_TEST(closed_forms_are_the_forces_of_small_steps)
{
    // the engine's step is of first order in its size
    const double stepSize = 1e-4, tolerance = 5e-3;
    enum { STEPS = 300 };
    const DriftScene *kind = &driftScenes[_i];
    if (!kind->force)
        return;
    Scene *scene = kind->make(&sceneSurface[SURFACE_APPROX1], stepSize);
    ck_assert_ptr_nonnull(scene);
    dJointFeedback *feedback = calloc((size_t)scene->jointCount, sizeof *feedback);
    ck_assert_ptr_nonnull(feedback);
    for (int j = 0; j < scene->jointCount; j++)
        dJointSetFeedback(scene->joint[j], &feedback[j]);
    for (int i = 0; i < STEPS; i++)
        sceneStep(scene, dWorldStep, stepSize);
    for (int j = 0; j < scene->jointCount; j++) {
        DriftForce form;
        if (!kind->force(scene, j, &form))
            continue;
        double difference = 0, load = 0;
        const dReal *f = dJointGetBody(scene->joint[j], 0) == form.body ? feedback[j].f1 : feedback[j].f2;
        for (int c = 0; c < form.count; c++) {
            difference = fmax(difference, fabs(dCalcVectorDot3(form.axis[c], f) - form.value[c]));
            load = fmax(load, fabs(form.value[c]));
        }
        ck_assert_double_le(difference, tolerance * load);
    }
    sceneDestroy(scene);
    free(feedback);
}
END_TEST

int main(void)
{
    int count = 0;
    while (driftScenes[count].name)
        count++;
    TCase *tcase = tcase_create("drift");
    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_loop_test(tcase, every_machine_holds_together, 0, count);
    tcase_add_loop_test(tcase, closed_forms_are_the_forces_of_small_steps, 0, count);
    return runCase("scenes_drift", tcase);
}

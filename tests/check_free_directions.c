/* check_free_directions.c  Machines that dWorldQuickStep leaves out of place: what mechanics leaves open of a joint, in its joints' own
 * geometry, is what is published of it in each step, whichever rows are at their bounds; and their supports carry together what
 * momentum says. */
#include "demos/scenes_drift.h"
#include "tests/support.h"

enum { STEPS = 100 };
static const double kStepSizes[] = {5e-3, 10e-3};

/* What is open of each joint, if it has a physical value. */
static void checkJoints(ksInspector *inspector, const DriftScene *kind, const Scene *scene)
{
    for (int j = 0; j < scene->jointCount; j++) {
        const ksReaction *r = ksInspectorGetReaction(inspector, scene->joint[j]);
        if (!r || r->verdict == KS_NOT_SOLVED || isnan(r->physical[r->body[0] ? 0 : 1].force[0]))
            continue;
        ck_assert_msg(r->freeCount == kind->freeCount(scene, j), "%s, step %lu, joint %d: %d directions, not %d",
                      kind->name, scene->step, j, r->freeCount, kind->freeCount(scene, j));
    }
}

/* All that the world holds. */
static size_t findSupports(const Scene *scene, ksWrenchTerm *term)
{
    size_t count = 0;
    for (int j = 0; j < scene->jointCount; j++) {
        dBodyID a = dJointGetBody(scene->joint[j], 0), b = dJointGetBody(scene->joint[j], 1);
        if (a && !b && !dBodyIsKinematic(a))
            term[count++] = (ksWrenchTerm){.joint = scene->joint[j], .body = a};
    }
    return count;
}

START_TEST(what_is_open_is_what_mechanics_leaves_open)
{
    const DriftScene *kind = &driftScenes[_i / 2];
    const double h = kStepSizes[_i % 2];
    if (!kind->freeCount)
        return;
    Scene *scene = kind->make(&sceneSurface[SURFACE_APPROX1], h);
    ck_assert_ptr_nonnull(scene);
    ksWrenchTerm *support = calloc((size_t)scene->jointCount, sizeof *support);
    ck_assert_ptr_nonnull(support);
    const size_t supports = findSupports(scene, support);
    ksInspector *inspector = inspect(scene->world);
    dWorldSetQuickStepNumIterations(scene->world, 20);
    for (int i = 0; i < STEPS; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        checkJoints(inspector, kind, scene);
        for (int value = KS_CONVERGED; supports && value <= KS_PHYSICAL; value++) {
            ksWrenchSum sum;
            const ksStatus status = ksInspectorSumWrenches(inspector, support, supports, (ksValue)value, NULL, &sum);
            ck_assert_msg(status || sum.freeCount == 0, "%s, step %d: the sum has %d free directions", kind->name, i,
                          sum.freeCount);
        }
        sceneAfterStep(scene);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    free(support);
}
END_TEST

int main(void)
{
    int count = 0;
    while (driftScenes[count].name)
        count++;
    Suite *suite = suite_create("free_directions");
    TCase *tests = tcase_create("free_directions");
    tcase_add_loop_test(tests, what_is_open_is_what_mechanics_leaves_open, 0, 2 * count);
    suite_add_tcase(suite, tests);
    return runSuite(suite);
}

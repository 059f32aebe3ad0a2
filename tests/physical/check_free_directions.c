/* check_free_directions.c  Machines whose joints have drifted apart: far under dWorldQuickStep, and
 * less under other steppers. In each step the published free directions of a joint follow from
 * geometry, whichever rows are at their bounds; and the sum over the supports satisfies
 * momentum. */
#include "demos/scenes/drift.h"
#include "tests/kits/support.h"

enum { STEPS = 100 };
static const struct {
    ksStepper stepper;
    double stepSize;
} kRuns[] = {{KS_QUICK_STEP, 5e-3},
             {KS_QUICK_STEP, 10e-3},
             {KS_WORLD_STEP, 1e-3},
             {KS_WORLD_STEP, 10e-3},
             {KS_EXACT_STEP, 5e-3}};
enum { RUNS = sizeof kRuns / sizeof *kRuns };

/* Checks the free directions of each joint with a physical value. */
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

/* A sensor and the sum over this joint alone leave the same components undetermined. */
static void compareSensors(ksInspector *inspector, const DriftScene *kind, const Scene *scene)
{
    ksSensor sensor;
    ksSensorInit(&sensor);
    sensor.frame = KS_FRAME_WORLD;
    sensor.point = KS_POINT_MASS_CENTRE;
    for (int j = 0; j < scene->jointCount; j++) {
        const ksReaction *r = ksInspectorGetReaction(inspector, scene->joint[j]);
        const ksWrenchTerm term = {.joint = scene->joint[j], .body = r ? r->body[0] : NULL};
        ksWrenchSum sum;
        ksWrench reading;
        if (!term.body || ksSensorRead(&sensor, r, &reading) ||
            ksInspectorSumWrenches(inspector, &term, 1, KS_PHYSICAL, NULL, &sum))
            continue;
        for (int k = 0; k < 3; k++) {
            ck_assert_msg(isnan(reading.force[k]) == !(sum.unique >> (KS_LIMIT_FORCE_X + k) & 1u),
                          "%s, step %lu, joint %d: force %d is %g", kind->name, scene->step, j, k, reading.force[k]);
            ck_assert_msg(isnan(reading.torque[k]) == !(sum.unique >> (KS_LIMIT_TORQUE_X + k) & 1u),
                          "%s, step %lu, joint %d: torque %d is %g", kind->name, scene->step, j, k, reading.torque[k]);
        }
    }
}

/* Lists the supports on the world. */
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

static int countScenes(void)
{
    int count = 0;
    while (driftScenes[count].name)
        count++;
    return count;
}

START_TEST(what_is_open_is_what_mechanics_leaves_open)
{
    const DriftScene *kind = &driftScenes[_i % countScenes()];
    const int run = _i / countScenes();
    const double h = kRuns[run].stepSize;
    if (!kind->freeCount)
        return;
    Scene *scene = kind->make(&sceneSurface[SURFACE_APPROX1], h);
    ck_assert_ptr_nonnull(scene);
    ksWrenchTerm *support = calloc((size_t)scene->jointCount, sizeof *support);
    ck_assert_ptr_nonnull(support);
    const size_t supports = findSupports(scene, support);
    // solved contacts would leave smaller gaps in the joints
    ksInspectorOptions options = defaultOptions();
    options.exactContacts = KS_EXACT_CONTACTS_SWEPT;
    ksInspector *inspector = inspectWith(scene->world, &options);
    dWorldSetQuickStepNumIterations(scene->world, 20);
    for (int i = 0; i < STEPS; i++) {
        sceneBeforeStep(scene);
        CHECK_OK(inspectedStep(inspector, kRuns[run].stepper, h));
        checkJoints(inspector, kind, scene);
        compareSensors(inspector, kind, scene);
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
    const int count = countScenes();
    Suite *suite = suite_create("free_directions");
    TCase *tests = tcase_create("free_directions"), *more = tcase_create("other runs");
    tcase_add_loop_test(tests, what_is_open_is_what_mechanics_leaves_open, 0, count);
    tcase_add_loop_test(more, what_is_open_is_what_mechanics_leaves_open, count, RUNS * count);
    tcase_set_tags(more, "long");
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}

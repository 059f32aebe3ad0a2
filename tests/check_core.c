/* check_core.c  Islands of real steps by plugin/core/, against both routes of plugin/mechanics/. */
#include "tests/core_kit.h"
#include "tests/support.h"

static void runScene(Scene *scene, int steps, CoreTally *tally)
{
    CoreTwin *twin = coreTwin();
    ksInspector *inspector = inspect(scene->world);
    for (int s = 0; s < steps; s++) {
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
        sceneAfterStep(scene);
        coreCompareStep(twin, inspector, tally);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    coreTwinFree(twin);
}

/* All machines of the catalogue. */
START_TEST(machines)
{
    const SceneKind *kind = &sceneKind[_i];
    CoreTally tally = {.islands = 0};
    runScene(kind->make(&sceneSurface[SURFACE_APPROX1], 0.005), 40, &tally);
    coreJudge(kind->name, &tally);
}
END_TEST

/* Scenes of any size: long chains, trees, hubs, rows and grids of loops with redundant rows and without. */
START_TEST(structures)
{
    const char *name[] = {"chain", "tree", "star", "ragdolls", "hinged loops", "loops", "four-bars", "grid", "zoo"};
    Scene *scene = _i == 0   ? sceneChain(100, SCENE_FALLING)
                   : _i == 1 ? sceneTree(127)
                   : _i == 2 ? sceneStar(60)
                   : _i == 3 ? sceneRagdolls(3)
                   : _i == 4 ? sceneLoops(1, 20, COUPLER_HINGED)
                   : _i == 5 ? sceneLoops(1, 30, COUPLER_BALL_UNIVERSAL)
                   : _i == 6 ? sceneLoops(5, 1, COUPLER_HINGED)
                   : _i == 7 ? sceneGrid(5, 5)
                             : sceneZoo();
    CoreTally tally = {.islands = 0};
    runScene(scene, 10, &tally);
    coreJudge(name[_i], &tally);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("core");
    TCase *tcase = tcase_create("core");
    int kinds = 0;
    while (sceneKind[kinds].name)
        kinds++;
    tcase_add_loop_test(tcase, machines, 0, kinds);
    tcase_add_loop_test(tcase, structures, 0, 9);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

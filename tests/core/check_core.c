/* check_core.c  Islands of real steps by plugin/core/, against both routes of plugin/mechanics/. */
#include "tests/core/core_kit.h"
#include "tests/kits/support.h"

/* Least share of a self-stress in the load; and the rounding of that share in multipliers without
 * it. */
static const double kStress = 1e-4, kAcross = 1e-10;

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

/* Scenes of any size: long chains, trees, hubs, rows and grids of loops, with and without redundant
 * rows. */
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

/* Multipliers of column 0, in unit rows of the kinematic metric. */
static int takeMultipliers(const CoreTwin *twin, double *unitLambda)
{
    int rows = 0;
    for (int i = 0; i < twin->joints; i++) {
        const ksiConstraint *c = ksiCoreConstraint(&twin->core, i);
        for (int l = 0; l < c->rows; l++)
            unitLambda[rows++] = sqrt(c->unit2[l]) * c->lambda[l][0];
    }
    return rows;
}

/* Many loops of parallel hinges have three self-stresses each. The least multipliers contain no
 * part of them, and they are solutions like the others. */
START_TEST(manyLoops)
{
    static double least[CORE_MOST], other[CORE_MOST];
    const int loops = _i == 0 ? 120 : _i == 1 ? 64 : 400;
    Scene *scene = _i == 0 ? sceneLoops(1, 120, COUPLER_HINGED) : _i == 1 ? sceneGrid(8, 8) : sceneGrid(20, 20);
    CoreTwin *twin = coreTwin();
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = CORE_MOST;
    ksInspector *inspector = inspectWith(scene->world, &options);
    CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
    ck_assert(coreSolve(twin, inspector, 0, CORE_RIGID));
    ck_assert_int_eq(twin->core.stresses, 3 * loops);
    for (int i = 0; i < KSI_CORE_ROWS * twin->joints; i++)
        twin->reference[i / KSI_CORE_ROWS][i % KSI_CORE_ROWS] = 100 * sin(i);
    for (int which = 0; which < 2; which++) {
        ksiCoreProject(&twin->core, 0, which ? twin->reference : NULL);
        coreCheckSolution(twin);
        takeMultipliers(twin, which ? other : least);
    }
    double along = 0, least2 = 0, stress2 = 0;
    for (int l = takeMultipliers(twin, other); l-- > 0;) {
        along += least[l] * (other[l] - least[l]);
        least2 += least[l] * least[l];
        stress2 += (other[l] - least[l]) * (other[l] - least[l]);
    }
    ck_assert_double_gt(stress2, kStress * least2);
    ck_assert_double_lt(fabs(along), kAcross * sqrt(least2 * stress2));
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    coreTwinFree(twin);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("core");
    int kinds = 0;
    while (sceneKind[kinds].name)
        kinds++;
    tcase_add_loop_test(tcase, machines, 0, kinds);
    tcase_add_loop_test(tcase, structures, 0, 9);
    tcase_add_loop_test(tcase, manyLoops, 0, 3);
    return runCase("core", tcase);
}

/* core.c  What the core's parts cost on an island of a real step, under callgrind: core SCENE SIZE PART ROUNDS. Parts: none, factor,
 * sweep, certify, paulus, inverse, relax, values (both values of a step: factor, sweep, certificate and Paulus twice, sizes once). */
#include "tests/core_kit.h"
#include "tests/support.h"

static const char *part;
static int rounds;
static Scene *scene;

static void run(ksiCore *core, const char *name)
{
    ksiCertificate found;
    const bool all = !strcmp(name, "values");
    if (all || !strcmp(name, "factor"))
        CHECK_OK(ksiCoreFactor(core));
    if (all || !strcmp(name, "sweep"))
        ksiCoreSweep(core);
    if (all || !strcmp(name, "certify"))
        ksiCoreCertify(core, &found);
    if (all || !strcmp(name, "paulus"))
        ksiCorePaulus(core);
}

START_TEST(measure)
{
    CoreTwin *twin = coreTwin();
    ksInspector *inspector = inspect(scene->world);
    for (int s = 0; s < 3; s++)
        CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
    ck_assert(coreSolve(twin, inspector, 0, CORE_DISCRETE));
    for (int i = 0; i < rounds; i++) {
        run(&twin->core, part);
        if (!strcmp(part, "values"))
            run(&twin->core, part);
        if (!strcmp(part, "values") || !strcmp(part, "inverse"))
            ksiCoreInverse(&twin->core);
        if (!strcmp(part, "values") || !strcmp(part, "relax"))
            ksiCoreRelax(&twin->core);
    }
    ksInspectorDestroy(inspector);
    coreTwinFree(twin);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 5)
        return 2;
    dInitODE2(0);
    const int size = atoi(argv[2]);
    scene = !strcmp(argv[1], "chain")   ? sceneChain(size, SCENE_FALLING)
            : !strcmp(argv[1], "tree")  ? sceneTree(size)
            : !strcmp(argv[1], "loops") ? sceneLoops(1, size, COUPLER_HINGED)
                                        : sceneGrid(size, size);
    part = argv[3];
    rounds = atoi(argv[4]);
    Suite *suite = suite_create("core");
    TCase *tcase = tcase_create("core");
    tcase_add_test(tcase, measure);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

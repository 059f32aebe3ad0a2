/* core.c  The parts of plugin/core/ on an island of a real step, for callgrind to count: core SCENE SIZE PART ROUNDS; see core.sh. The part
 * `values` is what both values of a step need: all the others, and factor, sweep, certify and paulus twice. */
#include "tests/core_kit.h"
#include "tests/support.h"

static const char *part;
static int rounds;
static Scene *scene;

/* A part, if it is asked for. */
static bool is(const char *name)
{
    return !strcmp(part, name) || !strcmp(part, "values");
}

static void run(ksiCore *core)
{
    ksiCertificate found;
    if (is("factor"))
        CHECK_OK(ksiCoreFactor(core));
    if (is("sweep"))
        ksiCoreSweep(core);
    if (is("certify"))
        ksiCoreCertify(core, &found);
    if (is("paulus"))
        ksiCorePaulus(core);
}

START_TEST(measure)
{
    double motion;
    CoreTwin *twin = coreTwin();
    ksInspector *inspector = inspect(scene->world);
    for (int s = 0; s < 3; s++)
        CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
    ck_assert(coreSolve(twin, inspector, 0, strcmp(part, "stress") ? CORE_DISCRETE : CORE_RIGID));
    for (int i = 0; i < rounds; i++) {
        if (is("relax"))
            ksiCoreRelax(&twin->core);
        if (!strcmp(part, "rank") || !strcmp(part, "stress"))
            CHECK_OK(ksiCoreRank(&twin->core, 1e-8));
        if (!strcmp(part, "stress"))
            CHECK_OK(ksiCoreStress(&twin->core, &motion));
        run(&twin->core);
        if (is("inverse"))
            ksiCoreInverse(&twin->core);
        if (!strcmp(part, "values"))
            run(&twin->core);
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

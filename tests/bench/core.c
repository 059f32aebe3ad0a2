/* core.c  The parts of plugin/core/ on islands of real steps, each in a function of its own for
 * callgrind: core SCENE SIZE ROUNDS; see core.sh. */
#include "inspector/phases.h"
#include "tests/core/core_kit.h"
#include "tests/kits/inside_kit.h"
#include "tests/kits/support.h"

#define MEASURED static __attribute__((noinline)) void

/* Steps until the joints have drifted apart. */
enum { DRIFTING = 120 };

static int rounds;
static Scene *scene;

MEASURED measureRank(ksiCore *core)
{
    CHECK_OK(ksiCoreRank(core, 1e-8));
}

MEASURED measureStress(ksiCore *core)
{
    ksiCoreMotion motion;
    CHECK_OK(ksiCoreStress(core, &motion));
}

MEASURED measureFactor(ksiCore *core)
{
    CHECK_OK(ksiCoreFactor(core));
}

/* Only where the rank is not known yet. */
MEASURED measureRigid(ksiCore *core)
{
    if (!core->isRigid)
        CHECK_OK(ksiCoreFactor(core));
}

MEASURED measureSweep(ksiCore *core)
{
    ksiCoreSweep(core);
}

MEASURED measureCertify(ksiCore *core)
{
    ksiCertificate found;
    ksiCoreCertify(core, &found);
}

MEASURED measureProject(ksiCore *core)
{
    ksiCoreProject(core, 0, NULL);
}

MEASURED measureInverse(ksiCore *core)
{
    ksiCoreInverse(core);
}

/* A drifted loop in one call, with its calls into the engine. */
MEASURED measureLoop(ksInspector *inspector, int island)
{
    CHECK_OK(ksiSolvePosed(&inspector->step, insideSolver(inspector), island, &inspector->physical));
}

/* Memory of a plan and of the basis of self-stresses, without the arrays' spare room. */
static size_t bytesOf(const ksiCore *core)
{
    int stressPairs = 0, pairs = 0;
    for (int g = 0; g < core->groups; g++)
        stressPairs = core->group[g].end;
    for (int i = 0; i < core->links + core->closings; i++) {
        const int couplings = ksiCoreAt(core, i)->end - ksiCoreAt(core, i)->coupling;
        pairs += couplings * (couplings - 1) / 2;
    }
    return (size_t)core->links * sizeof *core->link + (size_t)core->closings * sizeof *core->closing +
           (size_t)core->couplings * sizeof *core->coupling +
           (size_t)(core->links + core->closings + core->couplings) * sizeof *core->inverse +
           (size_t)core->groups * sizeof *core->group + (size_t)core->parts * sizeof *core->part +
           (size_t)stressPairs * sizeof *core->stressPair +
           (size_t)(pairs + core->loads + core->bodies + core->joints) * sizeof(int);
}

START_TEST(measure)
{
    CoreTwin *twin = coreTwin();
    ksiCore *core = &twin->core;
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = CORE_MOST;
    ksInspector *inspector = inspectWith(scene->world, &options);
    for (int s = 0; s < 3; s++)
        CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
    ck_assert(coreSolve(twin, inspector, 0, CORE_RIGID));
    for (int i = 0; i < rounds; i++) {
        measureRank(core);
        measureStress(core);
        measureRigid(core);
        measureFactor(core);
        measureSweep(core);
        measureCertify(core);
        measureProject(core);
        measureInverse(core);
    }
    printf("joints %d\nbytes %zu\n", rounds * twin->joints, bytesOf(core));
    ksInspectorDestroy(inspector);
    coreTwinFree(twin);
}
END_TEST

/* After some steps without inspection. */
START_TEST(drifted)
{
    int joints = 0;
    for (int s = 0; s < DRIFTING; s++)
        dWorldQuickStep(scene->world, 0.005);
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = CORE_MOST;
    ksInspector *inspector = inspectWith(scene->world, &options);
    for (int s = 0; s < 3; s++)
        CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
    for (int i = 0; i < (int)inspector->step.islands->count; i++)
        for (int times = 0; inspector->step.islandPhysical[i].isDrifted && times < rounds; times++) {
            measureLoop(inspector, i);
            joints += inspector->step.island[i].jointCount;
        }
    printf("joints %d\n", joints);
    ksInspectorDestroy(inspector);
}
END_TEST

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    dInitODE2(0);
    const int size = atoi(argv[2]);
    const char *kind = argv[1];
    scene = !strcmp(kind, "chain")      ? sceneChain(size, SCENE_FALLING)
            : !strcmp(kind, "tree")     ? sceneTree(size)
            : !strcmp(kind, "star")     ? sceneStar(size)
            : strstr(kind, "loops")     ? sceneLoops(1, size, COUPLER_HINGED)
            : strstr(kind, "four-bars") ? sceneLoops(size, 1, COUPLER_HINGED)
                                        : sceneGrid(size, size);
    rounds = atoi(argv[3]);
    Suite *suite = suite_create("core");
    TCase *tcase = tcase_create("core");
    if (!strncmp(kind, "drifted", strlen("drifted")))
        tcase_add_test(tcase, drifted);
    else
        tcase_add_test(tcase, measure);
    tcase_set_timeout(tcase, 0);
    suite_add_tcase(suite, tcase);
    return runSuite(suite);
}

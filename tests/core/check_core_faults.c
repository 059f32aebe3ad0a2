/* check_core_faults.c  The certificate of plugin/core/ detects an error of 1e-6 in any number of a
 * factorisation or a solution, wherever it changes a multiplier or the motion by more than its
 * bar. */
#include "tests/core/core_kit.h"
#include "tests/kits/support.h"

static const double kFault = 1e-6;
/* Of the certificate, in units of rounding: an upper limit for solutions without refinement; and
 * the least factor above it for a fault. */
static const double kClean = 10, kSeen = 1.5;
/* Change of a multiplier over its bar: the bar treats the parts of a residual as independent. */
static const double kBar = 3;

/* The solution without a fault. */
typedef struct Truth {
    CoreTwin *twin;
    double bar;   /* without the factor |w_l| */
    double clean; /* of the certificate */
    double lambda[CORE_MOST];
    double y[6 * CORE_BODIES];
    int poked, changed;
} Truth;

static ksiConstraint *constraintAt(const ksiCore *core, int i)
{
    return i < core->links ? &core->link[i].joint : &core->closing[i - core->links].joint;
}

static double inRounding(const ksiCore *core, const ksiCertificate *found)
{
    double terms2;
    const double moved2 = coreMoved2(core, 0, &terms2);
    return sqrt(fmax(found->missed2[0] / found->rounding2[0], moved2 / (4 * terms2)));
}

static void keepTruth(Truth *truth)
{
    const ksiCore *core = &truth->twin->core;
    ksiCertificate found;
    ksiCoreCertify(&truth->twin->core, &found);
    truth->clean = inRounding(core, &found);
    ck_assert_double_lt(truth->clean, kClean);
    truth->bar = sqrt(found.missed2[0] + found.rounding2[0]);
    for (int i = 0; i < core->links + core->closings; i++)
        for (int l = 0; l < constraintAt(core, i)->rows; l++)
            truth->lambda[6 * i + l] = constraintAt(core, i)->lambda[l][0];
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++)
            truth->y[6 * i + k] = core->link[i].y[k][0];
}

/* The certificate must detect the fault, or the bars must contain it. */
static void judgeFault(Truth *truth, const char *place)
{
    ksiCore *core = &truth->twin->core;
    ksiCertificate found;
    double moved2 = 0, most = 0, terms2;
    ksiCoreCertify(core, &found);
    (void)coreMoved2(core, 0, &terms2);
    const double bar = sqrt(found.missed2[0]) + truth->bar;
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = constraintAt(core, i);
        for (int l = 0; l < c->rows; l++) {
            const double change = fabs(c->lambda[l][0] - truth->lambda[6 * i + l]), size = sqrt(c->size2[l]);
            most = fmax(most, change / (size * truth->bar));
            ck_assert_msg(change <= kBar * size * bar, "%s: changed by %g, bar %g", place, change, size * bar);
        }
    }
    for (int i = 0; i < core->links; i++)
        for (int k = 0; k < 6; k++)
            moved2 += pow(core->link[i].y[k][0] - truth->y[6 * i + k], 2);
    // the motion follows multipliers: |B Delta|^2 is no more than the square of the bar without
    // |w_l|
    const bool isWrong = most > kBar || moved2 > kBar * kBar * (truth->bar * truth->bar + 4 * terms2);
    truth->poked++;
    truth->changed += isWrong;
    ck_assert_msg(!isWrong || inRounding(core, &found) > kSeen * truth->clean, "%s: not seen, %g bars, %g, clean %g",
                  place, most, inRounding(core, &found), truth->clean);
}

/* Changes each number of the factor in turn. */
static void poke(Truth *truth, const char *place, void *array, size_t size)
{
    double *number = array;
    for (size_t i = 0; i < size / sizeof *number; i++) {
        const double was = number[i];
        if (was == 0 || !isfinite(was))
            continue;
        number[i] = was * (1 + kFault);
        ksiCoreSweep(&truth->twin->core);
        judgeFault(truth, place);
        number[i] = was;
    }
}

#define POKE(truth, array) poke(truth, #array, array, sizeof(array))

static void pokeConstraint(Truth *truth, ksiConstraint *c)
{
    POKE(truth, c->pivot);
    POKE(truth, c->pivotInverse);
    POKE(truth, c->above);
    for (int q = c->coupling; q < c->end; q++) {
        POKE(truth, truth->twin->core.coupling[q].body);
        POKE(truth, truth->twin->core.coupling[q].rows);
    }
}

static void pokeFactor(Truth *truth)
{
    ksiCore *core = &truth->twin->core;
    for (int i = 0; i < core->links; i++) {
        POKE(truth, core->link[i].root);
        POKE(truth, core->link[i].rootInverse);
        POKE(truth, core->link[i].across);
    }
    for (int i = 0; i < core->links + core->closings; i++)
        pokeConstraint(truth, constraintAt(core, i));
}

/* ... and of the solution. */
static void pokeSolution(Truth *truth)
{
    ksiCore *core = &truth->twin->core;
    ksiCoreSweep(core);
    for (int i = 0; i < 6 * (core->links + core->closings); i++) {
        ksiFour *lambda = &constraintAt(core, i / 6)->lambda[i % 6];
        const ksiFour was = *lambda;
        (*lambda)[0] *= 1 + kFault;
        judgeFault(truth, "lambda");
        *lambda = was;
    }
    for (int i = 0; i < 6 * core->links; i++) {
        ksiFour *y = &core->link[i / 6].y[i % 6];
        const ksiFour was = *y;
        (*y)[0] *= 1 + kFault;
        judgeFault(truth, "y");
        *y = was;
    }
}

static Scene *sceneOf(int i)
{
    switch (i) {
    case 0:
        return sceneChain(6, SCENE_FALLING);
    case 1:
        return sceneTree(9);
    case 2:
        return sceneRagdolls(1);
    case 3:
        return sceneLoops(1, 3, COUPLER_BALL_UNIVERSAL);
    default:
        return sceneStar(5);
    }
}

START_TEST(faults)
{
    Truth *truth = calloc(1, sizeof *truth);
    Scene *scene = sceneOf(_i / 2);
    ksInspector *inspector = inspect(scene->world);
    truth->twin = coreTwin();
    for (int s = 0; s < 20; s++)
        CHECK_OK(ksInspectorQuickStep(inspector, 0.005));
    ck_assert(coreSolve(truth->twin, inspector, 0, _i % 2 ? CORE_RIGID : CORE_DISCRETE));
    keepTruth(truth);
    pokeFactor(truth);
    pokeSolution(truth);
    ck_assert_int_gt(truth->changed, truth->poked / 4);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    coreTwinFree(truth->twin);
    free(truth);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("faults");
    tcase_add_loop_test(tcase, faults, 0, 10);
    return runCase("core faults", tcase);
}

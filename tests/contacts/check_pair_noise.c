/* check_pair_noise.c  How far the force of a foot is from its load in single steps of dWorldQuickStep: ksMean::deviation of the window against
 * the steps about a mean that is centred on each. */
#include "tests/kits/support.h"

#include "tests/kits/contacts/machines_kit.h"

enum { BEFORE = 200, STEPS = 300, SIDE = 20 }; /* steps; of a centred mean to either side: 0.2 s in all */

/* Of the mean deviation against the noise: neighbouring windows overlap, and few of these are apart */
static const double sampling = 0.25;

typedef struct Seen {
    double force[STEPS], deviation[STEPS], netError;
} Seen;

static double netErrorOf(ksInspector *inspector, dBodyID foot)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    double error = 0;
    for (size_t i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            if (reaction[i].body[side] == foot && isfinite(reaction[i].netError[side]))
                error = reaction[i].netError[side];
    return error;
}

static void look(Machine *machine, dBodyID foot, Seen *seen)
{
    const double h = 0.005;
    const ksWrenchTerm term = {.body = foot};
    ksInspectorOptions options = defaultOptions();
    options.estimateSweeps = 40;
    ksInspector *inspector = inspectWith(machine->world, &options);
    ksSubscription pair;
    CHECK_OK(ksInspectorPair(inspector, foot, NULL, 2 * SIDE * h, &pair));
    seen->netError = 0;
    for (int n = -BEFORE; n < STEPS; n++) {
        ksMean mean;
        ksWrenchSum sum;
        machineStep(machine, inspector, KS_QUICK_STEP, h);
        if (n < 0)
            continue;
        CHECK_OK(ksInspectorGetMean(inspector, pair, &mean));
        CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, KS_ENGINE, NULL, &sum));
        seen->force[n] = sum.wrench.force[2];
        seen->deviation[n] = mean.deviation.force[2];
        seen->netError += netErrorOf(inspector, foot) / STEPS;
    }
    ksInspectorDestroy(inspector);
}

START_TEST(tells_the_noise)
{
    Machine machine = _i / 2 ? machineQuadruped((MachineGround)(_i % 2)) : machineLeg((MachineGround)(_i % 2));
    Seen seen;
    double square = 0, told = 0, load = 0;
    look(&machine, machine.box[_i / 2 ? 2 : 0], &seen);
    for (int n = SIDE; n < STEPS - SIDE; n++) {
        double mean = 0;
        for (int k = n - SIDE; k <= n + SIDE; k++)
            mean += seen.force[k] / (2 * SIDE + 1);
        square += (seen.force[n] - mean) * (seen.force[n] - mean) / (STEPS - 2 * SIDE);
        told += seen.deviation[n] / (STEPS - 2 * SIDE);
        load += mean / (STEPS - 2 * SIDE);
    }
    ck_assert_double_gt(sqrt(square), 0.01 * load);
    ck_assert_double_eq_tol(told, sqrt(square), sampling * sqrt(square));
    // the converged solution is another force
    ck_assert_double_gt(seen.netError * load, 3 * sqrt(square));
    machineEnd(&machine);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pair_noise");
    TCase *test = tcase_create("pair_noise");
    tcase_add_loop_test(test, tells_the_noise, 0, 4);
    suite_add_tcase(suite, test);
    return runSuite(suite);
}

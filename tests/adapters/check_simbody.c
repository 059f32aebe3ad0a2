/* check_simbody.c  Verdicts on steps of Simbody: physical values against its own sums over free
 * bodies. */
#include "tests/adapters/simbody_kit.h"
#include "tests/kits/report/judge_kit.h"

enum { TREES = 12 };

/* the rounding of sums over a tree: the bound that the inverse dynamics of any engine has to
 * meet */
static const double roundingShare = 1e-9;

typedef struct Compared {
    const SimbodyTree *tree;
    double worst, report; /* relative to the load: error of the physical values, error of the reports */
    size_t steps, verdict[KS_VALID + 1];
} Compared;

static double apart(const ksWrench *a, const ksWrench *b)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum = fmax(sum, fmax(fabs(a->force[k] - b->force[k]), fabs(a->torque[k] - b->torque[k])));
    return sum;
}

static void compareStep(ksInspector *inspector, int step, void *user)
{
    Compared *found = user;
    const ksWrench none = {{0}, {0}};
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_eq(count, (size_t)found->tree->joints);
    double load = 0, worst = 0, report = 0;
    for (size_t i = 0; i < count; i++) {
        // reactions list the newest joint first
        const ksWrench *own = &found->tree->wrench[step][count - 1 - i];
        ck_assert(isfinite(reaction[i].physical[0].force[0]));
        load = fmax(load, apart(own, &none));
        worst = fmax(worst, apart(own, &reaction[i].physical[0]));
        report = fmax(report, apart(own, &reaction[i].engine[0]));
        found->verdict[reaction[i].verdict]++;
    }
    found->worst = fmax(found->worst, worst / load);
    found->report = fmax(found->report, report / load);
    found->steps++;
}

START_TEST(random_trees)
{
    SimbodyTree *tree = calloc(1, sizeof *tree);
    Compared found = {.tree = tree};
    tree->seed = (uint64_t)_i + 1;
    tree->hasLoop = _i % 3 == 2;
    tree->hasBall = _i % 3 == 1;
    makeFolder();
    const ksStatus status = simbodyRecord(tree, in("simbody.h5"));
    ck_assert_msg(!status, "%s", ksErrorMessage());
    judgeFile(in("simbody.h5"), compareStep, &found);
    removeFolder();
    ck_assert(tree->isSame);
    ck_assert_uint_eq(found.steps, SIMBODY_STEPS);
    ck_assert_double_le(found.worst, roundingShare);
    ck_assert_double_le(found.report, roundingShare);
    ck_assert_uint_eq(found.verdict[KS_VALID], (size_t)(SIMBODY_STEPS * tree->joints));
    free(tree);
}
END_TEST

START_TEST(calls)
{
    makeFolder();
    ck_assert_int_eq(simbodyCalls(in("a.h5")), 0);
    removeFolder();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("simbody");
    tcase_add_loop_test(tcase, random_trees, 0, TREES);
    tcase_add_test(tcase, calls);
    return runCase("simbody", tcase);
}

/* check_seldom.c  A host that inspects one step in several gets the same results for these steps as
 * one that inspects all of them, except for physical values that are differences from the step
 * before, and values of trees in which a run of steps finds velocities that physical values leave
 * undetermined. */
#include "tests/kits/support.h"

enum { STEPS = 300, EVERY = 5 };
static const double h = 0.004;

/* Factors that are updated from step to step differ from new ones by rounding, which grows with the
 * condition. */
static const double rounding = 1e-7;

static Scene *zoo(void)
{
    return sceneZoo();
}

static Scene *tree(void)
{
    return sceneTree(15);
}

static Scene *doors(void)
{
    return sceneLoops(2, 3, COUPLER_HINGED);
}

static Scene *dolls(void)
{
    return sceneRagdolls(2);
}

static Scene *boxes(void)
{
    return scenePile(1);
}

static Scene *(*const make[])(void) = {zoo, tree, doors, dolls, boxes};

static double largest(const ksWrench a[2], const ksWrench b[2])
{
    double most = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++)
            most = fmax(most,
                        fmax(fabs(a[side].force[k] - b[side].force[k]), fabs(a[side].torque[k] - b[side].torque[k])));
    return most;
}

static bool isKnown(const ksWrench wrench[2])
{
    return !isnan(wrench[0].force[0]);
}

/* Whether both take the same share of the engine's value. */
static bool isAdoptedAlike(const ksReaction *always, const ksReaction *seldom)
{
    bool isAlike = true;
    for (int l = 0; l < always->rowCount; l++)
        isAlike = isAlike && fabs(always->row[l].adopted - seldom->row[l].adopted) <= rounding;
    return isAlike;
}

/* Compares a reaction in a step, after inspected and uninspected steps. load: the largest in the
 * world */
static void compare(const ksReaction *always, const ksReaction *seldom, double load, int *compared)
{
    // without a physical solution, redundancy in it alone is unknown, and so are stops that were
    // just reached; means over a run, and flicker, need consecutive steps
    const ksReasons unknown = KS_REASON_NO_HISTORY | KS_REASON_FLICKER | KS_REASON_REPORTED_LOADS | KS_REASON_PHYSICAL |
                              (isKnown(seldom->physical) ? 0u : KS_REASON_REDUNDANT) |
                              (isAdoptedAlike(always, seldom) ? 0u : KS_REASON_ADOPTED);
    ck_assert_int_eq(always->rowCount, seldom->rowCount);
    ck_assert_mem_eq(always->engine, seldom->engine, sizeof always->engine);
    ck_assert_str_eq(ksVerdictName(always->verdict), ksVerdictName(seldom->verdict));
    ck_assert_uint_eq(always->reasons | unknown, seldom->reasons | unknown);
    ck_assert_int_eq(isKnown(always->converged), isKnown(seldom->converged));
    if (!isKnown(always->converged))
        return;
    ck_assert_double_le(largest(always->converged, seldom->converged), rounding * load);
    *compared += 1;
    ck_assert_int_eq(isKnown(seldom->physical), isKnown(always->physical) && !(seldom->reasons & KS_REASON_NO_HISTORY));
    // a stop counts as just reached where its acceleration is unknown, for all joints of its
    // mechanism
    if (isKnown(seldom->physical) && isAdoptedAlike(always, seldom) &&
        !((always->reasons | seldom->reasons) & KS_REASON_REPORTED_LOADS))
        ck_assert_double_le(largest(always->physical, seldom->physical), rounding * load);
}

static double largestOf(const ksReaction *reaction, size_t count)
{
    static const ksWrench none[2];
    double load = 0;
    for (size_t i = 0; i < count; i++)
        load = fmax(load, isKnown(reaction[i].converged) ? largest(reaction[i].converged, none) : 0);
    return load;
}

/* inspector NULL: the host's own step */
static void step(Scene *scene, ksInspector *inspector)
{
    sceneBeforeStep(scene);
    if (inspector)
        CHECK_OK(ksInspectorQuickStep(inspector, h));
    else
        ck_assert(dWorldQuickStep(scene->world, h));
    sceneAfterStep(scene);
}

START_TEST(some_steps_only)
{
    Scene *all = make[_i](), *some = make[_i]();
    ksInspector *always = inspect(all->world), *seldom = inspect(some->world);
    int compared = 0;
    for (int i = 1; i <= STEPS; i++) {
        const unsigned long seed = dRandGetSeed();
        step(all, always);
        dRandSetSeed(seed);
        step(some, i % EVERY ? NULL : seldom);
        ck_assert(sceneSameState(all, some));
        if (i % EVERY)
            continue;
        size_t count, same;
        const ksReaction *a = ksInspectorGetReactions(always, &count), *b = ksInspectorGetReactions(seldom, &same);
        ck_assert_uint_eq(count, same);
        const double load = largestOf(a, count);
        for (size_t k = 0; k < count; k++)
            compare(&a[k], &b[k], load, &compared);
    }
    ck_assert_int_gt(compared, STEPS / EVERY);
    ksInspectorDestroy(always);
    ksInspectorDestroy(seldom);
    sceneDestroy(all);
    sceneDestroy(some);
}
END_TEST

int main(void)
{
    TCase *test = tcase_create("seldom");
    tcase_add_loop_test(test, some_steps_only, 0, (int)(sizeof make / sizeof *make));
    return runCase("seldom", test);
}

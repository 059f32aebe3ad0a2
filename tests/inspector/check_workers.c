/* check_workers.c  Several threads solve the islands: the results are the same as with one, to the
 * bit, for any number of threads and any timing. */
#include "tests/kits/workers_kit.h"

#include "tests/kits/inside_kit.h"
#include <fenv.h>

static const double h = 0.005;
enum { steps = 6 };

/* Inspectors of one world: the first works in place on one thread; the others do not. */
static const struct {
    int workers;
    ksLatency latency;
    bool isHosts;
} way[] = {
    {0, KS_SAME_STEP, false}, {2, KS_SAME_STEP, false}, {3, KS_SAME_STEP, true},
    {5, KS_SAME_STEP, true},  {2, KS_NEXT_STEP, false}, {5, KS_NEXT_STEP, true},
};
enum { WAYS = sizeof way / sizeof *way };

typedef struct Watched {
    dWorldID world;
    ksInspector *inspector[WAYS];
    Pool pool[WAYS];
    size_t judged, unchecked, shared; /* numbers of reactions: with rows; unchecked; with free
                                         directions */
} Watched;

static void watch(Watched *watched, dWorldID world, const ksInspectorOptions *options, Timing timing)
{
    *watched = (Watched){.world = world};
    for (int k = 0; k < WAYS; k++) {
        ksInspectorOptions own = options ? *options : defaultOptions();
        own.latency = way[k].latency;
        watched->pool[k] = (Pool){.timing = way[k].isHosts ? timing : ON_ITS_THREADS, .random = (unsigned)k};
        watched->inspector[k] = inspectBy(world, &own, way[k].workers, &watched->pool[k]);
    }
}

static void unwatch(Watched *watched)
{
    for (int k = 0; k < WAYS; k++) {
        ksInspectorDestroy(watched->inspector[k]);
        ck_assert_int_eq(watched->pool[k].posts, watched->pool[k].waits);
        // in addition to the inspecting thread, which may be one of them
        const int most = (way[k].workers > 1 ? way[k].workers - 1 : 0) + (way[k].latency == KS_NEXT_STEP);
        ck_assert_int_le(watched->pool[k].together, watched->pool[k].timing == ON_ITS_THREADS ? 0 : most);
    }
}

static void stepWatched(Watched *watched, ksStepper stepper)
{
    for (int k = 0; k < WAYS; k++)
        CHECK_OK(ksInspectorBeginStep(watched->inspector[k], stepper, h));
    ck_assert(stepper == KS_WORLD_STEP ? dWorldStep(watched->world, h) : dWorldQuickStep(watched->world, h));
    for (int k = WAYS - 1; k >= 0; k--)
        CHECK_OK(ksInspectorEndStep(watched->inspector[k]));
}

static void compareSteps(const ksStepReport *p, const ksStepReport *q)
{
    compareReports(p, q);
    SAME(p, q, step);
    SAME(p, q, inspected);
    SAME(p, q, worstJoint);
    SAME(p, q, worstError);
    SAME(p, q, solverError);
    SAME(p, q, rowCount);
    SAME(p, q, rank);
    SAME(p, q, islandCount);
    SAME(p, q, worstEstimate);
    SAME(p, q, worstBody);
}

static void compareWatched(Watched *watched)
{
    size_t count, second;
    const ksReaction *a = ksInspectorGetReactions(watched->inspector[0], &count);
    for (int k = 1; k < WAYS; k++) {
        const ksReaction *b = ksInspectorGetReactions(watched->inspector[k], &second);
        ck_assert_uint_eq(count, second);
        for (size_t i = 0; i < count; i++) {
            compareReaction(&a[i], &b[i]);
            SAME(&a[i], &b[i], joint);
            SAME(&a[i], &b[i], work);
        }
        compareSteps(ksInspectorGetStepReport(watched->inspector[0]), ksInspectorGetStepReport(watched->inspector[k]));
    }
    for (size_t i = 0; i < count; i++) {
        watched->judged += a[i].rowCount > 0;
        watched->unchecked += a[i].verdict == KS_UNCHECKED;
        watched->shared += a[i].freeCount > 0;
    }
}

/* --- Equal results --- */

static void judge(Crowd *crowd, const ksInspectorOptions *options, ksStepper stepper, Timing timing, bool isChanging)
{
    Watched watched;
    watch(&watched, crowd->world, options, timing);
    for (int i = 0; i < steps; i++) {
        if (isChanging)
            changeCrowd(crowd);
        beforeCrowdStep(crowd);
        stepWatched(&watched, stepper);
        if (i % 2)
            compareWatched(&watched);
    }
    ck_assert_uint_gt(watched.judged, (size_t)crowd->count * steps / 2);
    ck_assert_uint_gt(watched.shared, (size_t)crowd->count * steps / 8);
    ck_assert_uint_lt(watched.unchecked, watched.judged / 4);
    ck_assert_int_ge(insideLanes(watched.inspector[0]), 8);
    unwatch(&watched);
    freeCrowd(crowd);
}

/* One stepper in the first tests with each timing, the other one in the long tests. */
static ksStepper stepperOf(int test)
{
    return (test + test / TIMINGS) % 2 ? KS_QUICK_STEP : KS_WORLD_STEP;
}

START_TEST(reported_contacts)
{
    judge(makeCrowd(CROWD), NULL, stepperOf(_i), (Timing)(_i % TIMINGS), false);
}
END_TEST

START_TEST(solved_contacts)
{
    ksInspectorOptions options = defaultOptions();
    options.contacts = KS_CONTACTS_SOLVED;
    options.estimateSweeps = 5;
    judge(makeCrowd(CROWD), &options, _i % 2 ? KS_QUICK_STEP : KS_WORLD_STEP, (Timing)(1 + _i), false);
}
END_TEST

START_TEST(comings_and_goings)
{
    judge(makeCrowd(CROWD), NULL, stepperOf(_i + 1), (Timing)(_i % TIMINGS), true);
}
END_TEST

enum { SCENES = 4 };

/* Mechanisms of one kind. */
static Scene *makeScene(int number)
{
    switch (number) {
    case 0:
        return sceneRagdolls(30);
    case 1:
        return sceneLoops(30, 2, COUPLER_HINGED);
    case 2:
        return sceneFallingRagdolls(26, BALLS_WITH_STOPS, &sceneSurface[SURFACE_APPROX1]);
    default:
        return sceneLoops(40, 1, COUPLER_BALL_UNIVERSAL);
    }
}

START_TEST(scenes)
{
    Watched watched;
    Scene *scene = makeScene(_i % SCENES);
    watch(&watched, scene->world, NULL, SLOWLY);
    for (int i = 0; i < steps; i++) {
        sceneBeforeStep(scene);
        stepWatched(&watched, stepperOf(_i));
        if (i % 2)
            compareWatched(&watched);
        sceneAfterStep(scene);
    }
    ck_assert_int_ge(insideLanes(watched.inspector[0]), 2);
    unwatch(&watched);
    sceneDestroy(scene);
}
END_TEST

/* The distance of a free direction from the free directions of the same joint in another world:
 * rounding of unit forces. */
static double apartFrom(const ksReaction *other, const ksWrench *direction)
{
    double basis[6][6], rest[6];
    for (int k = 0; k <= other->freeCount; k++) {
        const ksWrench *w = k < other->freeCount ? &other->freeDirection[k] : direction;
        double *v = k < other->freeCount ? basis[k] : rest, square = 0;
        for (int i = 0; i < 3; i++) {
            v[i] = w->force[i];
            v[3 + i] = w->torque[i];
        }
        for (int n = 0; n < k; n++) {
            double part = 0;
            for (int i = 0; i < 6; i++)
                part += basis[n][i] * v[i];
            for (int i = 0; i < 6; i++)
                v[i] -= part * basis[n][i];
        }
        for (int i = 0; i < 6; i++)
            square += v[i] * v[i];
        if (k == other->freeCount)
            return sqrt(square);
        for (int i = 0; i < 6; i++)
            v[i] /= sqrt(square);
    }
    return 0;
}

static bool areNear(double a, double b, double tolerance)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= tolerance;
}

/* A mechanism's values and free directions do not depend on other mechanisms in the world. */
START_TEST(few_and_many)
{
    static const double rounding =
        1e-6; /* of forces of 10 N, errors and directions: the joints have drifted by 2e-3 m */
    enum { FEW = 2 * KINDS };
    Crowd *few = makeCrowd(FEW), *many = makeCrowd(CROWD);
    Pool pool = {.timing = ON_ITS_THREADS};
    ksInspectorOptions options = defaultOptions();
    ksInspector *one = inspect(few->world), *other = inspectBy(many->world, &options, 3, &pool);
    int directions = 0;
    CHECK_OK(ksInspectorStep(one, h));
    CHECK_OK(ksInspectorStep(other, h));
    ck_assert_int_eq(insideLanes(one), 1);
    ck_assert_int_ge(insideLanes(other), 8);
    for (int i = 0; i < FEW; i++) {
        for (int k = 0; k < few->at[i].jointCount; k++) {
            const ksReaction *a = ksInspectorGetReaction(one, few->at[i].joint[k]),
                             *b = ksInspectorGetReaction(other, many->at[i].joint[k]);
            ck_assert_int_eq(a->verdict, b->verdict);
            ck_assert_int_eq(a->freeCount, b->freeCount);
            ck_assert(areNear(a->error, b->error, rounding));
            for (int n = 0; n < 3; n++)
                ck_assert(areNear(a->physical[0].force[n], b->physical[0].force[n], 10 * rounding));
            for (int n = 0; n < a->freeCount; n++, directions++)
                ck_assert_double_le(apartFrom(a, &b->freeDirection[n]), rounding);
        }
    }
    ck_assert_int_gt(directions, FEW);
    ksInspectorDestroy(one);
    ksInspectorDestroy(other);
    freeCrowd(few);
    freeCrowd(many);
}
END_TEST

/* The host's rounding mode is used for the results, on any thread. */
START_TEST(rounding)
{
    Watched watched;
    Crowd *crowd = makeCrowd(CROWD);
    watch(&watched, crowd->world, NULL, (Timing)_i);
    for (int i = 0; i < 4; i++) {
        // the rounding mode at the creation of a thread does not matter
        ck_assert_int_eq(fesetround(i % 2 ? FE_UPWARD : FE_TONEAREST), 0);
        stepWatched(&watched, KS_WORLD_STEP);
        ck_assert_int_eq(fesetround(FE_TONEAREST), 0);
        compareWatched(&watched);
    }
    unwatch(&watched);
    freeCrowd(crowd);
}
END_TEST

/* --- Queries after a step --- */

typedef struct Answers {
    ksWrenchSum sum;
    ksRelaxation relaxed[6];
    int count;
    double mobility;
    ksNetWrench net;
} Answers;

static void ask(ksInspector *inspector, const Mechanism *m, ksValue value, Answers *out)
{
    const ksWrenchTerm term = {.joint = m->joint[0], .body = m->body[0]};
    const ksBodyProbe at = {.body = m->body[0], .axis = {0, 0, 1}},
                      from = {.body = m->body[m->bodyCount - 1], .axis = {1, 0, 0}};
    memset(out, 0, sizeof *out);
    CHECK_OK(ksInspectorSumWrenches(inspector, &term, 1, value, NULL, &out->sum));
    CHECK_OK(ksInspectorGetMobility(inspector, &at, &from, &out->mobility));
    const ksStatus status = ksInspectorRelaxJoint(inspector, m->joint[0], 6, out->relaxed, &out->count);
    ck_assert(status == KS_OK || status == KS_ERROR_REDUNDANT);
    out->net = (ksNetWrench){.a = m->body[0], .joint = m->joint[0]};
    CHECK_OK(ksInspectorRecompute(inspector, &out->net, 1, 1e-3, 10));
}

static void compareAnswers(const Answers *a, const Answers *b)
{
    SAME(a, b, sum.wrench);
    SAME(a, b, sum.bar);
    SAME(a, b, sum.unique);
    SAME(a, b, sum.freeCount);
    for (int k = 0; k < a->sum.freeCount; k++)
        SAME(a, b, sum.freeDirection[k]);
    SAME(a, b, mobility);
    SAME(a, b, count);
    for (int l = 0; l < a->count; l++)
        SAME(a, b, relaxed[l].multiplier);
    SAME(a, b, net.wrench);
    SAME(a, b, net.errorBar);
}

/* Queries in an order that alternates between lanes leave no trace in later steps. */
START_TEST(queries)
{
    static const ksValue value[] = {KS_CONVERGED, KS_PHYSICAL};
    Watched watched;
    Crowd *crowd = makeCrowd(CROWD);
    int redundant = 0, asked = 0;
    watch(&watched, crowd->world, NULL, (Timing)_i);
    for (int i = 0; i < 3; i++) {
        beforeCrowdStep(crowd);
        stepWatched(&watched, KS_QUICK_STEP);
        for (int n = 0; n < crowd->count; n += 17) {
            const Mechanism *m = &crowd->at[(n * 101 + i) % crowd->count];
            const ksReaction *reaction = ksInspectorGetReaction(watched.inspector[0], m->joint[0]);
            if (reaction->verdict == KS_UNCHECKED || isnan(reaction->physical[0].force[0]))
                continue;
            Answers answers[WAYS];
            for (int k = 0; k < WAYS; k++) {
                ask(watched.inspector[k], m, value[n % 2], &answers[k]);
                compareAnswers(&answers[0], &answers[k]);
            }
            redundant += answers[0].count == 0;
            asked++;
        }
        compareWatched(&watched);
    }
    ck_assert_int_gt(asked, 30);
    ck_assert_int_gt(redundant, 3);
    unwatch(&watched);
    freeCrowd(crowd);
}
END_TEST

/* --- Exact steps --- */

START_TEST(exact_steps)
{
    Crowd *crowd[2];
    ksInspector *inspector[2];
    Pool pool[2] = {{.timing = ON_ITS_THREADS}, {.timing = (Timing)_i}};
    for (int k = 0; k < 2; k++) {
        ksInspectorOptions options = defaultOptions();
        options.latency = _i % 2 ? KS_NEXT_STEP : KS_SAME_STEP;
        crowd[k] = makeCrowd(CROWD);
        inspector[k] = inspectBy(crowd[k]->world, &options, 3 * k, &pool[k]);
    }
    for (int i = 0; i < 4; i++) {
        size_t count[2];
        const ksReaction *reaction[2];
        const unsigned long seed = dRandGetSeed();
        for (int k = 0; k < 2; k++) {
            dRandSetSeed(seed);
            beforeCrowdStep(crowd[k]);
            CHECK_OK(inspectedStep(inspector[k], i % 3 == 1 ? KS_QUICK_STEP : KS_EXACT_STEP, h));
            reaction[k] = ksInspectorGetReactions(inspector[k], &count[k]);
        }
        ck_assert_uint_eq(count[0], count[1]);
        for (size_t n = 0; n < count[0]; n++)
            compareReaction(&reaction[0][n], &reaction[1][n]);
        compareReports(ksInspectorGetStepReport(inspector[0]), ksInspectorGetStepReport(inspector[1]));
        ck_assert_uint_eq(ksInspectorGetStepReport(inspector[1])->fallbackRowCount, 0);
        for (int n = 0; n < CROWD; n++)
            ck_assert_mem_eq(dBodyGetPosition(crowd[0]->at[n].body[0]), dBodyGetPosition(crowd[1]->at[n].body[0]),
                             3 * sizeof(dReal));
    }
    for (int k = 0; k < 2; k++) {
        ksInspectorDestroy(inspector[k]);
        freeCrowd(crowd[k]);
    }
}
END_TEST

/* --- Threads --- */

static void *stepAlone(void *user)
{
    dAllocateODEDataForThread((unsigned)dAllocateMaskAll);
    Watched *watched = user;
    for (int i = 0; i < 4; i++) {
        stepWatched(watched, KS_WORLD_STEP);
        compareWatched(watched);
    }
    dCleanupODEAllDataForThread();
    return NULL;
}

/* Each world runs on a thread of its own, each with workers. */
START_TEST(worlds_in_threads)
{
    enum { WORLDS = 2 };
    static Watched watched[WORLDS];
    Crowd *crowd[WORLDS];
    pthread_t thread[WORLDS];
    dThreadingImplementationID own[WORLDS];
    for (int i = 0; i < WORLDS; i++) {
        crowd[i] = makeCrowd(CROWD - 20 * i);
        own[i] = giveThreading(crowd[i]->world);
        watch(&watched[i], crowd[i]->world, NULL, (Timing)_i);
        ck_assert(!pthread_create(&thread[i], NULL, stepAlone, &watched[i]));
    }
    for (int i = 0; i < WORLDS; i++)
        ck_assert(!pthread_join(thread[i], NULL));
    for (int i = 0; i < WORLDS; i++) {
        unwatch(&watched[i]);
        freeCrowd(crowd[i]);
        dThreadingFreeImplementation(own[i]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("workers");
    TCase *same = tcase_create("same");
    tcase_add_loop_test(same, reported_contacts, 0, TIMINGS);
    tcase_add_loop_test(same, solved_contacts, 0, 1);
    tcase_add_loop_test(same, comings_and_goings, 0, TIMINGS);
    tcase_add_loop_test(same, scenes, 0, SCENES);
    tcase_add_test(same, few_and_many);
    tcase_add_loop_test(same, rounding, 0, 1);
    tcase_add_loop_test(same, queries, 0, 1);
    tcase_add_loop_test(same, exact_steps, 0, TIMINGS);
    tcase_add_loop_test(same, worlds_in_threads, 0, 1);
    suite_add_tcase(suite, same);
    TCase *more = tcase_create("long");
    tcase_set_tags(more, "long");
    tcase_add_loop_test(more, reported_contacts, TIMINGS, 2 * TIMINGS);
    tcase_add_loop_test(more, solved_contacts, 1, 2);
    tcase_add_loop_test(more, comings_and_goings, TIMINGS, 2 * TIMINGS);
    tcase_add_loop_test(more, scenes, SCENES, 2 * SCENES);
    tcase_add_loop_test(more, rounding, 1, TIMINGS);
    tcase_add_loop_test(more, queries, 1, TIMINGS);
    tcase_add_loop_test(more, worlds_in_threads, 1, TIMINGS);
    suite_add_tcase(suite, more);
    return runSuite(suite);
}

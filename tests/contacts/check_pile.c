/* check_pile.c  Piles of boxes under dWorldQuickStep: verdicts and estimates of reported contacts,
 * and, with contacts solved, of islands that are too large for a factorisation.
 *
 * Truth: the engine's own step from the same state with 100 000 iterations in a twin world. */
#include "tests/kits/memory_kit.h"
#include "tests/kits/support.h"

static const double h = 0.01;
enum { SETTLED = 80, APART = 40, CONVERGED = 100000, SWEEPS = 40 };

static ksInspector *inspectBeyondBudget(dWorldID world, ksContacts contacts)
{
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 1;
    options.estimateSweeps = SWEEPS;
    options.contacts = contacts;
    options.values = KS_COMPUTE_CONVERGED;
    return inspectWith(world, &options);
}

/* Boxes that still move on each other. */
static Scene *settledPile(int boxes)
{
    Scene *scene = scenePile(boxes);
    dRandSetSeed(1);
    for (int i = 0; i < SETTLED; i++)
        sceneStep(scene, dWorldQuickStep, h);
    return scene;
}

/* The same step with this many iterations, in a twin. */
static Scene *stepTwin(const Scene *scene, int boxes, int iterations, unsigned long seed, ksInspector **inspector)
{
    Scene *twin = scenePile(boxes);
    sceneCopyState(twin, scene);
    *inspector = inspectBeyondBudget(twin->world, KS_CONTACTS_REPORTED);
    dWorldSetQuickStepNumIterations(twin->world, iterations);
    dRandSetSeed(seed);
    sceneBeforeStep(twin);
    CHECK_OK(ksInspectorQuickStep(*inspector, h));
    return twin;
}

/* The sum of all contacts on a body, as the engine reports it. */
static void netWrench(ksInspector *inspector, dBodyID body, double wrench[6])
{
    ksWrenchSum sum;
    CHECK_OK(sumContacts(inspector, body, NULL, KS_ENGINE, NULL, &sum));
    memcpy(wrench, sum.wrench.force, sizeof sum.wrench.force);
    memcpy(wrench + 3, sum.wrench.torque, sizeof sum.wrench.torque);
}

/* (f^T f / m + t^T I^-1 t)^(1/2) of a homogeneous box */
static double massMetric(dBodyID body, const double wrench[6])
{
    dMass mass;
    dVector3 torque;
    dBodyGetMass(body, &mass);
    dBodyVectorFromWorld(body, wrench[3], wrench[4], wrench[5], torque);
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += wrench[k] * wrench[k] / mass.mass + torque[k] * torque[k] / mass.I[5 * k];
    return sqrt(sum);
}

/* The distance of the net contact forces on one body in two steps from the same state, relative to
 * the larger one. */
static double netDistance(ksInspector *a, dBodyID bodyA, ksInspector *b, dBodyID bodyB)
{
    double first[6], second[6], difference[6];
    netWrench(a, bodyA, first);
    netWrench(b, bodyB, second);
    for (int k = 0; k < 6; k++)
        difference[k] = second[k] - first[k];
    return massMetric(bodyA, difference) / fmax(massMetric(bodyA, first), massMetric(bodyB, second));
}

static double quantile(double *x, int count, double share)
{
    qsort(x, (size_t)count, sizeof *x, ascending);
    return x[(int)(share * (count - 1))];
}

static double estimateOf(const ksInspector *inspector, dBodyID body)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++) {
        for (int side = 0; side < 2; side++) {
            if (reaction[i].body[side] == body)
                return reaction[i].netError[side];
        }
    }
    return NAN;
}

/* J v of the present world; nothing changes velocities after the solve here */
static double rate(const ksReaction *reaction, const ksRow *row)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        if (!reaction->body[side])
            continue;
        const dReal *v = dBodyGetLinearVel(reaction->body[side]), *w = dBodyGetAngularVel(reaction->body[side]);
        for (int k = 0; k < 3; k++)
            sum += row->jacobian[side][k] * v[k] + row->jacobian[side][3 + k] * w[k];
    }
    return sum;
}

static const double rounding = 1e-9; /* m/s, N; rounding of some m/s and 1e4 N */

/* The place of the engine's multiplier within its bounds. */
static void checkReportedPlace(const ksReaction *reaction, const ksRow *row)
{
    double bound = row->findex < 0 ? 0 : row->hi * reaction->row[row->findex].engine;
    bool low = row->engine <= (row->findex < 0 ? 0 : -bound) + rounding;
    bool high = row->findex >= 0 && row->engine >= bound - rounding;
    // if both are within rounding, the nearer one
    const ksRowPlace nearer = row->engine > 0 ? KS_AT_HIGH : KS_AT_LOW;
    ck_assert_int_eq(row->place, low && high ? nearer : low ? KS_AT_LOW : high ? KS_AT_HIGH : KS_INSIDE);
}

/* The direction in which the row alone would be solved, given all others: a row at a bound would
 * move beyond the bound, unless the normal force has moved the bound since the row's last sweep. */
static void checkSolvedPlace(const ksRow *row)
{
    ck_assert(row->place != KS_AT_LOW || row->residual > 0 || row->engine < row->bound);
    ck_assert(row->place != KS_AT_HIGH || row->residual < 0 || row->engine > row->bound);
    const bool parts = row->kind == KS_ROW_NORMAL && row->engine == 0 && row->residual > rounding;
    ck_assert(!parts || row->place == KS_AT_LOW);
}

/* Each row has its residual and its place, even if it is unchecked. */
static void checkRows(const ksInspector *inspector, ksContacts contacts)
{
    const bool isSolved = contacts == KS_CONTACTS_SOLVED;
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
    ck_assert_uint_gt(count, 0);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(reaction[i].verdict == KS_UNCHECKED, isSolved);
        ck_assert_uint_eq(reaction[i].reasons & ~KS_REASON_REDUNDANT,
                          isSolved ? KS_REASON_BUDGET : KS_REASON_REPORTED_LOADS);
        for (int l = 0; l < reaction[i].rowCount; l++) {
            const ksRow *row = &reaction[i].row[l];
            ck_assert_double_eq_tol(row->residual, rate(&reaction[i], row) + row->cfm * row->engine - row->c, rounding);
            if (isSolved)
                checkReportedPlace(&reaction[i], row);
            else
                checkSolvedPlace(row);
        }
    }
}

/* The bodies of several steps. */
typedef struct Sample {
    int count, within;
    double *ratio, *truth; /* estimate over true error; true error */
    double *spread;        /* distance of two steps that are both converged */
    int reached, right;    /* recomputed to within the tolerance; of these, equally near to the truth */
} Sample;

/* Recomputes the net force on each body, to a tenth. */
static void recompute(ksInspector *inspector, const Scene *scene, ksInspector *exact, const Scene *twin, Sample *sample)
{
    static const double tolerance = 0.1;
    ksNetWrench *net = calloc((size_t)scene->bodyCount, sizeof *net);
    for (int i = 0; i < scene->bodyCount; i++)
        net[i].a = scene->body[i];
    CHECK_OK(ksInspectorRecompute(inspector, net, (size_t)scene->bodyCount, tolerance, 4096));
    for (int i = 0; i < scene->bodyCount; i++) {
        double truth[6], engine[6], off[6];
        netWrench(exact, twin->body[i], truth);
        netWrench(inspector, scene->body[i], engine);
        for (int k = 0; k < 3; k++) {
            off[k] = truth[k] - net[i].wrench.force[k];
            off[3 + k] = truth[3 + k] - net[i].wrench.torque[k];
        }
        double load = fmax(massMetric(scene->body[i], truth), massMetric(scene->body[i], engine));
        ck_assert_int_eq(net[i].reached, net[i].errorBar <= tolerance);
        sample->reached += net[i].reached;
        sample->right += net[i].reached && massMetric(scene->body[i], off) <= tolerance * load;
    }
    free(net);
}

/* Compares the estimate of each body in contact with the true error. */
static void compareStep(Scene *scene, int boxes, ksContacts contacts, bool twice, Sample *sample)
{
    ksInspector *inspector[3] = {inspectBeyondBudget(scene->world, contacts)};
    Scene *twin[3] = {scene};
    for (int i = 1; i < 2 + twice; i++)
        twin[i] = stepTwin(scene, boxes, CONVERGED, (unsigned long)i, &inspector[i]);
    sceneBeforeStep(scene);
    CHECK_OK(ksInspectorQuickStep(inspector[0], h));
    checkRows(inspector[0], contacts);
    int estimated = 0;
    for (int i = 0; i < boxes; i++) {
        double estimate = estimateOf(inspector[0], scene->body[i]);
        if (isnan(estimate))
            continue;
        ck_assert_double_le(estimate, 2 + rounding);  // two opposite forces
        const int n = sample->count++;
        sample->truth[n] = netDistance(inspector[0], scene->body[i], inspector[1], twin[1]->body[i]);
        if (twice)
            sample->spread[n] = netDistance(inspector[1], twin[1]->body[i], inspector[2], twin[2]->body[i]);
        sample->ratio[n] = estimate / sample->truth[n];
        sample->within += sample->ratio[n] > 1.0 / 3 && sample->ratio[n] < 3;
        estimated++;
    }
    ck_assert_uint_eq(ksInspectorGetStepReport(inspector[0])->estimatedBodyCount, (size_t)estimated);
    if (twice)
        recompute(inspector[0], scene, inspector[1], twin[1], sample);
    sceneAfterStep(scene);
    for (int i = 0; i < 2 + twice; i++) {
        ksInspectorDestroy(inspector[i]);
        if (i)
            sceneDestroy(twin[i]);
    }
}

/* A pile that comes to rest, examined at intervals. */
static void checkEstimates(int boxes, int states, ksContacts contacts, bool twice)
{
    double *room = calloc((size_t)(3 * boxes * states), sizeof *room);
    Sample sample = {.ratio = room, .truth = room + boxes * states, .spread = room + 2 * boxes * states};
    Scene *scene = settledPile(boxes);
    for (int i = 0; i < states; i++) {
        compareStep(scene, boxes, contacts, twice, &sample);
        for (int k = 0; k < APART; k++)
            sceneStep(scene, dWorldQuickStep, h);
    }
    sceneDestroy(scene);
    printf(
        "%d boxes: %d of %d estimates within a factor of 3, median ratio %.2f; true error: 5 %% below %.2f, half below "
        "%.2f, 95 %% below %.2f",
        boxes, sample.within, sample.count, quantile(sample.ratio, sample.count, 0.5),
        quantile(sample.truth, sample.count, 0.05), quantile(sample.truth, sample.count, 0.5),
        quantile(sample.truth, sample.count, 0.95));
    if (twice)
        printf("; between two true ones: half below %.2g, 95 %% below %.2g; recomputed to a tenth: %d, rightly: %d",
               quantile(sample.spread, sample.count, 0.5), quantile(sample.spread, sample.count, 0.95), sample.reached,
               sample.right);
    printf("\n");
    fflush(stdout);
    ck_assert_int_ge(20 * sample.count, 19 * boxes * states);
    ck_assert_int_ge(20 * sample.within, 19 * sample.count);
    // friction may have another solution than the engine's
    ck_assert(!twice || (sample.reached > 0 && 10 * sample.right >= 8 * sample.reached));
    free(room);
}

START_TEST(estimates)
{
    checkEstimates(30, 3, _i ? KS_CONTACTS_SOLVED : KS_CONTACTS_REPORTED, false);
}
END_TEST

START_TEST(estimates_long)
{
    const int boxes[] = {30, 100, 500}, states[] = {12, 4, 2};
    checkEstimates(boxes[_i], states[_i], KS_CONTACTS_REPORTED, true);
}
END_TEST

/* dWorldStep solves its equations: sweeps change nothing, however many there are. */
START_TEST(exact_steps_have_no_error)
{
    Scene *scene = _i ? sceneStar(20) : sceneChain(60, SCENE_FALLING);
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 1;
    options.estimateSweeps = 4096;
    ksInspector *inspector = inspectWith(scene->world, &options);
    for (int i = 0; i < 10; i++) {
        CHECK_OK(ksInspectorStep(inspector, h));
        ck_assert_uint_eq(ksInspectorGetStepReport(inspector)->estimatedBodyCount, (size_t)scene->bodyCount);
        ck_assert_double_lt(ksInspectorGetStepReport(inspector)->worstEstimate, 1e-9);
    }
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
}
END_TEST

START_TEST(pile_is_reproducible)
{
    Scene *a = settledPile(30), *b = settledPile(30);
    ck_assert(sceneSameState(a, b));
    sceneDestroy(a);
    sceneDestroy(b);
}
END_TEST

START_TEST(estimate_is_optional)
{
    Scene *scene = settledPile(30);
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 1;
    for (int wanted = 0; wanted < 2; wanted++) {
        options.estimateSweeps = wanted ? 64 : 0;
        ksInspector *inspector = inspectWith(scene->world, &options);
        sceneBeforeStep(scene);
        CHECK_OK(ksInspectorQuickStep(inspector, h));
        sceneAfterStep(scene);
        const ksStepReport *report = ksInspectorGetStepReport(inspector);
        double worst = 0;
        int known = 0;
        for (int i = 0; i < scene->bodyCount; i++) {
            double estimate = estimateOf(inspector, scene->body[i]);
            known += !isnan(estimate);
            worst = fmax(worst, estimate);
        }
        ck_assert_int_eq(known > 0, wanted);
        ck_assert_uint_eq(report->estimatedBodyCount, (size_t)known);
        ck_assert_double_eq(report->worstEstimate, worst);
        ck_assert_int_eq(report->worstBody != NULL, wanted);
        if (wanted)
            ck_assert_double_eq(estimateOf(inspector, report->worstBody), worst);
        ksInspectorDestroy(inspector);
    }
    sceneDestroy(scene);
}
END_TEST

static ksInspector *countingInspector(dWorldID world, Counter *counter)
{
    ksInspectorOptions options = defaultOptions();
    options.islandRowBudget = 1;
    options.estimateSweeps = SWEEPS;
    options.allocator = (ksAllocator){countingResize, counter};
    return inspectWith(world, &options);
}

/* Repeats one step from the same state. */
static ksStatus stepFrom(Scene *scene, const Scene *state, ksInspector *inspector)
{
    sceneCopyState(scene, state);
    sceneBeforeStep(scene);
    ksStatus status = ksInspectorQuickStep(inspector, h);
    sceneAfterStep(scene);
    return status;
}

START_TEST(memory)
{
    Scene *state = settledPile(9), *scene = scenePile(9);
    Counter counter = {0};
    ksInspector *inspector = countingInspector(scene->world, &counter);
    // two sets of joints, this step's and the last one's, and the pairs that touched in the last
    // five steps, are known then
    for (int i = 0; i < 6; i++)
        CHECK_OK(stepFrom(scene, state, inspector));
    const long requests = counter.requests;
    ck_assert_uint_gt(ksInspectorGetStepReport(inspector)->estimatedBodyCount, 0);
    for (int i = 0; i < 5; i++)
        CHECK_OK(stepFrom(scene, state, inspector));
    ck_assert_int_eq(counter.requests, requests);
    ksInspectorDestroy(inspector);
    ck_assert_int_eq(counter.held, 0);

    for (long refuse = 2; refuse <= requests; refuse++) {
        counter = (Counter){.refuse = refuse};
        inspector = countingInspector(scene->world, &counter);
        int lost = 0;
        for (int i = 0; i < 3; i++) {
            ksStatus status = stepFrom(scene, state, inspector);
            const ksStepReport *report = ksInspectorGetStepReport(inspector);
            ck_assert_int_eq(report->inspected, !status);
            ck_assert(status || report->estimatedBodyCount > 0);
            lost += status == KS_ERROR_NO_MEMORY;
        }
        // the order of contacts, and with it their memory, depends on addresses
        ck_assert_int_eq(lost, counter.requests >= refuse);
        ksInspectorDestroy(inspector);
        ck_assert_int_eq(counter.held, 0);
    }
    sceneDestroy(scene);
    sceneDestroy(state);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pile");
    TCase *quick = tcase_create("pile"), *full = tcase_create("pile_long");
    tcase_add_test(quick, pile_is_reproducible);
    tcase_add_loop_test(quick, estimates, 0, 2);
    tcase_add_loop_test(quick, exact_steps_have_no_error, 0, 2);
    tcase_add_test(quick, estimate_is_optional);
    tcase_add_test(quick, memory);
    tcase_add_loop_test(full, estimates_long, 0, 3);
    tcase_set_tags(full, "long");
    suite_add_tcase(suite, quick);
    suite_add_tcase(suite, full);
    return runSuite(suite);
}

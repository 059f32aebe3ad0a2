/* check_battery.c  Random worlds of everything: no false alarm, and converged values that are the engine's own where its
 * direct stepper has solved the step. */
#include "tests/battery_kit.h"

enum { STEPS = 15, MESSAGE = 256 };
static const double h = 0.01;

/* Engine against converged under dWorldStep, relative to the island's largest load. Largest seen 6e-10: compliances of
 * 1e-10 leave the engine's factorisation that much. */
static const double kDirect = 1e-8;
/* What QuickStep's converged values differ by from dWorldStep's report on the same state, same measure. The multipliers
 * of the latter are good to kDirect, the state is the same bit by bit. Largest seen 3e-11. */
static const double kTwin = 1e-7;
/* Tolerance of the verdicts on QuickStep, and the room on either side of it that rounding may need. */
static const double kVerdict = 1e-5, kRoom = 1.5;

static ksInspector *inspect(dWorldID world, double tolerance)
{
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.tolerance = tolerance;
    ksInspector *inspector = NULL;
    ck_assert_int_eq(ksInspectorCreate(world, &options, &inspector), KS_OK);
    return inspector;
}

/* For the message of a failed check. */
static const char *describe(const BatteryWorld *battery, const ksReaction *r, double figure)
{
    static char text[MESSAGE];
    snprintf(text, sizeof text, "seed %lu, step %d, %s (attachment %d): %s, reasons %#x, error %.2e, figure %.2e",
             (unsigned long)battery->plan.seed, battery->step, batteryTypeName((int)r->type),
             batteryAttachment(r->joint), ksVerdictName(r->verdict), r->reasons, r->error, figure);
    return text;
}

/* ----- dWorldStep */

typedef struct Tally {
    unsigned long judged, failed; /* joint-steps; those in steps that the engine gave up on */
    unsigned long seen[KSI_JOINT_TYPES][ATTACHMENTS];
    double worst;
} Tally;

static void judgeReaction(const BatteryWorld *battery, const BatteryScale *scale, const ksReaction *r, Tally *tally)
{
    const double load = batteryLoad(scale, r);
    const double apart = load > 0 ? batterySize(scale, r, r->engine, r->converged) / load : 0;
    ck_assert_msg(r->verdict == KS_VALID || r->verdict == KS_INDETERMINATE, "%s", describe(battery, r, apart));
    ck_assert_msg(apart < kDirect, "%s", describe(battery, r, apart));
    tally->worst = fmax(tally->worst, apart);
    tally->seen[r->type][batteryAttachment(r->joint)]++;
}

static void runWorld(const BatteryPlan *plan, Tally *tally)
{
    BatteryWorld *battery = batteryCreate(plan);
    ksInspector *inspector = inspect(battery->world, 1e-2);
    for (int i = 0; i < STEPS; i++) {
        BatteryScale scale;
        batteryBeforeStep(battery);
        batteryMeasureBefore(&scale, battery, h);
        const unsigned long messages = batteryMessages();
        ck_assert_int_eq(ksInspectorStep(inspector, h), KS_OK);
        const bool gaveUp = batteryMessages() > messages;
        size_t count;
        const ksReaction *reaction = ksInspectorGetReactions(inspector, &count);
        batteryMeasureAfter(&scale, reaction, count);
        for (size_t r = 0; r < count; r++) {
            if (reaction[r].verdict == KS_NOT_SOLVED)
                continue;
            tally->judged++;
            tally->failed += gaveUp;
            if (!gaveUp)
                judgeReaction(battery, &scale, &reaction[r], tally);
        }
        batteryAfterStep(battery);
    }
    ksInspectorDestroy(inspector);
    batteryDestroy(battery);
}

static void runWorlds(BatteryPlan plan, uint64_t from, uint64_t to, Tally *tally)
{
    batteryCatchMessages();
    memset(tally, 0, sizeof *tally);
    for (plan.seed = from; plan.seed < to; plan.seed++)
        runWorld(&plan, tally);
    printf("%lu joint-steps, %lu given up by the engine, engine against converged %.1e\n", tally->judged, tally->failed,
           tally->worst);
}

START_TEST(no_alarm)
{
    Tally tally;
    runWorlds((BatteryPlan){.seed = 0}, 0, 30, &tally);
    ck_assert_uint_gt(tally.judged, 3000);
}
END_TEST

/* Every type in every attachment that it takes. A null joint has no rows and is never judged. */
START_TEST(no_alarm_long)
{
    enum { SEEN_ENOUGH = 60 };
    Tally tally;
    runWorlds((BatteryPlan){.seed = 0}, 100, 900, &tally);
    ck_assert_uint_gt(tally.judged, 50000);
    for (int type = 1; type < KSI_JOINT_TYPES; type++) {
        const bool both = type == dJointTypeHinge2 || type == dJointTypeTransmission;
        for (int attachment = 0; attachment < (both ? 1 : ATTACHMENTS); attachment++) {
            if (type != dJointTypeContact && type != dJointTypeNull)
                ck_assert_msg(tally.seen[type][attachment] > SEEN_ENOUGH, "%s, attachment %d: %lu",
                              batteryTypeName(type), attachment, tally.seen[type][attachment]);
        }
    }
}
END_TEST

/* ----- QuickStep: a second world with the same past takes the last step with dWorldStep */

typedef struct Twins {
    BatteryWorld *quick, *direct;
    ksInspector *inspector, *reference;
} Twins;

typedef struct Comparison {
    unsigned long compared, wrong; /* joints; those on which QuickStep's forces were off */
    double worst;
} Comparison;

static Twins newTwins(const BatteryPlan *plan, int iterations)
{
    Twins twins = {.quick = batteryCreate(plan), .direct = batteryCreate(plan)};
    twins.inspector = inspect(twins.quick->world, kVerdict);
    twins.reference = inspect(twins.direct->world, kVerdict);
    dWorldSetQuickStepNumIterations(twins.quick->world, iterations);
    dWorldSetQuickStepNumIterations(twins.direct->world, iterations);
    return twins;
}

static void endTwins(Twins *twins)
{
    ksInspectorDestroy(twins->inspector);
    ksInspectorDestroy(twins->reference);
    batteryDestroy(twins->quick);
    batteryDestroy(twins->direct);
}

static void stepTwins(Twins *twins)
{
    const unsigned long seed = dRandGetSeed();
    batteryBeforeStep(twins->quick);
    ck_assert_int_eq(ksInspectorQuickStep(twins->inspector, h), KS_OK);
    batteryAfterStep(twins->quick);
    dRandSetSeed(seed);
    batteryBeforeStep(twins->direct);
    ck_assert(dWorldQuickStep(twins->direct->world, h));
    batteryAfterStep(twins->direct);
}

static void compareReaction(const Twins *twins, const BatteryScale *scale, const ksReaction *r, const ksReaction *exact,
                            Comparison *comparison)
{
    ck_assert_int_eq(r->type, exact->type);
    const double load = batteryLoad(scale, exact);
    const double apart = load > 0 ? batterySize(scale, r, r->converged, exact->engine) / load : 0;
    ck_assert_msg(r->verdict > KS_UNEXPLAINED, "%s", describe(twins->quick, r, apart));
    if (r->freeCount)
        return;
    ck_assert_msg(apart < kTwin, "%s", describe(twins->quick, r, apart));
    // the same error as the library's, from the other world's report
    const double own = fmax(batterySize(scale, r, r->engine, NULL), batterySize(scale, r, exact->engine, NULL));
    const double error = batterySize(scale, r, r->engine, exact->engine) / fmax(own, 1e-6 * load);
    if (error > kRoom * kVerdict)
        ck_assert_msg(r->verdict == KS_SOLVER_ERROR, "%s", describe(twins->quick, r, error));
    if (error < kVerdict / kRoom)
        ck_assert_msg(r->verdict != KS_SOLVER_ERROR, "%s", describe(twins->quick, r, error));
    comparison->compared++;
    comparison->wrong += r->verdict == KS_SOLVER_ERROR;
    comparison->worst = fmax(comparison->worst, apart);
}

static void compareLastStep(Twins *twins, Comparison *comparison)
{
    BatteryScale scale;
    batteryBeforeStep(twins->quick);
    batteryBeforeStep(twins->direct);
    batteryMeasureBefore(&scale, twins->direct, h);
    const unsigned long messages = batteryMessages();
    ck_assert_int_eq(ksInspectorStep(twins->reference, h), KS_OK);
    ck_assert_int_eq(ksInspectorQuickStep(twins->inspector, h), KS_OK);
    size_t count, exactCount;
    const ksReaction *exact = ksInspectorGetReactions(twins->reference, &exactCount);
    const ksReaction *reaction = ksInspectorGetReactions(twins->inspector, &count);
    ck_assert_uint_eq(count, exactCount);
    batteryMeasureAfter(&scale, exact, count);
    for (size_t r = 0; r < count && batteryMessages() == messages; r++) {
        if (reaction[r].verdict != KS_NOT_SOLVED) {
            // sizes are measured with the masses of the other world's bodies: the same
            ksReaction mine = reaction[r];
            mine.body[0] = exact[r].body[0], mine.body[1] = exact[r].body[1];
            compareReaction(twins, &scale, &mine, &exact[r], comparison);
        }
    }
}

static void runTwins(BatteryPlan plan, int iterations, uint64_t from, uint64_t to)
{
    Comparison comparison = {0};
    batteryCatchMessages();
    for (plan.seed = from; plan.seed < to; plan.seed++) {
        Twins twins = newTwins(&plan, iterations);
        for (uint64_t i = 0; i < plan.seed % 12; i++)
            stepTwins(&twins);
        compareLastStep(&twins, &comparison);
        endTwins(&twins);
    }
    printf("QuickStep, %d iterations: %lu joints compared, %lu off, converged against dWorldStep %.1e\n", iterations,
           comparison.compared, comparison.wrong, comparison.worst);
    ck_assert_uint_gt(comparison.compared, 5 * (to - from));
    if (iterations == 20)  // the reason for this library
        ck_assert_uint_gt(comparison.wrong, comparison.compared / 4);
}

static const int iterationTable[] = {20, 2000};

START_TEST(quick_step_is_converged)
{
    runTwins((BatteryPlan){.seed = 0}, iterationTable[_i], 0, _i ? 12 : 60);
}
END_TEST

START_TEST(quick_step_is_converged_long)
{
    runTwins((BatteryPlan){.seed = 0}, iterationTable[_i], 100, 700);
}
END_TEST

int main(void)
{
    dInitODE2(0);
    Suite *suite = suite_create("battery");
    TCase *quick = tcase_create("battery"), *full = tcase_create("battery_long");
    tcase_set_timeout(quick, 60);
    tcase_add_test(quick, no_alarm);
    tcase_add_loop_test(quick, quick_step_is_converged, 0, 2);
    suite_add_tcase(suite, quick);
    tcase_set_tags(full, "long");
    tcase_set_timeout(full, 900);
    tcase_add_test(full, no_alarm_long);
    tcase_add_loop_test(full, quick_step_is_converged_long, 0, 2);
    suite_add_tcase(suite, full);
    const int status = runSuite(suite);
    dCloseODE();
    return status;
}

/* check_battery.c  Random worlds with all effects: no false alarm, and converged values equal to
 * the engine's own in steps that its direct stepper has solved. */
#include "tests/kits/battery_kit.h"
#include "tests/kits/memory_kit.h"

enum { STEPS = 15, MESSAGE = 256 };
static const double h = 0.01;

/* Engine against converged under dWorldStep, relative to the island's largest load. With
 * compliances of 1e-10 the error of the engine's factorisation is usually 2e-9. One joint-step in
 * some ten thousand has more: the engine's own loss. In double precision our two routes agree to a
 * hundredth of the limit there. In single precision, where the step's equations are evaluated, it is
 * one in 400, and in some worlds a few joints in each step. */
static const double kDirect = KSI_BY_PRECISION(1e-8, 1e-2), kLost = 1e-7;
enum { LOST_IN = 5000, EXCUSED_IN = 300, EXCUSED_AT_ONCE = 3 * STEPS };
/* The same if a part of the wrench is not unique within the rank tolerance of 1e-4, so that the
 * engine's compliance decides. Largest found 4.5e-7. */
static const double kShared = KSI_BY_PRECISION(1e-5, 5e-2);
/* The distance of QuickStep's converged values from dWorldStep's report on the same state, same
 * measure. The latter's multipliers have an error of kDirect; the state is the same to the bit.
 * Largest found 3e-10. */
enum { TWINS_EXCUSED_IN = 200 }; /* in loops one in 270 */
static const double kTwin = KSI_BY_PRECISION(1e-7, 1e-2);
/* Tolerance of the verdicts on QuickStep, and the room on either side of it for rounding. */
/* As in the options. */
static const double kFloor = KSI_BY_PRECISION(1e-6, 1e-4);
static const double kVerdict = KSI_BY_PRECISION(1e-5, 1e-2), kRoom = KSI_BY_PRECISION(1.5, 5);

/* A single-precision engine leaves digits undecided in loops with small loads, and solves them no
 * better. */
static const ksReasons imprecise = KSI_BY_PRECISION(0, KS_REASON_PRECISION);

static ksInspector *inspect(dWorldID world, double tolerance, ksContacts contacts)
{
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.tolerance = tolerance;
    options.contacts = contacts;
    ksInspector *inspector = NULL;
    ck_assert_int_eq(ksInspectorCreate(world, &options, &inspector), KS_OK);
    return inspector;
}

/* For the message of a failed check. */
static const char *describe(const BatteryWorld *battery, const ksReaction *r, double figure)
{
    static char text[MESSAGE];
    snprintf(text, sizeof text, "seed %lu, step %d, %s (attachment %d): %s, reasons %#llx, error %.2e, figure %.2e",
             (unsigned long)battery->plan.seed, battery->step, batteryTypeName((int)r->type),
             batteryAttachment(r->joint), ksVerdictName(r->verdict), (unsigned long long)r->reasons, r->error, figure);
    return text;
}

/* ----- dWorldStep */

typedef struct Tally {
    unsigned long judged, unchecked, failed; /* numbers of joint-steps; failed: in steps that
                                                the engine gave up */
    unsigned long lost, excused;             /* joint-steps in which the engine has lost digits: in
                                                double precision, in single precision */
    BatteryTable table;
    double worst;
} Tally;

/* The contents of a world, and the reasons for which its joints may have no verdict. */
static const struct Kind {
    const char *name;
    BatteryPlan plan;
    ksReasons excuses;
    int quickWorlds, longWorlds;
    ksContacts contacts;
} kinds[] = {
    {"trees", {0}, 0, 30, 800, KS_CONTACTS_REPORTED},
    {"trees that fall asleep", {.idle = true}, KS_REASON_RESET, 10, 200, KS_CONTACTS_REPORTED},
    {"loops", {.loops = true}, KS_REASON_PRECISION, 10, 200, KS_CONTACTS_REPORTED},
    {"smooth contacts", {.contacts = SMOOTH_CONTACTS}, 0, 10, 200, KS_CONTACTS_REPORTED},
    {"rough contacts", {.contacts = ROUGH_CONTACTS}, 0, 10, 200, KS_CONTACTS_REPORTED},
    {"rough contacts that fall asleep",
     {.contacts = ROUGH_CONTACTS, .idle = true},
     KS_REASON_RESET,
     10,
     200,
     KS_CONTACTS_REPORTED},
    {"smooth contacts, solved", {.contacts = SMOOTH_CONTACTS}, 0, 10, 200, KS_CONTACTS_SOLVED},
    {"rough contacts, solved",
     {.contacts = ROUGH_CONTACTS},
     KS_REASON_FRICTION | KS_REASON_BOUND,
     10,
     200,
     KS_CONTACTS_SOLVED},
    {"rough contacts that fall asleep, solved",
     {.contacts = ROUGH_CONTACTS, .idle = true},
     KS_REASON_RESET | KS_REASON_FRICTION | KS_REASON_BOUND,
     10,
     200,
     KS_CONTACTS_SOLVED},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void judgeReaction(const struct Kind *kind, const BatteryReactions *of, const ksReaction *r, Tally *tally)
{
    const BatteryScale *scale = of->scale;
    const double load = batteryLoad(scale, r);
    const double apart = load > 0 ? batterySize(scale, r, r->engine, r->converged) / load : 0;
    batteryCount(&tally->table, scale, r);
    if (r->verdict == KS_UNCHECKED && r->reasons & (kind->excuses | imprecise)) {
        tally->unchecked++;
        return;
    }
    const bool isRight = r->verdict == KS_VALID || r->verdict == KS_INDETERMINATE;
    const bool lost = !KSI_IS_SINGLE && !r->freeCount && apart >= kDirect && r->errorBar < kDirect / 100;
    const double most = r->freeCount ? kShared : lost ? kLost : kDirect;
    tally->lost += lost;
    // a contact as reported has no error bar
    const bool isSure = isRight ? apart < kShared : !(r->errorBar >= r->error);
    if (r->verdict > KS_UNEXPLAINED && !(isRight && apart < most) && isSure && batteryIsRounding(of, r)) {
        tally->excused++;
        return;
    }
    ck_assert_msg(isRight, "%s", describe(scale->battery, r, apart));
    ck_assert_msg(apart < most, "%s", describe(scale->battery, r, apart));
    if (!r->freeCount)
        tally->worst = fmax(tally->worst, apart);
}

static void runWorld(const struct Kind *kind, uint64_t seed, Tally *tally)
{
    BatteryPlan plan = kind->plan;
    plan.seed = seed;
    BatteryWorld *battery = batteryCreate(&plan);
    ksInspector *inspector = inspect(battery->world, 1e-2, kind->contacts);
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
                judgeReaction(kind, &(BatteryReactions){&scale, reaction, count}, &reaction[r], tally);
        }
        batteryAfterStep(battery);
    }
    ksInspectorDestroy(inspector);
    batteryDestroy(battery);
}

static void runWorlds(const struct Kind *kind, uint64_t from, int worlds, Tally *tally)
{
    batteryCatchMessages();
    const unsigned long before = tally->judged;
    for (uint64_t seed = from; seed < from + (uint64_t)worlds; seed++)
        runWorld(kind, seed, tally);
    printf("%s: %lu joint-steps; so far %lu unchecked, %lu given up by the engine, %lu excused, engine against "
           "converged %.1e\n",
           kind->name, tally->judged - before, tally->unchecked, tally->failed, tally->excused, tally->worst);
    ck_assert_uint_gt(tally->judged - before, 100 * (unsigned long)worlds);
    ck_assert_uint_le(tally->lost, 1 + tally->judged / LOST_IN);
    ck_assert_uint_le(tally->excused, EXCUSED_AT_ONCE + tally->judged / EXCUSED_IN);
}

START_TEST(no_alarm)
{
    static Tally tally;
    runWorlds(&kinds[_i], 140, kinds[_i].quickWorlds, &tally);
}
END_TEST

/* In rough contacts, an idle body is stopped within the step between two joints of a thousand times its
 * weight, which nearly cancel. In double precision their rounding is far below the limits. */
START_TEST(stopped_between_large_forces)
{
    static const struct Kind kind = {"stopped between large forces",
                                     {.contacts = ROUGH_CONTACTS, .idle = true},
                                     KS_REASON_RESET,
                                     1,
                                     1,
                                     KS_CONTACTS_REPORTED};
    static Tally tally;
    runWorlds(&kind, 190, 1, &tally);
    unsigned long stopped = 0;
    for (int type = 1; type < KSI_JOINT_TYPES; type++)
        stopped += tally.table.effect[type][BATTERY_RESET];
    ck_assert_uint_gt(stopped, 0);
}
END_TEST

START_TEST(no_alarm_long)
{
    static Tally tally;
    for (int kind = 0; kind < KINDS; kind++)
        runWorlds(&kinds[kind], 100, kinds[kind].longWorlds, &tally);
    batteryPrintTable(&tally.table);
    ck_assert_uint_gt(tally.judged, 50000);
    batteryCheckCoverage(&tally.table);
}
END_TEST

/* ----- QuickStep: a second world with the same past takes the last step with dWorldStep */

typedef struct Twins {
    BatteryWorld *quick, *direct;
    ksInspector *inspector, *reference;
} Twins;

typedef struct Comparison {
    unsigned long compared, wrong, excused; /* numbers of joints; wrong: those with an error of
                                               QuickStep's forces; excused: dWorldStep has lost digits */
    double worst;
} Comparison;

static Twins newTwins(const BatteryPlan *plan, int iterations)
{
    Twins twins = {.quick = batteryCreate(plan), .direct = batteryCreate(plan)};
    twins.inspector = inspect(twins.quick->world, kVerdict, KS_CONTACTS_SOLVED);
    twins.reference = inspect(twins.direct->world, kVerdict, KS_CONTACTS_SOLVED);
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

/* The ERP of a joint before the step. */
static double erpOf(const BatteryWorld *battery, dJointID joint)
{
    ksiRows rows;
    const bool isRead = ksiReadRows(&battery->engine, joint, KS_WORLD_STEP, h, &rows) == KS_OK;
    return isRead ? ksiLargestErp(joint, &rows, dWorldGetERP(battery->world)) : 1;
}

/* The least load that counts, size in the mass metric: twice the force by which the engine corrects
 * rounded positions is the tolerance times this load. */
static double leastLoad(const BatteryScale *scale, const ksReaction *r, double erp)
{
    static const double units = 4;
    double noise = 0;
    for (int side = 0; side < 2 && KSI_IS_SINGLE; side++) {
        const int i = batteryIndex(scale->battery, r->body[side]);
        const ksiBody *body = i < 0 || scale->body[i].kinematic ? NULL : &scale->body[i];
        if (body)
            noise += sqrt(body->mass * ksiDot(body->centre, body->centre) + body->inertia[0] + body->inertia[4] +
                          body->inertia[8]);
    }
    return 2 * units * FLT_EPSILON * erp / (h * h) * noise / kVerdict;
}

/* Least loads of a joint in the world of QuickStep, which may lack a self-stress of dWorldStep: by the options, and by
 * the rounding of positions. */
typedef struct Least {
    double floor, rounding;
} Least;

static void compareReaction(const Twins *twins, const BatteryReactions *of, const ksReaction *r,
                            const ksReaction *exact, const Least *limit, Comparison *comparison)
{
    const BatteryScale *scale = of->scale;
    ck_assert_int_eq(r->type, exact->type);
    const double load = batteryLoad(scale, exact);
    const double apart = load > 0 ? batterySize(scale, r, r->converged, exact->engine) / load : 0;
    ck_assert_msg(r->verdict > KS_UNEXPLAINED || (r->verdict == KS_UNCHECKED && r->reasons & imprecise), "%s",
                  describe(twins->quick, r, apart));
    if (r->freeCount || r->verdict == KS_UNCHECKED)
        return;
    ck_assert_msg(apart < kTwin || batteryIsRounding(of, exact), "%s", describe(twins->quick, r, apart));
    comparison->excused += apart >= kTwin;
    // the library's error again, from the other world's report
    const double own = fmax(batterySize(scale, r, r->engine, NULL), batterySize(scale, r, exact->engine, NULL));
    const double least = fmax(own, limit->floor), error = batterySize(scale, r, r->engine, exact->engine) / least;
    const double open = KSI_IS_SINGLE ? apart * load / least : 0;  // dWorldStep's own rounding
    if (error * least > (kRoom * kVerdict + open) * fmax(least, limit->rounding))
        ck_assert_msg(r->verdict == KS_SOLVER_ERROR, "%s", describe(twins->quick, r, error));
    // a difference from dWorldStep is no false alarm, however small the joint's own load
    if (error < kVerdict / kRoom - open)
        ck_assert_msg(r->verdict != KS_SOLVER_ERROR, "%s", describe(twins->quick, r, error));
    comparison->compared++;
    comparison->wrong += r->verdict == KS_SOLVER_ERROR;
    comparison->worst = fmax(comparison->worst, apart);
}

static void compareLastStep(Twins *twins, Comparison *comparison)
{
    BatteryScale scale, quick;
    batteryBeforeStep(twins->quick);
    batteryBeforeStep(twins->direct);
    batteryMeasureBefore(&scale, twins->direct, h);
    batteryMeasureBefore(&quick, twins->quick, h);
    double erp[BATTERY_JOINTS];
    for (int i = 0; i < twins->direct->jointCount; i++)
        erp[i] = erpOf(twins->direct, twins->direct->joint[i]);
    const unsigned long messages = batteryMessages();
    ck_assert_int_eq(ksInspectorStep(twins->reference, h), KS_OK);
    ck_assert_int_eq(ksInspectorQuickStep(twins->inspector, h), KS_OK);
    size_t count, exactCount;
    const ksReaction *exact = ksInspectorGetReactions(twins->reference, &exactCount);
    const ksReaction *reaction = ksInspectorGetReactions(twins->inspector, &count);
    ck_assert_uint_eq(count, exactCount);
    batteryMeasureAfter(&scale, exact, count);
    batteryMeasureAfter(&quick, reaction, count);
    for (size_t r = 0; r < count && batteryMessages() == messages; r++) {
        if (reaction[r].verdict != KS_NOT_SOLVED) {
            // the other world's bodies have the same masses
            ksReaction mine = reaction[r];
            mine.body[0] = exact[r].body[0], mine.body[1] = exact[r].body[1];
            double share = 1;  // of a contact
            for (int i = 0; i < twins->direct->jointCount; i++)
                share = twins->direct->joint[i] == exact[r].joint ? erp[i] : share;
            const Least least = {kFloor * batteryLoad(&quick, &reaction[r]), leastLoad(&scale, &exact[r], share)};
            compareReaction(twins, &(BatteryReactions){&scale, exact, exactCount}, &mine, &exact[r], &least,
                            comparison);
        }
    }
}

/* If both steppers have the same bounds. */
static const struct Alike {
    const char *name;
    BatteryPlan plan;
    int quickWorlds, longWorlds;
} alike[] = {
    {"trees", {0}, 60, 600},
    {"loops", {.loops = true}, 10, 200},
    {"smooth contacts", {.contacts = SMOOTH_CONTACTS}, 10, 200},
    {"friction up to a given force", {.contacts = BOUNDED_CONTACTS}, 10, 200},
};
enum { ALIKE = sizeof alike / sizeof *alike };
static const int iterationTable[] = {20, 2000};

static void runTwins(const struct Alike *kind, int iterations, uint64_t from, int worlds)
{
    Comparison comparison = {0};
    BatteryPlan plan = kind->plan;
    batteryCatchMessages();
    for (plan.seed = from; plan.seed < from + (uint64_t)worlds; plan.seed++) {
        Twins twins = newTwins(&plan, iterations);
        for (uint64_t i = 0; i < plan.seed % 12; i++)
            stepTwins(&twins);
        compareLastStep(&twins, &comparison);
        endTwins(&twins);
    }
    printf(
        "QuickStep, %s, %d iterations: %lu joints compared, %lu off, %lu excused, converged against dWorldStep %.1e\n",
        kind->name, iterations, comparison.compared, comparison.wrong, comparison.excused, comparison.worst);
    ck_assert_uint_gt(comparison.compared, 5 * (unsigned long)worlds);
    ck_assert_uint_le(comparison.excused, 1 + comparison.compared / TWINS_EXCUSED_IN);
    if (iterations == 20)  // why this library exists
        ck_assert_uint_gt(comparison.wrong, comparison.compared / 4);
}

START_TEST(quick_step_is_converged)
{
    runTwins(&alike[_i / 2], iterationTable[_i % 2], 0, _i % 2 ? 10 : alike[_i / 2].quickWorlds);
}
END_TEST

START_TEST(quick_step_is_converged_long)
{
    runTwins(&alike[_i / 2], iterationTable[_i % 2], 100, alike[_i / 2].longWorlds);
}
END_TEST

/* ----- Far from the origin, where the engine corrects the rounding of positions, with the joint's ERP: in single
 * precision by 2 * 4 * FLT_EPSILON * 10 m / (5 ms)^2 = 3.9 % of the weight times the ERP. */

/* A body is held at its centre. One iteration from zero gives its force times the relaxation. */
static ksVerdict verdictFarAway(double erp, double relaxation)
{
    static const double far = 10, step = 0.005, gravity = 9.81;
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -gravity);
    dWorldSetERP(world, erp);
    dWorldSetCFM(world, 1e-10);
    dWorldSetQuickStepNumIterations(world, 1);
    dWorldSetQuickStepW(world, relaxation);
    dBodyID body = dBodyCreate(world);
    dBodySetPosition(body, far, 0, 0);
    dJointID joint = dJointCreateBall(world, NULL);
    dJointAttach(joint, body, NULL);
    dJointSetBallAnchor(joint, far, 0, 0);
    ksInspector *inspector = inspect(world, 1e-2, KS_CONTACTS_SOLVED);
    ck_assert_int_eq(ksInspectorQuickStep(inspector, step), KS_OK);
    const ksReaction *reaction = ksInspectorGetReactions(inspector, &(size_t){0});
    const double weight = gravity;  // of 1 kg
    ck_assert_double_eq_tol(reaction->engine[0].force[2], relaxation * weight, 1e-3 * weight);
    const ksVerdict verdict = reaction->verdict;
    ksInspectorDestroy(inspector);
    dWorldDestroy(world);
    return verdict;
}

START_TEST(rounded_positions_count_with_the_erp)
{
    static const double few = 0.975;  // 2.5 % of the weight is missing
    ck_assert_int_eq(verdictFarAway(0.2, 1), KS_VALID);
    ck_assert_int_eq(verdictFarAway(0.2, few), KS_SOLVER_ERROR);
    ck_assert_int_eq(verdictFarAway(1, few), KSI_BY_PRECISION(KS_SOLVER_ERROR, KS_VALID));
}
END_TEST

/* ----- The engine refuses: its memory manager has one block for the islands, and none for their
 * solution. (Without the first it crashes.) */

START_TEST(stepper_refuses)
{
    const dWorldStepMemoryFunctionsInfo few = {sizeof few, fewBlocks, sameBlock, freeBlock};
    BatteryWorld *battery = batteryCreate(&(BatteryPlan){.seed = 3, .plain = true});
    ksInspector *inspector = inspect(battery->world, 1e-2, KS_CONTACTS_REPORTED);
    dJointFeedback mine;
    memset(&mine, 0, sizeof mine);  // for a joint on the world the engine writes one half
    dJointSetFeedback(battery->joint[0], &mine);
    ck_assert_int_eq(ksInspectorStep(inspector, h), KS_OK);
    const dJointFeedback kept = mine;
    dWorldCleanupWorkingMemory(battery->world);
    ck_assert(dWorldSetStepMemoryManager(battery->world, &few));
    engineBlocks = 1;
    for (int quick = 0; quick < 2; quick++) {
        ck_assert_int_eq(quick ? ksInspectorQuickStep(inspector, h) : ksInspectorStep(inspector, h), KS_ERROR_ENGINE);
        size_t count;
        ksInspectorGetReactions(inspector, &count);
        ck_assert_uint_eq(count, 0);
        ck_assert_int_eq(ksInspectorGetStepReport(inspector)->stepped, 0);
        const ksBodyProbe probe = {.body = dJointGetBody(battery->joint[0], 0), .couple = 1, .axis = {1, 0, 0}};
        double mobility;
        ck_assert_int_eq(ksInspectorGetMobility(inspector, &probe, &probe, &mobility), KS_ERROR_BAD_ARGUMENT);
        ck_assert_ptr_eq(dJointGetFeedback(battery->joint[0]), &mine);
        ck_assert_mem_eq(&mine, &kept, sizeof mine);
    }
    dWorldCleanupWorkingMemory(battery->world);
    ck_assert(dWorldSetStepMemoryManager(battery->world, NULL));
    ck_assert_int_eq(ksInspectorStep(inspector, h), KS_OK);
    ck_assert_int_eq(ksInspectorGetStepReport(inspector)->stepped, 1);
    ksInspectorDestroy(inspector);
    batteryDestroy(battery);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("battery");
    TCase *quick = tcase_create("battery"), *full = tcase_create("battery_long");
    tcase_add_loop_test(quick, no_alarm, 0, KINDS);
    tcase_add_test(quick, stopped_between_large_forces);
    tcase_add_loop_test(quick, quick_step_is_converged, 0, 2 * ALIKE);
    tcase_add_test(quick, rounded_positions_count_with_the_erp);
    tcase_add_test(quick, stepper_refuses);
    suite_add_tcase(suite, quick);
    tcase_set_tags(full, "long");
    tcase_add_test(full, no_alarm_long);
    tcase_add_loop_test(full, quick_step_is_converged_long, 0, 2 * ALIKE);
    suite_add_tcase(suite, full);
    return runSuite(suite);
}

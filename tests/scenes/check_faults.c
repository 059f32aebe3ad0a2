/* check_faults.c  Faults injected into random worlds: each is found, and no other joint is accused.
 *
 * Two inspectors watch the same step. The inner one sees the engine's own step, and its rows show
 * where a fault has an effect; the outer one gets the false report, or the changed motion. */
#include "tests/kits/battery_kit.h"

typedef enum Fault {
    SCALED_MULTIPLIER, /* by 1 + 1e-5 */
    FLIPPED_MULTIPLIER,
    SWAPPED_BODIES,
    STALE_REPORT,   /* report of the step before */
    KINEMATIC_SIDE, /* doubled force on a body whose motion does not show it */
    CHANGED_VELOCITY,
    FORCE_ON_LATER_BODY,
    UNCONVERGED_SOLVER, /* QuickStep, stopped early */
    FAULTS
} Fault;

static const char *const faultName[FAULTS] = {"scaled multiplier",   "flipped multiplier", "swapped bodies",
                                              "stale report",        "kinematic side",     "changed velocity",
                                              "force on later body", "unconverged solver"};

enum { QUICK_TRIALS = 30, LONG_TRIALS = 1000, MOST_STEPS = 6, ITERATIONS = 5, MESSAGE = 256 };
static const double h = 0.01;

/* Limits on the verdicts. */
static const double kTolerance = 1e-7;
/* A multiplier is changed only if it carries this share of its joint's load; a report is replaced
 * only if it changes by as much. */
static const double kShare = 1e-3;
/* A velocity is changed by this (m/s), if that is at least this part of its island's load: twice
 * the library's threshold. */
static const double kVelocityChange = 0.01, kVelocityShare = 2e-9;
/* Forces of QuickStep with an error of this part of their island's load must raise an alarm. */
static const double kWrong = 1e-6;

typedef struct Trial {
    BatteryWorld *battery;
    ksStepper stepper;
    ksInspector *outer, *inner;
    BatteryScale scale;
    const ksReaction *seen; /* of the inner inspector */
    size_t count;
    dJointFeedback before[BATTERY_JOINTS];
    Random random;
} Trial;

/* Data of the moved callbacks, which get a body only. */
static struct {
    dBodyID order[BATTERY_BODIES];
    int moved;
    dBodyID changed;        /* its velocity changes after it has moved */
    dBodyID trigger, later; /* after the first has moved, the second gets a force */
} hooks;

static void onMoved(dBodyID body)
{
    if (hooks.moved < BATTERY_BODIES)
        hooks.order[hooks.moved++] = body;
    if (body == hooks.changed) {
        const dReal *v = dBodyGetLinearVel(body);
        dBodySetLinearVel(body, v[0], v[1] + kVelocityChange, v[2]);
    }
    if (body == hooks.trigger)
        dBodyAddForce(hooks.later, 1, 2, -1);
}

static Trial newTrial(uint64_t seed, ksStepper stepper)
{
    const BatteryPlan plan = {.seed = seed, .plain = true};
    Trial trial = {.battery = batteryCreate(&plan), .stepper = stepper, .random = {seed ^ 0x5eed}};
    ksInspectorOptions options;
    ksInspectorOptionsInit(&options);
    options.tolerance = kTolerance;
    ck_assert_int_eq(ksInspectorCreate(trial.battery->world, &options, &trial.outer), KS_OK);
    ck_assert_int_eq(ksInspectorCreate(trial.battery->world, &options, &trial.inner), KS_OK);
    memset(&hooks, 0, sizeof hooks);
    for (int i = 0; i < trial.battery->bodyCount; i++)
        dBodySetMovedCallback(trial.battery->body[i], onMoved);
    return trial;
}

static void endTrial(Trial *trial)
{
    ksInspectorDestroy(trial->inner);
    ksInspectorDestroy(trial->outer);
    batteryDestroy(trial->battery);
}

/* The step until the inner inspector has finished; the outer one's bracket is open. */
static void openStep(Trial *trial)
{
    batteryBeforeStep(trial->battery);
    batteryMeasureBefore(&trial->scale, trial->battery, h);
    ck_assert_int_eq(ksInspectorBeginStep(trial->outer, trial->stepper, h), KS_OK);
    ck_assert_int_eq(ksInspectorBeginStep(trial->inner, trial->stepper, h), KS_OK);
    hooks.moved = 0;
    ck_assert(trial->stepper == KS_WORLD_STEP ? dWorldStep(trial->battery->world, h)
                                              : dWorldQuickStep(trial->battery->world, h));
    ck_assert_int_eq(ksInspectorEndStep(trial->inner), KS_OK);
    trial->seen = ksInspectorGetReactions(trial->inner, &trial->count);
    batteryMeasureAfter(&trial->scale, trial->seen, trial->count);
}

static void closeStep(Trial *trial)
{
    for (int i = 0; i < trial->battery->jointCount; i++) {
        const dJointFeedback *feedback = dJointGetFeedback(trial->battery->joint[i]);
        if (feedback)
            trial->before[i] = *feedback;
    }
    ck_assert_int_eq(ksInspectorEndStep(trial->outer), KS_OK);
    batteryAfterStep(trial->battery);
}

static void onlySteps(Trial *trial)
{
    const int steps = 1 + (int)(randomBits(&trial->random) % MOST_STEPS);
    for (int i = 0; i < steps; i++) {
        openStep(trial);
        closeStep(trial);
    }
}

static Trial trialAfterSteps(uint64_t seed, ksStepper stepper)
{
    Trial trial = newTrial(seed, stepper);
    onlySteps(&trial);
    return trial;
}

static double shareOf(const Trial *trial, const ksReaction *r, int l)
{
    ksWrench part[2];
    for (int side = 0; side < 2; side++) {
        memset(&part[side], 0, sizeof part[side]);
        ksiAddScaled(part[side].force, r->row[l].engine, r->row[l].jacobian[side]);
        ksiAddScaled(part[side].torque, r->row[l].engine, r->row[l].jacobian[side] + 3);
    }
    const double load = batterySize(&trial->scale, r, r->engine, NULL);
    return load > 0 ? batterySize(&trial->scale, r, part, NULL) / load : 0;
}

/* Adds (scale - 1) lambda_l J_l to the report; false if row l does not carry enough. */
static bool spoilMultiplier(Trial *trial, const ksReaction *r, double scale)
{
    dJointFeedback *feedback = dJointGetFeedback(r->joint);
    const int start = (int)(randomBits(&trial->random) % (uint64_t)r->rowCount);
    for (int attempt = 0; attempt < r->rowCount; attempt++) {
        const int l = (start + attempt) % r->rowCount;
        if (!(shareOf(trial, r, l) > kShare))
            continue;
        const double change = (scale - 1) * r->row[l].engine;
        ksiAddScaled(feedback->f1, change, r->row[l].jacobian[0]);
        ksiAddScaled(feedback->t1, change, r->row[l].jacobian[0] + 3);
        if (r->body[1]) {
            ksiAddScaled(feedback->f2, change, r->row[l].jacobian[1]);
            ksiAddScaled(feedback->t2, change, r->row[l].jacobian[1] + 3);
        }
        return true;
    }
    return false;
}

static void wrenchOf(const dJointFeedback *feedback, ksWrench out[2])
{
    ksiCopy(out[0].force, feedback->f1);
    ksiCopy(out[0].torque, feedback->t1);
    ksiCopy(out[1].force, feedback->f2);
    ksiCopy(out[1].torque, feedback->t2);
}

/* Replaces the report by another one; false if that is almost the same. Motors at stops are in the
 * reaction, but not in the feedback. */
static bool replaceReport(const Trial *trial, const ksReaction *r, const dJointFeedback *other)
{
    ksWrench wrench[2], now[2];
    wrenchOf(other, wrench);
    wrenchOf(dJointGetFeedback(r->joint), now);
    const double load = batterySize(&trial->scale, r, r->engine, NULL);
    if (!(batterySize(&trial->scale, r, wrench, now) > kShare * load))
        return false;
    *dJointGetFeedback(r->joint) = *other;
    return true;
}

static bool spoilKinematicSide(const ksReaction *r)
{
    dJointFeedback *feedback = dJointGetFeedback(r->joint);
    double *force[2] = {feedback->f1, feedback->f2}, *torque[2] = {feedback->t1, feedback->t2};
    bool any = false;
    for (int side = 0; side < 2; side++) {
        if (!r->body[side] || !dBodyIsKinematic(r->body[side]))
            continue;
        any = ksiDot(force[side], force[side]) + ksiDot(torque[side], torque[side]) > 0;
        ksiAddScaled(force[side], 1, force[side]);
        ksiAddScaled(torque[side], 1, torque[side]);
    }
    return any;
}

static bool spoilReport(Trial *trial, const ksReaction *r, Fault fault)
{
    dJointFeedback other = *dJointGetFeedback(r->joint);
    switch (fault) {
    case SCALED_MULTIPLIER:
        return spoilMultiplier(trial, r, 1 + 1e-5);
    case FLIPPED_MULTIPLIER:
        return spoilMultiplier(trial, r, -1);
    case SWAPPED_BODIES:
        if (!r->body[1])
            return false;
        memcpy(other.f1, dJointGetFeedback(r->joint)->f2, sizeof other.f1);
        memcpy(other.t1, dJointGetFeedback(r->joint)->t2, sizeof other.t1);
        memcpy(other.f2, dJointGetFeedback(r->joint)->f1, sizeof other.f1);
        memcpy(other.t2, dJointGetFeedback(r->joint)->t1, sizeof other.t1);
        return replaceReport(trial, r, &other);
    case KINEMATIC_SIDE:
        return spoilKinematicSide(r);
    default:
        for (int i = 0; i < trial->battery->jointCount; i++) {
            if (trial->battery->joint[i] == r->joint)
                return replaceReport(trial, r, &trial->before[i]);
        }
        return false;
    }
}

static bool judged(const ksReaction *r)
{
    return r->verdict == KS_VALID || r->verdict == KS_INDETERMINATE || r->verdict == KS_SOLVER_ERROR;
}

/* For the message of a failed check. */
static const char *describe(const Trial *trial, const ksReaction *r, Fault fault)
{
    static char text[MESSAGE];
    snprintf(text, sizeof text, "%s, seed %lu, step %d, %s: %s, reasons %#llx, error %.2e", faultName[fault],
             (unsigned long)trial->battery->plan.seed, trial->battery->step, batteryTypeName((int)r->type),
             ksVerdictName(r->verdict), (unsigned long long)r->reasons, r->error);
    return text;
}

typedef struct Tally {
    int trials, found;
    unsigned long bystanders; /* joints of other islands, none of which is accused */
} Tally;

/* In other islands the outer inspector agrees with the inner one, and neither accuses a joint. An
 * island that a joint without rows in this step connects to the accused one belongs to the same
 * mechanism: its joints say that a motor's force counted as reported. */
static void checkBystanders(const Trial *trial, int island, Fault fault, Tally *tally)
{
    for (size_t i = 0; i < trial->count; i++) {
        const ksReaction *was = &trial->seen[i], *is = ksInspectorGetReaction(trial->outer, was->joint);
        ck_assert_ptr_nonnull(is);
        if (was->verdict == KS_NOT_SOLVED || batteryIsland(&trial->scale, was) == island)
            continue;
        const ksReasons changed = is->reasons ^ was->reasons;
        ck_assert_msg(is->verdict == was->verdict && !(changed & ~KS_REASON_REPORTED_LOADS) &&
                          is->verdict != KS_UNEXPLAINED &&
                          !(trial->stepper == KS_WORLD_STEP && is->verdict == KS_SOLVER_ERROR),
                      "accused: %s", describe(trial, is, fault));
        tally->bystanders++;
    }
}

static void checkTarget(const Trial *trial, const ksReaction *target, Fault fault, Tally *tally)
{
    const ksReaction *is = ksInspectorGetReaction(trial->outer, target->joint);
    ck_assert_ptr_nonnull(is);
    ck_assert_msg(is->verdict == KS_UNEXPLAINED && is->reasons & KS_REASON_REPORT && !(is->reasons & KS_REASON_MOTION),
                  "missed: %s", describe(trial, is, fault));
    tally->found++;
}

static bool reportTrial(uint64_t seed, ksStepper stepper, Fault fault, Tally *tally)
{
    Trial trial = trialAfterSteps(seed, stepper);
    openStep(&trial);
    const ksReaction *target = NULL;
    const size_t start = (size_t)(randomBits(&trial.random) % 64);
    for (size_t i = 0; i < trial.count && !target; i++) {
        const ksReaction *r = &trial.seen[(start + i) % trial.count];
        if (judged(r) && dJointGetFeedback(r->joint) && spoilReport(&trial, r, fault))
            target = r;
    }
    closeStep(&trial);
    if (target) {
        checkTarget(&trial, target, fault, tally);
        checkBystanders(&trial, batteryIsland(&trial.scale, target), fault, tally);
    }
    endTrial(&trial);
    return target != NULL;
}

/* A body with mass on a judged joint. */
static dBodyID jointedBody(Trial *trial)
{
    const size_t start = (size_t)(randomBits(&trial->random) % 64);
    for (size_t i = 0; i < trial->count; i++) {
        const ksReaction *r = &trial->seen[(start + i) % trial->count];
        const int side = (int)(randomBits(&trial->random) % 2);
        if (judged(r) && r->body[side] && !dBodyIsKinematic(r->body[side]))
            return r->body[side];
    }
    return NULL;
}

static int islandOf(const Trial *trial, dBodyID body)
{
    for (int i = 0; i < trial->battery->bodyCount; i++) {
        if (trial->battery->body[i] == body)
            return trial->scale.island[i];
    }
    return -1;
}

/* The first body of its island to be stepped, if that is another one. */
static dBodyID earlierBody(const Trial *trial, dBodyID body)
{
    for (int i = 0; i < hooks.moved && hooks.order[i] != body; i++) {
        if (islandOf(trial, hooks.order[i]) == islandOf(trial, body) && !dBodyIsKinematic(hooks.order[i]))
            return hooks.order[i];
    }
    return NULL;
}

/* Every joint of the body blames its motion; false if it has none. */
static bool checkCulprit(const Trial *trial, dBodyID culprit, Fault fault, Tally *tally)
{
    int joints = 0;
    for (size_t i = 0; i < trial->count; i++) {
        const ksReaction *was = &trial->seen[i], *is = ksInspectorGetReaction(trial->outer, was->joint);
        ck_assert_ptr_nonnull(is);
        if (was->verdict == KS_NOT_SOLVED || (was->body[0] != culprit && was->body[1] != culprit))
            continue;
        ck_assert_msg(is->verdict == KS_UNEXPLAINED && is->reasons & KS_REASON_MOTION &&
                          !(is->reasons & KS_REASON_REPORT),
                      "missed: %s", describe(trial, is, fault));
        joints++;
    }
    tally->found += joints > 0;
    return joints > 0;
}

static bool worthChanging(const Trial *trial, dBodyID body)
{
    dMass mass;
    dBodyGetMass(body, &mass);
    return kVelocityChange * sqrt(mass.mass) / h > kVelocityShare * trial->scale.load[islandOf(trial, body)];
}

static bool motionTrial(uint64_t seed, ksStepper stepper, Fault fault, Tally *tally)
{
    Trial trial = trialAfterSteps(seed, stepper);
    openStep(&trial);
    closeStep(&trial);
    dBodyID culprit = jointedBody(&trial);
    dBodyID trigger = culprit && fault == FORCE_ON_LATER_BODY ? earlierBody(&trial, culprit) : NULL;
    bool possible = culprit && (fault == CHANGED_VELOCITY || trigger);
    if (possible) {
        if (fault == CHANGED_VELOCITY)
            hooks.changed = culprit;
        else
            hooks.trigger = trigger, hooks.later = culprit;
        openStep(&trial);
        closeStep(&trial);
        possible = (fault != CHANGED_VELOCITY || worthChanging(&trial, culprit)) &&
                   checkCulprit(&trial, culprit, fault, tally);
        checkBystanders(&trial, islandOf(&trial, culprit), fault, tally);
    }
    endTrial(&trial);
    return possible;
}

/* A twin takes the same step with dWorldStep: the correct result for QuickStep. */
static bool solverTrial(uint64_t seed, Tally *tally)
{
    Trial trial = trialAfterSteps(seed, KS_WORLD_STEP), twin = trialAfterSteps(seed, KS_WORLD_STEP);
    openStep(&twin);
    dWorldSetQuickStepNumIterations(trial.battery->world, ITERATIONS);
    batteryBeforeStep(trial.battery);
    ck_assert_int_eq(ksInspectorQuickStep(trial.outer, h), KS_OK);
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(trial.outer, &count);
    ck_assert_uint_eq(count, twin.count);
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const ksReaction *r = &reaction[i], *exact = &twin.seen[i];
        if (r->verdict == KS_NOT_SOLVED)
            continue;
        ck_assert_msg(r->verdict != KS_UNEXPLAINED, "accused: %s", describe(&trial, r, UNCONVERGED_SOLVER));
        const double off = batterySize(&twin.scale, exact, r->engine, exact->engine);
        if (r->freeCount || !(off > kWrong * batteryLoad(&twin.scale, exact)))
            continue;
        ck_assert_msg(r->verdict == KS_SOLVER_ERROR, "missed: %s", describe(&trial, r, UNCONVERGED_SOLVER));
        wrong++;
    }
    batteryAfterStep(trial.battery);
    closeStep(&twin);
    endTrial(&trial);
    endTrial(&twin);
    tally->found += wrong > 0;
    return wrong > 0;
}

static void runTrials(Fault fault, ksStepper stepper, uint64_t seed, int trials)
{
    Tally tally = {0};
    const uint64_t first = seed;
    batteryCatchMessages();
    for (; tally.trials < trials; seed++) {
        ck_assert_uint_lt(seed - first, 3 * (uint64_t)trials);
        const bool done = fault == UNCONVERGED_SOLVER ? solverTrial(seed, &tally)
                          : fault >= CHANGED_VELOCITY ? motionTrial(seed, stepper, fault, &tally)
                                                      : reportTrial(seed, stepper, fault, &tally);
        tally.trials += done;
    }
    printf("%s%s: found %d of %d in %lu worlds, no accusation of %lu joints elsewhere\n", faultName[fault],
           stepper == KS_QUICK_STEP ? " (QuickStep)" : "", tally.found, tally.trials, (unsigned long)(seed - first),
           tally.bystanders);
    ck_assert_int_eq(tally.found, trials);
    if (fault != UNCONVERGED_SOLVER)
        ck_assert_uint_gt(tally.bystanders, (unsigned long)trials);
}

START_TEST(fault_is_found)
{
    runTrials((Fault)_i, KS_WORLD_STEP, 0, QUICK_TRIALS);
}
END_TEST

START_TEST(fault_is_found_long)
{
    runTrials((Fault)_i, KS_WORLD_STEP, 0, LONG_TRIALS);
}
END_TEST

/* Without a force on a later body: QuickStep has all velocities before it moves any body. */
START_TEST(fault_under_quick_step)
{
    runTrials((Fault)_i, KS_QUICK_STEP, 0, QUICK_TRIALS);
}
END_TEST

START_TEST(fault_under_quick_step_long)
{
    runTrials((Fault)_i, KS_QUICK_STEP, 0, LONG_TRIALS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("faults");
    TCase *quick = tcase_create("faults"), *full = tcase_create("faults_long");
    tcase_add_loop_test(quick, fault_is_found, 0, FAULTS);
    tcase_add_loop_test(quick, fault_under_quick_step, 0, CHANGED_VELOCITY + 1);
    suite_add_tcase(suite, quick);
    tcase_set_tags(full, "long");
    tcase_add_loop_test(full, fault_is_found_long, 0, FAULTS);
    tcase_add_loop_test(full, fault_under_quick_step_long, 0, CHANGED_VELOCITY + 1);
    suite_add_tcase(suite, full);
    return runSuite(suite);
}

/* findings.c  Findings of a world, by joint. */
#include "findings.h"

#include "suppress.h"

#include <math.h>
#include <string.h>

/* Least ratios and shares that the report mentions. */
static const double largeMassRatio = 10, largeShare = 0.01;

/* A mean force below this share of the world's largest mean force is a rounding error. */
static const double leastOfLargest = 1e-6;

uint64_t ksiStepsWith(const ksiJointStats *joint, ksReasons bits)
{
    uint64_t most = 0;
    for (int i = 0; i < KSI_REASONS; i++)
        most = bits >> i & 1 && joint->reason[i] > most ? joint->reason[i] : most;
    return most;
}

uint64_t ksiStepsOf(const ksiWorldStats *world, ksReasons bits)
{
    uint64_t most = 0;
    for (size_t i = 0; i < world->jointCount; i++) {
        const uint64_t steps = ksiStepsWith(world->joint[i], bits);
        most = steps > most ? steps : most;
    }
    return most;
}

/* --- Reasons in words --- */

static const ksiReasonWords *wordsOf(int bit)
{
    const char *name = ksReasonName(UINT64_C(1) << bit);
    for (const ksiReasonWords *words = ksiReasonTable; words->name; words++)
        if (strcmp(words->name, name) == 0)
            return words;
    return NULL;
}

const char *ksiReasonMeaning(int bit)
{
    const ksiReasonWords *words = wordsOf(bit);
    return words ? words->meaning : NULL;
}

const char *ksiReasonRemedy(int bit)
{
    const ksiReasonWords *words = wordsOf(bit);
    return words ? words->remedy : NULL;
}

/* --- Conditions of each finding --- */

static bool isUnexplained(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                          const ksiJointView *joint)
{
    (void)view, (void)world, (void)finding;
    return joint && joint->stats->unexplained > 0;
}

/* For another engine: do the observed forces explain the motion, while the engine's report does
 * not? */
static bool isReportFalse(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                          const ksiJointView *joint)
{
    (void)view, (void)finding;
    return joint && ksiIsForeign(world->stats) && joint->stats->unexplained == 0 &&
           ksiStepsWith(joint->stats, KS_REASON_REPORT) > 0;
}

static bool isTorn(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                   const ksiJointView *joint)
{
    (void)view, (void)world, (void)finding;
    return joint && joint->stats->opening.isKnown;
}

static bool isAbove(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                    const ksiJointView *joint)
{
    (void)view, (void)world, (void)finding;
    return joint && joint->isAbove;
}

/* Do the world's steps permit no trial with other iterations? */
static bool isUntried(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                      const ksiJointView *joint)
{
    (void)finding;
    return !joint && ((view->report->options.adviseEvery > 0 && world->stats->stepper[KS_EXACT_STEP] > 0) ||
                      (ksiIsForeign(world->stats) && view->limit->value != KS_PHYSICAL));
}

static bool hasContacts(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                        const ksiJointView *joint)
{
    (void)finding;
    const ksiHistogram *net = &world->stats->net.size;
    return !joint && world->stats->contacts.count > 0 && world->stats->stepper[KS_QUICK_STEP] > 0 &&
           (net->total == 0 ? !view->report->isOfCommand : net->largest > view->limit->above);
}

/* After a lost contact, dWorldStep and dWorldQuickStep make up for its force; exact steps do
 * not. */
static bool hasFlicker(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                       const ksiJointView *joint)
{
    (void)view, (void)finding;
    return !joint && world->stats->stepper[KS_EXACT_STEP] < world->stats->inspected && !ksiIsForeign(world->stats) &&
           ksiCountFlickers(world) > 0;
}

static bool hasBug(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                   const ksiJointView *joint)
{
    (void)view, (void)world;
    return joint && (ksiBugs() >> finding->bit & 1u) && joint->stats->reason[finding->bit] > 0;
}

/* A trap is a call of the program and belongs to the run, so each world of the run has the
 * finding. */
static bool hasTrap(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                    const ksiJointView *joint)
{
    const size_t run = world->stats->run == KSI_NO_RUN ? 0 : world->stats->run;
    return !joint && run < view->report->runCount && (view->report->run[run].traps >> finding->bit & 1u);
}

const ksiJointView *ksiMostUnlike(const ksiWorldView *world)
{
    const ksiJointView *most = ksiLargestMassRatio(world, true);
    const bool isLarge = most && most->stats->massRatio > largeMassRatio;
    return isLarge && world->stats->stepper[KS_QUICK_STEP] > 0 ? most : NULL;
}

static bool isUnlike(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                     const ksiJointView *joint)
{
    (void)view, (void)finding;
    return joint && joint == ksiMostUnlike(world);
}

double ksiDepartureOf(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint)
{
    const ksiHistogram *force = joint->stats->load[KSI_FORCE];
    const double percent = view->limit->percentile, mean = ksiQuantile(&force[KSI_OF_MEAN], percent);
    const double departure = ksiQuantile(&force[KSI_OF_DEPARTURE], percent);
    if (isnan(departure) || !(mean > leastOfLargest * world->meanForce))
        return NAN;
    return departure / fmax(mean, departure);
}

/* Only the sweeps of dWorldQuickStep leave equations unsolved. If the equations are solved, the
 * finding on the model covers the motion. */
static bool isDeparting(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                        const ksiJointView *joint)
{
    (void)finding;
    return joint && world->stats->stepper[KS_QUICK_STEP] > 0 && ksiDepartureOf(view, world, joint) > view->limit->above;
}

bool ksiIsMotorFound(int kind, const ksiMotorStats *motor)
{
    static bool (*const is[KSI_FINDINGS])(const ksiMotorStats *) = {[KSI_FINDS_MOTOR] = ksiIsOvercome,
                                                                    [KSI_FINDS_MOTOR_TARGET] = ksiIsLagging,
                                                                    [KSI_FINDS_MOTOR_STOP] = ksiIsPressing,
                                                                    [KSI_FINDS_MOTORS] = ksiIsOpposed};
    return is[kind](motor);
}

static bool hasMotor(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                     const ksiJointView *joint)
{
    (void)view, (void)world;
    bool has = false;
    for (int axis = 0; axis < KSI_MOTORS && joint; axis++)
        has |= ksiIsMotorFound(finding->kind, &joint->stats->motor[axis]);
    return has;
}

static bool isRedundant(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                        const ksiJointView *joint)
{
    (void)view, (void)world, (void)finding;
    return joint && ksiStepsWith(joint->stats, KS_REASON_REDUNDANT) > 0;
}

static bool isCompliant(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                        const ksiJointView *joint)
{
    (void)view, (void)world, (void)finding;
    return joint && joint->stats->compliance.softened > largeShare;
}

/* Are the equations solved, although their solution differs from the mechanism's? */
static bool isMismodelled(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                          const ksiJointView *joint)
{
    (void)finding;
    const ksReportLimit *limit = view->limit;
    // the model error must exceed the limit if joints fail by it, and twice the limit otherwise
    const double most = (limit->value == KS_PHYSICAL ? 1 : 2) * limit->above;
    const double solver = joint ? ksiQuantile(&joint->stats->error[KSI_SOLVER].size, limit->percentile) : NAN;
    // if another engine reports nothing, its solver error is unknown
    return joint && (solver <= limit->above || (isnan(solver) && ksiIsForeign(world->stats))) &&
           ksiQuantile(&joint->stats->error[KSI_MODEL].size, limit->percentile) > most;
}

static bool isUnchecked(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                        const ksiJointView *joint)
{
    (void)view, (void)world, (void)finding;
    return joint && joint->stats->verdict[KS_UNCHECKED] > 0;
}

static bool hasThreads(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                       const ksiJointView *joint)
{
    (void)view, (void)world, (void)finding;
    return joint && ksiStepsWith(joint->stats, KS_REASON_THREADS) > 0;
}

static ksiFilter *const isFound[KSI_FINDINGS] = {[KSI_FINDS_UNEXPLAINED] = isUnexplained,
                                                 [KSI_FINDS_REPORT] = isReportFalse,
                                                 [KSI_FINDS_TORN] = isTorn,
                                                 [KSI_FINDS_ERROR] = isAbove,
                                                 [KSI_FINDS_UNTRIED] = isUntried,
                                                 [KSI_FINDS_CONTACTS] = hasContacts,
                                                 [KSI_FINDS_FLICKER] = hasFlicker,
                                                 [KSI_FINDS_BUG] = hasBug,
                                                 [KSI_FINDS_TRAP] = hasTrap,
                                                 [KSI_FINDS_MOTOR] = hasMotor,
                                                 [KSI_FINDS_MOTOR_TARGET] = hasMotor,
                                                 [KSI_FINDS_MOTOR_STOP] = hasMotor,
                                                 [KSI_FINDS_MOTORS] = hasMotor,
                                                 [KSI_FINDS_MASSES] = isUnlike,
                                                 [KSI_FINDS_DEPARTURE] = isDeparting,
                                                 [KSI_FINDS_REDUNDANT] = isRedundant,
                                                 [KSI_FINDS_COMPLIANT] = isCompliant,
                                                 [KSI_FINDS_MODEL] = isMismodelled,
                                                 [KSI_FINDS_UNCHECKED] = isUnchecked,
                                                 [KSI_FINDS_THREADS] = hasThreads};

/* --- All findings --- */

bool ksiIsFound(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                const ksiJointView *joint)
{
    return isFound[finding->kind](view, world, finding, joint);
}

bool ksiIsTold(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, const ksiJointView *joint)
{
    return ksiIsFound(view, world, finding, joint) &&
           ksiSuppressionFor(view->report, ksiFindingName(finding), world->name, joint) < 0;
}

size_t ksiCountTold(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding)
{
    size_t count = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        count += ksiIsTold(view, world, finding, &world->joint[i]);
    return count;
}

void ksiEachFinding(const ksiView *view, ksiEachFound *each, void *user)
{
    ksiFindingKind finding = {0, 0};
    do {
        for (size_t i = 0; i < view->worldCount; i++) {
            const ksiWorldView *world = &view->world[i];
            if (ksiIsFound(view, world, &finding, NULL))
                each(view, world, &finding, NULL, user);
            for (size_t k = 0; k < world->jointCount; k++)
                if (ksiIsFound(view, world, &finding, &world->joint[k]))
                    each(view, world, &finding, &world->joint[k], user);
        }
    } while (ksiNextFinding(&finding));
}

void ksiWriteNames(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiFilter *isMeant,
                   ksiText *out)
{
    size_t count = 0;
    for (size_t i = 0; i < world->jointCount; i++) {
        if (!isMeant(view, world, finding, world->worstFirst[i]))
            continue;
        if (count++ < KSI_MOST_NAMES)
            ksiTextAdd(out, "%s%s", count > 1 ? ", " : "", world->worstFirst[i]->name);
    }
    if (count > KSI_MOST_NAMES)
        ksiTextAdd(out, " and %zu more", count - KSI_MOST_NAMES);
}

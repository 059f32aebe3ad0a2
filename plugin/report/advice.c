/* advice.c  What to do about it. */
#include "advice.h"

#include "document.h"

#include <math.h>

/* Ratios and shares from which a sentence is worth its line. */
static const double largeMassRatio = 10, largeShare = 0.01;

enum { MOST_NAMES = 4 };

const char *ksiComponentName(int component)
{
    static const char *const name[KSI_COMPONENTS] = {"force along axis 1",  "force along axis 2",
                                                     "force along axis 3",  "torque about axis 1",
                                                     "torque about axis 2", "torque about axis 3"};
    return name[component];
}

ksReasons ksiBugs(void)
{
    return KS_REASON_STALE_LIMIT | KS_REASON_FALSE_ERROR | KS_REASON_FALSE_AXIS | KS_REASON_FALSE_LEVER |
           KS_REASON_AXIS_LENGTH | KS_REASON_REPORT;
}

static uint64_t stepsWith(const ksiJointStats *joint, ksReasons bits)
{
    uint64_t most = 0;
    for (int i = 0; i < KSI_REASONS; i++)
        most = bits >> i & 1 && joint->reason[i] > most ? joint->reason[i] : most;
    return most;
}

static uint64_t stepsOf(const ksiWorldStats *world, ksReasons bits)
{
    uint64_t most = 0;
    for (size_t i = 0; i < world->jointCount; i++) {
        const uint64_t steps = stepsWith(world->joint[i], bits);
        most = steps > most ? steps : most;
    }
    return most;
}

/* "5 %", "12.5 %": as it was given */
static void writeShare(double share, ksiText *out)
{
    ksiTextAdd(out, "%g %%", 100 * share);
}

static bool areForeign(const ksReport *report)
{
    size_t foreign = 0;
    for (size_t i = 0; i < report->worldCount; i++)
        foreign += ksiIsForeign(report->world[i]);
    return foreign > 0 && foreign == report->worldCount;
}

void ksiWriteCriterion(const ksiView *view, ksiText *out)
{
    static const char *const judged[2][2] = {{"the engine's force", "what was reported"},
                                             {"the engine's force", "the force that explains its motion"}};
    static const char *const by[2][2] = {
        {"the converged one: the exact solution of the engine's own equations. Physical: the reaction of the ideal "
         "mechanism.",
         "the force that explains its motion. Physical: the reaction of the ideal mechanism."},
        {"the physical one: the reaction of the ideal mechanism in the same state. Converged: the exact solution of "
         "the engine's own equations.",
         "the physical one: the reaction of the ideal mechanism in the same state."}};
    const ksReportLimit *limit = view->limit;
    const bool isPhysical = limit->value == KS_PHYSICAL, isForeign = areForeign(view->report);
    ksiTextAdd(out, "A joint fails (!) if ");
    if (limit->percentile < 100)
        ksiTextAdd(out, "in more than %g %% of its steps", 100 - limit->percentile);
    else
        ksiTextAdd(out, "in any step");
    ksiTextAdd(out, " %s is off by more than ", judged[isPhysical][isForeign]);
    writeShare(limit->above, out);
    ksiTextAdd(out, " from %s", by[isPhysical][isForeign]);
}

/* --- Joints that are named --- */

typedef bool IsMeant(const ksiView *view, const ksiJointView *joint, int bit);

static size_t countOf(const ksiView *view, const ksiWorldView *world, IsMeant *isMeant, int bit)
{
    size_t count = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        count += isMeant(view, &world->joint[i], bit);
    return count;
}

/* The next one of those that are named, from this place in the order on; jointCount: there are no more. */
static size_t nextNamed(const ksiView *view, const ksiWorldView *world, IsMeant *isMeant, int bit, size_t from)
{
    while (from < world->jointCount && !isMeant(view, world->worstFirst[from], bit))
        from++;
    return from;
}

/* "a, b and 3 more", the worst first */
static void writeNames(const ksiView *view, const ksiWorldView *world, IsMeant *isMeant, int bit, ksiText *out)
{
    const size_t count = countOf(view, world, isMeant, bit);
    size_t written = 0;
    for (size_t i = nextNamed(view, world, isMeant, bit, 0); i < world->jointCount && written < MOST_NAMES;
         i = nextNamed(view, world, isMeant, bit, i + 1))
        ksiTextAdd(out, "%s%s", written++ ? ", " : "", world->worstFirst[i]->name);
    if (count > written)
        ksiTextAdd(out, " and %zu more", count - written);
}

static bool isRedundant(const ksiView *view, const ksiJointView *joint, int bit)
{
    (void)view;
    (void)bit;
    return stepsWith(joint->stats, KS_REASON_REDUNDANT) > 0;
}

static bool isCompliant(const ksiView *view, const ksiJointView *joint, int bit)
{
    (void)view;
    (void)bit;
    return joint->stats->complianceShare > largeShare;
}

/* The engine solves its equations, whose solution is not the mechanism's. */
static bool isMismodelled(const ksiView *view, const ksiJointView *joint, int bit)
{
    (void)bit;
    const ksReportLimit *limit = view->limit;
    // where this is what fails, to the limit; else where it is well above it
    const double most = (limit->value == KS_PHYSICAL ? 1 : 2) * limit->above;
    return ksiQuantile(&joint->stats->error[KSI_SOLVER], limit->percentile) <= limit->above &&
           ksiQuantile(&joint->stats->error[KSI_MODEL], limit->percentile) > most;
}

static bool isUnexplained(const ksiView *view, const ksiJointView *joint, int bit)
{
    (void)view;
    (void)bit;
    return stepsWith(joint->stats, KS_REASON_MOTION) > 0;
}

static bool hasBug(const ksiView *view, const ksiJointView *joint, int bit)
{
    (void)view;
    return (ksiBugs() >> bit & 1u) && joint->stats->reason[bit] > 0;
}

/* The joint that fails by its masses; NULL: those that fail hold bodies that are much alike, or their errors are not those of sweeps. */
static const ksiJointView *mostUnlike(const ksiWorldView *world)
{
    const ksiJointView *most = ksiLargestMassRatio(world, true);
    const bool isLarge = most && most->stats->massRatio > largeMassRatio;
    return isLarge && world->stats->stepper[KS_QUICK_STEP] > 0 ? most : NULL;
}

static void markNamed(const ksiView *view, const ksiWorldView *world, IsMeant *isMeant, int bit, bool *isNamed)
{
    size_t marked = 0;
    for (size_t i = nextNamed(view, world, isMeant, bit, 0); i < world->jointCount && marked++ < MOST_NAMES;
         i = nextNamed(view, world, isMeant, bit, i + 1))
        isNamed[world->worstFirst[i] - world->joint] = true;
}

void ksiMarkNamed(const ksiView *view, const ksiWorldView *world, bool *isNamed)
{
    for (size_t i = 0; i < world->jointCount; i++)
        isNamed[i] = false;
    markNamed(view, world, isRedundant, 0, isNamed);
    markNamed(view, world, isCompliant, 0, isNamed);
    markNamed(view, world, isMismodelled, 0, isNamed);
    if (ksiIsForeign(world->stats))
        markNamed(view, world, isUnexplained, 0, isNamed);
    for (int bit = 0; bit < KSI_REASONS; bit++)
        markNamed(view, world, hasBug, bit, isNamed);
    const ksiJointView *unlike = mostUnlike(world);
    if (unlike)
        isNamed[unlike - world->joint] = true;
}

/* --- What to do --- */

static const char *otherStep(const ksiView *view)
{
    return view->report->isOfCommand ? "call dWorldStep instead" : "use ksInspectorExactStep or dWorldStep";
}

static bool isAnythingTried(const ksiWorldStats *stats)
{
    bool isAny = false;
    for (size_t i = 0; i < stats->adviceCount; i++)
        isAny = isAny || stats->advice[i]->worst.total > 0;
    return isAny;
}

static const ksiAdvice *adviceFor(const ksiWorldStats *stats, int iterations)
{
    for (size_t i = 0; i < stats->adviceCount; i++) {
        if (stats->advice[i]->iterations == iterations)
            return stats->advice[i];
    }
    return NULL;
}

static void writeRefuted(const ksiEnough *enough, ksiText *out)
{
    if (enough->alone && enough->alone != enough->enough)
        ksiTextAdd(out, " In single steps %d seem enough, but this does not hold where a copy goes on with them.",
                   enough->alone);
    ksiTextAdd(out, "\n");
}

/* A number of iterations, and on what it rests. */
static void writeEnough(const ksiView *view, const ksiWorldStats *stats, const ksiEnough *enough, ksiText *out)
{
    const ksiAdvice *advice = adviceFor(stats, enough->enough);
    const unsigned long long alone = advice->steps, inARow = advice->inARow.total;
    ksiTextAdd(out, "%s %d iterations instead of %d (dWorldSetQuickStepNumIterations): ",
               enough->isChecked ? "Give dWorldQuickStep" : "Try dWorldQuickStep with", enough->enough,
               ksiMostIterations(stats));
    if (enough->isChecked)
        ksiTextAdd(out,
                   "then no joint fails. Found in %llu steps of this run, made again in copies of the world, and "
                   "checked in %llu others, at the end of rows of such steps.",
                   alone, inARow);
    else
        ksiTextAdd(
            out,
            "no joint fails in %llu steps of this run, made again in copies of the world. This is not checked, for "
            "which steps in a row are needed%s: run it again with that many.",
            alone, view->report->isOfCommand ? " (--every 1, --advise-every 20)" : "");
    writeRefuted(enough, out);
}

/* Are there joints that more iterations would help? Where the limit is of physical forces, the engine may have solved its equations. */
static bool isUnsolved(const ksiView *view, const ksiWorldView *world)
{
    const ksReportLimit *limit = view->limit;
    bool isAny = false;
    for (size_t i = 0; i < world->jointCount; i++)
        isAny = isAny || (world->joint[i].isFailed &&
                          ksiQuantile(&world->joint[i].stats->error[KSI_SOLVER], limit->percentile) > limit->above);
    return isAny;
}

static void writeIterations(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const ksiWorldStats *stats = world->stats;
    if (view->report->options.adviseEvery > 0 && stats->stepper[KS_EXACT_STEP] > 0)
        ksiTextAdd(out,
                   "Steps of ksInspectorExactStep were not tried with other numbers of iterations: they have none.\n");
    if (ksiIsForeign(stats) && view->limit->value != KS_PHYSICAL)
        ksiTextAdd(out,
                   "Of another engine's steps it is not known how they were solved: there is no advice on that. By %s "
                   "a joint is judged by the force that explains its motion, against that of the mechanism.\n",
                   view->report->isOfCommand ? "--value physical" : "ksReportLimit::value, KS_PHYSICAL,");
    if (stats->stepper[KS_QUICK_STEP] == 0 || !isUnsolved(view, world))
        return;
    const ksiEnough enough = ksiEnoughIterations(view, world);
    if (enough.enough > ksiMostIterations(stats)) {
        writeEnough(view, stats, &enough, out);
    } else if (isAnythingTried(stats)) {
        ksiTextAdd(out, "With no number of iterations up to %d do all joints pass: %s.",
                   stats->advice[stats->adviceCount - 1]->iterations, otherStep(view));
        writeRefuted(&enough, out);
    } else {
        ksiTextAdd(
            out,
            "Give dWorldQuickStep more iterations than %d (dWorldSetQuickStepNumIterations), or %s. %s tells how "
            "many.\n",
            ksiMostIterations(stats), otherStep(view),
            view->report->isOfCommand ? "A longer run, or --advise-every," : "ksReportOptions::adviseEvery");
    }
}

static void writeMassRatio(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const ksiJointView *most = mostUnlike(world);
    if (most)
        ksiTextAdd(out,
                   "The masses of the bodies of %s are in the ratio 1 : %.3g, and dWorldQuickStep converges slowly "
                   "there: make them more alike, or %s.\n",
                   most->name, most->stats->massRatio, otherStep(view));
}

static void writeMotion(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const uint64_t steps = stepsOf(world->stats, KS_REASON_MOTION);
    if (!ksiIsForeign(world->stats) || countOf(view, world, isUnexplained, 0) == 0)
        return;
    ksiTextAdd(out,
               "KS_REASON_MOTION in up to %llu step%s of a joint, so that its forces are not to be relied on: no joint "
               "can make such a motion. A load was not told, a joint did not hold, or the steps are too long: ",
               (unsigned long long)steps, steps == 1 ? "" : "s");
    writeNames(view, world, isUnexplained, 0, out);
    ksiTextAdd(out, ".\n");
}

static void writeBugs(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    for (int bit = 0; bit < KSI_REASONS; bit++) {
        if (countOf(view, world, hasBug, bit) == 0)
            continue;
        const uint64_t steps = stepsOf(world->stats, UINT64_C(1) << bit);
        ksiTextAdd(out, "%s in up to %llu step%s of a joint, a fault of the engine (man ksReason): ",
                   ksReasonName(UINT64_C(1) << bit), (unsigned long long)steps, steps == 1 ? "" : "s");
        writeNames(view, world, hasBug, bit, out);
        ksiTextAdd(out, ".\n");
    }
}

/* The smallest number with which bodies in contact are within the limit; 0: none that was tried. */
static int enoughForContacts(const ksiView *view, const ksiWorldStats *stats)
{
    const int used = ksiMostIterations(stats);
    for (size_t i = 0; i < stats->adviceCount; i++) {
        const ksiAdvice *advice = stats->advice[i];
        if (advice->iterations > used && advice->net.total > 0 &&
            ksiQuantile(&advice->net, view->limit->percentile) <= view->limit->above)
            return advice->iterations;
    }
    return 0;
}

static void writeContacts(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const ksiWorldStats *stats = world->stats;
    const ksiContactStats *contacts = &stats->contacts;
    const double most = ksiQuantile(&contacts->net, view->limit->percentile);
    char often[KSI_PERCENT_SIZE], largest[KSI_PERCENT_SIZE];
    if (contacts->count == 0 || stats->stepper[KS_QUICK_STEP] == 0)
        return;
    if (contacts->net.total == 0) {
        if (!view->report->isOfCommand)
            ksiTextAdd(out,
                       "How far contacts are from solved is not known: set ksInspectorOptions::estimateSweeps, to 40 "
                       "for example.\n");
        return;
    }
    if (contacts->net.largest <= view->limit->above)
        return;
    ksiPercent(often, most);
    ksiPercent(largest, contacts->net.largest);
    ksiTextAdd(out,
               "Contacts (%llu in %llu of %llu steps): the net force on a body that touches something, or hangs "
               "together with one that does, ",
               (unsigned long long)contacts->count, (unsigned long long)contacts->steps,
               (unsigned long long)stats->inspected);
    if (most > view->limit->above)
        ksiTextAdd(out, "is off by %s or more in %g %% of such steps, by %s at most.", often,
                   100 - view->limit->percentile, largest);
    else
        ksiTextAdd(out, "is off by up to %s (step %llu), but by %s or less in %g %% of such steps.", largest,
                   (unsigned long long)contacts->worstNet.step, often, view->limit->percentile);
    if (most > view->limit->above) {
        const int enough = enoughForContacts(view, stats);
        if (enough) {
            ksiTextAdd(out, " %d iterations of dWorldQuickStep bring it below ", enough);
            writeShare(view->limit->above, out);
        } else {
            ksiTextAdd(out, " Give dWorldQuickStep more iterations, or %s", otherStep(view));
        }
        ksiTextAdd(out, ".");
    }
    ksiTextAdd(out, "\n");
}

static void writeUnchecked(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    static const ksReasons usual = KS_REASON_BUDGET | KS_REASON_BOUND | KS_REASON_FRICTION | KS_REASON_PRECISION |
                                   KS_REASON_UNREADABLE | KS_REASON_NOT_FINITE | KS_REASON_MASS | KS_REASON_MEMORY |
                                   KS_REASON_SPEED_CAP | KS_REASON_RESET | KS_REASON_RELAXED | KS_REASON_GAP |
                                   KS_REASON_NOT_ASKED;
    (void)view;
    if (world->stats->verdict[KS_UNCHECKED] == 0)
        return;
    const unsigned long long unchecked = world->stats->verdict[KS_UNCHECKED];
    ksiTextAdd(out, "%llu reaction%s of joints %s not checked", unchecked, unchecked == 1 ? "" : "s",
               unchecked == 1 ? "was" : "were");
    const char *between = " (";
    for (int bit = 0; bit < KSI_REASONS; bit++) {
        if (!(usual >> bit & 1u) || stepsOf(world->stats, UINT64_C(1) << bit) == 0)
            continue;
        ksiTextAdd(out, "%s%s", between, ksReasonName(UINT64_C(1) << bit));
        between = ", ";
    }
    ksiTextAdd(out, "%s: see man ksReason.\n", *between == ',' ? ")" : "");
}

static void writeRedundant(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    if (countOf(view, world, isRedundant, 0) == 0)
        return;
    ksiTextAdd(out, "Redundant, so that mechanics does not say how they share the load: ");
    writeNames(view, world, isRedundant, 0, out);
    ksiTextAdd(out, ". If you need their forces, make one of them a joint that holds less, a ball for a hinge%s.\n",
               view->report->isOfCommand ? "" : "; or read their sum (ksInspectorSumWrenches)");
}

static void writeCompliant(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    if (countOf(view, world, isCompliant, 0) == 0)
        return;
    ksiTextAdd(out, "CFM makes up more than 1 %% of what these joints yield by themselves: ");
    writeNames(view, world, isCompliant, 0, out);
    ksiTextAdd(out, ". They are springs; lower CFM if they should be rigid.\n");
}

static void writeMismodelled(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    if (countOf(view, world, isMismodelled, 0) == 0)
        return;
    ksiTextAdd(out, "The engine solves its equations, but the forces in these joints are not those of the mechanism "
                    "(physical), because of error correction, compliance or the size of the step: ");
    writeNames(view, world, isMismodelled, 0, out);
    ksiTextAdd(out, ". Make smaller steps, or read the physical force.\n");
}

static void writeThreads(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    (void)view;
    if (stepsOf(world->stats, KS_REASON_THREADS) > 0)
        ksiTextAdd(
            out,
            "dWorldQuickStep ran on a pool of threads, which race: its report may disagree with its own motion.\n");
}

void ksiWriteAdviceOf(const ksiView *view, const ksiWorldView *world, int kind, ksiText *out)
{
    typedef void Write(const ksiView *view, const ksiWorldView *world, ksiText *out);
    static Write *const write[KSI_ADVICE_KINDS] = {
        [KSI_ADVISE_MOTION] = writeMotion,       [KSI_ADVISE_ITERATIONS] = writeIterations,
        [KSI_ADVISE_CONTACTS] = writeContacts,   [KSI_ADVISE_BUGS] = writeBugs,
        [KSI_ADVISE_MASSES] = writeMassRatio,    [KSI_ADVISE_REDUNDANT] = writeRedundant,
        [KSI_ADVISE_COMPLIANT] = writeCompliant, [KSI_ADVISE_MODEL] = writeMismodelled,
        [KSI_ADVISE_UNCHECKED] = writeUnchecked, [KSI_ADVISE_THREADS] = writeThreads};
    write[kind](view, world, out);
}

void ksiWriteEnds(const ksiView *view, ksiText *out)
{
    for (size_t i = 0; i < view->report->runCount; i++) {
        const ksiRun *run = &view->report->run[i];
        if (run->signal == 0 && run->notFinite.body == 0)
            continue;
        ksiTextAdd(out, "Look into the end of the run before its forces: ");
        ksiRunWriteEnd(run, out);
        ksiTextAdd(out, ".\n");
    }
}

void ksiWriteNoAdvice(const ksiWorldView *world, bool hasEnd, ksiText *out)
{
    if (world->failedCount > 0)
        ksiTextAdd(out, "No remedy is known: see man ksVerdict for the verdicts of the joints that fail.\n");
    else if (hasEnd)
        return;  // there is something to do
    else if (world->judgedCount > 0)
        ksiTextAdd(out, "Nothing: no joint fails.\n");
    else if (world->stats->contacts.net.total > 0)
        ksiTextAdd(out, "Nothing: there is no joint to be judged, and contacts are solved.\n");
    else
        ksiTextAdd(out, "Nothing is known: no joint was judged.\n");
}

void ksiWriteAdvice(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const size_t begun = out->length;
    ksiWriteEnds(view, out);
    const size_t ends = out->length;
    for (int kind = 0; kind < KSI_ADVICE_KINDS; kind++)
        ksiWriteAdviceOf(view, world, kind, out);
    if (out->length == ends)
        ksiWriteNoAdvice(world, ends > begun, out);
}

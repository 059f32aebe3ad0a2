/* advice.c  What to do about it. */
#include "advice.h"

#include <math.h>

/* Ratios and shares from which a sentence is worth its line. */
static const double largeMassRatio = 10, largeShare = 0.01;

enum { MOST_NAMES = 6 };

const char *ksiComponentName(int component)
{
    static const char *const name[KSI_COMPONENTS] = {"force along axis 1",  "force along axis 2",
                                                     "force along axis 3",  "torque about axis 1",
                                                     "torque about axis 2", "torque about axis 3"};
    return name[component];
}

unsigned ksiBugs(void)
{
    return KS_REASON_STALE_LIMIT | KS_REASON_FALSE_ERROR | KS_REASON_FALSE_AXIS | KS_REASON_FALSE_LEVER |
           KS_REASON_REPORT;
}

static uint64_t stepsWith(const ksiJointStats *joint, unsigned bits)
{
    uint64_t most = 0;
    for (int i = 0; i < KSI_REASONS; i++)
        most = bits >> i & 1u && joint->reason[i] > most ? joint->reason[i] : most;
    return most;
}

static uint64_t stepsOf(const ksiWorldStats *world, unsigned bits)
{
    uint64_t most = 0;
    for (size_t i = 0; i < world->jointCount; i++) {
        const uint64_t steps = stepsWith(world->joint[i], bits);
        most = steps > most ? steps : most;
    }
    return most;
}

int ksiEnoughIterations(const ksiWorldStats *world, double target)
{
    for (size_t i = 0; i < world->adviceCount; i++) {
        const ksiAdvice *advice = world->advice[i];
        if (advice->worst.total > 0 && ksiQuantile(&advice->worst, KSI_PERCENTILE) <= target)
            return advice->iterations;
    }
    return 0;
}

typedef bool IsMeant(const ksiView *view, const ksiJointView *joint);

/* "a, b and 3 more" */
static void writeNames(const ksiView *view, const ksiWorldView *world, IsMeant *isMeant, ksiText *out)
{
    size_t count = 0, written = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        count += isMeant(view, &world->joint[i]);
    for (size_t i = 0; i < world->jointCount && written < MOST_NAMES; i++) {
        if (isMeant(view, &world->joint[i]))
            ksiTextAdd(out, "%s%s", written++ ? ", " : "", world->joint[i].name);
    }
    if (count > written)
        ksiTextAdd(out, " and %zu more", count - written);
}

static size_t countOf(const ksiView *view, const ksiWorldView *world, IsMeant *isMeant)
{
    size_t count = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        count += isMeant(view, &world->joint[i]);
    return count;
}

static bool isRedundant(const ksiView *view, const ksiJointView *joint)
{
    (void)view;
    return stepsWith(joint->stats, KS_REASON_REDUNDANT) > 0;
}

static bool isCompliant(const ksiView *view, const ksiJointView *joint)
{
    (void)view;
    return joint->stats->complianceShare > largeShare;
}

/* The engine solves its equations, whose solution is not the mechanism's. */
static bool isMismodelled(const ksiView *view, const ksiJointView *joint)
{
    const double target = view->report->options.target;
    return ksiQuantile(&joint->stats->error[KSI_SOLVER], KSI_PERCENTILE) <= target &&
           ksiQuantile(&joint->stats->error[KSI_MODEL], KSI_PERCENTILE) > 2 * target;
}

static bool isInaccurate(const ksiView *view, const ksiJointView *joint)
{
    return ksiQuantile(&joint->stats->error[KSI_SOLVER], KSI_PERCENTILE) > view->report->options.target;
}

/* Was any error found in the steps that were made again? */
static bool isAnythingTried(const ksiWorldStats *stats)
{
    bool isAny = false;
    for (size_t i = 0; i < stats->adviceCount; i++)
        isAny = isAny || stats->advice[i]->worst.total > 0;
    return isAny;
}

static void writeIterations(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const ksiWorldStats *stats = world->stats;
    const double target = view->report->options.target;
    const int enough = ksiEnoughIterations(stats, target);
    const size_t inaccurate = countOf(view, world, isInaccurate);
    if (view->report->options.adviseEvery > 0 && stats->stepper[KS_EXACT_STEP] > 0)
        ksiTextAdd(out,
                   "Steps of ksInspectorExactStep were not tried with other numbers of iterations: they have none.\n");
    if (stats->stepper[KS_QUICK_STEP] == 0)
        return;
    if (stats->adviceCount > 0 && enough)
        ksiTextAdd(
            out,
            "%d iterations of dWorldQuickStep keep the error of every joint at or below %g %% in %d %% of the steps.\n",
            enough, 100 * target, KSI_PERCENTILE);
    else if (isAnythingTried(stats))
        ksiTextAdd(out,
                   "No number of iterations that was tried brings the error to %g %%: use dWorldStep or "
                   "ksInspectorExactStep.\n",
                   100 * target);
    else if (inaccurate > 0)
        ksiTextAdd(out,
                   "%zu of %zu joints have errors above %g %%: give dWorldQuickStep more iterations "
                   "(dWorldSetQuickStepNumIterations), or use dWorldStep or ksInspectorExactStep.\n",
                   inaccurate, world->jointCount, 100 * target);
}

static void writeMassRatio(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const ksiJointView *worst = ksiLargestMassRatio(world);
    if (worst && worst->stats->massRatio > largeMassRatio && world->stats->stepper[KS_QUICK_STEP] > 0 &&
        countOf(view, world, isInaccurate) > 0)
        ksiTextAdd(out,
                   "The bodies of %s have masses of 1 to %.3g, and dWorldQuickStep converges slowly there: make them "
                   "more alike, or use another stepper.\n",
                   worst->name, worst->stats->massRatio);
}

static void writeBugs(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    (void)view;
    for (size_t i = 0; i < world->jointCount; i++) {
        for (int bit = 0; bit < KSI_REASONS; bit++) {
            const uint64_t steps = world->joint[i].stats->reason[bit];
            if (steps > 0 && ksiBugs() >> bit & 1u)
                ksiTextAdd(out, "%s: %s in %llu steps, a fault of the engine: see man ksReason.\n",
                           world->joint[i].name, ksReasonName(1u << bit), (unsigned long long)steps);
        }
    }
}

static void writeContacts(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const ksiWorldStats *stats = world->stats;
    const double net = ksiQuantile(&stats->contacts.net, KSI_PERCENTILE);
    if (stats->contacts.count > 0 && stats->estimatedSteps == 0)
        ksiTextAdd(out, "There is no estimate of how far contacts are from solved: set "
                        "ksInspectorOptions::estimateSweeps.\n");
    else if (net > view->report->options.target)
        ksiTextAdd(out,
                   "The net force on bodies among contacts is wrong by up to %.2g %% (95 %% of bodies and steps): give "
                   "dWorldQuickStep more iterations, or use ksInspectorExactStep.\n",
                   100 * net);
}

static void writeUnchecked(const ksiWorldView *world, ksiText *out)
{
    static const unsigned usual = KS_REASON_BUDGET | KS_REASON_BOUND | KS_REASON_FRICTION | KS_REASON_PRECISION |
                                  KS_REASON_UNREADABLE | KS_REASON_NOT_FINITE | KS_REASON_MASS | KS_REASON_MEMORY |
                                  KS_REASON_SPEED_CAP | KS_REASON_RESET | KS_REASON_RELAXED | KS_REASON_NOT_ASKED;
    if (world->stats->verdict[KS_UNCHECKED] == 0)
        return;
    ksiTextAdd(out, "%llu reactions of joints were not checked",
               (unsigned long long)world->stats->verdict[KS_UNCHECKED]);
    const char *between = " (";
    for (int bit = 0; bit < KSI_REASONS; bit++) {
        if (!(usual >> bit & 1u) || stepsOf(world->stats, 1u << bit) == 0)
            continue;
        ksiTextAdd(out, "%s%s", between, ksReasonName(1u << bit));
        between = ", ";
    }
    ksiTextAdd(out, "%s: see man ksReason.\n", *between == ',' ? ")" : "");
}

/* A run that did not end well comes first. */
static void writeEnds(const ksiView *view, ksiText *out)
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

void ksiWriteAdvice(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const size_t before = out->length;
    writeEnds(view, out);
    writeIterations(view, world, out);
    writeMassRatio(view, world, out);
    if (countOf(view, world, isRedundant) > 0) {
        ksiTextAdd(out, "Redundant, so that mechanics does not say how they share the load: ");
        writeNames(view, world, isRedundant, out);
        ksiTextAdd(out, ". Give one of them fewer rows, or read their sum (ksInspectorSumWrenches).\n");
    }
    if (countOf(view, world, isCompliant) > 0) {
        ksiTextAdd(out, "CFM makes up more than 1 %% of what these joints yield by themselves: ");
        writeNames(view, world, isCompliant, out);
        ksiTextAdd(out, ". They are springs; lower CFM if they should be rigid.\n");
    }
    if (countOf(view, world, isMismodelled) > 0) {
        ksiTextAdd(out, "The engine solves its equations, but these joints' forces are not those of the mechanism: ");
        writeNames(view, world, isMismodelled, out);
        ksiTextAdd(out, ". Error correction, compliance and the step size make the difference: make smaller steps.\n");
    }
    writeBugs(view, world, out);
    writeContacts(view, world, out);
    writeUnchecked(world, out);
    if (stepsOf(world->stats, KS_REASON_THREADS) > 0)
        ksiTextAdd(
            out,
            "dWorldQuickStep ran on a pool of threads, which race: its report may disagree with its own motion.\n");
    if (out->length == before)
        ksiTextAdd(out, "Nothing: no joint's engine force is off by more than %g %% in 95 %% of its steps.\n",
                   100 * view->report->options.target);
}

/* advice.c  What to do about it. */
#include "advice.h"

#include "checksum.h"
#include "document.h"
#include "suppress.h"

#include <math.h>

/* The least CFM with which dWorldStep factors redundant rows: the default of the engine in double precision */
static const double leastCfm = 1e-10;

enum { MOST_NAMES = 4 };

const char *ksiComponentName(int component)
{
    static const char *const name[KSI_COMPONENTS] = {"force along axis 1",  "force along axis 2",
                                                     "force along axis 3",  "torque about axis 1",
                                                     "torque about axis 2", "torque about axis 3"};
    return name[component];
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

typedef bool Filter(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                    const ksiJointView *joint);

/* "a, b and 3 more", the worst first */
static void writeNamesOf(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, Filter *isMeant,
                         ksiText *out)
{
    size_t count = 0;
    for (size_t i = 0; i < world->jointCount; i++) {
        if (!isMeant(view, world, finding, world->worstFirst[i]))
            continue;
        if (count++ < MOST_NAMES)
            ksiTextAdd(out, "%s%s", count > 1 ? ", " : "", world->worstFirst[i]->name);
    }
    if (count > MOST_NAMES)
        ksiTextAdd(out, " and %zu more", count - MOST_NAMES);
}

static void writeNames(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    writeNamesOf(view, world, finding, ksiIsTold, out);
}

/* Joints whose names stand in sentences. */
static bool hasNames(const ksiFindingKind *finding)
{
    return finding->kind != KSI_FINDS_ERROR && finding->kind != KSI_FINDS_CONTACTS &&
           finding->kind != KSI_FINDS_THREADS;
}

void ksiMarkNamed(const ksiView *view, const ksiWorldView *world, bool *isNamed)
{
    ksiFindingKind finding = {0, 0};
    for (size_t i = 0; i < world->jointCount; i++)
        isNamed[i] = false;
    do {
        size_t marked = 0;
        for (size_t i = 0; i < world->jointCount && hasNames(&finding) && marked < MOST_NAMES; i++) {
            if (!ksiIsTold(view, world, &finding, world->worstFirst[i]))
                continue;
            isNamed[world->worstFirst[i] - world->joint] = true;
            marked++;
        }
    } while (ksiNextFinding(&finding));
}

uint64_t ksiFindingIdentity(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                            uint64_t form)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < world->jointCount && hasNames(finding); i++) {
        const char *name = world->joint[i].name;
        // in whatever order
        if (ksiIsTold(view, world, finding, &world->joint[i]))
            sum += ksiChecksumText(0, name, strlen(name));
    }
    return (uint64_t)ksiChecksum(0, &form, 1) << 32 | sum;
}

/* --- What to do --- */

static void writeSteps(uint64_t steps, ksiText *out)
{
    ksiTextAdd(out, "in up to %llu step%s of a joint", (unsigned long long)steps, steps == 1 ? "" : "s");
}

static void writeMeaning(int bit, ksiText *out)
{
    const char *meaning = ksiReasonMeaning(bit);
    ksiTextAdd(out, "%s", meaning ? meaning : ksReasonName(UINT64_C(1) << bit));
}

/* Another step of the engine, which nobody has tried. Without CFM dWorldStep may abort on rows that depend on each other. */
static void writeOtherStep(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    static const ksiFindingKind redundant = {KSI_FINDS_REDUNDANT, 0};
    bool isSingular = false;
    for (size_t i = 0; i < world->jointCount && world->stats->cfm < leastCfm; i++)
        isSingular |= ksiIsFound(view, world, &redundant, &world->joint[i]);
    if (isSingular) {
        ksiTextAdd(
            out,
            "step by ksInspectorExactStep, or by dWorldStep with CFM %g (dWorldSetCFM): with CFM %g it may abort, "
            "since these joints are redundant: ",
            leastCfm, world->stats->cfm);
        writeNamesOf(view, world, &redundant, ksiIsFound, out);
    } else {
        ksiTextAdd(out, "%s",
                   view->report->isOfCommand ? "call dWorldStep instead" : "use ksInspectorExactStep or dWorldStep");
    }
    ksiTextAdd(out, ". That was not tried.");
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

/* Where what fails is not the solution of the equations, another finding tells of it. */
static uint64_t writeError(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    enum { ENOUGH = 1, NONE, UNTRIED };
    (void)finding;
    const ksiWorldStats *stats = world->stats;
    if (stats->stepper[KS_QUICK_STEP] == 0 || !isUnsolved(view, world))
        return 0;
    const ksiEnough enough = ksiEnoughIterations(view, world);
    if (enough.enough > ksiMostIterations(stats)) {
        writeEnough(view, stats, &enough, out);
        return ENOUGH;
    }
    if (isAnythingTried(stats)) {
        ksiTextAdd(out, "With no number of iterations up to %d do all joints pass: ",
                   stats->advice[stats->adviceCount - 1]->iterations);
        writeOtherStep(view, world, out);
        writeRefuted(&enough, out);
        return NONE;
    }
    ksiTextAdd(out,
               "Give dWorldQuickStep more iterations than %d (dWorldSetQuickStepNumIterations): %s tells how many. Or ",
               ksiMostIterations(stats),
               view->report->isOfCommand ? "a longer run, or --advise-every," : "ksReportOptions::adviseEvery");
    writeOtherStep(view, world, out);
    ksiTextAdd(out, "\n");
    return UNTRIED;
}

static uint64_t writeUntried(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                             ksiText *out)
{
    enum { EXACT = 1, FOREIGN };
    if (!ksiIsTold(view, world, finding, NULL))
        return 0;
    if (!ksiIsForeign(world->stats)) {
        ksiTextAdd(out,
                   "Steps of ksInspectorExactStep were not tried with other numbers of iterations: they have none.\n");
        return EXACT;
    }
    ksiTextAdd(out,
               "Of another engine's steps it is not known how they were solved: there is no advice on that. By %s "
               "a joint is judged by the force that explains its motion, against that of the mechanism.\n",
               view->report->isOfCommand ? "--value physical" : "ksReportLimit::value, KS_PHYSICAL,");
    return FOREIGN;
}

static uint64_t writeMasses(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    const ksiJointView *most = ksiMostUnlike(world);
    if (!most || !ksiIsTold(view, world, finding, most))
        return 0;
    ksiTextAdd(out,
               "The masses of the bodies of %s are in the ratio 1 : %.3g, and dWorldQuickStep converges slowly "
               "there: make them more alike. That was not tried.\n",
               most->name, most->stats->massRatio);
    return 1;
}

/* Says what the reasons are among those that any of the joints has. Returns their bits. */
static ksReasons writeReasons(const ksiWorldView *world, ksReasons among, ksiText *out)
{
    ksReasons found = 0;
    for (int bit = 0; bit < KSI_REASONS; bit++) {
        const char *remedy = ksiReasonRemedy(bit);
        const uint64_t steps = ksiStepsOf(world->stats, UINT64_C(1) << bit);
        if (!(among >> bit & 1u) || steps == 0)
            continue;
        found |= UINT64_C(1) << bit;
        ksiTextAdd(out, " ");
        writeMeaning(bit, out);
        ksiTextAdd(out, " %s (%s, ", remedy ? remedy : "", ksReasonName(UINT64_C(1) << bit));
        writeSteps(steps, out);
        ksiTextAdd(out, ".)");
    }
    return found;
}

static uint64_t writeUnexplained(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                                 ksiText *out)
{
    uint64_t most = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        if (ksiIsTold(view, world, finding, &world->joint[i]) && world->joint[i].stats->unexplained > most)
            most = world->joint[i].stats->unexplained;
    if (most == 0)
        return 0;
    ksiTextAdd(out, "The motion is not explained ");
    writeSteps(most, out);
    ksiTextAdd(out, ", so that its forces are not to be relied on: ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ".");
    if (ksiIsForeign(world->stats))
        ksiTextAdd(
            out,
            " No joint can make such a motion: a load was not told, a joint did not hold, or the steps are too long.");
    writeReasons(world, KS_REASON_MOTION | KS_REASON_REPORT, out);
    ksiTextAdd(out, "\n");
    return 1;
}

static uint64_t writeReport(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "The force that was reported does not explain the motion, ");
    writeSteps(ksiStepsOf(world->stats, KS_REASON_REPORT), out);
    ksiTextAdd(out, ": ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ". Read the observed force (KS_OBSERVED), which does.\n");
    return 1;
}

static uint64_t writeBug(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    const char *remedy = ksiReasonRemedy(finding->bit);
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "A fault of the engine, ");
    writeSteps(ksiStepsOf(world->stats, UINT64_C(1) << finding->bit), out);
    ksiTextAdd(out, ": ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ". ");
    writeMeaning(finding->bit, out);
    ksiTextAdd(out, " %s (%s.)\n", remedy ? remedy : "", ksReasonName(UINT64_C(1) << finding->bit));
    return 1;
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

/* Where they are off more often than the limit allows. */
static uint64_t writeRemedyOfContacts(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    enum { MORE = 3, ENOUGH };
    const int enough = enoughForContacts(view, world->stats);
    if (enough) {
        ksiTextAdd(out, " In copies of the world, %d iterations of dWorldQuickStep bring it below ", enough);
        writeShare(view->limit->above, out);
        ksiTextAdd(out, ".\n");
        return ENOUGH;
    }
    ksiTextAdd(out, " Give dWorldQuickStep more iterations, or ");
    writeOtherStep(view, world, out);
    ksiTextAdd(out, "\n");
    return MORE;
}

static uint64_t writeContacts(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                              ksiText *out)
{
    enum { UNKNOWN = 1, SELDOM };
    const ksiWorldStats *stats = world->stats;
    const ksiContactStats *contacts = &stats->contacts;
    const double most = ksiQuantile(&contacts->net, view->limit->percentile);
    char often[KSI_PERCENT_SIZE], largest[KSI_PERCENT_SIZE];
    if (!ksiIsTold(view, world, finding, NULL))
        return 0;
    if (contacts->net.total == 0) {
        ksiTextAdd(out, "How far contacts are from solved is not known: set ksInspectorOptions::estimateSweeps, to 40 "
                        "for example.\n");
        return UNKNOWN;
    }
    ksiPercent(often, most);
    ksiPercent(largest, contacts->net.largest);
    ksiTextAdd(out,
               "Contacts (%llu in %llu of %llu steps): the net force on a body that touches something, or hangs "
               "together with one that does, ",
               (unsigned long long)contacts->count, (unsigned long long)contacts->steps,
               (unsigned long long)stats->inspected);
    if (most > view->limit->above) {
        ksiTextAdd(out, "is off by %s or more in %g %% of such steps, by %s at most.", often,
                   100 - view->limit->percentile, largest);
        return writeRemedyOfContacts(view, world, out);
    }
    ksiTextAdd(out, "is off by up to %s (step %llu), but by %s or less in %g %% of such steps.\n", largest,
               (unsigned long long)contacts->worstNet.step, often, view->limit->percentile);
    return SELDOM;
}

/* Worlds whose joints are unchecked for other reasons have other findings. */
static uint64_t writeUnchecked(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                               ksiText *out)
{
    unsigned long long unchecked = 0;
    for (size_t i = 0; i < world->jointCount; i++)
        if (ksiIsTold(view, world, finding, &world->joint[i]))
            unchecked += world->joint[i].stats->verdict[KS_UNCHECKED];
    if (unchecked == 0)
        return 0;
    ksiTextAdd(out, "%llu reaction%s of joints %s not checked: ", unchecked, unchecked == 1 ? "" : "s",
               unchecked == 1 ? "was" : "were");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ".");
    const ksReasons found = writeReasons(world, ksiUncheckedReasons, out);
    if (!found && ksiStepsOf(world->stats, KS_REASON_REDUNDANT) > 0)
        ksiTextAdd(out,
                   " Rows depend on each other, and contradict each other, or how they share a load was not found.");
    ksiTextAdd(out, "\n");
    return 1 | found << 1;
}

static uint64_t writeRedundant(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                               ksiText *out)
{
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "Redundant, so that mechanics does not say how they share the load: ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out,
               ". If you need their forces, make one of them a joint that holds less, a ball for a hinge%s. That was "
               "not tried.\n",
               view->report->isOfCommand ? "" : "; or read their sum (ksInspectorSumWrenches)");
    return 1;
}

static uint64_t writeCompliant(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                               ksiText *out)
{
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "The world's CFM makes up more than 1 %% of what these joints yield by themselves: ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ". They are springs; lower CFM if they should be rigid. That was not tried.\n");
    return 1;
}

/* How another engine has solved its equations nobody knows. */
static uint64_t writeMismodelled(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                                 ksiText *out)
{
    const bool isForeign = ksiIsForeign(world->stats);
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "%s",
               isForeign
                   ? "The reported forces explain the motion, but they are not those of the mechanism (physical): "
                   : "The engine solves its equations, but the forces in these joints are not those of the mechanism "
                     "(physical), because of error correction, compliance or the size of the step: ");
    writeNames(view, world, finding, out);
    ksiTextAdd(
        out, "%s",
        isForeign
            ? ". How that engine has solved its steps is not known: too few iterations, its error correction, its "
              "compliance or the size of the step can do this. Try each by itself, or read the physical force.\n"
            : ". Make smaller steps, which was not tried, or read the physical force.\n");
    return 1;
}

static uint64_t writeThreads(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                             ksiText *out)
{
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out,
               "dWorldQuickStep ran on a pool of threads, which race: its report may disagree with its own motion.\n");
    return 1;
}

uint64_t ksiWriteAdviceOf(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    typedef uint64_t Write(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
    static Write *const write[KSI_FINDINGS] = {[KSI_FINDS_UNEXPLAINED] = writeUnexplained,
                                               [KSI_FINDS_REPORT] = writeReport,
                                               [KSI_FINDS_ERROR] = writeError,
                                               [KSI_FINDS_UNTRIED] = writeUntried,
                                               [KSI_FINDS_CONTACTS] = writeContacts,
                                               [KSI_FINDS_BUG] = writeBug,
                                               [KSI_FINDS_MASSES] = writeMasses,
                                               [KSI_FINDS_REDUNDANT] = writeRedundant,
                                               [KSI_FINDS_COMPLIANT] = writeCompliant,
                                               [KSI_FINDS_MODEL] = writeMismodelled,
                                               [KSI_FINDS_UNCHECKED] = writeUnchecked,
                                               [KSI_FINDS_THREADS] = writeThreads};
    return write[finding->kind](view, world, finding, out);
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

void ksiWriteNoAdvice(const ksiView *view, const ksiWorldView *world, bool hasEnd, ksiText *out)
{
    if (world->failedCount > 0)
        ksiTextAdd(out, "No remedy is known for the joints that fail.\n");
    else if (hasEnd)
        return;  // there is something to do
    else if (ksiIsWorldUntold(world->stats)) {
        ksiTextAdd(out, "Look into this first: ");
        ksiWriteUntold(view, world, NULL, out);
        ksiTextAdd(out, ".\n");
    } else if (world->untoldCount > 0)
        ksiTextAdd(out, "Whether all joints pass is not known.\n");
    else if (world->judgedCount > 0)
        ksiTextAdd(out, "Nothing: no joint fails%s.\n",
                   ksiSuppressionCount(view->report) > 0 ? ", but for what was suppressed" : "");
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
    ksiFindingKind finding = {0, 0};
    do
        (void)ksiWriteAdviceOf(view, world, &finding, out);
    while (ksiNextFinding(&finding));
    if (out->length == ends)
        ksiWriteNoAdvice(view, world, ends > begun, out);
}

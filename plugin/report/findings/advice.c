/* advice.c  Advice on findings. */
#include "advice_inside.h"

#include "../collect/traps.h"
#include "../document/causes_text.h"
#include "../document/document.h"
#include "../files/checksum.h"
#include "suppress.h"

#include <math.h>

const char *ksiComponentName(int component)
{
    static const char *const name[KSI_COMPONENTS] = {"force along axis 1",  "force along axis 2",
                                                     "force along axis 3",  "torque about axis 1",
                                                     "torque about axis 2", "torque about axis 3"};
    return name[component];
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
    static const char *const judged[2][2] = {{"the engine's force", "the reported force"},
                                             {"the engine's force", "the force that explains its motion"}};
    static const char *const by[2][2] = {
        {"the converged force. Converged: the exact solution of the engine's own equations. Physical: the reaction of "
         "the ideal mechanism.",
         "the force that explains its motion. Physical: the reaction of the ideal mechanism."},
        {"the physical force, beyond its bar. Physical: the reaction of the ideal mechanism in the same state. "
         "Converged: the exact solution of the engine's own equations.",
         "the physical force, beyond its bar. Physical: the reaction of the ideal mechanism in the same state."}};
    const ksReportLimit *limit = view->limit;
    const bool isPhysical = limit->value == KS_PHYSICAL, isForeign = areForeign(view->report);
    ksiTextAdd(out, "A joint fails (!) if it comes apart, or if ");
    if (limit->percentile < 100)
        ksiTextAdd(out, "in more than %g %% of its steps", 100 - limit->percentile);
    else
        ksiTextAdd(out, "in any step");
    ksiTextAdd(out, " %s differs by more than ", judged[isPhysical][isForeign]);
    ksiWriteShare(limit->above, out);
    ksiTextAdd(out, " from %s", by[isPhysical][isForeign]);
}

/* --- Joints that are named --- */

static void writeNames(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    ksiWriteNames(view, world, finding, ksiIsTold, out);
}

/* Does the advice name joints? */
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
        for (size_t i = 0; i < world->jointCount && hasNames(&finding) && marked < KSI_MOST_NAMES; i++) {
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
        // a sum, so that the order does not matter
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

/* Explains the reasons in `among` that a joint has. Returns their bits. */
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
    ksiTextAdd(out, "The reported forces do not explain the motion ");
    writeSteps(most, out);
    ksiTextAdd(out, "; do not rely on them: ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ".");
    if (ksiIsForeign(world->stats))
        ksiTextAdd(out, " No joint forces can produce this motion: a load is missing, a joint did not hold, or the "
                        "steps are too long.");
    writeReasons(world, KS_REASON_MOTION | KS_REASON_REPORT, out);
    ksiTextAdd(out, "\n");
    return 1;
}

static uint64_t writeReport(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "The reported force does not explain the motion ");
    writeSteps(ksiStepsOf(world->stats, KS_REASON_REPORT), out);
    ksiTextAdd(out, ": ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ". Use the observed force (KS_OBSERVED), which does.\n");
    return 1;
}

static uint64_t writeBug(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    const char *remedy = ksiReasonRemedy(finding->bit);
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "An engine bug, ");
    writeSteps(ksiStepsOf(world->stats, UINT64_C(1) << finding->bit), out);
    ksiTextAdd(out, ": ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ". ");
    writeMeaning(finding->bit, out);
    ksiTextAdd(out, " %s (%s.)\n", remedy ? remedy : "", ksReasonName(UINT64_C(1) << finding->bit));
    return 1;
}

static uint64_t writeTrap(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    if (!ksiIsTold(view, world, finding, NULL))
        return 0;
    ksiTextAdd(out, "A trap of the engine: %s (%s.)\n", ksiTrapWords(finding->bit), ksiTrapName(finding->bit));
    return 1;
}

/* The form contains the reasons: joints unchecked for other reasons are a different finding. */
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
        ksiTextAdd(out, " Rows are dependent and contradictory, or their shares of a load were not found.");
    ksiTextAdd(out, "\n");
    return 1 | found << 1;
}

static uint64_t writeRedundant(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                               ksiText *out)
{
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "Redundant, so mechanics does not determine how they share the load: ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out,
               ". If you need their forces, replace one of them by a joint with fewer constraints, such as a ball for "
               "a hinge%s (untested).\n",
               view->report->isOfCommand ? "" : "; or read their sum (ksInspectorSumWrenches)");
    return 1;
}

static uint64_t writeCompliant(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                               ksiText *out)
{
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "The world's CFM exceeds 1 %% of the inverse effective mass at these joints: ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, ". They act as springs; lower CFM if they should be rigid (untested).\n");
    return 1;
}

/* The solution of another engine's equations is unknown. */
static uint64_t writeMismodelled(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                                 ksiText *out)
{
    const bool isForeign = ksiIsForeign(world->stats);
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out, "%s",
               isForeign
                   ? "The reported forces explain the motion, but differ from the physical forces (of the mechanism): "
                   : "The engine solves its equations, but the forces in these joints differ from the physical forces "
                     "(of the mechanism), because of error correction, compliance or the step size: ");
    writeNames(view, world, finding, out);
    ksiTextAdd(out, "%s",
               isForeign ? ". The engine's equations are unknown: too few iterations, error correction, compliance or "
                           "the step size can cause this. Vary one at a time, or use the physical force.\n"
                         : ". Use smaller steps (untested), or the physical force.\n");
    return 1;
}

static uint64_t writeThreads(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding,
                             ksiText *out)
{
    if (ksiCountTold(view, world, finding) == 0)
        return 0;
    ksiTextAdd(out,
               "dWorldQuickStep ran on a pool of threads, whose races can make its report disagree with its motion.\n");
    return 1;
}

uint64_t ksiWriteAdviceOf(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out)
{
    typedef uint64_t Write(const ksiView *view, const ksiWorldView *world, const ksiFindingKind *finding, ksiText *out);
    static Write *const write[KSI_FINDINGS] = {[KSI_FINDS_UNEXPLAINED] = writeUnexplained,
                                               [KSI_FINDS_REPORT] = writeReport,
                                               [KSI_FINDS_TORN] = ksiWriteTears,
                                               [KSI_FINDS_ERROR] = ksiWriteError,
                                               [KSI_FINDS_UNTRIED] = ksiWriteUntried,
                                               [KSI_FINDS_CONTACTS] = ksiWriteContacts,
                                               [KSI_FINDS_FLICKER] = ksiWriteFlicker,
                                               [KSI_FINDS_BUG] = writeBug,
                                               [KSI_FINDS_TRAP] = writeTrap,
                                               [KSI_FINDS_MOTOR] = ksiWriteMotors,
                                               [KSI_FINDS_MOTOR_TARGET] = ksiWriteMotors,
                                               [KSI_FINDS_MOTOR_STOP] = ksiWriteMotors,
                                               [KSI_FINDS_MOTORS] = ksiWriteMotors,
                                               [KSI_FINDS_MASSES] = ksiWriteMasses,
                                               [KSI_FINDS_DEPARTURE] = ksiWriteDeparture,
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
        ksiTextAdd(out, "First find out how the run ended: ");
        ksiRunWriteEnd(run, out);
        ksiTextAdd(out, ".\n");
        ksiWriteSingular(view, i, out);
    }
}

/* Explains that the report's options omit all joints of this world. */
static bool writeUnchosen(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    const ksReportOptions *options = &view->report->options;
    const ksiExcludedJoints *excluded = &world->stats->excluded;
    const bool isOfCommand = view->report->isOfCommand;
    ksiText words = {.allocator = out->allocator};
    if (excluded->count == 0 || world->jointCount > 0 || world->stats->contacts.count > 0)
        return false;
    if (options->types)
        ksiTextAdd(&words, "one of the types of %s", isOfCommand ? "--types" : "ksReportOptions::types");
    if (options->joints)
        ksiTextAdd(&words, "%sa name as %s \"%s\"", options->types ? " and " : "",
                   isOfCommand ? "--joints" : "ksReportOptions::joints", options->joints);
    for (int i = 0; i < excluded->count; i++)
        ksiTextAdd(&words, "%s\"%s\"", i > 0 ? ", " : ". There are ", excluded->name[i]);
    // patterns and names from the host may have any characters
    char *clean = words.at ? ksiClean(out->allocator, words.at) : NULL;
    ksiTextAdd(out, "No result: no joint has %s%s.\n", clean ? clean : "", excluded->isMore ? ", ..." : "");
    out->isShort |= words.isShort || !clean;
    ksiFree(out->allocator, clean);
    ksiTextFree(&words);
    return true;
}

static void writeFirstUntold(const ksiView *view, const ksiWorldView *world, ksiText *out)
{
    size_t i = 0;
    while (i < world->jointCount && !world->worstFirst[i]->isUntold)
        i++;
    ksiTextAdd(out, "It is unknown whether all joints pass");
    if (i < world->jointCount) {
        ksiTextAdd(out, ". %s: ", world->worstFirst[i]->name);
        ksiWriteUntold(view, world, world->worstFirst[i], out);
    }
    ksiTextAdd(out, ".\n");
}

void ksiWriteNoAdvice(const ksiView *view, const ksiWorldView *world, bool hasEnd, ksiText *out)
{
    const bool hasChecks = view->report->older || view->report->loadCount > 0;
    if (world->failedCount > 0)
        ksiTextAdd(out, "No remedy is known for the joints that fail.\n");
    else if (hasEnd || writeUnchosen(view, world, out))
        return;  // other advice is enough
    else if (ksiIsWorldUntold(world->stats)) {
        ksiTextAdd(out, "Check this first: ");
        ksiWriteUntold(view, world, NULL, out);
        ksiTextAdd(out, ".\n");
    } else if (world->untoldCount > 0)
        writeFirstUntold(view, world, out);
    else if (world->judgedCount > 0)
        ksiTextAdd(out, "Nothing%s: no joint fails%s.%s\n", hasChecks ? " about errors" : "",
                   ksiSuppressionCount(view->report) > 0 ? ", except suppressed findings" : "",
                   hasChecks ? " Other checks are listed separately." : "");
    else if (world->stats->net.size.total > 0)
        ksiTextAdd(out, "Nothing: there are no joints to judge, and contact forces stay near their means.\n");
    else
        ksiTextAdd(out, "No result: no joint was judged.\n");
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

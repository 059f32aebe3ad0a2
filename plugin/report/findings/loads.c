/* loads.c  Checks limits on the forces and torques of joints. The limits apply to physical values
 * in each step, or to means over windows.
 *
 * A load `F` with the error bar `e` is beyond a limit `L` if F - e > L in a step. It is within the
 * limit if F + e <= L in all steps; otherwise the result is unknown. The result is also unknown if
 * a step has no bar, or if a self-stress may add to the load. A mean has a bar if mechanics
 * determines it. If a joint existed for less than a window, the result for its mean is unknown. */
#include "loads.h"

void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count, double window)
{
    report->load = load;
    report->loadCount = count;
    report->meanLimited = window;
}

int ksiLimitedSpan(const ksReport *report)
{
    return report->meanLimited > 0 ? KSI_IN_WINDOWS : KSI_IN_STEPS;
}

static const ksiBorne *borneOf(const ksReport *report, const ksiMostLoad *load, const ksiJointStats *joint)
{
    return &joint->borne[ksiLimitedSpan(report)][load->size];
}

static void writeOption(const ksReport *report, const ksiMostLoad *load, ksiText *out)
{
    if (report->meanLimited > 0)
        ksiTextAdd(out, "--mean %g ", report->meanLimited);
    ksiTextAdd(out, "--max-%s %s%s%g", ksiQuantities[load->size].name, load->joints ? load->joints : "",
               load->joints ? "=" : "", load->most);
}

static void writeReach(const ksReport *report, const ksiReach *reach, const ksiMostLoad *load, const char *than,
                       ksiText *words)
{
    ksiTextAdd(words, "%.4g %s +- %.2g %s step %llu, at %g s: %s ", reach->value, ksiQuantities[load->size].unit,
               reach->bar, report->meanLimited > 0 ? "in the mean up to" : "in", (unsigned long long)reach->step,
               reach->time, than);
    writeOption(report, load, words);
}

static uint64_t solvedSteps(const ksiJointStats *joint)
{
    return joint->steps - joint->verdict[KS_NOT_SOLVED];
}

/* Judges a load, and writes words unless the load is within the limit. */
static ksiCaseOutcome judge(const ksReport *report, const ksiMostLoad *load, const ksiJointStats *joint, ksiText *words)
{
    const ksiBorne *borne = borneOf(report, load, joint);
    const ksiReach *surely = &borne->surely, *perhaps = &borne->perhaps;
    if (surely->isKnown && surely->value - surely->bar > load->most) {
        writeReach(report, surely, load, "more than", words);
        return KSI_FAILS;
    }
    if (perhaps->isKnown && !(perhaps->value + perhaps->bar <= load->most)) {
        writeReach(report, perhaps, load, "perhaps more than", words);
        return KSI_UNTOLD;
    }
    if (borne->untold == 0 && perhaps->isKnown)
        return KSI_PASSES;
    if (borne->untold == 0)
        ksiTextAdd(words, "its steps never filled a window: ");
    else
        ksiTextAdd(words, "not known, or not unique, in %llu of %llu step%s: ", (unsigned long long)borne->untold,
                   (unsigned long long)solvedSteps(joint), solvedSteps(joint) == 1 ? "" : "s");
    writeOption(report, load, words);
    return KSI_UNTOLD;
}

/* Reports that the limit matches no joint with a force. */
static void tellNone(const ksiView *view, const ksiMostLoad *load, ksiCases *cases)
{
    const ksAllocator *allocator = &view->report->allocator;
    ksiText words = {.allocator = allocator};
    char *clean = ksiClean(allocator, load->joints ? load->joints : "*");
    cases->isShort |= !clean;
    ksiTextAdd(&words, "no joint with a %s: ", view->report->meanLimited > 0 ? "mean force" : "physical force");
    writeOption(view->report, load, &words);
    ksiCasesTell(cases, "all worlds", clean ? clean : "", KSI_UNTOLD, &words);
    ksiFree(allocator, clean);
}

/* Does the limit apply to the joint? It does not if the joint was never solved. */
static bool isLimited(const ksReport *report, const ksiMostLoad *load, const ksiJointView *joint)
{
    return ksiIsCalled(joint, load->joints) &&
           (borneOf(report, load, joint->stats)->perhaps.isKnown || solvedSteps(joint->stats) > 0);
}

/* Reports that the window of the world's means is not the window of the limits. */
static void tellOtherWindow(const ksiView *view, const ksiWorldView *world, const ksiMostLoad *load, ksiCases *cases)
{
    ksiText words = {.allocator = &view->report->allocator};
    ksiTextAdd(&words, "means are over %g s: judge the recording with ", world->stats->meanWindow);
    writeOption(view->report, load, &words);
    ksiCasesTell(cases, world->name, "all joints", KSI_UNTOLD, &words);
}

/* Returns true if the limit matches a joint of the world. */
static bool checkWorld(const ksiView *view, const ksiWorldView *world, const ksiMostLoad *load, ksiCases *cases)
{
    const ksReport *report = view->report;
    bool isFound = false;
    if (report->meanLimited > 0 && world->stats->inspected > 0 && world->stats->meanWindow != report->meanLimited) {
        tellOtherWindow(view, world, load, cases);
        return true;
    }
    for (size_t k = 0; k < world->jointCount; k++) {
        const ksiJointView *joint = &world->joint[k];
        ksiText words = {.allocator = &report->allocator};
        if (!isLimited(report, load, joint))
            continue;
        isFound = true;
        const ksiCaseOutcome outcome = judge(report, load, joint->stats, &words);
        ksiCasesTell(cases, world->name, joint->name, outcome, &words);
    }
    return isFound;
}

static void checkLoad(const ksiView *view, const ksiMostLoad *load, ksiCases *cases)
{
    bool isFound = false;
    for (size_t i = 0; i < view->worldCount; i++)
        isFound |= checkWorld(view, &view->world[i], load, cases);
    if (!isFound)
        tellNone(view, load, cases);
}

/* Reports a world that was never stepped, or that has too many joints of a type. */
static void tellUntold(const ksiView *view, const ksiWorldView *world, ksiCases *cases)
{
    ksiText words = {.allocator = &view->report->allocator};
    ksiWriteUntold(view, world, NULL, &words);
    ksiCasesTell(cases, world->name, "all joints", KSI_UNTOLD, &words);
}

void ksiCheckLoads(const ksiView *view, ksiCases *cases)
{
    for (size_t i = 0; i < view->worldCount && view->report->loadCount > 0; i++)
        if (ksiIsWorldUntold(view->world[i].stats))
            tellUntold(view, &view->world[i], cases);
    for (size_t i = 0; i < view->report->loadCount; i++)
        checkLoad(view, &view->report->load[i], cases);
}

/* loads.c  How large the physical forces and torques of joints may be.
 *
 * A load F with the bar e is beyond a limit L if F - e > L in a step, and within it if F + e <= L in all; else nobody knows. Nor does anybody in a step
 * without a bar, and where a self-stress may add to the load. */
#include "loads.h"

void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count)
{
    report->load = load;
    report->loadCount = count;
}

static void writeOption(const ksiMostLoad *load, ksiText *out)
{
    ksiTextAdd(out, "--max-%s %s%s%g", load->size == KSI_FORCE ? "force" : "torque", load->joints ? load->joints : "",
               load->joints ? "=" : "", load->most);
}

static void writeReach(const ksiReach *reach, const ksiMostLoad *load, const char *than, ksiText *words)
{
    ksiTextAdd(words, "%.4g %s +- %.2g in step %llu, at %g s: %s ", reach->value, load->size == KSI_FORCE ? "N" : "N.m",
               reach->bar, (unsigned long long)reach->step, reach->time, than);
    writeOption(load, words);
}

/* Words, where something is to be told: nothing if the load is within the limit. */
static ksiCaseOutcome judge(const ksiMostLoad *load, const ksiJointStats *joint, ksiText *words)
{
    const ksiReach *surely = &joint->surely[load->size], *perhaps = &joint->perhaps[load->size];
    const uint64_t untold = joint->untold[load->size], solved = joint->steps - joint->verdict[KS_NOT_SOLVED];
    if (surely->isKnown && surely->value - surely->bar > load->most) {
        writeReach(surely, load, "more than", words);
        return KSI_FAILS;
    }
    if (perhaps->isKnown && !(perhaps->value + perhaps->bar <= load->most)) {
        writeReach(perhaps, load, "perhaps more than", words);
        return KSI_UNTOLD;
    }
    if (untold == 0)
        return KSI_PASSES;
    ksiTextAdd(words, "not known, or not unique, in %llu of %llu step%s: ", (unsigned long long)untold,
               (unsigned long long)solved, solved == 1 ? "" : "s");
    writeOption(load, words);
    return KSI_UNTOLD;
}

/* No joint has a force that the limit is for. */
static void tellNone(const ksiView *view, const ksiMostLoad *load, ksiCases *cases)
{
    const ksAllocator *allocator = &view->report->allocator;
    ksiText words = {.allocator = allocator};
    char *clean = ksiClean(allocator, load->joints ? load->joints : "*");
    cases->isShort |= !clean;
    ksiTextAdd(&words, "no joint with a physical force: ");
    writeOption(load, &words);
    ksiCasesTell(cases, "all worlds", clean ? clean : "", KSI_UNTOLD, &words);
    ksiFree(allocator, clean);
}

static void checkLoad(const ksiView *view, const ksiMostLoad *load, ksiCases *cases)
{
    bool isFound = false;
    for (size_t i = 0; i < view->worldCount; i++)
        for (size_t k = 0; k < view->world[i].jointCount; k++) {
            const ksiJointView *joint = &view->world[i].joint[k];
            const ksiJointStats *stats = joint->stats;
            ksiText words = {.allocator = &view->report->allocator};
            // one that was never solved bears nothing that anybody knows of
            if (!ksiIsCalled(joint, load->joints) ||
                (!stats->perhaps[load->size].isKnown && stats->untold[load->size] == 0))
                continue;
            isFound = true;
            const ksiCaseOutcome outcome = judge(load, stats, &words);
            ksiCasesTell(cases, view->world[i].name, joint->name, outcome, &words);
        }
    if (!isFound)
        tellNone(view, load, cases);
}

/* A world that was never stepped, or some of whose joints were too many. */
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

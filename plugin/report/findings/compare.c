/* compare.c  Compares a report with an older one, joint by joint.
 *
 * Worlds and joints correspond by name. A quantity is worse if its lower bound exceeds the upper
 * bound of the older value by more than a tolerance. Two reports of the same run have equal values,
 * bit by bit. Reports of different runs differ because the motion differs, and because bins are 1 %
 * wide. */
#include "compare.h"

#include "../document/causes_text.h"
#include "../document/document.h"
#include "loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Smaller values are not compared. leastOfLimit: share of the limit of errors. leastOfLargest:
 * share of the world's largest force or torque. leastLever, m: torques below the largest force
 * times this lever are rounding errors. */
static const double leastOfLimit = 0.1, leastOfLargest = 1e-6, leastLever = 1e-9;

typedef struct Comparison {
    const ksiView *view;
    double tolerance;
    ksiCases *cases;
} Comparison;

void ksiReportCompare(ksReport *report, const ksReport *older, double tolerance, bool isAlone)
{
    report->older = older;
    report->tolerance = tolerance;
    report->isComparisonAlone = older && isAlone;
}

/* --- One joint --- */

static void add(ksiText *words, const char *separator)
{
    if (words->length > 0)
        ksiTextAdd(words, "%s", separator);
}

static void compareGaps(const ksiJointView *joint, const ksiJointView *older, ksiText *words)
{
    if (!joint->isTorn || older->stats->opening.isKnown)
        return;
    add(words, "; ");
    ksiTextAdd(words, "comes apart ");
    ksiWriteOpening(&joint->stats->opening, words);
}

static void compareErrors(const Comparison *c, const ksiJointView *joint, const ksiJointView *older, ksiText *words)
{
    char now[KSI_PERCENT_SIZE], then[KSI_PERCENT_SIZE];
    if (!older->isJudged)
        return;
    if (!joint->isJudged)
        ksiTextAdd(words, "is no longer judged");
    else if (joint->judged > older->judged * (1 + c->tolerance) && joint->judged > leastOfLimit * c->view->limit->above)
        ksiTextAdd(words, "error %s, was %s", ksiPercent(now, joint->judged), ksiPercent(then, older->judged));
}

/* The largest physical value or, if limits apply to means, the largest mean. It is unknown without
 * a bar. */
static ksiReach largestOf(const Comparison *c, const ksiJointStats *joint, int size)
{
    const ksiMoment *peak = &joint->peak[size];
    if (ksiLimitedSpan(c->view->report) == KSI_IN_WINDOWS)
        return joint->borne[KSI_IN_WINDOWS][size].largest;
    return (ksiReach){peak->isKnown && isfinite(peak->bar), peak->step, peak->time, peak->value, peak->bar};
}

static void compareLargest(const Comparison *c, const ksiReach *now, const ksiReach *older, double least,
                           const ksiQuantity *of, ksiText *words)
{
    const double before = older->value + older->bar;
    if (!older->isKnown || fmax(older->value, now->value) < least ||
        (now->isKnown && now->value - now->bar <= before * (1 + c->tolerance)))
        return;
    add(words, "; ");
    ksiTextAdd(words, "largest %s %s ", ksiLimitedSpan(c->view->report) == KSI_IN_WINDOWS ? "mean" : "physical",
               of->name);
    if (now->isKnown)
        ksiTextAdd(words, "%.4g %s +- %.2g", now->value, of->unit, now->bar);
    else
        ksiTextAdd(words, "is no longer known");
    ksiTextAdd(words, ", was %.4g +- %.2g", older->value, older->bar);
}

static void compareEngine(const Comparison *c, const ksiHistogram *size, const ksiHistogram *older, double least,
                          const ksiQuantity *of, ksiText *words)
{
    if (size->total == 0 || older->total == 0 || size->largest < least ||
        size->largest <= older->largest * (1 + c->tolerance))
        return;
    add(words, "; ");
    ksiTextAdd(words, "largest %s %.4g %s of the engine, was %.4g", of->name, size->largest, of->unit, older->largest);
}

static double shareOf(const ksiJointStats *stats, ksVerdict verdict)
{
    return stats->steps > 0 ? (double)stats->verdict[verdict] / (double)stats->steps : 0;
}

/* If the limit applies to physical errors, solver errors do not count. */
static void compareVerdicts(const Comparison *c, const ksiJointStats *stats, const ksiJointStats *older, ksiText *words)
{
    static const ksVerdict bad[] = {KS_UNEXPLAINED, KS_UNCHECKED, KS_SOLVER_ERROR};
    const size_t count = sizeof bad / sizeof *bad - (ksiErrorOf(c->view->limit) != KSI_SOLVER);
    for (size_t i = 0; i < count; i++) {
        char now[KSI_PERCENT_SIZE], then[KSI_PERCENT_SIZE];
        const double share = shareOf(stats, bad[i]), before = shareOf(older, bad[i]);
        if (share <= before + c->tolerance)
            continue;
        add(words, "; ");
        ksiTextAdd(words, "%s in %s of the steps, was in %s", ksVerdictName(bad[i]), ksiPercent(now, share),
                   ksiPercent(then, before));
    }
}

static void compareJoint(const Comparison *c, const ksiJointView *joint, const ksiJointView *older,
                         const double least[KSI_SIZES], ksiText *words)
{
    const ksiJointStats *a = joint->stats, *b = older->stats;
    compareErrors(c, joint, older, words);
    compareGaps(joint, older, words);
    for (int i = 0; i < KSI_SIZES; i++) {
        const ksiReach now = largestOf(c, a, i), then = largestOf(c, b, i);
        compareLargest(c, &now, &then, least[i], &ksiQuantities[i], words);
    }
    for (int i = 0; i < KSI_SIZES; i++)
        compareEngine(c, &a->load[i][KSI_OF_ENGINE], &b->load[i][KSI_OF_ENGINE], least[i], &ksiQuantities[i], words);
    compareVerdicts(c, a, b, words);
}

/* --- Worlds, by their names --- */

/* Identifies a world: the file of its run, if there are several runs, and its name in the run. */
typedef struct Key {
    const char *file, *name;
    const ksiWorldView *world;
} Key;

static Key keyOf(const ksiView *view, const ksiWorldView *world, bool hasFiles)
{
    const size_t run = world->stats->run;
    const char *file = run < view->runCount ? view->run[run].run->file : "";
    const bool isCalledByFile = view->runCount > 1 && *file;
    return (Key){hasFiles ? file : "", world->name + (isCalledByFile ? strlen(file) + 2 : 0), world};
}

static int compareKeys(const void *a, const void *b)
{
    const Key *x = a, *y = b;
    const int order = strcmp(x->file, y->file);
    return order ? order : strcmp(x->name, y->name);
}

static int compareJointNames(const void *a, const void *b)
{
    return strcmp((*(const ksiJointView *const *)a)->name, (*(const ksiJointView *const *)b)->name);
}

/* The least force and torque worth comparing. */
static void findLeast(const ksiWorldView *world, double least[KSI_SIZES])
{
    double largest[KSI_SIZES] = {0, 0};
    for (size_t i = 0; i < world->jointCount; i++)
        for (int k = 0; k < KSI_OF_MOTION; k++)
            for (int size = 0; size < KSI_SIZES; size++)
                largest[size] = fmax(largest[size], world->joint[i].stats->load[size][k].largest);
    least[KSI_FORCE] = leastOfLargest * largest[KSI_FORCE];
    least[KSI_TORQUE] = fmax(leastOfLargest * largest[KSI_TORQUE], leastLever * largest[KSI_FORCE]);
}

/* Writes why it is unknown whether a joint has got worse; nothing if it is known. */
static void writeDoubt(const Comparison *c, const ksiWorldView *world, const ksiWorldView *older,
                       const ksiJointView *joint, ksiText *words)
{
    const double asked = c->view->report->meanLimited;
    if (joint->isUntold)
        ksiWriteUntold(c->view, world, joint, words);
    else if (asked > 0 && (world->stats->meanWindow != asked || older->stats->meanWindow != asked))
        ksiTextAdd(words, "means are over %g s, and were over %g s: not --mean %g", world->stats->meanWindow,
                   older->stats->meanWindow, asked);
}

/* byName: memory for the joints. Joints that only the older report has count as worse; new joints
 * are ignored. */
static void compareWorld(const Comparison *c, const ksiWorldView *world, const ksiWorldView *older,
                         const ksiJointView **byName)
{
    double least[KSI_SIZES];
    findLeast(world, least);
    for (size_t i = 0; i < world->jointCount; i++)
        byName[i] = &world->joint[i];
    qsort(byName, world->jointCount, sizeof *byName, compareJointNames);
    for (size_t i = 0; i < older->jointCount; i++) {
        const ksiJointView *was = &older->joint[i];
        const ksiJointView *const *is = bsearch(&was, byName, world->jointCount, sizeof *byName, compareJointNames);
        ksiText words = {.allocator = &c->view->report->allocator};
        if (is)
            compareJoint(c, *is, was, least, &words);
        else
            ksiTextAdd(&words, "is gone");
        ksiCaseOutcome outcome = words.length > 0 ? KSI_FAILS : KSI_PASSES;
        if (is && outcome == KSI_PASSES) {
            writeDoubt(c, world, older, *is, &words);
            outcome = words.length > 0 ? KSI_UNTOLD : KSI_PASSES;
        }
        ksiCasesTell(c->cases, older->name, was->name, outcome, &words);
    }
}

static bool compareWorlds(const Comparison *c, const ksiView *older)
{
    static const ksiWorldView none = {.name = NULL};
    const ksiView *view = c->view;
    const ksAllocator *allocator = &view->report->allocator;
    const bool hasFiles = view->runCount > 1 || older->runCount > 1;
    size_t most = 1;
    for (size_t i = 0; i < view->worldCount; i++)
        most = view->world[i].jointCount > most ? view->world[i].jointCount : most;
    Key *key = ksiRoomMake(allocator, (view->worldCount + 1) * sizeof *key);
    const ksiJointView **joint = ksiRoomMake(allocator, most * sizeof *joint);
    const bool isWhole = key && joint;
    for (size_t i = 0; isWhole && i < view->worldCount; i++)
        key[i] = keyOf(view, &view->world[i], hasFiles);
    if (isWhole)
        qsort(key, view->worldCount, sizeof *key, compareKeys);
    for (size_t i = 0; isWhole && i < older->worldCount; i++) {
        const Key was = keyOf(older, &older->world[i], hasFiles);
        const Key *is = bsearch(&was, key, view->worldCount, sizeof *key, compareKeys);
        compareWorld(c, is ? is->world : &none, was.world, joint);
    }
    ksiFree(allocator, key);
    ksiFree(allocator, joint);
    return isWhole;
}

void ksiCompareReports(const ksiView *view, ksiCases *cases)
{
    const Comparison c = {.view = view, .tolerance = view->report->tolerance, .cases = cases};
    const size_t before = cases->count[KSI_PASSES] + cases->count[KSI_FAILS] + cases->count[KSI_UNTOLD];
    ksiView older;
    if (!ksiViewMake(view->report->older, view->limit, &older)) {
        cases->isShort = true;
        return;
    }
    cases->isShort |= !compareWorlds(&c, &older);
    ksiViewFree(&older);
    if (cases->count[KSI_PASSES] + cases->count[KSI_FAILS] + cases->count[KSI_UNTOLD] > before)
        return;
    ksiText words = {.allocator = &view->report->allocator};
    ksiTextAdd(&words, "the baseline has no joint to compare with");
    ksiCasesTell(cases, "all worlds", "*", KSI_UNTOLD, &words);
}

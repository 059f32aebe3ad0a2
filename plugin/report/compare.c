/* compare.c  A report against an older one, joint by joint: what got worse.
 *
 * Worlds and joints are those of the same name. A quantity is worse if it is larger by more than a tolerance, beyond the bars of both. The figures
 * of the same run are the same to the bit; those of another one differ by its motion, and by bins that are 1 % wide. */
#include "compare.h"

#include "document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is smaller is nothing to be compared: of the limit of errors; of the world's largest force or torque, and for torques of that force at so long
 * a lever, m, which rounding is smaller than. */
static const double leastOfLimit = 0.1, leastOfLargest = 1e-6, leastLever = 1e-9;

typedef struct Comparison {
    const ksiView *view;
    double tolerance;
    ksiText *out; /* NULL: it is only counted; */
    bool isJunit; /* as that */
    size_t joints, worse;
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

static void compareErrors(const Comparison *c, const ksiJointView *joint, const ksiJointView *older, ksiText *words)
{
    char now[KSI_PERCENT_SIZE], then[KSI_PERCENT_SIZE];
    if (!older->isJudged)
        return;
    if (!joint->isJudged)
        ksiTextAdd(words, "is not judged any longer");
    else if (joint->judged > older->judged * (1 + c->tolerance) && joint->judged > leastOfLimit * c->view->limit->above)
        ksiTextAdd(words, "error %s, was %s", ksiPercent(now, joint->judged), ksiPercent(then, older->judged));
}

/* By one of them machines are sized; its bar is known. */
static void comparePhysical(const Comparison *c, const ksiMoment *peak, const ksiMoment *older, double least,
                            const char *what, ksiText *words)
{
    const double bar = isfinite(peak->bar) ? peak->bar : 0, before = isfinite(older->bar) ? older->bar : 0;
    if (!peak->isKnown || !older->isKnown || peak->value < least ||
        peak->value - bar <= (older->value + before) * (1 + c->tolerance))
        return;
    add(words, "; ");
    ksiTextAdd(words, "largest physical %s +- %.2g, was %.4g +- %.2g", what, bar, older->value, before);
}

static void compareEngine(const Comparison *c, const ksiHistogram *size, const ksiHistogram *older, double least,
                          const char *what, ksiText *words)
{
    if (size->total == 0 || older->total == 0 || size->largest < least ||
        size->largest <= older->largest * (1 + c->tolerance))
        return;
    add(words, "; ");
    ksiTextAdd(words, "largest %s of the engine, was %.4g", what, older->largest);
}

static double shareOf(const ksiJointStats *stats, ksVerdict verdict)
{
    return stats->steps > 0 ? (double)stats->verdict[verdict] / (double)stats->steps : 0;
}

static void compareVerdicts(const Comparison *c, const ksiJointStats *stats, const ksiJointStats *older, ksiText *words)
{
    static const ksVerdict bad[] = {KS_SOLVER_ERROR, KS_UNEXPLAINED, KS_UNCHECKED};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
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
    char what[KSI_SIZES][48];
    snprintf(what[KSI_FORCE], sizeof what[0], "force %.4g N", a->peak[KSI_FORCE].value);
    snprintf(what[KSI_TORQUE], sizeof what[0], "torque %.4g N.m", a->peak[KSI_TORQUE].value);
    compareErrors(c, joint, older, words);
    for (int i = 0; i < KSI_SIZES; i++)
        comparePhysical(c, &a->peak[i], &b->peak[i], least[i], what[i], words);
    snprintf(what[KSI_FORCE], sizeof what[0], "force %.4g N", a->force[KSI_OF_ENGINE].largest);
    snprintf(what[KSI_TORQUE], sizeof what[0], "torque %.4g N.m", a->torque[KSI_OF_ENGINE].largest);
    compareEngine(c, &a->force[KSI_OF_ENGINE], &b->force[KSI_OF_ENGINE], least[KSI_FORCE], what[KSI_FORCE], words);
    compareEngine(c, &a->torque[KSI_OF_ENGINE], &b->torque[KSI_OF_ENGINE], least[KSI_TORQUE], what[KSI_TORQUE], words);
    compareVerdicts(c, a, b, words);
}

/* --- What is told of it --- */

/* words: empty: it is not worse. */
static void tell(Comparison *c, const char *world, const char *joint, const ksiText *words)
{
    c->joints++;
    c->worse += words->length > 0;
    if (!c->out)
        return;
    c->out->isShort |= words->isShort;
    if (!c->isJunit) {
        if (words->length > 0)
            ksiTextAdd(c->out, "  ! %s, %s: %s\n", world, joint, words->at);
        return;
    }
    ksiTextAdd(c->out, "    <testcase classname=\"baseline: ");
    ksiTextAddXml(c->out, world);
    ksiTextAdd(c->out, "\" name=\"");
    ksiTextAddXml(c->out, joint);
    ksiTextAdd(c->out, words->length > 0 ? "\"><failure type=\"worse\" message=\"" : "\"/>\n");
    if (words->length == 0)
        return;
    ksiTextAddXml(c->out, words->at);
    ksiTextAdd(c->out, "\"/></testcase>\n");
}

/* --- Worlds, by their names --- */

/* A world by the file of its run, where there are several, and by its name in the run. */
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

/* Of force and torque, what is worth to be compared. */
static void findLeast(const ksiWorldView *world, double least[KSI_SIZES])
{
    double largest[KSI_SIZES] = {0, 0};
    for (size_t i = 0; i < world->jointCount; i++)
        for (int k = 0; k < KSI_OF_MOTION; k++) {
            largest[KSI_FORCE] = ksiLarger(largest[KSI_FORCE], world->joint[i].stats->force[k].largest);
            largest[KSI_TORQUE] = ksiLarger(largest[KSI_TORQUE], world->joint[i].stats->torque[k].largest);
        }
    least[KSI_FORCE] = leastOfLargest * largest[KSI_FORCE];
    least[KSI_TORQUE] = ksiLarger(leastOfLargest * largest[KSI_TORQUE], leastLever * largest[KSI_FORCE]);
}

/* byName: room for the joints. Joints of the older one that are gone are worse, too; new ones are none to be compared. */
static void compareWorld(Comparison *c, const ksiWorldView *world, const ksiWorldView *older,
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
        tell(c, older->name, was->name, &words);
        ksiTextFree(&words);
    }
}

static bool compareWorlds(Comparison *c, const ksiView *older)
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

/* Both by the limit of the newer one. */
static bool compare(Comparison *c)
{
    ksiView older;
    c->tolerance = c->view->report->tolerance;
    if (!ksiViewMake(c->view->report->older, c->view->limit, &older))
        return false;
    const bool isWhole = compareWorlds(c, &older);
    ksiViewFree(&older);
    return isWhole;
}

bool ksiCountComparison(const ksiView *view, size_t *joints, size_t *worse)
{
    Comparison c = {.view = view};
    const bool isWhole = !view->report->older || compare(&c);
    *joints = c.joints;
    *worse = c.worse;
    return isWhole;
}

ksStatus ksiReportCountWorse(const ksReport *report, size_t *worse)
{
    ksiView view;
    size_t joints;
    if (!ksiViewMake(report, NULL, &view))
        return KS_ERROR_NO_MEMORY;
    const bool isWhole = ksiCountComparison(&view, &joints, worse);
    ksiViewFree(&view);
    return isWhole ? KS_OK : KS_ERROR_NO_MEMORY;
}

void ksiWriteComparison(const ksiView *view, ksiText *out)
{
    char tolerance[KSI_PERCENT_SIZE];
    Comparison counted = {.view = view}, c = {.view = view, .out = out};
    out->isShort |= !compare(&counted);
    ksiTextAdd(out, "Against the baseline: %zu of %zu joints are worse, by more than %s.\n", counted.worse,
               counted.joints, ksiPercent(tolerance, view->report->tolerance));
    out->isShort |= !compare(&c);
}

void ksiWriteComparisonJunit(const ksiView *view, ksiText *out)
{
    Comparison counted = {.view = view}, c = {.view = view, .out = out, .isJunit = true};
    out->isShort |= !compare(&counted);
    ksiTextAdd(out, "  <testsuite name=\"baseline\" tests=\"%zu\" failures=\"%zu\" skipped=\"0\" errors=\"0\">\n",
               counted.joints, counted.worse);
    out->isShort |= !compare(&c);
    ksiTextAdd(out, "  </testsuite>\n");
}

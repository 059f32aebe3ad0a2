/* loads.c  How large the physical forces and torques of joints may be.
 *
 * A load F with the bar e is beyond a limit L if F - e > L, and within it if F + e <= L; else nobody knows. Without a bar, neither. */
#include "loads.h"

#include <fnmatch.h>
#include <math.h>

typedef struct Sums {
    size_t tests, exceeded, untold;
} Sums;

void ksiReportLimitLoads(ksReport *report, const ksiMostLoad *load, size_t count)
{
    report->load = load;
    report->loadCount = count;
}

static bool isMeant(const ksiMostLoad *load, const ksiJointView *joint)
{
    return !load->joints || fnmatch(load->joints, joint->name, 0) == 0 ||
           (joint->stats->given && fnmatch(load->joints, joint->stats->given, 0) == 0);
}

static void writeOption(const ksiMostLoad *load, ksiText *out)
{
    ksiTextAdd(out, "--max-%s %s%s%g", load->size == KSI_FORCE ? "force" : "torque", load->joints ? load->joints : "",
               load->joints ? "=" : "", load->most);
}

/* Words, where something is to be told: nothing if the load is within the limit. */
static void judge(const ksiMostLoad *load, const ksiMoment *peak, Sums *sums, ksiText *words)
{
    const char *unit = load->size == KSI_FORCE ? "N" : "N.m";
    sums->tests++;
    if (peak->value + peak->bar <= load->most)
        return;
    const bool isBeyond = peak->value - peak->bar > load->most;
    sums->exceeded += isBeyond;
    sums->untold += !isBeyond;
    ksiTextAdd(words, "%.4g %s +- %.2g in step %llu, at %g s: %s ", peak->value, unit, peak->bar,
               (unsigned long long)peak->step, peak->time, isBeyond ? "more than" : "perhaps more than");
    writeOption(load, words);
}

static void tell(const char *world, const char *joint, const ksiText *words, bool isError, bool isJunit, ksiText *out)
{
    out->isShort |= words->isShort;
    if (!isJunit) {
        if (words->length > 0)
            ksiTextAdd(out, "  ! %s, %s: %s\n", world, joint, words->at);
        return;
    }
    ksiTextAdd(out, "    <testcase classname=\"loads: ");
    ksiTextAddXml(out, world);
    ksiTextAdd(out, "\" name=\"");
    ksiTextAddXml(out, joint);
    ksiTextAdd(out, words->length == 0 ? "\"/>\n"
                    : isError          ? "\"><error type=\"load\" message=\""
                                       : "\"><failure type=\"load\" message=\"");
    if (words->length == 0)
        return;
    ksiTextAddXml(out, words->at);
    ksiTextAdd(out, "\"/></testcase>\n");
}

/* out NULL: it is only counted. */
static void checkLoad(const ksiView *view, const ksiMostLoad *load, Sums *sums, bool isJunit, ksiText *out)
{
    ksiText words = {.allocator = &view->report->allocator};
    bool isFound = false;
    for (size_t i = 0; i < view->worldCount; i++)
        for (size_t k = 0; k < view->world[i].jointCount; k++) {
            const ksiJointView *joint = &view->world[i].joint[k];
            const ksiMoment *peak = &joint->stats->peak[load->size];
            if (!peak->isKnown || !isMeant(load, joint))
                continue;
            const size_t before = sums->untold;
            isFound = true;
            judge(load, peak, sums, &words);
            if (out)
                tell(view->world[i].name, joint->name, &words, sums->untold > before, isJunit, out);
            ksiTextFree(&words);
        }
    if (isFound)
        return;
    sums->tests++;
    sums->untold++;
    ksiTextAdd(&words, "no joint with a physical force: ");
    writeOption(load, &words);
    if (out)
        tell("all worlds", load->joints ? load->joints : "*", &words, true, isJunit, out);
    ksiTextFree(&words);
}

static Sums checkLoads(const ksiView *view, bool isJunit, ksiText *out)
{
    Sums sums = {0, 0, 0};
    for (size_t i = 0; i < view->report->loadCount; i++)
        checkLoad(view, &view->report->load[i], &sums, isJunit, out);
    return sums;
}

void ksiCountLoads(const ksiView *view, size_t *tests, size_t *exceeded, size_t *untold)
{
    const Sums sums = checkLoads(view, false, NULL);
    *tests = sums.tests;
    *exceeded = sums.exceeded;
    *untold = sums.untold;
}

ksStatus ksiReportCountLoads(const ksReport *report, size_t *exceeded, size_t *untold)
{
    ksiView view;
    size_t tests;
    if (!ksiViewMake(report, NULL, &view))
        return KS_ERROR_NO_MEMORY;
    ksiCountLoads(&view, &tests, exceeded, untold);
    ksiViewFree(&view);
    return KS_OK;
}

void ksiWriteLoads(const ksiView *view, ksiText *out)
{
    const Sums sums = checkLoads(view, false, NULL);
    ksiTextAdd(out, "Largest physical loads: %zu are beyond their limits, and %zu perhaps, of %zu.\n", sums.exceeded,
               sums.untold, sums.tests);
    checkLoads(view, false, out);
}

void ksiWriteLoadsJunit(const ksiView *view, ksiText *out)
{
    const Sums sums = checkLoads(view, false, NULL);
    ksiTextAdd(out, "  <testsuite name=\"loads\" tests=\"%zu\" failures=\"%zu\" skipped=\"0\" errors=\"%zu\">\n",
               sums.tests, sums.exceeded, sums.untold);
    checkLoads(view, true, out);
    ksiTextAdd(out, "  </testsuite>\n");
}

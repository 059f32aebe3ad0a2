/* junit.c  A report as JUnit XML: a suite for each world, a case for each joint. Names are clean, and escaped here. */
#include "document.h"

#include "advice.h"

#include <math.h>

static const char *comparedWith(const ksReportLimit *limit)
{
    return limit->value == KS_PHYSICAL ? "physical" : "converged";
}

static void writeCase(const ksiView *view, const ksiWorldView *world, const ksiJointView *joint, ksiText *out)
{
    char judged[KSI_PERCENT_SIZE], largest[KSI_PERCENT_SIZE], above[KSI_PERCENT_SIZE];
    const ksReportLimit *limit = view->limit;
    const ksiMoment *worst = &joint->stats->worst[ksiErrorOf(limit)];
    ksiTextAdd(out, "    <testcase classname=\"");
    ksiTextAddXml(out, world->name);
    ksiTextAdd(out, "\" name=\"");
    ksiTextAddXml(out, joint->name);
    if (joint->isJudged && !joint->isFailed) {
        ksiTextAdd(out, "\"/>\n");
        return;
    }
    if (!joint->isJudged) {
        ksiTextAdd(out, "\">\n      <skipped message=\"not judged: no force was compared, or it is below the floor, or "
                        "not meant\"/>\n");
    } else {
        ksiTextAdd(out, "\">\n      <failure type=\"error\" message=\"in ");
        if (limit->percentile < 100)
            ksiTextAdd(out, "%g %% of its steps", 100 - limit->percentile);
        else
            ksiTextAdd(out, "one of its steps");
        ksiTextAdd(out,
                   " the engine&apos;s force is off by %s or more, limit %s\">against the %s force; largest %s in step "
                   "%llu, at %g s</failure>\n",
                   ksiPercent(judged, joint->judged), ksiPercent(above, limit->above), comparedWith(limit),
                   ksiPercent(largest, worst->value), (unsigned long long)worst->step, worst->time);
    }
    ksiTextAdd(out, "    </testcase>\n");
}

void ksiWriteJunit(const ksiView *view, ksiText *out)
{
    size_t tests = 0, failures = 0, skipped = 0;
    for (size_t i = 0; i < view->worldCount; i++) {
        const ksiWorldView *world = &view->world[i];
        tests += world->jointCount;
        failures += world->failedCount;
        skipped += world->jointCount - world->judgedCount;
    }
    ksiTextAdd(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    ksiTextAdd(out, "<testsuites name=\"kinetostat\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"0\">\n",
               tests, failures, skipped);
    for (size_t i = 0; i < view->worldCount; i++) {
        const ksiWorldView *world = &view->world[i];
        ksiTextAdd(out, "  <testsuite name=\"");
        ksiTextAddXml(out, world->name);
        ksiTextAdd(out, "\" tests=\"%zu\" failures=\"%zu\" skipped=\"%zu\" errors=\"0\">\n", world->jointCount,
                   world->failedCount, world->jointCount - world->judgedCount);
        for (size_t j = 0; j < world->jointCount; j++)
            writeCase(view, world, &world->joint[j], out);
        ksiTextAdd(out, "    <system-out>");
        ksiText advice = {.allocator = out->allocator};
        ksiWriteAdvice(view, world, &advice);
        out->isShort |= advice.isShort;
        if (advice.at)
            ksiTextAddXml(out, advice.at);
        ksiTextFree(&advice);
        ksiTextAdd(out, "</system-out>\n  </testsuite>\n");
    }
    ksiTextAdd(out, "</testsuites>\n");
}

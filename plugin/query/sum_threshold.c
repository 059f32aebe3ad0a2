/* sum_threshold.c  Limits of what several joints do together. */
#include "terms.h"

#include "../base/error.h"

static ksStatus onSumThreshold(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                               const ksThreshold *limits, ksThresholdFn *fn, void *user)
{
    KSI_REQUIRE_POINTER(term);
    KSI_REQUIRE(count > 0, "count is 0");
    ksiSubscription subscription;
    ksiTerms *terms;
    KSI_TRY(ksiBeginThreshold(inspector, term[0].joint, limits, fn, user, &subscription));
    KSI_REQUIRE(!(limits->flags & KS_THRESHOLD_BREAKS), "limits->flags has KS_THRESHOLD_BREAKS: for single joints");
    for (size_t i = 0; i < count; i++)
        KSI_REQUIRE(term[i].joint, "term[%zu].joint is NULL", i);
    KSI_TRY(ksiMakeTerms(inspector, term, count, &terms));
    ksStatus status = ksiCheckPoint(limits, term[0].body, subscription.type);
    subscription.watch.see = ksiSeeTerms;
    subscription.watch.sum = terms;
    if (!status)
        status = ksiSubscribe(inspector, &subscription);
    if (status)
        ksiFree(&inspector->step.allocator, terms);
    return status;
}

ksStatus ksInspectorOnSumThreshold(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                                   const ksThreshold *limits, ksThresholdFn *fn, void *user)
{
    return KSI_ANSWER(onSumThreshold(inspector, term, count, limits, fn, user));
}

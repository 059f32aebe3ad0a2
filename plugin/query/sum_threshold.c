/* sum_threshold.c  Thresholds on sums of wrenches. */
#include "terms.h"

#include "../base/error.h"

static ksStatus onSumThreshold(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                               const ksThreshold *limits, ksThresholdFn *fn, void *user)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(term);
    KSI_REQUIRE(count > 0, "count is 0");
    ksiSubscription subscription;
    ksiTerms *terms;
    KSI_TRY(ksiBeginThreshold(inspector, term[0].joint, limits, fn, user, &subscription));
    KSI_REQUIRE(!(limits->flags & KS_THRESHOLD_BREAKS),
                "limits->flags has KS_THRESHOLD_BREAKS, which is for single joints");
    for (size_t i = 0; i < count; i++)
        KSI_REQUIRE(term[i].joint || limits->value == KS_MEAN,
                    "term[%zu].joint is NULL: contacts need limits->value KS_MEAN", i);
    KSI_TRY(ksiMakeTerms(inspector, term, count, &terms));
    ksStatus status = ksiCheckView(limits, &terms->at[0]);
    subscription.watch.see = ksiSeeTerms;
    subscription.watch.sum = terms;
    if (!term[0].joint) {
        subscription.body[0] = term[0].body;
        subscription.body[1] = term[0].other;
    }
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

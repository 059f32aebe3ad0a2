/* pair.c  Pairs of bodies in contact: their mean force, limits on this force, and the list of
 * pairs. */
#include "terms.h"

#include "../base/error.h"

static ksStatus beginPair(ksInspector *inspector, dBodyID a, dBodyID b, double window, ksSubscription *pair)
{
    const ksWrenchTerm term = {.body = a, .other = b};
    const ksThreshold limits = {
        .value = KS_MEAN, .frame = KS_FRAME_WORLD, .point = KS_POINT_MASS_CENTRE, .window = window};
    ksiTerms *terms;
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(pair);
    KSI_TRY(ksiCheckPair(inspector, a, b));
    KSI_TRY(ksiCheckWindow(window));
    const bool isPhysical = inspector->step.options.contactPhysical;
    KSI_TRY(isPhysical ? ksiReservePair(inspector) : KS_OK);
    KSI_TRY(ksiMakeTerms(inspector, &term, 1, &terms));
    terms->at[0].isOfWorld = !b;
    const ksStatus status = ksiBeginMean(inspector, terms, &limits, pair);
    if (status) {
        ksiFree(&inspector->step.allocator, terms);
        return status;
    }
    ksiFindSubscription(&inspector->subscriptions, *pair)->watch.pair = *pair;
    if (isPhysical)
        ksiAddPair(inspector, *pair, (dBodyID[]){a, b});
    return KS_OK;
}

ksStatus ksInspectorPair(ksInspector *inspector, dBodyID a, dBodyID b, double window, ksSubscription *pair)
{
    return KSI_ANSWER(beginPair(inspector, a, b, window, pair));
}

static bool isPair(const ksiSubscription *subscription)
{
    return subscription->kind == KSI_ON_MEAN && subscription->watch.pair;
}

int ksInspectorGetNextPair(const ksInspector *inspector, ksSubscription after, ksPair *pair)
{
    if (!inspector || !pair || !ksiDeferredWait(inspector) || after >= inspector->subscriptions.last)
        return 0;
    const ksiSubscriptions *all = &inspector->subscriptions;
    for (size_t i = ksiFirstSubscription(all, after + 1); i < all->count; i++) {
        const ksiSubscription *s = &all->at[i];
        if (!s->active || !isPair(s))
            continue;
        *pair = (ksPair){.subscription = s->id, .a = s->body[0], .b = s->body[1], .window = s->watch.limits.window};
        return 1;
    }
    return 0;
}

/* --- Limits --- */

static ksStatus onPairThreshold(ksInspector *inspector, ksSubscription pair, const ksThreshold *limits,
                                ksThresholdFn *fn, void *user)
{
    ksiSubscription subscription;
    const ksiSubscription *of;
    ksiTerms *terms;
    KSI_TRY(ksiBeginThreshold(inspector, NULL, limits, fn, user, &subscription));
    KSI_TRY(ksiFindMean(inspector, pair, "pair", &of));
    KSI_REQUIRE(isPair(of), "pair comes from ksInspectorMean, must come from ksInspectorPair");
    KSI_REQUIRE(limits->value == KS_MEAN || limits->value == KS_PHYSICAL,
                "limits->value is %d, must be KS_MEAN or KS_PHYSICAL for a pair", (int)limits->value);
    KSI_REQUIRE(limits->value == KS_MEAN || inspector->step.options.contactPhysical,
                "limits->value is KS_PHYSICAL, which needs an inspector with options.contactPhysical");
    KSI_REQUIRE(!(limits->flags & KS_THRESHOLD_BREAKS),
                "limits->flags has KS_THRESHOLD_BREAKS, which is for single joints");
    const ksiTerm *term = ((const ksiTerms *)of->watch.sum)->at;
    KSI_TRY(ksiCheckView(limits, term));
    ksThreshold *own = &subscription.watch.limits;
    if (own->value == KS_MEAN && own->window == 0 && own->duration == 0)
        own->window = of->watch.limits.window;
    KSI_TRY(ksiMakeTerms(inspector, &term->term, 1, &terms));
    terms->at[0].isOfWorld = term->isOfWorld;
    subscription.watch.see = ksiSeeTerms;
    subscription.watch.sum = terms;
    subscription.watch.pair = pair;
    subscription.body[0] = term->term.body;
    subscription.body[1] = term->term.other;
    const ksStatus status = ksiSubscribe(inspector, &subscription);
    if (status)
        ksiFree(&inspector->step.allocator, terms);
    return status;
}

ksStatus ksInspectorOnPairThreshold(ksInspector *inspector, ksSubscription pair, const ksThreshold *limits,
                                    ksThresholdFn *fn, void *user)
{
    return KSI_ANSWER(onPairThreshold(inspector, pair, limits, fn, user));
}

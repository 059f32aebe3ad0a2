/* sum_threshold.c  Limits of what several joints do together. */
#include "query.h"

#include "../base/error.h"
#include "../inspector/wrench.h"

#include <math.h>
#include <string.h>

/* A term, and the joint as it was when it was named. */
typedef struct Term {
    ksWrenchTerm term;
    dJointType type;
    dBodyID body[2];
} Term;

typedef struct Terms {
    size_t count;
    ksWrenchTerm *present; /* [count] room for those whose joints are there */
    Term at[];
} Terms;

/* Where the joint is in the step, or -1: it is gone. */
static int find(const ksInspector *inspector, const Term *term)
{
    const int at = ksiPointersFind(&inspector->input.jointIndex, term->term.joint);
    const ksiJointInput *joint = at < 0 ? NULL : &inspector->step.joint[at];
    return joint && joint->type == term->type && joint->body[0] == term->body[0] && joint->body[1] == term->body[1]
               ? at
               : -1;
}

/* Those that are present; false: one of them has no value that counts. areShared: what they share with others is known of each. */
static bool collect(ksInspector *inspector, const Terms *terms, const ksThreshold *limits, size_t *present,
                    bool *areShared)
{
    *present = 0;
    *areShared = limits->value == KS_SHARED;
    for (size_t i = 0; i < terms->count; i++) {
        const int at = find(inspector, &terms->at[i]);
        if (at < 0)
            continue;
        const ksReaction *reaction = ksiReactionOf(&inspector->step, &inspector->published, (size_t)at);
        if (!ksiIsChecked(reaction, limits) || (limits->value == KS_MEAN && reaction->verdict == KS_UNEXPLAINED))
            return false;
        terms->present[(*present)++] = terms->at[i].term;
        *areShared &= reaction->freeCount == 0 || ksiWrenchesOf(reaction, KS_SHARED);
    }
    return true;
}

/* In the axes of the view; of bars the sum of sizes. */
static void turnBar(ksWrench *bar, const double axes[9])
{
    double sizes[9];
    for (int k = 0; k < 9; k++)
        sizes[k] = fabs(axes[k]);
    ksiTurnWrench(bar, sizes);
}

static bool see(ksInspector *inspector, ksiWatch *watch, ksiSight *sight)
{
    enum { ALL = (1u << KS_LIMIT_COUNT) - 1, COMPONENTS = (1u << 6) - 1 };
    const Terms *terms = watch->sum;
    const ksThreshold *limits = &watch->limits;
    // the report explains the motion, where it is checked
    const bool isMean = limits->value == KS_MEAN;
    const int first = find(inspector, &terms->at[0]);
    size_t present;
    bool areShared;
    if (first < 0 || !collect(inspector, terms, limits, &present, &areShared))
        return false;
    const ksReaction *reaction = ksiReactionOf(&inspector->step, &inspector->published, (size_t)first);
    const int side = terms->at[0].term.body == reaction->body[0] ? 0 : 1;
    sight->point = limits->point;
    ksWrenchSum sum;
    if (ksiViewAnyhow(reaction, side, limits->frame, &sight->point, &sight->view) ||
        ksiSumWrenches(inspector, terms->present, present, isMean ? KS_ENGINE : limits->value, sight->view.point, &sum))
        return false;
    if (isMean)
        sum.bar = (ksWrench){{0}, {0}};
    const bool isPlain = sum.freeCount == 0;
    sight->wrench = sum.wrench;
    sight->bar = sum.bar;
    sight->hasBar = true;
    ksiTurnWrench(&sight->wrench, sight->view.axes);
    turnBar(&sight->bar, sight->view.axes);
    sight->determined = isPlain ? ALL : limits->frame == KS_FRAME_WORLD ? sum.unique & COMPONENTS : 0;
    sight->counts = areShared ? ALL : sight->determined;
    sight->hasPart = false;
    return ksiSeeMean(&inspector->step, limits, &watch->window, sight);
}

static ksStatus checkTerm(ksInspector *inspector, const ksWrenchTerm *term, size_t n, Term *out)
{
    int reversed;
    KSI_REQUIRE(term[n].joint, "term[%zu].joint is NULL", n);
    KSI_REQUIRE(ksiIsInWorld(inspector, term[n].joint), "term[%zu].joint is not one of this world", n);
    *out = (Term){.term = term[n], .type = dJointGetType(term[n].joint)};
    ksiJointBodies(term[n].joint, out->body, &reversed);
    KSI_REQUIRE(term[n].body == out->body[0] || term[n].body == out->body[1],
                "term[%zu].body is not a body of its joint", n);
    for (size_t i = 0; i < n; i++)
        KSI_REQUIRE(term[i].joint != term[n].joint || term[i].body != term[n].body, "term[%zu] is given twice", n);
    return KS_OK;
}

static ksStatus onSumThreshold(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                               const ksThreshold *limits, ksThresholdFn *fn, void *user)
{
    KSI_REQUIRE_POINTER(term);
    KSI_REQUIRE(count > 0, "count is 0");
    ksiSubscription subscription;
    ksStatus status = ksiBeginThreshold(inspector, term[0].joint, limits, fn, user, &subscription);
    if (status)
        return status;
    KSI_REQUIRE(!(limits->flags & KS_THRESHOLD_BREAKS), "limits->flags has KS_THRESHOLD_BREAKS: for single joints");
    const ksAllocator *allocator = &inspector->step.allocator;
    Terms *terms = NULL;
    size_t room = 0;
    // one more: the count itself
    status = ksiReserve(allocator, &terms, &room, count + 1, sizeof(Term) + sizeof(ksWrenchTerm));
    if (status)
        return status;
    terms->count = count;
    terms->present = (ksWrenchTerm *)(terms->at + count);
    for (size_t i = 0; !status && i < count; i++)
        status = checkTerm(inspector, term, i, &terms->at[i]);
    if (!status)
        status = ksiCheckPoint(limits, term[0].body, subscription.type);
    subscription.watch.see = see;
    subscription.watch.sum = terms;
    if (!status)
        status = ksiSubscribe(inspector, &subscription);
    if (status)
        ksiFree(allocator, terms);
    return status;
}

ksStatus ksInspectorOnSumThreshold(ksInspector *inspector, const ksWrenchTerm *term, size_t count,
                                   const ksThreshold *limits, ksThresholdFn *fn, void *user)
{
    return KSI_ANSWER(onSumThreshold(inspector, term, count, limits, fn, user));
}

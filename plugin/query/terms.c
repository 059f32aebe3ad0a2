/* terms.c  Checks the terms of subscribed sums, and finds the sums in each step. */
#include "terms.h"

#include "../base/error.h"
#include "../engine/vector.h"
#include "../inspector/contacts/touch.h"
#include "../inspector/publish/wrench.h"
#include "../inspector/publish/wrench_norm.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { ALL = (1u << KS_LIMIT_COUNT) - 1, COMPONENTS = (1u << 6) - 1 };

/* --- Creation --- */

/* Would a wrench of a joint or of a contact be in both terms? */
static bool overlap(const ksWrenchTerm *a, const ksWrenchTerm *b)
{
    return a->joint == b->joint && a->body == b->body && (a->joint || !a->other || !b->other || a->other == b->other);
}

static ksStatus checkContacts(ksInspector *inspector, const ksWrenchTerm *term, size_t n)
{
    const dBodyID body = term[n].body, other = term[n].other;
    KSI_REQUIRE(body && ksiIsBodyInWorld(inspector, body), "term[%zu].body is not a body of this world", n);
    KSI_REQUIRE(other != body, "term[%zu].other and body are the same body", n);
    KSI_REQUIRE(!other || ksiIsBodyInWorld(inspector, other), "term[%zu].other is not a body of this world", n);
    return KS_OK;
}

static ksStatus checkJoint(ksInspector *inspector, const ksWrenchTerm *term, size_t n, ksiTerm *out)
{
    int reversed;
    KSI_REQUIRE(ksiIsInWorld(inspector, term[n].joint), "term[%zu].joint does not belong to this world", n);
    out->type = dJointGetType(term[n].joint);
    ksiJointBodies(term[n].joint, out->body, &reversed);
    KSI_REQUIRE(term[n].body == out->body[0] || term[n].body == out->body[1],
                "term[%zu].body is not a body of its joint", n);
    return KS_OK;
}

static ksStatus makeTerm(ksInspector *inspector, const ksWrenchTerm *term, size_t n, ksiTerm *out)
{
    *out = (ksiTerm){.term = term[n]};
    KSI_TRY(term[n].joint ? checkJoint(inspector, term, n, out) : checkContacts(inspector, term, n));
    for (size_t i = 0; i < n; i++)
        KSI_REQUIRE(!overlap(&term[i], &term[n]), "term[%zu] repeats an earlier term", n);
    return KS_OK;
}

ksStatus ksiMakeTerms(ksInspector *inspector, const ksWrenchTerm *term, size_t count, ksiTerms **out)
{
    const ksAllocator *allocator = &inspector->step.allocator;
    ksiTerms *terms = NULL;
    size_t room = 0;
    KSI_REQUIRE_POINTER(term);
    KSI_REQUIRE(count > 0 && count < SIZE_MAX, "count is %zu", count);
    (void)ksiDeferredWait(inspector);
    // one more element, for the counts
    KSI_TRY(ksiReserve(allocator, &terms, &room, count + 1, sizeof(ksiTerm)));
    *terms = (ksiTerms){.count = count};
    ksStatus status = KS_OK;
    for (size_t i = 0; !status && i < count; i++)
        status = makeTerm(inspector, term, i, &terms->at[i]);
    if (status)
        ksiFree(allocator, terms);
    else
        *out = terms;
    return status;
}

ksStatus ksiCheckView(const ksThreshold *limits, const ksiTerm *first)
{
    KSI_REQUIRE(limits->frame <= KS_FRAME_JOINT, "frame is %d, not one of ksFrame", (int)limits->frame);
    KSI_REQUIRE(limits->point <= KS_POINT_ANCHOR, "point is %d, not one of ksPoint", (int)limits->point);
    if (first->term.joint)
        return ksiCheckPoint(limits, first->term.body, first->type);
    KSI_REQUIRE(limits->frame != KS_FRAME_JOINT && limits->point == KS_POINT_MASS_CENTRE,
                "contacts have no axes and no anchor: use KS_FRAME_WORLD or KS_FRAME_BODY, and KS_POINT_MASS_CENTRE");
    return KS_OK;
}

/* --- In a step --- */

static int bodyAt(const ksInspector *inspector, dBodyID body)
{
    return body ? ksiPointersFind(&inspector->input.bodyIndex, body) : -1;
}

/* The joint's index in the step; -1: it is gone. */
static int jointAt(const ksInspector *inspector, const ksiTerm *term)
{
    const int at = ksiPointersFind(&inspector->input.jointIndex, term->term.joint);
    const ksiJointInput *joint = at < 0 ? NULL : &inspector->step.joint[at];
    return joint && joint->type == term->type && joint->body[0] == term->body[0] && joint->body[1] == term->body[1]
               ? at
               : -1;
}

static bool isGone(const ksInspector *inspector, const ksiTerm *term)
{
    const dBodyID other = term->term.other;
    if (term->term.joint)
        return jointAt(inspector, term) < 0;
    return bodyAt(inspector, term->term.body) < 0 || (other && bodyAt(inspector, other) < 0);
}

/* Has the subscription ended? It ends with its first term. */
static bool isOver(const ksInspector *inspector, const ksiTerm *first)
{
    return isGone(inspector, first) ||
           (first->term.joint && !inspector->step.report[jointAt(inspector, first)].isAlive);
}

/* The state of the sum in this step. */
typedef struct Sum {
    bool isUnseen;  /* a term has no value that counts: the step is skipped */
    bool isBroken;  /* the window has ended: it restarts with this step */
    bool isNothing; /* the window has ended, and the sum of this step is unknown */
    bool areShared; /* it is known how the joints share undetermined loads */
} Sum;

static void lookAtJoint(const ksInspector *inspector, const ksiTerm *term, const ksiWatch *watch, Sum *sum)
{
    const ksiStep *step = &inspector->step;
    const ksThreshold *limits = &watch->limits;
    const int at = jointAt(inspector, term);
    const ksiSample sample = ksiSampleOf(step, at);
    sum->isBroken |= ksiIsPut(step, at);
    if (sample != KSI_FORCE || !watch->fn)
        return;
    const ksReaction *reaction = ksiReactionOf(step, &inspector->published, (size_t)at);
    sum->isUnseen |= !ksiIsChecked(reaction, limits);
    sum->areShared &= reaction->freeCount == 0 || ksiWrenchesOf(reaction, KS_SHARED);
}

static void lookAtContacts(const ksInspector *inspector, const ksiTerm *term, Sum *sum)
{
    const int pair[2] = {bodyAt(inspector, term->term.body), bodyAt(inspector, term->term.other)};
    sum->isNothing |= ksiIsPairAsleep(&inspector->step, pair);
    KSI_EACH_BODY (pair, side, body)
        sum->isBroken |= inspector->step.body[body].isPut;
}

/* Is the force of a joint of the sum unknown in this step? */
static bool lacksForce(const ksInspector *inspector)
{
    KSI_EACH_CHOSEN (inspector, chosen)
        if (ksiSampleOf(&inspector->step, chosen->joint) == KSI_NO_SAMPLE)
            return true;
    return false;
}

/* Chooses the terms that still exist. false: the first term is gone, or a term cannot be chosen. */
static bool choose(ksInspector *inspector, const ksiWatch *watch, Sum *sum)
{
    ksiTerms *terms = watch->sum;
    size_t gone = 0;
    ksiChooseNone(inspector);
    for (size_t i = 0; i < terms->count; i++) {
        const ksiTerm *term = &terms->at[i];
        if (isGone(inspector, term)) {
            gone++;
            if (i == 0)
                return false;
            continue;
        }
        if (term->term.joint)
            lookAtJoint(inspector, term, watch, sum);
        else
            lookAtContacts(inspector, term, sum);
        if (ksiChoose(inspector, i, &term->term, term->isOfWorld))
            return false;
    }
    sum->isBroken |= gone != terms->gone;
    sum->isNothing |= lacksForce(inspector);
    terms->gone = gone;
    return true;
}

/* Adds up the pressing contacts of which only one side is in the sum. */
static void takePress(const ksInspector *inspector, ksiSight *sight)
{
    const double *axes = sight->view.axes;
    ksiPress *press = &sight->press;
    *press = (ksiPress){.force = 0};
    KSI_EACH_CHOSEN (inspector, chosen) {
        const bool isSecond = ksiTimesChosen(chosen, 1);
        if (isSecond != (ksiTimesChosen(chosen, 0) != 0))
            ksiAddPress(&inspector->step, (size_t)chosen->joint, isSecond, sight->view.point, press);
    }
    ksiTransform(press->normal, axes, press->normal);
    ksiTransform(press->point, axes, press->point);
}

/* The axes and the point of the first term. */
static bool viewOf(const ksInspector *inspector, const ksiTerm *first, const ksThreshold *limits, ksiSight *sight)
{
    ksiWrenchFrame *view = &sight->view;
    sight->point = limits->point;
    if (first->term.joint) {
        const ksReaction *reaction =
            ksiReactionOf(&inspector->step, &inspector->published, (size_t)jointAt(inspector, first));
        const int side = first->term.body == reaction->body[0] ? 0 : 1;
        return !ksiViewAnyhow(reaction, side, limits->frame, &sight->point, view);
    }
    const ksiBody *body = &inspector->step.body[bodyAt(inspector, first->term.body)].begin;
    *view = (ksiWrenchFrame){.axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(view->point, body->centre, sizeof view->point);
    for (int i = 0; i < 9 && limits->frame == KS_FRAME_BODY; i++)
        view->axes[i] = body->rotation[i % 3 * 3 + i / 3];
    return true;
}

/* Expresses bars in the axes of the view, by the absolute components of these axes, since bars have
 * no sign. */
static void turnBar(ksWrench *bar, const double axes[9])
{
    double sizes[9];
    for (int k = 0; k < 9; k++)
        sizes[k] = fabs(axes[k]);
    ksiTurnWrench(bar, sizes);
}

/* Does the window continue? Without a callback it needs consecutive steps. */
static bool goesOn(const ksiWatch *watch, unsigned long step)
{
    return watch->fn || ksiIsEmpty(&watch->window) || ksiLastStep(&watch->window) + 1 >= step;
}

/* Is the bar of any component known? */
static bool anyBar(const ksWrench *bar)
{
    bool any = false;
    for (int k = 0; k < 3; k++)
        any |= isfinite(bar->force[k]) || isfinite(bar->torque[k]);
    return any;
}

/* The physical force of a pair in this step. Its bar includes the undetermined part. */
static ksStatus physicalOf(const ksInspector *inspector, ksSubscription of, ksWrenchSum *sum)
{
    const ksiPair *pair = ksiFindPair(inspector, of);
    *sum = (ksWrenchSum){.unique = 0};
    if (!pair || isnan(pair->wrench.force[0]))
        return KS_ERROR_UNAVAILABLE;
    const double tolerance = inspector->step.options.tolerance;
    const double most[2] = {tolerance * ksiSize(pair->wrench.force, 3), tolerance * ksiSize(pair->wrench.torque, 3)};
    sum->wrench = pair->wrench;
    sum->bar = pair->bar;
    for (int k = 0; k < 6; k++)
        sum->unique |= ((const double *)&pair->open)[k] <= most[k / 3] ? 1u << k : 0;
    sum->freeCount = sum->unique != COMPONENTS;
    return KS_OK;
}

bool ksiSeeTerms(ksInspector *inspector, ksiWatch *watch, ksiSight *sight)
{
    const ksiTerms *terms = watch->sum;
    const ksThreshold *limits = &watch->limits;
    const bool isMean = limits->value == KS_MEAN, isPhysical = watch->pair && limits->value == KS_PHYSICAL;
    Sum found = {.areShared = limits->value == KS_SHARED};
    ksWrenchSum sum;
    watch->isOver = isOver(inspector, &terms->at[0]);
    if (!choose(inspector, watch, &found))
        found.isNothing = true;
    if (isMean && (found.isNothing || found.isBroken || !goesOn(watch, inspector->step.number)))
        ksiEmptyWindow(&watch->window);
    if (found.isNothing || found.isUnseen || !viewOf(inspector, &terms->at[0], limits, sight) ||
        (isPhysical ? physicalOf(inspector, watch->pair, &sum)
                    : ksiSumChosen(inspector, isMean ? KS_OBSERVED : limits->value, sight->view.point, &sum)))
        return false;
    sight->takesUntold = ksiTakesUntold(limits) || (isPhysical && limits->flags & KS_THRESHOLD_UNCHECKED);
    if (watch->fn && (isMean || isPhysical) && !sight->takesUntold && !anyBar(&sum.bar))
        return false;
    const bool isPlain = sum.freeCount == 0;
    takePress(inspector, sight);
    sight->wrench = sum.wrench;
    sight->bar = sum.bar;
    sight->hasBar = true;
    if (limits->frame != KS_FRAME_WORLD) {
        ksiTurnWrench(&sight->wrench, sight->view.axes);
        turnBar(&sight->bar, sight->view.axes);
    }
    sight->determined = isPlain ? ALL : limits->frame == KS_FRAME_WORLD ? sum.unique & COMPONENTS : 0;
    sight->counts =
        found.areShared || isPhysical || (sum.freeCount < 0 && ksiTakesUntold(limits)) ? ALL : sight->determined;
    sight->hasPart = false;
    // without a callback the mean is computed on request
    return watch->fn ? ksiSeeMean(&inspector->step, limits, &watch->window, sight)
                     : ksiKeepSight(&inspector->step, limits->window, &watch->window, sight);
}

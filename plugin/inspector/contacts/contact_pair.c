/* contact_pair.c  Follows pairs of bodies in contact from step to step: physical force, error bar,
 * verdict.
 *
 * The bar of each component of a pair's force is
 *
 *     bar  =  2 max |mean over a window of (lambda_e - lambda)|
 *             +  2.5 s.d. of lambda about its line  +  range of the undetermined part
 *
 * with the engine's force lambda_e and the physical force lambda. The maximum is over the last four
 * windows of 0.15 s, and over the present window so far. In the four windows, the engine's mean is
 * right by momentum. Steps with a blow are left out. While points are missing, nothing supports the
 * bodies there, and springs and motors report the forces of that state. So in a step with missing
 * points, and in the three steps after it, the second term is at least |lambda - mean of lambda
 * over the last window|. */
#include "../host/deferred_wait.h"
#include "../inspector.h"
#include "../physical/physical.h"
#include "../publish/wrench_norm.h"
#include "contact_physical.h"

#include "../../base/duration.h"
#include "../../base/sorted.h"

#include <math.h>
#include <string.h>

/* s; as in run_mean.c */
static const double windowLength = 0.15;
static const double biases = 2;
enum { GONE = 4 }; /* a touch has ended after this many steps without a point */

static const ksWrench none = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};

ksStatus ksiReservePair(ksInspector *inspector)
{
    ksiContactRoom *room = &inspector->contactRoom;
    (void)ksiDeferredWait(inspector);
    return ksiReserve(&inspector->step.allocator, &room->pair, &room->pairCapacity, room->pairCount + 1,
                      sizeof *room->pair);
}

void ksiAddPair(ksInspector *inspector, ksSubscription of, const dBodyID body[2])
{
    ksiContactRoom *room = &inspector->contactRoom;
    room->pair[room->pairCount++] = (ksiPair){
        .of = of, .body = {body[0], body[1]}, .wrench = none, .bar = none, .open = none, .verdict = KS_NOT_SOLVED};
}

static int byId(const void *key, const void *element)
{
    const ksSubscription a = *(const ksSubscription *)key, b = ((const ksiPair *)element)->of;
    return (a > b) - (a < b);
}

const ksiPair *ksiFindPair(const ksInspector *inspector, ksSubscription of)
{
    const ksiContactRoom *room = &inspector->contactRoom;
    const size_t at = ksiPlaceOf(&of, byId, room->pair, room->pairCount, sizeof *room->pair);
    return at < room->pairCount && room->pair[at].of == of ? &room->pair[at] : NULL;
}

static void dropEnded(ksInspector *inspector)
{
    ksiContactRoom *room = &inspector->contactRoom;
    size_t kept = 0;
    for (size_t i = 0; i < room->pairCount; i++) {
        const ksiSubscription *of = ksiFindSubscription(&inspector->subscriptions, room->pair[i].of);
        if (of && of->active)
            room->pair[kept++] = room->pair[i];
    }
    room->pairCount = kept;
}

/* --- The run --- */

static void beginWindow(ksiPair *pair)
{
    pair->count = 0;
    pair->time = 0;
    memset(pair->own, 0, sizeof pair->own);
    memset(pair->apart, 0, sizeof pair->apart);
}

static void beginRun(ksiPair *pair)
{
    beginWindow(pair);
    pair->whole = 0;
    memset(pair->noise, 0, sizeof pair->noise);
}

static void endWindow(ksiPair *pair)
{
    memmove(pair->bias[1], pair->bias[0], (KSI_RUN_WINDOWS - 1) * sizeof *pair->bias);
    for (int k = 0; k < 6; k++) {
        pair->bias[0][k] = fabs(pair->apart[k]) / pair->time;
        pair->noise[k] = ksiTrendNoise(&pair->own[k], pair->count);
        pair->level[k] = pair->own[k].sum / pair->count;
    }
    pair->whole += pair->whole < KSI_RUN_WINDOWS;
    beginWindow(pair);
}

static void addStep(double h, const ksWrench *engine, ksiPair *pair)
{
    const double *theirs = (const double *)engine, *ours = (const double *)&pair->wrench;
    pair->count++;
    pair->time += h;
    for (int k = 0; k < 6; k++) {
        ksiAddToTrend(ours[k], pair->count, &pair->own[k]);
        pair->apart[k] += h * (theirs[k] - ours[k]);
    }
}

/* The bar without the range of the undetermined part. */
static void findBar(const ksiPair *pair, bool isLacking, ksWrench *bar)
{
    for (int k = 0; k < 6; k++) {
        // the present window so far
        double bias = pair->whole > 0 ? fabs(pair->apart[k]) / windowLength : 0;
        const double aside =
            isLacking && pair->whole > 0 ? fabs(((const double *)&pair->wrench)[k] - pair->level[k]) : 0;
        const double noise = fmax(pair->noise[k], ksiTrendNoise(&pair->own[k], pair->count));
        for (int i = 0; i < pair->whole; i++)
            bias = fmax(bias, pair->bias[i][k]);
        ((double *)bar)[k] = biases * bias + fmax(noise, aside);
    }
}

/* --- A step --- */

static void setNothing(ksVerdict verdict, ksReasons reasons, ksiPair *pair)
{
    pair->wrench = pair->bar = pair->open = none;
    pair->verdict = verdict;
    pair->reasons = reasons;
    beginWindow(pair);
}

/* The share of the normal force that acts at remembered points. */
static double rememberedShare(const ksiContactGroup *g, const ksiPair *pair)
{
    double all = 0, remembered = 0;
    KSI_EACH_POINT (g, p) {
        if (!ksiIsOfPair(p, pair->body))
            continue;
        all += p->multiplier[0];
        remembered += p->joint < 0 ? p->multiplier[0] : 0;
    }
    return all > 0 ? remembered / all : 0;
}

/* Reasons against a verdict on a known value. */
static ksReasons doubtsOf(ksiContactGroup *g, const ksiPair *pair, double load)
{
    const double tolerance = g->step->options.tolerance;
    ksReasons reasons = 0;
    double driven;
    if (rememberedShare(g, pair) > tolerance)
        reasons |= KS_REASON_REMEMBERED;
    if (ksiDrivenForce(g, pair->body, &driven) || driven > tolerance * load)
        reasons |= KS_REASON_DRIVEN;
    return reasons;
}

static ksReasons reasonOf(ksStatus status)
{
    return status == KS_OK ? 0 : status == KS_ERROR_NO_MEMORY ? KS_REASON_MEMORY : KS_REASON_BUDGET;
}

static void judge(ksiContactGroup *g, const ksWrench *engine, ksiPair *pair)
{
    double apart[3];
    for (int k = 0; k < 3; k++)
        apart[k] = engine->force[k] - pair->wrench.force[k];
    const double load = fmax(ksiSize(engine->force, 3), ksiSize(pair->wrench.force, 3));
    const double most = g->step->options.tolerance * load;
    const ksReasons unknown = (g->isStruck ? KS_REASON_IMPACT : 0) | (pair->whole == 0 ? KS_REASON_NO_HISTORY : 0);
    const ksStatus status = unknown ? KS_OK : ksiFindRange(g, pair->body, &pair->open);
    pair->reasons = unknown | reasonOf(status);
    if (pair->reasons) {
        pair->bar = pair->open = none;
        pair->verdict = KS_UNCHECKED;
        return;
    }
    for (int k = 0; k < 6; k++)
        ((double *)&pair->bar)[k] += ((double *)&pair->open)[k];
    const bool isOpen = ksiSize(pair->open.force, 3) > most;
    pair->reasons = doubtsOf(g, pair, load);
    if (isOpen)
        pair->verdict = KS_INDETERMINATE;
    else if (pair->reasons)
        pair->verdict = KS_UNCHECKED;
    else if (ksiSize(apart, 3) > ksiSize(pair->bar.force, 3) && ksiSize(apart, 3) > most)
        pair->verdict = KS_SOLVER_ERROR;
    else
        pair->verdict = ksiSize(pair->bar.force, 3) <= most ? KS_VALID : KS_UNCHECKED;
    if (pair->verdict == KS_UNCHECKED && !pair->reasons)
        pair->reasons = KS_REASON_PHYSICAL;
}

static bool touches(const ksiContactGroup *g, const ksiPair *pair)
{
    bool any = false;
    KSI_EACH_POINT (g, p)
        any |= p->way != KSI_LEAVES && ksiIsOfPair(p, pair->body);
    return any;
}

static void takePair(ksiContactGroup *g, ksiPair *pair)
{
    ksWrench engine;
    if (g->reasons) {
        setNothing(KS_UNCHECKED, g->reasons, pair);
        return;
    }
    ksiPairWrench(g, pair->body, true, &engine);
    ksiPairWrench(g, pair->body, false, &pair->wrench);
    pair->open = (ksWrench){{0}, {0}};
    if (pair->touched + GONE < g->step->number)
        beginRun(pair);
    if (!touches(g, pair)) {
        pair->bar = g->isStruck ? none : pair->open;
        pair->reasons = g->isStruck ? KS_REASON_IMPACT : 0;
        pair->verdict = g->isStruck ? KS_UNCHECKED : KS_VALID;
        return;
    }
    pair->touched = g->step->number;
    if (!g->isStruck)
        addStep(g->step->h, &engine, pair);
    if (rememberedShare(g, pair) > g->step->options.tolerance)
        pair->lacked = g->step->number;
    findBar(pair, pair->lacked + GONE > g->step->number, &pair->bar);
    judge(g, &engine, pair);
    if (ksiFills(pair->time, windowLength))
        endWindow(pair);
}

static void takeGroup(ksInspector *inspector, int root)
{
    ksiContactRoom *room = &inspector->contactRoom;
    ksiContactGroup group;
    ksiSolveContactGroup(&inspector->step, room, root, &group);
    for (int i = room->firstPair[root]; i >= 0; i = room->pair[i].next)
        takePair(&group, &room->pair[i]);
}

/* The pair's group. Without a group: -1, and the pair gets its verdict here. */
static int rootOf(const ksiStep *step, ksiContactRoom *room, ksiPair *pair)
{
    int at[2];
    bool isGone = false, isPut = false;
    for (int side = 0; side < 2; side++) {
        at[side] = pair->body[side] ? ksiPointersFind(&step->input->bodyIndex, pair->body[side]) : -1;
        isGone |= pair->body[side] && at[side] < 0;
        isPut |= at[side] >= 0 && step->body[at[side]].isPut;
    }
    const bool isAsleep = !isGone && ksiIsPairAsleep(step, at);
    const int root = isGone || isAsleep ? -1 : ksiContactRootOf(step, room, at);
    if (root < 0)
        setNothing(KS_NOT_SOLVED, isAsleep ? KS_REASON_ASLEEP : KS_REASON_NO_ROWS, pair);
    if (root < 0 || isPut)
        pair->touched = 0;
    return root;
}

static ksStatus takeAll(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiContactRoom *room = &inspector->contactRoom;
    KSI_TRY(ksiFindPoints(inspector));
    for (int i = (int)room->pairCount; i-- > 0;) {
        ksiPair *pair = &room->pair[i];
        pair->root = rootOf(step, room, pair);
        if (pair->root < 0)
            continue;
        pair->next = room->firstPair[pair->root];
        room->firstPair[pair->root] = i;
    }
    for (int i = 0; i < (int)room->pairCount; i++)
        if (room->pair[i].root >= 0 && room->firstPair[room->pair[i].root] == i)
            takeGroup(inspector, room->pair[i].root);
    return ksiRememberPoints(inspector);
}

void ksiTakePairs(ksInspector *inspector)
{
    ksiContactRoom *room = &inspector->contactRoom;
    if (room->pairCount == 0)
        return;
    dropEnded(inspector);
    const bool isAsked = inspector->step.options.values & KS_COMPUTE_PHYSICAL;
    const ksReasons lacking = !isAsked ? KS_REASON_NOT_ASKED : inspector->step.isForeign ? KS_REASON_NOT_REPORTED : 0;
    const ksStatus status = lacking ? KS_OK : takeAll(inspector);
    for (size_t i = 0; (lacking || status) && i < room->pairCount; i++)
        setNothing(KS_UNCHECKED, lacking ? lacking : KS_REASON_MEMORY, &room->pair[i]);
    if (lacking || status)
        room->pastCount = 0;
}

/* assembly.c  Moves an island to a pose in which its joints fit, and finds the rows that depend on
 * each other in this pose: see loop.h, pose.h. */
#include "loop.h"

#include "../base/error.h"

#include <math.h>
#include <string.h>

/* damping of a step, divided by the square of the largest gap; in goFar(), divided by the gap. A
 * value ten times larger or smaller serves as well. goFar() divides it by `weaker` after a step
 * that does not help, since gaps of many joints may add up to a long way, and multiplies it by
 * `stronger` after a step that enlarges the gap */
static const double damping = 0.1, weaker = 4, stronger = 8;
/* largest remaining gap with which a pose of joints that contradict each
 * other is accepted: mostLeft as a
 * share of the drift, mostMisfit as a share of the radius */
static const double mostLeft = 0.25, mostMisfit = 1e-2;
/* a remaining gap below this share of the rank tolerance does not affect the rank */
static const double closeShare = 1. / 3;
/* a step that leaves a larger share of the gap does not help */
static const double helps = 0.5;
/* a second step of fit() goes astray if it is longer than this share of the first step, and a step
 * of goFlat() if it leaves a larger share of the gap */
static const double astray = 0.7;
/* hardToTurn: factor on rotations in goFlat(); a value three times larger or smaller serves as
 * well. quick: the last step to a pose in which the joints fit, and each step of goFlat() after
 * SLOW_STEPS, have to leave a smaller share of the gap */
static const double hardToTurn = 0.03, quick = 0.2;
/* largest tilt of the self-stresses in a pose other than the present one */
static const double mostTilt = 0.1;
/* joints count as contradicting if the last step of closeIn(), or STILL steps of goFar() in a row,
 * change the gap by a smaller share than `still`, the gap is below mostGrown times the drift, and
 * no step is longer than mostGrown times the step before. Steps that go astray enlarge the gap, and
 * change it by so little only by chance. Bars in line between ends that are too close move by ever
 * longer steps, until they buckle */
static const double still = 1e-3, mostGrown = 2;
enum { SLOW_STEPS = 5, MOST_FAR_STEPS = 24, STILL = 3 };

typedef struct Walk {
    ksiCoreIsland *island;
    ksiCore *core;
    const ksiCoreHost *host;
    double unseen;    /* gaps up to this are rounding */
    double reached;   /* the remaining gap, if it was too large for fit(); else INFINITY */
    bool isFitted;    /* the joints fit up to rounding, or no step helps */
    bool mayBeInLine; /* the bodies fit, but perhaps only in line */
    bool isVain;      /* the joints contradict each other, or fit only in line: no other pose helps */
    double step;      /* the longest way of a body in the last step */
    double turning;   /* factor on rotations: see turnLess() */
} Walk;

void ksiCoreIslandInit(ksiCoreIsland *island, const ksAllocator *allocator)
{
    memset(island, 0, sizeof *island);
    ksiCoreInit(&island->core, allocator);
}

void ksiCoreIslandFree(ksiCoreIsland *island)
{
    ksiFree(&island->core.allocator, island->joint);
    ksiFree(&island->core.allocator, island->row);
    ksiFree(&island->core.allocator, island->force);
    ksiFree(&island->core.allocator, island->field);
    ksiCoreFree(&island->core);
}

/* Marks the rows that have no equation in this stage as known. Sets their lambda: to their
 * multiplier in KSI_STAGE_SOLVE, to 0 in the other stages. */
void ksiCoreEnterStage(ksiCoreIsland *island, ksiCoreStage stage)
{
    for (int i = 0; i < island->core.links + island->core.closings; i++) {
        ksiConstraint *c = ksiCoreAt(&island->core, i);
        if (c->rows == 0)
            continue;
        const ksiCoreLoop *joint = &island->joint[c->joint];
        c->known = c->atLow | c->atHigh;
        c->known |= stage == KSI_STAGE_POSE ? joint->targets | joint->soft : stage == KSI_STAGE_SOLVE ? 0 : joint->soft;
        for (int l = 0; c->known >> l; l++)
            if (c->known >> l & 1u)
                c->lambda[l] = (ksiFour){stage == KSI_STAGE_SOLVE ? joint->multiplier[l] : 0};
    }
}

static void takeRow(const ksiConstraint *c, int l, double *row)
{
    for (int k = 0; k < 6; k++) {
        row[6 * c->side + k] = c->own[k].at[l];
        row[6 - 6 * c->side + k] = c->other[l].at[k];
    }
}

/* Sets the rows in the present pose, and the known multipliers of rows at bounds. */
static ksStatus place(const Walk *walk, bool isFirst)
{
    KSI_TRY(walk->host->place(walk->host->of, walk->island, isFirst));
    for (int i = 0; i < walk->core->links + walk->core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(walk->core, i);
        for (int l = 0; l < c->rows; l++) {
            ksiCoreLoop *joint = &walk->island->joint[c->joint];
            joint->multiplier[l] = (c->atLow | c->atHigh) >> l & 1u ? c->lambda[l][0] : 0;
            if (isFirst)
                takeRow(c, l, walk->island->row[c->joint][l]);
        }
    }
    return KS_OK;
}

/* The largest gap of rows that hold a position, relative to the mean radius of gyration. */
static double largestGap(const Walk *walk)
{
    ksiCoreEnterStage(walk->island, KSI_STAGE_POSE);
    ksiCoreMeasure(walk->core);
    return ksiCoreLargestGap(walk->core) / walk->island->radius;
}

static ksStatus begin(const Walk *walk)
{
    ksiCoreIsland *island = walk->island;
    KSI_TRY(place(walk, true));
    island->drift = island->residual = largestGap(walk);
    island->way = 0;
    island->isFar = false;
    return isfinite(island->drift) ? KS_OK : KS_ERROR_UNAVAILABLE;
}

/* Multiplies the rotations in the rows. A step by these rows, with the rotations multiplied again,
 * is the least one of bodies that are so much harder to turn. */
static void turnLess(const Walk *walk)
{
    for (int i = 0; walk->turning < 1 && i < walk->core->links + walk->core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(walk->core, i);
        for (int l = 0; l < c->rows; l++)
            for (int k = 3; k < 6; k++) {
                c->own[k].at[l] *= walk->turning;
                c->other[l].at[k] *= walk->turning;
            }
    }
}

/* Factors the rows for a step from their pose. */
static ksStatus factor(const Walk *walk, double damped)
{
    ksiCoreClearForces(walk->core);
    turnLess(walk);
    KSI_TRY(ksiCoreFactored(ksiCoreBeginPose(walk->core, damped)));
    for (int i = 0; i < walk->core->links + walk->core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(walk->core, i);
        if (c->rows > 0)
            memcpy(walk->island->joint[c->joint].unit, c->unit, sizeof walk->island->joint->unit);
    }
    return KS_OK;
}

/* Finds a step by the factor. Rows may have changed their lengths since the factorisation, so gaps
 * are scaled to the lengths in the factor. */
static void findStep(Walk *walk)
{
    double most2 = 0;
    for (int i = 0; i < walk->core->links + walk->core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(walk->core, i);
        for (int l = 0; l < c->rows; l++)
            if (!(c->known >> l & 1u))
                c->beta[l] = (ksiFour){c->beta[l][0] * walk->island->joint[c->joint].unit[l] / c->unit[l]};
    }
    ksiCoreSweep(walk->core);
    for (int i = 0; i < walk->core->links; i++) {
        ksiCoreLink *link = &walk->core->link[i];
        double square = 0;
        for (int k = 0; k < 6; k++) {
            link->y[k][0] *= k < 3 ? 1 : walk->turning;
            square += link->y[k][0] * link->y[k][0];
        }
        most2 = ksiLarger(most2, square / link->weight2);
    }
    walk->step = sqrt(most2);
}

/* Makes the step. Afterwards the core has the rows of the new pose. */
static ksStatus move(const Walk *walk, bool asTheyAre)
{
    ksiCoreIsland *island = walk->island;
    island->way += walk->step;
    KSI_TRY(walk->host->move(walk->host->of, island, asTheyAre));
    island->residual = largestGap(walk);
    return isfinite(island->residual) ? KS_OK : KS_ERROR_UNAVAILABLE;
}

static ksStatus moveOn(Walk *walk, double damped)
{
    KSI_TRY(factor(walk, damped));
    findStep(walk);
    return move(walk, true);
}

/* Is the remaining gap large enough to affect the rank? */
static bool isApart(const ksiCoreIsland *island)
{
    return island->residual > closeShare * island->tolerance;
}

/* before, step: the gap before the last step, and the length of the step before it. */
static bool isStill(const Walk *walk, double before, double step)
{
    const double gap = walk->island->residual;
    return gap < mostGrown * walk->island->drift && fabs(gap - before) < still * before &&
           walk->step <= mostGrown * step;
}

/* Makes two steps with the same factor, or one step if it leaves only rounding. *isAstray: makes
 * only one step, which has enlarged the gaps, because the second step would be almost as long. The
 * bodies turn so far that their rows do not show the change of the gaps. */
static ksStatus makeFirstSteps(Walk *walk, bool *isAstray)
{
    ksiCoreIsland *island = walk->island;
    *isAstray = false;
    KSI_TRY(factor(walk, damping * island->drift * island->drift));
    findStep(walk);
    KSI_TRY(move(walk, false));
    if (island->residual <= walk->unseen)
        return KS_OK;
    const double first = walk->step;
    findStep(walk);
    *isAstray =
        island->residual > ksiLarger(island->drift, closeShare * island->tolerance) && walk->step > astray * first;
    return *isAstray ? KS_OK : move(walk, false);
}

/* Is the rounding of gaps, in single precision, larger than the gaps with which steps end? Then
 * steps do not show bodies that fit only in line, or joints that contradict each other. */
static bool isCoarse(const Walk *walk)
{
    return walk->island->placing > walk->unseen;
}

/* Makes steps with a new factor each, until the gaps are at most `unseen` or a step does not halve
 * them. Bodies that fit only in line approach this pose by steps that leave a quarter of the gap
 * each: then the joints do not count as fitted. */
static ksStatus closeIn(Walk *walk, double unseen)
{
    const ksiCoreIsland *island = walk->island;
    double before = INFINITY, step = INFINITY;
    while (island->residual > unseen && island->residual < helps * before) {
        before = island->residual;
        step = walk->step;
        KSI_TRY(moveOn(walk, damping * before * before));
    }
    const bool areStill = isStill(walk, before, step);
    walk->isVain = areStill && isApart(island);
    walk->isFitted = areStill || isCoarse(walk) || island->residual <= island->placing ||
                     (island->residual <= unseen && island->residual < quick * before);
    return KS_OK;
}

static ksStatus approach(Walk *walk)
{
    bool isAstray;
    walk->isFitted = true;
    KSI_TRY(makeFirstSteps(walk, &isAstray));
    KSI_TRY(isAstray ? KS_OK : closeIn(walk, walk->unseen));
    walk->island->isMoved = true;
    return KS_OK;
}

/* Sets row[] to the change of the unit rows on the way; zero for rows with compliance. */
static void findChange(const Walk *walk)
{
    for (int i = 0; i < walk->core->links + walk->core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(walk->core, i);
        for (int l = 0; l < c->rows; l++) {
            double *row = walk->island->row[c->joint][l], now[12];
            const bool isChanged = walk->island->isMoved && !(walk->island->joint[c->joint].soft >> l & 1u);
            takeRow(c, l, now);
            for (int k = 0; k < 12; k++)
                row[k] = isChanged ? (now[k] - row[k]) / c->unit[l] : 0;
        }
    }
}

/* Sets the rows of the present pose again, and row[] to their changes on the way, times the lengths
 * of these rows. */
static ksStatus goBack(const Walk *walk)
{
    findChange(walk);
    KSI_TRY(place(walk, false));
    ksiCoreMeasure(walk->core);
    for (int i = 0; i < walk->core->links + walk->core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(walk->core, i);
        for (int l = 0; l < c->rows; l++)
            for (int k = 0; k < 12; k++)
                walk->island->row[c->joint][l][k] *= c->unit[l];
    }
    return KS_OK;
}

/* Finds the self-stresses in the pose of the rows. */
static ksStatus decide(const Walk *walk)
{
    ksiCoreIsland *island = walk->island;
    const ksiCoreWay way = {.tolerance = island->tolerance,
                            .drift = island->drift,
                            .residual = island->residual,
                            .placing = island->placing,
                            .isMoved = island->isMoved,
                            .initial = (const double(*)[KSI_CORE_ROWS][12])island->row};
    ksiCoreEnterStage(island, KSI_STAGE_RANK);
    const ksStatus status = ksiCoreDecide(walk->core, &way, &island->rank);
    return status == KS_ERROR_SINGULAR ? KS_ERROR_UNAVAILABLE : ksiCoreFactored(status);
}

/* Decides; if the rank is undecided, comes as close to the pose as rounding permits, and decides
 * again. The gaps that closeIn() leaves turn the self-stresses, and mechanisms of many loops
 * amplify this turn until it hides the rank. */
static ksStatus decideClosely(Walk *walk)
{
    const double rounding = ksiLarger(ksiCoreRounding(walk->core), walk->island->placing);
    const ksStatus status = decide(walk);
    if (status != KS_ERROR_UNAVAILABLE || walk->island->residual <= rounding)
        return status;
    // the decision has overwritten the gaps
    for (int i = 0; i < walk->core->links; i++)
        memset(walk->core->link[i].y, 0, sizeof walk->core->link[i].y);
    KSI_TRY(walk->host->move(walk->host->of, walk->island, true));
    ksiCoreEnterStage(walk->island, KSI_STAGE_POSE);
    KSI_TRY(closeIn(walk, rounding));
    return isApart(walk->island) ? KS_ERROR_UNAVAILABLE : decide(walk);
}

/* Decides the rank in a pose in which the joints should fit. Bodies that fit only in line may have
 * come to this pose by chance, and then other directions are as weak as the self-stresses. */
static ksStatus decideClearly(Walk *walk)
{
    KSI_TRY(decideClosely(walk));
    return walk->island->rank.tilt > mostTilt && !isCoarse(walk) ? KS_ERROR_UNAVAILABLE : KS_OK;
}

/* Takes the nearest pose. This function, and those down to fitInLine(), return KS_ERROR_UNAVAILABLE
 * if they do not decide the rank, and KS_ERROR_SINGULAR if a joint must be carried. */
static ksStatus fit(Walk *walk)
{
    KSI_TRY(approach(walk));
    walk->mayBeInLine = !isApart(walk->island);
    if (walk->isFitted && walk->mayBeInLine)
        return decideClearly(walk);
    walk->reached = walk->island->residual;
    return KS_ERROR_UNAVAILABLE;
}

/* Finds the self-stresses in a pose that is not the nearest one. Such a pose does not show the
 * change of rows on the way. */
static ksStatus decideFar(Walk *walk)
{
    ksiCoreIsland *island = walk->island;
    island->isMoved = true;
    walk->isFitted = island->residual <= walk->unseen;
    if (isApart(island))
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(walk->isFitted ? KS_OK : closeIn(walk, walk->unseen));
    KSI_TRY(walk->isFitted && !isApart(island) ? decideClearly(walk) : KS_ERROR_UNAVAILABLE);
    island->isMoved = false;
    island->isFar = true;
    return KS_OK;
}

/* Takes the nearest pose of bodies that are hard to turn. In the nearest pose of the real bodies,
 * the light bars of a long chain form a zigzag. Towards a pose without a zigzag, steps soon square
 * the gap. But bodies that fit only in line approach this pose by steps that leave a quarter of the
 * gap each. They have a self-stress in no other pose. */
static ksStatus goFlat(Walk *walk)
{
    ksiCoreIsland *island = walk->island;
    const double fitted = ksiLarger(walk->unseen, island->placing);
    bool isNearer = true;
    if (walk->isVain)
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(begin(walk));
    walk->turning = hardToTurn;
    for (int i = 0; isNearer && island->residual > fitted; i++) {
        const double before = island->residual;
        KSI_TRY(moveOn(walk, damping * before * before));
        isNearer = island->residual < (i < SLOW_STEPS && island->residual > fitted ? astray : quick) * before;
        walk->isVain = !isNearer && i > 0 && island->residual < astray * before;
    }
    walk->mayBeInLine |= walk->isVain;
    return isNearer ? decideFar(walk) : KS_ERROR_UNAVAILABLE;
}

/* Takes any pose in which the joints fit. Taut ropes have no such pose nearby. */
static ksStatus goFar(Walk *walk)
{
    ksiCoreIsland *island = walk->island;
    if (walk->isVain)
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(begin(walk));
    walk->step = INFINITY;
    double damped = damping;
    for (int i = 0, stills = 0; isApart(island) && i < MOST_FAR_STEPS && !walk->isVain; i++) {
        const double before = island->residual, step = walk->step;
        KSI_TRY(moveOn(walk, damped * before));
        if (island->residual >= before)
            damped = ksiSmaller(damping, stronger * damped);
        else if (island->residual >= helps * before)
            damped /= weaker;
        stills = isStill(walk, before, step) ? stills + 1 : 0;
        walk->isVain = stills == STILL;
    }
    return decideFar(walk);
}

/* Takes the pose in which joints that contradict each other come nearest. fit() has already found
 * it. */
static ksStatus comeNear(Walk *walk)
{
    if ((!walk->isVain && !isCoarse(walk)) || walk->mayBeInLine ||
        walk->reached > ksiSmaller(mostLeft * walk->island->drift, mostMisfit))
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(begin(walk));
    KSI_TRY(approach(walk));
    return decide(walk);
}

/* Does not move the bodies: takes the self-stresses of the present pose. */
static ksStatus stay(Walk *walk)
{
    KSI_TRY(begin(walk));
    walk->island->isMoved = false;
    walk->island->residual = walk->island->drift;
    return decide(walk);
}

/* Takes the nearest pose although the bodies may fit only in line. */
static ksStatus fitInLine(Walk *walk)
{
    if (!walk->mayBeInLine)
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(begin(walk));
    KSI_TRY(approach(walk));
    return isApart(walk->island) ? KS_ERROR_UNAVAILABLE : decideClosely(walk);
}

ksStatus ksiCoreCarryOn(ksiCoreIsland *island, const ksiCoreHost *host)
{
    const int culprit = island->core.culprit;
    return island->core.joint[culprit].isCarried ? KS_ERROR_UNAVAILABLE : host->carry(host->of, island, culprit);
}

/* Carries joints until the way has all of its factors. */
static ksStatus take(Walk *walk, ksStatus (*way)(Walk *))
{
    ksStatus status;
    while ((status = way(walk)) == KS_ERROR_SINGULAR) {
        KSI_TRY(ksiCoreCarryOn(walk->island, walk->host));
        KSI_TRY(begin(walk));
    }
    return status;
}

ksStatus ksiCoreFindPose(ksiCoreIsland *island, const ksiCoreHost *host)
{
    Walk walk = {.island = island, .core = &island->core, .host = host, .reached = INFINITY};
    KSI_TRY(ksiReserve(&island->core.allocator, &island->joint, &island->jointCapacity, (size_t)island->core.joints,
                       sizeof *island->joint));
    KSI_TRY(ksiReserve(&island->core.allocator, &island->row, &island->rowCapacity, (size_t)island->core.joints,
                       sizeof *island->row));
    KSI_TRY(begin(&walk));
    walk.unseen = sqrt(ksiCoreRounding(&island->core));
    if (!(island->drift > island->least))
        return KS_ERROR_UNAVAILABLE;
    ksStatus (*const ways[])(Walk *) = {fit, goFlat, goFar, comeNear, stay, fitInLine};
    ksStatus status = KS_ERROR_UNAVAILABLE;
    for (size_t i = 0; status == KS_ERROR_UNAVAILABLE && i < sizeof ways / sizeof *ways; i++) {
        walk.turning = 1;
        status = take(&walk, ways[i]);
    }
    KSI_TRY(status);
    return goBack(&walk);
}

ksStatus ksiCoreDecideAnew(ksiCoreIsland *island, const ksiCoreHost *host)
{
    const Walk walk = {.island = island, .core = &island->core, .host = host};
    const bool isMoved = island->isMoved;
    ksiCoreEnterStage(island, KSI_STAGE_RANK);
    ksiCoreMeasure(walk.core);
    island->isMoved |= island->isFar;
    const ksStatus status = decide(&walk);
    island->isMoved = isMoved;
    if (status)
        island->core.stresses = island->core.groups = island->core.parts = 0;
    KSI_TRY(goBack(&walk));
    return status == KS_ERROR_SINGULAR ? KS_ERROR_UNAVAILABLE : status;
}

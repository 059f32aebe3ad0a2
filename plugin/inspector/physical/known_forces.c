/* known_forces.c  Rows with a known force in the continuous mechanism: contacts, stops in the step
 * that reaches them, motors at their bounds. */
#include "../publish/wrench_norm.h"
#include "../read/bound_state.h"
#include "../read/memory.h"
#include "physical.h"

#include <math.h>

/* blowShare: a blow is at least this share of the reported force of a stop that was in use before;
 * a smaller share may be solver noise. explainedShare: the lost speed must explain at least
 * this share of the excess over the holding force. */
static const double blowShare = 0.5, explainedShare = 0.25;
/* A stop is certainly hit if its speed exceeds this multiple of the forbidden velocities in its
 * joint. */
static const double certainTimes = 10;
/* A motor is on its target if its speed differs from it by at most this share of its bodies'
 * speeds. An exact step leaves less, by rounding (some units of the last digit) and by the row's
 * compliance. */
static const double onTargetShare = 1e-6, onTargetUnits = 64;

bool ksiKnowsAccelerations(const ksiStep *step, int index, ksiPhysical *out)
{
    const ksiIsland *island = &step->island[index];
    KSI_EACH_JOINT (step, island, i, joint) {
        const ksPhysicalSource *source = step->acceleration[joint].source;
        const unsigned biased = ksiBiasedRows(step, joint, &out->places[joint]);
        out->joint[joint].source = KS_FROM_GEOMETRY;
        for (int l = 0; biased >> l; l++) {
            if (!(biased >> l & 1u))
                continue;
            if (source[l] == KS_FROM_NOWHERE)
                return false;
            if (source[l] == KS_FROM_HISTORY)
                out->joint[joint].source = KS_FROM_HISTORY;
        }
    }
    return true;
}

/* Distances from the bound of a stop, in multiples of ksiBoundMargin: a report between these two
 * distances may be at the bound, or not. */
static const double leastClear = 0.25, mostUnclear = 16;

/* Makes the row's multiplier known. */
static void takeKnown(const ksiStep *step, int joint, int l, double multiplier, ksiPhysical *out)
{
    ksiPlaces *places = &out->places[joint];
    places->place[l] = KS_AT_LOW;
    places->low[l] = places->high[l] = multiplier;
    out->island[step->member[joint].island].isLoaded = true;
}

static bool isStop(const ksiRow *row)
{
    return row->kind == KS_ROW_STOP && (row->lo != -INFINITY || row->hi != INFINITY);
}

/* Is the row an active stop whose acceleration is unknown? */
static bool isUnknownStop(const ksiStep *step, int joint, int l, const ksiPlaces *places)
{
    return isStop(&step->joint[joint].rows.row[l]) && ksiNeedsBias(step, joint, l, places) &&
           step->acceleration[joint].source[l] == KS_FROM_NOWHERE;
}

/* Is the row a stop or a motor, and inside its bounds so far? */
static bool mayLetGo(const ksiStep *step, int joint, int l, const ksiPlaces *places)
{
    const ksiRow *row = &step->joint[joint].rows.row[l];
    return (isStop(row) || row->kind == KS_ROW_MOTOR) && places->place[l] == KS_INSIDE;
}

/* The multiplier of a stop without a load. */
static double nothingOf(const ksiRow *row)
{
    return ksiIsHighStop(row) ? row->hi : row->lo;
}

/* The distance of the reported multiplier from nothingOf(), in margins. */
static double fromNothing(const ksiStep *step, int joint, int l)
{
    const ksiRows *rows = &step->joint[joint].rows;
    const double *multiplier = step->report[joint].multiplier;
    const double bound = nothingOf(&rows->row[l]);
    return fabs(multiplier[l] - bound) / ksiBoundMargin(rows->count, rows->isSingle, multiplier, bound);
}

/* Is the row a stop that carries no load in the report? The mechanism still rests on such a stop,
 * unless it leaves the stop. */
static bool isIdleStop(const ksiStep *step, int joint, int l, ksRowPlace place)
{
    const ksiRow *row = &step->joint[joint].rows.row[l];
    return isStop(row) && isinf(row->lo) != isinf(row->hi) &&
           (place != KS_INSIDE || fromNothing(step, joint, l) < mostUnclear);
}

static bool isIdle(const ksiPhysical *out, int joint, int l)
{
    return out->joint[joint].idle >> l & 1u;
}

/* Does the reported force far exceed the holding force lambda? NaN: unknown */
static bool isStrong(const ksiStep *step, int joint, int l, double lambda)
{
    return fabs(lambda) < (1 - blowShare) * fabs(step->report[joint].multiplier[l]);
}

/* Has the last step left the motor on its target? */
static bool isOnTarget(const ksiStep *step, int index, int l)
{
    const ksiJointInput *joint = &step->joint[index];
    const double share = fmax(onTargetShare, onTargetUnits * ksiEpsilon(step->isSingle));
    double speed = 0;
    KSI_EACH_BODY (joint->bodyIndex, side, body) {
        const double *row = joint->rows.row[l].jacobian[side], *v = ksiVelocityOf(&step->body[body]);
        speed += ksiSize(row, 3) * ksiSize(v, 3) + ksiSize(row + 3, 3) * ksiSize(v + 3, 3);
    }
    return fabs(ksiMissedRate(step, index, l) - step->acceleration[index].excess[l]) <= share * speed;
}

/* May the reported force be a blow? It may if the stop was reached in this step, if the motor was
 * not on its target before, or if the force far exceeds the holding force lambda. But the excess of
 * a motor that was on its target is solver noise. */
static bool mayBeBlow(const ksiStep *step, int joint, int l, double lambda, const ksiPhysical *out)
{
    const ksiRows *rows = &step->joint[joint].rows;
    const ksiRunMean *run = &out->run[joint];
    const bool isKnown = ksiIsRecentRun(step, run) && ksiIsAsLeft(step, &step->joint[joint]);
    const unsigned axis = ksiAxisBit(rows, l);
    if (isStop(&rows->row[l]))
        return isStrong(step, joint, l, lambda) || (isKnown && !(run->stops & axis));
    return isKnown ? !(run->kept & axis || isOnTarget(step, joint, l)) : isStrong(step, joint, l, lambda);
}

/* Does the row leave its stop? needed: the acceleration that would bring the row's speed to its
 * target. */
static bool isLeaving(const ksiRow *row, double needed)
{
    return isStop(row) && (ksiIsHighStop(row) ? needed > 0 : needed < 0);
}

/* Is there a blow in the row, or does the row leave an idle stop? *change: the acceleration,
 * constant during the step, that brings the row to rest at its stop, or to its motor's target; 0 if
 * the row leaves a stop that is not idle; twice this acceleration if the row leaves an idle stop.
 * In the last case let s be the speed, and a the acceleration towards the stop. Then the row is
 * back at the stop after the time 2 s/a. So the stop has carried the share 1 - 2 s/(a h) of its
 * force at rest. */
static bool findBlow(const ksiStep *step, int joint, int l, double lambda, const ksiPhysical *out, double *change)
{
    const double needed = ksiToTarget(step, &step->joint[joint], l);
    const bool leaves = isLeaving(&step->joint[joint].rows.row[l], needed);
    if (leaves && isIdle(out, joint, l)) {
        *change = 2 * needed;
        return true;
    }
    *change = leaves ? 0 : needed;
    return mayBeBlow(step, joint, l, lambda, out);
}

bool ksiGatherBlows(const ksiStep *step, const ksiSolver *solver, int index, bool isPosed, bool all,
                    const double *multiplier, const ksiPhysical *out, double *beta)
{
    bool any = false;
    KSI_EACH_JOINT (step, &step->island[index], i, joint) {
        const int *row = isPosed ? solver->pose.joint[i].row : solver->layout[joint].row;
        for (int l = 0; l < step->joint[joint].rows.count; l++) {
            if (row[l] < 0)
                continue;
            const ksiPlaces *places = &out->places[joint];
            double change = 0;
            const bool is = mayLetGo(step, joint, l, places) &&
                            findBlow(step, joint, l, multiplier ? multiplier[row[l]] : NAN, out, &change),
                       gives = all && ksiHoldsPosition(step, joint, l, places);
            beta[row[l]] = is ? change : gives ? ksiToTarget(step, &step->joint[joint], l) : 0;
            any |= is;
        }
    }
    return any;
}

/* Does a stop pull, or does a motor exceed its bounds? Then it does not hold the row. */
static bool isBeyond(const ksiRows *rows, int l, const double *multiplier)
{
    const ksiRow *row = &rows->row[l];
    return multiplier[l] < row->lo - ksiBoundMargin(rows->count, rows->isSingle, multiplier, row->lo) ||
           multiplier[l] > row->hi + ksiBoundMargin(rows->count, rows->isSingle, multiplier, row->hi);
}

/* Does a motor that cannot hold its speed exert its largest force? The report of a motor that was
 * at its limit in the last step, and off its target, may be a mean: of a part of the step at the
 * limit, and a part on the target. */
static bool isSpent(const ksiStep *step, int index, int l, const ksiPhysical *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiRunMean *run = &out->run[index];
    const bool wasInside =
        ksiIsRecentRun(step, run) && ksiIsAsLeft(step, joint) && run->inside & ksiAxisBit(&joint->rows, l);
    return joint->rows.row[l].kind == KS_ROW_MOTOR && (wasInside || isOnTarget(step, index, l));
}

/* Is the excess of the reported force a blow that removes the row's speed? Then the stop or motor
 * does not hold the row. */
static bool isBlow(const ksiStep *step, int index, int l, const double *multiplier, const double *blow,
                   const ksiPhysical *out)
{
    const double rest = step->report[index].multiplier[l] - multiplier[l];
    return !isIdle(out, index, l) && mayBeBlow(step, index, l, multiplier[l], out) && blow[l] * rest > 0 &&
           fabs(blow[l]) > explainedShare * fabs(rest);
}

/* Is the stop idle, and does the row not reach it again in this step? */
static bool isGone(int l, const double *multiplier, const double *blow, const ksiPhysical *out, int joint)
{
    return isIdle(out, joint, l) && blow[l] * multiplier[l] < 0 && fabs(blow[l]) > fabs(multiplier[l]);
}

/* Is this blow more than noise? It is if the force of a motor far exceeds the holding force lambda,
 * if a row hits its stop much faster than the forbidden velocities in its joint, or if a blow
 * continues. */
static bool isCertain(const ksiStep *step, int index, int l, double lambda, const ksiPhysical *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiRunMean *run = &out->run[index];
    double most = 0;
    if (!isStop(&joint->rows.row[l]))
        return isStrong(step, index, l, lambda);
    if (ksiIsRecentRun(step, run) && run->blows & ksiAxisBit(&joint->rows, l))
        return true;
    for (int k = 0; k < joint->rows.count; k++)
        if (joint->rows.row[k].kind == KS_ROW_BILATERAL)
            most = fmax(most, fabs(joint->moving[k]) / ksiSize(joint->scaled[k], 12));
    return fabs(joint->moving[l]) / ksiSize(joint->scaled[l], 12) > certainTimes * most;
}

bool ksiPlaceKnownForces(const ksiStep *step, int index, ksiPhysical *out)
{
    const ksiIsland *island = &step->island[index];
    bool any = false;
    KSI_EACH_JOINT (step, island, i, joint) {
        const ksiRows *rows = &step->joint[joint].rows;
        const bool contact = step->joint[joint].type == dJointTypeContact;
        ksiPlaces *places = &out->places[joint];
        *places = step->reportPlaces[joint];
        KSI_EACH_BODY (step->joint[joint].bodyIndex, side, body)
            out->island[index].isPushed |= step->body[body].jumped;
        out->joint[joint].blows = out->joint[joint].doubts = out->joint[joint].idle = 0;
        for (int l = 0; !rows->plain && l < rows->count; l++) {
            if (!contact && isIdleStop(step, joint, l, places->place[l])) {
                out->joint[joint].idle |= 1u << l;
                places->place[l] = KS_INSIDE;
            }
            if (contact ? places->place[l] == KS_INACTIVE : !isUnknownStop(step, joint, l, places))
                continue;
            takeKnown(step, joint, l, step->report[joint].multiplier[l], out);
            any = true;
        }
    }
    return any;
}

static bool letGo(const ksiStep *step, int joint, const int *place, const double *multiplier, const double *blow,
                  ksiPhysical *out)
{
    const int count = step->joint[joint].rows.count;
    const double *report = step->report[joint].multiplier;
    ksiJointPhysical *physical = &out->joint[joint];
    bool any = false;
    double own[KSI_MAX_ROWS], ownBlow[KSI_MAX_ROWS] = {0};
    ksiTakeRows(count, place, multiplier, own);
    if (blow)
        ksiTakeRows(count, place, blow, ownBlow);
    for (int l = 0; l < count; l++) {
        if (!mayLetGo(step, joint, l, &out->places[joint]))
            continue;
        const ksiRow *row = &step->joint[joint].rows.row[l];
        const bool isLeft = isBeyond(&step->joint[joint].rows, l, own),
                   isHit = !isLeft && isBlow(step, joint, l, own, ownBlow, out),
                   isOff = !isLeft && isGone(l, own, ownBlow, out, joint);
        if (!isLeft && !isHit && !isOff)
            continue;
        unsigned *noted = isHit && isCertain(step, joint, l, own[l], out) ? &physical->blows : &physical->doubts;
        *noted |= isHit || (isOff && fromNothing(step, joint, l) > leastClear) ? 1u << l : 0;
        physical->held[l] = own[l];
        double known = report[l];
        // the engine may also push a row that leaves, because of the joint's error: this is not a
        // force of the mechanism
        if (isLeft && isLeaving(row, ksiToTarget(step, &step->joint[joint], l)))
            known = nothingOf(row);
        else if (isLeft && isSpent(step, joint, l, out))
            known = fmin(fmax(own[l], row->lo), row->hi);
        takeKnown(step, joint, l, known, out);
        any = true;
    }
    return any;
}

bool ksiLetStopsGo(const ksiStep *step, const ksiSolver *solver, int index, bool isPosed, const double *multiplier,
                   const double *blow, ksiPhysical *out)
{
    const ksiIsland *island = &step->island[index];
    bool any = false;
    KSI_EACH_JOINT (step, island, i, joint) {
        const int *row = isPosed ? solver->pose.joint[i].row : solver->layout[joint].row;
        if (step->joint[joint].isBounded)
            any |= letGo(step, joint, row, multiplier, blow, out);
    }
    return any;
}

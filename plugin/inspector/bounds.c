/* bounds.c  Which rows lie at a bound in the exact solution of the step's equations.
 *
 * Friction: dWorldStep solves without the rows that depend on a normal force first, and freezes their bounds at mu times
 * what the normal forces are then; dWorldQuickStep lets them follow, so that the bounds are a fixed point
 * |lambda| <= mu lambda_N of the same solution.
 *
 * How redundant contacts share their load in the first stage is up to their compliance s alone, however small: a residual
 * of size w shifts it by w/s. So rows are placed to rounding, and what rounding leaves open of a frozen bound is taken from
 * the engine's friction where that lies at it. The search begins with the engine's own set. */
#include "search.h"

#include <float.h>
#include <math.h>

/* some roundings of a solution, and of the terms of a residual */
static const ksiTolerances strict = {.multiplier = 1e-11, .residual = 16 * DBL_EPSILON};
/* of a fixed point, which is come near to round by round */
static const ksiTolerances loose = {.multiplier = 1e-8, .residual = 1e-8};
/* of a residual that is none but for the compliance of redundant rows, relative to its terms */
static const double weakTolerance = 1e-8;
/* of the rounds of a search: one dense factorisation may take no more */
static const double denseShare = 0.25;
/* of any search; and steps of rest after it */
static const double mostRounds = 1000;
/* of the island's load: beyond it the engine's friction bounds are not to be believed in place of ours */
static const double mostNoise = 1e-4;

static bool hasFriction(const ksiSearch *s)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    return ksiNextFriction(s, at, &bounded);
}

/* Where the engine's multipliers lie within the bounds in force. */
static void startFromReport(const ksiSearch *s)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    while (ksiNextBounded(s, at, &bounded))
        bounded.joint->place[bounded.l] = ksiPlaceInBounds(bounded.joint, bounded.l);
}

/* A row at its bound that would not move if it were free. */
static bool isWeak(const ksiSearch *s, const ksiBoundedRow *bounded)
{
    const ksiJointState *joint = bounded->joint;
    if (joint->place[bounded->l] == KS_INSIDE || joint->low[bounded->l] == joint->high[bounded->l])
        return false;
    double terms, w = ksiRowResidual(s, bounded, &terms);
    return fabs(w) <= weakTolerance * terms;
}

/* Puts the weak rows back that have a multiplier of their own, and counts them. */
static ksStatus bindDeterminate(const ksiSearch *s, int *bound)
{
    int at[2] = {0}, *determinate = s->inspector->flag;
    ksiBoundedRow bounded;
    ksStatus status = ksiBuildSystem(s->inspector, s->index);
    if (!status)
        status = ksiSystemGetDeterminacy(ksiIslandSystem(s->inspector, s->index), determinate, NULL);
    *bound = 0;
    while (!status && ksiNextBounded(s, at, &bounded)) {
        ksRowPlace *before = &bounded.joint->weak[bounded.l];
        if (*before == KS_INSIDE || !determinate[bounded.joint->systemRow[bounded.l]])
            continue;
        bounded.joint->place[bounded.l] = *before;
        *before = KS_INSIDE;
        ++*bound;
    }
    return status;
}

static ksStatus freeWeakRows(const ksiSearch *s)
{
    int at[2] = {0}, freed = 0;
    ksiBoundedRow bounded;
    while (ksiNextBounded(s, at, &bounded)) {
        ksiJointState *joint = bounded.joint;
        bool weak = isWeak(s, &bounded);
        joint->weak[bounded.l] = weak ? joint->place[bounded.l] : KS_INSIDE;
        if (weak)
            joint->place[bounded.l] = KS_INSIDE;
        freed += weak;
    }
    ksStatus status = KS_OK;
    for (int bound = freed; !status && bound > 0;)
        status = bindDeterminate(s, &bound);
    return status;
}

static void everyFriction(const ksiSearch *s, void set(const ksiSearch *, const ksiBoundedRow *))
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    while (ksiNextFriction(s, at, &bounded))
        set(s, &bounded);
}

static void leaveOut(const ksiSearch *s, const ksiBoundedRow *bounded)
{
    (void)s;
    bounded->joint->low[bounded->l] = bounded->joint->high[bounded->l] = 0;
    bounded->joint->place[bounded->l] = KS_AT_LOW;
}

/* How far rounding may have taken the engine's normal force from ours, which needs to know what is determinate: N. */
static double normalNoise(const ksiSearch *s, ksiJointState *joint, int normal)
{
    const double compliance = joint->rows.row[normal].cfm / s->inspector->h;
    double terms;
    if (joint->systemRow[normal] < 0 || s->inspector->flag[joint->systemRow[normal]])
        return 0;
    ksiRowResidual(s, &(ksiBoundedRow){joint, normal, &joint->rows.row[normal]}, &terms);
    return compliance > 0 ? s->tolerances.residual * terms / compliance : INFINITY;
}

static void freeze(const ksiSearch *s, const ksiBoundedRow *bounded)
{
    ksiJointState *joint = bounded->joint;
    const int l = bounded->l, normal = joint->rows.row[l].findex, systemRow = joint->systemRow[normal];
    const double coefficient = fabs(joint->rows.row[l].hi);
    ksiSetFrictionBound(s->inspector, joint, l, systemRow < 0 ? 0 : s->multiplier[systemRow]);
    joint->boundNoise[l] = 0;
    if (coefficient > 0 && !isinf(coefficient))
        joint->boundNoise[l] = coefficient * normalNoise(s, joint, normal);
    s->island->boundNoise = fmax(s->island->boundNoise, joint->boundNoise[l] * joint->rowSize[l]);
}

/* The stage of dWorldStep without friction, and the bounds that follow from it. */
static ksStatus freezeFriction(ksiSearch *s)
{
    s->island->boundNoise = 0;
    everyFriction(s, leaveOut);
    ksStatus status = ksiPivot(s);
    if (!status)
        status = freeWeakRows(s);
    if (!status)
        status = ksiSystemGetDeterminacy(ksiIslandSystem(s->inspector, s->index), s->inspector->flag, NULL);
    if (!status)
        everyFriction(s, freeze);
    return status;
}

static bool adoptBounds(const ksiSearch *s)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    bool adopted = false;
    while (s->island->boundNoise <= mostNoise * s->load && ksiNextBounded(s, at, &bounded)) {
        ksiJointState *joint = bounded.joint;
        const int l = bounded.l;
        const double theirs = fabs(joint->multiplier[l]);
        if (joint->rows.row[l].findex < 0 || joint->place[l] == KS_INSIDE || theirs == joint->high[l] ||
            !(fabs(theirs - joint->high[l]) <= joint->boundNoise[l]))
            continue;
        joint->high[l] = theirs;
        joint->low[l] = -theirs;
        adopted = true;
    }
    return adopted;
}

static ksStatus settle(ksiSearch *s, bool friction)
{
    const bool frozen = friction && !s->frictionFollows;
    startFromReport(s);
    ksStatus status = frozen ? freezeFriction(s) : KS_OK;
    if (status)
        return status;
    startFromReport(s);
    status = ksiPivot(s);
    if (!status && frozen && adoptBounds(s))
        status = ksiPivot(s);
    return status;
}

static void bindWeak(const ksiSearch *s)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    while (ksiNextBounded(s, at, &bounded)) {
        if (bounded.joint->weak[bounded.l] != KS_INSIDE)
            bounded.joint->place[bounded.l] = bounded.joint->weak[bounded.l];
    }
}

/* Where other rows nearly hold a row, a residual that is small beside the island's load stands for a large multiplier: the
 * search is asked again, strictly. Of a share that is not unique such a residual decides nothing. */
static ksStatus placeUnique(ksiSearch *s)
{
    ksiBoundedRow row;
    s->tolerances.residual = strict.residual;
    if (!ksiMostWrong(s, &row))
        return KS_OK;
    ksStatus status = freeWeakRows(s);
    const bool wrong = ksiMostWrong(s, &row);
    bindWeak(s);
    if (status)
        return status;
    return wrong ? ksiPivot(s) : ksiSolvePlaced(s);
}

/* Of the step itself: a query leaves reactions as they are. */
static void publishPlaces(const ksiSearch *s)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    while (!s->inspector->reported && ksiNextBounded(s, at, &bounded)) {
        bounded.row->place = bounded.joint->place[bounded.l];
        bounded.row->bound = ksiBoundInForce(bounded.joint, bounded.l, bounded.row->place);
    }
}

static ksiSearch newSearch(const ksInspector *inspector, int index)
{
    return (ksiSearch){.inspector = (ksInspector *)inspector, .island = &inspector->island[index], .index = index};
}

bool ksiTakeReportedPlaces(ksInspector *inspector, int index, bool ofContacts)
{
    const ksiSearch s = newSearch(inspector, index);
    int at[2] = {0};
    ksiBoundedRow bounded;
    bool changed = false;
    while (ksiNextBounded(&s, at, &bounded)) {
        ksiJointState *joint = bounded.joint;
        const int l = bounded.l;
        const ksRowPlace before = joint->place[l];
        if (joint->type == dJointTypeContact && !ofContacts)
            continue;
        ksiSetReportedBounds(inspector, joint, l);
        joint->place[l] = ksiPlaceInBounds(joint, l);
        changed |= joint->place[l] != before;
    }
    return changed;
}

static ksiRest *restOf(const ksiSearch *s, int i)
{
    return &ksiIslandBody(s->inspector, s->island, i)->rest;
}

/* Are its bodies all those, and no others, of an island whose search has failed? */
static bool isUnchanged(const ksiSearch *s)
{
    const ksiRest *first = restOf(s, 0);
    for (int i = 0; i < s->island->bodyCount; i++) {
        if (restOf(s, i)->unchanged != first->unchanged || restOf(s, i)->bodies != s->island->bodyCount)
            return false;
    }
    return true;
}

/* After a search of this island, or of one not much larger that has fallen apart, has failed. */
static bool rests(const ksiSearch *s)
{
    if (isUnchanged(s) && restOf(s, 0)->unchanged > s->inspector->step)
        return true;
    for (int i = 0; i < s->island->bodyCount; i++) {
        if (restOf(s, i)->until > s->inspector->step && 2 * s->island->rowCount >= restOf(s, i)->rows)
            return true;
    }
    return false;
}

/* For as many steps as the search took rounds, and the same bodies for twice as many after each further failure. */
static void rest(const ksiSearch *s)
{
    const int failures = isUnchanged(s) ? restOf(s, 0)->failures : 0;
    const double once = fmin(s->spent, mostRounds), again = fmin(ldexp(s->spent, failures), mostRounds);
    const unsigned long next = s->inspector->step + 1;
    const ksiRest rest = {.until = next + (unsigned long)once,
                          .unchanged = next + (unsigned long)again,
                          .rows = s->island->rowCount,
                          .bodies = s->island->bodyCount,
                          .failures = failures + 1};
    for (int i = 0; i < s->island->bodyCount; i++)
        *restOf(s, i) = rest;
}

static void forgetFailures(const ksiSearch *s)
{
    for (int i = 0; i < s->island->bodyCount; i++)
        *restOf(s, i) = (ksiRest){0};
}

/* Under dWorldStep, which takes rows^3 itself, there is always a way to the end. */
static void allow(ksiSearch *s)
{
    const double rounds = fmin((double)s->inspector->options.searchRounds, mostRounds), rows = s->island->rowCount;
    s->allowed = s->inspector->stepper == KS_QUICK_STEP ? rounds : rounds + 2 * rows;
    if (s->frictionFollows)
        s->island->denseRows = (int)fmin(s->island->denseRows, cbrt(denseShare * rounds * KSI_ROUND_WORK * rows));
}

static ksStatus search(ksiSearch *s)
{
    const bool friction = hasFriction(s);
    s->frictionFollows = friction && s->inspector->stepper == KS_QUICK_STEP;
    s->tolerances = s->frictionFollows ? loose : strict;
    allow(s);
    s->island->boundGap = 0;
    s->island->boundGain = 1;
    ksStatus status = settle(s, friction);
    if (!status && s->frictionFollows)
        status = placeUnique(s);
    if (!status && s->frictionFollows)
        status = ksiApproach(s);
    if (s->frictionFollows && status == KS_ERROR_UNAVAILABLE) {
        s->spent = s->allowed;  // it would not do for a dense factorisation
        status = KS_ERROR_BOUND;
    }
    if (status == KS_ERROR_BOUND)
        rest(s);
    else if (!status)
        forgetFailures(s);
    return status;
}

ksStatus ksiSettleBounds(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    ksiSearch s = newSearch(inspector, index);
    s.multiplier = multiplier;
    s.acceleration = acceleration;
    s.feasible = inspector->feasible;
    const size_t rows = (size_t)s.island->rowCount;
    s.reported = s.feasible + rows;
    s.image = s.reported + rows;
    s.gap = s.image + rows;
    s.step = s.gap + rows;
    if (!s.island->bounded)
        return ksiSolvePlaced(&s);
    if (rests(&s))
        return KS_ERROR_BOUND;  // places are the report's
    ksStatus status = search(&s);
    if (status)
        ksiTakeReportedPlaces(inspector, index, true);
    publishPlaces(&s);
    return status;
}

ksStatus ksiFreeWeakRows(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    ksiSearch s = newSearch(inspector, index);
    if (!s.island->bounded)
        return KS_OK;
    s.multiplier = multiplier;
    s.acceleration = acceleration;
    s.load = ksiSearchLoad(&s);
    ksStatus status = freeWeakRows(&s);
    if (status)
        ksiTakeReportedPlaces(inspector, index, true);
    publishPlaces(&s);
    return status;
}

ksStatus ksiSettleAndFree(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    ksStatus status = ksiSettleBounds(inspector, index, multiplier, acceleration);
    return status ? status : ksiFreeWeakRows(inspector, index, multiplier, acceleration);
}

/* How far a row inside is beyond its bound, which a share that is not unique may be rightly; and what the error of its normal
 * force makes of a bound that follows it. */
static double boundError(const ksiBoundedRow *bounded, const double *multiplier, const double *bar)
{
    const ksiJointState *joint = bounded->joint;
    const int l = bounded->l, normal = bounded->row->findex < 0 ? -1 : joint->systemRow[bounded->row->findex];
    const double coefficient = fabs(bounded->row->hi), lambda = multiplier[joint->systemRow[l]];
    const bool follows = normal >= 0 && !isinf(coefficient);
    if (joint->place[l] != KS_INSIDE)
        return follows ? coefficient * bar[normal] : 0;
    const double high = follows ? coefficient * fabs(multiplier[normal]) : joint->high[l];
    const double low = follows ? -high : joint->low[l];
    return joint->freeCount > 0 ? 0 : fmax(0, fmax(lambda - high, low - lambda));
}

/* dWorldStep's bounds are frozen, and rows placed to rounding. Errors may all have one direction. */
ksStatus ksiAddBoundErrors(ksInspector *inspector, int index, const double *multiplier, double *bar)
{
    const ksiSearch s = newSearch(inspector, index);
    const double gap = s.island->boundGap;
    int at[2] = {0};
    ksiBoundedRow bounded;
    double force = gap;
    if (!s.island->bounded || inspector->stepper != KS_QUICK_STEP)
        return KS_OK;
    while (ksiNextBounded(&s, at, &bounded))
        force += boundError(&bounded, multiplier, bar) * ksiSize(bounded.joint->scaled[bounded.l], 12);
    if (force == 0)
        return KS_OK;
    const ksStatus status = ksiSystemAddForceError(ksiIslandSystem(inspector, index), s.island->selfStressCount > 0,
                                                   s.island->boundGain * force, bar);
    for (at[0] = at[1] = 0; !status && ksiNextBounded(&s, at, &bounded);) {
        double *own = &bar[bounded.joint->systemRow[bounded.l]];
        *own += boundError(&bounded, multiplier, bar);
        if (bounded.row->findex >= 0 && bounded.joint->place[bounded.l] != KS_INSIDE)
            *own += gap / ksiSize(bounded.joint->scaled[bounded.l], 12);
    }
    return status;
}

bool ksiIslandHasBounds(const ksInspector *inspector, int index, bool frictionOnly)
{
    const ksiSearch s = newSearch(inspector, index);
    return s.island->bounded && (!frictionOnly || hasFriction(&s));
}

bool ksiIslandHasContacts(const ksInspector *inspector, int index)
{
    const ksiIsland *island = &inspector->island[index];
    bool any = false;
    for (int i = 0; i < island->jointCount; i++)
        any |= ksiIslandJoint(inspector, island, i)->type == dJointTypeContact;
    return any;
}

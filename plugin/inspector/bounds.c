/* bounds.c  Which rows lie at a bound in the exact solution of the step's equations.
 *
 * Friction, where contacts are solved: dWorldStep solves without the rows that depend on a normal force first, and freezes
 * their bounds at mu times what the normal forces are then. dWorldQuickStep lets bounds follow the normal forces of the same
 * solution, a fixed point that need not exist or be unique: here they are mu times the normal forces that it reported.
 *
 * How redundant contacts share their load in the first stage is up to their compliance s alone, however small: a residual
 * of size w shifts it by w/s. So rows are placed to rounding, and what rounding leaves open of a frozen bound is taken from
 * the engine's friction where that lies at it. The search begins with the engine's own set. */
#include "search.h"

#include <float.h>
#include <math.h>

/* of a residual that is none but for the compliance of redundant rows, relative to its terms */
static const double weakTolerance = 1e-8;
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
    return compliance > 0 ? KSI_RESIDUAL_ROUNDING * terms / compliance : INFINITY;
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

static ksStatus settle(ksiSearch *s)
{
    const bool frozen = s->inspector->stepper == KS_WORLD_STEP && hasFriction(s);
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

/* All rows that are not plain: physical values may have known ones that no bound would give back. */
bool ksiTakeReportedPlaces(ksInspector *inspector, int index)
{
    const ksiIsland *island = &inspector->island[index];
    bool changed = false;
    for (int i = 0; i < island->jointCount; i++) {
        ksiJointState *joint = ksiIslandJoint(inspector, island, i);
        for (int l = 0; !joint->rows.plain && l < joint->rows.count; l++) {
            const ksRowPlace before = joint->place[l];
            if (joint->rows.row[l].place == KS_INACTIVE)
                continue;
            ksiSetReportedBounds(inspector, joint, l);
            joint->place[l] = ksiPlaceInBounds(joint, l);
            changed |= joint->place[l] != before;
        }
    }
    return changed;
}

ksStatus ksiSettleBounds(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    ksiSearch s = newSearch(inspector, index);
    s.multiplier = multiplier;
    s.acceleration = acceleration;
    s.feasible = inspector->feasible;
    if (!s.island->bounded)
        return ksiSolvePlaced(&s);
    s.allowed = (double)inspector->options.searchRounds + 2.0 * s.island->rowCount;
    ksStatus status = settle(&s);
    if (status)
        ksiTakeReportedPlaces(inspector, index);
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
        ksiTakeReportedPlaces(inspector, index);
    publishPlaces(&s);
    return status;
}

ksStatus ksiSettleAndFree(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    ksStatus status = ksiSettleBounds(inspector, index, multiplier, acceleration);
    return status ? status : ksiFreeWeakRows(inspector, index, multiplier, acceleration);
}

bool ksiIslandHasBounds(const ksInspector *inspector, int index, bool frictionOnly)
{
    const ksiSearch s = newSearch(inspector, index);
    return s.island->bounded && (!frictionOnly || hasFriction(&s));
}

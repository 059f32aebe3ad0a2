/* bounds.c  Which rows lie at a bound in the exact solution of the step's equations.
 *
 * Friction, where contacts are solved: dWorldStep solves without the rows that depend on a normal force first, and freezes
 * their bounds at mu times what the normal forces are then. dWorldQuickStep lets bounds follow the normal forces of the same
 * solution, a fixed point that need not exist or be unique: here they are mu times the normal forces that it reported.
 *
 * How redundant contacts share their load in the first stage is up to their compliance s alone, however small: a residual
 * of size w shifts it by w/s. So rows are placed to rounding, and what rounding leaves open of a frozen bound is taken from
 * the engine's friction where that lies at it. The search begins with the engine's own set. */
#include "../mechanics/active_set.h"
#include "inspector_private.h"

#include <math.h>

/* of the island's load: beyond it the engine's friction bounds are not to be believed in place of ours */
static const double mostNoise = 1e-4;

/* The search for the active set of an island. */
typedef struct Search {
    ksInspector *inspector;
    ksiIsland *island;
    int index;
    ksiActiveSet set;
} Search;

/* A bounded row, once as its joint's, once as the active set's. */
typedef struct Bounded {
    ksiJointState *joint;
    int l;
    ksiBoundedRow *at;
} Bounded;

/* Where a visit to all of them stands; {0} at the start. */
typedef struct Visit {
    int joint, l, count;
} Visit;

static bool next(const Search *s, Visit *visit, Bounded *bounded)
{
    for (; visit->joint < s->island->jointCount; visit->joint++, visit->l = 0) {
        ksiJointState *joint = ksiIslandJoint(s->inspector, s->island, visit->joint);
        while (joint->bounded && visit->l < joint->rows.count) {
            const int l = visit->l++;
            const ksRow *row = &joint->rows.row[l];
            if (row->place == KS_INACTIVE || (row->findex < 0 && row->lo == -INFINITY && row->hi == INFINITY))
                continue;
            *bounded = (Bounded){joint, l, &s->inspector->boundedRow[visit->count++]};
            return true;
        }
    }
    return false;
}

/* ... those whose bounds depend on a normal force */
static bool nextFriction(const Search *s, Visit *visit, Bounded *bounded)
{
    while (next(s, visit, bounded)) {
        if (bounded->joint->rows.row[bounded->l].findex >= 0)
            return true;
    }
    return false;
}

static bool hasFriction(const Search *s)
{
    Visit visit = {0};
    Bounded bounded;
    return nextFriction(s, &visit, &bounded);
}

/* beta = (c - J v)/h */
static double termsOf(const ksInspector *inspector, const ksiJointState *joint, int l)
{
    const ksRow *row = &joint->rows.row[l];
    double terms = fabs(row->c);
    for (int side = 0; side < 2; side++)
        for (int k = 0; joint->bodyIndex[side] >= 0 && k < 6; k++)
            terms += fabs(row->jacobian[side][k] * inspector->body[joint->bodyIndex[side]].begin.velocity[k]);
    return terms / inspector->h;
}

static ksiBoundedRow boundedRow(const Search *s, const ksiJointState *joint, int l)
{
    return (ksiBoundedRow){.row = joint->systemRow[l],
                           .low = joint->low[l],
                           .high = joint->high[l],
                           .place = joint->place[l],
                           .terms = termsOf(s->inspector, joint, l)};
}

static Search begin(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    Search s = {.inspector = inspector, .island = &inspector->island[index], .index = index};
    s.set = (ksiActiveSet){.system = ksiIslandSystem(inspector, index),
                           .bounded = inspector->boundedRow,
                           .multiplier = multiplier,
                           .acceleration = acceleration,
                           .allowed = (double)inspector->options.searchRounds + 2.0 * s.island->rowCount};
    Visit visit = {0};
    for (Bounded bounded; next(&s, &visit, &bounded); s.set.count++)
        *bounded.at = boundedRow(&s, bounded.joint, bounded.l);
    for (int i = 0; i < s.island->bodyCount; i++)
        s.set.outerLoad = fmax(s.set.outerLoad, ksiHeaviest(ksiIslandBody(inspector, s.island, i)));
    return s;
}

/* Of the step itself: a query leaves reactions as they are. */
static void publishPlaces(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; !s->inspector->reported && next(s, &visit, &bounded);) {
        ksRow *row = &bounded.joint->rows.row[bounded.l];
        row->place = bounded.joint->place[bounded.l];
        row->bound = ksiBoundInForce(bounded.joint, bounded.l, row->place);
    }
}

/* The joints get what was found; or what was reported, where nothing was. */
static ksStatus end(const Search *s, ksStatus status)
{
    Visit visit = {0};
    for (Bounded bounded; next(s, &visit, &bounded);) {
        bounded.joint->place[bounded.l] = bounded.at->place;
        bounded.joint->weak[bounded.l] = bounded.at->degenerate;
        bounded.joint->low[bounded.l] = bounded.at->low;
        bounded.joint->high[bounded.l] = bounded.at->high;
    }
    if (status)
        ksiTakeReportedPlaces(s->inspector, s->index);
    publishPlaces(s);
    return status;
}

/* Where the engine's multipliers lie within the bounds in force. */
static void startFromReport(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; next(s, &visit, &bounded);) {
        ksiBoundedRow *at = bounded.at;
        at->place = ksiPlaceBetween(bounded.joint, bounded.l, at->low, at->high);
        at->feasible = bounded.joint->multiplier[bounded.l];
    }
}

static void leaveOut(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; nextFriction(s, &visit, &bounded);) {
        bounded.at->low = bounded.at->high = 0;
        bounded.at->place = KS_AT_LOW;
    }
}

/* How far rounding may have taken the engine's normal force from ours, which needs to know what is determinate: N. */
static double normalNoise(const Search *s, const ksiJointState *joint, int normal)
{
    const double compliance = joint->rows.row[normal].cfm / s->inspector->h;
    double terms;
    if (joint->systemRow[normal] < 0 || s->inspector->flag[joint->systemRow[normal]])
        return 0;
    const ksiBoundedRow row = boundedRow(s, joint, normal);
    ksiActiveSetResidual(&s->set, &row, &terms);
    return compliance > 0 ? KSI_RESIDUAL_ROUNDING * terms / compliance : INFINITY;
}

static void freeze(const Search *s)
{
    Visit visit = {0};
    for (Bounded bounded; nextFriction(s, &visit, &bounded);) {
        ksiJointState *joint = bounded.joint;
        const int l = bounded.l, normal = joint->rows.row[l].findex, systemRow = joint->systemRow[normal];
        const double coefficient = fabs(joint->rows.row[l].hi);
        ksiSetFrictionBound(s->inspector, joint, l, systemRow < 0 ? 0 : s->set.multiplier[systemRow]);
        bounded.at->low = joint->low[l];
        bounded.at->high = joint->high[l];
        joint->boundNoise[l] = 0;
        if (coefficient > 0 && !isinf(coefficient))
            joint->boundNoise[l] = coefficient * normalNoise(s, joint, normal);
        s->island->boundNoise = fmax(s->island->boundNoise, joint->boundNoise[l] * joint->rowSize[l]);
    }
}

/* The stage of dWorldStep without friction, and the bounds that follow from it. */
static ksStatus freezeFriction(Search *s)
{
    s->island->boundNoise = 0;
    leaveOut(s);
    ksStatus status = ksiActiveSetSearch(&s->set);
    if (!status)
        status = ksiActiveSetFreeDegenerate(&s->set, s->inspector->flag);
    if (!status)
        status = ksiSystemGetDeterminacy(s->set.system, s->inspector->flag, NULL);
    if (!status)
        freeze(s);
    return status;
}

static bool adoptBounds(const Search *s)
{
    Visit visit = {0};
    Bounded bounded;
    bool adopted = false;
    while (s->island->boundNoise <= mostNoise * s->set.load && next(s, &visit, &bounded)) {
        const ksiJointState *joint = bounded.joint;
        ksiBoundedRow *at = bounded.at;
        const int l = bounded.l;
        const double theirs = fabs(joint->multiplier[l]);
        if (joint->rows.row[l].findex < 0 || at->place == KS_INSIDE || theirs == at->high ||
            !(fabs(theirs - at->high) <= joint->boundNoise[l]))
            continue;
        at->high = theirs;
        at->low = -theirs;
        adopted = true;
    }
    return adopted;
}

static ksStatus settle(Search *s)
{
    const bool frozen = s->inspector->stepper == KS_WORLD_STEP && hasFriction(s);
    startFromReport(s);
    ksStatus status = frozen ? freezeFriction(s) : KS_OK;
    if (status)
        return status;
    startFromReport(s);
    status = ksiActiveSetSearch(&s->set);
    if (!status && frozen && adoptBounds(s))
        status = ksiActiveSetSearch(&s->set);
    return status;
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
    ksStatus status = ksiBuildSystem(inspector, index);
    if (status)
        return status;
    if (!inspector->island[index].bounded)
        return ksiSystemSolveGauss(ksiIslandSystem(inspector, index), multiplier, acceleration);
    Search s = begin(inspector, index, multiplier, acceleration);
    return end(&s, settle(&s));
}

ksStatus ksiFreeWeakRows(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    if (!inspector->island[index].bounded)
        return KS_OK;
    Search s = begin(inspector, index, multiplier, acceleration);
    return end(&s, ksiActiveSetFreeDegenerate(&s.set, inspector->flag));
}

ksStatus ksiSettleAndFree(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    ksStatus status = ksiSettleBounds(inspector, index, multiplier, acceleration);
    return status ? status : ksiFreeWeakRows(inspector, index, multiplier, acceleration);
}

bool ksiIslandHasBounds(const ksInspector *inspector, int index, bool frictionOnly)
{
    const Search s = {.inspector = (ksInspector *)inspector, .island = &inspector->island[index], .index = index};
    return s.island->bounded && (!frictionOnly || hasFriction(&s));
}

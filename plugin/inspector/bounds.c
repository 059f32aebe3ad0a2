/* bounds.c  Which rows lie at a bound in the exact solution of the step's equations.
 *
 *     w = J a + s lambda - beta:     w = 0 where low < lambda < high,   w >= 0 at low,   w <= 0 at high
 *
 * The search begins with the engine's own set and exchanges all rows that fail (block principal pivoting, Judice and
 * Pires 1994); where their number does not fall it exchanges one at a time, which ends for a positive definite A + S
 * (Murty 1974). Friction: dWorldStep solves without the rows that depend on a normal force first, and freezes their bounds
 * at mu times what the normal forces are then; dWorldQuickStep lets them follow, so that the bounds are a fixed point
 * |lambda| <= mu lambda_N of the same solution. */
#include "inspector_private.h"

#include <limits.h>
#include <math.h>

/* of a multiplier beyond its bound and of a residual on the wrong side, relative to the island's load: two digits above
 * what the two solutions leave where compliance is all that holds redundant contacts apart */
static const double complementarityTolerance = 1e-8;

enum {
    mostRounds = 50, /* of pivoting, and of the friction's fixed point; more by two a row where bounds are frozen */
    patience = 8     /* rounds without fewer failures before one row at a time is exchanged */
};

/* One search. */
typedef struct Search {
    ksInspector *inspector;
    const ksiIsland *island;
    int index;
    bool frictionFollows; /* bounds are mu times the normal force of this solution */
    double load;
    double *multiplier, *acceleration;
} Search;

typedef struct RowPlace {
    ksiJointState *joint;
    int l;
    ksRow *row;
} RowPlace;

/* Visits the bounded rows of an island in turn; *at is the state. */
static bool nextBounded(const Search *s, int at[2], RowPlace *place)
{
    for (; at[0] < s->island->jointCount; at[0]++, at[1] = 0) {
        ksiJointState *joint = &s->inspector->joint[s->inspector->islandJoint[s->island->firstJoint + at[0]]];
        while (at[1] < joint->rows.count) {
            int l = at[1]++;
            ksRow *row = &s->inspector->row[joint->firstRow + (size_t)l];
            if (row->place == KS_INACTIVE || (row->findex < 0 && row->lo == -INFINITY && row->hi == INFINITY))
                continue;
            *place = (RowPlace){joint, l, row};
            return true;
        }
    }
    return false;
}

static bool hasBoundedRows(const Search *s)
{
    int at[2] = {0};
    RowPlace place;
    return nextBounded(s, at, &place);
}

static double islandLoad(const Search *s)
{
    double load = 0;
    for (int i = 0; i < s->island->jointCount; i++) {
        const ksiJointState *joint = &s->inspector->joint[s->inspector->islandJoint[s->island->firstJoint + i]];
        for (int l = 0; l < joint->rows.count; l++) {
            if (joint->systemRow[l] >= 0)
                load = fmax(load, fabs(s->multiplier[joint->systemRow[l]]) * ksiSize(joint->scaled[l], 12));
        }
    }
    for (int i = 0; i < s->island->bodyCount; i++)
        load = fmax(load, s->inspector->body[s->inspector->islandBody[s->island->firstBody + i]].applied);
    return load;
}

static ksStatus solve(Search *s)
{
    ksStatus status = ksiBuildSystem(s->inspector, s->index);
    if (!status)
        status = ksSystemSolveGauss(s->inspector->system[s->index], s->multiplier, s->acceleration);
    s->load = status ? 0 : islandLoad(s);
    return status;
}

/* w, and the magnitude that its rounding comes from */
static double rowResidual(const Search *s, const RowPlace *place, double *magnitude)
{
    const ksiJointState *joint = place->joint;
    const double h = s->inspector->h;
    double w = (joint->rows.cfm[place->l] * s->multiplier[joint->systemRow[place->l]] - joint->rows.c[place->l]) / h;
    *magnitude = fabs(w);
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &s->inspector->body[joint->bodyIndex[side]];
        for (int k = 0; k < 6; k++) {
            double a = body->dynamic ? s->acceleration[6 * body->block + k] : 0;
            double term = joint->rows.jacobian[place->l][side][k] * (body->begin.velocity[k] / h + a);
            w += term;
            *magnitude += fabs(term);
        }
    }
    return w;
}

static double residualSlack(const Search *s, const RowPlace *place, double magnitude)
{
    return complementarityTolerance * (magnitude + s->load * ksiSize(place->joint->scaled[place->l], 12));
}

/* Where the row should be, seen from this solution. */
static ksRowPlace wantedPlace(const Search *s, const RowPlace *place)
{
    const ksiJointState *joint = place->joint;
    const double low = joint->low[place->l], high = joint->high[place->l];
    const double size = ksiSize(joint->scaled[place->l], 12);
    if (low == high)
        return KS_AT_LOW;
    // a bound that followed its normal force away
    if (isinf(place->joint->place[place->l] == KS_AT_LOW    ? low
              : place->joint->place[place->l] == KS_AT_HIGH ? high
                                                            : 0))
        return KS_INSIDE;
    if (place->joint->place[place->l] == KS_INSIDE) {
        double lambda = s->multiplier[joint->systemRow[place->l]], slack = complementarityTolerance * s->load / size;
        return lambda < low - slack ? KS_AT_LOW : lambda > high + slack ? KS_AT_HIGH : KS_INSIDE;
    }
    double magnitude, w = rowResidual(s, place, &magnitude), slack = residualSlack(s, place, magnitude);
    bool wrong = place->joint->place[place->l] == KS_AT_LOW ? w < -slack : w > slack;
    return wrong ? KS_INSIDE : place->joint->place[place->l];
}

/* Bounds that follow the normal force of this solution; true where one has moved. */
static bool followNormals(const Search *s)
{
    int at[2] = {0};
    RowPlace place;
    bool moved = false;
    while (s->frictionFollows && nextBounded(s, at, &place)) {
        ksiJointState *joint = place.joint;
        int normal = joint->rows.findex[place.l];
        if (normal < 0)
            continue;
        double before = joint->high[place.l], size = ksiSize(joint->scaled[place.l], 12);
        int systemRow = joint->systemRow[normal];
        ksiSetFrictionBound(s->inspector, joint, place.l, systemRow < 0 ? 0 : s->multiplier[systemRow]);
        moved |= place.joint->place[place.l] != KS_INSIDE &&
                 fabs(joint->high[place.l] - before) * size > complementarityTolerance * s->load;
    }
    return moved;
}

/* Exchanges the rows that fail, or the last of them; returns their number. */
static int exchange(const Search *s, bool single)
{
    int at[2] = {0}, failures = 0;
    RowPlace place, last = {0};
    ksRowPlace lastWanted = KS_INSIDE;
    while (nextBounded(s, at, &place)) {
        ksRowPlace wanted = wantedPlace(s, &place);
        if (wanted == place.joint->place[place.l])
            continue;
        failures++;
        if (!single)
            place.joint->place[place.l] = wanted;
        last = place;
        lastWanted = wanted;
    }
    if (single && failures)
        last.joint->place[last.l] = lastWanted;
    return failures;
}

/* A row at its bound that would not move if it were free. */
static bool isWeak(const Search *s, const RowPlace *place)
{
    if (place->joint->place[place->l] == KS_INSIDE || place->joint->low[place->l] == place->joint->high[place->l])
        return false;
    double magnitude, w = rowResidual(s, place, &magnitude);
    return fabs(w) <= residualSlack(s, place, magnitude);
}

/* Puts the weak rows back that have a multiplier of their own, and counts them. */
static ksStatus bindDeterminate(const Search *s, int *bound)
{
    int at[2] = {0}, *determinate = s->inspector->flag;
    RowPlace place;
    ksStatus status = ksiBuildSystem(s->inspector, s->index);
    if (!status)
        status = ksSystemGetDeterminacy(s->inspector->system[s->index], determinate, NULL);
    *bound = 0;
    while (!status && nextBounded(s, at, &place)) {
        ksRowPlace *before = &place.joint->weak[place.l];
        if (*before == KS_INSIDE || !determinate[place.joint->systemRow[place.l]])
            continue;
        place.joint->place[place.l] = *before;
        *before = KS_INSIDE;
        ++*bound;
    }
    return status;
}

/* With redundant contacts the split of their forces is not determined, and the engine's solution may have a weak row on
 * either side of its bound: those that take part in such a split count as inside. */
static ksStatus freeWeakRows(Search *s)
{
    int at[2] = {0}, freed = 0;
    RowPlace place;
    while (nextBounded(s, at, &place)) {
        bool weak = isWeak(s, &place);
        place.joint->weak[place.l] = weak ? place.joint->place[place.l] : KS_INSIDE;
        if (weak)
            place.joint->place[place.l] = KS_INSIDE;
        freed += weak;
    }
    if (!freed)
        return KS_OK;
    ksStatus status = KS_OK;
    for (int bound = 1; !status && bound > 0;)
        status = bindDeterminate(s, &bound);
    return status ? status : solve(s);
}

/* KS_ERROR_BOUND where the work is used up. */
static ksStatus pivot(Search *s)
{
    int least = INT_MAX, waited = 0;
    int most = s->frictionFollows ? mostRounds : mostRounds + 2 * s->island->rowCount;
    for (int round = 0; round < most; round++) {
        ksStatus status = solve(s);
        if (status)
            return status;
        bool moved = followNormals(s);
        int failures = exchange(s, waited > patience);
        if (!failures && !moved)
            return KS_OK;
        waited = failures < least ? 0 : waited + 1;
        least = failures < least ? failures : least;
    }
    return KS_ERROR_BOUND;
}

static void everyFriction(const Search *s, void set(const Search *, RowPlace *))
{
    int at[2] = {0};
    RowPlace place;
    while (nextBounded(s, at, &place)) {
        if (place.joint->rows.findex[place.l] >= 0)
            set(s, &place);
    }
}

static void leaveOut(const Search *s, RowPlace *place)
{
    (void)s;
    place->joint->low[place->l] = place->joint->high[place->l] = 0;
    place->joint->place[place->l] = KS_AT_LOW;
}

static void freeze(const Search *s, RowPlace *place)
{
    ksiJointState *joint = place->joint;
    int normal = joint->systemRow[joint->rows.findex[place->l]];
    ksiSetFrictionBound(s->inspector, joint, place->l, normal < 0 ? 0 : s->multiplier[normal]);
    place->joint->place[place->l] = ksiPlaceInBounds(joint, place->l);
}

/* The search for the first stage has led elsewhere: back to the engine's own set. */
static void startFromReport(const Search *s)
{
    int at[2] = {0};
    RowPlace place;
    while (nextBounded(s, at, &place)) {
        if (place.joint->rows.findex[place.l] < 0)
            place.joint->place[place.l] = place.joint->reported[place.l];
    }
}

static bool hasFriction(const Search *s)
{
    int at[2] = {0};
    RowPlace place;
    while (nextBounded(s, at, &place)) {
        if (place.joint->rows.findex[place.l] >= 0)
            return true;
    }
    return false;
}

static void publishPlaces(const Search *s)
{
    int at[2] = {0};
    RowPlace place;
    while (nextBounded(s, at, &place)) {
        place.row->place = place.joint->place[place.l];
        place.row->bound = ksiBoundInForce(place.joint, place.l, place.row->place);
    }
}

bool ksiTakeReportedPlaces(ksInspector *inspector, int index, bool ofContacts)
{
    Search s = {.inspector = inspector, .island = &inspector->island[index], .index = index};
    int at[2] = {0};
    RowPlace place;
    bool changed = false;
    while (nextBounded(&s, at, &place)) {
        ksRowPlace before = place.joint->place[place.l];
        if (place.joint->type == dJointTypeContact && !ofContacts)
            continue;
        int normal = place.joint->rows.findex[place.l];
        if (normal >= 0)
            ksiSetFrictionBound(inspector, place.joint, place.l, place.joint->multiplier[normal]);
        place.joint->place[place.l] = ksiPlaceInBounds(place.joint, place.l);
        changed |= place.joint->place[place.l] != before;
    }
    return changed;
}

ksStatus ksiSettleBounds(ksInspector *inspector, int index, double *multiplier, double *acceleration)
{
    Search s = {.inspector = inspector,
                .island = &inspector->island[index],
                .index = index,
                .multiplier = multiplier,
                .acceleration = acceleration};
    if (!hasBoundedRows(&s))
        return solve(&s);
    bool friction = hasFriction(&s);
    s.frictionFollows = friction && inspector->stepper == KS_QUICK_STEP;
    ksStatus status = KS_OK;
    if (friction && inspector->stepper == KS_WORLD_STEP) {
        everyFriction(&s, leaveOut);
        status = pivot(&s);
        if (!status) {
            everyFriction(&s, freeze);
            startFromReport(&s);
        }
    }
    if (!status)
        status = pivot(&s);
    if (!status)
        status = freeWeakRows(&s);
    if (status)
        ksiTakeReportedPlaces(inspector, index, true);
    publishPlaces(&s);
    return status;
}

bool ksiIslandHasBounds(const ksInspector *inspector, int index, bool frictionOnly)
{
    Search s = {.inspector = (ksInspector *)inspector, .island = &inspector->island[index], .index = index};
    return frictionOnly ? hasFriction(&s) : hasBoundedRows(&s);
}

bool ksiIslandHasContacts(const ksInspector *inspector, int index)
{
    const ksiIsland *island = &inspector->island[index];
    bool any = false;
    for (int i = 0; i < island->jointCount; i++)
        any |= inspector->joint[inspector->islandJoint[island->firstJoint + i]].type == dJointTypeContact;
    return any;
}

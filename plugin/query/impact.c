/* impact.c  Finds what blows on bodies of the world do: impulses in joints, and jumps of velocity
 * (Lamb 1911, §1).
 *
 * The blows have the impulses `P`, and the rows the impulses `L`. The velocity jumps from v- to v+,
 * by u = v+ - v-:
 *
 *     M u = P + J^T L
 *     J u = 0                                  rows without bounds
 *     J u + cfm/h L = 0                        springs
 *     0 <= L  _|_  J u + max(J v-, 0) >= 0     stops, whose J v is the rate at which they open
 *
 * A blow is solved in a separate system, so that the system of the step keeps its rows and its
 * factors. */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/publish/wrench_norm.h"
#include "../inspector/read/body_motion.h"

#include <math.h>
#include <string.h>

/* The sign of smaller values is rounding. Rates are relative to the row's largest possible rate,
 * impulses to the largest impulse. */
static const double signTolerance = 1e-9;

/* A generous bound of the relative rounding error that orthogonal factors cause in motions and
 * impulses: a chain of a thousand links has 2e-14. */
static const double rounding = 1e-12;

/* Largest uncertainty of an answer, relative to the blow. */
static const double mostOpen = 0.5;

/* Rounding of a sum of two velocities, in machine epsilons. */
static const double velocityUnits = 2;

/* The impulses that a row can have. */
typedef enum Kind { NOTHING, ANY, PUSH, PULL } Kind;

/* A blow on a mechanism. */
typedef struct Strike {
    const ksiStep *step;
    ksiImpactRoom *room;
    const ksiIsland *island;
    size_t rows, coordinates;
    double *impulse, *change; /* [coordinates] P, u */
    double *multiplier, *bar; /* [rows] of all rows, stops included */
    double *kept;             /* [rows] the last multipliers without a stop that pulls */
    int *held, *unique;       /* [rows] held: 1 if this stop takes part; unique: 1 if the multiplier
                                 of this row is unique */
    int *first;               /* [joints] first row of each joint; all rows count, also empty rows
                                 and rows without an impulse */
    int *was;                 /* [rows] copy of held, from which held is restored */
    double struck, open;      /* struck: |P| in the mass metric; open: its uncertain part */
    /* state of the search */
    int stop;
    bool touching;
    double way, most, largest;
} Strike;

static Kind kindOf(const ksiStep *step, int joint, int l)
{
    const ksiRow *row = &step->joint[joint].rows.row[l];
    const bool isEmpty = ksiSize(step->joint[joint].scaled[l], 12) == 0;
    if (isEmpty || row->findex >= 0)
        return NOTHING;
    if (!ksiRowHasBounds(row))
        return ANY;
    // the force of a motor is finite, so the motor gives no impulse
    const bool isLow = row->lo != -INFINITY, isHigh = row->hi != INFINITY;
    return isLow && isHigh ? NOTHING : isLow ? PUSH : PULL;
}

/* The rate at which a stop opens before the blow; 0 if it closes. */
static double openingOf(const ksiStep *step, int joint, int l, Kind kind)
{
    const double rate = step->joint[joint].rate[l];
    return kind == PUSH ? ksiLarger(rate, 0) : kind == PULL ? ksiSmaller(rate, 0) : 0;
}

/* place: index of the joint in its island. */
static void addRows(const Strike *s, int place)
{
    const int index = ksiIslandJoint(s->step, s->island, place);
    const ksiJointInput *joint = &s->step->joint[index];
    ksiJointTerms terms = {.count = 0};
    double length[KSI_JOINT_ROWS];
    int block[2];
    ksiBlocksOf(s->step, index, block);
    for (int l = 0; l < joint->rows.count; l++) {
        const Kind kind = kindOf(s->step, index, l);
        const int at = terms.count++;
        terms.scaled[at] = joint->scaled[l];
        terms.beta[at] = -openingOf(s->step, index, l, kind);
        const double cfm = joint->rows.row[l].cfm;
        terms.compliance[at] = cfm > s->step->options.rigidCfm ? cfm / s->step->h : 0;
        terms.isKnown[at] = kind == NOTHING || (kind != ANY && !s->held[s->first[place] + l]);
        terms.knownCount += terms.isKnown[at];
    }
    ksiSystemAddJoint(s->room->system, block, &terms, length);
}

/* Fills the system with all rows; a stop that is not held has the known impulse 0. */
static ksStatus fill(const Strike *s)
{
    static const double rest[6];
    ksSystem *system = s->room->system;
    KSI_TRY(ksiBeginSystem(s->step, s->island, (int)s->rows, system));
    for (int i = 0; i < s->island->bodyCount; i++) {
        const int body = ksiIslandBody(s->step, s->island, i);
        ksiSystemAddBody(system, &s->step->body[body].begin.root, s->impulse + 6 * i, rest);
    }
    for (int i = 0; i < s->island->jointCount; i++)
        addRows(s, i);
    return KS_OK;
}

static ksStatus solve(const Strike *s)
{
    KSI_TRY(fill(s));
    return ksiSystemSolveLeastNorm(s->room->system, s->multiplier, s->change);
}

/* J u */
static double rateOf(const Strike *s, int index, int l)
{
    const ksiRow *row = &s->step->joint[index].rows.row[l];
    int block[2];
    double rate = 0;
    ksiBlocksOf(s->step, index, block);
    for (int side = 0; side < 2; side++)
        for (int k = 0; block[side] >= 0 && k < 6; k++)
            rate += row->jacobian[side][k] * s->change[6 * block[side] + k];
    return rate;
}

typedef void Visit(Strike *s, int place, int l, Kind kind);

static void eachStop(Strike *s, Visit *visit)
{
    KSI_EACH_ROW (s->step, s->island, i, index, l) {
        const Kind kind = kindOf(s->step, index, l);
        if (kind == PUSH || kind == PULL)
            visit(s, i, l, kind);
    }
}

/* The rate at which the blow moves past a stop that is not held, relative to the largest possible
 * rate; negative: the stop opens. */
static double passedBy(const Strike *s, int place, int l, Kind kind)
{
    const int index = ksiIslandJoint(s->step, s->island, place);
    const double opening = openingOf(s->step, index, l, kind), rate = rateOf(s, index, l) + opening;
    const double most = fabs(opening) + ksiSize(s->step->joint[index].scaled[l], 12) * s->struck;
    return most > 0 ? (kind == PUSH ? -rate : rate) / most : 0;
}

static void takePassed(Strike *s, int place, int l, Kind kind)
{
    const double by = s->held[s->first[place] + l] ? 0 : passedBy(s, place, l, kind);
    if (by > s->most) {
        s->most = by;
        s->stop = s->first[place] + l;
    }
}

/* Shortens the way from `kept` to `multiplier` so that no stop pulls. */
static void shortenWay(Strike *s, int place, int l, Kind kind)
{
    const int row = s->first[place] + l;
    const double sign = kind == PUSH ? 1 : -1, from = sign * s->kept[row], to = sign * s->multiplier[row];
    if (s->held[row] && to < -signTolerance * s->largest && from / (from - to) < s->way) {
        s->way = from / (from - to);
        s->stop = row;
    }
}

/* Repeatedly adds a stop that the blow would pass, then removes the stops that would pull, in the
 * order of Lawson and Hanson. The search ends even if rows depend on each other, since each
 * solution is nearer to the right one than the solution before. */
static ksStatus findStops(Strike *s)
{
    enum { ROUNDS = 4 };
    memset(s->kept, 0, s->rows * sizeof *s->kept);
    for (size_t round = 0; round <= ROUNDS * s->rows; round++) {
        KSI_TRY(solve(s));
        s->largest = 0;
        for (size_t l = 0; l < s->rows; l++)
            s->largest = ksiLarger(s->largest, fabs(s->multiplier[l]));
        s->way = 1;
        s->stop = -1;
        eachStop(s, shortenWay);
        for (size_t l = 0; l < s->rows; l++)
            s->kept[l] += s->way * (s->multiplier[l] - s->kept[l]);
        if (s->stop >= 0) {
            s->held[s->stop] = 0;
            s->kept[s->stop] = 0;
            continue;
        }
        s->most = signTolerance;
        eachStop(s, takePassed);
        if (s->stop < 0)
            return KS_OK;
        s->held[s->stop] = 1;
    }
    return KSI_EXPLAIN(KS_ERROR_BOUND, "the search for the stops that hold did not converge");
}

static void holdTouching(Strike *s, int place, int l, Kind kind)
{
    const int row = s->first[place] + l;
    if (!s->held[row] && passedBy(s, place, l, kind) > -signTolerance) {
        s->held[row] = 1;
        s->touching = true;
    }
}

/* Finds the unique multipliers. A stop that is not held, but stays closed in the blow, may share
 * the impulses of other stops. */
static ksStatus findUnique(Strike *s)
{
    ksStatus status = ksiSystemGetDeterminacy(s->room->system, s->unique, NULL);
    s->touching = false;
    memcpy(s->was, s->held, s->rows * sizeof *s->was);
    eachStop(s, holdTouching);
    if (status || !s->touching)
        return status;
    status = fill(s);
    if (!status)
        status = ksiSystemGetDeterminacy(s->room->system, s->unique, NULL);
    memcpy(s->held, s->was, s->rows * sizeof *s->was);
    return status ? status : solve(s);
}

/* --- Preconditions --- */

static ksStatus checkMechanism(const Strike *s, int index)
{
    if (s->island->obstacles)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "a row or a body of the mechanism is invalid: %s",
                           ksReasonName(s->island->obstacles & ~(s->island->obstacles - 1)));
    if (ksiIsOverBudget(s->step, index))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the mechanism has %d rows: see options.islandRowBudget",
                           s->island->rowCount);
    for (int i = 0; i < s->island->jointCount; i++) {
        const ksiRows *rows = &s->step->joint[ksiIslandJoint(s->step, s->island, i)].rows;
        for (int l = 0; l < rows->count; l++)
            if (rows->row[l].kind == KS_ROW_FRICTION || rows->row[l].kind == KS_ROW_ROLLING)
                return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE,
                                   "the mechanism has a contact with friction, which an impact does not solve");
    }
    // the drift of a loop is computed with its physical values
    if (!s->island->isTree && !s->step->physical[ksiIslandJoint(s->step, s->island, 0)].isKnown)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE,
                           "without physical values it is not known how far the joints of a loop have drifted");
    return KS_OK;
}

/* In the present pose of a drifted loop, more singular values may be below the rank tolerance than
 * in the fitted pose: then there is no answer. If fewer are below it, the bars exceed the blow. */
static ksStatus checkRank(const Strike *s, int index)
{
    int stresses;
    if (!s->step->islandPhysical[index].isDrifted)
        return KS_OK;
    const ksStatus status = ksiSystemCountSelfStresses(s->room->system, &stresses);
    if (status || stresses <= ksiIslandFreeOf(s->step, (size_t)index)->selfStressCount)
        return status;
    return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the joints of a loop with self-stresses have drifted apart");
}

/* --- The answer --- */

/* Drift rotates each row in proportion to its length, and the permitted motions by |B^+| times as
 * much: |B^+|^2 <= sum over unit rows of |w_l|^2. */
static ksStatus findBars(Strike *s, int index)
{
    const ksiIslandPhysical *physical = &s->step->islandPhysical[index];
    // contacts have no fitted pose
    const double drift = physical->isDrifted || physical->drift > 0 ? physical->drift : 0;
    ksSystem *system = s->room->system;
    double square = 0;
    ksStatus status = ksiSystemErrorBars(system, KSI_STRESS_PROJECTED, s->multiplier, s->multiplier, s->bar);
    memset(s->kept, 0, s->rows * sizeof *s->kept);
    if (!status)
        status = ksiSystemAddForceError(system, 1, s->kept);
    for (int i = 0; !status && i < s->island->jointCount; i++) {
        const ksiJointInput *joint = &s->step->joint[ksiIslandJoint(s->step, s->island, i)];
        for (int l = 0; l < joint->rows.count; l++) {
            const double size = s->kept[s->first[i] + l] * ksiSize(joint->scaled[l], 12);
            square += size * size;
        }
    }
    s->open = s->struck * (rounding + (s->island->isTree ? 0 : drift * (1 + sqrt(square))));
    if (!status && !(s->open <= mostOpen * s->struck))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the joints of a loop have drifted too far apart");
    return status ? status : ksiSystemAddForceError(system, s->open, s->bar);
}

static void answerJoint(const Strike *s, int place, ksJointImpact *out)
{
    const int index = ksiIslandJoint(s->step, s->island, place);
    const ksiJointInput *joint = &s->step->joint[index];
    const bool isAlways = ksiIsAlwaysUnique(s->step, index);
    *out = (ksJointImpact){.joint = joint->id, .isUnique = 1};
    ksiReactionWrenches(joint, s->multiplier + s->first[place], out->impulse);
    for (int l = 0; l < joint->rows.count; l++) {
        const int row = s->first[place] + l;
        const bool isUnique = isAlways || s->unique[row];
        out->leftOut += kindOf(s->step, index, l) == NOTHING && ksiSize(joint->scaled[l], 12) > 0;
        out->isUnique &= isUnique;
        for (int part = 0; isUnique && part < 2; part++)
            out->bar[part] += s->bar[row] * ksiSize(joint->rows.row[l].jacobian[0] + 3 * part, 3);
    }
}

/* Fills the answer of a body, and adds its energies to the impact's. */
static void answerBody(const Strike *s, int body, int block, ksBodyImpact *out, ksImpact *impact)
{
    const ksiBody *begin = &s->step->body[body].begin;
    const double *impulse = s->impulse + 6 * block, *change = s->change + 6 * block;
    // the trace of I^-1, no less than its largest eigenvalue
    const double slender = begin->inverse[0] + begin->inverse[4] + begin->inverse[8];
    *out = (ksBodyImpact){.body = begin->id, .bar = {s->open * begin->root.massInverse, s->open * sqrt(slender)}};
    for (int part = 0; part < 2; part++)
        out->bar[part] += velocityUnits * ksiEpsilon(begin->isSingle) * ksiSize(begin->velocity + 3 * part, 3);
    for (int k = 0; k < 6; k++) {
        out->before[k] = begin->velocity[k];
        out->after[k] = begin->velocity[k] + change[k];
        impact->given += 0.5 * impulse[k] * (out->before[k] + out->after[k]);
    }
    impact->before += ksiKinetic(begin, out->before);
    impact->after += ksiKinetic(begin, out->after);
}

static ksStatus finish(const Strike *s, ksImpact *impact)
{
    impact->lost = impact->before + impact->given - impact->after;
    impact->joint = impact->jointCount ? s->room->joint : NULL;
    impact->body = s->room->body;
    double sum = impact->lost;
    for (size_t i = 0; i < impact->jointCount; i++)
        sum += impact->joint[i].bar[0] + impact->joint[i].bar[1];
    for (size_t i = 0; i < impact->bodyCount; i++)
        sum += impact->body[i].bar[0] + impact->body[i].bar[1];
    return isfinite(sum) ? KS_OK : KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "the numbers overflow");
}

static ksStatus strikeMechanism(ksInspector *inspector, Strike *s, int index, ksImpact *impact)
{
    KSI_TRY(checkMechanism(s, index));
    KSI_TRY(findStops(s));
    KSI_TRY(checkRank(s, index));
    KSI_TRY(findUnique(s));
    KSI_TRY(findBars(s, index));
    for (int i = 0; i < s->island->jointCount; i++)
        answerJoint(s, i, &s->room->joint[impact->jointCount++]);
    KSI_EACH_ISLAND_BODY (s->step, s->island, i, body)
        answerBody(s, body, i, &s->room->body[impact->bodyCount++], impact);
    impact->contactCount = ksiListContacts(s->step, index, KS_ENGINE, inspector->contactList);
    return KS_OK;
}

/* A body without joints: u = M^-1 P */
static void strikeBody(const Strike *s, int body, ksImpact *impact)
{
    ksiAccelerate(&s->step->body[body].begin, s->impulse, s->change);
    impact->bodyCount = 1;
    answerBody(s, body, 0, s->room->body, impact);
    for (size_t i = 0; i < s->step->jointCount; i++)
        impact->contactCount += s->step->joint[i].isLoad && s->step->report[i].isWritten &&
                                (s->step->joint[i].bodyIndex[0] == body || s->step->joint[i].bodyIndex[1] == body);
}

/* Reserves memory for an island, or for one body. */
static ksStatus reserve(const ksiStep *step, ksiImpactRoom *room, Strike *s)
{
    const size_t joints = s->island ? (size_t)s->island->jointCount : 0;
    const size_t bodies = s->island ? (size_t)s->island->bodyCount : 1;
    s->rows = KSI_MAX_ROWS * joints;
    s->coordinates = 6 * bodies;
    const ksAllocator *allocator = &step->allocator;
    KSI_TRY(room->system ? KS_OK : ksiSystemCreate(allocator, &room->system));
    KSI_TRY(ksiReserve(allocator, &room->joint, &room->jointCapacity, joints + 1, sizeof *room->joint));
    KSI_TRY(ksiReserve(allocator, &room->body, &room->bodyCapacity, bodies, sizeof *room->body));
    KSI_TRY(
        ksiReserve(allocator, &room->number, &room->numberCapacity, 2 * s->coordinates + 3 * s->rows, sizeof(double)));
    KSI_TRY(ksiReserve(allocator, &room->flag, &room->flagCapacity, 3 * s->rows + joints + 1, sizeof(int)));
    s->impulse = room->number;
    s->change = s->impulse + s->coordinates;
    s->multiplier = s->change + s->coordinates;
    s->bar = s->multiplier + s->rows;
    s->kept = s->bar + s->rows;
    s->held = room->flag;
    s->unique = s->held + s->rows;
    s->was = s->unique + s->rows;
    s->first = s->was + s->rows;
    s->rows = 0;
    for (size_t i = 0; i < joints; i++) {
        s->first[i] = (int)s->rows;
        s->rows += (size_t)step->joint[ksiIslandJoint(step, s->island, (int)i)].rows.count;
    }
    memset(s->impulse, 0, s->coordinates * sizeof *s->impulse);
    memset(s->held, 0, s->rows * sizeof *s->held);
    return KS_OK;
}

/* Adds a blow to P. first: the body of the first blow. */
static ksStatus addBlow(const ksBlow *blow, int first, int body, const double direction[6], Strike *s)
{
    const ksiStep *step = s->step;
    KSI_REQUIRE(step->body[body].dynamic, "a blow acts on a body without a mass of its own");
    if (!step->motion[body].moved)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "a blow acts on a body that was asleep or no longer exists");
    KSI_REQUIRE(body == first || (s->island && step->bodyMember[body].island == step->bodyMember[first].island),
                "the blows act on several mechanisms");
    if (!isfinite(blow->impulse))
        return KSI_EXPLAIN(KS_ERROR_NOT_FINITE, "an impulse is %g", blow->impulse);
    double wrench[6], scaled[6];
    for (int k = 0; k < 6; k++) {
        wrench[k] = blow->impulse * direction[k];
        s->impulse[(s->island ? 6 * step->bodyMember[body].block : 0) + k] += wrench[k];
    }
    ksiScaleWrench(&step->body[body], wrench, scaled);
    s->struck += ksiSize(scaled, 6);
    return KS_OK;
}

static ksStatus solveImpulse(ksInspector *inspector, const ksBlow *blow, size_t count, ksImpact *impact)
{
    KSI_REQUIRE_POINTER(inspector);
    KSI_REQUIRE_POINTER(blow);
    KSI_REQUIRE(count > 0, "count is 0");
    KSI_REQUIRE_POINTER(impact);
    const ksiStep *step = &inspector->step;
    Strike s = {.step = step, .room = &inspector->impact};
    ksImpact found = {0};
    ksStatus status = ksiRequireStep(inspector, KS_ERROR_BAD_ARGUMENT);
    int first = -1;
    for (size_t i = 0; !status && i < count; i++) {
        int body;
        double direction[6];
        status = ksiReadProbe(inspector, "blow->at", &blow[i].at, &body, direction);
        if (!status && i == 0) {
            first = body;
            const int island = step->bodyMember[body].island;
            s.island = island < 0 ? NULL : &step->island[island];
            status = reserve(step, &inspector->impact, &s);
        }
        if (!status)
            status = addBlow(&blow[i], first, body, direction, &s);
    }
    s.open = rounding * s.struck;
    if (!status && s.island)
        status = strikeMechanism(inspector, &s, step->bodyMember[first].island, &found);
    else if (!status)
        strikeBody(&s, first, &found);
    if (!status)
        status = finish(&s, &found);
    if (!status)
        *impact = found;
    return status;
}

ksStatus ksInspectorSolveImpulse(ksInspector *inspector, const ksBlow *blow, size_t count, ksImpact *impact)
{
    KSI_RETURN_GUARDED(solveImpulse(inspector, blow, count, impact));
}

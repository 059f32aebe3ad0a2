/* impact.c  Blows on the live world: impulses in joints, and jumps of velocity, with u = v+ - v- (Lamb 1911, §1)
 *
 *     M u = P + J^T L,      J u = 0                                  of rows without bounds,
 *                           0 <= L  _|_  J u + max(J v-, 0) >= 0     of stops, whose J v is the rate at which they open.
 *
 * The system is one of its own: the step's keeps its rows and its factors. */
#include "query.h"

#include "../base/fpguard.h"
#include "../inspector/body_motion.h"
#include "../inspector/size.h"

#include <math.h>
#include <string.h>

/* Of the terms of a row's rate, or of the largest impulse: what is less has no sign. */
static const double signTolerance = 1e-9;

/* Of motions and impulses by orthogonal factors, generously: a chain of a thousand links leaves 2e-14. */
static const double rounding = 1e-12;

/* What a row can give of an impulse. */
typedef enum Kind { NOTHING, ANY, PUSH, PULL } Kind;

/* A mechanism that is struck. */
typedef struct Strike {
    const ksiStep *step;
    ksiImpactRoom *room;
    const ksiIsland *island;
    size_t rows, coordinates;
    double *impulse, *change; /* [coordinates] P, u */
    double *multiplier, *bar; /* [rows] */
    int *held, *unique;       /* [rows] of a stop: it takes part; its multiplier is unique */
    int *first;               /* [joints] row: of each joint all, also those that are at rest or empty */
    double struck, open;      /* |P| in the mass metric, and how much of it is uncertain */
} Strike;

static Kind kindOf(const ksiStep *step, int joint, int l)
{
    const ksiRow *row = &step->joint[joint].rows.row[l];
    const bool isEmpty = ksiSize(step->joint[joint].scaled[l], 12) == 0;
    if (isEmpty || row->cfm > step->options.rigidCfm || row->findex >= 0)
        return NOTHING;
    if (!ksiRowHasBounds(row))
        return ANY;
    return row->lo == 0 && row->hi == INFINITY ? PUSH : row->hi == 0 && row->lo == -INFINITY ? PULL : NOTHING;
}

/* The rate at which a stop opens before the blow; 0 if it closes. */
static double openingOf(const ksiStep *step, int joint, int l, Kind kind)
{
    const double rate = step->joint[joint].rate[l];
    return kind == PUSH ? ksiLarger(rate, 0) : kind == PULL ? ksiSmaller(rate, 0) : 0;
}

/* place: of the joint in its island. */
static void addRows(const Strike *s, int place)
{
    const int index = ksiIslandJoint(s->step, s->island, place);
    const ksiJointInput *joint = &s->step->joint[index];
    ksiJointTerms terms = {.count = 0};
    double length[KSI_JOINT_ROWS];
    int block[2];
    for (int side = 0; side < 2; side++) {
        const int link = s->step->member[index].link[side];
        block[side] = link < 0 ? -1 : s->step->bodyMember[link].block;
    }
    for (int l = 0; l < joint->rows.count; l++) {
        const Kind kind = kindOf(s->step, index, l);
        const int at = terms.count++;
        terms.scaled[at] = joint->scaled[l];
        terms.beta[at] = -openingOf(s->step, index, l, kind);
        terms.isKnown[at] = kind == NOTHING || (kind != ANY && !s->held[s->first[place] + l]);
        terms.knownCount += terms.isKnown[at];
    }
    ksiSystemAddJoint(s->room->system, block, &terms, length);
}

/* With the stops that are held. */
static ksStatus solve(const Strike *s)
{
    static const double rest[6];
    ksSystem *system = s->room->system;
    ksStatus status = ksiSystemBeginRigid(system, s->island->bodyCount, (int)s->rows);
    if (!status)
        status = ksSystemSetRankTolerance(system, s->step->options.rankTolerance);
    ksiSystemSetDenseBudget(system, KSI_MOST_DENSE_ROWS);
    for (int i = 0; !status && i < s->island->bodyCount; i++) {
        const int body = ksiIslandBody(s->step, s->island, i);
        ksiSystemAddBody(system, &s->step->body[body].begin.root, s->impulse + 6 * i, rest);
    }
    for (int i = 0; !status && i < s->island->jointCount; i++)
        addRows(s, i);
    return status ? status : ksiSystemSolveLeastNorm(system, s->multiplier, s->change);
}

/* J u; its terms. */
static double rateOf(const Strike *s, int index, int l, double *terms)
{
    const ksiRow *row = &s->step->joint[index].rows.row[l];
    double rate = 0;
    for (int side = 0; side < 2; side++) {
        const int link = s->step->member[index].link[side];
        for (int k = 0; link >= 0 && k < 6; k++) {
            const double term = row->jacobian[side][k] * s->change[6 * s->step->bodyMember[link].block + k];
            rate += term;
            *terms += fabs(term);
        }
    }
    return rate;
}

/* By how much a stop contradicts, relative: held, and it pulls; or not held, and it is passed. */
static double contradiction(const Strike *s, int place, int l, Kind kind, double largest)
{
    const int index = ksiIslandJoint(s->step, s->island, place), row = s->first[place] + l;
    const double sign = kind == PUSH ? 1 : -1, opening = openingOf(s->step, index, l, kind);
    double terms = fabs(opening);
    if (s->held[row])
        return largest > 0 ? -sign * s->multiplier[row] / largest : 0;
    const double rate = sign * (rateOf(s, index, l, &terms) + opening);
    return terms > 0 ? -rate / terms : 0;
}

/* The row of the stop that contradicts most, or -1. */
static int worstStop(const Strike *s)
{
    double largest = 0, most = signTolerance;
    int worst = -1;
    for (size_t l = 0; l < s->rows; l++)
        largest = ksiLarger(largest, fabs(s->multiplier[l]));
    for (int i = 0; i < s->island->jointCount; i++) {
        const int index = ksiIslandJoint(s->step, s->island, i);
        for (int l = 0; l < s->step->joint[index].rows.count; l++) {
            const Kind kind = kindOf(s->step, index, l);
            const double wrong = kind == PUSH || kind == PULL ? contradiction(s, i, l, kind, largest) : 0;
            if (wrong > most) {
                most = wrong;
                worst = s->first[i] + l;
            }
        }
    }
    return worst;
}

/* One stop after the other changes sides until none contradicts. */
static ksStatus findStops(const Strike *s)
{
    enum { ROUNDS = 4 };
    for (size_t round = 0; round <= ROUNDS * s->rows; round++) {
        const ksStatus status = solve(s);
        const int stop = status ? -1 : worstStop(s);
        if (stop < 0)
            return status;
        s->held[stop] = !s->held[stop];
    }
    return KSI_EXPLAIN(KS_ERROR_BOUND, "which stops let go was not found");
}

/* --- What it can be asked of --- */

static ksStatus checkMechanism(const Strike *s, int index)
{
    if (s->island->obstacles)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "a row or a body of the mechanism is not sound: %s",
                           ksReasonName(s->island->obstacles & ~(s->island->obstacles - 1)));
    if (ksiIsOverBudget(s->step, index))
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the mechanism has %d rows: see options.islandRowBudget",
                           s->island->rowCount);
    for (int i = 0; i < s->island->jointCount; i++) {
        const ksiRows *rows = &s->step->joint[ksiIslandJoint(s->step, s->island, i)].rows;
        for (int l = 0; l < rows->count; l++)
            if (rows->row[l].kind == KS_ROW_FRICTION || rows->row[l].kind == KS_ROW_ROLLING)
                return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE,
                                   "the friction of a contact of the mechanism is not solved in an impact");
    }
    // how far the joints of a loop have drifted is found with its physical values
    if (!s->island->isTree && !s->step->physical[ksiIslandJoint(s->step, s->island, 0)].isKnown)
        return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE,
                           "without physical values it is not known how far the joints of a loop have drifted");
    return KS_OK;
}

/* Where the bodies are, the rows of a loop that has drifted may seem to hold what they would not where its joints fit. */
static ksStatus checkRank(const Strike *s, int index)
{
    int stresses;
    if (!s->step->islandPhysical[index].isDrifted)
        return KS_OK;
    const ksStatus status = ksiSystemCountSelfStresses(s->room->system, &stresses);
    if (status || stresses == ksiIslandFreeOf(s->step, (size_t)index)->selfStressCount)
        return status;
    return KSI_EXPLAIN(KS_ERROR_UNAVAILABLE, "the joints of a loop with self-stresses have drifted apart");
}

/* --- The answer --- */

static ksStatus findBars(const Strike *s)
{
    ksSystem *system = s->room->system;
    ksStatus status = ksiSystemProjectedErrorBars(system, s->multiplier, s->multiplier, s->bar);
    if (!status)
        status = ksiSystemAddForceError(system, true, s->open, s->bar);
    return status ? status : ksiSystemGetDeterminacy(system, s->unique, NULL);
}

/* J^T L on both bodies. */
static void answerJoint(const Strike *s, int place, ksJointImpact *out)
{
    const ksiJointInput *joint = &s->step->joint[ksiIslandJoint(s->step, s->island, place)];
    *out = (ksJointImpact){.joint = joint->id, .isUnique = 1};
    for (int l = 0; l < joint->rows.count; l++) {
        const int row = s->first[place] + l;
        const double impulse = s->multiplier[row];
        out->isUnique &= s->unique[row] != 0;
        for (int side = 0; side < 2; side++) {
            const double *jacobian = joint->rows.row[l].jacobian[side];
            for (int k = 0; k < 3; k++) {
                out->impulse[side].force[k] += impulse * jacobian[k];
                out->impulse[side].torque[k] += impulse * jacobian[3 + k];
            }
        }
        for (int part = 0; s->unique[row] && part < 2; part++)
            out->bar[part] += s->bar[row] * ksiSize(joint->rows.row[l].jacobian[0] + 3 * part, 3);
    }
    for (int k = 0; !joint->body[1] && k < 3; k++)
        out->impulse[1].force[k] = out->impulse[1].torque[k] = NAN;
}

/* A body, and what the blow on it does to the energies. */
static void answerBody(const Strike *s, int body, int block, ksBodyImpact *out, ksImpact *impact)
{
    const ksiBody *begin = &s->step->body[body].begin;
    const double *impulse = s->impulse + 6 * block, *change = s->change + 6 * block;
    // the trace of I^-1, no less than its largest eigenvalue
    const double slender = begin->inverse[0] + begin->inverse[4] + begin->inverse[8];
    *out = (ksBodyImpact){.body = begin->id, .bar = {s->open * begin->root.massInverse, s->open * sqrt(slender)}};
    for (int k = 0; k < 6; k++) {
        out->before[k] = begin->velocity[k];
        out->after[k] = begin->velocity[k] + change[k];
        impact->given += 0.5 * impulse[k] * (out->before[k] + out->after[k]);
    }
    impact->before += ksiKinetic(begin, out->before);
    impact->after += ksiKinetic(begin, out->after);
}

static void finish(const Strike *s, ksImpact *impact)
{
    impact->lost = impact->before + impact->given - impact->after;
    impact->joint = impact->jointCount ? s->room->joint : NULL;
    impact->body = s->room->body;
}

static ksStatus strikeMechanism(ksInspector *inspector, Strike *s, int index, ksImpact *impact)
{
    ksStatus status = checkMechanism(s, index);
    if (!status)
        status = findStops(s);
    if (!status)
        status = checkRank(s, index);
    if (!status)
        status = findBars(s);
    if (status)
        return status;
    for (int i = 0; i < s->island->jointCount; i++)
        answerJoint(s, i, &s->room->joint[impact->jointCount++]);
    for (int i = 0; i < s->island->bodyCount; i++)
        answerBody(s, ksiIslandBody(s->step, s->island, i), i, &s->room->body[impact->bodyCount++], impact);
    impact->contactCount = ksiListContacts(s->step, index, KS_ENGINE, inspector->contactList);
    return KS_OK;
}

/* A body that no joint holds: u = M^-1 P */
static void strikeBody(const Strike *s, int body, ksImpact *impact)
{
    ksiAccelerate(&s->step->body[body].begin, s->impulse, s->change);
    impact->bodyCount = 1;
    answerBody(s, body, 0, s->room->body, impact);
    for (size_t i = 0; i < s->step->jointCount; i++)
        impact->contactCount += s->step->joint[i].isLoad && s->step->report[i].isWritten &&
                                (s->step->joint[i].bodyIndex[0] == body || s->step->joint[i].bodyIndex[1] == body);
}

/* Room for the numbers of an island, or of one body. */
static ksStatus reserve(const ksiStep *step, ksiImpactRoom *room, Strike *s)
{
    const size_t joints = s->island ? (size_t)s->island->jointCount : 0;
    const size_t bodies = s->island ? (size_t)s->island->bodyCount : 1;
    s->rows = KSI_MAX_ROWS * joints;
    s->coordinates = 6 * bodies;
    const ksAllocator *allocator = &step->allocator;
    ksStatus status = room->system ? KS_OK : ksiSystemCreate(allocator, &room->system);
    if (!status)
        status = ksiReserve(allocator, &room->joint, &room->jointCapacity, joints + 1, sizeof *room->joint);
    if (!status)
        status = ksiReserve(allocator, &room->body, &room->bodyCapacity, bodies, sizeof *room->body);
    if (!status)
        status = ksiReserve(allocator, &room->number, &room->numberCapacity, 2 * s->coordinates + 2 * s->rows,
                            sizeof(double));
    if (!status)
        status = ksiReserve(allocator, &room->flag, &room->flagCapacity, 2 * s->rows + joints + 1, sizeof(int));
    if (status)
        return status;
    s->impulse = room->number;
    s->change = s->impulse + s->coordinates;
    s->multiplier = s->change + s->coordinates;
    s->bar = s->multiplier + s->rows;
    s->held = room->flag;
    s->unique = s->held + s->rows;
    s->first = s->unique + s->rows;
    s->rows = 0;
    for (size_t i = 0; i < joints; i++) {
        s->first[i] = (int)s->rows;
        s->rows += (size_t)step->joint[ksiIslandJoint(step, s->island, (int)i)].rows.count;
    }
    memset(s->impulse, 0, s->coordinates * sizeof *s->impulse);
    memset(s->held, 0, s->rows * sizeof *s->held);
    return KS_OK;
}

/* Adds a blow to P. first: the body that the first blow is on. */
static ksStatus addBlow(const ksBlow *blow, int first, int body, const double direction[6], Strike *s)
{
    const ksiStep *step = s->step;
    KSI_REQUIRE(step->body[body].dynamic, "a blow is on a body without mass of its own");
    KSI_REQUIRE(body == first || (s->island && step->bodyMember[body].island == step->bodyMember[first].island),
                "the blows are on several mechanisms");
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
    const double drift = s.island ? step->islandPhysical[step->bodyMember[first].island].drift : 0;
    s.open = s.struck * (rounding + (s.island && !s.island->isTree ? drift : 0));
    if (!status && s.island)
        status = strikeMechanism(inspector, &s, step->bodyMember[first].island, &found);
    else if (!status)
        strikeBody(&s, first, &found);
    if (status)
        return status;
    finish(&s, &found);
    *impact = found;
    return KS_OK;
}

ksStatus ksInspectorSolveImpulse(ksInspector *inspector, const ksBlow *blow, size_t count, ksImpact *impact)
{
    KSI_RETURN_GUARDED(solveImpulse(inspector, blow, count, impact));
}

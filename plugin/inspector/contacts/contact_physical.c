/* contact_physical.c  Computes the physical contact forces of one group of bodies and joints in a
 * step.
 *
 *     joints         J a = beta, as for their physical values
 *     springs and
 *     motors         the reported forces
 *     normals        a_n >= 0, lambda_n >= 0, a_n lambda_n = 0;
 *                    of a parting point: lambda_n = 0;
 *                    of a blow: the engine's own row, (J v* - c)/h = 0
 *     friction       a_t = acceleration of the surface, mostly 0, within +-mu lambda_n;
 *                    of a sliding row: J v* = c within +-mu lambda_n
 *     all contacts   (A + e D) lambda = ... + e D lambda_0,  with the diagonal D of A, and
 *                    lambda_0 of the last step, moved part of the way to the reported forces
 *
 * A loaded servo misses its target by the error that the solver's few iterations leave. An exact
 * solution would correct this error with several times the load. The force that the motor reports
 * is right on average. So it counts as a known reaction, which acts as an applied force (Paulus
 * 1910, concluding remark). */
#include "contact_physical.h"

#include "../publish/wrench_norm.h"
#include "../read/bound_state.h"
#include "../solver.h"

#include <math.h>
#include <string.h>

/* e: the share of D that decides how contacts share an undetermined load. A larger share distorts
 * determined forces; with a smaller share, rounding decides the forces of rows
 * that nearly depend on each other. */
static const double towardsTarget = 1e-4;
/* As in exact steps. Rounds end if the error of the friction bounds, relative to the largest
 * contact force, is at most `settled`. Rounds that do not converge also end if this error is at
 * most `tolerated`. Rounds do not converge if the error exceeds `stuck` times the error of the
 * round before. */
static const double settled = 1e-4, tolerated = 1e-3, stuck = 0.7;
/* Targets stay if the distance of each multiplier from its target is at most this share of the
 * largest force. */
static const double near = 1e-2;
enum { PULLS = 2 };
/* In rounds that do not converge, the factor on the change of the bounds has these limits. */
static const double leastPart = 0.125, mostPart = 4;
/* Largest number of times that a group's equations are solved in one step. Most groups need fewer
 * than ten; a search that needs more than this costs too much, or cycles. */
static const double mostSolutions = 64;

static ksStatus reserve(ksiContactGroup *g)
{
    ksiContactRoom *room = g->room;
    const ksAllocator *allocator = &g->step->allocator;
    size_t rows = 0, contacts = 0;
    const size_t coordinates = 6 * (size_t)g->bodyCount;
    for (int i = 0; i < g->jointCount; i++)
        rows += (size_t)g->step->joint[room->joint[i]].rows.count;
    KSI_EACH_POINT (g, p)
        contacts += (size_t)p->count;
    rows += contacts;
    const size_t numbers = 4 * coordinates + 4 * rows;
    KSI_TRY(ksiReserve(allocator, &room->scratch, &room->scratchCapacity, numbers + 1, sizeof(double)));
    KSI_TRY(ksiReserve(allocator, &room->bounded, &room->boundedCapacity, contacts, sizeof *room->bounded));
    if (!room->system)
        KSI_TRY(ksiSystemCreate(allocator, &room->system));
    double *at = room->scratch;
    memset(at, 0, numbers * sizeof *at);
    g->force = at;
    g->driven = at + coordinates;
    g->motion = at + 2 * coordinates;
    g->probe = at + 3 * coordinates;
    g->beta = at + 4 * coordinates;
    g->multiplier = g->beta + rows;
    g->other = g->multiplier + rows;
    g->undriven = g->other + rows;
    return KS_OK;
}

/* --- Equations --- */

/* -(dJ/dt) v of a row of a point that stays in touch and moves with its bodies, minus the
 * acceleration of kinematic bodies, plus the acceleration of a belt. */
static double stuckBeta(const ksiContactGroup *g, const ksiPoint *p, int l)
{
    double beta = ksiHasteningOf(p, l) - ksiTurningOf(g->step, p, l);
    KSI_EACH_BODY (p->bodyIndex, side, at) {
        const ksiBodyInput *body = &g->step->body[at];
        if (body->driven)
            beta -= ksiDotSix(p->row[l].jacobian[side], body->gained) / g->step->h;
    }
    return beta;
}

static double betaOf(const ksiContactGroup *g, const ksiPoint *p, int l)
{
    const bool isEngines = l == 0 ? p->way == KSI_STRIKES : p->slides >> l & 1u;
    return isEngines ? (p->row[l].c - p->rate[l]) / g->step->h : stuckBeta(g, p, l);
}

/* The bounds of row l under this normal force. */
static void setBounds(const ksiContactGroup *g, const ksiPoint *p, int l, double normal, double *low, double *high)
{
    const ksiRow *row = &p->row[l];
    *low = row->lo;
    *high = row->hi;
    if (row->findex >= 0)
        ksiSetFrictionBound(g->step, row, normal, low, high);
}

/* Friction that sticks has no bounds in the first round. Bounds from the normal forces of the last
 * step would put many rows at bounds, since some points of that step may be missing. The search
 * would have to free these rows one after the other. */
static bool isFreeAtFirst(const ksiPoint *p, int l)
{
    return p->row[l].findex >= 0 && !(p->slides >> l & 1u) && p->normal > 0;
}

static void blocksOf(const ksiContactGroup *g, const int body[2], int block[2])
{
    for (int side = 0; side < 2; side++)
        block[side] = body[side] < 0 ? -1 : g->room->block[body[side]];
}

static void addHeldRows(ksiContactGroup *g, int index, bool isAtRest, ksSystem *system)
{
    const ksiJointInput *joint = &g->step->joint[index];
    int block[2];
    double length[KSI_MAX_ROWS];
    ksiJointTerms terms = {.count = 0};
    blocksOf(g, joint->bodyIndex, block);
    for (int l = 0; l < joint->rows.count; l++) {
        if (!ksiIsHeldRow(g->step, index, l))
            continue;
        terms.scaled[terms.count] = joint->scaled[l];
        terms.beta[terms.count++] = isAtRest ? 0 : ksiContactRate(g, joint->bodyIndex, &joint->rows.row[l]);
    }
    if (terms.count == 0)
        return;
    const int first = ksiSystemAddJoint(system, block, &terms, length);
    memcpy(g->beta + first, terms.beta, (size_t)terms.count * sizeof *g->beta);
}

ksStatus ksiFillHeldRows(ksiContactGroup *g, bool isAtRest, int contactRows, ksSystem *system)
{
    const ksiIsland like = {.bodyCount = g->bodyCount};
    KSI_TRY(ksiBeginSystem(g->step, &like, g->heldRows + contactRows, system));
    KSI_TRY(ksSystemSetRigidCompliance(system, 0));
    for (int i = 0; i < g->bodyCount; i++) {
        const ksiBodyInput *body = &g->step->body[g->room->member[i]];
        (void)ksiSystemAddBody(system, &body->begin.root, g->force + 6 * i, body->begin.velocity);
    }
    for (int i = 0; i < g->jointCount; i++)
        addHeldRows(g, g->room->joint[i], isAtRest, system);
    return KS_OK;
}

static void addPoint(ksiContactGroup *g, ksiPoint *p)
{
    int block[2];
    double length[KSI_MAX_ROWS];
    ksiJointTerms terms = {.count = p->count};
    blocksOf(g, p->bodyIndex, block);
    p->first = ksSystemRowCount(g->room->system);
    p->normal = p->multiplier[0] = fmax(p->multiplier[0], 0);
    for (int l = 0; l < p->count; l++) {
        const double size = ksiSize(p->scaled[l], 12), own = towardsTarget * size * size;
        const bool isSoft = l > 0 && p->slides >> l & 1u;
        ksiBoundedRow *bounded = &g->set.bounded[g->set.count++];
        terms.scaled[l] = p->scaled[l];
        terms.compliance[l] = own + (isSoft ? p->row[l].cfm / g->step->h : 0);
        terms.beta[l] = betaOf(g, p, l) + own * p->target[l];
        g->beta[p->first + l] = terms.beta[l];
        *bounded = (ksiBoundedRow){.row = p->first + l, .feasible = p->multiplier[l], .terms = fabs(terms.beta[l])};
        setBounds(g, p, l, p->normal, &bounded->low, &bounded->high);
        if (isFreeAtFirst(p, l)) {
            bounded->low = -INFINITY;
            bounded->high = INFINITY;
        }
        bounded->place = ksiPlaceBetween(p->count, g->step->isSingle, p->multiplier, l, bounded->low, bounded->high);
    }
    (void)ksiSystemAddJoint(g->room->system, block, &terms, length);
}

static ksStatus build(ksiContactGroup *g)
{
    KSI_TRY(ksiFillHeldRows(g, false, g->contactRows, g->room->system));
    g->set = (ksiActiveSet){.system = g->room->system,
                            .bounded = g->room->bounded,
                            .multiplier = g->multiplier,
                            .acceleration = g->motion,
                            .allowed = mostSolutions};
    KSI_EACH_POINT (g, p)
        if (p->way != KSI_LEAVES)
            addPoint(g, p);
    return KS_OK;
}

/* --- Solution --- */

/* Stores the multipliers of the points. Returns by how much friction misses the bounds that follow
 * from these multipliers, relative to the largest force. */
static double takeRound(const ksiContactGroup *g)
{
    double open = 0, load = 0;
    KSI_EACH_POINT (g, p) {
        for (int l = 0; l < p->count; l++) {
            p->multiplier[l] = p->first < 0 ? 0 : g->multiplier[p->first + l];
            load = fmax(load, fabs(p->multiplier[l]));
        }
        for (int l = 0; l < p->count && p->first >= 0; l++) {
            double low, high;
            if (p->row[l].findex < 0)
                continue;
            setBounds(g, p, l, p->multiplier[0], &low, &high);
            const bool isInside = g->set.bounded[p->first - g->heldRows + l].place == KS_INSIDE;
            const double beyond = fabs(p->multiplier[l]) - high;
            open = fmax(open, isInside ? beyond : fabs(beyond));
        }
    }
    return open > 0 ? open / load : 0;
}

/* The factor on the next change of the bounds. It makes bounds and forces agree if the normal
 * forces respond as in the last round (Irons and Tuck 1969). The factor is below 1 in rounds that
 * oscillate, and above 1 in slow rounds. */
static double findPart(const ksiContactGroup *g, double part)
{
    double along = 0, square = 0;
    KSI_EACH_POINT (g, p) {
        const double changed = p->first < 0 ? 0 : p->multiplier[0] - p->normal - p->apart;
        along -= changed * p->apart;
        square += changed * changed;
    }
    return square > 0 ? fmin(fmax(part * along / square, leastPart), mostPart) : part;
}

/* Moves the bounds by this part of the way to the bounds of the new normal forces. */
static void moveBounds(const ksiContactGroup *g, double part)
{
    KSI_EACH_POINT (g, p) {
        p->apart = p->multiplier[0] - p->normal;
        p->normal = fmax(p->normal + part * p->apart, 0);
        for (int l = 0; l < p->count && p->first >= 0; l++) {
            ksiBoundedRow *bounded = &g->set.bounded[p->first - g->heldRows + l];
            setBounds(g, p, l, p->normal, &bounded->low, &bounded->high);
        }
    }
}

/* Makes the multipliers the new targets if one of them is far from its target; else returns
 * false. */
static bool pullHere(ksiContactGroup *g)
{
    double load = 0, apart = 0;
    KSI_EACH_POINT (g, p)
        for (int l = 0; l < p->count && p->first >= 0; l++) {
            load = fmax(load, fabs(p->multiplier[l]));
            apart = fmax(apart, fabs(p->multiplier[l] - p->target[l]));
        }
    if (apart <= near * load)
        return false;
    KSI_EACH_POINT (g, p)
        for (int l = 0; l < p->count && p->first >= 0; l++) {
            const double size = ksiSize(p->scaled[l], 12);
            g->beta[p->first + l] += towardsTarget * size * size * (p->multiplier[l] - p->target[l]);
            p->target[l] = p->multiplier[l];
            g->set.bounded[p->first - g->heldRows + l].terms = fabs(g->beta[p->first + l]);
        }
    ksiSystemSetBeta(g->room->system, g->beta);
    return true;
}

/* In each round but the first, friction bounds follow the normal forces of the round before. Only
 * after each of the first PULLS rounds do targets follow the multipliers. */
static ksStatus solve(ksiContactGroup *g)
{
    double before = INFINITY, part = 1;
    bool isSlow = false;
    for (int pulls = 0;; pulls++) {
        const ksStatus status = ksiActiveSetSearch(&g->set);
        // after a failed search the points keep the multipliers of the round before
        if (status)
            return status == KS_ERROR_BOUND && before <= tolerated ? KS_OK : status;
        const double open = takeRound(g);
        const bool isStuck = open > stuck * before, isPulled = pulls < PULLS && pullHere(g);
        if (!isPulled && (open <= settled || (open <= tolerated && isStuck)))
            return KS_OK;
        isSlow |= isStuck && !isPulled;
        part = isSlow ? findPart(g, part) : 1;
        moveBounds(g, part);
        before = open;
    }
}

static ksReasons reasonOf(ksStatus status)
{
    switch (status) {
    case KS_OK:
        return 0;
    case KS_ERROR_NO_MEMORY:
        return KS_REASON_MEMORY;
    case KS_ERROR_NOT_FINITE:
        return KS_REASON_NOT_FINITE;
    case KS_ERROR_UNAVAILABLE:
        return KS_REASON_BUDGET;
    default:
        return KS_REASON_FRICTION;
    }
}

static ksStatus find(ksiContactGroup *g)
{
    KSI_TRY(reserve(g));
    ksiFindContactState(g);
    if (g->reasons)
        return KS_OK;
    if ((size_t)g->contactRows > g->step->options.exactContactRows)
        return KS_ERROR_UNAVAILABLE;
    KSI_TRY(build(g));
    KSI_TRY(g->contactRows > 0 ? solve(g) : KS_OK);
    double sum = 0;
    KSI_EACH_POINT (g, p)
        for (int l = 0; l < p->count; l++)
            sum += p->multiplier[l];
    return isfinite(sum) ? KS_OK : KS_ERROR_NOT_FINITE;
}

void ksiSolveContactGroup(const ksiStep *step, ksiContactRoom *room, int root, ksiContactGroup *out)
{
    *out = (ksiContactGroup){.step = step, .room = room, .root = root};
    ksiListMembers(out);
    const ksStatus status = find(out);
    out->reasons |= reasonOf(status) | (status == KS_ERROR_BOUND ? KS_REASON_BUDGET : 0);
}

/* --- Results --- */

void ksiPairWrench(const ksiContactGroup *g, const dBodyID body[2], bool isReported, ksWrench *out)
{
    *out = (ksWrench){{0}, {0}};
    KSI_EACH_POINT (g, p)
        for (int l = 0; l < p->count && ksiIsOfPair(p, body); l++)
            ksiAddSix((double *)out, isReported ? p->reported[l] : p->multiplier[l],
                      p->row[l].jacobian[p->body[0] == body[0] ? 0 : 1]);
}

/* Finds the multipliers without the forces of motors and springs. */
static ksStatus solveUndriven(ksiContactGroup *g)
{
    for (int i = 0; i < 6 * g->bodyCount; i++)
        g->probe[i] = g->force[i] - g->driven[i];
    ksiSystemSetForce(g->room->system, g->probe);
    return ksiSystemSolveGauss(g->room->system, g->undriven, g->motion);
}

ksStatus ksiDrivenForce(ksiContactGroup *g, const dBodyID body[2], double *force)
{
    double sum[6] = {0};
    *force = 0;
    if (!g->isDriven || g->contactRows == 0)
        return KS_OK;
    if (!g->isUndrivenKnown)
        g->undrivenStatus = solveUndriven(g);
    g->isUndrivenKnown = true;
    KSI_TRY(g->undrivenStatus);
    KSI_EACH_POINT (g, p)
        for (int l = 0; l < p->count && p->first >= 0 && ksiIsOfPair(p, body); l++)
            ksiAddSix(sum, p->multiplier[l] - g->undriven[p->first + l],
                      p->row[l].jacobian[p->body[0] == body[0] ? 0 : 1]);
    *force = ksiSize(sum, 3);
    return KS_OK;
}

/* drift.c  Finds the multipliers of an island with drifted joints, in the present pose, and their
 * error bars: see loop.h.
 *
 *     (A + S + e D) lambda = beta - B^T y_f + e D lambda_e,      D = diag A                     (8)
 *
 * The engine's multipliers `lambda_e` have the weight `e`. This weight is the largest gap, times
 * the change of a unit row per metre on the way to the pose. More columns of the same factor
 * G = A + S + e D give the parts of the bars:
 *
 *     G shift = -dJ a - B^T dJ^T lambda - e D (lambda_e - lambda)
 *     G taken = e D (lambda_e - usual)
 *     G excess = e D (s - s_last) / h_last
 *     G fields = d beta - B^T d y_f
 *
 * dJ is the change of the rows on that way, and `usual` the mean of the engine's multipliers. `s`
 * (the member `left`) is the impulses that bring the velocities to the targets of the previous
 * step. `s_last` and `h_last` are the impulses and the length of that step. d beta and d y_f are
 * the changes by the other permitted velocities, which are as likely.
 *
 * A second factor, with 1e-5 e in place of `e`, leaves out the engine's share. It gives `left`,
 * `slack` and `distance`. `slack` is the impulses for the right-hand side -J v. `distance` is the
 * solution for the sum of the right-hand sides of `shift` and `fields`.
 */
#include "kernel.h"
#include "loop.h"

#include "../base/error.h"

#include <math.h>

/* Largest weight of the engine's multipliers, relative to a unit row: above it the joints are
 * torn. */
static const double mostOpen = 0.5;
/* Factor on the weight of the engine's multipliers in the solution without the engine's share. With
 * a smaller factor, contradictions of self-stresses grow. */
static const double ownOpen = 1e-5;
/* Factor on the first-order distance of that solution, which may be farther away. */
static const double farther = 1.5;
/* Error of the rows beyond their first-order change on the way to the pose, divided by the drift.
 * With 1/3, two of a hundred values are outside their bars; with 1, bars are twice as long. */
static const double secondOrder = 0.5;
/* Number of roundings in a bar: of sums of products, of their factor, and of its use. */
static const double roundings = 4;

/* Velocities that keep the rates of a tree's joints belong to a mechanism with loops only if their
 * change is at most this multiple of the least change. Joint rates that a solver leaves add up
 * along a rope; joint rates that finite steps cause do not. */
static const double mostFar = 2;

enum { FIRST, SECOND, THIRD, FOURTH };

/* Permitted velocities: the nearest to the present velocities, or velocities that keep the joint
 * rates of a tree. */
typedef enum Field { NEAREST, KEEPING } Field;

#define EACH_CORE_ROW(island, c, at, l)                                                                                \
    for (int row_ = 0; row_ < (island)->core.links + (island)->core.closings; row_++)                                  \
        for (ksiConstraint *c = ksiCoreAt(&(island)->core, row_); c; c = NULL)                                         \
            for (ksiCoreLoop *at = c->rows ? &(island)->joint[c->joint] : NULL; at; at = NULL)                         \
                for (int l = 0; l < c->rows; l++)

/* A row that holds the mechanism: rigid, and at no bound. */
static bool isActive(const ksiConstraint *c, const ksiCoreLoop *at, int l)
{
    return !((c->atLow | c->atHigh | at->soft) >> l & 1u);
}

/* Factors with this weight of the engine's multipliers, and solves. Known rows have multiplier
 * 0. */
static ksStatus solveAlone(ksiCoreIsland *island, double open)
{
    EACH_CORE_ROW (island, c, at, l) {
        if (isActive(c, at, l))
            c->compliance[l] = open * c->length2[l];
        if (c->known >> l & 1u)
            c->lambda[l] = (ksiFour){0};
    }
    KSI_TRY(ksiCoreFactored(ksiCoreFactor(&island->core)));
    ksiCoreSweep(&island->core);
    return KS_OK;
}

static double sizeOfChange(const ksiCoreIsland *island, const ksiConstraint *c, int l)
{
    const double *row = island->row[c->joint][l];
    return sqrt((ksiDotSix(row, row) + ksiDotSix(row + 6, row + 6)) / c->length2[l]);
}

/* Returns e of (8). It is at least the rounding of the rows: if all gaps are equal, closing them
 * may change no row. */
static double shareOpen(ksiCoreIsland *island)
{
    double most = 0;
    EACH_CORE_ROW (island, c, at, l) {
        at->turned[l] = isActive(c, at, l) ? sizeOfChange(island, c, l) : 0;
        most = ksiLarger(most, at->turned[l]);
    }
    const double share =
        island->isMoved ? ksiSmaller(1, most * island->radius / island->way) * island->drift : island->drift;
    return ksiLarger(share, ksiLarger(island->rounding, ksiCoreRounding(&island->core)));
}

/* The rate of a row at the velocities `moved`. */
static double rateOf(const ksiCoreIsland *island, const ksiConstraint *c, int l)
{
    const ksiCoreLink *body = &island->core.link[c->body],
                      *partner = c->partner < 0 ? NULL : &island->core.link[c->partner];
    double sum = 0;
    for (int k = 0; k < 6; k++)
        sum += c->own[k].at[l] * body->moved[k][FIRST] + (partner ? c->other[l].at[k] * partner->moved[k][FIRST] : 0);
    return sum;
}

static void clearMoved(ksiCoreIsland *island)
{
    for (int i = 0; i < island->core.links; i++)
        memset(island->core.link[i].moved, 0, sizeof island->core.link[i].moved);
}

/* Copies the forces of column FIRST, in the order of the links. */
static void takeForces(const ksiCoreIsland *island, double (*force)[6])
{
    for (int i = 0; i < island->core.links; i++)
        for (int k = 0; k < 6; k++)
            force[i][k] = island->core.link[i].force[k][FIRST];
}

/* Solves for velocity changes that make the velocities permitted. FIRST: the least change in the
 * mass metric. SECOND: the least change after `moved`, which keeps the joint rates. THIRD: the
 * least change if rows with a target follow the target of the previous step. */
static ksStatus permit(ksiCoreIsland *island, double open)
{
    ksiCoreClearForces(&island->core);
    EACH_CORE_ROW (island, c, at, l)
        c->beta[l] = isActive(c, at, l)
                         ? (ksiFour){-at->rate[l], -at->rate[l] - rateOf(island, c, l), -at->rate[l] - at->missed[l]}
                         : (ksiFour){0};
    return solveAlone(island, open);
}

double ksiCoreKeepingShare(double keeping2, double nearest2)
{
    const double most2 = mostFar * mostFar;
    return keeping2 > most2 * nearest2 ? sqrt((most2 - 1) * nearest2 / (keeping2 - nearest2)) : 1;
}

/* Copies the velocity changes NEAREST and KEEPING from a solution for the right-hand sides of
 * permit(). */
static void takeFields(ksiCoreIsland *island, double (*field)[2][6])
{
    for (int i = 0; i < island->core.links; i++)
        for (int k = 0; k < 6; k++) {
            const ksiCoreLink *link = &island->core.link[i];
            field[i][NEAREST][k] = link->y[k][FIRST];
            field[i][KEEPING][k] = link->moved[k][FIRST] + link->y[k][SECOND];
        }
}

/* Which of the two fields belongs to the mechanism? If it is NEAREST, moves own[][KEEPING] towards
 * own[][NEAREST]. */
static Field choose(const ksiCoreIsland *island, int closing, double (*field)[2][6], double (*own)[2][6])
{
    double size2[2] = {0};
    for (int i = 0; i < island->core.links; i++)
        for (int f = 0; f < 2; f++)
            size2[f] += ksiDotSix(field[i][f], field[i][f]);
    const double share = closing <= island->core.stresses ? 1 : ksiCoreKeepingShare(size2[KEEPING], size2[NEAREST]);
    if (!(share < 1))
        return KEEPING;
    for (int i = 0; i < island->core.links; i++)
        for (int k = 0; k < 6; k++)
            own[i][KEEPING][k] = share * own[i][KEEPING][k] + (1 - share) * own[i][NEAREST][k];
    return NEAREST;
}

static ksStatus drive(ksiCoreIsland *island, const ksiCoreHost *host, double (*field)[2][6], Field which, bool isOwn)
{
    for (int i = 0; i < island->core.links; i++)
        for (int k = 0; k < 6; k++)
            island->core.link[i].y[k] = (ksiFour){field[i][which][k]};
    const ksStatus status = host->drive(host->of, island, isOwn);
    takeForces(island, isOwn ? island->forceApart : island->force);
    return status == KS_ERROR_UNAVAILABLE ? KS_ERROR_BOUND : status;
}

/* Finds the other permitted velocities by a factor without the engine's share, then the mechanism's
 * velocities by the factor with this share, which later solutions use. */
static ksStatus findVelocities(ksiCoreIsland *island, const ksiCoreHost *host, double own)
{
    double(*const field)[2][6] = island->field, (*const ownField)[2][6] = field + island->core.links;
    int closing = 0;
    clearMoved(island);
    if (host->keep)
        KSI_TRY(host->keep(host->of, island, &closing));
    KSI_TRY(permit(island, own));
    takeFields(island, ownField);
    ksiCoreTakeOut(&island->core, THIRD);
    EACH_CORE_ROW (island, c, at, l) {
        at->slack[l] = isActive(c, at, l) ? c->lambda[l][FIRST] : 0;
        at->left[l] = isActive(c, at, l) ? c->lambda[l][THIRD] : 0;
    }
    KSI_TRY(solveAlone(island, island->open));
    takeFields(island, field);
    const Field which = choose(island, closing, field, ownField);
    KSI_TRY(drive(island, host, ownField, which == KEEPING ? NEAREST : KEEPING, true));
    KSI_TRY(drive(island, host, field, which, false));
    for (int i = 0; i < island->core.links; i++)
        ksiAddSix(island->forceApart[i], -1, island->force[i]);
    return KS_OK;
}

/* Solves (8) in column FIRST. Column SECOND is the change by uncertain right-hand sides. Column
 * THIRD is the change by the engine's excess in the previous step. */
static ksStatus solve(ksiCoreIsland *island, bool isSoft)
{
    for (int i = 0; i < island->core.links; i++)
        for (int k = 0; k < 6; k++)
            island->core.link[i].force[k] = (ksiFour){island->core.link[i].force[k][FIRST]};
    ksiCoreEnterStage(island, KSI_STAGE_SOLVE);
    if (isSoft)
        KSI_TRY(ksiCoreFactored(ksiCoreFactor(&island->core)));
    EACH_CORE_ROW (island, c, at, l) {
        const bool active = isActive(c, at, l);
        at->fields[l] = active ? c->beta[l][SECOND] : 0;
        const double left = active ? at->left[l] - at->before[l] : 0;
        const bool isTold = isfinite(left) && island->lastStep > 0;
        c->beta[l] = (ksiFour){c->beta[l][FIRST] + (active ? c->compliance[l] * at->reported[l] : 0),
                               active ? at->betaError[l] : 0, isTold ? c->compliance[l] * left / island->lastStep : 0};
        if (c->known >> l & 1u)
            c->lambda[l] = (ksiFour){c->lambda[l][FIRST]};
    }
    ksiCoreSweep(&island->core);
    ksiCoreTakeOut(&island->core, THIRD);
    bool areFinite = true;
    EACH_CORE_ROW (island, c, at, l) {
        at->multiplier[l] = c->lambda[l][FIRST];
        at->uncertain[l] = c->known >> l & 1u ? 0 : c->lambda[l][SECOND];
        at->excess[l] = c->known >> l & 1u ? 0 : c->lambda[l][THIRD];
        areFinite &= isfinite(at->multiplier[l]);
    }
    return areFinite ? KS_OK : KS_ERROR_BOUND;
}

/* x += times the half of row [12] for the body or the partner */
static void addHalf(const ksiConstraint *c, const double *row, bool isPartner, double times, ksiFour *x)
{
    const double *half = row + 6 * (isPartner ? 1 - c->side : c->side);
    for (int k = 0; k < 6; k++)
        x[k][FIRST] += times * half[k];
}

/* `moved` := dJ^T lambda, of rows that are not known */
static void moveByChange(ksiCoreIsland *island)
{
    clearMoved(island);
    EACH_CORE_ROW (island, c, at, l) {
        const double *row = island->row[c->joint][l];
        if (c->known >> l & 1u)
            continue;
        addHalf(c, row, false, at->multiplier[l], island->core.link[c->body].moved);
        if (c->partner >= 0)
            addHalf(c, row, true, at->multiplier[l], island->core.link[c->partner].moved);
    }
}

/* Sets the right-hand sides of (20), (20a). */
static void findSides(ksiCoreIsland *island)
{
    island->knowsUsual = true;
    moveByChange(island);
    EACH_CORE_ROW (island, c, at, l) {
        const double *change = island->row[c->joint][l] + 6 * c->side,
                     *other = island->row[c->joint][l] + 6 - 6 * c->side;
        const ksiCoreLink *body = &island->core.link[c->body],
                          *partner = c->partner < 0 ? NULL : &island->core.link[c->partner];
        double sum = 0;
        for (int k = 0; k < 6; k++) {
            sum += change[k] * body->y[k][FIRST] + c->own[k].at[l] * body->moved[k][FIRST];
            if (partner)
                sum += other[k] * partner->y[k][FIRST] + c->other[l].at[k] * partner->moved[k][FIRST];
        }
        const bool active = isActive(c, at, l), isUsual = !isnan(at->usual[l]);
        const double weight = active ? c->compliance[l] : 0;
        at->shift[l] = -sum - weight * (at->reported[l] - at->multiplier[l]);
        at->taken[l] = active ? weight * (at->reported[l] - (isUsual ? at->usual[l] : at->multiplier[l])) : 0;
        at->distance[l] = at->shift[l] + at->fields[l];
        island->knowsUsual &= isUsual || !active;
    }
}

/* Gives the multipliers the engine's part along the self-stresses. beta of column THIRD becomes the
 * residual that this causes in the equations. */
static void giveStress(ksiCoreIsland *island)
{
    ksiCore *core = &island->core;
    if (core->stresses == 0)
        return;
    for (int i = 0; i < core->links; i++)
        memset(core->link[i].g, 0, sizeof core->link[i].g);
    EACH_CORE_ROW (island, c, at, l)
        c->lambda[l][FIRST] = at->multiplier[l] - at->reported[l];
    ksiCoreProject(core, FIRST, NULL);
    EACH_CORE_ROW (island, c, at, l) {
        const double change = isActive(c, at, l) ? c->lambda[l][FIRST] + at->reported[l] - at->multiplier[l] : 0;
        at->multiplier[l] += change;
        for (int k = 0; k < 6; k++) {
            core->link[c->body].g[k][FIRST] += change * c->own[k].at[l];
            if (c->partner >= 0)
                core->link[c->partner].g[k][FIRST] += change * c->other[l].at[k];
        }
    }
    EACH_CORE_ROW (island, c, at, l) {
        double rate = 0;
        for (int k = 0; k < 6; k++) {
            rate += c->own[k].at[l] * core->link[c->body].g[k][FIRST];
            if (c->partner >= 0)
                rate += c->other[l].at[k] * core->link[c->partner].g[k][FIRST];
        }
        c->beta[l][THIRD] = -rate;
    }
}

/* Sets the forces of one column to their change by the other permitted velocities. */
static void setForces(ksiCoreIsland *island, int column)
{
    ksiCoreClearForces(&island->core);
    for (int i = 0; i < island->core.links; i++)
        for (int k = 0; k < 6; k++)
            island->core.link[i].force[k][column] = island->forceApart[i][k];
}

/* Solves for the changes by the right-hand sides of findSides(), and gives the multipliers the
 * engine's part along the self-stresses. Errors have no part along self-stresses: so a unique sum
 * of rows has the same error however joints share it. */
static void change(ksiCoreIsland *island)
{
    ksiCore *core = &island->core;
    setForces(island, FOURTH);
    giveStress(island);
    EACH_CORE_ROW (island, c, at, l) {
        c->beta[l] = (ksiFour){at->shift[l], at->taken[l], core->stresses ? c->beta[l][THIRD] : 0, at->fields[l]};
        if (c->known >> l & 1u)
            c->lambda[l] = (ksiFour){0};
    }
    ksiCoreSweep(core);
    ksiCoreProject(core, THIRD, NULL);
    ksiCoreTakeOut(core, FIRST);
    ksiCoreTakeOut(core, SECOND);
    ksiCoreTakeOut(core, FOURTH);
    EACH_CORE_ROW (island, c, at, l) {
        at->shift[l] = c->known >> l & 1u ? 0 : c->lambda[l][FIRST];
        at->fields[l] = c->known >> l & 1u ? 0 : c->lambda[l][FOURTH];
        c->lambda[l][FOURTH] = at->uncertain[l];
    }
    ksiCoreTakeOut(core, FOURTH);
    EACH_CORE_ROW (island, c, at, l) {
        if (c->known >> l & 1u)
            continue;
        at->taken[l] = c->lambda[l][SECOND];
        at->multiplier[l] += c->lambda[l][THIRD];
        at->uncertain[l] = c->lambda[l][FOURTH] + c->lambda[l][THIRD];
    }
}

/* Solves for the right-hand sides in column SECOND alone. */
static void sweepAlone(ksiCoreIsland *island)
{
    ksiCoreClearForces(&island->core);
    EACH_CORE_ROW (island, c, at, l)
        if (c->known >> l & 1u)
            c->lambda[l] = (ksiFour){0};
    ksiCoreSweep(&island->core);
}

/* Releases stops and motors that do not hold. False: all hold, and `bar` is the change by blows
 * that the report does not show. */
static bool letGo(ksiCoreIsland *island, const ksiCoreHost *host)
{
    bool isBlow = host->strike != NULL;
    for (int all = 0; isBlow && all < 2; all++) {
        isBlow = host->strike(host->of, island, all ? KSI_BLOW_ALL : KSI_BLOW_STOPS);
        if (isBlow)
            sweepAlone(island);
        if (host->letGo(host->of, island, isBlow))
            return true;
    }
    isBlow = host->strike && host->strike(host->of, island, KSI_BLOW_UNKNOWN);
    if (isBlow) {
        sweepAlone(island);
        ksiCoreTakeOut(&island->core, SECOND);
    }
    EACH_CORE_ROW (island, c, at, l)
        at->bar[l] = isBlow ? c->lambda[l][SECOND] : 0;
    return false;
}

/* Sets `distance` to the first-order distance of the solution without the engine's share, times
 * `farther`. */
static ksStatus findDistance(ksiCoreIsland *island, double open)
{
    setForces(island, FIRST);
    EACH_CORE_ROW (island, c, at, l)
        c->beta[l] = (ksiFour){at->distance[l]};
    KSI_TRY(solveAlone(island, open));
    ksiCoreProject(&island->core, FIRST, NULL);
    EACH_CORE_ROW (island, c, at, l)
        at->distance[l] = c->known >> l & 1u ? 0 : farther * c->lambda[l][FIRST];
    return KS_OK;
}

/* |y_f + B lambda| over all bodies, with the known multipliers alone, plus |y_f + B lambda| with
 * all multipliers. */
static double loadOf(ksiCoreIsland *island, const double (*force)[6])
{
    ksiCore *core = &island->core;
    double load2[2] = {0};
    for (int times = 0; times < 2; times++) {
        for (int i = 0; i < core->links; i++)
            for (int k = 0; k < 6; k++)
                core->link[i].g[k][FIRST] = force[i][k];
        EACH_CORE_ROW (island, c, at, l)
            for (int k = 0; (times || c->known >> l & 1u) && k < 6; k++) {
                core->link[c->body].g[k][FIRST] += at->multiplier[l] * c->own[k].at[l];
                if (c->partner >= 0)
                    core->link[c->partner].g[k][FIRST] += at->multiplier[l] * c->other[l].at[k];
            }
        for (int i = 0; i < core->links; i++)
            for (int k = 0; k < 6; k++)
                load2[times] += core->link[i].g[k][FIRST] * core->link[i].g[k][FIRST];
    }
    return sqrt(load2[0]) + sqrt(load2[1]);
}

/* tr D M, M = A^-1 - N (N^T A N)^-1 N^T, with the self-stresses N and A of (8). Since c^T N = 0 for
 * sums c of multipliers that the joints determine, c^T A^-1 = c^T M. With s the largest |B n| of a
 * self-stress of unit rows, each self-stress lowers the trace of D A^-1 by at least
 * 1 / (e + s^2). The rounding of the self-stress itself remains. */
static double traceBesideStresses(ksiCoreIsland *island, double trace, int rows)
{
    const double moved = ksiCoreStressedMotion(&island->core), taken = island->open + moved * moved;
    const int stresses = island->core.stresses;
    const double rounded = trace * ksiSmaller(1, ksiCoreRounding(&island->core) / island->open);
    return stresses > 0 ? ksiLarger(trace - stresses / taken, ksiLarger(rows - stresses, rounded)) : trace;
}

/* From the backward error of a factorisation, |E_ij| <= c eps (A_ii A_jj)^1/2:
 *     |d mu_l| <= (M_ll tr D M)^1/2 c eps (sum A_ii mu_i^2 ...)^1/2
 * and from the drift, as an error of the rows: (A^-1_ll)^1/2 drift |load|. */
static void findBars(ksiCoreIsland *island, double load)
{
    double trace = 0, sum = 0;
    int rows = 0;
    EACH_CORE_ROW (island, c, at, l) {
        at->size2[l] = c->size2[l];
        at->inverse[l] = ksiCoreRowsInverse(&island->core, c->joint)[l];
        at->adopted[l] = isActive(c, at, l) ? island->open * c->length2[l] * c->size2[l] : 0;
        trace += c->length2[l] * c->size2[l];
        sum += c->known >> l & 1u ? 0 : c->length2[l] * at->multiplier[l] * at->multiplier[l];
        rows++;
    }
    trace = traceBesideStresses(island, trace, rows);
    island->common = (island->isMoved ? secondOrder : 1) * island->drift * load +
                     roundings * island->rounding * (sqrt(rows * trace * sum) + sqrt(trace) * load) + island->softError;
    EACH_CORE_ROW (island, c, at, l) {
        const double blow = at->bar[l];
        if (c->known >> l & 1u)
            at->bar[l] = 0;
        else
            at->bar[l] = fabs(at->shift[l]) + fabs(at->uncertain[l]) + island->common * sqrt(at->size2[l]) +
                         fabs(at->multiplier[l]) * at->turned[l] + fabs(blow);
        at->uncertain[l] += blow;
    }
}

static bool isSoftAny(ksiCoreIsland *island)
{
    bool any = false;
    EACH_CORE_ROW (island, c, at, l)
        any |= (at->soft & ~(c->atLow | c->atHigh)) >> l & 1u;
    return any;
}

/* Solves with stops and motors in their present states. *isLeft: some states have changed. */
static ksStatus solveOnce(ksiCoreIsland *island, const ksiCoreHost *host, bool *isLeft)
{
    ksiCore *core = &island->core;
    *isLeft = false;
    KSI_TRY(ksiCoreFindPose(island, host));
    island->open = shareOpen(island);
    if (island->open > mostOpen)
        return KS_ERROR_BOUND;
    const double own = ksiLarger(ownOpen * island->open, ksiCoreRounding(core));
    ksiCoreEnterStage(island, KSI_STAGE_VELOCITY);
    KSI_TRY(findVelocities(island, host, own));
    KSI_TRY(solve(island, isSoftAny(island)));
    findSides(island);
    change(island);
    *isLeft = letGo(island, host);
    if (*isLeft)
        return KS_OK;
    ksiCoreInverse(core);
    findBars(island, loadOf(island, (const double(*)[6])island->force));
    return findDistance(island, own);
}

ksStatus ksiCoreSolveDrifted(ksiCoreIsland *island, const ksiCoreHost *host)
{
    bool again = true;
    const size_t links = (size_t)island->core.links;
    KSI_TRY(
        ksiReserve(&island->core.allocator, &island->force, &island->forceCapacity, 2 * links, sizeof *island->force));
    KSI_TRY(
        ksiReserve(&island->core.allocator, &island->field, &island->fieldCapacity, 2 * links, sizeof *island->field));
    island->forceApart = island->force + links;
    while (again) {
        const ksStatus status = solveOnce(island, host, &again);
        if (status && status != KS_ERROR_SINGULAR)
            return status;
        again |= status != KS_OK;
        KSI_TRY(status ? ksiCoreCarryOn(island, host) : KS_OK);
    }
    return KS_OK;
}

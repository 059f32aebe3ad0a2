/* pivot.c  The rows that lie at their bounds, where the bounds are known: a box-constrained complementarity problem.
 *
 *     w = J a + s lambda - beta:     w = 0 where low < lambda < high,   w >= 0 at low,   w <= 0 at high
 *
 * All rows that fail are exchanged at once (block principal pivoting, Judice and Pires 1994), which takes a few rounds
 * from a good set. Where their number does not fall, the problem is solved as what it also is,
 *
 *     min 1/2 lambda^T (A + S) lambda - lambda^T (beta - J M^-1 f)     over low <= lambda <= high,
 *
 * by active sets (Stark and Parker 1995): from multipliers within their bounds towards the minimum of the free rows, up
 * to the first bound that is met; at the minimum the row that wants most to leave its bound is freed. The minimum falls
 * with every step, so this ends, also where rows are redundant but for their compliance and exchanges one at a time
 * would wander for thousands of rounds. */
#include "search.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* of the loads near a row */
static const double multiplierRounding = 1e-11;

enum { patience = 2 }; /* rounds without fewer failures before exchanges give way to active sets */

bool ksiNextBounded(const ksiSearch *s, int at[2], ksiBoundedRow *bounded)
{
    for (; at[0] < s->island->jointCount; at[0]++, at[1] = 0) {
        ksiJointState *joint = ksiIslandJoint(s->inspector, s->island, at[0]);
        while (joint->bounded && at[1] < joint->rows.count) {
            int l = at[1]++;
            ksRow *row = &joint->rows.row[l];
            if (row->place == KS_INACTIVE || (row->findex < 0 && row->lo == -INFINITY && row->hi == INFINITY))
                continue;
            *bounded = (ksiBoundedRow){joint, l, row};
            return true;
        }
    }
    return false;
}

bool ksiNextFriction(const ksiSearch *s, int at[2], ksiBoundedRow *bounded)
{
    while (ksiNextBounded(s, at, bounded)) {
        if (bounded->row->findex >= 0)
            return true;
    }
    return false;
}

double ksiSearchLoad(const ksiSearch *s)
{
    double load = 0;
    for (int i = 0; i < s->island->jointCount; i++) {
        const ksiJointState *joint = ksiIslandJoint(s->inspector, s->island, i);
        for (int l = 0; l < joint->rows.count; l++) {
            if (joint->systemRow[l] >= 0)
                load = fmax(load, fabs(s->multiplier[joint->systemRow[l]]) * joint->rowSize[l]);
        }
    }
    for (int i = 0; i < s->island->bodyCount; i++)
        load = fmax(load, ksiHeaviest(ksiIslandBody(s->inspector, s->island, i)));
    return load;
}

ksStatus ksiSolvePlaced(ksiSearch *s)
{
    ksStatus status = ksiBuildSystem(s->inspector, s->index);
    if (status)
        return status;
    ksSystem *system = ksiIslandSystem(s->inspector, s->index);
    const double before = ksiSystemDenseWork(system);
    status = ksiSystemSolveGauss(system, s->multiplier, s->acceleration);
    s->spent += 1 + (ksiSystemDenseWork(system) - before) / (KSI_ROUND_WORK * s->island->rowCount);
    s->load = status || !s->island->bounded ? 0 : ksiSearchLoad(s);
    return status;
}

double ksiRowResidual(const ksiSearch *s, const ksiBoundedRow *bounded, double *terms)
{
    const ksiJointState *joint = bounded->joint;
    const double h = s->inspector->h;
    double w = (bounded->row->cfm * s->multiplier[joint->systemRow[bounded->l]] - bounded->row->c) / h;
    *terms = fabs(w) + s->load * joint->rowSize[bounded->l];
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBodyState *body = &s->inspector->body[joint->bodyIndex[side]];
        for (int k = 0; k < 6; k++) {
            double a = body->dynamic ? s->acceleration[6 * body->block + k] : 0;
            double term = bounded->row->jacobian[side][k] * (body->begin.velocity[k] / h + a);
            w += term;
            *terms += fabs(term);
        }
    }
    return w;
}

/* How far the residual is on the wrong side of zero; 0: within its tolerance. */
static double wrongResidual(const ksiSearch *s, const ksiBoundedRow *bounded)
{
    double terms, w = ksiRowResidual(s, bounded, &terms);
    double wrong = bounded->joint->place[bounded->l] == KS_AT_LOW ? -w : w;
    return wrong > KSI_RESIDUAL_ROUNDING * terms ? wrong : 0;
}

/* What is near rounds more than what is elsewhere in the island. */
static double multiplierSlack(const ksiSearch *s, const ksiBoundedRow *bounded)
{
    const ksiJointState *joint = bounded->joint;
    double near = 0;
    for (int l = 0; l < joint->rows.count; l++)
        if (joint->systemRow[l] >= 0)
            near = fmax(near, fabs(s->multiplier[joint->systemRow[l]]) * joint->rowSize[l]);
    for (int side = 0; side < 2; side++)
        if (joint->link[side] >= 0)
            near = fmax(near, ksiHeaviest(&s->inspector->body[joint->link[side]]));
    return (multiplierRounding * near + KSI_RESIDUAL_ROUNDING * s->load) / joint->rowSize[bounded->l];
}

/* Where the row should be, seen from this solution. */
static ksRowPlace wantedPlace(const ksiSearch *s, const ksiBoundedRow *bounded)
{
    const ksiJointState *joint = bounded->joint;
    const double low = joint->low[bounded->l], high = joint->high[bounded->l];
    const ksRowPlace place = joint->place[bounded->l];
    if (low == high)
        return KS_AT_LOW;
    if (place == KS_INSIDE) {
        double lambda = s->multiplier[joint->systemRow[bounded->l]], slack = multiplierSlack(s, bounded);
        return lambda < low - slack ? KS_AT_LOW : lambda > high + slack ? KS_AT_HIGH : KS_INSIDE;
    }
    return wrongResidual(s, bounded) > 0 ? KS_INSIDE : place;
}

/* Exchanges the rows that fail; returns their number. */
static int exchange(ksiSearch *s)
{
    int at[2] = {0}, failures = 0;
    ksiBoundedRow bounded;
    while (ksiNextBounded(s, at, &bounded)) {
        ksRowPlace *place = &bounded.joint->place[bounded.l], wanted = wantedPlace(s, &bounded);
        failures += wanted != *place;
        *place = wanted;
    }
    return failures;
}

static double *feasibleOf(const ksiSearch *s, const ksiBoundedRow *bounded)
{
    return &s->feasible[bounded->joint->systemRow[bounded->l]];
}

static void takeReported(const ksiSearch *s)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    while (ksiNextBounded(s, at, &bounded))
        *feasibleOf(s, &bounded) = bounded.joint->multiplier[bounded.l];
}

static void moveWithinBounds(const ksiSearch *s)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    while (ksiNextBounded(s, at, &bounded)) {
        const double low = bounded.joint->low[bounded.l], high = bounded.joint->high[bounded.l];
        const double slack = multiplierSlack(s, &bounded);
        double *x = feasibleOf(s, &bounded);
        bounded.joint->place[bounded.l] = *x <= low + slack ? KS_AT_LOW : *x >= high - slack ? KS_AT_HIGH : KS_INSIDE;
        *x = fmin(fmax(*x, low), high);
    }
}

/* The row that meets its bound first on the way to this solution, and the part of the way up to there; 1: none. */
static double firstBound(const ksiSearch *s, ksiBoundedRow *first)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    double part = 1;
    while (ksiNextBounded(s, at, &bounded)) {
        const ksRowPlace wanted = wantedPlace(s, &bounded);
        if (bounded.joint->place[bounded.l] != KS_INSIDE || wanted == KS_INSIDE)
            continue;
        const double bound = wanted == KS_AT_LOW ? bounded.joint->low[bounded.l] : bounded.joint->high[bounded.l];
        const double from = *feasibleOf(s, &bounded), to = s->multiplier[bounded.joint->systemRow[bounded.l]];
        const double until = fmax(0, (bound - from) / (to - from));
        if (until < part) {
            part = until;
            *first = bounded;
        }
    }
    return part;
}

static void advance(const ksiSearch *s, double part)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    while (ksiNextBounded(s, at, &bounded)) {
        double *x = feasibleOf(s, &bounded);
        *x += part * (s->multiplier[bounded.joint->systemRow[bounded.l]] - *x);
    }
}

static bool mostWrong(const ksiSearch *s, ksiBoundedRow *worst)
{
    int at[2] = {0};
    ksiBoundedRow bounded;
    double most = 0;
    while (ksiNextBounded(s, at, &bounded)) {
        const ksiJointState *joint = bounded.joint;
        if (joint->place[bounded.l] == KS_INSIDE || joint->low[bounded.l] == joint->high[bounded.l])
            continue;
        const double wrong = wrongResidual(s, &bounded) / joint->rowSize[bounded.l];
        if (wrong > most) {
            most = wrong;
            *worst = bounded;
        }
    }
    return most > 0;
}

static ksStatus solveAgain(ksiSearch *s)
{
    return s->spent < s->allowed ? ksiSolvePlaced(s) : KS_ERROR_BOUND;
}

static ksStatus descend(ksiSearch *s)
{
    ksiBoundedRow row = {0};
    takeReported(s);
    moveWithinBounds(s);
    for (;;) {
        ksStatus status = solveAgain(s);
        if (status)
            return status;
        double part = firstBound(s, &row);
        advance(s, part);
        if (part < 1)
            row.joint->place[row.l] = wantedPlace(s, &row);
        else if (mostWrong(s, &row))
            row.joint->place[row.l] = KS_INSIDE;
        else
            return KS_OK;
    }
}

ksStatus ksiPivot(ksiSearch *s)
{
    int least = INT_MAX, waited = 0;
    while (waited <= patience) {
        ksStatus status = solveAgain(s);
        if (status)
            return status;
        const int failures = exchange(s);
        if (!failures)
            return KS_OK;
        waited = failures < least ? 0 : waited + 1;
        least = failures < least ? failures : least;
    }
    return descend(s);
}

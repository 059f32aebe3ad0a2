/* friction.c  Friction bounded by the normal forces of the same solution: see friction.h.
 *
 * Where contacts share a load, many sets of rows at bounds are nearly as good as each other, and exchanges of rows go in circles. A pull to
 * the multipliers of the last round,
 *
 *     (A + S + p D) lambda = beta + p D lambda_0,      D the diagonal of A,
 *
 * parts them (proximal points, Rockafellar 1976): each round has a smaller p than the one before. It costs a factor, but few exchanges.
 *
 * Bounds n mu follow the normal forces g(n) found with them. n = g(n) is not found by n := g(n) where friction turns a body as much as the
 * normal forces do. So the next n uses what g has answered to the last changes of n, in the sense of least squares (Anderson 1965). While
 * rows are pulled, that is done for each set of rows, before any is exchanged: its factor is the same. */
#include "friction.h"
#include "active_set_solution.h"

#include <math.h>
#include <string.h>

/* Rounds get no nearer that leave more than this share of the round before; then so many times `settled` will do. */
static const double stuck = 0.7, slack = 100;
/* After so many rounds what is of use will do. */
enum { FEW = 8 };
/* The first pull, the strongest, the weakest; what a round leaves of it. */
static const double firstPull = 0.1, mostPull = 1, leastPull = 1e-4, relaxed = 0.03;
/* Changes that are remembered; one is taken for new if this share of its square is its own. */
enum { MEMORY = 6 };
static const double independent = 1e-4;
/* Bounds of one set: solutions at most, share of the first gap at which they end, and the gap that is none, of the largest force: while rows
 * are exchanged, and at the end. */
enum { FOLLOWING = 4 };
static const double followed = 0.1, closed = 1e-7, finished = 1e-10;
/* The farthest that bounds move, in gaps. */
static const double farthest = 4;

/* Numbers of the bounded rows, in their order; those of normals are zero where no normal force bounds the row. */
typedef struct Rounds {
    ksiActiveSet *set;
    size_t count;
    double pull;
    double *beta, *compliance, *terms;                      /* without a pull */
    double *normal, *begun;                                 /* n, and that of the round's beginning */
    double *gap, *step;                                     /* g(n) - n, and what n moves by */
    double *change[MEMORY], *answer[MEMORY], *unit[MEMORY]; /* of n, of the gap; what is new of that, of unit length */
    unsigned long factors;                                  /* when they were found */
    int changes;                                            /* so far, -1: there is no gap yet */
} Rounds;

static ksStatus begin(ksiActiveSet *set, Rounds *r)
{
    ksSystem *system = set->system;
    const size_t count = (size_t)set->count;
    *r = (Rounds){.set = set, .count = count, .changes = -1};
    double **const lists[] = {&r->beta, &r->compliance, &r->terms, &r->normal, &r->begun, &r->gap, &r->step};
    enum { LISTS = sizeof lists / sizeof *lists };
    KSI_TRY(ksiDoublesReserve(&system->allocator, &system->frictionWork, (LISTS + 3 * MEMORY) * count));
    double *at = system->frictionWork;
    memset(at, 0, LISTS * count * sizeof *at);
    for (int i = 0; i < LISTS; i++, at += count)
        *lists[i] = at;
    for (int i = 0; i < MEMORY; i++, at += 3 * count) {
        r->change[i] = at;
        r->answer[i] = at + count;
        r->unit[i] = at + 2 * count;
    }
    for (size_t k = 0; k < count; k++) {
        const ksiBoundedRow *row = &set->bounded[k];
        r->beta[k] = system->model.beta[row->row];
        r->compliance[k] = system->model.compliance[row->row];
        r->terms[k] = row->terms;
        r->normal[k] = r->begun[k] = row->friction > 0 ? row->high / row->friction : 0;
    }
    return KS_OK;
}

/* By which multipliers of different rows are compared. */
static double sizeOf(const Rounds *r, const ksiBoundedRow *row)
{
    return sqrt(r->set->system->model.diagonal[row->row]);
}

static double normalOf(const Rounds *r, const ksiBoundedRow *row)
{
    return fmax(r->set->multiplier[row->normal], 0);
}

static double within(const Rounds *r, const ksiBoundedRow *row)
{
    return fmin(fmax(r->set->multiplier[row->row], row->low), row->high);
}

/* What a step of each row by itself would change, within bounds that belong to the normal forces found; of the largest force. */
static double findOpen(const Rounds *r)
{
    double open = 0, terms;
    for (size_t k = 0; k < r->count; k++) {
        const ksiBoundedRow *row = &r->set->bounded[k];
        const double size = sizeOf(r, row), square = size * size, lambda = r->set->multiplier[row->row];
        const double w = ksiActiveSetResidual(r->set, row, &terms) - r->pull * square * (lambda - row->target);
        const double high = row->friction > 0 ? row->friction * normalOf(r, row) : row->high;
        const double low = row->friction > 0 ? -high : row->low, next = lambda - w / (square + r->compliance[k]);
        open = fmax(open, size * fabs(lambda - fmin(fmax(next, low), high)));
    }
    return open > 0 ? open / r->set->load : 0;
}

/* --- Bounds follow normal forces --- */

static void setBounds(const Rounds *r, const double *normal)
{
    for (size_t k = 0; k < r->count; k++) {
        ksiBoundedRow *row = &r->set->bounded[k];
        if (row->friction == 0)
            continue;
        r->normal[k] = normal[k];
        row->high = row->friction * normal[k];
        row->low = -row->high;
    }
}

static int placeOf(const Rounds *r, int ago)
{
    return (r->changes - 1 - ago) % MEMORY;
}

/* The gap, and by how much the last change of bounds has changed it. */
static void findGap(Rounds *r)
{
    const int at = ++r->changes > 0 ? placeOf(r, 0) : 0;
    for (size_t k = 0; k < r->count; k++) {
        const ksiBoundedRow *row = &r->set->bounded[k];
        const double gap = row->friction > 0 ? normalOf(r, row) - r->normal[k] : 0;
        r->answer[at][k] = gap - r->gap[k];
        r->change[at][k] = r->step[k];
        r->gap[k] = gap;
    }
}

/* The step that closes the gap, if it answers as it did: the gap, less the parts of it that are answers, and the changes that brought these. */
static void findStep(const Rounds *r)
{
    const int known = r->changes < MEMORY ? r->changes : MEMORY;
    double factor[MEMORY][MEMORY], part[MEMORY], times[MEMORY] = {0};
    // the latest first
    for (int i = 0; i < known; i++) {
        const double *answer = r->answer[placeOf(r, i)];
        double *unit = r->unit[i];
        memcpy(unit, answer, r->count * sizeof *unit);
        for (int j = 0; j < i; j++) {
            factor[j][i] = ksiDot(r->count, r->unit[j], unit);
            for (size_t k = 0; k < r->count; k++)
                unit[k] -= factor[j][i] * r->unit[j][k];
        }
        const double own = ksiDot(r->count, unit, unit);
        const bool isNew = own > independent * ksiDot(r->count, answer, answer);
        factor[i][i] = isNew ? sqrt(own) : INFINITY;
        for (size_t k = 0; k < r->count; k++)
            unit[k] = isNew ? unit[k] / factor[i][i] : 0;
        part[i] = ksiDot(r->count, unit, r->gap);
    }
    memcpy(r->step, r->gap, r->count * sizeof *r->step);
    for (int i = known - 1; i >= 0; i--) {
        const int at = placeOf(r, i);
        for (int j = i + 1; j < known; j++)
            part[i] -= factor[i][j] * times[j];
        times[i] = part[i] / factor[i][i];
        for (size_t k = 0; k < r->count; k++)
            r->step[k] -= times[i] * (r->change[at][k] + r->answer[at][k]);
    }
}

/* Towards bounds that agree with the normal forces found with them. */
static void moveBounds(Rounds *r)
{
    findGap(r);
    findStep(r);
    const double most = farthest * farthest * ksiDot(r->count, r->gap, r->gap),
                 square = ksiDot(r->count, r->step, r->step);
    const double part = square > most ? sqrt(most / square) : 1;
    for (size_t k = 0; k < r->count; k++) {
        const double next = fmax(r->normal[k] + part * r->step[k], 0);
        r->step[k] = next - r->normal[k];
        r->unit[0][k] = next;
    }
    setBounds(r, r->unit[0]);
}

/* By how much rows at bounds are off those of their normal forces, of the largest force. */
static double gapOfSet(const Rounds *r)
{
    double gap = 0;
    for (size_t k = 0; k < r->count; k++) {
        const ksiBoundedRow *row = &r->set->bounded[k];
        if (row->friction > 0 && row->place != KS_INSIDE)
            gap = fmax(gap, sizeOf(r, row) * row->friction * fabs(normalOf(r, row) - r->normal[k]));
    }
    return gap > 0 ? gap / r->set->load : 0;
}

static ksStatus solve(ksiActiveSet *set)
{
    ksiApplyActiveSet(set);
    return ksiSolveBy(ksiSystemSolveGauss, set);
}

/* Bounds that belong to a set that was solved, until this share of the first gap is left, or `least`. */
static ksStatus closeGap(Rounds *r, double share, double least)
{
    double end = least;
    if (r->factors != r->set->factors)
        r->changes = -1;
    r->factors = r->set->factors;
    for (int i = 0; i < FOLLOWING; i++) {
        const double gap = gapOfSet(r);
        if (gap <= end)
            break;
        if (i == 0)
            end = fmax(least, share * gap);
        moveBounds(r);
        KSI_TRY(solve(r->set));
    }
    return KS_OK;
}

static ksStatus follow(void *rounds)
{
    Rounds *r = rounds;
    return r->pull > 0 ? closeGap(r, followed, closed) : KS_OK;
}

/* --- Rounds --- */

static void pull(const Rounds *r, bool isOther)
{
    ksiModel *model = &r->set->system->model;
    for (size_t k = 0; k < r->count; k++) {
        ksiBoundedRow *row = &r->set->bounded[k];
        const double own = r->pull * model->diagonal[row->row];
        model->compliance[row->row] = r->compliance[k] + own;
        model->beta[row->row] = r->beta[k] + own * row->target;
        row->terms = r->terms[k] + own * fabs(row->target);
    }
    ksiForgetKnown(r->set->system, isOther);
}

/* Back to what the round began with. */
static void startAgain(const Rounds *r)
{
    setBounds(r, r->begun);
    for (size_t k = 0; k < r->count; k++) {
        ksiBoundedRow *row = &r->set->bounded[k];
        row->place = row->feasible <= row->low ? KS_AT_LOW : row->feasible >= row->high ? KS_AT_HIGH : KS_INSIDE;
    }
}

/* Pulls harder until a set is found. */
static ksStatus findSet(Rounds *r)
{
    for (;;) {
        bool isFound;
        KSI_TRY(ksiActiveSetExchange(r->set, follow, r, &isFound));
        if (isFound)
            return KS_OK;
        if (r->pull >= mostPull)
            return ksiActiveSetSearch(r->set);
        r->pull = r->pull > 0 ? fmin(r->pull / relaxed, mostPull) : firstPull;
        startAgain(r);
        pull(r, true);
    }
}

/* Bounds, targets and pull of the next round. */
static void goOn(Rounds *r)
{
    const double before = r->pull;
    moveBounds(r);
    for (size_t k = 0; k < r->count; k++) {
        ksiBoundedRow *row = &r->set->bounded[k];
        // friction without a normal force was at both of its bounds
        const bool isAt = row->place != KS_INSIDE && (row->friction == 0 || r->set->multiplier[row->row] != 0);
        row->feasible = !isAt ? within(r, row) : row->place == KS_AT_LOW ? row->low : row->high;
        row->target = row->feasible;
        r->begun[k] = r->normal[k];
    }
    if (before == 0)
        return;
    r->pull = fmax(before * relaxed, leastPull);
    pull(r, r->pull != before);
}

/* Does a bound follow a normal force? */
static bool hasFriction(const ksiActiveSet *set)
{
    for (int k = 0; k < set->count; k++)
        if (set->bounded[k].friction > 0)
            return true;
    return false;
}

ksStatus ksiFrictionSearch(ksiActiveSet *set, double settled, size_t rounds, double *open)
{
    Rounds r;
    if (!hasFriction(set)) {
        *open = 0;
        return ksiActiveSetSearch(set);
    }
    *open = INFINITY;
    KSI_TRY(begin(set, &r));
    for (size_t round = 0; round < rounds; round++) {
        const double before = *open;
        const ksStatus status = findSet(&r);
        if (status == KS_ERROR_BOUND && round > 0)
            startAgain(&r);
        KSI_TRY(status == KS_ERROR_BOUND && round > 0 ? solve(set) : status);
        *open = findOpen(&r);
        if (!status && *open <= settled) {
            KSI_TRY(closeGap(&r, 0, finished));
            *open = findOpen(&r);
        }
        const double loose = round < FEW ? fmin(slack * settled, KSI_FRICTION_OPEN) : KSI_FRICTION_OPEN;
        if (status || *open <= settled || (*open <= loose && (*open > stuck * before || round >= FEW)))
            break;
        if (round + 1 < rounds)
            goOn(&r);
    }
    return KS_OK;
}

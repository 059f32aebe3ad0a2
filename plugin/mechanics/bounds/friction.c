/* friction.c  Solves for friction that is bounded by the normal forces of the same solution: see
 * friction.h.
 *
 * Where contacts share a load, many active sets are nearly equally good, and exchanges of rows
 * cycle. A proximal term towards `lambda_0`, the multipliers of the last round, separates the sets
 * (Rockafellar 1976):
 *
 *     (A + S + p D) lambda = beta + p D lambda_0,      D = diag A
 *
 * It costs a factorisation. Its weight `p` falls from round to round.
 *
 * The bounds follow the normal forces: they are n mu, and the solution with these bounds has the
 * normal forces g(n). The iteration n := g(n) does not converge if friction turns a body as much as
 * the normal forces do. So the next `n` is extrapolated from the last changes of `n` and g(n) by
 * least squares (Anderson 1965). With a proximal term, this is done for each active set, whose
 * factor stays the same. */
#include "friction.h"
#include "active_set_solution.h"

#include <math.h>
#include <string.h>

/* A round that leaves more than the share `stuck` of the residual has stalled; then `slack` times
 * `settled` suffices. */
static const double stuck = 0.7, slack = 100;
/* After this number of rounds a usable result suffices. */
enum { FEW = 8 };
/* p: first, largest and least value; factor from round to round. */
static const double firstPull = 0.1, mostPull = 1, leastPull = 1e-4, relaxed = 0.03;
/* Number of remembered changes; a change counts as new if this share of its square is independent
 * of the others. */
enum { MEMORY = 6 };
static const double independent = 1e-4;
/* For one active set: FOLLOWING limits the solutions, and `followed` is the final share of the
 * first gap. Relative to the largest force, a gap up to `closed` counts as zero during exchanges,
 * and a gap up to `finished` at the end. */
enum { FOLLOWING = 4 };
static const double followed = 0.1, closed = 1e-7, finished = 1e-10;
/* Largest step of the bounds, as a multiple of the gap. */
static const double farthest = 4;

/* Values of the bounded rows, in their order; `normal` to `unit` are zero in rows without a normal
 * force. */
typedef struct Rounds {
    ksiActiveSet *set;
    size_t count;
    double pull;
    double *beta, *compliance, *terms;                      /* without the proximal term */
    double *normal, *begun;                                 /* n; n at the start of the round */
    double *gap, *step;                                     /* g(n) - n, and the step of n */
    double *change[MEMORY], *answer[MEMORY], *unit[MEMORY]; /* of n, of the gap; unit vector of its
                                                               new part */
    unsigned long factors;                                  /* value of ksiActiveSet::factors at
                                                               these changes */
    int changes;                                            /* number of changes; -1: no gap is
                                                               known yet */
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

/* Makes multipliers of different rows comparable. */
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

/* Largest change that a projected step of a single row makes in its multiplier, relative to the
 * largest force. The bounds are those of the present normal forces. */
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

/* Computes the gap, and its change by the last step of the bounds. */
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

/* The step that closes the gap if g responds as before. It consists of the gap's new part and, for
 * the rest of the gap, of changes of n. */
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

/* Moves bounds towards a fixed point of g. */
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

/* Largest distance of rows at bounds from the bounds of their normal forces, relative to the
 * largest force. */
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

/* Moves the bounds of a solved set until this share of the first gap, or `least`, is left. */
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

/* Restores the state at the start of the round. */
static void startAgain(const Rounds *r)
{
    setBounds(r, r->begun);
    for (size_t k = 0; k < r->count; k++) {
        ksiBoundedRow *row = &r->set->bounded[k];
        row->place = row->feasible <= row->low ? KS_AT_LOW : row->feasible >= row->high ? KS_AT_HIGH : KS_INSIDE;
    }
}

/* Increases p until a set is found. */
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

/* Bounds, targets and p of the next round. */
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

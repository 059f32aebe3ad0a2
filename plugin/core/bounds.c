/* bounds.c  Which rows of an island lie at a bound: see bounds.h.
 *
 *     w = B^T y + S lambda - beta:     w = 0 where low < lambda < high,     w >= 0 at low,     w <= 0 at high           (6)
 *
 * All rows that fail are exchanged at once (block principal pivoting, Judice and Pires 1994), each set by a factor of its own.
 * If their number stops falling, active sets take over (Stark and Parker 1995), for the quadratic problem whose solution this is:
 * from multipliers within bounds towards the minimum of the rows inside, up to the first bound; at the minimum the row whose residual is
 * most wrong leaves its bound. The minimum falls with every set.
 *
 * Rows that depend on others keep the multiplier at which the search began. Where they contradict the others, the search moves along
 * their self-stresses to the first bound; if there is none, no motion keeps all rows.
 */
#include "bounds.h"
#include "kernel.h"

#include "../base/error.h"

#include <float.h>
#include <limits.h>
#include <math.h>

/* Of a residual's terms, and of the load: a row over two bodies is a sum of fourteen. */
static const double rounding = 16 * DBL_EPSILON;
/* ... and four digits more: beyond it rows contradict each other. Of rows that depend to a tolerance, as the tolerance. */
static const double contradiction = 1e-12;
/* Exchanges without fewer failures before they give way to active sets. */
enum { PATIENCE = 2, FEWEST = 64 };
/* In column 3 the self-stress of rows that contradict each other. */
enum { ALONG = 3 };

typedef enum Place { INSIDE, AT_LOW, AT_HIGH } Place;

typedef struct Search {
    ksiCore *core;
    double rank;
    double contradiction; /* of terms */
    int allowed, spent;
    double load;  /* the largest of all forces and reactions */
    double noise; /* of residuals relative to their terms, as far as seen */
    double worst; /* contradiction of rows that depend on others, relative to its terms */
    /* of active sets: the row that left its bound before the last solution */
    ksiConstraint *freed;
    int freedRow;
    Place left;
    double doubt; /* `noise` if it goes back there */
} Search;

/* A row: where a visit to some of them stands; {.index = -1} at the start. */
typedef struct Row {
    int index, l;
    ksiConstraint *c;
} Row;

/* The next row with bounds; all: or of those that depend on others. */
static bool next(const ksiCore *core, bool all, Row *row)
{
    for (row->l++; row->index < core->links + core->closings; row->index++, row->l = 0) {
        row->c = row->index < 0 ? NULL : ksiCoreAt(core, row->index);
        const unsigned any = row->c ? (row->c->bounded | (all ? row->c->dependent : 0)) >> row->l : 0;
        if (any) {
            row->l += __builtin_ctz(any);
            return true;
        }
    }
    return false;
}

static Place placeOf(const Row *row)
{
    return row->c->atLow >> row->l & 1u ? AT_LOW : row->c->atHigh >> row->l & 1u ? AT_HIGH : INSIDE;
}

static void put(const Search *s, const Row *row, Place place)
{
    ksiConstraint *c = row->c;
    const unsigned bit = 1u << row->l;
    if (placeOf(row) == place)
        return;
    c->atLow = place == AT_LOW ? c->atLow | bit : c->atLow & ~bit;
    c->atHigh = place == AT_HIGH ? c->atHigh | bit : c->atHigh & ~bit;
    ksiCoreTouch(s->core, c);
}

static double sizeOf(const ksiConstraint *c, int l)
{
    return sqrt(c->length2[l]);
}

/* Size of the right-hand side, or of what it is a difference of. */
static double sizeOfBeta(const ksiConstraint *c, int l)
{
    return ksiLarger(fabs(c->beta[l][0]), c->terms[l]);
}

/* w of a row in column 0, by the motion that was solved for; *terms: the sum of its terms' sizes. */
static double residualOf(const ksiCore *core, const ksiConstraint *c, int l, double *terms)
{
    const double given = c->compliance[l] * c->lambda[l][0];
    const ksiFour *y = core->link[c->body].y, *other = c->partner < 0 ? NULL : core->link[c->partner].y;
    double w = given - c->beta[l][0];
    *terms = fabs(given) + sizeOfBeta(c, l);
    for (int k = 0; k < 6; k++) {
        const double a = c->own[k].at[l] * y[k][0], b = other ? c->other[l].at[k] * other[k][0] : 0;
        w += a + b;
        *terms += fabs(a) + fabs(b);
    }
    return w;
}

/* How far the residual of a row at its bound is on the wrong side of zero; 0: within its tolerance. */
static double wrongBy(const Search *s, const Row *row, double *share)
{
    double terms;
    const double w = residualOf(s->core, row->c, row->l, &terms), wrong = placeOf(row) == AT_LOW ? -w : w;
    *share = fabs(w) / terms;
    return wrong > ksiLarger(rounding, s->noise) * terms ? wrong : 0;
}

/* What rounding of the load makes of a multiplier. */
static double slackOf(const Search *s, const Row *row)
{
    return rounding * s->load / sizeOf(row->c, row->l);
}

static Place placeBetween(const Search *s, const Row *row, double lambda)
{
    const double slack = slackOf(s, row);
    return lambda < row->c->low[row->l] - slack ? AT_LOW : lambda > row->c->high[row->l] + slack ? AT_HIGH : INSIDE;
}

/* The row's place according to the last solution. */
static Place wantedPlace(const Search *s, const Row *row)
{
    const Place place = placeOf(row);
    double share;
    if (row->c->low[row->l] == row->c->high[row->l])
        return AT_LOW;
    if (place == INSIDE)
        return placeBetween(s, row, row->c->lambda[row->l][0]);
    return wrongBy(s, row, &share) > 0 ? INSIDE : place;
}

/* Rows at bounds are known; those inside are not. */
static void place(const Search *s)
{
    for (int i = 0; i < s->core->links + s->core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(s->core, i);
        c->known = c->atLow | c->atHigh;
    }
    for (Row row = {.index = -1}; next(s->core, false, &row);)
        if (placeOf(&row) != INSIDE) {
            row.c->lambda[row.l][0] = placeOf(&row) == AT_LOW ? row.c->low[row.l] : row.c->high[row.l];
            row.c->lambda[row.l][ALONG] = 0;
        }
}

static double loadOf(const ksiCore *core)
{
    double load2 = 0;
    for (int i = 0; i < core->links; i++) {
        ksiFour sum = {0};
        addSquares(core->link[i].force, 1, &sum);
        load2 = ksiLarger(load2, sum[0]);
    }
    for (int i = 0; i < core->links + core->closings; i++) {
        const ksiConstraint *c = ksiCoreAt(core, i);
        for (int l = 0; l < c->rows; l++)
            load2 = ksiLarger(load2, c->length2[l] * c->lambda[l][0] * c->lambda[l][0]);
    }
    return sqrt(load2);
}

/* Rows that depend on others keep their multiplier. How far do they contradict these? */
static void holdDependent(const Search *s, bool along)
{
    for (Row row = {.index = -1}; next(s->core, true, &row);) {
        double terms;
        ksiConstraint *c = row.c;
        if (!(c->dependent >> row.l & 1u))
            continue;
        const double w = along ? residualOf(s->core, c, row.l, &terms) : 0;
        c->known |= 1u << row.l;
        c->lambda[row.l][0] = c->feasible[row.l];
        c->lambda[row.l][ALONG] = along && fabs(w) > s->contradiction * terms ? -w : 0;
    }
}

static double worstContradiction(Search *s)
{
    double most = s->contradiction, terms;
    for (Row row = {.index = -1}; next(s->core, true, &row);)
        if (row.c->dependent >> row.l & 1u) {
            const double w = fabs(residualOf(s->core, row.c, row.l, &terms));
            if (w > most * terms) {
                most = w / terms;
                s->core->culprit = row.c->joint;
            }
        }
    return most > s->contradiction ? most : 0;
}

/* With the rows at their places. */
static ksStatus solve(Search *s)
{
    ksiCore *core = s->core;
    if (s->spent >= s->allowed)
        return KS_ERROR_BOUND;
    place(s);
    if (s->rank > 0) {
        KSI_TRY(ksiCoreRank(core, s->rank));
        KSI_TRY(core->isRigid ? KS_OK : ksiCoreFactor(core));
    } else {
        KSI_TRY(s->spent == 0 ? ksiCoreFactor(core) : ksiCoreUpdate(core));
    }
    s->spent++;
    holdDependent(s, false);
    ksiCoreSweep(core);
    s->load = loadOf(core);
    s->worst = worstContradiction(s);
    return KS_OK;
}

/* Rows that fail change their places: their number. */
static int exchange(const Search *s)
{
    int failures = 0;
    for (Row row = {.index = -1}; next(s->core, false, &row);) {
        const Place wanted = wantedPlace(s, &row);
        failures += wanted != placeOf(&row);
        put(s, &row, wanted);
    }
    return failures;
}

/* --- Active sets --- */

/* A multiplier this close to a bound is at it: a share of the joint's largest. */
static double marginOf(const ksiConstraint *c, const double *multiplier, int stride)
{
    static const double close = 1e-9;
    double most = 0;
    for (int l = 0; l < c->rows; l++)
        most = ksiLarger(most, fabs(multiplier[l * stride]));
    return close * most;
}

/* By `feasible`. */
static void start(const Search *s)
{
    for (Row row = {.index = -1}; next(s->core, false, &row);) {
        ksiConstraint *c = row.c;
        double *x = &c->feasible[row.l];
        const double low = c->low[row.l], high = c->high[row.l], margin = marginOf(c, c->feasible, 1);
        put(s, &row, *x <= low + margin ? AT_LOW : *x >= high - margin ? AT_HIGH : INSIDE);
        *x = ksiSmaller(ksiLarger(*x, low), high);
    }
}

static void moveWithinBounds(const Search *s)
{
    for (Row row = {.index = -1}; next(s->core, false, &row);) {
        double *x = &row.c->feasible[row.l];
        const double low = row.c->low[row.l], high = row.c->high[row.l], slack = slackOf(s, &row);
        put(s, &row, *x <= low + slack ? AT_LOW : *x >= high - slack ? AT_HIGH : INSIDE);
        *x = ksiSmaller(ksiLarger(*x, low), high);
    }
}

/* The row that meets its bound first on the way to the last solution, of which the fraction is returned; 1: none does. */
static double firstBound(const Search *s, Row *first)
{
    double part = 1;
    for (Row row = {.index = -1}; next(s->core, false, &row);) {
        const Place wanted = placeOf(&row) == INSIDE ? wantedPlace(s, &row) : INSIDE;
        if (wanted == INSIDE)
            continue;
        const double bound = wanted == AT_LOW ? row.c->low[row.l] : row.c->high[row.l], x = row.c->feasible[row.l];
        const double until = ksiLarger(0, (bound - x) / (row.c->lambda[row.l][0] - x));
        if (until < part) {
            part = until;
            *first = row;
        }
    }
    return part;
}

/* All rows, for each may depend on others in another set: by part of the way to the solution, and of the self-stress. */
static void move(const Search *s, double part, double along)
{
    for (int i = 0; i < s->core->links + s->core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(s->core, i);
        for (int l = 0; l < c->rows; l++)
            c->feasible[l] += part * (c->lambda[l][0] - c->feasible[l]) + along * c->lambda[l][ALONG];
    }
}

/* The row with the most wrong residual; false: there is none. */
static bool freeMostWrong(Search *s)
{
    Row worst = {.index = -1};
    double most = 0;
    s->freed = NULL;
    for (Row row = {.index = -1}; next(s->core, false, &row);) {
        double share;
        if (placeOf(&row) == INSIDE || row.c->low[row.l] == row.c->high[row.l])
            continue;
        const double wrong = wrongBy(s, &row, &share) / sizeOf(row.c, row.l);
        if (wrong > most) {
            most = wrong;
            worst = row;
            s->doubt = 2 * share;
        }
    }
    if (worst.index < 0)
        return false;
    s->freed = worst.c;
    s->freedRow = worst.l;
    s->left = placeOf(&worst);
    put(s, &worst, INSIDE);
    return true;
}

/* Towards the minimum of the rows inside, which is the last solution; false: it is reached, and no row leaves its bound. */
static bool descend(Search *s)
{
    Row first = {.index = -1};
    // a row that has left its bound moves away from it, unless its residual was rounding
    const Row freed = {.c = s->freed, .l = s->freedRow};
    if (s->freed && wantedPlace(s, &freed) == s->left)
        s->noise = s->doubt;
    s->freed = NULL;
    const double part = firstBound(s, &first);
    const Place met = part < 1 ? wantedPlace(s, &first) : INSIDE;
    move(s, part, 0);
    if (part == 1)
        return freeMostWrong(s);
    put(s, &first, met);
    return true;
}

/* Along the self-stresses that the contradiction loads, to the first bound. */
static ksStatus moveAlongStress(Search *s)
{
    ksiCore *core = s->core;
    Row first = {.index = -1};
    double way = INFINITY, most = 0;
    holdDependent(s, true);
    ksiCoreSweep(core);
    for (Row row = {.index = -1}; next(core, true, &row);)
        most = ksiLarger(most, sizeOf(row.c, row.l) * fabs(row.c->lambda[row.l][ALONG]));
    for (Row row = {.index = -1}; next(core, false, &row);) {
        const double n = row.c->lambda[row.l][ALONG];
        if (placeOf(&row) != INSIDE || !(sizeOf(row.c, row.l) * fabs(n) > contradiction * most))
            continue;
        const double until = ((n < 0 ? row.c->low : row.c->high)[row.l] - row.c->feasible[row.l]) / n;
        if (until < way) {
            way = until;
            first = row;
        }
    }
    if (first.index < 0)
        return KS_ERROR_INCONSISTENT;
    const Place met = first.c->lambda[first.l][ALONG] < 0 ? AT_LOW : AT_HIGH;
    move(s, 0, way);
    put(s, &first, met);
    s->freed = NULL;
    return KS_OK;
}

static ksStatus byActiveSets(Search *s)
{
    moveWithinBounds(s);
    for (;;) {
        KSI_TRY(solve(s));
        if (s->worst > 0)
            KSI_TRY(moveAlongStress(s));
        else if (!descend(s))
            return KS_OK;
    }
}

static ksStatus search(Search *s)
{
    int least = INT_MAX, waited = 0;
    while (waited <= PATIENCE) {
        KSI_TRY(solve(s));
        if (s->worst > 0)
            break;
        const int failures = exchange(s);
        if (failures == 0)
            return KS_OK;
        waited = failures < least ? 0 : waited + 1;
        least = failures < least ? failures : least;
    }
    return byActiveSets(s);
}

ksStatus ksiCoreBound(ksiCore *core, double rank, ksiCoreBounds *found)
{
    Search s = {.core = core, .rank = rank, .contradiction = ksiLarger(contradiction, sqrt(rank)), .allowed = FEWEST};
    for (Row row = {.index = -1}; next(core, false, &row);)
        s.allowed += 2;
    start(&s);
    const ksStatus status = search(&s);
    // rows that depend on others are known to nobody else
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        c->known = c->atLow | c->atHigh;
        for (int l = 0; l < c->rows; l++)
            c->feasible[l] = c->lambda[l][0];
    }
    *found = (ksiCoreBounds){.solutions = s.spent, .margin = INFINITY};
    return status;
}

/* --- What was found --- */

/* r of ksiCoreCertify is -w; by its motion the size of its terms. */
static double termsOf(const ksiCore *core, const ksiConstraint *c, int l)
{
    const ksiFour *g = core->link[c->body].g, *other = c->partner < 0 ? NULL : core->link[c->partner].g;
    double terms = sizeOfBeta(c, l) + c->compliance[l] * fabs(c->lambda[l][0]);
    for (int k = 0; k < 6; k++)
        terms += fabs(c->own[k].at[l] * g[k][0]) + (other ? fabs(c->other[l].at[k] * other[k][0]) : 0);
    return terms;
}

static double share(double part, double whole)
{
    return part > 0 ? part / whole : 0;
}

void ksiCoreCertifyBounds(const ksiCore *core, double noise, ksiCoreBounds *found)
{
    const double load = loadOf(core);
    found->violation = 0;
    found->margin = INFINITY;
    for (Row row = {.index = -1}; next(core, false, &row);) {
        const ksiConstraint *c = row.c;
        const int l = row.l;
        if (c->low[l] == c->high[l])
            continue;
        const double terms = termsOf(core, c, l), w = -c->t[l][0], wrong = placeOf(&row) == AT_LOW ? -w : w;
        const double within = sizeOf(c, l) * ksiSmaller(c->lambda[l][0] - c->low[l], c->high[l] - c->lambda[l][0]);
        const bool isInside = placeOf(&row) == INSIDE;
        const bool isShared = isInside && ksiCoreUndetermined(core, c->joint, noise) >> l & 1u;
        found->violation =
            ksiLarger(found->violation, isInside ? isShared ? 0 : share(-within, load) : share(wrong, terms));
        found->margin = ksiSmaller(found->margin, isInside ? share(within, load) : share(-wrong, terms));
    }
}

int ksiCoreLetGo(ksiCore *core, int column, const double (*reported)[KSI_CORE_ROWS])
{
    const Search s = {.core = core};
    int count = 0;
    for (int i = 0; i < core->links + core->closings; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        unsigned gone = 0;
        const double margin =
            c->bounded ? marginOf(c, (const double *)c->lambda + column, sizeof *c->lambda / sizeof(double)) : 0;
        for (int l = 0; c->bounded >> l; l++)
            if ((c->bounded & ~c->known) >> l & 1u &&
                (c->lambda[l][column] < c->low[l] - margin || c->lambda[l][column] > c->high[l] + margin))
                gone |= 1u << l;
        for (int l = 0; gone >> l; l++) {
            if (!(gone >> l & 1u))
                continue;
            c->low[l] = c->high[l] = c->lambda[l][column] = reported[c->joint][l];
            put(&s, &(Row){.index = i, .l = l, .c = c}, AT_LOW);
            count++;
        }
        c->known |= gone;
    }
    return count;
}

void ksiCoreStrikeRow(ksiConstraint *c, int l, double low, double high, double rate)
{
    const bool isLow = low != -INFINITY, isHigh = high != INFINITY, isPush = isLow && !isHigh,
               isPull = isHigh && !isLow;
    const double opening = isPush ? ksiLarger(rate, 0) : isPull ? ksiSmaller(rate, 0) : 0;
    c->feasible[l] = 0;
    c->beta[l][0] = -opening;
    if (isLow || isHigh)
        ksiCoreSetBounds(c, l, isPull ? -INFINITY : 0, isPush ? INFINITY : 0);
}

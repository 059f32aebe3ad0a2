/* nearest_stress.c  Self-stresses of a loop in the pose in which its joints fit, each over the rows that take part alone.
 *
 * Rows that depend on earlier ones are set aside where L D L^T = K K^T meets them, an element of D near zero. With l_c the row of L of
 * such a row,
 *
 *     n_c = (L^-T l_c, -1),      K^T n_c ~ 0,
 *
 * and the substitution ends where its numbers are rounding: a loop closes over few rows, however many loops there are. These vectors
 * N are independent, since each has a row that no other has. What belongs to an orthonormal basis of theirs needs none:
 *
 *     Q Q^T = N (N^T N)^-1 N^T,
 *
 * and at the rows of one joint this takes elements of (N^T N)^-1 of self-stresses that meet there: those within its profile
 * (Takahashi). */
#include "nearest_private.h"

#include "../../base/memory.h"
#include "../../base/vectorise.h"
#include "../../linear/cholesky.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Parts of a self-stress below this share of its largest are rounding, as in selfstress.c */
#define ROUNDING_PART KSI_CLEARS_ROUNDING

/* Inverse iterations for the least singular value that is none of a self-stress: an estimate from above, of which a multiple is the
 * noise. More are cost only. */
enum { ITERATIONS = 3 };

ksStatus ksiStressSetBegin(const ksAllocator *allocator, ksiStressSet *set, int most)
{
    const size_t wide = (size_t)most;
    set->count = 0;
    set->filled = 0;
    KSI_TRY(ksiReserve(allocator, &set->whole, &set->wholeCapacity, (5 + KSI_PROFILE_ARRAYS) * wide + 1,
                       sizeof *set->whole));
    int **const part[] = {&set->from, &set->end, &set->reach, &set->at, &set->meeting};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        *part[i] = set->whole + i * wide;
    set->gram = ksiProfileIn(most, set->whole + 5 * wide);
    return KS_OK;
}

ksStatus ksiStressSetAdd(const ksAllocator *allocator, ksiStressSet *set, int from, int end, const double *x)
{
    const size_t length = (size_t)(end - from);
    if (set->filled > (size_t)INT_MAX - length)
        return KS_ERROR_NO_MEMORY;
    KSI_TRY(ksiReserve(allocator, &set->value, &set->valueCapacity, set->filled + length, sizeof *set->value));
    const double perSize = 1 / ksiNearestNorm(x, length);
    double *to = set->value + set->filled;
    for (size_t i = 0; i < length; i++)
        to[i] = perSize * x[i];
    set->from[set->count] = from, set->end[set->count] = end, set->at[set->count++] = (int)set->filled;
    set->filled += length;
    return KS_OK;
}

/* Product of two vectors, at the places that both have. */
KSI_INLINE double product(const ksiStressSet *set, int j, int k)
{
    const int from = set->from[j] > set->from[k] ? set->from[j] : set->from[k];
    const int end = set->end[j] < set->end[k] ? set->end[j] : set->end[k];
    return from < end ? ksiDotMany(end - from, ksiStressFrom(set, j, from), ksiStressFrom(set, k, from)) : 0;
}

/* N^T N = L D L^T of vectors in ascending order of their ends. */
KSI_CLONES
static ksStatus factorise(ksiNearest *n, ksiStressSet *set)
{
    ksiProfile *gram = &set->gram;
    gram->rows = set->count;
    for (int k = 0; k < set->count; k++) {
        int first = k > 0 ? gram->first[k - 1] : 0;
        const int start = n->profile.start[set->from[k]];
        // an earlier one may reach farther back than the one before
        while (first > 0 && set->end[first - 1] > start)
            first--;
        while (set->end[first] <= start)
            first++;
        gram->order[k] = gram->place[k] = k;
        gram->first[k] = first;
        gram->node[k] = n->profile.node[set->end[k] - 1];
    }
    ksiProfileMeasure(gram);
    if (gram->size < 0)
        return KS_ERROR_NO_MEMORY;
    for (int k = set->count - 1, reach = INT_MAX; k >= 0; k--)
        set->reach[k] = reach = set->from[k] < reach ? set->from[k] : reach;
    KSI_TRY(ksiReserve(&n->allocator, &set->metric, &set->metricCapacity,
                       2 * (size_t)gram->room + 16 * (size_t)set->count + 1, sizeof *set->metric));
    set->factor = set->metric + gram->room;
    set->work = set->factor + gram->room;
    memset(set->factor, 0, (size_t)gram->room * sizeof *set->factor);
    for (int k = 0; k < set->count; k++)
        for (int j = gram->first[k]; j <= k; j++)
            set->factor[ksiProfileAt(gram, k, j)] = product(set, j, k);
    return ksiProfileFactor(gram, -INFINITY, set->factor) ? KS_ERROR_UNAVAILABLE : KS_OK;
}

/* (N^T N)^-1: of those that meet at rows of one body. */
ksStatus ksiStressSetMeasure(ksiNearest *n, ksiStressSet *set)
{
    KSI_TRY(factorise(n, set));
    ksiProfileInvert(&set->gram, set->factor, set->metric, set->work, set->meeting);
    return KS_OK;
}

/* The vector of the row that was set aside at a place. x: [rows] by place, zero before and after. */
static ksStatus addClosure(ksiNearest *n, int closing, double *x)
{
    const int from = ksiProfileClosure(&n->profile, n->matrix, closing, ROUNDING_PART, x);
    const ksStatus status = ksiStressSetAdd(&n->allocator, &n->all, from, closing + 1, x + from);
    memset(x + from, 0, (size_t)(closing + 1 - from) * sizeof *x);
    return status;
}

/* |K^T n_k|^2. motion: zero before and after. */
KSI_CLONES
static double squareLeft(ksiNearest *n, int k)
{
    const ksiStressSet *set = &n->all;
    double square = 0;
    for (int i = set->from[k]; i < set->end[k]; i++) {
        const int l = n->profile.order[i];
        for (int p = 0; p < 2; p++)
            if (n->body[l][p] >= 0)
                ksiAddSix(n->motion + 6 * n->body[l][p], *ksiStressFrom(set, k, i), n->unit + 12 * l + 6 * p);
    }
    for (int i = set->from[k]; i < set->end[k]; i++)
        for (int p = 0; p < 2; p++) {
            const int b = n->body[n->profile.order[i]][p];
            if (b < 0)
                continue;
            square += ksiDotSix(n->motion + 6 * b, n->motion + 6 * b);
            memset(n->motion + 6 * b, 0, 6 * sizeof *n->motion);
        }
    return square;
}

/* x, by places: less its part along the vectors. */
KSI_CLONES
static void takeOut(const ksiStressSet *set, double *byPlace)
{
    double *part = set->work;
    for (int k = 0; k < set->count; k++)
        part[k] = ksiDotMany(set->end[k] - set->from[k], ksiStressFrom(set, k, set->from[k]), byPlace + set->from[k]);
    ksiProfileSolve(&set->gram, set->factor, part, part + set->count);
    for (int k = 0; k < set->count; k++)
        ksiAddMany(set->end[k] - set->from[k], -part[k], ksiStressFrom(set, k, set->from[k]), byPlace + set->from[k]);
}

/* x, by rows: less its part along the self-stresses, of unit length. Returns the length that it had. */
static double takeStress(ksiNearest *n, double *x)
{
    double *byPlace = n->work;
    for (int i = 0; i < n->rows; i++)
        byPlace[i] = x[n->profile.order[i]];
    takeOut(&n->all, byPlace);
    const double size = ksiNearestNorm(byPlace, (size_t)n->rows);
    for (int i = 0; i < n->rows; i++)
        x[n->profile.order[i]] = size > 0 ? byPlace[i] / size : 0;
    return size;
}

/* The least singular value beyond the self-stresses. The rows that were set aside are zero in a solution: it is one of all rows
 * without a part along the self-stresses. */
static double findNext(ksiNearest *n)
{
    double *x = n->right, size = 0;
    for (int l = 0; l < n->rows; l++)
        x[l] = l < n->rigid ? ksiPseudoRandom(l) : 0;
    takeStress(n, x);
    for (int i = 0; i < ITERATIONS; i++) {
        ksiProfileSolve(&n->profile, n->matrix, x, n->work);
        size = takeStress(n, x);
    }
    return sqrt(1 / size);
}

/* After a factorisation that has set `count` rows aside. */
ksStatus ksiNearestFindClosures(ksiNearest *n, int count, ksiSpectrum *found)
{
    const ksiProfile *profile = &n->profile;
    double *x = n->right, sum = 0, trace = 0;
    KSI_TRY(ksiStressSetBegin(&n->allocator, &n->all, count));
    memset(x, 0, (size_t)n->rows * sizeof *x);
    for (int i = 0; i < n->rows; i++)
        if (!(fabs(n->matrix[profile->diagonal[i]]) > 0))
            KSI_TRY(addClosure(n, i, x));
    KSI_TRY(ksiStressSetMeasure(n, &n->all));
    memset(n->motion, 0, 6 * (size_t)n->bodies * sizeof *n->motion);
    found->typical = 0;
    for (int k = 0; k < count; k++) {
        const double residual = squareLeft(n, k), own = n->all.metric[n->all.gram.diagonal[k]];
        found->typical = fmax(found->typical, sqrt(residual * own));
        sum += residual;
        trace += own;
    }
    found->bound = sqrt(sum * trace);
    found->next = count < n->rigid ? findNext(n) : INFINITY;
    return KS_OK;
}

void ksiNearestDetermine(ksiNearest *n, const double *length, double *multiplier)
{
    double *byPlace = n->work;
    if (!n->stressCount)
        return;
    for (int i = 0; i < n->rows; i++) {
        const int l = n->profile.order[i];
        byPlace[i] = l < n->rigid ? (length ? length[l] : 1) * multiplier[l] : 0;
    }
    takeOut(ksiNearestStresses(n), byPlace);
    for (int l = 0; l < n->rigid; l++)
        multiplier[l] = byPlace[n->profile.place[l]] / (length ? length[l] : 1);
}

/* --- What a joint has of them --- */

/* Self-stresses that a place between may be of. */
static int findMeeting(const ksiStressSet *set, int low, int high)
{
    int first = 0, end = set->count, count = 0;
    while (first < end) {
        const int middle = first + (end - first) / 2;
        if (set->end[middle] <= low)
            first = middle + 1;
        else
            end = middle;
    }
    for (int k = first; k < set->count && set->reach[k] <= high; k++)
        if (set->from[k] <= high)
            set->meeting[count++] = k;
    return count;
}

KSI_CLONES
void ksiNearestShare(ksiNearest *n, int count, const int *row)
{
    const ksiStressSet *set = ksiNearestStresses(n);
    double p[KSI_SHARES][8] = {{0}}, root[KSI_SHARES][8];
    int low = INT_MAX, high = -1, pivot[KSI_SHARES];
    for (int l = 0; l < count; l++) {
        const int at = n->profile.place[row[l]];
        memset(n->share + KSI_SHARES * row[l], 0, KSI_SHARES * sizeof *n->share);
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    // parts of the rows: two vectors of four for each self-stress
    const int meeting = n->stressCount ? findMeeting(set, low, high) : 0;
    ksiFour *part = (ksiFour *)(void *)set->work;
    for (int a = 0; a < meeting; a++) {
        part[2 * a] = part[2 * a + 1] = (ksiFour){0};
        for (int l = 0; l < count; l++)
            part[2 * a + l / 4][l % 4] = ksiStressAt(set, set->meeting[a], n->profile.place[row[l]]);
    }
    // half of it, for half of the pairs
    for (int b = 0; b < meeting; b++) {
        const int k = set->meeting[b], stride = ksiProfileStride(&set->gram, k);
        const int base = set->gram.diagonal[k] - k * stride;
        ksiFour sum[2];
        EACH (v, 0, 2)
            sum[v] = 0.5 * set->metric[base + k * stride] * part[2 * b + v];
        for (int a = 0; a < b; a++)
            EACH (v, 0, 2)
                sum[v] += set->metric[base + set->meeting[a] * stride] * part[2 * a + v];
        for (int l = 0; l < count; l++)
            EACH (v, 0, 2)
                ((ksiFour *)p[l])[v] += part[2 * b + l / 4][l % 4] * sum[v];
    }
    for (int l = 0; l < count; l++)
        for (int m = 0; m <= l; m++)
            p[l][m] = p[m][l] = p[l][m] + p[m][l];
    // P = S S^T of the joint's rows: what rounding has left of it is none
    const int rank = ksiRootSemidefinite(count, p[0], 8, DBL_EPSILON, root[0], pivot);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < rank; k++)
            n->share[KSI_SHARES * row[l] + k] = root[k][l];
}

/* --- Those in which some rows have no part --- */

/* n_j -= times n_k, of unit length. */
static ksStatus takeOne(ksiNearest *n, ksiStressSet *set, int j, double times, int k)
{
    const int from = set->from[j] < set->from[k] ? set->from[j] : set->from[k];
    const int end = set->end[j] > set->end[k] ? set->end[j] : set->end[k], count = set->count;
    double *x = n->right;
    for (int i = from; i < end; i++)
        x[i] = ksiStressAt(set, j, i) - times * ksiStressAt(set, k, i);
    set->count = j;
    const ksStatus status = ksiStressSetAdd(&n->allocator, set, from, end, x + from);
    set->count = count;
    return status;
}

static void exchange(ksiStressSet *set, int j, int k)
{
    int *const part[] = {set->from, set->end, set->at};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        const int kept = part[i][j];
        part[i][j] = part[i][k];
        part[i][k] = kept;
    }
}

static void sort(ksiStressSet *set)
{
    for (int k = 1; k < set->count; k++)
        for (int j = k; j > 0 && set->end[j - 1] > set->end[j]; j--)
            exchange(set, j - 1, j);
}

/* The largest part that any of the rows has; its self-stress and its place. */
static double largestPart(const ksiNearest *n, const ksiStressSet *set, int count, const int *row, int *best,
                          int *place)
{
    double most = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < set->count; k++) {
            const double part = fabs(ksiStressAt(set, k, n->profile.place[row[i]]));
            if (part > most) {
                most = part;
                *best = k;
                *place = n->profile.place[row[i]];
            }
        }
    return most;
}

static ksStatus copySet(const ksAllocator *allocator, const ksiStressSet *from, ksiStressSet *to)
{
    KSI_TRY(ksiStressSetBegin(allocator, to, from->count));
    for (int k = 0; k < from->count; k++)
        KSI_TRY(ksiStressSetAdd(allocator, to, from->from[k], from->end[k], ksiStressFrom(from, k, from->from[k])));
    return KS_OK;
}

static ksStatus choose(ksiNearest *n, int count, const int *without)
{
    ksiStressSet *set = &n->chosen;
    int best = 0, place = 0;
    ksStatus status = copySet(&n->allocator, &n->all, set);
    while (!status && largestPart(n, set, count, without, &best, &place) > ksiNearestFloor(n)) {
        const double pivot = ksiStressAt(set, best, place);
        for (int j = 0; !status && j < set->count; j++) {
            const double part = ksiStressAt(set, j, place);
            if (j != best && part != 0)
                status = takeOne(n, set, j, part / pivot, best);
        }
        exchange(set, best, --set->count);
    }
    for (int k = 0; k < set->count; k++)
        for (int i = 0; i < count; i++) {
            const int at = n->profile.place[without[i]];
            if (set->from[k] <= at && at < set->end[k])
                set->value[set->at[k] + at - set->from[k]] = 0;
        }
    sort(set);
    return status ? status : ksiStressSetMeasure(n, set);
}

ksStatus ksiNearestChoose(ksiNearest *n, int count, const int *without)
{
    const bool isAll = !count || !n->all.count;
    const ksStatus status = isAll ? KS_OK : choose(n, count, without);
    n->hasShares &= isAll && !n->areChosen;
    n->areChosen = !isAll;
    n->stressCount = status ? 0 : ksiNearestStresses(n)->count;
    return status;
}

/* --- How elastic rows share --- */

/* Places of a self-stress, and those of rows that give way by what it has there. */
static void spanOf(const ksiNearest *n, const ksiStressSet *from, int k, const ksiElasticRow *elastic, int span[2])
{
    span[0] = from->from[k], span[1] = from->end[k];
    for (int l = 0; l < n->rigid; l++)
        for (int m = 0; m < elastic[l].count; m++) {
            const int place = n->profile.place[l], other = n->profile.place[elastic[l].with[m]];
            if (other < from->from[k] || other >= from->end[k])
                continue;
            span[0] = place < span[0] ? place : span[0];
            span[1] = place >= span[1] ? place + 1 : span[1];
        }
}

/* The chosen ones, as what the rows give way by. */
static ksStatus weigh(ksiNearest *n, const ksiElasticRow *elastic)
{
    const ksiStressSet *from = ksiNearestStresses(n);
    double *x = n->right, *multiplier = n->work;
    KSI_TRY(ksiStressSetBegin(&n->allocator, &n->elastic, from->count));
    memset(multiplier, 0, (size_t)n->rows * sizeof *multiplier);
    for (int k = 0; k < from->count; k++) {
        int span[2];
        spanOf(n, from, k, elastic, span);
        for (int i = from->from[k]; i < from->end[k]; i++)
            multiplier[n->profile.order[i]] = *ksiStressFrom(from, k, i) / n->length[n->profile.order[i]];
        for (int i = span[0]; i < span[1]; i++) {
            const int l = n->profile.order[i];
            x[i] = l < n->rigid ? ksiElasticPart(elastic, l, multiplier) : 0;
        }
        for (int i = from->from[k]; i < from->end[k]; i++)
            multiplier[n->profile.order[i]] = 0;
        KSI_TRY(ksiStressSetAdd(&n->allocator, &n->elastic, span[0], span[1], x + span[0]));
    }
    sort(&n->elastic);
    return factorise(n, &n->elastic);
}

ksStatus ksiNearestShareOut(ksiNearest *n, const ksiElasticRow *elastic, double *multiplier)
{
    const ksStatus status = n->stressCount ? weigh(n, elastic) : KS_OK;
    if (status || !n->stressCount)
        return status;
    double *byPlace = n->work, *part = n->right;
    for (int i = 0; i < n->rows; i++) {
        const int l = n->profile.order[i];
        byPlace[i] = l < n->rigid ? ksiElasticPart(elastic, l, multiplier) : 0;
    }
    takeOut(&n->elastic, byPlace);
    for (int i = 0; i < n->rows; i++)
        part[n->profile.order[i]] = byPlace[i];
    ksiElasticMultipliers(n->rigid, elastic, part, multiplier);
    return KS_OK;
}

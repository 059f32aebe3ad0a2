/* profile.c  L D L^T of symmetric matrices of rows over bodies, without pivoting: a node's rows are the elements of vectors. */
#include "profile.h"

#include "../base/vectorise.h"

#include <limits.h>
#include <math.h>
#include <string.h>

ksiProfile ksiProfileIn(int rows, int *numbers)
{
    ksiProfile profile = {.rows = rows};
    int **const byRow[KSI_PROFILE_ARRAYS] = {&profile.order, &profile.place, &profile.first,   &profile.start,
                                             &profile.node,  &profile.next,  &profile.diagonal};
    for (int i = 0; i < KSI_PROFILE_ARRAYS; i++)
        *byRow[i] = numbers + (size_t)i * (size_t)rows;
    return profile;
}

/* Rows by body, as compressed lists. */
static void listRows(const ksiProfile *profile, int bodies, int (*body)[2], int *start, int *row)
{
    memset(start, 0, (size_t)(bodies + 2) * sizeof *start);
    for (int l = 0; l < profile->rows; l++)
        for (int p = 0; p < 2; p++)
            if (body[l][p] >= 0)
                start[body[l][p] + 2]++;
    for (int b = 0; b < bodies; b++)
        start[b + 2] += start[b + 1];
    for (int l = 0; l < profile->rows; l++)
        for (int p = 0; p < 2; p++)
            if (body[l][p] >= 0)
                row[start[body[l][p] + 1]++] = l;
}

/* Breadth-first search from queue[from], which ranks bodies by distance; rank -1: not visited. Returns the end of the
 * queue. */
static int walk(int from, int (*body)[2], const int *start, const int *row, int *queue, int *rank)
{
    int end = from + 1;
    rank[queue[from]] = from;
    for (int at = from; at < end; at++)
        for (int k = start[queue[at]]; k < start[queue[at] + 1]; k++)
            for (int p = 0; p < 2; p++) {
                const int other = body[row[k]][p];
                if (other < 0 || rank[other] >= 0)
                    continue;
                rank[other] = end;
                queue[end++] = other;
            }
    return end;
}

/* Ranks the bodies of each component from one end: a body that is farthest from some other body. */
static void rankBodies(int bodies, int (*body)[2], const int *start, const int *row, int *queue, int *rank)
{
    int done = 0;
    for (int b = 0; b < bodies; b++)
        rank[b] = -1;
    for (int b = 0; b < bodies; b++) {
        if (rank[b] >= 0)
            continue;
        queue[done] = b;
        const int end = walk(done, body, start, row, queue, rank);
        for (int k = done; k < end; k++)
            rank[queue[k]] = -1;
        queue[done] = queue[end - 1];
        done = walk(done, body, start, row, queue, rank);
    }
}

static int rankOf(int body, const int *rank)
{
    return body < 0 ? -1 : rank[body];
}

/* The later of both, or the earlier one. */
static int bodyOf(const int pair[2], int isLater, const int *rank)
{
    const int a = rankOf(pair[0], rank), b = rankOf(pair[1], rank);
    return (a > b) == isLater ? a : b;
}

/* to: the rows `from` (NULL: as they are) in the order of their later or earlier body, and else as they were. next: [bodies + 2] */
static void sortRows(int rows, int bodies, int (*body)[2], int isLater, const int *rank, const int *from, int *next,
                     int *to)
{
    memset(next, 0, (size_t)(bodies + 2) * sizeof *next);
    for (int l = 0; l < rows; l++)
        next[bodyOf(body[l], isLater, rank) + 2]++;
    for (int b = 0; b < bodies; b++)
        next[b + 1] += next[b];
    for (int i = 0; i < rows; i++) {
        const int l = from ? from[i] : i;
        to[next[bodyOf(body[l], isLater, rank) + 1]++] = l;
    }
}

void ksiProfileMeasure(ksiProfile *profile)
{
    profile->size = profile->room = 0;
    for (int i = 0, end; i < profile->rows; i = end) {
        int first = profile->first[i];
        for (end = i + 1; end < profile->rows && end < i + KSI_NODE_ROWS && profile->node[end] == profile->node[i];
             end++)
            first = profile->first[end] < first ? profile->first[end] : first;
        first = first < i ? profile->node[first] : i;
        const int wide = end - i > 4 ? 8 : 4;
        if (end - first > (INT_MAX - profile->room) / wide) {
            profile->size = -1;
            return;
        }
        for (int k = end - 1; k >= i; k--) {
            profile->first[k] = first, profile->node[k] = i, profile->next[k] = end;
            profile->diagonal[k] = profile->room + (k - first) * wide + k - i;
            profile->size += k - first + 1;
        }
        profile->room += wide * (end - first);
    }
}

void ksiProfileFind(ksiProfile *profile, int bodies, int (*body)[2], int *work)
{
    int *start = work, *rank = start + bodies + 2, *queue = rank + bodies, *row = queue + bodies;
    listRows(profile, bodies, body, start, row);
    rankBodies(bodies, body, start, row, queue, rank);
    int *next = start, *least = queue;
    for (int b = 0; b < bodies; b++)
        least[b] = profile->rows;
    // of a body's rows those first that reach farthest back: what depends on earlier ones closes a short loop
    sortRows(profile->rows, bodies, body, 0, rank, NULL, next, row);
    sortRows(profile->rows, bodies, body, 1, rank, row, next, profile->order);
    for (int i = 0; i < profile->rows; i++)
        profile->place[profile->order[i]] = i;
    for (int i = 0; i < profile->rows; i++) {
        const int *pair = body[profile->order[i]];
        const int *before = i > 0 ? body[profile->order[i - 1]] : NULL;
        profile->first[i] = profile->start[i] = profile->node[i] = i;
        if (before && pair[0] == before[0] && pair[1] == before[1])
            profile->node[i] = profile->node[i - 1];
        if (before && bodyOf(pair, 1, rank) == bodyOf(before, 1, rank))
            profile->start[i] = profile->start[i - 1];
        for (int p = 0; p < 2; p++)
            if (pair[p] >= 0) {
                least[pair[p]] = least[pair[p]] < i ? least[pair[p]] : i;
                profile->first[i] = least[pair[p]] < profile->first[i] ? least[pair[p]] : profile->first[i];
            }
    }
    ksiProfileMeasure(profile);
}

void ksiProfileFull(ksiProfile *profile)
{
    for (int i = 0; i < profile->rows; i++) {
        profile->order[i] = profile->place[i] = i;
        profile->first[i] = profile->start[i] = profile->node[i] = 0;
    }
    ksiProfileMeasure(profile);
}

/* Columns of a node, from a place on. */
KSI_INLINE ksiFour *columnOf(const ksiProfile *profile, int node, int place, double *a)
{
    return (ksiFour *)(void *)(a + ksiProfileAt(profile, node, place));
}

/* g_ij = a_ij - sum g_ik l_jk of the node's rows i, up to its own columns. */
KSI_INLINE void eliminate(const int WIDE, const ksiProfile *profile, int node, double *a)
{
    const int first = profile->first[node];
    ksiFour *own = columnOf(profile, node, first, a);
    for (int j = first; j < node; j++) {
        const int from = profile->first[j] > first ? profile->first[j] : first, step = ksiProfileStride(profile, j);
        const double *l = a + ksiProfileAt(profile, j, from);
        ksiFour *g = own + WIDE * (from - first), *to = own + WIDE * (j - first), sum[2];
        EACH (v, 0, WIDE)
            sum[v] = to[v];
        for (; g < to; g += WIDE, l += step)
            EACH (v, 0, WIDE)
                sum[v] -= *l * g[v];
        EACH (v, 0, WIDE)
            to[v] = sum[v];
    }
}

/* L and D^-1 of a node. Returns the number of negative elements of D; -1: one is zero or no number. */
KSI_INLINE int factorNode(const int ROWS, const ksiProfile *profile, int node, double *a)
{
    const int WIDE = ROWS > 4 ? 2 : 1, first = profile->first[node];
    int negative = 0;
    ksiFour *column = columnOf(profile, node, first, a), block[KSI_NODE_ROWS][2], l[2];
    eliminate(WIDE, profile, node, a);
    EACH (c, 0, ROWS)
        EACH (v, 0, WIDE)
            block[c][v] = column[WIDE * (node - first + c) + v];
    for (int k = first; k < node; k++, column += WIDE) {
        EACH (v, 0, WIDE)
            l[v] = a[profile->diagonal[k]] * column[v];
        EACH (c, 0, ROWS) {
            const double g = column[c / 4][c % 4];
            EACH (v, 0, WIDE)
                block[c][v] -= g * l[v];
        }
        EACH (v, 0, WIDE)
            column[v] = l[v];
    }
    EACH (c, 0, ROWS) {
        const double d = block[c][c / 4][c % 4];
        if (!isfinite(d) || !(fabs(d) > 0))
            return -1;
        negative += d < 0;
        const double inverse = 1 / d;
        EACH (v, 0, WIDE)
            column[v] = l[v] = inverse * block[c][v];
        EACH (i, c + 1, ROWS) {
            const double g = block[c][i / 4][i % 4];
            EACH (v, 0, WIDE)
                block[i][v] -= g * l[v];
        }
        a[profile->diagonal[node + c]] = inverse;
        column += WIDE;
    }
    return negative;
}

KSI_CLONES
int ksiProfileFactor(const ksiProfile *profile, double *a)
{
    int negative = 0;
    for (int node = 0, own = 0; node < profile->rows; node = profile->next[node]) {
#define FACTOR(ROWS) own = factorNode(ROWS, profile, node, a)
        KSI_BY_ROWS(profile->next[node] - node, FACTOR)
        if (own < 0)
            return -1;
        negative += own;
    }
    return negative;
}

/* x := L^-1 x of a node, by places. */
KSI_INLINE void forward(const int ROWS, const ksiProfile *profile, const double *a, int node, double *x)
{
    const int WIDE = ROWS > 4 ? 2 : 1;
    const ksiFour *column = (const ksiFour *)(const void *)(a + ksiProfileAt(profile, node, profile->first[node]));
    ksiFour sum[2] = {{0}, {0}};
    for (int k = profile->first[node]; k < node; k++, column += WIDE)
        EACH (v, 0, WIDE)
            sum[v] += x[k] * column[v];
    EACH (c, 0, ROWS) {
        const double own = x[node + c] -= sum[c / 4][c % 4];
        EACH (v, 0, WIDE)
            sum[v] += own * column[WIDE * c + v];
    }
}

/* Takes from earlier places what a node's own have of them, by L^T. */
KSI_INLINE void backward(const int WIDE, const ksiProfile *profile, const double *a, int node, const ksiFour *own,
                         double *x)
{
    const ksiFour *column = (const ksiFour *)(const void *)(a + ksiProfileAt(profile, node, profile->first[node]));
    ksiFour sum[4];
    int k = profile->first[node];
    for (; k + 4 <= node; k += 4, column += 4 * WIDE) {
        EACH (i, 0, 4) {
            sum[i] = own[0] * column[WIDE * i];
            EACH (v, 1, WIDE)
                sum[i] += own[v] * column[WIDE * i + v];
        }
        const ksiFour even = KSI_SHUFFLE(sum[0], sum[1], 0, 4, 2, 6) + KSI_SHUFFLE(sum[0], sum[1], 1, 5, 3, 7);
        const ksiFour odd = KSI_SHUFFLE(sum[2], sum[3], 0, 4, 2, 6) + KSI_SHUFFLE(sum[2], sum[3], 1, 5, 3, 7);
        *(ksiFour *)(x + k) -= KSI_SHUFFLE(even, odd, 0, 1, 4, 5) + KSI_SHUFFLE(even, odd, 2, 3, 6, 7);
    }
    for (; k < node; k++, column += WIDE) {
        sum[0] = own[0] * column[0];
        EACH (v, 1, WIDE)
            sum[0] += own[v] * column[v];
        const ksiTwo two = ksiFold(&sum[0]);
        x[k] -= two[0] + two[1];
    }
}

/* x := L^-T x of a node, by places: all that lies behind has had its part. */
KSI_INLINE void substitute(const int ROWS, const ksiProfile *profile, const double *a, int node, double *x)
{
    const int WIDE = ROWS > 4 ? 2 : 1;
    const double *l = a + ksiProfileAt(profile, node, node);
    double own[8] = {0};
    EACH_DOWN (c, 0, ROWS) {
        double part = x[node + c];
        EACH (r, c + 1, ROWS)
            part -= own[r] * l[4 * WIDE * c + r];
        own[c] = x[node + c] = part;
    }
    backward(WIDE, profile, a, node, (const ksiFour *)(const void *)own, x);
}

KSI_CLONES
void ksiProfileSolve(const ksiProfile *profile, const double *a, double *x, double *work)
{
    for (int i = 0; i < profile->rows; i++)
        work[i] = x[profile->order[i]];
    for (int node = 0; node < profile->rows; node = profile->next[node]) {
#define FORWARD(ROWS) forward(ROWS, profile, a, node, work)
        KSI_BY_ROWS(profile->next[node] - node, FORWARD)
    }
    for (int i = 0; i < profile->rows; i++)
        work[i] *= a[profile->diagonal[i]];
    for (int end = profile->rows, node; end > 0; end = node) {
        node = profile->node[end - 1];
#define SUBSTITUTE(ROWS) substitute(ROWS, profile, a, node, work)
        KSI_BY_ROWS(end - node, SUBSTITUTE)
    }
    for (int i = 0; i < profile->rows; i++)
        x[profile->order[i]] = work[i];
}

/* Places of later rows over the columns of a node, and of each of these eight numbers of L and of Z. */
typedef struct Inverse {
    int count, *place;
    ksiFour *l, *z; /* [count][2] */
} Inverse;

/* z_k = sum Z_km l_m of the later rows, by pairs. */
KSI_INLINE void multiply(const int WIDE, const ksiProfile *profile, const double *inverse, const Inverse *of)
{
    for (int i = 0; i < of->count; i++) {
        const int k = of->place[i], stride = ksiProfileStride(profile, k);
        const ksiFour *own = of->l + 2 * i;
        const int base = profile->diagonal[k] - k * stride;
        ksiFour sum[2];
        EACH (v, 0, WIDE)
            sum[v] = inverse[base + k * stride] * own[v];
        for (int m = 0; m < i; m++) {
            const double z = inverse[base + of->place[m] * stride];
            EACH (v, 0, WIDE) {
                sum[v] += z * of->l[2 * m + v];
                of->z[2 * m + v] += z * own[v];
            }
        }
        EACH (v, 0, WIDE)
            of->z[2 * i + v] = sum[v];
    }
}

/* What later rows have of a node's L. */
KSI_INLINE void takeRows(const int ROWS, const ksiProfile *profile, int node, const double *a, const Inverse *of)
{
    for (int i = 0; i < of->count; i++) {
        const double *from = a + ksiProfileAt(profile, of->place[i], node);
        const int stride = ksiProfileStride(profile, of->place[i]);
        of->l[2 * i] = of->l[2 * i + 1] = (ksiFour){0};
        EACH (c, 0, ROWS)
            of->l[2 * i + c / 4][c % 4] = from[c * stride];
    }
}

/* Z = D^-1 L^-1 + Z (1 - L) from the last column to the first: with l the column of L below its diagonal,
 *     z_j = -Z l,      z_jj = 1 / d_j - l . z_j,
 * where Z_km l_m of later rows is found for all columns of a node at once. */
KSI_INLINE void invertNode(const int ROWS, const ksiProfile *profile, int node, const double *a, double *inverse,
                           const Inverse *of)
{
    const int WIDE = ROWS > 4 ? 2 : 1;
    const double *l = a + ksiProfileAt(profile, node, node);  // l_rc: [4 WIDE c + r]
    double *own = inverse + ksiProfileAt(profile, node, node);
    ksiFour row[KSI_NODE_ROWS][2] = {{{0}}}, sum[KSI_NODE_ROWS][2] = {{{0}}};
    EACH (r, 1, ROWS)
        EACH (c, 0, r)
            row[r][c / 4][c % 4] = l[4 * WIDE * c + r];
    takeRows(ROWS, profile, node, a, of);
    multiply(WIDE, profile, inverse, of);
    for (int i = 0; i < of->count; i++) {
        ksiFour *z = of->z + 2 * i;
        double *to = inverse + ksiProfileAt(profile, of->place[i], node);
        const int stride = ksiProfileStride(profile, of->place[i]);
        EACH_DOWN (r, 0, ROWS) {
            const double part = z[r / 4][r % 4];
            to[r * stride] = -part;
            EACH (v, 0, WIDE) {
                z[v] -= part * row[r][v];
                sum[r][v] += part * of->l[2 * i + v];
            }
        }
    }
    EACH_DOWN (c, 0, ROWS)
        EACH_DOWN (r, c, ROWS) {
            double z = r == c ? a[profile->diagonal[node + c]] : 0;
            z += sum[r][c / 4][c % 4];
            EACH (k, c + 1, ROWS)
                z -= own[4 * WIDE * (k < r ? k : r) + (k < r ? r : k)] * l[4 * WIDE * c + k];
            own[4 * WIDE * c + r] = z;
        }
}

KSI_CLONES
void ksiProfileInvert(const ksiProfile *profile, const double *a, double *inverse, double *work, int *whole)
{
    Inverse of = {.place = whole, .l = (ksiFour *)(void *)work, .z = (ksiFour *)(void *)(work + 8 * profile->rows)};
    for (int end = profile->rows, last = end, node; end > 0; end = node) {
        node = profile->node[end - 1];
        while (profile->first[last - 1] > node)  // nor does it reach an earlier column
            last--;
        of.count = 0;
        for (int k = end; k < last; k++) {
            of.place[of.count] = k;
            of.count += profile->first[k] <= node;
        }
#define INVERT(ROWS) invertNode(ROWS, profile, node, a, inverse, &of)
        KSI_BY_ROWS(end - node, INVERT)
    }
}

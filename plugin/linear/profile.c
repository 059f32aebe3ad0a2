/* profile.c  L D L^T of symmetric matrices of rows over bodies, without pivoting. */
#include "profile.h"

#include "../base/vectorise.h"

#include <limits.h>
#include <math.h>
#include <string.h>

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
    profile->size = 0;
    for (int i = 0; i < profile->rows && profile->size >= 0; i++) {
        const int length = i - profile->first[i] + 1;
        profile->size = profile->size > INT_MAX - length ? -1 : profile->size + length;
        profile->end[i] = profile->size;
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
        profile->first[i] = profile->start[i] = i;
        if (i > 0 && bodyOf(pair, 1, rank) == bodyOf(body[profile->order[i - 1]], 1, rank))
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
        profile->first[i] = profile->start[i] = 0;
    }
    ksiProfileMeasure(profile);
}

KSI_CLONES
int ksiProfileFactor(const ksiProfile *profile, double least, double *a)
{
    int counted = 0;
    for (int i = 0; i < profile->rows; i++) {
        const int first = profile->first[i];
        double *row = a + profile->end[i] - 1 - (i - first), *diagonal = row + (i - first);
        // g_ij = a_ij - sum g_ik l_jk, then l_ij = g_ij / d_j
        for (int j = first + 1; j < i; j++) {
            const int from = profile->first[j] > first ? profile->first[j] : first;
            row[j - first] -= ksiDotMany(j - from, row + (from - first), a + profile->end[j] - 1 - (j - from));
        }
        for (int j = first; j < i; j++) {
            const double g = row[j - first], l = g / a[profile->end[j] - 1];
            *diagonal -= g * l;
            row[j - first] = l;
        }
        if (!isfinite(*diagonal) || (!(fabs(*diagonal) > 0) && !(*diagonal <= least)))
            return -1;
        counted += *diagonal < 0 || *diagonal <= least;
        *diagonal = *diagonal <= least ? INFINITY : *diagonal;
    }
    return counted;
}

KSI_CLONES
void ksiProfileSolve(const ksiProfile *profile, const double *a, double *x, double *work)
{
    for (int i = 0; i < profile->rows; i++) {
        const int length = i - profile->first[i];
        work[i] = x[profile->order[i]] - ksiDotMany(length, a + profile->end[i] - 1 - length, work + profile->first[i]);
    }
    for (int i = 0; i < profile->rows; i++)
        work[i] /= a[profile->end[i] - 1];
    for (int i = profile->rows - 1; i >= 0; i--) {
        const int length = i - profile->first[i];
        ksiAddMany(length, -work[i], a + profile->end[i] - 1 - length, work + profile->first[i]);
        x[profile->order[i]] = work[i];
    }
}

/* Z = D^-1 L^-1 + Z (1 - L) from the last column to the first: with l the column of L below its diagonal,
 *     z_j = -Z l,      z_jj = 1 / d_j - l . z_j. */
KSI_CLONES
void ksiProfileInvert(const ksiProfile *profile, const double *a, double *inverse, double *work)
{
    double *l = work, *z = work + profile->rows;
    for (int j = profile->rows - 1, last = j; j >= 0; j--) {
        while (profile->first[last] > j)  // nor does it reach an earlier column
            last--;
        for (int k = j + 1; k <= last; k++) {
            l[k] = profile->first[k] <= j ? a[ksiProfileAt(profile, k, j)] : 0;
            z[k] = 0;
        }
        for (int k = j + 1; k <= last; k++) {
            if (profile->first[k] > j)
                continue;
            const double *row = inverse + ksiProfileAt(profile, k, j + 1);
            const int length = k - j - 1;
            z[k] += ksiDotMany(length, row, l + j + 1) + row[length] * l[k];
            ksiAddMany(length, l[k], row, z + j + 1);
        }
        double own = 1 / a[profile->end[j] - 1];
        for (int k = j + 1; k <= last; k++) {
            own += l[k] * z[k];
            if (profile->first[k] <= j)
                inverse[ksiProfileAt(profile, k, j)] = -z[k];
        }
        inverse[profile->end[j] - 1] = own;
    }
}

/* box_problem.h  Box-constrained complementarity problems in binary128: w = A x - b, low <= x <=
 * high, w = 0 inside, w >= 0 at low, w <= 0 at high. A is symmetric and positive definite.
 *
 * Active sets: a step towards the solution for the present places, up to the first bound on the
 * way. There the row with the largest violation is freed. Steps that are only noise are not
 * made. */
#ifndef TESTS_KITS_BOX_PROBLEM_H
#define TESTS_KITS_BOX_PROBLEM_H

#include <stdbool.h>

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Wide;
static const double wideNoise = 1e-26; /* of w, where its terms are of size 100 */
#else
typedef long double Wide;
static const double wideNoise = 1e-15;
#endif

enum { BOX_ROWS = 160, BOX_ROUNDS = 2000 };

typedef struct BoxProblem {
    int count;
    Wide a[BOX_ROWS][BOX_ROWS], b[BOX_ROWS], low[BOX_ROWS], high[BOX_ROWS];
    Wide x[BOX_ROWS], w[BOX_ROWS];
    int place[BOX_ROWS]; /* -1 low, 0 inside, 1 high */
} BoxProblem;

/* z for the present places of the rows, by L D L^T of the rows inside */
static inline void boxPlaced(const BoxProblem *p, Wide *z)
{
    static Wide lower[BOX_ROWS][BOX_ROWS];
    Wide pivot[BOX_ROWS], y[BOX_ROWS];
    int index[BOX_ROWS], n = 0;
    for (int i = 0; i < p->count; i++) {
        z[i] = p->place[i] < 0 ? p->low[i] : p->high[i];
        if (p->place[i] == 0)
            index[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        y[i] = p->b[index[i]];
        for (int k = 0; k < p->count; k++) {
            if (p->place[k])
                y[i] -= p->a[index[i]][k] * z[k];
        }
        for (int j = 0; j <= i; j++) {
            Wide sum = p->a[index[i]][index[j]];
            for (int k = 0; k < j; k++)
                sum -= lower[i][k] * pivot[k] * lower[j][k];
            if (j == i)
                pivot[i] = sum;
            else
                lower[i][j] = sum / pivot[j];
        }
        for (int k = 0; k < i; k++)
            y[i] -= lower[i][k] * y[k];
    }
    for (int i = n - 1; i >= 0; i--) {
        Wide sum = y[i] / pivot[i];
        for (int k = i + 1; k < n; k++)
            sum -= lower[k][i] * z[index[k]];
        z[index[i]] = sum;
    }
}

/* Moves from x towards z within the bounds; returns the row that ends the move; -1: none. */
static inline int boxAdvance(BoxProblem *p, const Wide *z)
{
    int first = -1;
    Wide part = 1;
    for (int i = 0; i < p->count; i++) {
        if (p->place[i] || (z[i] >= p->low[i] && z[i] <= p->high[i]))
            continue;
        const Wide until = ((z[i] < p->low[i] ? p->low[i] : p->high[i]) - p->x[i]) / (z[i] - p->x[i]);
        if (until < part || first < 0) {
            part = until;
            first = i;
        }
    }
    for (int i = 0; i < p->count; i++)
        p->x[i] += part * (z[i] - p->x[i]);
    if (first >= 0) {
        p->place[first] = z[first] < p->low[first] ? -1 : 1;
        p->x[first] = p->place[first] < 0 ? p->low[first] : p->high[first];
    }
    return first;
}

/* Frees the row with the largest violation; false: none has one. */
static inline bool boxFree(BoxProblem *p)
{
    int most = -1;
    Wide worst = wideNoise;
    for (int i = 0; i < p->count; i++) {
        p->w[i] = -p->b[i];
        for (int k = 0; k < p->count; k++)
            p->w[i] += p->a[i][k] * p->x[k];
        const Wide wrong = p->low[i] == p->high[i] || !p->place[i] ? 0 : p->place[i] < 0 ? -p->w[i] : p->w[i];
        if (wrong > worst) {
            worst = wrong;
            most = i;
        }
    }
    if (most >= 0)
        p->place[most] = 0;
    return most >= 0;
}

/* Starts from x, moved within the bounds. false: it does not end. */
static inline bool boxSolve(BoxProblem *p)
{
    static Wide z[BOX_ROWS];
    for (int i = 0; i < p->count; i++) {
        p->place[i] = p->x[i] <= p->low[i] ? -1 : p->x[i] >= p->high[i] ? 1 : 0;
        if (p->place[i])
            p->x[i] = p->place[i] < 0 ? p->low[i] : p->high[i];
    }
    for (int round = 0; round < BOX_ROUNDS; round++) {
        boxPlaced(p, z);
        if (boxAdvance(p, z) < 0 && !boxFree(p))
            return true;
    }
    return false;
}

#endif

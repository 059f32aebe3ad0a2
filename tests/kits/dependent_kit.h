/* dependent_kit.h  Random redundant systems, and their multipliers by one-sided Jacobi rotations in
 * long double. */
#ifndef TESTS_KITS_DEPENDENT_KIT_H
#define TESTS_KITS_DEPENDENT_KIT_H

#include "tests/kits/redundant_kit.h"

enum { MOST_COLUMNS = 200, MOST_HEIGHT = 400 };

/* Singular values below this share of the largest count as zero: the rounding of dependent rows is
 * 1e-16. */
#define ROUNDED_RANK 1e-12L

/* Unit columns of B~, which the rotations turn into U Sigma, and V. */
typedef struct Jacobi {
    int columns, height, row[MOST_COLUMNS];
    long double scale[MOST_COLUMNS], at[MOST_COLUMNS][MOST_HEIGHT], v[MOST_COLUMNS][MOST_COLUMNS];
} Jacobi;

static inline void gatherColumns(const Record *r, Jacobi *j)
{
    memset(j, 0, sizeof *j);
    j->height = r->coordinates;
    ck_assert_int_le(r->coordinates + r->rows, MOST_HEIGHT);
    for (int l = 0; l < r->rows; l++) {
        if (recordIsKnown(r, l))
            continue;
        ck_assert_int_lt(j->columns, MOST_COLUMNS);
        long double *column = j->at[j->columns];
        recordAddRow(r, l, 1, column);
        const long double size = sqrtl(dotWide(r->coordinates, column, column) + r->compliance[l]);
        if (!(size > 0))
            continue;
        const int c = j->columns++;
        if (r->compliance[l] > 0)
            column[j->height++] = sqrtl((long double)r->compliance[l]);
        for (int i = 0; i < j->height; i++)
            column[i] /= size;
        j->row[c] = l;
        j->scale[c] = size;
        j->v[c][c] = 1;
    }
}

static inline void rotateColumns(int count, long double c, long double s, long double *a, long double *b)
{
    for (int i = 0; i < count; i++) {
        const long double x = a[i], y = b[i];
        a[i] = c * x - s * y;
        b[i] = s * x + c * y;
    }
}

/* B~ V = U Sigma.   Source: Hestenes 1958. */
static inline void diagonalise(Jacobi *j)
{
    for (int sweep = 0, turned = 1; turned && sweep < 60; sweep++) {
        turned = 0;
        for (int a = 0; a < j->columns; a++)
            for (int b = a + 1; b < j->columns; b++) {
                const long double aa = dotWide(j->height, j->at[a], j->at[a]);
                const long double bb = dotWide(j->height, j->at[b], j->at[b]);
                const long double ab = dotWide(j->height, j->at[a], j->at[b]);
                // columns of zero length have no direction
                if (fabsl(ab) <= 1e-18L * sqrtl(aa * bb) + 1e-36L)
                    continue;
                const long double tau = (bb - aa) / (2 * ab);
                const long double t = (tau < 0 ? -1 : 1) / (fabsl(tau) + sqrtl(1 + tau * tau)),
                                  c = 1 / sqrtl(1 + t * t);
                rotateColumns(j->height, c, c * t, j->at[a], j->at[b]);
                rotateColumns(j->columns, c, c * t, j->v[a], j->v[b]);
                turned = 1;
            }
    }
}

/* The least singular value that counts, as a share of the largest; the number of those that do not
 * count; and whether one is so close to the border that other roundings may count it
 * differently. */
typedef struct Spectrum {
    double least;
    int zeros;
    int isAtBorder;
} Spectrum;

/* y = U Sigma^-1 V^T beta + (1 - U U^T) y_f,   d lambda = V Sigma^-1 U^T (y - y_f): without
 * self-stress. Returns the largest d lambda; scale: d. */
static inline double solveSpectrum(const Record *r, double *multiplier, double *scale, Spectrum *spectrum)
{
    static Jacobi j;
    long double applied[MOST_HEIGHT] = {0}, mu[MOST_COLUMNS] = {0}, top = 0;
    double largest = 0;
    *spectrum = (Spectrum){.least = 1};
    gatherColumns(r, &j);
    diagonalise(&j);
    recordAddForce(r, applied);
    for (int k = 0; k < j.columns; k++)
        top = fmaxl(top, sqrtl(dotWide(j.height, j.at[k], j.at[k])));
    for (int k = 0; k < j.columns; k++) {
        const long double square = dotWide(j.height, j.at[k], j.at[k]);
        const double share = (double)(sqrtl(square) / top);
        spectrum->isAtBorder |= share > ROUNDED_RANK / 20 && share < ROUNDED_RANK * 20;
        if (share <= ROUNDED_RANK) {
            spectrum->zeros++;
            continue;
        }
        spectrum->least = fmin(spectrum->least, share);
        long double side = 0;
        for (int c = 0; c < j.columns; c++)
            side += j.v[k][c] * r->beta[j.row[c]] / j.scale[c];
        const long double part = (side - dotWide(j.height, j.at[k], applied)) / square;
        for (int c = 0; c < j.columns; c++)
            mu[c] += j.v[k][c] * part;
    }
    for (int l = 0; l < r->rows; l++) {
        multiplier[l] = recordIsKnown(r, l) ? r->lo[l] : 0;
        scale[l] = 0;
    }
    for (int c = 0; c < j.columns; c++) {
        multiplier[j.row[c]] = (double)(mu[c] / j.scale[c]);
        scale[j.row[c]] = (double)j.scale[c];
        largest = fmax(largest, (double)fabsl(mu[c]));
    }
    return largest;
}

/* A body with a random mass matrix, and weight. */
static inline int addAnyBody(ksSystem *system, unsigned long long *state)
{
    double mass[36] = {0}, force[6];
    const double m = exp(1.5 * draw(state));
    for (int i = 0; i < 3; i++) {
        mass[7 * i] = m;
        mass[7 * (3 + i)] = m * (0.4 + 0.3 * draw(state));
    }
    for (int i = 0; i < 6; i++)
        force[i] = m * g * draw(state);
    return putBlock(system, 6, mass, force, NULL);
}

/* The first `count` rows of a joint that fixes two bodies at a point; b -1: to the ground. */
static inline void fixedRows(ksSystem *system, unsigned long long *state, int a, int b, const Vector apart)
{
    Vector armA, armB;
    const int isKnown = draw(state) > 0.8;
    for (int k = 0; k < 3; k++) {
        armA[k] = draw(state);
        armB[k] = armA[k] + apart[k];
    }
    for (int i = 0; i < 6; i++) {
        double ja[6] = {0}, jb[6] = {0};
        ja[i] = 1;
        jb[i] = -1;
        if (i < 3) {
            cross(armA, ja, ja + 3);
            cross(armB, jb, jb + 3);
        }
        const double known = 3 * draw(state), lo = isKnown && i == 4 ? known : -INFINITY;
        addBounded(system, a, ja, b, jb, 0, 0, lo, isKnown && i == 4 ? known : INFINITY);
    }
}

/* Bodies in a tree, each fixed to its parent twice; some rows are known. */
static inline void fixedTwins(ksSystem *system, unsigned long long *state, int bodies)
{
    for (int b = 0; b < bodies; b++)
        addAnyBody(system, state);
    for (int b = 0; b < bodies; b++) {
        const int parent = b == 0 ? -1 : (int)((draw(state) + 1) / 2 * b) % b;
        const Vector apart = {draw(state), draw(state), draw(state)};
        fixedRows(system, state, b, parent, apart);
        fixedRows(system, state, b, parent, apart);
    }
}

/* A ladder of hinges with parallel axes: `rungs` closed loops, each of which shares a rail with the
 * next, in a random orientation. */
static inline void ladder(ksSystem *system, unsigned long long *state, int rungs, double drift)
{
    const double tilt = 3 * draw(state);
    const Vector ez = {0, 0, 1}, ex = {1, 0, 0}, ey = {0, 1, 0};
    Vector rail, rung, axis, arm[2], turned;
    rotate(tilt, ez, rail);
    rotate(tilt, ex, rung);
    rotate(tilt, ey, axis);
    for (int i = 0; i < 3 * rungs; i++)
        addAnyBody(system, state);
    for (int i = 0; i < 3 * rungs; i++) {
        // rails 3 k and 3 k + 1, then the rung between their upper ends
        const int k = i / 3, isRung = i % 3 == 2, below = isRung ? 3 * k : k == 0 ? -1 : 3 * (k - 1) + i % 3;
        for (int end = 0; end < 1 + isRung; end++) {
            for (int c = 0; c < 3; c++) {
                arm[0][c] = (isRung ? (end ? 1 : -1) * rung[c] : -rail[c]) + drift * draw(state);
                arm[1][c] = rail[c] + drift * draw(state);
                turned[c] = axis[c] + drift * draw(state);
            }
            hingeRows(system, i, arm[0], 0, below < 0 ? -1 : below + end, arm[1], 0, turned);
        }
    }
}

#endif

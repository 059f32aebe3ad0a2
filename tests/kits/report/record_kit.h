/* record_kit.h  The input of a system, for references that share no number with the library: rows
 * and forces scaled by roots of their own, M = L L^T, b_l = L^-1 J_l^T. */
#ifndef TESTS_KITS_REPORT_RECORD_KIT_H
#define TESTS_KITS_REPORT_RECORD_KIT_H

#include <check.h>
#include <math.h>
#include <string.h>

enum { RECORD_BLOCKS = 64, RECORD_ROWS = 256, RECORD_SIZE = 6 };

typedef struct Record {
    int blocks, coordinates, rows;
    int size[RECORD_BLOCKS], offset[RECORD_BLOCKS];
    double mass[RECORD_BLOCKS][RECORD_SIZE][RECORD_SIZE], force[RECORD_BLOCKS * RECORD_SIZE];
    int block[RECORD_ROWS][2]; /* -1: none */
    double jacobian[RECORD_ROWS][2][RECORD_SIZE], beta[RECORD_ROWS], compliance[RECORD_ROWS];
    double lo[RECORD_ROWS], hi[RECORD_ROWS];
} Record;

/* The record that the kits write to when they add to a system; NULL, as for a new system: none. */
static Record *record;

static inline void recordInto(Record *r)
{
    if (r)
        memset(r, 0, sizeof *r);
    record = r;
}

static inline void recordBlock(int size, const double *mass, const double *force)
{
    Record *r = record;
    if (!r)
        return;
    const int b = r->blocks++;
    ck_assert_int_lt(b, RECORD_BLOCKS);
    ck_assert_int_le(size, RECORD_SIZE);
    r->size[b] = size;
    r->offset[b] = r->coordinates;
    for (int i = 0; i < size; i++) {
        r->force[r->coordinates++] = force ? force[i] : 0;
        memcpy(r->mass[b][i], mass + i * size, (size_t)size * sizeof *mass);
    }
}

/* b -1: a row over one block. */
static inline void recordRow(int a, const double *ja, int b, const double *jb, double beta, double s, double lo,
                             double hi)
{
    Record *r = record;
    if (!r)
        return;
    const int l = r->rows++;
    ck_assert_int_lt(l, RECORD_ROWS);
    r->block[l][0] = a;
    r->block[l][1] = b;
    memcpy(r->jacobian[l][0], ja, (size_t)r->size[a] * sizeof *ja);
    if (b >= 0)
        memcpy(r->jacobian[l][1], jb, (size_t)r->size[b] * sizeof *jb);
    r->beta[l] = beta;
    r->compliance[l] = s;
    r->lo[l] = lo;
    r->hi[l] = hi;
}

static inline int recordIsKnown(const Record *r, int row)
{
    return r->lo[row] == r->hi[row];
}

/* x += L^-1 (times of J_l^T or f) of a block */
static inline void recordAddScaled(const Record *r, int block, const double *from, long double times, long double *x)
{
    long double root[RECORD_SIZE][RECORD_SIZE] = {{0}}, scaled[RECORD_SIZE];
    for (int i = 0; i < r->size[block]; i++) {
        scaled[i] = times * from[i];
        for (int j = 0; j <= i; j++) {
            long double sum = r->mass[block][i][j];
            for (int k = 0; k < j; k++)
                sum -= root[i][k] * root[j][k];
            root[i][j] = i == j ? sqrtl(sum) : sum / root[j][j];
        }
        for (int j = 0; j < i; j++)
            scaled[i] -= root[i][j] * scaled[j];
        scaled[i] /= root[i][i];
        x[r->offset[block] + i] += scaled[i];
    }
}

/* [coordinates] x += times b_l */
static inline void recordAddRow(const Record *r, int row, long double times, long double *x)
{
    for (int p = 0; p < 2; p++)
        if (r->block[row][p] >= 0)
            recordAddScaled(r, r->block[row][p], r->jacobian[row][p], times, x);
}

/* [coordinates] x += L^-1 f, with the forces of known rows */
static inline void recordAddForce(const Record *r, long double *x)
{
    for (int b = 0; b < r->blocks; b++)
        recordAddScaled(r, b, r->force + r->offset[b], 1, x);
    for (int l = 0; l < r->rows; l++)
        if (recordIsKnown(r, l))
            recordAddRow(r, l, r->lo[l], x);
}

static inline long double dotWide(int count, const long double *a, const long double *b)
{
    long double sum = 0;
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

#endif

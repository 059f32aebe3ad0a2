/* model.h  A constrained system as numbers: blocks, rows and their scaling.
 *
 * All numbers are scaled by the masses. With M = L L^T block by block, a motion is y = L^T a, a
 * force is y_f = L^-1 f, and a row is stored as b_l = L^-1 J_l^T. Then J_l a = b_l . y, and |a| in
 * the metric `M` is |y|. A is J M^-1 J^T = B^T B, and M a = f + J^T lambda becomes
 * y = y_f + B lambda.
 */
#ifndef KSI_MECHANICS_MODEL_H
#define KSI_MECHANICS_MODEL_H

#include "../base/error.h"
#include "../base/memory.h"
#include "mechanics.h"

#include <math.h>
#include <string.h>

/* Precedes an array of numbers in memory. */
typedef struct ksiHead {
    size_t capacity;
    size_t unused; /* keeps the alignment of the allocator */
} ksiHead;

/* model.c */
KS_MUST_USE ksStatus ksiGrow(const ksAllocator *allocator, void *array, size_t count, size_t size);
/* does nothing for NULL, or if the allocator's arena frees the memory */
void ksiFreeNumbers(const ksAllocator *allocator, double *array);

/* Reserves memory for `count` numbers, at least one, in an array that is NULL at first, and keeps
 * its contents. */
static inline ksStatus ksiDoublesReserve(const ksAllocator *allocator, double **array, size_t count)
{
    const ksiHead *head = (const ksiHead *)(const void *)*array;
    return head && head[-1].capacity >= count ? KS_OK : ksiGrow(allocator, array, count, sizeof **array);
}

static inline ksStatus ksiIntsReserve(const ksAllocator *allocator, int **array, size_t count)
{
    const ksiHead *head = (const ksiHead *)(const void *)*array;
    return head && head[-1].capacity >= count ? KS_OK : ksiGrow(allocator, array, count, sizeof **array);
}

typedef struct ksiModel {
    const ksAllocator *allocator;
    double rigidCompliance; /* compliance up to this counts as none */

    int blockCount, coordinateCount;
    size_t choleskyCount;
    int *blockSize, *blockOffset, *blockStamp; /* [blockCount] */
    int *blockIsRigid;                         /* [blockCount] 1: its root is a ksiRigidRoot, else
                                                  L, row-major */
    int *blockCholesky;                        /* [blockCount] start of its root in cholesky */
    double *cholesky;                          /* the roots, block after block; each begins with
                                                  sqrt of a mass */
    double *scaledForce, *velocity;            /* [coordinateCount] L^-1 f, v */
    int stamp;

    int rowCount, pieceCount, entryCount, knownCount;
    int boundedCount;             /* rows that are not known and have a bound */
    int *rowPiece;                /* [rowCount + 1] */
    int *pieceBlock, *pieceEntry; /* [pieceCount] */
    double *entry;                /* b_l, piece after piece */
    double *beta, *compliance;
    double *lo, *hi;  /* ksiSystemAddJoint sets the bounds of known rows only */
    double *diagonal; /* [rowCount] A_ll = |b_l|^2 */
    int kinematicSizesKnown;
    double *kinematicSize; /* [rowCount] |b_l| in the kinematic metric; without entries 1 */
    int *rowKnown;         /* [rowCount] lo == hi */
} ksiModel;

/* model.c */
/* total numbers */
KS_MUST_USE ksStatus ksiRowsReserve(ksiModel *model, size_t rows, size_t pieces, size_t entries);
/* roots: numbers in cholesky. */
KS_MUST_USE ksStatus ksiBlocksReserve(ksiModel *model, size_t blocks, size_t coordinates, size_t roots);
/* Appends a block, whose root, force and velocity are stored after the roots, forces and velocities
 * of the other blocks; returns its number. */
int ksiAppendBlock(ksiModel *model, int size, size_t root, int isRigid);
void ksiModelClear(ksiModel *model);
int ksiRowIsEmpty(const ksiModel *model, int row);                  /* J_l = 0 and s_l = 0 */
double ksiKinematicSize(const ksiModel *model, int piece, int end); /* of a row with these pieces */
/* call before reading kinematicSize */
void ksiFindKinematicSizes(ksiModel *model);
/* a mark for blockStamp that no block has */
int ksiNextStamp(ksiModel *model);

/* Does nothing if either array is NULL. */
static inline void ksiCopy(size_t count, const double *from, double *to)
{
    if (from && to && from != to)
        memcpy(to, from, count * sizeof *to);
}

/* d_l = (A_ll + s_l)^1/2, by which multipliers of rows of different units are comparable: d_l
 * lambda_l. */
static inline double ksiRowLength(const ksiModel *model, int row)
{
    return sqrt(model->diagonal[row] + model->compliance[row]);
}

/* scaling.c */
/* 0: not positive definite */
int ksiCholesky(int size, const double *mass, double *lower);
/* x := L^-1 x */
void ksiForward(int size, const double *lower, double *x);
/* L^-1 f, over all blocks */
void ksiScaleForce(const ksiModel *model, const double *force, double *scaled);
void ksiScaleMotion(const ksiModel *model, const double *motion, double *scaled); /* L^T a */
/* L^-T y; these three also work in place */
void ksiUnscaleMotion(const ksiModel *model, const double *scaled, double *motion);
/* L^T a over one block, in place */
void ksiScaleBlockMotion(const ksiModel *model, int block, double *part);
/* b_l . y = J_l a */
double ksiRowDot(const ksiModel *model, int row, const double *y);
/* y += times b_l */
void ksiRowAdd(const ksiModel *model, int row, double times, double *y);
void ksiAppliedForce(const ksiModel *model, double *y); /* y_f + sum over known rows of b_l lo_l */
double ksiDot(size_t count, const double *a, const double *b);
int ksiAllFinite(size_t count, const double *value);
double ksiBlockWeight(const ksiModel *model, int block);     /* root of its first mass */
double ksiWeightSpread(const ksiModel *model);               /* least weight divided by largest
                                                                weight; 1: both metrics are equal */
void ksiRigidForward(const ksiRigidRoot *root, double x[6]); /* x := L^-1 x, of a block of
                                                                ksiSystemAddBody */
/* Removes from x its components along `count` orthogonal unit vectors [n x count]. */
void ksiOrthogonalise(size_t n, const double *unit, size_t count, double *x);

#endif

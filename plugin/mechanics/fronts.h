/* fronts.h  The sparse orthogonal factorisation of the null-space route, for matrices of full column rank.
 *
 *      B~ = Q R,      columns = rows of the system, rows = coordinates and slacks
 *
 *  Multifrontal Householder factorisation (Duff, Reid 1983; Davis 2011): rows of a system that touch the same blocks
 *  form a group; each group in turn is eliminated in a small dense front, and what is left of the front's rows goes to
 *  its parent. The frame's first `columns` coordinates are the pivots in the order of elimination, the others follow.
 */
#ifndef KSI_FRONTS_H
#define KSI_FRONTS_H

#include <kinetostat/system.h>

typedef struct ksiDoubles {
    double *at;
    size_t capacity;
} ksiDoubles;

typedef struct ksiInts {
    int *at;
    size_t capacity;
} ksiInts;

/* The symbolic part: belongs to a pattern of blocks and rows, whatever rows a view takes in. */
typedef struct ksiFronts {
    int known;
    int blockCount, rowCount, groupCount;    /* of the pattern; a front per group, in the order of elimination */
    ksiInts blockSize, rowPiece, pieceBlock; /* the pattern, to compare */
    ksiInts groupRow;                        /* [groupCount + 1] first row of each group */
    ksiInts blockStart, blockGroup;          /* groups by block, as compressed lists */
    ksiInts order, place;                    /* front -> group, group -> front */
    ksiInts leadStart, lead;                 /* blocks whose coordinates enter at a front */
    ksiInts upperStart, upper;               /* later fronts whose columns a front holds */
    ksiInts firstChild, nextChild, parent;   /* [groupCount] or -1 */
    ksiInts work;
} ksiFronts;

/* One dense front: height x width, column-major; the first `pivots` columns are its own. */
typedef struct ksiFront {
    int height, width, pivots;
    int rest;                 /* rows that are left for the parent, below the pivots */
    size_t matrix, slot, tau; /* starts in the arrays of ksiSparse; tau also of stair */
    size_t inverse;           /* start of the front's part of (R^T R)^-1, width x width */
} ksiFront;

/* The numeric part of one view. */
typedef struct ksiSparse {
    const ksiFronts *pattern;
    ksiFront *front; /* [groupCount] */
    size_t frontCapacity;
    double smallest;     /* least |R_kk| */
    ksiInts firstColumn; /* [groupCount + 1] columns of the view by group */
    ksiInts slot;        /* front row -> coordinate or slack */
    ksiInts stair;       /* front column -> rows of R in it */
    ksiInts position;    /* [height] place in the frame -> coordinate or slack */
    ksiInts taken, spot;
    ksiDoubles matrix, tau, lane, side, inverse;
} ksiSparse;

struct ksiFactor;

/* fronts_pattern.c: the groups, their order and tree; kept while the pattern stays. */
KS_MUST_USE ksStatus ksiFrontsPattern(ksSystem *system);

/* fronts.c: factorises the columns of `factor`; smallest tells whether the rank is beyond doubt. */
KS_MUST_USE ksStatus ksiSparseFactorise(ksSystem *system, struct ksiFactor *factor);
void ksiSparseEnter(struct ksiFactor *factor, double *h);
void ksiSparseLeave(struct ksiFactor *factor, double *h);
void ksiSparseRowsToFrame(struct ksiFactor *factor, const double *side, double *frame);
void ksiSparseFrameToRows(struct ksiFactor *factor, const double *frame, double *multiple);

/* H = 1 - tau v v^T, v_0 = 1, that makes x = (beta, 0): v is left below beta in x. Returns tau, 0 where x is so already.
 * Then x := H x for others. */
double ksiReflector(int n, double *x);
void ksiReflect(int n, const double *v, double tau, double *x);

/* fronts_inverse.c: [columns] diagonal of (R^T R)^-1. */
KS_MUST_USE ksStatus ksiSparseInverseDiagonal(ksSystem *system, struct ksiFactor *factor, double *diagonal);

#endif

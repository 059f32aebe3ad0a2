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

#include "model.h"

/* Groups of rows over the same blocks, their order of elimination and its tree: belong to a pattern of blocks and rows,
 * whatever rows a view takes in. */
typedef struct ksiFronts {
    int isOrdered;                           /* order and tree are there, beside the groups */
    int blockCount, rowCount, groupCount;    /* of the pattern; a front per group, in the order of elimination */
    ksiInts blockSize, rowPiece, pieceBlock; /* the pattern, to compare */
    ksiInts groupRow;                        /* [groupCount + 1] first row of each group */
    ksiInts blockStart, blockGroup;          /* groups by block, as compressed lists */
    ksiInts order, place;                    /* front -> group, group -> front */
    ksiInts leadStart, lead;                 /* blocks whose coordinates enter at a front */
    ksiInts upperStart, upper;               /* later fronts whose columns a front holds, in their order */
    ksiInts firstChild, nextChild, parent;   /* [groupCount] or -1 */
    ksiInts spot, work;
} ksiFronts;

/* Applied and observed motion: see ksiGatherSides. Behind the columns of a front are these, then less than a vector. */
enum { KSI_SIDES = 2, KSI_WORKSPACE_REST = 8 };

/* One dense front: height x width, by rows of `stride` doubles, the sides behind its columns; the first `pivots` columns
 * are its own, and their rows become rows of R. `rest` rows below them are left for the parent, as a triangle where that
 * makes them much fewer. Row i is untouched until column j, i < top[j]. */
typedef struct ksiFront {
    int height, width, stride, pivots;
    int steps, rest;  /* reflections: of the pivots, or of all columns */
    int take;         /* pieces of rows that enter here: [take, those of the next front) */
    size_t index;     /* start in ksiSymbolic.index, see the functions below */
    size_t matrix;    /* starts in the arrays of ksiSparse */
    size_t reflector; /* column by column */
    size_t tau;       /* [steps], first of them the pivots' */
    size_t pivot;     /* of its first column, in the order of elimination */
    size_t inverse;   /* start of the front's part of (R^T R)^-1, width x stride */
} ksiFront;

/* Pieces of successive rows of the system in one block, whose entries are `step` apart, and where the unit column of the
 * first begins in the matrix of its front. */
typedef struct ksiTake {
    int entry, step, size, column, count, block;
    size_t at;
} ksiTake;

/* What a view makes of a row. */
enum { KSI_ROW_LEFT_OUT, KSI_ROW_RIGID, KSI_ROW_COMPLIANT, KSI_ROW_DEPENDENT };

/* Dependent rows over the same blocks: they close the same loops. Starts and ends of lists are those in
 * ksiSymbolic.list. */
typedef struct ksiClosure {
    int group;               /* of the rows that are left out */
    int row, rowEnd;         /* which */
    int path, pathEnd;       /* fronts that meet their columns, upwards */
    int sweep, sweepEnd;     /* fronts that may have a part in the self-stresses, parents first */
    int support, supportEnd; /* groups that have one */
    size_t stress;           /* start of the values: KSI_STRESS_LANES for each row of the support */
    int length;              /* how many these are */
} ksiClosure;

/* The symbolic factorisation of the rows that a view takes in: all of it but numbers. */
typedef struct ksiSymbolic {
    unsigned id;        /* a new one whenever it becomes that of other rows; 0: of none */
    unsigned long used; /* when */
    int sides;          /* vectors that come along when the columns are eliminated, h := Q^T h: none or KSI_SIDES */
    int rows, columns, height; /* rows of the system, and those taken in; coordinates and slacks */
    int dependentCount;        /* rows that are left out as dependent */
    ksiInts kind;              /* [rows] KSI_ROW_... */
    ksiInts row, slack;        /* [columns], [columns] height index or -1 */
    ksiInts column;            /* [rows] column or -1 */

    int frontsKnown;
    int isDeficient; /* by its shape: a front has fewer rows than pivots */
    ksiFront *front; /* [groupCount + 1], the last one for the ends */
    size_t frontCapacity;
    ksiTake *take;
    size_t takeCapacity;
    int memberCount;     /* columns without those that are left out as dependent */
    ksiInts member;      /* [memberCount] column here -> column of the view */
    ksiInts firstColumn; /* [groupCount + 1] columns by group */
    ksiInts index;
    ksiInts position; /* [height] place in the frame -> coordinate or slack */

    int closuresKnown;
    int areEarlier; /* what the dependent rows depend on is eliminated before them */
    ksiClosure *closure;
    size_t closureCapacity;
    int closureCount;
    ksiInts list;
} ksiSymbolic;

/* The numbers of a view. */
typedef struct ksiSparse {
    const ksiFronts *pattern;
    const ksiSymbolic *symbolic;
    int sidesKnown;  /* the sides are Q^T h */
    ksiDoubles side; /* [height x KSI_SIDES] by coordinates and slacks */
    double smallest; /* least |R_kk| */
    ksiDoubles matrix, reflector, tau, pivot, workspace, left, inverse;
} ksiSparse;

/* The rows that it leaves are a triangle, column by column. */
static inline int ksiFrontLeavesTriangle(const ksiFront *f)
{
    return f->steps > f->pivots;
}

/* [height] row -> coordinate or slack. */
static inline int *ksiFrontSlot(const ksiSymbolic *s, const ksiFront *f)
{
    return s->index.at + f->index;
}

/* [width] column -> column of the view. */
static inline int *ksiFrontColumn(const ksiSymbolic *s, const ksiFront *f)
{
    return ksiFrontSlot(s, f) + f->height;
}

/* [width] rows that the column's reflection may touch end here. */
static inline int *ksiFrontTop(const ksiSymbolic *s, const ksiFront *f)
{
    return ksiFrontColumn(s, f) + f->width;
}

/* [width] length of its reflection, which is kept in whole fours of rows, with zeros around it: what is loaded four at a
 * time should have been stored so. */
static inline int *ksiFrontLength(const ksiSymbolic *s, const ksiFront *f)
{
    return ksiFrontTop(s, f) + f->width;
}

/* [pivots] row of the column's slack, or -1. */
static inline int *ksiFrontSlackRow(const ksiSymbolic *s, const ksiFront *f)
{
    return ksiFrontLength(s, f) + f->width;
}

/* [width] column beyond the pivots -> column of the parent. */
static inline int *ksiFrontToColumn(const ksiSymbolic *s, const ksiFront *f)
{
    return ksiFrontSlackRow(s, f) + f->pivots;
}

/* [pivots + rest] row beyond the pivots -> row of the parent. */
static inline int *ksiFrontToRow(const ksiSymbolic *s, const ksiFront *f)
{
    return ksiFrontToColumn(s, f) + f->width;
}

struct ksiFactor;

/* symbolic_order.c: the groups of a model, and those of each block. */
KS_MUST_USE ksStatus ksiFindRowGroups(const ksiModel *model, ksiFronts *fronts);
int ksiSameRowGroups(const ksiModel *model, const ksiFronts *fronts); /* they are those of the model */
/* Then their order and tree. */
KS_MUST_USE ksStatus ksiOrderFronts(const ksAllocator *allocator, ksiFronts *fronts);
/* Without what blocks of more than mostGroups groups couple: before the order. */
void ksiLeaveOutHubs(ksiFronts *fronts, int mostGroups);
void ksiFrontsFree(const ksAllocator *allocator, ksiFronts *fronts);

/* symbolic_fronts.c: the fronts of the columns that are listed. */
KS_MUST_USE ksStatus ksiLayOutFronts(const ksiModel *model, ksiFronts *fronts, ksiSymbolic *symbolic);

/* fronts.c: factorises the columns of `factor`; smallest tells whether the rank is beyond doubt. */
KS_MUST_USE ksStatus ksiSparseFactorise(struct ksiFactor *factor);
void ksiSparseTakeSide(struct ksiFactor *factor, int side, double *h); /* [height] Q^T of a side that is known */
void ksiSparseApplyQTransposed(struct ksiFactor *factor, double *h);
void ksiSparseApplyQ(struct ksiFactor *factor, double *h);
void ksiSparseSolveRTransposed(struct ksiFactor *factor, const double *side, double *frame);
void ksiSparseSolveR(struct ksiFactor *factor, const double *frame, double *multiple);

/* H = 1 - tau v v^T, v_0 = 1, that makes x = (beta, 0): v is left below beta in x. Returns tau, 0 where x is so already.
 * Then x := H x for others. */
double ksiReflector(int n, double *x);
void ksiReflect(int n, const double *v, double tau, double *x);

/* fronts_inverse.c: [columns] diagonal of (R^T R)^-1. */
KS_MUST_USE ksStatus ksiSparseInverseDiagonal(struct ksiFactor *factor, double *diagonal);

#endif

/* fronts.h  The sparse orthogonal factorisation of the null-space route, for matrices of full
 * column rank.
 *
 *     B~ = Q R,      columns = rows of the system, rows = coordinates and slacks
 *
 * The method is multifrontal Householder factorisation (Duff, Reid 1983; Davis 2011). Rows of a
 * system that touch the same blocks form a group. Each group in turn is eliminated in a small dense
 * front, and the front's remaining rows go to its parent. The frame's first `columns` coordinates
 * are the pivots in the order of elimination. The other coordinates follow.
 */
#ifndef KSI_MECHANICS_NULLSPACE_FRONTS_H
#define KSI_MECHANICS_NULLSPACE_FRONTS_H

#include "../../linear/elimination.h"
#include "../model.h"

#include <stdbool.h>

/* Groups of rows over the same blocks, their order of elimination and its tree. They belong to a
 * pattern of blocks and rows; they do not depend on the rows of a view. */
typedef struct ksiFronts {
    bool isOrdered;                         /* order and tree are known, not only the groups */
    int blockCount, rowCount, groupCount;   /* of the pattern; a front per group, in the order of
                                               elimination */
    int *blockSize, *rowPiece, *pieceBlock; /* the pattern, for comparison */
    int *groupRow;                          /* [groupCount + 1] first row of each group */
    int *blockStart, *blockGroup;           /* groups by block, as compressed lists */
    int *groupStart, *groupBlock;           /* blocks by group */
    int *order, *place;                     /* front -> group, group -> front */
    int *leadStart, *lead;                  /* blocks whose coordinates enter at a front */
    int *upperStart;
    ksiInts upper;                        /* later fronts whose columns a front holds, in their
                                             order */
    int *firstChild, *nextChild, *parent; /* [groupCount] or -1 */
    int *columnOf;                        /* [groupCount] of the present front, see
                                               placeColumns() */
    ksiInts work;
} ksiFronts;

/* KSI_SIDES: sides behind the columns of a front, applied and observed motion: see ksiGatherSides.
 * KSI_WORKSPACE_REST: zeros behind a front's coordinates in the workspace. */
enum { KSI_SIDES = 2, KSI_WORKSPACE_REST = 8 };

/* One dense front: height x width, row-major with `stride`, sides behind its columns. The first
 * `pivots` columns are its own, and their rows become rows of R. The `rest` rows below them go to
 * the parent, as a triangle if that makes them much fewer. The reflection of column j leaves rows
 * from top[j] on untouched. */
typedef struct ksiFront {
    int height, width, stride, pivots;
    int steps, rest;  /* reflections: of the pivots, or of all columns */
    int take;         /* first piece of rows that enters here; the last is before the next front's
                         first */
    size_t index;     /* start in ksiSymbolic.index, see the functions below */
    size_t matrix;    /* starts in the arrays of ksiSparse */
    size_t reflector; /* column by column */
    size_t tau;       /* [steps], those of the pivots first */
    size_t pivot;     /* of its first column, in the order of elimination */
    size_t inverse;   /* start of the front's part of (R^T R)^-1, width x stride */
} ksiFront;

/* Pieces of successive rows in one block, entries `step` apart; `at`: where the unit column of the
 * first one begins in the matrix of its front. */
typedef struct ksiTake {
    int entry, step, size, column, count, block;
    size_t at;
} ksiTake;

/* Kinds of rows in a view. */
enum { KSI_ROW_LEFT_OUT, KSI_ROW_RIGID, KSI_ROW_COMPLIANT, KSI_ROW_DEPENDENT };

/* Dependent rows over the same blocks: they close the same loops. Lists are ranges of
 * ksiSymbolic.list. */
typedef struct ksiClosure {
    int group;               /* of the dependent rows */
    int row, rowEnd;         /* range of rows that contains the dependent rows */
    int path, pathEnd;       /* fronts that their columns meet, children first */
    int sweep, sweepEnd;     /* fronts that may have a part in the self-stresses, parents first */
    int support, supportEnd; /* groups that take part */
    size_t stress;           /* start of the values: KSI_STRESS_LANES for each row of the support */
    int length;              /* number of rows of the support */
} ksiClosure;

/* Symbolic factorisation of the rows of a view. */
typedef struct ksiSymbolic {
    unsigned id;               /* new whenever its rows change; 0: unused */
    unsigned long used;        /* last use */
    int sides;                 /* vectors that are multiplied by Q^T during factorisation: none or
                                  KSI_SIDES */
    int rows, columns, height; /* rows of the system; rows in the factorisation; coordinates and
                                  slacks */
    int dependentCount;        /* rows that are left out as dependent */
    int *kind;                 /* [rows] KSI_ROW_... */
    int *row, *slack;          /* [columns], [columns] height index or -1 */
    int *column;               /* [rows] column or -1 */

    int frontsKnown;
    bool isDeficient; /* structurally: a front has fewer rows than pivots */
    ksiFront *front;  /* [groupCount + 1]; the last entry holds the ends of all ranges */
    size_t frontCapacity;
    ksiTake *take;
    size_t takeCapacity;
    int memberCount;  /* columns except dependent rows */
    int *member;      /* [memberCount] column here -> column of the view */
    int *firstColumn; /* [groupCount + 1] columns by group */
    int *index;
    int *position; /* [height] place in the frame -> coordinate or slack */

    int closuresKnown;
    int areEarlier; /* dependent rows depend only on rows eliminated before them */
    ksiClosure *closure;
    size_t closureCapacity;
    int closureCount;
    int *list;
} ksiSymbolic;

/* The numbers of a view. */
typedef struct ksiSparse {
    const ksiFronts *pattern;
    const ksiSymbolic *symbolic;
    int sidesKnown;  /* the sides are Q^T h */
    double *side;    /* [height x KSI_SIDES] by coordinates and slacks */
    double smallest; /* least |R_kk| */
    double *matrix, *reflector, *tau, *pivot, *workspace, *remainder, *inverse;
} ksiSparse;

/* The rows for the parent form a triangle. */
static inline int ksiFrontLeavesTriangle(const ksiFront *f)
{
    return f->steps > f->pivots;
}

/* [height] row -> coordinate or slack. */
static inline int *ksiFrontSlot(const ksiSymbolic *s, const ksiFront *f)
{
    return s->index + f->index;
}

/* [width] column -> column of the view. */
static inline int *ksiFrontColumn(const ksiSymbolic *s, const ksiFront *f)
{
    return ksiFrontSlot(s, f) + f->height;
}

/* [width] end of the rows that the column's reflection may touch. */
static inline int *ksiFrontTop(const ksiSymbolic *s, const ksiFront *f)
{
    return ksiFrontColumn(s, f) + f->width;
}

/* [width] length of its reflection, stored in whole fours of rows with zeros around it: vector
 * loads should meet vector stores. */
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

/* symbolic_order.c: finds the groups of a model, and the groups of each block. */
KS_MUST_USE ksStatus ksiFindRowGroups(const ksiModel *model, ksiFronts *fronts);
/* the groups are those of the model */
int ksiSameRowGroups(const ksiModel *model, const ksiFronts *fronts);
/* Finds the order and the tree of these groups. */
KS_MUST_USE ksStatus ksiOrderFronts(const ksAllocator *allocator, ksiFronts *fronts);
/* The front that a block enters: the front of its first group; INT_MAX: it has no group. */
int ksiLeaderOf(const ksiFronts *fronts, int block);
/* Drops the coupling by blocks of more than mostGroups groups; call before ksiOrderFronts. */
void ksiLeaveOutHubs(ksiFronts *fronts, int mostGroups);

/* symbolic_fronts.c: the fronts of the listed columns. */
KS_MUST_USE ksStatus ksiLayOutFronts(const ksiModel *model, ksiFronts *fronts, ksiSymbolic *symbolic);

/* fronts.c: factorises the columns of `factor`; smallest tells whether the rank is beyond doubt. */
KS_MUST_USE ksStatus ksiSparseFactorise(struct ksiFactor *factor);
/* [height] Q^T of a side that is known */
void ksiSparseTakeSide(struct ksiFactor *factor, int side, double *h);
void ksiSparseApplyQTransposed(struct ksiFactor *factor, double *h);
void ksiSparseApplyQ(struct ksiFactor *factor, double *h);
void ksiSparseSolveRTransposed(struct ksiFactor *factor, const double *side, double *frame);
void ksiSparseSolveR(struct ksiFactor *factor, const double *frame, double *multiple);

/* Reflects `count` vectors [n], `stride` numbers apart, so that the first one becomes (beta, 0).
 * The vector of the reflection is stored after beta. */
void ksiReflectVectors(int n, int count, size_t stride, double *x);

/* fronts_inverse.c: [columns] diagonal of (R^T R)^-1. */
KS_MUST_USE ksStatus ksiSparseInverseDiagonal(struct ksiFactor *factor, double *diagonal);

#endif

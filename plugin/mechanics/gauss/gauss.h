/* gauss.h  The block factorisation of the range-space route.
 *
 *     A + S = L D L^T,      A_st = B_s^T B_t over the blocks that strips s and t share
 *
 * A block that many groups touch is called a hub. It would couple all of these groups. Instead, its
 * motion z = B_hub lambda stays an unknown:
 *
 *     [ A' + S   B_hub^T ] (lambda)   (r)
 *     [  B_hub     -1    ] (  z   ) = (0),       A' = A - B_hub^T B_hub
 *
 * This matrix has an L D L^T in any order that leaves A' + S no zero pivot (Vanderbei 1995). The
 * order is: groups first, then hubs, then the groups that touch only hubs.
 *
 * A strip is up to six consecutive rows of a group (fronts.h), padded with zeros to four or eight
 * lanes. Strips are eliminated in the order of their groups.
 */
#ifndef KSI_MECHANICS_GAUSS_GAUSS_H
#define KSI_MECHANICS_GAUSS_GAUSS_H

#include "../nullspace/fronts.h"

#include <stdbool.h>

/* Largest number of rows of a strip: with eight lanes, six rows take twelve accumulators, which
 * leaves room in sixteen registers. */
#define KSI_STRIP 6

/* A block of more groups than this is a hub. If there are more than KSI_HUBS such blocks, none
 * is. */
#define KSI_HUB_GROUPS 16
#define KSI_HUBS 8

/* A pivot is lost below this share of its own diagonal element, or if it changes sign: for a
 * hundred rows, elimination leaves rounding of some 1e-14 of the diagonal. */
#define KSI_LOST_PIVOT 1e-13

/* A rigid row's pivot is lost below this share: a smaller pivot p would leave noise of eps /
 * sqrt(p) in later pivots that should be zero. 1e-10 corresponds to rows that depend on each other
 * to 1e-5. A pivot is never below its row's compliance: if that is above noise, the row keeps its
 * pivot. If many rows together nearly depend on each other, but no row on a few others, the share
 * is KSI_MOST_NEAR, which is for rows that depend to 1e-2. Results are also right with a larger
 * share, which costs more. */
#define KSI_NEAR_PIVOT 1e-10
#define KSI_MOST_NEAR 1e-4
#define KSI_SOFTENS (KSI_NEAR_PIVOT / KSI_LOST_PIVOT)

/* Refinement has settled if its last step changes no multiplier by more than this share of the
 * largest, in unit rows. Otherwise the factors are useless, though no single pivot is lost: A is
 * singular to rounding over several pivots. A tenth of this share would be right too: factors that
 * it rejects are computed again with more rows set aside. */
#define KSI_SETTLED 1e-3

/* Positions are starts in the arrays of ksiGauss; a strip's lists end where the next strip's
 * begin. */
typedef struct ksiStrip {
    int row, rows;     /* of the system; row -1: the strip holds coordinates of a hub */
    int lane, lanes;   /* 4 or 8 */
    int entry, height; /* in packed: its part of B, a column of lanes per coordinate; hubs: the unit
                          matrix */
    int isOpen, next;  /* during the layout: whether it has or had a place in packed; the next free
                          place in the list, or -1 */
    int from;          /* its part of B in the system's entries, row by row */
    int bodies, at[2]; /* number and first coordinates of its blocks, if one or two of six
                          coordinates; else 0 */
    int panel, stride; /* in panel: its columns of L, the parts below each other, see ksiPart */
    int part, product;
} ksiStrip;

/* Lanes of a panel that belong to one strip: first the panel's own strip, then later strips in
 * their order. */
typedef struct ksiPart {
    int strip, at; /* first lane in the panel */
    int lane, lanes;
    int opens; /* first part of its strip in any panel */
} ksiPart;

/* Adds B_t^T B_s over one block, or B_s^T B_s over all blocks, to the part of t in the panel of s;
 * if t is a hub, B_hub. */
typedef struct ksiProduct {
    int at, lanes;   /* of t */
    int left, right; /* in packed */
    int coordinates;
} ksiProduct;

/* Symbolic: strips, the layout of their panels, and the products of entries. Belongs to a pattern
 * of blocks and rows. */
typedef struct ksiStrips {
    unsigned id;     /* new with each layout; 0: not laid out */
    int withoutHubs; /* a pivot was lost beside hubs: treat hubs as ordinary blocks */
    int hubCount;
    int hub[KSI_HUBS];    /* their blocks */
    ksiFronts besideHubs; /* order and tree without coupling by hubs, if there are any */
    int stripCount, laneCount;
    int tail;        /* first strip of the hubs */
    ksiStrip *strip; /* [stripCount + 1] in the order of elimination */
    ksiPart *part;
    ksiProduct *product;
    size_t stripCapacity, partCapacity, productCapacity;
    int *first, *end; /* [fronts + hubs] strips of each */
    int *hubsBelow;   /* [fronts] bit mask of the hubs that the front or its descendants touch */
    int *at;          /* [stripCount] workspace: first lane of a strip in the current panel */
    int packedCount;  /* size of packed; a strip has its place in packed from its first part to its
                         elimination */
    int freePlace;    /* during layout: head of the list of free places, or -1 */
    int widest;       /* largest stride of a panel */
} ksiStrips;

/* Numeric. */
typedef struct ksiGauss {
    const ksiStrips *strips;
    unsigned laidOut; /* ksiStrips.id that the arrays are sized for */
    bool isRefined;   /* the last solution was refined */
    int numericKnown; /* L and D are those of the current system */
    double near;      /* see KSI_NEAR_PIVOT */
    int lostCount;    /* rows without a pivot, see gauss_dependent.c: their multipliers are 0 in all
                         sweeps */
    int *lost;        /* [stripCount] bit mask of these rows */
    int leftCount;    /* omitted rows: known rows and empty rows */
    int emptyCount;   /* rows without entries and compliance */
    double *packed, *panel;
    double *raw;                     /* L D of the current panel */
    double *square, *slack;          /* [laneCount] A_ll + s_l, s_l; omitted rows 1, hubs -1 */
    double *inverse;                 /* [laneCount] 1 / D */
    double *correction, *multiplier; /* [laneCount] */
    double *load;                    /* [coordinates] y */
    const double *side;              /* [rows] beta */
    double *work, *column;           /* of gauss_dependent.c */
    int *member;
    double *result; /* [rows] multipliers in the order of rows */
} ksiGauss;

/* Size of a refinement step in unit rows: squares of the largest change and of the largest
 * multiplier. */
typedef struct ksiFactorStep {
    double moved, largest;
} ksiFactorStep;

/* symbolic_gauss.c: strips, parts and products of fronts. `id`: counter of ids, incremented. */
KS_MUST_USE ksStatus ksiLayOutStrips(const ksiModel *model, ksiFronts *fronts, ksiStrips *strips, unsigned *id);

/* gauss.c: marks the rows [rows] whose pivot is at most the share `least` of their squares.
 * Compliance up to ksiModel::rigidCompliance counts as none. Later solutions factorise again. */
KS_MUST_USE ksStatus ksiGaussFindLost(ksSystem *system, double least, int *isLost);

/* gauss_factor.c. The sweeps keep x = beta - J a - S lambda in `correction`, lambda in `multiplier`
 * (0 in the first one) and y = y_f + B lambda in `load`; beta is `side`. ksiGaussFactorise computes
 * L and D, and makes the first forward sweep: `load` has to be y_f. */
void ksiGaussFactorise(ksSystem *system, double near);
/* Computes x, then x := L^-1 x. */
void ksiGaussForward(ksSystem *system, bool isFirst);
/* x := L^-T D^-1 x, lambda += x, y += B x; the first sweep may leave out y. */
void ksiGaussBackward(ksSystem *system, bool isFirst, int withMotion, ksiFactorStep *step);

/* gauss_factor.c: after a forward sweep, solves and refines. Returns 0 if the multipliers have not
 * settled. */
int ksiGaussRefine(ksSystem *system);

/* gauss_dependent.c: multipliers of all rows, after ksiGaussRefine if pivots are lost or it has not
 * settled. KS_ERROR_INCONSISTENT, KS_ERROR_SINGULAR if dependence cannot be decided,
 * KS_ERROR_UNAVAILABLE, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiGaussDependent(ksSystem *system, bool hasConverged);

#endif

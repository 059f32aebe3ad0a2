/* gauss.h  The block factorisation of the range-space route.
 *
 *      A + S = L D L^T,      A_st = B_s^T B_t over the blocks that strips s and t share
 *
 *  A block of many groups, a hub, would couple each of them with each. It stays an unknown instead, z = B_hub lambda:
 *
 *      [ A' + S   B_hub^T ] (lambda)   (r)
 *      [  B_hub     -1    ] (  z   ) = (0),       A' = A - B_hub^T B_hub
 *
 *  which has an L D L^T in any order that leaves A' + S no zero pivot (Vanderbei 1995): groups first, then hubs, then the
 *  groups over nothing but hubs.
 *
 *  A strip is up to six consecutive rows of a group (fronts.h); strips are eliminated in the order of their groups. Six
 *  rows are two vectors of four numbers: all that is kept of a strip has its rows rounded up to lanes, filled with zeros.
 */
#ifndef KSI_GAUSS_H
#define KSI_GAUSS_H

#include "fronts.h"

/* The most rows of a strip: with eight lanes twelve sums, as many as leave room in sixteen registers. */
#define KSI_STRIP 6

/* A block of more groups than this is a hub, unless there are more than KSI_HUBS: then none is. */
#define KSI_HUB_GROUPS 16
#define KSI_HUBS 8

/* A pivot is lost below this share of its own diagonal element, or with the other sign: elimination subtracts numbers of the
 * size of the diagonal and leaves some 1e-14 of it for a hundred rows. */
#define KSI_LOST_PIVOT 1e-13

/* That of a rigid row is lost below this share: a smaller one, p, would leave noise of eps / sqrt(p) in later ones that are
 * zero. It corresponds to rows that depend on each other to 1e-5. A pivot is never below its own compliance: one that is
 * above noise keeps it. Where many rows nearly depend, none by itself, the share is larger, up to this one. */
#define KSI_NEAR_PIVOT 1e-10
#define KSI_MOST_NEAR 1e-4
#define KSI_SOFTENS (KSI_NEAR_PIVOT / KSI_LOST_PIVOT)

/* All positions are starts in the arrays of ksiGauss; the lists end where those of the next strip begin. */
typedef struct ksiStrip {
    int row, rows;     /* of the system; row -1: coordinates of a hub */
    int lane, lanes;   /* 4 or 8 */
    int entry, height; /* in packed: the strip's own part of B, one column of lanes for each coordinate; of a hub 1 */
    int isOpen,
        next; /* while panels are laid out: it has had its place there; the next one that has left its own, or -1 */
    int from; /* its part of B in the system's entries, row by row */
    int bodies, at[2]; /* where its blocks are one or two of six coordinates: how many, and their first; else 0 */
    int panel, stride; /* in panel: its columns of L below each other's parts, see ksiPart */
    int part, product;
} ksiStrip;

/* Lanes of a panel that belong to one strip: its own first, then those of later strips in their order. */
typedef struct ksiPart {
    int strip, at; /* first lane in the panel */
    int lane, lanes;
    int opens; /* the first that there is of its strip */
} ksiPart;

/* Adds B_t^T B_s over one block, or B_s^T B_s over all, to the part of t in the panel of s; B_hub where t is a hub. */
typedef struct ksiProduct {
    int at, lanes;   /* of t */
    int left, right; /* in packed */
    int coordinates;
} ksiProduct;

/* Symbolic: strips, what their panels hold and which entries meet. Belongs to a pattern of blocks and rows. */
typedef struct ksiStrips {
    unsigned id;     /* a new one whenever they are laid out; 0: they are not */
    int withoutHubs; /* hubs have cost a pivot: they are taken for blocks like others */
    int hubCount;
    int hub[KSI_HUBS];    /* their blocks */
    ksiFronts besideHubs; /* order and tree where there are hubs */
    int stripCount, laneCount;
    int tail;        /* first strip of the hubs */
    ksiStrip *strip; /* [stripCount + 1] in the order of elimination */
    ksiPart *part;
    ksiProduct *product;
    size_t stripCapacity, partCapacity, productCapacity;
    ksiInts first, end; /* [fronts + hubs] strips of each */
    ksiInts hubsBelow;  /* [fronts] bits of the hubs that it or a front below it touches */
    ksiInts at;         /* [stripCount] workspace: part of a strip in the panel at hand */
    int packedCount;    /* numbers there: places are of strips between their first part and their elimination */
    int freePlace;      /* while panels are laid out: a strip that has left its place, or -1 */
    int widest;         /* largest stride of a panel */
} ksiStrips;

/* Numeric. */
typedef struct ksiGauss {
    const ksiStrips *strips;
    unsigned laidOut; /* ksiStrips.id that there is room for */
    int isRefined;    /* the last solution */
    int numericKnown; /* L and D belong to the system as it is */
    double near;      /* see KSI_NEAR_PIVOT */
    int lostCount;    /* rows without a pivot, see gauss_dependent.c: their multipliers are 0 in all sweeps */
    ksiInts lost;     /* [stripCount] bits of these */
    int leftCount;    /* rows that are left out: known ones and these: */
    int emptyCount;   /* rows without entries and compliance */
    ksiDoubles packed, panel;
    ksiDoubles raw;                    /* L D of the panel at hand */
    ksiDoubles square, slack;          /* [laneCount] A_ll + s_l, s_l; 1 for rows that are left out */
    ksiDoubles inverse;                /* [laneCount] 1 / D */
    ksiDoubles correction, multiplier; /* [laneCount] */
    ksiDoubles load;                   /* [coordinates] y */
    const double *side;                /* [rows] beta */
    ksiDoubles work, column;           /* of gauss_dependent.c */
    ksiInts member;
    ksiDoubles result; /* [rows] multipliers in the order of rows */
} ksiGauss;

/* How far a step of refinement went, in unit rows: squares of the largest change and of the largest multiplier. */
typedef struct ksiFactorStep {
    double moved, largest;
} ksiFactorStep;

/* symbolic_gauss.c: strips, parts and products of fronts. `id`: the next one, which is counted on. */
KS_MUST_USE ksStatus ksiLayOutStrips(const ksiModel *model, ksiFronts *fronts, ksiStrips *strips, unsigned *id);
void ksiStripsFree(const ksAllocator *allocator, ksiStrips *strips);

/* gauss_factor.c. Steps with x = beta - J a - S lambda on `correction`, beta on `side`, lambda on `multiplier`,
 * y = y_f + B lambda on `load`; in the first one lambda is 0.
 * Factorises, all but the pattern, with the first sweep forward: y has to be y_f. */
void ksiGaussFactorise(ksSystem *system, double near);
/* x, then x := L^-1 x */
void ksiGaussForward(ksSystem *system, int isFirst);
/* x := L^-T D^-1 x, lambda += x, y with it; the first may leave out y. */
void ksiGaussBackward(ksSystem *system, int isFirst, int withMotion, ksiFactorStep *step);

/* gauss.c: after a sweep forward, solves and refines. 0: the multipliers have not settled. */
int ksiGaussRefine(ksSystem *system);

/* gauss_dependent.c. After ksiGaussRefine with lost pivots, or that has not settled: the multipliers of all rows.
 * KS_ERROR_INCONSISTENT, KS_ERROR_SINGULAR where they cannot be told apart, KS_ERROR_UNAVAILABLE, KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiGaussDependent(ksSystem *system, int hasConverged);

#endif

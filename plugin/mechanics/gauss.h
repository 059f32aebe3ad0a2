/* gauss.h  The block factorisation of the range-space route.
 *
 *      A + S = L D L^T,      A_st = B_s^T B_t over the blocks that strips s and t share
 *
 *  A strip is up to six consecutive rows of a group (fronts.h); strips are eliminated in the order of their groups. Six
 *  rows are two vectors of four numbers: all that is kept of a strip has its rows rounded up to lanes, filled with zeros.
 */
#ifndef KSI_GAUSS_H
#define KSI_GAUSS_H

#include "fronts.h"

/* The most rows of a strip: with eight lanes twelve sums, as many as leave room in sixteen registers. */
#define KSI_STRIP 6

/* All positions are starts in the arrays of ksiGauss; the lists end where those of the next strip begin. */
typedef struct ksiStrip {
    int row, rows;     /* of the system */
    int lane, lanes;   /* 4 or 8 */
    int entry, height; /* in packed: the strip's own part of B, one column of lanes for each coordinate */
    int panel, stride; /* in panel: its columns of L below each other's parts, see ksiPart */
    int part, product;
} ksiStrip;

/* Lanes of a panel that belong to one strip: its own first, then those of later strips in their order. */
typedef struct ksiPart {
    int strip, at; /* first lane in the panel */
    int lane, lanes;
} ksiPart;

/* Adds B_t^T B_s over one block, or B_s^T B_s over all, to the part of t in the panel of s. */
typedef struct ksiProduct {
    int at, lanes;   /* of t */
    int left, right; /* in packed */
    int coordinates;
} ksiProduct;

typedef struct ksiGauss {
    unsigned pattern; /* stamp of the pattern that the symbolic part belongs to, from 1; 0: there is none */
    int numericKnown; /* L and D belong to the system as it is */
    int singular;     /* a pivot was lost: there is no L */
    int stripCount, laneCount;
    int emptyCount;  /* rows without entries and compliance */
    ksiStrip *strip; /* [stripCount + 1] in the order of elimination */
    ksiPart *part;
    ksiProduct *product;
    size_t stripCapacity, partCapacity, productCapacity;
    ksiInts first; /* [fronts + 1] first strip of each */
    ksiInts at;    /* [stripCount] workspace: part of a strip in the panel at hand */
    ksiDoubles packed, panel;
    ksiDoubles raw;                    /* -L D of the panel at hand */
    ksiDoubles square, slack;          /* [laneCount] A_ll + s_l, s_l; 1 for rows that are left out */
    ksiDoubles taken;                  /* [laneCount] 1: not left out, 0 */
    ksiDoubles inverse;                /* [laneCount] 1 / D */
    ksiDoubles side;                   /* [laneCount] beta; 0 for rows that are left out */
    ksiDoubles correction, multiplier; /* [laneCount] */
    ksiDoubles load;                   /* [coordinates] y */
    ksiDoubles result;                 /* [rows] multipliers in the order of rows */
} ksiGauss;

/* How far a step of refinement went, in unit rows: squares of the largest change and of the largest multiplier. */
typedef struct ksiStep {
    double moved, largest;
} ksiStep;

/* gauss_pattern.c: strips, parts and products; kept while the pattern stays. */
KS_MUST_USE ksStatus ksiGaussPattern(ksSystem *system);

/* gauss_factor.c. All but the pattern; no failure but a lost pivot, which `singular` tells. */
void ksiGaussFactorise(ksSystem *system);
/* lambda += (A + S)^-1 (beta - J a - S lambda) on `multiplier`, and y with it on `load`. */
ksiStep ksiGaussRefine(ksSystem *system);

#endif

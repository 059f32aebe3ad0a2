/* articulated.h  The null-space route where the groups of rows join the blocks to a tree.
 *
 *  Body by body from the leaves to the root, as in the articulated-body algorithm (Featherstone 1983), here with roots of
 *  inertias: O(bodies), however many joints a body has. In scaled coordinates the motion minimises |y - y_f|^2
 *  + |u|^2 under B_c^T y_c + sqrt(S) u = beta - B_p^T y_p for each joint from a body c to its parent p. With what is
 *  beyond c taken in as |L y_c - g|^2, L lower triangular,
 *
 *      R^T R = E^T E + S,  E = L^-T B_c,       t = R^-T (beta - E^T g - B_p^T y_p)
 *      lambda = R^-1 t,      L y_c - g = E lambda,      and |t|^2 is what the joint adds for its parent.
 *
 *  The parent's L, which may have elements of any sizes, comes by orthogonalisation. R is the factor of a product: its
 *  columns are as independent as is asked for here, and solutions are semi-normal anyway (Paige 1973).
 */
#ifndef KSI_ARTICULATED_H
#define KSI_ARTICULATED_H

#include "fronts.h"
#include "mechanics.h"
#include "view.h"

/* Coordinates of a rigid body, and rows that a joint may have; filled up to vectors of four. */
enum { KSI_SIX = 6, KSI_FILLED = 8 };

/* Where a body and its joint towards the root are in the tree. */
typedef struct ksiLinkPlace {
    int block, parent; /* links come after their parents; -1: the ground, or a root that is free */
    int lastChild;     /* the first to be taken in, -1: none */
    int next;          /* of the block's groups, while links are found */
    int group, side;   /* rows of the joint, -1: free; which piece of theirs is the body's own */
} ksiLinkPlace;

/* Symbolic: belongs to a pattern of blocks and rows. */
typedef struct ksiLinks {
    unsigned id; /* a new one whenever they are found; 0: they are not */
    int isTree, count;
    ksiLinkPlace *place;
    size_t capacity;
} ksiLinks;

/* A body and its joint towards the root. Bodies of fewer coordinates are filled up with free ones. */
typedef struct ksiLink {
    int block, parent, lastChild, group, side; /* as in its place */
    int moves;                                 /* in the last relaxation */
    int count, row[KSI_SIX];                   /* rows that the factorisation has taken in */
    double root[KSI_SIX][KSI_FILLED];  /* L, rows over their diagonal element, which has 1/L_ii^2 in its place */
    double own[KSI_SIX][KSI_FILLED];   /* L_ii E; behind the rows: L_ii g */
    double r[KSI_SIX][KSI_FILLED];     /* R, lower triangular as well, rows over their diagonal element: as in L */
    double cross[KSI_SIX][KSI_FILLED]; /* R_ll X, X = R^-T B_p^T; behind the coordinates: R_ll t */
    double pivot[KSI_SIX];             /* L_ii^2 */
    double length2[KSI_SIX];           /* A_ll + s_l of the rows */
    double g[KSI_FILLED], y[KSI_SIX];  /* L^T g */
} ksiLink;

/* One tree, or several side by side, and one factorisation of it. */
typedef struct ksiTree {
    unsigned laidOut; /* ksiLinks.id that the links' places are of */
    int isTree;
    int known; /* the factorisation belongs to the system as it is */
    ksiViewIndex view;
    int fits;              /* no joint's own rows come near to depending on each other */
    int isCertain;         /* ... nor do they without the compliance that counts as none */
    int rowCount;          /* rows that were taken in */
    double rounding, load; /* of the last solution: rounding of a multiplier, and the largest, in rows of unit length */
    int hasTrueMotion;     /* the true motion is in what follows */
    double motionRounding; /* ... its rounding */
    int limbCount;
    ksiLink *link;
    size_t limbCapacity;
    ksiDoubles applied, y, multiplier; /* [coordinates], [coordinates], [rows] */
    ksiDoubles spread;                 /* [limbCount x 48] of the inverse */
    int relaxedKnown;                  /* of this factorisation: */
    ksiDoubles relaxed;                /* [rows] |w_l| of relaxed coordinates, 0 for rows that are left out */
} ksiTree;

/* symbolic_articulated.c. `id`: the next one, which is counted on. */
KS_MUST_USE ksStatus ksiFindLinks(ksiModel *model, const ksiFronts *fronts, ksiLinks *links, unsigned *id);

/* articulated.c: tree->isTree, and the links at their places. */
KS_MUST_USE ksStatus ksiTreePattern(ksSystem *system);

/* Factorises; *tree is NULL where the system is no tree, or not clearly of full rank joint by joint. */
KS_MUST_USE ksStatus ksiTreeGet(ksSystem *system, ksiViewIndex view, ksiTree **tree);

/* ... anew, and takes along what is to be solved: `beta` [rows] and `applied` [coordinates, NULL: 0]. */
KS_MUST_USE ksStatus ksiTreeReduce(ksSystem *system, ksiViewIndex view, const double *beta, const double *applied,
                                   ksiTree **tree);

/* The motion y [coordinates] nearest to `applied` that satisfies the rows, and the multipliers [rows] of the rows that are
 * taken in; others are left alone. */
void ksiTreeSolve(ksSystem *system, ksiTree *tree, double *multiplier, double *y);

/* [rows] diagonal of (A + S)^-1 of the rows that are taken in; others are left alone. */
KS_MUST_USE ksStatus ksiTreeInverseDiagonal(ksSystem *system, ksiTree *tree, double *diagonal);

/* articulated_routes.c: the true motion into tree->y, its multipliers into tree->multiplier; NULL where there is no tree that
 * fits. */
KS_MUST_USE ksStatus ksiTreeTrueMotion(ksSystem *system, ksiTree **tree);

/* ... the public calls of the same names, and others of mechanics.h. *done 0: no tree that fits, nothing
 * happened. */
KS_MUST_USE ksStatus ksiTreeSolveSystem(ksSystem *system, ksiViewIndex view, double *multiplier, double *acceleration,
                                        int *done);
KS_MUST_USE ksStatus ksiTreeMeasure(ksSystem *system, const double *acceleration, const double *multiplier,
                                    ksGaussMeasure *out, int *done);
KS_MUST_USE ksStatus ksiTreeExplain(ksSystem *system, const double *acceleration, double *unexplained, int *done);
KS_MUST_USE ksStatus ksiTreeErrorBars(ksSystem *system, const double *gauss, const double *paulus, double *bar,
                                      int *done);

/* articulated_relax.c */
KS_MUST_USE ksStatus ksiTreeRelaxRows(ksSystem *system, int count, const int *row, const double *acceleration,
                                      ksiRelaxed *found, int *done);

/* *rank: of a system whose rows are all determinate beyond doubt, or -1. */
KS_MUST_USE ksStatus ksiTreeIsDeterminate(ksSystem *system, int *rank);

#endif

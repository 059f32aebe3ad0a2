/* articulated.h  The null-space route for systems whose groups of rows join the blocks to a tree.
 *
 * It goes from body to body, from the leaves to the root, like the articulated-body algorithm
 * (Featherstone 1983), but with roots of inertias. It takes O(bodies) operations, however many
 * joints a body has. In scaled coordinates the motion minimises |y - y_f|^2 + |u|^2. For each joint
 * from a body `c` to its parent `p`, with slacks `u`, it must satisfy
 *
 *     B_c^T y_c + sqrt(S) u = beta - B_p^T y_p
 *
 * The branch beyond `c` adds |L y_c - g|^2 to the sum, with L lower triangular. Then
 *
 *     R^T R = E^T E + S,  E = L^-T B_c,       t = R^-T (beta - E^T g - B_p^T y_p)
 *     lambda = R^-1 t,     L y_c - g = E lambda,      and the joint adds |t|^2 to its parent's sum.
 *
 * The parent's `L` is found by orthogonalisation, because its elements may differ in size without
 * limit. `R` is the Cholesky factor of a product. This suffices, because the columns have to be
 * well independent here, and solutions are semi-normal anyway (Paige 1973).
 */
#ifndef KSI_MECHANICS_TREE_ARTICULATED_H
#define KSI_MECHANICS_TREE_ARTICULATED_H

#include "../mechanics.h"
#include "../nullspace/fronts.h"
#include "../view.h"

#include <stdbool.h>

/* KSI_SIX: coordinates of a rigid body, and largest number of rows of a joint. KSI_FILLED: this
 * number, padded to vectors of four. */
enum { KSI_SIX = 6, KSI_FILLED = 8 };

/* The place, in the tree, of a body and of its joint towards the root. */
typedef struct ksiLinkPlace {
    int block, parent; /* links come after their parents; parent -1: the ground, or a free root */
    int lastChild;     /* eliminated first; -1: none */
    int next;          /* the block's next group to visit, while the tree grows */
    int group, side;   /* group of the joint's rows, -1: the root of a free tree; index of the
                          body's piece in these rows */
} ksiLinkPlace;

/* Symbolic: belongs to a pattern of blocks and rows. */
typedef struct ksiLinks {
    unsigned id; /* new whenever they are found; 0: not found */
    int isTree, count;
    ksiLinkPlace *place;
    size_t capacity;
} ksiLinks;

/* A body and its joint towards the root. Bodies of fewer coordinates are padded with free
 * coordinates. */
typedef struct ksiLink {
    int block, parent, lastChild, group, side; /* as in ksiLinkPlace */
    int count, row[KSI_SIX];                   /* rows in the factorisation */
    double root[KSI_SIX][KSI_FILLED];          /* L: each row is divided by its diagonal element
                                                  L_ii, and has 1/L_ii^2 in the place of L_ii */
    double own[KSI_SIX][KSI_FILLED];           /* L_ii E; after the rows' columns: L_ii g */
    double r[KSI_SIX][KSI_FILLED];             /* R, lower triangular, stored as L is */
    double cross[KSI_SIX][KSI_FILLED];         /* R_ll X, X = R^-T B_p^T; after the coordinates:
                                                  R_ll t */
    double pivot[KSI_SIX];                     /* L_ii^2 */
    double length2[KSI_SIX];                   /* A_ll + s_l of the rows */
    double g[KSI_FILLED], y[KSI_SIX];          /* L^T g */
} ksiLink;

/* A tree or a forest, and one factorisation of it. */
typedef struct ksiTree {
    unsigned laidOut; /* ksiLinks.id of the links' places */
    bool isTree;
    int known; /* the factorisation belongs to the current system */
    ksiViewIndex view;
    int fits;              /* no joint's own rows are nearly dependent */
    bool isCertain;        /* each joint's rows are independent even without the compliance that
                              counts as zero */
    int rowCount;          /* rows in the factorisation */
    double rounding, load; /* last solution: largest rounding of a multiplier, and largest
                              multiplier, unit rows */
    bool hasTrueMotion;    /* `y` and `multiplier` have the true motion */
    double motionRounding; /* its `rounding` */
    bool isWalked;         /* `walked` and `missed` belong to the true motion */
    double *walked;        /* [rows] multipliers from the motion alone */
    double *missed;        /* [rows] beta - J a - S lambda */
    double rest;           /* M a - f - J^T lambda of `walked`, in the metric M^-1 */
    int limbCount;
    ksiLink *link;
    size_t limbCapacity;
    double *applied, *y, *multiplier; /* [coordinates], [coordinates], [rows] */
    double *spread;                   /* [limbCount x 48] workspace: Sigma_b of each body, or the walk's remainder */
    int relaxedKnown;                 /* `relaxed` belongs to this factorisation */
    double *relaxed;                  /* [rows] |w_l| of relaxed coordinates, 0 for omitted rows */
} ksiTree;

/* symbolic_articulated.c. `id`: counter of ids, incremented. */
KS_MUST_USE ksStatus ksiFindLinks(ksiModel *model, const ksiFronts *fronts, ksiLinks *links, unsigned *id);

/* All following functions return KS_ERROR_UNAVAILABLE if the system is not a tree, if a joint's
 * rows are nearly dependent, or if the tree loses too many digits. Outputs are then unchanged, and
 * the caller uses the general functions. */

/* articulated.c: sets the places of the links of system->tree, without factorising. */
KS_MUST_USE ksStatus ksiTreeFind(ksSystem *system, ksiViewIndex view);

/* Factorises. */
KS_MUST_USE ksStatus ksiTreeGet(ksSystem *system, ksiViewIndex view);

/* Factorises with right-hand sides `beta` [rows] and `applied` [coordinates, NULL: 0], for
 * ksiTreeSolve. */
KS_MUST_USE ksStatus ksiTreeReduce(ksSystem *system, ksiViewIndex view, const double *beta, const double *applied);

/* articulated_sweep.c: replaces the right-hand sides, and keeps the factorisation. */
void ksiTreeSweep(ksSystem *system, const double *beta, const double *applied);

/* Finds the motion y [coordinates; NULL: not needed] nearest to `applied` that satisfies the rows,
 * and the multipliers [rows] of the rows in the factorisation. Other multipliers are unchanged. */
void ksiTreeSolve(ksSystem *system, double *multiplier, double *y);

/* articulated_inverse.c: diagonal [rows] of (A + S)^-1 for the rows in the factorisation. Elements
 * of other rows are unchanged. */
KS_MUST_USE ksStatus ksiTreeInverseDiagonal(ksSystem *system, double *diagonal);

/* articulated_routes.c: writes the true motion into tree.y, and its multipliers into
 * tree.multiplier. */
KS_MUST_USE ksStatus ksiTreeTrueMotion(ksSystem *system);

/* articulated_walk.c: after the true motion, with the exact view. Writes the multipliers that
 * follow from this motion alone into tree.walked, and the residuals of the solution into
 * tree.missed and tree.rest. KS_ERROR_UNAVAILABLE: the general files have to solve the tree. */
KS_MUST_USE ksStatus ksiTreeWalk(ksSystem *system);

/* articulated_routes.c: the multipliers that follow from the true motion alone [rows; NULL: not
 * needed]. */
KS_MUST_USE ksStatus ksiTreeSolvePaulus(ksSystem *system, double *multiplier);

/* These calls do the work of the calls of the same names in mechanics.h and system.h, on trees. */
KS_MUST_USE ksStatus ksiTreeSolveSystem(ksSystem *system, ksiViewIndex view, double *multiplier, double *acceleration);
KS_MUST_USE ksStatus ksiTreeMeasure(ksSystem *system, const double *acceleration, const double *multiplier,
                                    ksGaussMeasure *out);
KS_MUST_USE ksStatus ksiTreeExplain(ksSystem *system, const double *acceleration, double *unexplained);
KS_MUST_USE ksStatus ksiTreeRelaxedSizes(ksSystem *system, ksiViewIndex view, double *size);
KS_MUST_USE ksStatus ksiTreeErrorBars(ksSystem *system, ksiViewIndex view, const double *gauss, const double *paulus,
                                      double *bar);

/* articulated_routes.c: are all tree.rowCount rows surely determinate? KS_ERROR_UNAVAILABLE:
 * perhaps not. */
KS_MUST_USE ksStatus ksiTreeIsDeterminate(ksSystem *system);

#endif

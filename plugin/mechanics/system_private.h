/* system_private.h  The inside of a ksSystem, shared by the files of this room.
 */
#ifndef KSI_SYSTEM_PRIVATE_H
#define KSI_SYSTEM_PRIVATE_H

#include "../base/error.h"
#include "../base/memory.h"
#include "active_set.h"
#include "articulated.h"
#include "dependent.h"
#include "fronts.h"
#include "gauss.h"
#include "mechanics.h"
#include "model.h"
#include "pattern.h"
#include "view.h"

/* Columns whose independent part is below this share of the largest are dependent to rounding: Householder
 * factorisation of unit columns is exact to about sqrt(rows) * 10 eps, 1e-14 for some hundred rows. */
#define KSI_ROUNDING_RANK 1e-13

/* |R_kk| of the pivoted factorisation overestimates the least singular value, seldom by more than a few times.
 * Above this multiple of the tolerance it decides the rank alone, below it the singular values do. */
#define KSI_SAFE_MARGIN 10.0

/* A cut of the rank by tolerance needs singular values this far apart. Those of drifted redundant rows lie far below the
 * others; those of a long chain follow each other closely, however small they become. */
#define KSI_RANK_GAP 10.0

/* A row is determinate when its part in the unit self-stresses is below their noise. These are tilted by the ratio of the
 * singular values on both sides of the rank: by rounding where rows depend exactly, by 1e-4 where constraints have
 * drifted ("zeros" at 1e-6, true ones from 1e-3 on). A row that takes part in a self-stress of a few dozen rows does so
 * by 1e-2 and more, unless its blocks are of very unequal coordinates. */
#define KSI_NOISE_OVER_TILT 1e2
#define KSI_LEAST_NOISE 1e-9
#define KSI_MOST_NOISE 1e-3

/* Dependent rows contradict each other when beta - J a exceeds this share of |beta| + |J| (|a| + |M^-1 f|). Four
 * digits above what rounding leaves of dependent rows, five below a contradiction that anyone would put in. */
#define KSI_INCONSISTENT 1e-9

/* A user's direction counts as satisfying a row when J_r w is below this share of |J_r| |w|. */
#define KSI_ADMISSIBLE 1e-9

/* An admissible motion that is made of numbers of size 1 and comes out smaller than this is none. */
#define KSI_MOVES 1e-6

/* A multiplier may leave its bounds by this share of the largest load: rounding, not a violation. */
#define KSI_BOUND_ROUNDING 1e-9

/* B~ P = Q R over unit columns: sparse where the rank is beyond doubt, else dense with R = U Sigma V^T where it is
 * deficient: see factor.c. All but the numbers is in `symbolic`, of which the first ones are copies. */
typedef struct ksiFactor {
    const ksiModel *model;
    ksiPattern *pattern;
    ksiSymbolic *symbolic;
    int rows, coordinates;  /* of the model */
    int columns, height;    /* rows taken in; coordinates and slacks */
    const int *kind;        /* [rows] KSI_ROW_... */
    const int *row, *slack; /* [columns], [columns] height index or -1 */
    const int *column;      /* [rows] column or -1 */
    int known;              /* belongs to the system as it is */
    ksiViewIndex index;     /* of its view */
    ksiViewIndex servedBy;  /* the view whose factorisation is taken for this one; itself as a rule */
    ksiView view;
    int rank;
    int isSparse;    /* what counts is in sparse; else in what follows it */
    int decomposed;  /* U Sigma V^T is there */
    double smallest; /* least |R_kk| */
    ksiSparse sparse;
    ksiInts pivot; /* [columns] counted from 1: place in R -> column */
    ksiInts iwork;
    ksiDoubles scale, unit;  /* [columns] d_l = |b~_l| and 1 / d_l */
    ksiDoubles slackPart;    /* [columns] entry of the unit column at its slack */
    ksiDoubles qr, tau;      /* [height x columns], [min] */
    ksiDoubles u, sigma, vt; /* [min x min], [min], [columns x columns] */
    ksiDoubles copy, work, workspace;
    int sizesKnown;      /* of this factorisation: */
    ksiDoubles size;     /* [columns] |w_l| of relaxed coordinates, see errorbar.c */
    double least;        /* singular value that the last look at the rank found; 0: none */
    int rankIsProved;    /* also in the kinematic metric */
    unsigned choiceOf;   /* ksiSymbolic.id whose choice the next ones are; 0: another one */
    int dependentCount;  /* rows that are left out, see dependent.c */
    ksiInts isDependent; /* [rows] */
    int areEarlier;      /* as in ksiSymbolic */
    ksiDependents dependents;
    int stressCount; /* self-stresses that are proved, in `dependents`; 0: none, or in vt */
    double stressNoise;
    double perturbedBound;             /* bound of the singular values that these stand for */
    const ksiStressBasis *stressBasis; /* of these, in the factor's metric; one of the system's */
} ksiFactor;

/* An orthonormal basis of self-stresses that have rows in common: `model` has these for rows, and our rows for coordinates. */
typedef struct ksiStressFactor {
    ksiModel model;
    ksiPattern *pattern;
    ksiFactor factor;
} ksiStressFactor;

/* What a mechanism leaves of a view for its next step. */
typedef struct ksiWarmView {
    unsigned symbolic; /* ksiSymbolic.id that its next factorisation begins with */
    unsigned lowestOf; /* ... that the following belongs to */
    int lowestKnown;   /* from the same rows, maybe of an earlier step */
    ksiDoubles lowest; /* vector of the least singular value, and a general one */
} ksiWarmView;

/* warmstart.c: what a mechanism leaves for its next step. */
struct ksiWarmStart {
    ksAllocator allocator;
    ksiPattern *pattern;
    unsigned refined; /* ksiPattern.id of which rough solutions did not do */
    ksiWarmView view[KSI_VIEW_COUNT];
};

/* The motion by Lagrange II in scaled coordinates, slacks behind the coordinates of the factorisation it is from; and
 * that of an impact, with momenta for forces and velocities for accelerations. */
typedef struct ksiSystemMotion {
    int isTrue;              /* that of ksiTrueMotion, for the system as it is */
    const double *beta;      /* [rows] the right-hand side that it answers; NULL: 0 */
    int hasMultipliers;      /* ... and `multiplier` has the multipliers of it */
    double alongRows;        /* |Q1^T y|^2 */
    double alongMotions;     /* |Q2^T y|^2 */
    ksiDoubles applied;      /* [coordinates] y_f with the known rows */
    ksiDoubles y;            /* [height] */
    ksiDoubles load;         /* [columns] Q1^T (y - y_f), first rank of them */
    ksiDoubles side;         /* [columns] beta / d */
    ksiDoubles multiplier;   /* [rows] */
    ksiDoubles acceleration; /* [coordinates] */
} ksiSystemMotion;

/* What the system's motion is going to be measured against; NULL: not known beforehand. */
typedef struct ksiObserved {
    const double *acceleration, *multiplier;
    int isTaken; /* along by the exact factorisation */
} ksiObserved;

/* What bounded.c keeps. */
typedef struct ksiBounded {
    ksiBoundedRow *row;
    ksRowPlace *place;
    size_t capacity, placeCapacity;
    ksiDoubles work;
    ksiInts determinate;
} ksiBounded;

/* What determinacy.c has found. */
typedef struct ksiSelfStresses {
    int known; /* belongs to the system as it is */
    int count, rank;
    double noise;
    double splitError; /* of what is determinate, rows of unit size: from the null-space projection */
    ksiStressBasis orthonormal[KSI_METRIC_COUNT];
    ksiDoubles share;   /* [rows x shareWidth] see dependent.h */
    ksiInts shareCount; /* [rows] */
    int shareWidth;
    int basisKnown;
    ksiDoubles basis; /* [count x rows] for who asks for it */
    int echelonKnown;
    ksiDoubles echelon;   /* [count x rows] the same in reduced echelon form */
    ksiInts echelonPivot; /* [count] */
} ksiSelfStresses;

/* The model; what is symbolic of it, shared by all that have the same blocks and rows; what the mechanism in it left the last
 * time; and the numbers, in room that is the same for all. */
struct ksSystem {
    ksAllocator allocator;
    double rankTolerance;
    int denseBudget;      /* 0: none */
    double denseWork;     /* columns^3 of all dense factorisations so far */
    int isWarmStarted;    /* refilled step after step */
    ksiWarmStart *warm;   /* of the mechanism that it is filled with */
    ksiWarmStart ownWarm; /* that, where nobody else has it */
    int culprit;

    ksiModel model;
    ksiPatternCache patterns;
    ksiPattern *pattern; /* of the model, if that is current */
    int isPatternCurrent;
    ksiGauss gauss;
    ksiTree tree;
    ksiFactor factor[KSI_VIEW_COUNT];
    ksiSystemMotion motion;
    ksiObserved observed;
    ksiSelfStresses stresses;
    double rounding; /* how far roundings may have moved the true motion: see errorbar.c, which has found it last */
    /* workspaces */
    ksiDoubles routes;     /* [3 x rows] multipliers by either, and their bars */
    ksiDoubles given;      /* of given.c */
    ksiDoubles activeWork; /* of active_set.c, as the next one */
    ksiInts activeParent;
    ksiBounded bounded;
    ksiDoubles vector[3]; /* scratch of a single call */
};

/* Numbers between -1 and 1 that have nothing to do with any mechanism: multiples of the golden ratio, less their whole parts. */
static inline double ksiSome(int k)
{
    const double x = 0.61803398874989485 * (k + 1);
    return 2 * (x - (int)x) - 1;
}

/* How each call begins: what the last one complained of is forgotten. 0: no system. */
static inline int ksiBeginCall(ksSystem *system)
{
    if (!system)
        return 0;
    system->culprit = -1;
    return 1;
}

#define KSI_REQUIRE_SYSTEM(system) KSI_REQUIRE(ksiBeginCall(system), "system is NULL")

/* The last line of a public function of a system: return call, and where it fails say of which row. */
#define KSI_RETURN_OF_SYSTEM(system, ...) KSI_RETURN_GUARDED(ksiNameCulprit(system, __VA_ARGS__))

/* system.c */
KS_MUST_USE ksStatus ksiNameCulprit(const ksSystem *system, ksStatus status);
void ksiForget(ksSystem *system); /* what was computed from the blocks and rows is out of date */
KS_MUST_USE ksStatus ksiCheckEmptyRows(ksSystem *system); /* 0 = beta has no solution but for beta = 0 */
KS_MUST_USE ksStatus ksiCheckBounds(ksSystem *system, const double *multiplier);

/* dense.c */
/* `rank`: as many singular values are kept; -1: decided by the tolerance. KS_ERROR_UNAVAILABLE beyond the budget. */
KS_MUST_USE ksStatus ksiDenseFactorise(ksSystem *system, ksiFactor *factor, double tolerance, int rank);
void ksiDenseApplyQTransposed(ksiFactor *factor, double *h);
void ksiDenseApplyQ(ksiFactor *factor, double *h);
void ksiDenseSolveRTransposed(ksiFactor *factor, const double *side, double *frame);
void ksiDenseSolveR(ksiFactor *factor, const double *frame, double *multiple);

/* warmstart.c: the pattern of the system as it is, into system->pattern */
KS_MUST_USE ksStatus ksiSystemPattern(ksSystem *system);
/* of a factor of the system, as far as it belongs to the rows that are taken in */
ksiWarmView *ksiWarmViewOf(ksSystem *system, const ksiFactor *factor);
ksiWarmView *ksiWarmLowestOf(ksSystem *system, const ksiFactor *factor); /* ... and to its rows */
void ksiWarmStartFree(ksiWarmStart *warm);

/* rank.c: of a factorisation without U Sigma V^T. The least singular value of R, from above; whether no singular values
 * are to be cut by the tolerance. */
KS_MUST_USE ksStatus ksiLeastSingular(ksSystem *system, ksiFactor *factor, double *least);
KS_MUST_USE ksStatus ksiRankIsFull(ksSystem *system, ksiFactor *factor, double tolerance, int *full);

/* columns.c. The factor's model, pattern and index have to be there. Rows that were left out as dependent are so again, as `warm`
 * (NULL: nobody) or the last to have the pattern has it. */
KS_MUST_USE ksStatus ksiGatherColumns(ksiPatternCache *cache, ksiFactor *factor, ksiWarmView *warm);
/* ... with the choice of dependent rows that was made; for the next time, and not for this one. */
KS_MUST_USE ksStatus ksiGatherChosen(ksiPatternCache *cache, ksiFactor *factor, ksiWarmView *warm);
KS_MUST_USE ksStatus ksiRememberChoice(ksiPatternCache *cache, ksiFactor *factor, ksiWarmView *warm);
KS_MUST_USE ksStatus ksiFactoriseSparse(ksiFactor *factor); /* of what is gathered */
double ksiFactorSpread(const ksiFactor *factor);            /* of its metric against the kinematic one */

/* entries are times their block's weight in the kinematic metric */
static inline int ksiIsKinematic(const ksiFactor *factor)
{
    return factor->view.metric == KSI_METRIC_KINEMATIC;
}

/* factor.c */
KS_MUST_USE ksStatus ksiFactorGet(ksSystem *system, ksiViewIndex view, ksiFactor **factor);
KS_MUST_USE ksStatus ksiDecidingFactor(ksSystem *system, ksiFactor **factor);   /* of rank and self-stresses */
void ksiApplyQTransposed(ksiFactor *factor, double *h);                         /* [height] Q^T h */
void ksiApplyQ(ksiFactor *factor, double *h);                                   /* [height] Q h */
void ksiSolveRTransposed(ksiFactor *factor, const double *side, double *frame); /* [columns] -> [rank] R^-T */
void ksiSolveR(ksiFactor *factor, const double *frame, double *multiple);       /* [rank] -> [columns] R^-1 */

/* sides.c */
KS_MUST_USE ksStatus ksiMotionReserve(ksSystem *system);
/* What the exact factorisation takes along: y_f with the known rows, and the deviation of what is observed from it. */
KS_MUST_USE ksStatus ksiGatherSides(ksSystem *system, ksiFactor *factor);

/* motion.c: fill system->motion, the second from motion.applied */
KS_MUST_USE ksStatus ksiFindMotion(ksSystem *system, ksiFactor *factor);
KS_MUST_USE ksStatus ksiProjectMotion(ksSystem *system, ksiFactor *factor, const double *beta);
KS_MUST_USE ksStatus ksiCheckConsistent(ksSystem *system, ksiFactor *factor);
KS_MUST_USE ksStatus ksiTrueMotion(ksSystem *system, ksiFactor **exact); /* that of all rows, which have to agree */
KS_MUST_USE ksStatus ksiTrueMultipliers(ksSystem *system, ksiFactor **exact); /* ... and system->motion.multiplier */
void ksiFindMultipliers(ksSystem *system, ksiFactor *factor); /* of the motion there, into system->motion.multiplier */

/* determinacy.c: of the self-stresses of a factorisation */
double ksiStressNoise(const ksiFactor *factor);

#endif

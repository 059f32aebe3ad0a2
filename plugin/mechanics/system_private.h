/* system_private.h  The inside of a ksSystem, shared by the files of this room.
 *
 *  Everything is kept mass-scaled: M = L L^T block by block, y = L^T a, y_f = L^-1 f, and a row is stored as
 *  b_l = L^-1 J_l^T. Then J_l a = b_l . y, |a| in the metric M is |y|, A = J M^-1 J^T = B^T B, and M a = f + J^T
 *  lambda reads y = y_f + B lambda.
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

/* Which rows and which compliance a factorisation has. */
typedef enum ksiView {
    KSI_VIEW_EXACT,           /* rows that are not known, all compliance, rank to rounding */
    KSI_VIEW_RIGID,           /* rows that are not known, compliance above the rigid one, rank by the rank tolerance */
    KSI_VIEW_ALL,             /* all rows, all compliance, rank to rounding */
    KSI_VIEW_REACH,           /* all rows, no compliance, rank to rounding: what any multipliers can do */
    KSI_VIEW_KINEMATIC,       /* RIGID in the kinematic metric: decides its rank and the self-stresses */
    KSI_VIEW_KINEMATIC_EXACT, /* EXACT in the kinematic metric */
    KSI_VIEW_COUNT
} ksiView;

/* What a view makes of a row. */
enum { KSI_ROW_LEFT_OUT, KSI_ROW_RIGID, KSI_ROW_COMPLIANT, KSI_ROW_DEPENDENT };

/* B~ P = Q R over unit columns: sparse where the rank is beyond doubt, else dense with R = U Sigma V^T where it is
 * deficient: see factor.c. */
typedef struct ksiFactor {
    int known;             /* belongs to the system as it is */
    ksiView servedBy;      /* the view whose factorisation is taken for this one; itself as a rule */
    int isKinematic;       /* entries times their block's weight */
    int rows, coordinates; /* of the system that the columns were listed for */
    unsigned stamp;        /* of its pattern */
    unsigned shape;        /* changes with the rows that are taken in */
    ksiInts kind;          /* [rows] KSI_ROW_... */
    int columns, height;   /* rows taken in; coordinates and slacks */
    int rank;
    int isSparse;    /* what counts is in sparse; else in what follows it */
    int decomposed;  /* U Sigma V^T is there */
    double smallest; /* least |R_kk| */
    ksiSparse sparse;
    ksiInts row, slack, column; /* [columns], [columns] height index or -1, [rows] column or -1 */
    ksiInts pivot;              /* [columns] counted from 1: place in R -> column */
    ksiInts iwork;
    ksiDoubles scale, unit;  /* [columns] d_l = |b~_l| and 1 / d_l */
    ksiDoubles slackPart;    /* [columns] entry of the unit column at its slack */
    ksiDoubles qr, tau;      /* [height x columns], [min] */
    ksiDoubles u, sigma, vt; /* [min x min], [min], [columns x columns] */
    ksiDoubles copy, work, lane;
    int sizesKnown;      /* of this factorisation: */
    ksiDoubles size;     /* [columns] |w_l| of relaxed coordinates, see errorbar.c */
    double least;        /* singular value that the last look at the rank found; 0: none */
    int rankIsProved;    /* also in the kinematic metric */
    int dependentCount;  /* rows that are left out, see dependent.c */
    ksiInts isDependent; /* [rows] */
    ksiDependents dependents;
    int stressCount; /* self-stresses that are proved, in `dependents`; 0: none, or in vt */
    double stressNoise;
    double lifted;                     /* bound of the singular values that these stand for */
    const ksiStressBasis *stressBasis; /* of these, in the factor's metric; one of the system's */
} ksiFactor;

/* What a view keeps from step to step, in which it takes in the same rows. */
typedef struct ksiKeptView {
    unsigned shape;    /* ksiFactor.shape that all of it belongs to */
    int lowestKnown;   /* from the same rows, maybe of an earlier step */
    ksiDoubles lowest; /* vector of the least singular value, and a general one */
} ksiKeptView;

/* follow.c: what is kept of one mechanism from step to step. */
struct ksiKept {
    ksAllocator allocator;
    unsigned refined; /* ksiGauss.pattern of which rough solutions did not do */
    ksiKeptView view[KSI_VIEW_COUNT];
};

/* The motion by Lagrange II in scaled coordinates, slacks behind the coordinates of the factorisation it is from; and
 * that of an impact, with momenta for forces and velocities for accelerations. */
typedef struct ksiSystemMotion {
    int isTrue;              /* that of ksiTrueMotion, for the system as it is */
    const double *beta;      /* [rows] the right-hand side that it answers; NULL: 0 */
    int isSolved;            /* ... and `multiplier` has the multipliers of it */
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

struct ksSystem {
    ksAllocator allocator;
    double rigidCompliance, rankTolerance;
    int denseBudget;  /* 0: none */
    double denseWork; /* columns^3 of all dense factorisations so far */
    int isFollowed;   /* refilled step after step */
    ksiKept *kept;    /* of the mechanism that it is filled with */
    ksiKept own;      /* that, where nobody else has it */
    unsigned shapes;  /* that factors have had so far */
    int culprit;

    int blockCount, coordinateCount;
    size_t choleskyCount;
    ksiInts blockSize, blockOffset, blockStamp; /* [blockCount] */
    ksiInts blockIsRigid;                       /* [blockCount] 1: its root is a ksiRigidRoot, else L, row-major */
    ksiInts blockCholesky;                      /* [blockCount] start of its root in cholesky */
    ksiDoubles cholesky;                        /* the roots, block after block; each begins with sqrt of a mass */
    ksiDoubles scaledForce, velocity;           /* [coordinateCount] L^-1 f, v */
    ksiDoubles blockWork;
    int stamp;

    int rowCount, pieceCount, entryCount, knownCount;
    int boundedCount;               /* rows that are not known and have a bound */
    ksiInts rowPiece;               /* [rowCount + 1] */
    ksiInts pieceBlock, pieceEntry; /* [pieceCount] */
    ksiDoubles entry;               /* b_l, piece after piece */
    ksiDoubles beta, compliance;
    ksiDoubles lo, hi;   /* of ksiSystemAddJoint: those of known rows only */
    ksiDoubles diagonal; /* [rowCount] A_ll = |b_l|^2 */
    int sizesKnown;
    ksiDoubles rowSize; /* [rowCount] |b_l| in the kinematic metric, 1 for a row without entries; see ksiSizeRows */
    ksiInts rowKnown;   /* [rowCount] lo == hi */

    ksiGauss gauss;
    ksiFronts fronts;
    ksiTree tree;
    ksiFactor factor[KSI_VIEW_COUNT];
    ksiSystemMotion motion;
    ksiObserved observed;
    ksiStressBasis stressBasis[KSI_METRIC_COUNT];
    int selfStressCount, selfStressKnown, rank;
    double selfStressNoise;
    double rounding;    /* how far roundings may have moved the true motion: see errorbar.c, which has found it last */
    double splitError;  /* of what is determinate, rows of unit size: from the self-stresses that were adopted */
    ksiDoubles share;   /* [rowCount x shareWidth] see dependent.h */
    ksiInts shareCount; /* [rowCount] */
    int shareWidth;
    ksiDoubles selfStress; /* [selfStressCount x rowCount] for who asks for it */
    int basisKnown;
    ksiDoubles routes;    /* [3 x rows] multipliers by either, and their bars */
    ksiDoubles echelon;   /* [selfStressCount x rowCount] the same in reduced echelon form */
    ksiInts echelonPivot; /* [selfStressCount] */
    int echelonKnown;
    ksiDoubles given;  /* of given.c */
    ksiDoubles placed; /* of active_set.c, as the next one */
    ksiInts placedParent;
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
#define KSI_RETURN_OF_SYSTEM(system, ...) KSI_RETURN_QUIETLY(ksiNameCulprit(system, __VA_ARGS__))

/* system.c */
KS_MUST_USE ksStatus ksiNameCulprit(const ksSystem *system, ksStatus status);
KS_MUST_USE ksStatus ksiDoublesReserve(ksSystem *system, ksiDoubles *buffer, size_t count);
KS_MUST_USE ksStatus ksiIntsReserve(ksSystem *system, ksiInts *buffer, size_t count);
int ksiAllFinite(size_t count, const double *value);
void ksiForget(ksSystem *system);                   /* what was computed from the blocks and rows is out of date */
int ksiRowIsEmpty(const ksSystem *system, int row); /* J_l = 0 and s_l = 0 */
KS_MUST_USE ksStatus ksiCheckEmptyRows(ksSystem *system); /* 0 = beta has no solution but for beta = 0 */
KS_MUST_USE ksStatus ksiCheckBounds(ksSystem *system, const double *multiplier);

/* system_fill.c */
KS_MUST_USE ksStatus ksiRowsReserve(ksSystem *system, size_t rows, size_t pieces, size_t entries); /* in all */
void ksiSizeRows(ksSystem *system); /* before rowSize is read */
int ksiNextStamp(ksSystem *system); /* a mark for blockStamp that no block has */

/* scaling.c */
int ksiCholesky(int size, const double *mass, double *lower);             /* 0: not positive definite */
void ksiForward(int size, const double *lower, double *x);                /* x := L^-1 x */
void ksiScaleForce(const ksSystem *system, double *x);                    /* x := L^-1 x over all blocks */
void ksiScaleMotion(const ksSystem *system, double *x);                   /* x := L^T x */
void ksiUnscaleMotion(const ksSystem *system, double *x);                 /* x := L^-T x */
double ksiRowDot(const ksSystem *system, int row, const double *y);       /* b_l . y = J_l a */
void ksiRowAdd(const ksSystem *system, int row, double times, double *y); /* y += times b_l */
void ksiAppliedForce(const ksSystem *system, double *y);                  /* y_f + sum over known rows of b_l lo_l */
double ksiDot(size_t count, const double *a, const double *b);
double ksiBlockWeight(const ksSystem *system, int block); /* its first mass^1/2: a rigid body then has mass 1 */
double ksiWeightSpread(const ksSystem *system);           /* least over largest weight; 1: the metrics are one */
/* of a block of ksiSystemAddBody */
void ksiRigidForward(const ksiRigidRoot *root, double x[6]);    /* x := L^-1 x */
void ksiRigidBackward(const ksiRigidRoot *root, double x[6]);   /* x := L^-T x */
void ksiRigidTransposed(const ksiRigidRoot *root, double x[6]); /* x := L^T x */

/* dense.c */
/* `rank`: as many singular values are kept; -1: decided by the tolerance. KS_ERROR_UNAVAILABLE beyond the budget. */
KS_MUST_USE ksStatus ksiDenseFactorise(ksSystem *system, ksiFactor *factor, double tolerance, int rank);
void ksiDenseEnter(ksiFactor *factor, double *h);
void ksiDenseLeave(ksiFactor *factor, double *h);
void ksiDenseRowsToFrame(ksiFactor *factor, const double *side, double *frame);
void ksiDenseFrameToRows(ksiFactor *factor, const double *frame, double *multiple);

/* follow.c: of a factor of the system, as far as it belongs to the rows that are taken in */
ksiKeptView *ksiKeptOfFactor(ksSystem *system, const ksiFactor *factor);
void ksiKeptFree(ksiKept *kept);

/* rank.c: of a factorisation without U Sigma V^T. The least singular value of R, from above; whether no singular values
 * are to be cut by the tolerance. */
KS_MUST_USE ksStatus ksiLeastSingular(ksSystem *system, ksiFactor *factor, double *least);
KS_MUST_USE ksStatus ksiRankIsFull(ksSystem *system, ksiFactor *factor, double tolerance, int *full);

/* columns.c */
KS_MUST_USE ksStatus ksiGatherColumns(ksSystem *system, ksiView view, ksiFactor *factor);
KS_MUST_USE ksStatus ksiFactoriseSparse(ksSystem *system, ksiFactor *factor); /* of what is gathered */
double ksiFactorSpread(const ksSystem *system, const ksiFactor *factor); /* of its metric against the kinematic one */

/* factor.c */
KS_MUST_USE ksStatus ksiFactorGet(ksSystem *system, ksiView view, ksiFactor **factor);
KS_MUST_USE ksStatus ksiDecidingFactor(ksSystem *system, ksiFactor **factor);  /* of rank and self-stresses */
void ksiEnterFrame(ksiFactor *factor, double *h);                              /* [height] Q^T h */
void ksiLeaveFrame(ksiFactor *factor, double *h);                              /* [height] Q h */
void ksiRowsToFrame(ksiFactor *factor, const double *side, double *frame);     /* [columns] -> [rank] R^-T */
void ksiFrameToRows(ksiFactor *factor, const double *frame, double *multiple); /* [rank] -> [columns] R^-1 */

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

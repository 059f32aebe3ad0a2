/* system_private.h  The inside of a ksSystem, shared by the files of plugin/mechanics. */
#ifndef KSI_MECHANICS_SYSTEM_PRIVATE_H
#define KSI_MECHANICS_SYSTEM_PRIVATE_H

#include "../base/arena.h"
#include "../base/error.h"
#include "../base/pseudorandom.h"
#include "../base/vectorise.h"
#include "bounds/active_set.h"
#include "gauss/gauss.h"
#include "mechanics.h"
#include "model.h"
#include "nullspace/fronts.h"
#include "pattern.h"
#include "selfstress/dependent.h"
#include "tree/articulated.h"
#include "view.h"

#include <stdbool.h>

/* A singular value below this share of the largest one, or an independent part below this share of
 * its row, is rounding: Householder factorisation of unit columns is exact to about sqrt(rows) * 10
 * eps, 1e-14 for some hundred rows. */
#define KSI_ROUNDING_RANK 1e-13

/* |R_kk| of the pivoted factorisation overestimates the least singular value, but rarely by more
 * than a few times. If |R_kk| is above this multiple of the tolerance, it decides the rank.
 * Otherwise the singular values decide. */
#define KSI_SAFE_MARGIN 10.0

/* If a unit column has a remainder above this number, the remainder is surely more than
 * rounding. */
#define KSI_CLEARS_ROUNDING (KSI_SAFE_MARGIN * KSI_ROUNDING_RANK)

/* The tolerance cuts the rank only at a gap of this factor between singular values. Drifted
 * redundant rows have singular values far below the others. The singular values of a long chain
 * decrease gradually, however small they become. */
#define KSI_RANK_GAP 10.0

/* A row is determinate if its part in the unit self-stresses is below their noise. The noise is
 * KSI_NOISE_OVER_TILT times their tilt, but from KSI_LEAST_NOISE to KSI_MOST_NOISE. The tilt is the
 * ratio of the singular values on both sides of the rank. For exactly dependent rows it is
 * rounding. If constraints have drifted, it is up to 1e-3: singular values that would be zero reach
 * 1e-6, and the others begin at 1e-3. If a row takes part in a self-stress of a few dozen rows, its
 * part is at least 1e-2, unless its blocks have very unequal coordinates. */
#define KSI_NOISE_OVER_TILT 1e2
#define KSI_LEAST_NOISE 1e-9
#define KSI_MOST_NOISE 1e-3

/* Dependent rows contradict each other if beta - J a exceeds this share of |beta| + |J| (|a| +
 * |M^-1 f|): four digits above the rounding of dependent rows, five below any deliberate
 * contradiction. */
#define KSI_INCONSISTENT 1e-9

/* A user's direction satisfies a row if J_r w is below this share of |J_r| |w|. */
#define KSI_ADMISSIBLE 1e-9

/* A multiplier may leave its bounds by this share of the largest load: rounding, not a
 * violation. */
#define KSI_BOUND_ROUNDING 1e-9

/* A factorisation B~ P = Q R of unit columns: see factor.c. It is sparse if the rank is beyond
 * doubt. Otherwise it is dense, with R = U Sigma V^T if the rank is deficient. `symbolic` has the
 * symbolic part; the first members are copied from it. */
typedef struct ksiFactor {
    const ksiModel *model;
    ksiPattern *pattern;
    ksiSymbolic *symbolic;
    int rows;               /* of the model */
    int columns, height;    /* rows in the factorisation; coordinates and slacks */
    const int *kind;        /* [rows] KSI_ROW_... */
    const int *row, *slack; /* [columns], [columns] height index or -1 */
    const int *column;      /* [rows] column or -1 */
    int known;              /* belongs to the current system */
    ksiViewIndex index;     /* of its view */
    ksiViewIndex servedBy;  /* the view whose factorisation serves this one; usually itself */
    ksiFactorSpec view;
    int rank;
    bool isSparse;   /* the factorisation is in `sparse`; else in the members after it */
    int decomposed;  /* U Sigma V^T is computed */
    double smallest; /* least |R_kk| */
    ksiSparse sparse;
    int *pivot; /* [columns] counted from 1: place in R -> column */
    int *iwork;
    double *scale, *unit;   /* [columns] d_l = |b~_l| and 1 / d_l */
    double *slackPart;      /* [columns] entry of the unit column at its slack */
    double *qr, *tau;       /* [height x columns], [min] */
    double *u, *sigma, *vt; /* [min x min], [min], [columns x columns] */
    double *copy, *work, *workspace;
    int sizesKnown;     /* `size` belongs to this factorisation */
    double *size;       /* [columns] |w_l| of relaxed coordinates, see errorbar.c */
    double least;       /* least singular value from the last rank decision; 0: none */
    int rankIsProved;   /* the rank is proved, also in the kinematic metric */
    unsigned choiceOf;  /* ksiSymbolic.id of the choice in isDependent; 0: none */
    int dependentCount; /* number of rows that are omitted because they are dependent, see
                           dependent.c */
    int *isDependent;   /* [rows] */
    int areEarlier;     /* as in ksiSymbolic */
    ksiDependents dependents;
    int stressCount; /* number of proved self-stresses in `dependents`; 0: none, or vt has them */
    double stressNoise;
    double perturbedBound;             /* upper bound of their singular values */
    const ksiStressBasis *stressBasis; /* their orthonormal basis in the factor's metric; one of
                                          system->stresses */
} ksiFactor;

/* Orthonormal basis of self-stresses that share rows: in `model`, self-stresses are the rows, and
 * rows of the system are the coordinates. */
typedef struct ksiStressFactor {
    ksiModel model;
    ksiPattern *pattern;
    ksiFactor factor;
} ksiStressFactor;

/* Warm start of one view of a mechanism. */
typedef struct ksiWarmView {
    unsigned symbolic; /* ksiSymbolic.id that its next factorisation tries first */
    unsigned lowestOf; /* ksiSymbolic.id of `lowest`, perhaps from an earlier step; 0: none */
    double *lowest;    /* singular vector of the least singular value, and a start vector */
} ksiWarmView;

/* warmstart.c: warm start of a mechanism. */
struct ksiWarmStart {
    ksiPattern *pattern;
    unsigned refined; /* ksiPattern.id for which unrefined solutions were too rough */
    unsigned refused; /* ksiPattern.id whose rank decision exceeded the dense budget; 0: none */
    int refusedKnown; /* number of known rows at the refusal */
    int patience;     /* calls until the next try; 0: the last try was not refused */
    int waited;       /* calls since the refusal */
    ksiWarmView view[KSI_VIEW_COUNT];
};

/* Known data of a motion of the current system. */
typedef enum ksiMotionKnown {
    KSI_MOTION_UNKNOWN,
    KSI_MOTION_PROJECTED, /* `y` still holds Q^T y, with Q of `projectedBy`, and `load` is known */
    KSI_MOTION_TRUE,      /* the motion is the result of ksiTrueMotion */
} ksiMotionKnown;

/* The motion by Lagrange II in scaled coordinates, followed by the slacks of its factorisation; or
 * the motion of an impact, with momenta for forces and velocities for accelerations. */
typedef struct ksiSystemMotion {
    ksiMotionKnown known;
    const struct ksiFactor *projectedBy;
    const double *beta;   /* [rows] its right-hand side; NULL: 0 */
    bool hasMultipliers;  /* `multiplier` belongs to it */
    double alongRows;     /* |Q1^T y|^2 */
    double alongMotions;  /* |Q2^T y|^2 */
    double *applied;      /* [coordinates] y_f plus the forces of known rows */
    double *y;            /* [height] */
    double *load;         /* [columns] Q1^T (y - y_f), the first `rank` numbers */
    double *side;         /* [columns] beta / d */
    double *multiplier;   /* [rows] */
    double *acceleration; /* [coordinates] */
} ksiSystemMotion;

/* Announced arguments of ksiSystemMeasure; NULL: none. */
typedef struct ksiObserved {
    const double *acceleration, *multiplier;
    bool isTaken; /* the exact factorisation computes Q^T z of the observed deviation z */
} ksiObserved;

/* Memory of bounded.c. */
typedef struct ksiBounded {
    ksiBoundedRow *row;
    ksRowPlace *place;
    size_t capacity, placeCapacity;
    double *work;
    double *finite; /* copies of forces, sides and bounds, while an impact replaces them */
    int *determinate;
} ksiBounded;

/* Results of determinacy.c. */
typedef struct ksiSelfStresses {
    int known; /* they belong to the current system */
    int count, rank;
    double noise;
    double splitError; /* error that the null-space projection adds to determinate parts, unit
                          rows */
    ksiStressBasis orthonormal[KSI_METRIC_COUNT];
    double *share;   /* [rows x shareWidth] see dependent.h */
    int *shareCount; /* [rows] */
    int shareWidth;
    const ksiElasticRow *elastic; /* [rows] the argument of ksiSystemShareOut, owned by the
                                     caller */
    double *elasticPart;          /* [rows] */
    int basisKnown;
    double *basis; /* [count x rows] computed on demand */
    int echelonKnown;
    double *echelon;   /* [count x rows] the self-stresses in reduced echelon form */
    int *echelonPivot; /* [count] */
} ksiSelfStresses;

/* The model, its symbolic part, the mechanism's warm start, and the numbers. All mechanisms with
 * the same blocks and rows share the symbolic part. All mechanisms share the memory of the
 * numbers. */
struct ksSystem {
    ksiArena memory; /* for all following members */
    ksAllocator allocator;
    double rankTolerance;
    double inputRounding; /* relative rounding of the input */
    int denseBudget;      /* 0: none */
    double denseWork;     /* columns^3 of all dense factorisations so far */
    bool isWarmStarted;   /* refilled step after step */
    ksiWarmStart *warm;   /* warm start of the present mechanism */
    ksiWarmStart ownWarm; /* used if the caller has none */
    int culprit;

    ksiModel model;
    ksiPatternCache patterns;
    ksiPattern *pattern; /* of the model; NULL: not found yet */
    ksiGauss gauss;
    ksiTree tree;
    ksiFactor factor[KSI_VIEW_COUNT];
    ksiSystemMotion motion;
    ksiObserved observed;
    ksiSelfStresses stresses;
    double rounding; /* bound of the true motion's rounding, by errorbar.c */
    /* workspaces */
    double *routes;     /* [3 x rows] multipliers by each route, and their bars */
    double *activeWork; /* of active_set.c, like the next one */
    int *activeParent;
    double *frictionWork; /* of friction.c */
    int *moved;           /* blocks, of relax_support.c */
    ksiBounded bounded;
    double *vector[3]; /* scratch of a single call */
};

/* The factor from a row's entry in a self-stress of `f` to the row's part in `metric`. */
static inline double ksiStressUnit(const ksSystem *system, const ksiFactor *f, ksiMetric metric, int row)
{
    const int c = f->column[row];
    if (c < 0 || metric == KSI_METRIC_MASS)
        return c >= 0;
    return f->unit[c] * (metric == KSI_METRIC_KINEMATIC ? system->model.kinematicSize[row] : 1);
}

/* The row's parts in `count` self-stresses, in `metric`. In the elastic metric, they include other
 * rows of its group. `value` has the row's entries; those of the next row are `stride` further
 * on. */
KSI_INLINE void ksiStressParts(const ksSystem *system, const ksiFactor *f, ksiMetric metric, int row, int count,
                               const double *value, int stride, double *part)
{
    const double unit = ksiStressUnit(system, f, metric, row);
    EACH (i, 0, count)
        part[i] = unit * value[i];
    if (metric != KSI_METRIC_ELASTIC)
        return;
    const ksiElasticRow *elastic = &system->stresses.elastic[row];
    for (int k = 0; k < elastic->count; k++) {
        const double times = elastic->times[k] * ksiStressUnit(system, f, metric, elastic->with[k]);
        EACH (i, 0, count)
            part[i] += times * value[stride * (elastic->with[k] - row) + i];
    }
    EACH (i, 0, count)
        part[i] *= elastic->root;
}

/* Begins each call: clears the culprit of the last call. Returns 0 if there is no system. */
static inline int ksiBeginCall(ksSystem *system)
{
    if (!system)
        return 0;
    system->culprit = -1;
    return 1;
}

#define KSI_REQUIRE_SYSTEM(system) KSI_REQUIRE(ksiBeginCall(system), "system is NULL")

/* Last line of a system's public function: returns the result of the call; on failure the message
 * names the row. */
#define KSI_RETURN_OF_SYSTEM(system, ...) KSI_RETURN_GUARDED(ksiNameCulprit(system, __VA_ARGS__))

/* system.c: makes room for these counts in vector[0], vector[1], vector[2] */
KS_MUST_USE ksStatus ksiReserveVectors(ksSystem *system, size_t first, size_t second, size_t third);
KS_MUST_USE ksStatus ksiNameCulprit(const ksSystem *system, ksStatus status);
void ksiForgetKnown(ksSystem *system, bool areOthers);    /* known multipliers have changed;
                                                             areOthers: or which rows are known */
void ksiForget(ksSystem *system);                         /* everything computed from blocks and
                                                             rows is out of date */
KS_MUST_USE ksStatus ksiCheckEmptyRows(ksSystem *system); /* an empty row has a solution only if
                                                             beta = 0 */
/* Is the multiplier beyond the row's bounds by more than rounding of this load? Then the row is the
 * culprit. */
int ksiBreaksBounds(ksSystem *system, int row, double multiplier, double load);
KS_MUST_USE ksStatus ksiCheckBounds(ksSystem *system, const double *multiplier);

/* bounded.c: sets the bounds of all rows; lo [rows], hi [rows] */
void ksiSetBounds(ksSystem *system, const double *lo, const double *hi);
/* Finds the bounded solution, and calls the function: rows at a bound are then known rows, and
 * other rows have no bounds. Fails like ksSystemSolveBounded */
typedef ksStatus ksiCall(ksSystem *system, void *context);
KS_MUST_USE ksStatus ksiWithinBounds(ksSystem *system, ksiCall *call, void *context);

/* relax_support.c: relaxes a row along a given direction under a given motion, using only the
 * blocks that move. load: size of the forces on them. *done 0: a compliant row moves, and its slack
 * needs the true motion; *out is unchanged */
KS_MUST_USE ksStatus ksiRelaxAlong(ksSystem *system, int row, const double *direction, const double *acceleration,
                                   ksRelaxation *out, double *load, int *done);

/* dense.c */
/* Counts a dense factorisation with this number of rows and this work. KS_ERROR_UNAVAILABLE: beyond
 * the budget. */
KS_MUST_USE ksStatus ksiSpendDense(ksSystem *system, int rows, double work);
/* rank: number of singular values to keep; -1: decided by the tolerance. KS_ERROR_UNAVAILABLE
 * beyond the budget. */
KS_MUST_USE ksStatus ksiDenseFactorise(ksSystem *system, ksiFactor *factor, double tolerance, int rank);
void ksiDenseApplyQTransposed(ksiFactor *factor, double *h);
void ksiDenseApplyQ(ksiFactor *factor, double *h);
void ksiDenseSolveRTransposed(ksiFactor *factor, const double *side, double *frame);
void ksiDenseSolveR(ksiFactor *factor, const double *frame, double *multiple);

/* warmstart.c: finds the pattern of the current system, into system->pattern */
KS_MUST_USE ksStatus ksiSystemPattern(ksSystem *system);
/* warm start of the factor's view */
ksiWarmView *ksiWarmViewOf(ksSystem *system, const ksiFactor *factor);

/* rank.c, for a factorisation without U Sigma V^T. *least: an upper estimate of R's least singular
 * value. *full: the rank tolerance cuts no singular value. */
KS_MUST_USE ksStatus ksiLeastSingular(ksSystem *system, ksiFactor *factor, double *least);
KS_MUST_USE ksStatus ksiRankIsFull(ksSystem *system, ksiFactor *factor, int *full);

/* columns.c. Needs the factor's model, pattern and index. Omits the dependent rows that `warm`
 * remembers. If `warm` is NULL or remembers none, omits those of the last factorisation in use. */
KS_MUST_USE ksStatus ksiGatherColumns(ksiPatternCache *cache, ksiFactor *factor, ksiWarmView *warm);
/* Both use the factor's own choice of dependent rows: ksiGatherChosen at once, ksiRememberChoice
 * from the next gathering on. */
KS_MUST_USE ksStatus ksiGatherChosen(ksiPatternCache *cache, ksiFactor *factor, ksiWarmView *warm);
KS_MUST_USE ksStatus ksiRememberChoice(ksiPatternCache *cache, ksiFactor *factor, ksiWarmView *warm);
KS_MUST_USE ksStatus ksiFactoriseSparse(ksiFactor *factor); /* of the gathered columns */
double ksiFactorSpread(const ksiFactor *factor);            /* 1 in the kinematic metric, else
                                                               ksiWeightSpread */

/* In the kinematic metric, entries are multiplied by the weight of their block. */
static inline int ksiIsKinematic(const ksiFactor *factor)
{
    return factor->view.metric == KSI_METRIC_KINEMATIC;
}

/* factor.c */
KS_MUST_USE ksStatus ksiFactorGet(ksSystem *system, ksiViewIndex view, ksiFactor **factor);
/* Like ksiFactorGet, but without singular values, for a view whose rank is decided to rounding.
 * *factor is NULL if some rows are dependent. */
KS_MUST_USE ksStatus ksiIndependentFactor(ksSystem *system, ksiViewIndex view, ksiFactor **factor);
/* Decides rank and self-stresses; a refusal is remembered. */
KS_MUST_USE ksStatus ksiDecidingFactor(ksSystem *system, ksiFactor **factor);
void ksiApplyQTransposed(ksiFactor *factor, double *h); /* [height] Q^T h */
void ksiApplyQ(ksiFactor *factor, double *h);           /* [height] Q h */
/* [columns] -> [rank] R^-T */
void ksiSolveRTransposed(ksiFactor *factor, const double *side, double *frame);
/* [rank] -> [columns] R^-1 */
void ksiSolveR(ksiFactor *factor, const double *frame, double *multiple);

/* right_hand_sides.c */
KS_MUST_USE ksStatus ksiMotionReserve(ksSystem *system);
/* Sets motion.applied. Stores the vectors that the exact factorisation multiplies by Q^T:
 * motion.applied, and the deviation of the observed motion from it. */
KS_MUST_USE ksStatus ksiGatherSides(ksSystem *system, ksiFactor *factor);

/* motion.c: these functions fill system->motion. ksiFindMotion continues a projected motion.
 * ksiProjectMotion starts from motion.applied. */
KS_MUST_USE ksStatus ksiFindMotion(ksSystem *system, ksiFactor *factor);
KS_MUST_USE ksStatus ksiProjectMotion(ksSystem *system, ksiFactor *factor, const double *beta);
KS_MUST_USE ksStatus ksiCheckConsistent(ksSystem *system, ksiFactor *factor);
/* also checks that the rows agree */
KS_MUST_USE ksStatus ksiTrueMotion(ksSystem *system, ksiFactor **exact);
/* also fills system->motion.multiplier */
KS_MUST_USE ksStatus ksiTrueMultipliers(ksSystem *system, ksiFactor **exact);
/* a ksiCall; ignores bounds */
KS_MUST_USE ksStatus ksiSolveMotion(ksSystem *system, void *acceleration);
void ksiFindMultipliers(ksSystem *system, ksiFactor *factor); /* fills
                                                                 system->motion.multiplier */

/* determinacy.c: of a factorisation's self-stresses */
double ksiStressNoise(const ksiFactor *factor);

#endif

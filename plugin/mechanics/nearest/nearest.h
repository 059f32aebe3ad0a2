/* nearest.h  Rigid bodies whose joints have drifted apart: the nearest pose in which they fit, and the rank,
 * self-stresses and multipliers in that pose. */
#ifndef KSI_MECHANICS_NEAREST_NEAREST_H
#define KSI_MECHANICS_NEAREST_NEAREST_H

#include "../../linear/profile.h"
#include "../mechanics.h"

#include <kinetostat/status.h>
#include <stdbool.h>

/* Self-stresses: independent vectors of unit length over the places of a profile, in ascending order of their ends, each from the
 * first row that takes part to the last one. */
typedef struct ksiStressSet {
    int count;
    int *from, *end; /* [count] places */
    int *reach;      /* [count] the first place of this one or a later one */
    int *at;         /* [count] in `value`, where its numbers begin */
    double *value;
    ksiProfile gram;
    double *metric; /* (N^T N)^-1 within the profile: of those that meet at a body's rows */
    /* workspace */
    double *factor, *work;
    int *whole, *meeting;
    size_t filled, wholeCapacity, valueCapacity, metricCapacity;
} ksiStressSet;

enum { KSI_SHARES = 6 }; /* rows of a joint */

/* Numbers of rows, in their order: rigid rows that hold a position, and others; rigid rows of known force, which have a part in
 * self-stresses alone; rows with compliance. */
typedef struct ksiNearestRows {
    int positions, targets, idle, soft;
} ksiNearestRows;

/* Rows over at most two bodies, scaled by the masses: L^-1 J^T, M = L L^T, six numbers for each body. The caller fills members
 * marked *, in the order of the calls. Lengths are metres of the kinematic metric, in which each body has mass 1 and its radii of
 * gyration. */

typedef struct ksiNearest {
    ksAllocator allocator;
    int bodies, positions, active, rigid, soft, rows; /* active = positions + targets, rigid = active + idle */
    double radius;                                    /* * mean radius of gyration */
    double inputRounding;                             /* * relative, of what is given */
    double tolerance;   /* * rank tolerance; a misfit of joints as they were made is no drift */
    double *weight;     /* * [bodies] root of the mass */
    int (*body)[2];     /* * [rows] -1: none */
    double *gap;        /* * [rows] J dq = gap closes the position errors */
    double *initial;    /* * [rows][12] where the bodies are; until ksiNearestDecide in the metric of the pose found */
    double *fitted;     /* * [rows][12] in the pose found */
    double *length;     /* [rows] kinematic metric: of initial, of fitted from ksiNearestArrive to ksiNearestDecide */
    double *motion;     /* [bodies][6] of ksiNearestMove, in coordinates scaled as the rows are: dq = L^-T motion */
    double *force;      /* * [bodies][6] scaled applied forces */
    double *beta;       /* * [rows] */
    double *betaError;  /* * [rows] uncertainty of beta, one common change; then of the multipliers */
    double *rate;       /* * [rows] J v, zero for rows that follow a target */
    double *reported;   /* * [rows] the engine's multipliers */
    double *compliance; /* * [rows] of soft ones */
    double drift, residual;   /* largest gap over the radius: before the move, and after */
    double *multiplier, *bar; /* [rows] */
    double *adopted;          /* [rows] share of the engine's own in a multiplier */
    double *usual;            /* * [rows] those that the engine has on the average; NaN: not known */
    double *taken;            /* [rows] what the engine's own beside those have brought into a multiplier */
    double *slack;            /* [rows] of the impulses that give the bodies velocities which the rows permit */
    double *shift; /* * [rows] what these velocities change of beta; then what the drift changes of the multipliers */
    double *distance; /* [rows] of the rows' own solution from the multipliers, to first order */
    bool knowsUsual;  /* of all rows that hold the mechanism */
    double common;    /* further uncertainty, for a row of relaxed size 1 */
    int stressCount;  /* self-stresses that were chosen: */
    int areChosen;    /* they are in `chosen`; else in `all`: see ksiNearestStresses */
    double noise;     /* in a row that has no part in a unit one: less than that */
    double tilt;      /* of a unit one, in radians */
    bool hasShares;   /* `share` is of these */
    double *share;    /* [rows][KSI_SHARES] of ksiNearestShare */
    /* workspace */
    double *numbers, *matrix, *vectors; /* matrix: the last factor */
    int *whole, *integers;
    size_t numberCapacity, wholeCapacity, matrixCapacity, vectorCapacity;
    ksiProfile profile;
    double *inverse; /* from ksiNearestCorrect to ksiNearestBars the factor of the rows' own solution */
    double *unit, *change, *right, *acceleration, *before, *work, *turned;
    /* `fitted` is of the nearest pose. A caller that takes this back after ksiNearestDecide goes on with the bodies where they are, as if
     * they had not been moved. */
    bool isMoved;
    double way;            /* of a body, to the pose found: at most, in the kinematic metric */
    double open;           /* weight of the reported multipliers */
    double *small, *sigma; /* candidates, directions of small singular values: [candidates][rows], [candidates] */
    /* Self-stresses of all rigid rows, in multipliers times length, zero of soft rows; those chosen; and these in units of the root of
     * elastic energy */
    ksiStressSet all, chosen, elastic;
} ksiNearest;

/* A new one is zero except for the allocator, which is a pool's. Reserves memory and sets the counts. KS_OK, KS_ERROR_NO_MEMORY, KS_ERROR_UNAVAILABLE (no rigid row). */
KS_MUST_USE ksStatus ksiNearestBegin(ksiNearest *n, int bodies, const ksiNearestRows *count);

/* With weight, body, initial and gap: `drift`, and `length`. KS_ERROR_UNAVAILABLE: a row without entries. */
KS_MUST_USE ksStatus ksiNearestMeasure(ksiNearest *n);

/* Orders the rows; before all calls below. KS_ERROR_UNAVAILABLE: a matrix of more than `most` numbers. */
KS_MUST_USE ksStatus ksiNearestOrder(ksiNearest *n, int most);

/* The damped step towards the pose in which the joints fit,
 *
 *     dq = K^T (K K^T + damping)^-1 e,      K unit rows in the kinematic metric, e = gap / length:
 *
 * damping by a power of the residual, from its first to its square, makes a decision of the rank unnecessary, and steps are
 * quadratic in the end (Levenberg 1944; Fan, Yuan 2005). rows: `initial` or `fitted`; a factor may serve several steps. */
KS_MUST_USE ksStatus ksiNearestFactor(ksiNearest *n, const double *rows, double damping);
void ksiNearestMove(ksiNearest *n);

/* Singular values of unit rows below it cannot be told from zero: the root of what rounding makes of their squares. */
double ksiNearestUnseen(const ksiNearest *n);

/* With initial, fitted and gap of the pose found: `residual`, and `length`. isMoved = 0: fitted is initial, and all drift is left. */
KS_MUST_USE ksStatus ksiNearestArrive(ksiNearest *n, bool isMoved);

/* The rank and the self-stresses in that pose, of all rigid rows. */
KS_MUST_USE ksStatus ksiNearestDecide(ksiNearest *n);

/* Those in which the given rows have no part. */
KS_MUST_USE ksStatus ksiNearestChoose(ksiNearest *n, int count, const int *without);

/* `share` S of some rows of one joint: S S^T = Q Q^T there, with Q an orthonormal basis of the self-stresses that were chosen. */
void ksiNearestShare(ksiNearest *n, int count, const int *row);

/* Takes the part along the self-stresses that were chosen out of multipliers [rows]; length: of their rows, or NULL, they are of unit rows. `work`
 * is overwritten. */
void ksiNearestDetermine(ksiNearest *n, const double *length, double *multiplier);

/* multiplier += N z, N the self-stresses that were chosen: as ksiSystemShareOut. */
KS_MUST_USE ksStatus ksiNearestShareOut(ksiNearest *n, const ksiElasticRow *elastic, double *multiplier);

static inline const ksiStressSet *ksiNearestStresses(const ksiNearest *n)
{
    return n->areChosen ? &n->chosen : &n->all;
}

/* Number of a self-stress at a place that it has, and what follows. */
static inline const double *ksiStressFrom(const ksiStressSet *set, int k, int place)
{
    return set->value + set->at[k] + (place - set->from[k]);
}

/* ... at any place. */
static inline double ksiStressAt(const ksiStressSet *set, int k, int place)
{
    return set->from[k] <= place && place < set->end[k] ? *ksiStressFrom(set, k, place) : 0;
}

/* With initial in the metric of the bodies as they are: all that follows is solved there, and fitted is what its rows become in the
 * pose found. */
KS_MUST_USE ksStatus ksiNearestReturn(ksiNearest *n);

/* With rate: the scaled change of velocity [bodies][6] that the rows demand, in `motion`, and in `before` what they demand without the
 * engine's own. ksiNearestSolve comes next and, without soft rows, uses the same factors. */
KS_MUST_USE ksStatus ksiNearestCorrect(ksiNearest *n);

/* The multipliers. On error there are none. */
KS_MUST_USE ksStatus ksiNearestSolve(ksiNearest *n);

/* The multipliers that right-hand sides [rows] in `right` ask for alone, by the factor of ksiNearestSolve: there. isAny = 0: NULL. */
const double *ksiNearestAlone(ksiNearest *n, bool isAny);

/* `shift`, `distance`, `bar` and `common`; and the multipliers take the engine's own self-stress, in which idle rows have no part. On error
 * there are none. ksiNearestInverse: element of the inverse for rows that share a body; its diagonal is the squared size of a relaxed row. */
KS_MUST_USE ksStatus ksiNearestBars(ksiNearest *n);
double ksiNearestTurned(const ksiNearest *n, int row); /* relative change of a row from `initial` to `fitted` */
double ksiNearestInverse(const ksiNearest *n, int row, int column);

/* A scaled twist direction of a body. */
typedef struct ksiNearestProbe {
    int body;
    double direction[6];
} ksiNearestProbe;

/* In the nearest pose, with compliance: the velocity at one probe per unit impulse at the other. After ksiNearestDecide, and in place of
 * all that follows there. */
KS_MUST_USE ksStatus ksiNearestMobility(ksiNearest *n, const ksiNearestProbe *at, const ksiNearestProbe *from,
                                        double *mobility);

#endif

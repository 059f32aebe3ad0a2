/* loop.h  Solves an island with loops whose joints have drifted apart, in one call. Finds the
 * multipliers, their error bars, and which of them are unique.
 *
 * The caller owns bodies and joints, and gives access to them by ksiCoreHost. The core computes
 * everything else: the way to the pose in which the joints fit, the self-stresses in that pose, the
 * permitted velocities, the multipliers in the present pose, and their uncertainty. The equations
 * are (17) to (20c) of docs/mechanics.md.
 */
#ifndef KSI_CORE_LOOP_H
#define KSI_CORE_LOOP_H

#include "pose.h"

/* A joint of such an island. Its rows are in the order of its constraint. The host sets the members
 * marked * when it sets the rows. */
typedef struct ksiCoreLoop {
    double reported[KSI_CORE_ROWS];  /* * the engine's multipliers */
    double usual[KSI_CORE_ROWS];     /* * its average multipliers; NaN: unknown */
    double rate[KSI_CORE_ROWS];      /* * the part of J v that is not motion of the mechanism: all
                                        of it for rows that hold a position */
    double missed[KSI_CORE_ROWS];    /* * of rows that follow a velocity: J v less `rate` and less
                                        the target of the previous step, or of this step if that is
                                        unknown; else 0 */
    double before[KSI_CORE_ROWS];    /* * `left` of the previous step */
    double betaError[KSI_CORE_ROWS]; /* * uncertainty of beta: all rows change together by these
                                        amounts */
    double residual[KSI_CORE_ROWS];  /* of the engine's motion and multipliers: for
                                        ksiCoreSolveStep */
    unsigned targets, soft;          /* * rows that follow a velocity, rows with compliance: bits */
    /* results */
    double solved[KSI_CORE_ROWS]; /* by ksiCoreSolveStep */
    double multiplier[KSI_CORE_ROWS], bar[KSI_CORE_ROWS];
    double adopted[KSI_CORE_ROWS];   /* the engine's share of a multiplier */
    double taken[KSI_CORE_ROWS];     /* effect of the difference between reported and usual
                                        multipliers: (20a) */
    double slack[KSI_CORE_ROWS];     /* impulses that correct the velocities to permitted ones:
                                        (20b) */
    double left[KSI_CORE_ROWS];      /* impulses that correct the velocities to the targets of the
                                        previous step, without their part along self-stresses */
    double excess[KSI_CORE_ROWS];    /* part of the multiplier that comes from the engine's excess
                                        in the previous step: (20c) */
    double shift[KSI_CORE_ROWS];     /* change by the drift: (20) */
    double distance[KSI_CORE_ROWS];  /* distance to the solution without the engine's share, at the
                                        other permitted velocities */
    double fields[KSI_CORE_ROWS];    /* change by the other permitted velocities */
    double uncertain[KSI_CORE_ROWS]; /* change by betaError and blows */
    double size2[KSI_CORE_ROWS];     /* |w_l|^2 */
    double turned[KSI_CORE_ROWS];    /* relative change of a row on the way to the pose */
    ksiEight inverse[KSI_CORE_ROWS]; /* block of the rows in the inverse, whose diagonal is size2 */
    double unit[KSI_CORE_ROWS];      /* workspace: lengths of the rows in the factor */
} ksiCoreLoop;

typedef struct ksiCoreIsland ksiCoreIsland;

/* The rows that a blow hits. STOPS: stops whose impact the multipliers do not explain. ALL: these
 * stops and all rows that hold. UNKNOWN: any rows hit in this step. */
typedef enum ksiCoreBlow { KSI_BLOW_STOPS, KSI_BLOW_ALL, KSI_BLOW_UNKNOWN } ksiCoreBlow;

typedef struct ksiCoreHost {
    void *of;
    /* Makes a new plan in which `joint` is also carried. */
    ksStatus (*carry)(void *of, ksiCoreIsland *island, int joint);
    /* Sets in the present pose: the rows with their compliance, the members of joint[] marked *,
     * and weight2 of links. Marks rows at bounds as atLow or atHigh and sets their lambda; omits
     * rows without an equation. isFirst: also sets beta of column 0 to the gaps, J dq = gap. */
    ksStatus (*place)(void *of, ksiCoreIsland *island, bool isFirst);
    /* Moves the bodies by y of column 0, in the mass metric of their present pose (asTheyAre) or
     * first pose. Sets rows and gaps of the new pose, and row[] to the rows of the first pose on
     * the same scale. KS_ERROR_UNAVAILABLE: there are no such rows. */
    ksStatus (*move)(void *of, ksiCoreIsland *island, bool asTheyAre);
    /* Sets beta of column 0 and the forces, at the velocities of the bodies plus y of column 0. The
     * first call (isOwn) has the other permitted velocities, the second the mechanism's velocities.
     * The second also sets beta of column 1: beta of the first call minus beta of the second.
     * KS_ERROR_UNAVAILABLE: some accelerations are unknown. */
    ksStatus (*drive)(void *of, ksiCoreIsland *island, bool isOwn);
    /* Sets `moved` of links, column 0, to the velocity change that keeps the joint rates of a
     * spanning tree. *closing: the number of rows outside the tree that hold a position. NULL:
     * there is no tree. */
    ksStatus (*keep)(void *of, ksiCoreIsland *island, int *closing);
    /* Sets beta of column 1 to the velocity changes by blows. False: there are no blows. NULL: no
     * row has bounds. */
    bool (*strike)(void *of, ksiCoreIsland *island, ksiCoreBlow blow);
    /* Gives stops and motors their reported forces if multiplier[], or the blow in column 1
     * (isBlow), shows that they do not hold. True: some changed. */
    bool (*letGo)(void *of, ksiCoreIsland *island, bool isBlow);
} ksiCoreHost;

struct ksiCoreIsland {
    ksiCore core; /* input: its plan; results: the self-stresses, for ksiCoreProject */
    ksiCoreLoop *joint;
    double (*row)[KSI_CORE_ROWS][12]; /* [joints] rows in the present pose; at the end their change
                                         on the way to the pose */
    double (*force)[6];               /* [2 links] workspace: the forces on the links */
    double (*forceApart)[6];          /* second half: their change by the other velocities */
    double (*field)[2][6];            /* [2 links] workspace: changes of velocity */
    size_t jointCapacity, rowCapacity, forceCapacity, fieldCapacity;
    double radius;    /* * mean radius of gyration */
    double rounding;  /* * relative error of the input */
    double placing;   /* * rounding of the gaps, divided by the radius */
    double tolerance; /* * of the rank */
    double least;     /* * drift up to which the joints fit */
    double lastStep;  /* * duration of the previous step, s; 0: unknown */
    double softError; /* * error of the forces in the mass metric by rounded gaps of soft rows */
    /* results */
    double drift, residual; /* largest gap divided by the radius: in the present pose, in the fitted
                               pose */
    double way;             /* longest way of a body to the pose */
    bool isMoved;           /* the pose is the nearest one */
    bool isFar;             /* the pose is another one in which the joints fit */
    double open;            /* weight of the engine's multipliers; above 1/2 the joints are torn */
    double common;          /* part of each bar, divided by the square root of size2 */
    bool knowsUsual;        /* `usual` is known in all rows that hold the mechanism */
    ksiCoreRankFound rank;
};

void ksiCoreIslandInit(ksiCoreIsland *island, const ksAllocator *allocator);
void ksiCoreIslandFree(ksiCoreIsland *island);

/* assembly.c: moves to the nearest pose in which the joints fit, else to any such pose, else as
 * near as possible, else nowhere. Finds self-stresses there, and sets the rows of the present pose.
 * KS_ERROR_UNAVAILABLE: the joints fit (drift is set), or the rank is undecided.
 * KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiCoreFindPose(ksiCoreIsland *island, const ksiCoreHost *host);

/* After a singular factorisation: carries one more joint. KS_ERROR_UNAVAILABLE: all joints are
 * carried. */
KS_MUST_USE ksStatus ksiCoreCarryOn(ksiCoreIsland *island, const ksiCoreHost *host);

/* Finds the self-stresses of other rows in the last pose, without another step towards the pose in
 * which the joints fit. The host has set these rows and row[], as `move` does. Afterwards the core
 * has the rows of the present pose. KS_ERROR_UNAVAILABLE: undecided; the core has no
 * self-stresses. */
KS_MUST_USE ksStatus ksiCoreDecideAnew(ksiCoreIsland *island, const ksiCoreHost *host);

/* step_solution.c: solves all equations of the step. Input: column 0 has beta, force, and lambda of
 * known rows; ksiCoreLoop::residual. Output: column 0 of lambda has the multipliers that start from
 * zero, and column 1 those that start from the engine's, whose motion is y of column 0. Column 2 is
 * the solution for `residual`. ksiCoreCertify then finds the errors of columns 0 and 1. withKnown:
 * rows at bounds have equations too. KS_ERROR_SINGULAR: the rows depend on each other without
 * compliance. */
KS_MUST_USE ksStatus ksiCoreSolveStep(ksiCoreIsland *island, bool withKnown);
/* Only the factor of ksiCoreSolveStep. */
KS_MUST_USE ksStatus ksiCoreFactorStep(ksiCore *core, bool withKnown);
/* Call this right after ksiCoreSolveStep. Sets size2, and returns a bound of the error of columns 0
 * and 1 in the metric of the masses: a multiplier is wrong by at most |w_l| times this bound.
 * rounding: relative error of the input. INFINITY: size2 is lost. Overwrites all columns. */
double ksiCoreStepError(ksiCore *core, double rounding);
/* After ksiCoreSolveStep: one multiplier from its relaxed coordinate plus a permitted motion, (9b)
 * of docs/mechanics.md. *allowance: largest difference from ksiCoreLoop::solved by rounding.
 * Overwrites all columns. */
double ksiCoreRelaxRow(ksiCoreIsland *island, int joint, int row, double *allowance);

/* prescribed_stress.c: multipliers in the present pose. Their part along the self-stresses equals
 * the engine's part, and replaces the equations along them. isFactored: the core has the factor of
 * ksiCoreFactorStep. Input: column 0 has beta, force and lambda; lambda has the values of known
 * rows, and any start for the others. Output: lambda has the multipliers, and size2 the squares of
 * their change by an error of the motion of size 1. *missed: bound of this error.
 * KS_ERROR_SINGULAR: no solution exists, or none was found. */
KS_MUST_USE ksStatus ksiCoreGive(ksiCoreIsland *island, bool isFactored, double *missed);

/* Call this right after ksiCoreGive. Column 0 of lambda becomes the correction of the multipliers
 * by their residual: (10) of prescribed_search.c. */
void ksiCoreCorrectGiven(ksiCore *core);

/* drift.c: all results. KS_ERROR_UNAVAILABLE as from ksiCoreFindPose; KS_ERROR_BOUND: no
 * multipliers, since the joints are torn (see `open`) or some accelerations are unknown; otherwise
 * a status of the host. */
KS_MUST_USE ksStatus ksiCoreSolveDrifted(ksiCoreIsland *island, const ksiCoreHost *host);

/* Permitted velocities may keep the rates of the joints in the spanning tree. Do they belong to a
 * mechanism with loops? keeping2: square of the change to these velocities; nearest2: square of the
 * least permitted change. Returns 1 if they do.
 * Otherwise velocities belong to the mechanism only on the first part of the way from the nearest
 * permitted velocities to the given ones: returns this part, as a share of the way. */
double ksiCoreKeepingShare(double keeping2, double nearest2);

/* assembly.c: the rows with an equation depend on the stage. ksiCoreEnterStage marks the others as
 * known. */
typedef enum ksiCoreStage { KSI_STAGE_POSE, KSI_STAGE_RANK, KSI_STAGE_VELOCITY, KSI_STAGE_SOLVE } ksiCoreStage;
void ksiCoreEnterStage(ksiCoreIsland *island, ksiCoreStage stage);

/* The status of a factorisation, with KS_ERROR_SINGULAR if a joint must be carried. So
 * KS_ERROR_UNAVAILABLE always means that there is no pose. */
static inline ksStatus ksiCoreFactored(ksStatus status)
{
    return status == KS_ERROR_UNAVAILABLE ? KS_ERROR_SINGULAR : status;
}

#endif

/* loop.h  An island with closings whose joints have drifted apart, in one call: multipliers, their
 * bars, and their uniqueness.
 *
 * The caller owns bodies and joints, and provides them by ksiCoreHost. The core computes everything
 * else: the way to the pose in which the joints fit, the self-stresses there, permitted velocities,
 * multipliers in the present pose, and their uncertainty: equations (17) to (20c) of
 * docs/mechanics.md.
 */
#ifndef KSI_CORE_LOOP_H
#define KSI_CORE_LOOP_H

#include "pose.h"

/* A joint of such an island, rows in the order of its constraint. The host sets the members marked
 * *, with the rows. */
typedef struct ksiCoreLoop {
    double reported[KSI_CORE_ROWS];  /* * the engine's multipliers */
    double usual[KSI_CORE_ROWS];     /* * its average multipliers; NaN: unknown */
    double rate[KSI_CORE_ROWS];      /* * J v of rows that hold a position; else 0 */
    double missed[KSI_CORE_ROWS];    /* * J v less the velocity of the last step that a row follows; else 0 */
    double before[KSI_CORE_ROWS];    /* * left[] of the last step */
    double betaError[KSI_CORE_ROWS]; /* * uncertainty of beta, one common change */
    unsigned targets, soft;          /* * rows that follow a velocity, rows with compliance: bits */
    /* found */
    double multiplier[KSI_CORE_ROWS], bar[KSI_CORE_ROWS];
    double adopted[KSI_CORE_ROWS];   /* the engine's share of a multiplier */
    double taken[KSI_CORE_ROWS];     /* effect of the deviation of the engine's share from its usual
                                        value: (20a) */
    double slack[KSI_CORE_ROWS];     /* impulses that give the bodies velocities which the rows permit: (20b) */
    double left[KSI_CORE_ROWS];      /* the same, with the last target for rows that follow one, and
                                        without self-stress */
    double excess[KSI_CORE_ROWS];    /* share of a multiplier in the engine's excess in the last step: (20c) */
    double shift[KSI_CORE_ROWS];     /* change by the drift: (20) */
    double distance[KSI_CORE_ROWS];  /* distance of the rows' own solution, without the engine's
                                        share and at the other permitted velocities */
    double fields[KSI_CORE_ROWS];    /* change by the other permitted velocities */
    double uncertain[KSI_CORE_ROWS]; /* change by betaError and blows */
    double size2[KSI_CORE_ROWS];     /* |w_l|^2 */
    double turned[KSI_CORE_ROWS];    /* relative change of a row on the way to the pose */
    ksiEight inverse[KSI_CORE_ROWS]; /* of the factor that size2 is of: the block of the rows */
    double unit[KSI_CORE_ROWS];      /* workspace: sizes of the rows that a factor is of */
} ksiCoreLoop;

typedef struct ksiCoreIsland ksiCoreIsland;

/* The rows of a blow: stops that these multipliers do not explain; these stops and all rows that
 * hold; or rows that are hit in this step. */
typedef enum ksiCoreBlow { KSI_BLOW_STOPS, KSI_BLOW_ALL, KSI_BLOW_UNKNOWN } ksiCoreBlow;

typedef struct ksiCoreHost {
    void *of;
    /* A new plan, in which one more joint is carried. */
    ksStatus (*carry)(void *of, ksiCoreIsland *island, int joint);
    /* Sets the rows in the present pose, with compliance, joint[] *, and weight2 of links. Rows at
     * bounds are atLow or atHigh and have their lambda; rows without an equation are left out.
     * isFirst: also sets the gaps as beta of column 0, J dq = gap. */
    ksStatus (*place)(void *of, ksiCoreIsland *island, bool isFirst);
    /* Moves the bodies by y of column 0, in the metric of their present or first pose. Sets rows
     * and gaps of the new pose, and in row[] the rows of the first pose with the same scale.
     * KS_ERROR_UNAVAILABLE: there are no such rows. */
    ksStatus (*move)(void *of, ksiCoreIsland *island, bool asTheyAre);
    /* Sets beta of column 0 and forces for the velocities of the bodies plus y of column 0. isOwn:
     * these are the other permitted velocities, without the engine's share; the next call has the
     * mechanism's, and sets beta of column 1 to the change by the former. KS_ERROR_UNAVAILABLE: some
     * accelerations are unknown. */
    ksStatus (*drive)(void *of, ksiCoreIsland *island, bool isOwn);
    /* `moved` of links, column 0 := the change of their velocities that keeps the rates of the
     * joints of a tree. *closing: the number of rows that hold a position outside the tree. NULL:
     * there is no tree. */
    ksStatus (*keep)(void *of, ksiCoreIsland *island, int *closing);
    /* beta of column 1 := the velocity changes of blows; false: there are none. NULL: no row has
     * bounds. */
    bool (*strike)(void *of, ksiCoreIsland *island, ksiCoreBlow blow);
    /* Changes the places of stops and motors whose multiplier[] violates their bounds, with the
     * blow in column 1; true: some changed. */
    bool (*letGo)(void *of, ksiCoreIsland *island, bool isBlow);
} ksiCoreHost;

struct ksiCoreIsland {
    ksiCore core; /* with a plan; afterwards with the self-stresses, for ksiCoreProject and
                     ksiCoreUndetermined */
    ksiCoreLoop *joint;
    double (*row)[KSI_CORE_ROWS][12]; /* [joints] rows in the present pose; at the end their change
                                         on the way to the pose */
    double (*force)[6];               /* [2 links] workspace: the forces on them, and ... */
    double (*forceApart)[6];          /* ... their change by the other velocities */
    double (*field)[2][6];            /* [2 links] workspace: changes of velocity */
    size_t jointCapacity, rowCapacity, forceCapacity, fieldCapacity;
    double radius;    /* * mean radius of gyration */
    double rounding;  /* * relative, of the input */
    double tolerance; /* * of the rank */
    double least;     /* * invisible drift */
    double lastStep;  /* * s; 0: there is none */
    /* found */
    double drift, residual; /* largest gap over the radius: in the present pose, and in the fitted pose */
    double way;             /* longest way of a body to the pose */
    bool isMoved;           /* the pose is the nearest one */
    bool isFar;             /* another pose in which the joints fit */
    double open;            /* weight of the reported multipliers, 1: the joints are torn */
    double common;          /* further uncertainty, of a row of relaxed size 1 */
    bool knowsUsual;        /* of all rows that hold the mechanism */
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

/* Self-stresses of other rows in the last pose. The host has set these rows, and row[], as after a
 * move of the bodies. Afterwards the rows are those of the present pose. KS_ERROR_UNAVAILABLE:
 * undecided, without self-stresses. */
KS_MUST_USE ksStatus ksiCoreDecideAnew(ksiCoreIsland *island, const ksiCoreHost *host);

/* given.c: multipliers in the present pose. Their part along the self-stresses is the engine's,
 * which replaces the equations along these. Input: column 0 has beta, force, and lambda, the values
 * of known rows and any start for the others. Output: lambda has the multipliers, beta the
 * right-hand sides that they satisfy, and size2 the squares of their change by an error of the
 * motion of size 1. *missed: the largest such error. KS_ERROR_SINGULAR: no solution, or not
 * found. */
KS_MUST_USE ksStatus ksiCoreGive(ksiCoreIsland *island, double *missed);

/* Right afterwards: gives other multipliers of the same right-hand sides, in lambda, the same
 * part. */
KS_MUST_USE ksStatus ksiCoreGiveAgain(ksiCoreIsland *island, double missed);

/* drift.c: all results. KS_ERROR_UNAVAILABLE as from ksiCoreFindPose; KS_ERROR_BOUND: no
 * multipliers, since the joints are torn, `open`, or some accelerations are unknown; or a status of
 * the host's calls. */
KS_MUST_USE ksStatus ksiCoreSolveDrifted(ksiCoreIsland *island, const ksiCoreHost *host);

/* The velocities that keep the joint rates of a tree, in a mechanism with loops. Arguments: the
 * squares of the sizes of their change and of the least permitted change. 1: they belong to the
 * mechanism. Else the share of the way from the nearest permitted velocities to them up to which
 * some may belong to it. */
double ksiCoreKeepingShare(double keeping2, double nearest2);

/* Rows with an equation, in the pose of the step and of their island. */
typedef enum ksiCoreStage { KSI_STAGE_POSE, KSI_STAGE_RANK, KSI_STAGE_VELOCITY, KSI_STAGE_SOLVE } ksiCoreStage;
void ksiCoreEnterStage(ksiCoreIsland *island, ksiCoreStage stage);

/* Status of a factorisation: distinguishes a joint that must be carried from a missing pose. */
static inline ksStatus ksiCoreFactored(ksStatus status)
{
    return status == KS_ERROR_UNAVAILABLE ? KS_ERROR_SINGULAR : status;
}

#endif

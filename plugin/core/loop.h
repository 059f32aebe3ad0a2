/* loop.h  An island with closings whose joints have drifted apart, in one call: multipliers, their bars, and what is unique.
 *
 * The caller owns bodies and joints, and answers what only it knows (ksiCoreHost). Everything else is the core's: the way to the pose in which the
 * joints fit, self-stresses there, velocities that the rows permit, multipliers where the bodies are, and how uncertain these are: equations (17) to
 * (20b) of docs/mechanics.md.
 */
#ifndef KSI_CORE_LOOP_H
#define KSI_CORE_LOOP_H

#include "pose.h"

/* A joint of such an island, rows in the order of its constraint. What is marked * the host sets, with the rows. */
typedef struct ksiCoreLoop {
    double reported[KSI_CORE_ROWS];  /* * the engine's multipliers */
    double usual[KSI_CORE_ROWS];     /* * its average multipliers; NaN: unknown */
    double rate[KSI_CORE_ROWS];      /* * J v of rows that hold a position; else 0 */
    double betaError[KSI_CORE_ROWS]; /* * uncertainty of beta, one common change */
    unsigned targets, soft;          /* * rows that follow a velocity, rows with compliance: bits */
    /* found */
    double multiplier[KSI_CORE_ROWS], bar[KSI_CORE_ROWS];
    double adopted[KSI_CORE_ROWS];   /* the engine's share of a multiplier */
    double taken[KSI_CORE_ROWS];     /* what the engine's own beside the usual ones have brought: (20a) */
    double slack[KSI_CORE_ROWS];     /* impulses that give the bodies velocities which the rows permit: (20b) */
    double shift[KSI_CORE_ROWS];     /* what the drift changes: (20) */
    double distance[KSI_CORE_ROWS];  /* ... without the engine's own */
    double uncertain[KSI_CORE_ROWS]; /* what betaError and blows change */
    double size2[KSI_CORE_ROWS];     /* |w_l|^2 */
    double turned[KSI_CORE_ROWS];    /* relative change of a row on the way to the pose */
    ksiEight inverse[KSI_CORE_ROWS]; /* of the factor that size2 is of: the block of the rows */
    double unit[KSI_CORE_ROWS];      /* workspace: sizes of the rows that a factor is of */
} ksiCoreLoop;

typedef struct ksiCoreIsland ksiCoreIsland;

/* What a blow asks for: of stops that these multipliers do not explain, and of all rows that hold, too; or of those that are hit in this step. */
typedef enum ksiCoreBlow { KSI_BLOW_STOPS, KSI_BLOW_ALL, KSI_BLOW_UNKNOWN } ksiCoreBlow;

typedef struct ksiCoreHost {
    void *of;
    /* A new plan, in which one more joint is carried. */
    ksStatus (*carry)(void *of, ksiCoreIsland *island, int joint);
    /* Rows where the bodies are, with compliance, joint[] *, and weight2 of links; rows at bounds are atLow or atHigh and have their lambda; rows that are in no equation
     * are left out. isFirst: and gaps as beta of column 0, J dq = gap. */
    ksStatus (*place)(void *of, ksiCoreIsland *island, bool isFirst);
    /* Bodies are moved by y of column 0, in the metric in which they are, or were at first; their rows and gaps there, and into row[] those
     * where they were at first, scaled as these are. KS_ERROR_UNAVAILABLE: there are none. */
    ksStatus (*move)(void *of, ksiCoreIsland *island, bool asTheyAre);
    /* The rows' velocities are those of the bodies and y of column 0. isOwn: without the engine's own; next comes the call with it. Then beta of column 0 and
     * forces are set, and beta of column 1 becomes what the former velocities change. KS_ERROR_UNAVAILABLE: some accelerations are not known. */
    ksStatus (*drive)(void *of, ksiCoreIsland *island, bool isOwn);
    /* beta of column 1 := what blows ask for; false: nothing. NULL: no row has bounds. */
    bool (*strike)(void *of, ksiCoreIsland *island, ksiCoreBlow blow);
    /* Stops and motors that multiplier[] does not hold, blow in column 1, have another place from now on: true where there are such. */
    bool (*letGo)(void *of, ksiCoreIsland *island, bool isBlow);
} ksiCoreHost;

struct ksiCoreIsland {
    ksiCore core; /* planned; afterwards with the self-stresses, for ksiCoreProject and ksiCoreUndetermined */
    ksiCoreLoop *joint;
    double (*row)[KSI_CORE_ROWS]
                 [12];  /* [joints] rows where the bodies are; in the end what they change by on the way to the pose */
    double (*force)[6]; /* [links] workspace */
    size_t jointCapacity, rowCapacity, forceCapacity;
    double radius;    /* * mean radius of gyration */
    double rounding;  /* * relative, of the input */
    double tolerance; /* * of the rank */
    double least;     /* * invisible drift */
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

/* way.c: to the nearest pose in which the joints fit, else to any, else as near as they come, else nowhere; self-stresses there, and rows
 * where the bodies are. KS_ERROR_UNAVAILABLE: the joints fit (drift is set), or nothing tells. KS_ERROR_NO_MEMORY. */
KS_MUST_USE ksStatus ksiCoreFindPose(ksiCoreIsland *island, const ksiCoreHost *host);

/* After a singular factorisation: carries one more joint. KS_ERROR_UNAVAILABLE: all joints are carried. */
KS_MUST_USE ksStatus ksiCoreCarryOn(ksiCoreIsland *island, const ksiCoreHost *host);

/* Self-stresses of other rows in the last pose: the host has set these rows, and row[], as when it moves bodies. Afterwards rows are where
 * the bodies are. KS_ERROR_UNAVAILABLE: undecided, and there are no self-stresses. */
KS_MUST_USE ksStatus ksiCoreDecideAnew(ksiCoreIsland *island, const ksiCoreHost *host);

/* given.c: multipliers where the bodies are. Their part along the self-stresses is the engine's, in
 * exchange for the equations along these. Column 0 has beta, force, and lambda: known rows' own,
 * and of the others any start. Then lambda is the multipliers, beta the right-hand sides that they
 * satisfy, and size2 the squares of the change by an error of the motion of size 1. *missed: such an
 * error, at most. KS_ERROR_SINGULAR: there are none, or they were not found. */
KS_MUST_USE ksStatus ksiCoreGive(ksiCoreIsland *island, double *missed);

/* Right afterwards: gives other multipliers of the same right-hand sides, in lambda, that part. */
KS_MUST_USE ksStatus ksiCoreGiveAgain(ksiCoreIsland *island, double missed);

/* drift.c: all that is found. KS_ERROR_UNAVAILABLE as of ksiCoreFindPose; KS_ERROR_BOUND: there are no multipliers, for the joints are torn, `open`,
 * or accelerations are not known. Else what the host's calls return. */
KS_MUST_USE ksStatus ksiCoreSolveDrifted(ksiCoreIsland *island, const ksiCoreHost *host);

/* Rows with an equation, in the pose of the step and of their island. */
typedef enum ksiCoreStage { KSI_STAGE_POSE, KSI_STAGE_RANK, KSI_STAGE_VELOCITY, KSI_STAGE_SOLVE } ksiCoreStage;
void ksiCoreEnterStage(ksiCoreIsland *island, ksiCoreStage stage);

/* Of a factorisation: a joint that has to be carried is another kind of failure than a pose that there is not. */
static inline ksStatus ksiCoreFactored(ksStatus status)
{
    return status == KS_ERROR_UNAVAILABLE ? KS_ERROR_SINGULAR : status;
}

#endif

/* sweep.h  Sweeps over the rows of one island: its step equations solved without a matrix, as far as one likes. */
#ifndef KSI_SWEEP_H
#define KSI_SWEEP_H

#include "inspector_private.h"

enum { KSI_SWEEP_ROWS = 3, KSI_SWEEP_LANES = 4 };

/* Up to three rows of one joint, a contact as a rule, and all that a sweep touches of them; beside it only bodies. Mass
 * metric. Rows that are missing are zero, and so is what stands for them and in the last lane. */
typedef struct ksiSweepBlock {
    double scaled[KSI_SWEEP_ROWS][12];                  /* elements 0 to 3 of either body, then 4 and 5 of either */
    double coupling[2][KSI_SWEEP_LANES];                /* of row 0 and 1 with those after it: J_0 . J_l */
    double target[KSI_SWEEP_LANES];                     /* b */
    double compliance[KSI_SWEEP_LANES];                 /* s */
    double diagonal[KSI_SWEEP_LANES];                   /* |J|^2 + s */
    double inverse[KSI_SWEEP_LANES];                    /* one over it, 0 for an empty row */
    double multiplier[KSI_SWEEP_LANES];                 /* at the end of the last sweep, ... */
    double before[KSI_SWEEP_LANES];                     /* ... and of the one before it */
    double low[KSI_SWEEP_LANES], high[KSI_SWEEP_LANES]; /* bounds, ... */
    double friction[KSI_SWEEP_LANES];                   /* ... moved apart by that times the joint's first multiplier */
    int first;                                          /* block of that */
    int body[2];                                        /* of the sweeps; the one after the last stands for the world */
} ksiSweepBlock;

typedef struct ksiSweepBody {
    double u[6], before[6]; /* M^1/2 a, as multipliers */
} ksiSweepBody;

typedef struct ksiSweeps {
    const ksInspector *inspector;
    const ksiIsland *island;
    bool opposite; /* from no forces at all, the last joint first; else from the engine's, the first joint first */
    int blockCount;
    ksiSweepBlock *block; /* joint by joint */
    ksiSweepBody *body;   /* [bodyCount + 1] */
    double part;          /* of the last change that is carried on at the start of the next sweep */
    double carried;       /* sweeps since momentum was begun anew */
    double least;         /* ... and the least that one of them went, squared */
} ksiSweeps;

/* dWorldStep takes friction bounds from a first stage, which sweeps do not know. */
bool ksiSweepsPossible(const ksInspector *inspector, int island);

/* Room for that many runs of an island at once. */
KS_MUST_USE ksStatus ksiSweepsReserve(ksInspector *inspector, int island, int runs);

/* Makes that room, and sets up the first run and the opposite one. */
KS_MUST_USE ksStatus ksiSweepsBegin(ksInspector *inspector, int island, int runs, ksiSweeps *s);

/* Blocks of a joint, and the multiplier of its row l where these begin at first. */
int ksiSweepBlocks(const ksiJointState *joint);
double ksiSweptMultiplier(const ksiSweeps *s, int first, int l);

/* Momentum: the most of the last change that is carried on. 0.95 comes nearest in dozens of sweeps, 0.9 in thousands, and
 * neither settles, by the kinks of friction; 0 does. */
#define KSI_FASTEST 0.95
#define KSI_FAST 0.9
#define KSI_SETTLING 0.0
void ksiSweepsRun(ksiSweeps *s, size_t sweeps, double mostMomentum);

#endif

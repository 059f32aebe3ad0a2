/* sweep.h  Sweeps over the rows of one group: its step equations solved without a matrix, as far as one likes. */
#ifndef KSI_SWEEP_H
#define KSI_SWEEP_H

#include "../base/vectorise.h"
#include "group.h"

enum { KSI_SWEEP_ROWS = 3, KSI_SWEEP_LANES = 4 };

/* Four blocks on different bodies, side by side: a block is up to three rows of one joint, a contact as a rule. All that a
 * sweep touches of them; beside it only bodies. Mass metric. Rows and blocks that are missing are zero, and so is what stands
 * for them. */
typedef struct ksiSweepBatch {
    ksiFour scaled[KSI_SWEEP_ROWS][12];                /* elements of either body */
    ksiFour coupling[KSI_SWEEP_ROWS];                  /* of rows 0 and 1, 0 and 2, 1 and 2: J_k . J_l */
    ksiFour target[KSI_SWEEP_ROWS];                    /* b */
    ksiFour compliance[KSI_SWEEP_ROWS];                /* s */
    ksiFour diagonal[KSI_SWEEP_ROWS];                  /* |J|^2 + s */
    ksiFour inverse[KSI_SWEEP_ROWS];                   /* one over it, 0 for an empty row */
    ksiFour multiplier[KSI_SWEEP_ROWS];                /* at the end of the last sweep, ... */
    ksiFour before[KSI_SWEEP_ROWS];                    /* ... and of the one before it */
    ksiFour low[KSI_SWEEP_ROWS], high[KSI_SWEEP_ROWS]; /* bounds, ... */
    ksiFour friction[KSI_SWEEP_ROWS];                  /* ... moved apart by that times the joint's first multiplier */
    ksiFour own;                                       /* 1: that multiplier is in this block, 0: in another */
    bool follows;                                      /* for one of them in another */
    int first[KSI_SWEEP_LANES];                        /* slot of that */
    double *u[2][KSI_SWEEP_LANES];                     /* of its bodies; the one after the last stands for the world */
} ksiSweepBatch;

typedef struct ksiSweepBody {
    double u[6], before[6];     /* M^1/2 a, as multipliers */
    unsigned long long batches; /* of those being filled, that it has a block in: bits */
} ksiSweepBody;

/* Room for the runs of one group. */
typedef struct ksiSweepRoom {
    int *slot; /* of a block, joint by joint: its place among the lanes of all batches */
    ksiSweepBatch *batch;
    ksiSweepBody *body;
    size_t slotCapacity, batchCapacity, bodyCapacity;
} ksiSweepRoom;

typedef struct ksiSweeps {
    const ksiStep *step;
    const ksiGroups *groups;
    const ksiGroup *group;
    bool opposite; /* from no forces at all, the last batch first; else from the engine's, the first one first */
    int batchCount;
    ksiSweepBatch *batch;
    const int *slot;    /* as ksiSweepRoom */
    ksiSweepBody *body; /* [bodyCount + 1] */
    double part;        /* of the last change that is carried on at the start of the next sweep */
    double carried;     /* sweeps since momentum was begun anew, ... */
    double least;       /* ... and the least that one of them went, squared */
} ksiSweeps;

/* dWorldStep takes friction bounds from a first stage, which sweeps do not know. */
bool ksiSweepsPossible(const ksiStep *step, const ksiGroup *group);

/* Room for that many runs of a group at once. */
KS_MUST_USE ksStatus ksiSweepsReserve(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int runs,
                                      ksiSweepRoom *room);

/* Makes that room, and sets up the first run and the opposite one. */
KS_MUST_USE ksStatus ksiSweepsBegin(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int runs,
                                    ksiSweepRoom *room, ksiSweeps *s);

/* Blocks of a joint, and the multiplier of its row l where these begin at first. */
int ksiSweepBlocks(const ksiJointInput *joint);
double ksiSweptMultiplier(const ksiSweeps *s, int first, int l);

/* The part of the last change that is carried on is n/(n + delay) in the nth sweep after momentum was begun anew, but no
 * more than `most`; it is begun anew where a sweep goes `farther` times as far, squared, as the shortest since then. */
typedef struct ksiMomentum {
    double most, delay, farther;
} ksiMomentum;

/* What comes nearest in dozens of sweeps; in thousands; and what settles, as no momentum does by the kinks of friction. */
extern const ksiMomentum ksiFastest, ksiFast, ksiSettling;
void ksiSweepsRun(ksiSweeps *s, size_t sweeps, const ksiMomentum *momentum);

/* estimate.c  Phase 7 */
typedef struct ksiEstimates {
    ksiBodyEstimate *body;
    ksiGroups groups;
    ksiSweepRoom room;
} ksiEstimates;
KS_MUST_USE ksStatus ksiEstimate(const ksiStep *step, ksiEstimates *out);

#endif

/* pgs.h  Sweeps over the rows of one group: solves its step equations iteratively, without a matrix. */
#ifndef KSI_INSPECTOR_CONTACTS_PGS_H
#define KSI_INSPECTOR_CONTACTS_PGS_H

#include "../../base/vectorise.h"
#include "../read/group.h"

enum { KSI_PGS_ROWS = 3, KSI_PGS_LANES = 4 };

/* Four blocks on different bodies, side by side: a block is up to three rows of one joint, a contact as a rule. All that a
 * sweep touches of them; beside it only bodies. Mass metric. Rows and blocks that are missing are zero, and so is what stands
 * for them. */
typedef struct ksiPgsBatch {
    ksiFour scaled[KSI_PGS_ROWS][12];              /* elements of either body */
    ksiFour coupling[KSI_PGS_ROWS];                /* of rows 0 and 1, 0 and 2, 1 and 2: J_k . J_l */
    ksiFour target[KSI_PGS_ROWS];                  /* b */
    ksiFour compliance[KSI_PGS_ROWS];              /* s */
    ksiFour diagonal[KSI_PGS_ROWS];                /* |J|^2 + s */
    ksiFour inverse[KSI_PGS_ROWS];                 /* one over it, 0 for an empty row */
    ksiFour multiplier[KSI_PGS_ROWS];              /* at the end of the last sweep, ... */
    ksiFour before[KSI_PGS_ROWS];                  /* ... and of the one before it */
    ksiFour low[KSI_PGS_ROWS], high[KSI_PGS_ROWS]; /* bounds, ... */
    ksiFour friction[KSI_PGS_ROWS];                /* ... moved apart by that times the joint's first multiplier */
    ksiFour own;                                   /* 1: that multiplier is in this block, 0: in another */
    bool follows;                                  /* for one of them in another */
    int first[KSI_PGS_LANES];                      /* slot of that */
    double *u[2][KSI_PGS_LANES];                   /* of its bodies; the one after the last stands for the world */
} ksiPgsBatch;

typedef struct ksiPgsBody {
    double u[6], before[6];     /* M^1/2 a, as multipliers */
    unsigned long long batches; /* of those being filled, that it has a block in: bits */
} ksiPgsBody;

/* Room for the runs of one group. */
typedef struct ksiPgsWorkspace {
    int *slot; /* of a block, joint by joint: its place among the lanes of all batches */
    ksiPgsBatch *batch;
    ksiPgsBody *body;
    int batchCount; /* of one run */
    size_t slotCapacity, batchCapacity, bodyCapacity;
} ksiPgsWorkspace;

typedef struct ksiPgsRun {
    const ksiStep *step;
    const ksiGroups *groups;
    const ksiGroup *group;
    bool opposite; /* from no forces at all, the last batch first; else from the engine's, the first one first */
    int batchCount;
    ksiPgsBatch *batch;
    const int *slot;     /* as ksiPgsWorkspace */
    ksiPgsBody *body;    /* [bodyCount + 1] */
    double part;         /* of the last change that is carried on at the start of the next sweep */
    double sinceRestart; /* sweeps since momentum was begun anew, ... */
    double least;        /* ... and the least that one of them went, squared */
} ksiPgsRun;

/* dWorldStep takes friction bounds from a first stage, which sweeps do not know. */
bool ksiPgsIsPossible(const ksiStep *step, const ksiGroup *group);

/* Room for that many runs of a group at once. */
KS_MUST_USE ksStatus ksiPgsReserve(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int runs,
                                   ksiPgsWorkspace *room);

/* Makes that room, and sets up the first run and the opposite one. */
KS_MUST_USE ksStatus ksiPgsBegin(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int runs,
                                 ksiPgsWorkspace *room, ksiPgsRun *s);

/* Blocks of a joint, and the multiplier of its row l where these begin at first. */
int ksiPgsBlocks(const ksiJointInput *joint);
double ksiPgsMultiplier(const ksiPgsRun *s, int first, int l);

/* The part of the last change that is carried on is n/(n + delay) in the nth sweep after momentum was begun anew, but no
 * more than `most`; it is begun anew where a sweep goes `farther` times as far, squared, as the shortest since then. */
typedef struct ksiMomentum {
    double most, delay, farther;
} ksiMomentum;

/* What comes nearest in thousands of sweeps; and what settles, as no momentum does by the kinks of friction. */
extern const ksiMomentum ksiFast, ksiSettling;
void ksiPgsSweep(ksiPgsRun *s, size_t sweeps, const ksiMomentum *momentum);

/* One run by dozens of sweeps, the last ones without momentum. */
KS_MUST_USE ksStatus ksiPgsRunOnce(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, size_t sweeps,
                                   ksiPgsWorkspace *room, ksiPgsRun *s);

/* What estimate.c writes, and its room. */
typedef struct ksiEstimates {
    ksiBodyEstimate *body;
    ksiGroups groups;
    ksiPgsWorkspace room;
} ksiEstimates;

#endif

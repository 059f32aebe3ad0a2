/* pgs.h  Sweeps over the rows of one group: solves its step equations iteratively, without a
 * matrix. */
#ifndef KSI_INSPECTOR_CONTACTS_PGS_H
#define KSI_INSPECTOR_CONTACTS_PGS_H

#include "../../base/vectorise.h"
#include "../read/group.h"
#include "net_run.h"

enum { KSI_PGS_ROWS = 3, KSI_PGS_LANES = 4 };

/* Four blocks on different bodies, side by side: a block is up to three rows of one joint, usually
 * a contact. A batch contains all data that a sweep needs except the bodies. In the mass metric.
 * Missing rows and blocks are zero. */
typedef struct ksiPgsBatch {
    ksiFour scaled[KSI_PGS_ROWS][12];              /* elements on both bodies */
    ksiFour coupling[KSI_PGS_ROWS];                /* J_k . J_l of rows 0 and 1, 0 and 2, 1 and 2 */
    ksiFour target[KSI_PGS_ROWS];                  /* b */
    ksiFour compliance[KSI_PGS_ROWS];              /* s */
    ksiFour diagonal[KSI_PGS_ROWS];                /* |J|^2 + s */
    ksiFour inverse[KSI_PGS_ROWS];                 /* 1 / diagonal, 0 for an empty row */
    ksiFour multiplier[KSI_PGS_ROWS];              /* at the end of the last sweep */
    ksiFour before[KSI_PGS_ROWS];                  /* at the end of the sweep before */
    ksiFour low[KSI_PGS_ROWS], high[KSI_PGS_ROWS]; /* bounds, without the part by friction */
    ksiFour friction[KSI_PGS_ROWS];                /* this times the joint's first multiplier widens
                                                      the bounds */
    ksiFour own;                                   /* 1: the joint's first multiplier is in this
                                                      block; 0: in another one */
    bool follows;                                  /* a joint's first multiplier is in another
                                                      block */
    int first[KSI_PGS_LANES];                      /* slot of the block with the first multiplier */
    double *u[2][KSI_PGS_LANES];                   /* u of the block's bodies; the element behind
                                                      the last body stands for the world */
} ksiPgsBatch;

typedef struct ksiPgsBody {
    double u[6], before[6];     /* M^1/2 a, at the times of `multiplier` and `before` of a batch */
    unsigned long long batches; /* bits: open batches with a block on this body */
} ksiPgsBody;

/* Memory for the runs of one group. */
typedef struct ksiPgsWorkspace {
    int *slot; /* [blocks] joint by joint: the block's lane, among the lanes of all batches */
    ksiPgsBatch *batch;
    ksiPgsBody *body;
    int batchCount; /* of one run */
    size_t slotCapacity, batchCapacity, bodyCapacity;
} ksiPgsWorkspace;

typedef struct ksiPgsRun {
    const ksiStep *step;
    const ksiGroups *groups;
    const ksiGroup *group;
    bool opposite; /* starts from zero forces, and sweeps from the last batch to the first; else
                      starts from the engine's forces, and sweeps from the first batch to the
                      last */
    int batchCount;
    ksiPgsBatch *batch;
    const int *slot;     /* as ksiPgsWorkspace */
    ksiPgsBody *body;    /* [bodyCount + 1] */
    double part;         /* the next sweep starts from values that are extrapolated by this share of
                            the last change */
    double sinceRestart; /* sweeps since momentum restarted */
    double least;        /* squared length of the shortest sweep since momentum restarted */
} ksiPgsRun;

/* Can sweeps solve the group? Not with friction of dWorldStep, whose bounds come from a first stage
 * that sweeps do not know. */
bool ksiPgsIsPossible(const ksiStep *step, const ksiGroup *group);

/* Reserves memory for `runs` runs of a group at once. */
KS_MUST_USE ksStatus ksiPgsReserve(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int runs,
                                   ksiPgsWorkspace *room);

/* Reserves memory, and sets up s[runs]: the first run, and, if there are two, the opposite run. */
KS_MUST_USE ksStatus ksiPgsBegin(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, int runs,
                                 ksiPgsWorkspace *room, ksiPgsRun *s);

/* ksiPgsBlocks: the number of blocks of a joint. ksiPgsMultiplier: the multiplier of row l of a
 * joint whose blocks begin at `first`. */
int ksiPgsBlocks(const ksiJointInput *joint);
double ksiPgsMultiplier(const ksiPgsRun *s, int first, int l);

/* The nth sweep after a restart extrapolates by n/(n + delay) of the last change, at most by
 * `most`. Momentum restarts if the squared length of a sweep exceeds `farther` times that of the
 * shortest sweep since the last restart. */
typedef struct ksiMomentum {
    double most, delay, farther;
} ksiMomentum;

/* ksiFast converges farthest in thousands of sweeps. ksiSettling has no momentum, so it settles at
 * the kinks of friction. */
extern const ksiMomentum ksiFast, ksiSettling;
void ksiPgsSweep(ksiPgsRun *s, size_t sweeps, const ksiMomentum *momentum);

/* Runs dozens of sweeps, the last ones without momentum. */
KS_MUST_USE ksStatus ksiPgsRunOnce(const ksiStep *step, const ksiGroups *groups, const ksiGroup *group, size_t sweeps,
                                   ksiPgsWorkspace *room, ksiPgsRun *s);

/* Results of estimate.c, and its memory. */
typedef struct ksiEstimates {
    ksiBodyEstimate *body;
    ksiGroups groups;
    ksiPgsWorkspace room;
    ksiNetRuns runs;
} ksiEstimates;

#endif

/* sweep.h  Sweeps over the rows of one island: its step equations solved without a matrix, as far as one likes. */
#ifndef KSI_SWEEP_H
#define KSI_SWEEP_H

#include "inspector_private.h"

/* All that a sweep touches of a row; beside it only bodies. Mass metric. */
typedef struct ksiSweepRow {
    double scaled[12];
    double target, compliance, diagonal, inverse; /* b; s; |J|^2 + s and one over it, 0 for an empty row */
    double low, high;                             /* where bounds follow a normal force: in units of it */
    double multiplier, before;                    /* carried on; at the end of the last sweep */
    int body[2];                                  /* of the sweeps; the one after the last stands for the world */
    int normal;                                   /* row that the bounds follow, or -1 */
} ksiSweepRow;

typedef struct ksiSweepBody {
    double u[6], before[6]; /* M^1/2 a: carried on; at the end of the last sweep */
} ksiSweepBody;

typedef struct ksiSweeps {
    const ksInspector *inspector;
    const ksiIsland *island;
    bool opposite; /* from no forces at all, the last joint first; else from the engine's, the first joint first */
    int rowCount;
    ksiSweepRow *row;   /* joint by joint */
    ksiSweepBody *body; /* [bodyCount + 1] */
    double carried;     /* sweeps since momentum was begun anew */
    double least;       /* ... and the least that one of them went, squared */
} ksiSweeps;

/* dWorldStep takes friction bounds from a first stage, which sweeps do not know. */
bool ksiSweepsPossible(const ksInspector *inspector, int island);

/* Room for that many runs of an island at once. */
KS_MUST_USE ksStatus ksiSweepsReserve(ksInspector *inspector, int island, int runs);

/* Makes that room, and sets up the first run and the opposite one. */
KS_MUST_USE ksStatus ksiSweepsBegin(ksInspector *inspector, int island, int runs, ksiSweeps *s);

/* Momentum: the part of the last change that is carried on. It goes faster with 0.9 and does not settle, by the kinks of
 * friction; with 0 it does. */
#define KSI_FAST 0.9
#define KSI_SETTLING 0.0
void ksiSweepsRun(ksiSweeps *s, size_t sweeps, double mostMomentum);

#endif

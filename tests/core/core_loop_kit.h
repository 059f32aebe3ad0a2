/* core_loop_kit.h  Loops that have drifted apart, by plugin/core/loop.h: what the inspector would answer it, by a host over a step. */
#ifndef TESTS_CORE_CORE_LOOP_KIT_H
#define TESTS_CORE_CORE_LOOP_KIT_H

#include "core/loop.h"
#include "inspector/physical/physical.h"
#include "inspector/physical/pose_private.h"
#include "tests/core/core_kit_private.h"

typedef struct LoopHost {
    ksiCoreIsland island;
    ksiCoreHost host;
    ksiPosing posing; /* with bodies and joints of its own */
    ksiSolver solver; /* its pose; not a system */
    ksiPhysical out;  /* places, and what blows have done, of its own */
    int index;        /* of the island */
    ksiCoreJoint plan[CORE_JOINTS];
    double velocity[6 * CORE_BODIES]; /* those that the rows permit */
    double own[CORE_JOINTS][KSI_MAX_ROWS];
    double multiplier[CORE_MOST], blow[CORE_MOST]; /* by the numbers of rows in the pose */
    int placed, moved, driven;                     /* calls */
} LoopHost;

LoopHost *loopHost(void);
void loopHostFree(LoopHost *host);

/* Copies of what a step has found of its physical values, for a solution of one's own from the start. */
void loopPhysical(const ksInspector *inspector, ksiPhysical *out);
void loopPhysicalFree(ksiPhysical *out);

/* The call that stands for ksiSolveDrifted: as there, the places of rows are those that were reported at first. */
ksStatus loopSolve(LoopHost *host, const ksInspector *inspector, int island);

/* Row of the core that a joint's is, or -1. */
int loopRow(const LoopHost *host, int i, int l);

#endif

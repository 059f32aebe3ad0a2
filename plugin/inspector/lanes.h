/* lanes.h  Lanes: runs of islands, each solved in a workspace of its own, by any thread.
 *
 * What a room holds from step to step, patterns and choices of dependent rows, tells in the last digits of the islands that are
 * solved in it. So it is the world that decides which islands go to which lane, and the threads only share the lanes out. */
#ifndef KSI_INSPECTOR_LANES_H
#define KSI_INSPECTOR_LANES_H

#include "../base/clock.h"
#include "../base/worker.h"
#include "solver.h"

#include <fenv.h>
#include <stdatomic.h>

/* With as many workers as lanes each has one. */
enum { KSI_MOST_LANES = 64, KSI_MOST_WORKERS = KSI_MOST_LANES, KSI_PHASES = 16 };

typedef struct ksiLane {
    ksiSolver solver;
    ksiFreeWrenches freeWrenches;
    atomic_bool isTaken; /* by a thread, in this step */
    int first, end;      /* islands */
    ksStatus status;     /* the first thing that went wrong in it */
    double momentumResidual;
    double seconds[KSI_PHASES];
    ksiClock clock;
    char apart[64]; /* two lanes never write to one line of a cache */
} ksiLane;

typedef void ksiLaneFn(ksInspector *inspector, ksiLane *lane);

/* Another thread that takes lanes. */
typedef struct ksiHelper {
    ksInspector *inspector;
    ksiWorker *worker;
    int first; /* the lane at which it begins */
} ksiHelper;

typedef struct ksiLanes {
    ksiLane *at;
    size_t capacity;
    int made;        /* of `at`: all that there ever were */
    int count;       /* of this step, at least one once there was a step */
    ksiLaneFn *work; /* on each of them, while they are shared out */
    fenv_t environment;
    ksExecutor executor; /* the host's, if options.executor is not NULL */
    ksiHelper helper[KSI_MOST_LANES - 1];
    int helperCount;
} ksiLanes;

/* The wrenches that are free of a joint. */
static inline const ksiStressShare *ksiSharesOf(const ksiStep *step, const ksiJointFree *free)
{
    return free->count ? step->lane[free->lane].freeWrenches.at + free->first : NULL;
}

/* Divides the islands among lanes, and makes room in each. */
KS_MUST_USE ksStatus ksiDivideIslands(ksInspector *inspector);

/* Has the work done on each lane: here, and on as many threads as the options allow. */
void ksiWorkOnLanes(ksInspector *inspector, ksiLaneFn *work);

void ksiEndHelpers(ksInspector *inspector);

#endif

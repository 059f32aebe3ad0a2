/* lanes.h  Lanes: ranges of islands, each solved in its own workspace by any thread.
 *
 * From step to step, a workspace keeps patterns, and choices of dependent rows. These affect the
 * last digits of its islands. So only the world determines the islands of a lane; threads merely
 * share the lanes. */
#ifndef KSI_INSPECTOR_LANES_H
#define KSI_INSPECTOR_LANES_H

#include "../base/clock.h"
#include "../base/worker.h"
#include "solver.h"

#include <fenv.h>
#include <stdatomic.h>

/* With as many workers as lanes, each worker has one lane. */
enum { KSI_MOST_LANES = 64, KSI_MOST_WORKERS = KSI_MOST_LANES, KSI_PHASES = 16 };

typedef struct ksiLane {
    ksiSolver solver;
    ksiFreeWrenches freeWrenches;
    atomic_bool isTaken; /* a thread has started it in this step */
    int first, end;      /* islands */
    ksStatus status;     /* its first error */
    double momentumResidual;
    double seconds[KSI_PHASES];
    ksiClock clock;
    char apart[64]; /* keeps lanes on different cache lines */
} ksiLane;

typedef void ksiLaneFn(ksInspector *inspector, ksiLane *lane);

/* Another thread that works on lanes. */
typedef struct ksiHelper {
    ksInspector *inspector;
    ksiWorker *worker;
    int first; /* the lane at which it begins */
} ksiHelper;

typedef struct ksiLanes {
    ksiLane *at;
    size_t capacity;
    int made;        /* number of lanes that were made in `at` */
    int count;       /* number of lanes in use in this step; at least one after the first step */
    ksiLaneFn *work; /* called with each lane */
    fenv_t environment;
    ksExecutor executor; /* the host's, if options.executor is not NULL */
    ksiHelper helper[KSI_MOST_LANES - 1];
    int helperCount;
} ksiLanes;

/* The free wrenches of a joint. */
static inline const ksiStressShare *ksiSharesOf(const ksiStep *step, const ksiJointFree *free)
{
    return free->count ? step->lane[free->lane].freeWrenches.at + free->first : NULL;
}

/* Divides the islands among lanes, and reserves memory in each. */
KS_MUST_USE ksStatus ksiDivideIslands(ksInspector *inspector);

/* Does the work on each lane: on this thread, and on further threads as the options allow. */
void ksiWorkOnLanes(ksInspector *inspector, ksiLaneFn *work);

void ksiEndHelpers(ksInspector *inspector);

#endif

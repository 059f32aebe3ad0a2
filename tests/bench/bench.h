/* bench.h  What the parts of the bench share. */
#ifndef BENCH_H
#define BENCH_H

#include "bench_build.h"
#include "demos/scenes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Ways to step a world: as a host does without us, and inspected, with more and more values. */
enum { PLAIN, CERTIFICATE, CONVERGED, PHYSICAL, WAYS };
extern const char *const benchWay[WAYS];

/* A named scene and its sizes; small first, an entry without steps ends the list. */
enum { BENCH_SIZES = 6 };
typedef struct BenchScene {
    const char *name;
    Scene *(*make)(int size);
    struct {
        int size, steps;
    } run[BENCH_SIZES];
    const char *counted; /* what the size is the number of */
} BenchScene;
extern const BenchScene benchScenes[]; /* the last has no name */

/* One scene of one size. */
typedef struct BenchCase {
    const BenchScene *scene;
    int size, steps;
    int every; /* one step of so many is inspected */
} BenchCase;

enum { PHASES = 8 };
extern const char *const benchPhase[PHASES];

typedef struct Spread {
    double low, median, high; /* quartiles */
} Spread;

/* Of one way. Times in s, per step. */
typedef struct WayResult {
    Spread whole;         /* processor time of the step, inspected or not */
    Spread added;         /* ... less that of the plain steps of the same round */
    double phase[PHASES]; /* medians, by the clock */
    double routes;        /* largest |gauss - paulus| of a joint, relative to its largest multiplier */
    double bar, error;    /* largest ksReaction::errorBar and error */
    double unchecked;     /* largest share of joints in a step without a verdict for want of converged values */
    size_t peakBytes;     /* of the inspector */
    long allocations;     /* in the measured steps */
} WayResult;

typedef struct BenchResult {
    size_t joints, rows;        /* means over the steps; joints with the contacts */
    size_t rank, islands, fill; /* of the last step; fill: nnz(L) of the range-space route */
    WayResult way[WAYS];
} BenchResult;

/* Measures a case. false: it could not be, and standard error says why. */
bool benchRun(const BenchCase *what, BenchResult *result);

/* Steps a world one way only, the measured steps in benchMeasuredStep, for callgrind; prints joints and steps. */
bool benchCount(const BenchCase *what, int way);

/* Tells on a terminal how far a case is; an empty text clears the line. */
void benchProgress(const BenchCase *what, const char *text, int step, int steps);

void benchHead(int every, FILE *csv);
void benchReport(const BenchCase *what, const BenchResult *result, FILE *csv);

#endif

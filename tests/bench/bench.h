/* bench.h  Shared by the parts of the bench. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include "bench_build.h"
#include "demos/scenes/scenes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Ways to step a world: plain; inspected, with more and more values; with all values on two
 * threads, later, or both. */
enum { PLAIN, CERTIFICATE, CONVERGED, PHYSICAL, TWO, LATER, LATER_TWO, WAYS };
extern const char *const benchWay[WAYS];

/* A named scene and its sizes in ascending order; an entry without steps ends the list. */
enum { BENCH_SIZES = 6 };
typedef struct BenchScene {
    const char *name;
    Scene *(*make)(int size);
    struct {
        int size, steps;
    } run[BENCH_SIZES];
    const char *counted; /* the unit of the size: links, boxes, ... */
    int fallSteps;       /* longer steps before contacts come to rest; 0 in scenes without contacts */
} BenchScene;
extern const BenchScene benchScenes[]; /* the last has no name */

/* The walkers' motors derive the time from it. */
#define BENCH_STEP_SIZE 0.001

/* One scene of one size. */
typedef struct BenchCase {
    const BenchScene *scene;
    int size, steps;
    int every; /* one step of this many is inspected */
} BenchCase;

enum { PHASES = 8 };
extern const char *const benchPhase[PHASES];

/* Both times of a step, s. */
enum {
    HOST,      /* time for which the host's thread is busy, by the clock */
    PROCESSOR, /* processor time of all threads until the next step begins, without the host's work */
    CLOCKS
};

/* The results of one process for one way to step a world. It lies in memory shared with the bench,
 * followed by the samples. */
typedef struct WayRun {
    size_t joints, rows;        /* means over the steps; joints include contacts */
    size_t rank, islands, fill; /* rank: mean; islands, and fill of the range-space route, nnz(L):
                                   of the last step */
    double routes;              /* largest |gauss - paulus| of a joint, relative to its largest multiplier */
    double bar, error;          /* largest ksReaction::errorBar and error */
    double unchecked;           /* largest share of joints without a verdict in a step, for lack of
                                   converged values */
    size_t peakBytes;           /* the inspector's memory */
    long allocations;           /* in the measured steps */
    uint64_t state;             /* hash of the final poses and velocities */
} WayRun;

/* Kinds of samples of a run, each [steps]. A sample covers the steps up to an inspected one: their
 * mean and their longest, by both clocks, and the phases of the inspected step. */
enum { SAMPLE_LONGEST = CLOCKS, SAMPLE_PHASE = 2 * CLOCKS, SAMPLES = SAMPLE_PHASE + PHASES };

/* A run either times steps, with nothing but the host between them, or examines the results after
 * each step. */
typedef enum BenchPurpose { BENCH_TIMES, BENCH_FIGURES } BenchPurpose;

/* Makes the world and steps it, in a process of its own. sample: [SAMPLES x steps]. */
bool benchGo(const BenchCase *what, int way, BenchPurpose purpose, WayRun *run, double *sample);

/* Steps a world one way only, the measured steps in benchMeasuredStep, for callgrind; prints joints
 * and steps. */
bool benchCount(const BenchCase *what, int way);

typedef struct Spread {
    double low, median, high; /* quartiles */
} Spread;

/* Results of one way. Times in s per step: the least over the rounds for each step, and the spread
 * of these over the steps. */
typedef struct WayResult {
    Spread whole[CLOCKS];
    Spread added[CLOCKS]; /* less the time of the same step in the plain world */
    double worst[CLOCKS]; /* longest step */
    double phase[PHASES]; /* medians, by the clock */
    WayRun found;
} WayResult;

typedef struct BenchResult {
    WayResult way[WAYS];
    double others; /* processors that other programs used meanwhile, mean; NaN if the system does not tell */
} BenchResult;

/* Measures a case. false: it failed, and standard error says why. */
bool benchRun(const BenchCase *what, int rounds, BenchResult *result);

/* Shows the progress of a case on a terminal; an empty text clears the line. */
void benchProgress(const BenchCase *what, const char *text, int step, int steps);

void benchHead(int every, int rounds, FILE *csv);
void benchReport(const BenchCase *what, int rounds, const BenchResult *result, FILE *csv);

#endif

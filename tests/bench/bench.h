/* bench.h  What the parts of the bench share. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include "bench_build.h"
#include "demos/scenes/scenes.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Ways to step a world: as a host does without us; inspected, with more and more values; with all
 * values on two threads, later, or both. */
enum { PLAIN, CERTIFICATE, CONVERGED, PHYSICAL, TWO, LATER, LATER_TWO, WAYS };
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
    int fallSteps;       /* longer ones before contacts come to rest; none in scenes without */
} BenchScene;
extern const BenchScene benchScenes[]; /* the last has no name */

/* The walkers' motors know the time by it. */
#define BENCH_STEP_SIZE 0.001

/* One scene of one size. */
typedef struct BenchCase {
    const BenchScene *scene;
    int size, steps;
    int every; /* one step of so many is inspected */
} BenchCase;

enum { PHASES = 8 };
extern const char *const benchPhase[PHASES];

/* Both times of a step, s. */
enum {
    HOST,      /* the host's thread is away for so long, by the clock */
    PROCESSOR, /* processor time of all threads, until the next step begins, without what the host does meanwhile */
    CLOCKS
};

/* The results of one process for one way to step a world. It lies in memory shared with the bench,
 * and samples behind it. */
typedef struct WayRun {
    size_t joints, rows;        /* means over the steps; joints with the contacts */
    size_t rank, islands, fill; /* rank: mean; islands and fill, nnz(L) of the range-space route: of the last step */
    double routes;              /* largest |gauss - paulus| of a joint, relative to its largest multiplier */
    double bar, error;          /* largest ksReaction::errorBar and error */
    double unchecked;           /* largest share of joints in a step without a verdict for want of converged values */
    size_t peakBytes;           /* of the inspector */
    long allocations;           /* in the measured steps */
    uint64_t state;             /* of the world in the end: the same for the same poses and velocities */
} WayRun;

/* Kinds of samples of a run, each [steps]: the mean over as many steps as the last of which is
 * inspected, by both clocks; the longest of these steps, by both; phases of the inspected one. */
enum { SAMPLE_LONGEST = CLOCKS, SAMPLE_PHASE = 2 * CLOCKS, SAMPLES = SAMPLE_PHASE + PHASES };

/* Whether steps are timed, with nobody between them but the host, or what was found is looked at
 * after each step. */
typedef enum BenchPurpose { BENCH_TIMES, BENCH_FIGURES } BenchPurpose;

/* Makes the world and steps it, in a process of its own. sample: [SAMPLES x steps]. */
bool benchGo(const BenchCase *what, int way, BenchPurpose purpose, WayRun *run, double *sample);

/* Steps a world one way only, the measured steps in benchMeasuredStep, for callgrind; prints joints
 * and steps. */
bool benchCount(const BenchCase *what, int way);

typedef struct Spread {
    double low, median, high; /* quartiles */
} Spread;

/* Of one way. Times in s, per step: of each step the least of the rounds, of these the spread over
 * the steps. */
typedef struct WayResult {
    Spread whole[CLOCKS];
    Spread added[CLOCKS]; /* less that of the same step in the plain world */
    double worst[CLOCKS]; /* longest step */
    double phase[PHASES]; /* medians, by the clock */
    WayRun found;
} WayResult;

typedef struct BenchResult {
    WayResult way[WAYS];
    double others; /* processors that other programs had meanwhile, mean; NaN if the system does not tell */
} BenchResult;

/* Measures a case. false: it could not be, and standard error says why. */
bool benchRun(const BenchCase *what, int rounds, BenchResult *result);

/* Tells on a terminal how far a case is; an empty text clears the line. */
void benchProgress(const BenchCase *what, const char *text, int step, int steps);

void benchHead(int every, int rounds, FILE *csv);
void benchReport(const BenchCase *what, int rounds, const BenchResult *result, FILE *csv);

#endif

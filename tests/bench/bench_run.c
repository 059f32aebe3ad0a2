/* bench_run.c  Measures one scene: each way to step it in a process of its own, one after the
 * other, so that no world occupies the caches at the cost of another. All make the same steps to
 * the bit. Other work of the machine can only add to a step's time, so the least of several rounds
 * is its cost. */
#define _DEFAULT_SOURCE
#include "bench.h"
#include "bench_time.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* The runs of a case, in memory shared by the processes: times [rounds x WAYS], then figures
 * [WAYS]. */
typedef struct Runs {
    WayRun *run;
    double *sample; /* [SAMPLES x steps] of each */
    size_t bytes;
    int rounds, steps;
} Runs;

static size_t indexOf(int round, int way)
{
    return (size_t)round * WAYS + (size_t)way;
}

static double *samplesOf(const Runs *runs, int round, int way)
{
    return &runs->sample[indexOf(round, way) * SAMPLES * (size_t)runs->steps];
}

static bool mapRuns(Runs *runs)
{
    size_t count = ((size_t)runs->rounds + 1) * WAYS;
    runs->bytes = count * (sizeof(WayRun) + SAMPLES * (size_t)runs->steps * sizeof(double));
    void *memory = mmap(NULL, runs->bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        perror("mmap");
        return false;
    }
    runs->run = memory;
    runs->sample = (double *)(runs->run + count);
    return true;
}

/* Waits for a process that makes one run. The engine is initialised and closed in that process. */
static bool goAside(const BenchCase *what, int way, BenchPurpose purpose, WayRun *run, double *sample)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return false;
    }
    if (child == 0) {
        dInitODE2(0);
        bool done = benchGo(what, way, purpose, run, sample);
        dCloseODE();
        _exit(done ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    if (!WIFEXITED(status))
        fprintf(stderr, "%s %d, %s: ended by signal %d\n", what->scene->name, what->size, benchWay[way],
                WTERMSIG(status));
    return WIFEXITED(status) && WEXITSTATUS(status) == EXIT_SUCCESS;
}

static bool goAll(const BenchCase *what, Runs *runs)
{
    for (int round = 0; round <= runs->rounds; round++) {
        const bool timed = round < runs->rounds;
        for (int w = timed ? 0 : PLAIN + 1; w < WAYS; w++) {
            WayRun *run = &runs->run[indexOf(round, w)];
            benchProgress(what, timed ? "round" : "figures: round", round, runs->rounds + 1);
            if (!goAside(what, w, timed ? BENCH_TIMES : BENCH_FIGURES, run, samplesOf(runs, round, w)))
                return false;
            if (run->state != runs->run[0].state) {
                fprintf(stderr, "%s %d: the worlds did not go the same way\n", what->scene->name, what->size);
                return false;
            }
        }
    }
    return true;
}

static Spread spread(double *sample, int count)
{
    benchSort(sample, (size_t)count);
    return (Spread){sample[(count - 1) / 4], sample[count / 2], sample[count - 1 - (count - 1) / 4]};
}

/* Reduces each step to the least over the rounds, and stores it in the first round. */
static void joinRounds(Runs *runs, int way, int kind)
{
    double *joined = samplesOf(runs, 0, way) + kind * runs->steps;
    for (int round = 1; round < runs->rounds; round++)
        for (int i = 0; i < runs->steps; i++)
            joined[i] = fmin(joined[i], samplesOf(runs, round, way)[kind * runs->steps + i]);
}

static void summariseWay(Runs *runs, int way, double *room, WayResult *out)
{
    const int steps = runs->steps;
    double *joined = samplesOf(runs, 0, way), *plain = samplesOf(runs, 0, PLAIN);
    for (int clock = 0; clock < CLOCKS; clock++) {
        for (int i = 0; i < steps; i++)
            room[i] = joined[clock * steps + i] - plain[clock * steps + i];
        out->added[clock] = spread(room, steps);
        memcpy(room, &joined[clock * steps], (size_t)steps * sizeof *room);
        out->whole[clock] = spread(room, steps);
        out->worst[clock] = 0;
        for (int i = 0; i < steps; i++)
            out->worst[clock] = fmax(out->worst[clock], joined[(SAMPLE_LONGEST + clock) * steps + i]);
    }
    out->found = runs->run[indexOf(runs->rounds, way)];
    out->found.peakBytes = runs->run[indexOf(0, way)].peakBytes;
    out->found.allocations = runs->run[indexOf(0, way)].allocations;
    double *phase = samplesOf(runs, runs->rounds, way) + SAMPLE_PHASE * steps;
    for (int p = 0; p < PHASES; p++)
        out->phase[p] = way == PLAIN ? 0 : spread(&phase[p * steps], steps).median;
}

static bool summarise(Runs *runs, BenchResult *result)
{
    double *room = malloc((size_t)runs->steps * sizeof *room);
    if (!room)
        return false;
    for (int w = 0; w < WAYS; w++)
        for (int kind = 0; kind < SAMPLE_PHASE; kind++)
            joinRounds(runs, w, kind);
    for (int w = 0; w < WAYS; w++)
        summariseWay(runs, w, room, &result->way[w]);
    free(room);
    return true;
}

bool benchRun(const BenchCase *what, int rounds, BenchResult *result)
{
    Runs runs = {.rounds = rounds, .steps = what->steps};
    if (!mapRuns(&runs))
        return false;
    double others = benchOthers(), start = benchNow(CLOCK_MONOTONIC);
    bool done = goAll(what, &runs);
    result->others = (benchOthers() - others) / (benchNow(CLOCK_MONOTONIC) - start);
    benchProgress(what, "", 0, 0);
    done = done && summarise(&runs, result);
    munmap(runs.run, runs.bytes);
    return done;
}

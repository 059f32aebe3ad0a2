/* schedule.c  How kinetostat-mpi hands out recordings (plugin/mpi/schedule.c), on a simulated
 * cluster: RANKS ranks, RECORDINGS recordings, each a copy of a measured one chosen at random. For
 * each measured recording, standard input has its bytes, the seconds to read it, and the seconds to
 * judge each of its windows. See tests/bench/schedule.sh. */
#include "plugin/mpi/schedule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WINDOWS = 4096, LINE = 1 << 16 };

typedef struct Recording {
    uint64_t bytes;
    double read, window[MOST_WINDOWS];
    unsigned windows;
} Recording;

static Recording *measured;
static unsigned measuredCount;

/* The name of a file is the number of a measured recording. */
uint64_t ksiFileBytes(const char *path)
{
    return measured[strtoul(path, NULL, 10)].bytes;
}

/* --- Ranks: a heap of the times at which they become idle --- */

/* Restores the heap after its first time has grown. */
static void sink(double *until, unsigned count)
{
    for (unsigned i = 0, child; (child = 2 * i + 1) < count; i = child) {
        child += child + 1 < count && until[child + 1] < until[child];
        if (until[i] <= until[child])
            return;
        const double other = until[i];
        until[i] = until[child];
        until[child] = other;
    }
}

static double cost(const char *file, const ksiUnit *unit)
{
    const Recording *recording = &measured[strtoul(file, NULL, 10)];
    double sum = recording->read;
    for (unsigned i = unit->part; i < recording->windows; i += unit->parts)
        sum += recording->window[i];
    return sum;
}

/* --- Measurements --- */

static void readMeasured(void)
{
    static char line[LINE];
    while (fgets(line, sizeof line, stdin)) {
        char *at = line, *end;
        if (line[0] == '#')
            continue;
        measured = realloc(measured, (measuredCount + 1) * sizeof *measured);
        if (!measured)
            exit(1);
        Recording *made = &measured[measuredCount++];
        memset(made, 0, sizeof *made);
        made->bytes = strtoull(at, &at, 10);
        made->read = strtod(at, &at);
        for (double value; (value = strtod(at, &end)), end != at && made->windows < MOST_WINDOWS; at = end)
            made->window[made->windows++] = value;
    }
    if (measuredCount == 0) {
        fputs("schedule: no measurements\n", stderr);
        exit(1);
    }
}

/* The same numbers everywhere. Source: Marsaglia, Xorshift RNGs, J. Stat. Soft. 8 (2003), 14 */
static uint64_t randomNumber(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* Names of this many recordings, drawn at random; NULL: out of memory. They are never freed. */
static char **draw(size_t recordings)
{
    char **file = calloc(recordings + 1, sizeof *file), (*name)[12] = calloc(measuredCount, sizeof *name);
    for (unsigned i = 0; name && i < measuredCount; i++)
        snprintf(name[i], sizeof name[i], "%u", i);
    for (size_t i = 0; file && name && i < recordings; i++)
        file[i] = name[randomNumber() % measuredCount];
    return name ? file : NULL;
}

static void simulate(char **file, unsigned ranks, double *until)
{
    double once = 0, last = 0, first;
    uint64_t bytes = 0, read = 0, units = 0;
    size_t recordings = 0;
    for (; file[recordings]; recordings++) {
        bytes += ksiFileBytes(file[recordings]);
        once += cost(file[recordings], &(ksiUnit){.parts = 1});
    }
    ksiSchedule schedule = ksiScheduleBegin(file, ranks, bytes);
    for (ksiUnit unit; (unit = ksiScheduleNext(&schedule)).parts > 0; units++) {
        read += ksiFileBytes(file[unit.file]);
        until[0] += cost(file[unit.file], &unit);
        sink(until, ranks);
    }
    first = until[0];
    for (unsigned i = 0; i < ranks; i++)
        last = fmax(last, until[i]);
    printf("%u ranks, %zu recordings of %.4g GB: %.4g h of one core in %.4g s, %.1f %% of the best possible\n", ranks,
           recordings, (double)bytes / 1e9, once / 3600, last, 100 * once / (last * ranks));
    printf("  each is read %.2f times; the first rank waits %.2g s for the last one; rank 0: %.3g messages a second\n",
           (double)read / (double)bytes, last - first, 2 * (double)units / last);
}

int main(int count, char *argument[])
{
    const unsigned ranks = count == 3 ? (unsigned)strtoul(argument[1], NULL, 10) : 0;
    const size_t recordings = count == 3 ? strtoul(argument[2], NULL, 10) : 0;
    if (ranks == 0 || recordings == 0) {
        fputs("usage: schedule RANKS RECORDINGS <MEASUREMENTS\n", stderr);
        return 2;
    }
    readMeasured();
    char **file = draw(recordings);
    double *until = calloc(ranks, sizeof *until);
    if (!file || !until)
        return 1;
    simulate(file, ranks, until);
    return 0;
}

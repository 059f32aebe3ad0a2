/* rainflow.h  Counts the range pairs of a load: rainflow counting according to ASTM E1049-85
 * (2017), 5.4.4 (with half cycles) and 5.4.5 (repeating history). */
#ifndef KSI_SIZE_RAINFLOW_H
#define KSI_SIZE_RAINFLOW_H

#include <stdbool.h>
#include <stdint.h>

/* A peak or a valley, and its bar. */
typedef struct ksiTurn {
    double value, bar;
} ksiTurn;

/* halves: 2 for a cycle, 1 for a half cycle. */
typedef void ksiCycleFn(void *user, ksiTurn from, ksiTurn to, unsigned halves);

/* Largest number of open turns. Their ranges grow and then shrink. Beyond this number, the smaller
 * of the first and the last range is counted early. */
enum { KSI_OPEN_TURNS = 512 };

typedef struct ksiRainflow {
    ksiCycleFn *count;
    void *user;
    ksiTurn last, open[KSI_OPEN_TURNS];
    int openCount, direction; /* direction: 1 if values rise, -1 if they fall; 0: no value yet, or
                                 all values are the same */
    bool isBegun;
    uint64_t early;
} ksiRainflow;

/* Before the first call, set `count` and `user`, and all other members to zero. Values come in the
 * order of time, with their bars. noise: largest reversal that does not count as a turn. */
void ksiRainflowAdd(ksiRainflow *flow, int count, const double *value, const double *bar, const double *noise);

/* Counts the open ranges as half cycles. isRepeated: counts them as whole cycles, as in a history
 * that repeats endlessly and starts at its largest peak. */
void ksiRainflowEnd(ksiRainflow *flow, bool isRepeated);

#endif

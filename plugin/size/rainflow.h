/* rainflow.h  Range pairs of a load: rainflow counting by ASTM E1049-85 (2017), 5.4.4 (with half cycles) and 5.4.5 (of a history that repeats). */
#ifndef KSI_SIZE_RAINFLOW_H
#define KSI_SIZE_RAINFLOW_H

#include <stdbool.h>
#include <stdint.h>

/* A peak or a valley, and how far it may be off. */
typedef struct ksiTurn {
    double value, bar;
} ksiTurn;

/* halves: 2 of a cycle, 1 of a half cycle. */
typedef void ksiCycleFn(void *user, ksiTurn from, ksiTurn to, unsigned halves);

/* What is left open: ranges that grow, and then shrink. Of more than so many the smallest at the ends are counted early. */
enum { KSI_OPEN_TURNS = 512 };

typedef struct ksiRainflow {
    ksiCycleFn *count;
    void *user;
    ksiTurn last, open[KSI_OPEN_TURNS];
    int openCount, direction; /* -1, 1; 0: no value yet, or all are the same */
    bool isBegun;
    uint64_t early;
} ksiRainflow;

/* All else zero: count, user. Values in the order of time, and bars. noise: by how much a value has to go back at least for a turn. */
void ksiRainflowAdd(ksiRainflow *flow, int count, const double *value, const double *bar, const double *noise);

/* What is open is counted by half cycles; isRepeated: as in a history that is repeated without end, from its largest peak on, so by whole cycles. */
void ksiRainflowEnd(ksiRainflow *flow, bool isRepeated);

#endif

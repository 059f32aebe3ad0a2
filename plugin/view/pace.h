/* pace.h  Pace of a world, set by viewers: free, limited, single steps, or paused. */
#ifndef KSI_VIEW_PACE_H
#define KSI_VIEW_PACE_H

#include <stdbool.h>

/* All zero: unlimited. */
typedef struct ksiPace {
    double factor; /* s of the world per s of the clock; 0: unlimited */
    bool isHeld;
    double wanted, until; /* s, while the world is held. wanted: duration that the next call
                             permits, 0: none; until: time up to which steps are permitted */
    bool hasBegun;
    double begun[2]; /* origin of the pace: times of the world and of the clock, s */
} ksiPace;

/* Settings by viewers. ksiPaceSet: a factor from 0 to 1e6. ksiPaceHold: whether the world is held.
 * ksiPaceGoOn: a further duration, s, for a world that is held. */
void ksiPaceSet(ksiPace *pace, double factor);
void ksiPaceHold(ksiPace *pace, bool isHeld);
void ksiPaceGoOn(ksiPace *pace, double time);

/* May the world, at this time, step now? A world that is late by more than 0.1 s of the clock does
 * not catch up. */
bool ksiPaceAllows(ksiPace *pace, double world, double clock);

#endif

/* pace.h  Pace of a world, set by viewers: free, limited, single steps, or paused. */
#ifndef KSI_VIEW_PACE_H
#define KSI_VIEW_PACE_H

#include <stdbool.h>

/* All zero: as it likes. */
typedef struct ksiPace {
    double factor; /* s of the world in one of the clock; 0: as it likes */
    bool isHeld;
    double wanted, until; /* s: it may go on for so long, or to this time, though it is held; 0: not */
    bool hasBegun;
    double begun[2]; /* s, of the world and of the clock: where the pace is counted from */
} ksiPace;

/* What is wished for: a factor from 0 to 1e6; held or not; so much more, s. */
void ksiPaceSet(ksiPace *pace, double factor);
void ksiPaceHold(ksiPace *pace, bool isHeld);
void ksiPaceGoOn(ksiPace *pace, double time);

/* May the world, which has come to this time, make a step now? What a world is late is not made up for. */
bool ksiPaceAllows(ksiPace *pace, double world, double clock);

#endif

/* pace.c  Pace of a world. */
#include "pace.h"

void ksiPaceSet(ksiPace *pace, double factor)
{
    *pace = (ksiPace){.factor = factor, .isHeld = pace->isHeld};
}

void ksiPaceHold(ksiPace *pace, bool isHeld)
{
    *pace = (ksiPace){.factor = pace->factor, .isHeld = isHeld};
}

void ksiPaceGoOn(ksiPace *pace, double time)
{
    pace->wanted = pace->isHeld ? time : 0;
}

bool ksiPaceAllows(ksiPace *pace, double world, double clock)
{
    static const double late = 0.1, /* s of the clock: a world that is later than this restarts the
                                       pace */
        rounding = 1e-6;            /* share of the permitted duration, for the rounding of the sum
                                       of its steps */
    if (pace->isHeld) {
        if (pace->wanted > 0)
            pace->until = world + (1 - rounding) * pace->wanted;
        pace->wanted = 0;
        return world < pace->until;
    }
    if (!(pace->factor > 0))
        return true;
    const double due = pace->begun[0] + pace->factor * (clock - pace->begun[1]);
    if (!pace->hasBegun || world < pace->begun[0] || due - world > late * pace->factor) {
        pace->hasBegun = true;
        pace->begun[0] = world;
        pace->begun[1] = clock;
        return true;
    }
    return world <= due;
}

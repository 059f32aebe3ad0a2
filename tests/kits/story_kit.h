/* story_kit.h  Shared by the tests of the demos' stories: a silent kit, both steppers at three step
 * sizes. */
#ifndef TESTS_KITS_STORY_KIT_H
#define TESTS_KITS_STORY_KIT_H

#include "demos/stories.h"
#include "support.h"

enum { WAYS = 6 };

/* dWorldStep, then dWorldQuickStep, each with the coarsest step, half and a quarter of it. */
static inline KitWay storyWay(int which, int iterations, double coarsest, double time)
{
    const double h = coarsest / (1 << which % (WAYS / 2));
    return (KitWay){which < WAYS / 2 ? KS_WORLD_STEP : KS_QUICK_STEP, iterations, h, (int)lround(time / h)};
}

static inline Kit silentKit(void)
{
    return (Kit){.program = "test", .seed = 1, .isQuiet = 1};
}

#endif

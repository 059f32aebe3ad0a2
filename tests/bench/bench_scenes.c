/* bench_scenes.c  The measured scenes. Slow scenes make fewer steps. */
#include "bench.h"

static Scene *chain(int size)
{
    return sceneChain(size, SCENE_FALLING);
}

static Scene *fourbars(int size)
{
    return sceneLoops(size, 1, COUPLER_HINGED);
}

static Scene *loops(int size)
{
    return sceneLoops(1, size, COUPLER_BALL_UNIVERSAL);
}

static Scene *hingedLoops(int size)
{
    return sceneLoops(1, size, COUPLER_HINGED);
}

/* After some steps of 5 ms, in which the joints of hinged loops come apart by 1e-5 to 1e-3 of their
 * size. */
static Scene *drifted(Scene *scene)
{
    enum { STEPS = 400 };
    for (int i = 0; scene && i < STEPS; i++)
        sceneStep(scene, dWorldQuickStep, 0.005);
    return scene;
}

static Scene *driftedFourbars(int size)
{
    return drifted(fourbars(size));
}

static Scene *driftedLoops(int size)
{
    return drifted(hingedLoops(size));
}

static Scene *driftedGrid(int size)
{
    return drifted(sceneGrid(size, size));
}

static Scene *ragdollsOnGround(int size)
{
    return sceneFallingRagdolls(size, BALLS_WITH_STOPS, &sceneSurface[SURFACE_APPROX1]);
}

static Scene *car(int size)
{
    (void)size;
    return sceneDrivingCar(&sceneCar, &sceneSurface[SURFACE_APPROX1]);
}

/* Walkers with the strides that keep them on their legs. */
static Scene *walker(int legs)
{
    Walker walker = {.legs = legs,
                     .stride = legs == 2   ? 0.05
                               : legs == 4 ? 0.1
                                           : 0.2,
                     .frequency = 1,
                     .stepSize = BENCH_STEP_SIZE};
    return sceneWalker(&walker, &sceneSurface[SURFACE_APPROX1]);
}

/* Steps of 5 ms before contacts come to rest. */
enum { USUAL = 300, FROM_FIFTY_METRES = 1000 };

const BenchScene benchScenes[] = {
    {"chain", chain, {{10, 400}, {100, 200}, {1000, 30}, {10000, 7}}, "links on hinges, falling", USUAL},
    {"tree", sceneTree, {{15, 400}, {127, 200}, {1023, 30}, {10000, 7}}, "bars on balls, a binary tree", USUAL},
    {"fourbars", fourbars, {{1, 400}, {10, 200}, {100, 30}, {1000, 7}}, "redundant islands of four hinges", USUAL},
    {"loops", loops, {{3, 400}, {30, 200}, {300, 30}, {3000, 7}}, "linkages in one row, not redundant", USUAL},
    {"hinged-loops",
     hingedLoops,
     {{3, 400}, {30, 200}, {300, 30}, {3000, 7}},
     "the same on hinges, one redundant island",
     USUAL},
    {"drifted-fourbars", driftedFourbars, {{1, 400}, {10, 200}, {100, 30}}, "fourbars that have drifted apart", USUAL},
    {"drifted-loops",
     driftedLoops,
     {{3, 400}, {10, 200}, {30, 100}, {60, 60}, {120, 30}},
     "hinged-loops that have drifted apart",
     USUAL},
    {"drifted-grid",
     driftedGrid,
     {{5, 40}, {10, 20}, {20, 10}},
     "floors of hinged-loops, as many as loops, that have drifted apart",
     USUAL},
    {"star", sceneStar, {{10, 200}, {50, 20}, {200, 3}}, "arms on hinges around one hub", USUAL},
    {"ragdolls",
     sceneRagdolls,
     {{1, 400}, {10, 200}, {100, 30}},
     "bodies of 11 joints with stops, hung by a hand",
     USUAL},
    {"ragdolls-lying",
     ragdollsOnGround,
     {{1, 400}, {10, 200}, {100, 30}},
     "bodies of 13 joints with stops, fallen onto a heap: the highest of a hundred falls for three seconds",
     FROM_FIFTY_METRES},
    {"car", car, {{1, 400}}, "cars; there is one, which drives", USUAL},
    {"walker", walker, {{2, 400}, {4, 400}, {6, 400}}, "legs, 2, 4 or 6, which walk", USUAL},
    {"pile", scenePile, {{30, 100}, {100, 20}, {500, 10}}, "boxes at rest on each other in a bin", USUAL},
    {0},
};

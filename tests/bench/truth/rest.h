/* rest.h  Chains that hang at rest: ten and fifty links of 1 kg; ten links with a load of 50 or 500
 * kg. Joints from the top. */
#ifndef TESTS_BENCH_TRUTH_REST_H
#define TESTS_BENCH_TRUTH_REST_H

#include "demos/scenes/drift_private.h"

Scene *truthRestTen(const SceneSurface *surface, double stepSize);
Scene *truthRestFifty(const SceneSurface *surface, double stepSize);
Scene *truthRestLoad(const SceneSurface *surface, double stepSize);
Scene *truthRestHeavy(const SceneSurface *surface, double stepSize);

#endif

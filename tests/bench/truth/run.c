/* run.c  Measures one case: steps the machine and passes each step to the windows. See truth.h. */
#include "means.h"
#include "window.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { SEED = 1 };
static const double farAway = 1e4; /* m: Debian's engine aborts on a body that is not finite */

static bool isWhole(const Scene *scene)
{
    for (int i = 0; i < scene->bodyCount; i++) {
        const dReal *x = dBodyGetPosition(scene->body[i]), *w = dBodyGetAngularVel(scene->body[i]);
        const double away = fmax(fmax(fabs(x[0]), fabs(x[1])), fabs(x[2]));
        if (!(away < farAway) || !isfinite(w[0] + w[1] + w[2]))
            return false;
    }
    return true;
}

static ksStatus step(const TruthCase *what, ksInspector *inspector, double stepSize)
{
    switch (what->stepper) {
    case TRUTH_WORLD:
        return ksInspectorStep(inspector, stepSize);
    case TRUTH_EXACT:
        return ksInspectorExactStep(inspector, stepSize);
    default:
        return ksInspectorQuickStep(inspector, stepSize);
    }
}

/* The size of the next step. It has a generator of its own, because the engine's belongs to its
 * solver. */
static double nextSize(const TruthCase *what, uint32_t *random)
{
    const double least = 0.2, range = 1.6;
    *random = *random * 1664525u + 1013904223u;
    return what->stepSize * (what->uneven ? least + range * (*random >> 8) / 0x1p24 : 1);
}

bool truthRun(const TruthCase *what, TruthResult *result)
{
    const int before = (int)lround(what->kind->from / what->stepSize),
              window = (int)lround(what->window / what->stepSize);
    const int asked = what->steps ? what->steps : (int)lround((what->kind->to - what->kind->from) / what->stepSize);
    *result = (TruthResult){.broke = false};
    Scene *scene = what->kind->make(what->surface, what->stepSize);
    ksInspector *inspector = NULL;
    const bool isOpen = scene && !ksInspectorCreate(scene->world, NULL, &inspector);
    TruthRun *run = isOpen && !what->means ? truthOpen(what, scene, inspector, window > 1 ? window : 1) : NULL;
    TruthMeans *means = isOpen && what->means ? truthMeansOpen(what, scene, inspector, before + asked) : NULL;
    bool done = run || means;
    uint32_t random = SEED;
    if (!done)
        fprintf(stderr, "truth: %s: out of memory, or an engine that is not known\n", what->kind->name);
    dRandSetSeed(SEED);
    if (done)
        dWorldSetQuickStepNumIterations(scene->world, what->iterations);
    for (int i = 0; done && !result->broke && i < before + asked; i++) {
        sceneBeforeStep(scene);
        if (means)
            truthMeansBefore(means);
        else if (i >= before)
            done = truthBefore(run);
        const double stepSize = nextSize(what, &random);
        ksStatus status = step(what, inspector, stepSize);
        if (means)
            truthMeansAfter(means, stepSize, i >= before);
        else if (i >= before)
            truthAfter(run, stepSize);
        sceneAfterStep(scene);
        if (status) {
            fprintf(stderr, "truth: %s: %s\n", what->kind->name, ksErrorMessage());
            done = false;
        }
        result->broke = !isWhole(scene);
    }
    if (run)
        truthClose(run, result->figure);
    if (means)
        truthMeansClose(means, result->figure);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    return done;
}

/* kit_run.c  Inspects and steps the worlds of the demos, with progress on a terminal. */
#define _POSIX_C_SOURCE 200809L
#include "kit.h"

#include <time.h>
#include <unistd.h>

static const double patience = 1, refresh = 0.2;  // s, before progress is first shown, and between
                                                  // updates

double kitNow(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void kitProgress(Kit *kit, const char *name, double begin, int done, int steps)
{
    const double now = kitNow();
    if (kit->isQuiet || now - begin < patience || now - kit->shown < refresh || !isatty(STDERR_FILENO))
        return;
    // erases the rest of a longer line
    fprintf(stderr, "\r%s: %s, %d %%\033[K", kit->program, name, (int)(100.0 * done / steps));
    kit->shown = now;
}

void kitProgressOff(Kit *kit)
{
    if (kit->shown > 0)
        fprintf(stderr, "\r\033[K");
    kit->shown = 0;
}

int kitIsUsual(const Kit *kit)
{
    return kit->way.stepper == kit->usual.stepper && kit->way.iterations == kit->usual.iterations;
}

const char *kitStepperName(KitWay way)
{
    static char name[48];
    if (way.stepper != KS_QUICK_STEP)
        return way.stepper == KS_WORLD_STEP ? "dWorldStep" : "ksInspectorExactStep";
    snprintf(name, sizeof name, "dWorldQuickStep(%d)", way.iterations);
    return name;
}

KitWay kitFiner(KitWay way, int times)
{
    way.step /= times;
    way.steps *= times;
    return way;
}

KitRun kitBegin(Kit *kit, Scene *scene, const char *name, KitWay way)
{
    return kitBeginWith(kit, scene, name, way, NULL);
}

KitRun kitBeginWith(Kit *kit, Scene *scene, const char *name, KitWay way, const ksInspectorOptions *options)
{
    KitRun run = {.kit = kit, .scene = scene, .way = way, .begin = kitNow()};
    snprintf(run.name, sizeof run.name, "%s, %s, %g ms", name, kitStepperName(way), 1000 * way.step);
    kitCheck(kit, scene ? KS_OK : KS_ERROR_NO_MEMORY, name);
    kitCheck(kit, ksInspectorCreate(scene->world, options, &run.inspector), "ksInspectorCreate");
    dWorldSetQuickStepNumIterations(scene->world, way.iterations);
    dRandSetSeed((unsigned long)kit->seed);  // dWorldQuickStep shuffles its rows
    kitWatch(kit, run.inspector, run.name);
    return run;
}

void kitInspectorStep(const Kit *kit, ksInspector *inspector, KitWay way)
{
    if (way.stepper == KS_WORLD_STEP)
        kitCheck(kit, ksInspectorStep(inspector, way.step), "ksInspectorStep");
    else if (way.stepper == KS_EXACT_STEP)
        kitCheck(kit, ksInspectorExactStep(inspector, way.step), "ksInspectorExactStep");
    else
        kitCheck(kit, ksInspectorQuickStep(inspector, way.step), "ksInspectorQuickStep");
}

void kitAddMomentum(const Scene *scene, double factor, double weight, double sum[3])
{
    dVector3 gravity;
    dWorldGetGravity(scene->world, gravity);
    for (int i = 0; i < scene->bodyCount; i++) {
        const dReal *v = dBodyGetLinearVel(scene->body[i]);
        dMass mass;
        dBodyGetMass(scene->body[i], &mass);
        for (int k = 0; k < 3; k++)
            sum[k] += mass.mass * (factor * v[k] + weight * gravity[k]);
    }
}

int kitStep(KitRun *run)
{
    if (run->done == run->way.steps)
        return 0;
    kitViewStep(run->kit, run->done * run->way.step);
    const double frequency = 1 / run->way.step;
    for (int k = 0; k < 3; k++)
        run->needed[k] = 0;
    kitAddMomentum(run->scene, -frequency, -1, run->needed);
    sceneBeforeStep(run->scene);
    kitInspectorStep(run->kit, run->inspector, run->way);
    sceneAfterStep(run->scene);
    kitAddMomentum(run->scene, frequency, 0, run->needed);
    kitProgress(run->kit, run->name, run->begin, ++run->done, run->way.steps);
    return 1;
}

void kitEnd(KitRun *run)
{
    kitProgressOff(run->kit);
    ksInspectorDestroy(run->inspector);
    sceneDestroy(run->scene);
}

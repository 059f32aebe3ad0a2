/* motion.c  Writes the HTML report of a moving scene to a file:
 *
 *     motion SCENE FILE [SECONDS [STEP [SIZE]]]    s, ms */
#include "demos/scenes/scenes.h"

#include <kinetostat/report.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 20 };

static void check(ksStatus status)
{
    if (status) {
        fprintf(stderr, "motion: %s\n", ksErrorMessage());
        exit(1);
    }
}

static Scene *makeScene(const char *name, double step, int size)
{
    const SceneSurface *surface = &sceneSurface[SURFACE_APPROX1];
    const Walker walker = {.legs = 4, .stride = 0.1, .frequency = 1, .stepSize = step};
    return strcmp(name, "arm") == 0       ? sceneReachingArm(&sceneArm, surface)
           : strcmp(name, "bridge") == 0  ? sceneBridge(size, 3, surface)
           : strcmp(name, "ragdoll") == 0 ? sceneFallingRagdolls(size, BALLS_WITH_STOPS, surface)
           : strcmp(name, "walker") == 0  ? sceneWalker(&walker, surface)
           : strcmp(name, "car") == 0     ? sceneDrivingCar(&sceneCar, surface)
           : strcmp(name, "pile") == 0    ? scenePile(size)
           : strcmp(name, "chain") == 0   ? sceneChain(size, SCENE_FALLING)
                                          : NULL;
}

int main(int count, char *argument[])
{
    const double seconds = count > 3 ? atof(argument[3]) : 2, step = count > 4 ? atof(argument[4]) / 1000 : 0.005;
    ksReport *report;
    ksInspector *inspector;
    dInitODE2(0);
    Scene *scene = count > 2 ? makeScene(argument[1], step, count > 5 ? atoi(argument[5]) : 10) : NULL;
    if (!scene) {
        fprintf(stderr, "usage: motion arm|bridge|ragdoll|walker|car|pile|chain FILE [SECONDS [STEP [SIZE]]]\n");
        return 2;
    }
    dWorldSetQuickStepNumIterations(scene->world, ITERATIONS);
    check(ksReportCreate(NULL, &report));
    check(ksInspectorCreate(scene->world, NULL, &inspector));
    check(ksReportWatch(report, inspector, argument[1]));
    if (scene->jointCount > 0)
        check(ksInspectorSetName(inspector, scene->joint[0],
                                 "</script><script>window.harmed = 1</script><img src=x onerror=harm()>"));
    for (int i = 0; i < (int)(seconds / step); i++) {
        sceneBeforeStep(scene);
        check(ksInspectorQuickStep(inspector, step));
        sceneAfterStep(scene);
    }
    check(ksReportWrite(report, KS_REPORT_HTML, argument[2]));
    ksReportDestroy(report);
    ksInspectorDestroy(inspector);
    sceneDestroy(scene);
    dCloseODE();
    return 0;
}

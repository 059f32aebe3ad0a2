/* rest.c  Chains that hang at rest, some with a load at the end. */
#include "rest.h"

#include <stdbool.h>

/* Links of 1 kg and 0.1 m on hinges about y; mass 0: no load at the end. */
static Scene *hanging(int links, double mass)
{
    static const double yAxis[3] = {0, 1, 0}, length = 0.1, side = 0.3;
    const int bodies = links + (mass > 0);
    Scene *scene = sceneCreate(bodies, bodies);
    for (int i = 0; scene && i < bodies; i++) {
        const bool isLoad = i == links;
        const double top = -length * i, size = isLoad ? side : 0.02, height = isLoad ? side : length;
        const dBodyID body =
            sceneAddBox(scene, isLoad ? mass : 1, 0, 0, top - height / 2, (const double[3]){size, size, height});
        sceneAddHinge(scene, body, i ? scene->body[i - 1] : NULL, (const double[3]){0, 0, top}, yAxis);
    }
    return scene;
}

Scene *truthRestTen(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return hanging(10, 0);
}

Scene *truthRestFifty(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return hanging(50, 0);
}

Scene *truthRestLoad(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return hanging(10, 50);
}

Scene *truthRestHeavy(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    return hanging(10, 500);
}

/* growing.c  Scenes of any size: trees, loops, a star. Benches measure the cost of an inspected
 * step with them. */
#include "scenes_private.h"

#include <math.h>

static const double yAxis[3] = {0, 1, 0}, zAxis[3] = {0, 0, 1};

Scene *sceneTree(int bodies)
{
    const double length = 0.2, spread = 0.5;
    Scene *scene = sceneCreate(bodies, bodies);
    if (!scene)
        return NULL;
    double near[3] = {0, 0, 0}, far[3] = {length, 0, 0};
    sceneAddBall(scene, sceneAddBar(scene, 1, near, far), NULL, near);
    for (int i = 1; i < bodies; i++) {
        int level = 0;
        for (int k = i + 1; k > 1; k /= 2)
            level++;
        // both branches turn away from their parent, about its y and z axis in turn
        dBodyID parent = scene->body[(i - 1) / 2];
        double along = length * cos(spread), across = i % 2 ? length * sin(spread) : -length * sin(spread);
        dVector3 place;
        dBodyGetRelPointPos(parent, 0.5 * length, 0, 0, place);
        COPY3(near, place);
        dBodyGetRelPointPos(parent, 0.5 * length + along, level % 2 ? 0 : across, level % 2 ? across : 0, place);
        COPY3(far, place);
        sceneAddBall(scene, sceneAddBar(scene, 1, near, far), parent, near);
    }
    return scene;
}

/* Cranks hang 1 m apart along x, from the world or from the tips of the cranks above; couplers join
 * the tips of neighbours. In a floor cranks and couplers alternate, first a crank. */
static void addRowOfLoops(Scene *scene, int loops, int floor, double y, SceneCoupler kind)
{
    const double angle = 0.7, sway = sin(angle), depth = cos(angle), left = floor * sway, top = -floor * depth;
    dBodyID before = NULL, *above = floor ? scene->body + scene->bodyCount - (2 * loops + 1) : NULL;
    for (int i = 0; i <= loops; i++) {
        const double base[3] = {left + i, y, top}, tip[3] = {left + i + sway, y, top - depth},
                     tipBefore[3] = {left + i - 1 + sway, y, top - depth};
        dBodyID crank = sceneAddBar(scene, 1, base, tip);
        sceneAddHinge(scene, crank, above ? above[i ? 2 * i - 1 : 0] : NULL, base, yAxis);
        if (i > 0) {
            dBodyID coupler = sceneAddBar(scene, 1, tipBefore, tip);
            if (kind == COUPLER_HINGED) {
                sceneAddHinge(scene, coupler, before, tipBefore, yAxis);
                sceneAddHinge(scene, coupler, crank, tip, yAxis);
            } else {
                sceneAddBall(scene, coupler, before, tipBefore);
                sceneAddUniversal(scene, crank, coupler, tip, yAxis, zAxis);
            }
        }
        before = crank;
    }
}

Scene *sceneGrid(int loops, int floors)
{
    Scene *scene = sceneCreate(floors * (2 * loops + 1), floors * (3 * loops + 1));
    for (int i = 0; scene && i < floors; i++)
        addRowOfLoops(scene, loops, i, 0, COUPLER_HINGED);
    return scene;
}

Scene *sceneLoops(int rows, int loops, SceneCoupler kind)
{
    Scene *scene = sceneCreate(rows * (2 * loops + 1), rows * (3 * loops + 1));
    for (int i = 0; scene && i < rows; i++)
        addRowOfLoops(scene, loops, 0, i, kind);
    return scene;
}

Scene *sceneStar(int arms)
{
    const double rim = 0.5, reach = 0.7;
    Scene *scene = sceneCreate(arms + 1, arms + 1);
    if (!scene)
        return NULL;
    dBodyID hub = sceneAddBox(scene, 10, 0, 0, 0, (const double[3]){2 * rim, 2 * rim, 0.1});
    sceneAddBall(scene, hub, NULL, (const double[3]){0, 0, 0});
    for (int i = 0; i < arms; i++) {
        double angle = 2 * M_PI * i / arms, c = cos(angle), s = sin(angle);
        const double near[3] = {rim * c, rim * s, 0}, far[3] = {reach * c, reach * s, 0}, tangent[3] = {-s, c, 0};
        sceneAddHinge(scene, sceneAddBar(scene, 1, near, far), hub, near, tangent);
    }
    return scene;
}

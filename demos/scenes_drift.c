/* scenes_drift.c  The machines by name, and what mechanics leaves open of their joints. */
#include "scenes_drift_private.h"

#include <stddef.h>
#include <string.h>

static int none(const Scene *scene, int joint)
{
    (void)scene, (void)joint;
    return 0;
}

/* The planks' edges are hinges made of two balls each. A chain of parallel hinges between two ends leaves a force along
 * and couples across the axis open, the two balls of an edge another force along it. */
static int three(const Scene *scene, int joint)
{
    (void)scene, (void)joint;
    return 3;
}

const DriftScene driftScenes[] = {
    {"turntable", 0, 0.2, 2, driftTurntable, none, driftTurntableForce},
    {"swing", 0, 0.2, 2, driftSwing, none, NULL},
    {"plank-bridge", 0, 0.2, 2, driftPlankBridge, three, NULL},
    {"suspension-bridge", 0, 0.2, 2, driftSuspensionBridge, none, NULL},
    {"net", 0, 0.2, 2, driftNet, none, NULL},
    {"crane", 0, 0.2, 2, driftCrane, none, NULL},
    {0},
};

const DriftScene *driftScene(const char *name)
{
    for (const DriftScene *scene = driftScenes; scene->name; scene++)
        if (!strcmp(scene->name, name))
            return scene;
    return NULL;
}

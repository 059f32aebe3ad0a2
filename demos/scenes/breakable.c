/* breakable.c  Breakable structures: a plank that is hit, a bridge, welded boxes. */
#include "scenes_private.h"

#include <math.h>

static const double yAxis[3] = {0, 1, 0};

Scene *sceneStruckPlank(double ballMass, double speed, const SceneSurface *surface)
{
    const double plank[3] = {0.05, 1, 0.2}, radius = 0.1, height = 1, way = 0.35, beside = 0.3;
    Scene *scene = sceneCreateOnGround(2, 1, 0, surface);
    if (!scene)
        return NULL;
    sceneAddFixed(scene, sceneAddSolidBox(scene, 1, 0, 0, height, plank), NULL);
    dBodyID ball = sceneAddSolidBall(scene, ballMass, radius, -(0.5 * plank[0] + radius + way), beside, height);
    dBodySetLinearVel(ball, speed, 0, 0);
    return scene;
}

/* Planks between points of an arc. */
Scene *sceneBridge(int planks, int boxes, const SceneSurface *surface)
{
    const double length = 0.3, width = 1, thickness = 0.04, box = 0.25, drop = 0.05, halfAngle = 0.6, clearance = 1;
    const double turn = 2 * halfAngle / planks, radius = 0.5 * length / sin(0.5 * turn);
    Scene *scene = sceneCreateOnGround(planks + boxes, planks + 1, 0, surface);
    if (!scene)
        return NULL;
    dBodyID before = NULL;
    for (int i = 0; i <= planks; i++) {
        double angle = i * turn - halfAngle, middle = angle + 0.5 * turn, inner = radius * cos(0.5 * turn);
        const double end[3] = {radius * sin(angle), 0, clearance + radius * (1 - cos(angle))};
        dBodyID plank = NULL;
        if (i < planks) {
            plank = sceneAddSolidBox(scene, 5, inner * sin(middle), 0, clearance + radius - inner * cos(middle),
                                     (const double[3]){0.9 * length, width, thickness});
            dMatrix3 rotation;
            dRFromAxisAndAngle(rotation, 0, 1, 0, -middle);
            dBodySetRotation(plank, rotation);
        }
        // the engine needs a body as first body
        sceneAddHinge(scene, plank ? plank : before, plank ? before : NULL, end, yAxis);
        before = plank;
    }
    for (int i = 0; i < boxes; i++) {
        const dReal *below = dBodyGetPosition(scene->body[(2 * i + 1) * planks / (2 * boxes)]);
        sceneAddSolidBox(scene, 10, below[0], 0, below[2] + 0.5 * (box + thickness) + drop + 0.5 * box * halfAngle,
                         (const double[3]){box, box, box});
    }
    return scene;
}

Scene *sceneBracedPair(ScenePose pose)
{
    const double side[3] = {0.3, 0.2, 0.2}, apart = 1, spin = 3;
    Scene *scene = sceneCreate(2, 3);
    if (!scene)
        return NULL;
    dBodyID first = sceneAddBox(scene, 1, 0.5 * apart, 0, 0, side);
    dBodyID second = sceneAddBox(scene, 1, 1.5 * apart, 0, 0, side);
    sceneAddFixed(scene, second, first);
    dJointID rod = sceneAddJoint(scene, dJointCreateDBall(scene->world, NULL), second, first);
    dJointSetDBallAnchor1(rod, 1.5 * apart, 0, 0.5 * side[2]);
    dJointSetDBallAnchor2(rod, 0.5 * apart, 0, 0.5 * side[2]);
    if (pose == SCENE_HANGING) {
        sceneAddHinge(scene, first, NULL, (const double[3]){0, 0, 0}, yAxis);
        return scene;
    }
    for (int i = 0; i < 2; i++) {
        dBodySetAngularVel(scene->body[i], 0, spin, 0);
        dBodySetLinearVel(scene->body[i], 0, 0, (i ? -0.5 : 0.5) * apart * spin);
    }
    return scene;
}

Scene *sceneWeldedWall(int columns, int rows)
{
    const double side = 0.2;
    Scene *scene = sceneCreate(columns * rows, 2 * columns * rows);
    for (int i = 0; scene && i < columns * rows; i++) {
        int column = i % columns, row = i / columns;
        dBodyID box = sceneAddBox(scene, 1, side * column, 0, side * (row + 0.5), (const double[3]){side, side, side});
        sceneAddFixed(scene, box, row ? scene->body[i - columns] : NULL);
        if (column)
            sceneAddFixed(scene, box, scene->body[i - 1]);
    }
    return scene;
}

/* arm.c  An arm of six axes and a box for it. */
#include "scenes_private.h"

static const double edge = 0.1, tableTop = 0.5, reach = 0.8;
const double sceneHandMass = 0.5, scenePayload = 2;

static dBodyID addLink(Scene *scene, dBodyID before, double mass, const double from[3], const double to[3],
                       const double axis[3], double torque)
{
    dBodyID link = sceneAddBar(scene, mass, from, to);
    sceneAddDrive(scene, torque, (SceneDrive){.joint = sceneAddHinge(scene, link, before, from, axis)});
    return link;
}

Scene *sceneLiftingArm(int hasTable)
{
    const double xyz[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, *y = xyz[1], *z = xyz[2], gap = 1e-3;
    const double hand[3] = {0.1, 0.1, 0.08}, bottom = tableTop + edge + gap, top = bottom + hand[2];
    const double base[3] = {0, 0, 0}, shoulder[3] = {0, 0, 0.5}, elbow[3] = {0.3, 0, 0.9};
    const double roll[3] = {reach - 0.1, 0, 0.85}, pitch[3] = {reach, 0, 0.82}, wrist[3] = {reach, 0, top};
    const double forearm[3] = {pitch[0] - roll[0], 0, pitch[2] - roll[2]};
    Scene *scene = sceneCreateOnGround(ARM_HINGES + 1, ARM_HINGES + 1, ARM_HINGES, &sceneSurface[SURFACE_APPROX1]);
    if (!scene)
        return NULL;
    dBodyID link = addLink(scene, NULL, 10, base, shoulder, z, 200);
    link = addLink(scene, link, 5, shoulder, elbow, y, 200);
    link = addLink(scene, link, 3, elbow, roll, y, 100);
    link = addLink(scene, link, 1, roll, pitch, forearm, 50);
    link = addLink(scene, link, 1, pitch, wrist, y, 50);
    dBodyID last = sceneAddSolidBox(scene, sceneHandMass, reach, 0, bottom + 0.5 * hand[2], hand);
    sceneAddDrive(scene, 50, (SceneDrive){.joint = sceneAddHinge(scene, last, link, wrist, z)});
    dBodyID box =
        sceneAddSolidBox(scene, scenePayload, reach, 0, tableTop + 0.5 * edge, (const double[3]){edge, edge, edge});
    if (!hasTable)
        sceneAddFixed(scene, box, last);
    else
        dGeomSetPosition(dCreateBox(scene->space, 2, 2, 0.1), reach, 0, tableTop - 0.05);
    return scene;
}

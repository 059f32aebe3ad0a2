/* loops.c  Three machines with loops: see machines.h. */
#include "machines.h"

#include <math.h>

Scene *truthSixBar(const SceneSurface *surface, double stepSize)
{
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(5, 7);
    if (!scene)
        return NULL;
    dBodyID crank = truthBar(scene, 3, 0, 0, 0.15, 0.2), coupler = truthBar(scene, 4, 0.15, 0.2, 0.9, 0.5);
    dBodyID rocker = truthBar(scene, 6, 1, 0, 0.8, 1), link = truthBar(scene, 3, 0.8, 1, 1.5, 0.9);
    dBodyID last = truthBar(scene, 8, 1.6, 0, 1.5, 0.9);
    dJointID motor = truthPin(scene, crank, NULL, 0, 0);
    dJointSetHingeParam(motor, dParamVel, -4);
    dJointSetHingeParam(motor, dParamFMax, 1e4);
    truthPin(scene, coupler, crank, 0.15, 0.2);
    truthPin(scene, rocker, coupler, 0.9, 0.5);
    truthPin(scene, rocker, NULL, 1, 0);
    truthPin(scene, link, rocker, 0.8, 1);
    truthPin(scene, last, link, 1.5, 0.9);
    truthPin(scene, last, NULL, 1.6, 0);
    return scene;
}

static const double ringApart = 1.2, ringRadius = 0.3;

/* A point of the ring, this far along it from the top of the left pulley. */
static void ringPoint(double s, double point[3])
{
    const double arc = M_PI * ringRadius, turn = fmod(s, ringApart + arc) - ringApart;
    const double side = s >= ringApart + arc ? -1 : 1;  // lower half: the upper one, turned about the middle
    const double x = turn < 0 ? turn : ringRadius * sin(turn / ringRadius);
    const double z = turn < 0 ? ringRadius : ringRadius * cos(turn / ringRadius);
    point[0] = 0.5 * ringApart + side * (0.5 * ringApart + x);
    point[1] = 0;
    point[2] = side * z;
}

Scene *truthRopeRing(const SceneSurface *surface, double stepSize)
{
    enum { BEADS = 24, HEAVY = BEADS / 4 };
    const double length = 2 * (ringApart + M_PI * ringRadius) / BEADS,
                 side[3] = {1.4 * ringRadius, 0.1, 1.4 * ringRadius};
    (void)surface, (void)stepSize;
    Scene *scene = sceneCreate(BEADS + 2, BEADS + 4);
    if (!scene)
        return NULL;
    for (int p = 0; p < 2; p++)
        truthPin(scene, sceneAddBox(scene, 5, p * ringApart, 0, 0, side), NULL, p * ringApart, 0);
    const dBodyID *bead = &scene->body[2];
    for (int i = 0; i < BEADS; i++) {
        double from[3], to[3];
        ringPoint(i * length, from);
        ringPoint(i + 1 < BEADS ? (i + 1) * length : 0, to);
        sceneAddBar(scene, i == HEAVY ? 2 : 0.2, from, to);
        if (i)
            sceneAddBall(scene, bead[i], bead[i - 1], from);
    }
    for (int p = 0; p < 3; p++) {
        // the joint that closes the rope; the joints next to its outermost points on the pulleys
        const int i = p ? (p == 1 ? 3 * BEADS / 8 : 7 * BEADS / 8) : 0;
        double at[3];
        ringPoint(i * length, at);
        sceneAddBall(scene, p ? scene->body[2 - p] : bead[BEADS - 1], bead[i], at);
    }
    return scene;
}

Scene *truthTripod(const SceneSurface *surface, double stepSize)
{
    enum { LEGS = 3 };
    const double wide = 0.7, narrow = 0.4, high = 0.9;
    Scene *scene = sceneCreateOnGround(1 + 2 * LEGS, 3 * LEGS, LEGS, surface);
    if (!scene)
        return NULL;
    scene->ground->frequency = 1.3;
    scene->ground->stepSize = stepSize;
    dBodyID plate = sceneAddBox(scene, 30, 0, 0, high, (const double[3]){0.8, 0.8, 0.04});
    for (int i = 0; i < LEGS; i++) {
        const double c = cos(2 * M_PI * i / LEGS + 0.3), s = sin(2 * M_PI * i / LEGS + 0.3), across[3] = {-s, c, 0};
        const double foot[3] = {wide * c, wide * s, 0}, head[3] = {narrow * c, narrow * s, high};
        double middle[3];
        for (int k = 0; k < 3; k++)
            middle[k] = 0.5 * (foot[k] + head[k]);
        dBodyID lower = sceneAddBar(scene, 2, foot, middle), upper = sceneAddBar(scene, 1, middle, head);
        sceneAddHinge(scene, lower, NULL, foot, across);
        SceneDrive drive = {.amplitude = 0.06, .phase = 1.7 * i};
        drive.joint = sceneAddJoint(scene, dJointCreateSlider(scene->world, NULL), upper, lower);
        dJointSetSliderAxis(drive.joint, head[0] - foot[0], head[1] - foot[1], head[2] - foot[2]);
        sceneAddDrive(scene, 5e3, drive);
        sceneAddBall(scene, plate, upper, head);
    }
    return scene;
}

/* scenes_private.h  Shared by the scenes' constructors. */
#ifndef DEMOS_SCENES_SCENES_PRIVATE_H
#define DEMOS_SCENES_SCENES_PRIVATE_H

#include "scenes.h"
#include "vectors.h"

/* An empty world under gravity with room for that many bodies and joints; NULL: out of memory. */
Scene *sceneCreate(int bodyRoom, int jointRoom);

/* A homogeneous box of the given mass and sides. */
dBodyID sceneAddBox(Scene *scene, double mass, double x, double y, double z, const double side[3]);
dBodyID sceneAddSphere(Scene *scene, double mass, double radius, double x, double y, double z); /* likewise */

/* A box to be seen, which nothing touches: on a body, or where it is put. It goes with the
 * scene. */
dGeomID sceneAddShape(Scene *scene, dBodyID body, const double side[3]);

/* Files a joint under the scene and attaches it. */
dJointID sceneAddJoint(Scene *scene, dJointID joint, dBodyID first, dBodyID second);

/* A hinge with its anchor and axis. */
dJointID sceneAddHinge(Scene *scene, dBodyID first, dBodyID second, const double anchor[3], const double axis[3]);

dJointID sceneAddBall(Scene *scene, dBodyID first, dBodyID second, const double anchor[3]);
dJointID sceneAddUniversal(Scene *scene, dBodyID first, dBodyID second, const double anchor[3],
                           const double axisOfFirst[3], const double axisOfSecond[3]);
dJointID sceneAddFixed(Scene *scene, dBodyID first, dBodyID second);

/* A bar between two points; its length along the body's x axis. */
dBodyID sceneAddBar(Scene *scene, double mass, const double from[3], const double to[3]);

/* out = R v, out = R^T v */
void sceneRotate(const dMatrix3 rotation, const double v[3], double out[3]);
void sceneRotateBack(const dMatrix3 rotation, const double v[3], double out[3]);

/* A motor that turns its hinge, steers its hinge2, or moves its slider or PU (m), towards mean +
 * amplitude sin(2 pi frequency time + phase). */
typedef struct SceneDrive {
    dJointID joint;
    double mean, amplitude, phase; /* rad */
} SceneDrive;

/* Data of sceneBeforeStep on the ground. */
typedef struct SceneGround {
    SceneSurface surface;
    double frequency, stepSize; /* Hz, s: of the drives; 0 where they hold a pose */
    int driveCount;
    SceneDrive drive[]; /* the number asked for */
} SceneGround;

/* As sceneCreate, with the plane z = 0 and a space for geoms, whose contacts have that surface.
 * Bodies that a joint connects do not touch each other. */
Scene *sceneCreateOnGround(int bodyRoom, int jointRoom, int driveRoom, const SceneSurface *surface);

/* A box, or a ball, with a geom of its shape in a scene that has a space. */
dBodyID sceneAddSolidBox(Scene *scene, double mass, double x, double y, double z, const double side[3]);
dBodyID sceneAddSolidBall(Scene *scene, double mass, double radius, double x, double y, double z);

/* Gives a joint a motor of that greatest torque, or force, which follows the drive. */
void sceneAddDrive(Scene *scene, double torque, SceneDrive drive);

/* Two strings over a pulley in the origin. */
typedef struct SceneStrings {
    double along[STRING_COUNT][3], tangent[STRING_COUNT][3]; /* from the rim to the load; point of the rim */
    double radius[STRING_COUNT], length[STRING_COUNT];       /* length: at the start */
} SceneStrings;

/* Puts the strings in their places in the present state. */
void sceneStringsBeforeStep(Scene *scene);

#endif

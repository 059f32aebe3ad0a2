/* scenes_private.h  Shared by the scenes' constructors. */
#ifndef DEMOS_SCENES_SCENES_PRIVATE_H
#define DEMOS_SCENES_SCENES_PRIVATE_H

#include "scenes.h"
#include "vectors.h"

/* An empty world under gravity with room for these numbers of bodies and joints; NULL: out of
 * memory. */
Scene *sceneCreate(int bodyRoom, int jointRoom);

/* A homogeneous box, or ball, of the given mass and size. */
dBodyID sceneAddBox(Scene *scene, double mass, double x, double y, double z, const double side[3]);
dBodyID sceneAddSphere(Scene *scene, double mass, double radius, double x, double y, double z);

/* Adds a box for viewers, without contacts: on a body, or fixed in the world. The scene owns it. */
dGeomID sceneAddShape(Scene *scene, dBodyID body, const double side[3]);

/* Attaches a joint, and adds it to the scene. */
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

/* The data of sceneBeforeStep for scenes on the ground. */
typedef struct SceneGround {
    SceneSurface surface;
    double frequency, stepSize; /* Hz, s: of the drives; frequency 0: they hold a pose */
    int driveCount;
    SceneDrive drive[]; /* [driveRoom] */
} SceneGround;

/* As sceneCreate, with the plane z = 0 and a space for geoms, whose contacts have `surface`.
 * Bodies that a joint connects do not touch each other. */
Scene *sceneCreateOnGround(int bodyRoom, int jointRoom, int driveRoom, const SceneSurface *surface);

/* A box, or a ball, that collides; for scenes with a space. */
dBodyID sceneAddSolidBox(Scene *scene, double mass, double x, double y, double z, const double side[3]);
dBodyID sceneAddSolidBall(Scene *scene, double mass, double radius, double x, double y, double z);

/* Gives the drive's joint a motor with this largest torque, or force, which follows the drive. */
void sceneAddDrive(Scene *scene, double torque, SceneDrive drive);

/* Two strings over a pulley in the origin. */
typedef struct SceneStrings {
    double along[STRING_COUNT][3], tangent[STRING_COUNT][3]; /* from the rim to the load; point of
                                                                the rim */
    double radius[STRING_COUNT], length[STRING_COUNT];       /* length: at the start */
} SceneStrings;

/* Places the strings for the present state. */
void sceneStringsBeforeStep(Scene *scene);

#endif

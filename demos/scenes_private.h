/* scenes_private.h  What the scenes' constructors share. */
#ifndef SCENES_PRIVATE_H
#define SCENES_PRIVATE_H

#include "scenes.h"

/* An empty world under gravity with room for that many bodies and joints; NULL: out of memory. */
Scene *sceneCreate(int bodyRoom, int jointRoom);

/* A homogeneous box of the given mass and sides. */
dBodyID sceneAddBox(Scene *scene, double mass, double x, double y, double z, const double side[3]);

/* Files a joint under the scene and attaches it. */
dJointID sceneAddJoint(Scene *scene, dJointID joint, dBodyID first, dBodyID second);

/* A hinge with its anchor and axis. */
dJointID sceneAddHinge(Scene *scene, dBodyID first, dBodyID second, const double anchor[3], const double axis[3]);

/* out = R v, out = R^T v */
void sceneRotate(const dMatrix3 rotation, const double v[3], double out[3]);
void sceneRotateBack(const dMatrix3 rotation, const double v[3], double out[3]);

/* Two strings over a pulley in the origin. */
typedef struct SceneStrings {
    double along[STRING_COUNT][3], tangent[STRING_COUNT][3]; /* from the rim to the load; point of the rim */
    double radius[STRING_COUNT], length[STRING_COUNT];       /* length: at the start */
} SceneStrings;

/* Puts the strings where they belong in the present state. */
void sceneStringsBeforeStep(Scene *scene);

#endif

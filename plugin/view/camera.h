/* camera.h  From where the world is seen, and from where the light comes. */
#ifndef KSI_VIEW_CAMERA_H
#define KSI_VIEW_CAMERA_H

#include <stdbool.h>

typedef struct ksiCamera {
    double target[3];   /* m, about which the camera turns */
    double distance;    /* m */
    double yaw, pitch;  /* rad: from the first axis of the frame towards the second, and upwards */
    double frame[3][3]; /* two axes of the ground, and upwards */
    /* set by ksiCameraAim */
    double eye[3];             /* m, from the target */
    double right[3], above[3]; /* of the picture, world axes */
    double clip[4][4];         /* of points from the target */
} ksiCamera;

/* The height of the picture at the target, over the distance. */
#define KSI_CAMERA_HEIGHT 0.63

/* Looks level along the ground, a little from above, so that what lies in the plane of the first axis and upwards is seen well. */
void ksiCameraReset(ksiCamera *camera, const double up[3]);

/* Sets what follows from the rest. aspect: width / height. reach: m, the radius of all that is to be seen. */
void ksiCameraAim(ksiCamera *camera, double aspect, double reach);

/* Puts the camera; false, and nothing changed: there is no such camera. */
bool ksiCameraPut(ksiCamera *camera, const double eye[3], const double target[3]);

/* Parallel light, from the light's direction: clip of points from the target, a ball of that centre and radius fills it. */
void ksiLightAim(const ksiCamera *camera, const double centre[3], double radius, double direction[3],
                 double clip[4][4]);

#endif

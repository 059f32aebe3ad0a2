/* camera.c  Orbit camera: perspective and light as matrices. */
#include "camera.h"

#include "picture.h"

#include <math.h>
#include <string.h>

void ksiCameraReset(ksiCamera *camera, const double up[3])
{
    static const double z[3] = {0, 0, 1};
    double unit[3];
    if (!ksiNormalise3(up, unit))
        memcpy(unit, z, sizeof unit);
    memcpy(camera->frame[2], unit, sizeof unit);
    // x and y, if z is upwards
    const double second[3] = {-unit[0] * unit[1], 1 - unit[1] * unit[1], -unit[2] * unit[1]};
    if (!ksiNormalise3(second, camera->frame[1]) || fabs(unit[1]) > 0.99)
        ksiAcross3(unit, camera->frame[0], camera->frame[1]);
    ksiCross3(camera->frame[1], unit, camera->frame[0]);
    camera->yaw = -1.2;
    camera->pitch = 0.3;
}

/* Rows of the view: right, above, towards the eye; points are from the target. */
static void viewRows(const ksiCamera *camera, const double back[3], const double eye[3], double rows[3][4])
{
    const double *axis[3] = {camera->right, camera->above, back};
    for (int i = 0; i < 3; i++) {
        memcpy(rows[i], axis[i], 3 * sizeof(double));
        rows[i][3] = -ksiDot3(axis[i], eye);
    }
}

void ksiCameraAim(ksiCamera *camera, double aspect, double reach)
{
    double back[3], rows[3][4];
    double weight[3] = {cos(camera->pitch) * cos(camera->yaw), cos(camera->pitch) * sin(camera->yaw),
                        sin(camera->pitch)};
    for (int i = 0; i < 3; i++) {
        back[i] = 0;
        for (int k = 0; k < 3; k++)
            back[i] += weight[k] * camera->frame[k][i];
        camera->eye[i] = back[i] * camera->distance;
        camera->right[i] = cos(camera->yaw) * camera->frame[1][i] - sin(camera->yaw) * camera->frame[0][i];
    }
    ksiCross3(back, camera->right, camera->above);
    viewRows(camera, back, camera->eye, rows);

    const double near = 0.02 * camera->distance, far = camera->distance + fmax(reach, camera->distance) * 30;
    const double scale = 2 / KSI_CAMERA_HEIGHT;
    for (int k = 0; k < 4; k++) {
        double unit = k == 3;
        camera->clip[0][k] = scale / aspect * rows[0][k];
        camera->clip[1][k] = scale * rows[1][k];
        camera->clip[2][k] = -(far + near) / (far - near) * rows[2][k] - 2 * far * near / (far - near) * unit;
        camera->clip[3][k] = -rows[2][k];
        // the target is a little to the left and upwards: room for what is written below
        camera->clip[0][k] -= 0.06 * camera->clip[3][k];
        camera->clip[1][k] += 0.08 * camera->clip[3][k];
    }
}

bool ksiCameraPut(ksiCamera *camera, const double eye[3], const double target[3])
{
    double offset[3], part[3], unit[3];
    for (int i = 0; i < 3; i++)
        offset[i] = eye[i] - target[i];
    double distance = ksiLength3(offset);
    if (!ksiNormalise3(offset, unit))
        return false;
    for (int k = 0; k < 3; k++)
        part[k] = ksiDot3(unit, camera->frame[k]);
    if (!(fabs(part[2]) < 0.9999))
        return false;
    camera->distance = distance;
    camera->pitch = asin(part[2]);
    camera->yaw = atan2(part[1], part[0]);
    memcpy(camera->target, target, sizeof camera->target);
    return true;
}

void ksiLightAim(const ksiCamera *camera, const double centre[3], double radius, double direction[3], double clip[4][4])
{
    static const double part[3] = {-0.35, -0.45, 1};
    double across[3], above[3], from[3];
    for (int i = 0; i < 3; i++) {
        direction[i] = 0;
        for (int k = 0; k < 3; k++)
            direction[i] += part[k] * camera->frame[k][i];
        from[i] = centre[i] - camera->target[i];
    }
    ksiNormalise3(direction, direction);
    ksiAcross3(direction, across, above);
    const double *axis[3] = {across, above, direction};
    memset(clip, 0, 16 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        double sign = i == 2 ? -1 : 1;
        for (int k = 0; k < 3; k++)
            clip[i][k] = sign * axis[i][k] / radius;
        clip[i][3] = -sign * ksiDot3(axis[i], from) / radius;
    }
    clip[3][3] = 1;
}

/* forms.c  Rods, balls, arrows and arcs from the unit forms. */
#include "picture.h"

#include <math.h>

void ksiAddBall(ksiPicture *picture, ksiLayer layer, const double place[3], double radius, ksiColour colour)
{
    const double columns[3][3] = {{radius, 0, 0}, {0, radius, 0}, {0, 0, radius}};
    ksiAddForm(picture, layer, KSI_FORM_BALL, columns, place, colour, 0);
}

/* A form whose z goes from one point along a vector. */
static void addAlong(ksiPicture *picture, ksiLayer layer, ksiForm form, const double from[3], const double along[3],
                     double radius, ksiColour colour)
{
    double unit[3], columns[3][3];
    if (!ksiNormalise3(along, unit))
        return;
    ksiAcross3(unit, columns[0], columns[1]);
    for (int i = 0; i < 3; i++) {
        columns[0][i] *= radius;
        columns[1][i] *= radius;
        columns[2][i] = along[i];
    }
    ksiAddForm(picture, layer, form, columns, from, colour, 0);
}

void ksiAddRod(ksiPicture *picture, ksiLayer layer, const double from[3], const double to[3], double radius,
               ksiColour colour)
{
    const double along[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    addAlong(picture, layer, KSI_FORM_ROD, from, along, radius, colour);
}

enum { HEAD_LENGTH = 7, HEAD_RADIUS = 3 }; /* in radii of the shaft */

void ksiAddArrow(ksiPicture *picture, const double from[3], const double along[3], double radius, ksiColour colour,
                 bool isCut)
{
    double unit[3], shaft[3], shaftEnd[3], head[3];
    if (!ksiNormalise3(along, unit))
        return;
    double length = ksiLength3(along), headLength = fmin(HEAD_LENGTH * radius, 0.6 * length);
    double headRadius = headLength * HEAD_RADIUS / HEAD_LENGTH;
    for (int i = 0; i < 3; i++) {
        head[i] = unit[i] * headLength;
        shaft[i] = along[i] - head[i];
        shaftEnd[i] = from[i] + shaft[i];
    }
    addAlong(picture, KSI_MARK, KSI_FORM_SHAFT, from, shaft, fmin(radius, headRadius), colour);
    addAlong(picture, KSI_MARK, KSI_FORM_HEAD, shaftEnd, head, headRadius, colour);
    if (isCut) {
        for (int i = 0; i < 3; i++)
            shaftEnd[i] -= 1.2 * head[i];
        addAlong(picture, KSI_MARK, KSI_FORM_HEAD, shaftEnd, head, headRadius, colour);
    }
}

void ksiAddArc(ksiPicture *picture, const double centre[3], const double axis[3], const double side[3], double radius,
               double sweep, ksiColour colour)
{
    double unit[3], first[3], second[3], columns[3][3], at[3], head[3];
    if (!ksiNormalise3(axis, unit))
        return;
    // side, made perpendicular
    double part = ksiDot3(side, unit);
    for (int i = 0; i < 3; i++)
        first[i] = side[i] - part * unit[i];
    if (!ksiNormalise3(first, first))
        ksiAcross3(unit, first, second);
    ksiCross3(unit, first, second);
    for (int i = 0; i < 3; i++) {
        columns[0][i] = first[i] * radius;
        columns[1][i] = second[i] * radius;
        columns[2][i] = unit[i] * radius;
        at[i] = centre[i] + radius * (cos(sweep) * first[i] + sin(sweep) * second[i]);
        // the head's chord leans inwards, to stay on the ring
        head[i] = 0.4 * radius * (cos(sweep + 0.2) * second[i] - sin(sweep + 0.2) * first[i]);
    }
    ksiAddForm(picture, KSI_MARK, KSI_FORM_ARC, columns, centre, colour, sweep);
    addAlong(picture, KSI_MARK, KSI_FORM_HEAD, at, head, 0.17 * radius, colour);
}

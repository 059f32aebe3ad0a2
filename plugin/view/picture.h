/* picture.h  What a frame consists of, before it is drawn: solids, marks in front of them, writing. Knows neither the engine nor
 * OpenGL. */
#ifndef KSI_VIEW_PICTURE_H
#define KSI_VIEW_PICTURE_H

#include "vectors.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of unit size, about the origin: an edge of 2; a radius of 1; z from 0 to 1 with a radius of 1; the upper half of the ball; a ring
 * of radius 1 about z, from x towards y, as far as the item says; rod and cone with few sides, for arrows. */
typedef enum ksiForm {
    KSI_FORM_BOX,
    KSI_FORM_BALL,
    KSI_FORM_ROD,
    KSI_FORM_CONE,
    KSI_FORM_DOME,
    KSI_FORM_ARC,
    KSI_FORM_SHAFT,
    KSI_FORM_HEAD,
    KSI_FORMS
} ksiForm;

/* Solids are shaded and cast shadows; marks are in front of all solids. */
typedef enum ksiLayer { KSI_SOLID, KSI_MARK, KSI_LAYERS } ksiLayer;

typedef uint32_t ksiColour; /* 0xrrggbb */

/* A form, mapped: row i of (A | t), m, from the picture's origin. */
typedef struct ksiItem {
    float row[3][4];
    float colour[3];
    float sweep; /* rad, of an arc */
} ksiItem;

typedef struct ksiItems {
    ksiItem *item;
    size_t count, capacity;
} ksiItems;

/* A corner of a triangle of a mesh, always a solid. */
typedef struct ksiCorner {
    float place[3], normal[3], colour[3];
} ksiCorner;

typedef struct ksiCorners {
    ksiCorner *corner;
    size_t count, capacity;
} ksiCorners;

/* A corner of what is written or drawn flat: pixels from the upper left; a place in the font's picture, 0 .. 1. */
typedef struct ksiInk {
    float x, y, u, v;
    float colour[4];
} ksiInk;

typedef struct ksiInks {
    ksiInk *ink;
    size_t count, capacity;
} ksiInks;

typedef struct ksiPicture {
    double origin[3]; /* m: the numbers that are handed on are small about it */
    int width, height;
    ksiItems items[KSI_LAYERS][KSI_FORMS];
    ksiCorners mesh;
    ksiInks ink;
    bool isShort; /* of memory: something is missing */
} ksiPicture;

/* Empties the picture; its memory stays. All zero: an empty one. */
void ksiPictureBegin(ksiPicture *picture, const double origin[3], int width, int height);
void ksiPictureFree(ksiPicture *picture);

/* Adds a form: columns are the images of x, y, z; m, world. */
void ksiAddForm(ksiPicture *picture, ksiLayer layer, ksiForm form, const double columns[3][3], const double place[3],
                ksiColour colour, double sweep);
void ksiAddBall(ksiPicture *picture, ksiLayer layer, const double place[3], double radius, ksiColour colour);
void ksiAddRod(ksiPicture *picture, ksiLayer layer, const double from[3], const double to[3], double radius,
               ksiColour colour);

/* An arrow of a length that may be less than its head's; isCut: with a second head, for what is longer than it is drawn. */
void ksiAddArrow(ksiPicture *picture, const double from[3], const double along[3], double radius, ksiColour colour,
                 bool isCut);

/* An arrow round an axis, about which it turns by the right hand. side: where it begins, any vector across the axis. */
void ksiAddArc(ksiPicture *picture, const double centre[3], const double axis[3], const double side[3], double radius,
               double sweep, ksiColour colour);

void ksiAddTriangle(ksiPicture *picture, const double corner[3][3], ksiColour colour);

/* Flat: pixels; opacity 0 .. 1. */
void ksiAddRectangle(ksiPicture *picture, double x, double y, double width, double height, ksiColour colour,
                     double opacity);
void ksiAddStroke(ksiPicture *picture, double x0, double y0, double x1, double y1, double width, ksiColour colour);
/* printf's format, UTF-8; its upper left corner. Returns the x behind it. */
double ksiAddText(ksiPicture *picture, double x, double y, double scale, ksiColour colour, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

#endif

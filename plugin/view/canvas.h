/* canvas.h  Draws pictures by OpenGL 3.3 core, with shadows, into memory of its own. */
#ifndef KSI_VIEW_CANVAS_H
#define KSI_VIEW_CANVAS_H

#include "camera.h"
#include "picture.h"

/* What is drawn below everything. */
typedef struct ksiGround {
    double height; /* m, along the camera's upward axis */
    double cell;   /* m: width of the grid's cells */
    double radius; /* m: where it ends */
} ksiGround;

/* A frame; all places in m, world. */
typedef struct ksiStage {
    ksiCamera *camera;
    ksiGround ground;
    double centre[3], radius; /* of what casts shadows */
} ksiStage;

typedef struct ksiCanvas ksiCanvas;

/* In the current context. samples: of a pixel; 0: as many as the machine draws well, where somebody waits for the next frame (isLive) too.
 * NULL: why says so, of at most 256 bytes; "" for want of memory. */
ksiCanvas *ksiCanvasOpen(int samples, bool isLive, char why[256]);
void ksiCanvasClose(ksiCanvas *canvas); /* NULL is fine; in the same context */

/* In the same context. false: OpenGL has failed. */
bool ksiCanvasDraw(ksiCanvas *canvas, const ksiPicture *picture, const ksiStage *stage);

/* Copies the last frame to the window. */
void ksiCanvasShow(const ksiCanvas *canvas);

/* Copies the last frame, from above; three bytes a pixel. */
bool ksiCanvasRead(const ksiCanvas *canvas, unsigned char *rgb);

const char *ksiCanvasRenderer(const ksiCanvas *canvas);

#endif

/* meshes.h  The unit forms in triangles. */
#ifndef KSI_VIEW_MESHES_H
#define KSI_VIEW_MESHES_H

#include "picture.h"

/* place and normal; of the arc: share of the sweep, angle about the tube, 0. */
typedef struct ksiPoint {
    float place[3], normal[3];
} ksiPoint;

/* Corners of triangles as numbers of points. */
typedef struct ksiMesh {
    ksiPoint point[512];
    unsigned short corner[2048];
    int pointCount, cornerCount;
} ksiMesh;

void ksiMeshMake(ksiForm form, ksiMesh *mesh);

#endif

/* mesh.h  The surfaces of convex geoms and of triangle meshes, as triangles. */
#ifndef KSI_REPLAY_MESH_H
#define KSI_REPLAY_MESH_H

#include <ode/ode.h>
#include <stdbool.h>
#include <stddef.h>

/* Of a mesh; one with more is made coarser. */
enum { KSI_MOST_TRIANGLES = 2000 };

typedef struct ksiMesh {
    double number;     /* a whole one from 1 on: equal surfaces have the same one, whoever reads them */
    double size[3];    /* m, edges of the box about the geom's origin that contains it */
    double *corner;    /* m, [9 count]: of each triangle, in the geom's axes */
    size_t count;      /* triangles; 0: it is not shown */
    const void *a, *b; /* who it is: what its host has given to the engine */
    unsigned faces;
    bool isUsed, isTold;
} ksiMesh;

/* All zero: empty. */
typedef struct ksiMeshes {
    ksiMesh *mesh;
    size_t count, capacity, last;
    bool knowsConvex, isOpen;
} ksiMeshes;

/* A step begins: meshes that no geom has had in the last one are forgotten. Every so often all are to be told again. */
void ksiMeshesBegin(ksiMeshes *meshes, bool isAgain);

/* The surface of a geom, which is read when it is first met. Nothing is written into the geom and its data. NULL: it has none, or
 * it cannot be read. Valid until the next call. */
const ksiMesh *ksiMeshOf(ksiMeshes *meshes, dGeomID geom);

void ksiMeshesFree(ksiMeshes *meshes);

#endif

/* mesh.h  The surfaces of convex geoms and of triangle meshes, as triangles. */
#ifndef KSI_REPLAY_MESH_H
#define KSI_REPLAY_MESH_H

#include <ode/ode.h>
#include <stdbool.h>
#include <stddef.h>

/* Most triangles of a mesh; larger meshes are coarsened. */
enum { KSI_MOST_TRIANGLES = 2000 };

typedef struct ksiMesh {
    double number;     /* a whole number from 1 on; equal surfaces have equal numbers, whoever reads
                          them */
    double size[3];    /* m, edges of the box that contains the surface and whose centre is the
                          geom's origin */
    double *corner;    /* m, [9 count]: corners of the triangles, in the geom's axes */
    size_t count;      /* number of triangles; 0: the mesh is not shown */
    const void *a, *b; /* the host's data, which identify the mesh */
    unsigned faces;
    bool isUsed, isTold;
} ksiMesh;

/* If all bytes are zero, there are no meshes. */
typedef struct ksiMeshes {
    ksiMesh *mesh;
    size_t count, capacity, last;
    bool knowsConvex, isOpen;
} ksiMeshes;

/* Begins a step: forgets meshes that no geom had in the last step. isAgain: all meshes count as
 * new, so their triangles are recorded again. */
void ksiMeshesBegin(ksiMeshes *meshes, bool isAgain);

/* The surface of a geom, read at its first use, without writing to the geom and its data. NULL: the
 * geom has no surface, or it cannot be read. The result is valid until the next call. */
const ksiMesh *ksiMeshOf(ksiMeshes *meshes, dGeomID geom);

void ksiMeshesFree(ksiMeshes *meshes);

#endif

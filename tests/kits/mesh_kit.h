/* mesh_kit.h  Solids with known corners, surface and volume, as convex geoms and as triangle
 * meshes. */
#ifndef TESTS_KITS_MESH_KIT_H
#define TESTS_KITS_MESH_KIT_H

#include <ode/ode.h>

/* Corners at (+-1, +-1, +-1) with an even number of minus signs: edges of 2 sqrt(2). */
static inline dGeomID makeTetrahedron(dSpaceID space)
{
    static const dReal third = 0.57735026918962576451;
    static dReal plane[16];
    static const dReal point[] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    static const unsigned polygon[] = {3, 0, 1, 2, 3, 0, 3, 1, 3, 0, 2, 3, 3, 1, 3, 2};
    static const int opposite[] = {3, 2, 1, 0};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++)
            plane[4 * i + k] = -third * point[3 * opposite[i] + k];
        plane[4 * i + 3] = third;
    }
    return dCreateConvex(space, plane, 4, point, 4, polygon);
}

/* Corners at (+-1, +-1, +-1), faces of four. */
static inline dGeomID makeCube(dSpaceID space)
{
    static const dReal plane[] = {1, 0, 0, 1, -1, 0, 0, 1, 0, 1, 0, 1, 0, -1, 0, 1, 0, 0, 1, 1, 0, 0, -1, 1};
    // corner 4x + 2y + z
    static const dReal point[] = {-1, -1, -1, -1, -1, 1, -1, 1, -1, -1, 1, 1, 1, -1, -1, 1, -1, 1, 1, 1, -1, 1, 1, 1};
    static const unsigned polygon[] = {4, 4, 6, 7, 5, 4, 0, 1, 3, 2, 4, 2, 3, 7, 6,
                                       4, 0, 4, 5, 1, 4, 1, 5, 7, 3, 4, 0, 2, 6, 4};
    return dCreateConvex(space, plane, 6, point, 8, polygon);
}

enum { ICOSAHEDRON_CORNERS = 12, ICOSAHEDRON_FACES = 20 };

/* (0, +-1, +-g) and its cyclic permutations: edges of 2, g the golden ratio. In single
 * precision. */
static inline dTriMeshDataID icosahedronData(void)
{
    static const float g = 1.6180339887498949f;
    static float corner[ICOSAHEDRON_CORNERS][3];
    static const dTriIndex face[ICOSAHEDRON_FACES][3] = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                                         {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                                         {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                                         {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    static const float sign[4][2] = {{-1, 1}, {1, 1}, {-1, -1}, {1, -1}};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            float *at = corner[4 * axis + i];
            at[axis] = sign[i][0];
            at[(axis + 1) % 3] = g * sign[i][1];
            at[(axis + 2) % 3] = 0;
        }
    const dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data, corner, sizeof corner[0], ICOSAHEDRON_CORNERS, face, 3 * ICOSAHEDRON_FACES,
                                sizeof face[0]);
    return data;
}

/* A mesh with edges of 1 m, its centre or its first corner at the origin. Its corners stay in
 * `vertex`, in double precision. */
static inline dGeomID makeCubeMesh(int isCentred, double vertex[24])
{
    static dTriIndex corner[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                   1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    for (int i = 0; i < 8; i++) {
        vertex[3 * i] = (i % 4 == 1 || i % 4 == 2) - (isCentred ? 0.5 : 0);
        vertex[3 * i + 1] = (i % 4 >= 2) - (isCentred ? 0.5 : 0);
        vertex[3 * i + 2] = (i >= 4) - (isCentred ? 0.5 : 0);
    }
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertex, 3 * sizeof(double), 8, corner, 36, 3 * sizeof(dTriIndex));
    return dCreateTriMesh(NULL, data, NULL, NULL, NULL);
}

#endif

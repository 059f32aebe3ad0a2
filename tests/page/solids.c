/* solids.c  A program whose bodies are convex geoms and triangle meshes: two icosahedra with the
 * same data, a cube and a tetrahedron hang from each other above a fixed hill, a mesh with more
 * triangles than a page shows. It prints the final positions to the bit.
 *
 *     solids STEPS */
#include "tests/kits/mesh_kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SOLIDS = 4, SIDE = 60, POINTS = (SIDE + 1) * (SIDE + 1), FACES = 2 * SIDE * SIDE };

static dTriMeshDataID hillData(void)
{
    static float point[POINTS][3];
    static dTriIndex face[FACES][3];
    for (unsigned i = 0; i < POINTS; i++) {
        const float x = (float)(i % (SIDE + 1)) / SIDE - 0.5f, y = (float)(i / (SIDE + 1)) / SIDE - 0.5f;
        point[i][0] = 24 * x;
        point[i][1] = 24 * y;
        point[i][2] = 4 * expf(-12 * (x * x + y * y)) - 8;
    }
    for (unsigned i = 0; i < FACES; i++) {
        const unsigned at = i / 2 / SIDE * (SIDE + 1) + i / 2 % SIDE, above = at + SIDE + 1;
        face[i][0] = i % 2 ? at + 1 : at;
        face[i][1] = i % 2 ? above + 1 : at + 1;
        face[i][2] = above;
    }
    const dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data, point, sizeof point[0], POINTS, face, 3 * FACES, sizeof face[0]);
    return data;
}

int main(int count, char *argument[])
{
    const int steps = count > 1 ? atoi(argument[1]) : 200;
    dBodyID body[SOLIDS];
    dMass mass;
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(NULL);
    const dTriMeshDataID icosahedron = icosahedronData(), hill = hillData();
    const dGeomID geom[SOLIDS] = {dCreateTriMesh(space, icosahedron, NULL, NULL, NULL), makeCube(space),
                                  makeTetrahedron(space), dCreateTriMesh(space, icosahedron, NULL, NULL, NULL)};
    dCreateTriMesh(space, hill, NULL, NULL, NULL);
    dWorldSetGravity(world, 0, 0, -9.81);
    dMassSetSphereTotal(&mass, 1, 1);
    for (int i = 0; i < SOLIDS; i++) {
        body[i] = dBodyCreate(world);
        dBodySetMass(body[i], &mass);
        dBodySetPosition(body[i], 4 * i - 6, 0, 3);
        dGeomSetBody(geom[i], body[i]);
        dGeomSetOffsetPosition(geom[i], 0, 0, 0.25);
        const dJointID joint = dJointCreateBall(world, NULL);
        dJointAttach(joint, body[i], i > 0 ? body[i - 1] : NULL);
        dJointSetBallAnchor(joint, 4 * i - 8, 0, 3);
    }
    for (int i = 0; i < steps; i++)
        dWorldQuickStep(world, 0.005);
    for (int i = 0; i < SOLIDS; i++)
        printf("%a %a %a\n", dBodyGetPosition(body[i])[0], dBodyGetPosition(body[i])[1], dBodyGetPosition(body[i])[2]);
    dSpaceDestroy(space);
    dGeomTriMeshDataDestroy(icosahedron);
    dGeomTriMeshDataDestroy(hill);
    dWorldDestroy(world);
    dCloseODE();
    return 0;
}

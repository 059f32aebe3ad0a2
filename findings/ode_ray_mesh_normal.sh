#!/bin/sh
# The normal of a ray on an ODE mesh faces out of the mesh; on all other shapes it faces the ray.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  a ray that begins in a body reports the wall that it leaves by with a normal of one sense, whatever the shape.
# Behaviour: spheres, boxes, capsules, cylinders and convex geoms return the normal against the ray, on walls that it enters by and on
#            walls that it leaves by. A mesh returns the normal of the triangle, which is with the ray where it leaves. And if the
#            host asks for one contact, it gets that of any triangle: for a ray from 5 m below a cube of 1 m, the far wall, at 5.5 m.
# Output:    normal by ray, entering -1 and leaving -1, of sphere box capsule cylinder convex; mesh leaving 1; one contact of a mesh at 5.50
# Source:    ode/src/ray.cpp: normals are multiplied by nsign, or of a box by sign[n]; ode/src/collision_trimesh_ray.cpp: the cross product of
#            two edges.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >ray.c <<'END'
#include <ode/ode.h>
#include <stdio.h>

static dReal planes[] = {1, 0, 0, .5, -1, 0, 0, .5, 0, 1, 0, .5, 0, -1, 0, .5, 0, 0, 1, .5, 0, 0, -1, .5};
static dReal points[] = {.5, .5, .5, .5, .5, -.5, .5, -.5, .5, .5, -.5, -.5, -.5, .5, .5, -.5, .5, -.5, -.5, -.5, .5, -.5, -.5, -.5};
static unsigned faces[] = {4, 0, 2, 3, 1, 4, 4, 5, 7, 6, 4, 0, 1, 5, 4, 4, 2, 6, 7, 3, 4, 0, 4, 6, 2, 4, 1, 3, 7, 5};

int main(void)
{
    static double vertex[24];
    static dTriIndex corner[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    static const char *const name[] = {"sphere", "box", "capsule", "cylinder", "convex", "mesh"};
    dInitODE2(0);
    for (int i = 0; i < 8; i++) {
        vertex[3 * i] = (i % 4 == 1 || i % 4 == 2) - .5;
        vertex[3 * i + 1] = (i % 4 >= 2) - .5;
        vertex[3 * i + 2] = (i >= 4) - .5;
    }
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(data, vertex, 24, 8, corner, 36, 12);
    dGeomID geom[] = {dCreateSphere(0, .5),       dCreateBox(0, 1, 1, 1), dCreateCapsule(0, .5, 1),
                      dCreateCylinder(0, .5, 1),  dCreateConvex(0, planes, 6, points, 8, faces),
                      dCreateTriMesh(0, data, 0, 0, 0)};
    dGeomID ray = dCreateRay(0, 10);
    for (int k = 0; k < 6; k++) {
        dContactGeom contact[8];
        printf("%s", name[k]);
        for (int isInside = 0; isInside < 2; isInside++) {
            dGeomRaySet(ray, .1, .15, isInside ? 0 : -5, 0, 0, 1);
            const int count = dCollide(ray, geom[k], 8, contact, sizeof *contact);
            for (int i = 0; i < count; i++)
                printf(" %s at %.2f: %.0f", isInside ? "from inside" : "from below", contact[i].depth, contact[i].normal[2]);
        }
        dGeomRaySet(ray, .1, .15, -5, 0, 0, 1);
        if (dCollide(ray, geom[k], 1, contact, sizeof *contact))
            printf(" one at %.2f", contact[0].depth);
        printf("\n");
    }
    return 0;
}
END
gcc -O1 -I"$work/usr/include" ray.c -o ray "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./ray | tee out
awk '/^mesh/ { mesh = /from inside at 0.50: 1 / && /one at 5.50$/ && /from below at 5.50: 1/ && /from below at 4.50: -1/ } !/^mesh/ { others += /from below at [0-9.]*: -1/ && /from inside at [0-9.]*: -1 / }
    END { exit !(mesh && others == 5) }' out || { echo "changed: normals of rays"; exit 1; }
echo "as described"

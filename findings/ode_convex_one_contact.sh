#!/bin/sh
# An ODE convex on a box has one contact, which jumps along its rim; on a plane it has a contact for each corner.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  a prism that stands on its base gets several contacts on any ground, as a cylinder or a box does.
# Behaviour: with a convex and a box, dCollide returns one point, however many it has room for. So a prism of 16 sides at rest stands on
#            one point of its rim in each step, another one in the next, and the centre of pressure moves by up to its whole width. On
#            a plane it has its 16 corners, and a cylinder has 8 points on the same box.
# Output:    contacts: prism on plane 16, prism on box 1, cylinder on box 8; the point on the box moves over 0.58 m in a second
# Source:    ode/src/collision_libccd.cpp, one answer of the library's penetration query for each pair; Debian builds with libccd.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >stand.c <<'END'
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>

enum { SIDES = 16, ROOM = 32, STEPS = 200 };
static dWorldID world;
static dJointGroupID group;
static int contacts;
static double least, most; /* of the first contact's x */

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact contact[ROOM];
    (void)data;
    contacts = dCollide(a, b, ROOM, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < contacts; i++) {
        contact[i].surface.mode = dContactApprox1;
        contact[i].surface.mu = 1;
        dJointAttach(dJointCreateContact(world, group, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
    least = fmin(least, contact[0].geom.pos[0]);
    most = fmax(most, contact[0].geom.pos[0]);
}

static dGeomID prism(dSpaceID space, double radius, double half)
{
    static dReal plane[4 * (SIDES + 2)], point[2 * 3 * SIDES];
    static unsigned polygon[5 * SIDES + 2 * (SIDES + 1)];
    unsigned *next = polygon;
    for (int i = 0; i < 2 * SIDES; i++) {
        const double angle = 2 * M_PI * i / SIDES;
        const dReal at[3] = {radius * cos(angle), radius * sin(angle), i < SIDES ? -half : half};
        for (int k = 0; k < 3; k++)
            point[3 * i + k] = at[k];
    }
    for (unsigned i = 0; i < SIDES; i++) {
        const double angle = 2 * M_PI * (i + 0.5) / SIDES;
        const unsigned j = (i + 1) % SIDES, corner[5] = {4, i, j, j + SIDES, i + SIDES};
        plane[4 * i] = cos(angle);
        plane[4 * i + 1] = sin(angle);
        plane[4 * i + 3] = radius * cos(M_PI / SIDES);
        for (int k = 0; k < 5; k++)
            *next++ = corner[k];
    }
    for (int top = 0; top < 2; top++) {
        plane[4 * (SIDES + top) + 2] = top ? 1 : -1;
        plane[4 * (SIDES + top) + 3] = half;
        *next++ = SIDES;
        for (unsigned i = 0; i < SIDES; i++)
            *next++ = top ? SIDES + i : SIDES - 1 - i;
    }
    return dCreateConvex(space, plane, SIDES + 2, point, 2 * SIDES, polygon);
}

static void stand(const char *name, int isPrism, int onBox)
{
    const double radius = 0.3, half = 0.2, h = 5e-3;
    dMass mass;
    world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81);
    dSpaceID space = dSimpleSpaceCreate(0);
    group = dJointGroupCreate(0);
    if (onBox)
        dGeomSetPosition(dCreateBox(space, 5, 5, 1), 0, 0, -0.5);
    else
        dCreatePlane(space, 0, 0, 1, 0);
    dBodyID body = dBodyCreate(world);
    dMassSetCylinderTotal(&mass, 1, 3, radius, 2 * half);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, 0, 0, half - 1e-4);
    dGeomSetBody(isPrism ? prism(space, radius, half) : dCreateCylinder(space, radius, 2 * half), body);
    least = dInfinity;
    most = -dInfinity;
    for (int i = 0; i < STEPS; i++) {
        dSpaceCollide(space, NULL, touch);
        dWorldStep(world, h);
        dJointGroupEmpty(group);
    }
    printf("%s %d %.2f\n", name, contacts, most - least);
}

int main(void)
{
    dInitODE2(0);
    stand("prism-on-plane", 1, 0);
    stand("prism-on-box", 1, 1);
    stand("cylinder-on-box", 0, 1);
    return 0;
}
END
gcc -O1 -I"$work/usr/include" stand.c -o stand "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./stand | tee out
awk '/on-plane/ && $2 == 16 || /prism-on-box/ && $2 == 1 && $3 > 0.5 || /cylinder/ && $2 == 8 { n++ } END { exit n != 3 }' out ||
    { echo "changed: the prism has several contacts on a box"; exit 1; }
echo "as described"

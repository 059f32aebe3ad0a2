#!/bin/sh
# The slip of an ODE contact counts once for each contact point, so a flat box slides several times as slowly as its slip says.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  slip1 is a speed per force: a box pushed along by 3 N at a slip of 0.01 m/(N.s) slides at 0.03 m/s.
# Behaviour: each contact point has the slip for itself, and the points share the force. The box on its four corners slides at
#            0.0075 m/s, a ball on one point, which cannot roll, at 0.03 m/s. A wheel whose patch changes from two points to three
#            loses a third of its slip.
# Output:    box, 4 points: 0.0075 m/s; ball, 1 point: 0.0300 m/s
# Source:    ode/src/joints/contact.cpp: the slip becomes the CFM of the friction rows of each contact joint.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >slide.c <<'END'
#include <ode/ode.h>
#include <stdio.h>

static dWorldID world;
static dJointGroupID group;
static int points;

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact contact[8];
    (void)data;
    points = dCollide(a, b, 8, &contact[0].geom, sizeof *contact);
    for (int i = 0; i < points; i++) {
        contact[i].surface.mode = dContactApprox1 | dContactSlip1 | dContactSlip2;
        contact[i].surface.mu = 10;
        contact[i].surface.slip1 = contact[i].surface.slip2 = 0.01;
        dJointAttach(dJointCreateContact(world, group, &contact[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

int main(void)
{
    const double h = 5e-3;
    dInitODE2(0);
    for (int isBall = 0; isBall < 2; isBall++) {
        dMass mass;
        world = dWorldCreate();
        dWorldSetGravity(world, 0, 0, -9.81);
        dSpaceID space = dSimpleSpaceCreate(0);
        group = dJointGroupCreate(0);
        dCreatePlane(space, 0, 0, 1, 0);
        dBodyID body = dBodyCreate(world);
        dMassSetBoxTotal(&mass, 1, 1, 1, 0.2);
        dBodySetMass(body, &mass);
        dBodySetPosition(body, 0, 0, 0.1);
        dBodySetMaxAngularSpeed(body, isBall ? 0 : dInfinity);
        dGeomSetBody(isBall ? dCreateSphere(space, 0.1) : dCreateBox(space, 1, 1, 0.2), body);
        for (int i = 0; i < 400; i++) {
            dBodyAddForceAtPos(body, 3, 0, 0, dBodyGetPosition(body)[0], 0, 0);
            dSpaceCollide(space, NULL, touch);
            dWorldStep(world, h);
            dJointGroupEmpty(group);
        }
        printf("%d %.4f\n", points, dBodyGetLinearVel(body)[0]);
    }
    return 0;
}
END
gcc -O1 -I"$work/usr/include" slide.c -o slide "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./slide | tee out
awk '{ ok += $1 * $2 > 0.0299 && $1 * $2 < 0.0301; points += $1 } END { exit !(ok == 2 && points == 5) }' out ||
    { echo "changed: points do not divide the slip"; exit 1; }
echo "as described"

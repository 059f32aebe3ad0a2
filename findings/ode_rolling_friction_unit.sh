#!/bin/sh
# The rolling friction of an ODE contact is a torque, but with dContactApprox1 it is a length.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  a coefficient, so that balls of the same size and speed roll equally far whatever they weigh, as with Coulomb friction.
# Behaviour: with dContactRolling alone, rho is the greatest torque in N.m: a ball ten times as heavy loses speed at a tenth of the
#            rate. With dContactApprox1 beside it, rho is a length in m, and both lose speed alike, 9.8 times as fast as the light
#            one did. Nothing in contact.h gives rho a unit.
# Output:    rho 0.05, ball of 0.5 m radius, deceleration in m/s^2: 1 kg 0.0714, 10 kg 0.0071; with dContactApprox1 0.7007, 0.7007
# Source:    ode/src/joints/contact.cpp, the rolling rows of getInfo2; struct dSurfaceParameters in include/ode/contact.h.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >roll.c <<'END'
#include <ode/ode.h>
#include <stdio.h>

static dWorldID world;
static dJointGroupID group;
static int mode;

static void touch(void *data, dGeomID a, dGeomID b)
{
    dContact contact = {.surface = {.mode = dContactRolling | mode, .mu = mode ? 1 : 1e6, .rho = 0.05, .rho2 = 0.05}};
    (void)data;
    if (dCollide(a, b, 1, &contact.geom, sizeof contact))
        dJointAttach(dJointCreateContact(world, group, &contact), dGeomGetBody(a), dGeomGetBody(b));
}

int main(void)
{
    dInitODE2(0);
    for (int i = 0; i < 4; i++) {
        const double h = 1e-3, duration = 0.5, speed = 2, radius = 0.5;
        dMass mass;
        mode = i / 2 ? dContactApprox1 : 0;
        world = dWorldCreate();
        dWorldSetGravity(world, 0, 0, -9.81);
        dSpaceID space = dSimpleSpaceCreate(0);
        group = dJointGroupCreate(0);
        dCreatePlane(space, 0, 0, 1, 0);
        dMassSetSphereTotal(&mass, i % 2 ? 10 : 1, radius);
        dBodyID ball = dBodyCreate(world);
        dBodySetMass(ball, &mass);
        dBodySetPosition(ball, 0, 0, radius);
        dBodySetLinearVel(ball, speed, 0, 0);
        dBodySetAngularVel(ball, 0, speed / radius, 0);
        dGeomSetBody(dCreateSphere(space, radius), ball);
        for (int n = 0; n < (int)(duration / h); n++) {
            dSpaceCollide(space, NULL, touch);
            dWorldStep(world, h);
            dJointGroupEmpty(group);
        }
        printf("%.4f ", (speed - dBodyGetLinearVel(ball)[0]) / duration);
    }
    printf("\n");
    return 0;
}
END
gcc -O1 -I"$work/usr/include" roll.c -o roll "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./roll | tee out
# the first two by the mass, the others alike
awk '{ exit !($1 / $2 > 9.5 && $1 / $2 < 10.5 && $3 == $4 && $3 > 9 * $1) }' out || { echo "changed: rho has one unit"; exit 1; }
echo "as described"

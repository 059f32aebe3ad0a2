#!/bin/sh
# A free body gains angular momentum from ODE's gyroscopic torque.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  no torque acts on a free box, so its angular momentum is constant, even if the integrator damps its energy.
# Behaviour: with the gyroscopic mode, which is on by default, the momentum of a box with three different moments of inertia grows by
#            half while its energy falls by a third, until it turns about its axis of greatest inertia. Smaller steps take longer to
#            get there and end at the same momentum. With the mode off, angular velocity and energy are constant, and the momentum
#            turns in space.
# Output:    h 0.01: E 2.0758 -> 1.2944 J, |L| 0.3195 -> 0.4849 N.m.s in 10 s;  h 0.001: E -> 1.3391 J, |L| -> 0.4799 N.m.s
#            mode off: E and |L| as before, the part of L along y 0.008 -> 0.123 N.m.s
# Source:    ode/src/step.cpp and ode/src/quickstep.cpp, where the torque of the mode is added (an implicit step after C. Lacoursiere,
#            Stabilizing Gyroscopic Forces in Rigid Multibody Simulations); dBodySetGyroscopicMode in objects.h.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >top.c <<'END'
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>
#include <stdlib.h>

static void print(dBodyID body, const dMass *mass)
{
    const dReal *w = dBodyGetAngularVel(body), *R = dBodyGetRotation(body);
    double momentum[3] = {0}, energy = 0;
    for (int c = 0; c < 3; c++) {
        double inertia = mass->I[5 * c], rate = R[c] * w[0] + R[4 + c] * w[1] + R[8 + c] * w[2];
        energy += 0.5 * inertia * rate * rate;
        for (int r = 0; r < 3; r++)
            momentum[r] += R[4 * r + c] * inertia * rate;
    }
    // y and size
    printf(" %.4f %.3f %.4f", energy, momentum[1],
           sqrt(momentum[0] * momentum[0] + momentum[1] * momentum[1] + momentum[2] * momentum[2]));
}

int main(int argc, char **argv)
{
    const double h = atof(argv[1]);
    const int mode = atoi(argv[2]);
    dMass mass;
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dMassSetBoxTotal(&mass, 1, 0.1, 0.3, 1);
    dBodySetMass(body, &mass);
    dBodySetGyroscopicMode(body, mode);
    dBodySetAngularVel(body, 3, 0.1, 20);
    print(body, &mass);
    for (int i = 0; i < (int)(10 / h + 0.5); i++)
        dWorldQuickStep(world, h);
    print(body, &mass);
    printf("\n");
    return 0;
}
END
gcc -O1 -I"$work/usr/include" top.c -o top "$lib/libode.so.8" -Wl,-rpath,"$lib" -Wl,-rpath-link,"$lib" -lm
export LD_LIBRARY_PATH="$lib"
for step in 0.01 0.001; do
    ./top $step 1 | tee out
    # energy, momentum along y and its size, before and after
    awk '{ exit !($4 < 0.7 * $1 && $6 > 1.45 * $3) }' out || { echo "changed: the momentum no longer grows by half"; exit 1; }
done
./top 0.01 0 | tee out
awk '{ exit !($4 == $1 && $6 == $3 && ($5 > 2 * $2 || $5 < 0)) }' out || { echo "changed: without the mode the momentum is constant"; exit 1; }
echo "as described"

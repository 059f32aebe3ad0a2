#!/bin/sh
# The feedback of an ODE joint lacks the force of a motor that drives its axis into a stop.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  the feedback is the force of the joint on the body, "so that it is known how much force an individual joint exerts"
#            (<ode/objects.h>). A slider that holds 10 kg at rest exerts 98.1 N in any position.
# Behaviour: if a motor of 500 N holds the load between the stops, the feedback is 98.1 N. If the motor presses the load against the upper
#            stop, the feedback is -401.9 N. This is the force of the stop, without the 500 N of the motor. The sign is wrong, and the sum
#            of forces on the resting load is not 0.
# Output:    between the stops 98.1 N, at the stop -401.9 N, at rest in both cases; with a motor of 1000 N at the stop -901.9 N
# Source:    ode/src/joints/joint.cpp: if the axis is at its stop, dxJointLimitMotor::addLimot applies the motor's force by dBodyAddForce or
#            dBodyAddTorque. The row in the solution contains only the stop.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >ram.c <<'END'
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>

int main(void)
{
    static const double motor[] = {500, 500, 1000}, speed[] = {0, 1, 1};
    dInitODE2(0);
    for (int i = 0; i < 3; i++) {
        dJointFeedback report;
        dMass mass;
        dWorldID world = dWorldCreate();
        dWorldSetGravity(world, 0, 0, -9.81);
        dBodyID load = dBodyCreate(world);
        dMassSetBoxTotal(&mass, 10, 1, 1, 1);
        dBodySetMass(load, &mass);
        dJointID ram = dJointCreateSlider(world, 0);
        dJointAttach(ram, load, 0);
        dJointSetSliderAxis(ram, 0, 0, 1);
        dJointSetSliderParam(ram, dParamLoStop, -1);
        dJointSetSliderParam(ram, dParamHiStop, 0.5);
        dJointSetSliderParam(ram, dParamVel, speed[i]);
        dJointSetSliderParam(ram, dParamFMax, motor[i]);
        dJointSetFeedback(ram, &report);
        for (int n = 0; n < 300; n++)
            dWorldStep(world, 0.01);
        printf("motor of %.0f N, at %.2f m, %.3f m/s: %.1f N\n", motor[i], fabs(dBodyGetPosition(load)[2]), fabs(dBodyGetLinearVel(load)[2]),
               report.f1[2]);
    }
    return 0;
}
END
gcc -O1 -I"$work/usr/include" ram.c -o ram "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./ram 2>/dev/null | tee out
printf '%s\n' 'motor of 500 N, at 0.00 m, 0.000 m/s: 98.1 N' 'motor of 500 N, at 0.50 m, 0.000 m/s: -401.9 N' \
    'motor of 1000 N, at 0.50 m, 0.000 m/s: -901.9 N' | cmp - out || { echo "changed: the feedback of a motor at its stop"; exit 1; }
echo "as described"

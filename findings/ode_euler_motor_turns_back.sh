#!/bin/sh
# An ODE motor in Euler mode that turns its second angle to 90 degrees shakes there for ever, and its reported angle jumps by half a turn.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  a free body whose motor drives the second angle at 1 rad/s turns on at 1 rad/s; only the three angles become ambiguous at 90 degrees.
# Behaviour: beyond 90 degrees the second axis points the other way, so the motor drives the body back at full speed, then forth again: its angular
#            velocity changes its sign in every step, with the impulse of twice the speed, and the body stays at 90 degrees. The reported first angle
#            jumps between 0 and 180 degrees.
# Output:    after 1 s: rate +1.000 +1.000; after 2 s: rate +1.000 -1.000, body turned by 1.58 rad, angle 1 0.00 3.14 rad
# Source:    ode/src/joints/amotor.cpp: computeGlobalAxes computes axis 1 as the cross product of axes 2 and 0, which turns round there; the manual of ODE
#            warns of the singularity of the angles, not of the motor.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >turn.c <<'EOF'
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>

int main(void)
{
    const double h = 0.01;
    double rate[2] = {0, 0}, angle[2] = {0, 0};
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    dBodyID body = dBodyCreate(world);
    dJointID motor = dJointCreateAMotor(world, 0);
    dJointAttach(motor, body, 0);
    dJointSetAMotorMode(motor, dAMotorEuler);
    dJointSetAMotorAxis(motor, 0, 1, 1, 0, 0);
    dJointSetAMotorAxis(motor, 2, 2, 0, 0, 1);
    dJointSetAMotorParam(motor, dParamFMax2, 1000);
    dJointSetAMotorParam(motor, dParamVel2, 1);
    for (int i = 1; i <= 200; i++) {
        dWorldStep(world, h);
        rate[i % 2] = dBodyGetAngularVel(body)[1];
        angle[i % 2] = fabs(dJointGetAMotorAngle(motor, 0));
        if (i == 100)
            printf("after 1 s: rate %+.3f %+.3f; ", rate[0], rate[1]);
    }
    const dReal *R = dBodyGetRotation(body);
    printf("after 2 s: rate %+.3f %+.3f, body turned by %.2f rad, angle 1 %.2f %.2f rad\n", fmax(rate[0], rate[1]),
           fmin(rate[0], rate[1]), atan2(R[2], R[0]), fmin(angle[0], angle[1]), fmax(angle[0], angle[1]));
    return 0;
}
EOF
gcc -O1 -I"$work/usr/include" turn.c -o turn "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./turn 2>/dev/null | tee out
grep -qx 'after 1 s: rate +1.000 +1.000; after 2 s: rate +1.000 -1.000, body turned by 1.58 rad, angle 1 0.00 3.14 rad' out ||
    { echo "changed: the motor turns on"; exit 1; }
echo "as described"

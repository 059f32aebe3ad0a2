#!/bin/sh
# Of an ODE universal joint to the world as its first body, angle 2 falls while the getter of its rate is positive.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  dJointGetUniversalAngle2Rate is the derivative of dJointGetUniversalAngle2, however the joint is attached.
# Behaviour: attached (b,0) it is. Attached (0,b) it is minus the derivative of angle 2, while the rate of angle 1 stays right. A
#            servo that uses angle and rate has positive feedback of the rate.
# Output:    (b,0): angle 2 changes by 0.500 rad/s, its rate is 0.500; (0,b): angle 2 changes by -0.500 rad/s, its rate is 0.500
# Source:    ode/src/joints/universal.cpp: for dJOINT_REVERSE dJointGetUniversalAngle2 is minus getAngle1, and the rate is that of the other axis without
#            the change of sign that goes with it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >rate.c <<'END'
#include <ode/ode.h>
#include <stdio.h>

int main(void)
{
    const double h = 1e-3;
    dInitODE2(0);
    for (int isReversed = 0; isReversed < 2; isReversed++)
        for (int axis = 1; axis <= 2; axis++) {
            dWorldID world = dWorldCreate();
            dBodyID body = dBodyCreate(world);
            dJointID joint = dJointCreateUniversal(world, 0);
            dJointAttach(joint, isReversed ? 0 : body, isReversed ? body : 0);
            dJointSetUniversalAnchor(joint, 0, 0, 0);
            dJointSetUniversalAxis1(joint, 0, 0, 1);
            dJointSetUniversalAxis2(joint, 0, 1, 0);
            dBodySetAngularVel(body, 0, axis == 2 ? 0.5 : 0, axis == 1 ? 0.5 : 0);
            for (int i = 0; i < 100; i++)
                dWorldStep(world, h);
            const double angle = axis == 1 ? dJointGetUniversalAngle1(joint) : dJointGetUniversalAngle2(joint);
            const double rate = axis == 1 ? dJointGetUniversalAngle1Rate(joint) : dJointGetUniversalAngle2Rate(joint);
            printf("%s: angle %d changes by %.3f rad/s, its rate is %.3f\n", isReversed ? "(0,b)" : "(b,0)", axis, angle / (100 * h), rate);
        }
    return 0;
}
END
gcc -O1 -I"$work/usr/include" rate.c -o rate "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./rate 2>/dev/null | tee out
awk '{ same = $6 * $11 > 0 } /0,b.: angle 2/ { same = !same } { good += same } END { exit good != 4 }' out || { echo "changed: the sign of a rate"; exit 1; }
echo "as described"

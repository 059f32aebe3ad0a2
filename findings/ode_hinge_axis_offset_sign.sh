#!/bin/sh
# dJointSetHingeAxisOffset sets the opposite of the angle that its documentation promises.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  as <ode/objects.h> says: after an offset of 0.23, "if you request the position you will have: dJointGetHingeAngle(jId) == 0.23".
# Behaviour: the angle is -0.23, for a hinge to the world attached either way, and between two bodies.
#            dJointSetUniversalAxis1Offset between two bodies keeps to its promise.
# Output:    hinge (b,0) -0.23, (0,b) -0.23, (a,b) -0.23; universal (a,b) 0.23
# Source:    ode/src/joints/hinge.cpp: dJointSetHingeAxisOffset turns the initial rotation by the angle itself; of joints (0,b) it first
#            changes the sign.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >offset.c <<'END'
#include <ode/ode.h>
#include <stdio.h>

int main(void)
{
    static const char *const name[] = {"(b,0)", "(0,b)", "(a,b)"};
    double angle[4];
    dInitODE2(0);
    dWorldID world = dWorldCreate();
    for (int i = 0; i < 4; i++) {
        dBodyID a = dBodyCreate(world), b = dBodyCreate(world);
        if (i < 3) {
            dJointID hinge = dJointCreateHinge(world, 0);
            dJointAttach(hinge, i == 1 ? 0 : b, i == 0 ? 0 : i == 1 ? b : a);
            dJointSetHingeAnchor(hinge, 0, 0, 0);
            dJointSetHingeAxis(hinge, 0, 0, 1);
            dJointSetHingeAxisOffset(hinge, 0, 0, 1, 0.23);
            angle[i] = dJointGetHingeAngle(hinge);
        } else {
            dJointID universal = dJointCreateUniversal(world, 0);
            dJointAttach(universal, a, b);
            dJointSetUniversalAnchor(universal, 0, 0, 0);
            dJointSetUniversalAxis1(universal, 0, 0, 1);
            dJointSetUniversalAxis2(universal, 0, 1, 0);
            dJointSetUniversalAxis1Offset(universal, 0, 0, 1, 0.23, 0);
            angle[i] = dJointGetUniversalAngle1(universal);
        }
    }
    printf("hinge");
    for (int i = 0; i < 3; i++)
        printf("%s %s %.2f", i ? "," : "", name[i], angle[i]);
    printf("; universal (a,b) %.2f\n", angle[3]);
    return 0;
}
END
gcc -O1 -I"$work/usr/include" offset.c -o offset "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./offset 2>/dev/null | tee out
grep -qx 'hinge (b,0) -0.23, (0,b) -0.23, (a,b) -0.23; universal (a,b) 0.23' out || { echo "changed: the sign of an offset"; exit 1; }
echo "as described"

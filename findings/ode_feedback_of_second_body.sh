#!/bin/sh
# For an ODE joint that is attached as (0,b), the force on body 2 is in f1, and ODE never writes f2.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  according to <ode/common.h>, f1 and t1 are "applied to body 1", and f2 and t2 "applied to body 2". After
#            dJointAttach(joint, 0, b), dJointGetBody(joint, 1) is b. So the force on b is in f2.
# Behaviour: the force on b is in f1, and its torque in t1, as if b were the first body. For both attachments, f2 and t2 keep their old
#            contents. A host that reads f2 for the second body, or adds f1 and f2, gets a number that no step has computed.
# Output:    for 10 kg on a ball joint, with both forces set to -1 N before the step: (b,0) f1 98.1 N, f2 -1.0; (0,b) f1 98.1 N, f2 -1.0
# Source:    ode/src/ode.cpp: dJointAttach puts the only body first and sets dJOINT_REVERSE, which dJointGetBody undoes; ode/src/step.cpp
#            and quickstep.cpp fill f1 from the rows of the first node, and f2 only if the second node has a body.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >feedback.c <<'END'
#include <ode/ode.h>
#include <stdio.h>

int main(void)
{
    dInitODE2(0);
    for (int i = 0; i < 4; i++) {
        const int isSecond = i % 2, isQuick = i / 2;
        dJointFeedback report = {{0, 0, -1}, {0}, {0, 0, -1}, {0}};
        dMass mass;
        dWorldID world = dWorldCreate();
        dWorldSetGravity(world, 0, 0, -9.81);
        dBodyID body = dBodyCreate(world);
        dMassSetBoxTotal(&mass, 10, 1, 1, 1);
        dBodySetMass(body, &mass);
        dJointID joint = dJointCreateBall(world, 0);
        dJointAttach(joint, isSecond ? 0 : body, isSecond ? body : 0);
        dJointSetBallAnchor(joint, 0, 0, 1);
        dJointSetFeedback(joint, &report);
        if (isQuick)
            dWorldQuickStep(world, 0.01);
        else
            dWorldStep(world, 0.01);
        printf("%s, body %d is the body: f1 %.1f N, f2 %.1f\n", isSecond ? "(0,b)" : "(b,0)", dJointGetBody(joint, 1) == body ? 2 : 1, report.f1[2],
               report.f2[2]);
    }
    return 0;
}
END
gcc -O1 -I"$work/usr/include" feedback.c -o feedback "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./feedback 2>/dev/null | tee out
{ [ "$(grep -cx '(b,0), body 1 is the body: f1 98.1 N, f2 -1.0' out)" = 2 ] && [ "$(grep -cx '(0,b), body 2 is the body: f1 98.1 N, f2 -1.0' out)" = 2 ]; } || {
    echo "changed: the feedback of the second body"
    exit 1
}
echo "as described"

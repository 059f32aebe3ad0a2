#!/bin/sh
# The impulse of a Chipmunk damped rotary spring adds the damping that the engine subtracts.
#
# Package:   libchipmunk-dev, libchipmunk7 7.0.3-5 (Debian 12)
# Expected:  cpConstraintGetImpulse is the impulse that the constraint has applied in the last step: over the step, the torque that the change
#            of angular momentum shows, as of all other constraints.
# Behaviour: the spring's torque and its damping have opposite signs where they are applied, and are added up. Where they are
#            equal, nothing turns the wheel, and twice the spring's torque is reported.
# Output:    gear: reported 90.00 N.m, by momentum 90.00 N.m (the step in which they differ most)
#            rotary spring: reported 3.35 N.m, by momentum 0.04 N.m
# Source:    src/cpDampedRotarySpring.c: preStep has a->w -= j_spring * a->i_inv with jAcc = j_spring, applyImpulse a->w += j_damp * a->i_inv
#            with jAcc += j_damp.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libchipmunk-dev=7.0.3-5 libchipmunk7=7.0.3-5
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libchipmunk.so.7' | head -n 1)")

cat >spring.c <<'END'
#include <chipmunk/chipmunk.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    const double h = 1.0 / 60, inertia = 0.5;
    for (int isSpring = 0; isSpring < 2; isSpring++) {
        cpSpace *space = cpSpaceNew();
        cpBody *ground = cpSpaceGetStaticBody(space), *wheel = cpSpaceAddBody(space, cpBodyNew(2, inertia));
        cpConstraint *made = cpSpaceAddConstraint(
            space, isSpring ? cpDampedRotarySpringNew(ground, wheel, 0.5, 10, 1) : cpGearJointNew(ground, wheel, 0.5, 1));
        double worst = -1, told = 0, right = 0;
        for (int step = 0; step < 200; step++) {
            const double before = cpBodyGetAngularVelocity(wheel);
            cpSpaceStep(space, h);
            const double impulse = inertia * (cpBodyGetAngularVelocity(wheel) - before), own = cpConstraintGetImpulse(made);
            if (fabs(fabs(impulse) - fabs(own)) > worst) {
                worst = fabs(fabs(impulse) - fabs(own));
                told = fabs(own) / h;
                right = fabs(impulse) / h;
            }
        }
        printf("%s: reported %.2f N.m, by momentum %.2f N.m\n", isSpring ? "rotary spring" : "gear", told, right);
    }
    return 0;
}
END
gcc -O1 -I"$work/usr/include" spring.c -o spring "$lib/libchipmunk.so.7" -lm
LD_LIBRARY_PATH="$lib" ./spring 2>/dev/null | tee out
awk -F '[:, ]+' '/gear/ { same = $3 == $7 } /spring/ { differs = $4 - $8 > 0.5 || $8 - $4 > 0.5 } END { exit !(same && differs) }' out ||
    { echo "changed: the impulse of a rotary spring"; exit 1; }
echo "as described"

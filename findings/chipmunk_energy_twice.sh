#!/bin/sh
# Chipmunk returns twice the kinetic energy of a body, and twice the energy that a collision takes.
#
# Package:   libchipmunk-dev, libchipmunk7 7.0.3-5 (Debian 12)
# Expected:  cpBodyKineticEnergy is m v^2 / 2 + I w^2 / 2, "the amount of kinetic energy contained by the body"; cpArbiterTotalKE is "the amount of
#            energy lost in a collision", in which a ball of 2 kg that stops from 5 m/s loses 25 J.
# Behaviour: both leave out the factor 1/2. So they fit each other, and neither fits the work of a constraint's impulse, or weight times height.
# Output:    body: 62 J, m v^2 / 2 + I w^2 / 2 = 31 J
#            collision, elasticity 0.0: 50.00 J, by velocities 25.00 J
#            collision, elasticity 0.5: 37.50 J, by velocities 18.75 J
# Source:    src/cpBody.c: cpBodyKineticEnergy returns vsq*body->m + wsq*body->i; src/cpArbiter.c: cpArbiterTotalKE adds
#            eCoef*jnAcc*jnAcc/con->nMass + jtAcc*jtAcc/con->tMass, where nMass and tMass are effective masses.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libchipmunk-dev=7.0.3-5 libchipmunk7=7.0.3-5
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libchipmunk.so.7' | head -n 1)")

cat >energy.c <<'END'
#include <chipmunk/chipmunk.h>
#include <stdio.h>

static double told;

static void hit(cpArbiter *arbiter, cpSpace *space, cpDataPointer data)
{
    (void)space, (void)data;
    if (cpArbiterIsFirstContact(arbiter))
        told = cpArbiterTotalKE(arbiter);
}

int main(void)
{
    cpBody *body = cpBodyNew(2, 3);
    cpBodySetVelocity(body, cpv(3, 4));
    cpBodySetAngularVelocity(body, 2);
    printf("body: %g J, m v^2 / 2 + I w^2 / 2 = %g J\n", cpBodyKineticEnergy(body), 2 * 25 / 2. + 3 * 4 / 2.);
    for (int i = 0; i < 2; i++) {
        const double mass = 2;
        cpSpace *space = cpSpaceNew();
        cpBody *ball = cpSpaceAddBody(space, cpBodyNew(mass, 1));
        cpShape *shape[2] = {cpSpaceAddShape(space, cpCircleShapeNew(ball, 0.5, cpvzero)),
                             cpSpaceAddShape(space, cpSegmentShapeNew(cpSpaceGetStaticBody(space), cpv(-9, 0), cpv(9, 0), 0))};
        cpShapeSetElasticity(shape[0], i * 0.5);
        cpShapeSetElasticity(shape[1], 1);
        cpBodySetPosition(ball, cpv(0, 1));
        cpBodySetVelocity(ball, cpv(0, -5));
        cpSpaceAddDefaultCollisionHandler(space)->postSolveFunc = hit;
        for (told = 0; told == 0;) {
            const double before = cpvlengthsq(cpBodyGetVelocity(ball));
            cpSpaceStep(space, 0.01);
            if (told != 0)
                printf("collision, elasticity %.1f: %.2f J, by velocities %.2f J\n", i * 0.5, told,
                       mass / 2 * (before - cpvlengthsq(cpBodyGetVelocity(ball))));
        }
    }
    return 0;
}
END
gcc -O1 -I"$work/usr/include" energy.c -o energy "$lib/libchipmunk.so.7" -lm
LD_LIBRARY_PATH="$lib" ./energy | grep ' J' | tee out
printf '%s\n' 'body: 62 J, m v^2 / 2 + I w^2 / 2 = 31 J' 'collision, elasticity 0.0: 50.00 J, by velocities 25.00 J' \
    'collision, elasticity 0.5: 37.50 J, by velocities 18.75 J' | cmp -s - out || { echo "changed: energies"; exit 1; }
echo "as described"

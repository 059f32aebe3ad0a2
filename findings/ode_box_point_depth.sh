#!/bin/sh
# The depth of a point in an ODE box jumps where the point leaves the box: from 0 to minus the length of the box.
#
# Package:   libode-dev, libode8 2:0.16.2-1, libccd2 2.1-2+b1 (Debian 12)
# Expected:  dGeomBoxPointDepth is minus the distance outside, and 0 on the surface: "points outside it will have a negative depth, and points on
#            the surface will have a depth of zero". So are those of spheres, capsules and planes.
# Behaviour: outside, it is minus the distance to the farthest of the box's six planes. A point 1 mm outside a cube of 1 m has the depth -1.001.
#            Of a beam of 1 x 1 x 4 m, a point 1 mm beside it, at half its length, has the depth -2. So a search for the nearest point, or a
#            threshold for "close to the box", sees no box until it is inside.
# Output:    1 mm outside: sphere -0.001, capsule -0.001, plane -0.001, cube -1.001, beam -2.000; 1 mm inside: all 0.001
# Source:    ode/src/box.cpp: dGeomBoxPointDepth returns -largest_dist, the largest of six distances, "an approximation".
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

cat >depth.c <<'END'
#include <ode/ode.h>
#include <stdio.h>

int main(void)
{
    dInitODE2(0);
    dGeomID sphere = dCreateSphere(0, 0.5), capsule = dCreateCapsule(0, 0.5, 1), plane = dCreatePlane(0, 1, 0, 0, 0.5),
            cube = dCreateBox(0, 1, 1, 1), beam = dCreateBox(0, 1, 1, 4);
    for (int isInside = 0; isInside < 2; isInside++) {
        const double x = isInside ? 0.499 : 0.501;
        printf("1 mm %s: sphere %.3f, capsule %.3f, plane %.3f, cube %.3f, beam %.3f\n", isInside ? "inside" : "outside",
               dGeomSpherePointDepth(sphere, x, 0, 0), dGeomCapsulePointDepth(capsule, x, 0, 0),
               dGeomPlanePointDepth(plane, x, 0, 0), dGeomBoxPointDepth(cube, x, 0, 0), dGeomBoxPointDepth(beam, x, 0, 0));
    }
    return 0;
}
END
gcc -O1 -I"$work/usr/include" depth.c -o depth "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
LD_LIBRARY_PATH="$lib" ./depth | tee out
printf '%s\n' '1 mm outside: sphere -0.001, capsule -0.001, plane -0.001, cube -1.001, beam -2.000' \
    '1 mm inside: sphere 0.001, capsule 0.001, plane 0.001, cube 0.001, beam 0.001' | cmp -s - out || { echo "changed: depths of points"; exit 1; }
echo "as described"

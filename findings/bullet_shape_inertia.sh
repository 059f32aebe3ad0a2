#!/bin/sh
# Bullet gives a cone, capsule, convex hull or compound the inertia of a box: up to 4.8 times too large, or 2.4 times too small.
#
# Package:   libbullet-dev, libbullet3.24 3.24+dfsg-2 (Debian 12)
# Expected:  calculateLocalInertia gives the moments of the homogeneous solid, as it does for spheres, boxes and cylinders.
# Behaviour: other shapes get the moments of a box around them, its margin of 0.04 m included; a compound gets those of one solid box
#            around all of its parts. Inertial torques in the joints of such bodies are off by as much, without a warning.
# Output:    ratio to the solid, across and along the axis: cylinder 1.00 1.00, capsule 1.12 1.37, cone 4.77 4.36, regular
#            tetrahedron as a hull 2.09 2.09, dumbbell of two spheres as a compound 0.41 (across)
# Source:    calculateLocalInertia in src/BulletCollision/CollisionShapes of Bullet: btCapsuleShape, btConeShape,
#            btPolyhedralConvexShape, btCompoundShape.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libbullet-dev=3.24+dfsg-2 libbullet3.24=3.24+dfsg-2
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libBulletCollision.so.3.24' | head -n 1)")

cat >inertia.cpp <<'END'
#include <btBulletCollisionCommon.h>
#include <cmath>
#include <cstdio>

static void compare(const char *name, const btCollisionShape &shape, double across, double along)
{
    btVector3 inertia;
    shape.calculateLocalInertia(1, inertia);
    std::printf("%s %.2f %.2f\n", name, inertia[1] / across, inertia[2] / along);
}

int main()
{
    const double r = 0.1, l = 1, tube = l / (l + 4. / 3 * r), ends = 1 - tube; // shares of the capsule's mass
    const double across = tube * (r * r / 4 + l * l / 12) + ends * (2. / 5 * r * r + l * l / 4 + 3. / 8 * l * r);
    compare("cylinder", btCylinderShapeZ(btVector3(0.3, 0.3, 0.2)), 0.09 / 4 + 0.16 / 12, 0.045);
    compare("capsule", btCapsuleShapeZ(r, l), across, tube * r * r / 2 + ends * 2. / 5 * r * r);
    compare("cone", btConeShapeZ(0.3, 0.4), 3. / 80 * 0.16 + 3. / 20 * 0.09, 0.3 * 0.09);
    btConvexHullShape hull; // edges of 2 sqrt(2): m a^2 / 20
    for (int i = 0; i < 4; i++)
        hull.addPoint(btVector3(i & 1 ? -1 : 1, i & 2 ? -1 : 1, (i & 1) != i >> 1 ? -1 : 1));
    compare("tetrahedron", hull, 0.4, 0.4);
    btSphereShape ball(0.1); // half of the mass at 1 m on either side
    btCompoundShape dumbbell;
    for (int side = -1; side <= 1; side += 2)
        dumbbell.addChildShape(btTransform(btQuaternion::getIdentity(), btVector3(side, 0, 0)), &ball);
    compare("dumbbell", dumbbell, 1.004, 1.004);
}
END
g++ -O1 -w -I"$work/usr/include/bullet" inertia.cpp -o inertia "$lib/libBulletCollision.so.3.24" "$lib/libLinearMath.so.3.24" \
    -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH="$lib" ./inertia | tee out
awk '/cyl/ && $2 == 1 && $3 == 1 || /cap/ && $3 > 1.3 || /cone/ && $2 > 4 || /tet/ && $2 > 2 || /dumb/ && $2 < 0.45 { n++ } END { exit n != 5 }' out ||
    { echo "changed: the moments are no longer those of boxes"; exit 1; }
echo "as described"

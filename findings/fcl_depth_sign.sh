#!/bin/sh
# The sign of FCL's penetration depth depends on its solver, and one solver gives a lying capsule a normal along its own axis.
#
# Package:   libfcl-dev, libfcl0.7 0.7.0-3+b1, libeigen3-dev 3.4.0-4, libccd-dev, libccd2 2.1-2+b1, liboctomap-dev, liboctomap1.9
#            1.9.7+dfsg-3+b1 (Debian 12)
# Expected:  Contact::penetration_depth is positive for shapes that overlap, and the normal is the shortest way out.
# Behaviour: a box or a sphere on a box has a positive depth with either solver. The depth of other pairs
#            is positive with GST_LIBCCD and negative with GST_INDEP. So a host that takes a negative depth
#            for a gap drops the cylinder's contact and keeps the box's. A capsule that lies 1 mm deep on a box gets, with
#            GST_INDEP, a normal along its own axis.
# Output:    depth of 1 mm, normal on the box: box and sphere 0.0010 (0 0 -1) twice; cylinder 0.0010, -0.0010 (0 0 -1); capsule 0.0010 (0 0 -1),
#            -0.0010 (1 0 0)
# Source:    the program's output; fcl/narrowphase/contact.h.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libfcl-dev=0.7.0-3+b1 libfcl0.7=0.7.0-3+b1 libeigen3-dev=3.4.0-4 libccd-dev=2.1-2+b1 libccd2=2.1-2+b1 \
    liboctomap-dev=1.9.7+dfsg-3+b1 liboctomap1.9=1.9.7+dfsg-3+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libfcl.so.0.7' | head -n 1)")

cat >depth.cpp <<'END'
#include <cstdio>
#include <fcl/fcl.h>
#include <memory>

typedef std::shared_ptr<fcl::CollisionGeometryd> Shape;

/* A shape whose lowest points are 1 mm below the top of a large box. */
static void lay(const char *name, Shape shape, double half, bool lies)
{
    fcl::Transform3d pose = fcl::Transform3d::Identity(), below = pose;
    if (lies)
        pose.linear() = Eigen::AngleAxisd(M_PI / 2, fcl::Vector3d::UnitY()).toRotationMatrix();
    pose.translation() = fcl::Vector3d(0, 0, half - 1e-3);
    below.translation() = fcl::Vector3d(0, 0, -0.5);
    fcl::CollisionObjectd body(shape, pose), ground(Shape(new fcl::Boxd(10, 10, 1)), below);
    std::printf("%s", name);
    for (int solver = 0; solver < 2; solver++) {
        fcl::CollisionRequestd request(16, true);
        fcl::CollisionResultd result;
        request.gjk_solver_type = solver ? fcl::GST_INDEP : fcl::GST_LIBCCD;
        fcl::collide(&body, &ground, request, result);
        const fcl::Contactd &contact = result.getContact(0);
        std::printf(" %.4f %.0f %.0f %.0f", contact.penetration_depth, contact.normal[0] + 0., contact.normal[1] + 0.,
                    contact.normal[2] + 0.);
    }
    std::printf("\n");
}

int main()
{
    lay("box", Shape(new fcl::Boxd(1, 1, 0.4)), 0.2, false);
    lay("sphere", Shape(new fcl::Sphered(0.2)), 0.2, false);
    lay("cylinder", Shape(new fcl::Cylinderd(0.3, 0.4)), 0.2, false);
    lay("capsule", Shape(new fcl::Capsuled(0.2, 0.6)), 0.2, true);
}
END
g++ -O1 -w -I"$work/usr/include" -I"$work/usr/include/eigen3" depth.cpp -o depth "$lib/libfcl.so.0.7" "$lib/libccd.so.2" -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH="$lib" ./depth | tee out
awk '(/box/ || /sphere/) && $2 > 0 && $6 > 0 || /cyl/ && $2 > 0 && $6 < 0 || /cap/ && $6 < 0 && $7 * $7 == 1 { n++ } END { exit n != 4 }' out ||
    { echo "changed: the depth has one sign, and the normal points out"; exit 1; }
echo "as described"

#!/bin/sh
# A concave mesh weighs 14 % too much in MuJoCo, unless an attribute asks for the exact mass.
#
# Package:   libmujoco-dev, libmujoco2.2.2 2.2.2-3 (Debian 12)
# Expected:  mass and inertia of a closed mesh are those of its volume times the density.
# Behaviour: the default adds the volumes of tetrahedra from a point inside to each face, without their signs. So it also adds those
#            that lie outside of a concave body. The mass of an L-shaped prism is 14 % too large, and so are its moments and the loads
#            of its joints. With exactmeshinertia="true" mass and inertia are exact. No warning points to it.
# Output:    volume 3 m^3 at 1 kg/m^3: mass 3.4157, largest moment 2.0873; exact 3.0000, 1.8333
# Source:    the program's output; the XML reference describes compiler/exactmeshinertia.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libmujoco-dev=2.2.2-3 libmujoco2.2.2=2.2.2-3 libccd2=2.1-2+b1 libqhull-r8.0=2020.2-5 libtinyxml2-9=9.0.0+dfsg-3.1 liblodepng0=0.0~git20220618.b4ed2cd-3
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libmujoco.so.*' | head -n 1)")

# model FILE ATTRIBUTE  an L of three unit cubes, 12 corners, 20 triangles
model() {
    cat >"$1" <<END
<mujoco><compiler $2/><asset><mesh name="L"
  vertex="0 0 0  2 0 0  2 1 0  1 1 0  1 2 0  0 2 0  0 0 1  2 0 1  2 1 1  1 1 1  1 2 1  0 2 1"
  face="2 1 0  3 2 0  4 3 0  5 4 0  6 7 8  6 8 9  6 9 10  6 10 11  0 1 7  0 7 6  1 2 8  1 8 7  2 3 9  2 9 8
        3 4 10  3 10 9  4 5 11  4 11 10  5 0 6  5 6 11"/></asset>
  <worldbody><body><freejoint/><geom type="mesh" mesh="L" density="1" contype="0" conaffinity="0"/></body></worldbody></mujoco>
END
}
model default.xml ''
model exact.xml 'exactmeshinertia="true"'

cat >weigh.c <<'END'
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char error[200] = "";
        mjModel *model = mj_loadXML(argv[i], NULL, error, sizeof error);
        if (!model)
            return fprintf(stderr, "%s\n", error), 1;
        printf("%.4f %.4f ", model->body_mass[1], model->body_inertia[3]);
    }
    printf("\n");
    return 0;
}
END
gcc -O1 -I"$work/usr/include" weigh.c -o weigh "$(find "$lib" -name 'libmujoco.so.*' | head -n 1)" -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH="$lib" ./weigh default.xml exact.xml | tee out
awk '{ exit !($1 > 3.4 && $2 > 2.0 && $3 > 2.9999 && $3 < 3.0001 && $4 > 1.8332 && $4 < 1.8335) }' out ||
    { echo "changed: the default is exact"; exit 1; }
echo "as described"

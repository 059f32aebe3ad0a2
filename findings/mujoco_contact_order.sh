#!/bin/sh
# Which geom of a MuJoCo contact comes first depends on their shapes, so the normal under an upper body points up or down.
#
# Package:   libmujoco-dev, libmujoco2.2.2 2.2.2-3 (Debian 12)
# Expected:  geom1 is the one that the model names first, here the body at rest, for any pair of shapes.
# Behaviour: the pair is ordered by the number of its shapes: a sphere comes before a capsule, a cylinder, a box, a mesh. For a box on a
#            sphere the normal points up, and for a sphere on a box it points down, while mj_contactForce gives +9.81 N for both.
#            A host that adds contact forces along the normal gets the weight with the wrong sign as soon as a shape is exchanged.
# Output:    box on sphere: geom1 lower, normal +1, 9.81 N; sphere on box: geom1 upper, normal -1, 9.81 N
# Source:    mjtGeom in mjmodel.h has the numbers; the order is made in engine_collision_driver.c of MuJoCo. The comment of mjContact::frame
#            in mjdata.h is "normal is in [0-2]", and names no geom.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libmujoco-dev=2.2.2-3 libmujoco2.2.2=2.2.2-3 libccd2=2.1-2+b1 libqhull-r8.0=2020.2-5 libtinyxml2-9=9.0.0+dfsg-3.1 liblodepng0=0.0~git20220618.b4ed2cd-3
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libmujoco.so.*' | head -n 1)")

# model FILE LOWER UPPER  one stands on the other, with its centre 0.1 m above it
model() {
    cat >"$1" <<END
<mujoco><worldbody><geom name="lower" type="$2" size=".5 .5 .5" pos="0 0 -.5"/>
  <body pos="0 0 .1"><joint type="slide" axis="0 0 1"/><geom name="upper" type="$3" size=".1 .1 .1" mass="1"/></body>
</worldbody></mujoco>
END
}
model box.xml sphere box
model ball.xml box sphere

cat >stand.c <<'END'
#include <mujoco/mujoco.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        char error[200] = "";
        mjModel *model = mj_loadXML(argv[i], NULL, error, sizeof error);
        if (!model)
            return fprintf(stderr, "%s\n", error), 1;
        mjData *data = mj_makeData(model);
        mjtNum force[6];
        for (int k = 0; k < 2000; k++)
            mj_step(model, data);
        mj_forward(model, data);
        mj_contactForce(model, data, 0, force);
        printf("%s %.2f %.2f ", mj_id2name(model, mjOBJ_GEOM, data->contact[0].geom1), data->contact[0].frame[2], force[0]);
    }
    printf("\n");
    return 0;
}
END
gcc -O1 -I"$work/usr/include" stand.c -o stand "$(find "$lib" -name 'libmujoco.so.*' | head -n 1)" -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH="$lib" ./stand box.xml ball.xml | tee out
[ "$(cat out)" = "lower 1.00 9.81 upper -1.00 9.81 " ] || { echo "changed: the order does not depend on the shapes"; exit 1; }
echo "as described"

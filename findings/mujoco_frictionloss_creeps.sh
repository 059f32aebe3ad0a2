#!/bin/sh
# A MuJoCo joint whose dry friction is twice its load keeps turning slowly, and reports that it is held.
#
# Package:   libmujoco-dev, libmujoco2.2.2 2.2.2-3 (Debian 12)
# Expected:  frictionloss is the largest torque of dry friction: 10 N.m hold an arm that loads the joint by 4.905 N.m where it is.
# Behaviour: the constraint is soft: it yields with a speed proportional to the load, and has no position to return to. The arm
#            sinks at a steady speed, 0.2 rad in ten seconds, while the force of the constraint is all of the load. A larger frictionloss
#            changes nothing; solreffriction does.
# Output:    speed 0.0200 rad/s, angle after 10 s 0.20 rad, friction's torque -4.81 N.m; with frictionloss 100: the same; with
#            solreffriction=".002 1": 0.0020 rad/s
# Source:    the program's output; the XML reference, joint/frictionloss ("friction loss due to dry friction"), which does not say that the
#            joint slips below it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libmujoco-dev=2.2.2-3 libmujoco2.2.2=2.2.2-3 libccd2=2.1-2+b1 libqhull-r8.0=2020.2-5 libtinyxml2-9=9.0.0+dfsg-3.1 liblodepng0=0.0~git20220618.b4ed2cd-3
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libmujoco.so.*' | head -n 1)")

# model FILE ATTRIBUTES  of the joint of a mass of 1 kg, 0.5 m aside
model() {
    cat >"$1" <<END
<mujoco><worldbody><body><joint type="hinge" axis="0 1 0" $2/><geom type="sphere" size=".1" pos=".5 0 0" mass="1"/></body></worldbody></mujoco>
END
}
model ten.xml 'frictionloss="10"'
model hundred.xml 'frictionloss="100"'
model stiff.xml 'frictionloss="10" solreffriction=".002 1"'

cat >hold.c <<'END'
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
        model->opt.timestep = 1e-3;
        for (int k = 0; k < 10000; k++)
            mj_step(model, data);
        printf("%.4f %.2f %.2f ", data->qvel[0], data->qpos[0], data->efc_force[0]);
    }
    printf("\n");
    return 0;
}
END
gcc -O1 -I"$work/usr/include" hold.c -o hold "$(find "$lib" -name 'libmujoco.so.*' | head -n 1)" -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH="$lib" ./hold ten.xml hundred.xml stiff.xml | tee out
# speed, angle and torque of each
awk '{ exit !($1 > 0.01 && $2 > 0.1 && $3 < -4.5 && $4 > 0.9 * $1 && $7 < 0.3 * $1) }' out || { echo "changed: the joint holds"; exit 1; }
echo "as described"

#!/bin/sh
# A MuJoCo touch sensor in the sole of a foot reads zero while the foot bears all of its weight.
#
# Package:   libmujoco-dev, libmujoco2.2.2 2.2.2-3 (Debian 12)
# Expected:  a touch sensor on a foot's site reads the normal force on the foot, or a part of it if the site covers a part of the sole.
# Behaviour: only contacts whose point lies in the site's volume count, and a box on a plane has its points at its four corners. A site that
#            covers 81 % of the sole sees none of them and reads 0 N; one that is a little larger than the sole reads 9.81 N. A
#            pressure sensor that is drawn into the sole, as it is in a real one, is blind on flat ground, without a warning.
# Output:    weight 9.81 N: site of 90 % of the sole's edges 0.00 N, of 110 % 9.81 N
# Source:    the XML reference, sensor/touch: "if a contact point falls within the site's volume"; nothing says where the points of a box
#            are.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libmujoco-dev=2.2.2-3 libmujoco2.2.2=2.2.2-3 libccd2=2.1-2+b1 libqhull-r8.0=2020.2-5 libtinyxml2-9=9.0.0+dfsg-3.1 liblodepng0=0.0~git20220618.b4ed2cd-3
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libmujoco.so.*' | head -n 1)")

# model FILE EDGE  half of that of the site; the foot's is 0.1 m
model() {
    cat >"$1" <<END
<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1"/>
  <site name="sole" type="box" size="$2 $2 .02" pos="0 0 -.1"/></body></worldbody><sensor><touch site="sole"/></sensor></mujoco>
END
}
model small.xml .09
model large.xml .11

cat >touch.c <<'END'
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
        for (int k = 0; k < 2000; k++)
            mj_step(model, data);
        printf("%.2f ", data->sensordata[0]);
    }
    printf("\n");
    return 0;
}
END
gcc -O1 -I"$work/usr/include" touch.c -o touch "$(find "$lib" -name 'libmujoco.so.*' | head -n 1)" -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH="$lib" ./touch small.xml large.xml | tee out
[ "$(cat out)" = "0.00 9.81 " ] || { echo "changed: the sensor sees its part"; exit 1; }
echo "as described"

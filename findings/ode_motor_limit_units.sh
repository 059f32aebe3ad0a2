#!/bin/sh
# ODE's dWorldStep leaves a motor far inside its limit, at a tenth of the demanded rate. This error depends on the unit of length.
#
# Package:   source of ode 2:0.16.2-1 (Debian 12), built with its defaults (single precision); libode-dev, libode8 2:0.16.2-1,
#            libccd2 2.1-2+b1, in double precision
# Expected:  after a dWorldStep a motor has the demanded rate, or its torque is at its limit; results do not depend on the units.
# Behaviour: an arm of three links of 10 cm and 100 g starts at rest, and motor 2 reaches its limit. In single precision and metres, motor 1
#            reaches a tenth of its demanded rate. Its torque is a tenth of its limit, in the wrong direction. ODE reports no error. In
#            decimetres motor 1 reaches its demanded rate. In double precision the same error occurs for links of 5 mm and 1 mg in metres,
#            but not in centimetres.
# Output:    rate / demanded rate, and torque / limit, of motor 1: 0.10 -0.09 for single precision and metres, and for the small links in
#            double precision and metres; otherwise 1.00 0.92
# Source:    ode/src/matrix.cpp: when a motor reaches its limit, dxLDLTRemove replaces its row in the factorised matrix by a row of the
#            identity: "a[0] += REAL(1.0)", and in dxLDLTAddTL "0.5*a[0]+1" and "0.5*a[0]-1". The 1 is absolute, while the pivot S of the
#            row is about 12 / (m l^2), here 12 000 / (kg m^2). The update of the later pivots computes 8 / S^2 as a difference of numbers
#            near 1. This difference is lost if S^2 exceeds 8 / epsilon, so if S exceeds 8e3 in single precision, or 2e8 in double
#            precision. With S instead of 1 all results are right.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libode-dev=2:0.16.2-1 libode8=2:0.16.2-1 libccd2=2.1-2+b1
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libode.so.8' | head -n 1)")

# get the source from the package servers of this machine
mkdir -p parts lists/partial cache/archives/partial
for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
    [ -e "$file" ] || continue
    case $file in
    *.sources) sed 's/^Types:.*/Types: deb deb-src/' "$file" >"parts/$(basename "$file")" ;;
    *.list) sed -n '/^deb /{p;s/^deb /deb-src /p}' "$file" >"parts/$(basename "$file")" ;;
    esac
done
set -- -qq -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$work/parts" -o Dir::State::Lists="$work/lists" \
    -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root
apt-get "$@" update
apt-get "$@" source ode=2:0.16.2-1 >source.log 2>&1 || { cat source.log; exit 1; }
mkdir engine
(cd engine && ../ode-0.16.2/configure -q --prefix="$work/single" --enable-shared --disable-static --disable-demos && make -s -j2 install) >build.log 2>&1 ||
    { tail -n 20 build.log; exit 1; }

cat >arm.c <<'END'
#include <math.h>
#include <ode/ode.h>
#include <stdio.h>

/* Makes a step of an arm along x that turns about y. h, rates and limits are scaled, so arms of all sizes move alike. unit: in m */
static void step(double length, double mass, double unit)
{
    const double time = sqrt(length / 0.1), torque = mass / 0.1 * length / 0.1, h = 0.005 * time, l = length / unit;
    const double rate[3] = {2, -4, -10}, limit[3] = {0.3, 0.12, 0.26};
    dJointFeedback report[3];
    dJointID hinge[3];
    dBodyID before = 0;
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 0, 0, -9.81 / unit);
    for (int i = 0; i < 3; i++) {
        dMass m;
        dBodyID link = dBodyCreate(world);
        dMassSetBoxTotal(&m, mass, l, l / 10, l / 10);
        dBodySetMass(link, &m);
        dBodySetPosition(link, (i + 0.5) * l, 0, 0);
        hinge[i] = dJointCreateHinge(world, 0);
        dJointAttach(hinge[i], link, before);
        dJointSetHingeAnchor(hinge[i], i * l, 0, 0);
        dJointSetHingeAxis(hinge[i], 0, 1, 0);
        dJointSetHingeParam(hinge[i], dParamVel, rate[i] / time);
        dJointSetHingeParam(hinge[i], dParamFMax, limit[i] * torque / (unit * unit));
        dJointSetFeedback(hinge[i], &report[i]);
        before = link;
    }
    dWorldStep(world, h);
    const double about = (report[0].t1[1] - 0.5 * l * report[0].f1[2]) * unit * unit / torque; /* about the hinge */
    printf("%s, links of %g m, %g kg, unit %g m: %.2f %.2f\n", sizeof(dReal) == 4 ? "single" : "double", length, mass, unit,
           dJointGetHingeAngleRate(hinge[0]) * time / rate[0], about / limit[0]);
    dWorldDestroy(world);
}

int main(void)
{
    dInitODE2(0);
    step(0.1, 0.1, 1);
    step(0.1, 0.1, 0.1);
    if (sizeof(dReal) == 8) {
        step(0.005, 1e-6, 1);
        step(0.005, 1e-6, 0.01);
    }
    return 0;
}
END
gcc -O1 -I"$work/single/include" arm.c -o single-arm "$work/single/lib/libode.so" -lm
gcc -O1 -I"$work/usr/include" arm.c -o double-arm "$lib/libode.so.8" -Wl,-rpath-link,"$lib" -lm
{
    LD_LIBRARY_PATH="$work/single/lib" ./single-arm 2>/dev/null
    LD_LIBRARY_PATH="$lib" ./double-arm 2>/dev/null
} | tee out
awk '{ isRight = $11 > 0.99 && $11 < 1.01; isWrong = $11 < 0.5 && $12 < 0.5 && $12 > -0.5 }
    NR == 1 || NR == 5 { good += isWrong; next }
    { good += isRight }
    END { exit good != 6 }' out || { echo "changed: the motor inside its limit"; exit 1; }
echo "as described"

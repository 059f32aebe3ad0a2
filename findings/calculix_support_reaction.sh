#!/bin/sh
# The reaction that CalculiX prints for a support lacks the body loads on the supported nodes, and loaded nodes have reactions.
#
# Package:   calculix-ccx 2.20-1, libspooles2.2 2.2-14, libarpack2 3.8.0-3 (Debian 12)
# Expected:  RF of the supported nodes is the force of the support: the weight of the part. RF of the other nodes is zero.
# Behaviour: RF is the force of the stresses on a node. A cube of one element that stands on its lower nodes under its own weight has
#            a printed support force of half of that weight, and its free nodes have the other half with the opposite sign. A
#            concentrated load appears as RF of its own node. The total over all nodes is zero, so it checks nothing. A finer mesh
#            only makes the missing share smaller.
# Output:    weight 76518 N: support 38259 N, four free nodes -9564.75 N each; with *CLOAD of 25 N on four free nodes: 25 N each
# Source:    the manual of ccx, *NODE FILE: RF includes the concentrated and distributed loads of the node. In Abaqus, whose input
#            format ccx reads, RF is the reaction alone.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir partial
# with all that is not installed of what they need
apt-get -qq -y -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o Dir::Cache::archives="$work" --no-install-recommends --reinstall --download-only install \
    calculix-ccx=2.20-1 libspooles2.2=2.2-14 libarpack2=3.8.0-3
for package in ./*.deb; do dpkg -x "$package" .; done
LD_LIBRARY_PATH=$(find "$PWD" -name '*.so*' -exec dirname {} + | sort -u | paste -sd:)
export LD_LIBRARY_PATH

# deck NAME LOAD  a cube of 1 m, E 200 GPa, 7800 kg/m^3, held at its lower nodes
deck() {
    cat >"$1.inp" <<END
*NODE, NSET=ALL
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
*ELEMENT, TYPE=C3D8, ELSET=CUBE
1, 1, 2, 3, 4, 5, 6, 7, 8
*MATERIAL, NAME=STEEL
*ELASTIC
200e9, 0
*DENSITY
7800
*SOLID SECTION, ELSET=CUBE, MATERIAL=STEEL
*NSET, NSET=LOWER
1, 2, 3, 4
*NSET, NSET=UPPER
5, 6, 7, 8
*BOUNDARY
LOWER, 1, 3
*STEP
*STATIC
$2
*NODE PRINT, NSET=LOWER, TOTALS=ONLY
RF
*NODE PRINT, NSET=UPPER
RF
*END STEP
END
    "$work/usr/bin/ccx" "$1" >"$1.log"
    # the total of the lower nodes, and the first of the upper ones
    awk '/total force/ { total = 1; next } / forces / { single = 1; next }
         NF == 3 && total { support = $3; total = 0 } NF == 4 && single { free = $4; single = 0 }
         END { printf "%.2f %.2f\n", support, free }' "$1.dat" | tee -a out
}

deck weight "*DLOAD
CUBE, GRAV, 9.81, 0, 0, -1"
deck point "*CLOAD
UPPER, 3, 25"
awk 'NR == 1 && !($1 > 38258 && $1 < 38260 && $2 < -9564) { exit 1 } NR == 2 && !($1 < -99.9 && $1 > -100.1 && $2 > 24.9) { exit 1 }' out ||
    { echo "changed: RF is the force of the support"; exit 1; }
echo "as described"

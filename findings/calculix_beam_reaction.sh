#!/bin/sh
# CalculiX prints an axial reaction of 1000 N for a clamped beam under a load of 100 N across it.
#
# Package:   calculix-ccx 2.20-1, libspooles2.2 2.2-14, libarpack2 3.8.0-3 (Debian 12)
# Expected:  RF of the clamped node is the load with the opposite sign, and zero along the beam; the bending moment can be printed, too.
# Behaviour: beams are expanded to volume elements, and RF of the beam's node is a part of the forces on its section. Its part
#            across the beam is right; its part along the beam does not exist, and depends on the type of element. The moment cannot
#            be printed as a reaction.
# Output:    RF along and across, 1 m long, 100 N at the tip: B31 -1000.00 100.00; B32 -328.44 100.00
# Source:    the program's output; its manual, chapter on beam elements, describes the expansion.
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

# beam TYPE ELEMENTS  along x, clamped at node 1, the load at node 3
beam() {
    cat >"$1.inp" <<END
*NODE, NSET=ALL
1, 0, 0, 0
2, 0.5, 0, 0
3, 1, 0, 0
*ELEMENT, TYPE=$1, ELSET=BEAM
$2
*MATERIAL, NAME=STEEL
*ELASTIC
200e9, 0.3
*BEAM SECTION, ELSET=BEAM, MATERIAL=STEEL, SECTION=RECT
0.05, 0.05
0, 0, 1
*NSET, NSET=ROOT
1
*BOUNDARY
ROOT, 1, 6
*STEP
*STATIC
*CLOAD
3, 3, -100
*NODE PRINT, NSET=ROOT
RF
*END STEP
END
    "$work/usr/bin/ccx" "$1" >"$1.log"
    awk -v name="$1" 'NF == 4 && $1 == 1 { printf "%s %.2f %.2f\n", name, $2, $4 }' "$1.dat" | tee -a out
}

beam B31 "1, 1, 2
2, 2, 3"
beam B32 "1, 1, 2, 3"
awk '/B31/ && $2 < -900 && $3 > 99.9 && $3 < 100.1 || /B32/ && $2 < -300 && $3 > 99.9 && $3 < 100.1 { n++ } END { exit n != 2 }' out ||
    { echo "changed: no axial reaction"; exit 1; }
echo "as described"

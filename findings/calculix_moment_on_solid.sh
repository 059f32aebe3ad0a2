#!/bin/sh
# CalculiX drops a moment on a node of a solid, and says that the job has finished.
#
# Package:   calculix-ccx 2.20-1, libspooles2.2 2.2-14, libarpack2 3.8.0-3 (Debian 12)
# Expected:  a *CLOAD in direction 4 on a node of a C3D8 element turns the part, or is refused, as a load on a node that does not exist is.
# Behaviour: nodes of solids have no directions 4 to 6, so the load is left out, without an error or a warning: all displacements are
#            zero. Beside forces on the same nodes the result looks right, and lacks the moment. With the node as the ROT NODE of a
#            *RIGID BODY, in direction 1, the same moment turns the part.
# Output:    moment on the node of a solid: 0 warnings, 0 errors, largest displacement 0
#            as a force in direction 1 on the ROT NODE: 0.0165079 mm
# Source:    the behaviour of ccx, whose solids have displacements alone. For a node that does not exist it prints "ERROR reading *CLOAD".
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

# largest NAME CARDS LOAD  of the displacements of a steel cube of 10 mm that stands on its lower nodes, under 100 N.m about x
largest() {
    cat >"$1.inp" <<END
*NODE, NSET=ALL
1, 0, 0, 0
2, 10, 0, 0
3, 10, 10, 0
4, 0, 10, 0
5, 0, 0, 10
6, 10, 0, 10
7, 10, 10, 10
8, 0, 10, 10
9, 5, 5, 10
10, 5, 5, 10
*ELEMENT, TYPE=C3D8, ELSET=CUBE
1, 1, 2, 3, 4, 5, 6, 7, 8
*MATERIAL, NAME=STEEL
*ELASTIC
2.1e5, 0.3
*SOLID SECTION, ELSET=CUBE, MATERIAL=STEEL
*NSET, NSET=LOWER
1, 2, 3, 4
*NSET, NSET=UPPER
5, 6, 7, 8
$2
*BOUNDARY
LOWER, 1, 3
*STEP
*STATIC
*CLOAD
$3
*NODE PRINT, NSET=UPPER
U
*END STEP
END
    "$work/usr/bin/ccx" "$1" >"$1.log"
    grep -q 'Job finished' "$1.log"
    awk 'NF == 4 && $1 ~ /^[5-8]$/ { for (i = 2; i <= 4; i++) { u = $i < 0 ? -$i : $i; if (u > most) most = u } } END { printf "%.6g\n", most }' "$1.dat"
}

none=$(largest solid "" "7, 4, 1e5")
turned=$(largest rigid "*RIGID BODY, NSET=UPPER, REF NODE=9, ROT NODE=10" "10, 1, 1e5")
{
    echo "moment on the node of a solid: $(grep -ci '\*WARNING' solid.log || true) warnings, $(grep -ci '\*ERROR' solid.log || true) errors, largest displacement $none"
    echo "as a force in direction 1 on the ROT NODE: $turned mm"
} | tee out
printf '%s\n' 'moment on the node of a solid: 0 warnings, 0 errors, largest displacement 0' 'as a force in direction 1 on the ROT NODE: 0.0165079 mm' |
    cmp -s - out || { echo "changed: a moment on a solid"; exit 1; }
echo "as described"

#!/bin/sh
# In CalculiX, a later step that spins a part about another axis silently applies no centrifugal load at all.
#
# Package:   calculix-ccx 2.20-1, libspooles2.2 2.2-14, libarpack2 3.8.0-3 (Debian 12)
# Expected:  *DLOAD, OP=NEW replaces the loads of the last step, so each step has the centrifugal load of its own axis and speed.
# Behaviour: a CENTRIF whose axis differs from the one in an earlier step acts in no later step: all its forces are zero, and ccx ends
#            without a warning. The reversed axis, which gives the same load, counts as another one. The speed can change, the first
#            axis can return, and the step by itself is right. A gravity load that changes its direction is right, too. So a deck with a
#            step for each load case of a turning part is right in the first case alone.
# Output:    support force by steps: axis z, z, z: 1333 N each; z, -z, z: 1333 N, 0 N, 1333 N; z, y: 1333 N, 0 N; -z alone: 1333 N.
#            The load is 2000 N; RF leaves out the third that acts on the supported nodes themselves
# Source:    the output; the manual of ccx, *DLOAD, describes OP=NEW and CENTRIF without this exception.
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

# spin NAME AXIS...  a cube of 1000 kg that is held at one face, a step for each axis; prints the support force of each step
spin() {
    name=$1
    shift
    cat >"$name.inp" <<'END'
*NODE, NSET=ALL
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
*ELEMENT, TYPE=C3D8, ELSET=ROD
1, 1, 2, 3, 4, 5, 6, 7, 8
*NSET, NSET=FOOT
1, 4, 5, 8
*MATERIAL, NAME=STEEL
*ELASTIC
210e9, .3
*DENSITY
1000
*SOLID SECTION, ELSET=ROD, MATERIAL=STEEL
*BOUNDARY
FOOT, 1, 3
END
    for axis; do
        printf '*STEP\n*STATIC\n*DLOAD, OP=NEW\nROD, CENTRIF, 4, 0, .5, .5, %s\n*NODE PRINT, NSET=FOOT, TOTALS=ONLY\nRF\n*END STEP\n' \
            "$axis" >>"$name.inp"
    done
    usr/bin/ccx "$name" >"$name.out" 2>&1
    awk '$1 ~ /^-?[0-9]/ && NF == 3 { printf "%.0f ", 0 - $1 }' "$name.dat"
}

{
    spin same '0, 0, 1' '0, 0, 1' '0, 0, 1'
    spin reversed '0, 0, 1' '0, 0, -1' '0, 0, 1'
    spin other '0, 0, 1' '0, 1, 0'
    spin alone '0, 0, -1'
    echo
} | tee out
[ "$(cat out)" = '1333 1333 1333 1333 0 1333 1333 0 1333 ' ] || { echo "changed: the axes of centrifugal loads"; exit 1; }
echo "as described"

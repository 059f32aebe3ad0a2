#!/bin/sh
# core.sh  Instructions a joint of the parts of plugin/core/, counted by callgrind, and bytes: core.sh BENCH [SCENE:SIZE:JOINTS]...
bench=$1
shift
[ $# != 0 ] || set -- chain:100:100 tree:127:127 loops:1:4 loops:3:10 loops:30:91 loops:90:271 loops:120:361 grid:8:200
rounds=5
counts=$(mktemp) || exit 1
trap 'rm -f "$counts" "$counts.out"' EXIT
for case in "$@"; do
    scene=${case%%:*} joints=${case##*:} size=${case#*:}
    size=${size%:*}
    CK_FORK=no valgrind --tool=callgrind --callgrind-out-file="$counts" "$bench" "$scene" "$size" "$rounds" >"$counts.out" 2>&1 ||
        exit 1
    bytes=$(sed -n 's/^bytes //p' "$counts.out")
    callgrind_annotate --auto=no --inclusive=yes --threshold=100 "$counts" | tr -d , |
        awk -v name="$scene $size" -v bytes="$((bytes / joints))" -v per="$((rounds * joints))" '
            match($0, /:measure[A-Z][a-z]*/) { cost[tolower(substr($0, RSTART + 8, RLENGTH - 8))] += $1 / per }
            END {
                printf "%s:", name
                parts = split("relax rank stress factor sweep certify paulus project inverse", part, " ")
                for (i = 1; i <= parts; i++)
                    if (part[i] in cost)
                        printf " %s %.0f", part[i], cost[part[i]]
                twice = cost["factor"] + cost["sweep"] + cost["certify"] + cost["paulus"]
                values = cost["relax"] + 2 * twice + cost["inverse"]
                printf " values %.0f, with self-stresses %.0f; %d bytes\n", values,
                    values - cost["factor"] + cost["rank"] + cost["stress"] + cost["rigid"] + 2 * cost["project"], bytes
            }'
done

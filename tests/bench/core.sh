#!/bin/sh
# core.sh  Instructions a joint of the parts of plugin/core/, counted by callgrind: core.sh BENCH [SCENE:SIZE:JOINTS]...
bench=$1
shift
[ $# != 0 ] || set -- chain:100:100 tree:127:127 loops:1:4 loops:3:10 loops:30:91 loops:90:271 loops:120:361 grid:8:200
rounds=5
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
for case in "$@"; do
    scene=${case%%:*} joints=${case##*:} size=${case#*:}
    size=${size%:*}
    CK_FORK=no valgrind --tool=callgrind --callgrind-out-file="$counts" "$bench" "$scene" "$size" "$rounds" >/dev/null 2>&1 ||
        exit 1
    callgrind_annotate --auto=no --inclusive=yes --threshold=100 "$counts" | tr -d , |
        awk -v name="$scene $size" -v per="$((rounds * joints))" '
            match($0, /:measure[A-Z][a-z]*/) { cost[tolower(substr($0, RSTART + 8, RLENGTH - 8))] += $1 / per }
            END {
                printf "%s:", name
                parts = split("relax rank stress factor sweep certify paulus project inverse bytes", part, " ")
                for (i = 1; i <= parts; i++)
                    if (part[i] in cost)
                        printf " %s %.0f", part[i], cost[part[i]]
                twice = cost["factor"] + cost["sweep"] + cost["certify"] + cost["paulus"]
                values = cost["relax"] + 2 * twice + cost["inverse"]
                printf " values %.0f, with self-stresses %.0f\n", values,
                    values + cost["rank"] + cost["stress"] + 2 * cost["project"]
            }'
done

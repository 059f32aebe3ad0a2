#!/bin/sh
# core.sh  Instructions per joint of the parts of plugin/core/, counted by callgrind, and bytes.
# `drifted-...`: of one call for a loop whose joints have drifted.
# core.sh BENCH [SCENE:SIZE]...
bench=$1
shift
[ $# != 0 ] || set -- chain:100 tree:127 star:100 loops:1 loops:3 loops:30 loops:90 loops:120 grid:8 \
    drifted-four-bars:10 drifted-loops:3 drifted-loops:30 drifted-loops:90 drifted-loops:120 drifted-grid:5
rounds=5
counts=$(mktemp) || exit 1
trap 'rm -f "$counts" "$counts.out"' EXIT
for case in "$@"; do
    scene=${case%%:*} size=${case#*:}
    CK_FORK=no valgrind --tool=callgrind --callgrind-out-file="$counts" "$bench" "$scene" "$size" "$rounds" >"$counts.out" 2>&1 ||
        exit 1
    joints=$(sed -n 's/^joints //p' "$counts.out") bytes=$(sed -n 's/^bytes //p' "$counts.out")
    callgrind_annotate --auto=no --inclusive=yes --threshold=100 "$counts" | tr -d , |
        awk -v name="$scene $size" -v joints="$joints" -v rounds="$rounds" -v bytes="$bytes" '
            match($0, /:measure[A-Z][a-z]*/) { cost[tolower(substr($0, RSTART + 8, RLENGTH - 8))] += $1 / joints }
            END {
                printf "%s:", name
                parts = split("rank stress factor sweep certify project inverse loop", part, " ")
                for (i = 1; i <= parts; i++)
                    if (part[i] in cost)
                        printf " %s %.0f", part[i], cost[part[i]]
                if ("factor" in cost) {
                    twice = cost["factor"] + cost["sweep"] + cost["certify"]
                    values = 2 * twice + cost["inverse"]
                    printf " values %.0f, with self-stresses %.0f; %d bytes", values,
                        values - cost["factor"] + cost["rank"] + cost["stress"] + cost["rigid"] + 2 * cost["project"],
                        bytes * rounds / joints
                }
                print ""
            }'
done

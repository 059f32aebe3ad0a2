#!/bin/sh
# circles.sh  No two files of the library need each other, directly or round about: neither the headers by what they include,
# nor the objects by what they call. Between rooms both go downwards only.
srcdir=${srcdir:-$(dirname "$0")/..}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
status=0

# "file file" for each include of one of ours, from the root of the sources
(cd "$srcdir" && grep -H '^#include' plugin/*/*.[ch] include/kinetostat/*.h) | awk -F'[:"<>]' '
    { from = $1; to = $3 }
    to ~ /^kinetostat\// { print from, "include/" to; next }
    /"/ {
        path = from
        sub(/[^\/]*$/, to, path)
        while (sub(/[^\/]+\/\.\.\//, "", path)) { }
        print from, path
    }' >"$work/includes"

# "file file" for each name of ours that one needs and the other has
find plugin -name '*.o' | while read -r object; do
    nm -P "$object" | awk -v file="$(echo "$object" | sed 's,/\.libs/,/,; s,\.o$,.c,')" '
        $1 !~ /^ks/ { next }
        { name = $1; sub(/\..*/, "", name) }
        $2 == "U" { print name, "needs", file; next }
        $2 ~ /^[TDRBVWi]$/ { print name, "has", file }'
done | sort -u >"$work/names"
awk '$2 == "has" { owner[$1] = $3 } { line[NR] = $0 }
    END { for (i = 1; i <= NR; i++) { split(line[i], part, " ")
        if (part[2] == "needs" && part[1] in owner && owner[part[1]] != part[3]) print part[3], owner[part[1]] } }' \
    "$work/names" | sort -u >"$work/calls"

for kind in includes calls; do
    [ -s "$work/$kind" ] || {
        echo "no $kind are found"
        status=1
    }
    tsort "$work/$kind" >/dev/null 2>"$work/loops" || {
        echo "$kind go round:"
        cat "$work/loops"
        status=1
    }
    # rooms: the floor on which each stands, of which two on one floor know nothing of each other
    awk -v kind="$kind" '
        function room(path) { return path ~ /^plugin\/[^\/]*\// ? path : "" }
        function name(path) { split(path, part, "/"); return part[2] }
        BEGIN { floor["base"] = 0; floor["linear"] = 1; floor["engine"] = floor["mechanics"] = 2; floor["inspector"] = 3; floor["query"] = 4
                floor["replay"] = floor["view"] = 5; floor["report"] = 6; floor["preload"] = 7 }
        {
            from = room($1) == "" ? "" : name($1); to = room($2) == "" ? "" : name($2)
            if (to != "" && from != to && (from == "" || floor[from] <= floor[to])) {
                print kind " go up: " $1 " " $2
                wrong = 1
            }
        }
        END { exit wrong }' "$work/$kind" || status=1
done
exit $status

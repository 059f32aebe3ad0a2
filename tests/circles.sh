#!/bin/sh
# circles.sh  Includes and calls among the files of the library have no cycle. Between rooms both go
# only downwards. A room outside of the core uses the public functions of the core, and internal
# names of the rooms that CONTRIBUTING.md lists for it.
srcdir=${srcdir:-$(dirname "$0")/..}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
status=0

# "file file" for each include of our headers, from the root of the sources
(cd "$srcdir" && grep -H '^#include' plugin/*/*.[ch] plugin/*/*/*.[ch] include/kinetostat/*.h) | awk -F'[:"<>]' '
    { from = $1; to = $3 }
    to ~ /^kinetostat\// { print from, "include/" to; next }
    /"/ {
        path = from
        sub(/[^\/]*$/, to, path)
        while (sub(/[^\/]+\/\.\.\//, "", path)) { }
        print from, path
    }' >"$work/includes"

# "user owner" for each of our symbols: the file that needs it, and the file that has it
# (an object without a source is left from an earlier build, and nothing links it)
{
    find plugin -name '*.c'
    (cd "$srcdir" && find plugin -name '*.c')
} >"$work/sources"
find plugin -name '*.o' -exec nm -P -A {} + | awk '
    FILENAME != "-" { source[$1] = 1; next }
    $2 !~ /^ks/ { next }
    {
        file = $1
        sub(/:$/, "", file)
        sub(/\/\.libs\//, "/", file)
        sub(/\.o$/, ".c", file)
        path = file
        sub(/[^\/]*-/, "", path)
        name = $2
        sub(/\..*/, "", name)
    }
    !(path in source) { next }
    $3 == "U" { print name, "needs", file }
    $3 ~ /^[TDRBVWi]$/ { print name, "has", file }' "$work/sources" - | sort -u >"$work/names"
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
    # rooms: the floor of each; rooms on one floor do not use each other
    awk -v kind="$kind" '
        function room(path) { return path ~ /^plugin\/[^\/]*\// ? path : "" }
        function name(path) { split(path, part, "/"); return part[2] }
        BEGIN { floor["base"] = 0; floor["linear"] = 1; floor["core"] = 2; floor["engine"] = floor["mechanics"] = 3; floor["inspector"] = 4; floor["query"] = 5
                floor["replay"] = 6; floor["report"] = 7; floor["cases"] = floor["preload"] = floor["size"] = floor["view"] = 8; floor["command"] = 9; floor["mpi"] = 10 }
        {
            from = room($1) == "" ? "" : name($1); to = room($2) == "" ? "" : name($2)
            if (to != "" && from != to && (from == "" || floor[from] <= floor[to])) {
                print kind " go up: " $1 " " $2
                wrong = 1
            }
        }
        END { exit wrong }' "$work/$kind" || status=1
done

# the rooms whose internal names each of these rooms uses, beside its own
awk 'function room(path) { split(path, part, "/"); return part[1] == "plugin" ? part[2] : "" }
    FILENAME ~ /names$/ {
        if ($1 !~ /^ksi/) next
        if ($2 == "has") { owner[$1] = $3; next }
        user[++count] = $3; name[count] = $1; next
    }
    { use(room($1), room($2), $1 " includes " $2) }
    function use(from, to, words) {
        if (from in known && to != "" && from != to && index(" " known[from] " ", " " to " ") == 0) {
            print words ", which " from " does not know"
            wrong = 1
        }
    }
    BEGIN { known["replay"] = "base engine"; known["view"] = "base report"; known["report"] = "base engine replay"
            known["size"] = "base report"; known["cases"] = "base replay report"; known["preload"] = "base replay report"; known["command"] = "base cases preload replay report size view"; known["mpi"] = "base command report" }
    END {
        for (i = 1; i <= count; i++)
            if (name[i] in owner) use(room(user[i]), room(owner[name[i]]), user[i] " calls " name[i])
        exit wrong
    }' "$work/names" "$work/includes" || status=1
# shellcheck disable=SC2016
for row in 'replay/` |.*`base` and `engine`' 'view/` |.*`base` and `report`' \
    'report/` |.*`base`, `engine` and `replay`' 'size/` |.*`base` and `report`' 'cases/` |.*`base`, `replay` and `report`' 'preload/` |.*`base`, `replay` and `report`' \
    'command/` |.*`base`, `cases`, `preload`, `replay`, `report`, `size` and `view`' 'mpi/` |.*`base`, `command` and `report`'; do
    grep -q "^| \`plugin/$row" "$srcdir/CONTRIBUTING.md" || {
        echo "CONTRIBUTING.md does not say so of $row"
        status=1
    }
done
exit $status

#!/bin/sh
# seeds.sh  Makes the corpus of fuzz_data again after a change of the format of reports. Called in a
# build directory with the command and a demo. Two bytes say where the first report ends; the target
# adds the head and the checksum.
: "${srcdir:=$(dirname "$0")/../..}"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
corpus=$srcdir/tests/fuzz/corpus/data
head=29 # bytes

# body FILE  without head and checksum
body() {
    tail -c +$((head + 1)) "$1" | head -c -4
}

# seed NAME FIRST [OTHER]
seed() {
    size=
    size=$(body "$2" | wc -c)
    # shellcheck disable=SC2059
    printf "$(printf '\\%03o\\%03o' $((size % 256)) $((size / 256)))" >"$corpus/$1"
    body "$2" >>"$corpus/$1"
    [ $# = 2 ] || body "$3" >>"$corpus/$1"
}

# save NAME OPTION...  a report of a run of the demo
save() {
    name=$1
    shift
    ./kinetostat judge --quiet --save "$work/$name" "$@" || exit 1
}

./kinetostat --quiet --trace-raw "$work/a.h5" demos/first >/dev/null || exit 1
./kinetostat --quiet --param mass=2.5 --trace-raw "$work/b.h5" demos/first >/dev/null || exit 1
save one "$work/a.h5"
save other "$work/b.h5"
save part --shard 1/2 "$work/a.h5"
save rest --shard 2/2 "$work/a.h5"
./kinetostat merge --quiet --save "$work/runs" "$work/one" "$work/other" || exit 1
seed one "$work/one"
seed twice "$work/one" "$work/one"
seed parts "$work/part" "$work/rest"
seed runs "$work/runs" "$work/one"

#!/bin/sh
# core.sh  Instructions a joint of the parts of plugin/core/, counted by callgrind: core.sh BENCH [SCENE:SIZE:JOINTS]...
bench=$1
shift
[ $# != 0 ] || set -- chain:100:100 tree:127:127 loops:1:4 loops:30:91
rounds=10
counts=$(mktemp) || exit 1
trap 'rm -f "$counts"' EXIT
count() {
    CK_FORK=no valgrind --tool=callgrind --callgrind-out-file="$counts" "$bench" "$1" "$2" "$3" "$rounds" 2>&1 |
        sed -n 's/.*Collected : //p'
}
for case in "$@"; do
    scene=${case%%:*} joints=${case##*:} size=${case#*:}
    size=${size%:*}
    idle=$(count "$scene" "$size" none)
    printf '%s %s:' "$scene" "$size"
    for part in relax rank stress factor sweep certify paulus inverse values; do
        printf ' %s %s' "$part" $((($(count "$scene" "$size" "$part") - idle) / rounds / joints))
    done
    echo
done

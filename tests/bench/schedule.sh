#!/bin/sh
# schedule.sh  Simulates recordings of 10 000 steps on a cluster of 1000 cores: the schedule of
# kinetostat-mpi (plugin/mpi/schedule.c), with times of windows measured here. Called in the build
# directory. The measurements stay in windows.txt, a line for each recording: its bytes, s to read
# it, s to judge each of its ten windows, as processor time. --ranks N, --recordings N: other
# numbers.
: "${srcdir:=$(dirname "$0")/../..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}"
ranks=1000 recordings=100000
while [ $# -gt 0 ]; do
    case $1 in
    --ranks) ranks=$2 ;;
    --recordings) recordings=$2 ;;
    *)
        echo "usage: $0 [--ranks N] [--recordings N]" >&2
        exit 2
        ;;
    esac
    shift 2
done
windows=10
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT

# seconds COMMAND...  processor time
seconds() {
    (
        "$@" >/dev/null 2>&1
        times
    ) | awk 'NR == 2 { split($1 " " $2, part, /[ms ]+/); print 60 * part[1] + part[2] + 60 * part[3] + part[4] }'
}

# measure NAME COMMAND...  a line for the first world of the command
measure() {
    name=$1
    shift
    ./kinetostat --world 1 --record-only --trace-raw "$work/run.h5" "$@" >/dev/null 2>&1 || return
    whole=$(seconds ./kinetostat judge --quiet --jobs 1 --save "$work/whole.data" "$work/run.h5")
    for part in $(seq $windows); do
        seconds ./kinetostat judge --quiet --jobs 1 --shard "$part/$windows" --save "$work/part.data" "$work/run.h5"
    done | awk -v whole="$whole" -v bytes="$(wc -c <"$work/run.h5")" '
        { part[NR] = $1; sum += $1 }
        END {
            read = (sum - whole) / (NR - 1)
            read = read > 0 ? read : 0
            printf "%d %.4f", bytes, read
            for (i = 1; i <= NR; i++) printf " %.4f", (part[i] > read ? part[i] - read : 0)
            print ""
        }'
    echo "$name: $(wc -c <"$work/run.h5") bytes, judged in $whole s; the report has $(wc -c <"$work/whole.data") bytes" >&2
}

if [ ! -s windows.txt ]; then
    # shellcheck disable=SC2086
    $CC -O2 -std=c11 -D_GNU_SOURCE $ODE_CFLAGS -o "$work/subject" "$srcdir/tests/preload/subject.c" $ODE_LIBS -pthread -ldl -lm || exit
    {
        measure "a chain" "$work/subject" quick steps 10000
        measure "a crane" demos/crane --time 50
        measure "a door" demos/door --time 100
        measure "a car" demos/vehicle --time 50
        measure "a ragdoll" demos/ragdoll --time 50
    } >"$work/windows"
    mv "$work/windows" windows.txt
fi
# shellcheck disable=SC2086
$CC -O2 -std=c11 -D_GNU_SOURCE "-I$srcdir" "-I$srcdir/include" -iquote "$srcdir/plugin" $ODE_CFLAGS -o "$work/schedule" \
    "$srcdir/tests/bench/schedule.c" "$srcdir/plugin/mpi/schedule.c" -lm || exit
"$work/schedule" "$ranks" "$recordings" <windows.txt

#!/bin/sh
# demos.sh  ODE's own demos and ours in single precision: recorded, and judged by the builds of both precisions, in the same states.
#
#     demos.sh DOUBLE SINGLE ODE SOURCES     the builds, where the engine of single precision is, and its sources
#
# Prints a line for each program: the distance of the values of both builds, relative to their bars.
# Fails if more than a share of the values is outside of the bars, or if a motion is unexplained.
# DEMO_STEPS: 100; our demos run for 0.2 s. demo_step makes a new world in each step, and the tables
# of a world take half a second of processor time: a tenth of the steps.
set -u
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
double=$1 single=$2 ode=$3 sources=$4
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
steps=${DEMO_STEPS:-100}
export DEMO_STEPS
mkdir "$work/include" "$work/programs"
cp -r "$sources/include/drawstuff" "$work/include"
${CC:-cc} -c -o "$work/drawstuff.o" "$srcdir/tests/single/drawstuff.c" || exit 99

# limited SECONDS COMMAND [ARGUMENT]...  of processor time, since the machine may be busy; a program
# that waits forever ends, too
limited() {
    seconds=$1
    shift
    (
        # shellcheck disable=SC3045
        ulimit -t "$seconds"
        exec timeout 3600 "$@"
    )
}

# record NAME PROGRAM [ARGUMENT]...  an abort by ODE itself is no failure
until=
record() {
    name=$1
    shift
    # shellcheck disable=SC2086
    limited 100 "$single/kinetostat" --quiet --record-only $until --trace-raw "$work/$name.h5" "$@" >"$work/output" 2>&1 ||
        echo "$name: $(tail -n 1 "$work/output")"
    [ -e "$work/$name.h5" ] || return 0
    ended=
    for build in "$single" "$double"; do
        which=double
        [ "$build" != "$single" ] || which=single
        limited 300 "$build/kinetostat" judge --advise-every 0 --quiet --trace "$work/$name.$which.h5" "$work/$name.h5" \
            >/dev/null 2>"$work/errors" || {
            status=$?
            echo "$name: $(head -n 1 "$work/errors")"
            [ $status -lt 124 ] || ended=yes # its trace has no end
        }
    done
    [ -z "$ended" ] || {
        echo "$name: not judged: late, or ended by a signal"
        rm -f "$work/$name.single.h5" "$work/$name.double.h5"
        failed=1
    }
    rm "$work/$name.h5"
}

for source in "$sources"/ode/demo/demo_*.c*; do
    name=$(basename "${source%.c*}")
    DEMO_STEPS=$steps
    [ "$name" != demo_step ] || DEMO_STEPS=$((steps / 10))
    ${CXX:-c++} -w -O1 -x c++ -I"$ode/include" -I"$work/include" -I"$(dirname "$source")" -DDRAWSTUFF_TEXTURE_PATH='""' \
        -o "$work/programs/$name" "$source" -x none "$work/drawstuff.o" -L"$ode/lib" -lode -lm -Wl,-rpath,"$ode/lib" &&
        record "$name" "$work/programs/$name"
done
until="--until 0.2"
for name in arm bridge chain crane door fourbar linkage papers pendulum pile ragdoll sources vehicle walker wrist; do
    record "our-$name" "$single/demos/$name" --quiet
done
/usr/bin/python3 "$srcdir/tests/single/errors.py" "$work"/*.single.h5 || failed=1
exit $failed

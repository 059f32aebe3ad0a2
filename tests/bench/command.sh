#!/bin/sh
# command.sh  Wall-clock time of a program under the command kinetostat, as a ratio to the time of
# the program alone, which runs right before. Called in the build directory. --rounds N: median of N
# ratios, 5.
: "${srcdir:=$(dirname "$0")/../..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}"
rounds=5
[ "${1-}" != --rounds ] || rounds=$2
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
# shellcheck disable=SC2086
$CC -O2 -std=c11 -D_GNU_SOURCE $ODE_CFLAGS -o "$work/subject" "$srcdir/tests/preload/subject.c" $ODE_LIBS -pthread || exit

# seconds COMMAND...
seconds() {
    begin=$(date +%s.%N)
    "$@" >/dev/null 2>&1
    end=$(date +%s.%N)
    awk "BEGIN { print $end - $begin }"
}

# measure NAME COMMAND...  with the program and its arguments appended, which are many words
measure() {
    name=$1
    shift
    for _ in $(seq "$rounds"); do
        # shellcheck disable=SC2086
        plain=$(seconds "$work/subject" $program)
        # shellcheck disable=SC2086
        inspected=$(seconds "$@" "$work/subject" $program)
        awk "BEGIN { printf \"%.2f\\n\", $inspected / $plain }"
    done | sort -n | sed -n "$((rounds / 2 + 1))p" | sed "s|^|  $name |"
}

sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1
echo "$(nproc) processors; load $(cut -d' ' -f1 /proc/loadavg)"
for program in "quick steps 200000" "steps 200000" "quick chains 50 steps 4000"; do
    echo "chain of 8, $program:"
    measure "every step judged           " ./kinetostat --quiet
    measure "every step, without advice  " ./kinetostat --quiet --advise-every 0
    measure "recorded only               " ./kinetostat --record-only --trace-raw "$work/raw.h5"
    measure "each tenth step             " ./kinetostat --quiet --every 10
    measure "--overhead 20%              " ./kinetostat --quiet --overhead 20%
done

#!/bin/sh
# traps.sh  Traps of the engine that no step tells of: the command names what a program has met, with a remedy, in each of its reports, and
# says nothing where the like is done without the trap. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build traps traps.c "$ODE_LIBS -ldl -lm"

# words FILE  in one line
words() {
    tr -s ' \n' '  ' <"$1"
}

# meets NAME REMEDY  the trap, and none where the program does right
meets() {
    for way in "" right; do
        # shellcheck disable=SC2086
        "$work/traps" "$1" $way >"$work/plain" || fail "$1 $way: the program"
        # shellcheck disable=SC2086
        inspect --json "$work/$1$way.json" --trace-raw "$work/$1$way.h5" "$work/traps" "$1" $way
        expect 0 '100 steps' "$1 $way"
        cmp -s "$work/plain" "$work/output" || fail "$1 $way: its output"
        words "$work/report" >"$work/words"
        if [ "$way" = right ]; then
            ! grep -q 'trap of the engine' "$work/words" || fail "$1 $way: a trap is told"
            grep -q '"traps":\[\]' "$work/$1$way.json" || fail "$1 $way: JSON tells of a trap"
        else
            grep -q "trap of the engine: .*$2.*($1\.)" "$work/words" || fail "$1 is not told: $(grep trap "$work/words")"
            [ "$(grep -o 'trap of the engine' "$work/words" | wc -l)" = 1 ] || fail "$1: more than one trap"
            grep -q "\"traps\":\[\"$1\"\]" "$work/$1.json" || fail "$1 is not in JSON"
        fi
    done
}
meets piston-force dBodyAddForceAtPos
meets slide-rate ksMotor::speed
meets euler-angle 'rotation of the bodies'
meets mesh-inertia 'Move the vertices'
meets mesh-depth 'Use boxes'
meets motion-order 'Order the pair'
meets normal-motion dWorldSetContactMaxCorrectingVel
meets sleep dBodySetAutoDisableAverageSamplesCount

# a function that the program has asked for by name
inspect "$work/traps" piston-force found
words "$work/report" | grep -q '(piston-force\.)' || fail "a function that was found by dlsym"

# recordings keep it, and reports of them, which may be suppressed, merged and saved
if [ -e "$work/sleep.h5" ]; then
    "$command" judge --save "$work/sleep.report" "$work/sleep.h5" >"$work/report" 2>&1
    words "$work/report" | grep -q '(sleep\.)' || fail "a recording has lost it"
    "$command" merge "$work/sleep.report" >"$work/report" 2>&1
    words "$work/report" | grep -q '(sleep\.)' || fail "a saved report has lost it: $(cat "$work/report")"
    printf 'sleep\n' >"$work/suppressed"
    "$command" judge --suppress "$work/suppressed" "$work/sleep.h5" >"$work/report" 2>&1
    ! words "$work/report" | grep -q '(sleep\.)' || fail "it is told though it is suppressed"
fi

[ $failed = 0 ] && echo "eight traps, and the like without them"
exit $failed

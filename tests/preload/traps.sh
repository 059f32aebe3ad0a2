#!/bin/sh
# traps.sh  Traps of the engine that no step shows: each report names the traps that a program has
# met, with a remedy, and no trap for the same program without it. Called with the build directory
# as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build traps traps.c "$ODE_LIBS -ldl -lm"

# words FILE  the text in one line
words() {
    tr -s ' \n' '  ' <"$1"
}

# meets NAME REMEDY [JOINT]  the trap is reported, and no trap where the program is right
meets() {
    for way in wrong right; do
        "$work/traps" "$1" $way "${3-}" >"$work/plain" || fail "$1 $way ${3-}: the program"
        inspect --json "$work/$1$way.json" --trace-raw "$work/$1$way.h5" "$work/traps" "$1" $way "${3-}"
        expect 0 '100 steps' "$1 $way ${3-}"
        cmp -s "$work/plain" "$work/output" || fail "$1 $way ${3-}: its output"
        words "$work/report" >"$work/words"
        if [ "$way" = right ]; then
            ! grep -q 'trap of the engine' "$work/words" || fail "$1 $way ${3-}: a trap is told: $(grep -o "trap of the engine.*" "$work/words" | head -c 200)"
            grep -q '"traps":\[\]' "$work/$1$way.json" || fail "$1 $way ${3-}: JSON tells of a trap"
        else
            grep -q "trap of the engine: .*$2.*($1\.)" "$work/words" || fail "$1 ${3-} is not told"
            [ "$(grep -o 'trap of the engine' "$work/words" | wc -l)" = 1 ] || fail "$1 ${3-}: more than one trap"
            grep -q "\"traps\":\[\"$1\"\]" "$work/$1$way.json" || fail "$1 ${3-} is not in JSON"
        fi
    done
}
meets piston-force dBodyAddForceAtPos
meets piston-force dBodyAddForceAtPos pair
meets slide-rate ksMotor::speed
meets euler-angle 'rotation of the bodies'
meets mesh-inertia 'Move the vertices'
meets mesh-inertia 'Move the vertices' inside-out
meets mesh-depth 'Use boxes'
meets motion-order 'Order the pair'
meets motion-order 'Order the pair' tracks
meets normal-motion dWorldSetContactMaxCorrectingVel
meets slide-rate ksMotor::speed PU
meets slide-rate ksMotor::speed PR
meets reversed-torque 'the first torque'
meets angle-rate 'the sign of that angle'
meets angle-rate 'the sign of that angle' hinge2
meets gear-angle 'the rotation of the body'
meets no-stop 'change dParamVel'
meets no-stop 'change dParamVel' plane2d
meets axis-offset 'without an offset'
meets axis-offset 'without an offset' hinge
meets axis-offset 'without an offset' slider
meets axis-offset 'without an offset' turns
meets plane2d-bodies 'to one body'
meets export 'by the getters'
meets mesh-normal 'Use a plane'
meets relaxation 'between 0 and 2'
meets relaxation 'between 0 and 2' none
meets sleep dBodySetAutoDisableAverageSamplesCount

# a function that the program has found by name
inspect "$work/traps" piston-force found
words "$work/report" | grep -q '(piston-force\.)' || fail "a function that was found by dlsym"

# recordings and saved reports keep it; merge keeps it; a suppression removes it
if [ -e "$work/sleepwrong.h5" ]; then
    "$command" judge --save "$work/sleep.report" "$work/sleepwrong.h5" >"$work/report" 2>&1
    words "$work/report" | grep -q '(sleep\.)' || fail "a recording has lost it"
    "$command" merge "$work/sleep.report" >"$work/report" 2>&1
    words "$work/report" | grep -q '(sleep\.)' || fail "a saved report has lost it: $(cat "$work/report")"
    printf 'sleep\n' >"$work/suppressed"
    "$command" judge --suppress "$work/suppressed" "$work/sleepwrong.h5" >"$work/report" 2>&1
    ! words "$work/report" | grep -q '(sleep\.)' || fail "it is told though it is suppressed"
fi

[ $failed = 0 ] && echo "seventeen traps, and the like without them"
exit $failed

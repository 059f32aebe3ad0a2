#!/bin/sh
# diff.sh  kinetostat diff: where two recordings begin to differ, and why. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build varied varied.c "$ODE_LIBS -lm"

# record NAME PROGRAM...
record() {
    name=$1
    shift
    "$command" --record-only --trace-raw "$work/$name.h5" "$@" >"$work/output" 2>"$work/errors"
}

# compare STATUS TEXT A B OPTION...  TEXT: a pattern, or nothing
compare() {
    expected=$1 words=$2 a=$work/$3.h5 b=$work/$4.h5
    shift 4
    "$command" diff "$@" "$a" "$b" >"$work/report" 2>&1
    status=$?
    expect "$expected" "$words" "diff $a $b"
}

record plain "$work/varied"
record again "$work/varied"
compare 0 '^The same to the bit in all: 1 world, 100 steps' plain again
compare 0 '^The same to the bit' plain plain

# the step, the cause and the object, also in JSON
# cause WHAT CAUSES TEXT
cause() {
    record "$1" "$work/varied" "$1"
    compare 1 "$3" plain "$1" --json "$work/json"
    grep -q 'They differ first in step 50, at 0.25 s' "$work/report" || fail "$1: another step: $(cat "$work/report")"
    grep -q 'the step has both results, to the bit: that is the whole cause' "$work/report" || fail "$1: made again: $(cat "$work/report")"
    grep -q '"comesAgain":\[true,true\]' "$work/json" || fail "$1: made again: $(cat "$work/json")"
    grep -q "\"step\":50,.*\"causes\":\[$2\]" "$work/json" || fail "$1: no $2 in $(cat "$work/json")"
}
cause force '"forces"' '^    force z of body 3: A 0, B 1 N, apart by 1; B has changed it$'
cause pose '"poses"' '^    position y of body 2: A 0, B 1.*e-09 m, apart by 1e-09; B has changed it$'
cause order '"order"' 'Why: the same input in another order\.$'
grep -q 'place of contact: body 6 – world in the list: 1 in A, 6 in B; and of 5 others' "$work/report" || fail "order: $(cat "$work/report")"
cause seed '"seed"' 'the same input gave another result: random numbers'
grep -q 'The seeds differ from step 50 on' "$work/report" || fail "seed: $(cat "$work/report")"
cause iterations '"settings"' '^    quick step iterations: A 20, B 30; B has changed it$'

# each run meets a race between threads, unless the machine runs one thread at a time
isMet=no
for try in 1 2 3 4 5 6 7 8; do
    record threads "$work/varied" threads
    record other "$work/varied" threads
    "$command" diff --json "$work/json" "$work/threads.h5" "$work/other.h5" >"$work/report" 2>&1
    status=$?
    [ $status = 0 ] || isMet="in try $try"
    [ $status = 0 ] || break
done
if [ "$isMet" != no ]; then
    expect 1 'the same input gave another result: .*threads' "a race, $isMet"
    grep -q '"isInput":false,.*"threads"' "$work/json" || fail "a race: $(cat "$work/json")"
else
    echo "no race was met"
fi

# a tolerance
compare 1 'They differ first in step 50' plain pose --tolerance 1e-12
compare 0 'They never differ by more than the tolerance, 0.001' plain pose --tolerance 1e-3

# different lengths, killed, empty, missing, no recording, damaged
record long "$subject" quick
record short "$subject" quick steps 150
compare 1 'A has 200 steps, B has 150: as far as both are recorded they are the same' long short
compare 1 'A has 150 steps, B has 200' short long
record explode "$subject" quick force
compare 1 'killed by SIGABRT' long explode
record empty "$subject" never
compare 2 'empty.h5: .*holds no step' long empty
compare 2 'empty.h5: .*holds no step' empty empty
compare 2 'nosuch.h5: No such file' long nosuch
echo garbage >"$work/garbage.h5"
compare 2 'garbage.h5: .*not an HDF5 file' garbage long
cp "$work/short.h5" "$work/kept.h5"
compare 2 'kept.h5: is a recording or trace, which would be lost' kept short --json "$work/kept.h5"
cmp "$work/short.h5" "$work/kept.h5" || fail "a recording was written over"
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    cp "$work/short.h5" "$work/damaged.h5"
    /usr/bin/python3 -c 'import sys, h5py; h5py.File(sys.argv[1], "r+")["checksum"][40] = 1' "$work/damaged.h5"
    compare 2 'records of B are damaged, or follow one that is' short damaged
    # whose world is unknown: the world of the other recording may not be the only one
    /usr/bin/python3 -c 'import sys, h5py; h5py.File(sys.argv[1], "r+")["world"][:] = 0' "$work/damaged.h5"
    compare 2 'records of B are damaged, or follow one that is' short damaged
fi
# some of the steps
record some --every 10 "$subject" quick
compare 0 'steps are recorded in A alone' long some
# a pose that the host sets cannot be distinguished from the result of a step that is not recorded
record poses --every 7 "$work/varied" pose
compare 1 'Why: other input: poses at the start of the step; velocities at the start of the step' plain poses
grep -q 'this may have begun earlier' "$work/report" || fail "another beginning: $(cat "$work/report")"

# worlds: by program and order, or by name
# shellcheck disable=SC2016
record ab sh -c '"$1" quick steps 20; "$2"' - "$subject" "$work/varied"
# shellcheck disable=SC2016
record ba sh -c '"$2" force; "$1" quick steps 20' - "$subject" "$work/varied"
compare 1 'World "process 2 .varied., world 1" of A, "world 1" of B: 51 steps compared' ab ba
grep -q 'The same in all: 1 world, 20 steps' "$work/report" || fail "programs that differ: $(cat "$work/report")"
compare 0 'The same to the bit in all: 1 world, 20 steps' ab ba --world 'world 1=process 2 (subject), world 1'
compare 1 'bodies came or went' ab ba --world 'world 1'
compare 2 'there is no world "world 7"' ab ba --world 'world 7'
record two "$subject" quick threads
compare 1 'World "world 2" is in B alone' long two

# a recording of another engine, and of a build with another head
if [ -e "$srcdir/tests/data/turning-1.h5" ]; then
    cp "$srcdir/tests/data/turning-1.h5" "$work/turning.h5"
    compare 0 'The same to the bit' turning turning
    compare 1 'stepper: A another engine, B dWorldQuickStep' turning long
fi

# wrong arguments
compare 2 'tolerance -1: not a number from 0 on' plain again --tolerance -1
compare 2 'usage: kinetostat diff' plain again more
compare 2 'No such file' plain again --json "$work/nosuch/json"
"$command" diff --help | grep -q '^usage: kinetostat diff' || fail "diff --help"
# every option is in the manual, and in the completion
for option in $("$command" diff --help | grep -oE -- '--[a-z][a-z-]+' | sort -u); do
    sed 's/\\//g' "$srcdir/docs/manual/kinetostat.1" | grep -q -- "$option" || fail "diff $option is not in kinetostat(1)"
    grep -q -- "$option" "$srcdir/plugin/command/kinetostat.bash" || fail "diff $option is not completed"
done
exit $failed

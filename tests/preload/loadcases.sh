#!/bin/sh
# loadcases.sh  kinetostat loadcases: what it refuses, by one line, and the files that it must not
# overwrite. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build varied varied.c "$ODE_LIBS -lm"

run=$work/run.h5
"$command" --quiet --record-only --trace-raw "$run" "$work/varied" >"$work/output" 2>"$work/errors"
cp "$run" "$work/kept.h5"

# cases STATUS TEXT OPTION...  TEXT: a pattern of the whole line, or nothing
cases() {
    expected=$1 words=$2
    shift 2
    "$command" loadcases --body 2 "$@" >"$work/report" 2>&1
    status=$?
    expect "$expected" "$words" "loadcases $*"
}

printf '*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 0, 1, 0\n4, 0, 0, 1\n*ELEMENT, TYPE=C3D4\n1, 1, 2, 3, 4\n' >"$work/mesh.inp"
head -n 5 "$work/mesh.inp" >"$work/nodes.inp"
cases 0 '^World "world 1", body 2' --mesh "$work/mesh.inp" --calculix "$work/cases.inp" --joints 'hinge *' --node 'hinge 2*=17' "$run"

# a pattern that no load matches is refused, with the names of the loads
for pattern in --joints=elbow --only=elbow --node=elbow=17; do
    cases 125 '^kinetostat: .*/run.h5: no load on the body is called elbow; there are: "' --abaqus "$work/none.inp" "$pattern" "$run"
    [ ! -e "$work/none.inp" ] || fail "$pattern: there is a document"
done

# the chain moves in y = 0
cases 0 '^No case: each chosen component' --joints 'hinge *' --component tx "$run"

# a body and a joint that are in no step
for body in 99 elbow; do
    "$command" loadcases --body "$body" "$run" >"$work/report" 2>&1
    status=$?
    expect 125 "^kinetostat: $run: no step has .*; there are: (1, 2, 3|\"hinge 6: )" "loadcases --body $body"
done

# the message names the file once
cases 125 "^kinetostat: $work/nodes.inp: has no element\$" --mesh "$work/nodes.inp" --calculix "$work/none.inp" "$run"
cases 125 "^kinetostat: $work/none.h5: No such file" "$work/none.h5"
cases 125 "^kinetostat: $run: no joint or contact acts on this body" --from 1e6 "$run"

# no input is overwritten
cases 125 'kept.h5: is a recording or trace, which would be lost' --csv "$work/kept.h5" "$work/kept.h5"
cmp "$run" "$work/kept.h5" || fail "a recording was written over"
cp "$work/mesh.inp" "$work/kept.inp"
cases 125 'kept.inp: is a file to read, which would be lost' --mesh "$work/kept.inp" --calculix "$work/kept.inp" "$run"
cases 125 'kept.inp: is a file to read, which would be lost' --step "$work/kept.inp" --abaqus "$work/kept.inp" "$run"
cmp "$work/mesh.inp" "$work/kept.inp" || fail "a mesh was written over"
cases 125 'twice: is the file of two documents' --csv "$work/twice" --series "$work/twice" "$run"
exit $failed

#!/bin/sh
# mujoco.sh  kinetostat-mujoco: one command judges a model; errors in the command line and in the
# model; files left behind. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/..}"
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
if [ ! -x ./kinetostat-mujoco ]; then
    echo "this build has no kinetostat-mujoco"
    exit 77
fi
mkdir "$work/temporary"
TMPDIR=$work/temporary
export TMPDIR

# models ARGUMENT...  runs it; its errors are in $work/report, its output in $work/output, its status in $status
models() {
    ./kinetostat-mujoco "$@" >"$work/output" 2>"$work/report"
    status=$?
    [ -z "$(ls "$TMPDIR")" ] || fail "$*: something is left behind"
}

# expect STATUS TEXT WHAT  of the last run; TEXT: a pattern of its errors
expect() {
    [ "$status" = "$1" ] || fail "$3: status $status, not $1"
    grep -Eq -- "$2" "$work/report" || fail "$3: nothing like \"$2\": $(cat "$work/report")"
}

cat >"$work/arm.xml" <<'END'
<mujoco><option density="1.2"/><worldbody><body name="arm"><joint name="elbow" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .5 0 0" size=".03"/>
</body></worldbody></mujoco>
END
echo '<mujoco><worldbody><body><joint/></body></worldbody></mujoco>' >"$work/massless.xml"
echo '<mujoco><nothing/></mujoco>' >"$work/wrong.xml"

models --help
[ "$status" = 0 ] || fail "--help: status $status"
grep -q 'usage: kinetostat-mujoco MODEL' "$work/output" || fail "--help tells how to call it"
models
expect 125 'the model comes first' "no model"
models "$work/none.xml"
expect 125 'none.xml' "no such file"
models "$work/wrong.xml"
expect 125 "unrecognized element" "a model that is none"
models "$work/massless.xml"
expect 125 'mass and inertia of moving bodies' "a model that MuJoCo refuses"
for steps in 0 -1 x 5x '' 99999999999999999999; do
    models "$work/arm.xml" --steps "$steps"
    expect 125 'wants a number' "--steps '$steps'"
done
models "$work/arm.xml" --record
expect 125 'wants a file' "--record without a file"
models "$work/arm.xml" --nothing
expect 125 "unrecognized option '--nothing'" "an option of nobody"

models "$work/arm.xml" --steps=20 --value physical --fail-above 1%
expect 0 'of the medium are reported as acting in the joints' "one joint"
grep -q '20 valid' "$work/output" || fail "one joint: $(cat "$work/output")"
models "$work/arm.xml" --quiet --steps 20 --record "$work/arm.h5" --json "$work/arm.json"
[ "$status$(cat "$work/report")" = "0$(./kinetostat-mujoco "$work/arm.xml" --quiet --steps 1 2>&1)" ] || fail "kept: $status"
[ -s "$work/arm.h5" ] || fail "the recording is kept"
./kinetostat judge --quiet --json "$work/again.json" "$work/arm.h5"
cmp "$work/arm.json" "$work/again.json" || fail "the report is that of the recording"
grep -q '"elbow"' "$work/arm.json" || fail "joints have names"
# a spring that pushes
sed 's/name="elbow"/& springref="10" stiffness="-1000000"/' "$work/arm.xml" >"$work/unstable.xml"
models "$work/unstable.xml" --json "$work/unstable.json"
grep -Eq 'gave up after [0-9]+ steps, which are judged' "$work/report" || fail "unstable: $(cat "$work/report")"
[ -s "$work/unstable.json" ] || fail "unstable: the report is there"
models "$work/arm.xml" --steps 20 --record "$work/none/arm.h5"
expect 125 'none/arm.h5' "no such folder"
[ ! -e MUJOCO_LOG.TXT ] || fail "MuJoCo wrote a log"
exit $failed

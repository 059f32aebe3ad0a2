#!/bin/sh
# ci.sh  Runs the scripts of docs/ci.md verbatim. Called with the build directory as the current
# one.
: "${srcdir:=$(dirname "$0")/..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build varied varied.c "$ODE_LIBS -lm"

# the sh blocks; the second one is another ending of the first
awk -v folder="$work" '/^```sh/ { on = ++block; next } /^```/ { on = 0 } on { print >(folder "/block" on) }' "$srcdir/docs/ci.md"
mkdir "$work/bin"
printf '#!/bin/sh\nexec "%s/kinetostat" "$@"\n' "$PWD" >"$work/bin/kinetostat"
chmod +x "$work/bin/kinetostat"
sed '$d' "$work/block1" | sed '/kinetostat diff/d' | cat - "$work/block2" >"$work/strict.sh"
cp "$work/block1" "$work/ci.sh"
[ "$(tail -n 1 "$work/ci.sh")" = "exit \$status" ] || fail "docs/ci.md: the first script is another one"

# ci SCRIPT ARGUMENT...  in a folder of its own
ci() {
    script=$1
    shift
    (cd "$work" && PATH=$work/bin:$PATH sh "./$script" "$@" >"$work/report" 2>&1)
    status=$?
}

ci ci.sh ./subject
if grep -Eq 'without (HDF5|dygraphs)' "$work/report"; then
    echo "this build has no recordings, or no pages"
    exit 77
fi
expect 0 '8 of 8 joints were judged' "a first run"
for file in report.txt junit.xml index.html run.h5; do
    [ -s "$work/forces/$file" ] || fail "a first run: no forces/$file"
done
ci ci.sh ./subject quick
expect 3 'hinge' "a joint that fails"
grep -q '<failure' "$work/forces/junit.xml" || fail "a joint that fails: JUnit"

# a run with a baseline, of which no older report exists
cp "$work/block3" "$work/guard.sh"
ci guard.sh ./varied
expect 0 '' "a first run with a baseline"
mkdir "$work/baseline"
mv "$work/forces/report.data" "$work/baseline"
ci guard.sh ./varied
expect 0 'Against the baseline: 0 of 1?[0-9] joints are worse' "a second run with a baseline"
rm -r "$work/baseline"

ci ci.sh ./varied
mv "$work/forces" "$work/baseline"
ci ci.sh ./varied
grep -q 'The same to the bit in all: 1 world, 100 steps' "$work/report" || fail "the same again: $(tail -n 5 "$work/report")"
ci ci.sh ./varied pose
own=$status
grep -q 'poses at the start of the step, which the host has set' "$work/report" || fail "another motion: $(tail -n 5 "$work/report")"
grep -q '"status":1' "$work/forces/diff.json" || fail "another motion: JSON"
ci ci.sh ./varied
expect "$own" '' "another motion alone does not fail"
ci strict.sh ./varied
expect "$own" '' "the same again, where no other motion is wanted"
ci strict.sh ./varied force
expect 1 '' "another motion, where none is wanted"
exit $failed

#!/bin/sh
# run.sh  Builds of both precisions side by side: an installation with both, and their results for
# the same scenes and programs.
#
#     run.sh DOUBLE SINGLE PREFIX ODE PYODE    the builds, where both are installed (modules of Python: PREFIX/python), where the engine
#                                              of single precision is, and the folder of a pyode for it
set -u
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
double=$1 single=$2 prefix=$3 ode=$4 pyode=$5
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"

# scenes in the same states: errors of values against bars, and against the values of the other
# build
"$single/tests/single/twin" "$work/states" || fail "twin, of single precision"
"$double/tests/single/twin" "$work/states" || fail "twin"

# sums of joints that share a load, and means against the momentum
"$single/tests/single/sums" "$work/sums" || fail "sums, of single precision"
"$double/tests/single/sums" "$work/sums" || fail "sums"

# joints on stops, recorded by one build and judged by the other
for metres in 0 1000 10000; do
    "$single/tests/single/stops" "$work/stops" "$metres" || fail "stops, of single precision"
    "$double/tests/single/stops" "$work/stops" "$metres" || fail "stops at $metres m"
done

# one program each; pkg-config lists all dependencies of the library of single precision
PKG_CONFIG_PATH=$prefix/lib/pkgconfig:$ode/lib/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
${CC:-cc} -o "$work/first" "$srcdir/demos/first.c" $(pkg-config --cflags --libs kinetostat-single) -lm \
    -Wl,-rpath,"$prefix/lib:$ode/lib"
"$work/first" >/dev/null || fail "a program with kinetostat-single"

# a program without Kinetostat, in single and in double precision
# build NAME FLAGS  many words
build() {
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -D_GNU_SOURCE -o "$work/$1" "$srcdir/tests/preload/subject.c" $2 -pthread -ldl -lm || fail "$1"
}
build of-single "-I$ode/include -L$ode/lib -lode -Wl,-rpath,$ode/lib"
build of-double -lode
for program in of-single of-double; do
    for command in kinetostat kinetostat-single; do
        name=$command-$program
        "$work/$program" quick >"$work/plain"
        "$prefix/bin/$command" --report "$work/report" --json "$work/$name.json" --trace-raw "$work/$name.h5" \
            "$work/$program" quick >"$work/output" 2>"$work/errors" || fail "$name: $(cat "$work/errors")"
        cmp "$work/plain" "$work/output" || fail "$name: output"
        grep -q '200 steps, 200 inspected' "$work/report" || fail "$name: $(cat "$work/report")"
        ! grep -q unexplained "$work/report" || fail "$name: unexplained"
        for judge in kinetostat kinetostat-single; do
            "$prefix/bin/$judge" judge --quiet --json "$work/$name-$judge.json" "$work/$name.h5" 2>"$work/errors" ||
                fail "$judge $name: $(cat "$work/errors")"
        done
    done
done

# six reports of the program of single precision, by either build, live or of a recording: equal to
# 1e-5 of the load
python3 - "$work" <<'EOF' || fail "judged by either build"
import glob, json, sys
peaks = {}
for file in sorted(glob.glob(sys.argv[1] + "/kinetostat*-of-single*.json")):
    joints = json.load(open(file))["worlds"][0]["joints"]
    peaks[file] = [(joint["peakMean"]["force"]["value"], joint["error"]["worst"]["engine"]["force"]) for joint in joints]
files = list(peaks)
assert len(files) == 6, files
for file in files[1:]:
    for (mean, force), (mean0, force0) in zip(peaks[file], peaks[files[0]]):
        size = max(map(abs, force0))
        assert abs(mean - mean0) <= 1e-5 * mean0, (file, mean, mean0)
        assert max(abs(a - b) for a, b in zip(force, force0)) <= 1e-5 * size, (file, force, force0)
print(len(files), "reports of", len(peaks[files[0]]), "joints are alike")
EOF

# The program records its steps as steps of another engine, with the writer that links no engine;
# the wrapper records them as steps of ODE. The inspected and the recorded values agree, and no
# motion is unexplained.
# shellcheck disable=SC2046
${CC:-cc} -o "$work/record" -I"$srcdir" "$srcdir/tests/single/record.c" "$srcdir/adapters/ode.c" \
    $(pkg-config --cflags --libs kinetostat-recording ode) -lm -Wl,-rpath,"$prefix/lib:$ode/lib" || fail "record"
"$prefix/bin/kinetostat" --quiet --record-only --trace-raw "$work/outside.h5" "$work/record" "$work/within.h5" || fail "recorded"
for name in outside within; do
    "$prefix/bin/kinetostat" judge --quiet --json "$work/$name.json" "$work/$name.h5" 2>/dev/null || fail "judge $name"
done
python3 - "$work" <<'EOF' || fail "from within and from outside"
import json, sys
outside, within = (json.load(open(f"{sys.argv[1]}/{name}.json"))["worlds"][0]["joints"] for name in ("outside", "within"))
assert len(outside) == len(within) == 4
for a, b in zip(outside, within):
    peaks = [joint["peakMean"]["force"]["value"] for joint in (a, b)]
    assert abs(peaks[0] - peaks[1]) <= 1e-5 * peaks[0], (a["name"], peaks)
    for which in ("median", "p95", "largest"):
        inspected, recorded = a["force"]["engine"][which], b["force"]["observed"][which]
        load = a["force"]["engine"]["largest"]
        assert abs(inspected - recorded) <= 1e-5 * load, (a["name"], which, inspected, recorded)
    assert b["verdicts"]["KS_UNEXPLAINED"] == 0, b["verdicts"]
    print(a["name"], *peaks)
EOF

# Python loads the library for the engine of its pyode; without that library it raises an error
cat >"$work/precision.py" <<'EOF'
import kinetostat as ks, ode, sys
world = ode.World()
world.setGravity((0, 0, -10))
body = ode.Body(world)  # 1 kg
joint = ode.SliderJoint(world)
joint.attach(body, ode.environment)
joint.setAxis((1, 0, 0))
arm = ks.Inspector(world)
arm.quick_step(0.125)
print("single" if "_single" in ks._native.__file__ else "double")
assert abs(arm.wrench(joint).force[2] - 10) < 1e-4, arm.wrench(joint)
EOF
installed=$prefix/python
# python_takes PRECISION PYODE PACKAGES
python_takes() {
    found=$(PYTHONPATH=$2:$3 /usr/bin/python3 "$work/precision.py" 2>&1)
    [ "$found" = "$1" ] || fail "Python with $1: $found"
}
# python_refuses PRECISION PYODE PACKAGES
python_refuses() {
    found=$(PYTHONPATH=$2:$3 /usr/bin/python3 "$work/precision.py" 2>&1)
    echo "$found" | grep -q "^ImportError: kinetostat: this process has an ODE of $1 precision" || fail "Python without $1: $found"
}
python_takes single "$pyode" "$installed"
python_takes double "" "$installed"
cp -r "$installed" "$work/double"
cp -r "$installed" "$work/single"
rm -r "$work/double/kinetostat/_single"
rm "$work"/single/kinetostat/_native.*
python_takes double "" "$work/double"
python_takes single "$pyode" "$work/single"
python_refuses single "$pyode" "$work/double"
python_refuses double "" "$work/single"
# without the tests that compare the last digits of double precision
# shellcheck disable=SC2046
(cd "$single" && PYTHON=/usr/bin/python3 PYTHONPATH=$pyode sh "$srcdir/python/tests/run.sh" \
    $(printf ' -k test_%s.' attacks callbacks calls demo feet moments report system values whole)) || fail "tests of Python"

# an engine linked into a program, in which a module inspects an engine of double precision
(cd "$double" && CC=${CC:-cc} ODE_CFLAGS='' ODE_LIBS=-lode "$srcdir/tests/recording/alone.sh" "-I$ode/include" "$ode/lib/libode.a") ||
    fail "two engines"
exit $failed

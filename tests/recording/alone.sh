#!/bin/sh
# alone.sh  The writer of recordings without an engine of ours: a program with a static ODE records
# its steps, while a module in the same process inspects an engine of its own.
#
#     alone.sh [CFLAGS LIBRARY]    of the program's ODE, a static library; otherwise the system's
set -u
srcdir=$(cd "${srcdir:-$(dirname "$0")/../..}" && pwd)
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
[ -e .libs/libkinetostat-recording.so ] || {
    echo "there is no .libs/libkinetostat-recording.so in this build"
    exit 77
}
flags=${1-$ODE_CFLAGS} engine=${2-$(pkg-config --variable=libdir ode)/libode.a}
[ -e "$engine" ] || {
    echo "there is no $engine"
    exit 77
}
if nm -D .libs/libkinetostat.so | grep -q __asan; then
    echo "an address sanitizer cannot be loaded into programs without one"
    exit 77
fi
of_ours="-I$srcdir/include -I$srcdir -L.libs -Wl,-rpath,$PWD/.libs"
judge=./kinetostat

# Of our libraries the program needs only this one.
ccd=
! nm "$engine" 2>/dev/null | grep -q 'U ccd' || ccd=-l:libccd.so.2 # there without its headers
# shellcheck disable=SC2086
$CC -std=c11 -Dmain=recordChain -c -o "$work/record.o" "$srcdir/tests/single/record.c" $flags $of_ours || fail "record.c"
# shellcheck disable=SC2086
$CC -std=c11 -c -o "$work/ode.o" "$srcdir/adapters/ode.c" $flags $of_ours || fail "ode.c"
# for hosts whose engine has C++ headers
# shellcheck disable=SC2086
! command -v c++ >/dev/null || c++ -std=gnu++17 -x c++ -fsyntax-only "$srcdir/adapters/ode.c" $flags $of_ours || fail "ode.c as C++"
# shellcheck disable=SC2086
$CC -std=c11 -o "$work/two" "$srcdir/tests/recording/two_engines.c" "$work/record.o" "$work/ode.o" $of_ours -lkinetostat-recording \
        "$engine" $ccd -lstdc++ -pthread -ldl -lm || fail "the program"
! ldd "$work/two" | grep 'libode\|lapack\|kinetostat[.]\|kinetostat-report' || fail "the program's libraries"
"$work/two" "$work/own.h5" || fail "the program alone"

# shellcheck disable=SC2086
$CC -std=c11 -shared -fPIC -o "$work/module.so" "$srcdir/tests/recording/beside.c" $ODE_CFLAGS $of_ours -lkinetostat $ODE_LIBS -lm ||
    fail "the module"
"$work/two" - "$work/module.so" "$work/plain" || fail "the module alone"
"$work/two" "$work/beside.h5" "$work/module.so" "$work/output" || fail "both"
cmp "$work/plain" "$work/output" || fail "the module's engine: not as it is alone"
grep -q KS_VALID "$work/plain" || fail "the module's engine: verdicts"
! grep -v KS_VALID "$work/plain" || fail "the module's engine: other verdicts"
$judge diff "$work/own.h5" "$work/beside.h5" >"$work/difference" || fail "the program's engine: $(cat "$work/difference")"
$judge judge --quiet --json "$work/judged.json" "$work/beside.h5" 2>"$work/errors" || fail "judge: $(cat "$work/errors")"
python3 - "$work/judged.json" <<'END' || fail "judged"
import json, sys
world, = json.load(open(sys.argv[1]))["worlds"]
assert world["steps"]["inspected"] == 200 and len(world["joints"]) == 4, world["steps"]
for joint in world["joints"]:
    assert joint["verdicts"]["KS_UNEXPLAINED"] == 0, joint["verdicts"]
    print(joint["name"], joint["peakMean"]["force"]["value"])
END
exit $failed

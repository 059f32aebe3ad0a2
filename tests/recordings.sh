#!/bin/sh
# recordings.sh  Recordings of format 1, kept for good: the command judges them, and
# demos/read_recording.py, which uses nothing of this library, computes the same forces.
srcdir=${srcdir:-$(dirname "$0")/..}
data=$srcdir/tests/data
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"

if [ -x ./kinetostat ]; then
    ./kinetostat judge --fail-above 1% --json "$work/report.json" "$data/hanging-1.h5" >"$work/text" 2>&1 || fail "hanging-1.h5: $(cat "$work/text")"
    grep -q "10 steps, 10 inspected" "$work/text" || fail "hanging-1.h5: $(cat "$work/text")"
    grep -q "3 of 3 joints were judged; 0 fail" "$work/text" || fail "hanging-1.h5: $(cat "$work/text")"
    ./kinetostat judge --value physical --fail-above 1% "$data/turning-1.h5" >"$work/text" 2>&1 || fail "turning-1.h5: $(cat "$work/text")"
    grep -q 'another engine' "$work/text" || fail "turning-1.h5: $(cat "$work/text")"
else
    echo "this build has no command"
fi

if ! /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    echo "read_recording.py is not tried: there is no python3-h5py"
    [ $failed = 0 ] && exit 77
    exit $failed
fi
/usr/bin/python3 "$srcdir/demos/read_recording.py" "$data/hanging-1.h5" >"$work/forces" || fail "read_recording.py ended with $?"
# the force of each joint is the weight below it, except for the effect of CFM: 1e-6
awk -v g=9.81 '
    BEGIN { mass["ball"] = 6; mass["hinge"] = 5; mass["fixed"] = 3 }
    $3 < 9 { lines++; off = $8 / (mass[$5] * g) - 1; if ($6 != 0 || $7 != 0 || off > 1e-6 || off < -1e-6) { print; wrong = 1 } }
    END { if (lines != 27) print lines " lines"; exit wrong || lines != 27 }' "$work/forces" || fail "forces by read_recording.py"
# m w^2 r inward, as a mean over the step to 1e-6, and the weight
/usr/bin/python3 "$srcdir/demos/read_recording.py" "$data/hanging-1.h5" 2>"$work/errors" | true
[ ! -s "$work/errors" ] || fail "read_recording.py, of which nobody reads the end: $(cat "$work/errors")"
/usr/bin/python3 "$srcdir/demos/read_recording.py" "$data/turning-1.h5" >"$work/forces" || fail "read_recording.py ended with $?"
awk '{ lines++; off = sqrt($6 * $6 + $7 * $7) / (2 * 2 * 2 * 0.5) - 1; heavy = $8 / (2 * 9.81) - 1
       if (off > 1e-6 || off < -1e-6 || heavy > 1e-12 || heavy < -1e-12) { print; wrong = 1 } }
    END { if (lines != 10) print lines " lines"; exit wrong || lines != 10 }' "$work/forces" || fail "forces of turning-1.h5 by read_recording.py"
exit $failed

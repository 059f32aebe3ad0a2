#!/bin/sh
# size.sh  kinetostat size: documents, options, and what it refuses. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build varied varied.c "$ODE_LIBS -lm"
build traps traps.c "$ODE_LIBS -ldl -lm"

# size STATUS TEXT OPTION...  TEXT: a pattern, or nothing
size() {
    expected=$1 words=$2
    shift 2
    "$command" size "$@" >"$work/report" 2>&1
    status=$?
    expect "$expected" "$words" "size $*"
}

run=$work/run.h5
"$command" --quiet --trace "$run" "$work/varied" >"$work/output" 2>"$work/errors"
size 0 '^World "world 1": 100 steps' "$run"
size 0 '^  hinge 1: .* \(hinge\), torques about the anchor' "$run"
size 0 'kinetostat size \[options\] TRACE.h5' --help
size 0 '' --quiet --json "$work/json" --csv "$work/csv" --spectra "$work/spectra" --bearing 'hinge *:C=14000,C0=6550,kind=roller' \
    --sn 'hinge *:fx=100,1e6,5,inf' --sn '*:tz=1,1e6,3' --repeat --time-constant 1 "$run"
[ -s "$work/report" ] && fail "--quiet is not: $(cat "$work/report")"
python3 -m json.tool "$work/json" >"$work/pretty" || fail "no JSON"
for key in '"schema": "kinetostat-size"' '"repeated": true' '"damage": {' '"lifeHours": {' '"staticSafety": {' '"matrix": \['; do
    grep -q "$key" "$work/pretty" || fail "JSON has no $key"
done
grep -q ',fx,damage,1,' "$work/csv" || fail "no damage in CSV"
[ "$(awk -F, 'FNR > 1 { n += $NF } END { print (n == int(n)) }' "$work/spectra")" = 1 ] || fail "--repeat leaves half cycles"

# a page is well-formed, except for elements that HTML closes by itself; an envelope is read, or
# refused
printf 'speed,torque\n0;100\n1e3 50\n\n' >"$work/motor.csv"
driven=$work/driven.h5
"$command" --quiet --trace "$driven" "$work/traps" euler-angle right >"$work/output" 2>&1
size 0 '' --quiet --page "$work/page.html" --envelope "amotor *:$work/motor.csv" "$driven"
sed 's/<meta[^>]*>//g; s/<br>//g; 1d' "$work/page.html" | python3 -c 'import sys, xml.etree.ElementTree as t; t.parse(sys.stdin)' || fail "no page"
mkdir "$work/of:motors"
cp "$work/motor.csv" "$work/of:motors/motor:1.csv"
size 0 '' --quiet --csv "$work/csv" --envelope "amotor 1: *:$work/of:motors/motor:1.csv" "$driven"
for text in '' '0,1' '1,1\n2,1' '0,1\n0,2' '0,1\n1,-1' '0,1\n1,x' '0,1\n1,inf' '0,1\n1,1e300' '0,1\n1e300,1' '0,5;9\n1,5;8' '0,1,2\n1,1,2' '0 1 N\n1 1 N'; do
    printf '%b\n' "$text" >"$work/motor.csv"
    size 125 'is not an envelope' --envelope "hinge *:$work/motor.csv" "$run"
done
size 125 'No such file' --envelope 'hinge *:nowhere.csv' "$run"
size 125 'is not an envelope' --envelope 'hinge *:/dev/zero' "$run"
printf '\357\273\2770,1\r\n1,1\r\n' >"$work/motor.csv"
size 0 '' --quiet --envelope "amotor *:$work/motor.csv" "$driven"
printf '0,1\n1,1\n' >"$work/motor.csv"
size 125 'no joint that was chosen is called elbo' --envelope "elbo:$work/motor.csv" "$run"

# a joint is found by its name, even if the name is a pattern of others
printf 'hinge 1 arm[0]: "left"\n' >"$work/names"
"$command" --quiet --names "$work/names" --trace "$work/named.h5" "$work/varied" >"$work/output" 2>&1
size 0 '^  arm.0.: "left" \(hinge\)' --joints 'arm[0]: "left"' --bearing 'arm[0]: "left":C=14000' --sn 'arm[0]: "left":fx=100,1e6,5' "$work/named.h5"

# the reference point of the torques
size 0 'torques about the point \(0.1, -0.2, 1e-10\) m of its first body$' --point 'hinge *:0.1,-0.2,1e-10' --csv "$work/csv" --json "$work/json" "$run"
grep -q 'joint,torques about the point,,,,,,$' "$work/csv" || fail "CSV without the point"
grep -q 'joint,point y of body 0,m,-0.2' "$work/csv" || fail "CSV without its place"
python3 -c 'import json, sys; assert json.load(open(sys.argv[1]))["worlds"][0]["joints"][0]["point"] == {"body": 0, "place": [0.1, -0.2, 1e-10]}' \
    "$work/json" || fail "JSON without the point"
size 0 'torques about the point \(0, 0, 0\) m of the (second body|world)$' --point 'hinge *:0,0,0,1' "$run"
size 0 'torques about the point \(0, 0, 0\) m of its first body$' --point 'hinge *:0,0,0' --value mean "$run"
size 125 'no joint that was chosen is called elbo' --point elbo:0,0,0 "$run"
# the smallest and largest parameters give finite numbers
size 0 'L10' --csv "$work/csv" --bearing 'hinge *:C=1e15,C0=1e15,X=1e15,Y=1e15,e=1e15,X0=1e15,Y0=1e15,kind=roller' \
    --sn 'hinge *:fx=1e-12,1e-12,1e15' --sn 'hinge *:fy=1e15,1e15,1e15' --time-constant 1e-307 --point '*:1e15,-1e15,1e15' "$run"
grep -Ewi 'nan|inf' "$work/report" "$work/csv" && fail "no numbers"
size 0 'L10' --csv "$work/csv" --bearing 'hinge *:C=1e-12,C0=1e-12,X=0,Y=0' --time-constant 1e307 "$run"
grep -Ewi 'nan|inf' "$work/report" "$work/csv" && fail "no numbers"

# wrong arguments give an error and no document
rm -f "$work/json"
for wrong in --value=real --from=-1 --time-constant=0 --bearing=elbow --bearing=:C=1 '--bearing=a:C=x' '--bearing=a:C=1,D=2' '--bearing=a:kind=plain' \
    '--bearing=a:C=1e300' '--bearing=a:C=1,X=1e300' '--bearing=a:C=1e-300' '--sn=a:fx=1e300,1,3' '--sn=a:fx=1,1e-300,3' '--sn=a:fx=1,1,inf' \
    --point=a --point=a:1,2 --point=a:1,2,3,2 --point=a:1,2,3,1,1 --point=a:nan,0,0 --point=a:1e300,0,0 --point=:1,2,3 \
    '--sn=a:fx=1,2' '--sn=a:fw=1,2,3' '--sn=a:fx=1,2,3,1' '--sn=a:fx=0,2,3' '--sn=a:fx=1,2,3,4,5' --nothing; do
    size 125 '' "$wrong" --json "$work/json" "$run"
    [ -s "$work/report" ] || fail "$wrong is refused without a word"
    [ ! -e "$work/json" ] || fail "$wrong: there is a document"
done
size 0 '^  hinge 1: .* \(hinge\)' --joints 'hinge 2*' --joints 'hinge 1:*' "$run"
size 125 'no joint is called elbow; there are: "hinge 6' --joints 'hinge 1:*' --joints elbow "$run"
size 125 'no joint was chosen; there are: "hinge 6' --joints 'elbow*' "$run"
size 125 'no world is called another; there are: "world 1"' --world 'another' "$run"
size 0 '^World "world 1": 1 step, 0 to' --until 1e-9 "$run"
size 125 'run.h5: no selected step has one of the joints$' --from 1e6 "$run"
# no input is overwritten, and no document takes the place of another
cp "$run" "$work/kept.h5"
cp "$work/motor.csv" "$work/kept.csv"
size 125 'kept.h5: is a recording or trace, which would be lost' --csv "$work/kept.h5" "$work/kept.h5"
cmp "$run" "$work/kept.h5" || fail "a trace was written over"
size 125 'kept.csv: is a file to read, which would be lost' --envelope "hinge *:$work/kept.csv" --csv "$work/kept.csv" "$run"
cmp "$work/motor.csv" "$work/kept.csv" || fail "an envelope was written over"
size 125 'twice: is the file of two documents' --csv "$work/twice" --json "$work/twice" "$run"
# numbers that no trace has
damage() {
    cp "$1" "$work/damaged.h5"
    /usr/bin/python3 -c "import sys, h5py; h5py.File(sys.argv[1], 'r+')['world1/$2'][7] = float('$3')" "$work/damaged.h5"
    size 125 "^kinetostat: $work/damaged.h5: damaged: $4" "$work/damaged.h5"
}
if /usr/bin/python3 -c 'import h5py' 2>/dev/null; then
    damage "$run" steps/time nan 'a step has no time'
    damage "$run" steps/time 0 'the time decreases'
    for bar in physical shared; do
        damage "$run" reactions/${bar}_bar_force -1 'an error bar is negative'
        damage "$run" reactions/${bar}_bar_torque -1 'an error bar is negative'
    done
    damage "$driven" motors/physical_bar -1 'an error bar is negative'
    /usr/bin/python3 -c 'import sys, h5py; del h5py.File(sys.argv[1], "r+")["world1"]' "$work/damaged.h5"
    size 125 'damaged.h5: holds no step' "$work/damaged.h5"
fi
size 125 'no joint that was chosen is called elbo' --sn 'elbo:fx=1,2,3' "$run"
size 125 'no joint that was chosen is called elbo' --bearing 'elbo:C=1000' "$run"
size 125 'kinetostat size --help lists the options' "$run" "$run"
size 125 "^kinetostat: unrecognized option '--mean'" --mean 1 "$run"
# a property that a joint does not have is refused
size 0 '' --quiet --envelope "amotor *:$work/motor.csv" --bearing 'hinge *:C=1000' "$driven"
size 125 'no joint turns in a bearing and is called amotor .; there are: "hinge' --bearing 'amotor *:C=1000' "$driven"
size 125 'no joint has a motor and is called hinge .; there are: "amotor' --envelope "hinge *:$work/motor.csv" "$driven"
# files that are no traces
head -c 5000 "$run" >"$work/cut.h5"
: >"$work/empty.h5"
size 125 "^kinetostat: $work/none.h5: No such file" "$work/none.h5"
size 125 "^kinetostat: $work/cut.h5: is HDF5, but cut off or damaged" "$work/cut.h5"
size 125 "^kinetostat: $work/empty.h5: is empty" "$work/empty.h5"
size 125 "^kinetostat: $work: is a folder" "$work"
size 125 "varied.c: cannot be read: it is not an HDF5 file" "$srcdir/tests/preload/varied.c"
"$command" --quiet --trace "$work/run.mcap" "$work/varied" >"$work/output" 2>&1
size 125 'run.mcap: is MCAP, for Foxglove and PlotJuggler, not HDF5' "$work/run.mcap"
"$command" --quiet --trace "$work/run.csv" "$work/varied" >"$work/output" 2>&1
size 125 'run.csv: is a trace of --trace as CSV, not as HDF5; --trace FILE.h5 writes a trace that can be sized$' "$work/run.csv"
"$command" --quiet --trace "$work/run.json" "$work/varied" >"$work/output" 2>&1
size 125 'run.json: is a trace of --trace for Perfetto, not as HDF5; --trace FILE.h5 writes' "$work/run.json"
size 125 'value: must be physical, mean or engine' --value real "$run"
"$command" --quiet --record-only --trace-raw "$work/raw.h5" "$work/varied" >"$work/output" 2>&1
"$command" judge --quiet --trace "$work/judged.h5" "$work/raw.h5"
size 0 '^World "world 1": 100 steps' --csv "$work/judged.csv" --json "$work/judged" "$work/judged.h5"

# a recording is judged first: the same numbers, the name of the recording, and no file left behind
mkdir "$work/temporary"
TMPDIR=$work/temporary size 0 '^World "world 1": 100 steps' --csv "$work/raw.csv" --json "$work/raw" "$work/raw.h5"
cmp "$work/judged.csv" "$work/raw.csv" || fail "a recording is sized otherwise than its trace"
grep -q '/raw.h5"' "$work/raw" || fail "the document has another file: $(cut -c 1-200 "$work/raw")"
[ -z "$(ls "$work/temporary")" ] || fail "left behind: $(ls "$work/temporary")"
TMPDIR=$work/none size 125 'none: No such file' "$work/raw.h5"
head -c 20000 "$work/raw.h5" >"$work/part.h5"
TMPDIR=$work/temporary size 125 '' "$work/part.h5"
[ -z "$(ls "$work/temporary")" ] || fail "left behind: $(ls "$work/temporary")"

# the process that reads exits early: no document
cat >"$work/leaves.c" <<'end'
#include <unistd.h>
int prctl(int option, ...) { _exit(option == 1 ? 1 : 0); } // PR_SET_PDEATHSIG
end
$CC -shared -fPIC -o "$work/leaves.so" "$work/leaves.c" || exit 99
LD_PRELOAD=$work/leaves.so size 125 "^kinetostat: $run: it was killed" --json "$work/left" "$run"
[ ! -e "$work/left" ] || fail "a document of a reader that has ended"

# cut off anywhere, or with changed bytes: refused, or read
bytes=$(wc -c <"$run")
for part in 1 2 3 4 5 6 7 8 9; do
    head -c $((bytes * part / 10)) "$run" >"$work/cut.h5"
    "$command" size --quiet "$work/cut.h5" >"$work/report" 2>&1
    case $? in 0 | 125) ;; *) fail "cut off: $(cat "$work/report")" ;; esac
    { head -c $((bytes * part / 10)) "$run"; printf '\377\377\377\377'; tail -c +$((bytes * part / 10 + 5)) "$run"; } >"$work/cut.h5"
    "$command" size --quiet "$work/cut.h5" >"$work/report" 2>&1
    case $? in 0 | 125) ;; *) fail "changed: $(cat "$work/report")" ;; esac
done
exit $failed

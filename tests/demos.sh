#!/bin/sh
# demos.sh  The options of the demos: each works as --help says, or is refused by name.
srcdir=${srcdir:-$(dirname "$0")/..}
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"

# run DEMO OPTION...  its output is in $work/output, its errors in $work/errors, its status in $found
run() {
    demo=$1
    shift
    demos/"$demo" "$@" >"$work/output" 2>"$work/errors"
    found=$?
}

# works DEMO OPTION...
works() {
    run "$@"
    { [ $found = 0 ] && [ ! -s "$work/errors" ]; } || fail "$*: status $found, $(cat "$work/errors")"
}

# refused WORDS DEMO OPTION...  prints this error and the usage, and runs nothing
refused() {
    words=$1
    shift
    run "$@"
    [ $found = 2 ] || fail "$*: status $found"
    [ ! -s "$work/output" ] || fail "$*: there is output"
    [ "$(sed -n 1p "$work/errors")" = "$1: $words" ] || fail "$*: $(cat "$work/errors")"
    sed -n 2p "$work/errors" | grep -q "^usage: $1" || fail "$*: no usage"
}

# differ FILE FILE
differ() {
    ! cmp -s "$1" "$2" || fail "the same: $1, $2"
}

for demo in arm atwood bridge chain crane door exact false_report first fourbar impact incline linkage papers pendulum pile ragdoll rotating_line sources vehicle walker wrist; do
    works $demo --help
    grep -q "^usage: $demo" "$work/output" || fail "$demo --help: $(cat "$work/output")"
done

if [ -x demos/record ]; then
    works record --help
    grep -q "^usage: record" "$work/output" || fail "record --help: $(cat "$work/output")"
    refused '--trace makes no sense here' record --trace
    works record "$work/pendulum.h5"
    if [ -x ./kinetostat ]; then
        # the pendulum's own engine is of first order in its step of 1 ms
        ./kinetostat judge --fail-above 1% "$work/pendulum.h5" >"$work/output" 2>&1 || fail "record: $(cat "$work/output")"
        grep -q ": another engine" "$work/output" || fail "record: $(cat "$work/output")"
        grep -q "1 of 1 joints were judged; 0 fail" "$work/output" || fail "record: $(cat "$work/output")"
        # its bar covers this error, except for 0.0016 % in the first step
        ./kinetostat judge --percentile 100 --fail-above 0.001% "$work/pendulum.h5" >"$work/output" 2>&1
        [ $? = 3 ] || fail "record, 0.001 %: $(cat "$work/output")"
    fi
fi

if [ -x demos/read_trace ]; then
    run read_trace "$work/nosuch.h5"
    { [ $found = 1 ] && [ "$(cat "$work/errors")" = "read_trace: $work/nosuch.h5: cannot be read as HDF5" ]; } ||
        fail "read_trace without a file: status $found, $(cat "$work/errors")"
fi

# options without a meaning for the demo
refused '--csv makes no sense here' first --csv "$work/none"
refused '--stepper makes no sense here' chain --stepper quick
refused '--trace makes no sense here' exact --trace "$work/none.csv"
refused '--time makes no sense here' impact --quiet --time 1
for option in stepper iterations step time trace report json html; do
    refused "--$option makes no sense here" sources --$option 1
done
! grep -q -e --step "$work/errors" || fail "sources: its usage has what it refuses"

# wrong values
refused "unknown argument 'chain.png'" chain chain.png
refused "unknown argument '--steps'" pendulum --steps 10
refused 'a value is missing after --csv' pendulum --csv
refused "--stepper takes world or quick, not 'slow'" pendulum --stepper slow
refused "--iterations takes a whole number from 1 to 100000, not '0'" pendulum --iterations 0
refused "--iterations takes a whole number from 1 to 100000, not '2.5'" pendulum --iterations 2.5
refused "--step takes a number from 1e-06 to 1, not 'nan'" pendulum --step nan
refused "--step takes a number from 1e-06 to 1, not '0.1s'" pendulum --step 0.1s
refused "--time takes a number from 1e-06 to 1.7, not '2'" incline --time 2
refused '--time 1 makes 5 steps of --step 0.2; it has to be 8 to 100000000' pendulum --time 1 --step 0.2
{ [ ! -e "$work/none" ] && [ ! -e "$work/none.csv" ]; } || fail "a refused option made a file"
run pendulum --csv "$work/nowhere/file"
{ [ $found = 1 ] && [ ! -s "$work/output" ]; } || fail "a file that cannot be written: status $found"

# step size and time: the number of lines in the file; 1 s does not hold whole steps of 0.03 s
works pendulum --step 0.03 --time 1 --csv "$work/steps"
[ "$(wc -l <"$work/steps")" = $((1 + 33 + 66 + 132)) ] || fail "--step, --time: $(wc -l <"$work/steps") lines"
[ "$(sed -n 3p "$work/steps" | cut -d, -f1,2)" = 0.030303,0.030303 ] || fail "--step: $(sed -n 3p "$work/steps")"

# quiet: the same file, and no table
short='--step 0.01 --time 0.2'
# shellcheck disable=SC2086
{
    works fourbar $short --csv "$work/told"
    [ -s "$work/output" ] || fail "no table"
    works fourbar $short --csv "$work/quiet" --quiet
    [ ! -s "$work/output" ] || fail "--quiet has output"
    cmp -s "$work/told" "$work/quiet" || fail "--quiet changes the figures"
    # each of these changes the figures
    works fourbar $short --csv "$work/seed" --seed 2
    works fourbar $short --csv "$work/iterations" --iterations 21
    works fourbar $short --csv "$work/world" --stepper world
    works fourbar $short --csv "$work/again" --stepper quick --iterations 20 --seed 1
}
for option in seed iterations world; do
    differ "$work/told" "$work/$option"
done
cmp -s "$work/told" "$work/again" || fail "the defaults are not what --help says"
works sources --seed 1 --csv "$work/first"
works sources --csv "$work/round"
differ "$work/first" "$work/round"

# a quarter of the error for half the step; Lamb's 2 sqrt(3)
works papers --csv "$work/papers"
awk -F, '
    $1 == "sleigh" || $1 == "pivot" {
        if ($1 == last && !(before / $5 > 3 && before / $5 < 5)) bad = 1
        last = $1
        before = $5
    }
    $1 == "links" && $2 == 8 { seen = 1; if (!($4 < 1e-8)) bad = 1 }
    END { exit bad || !seen }' "$work/papers" || fail "papers: $(cat "$work/papers")"

# 20 steps, each with the rope and the hinge
if [ -e libkinetostat-report.la ]; then
    works crane --quiet --time 0.1 --trace "$work/trace.csv" --report "$work/report" --json "$work/json"
    [ "$(wc -l <"$work/trace.csv")" = 41 ] || fail "--trace: $(wc -l <"$work/trace.csv") lines"
    grep -q '^World "crane"' "$work/report" || fail "--report: $(cat "$work/report")"
    grep -q '20 steps, 20 inspected' "$work/report" || fail "--report: $(cat "$work/report")"
    grep -q '"worlds"' "$work/json" || fail "--json: $(cat "$work/json")"
    # a page, or an error before the first step
    run crane --quiet --time 0.1 --html "$work/page.html"
    if [ $found = 0 ]; then
        grep -q '<!DOCTYPE html>' "$work/page.html" || fail "--html: no page"
        grep -q '"crane"' "$work/page.html" || fail "--html: not of this world"
    else
        grep -q 'KS_ERROR_UNAVAILABLE' "$work/errors" || fail "--html: $(cat "$work/errors")"
        [ ! -e "$work/page.html" ] || fail "--html: refused, and there is a file"
    fi
    # worlds with their names; the figures of the demo are the same with and without a trace
    works fourbar --step 0.01 --time 0.2 --csv "$work/watched" --trace "$work/fourbar.csv"
    cmp -s "$work/told" "$work/watched" || fail "--trace changes the figures"
    grep -q '^"four-bar linkage, dWorldQuickStep(20), 10 ms",19,' "$work/fourbar.csv" || fail "fourbar --trace: no world"
    run crane --trace "$work/nowhere/trace.csv"
    { [ $found = 1 ] && grep -q 'No such file' "$work/errors"; } || fail "--trace: status $found, $(cat "$work/errors")"
else
    refused '--trace needs libkinetostat-report, and this demo is built without it' crane --trace "$work/trace.csv"
    works crane --help
    grep -q 'Left out, .*: traces and reports' "$work/output" || fail "crane --help: $(cat "$work/output")"
fi
# the gallery has a picture of each demo whose page shows a run, and no others
for source in "$srcdir"/demos/*.c; do
    demo=$(basename "$source" .c)
    grep -q '\.takes = .*\(KIT_EVERYTHING\|KIT_REPORTS\)' "$source" || continue
    [ -s "$srcdir/demos/pictures/$demo-view.png" ] || fail "the gallery has no picture of $demo"
    grep -q "(pictures/$demo-view.png)" "$srcdir/demos/README.md" || fail "$demo is not in the gallery"
    grep -q "^    \"$demo\": Scene(" "$srcdir/demos/gallery.py" || fail "demos/gallery.py does not draw $demo"
done
grep -o '(pictures/[^)]*)' "$srcdir/demos/README.md" | tr -d '()' | while read -r picture; do
    [ -s "$srcdir/demos/$picture" ] || echo "$picture"
done >"$work/missing"
[ ! -s "$work/missing" ] || fail "not there: $(cat "$work/missing")"
exit $failed

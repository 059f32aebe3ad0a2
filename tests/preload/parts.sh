#!/bin/sh
# parts.sh  Recordings, judged by one process, by shards, and one by one. The merge of the parts, in
# any order and grouping, equals the report of the one process bit by bit. Parts that do not belong
# together, and files that are no reports, are refused. Called with the build directory as the
# current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"

# PARTS_RUNS: number of recordings; the first ones are longer than a window, and have several worlds
# and processes
: "${PARTS_RUNS:=20}"
shards=7
mkdir "$work/runs"
for i in $(seq "$PARTS_RUNS"); do
    case $i in
    1) set -- steps 2500 ;;
    2) set -- steps 1300 threads ;;
    3) set -- steps 30 fork ;;
    *) set -- steps $((20 + 7 * i)) ;;
    esac
    "$command" --param "mass=$((i * i % 17)).5" --param kind=chain --record-only --trace-raw "$work/runs/$i.h5" "$work/subject" quick "$@" \
        >"$work/output" 2>"$work/report" || break
done
# a recording with a record on which the engine asserts
build hostile hostile.c "-I$srcdir -I$srcdir/include $srcdir/plugin/preload/channel.c $ODE_LIBS"
"$command" --record-only --trace-raw "$work/runs/spoilt.h5" "$work/hostile" spoil >"$work/output" 2>"$work/report"

# judged OPTION...  all recordings; the spoilt one makes the status 4
judged() {
    inspect judge --quiet --advise-every 50 "$@" "$work"/runs/*.h5
    expect 4 'spoilt.h5: record 31 is left out' "judge $*"
}

# merged NAME REPORT...
merged() {
    name=$1
    shift
    inspect merge --quiet --save "$work/$name.data" "$@"
    expect 0 '' "merge $*"
}

# refuse TEXT ARGUMENT...  this error, and no report
refuse() {
    words=$1
    shift
    inspect "$@"
    expect 125 "$words" "$*"
    [ ! -s "$work/output" ] || fail "$*: there is a report"
}

# same NAME  NAME.data and each document of it equal the data and documents of one process
same() {
    cmp "$work/whole.data" "$work/$1.data" || fail "$1: data"
    inspect merge --json "$work/$1.json" --runs "$work/$1.csv" --html "$work/$1.html" --junit "$work/$1.xml" --report "$work/$1.txt" \
        "$work/$1.data"
    expect 0 '' "$1: documents"
    for kind in json csv html xml txt; do
        cmp "$work/whole.$kind" "$work/$1.$kind" || fail "$1: $kind"
    done
}

# saved data have no frames
judged --html-fps 0 --save "$work/whole.data" --json "$work/whole.json" --runs "$work/whole.csv" --html "$work/whole.html" --junit "$work/whole.xml" \
    --report "$work/whole.txt"
[ "$(wc -l <"$work/whole.csv")" = $((PARTS_RUNS + 2)) ] || fail "a line for each run"
head -n 1 "$work/whole.csv" | grep -q '^file,program,end,kind,mass,' || fail "columns of parameters"
sed -n 2p "$work/whole.csv" | grep -q 'spoilt.h5,' || fail "the run that was not seen as a whole is not first"
grep -q "runs/3.h5: process 2, world 1\"" "$work/whole.json" || fail "worlds are not called by their files"
size=$(wc -c <"$work/whole.html")
[ "$size" -lt 3000000 ] || fail "a page of $size bytes"

# shards, merged one after the other, all at once, and by any tree
for k in $(seq $shards); do
    inspect judge --quiet --advise-every 50 --shard "$k/$shards" --jobs $((k % 3 + 1)) --save "$work/part$k.data" "$work"/runs/*.h5
    [ $status = 0 ] || [ $status = 4 ] || fail "shard $k: status $status"
done
merged all "$work"/part?.data
same all
seed=1
for tree in 1 2 3; do
    set -- "$work"/part?.data
    while [ $# -gt 1 ]; do
        seed=$(((seed * 1103515245 + 12345) % 2147483648))
        count=$((2 + seed / 65536 % 3))
        [ $count -le $# ] || count=$#
        # merges the first ones, and puts the result at the end
        group=
        for i in $(seq $count); do
            group="$group $1"
            shift
        done
        # shellcheck disable=SC2086
        merged "tree$tree-$#" $group
        set -- "$@" "$work/tree$tree-$#.data"
    done
    cp "$1" "$work/tree$tree.data"
    same "tree$tree"
done
# one report for each recording, as by batch systems
for file in "$work"/runs/*.h5; do
    inspect judge --quiet --advise-every 50 --save "$file.data" "$file"
    [ $status = 0 ] || [ $status = 4 ] || fail "judge $file: status $status"
done
merged each "$work"/runs/*.data
same each

# a missing part is reported; a part that occurs twice, or was judged by other options, is refused
inspect merge --fail-above 5% "$work"/part[1-6].data
expect 3 'not all that was started was inspected as a whole' "six of seven parts"
grep -q '1 of the 7 parts in which it was judged are missing' "$work/output" || fail "six of seven parts: the report"
refuse 'runs/1.h5: part 2 of 7 is in more than one of the reports' merge "$work/part1.data" "$work/part2.data" "$work/part2.data"
refuse 'is in more than one of the reports|in 7 parts and in 0 parts' merge "$work/part1.data" "$work/runs/1.h5.data"
"$command" judge --quiet --advise-every 7 --save "$work/other.data" "$work/runs/9.h5" || fail "judge otherwise: status $?"
refuse 'differs from the first report in' merge "$work/runs/8.h5.data" "$work/other.data"
refuse 'whole.data: is a report of --save, for kinetostat merge' judge "$work/whole.data"
refuse 'is not a report of --save' merge "$work/whole.json"
head -c 5000 "$work/whole.data" >"$work/cut.data"
refuse 'is cut off or damaged' merge "$work/part1.data" "$work/cut.data"
refuse 'No such file' merge "$work/nosuch.data"
refuse 'Is a directory' merge "$work"
refuse 'merge has no --names' merge --names "$work/names" "$work/whole.data"
refuse 'usage: kinetostat merge' merge --quiet
refuse 'cannot change that' merge --fail-above 1% "$work/whole.data"
refuse 'shard 8/7: K/N' judge --shard 8/7 "$work/runs/1.h5"
refuse 'shard is for judge' --shard 1/7 "$work/subject"
inspect judge --quiet --save "$work/twice.data" "$work/runs/9.h5" "$work/runs/9.h5"
expect 0 'is given twice: it is judged once' "a file that is given twice"
# also of a program that runs: its file in the table is the report
"$command" --quiet --param mass=1 --save "$work/live.data" "$work/subject" quick steps 20 >"$work/output" || fail "a live run: status $?"
inspect merge --runs "$work/live.csv" --quiet "$work/live.data" "$work/runs/9.h5.data"
[ $status = 125 ] || fail "merge of what was judged otherwise: status $status"
inspect merge --runs "$work/live.csv" --quiet "$work/live.data"
grep -q "^$work/live.data,$work/subject quick steps 20,exit status 0,1,1,20,8," "$work/live.csv" || fail "a live run: $(cat "$work/live.csv")"
# the same table without a file in between; the same run under another name is refused
"$command" --quiet --param mass=1 --runs "$work/own.csv" "$work/subject" quick steps 20 >"$work/output" || fail "a live table: status $?"
sed "s#^$work/live.data##" "$work/live.csv" | cmp - "$work/own.csv" || fail "a live table: $(cat "$work/own.csv")"
cp "$work/live.data" "$work/copy.data"
refuse 'copy.data: is in more than one of the reports' merge "$work/live.data" "$work/copy.data"
# findings by another percentile are refused unless merge sets the percentile, and then the order of
# the files does not matter
"$command" --quiet --percentile 50 --save "$work/median.data" "$work/subject" quick steps 20 >"$work/output" || fail "a median: status $?"
refuse 'median.data: was made with another --percentile or --floor' merge "$work/live.data" "$work/median.data"
inspect merge --quiet --percentile 90 --save "$work/ninety.data" "$work/live.data" "$work/median.data"
expect 0 '' "merge with a percentile"
inspect merge --quiet --percentile 90 --save "$work/again.data" "$work/median.data" "$work/live.data"
cmp "$work/ninety.data" "$work/again.data" || fail "merge with a percentile: the order counts"
# all parameters of an environment are kept, or nothing is run
KINETOSTAT_PARAM_x=$(head -c 3000 /dev/zero | tr '\0' x) inspect --quiet "$work/subject"
expect 125 'in the environment: KINETOSTAT_PARAM_x=xxx' "a parameter that is too long"

# a slip does not overwrite a recording or a report; a pipe or a device is not read
cp "$work/runs/9.h5" "$work/kept.h5"
refuse 'trace .*kept.h5: is one of the recordings' judge --trace "$work/kept.h5" "$work/kept.h5"
refuse 'save .*kept.h5: is a recording or trace, which would be lost' judge --save "$work/kept.h5" "$work/runs/9.h5"
cmp "$work/runs/9.h5" "$work/kept.h5" || fail "a recording was written over"
refuse 'json .*live.data: is a report of --save, which would be lost' merge --json "$work/live.data" "$work/live.data"
mkfifo "$work/fifo"
for none in "$work/fifo" /dev/zero; do
    refuse 'is a pipe or a device' merge "$work/live.data" "$none"
    refuse 'is a pipe or a device' diff "$none" "$work/live.data"
    refuse 'is a pipe or a device' --baseline "$none" "$work/subject"
done

# a baseline: neither the same run again nor one run of many is worse; another run is, and so are
# missing joints
inspect diff "$work/runs/9.h5.data" "$work/runs/9.h5.data"
expect 0 '' "the same run"
grep -q '^Against the baseline: 0 of 8 joints are worse, by more than 5 %.$' "$work/output" || fail "the same run: $(cat "$work/output")"
inspect diff --junit "$work/diff.xml" "$work/runs/8.h5.data" "$work/runs/1.h5.data"
expect 3 '' "another run"
grep -q '  ! world 1, hinge 1: body 1 .* world: is gone' "$work/output" && fail "another run: a world is called by its file"
refuse 'No such file' diff "$work/live.data" "$work/nosuch.data"
refuse 'is not a report of --save, but a recording' diff "$work/live.data" "$work/runs/9.h5"
refuse 'usage: kinetostat diff' diff --baseline "$work/live.data" "$work/live.data" "$work/live.data"
inspect diff "$work/live.data" "$work/live.data" --tolerance 1% --json "$work/diff.json"
expect 0 '' "options behind the files"
grep -q '"baseline":{"tolerance":0.01,"tests":8,"failures":0,"errors":0,"cases":\[\]}' "$work/diff.json" || fail "diff: no JSON"
# a run that broke off is not worse joint by joint, but unknown; so is a baseline without joints, or
# a part of a recording
"$command" --quiet --save "$work/broken.data" "$work/subject" quick steps 20 crash >"$work/output" 2>&1
inspect diff "$work/live.data" "$work/broken.data"
expect 4 'it did not end well' "a run that broke off"
inspect merge --quiet --max-force 1e9 "$work/broken.data"
expect 4 'it did not end well' "a largest force of a run that broke off"
inspect merge --quiet --max-force 1e9 "$work"/part[1-6].data
expect 4 'not all that was started was inspected' "a largest force of six of seven parts"
"$command" --quiet --joints nobody --save "$work/nobody.data" "$work/subject" quick steps 20 >"$work/output"
inspect diff "$work/nobody.data" "$work/live.data"
expect 4 '' "a baseline without joints"
inspect diff --junit "$work/diff.xml" "$work/whole.data" "$work/runs/8.h5.data"
expect 3 '' "one run of many"
[ "$(grep -c 'is gone"/>' "$work/diff.xml")" = $(($(grep -c '<testcase classname="baseline' "$work/diff.xml") - 8)) ] ||
    fail "one run of many: not all others are gone"
inspect --baseline "$work/live.data" --report "$work/live.txt" "$work/subject" quick steps 20
expect 0 '' "a baseline"
grep -q 'Against the baseline: 0 of 8' "$work/live.txt" || fail "a baseline: no word of it"
inspect --baseline "$work/live.data" --fail-status 7 "$work/subject" quick steps 200
expect 7 'Against the baseline: [1-8] of 8' "a baseline, and a longer run"
inspect judge --quiet --baseline "$work/live.data" "$work/runs/1.h5"
expect 3 '' "judge with a baseline"
inspect --max-force 'hinge 1:*=1' "$work/subject" quick steps 20
expect 3 'more than --max-force hinge 1' "a largest force"
inspect --max-force 1e6 --max-torque 'hinge*=1e6' "$work/subject" quick steps 20
expect 0 'Largest physical loads: 0 are beyond' "a largest force that is not reached"
inspect merge --propose-limits 3 --json "$work/limits.json" "$work/live.data"
expect 0 '' "limits"
grep -q 'Limits proposed: 3 times the physical load that 99.9 %' "$work/output" || fail "limits: none in the text"
grep -q '"proposal":{"factor":3.0,"percentile":99.9' "$work/limits.json" || fail "limits: none in JSON"
refuse 'propose-limits 0: not a number' --propose-limits 0 "$work/subject"
inspect merge --quiet --max-force 'elbow=1' "$work/live.data"
expect 4 '' "a largest force of no joint"
refuse 'max-force elbow: not a number' --max-force elbow "$work/subject"
refuse 'is not a report of --save' --baseline "$work/whole.json" "$work/subject"
refuse 'usage: kinetostat diff' diff "$work/live.data"

exit $failed

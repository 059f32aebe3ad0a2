#!/bin/sh
# hostile.sh  The command kinetostat with programs that write anything into the shared memory, and
# with recordings made to harm: there is a report, and it names the lost steps. Called with the
# build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build hostile hostile.c "-I$srcdir -I$srcdir/include $srcdir/plugin/preload/channel.c $ODE_LIBS"

# no control character but the end of a line
isClean() {
    [ "$(LC_ALL=C tr -d '\n\040-\176\200-\377' <"$1" | wc -c)" = 0 ] || fail "$2: control characters"
    iconv -f UTF-8 -t UTF-8 "$1" >/dev/null || fail "$2: no UTF-8"
}

for way in shrink "positions 100" files; do
    # shellcheck disable=SC2086
    inspect --all --json "$work/json" "$work/hostile" $way
    expect 0 '20 steps, 20 inspected' "a hostile program: $way"
    grep -q '"inspected":20,' "$work/json" || fail "a hostile program: $way: JSON"
    isClean "$work/report" "a hostile program: $way"
done

inspect "$work/hostile" texts
expect 0 'was not inspected' "a hostile program: texts"
isClean "$work/report" "a hostile program: texts"

# a record that crashes the engine costs some records; the others are judged
inspect --advise-every 2 --all --json "$work/json" "$work/hostile" spoil
expect 4 'recorded steps are not judged: judging failed: assertion' "a record on which the engine asserts"
grep -Eq '"seen":40,"inspected":[1-9]' "$work/json" || fail "a record on which the engine asserts: JSON"
expect 4 'were not judged: judging failed: assertion' "a record on which the engine asserts: the report"

# The new judge knows all processes, also those that started after it was made. Processes are
# numbered in the order of their first records, in which the last two may overtake each other.
# shellcheck disable=SC2016
inspect --all --json "$work/json" sh -c 'for i in 1 2 3 4 5; do "$1" quick steps 5; done; "$2" spoil' - "$subject" "$work/hostile"
expect 4 'recorded steps are not judged: judging failed: assertion' "the last process, on which the engine asserts"
grep -Eq 'World "process [56] \(hostile\), world 1"' "$work/report" || fail "the last process is called otherwise: $(grep '^World' "$work/report")"

# With a trace, which only one process can write, the judging ends there; the program does not.
"$work/hostile" spoil >"$work/plain"
inspect --trace "$work/trace.csv" "$work/hostile" spoil
expect 125 'judging failed: assertion .*: there is no report of what came later' "a trace, and a record on which the engine asserts"
cmp "$work/plain" "$work/output" || fail "a trace, and a record on which the engine asserts: the program's output"

# of a recording only that record is left out, by several threads, by one, and in order
inspect --record-only --trace-raw "$work/spoilt.h5" "$work/hostile" spoil
for way in "--jobs 2" "--jobs 1" "--trace $work/trace.csv"; do
    # shellcheck disable=SC2086
    inspect judge $way --advise-every 2 --json "$work/json" "$work/spoilt.h5"
    expect 4 'record 31 is left out, since judging it failed: assertion' "$way: a recording on which the engine asserts"
    grep -q '"seen":40,"inspected":39,' "$work/json" || fail "$way: a recording on which the engine asserts: JSON"
    grep -q 'record 31 was left out' "$work/output" || fail "$way: a recording on which the engine asserts: the report"
done

# names that a terminal or a spreadsheet would execute; a field that begins with one of these signs
# is text
printf '1 =1+1\n2 \033[31m+red\n3 @\377end\n' >"$work/names"
inspect --names "$work/names" --trace "$work/trace.csv" --json "$work/json" "$work/hostile"
expect 0 '=1\+1' "names"
for file in report json trace.csv; do
    isClean "$work/$file" "names in $file"
done
grep -Eq "(^|,|\")[=+@-][^0-9]" "$work/trace.csv" && fail "names in trace.csv: a formula"
grep -q ",'=1+1," "$work/trace.csv" || fail "names in trace.csv: no =1+1"

exit $failed

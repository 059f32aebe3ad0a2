#!/bin/sh
# whole.sh  The command kinetostat with failures: runs that crash, processes that were not
# inspected, files that cannot be written; and the names of runs. Called with the build directory as
# the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build two.so other.c "-fPIC -shared"
build wrapper.so wrapper.c "-fPIC -shared -ldl"
build lookup lookup.c -ldl
engine=$(ldd "$subject" | sed -n 's/.*libode[^ ]* => \([^ ]*\).*/\1/p')

# holds FILE TEXT WHAT  TEXT: a pattern
holds() {
    grep -Eq -- "$2" "$1" || {
        fail "$3: nothing like \"$2\" in ${1##*/}:"
        head -c 1500 "$1"
    }
}

# lacks FILE TEXT WHAT
lacks() {
    ! grep -Eq -- "$2" "$1" || fail "$3: \"$2\" is in ${1##*/}"
}

# documents OPTION... PROGRAM...  a run with all of them
documents() {
    inspect --json "$work/json" --junit "$work/junit" --html "$work/html" "$@"
    if grep -q 'without dygraphs' "$work/report"; then
        : >"$work/html"
        inspect --json "$work/json" --junit "$work/junit" "$@"
    fi
}

# page TEXT WHAT  the text is in the page, if this build has pages
page() {
    [ ! -s "$work/html" ] || holds "$work/html" "$1" "$2"
}

# a crash in a step: the step and the body, whether the step was to be recorded or not
crashes() {
    stepper=$1 way=$2 quantity=$3
    shift 3
    # shellcheck disable=SC2086
    documents "$@" "$subject" $stepper $way
    what="$* $stepper $way"
    end="killed by SIGABRT in step 100 of world 1, at 0.5 s: the $quantity of body 5 is not finite"
    expect 134 "^! $end" "$what"
    holds "$work/junit" "<testsuites.* errors=\"1\"" "$what"
    holds "$work/junit" "<error type=\"SIGABRT\" message=\"$end\"/>" "$what"
    lacks "$work/junit" "Nothing:" "$what"
    holds "$work/json" "\"runs\":\[\{.*\"signal\":\"SIGABRT\".*\"lastStep\":\{\"world\":1,\"step\":100,\"time\":0.5,\"ended\":false,\"exact\":false\}" "$what"
    holds "$work/json" '"notFinite":\{"world":1,"step":100,"time":0.5,"body":5,' "$what"
    page "<title>.*subject.* $way \\(SIGABRT\\): joint forces</title>" "$what"
}
crashes "" force force
crashes quick force force
crashes quick spin "angular velocity"
crashes quick force force --every 7
crashes "" force force --overhead 5%
inspect "$subject" explode
expect 134 '^! killed by SIGABRT in step 100 of world 1, at 0.5 s: the .* of body [1-8] is not finite' "a body that breaks down in the step"
# a crash between two steps, another status, a body with a NaN that the engine does not check
documents "$subject" quick crash
expect 139 '^! killed by SIGSEGV after step 199 of world 1, at 0.995 s' "a crash after a step"
holds "$work/junit" '<error type="SIGSEGV"' "a crash after a step"
documents "$subject" quick fail
expect 7 '^! exit status 7' "another status"
holds "$work/junit" '<error type="exit status" message="exit status 7"/>' "another status"
holds "$work/json" '"status":7,"signal":null' "another status"
documents "$subject" quiet
expect 0 '^! exit status 0: the velocity of body 9 is not finite from step 100 on' "a body that the engine does not notice"
holds "$work/junit" '<error type="not finite"' "a body that the engine does not notice"
inspect --fail-above 5% "$subject" quiet
expect 4 'a body is not finite' "a limit, and a body that the engine does not notice"

# the description of a run
documents "$subject" steps 20
expect 0 "^$subject steps 20\$" "a run"
holds "$work/report" 'exit status 0' "a run"
holds "$work/report" 'Started 20[0-9-]*T[0-9:]*Z; engine libode' "a run"
holds "$work/json" "\"runs\":\\[\\{\"program\":\"$subject\",\"arguments\":\\[\"steps\",\"20\"\\],\"date\":\"20[0-9TZ:-]*\",\"engine\":\"libode[^\"]*\",.*\"good\":true,\"status\":0" "a run"
holds "$work/junit" 'property name="command" value=".*subject steps 20"' "a run"
holds "$work/junit" '<testsuites.* errors="0"' "a run"
page "<title>$subject steps 20: joint forces</title>" "a run"

# places are used again, and processes that are not inspected are counted
# shellcheck disable=SC2016
inspect --all --fail-above 5% sh -c 'i=0; while [ $i -lt 70 ]; do "$1" steps 2; i=$((i + 1)); done; "$1" quick' - "$subject"
expect 3 '' "the last of many processes fails"
[ "$(grep -c '^World' "$work/report")" = 71 ] || fail "many processes: $(grep -c '^World' "$work/report") worlds"
# shellcheck disable=SC2016
inspect --fail-above 5% sh -c 'i=0; while [ $i -lt 70 ]; do "$1" steps 2 other "$2"; i=$((i + 1)); done; "$1"' - "$subject" "$work/two.so"
expect 4 '^! subject \(70 processes\) was not inspected: .*more than one engine: libode.* and two.so' "processes that are not inspected"
# shellcheck disable=SC2016
inspect --fail-above 5% sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do "$1" steps 2 other "$2" & done; wait; "$1" quick' - "$subject" "$work/two.so"
expect 3 'subject \(10 processes\) was not' "a joint that fails, and processes that are not inspected"
# shellcheck disable=SC2016
inspect --fail-above 5% --junit "$work/junit" sh -c '"$1"; "$1" force; exit 0' - "$subject"
expect 4 'subject was not inspected as a whole: it died in step 100 of world 1, at 0.5 s: the force of body 5 is not finite' "a child that dies"
holds "$work/junit" '<error type="not inspected" message="subject was not inspected as a whole' "a child that dies"
inspect --value converged --fail-above 5% --buffer 64k "$subject" quick steps 3
expect 3 '' "a small buffer"
# shellcheck disable=SC2016
inspect --fail-above 5% sh -c '"$1" steps 1000000000 >/dev/null & echo $!; sleep 1; exit 0' - "$subject"
expect 4 'subject was not inspected as a whole: it kept running after the program had ended' "a process that is left behind"
kill "$(head -n 1 "$work/output")"
inspect --fail-above 5% true
expect 4 'no joint was judged' "nothing at all"
inspect --json "$work/json" --junit "$work/junit" true
expect 0 'true was not inspected' "nothing at all, without a limit"
holds "$work/json" '"good":false,"status":0' "nothing at all"
holds "$work/junit" '<testsuites.* errors="1"' "nothing at all"
inspect --fail-above 5% "$subject"
expect 0 '' "all of it"

# a motion that no joint explains passes no guard, unless it is suppressed; JUnit has the requested
# tests
inspect --value converged --fail-above 5% --junit "$work/junit" --gen-suppressions "$work/found" "$subject" hold
expect 4 'hinge 8: body 8 – body 7: the motion is not explained in 200 of 200 steps.*: --fail-above fails' "a motion that is not explained"
holds "$work/report" 'The reported forces do not explain the motion in up to 200 steps of a joint' "a motion that is not explained"
lacks "$work/report" 'Nothing: no joint fails' "a motion that is not explained"
holds "$work/junit" '<testsuites.* failures="0" .* errors="[1-9]' "a motion that is not explained"
# and the engine's force is not the force of the mechanism
inspect --fail-above 5% "$subject" hold
expect 3 'The reported forces do not explain the motion in up to 200 steps of a joint' "a motion that is not explained, against physical"
inspect --max-force 1e9 "$subject" hold
expect 4 'not known, or not unique, in 200 of 200 steps' "a load, and a motion that is not explained"
inspect --value converged --fail-above 5% --suppress "$work/found" "$subject" hold
expect 0 'findings suppressed: "unexplained, hinge 8: body 8 – body 7" 1' "a motion that is suppressed"
inspect --suppress "$work/found" "$subject"
expect 0 'Entries of --suppress that match nothing: "unexplained, hinge 8' "suppressions that are not used"
echo '{' >"$work/wrong"
inspect --suppress "$work/wrong" "$subject"
expect 125 'wrong:2: the last entry does not end with }' "wrong suppressions"
inspect --junit "$work/junit" "$subject" quick
expect 0 '!' "joints that fail by no limit that was asked for"
holds "$work/junit" '<testsuites.* failures="0"' "joints that fail by no limit that was asked for"
inspect --junit "$work/junit" --max-force 1e9 "$subject" quick
expect 0 '' "joints that fail by no limit, with one of their load"
holds "$work/junit" '<testsuites name="kinetostat" tests="9" failures="0" skipped="0" errors="0" time="1">' "joints that fail by no limit, with one of their load"
inspect --junit "$work/junit" --fail-above 5% "$subject" quick
expect 3 '' "joints that fail"
holds "$work/junit" '<testsuites.* failures="[1-9]' "joints that fail"
# A world with joints that was never stepped, beside one that was, is not judged: a world of the
# program, or of a host in another run. A world without joints does not count.
for guard in "--fail-above 100%" "--max-force 1e9"; do
    for way in idle left; do
        # shellcheck disable=SC2086
        inspect $guard --junit "$work/junit" "$subject" $way
        expect 4 'subject was not inspected as a whole: it has made 1 world with joints, and no step of it was seen' "$guard, $way"
        holds "$work/junit" '<error type="not inspected" message="subject was not inspected as a whole' "$guard, $way"
    done
    for way in empty fork; do
        # shellcheck disable=SC2086
        inspect $guard "$subject" $way
        expect 0 '' "$guard, $way"
    done
done
inspect --world 1 --max-force 1e9 "$subject" idle
expect 0 '' "another world was asked for"
# of several runs, one that never stepped
inspect --quiet --save "$work/a.data" "$subject" steps 20
if inspect --quiet --record-only --trace-raw "$work/never.h5" "$subject" never && [ "$status" = 0 ]; then
    "$command" judge --quiet --save "$work/b.data" "$work/never.h5" 2>"$work/report"
    inspect merge --fail-above 5% "$work/a.data"
    expect 0 '' "merge of a run"
    inspect merge --fail-above 5% --junit "$work/junit" "$work/a.data" "$work/b.data"
    expect 4 'the test fails' "merge of a run that never stepped"
    holds "$work/junit" 'errors="[1-9]' "merge of a run that never stepped"
fi

# files that cannot be written are refused before the run
for option in report json junit html trace trace-raw; do
    inspect --$option "$work/nosuch/file.h5" "$subject"
    expect 125 "--$option $work/nosuch/file.h5: cannot be written: No such file" "--$option into no folder"
    [ ! -s "$work/output" ] || fail "--$option into no folder: it was run"
    inspect --$option "$work" "$subject"
    expect 125 "--$option $work: cannot be written: Is a directory" "--$option onto a folder"
done
echo kept >"$work/kept"
inspect --json "$work/kept" "$work/nosuch"
[ "$(cat "$work/kept")" = kept ] || fail "a document of no program: the last one is gone"
cp "$work/kept" "$work/kept.csv"
for program in "$work/nosuch" "$srcdir"; do
    inspect --trace "$work/kept.csv" --trace-raw "$work/kept" "$program"
    [ "$(cat "$work/kept.csv" "$work/kept" | grep -c kept)" = 2 ] || fail "a trace of no program: the last one is gone"
done
inspect --json "$work/kept" --html "$work/kept" "$subject"
expect 125 '--json and --html: both are' "two documents in one file"
[ "$(cat "$work/kept")" = kept ] || fail "two documents in one file: the last one is gone"
inspect ''
expect 127 'No such file' "a program without a name"
printf 'true\n' >"$work/script"
chmod +x "$work/script"
inspect "$work/script"
expect 126 'after #!' "a script without an interpreter"
inspect env -i "$subject"
expect 0 'became a program without the wrapper' "a program without the environment"
inspect --json /dev/null --report /dev/null "$subject" steps 3
expect 0 '' "documents into nothing"

# names, from the host and from a file
build named named.c "-I$srcdir/include -L.libs -lkinetostat$precision $ODE_LIBS -Wl,-rpath,$PWD/.libs"
"$work/named" || fail "a host that names its joints: status $?"
inspect --json "$work/json" "$work/named"
expect 0 'shoulder' "names of a host"
for name in shoulder 'elbow <left>' hand 'hinge 4: body 2 – body 1'; do
    holds "$work/json" "\"name\":\"$name\"" "names of a host"
done
lacks "$work/json" '"name":"wrist"' "a name that was taken away"
printf '# a chain\n1 hip\n\nhinge 2: left knee\n 3,  ankle \r\n' >"$work/names"
inspect --names "$work/names" --joints '*k*' "$subject" quick
expect 0 'left knee' "names of a file"
holds "$work/report" ' ankle' "names of a file"
lacks "$work/report" 'hip.*\||hinge 4' "names of a file, by a pattern"
holds "$work/report" 'names: no joint of the report is called "hip"$' "names of a file, of which one is left out"
printf '1 hip\n99 toe\nhinge 99 heel\n' >"$work/slip"
inspect --quiet --names "$work/slip" "$subject" quick
expect 0 'slip: no joint of the report is called ".*", nor by 1 other name$' "names that no joint has"
inspect --names "$work/names" --json "$work/json" "$work/named"
holds "$work/json" '"name":"shoulder"' "a name of a file for a joint that has one"
lacks "$work/json" '"name":"hip"' "a name of a file for a joint that has one"
# a recording keeps all names; judge may replace them
awk 'BEGIN { for (i = 9; i < 3000; i++) print i, "joint that is called", i }' >>"$work/names"
inspect --names "$work/names" --json "$work/json" --trace-raw "$work/raw.h5" "$work/named"
"$command" judge --quiet --json "$work/judged" "$work/raw.h5" || fail "judge with names: status $?"
cmp "$work/json" "$work/judged" || fail "judge: names of a host"
inspect --names "$work/names" --record-only --trace-raw "$work/raw.h5" "$subject" quick
expect 0 '' "names for later"
inspect --record-only --trace-raw "$work/other.h5" "$subject" quick steps 30
for jobs in 1 2; do
    "$command" judge --all --jobs $jobs "$work/raw.h5" "$work/other.h5" >"$work/report" || fail "judge two: status $?"
    [ "$(grep -c '^[ !]* ankle .*|.*|.*|' "$work/report")" = 1 ] || fail "judge: names of the wrong recording, or none"
done
"$command" judge --all --trace "$work/a.csv" "$work/other.h5" "$work/raw.h5" >"$work/report"
[ "$(grep -c '^[ !]* ankle .*|.*|.*|' "$work/report")" = 1 ] || fail "judge in order: names of the wrong recording, or none"
echo '3 heel' >"$work/others"
"$command" judge --all --names "$work/others" "$work/raw.h5" >"$work/report"
holds "$work/report" ' heel' "judge: other names"
lacks "$work/report" ' ankle| hip' "judge: other names"
for wrong in 'x' '1' '0 zero' 'hinge elbow' 'hing 1 elbow' '1 a
1 b' ''; do
    echo "$wrong" >"$work/wrong"
    inspect --names "$work/wrong" "$subject"
    expect 125 '--names .*wrong' "names: $wrong"
done

# steps of the library, alone and among those of the engine
for quick in 0 40; do
    "$work/named" exact $quick >"$work/plain" || fail "exact steps: status $?"
    inspect --json "$work/json" --fail-above 1000% "$work/named" exact $quick
    cmp "$work/plain" "$work/output" || fail "exact steps: the motion under the command"
    if [ $quick = 0 ]; then
        expect 4 'named was not inspected: it steps by ksInspectorExactStep' "steps of the library"
    else
        expect 0 '100 steps, 40 inspected, from 0.3 to' "steps of the library, then of the engine"
    fi
done

# the end of a program in an exact step
inspect --json "$work/json" "$work/named" exact 0 abort
expect 134 '^! killed by SIGABRT in step 60 of world 1, at 0.3 s, an exact step\.$' "an abort in an exact step"
holds "$work/json" '"lastStep":\{"world":1,"step":60,"time":0.3,"ended":false,"exact":true\}' "an abort in an exact step"
inspect "$work/named" exact 50 abort
expect 134 '^! killed by SIGABRT in step 60 of world 1, at 0.3 s\.$' "an abort in a step of the engine after exact ones"
# shellcheck disable=SC2016
inspect --fail-above 1000% sh -c '"$1" exact 0 abort; "$2"' - "$work/named" "$subject"
expect 4 'it died in step 60 of world 1, at 0.3 s, an exact step' "a child that dies in an exact step"

# functions that a program looks up by name
python=/usr/bin/python3
[ -x $python ] || python=python3
"$work/lookup" "$engine" | sed 's/^step of the engine: .*/step of the engine: kinetostat-preload.so/' >"$work/plain"
inspect "$work/lookup" "$engine"
cmp "$work/plain" "$work/output" || fail "dlsym: $(diff "$work/plain" "$work/output")"
if $python -c 'import ctypes' 2>/dev/null; then
    $python "$srcdir/tests/preload/by_ctypes.py" "$engine" >"$work/plain"
    inspect $python "$srcdir/tests/preload/by_ctypes.py" "$engine"
    expect 0 '100 steps, 100 inspected' "ctypes"
    cmp "$work/plain" "$work/output" || fail "ctypes: output"
    holds "$work/report" "^$python .*by_ctypes.py" "ctypes"
    inspect $python -c 'print(1)'
    expect 0 'python3 -c was not inspected: it does not use ODE' "a process of an interpreter"
    inspect $python -E -m this
    expect 0 'python3 -m this was not inspected: it does not use ODE' "a module of an interpreter"
    inspect $python -E </dev/null
    expect 0 'python3 was not inspected: it does not use ODE' "an interpreter without a script"
    inspect $python "$srcdir/tests/preload/by_ctypes.py" "$work/nosuch"
    expect 1 'python3 by_ctypes.py was not inspected' "a script that fails"
fi
"$subject" quick >"$work/plain"
LD_PRELOAD="$work/wrapper.so${LD_PRELOAD:+:$LD_PRELOAD}" inspect "$subject" quick
expect 0 '200 steps, 200 inspected' "another object that was preloaded"
holds "$work/report" 'wrapper: 20[0-9] steps' "another object that was preloaded"
cmp "$work/plain" "$work/output" || fail "another object that was preloaded: output"

# recordings: of a run that never steps, in place of an older one; of a run that crashed; and other
# files
inspect --trace-raw "$work/raw.h5" "$subject" quick steps 5
for option in "" --record-only; do
    # shellcheck disable=SC2086
    inspect $option --trace-raw "$work/raw.h5" "$subject" never
    expect 0 'subject was not inspected: .*never stepped' "a recording of no step"
    inspect judge --fail-above 5% --json "$work/json" "$work/raw.h5"
    expect 4 'raw.h5: holds no step: none was made' "judge of no step"
    holds "$work/json" '"arguments":\["never"\].*"good":false,"status":0' "judge of no step"
done
inspect --fail-above 90% --trace-raw "$work/raw.h5" --junit "$work/a" --json "$work/a.json" "$subject" quick force
expect 134 '' "a run that crashed, with a limit"
"$command" judge --quiet --fail-above 90% --junit "$work/b" --json "$work/b.json" "$work/raw.h5" 2>"$work/report"
status=$?
expect 4 'a body is not finite' "a recording of a run that crashed"
cmp "$work/a.json" "$work/b.json" || fail "a recording of a run that crashed"
cmp "$work/a" "$work/b" || fail "a recording of a run that crashed: JUnit"
inspect --trace "$work/trace.h5" "$subject" steps 5
inspect judge "$work/trace.h5"
expect 125 'trace.h5: is a trace of --trace .*; judge reads what --trace-raw' "judge of a trace"
inspect --trace "$work/trace.csv" "$subject" steps 5
inspect judge "$work/trace.csv"
expect 125 'is a trace of --trace as CSV, not as HDF5; .*--trace-raw' "judge of a trace as CSV"
inspect judge "$work/a.json"
expect 125 'is a report as JSON' "judge of a report"
inspect judge "$work"
expect 125 'is a folder' "judge of a folder"
: >"$work/empty"
inspect judge "$work/empty"
expect 125 'is empty' "judge of an empty file"
head -c 300 "$work/raw.h5" >"$work/cut.h5"
inspect judge "$work/cut.h5"
expect 125 'HDF5, but cut off' "judge of a part of a file"

# a budget leaves most of the steps out
inspect --overhead 1% --advise-every 0 --json "$work/json" "$subject" quick steps 20000
expect 0 '20000 steps, [0-9]{1,4} inspected' "a small budget"

exit $failed

#!/bin/sh
# run.sh  The command kinetostat on programs without Kinetostat: their output, status and signals
# are unchanged; a program that cannot be inspected is refused by name; recordings have the reports
# of the runs. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
build late late.c -ldl
build module.so module.c "-fPIC -shared $ODE_LIBS"
build other.so other.c "-fPIC -shared"

# output, status and signals
for way in "" "quick" "fail" "quick fail"; do
    # shellcheck disable=SC2086
    "$subject" $way >"$work/plain"
    expected=$?
    # shellcheck disable=SC2086
    inspect "$subject" $way
    expect "$expected" '200 steps, 200 inspected' "subject $way"
    cmp "$work/plain" "$work/output" || fail "subject $way: its output"
done
inspect "$subject" quick crash
expect 139 '200 steps, 200 inspected' "a crash"
cmp "$work/plain" "$work/output" || fail "a crash: output"

# a step that longjmp leaves is seen and not inspected; the steps after it are inspected
"$subject" jump >"$work/plain"
inspect "$subject" jump
expect 0 '110 steps, 109 inspected' "a step that was left"
cmp "$work/plain" "$work/output" || fail "a step that was left: output"

# options that do not go together, and ambiguous numbers
refuse() {
    words=$1
    shift
    "$command" "$@" "$subject" >"$work/output" 2>"$work/report"
    status=$?
    expect 125 "$words" "$*"
}
refuse 'judges nothing' --record-only --trace-raw "$work/raw.h5" --json "$work/json"
refuse 'judges nothing' --record-only --trace-raw "$work/raw.h5" --fail-above 5%
refuse 'for the run that records' judge --every 2
refuse 'for the run that records' judge --param a=1
refuse 'param mass: NAME=VALUE' --param mass
refuse 'must be before --until' --from 3 --until 1
refuse 'percentile from 1' --percentile 0.95
refuse 'a share' --fail-above 5
refuse 'judges nothing' --record-only --trace-raw "$work/raw.h5" --view
# without the view an error before anything is run; with it nobody looks, and the command waits for
# ten seconds
TMPDIR=$work inspect --quiet --view "$subject" quick
if grep -q 'without libmicrohttpd' "$work/report"; then
    expect 125 'without libmicrohttpd' "--view without the view"
    [ ! -s "$work/output" ] || fail "--view without the view: it was run"
else
    expect 0 'look at http://127.0.0.1:' "--view, at which nobody looks"
    "$subject" quick | cmp - "$work/output" || fail "--view, at which nobody looks: the program's output"
fi
rm -f "$work/page.html"
inspect --html "$work/page.html" "$work/nosuch"
if [ "$status" != 127 ] || [ -e "$work/page.html" ]; then
    fail "a page of no program: status $status"
fi

# killed in mid-run by each signal
for pair in TERM=143 KILL=137 ALRM=142; do
    signal=${pair%=*}
    rm -f "$work/json"
    "$command" --report "$work/report" --json "$work/json" --trace-raw "$work/raw.h5" "$subject" quick loop \
        >"$work/output" 2>"$work/errors" &
    await [ -s "$work/json" ]
    # the program is the only child of the command
    killed "$signal" "$subject quick loop" || fail "SIG$signal: no program to kill"
    wait $!
    status=$?
    expect "${pair#*=}" '8 of 8 joints were judged' "SIG$signal"
    [ -s "$work/json" ] || fail "SIG$signal: no JSON"
done

# A pipe gets only the last version. The program does not wait for a reader of the pipe, and a
# signal ends the command that does.
mkfifo "$work/fifo"
"$command" --quiet --report "$work/fifo" --json "$work/json" "$subject" quick loop >"$work/output" 2>"$work/errors" &
own=$!
rm -f "$work/json"
await [ -s "$work/json" ]
killed KILL "$subject quick loop"
cat "$work/fifo" >"$work/report"
wait $own
status=$?
expect 137 '8 of 8 joints were judged' "a pipe"
[ "$(grep -c '^World' "$work/report")" = 1 ] || fail "a pipe: $(grep -c '^World' "$work/report") versions"
"$command" --quiet --report "$work/fifo" "$subject" quick >"$work/output" 2>"$work/errors" &
own=$!
# shellcheck disable=SC2317
isEnded() {
    [ -z "$(processes "$subject quick")" ] && kill -TERM "$own" && ! grep -q . "/proc/$own/cmdline"
}
await isEnded
wait $own
status=$?
expect 143 '' "a pipe that nobody reads"
# the output of the program stays
"$subject" quick >"$work/plain"
"$command" --quiet --report /dev/stdout "$subject" quick >"$work/output"
head -n "$(wc -l <"$work/plain")" "$work/output" | cmp - "$work/plain" || fail "/dev/stdout: the program's output"
grep -q '8 of 8 joints were judged' "$work/output" || fail "/dev/stdout: no report"

# a signal to the command goes to the program; SIGUSR1 asks for the report so far
"$command" "$subject" quick loop >"$work/output" 2>"$work/report" &
own=$!
await running "$subject quick loop"
# asked until there is a first report
# shellcheck disable=SC2317
interim() {
    kill -USR1 "$own"
    grep -q 'steps, .* inspected' "$work/report"
}
await interim
kill -TERM $own
wait $own
status=$?
expect 143 '' "a signal to the command"
[ -z "$(processes "$subject quick loop")" ] || fail "a signal to the command: the program is still there"

# a recording is judged as the run was
inspect --json "$work/a.json" --report "$work/a" --trace-raw "$work/raw.h5" "$subject" quick steps 2500
expect 0 '' "a recording"
"$command" judge --json "$work/b.json" --report "$work/b" "$work/raw.h5" || fail "judge: status $?"
cmp "$work/a.json" "$work/b.json" || fail "judge: JSON"
cmp "$work/a" "$work/b" || fail "judge: text"
"$command" judge --jobs 1 --json "$work/b.json" --quiet "$work/raw.h5" || fail "judge by one thread: status $?"
cmp "$work/a.json" "$work/b.json" || fail "judge by one thread: JSON"
# parameters are kept: the command line has priority over the environment
KINETOSTAT_PARAM_mass=1 KINETOSTAT_PARAM_seed=7 "$command" --param mass=2.5 --json "$work/a.json" --report "$work/a" \
    --junit "$work/a.xml" --trace-raw "$work/raw.h5" "$subject" quick >"$work/output" || fail "parameters: status $?"
"$command" judge --json "$work/b.json" --quiet "$work/raw.h5" || fail "judge with parameters: status $?"
cmp "$work/a.json" "$work/b.json" || fail "judge with parameters: JSON"
grep -q '"parameters":{"mass":"2.5","seed":"7"}' "$work/a.json" || fail "parameters: JSON"
grep -q '  With mass=2.5, seed=7.' "$work/a" || fail "parameters: text"
grep -q 'name="parameter" value="mass=2.5"' "$work/a.xml" || fail "parameters: JUnit"
inspect --every 7 --json "$work/a.json" --trace-raw "$work/raw.h5" "$subject" quick
"$command" judge --json "$work/b.json" --quiet "$work/raw.h5" || fail "judge of some steps: status $?"
cmp "$work/a.json" "$work/b.json" || fail "judge of some steps: JSON"
# a full disk: the recording has the steps that fitted; the file of the shared memory is smaller
# than the limit
(
    ulimit -f 4096
    "$command" --record-only --trace-raw "$work/full.h5" "$subject" quick steps 60000 >"$work/output" \
        2>"$work/report"
)
status=$?
expect 125 'full.h5: File too large' "a full disk"
"$command" judge --advise-every 0 --report "$work/report" "$work/full.h5"
status=$?
expect 0 '8 of 8 joints were judged' "a recording that ends where the disk was full"
# the time series, in the run and later
inspect --trace "$work/a.csv" --trace-raw "$work/raw.h5" "$subject" quick
"$command" judge --quiet --trace "$work/b.csv" "$work/raw.h5" || fail "judge with a trace: status $?"
cmp "$work/a.csv" "$work/b.csv" || fail "judge with a trace: CSV"
# worlds come later, and each opens an HDF5 file again
inspect --trace "$work/a.h5" "$subject" quick threads
expect 0 '' "a trace as HDF5"
"$command" judge --quiet --trace "$work/b.h5" "$work/raw.h5" || fail "judge with a trace as HDF5: status $?"
[ "$(wc -l <"$work/a.csv")" = 1601 ] || fail "a trace: $(wc -l <"$work/a.csv") lines"
# a host that records its own steps: the reports of its recording, of the host and of the
# command are equal
build host host.c "-I$srcdir/include -L.libs -lkinetostat-report$precision -lkinetostat$precision $ODE_LIBS -Wl,-rpath,$PWD/.libs"
"$work/host" "$work/raw.h5" >"$work/a.json" || fail "a host that records: status $?"
"$command" judge --quiet --json "$work/b.json" "$work/raw.h5" || fail "judge of a host's recording: status $?"
sed 's/"advice":\[[^]]*\]//g' "$work/a.json" >"$work/a"
# the host's own report has no run
sed 's/"advice":\[[^]]*\]//g; s/"runs":\[.*\],"units"/"runs":[],"units"/' "$work/b.json" >"$work/b"
cmp "$work/a" "$work/b" || fail "judge of a host's recording: JSON"
inspect --json "$work/b.json" "$work/host"
expect 0 '600 steps, 600 inspected' "a program that could record"
# except for the run, which a host does not know, and the advice, which depends on the reader
sed 's/"advice":\[[^]]*\]//g' "$work/a.json" >"$work/a"
sed 's/"advice":\[[^]]*\]//g; s/"runs":\[.*\],"units"/"runs":[],"units"/' "$work/b.json" >"$work/b"
cmp "$work/a" "$work/b" || fail "a host's report is not that of the command"
grep -q '"iterations":1000' "$work/a.json" || fail "a host's report: no table of iterations"
# a host that inspects itself: worlds of Kinetostat do not count as worlds of the program
inspect --json "$work/b.json" --advise-every 0 "$work/host" "$work/raw.h5"
expect 0 '600 steps, 600 inspected' "a host that inspects itself"
[ "$(grep -o '"seen":' "$work/b.json" | wc -l)" = 1 ] || fail "a host that inspects itself: more than its world"
grep -q '"unseenProcesses":0' "$work/b.json" || fail "a host that inspects itself: worlds that are not the program's"
# killed while it records: the recording has the steps so far
rm -f "$work/raw.h5"
"$command" --record-only --trace-raw "$work/raw.h5" "$subject" quick loop >"$work/output" 2>"$work/errors" &
own=$!
# a copy is read: opening a file may disturb its writer
# shellcheck disable=SC2317
hasSteps() {
    cp "$work/raw.h5" "$work/copy.h5" && "$command" judge --advise-every 0 --report "$work/report" "$work/copy.h5" &&
        grep -q 'hinge 8: body 8' "$work/report"
}
await hasSteps
kill -KILL $own
killed KILL "$subject quick loop"
wait $own 2>/dev/null
"$command" judge --report "$work/report" "$work/raw.h5"
status=$?
expect 0 '8 of 8 joints were judged' "a recorder that was killed"
printf 'garbage' >"$work/raw.h5"
"$command" judge "$work/raw.h5" 2>"$work/report"
status=$?
expect 125 'not an HDF5 file; .*--trace-raw' "a file that is no recording"
"$command" judge "$work/nosuch.h5" 2>"$work/report"
status=$?
expect 125 'nosuch.h5: No such file' "a recording that is not there"
inspect --trace "$work/nosuch/a.h5" "$subject"
expect 125 'a.h5: cannot be written: No such file' "a trace into no folder"

# killed, and nobody waits for it: the program continues
"$subject" quick steps 20000 >"$work/plain"
(
    "$command" --buffer 64k --quiet "$subject" quick steps 20000 >"$work/output" 2>/dev/null &
    own=$!
    # shellcheck disable=SC2317
    begun() {
        running "$subject quick steps 20000" || [ -s "$work/output" ]
    }
    await begun
    kill -KILL $own
    exec sleep $patience
) &
waiter=$!
await [ -s "$work/output" ]
cmp "$work/plain" "$work/output" || fail "a command that was killed: the program waits for a dead one"
kill $waiter 2>/dev/null
wait $waiter 2>/dev/null
killed KILL "$subject quick steps 20000"

# some of the steps
inspect --every 10 "$subject" quick
expect 0 '200 steps, 20 inspected' "each tenth step"
inspect --from 0.2 --until 0.5 "$subject" quick
expect 0 '200 steps, 60 inspected' "a window"
inspect --overhead 10% "$subject" quick steps 5000
expect 0 'steps, [0-9]+ inspected' "a budget"
inspect --joints 'hinge [12]:*' "$subject" quick
expect 0 'hinge 2' "joints by name"
grep -q 'hinge 3' "$work/report" && fail "joints by name: others too"

# a summary, or everything with --all; advice is for users of the command
inspect "$subject" quick threads
expect 0 '^2 worlds: 400 steps, 400 of them inspected' "a summary of two worlds"
[ "$(wc -l <"$work/report")" -le 45 ] || fail "a summary: $(wc -l <"$work/report") lines"
grep -q 'Everything: --all' "$work/report" || fail "a summary: no word of --all"
grep -Eq 'ksInspector|ksReport|KS_REPORT' "$work/report" && fail "advice: functions of the library"
inspect --target 1000% "$subject" quick
# in single precision a bar may be too wide, and the report says so
words='Nothing: no joint fails'
[ -z "$precision" ] || words=KS_REASON_PRECISION
expect 0 "$words" "a target that is kept"

# a limit
inspect --fail-above 5% "$subject" quick
expect 3 'hinge' "a limit that is exceeded"
inspect --fail-above 5% "$subject"
expect 0 'hinge' "a limit that is kept"
inspect --fail-above 5% --fail-status 9 "$subject" quick
expect 9 '' "another status"
inspect --fail-above 5% "$subject" quick fail
expect 7 '' "a limit, where the program fails"
inspect --fail-above 5% true
expect 4 'no joint was judged' "a limit, and nothing that could be judged"

# threads, forks, exec
inspect --all "$subject" quick threads
expect 0 'World "world 2"' "two threads"
[ "$(grep -c '200 steps, 200 inspected' "$work/report")" = 2 ] || fail "two threads: not both worlds"
"$subject" quick fork >"$work/plain"
inspect --all "$subject" quick fork
expect 0 'process 2, world 1' "a fork"
[ "$(grep -c '100 inspected' "$work/report")" = 1 ] || fail "a fork: not the steps of the child"
cmp "$work/plain" "$work/output" || fail "a fork: output"
cp "$subject" "$work/walker"
rm -f "$work/raw.h5"
# shellcheck disable=SC2016
inspect --all --report "$work/a" --json "$work/a.json" --trace-raw "$work/raw.h5" sh -c '"$1"; "$2"; "$1" quick' - "$subject" "$work/walker"
for world in 'world 1' 'process 2 (walker), world 1' 'process 3, world 1'; do
    grep -Fq "World \"$world\"" "$work/a" || fail "programs that differ: no $world in $(grep '^World' "$work/a")"
done
if [ -e "$work/raw.h5" ]; then
    "$command" judge --all --report "$work/b" --json "$work/b.json" "$work/raw.h5" || fail "judge of programs that differ: status $?"
    cmp "$work/a" "$work/b" || fail "judge of programs that differ: text"
    cmp "$work/a.json" "$work/b.json" || fail "judge of programs that differ: JSON"
fi
for _ in 1 2 3 4 5 6; do
    timeout -s KILL $patience "$command" "$subject" other "$work/other.so" loading >"$work/output" 2>"$work/report"
    status=$?
    expect 0 '' "a first step while another thread loads modules"
done
timeout -s KILL $patience "$command" --all --buffer 64k "$subject" quick cancel >"$work/output" 2>"$work/report"
status=$?
expect 0 'World "world 2"' "a thread that is cancelled while it waits"
for _ in 1 2 3 4 5 6; do
    inspect "$subject" leaving
    expect 0 '' "worlds that are destroyed while the program ends"
done
inspect "$subject" exec
expect 0 '50 steps, 50 inspected' "exec"

inspect --world 2 "$subject" quick threads
expect 0 '200 steps, 200 inspected' "one of two worlds"
# shellcheck disable=SC2016
inspect sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do true | true | true | true; /bin/true; done; "$1"' - "$subject"
expect 0 '200 steps, 200 inspected' "the last of many processes"
# shellcheck disable=SC2016
# more processes than places: places are used again
inspect --json "$work/a.json" --advise-every 0 sh -c 'seq 150 | xargs -P 8 -I{} "$1" steps 5' - "$subject"
expect 0 '^150 worlds: 750 steps, 750 of them inspected' "150 processes, eight at a time"
[ "$(grep -o '"name":"process [0-9]*, world 1"' "$work/a.json" | sort -u | wc -l)" = 149 ] || fail "150 processes: not each has its name"
# shellcheck disable=SC2016
timeout -s KILL $patience "$command" sh -c '"$1" quick loop & echo $!; sleep 1; exit 4' - "$subject" >"$work/output" 2>"$work/report"
status=$?
expect 4 '' "a program that leaves another one running"
kill "$(head -n 1 "$work/output")"

# Ignored signals stay ignored. Without libtool's script, since some shells reset SIGCHLD for their
# children.
if env --ignore-signal=HUP true 2>/dev/null; then
    hidden=$(dirname "$command")/.libs
    direct=$command
    [ ! -x "$hidden/$(basename "$command")" ] || direct=$hidden/$(basename "$command")
    timeout -s KILL $patience env --ignore-signal=HUP,CHLD --block-signal=USR2 grep 'Sig[BI]' /proc/self/status >"$work/plain"
    LD_LIBRARY_PATH=$hidden timeout -s KILL $patience env --ignore-signal=HUP,CHLD --block-signal=USR2 "$direct" \
        grep 'Sig[BI]' /proc/self/status >"$work/output" 2>"$work/report"
    cmp "$work/plain" "$work/output" || fail "signals that are ignored or blocked"
fi

# engines that are loaded late
inspect "$work/late" "$work/module.so"
expect 0 '25 steps, 25 inspected' "a module with an engine"
"$work/late" engine
if [ $? != 77 ]; then
    inspect "$work/late" engine
    expect 0 '10 steps, 10 inspected' "functions by dlsym"
fi

# programs that cannot be inspected
"$subject" quick >"$work/plain"
inspect "$subject" quick other "$work/other.so"
expect 0 'subject was not inspected: .*more than one engine: libode.* and other.so' "two engines"
cmp "$work/plain" "$work/output" || fail "two engines: each step by the caller's own"
inspect "$subject" never
expect 0 'subject was not inspected: .*never stepped' "no step"
inspect cat /dev/null
expect 0 'cat was not inspected: it does not use ODE' "no engine"
"$command" --quiet --report "$work/a" cat /dev/null 2>/dev/null
grep -q 'Started [^;]*; Kinetostat' "$work/a" || fail "no engine: $(cat "$work/a")"
inspect --quiet judge "$work/raw.h5"
expect 127 'judge: No such file.*this word comes before all options' "a word behind an option"
inspect "$work/missing"
expect 127 'No such file' "no program"
: >"$work/plain"
inspect "$work/plain"
expect 126 'Permission denied' "no program that can be executed"
cp "$subject" "$work/other"
chmod u+s "$work/other"
inspect "$work/other"
expect 125 'setuid' "setuid"
echo 'int main(void) { return 0; }' >"$work/static.c"
if $CC -static -o "$work/static" "$work/static.c" 2>/dev/null; then
    inspect "$work/static"
    expect 125 'linked statically' "a static program"
    echo "#!$work/static" >"$work/script"
    chmod +x "$work/script"
    inspect "$work/script"
    expect 0 'script was not inspected: .*interpreter' "a script of a static interpreter"
fi
# with a static engine: found by its symbols, or without symbols by the text of dGetConfiguration
engine=$(echo "$ODE_LIBS" | sed -n 's/^-L\([^ ]*\).*/\1/p')/libode.a
[ -e "$engine" ] || engine=$($CC -print-file-name=libode.a)
# shellcheck disable=SC2086
if [ -e "$engine" ] && $CC -D_GNU_SOURCE $ODE_CFLAGS -o "$work/inside" "$srcdir/tests/preload/subject.c" "$engine" \
    -lccd -lstdc++ -pthread -ldl -lm 2>/dev/null; then
    "$work/inside" quick >"$work/plain" || fail "a program with the engine in it"
    for name in inside stripped; do
        [ $name = inside ] || strip -s -o "$work/stripped" "$work/inside"
        inspect "$work/$name" quick
        expect 125 'ODE is linked into it .*link libode.so.*kinetostat/recording.h' "$name"
        [ ! -s "$work/output" ] || fail "$name: it was run"
    done
else
    echo "no static ODE"
fi
inspect --nonsense
expect 125 'help' "an unknown option"
# numbers that would wrap, and a budget of 0
for wrong in "--world 4294967297" "--advise-every 4294967297" "--overhead 0" "--overhead 0%"; do
    # shellcheck disable=SC2086
    inspect $wrong "$subject"
    expect 125 "kinetostat: $wrong: not a" "$wrong"
done
inspect --fail-above 5x "$subject"
expect 125 'fail-above' "no number"
"$command" --help | grep -q 'usage: kinetostat' || fail "--help"
# every option is in the manual, and in the completion
options=$("$command" --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
for option in $options; do
    sed 's/\\//g' "$srcdir/docs/manual/kinetostat.1" | grep -q -- "$option" || fail "$option is not in kinetostat(1)"
    grep -q -- "$option" "$srcdir/plugin/command/kinetostat.bash" || fail "$option is not completed"
done
completed=$(bash -c '. "$1"; COMP_WORDS=(kinetostat --fail); COMP_CWORD=1; _kinetostat; echo "${COMPREPLY[@]}"' - \
    "$srcdir/plugin/command/kinetostat.bash" 2>/dev/null)
[ "$completed" = "--fail-above --fail-status" ] || fail "completion of --fail: \"$completed\""

"$command" --version | grep -q '^kinetostat [0-9]' || fail "--version"

exit $failed

#!/bin/sh
# lacking.sh  The command kinetostat where something is missing: a meaning of options, disk space,
# descriptors, memory, modules, processes that judge. It names the cause, and does the rest of its
# work. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"

# refuse TEXT ARGUMENT...  nothing is run
refuse() {
    words=$1
    shift
    inspect "$@"
    expect 125 "$words" "$*"
    [ ! -s "$work/output" ] || fail "$*: it was run"
}

# alone WHAT  the output is the output of the program alone
alone() {
    cmp "$work/plain" "$work/output" || fail "$1: the program's output"
}
"$subject" quick >"$work/plain"

# options with an unknown value, or without a program
refuse 'no joint type "rope"; there are: ball, hinge, .*, transmission$' --types hinge,rope "$subject"
refuse 'converged or physical' --value best "$subject"
refuse 'memory=SIZE, time=SECONDS' --limit speed=1 "$subject"
for size in 64 64k 31M; do
    refuse "limit memory $size: not a size from 32M" --limit memory=$size "$subject"
done
refuse 'limit time 0.5: not a whole number' --limit time=0.5 "$subject"
for size in 64q 64kk k 1k 1e13 nan; do
    refuse "buffer $size: not a size from 64k" --buffer $size "$subject"
done
refuse 'floor -1: not a number' --floor -1 "$subject"
refuse 'from x: not a number' --from x "$subject"
refuse 'every 1.5: not a whole number from 1 on' --every 1.5 "$subject"
refuse 'fail-status 256: not a whole number from 1 to 255' --fail-status 256 "$subject"
refuse 'max-force -1: not a number from 0 on' --max-force -1 "$subject"
refuse 'propose-limits 0: not a number above 0' --propose-limits 0 "$subject"
refuse 'max-force =5: there is no name of a joint before the =' --max-force =5 "$subject"
refuse 'max-force hinge 1=: there is no number after the =' --max-force 'hinge 1=' "$subject"
refuse 'param a*[.]*: NAME=VALUE, and all of them in' --param "$(printf '%05000d' 0 | tr 0 a)" "$subject"
[ "$(wc -c <"$work/report")" -lt 400 ] || fail "all of a parameter that is too long is shown"
refuse 'jobs 0: not a whole number from 1 on' judge --jobs 0 "$work/raw.h5"
refuse 'overhead 1000: not a share above 0 up to 1, or with %' --overhead 1000 "$subject"
refuse 'json -: is not a file: /dev/stdout' --json - "$subject"
refuse 'json "": is not a file' --json '' "$subject"
ln -s "$work/nosuch/file" "$work/nowhere"
refuse 'json .*nowhere: cannot be written: No such file' --json "$work/nowhere" "$subject"
[ -L "$work/nowhere" ] || fail "a link that leads nowhere was replaced"
refuse 'zero:1: a zero byte, which no text has' --names /dev/zero "$subject"
refuse 'zero:1: a zero byte, which no text has' --suppress /dev/zero "$subject"
cp "$subject" "$work/copy"
for option in --json --report --trace-raw; do
    refuse "${option#--} .*copy: is the program" $option "$work/copy" "$work/../${work##*/}/copy"
done
cmp "$subject" "$work/copy" || fail "the program was written to"
refuse 'needs --trace-raw' --record-only "$subject"
refuse 'usage: kinetostat .options. .--. program' --quiet
refuse 'usage: kinetostat judge' judge --quiet
for option in "--from 1" "--until 1" "--world 1" "--overhead 5%" "--buffer 1M" "--trace-raw $work/other.h5" --record-only; do
    # shellcheck disable=SC2086
    refuse 'for the run that records' judge $option "$work/raw.h5"
done
for option in --report --json --junit --html --trace; do
    refuse 'record-only judges nothing' --record-only --trace-raw "$work/raw.h5" $option "$work/other" "$subject"
done
for option in --view --fail-above=5%; do
    refuse 'record-only judges nothing' --record-only --trace-raw "$work/raw.h5" $option "$subject"
done
refuse '^kinetostat: --trace: path is .*must end with .csv' --trace "$work/trace.txt" "$subject"
refuse 'names .*nosuch: No such file' --names "$work/nosuch" "$subject"
refuse 'names .*: Is a directory' --names "$work" "$subject"
"$command" judge -h | grep -q 'usage: kinetostat' || fail "judge -h"

# options that leave nothing to judge
inspect --types ball,slider "$subject" quick steps 20
expect 0 'No joints' "types that are not there"
inspect --world 3 "$subject" quick
expect 0 'none of its steps was selected' "a world that is not there"
inspect --value physical --floor 1e9 --percentile 100% --fail-above 1% --limit memory=2G,time=60 "$subject" steps 20
expect 4 '0 of 8 joints were judged' "forces below the floor"

# files that are no programs
mkdir "$work/bin" "$work/bin/tool" "$work/modules"
status=0
PATH="$work/bin:$PATH" "$command" tool >"$work/output" 2>"$work/report" || status=$?
expect 126 'Permission denied' "a folder in place of a program"
cp "$subject" "$work/bin/found"
PATH="$work/nosuch::$work/bin:$PATH" inspect found quick
expect 0 '200 steps, 200 inspected' "a program in the search path"
alone "a program in the search path"
inspect "$(printf '%05000d' 0)"
expect 126 'name too long' "a name that is too long"
# e_machine of an ELF file
cp "$subject" "$work/foreign"
printf '\377\377' | dd of="$work/foreign" bs=1 seek=18 conv=notrunc 2>/dev/null
refuse 'another kind of processor' "$work/foreign"
head -c 64 "$subject" >"$work/cut"
chmod +x "$work/cut"
inspect "$work/cut"
expect 126 'cut: Exec format error' "the head of a program"

# modules that are missing or invalid
echo short >"$work/short"
export KINETOSTAT_LIBRARIES="$work/modules"
refuse 'kinetostat-preload.so: No such file' "$subject"
echo none >"$work/modules/kinetostat-preload.so"
inspect "$subject" quick
expect 0 'subject was not inspected' "a wrapper that is none"
alone "a wrapper that is none"
cp .libs/kinetostat-preload.so "$work/modules"
inspect "$subject" quick
expect 0 'subject was not inspected: .*kinetostat-probe.so' "no probe"
alone "no probe"
echo none >"$work/modules/kinetostat-probe.so"
inspect "$subject" quick
expect 0 'subject was not inspected: .*kinetostat-probe.so' "a probe that is none"
alone "a probe that is none"
unset KINETOSTAT_LIBRARIES

# invalid shared memory
head -c 100 /dev/zero >"$work/short"
head -c 4194304 /dev/zero >"$work/zeros"
for channel in "$work/nosuch" "$work/short" "$work/zeros" "$work"; do
    KINETOSTAT_CHANNEL=$channel LD_PRELOAD=$PWD/.libs/kinetostat-preload.so "$subject" quick >"$work/output" ||
        fail "channel $channel: status $?"
    alone "channel $channel"
done

# Closed standard streams are closed for the program, too, and no other file gets their numbers. The
# script of libtool would open a file in the place of one.
real=$command
[ ! -x .libs/kinetostat ] || real="env LD_LIBRARY_PATH=$PWD/.libs .libs/kinetostat"
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
    eval "sh -c 'ls /proc/\$\$/fd >$work/plain; exit 0' $closed"
    eval "$real --quiet sh -c 'ls /proc/\$\$/fd >$work/output; exit 0' $closed"
    alone "a program with $closed"
    rm -f "$work/json"
    eval "$real --quiet --json '$work/json' '$subject' quick $closed" >"$work/output" 2>"$work/report"
    status=$?
    [ $status = 0 ] || fail "$closed: status $status"
    grep -q '"inspected":200' "$work/json" || fail "$closed: JSON"
done
"$subject" quick >"$work/plain"
$real "$subject" quick 2>&- >"$work/output"
[ $? = 125 ] || fail "a report onto a screen that is closed"
alone "a screen that is closed"

# descriptors: either enough, or an error
for count in 16 40 64 66 68 70 72 74 76 78 80 90; do
    (
        # shellcheck disable=SC3045 # every shell here supports it
        ulimit -n $count
        exec "$command" --json "$work/json" "$subject" quick >"$work/output" 2>"$work/report"
    )
    status=$?
    if [ $status = 0 ]; then
        expect 0 '200 steps, 200 inspected' "$count descriptors"
        alone "$count descriptors"
    else
        # with one more of them, the program cannot be started
        [ $status = 126 ] || expect 125 '' "$count descriptors"
        expect $status 'kinetostat: .*Too many open files' "$count descriptors"
        [ "$(wc -l <"$work/report")" = 1 ] || fail "$count descriptors: $(cat "$work/report")"
    fi
done

# more processes than places: each process starts after the one before has attached
mkdir "$work/places"
# shellcheck disable=SC2016
inspect --fail-above 5% sh -c 'i=0; while [ $i -lt 64 ]; do (: >"$2/$i"; exec sleep 1000) & p="$p $!"
    until [ -e "$2/$i" ]; do :; done; i=$((i + 1)); done; "$1" steps 2 >/dev/null; "$1" quick; kill $p' - "$subject" "$work/places"
expect 4 '2 processes were not inspected: there is room for 64 at a time' "more processes than places"
alone "more processes than places"

# no space on the disk
for option in report json junit html; do
    inspect --$option /dev/full "$subject" quick
    grep -q 'without dygraphs' "$work/report" && continue
    expect 125 'dev/full: No space left' "--$option onto a full disk"
    alone "--$option onto a full disk"
done
# files limited to so many blocks, of 512 or 1024 bytes by the shell, including shared memory and
# documents; the program's handler of the signal is unchanged
for size in 8 200; do
    (
        ulimit -f $size
        exec "$command" --buffer 64k --json "$work/json" "$subject" quick >"$work/output" 2>"$work/report"
    )
    status=$?
    expect 125 'File too large' "files of $size blocks"
    [ "$(wc -l <"$work/report")" = 1 ] || fail "files of $size blocks: $(cat "$work/report")"
    [ $size = 8 ] || grep -q "json: File too large" "$work/report" || fail "files of $size blocks, and which: $(cat "$work/report")"
    [ $size = 8 ] || alone "files of $size blocks"
done
# each version of a run that goes on, and the last one: one error
(
    ulimit -f 200
    exec "$command" --buffer 64k --json "$work/json" "$subject" quick loop >"$work/output" 2>"$work/report"
) &
own=$!
await grep -q 'json: File too large' "$work/report"
await running "$subject quick loop"
killed TERM "$subject quick loop" || fail "files of 200 blocks, a run that goes on: the program has ended"
wait $own
status=$?
expect 143 'json: File too large' "files of 200 blocks, a run that goes on"
[ "$(grep -c 'json: File too large' "$work/report")" = 1 ] || fail "files of 200 blocks, a run that goes on: $(cat "$work/report")"
for way in "" "$command --buffer 64k --quiet"; do
    (
        ulimit -f 200
        # shellcheck disable=SC2086
        exec $way head -c 1000000 /dev/zero >"$work/big"
    )
    [ $? = 153 ] || fail "a program whose file grows: $way"
done
status=0
"$command" "$subject" quick >"$work/output" 2>/dev/full || status=$?
[ $status = 125 ] || fail "a screen that takes nothing: status $status"
alone "a screen that takes nothing"
for trace in csv h5; do
    (
        ulimit -f 16384
        exec "$command" --buffer 64k --quiet --trace "$work/trace.$trace" "$subject" quick steps 20000 >"$work/output" 2>"$work/report"
    )
    status=$?
    expect 125 "trace.$trace.*: File too large" "a trace that grows beyond the limit of files"
done

cat >"$work/many.c" <<'END'
#include <ode/ode.h>
int main(void)
{
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    for (int i = 0; i < 200; i++)
        dBodyCreate(world);
    for (int i = 0; i < 20; i++)
        dWorldQuickStep(world, 0.01);
    return 0;
}
END
# shellcheck disable=SC2086
$CC $ODE_CFLAGS -o "$work/many" "$work/many.c" $ODE_LIBS || exit 99
inspect --buffer 64k "$work/many"
expect 0 'many was not inspected: a step of it does not fit into --buffer' "a world that is larger than the buffer"
inspect "$work/many"
expect 0 '20 steps, 20 inspected' "a world that fits into the buffer"
# as many arguments are reported as there is room for
inspect --json "$work/json" "$subject" quick steps 5 "$(printf '%03000d' 0)"
expect 0 '5 steps, 5 inspected' "a long argument"
grep -q '"arguments":\["quick","steps","5"\]' "$work/json" || fail "a long argument: JSON"

# steps above the limits for judging: each two of these bodies are joined
cat >"$work/tangle.c" <<'END'
#include <ode/ode.h>
enum { BODIES = 48 };
int main(void)
{
    dBodyID body[BODIES];
    dMass mass;
    dInitODE2(0);
    const dWorldID world = dWorldCreate();
    dMassSetSphereTotal(&mass, 1, 0.1);
    for (int i = 0; i < BODIES; i++) {
        body[i] = dBodyCreate(world);
        dBodySetPosition(body[i], i % 7, i / 7, 0.02 * i);
        dBodySetMass(body[i], &mass);
        for (int k = 0; k < i; k++) {
            const dJointID joint = dJointCreateBall(world, 0);
            dJointAttach(joint, body[i], body[k]);
            dJointSetBallAnchor(joint, i + k, i - k, 1);
        }
    }
    for (int i = 0; i < 9; i++)
        dWorldQuickStep(world, 0.01);
    return 0;
}
END
# shellcheck disable=SC2086
$CC $ODE_CFLAGS -o "$work/tangle" "$work/tangle.c" $ODE_LIBS || exit 99
words='judged: judging failed: it took more than 1 s of processor time .--limit time='
inspect --limit time=1 --until 0.005 --json "$work/json" "$work/tangle"
expect 4 "^kinetostat: by now 1 recorded steps are not $words" "no time to judge"
grep -q "1 recorded steps were not $words" "$work/json" || fail "no time to judge: JSON"
words='judged: judging failed: it needs more than 32 MB of memory .--limit memory='
inspect --limit memory=32M --json "$work/json" "$work/tangle"
expect 4 "^kinetostat: by now 1 recorded steps are not $words" "no memory to judge"
grep -q "9 recorded steps were not $words" "$work/json" || fail "no memory to judge: JSON"
[ "$(grep -c 'kinetostat: by now' "$work/report")" = 4 ] || fail "no memory to judge: of 9 steps each is told"
inspect --limit memory=32M --trace "$work/trace.csv" "$work/tangle"
expect 125 'judging failed: it needs more than 32 MB of memory .*: there is no report' "a trace, and no memory to judge"

# nobody judges: the judges are killed until none is left
rm -f "$work/json"
"$command" --json "$work/json" "$subject" quick loop >"$work/output" 2>"$work/report" &
own=$!
await [ -s "$work/json" ]
called=$(tr '\0' ' ' <"/proc/$own/cmdline")
# shellcheck disable=SC2317
areGone() {
    judges=$(processes "$called" | grep -vx "$own")
    [ -z "$judges" ] && return
    # shellcheck disable=SC2086
    kill -KILL $judges
    return 1
}
await areGone
killed TERM "$subject quick loop" || fail "without judges: the program has ended"
wait $own
status=$?
expect 143 'judging failed: it was killed: there is no report' "judges that were killed"
[ "$(grep -c 'there is no report' "$work/report")" = 1 ] || fail "judges that were killed: said more than once"

# files that are no recordings, between recordings
inspect --record-only --trace-raw "$work/raw.h5" "$subject" quick
mkfifo "$work/pipe"
refuse 'is a pipe or a device, not a file' judge "$work/pipe"
refuse 'trace-raw .*pipe: is a pipe or a device' --trace-raw "$work/pipe" "$subject"
refuse 'is a program [(]run a program' judge "$subject"
printf '\211HDF\r\n\032\n' >"$work/begun.h5"
refuse 'cut off or damaged' judge "$work/begun.h5"
for jobs in 1 2; do
    "$command" judge --jobs $jobs "$work/raw.h5" "$work/nosuch.h5" >"$work/output" 2>"$work/report"
    status=$?
    expect 125 'nosuch.h5: No such file' "a recording that is not there beside one that is"
    grep -q '200 steps, 200 inspected' "$work/output" || fail "a recording beside one that is not there: no report"
done
status=0
"$command" judge "$work/raw.h5" >/dev/full 2>"$work/report" || status=$?
expect 125 'the report: No space left' "judge onto a full disk"
cp "$work/raw.h5" "$work/bad.h5"
head -c 64 /dev/zero | dd of="$work/bad.h5" bs=1 seek=$(($(wc -c <"$work/raw.h5") / 2)) conv=notrunc 2>/dev/null
inspect judge "$work/bad.h5"
expect 4 '202 of 202 records are damaged' "a damaged recording without a limit"
inspect judge --fail-above 1000% "$work/bad.h5"
expect 4 '202 of 202 records are damaged, or follow one that is: they were left out' "a damaged recording"
inspect --record-only --trace-raw "$work/raw.h5" "$subject" fail
expect 7 '' "a recording of a program that fails"
inspect judge --fail-above 1000% --value converged --jobs 1000 "$work/raw.h5"
expect 4 'it did not end well: the test fails' "judge of a program that fails"
for count in 5 6 7 8 9; do
    # shellcheck disable=SC2016,SC2086 # a shell without this script, which takes a descriptor
    sh -c 'ulimit -n "$1" && shift && exec "$@"' - $count $real judge --html "$work/html" "$work/raw.h5" >"$work/output" 2>"$work/report"
    ! grep -q '^kinetostat: $' "$work/report" || fail "judge with $count descriptors: no word why"
done
# too little memory to read it
for memory in 1000 2000 3000 4000 6000; do
    (
        # shellcheck disable=SC3045 # every shell here supports it
        ulimit -d $memory
        exec "$command" judge --jobs 1 "$work/raw.h5" >"$work/output" 2>"$work/report"
    )
    status=$?
    [ $status = 0 ] || [ -s "$work/report" ] || fail "judge with $memory kB of memory: no word why"
done
inspect judge --json /dev/full "$work/raw.h5"
expect 125 'dev/full: No space left' "judge: --json onto a full disk"

exit $failed

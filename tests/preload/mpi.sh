#!/bin/sh
# mpi.sh  Recordings, judged by one process and by the ranks of an MPI job: the same report bit by
# bit, for any number of ranks. Damage to a file costs only its own records; so does the end of a
# process that judges. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
if [ ! -x ./kinetostat-mpi ] || ! command -v mpirun >/dev/null; then
    echo "this build has no kinetostat-mpi, or there is no mpirun"
    exit 77
fi
# Open MPI asks for these where root is the only user
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_orte_base_help_aggregate=0
TMPDIR=$work
export TMPDIR

# ranks COUNT ARGUMENT...  as inspect
ranks() {
    count=$1
    shift
    mpirun -n "$count" ./kinetostat-mpi "$@" >"$work/output" 2>"$work/report"
    status=$?
}

# recorded NAME ARGUMENT...  of the subject, or of a demo
recorded() {
    name=$1
    shift
    inspect --param "of=$name" --record-only --trace-raw "$work/runs/$name.h5" "$@"
}

mkdir "$work/runs"
recorded long "$work/subject" quick steps 3000
recorded threads "$work/subject" quick steps 1300 threads
recorded fork "$work/subject" quick steps 30 fork
for steps in 20 41 300 700; do
    recorded "quick$steps" "$work/subject" quick steps $steps
    recorded "world$steps" "$work/subject" steps $steps
done
for demo in crane door vehicle; do
    [ ! -x demos/$demo ] || recorded $demo demos/$demo
done
build hostile hostile.c "-I$srcdir -I$srcdir/include $srcdir/plugin/preload/channel.c $ODE_LIBS"
recorded spoilt "$work/hostile" spoil

# same NAME  data and a document equal the data and the document of one process
same() {
    cmp "$work/whole.data" "$work/$1.data" || fail "$1: data"
    cmp "$work/whole.json" "$work/$1.json" || fail "$1: JSON"
}

inspect judge --quiet --save "$work/whole.data" --json "$work/whole.json" "$work"/runs/*.h5
expect 4 'spoilt.h5: record 31 is left out' "one process"
for count in 1 2 3; do
    ranks "$count" judge --quiet --save "$work/$count.data" --json "$work/$count.json" "$work"/runs/*.h5 "$work/runs/fork.h5"
    expect 4 'spoilt.h5: record 31 is left out' "$count ranks"
    [ "$(grep -c 'fork.h5: is given twice' "$work/report")" = 1 ] || fail "$count ranks: a file that is given twice is told of once"
    [ ! -s "$work/output" ] || fail "$count ranks: --quiet"
    same "$count"
done
# one recording of three windows, which is divided, on standard output, also with threads of the
# ranks
inspect judge "$work/runs/long.h5"
cp "$work/output" "$work/long.txt"
for jobs in 1 2; do
    ranks 3 judge --jobs $jobs "$work/runs/long.h5"
    expect 0 '' "a divided recording"
    cmp "$work/output" "$work/long.txt" || fail "a divided recording, --jobs $jobs: the report"
done

# ranks without work, in a job with an invalid rank number
inspect judge --quiet --save "$work/whole.data" --json "$work/whole.json" "$work/runs/quick20.h5"
ranks 6 judge --quiet --save "$work/idle.data" --json "$work/idle.json" "$work/runs/quick20.h5"
expect 0 '' "more ranks than recordings"
same idle
for rank in -1 99999999999999999999 ../../rank "$(printf 'a\nb')" "$(printf '%99999s' x)"; do
    OMPI_COMM_WORLD_RANK=$rank PMI_RANK=$rank PMI_SIZE=$rank PMIX_RANK=$rank ./kinetostat-mpi judge --quiet --save "$work/alone.data" \
        --json "$work/alone.json" "$work/runs/quick20.h5" >"$work/output" 2>"$work/report"
    status=$?
    expect 0 '' "a rank called $(printf %.20s "$rank")"
    same alone
done

# damaged files
head -c 1000 "$work/runs/long.h5" >"$work/cut.h5"
cp "$work/runs/long.h5" "$work/bent.h5"
size=$(wc -c <"$work/bent.h5")
# in several places, since some bytes of a file belong to no record
for place in 3 4 5 6; do
    printf 'not what was written' | dd of="$work/bent.h5" bs=1 seek=$((size * place / 8)) conv=notrunc 2>/dev/null
done
set -- --json "$work/whole.json" "$work/cut.h5" "$work/bent.h5" "$work/nosuch.h5" "$work/runs/vehicle.h5"
inspect judge --quiet --save "$work/whole.data" "$@"
expect 125 'bent.h5: .* records are damaged' "damaged files, one process"
sed 's/^kinetostat: //' "$work/report" | sort >"$work/told"
shift 2
ranks 3 judge --quiet --save "$work/damaged.data" --json "$work/damaged.json" "$@"
expect 125 'bent.h5: .* records are damaged' "damaged files"
sed -n 's/^kinetostat: //p' "$work/report" | sort | uniq -c | sort -rn | head -n 1 | grep -Eq '^ *1 ' || fail "damaged files: told more than once"
sed -n 's/^kinetostat: //p' "$work/report" | sort | cmp - "$work/told" || fail "damaged files: other words"
same damaged
ranks 2 judge --quiet --save "$work/none.data" "$work/nosuch.h5"
expect 125 'nosuch.h5: No such file' "no file at all"
[ ! -e "$work/none.data" ] || fail "no file at all: there is a report"

# struck LEVEL  kills a rank (0), a process that watches (1) or one that judges (2); fails if the
# job runs and nothing is judged yet. mpirun waits forever for a rank that is killed while it
# connects: only a rank that has a judge is killed.
# shellcheck disable=SC2317
struck() {
    cat /proc/[0-9]*/stat 2>/dev/null | sed 's/^\([0-9]*\) (\(.*\)) \(.\) \([0-9]*\) .*/\1 \4 \3 \2/' | awk -v job="$job" -v level="$1" '
        { parent[$1] = $2; state[$1] = $3; name[$1] = $4 }
        END {
            if (state[job] == "" || state[job] == "Z") { print "over"; exit }
            for (process in parent) {
                depth = 0
                for (at = process; name[at] == "kinetostat-mpi"; at = parent[at]) line[depth++] = at
                if (depth != 3 || state[process] == "Z") continue
                for (; at in parent && at != job; at = parent[at]) { }
                if (at == job) print line[2 - level]
            }
        }' >"$work/struck"
    read -r process <"$work/struck" || return 1
    [ "$process" = over ] || kill -KILL "$process"
}

# finish  waits for the end of the job, and kills it if it does not end
# shellcheck disable=SC2317
ended() {
    ! grep -q ') [^Z]' "/proc/$job/stat"
}
finish() {
    await ended || kill -KILL "$job"
    wait "$job"
    status=$?
}

recorded longer "$work/subject" quick steps 16000
inspect judge --quiet --save "$work/whole.data" --json "$work/whole.json" "$work/runs/longer.h5"
for level in 1 2; do
    rm -f "$work/struck.data"
    mpirun -n 2 ./kinetostat-mpi judge --quiet --save "$work/struck.data" --json "$work/struck.json" "$work/runs/longer.h5" >"$work/output" 2>"$work/report" &
    job=$!
    await struck $level
    finish
    if [ $level = 1 ]; then
        expect 0 'longer.h5: judged once more' "a process that watches is killed"
        same struck
    else
        expect 4 'longer.h5: .*, since judging it failed: it was killed|longer.h5: the reader failed: it was killed' "a process that judges is killed"
        grep -q 'it was killed' "$work/struck.json" || fail "a process that judges is killed: the report does not tell"
        inspect merge --quiet --fail-above 5% "$work/struck.data"
        [ "$status" = 4 ] || [ "$status" = 3 ] || fail "a process that judges is killed: --fail-above passes"
    fi
done

# a rank is killed: the job ends, and so do all processes that judge; older documents are unchanged
echo before >"$work/before"
cp "$work/before" "$work/killed.data"
mpirun -n 2 ./kinetostat-mpi judge --quiet --save "$work/killed.data" "$work/runs/longer.h5" >"$work/output" 2>"$work/report" &
job=$!
await struck 0
finish
[ $status != 0 ] || fail "a rank is killed: status 0"
cmp "$work/before" "$work/killed.data" || fail "a rank is killed: the report"
# shellcheck disable=SC2317
over() {
    [ -z "$(processes "./kinetostat-mpi judge --quiet --save $work/killed.data")" ]
}
await over

# ranks that are programs, and write the same files: each document is the document of one of them,
# and one of them writes the recording or trace
mpirun -n 4 sh -c '"$@" || echo refused' - "$command" --quiet --json "$work/both.json" --save "$work/both.data" --trace-raw "$work/both.h5" \
    "$work/subject" quick steps 300 >"$work/output" 2>"$work/report"
status=$?
expect 0 'both.h5: another program has it open' "the same files"
[ "$(grep -c refused "$work/output")" = "$(grep -c 'both.h5: another program has it open' "$work/report")" ] || fail "the same files: who is refused"
inspect judge --quiet --save "$work/whole.data" "$work/both.h5"
expect 0 '' "the same files: the recording"
inspect merge --quiet "$work/both.data"
expect 0 '' "the same files: the report"
for kind in csv mcap json; do
    mpirun -n 4 sh -c '"$@" || echo refused' - "$command" --quiet --trace "$work/both.$kind" "$work/subject" quick steps 300 >"$work/output" 2>"$work/report"
    status=$?
    expect 0 "both.*$kind: another program has it open" "the same trace, $kind"
done
awk -F, 'NR == 1 { fields = NF } NF != fields { exit 1 }' "$work/both.steps.csv" || fail "the same trace: lines of two"

# an argument is refused once, by one rank
ranks 2 judge --shard 1/2 "$work/runs/long.h5"
expect 125 'shard, --trace and --view are for kinetostat judge' "a shard of an MPI job"
[ "$(grep -c 'are for kinetostat judge' "$work/report")" = 1 ] || fail "a shard of an MPI job: told more than once"
ranks 2 merge "$work/whole.data"
expect 125 'usage: mpirun' "merge by MPI"
ranks 2 judge --save "$work/nosuch/x" "$work/runs/long.h5"
expect 125 'cannot be written' "a folder that is not there"
./kinetostat-mpi 2>"$work/report"
status=$?
expect 125 'usage: mpirun .*kinetostat-mpi judge' "nothing to do"
./kinetostat-mpi --help | grep -q 'kinetostat-mpi judge' || fail "--help"
./kinetostat-mpi --version | grep -q '^kinetostat-mpi [0-9]' || fail "--version"

# neither the library nor the command links MPI
for file in .libs/kinetostat .libs/libkinetostat.so .libs/libkinetostat-report.so .libs/kinetostat-preload.so; do
    [ ! -e $file ] || ! readelf -d $file | grep -q 'NEEDED.*libmpi' || fail "$file needs MPI"
done
exit $failed

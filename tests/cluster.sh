#!/bin/sh
# cluster.sh  Runs the commands of docs/cluster.md with GNU parallel, as a Slurm job array and with
# Snakemake, where these are installed. Each report equals the report of one process bit by bit.
# Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"

mkdir "$work/bin" "$work/page" "$work/study" "$work/study/runs"
printf '#!/bin/sh\nexec %s/kinetostat "$@"\n' "$PWD" >"$work/bin/kinetostat"
chmod +x "$work/bin/kinetostat"
PATH=$work/bin:$PATH
awk -v to="$work/page/" '
    /^```/ && !kind { kind = substr($0, 4); out = to kind (kind == "sh" ? ++count : ""); printf "" >out; next }
    /^```/ { close(out); kind = ""; next }
    kind { print >out }' "$srcdir/docs/cluster.md"
for steps in 30 60 1100; do
    inspect --param "steps=$steps" --record-only --trace-raw "$work/study/runs/$steps.h5" "$work/subject" quick steps $steps
done
cd "$work/study" || exit 99
kinetostat judge --quiet --jobs 1 --save whole.data runs/*.h5 || fail "judge: status $?"

# made WHAT  checks that the report equals the report of one process
made() {
    cmp report.data whole.data || fail "$1: not the same report"
    [ "$(wc -l <runs.csv)" = 4 ] || fail "$1: not a line for each run"
    rm -rf reports report.* part-*.data runs.csv
}

if command -v parallel >/dev/null && parallel --version </dev/null 2>/dev/null | grep -q GNU; then
    for way in 1 2; do
        PARALLEL_HOME=$work sh "$work/page/sh$way" >log 2>&1 || fail "parallel, way $way: $(cat log)"
        made "parallel, way $way"
    done
else
    echo "no GNU parallel"
fi
# with the variables that Slurm sets
for job in 1 2 3 4 5 6 7; do
    SLURM_ARRAY_TASK_ID=$job SLURM_ARRAY_TASK_COUNT=7 sh "$work/page/slurm" || fail "job $job of an array: status $?"
done
kinetostat merge --quiet --runs runs.csv --save report.data part-*.data || fail "merge of an array's reports: status $?"
made "a job array"
if command -v snakemake >/dev/null; then
    cp "$work/page/snakemake" Snakefile
    HOME=$work XDG_CACHE_HOME=$work snakemake --cores 2 >log 2>&1 || fail "snakemake: $(cat log)"
    made "snakemake"
else
    echo "no Snakemake"
fi
exit $failed

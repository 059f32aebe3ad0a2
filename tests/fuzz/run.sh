#!/bin/sh
# run.sh  Fuzzes the named targets, or all, side by side for FUZZ_SECONDS, with clang's libFuzzer
# and the sanitizers: `make fuzz`. FUZZ_SEED seeds its random numbers; 0: another seed each time.
# Builds in fuzz/ of the build directory. New inputs go into fuzz/found/TARGET. An input that
# crashes or hangs is called crash-... or timeout-...; after the repair it belongs into
# tests/fuzz/corpus/TARGET.
: "${srcdir:=$(dirname "$0")/../..}" "${FUZZ_SECONDS:=60}" "${FUZZ_SEED:=0}"
command -v clang >/dev/null || {
    echo "run.sh: clang is not installed" >&2
    exit 1
}
[ $# != 0 ] || set -- system record report data file
source=$(cd "$srcdir" && pwd)
mkdir -p fuzz/found && cd fuzz || exit 1
[ -e Makefile ] || "$source/configure" -q --enable-sanitizers --disable-shared --without-view CC=clang \
    CFLAGS='-O1 -g -fsanitize=fuzzer-no-link -DKSI_CHUNK_BITS=8 -DKSI_SHORT_CHUNK_BITS=5' || exit 1
for target; do
    make -s -j"$(nproc)" "tests/fuzz/replay_$target" "tests/fuzz/fuzz_$target" || exit 1
done

# the files that targets write are in memory if the system has /dev/shm
here=$PWD
work=$(mktemp -d -p /dev/shm 2>/dev/null || mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# fuzz TARGET  after its corpus passes. Weighing inputs by their entropy takes longer than running
# them.
fuzz() {
    mkdir -p "found/$1" "$work/$1"
    "tests/fuzz/replay_$1" && cd "$work/$1" &&
        "$here/tests/fuzz/fuzz_$1" -max_total_time="$FUZZ_SECONDS" -seed="$FUZZ_SEED" -entropic=0 -timeout=10 -rss_limit_mb=2048 \
            -detect_leaks=0 -print_final_stats=1 -artifact_prefix="$here/found/$1/" "$here/found/$1" "$source/tests/fuzz/corpus/$1"
}

status=0
for target; do
    fuzz "$target" >"found/$target.log" 2>&1 &
done
wait
for target; do
    # libFuzzer writes these at the end of a run without a finding
    executed=$(sed -n 's/^stat::number_of_executed_units: *//p' "found/$target.log")
    if [ -z "$executed" ] || grep -q '^SUMMARY' "found/$target.log"; then
        echo "fuzz: $target fails, see $PWD/found/$target.log" >&2
        status=1
    fi
    echo "fuzz: $target: ${executed:-?} executions in $FUZZ_SECONDS s"
done
exit $status

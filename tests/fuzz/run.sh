#!/bin/sh
# run.sh  Fuzzes each target, or those that are named, for FUZZ_SECONDS, with clang's libFuzzer and the sanitizers: `make fuzz`. Builds in
# fuzz/ of the build directory. New inputs go into fuzz/found/TARGET; what crashes or hangs is named crash-... or timeout-... there, and
# belongs into tests/fuzz/corpus/TARGET once it is mended.
: "${srcdir:=$(dirname "$0")/../..}" "${FUZZ_SECONDS:=60}"
command -v clang >/dev/null || {
    echo "run.sh: clang is not installed" >&2
    exit 1
}
[ $# != 0 ] || set -- system record report data file
source=$(cd "$srcdir" && pwd)
mkdir -p fuzz && cd fuzz || exit 1
[ -e Makefile ] || "$source/configure" -q --enable-sanitizers --disable-shared --without-view CC=clang \
    CFLAGS='-O1 -g -fsanitize=fuzzer-no-link' || exit 1
status=0
for target; do
    echo "fuzz: $target for $FUZZ_SECONDS s"
    mkdir -p "found/$target"
    make -s -j"$(nproc)" "tests/fuzz/fuzz_$target" || exit 1
    "tests/fuzz/fuzz_$target" -max_total_time="$FUZZ_SECONDS" -timeout=10 -rss_limit_mb=2048 -detect_leaks=0 \
        -print_final_stats=1 -artifact_prefix="found/$target/" "found/$target" \
        "$source/tests/fuzz/corpus/$target" >"found/$target.log" 2>&1 || {
        echo "fuzz: $target fails, see $PWD/found/$target.log" >&2
        status=1
    }
    grep -E '^stat::number_of_executed_units|^stat::peak_rss_mb|^SUMMARY' "found/$target.log"
done
exit $status

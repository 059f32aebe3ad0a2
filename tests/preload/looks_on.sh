#!/bin/sh
# looks_on.sh  Somebody looks on at each demo while it runs, by the command and by its own --view: its worlds end as they end alone, to the last bit.
# Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
if ! "$command" --help | grep -q -- --view; then
    echo "this build has no view"
    exit 77
fi
command -v python3 >/dev/null || {
    echo "there is no python3"
    exit 77
}
build ends.so ends.c "-fPIC -shared -ldl"
unset DISPLAY WAYLAND_DISPLAY

# The recorder is in the program alone, not in the command.
cat >"$work/ends.sh" <<END
#!/bin/sh
LD_PRELOAD=\$LD_PRELOAD\${LD_PRELOAD:+:}$work/ends.so exec "\$@"
END
chmod +x "$work/ends.sh"
ENDS_FILE=$work/ends
export ENDS_FILE

# look PROGRAM...  runs it while somebody looks on at its page; `seen` tells how often it had not ended yet
look() {
    rm -f "$work/go" "$work/held" "$work/ends" "$work/report"
    ENDS_GO=$work/go ENDS_HELD=$work/held "$@" >"$work/output" 2>"$work/report" &
    await grep -q 'look at' "$work/report"
    address=$(sed -n 's/.*: look at //p' "$work/report")
    seen=$(python3 "$srcdir/tests/preload/looks_on.py" "$who" "$address" "$work/go" "$work/held" 2>"$work/errors") ||
        fail "$what: $(tail -n 1 "$work/errors")"
    touch "$work/go" "$work/held"
    wait $! || fail "$what: status $?"
    # besides those that the library makes
    sort "$work/ends" | comm -23 "$work/alone" - >"$work/missing"
    [ ! -s "$work/missing" ] || fail "$what: another end"
}

# looked_at WHO WHAT PROGRAM...  while somebody looks on at the page that WHO serves, from before the first step to the end, its worlds end as in
# $work/alone
looked_at() {
    who=$1 what=$2
    shift 2
    look "$@"
    [ "${seen:-0}" -gt 0 ] || fail "$what: nobody has seen it run"
}

# same DEMO OPTION...  alone, by the command, and by itself
same() {
    demo=$1
    shift
    rm -f "$work/ends"
    "$work/ends.sh" "demos/$demo" "$@" >"$work/output" 2>&1 || fail "$demo $*: status $?"
    sort "$work/ends" >"$work/alone" || fail "$demo $*: no world"
    looked_at command "kinetostat --view $demo $*" "$command" --quiet --view "$work/ends.sh" "demos/$demo" "$@"
    ! grep -q -- --view "$work/usage" || looked_at demo "$demo --view $*" "$work/ends.sh" "demos/$demo" --view "$@"
}

for demo in demos/*; do
    demo=${demo#demos/}
    { [ -x "demos/$demo" ] && [ -f "demos/$demo" ]; } || continue
    demos/"$demo" --help >"$work/usage" 2>&1
    case $demo in
    papers | sources | record | read_trace) continue ;; # no world is stepped by the engine
    esac
    short=
    ! grep -q -- --time "$work/usage" || short='--time 0.7'
    # shellcheck disable=SC2086
    if grep -q -- --stepper "$work/usage"; then
        same "$demo" $short --stepper quick --iterations 20
        same "$demo" $short --stepper world
    else
        same "$demo" $short
    fi
done
exit $failed

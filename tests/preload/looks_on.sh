#!/bin/sh
# looks_on.sh  Somebody watches each demo while it runs, by the command and by its own --view: its
# worlds end in the same states as without a watcher, bit by bit. An HTTP client watches one stepper
# by the command and the other by --view, in turn; in `make check-long` a page in Chromium watches
# both steppers in both ways. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
if ! "$command" --help | grep -q -- --view; then
    echo "this build has no view"
    exit 77
fi
looker='' python=python3
[ "${CK_INCLUDE_TAGS-}" != long ] || looker=browser python=/usr/bin/python3
for tool in "$python" ${looker:+/usr/bin/chromium /usr/bin/chromedriver}; do
    command -v "$tool" >/dev/null || {
        echo "there is no $tool"
        exit 77
    }
done
[ -z "$looker" ] || "$python" -c 'import selenium' || exit 77
build ends.so ends.c "-fPIC -shared -ldl"
unset DISPLAY WAYLAND_DISPLAY

# The recorder of states is in the program alone, not in the command.
cat >"$work/ends.sh" <<END
#!/bin/sh
LD_PRELOAD=\$LD_PRELOAD\${LD_PRELOAD:+:}$work/ends.so exec "\$@"
END
chmod +x "$work/ends.sh"
ENDS_FILE=$work/ends
export ENDS_FILE

# one process watches all of them
mkfifo "$work/ask" "$work/told"
HOME=$work PYTHONDONTWRITEBYTECODE=1 "$python" "$srcdir/tests/preload/looks_on.py" ${looker:+"$looker"} <"$work/ask" >"$work/told" 2>"$work/errors" &
exec 3>"$work/ask" 4<"$work/told"

# look PROGRAM...  runs it while somebody watches its page; `seen` counts the answers before its end
look() {
    rm -f "$work/go" "$work/held" "$work/ends" "$work/report"
    ENDS_GO=$work/go ENDS_HELD=$work/held "$@" >"$work/output" 2>"$work/report" 3>&- 4<&- &
    await grep -q 'look at' "$work/report"
    address=$(sed -n 's/.*: look at //p' "$work/report")
    echo "$who $address $work/go $work/held" >&3
    read -r seen <&4 || fail "$what: nobody looks on any longer: $(tail -n 1 "$work/errors")"
    touch "$work/go" "$work/held"
    wait $! || fail "$what: status $?"
    # besides the worlds that the library makes
    sort "$work/ends" | comm -23 "$work/alone" - >"$work/missing"
    [ ! -s "$work/missing" ] || fail "$what: another end"
}

# looked_at WHO WHAT PROGRAM...  while WHO serves the page to a watcher, from before the first step
# to the end; its worlds end as in $work/alone
looked_at() {
    who=$1 what=$2
    shift 2
    look "$@"
    case ${seen:-0} in
    0) fail "$what: nobody has seen it run" ;;
    *[!0-9]*) fail "$what: $seen" ;;
    esac
}

turn=0

# same WAY DEMO OPTION...  alone, then watched: by the command, by the demo itself, or both
same() {
    way=$1 demo=$2
    shift 2
    grep -q -- --view "$work/usage" || way='command'
    rm -f "$work/ends"
    "$work/ends.sh" "demos/$demo" "$@" >"$work/output" 2>&1 || fail "$demo $*: status $?"
    sort "$work/ends" >"$work/alone" || fail "$demo $*: no world"
    [ "$way" = demo ] || looked_at command "kinetostat --view $demo $*" "$command" --quiet --view "$work/ends.sh" "demos/$demo" "$@"
    [ "$way" = command ] || looked_at demo "$demo --view $*" "$work/ends.sh" "demos/$demo" --view "$@"
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
    turn=$((1 - turn))
    case $looker$turn in
    browser*) one=both other=both ;;
    0) one=command other=demo ;;
    1) one=demo other=command ;;
    esac
    # shellcheck disable=SC2086
    if grep -q -- --stepper "$work/usage"; then
        same $one "$demo" $short --stepper quick --iterations 20
        same $other "$demo" $short --stepper world
    else
        same both "$demo" $short
    fi
done
exec 3>&-
wait
exit $failed

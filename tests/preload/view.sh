#!/bin/sh
# view.sh  kinetostat --view and the browser: what is handed to it, and what is done where there is none. Called with the build directory as the current
# one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/preload/kit.sh
. "$srcdir/tests/preload/kit.sh"
if ! "$command" --help | grep -q -- --view; then
    echo "this build has no view"
    exit 77
fi
mkdir "$work/bin" "$work/folder"
DISPLAY=:99 PATH=$work/bin:$PATH TMPDIR=$work/folder
export DISPLAY PATH TMPDIR

# browser END  what stands for xdg-open: tells what it was called with, and what it can read there, and ends like this
browser() {
    cat >"$work/bin/xdg-open" <<END
#!/bin/sh
printf '%s\n' "\$*" >"$work/called"
stat -c '%a' "\$1" >"$work/mode"
cat "\$1" >"$work/link"
$1
END
    chmod +x "$work/bin/xdg-open"
}

# saved WHAT  the page is, where it is told, for its owner alone, and nothing else is left
saved() {
    page=$(sed -n 's/.*nobody opened the page: it is saved in //p' "$work/report")
    grep -q '<script id="report"' "$page" || fail "$1: no page: $page"
    [ "$(stat -c '%a' "$page")" = 600 ] || fail "$1: others can read $page"
    rm -f "$page"
    [ -z "$(ls "$work/folder")" ] || fail "$1: this is left: $(ls "$work/folder")"
}

# others can read what it is called with: that tells no secret, and names a file that they cannot read
browser 'exit 3'
inspect --quiet --view "$subject" quick
expect 0 'cannot open a browser: xdg-open failed' "a display without a browser"
address=$(sed -n 's/^kinetostat: look at //p' "$work/report")
secret=$(basename "$address")
[ ${#secret} = 32 ] || fail "no secret in $address"
grep -q "$secret" "$work/called" && fail "the secret is on the command line"
grep -q 'http:' "$work/called" && fail "an address is on the command line"
[ "$(cat "$work/mode")" = 600 ] || fail "the file that is handed over is for others, too"
grep -q "url=$address\"" "$work/link" || fail "the file that is handed over does not lead to the page"
saved "a display without a browser"

# nobody looks, and nothing says so: not for ever
browser 'exit 0'
inspect --quiet --view "$subject" quick
expect 0 'nobody opened the page: it is saved in' "a browser that shows nothing"
saved "a browser that shows nothing"

# nothing opens browsers; of a recording the same holds
rm "$work/bin/xdg-open"
if ! command -v xdg-open >"$work/which"; then
    inspect --quiet --view "$subject" quick
    expect 0 'cannot open a browser: xdg-open: No such file' "a display without xdg-open"
    saved "a display without xdg-open"
fi
inspect --record-only --trace-raw "$work/run.h5" "$subject" quick
if ! grep -q 'without HDF5' "$work/report"; then
    browser 'exit 3'
    inspect judge --quiet --view "$work/run.h5"
    expect 0 'cannot open a browser: xdg-open failed' "a recording, without a browser"
    saved "a recording, without a browser"
    # whoever ends it leaves nothing but what is told
    browser 'exit 0'
    rm -f "$work/link"
    "$command" judge --quiet --view "$work/run.h5" 2>"$work/report" &
    await grep -q 'look at' "$work/report"
    await grep -q url= "$work/link"
    kill -TERM $!
    wait $!
    status=$?
    expect 0 'nobody opened the page: it is saved in' "a recording, at which nobody looks any longer"
    saved "a recording, at which nobody looks any longer"
fi
exit $failed

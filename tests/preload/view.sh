#!/bin/sh
# view.sh  kinetostat --view and the browser: the arguments of the browser, and the result if it
# cannot be started. Called with the build directory as the current one.
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

# browser END  makes an xdg-open that records its arguments and the file that they name, and ends
# with END
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

# saved WHAT  the page is at the reported path, readable by its owner alone, and nothing else is
# left
saved() {
    page=$(sed -n 's/.*nobody opened the page: it is saved in //p' "$work/report")
    grep -q '<script id="report"' "$page" || fail "$1: no page: $page"
    [ "$(stat -c '%a' "$page")" = 600 ] || fail "$1: others can read $page"
    rm -f "$page"
    [ -z "$(ls "$work/folder")" ] || fail "$1: this is left: $(ls "$work/folder")"
}

# other users can read the arguments: they contain no secret, and name a file that only the owner
# can read
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

# nobody opens the page, and no error is known: the command ends anyway
browser 'exit 0'
inspect --quiet --view "$subject" quick
expect 0 'nobody opened the page: it is saved in' "a browser that shows nothing"
saved "a browser that shows nothing"

# no browser can be opened; the same for a recording
rm "$work/bin/xdg-open"
if ! command -v xdg-open >"$work/which"; then
    inspect --quiet --view "$subject" quick
    expect 0 'cannot open a browser: xdg-open: No such file' "a display without xdg-open"
    saved "a display without xdg-open"
fi
inspect --record-only --trace-raw "$work/run.h5" "$subject" quick
browser 'exit 3'
inspect judge --quiet --view "$work/run.h5"
expect 0 'cannot open a browser: xdg-open failed' "a recording, without a browser"
saved "a recording, without a browser"
# after a signal only the saved page is left
browser 'exit 0'
rm -f "$work/link"
"$command" judge --quiet --view "$work/run.h5" 2>"$work/report" &
await grep -q 'look at' "$work/report"
await grep -q url= "$work/link"
kill -TERM $!
wait $!
status=$?
expect 0 'nobody opened the page: it is saved in' "a recording whose page nobody opened"
saved "a recording whose page nobody opened"
exit $failed

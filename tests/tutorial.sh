#!/bin/sh
# tutorial.sh  Does what docs/tutorial.md says, line by line: saves its programs, runs its commands, and compares what they print with
# what the page shows. Called with the build directory as the current one; with installed=yes, against what is installed and found
# by PATH, PKG_CONFIG_PATH and LD_LIBRARY_PATH.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}" "${installed=}"
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"

if [ -z "$installed" ]; then
    if [ ! -x kinetostat ] || [ ! -e .libs/libkinetostat.so ] || [ ! -e .libs/kinetostat-preload.so ]; then
        echo "this build has no command, or no shared library"
        exit 77
    fi
    if nm -D .libs/kinetostat-preload.so | grep -q __asan; then
        echo "an address sanitizer cannot be loaded into programs without one"
        exit 77
    fi
    printf '#!/bin/sh\nexec %s/kinetostat "$@"\n' "$PWD" >"$work/bin/kinetostat"
    chmod +x "$work/bin/kinetostat"
    as_installed
fi

blocks "$srcdir/docs/tutorial.md"
[ -e "$work/page/21.text" ] || fail "no tutorial"

cd "$work/folder" || exit 99
for block in "$work/page"/*; do
    case $block in
    *.sh)
        sh -e "$block" >"$work/output" 2>&1 || fail "$(cat "$block"): status $?: $(cat "$work/output")"
        [ ! -e report.txt ] || grep -q . report.txt || fail "an empty report"
        ;;
    *.text) shown "$block" "$work/output" || fail "$(cat "$work/output")" ;;
    *) fail "$block: what is this?" ;;
    esac
done
# a scene that stays where it is when it is touched: with the load aside, and so without the symmetry, the figures are those of the page
cp hoist.c hoist.h "$work" && cd "$work" || exit 99
sed -i 's/dBodySetPosition(body, 0,/dBodySetPosition(body, mass > 1 ? 1e-6 : 0,/' hoist.h
grep -q 1e-6 hoist.h || fail "the scene has another line for its positions"
sh -e page/03.sh >output 2>&1 || fail "the scene, touched: $(cat output)"
shown page/04.text output || fail "the scene, touched: $(cat output)"
exit $failed

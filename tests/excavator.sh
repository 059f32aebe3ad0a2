#!/bin/sh
# excavator.sh  Runs docs/excavator.md line by line, as tests/tutorial.sh runs its page. Without
# CalculiX the finite elements are left out.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}" "${installed=}"
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"

find_command
blocks "$srcdir/docs/excavator.md"
[ "$(find "$work/page" -name '*.sh' | wc -l)" = 7 ] || fail "no tutorial"
if ! command -v ccx >/dev/null; then
    echo "without CalculiX (Debian: calculix-ccx) the pin is not computed"
    pin=$(grep -l '^ccx ' "$work/page"/*.sh)
    number=$(basename "$pin" .sh)
    rm "$pin" "$work/page/$(printf %02d $((${number#0} + 1))).text"
fi
OMP_NUM_THREADS=1
export OMP_NUM_THREADS
follow
exit $failed

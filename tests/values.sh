#!/bin/sh
# values.sh  Compiles and runs the programs of docs/using.md about the choice of a value, and
# compares their output with the page. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}"
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"
find_library
blocks "$srcdir/docs/using.md"
cd "$work/folder" || exit 99
block=0
for program in foot bridge motor; do
    block=$((block + 2))
    # shellcheck disable=SC2046
    if ! cc -Wall -Wextra -Werror "$program.c" -o "$program" $(pkg-config --cflags --libs kinetostat) || ! "./$program" >output; then
        fail "$program.c"
    fi
    shown "$work/page/0$block.text" output || fail "$program: $(cat output)"
done
exit $failed

#!/bin/sh
# header_precision.sh  The header refuses to be compiled for an ODE of single precision, and says why; else it compiles.
srcdir=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
echo '#include <kinetostat/kinetostat.h>' >"$work/host.c"

compile() {
    # shellcheck disable=SC2086
    ${CC:-cc} $ODE_CFLAGS "$@" -I"$srcdir/include" -c "$work/host.c" -o "$work/host.o" >"$work/log" 2>&1
}

compile || { cat "$work/log"; exit 1; }
if compile -DdIDESINGLE; then
    echo "compiled, which it should not have"
    exit 1
fi
cat "$work/log"
grep -q 'needs an ODE of double precision' "$work/log"

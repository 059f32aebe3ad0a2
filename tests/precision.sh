#!/bin/sh
# precision.sh  configure refuses an ODE of single precision, and says so.
srcdir=$(cd "${srcdir:-.}" && pwd)
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99

if "$srcdir/configure" -q ODE_CFLAGS="$ODE_CFLAGS -DdIDESINGLE" ODE_LIBS="$ODE_LIBS" >log 2>&1; then
    echo "configured, which it should not have been"
    exit 1
fi
cat log
grep -q 'single precision' log

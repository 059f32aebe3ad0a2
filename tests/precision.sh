#!/bin/sh
# precision.sh  configure builds for the precision of the ODE that it finds: libraries for single
# precision have it in their names.
srcdir=$(cd "${srcdir:-.}" && pwd)
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
cd "$work" || exit 99

"$srcdir/configure" -q CC="${CC:-cc}" ODE_CFLAGS="$ODE_CFLAGS -UdIDEDOUBLE -DdIDESINGLE" ODE_LIBS="$ODE_LIBS" >log 2>&1 ||
    fail "not configured: $(cat log)"
for name in 'kinetostat_la = libkinetostat-single.la' 'pkgconfig_DATA = kinetostat-single.pc'; do
    grep -q "^$name" Makefile || fail "not in the Makefile: $name"
done
! "$srcdir/configure" -q --with-ode="$work" >log 2>&1 || fail "an ODE that is not there was found"
grep -q "there is no $work/lib/pkgconfig/ode.pc" log || fail "$(cat log)"

# an ODE as its own configure builds it by default: static
mkdir -p static/lib/pkgconfig
printf 'Name: ode\nDescription: static\nVersion: 0.16.2\n' >static/lib/pkgconfig/ode.pc
touch static/lib/libode.a
! "$srcdir/configure" -q --with-ode="$work/static" >log 2>&1 || fail "a static ODE was taken for a shared library"
grep -q 'is static: build it with --enable-shared' log || fail "$(cat log)"
exit $failed

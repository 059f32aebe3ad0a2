#!/bin/sh
# run.sh  Builds and runs every program of this folder against an installed Kinetostat, with nothing but pkg-config.
# Called by `make installcheck`, which gives prefix and libdir (both below DESTDIR), CC, CFLAGS and PKG_CONFIG.
set -eu
: "${prefix:?}" "${libdir:?}" "${CC:=cc}" "${CFLAGS=}" "${PKG_CONFIG:=pkg-config}"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# a staged library is not where its .pc says
sed "s|^prefix=.*|prefix=$prefix|" "$libdir/pkgconfig/kinetostat.pc" >"$work/kinetostat.pc"
PKG_CONFIG_PATH=$work${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH

pkg() {
    $PKG_CONFIG "$@" kinetostat
}

# build NAME FLAGS...  compiles, links and runs one program; the flags are many words
build() {
    name=$1
    shift
    echo "$name: $*"
    # shellcheck disable=SC2046,SC2086
    $CC $CFLAGS $(pkg --cflags) "$here/$name.c" -o "$work/$name" "$@"
    LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$work/$name"
}

# the headers are C++ too, where there is a compiler for it
if command -v c++ >/dev/null; then
    echo "headers as C++"
    # shellcheck disable=SC2046
    echo '#include <kinetostat/kinetostat.h>' | c++ -x c++ -fsyntax-only $(pkg --cflags) -
fi

for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    if [ -e "$libdir/libkinetostat.so" ]; then
        # shellcheck disable=SC2046
        build "$name" $(pkg --libs)
    fi
    if [ -e "$libdir/libkinetostat.a" ]; then
        # alone in a folder that is searched first: otherwise the linker prefers the shared library
        cp "$libdir/libkinetostat.a" "$work"
        # shellcheck disable=SC2046
        build "$name" "-L$work" $(pkg --static --libs)
    fi
done

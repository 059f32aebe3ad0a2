#!/bin/sh
# run.sh  Builds and runs every program of this folder against an installed Kinetostat, first by
# pkg-config alone, then by CMake alone. Then it builds two of the installed examples, and checks
# pages of the manual and links in the documents. Called by `make installcheck`, which sets prefix,
# libdir, docdir and mandir (below DESTDIR), stage (DESTDIR), version, CC, CFLAGS and PKG_CONFIG;
# precision is -single, or empty.
set -eu
: "${prefix:?}" "${libdir:?}" "${docdir:?}" "${mandir:?}" "${version:?}" "${stage=}" "${CC:=cc}" "${CFLAGS=}" "${PKG_CONFIG:=pkg-config}" "${precision=}"
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the .pc file of a staged library has a prefix outside of the stage
for package in kinetostat$precision kinetostat-report$precision kinetostat-recording; do
    [ ! -e "$libdir/pkgconfig/$package.pc" ] ||
        sed "s|^prefix=.*|prefix=$prefix|" "$libdir/pkgconfig/$package.pc" >"$work/$package.pc"
done
PKG_CONFIG_PATH=$work${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
export PKG_CONFIG_PATH
# the loader needs the folder of the engine, too
libraries=$libdir:$($PKG_CONFIG --variable=libdir ode)

# the pkg-config module of build() and its callers
module=kinetostat$precision
pkg() {
    $PKG_CONFIG "$@" "$module"
}

# build NAME SOURCES FLAGS  compiles, links and runs one program; sources and flags are many words
build() {
    echo "$1: $3"
    # shellcheck disable=SC2046,SC2086
    $CC $CFLAGS $(pkg --cflags) $2 -o "$work/$1" $3
    LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$work/$1"
}

# the headers are C++ too, where there is a compiler for it
if command -v c++ >/dev/null; then
    echo "headers as C++"
    # shellcheck disable=SC2046
    printf '#include <kinetostat/%s>\n' kinetostat.h coordinates.h kinetostat.hpp |
        c++ -std=c++17 -x c++ -fsyntax-only $(pkg --cflags) -
fi

for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    module=kinetostat$precision
    [ "$name" != report ] || module=kinetostat-report$precision
    [ "$name" != recording ] || module=kinetostat-recording
    [ -e "$work/$module.pc" ] || continue
    if [ -e "$libdir/lib$module.so" ]; then
        build "$name" "$source" "$(pkg --libs) -lm"
    fi
    if [ -e "$libdir/lib$module.a" ]; then
        # by the name of the file, as docs/using.md says: otherwise the linker prefers the shared library
        build "$name-static" "$source" "$(pkg --static --libs | sed 's/-l\(kinetostat[-a-z]*\)/-l:lib\1.a/g')"
        if readelf -d "$work/$name-static" | grep 'NEEDED.*kinetostat'; then
            exit 1
        fi
    fi
    if [ "$name" = recording ] && ldd "$work/$name" | grep 'libode\|lapack\|jansson'; then
        exit 1
    fi
done
module=kinetostat$precision

# cmake_check FOLDER OPTION...  the same programs by CMake, from the folder that holds KinetostatConfig.cmake
cmake_check() {
    (
        folder=$1
        shift
        rm -rf "$work/cmake"
        LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
        export CC CFLAGS LD_LIBRARY_PATH
        cmake -S "$here" -B "$work/cmake" -DKinetostat_DIR="$folder" "$@" &&
            cmake --build "$work/cmake" &&
            cmake --build "$work/cmake" --target test
    ) >"$work/cmake.log" 2>&1
}

# refused WORDS COMMAND...  fails, and says these words, which CMake breaks into lines
refused() {
    words=$1
    shift
    if "$@" || ! tr -s ' \n' ' ' <"$work/cmake.log" | grep -q "$words"; then
        cat "$work/cmake.log"
        return 1
    fi
}

package=$libdir/cmake/Kinetostat
if [ -n "$precision" ]; then
    echo "CMake: skipped, its package is that of double precision"
elif command -v cmake >/dev/null; then
    for static in OFF ON; do
        [ "$static" = OFF ] || [ -e "$libdir/libkinetostat.a" ] || continue
        echo "CMake: Kinetostat_USE_STATIC_LIBS=$static"
        cmake_check "$package" -DKinetostat_USE_STATIC_LIBS=$static || {
            cat "$work/cmake.log"
            exit 1
        }
    done
    # a user's folder of .pc files need not have ODE's
    PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=/nowhere refused 'needs ODE 0.16.2 or later' cmake_check "$package"
    sed "s|\"$version\"|\"1.0.0\"|" "$package/KinetostatConfigVersion.cmake" >"$work/KinetostatConfigVersion.cmake"
    cp "$package/KinetostatConfig.cmake" "$work"
    refused 'version: 1.0.0' cmake_check "$work"
else
    echo "CMake: skipped, there is no cmake"
fi

if [ -x "$prefix/bin/kinetostat$precision" ]; then
    echo "the command"
    # shellcheck disable=SC2046,SC2086
    $CC $CFLAGS -D_GNU_SOURCE -o "$work/subject" "$here/../preload/subject.c" $(pkg --cflags) $($PKG_CONFIG --libs ode) -pthread
    # it finds its modules and its library, though none is where it was configured to be
    LD_LIBRARY_PATH=$($PKG_CONFIG --variable=libdir ode) "$prefix/bin/kinetostat$precision" --report "$work/command.txt" "$work/subject" quick >/dev/null
    grep -q '200 steps, 200 inspected' "$work/command.txt"
fi

static=--static
[ ! -e "$libdir/libkinetostat$precision.so" ] || static=
cd "$docdir/examples"
kit=$(echo kit*.c scenes/*.c)
# shellcheck disable=SC2086
build first first.c "$(pkg $static --libs) -lm"
# shellcheck disable=SC2086
build fourbar "fourbar.c $kit" "$(pkg $static --libs) -lm"
if [ -e "$work/kinetostat-report$precision.pc" ]; then
    module=kinetostat-report$precision
    # shellcheck disable=SC2086
    build crane "-DKIT_HAS_REPORTS crane.c $kit" "$(pkg $static --libs) -lm"
    LD_LIBRARY_PATH=$libraries "$work/crane" --quiet --trace "$work/crane.csv"
    grep -q 'hinge 1: ' "$work/crane.csv"
    module=kinetostat$precision
fi

echo "manual"
while read -r name; do
    page=$(find "$mandir/man3" -name "$name.3" -o -name "$name.3.gz")
    link=$(gzip -cdf "$page" | sed -n 's/^\.so //p')
    gzip -cdf "${link:+$mandir/}${link:-$page}" | grep -q -w "$name" || {
        echo "no page of $name"
        exit 1
    }
done <"$here/../exports.list"

echo "links"
cd "$docdir"
for document in *.md docs/*.md examples/*.md; do
    grep -o '](/*[^:) ]*)' "$document" | tr -d '])(' | sed 's/#.*//' | while read -r target; do
        case $target in
        /*) target=$stage$target ;;
        *) target=$(dirname "$document")/$target ;;
        esac
        [ -e "$target" ] || {
            echo "$document: no $target"
            exit 1
        }
    done
done

#!/bin/sh
# run.sh  Builds and runs every program of this folder against an installed Kinetostat, with nothing but pkg-config.
# Then two of the installed examples. Then pages of the manual and links in the documents are looked at. Called by
# `make installcheck`, which gives prefix, libdir, docdir and mandir (below DESTDIR), stage (DESTDIR), CC, CFLAGS and
# PKG_CONFIG.
set -eu
: "${prefix:?}" "${libdir:?}" "${docdir:?}" "${mandir:?}" "${stage=}" "${CC:=cc}" "${CFLAGS=}" "${PKG_CONFIG:=pkg-config}"
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

# build NAME SOURCES FLAGS  compiles, links and runs one program; sources and flags are many words
build() {
    echo "$1: $3"
    # shellcheck disable=SC2046,SC2086
    $CC $CFLAGS $(pkg --cflags) $2 -o "$work/$1" $3
    LD_LIBRARY_PATH=$libdir${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$work/$1"
}

# the headers are C++ too, where there is a compiler for it
if command -v c++ >/dev/null; then
    echo "headers as C++"
    # shellcheck disable=SC2046
    echo '#include <kinetostat/kinetostat.h>' | c++ -x c++ -fsyntax-only $(pkg --cflags) -
fi

mkdir "$work/static"
for source in "$here"/*.c; do
    name=$(basename "$source" .c)
    if [ -e "$libdir/libkinetostat.so" ]; then
        build "$name" "$source" "$(pkg --libs) -lm"
    fi
    if [ -e "$libdir/libkinetostat.a" ]; then
        # alone in a folder that is searched first: otherwise the linker prefers the shared library
        cp "$libdir/libkinetostat.a" "$work/static"
        build "$name-static" "$source" "-L$work/static $(pkg --static --libs)"
    fi
done

static=--static
[ ! -e "$libdir/libkinetostat.so" ] || static=
cd "$docdir/examples"
# shellcheck disable=SC2086
build crane crane.c "$(pkg $static --libs) -lm"
# shellcheck disable=SC2086
build fourbar "fourbar.c kit.c $(echo scenes*.c)" "$(pkg $static --libs) -lm"

echo "manual"
while read -r name; do
    page=$mandir/man3/$name.3
    link=$(sed -n 's/^\.so //p' "$page")
    grep -q -w "$name" "${link:+$mandir/}${link:-$page}" || {
        echo "no page of $name"
        exit 1
    }
done <"$here/../exports.list"

echo "links"
cd "$docdir"
for document in *.md docs/*.md; do
    grep -o '](/*[^:)]*)' "$document" | tr -d '])(' | sed 's/#.*//' | while read -r target; do
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

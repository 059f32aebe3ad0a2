#!/bin/sh
# exports.sh  What the shared library exports = what the headers declare = tests/exports.list.
# After a wanted change: sh tests/exports.sh --update
LC_ALL=C
export LC_ALL
srcdir=${srcdir:-$(dirname "$0")/..}
list=$srcdir/tests/exports.list
library=.libs/libkinetostat.so

declared() {
    # the first call-like name after KS_API, which may stand on the next line
    awk '/^KS_API/ { open = 1 }
         open && match($0, /ks[A-Z][A-Za-z0-9]*\(/) { print substr($0, RSTART, RLENGTH - 1); open = 0 }' \
        "$srcdir"/include/kinetostat/*.h | sort
}

exported() {
    ${NM:-nm} -D --defined-only "$library" | awk '{ print $3 }' | sort
}

if [ "$1" = --update ]; then
    declared >"$list"
    exit
fi

status=0
if ! declared | diff -U0 "$list" -; then
    echo "tests/exports.list (-) and the headers (+) differ"
    status=1
fi
if [ ! -e "$library" ]; then
    echo "no shared library in this build"
    [ "$status" = 1 ] || status=77
elif ! exported | diff -U0 "$list" -; then
    echo "tests/exports.list (-) and the symbols of $library (+) differ"
    status=1
fi
exit "$status"

#!/bin/sh
# exports.sh  Exports of each shared library = declarations of its headers = its list in tests/.
# After an intended change: sh tests/exports.sh --update
LC_ALL=C
export LC_ALL
srcdir=${srcdir:-$(dirname "$0")/..}
headers=$srcdir/include/kinetostat

# declared HEADER...  the first call-like name after KS_API, which may stand on the next line
declared() {
    awk '/^KS_API/ { open = 1 }
         open && match($0, /ks[A-Z][A-Za-z0-9]*\(/) { print substr($0, RSTART, RLENGTH - 1); open = 0 }' "$@" | sort
}

exported() {
    ${NM:-nm} -D --defined-only "$1" | awk '{ print $3 }' | sort
}

# headers_of LIBRARY
headers_of() {
    case $1 in
    kinetostat-recording) echo "$headers/recording.h $headers/status.h" ;;
    kinetostat-report) echo "$headers/recording.h $headers/report.h $headers/trace.h $headers/view.h" ;;
    *) find "$headers" -name '*.h' ! -name recording.h ! -name report.h ! -name trace.h ! -name view.h | sort ;;
    esac
}

# list_of LIBRARY
list_of() {
    echo "$srcdir/tests/exports${1#kinetostat}.list"
}

# functions_of LIBRARY HEADER...  functions of an inspector need an engine
functions_of() {
    name=$1
    shift
    case $name in
    kinetostat-recording) declared "$@" | grep -v 'RecordingInspect$\|RecordingGetBody$\|RecordingGetJoint$' ;;
    *) declared "$@" ;;
    esac
}

status=0
for name in kinetostat kinetostat-recording kinetostat-report; do
    list=$(list_of "$name")
    library=.libs/lib$name.so
    [ -e "$library" ] || library=.libs/lib$name-single.so
    # shellcheck disable=SC2046
    set -- "$1" $(headers_of "$name")
    update=$1
    shift
    if [ "$update" = --update ]; then
        functions_of "$name" "$@" >"$list"
    else
        if ! functions_of "$name" "$@" | diff -U0 "$list" -; then
            echo "$list (-) and the headers (+) differ"
            status=1
        fi
        if [ ! -e "$library" ]; then
            echo "no $library in this build"
            [ "$status" = 1 ] || status=77
        elif ! exported "$library" | diff -U0 "$list" -; then
            echo "$list (-) and the symbols of $library (+) differ"
            status=1
        fi
    fi
    set -- "$update"
done

# the writer of recordings: no engine, no LAPACK, and no library of ours
library=.libs/libkinetostat-recording.so
if [ -e "$library" ] && ${NM:-nm} -D --undefined-only "$library" | grep ' \(ks\|d[A-Z]\|d[a-z]*_$\|json_\)'; then
    echo "$library needs these"
    status=1
fi
exit "$status"

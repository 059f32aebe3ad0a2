#!/bin/sh
# run.sh  HTML reports in a browser: of a program under the command, and of a program that links the
# library. The pictures stay in tests/page/. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}"
# shellcheck source=tests/page/kit.sh
. "$srcdir/tests/page/kit.sh"
if [ ! -x tests/page/page ]; then
    echo "this build has no HTML reports"
    exit 77
fi
failed=0

# look NAME
look() {
    echo "$1"
    browse browser.py "$work/$1.html" "$PWD/tests/page/$1.png" || failed=1
}

# markup  pages of recordings in which each text is markup: of one recording, of two, and of two
# reports. The names of the files are markup, too: k-12.
markup() {
    echo markup
    set -- "$work/<k-12 a>&amp;'\"1.h5" "$work/<k-12 a>&amp;'\"2.h5"
    tests/page/markup "$work/1.h5" "$1" 1.5 && tests/page/markup "$work/10.h5" "$2" 7 &&
        ./kinetostat judge --quiet --save "$work/markup1.data" --html "$work/markup.html" "$1" &&
        ./kinetostat judge --quiet --save "$work/markup2.data" "$2" &&
        browse markup.py "file://$work/markup.html" 1 2 3 4 6 7 8 9 10 &&
        ./kinetostat judge --quiet --html "$work/markup.html" "$@" &&
        browse markup.py "file://$work/markup.html" 6 7 8 9 10 12 &&
        ./kinetostat merge --quiet --html "$work/markup.html" "$work/markup1.data" "$work/markup2.data" &&
        browse markup.py "file://$work/markup.html" 6 7 8 9 10 12
}

tests/page/page "$work/library.html" || exit 1
look library
# the run in motion, if this build has three.js
if grep -q 'id="three"' "$work/library.html"; then
    echo motion
    tests/page/motion bridge "$work/motion.html" || exit 1
    browse motion.py "$work/motion.html" "$PWD/tests/page/motion.png" || failed=1
    tests/page/motion car "$work/travel.html" 15 || exit 1
    browse travel.py "$work/travel.html" "$PWD/tests/page/travel.png" || failed=1
fi
# under an address sanitizer the command cannot be loaded into programs without one
if [ -x ./kinetostat ] && ! nm -D .libs/kinetostat-preload.so | grep -q __asan; then
    # shellcheck disable=SC2086
    $CC -std=c11 -D_GNU_SOURCE $ODE_CFLAGS -o "$work/subject" "$srcdir/tests/preload/subject.c" $ODE_LIBS -pthread -ldl || exit 99
    ./kinetostat --quiet --advise-every 20 --html "$work/command.html" "$work/subject" quick >"$work/output" || exit 1
    look command
    # a load beyond its limit, where no joint fails by its error, and a suppression
    printf '{\n all\n redundant\n}\n' >"$work/known"
    ./kinetostat --quiet --target 100% --max-force 1 --suppress "$work/known" --html "$work/checked.html" "$work/subject" quick >"$work/output"
    look checked
    # convex geoms and meshes, of the run and of its recording
    if grep -q 'id="three"' "$work/command.html"; then
        echo meshes
        # shellcheck disable=SC2086
        $CC -std=c11 -D_GNU_SOURCE -I"$srcdir" $ODE_CFLAGS -o "$work/solids" "$srcdir/tests/page/solids.c" $ODE_LIBS -lm || exit 99
        "$work/solids" >"$work/alone" || exit 1
        ./kinetostat --quiet --html "$work/meshes.html" "$work/solids" >"$work/seen" || exit 1
        cmp "$work/alone" "$work/seen" || failed=1
        browse meshes.py "$work/meshes.html" "$PWD/tests/page/meshes.png" || failed=1
        { ./kinetostat --quiet --record-only --trace-raw "$work/meshes.h5" "$work/solids" >"$work/seen" &&
            ./kinetostat judge --quiet --html "$work/meshes.html" "$work/meshes.h5" &&
            browse meshes.py "$work/meshes.html" "$PWD/tests/page/meshes.png"; } || failed=1
    fi
    # while it runs; its motion is the motion of the program alone
    if ./kinetostat --help | grep -q -- --view && grep -q 'id="three"' "$work/command.html"; then
        echo live
        # shellcheck disable=SC2086
        $CC -std=c11 -D_GNU_SOURCE $ODE_CFLAGS -o "$work/live" "$srcdir/tests/page/live.c" $ODE_LIBS || exit 99
        program="$work/<k-1 a>"
        mv "$work/live" "$program"
        printf '%d <k-10 a>\n' 1 2 3 4 5 >"$work/names"
        "$program" 6 </dev/null >"$work/alone" &
        # xdg-open copies the file that it gets to link.html, which the browser opens
        mkdir "$work/bin"
        # shellcheck disable=SC2016
        printf '#!/bin/sh\ncd "%s" && cp "$1" part.html && mv part.html link.html\n' "$work" >"$work/bin/xdg-open"
        chmod +x "$work/bin/xdg-open"
        browse live.py "$PWD/tests/page/live.png" "$work/link.html" env DISPLAY=:99 "PATH=$work/bin:$PATH" "TMPDIR=$work" \
            ./kinetostat --quiet --param '<k-7 a>=<k-9 a>' --names "$work/names" --view "$program" 6 >"$work/seen" || failed=1
        wait
        cmp "$work/alone" "$work/seen" || failed=1
    fi
    # several runs, if this build has recordings
    for mass in 1 2.5 10; do
        ./kinetostat --param mass=$mass --param kind=even --record-only --trace-raw "$work/$mass.h5" "$work/subject" quick steps "${mass%.*}00" \
            >"$work/output" 2>"$work/report" || break
    done
    if [ "$mass" = 10 ]; then
        markup || failed=1
    fi
    if [ "$mass" = 10 ] && ./kinetostat judge --quiet --advise-every 20 --html "$work/runs.html" "$work/1.h5" "$work/2.5.h5" "$work/10.h5"; then
        look runs
    else
        failed=1
    fi
fi
exit $failed

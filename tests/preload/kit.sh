# kit.sh  Shared by the tests of the command, which source it in the build directory: programs
# without Kinetostat, and checks of a run.
# shellcheck shell=sh
: "${srcdir:=$(dirname "$0")/../..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}"
command=./kinetostat
if [ ! -x "$command" ] || [ ! -e .libs/kinetostat-preload.so ]; then
    echo "this build has no command"
    exit 77
fi
if [ ! -e /proc/self/fd ]; then
    echo "the command needs /proc"
    exit 77
fi
if nm -D .libs/kinetostat-preload.so | grep -q __asan; then
    echo "an address sanitizer cannot be loaded into programs without one"
    exit 77
fi
# the ending in the names of the libraries
if [ -e .libs/libkinetostat.so ]; then precision=''; else precision=-single; fi
export precision
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"

# processes TEXT  whose command lines begin with it
processes() {
    for line in /proc/[0-9]*/cmdline; do
        case $(tr '\0' ' ' 2>/dev/null <"$line") in
        "$1"*)
            process=${line#/proc/}
            echo "${process%/cmdline}"
            ;;
        esac
    done 2>/dev/null
}

# killed SIGNAL TEXT  sends the signal to all of these; fails if there is none
killed() {
    found=$(processes "$2")
    # shellcheck disable=SC2086
    [ -n "$found" ] && kill -"$1" $found
}

# s, limit for a run that hangs; no check depends on time
patience=600

# await COMMAND...  until it succeeds
await() {
    began=$(date +%s)
    until "$@" 2>/dev/null; do
        [ $(($(date +%s) - began)) -lt $patience ] || {
            fail "in vain: $*"
            return 1
        }
        sleep 0.1
    done
}

# running TEXT  there is a process whose command line begins with it
# shellcheck disable=SC2317
running() {
    [ -n "$(processes "$1")" ]
}

# build NAME SOURCE FLAGS  many words
build() {
    # shellcheck disable=SC2086
    $CC -std=c11 -D_GNU_SOURCE $ODE_CFLAGS -o "$work/$1" "$srcdir/tests/preload/$2" $3 || exit 99
}
build subject subject.c "$ODE_LIBS -pthread -ldl -lm"

# inspect OPTION... -- ARGUMENT...  runs the command; its report is in $work/report, its status in $status, its program's output
# in $work/output
inspect() {
    "$command" "$@" >"$work/output" 2>"$work/report"
    status=$?
}

# expect STATUS TEXT WHAT  of the last run; TEXT: a pattern of the report, or nothing
expect() {
    [ "$status" = "$1" ] || fail "$3: status $status, not $1"
    [ -z "$2" ] || grep -Eq -- "$2" "$work/report" || {
        fail "$3: nothing like \"$2\" in the report:"
        head -n 20 "$work/report"
    }
}

# shellcheck disable=SC2034
subject=$work/subject

#!/bin/sh
# headers.sh  Each public header compiles alone, in C and in C++, without a warning. With an ODE of
# the other precision the compiler stops with a reason.
srcdir=$(cd "${srcdir:-.}" && pwd)
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"

# compile HEADER COMPILER OPTION...
compile() {
    echo "#include <kinetostat/$1>" >"$work/host.h"
    shift
    # shellcheck disable=SC2086
    "$@" -Wall -Wextra -Werror -fsyntax-only $ODE_CFLAGS ${precision-} -I"$srcdir/include" "$work/host.h" >"$work/log" 2>&1
}

# as_both HEADER  in C++ only if there is a compiler for it
as_both() {
    case $1 in
    *.h)
        # shellcheck disable=SC2086
        compile "$1" ${CC:-cc} -x c -std=c11 || fail "$1 in C: $(cat "$work/log")"
        ;;
    esac
    ! command -v c++ >/dev/null || compile "$1" c++ -x c++ -std=c++17 || fail "$1 in C++: $(cat "$work/log")"
}

for header in "$srcdir"/include/kinetostat/*.h*; do
    as_both "$(basename "$header")"
done
# refused WORDS OPTION...
refused() {
    words=$1
    shift
    precision="-UKS_SINGLE $*"
    # shellcheck disable=SC2086
    ! compile kinetostat.h ${CC:-cc} -x c -std=c11 || fail "$*: compiled, which it should not have"
    grep -q "$words" "$work/log" || fail "$*: $(cat "$work/log")"
}

# whatever the precision of the ODE that was found
refused 'this ODE is of single precision' -UdIDEDOUBLE -DdIDESINGLE
refused 'this ODE is of double precision' -UdIDESINGLE -DdIDEDOUBLE -DKS_SINGLE
exit $failed

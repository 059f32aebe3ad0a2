#!/bin/sh
# cpp.sh  Compiles kinetostat.hpp with the C++ compiler that belongs to CC: check_cpp*.cpp without
# warnings, and with sanitizers if CC has them. Runs docs/cpp.md line by line and compares the
# output with the page. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}"
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"
if [ ! -e .libs/libkinetostat.so ]; then
    echo "this build has no shared library"
    exit 77
fi
compiler=g++
! $CC --version | grep -q clang || compiler=clang++
if ! command -v "$compiler"; then
    echo "there is no compiler for C++"
    exit 77
fi
as_installed
blocks "$srcdir/docs/cpp.md"
# shellcheck disable=SC2016
printf '#!/bin/sh\nexec %s $sanitizers "$@"\n' "$compiler" >"$work/bin/c++"
chmod +x "$work/bin/c++"
reports=
[ ! -e .libs/libkinetostat-report.so ] || reports='-DCHECK_REPORTS -lkinetostat-report'
tests=$(cd "$srcdir" && pwd)/tests
cd "$work/folder" || exit 99

sanitizers='-fsanitize=address,undefined -fno-sanitize-recover=all'
export sanitizers
echo 'int main() { return 0; }' >one.cpp
# shellcheck disable=SC2086
{ c++ one.cpp -o one && ./one; } 2>/dev/null || sanitizers=

strict='-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror'
for check in check_cpp check_cpp_calls; do
    # shellcheck disable=SC2046,SC2086
    if ! c++ -std=c++17 -g $strict "$tests/cpp/$check.cpp" -o check $(pkg-config --cflags --libs kinetostat) $reports -pthread ||
        ! ./check; then
        fail "$check.cpp, as above"
    fi
done

sh -e "$work/page/02.sh" >output 2>&1 || fail "the program of the page: $(cat output)"
shown "$work/page/03.text" output || fail "$(cat output)"
lines=$(grep -c . ragdoll.cpp)
[ "$lines" -le 60 ] || fail "the ragdoll takes $lines lines"
# in C++20, for ranges, with the same warnings. At positions changed by 1e-6 the scene is still at
# rest
sed 's/dBodySetPosition(\(.*\), 0,/dBodySetPosition(\1, 1e-6,/' ragdoll.cpp >touched.cpp
! cmp -s ragdoll.cpp touched.cpp || fail "the scene has another line for its positions"
# shellcheck disable=SC2046,SC2086
c++ -std=c++20 $strict touched.cpp -o touched $(pkg-config --cflags --libs kinetostat) || fail "as C++20"
./touched >output 2>&1 || fail "the scene, touched: $(cat output)"
shown "$work/page/03.text" output || fail "the scene, touched: $(cat output)"
exit $failed

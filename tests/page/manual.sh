#!/bin/sh
# manual.sh  The manual as HTML in a browser: its search, and a narrow window. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/page/kit.sh
. "$srcdir/tests/page/kit.sh"
if ! make html >"$work/log" 2>&1; then
    cat "$work/log"
    ! grep -q 'needs Doxygen' "$work/log" || exit 77
    exit 1
fi
browse manual.py html "$work"

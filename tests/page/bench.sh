#!/bin/sh
# bench.sh  The cost of HTML reports to a browser: 220 bodies with joints, 200 with contacts, and
# five megabytes of a run. Called by make bench-page, with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
# shellcheck source=tests/page/kit.sh
. "$srcdir/tests/page/kit.sh"
for run in "ragdolls ragdoll 1 5 20" "pile pile 2 10 200" "long ragdoll 60 5 6"; do
    # shellcheck disable=SC2086
    set -- $run
    tests/page/motion "$2" "$work/$1.html" "$3" "$4" "$5" || exit 1
done
browse bench.py ragdolls="$work/ragdolls.html" pile="$work/pile.html" long="$work/long.html"

#!/bin/sh
# run.sh  Runs the tests of the Python module in the build tree, by the Python that configure has
# found. Skips them if the module, pyode or numpy is missing.
srcdir=${srcdir:-$(dirname "$0")/../..}
module=python/.libs/_native.abi3.so
[ -e "$module" ] || exit 77
"${PYTHON:-python3}" -c 'import ode, numpy' || exit 77
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
mkdir "$work/kinetostat"
for file in "$srcdir"/python/kinetostat/*.py* "$module"; do
    ln -s "$(cd "$(dirname "$file")" && pwd)/$(basename "$file")" "$work/kinetostat" || exit 99
done
KS_LIBRARY=$PWD/.libs/libkinetostat.so
[ -e "$KS_LIBRARY" ] || KS_LIBRARY=$PWD/.libs/libkinetostat-single.so
KS_INCLUDE=$(cd "$srcdir/include/kinetostat" && pwd)
[ ! -x kinetostat ] || export KINETOSTAT_COMMAND="$PWD/kinetostat"
LD_LIBRARY_PATH=$PWD/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
PYTHONPATH=$work${PYTHONPATH:+:$PYTHONPATH}
PYTHONDONTWRITEBYTECODE=1
export KS_LIBRARY KS_INCLUDE LD_LIBRARY_PATH PYTHONPATH PYTHONDONTWRITEBYTECODE
"${PYTHON:-python3}" -X faulthandler -W error -m unittest discover -s "$srcdir/python/tests" "$@"

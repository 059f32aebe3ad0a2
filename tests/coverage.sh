#!/bin/sh
# coverage.sh  Coverage of the tests: lines and branches of each folder of plugin/, and a page for
# each file. `make coverage` calls it with the build directory as the current one. It builds once
# more in coverage/, without optimisation, and runs `make check` there; COVERAGE_TARGETS="check
# check-long" runs more. Each branch of the sources counts once: KSI_COUNT_BRANCHES, which needs
# --coverage, has loops and functions compiled as written. Processes that judge write their
# counters, too, unless a signal ends them.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}" "${COVERAGE_TARGETS:=check}"
for tool in lcov genhtml; do
    command -v $tool >/dev/null || {
        echo "coverage.sh: $tool is not installed (Debian: lcov)" >&2
        exit 1
    }
done
source=$(cd "$srcdir" && pwd)
mkdir -p coverage && cd coverage || exit 1
echo "coverage: builds and tests in $PWD, which takes minutes"
[ -e Makefile ] || "$source/configure" -q --disable-hardening CC="$CC" CPPFLAGS=-DKSI_COUNT_BRANCHES CFLAGS='-O0 -g --coverage' || exit 1
find . -name '*.gcda' -delete
status=0
# shellcheck disable=SC2086 # several targets
make -j"$(nproc)" $COVERAGE_TARGETS >check.log 2>&1 || {
    echo "coverage.sh: a test fails, see $PWD/check.log" >&2
    status=1
}
set -- --rc lcov_branch_coverage=1 -q
lcov "$@" --capture --directory . --base-directory . --ignore-errors source --output-file all.info 2>lcov.log &&
    lcov "$@" --extract all.info '*/plugin/*' --output-file plugin.info &&
    genhtml --branch-coverage -q --output-directory html plugin.info 2>>lcov.log || exit 1
awk -F: '
    function percent(part, all) { return all ? sprintf("%5.1f %%", 100 * part / all) : "    - " }
    function show(name) {
        printf "%-12s lines %s of %6d, branches %s of %6d\n", name, percent(lines[name], allLines[name]), allLines[name],
               percent(branches[name], allBranches[name]), allBranches[name]
    }
    function count(to, value) { to[folder] += value; to["all"] += value }
    /^SF/ { folder = $2; sub(".*/plugin/", "", folder); sub("/.*", "", folder); seen[folder] = 1 }
    /^LH/ { count(lines, $2) }
    /^LF/ { count(allLines, $2) }
    /^BRH/ { count(branches, $2) }
    /^BRF/ { count(allBranches, $2) }
    END { for (name in seen) show(name); show("all") }' plugin.info | sort
echo "coverage: each file in $PWD/html/index.html"
exit $status

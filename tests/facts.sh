#!/bin/sh
# facts.sh  Facts that stand in several places agree: the version, the address for bugs, the oldest
# engine, findings.
srcdir=${srcdir:-$(dirname "$0")/..}
cd "$srcdir" || exit 99
status=0

fail() {
    echo "$*"
    status=1
}

# said WHAT PATTERN FILE...  the pattern is in each file
said() {
    what=$1 pattern=$2
    shift 2
    for file; do
        grep -q -e "$pattern" "$file" || fail "$file: no $what like \"$pattern\""
    done
}

# from configure.ac
version=$(sed -n 's/^AC_INIT(\[kinetostat\], \[\([^]]*\)\].*/\1/p' configure.ac)
address=$(sed -n 's/^AC_INIT(.*, \[\([^],]*@[^],]*\)\])$/\1/p' configure.ac)
engine=$(sed -n 's/^PKG_CHECK_MODULES(\[ODE\], \[ode >= \([0-9.]*\)\].*/\1/p' configure.ac)
for value in "$version" "$address" "$engine"; do
    [ -n "$value" ] || fail "not found in configure.ac: version \"$version\", address \"$address\", or engine \"$engine\""
done

said version "^kinetostat ($version)" debian/changelog
said version "^Kinetostat $version\$" NEWS
said address "^Maintainer: .* <$address>\$" debian/control
said address "^ -- .* <$address>  " debian/changelog
said engine "ODE $engine" README.md NEWS docs/questions.md docs/manual/kinetostat.1 cmake/KinetostatConfig.cmake.in
said engine "ODE ≥ $engine" docs/using.md
said engine "ode >= $engine" kinetostat.pc.in cmake/KinetostatConfig.cmake.in
said engine "libode-dev (>= 2:$engine)" debian/control
# no other engine is named
others=$(grep -rnE 'ODE (≥ )?[0-9]+\.[0-9]' README.md CONTRIBUTING.md NEWS docs include plugin demos cmake --include='*.md' \
    --include='*.[ch1]' --include='*.in' --include=NEWS | grep -vE "ODE (≥ )?$engine")
[ -z "$others" ] || fail "another engine than $engine: $others"
# a first release deprecates nothing
[ "$version" != 0.1.0 ] || ! grep -rni deprecated include NEWS || fail "deprecated in a first release"
# symbols of the Debian packages = exports of the libraries
for list in '' -report; do
    promised=$(sed -n 's/^ \([A-Za-z0-9]*\)@Base .*/\1/p' "debian/libkinetostat${list}0.symbols" | sort)
    [ "$promised" = "$(sort "tests/exports$list.list")" ] || fail "debian/libkinetostat${list}0.symbols is not tests/exports$list.list"
done
# each link to a term leads to a heading
terms=$(sed -n 's/^## //p' docs/glossary.md | tr 'A-Z ' 'a-z-')
linked=$(grep -rhoE 'glossary\.md#[a-z-]+' README.md docs --include='*.md' | sed 's/.*#//' | sort -u)
for term in $linked; do
    echo "$terms" | grep -qx -e "$term" || fail "docs/glossary.md has no heading for $term"
done
# findings that can be suppressed
# shellcheck disable=SC2013 # names have no spaces
for finding in $(sed -n 's/.*\[KSI_FINDS_[A-Z]*\] = "\([a-z]*\)".*/\1/p' plugin/report/findings/finding_kinds.c); do
    said finding "^\.IP .fB$finding.fR" docs/manual/kinetostat.1
done
exit $status

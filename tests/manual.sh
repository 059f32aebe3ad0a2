#!/bin/sh
# manual.sh  Each exported function and each public type is on one page of the manual. Each verdict
# and each reason has an entry in docs/questions.md. The C code of the pages and of README compiles.
# The pages are valid.
srcdir=${srcdir:-$(dirname "$0")/..}
headers=$srcdir/include/kinetostat
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"

types() {
    sed -n -e 's/^}* *\(ks[A-Z][A-Za-z]*\);$/\1/p' -e 's/^typedef .*[ }]\(ks[A-Z][A-Za-z]*\);$/\1/p' \
        -e 's/^typedef [A-Za-z]* \(ks[A-Za-z]*\)(.*/\1/p' "$headers"/*.h
}

set -- docs/manual/*.3
sed -n '/^\.SH NAME/,/^\.SH SYNOPSIS/p' "$@" | tr ', ' '[\n*]' | grep '^ks[A-Z]' | sort >"$work/named"
{ cat "$srcdir/tests/exports.list" "$srcdir/tests/exports-report.list" && types | sort -u && echo ksReason; } | sort >"$work/wanted"
diff -U0 "$work/wanted" "$work/named" || fail "what the headers declare (-) and what the pages are about (+) differ"

# entries SECTION  the headings of its entries
entries() {
    sed -n "/^## $1\$/,/^## /s/^#### \`\(KS_[A-Z_]*\)\`\$/\1/p" "$srcdir/docs/questions.md" | sort
}

# explained SECTION PAGE  each name in $work/names has an entry there, and no other, and is on the page
explained() {
    sort "$work/names" >"$work/declared"
    [ -s "$work/declared" ] || fail "the headers declare nothing for $2"
    entries "$1" | diff -U0 "$work/declared" - || fail "what the headers declare (-) and docs/questions.md, $1 (+) differ"
    while read -r name; do
        grep -q "^\.B $name\$" "$2" || fail "$2: no $name"
    done <"$work/declared"
    # a code span that is broken between lines
    if grep '`' "$2"; then
        fail "$2: marks of Markdown"
    fi
}

sed -n '/^typedef enum ksVerdict/,/^}/s/^ *\(KS_[A-Z_]*\)[ ,].*/\1/p' "$headers"/*.h >"$work/names"
explained Verdicts docs/manual/ksVerdict.3
sed -n 's/^#define \(KS_REASON_[A-Z_]*\) .*/\1/p' "$headers"/*.h >"$work/names"
explained Reasons docs/manual/ksReason.3

# compile FILE NAME  without warnings; NAME is where it is from
compile() {
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 -Wall -Wextra -Werror -Wno-unused-function -fsyntax-only -I "$srcdir/include" $ODE_CFLAGS "$1" ||
        fail "$2 does not compile"
}

headings='#include <kinetostat/coordinates.h>
#include <kinetostat/kinetostat.h>
#include <kinetostat/recording.h>
#include <kinetostat/report.h>
#include <math.h>
#include <stdio.h>'

for page; do
    template=$srcdir/${page%.3}.man
    {
        echo "$headings"
        sed -n '/^\.EX/,/^\.EE/{/^\.E[XE]/!p;}' "$template"
    } >"$work/example.c"
    grep -q ';$' "$work/example.c" || fail "$page has no example"
    compile "$work/example.c" "$template"
done

# the one header that a page includes declares the functions and types of the page
for page; do
    [ "$page" != docs/manual/kinetostat.3 ] || continue
    grep -c '^\.B #include' "$page" | grep -qx 1 || fail "$page tells to include more or less than one header"
    {
        sed -n 's/^\.B \(#include .*\)/\1/p' "$page"
        sed -n '/^\.SH NAME/,/^\.SH SYNOPSIS/p' "$page" | tr ', ' '[\n*]' | sort -u >"$work/about"
        sort -u "$srcdir/tests/exports.list" "$srcdir/tests/exports-report.list" | comm -12 - "$work/about" |
            sed 's/.*/void *use_&(void); void *use_&(void) { return (void *)&; }/'
    } >"$work/header.c"
    compile "$work/header.c" "$page: its synopsis"
done

# the function, and its use by a host
# shellcheck disable=SC2016
sed -n '/^```c$/,/^```$/{/^```/!p;}' "$srcdir/README.md" >"$work/lines"
{
    echo "$headings"
    sed '/^}$/q' "$work/lines"
    echo 'int simulate(dWorldID world, dJointID hinge); int simulate(dWorldID world, dJointID hinge) {'
    sed '1,/^}$/d' "$work/lines"
    echo 'return 0; }'
} >"$work/readme.c"
compile "$work/readme.c" README.md

for page; do
    if command -v groff >/dev/null; then
        groff -man -t -z -w w -T utf8 "$page" 2>"$work/complaints"
        [ ! -s "$work/complaints" ] || fail "$page: $(cat "$work/complaints")"
    fi
    if command -v mandoc >/dev/null; then
        mandoc -T lint "$page" || fail "$page: see above"
    fi
done
exit $failed

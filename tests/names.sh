#!/bin/sh
# names.sh  A name means one thing: a header's include guard is its path, and no two structures, unions or enumerations of the library
# have the same name.
cd "${srcdir:-$(dirname "$0")/..}" || exit 99

# plugin/report/findings/view.h -> KSI_REPORT_FINDINGS_VIEW_H, tests/kits/report/judge_kit.h -> TESTS_KITS_REPORT_JUDGE_KIT_H
wrong=$(find plugin tests demos -name '*.h' | while read -r header; do
    guard=$(echo "${header%.h}_H" | tr 'a-z/' 'A-Z_' | sed 's/^PLUGIN_/KSI_/')
    if [ "$(sed -n 's/^#ifndef //p;s/^#define //p' "$header" | head -n 2 | sort -u)" != "$guard" ]; then
        echo "$header is not guarded by $guard"
    fi
done)
twice=$(find plugin include -name '*.[ch]' -exec cat {} + | grep -oE '(struct|union|enum) ksi?[A-Z][A-Za-z]* \{' | sort | uniq -d |
    sed 's/^/two have the name: /')
printf '%s' "${wrong:+$wrong
}${twice:+$twice
}"
[ -z "$wrong$twice" ]

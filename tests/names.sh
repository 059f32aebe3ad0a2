#!/bin/sh
# names.sh  A name means one thing: a header's include guard is its path, and no two structures, unions or enumerations of the library
# have the same name.
srcdir=${srcdir:-$(dirname "$0")/..}
cd "$srcdir" || exit 99
status=0

# plugin/report/view.h -> KSI_REPORT_VIEW_H, tests/judge_kit.h -> TESTS_JUDGE_KIT_H
for header in $(find plugin tests demos -name '*.h'); do
    guard=$(echo "${header%.h}_H" | tr 'a-z/' 'A-Z_' | sed 's/^PLUGIN_/KSI_/')
    [ "$(grep -cx "#ifndef $guard" "$header")" = 1 ] && [ "$(grep -cx "#define $guard" "$header")" = 1 ] || {
        echo "$header is not guarded by $guard"
        status=1
    }
done

twice=$(find plugin include -name '*.[ch]' -exec cat {} + | grep -oE '(struct|union|enum) ksi?[A-Z][A-Za-z]* \{' | sort | uniq -d)
[ -z "$twice" ] || {
    echo "two have the name: $twice"
    status=1
}
exit $status

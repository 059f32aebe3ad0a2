#!/bin/sh
# manual.sh  The manual as HTML in a browser: its search, and a narrow window. Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/../..}"
python=/usr/bin/python3
for tool in "$python" /usr/bin/chromium /usr/bin/chromedriver; do
    if [ ! -x "$tool" ]; then
        echo "there is no $tool (on Debian: apt-get install chromium-driver python3-selenium)"
        exit 77
    fi
done
"$python" -c 'import selenium' || exit 77
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
if ! make html >"$work/log" 2>&1; then
    cat "$work/log"
    ! grep -q 'needs Doxygen' "$work/log" || exit 77
    exit 1
fi
HOME=$work "$python" "$srcdir/tests/page/manual.py" html "$work"

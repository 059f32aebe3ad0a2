#!/bin/sh
# kit.sh  Shared by the tests in a browser, which source it in the build directory: $python with
# Selenium and Chromium, or a skip; $work, a folder that is removed at the end.
# shellcheck disable=SC2034
: "${srcdir:?}"
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

# browse SCRIPT ARGUMENT...  leaves nothing beside the script
browse() {
    script=$1
    shift
    HOME=$work PYTHONDONTWRITEBYTECODE=1 "$python" "$srcdir/tests/page/$script" "$@"
}

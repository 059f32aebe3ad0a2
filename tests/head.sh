# head.sh  What tests that are scripts share: a folder to work in, and how they fail. Read by them.
# shellcheck shell=sh
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    # shellcheck disable=SC2034
    failed=1
}

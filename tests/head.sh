# head.sh  Shared by the tests that are scripts, which source it: a work folder, and fail().
# shellcheck shell=sh
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
failed=0

fail() {
    echo "FAILED: $*"
    # shellcheck disable=SC2034
    failed=1
}

#!/bin/sh
# debian.sh  Builds the Debian packages from the files that git tracks (or that KS_FILES lists),
# checks them with lintian, unpacks them into an empty root, and runs run.sh against it. Works in a
# directory of its own; --keep DIRECTORY copies the packages there.
set -eu
keep=
[ "${1-}" != --keep ] || keep=$(mkdir -p "$2" && cd "$2" && pwd)
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/kinetostat" "$work/root"
if [ -z "${KS_FILES-}" ]; then
    KS_FILES=$work/files
    git -c safe.directory="$PWD" ls-files -z >"$KS_FILES"
fi
tar -c --null --verbatim-files-from --files-from="$KS_FILES" | tar -x -C "$work/kinetostat"
here=$work/kinetostat/tests/installed

cd "$work/kinetostat"
DEB_BUILD_OPTIONS="nocheck parallel=$(nproc) ${DEB_BUILD_OPTIONS-}" dpkg-buildpackage -us -uc -b
cd "$work"
[ -z "$keep" ] || cp ./*.deb ./*.changes ./*.buildinfo "$keep"

echo "lintian"
lintian --allow-root -I --pedantic --show-overrides --fail-on error,warning ./*.changes

for package in *.deb; do
    dpkg -x "$package" root
done
libraries=root/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
doc=root/usr/share/doc/libkinetostat-dev
for file in "$libraries/libkinetostat.so" "$libraries/libkinetostat-report.so" "$libraries/libkinetostat-recording.so" "$doc/html/index.html"; do
    [ -e "$file" ] || {
        echo "no $file in the packages"
        exit 1
    }
done

prefix=$work/root/usr libdir=$work/$libraries docdir=$work/$doc mandir=$work/root/usr/share/man stage=$work/root \
    version=$(dpkg-parsechangelog -l kinetostat/debian/changelog -S Version) sh "$here/run.sh"

echo "pages of the packaged command"
root/usr/bin/kinetostat --quiet --html page.html true
grep -q dygraphs page.html

echo "the packaged module of Python"
(cd kinetostat/python/tests &&
    PYTHONPATH=$work/root/usr/lib/python3/dist-packages LD_LIBRARY_PATH=$work/$libraries KINETOSTAT_COMMAND=$work/root/usr/bin/kinetostat \
        KS_LIBRARY=$work/$libraries/libkinetostat.so KS_INCLUDE=$work/kinetostat/include/kinetostat /usr/bin/python3 -m unittest)

#!/bin/sh
# h5diff exits with 0 for runs of different lengths.
#
# Package:   hdf5-tools 1.10.8+repack1-1 (Debian 12)
# Expected:  "Exit code: 0 if no differences, 1 if differences found, 2 if error". A run that ended after 50 of 100 steps differs.
# Behaviour: data sets of different lengths, or of floating-point numbers and integers, are "not comparable", which is no difference: it exits with
#            0, and with -q it also prints nothing. One other number exits with 1, and so does a data set that one of the files lacks.
# Output:    the same 0, another number 1, half as long 0, integers 0, one data set more 1; what -q prints of half as long: ""
# Source:    tools/src/h5diff/h5diff_main.c: the exit code comes from the number of differences, contents and err_stat; not_cmp is for print_info.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir partial
# with all that is not installed of what they need
apt-get -qq -y -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o Dir::Cache::archives="$work" --no-install-recommends --reinstall --download-only install \
    hdf5-tools=1.10.8+repack1-1
for package in ./*.deb; do dpkg -x "$package" .; done
LD_LIBRARY_PATH=$(find "$PWD" -name '*.so*' -exec dirname {} + | sort -u | paste -sd:)
export LD_LIBRARY_PATH
PATH=$work/usr/bin:$PATH

# data NAME COUNT CLASS NUMBERS [MORE]  a file with so many numbers as /force, and again as /MORE
data() {
    for name in force ${5-}; do
        printf 'PATH %s\nINPUT-CLASS %s\nINPUT-SIZE 32\nRANK 1\nDIMENSION-SIZES %s\n' "$name" "$3" "$2" >config
        echo "$4" >numbers
        h5import numbers -c config -o "$1.h5" >/dev/null
    done
}
data run 4 TEXTFP '1.5 2.5 3.5 4.5'
data same 4 TEXTFP '1.5 2.5 3.5 4.5'
data other 4 TEXTFP '1.5 2.5 3.5 4.25'
data half 2 TEXTFP '1.5 2.5'
data integers 4 TEXTIN '1 2 3 4'
data two 4 TEXTFP '1.5 2.5 3.5 4.5' more

# code FILE  the exit code of a comparison with the run
code() {
    status=0
    h5diff run.h5 "$1.h5" >/dev/null || status=$?
    echo $status
}
echo "the same $(code same), another number $(code other), half as long $(code half), integers $(code integers), one data set more $(code two);" \
    "what -q prints of half as long: \"$(h5diff -q run.h5 half.h5)\"" | tee out
grep -qx 'the same 0, another number 1, half as long 0, integers 0, one data set more 1; what -q prints of half as long: ""' out || { echo "changed: exit codes of h5diff"; exit 1; }
echo "as described"

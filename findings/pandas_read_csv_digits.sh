#!/bin/sh
# pandas reads half of the numbers in a CSV file that have 17 digits as other numbers, off by up to 6800 units in the last place.
#
# Package:   python3-pandas 1.5.3+dfsg-2 (Debian 12)
# Expected:  17 significant digits are enough for a double: what is written by "%.17g" is read as the same number, as by float().
# Behaviour: read_csv has a fast conversion by default, and float_precision="high" is the same one. Of 10 000 random numbers 4823 change, by up to 9e-13
#            of their size: 0.30000000000000004 becomes 0.3. So forces of two runs that are equal to the bit compare as different if one of them was read
#            from a file, and a difference of two close values keeps its noise. float_precision="round_trip" is exact.
# Output:    default 4823 of 10000 changed, by up to 6798 units in the last place; high 4823; round_trip 0; 0.30000000000000004 is read as 0.3
# Source:    pandas/_libs/src/parser/tokenizer.c: precise_xstrtod multiplies the digits by a power of ten, and ignores digits above the 17th;
#            pandas.read_csv, float_precision.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir partial
# with all that is not installed of what it needs
apt-get -qq -y -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o Dir::Cache::archives="$work" --no-install-recommends --reinstall --download-only install \
    python3-pandas=1.5.3+dfsg-2 python3-pandas-lib=1.5.3+dfsg-2
for package in ./*.deb; do dpkg -x "$package" .; done
LD_LIBRARY_PATH=$(find "$PWD" -name '*.so*' -exec dirname {} + | sort -u | paste -sd:)
export LD_LIBRARY_PATH

cat >read.py <<'EOF'
import io
import math
import random

import pandas

random.seed(1)
numbers = [random.uniform(0, 1) * 10 ** random.randint(-6, 6) for _ in range(10000)]
text = "force\n" + "\n".join(f"{number:.17g}" for number in numbers)


def changed(precision):
    read = pandas.read_csv(io.StringIO(text), float_precision=precision)["force"]
    return sum(a != b for a, b in zip(numbers, read)), max(abs(a - b) / math.ulp(a) for a, b in zip(numbers, read))


most = changed(None)
one = pandas.read_csv(io.StringIO("force\n0.30000000000000004\n"))["force"][0]
print(f"default {most[0]} of {len(numbers)} changed, by up to {most[1]:.0f} units in the last place; high {changed('high')[0]};"
      f" round_trip {changed('round_trip')[0]}; 0.30000000000000004 is read as {one}")
EOF
PYTHONPATH=$work/usr/lib/python3/dist-packages /usr/bin/python3 read.py | tee out
grep -qx 'default 4823 of 10000 changed, by up to 6798 units in the last place; high 4823; round_trip 0; 0.30000000000000004 is read as 0.3' out ||
    { echo "changed: numbers are read as they are written"; exit 1; }
echo "as described"

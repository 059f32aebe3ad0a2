#!/bin/sh
# pandas reads one in seven doubles of a CSV file wrong in its last digit, and a joint that is called "NA" as missing.
#
# Package:   python3-pandas 1.5.3+dfsg-2, python3-numpy 1:1.24.2-1+deb12u1 (Debian 12), installed, since they find their parts by fixed paths
# Expected:  a double that was written with 17 digits comes back as the same double, as from Python's float and from C's strtod.
# Behaviour: the parser that read_csv uses by default rounds more than once. Of 100 000 uniform random doubles with 17 digits 14 % come
#            back one unit in the last place off: comparisons with other files fail, and differences to references are never zero. With
#            float_precision="round_trip" all are right. Names "NA", "nan" and "null" become NaN; keep_default_na=False keeps them.
# Output:    14056 of 100000 are off; with round_trip 0; names NA, nan, null, elbow: 3 missing, with keep_default_na=False 0
# Source:    the reference of pandas.read_csv, parameters float_precision and na_values, where nothing says how many numbers are off.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
for package in python3-pandas=1.5.3+dfsg-2 python3-numpy=1:1.24.2-1+deb12u1; do
    [ "$(dpkg-query -W -f='${Version}' "${package%%=*}" 2>/dev/null)" = "${package#*=}" ] ||
        apt-get -qq install -y --no-install-recommends "$package"
done

cat >read.py <<'END'
import io
import random

import pandas

drawn = random.Random(1)
written = [drawn.uniform(-100, 100) for _ in range(100000)]
text = "x\n" + "\n".join(repr(x) for x in written)
for options in {}, {"float_precision": "round_trip"}:
    read = pandas.read_csv(io.StringIO(text), **options)["x"]
    print(sum(a != b for a, b in zip(written, read)), end=" ")
names = "name,x\n" + "\n".join(f"{name},1" for name in ("NA", "nan", "null", "elbow"))
for options in {}, {"keep_default_na": False}:
    print(pandas.read_csv(io.StringIO(names), **options)["name"].isna().sum(), end=" ")
print()
END
/usr/bin/python3 read.py | tee out
awk '{ exit !($1 > 10000 && $2 == 0 && $3 == 3 && $4 == 0) }' out || { echo "changed: doubles and names come back"; exit 1; }
echo "as described"

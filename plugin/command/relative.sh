#!/bin/sh
# relative.sh  Prints the relative path from one folder to another, both given as absolute paths:
# relative.sh /usr/bin /usr/lib/kinetostat prints ../lib/kinetostat.
set -eu
from=${1%/}/
to=${2%/}/
up=
while [ "${to#"$from"}" = "$to" ]; do
    from=${from%/*/}/
    up=../$up
done
way=$up${to#"$from"}
echo "${way%/}"

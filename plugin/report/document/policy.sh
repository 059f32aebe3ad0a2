#!/bin/sh
# policy.sh  The scripts or styles that a page may use: policy.sh DIRECTIVE FILE... writes a directive of a content security policy that
# allows these texts alone.
set -eu
directive=$1
shift
for file; do
    # shellcheck disable=SC2059
    sum=$(printf "$(sha256sum <"$file" | awk '{
        for (i = 1; i < 64; i += 2)
            printf "\\%03o", 16 * digit(substr($1, i, 1)) + digit(substr($1, i + 1, 1))
    }
    function digit(c) { return index("0123456789abcdef", c) - 1 }')" | base64)
    directive="$directive 'sha256-$sum'"
done
printf '%s; ' "$directive"

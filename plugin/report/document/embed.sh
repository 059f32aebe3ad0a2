#!/bin/sh
# embed.sh  Writes files as strings of C: embed.sh HEADER NAME FILE [NAME FILE]... > page_files.c
set -eu
printf '/* Made by embed.sh. */\n#include "%s"\n' "$1"
shift
while [ $# -gt 1 ]; do
    printf '\nconst char %s[] =\n' "$1"
    od -An -v -to1 "$2" | sed 's/ /\\/g; s/.*/"&"/'
    printf ';\n'
    shift 2
done

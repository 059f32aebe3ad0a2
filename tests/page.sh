# page.sh  Shared by the tests that run a page of docs/, which source it after head.sh.
# shellcheck shell=sh disable=SC2154
mkdir "$work/bin" "$work/page" "$work/folder"

# as_installed  programs of the page find the build by PATH and pkg-config like an installation
as_installed() {
    sources=$(cd "$srcdir" && pwd)
    [ "$CC" = cc ] || printf '#!/bin/sh\nexec %s "$@"\n' "$CC" >"$work/bin/cc"
    [ "$CC" = cc ] || chmod +x "$work/bin/cc"
    cat >"$work/kinetostat.pc" <<END
Name: kinetostat
Description: of the build tree
Version: 0
Cflags: -I$sources/include $ODE_CFLAGS
Libs: -L$PWD/.libs -Wl,-rpath,$PWD/.libs -lkinetostat $ODE_LIBS
END
    PATH=$work/bin:$PATH
    PKG_CONFIG_PATH=$work${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}
    export PATH PKG_CONFIG_PATH
}

# blocks PAGE  its blocks, numbered, in $work/page; programs in $work/folder: each has the name of the last `file` before it
blocks() {
    awk -v to="$work/page/" -v files="$work/folder/" '
        /^```/ && !kind {
            kind = substr($0, 4)
            number = sprintf("%02d", ++blocks)
            isProgram = kind == "c" || kind == "cpp"
            out = isProgram ? files name : to number "." kind
            if (isProgram && !name) exit 1
            printf "" >out
            next
        }
        /^```/ { close(out); kind = name = ""; next }
        kind { print >out; next }
        { for (text = $0; match(text, /`[a-z]+\.([ch]|cpp)`/); text = substr(text, RSTART + RLENGTH))
              name = substr(text, RSTART + 1, RLENGTH - 2) }
    ' "$1" || fail "a program without a name"
}

# shown EXPECTED OUTPUT  each line of the page is in the output, in this order. "..." stands for
# anything, also for lines. Whole numbers are equal. The last digit of other numbers may differ by
# one, since builds of the engine round differently and a tie may go either way. The scenes of the
# page do not amplify this.
shown() {
    awk '
        BEGIN { number = "^[-+]?[0-9]+[.][0-9]+(e[-+]?[0-9]+)?$" }
        function bare(word) { sub(/[,;:.]$/, "", word); return word }
        function alike(a, b) {
            a = bare(a)
            b = bare(b)
            if (a == b) return 1
            if (a !~ number || b !~ number) return 0
            unit = a
            sub(/e.*/, "", unit)
            unit = 10 ^ (index(unit, ".") - length(unit))
            if (a ~ /e/) unit *= 10 ^ substr(a, index(a, "e") + 1)
            return (a - b) ^ 2 <= (1.01 * unit) ^ 2
        }
        function fits(i, k) {
            while (i <= wanted) {
                if (want[i] == "...") {
                    for (; k <= words + 1; k++) if (fits(i + 1, k)) return 1
                    return 0
                }
                if (k > words || !alike(want[i++], word[k++])) return 0
            }
            return k > words
        }
        NR == FNR { if ($0 != "...") line[++lines] = $0; next }
        at < lines {
            wanted = split(line[at + 1], want, " ")
            words = split($0, word, " ")
            if (fits(1, 1)) at++
        }
        END { if (at < lines) { print "not shown: " line[at + 1]; exit 1 } }
    ' "$1" "$2"
}

# find_library [FILE]  programs find the build; skips without the shared library, or with a
# sanitizer in FILE
find_library() {
    if [ ! -e .libs/libkinetostat.so ]; then
        echo "this build has no shared library"
        exit 77
    fi
    if nm -D "${1:-.libs/libkinetostat.so}" | grep -q __asan; then
        echo "an address sanitizer cannot be loaded into programs without one"
        exit 77
    fi
    as_installed
}

# find_command  the build's command as an installed one; nothing if the installed one is tested
find_command() {
    [ -z "$installed" ] || return 0
    if [ ! -x kinetostat ] || [ ! -e .libs/kinetostat-preload.so ]; then
        echo "this build has no command, or no wrapper for it"
        exit 77
    fi
    find_library .libs/kinetostat-preload.so
    printf '#!/bin/sh\nexec %s/kinetostat "$@"\n' "$PWD" >"$work/bin/kinetostat"
    chmod +x "$work/bin/kinetostat"
}

# follow  runs the commands of the page, and compares their output with the page
follow() {
    cd "$work/folder" || exit 99
    for block in "$work/page"/*; do
        case $block in
        *.sh)
            sh -e "$block" >"$work/output" 2>&1 || fail "$(cat "$block"): status $?: $(cat "$work/output")"
            [ ! -e report.txt ] || grep -q . report.txt || fail "an empty report"
            ;;
        *.text) shown "$block" "$work/output" || fail "$(cat "$work/output")" ;;
        *) fail "$block: what is this?" ;;
        esac
    done
}

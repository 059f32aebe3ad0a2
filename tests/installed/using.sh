#!/bin/sh
# using.sh  Runs the lines of docs/using.md about installing in the clone that ./bootstrap has
# built. Then it installs by `make install prefix=DIR`, and moves DIR. HOME is a new folder. As root
# it works in a mount namespace with its own /usr/local and /etc; else the line for root is left
# out. At the end it configures the build as before.
set -eu
cd "$(dirname "$0")/../.."
[ -e build/config.status ] || {
    echo "run ./bootstrap first" >&2
    exit 1
}
if [ "${1-}" != --within ]; then
    if [ "$(id -u)" = 0 ] && unshare --mount sh -c 'mount -t tmpfs tmpfs /usr/local' 2>/dev/null; then
        exec unshare --mount sh "$PWD/tests/installed/using.sh" --within root
    fi
    exec sh "$PWD/tests/installed/using.sh" --within user
fi

work=$(mktemp -d)
before=$(build/config.status --config)
finish() {
    status=$?
    (cd build && eval "../configure -q $before" && make -s) >"$work/restored" 2>&1 || {
        cat "$work/restored"
        status=1
    }
    rm -rf first try "$work"
    exit $status
}
trap finish EXIT

# typed  the shell lines of the section: indented by four columns, up to the next heading
typed() {
    awk '/^## / { inside = $0 == "## Installing" } inside && /^    / { sub(/^    /, ""); print }' docs/using.md |
        grep -vE '^(find_package|target_link_libraries)'
}
typed >"$work/lines"

export HOME="$work/home"
mkdir "$HOME" "$work/bin"
if [ "$2" = root ]; then
    mount -t tmpfs tmpfs /usr/local
    cp -a /etc "$work/etc"
    mount --bind "$work/etc" /etc
    # sudo may be missing where everybody is root
    command -v sudo >/dev/null || {
        # shellcheck disable=SC2016
        printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
        chmod +x "$work/bin/sudo"
        PATH=$work/bin:$PATH
    }
    grep -q '^/usr/local ' build/folders.stamp || (cd build && ../configure -q --prefix=/usr/local)
else
    echo "not as root: without the line that needs it"
    grep -v '^sudo' "$work/lines" >"$work/others"
    mv "$work/others" "$work/lines"
fi

# each line, and its result
lines=0
while IFS= read -r line; do
    printf '$ %s\n' "$line"
    # a line that fails ends the script; its variables stay for the next lines
    eval "$line" >"$work/output" 2>&1 </dev/null || {
        tail -n 40 "$work/output"
        printf 'failed: %s\n' "$line"
        exit 1
    }
    lines=$((lines + 1))
    case $line in
    sudo*)
        # shellcheck disable=SC2046
        cc -o first demos/first.c $(pkg-config --cflags --libs kinetostat) -lm
        ./first >"$work/said"
        grep -q 'KS_VALID' "$work/said"
        ldd first | grep -q '/usr/local/lib/libkinetostat\.so\.0'
        /usr/local/bin/kinetostat --report "$work/report" build/demos/chain --quiet >/dev/null
        grep -q inspected "$work/report"
        rm first
        # what is installed for all users must not serve the lines for one user
        make -s -C build uninstall >/dev/null 2>&1
        ldconfig
        ;;
    *lib*.a/g*) ;;
    *"\$static"*)
        if ldd first | grep kinetostat; then
            printf 'linked with the shared library: %s\n' "$line"
            exit 1
        fi
        ;;
    *pkg-config*kinetostat*) ldd first | grep -q "$HOME/.local/lib/libkinetostat\.so\.0" ;;
    cc*build/.libs*) env -u LD_LIBRARY_PATH ldd first | grep -q "$PWD/build/.libs/libkinetostat\.so\.0" ;;
    kinetostat*) [ "$(command -v kinetostat)" = "$HOME/.local/bin/kinetostat" ] && grep -q inspected "$work/output" ;;
    esac
done <"$work/lines"
[ $lines -ge 10 ] || {
    echo "only $lines lines are found in docs/using.md"
    exit 1
}

# into one more folder, without any variable for it, and moved
unset LD_LIBRARY_PATH PKG_CONFIG_PATH
rm -rf "$HOME/.local"
echo "make install prefix=DIR"
make -s -C build install prefix="$work/other" >"$work/output" 2>&1 || {
    tail -n 40 "$work/output"
    exit 1
}
ways="$work/other $work/moved"
for place in $ways; do
    [ "$place" = "$work/other" ] || mv "$work/other" "$place"
    "$place/bin/kinetostat" --report "$work/report" build/demos/chain --quiet >/dev/null
    grep -q inspected "$work/report"
    ldd "$place/bin/kinetostat" | grep -q "$place/.*/libkinetostat\.so\.0"
    [ "$place" != "$work/other" ] || {
        [ "$(PKG_CONFIG_PATH=$place/lib/pkgconfig pkg-config --variable=prefix kinetostat)" = "$place" ]
        readelf -d "$place/lib/libkinetostat-report.so" | grep -q "RUNPATH.*$place/lib"
    }
done
echo "$lines lines of docs/using.md work"

#!/bin/sh
# run.sh  Joint forces as reported by engines, in seven scenes with closed forms (say.h): the
# installed engines of Debian, and engines of npm, in fixed versions in a folder that is removed. A
# missing engine is left out with a message. Called by make bench-reactions.
: "${srcdir:=.}" "${CC:=cc}" "${CXX:=c++}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}"
here=$(cd "$srcdir/tests/bench/reactions" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

left_out() {
    echo "$1 is left out: $2" >&2
}

# measure NAME COMMAND...  builds ./NAME in the folder, and runs it
measure() {
    name=$1
    shift
    if ! "$@" -o "$work/$name" 2>"$work/errors"; then
        left_out "$name" "$(grep -m 1 -E 'error|cannot find' "$work/errors" || echo 'it does not build')"
    elif ! "$work/$name" >"$work/output" 2>"$work/errors"; then
        left_out "$name" "$(tail -n 1 "$work/errors")"
    else
        cat "$work/output" >>"$work/found"
        cat "$work/errors" >&2
    fi
}

# flags PACKAGE...  flags of the first installed package, as system headers
flags() {
    for package; do
        pkg-config --exists "$package" || continue
        pkg-config --cflags "$package" | sed 's/-I */-isystem /g; s/-std=[^ ]*//g'
        return
    done
}
libraries() {
    for package; do
        pkg-config --exists "$package" || continue
        pkg-config --libs "$package"
        return
    done
}

LD_LIBRARY_PATH=$PWD/.libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
: >"$work/found"
# shellcheck disable=SC2046,SC2086
{
    measure ODE $CC -std=c11 -D_DEFAULT_SOURCE -O1 -DODE_VERSION="\"$(pkg-config --modversion ode)\"" -I"$srcdir/include" $ODE_CFLAGS \
        "$here/ode.c" -L.libs -lkinetostat $ODE_LIBS -lm
    measure Bullet $CXX -std=c++17 -O1 $(flags bullet-float64 bullet) "$here/bullet.cpp" $(libraries bullet-float64 bullet)
    measure MuJoCo $CC -std=c11 -O1 "$here/mujoco.c" -lmujoco -lm
    measure DART $CXX -std=c++17 -O1 $(flags dart) "$here/dart.cpp" $(libraries dart)
    measure Box2D $CXX -std=c++17 -O1 "$here/box2d.cpp" -lbox2d
    measure Chipmunk $CC -std=c11 -O1 "$here/chipmunk.c" -lchipmunk -lm
    measure Simbody $CXX $(flags simbody) -std=c++17 -O1 "$here/simbody.cpp" $(libraries simbody)
}

mkdir "$work/node"
cp "$here/package.json" "$here"/*.mjs "$here/mujoco.c" "$work/node"
if ! command -v npm >/dev/null; then
    left_out "npm" "it is not there"
elif ! (cd "$work/node" && npm install --no-audit --no-fund --no-update-notifier --ignore-scripts >"$work/errors" 2>&1); then
    left_out "npm" "$(tail -n 1 "$work/errors")"
else
    sed -n 's/^    "\(.*\)": .*/\1/p' "$here/package.json" | while read -r package; do
        if (cd "$work/node" && node npm.mjs "$package" >"$work/output" 2>"$work/errors"); then
            grep '|' "$work/output" >>"$work/found"
        else
            left_out "$package" "$(grep -m 1 Error "$work/errors")"
        fi
    done
fi
awk -f "$here/table.awk" "$work/found"

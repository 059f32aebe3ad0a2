#!/bin/sh
# gallery.sh  Makes the pictures of README.md again: each demo draws its world, and one frame of it is kept, half as large and with
# fewer colours. Called in the build directory; `make gallery` does. Needs ImageMagick, and minutes.
#
#     gallery.sh FOLDER [demo...]
set -eu
folder=$1
shift
command -v convert >/dev/null || {
    echo "the gallery needs ImageMagick (on Debian: apt-get install imagemagick)" >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# keep FRAME demo [option...]  a frame of 1/60 s, counted from 1 through all worlds that the demo steps; the demo ends with it
keep() {
    frame=$work/$2-$(printf '%05d' "$1").png
    after=$work/$2-$(printf '%05d' $(($1 + 1))).png
    demo=$2
    shift 2
    case " $chosen " in
    "  " | *" $demo "*) ;;
    *) return 0 ;;
    esac
    demos/"$demo" --quiet --frames "$work" "$@" &
    # the next one is begun when this one is written
    while [ ! -e "$after" ] && kill -0 $! 2>/dev/null; do
        sleep 0.1
    done
    kill $! 2>/dev/null || true
    wait $! || true
    convert "$frame" -filter Lanczos -resize 640x360 +dither -colors 240 -strip -define png:compression-level=9 \
        PNG8:"$folder/$demo-view.png"
    rm "$work/$demo"-*.png
}
chosen=$*

keep 22 chain
keep 36 crane
keep 295 arm
keep 68 bridge
keep 110 door
keep 62 linkage
keep 85 pile
keep 40 ragdoll
keep 124 vehicle
keep 60 walker
keep 60 wrist
keep 40 pendulum
keep 20 atwood
keep 20 incline
keep 30 rotating_line
keep 60 fourbar
keep 41 impact

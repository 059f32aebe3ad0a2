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

# keep FRAME demo [option...]  a frame of 1/60 s, counted from 1 through all worlds that the demo steps
keep() {
    frame=$1
    demo=$2
    shift 2
    case " $chosen " in
    "  " | *" $demo "*) ;;
    *) return 0 ;;
    esac
    demos/"$demo" --quiet --frames "$work" "$@"
    convert "$work/$demo-$(printf '%05d' "$frame").png" -filter Lanczos -resize 640x360 +dither -colors 96 -strip \
        -define png:compression-level=9 PNG8:"$folder/$demo.png"
    rm "$work/$demo"-*.png
}
chosen=$*

#!/bin/sh
# instructions.sh  The cost of inspection in a step of dWorldQuickStep(20), in instructions per
# joint and step, counted by callgrind without the set-up and the first steps; then its distribution
# over functions in the first scene.
# instructions.sh BENCH [SCENE:SIZE:STEPS]...
bench=$1
shift
[ $# != 0 ] || set -- chain:100:60 tree:127:60 fourbars:20:60

command -v valgrind >/dev/null || {
    echo "instructions.sh: valgrind is not installed" >&2
    exit 1
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# take CASE  sets scene, size and steps
take() {
    scene=${1%%:*} rest=${1#*:}
    size=${rest%%:*} steps=${rest#*:}
}

# count WAY  instructions per joint and step of the case; a profile is left in $work/profile
count() {
    valgrind --tool=callgrind --callgrind-out-file="$work/profile" --toggle-collect=benchMeasuredStep \
        "$bench" --scene "$scene" --size "$size" --steps "$steps" --only "$1" >"$work/told" 2>"$work/log"
    collected=$(awk '/Collected :/ { print $4 }' "$work/log")
    if [ "${collected:-0}" = 0 ]; then
        cat "$work/log" >&2
        return 1
    fi
    # told: joints and steps
    awk -v collected="$collected" '{ printf "%d\n", collected / $1 / $2 }' "$work/told"
}

echo "| scene | plain | certificate | converged | physical |"
echo "|---|--:|--:|--:|--:|"
for case in "$@"; do
    take "$case"
    plain=$(count plain) || exit 1
    line="| $scene $size | $plain |"
    for way in certificate converged physical; do
        whole=$(count "$way") || exit 1
        line="$line $((whole - plain)) |"
    done
    echo "$line"
done

take "$1"
count physical >/dev/null || exit 1
printf '\n| %s %s, physical; with all that it calls | |\n|---|--:|\n' "$scene" "$size"
callgrind_annotate --inclusive=yes --threshold=100 --auto=no "$work/profile" >"$work/list" 2>/dev/null
joints=$(cut -d ' ' -f 1 "$work/told")
for part in dWorldQuickStep ksiReadBodies ksiReadJoints ksiReadReport ksiCheckMomentum ksiBuildSystem \
    ksiSystemSolveTree ksiSystemSolveRoughly ksiSystemSolvePaulus ksiSystemErrorBars ksiSystemMeasure ksiCertify ksiFindDeterminacy \
    ksiCheckRelaxed ksiSolvePhysical ksiCompareRun ksiReadMotion ksiJudge ksiTakeMeans ksiReactionOf ksiPublish; do
    awk -v part="$part" -v per="$((joints * steps))" '
        $0 ~ ":" part "([. ]|$)" { gsub(",", "", $1); if ($1 + 0 > most) most = $1 + 0 }
        END { if (most) printf "| %s | %d |\n", part, most / per }' "$work/list"
done

# table.awk  What say.h and npm.mjs print, against closed forms, as two tables of Markdown. Errors are the largest of a scene's joints, of the force or torque
# that is right; "exact": below 1e-6.
BEGIN {
    FS = "|"
    CONVFMT = "%.17g"
    g = 9.81
    right["rest", 1] = "0 0 19.62"
    right["arm", 1] = "0 0 29.43"
    right["arm", 2] = "0 0 9.81"
    turning["arm", 1] = "0 -22.0725 0"
    turning["arm", 2] = "0 -2.4525 0"
    right["loop", 1] = right["loop", 4] = "0 0 29.43"
    right["loop", 2] = right["loop", 3] = "0 0 19.62"
    right["wall", 1] = "50 0 9.81"
    rods = 8
    for (i = 0; i < rods; i++)
        right["bridge", i + 1] = "-50 0 " (rods / 2 - i) * 2 * g
    right["bridge", rods + 1] = "50 0 " rods / 2 * 2 * g
}

function sizeOf(vector,    a) {
    split(vector, a, " ")
    return sqrt(a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2)
}

function off(found, wanted,    a, b, k, sum, size) {
    if (split(found, a, " ") == 1)
        return off(found " 0 0", sizeOf(wanted) " 0 0")
    split(wanted, b, " ")
    for (k = 1; k <= 3; k++) {
        sum += (a[k] - b[k]) ^ 2
        size += b[k] ^ 2
    }
    return sqrt(sum / size)
}

# The force at the hinge of a rod, on it: m (a + g), a by the moment of gravity and by the rate.
function swinging(motion,    a, x, z, turn) {
    split(motion, a, " ")
    x = -0.5 * sin(a[1])
    z = -0.5 * cos(a[1])
    turn = 2 * g * x / (2 * 0.25 + 2 * (1 + 0.02 ^ 2) / 12)
    return (2 * (turn * z - a[2] ^ 2 * x)) " 0 " (2 * (-turn * x - a[2] ^ 2 * z + g))
}

function share(error) {
    return error < 1e-6 ? "exact" : sprintf(error < 0.1 ? "%.2g %%" : "%.0f %%", 100 * error)
}

function worst(error, key) {
    if (!(key in most) || error > most[key])
        most[key] = error
}

function cell(engine, scene, step,    key) {
    key = engine SUBSEP scene SUBSEP step
    if (!(key in most))
        return "-"
    return share(most[key]) ((key SUBSEP "t") in most ? " (" share(most[key SUBSEP "t"]) ")" : "")
}

/^engine/ {
    name[++count] = $2
    facts[count] = $2 " | " $3 " | " $4 " | " $5 " | " $6 " | " $7
    next
}

$5 ~ /nan/ {
    broken[$1, $2] = 1
    next
}

{
    scene = $2
    key = $1 SUBSEP scene SUBSEP $4
    if (scene == "door") {
        split($5, a, " ")
        weight[key] += a[3]
        parts[key] = parts[key] (parts[key] == "" ? "" : ", ") sprintf("%.1f", a[3])
        aside[key] = a[1] < 0 ? -a[1] : a[1]
        next
    }
    wanted = scene == "swing" ? swinging($7) : right[scene, $3]
    worst(off($5, wanted), key)
    if ((scene, $3) in turning)
        worst($6 == "" ? 1 : off($6, turning[scene, $3]), key SUBSEP "t")
}

END {
    print "| engine | version | read | on | axes, point of the torque | unit |\n|---|---|---|---|---|---|"
    for (i = 1; i <= count; i++)
        print "| " facts[i] " |"
    print "\n| error in step | rest 1 | swing 1 | 2 | arm 1 | 300 | loop 1 | 300 | bridge 1 | 300 | door 300: sum; each, aside | wall 1 | 300 |"
    print "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|--:|--:|"
    for (i = 1; i <= count; i++) {
        n = name[i]
        door = n SUBSEP "door" SUBSEP 300
        said = (n, "door") in broken ? "NaN" : !(door in weight) ? "-" : share(off(weight[door] " 0 0", "196.2 0 0")) "; " parts[door] " N, " sprintf("%.1f N", aside[door])
        print "| " n " | " cell(n, "rest", 1) " | " cell(n, "swing", 1) " | " cell(n, "swing", 2) " | " cell(n, "arm", 1) " | " \
            cell(n, "arm", 300) " | " cell(n, "loop", 1) " | " cell(n, "loop", 300) " | " cell(n, "bridge", 1) " | " cell(n, "bridge", 300) " | " said " | " cell(n, "wall", 1) " | " cell(n, "wall", 300) " |"
    }
}

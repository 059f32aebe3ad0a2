#!/bin/sh
# tables.sh  Closed forms in the output of the demos, computed again from the printed inputs, by
# other formulas where there are any. Numbers agree to 1.5 units of the last printed digit, plus the
# effect of the rounding of the printed inputs.
status=0

# tell DEMO  its table, and functions: expect(what, printed, computed, slack), sq(x), digits(printed)
tell() {
    demos/"$1" >"$work/$1" || {
        echo "$1 fails"
        status=1
    }
    cat - "$work/functions" >"$work/program"
    awk -v demo="$1" -f "$work/program" "$work/$1" || status=1
}

work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cat >"$work/functions" <<'HERE'
function digits(text,    at) { # the unit of its last digit
    if (text ~ /e/)
        return substr(text, index(text, "e") + 1) - (index(text, ".") ? index(text, "e") - index(text, ".") - 1 : 0)
    at = index(text, ".")
    return at ? at - length(text) : 0
}
function abs(x) { return x < 0 ? -x : x }
function expect(what, printed, computed, slack) {
    checks++
    if (computed "" ~ /^-?[0-9]/ && abs(printed - computed) <= 1.5 * 10 ^ digits(printed) + slack)
        return
    printf "%s: %s is printed as %s, by hand it is %.12g\n", demo, what, printed, computed
    wrong = 1
}
function radians(degrees) { return degrees * atan2(0, -1) / 180 }
END { if (wrong || checks != wanted) { printf "%s: %d numbers compared of %d\n", demo, checks, wanted; exit 1 } }
HERE

# Atwood's machine and the double pulley: loads on drums, m_1 a_1 = m_1 g - T_1 and so on, a_i = r_i times the drums' w'.
tell atwood <<'HERE'
BEGIN { wanted = 1 + 4 + 12 }
function machine(R, r, I) {
    turn = g * (m1 * R - m2 * r) / (I + m1 * R * R + m2 * r * r)
    first = m1 * (g - R * turn)
    second = m2 * (g + r * turn)
}
/on drums of/ {
    m1 = $1; m2 = $4; R = $9; r = $12; I = $15; g = $20 + 0
    drums = $0
    getline
    drums = drums " " $0
    sub(/.*drums gain /, "", drums)
    split(drums, gain, " ")
    machine(R, r, I)
    expect("rad/s^2", gain[1], turn, 0)
}
/KS_VALID$/ && NF == 6 { machine(R, r, I); expect("first string", $2, first, 0) }
/both drums of/ { for (i = 1; i < NF; i++) { if ($i == "inertia") light = $(i + 2); if ($i == "drums") both = $(i + 2) } }
/dWorldStep  |dWorldQuickStep  / {
    if (/Atwood, light/) machine(both, both, light)
    else if (/Atwood/) machine(both, both, I)
    else if (/double pulley/) machine(R, r, I)
    at = ($0 ~ /dWorldQuickStep/ && NF == 7) ? 2 : NF - 5
    expect("first string", $at, first, 0)
    expect("second string", $(at + 1), second, 0)
}
HERE

# Two weights on two planes: acceleration x = g (m sin a - n sin b) / (m + n), tension m (g sin a - x);
# a pulley adds I / r^2 to m + n.
tell incline <<'HERE'
BEGIN { wanted = 4 + 10 }
function tension(pulley) { return m * (g * sin(a) - g * (m * sin(a) - n * sin(b)) / (m + n + pulley)) }
/on planes of/ { m = $1; n = $4; a = radians($9); b = radians($11); gsub(/.*g = /, ""); g = $1 }
/By Paulus: tension/ {
    expect("tension", $4, tension(0), 0)
    expect("first plane", $7, m * g * cos(a), 0)
    expect("second plane", $10, n * g * cos(b), 0)
    expect("acceleration", $13, g * (m * sin(a) - n * sin(b)) / (m + n), 0)
}
/^ +1e[-+]0[0-9] / { expect("what the pulley makes", $2, abs(tension($1) - tension(0)), 0) }
HERE

# A plate on a pivot at s from its mass centre, which is by psi off the vertical: m (g cos psi + s w^2) along, and
# m g sin psi (1 - m s^2 / K) across.
tell pendulum <<'HERE'
BEGIN { wanted = 8 }
/on a pivot that is/ {
    m = $4; width = $6; height = $9; below = $16; beside = $23
    getline
    for (i = 1; i < NF; i++)
        if ($i == "g") g = $(i + 2)
}
/KS_VALID$/ && NF == 8 {
    s2 = below * below + beside * beside
    psi = radians($2) + atan2(beside, below)
    along = m * (g * cos(psi) + sqrt(s2) * $3 * $3)
    across = m * g * sin(psi) * (1 - s2 / ((width * width + height * height) / 12 + s2))
    # angles to half a thousandth of a degree
    expect("formula at " $1 " s", $4, sqrt(along * along + across * across), 5e-4)
}
HERE

# A bead on a line that turns at w, at a distance p from the axis: weight, Coriolis and centripetal force across the line.
tell rotating_line <<'HERE'
BEGIN { wanted = 18 }
/on a line that turns at/ { m = $4; w = $12; gsub(/.*g = /, ""); g = $1 }
/KS_VALID$/ && NF == 11 {
    force = m * (g * sin(w * $1) - 2 * w * $4 - w * w * $2)
    # the effect of half a unit in the last digits of p and of the speed
    expect("formula at " $1 " s", $5, force, 2e-4)
    expect("power at " $1 " s", $9, -w * $3 * force, 1e-3)
}
HERE

# Three equal rods, a parallelogram: the crank's equation, then each rod's balance.
tell fourbar <<'HERE'
BEGIN { wanted = 4 }
/rods of .* on four hinges after/ {
    m = $4; l = $7
    angle = $0
    sub(/.*angle /, "", angle)
    theta = radians(angle + 0)
    getline
    w = $2; G = $8 / m
    turn = -G / l * sin(theta) * (m / 2 + m + m / 2) / (m / 3 + m + m / 3)
    alongA = m / 2 * (l * w * w + G * cos(theta))
    acrossA = m / 2 * (l * turn + G * sin(theta))
    alongO = alongA + m * (l / 2 * w * w + G * cos(theta))
    acrossO = acrossA + m * (l / 2 * turn + G * sin(theta))
    inner = sqrt(alongA ^ 2 + acrossA ^ 2); outer = sqrt(alongO ^ 2 + acrossO ^ 2)
}
/^  [OABC] / && $3 ~ /e/ { expect("pin " $1, $2, $1 ~ /[AB]/ ? inner : outer, 1e-3) }
HERE

# The force of a joint is the weight below it.
tell chain <<'HERE'
BEGIN { wanted = 12 }
/^ +[0-9]+ +[0-9]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+$/ && NF == 7 {
    expect("weight of " $1 " links", $3, $1 * 9.81, 0)
    expect("physical force of " $1 " links at rest", $7, $1 * 9.81, 0)
}
HERE

# Two links, each with the energy (u^2 + u v + v^2) / 6 of its ends' velocities: the mobility matrix of the nodes is
# the inverse of theirs, and turnings are differences.
tell impact <<'HERE'
BEGIN {
    wanted = 15 + 4 + 1
    k[1, 1] = k[3, 3] = 1 / 3; k[2, 2] = 2 / 3; k[1, 2] = k[2, 1] = k[2, 3] = k[3, 2] = 1 / 6; k[1, 3] = k[3, 1] = 0
    for (i = 1; i <= 3; i++)
        for (j = 1; j <= 3; j++) {
            a = i % 3 + 1; b = (i + 1) % 3 + 1; c = j % 3 + 1; d = (j + 1) % 3 + 1
            cofactor[i, j] = k[a, c] * k[b, d] - k[a, d] * k[b, c]
        }
    det = k[1, 1] * cofactor[1, 1] + k[1, 2] * cofactor[1, 2] + k[1, 3] * cofactor[1, 3]
    at["A", 1] = at["B", 2] = at["C", 3] = at["w1", 2] = at["w2", 3] = 1
    at["w1", 1] = at["w2", 2] = -1
}
function node(i, j) { return cofactor[j, i] / det }
function mobility(p, q,    i, j, sum) {
    for (i = 1; i <= 3; i++)
        for (j = 1; j <= 3; j++)
            sum += at[p, i] * at[q, j] * node(i, j)
    return sum
}
/^  (A|B|C|w1|w2) / && NF == 7 { expect("mobility " $1 " " $2, $3, mobility($1, $2), 0) }
/impulse in joint B from its closed form/ {
    sub(/.*closed form, /, "")
    # link BC alone has the impulse of B: its mobility at B is 4, and B moves at -1
    expect("impulse in B", $1 + 0, abs(node(1, 2)) / 4, 0)
}
# a constraint takes e B d squared over e B e from the mobility
/^  free / { expect("free", $2, node(1, 1), 0) }
/^  C held / { expect("C held", $3, node(1, 1) - node(1, 3) ^ 2 / node(3, 3), 0) }
/^  B held / { expect("B held", $3, node(1, 1) - node(1, 2) ^ 2 / node(2, 2), 0) }
/^  B rigid / {
    bend = node(1, 1) - 2 * node(1, 2) + node(1, 3)
    size = node(1, 1) + 4 * node(2, 2) + node(3, 3) - 4 * node(1, 2) - 4 * node(2, 3) + 2 * node(1, 3)
    expect("B rigid", $3, node(1, 1) - bend ^ 2 / size, 0)
}
HERE

exit $status

#!/bin/sh
# feet.sh  The sensors of docs/feet.md in C and C++: five lines each, for a foot on a slope. Python
# runs its own (python/tests/test_feet.py). Called with the build directory as the current one.
: "${srcdir:=$(dirname "$0")/..}" "${CC:=cc}" "${ODE_CFLAGS=}" "${ODE_LIBS:=-lode}"
# shellcheck source=tests/head.sh
. "$srcdir/tests/head.sh"
# shellcheck source=tests/page.sh
. "$srcdir/tests/page.sh"
find_library
page=$(cd "$srcdir/docs" && pwd)/feet.md
cd "$work/folder" || exit 99

# lines LANGUAGE  the lines of the page in this language
lines() {
    awk -v fence="\`\`\`$1" '$0 == fence { on = 1; next } /^```/ { on = 0 } on' "$page"
}

# program LANGUAGE HEADER STEP MADE  a program around them: 2 kg on a slope of 1 : 10
program() {
    cat <<END
#include <$2>
#include <stdio.h>
static inline void overload(const ksThresholdEvent *event, void *user)
{
    (void)user;
    printf("above %.0f\n", event->limitValue);
}
static void show(double force, double friction, double centre)
{
    printf("%.3f %.3f %.3f\n", force, friction, centre);
}
int main(void)
{
    dInitODE();
    dWorldID world = dWorldCreate();
    dWorldSetGravity(world, 1, 0, -10);
    dBodyID foot = dBodyCreate(world);
    dMass mass;
    dMassSetBoxTotal(&mass, 2, 1, 1, 1);
    dBodySetMass(foot, &mass);
    dBodySetMaxAngularSpeed(foot, 0);
    dJointGroupID contacts = dJointGroupCreate(0);
    $4
END
    lines "$1" | sed "s|^/\* after each step \*/\$|for (int n = 0; n < 100; n++) { dContact contact = dContact(); touch(\&contact); \
dJointAttach(dJointCreateContact(world, contacts, \&contact), foot, NULL); $3; dJointGroupEmpty(contacts); }|"
    printf '    return 0;\n}\n'
}

strict='-Wall -Wextra -Werror -Wno-misleading-indentation'
[ "$(lines c | grep -cv 'after each step')" = 5 ] || fail "more lines in C than five"
program c kinetostat/kinetostat.h 'if (ksInspectorQuickStep(inspector, 0.005)) return 1' \
    'ksInspector *inspector; if (ksInspectorCreate(world, NULL, \&inspector)) return 1;' |
    sed 's|\\&|\&|g; s|= dContact(); touch(&contact);|= {.surface = {.mode = dContactApprox1, .mu = 1}, .geom = {.pos = {0.05, 0, -0.5}, .normal = {0, 0, 1}}};|' >foot.c
# shellcheck disable=SC2046,SC2086
if ! cc $strict foot.c -o foot $(pkg-config --cflags --libs kinetostat) || ! ./foot >output; then
    fail "in C"
fi
[ "$(cat output)" = "20.000 0.100 0.050" ] || fail "in C: $(cat output)"

# The force never reaches the limit of the page, 500 N; it exceeds 15 N once. On level ground,
# without the limit of the angular speed, since that limit gives the motion a bar.
for limit in 500 15; do
    lines 'c limit' | sed "s/500/$limit/" >limit.c
    sed '/ksInspectorPair(/r limit.c
        /AngularSpeed/d; s/world, 1, 0/world, 0, 0/; s/{0.05, 0,/{0, 0,/' foot.c >limited.c
    # shellcheck disable=SC2046,SC2086
    if ! cc $strict limited.c -o limited $(pkg-config --cflags --libs kinetostat) || ! ./limited >output; then
        fail "with a limit"
    fi
    told=$(head -n 1 output)
    [ "$limit $told" = "500 20.000 0.000 0.000" ] || [ "$limit $told" = "15 above 15" ] || fail "limit of $limit: $(cat output)"
done

compiler=g++
! $CC --version | grep -q clang || compiler=clang++
if command -v "$compiler" >/dev/null; then
    [ "$(lines cpp | grep -cv 'after each step')" -le 5 ] || fail "more lines in C++ than five"
    program cpp kinetostat/kinetostat.hpp 'inspector.quickStep(0.005)' 'kinetostat::Inspector inspector(world);' |
        sed 's|\\&|\&|g; s|touch(&contact);|contact.surface.mode = dContactApprox1; contact.surface.mu = 1; contact.geom.pos[0] = 0.05; contact.geom.pos[2] = -0.5; contact.geom.normal[2] = 1;|' >foot.cpp
    # shellcheck disable=SC2046,SC2086
    if ! "$compiler" -std=c++17 $strict foot.cpp -o foot $(pkg-config --cflags --libs kinetostat) || ! ./foot >output; then
        fail "in C++"
    fi
    [ "$(cat output)" = "20.000 0.100 0.050" ] || fail "in C++: $(cat output)"
fi
# shellcheck disable=SC2154
exit $failed

#!/bin/sh
# The reaction force of a Box2D pulley has the opposite sign on body B, and leaves out the ratio.
#
# Package:   libbox2d-dev, libbox2d2 2.4.1-3 (Debian 12)
# Expected:  b2Joint::GetReactionForce is "the reaction force on bodyB at the joint anchor in Newtons", as of all other joints.
# Behaviour: the pulley returns the impulse along the rope from anchor to body: the opposite of the force on body A. Its ratio is not in it. The
#            rope of a 4 kg body B at a ratio of 2 holds it by 40 N, up; 20 N, down, are reported.
# Output:    reported -20.0 N, by momentum 40.0 N on B and 20.0 N on A
# Source:    src/dynamics/b2_pulley_joint.cpp: GetReactionForce returns m_impulse * m_uB; SolveVelocityConstraints applies
#            -m_ratio * impulse * m_uB.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libbox2d-dev=2.4.1-3 libbox2d2=2.4.1-3
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libbox2d.so.2' | head -n 1)")

cat >pulley.cpp <<'END'
#include <box2d/box2d.h>
#include <cstdio>

int main()
{
    const float h = 1.0f / 60, g = 10;
    b2World world({0, -g});
    b2Body *body[2];
    float before[2], force[2];
    for (int i = 0; i < 2; i++) {
        b2BodyDef def;
        b2PolygonShape shape;
        def.type = b2_dynamicBody;
        def.position.Set(4.0f * i, 0);
        body[i] = world.CreateBody(&def);
        shape.SetAsBox(0.5f, 0.1f);
        body[i]->CreateFixture(&shape, 10.0f * (i + 1)); // 2 kg, 4 kg
    }
    b2PulleyJointDef def;
    def.Initialize(body[0], body[1], {0, 5}, {4, 5}, {0, 0}, {4, 0}, 2);
    b2Joint *pulley = world.CreateJoint(&def);
    for (int step = 0; step < 10; step++) {
        for (int i = 0; i < 2; i++)
            before[i] = body[i]->GetLinearVelocity().y;
        world.Step(h, 8, 3);
        for (int i = 0; i < 2; i++)
            force[i] = body[i]->GetMass() * ((body[i]->GetLinearVelocity().y - before[i]) / h + g);
    }
    std::printf("reported %.1f N, by momentum %.1f N on B and %.1f N on A\n", pulley->GetReactionForce(1 / h).y, force[1],
                force[0]);
}
END
g++ -O1 -I"$work/usr/include" pulley.cpp -o pulley "$lib/libbox2d.so.2"
LD_LIBRARY_PATH="$lib" ./pulley | tee out
grep -qx 'reported -20.0 N, by momentum 40.0 N on B and 20.0 N on A' out || { echo "changed: the reaction of a pulley"; exit 1; }
echo "as described"

#!/bin/sh
# The reaction force of a Box2D gear joint is that of body A, in the direction in which body A slides.
#
# Package:   libbox2d-dev, libbox2d2 2.4.1-3 (Debian 12)
# Expected:  b2Joint::GetReactionForce is "the reaction force on bodyB at the joint anchor in Newtons", as of all other joints.
# Behaviour: a gear joint returns the force on its body A. A slide of 2 kg that falls along y is geared to one of 4 kg along x: body B is
#            pushed along x, and the report is a force along y.
# Output:    reported (0.00, 13.33) N; by momentum (0.00, 13.33) N on A, (13.33, 0.00) N on B
# Source:    src/dynamics/b2_gear_joint.cpp: GetReactionForce returns m_impulse * m_JvAC, the coefficients of bodies A and C.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libbox2d-dev=2.4.1-3 libbox2d2=2.4.1-3
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libbox2d.so.2' | head -n 1)")

cat >gear.cpp <<'END'
#include <box2d/box2d.h>
#include <cstdio>

int main()
{
    const float h = 1.0f / 60, g = 10;
    b2World world({0, -g});
    const b2BodyDef still;
    b2Body *ground = world.CreateBody(&still), *body[2];
    b2Joint *slide[2];
    b2Vec2 force[2];
    for (int i = 0; i < 2; i++) {
        b2BodyDef def;
        b2PolygonShape shape;
        def.type = b2_dynamicBody;
        def.position.Set(4.0f * i, 0);
        body[i] = world.CreateBody(&def);
        shape.SetAsBox(0.5f, 0.1f);
        body[i]->CreateFixture(&shape, 10.0f * (i + 1)); // 2 kg, 4 kg
        b2PrismaticJointDef joint;
        joint.Initialize(ground, body[i], body[i]->GetPosition(), i ? b2Vec2(1, 0) : b2Vec2(0, 1));
        slide[i] = world.CreateJoint(&joint);
    }
    b2GearJointDef def;
    def.bodyA = body[0];
    def.bodyB = body[1];
    def.joint1 = slide[0];
    def.joint2 = slide[1];
    def.ratio = 1;
    b2Joint *gear = world.CreateJoint(&def);
    for (int step = 0; step < 10; step++) {
        b2Vec2 before[2] = {body[0]->GetLinearVelocity(), body[1]->GetLinearVelocity()};
        world.Step(h, 8, 3);
        for (int i = 0; i < 2; i++) // weight and the slide's own reaction are across x, and body A slides along y
            force[i] = body[i]->GetMass() * (1 / h * (body[i]->GetLinearVelocity() - before[i]) + b2Vec2(0, i ? 0 : g));
    }
    const b2Vec2 found = gear->GetReactionForce(1 / h);
    std::printf("reported (%.2f, %.2f) N; by momentum (%.2f, %.2f) N on A, (%.2f, %.2f) N on B\n", found.x, found.y, force[0].x,
                force[0].y, force[1].x, force[1].y);
}
END
g++ -O1 -I"$work/usr/include" gear.cpp -o gear "$lib/libbox2d.so.2"
LD_LIBRARY_PATH="$lib" ./gear | tee out
grep -qx 'reported (0.00, 13.33) N; by momentum (0.00, 13.33) N on A, (13.33, 0.00) N on B' out || { echo "changed: the reaction of a gear joint"; exit 1; }
echo "as described"

#!/bin/sh
# A link of Bullet's btMultiBody on a hinge without friction loses 43 % of its speed in ten seconds.
#
# Package:   libbullet-dev, libbullet3.24 3.24+dfsg-2 (Debian 12)
# Expected:  without gravity, friction and motor a link turns on at its speed, as a btRigidBody on a btHingeConstraint does.
# Behaviour: a btMultiBody has a linear and an angular damping of 0.04 from the beginning, where a btRigidBody has none, and both act on a
#            link that turns about an axis beside its mass centre. So coasting joints slow down, and motors bear a load that no
#            mechanism has. With setLinearDamping(0) and setAngularDamping(0) the link keeps its speed.
# Output:    speed after 10 s of 1 rad/s: link 0.5723, link without damping 1.0000, body on a hinge 1.0000
# Source:    the initial values m_linearDamping and m_angularDamping in btMultiBody's constructor; the header documents the setters alone.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libbullet-dev=3.24+dfsg-2 libbullet3.24=3.24+dfsg-2
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libBulletDynamics.so.3.24' | head -n 1)")

cat >coast.cpp <<'END'
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#include <cstdio>

static const btVector3 inertia(0.01, 0.01, 0.01), arm(0.5, 0, 0), axis(0, 1, 0), zero(0, 0, 0);

int main()
{
    for (int kind = 0; kind < 3; kind++) {
        btDefaultCollisionConfiguration configuration;
        btCollisionDispatcher dispatcher(&configuration);
        btDbvtBroadphase pairs;
        btMultiBodyConstraintSolver solver;
        btMultiBodyDynamicsWorld world(&dispatcher, &pairs, &solver, &configuration);
        world.setGravity(zero);
        btMultiBody links(1, 0, zero, true, false);
        btSphereShape shape(0.1);
        btRigidBody body(1, nullptr, &shape, inertia);
        body.setWorldTransform(btTransform(btQuaternion::getIdentity(), arm));
        btHingeConstraint hinge(body, -arm, axis);
        if (kind < 2) {
            links.setupRevolute(0, 1, inertia, -1, btQuaternion::getIdentity(), axis, zero, arm, true);
            links.finalizeMultiDof();
            world.addMultiBody(&links);
            links.setJointVel(0, 1);
            if (kind == 1) {
                links.setLinearDamping(0);
                links.setAngularDamping(0);
            }
        } else {
            world.addRigidBody(&body);
            world.addConstraint(&hinge);
            body.setAngularVelocity(axis);
            body.setLinearVelocity(axis.cross(arm));
            body.setActivationState(DISABLE_DEACTIVATION);
        }
        for (int i = 0; i < 10000; i++)
            world.stepSimulation(1e-3, 0, 1e-3);
        std::printf("%.4f ", kind < 2 ? links.getJointVel(0) : body.getAngularVelocity().dot(axis));
        world.removeMultiBody(&links);
        world.removeConstraint(&hinge);
        world.removeRigidBody(&body);
    }
    std::printf("\n");
}
END
g++ -O1 -w -I"$work/usr/include/bullet" coast.cpp -o coast "$lib/libBulletDynamics.so.3.24" "$lib/libBulletCollision.so.3.24" \
    "$lib/libLinearMath.so.3.24" -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH="$lib" ./coast | tee out
awk '{ exit !($1 < 0.6 && $2 > 0.999 && $2 < 1.001 && $3 > 0.99 && $3 < 1.01) }' out || { echo "changed: a link keeps its speed"; exit 1; }
echo "as described"

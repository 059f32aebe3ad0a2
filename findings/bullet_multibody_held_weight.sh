#!/bin/sh
# The feedback of a Bullet multi-body joint that holds 20 N at rest reads 20, 40 or 0 N: it depends on what holds the joint.
#
# Package:   libbullet-dev, libbullet3.24 3.24+dfsg-2 (Debian 12)
# Expected:  a load of 2 kg at rest, where gravity is 10 m/s^2, loads its joint with 20 N, whether the joint is fixed, a motor holds it, or
#            addJointTorque does.
# Behaviour: btMultiBodyJointFeedback takes a torque (on a slider a force) of addJointTorque twice. It counts the force of a
#            btMultiBodyJointMotor as an external load, which bypasses the joint. So a slider that addJointTorque holds reads 40 N and a slider that a motor holds
#            reads 0. On a level arm the error also reaches the force across the hinge, in which a motor has no part: 39 N.
#            The joints do not move, so nothing else shows it. TORQUE_CONTROL of PyBullet sets a joint torque in this way.
# Output:    slider: fixed 20.00 N, by addJointTorque 40.00 N, by a motor 0.00 N
#            arm:    fixed 20.00 N, by addJointTorque 39.05 N, by a motor 20.00 N
# Source:    src/BulletDynamics/Featherstone/btMultiBody.cpp, computeAccelerationsArticulatedBodyAlgorithmMultiDof: the second pass, with
#            isConstraintPass, replaces the applied forces by those of constraints, and uses m_jointTorque again.
#            btMultiBodyConstraintSolver.cpp, writeBackSolverBodyToMultiBody: a motor's impulse becomes a force on its link. Sources
#            after 3.25 leave the joint torque out of the second pass.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libbullet-dev=3.24+dfsg-2 libbullet3.24=3.24+dfsg-2
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libBulletDynamics.so.3.24' | head -n 1)")

cat >held.cpp <<'END'
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointFeedback.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstdio>

enum Machine { SLIDER, ARM };
enum Holder { FIXED, TORQUE, MOTOR };

// the upward force in the joint of 2 kg, after a second at rest
static double reading(Machine machine, Holder holder)
{
    const double h = 1.0 / 240, mass = 2;
    const btVector3 zero(0, 0, 0), inertia(0.1, 0.1, 0.1), arm(machine == ARM ? 1 : 0, 0, 0);
    const btQuaternion same = btQuaternion::getIdentity();
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase pairs;
    btMultiBodyConstraintSolver solver;
    btMultiBodyDynamicsWorld world(&dispatcher, &pairs, &solver, &configuration);
    world.setGravity(btVector3(0, 0, -10));
    btMultiBody body(1, 0, zero, true, false);
    if (holder == FIXED)
        body.setupFixed(0, mass, inertia, -1, same, zero, arm);
    else if (machine == SLIDER)
        body.setupPrismatic(0, mass, inertia, -1, same, btVector3(0, 0, 1), zero, zero, true);
    else
        body.setupRevolute(0, mass, inertia, -1, same, btVector3(0, 1, 0), zero, arm, true);
    body.finalizeMultiDof();
    body.setLinearDamping(0);
    body.setAngularDamping(0);
    body.setCanSleep(false);
    btSphereShape shape(0.1); // a link without a collider has no motor
    btMultiBodyLinkCollider collider(&body, 0);
    collider.setCollisionShape(&shape);
    body.getLink(0).m_collider = &collider;
    world.addCollisionObject(&collider);
    btMultiBodyJointFeedback feedback;
    body.getLink(0).m_jointFeedback = &feedback;
    world.addMultiBody(&body);
    btMultiBodyJointMotor motor(&body, 0, 0, 0, 1000);
    if (holder == MOTOR)
        world.addMultiBodyConstraint(&motor);
    for (int i = 0; i < 240; i++) {
        if (holder == TORQUE)
            body.addJointTorque(0, machine == SLIDER ? 20 : -20);
        world.stepSimulation(h, 0);
    }
    if (holder != FIXED && !(std::fabs(body.getJointPos(0)) < 1e-6))
        std::printf("moved by %g ", body.getJointPos(0));
    if (holder == MOTOR)
        world.removeMultiBodyConstraint(&motor);
    world.removeMultiBody(&body);
    world.removeCollisionObject(&collider);
    return feedback.m_reactionForces.getLinear().z();
}

int main()
{
    for (Machine machine : {SLIDER, ARM})
        std::printf("%s fixed %.2f N, by addJointTorque %.2f N, by a motor %.2f N\n", machine == SLIDER ? "slider:" : "arm:   ",
                    reading(machine, FIXED), reading(machine, TORQUE), reading(machine, MOTOR));
}
END
g++ -O1 -I"$work/usr/include/bullet" held.cpp -o held "$lib/libBulletDynamics.so.3.24" "$lib/libBulletCollision.so.3.24" \
    "$lib/libLinearMath.so.3.24" -Wl,-rpath-link,"$lib"
LD_LIBRARY_PATH="$lib" ./held | tee out
printf '%s\n' 'slider: fixed 20.00 N, by addJointTorque 40.00 N, by a motor 0.00 N' \
    'arm:    fixed 20.00 N, by addJointTorque 39.05 N, by a motor 20.00 N' | cmp -s - out || { echo "changed: the feedback of a multi-body"; exit 1; }
echo "as described"

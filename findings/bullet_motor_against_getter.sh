#!/bin/sh
# The motors of Bullet's slider and 6-DOF constraints follow the getter of one coordinate, and run against that of another.
#
# Package:   libbullet-dev, libbullet3.24 3.24+dfsg-2 (Debian 12)
# Expected:  a target velocity of +1 makes the constraint's own coordinate grow, as it does in a hinge, so that a servo may be
#            target = gain * (wanted - coordinate) everywhere.
# Behaviour: in btSliderConstraint it does along the axis (getLinearPos), and about the axis getAngularPos falls: the servo runs away. In
#            btGeneric6DofConstraint and btGeneric6DofSpring2Constraint it is the other way about: getAngle grows and
#            getRelativePivotPosition falls.
# Output:    rates at a target of +1: hinge +1.0; slider along +1.0, about -1.0; 6-DOF along -1.0, about +1.0; spring2 along -1.0, about +1.0
# Source:    src/BulletDynamics/ConstraintSolver/btSliderConstraint.cpp: getInfo2NonVirtual multiplies the linear target by signFact, and the angular
#            one by nothing; btGeneric6DofConstraint.cpp: get_limit_motor_info2 takes targetVelocity with one sign for sliding and turning.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -qq -o APT::Sandbox::User=root download libbullet-dev=3.24+dfsg-2 libbullet3.24=3.24+dfsg-2
for package in ./*.deb; do dpkg -x "$package" .; done
lib=$(dirname "$(find . -name 'libBulletDynamics.so.3.24' | head -n 1)")

cat >motor.cpp <<'END'
#include <btBulletDynamicsCommon.h>
#include <cstdio>

/* A box of 1 kg on a constraint to the world, without gravity. */
struct Machine {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
    btBoxShape box{btVector3(0.5, 0.3, 0.2)};
    btRigidBody *body;

    Machine()
    {
        btVector3 inertia;
        box.calculateLocalInertia(1, inertia);
        body = new btRigidBody(1, new btDefaultMotionState, &box, inertia);
        body->setActivationState(DISABLE_DEACTIVATION);
        world.setGravity({0, 0, 0});
        world.addRigidBody(body);
    }

    /* The rate of a coordinate in the second tenth of a second. */
    template <class Coordinate> double rate(btTypedConstraint &constraint, Coordinate coordinate)
    {
        double before = 0;
        world.addConstraint(&constraint);
        for (int step = 0; step < 120; step++) {
            if (step == 60)
                before = coordinate();
            world.stepSimulation(1 / 600., 0);
        }
        const double found = (coordinate() - before) / 0.1;
        world.removeConstraint(&constraint);
        return found;
    }
};

int main()
{
    const btTransform here = btTransform::getIdentity();
    double hinge, along[3], about[3];
    {
        Machine m;
        btHingeConstraint joint(*m.body, btVector3(0, 0, 0), btVector3(0, 0, 1));
        joint.enableAngularMotor(true, 1, 100);
        hinge = m.rate(joint, [&] { return joint.getHingeAngle(); });
    }
    for (int isTurning = 0; isTurning < 2; isTurning++) {
        double *found = isTurning ? about : along;
        {
            Machine m;
            btSliderConstraint joint(*m.body, here, false);
            joint.setLowerLinLimit(-9);
            joint.setUpperLinLimit(9);
            joint.setLowerAngLimit(-3);
            joint.setUpperAngLimit(3);
            joint.setPoweredLinMotor(!isTurning);
            joint.setTargetLinMotorVelocity(1);
            joint.setMaxLinMotorForce(100);
            joint.setPoweredAngMotor(isTurning);
            joint.setTargetAngMotorVelocity(1);
            joint.setMaxAngMotorForce(100);
            found[0] = m.rate(joint, [&] { return isTurning ? joint.getAngularPos() : joint.getLinearPos(); });
        }
        {
            Machine m;
            btGeneric6DofConstraint joint(*m.body, here, false);
            joint.setLimit(isTurning ? 5 : 0, 1, -1); // free
            btTranslationalLimitMotor *sliding = joint.getTranslationalLimitMotor();
            btRotationalLimitMotor *turning = joint.getRotationalLimitMotor(2);
            sliding->m_enableMotor[0] = !isTurning;
            turning->m_enableMotor = isTurning;
            sliding->m_targetVelocity[0] = turning->m_targetVelocity = 1;
            sliding->m_maxMotorForce[0] = turning->m_maxMotorForce = 100;
            found[1] = m.rate(joint, [&] { return isTurning ? joint.getAngle(2) : joint.getRelativePivotPosition(0); });
        }
        {
            Machine m;
            btGeneric6DofSpring2Constraint joint(*m.body, here);
            const int axis = isTurning ? 5 : 0;
            joint.setLimit(axis, 1, -1);
            joint.enableMotor(axis, true);
            joint.setTargetVelocity(axis, 1);
            joint.setMaxMotorForce(axis, 100);
            found[2] = m.rate(joint, [&] { return isTurning ? joint.getAngle(2) : joint.getRelativePivotPosition(0); });
        }
    }
    std::printf("hinge %+.1f; slider along %+.1f, about %+.1f; 6-DOF along %+.1f, about %+.1f; spring2 along %+.1f, about %+.1f\n",
                hinge, along[0], about[0], along[1], about[1], along[2], about[2]);
}
END
g++ -O1 -I"$work/usr/include/bullet" motor.cpp -o motor "$lib/libBulletDynamics.so.3.24" "$lib/libBulletCollision.so.3.24" "$lib/libLinearMath.so.3.24"
LD_LIBRARY_PATH="$lib" ./motor | tee out
grep -qxF 'hinge +1.0; slider along +1.0, about -1.0; 6-DOF along -1.0, about +1.0; spring2 along -1.0, about +1.0' out ||
    { echo "changed: motors and getters"; exit 1; }
echo "as described"

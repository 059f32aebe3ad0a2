#!/bin/sh
# A DART joint passes its position limits silently unless they are switched on, and a set force may exceed its force limit tenfold.
#
# Package:   python3-dartpy, libdart6.12 6.12.1+dfsg4-12+b2 (Debian 12)
# Expected:  a revolute joint with limits of -0.1 and 0.1 rad stops there; a force of 10 N.m on a joint with force limits of -1 and 1 N.m
#            acts as 1 N.m, or is refused.
# Behaviour: position limits are stored, and are not enforced before setLimitEnforcement(true): a rod that falls passes 0.1 rad without a
#            warning. Force limits bound the servos alone: a force that is set directly acts in full, whatever the limits. So a joint of a
#            model with a range and an effort has neither, and its reaction is that of another mechanism.
# Output:    angle after 1 s 2.939 rad, with the enforcement 0.100 rad; acceleration 38.46 rad/s^2; 1 N.m would give 3.846
# Source:    dart/dynamics/Joint.hpp, setLimitEnforcement; the initial value is in dart/dynamics/detail/JointAspect.hpp.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir partial
# with all that is not installed of what they need
apt-get -qq -y -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o Dir::Cache::archives="$work" --no-install-recommends --reinstall --download-only install \
    python3-dartpy=6.12.1+dfsg4-12+b2 libdart6.12=6.12.1+dfsg4-12+b2
for package in ./*.deb; do dpkg -x "$package" .; done
LD_LIBRARY_PATH=$(find "$PWD" -name '*.so*' -exec dirname {} + | sort -u | paste -sd:)
export LD_LIBRARY_PATH
export PYTHONPATH="$work/usr/lib/python3/dist-packages"

cat >limits.py <<'END'
import dartpy as dart


def rod(gravity):
    """A rod of 1 kg on a hinge, its mass centre 0.5 m aside, and its world."""
    skeleton = dart.dynamics.Skeleton("rod")
    joint, body = skeleton.createRevoluteJointAndBodyNodePair()
    joint.setAxis([0, 1, 0])
    body.setMass(1)
    body.setLocalCOM([0.5, 0, 0])
    body.setMomentOfInertia(0.01, 0.01, 0.01, 0, 0, 0)
    world = dart.simulation.World()
    world.setTimeStep(1e-3)
    world.setGravity([0, 0, -gravity])
    world.addSkeleton(skeleton)
    return world, joint


for is_enforced in None, True:
    world, joint = rod(9.81)
    joint.setPositionLowerLimit(0, -0.1)
    joint.setPositionUpperLimit(0, 0.1)
    if is_enforced:
        joint.setLimitEnforcement(True)
    for _ in range(1000):
        world.step()
    print(f"{joint.getPosition(0):.3f}", end=" ")
world, joint = rod(0)
joint.setForceLowerLimit(0, -1)
joint.setForceUpperLimit(0, 1)
joint.setForce(0, 10)
world.step()
print(f"{joint.getAcceleration(0):.3f}")
END
/usr/bin/python3 limits.py | tee out
awk '{ exit !($1 > 1 && $2 > 0.09 && $2 < 0.11 && $3 > 38 && $3 < 39) }' out || { echo "changed: limits are limits"; exit 1; }
echo "as described"

#!/bin/sh
# DART's "wrench to the child" of a joint is the wrench on the parent, and its "wrench to the parent" is the wrench on the child.
#
# Package:   python3-dartpy, libdart6.12 6.12.1+dfsg4-12+b2 (Debian 12)
# Expected:  Joint::getWrenchToChildBodyNode is the "wrench exerted to the child body node to satisfy the joint constraint": a joint that holds 2 kg
#            where gravity is 10 m/s^2 pushes them up with 20 N.
# Behaviour: it returns 20 N down, and getWrenchToParentBodyNode 20 N up. The torques are exchanged as well: a weld holds a load that is 1 m
#            aside, along x, by -20 N.m about y. Both add up to zero, so a check of one against the other shows nothing. BodyNode::getBodyForce, "transmitted to this BodyNode from the parent body", has the right sign.
# Output:    up and about y, a weld with its load 1 m aside: to child -20 N 20 N.m, to parent 20 N -20 N.m, body force 20 N
#            a hinge with its load below: to child -20 N 0 N.m, to parent 20 N 0 N.m, body force 20 N
# Source:    dart/dynamics/Joint.hpp has the sentence above, and BodyNode.hpp describes getBodyForce; dart/dynamics/Joint.cpp,
#            getWrenchToChildBodyNode, negates the child's getBodyForce.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir partial
# with their missing dependencies
apt-get -qq -y -o APT::Sandbox::User=root -o Debug::NoLocking=1 -o Dir::Cache::archives="$work" --no-install-recommends --reinstall --download-only install \
    python3-dartpy=6.12.1+dfsg4-12+b2 libdart6.12=6.12.1+dfsg4-12+b2
for package in ./*.deb; do dpkg -x "$package" .; done
LD_LIBRARY_PATH=$(find "$PWD" -name '*.so*' -exec dirname {} + | sort -u | paste -sd:)
export LD_LIBRARY_PATH
export PYTHONPATH="$work/usr/lib/python3/dist-packages"

cat >wrench.py <<'END'
import dartpy as dart


def shift(x, z):
    """The pose of the joint in its child, whose origin is its mass centre."""
    pose = dart.math.Isometry3()
    pose.set_translation([x, 0, z])
    return pose


def hold(name, create, pose):
    """Lets a joint hold a load for a second, and prints what it reports."""
    skeleton = dart.dynamics.Skeleton(name)
    joint, body = create(skeleton)
    joint.setTransformFromChildBodyNode(pose)
    body.setMass(2)
    body.setMomentOfInertia(0.1, 0.1, 0.1, 0, 0, 0)
    world = dart.simulation.World()
    world.setTimeStep(1e-3)
    world.setGravity([0, 0, -10])
    world.addSkeleton(skeleton)
    for _ in range(1000):
        world.step()
    child, parent = joint.getWrenchToChildBodyNode(), joint.getWrenchToParentBodyNode()
    numbers = [round(number) for number in (child[5], child[1], parent[5], parent[1], body.getBodyForce()[5])]
    print("{}: to child {} N {} N.m, to parent {} N {} N.m, body force {} N".format(name, *numbers))


hold("weld", lambda skeleton: skeleton.createWeldJointAndBodyNodePair(), shift(-1, 0))
hold("hinge", lambda skeleton: skeleton.createRevoluteJointAndBodyNodePair(), shift(0, 1))
END
/usr/bin/python3 wrench.py | tee out
printf '%s\n' 'weld: to child -20 N 20 N.m, to parent 20 N -20 N.m, body force 20 N' \
    'hinge: to child -20 N 0 N.m, to parent 20 N 0 N.m, body force 20 N' | cmp -s - out || { echo "changed: the wrench to the child"; exit 1; }
echo "as described"

#!/bin/sh
# The moments of inertia of a cannon-es body depend on how it lies when it is made: those of a bar at 45 degrees are up to 31 times too large.
#
# Package:   cannon-es 0.20.0 (npm)
# Expected:  moments of inertia belong to the body: a bar of 1 kg and 2 x 0.2 x 0.2 m has 0.0067 kg.m^2 about its length, wherever it lies. A
#            ball of 1 kg and 1 m has 0.4 kg.m^2.
# Behaviour: updateMassProperties, which addShape calls, takes the box that encloses the body along the axes of the world, and keeps the moments
#            of this box as those about the body's own axes. A bar that is made level and then turned is right. A bar that is made with the
#            quaternion of 45 degrees has 0.205; at 90 degrees the moments of two axes are exchanged. A ball has 0.667 in any pose. So a
#            mechanism that is built in another pose has other joint forces.
# Output:    made level, turned 45 degrees: 0.0067; made at 45 degrees: 0.2050; made at 90 degrees: 0.3367; ball: 0.6667
# Source:    Body.updateMassProperties in the sources has the comment "Approximate with AABB box", and does not say that the box is the world's;
#            Body.inertia is not documented as depending on the pose.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts cannon-es@0.20.0 >npm.log 2>&1 || { cat npm.log; exit 1; }

cat >bar.mjs <<'END'
import { Body, Box, Quaternion, Sphere, Vec3, World } from "cannon-es";

const bar = () => new Box(new Vec3(1, 0.1, 0.1));

function turned(degrees) {
  const quaternion = new Quaternion();
  return quaternion.setFromAxisAngle(new Vec3(0, 0, 1), degrees * Math.PI / 180);
}

// the moment of inertia about the body's x, in kg.m^2: torque by acceleration
function moment(body) {
  const world = new World(), h = 1 / 60, axis = body.quaternion.vmult(new Vec3(1, 0, 0));
  body.angularDamping = 0;
  world.addBody(body);
  world.step(h); // takes over the pose
  body.applyTorque(axis.scale(0.01));
  world.step(h);
  return (0.01 * h / body.angularVelocity.dot(axis)).toFixed(4);
}

const level = new Body({ mass: 1, shape: bar() });
level.quaternion.copy(turned(45));
console.log(`made level, turned 45 degrees: ${moment(level)}; ` +
  [45, 90].map((degrees) => `made at ${degrees} degrees: ${moment(new Body({ mass: 1, shape: bar(), quaternion: turned(degrees) }))}`).join("; ") +
  `; ball: ${moment(new Body({ mass: 1, shape: new Sphere(1) }))}`);
END
node bar.mjs | tee out
echo 'made level, turned 45 degrees: 0.0067; made at 45 degrees: 0.2050; made at 90 degrees: 0.3367; ball: 0.6667' | cmp -s - out ||
    { echo "changed: moments of inertia"; exit 1; }
echo "as described"

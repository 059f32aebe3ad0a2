#!/bin/sh
# The bearings of a turning rotor in Jolt bear half of the gyroscopic moment if it is a disc, and 67 times this moment if it is a rod.
#
# Package:   jolt-physics 1.1.0 (npm)
# Expected:  a rotor that spins at w on a hinge, whose yoke turns at v about an axis across, needs the moment I w v, where I is its moment of
#            inertia about its own axis: 0.400 N.m for a disc of 1 kg and 0.2 m at 20 rad/s and 1 rad/s, 0.004 N.m for a rod of 1 kg,
#            0.02 m of radius and 0.4 m of length.
# Behaviour: a body has no gyroscopic torque unless its settings have mApplyGyroscopicForce. Without it the reported moment is J w v, where J is the
#            moment of inertia across the axis. A ball is right. The hinge imposes the same motion in both cases, so only the reaction shows it. The
#            bearings of a flywheel, a propeller or a wheel are sized for another load.
# Output:    disc: I w v 0.400 N.m, default 0.201 N.m, with the flag 0.400 N.m
#            rod:  I w v 0.004 N.m, default 0.269 N.m, with the flag 0.004 N.m
# Source:    Jolt/Physics/Body/BodyCreationSettings.h: mApplyGyroscopicForce = false, described by the Dzhanibekov effect of free bodies alone;
#            nothing there says that the moments of joints depend on it.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts jolt-physics@1.1.0 >npm.log 2>&1 || { cat npm.log; exit 1; }

cat >rotor.mjs <<'END'
import init from "jolt-physics/wasm-compat";
const J = await init();

const h = 1 / 1000, mass = 1, spin = 20, turn = 1; // the rotor's axis is its y; the yoke turns about x
const place = () => new J.RVec3(0, 0, 0), upright = () => new J.Quat(0, 0, 0, 1);

function makeWorld() {
  const pairs = new J.ObjectLayerPairFilterTable(1), layers = new J.BroadPhaseLayerInterfaceTable(1, 1);
  layers.MapObjectToBroadPhaseLayer(0, new J.BroadPhaseLayer(0)); // bodies of layer 0 do not collide
  const settings = new J.JoltSettings();
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
  const world = new J.JoltInterface(settings);
  world.GetPhysicsSystem().SetGravity(new J.Vec3(0, 0, 0));
  return world;
}

function addBody(bodies, shape, motion, isGyroscopic) {
  const settings = new J.BodyCreationSettings(shape, place(), upright(), motion, 0);
  settings.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
  settings.mMassPropertiesOverride.mMass = mass;
  settings.mAngularDamping = 0;
  settings.mAllowSleeping = false;
  settings.mApplyGyroscopicForce = isGyroscopic;
  const body = bodies.CreateBody(settings);
  bodies.AddBody(body.GetID(), J.EActivation_Activate);
  return body;
}

// the mean moment of the hinge in the second half of a second, in N.m
function moment(radius, length, isGyroscopic) {
  const world = makeWorld(), system = world.GetPhysicsSystem(), bodies = system.GetBodyInterface();
  const yoke = addBody(bodies, new J.SphereShape(0.1), J.EMotionType_Kinematic, false);
  const rotor = addBody(bodies, new J.CylinderShape(length / 2, radius, 0.001), J.EMotionType_Dynamic, isGyroscopic);
  const settings = new J.HingeConstraintSettings();
  settings.mPoint1 = settings.mPoint2 = place();
  settings.mHingeAxis1 = settings.mHingeAxis2 = new J.Vec3(0, 1, 0);
  settings.mNormalAxis1 = settings.mNormalAxis2 = new J.Vec3(1, 0, 0);
  const hinge = J.castObject(settings.Create(yoke, rotor), J.HingeConstraint);
  system.AddConstraint(hinge);
  yoke.SetAngularVelocity(new J.Vec3(turn, 0, 0));
  rotor.SetAngularVelocity(new J.Vec3(turn, spin, 0));
  let sum = 0;
  for (let i = 0; i < 1000; i++) {
    world.Step(h, 1);
    const impulse = hinge.GetTotalLambdaRotation();
    if (i >= 500) sum += Math.hypot(impulse.GetComponent(0), impulse.GetComponent(1)) / h;
  }
  return `${(sum / 500).toFixed(3)} N.m`;
}

for (const [name, radius, length] of [["disc:", 0.2, 0.02], ["rod: ", 0.02, 0.4]])
  console.log(`${name} I w v ${(mass * radius ** 2 / 2 * spin * turn).toFixed(3)} N.m, default ${moment(radius, length, false)}, ` +
    `with the flag ${moment(radius, length, true)}`);
END
node rotor.mjs | tee out
printf '%s\n' 'disc: I w v 0.400 N.m, default 0.201 N.m, with the flag 0.400 N.m' \
    'rod:  I w v 0.004 N.m, default 0.269 N.m, with the flag 0.004 N.m' | cmp -s - out || { echo "changed: the moment of the bearings"; exit 1; }
echo "as described"

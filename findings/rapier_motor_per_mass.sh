#!/bin/sh
# The stiffness of a Rapier joint motor is per unit of mass: whatever hangs on it, it sags as far.
#
# Package:   @dimforge/rapier3d-compat 0.21.0 (npm)
# Expected:  configureMotorPosition(target, stiffness, damping) is a spring and a damper, in N/m and N.s/m: with 1000 N/m, 1 kg sags by 10 mm
#            where gravity is 10 m/s^2, and 10 kg by 100 mm.
# Behaviour: both sag by 10 mm. The default model of a motor is AccelerationBased: both factors are multiplied by the effective mass of the
#            joint, so their units are 1/s^2 and 1/s, and a motor's force grows with its load. A motor that is sized by such a run never
#            looks too weak. joint.configureMotorModel(MotorModel.ForceBased) makes it a spring.
# Output:    default: sag of 1 kg 10.0 mm, of 10 kg 10.0 mm
#            ForceBased: sag of 1 kg 10.0 mm, of 10 kg 100.0 mm
# Source:    dynamics/impulse_joint.d.ts, MotorModel: AccelerationBased = 0; no unit is given there. In Rust's sources,
#            src/dynamics/joint/motor_model.rs, the model's combine_coefficients.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts @dimforge/rapier3d-compat@0.21.0 >npm.log 2>&1 || { cat npm.log; exit 1; }

cat >sag.mjs <<'END'
import R from "@dimforge/rapier3d-compat";
await R.init();

const zero = { x: 0, y: 0, z: 0 }, up = { x: 0, y: 1, z: 0 };

// how far a mass sags on a vertical slide with a motor, in mm
function sag(mass, model) {
  const world = new R.World({ x: 0, y: -10, z: 0 });
  world.timestep = 0.001;
  const ground = world.createRigidBody(R.RigidBodyDesc.fixed());
  const body = world.createRigidBody(
    R.RigidBodyDesc.dynamic().setAdditionalMassProperties(mass, zero, { x: 1, y: 1, z: 1 }, { ...zero, w: 1 }).setCanSleep(false));
  const joint = world.createImpulseJoint(R.JointData.prismatic(zero, zero, up), ground, body, true);
  if (model !== undefined) joint.configureMotorModel(model);
  joint.configureMotorPosition(0, 1000, 100);
  for (let i = 0; i < 5000; i++) world.step();
  return (-1000 * body.translation().y).toFixed(1);
}

for (const [name, model] of [["default", undefined], ["ForceBased", R.MotorModel.ForceBased]])
  console.log(`${name}: sag of 1 kg ${sag(1, model)} mm, of 10 kg ${sag(10, model)} mm`);
END
node sag.mjs 2>/dev/null | tee out
printf '%s\n' 'default: sag of 1 kg 10.0 mm, of 10 kg 10.0 mm' 'ForceBased: sag of 1 kg 10.0 mm, of 10 kg 100.0 mm' | cmp -s - out ||
    { echo "changed: the stiffness of a motor is a spring's"; exit 1; }
echo "as described"

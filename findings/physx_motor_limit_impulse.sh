#!/bin/sh
# The limit of a PhysX motor is an impulse per step: a motor of 2 N.m drives with 120 N.m at 60 steps a second, and with 480 at 240.
#
# Package:   physx-js-webidl 2.7.3 (npm), PhysX 5
# Expected:  setDriveForceLimit(2) of a revolute joint bounds the torque of its motor by 2 N.m, at any step size.
# Behaviour: the number is read as an angular impulse, N.m.s, that each step may have: its torque is the limit divided by the step size.
#            A motor is as many times too strong as there are steps in a second, and finer steps make it stronger. So no motor of a default
#            joint is ever at its limit, and a run shows nothing about its size. setConstraintFlag(eDRIVE_LIMITS_ARE_FORCES, true) makes it
#            a torque.
# Output:    torque of a limit of 2, by default: 120.00 N.m at 1/60 s, 480.00 N.m at 1/240 s, 2000.00 N.m at 1/1000 s
#            with the flag: 2.00 N.m at each step size
# Source:    PxRevoluteJoint.h, setDriveForceLimit: an impulse limit or a force limit, depending on PxConstraintFlag::eDRIVE_LIMITS_ARE_FORCES;
#            it does not say that the flag is not set at first.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm install --silent --no-audit --no-fund --ignore-scripts physx-js-webidl@2.7.3 >npm.log 2>&1 || { cat npm.log; exit 1; }

cat >drive.mjs <<'END'
import { readFileSync } from "node:fs";

// the module takes a process for a worker of Node.js, in which it does not work
const { process } = globalThis, folder = new URL("./node_modules/physx-js-webidl/", import.meta.url);
Object.assign(globalThis, { process: undefined, window: globalThis, self: globalThis });
const { default: init } = await import("physx-js-webidl");
const P = await init({ wasmBinary: readFileSync(new URL("physx-js-webidl.wasm", folder)), locateFile: (name) => new URL(name, folder).href });
globalThis.process = process;

const top = P.PxTopLevelFunctions.prototype;
const foundation = top.CreateFoundation(top.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
const tolerances = new P.PxTolerancesScale(), physics = top.CreatePhysics(top.PHYSICS_VERSION, foundation, tolerances);
top.InitExtensions(physics);
const origin = () => new P.PxTransform(new P.PxVec3(0, 0, 0), new P.PxQuat(0, 0, 0, 1));

// the torque on a free rotor of 1 kg m^2 that is far below the target of its motor, in N.m
function torque(h, areForces) {
  const desc = new P.PxSceneDesc(tolerances);
  desc.gravity = new P.PxVec3(0, 0, 0);
  desc.cpuDispatcher = top.DefaultCpuDispatcherCreate(0);
  desc.filterShader = top.DefaultFilterShader();
  const scene = physics.createScene(desc), rotor = physics.createRigidDynamic(origin());
  rotor.setMass(1);
  rotor.setMassSpaceInertiaTensor(new P.PxVec3(1, 1, 1));
  rotor.setAngularDamping(0);
  rotor.setMaxAngularVelocity(1e6);
  scene.addActor(rotor);
  const joint = top.RevoluteJointCreate(physics, P.NULL, origin(), rotor, origin());
  joint.setRevoluteJointFlag(P.PxRevoluteJointFlagEnum.eDRIVE_ENABLED, true);
  joint.setDriveVelocity(1e5);
  joint.setDriveForceLimit(2);
  if (areForces) joint.setConstraintFlag(P.PxConstraintFlagEnum.eDRIVE_LIMITS_ARE_FORCES, true);
  const steps = 10;
  for (let i = 0; i < steps; i++) { scene.simulate(h); scene.fetchResults(true); }
  return rotor.getAngularVelocity().x / (steps * h);
}

for (const areForces of [false, true])
  console.log((areForces ? "with the flag:" : "by default:") +
    [60, 240, 1000].map((n) => ` ${torque(1 / n, areForces).toFixed(2)} N.m at 1/${n} s`).join(","));
END
node drive.mjs | tee out
printf '%s\n' 'by default: 120.00 N.m at 1/60 s, 480.00 N.m at 1/240 s, 2000.00 N.m at 1/1000 s' \
    'with the flag: 2.00 N.m at 1/60 s, 2.00 N.m at 1/240 s, 2.00 N.m at 1/1000 s' | cmp -s - out || { echo "changed: the limit of a motor"; exit 1; }
echo "as described"

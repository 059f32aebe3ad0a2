// npm_more.mjs  More engines of npm, for npm.mjs.
import { readFileSync } from "node:fs";
import { add, g, h, inertiaOf, isSaid, minus, quaternionOf, run, say, scenes, steps, times, turn, X, Y } from "./scenes.mjs";

// It is built for browsers: it looks for a process, and refuses to go on where there is one.
async function openPhysX() {
  const { process } = globalThis, folder = new URL("./node_modules/physx-js-webidl/", import.meta.url);
  Object.assign(globalThis, { process: undefined, window: globalThis, self: globalThis });
  try {
    const { default: init } = await import("physx-js-webidl");
    return await init({ wasmBinary: readFileSync(new URL("physx-js-webidl.wasm", folder)), locateFile: (name) => new URL(name, folder).href });
  } finally {
    globalThis.process = process;
  }
}

// Motors are drives, whose torque a constraint does not tell: arms are held by fixed joints.
async function physx(describe) {
  const P = await openPhysX(), top = P.PxTopLevelFunctions.prototype;
  const foundation = top.CreateFoundation(top.PHYSICS_VERSION, new P.PxDefaultAllocator(), new P.PxDefaultErrorCallback());
  const tolerances = new P.PxTolerancesScale(), physics = top.CreatePhysics(top.PHYSICS_VERSION, foundation, tolerances);
  top.InitExtensions(physics);
  const vec = (v) => new P.PxVec3(...v), pose = (at, q) => new P.PxTransform(vec(at), new P.PxQuat(...q));
  const toArray = (v) => [v.x, v.y, v.z], own = (q, v) => turn([...times(-1, q.slice(0, 3)), q[3]], v);
  for (const solver of ["PGS", "TGS"]) {
    const name = `PhysX ${solver}`;
    describe(name, "`PxConstraint::getForce`", "actor 0 (+)", "world, joint", "N");
    run(name, Object.keys(scenes), (scene) => {
      const desc = new P.PxSceneDesc(tolerances);
      desc.gravity = vec([0, 0, -g]);
      desc.solverType = P.PxSolverTypeEnum[`e${solver}`];
      desc.cpuDispatcher = top.DefaultCpuDispatcherCreate(0);
      desc.filterShader = top.DefaultFilterShader();
      const world = physics.createScene(desc);
      const bodies = scene.bodies.map((body) => {
        const made = physics.createRigidDynamic(pose(body.at, quaternionOf(body)));
        made.setMass(body.mass);
        made.setMassSpaceInertiaTensor(vec(inertiaOf(body)));
        made.setLinearDamping(0);
        made.setAngularDamping(0);
        made.setMaxAngularVelocity(100);
        made.setSleepThreshold(0);
        world.addActor(made);
        made.setLinearVelocity(vec(body.velocity ?? [0, 0, 0]));
        made.setAngularVelocity(vec([0, body.spin ?? 0, 0]));
        return made;
      });
      const joints = scene.hinges.map((each) => {
        // the axis of a joint is its x
        const turned = each.axis === Y ? [0, 0, Math.SQRT1_2, Math.SQRT1_2] : [0, -Math.SQRT1_2, 0, Math.SQRT1_2];
        const local = (i) => {
          if (i === null) return pose(each.at, turned);
          const q = quaternionOf(scene.bodies[i]), [x, y, z, w] = turned, [a, b, c, d] = [-q[0], -q[1], -q[2], q[3]];
          return pose(own(q, minus(each.at, scene.bodies[i].at)), [d * x + a * w + b * z - c * y, d * y - a * z + b * w + c * x, d * z + a * y - b * x + c * w, d * w - a * x - b * y - c * z]);
        };
        const create = each.motor ? "FixedJointCreate" : "RevoluteJointCreate";
        return top[create](physics, each.parent === null ? P.NULL : bodies[each.parent], local(each.parent), bodies[each.child], local(each.child));
      });
      const force = vec([0, 0, 0]), torque = vec([0, 0, 0]);
      return {
        isAtAnchor: true, centre: (i) => toArray(bodies[i].getGlobalPose().p),
        step: () => { world.simulate(h); world.fetchResults(true); },
        motion: () => {
          const { q } = bodies[0].getGlobalPose(), x = turn([q.x, q.y, q.z, q.w], X);
          return [Math.atan2(-x[2], x[0]), bodies[0].getAngularVelocity().y];
        },
        joint: (j) => { joints[j].getConstraint().getForce(force, torque); return [times(-1, toArray(force)), times(-1, toArray(torque))]; } };
    });
  }
}

// In a plane: x, y there are x, z here, and its torques and angles are about -y.
async function p2(describe) {
  const { default: all, ...named } = await import("p2-es"), P = all ?? named;
  describe("p2-es", "`multiplier` of each equation, times its Jacobian", "body B (+)", "world, mass centre", "N");
  run("p2-es", ["rest", "swing", "arm", "loop"], (scene) => {
    const world = new P.World({ gravity: [0, -g] }), ground = new P.Body();
    world.applyDamping = false;
    world.addBody(ground);
    const bodies = scene.bodies.map((body) => {
      const made = new P.Body({ mass: body.mass, position: [body.at[0], body.at[2]], angle: -(body.angle ?? 0), angularVelocity: -(body.spin ?? 0),
        velocity: [body.velocity?.[0] ?? 0, body.velocity?.[2] ?? 0] });
      const shape = new P.Box({ width: body.sides[0], height: body.sides[2] });
      shape.collisionMask = 0;
      made.addShape(shape);
      made.inertia = inertiaOf(body)[1];
      made.invInertia = 1 / made.inertia;
      world.addBody(made);
      return made;
    });
    const joints = scene.hinges.map((each) => {
      const made = new P.RevoluteConstraint(each.parent === null ? ground : bodies[each.parent], bodies[each.child], { worldPivot: [each.at[0], each.at[2]] });
      world.addConstraint(made);
      if (each.motor) {
        made.motorEnabled = true;
        made.motorSpeed = 0;
        made.motorEquation.maxForce = each.motor;
        made.motorEquation.minForce = -each.motor;
      }
      return made;
    });
    return {
      step: () => world.step(h), centre: (i) => [bodies[i].position[0], 0, bodies[i].position[1]],
      motion: () => [-bodies[0].angle, -bodies[0].angularVelocity],
      joint: (j) => joints[j].equations.filter((each) => each.enabled).reduce(([f, t], { multiplier, G }) =>
        [add(f, times(multiplier, [G[3], 0, G[4]])), add(t, times(multiplier, [0, -G[5], 0]))], [[0, 0, 0], [0, 0, 0]]) };
  });
}

// The models are those of mujoco.c.
async function mujoco(describe) {
  const M = await (await import("mujoco-js")).default(), name = "mujoco-js";
  const source = readFileSync(new URL("mujoco.c", import.meta.url), "utf8");
  const words = (text) => [...text.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map((part) => part[1]).join("");
  const head = words(source.match(/\*const head = ([^;]*);/)[1]);
  describe(name, "`cfrc_int`; `efc_force` of a connect; `mj_contactForce`", "child (+)", "world, mass centre of the tree; torque first", "N");
  const table = source.slice(source.indexOf("} scenes[] = {"), source.indexOf("static mjModel"));
  for (const [, scene, model, joints] of table.matchAll(/\{"(\w+)",\s*("<worldbody>(?:[^"]|"\s*")*"),\s*\d,\s*\{((?:\{[^{}]*\{[^{}]*\}\},?\s*)*)\}/g)) {
    M.FS.writeFile("/scene.xml", `${head}${words(model)}</mujoco>`);
    const m = M.MjModel.loadFromXML("/scene.xml"), d = new M.MjData(m), own = new M.DoubleBuffer(6);
    const places = scene === "wall" ? [] : [...joints.matchAll(/\{(\d), (\d), \{([^}]*)\}/g)];
    if (scene === "swing") [d.qpos[0], d.qvel[0]] = [0.7, 3];
    for (let step = 1; step <= steps; step++) {
      const motion = [d.qpos[0], d.qvel[0]];
      if (scene === "wall") d.xfrc_applied[6] = -50;
      M.mj_forward(m, d);
      M.mj_rnePostConstraint(m, d);
      places.filter(() => isSaid(step)).forEach(([, body, , at], j) => {
        const anchor = at.split(",").map(Number), f = (array, i) => [...array.slice(i, i + 3)];
        const first = d.efc_type.indexOf(0); // mjCNSTR_EQUALITY: the connect
        if (body > 0) {
          const wrench = 6 * Number(body), centre = 3 * m.body_rootid[Number(body)];
          say(name, scene, j + 1, step, f(d.cfrc_int, wrench + 3), f(d.cfrc_int, wrench), f(d.subtree_com, centre), anchor, motion);
        } else say(name, scene, j + 1, step, f(d.efc_force, first), null, null, anchor, motion);
      });
      if (scene === "wall" && isSaid(step)) {
        let sum = [0, 0, 0];
        for (let i = 0; i < d.ncon; i++) {
          M.mj_contactForce(m, d, i, own);
          const force = own.GetView(), frame = d.contact.get(i).frame;
          sum = sum.map((x, k) => x + force[0] * frame[k] + force[1] * frame[3 + k] + force[2] * frame[6 + k]);
        }
        say(name, scene, 1, step, sum);
      }
      M.mj_step(m, d);
    }
  }
}

export default (describe) => ({ "physx-js-webidl": () => physx(describe), "p2-es": () => p2(describe), "mujoco-js": () => mujoco(describe) });

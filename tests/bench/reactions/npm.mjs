// npm.mjs  Engines of npm: node npm.mjs PACKAGE. The scenes and the form of the output are those of say.h.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { add, describer, g, h, inertiaOf, isSaid, minus, quaternionOf, run, say, scenes, steps, times, turn, Y, Z } from "./scenes.mjs";
import more from "./npm_more.mjs";

const require = createRequire(import.meta.url);
const package_ = process.argv[2];
const describe = describer(require(`./node_modules/${package_}/package.json`).version);

const engines = {
  // Equations' multipliers; the axes of a hinge are made of the rotation at the begin of a step.
  "cannon-es": async () => {
    const CANNON = await import("cannon-es");
    const V = (v) => new CANNON.Vec3(...v), own = (body, v) => body.quaternion.inverse().vmult(v);
    const newWorld = () => new CANNON.World({ gravity: V([0, 0, -g]), allowSleep: false });
    const newBody = (world, body, collides = false) => {
      const made = new CANNON.Body({ mass: body.mass, position: V(body.at), quaternion: new CANNON.Quaternion(...quaternionOf(body)) });
      made.addShape(new CANNON.Box(V(times(0.5, body.sides))));
      made.inertia.set(...inertiaOf(body));
      made.invInertia.set(...inertiaOf(body).map((x) => (x > 0 ? 1 / x : 0)));
      made.updateInertiaWorld(true);
      made.linearDamping = made.angularDamping = 0;
      made.collisionResponse = collides;
      made.velocity.set(...(body.velocity ?? [0, 0, 0]));
      made.angularVelocity.set(0, body.spin ?? 0, 0);
      world.addBody(made);
      return made;
    };
    const forceOf = (equations) => {
      let force = [0, 0, 0], torque = [0, 0, 0];
      for (const each of equations.filter((e) => e.enabled)) {
        force = add(force, times(each.multiplier, each.jacobianElementA.spatial.toArray()));
        torque = add(torque, times(each.multiplier, each.jacobianElementA.rotational.toArray()));
      }
      return [force, torque];
    };
    describe("cannon-es", "`multiplier` of each equation, times its Jacobian", "body A (+)", "world, mass centre", "N");
    run("cannon-es", Object.keys(scenes), (scene) => {
      const world = newWorld(), ground = newBody(world, { mass: 0, at: [0, 0, 0], sides: [1, 1, 1] });
      const bodies = scene.bodies.map((body) => newBody(world, body));
      const joints = scene.hinges.map((each) => {
        const child = bodies[each.child], parent = each.parent === null ? ground : bodies[each.parent];
        const made = new CANNON.HingeConstraint(child, parent, {
          pivotA: own(child, V(each.at).vsub(child.position)), pivotB: own(parent, V(each.at).vsub(parent.position)),
          axisA: own(child, V(each.axis)), axisB: own(parent, V(each.axis)), collideConnected: false, maxForce: 1e6 });
        world.addConstraint(made);
        if (each.motor) {
          made.enableMotor();
          made.setMotorSpeed(0);
          made.setMotorMaxForce(each.motor);
        }
        return made;
      });
      return {
        step: () => world.step(h), centre: (i) => bodies[i].position.toArray(), joint: (j) => forceOf(joints[j].equations),
        motion: () => { const x = bodies[0].quaternion.vmult(V([1, 0, 0])); return [Math.atan2(-x.z, x.x), bodies[0].angularVelocity.y]; } };
    });
    const world = newWorld();
    world.defaultContactMaterial.friction = 1;
    newBody(world, { mass: 0, at: [-0.5, 0, 0], sides: [1, 4, 4] }, true);
    const box = newBody(world, { mass: 1, at: [0.1, 0, 0], sides: [0.2, 0.2, 0.2] }, true);
    for (let step = 1; step <= steps; step++) {
      box.applyForce(V([-50, 0, 0]));
      world.step(h);
      const sum = [...world.contacts, ...world.frictionEquations].reduce((s, e) =>
        add(s, times(e.multiplier, (e.bi === box ? e.jacobianElementA : e.jacobianElementB).spatial.toArray())), [0, 0, 0]);
      if (isSaid(step)) say("cannon-es", "wall", 1, step, sum);
    }
  },

  // In a plane: x, y there are x, z here, and its torques and angles are about -y.
  planck: async () => {
    const { World, Vec2, Box, RevoluteJoint } = await import("planck");
    describe("planck", "`getReactionForce(1/h)`, `getReactionTorque(1/h)`; a motor's torque apart", "body B (+)", "world, anchor", "N");
    run("planck", ["rest", "swing", "arm", "loop"], (scene) => {
      const world = new World({ gravity: new Vec2(0, -g), allowSleep: false }), ground = world.createBody();
      const bodies = scene.bodies.map((body) => {
        const made = world.createBody({ type: "dynamic", position: new Vec2(body.at[0], body.at[2]), angle: -(body.angle ?? 0),
          linearVelocity: new Vec2(body.velocity?.[0] ?? 0, body.velocity?.[2] ?? 0), angularVelocity: -(body.spin ?? 0) });
        made.createFixture({ shape: new Box(body.sides[0] / 2, body.sides[2] / 2), density: 1, filterMaskBits: 0 });
        made.setMassData({ mass: body.mass, center: new Vec2(0, 0), I: inertiaOf(body)[1] });
        return made;
      });
      const joints = scene.hinges.map((each) => world.createJoint(new RevoluteJoint(
        { enableMotor: Boolean(each.motor), maxMotorTorque: each.motor ?? 0, motorSpeed: 0 },
        each.parent === null ? ground : bodies[each.parent], bodies[each.child], new Vec2(each.at[0], each.at[2]))));
      return {
        isAtAnchor: true, step: () => world.step(h, 8, 3),
        centre: (i) => [bodies[i].getWorldCenter().x, 0, bodies[i].getWorldCenter().y],
        motion: () => [-bodies[0].getAngle(), -bodies[0].getAngularVelocity()],
        joint: (j) => { const f = joints[j].getReactionForce(1 / h); return [[f.x, 0, f.y], [0, -joints[j].getReactionTorque(1 / h), 0]]; } };
    });
  },

  "box2d-wasm": async () => {
    const folder = "./node_modules/box2d-wasm/dist/umd/Box2D";
    const b2 = await require(`${folder}.js`)({ wasmBinary: readFileSync(new URL(`${folder}.wasm`, import.meta.url)) });
    describe("box2d-wasm", "`GetReactionForce(1/h)`, `GetReactionTorque(1/h)`", "body B (+)", "world, anchor", "N");
    run("box2d-wasm", ["rest", "swing", "arm", "loop"], (scene) => {
      const vec = (x, z) => new b2.b2Vec2(x, z), world = new b2.b2World(vec(0, -g)), ground = world.CreateBody(new b2.b2BodyDef());
      world.SetAllowSleeping(false);
      const bodies = scene.bodies.map((body) => {
        const def = new b2.b2BodyDef(), mass = new b2.b2MassData(), shape = new b2.b2PolygonShape(), fixture = new b2.b2FixtureDef();
        def.set_type(b2.b2_dynamicBody);
        def.set_position(vec(body.at[0], body.at[2]));
        def.set_angle(-(body.angle ?? 0));
        def.set_linearVelocity(vec(body.velocity?.[0] ?? 0, body.velocity?.[2] ?? 0));
        def.set_angularVelocity(-(body.spin ?? 0));
        const made = world.CreateBody(def);
        shape.SetAsBox(body.sides[0] / 2, body.sides[2] / 2);
        fixture.set_shape(shape);
        fixture.set_density(1);
        fixture.get_filter().set_maskBits(0);
        made.CreateFixture(fixture);
        mass.set_mass(body.mass);
        mass.set_I(inertiaOf(body)[1]);
        made.SetMassData(mass);
        return made;
      });
      const joints = scene.hinges.map((each) => {
        const def = new b2.b2RevoluteJointDef();
        def.Initialize(each.parent === null ? ground : bodies[each.parent], bodies[each.child], vec(each.at[0], each.at[2]));
        def.set_enableMotor(Boolean(each.motor));
        def.set_maxMotorTorque(each.motor ?? 0);
        return b2.castObject(world.CreateJoint(def), b2.b2RevoluteJoint);
      });
      return {
        isAtAnchor: true, step: () => world.Step(h, 8, 3),
        centre: (i) => [bodies[i].GetWorldCenter().x, 0, bodies[i].GetWorldCenter().y],
        motion: () => [-bodies[0].GetAngle(), -bodies[0].GetAngularVelocity()],
        joint: (j) => { const f = joints[j].GetReactionForce(1 / h); return [[f.x, 0, f.y], [0, -joints[j].GetReactionTorque(1 / h), 0]]; } };
    });
  },

  // The torques across the axis are in two directions that it does not tell.
  "jolt-physics": async () => {
    const J = await (await import("jolt-physics")).default();
    const settings = new J.JoltSettings(), LAYER = 0;
    const pairs = new J.ObjectLayerPairFilterTable(1), layers = new J.BroadPhaseLayerInterfaceTable(1, 1);
    layers.MapObjectToBroadPhaseLayer(LAYER, new J.BroadPhaseLayer(0));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new J.ObjectVsBroadPhaseLayerFilterTable(layers, 1, pairs, 1);
    const jolt = new J.JoltInterface(settings), system = jolt.GetPhysicsSystem(), bodyInterface = system.GetBodyInterface();
    system.SetGravity(new J.Vec3(0, 0, -g));
    describe("jolt-physics", "`GetTotalLambdaPosition`; a motor's torque `GetTotalLambdaMotor`", "body 2 (+)", "world, anchor", "N s");
    const toArray = (v) => [v.GetX(), v.GetY(), v.GetZ()];
    run("jolt-physics", Object.keys(scenes), (scene) => {
      const bodies = scene.bodies.map((body) => {
        const creation = new J.BodyCreationSettings(new J.BoxShape(new J.Vec3(...times(0.5, body.sides)), 0), new J.RVec3(...body.at),
          new J.Quat(...quaternionOf(body)), J.EMotionType_Dynamic, LAYER);
        creation.mOverrideMassProperties = J.EOverrideMassProperties_CalculateInertia;
        creation.mMassPropertiesOverride.mMass = body.mass;
        creation.mLinearDamping = creation.mAngularDamping = 0;
        creation.mAllowSleeping = false;
        creation.mLinearVelocity = new J.Vec3(...(body.velocity ?? [0, 0, 0]));
        creation.mAngularVelocity = new J.Vec3(0, body.spin ?? 0, 0);
        const made = bodyInterface.CreateBody(creation);
        bodyInterface.AddBody(made.GetID(), J.EActivation_Activate);
        return made;
      });
      const ground = jolt.sGetFixedToWorldBody ? J.JoltInterface.prototype.sGetFixedToWorldBody() : J.Body.prototype.sFixedToWorld();
      const joints = scene.hinges.map((each) => {
        const s = new J.HingeConstraintSettings();
        s.mSpace = J.EConstraintSpace_WorldSpace;
        s.mPoint1 = s.mPoint2 = new J.RVec3(...each.at);
        s.mHingeAxis1 = s.mHingeAxis2 = new J.Vec3(...each.axis);
        s.mNormalAxis1 = s.mNormalAxis2 = new J.Vec3(1, 0, 0);
        const made = J.castObject(s.Create(each.parent === null ? ground : bodies[each.parent], bodies[each.child]), J.HingeConstraint);
        system.AddConstraint(made);
        if (each.motor) {
          made.GetMotorSettings().SetTorqueLimit?.(each.motor);
          made.SetMotorState(J.EMotorState_Velocity);
          made.SetTargetAngularVelocity(0);
        }
        return [made, each];
      });
      return {
        isAtAnchor: true, step: () => jolt.Step(h, 1), centre: (i) => toArray(bodies[i].GetCenterOfMassPosition()),
        motion: () => {
          const r = bodies[0].GetRotation(), x = turn([r.GetX(), r.GetY(), r.GetZ(), r.GetW()], [1, 0, 0]);
          return [Math.atan2(-x[2], x[0]), toArray(bodies[0].GetAngularVelocity())[1]];
        },
        joint: (j) => [times(1 / h, toArray(joints[j][0].GetTotalLambdaPosition())), times(joints[j][0].GetTotalLambdaMotor() / h, joints[j][1].axis)] };
    });
  },

  // A motor is not among the impulses of its own axis: arms are held by locks.
  "@babylonjs/havok": async () => {
    const { default: init } = await import("@babylonjs/havok");
    const wasm = new URL("./node_modules/@babylonjs/havok/lib/esm/HavokPhysics.wasm", import.meta.url);
    const hk = await init({ wasmBinary: readFileSync(wasm) });
    const made = ([result, value]) => { if (result !== hk.Result.RESULT_OK) throw new Error("Havok refuses"); return value; };
    describe("havok", "`HP_Constraint_GetAppliedImpulses`", "child (+)", "world, anchor", "N s");
    run("havok", Object.keys(scenes), (scene) => {
      const world = made(hk.HP_World_Create());
      hk.HP_World_SetGravity(world, [0, 0, -g]);
      hk.HP_World_SetIdealStepTime(world, h);
      const newBody = (body, type) => {
        const id = made(hk.HP_Body_Create());
        hk.HP_Body_SetMotionType(id, type);
        hk.HP_Body_SetQTransform(id, [body.at, quaternionOf(body)]);
        if (body.mass) hk.HP_Body_SetMassProperties(id, [[0, 0, 0], body.mass, inertiaOf({ ...body, mass: 1 }), [0, 0, 0, 1]]);
        hk.HP_Body_SetLinearDamping(id, 0);
        hk.HP_Body_SetAngularDamping(id, 0);
        hk.HP_Body_SetLinearVelocity(id, body.velocity ?? [0, 0, 0]);
        hk.HP_Body_SetAngularVelocity(id, [0, body.spin ?? 0, 0]);
        hk.HP_World_AddBody(world, id, false);
        hk.HP_Body_SetActivationControl(id, hk.ActivationControl.ALWAYS_ACTIVE);
        return id;
      };
      const ground = { at: [0, 0, 0] }, groundId = newBody(ground, hk.MotionType.STATIC);
      const ids = scene.bodies.map((body) => newBody(body, hk.MotionType.DYNAMIC));
      const joints = scene.hinges.map((each) => {
        const id = made(hk.HP_Constraint_Create()), across = each.axis === Y ? Z : [1, 0, 0];
        const pivot = (body, set) => {
          const back = [...times(-1, quaternionOf(body).slice(0, 3)), quaternionOf(body)[3]];
          set(id, turn(back, minus(each.at, body.at)), turn(back, each.axis), turn(back, across));
        };
        hk.HP_Constraint_SetParentBody(id, each.parent === null ? groundId : ids[each.parent]);
        hk.HP_Constraint_SetChildBody(id, ids[each.child]);
        pivot(each.parent === null ? ground : scene.bodies[each.parent], hk.HP_Constraint_SetAnchorInParent);
        pivot(scene.bodies[each.child], hk.HP_Constraint_SetAnchorInChild);
        const axes = ["LINEAR_X", "LINEAR_Y", "LINEAR_Z", "ANGULAR_Y", "ANGULAR_Z", ...(each.motor ? ["ANGULAR_X"] : [])];
        for (const axis of axes) hk.HP_Constraint_SetAxisMode(id, hk.ConstraintAxis[axis], hk.ConstraintAxisLimitMode.LOCKED);
        hk.HP_Constraint_SetEnabled(id, 1);
        return id;
      });
      return {
        isAtAnchor: true, step: () => hk.HP_World_Step(world, h), centre: (i) => made(hk.HP_Body_GetQTransform(ids[i]))[0],
        motion: () => {
          const x = turn(made(hk.HP_Body_GetQTransform(ids[0]))[1], [1, 0, 0]);
          return [Math.atan2(-x[2], x[0]), made(hk.HP_Body_GetAngularVelocity(ids[0]))[1]];
        },
        joint: (j) => { const [, f, t] = hk.HP_Constraint_GetAppliedImpulses(joints[j]); return [times(1 / h, f), times(1 / h, t)]; } };
    });
  },

  // Its joints tell nothing; its contacts tell impulses.
  "@dimforge/rapier3d-compat": async () => {
    const R = (await import("@dimforge/rapier3d-compat")).default;
    await R.init();
    describe("rapier3d-compat", "no joint force; `contactImpulse` of points", "collider 1 to 2", "along the normal; no friction", "N s");
    const world = new R.World({ x: 0, y: 0, z: -g });
    world.timestep = h;
    const wall = world.createCollider(R.ColliderDesc.cuboid(0.5, 2, 2).setTranslation(-0.5, 0, 0).setFriction(1));
    const body = world.createRigidBody(R.RigidBodyDesc.dynamic().setTranslation(0.1, 0, 0).setCanSleep(false));
    const box = world.createCollider(R.ColliderDesc.cuboid(0.1, 0.1, 0.1).setMass(1).setFriction(1), body);
    body.addForce({ x: -50, y: 0, z: 0 }, true);
    for (let step = 1; step <= steps; step++) {
      world.step();
      const sum = [0, 0, 0];
      world.contactPair(wall, box, (manifold, isFlipped) => {
        for (let i = 0; i < manifold.numContacts(); i++)
          sum[0] += ((isFlipped ? -1 : 1) * manifold.normal().x * manifold.contactImpulse(i)) / h;
      });
      if (isSaid(step)) say("rapier3d-compat", "wall", 1, step, sum);
    }
  },

  oimo: async () => describe("oimo", "no force of a joint", "-", "-", "-"),

  "matter-js": async () => describe("matter-js", "no force of a constraint", "-", "-", "-"),
};

await { ...engines, ...more(describe) }[package_]();

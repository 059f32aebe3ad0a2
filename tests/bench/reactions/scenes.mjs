// scenes.mjs  The scenes of say.h for engines of npm, and the form of the output.
export const h = 1e-3, g = 9.81, side = 0.02, steps = 300;
export const isSaid = (step) => step <= 2 || step === steps;

export const add = (a, b) => a.map((x, k) => x + b[k]);
export const minus = (a, b) => a.map((x, k) => x - b[k]);
export const times = (s, a) => a.map((x) => s * x);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const turn = (q, v) => add(v, times(2, cross(q.slice(0, 3), add(cross(q.slice(0, 3), v), times(q[3], v))))); // q: x, y, z, w

export const X = [1, 0, 0], Y = [0, 1, 0], Z = [0, 0, 1];
export const rod = (mass, x, z, isLevel = false, length = 1) => ({ mass, at: [x, 0, z], sides: isLevel ? [length, side, side] : [side, side, length] });
export const hinge = (child, parent, at, more = {}) => ({ child, parent, at, axis: Y, ...more }); // parent null: the world
export const swing = { ...rod(2, -0.5 * Math.sin(0.7), -0.5 * Math.cos(0.7)), angle: 0.7, spin: 3, velocity: [-1.5 * Math.cos(0.7), 0, 1.5 * Math.sin(0.7)] };
export const scenes = {
  rest: { bodies: [rod(2, 0, -0.5)], hinges: [hinge(0, null, [0, 0, 0])] },
  swing: { bodies: [swing], hinges: [hinge(0, null, [0, 0, 0])] },
  arm: {
    bodies: [rod(2, 0.5, 0, true), rod(1, 1.25, 0, true, 0.5)],
    hinges: [hinge(0, null, [0, 0, 0], { motor: 1000 }), hinge(1, 0, [1, 0, 0], { motor: 1000 })],
  },
  loop: {
    bodies: [rod(1, 0, -0.5), rod(4, 0.5, -1, true), rod(1, 1, -0.5)],
    hinges: [hinge(0, null, [0, 0, 0]), hinge(1, 0, [0, 0, -1]), hinge(1, 2, [1, 0, -1]), hinge(2, null, [1, 0, 0])],
  },
  door: {
    bodies: [{ mass: 20, at: [0.4, 0, 0], sides: [0.8, 0.04, 2] }],
    hinges: [hinge(0, null, [0, 0, -0.7], { axis: Z }), hinge(0, null, [0, 0, 0.7], { axis: Z })],
  },
};
export const inertiaOf = ({ mass, sides: [a, b, c] }) => [b * b + c * c, a * a + c * c, a * a + b * b].map((x) => (mass / 12) * x);
export const quaternionOf = (body) => [0, Math.sin((body.angle ?? 0) / 2), 0, Math.cos((body.angle ?? 0) / 2)];

export const describer = (version) => (name, read, on, axes, unit) => console.log(`engine|${name}|${version}|${read}|${on}|${axes}|${unit}`);
export const digits = (vector) => vector.map((x) => Number(x).toPrecision(9)).join(" ");
export function say(name, scene, joint, step, force, torque, centre, anchor, motion) {
  const about = torque && (centre ? add(torque, cross(minus(centre, anchor), force)) : torque);
  console.log(`${name}|${scene}|${joint}|${step}|${digits(force)}|${about ? digits(about) : ""}|${motion ? digits(motion) : ""}`);
}

// open(scene) -> { step(), centre(body), motion(), joint(number) -> [force on the child, torque], isAtAnchor }
export function run(name, names, open) {
  for (const scene of names) {
    const world = open(scenes[scene]);
    for (let step = 1; step <= steps; step++) {
      const centres = scenes[scene].hinges.map((each) => world.centre(each.child));
      const motion = world.motion();
      world.step();
      scenes[scene].hinges.forEach((each, j) => {
        if (!isSaid(step)) return;
        const [force, torque] = world.joint(j);
        say(name, scene, j + 1, step, force, torque, world.isAtAnchor ? null : centres[j], each.at, motion);
      });
    }
  }
}

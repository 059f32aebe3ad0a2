/* motion.js  The motion of a world, unpacked: plugin/report/document/motion_pack.h has the
 * format. */
"use strict";

async function inflate(text, format) {
    const digits = atob(text), bytes = new Uint8Array(digits.length);
    for (let i = 0; i < digits.length; i++)
        bytes[i] = digits.charCodeAt(i);
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))).arrayBuffer();
}

/* Returns take(order, count, of, Column), which reads the next column: of(x) of each number x. */
function columnsIn(bytes) {
    let at = 0;
    return (order, count, of, Column = Float32Array) => {
        const column = new Column(count);
        let last = 0, slope = 0;
        for (let i = 0; i < count; i++) {
            let rest = 0, scale = 1, byte;
            do {
                byte = bytes[at++];
                rest += (byte & 127) * scale;
                scale *= 128;
            } while (byte & 128);
            slope = (rest % 2 ? -(rest + 1) / 2 : rest / 2) + (order === 2 ? slope : 0);
            last += slope;
            column[i] = of(last);
        }
        return column;
    };
}

/* The index of an object in its columns, by frame; -1: missing. */
function placesOf(stretches, frames) {
    const places = new Int32Array(frames).fill(-1);
    let next = 0;
    for (const [first, count] of stretches) {
        for (let i = first; i < first + count; i++)
            places[i] = next++;
    }
    return {places, count: next};
}

/* The page's data of this world; undefined: none. */
const packedMotionOf = world => document.getElementById("motion-" + report.summary.worstFirst.indexOf(world.name));

/* Surfaces by their numbers: three corners of each triangle. */
async function unpackMeshes({list, data}) {
    const corners = data ? new Float32Array(await inflate(data, "deflate")) : [];
    let at = 0;
    return new Map(list.map(([number, count]) => [number, {corners: corners.subarray(at, at += 9 * count)}]));
}

/* Unknown forces and bars are NaN. */
async function unpackMotion(packed) {
    const {frames, unit, turns, perFold, least} = packed;
    const take = columnsIn(new Uint8Array(await inflate(packed.data, "deflate")));
    const same = x => x, place = x => unit * x, turn = x => x / turns;
    const sizes = new Map(), sizeOfNumber = n => n === 0 ? NaN : least * Math.sinh((n > 0 ? n - 1 : n) / perFold);
    const size = n => {
        if (!sizes.has(n))
            sizes.set(n, sizeOfNumber(n));
        return sizes.get(n);
    };
    const list = (length, make) => Array.from({length}, make);
    const step = take(1, frames, same, Float64Array), time = take(2, frames, x => x / 1e6, Float64Array);
    const objects = (all, columns) => all.map(object => {
        const {places, count} = placesOf(object.stretches, frames);
        return {...object, places, ...columns(count)};
    });
    const bodies = objects(packed.bodies, count => ({place: list(3, () => take(2, count, place)), turn: list(4, () => take(2, count, turn))}));
    const joints = objects(packed.joints, count => ({place: list(3, () => take(1, count, place)), state: take(1, count, same),
        wrench: list(3, () => list(6, () => take(1, count, size))), bar: list(4, () => take(1, count, size)), error: list(2, () => take(1, count, size))}));
    const contacts = objects(packed.contacts, count => ({place: list(3, () => take(1, count, place)), force: list(3, () => take(1, count, size))}));
    const byNumber = new Map(bodies.map(body => [body.number, body]));
    joints.forEach(joint => {
        joint.label = joint.name ?? `${joint.type} ${joint.number}`;
    });
    const meshes = await unpackMeshes(packed.meshes);
    return {...packed, meshes, data: null, step, time, bodies, joints, contacts, byNumber};
}

/* --- More frames --- */

/* Appends to a column, or to a list of columns: in its buffer, or in a larger copy. */
function extended(column, more) {
    if (Array.isArray(column))
        return column.map((part, i) => extended(part, more[i]));
    const length = column.length + more.length, Column = column.constructor, hasRoom = length * Column.BYTES_PER_ELEMENT <= column.buffer.byteLength;
    const made = hasRoom ? new Column(column.buffer, 0, length) : new Column(2 * length).subarray(0, length);
    if (!hasRoom)
        made.set(column);
    made.set(more, column.length);
    return made;
}

const motionKinds = {
    bodies: {key: body => body.number, columns: ["place", "turn"]},
    joints: {key: joint => [joint.type, joint.number, ...joint.bodies].join(), columns: ["place", "state", "wrench", "bar", "error"]},
    contacts: {key: contact => contact.bodies.join(), columns: ["place", "force"]},
};

/* Continues an object in later frames. */
function extendObject(object, more, frames, columns) {
    const count = object.place[0].length, last = object.stretches[object.stretches.length - 1];
    object.places = extended(object.places, more.places.map(i => i < 0 ? -1 : i + count));
    for (const name of columns)
        object[name] = extended(object[name], more[name]);
    for (const [first, length] of more.stretches) {
        if (last && first === 0 && last[0] + last[1] === frames)
            last[1] += length;
        else
            object.stretches.push([first + frames, length]);
    }
}

/* Appends unpacked frames. Returns whether they have new objects. */
function growMotion(motion, more) {
    const {frames} = motion, names = motion.states.map(state => JSON.stringify(state));
    const states = more.states.map(state => {
        const known = names.indexOf(JSON.stringify(state));
        return known >= 0 ? known : motion.states.push(state) - 1;
    });
    more.joints.forEach(joint => {
        joint.state = joint.state.map(i => states[i]);
    });
    let isNew = more.standing.length > motion.standing.length || more.meshes.size > 0;
    more.meshes.forEach((mesh, number) => motion.meshes.set(number, mesh));
    motion.standing = more.standing;
    for (const [kind, {key, columns}] of Object.entries(motionKinds)) {
        const rest = new Map(more[kind].map(object => [key(object), object])), missing = new Int32Array(more.frames).fill(-1);
        for (const object of motion[kind]) {
            const next = rest.get(key(object));
            rest.delete(key(object));
            if (next)
                extendObject(object, next, frames, columns);
            else
                object.places = extended(object.places, missing);
        }
        for (const object of rest.values()) {
            const before = new Int32Array(frames).fill(-1);
            motion[kind].push({...object, places: extended(before, object.places), stretches: object.stretches.map(([first, count]) => [first + frames, count])});
            isNew = true;
        }
    }
    motion.bodies.forEach(body => motion.byNumber.set(body.number, body));
    motion.step = extended(motion.step, more.step);
    motion.time = extended(motion.time, more.time);
    motion.frames += more.frames;
    return isNew;
}

/* The last frame before this time, and the fraction of the time to the next one, from 0 to 1. */
function frameAt(motion, time) {
    const {time: times, frames} = motion;
    let low = 0, high = frames - 1;
    while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        [low, high] = times[middle] <= time ? [middle, high] : [low, middle - 1];
    }
    const rest = low + 1 < frames ? (time - times[low]) / (times[low + 1] - times[low]) : 0;
    return {frame: low, share: Math.max(0, Math.min(1, rest))};
}

/* The place of a body, interpolated to the next frame if the body is in both; null: missing. */
function poseAt(body, {frame, share}) {
    const i = body.places[frame], next = body.places[frame + 1] ?? -1, k = next < 0 ? i : next, s = next < 0 ? 0 : share;
    if (i < 0)
        return null;
    const place = body.place.map(column => column[i] + s * (column[k] - column[i]));
    const dot = body.turn.reduce((sum, column) => sum + column[i] * column[k], 0), sign = dot < 0 ? -1 : 1;
    const turn = body.turn.map(column => (1 - s) * column[i] + s * sign * column[k]), length = Math.hypot(...turn) || 1;
    return {place, turn: turn.map(x => x / length)};
}

/* A point of a body, or of the world, in world axes: p + q v q^-1. */
function pointOf(pose, local) {
    const [w, x, y, z] = pose.turn, [a, b, c] = local;
    const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * t[0] + y * t[2] - z * t[1], b + w * t[1] + z * t[0] - x * t[2], c + w * t[2] + x * t[1] - y * t[0]]
        .map((v, i) => v + pose.place[i]);
}

function localOf(pose, point) {
    const [w, x, y, z] = pose.turn;
    return pointOf({place: [0, 0, 0], turn: [w, -x, -y, -z]}, point.map((v, i) => v - pose.place[i]));
}

/* The data of a joint in a frame; null: the joint, or its body, is missing. */
function jointAt(motion, joint, at) {
    const i = joint.places[at.frame], body = motion.byNumber.get(joint.bodies[0]) ?? motion.byNumber.get(joint.bodies[1]);
    const pose = i >= 0 && body ? poseAt(body, at) : null;
    if (!pose)
        return null;
    const wrench = value => joint.wrench[values.indexOf(value)].map(column => column[i]);
    return {
        place: pointOf(pose, joint.place.map(column => column[i])), state: motion.states[joint.state[i]],
        ...Object.fromEntries(values.map(value => [value, {force: wrench(value).slice(0, 3), torque: wrench(value).slice(3)}])),
        bar: {converged: {force: joint.bar[0][i], torque: joint.bar[1][i]}, physical: {force: joint.bar[2][i], torque: joint.bar[3][i]}},
        error: {converged: joint.error[0][i], physical: joint.error[1][i]},
    };
}

/* The size that this share of all sizes does not exceed, without zeros and unknown ones. */
function quantileOf(sizes, share) {
    const known = sizes.filter(x => x > 0).sort((a, b) => a - b);
    return known.length ? known[Math.min(known.length - 1, Math.floor(share * known.length))] : 0;
}

/* The least of 1, 2, 5, 10, ... that is at least x > 0. */
function round125(x) {
    const decade = 10 ** Math.floor(Math.log10(x) + 1e-9);
    return decade * [1, 2, 5, 10].find(factor => factor * decade >= x * (1 - 1e-9));
}

/* One scale for the whole run, from some thousand samples of joints or, without joints, of
 * contacts. */
function scaleOf(motion, quantity) {
    const first = quantity === "force" ? 0 : 3, sizes = [];
    const lists = motion.joints.length ? motion.joints.flatMap(joint => [0, 2].map(v => joint.wrench[v].slice(first, first + 3)))
        : quantity === "force" ? motion.contacts.map(contact => contact.force) : [];
    const every = Math.max(1, Math.ceil(lists.reduce((sum, [x]) => sum + x.length, 0) / 40000));
    for (const [x, y, z] of lists) {
        for (let i = 0; i < x.length; i += every)
            sizes.push(Math.hypot(x[i], y[i], z[i]));
    }
    const size = quantileOf(sizes, .95);
    return size > 0 ? round125(size) : 0;
}

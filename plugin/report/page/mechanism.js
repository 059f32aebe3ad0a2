/* mechanism.js  Bodies and the joints between them as a graph. */
"use strict";

const mechanismHint = "A click, or Tab and Enter, shows a joint. Drag to move, double-click for all. Keys: arrows move, + \u2212 zoom, 0 all.";

/* Each mechanism separately: its bodies, and its joints by their index in the list. The world does
 * not connect mechanisms: each has its own. Joints without bodies are in none. */
function mechanismsOf(joints) {
    const near = new Map(), made = new Map(), mechanisms = [];
    const meet = (a, b) => near.set(a, [...(near.get(a) || []), b]);
    joints.forEach(({bodies: [a, b]}) => {
        meet(a, b);
        meet(b, a);
    });
    const collect = start => {
        const mechanism = {bodies: [], places: new Map(), edges: []}, queue = [start];
        for (const body of queue) {
            if (mechanism.places.has(body))
                continue;
            mechanism.places.set(body, mechanism.bodies.push(body) - 1);
            if (body) {
                made.set(body, mechanism);
                queue.push(...near.get(body));
            }
        }
        return mechanism;
    };
    joints.forEach(({bodies}, joint) => {
        const body = bodies[0] || bodies[1];
        // attached to nothing
        if (!body)
            return;
        if (!made.has(body))
            mechanisms.push(collect(body));
        const mechanism = made.get(body);
        mechanism.edges.push({joint, ends: bodies.map(end => mechanism.places.get(end))});
    });
    return mechanisms;
}

/* Distances from the world, or from the first body, which are the initial columns. */
function columnsOf({bodies, edges}) {
    const column = bodies.map(() => -1), start = Math.max(bodies.indexOf(0), 0), queue = [start];
    const near = bodies.map(() => []);
    for (const {ends: [a, b]} of edges) {
        near[a].push(b);
        near[b].push(a);
    }
    column[start] = 0;
    for (const body of queue) {
        for (const other of near[body].filter(other => column[other] < 0)) {
            column[other] = column[body] + 1;
            queue.push(other);
        }
    }
    return column;
}

/* Bodies repel each other, joints attract, less from round to round. Source: Fruchterman and
 * Reingold, 1991 */
function relax(edges, at) {
    const count = at.length, rounds = Math.min(400, Math.floor(2e7 / (count * count + 1)));
    for (let round = 0; round < rounds; round++) {
        const force = at.map(() => [0, 0]), most = 1 - round / rounds;
        const act = (a, b, law) => {
            const dx = at[a][0] - at[b][0], dy = at[a][1] - at[b][1], distance = Math.hypot(dx, dy) || 1e-3;
            const share = law(distance) / distance;
            force[a][0] += dx * share;
            force[a][1] += dy * share;
            force[b][0] -= dx * share;
            force[b][1] -= dy * share;
        };
        for (let a = 0; a < count; a++) {
            for (let b = 0; b < a; b++)
                act(a, b, distance => 1 / distance);
        }
        for (const {ends: [a, b]} of edges)
            act(a, b, distance => -distance * distance);
        at.forEach((place, i) => {
            const [x, y] = force[i], scale = most / Math.max(Math.hypot(x, y), most);
            place[0] += x * scale;
            place[1] += y * scale;
        });
    }
}

/* Positions of the bodies of a mechanism in its own box, from 0, 0. */
function layOut(mechanism) {
    const rows = new Map();
    const at = columnsOf(mechanism).map(x => {
        const y = rows.get(x) || 0;
        rows.set(x, y + 1);
        // neither a line nor a grid, which could balance at a saddle
        return [x + .1 * Math.sin(7 * y + x), (y % 2 ? y + 1 : -y) / 2 + .1 * Math.cos(3 * x)];
    });
    relax(mechanism.edges, at);
    const low = [0, 1].map(axis => Math.min(...at.map(place => place[axis])));
    const drawn = at.map(place => place.map((x, axis) => jointLength * (x - low[axis]) + boxEdge));
    return {at: drawn, size: [0, 1].map(axis => Math.max(...drawn.map(place => place[axis])) + boxEdge)};
}

const jointLength = 75, boxEdge = 30;

/* Places boxes in rows of a picture about twice as wide as high: sets their corners, and returns
 * its size. */
function pack(boxes) {
    const area = boxes.reduce((sum, {size}) => sum + size[0] * size[1], 0);
    const width = Math.max(Math.sqrt(2 * area), ...boxes.map(({size}) => size[0]));
    let x = 0, y = 0, high = 0;
    for (const box of boxes) {
        if (x + box.size[0] > width) {
            x = 0;
            y += high;
            high = 0;
        }
        box.corner = [x, y];
        x += box.size[0];
        high = Math.max(high, box.size[1]);
    }
    return [width, y + high];
}

/* A curve between two places; several joints of the same bodies spread out. */
function pathOf([x1, y1], [x2, y2], bend) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const middle = [(x1 + x2) / 2 - (y2 - y1) / length * bend, (y1 + y2) / 2 + (x2 - x1) / length * bend];
    return {path: `M${x1},${y1} Q${middle[0]},${middle[1]} ${x2},${y2}`,
        middle: [(x1 + x2) / 4 + middle[0] / 2, (y1 + y2) / 4 + middle[1] / 2]};
}

function jointWords(joint) {
    const free = Object.keys(joint.undetermined.components);
    return `${joint.name}: mostly ${verdictWords[mostFrequent(joint.verdicts)]}, 95 % error ${percent(joint[headline].p95)}` +
        (joint.failed ? ", fails" : "") + (free.length ? "; not determined: " + free.join(", ") : "");
}

function drawJoint(joint, a, b, bend, choose) {
    const {path, middle} = pathOf(a, b, bend);
    const isFree = joint.undetermined.freeDirections > 0;
    const marks = (joint.failed ? "!" : "") + (isFree ? "?" : "");
    const stroke = shape("path", {class: "stroke", d: path});
    stroke.style.stroke = `var(--${mostFrequent(joint.verdicts)})`;
    const group = shape("g", {class: "joint" + (joint.failed ? " failed" : "") + (isFree ? " undetermined" : ""), tabindex: 0,
        role: "button", "aria-label": jointWords(joint), "aria-pressed": "false"}, shape("title", {}, jointWords(joint)),
        shape("path", {class: "hit", d: path}), stroke);
    if (marks)
        group.append(shape("text", {class: "mark", x: middle[0], y: middle[1]}, marks));
    group.addEventListener("click", choose);
    group.addEventListener("keydown", event => {
        if (event.key === "Enter" || event.key === " ") {
            event.preventDefault();
            choose();
        }
    });
    return group;
}

function drawBody(body, [x, y]) {
    const words = body ? `body ${body}` : "the world";
    const node = shape("g", {}, shape("title", {}, words));
    node.append(body ? shape("circle", {class: "body", cx: x, cy: y, r: 11})
        : shape("rect", {class: "body", x: x - 20, y: y - 11, width: 40, height: 22}));
    node.append(shape("text", {x, y}, body ? String(body) : "world"));
    return node;
}

/* Lets the reader move the picture by the mouse and arrow keys, and zoom it by + and -. */
function makeZoomable(picture, whole) {
    const box = [0, 0, ...whole];
    const show = () => picture.setAttribute("viewBox", box.join(" "));
    const zoom = factor => {
        for (const axis of [0, 1]) {
            box[axis] += box[axis + 2] * (1 - factor) / 2;
            box[axis + 2] *= factor;
        }
        show();
    };
    const move = (dx, dy) => {
        box[0] += dx * box[2];
        box[1] += dy * box[3];
        show();
    };
    const all = () => {
        box.splice(0, 4, 0, 0, ...whole);
        show();
    };
    const keys = {"+": () => zoom(.7), "=": () => zoom(.7), "-": () => zoom(1 / .7), "0": all, Home: all, ArrowLeft: () => move(-.1, 0),
        ArrowRight: () => move(.1, 0), ArrowUp: () => move(0, -.1), ArrowDown: () => move(0, .1)};
    picture.addEventListener("keydown", event => {
        if (keys[event.key] && !event.ctrlKey && !event.altKey && !event.metaKey) {
            event.preventDefault();
            keys[event.key]();
        }
    });
    let moved = 0;
    picture.addEventListener("pointerdown", () => {
        moved = 0;
    });
    // the end of a drag is no choice
    picture.addEventListener("click", event => moved > 4 && event.stopPropagation(), true);
    picture.addEventListener("pointermove", event => {
        if (event.buttons & 1) {
            moved += Math.hypot(event.movementX, event.movementY);
            const scale = Math.max(box[2] / picture.clientWidth, box[3] / picture.clientHeight);
            box[0] -= event.movementX * scale;
            box[1] -= event.movementY * scale;
            show();
        }
    });
    picture.addEventListener("dblclick", all);
    all();
}

/* choose(i): shows or hides joint i. The picture has a function show(i, isShown). */
function mechanism(joints, choose) {
    const lines = new Array(joints.length), nodes = [];
    const boxes = mechanismsOf(joints).map(one => ({...one, ...layOut(one)})), whole = pack(boxes);
    for (const {bodies, edges, at, corner} of boxes) {
        const place = at.map(([x, y]) => [x + corner[0], y + corner[1]]), seen = new Map();
        for (const {joint, ends} of edges) {
            const [a, b] = ends[0] < ends[1] ? ends : [ends[1], ends[0]], pair = `${a} ${b}`, before = seen.get(pair) || 0;
            seen.set(pair, before + 1);
            // 0, 24, -24, 48, ...
            const bend = 24 * Math.ceil(before / 2) * (before % 2 ? 1 : -1);
            lines[joint] = drawJoint(joints[joint], place[a], place[b], bend, () => choose(joint));
        }
        nodes.push(...bodies.map((body, i) => drawBody(body, place[i])));
    }
    const picture = shape("svg", {class: "mechanism", role: "group", tabindex: 0, "aria-label": "Bodies and joints. " + mechanismHint},
        ...lines.filter(line => line), ...nodes);
    makeZoomable(picture, whole);
    picture.show = (i, isShown) => {
        if (!lines[i])
            return;
        lines[i].classList.toggle("shown", isShown);
        lines[i].setAttribute("aria-pressed", String(isShown));
    };
    return picture;
}

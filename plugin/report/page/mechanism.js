/* mechanism.js  Bodies and the joints between them as a graph. */
"use strict";

/* Bodies, and joints as pairs of their places in that list. */
function graphOf(joints) {
    const places = new Map();
    const placeOf = body => places.get(body) ?? (places.set(body, places.size), places.size - 1);
    const edges = joints.map(joint => joint.bodies.map(placeOf));
    return {bodies: [...places.keys()], edges};
}

/* Distances from the world, or from the first body of what does not hang on it: columns to begin with. */
function columnsOf(graph) {
    const near = graph.bodies.map(() => []), column = graph.bodies.map(() => -1);
    for (const [a, b] of graph.edges) {
        near[a].push(b);
        near[b].push(a);
    }
    const starts = [graph.bodies.indexOf(0), ...graph.bodies.keys()].filter(start => start >= 0);
    for (const start of starts) {
        const queue = column[start] < 0 ? [start] : [];
        for (const body of queue) {
            column[body] = Math.max(column[body], 0);
            for (const other of near[body].filter(other => column[other] < 0)) {
                column[other] = column[body] + 1;
                queue.push(other);
            }
        }
    }
    return column;
}

/* Bodies push each other away, joints pull, less from round to round.   Source: Fruchterman and Reingold, 1991 */
function relax(graph, at) {
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
        for (const [a, b] of graph.edges)
            act(a, b, distance => -distance * distance);
        at.forEach((place, i) => {
            const [x, y] = force[i], scale = most / Math.max(Math.hypot(x, y), most);
            place[0] += x * scale;
            place[1] += y * scale;
        });
    }
}

/* Where each body is drawn, in a picture of this size. */
function layOut(graph, width, height) {
    const column = columnsOf(graph), rows = new Map();
    const at = column.map(x => {
        const y = rows.get(x) || 0;
        rows.set(x, y + 1);
        // neither a line nor a grid: nothing is balanced at a saddle
        return [x + .1 * Math.sin(7 * y + x), (y % 2 ? y + 1 : -y) / 2 + .1 * Math.cos(3 * x)];
    });
    relax(graph, at);
    const edge = 30;
    return fit(at, 0, width, edge).map((x, i) => [x, fit(at, 1, height, edge)[i]]);
}

function fit(at, axis, size, edge) {
    const list = at.map(place => place[axis]), low = Math.min(...list), range = Math.max(...list) - low;
    return list.map(x => range > 1e-6 ? edge + (x - low) / range * (size - 2 * edge) : size / 2);
}

/* A curve between two places; several joints of the same bodies spread. */
function pathOf([x1, y1], [x2, y2], bend) {
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const middle = [(x1 + x2) / 2 - (y2 - y1) / length * bend, (y1 + y2) / 2 + (x2 - x1) / length * bend];
    return {path: `M${x1},${y1} Q${middle[0]},${middle[1]} ${x2},${y2}`,
        middle: [(x1 + x2) / 4 + middle[0] / 2, (y1 + y2) / 4 + middle[1] / 2]};
}

function jointWords(joint) {
    const free = Object.keys(joint.undetermined.components);
    return `${joint.name}: mostly ${verdictWords[mostFrequent(joint.verdicts)]}, 95 % error ${percent(joint.error.p95)}` +
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

/* choose(i): joint i is shown or hidden. The picture has a function show(i, isShown). */
function mechanism(joints, choose) {
    const width = 1000, height = 480, graph = graphOf(joints), at = layOut(graph, width, height), seen = new Map();
    const lines = joints.map((joint, i) => {
        const [a, b] = graph.edges[i], [low, high] = a < b ? [a, b] : [b, a], pair = `${low} ${high}`;
        const before = seen.get(pair) || 0;
        seen.set(pair, before + 1);
        // 0, 24, -24, 48, ...
        const bend = 24 * Math.ceil(before / 2) * (before % 2 ? 1 : -1);
        return drawJoint(joint, at[low], at[high], bend, () => choose(i));
    });
    const picture = shape("svg", {class: "mechanism", viewBox: `0 0 ${width} ${height}`, role: "group",
        "aria-label": "Bodies and joints"}, ...lines, ...graph.bodies.map((body, i) => drawBody(body, at[i])));
    picture.show = (i, isShown) => {
        lines[i].classList.toggle("shown", isShown);
        lines[i].setAttribute("aria-pressed", String(isShown));
    };
    return picture;
}

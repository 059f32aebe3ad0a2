/* player.js  The animation: a scene with a timeline, a choice, and navigation. */
"use strict";

const playerHint = "Click a joint or a body. Drag turns, Shift and drag shifts, the wheel zooms once the scene has the focus, two fingers do both. Keys: " +
    "space plays, , and . step, [ and ] go from event to event, w to the worst moment, l to the largest load, f follows, arrows turn, + \u2212 zoom, 0 all.";

/* Events: joints and bodies that come and go, and changes of the chosen joint's verdict. */
function eventsOf(motion, chosen) {
    const events = [];
    const note = (frame, words) => frame > 0 && frame < motion.frames && events.push({frame, words});
    const edges = (object, name) => object.stretches.forEach(([first, count]) => {
        note(first, `${name} is there`);
        note(first + count, `${name} is gone`);
    });
    motion.joints.forEach(joint => edges(joint, joint.label));
    motion.bodies.forEach(body => edges(body, `body ${body.number}`));
    if (chosen?.joint) {
        const {places, state, label} = chosen.joint, verdictOf = frame => motion.states[state[places[frame]]]?.verdict;
        for (let frame = 1; frame < motion.frames; frame++) {
            if (places[frame] >= 0 && places[frame - 1] >= 0 && verdictOf(frame) !== verdictOf(frame - 1))
                note(frame, `${label}: ${verdictWords[verdictOf(frame)]}`);
        }
    }
    return events.sort((a, b) => a.frame - b.frame);
}

/* Numbers of reactions by verdict, for each frame. If the report has no timeline of this world yet:
 * of joints only, in the frames from `from` on. */
function verdictCounts(motion, timeline, from = 0) {
    if (timeline)
        return Array.from(motion.step, step => {
            const i = Math.floor((step - timeline.firstStep) / timeline.stepsPerBucket);
            return verdicts.map(verdict => timeline.verdicts[verdict][i] ?? 0);
        });
    return Array.from({length: motion.frames - from}, (_, i) => {
        const counts = new Array(verdicts.length).fill(0), frame = from + i;
        for (const {places, state} of motion.joints)
            if (places[frame] >= 0)
                counts[verdicts.indexOf(motion.states[state[places[frame]]].verdict)]++;
        return counts;
    });
}

const units = {force: "N", torque: "N.m"};
const sizeOf = vector => Math.hypot(...vector);
const known = x => Number.isFinite(x) ? x : null;

/* The size of a joint's force over time: the maxima of buckets if the report has the joint's
 * curves, else the values of frames. */
function forceCurve(motion, joint, told, value) {
    const timeline = told?.timeline;
    if (timeline)
        return timeline[value].force.largest.map((size, i) => [clock(timeline.firstStep + i * timeline.stepsPerBucket), size]);
    const [x, y, z] = joint.wrench[values.indexOf(value)];
    return Array.from({length: motion.frames}, (_, frame) => {
        const i = joint.places[frame];
        return [motion.time[frame], i < 0 ? null : known(Math.hypot(x[i], y[i], z[i]))];
    });
}

/* The band under the timeline: verdicts above, the chosen joint's force below. An image, to which
 * the cursor is added. */
function bandOf(width, height, motion, counts, curves) {
    const canvas = element("canvas", {width, height}), half = Math.round(height * .45);
    const context = canvas.getContext("2d"), first = motion.time[0], span = motion.time[motion.frames - 1] - first || 1;
    for (let x = 0; x < width; x++) {
        const list = counts[frameAt(motion, first + (x + .5) / width * span).frame], sum = list.reduce((a, b) => a + b, 0);
        let y = 0;
        list.forEach((count, i) => {
            context.fillStyle = colour(verdicts[i]);
            context.fillRect(x, y, 1, sum ? half * count / sum : 0);
            y += sum ? half * count / sum : 0;
        });
    }
    const largest = curves.reduce((most, [, list]) => list.reduce((m, [, size]) => Math.max(m, size ?? 0), most), 0);
    for (const [name, list] of curves) {
        context.strokeStyle = colour(name);
        context.beginPath();
        let isDown = false;
        for (const [at, size] of list) {
            const [x, y] = [(at - first) / span * width, height - 2 - (size ?? 0) / (largest || 1) * (height - half - 8)];
            context[isDown && size !== null ? "lineTo" : "moveTo"](x, y);
            isDown = size !== null;
        }
        context.stroke();
    }
    context.fillStyle = colour("ink");
    context.font = "11px system-ui, sans-serif";
    if (largest)
        context.fillText(`${number(largest)} N`, 4, half + 12);
    return canvas;
}

const barWords = bar => Number.isFinite(bar) ? ` \u00b1 ${number(bar, 2)}` : "";

/* The text on a joint in a frame: verdict, and values with bars. */
function jointDetails(found) {
    const {state, error} = found, open = [state.undetermined & 7 && "force", state.undetermined >> 3 && "torque"].filter(Boolean);
    const row = value => ["force", "torque"].map(quantity => {
        const vector = quantity === "force" ? found[value].force : withoutRounding(found[value]);
        return element("span", null, `${number(known(sizeOf(vector)))}${barWords(found.bar[value]?.[quantity])} `,
            element("span", {class: "hint"}, vectorWords(vector.map(known))));
    });
    const errors = ["converged", "physical"].filter(value => known(error[value]) !== null).map(value => `Off ${value} by ${offWords(error[value], found.errorBar, value)}.`);
    return [element("p", null, swatch(state.verdict), element("strong", null, verdictWords[state.verdict]), `: ${[verdictMeanings[state.verdict] + ".", ...errors].join(" ")}`),
    table(["", "force, N", "torque, N.m"], values.map(value => [element("span", null, swatch(value), value), ...row(value)])),
    state.reasons.length ? element("ul", {class: "reasons"}, ...state.reasons.map(reason => element("li", null, element("code", null, reason), ": " +
        (reasonMeanings[reason] ?? "see docs/questions.md")))) : null,
    open.length ? element("p", null, `Mechanics leaves a part of its ${open.join(" and ")} open: the pale physical arrow is one of many solutions.`) : null];
}

/* Resolves after the next picture of the page. */
const painted = () => new Promise(resolve => requestAnimationFrame(() => setTimeout(resolve)));

/* select(i): shows the report's joint i below. The section's function go(i, time) moves the scene
 * to joint i, unless i is null, and to this time; time null: to the joint's worst moment. */
function playerSection(world, select) {
    const place = element("div", {class: "stage", tabindex: 0, role: "group", "aria-label": "The run in motion. " + playerHint});
    const made = section("The run in motion", element("div", {class: "run"}, place)), wait = element("p", {class: "hint"}, "The run is being unpacked.");
    place.append(wait);
    const motionOf = () => isLive ? firstMotion(world, made, wait) : unpackMotion(JSON.parse(packedMotionOf(world).textContent));
    made.ready = painted().then(() => Promise.all([motionOf(), loadThree()])).then(([motion]) => {
        wait.remove();
        if (made.isConnected)
            made.player = play(made, place, world, motion, select);
        if (made.player && isLive)
            goLive(made.player, made);
    }).catch(error => {
        wait.textContent = `The run cannot be shown: ${error.message}.`;
    });
    made.go = (i, time) => made.player && goTo(made.player, i, time);
    made.end = () => made.player?.end();
    return made;
}

/* Checkboxes of the values and objects that the scene shows. */
function toggles(shown, change) {
    const words = {...Object.fromEntries(values.map(value => [value, value])), contact: "contacts", torques: "torques", alone: "chosen alone"};
    return element("div", {class: "legend toggles"}, ...Object.entries(words).map(([key, word]) => {
        const box = element("input", {type: "checkbox", "aria-label": "show " + word});
        box.checked = shown[key];
        box.addEventListener("change", () => {
            shown[key] = box.checked;
            change();
        });
        return element("label", {title: valueMeanings[key] ?? ""}, box, acting.includes(key) ? swatch(key) : "", word);
    }));
}

/* --- The state of a player, and its changes --- */

const indexOf = (p, joint) => p.told.get(joint) ?? -1;
const toldOf = (p, joint) => p.world.joints[indexOf(p, joint)];
const hereIn = p => frameAt(p.motion, p.time);

function redraw(p) {
    if (!p.asked)
        requestAnimationFrame(now => draw(p, now));
    p.asked = true;
}

function run(p, isOn) {
    if (p.live)
        follow(p, false);
    p.isPlaying = isOn;
    if (isOn && p.time >= p.last)
        p.time = p.first;
    p.before = performance.now();
    for (const words of ["textContent", "title", "ariaLabel"])
        p.parts.play[words] = isOn ? "pause" : "play";
    redraw(p);
}

function seek(p, to, moment = null) {
    p.time = Math.max(p.first, Math.min(p.last, to));
    p.worst = moment;
    redraw(p);
}

function step(p, by) {
    run(p, false);
    seek(p, p.motion.time[Math.max(0, Math.min(p.motion.frames - 1, hereIn(p).frame + by))]);
}

function toEvent(p, by) {
    const {frame} = hereIn(p), events = eventsOf(p.motion, p.chosen);
    const next = by > 0 ? events.find(one => one.frame > frame) : events.reverse().find(one => one.frame < frame);
    p.parts.status.textContent = next ? `${number(p.motion.time[next.frame], 5)} s: ${next.words}.` : "No event there.";
    run(p, false);
    if (next)
        seek(p, p.motion.time[next.frame]);
}

/* Force curves of the chosen joint. In a live run they come from frames, since the report is
 * older. */
const curvesOf = p => p.chosen?.joint
    ? ["engine", "physical"].map(value => [value, forceCurve(p.motion, p.chosen.joint, p.live ? null : toldOf(p, p.chosen.joint), value)]) : [];

/* Chooses {joint} or {body}; null: nothing. */
function choose(p, what) {
    const {motion, parts} = p;
    p.chosen = what;
    p.still = null;
    p.curves = curvesOf(p);
    parts.who.value = what?.joint ? "j" + motion.joints.indexOf(what.joint) : what?.body ? "b" + motion.bodies.indexOf(what.body) : "";
    parts.details.replaceChildren();
    parts.status.textContent = "";
    redraw(p);
}

/* Moves to a moment between frames, and shows the joint's wrenches at that moment. */
function toMoment(p, joint, moment, error, words) {
    const wrenches = Object.fromEntries(values.map(value => [value, {force: moment[value].force.map(x => x ?? NaN), torque: moment[value].torque.map(x => x ?? NaN)}]));
    Object.assign(wrenches, {error: {converged: NaN, physical: NaN, [references[0]]: error ? error.value : NaN}, errorBar: error ? error.bar : NaN, bar: {}});
    p.parts.status.textContent = words;
    run(p, false);
    seek(p, moment.time, {joint, wrenches, step: moment.step});
}

function toWorstOf(p, joint) {
    const moment = toldOf(p, joint)?.[headline].worst;
    if (moment)
        toMoment(p, joint, moment, moment, `The worst moment of ${joint.label}: ${percent(moment.value)} off at ${number(moment.time, 5)} s.`);
}

/* The physical force, or the torque of a joint without a force. */
const peakOf = told => told?.peak.force?.value > 0 ? {quantity: "force", ...told.peak.force} : told?.peak.torque ? {quantity: "torque", ...told.peak.torque} : null;

function toLoadOf(p, joint) {
    const peak = peakOf(toldOf(p, joint));
    if (peak?.physical)
        toMoment(p, joint, peak, null, `The largest load of ${joint.label}: ${number(peak.value)} ${units[peak.quantity]} at ${number(peak.time, 5)} s.`);
}

/* Goes to a moment of the chosen joint; without one, chooses the joint with the largest measure. */
function toLargest(p, measure, go) {
    const size = joint => measure(toldOf(p, joint)) ?? -1;
    const joint = p.chosen?.joint ?? p.motion.joints.reduce((best, one) => !best || size(one) > size(best) ? one : best, null);
    if (joint && p.chosen?.joint !== joint)
        choose(p, {joint});
    if (joint)
        go(p, joint);
}

const toWorst = p => toLargest(p, told => told?.[headline].worst && told[headline].worst.value * told[headline].worst.load, toWorstOf);
const toLoad = p => toLargest(p, told => told?.peak.force?.value, toLoadOf);

/* i: index of the report's joint, or null. time null: the joint's worst moment. */
function goTo(p, i, time) {
    const joint = i === null ? null : p.motion.joints.find(one => indexOf(p, one) === i);
    if (joint && p.chosen?.joint !== joint)
        choose(p, {joint});
    run(p, false);
    if (time !== null)
        seek(p, time);
    else if (joint)
        toWorstOf(p, joint);
}

/* --- Display --- */

/* Does the camera follow? The reader's choice decides, or else the length of the way in the run. */
const isFollowing = p => p.follows ?? isTravelling(p.scene);

function draw(p, now) {
    const {motion, parts, shown} = p, steps = Math.max(0, Math.min(.25, (now - p.before) / 1000));
    p.asked = false;
    if (p.isEnded)
        return;
    if (p.live?.isFollowed) {
        // new frames come in turns, and appear bit by bit
        p.time += (p.last - p.time) * (1 - Math.exp(-5 * steps));
        p.worst = null;
        p.before = now;
        if (p.last - p.time > 1e-6)
            redraw(p);
    } else if (p.isPlaying) {
        p.time = Math.min(p.last, p.time + p.speed * steps);
        p.worst = null;
        p.before = now;
        if (p.time >= p.last)
            run(p, false);
        else
            redraw(p);
    }
    const here = hereIn(p);
    parts.key.classList.toggle("withoutTorque", !shown.torques);
    drawScene(p.scene, here, {chosen: p.chosen, shown, worst: p.worst, follow: isFollowing(p)});
    parts.following.checked = isFollowing(p);
    parts.scrub.value = here.frame;
    parts.at.textContent = `${number(p.time, 6)} s, step ${p.worst ? p.worst.step : motion.step[here.frame]}`;
    drawBand(p);
    if (!(p.isPlaying || p.live?.isFollowed) || now - p.toldAt > 200) {
        p.toldAt = now;
        tell(p, here);
    }
}

function drawBand(p) {
    const {band} = p.parts, [width, height] = [Math.max(1, band.clientWidth), Math.max(1, band.clientHeight)];
    if (p.still?.width !== width || p.still.height !== height)
        p.still = bandOf(band.width = width, band.height = height, p.motion, p.counts, p.curves);
    const context = band.getContext("2d");
    context.clearRect(0, 0, width, height);
    context.drawImage(p.still, 0, 0);
    context.fillStyle = colour("ink");
    context.fillRect(Math.round((p.time - p.first) / (p.last - p.first || 1) * (width - 2)), 0, 2, height);
}

function button(word, label, act) {
    const one = element("button", {type: "button", "aria-label": label, title: label}, word);
    one.addEventListener("click", act);
    return one;
}

function jointParts(p, joint) {
    const found = p.scene.joints.find(one => one.joint === joint), i = indexOf(p, joint);
    return [element("h3", null, joint.label),
        element("p", {class: "hint"}, `${joint.type}, on ${joint.bodies.map(body => body ? `body ${body}` : "the world").join(" and ")}`),
        i >= 0 ? button("charts", "show its charts", () => p.select(i)) : null,
        p.worst?.joint === joint ? element("p", {class: "hint"}, "Forces and error are of step " +
            `${p.worst.step}, without bars; the verdict is of the frame before it.`) : null,
        ...found ? jointDetails(found.at) : [element("p", null, "It is not there at this time.")]];
}

function bodyParts(p, body, here) {
    const pose = poseAt(body, here), joints = p.motion.joints.filter(joint => joint.bodies.includes(body.number));
    return [element("h3", null, `body ${body.number}`), element("p", null, pose ? `At ${vectorWords(pose.place)} m.` : "It is not there at this time."),
        element("p", null, joints.length ? "Joints: " : "It has no joints.",
            ...joints.map(joint => button(joint.label, "choose " + joint.label, () => choose(p, {joint}))))];
}

/* Writes about the chosen object. A text with the focus stays while the run plays. */
function tell(p, here) {
    const {chosen, parts: {details}} = p;
    if (details.contains(document.activeElement) && details !== document.activeElement && p.isPlaying)
        return;
    const parts = chosen?.joint ? jointParts(p, chosen.joint) : chosen?.body ? bodyParts(p, chosen.body, here)
        : [element("p", {class: "hint"}, "Click a joint or a body to see its values here.")];
    details.replaceChildren(...parts.filter(Boolean));
}

/* --- Parts --- */

const option = (value, words) => element("option", {value}, words);
const choicesOf = motion => [option("", "choose a joint or a body"), ...motion.joints.map((joint, i) => option("j" + i, joint.label)),
    ...motion.bodies.map((body, i) => option("b" + i, `body ${body.number}`))];

function makeParts(p) {
    const {motion} = p;
    const parts = {
        scrub: element("input", {type: "range", min: 0, max: motion.frames - 1, step: 1, "aria-label": "frame of the run"}),
        band: element("canvas", {class: "band", "aria-hidden": "true"}), at: element("span", {class: "moment"}), tip: element("div", {class: "tip", hidden: ""}),
        status: element("p", {class: "hint status", role: "status"}),
        details: element("div", {class: "details", tabindex: 0, role: "group", "aria-label": "the chosen joint or body"}),
        play: button("play", "play", () => run(p, !p.isPlaying)), following: element("input", {type: "checkbox", "aria-label": "follow"}),
        pace: element("select", {"aria-label": "speed"}, ...[.1, .25, .5, 1, 2, 4].map(x => option(x, `\u00d7 ${x}`))),
        who: element("select", {"aria-label": "joint or body"}),
    };
    parts.pace.value = 1;
    parts.who.append(...choicesOf(motion));
    return parts;
}

/* The key of the scale: an arrow and a ring of the size that they have in the scene. */
function keyOf({scale, room}) {
    const key = element("div", {class: "key"}, ...Object.keys(units).filter(quantity => scale[quantity] > 0).map(quantity =>
        element("span", {class: quantity}, element("i"), `${number(scale[quantity])} ${units[quantity]}`)));
    key.style.setProperty("--long", `${arrowLength * room}px`);
    key.style.setProperty("--wide", `${2 * ringRadius * room}px`);
    return key;
}

function layOutParts(p, made) {
    const {place, parts} = p;
    parts.key = keyOf(p.scene);
    place.append(parts.key, parts.tip);
    place.parentNode.append(parts.details);
    made.append(element("div", {class: "controls"}, button("\u2039 step", "step back", () => step(p, -1)), parts.play, button("step \u203a", "step on", () => step(p, 1)),
        parts.pace, parts.at, button("worst moment", "go to the worst moment", () => toWorst(p)),
        button("largest load", "go to the largest load", () => toLoad(p)), button("\u2039 event", "to the event before", () => toEvent(p, -1)),
        button("event \u203a", "to the next event", () => toEvent(p, 1)), element("label", null, parts.following, "follow"), parts.who),
    parts.scrub, parts.band, parts.status, toggles(p.shown, () => redraw(p)), element("p", {class: "hint"}, playerHint));
}

function listen(p) {
    const {motion, parts} = p;
    parts.scrub.addEventListener("input", () => {
        run(p, false);
        seek(p, motion.time[parts.scrub.value]);
    });
    parts.band.addEventListener("pointerdown", event => {
        run(p, false);
        seek(p, p.first + event.offsetX / parts.band.clientWidth * (p.last - p.first));
    });
    parts.pace.addEventListener("change", () => {
        p.speed = Number(parts.pace.value);
    });
    parts.who.addEventListener("change", () => {
        const kind = parts.who.value[0], i = Number(parts.who.value.slice(1));
        choose(p, kind === "j" ? {joint: motion.joints[i]} : kind === "b" ? {body: motion.bodies[i]} : null);
    });
    parts.following.addEventListener("change", () => {
        p.follows = parts.following.checked;
        // at once: a key before the next frame refers to the present camera
        draw(p, performance.now());
    });
}

function listenToScene(p) {
    const {place, parts: {tip, following}} = p;
    const keys = {" ": () => run(p, !p.isPlaying), ",": () => step(p, -1), ".": () => step(p, 1), "[": () => toEvent(p, -1), "]": () => toEvent(p, 1),
        w: () => toWorst(p), l: () => toLoad(p), f: () => following.click()};
    place.addEventListener("keydown", event => {
        if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        keys[event.key]();
    });
    place.addEventListener("pointermove", event => {
        const box = place.getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
        const under = event.buttons || event.pointerType === "touch" ? null : pick(p.scene, x, y);
        tip.hidden = !under;
        tip.textContent = under?.joint ? under.joint.label : under ? `body ${under.body.number}` : "";
        tip.style.left = `${Math.min(x + 12, place.clientWidth - 160)}px`;
        tip.style.top = `${y + 14}px`;
    });
    place.addEventListener("pointerleave", () => {
        tip.hidden = true;
    });
}

/* Adapts the scene to the size of its element and to the colours of the page, until the player
 * ends. */
function adapt(p) {
    const dark = matchMedia("(prefers-color-scheme: dark)"), recolour = () => {
        p.still = null;
        repaintScene(p.scene);
        redraw(p);
    };
    const watch = new ResizeObserver(() => {
        fitScene(p.scene);
        redraw(p);
    });
    watch.observe(p.place);
    dark.addEventListener("change", recolour);
    p.end = () => {
        watch.disconnect();
        dark.removeEventListener("change", recolour);
        p.isEnded = true;
        endScene(p.scene);
    };
}

/* Maps each joint of the motion to the index of the report's joint; -1: none. */
const toldIn = (world, motion) => new Map(motion.joints.map(joint => [joint, world.joints.findIndex(one => one.name === joint.name)]));

/* null: the browser cannot draw scenes; the page says so. */
function play(made, place, world, motion, select) {
    const p = {
        place, world, motion, select, shown: {engine: true, converged: false, physical: true, contact: true, torques: false, alone: false},
        counts: verdictCounts(motion, isLive ? null : world.timeline), told: toldIn(world, motion),
        first: motion.time[0], last: motion.time[motion.frames - 1], time: motion.time[0], speed: 1, before: 0, toldAt: 0, curves: [], still: null,
        chosen: null, worst: null, isPlaying: false, follows: null, asked: false, isEnded: false, live: null,
    };
    p.scene = stage(place, motion, what => choose(p, what), () => redraw(p));
    if (!p.scene) {
        place.append(element("p", {class: "hint"}, "This browser does not draw scenes (WebGL): the run is not shown."));
        return null;
    }
    p.parts = makeParts(p);
    layOutParts(p, made);
    listen(p);
    listenToScene(p);
    adapt(p);
    redraw(p);
    return p;
}

/* player.js  The run in motion: a scene on a timeline, what is chosen in it, and the ways there. */
"use strict";

const playerHint = "Click a joint or a body. Drag turns, Shift and drag shifts, the wheel zooms once the scene has the focus, two fingers do both. Keys: " +
    "space plays, , and . step, [ and ] go from event to event, w to the worst moment, f follows, arrows turn, + \u2212 zoom, 0 all.";

/* What happened when: joints and bodies that come and go, and verdicts of the chosen joint that change. */
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

/* Of each frame how many joints and contacts have which verdict; where the report does not tell the course of this world, joints alone. */
function verdictCounts(motion, {timeline}) {
    if (timeline)
        return Array.from(motion.step, step => {
            const i = Math.floor((step - timeline.firstStep) / timeline.stepsPerBucket);
            return verdicts.map(verdict => timeline.verdicts[verdict][i] ?? 0);
        });
    return Array.from({length: motion.frames}, (_, frame) => {
        const counts = new Array(verdicts.length).fill(0);
        for (const {places, state} of motion.joints)
            if (places[frame] >= 0)
                counts[verdicts.indexOf(motion.states[state[places[frame]]].verdict)]++;
        return counts;
    });
}

const sizeOf = vector => Math.hypot(...vector);
const known = x => Number.isFinite(x) ? x : null;

/* The sizes of a joint's force over time: with its largest ones where the report has its curves, else by frames. */
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

/* The band under the timeline: verdicts above, the chosen joint's force below. A picture of it, to which the cursor is added. */
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

/* What is told of a joint in a frame: its verdict in words, numbers with bars. */
function jointDetails(found) {
    const {state, error} = found, open = [state.undetermined & 7 && "force", state.undetermined >> 3 && "torque"].filter(Boolean);
    const row = value => ["force", "torque"].map(quantity => {
        const vector = quantity === "force" ? found[value].force : withoutRounding(found[value]);
        return element("span", null, `${number(known(sizeOf(vector)))}${barWords(found.bar[value]?.[quantity])} `,
            element("span", {class: "hint"}, vectorWords(vector.map(known))));
    });
    return [element("p", null, swatch(state.verdict), element("strong", null, verdictWords[state.verdict]), `: ${verdictMeanings[state.verdict]}. ` +
        ["converged", "physical"].filter(value => known(error[value]) !== null).map(value => `Off by ${percent(error[value])}${known(found.errorBar) ? ` \u00b1 ${percent(found.errorBar)}` : ""} of ${value}. `).join("")),
    table(["", "force, N", "torque, N.m"], values.map(value => [element("span", null, swatch(value), value), ...row(value)])),
    state.reasons.length ? element("ul", {class: "reasons"}, ...state.reasons.map(reason => element("li", null, element("code", null, reason), ": " +
        (reasonMeanings[reason] ?? "see docs/questions.md")))) : null,
    open.length ? element("p", null, `Mechanics leaves a part of its ${open.join(" and ")} open: the physical one that is drawn, pale, is one of many.`) : null];
}

/* select(i): the report's joint i is to be shown below. Its function go(i, time) takes the scene to a joint, or to null, and to a time, or to
 * the joint's worst moment. */
function playerSection(world, select) {
    const place = element("div", {class: "stage", tabindex: 0, role: "group", "aria-label": "The run in motion. " + playerHint});
    const made = section("The run in motion", element("div", {class: "run"}, place)), wait = element("p", {class: "hint"}, "The run is being unpacked.");
    place.append(wait);
    made.ready = Promise.all([motionOf(world), loadThree()]).then(([motion]) => {
        wait.remove();
        if (made.isConnected)
            made.player = play(made, place, world, motion, select);
    }).catch(error => {
        wait.textContent = `The run cannot be shown: ${error.message}.`;
    });
    made.go = (i, time) => made.player?.go(i, time);
    made.end = () => made.player?.end();
    return made;
}

/* Buttons that are on or off. */
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

function play(made, place, world, motion, select) {
    const shown = {engine: true, converged: false, physical: true, contact: true, torques: false, alone: false}, counts = verdictCounts(motion, world);
    const told = new Map(motion.joints.map(joint => [joint, world.joints.findIndex(one => one.name === joint.name)]));
    const first = motion.time[0], last = motion.time[motion.frames - 1];
    let time = first, chosen = null, speed = 1, isPlaying = false, follows = false, worst = null, asked = false, before = 0, curves = [], still = null;
    const redraw = () => {
        if (!asked)
            requestAnimationFrame(draw);
        asked = true;
    };
    const scene = stage(place, motion, what => choose(what), redraw);
    if (!scene) {
        place.append(element("p", {class: "hint"}, "This browser does not draw scenes (WebGL): the run is not shown."));
        return null;
    }
    const button = (word, label, act) => {
        const one = element("button", {type: "button", "aria-label": label, title: label}, word);
        one.addEventListener("click", act);
        return one;
    };
    const scrub = element("input", {type: "range", min: 0, max: motion.frames - 1, step: 1, "aria-label": "frame of the run"});
    const band = element("canvas", {class: "band", "aria-hidden": "true"}), at = element("span", {class: "moment"}), tip = element("div", {class: "tip", hidden: ""});
    const status = element("p", {class: "hint status", role: "status"}), details = element("div", {class: "details", tabindex: 0, role: "group", "aria-label": "what is chosen"});
    const play = button("play", "play", () => run(!isPlaying));
    const pace = element("select", {"aria-label": "speed"}, ...[.1, .25, .5, 1, 2, 4].map(x => element("option", {value: x, ...(x === 1 && {selected: ""})}, `\u00d7 ${x}`)));
    const who = element("select", {"aria-label": "joint or body"}, element("option", {value: ""}, "choose a joint or a body"),
        ...motion.joints.map((joint, i) => element("option", {value: "j" + i}, joint.label)),
        ...motion.bodies.map((body, i) => element("option", {value: "b" + i}, `body ${body.number}`)));
    const following = element("input", {type: "checkbox", "aria-label": "follow"});
    const unit = {force: "N", torque: "N.m"};
    const key = element("div", {class: "key"}, ...["force", "torque"].filter(quantity => scene.scale[quantity] > 0).map(quantity =>
        element("span", {class: quantity}, element("i"), `${number(scene.scale[quantity])} ${unit[quantity]}`)));
    key.style.setProperty("--long", `${scene.drawn.force}px`);
    key.style.setProperty("--wide", `${scene.drawn.torque}px`);
    place.append(key, tip);
    place.parentNode.append(details);
    made.append(element("div", {class: "controls"}, button("\u2039 step", "step back", () => step(-1)), play, button("step \u203a", "step on", () => step(1)), pace, at,
        button("worst moment", "go to the worst moment", toWorst), button("\u2039 event", "to the event before", () => toEvent(-1)),
        button("event \u203a", "to the next event", () => toEvent(1)), element("label", null, following, "follow"), who),
    scrub, band, status, toggles(shown, redraw), element("p", {class: "hint"}, playerHint));

    function draw(now) {
        asked = false;
        if (isPlaying) {
            time = Math.min(last, time + speed * Math.max(0, Math.min(.25, (now - before) / 1000)));
            worst = null;
            before = now;
            if (time >= last)
                run(false);
            else
                redraw();
        }
        const here = frameAt(motion, time);
        key.classList.toggle("withoutTorque", !shown.torques);
        scene.show(here, {chosen, shown, worst, follow: follows});
        scrub.value = here.frame;
        at.textContent = `${number(time, 6)} s, step ${worst ? worst.step : motion.step[here.frame]}`;
        drawBand();
        if (!isPlaying || now - (draw.told ?? 0) > 200) {
            draw.told = now;
            tell(here);
        }
    }

    function drawBand() {
        const [width, height] = [Math.max(1, band.clientWidth), Math.max(1, band.clientHeight)];
        if (still?.width !== width || still.height !== height)
            still = bandOf(band.width = width, band.height = height, motion, counts, curves);
        const context = band.getContext("2d");
        context.clearRect(0, 0, width, height);
        context.drawImage(still, 0, 0);
        context.fillStyle = colour("ink");
        context.fillRect(Math.round((time - first) / (last - first || 1) * (width - 2)), 0, 2, height);
    }

    function tell(here) {
        const parts = chosen ? [] : [element("p", {class: "hint"}, "Click a joint or a body: what is known of it stands here.")], found = chosen?.joint ? scene.jointsNow().find(one => one.joint === chosen.joint) : null;
        if (chosen?.joint) {
            const i = told.get(chosen.joint);
            parts.push(element("h3", null, chosen.joint.label), element("p", {class: "hint"}, `${chosen.joint.type}, on ` +
                `${chosen.joint.bodies.map(body => body ? `body ${body}` : "the world").join(" and ")}`),
            i >= 0 ? button("charts", "show its charts", () => select(i)) : null,
            worst?.joint === chosen.joint ? element("p", {class: "hint"}, `Forces, whose bars are not kept, and the error are those of step ${worst.step}; the verdict is that of the frame before it.`) : null,
            ...found ? jointDetails(found.at) : [element("p", null, "It is not there at this time.")]);
        } else if (chosen?.body) {
            const pose = poseAt(chosen.body, here);
            parts.push(element("h3", null, `body ${chosen.body.number}`), element("p", null, pose ? `At ${vectorWords(pose.place)} m.` : "It is not there at this time."),
                element("p", null, "Joints: ", ...motion.joints.filter(joint => joint.bodies.includes(chosen.body.number))
                    .map(joint => button(joint.label, "choose " + joint.label, () => choose({joint})))));
        }
        // what has the focus stays
        if (!details.contains(document.activeElement) || details.dataset.of !== (chosen?.joint ?? chosen?.body)?.label)
            details.replaceChildren(...parts.filter(Boolean));
    }

    function run(isOn) {
        isPlaying = isOn;
        if (isOn && time >= last)
            time = first;
        before = performance.now();
        for (const words of ["textContent", "title", "ariaLabel"])
            play[words] = isOn ? "pause" : "play";
        redraw();
    }

    function seek(to, moment = null) {
        time = Math.max(first, Math.min(last, to));
        worst = moment;
        redraw();
    }

    function step(by) {
        run(false);
        seek(motion.time[Math.max(0, Math.min(motion.frames - 1, frameAt(motion, time).frame + by))]);
    }

    function toEvent(by) {
        const here = frameAt(motion, time).frame, events = eventsOf(motion, chosen);
        const next = by > 0 ? events.find(one => one.frame > here) : events.reverse().find(one => one.frame < here);
        status.textContent = next ? `${number(motion.time[next.frame], 5)} s: ${next.words}.` : "No event there.";
        run(false);
        if (next)
            seek(motion.time[next.frame]);
    }

    function choose(what) {
        chosen = what;
        who.value = what?.joint ? "j" + motion.joints.indexOf(what.joint) : what?.body ? "b" + motion.bodies.indexOf(what.body) : "";
        curves = what?.joint ? ["engine", "physical"].map(value => [value, forceCurve(motion, what.joint, world.joints[told.get(what.joint)], value)]) : [];
        still = null;
        details.replaceChildren();
        status.textContent = "";
        redraw();
    }

    /* The joint's own wrenches of that moment, which lies between frames. */
    function toWorstOf(joint) {
        const moment = world.joints[told.get(joint)]?.error.worst;
        if (!moment)
            return;
        const wrenches = Object.fromEntries(values.map(value => [value, {force: moment[value].force.map(x => x ?? NaN), torque: moment[value].torque.map(x => x ?? NaN)}]));
        Object.assign(wrenches, {error: {converged: moment.value, physical: NaN}, errorBar: moment.bar, bar: {}});
        status.textContent = `The worst moment of ${joint.label}: ${percent(moment.value)} off at ${number(moment.time, 5)} s.`;
        run(false);
        seek(moment.time, {joint, wrenches, step: moment.step});
    }

    function toWorst() {
        const error = joint => world.joints[told.get(joint)]?.error.worst?.value ?? -1;
        const joint = chosen?.joint ?? motion.joints.reduce((best, one) => !best || error(one) > error(best) ? one : best, null);
        if (joint && chosen?.joint !== joint)
            choose({joint});
        if (joint)
            toWorstOf(joint);
    }

    function go(i, to) {
        const joint = i === null ? null : motion.joints.find(one => told.get(one) === i);
        if (joint && chosen?.joint !== joint)
            choose({joint});
        run(false);
        if (to !== null)
            seek(to);
        else if (joint)
            toWorstOf(joint);
    }

    const keys = {" ": () => run(!isPlaying), ",": () => step(-1), ".": () => step(1), "[": () => toEvent(-1), "]": () => toEvent(1), w: toWorst,
        f: () => following.click()};
    place.addEventListener("keydown", event => {
        if (!keys[event.key] || event.ctrlKey || event.altKey || event.metaKey)
            return;
        event.preventDefault();
        keys[event.key]();
    });
    place.addEventListener("pointermove", event => {
        const box = place.getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
        const under = event.buttons || event.pointerType === "touch" ? null : scene.pick(x, y);
        tip.hidden = !under;
        tip.textContent = under?.joint ? under.joint.label : under ? `body ${under.body.number}` : "";
        tip.style.left = `${Math.min(x + 12, place.clientWidth - 160)}px`;
        tip.style.top = `${y + 14}px`;
    });
    place.addEventListener("pointerleave", () => {
        tip.hidden = true;
    });
    scrub.addEventListener("input", () => {
        run(false);
        seek(motion.time[scrub.value]);
    });
    band.addEventListener("pointerdown", event => {
        run(false);
        seek(first + event.offsetX / band.clientWidth * (last - first));
    });
    pace.addEventListener("change", () => {
        speed = Number(pace.value);
    });
    who.addEventListener("change", () => choose(who.value ? who.value[0] === "j" ? {joint: motion.joints[who.value.slice(1)]}
        : {body: motion.bodies[who.value.slice(1)]} : null));
    following.addEventListener("change", () => {
        follows = following.checked;
        redraw();
    });
    const fit = () => {
        scene.fit();
        redraw();
    };
    const watch = new ResizeObserver(fit), dark = matchMedia("(prefers-color-scheme: dark)"), repaint = () => {
        scene.repaint();
        still = null;
        redraw();
    };
    watch.observe(place);
    dark.addEventListener("change", repaint);
    redraw();
    const end = () => {
        watch.disconnect();
        dark.removeEventListener("change", repaint);
        isPlaying = false;
        scene.end();
    };
    return {go, end, scene, choose, motion, state: () => ({time, chosen: chosen?.joint?.label ?? chosen?.body?.number ?? null, isPlaying, follows, worst})};
}

/* live.js  A page that requests updates during its run: plugin/view/server.h has the requests. */
"use strict";

const isLive = document.documentElement.dataset.live !== undefined;
let isGoingOn = isLive;

/* Time between two requests, ms: for frames, and for the report. */
const frameInterval = 200, reportInterval = 2000;

const later = time => new Promise(resolve => setTimeout(resolve, time));

/* Repeats a request that gets no answer. */
async function ask(path, tries = 5) {
    const answer = await fetch(path).catch(error => {
        if (tries <= 1)
            throw error;
    });
    if (!answer) {
        await later(frameInterval);
        return ask(path, tries - 1);
    }
    if (!answer.ok)
        throw new Error((await answer.text()).trim());
    return answer;
}

const wish = words => fetch("wish?" + words, {method: "POST"}).catch(() => null);

const askForMotion = async (world, from) => (await ask(`motion?world=${encodeURIComponent(world.name)}&from=${from}`)).json();

/* Waits for the first frames of the world. */
async function firstMotion(world, made, wait) {
    for (;;) {
        const {motion, state} = await askForMotion(world, 0);
        if (motion)
            return unpackMotion(motion);
        wait.textContent = state.isOver ? "The run is over, and no frame of it was seen." : "The run has not begun.";
        await later(frameInterval);
        if (!made.isConnected || state.isOver)
            throw new Error("there is no frame");
    }
}

/* Does the scene stay at the newest frame? */
function follow(p, isOn) {
    p.live.isFollowed = isOn;
    p.live.parts.follow.checked = isOn;
    p.before = performance.now();
    if (isOn)
        redraw(p);
}

function growPlayer(p, more) {
    const {motion, parts, counts} = p, isNew = growMotion(motion, more), who = parts.who.value;
    p.last = motion.time[motion.frames - 1];
    counts.push(...verdictCounts(motion, null, counts.length));
    p.curves = curvesOf(p);
    p.still = null;
    parts.scrub.max = motion.frames - 1;
    if (isNew) {
        parts.who.replaceChildren(...choicesOf(motion));
        parts.who.value = who;
        p.told = toldIn(p.world, motion);
    }
    growScene(p.scene, isNew);
    p.before = p.asked ? p.before : performance.now();
    parts.key.replaceWith(parts.key = keyOf(p.scene));
    redraw(p);
}

/* --- The report below --- */

/* Does somebody use the report below? It must not change then. */
function isInUse(p) {
    const {activeElement} = document, main = document.querySelector("main");
    const isBelow = main.contains(activeElement) && !p.made.contains(activeElement);
    return isBelow || main.querySelector(".chart:hover, table:hover, svg:hover") !== null;
}

async function refreshReport(p) {
    report = await (await ask("report")).json();
    const world = report.worlds.find(one => one.name === p.world.name);
    if (!world)
        return;
    p.world = world;
    p.told = toldIn(world, p.motion);
    refreshWorld(world);
}

/* --- The viewer's controls --- */

function stateWords({isOver, isHeld, pace}, p) {
    const at = `${number(p.last, 6)} s, step ${p.motion.step[p.motion.frames - 1]}`;
    return isOver ? `The run is over: ${at}.` : `${isHeld ? "Held" : pace ? `Going on at ${number(pace / 1000)} of real time` : "Going on"}: ${at}.`;
}

/* The largest time between two of the last frames, s: steps do not start at frames. */
function frameTime({motion: {time}}) {
    const last = [...time.slice(-6)];
    return Math.max(...last.slice(1).map((at, i) => at - last[i]), .01);
}

function liveParts(p) {
    const parts = {
        follow: element("input", {type: "checkbox", "aria-label": "stay at the newest frame"}), words: element("span", {class: "moment", role: "status"}),
        hold: button("hold the program", "hold the program", () => wish(`hold=${p.live.state.isHeld ? 0 : 1}`)),
        one: button("one frame", "let the program go on for a frame", () => wish("hold=1").then(() => wish(`goon=${Math.ceil(1e6 * frameTime(p))}`))),
        pace: element("select", {"aria-label": "pace of the program"}, option(0, "as fast as it goes"), ...[1, .5, .25, .1, .02].map(x => option(x, `at most \u00d7 ${x}`))),
        save: element("a", {href: "run.html", download: "run.html"}, "save the run"),
    };
    parts.follow.addEventListener("change", () => follow(p, parts.follow.checked));
    parts.pace.addEventListener("change", () => wish(`pace=${1000 * parts.pace.value}`));
    return parts;
}

function showState(p, state) {
    const {parts} = p.live;
    p.live.state = state;
    parts.words.textContent = stateWords(state, p);
    for (const words of ["textContent", "title", "ariaLabel"])
        parts.hold[words] = state.isHeld ? "let the program go on" : "hold the program";
    for (const part of [parts.hold, parts.one, parts.pace])
        part.disabled = state.isOver;
}

/* Gets all data, with the file of the run: the page keeps them after the program's end. */
async function finish(p) {
    isGoingOn = false;
    p.live.file = await (await ask("run.html")).blob();
    p.live.parts.save.href = URL.createObjectURL(p.live.file);
    await refreshReport(p);
    await wish("done=1");
}

/* Updates a player until the run is over; made: the player's section. */
async function goLive(p, made) {
    p.made = made;
    p.live = {isFollowed: false, state: null, step: -1, asked: performance.now()};
    p.live.parts = liveParts(p);
    const {follow: box, words, hold, one, pace, save} = p.live.parts;
    made.querySelector("h2").after(element("div", {class: "controls"}, element("label", null, box, "live"), words, hold, one, pace, save));
    follow(p, true);
    addEventListener("pagehide", () => navigator.sendBeacon("wish?hold=0&pace=0&left=1"));
    try {
        while (!p.isEnded) {
            const {motion, state} = await askForMotion(p.world, p.motion.step[p.motion.frames - 1] + 1);
            if (motion && !p.isEnded)
                growPlayer(p, await unpackMotion(motion));
            showState(p, state);
            const step = p.motion.step[p.motion.frames - 1], now = performance.now();
            if (state.isOver)
                return await finish(p);
            if (step !== p.live.step && now - p.live.asked > reportInterval && !isInUse(p)) {
                p.live.step = step;
                p.live.asked = now;
                await refreshReport(p);
            }
            await later(frameInterval);
        }
    } catch (error) {
        p.live.parts.words.textContent = `The page gives up: ${error.message}. The frames so far stay.`;
    }
}

/* main.js  The page: a world of the report. */
"use strict";

/* The initial joint: the one with the largest load among those with curves. */
function firstShown(joints) {
    const load = joint => joint.force.physical.largest ?? joint.force.engine.largest ?? -1, hasCurves = joint => Boolean(joint.timeline);
    const isBefore = (a, b) => hasCurves(a) === hasCurves(b) ? load(a) > load(b) : hasCurves(a);
    return joints.reduce((best, joint, i) => best < 0 || isBefore(joint, joints[best]) ? i : best, -1);
}

/* The number of joints that were not judged, and the reasons in most of their steps. */
function unjudgedWords(count, joints) {
    const meaning = {...verdictMeanings, KS_INDETERMINATE: "mechanics leaves the whole force of each single joint open"};
    const why = joint => joint[headline].count ? "the limit excludes them" : meaning[mostFrequent(joint.verdicts)];
    const reasons = [...new Set(joints.filter(joint => !joint.judged).map(why))];
    return count ? ` ${plural(count, "joint")} ${count === 1 ? "was" : "were"} not judged${reasons.length ? `: ${reasons.join("; ")}` : ""}.` : "";
}

/* sums: of a world, or of all; all, joints: numbers of joints in the report, and in the page */
function banner(sums, words, all, joints) {
    const {judged, failed, untold} = sums;
    const unknown = (untold ? ` The result of ${untold} is unknown.` : "") + unjudgedWords(all - judged, joints);
    if (judged === 0)
        return element("p", {class: "verdict unjudged"}, `No joint was judged${words}.${unknown}`);
    return element("div", {class: failed ? "verdict failed" : untold ? "verdict unjudged" : "verdict"},
        element("p", null, `${failed} of ${plural(judged, "judged joint")} ${failed === 1 ? "fails" : "fail"}${words}.${unknown}`),
        element("p", {class: "hint"}, report.limit.words));
}

function facts(world) {
    const {steps} = world, used = steps.iterations.map(entry => entry.iterations).join(", ");
    const steppers = Object.entries(steps.steppers).filter(([, count]) => count > 0).map(([name]) => name).join(", ");
    const size = steps.size.least === steps.size.largest ? number(steps.size.least) : `${number(steps.size.least)} to ${number(steps.size.largest)}`;
    const run = steps.inspected ? `, from ${number(steps.begin)} to ${number(steps.end)} s, of ${size} s: ${steppers}` : "";
    return element("p", {class: "facts"}, `${plural(steps.seen, "step")}, ${steps.inspected} inspected${run}` +
        `${steps.steppers.dWorldQuickStep && used ? `, iterations ${used}` : ""}; ERP ${number(world.erp)}, CFM ${number(world.cfm)}. ` +
        `Reactions of joints: ${countWords(world.verdicts, verdictWords)}.` +
        (world.massRatio && world.massRatio.largest > 1 ? ` Largest mass ratio ${number(world.massRatio.largest, 3)}, at ${world.massRatio.joint}.` : ""));
}

/* The causes of the world's kinetic energy. */
function energyFacts({begin, end, by}) {
    const words = {joints: "joints", host: "host forces", rest: "integration and callbacks", set: "set by the host", notInspected: "steps that were not inspected"};
    const given = Object.values(by).reduce((sum, work) => sum + Math.max(work, 0), 0);
    // less is rounding
    const causes = Object.entries(by).filter(([, work]) => Math.abs(work) > 1e-6 * given).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
    return causes.length === 0 ? null : element("p", {class: "facts"}, `Kinetic energy from ${number(begin)} to ${number(end)} J, by ` +
        causes.map(([cause, work]) => `${words[cause] ?? cause} ${work > 0 ? "+" : ""}${number(work)}`).join(", ") + ".");
}

/* The run and its end. */
function runBanner(run) {
    const call = [run.program, ...run.arguments].join(" ");
    const begun = run.date ? `: begun ${run.date}${run.engine ? `, engine ${run.engine}` : ""}` : "";
    const parameters = Object.entries(run.parameters).map(([name, value]) => `${name}=${value}`).join(", ");
    return element("div", null,
        element("p", {class: "facts"}, `${call}${parameters && `, with ${parameters}`}${begun}${run.good || run.end === "exit status 0" ? `, ${run.end}` : ""}.`),
        run.good || run.end === "exit status 0" || !run.date || isGoingOn ? null : element("p", {class: "verdict failed", role: "alert"}, `The run: ${run.end}.`),
        ...run.notes.map(note => element("p", {class: "verdict failed"}, note)));
}

/* Checks besides errors, and suppressed findings. */
function checkSections() {
    const titles = {baseline: "Against the baseline", loads: "Largest loads"};
    const checks = Object.keys(titles).filter(key => report[key]).map(key => {
        const {tests, failures, errors, cases} = report[key], missing = failures + errors - cases.length;
        return section(titles[key], element("p", {class: failures ? "verdict failed" : errors ? "verdict unjudged" : "verdict"},
            `${failures} of ${plural(tests, "check")} ${failures === 1 ? "fails" : "fail"}.${errors ? ` The result of ${errors} is unknown.` : ""}`),
        cases.length ? table(["world", "joint", "outcome"], cases.map(one => [one.world, one.joint, one.words])) : null,
        missing ? element("p", {class: "hint"}, `${plural(missing, "more case")}: not in this page; the JSON document has all.`) : null);
    });
    const suppressed = report.suppressed ? section("Suppressed findings", table(["entry", "findings"],
        report.suppressed.map(entry => [entry.name, entry.findings ? String(entry.findings) : "none: it matches nothing"]))) : null;
    return [...checks, suppressed].filter(part => part !== null);
}

function section(title, ...children) {
    return element("section", null, element("h2", null, title), ...children);
}

function adviceSection(advice) {
    return section("What to do", element("ul", null, ...advice.map(line => element("li", null, line))));
}

/* All worlds, worst first. open(i): shows world i of the page. */
function summarySections(open) {
    const {summary} = report, places = new Map(report.worlds.map((world, i) => [world.name, i]));
    const rows = summary.worstFirst.filter(name => places.has(name)).map(name => {
        const world = report.worlds[places.get(name)], button = element("button", {type: "button"}, (world.failed ? "! " : world.untold ? "? " : "") + name);
        button.addEventListener("click", () => open(places.get(name)));
        return [button, String(world.steps.inspected), String(world.jointCount), String(world.failed), percent(world.worstError),
            world.worstJoint ?? "net force on bodies in contact"];
    });
    const missing = summary.worlds - rows.length;
    return element("div", {class: "summary"},
        banner(summary, `, in ${summary.failedWorlds} of ${summary.worlds} worlds`, summary.joints, report.worlds.flatMap(world => world.joints)),
        adviceSection(summary.advice),
        section("Worlds, the worst first", table(["world", "steps", "joints", "fail", "worst error", "of joint"], rows),
            missing ? element("p", {class: "hint"}, `${plural(missing, "more world")}, none of them worse: not in this page; the JSON ` +
                "document has all.") : null));
}

function iterationsSection(world) {
    const {iterations} = world;
    if (!iterations.table.length)
        return null;
    const keys = ["median", "p95", "largest"];
    return section("Iterations of dWorldQuickStep",
        element("p", {class: "hint"}, "Sampled steps of this run, repeated in copies of the world with other numbers of iterations: " +
            "the largest error of a joint in a step. In a row: a copy makes some steps with this number, and the last ones count."),
        element("div", {class: "pair"},
            element("div", null, legend([["physical", "median"], ["converged", "95 %"], ["engine", "largest"],
                ["KS_UNEXPLAINED", "in a row, 95 %"], ["bad", "limit"]]),
            orWhy("Error by iterations", iterations.table.map(row => positive(keys.map(key => row.worstJointError[key]))),
                "No error of a joint is known in these steps.", () => iterationsChart(iterations))),
            table(["iterations", "steps", "median", "95 %", "largest", "in a row, 95 %"], iterations.table.map(row =>
                [String(row.iterations), String(row.steps), ...keys.map(key => percent(row.worstJointError[key])),
                    percent(row.inARow.p95)]))));
}

/* Shares of contact of bodies, the least first. */
function touchedWords(bodies, steps) {
    const few = [...bodies].sort((a, b) => a.steps - b.steps), most = 6, left = few.length - most;
    return few.slice(0, most).map(({body, steps: touched}) => `body ${body} in ${percent(touched / steps)}`).join(", ") +
        (left > 0 ? ` and ${left} more` : "") + " of the steps";
}

/* Shares of flicker of pairs, the largest first. */
function flickerWords(pairs, steps) {
    const many = [...pairs].sort((a, b) => b.steps - a.steps), most = 6, left = many.length - most;
    const name = body => body ? `body ${body}` : "world";
    return many.slice(0, most).map(({bodies, steps: back}) => `${name(bodies[0])} – ${name(bodies[1])} in ${percent(back / steps)}`).join(", ") +
        (left > 0 ? ` and ${left} more` : "") + " of the steps";
}

function contactsSection(world) {
    const {contacts} = world;
    if (!contacts.reactions)
        return null;
    return section("Contacts", element("p", null, `${plural(contacts.reactions, "reaction")} in ${plural(contacts.steps, "step")}: ` +
        `${countWords(contacts.verdicts, verdictWords)}.`),
    verdictLegend(contacts.verdicts),
    contacts.bodies.length ? element("p", null, `In contact: ${touchedWords(contacts.bodies, world.steps.inspected)}.`) : null,
    contacts.flicker.length ? element("p", null, `Contacts flicker: ${flickerWords(contacts.flicker, world.steps.inspected)}.`) : null,
    element("p", null, contacts.netError.count ? "Net force on bodies: distance of single steps of contacts from the mean: median " +
        `${percent(contacts.netError.median)}, 95 % ${percent(contacts.netError.p95)}, largest ${percent(contacts.netError.largest)}.`
        : "The distance of single steps of contacts from the mean is unknown."));
}

/* Forces on the first body. */
function pairsSection(world) {
    if (!world.pairs.length)
        return null;
    const name = body => body ? `body ${body}` : "world";
    const withBar = peak => peak ? `${number(peak.value)} \u00b1 ${number(peak.bar, 2)}` : "\u2013";
    return section("Pairs in contact", element("p", {class: "hint"}, "Forces on the first body, N: the mean force of the motion over a window, and " +
        "the physical force of single steps; noise: the standard deviation of the engine's single steps. Friction: the share of the largest possible one. Centre of " +
        "pressure: its distance from the mass centre across the normal. With \u00b1: the largest value with a known error bar."),
    table(["pair", "mean, median", "largest", "with bar", "physical, median", "largest", "with bar", "noise", "friction, largest", "centre, m", "physical force, steps"],
        world.pairs.map(pair => [`${name(pair.bodies[0])} \u2013 ${name(pair.bodies[1])}`, number(pair.force.mean.median), number(pair.force.mean.largest), withBar(pair.peak.mean),
            number(pair.force.physical.median), number(pair.force.physical.largest), withBar(pair.peak.physical), number(pair.force.deviation.median),
            percent(pair.frictionUse.largest), number(pair.centre.largest), countWords(pair.verdicts, verdictWords)])));
}

function bugsSection(world) {
    return world.bugs.length ? section("Faults of the engine that were met",
        table(["fault", "joint", "steps"], world.bugs.map(bug => [bug.reason, bug.joint, String(bug.steps)]))) : null;
}

/* Graph, table and panels show the same choice of joints. */
function jointsSections(world, visit) {
    const {joints} = world, panels = element("div"), shown = new Map();
    const open = i => {
        const panel = jointPanel(joints[i], world.meanWindow, () => choose(i));
        panel.addEventListener("moment", event => visit(i, event.detail));
        shown.set(i, panel);
        panels.append(panel);
        startCharts(panel);
    };
    const turn = i => {
        const isShown = !shown.has(i);
        if (isShown) {
            open(i);
        } else {
            shown.get(i).remove();
            shown.delete(i);
        }
        rows.show(i, isShown);
        picture.show(i, isShown);
    };
    // a choice by the reader, which the scene follows
    const choose = i => {
        turn(i);
        if (shown.has(i))
            visit(i, null);
    };
    const rows = jointTable(joints, choose), picture = mechanism(joints, choose);
    const sections = [
        section("Mechanism", verdictLegend(world.verdicts), element("p", {class: "hint"}, "Bodies and joints, coloured by the most frequent verdict. Dashed and ?: mechanics does not " +
                "determine all of its force. Thick and !: fails. " + mechanismHint), picture),
        section("Joints", world.jointCount > joints.length ? element("p", {class: "hint"}, `The page has the ${joints.length} worst of ` +
            `${world.jointCount} joints; the JSON document has all.`) : null, rows, panels),
    ];
    const select = i => {
        if (!shown.has(i))
            choose(i);
        shown.get(i).scrollIntoView({block: "nearest"});
    };
    // names: names of the joints that were open before
    const start = names => (names ?? [joints[firstShown(joints)]?.name]).map(name => joints.findIndex(joint => joint.name === name)).filter(i => i >= 0).forEach(turn);
    return {sections, select, start, open: () => [...shown.keys()].map(i => joints[i].name)};
}

function timelineSection(world) {
    const {timeline} = world, title = "Verdicts in the run";
    if (!timeline)
        return section(title, element("p", {class: "hint"}, "This page has the course of the worst worlds alone. The JSON document has " +
            "all."));
    const counts = verdicts.map(verdict => timeline.verdicts[verdict].map(count => count || null));
    const sums = Object.fromEntries(verdicts.map((verdict, i) => [verdict, counts[i].reduce((sum, count) => sum + count, 0)]));
    return section(title, verdictLegend(sums), orWhy("Verdicts", counts, timeline.steps.length
        ? "The steps that were inspected have neither joints nor contacts." : "No step was inspected.", () => verdictChart(timeline)),
    element("p", {class: "hint"}, chartHint));
}

/* The player of the visible world; null: none. */
let shownMotion = null;

/* The parts of the page above and below the world's player. */
function partsOf(world) {
    clock = clockOf(world);
    const isOnly = report.summary.worlds === 1, joints = jointsSections(world, (i, time) => shownMotion?.go(i, time)), course = timelineSection(world);
    course.addEventListener("moment", event => shownMotion?.go(null, event.detail));
    const above = [isOnly ? null : element("h1", null, world.name), banner(world, "", world.jointCount, world.joints), facts(world), energyFacts(world.energy), adviceSection(world.advice), bugsSection(world)];
    const below = [course, iterationsSection(world), contactsSection(world), pairsSection(world), ...(world.joints.length ? joints.sections : [])];
    return {above: above.filter(part => part !== null), below: below.filter(part => part !== null), joints};
}

let shownParts = null;

function showWorld(place, world) {
    shownParts = partsOf(world);
    shownMotion?.end();
    shownMotion = isLive || packedMotionOf(world) ? playerSection(world, i => shownParts.joints.select(i)) : null;
    place.replaceChildren(...shownParts.above, ...(shownMotion ? [shownMotion] : []), ...shownParts.below);
    startCharts(place);
    shownParts.joints.start(null);
}

/* Shows the visible world of a newer report; keeps the player and the reader's position. */
function refreshWorld(world) {
    const old = shownParts, names = old.joints.open(), {scrollX, scrollY} = window;
    shownParts = partsOf(world);
    [...old.above, ...old.below].forEach(part => part.remove());
    shownMotion.before(...shownParts.above);
    shownMotion.after(...shownParts.below);
    document.querySelector(".banners")?.replaceChildren(...report.runs.map(runBanner));
    document.querySelector(".checks").replaceChildren(...checkSections());
    startCharts(shownMotion.parentNode);
    shownParts.joints.start(names);
    scrollTo(scrollX, scrollY);
}

function main() {
    const place = element("main"), picker = element("select", {"aria-label": "world"}, ...report.worlds.map((world, i) =>
        element("option", {value: i}, world.name)));
    const open = i => {
        picker.value = i;
        showWorld(place, report.worlds[i]);
        place.scrollIntoView();
    };
    const worst = report.worlds.findIndex(world => world.name === report.summary.worstFirst[0]);
    picker.addEventListener("change", () => showWorld(place, report.worlds[picker.value]));
    const isOne = report.worlds.length <= 1, runs = report.summary.runs > 1 ? runsSections(open) : null;
    document.body.append(element("header", null, element("h1", null, "Joint forces"), isOne ? element("span", {class: "facts"},
        report.worlds.length ? report.worlds[0].name : "") : picker), runs ?? element("div", {class: "banners"}, ...report.runs.map(runBanner)), element("div", {class: "checks"}, ...checkSections()), isOne ? "" : summarySections(open), place,
    element("footer", {class: "hint"}, `Kinetostat ${report.kinetostat}. Units: s, N, N.m. Charts: dygraphs, MIT licence` +
        `${document.getElementById("three") ? "; the run in motion: three.js, MIT licence" : ""}, in the source of this page.`));
    if (runs)
        runs.querySelectorAll("section").forEach(part => part.start?.());
    if (worst >= 0) {
        picker.value = worst;
        showWorld(place, report.worlds[worst]);
    } else {
        place.append(element("p", {class: "verdict unjudged"}, isLive ? "No world has been stepped yet." : "No world was stepped."));
    }
}

/* A live page shows the first world when there is one. */
async function start() {
    main();
    while (isLive && !report.worlds.length) {
        await later(frameInterval);
        report = await (await ask("report")).json();
        if (report.worlds.length) {
            document.querySelectorAll("body > :not(script, noscript)").forEach(part => part.remove());
            main();
        }
    }
}

start().catch(error => document.body.append(element("p", {class: "verdict failed"}, `The page gives up: ${error.message}.`)));

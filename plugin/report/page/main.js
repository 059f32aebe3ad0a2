/* main.js  The page: a world, chosen from those of the report. */
"use strict";

/* The joint that a reader wants to see first: the worst of those that fail, else of all. */
function firstShown(joints) {
    const error = joint => joint.judgedError ?? joint.error.p95 ?? -1;
    return joints.reduce((best, joint, i) => best < 0 || error(joint) > error(joints[best]) ? i : best, -1);
}

function verdictBanner(world) {
    const {percentile, above, value} = report.limit;
    const rule = `${percentile === 100 ? "largest" : percentile + " %"} error against the ${value} force above ${percent(above)}`;
    if (world.judged === 0)
        return element("p", {class: "verdict unjudged"}, "No joint was judged.");
    return element("p", {class: world.failed ? "verdict failed" : "verdict"},
        `${world.failed} of ${plural(world.judged, "judged joint")} ${world.failed === 1 ? "fails" : "fail"}: ${rule}.`);
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

/* What was run, and how it ended. */
function runBanner(run) {
    const call = [run.program, ...run.arguments].join(" ");
    return element("div", null,
        element("p", {class: "facts"}, `${call}: begun ${run.date}, engine ${run.engine}${run.good ? `, ${run.end}` : ""}.`),
        run.good || run.end === "exit status 0" ? null : element("p", {class: "verdict failed", role: "alert"}, `The run: ${run.end}.`),
        ...run.notes.map(note => element("p", {class: "verdict failed"}, note)));
}

function section(title, ...children) {
    return element("section", null, element("h2", null, title), ...children);
}

function adviceSection(world) {
    return section("What to do", element("ul", null, ...world.advice.map(line => element("li", null, line))));
}

function iterationsSection(world) {
    if (!world.iterations.table.length)
        return null;
    return section("Iterations of dWorldQuickStep",
        element("p", {class: "hint"}, "Sampled steps of this run, made again in copies of the world with other numbers of iterations."),
        element("div", {class: "pair"},
            element("div", null, legend([["physical", "median"], ["converged", "95 %"], ["engine", "largest"], ["bad", "target"]]),
                iterationsChart(world.iterations)),
            table(["iterations", "steps", "median", "95 %", "largest"], world.iterations.table.map(row => [String(row.iterations),
                String(row.steps), ...["median", "p95", "largest"].map(key => percent(row.worstJointError[key]))]))));
}

function contactsSection(world) {
    const {contacts} = world;
    if (!contacts.reactions)
        return null;
    return section("Contacts", element("p", null, `${plural(contacts.reactions, "reaction")}: ${countWords(contacts.verdicts, verdictWords)}.`),
        contacts.netError.count ? element("p", null, "Net force on bodies: how far contacts and joints together are from solved: median " +
            `${percent(contacts.netError.median)}, 95 % ${percent(contacts.netError.p95)}, largest ${percent(contacts.netError.largest)}.`) : null);
}

function bugsSection(world) {
    return world.bugs.length ? section("Faults of the engine that were met",
        table(["fault", "joint", "steps"], world.bugs.map(bug => [bug.reason, bug.joint, String(bug.steps)]))) : null;
}

/* Joints: graph, table and panels show the same choice. */
function jointsSections(world) {
    const {joints} = world, panels = element("div"), shown = new Map();
    const choose = i => {
        const isShown = !shown.has(i);
        if (isShown) {
            shown.set(i, jointPanel(joints[i], () => choose(i)));
            panels.append(shown.get(i));
            startCharts(shown.get(i));
        } else {
            shown.get(i).remove();
            shown.delete(i);
        }
        rows.show(i, isShown);
        picture.show(i, isShown);
    };
    const rows = jointTable(joints, choose), picture = mechanism(joints, choose);
    const sections = [
        section("Mechanism", legend(verdicts.map(verdict => [verdict, verdictWords[verdict]])),
            element("p", {class: "hint"}, "Bodies and joints, coloured by the most frequent verdict. Dashed and ?: mechanics does not " +
                "determine all of its force. Thick and !: fails. " + mechanismHint), picture),
        section("Joints", rows, panels),
    ];
    return {sections, start: () => joints.length && choose(firstShown(joints))};
}

function showWorld(place, world) {
    const {sections, start} = jointsSections(world);
    const timeline = world.timeline.steps.length ? section("Verdicts in the run",
        legend(verdicts.map(verdict => [verdict, verdictWords[verdict]])), verdictChart(world.timeline),
        element("p", {class: "hint"}, chartHint)) : null;
    place.replaceChildren(...[verdictBanner(world), facts(world), adviceSection(world), bugsSection(world), timeline,
        iterationsSection(world), contactsSection(world), ...(world.joints.length ? sections : [])].filter(part => part !== null));
    startCharts(place);
    start();
}

function main() {
    const place = element("main"), picker = element("select", {"aria-label": "world"}, ...report.worlds.map((world, i) =>
        element("option", {value: i}, world.name)));
    picker.addEventListener("change", () => showWorld(place, report.worlds[picker.value]));
    document.body.append(element("header", null, element("h1", null, "Joint forces"), report.worlds.length > 1 ? picker
        : element("span", {class: "facts"}, report.worlds.length ? report.worlds[0].name : "")),
    ...report.runs.map(runBanner), place,
    element("footer", {class: "hint"}, `Kinetostat ${report.kinetostat}. Units: s, N, N.m. Charts: dygraphs, MIT licence, in the source of this page.`));
    if (report.worlds.length)
        showWorld(place, report.worlds[0]);
    else
        place.append(element("p", {class: "verdict unjudged"}, "No world was stepped."));
}

main();

/* joints.js  The table of joints, and the panel of a chosen one. */
"use strict";

const sized = (quantity, value, key) => joint => joint[quantity][value][key];
const loadColumn = (value, key, head) => ({head, of: sized("force", value, key), show: joint => number(sized("force", value, key)(joint))});
const errorColumn = (head, of) => ({head, of, show: joint => percent(of(joint))});

/* The error of the limit has its own column if it is none of the others. */
const isUsualLimit = report.limit.percentile === 95;
const judgedColumn = errorColumn(`judged: ${report.limit.value}, ${report.limit.percentile} %`, joint => joint.judgedError);

const jointColumns = [
    {head: "joint", words: true, of: joint => joint.name, show: joint => joint.name},
    {head: "mostly", words: true, of: joint => verdicts.indexOf(mostFrequent(joint.verdicts)),
        show: joint => element("span", {title: verdictMeanings[mostFrequent(joint.verdicts)]}, swatch(mostFrequent(joint.verdicts)),
            verdictWords[mostFrequent(joint.verdicts)])},
    ...(isUsualLimit ? [] : [judgedColumn]),
    errorColumn(`against ${references[0]}, 95 %`, joint => joint[headline].p95),
    errorColumn(`against ${references[0]}, largest`, joint => joint[headline].largest),
    {head: "worst, s", of: joint => joint[headline].worst && joint[headline].worst.time,
        show: joint => joint[headline].worst ? number(joint[headline].worst.time, 5) : "\u2013"},
    errorColumn(`against ${references[1]}, 95 %`, joint => joint[errorKeys[references[1]]].p95),
    loadColumn("engine", "p95", "engine, N, 95 %"),
    loadColumn("engine", "largest", "engine, N, peak"),
    loadColumn("physical", "p95", "physical, N, 95 %"),
    loadColumn("physical", "largest", "physical, N, peak"),
    {head: "mean, N, peak", of: joint => joint.peakMean.force?.value ?? null, show: joint => number(joint.peakMean.force?.value)},
    {head: "undetermined", of: joint => joint.undetermined.freeDirections, show: joint => joint.undetermined.freeDirections
        ? plural(joint.undetermined.freeDirections, "direction") : "\u2013"},
];

/* Unknown values come last in any order. */
function compareJoints(column, sign) {
    return (p, q) => {
        const a = column.of(p), b = column.of(q);
        if ((a === null) !== (b === null))
            return a === null ? 1 : -1;
        return sign * (typeof a === "string" ? a.localeCompare(b, undefined, {numeric: true}) : a - b);
    };
}

/* choose(i): shows or hides joint i. The table has a function show(i, isShown). */
function jointTable(joints, choose) {
    const boxes = joints.map((joint, i) => {
        const box = element("input", {type: "checkbox", "aria-label": "show " + joint.name});
        box.addEventListener("change", () => choose(i));
        return box;
    });
    const rows = joints.map((joint, i) => {
        const cells = jointColumns.map(column => element("td",
            {"data-head": column.head, ...(column.words && {class: "words name"})}, column.show(joint)));
        const row = element("tr", joint.failed ? {class: "failed"} : null, element("td", {"data-head": "shown"}, boxes[i]), ...cells);
        row.addEventListener("click", event => event.target === boxes[i] || boxes[i].click());
        return row;
    });
    const body = element("tbody", null, ...rows);
    const heads = jointColumns.map(column => {
        const button = element("button", {type: "button"}, column.head);
        const head = element("th", {scope: "col", "aria-sort": "none", ...(column.words && {class: "words"})}, button);
        button.addEventListener("click", () => {
            const sign = head.getAttribute("aria-sort") === (column.words ? "ascending" : "descending") ? -1 : 1;
            const order = column.words ? sign : -sign;
            heads.forEach(other => other.setAttribute("aria-sort", "none"));
            head.setAttribute("aria-sort", order > 0 ? "ascending" : "descending");
            const compare = compareJoints(column, order);
            body.append(...joints.map((_, i) => i).sort((p, q) => compare(joints[p], joints[q])).map(i => rows[i]));
        });
        return head;
    });
    const filter = element("input", {type: "search", placeholder: "filter by name", "aria-label": "filter joints by name"});
    filter.addEventListener("input", () => rows.forEach((row, i) => {
        row.hidden = !joints[i].name.toLowerCase().includes(filter.value.toLowerCase());
    }));
    const made = element("div", null, element("p", null, filter, " ", element("span", {class: "hint"},
        "Choose joints to see their forces. Click on a heading to sort. Errors: of the engine's force, against the physical one beyond its " +
        "bar, and against the converged one. ! fails.")),
    element("div", {class: "scroll sortable"}, element("table", null, element("thead", null, element("tr", null,
        element("th", {scope: "col"}, ""), ...heads)), body)));
    made.show = (i, isShown) => {
        boxes[i].checked = isShown;
    };
    // the worst first
    heads[2].firstChild.click();
    return made;
}

function vectorWords(list) {
    return list.some(x => x === null) ? "unknown" : `(${list.map(x => number(x)).join(", ")})`;
}

function lengthWords(list) {
    return list.some(x => x === null) ? "\u2013" : number(Math.hypot(...list));
}

function withoutRounding({force, torque}) {
    return Math.hypot(...torque) < roundedLever * Math.hypot(...force) ? torque.map(x => x && 0) : torque;
}

function worstMoment(joint) {
    const {worst} = joint[headline];
    if (!worst)
        return null;
    return element("div", null, element("p", null,
        `Worst at step ${worst.step}, ${number(worst.time)} s: off by ${offWords(worst.value, worst.bar, references[0])}. ` +
        `On ${joint.bodies[0] ? "body " + joint.bodies[0] : "the world"}, about the ${worst.about}, in world axes:`),
    table(["", "|F|, N", "force, N", "|T|, N.m", "torque, N.m"], values.map(value => [
        element("span", null, swatch(value), value), lengthWords(worst[value].force), vectorWords(worst[value].force),
        lengthWords(withoutRounding(worst[value])), vectorWords(withoutRounding(worst[value]))])));
}

/* "150 valid, 4750 solver error" */
function countWords(counts, words) {
    const met = Object.entries(counts).filter(([, count]) => count > 0);
    return met.map(([name, count]) => `${count} ${words ? words[name] : name}`).join(", ") || "none";
}

/* Sizes of force and torque over the steps: the loads of a sensor, a bearing or a motor. */
function loadTable(joint) {
    const line = (quantity, unit, value) => [element("span", null, values.includes(value) ? swatch(value) : null, `${quantity}, ${unit}, ${value}`),
        ...["median", "p95", "largest"].map(key => number(withoutNoise(joint, quantity, value, key)))];
    return table(["size in the run", "median", "95 %", "largest"], [line("force", "N", "engine"), line("force", "N", "physical"),
        line("torque", "N.m", "engine"), line("torque", "N.m", "physical"), ...joint.force.mean ? [line("force", "N", "mean"), line("torque", "N.m", "mean")] : []]);
}

function withoutNoise(joint, quantity, value, key) {
    const size = joint[quantity][value][key];
    return quantity === "torque" && size < roundedLever * joint.force[value].largest ? size && 0 : size;
}

/* The reason that a joint has no value or error. */
function whyUnknown(joint) {
    const verdict = mostFrequent(joint.verdicts), reasons = countWords(joint.reasons || {});
    return `mostly ${verdictWords[verdict]} (${verdictMeanings[verdict]}); reasons: ${reasons}.`;
}

const ends = series => [series.least, series.largest];

function jointCharts(joint) {
    const {timeline} = joint;
    if (!timeline)
        return [element("p", {class: "hint"}, "This page has the curves of the worst joints alone. The JSON document has all.")];
    const of = (quantity, word, unit) => orWhy(word, values.flatMap(value => ends(timeline[value][quantity])),
        "No value is known: " + whyUnknown(joint), () => valueChart(timeline, quantity, unit));
    const noError = "No error is known: the engine's force was compared in no step, " + whyUnknown(joint);
    return [
        valueLegend(),
        element("div", {class: "pair"}, of("force", "Force", "N"), of("torque", "Torque", "N.m")),
        element("p", {class: "hint"}, "Bands: from the least to the largest size in the steps of a point; fainter: with the error " +
            `bar. At first engine and ${references[0]} fill the charts. ` + chartHint),
        legend([...references.map(value => [value, `against ${value}`]), ["bad", "limit"]]),
        element("div", {class: "pair"},
            orWhy("Error of the engine's force", [timeline.error.largest, timeline.physicalError.largest].map(positive),
                joint.error.count ? "The error is 0 in all steps." : noError, () => errorChart(timeline)),
            orWhy("Steps by error", [joint.error.histogram, joint.physicalError.histogram], noError, () => histogramChart(joint))),
    ];
}

function gapFacts(gap) {
    const most = (of, unit) => `${number(of.value)} ${unit} (at ${number(of.time, 5)} s)`;
    return !gap?.linear ? null
        : element("p", {class: "facts"}, `Its parts were apart by ${most(gap.linear, "m")} and ${most(gap.angular, "rad")} at most.`);
}

/* The largest means over a window, of means with a bar. */
function meanFacts(joint, meanWindow) {
    const told = ["force", "torque"].map(quantity => ({quantity, ...joint.peakMean[quantity]})).filter(of => of.value > roundedLever * (joint.peakMean.force?.value ?? 0));
    return told.length === 0 ? null : element("p", {class: "facts"}, `The largest mean force of the motion over ${number(meanWindow)} s: ` +
        told.map(of => `${number(of.value)} \u00b1 ${number(of.bar, 2)} ${of.quantity === "force" ? "N" : "N.m"}, up to ${number(of.time, 5)} s`).join("; ") + ".");
}

/* The steps of the joint's motors at their limits; findings explain them. */
function motorFacts(joint) {
    const told = (joint.motors || []).map(motor => `Motor ${motor.axis + 1}: at its limit in ${percent(motor.steps ? motor.saturated / motor.steps : 0)} of ` +
        plural(motor.steps, "step") +
        (motor.overcome ? `, overcome in ${motor.overcome}, where it has up to ${number(motor.limit)} ${motor.unit} and needs ${number(motor.need.p95)} ${motor.unit} in 95 %` : "") +
        (motor.lagging ? `, in ${motor.lagging} up to ${number(motor.behind)} ${motor.unit === "N" ? "m/s" : "rad/s"} behind a target of ${number(motor.target)}` : "") +
        (motor.stopped ? `; at a stop in ${plural(motor.stopped, "step")}` : "") + ".");
    return told.length ? element("p", {class: "facts"}, told.join(" ")) : null;
}

function jointPanel(joint, meanWindow, hide) {
    const close = element("button", {type: "button", "aria-label": "hide " + joint.name}, "hide");
    close.addEventListener("click", hide);
    const free = Object.entries(joint.undetermined.components).map(([name, steps]) => `${name} (${plural(steps, "step")})`);
    return element("section", {class: "panel", "aria-label": joint.name},
        element("header", null, element("h3", null, joint.name), close),
        element("p", {class: "facts"}, `${plural(joint.steps, "step")}: ${countWords(joint.verdicts, verdictWords)}. ` +
            `Reasons: ${countWords(joint.reasons)}.`),
        joint.untold ? element("p", {class: "verdict unjudged"}, `The result is unknown: ${joint.untold}.`) : null,
        verdictLegend(joint.verdicts),
        gapFacts(joint.gap),
        meanFacts(joint, meanWindow),
        motorFacts(joint),
        free.length ? element("p", null, "Mechanics does not determine: " + free.join(", ") + ".") : null,
        ...jointCharts(joint), loadTable(joint), joint.timeline ? worstMoment(joint) : null);
}

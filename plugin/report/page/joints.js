/* joints.js  The table of joints, and what is shown of a chosen one. */
"use strict";

const jointColumns = [
    {head: "joint", words: true, of: joint => joint.name, show: joint => joint.name},
    {head: "steps", of: joint => joint.steps, show: joint => String(joint.steps)},
    {head: "mostly", words: true, of: joint => verdicts.indexOf(mostFrequent(joint.verdicts)),
        show: joint => element("span", null, swatch(mostFrequent(joint.verdicts)), verdictWords[mostFrequent(joint.verdicts)])},
    {head: "median error", of: joint => joint.error.median, show: joint => percent(joint.error.median)},
    {head: "95 %", of: joint => joint.error.p95, show: joint => percent(joint.error.p95)},
    {head: "largest", of: joint => joint.error.largest, show: joint => percent(joint.error.largest)},
    {head: "at step", of: joint => joint.error.worst && joint.error.worst.step,
        show: joint => joint.error.worst ? String(joint.error.worst.step) : "\u2013"},
    {head: "physical, 95 %", of: joint => joint.physicalError.p95, show: joint => percent(joint.physicalError.p95)},
    {head: "largest force, N", of: joint => joint.largestForce, show: joint => number(joint.largestForce)},
    {head: "undetermined", of: joint => joint.undetermined.freeDirections, show: joint => joint.undetermined.freeDirections
        ? plural(joint.undetermined.freeDirections, "direction") : "\u2013"},
];

/* Unknown values stand last, whatever the order. */
function compareJoints(column, sign) {
    return (p, q) => {
        const a = column.of(p), b = column.of(q);
        if ((a === null) !== (b === null))
            return a === null ? 1 : -1;
        return sign * (typeof a === "string" ? a.localeCompare(b, undefined, {numeric: true}) : a - b);
    };
}

/* choose(i): joint i is shown or hidden. The table has a function show(i, isShown). */
function jointTable(joints, choose) {
    const boxes = joints.map((joint, i) => {
        const box = element("input", {type: "checkbox", "aria-label": "show " + joint.name});
        box.addEventListener("change", () => choose(i));
        return box;
    });
    const rows = joints.map((joint, i) => {
        const cells = jointColumns.map(column => element("td", column.words ? {class: "words name"} : null, column.show(joint)));
        const row = element("tr", joint.failed ? {class: "failed"} : null, element("td", null, boxes[i]), ...cells);
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
        "Choose joints to see their forces. Click on a heading to sort.")),
    element("div", {class: "scroll"}, element("table", null, element("thead", null, element("tr", null,
        element("th", {scope: "col"}, ""), ...heads)), body)));
    made.show = (i, isShown) => {
        boxes[i].checked = isShown;
    };
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
    const worst = joint.error.worst;
    if (!worst)
        return null;
    const bar = worst.bar === null ? "" : ` \u00b1 ${percent(worst.bar)}`;
    return element("div", null, element("p", null,
        `Worst at step ${worst.step}, ${number(worst.time)} s: off by ${percent(worst.value)}${bar}. ` +
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

function jointPanel(joint, hide) {
    const close = element("button", {type: "button", "aria-label": "hide " + joint.name}, "hide");
    close.addEventListener("click", hide);
    const free = Object.entries(joint.undetermined.components).map(([name, steps]) => `${name} (${plural(steps, "step")})`);
    const {timeline} = joint;
    return element("section", {class: "panel", "aria-label": joint.name},
        element("header", null, element("h3", null, joint.name), close),
        element("p", {class: "facts"}, `${plural(joint.steps, "step")}: ${countWords(joint.verdicts, verdictWords)}. ` +
            `Reasons: ${countWords(joint.reasons)}.`),
        free.length ? element("p", null, "Mechanics does not determine: " + free.join(", ") + ".") : null,
        legend([["engine", "engine"], ["converged", "converged"], ["physical", "physical"]]),
        element("div", {class: "pair"}, valueChart(timeline, "force", "N"), valueChart(timeline, "torque", "N.m")),
        element("p", {class: "hint"}, "Bands: from the least to the largest size in the steps of a point; fainter: with the error " +
            "bar. " + chartHint),
        legend([["converged", "against converged"], ["physical", "against physical"], ["bad", "limit"]]),
        element("div", {class: "pair"}, errorChart(timeline), histogramChart(joint)),
        worstMoment(joint));
}

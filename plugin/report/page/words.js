/* words.js  What the other files share: elements, numbers, words, colours. Names come from programs: they only ever become text. */
"use strict";

const report = JSON.parse(document.getElementById("report").textContent);

const values = ["engine", "converged", "physical"];
const verdictWords = {
    KS_VALID: "valid", KS_INDETERMINATE: "indeterminate", KS_SOLVER_ERROR: "solver error",
    KS_UNEXPLAINED: "unexplained", KS_UNCHECKED: "unchecked", KS_NOT_SOLVED: "not solved",
};
const verdicts = Object.keys(verdictWords);

/* element("td", {class: "name"}, "text", child, ...) */
function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {}))
        made.setAttribute(key, value);
    made.append(...children.filter(child => child !== null && child !== undefined));
    return made;
}

function shape(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes || {}))
        made.setAttribute(key, value);
    made.append(...children);
    return made;
}

function number(x, digits = 4) {
    if (x === null || x === undefined)
        return "\u2013";
    if (x !== 0 && Math.abs(x) < 1e-3)
        return String(Number(x.toExponential(digits - 1)).toExponential());
    return String(Math.abs(x) >= 10 ** digits ? Math.round(x) : Number(x.toPrecision(digits)));
}

function percent(x) {
    return x === null || x === undefined ? "\u2013" : number(100 * x, 2) + " %";
}

function plural(count, word) {
    return count + " " + word + (count === 1 ? "" : "s");
}

function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function swatch(name) {
    const made = element("span", {class: "swatch"});
    made.style.background = `var(--${name})`;
    return made;
}

function legend(entries) {
    return element("div", {class: "legend"}, ...entries.map(([name, words]) => element("span", null, swatch(name), words)));
}

/* A table; rows are lists of words or elements. */
function table(heads, rows) {
    return element("div", {class: "scroll"}, element("table", null,
        element("thead", null, element("tr", null, ...heads.map(head => element("th", {scope: "col"}, head)))),
        element("tbody", null, ...rows.map(row => element("tr", null, ...row.map(cell => element("td", null, cell)))))));
}

/* Of all verdicts of a joint, the most frequent one. */
function mostFrequent(counts) {
    return verdicts.reduce((best, verdict) => counts[verdict] > counts[best] ? verdict : best);
}

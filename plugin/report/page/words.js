/* words.js  Shared parts: elements, numbers, words, colours. Names come from programs: they only
 * become text. */
"use strict";

/* The report; a live page replaces it. */
let report = JSON.parse(document.getElementById("report").textContent);

const values = ["engine", "converged", "physical"];

/* The references of the engine's force, the limit's one first, and the keys of the errors against
 * them. */
const references = report.limit.value === "converged" ? ["converged", "physical"] : ["physical", "converged"];
const errorKeys = {converged: "error", physical: "physicalError"};
const headline = errorKeys[references[0]];

/* "12 % beyond its bar of 3 %" */
function offWords(value, bar, reference) {
    return percent(value) + ((bar ?? null) === null || Number.isNaN(bar) ? "" : (reference === "physical" ? " beyond its bar of " : " \u00b1 ") + percent(bar));
}
const verdictWords = {
    KS_VALID: "valid", KS_INDETERMINATE: "indeterminate", KS_SOLVER_ERROR: "solver error",
    KS_UNEXPLAINED: "unexplained", KS_UNCHECKED: "unchecked", KS_NOT_SOLVED: "not solved",
};
const verdicts = Object.keys(verdictWords);
const verdictMeanings = {
    KS_VALID: "the force is unique, and the engine is right within the tolerance, 1 % by default",
    KS_INDETERMINATE: "mechanics leaves a part of the force open; the engine is right about the rest",
    KS_SOLVER_ERROR: "the engine has not solved its own equations: its error is above the tolerance, 1 % by default",
    KS_UNEXPLAINED: "the forces that the engine reports do not explain the motion",
    KS_UNCHECKED: "could not be judged",
    KS_NOT_SOLVED: "no force to judge: asleep, disabled, or without constraints",
};
const valueMeanings = {
    engine: "the force that the engine reports",
    converged: "the exact solution of the engine's own equations",
    physical: "the reaction of the ideal mechanism in the same state",
};

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
    if (x === null || x === undefined)
        return "\u2013";
    return (x > 0 && x < 1e-5 ? "<0.001" : number(100 * x, 2)) + " %";
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

/* Colour, word and meaning of the verdicts that occur. */
function verdictLegend(counts) {
    const met = verdicts.filter(verdict => counts[verdict] > 0);
    return element("ul", {class: "meanings"}, ...met.map(verdict => element("li", null, swatch(verdict),
        element("strong", null, verdictWords[verdict]), ": " + verdictMeanings[verdict])));
}

function valueLegend() {
    return element("ul", {class: "meanings"}, ...values.map(value => element("li", null, swatch(value),
        element("strong", null, value), ": " + valueMeanings[value])));
}

/* A table; rows are lists of words or elements. If it is narrow, a row becomes a card with labelled
 * cells. */
function table(heads, rows) {
    return element("div", {class: "scroll"}, element("table", null,
        element("thead", null, element("tr", null, ...heads.map(head => element("th", {scope: "col"}, head)))),
        element("tbody", null, ...rows.map(row => element("tr", null,
            ...row.map((cell, i) => element("td", {"data-head": heads[i]}, cell)))))));
}

/* A chart of these lists of numbers, or the reason that there are none. */
function orWhy(title, lists, why, draw) {
    if (lists.some(list => list.some(x => x !== null && x !== undefined)))
        return draw();
    return element("div", {class: "nothing"}, element("div", {class: "title"}, title), element("p", null, why));
}

/* The time of a step, s: known for the first step of each bucket of the world, and at the end;
 * linear in between. */
function clockOf(world) {
    const {timeline, steps} = world, knots = [];
    (timeline ? timeline.begin : []).forEach((time, i) => {
        if (time !== null)
            knots.push([Math.max(timeline.firstStep + i * timeline.stepsPerBucket, steps.first), time]);
    });
    if (steps.end !== null)
        knots.push([steps.last + 1, steps.end]);
    if (knots.length < 2)
        return step => step;
    return step => {
        let low = 0, high = knots.length - 2;
        while (low < high) {
            const middle = Math.ceil((low + high) / 2);
            [low, high] = knots[middle][0] <= step ? [middle, high] : [low, middle - 1];
        }
        const [[a, s], [b, t]] = [knots[low], knots[low + 1]];
        return s + (t - s) * (step - a) / (b - a);
    };
}

/* The time of a step in the visible world, s. */
let clock = step => step;

/* The most frequent verdict of a joint. */
function mostFrequent(counts) {
    return verdicts.reduce((best, verdict) => counts[verdict] > counts[best] ? verdict : best);
}

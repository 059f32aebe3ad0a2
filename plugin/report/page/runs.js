/* runs.js  Many runs: a table, worst first; peaks against a parameter; joints over all runs. */
"use strict";

const parametersOf = runs => [...new Set(runs.flatMap(run => Object.keys(run.parameters)))].sort();

/* Has the parameter at least two different numbers in these runs? */
function isVaried(name, runs) {
    return new Set(runs.map(run => numberOf(run, name)).filter(x => x !== null)).size > 1;
}

function numberOf(run, name) {
    const text = run.parameters[name], x = Number(text);
    return text !== undefined && text.trim() && Number.isFinite(x) ? x : null;
}

/* Peaks of the runs' joints against a parameter. */
function scatter(name, runs) {
    const known = runs.filter(run => numberOf(run, name) !== null).sort((a, b) => numberOf(a, name) - numberOf(b, name));
    const of = value => known.map(run => run.peak.force[value] ?? null), point = value => line(value, {width: 0, size: 7});
    const data = [known.map(run => numberOf(run, name)), of("engine"), of("physical")];
    return orWhy(`Largest force against ${name}`, data.slice(1), "No force is known in these runs.", () => chart(`Largest force against ${name}`, data,
        {axes: [axis(name, plain), axis("N", plain)], series: [point("engine"), point("physical")]},
        i => `${known[i].file}: ${name} ${known[i].parameters[name]}; engine ${number(data[1][i])} N, physical ${number(data[2][i])} N`));
}

function scatterSection(runs) {
    const names = parametersOf(runs).filter(name => isVaried(name, runs));
    if (!names.length)
        return null;
    const picker = element("select", {"aria-label": "parameter"}, ...names.map(name => element("option", {value: name}, name)));
    const place = element("div"), show = () => {
        place.replaceChildren(scatter(picker.value, runs));
        startCharts(place);
    };
    picker.addEventListener("change", show);
    const made = section("Largest forces by parameter", legend([["engine", "engine"], ["physical", "physical"]]),
        names.length > 1 ? picker : null, place);
    made.start = show;
    return made;
}

/* open(i): shows world i of the page. */
function runRows(runs, parameters, open) {
    const places = new Map(report.worlds.map((world, i) => [world.name, i]));
    return runs.map(run => {
        const words = (run.failed || !run.good ? "! " : "") + run.file, place = places.get(run.worstWorld);
        const name = place === undefined ? words : element("button", {type: "button"}, words);
        if (place !== undefined)
            name.addEventListener("click", () => open(place));
        return [name, [run.end, ...run.notes].join("; "), ...parameters.map(key => run.parameters[key] ?? "\u2013"), percent(run.shareChecked),
            number(run.peak.force.engine), number(run.peak.force.physical), percent(run.worstError), run.worstJoint ?? "\u2013"];
    });
}

function pooledSection() {
    const rows = report.pooled.map(joint => [joint.name, String(joint.worlds), ...references.map(value => percent(joint[errorKeys[value]].p95)),
        ...values.flatMap(value => [number(joint.force[value].median), number(joint.force[value].p95), number(joint.force[value].largest)])]);
    return section("Joints over all runs", element("p", {class: "hint"}, "Errors: the 95th percentile over the steps of all runs. Forces: the largest of each " +
        "run; of these the median, the 95th percentile over the runs, and the largest, N."),
    table(["joint", "worlds", ...references.map(value => `against ${value}, 95 %`), ...values.flatMap(value => ["median", "95 %", "largest"].map(word => `${value}, ${word}`))],
        rows));
}

function runsSections(open) {
    const {runs, summary} = report, parameters = parametersOf(runs), missing = summary.runs - runs.length;
    return element("div", {class: "runs"},
        section("Runs, the worst first", table(["run", "end", ...parameters, "checked", "engine, N", "physical, N", "worst error", "of joint"],
            runRows(runs, parameters, open)), missing ? element("p", {class: "hint"}, `${plural(missing, "more run")}, none of them worse: not in this page; ` +
                "the JSON document has all.") : null),
        scatterSection(runs), pooledSection());
}

/* charts.js  Curves over steps, histograms, errors by iterations. Each chart works with the mouse
 * and with the keyboard. */
"use strict";

const allCharts = new Set();
const chartHint = "Drag along a direction to zoom, double-click for all. Keys: \u2190 \u2192 move, + \u2212 zoom, \u2191 \u2193 zoom " +
    "upright, 0 all.";

const plain = x => number(x, 5);
/* For an axis whose decades go below the values of tables. */
const percentTick = x => number(100 * x, 2) + " %";

/* Zooms by a factor about the cursor, or moves by a share of the visible range. */
function look(chart, factor, share) {
    const [min, max] = chart.range("x"), first = chart.x[0], last = chart.x[chart.x.length - 1];
    const to = chart.isLog.x ? Math.log : x => x, from = chart.isLog.x ? Math.exp : x => x;
    const low = to(min), high = to(max), width = (high - low) * factor;
    const middle = chart.cursor === null ? (low + high) / 2 : to(chart.x[chart.cursor]);
    let begin = middle - (middle - low) * factor + share * (high - low);
    begin = Math.max(Math.min(begin, to(last) - width), to(first));
    const end = Math.min(begin + width, to(last));
    if (end > begin)
        chart.show({x: [from(begin), from(end)]});
}

/* Zooms vertically about the lower end. */
function lift(chart, factor) {
    const [min, max] = chart.range("y");
    chart.show({y: [min, chart.isLog.y ? min * (max / min) ** factor : min + (max - min) * factor]});
}

function moveCursor(chart, by) {
    const {x} = chart, [min, max] = chart.range("x");
    const from = chart.cursor === null ? x.findIndex(value => value >= min) - by : chart.cursor;
    const index = Math.max(0, Math.min(x.length - 1, from + by));
    if (x[index] < min || x[index] > max)
        look(chart, 1, Math.sign(by) / 2);
    chart.move(index);
}

function press(chart, event) {
    const large = event.shiftKey ? 10 : 1;
    const action = {
        ArrowLeft: () => moveCursor(chart, -large), ArrowRight: () => moveCursor(chart, large),
        "+": () => look(chart, .5, 0), "=": () => look(chart, .5, 0), "-": () => look(chart, 2, 0),
        ArrowUp: () => lift(chart, .5), ArrowDown: () => lift(chart, 2), "0": chart.showAll, Home: chart.showAll,
    }[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey)
        return;
    event.preventDefault();
    action();
}

/* A click without a drag, or Enter, at a point of a run sends its time as the event "moment". */
function tellMoments(box, place) {
    let from = null;
    const tellMoment = () => box.chart.cursor !== null && box.dispatchEvent(new CustomEvent("moment", {bubbles: true, detail: box.chart.x[box.chart.cursor]}));
    place.addEventListener("mousedown", event => {
        from = [event.clientX, event.clientY];
    }, true);
    place.addEventListener("click", event => from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 4 && tellMoment());
    place.addEventListener("keydown", event => event.key === "Enter" && tellMoment());
}

/* tell(index): the text below the chart for the point at the cursor. */
function chart(title, data, options, tell) {
    const place = element("div", {class: "place", tabindex: 0, role: "group", "aria-label": title + ". " + chartHint});
    const at = element("div", {class: "at", "aria-live": "polite"});
    const box = element("div", {class: "chart"}, element("div", {class: "title"}, title), place, at);
    box.start = () => {
        box.chart = plot(place, data, options, index => {
            at.textContent = index === null ? "" : tell(index);
        });
        place.addEventListener("keydown", event => press(box.chart, event));
        if (options.isOfTime)
            tellMoments(box, place);
        allCharts.add(box);
    };
    box.fit = () => box.isConnected ? box.chart.fit() : allCharts.delete(box);
    return box;
}

/* Starts all charts in this element, which must be visible: charts need their width. */
function startCharts(root) {
    root.querySelectorAll(".chart").forEach(box => box.chart || box.start());
}

addEventListener("resize", () => allCharts.forEach(box => box.fit()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => allCharts.forEach(box => box.chart.repaint()));

/* Start of each bucket, s. */
function timesOf(timeline) {
    return timeline.steps.map((_, i) => clock(timeline.firstStep + i * timeline.stepsPerBucket));
}

function spanOf(timeline, index) {
    const first = timeline.firstStep + index * timeline.stepsPerBucket, end = first + timeline.stepsPerBucket;
    return timeline.stepsPerBucket === 1 ? `${number(clock(first), 6)} s, step ${first}`
        : `${number(clock(first), 6)} to ${number(clock(end), 6)} s, steps ${first} to ${end - 1}`;
}

function rangeWords(least, largest) {
    return least === largest ? number(least) : `${number(least)} to ${number(largest)}`;
}

/* Stacked shares of the verdicts of a world's reactions. */
function verdictChart(timeline) {
    const sums = timeline.steps.map((_, i) => verdicts.reduce((sum, verdict) => sum + timeline.verdicts[verdict][i], 0));
    // the share up to and including this verdict; the last one is repeated at the end of its bucket
    const upTo = v => [...sums, sums[sums.length - 1]].map((sum, at) => {
        const i = Math.min(at, sums.length - 1);
        return sum ? verdicts.slice(0, v + 1).reduce((total, verdict) => total + timeline.verdicts[verdict][i], 0) / sum : null;
    });
    // the highest first: each next area covers the part below it
    const order = verdicts.map((_, v) => verdicts.length - 1 - v);
    const end = clock(timeline.firstStep + timeline.steps.length * timeline.stepsPerBucket);
    const data = [[...timesOf(timeline), end], ...order.map(upTo)];
    const options = {
        isOfTime: true, y: {range: () => [0, 1]},
        axes: [axis("time, s", plain), axis("share of reactions", percent)],
        series: order.map(v => ({fill: hue(verdicts[v]), stepped: true})),
    };
    return chart("Verdicts", data, options, i => i === sums.length ? "" : spanOf(timeline, i) + ": " +
        verdicts.filter(verdict => timeline.verdicts[verdict][i] > 0)
            .map(verdict => `${timeline.verdicts[verdict][i]} ${verdictWords[verdict]}`).join(", "));
}

/* A torque of the force at a smaller lever, m, is rounding: its curve stays at zero. */
const roundedLever = 1e-10;

function aboveRounding(timeline, quantity) {
    const largest = quantity === "torque" ? timeline.engine.force.largest.reduce((most, x) => Math.max(most, x), 0) : 0;
    return (low, high) => {
        const margin = Math.max(.08 * (high - low), 10 * roundedLever * largest);
        return high > low || margin > 0 ? [low - margin, high + margin] : [-1, 1];
    };
}

/* Force or torque: the three values, each as a band from its least to its largest size in a bucket,
 * within a fainter band of its error bar. The initial range is the headline's, since other values
 * may be a hundred times as large. */
function valueChart(timeline, quantity, unit) {
    const data = [timesOf(timeline)], series = [], bands = [], first = [];
    for (const value of values) {
        const add = (list, look) => {
            data.push(list);
            if (value !== references[1])
                first.push(list);
            return series.push(look);
        };
        const of = timeline[value][quantity], bar = timeline[value][quantity + "Bar"];
        if (bar) {
            const beyond = (list, sign) => add(list.map((x, i) =>
                x === null || bar.largest[i] === null ? null : x + sign * bar.largest[i]), {});
            bands.push({between: [beyond(of.largest, 1), beyond(of.least, -1)], fill: hue(value, "26")});
        }
        bands.push({between: [of.largest, of.least].map(list => add(list, line(value, dots(list)))), fill: hue(value, "59")});
    }
    const options = {
        isOfTime: true, y: {range: aboveRounding(timeline, quantity), first}, bands, series,
        axes: [axis("time, s", plain), axis(`${quantity}, ${unit}`, plain)],
    };
    const word = quantity === "force" ? "Force" : "Torque";
    return chart(word, data, options, i => spanOf(timeline, i) + ": " + values.map(value => {
        const of = timeline[value][quantity], bar = timeline[value][quantity + "Bar"];
        if (of.least[i] === null)
            return `${value} unknown`;
        const barWords = bar && bar.largest[i] !== null ? ` \u00b1 ${number(bar.largest[i], 2)}` : "";
        return `${value} ${rangeWords(of.least[i], of.largest[i])}${barWords} ${unit}`;
    }).join(", "));
}

/* The largest errors of each bucket. */
function errorChart(timeline) {
    const steps = timesOf(timeline);
    const data = [steps, positive(timeline.error.largest), positive(timeline.physicalError.largest),
        steps.map(() => report.limit.above)];
    const options = {
        isOfTime: true, y: logarithmic(data.slice(1)),
        axes: [axis("time, s", plain), axis("error", percentTick)],
        series: [line("converged", dots(steps)), line("physical", dots(steps)), line("bad", dashed)],
    };
    return chart("Error of the engine's force", data, options, i => spanOf(timeline, i) +
        `: largest against converged ${percent(timeline.error.largest[i])}, against physical ${percent(timeline.physicalError.largest[i])}`);
}

/* Gathers bins of 1 % width into ten for each decade; an error of 0 counts at 1e-17. */
function histogramChart(joint) {
    const perDecade = 10, zero = -17 * perDecade;
    const counts = ["error", "physicalError"].map(which => {
        const sums = new Map();
        for (const [begin, count] of joint[which].histogram) {
            // the starts of bins are rounded
            const place = begin > 0 ? Math.floor(perDecade * Math.log10(begin) + 1e-6) : zero;
            sums.set(place, (sums.get(place) || 0) + count);
        }
        return sums;
    });
    const all = counts.flatMap(sums => [...sums.keys()]);
    const low = Math.min(...all), list = Array.from({length: Math.max(...all) + 2 - low}, (_, i) => low + i);
    const x = list.map(place => 10 ** (place / perDecade));
    const data = [x, ...counts.map(sums => list.map(place => sums.get(place) || 0))];
    const bar = name => line(name, {fill: hue(name, "40"), stepped: true});
    const options = {
        x: {isLog: true}, y: {range: (least, largest) => [0, Math.max(1.05 * largest, 1)]},
        axes: [axis("error", percentTick), axis("steps", plain)],
        series: [bar("converged"), bar("physical")],
    };
    return chart("Steps by error", data, options, i => `error ${percent(x[i])} to ${percent(x[i] * 10 ** (1 / perDecade))}: ` +
        `${data[1][i]} against converged, ${data[2][i]} against physical`);
}

/* The largest error of a joint in a step, by iterations. */
function iterationsChart(iterations) {
    const rows = [...iterations.table].sort((a, b) => a.iterations - b.iterations);
    const of = key => positive(rows.map(row => row.worstJointError[key]));
    // the largest first and wide, since the others may cover it
    const inARow = positive(rows.map(row => row.inARow.p95));
    const data = [rows.map(row => row.iterations), of("largest"), of("p95"), of("median"), inARow, rows.map(() => report.limit.above)];
    const dotted = (name, width) => line(name, {width, size: 7});
    const options = {
        x: {isLog: true, range: (least, largest) => [least / 1.15, 1.15 * largest]}, y: logarithmic(data.slice(1)),
        axes: [axis("iterations", plain), axis("error", percentTick)],
        series: [dotted("engine", 5), dotted("converged", 2), dotted("physical", 2), dotted("KS_UNEXPLAINED", 2), line("bad", dashed)],
    };
    return chart("Error by iterations", data, options, i => `${plural(rows[i].iterations, "iteration")}: median ` +
        `${percent(data[3][i])}, 95 % ${percent(data[2][i])}, largest ${percent(data[1][i])}; in a row 95 % ${percent(data[4][i])}`);
}

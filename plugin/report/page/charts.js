/* charts.js  Curves over steps, histograms, errors by iterations. Each chart works with the mouse and with the keyboard. */
"use strict";

const allCharts = new Set();
const chartHint = "Drag along a direction to zoom, double-click for all. Keys: \u2190 \u2192 move, + \u2212 zoom, \u2191 \u2193 zoom " +
    "upright, 0 all.";

/* Colours follow the page from light to dark: they are asked for at each drawing. */
const hue = (name, opacity = "") => () => colour(name) + opacity;

/* words: of a tick. A logarithmic axis has words at as many powers of ten as there is room for. */
function axis(label, words, isUpright = false) {
    const ticks = (chart, list) => {
        const scale = chart.scales[isUpright ? "y" : "x"], isPower = x => Math.abs(Math.log10(x) - Math.round(Math.log10(x))) < 1e-9;
        if (scale.distr !== 3)
            return list.map(words);
        const every = Math.ceil((Math.log10(scale.max) - Math.log10(scale.min)) / 6) || 1;
        return list.map(x => x > 0 && isPower(x) && Math.round(Math.log10(x)) % every === 0 ? words(x) : null);
    };
    const font = "12px system-ui, sans-serif", stroke = hue("ink"), faint = {stroke: hue("line"), width: 1};
    return {label, labelSize: 18, labelFont: font, font, size: isUpright ? 62 : 28, stroke, grid: faint, ticks: faint, values: ticks,
        filter: (_, list) => list};
}

const plain = x => number(x, 5);
/* Of an axis, whose decades go below what tables tell. */
const percentTick = x => number(100 * x, 2) + " %";

/* Zooms by a factor about the cursor, or moves by a share of what is seen. */
function look(chart, factor, share) {
    const {min, max} = chart.scales.x, first = chart.data[0][0], last = chart.data[0][chart.data[0].length - 1];
    const isLog = chart.scales.x.distr === 3, to = isLog ? Math.log : x => x, from = isLog ? Math.exp : x => x;
    const low = to(min), high = to(max), width = (high - low) * factor;
    const {idx} = chart.cursor, middle = idx === null || idx === undefined ? (low + high) / 2 : to(chart.data[0][idx]);
    let begin = middle - (middle - low) * factor + share * (high - low);
    begin = Math.max(Math.min(begin, to(last) - width), to(first));
    const end = Math.min(begin + width, to(last));
    if (end > begin)
        chart.setScale("x", {min: from(begin), max: from(end)});
}

/* Zooms upright, about the lower end. */
function lift(chart, factor) {
    const {min, max, distr} = chart.scales.y;
    chart.setScale("y", {min, max: distr === 3 ? min * (max / min) ** factor : min + (max - min) * factor});
}

function moveCursor(chart, by) {
    const x = chart.data[0], {min, max} = chart.scales.x;
    let index = chart.cursor.idx;
    if (index === null || index === undefined)
        index = x.findIndex(value => value >= min) - by;
    index = Math.max(0, Math.min(x.length - 1, index + by));
    if (x[index] < min || x[index] > max)
        look(chart, 1, Math.sign(by) / 2);
    chart.setCursor({left: chart.valToPos(x[index], "x"), top: chart.bbox.height / 2 / devicePixelRatio});
}

function press(chart, event) {
    const large = event.shiftKey ? 10 : 1;
    const action = {
        ArrowLeft: () => moveCursor(chart, -large), ArrowRight: () => moveCursor(chart, large),
        "+": () => look(chart, .5, 0), "=": () => look(chart, .5, 0), "-": () => look(chart, 2, 0),
        ArrowUp: () => lift(chart, .5), ArrowDown: () => lift(chart, 2),
        "0": () => chart.setData(chart.data), Home: () => chart.setData(chart.data),
    }[event.key];
    if (!action || event.ctrlKey || event.altKey || event.metaKey)
        return;
    event.preventDefault();
    action();
}

const line = (name, more) => ({stroke: hue(name), width: 1.5, points: {show: false}, ...more});
const dashed = {dash: [6, 4], width: 1};
/* A bucket by itself would be a line without length. */
const dots = list => ({points: {show: list.length < 2}});

const positive = list => list.map(x => x > 0 ? x : null);
/* Whole decades, none below 1e-8: smaller errors are rounding, whatever their size. */
const decades = (_, least, largest) => [10 ** Math.floor(Math.log10(Math.max(least, 1e-8)) + 1e-9),
    10 ** Math.ceil(Math.log10(Math.max(largest, 1e-7)) - 1e-9)];
const logarithmic = lists => lists.some(list => list.some(x => x > 0)) ? {distr: 3, range: decades} : {range: [0, 1]};

/* tell(index): what stands below the chart for the point at the cursor. */
function chart(title, data, options, tell) {
    const place = element("div", {class: "place", tabindex: 0, role: "group", "aria-label": title + ". " + chartHint});
    const at = element("div", {class: "at", "aria-live": "polite"});
    const box = element("div", {class: "chart"}, element("div", {class: "title"}, title), place, at);
    const show = made => {
        const {idx} = made.cursor;
        at.textContent = idx === null || idx === undefined ? "" : tell(idx);
    };
    const size = () => ({width: Math.max(place.clientWidth, 200), height: 240});
    box.start = () => {
        box.chart = new uPlot({
            ...size(), ...options, legend: {show: false}, padding: [8, 24, 0, 0],
            cursor: {points: {show: false}, drag: {x: true, y: true, uni: 30}}, hooks: {setCursor: [show]},
        }, data, place);
        place.addEventListener("keydown", event => press(box.chart, event));
        allCharts.add(box);
    };
    box.fit = () => box.isConnected ? box.chart.setSize(size()) : allCharts.delete(box);
    return box;
}

/* Charts need to know how wide they are: those in this element, now that it is shown. */
function startCharts(root) {
    root.querySelectorAll(".chart").forEach(box => box.chart || box.start());
}

addEventListener("resize", () => allCharts.forEach(box => box.fit()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change",
    () => allCharts.forEach(box => box.chart.redraw(false, true)));

/* When each bucket begins, s. */
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

/* How the verdicts of a world share its reactions, one above the other. */
function verdictChart(timeline) {
    const sums = timeline.steps.map((_, i) => verdicts.reduce((sum, verdict) => sum + timeline.verdicts[verdict][i], 0));
    // up to and with this verdict; the last bucket has an end
    const upTo = v => [...sums, sums[sums.length - 1]].map((sum, at) => {
        const i = Math.min(at, sums.length - 1);
        return sum ? verdicts.slice(0, v + 1).reduce((total, verdict) => total + timeline.verdicts[verdict][i], 0) / sum : null;
    });
    // the highest first: each covers what is above its own share
    const order = verdicts.map((_, v) => verdicts.length - 1 - v);
    const end = clock(timeline.firstStep + timeline.steps.length * timeline.stepsPerBucket);
    const data = [[...timesOf(timeline), end], ...order.map(upTo)];
    const options = {
        scales: {x: {time: false}, y: {range: [0, 1]}},
        axes: [axis("time, s", plain), axis("share of reactions", percent, true)],
        series: [{}, ...order.map(v => ({
            fill: hue(verdicts[v]), width: 0, paths: uPlot.paths.stepped({align: 1}), points: {show: false},
        }))],
    };
    return chart("Verdicts", data, options, i => i === sums.length ? "" : spanOf(timeline, i) + ": " +
        verdicts.filter(verdict => timeline.verdicts[verdict][i] > 0)
            .map(verdict => `${timeline.verdicts[verdict][i]} ${verdictWords[verdict]}`).join(", "));
}

/* m: a force at a smaller lever has no torque but that of rounding. Its curve stays at zero. */
const roundedLever = 1e-10;

function aboveRounding(timeline, quantity) {
    const largest = quantity === "torque" ? timeline.engine.force.largest.reduce((most, x) => Math.max(most, x), 0) : 0;
    return (_, low, high) => {
        const margin = Math.max(.08 * (high - low), 10 * roundedLever * largest);
        return high > low || margin > 0 ? [low - margin, high + margin] : [-1, 1];
    };
}

/* Force or torque: the three values, each as a band from its least to its largest size in the steps of a bucket, in a fainter one that its
 * error bar adds. */
function valueChart(timeline, quantity, unit) {
    const data = [timesOf(timeline)], series = [{}], bands = [];
    const add = (list, look) => {
        data.push(list);
        return series.push(look) - 1;
    };
    for (const value of values) {
        const of = timeline[value][quantity], bar = timeline[value][quantity + "Bar"];
        if (bar) {
            const beyond = (list, sign) => add(list.map((x, i) =>
                x === null || bar.largest[i] === null ? null : x + sign * bar.largest[i]), {width: 0, points: {show: false}});
            bands.push({series: [beyond(of.largest, 1), beyond(of.least, -1)], fill: hue(value, "26")});
        }
        bands.push({series: [of.largest, of.least].map(list => add(list, line(value, dots(list)))), fill: hue(value, "59")});
    }
    const options = {
        scales: {x: {time: false}, y: {range: aboveRounding(timeline, quantity)}}, bands, series,
        axes: [axis("time, s", plain), axis(`${quantity}, ${unit}`, plain, true)],
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
        scales: {x: {time: false}, y: logarithmic(data.slice(1))},
        axes: [axis("time, s", plain), axis("error", percentTick, true)],
        series: [{}, line("converged", dots(steps)), line("physical", dots(steps)), line("bad", dashed)],
    };
    return chart("Error of the engine's force", data, options, i => spanOf(timeline, i) +
        `: largest against converged ${percent(timeline.error.largest[i])}, against physical ${percent(timeline.physicalError.largest[i])}`);
}

/* Bins that are 1 % wide, ten to a decade; an error of 0 counts at 1e-17. */
function histogramChart(joint) {
    const perDecade = 10, zero = -17 * perDecade;
    const counts = ["error", "physicalError"].map(which => {
        const sums = new Map();
        for (const [begin, count] of joint[which].histogram) {
            // the beginnings of bins are rounded
            const place = begin > 0 ? Math.floor(perDecade * Math.log10(begin) + 1e-6) : zero;
            sums.set(place, (sums.get(place) || 0) + count);
        }
        return sums;
    });
    const all = counts.flatMap(sums => [...sums.keys()]);
    const low = Math.min(...all), list = Array.from({length: Math.max(...all) + 2 - low}, (_, i) => low + i);
    const x = list.map(place => 10 ** (place / perDecade));
    const data = [x, ...counts.map(sums => list.map(place => sums.get(place) || 0))];
    const bar = name => line(name, {fill: hue(name, "40"), paths: uPlot.paths.stepped({align: 1})});
    const options = {
        scales: {x: {time: false, distr: 3}, y: {range: (_, least, largest) => [0, Math.max(largest, 1)]}},
        axes: [axis("error", percentTick), axis("steps", plain, true)],
        series: [{}, bar("converged"), bar("physical")],
    };
    return chart("Steps by error", data, options, i => `error ${percent(x[i])} to ${percent(x[i] * 10 ** (1 / perDecade))}: ` +
        `${data[1][i]} against converged, ${data[2][i]} against physical`);
}

/* The largest error of a joint in a step, by iterations. */
function iterationsChart(iterations) {
    const rows = [...iterations.table].sort((a, b) => a.iterations - b.iterations);
    const of = key => positive(rows.map(row => row.worstJointError[key]));
    // the largest first and wide: the others may lie upon it
    const inARow = positive(rows.map(row => row.inARow.p95));
    const data = [rows.map(row => row.iterations), of("largest"), of("p95"), of("median"), inARow, rows.map(() => report.limit.above)];
    const dotted = (name, width) => line(name, {width, points: {show: true, size: 7, fill: hue(name)}});
    const options = {
        scales: {x: {time: false, distr: 3}, y: logarithmic(data.slice(1))},
        axes: [axis("iterations", plain), axis("error", percentTick, true)],
        series: [{}, dotted("engine", 5), dotted("converged", 2), dotted("physical", 2), dotted("KS_UNEXPLAINED", 2), line("bad", dashed)],
    };
    return chart("Error by iterations", data, options, i => `${plural(rows[i].iterations, "iteration")}: median ` +
        `${percent(data[3][i])}, 95 % ${percent(data[2][i])}, largest ${percent(data[1][i])}; in a row 95 % ${percent(data[4][i])}`);
}

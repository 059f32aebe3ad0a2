/* plot.js  A chart: this file draws its curves; dygraphs has the axes, ticks, zoom and cursor. No
 * other file of the page uses that library. */
"use strict";

/* A colour of the page, read each time that the chart is drawn: it follows the light or dark
 * mode. */
const hue = (name, opacity = "") => () => colour(name) + opacity;

/* The unused legend would set styles by markup, which the page's policy refuses. */
Dygraph.PLUGINS = Dygraph.PLUGINS.filter(plugin => plugin !== Dygraph.Plugins.Legend);

/* Escapes a label: dygraphs takes labels for HTML. */
const asMarkup = words => element("span", null, words).innerHTML;

/* words(x): text of a tick. */
const axis = (label, words) => ({label, words});

/* A series: colour, width (0: none), dash, size of its points (0: none), fill (to the axis),
 * stepped (constant to the next value). */
const line = (name, more) => ({stroke: hue(name), width: 1.5, ...more});
const dashed = {dash: [6, 4], width: 1};
/* A single bucket would be a line without length. */
const dots = list => ({size: list.length < 2 ? 6 : 0});

const positive = list => list.map(x => x > 0 ? x : null);
/* Whole decades, none below 1e-8: smaller errors are rounding, whatever their size. */
const decades = (least, largest) => [10 ** Math.floor(Math.log10(Math.max(least, 1e-8)) + 1e-9),
    10 ** Math.ceil(Math.log10(Math.max(largest, 1e-7)) - 1e-9)];
const logarithmic = lists => lists.some(list => list.some(x => x > 0)) ? {isLog: true, range: decades} : {range: () => [0, 1]};

/* The initial range: with a margin, unless the scale has its own range. */
function wholeRange(scale, list) {
    let least = Infinity, largest = -Infinity;
    for (const x of list)
        if (x !== null)
            [least, largest] = [Math.min(least, x), Math.max(largest, x)];
    if (scale.range)
        return scale.range(least, largest);
    return largest > least ? [least, largest] : [least - .5, least + .5];
}

/* A logarithmic axis labels as many powers of ten as fit. */
function ticksOf(scale, words) {
    return (least, largest, pixels, options, graph) => {
        const begin = Math.ceil(Math.log10(least) - 1e-9), count = Math.floor(Math.log10(largest) + 1e-9) - begin + 1;
        if (!scale.isLog || count < 2)
            return Dygraph.numericTicks(least, largest, pixels, key => key === "logscale" ? false : options(key), graph)
                .filter(({v}) => v >= least && v <= largest).map(({v}) => ({v, label: asMarkup(words(v))}));
        const every = Math.ceil(count / 7);
        return Array.from({length: count}, (_, i) => ({v: 10 ** (begin + i), label: (begin + i) % every ? "" : asMarkup(words(10 ** (begin + i)))}));
    };
}

/* The parts of a curve between gaps, as points of the canvas. */
function stretches(graph, x, y, isStepped) {
    const all = [], {x: left, w: width} = graph.getArea();
    let last = null;
    x.forEach((at, i) => {
        if (y[i] === null) {
            last = null;
            return;
        }
        const point = [left + width * graph.toPercentXCoord(at), graph.toDomYCoord(y[i])];
        if (!last)
            all.push(last = []);
        else if (isStepped)
            last.push([point[0], last[last.length - 1][1]]);
        last.push(point);
    });
    return all;
}

function trace(canvas, points) {
    points.forEach(([x, y], i) => i ? canvas.lineTo(x, y) : canvas.moveTo(x, y));
}

function fillArea(canvas, points, fill) {
    canvas.beginPath();
    trace(canvas, points);
    canvas.closePath();
    canvas.fillStyle = fill();
    canvas.fill();
}

function drawSeries(canvas, graph, x, y, look) {
    const {y: top, h} = graph.getArea();
    for (const points of stretches(graph, x, y, look.stepped)) {
        if (look.fill)
            fillArea(canvas, [[points[0][0], top + h], ...points, [points[points.length - 1][0], top + h]], look.fill);
        if (look.width) {
            canvas.beginPath();
            canvas.setLineDash(look.dash || []);
            [canvas.strokeStyle, canvas.lineWidth] = [look.stroke(), look.width];
            trace(canvas, points);
            canvas.stroke();
            canvas.setLineDash([]);
        }
        for (const [left, up] of look.size ? points : []) {
            canvas.beginPath();
            canvas.arc(left, up, look.size / 2, 0, 2 * Math.PI);
            canvas.fillStyle = look.stroke();
            canvas.fill();
        }
    }
}

/* bands: each between two series with gaps at the same places. */
function drawAll(canvas, graph, data, series, bands) {
    for (const {between: [low, high], fill} of bands) {
        const upper = stretches(graph, data[0], data[high]);
        stretches(graph, data[0], data[low]).forEach((points, i) => fillArea(canvas, [...points, ...upper[i].reverse()], fill));
    }
    series.forEach((look, i) => drawSeries(canvas, graph, data[0], data[i + 1], look));
}

/* data: the list of x, and one for each series, with null for gaps. options: x and y: {isLog,
 * range(least, largest)}, all optional. first (of y): the series that set the initial range, or all
 * if they have no values; axes: of x and y; series; bands. moved(index): position of the cursor;
 * null: gone. */
function plot(place, data, {x = {}, y = {}, axes, series, bands = []}, moved) {
    const all = data.slice(1).flat(), first = (y.first ?? []).flat().some(value => value !== null) ? y.first.flat() : all;
    const whole = {x: wholeRange(x, data[0]), y: wholeRange(y, all)}, mouse = Dygraph.defaultInteractionModel;
    const made = {cursor: null, isLog: {x: x.isLog, y: y.isLog}, x: data[0]};
    const colours = () => ({axisLineColor: colour("line"), gridLineColor: colour("line")});
    const at = row => moved(made.cursor = row);
    const cursorLine = (graph, _, canvas, left) => {
        const {y: top, h} = graph.getArea();
        canvas.fillStyle = colour("faint");
        canvas.fillRect(Math.round(left), top, 1, h);
    };
    const graph = new Dygraph(place, data[0].map((_, i) => data.map(list => list[i])), {
        labels: data.map((_, i) => String(i)), axisLabelFontSize: 12, rightGap: 24, gridLineWidth: 1, ...colours(),
        xlabel: asMarkup(axes[0].label), ylabel: asMarkup(axes[1].label), dateWindow: whole.x, valueRange: wholeRange(y, first),
        axes: {
            x: {logscale: !!x.isLog, ticker: ticksOf(x, axes[0].words), axisLabelWidth: 70},
            y: {logscale: !!y.isLog, ticker: ticksOf(y, axes[1].words), axisLabelWidth: 62},
        },
        plotter: event => event.seriesIndex || drawAll(event.drawingContext, event.dygraph, data, series, bands),
        // touch stays with the page, which scrolls
        interactionModel: {mousedown: mouse.mousedown, dblclick: mouse.dblclick, willDestroyContextMyself: true},
        drawHighlightPointCallback: cursorLine, highlightCallback: (event, value, points, row) => at(row), unhighlightCallback: () => at(null),
    });
    made.range = which => which === "x" ? graph.xAxisRange() : graph.yAxisRange();
    made.show = ranges => graph.updateOptions({dateWindow: ranges.x || made.range("x"), valueRange: ranges.y || made.range("y")});
    made.showAll = graph.resetZoom = () => made.show(whole);
    made.move = row => {
        graph.setSelection(row);
        at(row);
    };
    made.fit = () => graph.resize();
    made.repaint = () => graph.updateOptions(colours());
    return made;
}

/* size_page.c  Writes the results of sizing as an HTML page: tables, and for each motor a picture
 * of force against speed. The page has no scripts, and loads nothing. */
#include "size.h"

#include <float.h>
#include <math.h>

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width, initial-scale=1\"><meta http-equiv=\"Content-Security-Policy\" "
    "content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>Sizing</title><style>\n"
    ":root { color-scheme: light dark; --paper: #fff; --ink: #1b1f24; --faint: #5b6570; --line: #d0d7de; --panel: "
    "#f6f8fa;\n"
    "    --steps: #0072b2; --envelope: #00845f; --peak: #b42318; }\n"
    "@media (prefers-color-scheme: dark) { :root { --paper: #0d1117; --ink: #e6edf3; --faint: #9aa4ae; --line: "
    "#30363d;\n"
    "    --panel: #161b22; --steps: #5ab0f0; --envelope: #35c795; --peak: #ff7b72; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0 auto; max-width: 60rem; padding: 1rem 1rem 4rem; overflow-wrap: anywhere; background: "
    "var(--paper);\n"
    "    color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.4rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; border-bottom: 1px solid "
    "var(--line); }\n"
    "h3 { font-size: 1rem; margin: 1.5rem 0 .3rem; } h4 { font-size: 14px; margin: .8rem 0 .2rem; } p { margin: .4rem "
    "0; }\n"
    ".faint, figcaption { color: var(--faint); font-size: 13px; } .scroll { overflow-x: auto; }\n"
    ".motor { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: flex-start; }\n"
    "figure { margin: 0; flex: 1 1 20rem; max-width: 34rem; } svg { width: 100%; height: auto; display: block; }\n"
    "table { border-collapse: collapse; font-variant-numeric: tabular-nums; }\n"
    "th, td { padding: .15rem .5rem; font-size: 13px; text-align: right; border-bottom: 1px solid var(--line); "
    "white-space: nowrap; vertical-align: top; } small { color: var(--faint); font-size: 11.5px; }\n"
    "td.none { text-align: left; color: var(--faint); }\n"
    "@media (max-width: 30rem) { th, td { padding: .15rem; font-size: 11.5px; white-space: normal; overflow-wrap: "
    "normal; } }\n"
    "th { background: var(--panel); font-weight: 600; } th:first-child, td:first-child { text-align: left; }\n"
    "text { font: 14px system-ui, sans-serif; fill: var(--ink); } .axis { stroke: var(--faint); } .steps { fill: "
    "var(--steps); }\n"
    "@media (max-width: 30rem) { body { padding: .5rem .5rem 4rem; } }\n"
    ".grid { stroke: var(--line); } .rms { stroke: var(--ink); stroke-dasharray: 6 4; } .peak { fill: none; stroke: "
    "var(--peak); stroke-width: 2; }\n"
    ".envelope { fill: none; stroke: var(--envelope); stroke-width: 2.5; }\n"
    "</style></head><body>\n";

/* Size of the picture, and its frame, with room for numbers outside the frame: on the left for
 * eight characters, such as 0.000125. */
enum { WIDTH = 520, HEIGHT = 330, LEFT = 84, RIGHT = 508, TOP = 24, BOTTOM = 274 };

typedef struct Frame {
    double slowest, fastest, most; /* slowest, fastest: bounds of the speed along the force; most:
                                      largest force */
} Frame;

/* m or rad: if an axis moves less than this in the whole run, it stands still, and its speeds are
 * rounding. */
static const double still = 1e-6;

static double across(const Frame *frame, double speed)
{
    return LEFT + (RIGHT - LEFT) * (speed - frame->slowest) / (frame->fastest - frame->slowest);
}

static double up(const Frame *frame, double force)
{
    return BOTTOM - (BOTTOM - TOP) * force / frame->most;
}

/* The frame contains all classes with a step, and the envelope. */
static Frame frameOf(const ksiMotorSize *motor)
{
    const ksiMatrix *points = motor->points;
    const ksiEnvelope *envelope = motor->envelope;
    const bool isStill = motor->fastest * motor->time < still;
    Frame frame = {0, 0, 0};
    for (int i = 0; i < KSI_RANGE_CLASSES; i++)
        for (int k = 0; k < KSI_MEAN_CLASSES; k++) {
            if (points->halves[i][k] == 0)
                continue;
            frame.most = fmax(frame.most, (i + 1) * points->rangeWidth);
            if (isStill)
                continue;
            frame.slowest = fmin(frame.slowest, (k - KSI_MEAN_CLASSES / 2) * points->meanWidth);
            frame.fastest = fmax(frame.fastest, (k + 1 - KSI_MEAN_CLASSES / 2) * points->meanWidth);
        }
    for (int i = 0; envelope && i < envelope->count; i++) {
        frame.most = fmax(frame.most, envelope->force[i]);
        frame.fastest = fmax(frame.fastest, envelope->speed[i]);
        frame.slowest = frame.slowest < 0 ? fmin(frame.slowest, -envelope->speed[i]) : 0;
    }
    frame.most = frame.most > 0 ? 1.05 * frame.most : 1;
    frame.fastest = frame.fastest > 0 ? frame.fastest : 1;
    return frame;
}

/* The distance between numbers on an axis: 1, 2 or 5 times a power of ten. It fits into the span
 * two to five times. */
static double tickOf(double span)
{
    const double power = pow(10, floor(log10(span / 2))), share = span / 2 / power;
    return fmax(power * (share >= 5 ? 5 : share >= 2 ? 2 : 1), DBL_MIN);
}

static void addAxes(const Frame *frame, const char *unit, const char *rate, ksiText *out)
{
    static const double edge = 30; /* this close to the right edge, a number is right-aligned */
    const char *what = unit[1] ? "torque" : "force";
    const double force = tickOf(frame->most), speed = tickOf(frame->fastest - frame->slowest);
    for (int i = 0; i * force <= frame->most; i++) {
        const double y = up(frame, i * force);
        ksiTextAdd(out,
                   "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>",
                   LEFT, y, RIGHT, LEFT - 6, y + 5, i * force);
    }
    const double first = ceil(frame->slowest / speed - DBL_EPSILON);
    for (int i = isfinite(first) ? (int)first : 0; i * speed <= frame->fastest; i++) {
        const double x = across(frame, i * speed);
        ksiTextAdd(out,
                   "<path class=\"axis\" d=\"M%.1f %dv4\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">%.6g</text>", x,
                   BOTTOM, x, BOTTOM + 19, x > RIGHT - edge ? "end" : "middle", i * speed);
    }
    ksiTextAdd(out, "<path class=\"axis\" fill=\"none\" d=\"M%.1f %dV%dM%d %dH%d\"/>", across(frame, 0), TOP, BOTTOM,
               LEFT, BOTTOM, RIGHT);
    ksiTextAdd(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">speed along the %s, %s</text>", RIGHT, HEIGHT - 14,
               what, rate);
    ksiTextAdd(out, "<text x=\"%d\" y=\"%d\">%s, %s</text>", LEFT + 6, TOP - 4, what, unit);
}

/* Classes with more steps are darker, by the logarithm of the number. */
static void addSteps(const ksiMatrix *points, const Frame *frame, ksiText *out)
{
    uint64_t most = 1;
    for (int i = 0; i < KSI_RANGE_CLASSES; i++)
        for (int k = 0; k < KSI_MEAN_CLASSES; k++)
            most = points->halves[i][k] > most ? points->halves[i][k] : most;
    for (int i = 0; i < KSI_RANGE_CLASSES; i++)
        for (int k = 0; k < KSI_MEAN_CLASSES; k++) {
            const double count = (double)points->halves[i][k];
            const double x = across(frame, (k - KSI_MEAN_CLASSES / 2) * points->meanWidth),
                         y = up(frame, (i + 1) * points->rangeWidth);
            if (count > 0)
                ksiTextAdd(
                    out,
                    "<rect class=\"steps\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" opacity=\"%.2f\"/>", x,
                    y, fmax(across(frame, (k + 1 - KSI_MEAN_CLASSES / 2) * points->meanWidth) - x, 1),
                    fmax(up(frame, i * points->rangeWidth) - y, 1), 0.2 + 0.8 * log1p(count) / log1p((double)most));
        }
}

static void addEnvelope(const ksiEnvelope *envelope, const Frame *frame, ksiText *out)
{
    for (int sign = frame->slowest < 0 ? -1 : 1; sign <= 1; sign += 2) {
        ksiTextAdd(out, "<path class=\"envelope\" d=\"M");
        for (int i = 0; i < envelope->count; i++)
            ksiTextAdd(out, "%s%.1f %.1f", i > 0 ? "L" : "", across(frame, sign * envelope->speed[i]),
                       up(frame, envelope->force[i]));
        ksiTextAdd(out, "V%d\"/>", BOTTOM);
    }
}

static void addPicture(const ksiMotorSize *motor, double rms, const char *unit, const char *rate, ksiText *out)
{
    const Frame frame = frameOf(motor);
    const double force = motor->peak.value, speed = force < 0 ? -motor->speedAtPeak : motor->speedAtPeak;
    ksiTextAdd(out, "<figure><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s against speed\">", WIDTH, HEIGHT,
               unit[1] ? "torque" : "force");
    addSteps(motor->points, &frame, out);
    addAxes(&frame, unit, rate, out);
    if (isfinite(rms))
        ksiTextAdd(out, "<path class=\"rms\" d=\"M%d %.1fH%d\"/>", LEFT, up(&frame, rms), RIGHT);
    if (motor->envelope)
        addEnvelope(motor->envelope, &frame, out);
    if (isfinite(speed))
        ksiTextAdd(out, "<circle class=\"peak\" r=\"6\" cx=\"%.1f\" cy=\"%.1f\"/>", across(&frame, speed),
                   up(&frame, fabs(force)));
    ksiTextAdd(
        out, "</svg><figcaption>Steps, the darker the more; circle: the peak; dashes: RMS%s.%s</figcaption></figure>\n",
        motor->envelope ? "; line: the envelope" : "", frame.slowest < 0 ? " Left of 0 it is driven." : "");
}

/* --- Tables --- */

/* Do bars change one of the digits that are written? */
static bool areTold(double value, double low, double high)
{
    return isfinite(low) && isfinite(high) && high - low > 5e-4 * fabs(value);
}

/* time: s; NaN: no time. */
static void addRow(ksiText *out, const char *what, ksiBetween number, double time, const char *unit)
{
    ksiTextAdd(out, "<tr><td>%s</td><td>%.4g %s</td><td>", what, number.value, unit);
    if (areTold(number.value, number.low, number.high))
        ksiTextAdd(out, "%.4g to %.4g", number.low, number.high);
    else if (isinf(number.high) && isfinite(number.low))
        ksiTextAdd(out, "at least %.4g", number.low);
    ksiTextAdd(out, "</td><td>");
    if (isfinite(time))
        ksiTextAdd(out, "%.5g s", time);
    ksiTextAdd(out, "</td></tr>\n");
}

/* A cell with the number, and its bounds below. */
static void addCell(ksiText *out, ksiBetween number)
{
    ksiTextAdd(out, "<td>%.4g", number.value);
    if (areTold(number.value, number.low, number.high))
        ksiTextAdd(out, "<br><small>%.4g to %.4g</small>", number.low, number.high);
    ksiTextAdd(out, "</td>");
}

static void addMoment(ksiText *out, const ksiPeak *peak)
{
    ksiTextAdd(out, "<td>%.4g<br><small>%.5g&#160;s</small></td>", peak->value, peak->at.time);
}

static void addNone(ksiText *out, int columns, double bar, const char *unit)
{
    ksiTextAdd(out, "<td class=\"none\" colspan=\"%d\">none, within ± %.2g %s</td></tr>\n", columns, bar, unit);
}

static void addPeak(ksiText *out, const char *what, const ksiPeak *peak, const char *unit)
{
    if (peak->isKnown)
        addRow(out, what, (ksiBetween){peak->value, peak->value - peak->bar, peak->value + peak->bar}, peak->at.time,
               unit);
}

/* A load within its bar cannot be told from zero. */
static void addLoad(ksiText *out, const char *what, const ksiPeak *peak, const char *unit)
{
    if (!ksiPeakIsNone(peak)) {
        addPeak(out, what, peak, unit);
        return;
    }
    ksiTextAdd(out, "<tr><td>%s</td>", what);
    addNone(out, 3, peak->bar, unit);
}

static void addBetween(ksiText *out, const char *what, ksiBetween number, const char *unit)
{
    if (isfinite(number.value))
        addRow(out, what, number, NAN, unit);
}

static void addExact(ksiText *out, const char *what, double value, const char *unit)
{
    addRow(out, what, (ksiBetween){value, NAN, NAN}, NAN, unit);
}

static const char table[] =
    "<div class=\"scroll\"><table><tr><th></th><th>value</th><th>by bars</th><th>at</th></tr>\n";

static void addMotor(const ksiSizing *sizing, const ksiSizedJoint *joint, int axis, ksiText *out)
{
    const ksiMotorSize *motor = &joint->size->motor[axis];
    const bool isAlong = ksiIsAlong(joint, axis);
    const char *unit = isAlong ? "N" : "N.m", *rate = isAlong ? "m/s" : "rad/s";
    const ksiBetween rms = ksiMotorRms(motor, joint->size->lasted);
    if (!motor->isKnown)
        return;
    ksiTextAdd(out, "<h4>Motor %d</h4>", axis + 1);
    if (!motor->peak.isKnown) {
        ksiTextAdd(out, "<p>Not known in any of its steps.</p>\n");
        return;
    }
    ksiTextAdd(out, "<div class=\"motor\">");
    addPicture(motor, rms.value, unit, rate, out);
    ksiTextAdd(out, "%s", table);
    addLoad(out, "peak", &motor->peak, unit);
    if (!ksiPeakIsNone(&motor->peak))
        addExact(out, "speed at the peak", motor->speedAtPeak, rate);
    addBetween(out, "RMS", rms, unit);
    if (sizing->options->timeConstant > 0) {
        char what[48];
        snprintf(what, sizeof what, "continuous, over %.4g s", sizing->options->timeConstant);
        addBetween(out, what, motor->continuous, unit);
    }
    addExact(out, "fastest", motor->fastest, rate);
    addPeak(out, "most power", &motor->power[0], "W");
    addPeak(out, "least power", &motor->power[1], "W");
    addExact(out, "energy given", motor->given, "J");
    addExact(out, "energy taken", motor->taken, "J");
    addExact(out, "at its limit", 100 * motor->saturated / motor->time, "%");
    if (motor->saturated > 0)
        addExact(out, "longest at its limit", motor->longest, "s");
    if (motor->atStop > 0)
        addExact(out, "at a stop", 100 * motor->atStop / motor->time, "%");
    if (isfinite(motor->use.value))
        addPeak(out, "most of the envelope", &motor->use, "");
    if (motor->envelope)
        addExact(out, "beyond the envelope", 100 * motor->beyond / motor->time, "%");
    ksiTextAdd(out, "</table></div></div>\n");
}

/* The given data, on which life and static safety depend. */
static void addBearingData(const ksiBearingData *data, ksiText *out)
{
    ksiTextAdd(out, "<p class=\"faint\">Given:");
    if (isfinite(data->dynamic))
        ksiTextAdd(out, " C = %.6g N, %s;", data->dynamic, data->isRoller ? "rollers" : "balls");
    if (isfinite(data->fixed))
        ksiTextAdd(out, " C0 = %.6g N; X0 = %.4g, Y0 = %.4g;", data->fixed, data->x0, data->y0);
    ksiTextAdd(out, " X = %.4g, Y = %.4g, e = %.4g%s</p>\n", data->x, data->y, data->e,
               data->y == 0 ? ", so L10 is without the axial load" : "");
}

static void addBearing(const ksiJointSize *joint, ksiText *out)
{
    const ksiBearingSize *size = &joint->bearing;
    if (!joint->isBearing || !size->radial.isKnown)
        return;
    ksiTextAdd(out, "<h4>Bearing</h4>%s", table);
    addLoad(out, "radial", &size->radial, "N");
    addLoad(out, "axial", &size->axial, "N");
    addLoad(out, "tilting", &size->tilting, "N.m");
    addExact(out, "revolutions", size->revolutions, "");
    addBetween(out, "equivalent load, balls", ksiPowerMean(&size->load[0], ksiPowers[KSI_BALLS]), "N");
    addBetween(out, "equivalent load, rollers", ksiPowerMean(&size->load[1], ksiPowers[KSI_ROLLERS]), "N");
    addBetween(out, "L10", ksiBearingLife(joint), "million revolutions");
    addBetween(out, "L10", ksiBearingHours(joint), "h");
    addBetween(out, "static safety", ksiBearingSafety(joint), "");
    ksiTextAdd(out, "</table></div>\n");
    if (joint->data)
        addBearingData(joint->data, out);
}

static void addComponent(const ksiLoadSize *load, int which, bool hasDamage, ksiText *out)
{
    const char *unit = which < 3 ? "N" : "N.m";
    const double bar = fmax(load->least.bar, load->most.bar);
    if (!load->most.isKnown)
        return;
    ksiTextAdd(out, "<tr><td>%s, %s</td>", ksiSizedComponent[which], unit);
    if (ksiPeakIsNone(&load->least) && ksiPeakIsNone(&load->most)) {
        addNone(out, 6 + hasDamage, bar, unit);
        return;
    }
    addMoment(out, &load->least);
    addMoment(out, &load->most);
    ksiTextAdd(out, "<td>");
    if (isfinite(bar))
        ksiTextAdd(out, "%.2g", bar);
    ksiTextAdd(out, "</td>");
    addCell(out, ksiPowerMean(&load->square, 2));
    ksiTextAdd(out, "<td>%.6g</td><td>%.4g</td>", 0.5 * (double)load->halves, load->largestRange);
    if (load->woehler)
        addCell(out, load->damage);
    else if (hasDamage)
        ksiTextAdd(out, "<td></td>");
    ksiTextAdd(out, "</tr>\n");
}

static void addWoehler(const ksiWoehler *line, int which, ksiText *out)
{
    ksiTextAdd(out, "<p class=\"faint\">Given for %s: %.6g cycles of a range of %.6g %s; slope %.4g",
               ksiSizedComponent[which], line->cycles, line->range, which < 3 ? "N" : "N.m", line->slope);
    if (isinf(line->slopeBeyond))
        ksiTextAdd(out, ", no damage by smaller ranges");
    else if (line->slopeBeyond != line->slope)
        ksiTextAdd(out, ", %.4g for smaller ranges", line->slopeBeyond);
    ksiTextAdd(out, "</p>\n");
}

static void addComponents(const ksiJointSize *joint, ksiText *out)
{
    bool hasDamage = false;
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        hasDamage |= joint->load[i].woehler != NULL;
    ksiTextAdd(out,
               "<h4>Load</h4><div class=\"scroll\"><table><tr><th></th><th>least</th><th>most</th>"
               "<th>±</th><th>RMS</th><th>cycles</th><th>largest range</th>%s</tr>\n",
               hasDamage ? "<th>damage</th>" : "");
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        addComponent(&joint->load[i], i, hasDamage, out);
    ksiTextAdd(out, "</table></div>\n");
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        if (joint->load[i].woehler)
            addWoehler(joint->load[i].woehler, i, out);
}

static void addJoint(const ksiSizing *sizing, const ksiSizedJoint *joint, ksiText *out)
{
    const ksiJointSize *size = joint->size;
    ksiTextAdd(out, "<section><h3>");
    ksiTextAddXml(out, joint->name);
    ksiTextAdd(out, "</h3><p class=\"faint\">");
    ksiTextAddXml(out, joint->type);
    ksiTextAdd(out, ", torques about the ");
    ksiTellAbout(joint, out);
    if (size->unknown > 0)
        ksiTextAdd(out, "; not known, or not unique, in %llu of %llu step%s, which are left out",
                   (unsigned long long)size->unknown, (unsigned long long)size->steps, ksiPlural(size->steps));
    if (size->shared > 0)
        ksiTextAdd(out, "; shares its load as elastic joints would, in %llu of %llu step%s",
                   (unsigned long long)size->shared, (unsigned long long)size->steps, ksiPlural(size->steps));
    ksiTellMeanTurn(size, "; ", "", out);
    ksiTextAdd(out, "</p>\n");
    for (int axis = 0; axis < KSI_SIZED_AXES; axis++)
        addMotor(sizing, joint, axis, out);
    addBearing(size, out);
    addComponents(size, out);
    ksiTextAdd(out, "</section>\n");
}

void ksiSizingToPage(const ksiSizing *sizing, ksiText *out)
{
    ksiTextAdd(out, "%s<h1>Sizing of ", head);
    ksiTextAddXml(out, sizing->cleanPath);
    ksiTextAdd(out,
               "</h1>\n<p class=\"faint\">Loads on the first body of each joint: %s, in the axes of the joint (x: the "
               "axis of a "
               "hinge or slider). By bars: bounds of a number by its error bars, if they change its digits.%s</p>\n",
               ksiSizeValueName(sizing->options->value),
               sizing->options->isRepeated ? " Cycles are those of a run that repeats endlessly." : "");
    for (size_t i = 0; i < sizing->worldCount; i++) {
        const ksiSizedWorld *world = &sizing->world[i];
        ksiTextAdd(out, "<h2>");
        ksiTextAddXml(out, world->name);
        ksiTextAdd(out, ": %llu step%s, %.4g to %.4g s</h2>\n", (unsigned long long)world->steps,
                   ksiPlural(world->steps), world->begin, world->end);
        for (size_t k = 0; k < world->jointCount; k++)
            if (world->joint[k].size)
                addJoint(sizing, &world->joint[k], out);
    }
    ksiTextAdd(out, "</body></html>\n");
}

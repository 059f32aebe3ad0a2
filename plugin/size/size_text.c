/* size_text.c  Writes the results of sizing in words, for a screen. */
#include "size.h"

#include <math.h>

/* "12.3 (12.1 to 12.5)", without bounds if they are unknown or change no digit. "unlimited": an
 * infinite number, such as the life of a bearing without a load. "at least 12.1": the upper bound
 * is infinite, as for a bearing whose load may be zero. */
static void addBounded(ksiText *out, ksiBetween number)
{
    if (isinf(number.value)) {
        ksiTextAdd(out, "unlimited");
        return;
    }
    if (isinf(number.high) && isfinite(number.low)) {
        ksiTextAdd(out, "at least %.4g", number.low);
        return;
    }
    ksiTextAdd(out, "%.4g", number.value);
    if (isfinite(number.low) && isfinite(number.high) && number.high - number.low > 5e-4 * fabs(number.value))
        ksiTextAdd(out, " (%.4g to %.4g)", number.low, number.high);
}

static void addPeak(ksiText *out, const ksiPeak *peak, const char *unit)
{
    ksiTextAdd(out, "%.4g %s", peak->value, unit);
    if (isfinite(peak->bar))
        ksiTextAdd(out, " +- %.2g", peak->bar);
    ksiTextAdd(out, " at %.4g s", peak->at.time);
}

static void addNone(ksiText *out, double bar, const char *unit)
{
    ksiTextAdd(out, "none, within +- %.2g %s", bar, unit);
}

/* A load within its bar cannot be told from zero. */
static void addLoad(ksiText *out, const ksiPeak *peak, const char *unit)
{
    if (ksiPeakIsNone(peak))
        addNone(out, peak->bar, unit);
    else
        addPeak(out, peak, unit);
}

static void addMotor(const ksiSizing *sizing, const ksiSizedJoint *joint, int axis, ksiText *out)
{
    const ksiMotorSize *motor = &joint->size->motor[axis];
    const bool isAlong = ksiIsAlong(joint, axis);
    const char *unit = isAlong ? "N" : "N.m", *rate = isAlong ? "m/s" : "rad/s";
    if (!motor->isKnown)
        return;
    ksiTextAdd(out, "    motor %d  ", axis + 1);
    if (!motor->peak.isKnown) {
        ksiTextAdd(out, "not known in any of its steps\n");
        return;
    }
    ksiTextAdd(out, "peak ");
    addLoad(out, &motor->peak, unit);
    if (!ksiPeakIsNone(&motor->peak))
        ksiTextAdd(out, ", at %.4g %s", motor->speedAtPeak, rate);
    ksiTextAdd(out, "; rms ");
    addBounded(out, ksiMotorRms(motor, joint->size->lasted));
    if (sizing->options->timeConstant > 0) {
        ksiTextAdd(out, "; continuous, over %.4g s, ", sizing->options->timeConstant);
        addBounded(out, motor->continuous);
    }
    ksiTextAdd(out, " %s; up to %.4g %s\n", unit, motor->fastest, rate);
    ksiTextAdd(out, "             power %.4g to %.4g W; gives %.4g J, takes %.4g J", motor->power[1].value,
               motor->power[0].value, motor->given, motor->taken);
    if (motor->saturated > 0)
        ksiTextAdd(out, "; at its limit in %.3g %% of its %.4g s, for up to %.4g s at a time",
                   100 * motor->saturated / motor->time, motor->time, motor->longest);
    if (motor->atStop > 0)
        ksiTextAdd(out, "; at a stop in %.3g %%", 100 * motor->atStop / motor->time);
    if (motor->use.isKnown)
        ksiTextAdd(out, "\n             beyond its envelope in %.3g %%; ", 100 * motor->beyond / motor->time);
    if (motor->use.isKnown && isfinite(motor->use.value))
        ksiTextAdd(out, "%.4g of it at %.4g s", motor->use.value, motor->use.at.time);
    else if (motor->use.isKnown)
        ksiTextAdd(out, "where it has no force at %.4g s", motor->use.at.time);
    ksiTextAdd(out, "\n");
}

/* Writes "none" if the load exceeds its bar in no step. */
static void addEquivalent(const ksiPowerSum *load, double exponent, const char *kind, ksiText *out)
{
    const ksiBetween number = ksiPowerMean(load, exponent);
    if (number.low == 0) {
        addNone(out, number.high, "N");
    } else {
        addBounded(out, number);
        ksiTextAdd(out, " N");
    }
    ksiTextAdd(out, " (%s)", kind);
}

static void addBearing(const ksiJointSize *joint, ksiText *out)
{
    const ksiBearingSize *size = &joint->bearing;
    if (!joint->isBearing || !size->radial.isKnown)
        return;
    ksiTextAdd(out, "    bearing  radial ");
    addLoad(out, &size->radial, "N");
    ksiTextAdd(out, "; axial ");
    addLoad(out, &size->axial, "N");
    ksiTextAdd(out, "; tilting ");
    addLoad(out, &size->tilting, "N.m");
    ksiTextAdd(out, "\n             %.4g revolutions", size->revolutions);
    if (size->revolutions > 0) {
        ksiTextAdd(out, " under the equivalent load of ");
        addEquivalent(&size->load[0], ksiPowers[KSI_BALLS], "balls", out);
        ksiTextAdd(out, ", ");
        addEquivalent(&size->load[1], ksiPowers[KSI_ROLLERS], "rollers", out);
    }
    if (joint->data && isfinite(joint->data->dynamic) && size->revolutions > 0) {
        ksiTextAdd(out, "\n             L10 ");
        addBounded(out, ksiBearingLife(joint));
        ksiTextAdd(out, " million revolutions, ");
        addBounded(out, ksiBearingHours(joint));
        ksiTextAdd(out, " h of such runs%s",
                   joint->data->y == 0 && !ksiPeakIsNone(&size->axial) ? " without the axial load (Y = 0)" : "");
    }
    if (joint->data && isfinite(joint->data->fixed)) {
        ksiTextAdd(out, "; static safety ");
        addBounded(out, ksiBearingSafety(joint));
    }
    ksiTextAdd(out, "\n");
}

static void addComponent(const ksiLoadSize *load, int which, ksiText *out)
{
    const char *unit = which < 3 ? "N" : "N.m";
    if (!load->most.isKnown)
        return;
    ksiTextAdd(out, "    %s       ", ksiSizedComponent[which]);
    if (ksiPeakIsNone(&load->least) && ksiPeakIsNone(&load->most)) {
        addNone(out, fmax(load->least.bar, load->most.bar), unit);
        ksiTextAdd(out, "\n");
        return;
    }
    addPeak(out, &load->least, unit);
    ksiTextAdd(out, "  to  ");
    addPeak(out, &load->most, unit);
    ksiTextAdd(out, ";  rms ");
    addBounded(out, ksiPowerMean(&load->square, 2));
    ksiTextAdd(out, ";  %.6g cycle%s, the largest of %.4g", 0.5 * (double)load->halves, load->halves == 2 ? "" : "s",
               load->largestRange);
    if (load->woehler) {
        ksiTextAdd(out, ";  damage ");
        addBounded(out, load->damage);
    }
    ksiTextAdd(out, "\n");
}

static void addJoint(const ksiSizing *sizing, const ksiSizedJoint *joint, ksiText *out)
{
    const ksiJointSize *size = joint->size;
    ksiTextAdd(out, "\n  %s (%s), torques about the ", joint->name, joint->type);
    ksiTellAbout(joint, out);
    ksiTextAdd(out, "\n");
    if (size->unknown > 0)
        ksiTextAdd(out, "    not known, or not unique, in %llu of %llu step%s: these are left out\n",
                   (unsigned long long)size->unknown, (unsigned long long)size->steps, ksiPlural(size->steps));
    if (size->shared > 0)
        ksiTextAdd(out, "    shares its load as elastic joints would, in %llu of %llu step%s\n",
                   (unsigned long long)size->shared, (unsigned long long)size->steps, ksiPlural(size->steps));
    ksiTellMeanTurn(size, "    ", "\n", out);
    for (int axis = 0; axis < KSI_SIZED_AXES; axis++)
        addMotor(sizing, joint, axis, out);
    addBearing(size, out);
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        addComponent(&size->load[i], i, out);
}

void ksiSizingToText(const ksiSizing *sizing, ksiText *out)
{
    const ksiSizeOptions *options = sizing->options;
    for (size_t i = 0; i < sizing->worldCount; i++) {
        const ksiSizedWorld *world = &sizing->world[i];
        ksiTextAdd(out, "%sWorld \"%s\": %llu step%s, %.4g to %.4g s.\n", i > 0 ? "\n" : "", world->name,
                   (unsigned long long)world->steps, ksiPlural(world->steps), world->begin, world->end);
        ksiTextAdd(out,
                   "Loads on the first body of each joint: %s, in the axes of the joint (x: the axis of a hinge or "
                   "slider)%s.%s\n",
                   ksiSizeValueName(options->value),
                   options->value == KS_ENGINE ? "; they have no bars" : "; +- and (... to ...): their error bars",
                   options->isRepeated ? " Cycles are those of a run that repeats endlessly." : "");
        for (size_t k = 0; k < world->jointCount; k++)
            if (world->joint[k].size)
                addJoint(sizing, &world->joint[k], out);
    }
    if (ksiSizedCount(sizing) == 0)
        ksiTextAdd(out, "No joint was chosen: the file has no such joint or time.\n");
}

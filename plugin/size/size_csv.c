/* size_csv.c  Writes the results of sizing as CSV: a line for each number, or for each class of
 * cycles. */
#include "size.h"

#include <math.h>

typedef struct Where {
    const ksiSizedWorld *world;
    const ksiSizedJoint *joint;
    ksiText *out;
} Where;

static void addName(const Where *where)
{
    ksiTextAddCsv(where->out, where->world->name);
    ksiTextAdd(where->out, ",");
    ksiTextAddCsv(where->out, where->joint->name);
}

static void addReal(ksiText *out, double value)
{
    if (isfinite(value))
        ksiTextAdd(out, "%.17g", value);
}

static void addNumber(const Where *where, const char *part, const char *quantity, const char *unit, ksiBetween number)
{
    addName(where);
    ksiTextAdd(where->out, ",%s,%s,%s,", part, quantity, unit);
    addReal(where->out, number.value);
    ksiTextAdd(where->out, ",");
    addReal(where->out, number.low);
    ksiTextAdd(where->out, ",");
    addReal(where->out, number.high);
    ksiTextAdd(where->out, ",,\n");
}

static void addExact(const Where *where, const char *part, const char *quantity, const char *unit, double value)
{
    addNumber(where, part, quantity, unit, (ksiBetween){value, value, value});
}

static void addPeak(const Where *where, const char *part, const char *quantity, const char *unit, const ksiPeak *peak)
{
    if (!peak->isKnown)
        return;
    addName(where);
    ksiTextAdd(where->out, ",%s,%s,%s,", part, quantity, unit);
    addReal(where->out, peak->value);
    ksiTextAdd(where->out, ",");
    addReal(where->out, peak->value - peak->bar);
    ksiTextAdd(where->out, ",");
    addReal(where->out, peak->value + peak->bar);
    ksiTextAdd(where->out, ",%lld,%.17g\n", (long long)peak->at.step, peak->at.time);
}

static void addAbout(const Where *where)
{
    static const char axis[] = "xyz";
    const ksiPointRule *point = where->joint->point;
    char words[64];
    snprintf(words, sizeof words, "torques about the %s", ksiSizedAbout(where->joint));
    addExact(where, "joint", words, "", NAN);
    for (int i = 0; point && i < 3; i++) {
        snprintf(words, sizeof words, "point %c of body %d", axis[i], point->body);
        addExact(where, "joint", words, "m", point->place[i]);
    }
}

static void addComponents(const Where *where)
{
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++) {
        const ksiLoadSize *load = &where->joint->size->load[i];
        const char *part = ksiSizedComponent[i], *unit = i < 3 ? "N" : "N.m";
        const double bar = load->largestRangeBar;
        addPeak(where, part, "least", unit, &load->least);
        addPeak(where, part, "most", unit, &load->most);
        addNumber(where, part, "rms", unit, ksiPowerMean(&load->square, 2));
        addExact(where, part, "cycles", "1", 0.5 * (double)load->halves);
        addNumber(where, part, "largest range", unit,
                  (ksiBetween){load->largestRange, load->largestRange - bar, load->largestRange + bar});
        if (load->woehler)
            addNumber(where, part, "damage", "1", load->damage);
    }
}

static void addBearing(const Where *where)
{
    static const char *const kind[KSI_BEARINGS] = {"equivalent load ball", "equivalent load roller"};
    const ksiJointSize *size = where->joint->size;
    if (!size->isBearing)
        return;
    addPeak(where, "bearing", "radial", "N", &size->bearing.radial);
    addPeak(where, "bearing", "axial", "N", &size->bearing.axial);
    addPeak(where, "bearing", "tilting", "N.m", &size->bearing.tilting);
    addExact(where, "bearing", "revolutions", "1", size->bearing.revolutions);
    for (int i = 0; i < KSI_BEARINGS; i++)
        addNumber(where, "bearing", kind[i], "N", ksiPowerMean(&size->bearing.load[i], ksiPowers[KSI_BALLS + i]));
    if (size->data && isfinite(size->data->dynamic)) {
        addNumber(where, "bearing", "life", "1e6 revolutions", ksiBearingLife(size));
        addNumber(where, "bearing", "life", "h", ksiBearingHours(size));
    }
    if (size->data && isfinite(size->data->fixed))
        addNumber(where, "bearing", "static safety", "1", ksiBearingSafety(size));
}

static void addMotor(const Where *where, const ksiSizing *sizing, int axis)
{
    const ksiMotorSize *motor = &where->joint->size->motor[axis];
    const bool isAlong = ksiIsAlong(where->joint, axis);
    const char *unit = isAlong ? "N" : "N.m", *rate = isAlong ? "m/s" : "rad/s";
    char part[24];
    if (!motor->isKnown)
        return;
    snprintf(part, sizeof part, "motor %d", axis + 1);
    addPeak(where, part, "peak", unit, &motor->peak);
    addExact(where, part, "speed at peak", rate, motor->speedAtPeak);
    addExact(where, part, "fastest", rate, motor->fastest);
    addNumber(where, part, "rms", unit, ksiMotorRms(motor, where->joint->size->lasted));
    if (sizing->options->timeConstant > 0)
        addNumber(where, part, "continuous", unit, motor->continuous);
    addPeak(where, part, "most power given", "W", &motor->power[0]);
    addPeak(where, part, "most power taken", "W", &motor->power[1]);
    addExact(where, part, "energy given", "J", motor->given);
    addExact(where, part, "energy taken", "J", motor->taken);
    addExact(where, part, "time", "s", motor->time);
    addExact(where, part, "saturated", "s", motor->saturated);
    addExact(where, part, "saturated at a time", "s", motor->longest);
    addExact(where, part, "at stop", "s", motor->atStop);
    if (motor->envelope) {
        addPeak(where, part, "use of envelope", "1", &motor->use);
        addExact(where, part, "beyond envelope", "s", motor->beyond);
    }
}

void ksiSizingToCsv(const ksiSizing *sizing, ksiText *out)
{
    ksiTextAdd(out, "world,joint,part,quantity,unit,value,low,high,step,time[s]\n");
    for (size_t i = 0; i < sizing->worldCount; i++)
        for (size_t k = 0; k < sizing->world[i].jointCount; k++) {
            const Where where = {&sizing->world[i], &sizing->world[i].joint[k], out};
            if (!where.joint->size)
                continue;
            addExact(&where, "joint", "time", "s", where.joint->size->time);
            addExact(&where, "joint", "unknown", "steps", (double)where.joint->size->unknown);
            addAbout(&where);
            if (sizing->options->value == KS_MEAN)
                addExact(&where, "joint", "turn in a mean", "rad", where.joint->size->meanTurn);
            addComponents(&where);
            addBearing(&where);
            for (int axis = 0; axis < KSI_SIZED_AXES; axis++)
                addMotor(&where, sizing, axis);
        }
}

static void addMatrix(const Where *where, int component)
{
    const ksiMatrix *matrix = where->joint->size->load[component].matrix;
    for (int i = 0; i < KSI_RANGE_CLASSES; i++)
        for (int k = 0; k < KSI_MEAN_CLASSES; k++) {
            if (matrix->halves[i][k] == 0)
                continue;
            addName(where);
            ksiTextAdd(where->out, ",%s,%s,%.17g,%.17g,%.17g,%.17g,%.17g\n", ksiSizedComponent[component],
                       component < 3 ? "N" : "N.m", i * matrix->rangeWidth, (i + 1) * matrix->rangeWidth,
                       (k - KSI_MEAN_CLASSES / 2) * matrix->meanWidth,
                       (k + 1 - KSI_MEAN_CLASSES / 2) * matrix->meanWidth, 0.5 * (double)matrix->halves[i][k]);
        }
}

void ksiSizingToSpectra(const ksiSizing *sizing, ksiText *out)
{
    ksiTextAdd(out, "world,joint,component,unit,range_from,range_to,mean_from,mean_to,cycles\n");
    for (size_t i = 0; i < sizing->worldCount; i++)
        for (size_t k = 0; k < sizing->world[i].jointCount; k++) {
            const Where where = {&sizing->world[i], &sizing->world[i].joint[k], out};
            for (int c = 0; c < KSI_SIZED_COMPONENTS && where.joint->size; c++)
                addMatrix(&where, c);
        }
}

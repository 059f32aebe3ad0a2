/* size_json.c  Writes the results of sizing as JSON: docs/sizing.md. Unknown numbers are null. */
#include "size.h"

#include <math.h>

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *bounded(ksiBetween number)
{
    return json_pack("{s:o, s:o, s:o}", "value", real(number.value), "low", real(number.low), "high",
                     real(number.high));
}

static json_t *peak(const ksiPeak *at)
{
    if (!at->isKnown)
        return json_null();
    return json_pack("{s:o, s:o, s:I, s:o}", "value", real(at->value), "bar", real(at->bar), "step",
                     (json_int_t)at->at.step, "time", real(at->at.time));
}

/* A list of [range, mean, cycles]. range, mean: where the class begins. */
static json_t *matrix(const ksiMatrix *cycles)
{
    json_t *list = json_array();
    for (int i = 0; i < KSI_RANGE_CLASSES; i++)
        for (int k = 0; k < KSI_MEAN_CLASSES; k++)
            if (cycles->halves[i][k] > 0)
                json_array_append_new(list, json_pack("[f, f, f]", i * cycles->rangeWidth,
                                                      (k - KSI_MEAN_CLASSES / 2) * cycles->meanWidth,
                                                      0.5 * (double)cycles->halves[i][k]));
    return list;
}

static json_t *component(const ksiLoadSize *load)
{
    json_t *made = json_pack("{s:o, s:o, s:o, s:f, s:{s:o, s:o}, s:I, s:o, s:o, s:o}", "least", peak(&load->least),
                             "most", peak(&load->most), "rms", bounded(ksiPowerMean(&load->square, 2)), "cycles",
                             0.5 * (double)load->halves, "largestRange", "value", real(load->largestRange), "bar",
                             real(load->largestRangeBar), "countedEarly", (json_int_t)load->flow.early, "rangeClass",
                             real(load->matrix->rangeWidth), "meanClass", real(load->matrix->meanWidth), "matrix",
                             matrix(load->matrix));
    if (load->woehler)
        json_object_set_new(made, "damage", bounded(load->damage));
    return made;
}

static json_t *bearing(const ksiJointSize *joint)
{
    const ksiBearingSize *size = &joint->bearing;
    json_t *made =
        json_pack("{s:o, s:o, s:o, s:o, s:{s:o, s:o}}", "radial", peak(&size->radial), "axial", peak(&size->axial),
                  "tilting", peak(&size->tilting), "revolutions", real(size->revolutions), "equivalentLoad", "ball",
                  bounded(ksiPowerMean(&size->load[0], ksiPowers[KSI_BALLS])), "roller",
                  bounded(ksiPowerMean(&size->load[1], ksiPowers[KSI_ROLLERS])));
    if (joint->data && isfinite(joint->data->dynamic)) {
        json_object_set_new(made, "life", bounded(ksiBearingLife(joint)));
        json_object_set_new(made, "lifeHours", bounded(ksiBearingHours(joint)));
    }
    if (joint->data && isfinite(joint->data->fixed))
        json_object_set_new(made, "staticSafety", bounded(ksiBearingSafety(joint)));
    return made;
}

static json_t *motor(const ksiMotorSize *size, int axis, bool hasTimeConstant, double time)
{
    json_t *made =
        json_pack("{s:i, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o}, s:o, s:o, s:o, s:o, s:I}", "axis", axis,
                  "peak", peak(&size->peak), "speedAtPeak", real(size->speedAtPeak), "fastest", real(size->fastest),
                  "rms", bounded(ksiMotorRms(size, time)), "power", "given", peak(&size->power[0]), "taken",
                  peak(&size->power[1]), "energy", "given", real(size->given), "taken", real(size->taken), "time",
                  real(size->time), "saturated", real(size->saturated), "longestSaturated", real(size->longest),
                  "atStop", real(size->atStop), "unknown", (json_int_t)size->unknown);
    if (hasTimeConstant)
        json_object_set_new(made, "continuous", bounded(size->continuous));
    if (size->envelope)
        json_object_set_new(made, "envelope",
                            json_pack("{s:o, s:o}", "use", peak(&size->use), "beyond", real(size->beyond)));
    return made;
}

static json_t *joint(const ksiSizedJoint *of, const ksiSizeOptions *options)
{
    const ksiJointSize *size = of->size;
    json_t *made = json_pack("{s:s, s:s, s:[I, I], s:s, s:o, s:I, s:I, s:I}", "name", of->name, "type", of->type,
                             "bodies", (json_int_t)of->body[0], (json_int_t)of->body[1], "about", ksiSizedAbout(of),
                             "time", real(size->time), "steps", (json_int_t)size->steps, "unknown",
                             (json_int_t)size->unknown, "shared", (json_int_t)size->shared);
    json_t *components = json_object(), *motors = json_array();
    if (of->point)
        json_object_set_new(made, "point",
                            json_pack("{s:i, s:[f, f, f]}", "body", of->point->body, "place", of->point->place[0],
                                      of->point->place[1], of->point->place[2]));
    for (int i = 0; i < KSI_SIZED_COMPONENTS; i++)
        json_object_set_new(components, ksiSizedComponent[i], component(&size->load[i]));
    json_object_set_new(made, "components", components);
    if (options->value == KS_MEAN)
        json_object_set_new(made, "meanTurn", real(size->meanTurn));
    if (size->isBearing)
        json_object_set_new(made, "bearing", bearing(size));
    for (int axis = 0; axis < KSI_SIZED_AXES; axis++)
        if (size->motor[axis].isKnown)
            json_array_append_new(motors, motor(&size->motor[axis], axis, options->timeConstant > 0, size->lasted));
    json_object_set_new(made, "motors", motors);
    return made;
}

json_t *ksiSizingToJson(const ksiSizing *sizing)
{
    const ksiSizeOptions *options = sizing->options;
    json_t *worlds = json_array();
    for (size_t i = 0; i < sizing->worldCount; i++) {
        const ksiSizedWorld *world = &sizing->world[i];
        json_t *joints = json_array();
        for (size_t k = 0; k < world->jointCount; k++)
            if (world->joint[k].size)
                json_array_append_new(joints, joint(&world->joint[k], options));
        json_array_append_new(worlds, json_pack("{s:s, s:I, s:o, s:o, s:o}", "name", world->name, "steps",
                                                (json_int_t)world->steps, "begin", real(world->begin), "end",
                                                real(world->end), "joints", joints));
    }
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:b, s:o, s:o}", "schema", "kinetostat-size", "version", 1,
                     "kinetostat", PACKAGE_VERSION, "file", sizing->cleanPath, "value",
                     ksiSizeValueName(options->value), "repeated", options->isRepeated, "timeConstant",
                     options->timeConstant > 0 ? json_real(options->timeConstant) : json_null(), "worlds", worlds);
}

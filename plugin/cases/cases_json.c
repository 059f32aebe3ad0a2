/* cases_json.c  Writes load cases as JSON: docs/sizing.md. Unknown numbers are null. */
#include "cases.h"

#include <math.h>

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *reals(const double *value, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, real(value[i]));
    return list;
}

static json_t *loadToJson(const ksiLoad *load)
{
    static const char *const kind[] = {"joint", "contact", "applied"};
    return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name", load->name, "kind", kind[load->kind], "point",
                     reals(load->point, 3), "force", reals(load->force, 3), "torque", reals(load->torque, 3),
                     "forceBar", real(load->bar[0]), "torqueBar", real(load->bar[1]));
}

static json_t *extremeToJson(const ksiExtreme *e)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o}", "load", e->load, "quantity", ksiCaseQuantity[e->quantity], "extreme",
                     e->isMost ? "most" : "least", "value", real(e->value), "bar", real(e->bar));
}

static json_t *caseToJson(const ksiLoadCases *cases, const ksiLoadCase *moment)
{
    double force[3], torque[3];
    json_t *loads = json_array(), *extremes = json_array();
    ksiInertiaLoad(moment, &cases->matter, force, torque);
    for (size_t i = 0; i < moment->count; i++)
        json_array_append_new(loads, loadToJson(&moment->load[i]));
    for (size_t i = 0; i < cases->extremeCount; i++)
        if (cases->extreme[i].moment == moment)
            json_array_append_new(extremes, extremeToJson(&cases->extreme[i]));
    return json_pack("{s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:{s:o, s:o}, s:{s:o, s:o}}", "extremes",
                     extremes, "step", (json_int_t)moment->step, "time", real(moment->time), "position",
                     reals(moment->position, 3), "rotation", reals(moment->rotation, 9), "gravity",
                     reals(moment->gravity, 3), "acceleration", reals(moment->acceleration, 3), "angularVelocity",
                     reals(moment->spin, 3), "angularAcceleration", reals(moment->turning, 3), "loads", loads,
                     "inertia", "force", reals(force, 3), "torque", reals(torque, 3), "residual", "force",
                     reals(moment->residual[0], 3), "torque", reals(moment->residual[1], 3));
}

json_t *ksiLoadCasesToJson(const ksiLoadCases *cases)
{
    json_t *list = json_array();
    for (size_t i = 0; i < cases->count; i++)
        json_array_append_new(list, caseToJson(cases, cases->moment[i]));
    return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:I, s:o, s:o, s:I, s:I, s:o, s:o, s:o}", "schema",
                     "kinetostat-load-cases", "version", 1, "kinetostat", PACKAGE_VERSION, "file", cases->cleanPath,
                     "value", cases->options->value == KS_MEAN ? "mean" : "physical", "world", cases->world, "body",
                     (json_int_t)cases->body, "mass", real(cases->matter.mass), "inertiaTensor",
                     reals(cases->matter.inertia, 9), "steps", (json_int_t)cases->steps, "unknown",
                     (json_int_t)cases->unknown, "begin", real(cases->begin), "end", real(cases->end), "cases", list);
}

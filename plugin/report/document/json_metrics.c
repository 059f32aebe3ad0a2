/* json_metrics.c  The quantities of a report in a JSON document. */
#include "json.h"

#include "../findings/advice.h"

static json_t *vector(const double *v)
{
    return json_pack("[o, o, o]", ksiJsonNumber(v[0]), ksiJsonNumber(v[1]), ksiJsonNumber(v[2]));
}

static json_t *bins(const ksiHistogram *histogram)
{
    json_t *array = json_array();
    for (size_t i = 0; i < histogram->count; i++)
        ksiJsonAppend(array, json_pack("[o, o]", ksiJsonNumber(ksiBinBegin(histogram->bin[i].number)),
                                       ksiJsonCount(histogram->bin[i].count)));
    return array;
}

static void putWrenches(const ksiMoment *moment, json_t *object)
{
    ksiJsonPut(object, "about", json_string(moment->isAtAnchor ? "anchor" : "mass centre"));
    for (int i = 0; i < KSI_VALUES; i++)
        ksiJsonPut(
            object, ksiLoadName[i],
            json_pack("{s:o, s:o}", "force", vector(moment->wrench[i]), "torque", vector(moment->wrench[i] + 3)));
}

static json_t *instant(uint64_t step, double time, double value)
{
    return json_pack("{s:o, s:o, s:o}", "step", ksiJsonCount(step), "time", ksiJsonNumber(time), "value",
                     ksiJsonNumber(value));
}

static json_t *momentOf(const ksiMoment *moment, bool hasLoad, bool hasWrench)
{
    if (!moment->isKnown)
        return json_null();
    json_t *object = instant(moment->step, moment->time, moment->value);
    ksiJsonPut(object, "bar", ksiJsonNumber(moment->bar));
    if (hasLoad)
        ksiJsonPut(object, "load", ksiJsonNumber(moment->load));
    if (moment->body[0])
        ksiJsonPut(object, "bodies", hasWrench ? ksiJsonBodies(moment->body) : json_pack("[i]", moment->body[0]));
    if (hasWrench)
        putWrenches(moment, object);
    return object;
}

json_t *ksiJsonError(const ksiErrorStats *error, bool hasWrench, bool isWhole)
{
    json_t *object = ksiJsonQuantiles(&error->size);
    ksiJsonPut(object, "worst", momentOf(&error->worst, hasWrench, hasWrench && isWhole));
    if (isWhole)
        ksiJsonPut(object, "histogram", bins(&error->size));
    return object;
}

static json_t *gapOf(const ksiGap *gap)
{
    return gap->isKnown ? instant(gap->step, gap->time, gap->value) : json_null();
}

static json_t *reachOf(const ksiReach *reach)
{
    if (!reach->isKnown)
        return json_null();
    json_t *object = instant(reach->step, reach->time, reach->value);
    ksiJsonPut(object, "bar", ksiJsonNumber(reach->bar));
    return object;
}

static json_t *undeterminedOf(const ksiUndetermined *undetermined)
{
    json_t *object = json_object(), *component = json_object();
    ksiJsonPut(object, "freeDirections", json_integer(undetermined->mostDirections));
    for (int i = 0; i < KSI_COMPONENTS; i++) {
        if (undetermined->steps[i] > 0)
            ksiJsonPut(component, ksiComponentName(i), ksiJsonCount(undetermined->steps[i]));
    }
    ksiJsonPut(object, "components", component);
    return object;
}

static json_t *complianceOf(const ksiCompliance *compliance)
{
    return json_pack("{s:o, s:o}", "share", ksiJsonNumber(compliance->share), "cfm", ksiJsonNumber(compliance->cfm));
}

static json_t *elementOf(ksiKind kind, const void *x, dJointType type, bool isWhole)
{
    switch (kind) {
    case KSI_KIND_COUNT:
        return ksiJsonCount(*(const uint64_t *)x);
    case KSI_KIND_LARGEST:
        return *(const double *)x > 0 ? ksiJsonNumber(*(const double *)x) : json_null();
    case KSI_KIND_HISTOGRAM:
        return ksiJsonQuantiles(x);
    case KSI_KIND_ERROR:
        return ksiJsonError(x, true, isWhole);
    case KSI_KIND_MOMENT:
        return momentOf(x, false, isWhole);
    case KSI_KIND_BORNE:
        return reachOf(&((const ksiBorne *)x)->largest);
    case KSI_KIND_UNDETERMINED:
        return undeterminedOf(x);
    case KSI_KIND_MOTORS:
        return ksiMotorsToJson(x, type);
    case KSI_KIND_GAP:
        return gapOf(x);
    case KSI_KIND_COMPLIANCE:
        return complianceOf(x);
    case KSI_KIND_OPENING:
        break;
    }
    return json_null();
}

static bool isEmpty(ksiKind kind, const void *x)
{
    return kind == KSI_KIND_HISTOGRAM ? ((const ksiHistogram *)x)->total == 0 : *(const uint64_t *)x == 0;
}

static json_t *elementsOf(const ksiMetric *row, const void *structure, dJointType type, bool isWhole)
{
    json_t *object = json_object();
    for (int i = 0; i < row->count; i++) {
        const void *x = ksiMetricAt(row, structure, i);
        if (i < row->always || !isEmpty(row->kind, x))
            ksiJsonPut(object, row->nameOf(i), elementOf(row->kind, x, type, isWhole));
    }
    return object;
}

void ksiJsonPutMetrics(const ksiMetrics *metrics, const void *structure, dJointType type, bool isWhole, json_t *object)
{
    for (const ksiMetric *row = metrics->row; row < metrics->row + metrics->count; row++)
        if (row->name && (isWhole || row->kind != KSI_KIND_GAP))
            ksiJsonPut(object, row->name,
                       row->nameOf ? elementsOf(row, structure, type, isWhole)
                                   : elementOf(row->kind, ksiMetricAt(row, structure, 0), type, isWhole));
}

/* json_values.c  Builds a JSON document, and converts it to text. */
#include "json.h"

#include "../findings/advice.h"

#include <stdlib.h>

/* Memory ran out: the document is incomplete. */
static _Thread_local bool isShort;

void ksiJsonMiss(bool isMissing)
{
    isShort |= isMissing;
}

void ksiJsonPut(json_t *object, const char *key, json_t *value)
{
    isShort |= json_object_set_new(object, key, value) != 0;
}

void ksiJsonAppend(json_t *array, json_t *value)
{
    isShort |= json_array_append_new(array, value) != 0;
}

json_t *ksiJsonText(ksiText *text)
{
    json_t *value = text->at ? json_string(text->at) : json_null();
    isShort |= text->isShort;
    ksiTextFree(text);
    return value;
}

void ksiTextAddJson(ksiText *out, json_t *value, size_t flags)
{
    char *text = value ? json_dumps(value, flags) : NULL;
    if (text)
        ksiTextAddBytes(out, text, strlen(text));
    out->isShort |= !text;
    free(text);
    json_decref(value);
}

void ksiJsonBegin(void)
{
    isShort = false;
}

bool ksiJsonEnd(void)
{
    return !isShort;
}

json_t *ksiJsonQuantiles(const ksiHistogram *histogram)
{
    json_t *object = json_object();
    ksiJsonPut(object, "count", ksiJsonCount(histogram->total));
    ksiJsonPut(object, "median", ksiJsonNumber(ksiQuantile(histogram, 50)));
    ksiJsonPut(object, "p95", ksiJsonNumber(ksiQuantile(histogram, KSI_PERCENTILE)));
    ksiJsonPut(object, "largest", ksiJsonNumber(ksiQuantile(histogram, 100)));
    return object;
}

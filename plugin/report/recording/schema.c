/* schema.c  The fields of a record, as JSON: docs/recordings.md. */
#include "schema.h"

#include "../files/joint_type.h"

#include "../../replay/record.h"

#include <jansson.h>
#include <stdio.h>

static const char *nameOfKind(ksiFieldKind kind)
{
    switch (kind) {
    case KSI_INTEGER:
    case KSI_CHOICE:
        return "integer";
    case KSI_TEXT:
        return "text";
    case KSI_BOUND:
        return "number or infinite";
    case KSI_REAL:
        return "finite";
    case KSI_POSITIVE:
        return "positive";
    default:
        return "number";
    }
}

static json_t *fieldToJson(const ksiField *field, size_t word)
{
    json_t *made = json_pack("{s:s, s:I, s:i, s:s, s:s}", "name", field->name, "word", (json_int_t)word, "count",
                             (int)field->count, "kind", nameOfKind(field->kind), "unit", field->unit);
    if (field->kind == KSI_INTEGER || field->kind == KSI_CHOICE)
        json_object_set_new(made, "range", json_pack("[I, I]", (json_int_t)field->low, (json_int_t)field->high));
    return made;
}

static json_t *fieldsToJson(const ksiFields *fields)
{
    json_t *list = json_array();
    size_t word = 0;
    for (size_t i = 0; i < fields->count; i++) {
        if (fields->field[i].kind == KSI_UNUSED)
            continue;
        json_array_append_new(list, fieldToJson(&fields->field[i], word));
        word += fields->field[i].count;
    }
    return json_pack("{s:I, s:o}", "words", (json_int_t)word, "fields", list);
}

static json_t *jointsToJson(void)
{
    json_t *list = json_object();
    for (int type = 1; type < KSI_JOINT_TYPES; type++) {
        const ksiFields *fields = ksiFieldsOfType(type);
        char number[16];
        snprintf(number, sizeof number, "%d", type);
        json_t *made = fields ? fieldsToJson(fields) : NULL;
        if (!made)
            continue;
        json_object_set_new(made, "name", json_string(ksiTypeName((dJointType)type)));
        json_object_set_new(list, number, made);
    }
    return list;
}

char *ksiRecordSchema(void)
{
    json_t *parts = json_object();
    for (ksiRecordPart part = KSI_STEP_PART; part < KSI_RECORD_PARTS; part++)
        json_object_set_new(parts, ksiRecordFields(part)->name, fieldsToJson(ksiRecordFields(part)));
    json_t *schema =
        json_pack("{s:i, s:o, s:o}", "version", KSI_RECORD_VERSION, "parts", parts, "joint_types", jointsToJson());
    char *text = schema ? json_dumps(schema, JSON_COMPACT | JSON_PRESERVE_ORDER) : NULL;
    json_decref(schema);
    return text;
}

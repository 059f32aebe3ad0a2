/* schema.c  The fields of a record, as JSON: docs/recordings.md. */
#define _GNU_SOURCE
#include "schema.h"

#include "../files/joint_type.h"

#include "../../replay/record.h"

#include <stdio.h>
#include <stdlib.h>

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

/* Needs no escapes: all texts are the library's own. */
static void writeField(const ksiField *field, size_t word, FILE *out)
{
    fprintf(out, "{\"name\":\"%s\",\"word\":%zu,\"count\":%u,\"kind\":\"%s\",\"unit\":\"%s\"", field->name, word,
            field->count, nameOfKind(field->kind), field->unit);
    if (field->kind == KSI_INTEGER || field->kind == KSI_CHOICE)
        fprintf(out, ",\"range\":[%lld,%lld]", (long long)field->low, (long long)field->high);
    fputs("}", out);
}

/* Writes the fields without the closing bracket. */
static void writeFields(const ksiFields *fields, FILE *out)
{
    size_t word = 0;
    fprintf(out, "{\"words\":%zu,\"fields\":[", ksiFieldWords(fields));
    for (size_t i = 0; i < fields->count; i++) {
        if (fields->field[i].kind == KSI_UNUSED)
            continue;
        fputs(word > 0 ? "," : "", out);
        writeField(&fields->field[i], word, out);
        word += fields->field[i].count;
    }
    fputs("]", out);
}

static void writeJoints(FILE *out)
{
    const char *separator = "";
    for (int type = 1; type < KSI_JOINT_TYPES; type++) {
        const ksiFields *fields = ksiFieldsOfType(type);
        if (!fields)
            continue;
        fprintf(out, "%s\"%d\":", separator, type);
        writeFields(fields, out);
        fprintf(out, ",\"name\":\"%s\"}", ksiTypeName((dJointType)type));
        separator = ",";
    }
}

static void writeSchema(FILE *out)
{
    fprintf(out, "{\"version\":%d,\"parts\":{", KSI_RECORD_VERSION);
    for (ksiRecordPart part = KSI_STEP_PART; part < KSI_RECORD_PARTS; part++) {
        fprintf(out, "%s\"%s\":", part > KSI_STEP_PART ? "," : "", ksiRecordFields(part)->name);
        writeFields(ksiRecordFields(part), out);
        fputs("}", out);
    }
    fputs("},\"joint_types\":{", out);
    writeJoints(out);
    fputs("}}", out);
}

char *ksiRecordSchema(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    if (!out)
        return NULL;
    writeSchema(out);
    const bool isWhole = !ferror(out);
    if (fclose(out) == 0 && isWhole)
        return text;
    free(text);
    return NULL;
}

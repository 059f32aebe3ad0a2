/* layout.c  Names, formats and documentation that follow from the list of a structure's fields. */
#include "native.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Text that grows. */
typedef struct Text {
    char *at;
    size_t length, room;
    int failed;
} Text;

static void append(Text *text, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    const int length = vsnprintf(NULL, 0, format, list);
    va_end(list);
    const size_t needed = text->length + (size_t)length + 1;
    if (length < 0 || text->failed) {
        text->failed = 1;
        return;
    }
    if (needed > text->room) {
        char *at = realloc(text->at, 2 * needed);
        if (!at) {
            text->failed = 1;
            return;
        }
        text->at = at;
        text->room = 2 * needed;
    }
    va_start(list, format);
    vsnprintf(text->at + text->length, text->room - text->length, format, list);
    va_end(list);
    text->length += (size_t)length;
}

static char *finished(Text *text)
{
    if (text->failed) {
        free(text->at);
        return NULL;
    }
    return text->at;
}

/* The cache of Python's names, one for each name in C. */
enum { NAMES_AT_MOST = 256 };
static struct {
    const char *c, *python;
} named[NAMES_AT_MOST];

const char *kspFieldName(const kspField *field)
{
    if (!strcmp(field->name, "from"))
        return "from_";  // a keyword of Python
    int i = 0;
    while (i < NAMES_AT_MOST && named[i].c && named[i].c != field->name && strcmp(named[i].c, field->name) != 0)
        i++;
    if (i == NAMES_AT_MOST)
        return NULL;
    if (!named[i].c) {
        Text text = {0};
        for (const char *c = field->name; *c; c++)
            append(&text, isupper((unsigned char)*c) ? "_%c" : "%c", tolower((unsigned char)*c));
        named[i].python = finished(&text);
        if (named[i].python)
            named[i].c = field->name;
    }
    return named[i].python;
}

/* A cache of formats, since each layout is requested often. */
enum { LAYOUTS_AT_MOST = 64 };
static struct {
    const kspLayout *layout;
    const char *format;
} made[LAYOUTS_AT_MOST];

/* Appends the format of a structure, with native sizes, and with padding for gaps. */
static void appendStruct(Text *text, const kspLayout *layout)
{
    size_t at = 0;
    append(text, "T{");
    for (const kspField *field = layout->field; field->name; field++) {
        if (field->kind == 'z')
            continue;  // the address of a text is of no use to readers
        if (field->offset > at)
            append(text, "%zux", field->offset - at);
        size_t count = 1;
        for (int i = 0; i < field->dimensions; i++)
            count *= field->shape[i];
        if (field->dimensions == 1)
            append(text, "(%zu)", field->shape[0]);
        else if (field->dimensions == 2)
            append(text, "(%zu,%zu)", field->shape[0], field->shape[1]);
        size_t size = sizeof(void *);
        if (field->kind == 's') {
            size = field->inner->size;
            appendStruct(text, field->inner);
        } else {
            if (field->kind == 'i' || field->kind == 'I')
                size = sizeof(int);
            append(text, "%c", field->kind == 'J' || field->kind == 'B' ? 'Q' : field->kind);
        }
        const char *name = kspFieldName(field);
        append(text, ":%s:", name ? name : "");
        text->failed |= !name;
        at = field->offset + count * size;
    }
    if (layout->size > at)
        append(text, "%zux", layout->size - at);
    append(text, "}");
}

const char *kspFormat(const kspLayout *layout)
{
    if (layout->number)
        return layout->number;
    int i = 0;
    while (i < LAYOUTS_AT_MOST && made[i].layout && made[i].layout != layout)
        i++;
    if (i == LAYOUTS_AT_MOST)
        return NULL;
    if (!made[i].layout) {
        Text text = {0};
        appendStruct(&text, layout);
        made[i].format = finished(&text);
        if (made[i].format)
            made[i].layout = layout;
    }
    return made[i].format;
}

char *kspDescribe(const char *words, const kspLayout *layout)
{
    Text text = {0};
    append(&text, "%s\n\n", words);
    for (const kspField *field = layout->field; field->name; field++) {
        const char *name = kspFieldName(field);
        append(&text, "  %-22s %s\n", name ? name : "", field->doc);
        text.failed |= !name;
    }
    return finished(&text);
}

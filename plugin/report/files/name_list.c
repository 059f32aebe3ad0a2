/* name_list.c  Names for joints, from a file. */
#define _GNU_SOURCE
#include "name_list.h"

#include "joint_type.h"

#include "../../base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ANY_TYPE dJointTypeNone

typedef struct Entry {
    dJointType type; /* ANY_TYPE: the number counts all joints */
    uint64_t number;
    char *name;
} Entry;

struct ksiNameList {
    Entry *entry; /* sorted by type and number */
    size_t count, capacity;
};

static const char *const blanks = " \t,;:";

void ksiNameListDestroy(ksiNameList *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->count; i++)
        free(list->entry[i].name);
    ksiFree(&ksiLibraryAllocator, list->entry);
    free(list);
}

static int compare(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    if (x->type != y->type)
        return x->type < y->type ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Parses the number in a line, after an optional type; returns the rest, the name. NULL:
 * invalid. */
static char *parseHead(char *line, Entry *entry)
{
    *entry = (Entry){.type = ANY_TYPE};
    if (*line < '0' || *line > '9') {
        const size_t length = strcspn(line, blanks);
        const char end = line[length];
        line[length] = 0;
        if (!end || !ksiTypeFromName(line, &entry->type))
            return NULL;
        line += length + 1;
        line += strspn(line, blanks);
    }
    char *rest;
    entry->number = strtoull(line, &rest, 10);
    const size_t between = strspn(rest, blanks);
    return entry->number > 0 && between > 0 && rest[between] ? rest + between : NULL;
}

static const char *addLine(void *user, char *line)
{
    ksiNameList *list = user;
    Entry entry;
    if (!line || !list)
        return list ? NULL : "out of memory";
    const char *name = parseHead(line, &entry);
    if (!name)
        return "not the number of a joint and its name, as in 3 elbow or hinge 3 elbow";
    entry.name = strdup(name);
    if (!entry.name || ksiReserve(&ksiLibraryAllocator, &list->entry, &list->capacity, list->count + 1, sizeof entry)) {
        free(entry.name);
        return "out of memory";
    }
    list->entry[list->count++] = entry;
    return NULL;
}

/* false: two lines name the same joint, or there are no lines; `words` has the error. */
static bool sort(const char *path, ksiNameList *list, char *words)
{
    if (list->count == 0) {
        snprintf(words, KSI_NAME_LIST_WORDS, "%.250s: names no joint", path);
        return false;
    }
    qsort(list->entry, list->count, sizeof *list->entry, compare);
    for (size_t i = 1; i < list->count; i++) {
        if (compare(&list->entry[i - 1], &list->entry[i]) != 0)
            continue;
        snprintf(words, KSI_NAME_LIST_WORDS, "%.250s: joint %llu is called \"%.40s\" and \"%.40s\"", path,
                 (unsigned long long)list->entry[i].number, list->entry[i - 1].name, list->entry[i].name);
        return false;
    }
    return true;
}

/* Closes the file. */
static ksiNameList *readFrom(const char *path, FILE *file, char *words)
{
    ksiNameList *made = calloc(1, sizeof *made);
    if (ksiLinesRead(path, file, addLine, made, words) && sort(path, made, words))
        return made;
    ksiNameListDestroy(made);
    return NULL;
}

ksiNameList *ksiNameListRead(const char *path, char words[KSI_NAME_LIST_WORDS])
{
    return readFrom(path, fopen(path, "r"), words);
}

ksiNameList *ksiNameListParse(const char *path, const char *text, char words[KSI_NAME_LIST_WORDS])
{
    return readFrom(path, fmemopen((char *)text, strlen(text), "r"), words);
}

char *ksiNameListText(const ksiNameList *list)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    for (size_t i = 0; out && i < list->count; i++) {
        const Entry *entry = &list->entry[i];
        if (entry->type != ANY_TYPE)
            fprintf(out, "%s ", ksiTypeName(entry->type));
        fprintf(out, "%llu %s\n", (unsigned long long)entry->number, entry->name);
    }
    const bool isWritten = out && fclose(out) == 0;
    if (isWritten)
        return text;
    free(text);
    return NULL;
}

static const char *find(const ksiNameList *list, dJointType type, uint64_t number)
{
    const Entry wanted = {.type = type, .number = number};
    const Entry *found = number > 0 ? bsearch(&wanted, list->entry, list->count, sizeof *list->entry, compare) : NULL;
    return found ? found->name : NULL;
}

const char *ksiNameListFind(const ksiNameList *list, dJointType type, uint64_t number, uint64_t ordinal)
{
    if (!list || type == dJointTypeContact)
        return NULL;
    const char *own = find(list, type, number);
    return own ? own : find(list, ANY_TYPE, ordinal);
}

size_t ksiNameListUnused(const ksiNameList *list, bool (*isUsed)(const char *name, void *user), void *user,
                         const char **first)
{
    size_t count = 0;
    for (size_t i = list->count; i-- > 0;) {
        if (isUsed(list->entry[i].name, user))
            continue;
        *first = list->entry[i].name;
        count++;
    }
    return count;
}

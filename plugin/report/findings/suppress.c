/* suppress.c  Suppressions of findings, from a file in the style of valgrind. */
#define _GNU_SOURCE
#include "suppress.h"

#include "finding_kinds.h"

#include "../../base/memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINES = 4 };

/* Lines of an entry. */
enum { NAME, FINDING, JOINT, WORLD };

typedef struct Entry {
    char *line[LINES]; /* NULL: missing */
} Entry;

struct ksiSuppressions {
    Entry *entry;
    size_t count, capacity;
};

void ksiSuppressionsDestroy(ksiSuppressions *list)
{
    if (!list)
        return;
    for (size_t i = 0; i < list->count; i++)
        for (int k = 0; k < LINES; k++)
            free(list->entry[i].line[k]);
    ksiFree(&ksiLibraryAllocator, list->entry);
    free(list);
}

/* --- Reading --- */

typedef struct Reader {
    ksiSuppressions *list;
    bool isOpen; /* the reader is inside the last entry */
} Reader;

static const char *begin(Reader *reader)
{
    ksiSuppressions *list = reader->list;
    if (ksiReserve(&ksiLibraryAllocator, &list->entry, &list->capacity, list->count + 1, sizeof *list->entry))
        return "out of memory";
    list->entry[list->count++] = (Entry){.line = {NULL}};
    reader->isOpen = true;
    return NULL;
}

/* The pattern after "joint:" or "world:"; NULL: another line. */
static const char *patternOf(const char *line, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(line, key, length) == 0 ? line + length + strspn(line + length, " \t") : NULL;
}

static const char *keep(Entry *entry, int which, const char *text)
{
    if (entry->line[which])
        return "the entry already has such a line";
    if (!*text)
        return "there is no pattern after the colon";
    entry->line[which] = strdup(text);
    return entry->line[which] ? NULL : "out of memory";
}

static const char *addToEntry(Entry *entry, const char *line)
{
    const char *joint = patternOf(line, "joint:"), *world = patternOf(line, "world:");
    if (!entry->line[NAME])
        return keep(entry, NAME, line);
    if (!entry->line[FINDING])
        return ksiIsFinding(line) ? keep(entry, FINDING, line) : "is not a finding: kinetostat(1) lists them";
    if (joint)
        return keep(entry, JOINT, joint);
    return world ? keep(entry, WORLD, world) : "is neither joint: PATTERN nor world: PATTERN nor }";
}

static const char *addLine(void *user, char *line)
{
    Reader *reader = user;
    if (!reader->list)
        return "out of memory";
    if (!line)
        return reader->isOpen ? "the last entry does not end with }" : NULL;
    if (!reader->isOpen)
        return strcmp(line, "{") == 0 ? begin(reader) : "an entry begins with {";
    Entry *entry = &reader->list->entry[reader->list->count - 1];
    if (strcmp(line, "}") != 0)
        return addToEntry(entry, line);
    reader->isOpen = false;
    return entry->line[FINDING] ? NULL : "the entry needs a name and a finding";
}

ksiSuppressions *ksiSuppressionsRead(const char *path, FILE *file, char words[KSI_SUPPRESSIONS_WORDS])
{
    Reader reader = {.list = calloc(1, sizeof *reader.list)};
    if (ksiLinesRead(path, file, addLine, &reader, words))
        return reader.list;
    ksiSuppressionsDestroy(reader.list);
    return NULL;
}

/* --- Suppressed findings --- */

void ksiReportSuppress(ksReport *report, const ksiSuppressions *list)
{
    report->suppressions = list;
}

int ksiSuppressionFor(const ksReport *report, const char *finding, const char *world, const ksiJointView *joint)
{
    const ksiSuppressions *list = report->suppressions;
    for (size_t i = 0; list && i < list->count; i++) {
        char *const *line = list->entry[i].line;
        const bool isOfJoint = joint ? ksiIsCalled(joint, line[JOINT]) : ksiIsNamed(line[JOINT], "");
        if (strcmp(line[FINDING], finding) == 0 && isOfJoint && ksiIsNamed(line[WORLD], world))
            return (int)i;
    }
    return -1;
}

size_t ksiSuppressionCount(const ksReport *report)
{
    return report->suppressions ? report->suppressions->count : 0;
}

const char *ksiSuppressionName(const ksReport *report, size_t index)
{
    return report->suppressions->entry[index].line[NAME];
}

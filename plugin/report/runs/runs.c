/* runs.c  Runs in a report, each possibly in several parts. */
#define _GNU_SOURCE
#include "../collect/stats.h"
#include "../files/checksum.h"
#include "../files/failure.h"

#include <stdlib.h>

/* --- Parts --- */

static void addNote(const char *note, void *user)
{
    ksiRunAddNote(user, note);
}

/* Adds the parts of a run; keeps one copy of equal notes. */
static ksStatus addParts(ksiRun *into, const ksiRun *from)
{
    if (into->shards != from->shards)
        return ksiReportFail(from->file, KS_ERROR_BAD_ARGUMENT,
                             "was judged in %u parts and in %u parts (0: as a whole)", into->shards, from->shards);
    if (into->shards == 0)
        return ksiReportFail(from->file, KS_ERROR_BAD_ARGUMENT, "is in more than one of the reports");
    if (into->turn != from->turn)
        return ksiReportFail(from->file, KS_ERROR_BAD_ARGUMENT, "was judged in parts of different lists of files");
    for (uint32_t i = 0; i < into->shards; i++)
        if (ksiRunHasShard(into, i) && ksiRunHasShard(from, i))
            return ksiReportFail(from->file, KS_ERROR_BAD_ARGUMENT, "part %u of %u is in more than one of the reports",
                                 i + 1, into->shards);
    for (int i = 0; i < KSI_MOST_SHARDS / 64; i++)
        into->shard[i] |= from->shard[i];
    into->lost += from->lost;
    into->traps |= from->traps;
    // each part counts the same processes that were not fully inspected
    into->unseen = from->unseen > into->unseen ? from->unseen : into->unseen;
    // leave out the note about missing shards
    ksiRun told = *from;
    told.shards = 0;
    ksiRunEachNote(&told, addNote, into);
    // a complete run has no parts
    if (ksiRunMissing(into) == 0)
        into->shards = into->turn = 0;
    return KS_OK;
}

ksStatus ksiReportAddRun(ksReport *report, const ksiRun *run, size_t *index)
{
    const size_t named = run->identity & KSI_DRAWN ? 0 : strnlen(run->file, sizeof run->file);
    const uint64_t file = ksiChecksumText(0, run->file, named);
    const uint64_t *known = ksiMapFind(&report->runIndex, run->identity, file);
    *index = known ? *known : report->runCount;
    if (known)
        return addParts(&report->run[*known], run);
    const ksStatus status = ksiReportSetRun(report, report->runCount, run);
    return status || ksiMapPut(&report->allocator, &report->runIndex, run->identity, file, *index) ? status
                                                                                                   : KS_ERROR_NO_MEMORY;
}

/* --- Order --- */

static int compareRuns(const void *a, const void *b, void *user)
{
    const ksiRun *run = user, *x = &run[*(const size_t *)a], *y = &run[*(const size_t *)b];
    int order = strverscmp(x->file, y->file);
    order = order ? order : strcmp(x->begun, y->begun);
    order = order ? order : memcmp(x->parameters, y->parameters, sizeof x->parameters);
    return order ? order : (x->identity > y->identity) - (x->identity < y->identity);
}

static int compareWorlds(const void *a, const void *b)
{
    const ksiWorldStats *x = *(ksiWorldStats *const *)a, *y = *(ksiWorldStats *const *)b;
    return x->run != y->run ? (x->run > y->run) - (x->run < y->run) : (x->place > y->place) - (x->place < y->place);
}

static int compareLines(const void *a, const void *b)
{
    return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts notes, since their order depends on the order of merging. */
static void sortNotes(ksiRun *run)
{
    char text[KSI_RUN_NOTES], *line[KSI_RUN_NOTES], *rest = text;
    size_t count = 0, used = 0;
    snprintf(text, sizeof text, "%s", run->notes);
    for (char *at; (at = strsep(&rest, "\n")) != NULL;)
        if (*at)
            line[count++] = at;
    if (count < 2)
        return;
    qsort(line, count, sizeof *line, compareLines);
    for (size_t i = 0; i < count && used < sizeof run->notes; i++)
        used += (size_t)snprintf(run->notes + used, sizeof run->notes - used, "%s\n", line[i]);
}

ksStatus ksiReportSort(ksReport *report)
{
    const ksAllocator *allocator = &report->allocator;
    const size_t count = report->runCount;
    size_t *order = ksiRoomMake(allocator, (count + 1) * sizeof *order);
    size_t *place = ksiRoomMake(allocator, (count + 1) * sizeof *place);
    ksiRun *sorted = ksiRoomMake(allocator, (count + 1) * sizeof *sorted);
    const bool isThere = order && place && sorted;
    for (size_t i = 0; isThere && i < count; i++)
        order[i] = i;
    if (isThere && count > 0)
        qsort_r(order, count, sizeof *order, compareRuns, report->run);
    for (size_t i = 0; isThere && i < count; i++) {
        sorted[i] = report->run[order[i]];
        sortNotes(&sorted[i]);
        place[order[i]] = i;
    }
    for (size_t i = 0; isThere && i < report->worldCount; i++)
        if (report->world[i]->run != KSI_NO_RUN)
            report->world[i]->run = place[report->world[i]->run];
    if (isThere) {
        if (report->worldCount > 0)
            qsort(report->world, report->worldCount, sizeof(ksiWorldStats *), compareWorlds);
        ksiFree(allocator, report->run);
        report->run = sorted;
        report->runCapacity = count + 1;
        // only adding reports needs the indices
        ksiMapFree(allocator, &report->runIndex);
        ksiMapFree(allocator, &report->worldIndex);
    } else {
        ksiFree(allocator, sorted);
    }
    ksiFree(allocator, order);
    ksiFree(allocator, place);
    return isThere ? KS_OK : KS_ERROR_NO_MEMORY;
}

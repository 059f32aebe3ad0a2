/* archive_worlds.c  The worlds of a recording, and the places of their records. */
#include "archive_worlds.h"

#include "../../base/memory.h"

/* Searches the newest processes first: they are requested most. */
static ksStatus findProcess(ksiArchiveWorlds *all, const ksiArchive *archive, unsigned number, size_t *index)
{
    for (*index = all->processCount; (*index)-- > 0;)
        if (all->process[*index].number == number)
            return KS_OK;
    if (ksiReserve(&ksiLibraryAllocator, &all->process, &all->processCapacity, all->processCount + 1,
                   sizeof *all->process))
        return KS_ERROR_NO_MEMORY;
    ksiArchiveProcess made = {.number = number, .program = ksiArchiveProgram(archive, number)};
    for (size_t i = 0; i < all->processCount; i++)
        made.likeIt += strcmp(all->process[i].program, made.program) == 0;
    *index = all->processCount;
    all->process[all->processCount++] = made;
    return KS_OK;
}

static bool nameWorld(const ksiArchiveWorlds *all, ksiArchiveWorld *world)
{
    const char *program = all->process[world->process].program;
    const bool isOther = strcmp(program, all->process[0].program) != 0;
    ksiWriteWorldName(world->name, (unsigned)world->process + 1, isOther ? program : "", world->number);
    return ksiCleanInPlace(&ksiLibraryAllocator, world->name, sizeof world->name);
}

/* The world of a record, added if it is new. NULL: out of memory. */
static ksiArchiveWorld *findWorld(ksiArchiveWorlds *all, const ksiArchive *archive, size_t record)
{
    unsigned process, number;
    size_t index;
    ksiArchiveWhose(archive, record, &process, &number);
    if (findProcess(all, archive, process, &index))
        return NULL;
    for (size_t i = all->worldCount; i-- > 0;)
        if (all->world[i].process == index && all->world[i].number == number)
            return &all->world[i];
    if (ksiReserve(&ksiLibraryAllocator, &all->world, &all->worldCapacity, all->worldCount + 1, sizeof *all->world))
        return NULL;
    ksiArchiveWorld *made = &all->world[all->worldCount];
    *made = (ksiArchiveWorld){.process = index, .number = number, .first = record, .last = KSI_NO_NEXT};
    if (!nameWorld(all, made))
        return NULL;
    all->worldCount++;
    return made;
}

ksStatus ksiArchiveListWorlds(const ksiArchive *archive, ksiArchiveWorlds *out)
{
    const size_t count = ksiArchiveCount(archive);
    if (ksiReserve(&ksiLibraryAllocator, &out->next, &out->nextCapacity, count + 1, sizeof *out->next))
        return KS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        ksiArchiveWorld *world = findWorld(out, archive, i);
        if (!world)
            return KS_ERROR_NO_MEMORY;
        if (world->last != KSI_NO_NEXT)
            out->next[world->last] = i;
        out->next[i] = KSI_NO_NEXT;
        world->last = i;
        world->records++;
    }
    return KS_OK;
}

void ksiArchiveWorldsFree(ksiArchiveWorlds *worlds)
{
    ksiFree(&ksiLibraryAllocator, worlds->process);
    ksiFree(&ksiLibraryAllocator, worlds->world);
    ksiFree(&ksiLibraryAllocator, worlds->next);
    *worlds = (ksiArchiveWorlds){.process = NULL};
}

static bool isTaken(const size_t *match, size_t count, size_t index)
{
    for (size_t i = 0; i < count; i++)
        if (match[i] == index)
            return true;
    return false;
}

void ksiMatchProcesses(const ksiArchiveWorlds *a, const ksiArchiveWorlds *b, size_t *match)
{
    for (size_t i = 0; i < a->processCount; i++) {
        match[i] = KSI_NO_NEXT;
        for (size_t j = 0; j < b->processCount; j++)
            if (a->process[i].likeIt == b->process[j].likeIt &&
                strcmp(a->process[i].program, b->process[j].program) == 0)
                match[i] = j;
    }
    for (size_t i = 0, j = 0; i < a->processCount; i++) {
        if (match[i] != KSI_NO_NEXT)
            continue;
        while (j < b->processCount && isTaken(match, a->processCount, j))
            j++;
        match[i] = j < b->processCount ? j : KSI_NO_NEXT;
    }
}

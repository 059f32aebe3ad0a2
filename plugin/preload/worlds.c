/* worlds.c  The judges of all worlds of a run, by process and world. */
#include "worlds.h"

#include "../base/memory.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct World {
    unsigned process, number;
    unsigned ordinal;         /* of the process */
    size_t index;             /* in the report */
    int traced;               /* in the trace */
    const ksiNameList *names; /* or NULL */
    ksiJudge *judge;
    uint64_t seen; /* steps up to the last record */
    char name[64];
} World;

struct ksiWorlds {
    const ksiJudgeOptions *options;
    ksReport *report;
    ksTrace *trace;
    ksiShow *show; /* NULL: nobody looks */
    World *world;
    size_t count, capacity;
    ksiNameList **names; /* the last one: of new worlds; or NULL */
    size_t nameCount, nameCapacity;
};

ksiWorlds *ksiWorldsCreate(const ksiJudgeOptions *options, ksReport *report, ksTrace *trace)
{
    ksiWorlds *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->options = options;
    made->report = report;
    made->trace = trace;
    return made;
}

static void endJudge(const ksiWorlds *worlds, World *world)
{
    ksiShowFinish(worlds->show, world->judge);
    ksiJudgeDestroy(world->judge);
    world->judge = NULL;
}

void ksiWorldsDestroy(ksiWorlds *worlds)
{
    if (!worlds)
        return;
    for (size_t i = 0; i < worlds->count; i++)
        endJudge(worlds, &worlds->world[i]);
    ksiFree(&ksiLibraryAllocator, worlds->world);
    for (size_t i = 0; i < worlds->nameCount; i++)
        ksiNameListDestroy(worlds->names[i]);
    ksiFree(&ksiLibraryAllocator, worlds->names);
    free(worlds);
}

bool ksiWorldsTakeNames(ksiWorlds *worlds, ksiNameList *names)
{
    if (ksiReserve(&ksiLibraryAllocator, &worlds->names, &worlds->nameCapacity, worlds->nameCount + 1,
                   sizeof(ksiNameList *))) {
        ksiNameListDestroy(names);
        return false;
    }
    worlds->names[worlds->nameCount++] = names;
    return true;
}

const ksiNameList *ksiWorldsNames(const ksiWorlds *worlds)
{
    return worlds->options->names || worlds->nameCount == 0 ? worlds->options->names
                                                            : worlds->names[worlds->nameCount - 1];
}

void ksiWorldsShow(ksiWorlds *worlds, ksiShow *show)
{
    worlds->show = show;
}

void ksiWorldsEnd(ksiWorlds *worlds, unsigned process)
{
    for (size_t i = 0; i < worlds->count; i++)
        if (worlds->world[i].process == process)
            endJudge(worlds, &worlds->world[i]);
}

/* Processes are counted in the order of their first records. */
static unsigned countProcess(const ksiWorlds *worlds, unsigned process)
{
    unsigned last = 0;
    for (size_t i = worlds->count; i-- > 0;) {
        const World *world = &worlds->world[i];
        if (world->process == process)
            return world->ordinal;
        last = world->ordinal > last ? world->ordinal : last;
    }
    return last + 1;
}

static World *addWorld(ksiWorlds *worlds, unsigned process, unsigned number)
{
    if (ksiReserve(&ksiLibraryAllocator, &worlds->world, &worlds->capacity, worlds->count + 1, sizeof *worlds->world))
        return NULL;
    World *world = &worlds->world[worlds->count];
    *world = (World){.process = process,
                     .number = number,
                     .ordinal = countProcess(worlds, process),
                     .names = ksiWorldsNames(worlds)};
    if (world->ordinal == 1)
        snprintf(world->name, sizeof world->name, "world %u", number);
    else
        snprintf(world->name, sizeof world->name, "process %u, world %u", world->ordinal, number);
    if (ksiReportAddWorld(worlds->report, world->name, &world->index) ||
        (worlds->trace && ksiTraceAddWorld(worlds->trace, world->name, &world->traced)))
        return NULL;
    worlds->count++;
    return world;
}

/* The newest are asked for most. */
static World *findWorld(ksiWorlds *worlds, unsigned process, unsigned number)
{
    for (size_t i = worlds->count; i-- > 0;)
        if (worlds->world[i].process == process && worlds->world[i].number == number)
            return &worlds->world[i];
    return addWorld(worlds, process, number);
}

static void countSteps(ksiWorlds *worlds, World *world, const ksiStepRecord *record)
{
    if (record->step > world->seen && (!record->isExtra || !record->isStepped)) {
        ksiReportSkipSteps(worlds->report, world->index, record->step - world->seen);
        world->seen = record->step;
    }
    if (record->isStepped && !record->isExtra)
        world->seen = record->step + 1;
}

ksStatus ksiWorldsNote(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record, size_t *world)
{
    World *found = findWorld(worlds, process, record->world);
    if (!found)
        return KS_ERROR_NO_MEMORY;
    countSteps(worlds, found, record);
    *world = found->index;
    return KS_OK;
}

/* To those who want each judged step. */
static void passOn(const ksiWorlds *worlds, const World *world, const ksiStepRecord *record)
{
    const ksiTraceStep which = {(unsigned long)record->step, record->time};
    // what goes wrong is told when it is closed
    if (worlds->trace)
        (void)!ksiTraceAddStep(worlds->trace, world->traced, ksiJudgeInspector(world->judge),
                               ksiJudgeNaming(world->judge), &which);
    ksiShowStep(worlds->show, world->judge, record, world->name);
}

ksStatus ksiWorldsJudge(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record)
{
    World *world = findWorld(worlds, process, record->world);
    if (!world)
        return KS_ERROR_NO_MEMORY;
    countSteps(worlds, world, record);
    if (ksiIsEnd(record))
        endJudge(worlds, world);
    if (!record->isStepped)
        return KS_OK;
    ksiJudgeOptions options = *worlds->options;
    options.names = world->names;
    if (!world->judge && ksiJudgeCreate(&options, worlds->report, world->index, &world->judge))
        return KS_ERROR_NO_MEMORY;
    ksiShowLetGo(worlds->show, world->judge);
    const ksStatus status = ksiJudgeStep(world->judge, record);
    if (!status && !record->isExtra)
        passOn(worlds, world, record);
    return status;
}

unsigned ksiWorldsOnly(const ksiWorlds *worlds, unsigned process)
{
    unsigned only = 0;
    for (size_t i = 0; i < worlds->count; i++) {
        if (worlds->world[i].process != process)
            continue;
        if (only > 0)
            return 0;
        only = worlds->world[i].number;
    }
    return only;
}

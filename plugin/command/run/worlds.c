/* worlds.c  The judges of a run's worlds, by process and world. */
#include "worlds.h"

#include "../../base/memory.h"
#include "../../report/collect/run.h"
#include "../../report/recording/world_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Process {
    unsigned number, ordinal; /* the caller's number; by order of arrival */
    char program[96];
} Process;

typedef struct World {
    unsigned process, number;
    size_t index;             /* index in the report */
    int traced;               /* index in the trace */
    const ksiNameList *names; /* names of its joints, or NULL */
    ksiJudge *judge;
    uint64_t seen; /* steps up to the last record, recorded or not */
    char name[KSI_RUN_FILE + KSI_WORLD_NAME];
} World;

struct ksiWorlds {
    const ksiJudgeOptions *options;
    ksReport *report;
    ksTrace *trace; /* NULL: none */
    World *world;
    size_t count, capacity;
    Process *process;
    size_t processCount, processCapacity;
    size_t run; /* index of the run, or KSI_NO_RUN */
    const char *label;
    unsigned ordinals;
    char program[96];    /* the first process's program */
    ksiNameList **names; /* the last list is for new worlds; or NULL */
    size_t nameCount, nameCapacity;
};

ksiWorlds *ksiWorldsCreate(const ksiJudgeOptions *options, ksReport *report)
{
    ksiWorlds *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->options = options;
    made->report = report;
    made->run = KSI_NO_RUN;
    return made;
}

static void endJudge(World *world)
{
    ksiJudgeDestroy(world->judge);
    world->judge = NULL;
}

void ksiWorldsDestroy(ksiWorlds *worlds)
{
    if (!worlds)
        return;
    for (size_t i = 0; i < worlds->count; i++)
        endJudge(&worlds->world[i]);
    ksiFree(&ksiLibraryAllocator, worlds->world);
    ksiFree(&ksiLibraryAllocator, worlds->process);
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

void ksiWorldsPassOn(ksiWorlds *worlds, ksTrace *trace)
{
    worlds->trace = trace;
}

void ksiWorldsEnd(ksiWorlds *worlds, unsigned process)
{
    for (size_t i = 0; i < worlds->count; i++)
        if (worlds->world[i].process == process)
            endJudge(&worlds->world[i]);
}

void ksiWorldsBeginRun(ksiWorlds *worlds, size_t run, const char *label)
{
    for (size_t i = 0; i < worlds->count; i++)
        endJudge(&worlds->world[i]);
    worlds->count = 0;
    worlds->processCount = 0;
    worlds->ordinals = 0;
    worlds->run = run;
    worlds->label = label;
}

ksStatus ksiWorldsProcess(ksiWorlds *worlds, unsigned process, const char *program)
{
    if (ksiReserve(&ksiLibraryAllocator, &worlds->process, &worlds->processCapacity, worlds->processCount + 1,
                   sizeof *worlds->process))
        return KS_ERROR_NO_MEMORY;
    Process *made = &worlds->process[worlds->processCount++];
    *made = (Process){.number = process, .ordinal = ++worlds->ordinals};
    snprintf(made->program, sizeof made->program, "%s", program);
    if (made->ordinal == 1)
        memcpy(worlds->program, made->program, sizeof worlds->program);
    return KS_OK;
}

/* NULL: it is not known. */
static const Process *findProcess(const ksiWorlds *worlds, unsigned number)
{
    for (size_t i = worlds->processCount; i-- > 0;)
        if (worlds->process[i].number == number)
            return &worlds->process[i];
    return NULL;
}

static void writeName(const ksiWorlds *worlds, World *world)
{
    const Process *process = findProcess(worlds, world->process);
    const bool isOther = process && strcmp(process->program, worlds->program) != 0;
    ksiWriteWorldName(world->name, process ? process->ordinal : 1, isOther ? process->program : "", world->number);
}

static World *addWorld(ksiWorlds *worlds, unsigned process, unsigned number)
{
    if (ksiReserve(&ksiLibraryAllocator, &worlds->world, &worlds->capacity, worlds->count + 1, sizeof *worlds->world))
        return NULL;
    World *world = &worlds->world[worlds->count];
    *world = (World){.process = process, .number = number, .names = ksiWorldsNames(worlds)};
    writeName(worlds, world);
    if (ksiReportAddWorld(worlds->report, world->name, &world->index))
        return NULL;
    if (worlds->run != KSI_NO_RUN)
        ksiReportPlaceWorld(worlds->report, world->index, worlds->run, worlds->count);
    if (worlds->label) {
        char local[sizeof world->name];
        memcpy(local, world->name, sizeof local);
        snprintf(world->name, sizeof world->name, "%s: %.150s", worlds->label, local);
    }
    if (worlds->trace && ksiTraceAddWorld(worlds->trace, world->name, &world->traced))
        return NULL;
    worlds->count++;
    return world;
}

/* Searches the newest worlds first: they are requested most often. */
static World *findWorld(ksiWorlds *worlds, unsigned process, unsigned number)
{
    for (size_t i = worlds->count; i-- > 0;)
        if (worlds->world[i].process == process && worlds->world[i].number == number)
            return &worlds->world[i];
    return addWorld(worlds, process, number);
}

/* Returns the number of unrecorded steps before this record that no earlier call has counted. */
static uint64_t countSteps(World *world, const ksiStepRecord *record)
{
    uint64_t skipped = 0;
    if (record->step > world->seen && (!record->isExtra || !record->isStepped)) {
        skipped = record->step - world->seen;
        world->seen = record->step;
    }
    if (record->isStepped && !record->isExtra)
        world->seen = record->step + 1;
    return skipped;
}

ksStatus ksiWorldsNote(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record, size_t *world,
                       uint64_t *skipped)
{
    World *found = findWorld(worlds, process, (unsigned)record->world);
    if (!found)
        return KS_ERROR_NO_MEMORY;
    *skipped = countSteps(found, record);
    *world = found->index;
    return KS_OK;
}

static void passOn(const ksiWorlds *worlds, const World *world, const ksiStepRecord *record)
{
    const ksiTraceStep which = {(unsigned long)record->step, record->time};
    // errors of the trace are reported when it is closed
    if (worlds->trace)
        (void)!ksiTraceAddStep(worlds->trace, world->traced, ksiJudgeInspector(world->judge),
                               ksiJudgeNaming(world->judge), &which);
}

ksStatus ksiWorldsJudge(ksiWorlds *worlds, unsigned process, const ksiStepRecord *record)
{
    World *world = findWorld(worlds, process, (unsigned)record->world);
    if (!world)
        return KS_ERROR_NO_MEMORY;
    ksiReportSkipSteps(worlds->report, world->index, countSteps(world, record));
    if (ksiIsEnd(record))
        endJudge(world);
    if (!record->isStepped)
        return KS_OK;
    ksiJudgeOptions options = *worlds->options;
    options.names = world->names;
    if (!world->judge && ksiJudgeCreate(&options, worlds->report, world->index, &world->judge))
        return KS_ERROR_NO_MEMORY;
    const ksStatus status = ksiJudgeStep(world->judge, record);
    if (!status && !record->isExtra)
        passOn(worlds, world, record);
    return status;
}

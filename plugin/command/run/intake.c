/* intake.c  Passes the data of inspected processes to their worlds' judges. */
#include "intake.h"

#include "processes.h"

#include "../../base/clock.h"
#include "../../replay/replica.h"
#include "../../report/recording/archive.h"

#include <stdlib.h>
#include <string.h>

/* COMPRESSION: level. MOST_UNFLUSHED: most records that may wait for a flush; a full disk loses no
 * others. */
enum { COMPRESSION = 1, MOST_UNFLUSHED = 8192 };

/* s between two searches for ended processes */
static const double retireInterval = 0.005;

/* A process that has a place in the channel. */
typedef struct Source {
    ksiReader reader;
    bool isOpen, isBroken;
    char program[sizeof(((ksiSeen *)0)->program)];
    const char *why; /* reason of a failure */
    unsigned number; /* the process's number, in the order of first records */
    uint64_t recorded;
    int64_t only; /* its only world; 0: no world, or several */
} Source;

struct ksiIntake {
    const ksiOptions *options;
    const ksiHub *hub;
    ksiJudges *judges;
    ksiArchive *archive; /* NULL: not requested */
    bool isArchiveBegun, isArchiveBroken;
    int unflushed;                 /* records since the last flush */
    char words[KSI_ARCHIVE_WORDS]; /* the archive's message */
    ksiRun run;                    /* the run as it began, for the archive */
    int process;                   /* id of the program's process, or 0 */
    bool isMainSeen, isInStep;
    uint32_t traps;  /* traps of all processes that have ended */
    char built[256]; /* engine of the first process that sent data; empty: none */
    bool hasOther;   /* a process has another build than the judging engine */
    char engine[96]; /* this and the next two: state of the program's process when last read */
    ksiLastStep last;
    ksiNotFinite notFinite;
    ksiProcesses *processes; /* processes that have ended */
    unsigned numbers;        /* processes numbered so far */
    uint64_t recorded;
    double time;    /* result of ksiIntakeTime */
    double retired; /* s, time of the last search for ended processes */
    Source source[KSI_CHANNEL_PLACES];
};

ksiIntake *ksiIntakeCreate(const ksiOptions *options, const ksiHub *hub, ksiJudges *judges)
{
    ksiIntake *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->options = options;
    made->hub = hub;
    made->judges = judges;
    made->processes = ksiProcessesCreate();
    if (made->processes)
        return made;
    ksiProcessesDestroy(made->processes);
    free(made);
    return NULL;
}

void ksiIntakeDestroy(ksiIntake *intake)
{
    if (!intake)
        return;
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++)
        if (intake->source[i].isOpen)
            ksiReaderClose(&intake->source[i].reader);
    ksiProcessesDestroy(intake->processes);
    free(intake);
}

/* --- Records --- */

static void breakOff(Source *source, const char *why)
{
    source->isBroken = true;
    source->why = why;
}

static void noteBuild(ksiIntake *intake, const ksiSeen *seen)
{
    intake->hasOther |= strcmp(seen->built, dGetConfiguration()) != 0;
    if (!intake->built[0])
        memcpy(intake->built, seen->built, sizeof intake->built);
}

static bool openSource(ksiIntake *intake, int index)
{
    ksiSeen seen;
    Source *source = &intake->source[index];
    if (!ksiReaderOpen(&source->reader, intake->hub, index)) {
        breakOff(source, "its shared memory cannot be opened");
        return false;
    }
    source->isOpen = true;
    source->number = intake->numbers++;
    ksiPlaceSee(&intake->hub->channel->place[index], &seen);
    memcpy(source->program, seen.program, sizeof source->program);
    noteBuild(intake, &seen);
    return true;
}

static void breakArchive(ksiIntake *intake)
{
    fprintf(stderr, "kinetostat: %s\n", intake->words);
    intake->isArchiveBroken = true;
}

/* Creates the archive if it was requested; beginArchive writes its head later. */
void ksiIntakeBegin(ksiIntake *intake, int process, const ksiRun *run)
{
    const char *raw = intake->options->raw;
    intake->process = process;
    intake->run = *run;
    if (raw && ksiArchiveCreate(raw, COMPRESSION, intake->words, &intake->archive))
        breakArchive(intake);
}

/* The recorded engine's build; without one, the judging engine's. */
static const char *builtOf(const ksiIntake *intake)
{
    return intake->built[0] ? intake->built : dGetConfiguration();
}

/* Begins the archive once the engine is known. */
static bool beginArchive(ksiIntake *intake)
{
    const ksiNameList *names = intake->options->judge.names;
    char *text = names ? ksiNameListText(names) : NULL;
    snprintf(intake->run.built, sizeof intake->run.built, "%s", builtOf(intake));
    intake->isArchiveBegun = ksiArchiveBegin(intake->archive, &intake->run, text);
    free(text);
    return intake->isArchiveBegun;
}

static void archive(ksiIntake *intake, int index, const ksiStepRecord *record)
{
    if (!intake->archive || intake->isArchiveBroken)
        return;
    if ((!intake->isArchiveBegun && !beginArchive(intake)) ||
        ksiArchiveAppend(intake->archive, intake->source[index].number, intake->source[index].program, record))
        breakArchive(intake);
    else if (++intake->unflushed == MOST_UNFLUSHED)
        (void)ksiIntakeFlush(intake);
}

bool ksiIntakeFlush(ksiIntake *intake)
{
    intake->unflushed = 0;
    if (intake->archive && !intake->isArchiveBroken && !ksiArchiveFlush(intake->archive))
        breakArchive(intake);
    return !intake->isArchiveBroken;
}

static void take(ksiIntake *intake, int index, const ksiStepRecord *record)
{
    Source *source = &intake->source[index];
    const char *why = NULL;
    archive(intake, index, record);
    if (intake->options->isRawOnly)
        return;
    if (source->recorded == 0)
        why = ksiJudgesProcess(intake->judges, source->number, source->program);
    if (!why)
        why = ksiJudgesJudge(intake->judges, source->number, record);
    if (why)
        breakOff(source, why);
}

/* Drains a failed source, so that its process need not wait. */
static bool pollSource(ksiIntake *intake, int index)
{
    Source *source = &intake->source[index];
    const ksiStepRecord *record;
    if (!source->isOpen && (source->isBroken || !openSource(intake, index)))
        return false;
    const ksiTaken taken = source->isBroken ? KSI_TAKEN_NOTHING : ksiReaderTake(&source->reader, &record);
    if (taken == KSI_TAKEN_NONSENSE || taken == KSI_TAKEN_NO_MEMORY)
        breakOff(source, taken == KSI_TAKEN_NONSENSE ? "it sends invalid data" : "out of memory");
    if (source->isBroken)
        ksiReaderDrain(&source->reader);
    if (taken != KSI_TAKEN_RECORD)
        return false;
    source->only = source->recorded == 0 || source->only == record->world ? record->world : 0;
    take(intake, index, record);
    if (source->number == 0 && record->world == 1 && record->isStepped)
        intake->time = record->time + record->h;
    source->recorded++;
    intake->recorded++;
    return true;
}

/* --- Ended processes --- */

/* Stores the last state of the program's own process. After exec it has another place. */
static void noteMain(ksiIntake *intake, const ksiSeen *seen)
{
    intake->isMainSeen = true;
    if (seen->steps == 0 && intake->engine[0])
        return;
    memcpy(intake->engine, seen->engine, sizeof intake->engine);
    intake->last = seen->last;
    intake->isInStep = seen->isStepping;
    intake->notFinite = seen->hasNotFinite ? seen->notFinite : (ksiNotFinite){0};
}

/* Records the number of steps of the process's only world. If a process had several worlds, the
 * numbers are known only of worlds that were destroyed. */
static void endWorlds(ksiIntake *intake, int index, const ksiSeen *seen)
{
    const Source *source = &intake->source[index];
    const unsigned only = seen->worlds > 1 ? 0 : (unsigned)source->only;
    const ksiStepRecord end = ksiEndRecord(only, seen->steps);
    if (only > 0 && !source->isBroken && ksiRecordIsSound(&end, sizeof end))
        take(intake, index, &end);
    if (!intake->options->isRawOnly)
        (void)!ksiJudgesEnd(intake->judges, source->number);
}

/* Ends a source that has no further records, and frees the place of its process. */
static void retire(ksiIntake *intake, int index, const ksiSeen *seen)
{
    char words[KSI_FATE_WORDS];
    Source *source = &intake->source[index];
    const bool isMain = seen->pid == intake->process;
    const ksiProcessFate fate = ksiFateOf(seen, source->isBroken ? source->why : NULL, source->recorded, isMain, words);
    if (source->recorded > 0)
        endWorlds(intake, index, seen);
    if (isMain)
        noteMain(intake, seen);
    else if (seen->steps > 0 && !intake->engine[0])
        memcpy(intake->engine, seen->engine, sizeof intake->engine);
    intake->traps |= seen->traps;
    ksiProcessesAdd(intake->processes, seen->program, &fate);
    if (source->isOpen)
        ksiReaderClose(&source->reader);
    *source = (Source){.isOpen = false};
    ksiHubFree(intake->hub, index);
}

/* Retires the places that processes have left. isEnd: also the places of processes that still
 * run. */
static void retireGone(ksiIntake *intake, bool isEnd)
{
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++) {
        ksiSeen seen;
        const Source *source = &intake->source[i];
        const ksiPlace *place = &intake->hub->channel->place[i];
        if (atomic_load(&place->pid) == 0)
            continue;
        // read the flag first, so that all data written before it are visible
        ksiPlaceSee(place, &seen);
        const bool isDrained = source->isOpen ? !ksiReaderHasMore(&source->reader) : atomic_load(&place->written) == 0;
        if (isEnd || (seen.isLeft && (isDrained || source->isBroken)))
            retire(intake, i, &seen);
    }
}

bool ksiIntakePoll(ksiIntake *intake)
{
    bool found = false;
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++)
        if (atomic_load(&intake->hub->channel->place[i].written) > 0)
            found |= pollSource(intake, i);
    const double now = ksiWallTime();
    if (now - intake->retired >= retireInterval) {
        retireGone(intake, false);
        intake->retired = now;
        ksiCountTime(intake->hub->channel);
    }
    return found;
}

bool ksiIntakeFinish(ksiIntake *intake, ksiRun *run)
{
    retireGone(intake, true);
    ksiProcessesTurnAway(intake->processes, atomic_load(&intake->hub->channel->turnedAway));
    ksiIntakeDescribe(intake, run);
    bool isWhole = !intake->isArchiveBroken;
    if (intake->archive && isWhole)
        isWhole = (intake->isArchiveBegun || beginArchive(intake)) && ksiArchiveEnd(intake->archive, run);
    isWhole &= ksiArchiveClose(intake->archive);
    if (!isWhole && !intake->isArchiveBroken)
        breakArchive(intake);
    intake->archive = NULL;
    return isWhole;
}

uint64_t ksiIntakeRecorded(const ksiIntake *intake)
{
    return intake->recorded;
}

double ksiIntakeTime(const ksiIntake *intake)
{
    return intake->time;
}

/* --- Messages --- */

static void addNote(const char *words, void *user)
{
    ksiRun *run = user;
    const size_t used = strlen(run->notes);
    if (used + strlen(words) + 2 <= sizeof run->notes)
        snprintf(run->notes + used, sizeof run->notes - used, "%s\n", words);
}

/* Was the wrapper not loaded? Then it sends nothing. */
static bool wasNotLoaded(const ksiIntake *intake)
{
    return intake->process > 0 && !intake->isMainSeen;
}

static void eachWord(const ksiIntake *intake, void (*tell)(const char *words, void *user), void *user)
{
    char words[400];
    ksiProcessesEach(intake->processes, intake->recorded > 0, tell, user);
    if (intake->hasOther && !intake->options->isRawOnly)
        tell(ksiJudgedElsewhere, user);
    if (!wasNotLoaded(intake))
        return;
    snprintf(words, sizeof words,
             "%.200s was not inspected: the wrapper was not loaded into it (is its interpreter linked statically?)",
             intake->options->program[0]);
    tell(words, user);
}

void ksiIntakeDescribe(const ksiIntake *intake, ksiRun *run)
{
    ksiIntake known = *intake;
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++) {
        ksiSeen seen;
        const ksiPlace *place = &intake->hub->channel->place[i];
        const int process = atomic_load(&place->pid);
        if (process == 0)
            continue;
        ksiPlaceSee(place, &seen);
        known.traps |= seen.traps;
        if (process == intake->process)
            noteMain(&known, &seen);
    }
    known.isMainSeen |= intake->process == 0;
    snprintf(run->engine, sizeof run->engine, "%s", known.engine);
    snprintf(run->built, sizeof run->built, "%s", builtOf(intake));
    run->world = known.last.world;
    run->step = known.last.step;
    run->time = known.last.time;
    run->isInStep = known.isInStep;
    run->isExact = (int32_t)known.last.isExact;
    run->notFinite = known.notFinite;
    run->traps = known.traps;
    run->unseen = ksiProcessesUnseen(intake->processes) + wasNotLoaded(&known);
    run->notes[0] = 0;
    eachWord(&known, addNote, run);
}

static void print(const char *words, void *user)
{
    fprintf(user, "kinetostat: %s\n", words);
}

void ksiIntakeExplain(const ksiIntake *intake, FILE *to)
{
    eachWord(intake, print, to);
}

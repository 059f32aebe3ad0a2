/* intake.c  What the inspected processes send, world by world, to their judges. */
#include "intake.h"

#include "../replay/replica.h"
#include "../report/archive.h"

#include <stdlib.h>
#include <string.h>

enum { COMPRESSION = 1 };

/* One place of the channel. */
typedef struct Source {
    ksiRing ring;
    bool isOpen, isBroken;
    const char *why; /* it is broken */
    uint64_t recorded;
} Source;

struct ksiIntake {
    const ksiOptions *options;
    ksiChannel *channel;
    ksiWorlds *worlds;
    ksiArchive *archive; /* NULL: none is asked for, or made yet */
    bool isArchiveBroken;
    char words[KSI_ARCHIVE_WORDS]; /* the archive's */
    ksiRecordOrigin own;
    Source source[KSI_CHANNEL_PLACES];
};

ksiIntake *ksiIntakeCreate(const ksiOptions *options, ksiChannel *channel, ksiWorlds *worlds)
{
    ksiIntake *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->options = options;
    made->channel = channel;
    made->worlds = worlds;
    if (!ksiReplicaOrigin(&made->own))
        return made;
    free(made);
    return NULL;
}

void ksiIntakeDestroy(ksiIntake *intake)
{
    if (!intake)
        return;
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++)
        if (intake->source[i].isOpen)
            ksiRingClose(&intake->source[i].ring);
    free(intake);
}

/* --- Records --- */

static void breakOff(Source *source, const char *why)
{
    source->isBroken = true;
    source->why = why;
}

static bool openSource(ksiIntake *intake, int index)
{
    Source *source = &intake->source[index];
    ksiPlace *place = &intake->channel->place[index];
    if (!ksiRingOpen(&source->ring, intake->channel, place)) {
        breakOff(source, "its shared memory cannot be opened");
        return false;
    }
    source->isOpen = true;
    if (memcmp(&place->origin, &intake->own, sizeof intake->own) != 0) {
        breakOff(source, "its engine is another build than that of kinetostat");
        return false;
    }
    return true;
}

static bool openArchive(ksiIntake *intake)
{
    const ksiOptions *options = intake->options;
    return !ksiArchiveCreate(options->raw, COMPRESSION, intake->words, &intake->archive) &&
           ksiArchiveBegin(intake->archive, &intake->own, options->program[0]);
}

static void breakArchive(ksiIntake *intake)
{
    fprintf(stderr, "kinetostat: %s\n", intake->words);
    intake->isArchiveBroken = true;
}

/* The archive is made when there is something for it. */
static void archive(ksiIntake *intake, int index, const ksiStepRecord *record)
{
    if (!intake->options->raw || intake->isArchiveBroken)
        return;
    if ((!intake->archive && !openArchive(intake)) || ksiArchiveAppend(intake->archive, (unsigned)index, record))
        breakArchive(intake);
}

bool ksiIntakeFlush(ksiIntake *intake)
{
    if (intake->archive && !intake->isArchiveBroken && !ksiArchiveFlush(intake->archive))
        breakArchive(intake);
    return !intake->isArchiveBroken;
}

static void take(ksiIntake *intake, int index, const ksiStepRecord *record)
{
    archive(intake, index, record);
    if (!intake->options->isRawOnly && ksiWorldsJudge(intake->worlds, (unsigned)index, record))
        breakOff(&intake->source[index], "out of memory");
}

/* One that is broken is drained: its process need not wait. */
static bool pollSource(ksiIntake *intake, int index)
{
    Source *source = &intake->source[index];
    uint64_t available;
    if (!source->isOpen && (source->isBroken || !openSource(intake, index)))
        return false;
    const ksiStepRecord *record = ksiRingPeek(&source->ring, &available);
    if (!record)
        return false;
    if (!source->isBroken && !ksiRecordIsSound(record, available, intake->own.ownBytes))
        breakOff(source, "what it sends makes no sense");
    if (source->isBroken) {
        ksiRingRelease(&source->ring, available);
        return false;
    }
    take(intake, index, record);
    source->recorded++;
    ksiRingRelease(&source->ring, record->bytes);
    return true;
}

bool ksiIntakePoll(ksiIntake *intake)
{
    bool found = false;
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++)
        if (atomic_load(&intake->channel->place[i].written) > 0)
            found |= pollSource(intake, i);
    return found;
}

/* Of more than one world of a process it is not known whose the steps are that were not recorded; of those that were destroyed, the
 * process has told. */
bool ksiIntakeFinish(ksiIntake *intake)
{
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++) {
        const ksiPlace *place = &intake->channel->place[i];
        const unsigned only = atomic_load(&place->worlds) > 1 ? 0 : ksiWorldsOnly(intake->worlds, (unsigned)i);
        const ksiStepRecord end = ksiEndRecord(only, atomic_load(&place->steps));
        if (only > 0 && !intake->source[i].isBroken)
            take(intake, i, &end);
    }
    const bool isWhole = ksiArchiveClose(intake->archive) && !intake->isArchiveBroken;
    if (!isWhole && !intake->isArchiveBroken)
        breakArchive(intake);
    intake->archive = NULL;
    return isWhole;
}

uint64_t ksiIntakeRecorded(const ksiIntake *intake)
{
    uint64_t recorded = 0;
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++)
        recorded += intake->source[i].recorded;
    return recorded;
}

/* --- When there is nothing --- */

static const char *whyNot(const ksiPlace *place, const Source *source)
{
    if (source->isBroken)
        return source->why;
    switch ((ksiPlaceState)atomic_load(&place->state)) {
    case KSI_PLACE_REFUSED:
        return place->words;
    case KSI_PLACE_STEPPING:
        return source->recorded > 0            ? NULL
               : atomic_load(&place->hasEnded) ? "none of its steps was among those that were asked for"
                                               : "it died before a step that was asked for had ended";
    case KSI_PLACE_LOADED:
        if (!atomic_load(&place->hasEnded))
            return "it ended before it made a step that could be seen";
        return atomic_load(&place->hasEngine) ? "it has loaded the engine, but never stepped a world, or stepped by "
                                                "functions that it asked dlsym for"
                                              : "there is no engine in it (or one that is linked statically)";
    default:
        return NULL;
    }
}

/* What is to be said of a process; NULL: nothing. Where some process was inspected, helpers without an engine are of no interest. */
static const char *complaint(const ksiIntake *intake, int i, bool any)
{
    const ksiPlace *place = &intake->channel->place[i];
    const char *why = whyNot(place, &intake->source[i]);
    const bool isSaid = !any || intake->source[i].isBroken || atomic_load(&place->state) == KSI_PLACE_REFUSED;
    return isSaid ? why : NULL;
}

static bool isSame(const ksiIntake *intake, int i, int j, bool any)
{
    const char *why = complaint(intake, i, any), *other = complaint(intake, j, any);
    return why && other && strcmp(why, other) == 0 &&
           strcmp(intake->channel->place[i].program, intake->channel->place[j].program) == 0 &&
           (intake->source[i].recorded > 0) == (intake->source[j].recorded > 0);
}

/* Scripts start the same helper many times: that is said once. */
static void explainPlaces(const ksiIntake *intake, bool any, FILE *to)
{
    for (int i = 0; i < KSI_CHANNEL_PLACES; i++) {
        const char *why = complaint(intake, i, any);
        char times[40] = "";
        int count = 0, before = 0;
        for (int j = 0; j < KSI_CHANNEL_PLACES && why; j++) {
            count += isSame(intake, i, j, any);
            before += j < i && isSame(intake, i, j, any);
        }
        if (!why || before > 0)
            continue;
        if (count > 1)
            snprintf(times, sizeof times, " (%d processes)", count);
        fprintf(to, "kinetostat: %s%s was not inspected%s: %s\n", intake->channel->place[i].program, times,
                intake->source[i].recorded > 0 ? " to its end" : "", why);
    }
}

void ksiIntakeExplain(const ksiIntake *intake, FILE *to)
{
    explainPlaces(intake, ksiIntakeRecorded(intake) > 0, to);
    if (atomic_load(&intake->channel->place[0].pid) == 0)
        fprintf(to,
                "kinetostat: %s was not inspected: the wrapper was not loaded into it (is its interpreter linked "
                "statically?)\n",
                intake->options->program[0]);
    const int turnedAway = atomic_load(&intake->channel->turnedAway);
    if (turnedAway > 0)
        fprintf(to, "kinetostat: %d more processes were not inspected: there is room for %d\n", turnedAway,
                KSI_CHANNEL_PLACES);
}

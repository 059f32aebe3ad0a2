/* divergence.c  Finds the first step of each world in which two recordings differ.
 *
 * In the step before it, both recordings have the same input and the same result. So if the inputs
 * of the first different step differ, the host changed an input between the two steps. If the same
 * input gives another result, the cause may be a difference of seeds, threads or builds of the
 * engine. Such a difference may also be harmless. */
#include "divergence.h"

#include "../files/joint_type.h"
#include "../files/name_list.h"
#include "archive_worlds.h"

#include "../../base/memory.h"

#include <stdlib.h>

/* One of the recordings. */
typedef struct Source {
    ksiArchive *archive;
    char *words; /* the archive's message */
    ksiArchiveWorlds worlds;
    ksiNameList *names; /* or NULL */
} Source;

/* Position of a world in a recording. */
typedef struct Cursor {
    const Source *source;
    size_t next, at;             /* next: index of the next record; at: index of `record` */
    const ksiStepRecord *record; /* NULL: no more records */
    bool isEnded;                /* the world's end record was read */
} Cursor;

/* A world in both recordings. */
typedef struct Walk {
    ksiWorldPair *pair;
    Cursor cursor[2];
    uint64_t *expected; /* state expected after the last compared step */
    size_t expectedCapacity;
    bool hasExpected;
    uint64_t expectedStep; /* number of the step after the last compared one */
} Walk;

typedef struct Comparing {
    const ksiCompareOptions *options;
    ksiRecordingPair *out;
    Source source[2];
    ksiComparison comparison;
    Walk *walk; /* one for each pair */
    size_t walkCapacity;
} Comparing;

/* --- Names --- */

/* Writes a clean name to `out`. */
static void nameObject(const Source *source, const ksiStepRecord *record, const ksiFinding *found, long index,
                       char out[KSI_OBJECT_NAME])
{
    const bool isJoint = found->part == KSI_JOINT_PART || found->part == KSI_JOINT_RESULT_PART;
    const ksiBodyRecord *body = (const void *)(record + 1);
    out[0] = 0;
    if (index == KSI_NO_MATCH || found->part == KSI_STEP_PART)
        return;
    if (!isJoint) {
        snprintf(out, KSI_OBJECT_NAME, "body %llu", (unsigned long long)body[index].number);
        return;
    }
    const ksiJointRecord *joint = ksiRecordedJoint(record, index);
    const ksiNameRecord *given = ksiRecordedNames(record);
    const int number = ksiIsContactRecord(joint) ? 0 : (int)joint->number;
    int bodies[2];
    for (int i = 0; i < 2; i++)
        bodies[i] = joint->body[i] < 0 ? 0 : (int)body[joint->body[i]].number;
    ksiWriteJointName(out, (dJointType)joint->type, number, bodies);
    const char *listed =
        number ? ksiNameListFind(source->names, (dJointType)joint->type, joint->number, joint->ordinal) : NULL;
    if (listed)
        snprintf(out, KSI_OBJECT_NAME, "%s", listed);
    for (size_t i = 0; i < record->nameCount; i++)
        if (given[i].joint == index)
            ksiUnpackText(given[i].name, KSI_NAME_WORDS, out);
    if (!ksiCleanInPlace(&ksiLibraryAllocator, out, KSI_OBJECT_NAME))
        snprintf(out, KSI_OBJECT_NAME, "joint %d", number);
}

/* --- A step --- */

/* Threads may move bodies in any order. A space then returns contacts in any order, too, so the
 * order of joints does not exclude threads as the cause. */
static unsigned causesOf(const Comparing *comparing, const ksiWorldPair *pair, unsigned found)
{
    const unsigned input = found & KSI_INPUT_CAUSES, order = 1u << KSI_OTHER_ORDER;
    unsigned causes = found & ~(1u << KSI_OTHER_RESULT);
    if (pair->threads > 1 && (input & ~order) == 0)
        causes |= 1u << KSI_OTHER_THREADS;
    if (input == 0 && ksiIsOtherEngine(comparing->out))
        causes |= KSI_OTHER_ENGINE;
    return causes ? causes : KSI_CAUSE_NOT_KNOWN;
}

/* Names the objects of the findings. */
static ksStatus describe(const Comparing *comparing, const Walk *walk, ksiDivergence *out)
{
    const Cursor *cursor = walk->cursor;
    const ksiComparison *comparison = &comparing->comparison;
    const ksiStepRecord *a = cursor[0].record;
    const unsigned found = ksiCausesOf(comparison);
    const bool isNext = walk->hasExpected && a->step == walk->expectedStep;
    out->finding = calloc(comparison->count, sizeof *out->finding);
    if (!out->finding)
        return KS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < comparison->count; i++) {
        ksiNamedFinding *named = &out->finding[i];
        named->found = comparison->finding[i];
        named->changedBy = isNext ? ksiChangedBy(&named->found, a, (const void *)walk->expected) : 0;
        for (int k = 0; k < 2; k++)
            nameObject(cursor[k].source, cursor[k].record, &named->found, named->found.index[k], named->of[k]);
    }
    out->isThere = true;
    out->isAfterSame = isNext || a->step == 0;
    out->isInput = (found & KSI_INPUT_CAUSES) != 0;
    out->isForeign = a->stepper == KS_FOREIGN_STEP;
    out->causes = causesOf(comparing, walk->pair, found);
    out->count = comparison->count;
    out->step = a->step;
    out->time = a->time;
    return KS_OK;
}

/* Compares the current records of both recordings; differences smaller than the tolerance do not
 * count. */
static ksStatus compare(Comparing *comparing, const Walk *walk, double tolerance, ksiDivergence *out)
{
    const ksiStepRecord *a = walk->cursor[0].record, *b = walk->cursor[1].record;
    const ksStatus status = ksiCompareRecords(a, b, tolerance, &comparing->comparison);
    if (status)
        return status;
    const unsigned found = ksiCausesOf(&comparing->comparison);
    if (found & 1u << KSI_OTHER_SEED && walk->pair->otherSeeds < 0)
        walk->pair->otherSeeds = (int64_t)a->step;
    return found & ~KSI_CIRCUMSTANCES ? describe(comparing, walk, out) : KS_OK;
}

static ksStatus expectAfter(Walk *walk, const ksiStepRecord *record)
{
    const size_t count = record->bytes / sizeof(uint64_t);
    if (ksiReserve(&ksiLibraryAllocator, &walk->expected, &walk->expectedCapacity, count, sizeof(uint64_t)))
        return KS_ERROR_NO_MEMORY;
    memcpy(walk->expected, record, record->bytes);
    ksiExpectNext(walk->expected, count);
    walk->expectedStep = record->step + 1;
    walk->hasExpected = true;
    return KS_OK;
}

static ksStatus compareStep(Comparing *comparing, Walk *walk)
{
    ksiWorldPair *pair = walk->pair;
    const Cursor *cursor = walk->cursor;
    const double tolerance = comparing->options->tolerance;
    ksStatus status = KS_OK;
    pair->compared++;
    for (int k = 0; k < 2; k++)
        pair->threads = cursor[k].record->threads > pair->threads ? cursor[k].record->threads : pair->threads;
    if (!pair->first.isThere) {
        status = compare(comparing, walk, 0, &pair->first);
        pair->place = cursor[0].at;
        for (int k = 0; k < 2 && pair->first.isThere && comparing->options->again; k++)
            pair->first.again[k] = comparing->options->again(cursor[k].record, comparing->options->user);
    }
    if (!status && !pair->first.isThere)
        return expectAfter(walk, cursor[0].record);
    if (!status && tolerance > 0)
        status = compare(comparing, walk, tolerance, &pair->beyond);
    walk->hasExpected = false;
    return status;
}

/* --- A world --- */

/* Moves to the next sound step record of its world in recording k. */
static ksStatus advance(Walk *walk, int k)
{
    Cursor *cursor = &walk->cursor[k];
    const ksiStepRecord *record = NULL;
    while (!record && cursor->next != KSI_NO_NEXT) {
        unsigned process;
        cursor->at = cursor->next;
        cursor->next = cursor->source->worlds.next[cursor->at];
        if (ksiArchiveRead(cursor->source->archive, cursor->at, &record, &process))
            return KS_ERROR_NO_MEMORY;
        walk->pair->damaged[k] += record == NULL;
        if (!record)
            continue;
        cursor->isEnded = ksiIsEnd(record);
        walk->pair->steps[k] = record->step + !cursor->isEnded;
        if (cursor->isEnded)
            record = NULL;
    }
    cursor->record = record;
    return KS_OK;
}

/* Is the pair done? For a world in only one recording, one sound record is enough. */
static bool isDone(const Comparing *comparing, const ksiWorldPair *pair)
{
    const bool isAlone = !pair->name[0][0] || !pair->name[1][0];
    return isAlone || (comparing->options->tolerance > 0 ? pair->beyond.isThere : pair->first.isThere);
}

/* Moves to the next step of one or both recordings. */
static ksStatus goOn(Comparing *comparing, Walk *walk)
{
    const ksiStepRecord *a = walk->cursor[0].record, *b = walk->cursor[1].record;
    const bool isNext[2] = {a && (!b || a->step <= b->step), b && (!a || b->step <= a->step)};
    ksStatus status = KS_OK;
    if (isNext[0] && isNext[1])
        status = compareStep(comparing, walk);
    else
        walk->pair->alone[isNext[1]]++;
    for (int k = 0; k < 2 && !status && !isDone(comparing, walk->pair); k++)
        if (isNext[k])
            status = advance(walk, k);
    return status;
}

/* Notes whether the world ends earlier in one of the recordings. Without an end record, a world
 * ends with its last record, unless records are damaged. */
static void noteLength(const Walk *walk)
{
    ksiWorldPair *pair = walk->pair;
    for (int k = 0; k < 2; k++)
        pair->isShorter[k] = pair->steps[k] < pair->steps[!k] && (pair->damaged[k] == 0 || walk->cursor[k].isEnded);
}

/* Adds a pair of worlds, one of which may be missing (NULL). */
static ksStatus addPair(Comparing *comparing, const ksiArchiveWorld *a, const ksiArchiveWorld *b)
{
    ksiRecordingPair *out = comparing->out;
    const ksiArchiveWorld *world[2] = {a, b};
    const size_t count = out->count + 1;
    if (ksiReserve(&ksiLibraryAllocator, &out->world, &out->capacity, count, sizeof *out->world) ||
        ksiReserve(&ksiLibraryAllocator, &comparing->walk, &comparing->walkCapacity, count, sizeof *comparing->walk))
        return KS_ERROR_NO_MEMORY;
    ksiWorldPair *pair = &out->world[out->count];
    Walk *walk = &comparing->walk[out->count++];
    *pair = (ksiWorldPair){.otherSeeds = -1, .place = a ? a->first : SIZE_MAX};
    *walk = (Walk){.pair = NULL};
    for (int k = 0; k < 2; k++) {
        snprintf(pair->name[k], sizeof pair->name[k], "%s", world[k] ? world[k]->name : "");
        walk->cursor[k] = (Cursor){.source = &comparing->source[k], .next = world[k] ? world[k]->first : KSI_NO_NEXT};
    }
    return KS_OK;
}

/* Reads records in the order of the first file, then the remaining ones in the order of the second.
 * So each file is read once, however many worlds alternate in it. turn[record]: its pair, or
 * KSI_NO_NEXT. */
static ksStatus takeTurns(Comparing *comparing, size_t *turn, int k)
{
    const size_t records = comparing->out->records[k];
    for (size_t i = 0; i < records; i++)
        turn[i] = KSI_NO_NEXT;
    for (size_t i = 0; i < comparing->out->count; i++)
        if (comparing->walk[i].cursor[k].record)
            turn[comparing->walk[i].cursor[k].at] = i;
    for (size_t i = 0; i < records; i++) {
        Walk *walk = turn[i] == KSI_NO_NEXT ? NULL : &comparing->walk[turn[i]];
        const Cursor *cursor = walk ? &walk->cursor[k] : NULL;
        while (walk && !isDone(comparing, walk->pair) && cursor->record && cursor->at == i)
            if (goOn(comparing, walk))
                return KS_ERROR_NO_MEMORY;
        if (walk && cursor->record)
            turn[cursor->at] = turn[i];
    }
    return KS_OK;
}

/* --- All worlds --- */

static ksiArchiveWorld *findNumber(const ksiArchiveWorlds *all, size_t process, unsigned number)
{
    for (size_t i = 0; i < all->worldCount; i++)
        if (all->world[i].process == process && all->world[i].number == number)
            return &all->world[i];
    return NULL;
}

static ksStatus pairMatched(Comparing *comparing, const size_t *match)
{
    const ksiArchiveWorlds *a = &comparing->source[0].worlds, *b = &comparing->source[1].worlds;
    ksStatus status = KS_OK;
    for (size_t i = 0; i < a->worldCount && !status; i++)
        status = addPair(comparing, &a->world[i], findNumber(b, match[a->world[i].process], a->world[i].number));
    for (size_t j = 0; j < b->worldCount && !status; j++) {
        const ksiArchiveWorld *same = NULL;
        for (size_t i = 0; i < a->processCount && !same; i++)
            same = match[i] == b->world[j].process ? findNumber(a, i, b->world[j].number) : NULL;
        status = same ? KS_OK : addPair(comparing, NULL, &b->world[j]);
    }
    return status;
}

static ksStatus pairAll(Comparing *comparing)
{
    const ksiArchiveWorlds *a = &comparing->source[0].worlds, *b = &comparing->source[1].worlds;
    size_t *match = malloc((a->processCount + 1) * sizeof *match);
    if (!match)
        return KS_ERROR_NO_MEMORY;
    ksiMatchProcesses(a, b, match);
    const ksStatus status = pairMatched(comparing, match);
    free(match);
    return status;
}

static ksStatus pairNamed(Comparing *comparing, char *words)
{
    const ksiArchiveWorld *named[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        const ksiArchiveWorlds *all = &comparing->source[k].worlds;
        for (size_t i = 0; i < all->worldCount; i++)
            if (strcmp(all->world[i].name, comparing->options->world[k]) == 0)
                named[k] = &all->world[i];
        if (named[k])
            continue;
        snprintf(words, KSI_ARCHIVE_WORDS, "%.200s: there is no world \"%.100s\"", comparing->out->path[k],
                 comparing->options->world[k]);
        return KS_ERROR_BAD_ARGUMENT;
    }
    return addPair(comparing, named[0], named[1]);
}

static ksStatus walkPairs(Comparing *comparing)
{
    const size_t *records = comparing->out->records;
    size_t *turn = malloc(((records[0] > records[1] ? records[0] : records[1]) + 1) * sizeof *turn);
    ksStatus status = turn ? KS_OK : KS_ERROR_NO_MEMORY;
    for (size_t i = 0; i < comparing->out->count; i++) {
        comparing->walk[i].pair = &comparing->out->world[i];
        for (int k = 0; k < 2 && !status; k++)
            status = advance(&comparing->walk[i], k);
    }
    for (int k = 0; k < 2 && !status; k++)
        status = takeTurns(comparing, turn, k);
    for (size_t i = 0; i < comparing->out->count; i++)
        if (!isDone(comparing, &comparing->out->world[i]))
            noteLength(&comparing->walk[i]);
    free(turn);
    return status;
}

/* --- The recordings --- */

static ksStatus openSource(Comparing *comparing, int which, char *words)
{
    Source *source = &comparing->source[which];
    ksiRecordingPair *out = comparing->out;
    source->archive = ksiArchiveOpen(out->path[which], words);
    if (!source->archive)
        return KS_ERROR_FILE;
    const char *names = ksiArchiveNames(source->archive);
    out->run[which] = *ksiArchiveRun(source->archive);
    snprintf(out->run[which].built, sizeof out->run[which].built, "%s", ksiArchiveBuilt(source->archive));
    out->records[which] = ksiArchiveCount(source->archive);
    if (!ksiRunClean(&ksiLibraryAllocator, &out->run[which]))
        return KS_ERROR_NO_MEMORY;
    if (names && !(source->names = ksiNameListParse(out->path[which], names, words)))
        return KS_ERROR_FILE;
    return ksiArchiveListWorlds(source->archive, &source->worlds);
}

static int byPlace(const void *a, const void *b)
{
    const ksiWorldPair *x = a, *y = b;
    if (x->first.isThere != y->first.isThere)
        return x->first.isThere ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static ksStatus compareSources(Comparing *comparing, char *words)
{
    ksStatus status = openSource(comparing, 0, words);
    if (!status)
        status = openSource(comparing, 1, words);
    if (!status)
        status = comparing->options->world[0] ? pairNamed(comparing, words) : pairAll(comparing);
    if (!status)
        status = walkPairs(comparing);
    if (status == KS_ERROR_NO_MEMORY)
        snprintf(words, KSI_ARCHIVE_WORDS, "out of memory");
    for (size_t i = 0; i < comparing->out->count; i++)
        for (int k = 0; k < 2; k++)
            comparing->out->damaged[k] += comparing->out->world[i].damaged[k];
    if (!status && comparing->out->count > 0)
        qsort(comparing->out->world, comparing->out->count, sizeof *comparing->out->world, byPlace);
    return status;
}

ksStatus ksiCompareRecordings(const char *const path[2], const ksiCompareOptions *options, ksiRecordingPair *out,
                              char *words)
{
    Comparing comparing = {.options = options, .out = out};
    *out = (ksiRecordingPair){.path = {path[0], path[1]}, .tolerance = options->tolerance};
    const ksStatus status = compareSources(&comparing, words);
    for (int k = 0; k < 2; k++) {
        ksiArchiveWorldsFree(&comparing.source[k].worlds);
        ksiNameListDestroy(comparing.source[k].names);
        ksiArchiveClose(comparing.source[k].archive);
    }
    ksiComparisonFree(&comparing.comparison);
    for (size_t i = 0; i < out->count; i++)
        ksiFree(&ksiLibraryAllocator, comparing.walk[i].expected);
    ksiFree(&ksiLibraryAllocator, comparing.walk);
    return status;
}

/* --- The result --- */

static bool differ(const char *a, const char *b)
{
    return a[0] && b[0] && strcmp(a, b) != 0;
}

bool ksiIsOtherEngine(const ksiRecordingPair *pair)
{
    return differ(pair->run[0].built, pair->run[1].built) || differ(pair->run[0].engine, pair->run[1].engine);
}

bool ksiWorldDiffers(const ksiRecordingPair *pair, const ksiWorldPair *world)
{
    const ksiDivergence *which = pair->tolerance > 0 ? &world->beyond : &world->first;
    bool isOther = which->isThere || world->isShorter[0] || world->isShorter[1];
    // damaged records of the other recording may be the missing world's
    for (int k = 0; k < 2; k++)
        isOther |= !world->name[!k][0] && world->steps[k] > 0 && pair->damaged[!k] == 0;
    return isOther;
}

int ksiPairStatus(const ksiRecordingPair *pair)
{
    bool isOther = false, isWhole = true;
    for (size_t i = 0; i < pair->count; i++) {
        const ksiWorldPair *world = &pair->world[i];
        isOther |= ksiWorldDiffers(pair, world);
        isWhole &= world->compared > 0 && world->damaged[0] == 0 && world->damaged[1] == 0;
    }
    return isOther && pair->records[0] > 0 && pair->records[1] > 0 ? 1 : isWhole && pair->count > 0 ? 0 : 2;
}

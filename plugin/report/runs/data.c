/* data.c  Saves and loads a report with all of its bins.
 *
 * For each structure, one function both writes the members, and reads and checks them. The file
 * ends with the CRC-32 of all bytes before. The file is untrusted: each number must be in its
 * range, no list may be longer than the file, and derived quantities are recomputed. */
#include "data.h"

#include "../collect/pairs.h"
#include "../files/checksum.h"
#include "../files/failure.h"
#include "../files/stream.h"
#include "metrics_data.h"

#include <math.h>
#include <stdlib.h>

enum { CHECKSUM_BYTES = 4 };

/* The version changes with any change of the format. */
static const char magic[] = KSI_DATA_NAME " 12\n";

/* --- Parts of a joint --- */

/* Codes of a range in a bucket: 0: unknown; 1: its ends are equal, and one follows; 2: both ends
 * follow. */
static void range(ksiStream *s, ksiRange *range, unsigned what)
{
    if (what > 0)
        ksiStreamSingle(s, &range->least);
    range->largest = what == 1 ? range->least : range->largest;
    if (what == 2)
        ksiStreamSingle(s, &range->largest);
    range->isKnown = what > 0;
    ksiStreamRequire(s, what == 0 || range->least <= range->largest);
}

static unsigned whatIs(const ksiRange *range)
{
    return !range->isKnown ? 0 : range->least == range->largest ? 1 : 2;
}

static void jointBucket(ksiStream *s, void *place)
{
    ksiJointBucket *bucket = place;
    uint64_t what = 0;
    ksiStreamWhole32(s, &bucket->count);
    for (int i = 0; i < KSI_RANGES; i++)
        what |= (uint64_t)whatIs(&bucket->range[i]) << 2 * i;
    ksiStreamUpTo(s, &what, (UINT64_C(1) << 2 * KSI_RANGES) - 1);
    for (int i = 0; i < KSI_RANGES; i++)
        range(s, &bucket->range[i], what >> 2 * i & 3);
}

static void worldBucket(ksiStream *s, void *place)
{
    ksiWorldBucket *bucket = place;
    ksiStreamCount(s, &bucket->steps);
    if (bucket->steps == 0)
        return;
    ksiStreamKnown(s, &bucket->begin);
    ksiStreamCounts(s, bucket->verdict, KSI_VERDICTS);
}

/* The world's steps determine the width and the number of buckets. */
static void timeline(ksiStream *s, ksiTimeline *timeline, const ksiWorldStats *world, void each(ksiStream *, void *))
{
    const uint64_t least = world->firstStep >> timeline->k, most = world->lastStep >> timeline->k;
    uint64_t count = timeline->count, first = timeline->first;
    ksiStreamCount(s, &first);
    ksiStreamUpTo(s, &count, most - least + 1);
    if (count == 0 || !ksiStreamIsGood(s))
        return;
    ksiStreamRequire(s, world->inspected > 0 && first >= least && first <= most && count <= most - first + 1);
    for (uint64_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        void *bucket = ksiTimelineAt(s->allocator, timeline, (first + i) << timeline->k);
        ksiStreamNeed(s, bucket != NULL);
        if (bucket)
            each(s, bucket);
    }
}

static void joint(ksiStream *s, ksiJointStats *joint, const ksiWorldStats *world)
{
    char place[KSI_LONGEST_TEXT];
    const char *given = ksiStreamText(s, joint->given, place);
    ksiStreamCount(s, &joint->givenStep);
    if (!s->out && given)
        ksiStreamNeed(s, ksiRename(s->allocator, joint, given, joint->givenStep));
    ksiStreamCount(s, &joint->firstStep);
    ksiStreamMetrics(s, &ksiJointMetrics, joint);
    ksiStreamEntries(s, &ksiTriedMetrics, &joint->tried);
    timeline(s, &joint->timeline, world, jointBucket);
}

/* --- Worlds --- */

static void who(ksiStream *s, ksiWorldStats *world, size_t index)
{
    ksiJointStats none = {0};
    ksiJointStats *joint = s->out ? world->joint[index] : &none;
    int type = (int)joint->type;
    ksiStreamWhole(s, &type, KSI_TYPES - 1);
    ksiStreamWhole(s, &joint->number, KSI_MOST_NUMBER);
    for (int i = 0; i < 2; i++)
        ksiStreamWhole(s, &joint->body[i], INT32_MAX);
    if (s->out || !ksiStreamIsGood(s))
        return;
    ksiStreamNeed(s, ksiJointMake(s->allocator, world, (dJointType)type, none.number, none.body) != NULL);
    // a second joint with this identity is invalid
    ksiStreamRequire(s, s->isShort || world->jointCount == index + 1);
}

/* The identities of all joints precede the statistics, because the number of joints determines the
 * width of buckets. */
static void joints(ksiStream *s, ksiWorldStats *world)
{
    uint64_t count = world->jointCount;
    ksiStreamCount(s, &count);
    // a world with joints has inspected steps
    ksiStreamRequire(s, count == 0 || world->inspected > 0);
    for (size_t i = 0; i < count && ksiStreamIsGood(s); i++)
        who(s, world, i);
    if (!ksiStreamIsGood(s))
        return;
    if (!s->out)
        ksiFitTimelines(world, world->firstStep, world->lastStep);
    for (size_t i = 0; i < count && ksiStreamIsGood(s); i++)
        joint(s, world->joint[i], world);
    timeline(s, &world->timeline, world, worldBucket);
}

static void pairs(ksiStream *s, ksiPairs *pairs)
{
    uint64_t count = pairs->count;
    ksiStreamCount(s, &count);
    for (size_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        int body[2] = {0, 0};
        if (s->out)
            memcpy(body, pairs->at[i].body, sizeof body);
        for (int side = 0; side < 2; side++)
            ksiStreamWhole(s, &body[side], KSI_MOST_NUMBER);
        ksiPairStats *made = ksiStreamIsGood(s) ? ksiPairMake(s->allocator, pairs, body) : NULL;
        ksiStreamNeed(s, made || !ksiStreamIsGood(s));
        // pairs are sorted and distinct
        ksiStreamRequire(s, !made || (made == &pairs->at[i] && pairs->count == i + 1));
        if (made && ksiStreamIsGood(s))
            ksiStreamMetrics(s, &ksiPairMetrics, made);
    }
}

/* A world without a run belongs to the report's only run. */
static void world(ksiStream *s, ksiWorldStats *world, size_t runs)
{
    uint64_t run = world->run == KSI_NO_RUN ? 0 : world->run;
    ksiStreamCount(s, &run);
    ksiStreamRequire(s, run < runs);
    if (!s->out)
        world->run = (size_t)run;
    ksiStreamCount(s, &world->place);
    ksiStreamCount(s, &world->firstStep);
    ksiStreamCount(s, &world->lastStep);
    ksiStreamRequire(s, world->firstStep <= world->lastStep);
    ksiStreamReal(s, &world->firstTime);
    ksiStreamReal(s, &world->lastTime);
    ksiStreamReal(s, &world->leastStepSize);
    ksiStreamReal(s, &world->erp);
    ksiStreamReal(s, &world->cfm);
    ksiStreamKnown(s, &world->meanWindow);
    ksiStreamRequire(s, world->meanWindow >= 0);
    ksiStreamMetrics(s, &ksiWorldMetrics, world);
    ksiStreamEnergy(s, &world->energy);
    ksiStreamEntries(s, &ksiUsedMetrics, &world->used);
    ksiStreamMetrics(s, &ksiContactMetrics, &world->contacts);
    ksiStreamContactShares(s, &world->contactShares);
    ksiStreamFlickers(s, &world->flickers);
    pairs(s, &world->pairs);
    ksiStreamExcludedJoints(s, &world->excluded);
    ksiStreamEntries(s, &ksiAdviceMetrics, &world->advice);
    joints(s, world);
}

static void worlds(ksiStream *s, ksReport *report)
{
    uint64_t count = report->worldCount;
    ksiStreamCount(s, &count);
    for (size_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        char place[KSI_LONGEST_TEXT];
        const char *name = ksiStreamText(s, s->out ? report->world[i]->name : NULL, place);
        ksiStreamRequire(s, name != NULL);
        if (!s->out && ksiStreamIsGood(s))
            ksiStreamNeed(s, ksiWorldMake(report, name) != NULL);
        if (ksiStreamIsGood(s))
            world(s, report->world[i], report->runCount);
    }
}

/* --- Runs --- */

static void run(ksiStream *s, ksiRun *run)
{
    uint32_t *const small[] = {&run->world,
                               &run->traps,
                               &run->unseen,
                               &run->lost,
                               &run->notFinite.body,
                               &run->notFinite.more,
                               &run->notFinite.quantity,
                               &run->notFinite.world};
    int32_t *const counted[] = {&run->argumentCount, &run->isOver,   &run->status,
                                &run->signal,        &run->isInStep, &run->isExact};
    ksiStreamRoom(s, run->program, sizeof run->program);
    ksiStreamRoom(s, run->arguments, sizeof run->arguments);
    ksiStreamRoom(s, run->begun, sizeof run->begun);
    ksiStreamRoom(s, run->engine, sizeof run->engine);
    ksiStreamRoom(s, run->built, sizeof run->built);
    ksiStreamRoom(s, run->notes, sizeof run->notes);
    ksiStreamRoom(s, run->parameters, sizeof run->parameters);
    ksiStreamRoom(s, run->file, sizeof run->file);
    ksiStreamUpTo(s, &run->identity, UINT64_MAX);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        ksiStreamWhole32(s, small[i]);
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
        ksiStreamWhole(s, counted[i], INT32_MAX);
    ksiStreamCount(s, &run->step);
    ksiStreamCount(s, &run->notFinite.step);
    ksiStreamReal(s, &run->time);
    ksiStreamReal(s, &run->notFinite.time);
    ksiStreamWhole32(s, &run->turn);
    ksiStreamWhole32(s, &run->shards);
    ksiStreamRequire(s, run->shards <= KSI_MOST_SHARDS);
    for (uint32_t i = 0; ksiStreamIsGood(s) && i < (run->shards + 63) / 64; i++)
        ksiStreamUpTo(s, &run->shard[i], UINT64_MAX);
}

/* A host's report has one run, its own. A command's report starts without runs, and gets the runs
 * of the files that it reads. */
static void runs(ksiStream *s, ksReport *report)
{
    uint64_t count = !s->out ? 0 : report->runCount > 0 || report->isOfCommand ? report->runCount : 1;
    ksiStreamCount(s, &count);
    ksiStreamRequire(s, count > 0 || report->isOfCommand);
    for (size_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        ksiRun one = !s->out ? (ksiRun){.argumentCount = 0} : i < report->runCount ? report->run[i] : ksiRunOfHost();
        run(s, &one);
        if (!s->out && ksiStreamIsGood(s))
            ksiStreamNeed(s, !ksiReportSetRun(report, i, &one));
    }
}

/* --- The whole --- */

/* The options of counting and judging; a merge compares most of them. */
static void options(ksiStream *s, ksReportOptions *options, char place[2][KSI_LONGEST_TEXT])
{
    ksReportLimit *limit = &options->limit;
    int value = (int)limit->value;
    uint64_t types = options->types, every = options->adviseEvery;
    options->joints = ksiStreamText(s, options->joints, place[0]);
    limit->joints = ksiStreamText(s, limit->joints, place[1]);
    ksiStreamUpTo(s, &types, UINT32_MAX);
    options->types = (unsigned)types;
    ksiStreamReal(s, &options->from);
    ksiStreamReal(s, &options->to);
    ksiStreamCount(s, &every);
    options->adviseEvery = (unsigned long)every;
    ksiStreamReal(s, &limit->above);
    ksiStreamReal(s, &limit->percentile);
    ksiStreamWhole(s, &value, KS_PHYSICAL);
    limit->value = (ksValue)value;
    ksiStreamReal(s, &limit->floor);
}

static void head(ksiStream *s)
{
    char found[sizeof magic - 1];
    // sizes of arrays: they reveal a change of the format without a new version
    uint64_t size[] = {KSI_VERDICTS, KSI_REASONS, KSI_STEPPERS, KSI_COMPONENTS,
                       KSI_VALUES,   KSI_LOADS,   KSI_ERRORS,   KSI_TRIALS};
    uint64_t expected[sizeof size / sizeof *size];
    memcpy(found, magic, sizeof found);
    memcpy(expected, size, sizeof size);
    ksiStreamBytes(s, found, sizeof found);
    ksiStreamCounts(s, size, sizeof size / sizeof *size);
    ksiStreamRequire(s, memcmp(size, expected, sizeof size) == 0);
}

static uint32_t checksumOf(const void *bytes, size_t count)
{
    return ksiChecksumText(0, bytes, count);
}

void ksiWriteData(const ksReport *report, ksiText *out)
{
    // writing changes nothing
    ksReport *all = (ksReport *)report;
    ksiStream s = {.allocator = out->allocator, .out = out};
    char place[2][KSI_LONGEST_TEXT];
    ksReportOptions made = report->options;
    head(&s);
    options(&s, &made, place);
    ksiStreamTruth(&s, &all->isOfCommand);
    runs(&s, all);
    worlds(&s, all);
    uint32_t sum = out->at ? checksumOf(out->at, out->length) : 0;
    const unsigned char last[CHECKSUM_BYTES] = {(unsigned char)sum, (unsigned char)(sum >> 8),
                                                (unsigned char)(sum >> 16), (unsigned char)(sum >> 24)};
    ksiTextAddBytes(out, last, sizeof last);
    out->isShort |= s.isShort;
}

static void readAll(ksiStream *s, ksReport **report)
{
    char place[2][KSI_LONGEST_TEXT];
    ksReportOptions made;
    ksReportOptionsInit(&made);
    options(s, &made, place);
    const ksStatus status = ksiStreamIsGood(s) ? ksReportCreate(&made, report) : KS_OK;
    ksiStreamNeed(s, status != KS_ERROR_NO_MEMORY);
    ksiStreamRequire(s, !status);
    if (!ksiStreamIsGood(s))
        return;
    ksiStreamTruth(s, &(*report)->isOfCommand);
    runs(s, *report);
    worlds(s, *report);
    ksiStreamRequire(s, s->at == s->end);
}

/* Gives each run without a file this path. NULL: changes nothing. */
static ksStatus nameFiles(ksReport *report, const char *path, uint64_t identity)
{
    ksStatus status = KS_OK;
    for (size_t i = 0; path && i < report->runCount && !status; i++) {
        ksiRun named = report->run[i];
        if (named.file[0])
            continue;
        snprintf(named.file, sizeof named.file, "%s", path);
        named.identity = named.identity ? named.identity : identity;
        status = ksiReportSetRun(report, i, &named);
    }
    return status;
}

ksStatus ksiReadData(const char *path, const void *at, size_t count, ksReport **report)
{
    const unsigned char *byte = at;
    ksReport *made = NULL;
    uint32_t sum = 0;
    const bool isHdf5 = count >= 8 && memcmp(at, "\211HDF\r\n\032\n", 8) == 0;
    if (count < sizeof magic - 1 + CHECKSUM_BYTES || memcmp(at, magic, strcspn(magic, "0123456789")) != 0)
        return ksiReportFail(path, KS_ERROR_FILE, "is not a report of --save%s",
                             isHdf5
                                 ? ", but a recording or another HDF5 file: kinetostat judge makes mergeable reports "
                                   "of recordings"
                                 : "");
    if (memcmp(at, magic, sizeof magic - 1) != 0)
        return ksiReportFail(path, KS_ERROR_FILE,
                             "is a report of another version of kinetostat: judge the recording again");
    for (size_t i = 0; i < CHECKSUM_BYTES; i++)
        sum |= (uint32_t)byte[count - CHECKSUM_BYTES + i] << 8 * i;
    if (sum != checksumOf(at, count - CHECKSUM_BYTES))
        return ksiReportFail(path, KS_ERROR_FILE, "is cut off or damaged: its checksum is wrong");
    ksiStream s = {.allocator = &ksiLibraryAllocator, .at = byte, .end = byte + count - CHECKSUM_BYTES};
    head(&s);
    readAll(&s, &made);
    if (ksiStreamIsGood(&s))
        ksiStreamNeed(&s, !nameFiles(made, path, UINT64_C(1) << 32 | sum));
    if (ksiStreamIsGood(&s)) {
        *report = made;
        return KS_OK;
    }
    ksReportDestroy(made);
    return s.isShort ? ksiReportFail(path, KS_ERROR_NO_MEMORY, "out of memory")
                     : ksiReportFail(path, KS_ERROR_FILE, "is damaged: it holds invalid values");
}

/* trace_mcap.c  A trace as MCAP, for PlotJuggler and Foxglove. Each joint has a channel, and so has
 * every other table of a world. The messages are JSON, with a JSON schema. Three more channels have
 * the world's scene. Topics have only letters, digits, _ and -, so that they are easy to type. */
#define _GNU_SOURCE
#include "mcap.h"
#include "trace_scene.h"

#include "../files/used_names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_CHANNELS = 65535, SLUG = 100, TOPIC = 2 * KSI_TRACED_NAME };

/* Numbers of schemas: the schemas of scenes come first. */
enum { TRANSFORMS = 1, SCENE, TABLES };

/* Channels of a world: channels of its tables, of its scene, and of its joints by line; 0: none. */
typedef struct Channels {
    char topic[KSI_TRACED_NAME]; /* prefix of the world's topics */
    unsigned table[KSI_TRACE_TABLES], transforms, bodies, forces, *joint;
    size_t jointCount, capacity;
    ksiTraceScale scale;
    uint64_t shown; /* a hash of the set of shown bodies: a sum, so that their order does not
                       matter */
} Channels;

typedef struct Mcap {
    ksiMcap file;
    Channels *world;
    size_t worldCount, worldCapacity;
    const ksiTable *schema[KSI_TRACE_TABLES]; /* schema i has the number TABLES + i */
    ksiUsedNames topics;
} Mcap;

static const char root[] = "/kinetostat";

/* --- Topics */

static bool isPlain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
}

/* Writes a name in plain characters, with one _ for each sequence of others. */
static size_t makeSlug(char slug[SLUG + 1], const char *name)
{
    size_t length = 0;
    for (; *name && length < SLUG; name++)
        if (isPlain(*name))
            slug[length++] = *name;
        else if (length > 0 && slug[length - 1] != '_')
            slug[length++] = '_';
    length -= length > 0 && slug[length - 1] == '_';
    slug[length] = 0;
    return length;
}

/* Makes a unique topic, with a number at its end if needed. false: out of memory. */
static bool makeTopic(Mcap *mcap, char topic[TOPIC], const char *under, const char *name)
{
    char slug[SLUG + 1];
    const bool isNamed = makeSlug(slug, name) > 0;
    const int length = snprintf(topic, TOPIC, "%s/%s", under, isNamed ? slug : "unnamed");
    for (unsigned number = 2; ksiIsUsedName(&mcap->topics, topic); number++)
        snprintf(topic + length, (size_t)(TOPIC - length), "_%u", number);
    char *used = ksiUseName(&ksiLibraryAllocator, &mcap->topics, topic);
    const bool isMade = used != NULL;
    ksiFree(&ksiLibraryAllocator, used);
    return isMade;
}

/* --- Schemas, channels, messages */

/* 0: no number is left, or memory ran out. */
static unsigned addChannel(Mcap *mcap, const Channels *channels, unsigned schema, const char *world, const char *name)
{
    char topic[TOPIC];
    if (mcap->file.channelCount == MOST_CHANNELS || !makeTopic(mcap, topic, channels->topic, name))
        return 0;
    return ksiMcapAddChannel(&mcap->file, schema, topic, world, name);
}

static unsigned schemaOf(Mcap *mcap, const ksiTable *table)
{
    const unsigned count = mcap->file.schemaCount + 1 - TABLES;
    char title[64];
    unsigned schema = 0;
    while (schema < count && mcap->schema[schema] != table)
        schema++;
    if (schema == count) {
        mcap->schema[schema] = table;
        snprintf(title, sizeof title, "kinetostat.%s", table->name);
        ksiMcapAddSchema(&mcap->file, title, ksiTableSchema(table));
    }
    return TABLES + schema;
}

/* The channel of a joint's line; 0: none. */
static unsigned channelOfJoint(Mcap *mcap, Channels *channels, const ksiTraceWorld *world, size_t joint)
{
    if (ksiReserve(&ksiLibraryAllocator, &channels->joint, &channels->capacity, joint + 1, sizeof *channels->joint))
        return 0;
    for (; channels->jointCount <= joint; channels->jointCount++)
        channels->joint[channels->jointCount] = 0;
    if (!channels->joint[joint])
        channels->joint[joint] = addChannel(mcap, channels, schemaOf(mcap, &ksiReactionTable), world->name,
                                            ksiJointAt(&world->lines[0], (int64_t)joint)->name);
    return channels->joint[joint];
}

/* Latest time, s: readers hold nanoseconds in 63 bits, for 292 years. */
static const double latest = INT64_MAX / 1000000000;

static bool isTime(double time)
{
    return time >= 0 && time < latest;
}

static uint64_t nanoseconds(double time)
{
    return isTime(time) ? (uint64_t)llround(1e9 * time) : 0;
}

static ksStatus addMessage(Mcap *mcap, unsigned channel, double time, json_t *message)
{
    if (channel && isTime(time))
        return ksiMcapAddMessage(&mcap->file, channel, nanoseconds(time), message);
    json_decref(message);
    if (channel)
        return ksiTraceTextFail(&mcap->file.file, KS_ERROR_FILE,
                                "a step has a time outside the range of MCAP, 0 to 9.2e9 s");
    return ksiTraceTextFail(&mcap->file.file, KS_ERROR_FILE,
                            "there are more than 65535 channels, or no memory for them");
}

/* --- Scenes */

static uint64_t hashOf(uint64_t number)
{
    number *= 0x9e3779b97f4a7c15u;
    return (number ^ number >> 29) * 0xbf58476d1ce4e5b9u;
}

/* Writes a scene, with its boxes if the set of bodies has changed. */
static ksStatus writeScene(Mcap *mcap, Channels *channels, double time, ksiTraceScene *scene)
{
    uint64_t shown = scene->poseCount;
    for (size_t i = 0; i < scene->poseCount; i++)
        shown += hashOf((uint64_t)scene->pose[i].body);
    scene->time = nanoseconds(time);
    ksStatus status = addMessage(mcap, channels->transforms, time, ksiSceneTransforms(scene));
    if (status == KS_OK && shown != channels->shown)
        status = addMessage(mcap, channels->bodies, time, ksiSceneBodies(scene));
    channels->shown = shown;
    return status ? status : addMessage(mcap, channels->forces, time, ksiSceneForces(scene, &channels->scale));
}

/* Writes the scene of each waiting step; steps are the last table, after poses. */
static ksStatus writeScenes(Mcap *mcap, Channels *channels, const ksiTraceWorld *world)
{
    const ksiLines *steps = &world->lines[world->tableCount - 1], *poses = steps - 1;
    const ksiLines *reactions = world->lines;
    size_t stepCount, poseCount, reactionCount;
    while (reactions->table != &ksiReactionTable)
        reactions++;
    const ksiStepLine *step = (const void *)ksiWaitingLines(steps, &stepCount);
    const ksiPoseLine *pose = (const void *)ksiWaitingLines(poses, &poseCount);
    const ksiReactionLine *reaction = (const void *)ksiWaitingLines(reactions, &reactionCount);
    ksStatus status = KS_OK;
    for (size_t i = 0, p = 0, r = 0; i < stepCount && status == KS_OK; i++) {
        // the topic without the root and the slash behind it
        ksiTraceScene scene = {.frame = channels->topic + sizeof root, .joints = &world->lines[0]};
        scene.pose = pose ? pose + p : NULL;
        scene.reaction = reaction ? reaction + r : NULL;
        while (p + scene.poseCount < poseCount && scene.pose[scene.poseCount].step == step[i].step)
            scene.poseCount++;
        scene.reactionCount = (size_t)step[i].count;
        p += scene.poseCount;
        r += scene.reactionCount;
        status = writeScene(mcap, channels, step[i].time, &scene);
    }
    return status;
}

/* --- The file */

/* Tables get their topics before joints do. */
static ksStatus addWorld(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Mcap *mcap = (Mcap *)file;
    char topic[TOPIC];
    if (ksiReserve(&ksiLibraryAllocator, &mcap->world, &mcap->worldCapacity, (size_t)index + 1, sizeof *mcap->world) ||
        !makeTopic(mcap, topic, root, world->name))
        return ksiTraceTextFail(&mcap->file.file, KS_ERROR_NO_MEMORY, "out of memory");
    for (; mcap->worldCount <= (size_t)index; mcap->worldCount++)
        mcap->world[mcap->worldCount] = (Channels){.joint = NULL};
    Channels *channels = &mcap->world[index];
    snprintf(channels->topic, sizeof channels->topic, "%.*s", KSI_TRACED_NAME - 1, topic);
    for (int t = 1; t < world->tableCount; t++) {
        const ksiTable *table = world->lines[t].table;
        if (table != &ksiReactionTable && table != &ksiPoseTable)
            channels->table[t] = addChannel(mcap, channels, schemaOf(mcap, table), world->name, table->name);
    }
    channels->transforms = addChannel(mcap, channels, TRANSFORMS, world->name, "transforms");
    channels->bodies = addChannel(mcap, channels, SCENE, world->name, "bodies");
    channels->forces = addChannel(mcap, channels, SCENE, world->name, "forces");
    return KS_OK;
}

/* Each line begins with its step and its time. */
static ksStatus writeLines(ksiTraceFile *file, int index, const ksiTraceWorld *world)
{
    Mcap *mcap = (Mcap *)file;
    Channels *channels = &mcap->world[index];
    const ksiLines *joints = &world->lines[0];
    ksStatus status = KS_OK;
    for (int t = 1; t < world->tableCount && status == KS_OK; t++) {
        const ksiTable *table = world->lines[t].table;
        size_t count;
        const char *line = ksiWaitingLines(&world->lines[t], &count);
        if (table == &ksiPoseTable)
            continue;
        for (size_t i = 0; i < count && status == KS_OK; i++, line += table->lineSize) {
            const ksiReactionLine *first = (const void *)line;
            const unsigned channel = table == &ksiReactionTable
                                         ? channelOfJoint(mcap, channels, world, (size_t)first->joint)
                                         : channels->table[t];
            status = addMessage(mcap, channel, first->time, ksiLineToJson(table, line, joints));
        }
    }
    return status == KS_OK ? writeScenes(mcap, channels, world) : status;
}

static ksStatus flush(ksiTraceFile *file)
{
    return ksiMcapFlush((ksiMcap *)file);
}

static ksStatus closeFile(ksiTraceFile *file)
{
    Mcap *mcap = (Mcap *)file;
    const ksStatus status = ksiMcapClose(&mcap->file);
    for (size_t i = 0; i < mcap->worldCount; i++)
        ksiFree(&ksiLibraryAllocator, mcap->world[i].joint);
    ksiFree(&ksiLibraryAllocator, mcap->world);
    ksiMapFree(&ksiLibraryAllocator, &mcap->topics.map);
    free(mcap);
    return status;
}

ksStatus ksiTraceOpenMcap(const char *path, char *words, ksiTraceFile **file)
{
    const ksiTraceFile base = {addWorld, writeLines, flush, closeFile, ksiTraceTextAbandon, words};
    ksiTraceText *made;
    const ksStatus status = ksiTraceTextCreate(sizeof(Mcap), &base, path, &made);
    if (status)
        return status;
    ksiMcap *mcap = (ksiMcap *)made;
    ksiMcapBegin(mcap);
    ksiMcapAddSchema(mcap, "foxglove.FrameTransforms", ksiTransformsSchema());
    ksiMcapAddSchema(mcap, "foxglove.SceneUpdate", ksiSceneSchema());
    *file = &made->base;
    return KS_OK;
}

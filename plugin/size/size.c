/* size.c  Reads a trace step by step and adds each line to its joint, so memory does not grow with
 * the number of steps. A worker sizes blocks of steps while the next blocks are read. */
#include "size.h"
#include "step_load.h"

#include "../base/memory.h"
#include "../base/worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A table whose lines are read ahead. */
typedef struct Ahead {
    ksiReadTable *table;
    char *lines;
    size_t size, count;
    uint64_t first, next; /* first: number of the first line in `lines`; next: number of the line
                             that must come next */
} Ahead;

typedef struct Walk {
    const ksiSizeOptions *options;
    ksiTraceReader *reader;
    ksiSizedWorld *world;
    Ahead reactions, motors;
    ksiReadTable *steps;
    ksiWorker *worker;
    ksiSizedJoint **full, **sized; /* full: joints with full blocks; sized: joints whose blocks the
                                      worker sizes */
    size_t fullCount, sizedCount;
    const char *path;
    char *words;
} Walk;

static bool complain(const Walk *walk, const char *why)
{
    snprintf(walk->words, KSI_READ_WORDS, "%.200s: %s", walk->path, why);
    return false;
}

static bool isMean(const ksiSizeOptions *options)
{
    return options->value == KS_MEAN;
}

/* --- Joints --- */

/* Does the joint's axis turn in a bearing? */
static bool isBearing(const char *type)
{
    return strcmp(type, "hinge") == 0 || strcmp(type, "dhinge") == 0 || strcmp(type, "piston") == 0;
}

static bool beginJoint(const Walk *walk, ksiSizedJoint *joint)
{
    const ksiSizeOptions *options = walk->options;
    const ksiBearingData *bearing = NULL;
    const ksiWoehler *woehler[KSI_SIZED_COMPONENTS] = {NULL};
    for (size_t i = 0; i < options->bearingCount; i++)
        if (ksiIsNamed(options->bearing[i].joints, joint->name))
            bearing = &options->bearing[i].data;
    for (size_t i = 0; i < options->woehlerCount; i++)
        if (ksiIsNamed(options->woehler[i].joints, joint->name))
            woehler[options->woehler[i].component] = &options->woehler[i].line;
    joint->size = malloc(sizeof *joint->size);
    joint->waiting = calloc(1, sizeof *joint->waiting);
    joint->full = calloc(1, sizeof *joint->full);
    if (!joint->size || !joint->waiting || !joint->full ||
        !ksiJointSizeBegin(joint->size, isBearing(joint->type), bearing, woehler))
        return complain(walk, "out of memory");
    for (size_t i = 0; i < options->envelopeCount; i++)
        for (int axis = 0; axis < KSI_SIZED_AXES && ksiIsNamed(options->envelope[i].joints, joint->name); axis++)
            joint->size->motor[axis].envelope = &options->envelope[i].envelope;
    return true;
}

static bool addJoints(const Walk *walk, const ksiJointLine *line, size_t count)
{
    ksiSizedWorld *world = walk->world;
    for (size_t i = 0; i < count; i++, line++) {
        ksiSizedJoint *joint = &world->joint[world->jointCount];
        joint->name = ksiClean(&ksiLibraryAllocator, line->name);
        char *type = ksiClean(&ksiLibraryAllocator, line->type);
        if (!joint->name || !type) {
            ksiFree(&ksiLibraryAllocator, type);
            return complain(walk, "out of memory");
        }
        snprintf(joint->type, sizeof joint->type, "%.15s", type);
        ksiFree(&ksiLibraryAllocator, type);
        memcpy(joint->body, line->body, sizeof joint->body);
        // contacts are not sized: a contact is not a machine part
        joint->isChosen = strcmp(joint->type, "contact") != 0 && ksiIsAmong(&walk->options->joints, joint->name);
        for (size_t k = 0; k < walk->options->pointCount; k++)
            if (ksiIsNamed(walk->options->point[k].joints, joint->name))
                joint->point = &walk->options->point[k];
        world->jointCount++;
    }
    return true;
}

static bool readJoints(const Walk *walk, size_t index)
{
    ksiReadTable *table = ksiReadTableOpen(walk->reader, index, &ksiJointTable, NULL);
    const uint64_t lines = table ? ksiReadTableLines(table) : 0;
    ksiJointLine *line = calloc(KSI_READ_LINES, sizeof *line);
    walk->world->joint = calloc(lines + 1, sizeof *walk->world->joint);
    bool isRead = table && ((line && walk->world->joint) || complain(walk, "out of memory"));
    for (uint64_t at = 0; at < lines && isRead; at += KSI_READ_LINES) {
        const size_t count = lines - at < KSI_READ_LINES ? (size_t)(lines - at) : KSI_READ_LINES;
        isRead = ksiReadTableRead(table, at, count, line) && addJoints(walk, line, count);
    }
    free(line);
    ksiReadTableClose(table);
    return isRead;
}

/* NULL: the joint was not chosen, or does not exist (*isFound is false). */
static ksiSizedJoint *jointAt(const Walk *walk, int64_t number, bool *isFound)
{
    *isFound = number >= 0 && (uint64_t)number < walk->world->jointCount;
    ksiSizedJoint *joint = *isFound ? &walk->world->joint[number] : NULL;
    return joint && joint->isChosen ? joint : NULL;
}

/* --- Reactions --- */

static void addBlock(const ksiSizeOptions *options, ksiJointSize *size, const ksiWaiting *block, int count)
{
    ksiLoadSteps steps;
    const double lasted = ksiWaitingMove(block, count, isMean(options), size->isBearing, &steps);
    ksiJointSizeAdd(size, &steps, count, lasted);
}

/* Runs on the worker. Sizes each block without its last step, whose rotation depends on the next
 * block. */
static void sizeBlocks(void *of)
{
    const Walk *walk = of;
    for (size_t i = 0; i < walk->sizedCount; i++)
        addBlock(walk->options, walk->sized[i]->size, walk->sized[i]->full, KSI_BLOCK);
}

static bool await(const Walk *walk)
{
    return ksiWorkerWait(walk->worker) || complain(walk, "cannot be sized by a child of its process");
}

/* Passes the full blocks to the worker. */
static bool postBlocks(Walk *walk)
{
    if (walk->fullCount == 0)
        return true;
    if (!await(walk))
        return false;
    ksiSizedJoint **const done = walk->sized;
    walk->sized = walk->full;
    walk->sizedCount = walk->fullCount;
    walk->full = done;
    walk->fullCount = 0;
    for (size_t i = 0; i < walk->sizedCount; i++)
        walk->sized[i]->isFull = false;
    ksiWorkerPost(walk->worker);
    return true;
}

/* Waits until the worker is done with the joint's other block, and swaps the two blocks. */
static bool addFull(Walk *walk, ksiSizedJoint *joint)
{
    if ((joint->isFull && !postBlocks(walk)) || !await(walk))
        return false;
    ksiWaiting *const block = joint->waiting;
    joint->waiting = joint->full;
    joint->full = block;
    joint->isFull = true;
    ksiWaitingBegin(joint->waiting, block);
    walk->full[walk->fullCount++] = joint;
    return true;
}

/* Notes how far the joint's axes would turn within the window of the mean if they always turned as
 * fast as they did since the step before. */
static void noteTurn(ksiSizedJoint *joint, const ksiReactionLine *line, double time)
{
    const ksiWaiting *waiting = joint->waiting;
    const int last = waiting->count - 1;
    double cosine = 0;
    for (int k = 0; k < 4 && last >= 0; k++)
        cosine += line->jointOrientation[k] * waiting->column[KSI_COLUMN_AXES + k][last];
    if (last >= 0)
        joint->size->meanTurn = fmax(joint->size->meanTurn, 2 * acos(fmin(1, fabs(cosine))) * line->meanTime /
                                                                (time - waiting->at[last].time));
}

/* Also checks steps that are not chosen, since the windows of later means contain them. */
static bool checkPoint(const Walk *walk, const ksiReactionLine *line, double time)
{
    bool isFound;
    double moved;
    ksiSizedJoint *joint = jointAt(walk, line->joint, &isFound);
    if (!joint || !joint->point || !isMean(walk->options) || ksiPointStays(joint, line, &moved))
        return true;
    snprintf(walk->words, KSI_READ_WORDS,
             "--point: the mean torque about it is unknown, since by %.4g s it has moved by %.3g m in the axes of "
             "%.60s; give a "
             "point that is fixed to them, as a point of the first body, or --value physical",
             time, moved, joint->name);
    return false;
}

static const char negativeBar[] = "damaged: an error bar is negative; make the trace again";

static bool addReaction(Walk *walk, const ksiReactionLine *line, const ksiStepLine *of, double duration)
{
    bool isFound, isShared;
    ksiSizedJoint *joint = jointAt(walk, line->joint, &isFound);
    if (!joint)
        return isFound || complain(walk, "damaged: there is no such joint");
    if (line->physicalBarForce < 0 || line->physicalBarTorque < 0 || line->sharedBarForce < 0 ||
        line->sharedBarTorque < 0)
        return complain(walk, negativeBar);
    if (!joint->size && !beginJoint(walk, joint))
        return false;
    if (joint->waiting->count == KSI_WAITING && !addFull(walk, joint))
        return false;
    ksiWaiting *waiting = joint->waiting;
    waiting->at[waiting->count] = (ksiInstant){of->step, of->time};
    ksiTake(waiting, KSI_COLUMN_LASTS, 1, &duration);
    ksiTakeLoad(joint, walk->options->value, line, &isShared);
    if (isMean(walk->options))
        noteTurn(joint, line, of->time);
    ksiTake(waiting, KSI_COLUMN_AXES, 4, line->jointOrientation);
    ksiTake(waiting, KSI_COLUMN_ORIENTATION, 8, line->orientation[0]);
    waiting->count++;
    joint->size->shared += isShared;
    joint->isAnchored |= isfinite(line->anchor[0][0]) != 0;
    return true;
}

static bool addMotor(const Walk *walk, const ksiMotorLine *line, const ksiStepLine *of, double duration)
{
    bool isFound;
    ksiSizedJoint *joint = jointAt(walk, line->joint, &isFound);
    if (!joint || line->axis < 0 || line->axis >= KSI_SIZED_AXES)
        return (isFound && line->axis >= 0 && line->axis < KSI_SIZED_AXES) ||
               complain(walk, "damaged: there is no such motor");
    if (line->physicalBar < 0 || line->meanBar < 0)
        return complain(walk, negativeBar);
    if (!joint->size && !beginJoint(walk, joint))
        return false;
    ksiMotorSize *motor = &joint->size->motor[line->axis];
    if (!motor->points && !(motor->points = calloc(1, sizeof *motor->points)))
        return complain(walk, "out of memory");
    const ksValue value = walk->options->value;
    const double rate = line->force != 0 && isfinite(line->power) ? line->power / line->force : line->speed;
    const double force = value == KS_PHYSICAL ? line->physical : value == KS_MEAN ? line->mean : line->force;
    const ksiMotorStep step = {.at = {of->step, of->time},
                               .duration = duration,
                               .force = force,
                               .bar = value == KS_PHYSICAL ? line->physicalBar
                                      : value == KS_MEAN   ? line->meanBar
                                                           : (double)NAN,
                               .speed = line->speed,
                               .power = force * rate,
                               .isSaturated = line->saturated != 0,
                               .isAtStop = line->atStop != 0};
    ksiMotorSizeAdd(motor, &step, walk->options->timeConstant);
    return true;
}

/* --- Steps --- */

/* The line with this number, which must be the next one. NULL: it cannot be read. */
static const void *lineAt(const Walk *walk, Ahead *ahead, uint64_t number)
{
    const uint64_t lines = ksiReadTableLines(ahead->table);
    if (number != ahead->next || number >= lines) {
        complain(walk, "damaged: a step has lines of another step");
        return NULL;
    }
    if (number >= ahead->first + ahead->count) {
        ahead->first = number;
        ahead->count = lines - number < KSI_READ_LINES ? (size_t)(lines - number) : KSI_READ_LINES;
        if (!ksiReadTableRead(ahead->table, number, ahead->count, ahead->lines))
            return NULL;
    }
    ahead->next++;
    return ahead->lines + ahead->size * (number - ahead->first);
}

static bool addStep(Walk *walk, const ksiStepLine *step, double duration)
{
    ksiSizedWorld *world = walk->world;
    const bool isChosen = step->time >= walk->options->from && step->time < walk->options->until;
    bool isAdded = step->count >= 0 && step->motorLines >= 0 && step->first >= 0 && step->firstMotor >= 0;
    if (!isAdded || !isfinite(step->time))
        return complain(walk, "damaged: a step has no time, or no lines");
    if (isChosen) {
        world->begin = world->steps == 0 ? step->time : world->begin;
        world->end = step->time + duration;
        world->steps++;
    }
    for (int64_t i = 0; i < step->count && isAdded; i++) {
        const ksiReactionLine *line = lineAt(walk, &walk->reactions, (uint64_t)step->first + (uint64_t)i);
        isAdded = line && checkPoint(walk, line, step->time) && (!isChosen || addReaction(walk, line, step, duration));
    }
    for (int64_t i = 0; i < step->motorLines && isAdded; i++) {
        const ksiMotorLine *line = lineAt(walk, &walk->motors, (uint64_t)step->firstMotor + (uint64_t)i);
        isAdded = line && (!isChosen || addMotor(walk, line, step, duration));
    }
    return isAdded && postBlocks(walk);
}

/* A step lasts until the next step of the trace, so it also stands for steps that the trace leaves
 * out. */
static bool walkSteps(Walk *walk, ksiStepLine *step)
{
    const uint64_t lines = ksiReadTableLines(walk->steps);
    for (uint64_t at = 0; at < lines;) {
        const size_t count = lines - at < KSI_READ_LINES ? (size_t)(lines - at) : KSI_READ_LINES;
        if (!ksiReadTableRead(walk->steps, at, count, step))
            return false;
        const bool isLast = at + count == lines;
        for (size_t i = 0; i < (isLast ? count : count - 1); i++) {
            // the writer has not completed this step
            if (step[i].count < 0)
                return true;
            const double next = i + 1 < count && step[i + 1].count >= 0 ? step[i + 1].time - step[i].time : 0;
            if (next < 0)
                return complain(walk, "damaged: the time decreases; make the trace again");
            const double duration = next > 0 && isfinite(next) ? next : step[i].stepSize;
            if (!addStep(walk, &step[i], duration > 0 && isfinite(duration) ? duration : 0))
                return false;
        }
        at += isLast ? count : count - 1;
    }
    return true;
}

static bool endJoints(Walk *walk)
{
    if (!await(walk))
        return false;
    for (size_t i = 0; i < walk->world->jointCount; i++) {
        ksiSizedJoint *joint = &walk->world->joint[i];
        const int count = joint->waiting ? joint->waiting->count : 0;
        if (count == KSI_WAITING) {
            addBlock(walk->options, joint->size, joint->waiting, KSI_BLOCK);
            ksiWaitingBegin(joint->waiting, joint->waiting);
        }
        if (count > 0)
            addBlock(walk->options, joint->size, joint->waiting, joint->waiting->count);
        if (joint->size)
            ksiJointSizeEnd(joint->size, walk->options->isRepeated);
    }
    return true;
}

static bool beginWorker(Walk *walk)
{
    const size_t count = walk->world->jointCount + 1;
    walk->full = calloc(count, sizeof(ksiSizedJoint *));
    walk->sized = calloc(count, sizeof(ksiSizedJoint *));
    return (walk->full && walk->sized &&
            !ksiWorkerCreate(&ksiLibraryAllocator, NULL, sizeBlocks, walk, &walk->worker)) ||
           complain(walk, "out of memory");
}

static void endWorker(const Walk *walk)
{
    ksiWorkerDestroy(walk->worker);
    free(walk->full);
    free(walk->sized);
}

/* --- Worlds --- */

static bool openAhead(const Walk *walk, size_t index, const ksiTable *table, const char *const *names, Ahead *ahead)
{
    *ahead = (Ahead){.table = ksiReadTableOpen(walk->reader, index, table, names), .size = table->lineSize};
    ahead->lines = ahead->table ? malloc(table->lineSize * KSI_READ_LINES) : NULL;
    return ahead->table && (ahead->lines || complain(walk, "out of memory"));
}

static void closeAhead(Ahead *ahead)
{
    ksiReadTableClose(ahead->table);
    free(ahead->lines);
}

static const char *const ofWrench[] = {"joint",
                                       "reasons",
                                       "free_count",
                                       "anchor",
                                       "centre",
                                       "orientation",
                                       "joint_orientation",
                                       "physical_force",
                                       "physical_torque",
                                       "shared_force",
                                       "shared_torque",
                                       "physical_bar_force",
                                       "physical_bar_torque",
                                       "shared_bar_force",
                                       "shared_bar_torque",
                                       NULL};
static const char *const ofMean[] = {"joint",
                                     "reasons",
                                     "anchor",
                                     "centre",
                                     "orientation",
                                     "joint_orientation",
                                     "engine_force",
                                     "joint_mean_force",
                                     "joint_mean_torque",
                                     "mean_bar_force",
                                     "mean_bar_torque",
                                     "mean_time",
                                     NULL};
static const char *const ofEngine[] = {
    "joint", "reasons", "anchor", "centre", "orientation", "joint_orientation", "engine_force", "engine_torque", NULL};
static const char *const ofStep[] = {"step", "time", "step_size", "first", "count", "first_motor", "motor_lines", NULL};

static bool sizeWorld(Walk *walk, size_t index)
{
    const ksValue value = walk->options->value;
    ksiStepLine *step = malloc(sizeof *step * KSI_READ_LINES);
    bool isSized = step || complain(walk, "out of memory");
    isSized = isSized && readJoints(walk, index) && beginWorker(walk);
    isSized = isSized && (walk->steps = ksiReadTableOpen(walk->reader, index, &ksiStepTable, ofStep)) != NULL;
    isSized = isSized && openAhead(walk, index, &ksiReactionTable,
                                   value == KS_MEAN     ? ofMean
                                   : value == KS_ENGINE ? ofEngine
                                                        : ofWrench,
                                   &walk->reactions);
    isSized = isSized && openAhead(walk, index, &ksiMotorTable, NULL, &walk->motors) && walkSteps(walk, step) &&
              endJoints(walk);
    endWorker(walk);
    ksiReadTableClose(walk->steps);
    closeAhead(&walk->reactions);
    closeAhead(&walk->motors);
    free(step);
    return isSized;
}

/* Lists the worlds of the file, as many as fit. */
static bool complainOfWorld(ksiTraceReader *reader, const ksiSizeOptions *options, const ksiSizing *out, char *words)
{
    const size_t count = ksiTraceReaderWorlds(reader);
    int used = snprintf(words, KSI_READ_WORDS, "%.120s: no world is called %.60s; there %s", out->cleanPath,
                        options->world, count > 0 ? "are: " : "is none");
    for (size_t i = 0; i < count && used < KSI_READ_WORDS - 80; i++) {
        char *name = ksiClean(&ksiLibraryAllocator, ksiTraceReaderName(reader, i));
        if (name)
            used += snprintf(words + used, KSI_READ_WORDS - (size_t)used, "%s\"%.60s\"", i > 0 ? ", " : "", name);
        ksiFree(&ksiLibraryAllocator, name);
    }
    return false;
}

static bool sizeWorlds(ksiTraceReader *reader, const ksiSizeOptions *options, ksiSizing *out, char *words)
{
    const size_t count = ksiTraceReaderWorlds(reader);
    const Walk begun = {.options = options, .reader = reader, .path = out->cleanPath, .words = words};
    Walk walk = begun;
    out->world = calloc(count + 1, sizeof *out->world);
    if (!out->world)
        return complain(&walk, "out of memory");
    for (size_t i = 0; i < count; i++) {
        char *name = ksiClean(&ksiLibraryAllocator, ksiTraceReaderName(reader, i));
        if (!name)
            return complain(&walk, "out of memory");
        if (options->world && strcmp(options->world, name) != 0) {
            ksiFree(&ksiLibraryAllocator, name);
            continue;
        }
        walk = begun;
        walk.world = &out->world[out->worldCount++];
        walk.world->name = name;
        if (!sizeWorld(&walk, i))
            return false;
    }
    return !options->world || out->worldCount > 0 || complainOfWorld(reader, options, out, words);
}

bool ksiSizeTrace(const char *path, const ksiSizeOptions *options, ksiSizing *out, char *words)
{
    *out = (ksiSizing){.path = path,
                       .options = options,
                       .cleanPath = ksiClean(&ksiLibraryAllocator, options->call ? options->call : path)};
    if (!out->cleanPath) {
        snprintf(words, KSI_READ_WORDS, "out of memory");
        return false;
    }
    ksiTraceReader *reader = ksiTraceReaderOpen(path, words);
    const bool isSized = reader && sizeWorlds(reader, options, out, words);
    ksiTraceReaderClose(reader);
    return isSized;
}

/* cases.c  Judges the steps of a recorded world, and reads the loads of one body in each step. The
 * memory does not grow with the number of steps. */
#include "cases.h"

#include "../base/duration.h"
#include "../report/collect/measure.h"
#include "../report/recording/archive_worlds.h"
#include "../report/recording/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Largest relative change of a body's mass and inertia: after a larger change the inertia load is
 * undefined. */
static const double sameMatter = 1e-6;

typedef struct Walk {
    ksiLoadCases *cases;
    const ksiCaseOptions *options;
    ksiJudge *judge;
    ksReport *report;
    /* For KS_MEAN: the last moments, the oldest first. */
    ksiLoadCase **window;
    size_t windowCount, windowCapacity;
    /* names of existing joints or bodies, listed if the chosen one does not exist */
    char there[KSI_CASE_WORDS / 2];
    char *words;
} Walk;

static bool complain(const Walk *walk, const char *why)
{
    snprintf(walk->words, KSI_CASE_WORDS, "%.180s: %s", walk->cases->cleanPath, why);
    return false;
}

static bool complainOf(const Walk *walk, ksStatus status)
{
    return complain(walk, ksiWhyNotJudged(status));
}

/* --- The body --- */

static bool isHeld(const ksReaction *r, const ksiNaming *naming, uint64_t body)
{
    return (uint64_t)ksiBodyNumber(naming, r->body[0]) == body || (uint64_t)ksiBodyNumber(naming, r->body[1]) == body;
}

/* NULL: this step has no such joint. */
static const ksReaction *findJoint(const Walk *walk, const char *name)
{
    const ksiNaming *naming = ksiJudgeNaming(walk->judge);
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(ksiJudgeInspector(walk->judge), &count);
    for (size_t i = 0; i < count; i++) {
        const ksiIdentity *who = ksiIdentify(naming, &reaction[i]);
        if (who && strcmp(who->name, name) == 0)
            return &reaction[i];
    }
    return NULL;
}

static uint64_t heldByAll(const Walk *walk, const ksReaction *const *joint, uint64_t body)
{
    bool isHeldByAll = body > 0;
    for (size_t i = 0; i < walk->options->holdCount; i++)
        isHeldByAll = isHeldByAll && isHeld(joint[i], ksiJudgeNaming(walk->judge), body);
    return isHeldByAll ? body : 0;
}

/* Adds a name; dots replace names that do not fit. */
static void listOne(Walk *walk, const char *one)
{
    static const char more[] = ", ...";
    const size_t length = strlen(walk->there), room = sizeof walk->there - sizeof more;
    if (length + strlen(one) + 2 < room)
        sprintf(walk->there + length, "%s%s", length > 0 ? ", " : "", one);
    else if (length < room && !strstr(walk->there, more))
        strcpy(walk->there + length, more);
}

static void listJoints(Walk *walk)
{
    char name[sizeof walk->there];
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(ksiJudgeInspector(walk->judge), &count);
    for (size_t i = 0; i < count; i++) {
        const ksiIdentity *who = ksiIdentify(ksiJudgeNaming(walk->judge), &reaction[i]);
        if (!who || who->type == dJointTypeContact)
            continue;
        snprintf(name, sizeof name, "\"%s\"", who->name);
        listOne(walk, name);
    }
}

/* The engine lists the newest body first. */
static void listBodies(Walk *walk, const ksiStepRecord *record)
{
    char number[32];
    for (size_t i = record->bodyCount; i-- > 0;) {
        snprintf(number, sizeof number, "%llu", (unsigned long long)ksiRecordedBody(record, i)->number);
        listOne(walk, number);
    }
}

/* Finds the body that all of these joints hold, in the first step that has all these joints. false:
 * they share no body, or two. */
static bool findBody(Walk *walk)
{
    const ksiCaseOptions *options = walk->options;
    const ksiNaming *naming = ksiJudgeNaming(walk->judge);
    const ksReaction *joint[KSI_CASE_JOINTS];
    uint64_t held[2];
    walk->cases->body = options->body;
    for (size_t i = 0; i < options->holdCount; i++)
        if (!(joint[i] = findJoint(walk, options->holds[i]))) {
            if (!*walk->there)
                listJoints(walk);
            return true;
        }
    if (options->holdCount == 0)
        return true;
    for (int side = 0; side < 2; side++)
        held[side] = heldByAll(walk, joint, (uint64_t)ksiBodyNumber(naming, joint[0]->body[side]));
    if (held[0] && held[1])
        return complain(walk,
                        "these joints connect two bodies: name a further joint of the intended body, or its number");
    walk->cases->body = held[0] ? held[0] : held[1];
    return walk->cases->body || complain(walk, "no body has all of these joints");
}

/* Takes the mass and inertia of the first step, and checks that later steps have the same. */
static bool readMatter(const Walk *walk, const ksiBodyCopy *body)
{
    ksiMatter *matter = &walk->cases->matter;
    if (matter->mass == 0) {
        matter->mass = body->mass;
        memcpy(matter->inertia, body->inertia, sizeof matter->inertia);
        memcpy(matter->inverse, body->inverse, sizeof matter->inverse);
    }
    if (!(body->inverseMass > 0))
        return complain(walk, "the body is kinematic: it has no mass, and so no inertia loads");
    double spread = fabs(body->mass / matter->mass - 1);
    for (int i = 0; i < 9; i++)
        spread = fmax(spread, fabs(body->inertia[i] - matter->inertia[i]) /
                                  (matter->inertia[0] + matter->inertia[4] + matter->inertia[8]));
    return spread < sameMatter ||
           complain(walk, "the body's mass changes: choose steps with constant mass by --from and --until");
}

/* --- Steps --- */

static bool useMoment(const Walk *walk, ksiLoadCase *moment)
{
    const ksiCaseOptions *options = walk->options;
    ksiLoadCases *cases = walk->cases;
    const bool isChosen =
        moment->step % options->every == 0 && moment->time >= options->from && moment->time < options->until;
    if (!isChosen)
        return true;
    cases->begin = cases->steps == 0 ? moment->time : cases->begin;
    cases->end = moment->time + moment->h;
    cases->steps++;
    return (ksiChooseLoadCase(cases, moment) && (!options->onMoment || options->onMoment(options->user, moment))) ||
           complain(walk, "out of memory");
}

static void emptyWindow(Walk *walk)
{
    for (size_t i = 0; i < walk->windowCount; i++)
        ksiLoadCaseRelease(walk->window[i]);
    walk->windowCount = 0;
}

static double windowTime(const Walk *walk, size_t first)
{
    double time = 0;
    for (size_t i = first; i < walk->windowCount; i++)
        time += walk->window[i]->h;
    return time;
}

/* Keeps as many moments as the window needs. */
static bool useMean(Walk *walk, ksiLoadCase *moment)
{
    size_t old = 0;
    if (ksiReserve(&ksiLibraryAllocator, &walk->window, &walk->windowCapacity, walk->windowCount + 1,
                   sizeof *walk->window))
        return complain(walk, "out of memory");
    moment->users++;
    walk->window[walk->windowCount++] = moment;
    while (ksiFills(windowTime(walk, old + 1), walk->options->mean))
        ksiLoadCaseRelease(walk->window[old++]);
    walk->windowCount -= old;
    memmove(walk->window, walk->window + old, walk->windowCount * sizeof(ksiLoadCase *));
    if (!ksiFills(windowTime(walk, 0), walk->options->mean))
        return true;
    ksiLoadCase *mean = ksiLoadCaseCreate();
    const bool isMade = mean && !ksiLoadCaseMean(walk->window, walk->windowCount, &walk->cases->matter, mean);
    const bool isUsed = isMade ? useMoment(walk, mean) : complain(walk, "out of memory");
    ksiLoadCaseRelease(mean);
    return isUsed;
}

static bool readStep(Walk *walk, const ksiStepRecord *record)
{
    const ksStepReport *report = ksInspectorGetStepReport(ksiJudgeInspector(walk->judge));
    const bool isMean = walk->options->value == KS_MEAN;
    if (!walk->cases->body && !findBody(walk))
        return false;
    const size_t body = ksiFindRecordedBody(record, walk->cases->body);
    if (body == record->bodyCount && walk->cases->body && !*walk->there)
        listBodies(walk, record);
    if (body == record->bodyCount || !walk->cases->body)
        return true;
    if (!readMatter(walk, &ksiRecordedBody(record, body)->copy))
        return false;
    ksiLoadCase *moment = ksiLoadCaseCreate();
    const ksStatus status = !moment ? KS_ERROR_NO_MEMORY
                            : !report || !report->inspected
                                ? KS_ERROR_UNAVAILABLE
                                : ksiLoadCaseRead(moment, ksiJudgeInspector(walk->judge), ksiJudgeNaming(walk->judge),
                                                  record, body, isMean ? KS_OBSERVED : walk->options->value);
    bool isRead = true;
    if (status == KS_ERROR_NO_MEMORY)
        isRead = complain(walk, "out of memory");
    else if (status) {
        walk->cases->unknown++;
        emptyWindow(walk);
    } else if (moment->count > 0)
        isRead = isMean ? useMean(walk, moment) : useMoment(walk, moment);
    ksiLoadCaseRelease(moment);
    return isRead;
}

/* Is this step later than all steps that are needed? */
static bool isOver(const Walk *walk, const ksiStepRecord *record)
{
    return record->time > walk->options->until + (walk->options->value == KS_MEAN ? walk->options->mean : 0);
}

static bool walkRecords(Walk *walk, ksiArchive *archive, const ksiArchiveWorlds *worlds, const ksiArchiveWorld *world)
{
    for (size_t i = world->first; i != KSI_NO_NEXT; i = worlds->next[i]) {
        unsigned process;
        const ksiStepRecord *record;
        ksStatus status = ksiArchiveRead(archive, i, &record, &process);
        if (!status && (!record || !record->isStepped))
            continue;
        if (!status && isOver(walk, record))
            break;
        status = status ? status : ksiJudgeStep(walk->judge, record);
        if (status)
            return complainOf(walk, status);
        if (!record->isExtra && !readStep(walk, record))
            return false;
    }
    return true;
}

/* --- Worlds --- */

/* Names the existing worlds, as many as fit. */
static void complainOfWorld(const Walk *walk, const ksiArchiveWorlds *worlds)
{
    const char *name = walk->options->world;
    char *words = walk->words;
    int used = snprintf(words, KSI_CASE_WORDS, "%.120s: %s%.60s; there are: ", walk->cases->cleanPath,
                        name ? "no world is called " : "has several worlds: choose one by --world", name ? name : "");
    for (size_t i = 0; i < worlds->worldCount && used < KSI_CASE_WORDS - 80; i++)
        used += snprintf(words + used, KSI_CASE_WORDS - (size_t)used, "%s\"%.60s\"", i > 0 ? ", " : "",
                         worlds->world[i].name);
}

/* Chooses the world that the options name; without a name, the only world. */
static const ksiArchiveWorld *chooseWorld(const Walk *walk, const ksiArchiveWorlds *worlds)
{
    const char *name = walk->options->world;
    for (size_t i = 0; i < worlds->worldCount; i++)
        if (name ? strcmp(worlds->world[i].name, name) == 0 : worlds->worldCount == 1)
            return &worlds->world[i];
    if (worlds->worldCount == 0)
        complain(walk, "it holds no step");
    else
        complainOfWorld(walk, worlds);
    return NULL;
}

static bool walkWorld(Walk *walk, ksiArchive *archive, const ksiArchiveWorlds *worlds, const ksiArchiveWorld *world)
{
    char words[KSI_NAME_LIST_WORDS];
    const char *text = ksiArchiveNames(archive);
    ksiNameList *names = text ? ksiNameListParse("names of the recording", text, words) : NULL;
    ksiJudgeOptions options;
    size_t index;
    ksiJudgeOptionsInit(&options);
    options.adviseEvery = 0;
    options.inspector.estimateSweeps = 0;
    options.inspector.meanWindow = walk->options->value == KS_MEAN ? walk->options->mean : options.inspector.meanWindow;
    options.names = names;
    ksStatus status = text && !names ? KS_ERROR_NO_MEMORY : ksReportCreate(NULL, &walk->report);
    status = status ? status : ksiReportAddWorld(walk->report, NULL, &index);
    status = status ? status : ksiJudgeCreate(&options, walk->report, index, &walk->judge);
    const bool isWalked = status ? complainOf(walk, status) : walkRecords(walk, archive, worlds, world);
    emptyWindow(walk);
    ksiFree(&ksiLibraryAllocator, walk->window);
    ksiJudgeDestroy(walk->judge);
    ksReportDestroy(walk->report);
    ksiNameListDestroy(names);
    return isWalked;
}

static bool walkArchive(Walk *walk, ksiArchive *archive)
{
    ksiArchiveWorlds worlds = {.process = NULL};
    const ksStatus status = ksiArchiveListWorlds(archive, &worlds);
    const ksiArchiveWorld *world = status ? NULL : chooseWorld(walk, &worlds);
    bool isWalked = !status || complainOf(walk, status);
    isWalked = isWalked && world;
    if (isWalked) {
        walk->cases->world = ksiClean(&ksiLibraryAllocator, world->name);
        isWalked = (walk->cases->world || complain(walk, "out of memory")) && walkWorld(walk, archive, &worlds, world);
    }
    ksiArchiveWorldsFree(&worlds);
    return isWalked;
}

/* Was any step read? If not, the message lists what exists. */
static bool isAny(const Walk *walk)
{
    const ksiLoadCases *cases = walk->cases;
    if (cases->steps > 0)
        return true;
    if (!cases->body || cases->matter.mass == 0) {
        snprintf(walk->words, KSI_CASE_WORDS, "%.150s: no step has %s%s%s", cases->cleanPath,
                 cases->body ? "this body" : "these joints", *walk->there ? "; there are: " : "", walk->there);
        return false;
    }
    return complain(walk, cases->unknown > 0 ? "each chosen step has an unknown load"
                                             : "no joint or contact acts on this body in the chosen steps");
}

bool ksiFindLoadCases(const char *path, const ksiCaseOptions *options, ksiLoadCases *out, char *words)
{
    Walk walk = {.cases = out, .options = options, .words = words};
    char why[KSI_ARCHIVE_WORDS];
    *out = (ksiLoadCases){.options = options, .body = options->body, .cleanPath = ksiClean(&ksiLibraryAllocator, path)};
    ksiArchive *archive = out->cleanPath ? ksiArchiveOpen(path, why) : NULL;
    if (!archive) {
        snprintf(words, KSI_CASE_WORDS, "%s", out->cleanPath ? why : "out of memory");
        return false;
    }
    const bool isFound = walkArchive(&walk, archive) && isAny(&walk);
    ksiArchiveClose(archive);
    return isFound && (ksiSortLoadCases(out) || complain(&walk, "out of memory"));
}

void ksiLoadCasesFree(ksiLoadCases *cases)
{
    for (size_t i = 0; i < cases->extremeCount; i++)
        ksiLoadCaseRelease(cases->extreme[i].moment);
    ksiFree(&ksiLibraryAllocator, cases->extreme);
    ksiFree(&ksiLibraryAllocator, cases->moment);
    ksiFree(&ksiLibraryAllocator, cases->cleanPath);
    ksiFree(&ksiLibraryAllocator, cases->world);
    *cases = (ksiLoadCases){.options = cases->options};
}

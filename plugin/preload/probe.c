/* probe.c  Records the steps of all worlds of a process into its ring. */
#include "probe.h"

#include "budget.h"

#include "../base/memory.h"
#include "../replay/recorder.h"
#include "../replay/sleep_at_speed.h"
#include "../report/collect/traps.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct World {
    struct World *next;
    dWorldID id;
    ksiRecorder *recorder; /* NULL: the world cannot be recorded */
    unsigned number;
    uint64_t steps;
    double time;
    double price;  /* s per record, for --overhead */
    bool isSent;   /* a record of this world was sent */
    bool wasExtra; /* the last step was recorded only because the next one needs its predecessor */
    bool isRecording;
    double exactly; /* s: step size of the running ksInspectorExactStep; else 0 */
} World;

typedef struct Name {
    dWorldID world;
    dJointID joint;
    char *name;
} Name;

static struct {
    pthread_mutex_t lock; /* protects the list and the ring */
    ksiChannel *channel;
    ksiRing ring;
    World *worlds;
    World *stepped; /* during a step: the last world that began one */
    Name *names;    /* names of joints in worlds that have not stepped yet */
    size_t nameCount, nameCapacity;
    unsigned worldCount;
    ptrdiff_t joints; /* offset from a world's address to the pointer to its first joint; 0: not yet
                         known */
    bool isOver;      /* the command has ended */
} probe = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The world that this thread steps. If a body's moved callback steps other worlds, these steps are
 * not seen. */
static _Thread_local World *inside;

/* Set during a trial of the engine, which creates and destroys worlds while the lock is held. */
static _Thread_local bool isTrying;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void refuse(ksiPlace *place, const char *why)
{
    snprintf(place->words, sizeof place->words, "%s", why);
    atomic_store(&place->state, KSI_PLACE_REFUSED);
}

static void noteEngine(ksiPlace *place)
{
    snprintf(place->built, sizeof place->built, "%s", dGetConfiguration());
}

/* NULL: the world has not stepped yet. Needs the lock. */
static World *knownWorld(dWorldID id)
{
    World *world = probe.worlds;
    while (world && world->id != id)
        world = world->next;
    return world;
}

/* --- Names of joints --- */

static void dropName(size_t index)
{
    free(probe.names[index].name);
    probe.names[index] = probe.names[--probe.nameCount];
}

/* Keeps a name until the world's first step; drops it if memory runs out. */
static void keepName(dWorldID world, dJointID joint, const char *name)
{
    size_t i = 0;
    while (i < probe.nameCount && probe.names[i].joint != joint)
        i++;
    if (i < probe.nameCount)
        dropName(i);
    char *copy = name ? strdup(name) : NULL;
    if (!copy ||
        ksiReserve(&ksiLibraryAllocator, &probe.names, &probe.nameCapacity, probe.nameCount + 1, sizeof *probe.names)) {
        free(copy);
        return;
    }
    probe.names[probe.nameCount++] = (Name){world, joint, copy};
}

/* Passes the world's names to the recorder; NULL: discards them. */
static void handOverNames(dWorldID world, ksiRecorder *recorder)
{
    for (size_t i = probe.nameCount; i-- > 0;) {
        if (probe.names[i].world != world)
            continue;
        if (recorder)
            (void)!ksiRecorderName(recorder, probe.names[i].joint, probe.names[i].name);
        dropName(i);
    }
}

static void nameJoint(dWorldID id, dJointID joint, const char *name)
{
    pthread_mutex_lock(&probe.lock);
    const World *world = knownWorld(id);
    if (!world)
        keepName(id, joint, name);
    else if (world->recorder)
        (void)!ksiRecorderName(world->recorder, joint, name);
    pthread_mutex_unlock(&probe.lock);
}

/* --- Worlds --- */

/* Adds a world at its first step. The recorder tests the engine's private layout with a scratch
 * world. */
static World *makeWorld(dWorldID id)
{
    World *world = calloc(1, sizeof *world);
    if (!world)
        return NULL;
    world->id = id;
    world->number = ++probe.worldCount;
    ksiPlace *place = probe.ring.place;
    const ksStatus status = ksiRecorderCreate(id, world->number, KSI_FEEDBACK_OURS, &world->recorder);
    if (status == KS_ERROR_UNSUPPORTED_ENGINE) {
        char words[sizeof place->words];
        snprintf(words, sizeof words, "its engine's memory layout differs from ODE 0.16.2 in %s",
                 ksiRecorderDifference());
        refuse(place, words);
    } else if (status)
        refuse(place, "out of memory");
    else
        noteEngine(place);
    if (!status && probe.channel->sampling.hasGeoms)
        ksiRecorderTakeGeoms(world->recorder, probe.channel->sampling.ringBytes / 2);
    handOverNames(id, world->recorder);
    if (!status) {
        atomic_store(&place->state, KSI_PLACE_STEPPING);
        probe.joints = (const char *)ksiRecorderEngine(world->recorder)->jointHead - (const char *)id;
    }
    atomic_fetch_add(&place->worlds, 1);
    world->next = probe.worlds;
    probe.worlds = world;
    return world;
}

static World *findWorld(dWorldID id)
{
    World *world = knownWorld(id);
    return world ? world : makeWorld(id);
}

static void freeWorld(World *world)
{
    ksiRecorderDestroy(world->recorder);
    free(world);
}

/* --- Choice of steps --- */

static bool isChosen(const World *world, uint64_t step, double time)
{
    const ksiSampling *sampling = &probe.channel->sampling;
    return step % sampling->every == 0 && time >= sampling->from && time < sampling->until &&
           (sampling->world == 0 || sampling->world == world->number);
}

typedef enum Choice { SKIPPED, EXTRA, CHOSEN } Choice;

/* Physical values may need the preceding step, so it is recorded too. Such a pair of steps begins
 * only within the time budget, except the first pair of a process. */
static Choice choose(World *world, double h)
{
    const bool isLimited = probe.channel->sampling.overhead > 0, isFirst = world->number == 1 && world->steps == 0;
    if (world->wasExtra ||
        (isChosen(world, world->steps, world->time) && !isLimited && probe.channel->sampling.every == 1))
        return CHOSEN;
    if (isLimited && !isFirst && !ksiBudgetAllows(probe.channel, world->price))
        return SKIPPED;
    if (isChosen(world, world->steps + 1, world->time + h))
        return EXTRA;
    return world->steps == 0 && isChosen(world, 0, 0) ? CHOSEN : SKIPPED;
}

/* --- Steps --- */

/* Blocks cancellation, for two reasons: the engine's steps have no cancellation point, and a thread
 * that is cancelled here would keep the lock. */
static void send(const ksiStepRecord *record)
{
    const int hostErrno = errno;
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    pthread_mutex_lock(&probe.lock);
    atomic_fetch_add(&probe.channel->spent.sent, 1);
    if (probe.ring.place && !probe.isOver && !ksiRingWrite(&probe.ring, record)) {
        probe.isOver = true;
        refuse(probe.ring.place, record->bytes > probe.ring.bytes / 2    ? "a step of it does not fit into --buffer"
                                 : atomic_load(&probe.channel->isClosed) ? "it kept running after the program had ended"
                                                                         : "the command is gone");
    }
    pthread_mutex_unlock(&probe.lock);
    pthread_setcancelstate(cancellation, NULL);
    errno = hostErrno;
}

/* Reports a body with a number that is not finite, before the engine acts on it. isBegun: the step
 * has begun, and some bodies may have moved already. */
static void noteNotFinite(const World *world, bool isBegun)
{
    ksiPlace *place = probe.ring.place;
    ksiNotFinite found = {.world = world->number, .step = world->steps, .time = world->time};
    dBodyID body;
    if (!place || !world->recorder || atomic_load(&place->hasNotFinite) ||
        !ksiFindNotFinite(ksiRecorderEngine(world->recorder), &found, &body))
        return;
    const unsigned number = ksiRecorderBodyNumber(world->recorder, body, isBegun);
    found.body = number > 0 ? number : found.body;
    place->notFinite = found;
    atomic_store(&place->hasNotFinite, 1);
}

static void noteSleep(const ksiStepRecord *record)
{
    ksiPlace *place = probe.ring.place;
    if (place && !(atomic_load(&place->traps) >> KSI_TRAP_SLEEP & 1u) && ksiHasSleptAtSpeed(record))
        atomic_fetch_or(&place->traps, 1u << KSI_TRAP_SLEEP);
}

static int stepRecorded(World *world, double h, ksStepper stepper, ksiEngineStep *step, bool isExtra)
{
    const bool isLimited = probe.channel->sampling.overhead > 0;
    double begun = isLimited ? ksiBudgetBegin() : 0, price = 0;
    const ksStatus status = ksiRecorderBegin(world->recorder, stepper, h, isExtra);
    world->isRecording = !status;
    noteNotFinite(world, world->isRecording);
    if (isLimited)
        price = ksiBudgetEnd(probe.channel, begun);
    const double called = now();
    const int stepped = step(world->id, h);
    const double returned = now();
    world->isRecording = false;
    if (status) {
        ksiRecorderSkip(world->recorder, h);
        return stepped;
    }
    begun = isLimited ? ksiBudgetBegin() : 0;
    const ksiStepRecord *record = ksiRecorderEnd(world->recorder, stepped, returned - called);
    noteSleep(record);
    send(record);
    world->isSent = true;
    if (isLimited)
        world->price = fmax(0.9 * world->price, price + ksiBudgetEnd(probe.channel, begun));
    return stepped;
}

static int stepPlainly(World *world, double h, ksiEngineStep *step)
{
    noteNotFinite(world, false);
    const int stepped = step(world->id, h);
    if (world->recorder)
        ksiRecorderSkip(world->recorder, h);
    return stepped;
}

/* Finds the world of a step that begins, or creates it. NULL: it is not inspected. */
static World *admit(dWorldID id)
{
    World *world = NULL;
    isTrying = true;
    pthread_mutex_lock(&probe.lock);
    ksiPlace *place = probe.ring.place;
    if (place && !probe.isOver && !atomic_load(&probe.channel->isClosed))
        world = findWorld(id);
    if (world) {
        place->last = (ksiLastStep){world->number, false, world->steps, world->time};
        atomic_fetch_add(&place->stepping, 1);
        atomic_fetch_add(&place->steps, 1);
        probe.stepped = world;
    }
    pthread_mutex_unlock(&probe.lock);
    isTrying = false;
    return world;
}

static void endStep(World *world, double h)
{
    inside = NULL;
    world->exactly = 0;
    world->steps++;
    world->time += h;
    noteNotFinite(world, false);
    pthread_mutex_lock(&probe.lock);
    if (probe.ring.place)
        atomic_fetch_sub(&probe.ring.place->stepping, 1);
    if (probe.stepped == world)
        probe.stepped = NULL;
    pthread_mutex_unlock(&probe.lock);
}

/* Handles a step that a C++ exception or a longjmp left: it counts as one that the engine
 * refused. */
static void leave(World *world)
{
    if (world->isRecording)
        send(ksiRecorderEnd(world->recorder, 0, 0));
    else if (world->recorder)
        ksiRecorderSkip(world->recorder, 0);
    world->isRecording = world->wasExtra = false;
    endStep(world, 0);
}

static int step(dWorldID id, dReal h, ksStepper stepper, ksiEngineStep *engineStep)
{
    if (inside && inside->id == id)
        leave(inside);
    World *world = inside ? NULL : admit(id);
    if (!world)
        return engineStep(id, h);
    const Choice choice = world->recorder && h > 0 ? choose(world, h) : SKIPPED;
    inside = world;
    const int stepped = choice == SKIPPED ? stepPlainly(world, h, engineStep)
                                          : stepRecorded(world, h, stepper, engineStep, choice == EXTRA);
    world->wasExtra = choice == EXTRA;
    endStep(world, h);
    return stepped;
}

static void beginExactly(dWorldID id, dReal h)
{
    if (inside && inside->id == id)
        leave(inside);
    World *world = inside ? NULL : admit(id);
    if (!world)
        return;
    if (probe.ring.place) {
        atomic_fetch_add(&probe.ring.place->exact, 1);
        probe.ring.place->last.isExact = true;
    }
    noteNotFinite(world, false);
    world->wasExtra = false;
    world->exactly = h;
    inside = world;
}

static void stepExactly(dWorldID id, dReal h)
{
    World *world = inside;
    if (id) {
        beginExactly(id, h);
        return;
    }
    if (!world || world->exactly <= 0)
        return;
    if (world->recorder)
        ksiRecorderSkip(world->recorder, world->exactly);
    endStep(world, world->exactly);
}

/* The engine aborts in a step on a number that is not finite. With several threads it does so on a
 * thread of its own. */
static void noteAbort(void)
{
    const World *world = inside ? inside : probe.stepped;
    if (world)
        noteNotFinite(world, world->isRecording);
}

/* Reads the first joint without a lock: concurrent changes of the world do no harm. */
static void missUnlocked(dWorldID id)
{
    ksiPlace *place = probe.ring.place;
    const bool isMeant = place && probe.joints && probe.channel->sampling.world == 0 && !knownWorld(id);
    if (isMeant && *(const dJointID *)(const void *)((const char *)id + probe.joints))
        atomic_fetch_add(&place->missed, 1);
}

static void miss(dWorldID id)
{
    if (isTrying)
        return;
    pthread_mutex_lock(&probe.lock);
    missUnlocked(id);
    pthread_mutex_unlock(&probe.lock);
}

/* A thread that destroys one of these worlds waits for the lock in `forget`. */
static void missAll(dWorldID (*next)(void))
{
    if (isTrying)
        return;
    pthread_mutex_lock(&probe.lock);
    for (dWorldID id; (id = next()) != NULL;)
        missUnlocked(id);
    pthread_mutex_unlock(&probe.lock);
}

static void forget(dWorldID id)
{
    if (isTrying)
        return;
    pthread_mutex_lock(&probe.lock);
    World **link = &probe.worlds;
    while (*link && (*link)->id != id)
        link = &(*link)->next;
    World *world = *link;
    if (world)
        *link = world->next;
    if (probe.stepped == world)
        probe.stepped = NULL;
    handOverNames(id, NULL);
    pthread_mutex_unlock(&probe.lock);
    if (!world)
        return;
    if (world->isSent) {
        const ksiStepRecord end = ksiEndRecord(world->number, world->steps);
        send(&end);
    }
    if (inside == world)
        inside = NULL;
    freeWorld(world);
}

/* --- Fork --- */

static void beforeFork(void)
{
    pthread_mutex_lock(&probe.lock);
}

static void afterFork(void)
{
    pthread_mutex_unlock(&probe.lock);
}

/* In the child of fork: gives it its own ring, and the same worlds with the same numbers. */
static void moveTo(ksiPlace *place)
{
    ksiRingClose(&probe.ring);
    if (!place || !ksiRingOpen(&probe.ring, probe.channel, place)) {
        probe.ring.place = NULL;
        return;
    }
    ksiBudgetRestart();
    probe.stepped = NULL;
    probe.isOver = false;
    for (World *world = probe.worlds; world; world = world->next) {
        world->isSent = false;
        atomic_fetch_add(&place->worlds, 1);
        if (world->recorder) {
            noteEngine(place);
            atomic_store(&place->state, KSI_PLACE_STEPPING);
        }
    }
}

__attribute__((visibility("default"))) ksiProbeOpen ksiProbe;

const ksiProbeFunctions *ksiProbe(ksiChannel *channel, ksiPlace *place)
{
    static const ksiProbeFunctions functions = {step, stepExactly, miss, missAll, forget, moveTo, nameJoint, noteAbort};
    probe.channel = channel;
    if (!ksiRingOpen(&probe.ring, channel, place)) {
        refuse(place, "no shared memory is available for its steps");
        return NULL;
    }
    pthread_atfork(beforeFork, afterFork, afterFork);
    return &functions;
}

/* probe.c  Records the steps of all worlds of a process into its ring. */
#include "probe.h"

#include "../replay/recorder.h"

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
    ksiRecorder *recorder; /* NULL: it cannot be recorded */
    unsigned number;
    uint64_t steps;
    double time;
    double credit; /* s that may go into recording, by the overhead that is allowed */
    double price;  /* s that a record takes */
    bool isSent;   /* a record of it */
    bool wasExtra; /* the last step was recorded for the sake of this one */
    bool isRecording;
} World;

static struct {
    pthread_mutex_t lock; /* of the list and of the ring */
    ksiChannel *channel;
    ksiRing ring;
    World *worlds;
    unsigned worldCount;
    bool isOver; /* the command is gone */
} probe = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* The world that this thread steps: steps of others in a moved callback are not seen. */
static _Thread_local World *inside;

/* Within a trial of the engine: it makes worlds and destroys them, and the lock is held. */
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

/* --- Worlds --- */

/* What the engine's private layout is, is tried out on a world: the trial steps a scratch world. */
static World *makeWorld(dWorldID id)
{
    World *world = calloc(1, sizeof *world);
    if (!world)
        return NULL;
    world->id = id;
    world->number = ++probe.worldCount;
    ksiPlace *place = probe.ring.place;
    const ksStatus status = ksiRecorderCreate(id, world->number, KSI_FEEDBACK_OURS, &world->recorder);
    if (status == KS_ERROR_UNSUPPORTED_ENGINE)
        refuse(place, "its engine has another memory layout than ODE 0.16.2");
    else if (status)
        refuse(place, "out of memory");
    else if (place->origin.version == 0)
        ksiRecordOriginInit(ksiRecorderEngine(world->recorder), &place->origin);
    if (!status && probe.channel->sampling.hasGeoms)
        ksiRecorderTakeGeoms(world->recorder);
    if (!status)
        atomic_store(&place->state, KSI_PLACE_STEPPING);
    atomic_fetch_add(&place->worlds, 1);
    world->next = probe.worlds;
    probe.worlds = world;
    return world;
}

static World *findWorld(dWorldID id)
{
    World *world = probe.worlds;
    while (world && world->id != id)
        world = world->next;
    return world ? world : makeWorld(id);
}

static void freeWorld(World *world)
{
    ksiRecorderDestroy(world->recorder);
    free(world);
}

/* --- Which steps --- */

static bool isChosen(const World *world, uint64_t step, double time)
{
    const ksiSampling *sampling = &probe.channel->sampling;
    return step % sampling->every == 0 && time >= sampling->from && time < sampling->until &&
           (sampling->world == 0 || sampling->world == world->number);
}

typedef enum Choice { SKIPPED, EXTRA, CHOSEN } Choice;

/* Physical values may need the step before: it is recorded, too. A pair is begun only if there is credit for it. */
static Choice choose(World *world, double h)
{
    const bool isLimited = probe.channel->sampling.overhead > 0;
    if (world->wasExtra ||
        (isChosen(world, world->steps, world->time) && !isLimited && probe.channel->sampling.every == 1))
        return CHOSEN;
    if (isLimited && world->credit < 2 * world->price)
        return SKIPPED;
    if (isChosen(world, world->steps + 1, world->time + h))
        return EXTRA;
    return world->steps == 0 && isChosen(world, 0, 0) ? CHOSEN : SKIPPED;
}

/* --- Steps --- */

/* Waiting is no point of cancellation: the engine's steps have none, and others would wait for the lock. */
static void send(const ksiStepRecord *record)
{
    const int hostErrno = errno;
    int cancellation;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancellation);
    pthread_mutex_lock(&probe.lock);
    if (!probe.isOver && !ksiRingWrite(&probe.ring, record)) {
        probe.isOver = true;
        refuse(probe.ring.place, record->bytes > probe.ring.bytes / 2    ? "a step of it does not fit into --buffer"
                                 : atomic_load(&probe.channel->isClosed) ? "it went on when the program had ended"
                                                                         : "the command is gone");
    }
    pthread_mutex_unlock(&probe.lock);
    pthread_setcancelstate(cancellation, NULL);
    errno = hostErrno;
}

static int stepRecorded(World *world, double h, ksStepper stepper, ksiEngineStep *step, bool isExtra)
{
    const double begun = now();
    const ksStatus status = ksiRecorderBegin(world->recorder, stepper, h, isExtra);
    world->isRecording = !status;
    const double called = now();
    const int stepped = step(world->id, h);
    const double returned = now();
    world->isRecording = false;
    if (status) {
        ksiRecorderSkip(world->recorder, h);
        return stepped;
    }
    send(ksiRecorderEnd(world->recorder, stepped, returned - called));
    world->isSent = true;
    const double price = called - begun + now() - returned;
    world->price = fmax(0.9 * world->price, price);
    world->credit += probe.channel->sampling.overhead * (returned - called) - price;
    return stepped;
}

static int stepPlainly(World *world, double h, ksiEngineStep *step)
{
    const bool isLimited = probe.channel->sampling.overhead > 0;
    const double called = isLimited ? now() : 0;
    const int stepped = step(world->id, h);
    if (isLimited)
        world->credit += probe.channel->sampling.overhead * (now() - called);
    if (world->recorder)
        ksiRecorderSkip(world->recorder, h);
    return stepped;
}

static World *admit(dWorldID id)
{
    World *world = NULL;
    isTrying = true;
    pthread_mutex_lock(&probe.lock);
    if (probe.ring.place && !probe.isOver && !atomic_load(&probe.channel->isClosed))
        world = findWorld(id);
    pthread_mutex_unlock(&probe.lock);
    isTrying = false;
    return world;
}

/* An exception of C++, or a longjmp, has left the step: it counts as one that the engine refused. */
static void leave(World *world)
{
    if (world->isRecording)
        send(ksiRecorderEnd(world->recorder, 0, 0));
    else if (world->recorder)
        ksiRecorderSkip(world->recorder, 0);
    world->isRecording = world->wasExtra = false;
    world->steps++;
    inside = NULL;
}

static int step(dWorldID id, dReal h, ksStepper stepper, ksiEngineStep *engineStep)
{
    if (inside && inside->id == id)
        leave(inside);
    World *world = inside ? NULL : admit(id);
    if (!world)
        return engineStep(id, h);
    atomic_fetch_add(&probe.ring.place->steps, 1);
    const Choice choice = world->recorder && h > 0 ? choose(world, h) : SKIPPED;
    inside = world;
    const int stepped = choice == SKIPPED ? stepPlainly(world, h, engineStep)
                                          : stepRecorded(world, h, stepper, engineStep, choice == EXTRA);
    inside = NULL;
    world->wasExtra = choice == EXTRA;
    world->steps++;
    world->time += h;
    return stepped;
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

/* In the child: a ring of its own, and the worlds as they are, with their numbers. */
static void moveTo(ksiPlace *place)
{
    ksiRingClose(&probe.ring);
    if (!place || !ksiRingOpen(&probe.ring, probe.channel, place)) {
        probe.ring.place = NULL;
        return;
    }
    for (World *world = probe.worlds; world; world = world->next) {
        world->isSent = false;
        atomic_fetch_add(&place->worlds, 1);
        if (world->recorder) {
            ksiRecordOriginInit(ksiRecorderEngine(world->recorder), &place->origin);
            atomic_store(&place->state, KSI_PLACE_STEPPING);
        }
    }
}

__attribute__((visibility("default"))) ksiProbeOpen ksiProbe;

const ksiProbeFunctions *ksiProbe(ksiChannel *channel, ksiPlace *place)
{
    static const ksiProbeFunctions functions = {step, forget, moveTo};
    if (!dCheckConfiguration("ODE_double_precision")) {
        refuse(place, "its engine has single precision");
        return NULL;
    }
    probe.channel = channel;
    if (!ksiRingOpen(&probe.ring, channel, place)) {
        refuse(place, "there is no shared memory for its steps");
        return NULL;
    }
    pthread_atfork(beforeFork, afterFork, afterFork);
    return &functions;
}

/* subject.c  A program that knows nothing of Kinetostat: a falling chain, stepped in the requested
 * way. It prints the final position of the last link, to the bit.
 *
 *     subject [quick] [steps N] [chains N] [other MODULE] [threads | fork | jump | exec | never | loop | fail | crash | loading |
 *             cancel | force | spin | explode | quiet | hold | idle | left | empty | leaving]
 *
 * other: a module that is loaded first. loading: another thread loads and unloads it all the time.
 * cancel: a stepping thread is cancelled. force: halfway, a force that is not finite pushes the
 * fifth link; spin: an angular velocity likewise; explode: its torque is finite, and its motion is
 * not. quiet: a body without joints is not finite, and the engine continues. hold: the host stops
 * the last link within each step, after the engine has moved it. idle: a second chain is created,
 * and never stepped; left: nor destroyed; empty: a world without joints. leaving: many worlds are
 * created and never stepped; the program ends while two threads destroy them. */
#include "chain.h"

#include <dlfcn.h>
#include <math.h>
#include <ode/ode.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINKS = 8 };

static int steps = 200, chains = 1, isQuick;
static const char *module;

typedef struct Chain {
    dWorldID world;
    dBodyID link[LINKS];
} Chain;

static Chain makeChain(void)
{
    Chain chain = {.world = dWorldCreate()};
    dWorldSetGravity(chain.world, 0, 0, -9.81);
    for (int i = 0; i < chains * LINKS; i++)
        addLink(chain.world, chain.link, i % LINKS);
    return chain;
}

static void step(const Chain *chain, int count)
{
    for (int i = 0; i < count; i++)
        (void)(isQuick ? dWorldQuickStep : dWorldStep)(chain->world, 0.005);
}

static void tell(const Chain *chain)
{
    const dReal *at = dBodyGetPosition(chain->link[LINKS - 1]);
    printf("%a %a %a\n", at[0], at[1], at[2]);
    fflush(stdout);
}

/* Makes the engine abort, in the step after half of all steps. */
static void runBroken(const char *way)
{
    const Chain chain = makeChain();
    step(&chain, steps / 2);
    if (strcmp(way, "force") == 0)
        dBodyAddForce(chain.link[4], NAN, 0, 0);
    else if (strcmp(way, "spin") == 0)
        dBodySetAngularVel(chain.link[4], 0, INFINITY, 0);
    else if (strcmp(way, "explode") == 0)
        dBodyAddTorque(chain.link[4], 1e308, 1e308, 1e308);
    else
        dBodySetLinearVel(dBodyCreate(chain.world), 0, NAN, 0);
    step(&chain, steps / 2);
    tell(&chain);
}

static void stop(dBodyID body)
{
    dBodySetLinearVel(body, 0, 0, 0);
    dBodySetAngularVel(body, 0, 0, 0);
}

static void runHeld(void)
{
    const Chain chain = makeChain();
    dBodySetMovedCallback(chain.link[LINKS - 1], stop);
    step(&chain, steps);
    tell(&chain);
}

static void *run(void *unused)
{
    (void)unused;
    dAllocateODEDataForThread(dAllocateMaskAll);
    const Chain chain = makeChain();
    // the engine's own threading serves one thread at a time
    const dThreadingImplementationID own = dThreadingAllocateSelfThreadedImplementation();
    dWorldSetStepThreadingImplementation(chain.world, dThreadingImplementationGetFunctions(own), own);
    step(&chain, steps);
    dWorldDestroy(chain.world);
    dThreadingFreeImplementation(own);
    return NULL;
}

static void runThreads(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, run, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}

/* A world that is never stepped, beside one that is. */
static void runIdle(const char *way)
{
    const dWorldID idle = strcmp(way, "empty") == 0 ? dWorldCreate() : makeChain().world;
    run(NULL);
    if (strcmp(way, "left") != 0)
        dWorldDestroy(idle);
}

/* The child continues with the world. */
static void runFork(void)
{
    const Chain chain = makeChain();
    step(&chain, steps / 2);
    const pid_t child = fork();
    step(&chain, steps / 2);
    tell(&chain);
    if (child == 0)
        exit(0);
    waitpid(child, NULL, 0);
}

static jmp_buf before;
static int movesLeft = 10 * LINKS;

/* Leaves the tenth step, as an exception of C++ would. */
static void jump(dBodyID body)
{
    (void)body;
    if (--movesLeft == 0)
        longjmp(before, 1);
}

static void runJump(void)
{
    static Chain chain;
    chain = makeChain();
    for (int i = 0; i < LINKS; i++)
        dBodySetMovedCallback(chain.link[i], jump);
    if (!setjmp(before))
        step(&chain, steps);
    for (int i = 0; i < LINKS; i++)
        dBodySetMovedCallback(chain.link[i], NULL);
    step(&chain, steps / 2);
    tell(&chain);
    // dCloseODE would abort, because the engine has an unfinished job
    _exit(0);
}

static atomic_int isOver;

static void *load(void *unused)
{
    (void)unused;
    while (!isOver) {
        void *library = dlopen(module, RTLD_NOW);
        if (library)
            dlclose(library);
    }
    return NULL;
}

static void runLoading(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, load, NULL);
    usleep(20000);
    run(NULL);
    isOver = 1;
    pthread_join(thread, NULL);
}

static void *runOn(void *unused)
{
    (void)unused;
    dAllocateODEDataForThread(dAllocateMaskAll);
    const Chain chain = makeChain();
    for (;;) {
        step(&chain, 1);
        pthread_testcancel();
    }
    return NULL;
}

static void runCancel(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, runOn, NULL);
    usleep(200000);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    run(NULL);
}

enum { MANY = 20000 };

static dWorldID many[MANY];
static atomic_int gone;

static void *destroy(void *first)
{
    for (int i = MANY - 1; i >= 0; i -= 2) {
        dWorldDestroy(many[i - *(const int *)first]);
        gone++;
    }
    return NULL;
}

static void runLeaving(void)
{
    static const int first[2] = {0, 1};
    pthread_t thread;
    for (int i = 0; i < MANY; i++) {
        many[i] = dWorldCreate();
        dJointAttach(dJointCreateBall(many[i], 0), dBodyCreate(many[i]), NULL);
    }
    for (int i = 0; i < 2; i++)
        pthread_create(&thread, NULL, destroy, (void *)&first[i]);
    while (gone < MANY / 20)
        continue;
    exit(0);
}

int main(int count, char *argument[])
{
    const char *way = "";
    for (int i = 1; i < count; i++) {
        if (strcmp(argument[i], "quick") == 0)
            isQuick = 1;
        else if (strcmp(argument[i], "steps") == 0 && i + 1 < count)
            steps = atoi(argument[++i]);
        else if (strcmp(argument[i], "chains") == 0 && i + 1 < count)
            chains = atoi(argument[++i]);
        else if (strcmp(argument[i], "other") == 0 && i + 1 < count)
            module = argument[++i];
        else
            way = argument[i];
    }
    if (strcmp(way, "exec") == 0) {
        execl(argument[0], argument[0], "steps", "50", (char *)NULL);
        return 1;
    }
    if (module && strcmp(way, "loading") != 0 && !dlopen(module, RTLD_NOW))
        return 1;
    dInitODE2(0);
    if (strcmp(way, "threads") == 0) {
        runThreads();
    } else if (strcmp(way, "loading") == 0) {
        runLoading();
    } else if (strcmp(way, "cancel") == 0) {
        runCancel();
    } else if (strcmp(way, "idle") == 0 || strcmp(way, "left") == 0 || strcmp(way, "empty") == 0) {
        runIdle(way);
    } else if (strcmp(way, "leaving") == 0) {
        runLeaving();
    } else if (strcmp(way, "fork") == 0) {
        runFork();
    } else if (strcmp(way, "force") == 0 || strcmp(way, "spin") == 0 || strcmp(way, "explode") == 0 ||
               strcmp(way, "quiet") == 0) {
        runBroken(way);
    } else if (strcmp(way, "hold") == 0) {
        runHeld();
    } else if (strcmp(way, "jump") == 0) {
        runJump();
    } else if (strcmp(way, "never") != 0) {
        const Chain chain = makeChain();
        do
            step(&chain, steps);
        while (strcmp(way, "loop") == 0);
        tell(&chain);
        if (strcmp(way, "crash") == 0)
            raise(SIGSEGV);
        dWorldDestroy(chain.world);
    }
    dCloseODE();
    return strcmp(way, "fail") == 0 ? 7 : 0;
}

/* stub.c  The half of the wrapper that every program loads: it replaces the engine's steppers, the
 * functions that create and destroy worlds, and abort.
 *
 * It needs only the C library. The engine may be linked with the program, belong to a module of an
 * interpreter, or load late; its functions are looked up at the first step. The file is built for
 * double precision: its dReal can hold numbers of either precision. */
#include "calls.h"
#include "lookup.h"
#include "probe.h"
#include "program_name.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* The program calls these instead of the engine's functions and the C library's abort. */
PUBLIC dWorldID dWorldCreate(void);
PUBLIC int dWorldStep(dWorldID world, dReal stepSize);
PUBLIC int dWorldQuickStep(dWorldID world, dReal stepSize);
PUBLIC void dWorldDestroy(dWorldID world);
PUBLIC _Noreturn void abort(void);

/* The functions that this object replaces: the engine's own, or another wrapper's. */
typedef struct Engine {
    ksiEngineStep *step[2]; /* steppers by ksStepper */
    int isSingle;           /* it has single precision */
    void (*destroy)(dWorldID world);
    char file[1024], other[1024]; /* the first engine, and a second one if there are two */
    int count;
} Engine;

/* A world that the program created. */
typedef struct Made {
    struct Made *next;
    dWorldID world;
} Made;

static struct {
    pthread_once_t once;
    pthread_mutex_t lock; /* in a child of fork: held by the thread that waits for a place */
    pthread_mutex_t madeLock;
    Made *made; /* existing worlds, created since the last fork; both processes may step earlier
                   worlds */
    ksiChannel *channel;
    ksiPlace *_Atomic place;
    char program[96]; /* name of the program */
    int isTurnedAway; /* 1: it found no place */
    Engine engine;
    const ksiProbeFunctions *probe;
    void (*abort)(void);
} stub = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER, .madeLock = PTHREAD_MUTEX_INITIALIZER};

/* --- The engine --- */

typedef union Symbol {
    void *address;
    dWorldID (*create)(void);
    ksiEngineStep *step;
    void (*destroy)(dWorldID world);
    int (*check)(const char *token);
    void (*abort)(void);
} Symbol;

/* Records an engine. The first engine that it records is the program's. */
static void lookInto(const char *name, Engine *engine)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return;
    const char *file = ksiEngineOf(ksiFindSymbol(library, "dWorldStep"));
    if (file && strcmp(file, engine->file) != 0 && strcmp(file, engine->other) != 0) {
        snprintf(engine->count == 0 ? engine->file : engine->other, sizeof engine->file, "%s", file);
        engine->count++;
    }
    dlclose(library);
}

/* Prefers another preloaded object that replaces the function: it calls the engine. */
static void *nextSymbol(void *library, const char *name)
{
    void *next = ksiFindSymbol(RTLD_NEXT, name);
    return next ? next : ksiFindSymbol(library, name);
}

static void findEngine(Engine *engine)
{
    size_t length;
    char *names = ksiLoadedFiles(&length);
    for (size_t at = 0; at < length; at += strlen(names + at) + 1)
        lookInto(names + at, engine);
    free(names);
    if (engine->count == 0)
        return;
    // makes its names visible to the probe
    void *library = dlopen(engine->file, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    if (!library)
        return;
    engine->step[KS_WORLD_STEP] = (Symbol){nextSymbol(library, "dWorldStep")}.step;
    engine->step[KS_QUICK_STEP] = (Symbol){nextSymbol(library, "dWorldQuickStep")}.step;
    engine->destroy = (Symbol){nextSymbol(library, "dWorldDestroy")}.destroy;
    const Symbol check = {ksiFindSymbol(library, "dCheckConfiguration")};
    engine->isSingle = check.address && check.check("ODE_single_precision");
}

/* --- The probe --- */

static void refuse(const char *why, const char *more)
{
    ksiPlace *place = stub.place;
    if (!place)
        return;
    snprintf(place->words, sizeof place->words, "%s%s", why, more);
    atomic_store(&place->state, KSI_PLACE_REFUSED);
}

static void refuseEngines(const Engine *engine)
{
    char both[200];
    snprintf(both, sizeof both, "%.90s and %.90s", ksiLastPart(engine->file), ksiLastPart(engine->other));
    refuse("it has loaded more than one engine: ", both);
}

/* Looks beside this object, or in the neighbouring folder of the other precision. */
static void loadProbe(void)
{
    const int isSingle = stub.engine.isSingle, isOther = isSingle != (sizeof KS_PRECISION > 1);
    char path[1200] = "";
    Dl_info self;
    if (!dladdr((Symbol){.step = dWorldStep}.address, &self) || !self.dli_fname) {
        refuse("the wrapper cannot find its own file", "");
        return;
    }
    const char *slash = strrchr(self.dli_fname, '/');
    const int folder = slash ? (int)(slash - self.dli_fname + 1) : 0;
    snprintf(path, sizeof path, "%.*s%skinetostat-probe.so", folder, self.dli_fname,
             !isOther   ? ""
             : isSingle ? "../kinetostat-single/"
                        : "../kinetostat/");
    if (isOther && access(path, R_OK)) {
        refuse("its engine has another precision: install kinetostat beside this one for an ODE of ",
               isSingle ? "single precision" : "double precision");
        return;
    }
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    union {
        void *address;
        ksiProbeOpen *open;
    } probe = {library ? ksiFindSymbol(library, KSI_PROBE_SYMBOL) : NULL};
    if (!probe.address) {
        const char *reason = dlerror();
        refuse("its engine lacks functions of ODE 0.16.2: ", reason ? reason : "");
        return;
    }
    stub.probe = probe.open(stub.channel, stub.place);
}

/* A library's name may be a link; its file's name has the version. */
static void describe(ksiPlace *place)
{
    char *file = stub.engine.count > 0 ? realpath(stub.engine.file, NULL) : NULL;
    snprintf(place->program, sizeof place->program, "%s", stub.program);
    snprintf(place->engine, sizeof place->engine, "%.95s", ksiLastPart(file ? file : stub.engine.file));
    free(file);
}

static void takePlace(ksiPlace *place)
{
    stub.place = place;
    ksiWatchCalls(place);
}

/* A stepping process without a place waits for one. */
static void beginInspection(void)
{
    if (!stub.place)
        takePlace(ksiChannelWait(stub.channel));
    stub.isTurnedAway = !stub.place;
    if (!stub.place)
        return;
    describe(stub.place);
    if (stub.engine.count > 1)
        refuseEngines(&stub.engine);
    else if (stub.engine.count == 0)
        refuse("the engine's library cannot be found", "");
    else if (stub.probe)
        stub.probe->moveTo(stub.place);
    else
        loadProbe();
}

static void begin(void)
{
    findEngine(&stub.engine);
    if (stub.channel)
        beginInspection();
}

/* --- Worlds of the program --- */

static void noteMade(dWorldID world)
{
    Made *made = world ? malloc(sizeof *made) : NULL;
    pthread_mutex_lock(&stub.madeLock);
    if (made)
        *made = (Made){stub.made, world};
    stub.made = made ? made : stub.made;
    pthread_mutex_unlock(&stub.madeLock);
}

/* Removes this world from the list and returns it. NULL: any world. */
static dWorldID takeMade(dWorldID world)
{
    pthread_mutex_lock(&stub.madeLock);
    Made **link = &stub.made;
    while (*link && world && (*link)->world != world)
        link = &(*link)->next;
    Made *found = *link;
    if (found)
        *link = found->next;
    pthread_mutex_unlock(&stub.madeLock);
    world = found ? found->world : NULL;
    free(found);
    return world;
}

static dWorldID takeAnyMade(void)
{
    return takeMade(NULL);
}

/* --- Fork --- */

static void fork_begin(void)
{
    pthread_mutex_lock(&stub.madeLock);
}

static void fork_parent(void)
{
    Made *left = stub.made;
    stub.made = NULL;
    pthread_mutex_unlock(&stub.madeLock);
    while (left) {
        Made *next = left->next;
        free(left);
        left = next;
    }
}

static void fork_child(void)
{
    fork_parent();
    pthread_mutex_init(&stub.lock, NULL);
    stub.isTurnedAway = 0;
    takePlace(ksiChannelClaim(stub.channel));
    if (stub.place)
        describe(stub.place);
    if (stub.probe)
        stub.probe->moveTo(stub.place);
}

/* Runs in a child of fork that found no place. */
static void beginAgain(void)
{
    pthread_mutex_lock(&stub.lock);
    if (!stub.place && !stub.isTurnedAway)
        beginInspection();
    pthread_mutex_unlock(&stub.lock);
}

__attribute__((constructor)) static void enter(void)
{
    const int hostErrno = errno;
    const char *name = getenv(KSI_CHANNEL_VARIABLE);
    stub.abort = (Symbol){ksiFindSymbol(RTLD_NEXT, "abort")}.abort;
    stub.channel = name ? ksiChannelOpen(name) : NULL;
    if (stub.channel) {
        ksiProgramName(stub.program, sizeof stub.program);
        takePlace(ksiChannelClaim(stub.channel));
        if (stub.place)
            describe(stub.place);
        pthread_atfork(fork_begin, fork_parent, fork_child);
    }
    errno = hostErrno;
}

static int isEngine(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    return slash && strncmp(slash + 1, "libode", 6) == 0;
}

/* Reports that the program has ended. Without a step no engine was looked up, and nothing can be
 * loaded at this point. So it searches the names of the loaded libraries. */
__attribute__((destructor)) static void leave(void)
{
    ksiPlace *place = stub.place;
    if (!place)
        return;
    if (stub.probe)
        stub.probe->missAll(takeAnyMade);
    atomic_store(&place->hasEngine, stub.engine.count > 0 || dl_iterate_phdr(isEngine, NULL) != 0);
    atomic_store(&place->hasEnded, 1);
}

void abort(void)
{
    if (stub.probe)
        stub.probe->noteAbort();
    if (stub.abort)
        stub.abort();
    _exit(127);
}

/* --- Worlds and steppers --- */

/* Number of Kinetostat's own steps and worlds in progress, in a program that uses it. */
static _Thread_local int ownSteps;

PUBLIC void kinetostatOwnSteps(int more);

void kinetostatOwnSteps(int more)
{
    ownSteps += more;
}

/* Called in a program that uses Kinetostat: the library's forces replace the joints in this step.
 * NULL: the step has ended. */
PUBLIC void kinetostatExactStep(dWorldID world, dReal stepSize);

void kinetostatExactStep(dWorldID world, dReal stepSize)
{
    pthread_once(&stub.once, begin);
    if (stub.channel && !stub.place && !stub.isTurnedAway)
        beginAgain();
    if (stub.probe)
        stub.probe->stepExactly(world, stepSize);
}

/* Called in a program that uses Kinetostat. */
PUBLIC void kinetostatJointName(dWorldID world, dJointID joint, const char *name);

void kinetostatJointName(dWorldID world, dJointID joint, const char *name)
{
    pthread_once(&stub.once, begin);
    if (stub.probe)
        stub.probe->nameJoint(world, joint, name);
}

/* The engine's function `name` that the caller's library is linked with, if several engines are
 * loaded; else `first`. wrapper: the function that replaces it. */
static Symbol engineSymbol(const char *name, Symbol wrapper, Symbol first, const void *caller)
{
    Dl_info where;
    if (stub.engine.count <= 1 || !dladdr(caller, &where) || !where.dli_fname)
        return first;
    void *library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    const Symbol own = {library ? ksiFindSymbol(library, name) : NULL};
    if (library)
        dlclose(library);
    return own.address && own.address != wrapper.address ? own : first;
}

static int step(dWorldID world, dReal stepSize, ksStepper stepper, const void *caller)
{
    pthread_once(&stub.once, begin);
    if (stub.channel && !stub.place && !stub.isTurnedAway)
        beginAgain();
    const bool isQuick = stepper == KS_QUICK_STEP;
    ksiEngineStep *own = engineSymbol(isQuick ? "dWorldQuickStep" : "dWorldStep",
                                      (Symbol){.step = isQuick ? dWorldQuickStep : dWorldStep},
                                      (Symbol){.step = stub.engine.step[stepper]}, caller)
                             .step;
    if (!own)
        stub.abort();  // the program calls a function that no library defines
    return stub.probe && ownSteps == 0 ? stub.probe->step(world, stepSize, stepper, own) : own(world, stepSize);
}

int dWorldStep(dWorldID world, dReal stepSize)
{
    return step(world, stepSize, KS_WORLD_STEP, __builtin_return_address(0));
}

int dWorldQuickStep(dWorldID world, dReal stepSize)
{
    return step(world, stepSize, KS_QUICK_STEP, __builtin_return_address(0));
}

/* dWorldCreate of the caller's own library. If it has none, of the next library: engines are
 * searched only at the first step. */
static Symbol maker(const void *caller)
{
    Dl_info where;
    void *library = dladdr(caller, &where) && where.dli_fname ? dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    const Symbol own = {library ? ksiFindSymbol(library, "dWorldCreate") : NULL};
    if (library)
        dlclose(library);
    return own.address && own.create != dWorldCreate ? own : (Symbol){ksiFindSymbol(RTLD_NEXT, "dWorldCreate")};
}

dWorldID dWorldCreate(void)
{
    const Symbol own = maker(__builtin_return_address(0));
    if (!own.create)
        stub.abort();
    const dWorldID world = own.create();
    if (stub.channel && ownSteps == 0)
        noteMade(world);
    return world;
}

void dWorldDestroy(dWorldID world)
{
    pthread_once(&stub.once, begin);
    const bool isMade = world && takeMade(world);
    if (stub.probe && isMade)
        stub.probe->miss(world);
    if (stub.probe)
        stub.probe->forget(world);
    const Symbol own = engineSymbol("dWorldDestroy", (Symbol){.destroy = dWorldDestroy},
                                    (Symbol){.destroy = stub.engine.destroy}, __builtin_return_address(0));
    if (own.destroy)
        own.destroy(world);
}

/* stub.c  The half of the wrapper that is loaded into every program: stands for the engine's steppers.
 *
 * It needs nothing but the C library. The engine may come with the program, with a module of an interpreter, or late; its functions
 * are looked for when the first step is made. Numbers pass through as they are, whatever the precision of the engine. */
#include "probe.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

/* The program's calls end here. */
PUBLIC int dWorldStep(dWorldID world, dReal stepSize);
PUBLIC int dWorldQuickStep(dWorldID world, dReal stepSize);
PUBLIC void dWorldDestroy(dWorldID world);

typedef struct Engine {
    ksiEngineStep *step[2]; /* by ksStepper */
    void (*destroy)(dWorldID world);
    char file[1024];
    int count; /* of libraries that have a dWorldStep */
} Engine;

static struct {
    pthread_once_t once;
    ksiChannel *channel;
    ksiPlace *place;
    Engine engine;
    const ksiProbeFunctions *probe;
} stub = {.once = PTHREAD_ONCE_INIT};

/* --- The engine --- */

typedef union Symbol {
    void *address;
    ksiEngineStep *step;
    void (*destroy)(dWorldID world);
} Symbol;

/* Names of files, one behind the other. */
typedef struct Names {
    char *at;
    size_t used;
} Names;

/* The loader is locked while this runs: nothing can be opened yet. */
static int noteName(struct dl_phdr_info *info, size_t size, void *user)
{
    Names *names = user;
    (void)size;
    if (!info->dlpi_name || !*info->dlpi_name)
        return 0;
    const size_t length = strlen(info->dlpi_name) + 1;
    char *room = realloc(names->at, names->used + length);
    if (!room)
        return 1;
    names->at = room;
    memcpy(room + names->used, info->dlpi_name, length);
    names->used += length;
    return 0;
}

/* Notes a library that has steppers of its own. The first one is the program's. */
static void lookInto(const char *name, Engine *engine)
{
    void *library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
    if (!library)
        return;
    const Symbol found = {dlsym(library, "dWorldStep")};
    Dl_info where;
    if (found.address && found.step != dWorldStep && dladdr(found.address, &where) && where.dli_fname &&
        strcmp(where.dli_fname, engine->file) != 0) {
        if (engine->count == 0)
            snprintf(engine->file, sizeof engine->file, "%s", where.dli_fname);
        engine->count++;
    }
    dlclose(library);
}

static void findEngine(Engine *engine)
{
    Names names = {NULL, 0};
    dl_iterate_phdr(noteName, &names);
    for (size_t at = 0; at < names.used; at += strlen(names.at + at) + 1)
        lookInto(names.at + at, engine);
    free(names.at);
    if (engine->count == 0)
        return;
    // its names become visible to the probe
    void *library = dlopen(engine->file, RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
    if (!library)
        return;
    engine->step[KS_WORLD_STEP] = (Symbol){dlsym(library, "dWorldStep")}.step;
    engine->step[KS_QUICK_STEP] = (Symbol){dlsym(library, "dWorldQuickStep")}.step;
    engine->destroy = (Symbol){dlsym(library, "dWorldDestroy")}.destroy;
}

/* --- The probe --- */

static void refuse(const char *why, const char *more)
{
    if (!stub.place)
        return;
    snprintf(stub.place->words, sizeof stub.place->words, "%s%s", why, more);
    atomic_store(&stub.place->state, KSI_PLACE_REFUSED);
}

/* Beside this object. */
static void loadProbe(void)
{
    char path[1200] = "";
    Dl_info self;
    if (!dladdr((Symbol){.step = dWorldStep}.address, &self) || !self.dli_fname) {
        refuse("the wrapper does not find itself", "");
        return;
    }
    const char *slash = strrchr(self.dli_fname, '/');
    const int folder = slash ? (int)(slash - self.dli_fname + 1) : 0;
    snprintf(path, sizeof path, "%.*skinetostat-probe.so", folder, self.dli_fname);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    union {
        void *address;
        ksiProbeOpen *open;
    } probe = {library ? dlsym(library, KSI_PROBE_SYMBOL) : NULL};
    if (!probe.address) {
        const char *reason = dlerror();
        refuse("its engine lacks functions of ODE 0.16.2: ", reason ? reason : "");
        return;
    }
    stub.probe = probe.open(stub.channel, stub.place);
}

static void begin(void)
{
    findEngine(&stub.engine);
    if (!stub.place)
        return;
    if (stub.engine.count > 1)
        refuse("it has loaded more than one engine", "");
    else if (stub.engine.count == 0)
        refuse("the engine's library is not found", "");
    else
        loadProbe();
}

static void fork_child(void)
{
    if (!stub.channel || !stub.place)
        return;
    const ksiPlace *parent = stub.place;
    stub.place = ksiChannelClaim(stub.channel);
    if (stub.place)
        memcpy(stub.place->program, parent->program, sizeof parent->program);
    if (stub.probe)
        stub.probe->moveTo(stub.place);
}

__attribute__((constructor)) static void enter(void)
{
    const int hostErrno = errno;
    const char *name = getenv(KSI_CHANNEL_VARIABLE);
    stub.channel = name ? ksiChannelOpen(name) : NULL;
    stub.place = stub.channel ? ksiChannelClaim(stub.channel) : NULL;
    if (stub.place) {
        char self[1024];
        const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
        self[length > 0 ? length : 0] = 0;
        const char *slash = strrchr(self, '/');
        snprintf(stub.place->program, sizeof stub.place->program, "%.63s", slash ? slash + 1 : self);
        pthread_atfork(NULL, NULL, fork_child);
    }
    errno = hostErrno;
}

static int isEngine(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    return slash && strncmp(slash + 1, "libode", 6) == 0;
}

/* A program that never stepped through this wrapper: is there an engine at all? Nothing can be opened any more: ask for names. */
__attribute__((destructor)) static void leave(void)
{
    if (!stub.place)
        return;
    atomic_store(&stub.place->hasEngine, stub.engine.count > 0 || dl_iterate_phdr(isEngine, NULL) != 0);
    atomic_store(&stub.place->hasEnded, 1);
}

/* --- The steppers --- */

/* Of worlds that Kinetostat has made for itself, in a program that uses it. */
static _Thread_local int ownSteps;

PUBLIC void kinetostatOwnSteps(int more);

void kinetostatOwnSteps(int more)
{
    ownSteps += more;
}

/* Of the caller's own library, where there is more than one: `wrapper` stands for `name`, and `first` is that of the first engine. */
static Symbol engineSymbol(const char *name, Symbol wrapper, Symbol first, const void *caller)
{
    Dl_info where;
    if (stub.engine.count <= 1 || !dladdr(caller, &where) || !where.dli_fname)
        return first;
    void *library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    const Symbol own = {library ? dlsym(library, name) : NULL};
    if (library)
        dlclose(library);
    return own.address && own.address != wrapper.address ? own : first;
}

static int step(dWorldID world, dReal stepSize, ksStepper stepper, const void *caller)
{
    pthread_once(&stub.once, begin);
    const bool isQuick = stepper == KS_QUICK_STEP;
    ksiEngineStep *own = engineSymbol(isQuick ? "dWorldQuickStep" : "dWorldStep",
                                      (Symbol){.step = isQuick ? dWorldQuickStep : dWorldStep},
                                      (Symbol){.step = stub.engine.step[stepper]}, caller)
                             .step;
    if (!own)
        abort();  // a program that calls a function which no library has
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

void dWorldDestroy(dWorldID world)
{
    pthread_once(&stub.once, begin);
    if (stub.probe)
        stub.probe->forget(world);
    const Symbol own = engineSymbol("dWorldDestroy", (Symbol){.destroy = dWorldDestroy},
                                    (Symbol){.destroy = stub.engine.destroy}, __builtin_return_address(0));
    if (own.destroy)
        own.destroy(world);
}

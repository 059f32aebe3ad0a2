/* calls.c  Finds the engine that the caller of a wrapped function is linked with. Each calling
 * address is looked up once. */
#include "trapped.h"

#include "lookup.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NAME(name) #name,

typedef struct Engine {
    struct Engine *next;
    const void *base;
    bool isLookedAt; /* it has double precision and all needed functions */
    union {
        ksiCallee call;
        void *address[1];
    } own;
} Engine;
static const char *const wrappedName[] = {KSI_CALLS(NAME)}, *const askedName[] = {KSI_ASKED(NAME)};
enum { WRAPPED_COUNT = sizeof wrappedName / sizeof *wrappedName, ASKED_COUNT = sizeof askedName / sizeof *askedName };

pthread_mutex_t ksiTrapLock = PTHREAD_MUTEX_INITIALIZER;
static Engine *engines;
static ksiPlace *_Atomic place;

void ksiWatchCalls(ksiPlace *of)
{
    place = of;
}

bool ksiIsOpen(const ksiCaller *caller, int trap)
{
    const ksiPlace *of = caller->isProgram ? place : NULL;
    return of && !(atomic_load_explicit(&of->traps, memory_order_relaxed) >> trap & 1u);
}

void ksiNoteTrap(int trap)
{
    ksiPlace *of = place;
    if (of)
        atomic_fetch_or(&of->traps, 1u << trap);
}

/* --- The caller's engine --- */

static void *openFile(const Dl_info *where)
{
    return where->dli_fname ? dlopen(where->dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* Searches the first loaded engine: ctypes, for instance, calls an engine that its caller is not
 * linked with. */
static void *findAnywhere(const char *name)
{
    size_t length;
    char *names = ksiLoadedFiles(&length);
    void *found = NULL;
    for (size_t at = 0; at < length && !found; at += strlen(names + at) + 1) {
        void *library = dlopen(names + at, RTLD_LAZY | RTLD_NOLOAD);
        void *own = library ? ksiFindSymbol(library, name) : NULL;
        found = ksiEngineOf(own) ? own : NULL;
        if (library)
            dlclose(library);
    }
    free(names);
    return found;
}

/* Finds the engine of the calling library, else of the program, else any engine. Skips the
 * wrapper's own functions. */
static bool findLibrary(const void *caller, Dl_info *from, Dl_info *library)
{
    static const char any[] = "dBodyGetPosition";
    void *own = dladdr(caller, from) ? openFile(from) : NULL;
    void *found = own ? ksiFindSymbol(own, any) : NULL;
    found = found ? found : ksiFindSymbol(RTLD_NEXT, any);
    found = found ? found : findAnywhere(any);
    if (own)
        dlclose(own);
    return found && dladdr(found, library);
}

/* Prefers another preloaded object that replaces the function. */
static void *nextOf(void *library, const char *name)
{
    void *next = ksiFindSymbol(RTLD_NEXT, name);
    return next && !ksiEngineOf(next) ? next : ksiFindSymbol(library, name);
}

/* An engine that is built without triangle meshes lacks one function, and counts no triangles. */
static bool isNeeded(const char *name)
{
    return strcmp(name, "dGeomTriMeshGetTriangle") != 0;
}

static Engine *makeEngine(const Dl_info *where)
{
    Engine *made = calloc(1, sizeof *made);
    void *library = openFile(where);
    if (!made || !library) {
        free(made);
        return NULL;
    }
    made->base = where->dli_fbase;
    made->isLookedAt = true;
    for (int i = 0; i < WRAPPED_COUNT; i++)
        made->own.address[i] = nextOf(library, wrappedName[i]);
    for (int i = 0; i < ASKED_COUNT; i++)
        made->own.address[WRAPPED_COUNT + i] = ksiFindSymbol(library, askedName[i]);
    for (int i = 0; i < WRAPPED_COUNT; i++)
        made->isLookedAt &= made->own.address[i] != NULL;
    for (int i = 0; i < ASKED_COUNT; i++)
        made->isLookedAt &= made->own.address[WRAPPED_COUNT + i] != NULL || !isNeeded(askedName[i]);
    made->isLookedAt = made->isLookedAt && made->own.call.dCheckConfiguration("ODE_double_precision");
    dlclose(library);
    return made;
}

static Engine *knownEngine(const void *base)
{
    Engine *engine = engines;
    while (engine && engine->base != base)
        engine = engine->next;
    return engine;
}

/* Calls the loader without holding the lock, since a library that it opens may call this
 * function. */
static const Engine *engineAt(const Dl_info *where)
{
    pthread_mutex_lock(&ksiTrapLock);
    Engine *found = knownEngine(where->dli_fbase);
    pthread_mutex_unlock(&ksiTrapLock);
    Engine *made = found ? NULL : makeEngine(where);
    if (!made)
        return found;
    pthread_mutex_lock(&ksiTrapLock);
    found = knownEngine(where->dli_fbase);
    made->next = engines;
    engines = found ? engines : made;
    pthread_mutex_unlock(&ksiTrapLock);
    if (found)
        free(made);
    return found ? found : made;
}

static void beforeFork(void)
{
    pthread_mutex_lock(&ksiTrapLock);
}

static void afterFork(void)
{
    pthread_mutex_unlock(&ksiTrapLock);
}

__attribute__((constructor)) static void mindForks(void)
{
    pthread_atfork(beforeFork, afterFork, afterFork);
}

static bool isOurs(const char *file)
{
    const char *name = file ? strrchr(file, '/') : NULL;
    name = name ? name + 1 : file;
    return name && (strncmp(name, "libkinetostat", 13) == 0 || strncmp(name, "kinetostat-probe.", 17) == 0);
}

static ksiCaller findCaller(const void *at)
{
    Dl_info from, library;
    ksiCaller caller = {.at = at};
    if (!findLibrary(at, &from, &library))
        return caller;
    const Engine *engine = engineAt(&library);
    caller.engine = engine ? &engine->own.call : NULL;
    caller.isProgram = engine && engine->isLookedAt && from.dli_fbase != library.dli_fbase && !isOurs(from.dli_fname);
    return caller;
}

const ksiCaller *ksiCallerAt(const void *at)
{
    enum { PLACES = 64 };
    static _Thread_local ksiCaller known[PLACES];
    ksiCaller *caller = &known[(uintptr_t)at / 4 % PLACES];
    if (caller->at != at)
        *caller = findCaller(at);
    // the program calls a function that no library defines
    if (!caller->engine)
        abort();
    return caller;
}

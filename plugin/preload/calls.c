/* calls.c  Stands for functions of the engine whose use may be a trap. Each call goes to the engine as it is; then it is looked at.
 *
 * The engine is that of the caller's library, which is looked up once for each place that calls. What is looked at is the engine's by its
 * public functions, or the caller's own. As all of the wrapper, this needs the C library alone: not that of mathematics. */
#include "calls.h"

#include "lookup.h"

#include "../report/collect/traps.h"

#include <dlfcn.h>
#include <ode/ode.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PUBLIC __attribute__((visibility("default")))

/* These are asked. */
#define ASKED(X)                                                                                                       \
    X(dCheckConfiguration)                                                                                             \
    X(dGeomGetClass)                                                                                                   \
    X(dGeomGetAABB)                                                                                                    \
    X(dJointGetBody)                                                                                                   \
    X(dJointGetAMotorMode)                                                                                             \
    X(dJointGetPistonAxis)                                                                                             \
    X(dJointGetSliderAxis)                                                                                             \
    X(dJointGetPRAxis1)                                                                                                \
    X(dJointGetPRAnchor)                                                                                               \
    X(dBodyGetPosition)                                                                                                \
    X(dBodyGetLinearVel)                                                                                               \
    X(dBodyGetAngularVel)                                                                                              \
    X(dWorldGetContactMaxCorrectingVel)

#define MEMBER(name) __typeof__(name) *name;
#define NAME(name) #name,
#define STANDS(name) PUBLIC __typeof__(name) name;
KSI_CALLS(STANDS)

/* An engine: KSI_CALLS are what comes next behind this wrapper. */
typedef struct Engine {
    struct Engine *next;
    const void *base;
    bool isLookedAt; /* it has double precision, and all functions */
    union {
        struct {
            KSI_CALLS(MEMBER)
            ASKED(MEMBER)
        } call;
        void *address[1];
    } own;
} Engine;
static const char *const wrappedName[] = {KSI_CALLS(NAME)}, *const askedName[] = {ASKED(NAME)};
enum { WRAPPED_COUNT = sizeof wrappedName / sizeof *wrappedName, ASKED_COUNT = sizeof askedName / sizeof *askedName };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Engine *engines;
static ksiPlace *_Atomic place;

void ksiWatchCalls(ksiPlace *of)
{
    place = of;
}

/* Is the process inspected, and has it not met this trap yet? */
static bool isOpen(int trap)
{
    const ksiPlace *of = place;
    return of && !(atomic_load_explicit(&of->traps, memory_order_relaxed) >> trap & 1u);
}

static void note(int trap)
{
    ksiPlace *of = place;
    if (of)
        atomic_fetch_or(&of->traps, 1u << trap);
}

/* --- Which engine --- */

static void *openFile(const Dl_info *where)
{
    return where->dli_fname ? dlopen(where->dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
}

/* In the first engine that is loaded, wherever: one that was opened for one library alone may be called by another, as by ctypes. */
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

/* Of the library that calls, of the program, or of any: a function that nobody stands for. */
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

/* Another object that was preloaded, and stands for the function as this one does, comes first. */
static void *nextOf(void *library, const char *name)
{
    void *next = ksiFindSymbol(RTLD_NEXT, name);
    return next && !ksiEngineOf(next) ? next : ksiFindSymbol(library, name);
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
    for (int i = 0; i < WRAPPED_COUNT + ASKED_COUNT; i++)
        made->isLookedAt &= made->own.address[i] != NULL;
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

/* The loader is not asked with the lock: a library that it opens may call. */
static const Engine *engineAt(const Dl_info *where)
{
    pthread_mutex_lock(&lock);
    Engine *found = knownEngine(where->dli_fbase);
    pthread_mutex_unlock(&lock);
    Engine *made = found ? NULL : makeEngine(where);
    if (!made)
        return found;
    pthread_mutex_lock(&lock);
    found = knownEngine(where->dli_fbase);
    made->next = engines;
    engines = found ? engines : made;
    pthread_mutex_unlock(&lock);
    if (found)
        free(made);
    return found ? found : made;
}

static void beforeFork(void)
{
    pthread_mutex_lock(&lock);
}

static void afterFork(void)
{
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void mindForks(void)
{
    pthread_atfork(beforeFork, afterFork, afterFork);
}

/* A place that calls. The engine's own calls, and those of Kinetostat, are nobody's traps. */
typedef struct Caller {
    const void *at;
    const Engine *engine;
    bool isProgram;
} Caller;

static Caller findCaller(const void *at)
{
    Dl_info from, library;
    Caller caller = {.at = at};
    if (!findLibrary(at, &from, &library))
        return caller;
    caller.engine = engineAt(&library);
    caller.isProgram = caller.engine && caller.engine->isLookedAt && from.dli_fbase != library.dli_fbase &&
                       !(from.dli_fname && strstr(from.dli_fname, "libkinetostat"));
    return caller;
}

static const Caller *callerAt(const void *at)
{
    enum { PLACES = 64 };
    static _Thread_local Caller known[PLACES];
    Caller *caller = &known[(uintptr_t)at / 4 % PLACES];
    if (caller->at != at)
        *caller = findCaller(at);
    // a program that calls a function which no library has
    if (!caller->engine)
        abort();
    return caller;
}
#define CALLER() callerAt(__builtin_return_address(0))

/* --- Vectors --- */

static double dot(const dReal *a, const dReal *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const dReal *a, const dReal *b, dReal out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

static void subtract(const dReal *a, const dReal *b, dReal out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

static double sizeOf(double x)
{
    return x < 0 ? -x : x;
}

/* A share, and a speed in m/s or rad/s, from which a difference matters. */
static const double share = 0.01, leastSpeed = 1e-3;

/* --- Joints --- */

/* Attached (0, b); or with centres beside the axis. */
static bool isForceAmiss(const Engine *engine, dJointID joint)
{
    dBodyID body[2] = {engine->own.call.dJointGetBody(joint, 0), engine->own.call.dJointGetBody(joint, 1)};
    dVector3 axis;
    dReal way[3], beside[3];
    if (!body[0] || !body[1])
        return !body[0] && body[1];
    engine->own.call.dJointGetPistonAxis(joint, axis);
    subtract(engine->own.call.dBodyGetPosition(body[0]), engine->own.call.dBodyGetPosition(body[1]), way);
    cross(axis, way, beside);
    return dot(beside, beside) > share * share * dot(way, way);
}

void dJointAddPistonForce(dJointID joint, dReal force)
{
    const Caller *caller = CALLER();
    caller->engine->own.call.dJointAddPistonForce(joint, force);
    if (caller->isProgram && isOpen(KSI_TRAP_PISTON_FORCE) && force != 0 && isForceAmiss(caller->engine, joint))
        note(KSI_TRAP_PISTON_FORCE);
}

static void subtractSpin(const Engine *engine, dBodyID body, double sign, dReal spin[3])
{
    const dReal *of = body ? engine->own.call.dBodyGetAngularVel(body) : NULL;
    for (int i = 0; of && i < 3; i++)
        spin[i] += sign * of[i];
}

dReal dJointGetAMotorAngle(dJointID joint, int number)
{
    const Caller *caller = CALLER();
    const Engine *engine = caller->engine;
    const dReal angle = engine->own.call.dJointGetAMotorAngle(joint, number);
    dReal spin[3] = {0, 0, 0};
    if (!caller->isProgram || !isOpen(KSI_TRAP_EULER_ANGLE) ||
        engine->own.call.dJointGetAMotorMode(joint) != dAMotorEuler)
        return angle;
    for (int i = 0; i < 2; i++)
        subtractSpin(engine, engine->own.call.dJointGetBody(joint, i), i == 0 ? 1 : -1, spin);
    if (dot(spin, spin) > leastSpeed * leastSpeed)
        note(KSI_TRAP_EULER_ANGLE);
    return angle;
}

/* The speed along the axis of the bodies' points that are at the anchor, one against the other. */
static double slideRate(const Engine *engine, const dBodyID body[2], const dReal *axis, const dReal *anchor)
{
    double rate = 0;
    for (int i = 0; i < 2; i++) {
        dReal arm[3], turned[3];
        subtract(anchor, engine->own.call.dBodyGetPosition(body[i]), arm);
        cross(engine->own.call.dBodyGetAngularVel(body[i]), arm, turned);
        rate += (i == 0 ? 1 : -1) * (dot(axis, engine->own.call.dBodyGetLinearVel(body[i])) + dot(axis, turned));
    }
    return rate;
}

static dReal lookAtRate(const Caller *caller, dJointID joint, dReal rate, void (*axisOf)(dJointID, dVector3),
                        void (*anchorOf)(dJointID, dVector3))
{
    const Engine *engine = caller->engine;
    if (!caller->isProgram || !isOpen(KSI_TRAP_SLIDE_RATE))
        return rate;
    const dBodyID body[2] = {engine->own.call.dJointGetBody(joint, 0), engine->own.call.dJointGetBody(joint, 1)};
    dVector3 axis, anchor;
    if (!body[0] || !body[1])
        return rate;
    axisOf(joint, axis);
    // without an anchor the bodies turn as one, or about the slide: any point of them serves
    if (anchorOf)
        anchorOf(joint, anchor);
    else
        memcpy(anchor, engine->own.call.dBodyGetPosition(body[0]), sizeof anchor);
    const double right = sizeOf(slideRate(engine, body, axis, anchor)), off = sizeOf(sizeOf(rate) - right);
    if (off > share * right && off > leastSpeed)
        note(KSI_TRAP_SLIDE_RATE);
    return rate;
}

dReal dJointGetSliderPositionRate(dJointID joint)
{
    const Caller *caller = CALLER();
    const dReal rate = caller->engine->own.call.dJointGetSliderPositionRate(joint);
    return lookAtRate(caller, joint, rate, caller->engine->own.call.dJointGetSliderAxis, NULL);
}

dReal dJointGetPistonPositionRate(dJointID joint)
{
    const Caller *caller = CALLER();
    const dReal rate = caller->engine->own.call.dJointGetPistonPositionRate(joint);
    return lookAtRate(caller, joint, rate, caller->engine->own.call.dJointGetPistonAxis, NULL);
}

dReal dJointGetPRPositionRate(dJointID joint)
{
    const Caller *caller = CALLER();
    const dReal rate = caller->engine->own.call.dJointGetPRPositionRate(joint);
    return lookAtRate(caller, joint, rate, caller->engine->own.call.dJointGetPRAxis1,
                      caller->engine->own.call.dJointGetPRAnchor);
}

/* --- Masses --- */

static void lookAtMass(const dMass *mass)
{
    const double shifted = mass->mass * dot(mass->c, mass->c);
    bool isLarge = true;
    for (int i = 0; i < 3; i++)
        isLarge &= shifted > share * mass->I[5 * i];
    if (isLarge)
        note(KSI_TRAP_MESH_INERTIA);
}

void dMassSetTrimesh(dMass *mass, dReal density, dGeomID mesh)
{
    const Caller *caller = CALLER();
    caller->engine->own.call.dMassSetTrimesh(mass, density, mesh);
    if (caller->isProgram && isOpen(KSI_TRAP_MESH_INERTIA))
        lookAtMass(mass);
}

void dMassSetTrimeshTotal(dMass *mass, dReal total, dGeomID mesh)
{
    const Caller *caller = CALLER();
    caller->engine->own.call.dMassSetTrimeshTotal(mass, total, mesh);
    if (caller->isProgram && isOpen(KSI_TRAP_MESH_INERTIA))
        lookAtMass(mass);
}

/* --- Contacts --- */

/* Along an axis of the world, how far two boxes overlap at least: so far apart, the geoms in them do not touch. */
static double overlapOf(const Engine *engine, dGeomID a, dGeomID b)
{
    dReal box[2][6];
    double least = dInfinity;
    engine->own.call.dGeomGetAABB(a, box[0]);
    engine->own.call.dGeomGetAABB(b, box[1]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            const double overlap = box[k][2 * i + 1] - box[!k][2 * i];
            least = overlap < least ? overlap : least;
        }
    return least;
}

int dCollide(dGeomID a, dGeomID b, int flags, dContactGeom *contact, int skip)
{
    static const double many = 2;
    const Caller *caller = CALLER();
    const Engine *engine = caller->engine;
    const int count = engine->own.call.dCollide(a, b, flags, contact, skip);
    if (!caller->isProgram || count == 0 || !isOpen(KSI_TRAP_MESH_DEPTH) ||
        engine->own.call.dGeomGetClass(a) != dTriMeshClass || engine->own.call.dGeomGetClass(b) != dTriMeshClass)
        return count;
    const double most = many * overlapOf(engine, a, b);
    for (int i = 0; i < count; i++)
        if (((const dContactGeom *)(const void *)((const char *)contact + (size_t)i * (size_t)skip))->depth > most)
            note(KSI_TRAP_MESH_DEPTH);
    return count;
}

/* Two bodies, and how the surface of the one with the lower address moves against the other. */
typedef struct Pair {
    dBodyID low, high;
    bool isTurned;
    dReal motion[3];
} Pair;

/* The contact that this thread has made last: its bodies are not known before it is attached. */
static _Thread_local struct {
    dJointID joint;
    dReal motion[3];
} made;

dJointID dJointCreateContact(dWorldID world, dJointGroupID group, const dContact *contact)
{
    const Caller *caller = CALLER();
    const Engine *engine = caller->engine;
    const dJointID joint = engine->own.call.dJointCreateContact(world, group, contact);
    if (!caller->isProgram)
        return joint;
    const dSurfaceParameters *surface = &contact->surface;
    if ((surface->mode & dContactMotionN) && isOpen(KSI_TRAP_NORMAL_MOTION) &&
        surface->motionN > engine->own.call.dWorldGetContactMaxCorrectingVel(world))
        note(KSI_TRAP_NORMAL_MOTION);
    static const int both = dContactMotion1 | dContactFDir1;
    const bool isMoved = (surface->mode & both) == both && surface->motion1 != 0 && isOpen(KSI_TRAP_MOTION_ORDER);
    made.joint = isMoved ? joint : NULL;
    for (int i = 0; i < 3 && isMoved; i++)
        made.motion[i] = surface->motion1 * contact->fdir1[i];
    return joint;
}

/* With the order of the bodies, the motion turns, too. A pair that finds no place is not looked at. */
static void lookAtPair(dBodyID first, dBodyID second)
{
    enum { PAIRS = 256 };
    static Pair pair[PAIRS];
    const bool isTurned = (uintptr_t)first > (uintptr_t)second;
    Pair now = {isTurned ? second : first, isTurned ? first : second, isTurned, {0}};
    int i = 0;
    for (int k = 0; k < 3; k++)
        now.motion[k] = isTurned ? -made.motion[k] : made.motion[k];
    pthread_mutex_lock(&lock);
    while (i < PAIRS && pair[i].low && (pair[i].low != now.low || pair[i].high != now.high))
        i++;
    if (i < PAIRS) {
        const double along = dot(pair[i].motion, now.motion);
        const double most = dot(pair[i].motion, pair[i].motion) * dot(now.motion, now.motion);
        if (pair[i].low && pair[i].isTurned != isTurned && along < 0 && along * along > (1 - share) * most)
            note(KSI_TRAP_MOTION_ORDER);
        pair[i] = now;
    }
    pthread_mutex_unlock(&lock);
}

void dJointAttach(dJointID joint, dBodyID first, dBodyID second)
{
    const Caller *caller = CALLER();
    caller->engine->own.call.dJointAttach(joint, first, second);
    if (joint != made.joint || !caller->isProgram)
        return;
    made.joint = NULL;
    if (first && second)
        lookAtPair(first, second);
}

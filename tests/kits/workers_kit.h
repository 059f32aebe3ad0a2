/* workers_kit.h  Worlds of many small mechanisms, and inspectors that share these among threads:
 * their own, or a host's, which are early, late, or slow. */
#ifndef TESTS_KITS_WORKERS_KIT_H
#define TESTS_KITS_WORKERS_KIT_H

#define _POSIX_C_SOURCE 200809L
#include "same_kit.h"

#include <pthread.h>
#include <time.h>

/* --- A host's threads, for several jobs at once, which may post others --- */

typedef enum Timing { ON_ITS_THREADS, WHEN_POSTED, WHEN_AWAITED, SLOWLY, TIMINGS } Timing;

enum { MOST_JOBS = 8 };

typedef struct Job {
    ksJobFn *fn;
    void *job;
    pthread_t thread;
    long delay; /* ns */
    bool isPosted;
} Job;

typedef struct Pool {
    Timing timing;
    pthread_mutex_t lock;
    unsigned random;
    Job job[MOST_JOBS];
    int posts, waits, together; /* largest number at once */
} Pool;

/* The job takes up to a few steps' time. */
static inline void *runSlowly(void *of)
{
    const Job *job = of;
    nanosleep(&(struct timespec){0, job->delay}, NULL);
    job->fn(job->job);
    return NULL;
}

static inline int countPosted(const Pool *pool)
{
    int count = 0;
    for (int i = 0; i < MOST_JOBS; i++)
        count += pool->job[i].isPosted;
    return count;
}

static inline Job *takeSlot(Pool *pool, ksJobFn *fn, void *job)
{
    Job *slot = NULL;
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < MOST_JOBS; i++) {
        // a job is posted only once at a time
        ck_assert(!pool->job[i].isPosted || pool->job[i].job != job);
        if (!slot && !pool->job[i].isPosted)
            slot = &pool->job[i];
    }
    ck_assert_ptr_nonnull(slot);
    pool->random = pool->random * 1103515245u + 12345u;
    *slot = (Job){.fn = fn, .job = job, .delay = (long)(pool->random >> 16) % 300 * 1000, .isPosted = true};
    pool->posts++;
    const int posted = countPosted(pool);
    pool->together = posted > pool->together ? posted : pool->together;
    pthread_mutex_unlock(&pool->lock);
    return slot;
}

static inline void postJob(ksJobFn *fn, void *job, void *user)
{
    Pool *pool = user;
    Job *slot = takeSlot(pool, fn, job);
    if (pool->timing == WHEN_POSTED)
        fn(job);
    if (pool->timing == SLOWLY)
        ck_assert(!pthread_create(&slot->thread, NULL, runSlowly, slot));
}

static inline void awaitJob(void *job, void *user)
{
    Pool *pool = user;
    Job *slot = NULL;
    pthread_mutex_lock(&pool->lock);
    for (int i = 0; i < MOST_JOBS; i++)
        if (pool->job[i].isPosted && pool->job[i].job == job)
            slot = &pool->job[i];
    pool->waits++;
    pthread_mutex_unlock(&pool->lock);
    ck_assert_ptr_nonnull(slot);
    if (pool->timing == WHEN_AWAITED)
        slot->fn(job);
    if (pool->timing == SLOWLY)
        ck_assert(!pthread_join(slot->thread, NULL));
    pthread_mutex_lock(&pool->lock);
    slot->isPosted = false;
    pthread_mutex_unlock(&pool->lock);
}

/* Changes `options`. pool: must not move */
static inline ksInspector *inspectBy(dWorldID world, ksInspectorOptions *options, int workers, Pool *pool)
{
    const ksExecutor callbacks = {postJob, awaitJob, pool};
    pthread_mutex_init(&pool->lock, NULL);
    options->workers = workers;
    options->executor = pool->timing == ON_ITS_THREADS ? NULL : &callbacks;
    return inspectWith(world, options);
}

/* --- Many small mechanisms in one world --- */

enum { CROWD = 220, MECHANISM_BODIES = 3, MECHANISM_JOINTS = 4, KINDS = 10 };

typedef struct Mechanism {
    int kind, bodyCount, jointCount;
    double x;
    dBodyID body[MECHANISM_BODIES];
    dJointID joint[MECHANISM_JOINTS]; /* the first one holds the first body */
} Mechanism;

typedef struct Crowd {
    dWorldID world;
    dJointGroupID contacts;
    dBodyID rail; /* kinematic; some mechanisms hang on it */
    int count, step;
    Mechanism at[CROWD];
} Crowd;

static inline dBodyID addRod(Mechanism *m, dWorldID world, double x, double z)
{
    dMass mass;
    dBodyID rod = m->body[m->bodyCount++] = dBodyCreate(world);
    dMassSetBoxTotal(&mass, 1, 0.5, 0.1, 0.2);
    dBodySetMass(rod, &mass);
    dBodySetPosition(rod, m->x + x, 0, z);
    return rod;
}

static inline dJointID addHinge(Mechanism *m, dWorldID world, dBodyID a, dBodyID b, const double at[3])
{
    dJointID hinge = m->joint[m->jointCount++] = dJointCreateHinge(world, NULL);
    dJointAttach(hinge, a, b);
    dJointSetHingeAnchor(hinge, m->x + at[0], at[1], at[2]);
    dJointSetHingeAxis(hinge, 0, 1, 0);
    return hinge;
}

static inline dJointID addSocket(Mechanism *m, dWorldID world, dBodyID a, dBodyID b, double x, double z)
{
    dJointID ball = m->joint[m->jointCount++] = dJointCreateBall(world, NULL);
    dJointAttach(ball, a, b);
    dJointSetBallAnchor(ball, m->x + x, 0, z);
    return ball;
}

/* A redundant loop of four hinges; apart: the drift of its joints, m. */
static inline void makeFourbar(Mechanism *m, dWorldID world, double apart)
{
    dBodyID crank = addRod(m, world, 0, 0.25), coupler = addRod(m, world, 0.5, 0.5), rocker = addRod(m, world, 1, 0.3);
    addHinge(m, world, crank, NULL, (const double[]){0, 0, 0});
    addHinge(m, world, crank, coupler, (const double[]){0, 0, 0.5});
    addHinge(m, world, coupler, rocker, (const double[]){1, 0, 0.6});
    addHinge(m, world, rocker, NULL, (const double[]){1, 0, 0});
    dBodySetPosition(coupler, m->x + 0.5 + apart, 2 * apart, 0.5 - apart);
}

static inline void makeChain(Mechanism *m, dWorldID world)
{
    dBodyID above = NULL;
    for (int i = 0; i < 3; i++) {
        dBodyID rod = addRod(m, world, 0.25 + 0.5 * i, 2);
        addSocket(m, world, rod, above, 0.5 * i, 2);
        above = rod;
    }
}

/* A door on two hinges. */
static inline void makeDoor(Mechanism *m, dWorldID world)
{
    dBodyID door = addRod(m, world, 0.4, 0);
    addHinge(m, world, door, NULL, (const double[]){0, 0.5, 0});
    addHinge(m, world, door, NULL, (const double[]){0, -0.5, 0});
}

/* A box on the ground, with an arm. */
static inline void makeStanding(Mechanism *m, dWorldID world)
{
    dBodyID box = addRod(m, world, 0, 0.1), arm = addRod(m, world, 0.3, 0.4);
    addHinge(m, world, arm, box, (const double[]){0, 0, 0.2});
}

static inline void makeDriven(Mechanism *m, dWorldID world)
{
    dBodyID arm = addRod(m, world, 0.25, 1), hand = addRod(m, world, 0.75, 1);
    dJointID shoulder = addHinge(m, world, arm, NULL, (const double[]){0, 0, 1});
    dJointSetHingeParam(shoulder, dParamVel, 1);
    dJointSetHingeParam(shoulder, dParamFMax, 20);
    dJointID elbow = addHinge(m, world, hand, arm, (const double[]){0.5, 0, 1});
    dJointSetHingeParam(elbow, dParamLoStop, -0.02);
    dJointSetHingeParam(elbow, dParamHiStop, 0.02);
}

static inline void makeHanging(Mechanism *m, dWorldID world, dBodyID rail)
{
    dBodyID rod = addRod(m, world, 0, 1.5), lower = addRod(m, world, 0, 1);
    addSocket(m, world, rod, rail, 0, 1.75);
    addSocket(m, world, lower, rod, 0, 1.25);
}

/* A fixed joint and a ball between the same bodies. */
static inline void makeWelded(Mechanism *m, dWorldID world)
{
    dBodyID a = addRod(m, world, 0, 3), b = addRod(m, world, 0.5, 3);
    dJointID weld = m->joint[m->jointCount++] = dJointCreateFixed(world, NULL);
    dJointAttach(weld, a, b);
    dJointSetFixed(weld);
    addSocket(m, world, a, b, 0.25, 3);
}

static inline void makeSliding(Mechanism *m, dWorldID world)
{
    dBodyID sledge = addRod(m, world, 0, 0), load = addRod(m, world, 0, -0.5);
    dJointID slider = m->joint[m->jointCount++] = dJointCreateSlider(world, NULL);
    dJointAttach(slider, sledge, NULL);
    dJointSetSliderAxis(slider, 1, 0, 0.1);
    dJointID spring = addSocket(m, world, load, sledge, 0.1, -0.25);
    dJointSetBallParam(spring, dParamCFM, 1e-3);
}

static inline void makeMechanism(Crowd *crowd, Mechanism *m)
{
    switch (m->kind) {
    case 0:
    case 1:
    case 2:
        makeFourbar(m, crowd->world, m->kind == 0 ? 0 : 1e-3 * m->kind);
        break;
    case 3:
        makeChain(m, crowd->world);
        break;
    case 4:
        makeDoor(m, crowd->world);
        break;
    case 5:
        makeStanding(m, crowd->world);
        break;
    case 6:
        makeDriven(m, crowd->world);
        break;
    case 7:
        makeHanging(m, crowd->world, crowd->rail);
        break;
    case 8:
        makeWelded(m, crowd->world);
        break;
    default:
        makeSliding(m, crowd->world);
    }
}

/* Neighbours are of different kinds. */
static inline Crowd *makeCrowd(int count)
{
    Crowd *crowd = calloc(1, sizeof *crowd);
    ck_assert_ptr_nonnull(crowd);
    crowd->world = heavyWorld();
    crowd->contacts = dJointGroupCreate(0);
    crowd->count = count;
    crowd->rail = dBodyCreate(crowd->world);
    dBodySetKinematic(crowd->rail);
    dBodySetLinearVel(crowd->rail, 0.1, 0, 0);
    for (int i = 0; i < count; i++) {
        crowd->at[i] = (Mechanism){.kind = i * 7 % (KINDS + 1) % KINDS, .x = 3 * i};
        makeMechanism(crowd, &crowd->at[i]);
    }
    return crowd;
}

static inline void freeCrowd(Crowd *crowd)
{
    dJointGroupDestroy(crowd->contacts);
    dWorldDestroy(crowd->world);
    free(crowd);
}

/* Creates the boxes' contacts, pushes, and puts rods to sleep. */
static inline void beforeCrowdStep(Crowd *crowd)
{
    dContact contact = {.surface = {.mode = dContactApprox1, .mu = 0.5}, .geom = {.normal = {0, 0, 1, 0}}};
    dJointGroupEmpty(crowd->contacts);
    dBodySetLinearVel(crowd->rail, 0.1 + 0.01 * crowd->step, 0, 0);
    for (int i = 0; i < crowd->count; i++) {
        const Mechanism *m = &crowd->at[i];
        if (m->bodyCount == 0)
            continue;
        for (int k = 0; m->kind == 5 && k < 4; k++) {
            const dReal *centre = dBodyGetPosition(m->body[0]);
            contact.geom.pos[0] = centre[0] + (k % 2 ? 0.25 : -0.25);
            contact.geom.pos[1] = k / 2 ? 0.05 : -0.05;
            contact.geom.depth = 1e-3;
            addContact(crowd->world, crowd->contacts, &contact, m->body[0], NULL);
        }
        if (i % 11 == crowd->step % 11)
            dBodyAddForce(m->body[0], 1, 0.5, 2);
        for (int k = 0; m->kind == 8 && i % 3 == 0 && k < m->bodyCount; k++)
            (crowd->step % 4 < 2 ? dBodyDisable : dBodyEnable)(m->body[k]);
    }
    crowd->step++;
}

/* Replaces a joint by one of another type, removes a mechanism, or gives an old mechanism a third
 * body. */
static inline void changeMechanism(Crowd *crowd, int turn)
{
    Mechanism *m = &crowd->at[37 * turn % crowd->count];
    if (m->bodyCount == 0)
        return;
    const dReal *centre = dBodyGetPosition(m->body[0]);
    if (turn % 3 == 0) {
        for (int k = 0; k < m->jointCount; k++)
            dJointDestroy(m->joint[k]);
        for (int k = 0; k < m->bodyCount; k++)
            dBodyDestroy(m->body[k]);
        m->bodyCount = m->jointCount = 0;
    } else if (m->bodyCount < MECHANISM_BODIES && m->jointCount < MECHANISM_JOINTS) {
        addSocket(m, crowd->world, addRod(m, crowd->world, 0, 5), m->body[0], centre[0] - m->x, centre[2] + 0.25);
    } else {
        dJointDestroy(m->joint[0]);
        m->joint[0] = dJointCreateBall(crowd->world, NULL);
        dJointAttach(m->joint[0], NULL, m->body[0]);
        dJointSetBallAnchor(m->joint[0], centre[0], centre[1], centre[2] + 0.5);
    }
}

static inline void changeCrowd(Crowd *crowd)
{
    enum { CHANGES = 4 };
    for (int k = 0; k < CHANGES; k++)
        changeMechanism(crowd, CHANGES * crowd->step + k);
}

#endif

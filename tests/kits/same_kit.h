/* same_kit.h  Compares the results of two inspectors to the bit. */
#ifndef TESTS_KITS_SAME_KIT_H
#define TESTS_KITS_SAME_KIT_H

#include "support.h"

static inline Scene *makeKind(int kind, double h)
{
    return sceneKind[kind].make(&sceneSurface[SURFACE_APPROX1], h);
}

static inline int kindCount(void)
{
    int count = 0;
    while (sceneKind[count].name)
        count++;
    return count;
}

/* Before step i of a chain of 8: a joint goes, and another comes. Returns true if a body goes,
 * too. */
static inline bool comeAndGo(Scene *scene, int i)
{
    const int at = i % 7 + 1;
    dJointDestroy(scene->joint[at]);
    if (i % 3) {
        scene->joint[at] = dJointCreateBall(scene->world, NULL);
        dJointAttach(scene->joint[at], scene->body[at], scene->body[at - 1]);
        const dReal *middle = dBodyGetPosition(scene->body[at]);
        dJointSetBallAnchor(scene->joint[at], middle[0], middle[1], middle[2]);
    } else {
        scene->joint[at] = dJointCreateFixed(scene->world, NULL);
        dJointAttach(scene->joint[at], NULL, scene->body[at]);
        dJointSetFixed(scene->joint[at]);
    }
    if (i == 30) {
        dBodyDestroy(scene->body[7]);
        scene->body[7] = addBall(scene->world, 1, 0.1, 5, 5);
    }
    return i == 30;
}

/* Check records every assertion in a file, so only failing ones are executed here. */
#define SAME(a, b, field)                                                                                              \
    do {                                                                                                               \
        if (memcmp(&(a)->field, &(b)->field, sizeof(a)->field) != 0)                                                   \
            ck_assert_mem_eq(&(a)->field, &(b)->field, sizeof(a)->field);                                              \
    } while (0)

static inline void compareRows(const ksReaction *a, const ksReaction *b)
{
    SAME(a, b, rowCount);
    for (int l = 0; l < a->rowCount; l++) {
        const ksRow *p = &a->row[l], *q = &b->row[l];
        SAME(p, q, kind);
        SAME(p, q, place);
        SAME(p, q, c);
        SAME(p, q, lo);
        SAME(p, q, hi);
        SAME(p, q, bound);
        SAME(p, q, engine);
        SAME(p, q, gauss);
        SAME(p, q, paulus);
        SAME(p, q, physical);
        SAME(p, q, errorBar);
        SAME(p, q, physicalBar);
        SAME(p, q, residual);
        SAME(p, q, jacobian);
        SAME(p, q, unsolved);
        SAME(p, q, alone);
    }
}

static inline void compareReaction(const ksReaction *a, const ksReaction *b)
{
    SAME(a, b, type);
    SAME(a, b, reversed);
    SAME(a, b, verdict);
    SAME(a, b, reasons);
    SAME(a, b, freeCount);
    SAME(a, b, physicalSource);
    SAME(a, b, engine);
    SAME(a, b, converged);
    SAME(a, b, physical);
    SAME(a, b, error);
    SAME(a, b, errorBar);
    SAME(a, b, physicalError);
    SAME(a, b, physicalErrorBar);
    SAME(a, b, netError);
    SAME(a, b, anchor);
    SAME(a, b, axes);
    for (int k = 0; k < a->freeCount; k++)
        SAME(a, b, freeDirection[k]);
    compareRows(a, b);
}

static inline void compareReports(const ksStepReport *p, const ksStepReport *q)
{
    SAME(p, q, verdictCount);
    SAME(p, q, gaussConstraint);
    SAME(p, q, unexplained);
    SAME(p, q, momentumResidual);
    SAME(p, q, kineticEnergy);
    SAME(p, q, rowWork);
    SAME(p, q, dampingWork);
}

#endif

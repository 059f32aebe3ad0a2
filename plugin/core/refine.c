/* refine.c  Stops the bodies that self-stresses move.
 *
 * If a row without a pivot depends only nearly on the rows before it, its self-stress moves the
 * bodies a little, and a later row could stop them. With the motion B n and the rows K that have a
 * pivot, n - (K^T K)^-1 K^T B n moves no body. This self-stress loads rows of many loops, so only
 * self-stresses that move bodies get their change, and only its elements above `slight`. */
#include "kernel.h"
#include "plan.h"

#include "../base/error.h"

#include <math.h>
#include <string.h>

/* The motion of a self-stress below this share of its size is rounding. */
static const double moves = 1e-9;
/* Elements of a change up to this size are left out. The self-stress has 1 in the row without a
 * pivot. */
static const double slight = 1e-10;
/* Largest number of self-stresses that are changed. */
enum { MOST_MOVING = 64 };

typedef struct Moving {
    int group, stress;
} Moving;

/* force of one column := B n */
static void enterMotion(ksiCore *core, int group, int stress, int column)
{
    for (int p = core->group[group].part; p >= 0; p = core->part[p].next) {
        const ksiConstraint *c = core->part[p].constraint;
        for (int l = 0; l < c->rows; l++)
            for (int k = 0; k < 6; k++) {
                const double n = core->part[p].n[l].at[stress] / c->unit[l];
                core->link[c->body].force[k][column] += n * c->own[k].at[l];
                if (c->partner >= 0)
                    core->link[c->partner].force[k][column] += n * c->other[l].at[k];
            }
    }
}

/* Lists the self-stresses that move the bodies. Returns their number, at most MOST_MOVING + 1. */
static int findMoving(ksiCore *core, Moving *moving)
{
    int count = 0;
    for (int g = 0; g < core->groups; g++)
        for (int s = 0; s < core->group[g].count && count <= MOST_MOVING; s++) {
            ksiFour square = {0};
            ksiCoreClearForces(core);
            enterMotion(core, g, s, 0);
            for (int i = 0; i < core->links; i++)
                addSquares(core->link[i].force, core->link[i].weight2, &square);
            if (square[0] > moves * moves * core->group[g].size2[s])
                moving[count++] = (Moving){g, s};
        }
    return count;
}

/* Moves the parts of each constraint, so that `room` free parts follow them. */
static ksStatus makeRoom(ksiCore *core, int room)
{
    const int count = core->links + core->closings;
    KSI_TRY(ksiReserve(&core->allocator, &core->part, &core->partCapacity,
                       (size_t)core->parts + (size_t)room * (size_t)count, sizeof *core->part));
    // the parts of later constraints come first
    for (int i = 0; i < count; i++) {
        ksiConstraint *c = ksiCoreAt(core, i);
        const int by = room * (count - 1 - i);
        memmove(core->part + c->part + by, core->part + c->part, (size_t)(c->partEnd - c->part) * sizeof *core->part);
        c->part += by;
        c->partEnd += by;
    }
    return KS_OK;
}

/* Lists the parts of each group. */
static void listParts(ksiCore *core)
{
    for (int g = 0; g < core->groups; g++)
        core->group[g].part = -1;
    for (int i = core->links + core->closings; i-- > 0;)
        for (int p = ksiCoreAt(core, i)->part; p < ksiCoreAt(core, i)->partEnd; p++) {
            ksiCoreGroup *group = &core->group[core->part[p].group];
            core->part[p].next = group->part;
            group->part = p;
        }
}

/* Closes the gaps of makeRoom(). */
static void closeUp(ksiCore *core)
{
    core->parts = 0;
    for (int i = core->links + core->closings; i-- > 0;) {
        ksiConstraint *c = ksiCoreAt(core, i);
        const int from = c->part, parts = c->partEnd - c->part;
        memmove(core->part + core->parts, core->part + from, (size_t)parts * sizeof *core->part);
        c->part = core->parts;
        c->partEnd = core->parts += parts;
    }
    listParts(core);
}

/* Adds lambda of one column to a self-stress, in the rows of one constraint. */
static void change(ksiCore *core, ksiConstraint *c, Moving moving, int column)
{
    bool isSlight = true;
    int p = c->part;
    for (int l = 0; l < c->rows; l++)
        isSlight &= !(fabs(c->unit[l] * c->lambda[l][column]) > slight);
    while (p < c->partEnd && core->part[p].group != moving.group)
        p++;
    if (isSlight)
        return;
    if (p == c->partEnd) {
        core->part[p] = (ksiCorePart){.group = moving.group, .constraint = c};
        c->partEnd++;
    }
    for (int l = 0; l < c->rows; l++)
        core->part[p].n[l].at[moving.stress] += c->unit[l] * c->lambda[l][column];
}

ksStatus ksiCoreStop(ksiCore *core)
{
    Moving moving[MOST_MOVING + 1];
    const int count = core->links + core->closings, movings = findMoving(core, moving);
    if (movings > MOST_MOVING)
        return KS_ERROR_SINGULAR;
    for (int from = 0; from < movings; from += 4) {
        KSI_TRY(makeRoom(core, movings - from < 4 ? movings - from : 4));
        listParts(core);
        ksiCoreClearForces(core);
        for (int k = from; k < movings && k < from + 4; k++)
            enterMotion(core, moving[k].group, moving[k].stress, k - from);
        for (int i = 0; i < count; i++)
            for (int l = 0; l < ksiCoreAt(core, i)->rows; l++)
                ksiCoreAt(core, i)->beta[l] = ksiCoreAt(core, i)->lambda[l] = (ksiFour){0};
        ksiCoreSweep(core);
        for (int i = 0; i < count; i++)
            for (int k = from; k < movings && k < from + 4; k++)
                change(core, ksiCoreAt(core, i), moving[k], k - from);
        closeUp(core);
    }
    return KS_OK;
}

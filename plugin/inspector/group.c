/* group.c  Groups, found when they are first asked for in a step. */
#include "group.h"
#include "union_find.h"

static int memberBody(const ksiStep *step, size_t joint, int side)
{
    const int body = step->joint[joint].bodyIndex[side];
    return step->report[joint].isWritten && body >= 0 && step->body[body].dynamic ? body : -1;
}

/* One of the bodies of a joint, or -1. */
static int firstBody(const ksiStep *step, size_t joint)
{
    const int body = memberBody(step, joint, 0);
    return body < 0 ? memberBody(step, joint, 1) : body;
}

static void unite(const ksiStep *step, ksiGroups *groups)
{
    ksiSetsReset(groups->parent, step->bodyCount);
    for (size_t i = 0; i < step->bodyCount; i++)
        groups->of[i] = -1;
    for (size_t i = 0; i < step->jointCount; i++) {
        const int a = memberBody(step, i, 0), b = memberBody(step, i, 1);
        if (a >= 0 && b >= 0)
            ksiSetsUnite(groups->parent, a, b);
    }
}

static ksiGroup *groupOfSet(ksiGroups *groups, int set)
{
    if (groups->of[set] < 0) {
        groups->of[set] = (int)groups->count++;
        groups->group[groups->of[set]] = (ksiGroup){.isSound = true};
    }
    return &groups->group[groups->of[set]];
}

/* Members of each group in turn: a counting sort, the counts first. */
static void countMembers(const ksiStep *step, ksiGroups *groups)
{
    groups->count = 0;
    for (size_t i = 0; i < step->jointCount; i++) {
        const int body = firstBody(step, i);
        if (body >= 0)
            groupOfSet(groups, ksiSetOf(groups->parent, body))->jointCount++;
    }
    for (size_t i = 0; i < step->bodyCount; i++) {
        groups->of[i] = step->body[i].dynamic ? groups->of[ksiSetOf(groups->parent, (int)i)] : -1;
        if (groups->of[i] >= 0)
            groups->group[groups->of[i]].bodyCount++;
    }
    int joints = 0, bodies = 0;
    for (size_t i = 0; i < groups->count; i++) {
        ksiGroup *group = &groups->group[i];
        group->joint = groups->jointOf + joints;
        group->body = groups->bodyOf + bodies;
        joints += group->jointCount;
        bodies += group->bodyCount;
        group->jointCount = group->bodyCount = 0;
    }
}

static void listMembers(const ksiStep *step, ksiGroups *groups)
{
    for (size_t i = 0; i < step->jointCount; i++) {
        const int body = firstBody(step, i);
        if (body < 0)
            continue;
        const ksiRows *rows = &step->joint[i].rows;
        ksiGroup *group = &groups->group[groups->of[body]];
        group->joint[group->jointCount++] = (int)i;
        group->isLoaded |= step->joint[i].isLoad;
        group->isSound &= !ksiObstacles(step, (int)i);
        for (int l = 0; l < rows->count; l++)
            group->hasFriction |= rows->row[l].findex >= 0;
    }
    for (size_t i = 0; i < step->bodyCount; i++) {
        if (groups->of[i] < 0)
            continue;
        ksiGroup *group = &groups->group[groups->of[i]];
        const int island = step->bodyMember[i].island;
        groups->slot[i] = group->bodyCount;
        group->body[group->bodyCount++] = (int)i;
        if (island >= 0)
            group->reasons |= step->islandConverged[island].reasons;
    }
}

ksStatus ksiFindGroups(const ksiStep *step, ksiGroups *groups)
{
    const ksAllocator *allocator = &step->allocator;
    const size_t bodies = step->bodyCount, joints = step->jointCount;
    if (groups->isKnown)
        return KS_OK;
    ksStatus status = ksiReserve(allocator, &groups->group, &groups->capacity, bodies, sizeof *groups->group);
    if (!status)
        status = ksiReserve(allocator, &groups->jointOf, &groups->jointCapacity, joints, sizeof(int));
    if (!status)
        status = ksiReserve(allocator, &groups->bodyOf, &groups->bodyCapacity, bodies, sizeof(int));
    if (!status)
        status = ksiReserve(allocator, &groups->of, &groups->ofCapacity, bodies, sizeof(int));
    if (!status)
        status = ksiReserve(allocator, &groups->slot, &groups->slotCapacity, bodies, sizeof(int));
    if (!status)
        status = ksiReserve(allocator, &groups->parent, &groups->parentCapacity, bodies, sizeof(int));
    if (status)
        return status;
    unite(step, groups);
    countMembers(step, groups);
    listMembers(step, groups);
    groups->isKnown = true;
    return KS_OK;
}

/* group.c  Bodies and joints that hang together, contacts included: what sweeps go over (sweep.c). Islands end at contacts
 * that are known loads; where no contact is one, groups are the islands. Found when they are first asked for in a step. */
#include "inspector_private.h"

static int memberBody(const ksInspector *inspector, const ksiJointState *joint, int side)
{
    const int index = joint->bodyIndex[side];
    return joint->solved && index >= 0 && inspector->body[index].dynamic ? index : -1;
}

static int groupOfRoot(ksInspector *inspector, int root)
{
    ksiBodyState *body = &inspector->body[root];
    if (body->group < 0) {
        body->group = (int)inspector->groupCount++;
        inspector->group[body->group] = (ksiGroup){.isSound = true};
    }
    return body->group;
}

static void unite(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        inspector->body[i].parent = (int)i;
        inspector->body[i].group = -1;
    }
    for (size_t i = 0; i < inspector->jointCount; i++) {
        const int a = memberBody(inspector, &inspector->joint[i], 0),
                  b = memberBody(inspector, &inspector->joint[i], 1);
        if (a >= 0 && b >= 0)
            ksiUnite(inspector, a, b);
    }
}

static int groupOf(ksInspector *inspector, const ksiJointState *joint)
{
    const int a = memberBody(inspector, joint, 0), b = memberBody(inspector, joint, 1);
    return a < 0 && b < 0 ? -1 : inspector->body[ksiRootOf(inspector, a < 0 ? b : a)].group;
}

/* Members of each group in turn: a counting sort, the counts first. */
static void countMembers(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        const int a = memberBody(inspector, &inspector->joint[i], 0),
                  b = memberBody(inspector, &inspector->joint[i], 1);
        if (a >= 0 || b >= 0)
            inspector->group[groupOfRoot(inspector, ksiRootOf(inspector, a < 0 ? b : a))].jointCount++;
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        body->group = body->dynamic ? inspector->body[ksiRootOf(inspector, (int)i)].group : -1;
        if (body->group >= 0)
            inspector->group[body->group].bodyCount++;
    }
    int joints = 0, bodies = 0;
    for (size_t i = 0; i < inspector->groupCount; i++) {
        ksiGroup *group = &inspector->group[i];
        group->joint = inspector->groupJoint + joints;
        group->body = inspector->groupBody + bodies;
        joints += group->jointCount;
        bodies += group->bodyCount;
        group->jointCount = group->bodyCount = 0;
    }
}

static void listMembers(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->jointCount; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        const int at = groupOf(inspector, joint);
        if (at < 0)
            continue;
        ksiGroup *group = &inspector->group[at];
        group->joint[group->jointCount++] = (int)i;
        group->isLoaded |= joint->isLoad;
        group->isSound &= !ksiObstacles(inspector, joint);
        for (int l = 0; l < joint->rows.count; l++)
            group->hasFriction |= joint->rows.row[l].findex >= 0;
    }
    for (size_t i = 0; i < inspector->bodyCount; i++) {
        ksiBodyState *body = &inspector->body[i];
        if (body->group < 0)
            continue;
        ksiGroup *group = &inspector->group[body->group];
        body->slot = group->bodyCount;
        group->body[group->bodyCount++] = (int)i;
        if (body->island >= 0)
            group->reasons |= inspector->island[body->island].reasons;
    }
}

ksStatus ksiFindGroups(ksInspector *inspector)
{
    const ksAllocator *allocator = &inspector->allocator;
    if (inspector->groupsKnown)
        return KS_OK;
    ksStatus status = ksiReserve(allocator, &inspector->group, &inspector->groupCapacity, inspector->bodyCount,
                                 sizeof *inspector->group);
    if (!status)
        status = ksiReserve(allocator, &inspector->groupJoint, &inspector->groupJointCapacity, inspector->jointCount,
                            sizeof(int));
    if (!status)
        status = ksiReserve(allocator, &inspector->groupBody, &inspector->groupBodyCapacity, inspector->bodyCount,
                            sizeof(int));
    if (status)
        return status;
    inspector->groupCount = 0;
    unite(inspector);
    countMembers(inspector);
    listMembers(inspector);
    inspector->groupsKnown = true;
    return KS_OK;
}

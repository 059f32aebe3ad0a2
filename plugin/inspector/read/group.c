/* group.c  Groups of connected bodies, found on request. */
#include "group.h"
#include "../phases.h"

static ksStatus reserve(const ksiStep *step, ksiGroups *groups)
{
    ksiIslands *members = &groups->members;
    const size_t bodies = step->bodyCount, joints = step->jointCount;
    const ksiArray array[] = {
        KSI_ARRAY(groups->group, bodies),    KSI_ARRAY(groups->parent, bodies),  KSI_ARRAY(members->island, bodies),
        KSI_ARRAY(members->body, bodies),    KSI_ARRAY(members->bodyOf, bodies), KSI_ARRAY(members->joint, joints),
        KSI_ARRAY(members->jointOf, joints),
    };
    return ksiReserveArrays(&step->allocator, array, sizeof array / sizeof *array, groups->capacity);
}

static void listMembers(const ksiStep *step, const ksiIslands *members, const ksiIsland *island, ksiGroup *group)
{
    *group = (ksiGroup){.joint = members->jointOf + island->firstJoint,
                        .body = members->bodyOf + island->firstBody,
                        .jointCount = island->jointCount,
                        .bodyCount = island->bodyCount,
                        .isSound = true};
    for (int i = 0; i < group->jointCount; i++) {
        const ksiJointInput *joint = &step->joint[group->joint[i]];
        group->isLoaded |= joint->isLoad;
        group->isSound &= !ksiObstacles(step, group->joint[i]);
        for (int l = 0; l < joint->rows.count; l++)
            group->hasFriction |= joint->rows.row[l].findex >= 0;
    }
    for (int i = 0; i < group->bodyCount; i++) {
        const int own = step->bodyMember[group->body[i]].island;
        if (own >= 0)
            group->reasons |= step->islandConverged[own].reasons;
    }
}

ksStatus ksiFindGroups(const ksiStep *step, ksiGroups *groups)
{
    ksiIslands *members = &groups->members;
    if (groups->isKnown)
        return KS_OK;
    KSI_TRY(reserve(step, groups));
    for (size_t i = 0; i < step->jointCount; i++)
        (void)ksiFindLink(step, i, step->report[i].isWritten, &members->joint[i]);
    ksiFindMembers(step, groups->parent, members);
    for (size_t i = 0; i < members->count; i++)
        listMembers(step, members, &members->island[i], &groups->group[i]);
    groups->isKnown = true;
    return KS_OK;
}

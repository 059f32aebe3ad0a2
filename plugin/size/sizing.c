/* sizing.c  Functions for the results of sizing: names, joints and memory. */
#include "size.h"

#include "../base/memory.h"
#include "../report/files/joint_type.h"

#include <stdlib.h>

void ksiSizingFree(ksiSizing *sizing)
{
    for (size_t i = 0; i < sizing->worldCount; i++) {
        ksiSizedWorld *world = &sizing->world[i];
        for (size_t k = 0; k < world->jointCount; k++) {
            if (world->joint[k].size)
                ksiJointSizeFree(world->joint[k].size);
            free(world->joint[k].size);
            free(world->joint[k].waiting);
            free(world->joint[k].full);
            ksiFree(&ksiLibraryAllocator, world->joint[k].name);
        }
        free(world->joint);
        ksiFree(&ksiLibraryAllocator, world->name);
    }
    free(sizing->world);
    ksiFree(&ksiLibraryAllocator, sizing->cleanPath);
    *sizing = (ksiSizing){.path = sizing->path};
}

size_t ksiSizedCount(const ksiSizing *sizing)
{
    size_t count = 0;
    for (size_t i = 0; i < sizing->worldCount; i++)
        for (size_t k = 0; k < sizing->world[i].jointCount; k++)
            count += sizing->world[i].joint[k].size != NULL;
    return count;
}

bool ksiIsAlong(const ksiSizedJoint *joint, int axis)
{
    dJointType type;
    return ksiTypeFromName(joint->type, &type) && ksiIsAlongAxis(type, axis);
}

const char *ksiSizedAbout(const ksiSizedJoint *joint)
{
    return joint->point ? "point" : joint->isAnchored ? "anchor" : "mass centre";
}

void ksiTellAbout(const ksiSizedJoint *joint, ksiText *out)
{
    const ksiPointRule *point = joint->point;
    ksiTextAdd(out, "%s", ksiSizedAbout(joint));
    if (point)
        ksiTextAdd(out, " (%.4g, %.4g, %.4g) m", point->place[0], point->place[1], point->place[2]);
    const int body = point ? point->body : 0;
    if (joint->body[body] == 0 && point)
        ksiTextAdd(out, " of the world");
    else if (point || !joint->isAnchored)
        ksiTextAdd(out, " of its %s body", body == 1 ? "second" : "first");
}

void ksiTellMeanTurn(const ksiJointSize *joint, const char *before, const char *after, ksiText *out)
{
    static const double told = 0.99;
    const double share = ksiMeanShare(joint);
    if (share < told)
        ksiTextAdd(
            out,
            "%sits axes turn by up to %.3g rad in a mean, which has %.2g of the size of a load that does not turn%s",
            before, joint->meanTurn, share, after);
}

const char *ksiSizeValueName(ksValue value)
{
    return value == KS_ENGINE ? "engine" : value == KS_MEAN ? "mean" : "physical";
}

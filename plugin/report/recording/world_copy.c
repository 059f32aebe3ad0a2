/* world_copy.c  A copy of a recorded world, with its inspector, and the numbers and names of its
 * objects. */
#include "world_copy.h"

#include <string.h>

ksStatus ksiWorldCopyInspectAnew(ksiWorldCopy *copy, const ksInspectorOptions *options)
{
    ksInspectorDestroy(copy->inspector);
    copy->inspector = NULL;
    return ksInspectorCreate(ksiReplicaWorld(copy->replica), options, &copy->inspector);
}

ksStatus ksiWorldCopyOpen(ksiWorldCopy *copy, const ksInspectorOptions *options)
{
    copy->naming = ksiNamingCreate(NULL);
    const ksStatus status = copy->naming ? ksiReplicaCreate(&copy->replica) : KS_ERROR_NO_MEMORY;
    return status ? status : ksiWorldCopyInspectAnew(copy, options);
}

void ksiWorldCopyClose(ksiWorldCopy *copy)
{
    ksInspectorDestroy(copy->inspector);
    ksiReplicaDestroy(copy->replica);
    ksiNamingDestroy(copy->naming);
    *copy = (ksiWorldCopy){NULL, NULL, NULL, NULL};
}

/* Uses the original's numbers and names instead of the recorder's. */
static ksStatus askOriginal(const ksiWorldCopy *copy, const ksReaction *reaction, const ksiOriginal *original,
                            ksiReplicaJoint *joint)
{
    // only a key for the search: the joint may be gone
    const dJointID id = (dJointID)(uintptr_t)joint->address;
    const ksReaction *found = ksInspectorGetReaction(original->inspector, id);
    const ksiIdentity *identity = found ? ksiIdentify(original->naming, found) : NULL;
    if (!identity)
        return KS_OK;
    joint->number = (uint64_t)identity->number;
    for (int side = 0; side < 2; side++)
        joint->body[side] = (uint64_t)ksiBodyNumber(original->naming, found->body[side]);
    return identity->given ? ksInspectorSetName(copy->inspector, reaction->joint, identity->given) : KS_OK;
}

/* Sets the name of a joint in the copy, which may have stood for another recorded joint before. A
 * joint that vanished in the step needs no name. */
static ksStatus setName(const ksiWorldCopy *copy, const ksReaction *reaction, const ksiReplicaJoint *joint)
{
    const char *name =
        joint->name ? joint->name : ksiNameListFind(copy->names, reaction->type, joint->number, joint->ordinal);
    const char *old = ksInspectorGetName(copy->inspector, reaction->joint);
    if (name == old || (name && old && strcmp(name, old) == 0))
        return KS_OK;
    const ksStatus status = ksInspectorSetName(copy->inspector, reaction->joint, name);
    return status == KS_ERROR_BAD_ARGUMENT ? KS_OK : status;
}

static ksStatus setNumbers(const ksiWorldCopy *copy, const ksReaction *reaction, const ksiOriginal *original)
{
    ksiReplicaJoint joint;
    if (!ksiReplicaIdentify(copy->replica, reaction->joint, &joint))
        return KS_OK;
    ksStatus status = original ? askOriginal(copy, reaction, original, &joint) : setName(copy, reaction, &joint);
    if (!status && joint.number > 0)
        status = ksiNamingSetJoint(copy->naming, reaction->joint, (int)joint.number);
    for (int side = 0; side < 2 && !status; side++)
        if (joint.body[side] > 0 && reaction->body[side])
            status = ksiNamingSetBody(copy->naming, reaction->body[side], (int)joint.body[side]);
    return status;
}

ksStatus ksiWorldCopyName(const ksiWorldCopy *copy, const ksiOriginal *original)
{
    size_t count;
    const ksReaction *reaction = ksInspectorGetReactions(copy->inspector, &count);
    ksStatus status = KS_OK;
    for (size_t i = 0; i < count && !status; i++)
        status = setNumbers(copy, &reaction[i], original);
    return status ? status : ksiNamingUpdate(copy->naming, copy->inspector);
}

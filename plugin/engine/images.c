/* images.c  Presents a snapshot as bodies and joints that belong to the library and have the
 * engine's known layout.
 *
 * The functions of a joint compute its rows from the joint's bytes, its bodies' state and its
 * world's parameters. So the bodies are images too, and the world is an empty world of the engine
 * with the original's parameters. */
#include "copy.h"
#include "image.h"
#include "snapshot.h"

ksStatus ksiImagesOpen(const ksiEngine *engine, ksiImages *images, ksiEngine *seen)
{
    uint32_t bytes[KSI_JOINT_TYPES];
    size_t most = 0;
    *images = (ksiImages){.world = ksiMakeOwnWorld()};
    if (!images->world)
        return KS_ERROR_NO_MEMORY;
    ksiClassBytes(engine, bytes);
    for (int type = 0; type < KSI_JOINT_TYPES; type++)
        most = bytes[type] > most ? bytes[type] : most;
    images->stride = ksiPaddedBytes(sizeof(ksiJointImage) + most);
    *seen = *engine;
    seen->world = images->world;
    seen->bodyHead = &images->firstBody;
    seen->jointHead = &images->firstJoint;
    seen->counts = NULL;
    seen->threading = 0;
    seen->images = images;
    return KS_OK;
}

void ksiImagesClose(ksiImages *images)
{
    if (images->world)
        dWorldDestroy(images->world);
}

static ksiJointImage *jointAt(const ksiImages *images, size_t rank)
{
    return (ksiJointImage *)(void *)(images->joint + rank * images->stride);
}

/* The image of the body at this position in the world's list; NULL for the world. */
static dBodyID bodyAt(const ksiImages *images, int index)
{
    return index < 0 ? NULL : (dBodyID)(void *)&images->body[images->bodyCount - 1 - (size_t)index].fields;
}

void ksiPutBetween(const ksiEngine *engine, dJointID joint, const int body[2])
{
    if (!engine->images)
        return;
    ksiJointFields *fields = (ksiJointFields *)(void *)joint;
    for (int side = 0; side < 2; side++)
        fields->node[side] = (ksiJointNode){.joint = joint, .body = bodyAt(engine->images, body[side])};
}

static void setWorld(const ksiSnapshotWorld *from, ksiImages *images)
{
    dWorldSetGravity(images->world, from->gravity[0], from->gravity[1], from->gravity[2]);
    dWorldSetERP(images->world, from->erp);
    dWorldSetCFM(images->world, from->cfm);
    dWorldSetContactMaxCorrectingVel(images->world, from->contactSpeed);
    dWorldSetContactSurfaceLayer(images->world, from->contactDepth);
    dWorldSetQuickStepNumIterations(images->world, from->iterations);
    images->threads = from->threads;
}

static dReal *numbersOf(ksiBodyFields *fields)
{
    return (dReal *)(uintptr_t)ksiFirstNumber(fields);
}

static void showBody(const ksiBodyChange *change, ksiImages *images)
{
    const ksiBodyBytes *bytes = &change->bytes;
    ksiBodyImage *image = &images->body[change->rank];
    memset(image, 0, sizeof *image);
    image->id = bytes->id;
    image->extras = bytes->extras;
    image->fields.flags = bytes->flags;
    memcpy(numbersOf(&image->fields), bytes->number, sizeof bytes->number);
}

static void showJoint(const ksiJointShot *head, ksiJointImage *image, dWorldID world)
{
    image->id = head->id;
    image->type = head->type;
    memcpy(image->body, head->body, sizeof image->body);
    image->fields = (ksiJointFields){.object = {.virtualTable = head->virtualTable, .world = world, .tag = head->mark},
                                     .flags = head->flags};
    memcpy(image + 1, head + 1, head->ownBytes);
}

/* Links all objects, or only the objects that exist after the step. */
static void link(ksiImages *images, const ksiSnapshot *after)
{
    void **head = &images->firstBody;
    for (size_t rank = images->bodyCount; rank-- > 0;) {
        if (after && !after->bodyEnd[rank].isThere)
            continue;
        *head = &images->body[rank].fields;
        head = &images->body[rank].fields.object.next;
    }
    *head = NULL;
    head = &images->firstJoint;
    for (size_t rank = images->jointCount; rank-- > 0;) {
        if (after && after->jointEnd[rank].fate == KSI_GONE)
            continue;
        ksiJointFields *fields = &jointAt(images, rank)->fields;
        *head = fields;
        head = &fields->object.next;
    }
    *head = NULL;
}

ksStatus ksiShowBegin(const ksAllocator *allocator, const ksiSnapshot *snapshot, ksiImages *images)
{
    ksStatus status =
        ksiReserve(allocator, &images->body, &images->bodyCapacity, snapshot->bodyCount, sizeof *images->body);
    if (!status)
        status = ksiReserve(allocator, &images->joint, &images->jointCapacity, snapshot->jointCount, images->stride);
    if (!status && images->isBehind && !snapshot->isWhole)
        status = KS_ERROR_NO_MEMORY;
    images->isBehind = status != KS_OK;
    if (status)
        return status;
    images->bodyCount = snapshot->bodyCount;
    images->jointCount = snapshot->jointCount;
    setWorld(&snapshot->world, images);
    const char *at = snapshot->bytes;
    for (size_t i = 0; i < snapshot->bodyChanges; i++, at += ksiPaddedBytes(sizeof(ksiBodyChange)))
        showBody((const ksiBodyChange *)(const void *)at, images);
    for (size_t rank = images->jointCount; rank-- > 0;) {
        const ksiJointShot *head = (const ksiJointShot *)(const void *)at;
        showJoint(head, jointAt(images, rank), images->world);
        at += ksiPaddedBytes(sizeof *head + head->ownBytes);
    }
    link(images, NULL);
    return KS_OK;
}

void ksiShowEnd(const ksiSnapshot *snapshot, ksiImages *images)
{
    bool isAllThere = true;
    for (size_t rank = 0; rank < images->bodyCount; rank++) {
        const ksiBodyEndBytes *end = &snapshot->bodyEnd[rank];
        ksiBodyFields *fields = &images->body[rank].fields;
        isAllThere &= end->isThere;
        if (!end->isThere)
            continue;
        fields->flags = end->flags;
        memcpy(numbersOf(fields) + KSI_STATE_FIRST, end->number, sizeof end->number);
    }
    for (size_t rank = 0; rank < images->jointCount; rank++) {
        const ksiJointEndBytes *end = &snapshot->jointEnd[rank];
        ksiJointImage *image = jointAt(images, rank);
        isAllThere &= end->fate != KSI_GONE;
        if (image->fields.feedback)
            *image->fields.feedback = snapshot->feedback[rank];
        image->fields.object.tag = end->mark;
        if (end->fate == KSI_REPLACED)
            image->type = dJointTypeNone;
    }
    if (!isAllThere)
        link(images, snapshot);
}

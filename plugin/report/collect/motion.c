/* motion.c  Frames of a world. Keeps the first step in each bucket of time, so that the order of
 * steps does not matter. */
#include "motion.h"

#include "measure.h"

#include "../../base/sorted.h"
#include "../../replay/record.h"

#include <math.h>
#include <string.h>

uint64_t ksiMotionBucket(double rate, unsigned k, double time)
{
    // a step at the end of a bucket belongs to the next one, even if its time is rounded down
    static const double rounding = 1e-6;
    const double bucket = floor(time * rate + rounding);
    return bucket > 0 && bucket < 0x1p53 ? (uint64_t)bucket >> k : 0;
}

static int byStep(const void *key, const void *element)
{
    const uint64_t a = *(const uint64_t *)key, b = (*(ksiShownFrame *const *)element)->step;
    return (a > b) - (a < b);
}

/* Index of the first frame at this step or later. */
static size_t placeOf(const ksiShownMotion *motion, uint64_t step)
{
    return ksiPlaceOf(&step, byStep, motion->frame, motion->frameCount, sizeof *motion->frame);
}

bool ksiMotionWants(const ksiShownMotion *motion, double rate, uint64_t step, double time)
{
    const size_t at = placeOf(motion, step);
    const bool isThere = at < motion->frameCount && motion->frame[at]->step == step;
    return rate > 0 && isfinite(time) && !isThere &&
           (at == 0 ||
            ksiMotionBucket(rate, motion->k, motion->frame[at - 1]->time) != ksiMotionBucket(rate, motion->k, time));
}

static void removeFrame(const ksAllocator *allocator, ksiShownMotion *motion, size_t at)
{
    motion->bytes -= motion->frame[at]->bytes;
    ksiFree(allocator, motion->frame[at]);
    motion->frameCount--;
    memmove(motion->frame + at, motion->frame + at + 1, (motion->frameCount - at) * sizeof *motion->frame);
}

/* Keeps the first frame of each bucket. */
static void coarsen(const ksAllocator *allocator, ksiShownMotion *motion, double rate, unsigned k)
{
    size_t kept = 0;
    motion->k = k;
    for (size_t i = 0; i < motion->frameCount; i++) {
        ksiShownFrame *frame = motion->frame[i];
        if (kept > 0 &&
            ksiMotionBucket(rate, k, motion->frame[kept - 1]->time) == ksiMotionBucket(rate, k, frame->time)) {
            motion->bytes -= frame->bytes;
            ksiFree(allocator, frame);
        } else {
            motion->frame[kept++] = frame;
        }
    }
    motion->frameCount = kept;
}

/* Passes the frame to the motion, or frees it. */
static bool insert(const ksAllocator *allocator, ksiShownMotion *motion, double rate, size_t room, ksiShownFrame *frame)
{
    enum { COARSEST = 52 };
    const size_t at = placeOf(motion, frame->step);
    ksiShownFrame **place =
        ksiInsertAt(allocator, &motion->frame, &motion->frameCapacity, &motion->frameCount, sizeof *motion->frame, at);
    if (!place) {
        ksiFree(allocator, frame);
        return false;
    }
    *place = frame;
    motion->bytes += frame->bytes;
    // drop a later frame that was the first of its bucket so far
    if (at + 1 < motion->frameCount &&
        ksiMotionBucket(rate, motion->k, motion->frame[at + 1]->time) == ksiMotionBucket(rate, motion->k, frame->time))
        removeFrame(allocator, motion, at + 1);
    while (motion->bytes > room && motion->frameCount > 1 && motion->k < COARSEST)
        coarsen(allocator, motion, rate, motion->k + 1);
    return true;
}

/* --- A step as a frame --- */

static void fillBodies(ksiShownFrame *frame, const ksiScene *scene, const ksiNaming *naming)
{
    for (size_t i = 0; i < scene->bodyCount; i++) {
        const ksiScenePose *pose = &scene->body[i];
        ksiShownBody *body = &frame->body[frame->bodyCount];
        *body = (ksiShownBody){.number = pose->id ? (uint64_t)ksiBodyNumber(naming, pose->id) : pose->number};
        memcpy(body->place, pose->place, sizeof body->place);
        memcpy(body->turn, pose->turn, sizeof body->turn);
        frame->bodyCount += body->number > 0;
    }
}

static bool isKnownPlace(const double p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

/* The anchor, or, without one, the midpoint between the mass centres: in the axes of body[0], from
 * its mass centre. */
static void placeOfJoint(const ksReaction *r, float out[3])
{
    double arm[3];
    for (int i = 0; i < 3; i++) {
        const double middle = r->body[1] ? (r->centre[0][i] + r->centre[1][i]) / 2 : r->centre[0][i];
        arm[i] = (isKnownPlace(r->anchor[0]) ? r->anchor[0][i] : middle) - r->centre[0][i];
    }
    for (int k = 0; k < 3; k++) {
        const double *R = r->rotation[0];
        out[k] = (float)(R[k] * arm[0] + R[3 + k] * arm[1] + R[6 + k] * arm[2]);
    }
}

static void fillJoint(const ksReaction *r, const ksiIdentity *identity, ksiShownJoint *out)
{
    static const ksValue value[KSI_SHOWN_VALUES] = {KS_ENGINE, KS_CONVERGED, KS_PHYSICAL};
    double wrench[6], force, torque;
    *out = (ksiShownJoint){.type = identity->type,
                           .number = identity->number,
                           .body = {identity->body[0], identity->body[1]},
                           .error = {(float)r->error, (float)r->physicalError},
                           .reasons = r->reasons,
                           .verdict = (unsigned char)r->verdict,
                           .undetermined = (unsigned char)ksiMeasureUndetermined(r)};
    placeOfJoint(r, out->place);
    for (int i = 0; i < KSI_SHOWN_VALUES; i++) {
        ksiMeasureWrench(r, value[i], wrench);
        for (int k = 0; k < 6; k++)
            out->wrench[i][k] = (float)wrench[k];
    }
    for (int i = 1; i < KSI_SHOWN_VALUES; i++) {
        ksiMeasureBars(r, value[i], &force, &torque);
        out->bar[i - 1][0] = (float)force;
        out->bar[i - 1][1] = (float)torque;
    }
}

/* Adds a contact force to the sum for its two bodies. The sum acts at the mean of the contact
 * points, weighted by the magnitudes of the forces. */
static void addContact(const ksReaction *r, const ksiIdentity *identity, const ksiNaming *naming, ksiShownFrame *frame)
{
    const double *force = r->engine[0].force, size = ksiLength(force);
    ksiShownContact *at = frame->contact, *end = at + frame->contactCount;
    if (!isfinite(size) || !isKnownPlace(r->anchor[0]))
        return;
    while (at < end && (at->body[0] != identity->body[0] || at->body[1] != identity->body[1]))
        at++;
    if (at == end) {
        *at = (ksiShownContact){.body = {identity->body[0], identity->body[1]}};
        frame->contactCount++;
    }
    const double sign = ksiBodyNumber(naming, r->body[0]) == identity->body[0] ? 1 : -1;
    const double weight = at->weight + size, share = weight > 0 ? size / weight : 1;
    for (int i = 0; i < 3; i++) {
        at->force[i] += (float)(sign * force[i]);
        at->place[i] += share * (r->anchor[0][i] - at->place[i]);
    }
    at->weight = weight;
}

static void fillReactions(ksiShownFrame *frame, const ksInspector *inspector, const ksiNaming *naming)
{
    size_t count;
    const ksReaction *r = ksInspectorGetReactions(inspector, &count);
    for (size_t i = 0; i < count; i++) {
        const ksiIdentity *identity = ksiIdentify(naming, &r[i]);
        if (!identity || !r[i].body[0])
            continue;
        if (r[i].type == dJointTypeContact)
            addContact(&r[i], identity, naming, frame);
        else
            fillJoint(&r[i], identity, &frame->joint[frame->jointCount++]);
    }
}

/* A frame for this number of bodies and reactions. NULL: out of memory. */
static ksiShownFrame *makeFrame(const ksAllocator *allocator, size_t bodies, size_t joints, size_t contacts)
{
    const size_t bytes = sizeof(ksiShownFrame) + bodies * sizeof(ksiShownBody) + joints * sizeof(ksiShownJoint) +
                         contacts * sizeof(ksiShownContact);
    char *room = ksiRoomMake(allocator, bytes);
    if (!room)
        return NULL;
    ksiShownFrame *frame = (void *)room;
    *frame = (ksiShownFrame){.bytes = bytes, .body = (void *)(room + sizeof *frame)};
    frame->contact = (void *)(frame->body + bodies);
    frame->joint = (void *)(frame->contact + contacts);
    return frame;
}

/* Copies a frame. NULL: out of memory. */
static ksiShownFrame *copyFrame(const ksAllocator *allocator, const ksiShownFrame *from)
{
    ksiShownFrame *made = makeFrame(allocator, from->bodyCount, from->jointCount, from->contactCount);
    if (!made)
        return NULL;
    made->step = from->step;
    made->time = from->time;
    made->bodyCount = from->bodyCount;
    made->jointCount = from->jointCount;
    made->contactCount = from->contactCount;
    memcpy(made->body, from->body, from->bodyCount * sizeof *from->body);
    memcpy(made->joint, from->joint, from->jointCount * sizeof *from->joint);
    memcpy(made->contact, from->contact, from->contactCount * sizeof *from->contact);
    return made;
}

/* Adds the shapes of bodies that are new in this frame. Adds the static shapes if the motion has
 * none yet. */
static bool addShapes(const ksAllocator *allocator, ksiShownMotion *motion, const ksiScene *scene,
                      const ksiShownFrame *frame)
{
    const bool hasStanding = ksiMapFind(&motion->shaped, 0, 0) != NULL;
    const size_t known = motion->shapeCount;
    for (size_t i = 0; i < scene->geomCount; i++) {
        const ksiGeomRecord *geom = &scene->geom[i];
        const bool isOfBody = geom->body >= 0 && (size_t)geom->body < frame->bodyCount;
        const uint64_t body = isOfBody ? frame->body[geom->body].number : 0;
        if (geom->kind == KSI_TRIANGLE || (geom->body >= 0 && !isOfBody) ||
            (body == 0 ? hasStanding : ksiMapFind(&motion->shaped, body, 0) != NULL))
            continue;
        if (ksiReserve(allocator, &motion->shape, &motion->shapeCapacity, motion->shapeCount + 1,
                       sizeof *motion->shape))
            return false;
        ksiShape *shape = &motion->shape[motion->shapeCount++];
        *shape = (ksiShape){.body = body, .kind = geom->kind};
        memcpy(shape->size, geom->size, sizeof shape->size);
        memcpy(shape->place, geom->place, sizeof shape->place);
        memcpy(shape->rotation, geom->rotation, sizeof shape->rotation);
    }
    for (size_t i = known; i < motion->shapeCount; i++)
        if (!ksiMapPut(allocator, &motion->shaped, motion->shape[i].body, 0, 1))
            return false;
    return true;
}

/* Reserves memory for this many more triangles. false: there is no room or no memory. */
static bool hasRoom(const ksAllocator *allocator, ksiShownMotion *motion, size_t room, size_t more)
{
    const size_t count = motion->triangleCount + more, bytes = sizeof *motion->triangle;
    return count <= room / bytes && !ksiReserve(allocator, &motion->triangle, &motion->triangleCapacity, count, bytes);
}

/* Marks as known the surfaces of all triangles from index `from` on. */
static bool noteMeshes(const ksAllocator *allocator, ksiShownMotion *motion, size_t from, uint64_t step)
{
    for (size_t i = from; i < motion->triangleCount; i++)
        if (!ksiMapPut(allocator, &motion->meshed, motion->triangle[i].mesh, 0, step))
            return false;
    return true;
}

void ksiMotionAddMeshes(const ksAllocator *allocator, ksiShownMotion *motion, size_t room, const ksiStepInfo *info)
{
    const ksiGeomRecord *geom = info->scene ? info->scene->geom : info->record ? ksiRecordedGeoms(info->record) : NULL;
    const size_t count = info->scene ? info->scene->geomCount : info->record ? info->record->geomCount : 0;
    const size_t known = motion->triangleCount;
    size_t first = count;
    while (first > 0 && geom[first - 1].kind == KSI_TRIANGLE)
        first--;
    if (first == count || !hasRoom(allocator, motion, room, count - first))
        return;
    for (size_t i = first; i < count; i++) {
        const uint64_t mesh = (uint64_t)geom[i].size[3];
        if (ksiMapFind(&motion->meshed, mesh, 0))
            continue;
        ksiShownTriangle *triangle = &motion->triangle[motion->triangleCount++];
        triangle->mesh = mesh;
        for (int k = 0; k < 9; k++)
            triangle->corner[k] = (float)geom[i].rotation[k];
    }
    (void)!noteMeshes(allocator, motion, known, info->step);
}

/* Adds surfaces that are new. Adds none if there is no room for all triangles of `from`. */
static bool mergeMeshes(const ksAllocator *allocator, ksiShownMotion *into, size_t room, const ksiShownMotion *from)
{
    const size_t known = into->triangleCount;
    if (from->triangleCount == 0 || !hasRoom(allocator, into, room, from->triangleCount))
        return true;
    for (size_t i = 0; i < from->triangleCount; i++)
        if (!ksiMapFind(&into->meshed, from->triangle[i].mesh, 0))
            into->triangle[into->triangleCount++] = from->triangle[i];
    for (size_t i = known; i < into->triangleCount; i++) {
        const uint64_t mesh = into->triangle[i].mesh, *step = ksiMapFind(&from->meshed, mesh, 0);
        if (!ksiMapPut(allocator, &into->meshed, mesh, 0, step ? *step : 0))
            return false;
    }
    return true;
}

void ksiMotionAdd(const ksAllocator *allocator, ksiShownMotion *motion, double rate, size_t room,
                  const ksInspector *inspector, const ksiNaming *naming, const ksiStepInfo *info, const ksiScene *scene)
{
    size_t count, contacts = 0;
    const ksReaction *r = ksInspectorGetReactions(inspector, &count);
    if (!ksiMotionWants(motion, rate, info->step, info->time))
        return;
    for (size_t i = 0; i < count; i++)
        contacts += r[i].type == dJointTypeContact;
    ksiShownFrame *frame = makeFrame(allocator, scene->bodyCount, count - contacts, contacts);
    if (!frame)
        return;
    frame->step = info->step;
    frame->time = info->time;
    fillBodies(frame, scene, naming);
    fillReactions(frame, inspector, naming);
    memcpy(motion->gravity, scene->gravity, sizeof motion->gravity);
    if (frame->bodyCount == scene->bodyCount)
        (void)!addShapes(allocator, motion, scene, frame);
    ksiShownFrame *lean = copyFrame(allocator, frame);
    ksiFree(allocator, frame);
    if (lean)
        (void)!insert(allocator, motion, rate, room, lean);
}

bool ksiMotionMerge(const ksAllocator *allocator, ksiShownMotion *into, double rate, size_t room,
                    const ksiShownMotion *from)
{
    bool isWhole = true;
    if (into->frameCount == 0)
        memcpy(into->gravity, from->gravity, sizeof into->gravity);
    if (from->k > into->k)
        coarsen(allocator, into, rate, from->k);
    for (size_t i = 0; i < from->frameCount && isWhole; i++) {
        if (!ksiMotionWants(into, rate, from->frame[i]->step, from->frame[i]->time))
            continue;
        ksiShownFrame *frame = copyFrame(allocator, from->frame[i]);
        isWhole = frame && insert(allocator, into, rate, room, frame);
    }
    // shapes of bodies that `into` does not know
    const size_t known = into->shapeCount;
    for (size_t i = 0; i < from->shapeCount && isWhole; i++) {
        if (ksiMapFind(&into->shaped, from->shape[i].body, 0))
            continue;
        isWhole = !ksiReserve(allocator, &into->shape, &into->shapeCapacity, into->shapeCount + 1, sizeof *into->shape);
        if (isWhole)
            into->shape[into->shapeCount++] = from->shape[i];
    }
    for (size_t i = known; i < into->shapeCount && isWhole; i++)
        isWhole = ksiMapPut(allocator, &into->shaped, into->shape[i].body, 0, 1);
    return isWhole && mergeMeshes(allocator, into, room, from);
}

void ksiMotionFree(const ksAllocator *allocator, ksiShownMotion *motion)
{
    for (size_t i = 0; i < motion->frameCount; i++)
        ksiFree(allocator, motion->frame[i]);
    ksiFree(allocator, motion->frame);
    ksiFree(allocator, motion->shape);
    ksiMapFree(allocator, &motion->shaped);
    ksiFree(allocator, motion->triangle);
    ksiMapFree(allocator, &motion->meshed);
    *motion = (ksiShownMotion){.k = 0};
}

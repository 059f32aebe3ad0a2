/* motion_json.c  The motion of a world as JSON for a page: its objects, and the columns of
 * motion_pack.h in base 64. */
#include "json.h"

#ifdef KS_HAVE_THREE

#include "motion_pack.h"

#include <string.h>

static json_t *numbers(const double *x, int count)
{
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        ksiJsonAppend(list, ksiJsonNumber(x[i]));
    return list;
}

static json_t *stretches(const ksiShownKind *kind, size_t index)
{
    json_t *list = json_array(), *pair = NULL;
    uint32_t next = 0;
    for (size_t i = index > 0 ? kind->end[index - 1] : 0; i < kind->end[index]; i++) {
        const uint32_t frame = kind->item[i].frame;
        if (!pair || frame != next) {
            pair = json_array();
            ksiJsonAppend(pair, ksiJsonCount(frame));
            ksiJsonAppend(pair, ksiJsonCount(0));
            ksiJsonMiss(json_array_append(list, pair) != 0);
            json_decref(pair);
        }
        json_t *count = json_array_get(pair, 1);
        ksiJsonMiss(!count || json_integer_set(count, json_integer_value(count) + 1) != 0);
        next = frame + 1;
    }
    return list;
}

static const char *nameOfKind(int64_t kind)
{
    return kind == dSphereClass     ? "sphere"
           : kind == dBoxClass      ? "box"
           : kind == dCapsuleClass  ? "capsule"
           : kind == dCylinderClass ? "cylinder"
           : kind == dPlaneClass    ? "plane"
                                    : "mesh";
}

static json_t *shapes(const ksiShownMotion *motion, uint64_t body)
{
    json_t *list = json_array();
    for (size_t i = 0; i < motion->shapeCount; i++) {
        const ksiShape *shape = &motion->shape[i];
        if (shape->body != body)
            continue;
        json_t *object = json_object();
        ksiJsonPut(object, "kind", json_string(nameOfKind(shape->kind)));
        ksiJsonPut(object, "size", numbers(shape->size, 4));
        if (shape->kind == dConvexClass || shape->kind == dTriMeshClass)
            ksiJsonPut(object, "mesh", ksiJsonCount((uint64_t)shape->size[3]));
        if (shape->kind != dPlaneClass) {
            ksiJsonPut(object, "place", numbers(shape->place, 3));
            ksiJsonPut(object, "rotation", numbers(shape->rotation, 9));
        }
        ksiJsonAppend(list, object);
    }
    return list;
}

/* Adds 32 bits of each number, lowest byte first. */
static void putFloats(ksiText *out, const float *x, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        const char byte[] = {(char)(bits & 255), (char)(bits >> 8 & 255), (char)(bits >> 16 & 255), (char)(bits >> 24)};
        ksiTextAddBytes(out, byte, sizeof byte);
    }
}

/* Surfaces that appeared in step `from` or later, within `room` bytes: a list of numbers and
 * triangle counts, and the data of all corners. */
static json_t *meshes(const ksAllocator *allocator, const ksiShownMotion *motion, uint64_t from, size_t room)
{
    json_t *object = json_object(), *list = json_array();
    ksiText bytes = {.allocator = allocator}, data = {.allocator = allocator};
    size_t end;
    for (size_t i = 0; i < motion->triangleCount; i = end) {
        const ksiShownTriangle *first = &motion->triangle[i];
        const uint64_t *step = ksiMapFind(&motion->meshed, first->mesh, 0);
        for (end = i; end < motion->triangleCount && motion->triangle[end].mesh == first->mesh;)
            end++;
        if (!step || *step < from || (end - i) * sizeof first->corner > room - bytes.length)
            continue;
        json_t *one = json_array();
        ksiJsonAppend(one, ksiJsonCount(first->mesh));
        ksiJsonAppend(one, ksiJsonCount(end - i));
        ksiJsonAppend(list, one);
        for (; i < end; i++)
            putFloats(&bytes, motion->triangle[i].corner, 9);
    }
    ksiJsonMiss(bytes.isShort || (bytes.length > 0 && !ksiDeflate(&bytes, &data)));
    ksiJsonPut(object, "list", list);
    ksiJsonPut(object, "data", data.at ? json_stringn(data.at, data.length) : json_null());
    ksiTextFree(&bytes);
    ksiTextFree(&data);
    return object;
}

static json_t *bodiesToJson(const ksiShownMotion *motion, const ksiShownKind *kind)
{
    json_t *list = json_array();
    for (size_t i = 0; i < kind->count; i++) {
        const ksiShownBody *body = kind->item[kind->end[i] - 1].at;
        ksiJsonAppend(list, json_pack("{s:o, s:o, s:o}", "number", ksiJsonCount(body->number), "stretches",
                                      stretches(kind, i), "shapes", shapes(motion, body->number)));
    }
    return list;
}

/* Maps the keys of the report's joints to their indices in the world. */
static ksiMap indexJoints(const ksAllocator *allocator, const ksiWorldView *world)
{
    ksiMap index = {.count = 0};
    for (size_t i = 0; i < world->jointCount; i++) {
        const ksiJointStats *stats = world->joint[i].stats;
        const ksiShownKey key = ksiJointKey(stats->type, stats->number, stats->body);
        ksiJsonMiss(!ksiMapPut(allocator, &index, key.a, key.b, i));
    }
    return index;
}

/* Lists the joints with their names in the report. */
static json_t *jointsToJson(const ksAllocator *allocator, const ksiWorldView *world, const ksiShownKind *kind)
{
    json_t *list = json_array();
    ksiMap index = indexJoints(allocator, world);
    for (size_t i = 0; i < kind->count; i++) {
        const ksiShownJoint *joint = kind->item[kind->end[i] - 1].at;
        const ksiShownKey key = ksiJointKey(joint->type, joint->number, joint->body);
        const uint64_t *known = ksiMapFind(&index, key.a, key.b);
        json_t *object = json_object();
        ksiJsonPut(object, "name", known ? json_string(world->joint[*known].name) : json_null());
        ksiJsonPut(object, "type", json_string(ksiTypeName(joint->type)));
        ksiJsonPut(object, "number", json_integer(joint->number));
        ksiJsonPut(object, "bodies", ksiJsonBodies(joint->body));
        ksiJsonPut(object, "stretches", stretches(kind, i));
        ksiJsonAppend(list, object);
    }
    ksiMapFree(allocator, &index);
    return list;
}

static json_t *contactsToJson(const ksiShownKind *kind)
{
    json_t *list = json_array();
    for (size_t i = 0; i < kind->count; i++) {
        const ksiShownContact *contact = kind->item[kind->end[i] - 1].at;
        ksiJsonAppend(list,
                      json_pack("{s:o, s:o}", "bodies", ksiJsonBodies(contact->body), "stretches", stretches(kind, i)));
    }
    return list;
}

static json_t *states(const ksiPacked *packed)
{
    json_t *list = json_array();
    for (size_t i = 0; i < packed->stateCount; i++) {
        const ksiShownState *state = &packed->state[i];
        json_t *object = json_object(), *reasons = json_array();
        for (int bit = 0; bit < KSI_REASONS; bit++)
            if (state->reasons >> bit & 1)
                ksiJsonAppend(reasons, json_string(ksReasonName(UINT64_C(1) << bit)));
        ksiJsonPut(object, "verdict", json_string(ksVerdictName((ksVerdict)state->verdict)));
        ksiJsonPut(object, "reasons", reasons);
        ksiJsonPut(object, "undetermined", json_integer(state->undetermined));
        ksiJsonAppend(list, object);
    }
    return list;
}

static json_t *whole(const ksiWorldView *world, const ksiPacked *packed, json_t *surfaces)
{
    const ksiShownMotion *motion = &world->stats->motion;
    ksiText data = {.allocator = packed->allocator};
    json_t *object = json_object();
    ksiJsonPut(object, "frames", ksiJsonCount(packed->frameCount));
    ksiJsonPut(object, "unit", ksiJsonNumber(packed->unit));
    ksiJsonPut(object, "turns", json_integer(KSI_TURNS));
    ksiJsonPut(object, "perFold", json_integer(KSI_PER_FOLD));
    ksiJsonPut(object, "least", ksiJsonNumber(KSI_LEAST));
    ksiJsonPut(object, "gravity", numbers(motion->gravity, 3));
    ksiJsonPut(object, "bodies", bodiesToJson(motion, &packed->body));
    ksiJsonPut(object, "joints", jointsToJson(packed->allocator, world, &packed->joint));
    ksiJsonPut(object, "contacts", contactsToJson(&packed->contact));
    ksiJsonPut(object, "states", states(packed));
    ksiJsonPut(object, "standing", shapes(motion, 0));
    ksiJsonPut(object, "meshes", json_incref(surfaces));
    ksiJsonMiss(!ksiDeflate(&packed->bytes, &data));
    ksiJsonPut(object, "data", data.at ? json_stringn(data.at, data.length) : json_null());
    ksiTextFree(&data);
    return object;
}

json_t *ksiMotionToJson(const ksiView *view, const ksiWorldView *world, uint64_t from, size_t room)
{
    const ksiShownMotion *motion = &world->stats->motion;
    const double rate = view->report->options.frameRate;
    json_t *surfaces = meshes(&view->report->allocator, motion, from, room / 2), *object = NULL;
    size_t frames = SIZE_MAX;
    for (unsigned k = motion->k; !object && frames > 1; k++) {
        ksiPacked packed;
        const bool isPacked = ksiPack(&view->report->allocator, motion, rate, k, from, &packed);
        frames = isPacked ? packed.frameCount : 0;
        ksiJsonMiss(!isPacked);
        object = frames > 0 ? whole(world, &packed, surfaces) : NULL;
        ksiPackedFree(&packed);
        if (object && json_dumpb(object, NULL, 0, KSI_JSON_FLAGS) > room) {
            json_decref(object);
            object = NULL;
        }
    }
    json_decref(surfaces);
    return object;
}

#endif

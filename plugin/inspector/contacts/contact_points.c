/* contact_points.c  Lists the contact points of a step, and points that have been missing for a few
 * steps.
 *
 * If the surface layer is 0, a resting point is missing from the list of contacts in single steps.
 * A point that was seen in one of the last three steps is remembered if its pair has no point near
 * it now. A remembered point has moved with its bodies. */
#include "../inspector.h"
#include "../publish/wrench_norm.h"
#include "contact_physical.h"

#include "../../base/union_find.h"
#include "../../engine/rows.h"
#include "../../engine/vector.h"

#include <math.h>
#include <string.h>

enum { MEMORY = 3 };

/* Two points are the same if their normal rows differ by less than this share of the row's size. */
static const double samePoint = 0.1;
/* A point is deep if the engine pushes it out faster than `deep` times the speed that a body gains
 * by gravity in a step. A point that parts is still deep if it parts slower than `slower` times
 * that push, since the push removes only a share of the depth. */
static const double deep = 0.5, slower = 2;

static ksStatus reserve(const ksiStep *step, ksiContactRoom *room)
{
    const size_t bodies = step->bodyCount, joints = step->jointCount;
    const ksiArray array[] = {
        KSI_ARRAY(room->set, bodies),        KSI_ARRAY(room->block, bodies),
        KSI_ARRAY(room->member, bodies),     KSI_ARRAY(room->acceleration, 6 * bodies),
        KSI_ARRAY(room->parent, bodies + 1), KSI_ARRAY(room->joint, joints),
        KSI_ARRAY(room->first, bodies),      KSI_ARRAY(room->firstPair, bodies),
        KSI_ARRAY(room->firstBody, bodies),  KSI_ARRAY(room->firstJoint, bodies),
        KSI_ARRAY(room->nextBody, bodies),   KSI_ARRAY(room->nextJoint, joints),
    };
    KSI_TRY(ksiPointersReset(&step->allocator, &room->old, room->pastCount));
    return ksiReserveArrays(&step->allocator, array, sizeof array / sizeof *array, room->capacity);
}

static bool isDynamic(const ksiStep *step, int body)
{
    return body >= 0 && step->body[body].dynamic;
}

static void unite(const ksiStep *step, ksiContactRoom *room, const int body[2])
{
    if (isDynamic(step, body[0]) && isDynamic(step, body[1]))
        ksiSetsUnite(room->set, body[0], body[1]);
}

/* Finds the bodies of a remembered point in this step; false: the point is forgotten. */
static bool recall(const ksiStep *step, ksiPoint *past)
{
    bool is = past->seen + MEMORY >= step->number;
    for (int side = 0; side < 2 && is; side++) {
        past->bodyIndex[side] = past->body[side] ? ksiPointersFind(&step->input->bodyIndex, past->body[side]) : -1;
        is = !past->body[side] || (past->bodyIndex[side] >= 0 && !step->body[past->bodyIndex[side]].isPut);
    }
    return is && !ksiIsPairAsleep(step, past->bodyIndex);
}

static void recallAll(const ksiStep *step, ksiContactRoom *room)
{
    size_t kept = 0;
    for (size_t i = 0; i < room->pastCount && room->number + 1 == step->number; i++)
        if (recall(step, &room->past[i]))
            room->past[kept++] = room->past[i];
    room->pastCount = kept;
    for (size_t i = kept; i-- > 0;) {
        const void *key = ksiPairKey(step, room->past[i].bodyIndex);
        room->past[i].next = ksiPointersFind(&room->old, key);
        ksiPointersAdd(&room->old, key, (int)i);
    }
}

static bool isContact(const ksiStep *step, size_t joint)
{
    return step->joint[joint].type == dJointTypeContact && step->joint[joint].isRead && step->report[joint].isWritten &&
           step->joint[joint].rows.count > 0;
}

/* The group of a point or a pair; -1: neither body moves. */
int ksiContactRootOf(const ksiStep *step, ksiContactRoom *room, const int body[2])
{
    const int moving = isDynamic(step, body[0]) ? body[0] : isDynamic(step, body[1]) ? body[1] : -1;
    return moving < 0 ? -1 : ksiSetOf(room->set, moving);
}

/* Sets `block` of the root body to 0 for groups with a pair, and to -1 for all other bodies. */
static void markGroups(const ksiStep *step, ksiContactRoom *room)
{
    for (size_t i = 0; i < step->bodyCount; i++)
        room->block[i] = -1;
    for (size_t i = 0; i < room->pairCount; i++) {
        int at[2];
        for (int side = 0; side < 2; side++)
            at[side] =
                room->pair[i].body[side] ? ksiPointersFind(&step->input->bodyIndex, room->pair[i].body[side]) : -1;
        const int root = ksiContactRootOf(step, room, at);
        if (root >= 0)
            room->block[root] = 0;
    }
}

static void takeJoint(const ksiStep *step, int index, ksiPoint *out)
{
    const ksiJointInput *joint = &step->joint[index];
    const ksiJointObserved *observed = &step->observed[index];
    const double *reported = observed->isFalse ? observed->multiplier : step->report[index].multiplier;
    const size_t count = (size_t)joint->rows.count;
    *out = (ksiPoint){.joint = index, .seen = step->number, .length = step->h, .count = joint->rows.count, .first = -1};
    for (int side = 0; side < 2; side++) {
        out->body[side] = joint->body[side];
        out->bodyIndex[side] = joint->bodyIndex[side];
    }
    memcpy(out->row, joint->rows.row, count * sizeof *out->row);
    memcpy(out->normalSeen, out->row[0].jacobian, sizeof out->normalSeen);
    memcpy(out->scaled, joint->scaled, count * sizeof *out->scaled);
    memcpy(out->rate, joint->rate, count * sizeof *out->rate);
    memcpy(out->reported, reported, count * sizeof *out->reported);
    memcpy(out->multiplier, reported, count * sizeof *out->multiplier);
    memcpy(out->target, reported, count * sizeof *out->target);
}

/* time: the length of the last step, s */
static void takePast(const ksiStep *step, double time, const ksiPoint *past, ksiPoint *out)
{
    *out = *past;
    out->joint = -1;
    out->first = -1;
    out->slides = 0;
    out->isHasteningSeen = false;
    out->absent = ksiSinceSeen(step, past);
    ksiForgetJump(out);
    ksiMovePoint(step, time, out);
    memset(out->reported, 0, sizeof out->reported);
    memset(out->target, 0, sizeof out->target);
    memset(out->rate, 0, sizeof out->rate);
    memset(out->scaled, 0, sizeof out->scaled);
    for (int l = 0; l < out->count; l++)
        KSI_EACH_BODY (out->bodyIndex, side, body) {
            out->rate[l] += ksiDotSix(out->row[l].jacobian[side], step->body[body].begin.velocity);
            ksiScaleWrench(&step->body[body], out->row[l].jacobian[side], &out->scaled[l][6 * side]);
        }
}

/* |J - J'|^2 of the normals in the mass metric: the smaller of its values in the world's axes and
 * in the axes of the bodies, which may spin. INFINITY: the points differ. */
static double distance(const ksiStep *step, const ksiPoint *now, const ksiPoint *past)
{
    const int turned = now->body[0] != past->body[0];
    double inBodies = 0, inWorld = 0, size = 0, apart[6], scaled[6];
    for (int k = 0; k < 12; k++) {
        const double theirs = past->scaled[0][turned ? (k + 6) % 12 : k], own = now->scaled[0][k] - theirs;
        inBodies += own * own;
        size += now->scaled[0][k] * now->scaled[0][k];
    }
    KSI_EACH_BODY (now->bodyIndex, side, at) {
        for (int k = 0; k < 6; k++)
            apart[k] = now->row[0].jacobian[side][k] - past->row[0].jacobian[turned ? !side : side][k];
        ksiScaleWrench(&step->body[at], apart, scaled);
        inWorld += ksiDotSix(scaled, scaled);
    }
    const double square = fmin(inBodies, inWorld);
    return square <= samePoint * samePoint * size ? square : INFINITY;
}

/* Where mechanics does not determine the multipliers, their targets move to the reports by this
 * part of the way in each step. So the targets average the noise of the reports. */
static const double following = 0.125;

static void follow(const ksiStep *step, ksiPoint *past, ksiPoint *now)
{
    now->isMatched = true;
    now->absent = ksiSinceSeen(step, past);
    ksiFollowPoint(step, past, now);
    now->isHasteningSeen = past->seen + 1 == step->number;
    if (!now->isHasteningSeen)
        return;
    past->isHasteningSeen = true;
    ksiInheritHastening(now, past);
}

/* Matches a present point with the old points near it. The nearest old point gives the multipliers
 * at which the search begins, and the targets. */
static void matchPast(const ksiStep *step, const ksiContactRoom *room, ksiPoint *now)
{
    double least = INFINITY;
    unsigned long seen = 0;
    KSI_EACH_OLD (step, room, now->bodyIndex, past) {
        const double apart = distance(step, now, past);
        if (least == INFINITY && past->seen >= seen) {
            ksiInheritMotion(past, now);
            seen = past->seen;
        }
        if (apart == INFINITY)
            continue;
        past->joint = now->joint;
        for (int l = 0; l < now->count && apart < least && past->count == now->count; l++) {
            now->multiplier[l] = past->multiplier[l];
            now->target[l] = past->multiplier[l] + following * (now->reported[l] - past->multiplier[l]);
        }
        if (apart < least)
            follow(step, past, now);
        least = fmin(apart, least);
    }
}

/* A missing point that would still be deep in the other body has not parted: the collider has moved
 * it elsewhere. */
static bool isElsewhere(const ksiStep *step, const ksiPoint *past)
{
    const double push = past->row[0].c;
    double rate = 0;
    KSI_EACH_BODY (past->bodyIndex, side, at)
        rate += ksiDotSix(past->row[0].jacobian[side], step->body[at].begin.velocity);
    return push >= deep * ksiSize(step->input->gravity, 3) * step->h && rate <= slower * push;
}

static double apartOf(const ksiPoint *a, const ksiPoint *b)
{
    double apart[3];
    ksiSubtract(apart, a->place, b->place);
    return ksiSize(apart, 3);
}

/* A new point may be an old point that the collider has moved: the nearest missing one that is
 * still deep. */
static void followJump(const ksiStep *step, const ksiContactRoom *room, ksiPoint *now)
{
    ksiPoint *nearest = NULL;
    KSI_EACH_OLD (step, room, now->bodyIndex, past)
        if (past->joint < 0 && past->seen == room->number && isElsewhere(step, past) &&
            (!nearest || apartOf(past, now) < apartOf(nearest, now)))
            nearest = past;
    if (!nearest)
        return;
    nearest->joint = now->joint;
    follow(step, nearest, now);
}

/* For a point that is new, missing, or back after a gap: takes the acceleration of its surface from
 * the nearest point of its pair that existed in the last step and exists in this one. */
static void findHastening(const ksiStep *step, const ksiContactRoom *room, ksiPoint *point)
{
    const ksiPoint *nearest = NULL;
    KSI_EACH_OLD (step, room, point->bodyIndex, past)
        if (past->isHasteningSeen && (!nearest || apartOf(past, point) < apartOf(nearest, point)))
            nearest = past;
    if (nearest)
        ksiInheritHastening(nearest, point);
}

static ksStatus add(ksiContactRoom *room, const ksiStep *step, ksiPoint **out)
{
    KSI_TRY(ksiReserve(&step->allocator, &room->point, &room->pointCapacity, room->pointCount + 1, sizeof **out));
    *out = &room->point[room->pointCount++];
    return KS_OK;
}

/* -1: the group has no pair */
static int groupOf(const ksiStep *step, ksiContactRoom *room, const int body[2])
{
    const int root = ksiContactRootOf(step, room, body);
    return root >= 0 && room->block[root] == 0 ? root : -1;
}

static void addToList(int index, int *next, int *first)
{
    *next = *first;
    *first = index;
}

/* Lists the bodies, joints and points of each group, in ascending order. No body is in the
 * equations yet. */
static void listGroups(const ksiStep *step, ksiContactRoom *room)
{
    for (size_t i = 0; i < step->bodyCount; i++)
        room->block[i] = room->first[i] = room->firstPair[i] = room->firstBody[i] = room->firstJoint[i] = -1;
    for (int i = (int)step->bodyCount; i-- > 0;)
        if (step->body[i].dynamic)
            addToList(i, &room->nextBody[i], &room->firstBody[ksiSetOf(room->set, i)]);
    for (int i = (int)step->jointCount; i-- > 0;) {
        const int root = step->report[i].isWritten && step->joint[i].type != dJointTypeContact
                             ? ksiContactRootOf(step, room, step->joint[i].bodyIndex)
                             : -1;
        if (root >= 0)
            addToList(i, &room->nextJoint[i], &room->firstJoint[root]);
    }
    for (int i = (int)room->pointCount; i-- > 0;)
        addToList(i, &room->point[i].next, &room->first[room->point[i].group]);
}

ksStatus ksiFindPoints(ksInspector *inspector)
{
    const ksiStep *step = &inspector->step;
    ksiContactRoom *room = &inspector->contactRoom;
    ksiPoint *out;
    room->pointCount = 0;
    KSI_TRY(reserve(step, room));
    recallAll(step, room);
    ksiSetsReset(room->set, step->bodyCount);
    for (size_t i = 0; i < step->jointCount; i++)
        if (step->report[i].isWritten)
            unite(step, room, step->joint[i].bodyIndex);
    for (size_t i = 0; i < room->pastCount; i++) {
        room->past[i].joint = -1;
        room->past[i].isHasteningSeen = false;
        unite(step, room, room->past[i].bodyIndex);
    }
    markGroups(step, room);
    for (size_t i = 0; i < step->jointCount; i++) {
        const int group = isContact(step, i) ? groupOf(step, room, step->joint[i].bodyIndex) : -1;
        if (group < 0)
            continue;
        KSI_TRY(add(room, step, &out));
        takeJoint(step, (int)i, out);
        ksiPlacePoint(step, out);
        matchPast(step, room, out);
        out->group = group;
    }
    for (size_t i = 0; i < room->pointCount; i++)
        if (!room->point[i].isMatched)
            followJump(step, room, &room->point[i]);
    for (size_t i = 0; i < room->pastCount; i++) {
        const int group = room->past[i].joint < 0 ? groupOf(step, room, room->past[i].bodyIndex) : -1;
        if (group < 0)
            continue;
        KSI_TRY(add(room, step, &out));
        takePast(step, room->length, &room->past[i], out);
        out->group = group;
    }
    for (size_t i = 0; i < room->pointCount; i++)
        if (!room->point[i].isHasteningSeen)
            findHastening(step, room, &room->point[i]);
    listGroups(step, room);
    return KS_OK;
}

ksStatus ksiRememberPoints(ksInspector *inspector)
{
    ksiContactRoom *room = &inspector->contactRoom;
    const ksiStep *step = &inspector->step;
    room->pastCount = 0;
    KSI_TRY(ksiReserve(&step->allocator, &room->past, &room->pastCapacity, room->pointCount, sizeof *room->past));
    for (size_t i = 0; i < room->pointCount; i++)
        if (room->point[i].way != KSI_LEAVES) {
            room->past[room->pastCount] = room->point[i];
            room->past[room->pastCount++].lasted += step->h;
        }
    room->number = step->number;
    room->length = step->h;
    return KS_OK;
}

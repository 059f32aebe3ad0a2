/* history.c  The joint of the last step that a joint continues.
 *
 * A joint is known by its address, type, bodies and rows. Contacts are made anew at each step, at any address: one is
 * the same as one of the last step where bodies, shapes and sides are, and each is nearest to the other, once the old
 * point has been carried along with either body (a corner moves with its body, the foot of a rolling ball with neither),
 * and no farther than its bodies can have shifted it. */
#include "inspector_private.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* of the way that points of the bodies make in a step, and of their levers: a point of contact moves on either surface */
static const double wayMargin = 2, restTolerance = 1e-6;

enum { fewContacts = 16 }; /* of a body: compared each with each */

ksStatus ksiRememberBodies(ksInspector *inspector, size_t count)
{
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->bodyPast, &inspector->bodyPastCapacity, count,
                                 sizeof *inspector->bodyPast);
    for (size_t i = 0; !status && i < count; i++) {
        const ksiBodyState *body = &inspector->body[i];
        ksiBodyPast *past = &inspector->bodyPast[i];
        memcpy(past->finished, body->finished, sizeof past->finished);
        memcpy(past->endCentre, body->endCentre, sizeof past->endCentre);
        memcpy(past->endRotation, body->endRotation, sizeof past->endRotation);
        past->rest = body->rest;
    }
    return status;
}

/* Farther from where the last step left it than the change of its velocity makes in a step. */
static bool wasPlaced(double h, const double gained[6], const double centre[3], const double rotation[9],
                      const ksiBody *begin)
{
    double shift[3], turn[9];
    for (int k = 0; k < 3; k++)
        shift[k] = begin->centre[k] - centre[k];
    for (int k = 0; k < 9; k++)
        turn[k] = begin->rotation[k] - rotation[k];
    // a turn by a small angle changes the matrix by sqrt(2) times that
    return !(ksiSize(shift, 3) <= h * ksiSize(gained, 3) && ksiSize(turn, 9) <= sqrt(2) * h * ksiSize(gained + 3, 3));
}

void ksiFollowBody(ksInspector *inspector, ksiBodyState *body, const double finished[6], const double centre[3],
                   const double rotation[9])
{
    const ksiBody *begin = &body->begin;
    body->jumped = memcmp(finished, begin->velocity, sizeof begin->velocity) ||
                   memcmp(centre, begin->centre, sizeof begin->centre) ||
                   memcmp(rotation, begin->rotation, sizeof begin->rotation);
    body->driven = false;
    if (!body->jumped || !begin->kinematic)
        return;
    for (int k = 0; k < 6; k++)
        body->gained[k] = begin->velocity[k] - finished[k];
    body->driven = !wasPlaced(inspector->h, body->gained, centre, rotation, begin);
    body->jumped = !body->driven;
    inspector->anyDriven |= body->driven;
}

static void rememberRows(const ksiJointState *joint, ksiHistory *history)
{
    const int count = history->count = joint->rows.count;
    for (int l = 0; l < count; l++) {
        history->kind[l] = joint->rows.row[l].kind;
        history->c[l] = joint->rows.row[l].c;
        history->target[l] = ksiRowTarget(joint, l);
        memcpy(history->jacobian[l], joint->rows.row[l].jacobian, sizeof history->jacobian[l]);
    }
    memcpy(history->body, joint->body, sizeof history->body);
    history->hasContact = joint->hasContact;
    if (!joint->hasContact)
        return;
    history->contact = joint->contact;
    memcpy(history->carried, joint->carried, sizeof history->carried);
}

ksStatus ksiReserveHistory(ksInspector *inspector)
{
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->history, &inspector->historyCapacity,
                                 inspector->wantingHistory, sizeof *inspector->history);
    size_t buckets = 1;
    while (buckets < 4 * inspector->wantingHistory)
        buckets *= 2;
    if (!status)
        status = ksiReserve(&inspector->allocator, &inspector->bucket, &inspector->bucketCapacity, buckets,
                            sizeof *inspector->bucket);
    if (status)
        return status;
    inspector->bucketCount = buckets;
    inspector->historyCount = 0;
    inspector->pastCount = inspector->jointCount;
    return KS_OK;
}

int ksiRememberRows(ksInspector *inspector, const ksiJointState *joint)
{
    if (!joint->wantsHistory)
        return -1;
    rememberRows(joint, &inspector->history[inspector->historyCount]);
    return (int)inspector->historyCount++;
}

/* The joint's rows in the last step, whether they go on or not. */
static ksiHistory *historyOf(const ksInspector *inspector, const ksiJointState *joint)
{
    if (joint->type == dJointTypeContact) {
        ksiHistory *last = joint->match < 0 ? NULL : &inspector->history[joint->match];
        return last && &inspector->joint[last->match] == joint ? last : NULL;
    }
    const ksiJointPast *past = joint->before < 0 ? NULL : &inspector->past[joint->before];
    return past && past->type == joint->type && past->history >= 0 ? &inspector->history[past->history] : NULL;
}

const ksiHistory *ksiPredecessor(const ksInspector *inspector, const ksiJointState *joint)
{
    const ksiHistory *last = historyOf(inspector, joint);
    if (!last || last->count != joint->rows.count)
        return NULL;
    for (int side = 0; side < 2; side++) {
        if (last->body[side] != joint->body[side])
            return NULL;
        if (joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].jumped)
            return NULL;
    }
    for (int l = 0; l < joint->rows.count; l++)
        if (last->kind[l] != joint->rows.row[l].kind)
            return NULL;
    return last;
}

void ksiReadContactPoint(const ksInspector *inspector, ksiJointState *joint)
{
    joint->hasContact = ksiReadContact(&inspector->engine, joint->id, &joint->contact);
    for (int side = 0; side < 2 && joint->hasContact; side++) {
        const double *point = joint->contact.point;
        memcpy(joint->carried[side], point, sizeof joint->carried[side]);
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBody *body = &inspector->body[joint->bodyIndex[side]].begin;
        for (int k = 0; k < 3; k++) {
            joint->carried[side][k] = 0;
            for (int m = 0; m < 3; m++)
                joint->carried[side][k] += body->rotation[3 * m + k] * (point[m] - body->centre[m]);
        }
    }
}

/* The first body of a contact that has a mass, or -1. */
static int anchorOf(const ksInspector *inspector, const dBodyID body[2])
{
    for (int side = 0; side < 2; side++) {
        int at = body[side] ? ksiPointersFind(&inspector->bodyIndex, body[side]) : -1;
        if (at >= 0 && inspector->body[at].dynamic)
            return at;
    }
    return -1;
}

double ksiContactLever(const ksInspector *inspector, const ksiJointState *joint, int side)
{
    const double *centre = inspector->body[joint->bodyIndex[side]].begin.centre;
    double arm[3];
    for (int k = 0; k < 3; k++)
        arm[k] = joint->contact.point[k] - centre[k];
    return ksiSize(arm, 3);
}

/* How far the point may have come. */
static double reach(const ksInspector *inspector, const ksiJointState *joint)
{
    double way = 0;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBody *body = &inspector->body[joint->bodyIndex[side]].begin;
        const double lever = ksiContactLever(inspector, joint, side);
        way += wayMargin * inspector->previousH * (ksiSize(body->velocity, 3) + ksiSize(body->velocity + 3, 3) * lever);
        way += restTolerance * lever;
    }
    return way;
}

/* Reaches of this step's contacts, the largest at each anchor, and how many there are; false: no contacts. */
static bool findReaches(ksInspector *inspector)
{
    bool any = false;
    for (size_t i = 0; i < inspector->bodyCount; i++)
        inspector->body[i].reach = inspector->body[i].contactCount = 0;
    for (size_t i = 0; i < inspector->jointCount; i++) {
        ksiJointState *joint = &inspector->joint[i];
        const int at = joint->hasContact ? anchorOf(inspector, joint->body) : -1;
        if (at < 0)
            continue;
        any = true;
        joint->distance = reach(inspector, joint);
        inspector->body[at].contactCount++;
        if (joint->distance > inspector->body[at].reach)
            inspector->body[at].reach = joint->distance;
    }
    return any;
}

/* A point lies in the cell of a grid in the frame of one of the contact's bodies: cubes of eight times the largest reach at
 * the anchor. Few contacts lie in one cell. 0: they do. */
static double cellsPerLength(const ksiBodyState *anchor)
{
    return anchor->contactCount > fewContacts && anchor->reach > 0 ? 1 / (8 * anchor->reach) : 0;
}

/* What is as far as `about` from the point may lie in the next cells too: along the axes whose bits are returned. */
static unsigned findCell(double density, const double point[3], double about, double cell[3])
{
    unsigned next = 0;
    for (int k = 0; k < 3; k++) {
        cell[k] = floor((point[k] - about) * density) + 0.0;  // no -0: equal cells have equal bits
        next |= (point[k] + about) * density >= cell[k] + 1 ? 1u << k : 0;
    }
    return next;
}

static int *bucketOf(const ksInspector *inspector, int anchor, int side, const double cell[3])
{
    uint64_t hash = 2 * (uint64_t)anchor + (uint64_t)side, bits;
    for (int k = 0; k < 3; k++) {
        memcpy(&bits, &cell[k], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return &inspector->bucket[hash & (inspector->bucketCount - 1)];
}

/* The contacts of the last step at anchors that have some in this one, each in the cells of its point as either body
 * carries it. */
static void sortIn(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->bucketCount; i++)
        inspector->bucket[i] = -1;
    for (size_t i = 0; i < inspector->historyCount; i++) {
        ksiHistory *last = &inspector->history[i];
        last->match = -1;
        const int at = last->hasContact ? anchorOf(inspector, last->body) : -1;
        if (at < 0 || !inspector->body[at].contactCount)
            continue;
        const double density = cellsPerLength(&inspector->body[at]);
        for (int side = 0; side < (density > 0 ? 2 : 1); side++) {
            double cell[3] = {0};
            if (density > 0)
                findCell(density, last->carried[side], 0, cell);
            int *bucket = bucketOf(inspector, at, side, cell);
            last->next[side] = *bucket;
            *bucket = 2 * (int)i + side;
        }
    }
}

static bool sameShapes(const ksiContact *a, const ksiContact *b)
{
    return a->shape[0] == b->shape[0] && a->shape[1] == b->shape[1] && a->side[0] == b->side[0] &&
           a->side[1] == b->side[1];
}

/* From the point, carried along with one of the bodies or the world, to where it is now. */
static double distanceFrom(const ksiJointState *joint, const ksiHistory *last, int side)
{
    double rest[3];
    for (int k = 0; k < 3; k++)
        rest[k] = joint->carried[side][k] - last->carried[side][k];
    return ksiSize(rest, 3);
}

static void tryBucket(ksInspector *inspector, int index, double farthest, int first)
{
    ksiJointState *joint = &inspector->joint[index];
    for (int p = first; p >= 0; p = inspector->history[p / 2].next[p % 2]) {
        ksiHistory *last = &inspector->history[p / 2];
        if (last->body[0] != joint->body[0] || last->body[1] != joint->body[1] ||
            !sameShapes(&joint->contact, &last->contact))
            continue;
        const double distance = fmin(distanceFrom(joint, last, 0), distanceFrom(joint, last, 1));
        if (!(distance <= farthest))
            continue;
        if (joint->match < 0 || distance < joint->distance)
            joint->match = p / 2, joint->distance = distance;
        if (last->match < 0 || distance < last->distance)
            last->match = index, last->distance = distance;
    }
}

static void findNearest(ksInspector *inspector, int index)
{
    const ksiJointState *joint = &inspector->joint[index];
    const int at = anchorOf(inspector, joint->body);
    if (at < 0)
        return;
    const double farthest = joint->distance, density = cellsPerLength(&inspector->body[at]);
    if (density == 0) {
        static const double cell[3];
        tryBucket(inspector, index, farthest, *bucketOf(inspector, at, 0, cell));
        return;
    }
    for (int side = 0; side < 2; side++) {
        double first[3], cell[3];
        const unsigned next = findCell(density, joint->carried[side], farthest, first);
        for (unsigned corner = 0; corner < 8; corner++) {
            if (corner & ~next)
                continue;
            for (unsigned k = 0; k < 3; k++)
                cell[k] = first[k] + (corner >> k & 1u);
            tryBucket(inspector, index, farthest, *bucketOf(inspector, at, side, cell));
        }
    }
}

void ksiMatchContacts(ksInspector *inspector)
{
    if (!inspector->historyCount || !findReaches(inspector))
        return;
    sortIn(inspector);
    for (size_t i = 0; i < inspector->jointCount; i++) {
        if (inspector->joint[i].hasContact)
            findNearest(inspector, (int)i);
    }
}

/* history.c  The joint of the last step that a joint continues.
 *
 * A joint is known by its address, type, bodies and rows. Contacts are made anew at each step, at any address: one is
 * the same as one of the last step where bodies, shapes and sides are, and each is nearest to the other, once the old
 * point has been carried along with either body (a corner moves with its body, the foot of a rolling ball with neither),
 * and no farther than its bodies can have shifted it. */
#include "inspector_private.h"

#include <math.h>
#include <string.h>

/* of the way that points of the bodies make in a step, and of their levers: a point of contact moves on either surface */
static const double wayMargin = 2, restTolerance = 1e-6;

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

static void rememberRows(const ksiJointState *joint, ksiHistory *history)
{
    const int count = history->count = joint->rows.count;
    for (int l = 0; l < count; l++) {
        history->kind[l] = joint->rows.kind[l];
        history->c[l] = joint->rows.c[l];
        history->target[l] = ksiRowTarget(joint, l);
    }
    memcpy(history->jacobian, joint->rows.jacobian, (size_t)count * sizeof *history->jacobian);
    memcpy(history->body, joint->body, sizeof history->body);
    history->hasContact = joint->hasContact;
    if (!joint->hasContact)
        return;
    history->contact = joint->contact;
    memcpy(history->carried, joint->carried, sizeof history->carried);
}

ksStatus ksiRememberJoints(ksInspector *inspector)
{
    const size_t count = inspector->jointCount;
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->history, &inspector->historyCapacity,
                                 inspector->wantingHistory, sizeof *inspector->history);
    if (status)
        return status;
    inspector->historyCount = 0;
    for (size_t i = 0; i < count; i++) {
        const ksiJointState *joint = &inspector->joint[i];
        ksiJointPast *past = &inspector->past[i];
        past->type = joint->type;
        past->verdict = joint->verdict;
        past->mark = joint->mark;
        past->history = -1;
        for (int side = 0; side < 2; side++) {
            past->body[side] = joint->body[side];
            past->bodyIndex[side] = joint->bodyIndex[side];
        }
        if (!joint->wantsHistory)
            continue;
        past->history = (int)inspector->historyCount++;
        rememberRows(joint, &inspector->history[past->history]);
    }
    inspector->pastCount = count;
    return KS_OK;
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
    const size_t bytes = (size_t)joint->rows.count * sizeof *joint->rows.kind;
    return memcmp(last->kind, joint->rows.kind, bytes) ? NULL : last;
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

/* The contacts of the last step in chains, each at its anchor. */
static void chainContacts(ksInspector *inspector)
{
    for (size_t i = 0; i < inspector->bodyCount; i++)
        inspector->body[i].firstContact = -1;
    for (size_t i = 0; i < inspector->historyCount; i++) {
        ksiHistory *last = &inspector->history[i];
        last->match = -1;
        int at = last->hasContact ? anchorOf(inspector, last->body) : -1;
        if (at < 0)
            continue;
        last->next = inspector->body[at].firstContact;
        inspector->body[at].firstContact = (int)i;
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

/* How far the point may have come. */
static double reach(const ksInspector *inspector, const ksiJointState *joint)
{
    double way = 0;
    for (int side = 0; side < 2; side++) {
        if (joint->bodyIndex[side] < 0)
            continue;
        const ksiBody *body = &inspector->body[joint->bodyIndex[side]].begin;
        double arm[3];
        for (int k = 0; k < 3; k++)
            arm[k] = joint->contact.point[k] - body->centre[k];
        double lever = ksiSize(arm, 3);
        way += wayMargin * inspector->previousH * (ksiSize(body->velocity, 3) + ksiSize(body->velocity + 3, 3) * lever);
        way += restTolerance * lever;
    }
    return way;
}

static void findNearest(ksInspector *inspector, int index)
{
    ksiJointState *joint = &inspector->joint[index];
    int at = anchorOf(inspector, joint->body);
    if (at < 0)
        return;
    double farthest = reach(inspector, joint);
    for (int p = inspector->body[at].firstContact; p >= 0; p = inspector->history[p].next) {
        ksiHistory *last = &inspector->history[p];
        if (last->body[0] != joint->body[0] || last->body[1] != joint->body[1] ||
            !sameShapes(&joint->contact, &last->contact))
            continue;
        double distance = fmin(distanceFrom(joint, last, 0), distanceFrom(joint, last, 1));
        if (!(distance <= farthest))
            continue;
        if (joint->match < 0 || distance < joint->distance)
            joint->match = p, joint->distance = distance;
        if (last->match < 0 || distance < last->distance)
            last->match = index, last->distance = distance;
    }
}

void ksiMatchContacts(ksInspector *inspector)
{
    bool chained = false;
    for (size_t i = 0; i < inspector->jointCount && inspector->historyCount; i++) {
        if (!inspector->joint[i].hasContact)
            continue;
        if (!chained)
            chainContacts(inspector);
        chained = true;
        findNearest(inspector, (int)i);
    }
}

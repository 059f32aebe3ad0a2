/* history.c  The joint of the last step that a joint continues: it is known by its address, type, bodies and rows. */
#include "inspector_private.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

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
        history->axis[l] = joint->rows.axis[l];
        history->target[l] = ksiRowTarget(joint, l);
        history->differenced[l] = joint->betaSource[l] == KS_FROM_HISTORY ? joint->differenced[l] : NAN;
        memcpy(history->jacobian[l], joint->rows.row[l].jacobian, sizeof history->jacobian[l]);
    }
    memcpy(history->body, joint->body, sizeof history->body);
}

ksStatus ksiReserveHistory(ksInspector *inspector)
{
    ksStatus status = ksiReserve(&inspector->allocator, &inspector->history, &inspector->historyCapacity,
                                 inspector->wantingHistory, sizeof *inspector->history);
    if (status)
        return status;
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
static const ksiHistory *historyOf(const ksInspector *inspector, const ksiJointState *joint)
{
    const ksiJointPast *past = joint->before < 0 ? NULL : &inspector->past[joint->before];
    return past && past->type == joint->type && past->history >= 0 ? &inspector->history[past->history] : NULL;
}

const ksiHistory *ksiPredecessor(const ksInspector *inspector, const ksiJointState *joint)
{
    const ksiHistory *last = historyOf(inspector, joint);
    if (!last)
        return NULL;
    for (int side = 0; side < 2; side++) {
        if (last->body[side] != joint->body[side])
            return NULL;
        if (joint->bodyIndex[side] >= 0 && inspector->body[joint->bodyIndex[side]].jumped)
            return NULL;
    }
    return last;
}

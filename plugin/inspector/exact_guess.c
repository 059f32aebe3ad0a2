/* exact_guess.c  Where the search for multipliers begins: at those of the last step. Contacts are made anew in each step; one
 * goes on where the same bodies touched in nearly the same way. */
#include "exact.h"

#include <math.h>
#include <string.h>

/* Of the size of a contact's normal row: bodies do not turn or slide farther in a step if the contact is to go on. */
static const double sameContact = 0.1;

/* |J - J'|^2 of the first rows, or infinity: not the same joint */
static double apart(const ksiJointInput *joint, const ksiExactPast *past)
{
    const bool isContact = joint->type == dJointTypeContact;
    double square = 0, size = 0;
    if (past->type != joint->type || past->body[0] != joint->body[0] || past->body[1] != joint->body[1])
        return INFINITY;
    if (!isContact)
        return past->id == joint->id ? 0 : INFINITY;
    const double *now = joint->rows.row[0].jacobian[0];
    for (int k = 0; k < 12; k++) {
        square += (now[k] - past->normal[k]) * (now[k] - past->normal[k]);
        size += now[k] * now[k];
    }
    return square <= sameContact * sameContact * size ? square : INFINITY;
}

/* What a joint was in the last step, or NULL. */
static const ksiExactPast *find(const ksiJointInput *joint, const ksiExact *last)
{
    const ksiExactPast *found = NULL;
    double least = INFINITY;
    for (int i = last->firstPast[joint->bodyIndex[0]]; i >= 0; i = last->past[i].next) {
        const double distance = apart(joint, &last->past[i]);
        if (distance < least) {
            least = distance;
            found = &last->past[i];
        }
    }
    return found;
}

void ksiGuess(const ksiStep *step, const ksiExact *last, ksiReport *expected)
{
    const bool isKnown = last->isRemembered && last->remembered + 1 == step->number && step->input->sameBodies;
    for (size_t i = 0; i < step->jointCount; i++) {
        const ksiJointInput *joint = &step->joint[i];
        double *multiplier = expected->joint[i].multiplier;
        const ksiExactPast *past = isKnown && joint->isRead && joint->bodyIndex[0] >= 0 ? find(joint, last) : NULL;
        memset(multiplier, 0, sizeof expected->joint[i].multiplier);
        if (past)
            memcpy(multiplier, past->multiplier, (size_t)joint->rows.count * sizeof *multiplier);
    }
}

ksStatus ksiRememberExact(const ksiStep *step, ksiExact *out)
{
    const ksAllocator *allocator = &step->allocator;
    ksStatus status = ksiReserve(allocator, &out->past, &out->pastCapacity, step->jointCount, sizeof *out->past);
    if (!status)
        status = ksiReserve(allocator, &out->firstPast, &out->firstCapacity, step->bodyCount, sizeof *out->firstPast);
    if (status)
        return status;
    out->remembered = step->number;
    for (size_t i = 0; i < step->bodyCount; i++)
        out->firstPast[i] = -1;
    for (size_t i = step->jointCount; i-- > 0;) {
        const ksiJointInput *joint = &step->joint[i];
        ksiExactPast *past = &out->past[i];
        if (!out->isTaken[i] || !joint->isBounded)
            continue;
        *past = (ksiExactPast){.id = joint->id, .type = joint->type, .body = {joint->body[0], joint->body[1]}};
        past->next = out->firstPast[joint->bodyIndex[0]];
        out->firstPast[joint->bodyIndex[0]] = (int)i;
        memcpy(past->normal, joint->rows.row[0].jacobian, sizeof past->normal);
        memcpy(past->multiplier, step->report[i].multiplier, sizeof past->multiplier);
    }
    return KS_OK;
}

/* exact_guess.c  Takes the initial multipliers of the search from the last step. The host makes
 * contacts anew in each step. A contact continues an old one if the same bodies touched in nearly
 * the same way. */
#include "../phases.h"
#include "exact.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A contact continues an old one if its normal row changes by less than this share of its size. A
 * larger share matches more contacts, each with the nearest old one: a wrong match only slows
 * convergence. */
static const double sameContact = 0.1;

/* |J - J'|^2 of the first rows, scaled by the masses; INFINITY: it is not the same joint */
static double poseDistance(const ksiJointInput *joint, const ksiExactPast *past)
{
    const bool isContact = joint->type == dJointTypeContact;
    double square = 0, size = 0;
    if (past->type != joint->type || past->body[0] != joint->body[0] || past->body[1] != joint->body[1])
        return INFINITY;
    if (!isContact)
        return past->id == joint->id ? 0 : INFINITY;
    const double *now = joint->scaled[0];
    for (int k = 0; k < 12; k++) {
        square += (now[k] - past->normal[k]) * (now[k] - past->normal[k]);
        size += now[k] * now[k];
    }
    return square <= sameContact * sameContact * size ? square : INFINITY;
}

/* The joint's list: all joints between the same bodies are in one list, with few other joints. */
static size_t listOf(const ksiJointInput *joint, size_t lists)
{
    const uint64_t a = (uintptr_t)joint->body[0], b = (uintptr_t)joint->body[1];
    return (size_t)((a * UINT64_C(0x9e3779b97f4a7c15) + b) * UINT64_C(0xbf58476d1ce4e5b9) >> 32) % lists;
}

/* The joint's entry of the last step, or NULL. */
static const ksiExactPast *find(const ksiJointInput *joint, const ksiExact *last)
{
    const ksiExactPast *found = NULL;
    double least = INFINITY;
    for (int i = last->firstPast[listOf(joint, last->listCount)]; i >= 0; i = last->past[i].next) {
        const double distance = poseDistance(joint, &last->past[i]);
        if (distance < least) {
            least = distance;
            found = &last->past[i];
        }
    }
    return found;
}

void ksiGuess(const ksiStep *step, const ksiExact *last, ksiReport *expected)
{
    const bool isKnown = last->isRemembered && last->remembered + 1 == step->number && last->listCount > 0;
    for (size_t i = 0; i < step->jointCount; i++) {
        const ksiJointInput *joint = &step->joint[i];
        if (!joint->isRead)
            continue;
        const ksiExactPast *past = isKnown && joint->isBounded ? find(joint, last) : NULL;
        if (past)
            memcpy(expected->joint[i].multiplier, past->multiplier,
                   (size_t)joint->rows.count * sizeof *past->multiplier);
        ksiPlaceRows(step, i, expected);
    }
}

ksStatus ksiRememberExact(const ksiStep *step, ksiExact *out)
{
    const ksAllocator *allocator = &step->allocator;
    const size_t count = step->jointCount;
    KSI_TRY(ksiReserve(allocator, &out->past, &out->pastCapacity, count, sizeof *out->past));
    KSI_TRY(ksiReserve(allocator, &out->firstPast, &out->firstCapacity, count, sizeof *out->firstPast));
    out->remembered = step->number;
    out->listCount = count;
    for (size_t i = 0; i < count; i++)
        out->firstPast[i] = -1;
    for (size_t i = count; i-- > 0;) {
        const ksiJointInput *joint = &step->joint[i];
        ksiExactPast *past = &out->past[i];
        if (!out->isTaken[i] || !joint->isBounded)
            continue;
        *past = (ksiExactPast){.id = joint->id, .type = joint->type, .body = {joint->body[0], joint->body[1]}};
        int *first = &out->firstPast[listOf(joint, count)];
        past->next = *first;
        *first = (int)i;
        memcpy(past->normal, joint->scaled[0], sizeof past->normal);
        memcpy(past->multiplier, step->report[i].multiplier, sizeof past->multiplier);
    }
    return KS_OK;
}

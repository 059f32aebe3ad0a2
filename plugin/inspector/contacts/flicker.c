/* flicker.c  Phase 11: finds contacts that return after a gap of one to three steps.
 *
 * If the surface layer is zero, a resting point lies above the surface in some steps. Then it is no
 * contact, the bodies fall or tilt freely, and the next step stops them with a force that
 * compensates for the steps before. So the force of a pair dips while fewer points press. A contact
 * that closes at more than the speed that a body gains by gravity in five steps bounces, and does
 * not count. */
#include "flicker.h"

#include "../phases.h"
#include "../publish/wrench_norm.h"
#include "touch.h"

#include <math.h>
#include <string.h>

/* A dip is below this share of the force before and after: a solver's noise in robots is 5 to 15
 * % */
static const double dip = 0.75;

static int compare(const dBodyID a[2], const dBodyID b[2])
{
    for (int side = 0; side < 2; side++)
        if (a[side] != b[side])
            return (uintptr_t)a[side] < (uintptr_t)b[side] ? -1 : 1;
    return 0;
}

/* The order is by bodies; the points of a pair stay in the order of joints. */
static bool isBefore(const ksiTouchingPoint *a, const ksiTouchingPoint *b)
{
    const int order = compare(a->body, b->body);
    return order < 0 || (order == 0 && a->joint < b->joint);
}

/* Shell sort (1959) in place: qsort may allocate outside the host's allocator. */
static void sort(ksiTouchingPoint *point, size_t count)
{
    size_t gap = 1;
    while (gap < count / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < count; i++) {
            const ksiTouchingPoint moved = point[i];
            size_t at = i;
            for (; at >= gap && isBefore(&moved, &point[at - gap]); at -= gap)
                point[at] = point[at - gap];
            point[at] = moved;
        }
}

/* Contacts that press, sorted by their bodies. */
static size_t collect(const ksiStep *step, ksiTouchingPoint *point)
{
    size_t count = 0;
    for (size_t i = 0; i < step->jointCount; i++) {
        const dBodyID *body = step->joint[i].body;
        const bool isTurned = (uintptr_t)body[0] > (uintptr_t)body[1];
        const double press = ksiPressOf(step, i);
        if (press > 0)
            point[count++] = (ksiTouchingPoint){{body[isTurned], body[!isTurned]}, i, press};
    }
    sort(point, count);
    return count;
}

/* The contact slides faster than the speed that a body gains by gravity in two steps. */
static bool slides(const ksiStep *step, size_t index)
{
    const ksiJointInput *joint = &step->joint[index];
    double speed = 0;
    for (int l = 1; l < joint->rows.count; l++)
        if (joint->rows.row[l].kind == KS_ROW_FRICTION)
            speed = hypot(speed, joint->rate[l]);
    return speed > 2 * ksiSize(step->input->gravity, 3) * step->h;
}

/* Adds the points [count] of one pair to this step. false: a blow or the host has ended the history
 * of the pair, or the points do not rest. */
static bool addPoints(const ksiStep *step, const ksiTouchingPoint *point, size_t count, ksiTouchedPair *pair)
{
    bool goesOn = true;
    for (size_t i = 0; i < count; i++) {
        pair->press[0] += point[i].press;
        pair->points[0]++;
        goesOn &=
            !ksiIsStruck(step, point[i].joint) && !slides(step, point[i].joint) && !ksiIsPut(step, (int)point[i].joint);
    }
    return goesOn;
}

/* Copies the earlier steps of the pair. */
static void shift(const ksiTouchedPair *last, ksiTouchedPair *pair)
{
    memcpy(pair->press + 1, last->press, sizeof pair->press - sizeof *pair->press);
    memcpy(pair->points + 1, last->points, sizeof pair->points - sizeof *pair->points);
}

static bool returns(const ksiTouchedPair *pair)
{
    double low = 0;
    int points = 0;
    for (int i = 1; i + 1 < KSI_FLICKER_STEPS; i++) {
        low = fmax(low, pair->press[i]);
        points = pair->points[i] > points ? pair->points[i] : points;
        if (points < pair->points[0] && points < pair->points[i + 1] &&
            low < dip * fmin(pair->press[0], pair->press[i + 1]))
            return true;
    }
    return false;
}

static bool isOver(const ksiTouchedPair *pair)
{
    int points = 0;
    for (int i = 0; i < KSI_FLICKER_STEPS; i++)
        points += pair->points[i];
    return points == 0;
}

static size_t countAlike(const ksiTouchingPoint *point, const ksiTouchingPoint *end)
{
    size_t alike = 1;
    while (point + alike < end && compare(point->body, point[alike].body) == 0)
        alike++;
    return alike;
}

/* Merges the pairs of the last steps with the points of this step. Both lists and the result are
 * sorted by bodies. */
static size_t merge(const ksiStep *step, ksiFlicker *flicker, size_t points, ksiContacts *out)
{
    const ksiTouchedPair *last = flicker->at, *lastEnd = last + flicker->count;
    const ksiTouchingPoint *point = flicker->point, *end = point + points;
    size_t count = 0;
    while (point < end || last < lastEnd) {
        const int order = point == end ? 1 : last == lastEnd ? -1 : compare(point->body, last->body);
        const dBodyID *body = order > 0 ? last->body : point->body;
        const size_t alike = order > 0 ? 0 : countAlike(point, end);
        ksiTouchedPair pair = {.body = {body[0], body[1]}};
        if (addPoints(step, point, alike, &pair) && order >= 0)
            shift(last, &pair);
        for (size_t i = 0; i < alike && returns(&pair); i++)
            out->joint[point[i].joint].reasons |= KS_REASON_FLICKER;
        if (!isOver(&pair))
            flicker->next[count++] = pair;
        point += alike;
        last += order >= 0;
    }
    return count;
}

ksStatus ksiReserveFlicker(const ksiStep *step, ksiFlicker *flicker)
{
    const ksAllocator *allocator = &step->allocator;
    KSI_TRY(ksiReserve(allocator, &flicker->point, &flicker->pointCapacity, step->input->jointCount + 1,
                       sizeof *flicker->point));
    // reserves both lists, since each step swaps them
    const size_t count = step->input->jointCount + flicker->count + 1;
    KSI_TRY(ksiReserve(allocator, &flicker->at, &flicker->capacity, count, sizeof *flicker->at));
    return ksiReserve(allocator, &flicker->next, &flicker->nextCapacity, count, sizeof *flicker->next);
}

void ksiFindFlicker(const ksiStep *step, ksiFlicker *flicker, ksiContacts *out)
{
    const size_t count = merge(step, flicker, collect(step, flicker->point), out);
    const ksiFlicker before = *flicker;
    flicker->at = before.next;
    flicker->capacity = before.nextCapacity;
    flicker->count = count;
    flicker->next = before.at;
    flicker->nextCapacity = before.capacity;
}

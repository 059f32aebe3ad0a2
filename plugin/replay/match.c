/* match.c  Matches the objects of two records. */
#include "match.h"

#include "../base/memory.h"

#include <stdlib.h>
#include <string.h>

/* --- Index of a record --- */

static ksStatus reserve(ksiSide *side, size_t bodies, size_t joints)
{
    const ksAllocator *allocator = &ksiLibraryAllocator;
    ksStatus status = ksiReserve(allocator, &side->joint, &side->jointCapacity, joints + 1, sizeof *side->joint);
    if (!status)
        status = ksiReserve(allocator, &side->bodyMatch, &side->bodyMatchCapacity, bodies + 1, sizeof *side->bodyMatch);
    if (!status)
        status =
            ksiReserve(allocator, &side->jointMatch, &side->jointMatchCapacity, joints + 1, sizeof *side->jointMatch);
    if (!status)
        status = ksiReserve(allocator, &side->sorted, &side->sortedCapacity, bodies + 1, sizeof *side->sorted);
    return status;
}

ksStatus ksiTakeApart(ksiSide *side, const ksiStepRecord *record)
{
    const ksStatus status = reserve(side, record->bodyCount, record->jointCount);
    if (status)
        return status;
    ksiRecordReader reader = ksiReadRecord(record);
    side->record = record;
    side->body = ksiTakeRecorded(&reader, record->bodyCount * sizeof *side->body);
    for (size_t i = 0; i < record->jointCount; i++) {
        side->joint[i] = ksiTakeRecorded(&reader, sizeof *side->joint[i]);
        (void)ksiTakeRecorded(&reader, side->joint[i]->words * sizeof(uint64_t));
    }
    side->end = ksiRecordedEnds(record);
    side->report = ksiRecordedReports(record);
    return KS_OK;
}

void ksiSideFree(ksiSide *side)
{
    ksiFree(&ksiLibraryAllocator, side->joint);
    ksiFree(&ksiLibraryAllocator, side->bodyMatch);
    ksiFree(&ksiLibraryAllocator, side->jointMatch);
    ksiFree(&ksiLibraryAllocator, side->sorted);
    *side = (ksiSide){.record = NULL};
}

/* --- Orders --- */

static int compareNumbers(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

static int byNumber(const void *a, const void *b)
{
    const ksiBodyRecord *const *x = a, *const *y = b;
    return compareNumbers((int64_t)(*x)->number, (int64_t)(*y)->number);
}

/* A joint without a match. */
typedef struct Sorted {
    const ksiJointRecord *joint;
    int64_t body[2]; /* numbers of the joint's bodies */
    double place;    /* placeOf, if the joint is a contact; else 0 */
    long index;
} Sorted;

/* A contact's coordinate along an oblique direction. Two contacts rarely have coordinates so close
 * that noise swaps them. */
static double placeOf(const ksiJointRecord *joint)
{
    static const double direction[3] = {1, 1.4142135623730951, 1.7320508075688772};
    const ksiFields *fields = ksiFieldsOfType((int)joint->type);
    const double *at = (const void *)(joint + 1);
    double place = 0;
    for (size_t i = 0; joint->words > 0 && i < fields->count; i++) {
        const ksiField *field = &fields->field[i];
        for (int k = 0; k < 3 && strcmp(field->name, "position") == 0; k++)
            place += at[k] * direction[k];
        at += field->count;
    }
    return place;
}

static int byBodies(const Sorted *a, const Sorted *b)
{
    const int first = compareNumbers(a->body[0], b->body[0]);
    return first ? first : compareNumbers(a->body[1], b->body[1]);
}

static int byFields(const Sorted *a, const Sorted *b)
{
    const int length = compareNumbers((int64_t)a->joint->words, (int64_t)b->joint->words);
    return length ? length : memcmp(a->joint + 1, b->joint + 1, a->joint->words * sizeof(uint64_t));
}

/* isSame: compares contacts by bodies and fields, other joints by number. Otherwise compares all
 * joints by their bodies. */
static int compareJoints(const Sorted *a, const Sorted *b, bool isSame)
{
    if (a->joint->type != b->joint->type)
        return compareNumbers(a->joint->type, b->joint->type);
    if (isSame && !ksiIsContactRecord(a->joint))
        return compareNumbers((int64_t)a->joint->number, (int64_t)b->joint->number);
    const int bodies = byBodies(a, b);
    return bodies || !isSame ? bodies : byFields(a, b);
}

static int inOrder(const Sorted *a, const Sorted *b, bool isSame)
{
    const int order = compareJoints(a, b, isSame), along = isSame ? 0 : (a->place > b->place) - (a->place < b->place);
    return order ? order : along ? along : compareNumbers(a->index, b->index);
}

static int orderSame(const void *a, const void *b)
{
    return inOrder(a, b, true);
}

static int orderAlike(const void *a, const void *b)
{
    return inOrder(a, b, false);
}

/* --- Matching --- */

/* The joints without a match, sorted. NULL: out of memory. */
static Sorted *sortJoints(const ksiSide *side, bool isSame, size_t *count)
{
    Sorted *made = malloc((side->record->jointCount + 1) * sizeof *made);
    *count = 0;
    for (size_t i = 0; made && i < side->record->jointCount; i++) {
        if (side->jointMatch[i] != KSI_NO_MATCH)
            continue;
        Sorted *one = &made[(*count)++];
        *one = (Sorted){.joint = side->joint[i], .index = (long)i};
        ksiJoinedNumbers(side, one->joint, one->body);
        if (ksiIsContactRecord(one->joint))
            one->place = placeOf(one->joint);
    }
    if (made)
        qsort(made, *count, sizeof *made, isSame ? orderSame : orderAlike);
    return made;
}

static ksStatus matchJoints(ksiSide side[2], bool isSame)
{
    size_t count[2], i = 0, j = 0;
    Sorted *a = sortJoints(&side[0], isSame, &count[0]), *b = sortJoints(&side[1], isSame, &count[1]);
    while (a && b && i < count[0] && j < count[1]) {
        const int which = compareJoints(&a[i], &b[j], isSame);
        if (which == 0) {
            side[0].jointMatch[a[i].index] = b[j].index;
            side[1].jointMatch[b[j].index] = a[i].index;
        }
        i += which <= 0;
        j += which >= 0;
    }
    const ksStatus status = a && b ? KS_OK : KS_ERROR_NO_MEMORY;
    free(a);
    free(b);
    return status;
}

static void matchBodies(ksiSide side[2])
{
    for (size_t i = 0, j = 0; i < side[0].record->bodyCount && j < side[1].record->bodyCount;) {
        const int which = byNumber(&side[0].sorted[i], &side[1].sorted[j]);
        const long a = side[0].sorted[i] - side[0].body, b = side[1].sorted[j] - side[1].body;
        if (which == 0) {
            side[0].bodyMatch[a] = b;
            side[1].bodyMatch[b] = a;
        }
        i += which <= 0;
        j += which >= 0;
    }
}

ksStatus ksiMatchSides(ksiSide side[2])
{
    for (int k = 0; k < 2; k++) {
        const size_t bodies = side[k].record->bodyCount;
        for (size_t i = 0; i < bodies; i++) {
            side[k].bodyMatch[i] = KSI_NO_MATCH;
            side[k].sorted[i] = &side[k].body[i];
        }
        for (size_t i = 0; i < side[k].record->jointCount; i++)
            side[k].jointMatch[i] = KSI_NO_MATCH;
        qsort(side[k].sorted, bodies, sizeof(ksiBodyRecord *), byNumber);
    }
    matchBodies(side);
    const ksStatus status = matchJoints(side, true);
    return status ? status : matchJoints(side, false);
}

void ksiJoinedNumbers(const ksiSide *side, const ksiJointRecord *joint, int64_t out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = joint->body[i] < 0 ? 0 : (int64_t)side->body[joint->body[i]].number;
}

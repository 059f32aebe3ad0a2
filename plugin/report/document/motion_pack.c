/* motion_pack.c  Compresses frames. */
#include "motion_pack.h"

#ifdef KS_HAVE_THREE

#include "../../base/memory.h"

#include <libdeflate.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* --- Objects and their items --- */

static ksiShownKey keyOfBody(const void *item)
{
    return (ksiShownKey){((const ksiShownBody *)item)->number, 0};
}

static uint64_t pairOf(const int body[2])
{
    return (uint64_t)(uint32_t)body[0] << 32 | (uint32_t)body[1];
}

ksiShownKey ksiJointKey(dJointType type, int number, const int body[2])
{
    return (ksiShownKey){(uint64_t)type << 32 | (uint32_t)number, pairOf(body)};
}

static ksiShownKey keyOfJoint(const void *item)
{
    const ksiShownJoint *joint = item;
    return ksiJointKey(joint->type, joint->number, joint->body);
}

static ksiShownKey keyOfContact(const void *item)
{
    return (ksiShownKey){pairOf(((const ksiShownContact *)item)->body), 0};
}

/* A kind of objects: the place of its items in a frame, their size, and their identity. */
typedef struct Kind {
    size_t count, items, size; /* offsets of members of ksiShownFrame; bytes of an item */
    ksiShownKey (*key)(const void *item);
} Kind;

static const Kind bodies = {offsetof(ksiShownFrame, bodyCount), offsetof(ksiShownFrame, body), sizeof(ksiShownBody),
                            keyOfBody},
                  joints = {offsetof(ksiShownFrame, jointCount), offsetof(ksiShownFrame, joint), sizeof(ksiShownJoint),
                            keyOfJoint},
                  contacts = {offsetof(ksiShownFrame, contactCount), offsetof(ksiShownFrame, contact),
                              sizeof(ksiShownContact), keyOfContact};

static size_t countOf(const ksiShownFrame *frame, const Kind *kind)
{
    return *(const size_t *)(const void *)((const char *)frame + kind->count);
}

static const char *itemOf(const ksiShownFrame *frame, const Kind *kind, size_t index)
{
    const char *first = *(const char *const *)(const void *)((const char *)frame + kind->items);
    return first + index * kind->size;
}

/* Finds the object of each item, in the order of frames, and counts items by object. */
static bool findObjects(const ksiPacked *packed, const Kind *kind, ksiMap *index, size_t *object, ksiShownKind *out)
{
    size_t capacity = 0, at = 0;
    for (size_t f = 0; f < packed->frameCount; f++) {
        for (size_t i = 0; i < countOf(packed->frame[f], kind); i++) {
            const ksiShownKey key = kind->key(itemOf(packed->frame[f], kind, i));
            const uint64_t *known = ksiMapFind(index, key.a, key.b);
            object[at] = known ? (size_t)*known : out->count;
            if (!known) {
                if (ksiReserve(packed->allocator, &out->end, &capacity, out->count + 1, sizeof *out->end) ||
                    !ksiMapPut(packed->allocator, index, key.a, key.b, out->count))
                    return false;
                out->end[out->count++] = 0;
            }
            out->end[object[at++]]++;
        }
    }
    return true;
}

/* Sorts items by object, then by frame. */
static void sortItems(const ksiPacked *packed, const Kind *kind, const size_t *object, ksiShownKind *out)
{
    size_t sum = 0, at = 0;
    for (size_t i = 0; i < out->count; i++) {
        const size_t count = out->end[i];
        out->end[i] = sum;
        sum += count;
    }
    // end[] has the start of each object's items, and advances to their end
    for (size_t f = 0; f < packed->frameCount; f++)
        for (size_t i = 0; i < countOf(packed->frame[f], kind); i++)
            out->item[out->end[object[at++]]++] =
                (ksiShownItem){.frame = (uint32_t)f, .at = itemOf(packed->frame[f], kind, i)};
}

static bool collect(const ksiPacked *packed, const Kind *kind, ksiShownKind *out)
{
    ksiMap index = {.count = 0};
    for (size_t f = 0; f < packed->frameCount; f++)
        out->itemCount += countOf(packed->frame[f], kind);
    size_t *object = ksiRoomMake(packed->allocator, (out->itemCount + 1) * sizeof *object);
    out->item = ksiRoomMake(packed->allocator, (out->itemCount + 1) * sizeof *out->item);
    const bool isWhole = object && out->item && findObjects(packed, kind, &index, object, out);
    if (isWhole)
        sortItems(packed, kind, object, out);
    ksiFree(packed->allocator, object);
    ksiMapFree(packed->allocator, &index);
    return isWhole;
}

/* --- Columns --- */

typedef struct Column {
    ksiText *out;
    int order;
    int64_t last, slope;
} Column;

static void put(Column *column, int64_t x)
{
    const int64_t difference = x - column->last, rest = difference - (column->order == 2 ? column->slope : 0);
    uint64_t left = (uint64_t)rest << 1 ^ (uint64_t)(rest >> 63);
    unsigned char byte[10];
    size_t count = 0;
    do {
        byte[count] = (unsigned char)((left & 0x7f) | (left > 0x7f ? 0x80 : 0));
        left >>= 7;
        count++;
    } while (left > 0);
    ksiTextAddBytes(column->out, byte, count);
    column->last = x;
    column->slope = difference;
}

/* Rounds, and clamps so that a browser can tell neighbouring integers apart. 0: not finite. */
static int64_t whole(double x)
{
    static const double most = 0x1p50;
    return isfinite(x) ? llround(fmax(-most, fmin(most, x))) : 0;
}

static int64_t folded(double x)
{
    if (!isfinite(x))
        return 0;
    const int64_t n = whole(KSI_PER_FOLD * asinh(x / KSI_LEAST));
    return n >= 0 ? n + 1 : n;
}

/* Writes the numbers of an item to `out`, in the order of columns. Returns their count. */
enum { MOST_COLUMNS = 32 };
typedef int NumbersFn(ksiPacked *packed, const void *item, int64_t out[MOST_COLUMNS]);

static int putPlace(const ksiPacked *packed, const double place[3], int64_t *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = whole(place[i] / packed->unit);
    return 3;
}

static int numbersOfBody(ksiPacked *packed, const void *item, int64_t *out)
{
    const ksiShownBody *body = item;
    int count = putPlace(packed, body->place, out);
    for (int i = 0; i < 4; i++)
        out[count++] = whole(KSI_TURNS * (double)body->turn[i]);
    return count;
}

/* The index of the joint's state, added if it is new; packed->bytes shows if memory ran out. */
static int64_t stateOf(ksiPacked *packed, const ksiShownJoint *joint)
{
    for (size_t i = 0; i < packed->stateCount; i++) {
        const ksiShownState *state = &packed->state[i];
        if (state->reasons == joint->reasons && state->verdict == joint->verdict &&
            state->undetermined == joint->undetermined)
            return (int64_t)i;
    }
    if (ksiReserve(packed->allocator, &packed->state, &packed->stateCapacity, packed->stateCount + 1,
                   sizeof *packed->state)) {
        packed->bytes.isShort = true;
        return 0;
    }
    packed->state[packed->stateCount] =
        (ksiShownState){.reasons = joint->reasons, .verdict = joint->verdict, .undetermined = joint->undetermined};
    return (int64_t)packed->stateCount++;
}

static int numbersOfJoint(ksiPacked *packed, const void *item, int64_t *out)
{
    const ksiShownJoint *joint = item;
    const double place[3] = {(double)joint->place[0], (double)joint->place[1], (double)joint->place[2]};
    int count = putPlace(packed, place, out);
    out[count++] = stateOf(packed, joint);
    for (int v = 0; v < KSI_SHOWN_VALUES; v++)
        for (int i = 0; i < 6; i++)
            out[count++] = folded((double)joint->wrench[v][i]);
    for (int i = 0; i < 4; i++)
        out[count++] = folded((double)joint->bar[i / 2][i % 2]);
    for (int i = 0; i < 2; i++)
        out[count++] = folded((double)joint->error[i]);
    return count;
}

static int numbersOfContact(ksiPacked *packed, const void *item, int64_t *out)
{
    const ksiShownContact *contact = item;
    int count = putPlace(packed, contact->place, out);
    for (int i = 0; i < 3; i++)
        out[count++] = folded((double)contact->force[i]);
    return count;
}

/* q and -q are the same rotation: removes a change of sign, so that columns stay smooth. */
static void keepSign(int64_t *turn, const int64_t *last)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += turn[i] * last[i];
    for (int i = 0; i < 4 && sum < 0; i++)
        turn[i] = -turn[i];
}

static void putObject(ksiPacked *packed, const ksiShownItem *item, size_t count, NumbersFn *numbers, int order)
{
    int64_t now[MOST_COLUMNS] = {0};
    const int columns = count > 0 ? numbers(packed, item[0].at, now) : 0;
    int64_t *all = ksiRoomMake(packed->allocator, (count * (size_t)columns + 1) * sizeof *all);
    if (!all) {
        packed->bytes.isShort = true;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int64_t *row = all + i * (size_t)columns;
        numbers(packed, item[i].at, row);
        if (numbers == numbersOfBody && i > 0)
            keepSign(row + 3, row + 3 - columns);
    }
    for (int c = 0; c < columns; c++) {
        Column column = {.out = &packed->bytes, .order = order};
        for (size_t i = 0; i < count; i++)
            put(&column, all[i * (size_t)columns + (size_t)c]);
    }
    ksiFree(packed->allocator, all);
}

static void putKind(ksiPacked *packed, const ksiShownKind *kind, NumbersFn *numbers, int order)
{
    for (size_t i = 0; i < kind->count; i++) {
        const size_t begin = i > 0 ? kind->end[i - 1] : 0;
        putObject(packed, kind->item + begin, kind->end[i] - begin, numbers, order);
    }
}

static void putFrames(ksiPacked *packed)
{
    Column step = {.out = &packed->bytes, .order = 1}, time = {.out = &packed->bytes, .order = 2};
    for (size_t i = 0; i < packed->frameCount; i++)
        put(&step, whole((double)packed->frame[i]->step));
    for (size_t i = 0; i < packed->frameCount; i++)
        put(&time, whole(1e6 * packed->frame[i]->time));
}

/* The unit of positions: a 65536th of the extent of the bodies' positions in the first frame where
 * the extent is not 0. It is less than a pixel. */
static double unitOf(const ksiPacked *packed)
{
    static const double share = 0x1p-16, least = 1e-9;
    double largest = 0;
    for (size_t f = 0; f < packed->frameCount && !(largest > 0); f++) {
        const ksiShownFrame *frame = packed->frame[f];
        for (size_t i = 0; i < frame->bodyCount; i++)
            for (int k = 0; k < 3; k++)
                largest = fmax(largest, fabs(frame->body[i].place[k] - frame->body[0].place[k]));
    }
    return largest > least && isfinite(largest) ? share * largest : 1e-4;
}

bool ksiPack(const ksAllocator *allocator, const ksiShownMotion *motion, double rate, unsigned k, uint64_t from,
             ksiPacked *packed)
{
    *packed = (ksiPacked){.allocator = allocator, .bytes = {.allocator = allocator}};
    packed->frame = ksiRoomMake(allocator, (motion->frameCount + 1) * sizeof *packed->frame);
    if (!packed->frame)
        return false;
    for (size_t i = 0; i < motion->frameCount; i++) {
        const ksiShownFrame *frame = motion->frame[i],
                            *last = packed->frameCount ? packed->frame[packed->frameCount - 1] : NULL;
        if (frame->step < from)
            continue;
        if (!last || ksiMotionBucket(rate, k, last->time) != ksiMotionBucket(rate, k, frame->time))
            packed->frame[packed->frameCount++] = frame;
    }
    packed->unit = unitOf(packed);
    if (!collect(packed, &bodies, &packed->body) || !collect(packed, &joints, &packed->joint) ||
        !collect(packed, &contacts, &packed->contact))
        return false;
    putFrames(packed);
    putKind(packed, &packed->body, numbersOfBody, 2);
    putKind(packed, &packed->joint, numbersOfJoint, 1);
    putKind(packed, &packed->contact, numbersOfContact, 1);
    return !packed->bytes.isShort;
}

void ksiPackedFree(ksiPacked *packed)
{
    ksiShownKind *const kind[] = {&packed->body, &packed->joint, &packed->contact};
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        ksiFree(packed->allocator, kind[i]->end);
        ksiFree(packed->allocator, kind[i]->item);
    }
    ksiFree(packed->allocator, packed->frame);
    ksiFree(packed->allocator, packed->state);
    ksiTextFree(&packed->bytes);
}

/* --- The pack as text --- */

/* Source: RFC 4648, section 4. */
static void addBase64(const unsigned char *byte, size_t count, ksiText *out)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < count; i += 3) {
        const size_t there = count - i < 3 ? count - i : 3;
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (k < there ? byte[i + k] : 0);
        char text[4];
        for (size_t k = 0; k < 4; k++)
            text[k] = k <= there ? digit[bits >> (18 - 6 * k) & 63] : '=';
        ksiTextAddBytes(out, text, sizeof text);
    }
}

bool ksiDeflate(const ksiText *bytes, ksiText *out)
{
    enum { LEVEL = 9 };
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    const size_t most = libdeflate_zlib_compress_bound(compressor, bytes->length);
    unsigned char *packed = compressor ? malloc(most) : NULL;
    const size_t count = packed ? libdeflate_zlib_compress(compressor, bytes->at, bytes->length, packed, most) : 0;
    addBase64(packed, count, out);
    if (compressor)
        libdeflate_free_compressor(compressor);
    free(packed);
    return count > 0 && !out->isShort;
}

#else

typedef int ksiNothingIsShown;

#endif

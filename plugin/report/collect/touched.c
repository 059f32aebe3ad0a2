/* touched.c  Shares of steps in which bodies are in contact. */
#include "touched.h"

#include "../document/document.h"
#include "../files/maps.h"
#include "../findings/view.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 4 };

/* --- Steps --- */

static bool reserve(const ksAllocator *allocator, ksiTouched *touched, size_t count)
{
    if (count <= touched->count)
        return true;
    if (ksiReserve(allocator, &touched->body, &touched->capacity, count, sizeof *touched->body))
        return false;
    memset(touched->body + touched->count, 0, (count - touched->count) * sizeof *touched->body);
    touched->count = count;
    return true;
}

bool ksiTouchedAdd(const ksAllocator *allocator, ksiTouched *touched, int body, uint64_t step)
{
    if (body <= 0 || body > KSI_MOST_NUMBER)
        return true;
    if (!reserve(allocator, touched, (size_t)body + 1))
        return false;
    ksiTouchedBody *of = &touched->body[body];
    of->steps += of->next != step + 1;
    of->next = step + 1;
    return true;
}

bool ksiTouchedMerge(const ksAllocator *allocator, ksiTouched *into, const ksiTouched *from)
{
    if (!reserve(allocator, into, from->count))
        return false;
    for (size_t i = 0; i < from->count; i++)
        into->body[i].steps += from->body[i].steps;
    return true;
}

void ksiStreamTouched(ksiStream *s, ksiTouched *touched)
{
    uint64_t count = touched->count;
    ksiStreamUpTo(s, &count, KSI_MOST_NUMBER + 1);
    for (size_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        ksiStreamNeed(s, reserve(s->allocator, touched, i + 1));
        if (ksiStreamIsGood(s))
            ksiStreamCount(s, &touched->body[i].steps);
    }
}

/* --- Bodies of mechanisms --- */

bool ksiEachTouched(const ksiWorldView *world, const ksAllocator *allocator,
                    void (*each)(int body, uint64_t steps, void *user), void *user)
{
    const ksiTouched *touched = &world->stats->touched;
    if (touched->count == 0)
        return true;
    bool *isHeld = ksiRoomMake(allocator, touched->count * sizeof *isHeld);
    if (!isHeld)
        return false;
    memset(isHeld, 0, touched->count * sizeof *isHeld);
    for (size_t i = 0; i < world->jointCount; i++)
        for (int side = 0; side < 2; side++) {
            const int body = world->joint[i].stats->body[side];
            if (body > 0 && (size_t)body < touched->count)
                isHeld[body] = true;
        }
    for (size_t i = 0; i < touched->count; i++)
        if (isHeld[i] && touched->body[i].steps > 0)
            each((int)i, touched->body[i].steps, user);
    ksiFree(allocator, isHeld);
    return true;
}

/* The first body, in order of increasing number of steps. */
typedef struct Least {
    size_t count;
    int body[MOST_TOLD];
    uint64_t steps[MOST_TOLD];
} Least;

static void note(int body, uint64_t steps, void *user)
{
    Least *least = user;
    size_t place = least->count < MOST_TOLD ? least->count : MOST_TOLD;
    least->count++;
    while (place > 0 && steps < least->steps[place - 1]) {
        if (place < MOST_TOLD) {
            least->body[place] = least->body[place - 1];
            least->steps[place] = least->steps[place - 1];
        }
        place--;
    }
    if (place == MOST_TOLD)
        return;
    least->body[place] = body;
    least->steps[place] = steps;
}

static Least findLeast(const ksiWorldView *world, ksiText *out)
{
    Least least = {.count = 0};
    out->isShort |= !ksiEachTouched(world, out->allocator, note, &least);
    return least;
}

void ksiWriteTouched(const ksiWorldView *world, ksiText *out)
{
    const Least least = findLeast(world, out);
    char share[KSI_PERCENT_SIZE];
    for (size_t i = 0; i < least.count && i < MOST_TOLD; i++)
        ksiTextAdd(out, "%sbody %d in %s%s", i ? ", " : "", least.body[i],
                   ksiPercent(share, (double)least.steps[i] / (double)world->stats->inspected),
                   i ? "" : " of the steps");
    if (least.count > MOST_TOLD)
        ksiTextAdd(out, " and %zu more", least.count - MOST_TOLD);
}

bool ksiWriteHops(const ksiWorldView *world, ksiText *out)
{
    const Least least = findLeast(world, out);
    if (least.count == 0 || least.steps[0] >= world->stats->inspected)
        return false;
    ksiTextAdd(out, " In contact: ");
    ksiWriteTouched(world, out);
    ksiTextAdd(out, "; in the other steps a standing foot hops.");
    return true;
}

/* flickers.c  Pairs of bodies whose contacts come and go. */
#include "flickers.h"

#include "../../base/sorted.h"
#include "../document/document.h"
#include "../files/maps.h"
#include "../findings/view.h"

#include <string.h>

/* A pair is reported if it touches again in more than this share of the steps, and in at least
 * FEWEST steps. In a heap that still moves, pairs touch again in up to 19 steps. */
static const double largeShare = 0.01;
enum { FEWEST = 20, MOST_TOLD = 4 };

/* --- Steps --- */

/* Finds the pair, or inserts it in order; NULL: out of memory. */
static ksiFlickering *make(const ksAllocator *allocator, ksiFlickers *flickers, const int body[2])
{
    return ksiFindOrInsert(allocator, body, 2 * sizeof *body, ksiByTwo, &flickers->pair, &flickers->capacity,
                           &flickers->count, sizeof *flickers->pair);
}

bool ksiFlickersAdd(const ksAllocator *allocator, ksiFlickers *flickers, const int body[2], uint64_t step)
{
    if (body[0] > KSI_MOST_NUMBER || body[1] > KSI_MOST_NUMBER)
        return true;
    ksiFlickering *pair = make(allocator, flickers, body);
    if (!pair)
        return false;
    pair->steps += pair->next != step + 1;
    pair->next = step + 1;
    return true;
}

bool ksiFlickersMerge(const ksAllocator *allocator, ksiFlickers *into, const ksiFlickers *from)
{
    for (size_t i = 0; i < from->count; i++) {
        ksiFlickering *pair = make(allocator, into, from->pair[i].body);
        if (!pair)
            return false;
        pair->steps += from->pair[i].steps;
    }
    return true;
}

void ksiStreamFlickers(ksiStream *s, ksiFlickers *flickers)
{
    uint64_t count = flickers->count;
    ksiStreamCount(s, &count);
    for (size_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        ksiFlickering one = s->out ? flickers->pair[i] : (ksiFlickering){.steps = 0};
        for (int side = 0; side < 2; side++)
            ksiStreamWhole(s, &one.body[side], KSI_MOST_NUMBER);
        ksiStreamCount(s, &one.steps);
        if (s->out || !ksiStreamIsGood(s))
            continue;
        ksiStreamRequire(s, i == 0 || ksiByTwo(flickers->pair[i - 1].body, one.body) < 0);
        ksiFlickering *made = ksiStreamIsGood(s) ? make(s->allocator, flickers, one.body) : NULL;
        ksiStreamNeed(s, made || !ksiStreamIsGood(s));
        if (made)
            made->steps = one.steps;
    }
}

/* --- Reported pairs --- */

bool ksiFlickersOften(const ksiWorldView *world, const ksiFlickering *pair)
{
    return pair->steps >= FEWEST && (double)pair->steps > largeShare * (double)world->stats->inspected;
}

size_t ksiCountFlickers(const ksiWorldView *world)
{
    const ksiFlickers *flickers = &world->stats->flickers;
    size_t count = 0;
    for (size_t i = 0; i < flickers->count; i++)
        count += ksiFlickersOften(world, &flickers->pair[i]);
    return count;
}

/* The next pair, in order of decreasing step counts; last: NULL before the first. */
static const ksiFlickering *nextOf(const ksiWorldView *world, const ksiFlickering *last)
{
    const ksiFlickers *flickers = &world->stats->flickers;
    const ksiFlickering *next = NULL;
    for (size_t i = 0; i < flickers->count; i++) {
        const ksiFlickering *pair = &flickers->pair[i];
        const bool isBehind = !last || pair->steps < last->steps || (pair->steps == last->steps && pair - last > 0);
        if (isBehind && (!next || pair->steps > next->steps))
            next = pair;
    }
    return next;
}

void ksiWriteFlickers(const ksiWorldView *world, ksiText *out)
{
    const size_t count = ksiCountFlickers(world);
    const ksiFlickering *pair = NULL;
    char share[KSI_PERCENT_SIZE], other[24];
    for (size_t i = 0; i < count && i < MOST_TOLD && (pair = nextOf(world, pair)) != NULL; i++) {
        snprintf(other, sizeof other, pair->body[1] ? "body %d" : "world", pair->body[1]);
        ksiTextAdd(out, "%sbody %d – %s in %s%s", i ? ", " : "", pair->body[0], other,
                   ksiPercent(share, (double)pair->steps / (double)world->stats->inspected), i ? "" : " of the steps");
    }
    if (count > MOST_TOLD)
        ksiTextAdd(out, " and %zu more", count - MOST_TOLD);
}

/* contact_shares.c  Shares of steps in which bodies are in contact. */
#include "contact_shares.h"

#include "../document/document.h"
#include "../files/maps.h"
#include "../findings/view.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 4 };

/* --- Steps --- */

static bool reserve(const ksAllocator *allocator, ksiContactShares *shares, size_t count)
{
    if (count <= shares->count)
        return true;
    if (ksiReserve(allocator, &shares->body, &shares->capacity, count, sizeof *shares->body))
        return false;
    memset(shares->body + shares->count, 0, (count - shares->count) * sizeof *shares->body);
    shares->count = count;
    return true;
}

bool ksiContactSharesAdd(const ksAllocator *allocator, ksiContactShares *shares, int body, uint64_t step)
{
    if (body <= 0 || body > KSI_MOST_NUMBER)
        return true;
    if (!reserve(allocator, shares, (size_t)body + 1))
        return false;
    ksiBodyContact *of = &shares->body[body];
    of->steps += of->next != step + 1;
    of->next = step + 1;
    return true;
}

bool ksiContactSharesMerge(const ksAllocator *allocator, ksiContactShares *into, const ksiContactShares *from)
{
    if (!reserve(allocator, into, from->count))
        return false;
    for (size_t i = 0; i < from->count; i++)
        into->body[i].steps += from->body[i].steps;
    return true;
}

void ksiStreamContactShares(ksiStream *s, ksiContactShares *shares)
{
    uint64_t count = shares->count;
    ksiStreamUpTo(s, &count, KSI_MOST_NUMBER + 1);
    for (size_t i = 0; i < count && ksiStreamIsGood(s); i++) {
        ksiStreamNeed(s, reserve(s->allocator, shares, i + 1));
        if (ksiStreamIsGood(s))
            ksiStreamCount(s, &shares->body[i].steps);
    }
}

/* --- Bodies of mechanisms --- */

bool ksiEachContactShare(const ksiWorldView *world, const ksAllocator *allocator,
                         void (*each)(int body, uint64_t steps, void *user), void *user)
{
    const ksiContactShares *shares = &world->stats->contactShares;
    if (shares->count == 0)
        return true;
    bool *isHeld = ksiRoomMake(allocator, shares->count * sizeof *isHeld);
    if (!isHeld)
        return false;
    memset(isHeld, 0, shares->count * sizeof *isHeld);
    for (size_t i = 0; i < world->jointCount; i++)
        for (int side = 0; side < 2; side++) {
            const int body = world->joint[i].stats->body[side];
            if (body > 0 && (size_t)body < shares->count)
                isHeld[body] = true;
        }
    for (size_t i = 0; i < shares->count; i++)
        if (isHeld[i] && shares->body[i].steps > 0)
            each((int)i, shares->body[i].steps, user);
    ksiFree(allocator, isHeld);
    return true;
}

/* The bodies that have had a contact in the fewest steps, in ascending order of these steps. count:
 * number of all bodies. */
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
    out->isShort |= !ksiEachContactShare(world, out->allocator, note, &least);
    return least;
}

/* Writes the bodies' shares of steps with contact, or without. */
static void writeShares(const ksiWorldView *world, bool isWith, ksiText *out)
{
    const Least least = findLeast(world, out);
    char share[KSI_PERCENT_SIZE];
    for (size_t i = 0; i < least.count && i < MOST_TOLD; i++) {
        const uint64_t steps = isWith ? least.steps[i] : world->stats->inspected - least.steps[i];
        ksiTextAdd(out, "%sbody %d in %s%s", i ? ", " : "", least.body[i],
                   ksiPercent(share, (double)steps / (double)world->stats->inspected), i ? "" : " of the steps");
    }
    if (least.count > MOST_TOLD)
        ksiTextAdd(out, " and %zu more", least.count - MOST_TOLD);
}

void ksiWriteContactShares(const ksiWorldView *world, ksiText *out)
{
    writeShares(world, true, out);
}

bool ksiWriteHops(const ksiWorldView *world, ksiText *out)
{
    const Least least = findLeast(world, out);
    if (least.count == 0 || least.steps[0] >= world->stats->inspected)
        return false;
    ksiTextAdd(out, " Without contact: ");
    writeShares(world, false, out);
    ksiTextAdd(out, ". A standing foot hops in these. In exact steps (ksInspectorExactStep), which solve contacts "
                    "with the joints, a machine at rest stands still.");
    return true;
}

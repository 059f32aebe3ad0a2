/* deal.c  What there is to be judged, handed out part by part.
 *
 * Whoever judges a part of a recording reads all of it. So recordings are handed out whole as long as much is left, and are divided near the end, when
 * others would wait for who has the last one: no part is larger than
 *
 *     bytes left / takers
 *
 * but for those that have about one window.
 * Source: Polychronopoulos, Kuck, Guided self-scheduling, IEEE Trans. Comput. C-36 (1987), 1425 */
#include "deal.h"

#include "../report/collect/run.h"

/* About a window of a small mechanism. */
enum { LEAST_BYTES = 1 << 20 };

ksiDeal ksiDealBegin(char *const *file, unsigned takers, uint64_t bytes)
{
    return (ksiDeal){.file = file, .takers = takers, .bytesLeft = bytes};
}

static uint32_t divide(const ksiDeal *deal)
{
    const uint64_t fair = deal->bytesLeft / deal->takers, least = LEAST_BYTES;
    const uint64_t most = fair > least ? fair : least;
    const uint64_t parts = (deal->fileBytes + most - 1) / most;
    if (deal->takers == 1 || parts < 2)
        return 1;
    return parts < KSI_MOST_SHARDS ? (uint32_t)parts : KSI_MOST_SHARDS;
}

/* A file may have changed since they were counted. */
static void beginFile(ksiDeal *deal)
{
    deal->fileBytes = ksiFileBytes(deal->file[deal->next]);
    deal->part = 0;
    deal->parts = divide(deal);
    deal->bytesLeft -= deal->fileBytes < deal->bytesLeft ? deal->fileBytes : deal->bytesLeft;
}

ksiUnit ksiDealNext(ksiDeal *deal)
{
    if (!deal->file[deal->next])
        return (ksiUnit){.parts = 0};
    if (deal->parts == 0)
        beginFile(deal);
    const ksiUnit unit = {
        .file = deal->next, .part = deal->part, .parts = deal->parts, .bytes = deal->fileBytes / deal->parts};
    if (++deal->part == deal->parts) {
        deal->parts = 0;
        deal->next++;
    }
    return unit;
}

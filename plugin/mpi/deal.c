/* deal.c  Hands out the work part by part.
 *
 * Judging a part of a recording needs all of its records read. So recordings are handed out whole
 * at first, and divided near the end, when other ranks would wait for the last one. No part is
 * larger than
 *
 *     bytes left / takers
 *
 * except parts of about one window.
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

/* A file may have changed since it was counted. */
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

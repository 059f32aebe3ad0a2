/* flickers.h  Pairs of bodies whose contacts come and go (KS_REASON_FLICKER). */
#ifndef KSI_REPORT_COLLECT_FLICKERS_H
#define KSI_REPORT_COLLECT_FLICKERS_H

#include "../files/stream.h"

#include <stdbool.h>
#include <stdint.h>

struct ksiWorldView;

typedef struct ksiFlickering {
    int body[2];    /* numbers, the smaller one first, but the world (0) last; see ksiIdentity */
    uint64_t steps; /* steps in which they touch again */
    uint64_t next;  /* the step after the last of these */
} ksiFlickering;

/* Sorted by body; omits pairs with numbers above KSI_MOST_NUMBER. */
typedef struct ksiFlickers {
    ksiFlickering *pair; /* [count] */
    size_t count, capacity;
} ksiFlickers;

/* Notes that the two bodies touch again in this step. false: out of memory. */
bool ksiFlickersAdd(const ksAllocator *allocator, ksiFlickers *flickers, const int body[2], uint64_t step);
bool ksiFlickersMerge(const ksAllocator *allocator, ksiFlickers *into, const ksiFlickers *from);
void ksiStreamFlickers(ksiStream *s, ksiFlickers *flickers);

/* Does the pair flicker often enough for the report? */
bool ksiFlickersOften(const struct ksiWorldView *world, const ksiFlickering *pair);
size_t ksiCountFlickers(const struct ksiWorldView *world);

/* "body 5 – world in 7 % of the steps, body 5 – body 9 in 3 % and 2 more", the largest share
 * first. */
void ksiWriteFlickers(const struct ksiWorldView *world, ksiText *out);

#endif

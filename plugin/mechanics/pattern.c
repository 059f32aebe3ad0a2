/* pattern.c  The pattern cache. A pattern is looked up by a hash and compared in full. It is kept
 * while a mechanism uses it. A few unused patterns are also kept; a new one replaces the least
 * recently used of them. */
#include "pattern.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* The heaviest block, if much heavier than the lightest and if bodies may form free trees; else -1.
 * Each tree is rooted by its own bodies, see symbolic_articulated.c. */
static int heavyBlock(const ksiModel *model, const ksiFronts *fronts)
{
    double least = INFINITY, most = 0;
    int heaviest = -1;
    if (fronts->groupCount >= model->blockCount || model->choleskyCount == 0)
        return -1;
    for (int b = 0; b < model->blockCount; b++) {
        const double weight = ksiBlockWeight(model, b);
        heaviest = weight > most ? b : heaviest;
        least = fmin(least, weight);
        most = fmax(most, weight);
    }
    return most > KSI_MUCH_HEAVIER * least ? heaviest : -1;
}

static uint64_t mix(uint64_t hash, int count, const int *value)
{
    for (int i = 0; i < count; i++) {
        hash = (hash ^ (uint32_t)value[i]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static uint64_t hashOf(const ksiModel *model)
{
    uint64_t hash = (uint64_t)model->blockCount << 32 | (uint32_t)model->rowCount;
    hash = mix(hash, model->blockCount, model->blockSize);
    hash = mix(hash, model->rowCount > 0 ? model->rowCount + 1 : 0, model->rowPiece);
    return mix(hash, model->pieceCount, model->pieceBlock);
}

static bool isPatternOf(const ksiPattern *pattern, const ksiModel *model)
{
    return pattern->id > 0 && ksiSameRowGroups(model, &pattern->fronts) &&
           pattern->heavyBlock == heavyBlock(model, &pattern->fronts);
}

/* The least recently used spare pattern, if there are as many as may be kept; else NULL. */
static ksiPattern *oldestSpare(const ksiPatternCache *cache)
{
    ksiPattern *oldest = NULL;
    int spare = 0;
    for (ksiPattern *p = cache->first; p; p = p->next) {
        if (p->users > 0)
            continue;
        spare++;
        if (!oldest || p->used < oldest->used)
            oldest = p;
    }
    return spare >= KSI_SPARE_PATTERNS ? oldest : NULL;
}

static ksiPattern *addPattern(ksiPatternCache *cache)
{
    ksiPattern *made = cache->allocator->resize(cache->allocator->user, NULL, sizeof *made);
    if (!made)
        return NULL;
    memset(made, 0, sizeof *made);
    made->next = cache->first;
    cache->first = made;
    return made;
}

/* A pattern of the model's blocks and rows, with nothing but the groups. */
static ksiPattern *makePattern(ksiPatternCache *cache, const ksiModel *model, uint64_t hash)
{
    ksiPattern *made = oldestSpare(cache);
    if (!made)
        made = addPattern(cache);
    if (!made)
        return NULL;
    made->id = made->strips.id = made->links.id = 0;
    made->strips.withoutHubs = 0;
    made->used = 0;
    for (int view = 0; view < KSI_VIEW_COUNT; view++)
        for (int i = 0; i < KSI_MOST_SYMBOLIC && made->symbolic[view][i]; i++)
            made->symbolic[view][i]->id = 0;
    if (ksiFindRowGroups(model, &made->fronts))
        return NULL;
    made->hash = hash;
    made->heavyBlock = heavyBlock(model, &made->fronts);
    made->id = ++cache->id;
    return made;
}

ksStatus ksiFindPattern(ksiPatternCache *cache, const ksiModel *model, ksiPattern **pattern)
{
    ksiPattern *found = *pattern;
    if (!found || !isPatternOf(found, model)) {
        const uint64_t hash = hashOf(model);
        for (found = cache->first; found; found = found->next)
            if (found->hash == hash && isPatternOf(found, model))
                break;
        if (!found)
            found = makePattern(cache, model, hash);
        if (!found)
            return KS_ERROR_NO_MEMORY;
        if (*pattern)
            (*pattern)->users--;
        found->users++;
        *pattern = found;
    }
    found->used = ++cache->clock;
    return KS_OK;
}

ksiSymbolic *ksiRecallSymbolic(const ksiPattern *pattern, ksiViewIndex view, unsigned id)
{
    ksiSymbolic *last = NULL, *const *of = pattern->symbolic[view];
    for (int i = 0; i < KSI_MOST_SYMBOLIC && of[i]; i++) {
        if (of[i]->id > 0 && of[i]->id == id)
            return of[i];
        if (of[i]->id > 0 && (!last || of[i]->used > last->used))
            last = of[i];
    }
    return last;
}

ksiSymbolic *ksiFindSymbolic(ksiPatternCache *cache, ksiPattern *pattern, ksiViewIndex view, int rows, const int *kind)
{
    ksiSymbolic **of = pattern->symbolic[view], *oldest = NULL;
    int i = 0;
    for (; i < KSI_MOST_SYMBOLIC && of[i]; i++) {
        if (of[i]->id > 0 && (rows == 0 || memcmp(of[i]->kind, kind, (size_t)rows * sizeof *kind) == 0))
            return of[i];
        if (!oldest || of[i]->id == 0 || (oldest->id > 0 && of[i]->used < oldest->used))
            oldest = of[i];
    }
    if (i < KSI_MOST_SYMBOLIC && !(oldest && oldest->id == 0)) {
        oldest = of[i] = cache->allocator->resize(cache->allocator->user, NULL, sizeof *oldest);
        if (!oldest)
            return NULL;
        memset(oldest, 0, sizeof *oldest);
    }
    oldest->id = 0;
    oldest->frontsKnown = oldest->closuresKnown = 0;
    return oldest;
}

/* pattern.h  The symbolic part of a system. It depends only on the structure of blocks and rows,
 * and is found once for all mechanisms with the same structure. */
#ifndef KSI_MECHANICS_PATTERN_H
#define KSI_MECHANICS_PATTERN_H

#include "gauss/gauss.h"
#include "nullspace/fronts.h"
#include "tree/articulated.h"
#include "view.h"

#include <stdint.h>

/* Limits: symbolic factorisations of one view in a pattern; patterns without users. Unused patterns
 * serve mechanisms that change back and forth, but each takes the memory of a mechanism. */
enum { KSI_MOST_SYMBOLIC = 4, KSI_SPARE_PATTERNS = 4 };

typedef struct ksiPattern {
    struct ksiPattern *next;
    unsigned id; /* new for each pattern; 0: none */
    uint64_t hash;
    int heavyBlock;     /* root of its free tree, or -1 */
    int users;          /* number of users */
    unsigned long used; /* last use, by ksiPatternCache.clock */
    ksiFronts fronts;
    ksiStrips strips;
    ksiLinks links;
    ksiSymbolic *symbolic[KSI_VIEW_COUNT][KSI_MOST_SYMBOLIC]; /* NULL: none yet */
} ksiPattern;

typedef struct ksiPatternCache {
    const ksAllocator *allocator;
    ksiPattern *first;
    unsigned id;         /* last id of a pattern or of a part of a pattern */
    unsigned long clock; /* counts uses */
} ksiPatternCache;

/* Replaces *pattern (NULL: none) by the pattern of the model. On error *pattern stays. */
KS_MUST_USE ksStatus ksiFindPattern(ksiPatternCache *cache, const ksiModel *model, ksiPattern **pattern);

/* The view's symbolic factorisation with this id, otherwise the one that it used last; NULL: it has
 * none. */
ksiSymbolic *ksiRecallSymbolic(const ksiPattern *pattern, ksiViewIndex view, unsigned id);

/* The view's symbolic factorisation of rows of these kinds. A new one may replace the least
 * recently used; it has no columns and id 0. NULL: out of memory. */
ksiSymbolic *ksiFindSymbolic(ksiPatternCache *cache, ksiPattern *pattern, ksiViewIndex view, int rows, const int *kind);

#endif

/* pattern.h  All that is known of a system from its blocks and rows alone, without a number: found once for all mechanisms that
 * have them. */
#ifndef KSI_PATTERN_H
#define KSI_PATTERN_H

#include "articulated.h"
#include "fronts.h"
#include "gauss.h"
#include "view.h"

#include <stdint.h>

/* Symbolic factorisations of one view that a pattern keeps; patterns that are kept without anybody who has them. */
enum { KSI_MOST_SYMBOLIC = 4, KSI_SPARE_PATTERNS = 4 };

typedef struct ksiPattern {
    struct ksiPattern *next;
    unsigned id; /* a new one for each pattern; 0: none */
    uint64_t hash;
    int heavyBlock;     /* that a free tree may be rooted in, or -1 */
    int users;          /* who have it for theirs */
    unsigned long used; /* when */
    ksiFronts fronts;
    ksiStrips strips;
    ksiLinks links;
    ksiSymbolic *symbolic[KSI_VIEW_COUNT][KSI_MOST_SYMBOLIC]; /* NULL: none yet */
} ksiPattern;

typedef struct ksiPatternCache {
    const ksAllocator *allocator;
    ksiPattern *first;
    unsigned id;         /* the last that was given: to patterns and parts of them */
    unsigned long clock; /* counts uses */
    unsigned layouts;    /* symbolic factorisations that were laid out */
} ksiPatternCache;

/* *pattern, who has had it so far, becomes that of the model. NULL: nobody has had any. On error it stays as it is. */
KS_MUST_USE ksStatus ksiFindPattern(ksiPatternCache *cache, const ksiModel *model, ksiPattern **pattern);
void ksiLeavePattern(ksiPattern **pattern);

/* Of a view, the one with this id, or else the one that was used last; NULL: there is none. */
ksiSymbolic *ksiRecallSymbolic(const ksiPattern *pattern, ksiViewIndex view, unsigned id);

/* ... of rows of these kinds, in the place of the one that has not been used for longest if it is a new one: then without
 * columns and without an id. NULL: out of memory. */
ksiSymbolic *ksiFindSymbolic(ksiPatternCache *cache, ksiPattern *pattern, ksiViewIndex view, int rows, const int *kind);

void ksiPatternCacheFree(ksiPatternCache *cache);

#endif

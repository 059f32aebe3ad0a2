/* divergence_kit.h  Frees the result of a comparison of two recordings. */
#ifndef TESTS_KITS_DIVERGENCE_KIT_H
#define TESTS_KITS_DIVERGENCE_KIT_H

#include "plugin/report/recording/divergence.h"

#include <stdlib.h>

static inline void freePair(ksiRecordingPair *pair)
{
    for (size_t i = 0; i < pair->count; i++) {
        free(pair->world[i].first.finding);
        free(pair->world[i].beyond.finding);
    }
    ksiFree(&ksiLibraryAllocator, pair->world);
}

#endif

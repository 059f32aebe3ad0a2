/* simbody_kit.h  Random trees of Simbody, recorded by its adapter, with the wrenches in their
 * joints by Simbody's own sums over free bodies. */
#ifndef TESTS_ADAPTERS_SIMBODY_KIT_H
#define TESTS_ADAPTERS_SIMBODY_KIT_H

#include <kinetostat/recording.h>

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SIMBODY_STEPS = 30, SIMBODY_BODIES = 10 };

typedef struct SimbodyTree {
    uint64_t seed;
    int hasLoop; /* a rod between branches */
    int hasBall; /* a ball from the last body to the world, which closes a loop: the last joint */
    int joints;  /* of the recording */
    int others;  /* mobilisers that the recording has no joint for */
    ksWrench
        wrench[SIMBODY_STEPS]
              [SIMBODY_BODIES +
               1]; /* on the first body of each joint, about its mass centre, without components along its freedoms */
    int isSame;    /* 1: the run without the adapter is the same, to the bit */
} SimbodyTree;

/* KS_OK, or the adapter's error. */
ksStatus simbodyRecord(SimbodyTree *tree, const char *path);

/* Wrong calls, in order: each should return KS_ERROR_BAD_ARGUMENT. Returns the number of the first
 * call that is not refused; 0: all are. */
int simbodyCalls(const char *path);

#ifdef __cplusplus
}
#endif
#endif

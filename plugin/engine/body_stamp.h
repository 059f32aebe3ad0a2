/* body_stamp.h  A fingerprint of a world's list of bodies. While it is unchanged, no body was made
 * or destroyed. The exception is a world with as many bodies as before, whose newest body has the
 * address of the old head of the list. */
#ifndef KSI_ENGINE_BODY_STAMP_H
#define KSI_ENGINE_BODY_STAMP_H

#include "engine.h"

typedef struct ksiBodyStamp {
    dBodyID head;
    int count; /* -1: the engine keeps no count, and the stamp never holds */
} ksiBodyStamp;

ksiBodyStamp ksiStampBodies(const ksiEngine *engine);
int ksiBodyStampHolds(const ksiEngine *engine, const ksiBodyStamp *stamp);

#endif

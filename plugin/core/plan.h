/* plan.h  What the files of the plan share. */
#ifndef KSI_CORE_PLAN_H
#define KSI_CORE_PLAN_H

#include "core.h"

/* pattern.c: order of the closings, their couplings with links and with each other, of links and closings whose bodies are known. */
KS_MUST_USE ksStatus ksiCorePattern(ksiCore *core);

/* Room for so many. */
static inline ksStatus ksiCoreIntsReserve(ksiCore *core, ksiCoreInts *ints, size_t count)
{
    return ksiReserve(&core->allocator, &ints->at, &ints->capacity, count, sizeof *ints->at);
}

#endif

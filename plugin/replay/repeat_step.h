/* repeat_step.h  Repeats a recorded step. */
#ifndef KSI_REPLAY_REPEAT_STEP_H
#define KSI_REPLAY_REPEAT_STEP_H

#include "record.h"

typedef enum ksiAgain {
    KSI_NOT_MADE_AGAIN, /* the step cannot be repeated: another engine or precision made it, its
                           engine refused it, a body fell asleep, a joint's class is unknown, or
                           there is no memory */
    KSI_COMES_AGAIN,    /* all bodies end in the recorded state, to the bit */
    KSI_COMES_OTHERWISE
} ksiAgain;

/* Repeats the step of a sound record. The caller must have initialised the engine, which may abort.
 * Changes the seed of the engine's random numbers. */
ksiAgain ksiStepAgain(const ksiStepRecord *record);

#endif

/* repeat_step.h  Repeats a recorded step. */
#ifndef KSI_REPLAY_REPEAT_STEP_H
#define KSI_REPLAY_REPEAT_STEP_H

#include "record.h"

typedef enum ksiAgain {
    KSI_NOT_MADE_AGAIN, /* it cannot be repeated: of another engine or precision, refused by its
                           engine, a body fell asleep, a joint's class is unknown, or no memory */
    KSI_COMES_AGAIN,    /* all bodies end as recorded, to the bit */
    KSI_COMES_OTHERWISE
} ksiAgain;

/* Repeats the step of a sound record. The caller has initialised the engine, which may abort.
 * Changes the seed. */
ksiAgain ksiStepAgain(const ksiStepRecord *record);

#endif

/* again.h  A recorded step, made again. */
#ifndef KSI_REPLAY_AGAIN_H
#define KSI_REPLAY_AGAIN_H

#include "record.h"

typedef enum ksiAgain {
    KSI_NOT_MADE_AGAIN, /* another engine's, or not all that it depends on is recorded: a body that fell asleep, a joint of no known class */
    KSI_COMES_AGAIN, /* all bodies are where the recorded step has left them, to the bit */
    KSI_COMES_OTHERWISE
} ksiAgain;

/* Of a sound record. The engine is initialised, and may abort. Of this process's random numbers the seed becomes another one. */
ksiAgain ksiStepAgain(const ksiStepRecord *record);

#endif

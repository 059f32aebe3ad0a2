/* intake.h  What the inspected processes send, world by world, to their judges. */
#ifndef KSI_INTAKE_H
#define KSI_INTAKE_H

#include "options.h"
#include "worlds.h"

typedef struct ksiIntake ksiIntake;

ksiIntake *ksiIntakeCreate(const ksiOptions *options, ksiChannel *channel, ksiWorlds *worlds);
void ksiIntakeDestroy(ksiIntake *intake);

/* Takes at most one record of each process. Whether there was any. */
bool ksiIntakePoll(ksiIntake *intake);

/* What was recorded so far is in the file, if one is asked for. false: it is not, and that has been said. Finish: nothing more will
 * come. */
bool ksiIntakeFlush(ksiIntake *intake);
bool ksiIntakeFinish(ksiIntake *intake);

uint64_t ksiIntakeRecorded(const ksiIntake *intake); /* steps */

/* Why there is nothing to report of a process, or of none, a line each. */
void ksiIntakeExplain(const ksiIntake *intake, FILE *to);

#endif

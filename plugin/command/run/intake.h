/* intake.h  Passes the data of inspected processes to the judges of their worlds. */
#ifndef KSI_COMMAND_RUN_INTAKE_H
#define KSI_COMMAND_RUN_INTAKE_H

#include "judges.h"

#include "../../report/collect/run.h"

typedef struct ksiIntake ksiIntake;

ksiIntake *ksiIntakeCreate(const ksiOptions *options, const ksiHub *hub, ksiJudges *judges);
void ksiIntakeDestroy(ksiIntake *intake);

/* The process that was started; its program. */
void ksiIntakeBegin(ksiIntake *intake, int process, const ksiRun *run);

/* Takes at most one record of each process. Whether there was any. */
bool ksiIntakePoll(ksiIntake *intake);

/* What was recorded so far is in the file, if one is asked for. false: it is not, and that has been said. Finish: nothing more will
 * come; run, as far as it is known, goes into the file, too. */
bool ksiIntakeFlush(ksiIntake *intake);
bool ksiIntakeFinish(ksiIntake *intake, ksiRun *run);

uint64_t ksiIntakeRecorded(const ksiIntake *intake); /* steps */

/* s, of the first world of the first process: where the last step of it that was taken has ended. */
double ksiIntakeTime(const ksiIntake *intake);

/* What is known by now of the run's engine, its last step and its processes. */
void ksiIntakeDescribe(const ksiIntake *intake, ksiRun *run);

/* Why there is nothing to report of a process, or of none, a line each. After Finish. */
void ksiIntakeExplain(const ksiIntake *intake, FILE *to);

#endif

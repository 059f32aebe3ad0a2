/* intake.h  Passes the data of inspected processes to the judges of their worlds. */
#ifndef KSI_COMMAND_RUN_INTAKE_H
#define KSI_COMMAND_RUN_INTAKE_H

#include "judges.h"

#include "../../report/collect/run.h"

typedef struct ksiIntake ksiIntake;

ksiIntake *ksiIntakeCreate(const ksiOptions *options, const ksiHub *hub, ksiJudges *judges);
void ksiIntakeDestroy(ksiIntake *intake);

/* process: the started one; run: its program. */
void ksiIntakeBegin(ksiIntake *intake, int process, const ksiRun *run);

/* Takes at most one record of each process. Returns whether there was any. */
bool ksiIntakePoll(ksiIntake *intake);

/* Flush writes all records so far to the file, if requested. Finish: no records follow; the known
 * data of the run go into the file, too. false: it failed; the error was printed. */
bool ksiIntakeFlush(ksiIntake *intake);
bool ksiIntakeFinish(ksiIntake *intake, ksiRun *run);

uint64_t ksiIntakeRecorded(const ksiIntake *intake); /* steps */

/* s, time of the first world of the first process, at the end of its last received step. */
double ksiIntakeTime(const ksiIntake *intake);

/* Adds what is known so far of the run's engine, its last step and its processes. */
void ksiIntakeDescribe(const ksiIntake *intake, ksiRun *run);

/* Prints why nothing is known of a process, or of any, a line each. After Finish. */
void ksiIntakeExplain(const ksiIntake *intake, FILE *to);

#endif

/* intake.h  Passes the data of inspected processes to their worlds' judges. */
#ifndef KSI_COMMAND_RUN_INTAKE_H
#define KSI_COMMAND_RUN_INTAKE_H

#include "judges.h"

#include "../../report/collect/run.h"

typedef struct ksiIntake ksiIntake;

ksiIntake *ksiIntakeCreate(const ksiOptions *options, const ksiHub *hub, ksiJudges *judges);
void ksiIntakeDestroy(ksiIntake *intake);

/* process: the process that was started; run: its program. */
void ksiIntakeBegin(ksiIntake *intake, int process, const ksiRun *run);

/* Takes at most one record of each process. Returns true if it took any. */
bool ksiIntakePoll(ksiIntake *intake);

/* Flush writes all records so far to the file, if one was requested. Finish also writes the known
 * data of the run; no records follow. false: failed; the error was printed. */
bool ksiIntakeFlush(ksiIntake *intake);
bool ksiIntakeFinish(ksiIntake *intake, ksiRun *run);

uint64_t ksiIntakeRecorded(const ksiIntake *intake); /* number of recorded steps */

/* Time in the first world of the first process, at the end of its last received step; s. */
double ksiIntakeTime(const ksiIntake *intake);

/* Adds the known data of the run: engine, last step and processes. */
void ksiIntakeDescribe(const ksiIntake *intake, ksiRun *run);

/* Prints why processes were not inspected, a line for each reason. Call it after Finish. */
void ksiIntakeExplain(const ksiIntake *intake, FILE *to);

#endif

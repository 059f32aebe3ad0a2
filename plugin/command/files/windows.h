/* windows.h  Judges windows of recorded steps on several threads, with the same result as in sequence. */
#ifndef KSI_COMMAND_FILES_WINDOWS_H
#define KSI_COMMAND_FILES_WINDOWS_H

#include "../../report/recording/judge.h"

typedef struct ksiWindows ksiWindows;

/* The windows that are judged: all of 1, or those of one of so many shards, which deal out the windows of a run by turns. */
typedef struct ksiShard {
    uint32_t index, count;
} ksiShard;

/* Adds up into the report, whose options are given and stay the caller's. jobs: threads; 0: none, each record is judged when it is added. NULL: out of
 * memory. */
ksiWindows *ksiWindowsCreate(const ksiJudgeOptions *judge, const ksReportOptions *options, ksReport *report,
                             unsigned jobs, ksiShard shard);

/* What was added before ends; the first window of what comes now is of the shard `turn`. KS_OK, or what has gone wrong so far. */
KS_MUST_USE ksStatus ksiWindowsBeginRun(ksiWindows *windows, uint32_t turn);

/* Is the next record of a world in a window that is judged here? */
bool ksiWindowsIsOurs(const ksiWindows *windows, size_t world);

/* The next stepped record of a world of the report; copied. names: for its joints, or NULL; the caller's until all is judged. KS_OK, or what has gone wrong with an earlier one. */
KS_MUST_USE ksStatus ksiWindowsAdd(ksiWindows *windows, size_t world, const ksiNameList *names,
                                   const ksiStepRecord *record);

/* Likewise, but it is left out. */
KS_MUST_USE ksStatus ksiWindowsLeaveOut(ksiWindows *windows, size_t world, const ksiStepRecord *record);

/* How many are judged here, so far. NULL: 0. */
uint64_t ksiWindowsCount(const ksiWindows *windows);

/* All are judged; frees it. NULL is fine. */
ksStatus ksiWindowsFinish(ksiWindows *windows);

#endif

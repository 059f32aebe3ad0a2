/* windows.h  Judges windows of recorded steps on several threads, with the same result as in
 * sequence. */
#ifndef KSI_COMMAND_FILES_WINDOWS_H
#define KSI_COMMAND_FILES_WINDOWS_H

#include "../../report/recording/judge.h"

typedef struct ksiWindows ksiWindows;

/* The windows to judge: the shard `index`, from 0, of `count`; count 1: all windows. The shards
 * take windows in turn. */
typedef struct ksiShard {
    uint32_t index, count;
} ksiShard;

/* Adds results to the report; the caller keeps the options alive. jobs: threads; 0: judges each
 * record when it is added. NULL: out of memory. */
ksiWindows *ksiWindowsCreate(const ksiJudgeOptions *judge, const ksReportOptions *options, ksReport *report,
                             unsigned jobs, ksiShard shard);

/* Ends all windows. The new run's first window belongs to the shard `turn`. KS_OK, or an error. */
KS_MUST_USE ksStatus ksiWindowsBeginRun(ksiWindows *windows, uint32_t turn);

/* Is the next record of a world in a window of this shard? */
bool ksiWindowsIsOurs(const ksiWindows *windows, size_t world);

/* Adds the next record of a world of the report, and copies it. names: names of its joints, or
 * NULL; the caller keeps them until the end. KS_OK, or the error of an earlier record. */
KS_MUST_USE ksStatus ksiWindowsAdd(ksiWindows *windows, size_t world, const ksiNameList *names,
                                   const ksiStepRecord *record);

/* Counts an omitted record like the records that ksiWindowsAdd adds. */
KS_MUST_USE ksStatus ksiWindowsLeaveOut(ksiWindows *windows, size_t world, const ksiStepRecord *record);

/* Number of windows judged here so far. NULL: 0. */
uint64_t ksiWindowsCount(const ksiWindows *windows);

/* Waits for all judgements and frees the windows. NULL is allowed. */
ksStatus ksiWindowsFinish(ksiWindows *windows);

#endif

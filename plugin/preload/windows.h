/* windows.h  Recorded steps, judged by several threads: window by window, with the same result as one after the other. */
#ifndef KSI_PRELOAD_WINDOWS_H
#define KSI_PRELOAD_WINDOWS_H

#include "../report/judge.h"

typedef struct ksiWindows ksiWindows;

/* Adds up into the report, whose options are given and stay the caller's. jobs >= 1. NULL: out of memory, or no threads. */
ksiWindows *ksiWindowsCreate(const ksiJudgeOptions *judge, const ksReportOptions *options, ksReport *report,
                             unsigned jobs);

/* The next stepped record of a world of the report; copied. names: for its joints, or NULL; the caller's until all is judged. KS_OK, or what has gone wrong with an earlier one. */
KS_MUST_USE ksStatus ksiWindowsAdd(ksiWindows *windows, size_t world, const ksiNameList *names,
                                   const ksiStepRecord *record);

/* All are judged; frees it. NULL is fine. */
ksStatus ksiWindowsFinish(ksiWindows *windows);

#endif

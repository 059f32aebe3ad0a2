/* judge_files.h  Judges recordings. */
#ifndef KSI_COMMAND_FILES_JUDGE_FILES_H
#define KSI_COMMAND_FILES_JUDGE_FILES_H

#include "../options.h"
#include "../run/worlds.h"
#include "windows.h"
#include "worker.h"

/* Where they go. All but the windows is the caller's. */
typedef struct ksiJudging {
    const ksiJudgingProcess *worker; /* whose files they are */
    ksReport *report;
    ksiWorlds *worlds;    /* of the report */
    bool isStepwise;      /* one step after the other, as a trace wants it */
    ksiWindows *windows;  /* else window by window, or those */
    ksiShard shard;       /* of a shard */
    uint64_t windowCount; /* that were judged */
    bool isSilent;        /* about how far it is */
} ksiJudging;

/* Adds all files to the report, but for what the worker leaves out, and sorts it. Returns how many cannot be read, which has been said. What cannot be
 * judged ends the process: ksiEndWith. */
unsigned ksiJudgeFiles(ksiJudging *judging, const ksiOptions *options);

#endif

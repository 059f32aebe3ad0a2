/* judge_files.h  Judges recordings. */
#ifndef KSI_COMMAND_FILES_JUDGE_FILES_H
#define KSI_COMMAND_FILES_JUDGE_FILES_H

#include "../options.h"
#include "../run/worlds.h"
#include "windows.h"
#include "worker.h"

/* Destination of the judgements. All but the windows belongs to the caller. */
typedef struct ksiJudging {
    const ksiJudgingProcess *worker; /* owner of the files */
    ksReport *report;
    ksiWorlds *worlds;    /* of the report */
    bool isStepwise;      /* one step after the other, as a trace needs it */
    ksiWindows *windows;  /* otherwise: judges by windows */
    ksiShard shard;       /* the shard of windows to judge */
    uint64_t windowCount; /* number of judged windows */
    bool anyDamaged;      /* records were left out, since they are damaged or follow one that is */
    bool isSilent;        /* prints no progress */
} ksiJudging;

/* Adds all files to the report, except records that the worker leaves out, and sorts it. Returns
 * the number of unreadable files, after messages. A crash ends the process: ksiEndWith. */
unsigned ksiJudgeFiles(ksiJudging *judging, const ksiOptions *options);

#endif

/* judge_files.h  Judges recordings. */
#ifndef KSI_COMMAND_FILES_JUDGE_FILES_H
#define KSI_COMMAND_FILES_JUDGE_FILES_H

#include "../options.h"
#include "../run/worlds.h"
#include "windows.h"
#include "worker.h"

/* The recordings to judge, and the receivers of judgements. The caller owns all but `windows`. */
typedef struct ksiJudging {
    const ksiJudgingProcess *worker; /* the process that owns the files */
    ksReport *report;
    ksiWorlds *worlds;    /* the report's worlds */
    bool isStepwise;      /* judges steps in sequence, as a trace requires */
    ksiWindows *windows;  /* otherwise: judges by windows */
    ksiShard shard;       /* the shard of windows to judge */
    uint64_t windowCount; /* number of judged windows */
    bool anyDamaged;      /* records were omitted because they, or records before them, are
                             damaged */
    bool isSilent;        /* prints no progress */
} ksiJudging;

/* Adds all files to the report, except records that the worker omits, and sorts the report. Returns
 * the number of unreadable files, after messages. Any other error ends the process: ksiEndWith. */
unsigned ksiJudgeFiles(ksiJudging *judging, const ksiOptions *options);

#endif

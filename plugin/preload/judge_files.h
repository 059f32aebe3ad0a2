/* judge_files.h  Recordings, judged as the run was. */
#ifndef KSI_PRELOAD_JUDGE_FILES_H
#define KSI_PRELOAD_JUDGE_FILES_H

#include "windows.h"
#include "worker.h"
#include "worlds.h"

/* Where they go. All is the caller's. */
typedef struct ksiJudging {
    const ksiJudgingProcess *worker; /* whose files they are */
    ksReport *report;
    ksiWorlds *worlds;   /* of the report */
    ksiWindows *windows; /* NULL: step by step */
    ksiShard shard;      /* of the windows */
    ksiShow *show;       /* of the worlds, or NULL */
} ksiJudging;

/* Adds all of a recording, by its number, to the report, but for what the worker leaves out. false: it cannot be read, and that has been
 * said. What cannot be judged ends the process: ksiEndWith. */
bool ksiJudgeFile(const ksiJudging *judging, unsigned number);

#endif

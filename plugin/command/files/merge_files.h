/* merge_files.h  Merges saved reports. */
#ifndef KSI_COMMAND_FILES_MERGE_FILES_H
#define KSI_COMMAND_FILES_MERGE_FILES_H

#include "../options.h"
#include "worker.h"

/* A report of --save; NULL: it cannot be read, and that has been said. */
ksReport *ksiReadSaved(const char *path);

/* Of whatever version, damaged or not. */
bool ksiIsSavedReport(const char *path);

/* In the process that reads them: makes the report that one process would have made of all, by the options that they were made with, but for those of
 * the limit that are given. false: one cannot be read, or does not go with the others, and that has been said. */
bool ksiMergeFiles(const ksiJudgingProcess *worker, const ksiOptions *options, ksReport **report);

#endif

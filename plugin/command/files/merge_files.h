/* merge_files.h  Merges saved reports. */
#ifndef KSI_COMMAND_FILES_MERGE_FILES_H
#define KSI_COMMAND_FILES_MERGE_FILES_H

#include "../options.h"
#include "worker.h"

/* A report of --save; NULL: unreadable, and the error was printed. */
ksReport *ksiReadSaved(const char *path);

/* Is the file a saved report, of any version, damaged or not? */
bool ksiIsSavedReport(const char *path);

/* Runs in the reading process. Makes the report that one process would have made of all recordings.
 * The options are those of the reports, except limits from the command line. false: a report is
 * unreadable or does not match; the error was printed. */
bool ksiMergeFiles(const ksiJudgingProcess *worker, const ksiOptions *options, ksReport **report);

#endif

/* judge_files.h  Recordings, judged as the run was. */
#ifndef KSI_JUDGE_FILES_H
#define KSI_JUDGE_FILES_H

#include "windows.h"
#include "worlds.h"

/* Adds all of a recording to the report, whose worlds are given. windows NULL: step by step. show: of the worlds, or NULL. number: of the file, from 0. false: it cannot be
 * judged, and that has been said. */
bool ksiJudgeFile(const char *path, ksReport *report, ksiWorlds *worlds, ksiWindows *windows, ksiShow *show,
                  unsigned number);

#endif

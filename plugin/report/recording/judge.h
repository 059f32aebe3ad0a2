/* judge.h  Judges the recorded steps of one world in a copy of it. */
#ifndef KSI_REPORT_RECORDING_JUDGE_H
#define KSI_REPORT_RECORDING_JUDGE_H

#include "../collect/collect.h"
#include "../files/name_list.h"
#include "lead.h"

#include "../../replay/replica.h"

typedef struct ksiJudge ksiJudge;

/* What is told of steps that another build of the engine has made. */
extern const char ksiJudgedElsewhere[];

typedef struct ksiJudgeOptions {
    ksInspectorOptions inspector;
    uint64_t adviseEvery;     /* one of so many judged steps is tried: ksiIsTrialStep */
    const ksiNameList *names; /* for joints that the program has not named; or NULL. The caller's */
    /* May a step be tried that took the engine so many seconds? And how long the trial took, s of processor time. NULL: always. */
    bool (*mayTry)(void *user, double stepSeconds);
    void (*haveTried)(void *user, double seconds);
    void *user;
} ksiJudgeOptions;

void ksiJudgeOptionsInit(ksiJudgeOptions *options);

/* Adds to the report's world. KS_OK, KS_ERROR_NO_MEMORY, or as ksInspectorCreate. */
KS_MUST_USE ksStatus ksiJudgeCreate(const ksiJudgeOptions *options, ksReport *report, size_t world, ksiJudge **judge);
void ksiJudgeDestroy(ksiJudge *judge);

/* The next record of this world, which is sound. KS_OK, also where the step could not be inspected;
 * KS_ERROR_NO_MEMORY; or another one, if the record is of a world that there cannot be. */
KS_MUST_USE ksStatus ksiJudgeStep(ksiJudge *judge, const ksiStepRecord *record);

/* In words; valid until the next failure. */
const char *ksiWhyNotJudged(ksStatus status);

/* Steps are judged in windows of a world's records, each by itself. A window ends with so many of them that took so many windows of means, lest their
 * lead take longer than they do; or with the one that makes it this large. */
enum { KSI_WINDOW = 1024, KSI_WINDOW_LEADS = 16, KSI_WINDOW_BYTES = 1 << 26 };

/* What has gone into a window. */
typedef struct ksiFill {
    size_t records, bytes;
    double seconds;
} ksiFill;

/* One more record, of a step of h; window: ksInspectorOptions::meanWindow. Is the window full? Then the next one is empty. */
bool ksiFillWindow(ksiFill *fill, double window, double h, size_t bytes);

/* Before the first step: how many judged steps there were before, and the last records of these. */
KS_MUST_USE ksStatus ksiJudgeSeek(ksiJudge *judge, uint64_t judged, const ksiLead *lead);

/* After a step: for traces. A window has an inspector of its own. */
ksInspector *ksiJudgeInspector(const ksiJudge *judge);
const ksiNaming *ksiJudgeNaming(const ksiJudge *judge);

#endif

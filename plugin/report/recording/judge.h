/* judge.h  Judges the recorded steps of one world in a copy of it. */
#ifndef KSI_REPORT_RECORDING_JUDGE_H
#define KSI_REPORT_RECORDING_JUDGE_H

#include "../collect/collect.h"
#include "../files/name_list.h"
#include "lead.h"

#include "../../replay/replica.h"

typedef struct ksiJudge ksiJudge;

/* The note on steps of another build of the engine. */
extern const char ksiJudgedElsewhere[];

typedef struct ksiJudgeOptions {
    ksInspectorOptions inspector;
    uint64_t adviseEvery;     /* one of so many judged steps is tried: ksiIsTrialStep */
    const ksiNameList *names; /* for unnamed joints; or NULL. The caller's */
    /* mayTry: may a step be tried that took the engine so many seconds? haveTried: s of processor
     * time of the trial. NULL: always. */
    bool (*mayTry)(void *user, double stepSeconds);
    void (*haveTried)(void *user, double seconds);
    void *user;
} ksiJudgeOptions;

void ksiJudgeOptionsInit(ksiJudgeOptions *options);

/* Adds to the report's world. KS_OK, KS_ERROR_NO_MEMORY, or as ksInspectorCreate. */
KS_MUST_USE ksStatus ksiJudgeCreate(const ksiJudgeOptions *options, ksReport *report, size_t world, ksiJudge **judge);
void ksiJudgeDestroy(ksiJudge *judge);

/* The next sound record of this world. KS_OK, also if the step could not be inspected;
 * KS_ERROR_NO_MEMORY; or another one, if the engine cannot have such a world. */
KS_MUST_USE ksStatus ksiJudgeStep(ksiJudge *judge, const ksiStepRecord *record);

/* The reason in words; valid until the next failure. */
const char *ksiWhyNotJudged(ksStatus status);

/* Steps are judged in windows of a world's records. A window ends after so many records that took
 * so many windows of means, so that its lead does not take longer; or with the record that makes it
 * this large. */
enum { KSI_WINDOW = 1024, KSI_WINDOW_LEADS = 16, KSI_WINDOW_BYTES = 1 << 26 };

/* The contents of a window. */
typedef struct ksiFill {
    size_t records, bytes;
    double seconds;
} ksiFill;

/* Adds a record of a step of h; window: ksInspectorOptions::meanWindow. Is the window full? Then
 * the next one starts empty. */
bool ksiFillWindow(ksiFill *fill, double window, double h, size_t bytes);

/* Before the first step: sets the number of earlier judged steps, and the last records of these. */
KS_MUST_USE ksStatus ksiJudgeSeek(ksiJudge *judge, uint64_t judged, const ksiLead *lead);

/* After a step, for traces. Each window has its own inspector. */
ksInspector *ksiJudgeInspector(const ksiJudge *judge);
const ksiNaming *ksiJudgeNaming(const ksiJudge *judge);

#endif

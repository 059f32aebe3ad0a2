/* judge.h  Judges the recorded steps of one world in a copy of it. */
#ifndef KSI_REPORT_RECORDING_JUDGE_H
#define KSI_REPORT_RECORDING_JUDGE_H

#include "../collect/collect.h"
#include "../files/name_list.h"
#include "lead.h"

#include "../../replay/replica.h"

typedef struct ksiJudge ksiJudge;

/* The note on steps that another build of the engine made. */
extern const char ksiJudgedElsewhere[];

typedef struct ksiJudgeOptions {
    ksInspectorOptions inspector;
    uint64_t adviseEvery;     /* one of this many judged steps is a trial: ksiIsTrialStep */
    const ksiNameList *names; /* names for unnamed joints, or NULL; the caller keeps the list */
    /* mayTry: is a trial allowed if the step took the engine stepSeconds? NULL: always. haveTried:
       gets the processor time of the trial, s; or NULL. */
    bool (*mayTry)(void *user, double stepSeconds);
    void (*haveTried)(void *user, double seconds);
    void *user;
} ksiJudgeOptions;

void ksiJudgeOptionsInit(ksiJudgeOptions *options);

/* Adds results to the report's world. KS_OK, KS_ERROR_NO_MEMORY, or an error of
 * ksInspectorCreate. */
KS_MUST_USE ksStatus ksiJudgeCreate(const ksiJudgeOptions *options, ksReport *report, size_t world, ksiJudge **judge);
void ksiJudgeDestroy(ksiJudge *judge);

/* Judges the next sound record of this world. KS_OK, also if the step could not be inspected;
 * KS_ERROR_NO_MEMORY; another error if the engine cannot have such a world. */
KS_MUST_USE ksStatus ksiJudgeStep(ksiJudge *judge, const ksiStepRecord *record);

/* The reason in words; valid until the next failure. */
const char *ksiWhyNotJudged(ksStatus status);

/* Steps are judged in windows of a world's records. A window ends when it has KSI_WINDOW records
 * and spans KSI_WINDOW_LEADS windows of means: inspecting its lead then takes less time than
 * judging the window. A window also ends with the record that fills KSI_WINDOW_BYTES. */
enum { KSI_WINDOW = 1024, KSI_WINDOW_LEADS = 16, KSI_WINDOW_BYTES = 1 << 26 };

/* The contents of a window. */
typedef struct ksiFill {
    size_t records, bytes;
    double seconds;
} ksiFill;

/* Adds a record of a step of h; window: ksInspectorOptions::meanWindow. Returns true if the window
 * is full; the next one then starts empty. */
bool ksiFillWindow(ksiFill *fill, double window, double h, size_t bytes);

/* Call it before the first step: sets the number of steps judged earlier, and the last records of
 * those steps. */
KS_MUST_USE ksStatus ksiJudgeSeek(ksiJudge *judge, uint64_t judged, const ksiLead *lead);

/* The inspector and the naming after a step, for traces. Each window has its own inspector. */
ksInspector *ksiJudgeInspector(const ksiJudge *judge);
const ksiNaming *ksiJudgeNaming(const ksiJudge *judge);

#endif

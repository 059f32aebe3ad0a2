/* fuzz_record.c  Any record: it is refused, or compared and judged. Where the engine itself would
 * abort, it ends with a message, and nowhere else. */
#include "replay/compare.h"
#include "report/recording/judge.h"
#include "tests/fuzz/input.h"

#include <setjmp.h>
#include <stdlib.h>

static jmp_buf refused;

/* A refused record's memory is not freed. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* The engine would abort here. */
static void refuse(int number, const char *format, va_list values)
{
    (void)number, (void)format, (void)values;
    longjmp(refused, 1);
}

static void judgeRecord(const ksiStepRecord *record)
{
    ksReport *report;
    ksiJudge *judge = NULL;
    ksiJudgeOptions options;
    size_t world;
    ksiJudgeOptionsInit(&options);
    if (ksReportCreate(NULL, &report))
        return;
    if (!setjmp(refused) && !ksiReportAddWorld(report, NULL, &world) &&
        !ksiJudgeCreate(&options, report, world, &judge)) {
        (void)!ksiJudgeStep(judge, record);
        ksiJudgeDestroy(judge);
    }
    ksReportDestroy(report);
}

/* A record equals itself; beside a record without bodies and joints, all of its own are
 * unmatched. */
static void compareRecord(const ksiStepRecord *record)
{
    ksiComparison comparison = {.count = 0};
    const ksiStepRecord none = ksiEndRecord(1, record->step);
    require(ksiCompareRecords(record, record, 0, &comparison) || comparison.count == 0);
    require(ksiCompareRecords(record, &none, 0, &comparison) || record->bodyCount + record->jointCount == 0 ||
            comparison.count > 0);
    for (size_t i = 0; i < comparison.count; i++)
        (void)ksiChangedBy(&comparison.finding[i], record, record);
    ksiComparisonFree(&comparison);
}

unsigned long fuzzPassed;
bool fuzzIsWhole;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint64_t *words = malloc(size + 8);
    if (!words)
        return 0;
    if (size > 0)
        memcpy(words, data, size);
    const ksiStepRecord *record = (const void *)words;
    dInitODE2(0);
    dSetDebugHandler(refuse);
    const bool isSound = size >= sizeof *record && ksiRecordIsSound(record, size);
    fuzzPassed += isSound;
    if (isSound)
        compareRecord(record);
    if (isSound && record->isStepped)
        judgeRecord(record);
    free(words);
    return 0;
}
